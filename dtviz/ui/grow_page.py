"""Grow: the tree step by step, and why each split is made."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz import explain
from dtviz.criteria import CRITERIA
from dtviz.data import DataError
from dtviz.datasets import GALLERY
from dtviz.export import KINDS, export
from dtviz.figures import gain_curves, stage, tree_dot
from dtviz.figures.graph import levels_drawn
from dtviz.figures.stage import View, caption, pinned
from dtviz.search import Candidates, best_features
from dtviz.session import look_at, split_here
from dtviz.text import clean, count, markdown, number
from dtviz.trace import node_candidates, table
from dtviz.tree import class_shares, depth, height, preorder, rows_in
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence
from dtviz.ui.state import Screen
from dtviz.words import cut_text, leaf_rules, rule_text, stop_reason, value_text

CHART: dict[str, Any] = {"displayModeBar": False, "displaylogo": False, "responsive": True}
MOST_LISTED = 300
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
    _panels(screen, cuts, chosen)
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
        on_select=lambda: _picked_point(name, screen.node, cuts),
        selection_mode="points",
        alt=f"Points, regions and the gain of {count(len(cuts), 'cut')} of node {screen.node}",
    )
    words = caption(screen.data, axes)
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


def _picked_point(name: str, node: int, cuts: Candidates) -> None:
    """A click on a gain curve chooses that cut."""
    points = st.session_state[name].selection.points
    picked = next((point.get("customdata") for point in points if "customdata" in point), None)
    if isinstance(picked, list):
        picked = picked[0] if picked else None
    _pick(node, cuts, picked)


def _pick(node: int, cuts: Candidates, index: Any) -> None:
    st.session_state["picks"] = st.session_state.get("picks", 0) + 1
    if index is not None and 0 <= int(index) < len(cuts):
        split = cuts.split(int(index))
        state.act(lambda session, future: look_at(session, node, split))


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
    rules = [str(rule) for rule in leaf_rules(screen.data, screen.tree)[:20]]
    return "Decision tree. " + "; ".join(rules)


def _panels(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    names = ["Candidates", "Arithmetic", "Algorithm", "Rules", "Export"]
    if len(screen.data.features) > 2:
        names.insert(1, "All gains")
    panels = {
        "Candidates": lambda: _table(screen, cuts, chosen),
        "All gains": lambda: _all_gains(screen, cuts, chosen),
        "Arithmetic": lambda: _arithmetic(screen, cuts, chosen),
        "Algorithm": lambda: _algorithm(screen),
        "Rules": lambda: _rules(screen),
        "Export": lambda: _export(screen, cuts),
    }
    for name, tab in zip(names, st.tabs(names, key="panels", on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                panels[name]()


def _table(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    """The candidates, the best of each feature first; a click on a row chooses its cut."""
    if len(cuts) == 0:
        st.markdown("No cut exists in this node.")
        return
    order = _best_a_feature_first(cuts)[:MOST_LISTED]
    name = f"cuts{st.session_state.setdefault('picks', 0)}-{screen.node}-{len(screen.session.log)}"
    st.dataframe(
        _listed(screen, cuts, order, chosen),
        key=name,
        hide_index=True,
        on_select=lambda: _picked_row(name, screen.node, cuts, order),
        selection_mode="single-row",
        height=min(38 + 35 * len(order), 320),
        alt="Candidate cuts of the node",
    )
    if len(cuts) > len(order):
        st.caption(f"The first {len(order)} of {len(cuts):,} cuts; Export has all of them.")


def _best_a_feature_first(cuts: Candidates) -> np.ndarray[Any, Any]:
    """Cut indices: each feature's best first, then all others, by score; ties as in the engine."""
    score = np.where(cuts.admissible, cuts.score, -1.0)
    order = np.argsort(-score, kind="stable")
    _, first = np.unique(cuts.feature[order], return_index=True)
    leads = order[np.sort(first)]
    return np.concatenate([leads, order[~np.isin(order, leads)]])


