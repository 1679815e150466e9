"""The moves of a growing tree, each with its candidates and its reason; made one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dtviz.base.arrays import Ints
from dtviz.base.text import short_repr
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.grow import moves
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepare_data
from dtviz.engine.search.candidates import (
    Candidates,
    append_candidates,
    best_lines,
    can_show_cuts,
    max_cuts_of_line,
    select_lines,
    top_scores,
)
from dtviz.engine.search.candidates import candidates as search
from dtviz.engine.splits import Projection, family_of, feature_of
from dtviz.engine.splitter import (
    merge_category_lines,
    projection_column,
    projections_and_table,
)
from dtviz.engine.tree import Collapse, Grow, Log, LogError, Move, Tree, fold, rows_in
from dtviz.explain.why import why, why_pruned
from dtviz.explain.words import (
    candidate_text,
    candidate_text_column,
    projection_text,
    rule_text,
)
from dtviz.models.model import Model, data_of, log_of, rules_of


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One move: the log up to and with it, and the tree before it."""

    data: Dataset
    """Rows that the tree grows on."""
    rules: Rules
    """Settings of growth."""
    log: Log
    """Moves up to and with this one."""
    move: Move
    """The split, or the split taken back."""
    before: Tree
    """The tree that the move changes."""

    @property
    def problem(self) -> Problem:
        """The data with the rules, compiled."""
        return Problem(self.data, self.rules)

    @property
    def candidates(self) -> Candidates:
        """Every candidate of the node that was split."""
        return node_candidates(self.problem, self.before, self.move.node)

    @property
    def table(self) -> pd.DataFrame:
        """The candidates as a table, one row a candidate; see the function `candidates`."""
        return table(self.problem, self.candidates)

    @property
    def why(self) -> str:
        """The reason for the split, or for taking it back, in one sentence."""
        if isinstance(self.move, Collapse) and self.rules.ccp_alpha:
            return why_pruned(self.rules, self.before, self.move.node)
        chosen = self.move.split if isinstance(self.move, Grow) else None
        return why(self.problem, self.candidates, chosen)


def steps(data: Dataset, rules: Rules | None = None, log: Log = ()) -> Iterator[Step]:
    """The automatic steps after `log`; the tree grows as the iterator is read."""
    data, log = data_of(data), log_of(log)
    rules = rules_of(rules, data)
    data = prepare_data(data, rules)
    problem = Problem(data, rules)
    tree = fold(problem, log)
    for move, next_tree in moves(problem, tree):
        log = (*log, move)
        yield Step(data, rules, log, move, tree)
        tree = next_tree


def candidates(
    data: Dataset, rules: Rules | None = None, log: Log = (), node: int = 1
) -> pd.DataFrame:
    """Every candidate of `node` after `log`, one row each, by feature then threshold.

    Columns: feature rule threshold n_left n_right impurity_left impurity_right gain weighted_gain
    admissible boundary, and weight_left weight_right where rows have weights; a criterion whose
    measure is not the gain adds a column of its name. A category has no threshold; that of a date
    counts days (or seconds, microseconds) from 1970 on. Gains are in bits for entropy, in squared
    target units for squared_error. Raises LogError.
    """
    data = data_of(data)
    rules = rules_of(rules, data)
    data = prepare_data(data, rules)
    problem = Problem(data, rules)
    tree = fold(problem, log_of(log))
    return table(problem, node_candidates(problem, tree, node))


def regrets(model: Model) -> pd.DataFrame:
    """The regret of each split of a tree against the best candidate of its node, parents first.

    Columns: node depth n, split and gain of the split made, best and best_gain of the candidate
    that ranks highest, regret (best_gain less gain, 0 where no candidate is better) and better, the
    number of admissible candidates that rank higher. A criterion whose measure is not the gain has
    its measure in place of gain; NaN where the split sends rows without a value to a side to which
    no candidate sends them.
    """
    data, rules, tree = model.data, model.rules_used, model.tree
    rows = []
    for node in sorted(tree.splits):
        cuts = node_candidates(Problem(data, rules), tree, node)
        index, score = _split_score(tree, rules, cuts, node)
        top = np.nan if cuts.best is None else float(cuts.score[cuts.best])
        is_tied = index is not None and bool(cuts.tied[index])
        rows.append(
            {
                "node": node,
                "depth": node.bit_length() - 1,
                "n": tree.nodes[node].n,
                "split": rule_text(data, tree, node),
                "gain": score,
                "best": None if cuts.best is None else candidate_text(data, cuts, cuts.best),
                "best_gain": top,
                "regret": 0.0 if is_tied else max(top - score, 0.0),
                "better": 0 if is_tied else int((cuts.admissible & (cuts.score > score)).sum()),
            }
        )
    return pd.DataFrame(rows)


