"""The sentence over the pictures of Grow: why this split, what a cut is worth, or the question."""

from __future__ import annotations

from dtviz.engine.tree import Collapse
from dtviz.say import explain
from dtviz.say.words import cheaper_text, cut_text
from dtviz.screen.screen import Screen

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
    pruned = screen.following == Collapse(screen.node)
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
