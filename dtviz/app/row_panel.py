"""Panels under the stage about rows and features: a row's path, a node's rows, the features."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import chart, pick_key, picked_row, sentence
from dtviz.app.runs import compute
from dtviz.base.arrays import Floats
from dtviz.base.lazy import pd
from dtviz.base.text import clean, count, markdown, number, rounded
from dtviz.data import uploads
from dtviz.data.categories import category_text
from dtviz.data.columns import key_column
from dtviz.data.dataset import NUMBER, DataError, Dataset, encode_feature, lines_of, write_value
from dtviz.data.drawing import features_left_out, leave_out
from dtviz.data.units import PLAIN
from dtviz.engine.importance import (
    PartialDependence,
    feature_dependences,
    feature_importances,
    features_by_importance,
)
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.splits import feature_of
from dtviz.explain.row_path import RowPath
from dtviz.explain.words import SYMBOL_WORDS, candidate_text, feature_value_texts, node_name
from dtviz.models.steps import csv, rows_of_node
from dtviz.pictures.gains import score_title
from dtviz.pictures.grow import left_out_text
from dtviz.session.address import match_whole
from dtviz.session.screen import Screen, row_values
from dtviz.session.session import MAX_CELLS, Session

MAX_INPUTS = 12
"""Features whose values can be typed."""
MAX_STEPS_LISTED = 60
MAX_SHARES_LISTED = 8
LIST_HEIGHT = 213
"""Height in pixels of the list of a node's rows at most: five of them and the head."""
MAX_ROWS_LISTED = 5_000
"""Rows of a node that are listed: a browser is slow with more."""


def row_panel(screen: Screen) -> None:
    """Draw one row, its values and its path down the tree, and the rows of the node.

    The rows come first while no row is shown.
    """
    has_row = screen.row_path is not None
    if not has_row:
        _draw_rows_of_node(screen)
    left, right = st.columns([2, 3], gap="medium")
    with left:
        _row_choice(screen)
        for feature in _typed_features(screen):
            _value_input(screen, feature)
        if problem := st.session_state.pop("row_problem", ""):
            st.caption(markdown(problem, 300))
    with right:
        if screen.row_path is None:
            st.markdown(
                "Click a point or a row above, choose a row by its number, or type any values: "
                "here is each question it meets on its way down the tree. What is left empty is "
                "missing."
            )
        else:
            _draw_row_path(screen, screen.row_path)
    if has_row:
        _draw_rows_of_node(screen)


def _table_of(screen: Screen) -> pd.DataFrame | None:
    """Return the uploaded table that the rows come from; None for other data."""
    recipe = screen.session.recipe
    if recipe.name != uploads.RECIPE_NAME or screen.data.source is not None:
        return None
    place = uploads.places_of(recipe)[0]
    tables = state.tab().files
    return tables[place][0] if place in tables else None


def _draw_rows_of_node(screen: Screen) -> None:
    """Draw the rows of the node looked at as a table, and the button that downloads them."""
    data, tree, node = screen.data, screen.tree, screen.node
    table = rows_of_node(data, tree, node, _table_of(screen))
    shown = table.head(MAX_ROWS_LISTED)
    name = node_name(node)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        more = f", the first {MAX_ROWS_LISTED:,} of" if len(table) > len(shown) else ""
        st.markdown(f"**{name}**{more}: {count(len(table), 'row')}", width="content")
        st.download_button(
            "Download them",
            lambda: csv(table.reset_index(drop=True)),
            f"{re.sub('[^a-z0-9]+', '-', name.lower())}.csv",
            "text/csv",
            key="node_rows",
            icon=":material/download:",
            on_click="ignore",
        )
    if data.source is not None:
        st.caption(f"Lists only the sampled rows, of {count(data.n_grown, 'row')} in the table.")
    listed_key = f"{pick_key('node_rows')}-{node}-{len(screen.session.log)}"
    row_ids = shown.iloc[:, 0].tolist()
    st.dataframe(
        pd.DataFrame({clean(str(column)): shown[column] for column in shown}),
        key=listed_key,
        hide_index=True,
        height=min(38 + 35 * len(shown), LIST_HEIGHT),
        on_select=lambda: state.act("grow", "row", row=picked_row(listed_key, row_ids)),
        selection_mode="single-row",
        placeholder="missing",
        alt=f"The rows of the node, {len(shown):,} of them; a click shows a row's way",
    )