def _listed(screen: Screen, cuts: Candidates, order: Any, chosen: int | None) -> pd.DataFrame:
    rules = screen.session.rules
    best = float(cuts.score[cuts.best]) if cuts.best is not None else 0.0
    unit = explain.unit_of(rules)
    score = explain.measure_name(rules) + (f" ({unit})" if unit else "")
    marks = [_mark(cuts, int(i), chosen) for i in order]
    columns: dict[str, Any] = {
        " ": marks,
        "cut": [cut_text(screen.data, cuts, int(i)) for i in order],
        score: [_round(cuts.score[i]) for i in order],
        "% of best": [_round(100 * cuts.score[i] / best, 3) if best else 0.0 for i in order],
        "rows left": cuts.n_left[order],
        "rows right": cuts.n_right[order],
        "impurity left": [_round(cuts.impurity_left[i]) for i in order],
        "impurity right": [_round(cuts.impurity_right[i]) for i in order],
    }
    return pd.DataFrame(columns)


def _mark(cuts: Candidates, index: int, chosen: int | None) -> str:
    """What is special about a cut, as one sign."""
    shown = "▶ " if index == chosen else ""
    if index == cuts.best:
        return shown + "★ best"
    if cuts.tied[index] and cuts.score[index] > 0:
        return shown + "○ tie"
    if not cuts.admissible[index]:
        return shown + "too few rows"
    return shown if cuts.boundary[index] else shown + "no class boundary"


def _round(value: float, digits: int = 4) -> float:
    return float(f"{float(value):.{digits}g}")


def _picked_row(name: str, node: int, cuts: Candidates, order: Any) -> None:
    rows = st.session_state[name].selection.rows
    _pick(node, cuts, order[rows[0]] if rows else None)


def _all_gains(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    measure = explain.measure_name(screen.session.rules)
    name = f"gains{st.session_state.setdefault('picks', 0)}"
    st.plotly_chart(
        gain_curves(screen.data, cuts, chosen, measure, state.theme()),
        key=name,
        config=CHART,
        theme=None,
        on_select=lambda: _picked_point(name, screen.node, cuts),
        selection_mode="points",
        alt="The gain of every cut, one panel a feature",
    )


def _arithmetic(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    if chosen is None:
        st.markdown("There is no cut to work out.")
        return
    rows = rows_in(screen.tree, screen.node)
    st.latex(explain.cut_latex(screen.data, cuts, chosen))
    lines = explain.arithmetic(screen.data, screen.session.rules, cuts, chosen, rows)
    body = r" \\[5pt] ".join(_aligned(line) for line in lines)
    st.latex(rf"\begin{{aligned}} \rule{{0pt}}{{1.6em}} {body} \end{{aligned}}")
    with st.expander("As LaTeX"):
        st.code("\n".join(lines), language="latex")


def _aligned(line: str) -> str:
    return line.replace(" = ", " &= ", 1)


def _algorithm(screen: Screen) -> None:
    stop = screen.decisions[screen.node].stop if screen.node in screen.decisions else ""
    lit = explain.lit_line(stop, screen.node in screen.tree.splits)
    rows = [f"{'▶' if name == lit else ' '} {line}" for name, line in explain.ALGORITHM]
    st.code("\n".join(rows), language=None)
    known = screen.tree.nodes[screen.node]
    values = [f"D = the {count(known.n, 'row')} of node {screen.node}, depth {depth(screen.node)}"]
    if known.counts:
        shares = zip(screen.data.class_names, class_shares(known), strict=True)
        some = [f"{name} {number(share, 3)}" for name, share in shares if share][:8]
        values.append("class shares " + ", ".join(some))
    values.append(
        f"impurity {number(known.impurity)} {CRITERIA[screen.session.rules.criterion].unit}"
    )
    st.caption(sentence("; ".join(values)))


def _rules(screen: Screen) -> None:
    rules = leaf_rules(screen.data, screen.tree)
    st.text("\n".join(str(rule) for rule in rules[:MOST_LISTED]))
    if len(rules) > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of {len(rules):,} rules.")


def _export(screen: Screen, cuts: Candidates) -> None:
    data, rules = screen.data, screen.session.rules
    kind = st.segmented_control("Format", KINDS, default="text", required=True, key="export_kind")
    text = export(data, rules, screen.tree, str(kind))
    endings = {"text": "txt", "python": "py", "sql": "sql", "json": "json", "dot": "dot"}
    with st.container(horizontal=True):
        st.download_button(
            "Download the tree", text, f"tree.{endings[str(kind)]}", on_click="ignore"
        )
        st.download_button(
            "Download all cuts as CSV",
            lambda: table(data, rules, cuts).to_csv(index=False),
            "candidates.csv",
            "text/csv",
            on_click="ignore",
        )
    st.code(text[:20_000], language=None if kind in ("text", "dot") else str(kind), height=320)
