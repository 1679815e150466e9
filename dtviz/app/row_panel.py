"""The panel of a row: which one, or any values; its questions with their answers, and its end."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import chart, pick_key, picked_row, view
from dtviz.app.runs import work
from dtviz.app.state import choice_args, control_args
from dtviz.base.arrays import Floats
from dtviz.base.text import clean, count, markdown, number, rounded
from dtviz.data.categories import told
from dtviz.data.dataset import NUMBER, DataError, Dataset, encoded, write_value
from dtviz.data.units import PLAIN
from dtviz.engine.importance import Dependence, asked, dependences, worth
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import feature_of
from dtviz.explain.row_path import Way
from dtviz.explain.words import SIGNED, cut_text, values_text
from dtviz.pictures.gains import score_title
from dtviz.session.address_field import matched
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen, values_of
from dtviz.session.session import MOST_CELLS

MOST_INPUTS = 12
MOST_STEPS = 60
MOST_SHARES = 8


def row_panel(screen: Screen) -> None:
    """The row's number or values on the left, its way on the right."""
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _choice(screen)
        for feature in _inputs(screen):
            _input(screen, feature)
        if problem := st.session_state.pop("row_problem", ""):
            st.caption(markdown(problem, 300))
    with right:
        if screen.way is None:
            st.markdown(
                "Click a point, choose a row by its number, or type any values: here is each "
                "question it meets on its way down the tree. What is left empty is missing."
            )
        else:
            _way(screen, screen.way)


def _choice(screen: Screen) -> None:
    row = screen.session.row
    number = row if isinstance(row, int) else None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            f"Row, 1 to {screen.data.n:,}",
            1,
            screen.data.n,
            step=1,
            **control_args(
                "row_number", number, lambda chosen: state.act("grow", "row", row=chosen)
            ),
        )
        st.button(
            "Clear",
            key="row_clear",
            disabled=row is None,
            on_click=lambda: state.act("grow", "row", row=None),
        )


def _inputs(screen: Screen) -> list[int]:
    """The features that can be typed: those that the tree asks, then those on the axes."""
    axes = screen.look.axes if len(screen.data.features) > 1 else (0,)
    return [*dict.fromkeys([*asked(screen.data, screen.tree)[: MOST_INPUTS - 2], *axes])]


def _input(screen: Screen, feature: int) -> None:
    """The value of a feature: one of its categories, or text."""
    data, row = screen.data, screen.session.row
    value = math.nan if screen.way is None or row is None else values_of(data, row)[feature]
    key, name = f"row_value{feature}", markdown(clean(data.features[feature]))
    levels = data.levels[feature]
    take = partial(_typed, screen, feature)
    if levels:
        st.selectbox(
            name,
            format_func=lambda code: told(levels[code]),
            placeholder="missing",
            **choice_args(key, None if math.isnan(value) else int(value), take, range(len(levels))),
        )
        return
    text = "" if math.isnan(value) else _text(data, feature, value)
    st.text_input(name, max_chars=60, placeholder="missing", **control_args(key, text, take))


def _text(data: Dataset, feature: int, value: float) -> str:
    """A value as it is typed."""
    if data.quantities[feature] == PLAIN:
        return write_value(value)
    return values_text(data, feature, np.array([value]))[0]


def _typed(screen: Screen, feature: int, given: str | int | None) -> None:
    """Another value makes the row one of its own; what cannot be read is told and left out."""
    data, row = screen.data, screen.session.row
    values = {} if row is None else dict(enumerate(values_of(data, row).tolist()))
    try:
        values[feature] = _read(data, feature, given)
    except (DataError, ValueError):
        name = clean(data.features[feature])
        st.session_state["row_problem"] = f"{name} cannot be {clean(str(given), 60)!r}"
        return
    order = dict.fromkeys([*_inputs(screen), *values])
    known = [f for f in order if not math.isnan(values.get(f, math.nan))][:MOST_CELLS]
    state.act("grow", "row", row=[[f, values[f]] for f in known])


def _read(data: Dataset, feature: int, given: str | int | None) -> float:
    """The number that a text is, NaN for none; raises DataError or ValueError."""
    if given is None or isinstance(given, int):
        return math.nan if given is None else float(given)
    text = given.strip()
    if not text:
        return math.nan
    if data.quantities[feature] == PLAIN:
        return float(matched(NUMBER, text)[0])
    cell = pd.Series([text], dtype=object, name=data.features[feature])
    return float(encoded(cell, (), data.quantities[feature])[0])


def _way(screen: Screen, way: Way) -> None:
    """Each question with its answer, what is predicted, the shares of the classes."""
    row = screen.session.row
    head = f"Row {row:,}" if isinstance(row, int) else "The typed row"
    says = f"the tree says {way.says}" if way.says else way.ends
    st.markdown(f"**{head}:** {markdown(says, 500)}")
    lines = [f"1. {markdown(str(step), 500)}" for step in way.steps[:MOST_STEPS]]
    st.markdown("\n".join(lines) or "There is no question yet: the root is the leaf.")
    if len(way.steps) > MOST_STEPS:
        st.caption(f"The first {MOST_STEPS} of {count(len(way.steps), 'question')}.")
    if way.shares:
        named = zip(screen.data.class_names, way.shares, strict=True)
        some = [f"{name} {number(100 * share, 3)} %" for name, share in named if share]
        more = f" and {len(some) - MOST_SHARES} more" if len(some) > MOST_SHARES else ""
        st.caption(markdown(f"Shares: {', '.join(some[:MOST_SHARES])}{more}", 600))


def cuts_panel(screen: Screen) -> None:
    """The candidates, the best of each feature first; a click on a row chooses its cut."""
    if len(screen.look.cuts) == 0:
        st.markdown("No cut exists in this node.")
        return
    view("ranking", state.tab().parcel("ranking", screen, state.theme()))
    tell_left_out(screen)


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
    from dtviz.pictures.charts import dependence_curves  # plotly is loaded only where it is seen

    chart(
        dependence_curves(data, found, state.theme()),
        "dependence",
        "What the tree predicts on average along each feature, one chart a feature",
    )
    st.caption(_said(screen, found))


def _said(screen: Screen, found: tuple[Dependence, ...]) -> str:
    """What the charts show, and what is left out of them."""
    from dtviz.pictures.charts import shown_classes

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
