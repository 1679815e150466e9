"""What the page Impurity holds: the shares of two and of three classes, and two splits of one node.

Glossary
    percent   the share of the first of two classes
    shares    those of three classes, in sixtieths: thirds, quarters and tenths are among them
    splits    what the node has of each class, and what of it each split sends left
    opened    the criterion whose arithmetic on both splits is shown
    between   the two criteria whose disagreements are shown
"""

from __future__ import annotations

from dataclasses import dataclass

from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, impurities_for

PERCENT = 100
SIXTIETHS = 60
CLASSES = range(2, 5)
MOST_ROWS = 60
"""Of a class."""

ClassCounts = tuple[int, ...]


def _whole(counts: object, most: int) -> bool:
    """Whether these are whole numbers from 0 on, none above `most`."""
    return isinstance(counts, tuple) and all(type(n) is int and 0 <= n <= most for n in counts)


def comparable() -> tuple[str, ...]:
    """The names of the criteria whose disagreements can be searched for."""
    names = criteria_for("classification")
    return tuple(name for name in names if CRITERIA[name].exact is not None)


@dataclass(frozen=True, slots=True)
class TwoSplits:
    """Two splits of a node: rows of each class in it, and those each split sends left.

    Raises ValueError.
    """

    parent: ClassCounts
    first: ClassCounts
    second: ClassCounts

    def __post_init__(self) -> None:
        whole = _whole(self.parent, MOST_ROWS) and any(self.parent)
        if not whole or len(self.parent) not in CLASSES:
            raise ValueError(f"`parent` must be the rows of 2 to 4 classes; not {self.parent!r}")
        for left in (self.first, self.second):
            same = _whole(left, MOST_ROWS) and len(left) == len(self.parent)
            if not same or any(a > n for a, n in zip(left, self.parent, strict=True)):
                raise ValueError(f"a split must send left some rows of each class; not {left!r}")


@dataclass(frozen=True, slots=True)
class Lab:
    """What the page Impurity shows. Raises ValueError."""

    percent: int = 30
    shares: ClassCounts = (36, 18, 6)
    impurity: str = "entropy"
    splits: TwoSplits = TwoSplits((8, 8), (6, 2), (4, 8))
    opened: str = "entropy"
    between: tuple[str, str] = ("error", "gini")

    def __post_init__(self) -> None:
        if not _whole((self.percent,), PERCENT):
            raise ValueError(f"`percent` must be a whole number to {PERCENT}; not {self.percent!r}")
        if not _whole(self.shares, SIXTIETHS) or (len(self.shares), sum(self.shares)) != (3, 60):
            raise ValueError(f"`shares` must be three that add up to 60; not {self.shares!r}")
        if self.impurity not in [one.name for one in impurities_for("classification")]:
            raise ValueError(f"`impurity` must be one of classes; not {self.impurity!r}")
        if self.opened not in criteria_for("classification"):
            raise ValueError(f"`opened` must be a criterion of classes; not {self.opened!r}")
        pair = self.between if isinstance(self.between, tuple) else ()
        if len(pair) != 2 or any(name not in comparable() for name in pair):
            allowed = ", ".join(comparable())
            raise ValueError(f"`between` must be two of {allowed}; not {self.between!r}")
