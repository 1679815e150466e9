"""The panel of the features: what each is worth to the tree, and how the tree predicts along it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.arrays import Floats
from dtviz.engine.candidates import Candidates
from dtviz.engine.dependence import Dependence, asked, dependences, worth
from dtviz.engine.splits import feature_of
from dtviz.figures.ranking import score_title
from dtviz.say.words import SIGNED, cut_text
from dtviz.screen.screen import Screen
from dtviz.screen.work import Work
from dtviz.text import clean, count, rounded
from dtviz.ui import state
from dtviz.ui.chart import chart
from dtviz.ui.cuts_panel import pick, tell_left_out
from dtviz.ui.picked import pick_key, picked_row
from dtviz.ui.work import work

MOST_CURVES = 12
MOST_LISTED = 300


def features_panel(screen: Screen) -> None:
    """The table of the features, and the tree's predictions along those that it asks."""
    _table(screen)
    if screen.tree.splits:
        _curves(screen)
    else:
        st.markdown(
            "The tree has no split yet. Once it asks a feature, what it predicts along it is drawn "
            "here."
        )


def _table(screen: Screen) -> None:
    """A row a feature, those worth most first; a click chooses its best cut."""
    session, best = screen.session, best_cuts(screen.look.cuts)
    each = worth_of(screen)[0]
    order = _listed(screen, each, best)
    name = f"{pick_key('features')}-{screen.node}-{len(session.log)}"
    st.dataframe(
        _rows(screen, order, each, best),
        key=name,
        hide_index=True,
        on_select=lambda: pick(screen.stamp, picked_row(name, [best.get(f) for f in order])),
        selection_mode="single-row",
        column_config={
            " ": st.column_config.TextColumn(width=28),
            "worth": st.column_config.ProgressColumn(
                help="The share of the impurity that the tree's splits on it take away",
                format="%.1f %%",
                min_value=0.0,
                max_value=100.0,
                width=120,
            ),
            score_title(screen.session.rules): st.column_config.NumberColumn(
                help="Of its best cut at the node looked at", format="%.4g", width="small"
            ),
        },
        alt="What each feature is worth in the tree, and its best cut at the node",
    )
    if len(order) < len(each) and screen.look.some is None:
        st.caption(f"The first {len(order):,} of {count(len(each), 'feature')}.")
    tell_left_out(screen)


def worth_of(screen: Screen) -> tuple[Floats, list[int]]:
    """What each feature is worth to the tree on screen, and those that it asks."""
    data, tree, session = screen.data, screen.tree, screen.session
    key = ("worth", session.recipe, session.rules, session.log)
    return screen.keep.get(key, lambda: (worth(data, tree), asked(data, tree)))


def best_cuts(cuts: Candidates) -> dict[int, int]:
    """The best admissible cut of each feature alone, by feature."""
    of = [feature_of(one) for one in cuts.projections]
    line = np.array([-1 if feature is None else feature for feature in of], np.intp)
    feature = line.take(cuts.line)
    some = np.flatnonzero(cuts.admissible & (feature >= 0))
    some = some[np.argsort(-cuts.score[some], kind="stable")]
    own, first = np.unique(feature[some], return_index=True)
    return dict(zip(own.tolist(), some[first].tolist(), strict=True))


def _listed(screen: Screen, each: Floats, best: dict[int, int]) -> list[int]:
    """The features in the order of what they are worth, then of what their best cuts gain."""
    score = screen.look.cuts.score
    top = {feature: float(score[at]) for feature, at in best.items()}
    every = range(len(each)) if screen.look.some is None else screen.look.some
    some = {*every, *np.flatnonzero(each).tolist()}
    return sorted(some, key=lambda f: (-each[f], -top.get(f, -1.0), f))[:MOST_LISTED]


def _rows(screen: Screen, order: list[int], each: Floats, best: dict[int, int]) -> pd.DataFrame:
    """The table as it is read."""
    cuts, data = screen.look.cuts, screen.data
    at = [best.get(feature) for feature in order]
    columns: dict[str, Any] = {
        " ": [_mark(screen, index) for index in at],
        "feature": [clean(data.features[feature]) for feature in order],
        "worth": [rounded(100 * each[feature]) for feature in order],
        score_title(screen.session.rules): [
            np.nan if i is None else rounded(cuts.score[i]) for i in at
        ],
        "best cut here": ["" if i is None else cut_text(data, cuts, i, SIGNED) for i in at],
    }
    return pd.DataFrame(columns)


def _mark(screen: Screen, index: int | None) -> str:
    """Whether a cut is the one looked at, or the best of all."""
    if index is None:
        return ""
    return "▶" * (index == screen.look.cut) or "★" * (index == screen.look.cuts.best)


def _curves(screen: Screen) -> None:
    """The partial dependence on the features that are worth most."""
    data, tree, session = screen.data, screen.tree, screen.session
    about = ("dependence", session.recipe, session.rules, session.log)
    found = work(Work(about, lambda: dependences(data, tree, MOST_CURVES), "Along every feature"))
    if not found:
        return
    from dtviz.figures.dependence import dependence_curves  # plotly is loaded only where it is seen

    chart(
        dependence_curves(data, found, state.theme()),
        "dependence",
        "What the tree predicts on average along each feature, one chart a feature",
    )
    st.caption(_said(screen, found))


def _said(screen: Screen, found: tuple[Dependence, ...]) -> str:
    """What the charts show, and what is left out of them."""
    from dtviz.figures.dependence import shown_classes

    data, many = screen.data, len(worth_of(screen)[1])
    what = "share of each class" if data.classes else "prediction"
    rows = min(one.rows for one in found)
    all_rows = f"{rows:,} of the rows" if rows < data.n else f"all {count(data.n, 'row')}"
    said = [
        f"The tree's mean {what} over {all_rows}, if all had that value of the feature (partial "
        "dependence). The short lines mark tenths of the rows."
    ]
    if many > len(found):
        said.append(f"Drawn are the {len(found)} of {many:,} features that are worth most.")
    if len(some := shown_classes(found)) < len(data.classes):
        said.append(f"{len(some)} of {len(data.classes)} classes have a curve.")
    return " ".join(said)
