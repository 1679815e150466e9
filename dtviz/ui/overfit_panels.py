"""The panels under the cockpit: the curve in numbers, mistakes, pruning, many trees, greed."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dtviz.judge.axes import value_text
from dtviz.judge.curves import mean_and_error
from dtviz.judge.metrics import score_by
from dtviz.say.settings import SETTINGS
from dtviz.screen.screen import Screen
from dtviz.ui.greedy_panel import greedy_limit
from dtviz.ui.mistakes_panel import mistakes
from dtviz.ui.pruning_panel import pruning
from dtviz.ui.trees_panels import bias_and_variance, grid_search, learning_curve


def panels(screen: Screen) -> None:
    """Draw the panels as tabs; only the one that is open is worked out."""
    draw: dict[str, Callable[[], None]] = {
        "Table": lambda: _table(screen),
        "Mistakes": lambda: mistakes(screen),
        "Pruning": lambda: pruning(screen),
        "Grid search": lambda: grid_search(screen),
        "Learning curve": lambda: learning_curve(screen),
        "Bias and variance": lambda: bias_and_variance(screen),
        "Greedy's limit": lambda: greedy_limit(screen),
    }
    names = [*draw]
    for name, tab in zip(names, st.tabs(names, key="panels", on_change="rerun"), strict=True):
        if tab.open:
            with tab:
                draw[name]()


def _table(screen: Screen) -> None:
    """The error curve in numbers."""
    along, folded = screen.along(), screen.folded()
    if along is None:
        return
    score = score_by(screen.data)
    scale, unit = score.scale, score.unit
    words = SETTINGS[along.axis.rule].words
    columns = {
        words: [value_text(value) for value in along.values],
        "leaves": along.leaves,
        "height": along.height,
        f"training error{unit}": scale * along.training,
        f"held-out error{unit}": scale * along.held,
    }
    if folded is not None:
        mean, error = mean_and_error(folded)
        columns |= {f"folds' mean{unit}": scale * mean, f"standard error{unit}": scale * error}
    digits = st.column_config.NumberColumn(format="%.4g")
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        height=min(38 + 35 * len(along.values), 360),
        column_config=dict.fromkeys([*columns][1:], digits),
        alt=f"The errors against {words.lower()}, with leaves and height",
    )
