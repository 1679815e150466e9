"""Headlines: the sentences over the pictures of Grow, Stability and Overfit."""

from __future__ import annotations

import numpy as np

from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset
from dtviz.data.train_test import choosing_role
from dtviz.engine.chance import SHUFFLES, cells_of_shuffle
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, without_stop_rules
from dtviz.engine.splits import Split
from dtviz.engine.splits.split import features_of
from dtviz.engine.tree import Collapse, Tree, predict
from dtviz.evaluate import curves
from dtviz.evaluate.measures import ERROR
from dtviz.evaluate.metrics import data_score, replay_on, share_losses
from dtviz.evaluate.stability import (
    ROW_SAMPLINGS,
    StabilitySettings,
    StabilityTrees,
    max_rows_together,
    n_left_out,
    n_trees_of,
    root_key,
)
from dtviz.explain import words
from dtviz.explain.why import chance_text, judgement, why, why_pruned
from dtviz.explain.words import candidate_text, cost_note, rule_value_text
from dtviz.models.model import node_chance
from dtviz.session.overfit import JudgedTree, split_rows, work_key
from dtviz.session.screen import Screen
from dtviz.session.session import BRANCH_RUNS, LEAVE_ONE_OUT, runs_of

STOPS_WITHOUT_SPLIT = (
    "pure",
    "constant",
    "many_branches",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "above_zero",
)
"""Stops of a leaf that imply that it has no split: the headline then does not say so again."""


def node_title(screen: Screen) -> str:
    """Return the title of the node that Grow looks at."""
    return words.node_title(screen.data, screen.tree, screen.node)


def grow_headline(screen: Screen) -> str:
    """Return the headline of Grow: the reason of a split, the gain of a choice, or a question."""
    session, view = screen.session, screen.node_view
    split = None if view.index is None else view.candidates.split(view.index)
    if view.is_asking:
        return "Where would you cut? The gains show once you have chosen."
    if session.ask and session.cut is not None and screen.is_open(screen.node):
        return judgement(screen.problem, view.candidates, session.cut)
    is_pruned_next = screen.next_move == Collapse(screen.node)
    if session.rules.ccp_alpha and is_pruned_next and session.cut is None:
        return why_pruned(session.rules, screen.tree, screen.node)
    if "gains" in session.hidden:
        return (
            f"{candidate_text(screen.data, view.candidates, view.index)}."
            if view.index is not None
            else ""
        )
    decision = screen.decisions.get(screen.node)
    text = why(screen.problem, view.candidates, split)
    has_stopped = all(decision.stop for decision in screen.decisions.values())
    if session.focus is None and session.log and has_stopped:
        text = f"Every leaf has stopped. The first split: {text}"
    if decision is None:
        return text
    if split is None and view.candidates.best is None and decision.stop in STOPS_WITHOUT_SPLIT:
        text = ""
    reason = screen.stop_text(screen.node)
    is_rival = view.index is not None and not view.candidates.tied[view.index]
    if decision.stop == "pure" and not is_rival:
        return f"{_capitalised(reason)}. No cut can gain anything."
    cheaper = cost_note(screen.data, screen.tree.nodes[screen.node])
    if ": " in reason:
        stop_text = f"This leaf stops. {_capitalised(reason)}."
    else:
        stop_text = f"This leaf stops: {reason}." if reason else ""
    best = view.candidates.best
    winner = view.candidates.split(best) if split is None and best is not None else split
    sentences = (stop_text, cheaper and f"{cheaper}.", text, _leak_text(screen.data, winner))
    return " ".join(filter(None, sentences))


MAX_SHUFFLED_CELLS = 1_500_000
"""Rough work of all shuffles of a node up to which they take less than a tenth of a second."""
MAX_TESTED_CELLS = 500_000
"""Rows times lines up to which the best cut of a node is tested so fast too."""
PROPOSAL_FACTOR = 6
"""Factor by which shuffles take longer than `relative_work` says where nodes propose lines."""


