"""The sentence over the pictures of Grow: why this split, what a cut is worth, or the question."""

from __future__ import annotations

import numpy as np

from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Collapse
from dtviz.evaluate.curves import best, mean_and_error, one_standard_error, value_text
from dtviz.evaluate.metrics import score_by, sureness
from dtviz.evaluate.stability import WAYS, Shake, Shaken, out_of, room, trees_of
from dtviz.explain import why as explain
from dtviz.explain.words import cheaper_text, cut_text, rule_value_text
from dtviz.session.overfit import Judged, folds_name
from dtviz.session.screen import Screen

NO_CUT = "pure", "constant", "min_samples_leaf", "min_weight_fraction_leaf", "above_zero"
"""The reasons of a leaf beside which it is not said that there is no cut to make."""


def where(screen: Screen) -> str:
    """The node that is looked at."""
    return "Root" if screen.node == 1 else f"Node {screen.node}"


def why(screen: Screen) -> str:
    """Why this split, what the chosen cut is worth, or the question."""
    session, look = screen.session, screen.look
    split = None if look.cut is None else look.cuts.split(look.cut)
    if look.asking:
        return (
            "Where would you cut? Move along the dots and click one: the gains show once you have."
        )
    if session.ask and session.cut is not None and screen.is_open(screen.node):
        return explain.answer(screen.problem, look.cuts, session.cut)
    pruned = screen.next_move == Collapse(screen.node)
    if session.rules.ccp_alpha and pruned and session.cut is None:
        return explain.why_pruned(session.rules, screen.tree, screen.node)
    if "gains" in session.hidden:
        return f"{cut_text(screen.data, look.cuts, look.cut)}." if look.cut is not None else ""
    decision = screen.decisions.get(screen.node)
    text = explain.why(screen.problem, look.cuts, split)
    finished = all(one.stop for one in screen.decisions.values())
    if session.focus is None and session.log and finished:
        text = f"Every leaf has stopped. The first split: {text}"
    if decision is None:
        return text
    if split is None and look.cuts.best is None and decision.stop in NO_CUT:
        text = ""
    reason = screen.stop_word(screen.node)
    cheaper = cheaper_text(screen.data, screen.tree.nodes[screen.node])
    said = (f"This leaf stops: {reason}." if reason else "", cheaper and f"{cheaper}.", text)
    return " ".join(filter(None, said))


def summary(data: Dataset, shake: Shake, found: Shaken) -> str:
    """How many trees are the full one, how many others there are, how often roots change."""
    trees = len(found.seen)
    same = int((found.alike[1:] == found.alike[0]).sum())
    others = len({*found.alike[1:].tolist()} - {int(found.alike[0])})
    root = int((found.roots[1:] != found.roots[0]).sum())
    said = f"{_grown(data, shake, trees)}: {_some(same, trees)} make the cuts of the full tree"
    if others:
        said += (
            f"; the others are {others:,} different trees"
            if others > 1
            else "; the others are one tree"
        )
    said += f". The first cut is another in {_some(root, trees)}. {_agreement(data, found)}"
    return said


def _grown(data: Dataset, shake: Shake, trees: int) -> str:
    way = WAYS[shake.way]
    if way.each:
        return f"{count(trees, 'tree')}, each without one row"
    if way.percent:
        return f"{count(trees, 'tree')}, each without {count(out_of(data.n, shake), 'row')}"
    return f"{count(trees, 'tree')}, each on {data.n:,} rows drawn again and again"


def _some(some: int, whole: int) -> str:
    return {0: "none", whole: "all"}.get(some, f"{some:,}")


def _agreement(data: Dataset, found: Shaken) -> str:
    """How far the trees agree with the full one, on average."""
    rows, plane = float(np.mean(found.moved)), float(np.mean(found.seen))
    if not data.classes:
        return (
            f"On average a tree predicts {number(rows, 3)} otherwise at the rows and "
            f"{number(plane, 3)} over the picture."
        )
    return (
        f"On average a tree agrees with the full one on all but {number(100 * rows, 3)} % of the "
        f"rows and {number(100 * plane, 3)} % of the picture."
    )


def bounds(data: Dataset, rules: Rules, shake: Shake, found: Shaken, drawn: int) -> str:
    """What is left out where there are very many rows or cuts; '' where nothing is."""
    trees, way, said = len(found.seen), WAYS[shake.way], list[str]()
    rows = f"all trees together have room for {room(data, rules):,} rows"
    if way.each and trees < data.n:
        said.append(
            f"Of {data.n:,} rows {trees:,} are left out in turn, drawn by the seed: {rows}."
        )
    if way.drawn and trees_of(data, rules, shake) < shake.trees:
        said.append(f"{trees:,} trees instead of {shake.trees:,}: {rows}.")
    if drawn < trees:
        said.append(f"The {drawn:,} trees that change most can be looked at; all {trees:,} count.")
    return " ".join(said)


def verdict(screen: Screen) -> str:
    """What the error does from the training rows to the others, and what the folds favour."""
    found, along, folded = screen.judged, screen.along(), screen.folded()
    said = _gap(found)
    if along is None or folded is None:
        return said
    mean, error = mean_and_error(folded)
    axis = along.axis
    low, simple = best(axis, mean), one_standard_error(axis, mean, error)
    least = rule_value_text(axis.rule, along.values[low], value_text).lower()
    said += f" The {folds_name(found)} is least with {least} (★)"
    if low == simple:
        return f"{said}; no simpler tree is within one standard error."
    return (
        f"{said}; the simplest within one standard error is {value_text(along.values[simple])} (◆)."
    )


def _sure(found: Judged, where: str) -> str:
    """How sure the leaves are, and how right that is, where they tell shares of classes."""
    if found.tree.leaf_model.proba is None or found.held is None:
        return ""
    both = (sureness(rows, found.tree) for rows in (found.training, found.held))
    pairs = zip(("Log loss", "Brier score"), *both, strict=True)
    said = (f"{name} {number(own, 3)}, {number(held, 3)} {where}" for name, own, held in pairs)
    return f" {'; '.join(said)}."


def _gap(found: Judged) -> str:
    training, held = found.errors
    leaves = count(int(found.stays.sum()) + 1, "leaf")
    if found.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    score = score_by(found.data)
    where = "held out" if found.role is None else f"on the {found.held_words}"
    said = f"{leaves}: {score.said.format(score.text(training))}, {score.text(held)} {where}."
    said += _sure(found, where)
    if found.test is None or found.final is None:
        return said
    rows = count(found.test.n, "test row")
    return f"{said} On the {rows}, which choose nothing: {score.text(found.final)}."