def _draw_key_search(screen: Screen) -> None:
    """Draw the box that finds a row by its key, if the table has a column of keys."""
    table = _table_of(screen)
    if table is None or screen.data.lines is None:
        return
    place = uploads.places_of(screen.session.recipe)[0]
    column = state.tab().cache.get(("key column", place), lambda: key_column(table))
    if column is None:
        return
    st.text_input(
        f"Or by its {markdown(clean(str(column), 40))}",
        max_chars=100,
        placeholder=clean(str(table[column].iloc[0]), 40),
        **state.control_args("row_key", "", partial(_find_row, screen, table, column)),
    )


def _find_row(screen: Screen, table: pd.DataFrame, column: Any, text: str) -> None:
    """Show the row whose key is this text; report a key that no row has (use in callbacks)."""
    wanted = text.strip()
    if not wanted:
        return
    cells = table[column]
    if pd.api.types.is_float_dtype(cells):  # whole numbers, some of them missing
        cells = cells.astype("Int64")
    position = np.flatnonzero((cells.astype("string").str.strip() == wanted).fillna(value=False))
    lines = screen.data.lines
    row = np.flatnonzero(lines == lines_of(table)[position[0]]) if len(position) else position
    if lines is None or not len(row):
        name = clean(str(column), 40)
        reason = "is no training row" if len(position) else "is in no row"
        st.session_state["row_problem"] = f"{clean(wanted, 60)!r} {reason} of {name}"
        return
    state.act("grow", "row", row=int(row[0]) + 1)


def _row_choice(screen: Screen) -> None:
    """Draw the box for the number of a row, and the button that shows no row."""
    row = screen.session.row
    number = row if isinstance(row, int) else None
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            f"Row, 1 to {screen.data.n:,}",
            1,
            screen.data.n,
            step=1,
            **state.control_args(
                "row_number", number, lambda chosen: state.act("grow", "row", row=chosen)
            ),
        )
        st.button(
            "Clear",
            key="row_clear",
            disabled=row is None,
            on_click=lambda: state.act("grow", "row", row=None),
        )
    _draw_key_search(screen)


def _typed_features(screen: Screen) -> list[int]:
    """Return the features to type values of: those that the tree asks, then those on the axes."""
    axes = screen.node_view.axes if len(screen.data.features) > 1 else (0,)
    return [
        *dict.fromkeys([*features_by_importance(screen.data, screen.tree)[: MAX_INPUTS - 2], *axes])
    ]


def _value_input(screen: Screen, feature: int) -> None:
    """Draw the input of a feature's value: a choice of its categories, or a text."""
    data, row = screen.data, screen.session.row
    value = math.nan if screen.row_path is None or row is None else row_values(data, row)[feature]
    key, name = f"row_value{feature}", markdown(clean(data.features[feature]))
    categories = data.levels[feature]
    apply = partial(_set_value, screen, feature)
    if categories:
        st.selectbox(
            name,
            format_func=lambda code: category_text(categories[code]),
            placeholder="missing",
            **state.choice_args(
                key, None if math.isnan(value) else int(value), apply, range(len(categories))
            ),
        )
        return
    text = "" if math.isnan(value) else _value_text(data, feature, value)
    st.text_input(name, max_chars=60, placeholder="missing", **state.control_args(key, text, apply))


def _value_text(data: Dataset, feature: int, value: float) -> str:
    """Return a value as a person types it."""
    if data.quantities[feature] == PLAIN:
        return write_value(value)
    return feature_value_texts(data, feature, np.array([value]))[0]


def _set_value(screen: Screen, feature: int, cell: str | int | None) -> None:
    """Change a value of the row, which becomes a typed row; report a cell that cannot be read."""
    data, row = screen.data, screen.session.row
    values = {} if row is None else dict(enumerate(row_values(data, row).tolist()))
    try:
        values[feature] = _read_value(data, feature, cell)
    except (DataError, ValueError):
        name = clean(data.features[feature])
        st.session_state["row_problem"] = f"{name} cannot be {clean(str(cell), 60)!r}"
        return
    # of more values than MAX_CELLS those that the panel shows stay
    order = dict.fromkeys([*_typed_features(screen), *values])
    features = [f for f in order if not math.isnan(values.get(f, math.nan))][:MAX_CELLS]
    state.act("grow", "row", row=[[f, values[f]] for f in features])


