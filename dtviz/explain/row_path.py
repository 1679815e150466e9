"""The way of one row down a tree: each question that it meets, its answer, and what is predicted.

Glossary
    way    the nodes that a row passes, from the root on; it ends early where nothing says on
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.linear import imputed_means
from dtviz.engine.leaves.node_facts import facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.frontier import unsorted
from dtviz.engine.splits import RIGHT, Known, Split, features_of, goes_left, score, stands_in
from dtviz.engine.splitter import settled
from dtviz.engine.tree import Tree, path, predict, shares
from dtviz.explain.words import (
    BRIEF,
    limits,
    line_text,
    may_lack,
    rule_text,
    split_text,
    values_text,
)


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


MOST_TOLD = 4
"""Of a question on more features so many values are told."""


class Step(NamedTuple):
    """A question on the way: the node, the row's values for it, what decided, how, and the side."""

    node: int
    values: str
    asked: str
    answer: str
    side: str

    def __str__(self) -> str:
        """In one line: 'x1 = 4.7: x1 <= 2.45? no, right'."""
        if self.answer == self.side:
            return f"{self.asked}: {self.side}"
        return f"{self.values}: {self.asked}? {self.answer}, {self.side}"


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """The nodes that a row passes, its questions, and what the tree says of it.

    `values` are its numbers, (M,). `predicted` is the code of a class or a number, `says` tells it;
    `shares` are those of the classes. `ends` says why it ends before a leaf: it predicts NaN then.
    """

    values: Floats
    nodes: tuple[int, ...]
    steps: tuple[Step, ...]
    predicted: float
    says: str
    shares: tuple[float, ...]
    ends: str


def way(problem: Problem, tree: Tree, row: Floats) -> Way:
    """The way of one row, its values (M,), NaN for none."""
    data = problem.data
    nodes = path(tree, row)
    stuck = next((node for node in nodes[:-1] if _lost(problem, tree.splits[node], row)), None)
    if stuck is not None:
        nodes = nodes[: nodes.index(stuck) + 1]
    steps = []
    for node, child in pairwise(nodes):
        left = child % 2 == 0
        asked, answer = decided(data, tree, node, left, row)
        told = _values(data, tree.splits[node], row)
        steps.append(Step(node, told, asked, answer, side_name(left)))
    if stuck is not None:
        ends = (
            f"{_values(data, tree.splits[stuck], row)}: {rule_text(data, tree, stuck)}? Every row "
            "the tree was grown on has a value here, so nothing says where this one goes."
        )
        return Way(row, tuple(nodes), tuple(steps), np.nan, "", (), ends)
    each = tuple(shares(data, tree, row[:, None])[0].tolist()) if data.classes else ()
    found = float(predict(tree, row[:, None])[0])
    says = _says(data, tree, nodes[-1], found, row)
    return Way(row, tuple(nodes), tuple(steps), found, says, each, "")


def _lost(problem: Problem, split: Split, row: Floats) -> bool:
    """Whether nothing says where a split sends the row: no row that it was grown on lacks that."""
    one = split.projection
    if isinstance(one, Known) or problem.policy.surrogates:
        return False
    if not np.isnan(score(one, row[:, None])[0]):
        return False
    asked = features_of(one) or range(len(row))
    return not all(problem.data.gaps[feature] for feature in asked if np.isnan(row[feature]))


def _values(data: Dataset, split: Split, row: Floats) -> str:
    """The row's values of the features that a split asks: 'x1 = 4.7, x2 missing'."""
    asked = [*(features_of(split.projection) or range(len(row)))]
    told = [value_told(data, feature, row) for feature in asked[:MOST_TOLD]]
    return ", ".join(told + ["..."] * (len(asked) > MOST_TOLD))


def value_told(data: Dataset, feature: int, row: Floats) -> str:
    """One value of a row: 'x1 = 4.7', 'x2 missing'."""
    name = clean(data.features[feature])
    if np.isnan(row[feature]):
        return f"{name} missing"
    return f"{name} = {values_text(data, feature, row[feature : feature + 1])[0]}"


def _says(data: Dataset, tree: Tree, leaf: int, found: float, row: Floats) -> str:
    """The prediction, the rows of the leaf, and means in it that stand for missing values.

    For example: 'versicolor, 47 of 48 rows', '2.5, 12 rows; x1 missing: its mean there, 3.1'.
    """
    known = tree.nodes[leaf]
    means = imputed_means(known.params, row) if tree.leaf_model.level is not None else {}
    notes = [
        f"; {value_told(data, feature, row)}: its mean there, {number(mean)}"
        for feature, mean in means.items()
    ]
    if not data.classes:
        said = f"{number(found, 4)}, {count(known.n, 'row')}"
    else:
        own = data.class_names[int(found)]
        said = f"{own}, {known.counts[int(found)]:,} of {count(known.n, 'row')}"
    return "".join([said, *notes])
