"""Where rows without a value go, in words: at a node, and along the path of a row."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.frontier import unsorted
from dtviz.engine.leaves import facts
from dtviz.engine.problem import Problem
from dtviz.engine.sides import settled
from dtviz.engine.splits import RIGHT, Known, Split, goes_left, score, stands_in
from dtviz.engine.tree import Tree, path
from dtviz.say.words import BRIEF, limits, line_text, may_lack, rule_text, split_text
from dtviz.table.data import Dataset
from dtviz.text import count, number


class StandIn(NamedTuple):
    """A surrogate of a split: its cut, the side that takes, its agreements, the rows it decides."""

    cut: str
    side: str
    agreement: float
    adjusted: float
    rows: int


class Told(NamedTuple):
    """What happens to the rows of a node that lack the value its split asks for."""

    sentence: str
    stand_ins: tuple[StandIn, ...] = ()


def may_send(problem: Problem, split: Split) -> bool:
    """Whether a row may lack the value that a split asks for, and be sent somewhere."""
    asked = may_lack(problem.data, split.projection) or problem.policy.surrogates
    return asked and not isinstance(split.projection, Known)


def gaps_told(problem: Problem, rows: Ints, split: Split) -> Told | None:
    """Where a split sends the rows of its node that lack the value; None where none ever does.

    For example: '7 of 53 rows lack age: on the left the gain is 0.31 bit, on the right 0.28.'
    """
    data = problem.data
    if not may_send(problem, split):
        return None
    policy = problem.policy
    split = settled(problem, rows, split)
    lacking = rows[np.isnan(score(split.projection, data.columns, rows))]
    name, side = line_text(data, split.projection), side_name(split.missing.left)
    who = f"{len(lacking):,} of {count(len(rows), 'row')} lack {name}"
    if policy.surrogates:
        found, rest = _stand_ins(data, split, lacking)
        some = "such a row goes where the first surrogate with a value sends it; where none can"
        told = f"{some} ({count(rest, 'row')})," if found else "no surrogate agrees enough:"
        return Told(f"{who}; {told} {side}, with most of the others.", found)
    if policy.left:
        return Told(f"{who}: missing is below every number, so they go left.")
    if not len(lacking) or not policy.counts_missing:
        return Told(f"{who}; such a row goes {side}, with most of the others.")
    here, there = (_gain(problem, rows, split, left) for left in (True, False))
    unit = problem.criterion.impurity.unit
    return Told(
        f"{who}: on the left the gain is {number(here)} {unit}".rstrip()
        + f", on the right {number(there)}; they go {side}."
    )


def side_name(left: bool) -> str:
    """The word for a side."""
    return "left" if left else "right"


def _gain(problem: Problem, rows: Ints, split: Split, left: bool) -> float:
    """The gain with the rows that lack the value on one side."""
    data = problem.data
    missing = split.missing
    sent = goes_left(split._replace(missing=type(missing)(left)), data.columns, rows)
    parts = [part for part in (rows, rows[sent], rows[~sent]) if len(part)]
    found = facts(data, unsorted(parts), problem.criterion)
    whole, *rest = (found.weight * found.impurity).tolist()
    return max(0.0, float((whole - sum(rest)) / found.weight[0]))


def _stand_ins(data: Dataset, split: Split, lacking: Ints) -> tuple[tuple[StandIn, ...], int]:
    """The surrogates with the rows that each decides, and how many rows none does."""
    out, waiting = [], lacking
    for one in split.missing.surrogates or ():
        can, _ = stands_in(one, data.columns, waiting)
        side = side_name(not one.turned)
        cut = cut_said(data, one.split)
        out.append(StandIn(cut, side, one.agreement, one.adjusted, int(can.sum())))
        waiting = waiting[~can]
    return tuple(out), len(waiting)


def cut_said(data: Dataset, split: Split) -> str:
    """A split as text, with its threshold in full."""
    at = np.array([split.threshold])
    (limit,) = limits(data, split.projection, at, at, np.nextafter(at, np.inf))
    return split_text(data, split._replace(missing=RIGHT), limit, BRIEF)


def path_told(data: Dataset, tree: Tree, row: Floats) -> tuple[str, ...]:
    """What decided at each node that one row, shape (M,), passes: one text a split.

    For example: 'age <= 30: yes', 'income missing, by surrogate 1, rooms <= 4: left'.
    """
    return tuple(
        ": ".join(decided(data, tree, node, child % 2 == 0, row))
        for node, child in pairwise(path(tree, row))
    )


def decided(data: Dataset, tree: Tree, node: int, left: bool, row: Floats) -> tuple[str, str]:
    """What decided at a node that one row passes, and how: ('age <= 30', 'yes')."""
    split, column = tree.splits[node], row[:, None]
    if not np.isnan(score(split.projection, column)[0]):
        return rule_text(data, tree, node), "yes" if left else "no"
    name = line_text(data, split.projection)
    for rank, one in enumerate(split.missing.surrogates or (), 1):
        if stands_in(one, column, np.zeros(1, np.intp))[0][0]:
            by = f"{name} missing, by surrogate {rank}, {cut_said(data, one.split)}"
            return by, side_name(left)
    return f"{name} missing", side_name(left)