def _split_score(tree: Tree, rules: Rules, cuts: Candidates, node: int) -> tuple[int | None, float]:
    """The index of the candidate that is the split of a node, or None, and the split's score."""
    index = cuts.find(tree.splits[node])
    if index is not None and cuts.n_left[index] == tree.nodes[2 * node].n:
        return index, float(cuts.score[index])
    if CRITERIA[rules.criterion].measure is not None:
        return None, np.nan
    parent, left, right = (tree.nodes[k] for k in (node, 2 * node, 2 * node + 1))
    children_impurity = (
        left.weight * left.impurity + right.weight * right.impurity
    ) / parent.weight
    return None, parent.impurity - children_impurity


def node_candidates(
    problem: Problem, tree: Tree, node: int, feature_ids: Sequence[int] | None = None
) -> Candidates:
    """Every candidate of a node of the tree, leaf or not; raises LogError if there is no such node.

    With `some`, the indices of features, only their candidates.
    """
    if not isinstance(node, int) or node not in tree.nodes:
        raise LogError(
            f"node {short_repr(node)} is not in the tree; it has {sorted(tree.nodes)[:20]}"
        )
    return search_candidates(problem, rows_in(tree, node), feature_ids)


def with_projection(
    problem: Problem, tree: Tree, node: int, cuts: Candidates, projection: Projection
) -> Candidates:
    """The candidates of a node with those of a projection drawn by hand, unless they are there."""
    if projection in cuts.projections or family_of(projection).propose_in_node is None:
        return cuts
    rows, table = rows_in(tree, node), projection_column(problem.data, projection)
    search_settings = problem.criterion, problem.minimum, (projection,), problem.policy
    return append_candidates(cuts, search(table, rows, *search_settings))


def leading_features(problem: Problem, tree: Tree, node: int) -> tuple[int, ...] | None:
    """The features with the best candidates of a node; None where all candidates can be shown."""
    return leading_among(problem, rows_in(tree, node))


def leading_among(problem: Problem, rows: Ints) -> tuple[int, ...] | None:
    """The features with the best candidates of rows; None where all candidates can be shown."""
    n_features, n_cuts = len(problem.data.features), max_cuts_of_line(problem.data, len(rows))
    if can_show_cuts(n_features, n_cuts):
        return None
    best_scores = np.full(n_features, -np.inf)
    search_settings = problem.criterion, problem.minimum, problem.policy
    scores = top_scores(problem.table, rows, *search_settings).tolist()
    for projection, score in zip(problem.projections, scores, strict=True):
        if (feature := feature_of(projection)) is not None:
            best_scores[feature] = max(best_scores[feature], score)
    return best_lines(best_scores, n_cuts)


def candidates_by_criterion(
    problem: Problem, tree: Tree, node: int, feature_ids: Sequence[int] | None = None
) -> dict[str, Candidates]:
    """The candidates of a node under each criterion of the task, by the criterion's name."""
    rows = rows_in(tree, node)
    return {
        name: search_candidates(problem.with_rules(criterion=name), rows, feature_ids)
        for name in criteria_of(problem.data)
    }


def search_candidates(
    problem: Problem,
    rows: Ints,
    feature_ids: Sequence[int] | None = None,
) -> Candidates:
    """Every candidate of a node's rows; with `some`, only those of these features."""
    projections, lines = projections_and_table(problem, rows)
    if feature_ids is not None:
        wanted = {None, *feature_ids}  # None: projections of several features
        pairs = enumerate(projections)
        indices = [index for index, each in pairs if feature_of(each) in wanted]
        projections = tuple(projections[index] for index in indices)
        lines = select_lines(lines, np.array(indices))
    search_settings = problem.criterion, problem.minimum, projections, problem.policy
    return merge_category_lines(search(lines, rows, *search_settings))


def table(problem: Problem, cuts: Candidates) -> pd.DataFrame:
    """The candidates as a pandas frame; see the function `candidates` for its columns."""
    data, rules = problem.data, problem.rules
    lines = [projection_text(data, projection) for projection in cuts.projections]
    columns = {
        "feature": pd.Series(lines).array.take(cuts.line),
        "rule": candidate_text_column(data, cuts).to_pandas(),
        "threshold": np.where(np.isin(cuts.line, list(cuts.orders)), np.nan, cuts.threshold),
        "n_left": cuts.n_left,
        "n_right": cuts.n_right,
        "impurity_left": cuts.impurity_left,
        "impurity_right": cuts.impurity_right,
        "gain": cuts.gain,
        "weighted_gain": cuts.gain * cuts.weight,
        "admissible": cuts.admissible,
        "boundary": cuts.boundary,
    }
    if data.weights is not None:
        columns |= {"weight_left": cuts.weight_left, "weight_right": cuts.weight_right}
    if CRITERIA[rules.criterion].measure is not None:
        columns[rules.criterion] = cuts.score
    # Copies, which the caller may change: the arrays of candidates are read-only.
    copies = {
        k: part.copy() if isinstance(part, np.ndarray) else part for k, part in columns.items()
    }
    return pd.DataFrame(copies, copy=False)