def _read_value(data: Dataset, feature: int, cell: str | int | None) -> float:
    """Return the value of a feature from a text, or from the code of a category; NaN for neither.

    Raises DataError or ValueError where the text is no value of the feature.
    """
    if cell is None or isinstance(cell, int):
        return math.nan if cell is None else float(cell)
    text = cell.strip()
    if not text:
        return math.nan
    if data.quantities[feature] == PLAIN:
        return float(match_whole(NUMBER, text)[0])
    column = pd.Series([text], dtype=object, name=data.features[feature])
    return float(encode_feature(column, (), data.quantities[feature])[0])


def _draw_row_path(screen: Screen, path: RowPath) -> None:
    """Draw the prediction, each question with its answer, and the shares of the classes."""
    row = screen.session.row
    head = f"Row {row:,}" if isinstance(row, int) else "The typed row"
    end = f"the tree says {path.prediction_text}" if path.prediction_text else path.end_reason
    st.markdown(f"**{head}:** {markdown(end, 500)}")
    lines = [f"1. {markdown(str(step), 500)}" for step in path.steps[:MAX_STEPS_LISTED]]
    no_question = "" if path.end_reason else "There is no question yet: the root is the leaf."
    st.markdown("\n".join(lines) or no_question)
    if len(path.steps) > MAX_STEPS_LISTED:
        st.caption(f"The first {MAX_STEPS_LISTED} of {count(len(path.steps), 'question')}.")
    if path.shares:
        pairs = zip(screen.data.class_names, path.shares, strict=True)
        texts = [f"{name} {number(100 * share, 3)} %" for name, share in pairs if share]
        more = len(texts) - MAX_SHARES_LISTED
        more_text = f" and {more} more" if more > 0 else ""
        st.caption(markdown(f"Shares: {', '.join(texts[:MAX_SHARES_LISTED])}{more_text}", 600))


def caption_left_out(screen: Screen) -> None:
    """Draw a caption on the features that screening left out, where there are very many."""
    if text := left_out_text(screen):
        st.caption(text)


def pick(stamp: str, index: object) -> None:
    """Choose the cut that was clicked in a table or on a gain curve (use in callbacks)."""
    state.act("grow", "cut", stamp=stamp, index=index)


MAX_CURVES = 12
"""Features along which the predictions of the tree are drawn."""
MAX_FEATURES_LISTED = 300


def features_panel(screen: Screen) -> None:
    """Draw the table of the features, and the tree's predictions along those that it asks."""
    _draw_table(screen)
    _draw_left_out(screen)
    if screen.tree.splits:
        _draw_curves(screen)
    else:
        st.markdown(
            "The tree has no split yet. Once it asks a feature, what it predicts along it is drawn "
            "here."
        )


def _draw_left_out(screen: Screen) -> None:
    """Draw the choice of the features that are left out of the data."""
    recipe, data = screen.session.recipe, screen.data
    left_out = features_left_out(recipe, state.tab().files)
    if left_out is None:
        return
    names = [*data.features, *left_out]
    st.multiselect(
        "Leave out",
        names,
        format_func=clean,
        help="The tree begins anew without these features. The rules stay; Undo brings all back",
        **state.control_args("left_out", [*left_out], partial(_leave_out, screen), "default"),
    )


def _leave_out(screen: Screen, names: list[str]) -> None:
    """Leave these features out of the data; say why, if that is impossible."""
    session = screen.session
    try:
        recipe = leave_out(session.recipe, screen.data, tuple(names), state.tab().files)
        state.dataset_of(recipe)
    except DataError as error:
        st.toast(sentence(str(error)))
        return
    state.set_session(Session(recipe, session.rules, judging=replace(session.judging, prunes=())))


