"""The path of one row down a tree in words: each question with the row's answer, the prediction.

A path ends before a leaf where a value is missing and no rule tells the side of such rows. The
texts on missing values are here too: of a row on its path, and of all rows of a node.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import clean, count, number
from dtviz.data.categories import category_text
from dtviz.data.dataset import Dataset
from dtviz.engine import splits
from dtviz.engine.leaves.linear import imputed_means
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splitter import resolve_missing
from dtviz.engine.table_search import path_of, table_search
from dtviz.engine.tree import Tree, decision_path, leaf_probabilities, predict
from dtviz.explain import words


class StandIn(NamedTuple):
    """A surrogate of a split in words, with its agreement and the rows that it decides."""

    cut: str  # text of the surrogate's split
    side: str  # side of the node's split where rows go that meet the condition `cut`
    agreement: float  # share of the weight of rows that it sends as the split does
    adjusted: float  # share that it avoids of the errors of sending all rows to the heavier side
    rows: int  # number of rows of the node whose side it decides


class MissingNote(NamedTuple):
    """The side to which a split sends the rows of its node whose value is missing, in words."""

    sentence: str  # number of such rows, and their side with its reason
    stand_ins: tuple[StandIn, ...] = ()  # surrogates, which decide before that side, the best first


def _lack_value(projection: splits.Projection, columns: Floats, rows: Ints) -> Bools:
    """Mask of the rows that lack the value of which a split asks."""
    if isinstance(projection, splits.CutPart):  # it gives such rows a score
        return np.asarray(np.isnan(columns[projection.feature].take(rows)))
    return np.asarray(np.isnan(splits.score(projection, columns, rows)))


def sends_missing(problem: Problem, split: splits.Split) -> bool:
    """True if a split has a side for rows whose value is missing.

    A split on missing values itself has none, because it gives each row a score.
    """
    has_side = words.can_be_missing(problem.data, split.projection) or problem.policy.surrogates
    return has_side and not isinstance(split.projection, splits.IsMissing)


def table_missing_note(
    problem: Problem, tree: Tree, node: int, split: splits.Split
) -> MissingNote | None:
    """Describe where a split sends the rows of a node of a table that have no score, or None."""
    if not sends_missing(problem, split):
        return None
    search, path = table_search(problem), path_of(tree.splits, node)
    n_missing, resolved = search.count_missing(path, split), search.resolve(path, split)
    name = words.projection_text(problem.data, split.projection)
    subject = f"{n_missing:,} of {count(tree.nodes[node].n, 'row')} lack {name}"
    reason = (
        "where the gain is higher"
        if problem.policy.counts_missing and n_missing
        else ("with most of the others")
    )
    direction = direction_text(split, resolved.missing.left)
    return MissingNote(f"{subject}; such a row goes {direction}, {reason}.")


def missing_note(problem: Problem, rows: Ints, split: splits.Split) -> MissingNote | None:
    """Describe where a split sends the rows of its node without a score; None if all have one.

    For example: '7 of 53 rows lack age: on the left the gain is 0.31 bit, on the right 0.28.'
    """
    data = problem.data
    if not sends_missing(problem, split):
        return None
    policy = problem.policy
    split = resolve_missing(problem, rows, split)
    missing_rows = rows[_lack_value(split.projection, data.columns, rows)]
    name = words.projection_text(data, split.projection)
    side = direction_text(split, split.missing.left)
    subject = f"{len(missing_rows):,} of {count(len(rows), 'row')} lack {name}"
    if isinstance(split.projection, splits.CutPart):
        levels = data.levels[split.projection.feature]
        default = category_text(levels[split.projection.default])
        return MissingNote(f"{subject}; such a row goes to the default branch, {default}.")
    if policy.surrogates:
        stand_ins, n_undecided = _stand_ins(data, split, missing_rows)
        rule = "no surrogate agrees enough:"
        if stand_ins:
            rule = "such a row goes where the first surrogate with a value sends it; where none can"
            rule += f" ({count(n_undecided, 'row')}),"
        return MissingNote(f"{subject}; {rule} {side}, with most of the others.", stand_ins)
    if policy.always_left:
        return MissingNote(f"{subject}: missing is below every number, so they go {side}.")
    if not len(missing_rows) or not policy.counts_missing:
        return MissingNote(f"{subject}; such a row goes {side}, with most of the others.")
    gain_left, gain_right = (
        _gain_with_missing(problem, rows, split, left) for left in (True, False)
    )
    unit = problem.criterion.impurity.unit
    on_left, on_right = (f"on the {_side_text(split, left)}" for left in (True, False))
    return MissingNote(
        f"{subject}: {on_left} the gain is {number(gain_left)} {unit}".rstrip()
        + f", {on_right} {number(gain_right)}; they go {side}."
    )


def side_name(split: splits.Split, left: bool) -> str:
    """Name of a side of a split: 'left' or 'right', of a category 'yes' or 'no'."""
    return splits.side_names(split.projection)[not left]


def _side_text(split: splits.Split, left: bool) -> str:
    """A side of a split in a sentence: 'left', 'yes side'."""
    name = side_name(split, left)
    return name if name in splits.LEFT_RIGHT else f"{name} side"


def direction_text(split: splits.Split, left: bool) -> str:
    """Direction of the rows of a side of a split: 'left', 'to the yes side'."""
    side = _side_text(split, left)
    return side if side in splits.LEFT_RIGHT else f"to the {side}"


def _gain_with_missing(problem: Problem, rows: Ints, split: splits.Split, left: bool) -> float:
    """The gain of a split that sends the rows without a score to the left, or to the right."""
    data = problem.data
    missing = split.missing
    left_mask = splits.goes_left(split._replace(missing=type(missing)(left)), data.columns, rows)
    parts = [part for part in (rows, rows[left_mask], rows[~left_mask]) if len(part)]
    facts = compute_facts(data, unsorted_frontier(parts), problem.criterion)
    spread, *side_spreads = (facts.weight * facts.impurity).tolist()
    return max(0.0, float((spread - sum(side_spreads)) / facts.weight[0]))


def _stand_ins(
    data: Dataset, split: splits.Split, missing_rows: Ints
) -> tuple[tuple[StandIn, ...], int]:
    """The surrogates of a split in words, and the number of missing rows that none decides.

    Each decides the rows for which it has a value and no surrogate before it has one.
    """
    stand_ins, undecided = [], missing_rows
    for surrogate in split.missing.surrogates or ():
        decides, _ = splits.surrogate_masks(surrogate, data.columns, undecided)
        side = side_name(split, not surrogate.is_reversed)
        cut = full_split_text(data, surrogate.split)
        agreements = surrogate.agreement, surrogate.adjusted_agreement
        stand_ins.append(StandIn(cut, side, *agreements, int(decides.sum())))
        undecided = undecided[~decides]
    return tuple(stand_ins), len(undecided)


def full_split_text(data: Dataset, split: splits.Split) -> str:
    """The text of a split with all digits of its threshold, without a side for missing values."""
    threshold = np.array([split.threshold])
    # a text between the threshold and the next number is one of the threshold alone
    (threshold_text,) = words.threshold_texts(
        data, split.projection, threshold, threshold, np.nextafter(threshold, np.inf)
    )
    return words.split_text(data, split._replace(missing=splits.RIGHT), threshold_text, words.BRIEF)


def path_texts(data: Dataset, tree: Tree, row: Floats) -> tuple[str, ...]:
    """The question that decides at each split on the path of a row, (M,), with the row's answer.

    For example: 'age <= 30: yes', 'income missing, by surrogate 1, rooms <= 4: left'.
    """
    path = _shown_path(tree, decision_path(tree, row))
    return tuple(": ".join(decision_texts(data, tree, *edge, row)) for edge in pairwise(path))


def _shown_path(tree: Tree, path: Sequence[int]) -> list[int]:
    """The nodes of a path, a multi-way cut as one of them."""
    pairs = ((node, tree.splits.get(node)) for node in path)
    return [node for node, split in pairs if split is None or not splits.is_later_part(split)]


def decision_texts(
    data: Dataset, tree: Tree, node: int, child: int, row: Floats
) -> tuple[str, str]:
    """The question that decides at a node for a row, (M,), and the answer: ('age <= 30', 'yes').

    `child` is the node that the row reaches next. Where a value is missing, the answer is the
    direction: 'left', 'to the yes side'. That of a multi-way cut is the value of a branch.
    """
    split, column = tree.splits[node], row[:, None]
    name = words.projection_text(data, split.projection)
    is_missing = _lack_value(split.projection, column, np.zeros(1, int))[0]
    left = child % 2 == 0
    if isinstance(split.projection, splits.CutPart):
        question = f"{name} missing" if is_missing else words.rule_text(data, tree, node)
        return question, words.answer_text(data, tree, child)
    if not is_missing:
        return words.rule_text(data, tree, node), "yes" if left else "no"
    for rank, surrogate in enumerate(split.missing.surrogates or (), 1):
        if splits.surrogate_masks(surrogate, column, np.zeros(1, int))[0][0]:
            cut = full_split_text(data, surrogate.split)
            return f"{name} missing, by surrogate {rank}, {cut}", direction_text(split, left)
    return f"{name} missing", direction_text(split, left)


MAX_VALUES_SHOWN = 4
"""Values of a row that are shown beside a question; a question can be on more features."""


class PathStep(NamedTuple):
    """One question on the path of a row."""

    node: int  # node id
    values: str  # the row's values of the features in the question: 'x1 = 4.7, x2 missing'
    question: str  # the question: 'x1 <= 2.45'
    answer: str
    """'yes' or 'no'; where a value is missing the direction: 'left', 'to the no side'; at a
    multi-way cut the value of the branch."""
    side: str
    """Name of the side of the row's next node: 'left' or 'right', 'yes' or 'no', or the value."""
    is_condition: bool
    """True if the question is answered by yes or no, and not by a direction or a value."""

    def __str__(self) -> str:
        """The values, question, answer and side: 'x1 = 4.7: x1 <= 2.45? no, right'."""
        if not self.is_condition:
            return f"{self.question}: {self.answer}"
        side = "" if self.side == self.answer else f", {self.side}"
        return f"{self.values}: {self.question}? {self.answer}{side}"