def chance_line(screen: Screen) -> str:
    """Return the sentence on the chance of a cut as good as the one looked at.

    '' where that is no best cut or cannot gain anything, where a link hides gains, and for nodes of
    very many rows. Nodes of many rows have no shuffles.
    """
    view, problem, cuts = screen.node_view, screen.problem, screen.node_view.candidates
    is_best = view.index is not None and bool(cuts.tied[view.index]) and cuts.can_gain
    if not is_best or "gains" in screen.session.hidden or screen.data.source is not None:
        return ""
    cells = cells_of_shuffle(problem, screen.tree.nodes[screen.node].n)
    work = cells * SHUFFLES * (PROPOSAL_FACTOR if problem.nodes_propose else 1)
    shuffles = SHUFFLES if work <= MAX_SHUFFLED_CELLS else 0
    if cells > MAX_TESTED_CELLS or (problem.nodes_propose and not shuffles):
        return ""
    session, rules = screen.session, without_stop_rules(screen.session.rules)
    chance = screen.cache.get(
        ("chance", session.recipe, rules, session.log, screen.node),
        lambda: node_chance(problem, screen.tree, screen.node, shuffles),
    )
    return "" if chance is None else chance_text(chance, problem.rules.max_p_value < 1)


def _leak_text(data: Dataset, split: Split | None) -> str:
    """Return the sentence on a column that may be known only once the target is; '' for none."""
    leaks = {note.column: note.text for note in data.notes if note.kind == "leak"}
    if split is None or not leaks:
        return ""
    names = [data.features[f] for f in features_of(split.projection)]
    return " ".join(f"{name}: {leaks[name]}" for name in names if name in leaks)


MAX_ROWS_JUDGED = 20_000
"""Number of rows up to which each step of a tree is judged on rows held out."""
MAX_MOVES_JUDGED = 50
"""Number of moves up to which it is: they are made anew on the other rows."""


def worth_text(screen: Screen) -> str:
    """Return how often the tree of Grow is right: '144 of 150 right; held out 43 of 45'.

    The same moves, made on the rows that Overfit does not hold out, are judged on those that it
    holds out; validation or test rows of the data are judged by the tree itself.
    """
    data, tree = screen.data, screen.tree
    if data.source is not None:  # the rows in memory are a sample of those counted
        leaves = [tree.nodes[leaf] for leaf in tree.rows]
        right = sum(leaf.counts[int(leaf.value)] for leaf in leaves if leaf.counts)
        return f"{right:,} of {data.n_grown:,} right" if data.classes else ""
    texts = [_rightness_text(data, data, tree)]
    if data.n <= MAX_ROWS_JUDGED and len(screen.session.log) <= MAX_MOVES_JUDGED:
        texts += _held_out_texts(screen)
    return "; ".join(texts)


def _held_out_texts(screen: Screen) -> list[str]:
    """Return how often the tree is right on rows that it was not grown on, if there are any."""
    session, data = screen.session, screen.data
    if (role := choosing_role(data)) is not None:
        return [f"{role} {_rightness_text(getattr(data, role), data, screen.tree, is_short=True)}"]
    pieces = runs_of(session.rules, session.log, screen.future, BRANCH_RUNS)

    def judge() -> list[str]:
        rows = split_rows(session, data, screen.cache)
        if rows.held is None:
            return []
        tree = replay_on(Problem(rows.training, session.rules), pieces)
        return [f"held out {_rightness_text(rows.held, rows.training, tree, is_short=True)}"]

    return screen.cache.get(work_key("worth", session, session.rules, pieces), judge)


