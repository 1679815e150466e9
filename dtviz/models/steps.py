"""What happened at each move, with every number the screen shows; lazy, one step at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from dtviz.base.arrays import Ints
from dtviz.base.text import shown
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.grow import moves
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepared
from dtviz.engine.search.candidates import (
    Candidates,
    beside,
    cuts_a_line,
    have_room,
    leading,
    some_lines,
    top_scores,
)
from dtviz.engine.search.candidates import candidates as search
from dtviz.engine.splits import Projection, family_of, feature_of
from dtviz.engine.splitter import by_category, line_along, lines_of
from dtviz.engine.tree import Collapse, Grow, Log, LogError, Move, Tree, fold, rows_in
from dtviz.explain.why import why, why_pruned
from dtviz.explain.words import cut_text, cut_texts, line_text, rule_text
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
        """Every cut of the node that was split."""
        return node_candidates(self.problem, self.before, self.move.node)

    @property
    def table(self) -> pd.DataFrame:
        """The candidates as a table, one row a cut."""
        return table(self.problem, self.candidates)

    @property
    def why(self) -> str:
        """Why this split, or why it is taken back, in one sentence."""
        if isinstance(self.move, Collapse) and self.rules.ccp_alpha:
            return why_pruned(self.rules, self.before, self.move.node)
        chosen = self.move.split if isinstance(self.move, Grow) else None
        return why(self.problem, self.candidates, chosen)


def steps(data: Dataset, rules: Rules | None = None, log: Log = ()) -> Iterator[Step]:
    """The automatic steps after `log`, grown only as far as they are asked for."""
    data, log = data_of(data), log_of(log)
    rules = rules_of(rules, data)
    data = prepared(data, rules)
    problem = Problem(data, rules)
    tree = fold(problem, log)
    for move, after in moves(problem, tree):
        log = (*log, move)
        yield Step(data, rules, log, move, tree)
        tree = after


def candidates(
    data: Dataset, rules: Rules | None = None, log: Log = (), node: int = 1
) -> pd.DataFrame:
    """Every candidate of `node` after `log`, one row a cut, by feature then threshold.

    Columns: feature rule threshold n_left n_right impurity_left impurity_right gain weighted_gain
    admissible boundary, and weight_left weight_right where rows have weights; a criterion that
    ranks by a measure of its own adds it under its name. A cut of a category has no threshold;
    that of a date counts days (or seconds, microseconds) from 1970 on.
    Gains are in bits for entropy, in squared target units for squared_error. Raises LogError.
    """
    data = data_of(data)
    rules = rules_of(rules, data)
    data = prepared(data, rules)
    problem = Problem(data, rules)
    tree = fold(problem, log_of(log))
    return table(problem, node_candidates(problem, tree, node))


def regrets(model: Model) -> pd.DataFrame:
    """What each split of a tree gave away beside the best cut of its node, parents first.

    Columns: node depth n, split and gain of the one made, best and best_gain of the one that ranks
    highest, regret (best_gain less gain: 0 where none is better) and better, the number of
    admissible cuts that rank higher. A criterion that ranks by a measure of its own has its
    measure for gain; NaN where the split sends rows without a value as no candidate does.
    """
    data, rules, tree = model.data, model.rules_used, model.tree
    rows = []
    for node in sorted(tree.splits):
        cuts = node_candidates(Problem(data, rules), tree, node)
        at, scored = _scored(tree, rules, cuts, node)
        top = np.nan if cuts.best is None else float(cuts.score[cuts.best])
        equal = at is not None and bool(cuts.tied[at])
        rows.append(
            {
                "node": node,
                "depth": node.bit_length() - 1,
                "n": tree.nodes[node].n,
                "split": rule_text(data, tree, node),
                "gain": scored,
                "best": None if cuts.best is None else cut_text(data, cuts, cuts.best),
                "best_gain": top,
                "regret": 0.0 if equal else max(top - scored, 0.0),
                "better": 0 if equal else int((cuts.admissible & (cuts.score > scored)).sum()),
            }
        )
    return pd.DataFrame(rows)


def _scored(tree: Tree, rules: Rules, cuts: Candidates, node: int) -> tuple[int | None, float]:
    """The candidate that a node's split is, and what it scores."""
    at = cuts.find(tree.splits[node])
    if at is not None and cuts.n_left[at] == tree.nodes[2 * node].n:
        return at, float(cuts.score[at])
    if CRITERIA[rules.criterion].measure is not None:
        return None, np.nan
    whole, left, right = (tree.nodes[k] for k in (node, 2 * node, 2 * node + 1))
    below = (left.weight * left.impurity + right.weight * right.impurity) / whole.weight
    return None, whole.impurity - below


