"""Pruning: the tree, the ways to take splits back, and the weakest-link path."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.engine.prune import path, pruned, reduced_error, weakest_links
from dtviz.engine.subtrees import kept
from dtviz.judge.axes import value_text
from dtviz.judge.curves import errors
from dtviz.judge.metrics import score_by
from dtviz.say.settings import SETTINGS
from dtviz.screen.judged import Judged
from dtviz.screen.screen import Screen
from dtviz.text import number
from dtviz.ui import state
from dtviz.ui.picked import pick_key, picked_row
from dtviz.ui.settings import choose
from dtviz.ui.view import view

MOST_LISTED = 300


def pruning(screen: Screen) -> None:
    """The tree, the ways to prune it, and the whole path."""
    left, right = st.columns([11, 9], gap="medium")
    with left:
        view("tree", state.tab().parcel("pruning", screen, state.theme()))
    with right:
        _prune_buttons(screen.judged, screen.marked)
        _path_table(screen)


def _prune_buttons(found: Judged, chosen: int | None) -> None:
    """The ways to prune one node or many, and the way back; each prune is a move."""
    nodes, stays = found.nodes, found.stays
    weakest = next(weakest_links(nodes, stays), None)
    better = [] if found.held is None else reduced_error(nodes, stays, found.held_lost[0])
    lossless = [nodes.ids[at] for at in better]
    with st.container(horizontal=True, key="prunes"):
        _prune(
            f"Prune node {chosen}" if chosen else "Prune a node",
            "Click a node of the tree; its split and all below it are taken back",
            [chosen] if chosen else [],
        )
        _prune(
            "Weakest link",
            f"Node {nodes.ids[weakest.place]}, alpha {number(weakest.alpha)}" if weakest else "",
            [nodes.ids[weakest.place]] if weakest else [],
        )
        _prune(
            "Held-out rows: one",
            "Reduced error: the node whose pruning lowers the held-out error most",
            lossless[:1],
        )
        if len(lossless) > 1:
            _prune(
                f"Held-out rows: all {len(lossless)}",
                "Reduced error: every node whose pruning does not raise it",
                lossless,
            )
        none = not found.prunes
        made = [move.node for move in found.prunes]
        st.button("Take one back", disabled=none, on_click=_take_back, args=(made[-1:],))
        st.button("Take all back", disabled=none, on_click=_take_back, args=(made,))
    if found.held is not None and not lossless and stays.any():
        st.caption("No node can be pruned without raising the held-out error.")


def _prune(label: str, text: str, ids: list[int]) -> None:
    st.button(
        label,
        icon=":material/content_cut:",
        help=text,
        disabled=not ids,
        on_click=state.act,
        args=("judging", "prune"),
        kwargs={"nodes": ids},
    )


def _take_back(nodes: list[int]) -> None:
    state.act("judging", "unprune", nodes=nodes)


def _path_table(screen: Screen) -> None:
    """The weakest-link path; a click on a line makes its alpha the setting."""
    found, nodes = screen.judged, screen.judged.nodes
    stays = kept(nodes, screen.session.rules)
    along = path(nodes, stays)
    at = np.unique(np.linspace(0, len(along.alphas) - 1, MOST_LISTED).round().astype(int))
    some = along.alphas[at]
    masks = pruned(nodes, stays, some[:, None])
    score = score_by(found.data)
    scale, unit = score.scale, score.unit
    columns = {
        SETTINGS["ccp_alpha"].words: [value_text(alpha) for alpha in some.tolist()],
        "leaves": along.leaves[at],
        "impurity": along.impurities[at],
        f"training error{unit}": scale * errors(nodes, masks, found.training),
    }
    if found.held is not None:
        columns[f"held-out error{unit}"] = scale * errors(nodes, masks, found.held)
    name = pick_key("path")
    digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        key=name,
        hide_index=True,
        on_select=lambda: _alpha_picked(name, some.tolist()),
        selection_mode="single-row",
        height=min(38 + 35 * len(some), 390),
        column_config=dict.fromkeys(columns, digits),
        alt="The weakest-link path: alpha, leaves, impurity and errors",
    )
    if len(some) < len(along.alphas):
        st.caption(f"{len(some)} of {len(along.alphas):,} alphas, evenly chosen.")


def _alpha_picked(name: str, alphas: list[float]) -> None:
    alpha = picked_row(name, alphas)
    if alpha is not None:
        choose(ccp_alpha=alpha)
