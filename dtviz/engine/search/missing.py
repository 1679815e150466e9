"""Where rows go that lack the value a split asks for, and what they count for in its gain.

Glossary
    missing    a row has no value in a feature; the score of a split by that feature is NaN
    known      a row has a value
    policy     the rule for all splits of a tree; one value of POLICIES each
    side       where a split sends the rows that lack its value

Sources: scikit-learn (the learned side); Breiman et al. (1984), 5.3, and rpart (surrogates, and the
majority where none helps).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dtviz.base.arrays import Bools, Ints
from dtviz.data.columns import in_full, with_own_level
from dtviz.data.dataset import Dataset
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import Tally, ranges


def missing_last(found: Tally) -> Tally:
    """The tally as it is: rows without a value stand last, right of every cut."""
    return found


def missing_first(found: Tally) -> Tally:
    """The tally with the rows without a value first: left of every cut."""
    sizes, gaps = found.per_segment.ravel(), _gaps(found)
    starts = starts_of(sizes)
    order = np.arange(len(found.values))
    order -= gaps.repeat(sizes)
    order[starts[gaps]] = (starts + sizes - 1)[gaps]
    return found.taken(order, found.per_segment)


def known(found: Tally) -> Tally:
    """The tally of the rows that have a value; `part` says what share of the weight they have."""
    sizes, gaps = found.per_segment.ravel(), _gaps(found)
    starts = starts_of(sizes)
    order = ranges(starts, sizes - gaps)
    heavy = np.asarray(found.sizes if found.weight is None else found.weight, np.float64)
    whole = np.add.reduceat(heavy, starts)
    lost = np.where(gaps, heavy.take(starts + sizes - 1), 0.0)
    shape = found.per_segment.shape
    part = ((whole - lost) / whole).reshape(shape)
    kept = found.taken(order, (sizes - gaps).reshape(shape))
    return kept._replace(gaps=None, part=part)


def arrived(found: Tally, policy: Policy) -> Tally:
    """The tally of the rows that a policy counts."""
    return found if found.gaps is None or policy.counts_missing else known(found)


def _gaps(found: Tally) -> Bools:
    assert found.gaps is not None
    return np.asarray(found.gaps.ravel())


def twins(found: Tally) -> Ints:
    """For each cut with the missing rows right of it the place of the one with them left, (cuts,).

    Both part the known rows alike. The last cut of a segment, known from missing, is its own first
    with the sides changed.
    """
    counts, gaps = found.per_segment.ravel() - 1, _gaps(found)
    starts = starts_of(counts)
    place = np.arange(counts.sum()) - starts.repeat(counts)
    turned = (place + gaps.repeat(counts)) % counts.repeat(counts)
    return np.asarray(turned + starts.repeat(counts))


Turn = Callable[[Tally], Tally]


@dataclass(frozen=True, slots=True)
class Policy:
    """A way to send the rows that lack a value.

    `searches` are the arrangements in which the cuts of a tally are scored: with the missing rows
    on one side, on either, or without them. `left` says that they always go left; else they go
    where the search scored higher, or, where it counts known rows alone (`searches` is empty), with
    most of these. `surrogates`: by the splits of
    other features that agree most with the node's own, first. `prepare` is what the table is made
    of before.
    """

    name: str
    title: str
    about: str
    searches: tuple[Turn, ...]
    left: bool = False
    surrogates: bool = False
    prepare: Callable[[Dataset], Dataset] = lambda data: data

    @property
    def counts_missing(self) -> bool:
        """Whether the rows without a value count in the gain of a cut."""
        return bool(self.searches)


POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        Policy(
            "learned",
            "Learned side",
            "Every cut is tried with the rows that lack the value on its left and on its right; "
            "the side with the higher gain is theirs, as in scikit-learn.",
            (missing_last, missing_first),
        ),
        Policy(
            "surrogates",
            "Surrogates",
            "Cuts are scored on the rows that have the value. A row without one is sent by the "
            "cut of another feature that agrees most with the node's own, as in rpart; with the "
            "majority where all fail.",
            (),
            surrogates=True,
        ),
        Policy(
            "majority",
            "Majority side",
            "Cuts are scored on the rows that have the value; the others go with most of those.",
            (),
        ),
        Policy(
            "value",
            "A value of its own",
            "'Missing' is one more value: of a category like any other, of numbers below all.",
            (missing_first,),
            left=True,
            prepare=with_own_level,
        ),
        Policy(
            "drop",
            "Left out",
            "Rows that lack the value of any feature are left out.",
            (missing_last, missing_first),
            prepare=in_full,
        ),
    )
}
"""Every policy by name; the first is the usual one."""
LEARNED = POLICIES["learned"]
