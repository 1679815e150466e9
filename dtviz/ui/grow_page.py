"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dtviz import explain
from dtviz.criteria import CRITERIA
from dtviz.data import DataError
from dtviz.datasets import GALLERY
from dtviz.figures import stage, tree_dot
from dtviz.figures.graph import levels_drawn
from dtviz.figures.stage import View, caption, pinned
from dtviz.search import Candidates, best_features
from dtviz.session import look_at, split_here
from dtviz.text import clean, count, markdown
from dtviz.trace import node_candidates
from dtviz.tree import height, preorder
from dtviz.ui import controls, state
from dtviz.ui.controls import CHART, sentence
from dtviz.ui.panels import panels, picked_point
from dtviz.ui.state import Screen
from dtviz.words import cut_text, leaf_rules, rule_text, stop_reason, value_text

MOST_NODES = 400


def show() -> None:
    """Draw the page."""
    try:
        screen = state.open_screen("grow")
    except DataError as error:
        controls.show_error(error)
        return
    controls.show_problems(screen.problems)
    cuts = node_candidates(screen.data, screen.session.rules, screen.tree, screen.node)
    chosen = _chosen(screen, cuts)
    _head(screen)
    _why(screen, cuts, chosen)
    left, right = st.columns([11, 9], gap="medium")
    with left:
        _stage(screen, cuts, chosen)
    with right:
        _tree(screen)
    panels(screen, cuts, chosen)
    controls.show_notes(screen)
    state.close_screen(screen)


def _chosen(screen: Screen, cuts: Candidates) -> int | None:
    """The index of the cut that is looked at: the one chosen, the node's own, else the best."""
    for split in (screen.session.cut, screen.tree.splits.get(screen.node)):
        if split is not None and (found := cuts.find(split)) is not None:
            return found
    return cuts.best


def _head(screen: Screen) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
        st.markdown(f"**{_title(screen)}**", width="content")
        controls.time_line(screen)
        controls.settings(screen)
        _focus_box(screen)


def _title(screen: Screen) -> str:
    """What the data is called."""
    recipe = screen.session.recipe
    if recipe.name == "file":
        return markdown(str(recipe.get("file")))
    return markdown(GALLERY[recipe.name].title)


def _focus_box(screen: Screen) -> None:
    """Choose the node that is looked at."""
    nodes = sorted(screen.tree.nodes, key=preorder)[:MOST_NODES]
    if screen.node not in nodes:
        nodes.append(screen.node)
    st.session_state["focus_box"] = screen.node
    following = state.next_node(screen.session, screen.tree, screen.future)
    names = {node: _node_name(screen, node, following) for node in nodes}
    st.selectbox(
        "Node",
        nodes,
        key="focus_box",
        format_func=lambda node: names[node],
        label_visibility="collapsed",
        width=270,
        on_change=_focus_chosen,
    )


def _focus_chosen() -> None:
    node = int(st.session_state["focus_box"])
    state.act(lambda session, future: look_at(session, node))


def _node_name(screen: Screen, node: int, following: int | None) -> str:
    if node in screen.tree.splits:
        return f"Node {node}: {rule_text(screen.data, screen.tree, node)}"
    value = value_text(screen.data, screen.tree.nodes[node])
    if node == following:
        return f"Node {node}: next to split"
    return f"Node {node}: {'open' if not screen.decisions[node].stop else 'leaf'}, {value}"


