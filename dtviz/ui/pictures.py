"""The stage and the tree on Grow, and what a click, a drag or a key on them does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.search import Candidates, best_features
from dtviz.engine.tree import height
from dtviz.figures.cuts import View
from dtviz.figures.graph import tree_frame
from dtviz.figures.kinds import Scene, Shown, TreeFrame
from dtviz.figures.scene import caption, cloud, pinned, scene
from dtviz.say import explain
from dtviz.say.words import cut_text, stop_reason
from dtviz.screen.session import forward, look_at
from dtviz.text import count
from dtviz.trace import node_candidates
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.state import Screen
from dtviz.ui.view import view

MOST_DIGITS = 600
MOST_AHEAD = 1_000  # nodes: of a larger tree a frame is too much to send twice


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """The candidates of the focus, which of them is looked at, and the features on the axes.

    While `asking` no cut is, and nothing may tell how good one would be.
    """

    cuts: Candidates
    cut: int | None
    axes: tuple[int, int]
    asking: bool


def draw_stage(screen: Screen, look: Look, said: str) -> None:
    """The stage with the cuts of the focus; `said` is spoken to those who listen."""
    axes = look.axes
    name = state.cloud_name(screen.session.recipe, axes)
    with st.container(key="cloud"):
        view("cloud", "points", cloud(screen.data, axes, name))
    frame: Scene = {**_stage_frame(screen, look), "say": said}
    view("stage", "stage", frame, lambda event: _stage_did(screen, look.cuts, frame, event))
    words = caption(screen.data, look.cuts, axes)
    if look.cut is not None and look.cuts.axis(look.cut) not in axes:
        cut = cut_text(screen.data, look.cuts, look.cut)
        words = f"The cut {cut} is on neither axis chosen. {words}"
    if words:
        st.caption(sentence(words))


def draw_tree(screen: Screen) -> None:
    """The tree; a click or Enter makes a node the focus."""
    view("tree", "tree", _tree_frame(screen), lambda event: _tree_did(screen, event))
    st.caption(f"{count(len(screen.tree.rows), 'leaf')}, height {height(screen.tree)}")


def draw_ahead(screen: Screen) -> None:
    """The frames of the next step, so that it is on screen as soon as it is asked for.

    Not while asking first: they would tell which cut wins.
    """
    if len(screen.session.log) >= screen.total or len(screen.tree.nodes) > MOST_AHEAD:
        return
    following = state.screen_of(forward(screen.session, screen.future))
    with st.container(key="ahead"):
        stage = _stage_frame(following, look_of(following))
        view("ahead", "ahead_stage", {"of": "stage", **stage})
        view("ahead", "ahead_tree", {"of": "tree", **_tree_frame(following)})


def look_of(screen: Screen) -> Look:
    """What is looked at in the focus: its candidates, and the cut chosen, its own, or the best."""
    session = screen.session
    cuts = node_candidates(screen.data, session.rules, screen.tree, screen.node)
    own, made = (
        None if split is None else cuts.find(split)
        for split in (session.cut, screen.tree.splits.get(screen.node))
    )
    asking = session.ask and own is None and is_open(screen, screen.node) and cuts.best is not None
    cut = None if asking else next((at for at in (own, made) if at is not None), cuts.best)
    return Look(cuts, cut, _axes(screen, None if cut is None else cuts.axis(cut)), asking)


def is_open(screen: Screen, node: int) -> bool:
    """Whether a node is a leaf that no rule stops."""
    return node in screen.decisions and not screen.decisions[node].stop


def view_of(screen: Screen, look: Look) -> View:
    """What of the tree the stage shows."""
    rules = screen.session.rules
    return View(
        focus=screen.node,
        cuts=look.cuts,
        cut=look.cut,
        axes=look.axes,
        measure=explain.measure_name(rules),
        unit=explain.unit_of(rules),
        impurity=explain.impurity_name(rules),
        theme=state.theme(),
        pinned=pinned(screen.data),
        asking=look.asking or "gains" in screen.session.hidden,
    )


def _stage_frame(screen: Screen, look: Look) -> Shown:
    hidden, shown = screen.session.hidden, view_of(screen, look)
    name = state.cloud_name(screen.session.recipe, shown.axes)
    return {
        **scene(screen.data, screen.tree, shown, name),
        "stamp": screen.stamp,
        "gains": "gains" not in hidden,
        "can": {"cut": not {"gains", "split"} & {*hidden}, "focus": "focus" not in hidden},
    }


def _tree_frame(screen: Screen) -> TreeFrame:
    frame = tree_frame(
        screen.data,
        screen.session.rules,
        screen.tree,
        {leaf: stop_word(screen, leaf) for leaf in screen.decisions},
        focus=screen.node,
        next_node=state.next_node(screen.session, screen.tree, screen.future),
        theme=state.theme(),
    )
    return frame | {"stamp": screen.stamp}


def _axes(screen: Screen, feature: int | None) -> tuple[int, int]:
    """The features on the axes: those chosen, else the two with the best cuts at the root.

    Where the feature of the cut looked at is not among these two, it takes the second place.
    """
    if screen.session.axes is not None:
        return screen.session.axes
    axes = best_features(screen.data, CRITERIA[screen.session.rules.criterion])
    return axes if feature is None or feature in axes else (axes[0], feature)


def stop_word(screen: Screen, leaf: int) -> str:
    """Why a leaf stops, in words; '' where it is open."""
    known, stop = screen.tree.nodes[leaf], screen.decisions[leaf].stop
    return stop_reason(screen.data, screen.session.rules, known, stop)


def _stage_did(screen: Screen, cuts: Candidates, frame: Scene, event: Mapping[str, Any]) -> None:
    match event:
        case {"what": "cut", "stamp": stamp, "index": int(index)}:
            if stamp == frame["stamp"] and frame["can"]["cut"] and 0 <= index < len(cuts):
                split = cuts.split(index)
                state.act(lambda session, future: look_at(session, screen.node, split))
        case _:
            _tree_did(screen, event)


def _tree_did(screen: Screen, event: Mapping[str, Any]) -> None:
    match event:
        case {"what": "focus", "node": str(text)} if "focus" not in screen.session.hidden:
            node = int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else 0
            if node in screen.tree.nodes:
                state.act(lambda session, future: look_at(session, node))