def _draw_table(screen: Screen) -> None:
    """Draw a row for each feature, the most important first; a click chooses its best cut."""
    session, best = screen.session, best_cuts(screen.node_view.candidates)
    importances = importances_of(screen)[0]
    order = _features_listed(screen, importances, best)
    # the choice of a row ends with the node or the step: the table has another key then
    key = f"{pick_key('features')}-{screen.node}-{len(session.log)}"
    st.dataframe(
        _feature_table(screen, order, importances, best),
        key=key,
        hide_index=True,
        on_select=lambda: pick(screen.stamp, picked_row(key, [best.get(f) for f in order])),
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
    if len(order) < len(importances) and screen.node_view.features is None:
        st.caption(f"The first {len(order):,} of {count(len(importances), 'feature')}.")
    caption_left_out(screen)


def importances_of(screen: Screen) -> tuple[Floats, list[int]]:
    """Return the importance of each feature of the data, and the features that the tree asks."""
    data, tree, session = screen.data, screen.tree, screen.session
    key = ("worth", session.recipe, session.rules, session.log)
    return screen.cache.get(
        key, lambda: (feature_importances(data, tree), features_by_importance(data, tree))
    )


def best_cuts(cuts: Candidates) -> dict[int, int]:
    """Return the index of the best admissible cut of each feature, by feature.

    Cuts of projections that combine features are left out.
    """
    line_features = [feature_of(projection) for projection in cuts.projections]
    features_by_line = np.array([-1 if f is None else f for f in line_features], int)
    cut_features = features_by_line.take(cuts.line)
    indices = np.flatnonzero(cuts.admissible & (cut_features >= 0))
    indices = indices[np.argsort(-cuts.score[indices], kind="stable")]
    features, first = np.unique(cut_features[indices], return_index=True)
    return dict(zip(features.tolist(), indices[first].tolist(), strict=True))


def _features_listed(screen: Screen, importances: Floats, best: dict[int, int]) -> list[int]:
    """Return the features of the table by importance, then by the score of their best cuts."""
    score = screen.node_view.candidates.score
    best_scores = {feature: float(score[index]) for feature, index in best.items()}
    searched = (
        range(len(importances)) if screen.node_view.features is None else screen.node_view.features
    )
    features = {*searched, *np.flatnonzero(importances).tolist()}
    order = sorted(features, key=lambda f: (-importances[f], -best_scores.get(f, -1.0), f))
    return order[:MAX_FEATURES_LISTED]


def _feature_table(
    screen: Screen, order: list[int], importances: Floats, best: dict[int, int]
) -> pd.DataFrame:
    """Return the table of the features `order`, with the texts and numbers that are drawn."""
    cuts, data = screen.node_view.candidates, screen.data
    indices = [best.get(feature) for feature in order]
    columns: dict[str, Any] = {
        " ": [_mark(screen, index) for index in indices],
        "feature": [clean(data.features[feature]) for feature in order],
        "worth": [rounded(100 * importances[feature]) for feature in order],
        score_title(screen.session.rules): [
            np.nan if i is None else rounded(cuts.score[i]) for i in indices
        ],
        "best cut here": [
            "" if i is None else candidate_text(data, cuts, i, SYMBOL_WORDS) for i in indices
        ],
    }
    return pd.DataFrame(columns)


def _mark(screen: Screen, index: int | None) -> str:
    """Return the sign of the cut looked at, or of the best of all cuts; '' for any other."""
    if index is None:
        return ""
    return "▶" * (index == screen.node_view.index) or "★" * (
        index == screen.node_view.candidates.best
    )


def _draw_curves(screen: Screen) -> None:
    """Draw the partial dependence on the most important features."""
    data, tree, session = screen.data, screen.tree, screen.session
    key = ("dependence", session.recipe, session.rules, session.log)
    curves = compute(
        key, lambda: feature_dependences(data, tree, MAX_CURVES), "Along every feature"
    )
    if not curves:
        return
    from dtviz.pictures.charts import dependence_curves  # plotly is loaded only where it is seen

    chart(
        dependence_curves(data, curves, state.theme()),
        "dependence",
        "What the tree predicts on average along each feature, one chart a feature",
    )
    st.caption(_curves_caption(screen, curves))


def _curves_caption(screen: Screen, curves: tuple[PartialDependence, ...]) -> str:
    """Return sentences on the content of the charts, and on features and classes left out."""
    from dtviz.pictures.charts import shown_classes

    data, n_asked = screen.data, len(importances_of(screen)[1])
    what = "share of each class" if data.classes else "prediction"
    rows = min(curve.n_rows for curve in curves)
    all_rows = f"{rows:,} of the rows" if rows < data.n else f"all {count(data.n, 'row')}"
    sentences = [
        f"The tree's mean {what} over {all_rows}, if all had that value of the feature (partial "
        "dependence). The short lines mark tenths of the rows."
    ]
    if n_asked > len(curves):
        sentences.append(
            f"Drawn are the {len(curves)} of {n_asked:,} features that are worth most."
        )
    n_classes = len(shown_classes(curves))
    if n_classes < len(data.classes):
        sentences.append(f"{n_classes} of {len(data.classes)} classes have a curve.")
    return " ".join(sentences)
