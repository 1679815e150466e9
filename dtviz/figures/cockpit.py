"""Overfit whole: its pictures, with the curve and the sliders round them, and its tree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtviz.engine.grow import status
from dtviz.engine.problem import Problem
from dtviz.engine.rules import counted
from dtviz.engine.subtrees import ends, kept
from dtviz.figures.dials import dials
from dtviz.figures.graph import tree_frame
from dtviz.figures.kinds import Cockpit, Overfit, TreeFrame
from dtviz.figures.overfit import Subtree, curve_frame, pictures_frame
from dtviz.figures.palette import Theme
from dtviz.judge.axes import value_text
from dtviz.judge.curves import Curve
from dtviz.judge.metrics import score_by
from dtviz.say.settings import told
from dtviz.say.words import stop_reason
from dtviz.screen.judged import Judged, folds_name
from dtviz.screen.screen import Screen, short_name
from dtviz.screen.verdict import verdict
from dtviz.text import count

TITLES = {None: "Held out", "validation": "Validation", "test": "Test"}
"""What the picture of the rows held out is called, by what they were given for."""


def cockpit_frame(screen: Screen, theme: Theme, cloud: str) -> Overfit:
    """The pictures over that cloud, curve and sliders; no curve while that is under way."""
    session, found, along = screen.session, screen.judged, screen.along()
    titles = (("Training", False), (TITLES[found.role], True))
    around: Cockpit = {
        "say": "" if "why" in session.hidden else verdict(screen),
        "grown": found.grown_words,
    }
    if along is not None:
        at, now = _place(found, along), _now(found)
        around["curve"] = curve_frame(along, at, now, folds_name(found), screen.folded())
    if found.held is not None:
        around["baseline"] = found.baseline
        around["one_answer"] = score_by(found.data).baseline
    if "settings" not in session.hidden:
        around["dials"] = dials(found)
    return {
        **pictures_frame(shown(screen, theme), cloud, titles),
        **around,
        "stamp": short_name(session, theme.dark),
    }


def shown(screen: Screen, theme: Theme) -> Subtree:
    """The tree of Overfit with its rows, on the features chosen or those that part best."""
    found = screen.judged
    rows = found.leaf, found.out, found.errors
    return Subtree(
        found.data, found.nodes, found.stays, *rows, screen.axes, theme, screen.session.pins
    )


def pruning_frame(screen: Screen, theme: Theme) -> TreeFrame:
    """The tree of Overfit; its leaves say why they stop."""
    found, rules, chosen = screen.judged, screen.session.rules, screen.marked
    own = kept(found.nodes, rules) & ends(found.nodes, found.stays)
    taken = frozenset(found.nodes.ids[at] for at in np.flatnonzero(own).tolist())
    tree, data = replace(found.tree, pruned=taken), found.training
    problem = Problem(data, rules)
    stops = {
        leaf: stop_reason(problem, tree.nodes[leaf], decision.stop)
        for leaf, decision in status(problem, tree).items()
    }
    frame = tree_frame(problem, tree, stops, focus=chosen or 1, theme=theme)
    return frame | {"picture": "pruning", "stamp": short_name(screen.session, chosen)}


def _place(found: Judged, along: Curve) -> int | None:
    """Where on the curve the tree on screen stands, if it does."""
    own = getattr(counted(found.session.rules, found.training.n), along.axis.rule)
    if found.prunes:
        return None
    if not along.axis.one_tree:
        return along.values.index(own) if own in along.values else None
    same = np.flatnonzero((along.stays == found.stays).all(axis=1)).tolist()
    exact = [at for at in same if along.values[at] == own]
    return next(iter(exact or same), None)


def _now(found: Judged) -> str:
    """The setting in words: 'Depth at most 3, 2 prunes'."""
    name = found.axis.rule
    rule = told(name, getattr(found.session.rules, name), value_text)
    return rule + (f", {count(len(found.prunes), 'prune')}" if found.prunes else "")
