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
)
from dtviz.explain import why as explain
from dtviz.explain.words import candidate_text, cost_note, rule_value_text
from dtviz.session.overfit import JudgedTree, folds_name
from dtviz.session.screen import Screen

NO_CUT = "pure", "constant", "min_samples_leaf", "min_weight_fraction_leaf", "above_zero"
"""Reasons of a leaf that imply that there is no split to make, so that the headline omits it."""


def node_title(screen: Screen) -> str:
    """Return the title of the node that is looked at."""
    return "Root" if screen.node == 1 else f"Node {screen.node}"


def grow_headline(screen: Screen) -> str:
    """Return the headline of Grow: the reason of a split, the gain of a choice, or a question."""
    session, look = screen.session, screen.node_view
    split = None if look.index is None else look.candidates.split(look.index)
    if look.is_asking:
        return (
            "Where would you cut? Move along the dots and click one: the gains show once you have."
        )
    if session.ask and session.cut is not None and screen.is_open(screen.node):
        return explain.judgement(screen.problem, look.candidates, session.cut)
    pruned = screen.next_move == Collapse(screen.node)
    if session.rules.ccp_alpha and pruned and session.cut is None:
        return explain.why_pruned(session.rules, screen.tree, screen.node)
    if "gains" in session.hidden:
        return (
            f"{candidate_text(screen.data, look.candidates, look.index)}."
            if look.index is not None
            else ""
        )
    decision = screen.decisions.get(screen.node)
    text = explain.why(screen.problem, look.candidates, split)
    finished = all(decision.stop for decision in screen.decisions.values())
    if session.focus is None and session.log and finished:
        text = f"Every leaf has stopped. The first split: {text}"
    if decision is None:
        return text
    if split is None and look.candidates.best is None and decision.stop in NO_CUT:
        text = ""
    reason = screen.stop_text(screen.node)
    cheaper = cost_note(screen.data, screen.tree.nodes[screen.node])
    sentences = (f"This leaf stops: {reason}." if reason else "", cheaper and f"{cheaper}.", text)
    return " ".join(filter(None, sentences))


def stability_headline(data: Dataset, shake: StabilitySettings, shaken: StabilityTrees) -> str:
    """Return the headline of Stability: trees equal to the full one, other trees, other roots."""
    trees = len(shaken.changes_over_places)
    same = int((shaken.tree_ids[1:] == shaken.tree_ids[0]).sum())
    others = len({*shaken.tree_ids[1:].tolist()} - {int(shaken.tree_ids[0])})
    root = int((shaken.root_ids[1:] != shaken.root_ids[0]).sum())
    text = f"{_grown(data, shake, trees)}: {_share(same, trees)} make the cuts of the full tree"
    if others:
        text += (
            f"; the others are {others:,} different trees"
            if others > 1
            else "; the others are one tree"
        )
    text += f". The first cut is another in {_share(root, trees)}. {_agreement(data, shaken)}"
    return text


def _grown(data: Dataset, shake: StabilitySettings, trees: int) -> str:
    draw = ROW_SAMPLINGS[shake.way]
    if draw.leaves_one_out:
        return f"{count(trees, 'tree')}, each without one row"
    if draw.has_percent:
        return f"{count(trees, 'tree')}, each without {count(n_left_out(data.n, shake), 'row')}"
    return f"{count(trees, 'tree')}, each on {data.n:,} rows drawn again and again"


def _share(n: int, total: int) -> str:
    return {0: "none", total: "all"}.get(n, f"{n:,}")


def _agreement(data: Dataset, shaken: StabilityTrees) -> str:
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
    data: Dataset, rules: Rules, shake: StabilitySettings, shaken: StabilityTrees, drawn: int
) -> str:
    """Say which trees are left out where there are very many rows or splits; '' for none.

    `drawn` is the number of trees in the picture.
    """
    trees, draw, out = len(shaken.changes_over_places), ROW_SAMPLINGS[shake.way], list[str]()
    rows = f"all trees together have room for {max_rows_together(data, rules):,} rows"
    if draw.leaves_one_out and trees < data.n:
        out.append(f"Of {data.n:,} rows {trees:,} are left out in turn, drawn by the seed: {rows}.")
    if draw.is_random and n_trees_of(data, rules, shake) < shake.trees:
        out.append(f"{trees:,} trees instead of {shake.trees:,}: {rows}.")
    if drawn < trees:
        out.append(f"The {drawn:,} trees that change most can be looked at; all {trees:,} count.")
    return " ".join(out)


def overfit_headline(screen: Screen) -> str:
    """Return the headline of Overfit: errors on training and other rows, the folds' best value."""
    judged, curve, folded = screen.judged, screen.curve(), screen.fold_errors()
    text = _errors_text(judged)
    if curve is None or folded is None:
        return text
    mean, error = curves.mean_and_error(folded)
    axis = curve.axis
    low, simple = curves.index_of_best(axis, mean), curves.one_standard_error(axis, mean, error)
    value = rule_value_text(axis.rule, curve.values[low], curves.rule_value_label).lower()
    text += f" The {folds_name(judged)} is least with {value} (★)"
    if low == simple:
        return f"{text}; no simpler tree is within one standard error."
    value = curves.rule_value_label(curve.values[simple])
    return f"{text}; the simplest within one standard error is {value} (◆)."


def _probability_text(judged: JudgedTree, where: str) -> str:
    """Return the log loss and the Brier score, where leaves predict shares of classes."""
    if judged.tree.leaf_model.proba is None or judged.held is None:
        return ""
    values = (share_losses(rows, judged.tree) for rows in (judged.training, judged.held))
    rows = zip(("Log loss", "Brier score"), *values, strict=True)
    texts = (f"{name} {number(train, 3)}, {number(held, 3)} {where}" for name, train, held in rows)
    return f" {'; '.join(texts)}."


def _errors_text(judged: JudgedTree) -> str:
    training, held = judged.errors
    leaves = count(int(judged.split_mask.sum()) + 1, "leaf")
    if judged.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    score = data_score(judged.data)
    where = "held out" if judged.role is None else f"on the {judged.held_words}"
    text = (
        f"{leaves}: {score.training_text.format(score.text(training))}, {score.text(held)} {where}."
    )
    text += _probability_text(judged, where)
    if judged.test is None or judged.test_error is None:
        return text
    rows = count(judged.test.n, "test row")
    return f"{text} On the {rows}, which choose nothing: {score.text(judged.test_error)}."
