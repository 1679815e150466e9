"""The panel of all candidates, and what other panels of cuts share with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.engine.candidates import Candidates
from dtviz.say import explain
from dtviz.say.words import cut_text, line_text
from dtviz.screen.screen import Screen
from dtviz.text import signed
from dtviz.ui import state
from dtviz.ui.controls import sentence
from dtviz.ui.picked import pick_key, picked_row

MOST_LISTED = 300
MOST_TOLD = 4


def cuts_panel(screen: Screen, cuts: Candidates, chosen: int | None) -> None:
    """The candidates, the best of each feature first; a click on a row chooses its cut."""
    if len(cuts) == 0:
        st.markdown("No cut exists in this node.")
        return
    order = _best_a_feature_first(cuts)[:MOST_LISTED]
    name = f"{pick_key('cuts')}-{screen.node}-{len(screen.session.log)}"
    st.dataframe(
        _listed(screen, cuts, order, chosen),
        key=name,
        hide_index=True,
        on_select=lambda: pick(screen.stamp, picked_row(name, order.tolist())),
        selection_mode="single-row",
        height=min(38 + 35 * len(order), 320),
        column_config=_formats(screen),
        alt="Candidate cuts of the node",
    )
    if len(cuts) > len(order):
        st.caption(f"The first {len(order)} of {len(cuts):,} cuts; Export has all of them.")
    tell_left_out(screen)
    for text in explain.searched(screen.data, screen.session.rules, cuts)[:MOST_TOLD]:
        st.caption(sentence(text))


def _listed(screen: Screen, cuts: Candidates, order: Any, chosen: int | None) -> pd.DataFrame:
    best = float(cuts.score[cuts.best]) if cuts.best is not None else 0.0
    leads = len(np.unique(cuts.line))
    marks = [_mark(screen, cuts, int(i), chosen, k < leads) for k, i in enumerate(order)]
    columns: dict[str, Any] = {
        " ": marks,
        "cut": [signed(cut_text(screen.data, cuts, int(i))) for i in order],
        score_title(screen): [rounded(cuts.score[i]) for i in order],
        "% of best": [_share(cuts, int(i), best) for i in order],
        "rows left": cuts.n_left[order],
        "rows right": cuts.n_right[order],
        "impurity left": [rounded(cuts.impurity_left[i]) for i in order],
        "impurity right": [rounded(cuts.impurity_right[i]) for i in order],
    }
    if screen.data.weights is not None:
        columns["weight left"] = [rounded(cuts.weight_left[i]) for i in order]
        columns["weight right"] = [rounded(cuts.weight_right[i]) for i in order]
    return pd.DataFrame(columns)


def _share(cuts: Candidates, at: int, best: float) -> float:
    """A score in percent of the best; only a tie is 100."""
    share = rounded(100 * cuts.score[at] / best, 3) if best else 0.0
    return share if cuts.tied[at] or share != 100 else 99.9


def _mark(screen: Screen, cuts: Candidates, index: int, chosen: int | None, leads: bool) -> str:
    """What is special about a cut, in a word or two; `leads`: it is the best of its feature."""
    shown = "▶ " if index == chosen else ""
    if index == cuts.best:
        return shown + "★ best"
    if cuts.tied[index] and cuts.score[index] > 0:
        return shown + "○ tie"
    if not cuts.admissible[index]:
        return shown + "too little on a side"
    if leads:
        return f"{shown}best on {line_text(screen.data, cuts.projections[cuts.line[index]])}"
    return shown if cuts.boundary[index] else shown + "no class boundary"


def _best_a_feature_first(cuts: Candidates) -> np.ndarray[Any, Any]:
    """Cut indices: each feature's best first, then all others, by score; ties as in the engine."""
    score = np.where(cuts.admissible, cuts.score, -1.0)
    order = np.argsort(-score, kind="stable")
    _, first = np.unique(cuts.line[order], return_index=True)
    leads = order[np.sort(first)]
    return np.concatenate([leads, order[~np.isin(order, leads)]])


def _formats(screen: Screen) -> dict[str, Any]:
    """Four significant digits as everywhere, whole numbers with their commas."""
    digits = st.column_config.NumberColumn(format="%.4g")
    sides = [f"{what} {side}" for what in ("impurity", "weight") for side in ("left", "right")]
    names = (score_title(screen), "% of best", *sides)
    whole = st.column_config.NumberColumn(format="localized")
    return dict.fromkeys(names, digits) | dict.fromkeys(("rows left", "rows right"), whole)


def score_title(screen: Screen) -> str:
    """What cuts are ranked by, with its unit: 'gain (bit)'."""
    unit = explain.unit_of(screen.session.rules)
    return explain.measure_name(screen.session.rules) + (f" ({unit})" if unit else "")


def rounded(value: float, digits: int = 4) -> float:
    """The number with so many significant digits."""
    return float(f"{float(value):.{digits}g}")


def tell_left_out(screen: Screen) -> None:
    """Which features are not looked at, where they are very many."""
    some, many = screen.look.some, len(screen.data.features)
    if some is not None:
        st.caption(
            f"Of {many:,} features those {len(some):,} are listed whose cuts gain most here; "
            "choose any other as an axis of the stage to see its cuts."
        )


def pick(stamp: str, index: object) -> None:
    """A click in the table or on a gain curve chooses that cut."""
    state.act("grow", "cut", stamp=stamp, index=index)
