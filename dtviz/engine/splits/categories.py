"""Splits of a category: some of its values go one way, all others the other.

The code of a value is its position among the levels of its column; a column of a category holds
codes. A split names the codes of its lighter side, which go left. All other codes, and values that
were never seen, go right with most of the rows. A split of one value against the rest names that
value, however much it weighs. The search orders the values of a node by how they predict, and cuts
between neighbours in that order.
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
from dtviz.engine.splits.split import (
    YES_NO,
    Family,
    FeaturePlane,
    Ring,
    Split,
    divide_ring,
    join_rings,
)

HALF = 0.5
"""Threshold of every subset, whose score is 0 or 1; also half the width of a band on an axis."""
_SUBSET_TEXT = re.compile(r"([0-9]{1,4})-([0-9a-f]{1,50})")
"""Text of a subset in addresses: the feature, and its codes as bits of a hexadecimal number."""


@dataclass(frozen=True, slots=True, order=True)
class Category:
    """Projection on the codes of a category, which have no order of their own.

    Each node puts the codes in an order; a cut in that order is a subset.
    """

    family: ClassVar[str] = "subset"
    """Name of the family."""
    feature: int
    """Index of the feature."""


@dataclass(frozen=True, slots=True, order=True)
class Subset:
    """Projection that divides a category: 0 for the named codes, 1 for all others."""

    family: ClassVar[str] = "subset"
    """Name of the family."""
    feature: int
    """Index of the feature."""
    left_codes: tuple[int, ...]
    """Codes that go left, ascending."""


def subset_split(feature: int, named: Sequence[int]) -> Split:
    """Split that sends the codes `named` of a category left, and all other codes right."""
    return Split(Subset(feature, tuple(sorted(named))), HALF)


def _propose(data: Dataset) -> tuple[Category, ...]:
    return tuple(Category(feature) for feature, levels in enumerate(data.levels) if levels)


def _propose_single_values(data: Dataset) -> tuple[Subset, ...]:
    """Proposes each value of a category alone; of two values, which divide alike, the second."""
    return tuple(
        Subset(feature, (code,))
        for feature, levels in enumerate(data.levels)
        for code in range(len(levels) == 2, len(levels))
    )


def _score(
    projections: Sequence[Category | Subset], which: Ints, columns: Floats, rows: Ints
) -> Floats:
    # Tables are made for those projections only to which `which` refers.
    is_asked = np.bincount(which.ravel(), minlength=len(projections)) > 0
    asked = list(compress(projections, is_asked.tolist()))
    which = (is_asked.cumsum() - 1).take(which)
    starts = np.array([projection.feature * columns.shape[1] for projection in asked], int)
    codes = columns.ravel().take(starts.take(which) + rows)
    subsets = [projection for projection in asked if isinstance(projection, Subset)]
    if not subsets:
        return np.asarray(codes)
    n_codes = 2 + max(max(projection.left_codes, default=0) for projection in subsets)
    tables = np.array([_score_table(projection, n_codes) for projection in asked])
    indices = np.where((codes >= 0) & (codes < n_codes - 1), codes, n_codes - 1).astype(int)
    return np.asarray(np.where(np.isnan(codes), np.nan, tables[which, indices]))


def _score_table(projection: Category | Subset, n_codes: int) -> Floats:
    """Score of each code below `n_codes` - 1, then the score that all higher codes share."""
    if isinstance(projection, Category):
        return np.arange(n_codes, dtype=np.float64)
    out = np.ones(n_codes)
    out[list(projection.left_codes)] = 0.0
    return out


def _problem(projection: Category | Subset, data: Dataset) -> str:
    levels = 0 <= projection.feature < len(data.levels) and data.levels[projection.feature]
    if not levels:
        return f"feature {projection.feature} is no category here"
    if isinstance(projection, Subset) and max(projection.left_codes, default=0) >= len(levels):
        return f"a category of {len(levels)} values has no number {max(projection.left_codes)}"
    return ""


def _write(projection: Category | Subset) -> str:
    if isinstance(projection, Category):
        return str(projection.feature)
    bits = sum(1 << code for code in projection.left_codes)
    return f"{projection.feature}-{bits:x}"


def _read(text: str) -> Subset | None:
    match = _SUBSET_TEXT.fullmatch(text)
    if match is None or not int(match[2], 16):
        return None
    bits = int(match[2], 16)
    named = tuple(code for code in range(bits.bit_length()) if bits >> code & 1)
    return Subset(int(match[1]), named)


def _formula(projection: Category | Subset, data: Dataset, dialect: Dialect) -> str:
    return dialect.name(data.features[projection.feature])


def _condition(
    projection: Category | Subset, low: str, high: str, data: Dataset, dialect: Dialect
) -> str:
    name = _formula(projection, data, dialect)
    if isinstance(projection, Category):
        return dialect.in_interval(name, low, high)
    levels = data.levels[projection.feature]
    codes = {*projection.left_codes}
    named = [levels[code] for code in projection.left_codes]
    others = [level for code, level in enumerate(levels) if code not in codes]
    return dialect.in_categories(name, named, others, bool(high))


def _clip(
    projection: Category | Subset, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    if not isinstance(projection, Subset):
        return ring, ()
    feature, named = projection.feature, projection.left_codes
    coordinate = {plane.across: 0, plane.up: 1}.get(feature)
    if coordinate is None:
        return (ring, ()) if plane.pinned[feature] in named else ((), ring)
    places = plane.places.get(feature)
    return _divide_at_bands(
        sorted(places[code] for code in named) if places else named, ring, coordinate
    )


def _divide_at_bands(positions: Sequence[int], ring: Ring, coordinate: int) -> tuple[Ring, Ring]:
    """Parts of a ring inside and outside the bands of these positions, which are ascending.

    The bands of consecutive positions are one part: no edge is drawn between them.
    """
    inside: list[Ring] = []
    outside: list[Ring] = []
    rest = ring
    for _, run in groupby(enumerate(positions), lambda pair: pair[1] - pair[0]):
        band_positions = [position for _, position in run]
        before, rest = divide_ring(rest, coordinate, band_positions[0] - HALF)
        band, rest = divide_ring(rest, coordinate, band_positions[-1] + HALF)
        outside.append(before)
        inside.append(band)
    outside.append(rest)
    return _join_wide(inside, coordinate), _join_wide(outside, coordinate)


def _join_wide(rings: Sequence[Ring], coordinate: int) -> Ring:
    """Joins the rings that have a width; a ring without width is an edge of a band."""
    return join_rings(ring for ring in rings if len({corner[coordinate] for corner in ring}) > 1)


def _join_sides(sides: Mapping[Subset, bool]) -> tuple[Subset, bool] | None:
    """Subset and side, True for left, that stand for the given sides of subsets of one category.

    With left sides these are the codes that every left side names and no right side does; with
    right sides alone, the right side of all codes named. None if no code is left.
    """
    left = [{*subset.left_codes} for subset, is_left in sides.items() if is_left]
    right = {code for subset, is_left in sides.items() if not is_left for code in subset.left_codes}
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
    levels=lambda line, data: data.levels[line.feature] if isinstance(line, Category) else (),
    naming=lambda line, named: subset_split(line.feature, named),
    join_sides=_join_sides,
    side_names=YES_NO,
)
ONE_VS_REST = replace(
    SUBSET,
    name="onevsrest",
    title="one value of a category against the rest",
    propose=_propose_single_values,
)
