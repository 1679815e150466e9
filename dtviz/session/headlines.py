"""Headlines: the sentences over the pictures of Grow, Stability and Overfit."""

from __future__ import annotations

import numpy as np

from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Collapse
from dtviz.evaluate import curves
from dtviz.evaluate.metrics import data_score, share_losses
from dtviz.evaluate.stability import (
    ROW_SAMPLINGS,
    StabilitySettings,
    StabilityTrees,
    max_rows_together,
    n_left_out,
    n_trees_of,
    root_key,
)
from dtviz.explain.why import judgement, why, why_pruned
from dtviz.explain.words import candidate_text, cost_note, rule_value_text
from dtviz.session.overfit import JudgedTree, folds_name
from dtviz.session.screen import Screen

STOPS_WITHOUT_SPLIT = (
    "pure",
    "constant",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "above_zero",
)
"""Stops of a leaf that imply that it has no split: the headline then does not say so again."""


def node_title(screen: Screen) -> str:
    """Return the title of the node that Grow looks at."""
    return "Root" if screen.node == 1 else f"Node {screen.node}"


def grow_headline(screen: Screen) -> str:
    """Return the headline of Grow: the reason of a split, the gain of a choice, or a question."""
    session, view = screen.session, screen.node_view
    split = None if view.index is None else view.candidates.split(view.index)
    if view.is_asking:
        return (
            "Where would you cut? Move along the dots and click one: the gains show once you have."
        )
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
    sentences = (stop_text, cheaper and f"{cheaper}.", text)
    return " ".join(filter(None, sentences))


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def stability_headline(data: Dataset, shake: StabilitySettings, shaken: StabilityTrees) -> str:
    """Return the headline of Stability: trees equal to the full one, other trees, other roots."""
    n_trees = len(shaken.changes_over_places)
    # The first id is that of the full tree, and of its root's split.
    n_equal = int((shaken.tree_ids[1:] == shaken.tree_ids[0]).sum())
    n_different = len({*shaken.tree_ids[1:].tolist()} - {int(shaken.tree_ids[0])})
    text = f"{_trees_text(data, shake, n_trees)}: "
    text += f"{_count_text(n_equal, n_trees)} make the cuts of the full tree"
    if n_different > 1:
        text += f"; {'the others' if n_equal else 'they'} are {n_different:,} different trees"
    elif n_different:
        text += "; the others are one tree" if n_equal else "; all are one other tree"
    return f"{text}. {_first_cuts_text(shaken)}. {_agreement_text(data, shaken)}"


def _first_cuts_text(shaken: StabilityTrees) -> str:
    """Say in how many trees the first cut is not that of the full tree, and on which feature."""
    full_id, other_ids = shaken.root_ids[0], shaken.root_ids[1:]
    root_ids, trees, counts = np.unique(other_ids, return_index=True, return_counts=True)
    n_others = int(counts[root_ids != full_id].sum())
    text = f"The first cut is another in {_count_text(n_others, len(other_ids))}"
    full_key, *keys = (root_key(shaken.root(tree)) for tree in (0, *(1 + trees).tolist()))
    if not n_others or None in (full_key, *keys):
        return text
    n_features = sum(n for n, key in zip(counts.tolist(), keys, strict=True) if key != full_key)
    if n_features in (0, n_others):
        return f"{text}, on {'another' if n_features else 'the same'} feature"
    return f"{text}, on another feature in {n_features:,}"


def _trees_text(data: Dataset, shake: StabilitySettings, n_trees: int) -> str:
    """Say how many trees there are, and on which rows they are grown."""
    trees, sampling = count(n_trees, "tree"), ROW_SAMPLINGS[shake.way]
    if sampling.leaves_one_out:
        return f"{trees}, each without one row"
    if sampling.has_percent:
        return f"{trees}, each without {count(n_left_out(data.n, shake), 'row')}"
    return f"{trees}, each on {data.n:,} rows drawn again and again"


def _count_text(n: int, total: int) -> str:
    return {0: "none", total: "all"}.get(n, f"{n:,}")


def _agreement_text(data: Dataset, shaken: StabilityTrees) -> str:
    """Say how far the trees agree with the full one, on average."""
    rows, plane = (
        float(np.mean(shaken.changes_over_rows)),
        float(np.mean(shaken.changes_over_places)),
    )
    if not data.classes:
        return (
            f"On average a tree predicts {number(rows, 3)} otherwise at the rows and "
            f"{number(plane, 3)} over the picture."
        )
    return (
        f"On average a tree agrees with the full one on all but {number(100 * rows, 3)} % of the "
        f"rows and {number(100 * plane, 3)} % of the picture."
    )


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
    if curve is None or folded is None:
        return text
    mean, error = curves.mean_and_error(folded)
    axis = curve.axis
    best, simplest = curves.index_of_best(axis, mean), curves.one_standard_error(axis, mean, error)
    value = rule_value_text(axis.rule, curve.values[best], curves.rule_value_label).lower()
    text += f" The {folds_name(judged)} is least with {value} (★)"
    if best == simplest:
        return f"{text}; no simpler tree is within one standard error."
    value = curves.rule_value_label(curve.values[simplest])
    return f"{text}; the simplest within one standard error is {value} (◆)."


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
    training, held = judged.errors
    leaves = count(int(judged.split_mask.sum()) + 1, "leaf")
    if judged.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    score = data_score(judged.data)
    held_text = "held out" if judged.role is None else f"on the {judged.held_text}"
    training_text = score.training_text.format(score.text(training))
    text = f"{leaves}: {training_text}, {score.text(held)} {held_text}."
    text += _probability_text(judged, held_text)
    if judged.test is None or judged.test_error is None:
        return text
    rows = count(judged.test.n, "test row")
    return f"{text} On the {rows}, which choose nothing: {score.text(judged.test_error)}."
