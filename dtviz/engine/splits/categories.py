"""Cuts of a category: some of its values go one way, all others the other.

Glossary
    code       the place of a value among the levels of its column; what the column holds
    named      the codes that go left, those of the lighter side: the others, and values that were
               never seen, go right with most of the rows
    one        of one value against the rest: it alone is named, however much it weighs
    order      of a node's values, by how they predict: the search cuts between neighbours in it
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress, groupby
from typing import ClassVar

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset
from dtviz.engine.splits.split import Family, Plane, Ring, Split, joined, parted

HALF = 0.5
"""The threshold of every subset: its score is 0 on the left and 1 on the right."""
_TEXT = re.compile(r"([0-9]{1,4})-([0-9a-f]{1,50})")


@dataclass(frozen=True, slots=True, order=True)
class Category:
    """The line of a category, by its feature: its score is the code, and means nothing by itself.

    Its cuts are subsets, in an order of the node's own.
    """

    family: ClassVar[str] = "subset"
    feature: int


@dataclass(frozen=True, slots=True, order=True)
class Subset:
    """The projection that parts a category: 0 for the `named` codes, ascending, 1 for others."""

    family: ClassVar[str] = "subset"
    feature: int
    named: tuple[int, ...]


def subset_split(feature: int, named: Sequence[int]) -> Split:
    """The split that sends the named codes of a category left, and all others right."""
    return Split(Subset(feature, tuple(sorted(named))), HALF)


def _propose(data: Dataset) -> tuple[Category, ...]:
    return tuple(Category(f) for f, levels in enumerate(data.levels) if levels)


def _propose_one(data: Dataset) -> tuple[Subset, ...]:
    """Each value of a category alone; of two the second: the other parts the rows as it does."""
    return tuple(
        Subset(feature, (code,))
        for feature, levels in enumerate(data.levels)
        for code in range(len(levels) == 2, len(levels))
    )


def _score(
    projections: Sequence[Category | Subset], which: Ints, columns: Floats, rows: Ints
) -> Floats:
    met = np.bincount(which.ravel(), minlength=len(projections)) > 0
    some, which = list(compress(projections, met.tolist())), (met.cumsum() - 1).take(which)
    first = np.array([one.feature * columns.shape[1] for one in some], np.intp)
    codes = columns.ravel().take(first.take(which) + rows)
    subsets = [one for one in some if isinstance(one, Subset)]
    if not subsets:
        return np.asarray(codes)
    most = 2 + max(max(one.named, default=0) for one in subsets)
    sides = np.array([_sides(one, most) for one in some])
    at = np.where((codes >= 0) & (codes < most - 1), codes, most - 1).astype(np.intp)
    return np.asarray(np.where(np.isnan(codes), np.nan, sides[which, at]))


def _sides(one: Category | Subset, most: int) -> Floats:
    """The score of each code below `most`; the last stands for all beyond."""
    if isinstance(one, Category):
        return np.arange(most, dtype=np.float64)
    out = np.ones(most)
    out[list(one.named)] = 0.0
    return out


def _problem(projection: Category | Subset, data: Dataset) -> str:
    there = 0 <= projection.feature < len(data.levels) and data.levels[projection.feature]
    if not there:
        return f"feature {projection.feature} is no category here"
    if isinstance(projection, Subset) and max(projection.named, default=0) >= len(there):
        return f"a category of {len(there)} values has no number {max(projection.named)}"
    return ""


def _write(projection: Category | Subset) -> str:
    if isinstance(projection, Category):
        return str(projection.feature)
    bits = sum(1 << code for code in projection.named)
    return f"{projection.feature}-{bits:x}"


def _read(text: str) -> Subset | None:
    found = _TEXT.fullmatch(text)
    if found is None or not int(found[2], 16):
        return None
    bits = int(found[2], 16)
    named = tuple(code for code in range(bits.bit_length()) if bits >> code & 1)
    return Subset(int(found[1]), named)


def _formula(projection: Category | Subset, data: Dataset, dialect: Dialect) -> str:
    return dialect.name(data.features[projection.feature])


def _condition(
    projection: Category | Subset, low: str, high: str, data: Dataset, dialect: Dialect
) -> str:
    name = _formula(projection, data, dialect)
    if isinstance(projection, Category):
        return dialect.between(name, low, high)
    levels = data.levels[projection.feature]
    codes = {*projection.named}
    named = [levels[code] for code in projection.named]
    others = [level for code, level in enumerate(levels) if code not in codes]
    return dialect.among(name, named, others, bool(high))


def _clip(
    projection: Category | Subset, threshold: float, ring: Ring, plane: Plane
) -> tuple[Ring, Ring]:
    if not isinstance(projection, Subset):
        return ring, ()
    feature, named = projection.feature, projection.named
    on = {plane.across: 0, plane.up: 1}.get(feature)
    if on is None:
        return (ring, ()) if plane.pinned[feature] in named else ((), ring)
    places = plane.places.get(feature)
    return _bands(sorted(places[code] for code in named) if places else named, ring, on)


def _bands(places: Sequence[int], ring: Ring, on: int) -> tuple[Ring, Ring]:
    """What of a ring lies in the bands of these places, ascending, and what lies beside them."""
    inside: list[Ring] = []
    beside: list[Ring] = []
    rest = ring
    for _, run in groupby(enumerate(places), lambda pair: pair[1] - pair[0]):
        some = [place for _, place in run]
        before, rest = parted(rest, on, some[0] - HALF)
        band, rest = parted(rest, on, some[-1] + HALF)
        beside.append(before)
        inside.append(band)
    beside.append(rest)
    return _wide(inside, on), _wide(beside, on)


def _wide(some: Sequence[Ring], on: int) -> Ring:
    """The parts that are more than an edge of a band, as one ring."""
    return joined(ring for ring in some if len({corner[on] for corner in ring}) > 1)


def _joint(sides: Mapping[Subset, bool]) -> tuple[Subset, bool] | None:
    """The values that are named on all left sides and on no right one, or on none of these."""
    left = [{*one.named} for one, is_left in sides.items() if is_left]
    right = {code for one, is_left in sides.items() if not is_left for code in one.named}
    named = set.intersection(*left) - right if left else right
    feature = next(iter(sides)).feature
    return (Subset(feature, tuple(sorted(named))), bool(left)) if named else None


SUBSET = Family(
    name="subset",
    title="subsets of a category",
    code="c",
    propose=_propose,
    score=_score,
    problem=_problem,
    write=_write,
    read=_read,
    formula=_formula,
    axis=lambda projection: projection.feature if isinstance(projection, Category) else None,
    clip=_clip,
    condition=_condition,
    levels=lambda one, data: data.levels[one.feature] if isinstance(one, Category) else (),
    naming=lambda one, named: subset_split(one.feature, named),
    joint=_joint,
)
ONE_VS_REST = replace(
    SUBSET,
    name="onevsrest",
    title="one value of a category against the rest",
    propose=_propose_one,
)
