"""The way of one row down a tree: each question that it meets, its answer, and what is predicted.

Glossary
    way    the nodes that a row passes, from the root on; it ends early where nothing says on
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.arrays import Floats
from dtviz.engine.problem import Problem
from dtviz.engine.regression import imputed_means
from dtviz.engine.splits import Known, Split, features_of, score
from dtviz.engine.tree import Tree, path, predict, shares
from dtviz.say.gaps import decided, side_name
from dtviz.say.words import rule_text, values_text
from dtviz.table.data import Dataset
from dtviz.text import clean, count, number

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