@dataclass(frozen=True, slots=True, eq=False)
class RowPath:
    """The nodes that a row passes, the questions there, and the prediction of the last node."""

    values: Floats  # the row's values, (M,), NaN for a missing one
    nodes: tuple[int, ...]  # node ids from the root on
    steps: tuple[PathStep, ...]  # one a question that is answered
    predicted: float  # class code or number, NaN where the path ends before a leaf
    prediction_text: str  # the prediction in words with the leaf's rows, '' where there is none
    shares: tuple[float, ...]  # share of each class, () of numbers
    end_reason: str  # reason why the path ends before a leaf, '' where it does not


def trace_row(problem: Problem, tree: Tree, row: Floats) -> RowPath:
    """Follow one row down the tree; `row` has its values, (M,), NaN for a missing one."""
    data = problem.data
    nodes = decision_path(tree, row)
    undecided = (node for node in nodes[:-1] if _is_undecided(problem, tree.splits[node], row))
    end = next(undecided, None)
    if end is not None:
        nodes = nodes[: nodes.index(end) + 1]
    steps = []
    nodes = _shown_path(tree, nodes)
    for node, child in pairwise(nodes):
        question, answer = decision_texts(data, tree, node, child, row)
        values = _feature_values(data, tree.splits[node], row)
        is_branch = isinstance(tree.splits[node].projection, splits.CutPart)
        side = answer if is_branch else side_name(tree.splits[node], child % 2 == 0)
        is_condition = not is_branch and answer in splits.YES_NO
        steps.append(PathStep(node, values, question, answer, side, is_condition))
    if end is not None:
        end_reason = (
            f"{_feature_values(data, tree.splits[end], row)}: "
            f"{words.rule_text(data, tree, end)}? Every row the tree was grown on has a value "
            "here, so nothing says where this one goes."
        )
        return RowPath(row, tuple(nodes), tuple(steps), np.nan, "", (), end_reason)
    class_shares = (
        tuple(leaf_probabilities(data, tree, row[:, None])[0].tolist()) if data.classes else ()
    )
    prediction = float(predict(tree, row[:, None])[0])
    leaf_text = _leaf_text(data, tree, nodes[-1], prediction, row)
    return RowPath(row, tuple(nodes), tuple(steps), prediction, leaf_text, class_shares, "")


