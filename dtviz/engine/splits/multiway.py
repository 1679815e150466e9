"""Multi-way cuts: one branch for each value of a category, as in ID3 and C4.5.

A tree is binary, so that a cut with k branches is a chain of k - 1 splits, its links. Link j sends
the rows of branch j left and all others right, to link j + 1; the right side of the last link is
branch k. A row whose value has no branch, or that has no value, has no score at any link: it goes
right, until the link of the default branch sends it left.

Sources: Quinlan, Induction of decision trees (1986), ID3; Quinlan, C4.5 (1993).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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
    Family,
    FeaturePlane,
    Ring,
    Split,
    SplitColumns,
    goes_left,
)

MAX_BRANCHES = 50
"""Largest number of branches of a cut: the number of a node doubles with each link."""
_BRANCH_TEXT = re.compile(r"([0-9]{1,4})((?:-[0-9]{1,6}){2,50})-d([0-9]{1,6})")
"""Text of a multi-way cut in addresses: feature, code of each branch in turn, default branch."""


@dataclass(frozen=True, slots=True, order=True)
class Multiway:
    """Projection of a category that a node cuts in all its values at once; no threshold cuts it."""

    family: ClassVar[str] = "multiway"
    """Name of the family."""
    feature: int
    """Index of the feature."""


@dataclass(frozen=True, slots=True, order=True)
class Branch:
    """Projection of one link of a multi-way cut: 0 for the rows of its branch, 1 for the others.

    >>> first = Branch(0, (0, 1, 2))
    >>> first.left_codes, first.next, first.next.next is None
    ((0,), Branch(feature=0, codes=(0, 1, 2), position=1, default=2), True)
    """

    family: ClassVar[str] = "multiway"
    """Name of the family."""
    feature: int
    """Index of the feature."""
    codes: tuple[int, ...]
    """Code of each branch, in the order of the branches."""
    position: int = 0
    """Position of the branch that the link sends left, from 0 to k - 2."""
    default: int = field(default=-1, compare=False)
    """Code of the branch to which rows go that have no branch of their own; that of the last branch
    if it is not given. It does not count in equality, as the side of missing values does not."""

    def __post_init__(self) -> None:
        if self.default not in self.codes:
            object.__setattr__(self, "default", self.codes[-1])

    @property
    def left_codes(self) -> tuple[int, ...]:
        """Code that goes left."""
        return (self.codes[self.position],)

    @property
    def other_codes(self) -> tuple[int, ...]:
        """Codes of the other branches."""
        return (*self.codes[: self.position], *self.codes[self.position + 1 :])

    @property
    def next(self) -> Branch | None:
        """The link on the right side of this one; None after the last link."""
        is_last = self.position == len(self.codes) - 2
        return None if is_last else replace(self, position=self.position + 1)


def multiway_split(feature: int, codes: Sequence[int], default: int = -1) -> Split:
    """First link of the cut that gives each of the codes of a category a branch of its own.

    Rows without a branch go to that of the code `default`, or else to the last one.
    """
    return _link(Branch(feature, tuple(codes), 0, default))


def _link(branch: Branch) -> Split:
    return Split(branch, HALF, LEFT if branch.left_codes == (branch.default,) else RIGHT)


def next_link(split: Split) -> Split | None:
    """The link that follows a split on its right side; None where none does."""
    projection = split.projection
    following = projection.next if isinstance(projection, Branch) else None
    return None if following is None else _link(following)


def is_link(split: Split) -> bool:
    """True for a link of a multi-way cut beyond its first: such a split belongs to its parent."""
    return isinstance(split.projection, Branch) and split.projection.position > 0


def link_mask(splits: SplitColumns) -> Bools:
    """Mask of the splits that belong to their parent, (K,), see `is_link`."""
    is_later = [isinstance(p, Branch) and p.position > 0 for p in splits.projections]
    return np.array(is_later, np.bool_).take(splits.line)


def branch_nodes(splits: Mapping[int, Split], node: int) -> list[int]:
    """Children of a split as people see them, from left to right: the branches of all its links."""
    nodes = [2 * node]
    while 2 * node + 1 in splits and is_link(splits[2 * node + 1]):
        node = 2 * node + 1
        nodes.append(2 * node)
    return [*nodes, 2 * node + 1]


def first_link(splits: Mapping[int, Split], node: int) -> int:
    """The node of the first link of the cut to which the split of a node belongs."""
    while node > 1 and node in splits and is_link(splits[node]):
        node //= 2
    return node


def branch_numbers(split: Split, columns: Floats, rows: Ints) -> Ints:
    """Number of the side that each row goes to: 0 on the left of a split, 1 on its right.

    The branches of a multi-way cut count from 0 to k - 1.
    """
    number, link = (~goes_left(split, columns, rows)).astype(int), next_link(split)
    if link is not None:
        others = number > 0
        number[others] += branch_numbers(link, columns, rows[others])
    return number


def rows_of_sides(split: Split, columns: Floats, rows: Ints) -> list[Ints]:
    """Row ids on the left and on the right of a split, or in each branch of a multi-way cut."""
    number = branch_numbers(split, columns, rows)
    n_sides = len(split.projection.codes) if isinstance(split.projection, Branch) else 2
    return [rows[number == side] for side in range(n_sides)]


def cut_depth(splits: Mapping[int, Split], node: int) -> int:
    """Number of cuts between a node and the root: all links of a multi-way cut are one."""
    above = [node >> k for k in range(1, node.bit_length())]
    return sum(not is_link(splits[parent]) for parent in above)


def _propose(data: Dataset) -> tuple[Multiway, ...]:
    return tuple(Multiway(feature) for feature, levels in enumerate(data.levels) if levels)


def _score(
    projections: Sequence[Multiway | Branch], which: Ints, columns: Floats, rows: Ints
) -> Floats:
    # Tables are made for those projections only to which `which` refers.
    is_asked = np.bincount(np.ravel(which), minlength=len(projections)) > 0
    asked = list(compress(projections, is_asked.tolist()))
    which = (is_asked.cumsum() - 1).take(which)
    starts = np.array([projection.feature * columns.shape[1] for projection in asked], int)
    codes = columns.ravel().take(starts.take(which) + rows)
    all_codes = [projection.codes for projection in asked if isinstance(projection, Branch)]
    n_codes = 1 + max(map(max, all_codes), default=0)
    # the last column is for the codes above, for values that were never seen and for missing ones
    tables = np.full((len(asked), n_codes + 1), np.nan)
    for table, projection in zip(tables, asked, strict=True):
        if isinstance(projection, Branch):
            table[[*projection.codes]] = 1.0
            table[[*projection.left_codes]] = 0.0
        else:
            table[:] = 1.0
    indices = np.where((codes >= 0) & (codes < n_codes), codes, n_codes).astype(int)
    return np.where(np.isnan(codes), np.nan, tables[which, indices])


def _problem(projection: Multiway | Branch, data: Dataset) -> str:
    if isinstance(projection, Multiway):
        return SUBSET.problem(Subset(projection.feature, ()), data)
    codes = projection.codes
    if projection.position or not 2 <= len({*codes}) == len(codes) <= MAX_BRANCHES:
        return f"a multi-way cut has 2 to {MAX_BRANCHES} branches, each of another value"
    return SUBSET.problem(Subset(projection.feature, codes), data)


def _write(projection: Multiway | Branch) -> str:
    if isinstance(projection, Multiway):
        return str(projection.feature)
    codes = "-".join(map(str, projection.codes))
    return f"{projection.feature}-{codes}-d{projection.default}"


def _read(text: str) -> Branch | None:
    match = _BRANCH_TEXT.fullmatch(text)
    if match is None:
        return None
    return Branch(int(match[1]), tuple(map(int, match[2][1:].split("-"))), 0, int(match[3]))


def codes_of_side(branch: Branch, is_left: bool) -> tuple[int, ...]:
    """Codes of the branches on one side of a link."""
    return branch.left_codes if is_left else branch.codes[branch.position + 1 :]


def _condition(
    projection: Multiway | Branch, low: str, high: str, data: Dataset, dialect: Dialect
) -> str:
    name = dialect.name(data.features[projection.feature])
    if isinstance(projection, Multiway):
        return name
    chosen, levels = codes_of_side(projection, bool(high)), data.levels[projection.feature]
    named = [levels[code] for code in chosen]
    others = [level for code, level in enumerate(levels) if code not in chosen]
    return dialect.in_categories(name, named, others, True)


def _clip(
    projection: Multiway | Branch, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    if isinstance(projection, Multiway):
        return ring, ()
    is_default = projection.left_codes == (projection.default,)
    codes = projection.other_codes if is_default else projection.left_codes
    subset = Subset(projection.feature, tuple(sorted(codes)))
    inside, outside = SUBSET.clip(subset, threshold, ring, plane)
    # values without a branch are on the side of the default branch
    return (outside, inside) if is_default else (inside, outside)


def _join_sides(sides: Mapping[Branch, bool]) -> tuple[Branch, bool] | None:
    """The one side that stands for the sides of several links of a category.

    A row that goes left at a link is in its branch, whatever the others say. Of right sides alone
    those of one cut are all said by its last link.
    """
    left = [branch for branch, is_left in sides.items() if is_left]
    if left:
        return left[-1], True
    last = max(sides, key=lambda branch: branch.position)
    return (last, False) if {branch.codes for branch in sides} == {last.codes} else None


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
)