def node_candidates(
    problem: Problem, tree: Tree, node: int, some: Sequence[int] | None = None
) -> Candidates:
    """Every candidate of a node of the tree, leaf or not; raises LogError if there is none.

    With `some` features, those on others are left out.
    """
    if not isinstance(node, int) or node not in tree.nodes:
        raise LogError(f"node {shown(node)} is not in the tree; it has {sorted(tree.nodes)[:20]}")
    return searched(problem, rows_in(tree, node), some)


def with_line(
    problem: Problem, tree: Tree, node: int, cuts: Candidates, projection: Projection
) -> Candidates:
    """The candidates of a node with all cuts along a line that nobody proposed, drawn by hand."""
    if projection in cuts.projections or family_of(projection).own is None:
        return cuts
    rows, table = rows_in(tree, node), line_along(problem.data, projection)
    about = problem.criterion, problem.minimum, (projection,), problem.policy
    return beside(cuts, search(table, rows, *about))


def leading_features(problem: Problem, tree: Tree, node: int) -> tuple[int, ...] | None:
    """The features with the best cuts of a node; None where the cuts of all can be shown."""
    return leading_among(problem, rows_in(tree, node))


def leading_among(problem: Problem, rows: Ints) -> tuple[int, ...] | None:
    """The features with the best cuts of these rows; None where all candidates can be shown."""
    many, each = len(problem.data.features), cuts_a_line(problem.data, len(rows))
    if have_room(many, each):
        return None
    top = np.full(many, -np.inf)
    about = problem.criterion, problem.minimum, problem.policy
    scores = top_scores(problem.table, rows, *about).tolist()
    for projection, score in zip(problem.projections, scores, strict=True):
        if (at := feature_of(projection)) is not None:
            top[at] = max(top[at], score)
    return leading(top, each)


def race(
    problem: Problem, tree: Tree, node: int, some: Sequence[int] | None = None
) -> dict[str, Candidates]:
    """The same cuts of a node under every criterion of the task, by the criterion's name."""
    rows = rows_in(tree, node)
    return {
        name: searched(problem.with_rules(criterion=name), rows, some)
        for name in criteria_of(problem.data)
    }


def searched(
    problem: Problem,
    rows: Ints,
    some: Sequence[int] | None = None,
) -> Candidates:
    """Every candidate of these rows; of `some` features, if given."""
    projections, lines = lines_of(problem, rows)
    if some is not None:
        wanted = {None, *some}
        kept = [at for at, one in enumerate(projections) if feature_of(one) in wanted]
        projections = tuple(projections[at] for at in kept)
        lines = some_lines(lines, np.array(kept))
    about = problem.criterion, problem.minimum, projections, problem.policy
    return by_category(search(lines, rows, *about))


def table(problem: Problem, cuts: Candidates) -> pd.DataFrame:
    """The candidates as a pandas frame."""
    data, rules = problem.data, problem.rules
    lines = [line_text(data, one) for one in cuts.projections]
    columns = {
        "feature": pd.Series(lines).array.take(cuts.line),
        "rule": cut_texts(data, cuts).to_pandas(),
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
    own = {k: part.copy() if isinstance(part, np.ndarray) else part for k, part in columns.items()}
    return pd.DataFrame(own, copy=False)  # the caller's to change; candidates are read-only
