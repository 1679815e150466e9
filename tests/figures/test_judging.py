"""The charts under the cockpit of Overfit show the numbers they were given, and only those."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from screens import HOSTILE

import dtviz
from dtviz.engine.criteria import CRITERIA
from dtviz.figures.cells import plane_points
from dtviz.figures.judging import (
    CELLS,
    heat_map,
    learning_curve,
    spread_curve,
    spread_plane,
)
from dtviz.figures.palette import DARK, LIGHT, Theme
from dtviz.figures.pins import pinned
from dtviz.judge.curves import mean_and_error
from dtviz.judge.metrics import SCORES, Score
from dtviz.judge.validate import LINES, Grid, Learning, Spread
from dtviz.table.data import Dataset, dataset
from dtviz.text import plotly

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
    np.zeros(CELLS * CELLS),
)
themes = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
ACCURACY = SCORES["classification"]
tasks = pytest.mark.parametrize("classes", [True, False], ids=["classes", "numbers"])


def parts(figure: go.Figure) -> tuple[list[Any], dict[str, Any]]:
    """The traces and the layout, as plotly checks them and the browser reads them."""
    whole = json.loads(figure.to_json())
    return whole["data"], whole["layout"]


def read(values: Any) -> Any:
    """An array as plotly sends it: a list, or bytes with a type and a shape."""
    if not isinstance(values, dict):
        return np.array(values)
    found = np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return found.reshape([int(k) for k in str(values.get("shape", found.size)).split(",")])


def lines_of(figure: go.Figure) -> dict[str, Any]:
    """The named lines of a chart."""
    return {trace["name"]: trace for trace in parts(figure)[0] if "name" in trace}


def texts(value: Any) -> list[str]:
    """Every text anywhere in a figure."""
    if isinstance(value, dict):
        return [text for one in value.values() for text in texts(one)]
    if isinstance(value, list):
        return [text for one in value for text in texts(one)]
    return [value] if isinstance(value, str) else []


def score_for(classes: bool) -> Score:
    return ACCURACY if classes else SCORES["regression"]


def some(features: int, classes: bool, names: tuple[str, ...] = (), n: int = 9) -> Dataset:
    columns = np.array([np.arange(n) * (j + 1.0) for j in range(features)])
    y = np.arange(n) % 2 if classes else np.arange(n) / 2
    named = names or tuple(f"x{j + 1}" for j in range(features))
    return dataset(columns, y, named, "y", "ab" if classes else ())


# --- heat map -------------------------------------------------------------------------------------


@tasks
@themes
def test_the_heat_map_has_the_error_of_every_criterion_and_depth(
    classes: bool, theme: Theme
) -> None:
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


def test_the_best_cell_is_starred_and_its_ties_are_ringed() -> None:
    clicks = parts(heat_map(GRID, ACCURACY))[0][1]
    assert clicks["text"] == ["50", "★ 12.5", "25", "40", "○ 12.5", "30"]


def test_the_heat_map_of_numbers_has_a_line_a_leaf_size() -> None:
    sizes = replace(GRID, lines=LINES["regression"], values=(20, 5))
    (heat, clicks), layout = parts(heat_map(sizes, SCORES["regression"]))
    assert heat["y"] == ["20", "5"]
    assert clicks["customdata"] == [[size, depth] for size in (20, 5) for depth in (1, 2, 40)]
    assert clicks["hovertemplate"].startswith("min_samples_leaf %{y}, max_depth %{x}: ")
    assert layout["yaxis"]["title"]["text"] == "min_samples_leaf"


def test_the_ink_can_be_read_on_dark_and_light_cells() -> None:
    clicks = parts(heat_map(GRID, ACCURACY))[0][1]
    light, dark = "#ffffff", "#111418"
    assert clicks["textfont"]["color"] == [dark, light, light, dark, light, light]


def test_a_grid_of_equal_errors_is_drawn() -> None:
    none = np.zeros((1, 2))
    flat = replace(GRID, values=("gini",), depths=(1, 2), mean=none, best=(0, 0), tied=none == 0)
    assert parts(heat_map(flat, ACCURACY))[0][1]["text"] == ["★ 0", "○ 0"]


# --- lines ----------------------------------------------------------------------------------------


@tasks
@themes
def test_the_learning_curve_has_means_and_bands(classes: bool, theme: Theme) -> None:
    figure = learning_curve(LEARNING, score_for(classes), theme)
    traces, layout = parts(figure)
    found = lines_of(figure)
    assert list(found) == ["training", "fold left out"]
    for (name, line), errors in zip(found.items(), (LEARNING.training, LEARNING.held), strict=True):
        mean, error = mean_and_error(errors)
        assert read(line["x"]).tolist() == [1, 5, 10]
        assert read(line["y"]) == pytest.approx(mean)
        at = next(k for k, trace in enumerate(traces) if trace.get("name") == name)
        low, high = traces[at - 2 : at]
        assert read(low["y"]) == pytest.approx(mean - error)
        assert read(high["y"]) == pytest.approx(mean + error)
        assert high["fill"] == "tonexty"
    assert layout["yaxis"]["title"]["text"] == ("error" if classes else "squared error")
    assert ("tickformat" in layout["yaxis"]) == classes
    assert layout["font"]["color"] == theme.ink
    other = LIGHT if theme is DARK else DARK
    assert not {other.ink, other.accent} & set(texts(parts(figure)))


@tasks
@themes
def test_the_spread_by_depth(classes: bool, theme: Theme) -> None:
    figure = spread_curve(SPREAD, score_for(classes), theme)
    found = lines_of(figure)
    assert list(found) == ["one tree", "the vote" if classes else "their mean", "spread"]
    for line, values in zip(
        found.values(), (SPREAD.single, SPREAD.vote, SPREAD.spread), strict=True
    ):
        assert read(line["x"]).tolist() == [1, 2, 3]
        assert read(line["y"]).tolist() == values.tolist()
    assert len({trace["line"]["color"] for trace in found.values()}) == 3


# --- the plane ------------------------------------------------------------------------------------


@tasks
@themes
def test_the_spread_over_two_features_is_a_heat_map_in_their_order(
    classes: bool, theme: Theme
) -> None:
    data = some(3, classes)
    axes = (2, 0)
    plane = plane_points(data, axes, pinned(data))
    where = plane[2] + 1000 * plane[0]  # tells every cell from the others
    (heat,), layout = parts(spread_plane(data, axes, where, theme))
    z = read(heat["z"]) / (100 if classes else 1)
    assert z.shape == (CELLS, CELLS)
    across, up = read(heat["x"]), read(heat["y"])
    assert z == pytest.approx(across[None, :] + 1000 * up[:, None])
    assert layout["xaxis"]["title"]["text"] == "x3"
    assert layout["yaxis"]["title"]["text"] == "x1"
    assert heat["zmin"] == 0
    assert layout["font"]["color"] == theme.ink


@tasks
def test_the_spread_over_one_feature_is_a_line_that_says_what_it_is(classes: bool) -> None:
    data = some(1, classes)
    plane = plane_points(data, (0, 0), pinned(data))
    figure = spread_plane(data, (0, 0), np.linspace(0, 0.5, CELLS))
    (line,), layout = parts(figure)
    assert read(line["x"]) == pytest.approx(plane[0])
    assert read(line["y"]) == pytest.approx(np.linspace(0, 0.5, CELLS))
    assert layout["xaxis"]["title"]["text"] == "x1"
    said = "trees that differ from the vote" if classes else "variance"
    assert layout["yaxis"]["title"]["text"] == said


@tasks
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (3, 1)])
def test_the_plane_goes_through_the_pinned_values(classes: bool, axes: tuple[int, int]) -> None:
    data = some(4, classes)
    at = pinned(data) + 0.25
    plane = plane_points(data, axes, at)
    assert plane.shape == (4, CELLS * CELLS)
    for feature in set(range(4)) - set(axes):
        assert set(plane[feature].tolist()) == {float(at[feature])}
    pairs = set(zip(plane[axes[0]].tolist(), plane[axes[1]].tolist(), strict=True))
    assert len(pairs) == CELLS * CELLS
    for feature in axes:
        values = np.unique(plane[feature])
        assert len(values) == CELLS
        assert values[0] < data.columns[feature].min()
        assert values[-1] > data.columns[feature].max()
        steps = np.diff(values)
        assert steps == pytest.approx(np.full(CELLS - 1, steps[0]))


def test_the_plane_of_one_feature_is_a_line() -> None:
    data = some(1, True)
    plane = plane_points(data, (0, 0), pinned(data))
    assert plane.shape == (1, CELLS)
    assert (np.diff(plane[0]) > 0).all()


def test_a_constant_and_a_huge_feature_have_a_plane() -> None:
    columns = np.array([[5.0] * 3, [-1.7e308, 0, 1.7e308]])
    data = dataset(columns, np.array([0, 1, 0]), ["a", "b"], "y", "ab")
    plane = plane_points(data, (0, 1), pinned(data))
    assert np.isfinite(plane).all()
    assert len(np.unique(plane[0])) == len(np.unique(plane[1])) == CELLS
    parts(spread_plane(data, (0, 1), np.zeros(CELLS * CELLS)))


# --- from outside ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["<b>bold</b>", "$x$", "%{x}", *HOSTILE], ids=ascii)
def test_names_from_outside_are_literal(name: str) -> None:
    for features in (1, 2):
        names = (name, "other")[:features]
        data = some(features, True, names)
        where = np.zeros(CELLS if features == 1 else CELLS * CELLS)
        figure = spread_plane(data, (0, features - 1), where)
        layout = parts(figure)[1]
        assert layout["xaxis"]["title"]["text"] == plotly(data.features[0])
        for text in texts(parts(figure)[1]):
            assert "<" not in text
            assert "$" not in text
            assert "%{" not in text


def test_every_dataset_of_the_gallery_has_a_plane() -> None:
    for name in dtviz.table.gallery.GALLERY:
        data = dtviz.load(name)
        axes = (0, len(data.features) - 1)
        plane = plane_points(data, axes, pinned(data))
        assert np.isfinite(plane).all()
        parts(spread_plane(data, axes, np.zeros(plane.shape[1])))


def test_the_plane_of_dates_has_their_ticks() -> None:
    found = dtviz.load("sign_ups")
    figure = spread_plane(found, (0, 1), np.zeros(CELLS * CELLS))
    assert list(figure.layout.xaxis.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    assert list(figure.layout.yaxis.ticktext) == ["0", "1 day", "2 days", "3 days"]