def _rightness_text(data: Dataset, training: Dataset, tree: Tree, is_short: bool = False) -> str:
    """Return how many rows of the data are predicted right, or how far off the tree is."""
    predicted = predict(tree, data.columns)
    if data.classes:
        right = int((predicted == data.y).sum())
        return f"{right:,} of {data.n:,}" + ("" if is_short else " right")
    error, one_leaf = (
        float(np.average(np.abs(data.y - values), weights=data.weights))
        for values in (predicted, np.average(training.y, weights=training.weights))
    )
    if is_short:
        return number(error)
    return f"off by {number(error)} on average ({number(one_leaf)} with one leaf)"


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def stability_headline(data: Dataset, shake: StabilitySettings, shaken: StabilityTrees) -> str:
    """Return the headline of Stability: how often the tree, and its first cut, stay the same."""
    n_trees = len(shaken.changes_over_places)
    # The first id is that of the full tree.
    is_equal = shaken.tree_ids[1:] == shaken.tree_ids[0]
    n_equal = int(is_equal.sum())
    changes = np.maximum(shaken.changes_over_rows, shaken.changes_over_places)
    subject = "all cuts" if changes[is_equal].any() else "the tree"
    times = _times_text(n_equal, n_trees).capitalize()
    text = f"{times} {subject} stayed the same" if n_equal else "The tree never stayed the same"
    if n_equal < n_trees:
        text += f"; {_first_cuts_text(shaken)}"
    sentences = (_samples_text(data, shake, n_trees), f"{text}.", _changes_text(data, shaken))
    return " ".join(filter(None, sentences))


def _first_cuts_text(shaken: StabilityTrees) -> str:
    """Say how often the first cut is not that of the full tree, and how often on which feature."""
    full_id, other_ids = shaken.root_ids[0], shaken.root_ids[1:]
    root_ids, trees, counts = np.unique(other_ids, return_index=True, return_counts=True)
    n_others = int(counts[root_ids != full_id].sum())
    if not n_others:
        return "the first cut never changed"
    text = f"{_times_text(n_others, len(other_ids))} even the first cut changed"
    full_key, *keys = (root_key(shaken.root(tree)) for tree in (0, *(1 + trees).tolist()))
    if None in (full_key, *keys):
        return text
    n_features = sum(n for n, key in zip(counts.tolist(), keys, strict=True) if key != full_key)
    if n_features in (0, n_others):
        return text + (", to another feature" if n_features else ", on the same feature")
    return f"{text}, {_times_text(n_features, len(other_ids))} to another feature"


def _samples_text(data: Dataset, shake: StabilitySettings, n_trees: int) -> str:
    """Say on which rows the trees are grown."""
    sampling, rows = ROW_SAMPLINGS[shake.way], count(data.n, "row")
    if sampling.leaves_one_out and n_trees == data.n:
        return f"We left out each of the {rows} in turn."
    if sampling.leaves_one_out:
        return f"We left out {n_trees:,} of the {rows} in turn."
    times = _times_text(n_trees, 0)
    if sampling.has_percent:
        return f"We left out {n_left_out(data.n, shake):,} of the {rows}, {times}."
    return f"We drew {rows} again and again, {times}."


def _times_text(n: int, total: int) -> str:
    """Say how often: 'never', 'once', 'twice', '5 times', or 'every time' of several."""
    if n == total > 1:
        return "every time"
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n:,} times")


def _changes_text(data: Dataset, shaken: StabilityTrees) -> str:
    """Say how many rows a tree predicts otherwise on average; '' for less than one row."""
    rows, plane = (
        float(np.mean(shaken.changes_over_rows)),
        float(np.mean(shaken.changes_over_places)),
    )
    if not rows and not plane:
        return ""
    if not data.classes:
        return (
            f"On average the prediction moved by {number(rows, 3)} at a row, by "
            f"{number(plane, 3)} over the picture."
        )
    if data.weights is not None:
        return f"On average {number(100 * rows, 3)} % of the rows' weight got another class."
    if rows * data.n < 1:
        return ""
    return f"On average {number(rows * data.n, 2)} of {count(data.n, 'row')} got another class."


def stability_limits(
    data: Dataset, rules: Rules, shake: StabilitySettings, shaken: StabilityTrees, n_drawn: int
) -> str:
    """Say which trees are left out where there are very many rows or splits; '' for none.

    `n_drawn` is the number of trees in the picture.
    """
    n, sampling, sentences = len(shaken.changes_over_places), ROW_SAMPLINGS[shake.way], list[str]()
    reason = f"all trees together have room for {max_rows_together(data, rules):,} rows"
    if sampling.leaves_one_out and n < data.n:
        sentences.append(
            f"Of {data.n:,} rows {n:,} are left out in turn, drawn by the seed: {reason}."
        )
    if sampling.is_random and n_trees_of(data, rules, shake) < shake.trees:
        sentences.append(f"{n:,} trees instead of {shake.trees:,}: {reason}.")
    if n_drawn < n:
        sentences.append(
            f"The {n_drawn:,} trees that change most can be looked at; all {n:,} count."
        )
    return " ".join(sentences)