def _is_undecided(problem: Problem, split: splits.Split, row: Floats) -> bool:
    """True if the row has no score of a split and the split has no side for such rows.

    A split has a side for them if training rows lack values of the feature too, or if there are
    surrogates.
    """
    projection = split.projection
    if isinstance(projection, splits.IsMissing) or problem.policy.surrogates:
        return False
    if not _lack_value(projection, row[:, None], np.zeros(1, int))[0]:
        return False
    features = splits.features_of(projection) or range(len(row))
    return not all(problem.data.gaps[feature] for feature in features if np.isnan(row[feature]))


def _feature_values(data: Dataset, split: splits.Split, row: Floats) -> str:
    """The row's values of the features in a split: 'x1 = 4.7, x2 missing'."""
    features = [*(splits.features_of(split.projection) or range(len(row)))]
    texts = [feature_value_text(data, feature, row) for feature in features[:MAX_VALUES_SHOWN]]
    return ", ".join(texts + ["..."] * (len(features) > MAX_VALUES_SHOWN))


def feature_value_text(data: Dataset, feature: int, row: Floats) -> str:
    """The value of one feature in a row: 'x1 = 4.7', 'x2 missing'."""
    name = clean(data.features[feature])
    if np.isnan(row[feature]):
        return f"{name} missing"
    return f"{name} = {words.feature_value_texts(data, feature, row[feature : feature + 1])[0]}"


def _leaf_text(data: Dataset, tree: Tree, leaf: int, predicted: float, row: Floats) -> str:
    """The prediction of a leaf, its rows, and the means that stand for missing values of `row`.

    For example: 'versicolor, 47 of 48 rows', '2.5, 12 rows; x1 missing: its mean there, 3.1'.
    """
    node = tree.nodes[leaf]
    means = imputed_means(node.params, row) if tree.leaf_model.linear_score is not None else {}
    notes = [
        f"; {feature_value_text(data, feature, row)}: its mean there, {number(mean)}"
        for feature, mean in means.items()
    ]
    if not data.classes:
        text = f"{number(predicted, 4)}, {count(node.n, 'row')}"
    else:
        name = data.class_names[int(predicted)]
        text = f"{name}, {node.counts[int(predicted)]:,} of {count(node.n, 'row')}"
    return "".join([text, *notes])
