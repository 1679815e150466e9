"""The panels under the cockpit: pruning, grid search, learning curve, spread, greedy's limit."""

from __future__ import annotations

import streamlit as st

from dtviz.ui.greedy_panel import greedy_limit
from dtviz.ui.judge import Judged
from dtviz.ui.pruning_panel import pruning
from dtviz.ui.state import Screen
from dtviz.ui.trees_panels import bias_and_variance, grid_search, learning_curve


def panels(screen: Screen, found: Judged) -> None:
    """Draw the panels as tabs; only the one that is open is worked out."""
    draw = {
        "Pruning": pruning,
        "Grid search": grid_search,
        "Learning curve": learning_curve,
        "Bias and variance": bias_and_variance,
        "Greedy's limit": greedy_limit,
    }
    names = [*draw]
    for name, tab in zip(names, st.tabs(names, key="panels", on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                draw[name](screen, found)