def _why(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    """The sentence, and the button that makes the cut."""
    split = cuts.split(chosen) if chosen is not None else None
    text = explain.why(screen.data, screen.session.rules, cuts, split)
    reason = _stop_words(screen).get(screen.node, "")
    if screen.session.focus is None and screen.session.log and _finished(screen):
        text = f"Every leaf has stopped. The first split: {text}"
    where = "Root" if screen.node == 1 else f"Node {screen.node}"
    if reason:
        text = f"This leaf stops: {reason}. {text}"
    with st.container(horizontal=True, vertical_alignment="center", key="why"):
        st.markdown(f"**{where}.** {sentence(text)}", width="stretch")
        has = screen.tree.splits.get(screen.node)
        st.button(
            "Split here" if has is None else "Split here instead",
            key="split_here",
            icon=":material/call_split:",
            help="Make the cut that is marked, best or not; the tree goes on from yours",
            disabled=split is None or split == has,
            on_click=_split_here,
            args=(screen.tree, screen.node, split),
        )


def _finished(screen: Screen) -> bool:
    return all(decision.stop for decision in screen.decisions.values())


def _split_here(tree: Any, node: int, split: Any) -> None:
    state.act(lambda session, future: split_here(session, tree, node, split))


def _stage(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    rules = screen.session.rules
    axes = _axes(screen)
    view = View(
        focus=screen.node,
        cuts=cuts,
        cut=chosen,
        axes=axes,
        measure=explain.measure_name(rules),
        unit=explain.unit_of(rules),
        theme=state.theme(),
        slice_at=pinned(screen.data),
    )
    figure = stage(screen.data, screen.tree, view)
    figure.update_layout(height=470)
    name = f"stage{st.session_state.setdefault('picks', 0)}"
    st.plotly_chart(
        figure,
        key=name,
        config=CHART,
        theme=None,
        on_select=lambda: picked_point(name, screen.node, cuts),
        selection_mode="points",
        alt=f"Points, regions and the gain of {count(len(cuts), 'cut')} of node {screen.node}",
    )
    words = caption(screen.data, axes)
    if chosen is not None and cuts.feature[chosen] not in axes:
        words = (
            f"The cut {cut_text(screen.data, cuts, chosen)} is on no axis: see All gains. {words}"
        )
    if words:
        st.caption(sentence(words))
    if len(screen.data.features) > 2:
        _axes_boxes(screen, axes)


def _axes(screen: Screen) -> tuple[int, int]:
    """The features on the axes: those chosen, else the two with the best cuts at the root."""
    if screen.session.axes is not None:
        return screen.session.axes
    return best_features(screen.data, CRITERIA[screen.session.rules.criterion])


def _axes_boxes(screen: Screen, axes: tuple[int, int]) -> None:
    names = {f: clean(name) for f, name in enumerate(screen.data.features)}
    with st.container(horizontal=True):
        for place, label in ((0, "Across"), (1, "Up")):
            st.session_state[f"axis{place}"] = axes[place]
            st.selectbox(
                label,
                list(names),
                key=f"axis{place}",
                format_func=lambda f: names[f],
                on_change=_axis_chosen,
                args=(place, axes),
                width=210,
            )


def _axis_chosen(place: int, axes: tuple[int, int]) -> None:
    chosen = int(st.session_state[f"axis{place}"])
    other = axes[1 - place]
    if chosen == other:
        other = axes[place]
    pair = (chosen, other) if place == 0 else (other, chosen)
    state.act(lambda session, future: replace(session, axes=pair))


def _stop_words(screen: Screen) -> dict[int, str]:
    """The words under each leaf: why it stops, '' where it is open."""
    rules = screen.session.rules
    return {
        leaf: stop_reason(screen.data, rules, screen.tree.nodes[leaf], decision.stop)
        for leaf, decision in screen.decisions.items()
    }


def _tree(screen: Screen) -> None:
    following = state.next_node(screen.session, screen.tree, screen.future)
    text = tree_dot(
        screen.data,
        screen.session.rules,
        screen.tree,
        _stop_words(screen),
        focus=screen.node,
        next_node=following,
        theme=state.theme(),
    )
    leaves = len(screen.tree.rows)
    st.graphviz_chart(text, width="content", alt=_tree_alt(screen))
    words = f"{count(leaves, 'leaf').replace('leafs', 'leaves')}, height {height(screen.tree)}"
    levels = levels_drawn(screen.tree)
    if levels is not None:
        words += f"; a large tree: drawn down to depth {levels}"
    st.caption(words)


def _tree_alt(screen: Screen) -> str:
    rules = [str(rule) for rule in leaf_rules(screen.data, screen.tree, most=20)]
    return "Decision tree. " + "; ".join(rules)