def overfit_headline(screen: Screen) -> str:
    """Return the headline of Overfit: errors of the tree, and the value best by the folds' mean."""
    judged, curve, folded = screen.judged, screen.curve(), screen.fold_errors()
    text = _errors_text(judged)
    if curve is None or folded is None or "curve" in screen.session.hidden:
        return text
    mean, error = curves.mean_and_error(folded)
    axis = curve.axis
    best, simplest = curves.index_of_best(axis, mean), curves.one_standard_error(axis, mean, error)
    value = rule_value_text(axis.rule, curve.values[best], curves.rule_value_label).lower()
    best_text = "Best" if judged.measure == ERROR else f"Least {judged.measure.noun}"
    text += f" {best_text} in {_folds_text(judged)}: {value} (★)."
    if best == simplest:
        return f"{text} No simpler tree is within one standard error."
    value = curves.rule_value_label(curve.values[simplest])
    return f"{text} Simplest within one standard error: {value} (◆)."


def _folds_text(judged: JudgedTree) -> str:
    folds = judged.session.judging.folds
    if folds == LEAVE_ONE_OUT:
        return "leave one out"
    return f"{min(folds, judged.training.n)} folds"


def _probability_text(judged: JudgedTree, held_text: str) -> str:
    """Return the log loss and the Brier score, where leaves predict shares of classes.

    `held_text` says which rows are held out.
    """
    if judged.tree.leaf_model.proba is None or judged.held is None:
        return ""
    values = (share_losses(rows, judged.tree) for rows in (judged.training, judged.held))
    rows = zip(("Log loss", "Brier score"), *values, strict=True)
    texts = (
        f"{name} {number(train, 3)}, {number(held, 3)} {held_text}" for name, train, held in rows
    )
    return f" {'; '.join(texts)}."


def _errors_text(judged: JudgedTree) -> str:
    if judged.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    training, held = judged.errors
    leaves = count(int(judged.split_mask.sum()) + 1, "leaf")
    score = data_score(judged.data)
    held_text = "held out" if judged.role is None else f"on the {judged.held_text}"
    if has_counts(judged.data):
        n_training, n_held = judged.training.n_grown, judged.held.n_grown
        training_text = wrong_rows_text(training, n_training, "training row")
        held_name = "held-out row" if judged.role is None else f"{judged.role} row"
        errors_text = f"{training_text}, {mistakes_text(held, n_held, held_name)}"
    else:
        training_text = score.training_text.format(score.text(training))
        errors_text = f"{training_text}, {score.text(held)} {held_text}"
        if judged.data.classes and judged.data.costs is None:
            errors_text = f"by weight {errors_text}"
    text = f"{leaves}: {errors_text}.{_probability_text(judged, held_text)}"
    if judged.test is None or judged.test_error is None:
        return text
    if has_counts(judged.data):
        test_text = wrong_rows_text(judged.test_error, judged.test.n, "test row")
        return f"{text} Kept to the end: {test_text}."
    rows = count(judged.test.n, "test row")
    return f"{text} On the {rows}, kept to the end: {score.text(judged.test_error)}."


def has_counts(data: Dataset) -> bool:
    """True if the error is a share of the number of rows, not of weights, costs or units."""
    return bool(data.classes) and data.weights is None and data.costs is None


def mistakes_text(error: float, n: int, row: str) -> str:
    """Return an error as a count: '2 of 45 held-out rows'."""
    return f"{round(error * n):,} of {count(n, row)}"


def wrong_rows_text(error: float, n: int, row: str) -> str:
    """Return an error as a count in a clause: '2 of 105 training rows are wrong'."""
    verb = "is" if 1 in (round(error * n), n) else "are"
    return f"{mistakes_text(error, n, row)} {verb} wrong"
