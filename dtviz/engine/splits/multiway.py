"""Multi-way cuts: one branch for each value of a category, as in ID3 and C4.5.

A tree is binary, so that a cut with k branches is a chain of k - 1 splits, its parts. Part j sends
the rows of branch j left and all others right, to part j + 1; the right side of the last part is
branch k. Rows whose value has no branch, and rows without a value, go to the default branch.

Sources: Quinlan, Induction of decision trees (1986), ID3; Quinlan, C4.5 (1993).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import ClassVar

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset
from dtviz.engine.splits.categories import HALF, SUBSET, Subset
from dtviz.engine.splits.split import (
    LEFT,
    RIGHT,
    YES_NO,
    Family,
    FeaturePlane,
    Ring,
    Split,
    SplitColumns,
    goes_left,
)

MAX_BRANCHES = 50
"""Largest number of branches of a cut: the id of a node doubles with each part."""
_BRANCH_TEXT = re.compile(rf"([0-9]{{1,4}})((?:-[0-9]{{1,6}}){{2,{MAX_BRANCHES}}})-d([0-9]{{1,6}})")
"""Text of a multi-way cut in addresses: feature, code of each branch in turn, default branch."""


@dataclass(frozen=True, slots=True, order=True)
class Multiway:
    """Projection of a category that a node cuts in all its values at once; no threshold cuts it."""

    family: ClassVar[str] = "multiway"
    """Name of the family."""
    feature: int
    """Index of the feature."""


@dataclass(frozen=True, slots=True, order=True)
class CutPart:
    """Projection of one part of a multi-way cut: 0 for the rows of its branch, 1 for all others.

    >>> first = CutPart(0, (0, 1, 2), default=1)
    >>> first.left_code, first.next.left_code, first.next.next is None
    (0, 1, True)
    """

    family: ClassVar[str] = "multiway"
    """Name of the family."""
    feature: int
    """Index of the feature."""
    codes: tuple[int, ...]
    """Code of each branch, in the order of the branches."""
    position: int = 0
    """Position of the branch that the part sends left, from 0 to k - 2."""
    default: int = -1
    """Code of the default branch; that of the last branch if none has the given code."""

    def __post_init__(self) -> None:
        if self.default not in self.codes:
            object.__setattr__(self, "default", self.codes[-1])

    @property
    def left_code(self) -> int:
        """Code that goes left."""
        return self.codes[self.position]

    @property
    def left_codes(self) -> tuple[int, ...]:
        """Codes that go left, by the name that a Subset has for them."""
        return (self.left_code,)

    @property
    def sends_default_left(self) -> bool:
        """True if the branch that goes left is the default branch."""
        return self.left_code == self.default

    @property
    def other_codes(self) -> tuple[int, ...]:
        """Codes of the other branches."""
        return tuple(code for code in self.codes if code != self.left_code)

    @property
    def next(self) -> CutPart | None:
        """The part on the right side of this one; None after the last part."""
        is_last = self.position == len(self.codes) - 2
        return None if is_last else replace(self, position=self.position + 1)


def multiway_split(feature: int, codes: Sequence[int], default: int = -1) -> Split:
    """First part of the cut that gives each of the codes of a category a branch of its own.

    The branch of the code `default`, or else the last one, is the default branch.
    """
    return _split_of(CutPart(feature, tuple(codes), 0, default))


def _split_of(part: CutPart) -> Split:
    # a part gives rows without a value a score too: `missing` sends no row, it is only shown
    return Split(part, HALF, LEFT if part.sends_default_left else RIGHT)


def next_part(split: Split) -> Split | None:
    """The part that follows a split on its right side; None where none does."""
    projection = split.projection
    following = projection.next if isinstance(projection, CutPart) else None
    return None if following is None else _split_of(following)


def count_sides(split: Split) -> int:
    """Number of sides of a split: two, or the branches of a multi-way cut."""
    return len(split.projection.codes) if isinstance(split.projection, CutPart) else 2


def is_later_part(split: Split) -> bool:
    """True for a part of a multi-way cut beyond its first: such a split belongs to its parent."""
    return isinstance(split.projection, CutPart) and split.projection.position > 0


def later_part_mask(splits: SplitColumns) -> Bools:
    """Mask of the splits that belong to their parent, (K,), see `is_later_part`."""
    is_later = [isinstance(p, CutPart) and p.position > 0 for p in splits.projections]
    return np.array(is_later, np.bool_).take(splits.line)


def branch_nodes(splits: Mapping[int, Split], node: int) -> list[int]:
    """Children of a split as people see them, from left to right: the branches of all its parts."""
    nodes = [2 * node]
    while 2 * node + 1 in splits and is_later_part(splits[2 * node + 1]):
        node = 2 * node + 1
        nodes.append(2 * node)
    return [*nodes, 2 * node + 1]


def first_part_node(splits: Mapping[int, Split], node: int) -> int:
    """The node of the first part of the cut to which the split of a node belongs."""
    while node > 1 and node in splits and is_later_part(splits[node]):
        node //= 2
    return node


def branch_numbers(split: Split, columns: Floats, rows: Ints) -> Ints:
    """Number of the side that each row goes to: 0 on the left of a split, 1 on its right.

    The branches of a multi-way cut count from 0 to k - 1.
    """
    number, part = (~goes_left(split, columns, rows)).astype(int), next_part(split)
    if part is not None:
        others = number > 0
        number[others] += branch_numbers(part, columns, rows[others])
    return number


def rows_of_sides(split: Split, columns: Floats, rows: Ints) -> list[Ints]:
    """Row ids on the left and on the right of a split, or in each branch of a multi-way cut."""
    number = branch_numbers(split, columns, rows)
    return [rows[number == side] for side in range(count_sides(split))]


def cut_depth(splits: Mapping[int, Split], node: int) -> int:
    """Number of cuts between a node and the root: all parts of a multi-way cut are one."""
    above = [node >> k for k in range(1, node.bit_length())]
    return sum(not is_later_part(splits[parent]) for parent in above)


def _propose(data: Dataset) -> tuple[Multiway, ...]:
    return tuple(Multiway(feature) for feature, levels in enumerate(data.levels) if levels)


def _score(
    projections: Sequence[Multiway | CutPart], which: Ints, columns: Floats, rows: Ints
) -> Floats:
    # Tables are made for those projections only to which `which` refers.
    is_scored = np.bincount(np.ravel(which), minlength=len(projections)) > 0
    scored = list(compress(projections, is_scored.tolist()))
    which = (is_scored.cumsum() - 1).take(which)
    starts = np.array([projection.feature * columns.shape[1] for projection in scored], int)
    codes = columns.ravel().take(starts.take(which) + rows)
    all_codes = [projection.codes for projection in scored if isinstance(projection, CutPart)]
    n_codes = 1 + max(map(max, all_codes), default=0)
    # the last column is for higher codes, for values that were never seen and for missing ones
    tables = np.ones((len(scored), n_codes + 1))
    for table, projection in zip(tables, scored, strict=True):
        if isinstance(projection, CutPart) and projection.sends_default_left:
            table[:] = 0.0
            table[[*projection.other_codes]] = 1.0
        elif isinstance(projection, CutPart):
            table[projection.left_code] = 0.0
    indices = np.where((codes >= 0) & (codes < n_codes), codes, n_codes).astype(int)
    return np.asarray(tables[which, indices])


def _problem(projection: Multiway | CutPart, data: Dataset) -> str:
    if isinstance(projection, Multiway):
        return SUBSET.problem(Subset(projection.feature, ()), data)
    codes = projection.codes
    if projection.position or not 2 <= len({*codes}) == len(codes) <= MAX_BRANCHES:
        return f"a multi-way cut has 2 to {MAX_BRANCHES} branches, each of another value"
    return SUBSET.problem(Subset(projection.feature, codes), data)


def _write(projection: Multiway | CutPart) -> str:
    if isinstance(projection, Multiway):
        return str(projection.feature)
    codes = "-".join(map(str, projection.codes))
    return f"{projection.feature}-{codes}-d{projection.default}"


def _read(text: str) -> CutPart | None:
    match = _BRANCH_TEXT.fullmatch(text)
    if match is None:
        return None
    codes, default = tuple(map(int, match[2][1:].split("-"))), int(match[3])
    is_cut = default in codes and len({*codes}) == len(codes)
    return CutPart(int(match[1]), codes, 0, default) if is_cut else None


def codes_of_side(part: CutPart, is_left: bool) -> tuple[int, ...]:
    """Codes of the branches on one side of a part."""
    return part.left_codes if is_left else part.codes[part.position + 1 :]


def _condition(
    projection: Multiway | CutPart, low: str, high: str, data: Dataset, dialect: Dialect
) -> str:
    name = dialect.name(data.features[projection.feature])
    if isinstance(projection, Multiway):
        return name
    chosen, levels = codes_of_side(projection, bool(high)), data.levels[projection.feature]
    # a program decides values that were never seen; people read the values of the side
    is_inside = not (dialect.is_code and projection.default in chosen)
    codes = chosen if is_inside else [code for code in projection.codes if code not in chosen]
    named = [levels[code] for code in codes]
    others = [level for code, level in enumerate(levels) if code not in codes]
    return dialect.in_categories(name, named, others, is_inside)


def _clip(
    projection: Multiway | CutPart, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    if isinstance(projection, Multiway):
        return ring, ()
    codes = projection.other_codes if projection.sends_default_left else projection.left_codes
    subset = Subset(projection.feature, tuple(sorted(codes)))
    inside, outside = SUBSET.clip(subset, threshold, ring, plane)
    # values without a branch are on the side of the default branch
    return (outside, inside) if projection.sends_default_left else (inside, outside)


def _join_sides(sides: Mapping[CutPart, bool]) -> tuple[CutPart, bool] | None:
    """The one side that stands for the sides of several parts of a cut; None for parts of two cuts.

    A row that goes left at a part is in its branch, whatever the others say; of right sides alone
    the last part says all.
    """
    if len({part.codes for part in sides}) > 1:
        return None
    left = [part for part, is_left in sides.items() if is_left]
    return (left[0], True) if left else (max(sides, key=lambda part: part.position), False)


MULTIWAY = Family(
    name="multiway",
    title="one branch for each value of a category",
    code="w",
    propose=_propose,
    score=_score,
    problem=_problem,
    write=_write,
    read=_read,
    formula=lambda projection, data, dialect: dialect.name(data.features[projection.feature]),
    axis=lambda projection: projection.feature if isinstance(projection, Multiway) else None,
    clip=_clip,
    condition=_condition,
    join_sides=_join_sides,
    side_names=YES_NO,
)
