"""Settings of the page Impurity: shares of two and of three classes, and two splits of a node."""

from __future__ import annotations

from dataclasses import dataclass

from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, impurities_for

WHOLE_IN_PERCENT = 100
WHOLE_IN_SIXTIETHS = 60
"""Shares of three classes are in sixtieths: a third, a quarter and a tenth are whole numbers."""
N_CLASSES_ALLOWED = range(2, 5)
"""Possible numbers of classes in the two splits."""
MAX_CLASS_ROWS = 60
"""Largest number of rows of one class in the two splits."""

ClassCounts = tuple[int, ...]
"""A whole number for each class: its rows, or its share."""


def _are_counts(counts: object, maximum: int) -> bool:
    """True for a tuple of whole numbers from 0 to `maximum`."""
    return isinstance(counts, tuple) and all(type(n) is int and 0 <= n <= maximum for n in counts)


def comparable_criteria() -> tuple[str, ...]:
    """Return the names of the criteria whose disagreements can be searched for."""
    names = criteria_for("classification")
    return tuple(name for name in names if CRITERIA[name].exact is not None)


@dataclass(frozen=True, slots=True)
class TwoSplits:
    """Two splits of one node, as rows of each class. Raises ValueError for impossible numbers."""

    parent: ClassCounts
    """Rows of each class in the node."""
    first: ClassCounts
    """Rows of each class that the first split sends left."""
    second: ClassCounts
    """Rows of each class that the second split sends left."""

    def __post_init__(self) -> None:
        are_counts = _are_counts(self.parent, MAX_CLASS_ROWS) and any(self.parent)
        if not are_counts or len(self.parent) not in N_CLASSES_ALLOWED:
            raise ValueError(f"`parent` must be the rows of 2 to 4 classes; not {self.parent!r}")
        for left in (self.first, self.second):
            are_counts = _are_counts(left, MAX_CLASS_ROWS) and len(left) == len(self.parent)
            if not are_counts or any(a > n for a, n in zip(left, self.parent, strict=True)):
                raise ValueError(f"a split must send left some rows of each class; not {left!r}")


@dataclass(frozen=True, slots=True)
class ImpuritySettings:
    """The settings of the page Impurity. Raises ValueError for values that are not allowed."""

    percent: int = 30
    """Share of the first of two classes, in percent."""
    shares: ClassCounts = (36, 18, 6)
    """Shares of three classes, in sixtieths."""
    impurity: str = "entropy"
    """Impurity that is drawn over the shares of three classes."""
    splits: TwoSplits = TwoSplits((8, 8), (6, 2), (4, 8))
    """The two splits that are compared."""
    opened: str = "entropy"
    """Criterion whose arithmetic on both splits is shown."""
    between: tuple[str, str] = ("error", "gini")
    """Criteria whose disagreements are shown."""

    def __post_init__(self) -> None:
        if not _are_counts((self.percent,), WHOLE_IN_PERCENT):
            raise ValueError(
                f"`percent` must be a whole number to {WHOLE_IN_PERCENT}; not {self.percent!r}"
            )
        are_counts = _are_counts(self.shares, WHOLE_IN_SIXTIETHS)
        if not are_counts or (len(self.shares), sum(self.shares)) != (3, WHOLE_IN_SIXTIETHS):
            raise ValueError(f"`shares` must be three that add up to 60; not {self.shares!r}")
        if self.impurity not in [impurity.name for impurity in impurities_for("classification")]:
            raise ValueError(f"`impurity` must be one of classes; not {self.impurity!r}")
        if self.opened not in criteria_for("classification"):
            raise ValueError(f"`opened` must be a criterion of classes; not {self.opened!r}")
        pair = self.between if isinstance(self.between, tuple) else ()
        if len(pair) != 2 or any(name not in comparable_criteria() for name in pair):
            allowed = ", ".join(comparable_criteria())
            raise ValueError(f"`between` must be two of {allowed}; not {self.between!r}")
