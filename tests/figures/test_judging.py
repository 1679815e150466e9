"""The charts under the cockpit of Overfit show the numbers they were given, and only those."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from charts import parts, read, score_for, texts

from dtviz.engine.criteria import CRITERIA
from dtviz.figures.judging import (
    heat_map,
    learning_curve,
    spread_curve,
)
from dtviz.figures.palette import DARK, LIGHT
from dtviz.judge.curves import mean_and_error
from dtviz.judge.metrics import SCORES
from dtviz.judge.validate import LINES, Grid, Learning, Spread

# two criteria, three depths; the least error is at depth 2, gini as good as entropy there
GRID = Grid(
    LINES["classification"],
    ("entropy", "gini"),
    (1, 2, 40),
    np.array([[0.5, 0.125, 0.25], [0.4, 0.125, 0.3]]),
    np.full((2, 3), 0.01),
    (0, 1),
    np.array([[False, True, False], [False, True, False]]),
)
LEARNING = Learning(
    np.array([1, 5, 10]),
    np.array([[0.0, 0.1, 0.2], [0.0, 0.3, 0.4]]),
    np.array([[0.5, 0.4, 0.3], [0.7, 0.4, 0.5]]),
)
SPREAD = Spread(
    (1, 2, 3),
    np.array([0.3, 0.2, 0.25]),
    np.array([0.28, 0.1, 0.12]),
    np.array([0.02, 0.1, 0.13]),
    np.zeros((2, 4)),
    np.zeros(4),
    np.zeros(4),
)
ACCURACY = SCORES["classification"]


def lines_of(figure: go.Figure) -> dict[str, Any]:
    """The named lines of a chart."""
    return {trace["name"]: trace for trace in parts(figure)[0] if "name" in trace}


# --- heat map -------------------------------------------------------------------------------------


def test_the_heat_map_has_the_error_of_every_criterion_and_depth() -> None:
    for classes, theme in ((True, LIGHT), (False, DARK)):
        (heat, clicks), layout = parts(heat_map(GRID, score_for(classes), theme))
        scale = 100 if classes else 1
        assert read(heat["z"]).tolist() == (scale * GRID.mean).tolist()
        assert heat["x"] == ["1", "2", "40"]
        assert heat["y"] == [CRITERIA["entropy"].title, CRITERIA["gini"].title]
        assert clicks["customdata"] == [[c, d] for c in ("entropy", "gini") for d in (1, 2, 40)]
        cells = list(zip(clicks["y"], clicks["x"], strict=True))
        assert cells == [(y, x) for y in heat["y"] for x in heat["x"]]
        numbers = [float(text.split()[-1]) for text in clicks["text"]]
        assert numbers == pytest.approx(scale * GRID.mean.ravel(), rel=1e-2)
        assert layout["yaxis"]["autorange"] == "reversed"
        assert layout["font"]["color"] == theme.ink


def test_the_best_cell_has_a_star_its_ties_a_ring_and_every_cell_ink_that_can_be_read() -> None:
    clicks = parts(heat_map(GRID, ACCURACY))[0][1]
    assert clicks["text"] == ["50", "★ 12.5", "25", "40", "○ 12.5", "30"]
    light, dark = "#ffffff", "#111418"
    assert clicks["textfont"]["color"] == [dark, light, light, dark, light, light]
    none = np.zeros((1, 2))
    flat = replace(GRID, values=("gini",), depths=(1, 2), mean=none, best=(0, 0), tied=none == 0)
    assert parts(heat_map(flat, ACCURACY))[0][1]["text"] == ["★ 0", "○ 0"]


def test_the_heat_map_of_numbers_has_a_line_a_leaf_size() -> None:
    sizes = replace(GRID, lines=LINES["regression"], values=(20, 5))
    (heat, clicks), layout = parts(heat_map(sizes, SCORES["regression"]))
    assert heat["y"] == ["20", "5"]
    assert clicks["customdata"] == [[size, depth] for size in (20, 5) for depth in (1, 2, 40)]
    assert clicks["hovertemplate"].startswith("Smallest leaf %{y}, depth at most %{x}: ")
    assert layout["yaxis"]["title"]["text"] == "Smallest leaf"


# --- lines ----------------------------------------------------------------------------------------


def test_the_learning_curve_has_means_and_bands() -> None:
    for classes, theme, other in ((True, LIGHT, DARK), (False, DARK, LIGHT)):
        figure = learning_curve(LEARNING, score_for(classes), theme)
        traces, layout = parts(figure)
        lines = lines_of(figure)
        assert list(lines) == ["training", "fold left out"]
        both = zip(lines.items(), (LEARNING.training, LEARNING.held), strict=True)
        for (name, line), errors in both:
            mean, error = mean_and_error(errors)
            assert read(line["x"]).tolist() == [1, 5, 10]
            assert read(line["y"]) == pytest.approx(mean)
            place = next(k for k, trace in enumerate(traces) if trace.get("name") == name)
            low, high = traces[place - 2 : place]
            assert read(low["y"]) == pytest.approx(mean - error)
            assert read(high["y"]) == pytest.approx(mean + error)
            assert high["fill"] == "tonexty"
        assert layout["yaxis"]["title"]["text"] == ("error" if classes else "squared error")
        assert ("tickformat" in layout["yaxis"]) == classes
        assert layout["font"]["color"] == theme.ink
        assert not {other.ink, other.accent} & set(texts(parts(figure)))


def test_the_spread_by_depth_has_a_line_each_of_a_tree_the_vote_and_the_spread() -> None:
    for classes, vote in ((True, "the vote"), (False, "their mean")):
        lines = lines_of(spread_curve(SPREAD, score_for(classes), DARK))
        assert list(lines) == ["one tree", vote, "spread"]
        wanted = SPREAD.single, SPREAD.vote, SPREAD.spread
        for line, values in zip(lines.values(), wanted, strict=True):
            assert read(line["x"]).tolist() == [1, 2, 3]
            assert read(line["y"]).tolist() == values.tolist()
        assert len({trace["line"]["color"] for trace in lines.values()}) == 3
