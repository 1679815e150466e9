"""The trees of resamples over the plane: boundaries or steps of each, the vote, nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from charts import parts, read, score_for, some, tasks, texts, themes
from screens import HOSTILE

import dtviz
from dtviz.figures.cells import CELLS, STRIP, cells_of, plane_points
from dtviz.figures.palette import Theme
from dtviz.figures.pins import pinned
from dtviz.figures.resamples import THICK, trees_plane
from dtviz.judge.validate import Spread
from dtviz.table.data import Dataset, dataset
from dtviz.text import plotly


def spread_of(told: Any, voted: Any = None, where: Any = None) -> Spread:
    """What trees say at the points of a plane, (T, p)."""
    told = np.asarray(told, float)
    none = np.zeros(told.shape[1])
    return Spread(
        (),
        none,
        none,
        none,
        told,
        none if voted is None else voted,
        none if where is None else where,
    )


def blank(data: Dataset, trees: int = 3) -> Spread:
    cells = cells_of(data)
    return spread_of(np.zeros((trees, cells if len(data.features) == 1 else cells * cells)))


def drawn_lines(figure: Any) -> list[tuple[str, tuple[float, ...]]]:
    """Every line between two places, with its colour."""
    out = list[tuple[str, tuple[float, ...]]]()
    for trace in parts(figure)[0][1:]:
        x, y = (read(trace[name]).astype(float).reshape(-1, 3) for name in "xy")
        assert np.isnan(x[:, 2]).all()
        assert np.isnan(y[:, 2]).all()
        ends = np.column_stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]]).tolist()
        out += [(trace["line"]["color"], tuple(one)) for one in ends]
    return out


def sides(data: Dataset, axes: tuple[int, int], feature: int, cuts: list[float]) -> Any:
    """What trees say that each cut a feature once: 0 to the left, 1 to the right, (T, p)."""
    plane = plane_points(data, axes, pinned(data))
    return np.array([plane[feature] > cut for cut in cuts], float)


@tasks
@themes
def test_the_vote_over_two_features_is_a_heat_map_in_their_order_told_with_the_spread(
    classes: bool, theme: Theme
) -> None:
    data, axes = some(3, classes), (2, 0)
    plane = plane_points(data, axes, pinned(data))
    cell = plane[2] + 1000 * plane[0]  # tells every cell from the others
    found = spread_of(np.zeros((2, len(cell))), cell, 2 * cell)
    (heat,), layout = parts(trees_plane(data, axes, found, theme))
    across, up = read(heat["x"]), read(heat["y"])
    assert read(heat["z"]) == pytest.approx(across[None, :] + 1000 * up[:, None])
    scale = 100 if classes else 1
    assert read(heat["customdata"]) == pytest.approx(2 * scale * read(heat["z"]))
    assert heat["hovertemplate"].startswith(score_for(classes).spread)
    assert layout["xaxis"]["title"]["text"] == "x3"
    assert layout["yaxis"]["title"]["text"] == "x1"
    assert layout["font"]["color"] == theme.ink


@tasks
def test_a_boundary_that_trees_share_is_one_line_the_darker_the_more_have_it(classes: bool) -> None:
    data, axes = some(2, classes), (0, 1)
    cuts = [2.0, 2.0, 2.0, 6.0]
    for feature in (0, 1):
        figure = trees_plane(data, axes, spread_of(sides(data, axes, feature, cuts)))
        found = sorted(drawn_lines(figure), key=lambda line: line[1])
        assert len(found) == 2  # each in one piece
        plane = plane_points(data, axes, pinned(data))
        cell = np.diff(np.unique(plane[feature])).min()
        for (_, (x0, y0, x1, y1)), cut in zip(found, (2, 6), strict=True):
            own, along = ((x0, x1), (y0, y1)) if feature == 0 else ((y0, y1), (x0, x1))
            assert own[0] == own[1] == pytest.approx(cut, abs=cell)
            other = plane[1 - feature]
            assert min(along) < other.min() < other.max() < max(along)
        dark, faint = (float(colour.split(",")[-1][:-1]) for colour, _ in found)
        assert dark > faint > 0


def test_trees_of_one_opinion_have_no_boundary() -> None:
    for classes in (True, False):
        data = some(2, classes)
        assert drawn_lines(trees_plane(data, (0, 1), blank(data))) == []


def test_lines_are_drawn_where_the_trees_of_moons_change_and_nowhere_else() -> None:
    data = dtviz.load("moons", n=60)
    random = np.random.default_rng(0)
    told = (random.random((5, CELLS * CELLS)) < 0.5).astype(float)
    found = Counter[tuple[str, float]]()
    for _, (x0, y0, x1, y1) in drawn_lines(trees_plane(data, (0, 1), spread_of(told))):
        place = ("x", round(x0, 9)) if x0 == x1 else ("y", round(y0, 9))
        found[place] += abs(x1 - x0) + abs(y1 - y0)  # type: ignore[assignment]
    planes = told.reshape(5, CELLS, CELLS)
    upright = (np.diff(planes, axis=2) != 0).any(axis=0).sum(axis=0)
    level = (np.diff(planes, axis=1) != 0).any(axis=0).sum(axis=1)
    plane = plane_points(data, (0, 1), pinned(data))
    wide, high = (np.diff(np.unique(plane[k])).mean() for k in (0, 1))
    mine = [[found[key] for key in sorted(found) if key[0] == name] for name in ("x", "y")]
    assert mine[0] == pytest.approx(upright * high)
    assert mine[1] == pytest.approx(level * wide)


@themes
def test_over_one_feature_numbers_have_a_thin_line_a_tree_and_a_strong_mean(theme: Theme) -> None:
    data = some(1, False)
    told = np.arange(3)[:, None] + np.linspace(0, 1, STRIP)
    points, thin, strong = parts(trees_plane(data, (0, 0), spread_of(told, told[1]), theme))[0]
    x = plane_points(data, (0, 0), pinned(data))[0]
    lines = read(thin["y"]).reshape(3, STRIP + 1)
    assert lines[:, :-1] == pytest.approx(told)
    assert np.isnan(lines[:, -1]).all()  # no line from one tree to the next
    assert read(thin["x"]).reshape(3, -1)[:, :-1] == pytest.approx(np.tile(x, (3, 1)))
    assert read(strong["y"]) == pytest.approx(told[1])
    assert strong["line"]["width"] > thin["line"]["width"]
    assert {one["line"]["shape"] for one in (thin, strong)} == {"hvh"}
    assert strong["name"] == "their mean"
    assert thin["name"] == "3 trees"
    assert read(points["y"]).tolist() == data.y.tolist()


def test_over_one_feature_classes_have_a_line_a_tree_under_the_vote() -> None:
    data = some(1, True)
    told = sides(data, (0, 0), 0, [6.0, 2.0, 4.0])
    (heat,), layout = parts(trees_plane(data, (0, 0), spread_of(told, told[2])))
    z = read(heat["z"]).astype(float)
    assert (z[:THICK] == told[2]).all()
    assert np.isnan(z[THICK : THICK + 2]).all()
    assert z[THICK + 2 :].tolist() == told[[0, 2, 1]].tolist()  # those alike together
    assert layout["yaxis"]["ticktext"] == ["vote", "3 trees"]


# --- the cells ------------------------------------------------------------------------------------


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
    assert plane.shape == (1, STRIP)
    assert (np.diff(plane[0]) > 0).all()


def test_a_constant_and_a_huge_feature_have_a_plane() -> None:
    columns = np.array([[5.0] * 3, [-1.7e308, 0, 1.7e308]])
    data = dataset(columns, np.array([0, 1, 0]), ["a", "b"], "y", "ab")
    plane = plane_points(data, (0, 1), pinned(data))
    assert np.isfinite(plane).all()
    assert len(np.unique(plane[0])) == len(np.unique(plane[1])) == CELLS
    parts(trees_plane(data, (0, 1), blank(data)))


# --- from outside ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["<b>bold</b>", "$x$", "%{x}", *HOSTILE], ids=ascii)
def test_names_from_outside_are_literal(name: str) -> None:
    for features in (1, 2):
        names = (name, "other")[:features]
        data = some(features, True, names)
        figure = trees_plane(data, (0, features - 1), blank(data))
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
        parts(trees_plane(data, axes, blank(data, 1)))


def test_the_plane_of_dates_has_their_ticks() -> None:
    found = dtviz.load("sign_ups")
    figure = trees_plane(found, (0, 1), blank(found))
    assert list(figure.layout.xaxis.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    assert list(figure.layout.yaxis.ticktext) == ["0", "1 day", "2 days", "3 days"]
