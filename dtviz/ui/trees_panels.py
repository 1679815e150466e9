"""What many trees tell: grid search, learning curve, bias and variance."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dtviz.figures.cells import plane_points
from dtviz.figures.pins import pinned
from dtviz.judge.axes import AXES
from dtviz.judge.metrics import FOLDS, score_by
from dtviz.judge.validate import DEPTHS, LINES, RESAMPLES, grid, learning, resampled
from dtviz.say.settings import SETTINGS, told
from dtviz.screen.judged import Judged, asked
from dtviz.screen.screen import Screen
from dtviz.screen.session import MOST_ONE_OUT, ONE_OUT
from dtviz.screen.work import Work
from dtviz.table.data import Dataset
from dtviz.text import count
from dtviz.ui import settings, state
from dtviz.ui.chart import chart
from dtviz.ui.picked import pick_key, picked_point
from dtviz.ui.work import work


def _folds_of(found: Judged) -> int:
    """The folds chosen; the usual ones where there are none, or too many rows to leave one out."""
    folds, rows = found.session.judging.folds, found.training.n
    if folds == ONE_OUT and rows <= MOST_ONE_OUT:
        folds = rows
    return max(min(folds if folds > ONE_OUT else FOLDS, rows), 2)  # no more folds than rows


def _folds_text(found: Judged, k: int) -> str:
    return "leave one out" if k == found.training.n else f"{k} folds of the training rows"


def grid_search(screen: Screen) -> None:
    """The folds' mean error of every line and depth; a click makes a cell the setting."""
    found, rules = screen.judged, screen.session.rules
    training = found.training
    k, lines = _folds_of(found), LINES[training.task]
    without = lines.rules(replace(rules, max_depth=None), lines.values(training)[0])
    result = work(
        Work(
            asked("grid", screen.session, without, k),
            lambda: grid(training, without, lines, DEPTHS, k),
            f"{lines.every}, {_folds_text(found, k)}",
        )
    )
    if result is None:
        return
    from dtviz.figures.judging import heat_map  # plotly is loaded only where it is seen

    name = pick_key("grid")
    chart(
        heat_map(result, score_by(training), state.theme()),
        name,
        f"The mean error by {SETTINGS[lines.rule].words.lower()} and depth",
        lambda: _cell_picked(name, lines.rule),
    )
    ties = int(result.tied.sum()) - 1
    line, column = result.best
    unit = ", in percent of the rows" if score_by(training).unit else ""
    st.caption(
        f"Mean error of {_folds_text(found, k)}{unit}. ★ the least: "
        f"{lines.said(result.values[line])}, {told('max_depth', result.depths[column]).lower()}"
        + (f"; ○ {count(ties, 'cell')} as good." if ties else ".")
    )


def _cell_picked(name: str, rule: str) -> None:
    match picked_point(name):
        case [value, int(depth)]:
            settings.choose(**{rule: value}, max_depth=depth)


def learning_curve(screen: Screen) -> None:
    """The error by training size."""
    found, rules = screen.judged, screen.session.rules
    k = _folds_of(found)
    result = work(
        Work(
            asked("learning", screen.session, rules, k),
            lambda: learning(found.training, rules, k),
            f"Trees on ever more rows, {_folds_text(found, k)}",
        )
    )
    if result is None:
        return
    from dtviz.figures import judging

    chart(
        judging.learning_curve(result, score_by(found.training), state.theme()),
        "learning",
        "Error by training size, on the rows grown on and on the fold left out",
    )
    st.caption(
        f"The tree of the settings (no prunes), grown on ever more rows; {_folds_text(found, k)}, "
        "band: one standard error. Where both lines still near each other, more rows would help."
    )


def bias_and_variance(screen: Screen) -> None:
    """How trees of resampled rows differ, over the plane and by depth."""
    found = screen.judged
    from dtviz.figures.judging import spread_curve
    from dtviz.figures.resamples import trees_plane

    if found.held is None:
        st.markdown("One row leaves none to judge by.")
        return
    rules, held, axes = screen.session.rules, found.held, screen.axes
    depths = tuple(int(depth) for depth in AXES["depth"].values(found.nodes, rules))[:20]
    pins = screen.session.pins
    plane = plane_points(found.data, axes, pinned(found.data, pins))
    result = work(
        Work(
            asked("spread", screen.session, rules, axes, pins),
            lambda: resampled(found.training, held, plane, rules, depths),
            f"{RESAMPLES} trees, each on rows drawn with replacement",
        )
    )
    if result is None:
        return
    score, left_right = score_by(found.data), st.columns(2, gap="medium")
    charts = {
        "Where trees of these settings disagree": trees_plane(
            found.data, axes, result, state.theme()
        ),
        "By depth, on the held-out rows": spread_curve(result, score, state.theme()),
    }
    for column, (title, figure) in zip(left_right, charts.items(), strict=True):
        with column:
            st.markdown(f"**{title}**")
            chart(figure, title, title)
    means = (
        "The vote is what most of them predict: its error is the bias (with the noise), the spread "
        "round it the variance."
        if found.data.classes
        else "Squared error of one tree = error of their mean (bias squared plus noise) + their "
        "spread (variance)."
    )
    st.caption(f"{RESAMPLES} trees on resampled training rows: {_drawn(found.data)}. {means}")


def _drawn(data: Dataset) -> str:
    """How the trees themselves are drawn."""
    if len(data.features) > 1:
        return "the more of them have a boundary, the stronger its line"
    return "one line each, the vote above them" if data.classes else "thin, their mean strong"
