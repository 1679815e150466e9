"""The charts of Overfit and of what growing costs show the numbers they were given, no others."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from charts import parts, read, score_for, some, texts

import dtviz
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.complexity import SEARCH_METHODS, halving_splits, one_row_splits, split_sizes
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.evaluate.curves import mean_and_error
from dtviz.evaluate.metrics import SCORES, ThresholdCurve
from dtviz.evaluate.validation import GRID_RULES, Grid, LearningCurve, ResampleSpread
from dtviz.pictures import charts
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.pictures.stability import VOTE_ROWS, trees_plane
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import CELLS, STRIP_CELLS, default_cells, plane_points

# two criteria, three depths; the least error is at depth 2, gini as good as entropy there
GRID = Grid(
    GRID_RULES["classification"],
    ("entropy", "gini"),
    (1, 2, 40),
    np.array([[0.5, 0.125, 0.25], [0.4, 0.125, 0.3]]),
    np.full((2, 3), 0.01),
    (0, 1),
    np.array([[False, True, False], [False, True, False]]),
)
LEARNING = LearningCurve(
    np.array([1, 5, 10]),
    np.array([[0.0, 0.1, 0.2], [0.0, 0.3, 0.4]]),
    np.array([[0.5, 0.4, 0.3], [0.7, 0.4, 0.5]]),
)
SPREAD = ResampleSpread(
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


# --- thresholds -----------------------------------------------------------------------------------


def test_the_roc_curve_and_the_lift_have_a_point_a_threshold_and_a_mark_at_the_present_one() -> (
    None
):
    curve = ThresholdCurve(
        np.array([np.inf, 0.75, 0.25]),
        np.array([0.0, 3, 4]),
        np.array([0.0, 2, 16]),
        np.array([4.0, 3, 16]),
    )
    for draw, across, up in (
        (charts.roc_curve, [0, 0.125, 1], [0, 0.75, 1]),
        (charts.lift_curve, [0, 0.25, 1], [np.nan, 3, 1]),
    ):
        chance, line = parts(draw(curve, 1, "#123456", DARK))[0]
        assert chance["mode"] == "lines"
        assert np.array(read(line["x"])) == pytest.approx(across)
        assert np.array(read(line["y"]), float) == pytest.approx(up, nan_ok=True)
        assert [*line["customdata"]] == [[2.0], [0.75], [0.25]]
        assert [*line["text"]] == ["never", "from 75\u00a0%", "from 25\u00a0%"]
        sizes = [*line["marker"]["size"]]
        assert sizes[1] > sizes[0] == sizes[2]


# --- heat map -------------------------------------------------------------------------------------


def test_the_heat_map_has_the_error_of_every_criterion_and_depth() -> None:
    for classes, theme in ((True, LIGHT), (False, DARK)):
        (heat, clicks), layout = parts(charts.heat_map(GRID, score_for(classes), theme))
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
    clicks = parts(charts.heat_map(GRID, ACCURACY))[0][1]
    assert clicks["text"] == ["50", "★ 12.5", "25", "40", "○ 12.5", "30"]
    light, dark = "#ffffff", "#111418"
    assert clicks["textfont"]["color"] == [dark, light, light, dark, light, light]
    none = np.zeros((1, 2))
    flat = replace(GRID, values=("gini",), depths=(1, 2), mean=none, best=(0, 0), tied=none == 0)
    assert parts(charts.heat_map(flat, ACCURACY))[0][1]["text"] == ["★ 0", "○ 0"]


def test_the_heat_map_of_numbers_has_a_line_a_leaf_size() -> None:
    sizes = replace(GRID, rule=GRID_RULES["regression"], values=(20, 5))
    (heat, clicks), layout = parts(charts.heat_map(sizes, SCORES["regression"]))
    assert heat["y"] == ["20", "5"]
    assert clicks["customdata"] == [[size, depth] for size in (20, 5) for depth in (1, 2, 40)]
    assert clicks["hovertemplate"].startswith("Smallest leaf %{y}, depth at most %{x}: ")
    assert layout["yaxis"]["title"]["text"] == "Smallest leaf"


# --- lines ----------------------------------------------------------------------------------------


def test_the_learning_curve_has_means_and_bands() -> None:
    for classes, theme, other in ((True, LIGHT, DARK), (False, DARK, LIGHT)):
        figure = charts.learning_curve(LEARNING, score_for(classes), theme)
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
        lines = lines_of(charts.spread_curve(SPREAD, score_for(classes), DARK))
        assert list(lines) == ["one tree", vote, "spread"]
        wanted = SPREAD.tree_error, SPREAD.vote_error, SPREAD.mean_spread
        for line, values in zip(lines.values(), wanted, strict=True):
            assert read(line["x"]).tolist() == [1, 2, 3]
            assert read(line["y"]).tolist() == values.tolist()
        assert len({trace["line"]["color"] for trace in lines.values()}) == 3


# --- what growing costs ---------------------------------------------------------------------------


TREE = split_sizes(dtviz.fit(dtviz.load("moons")).tree)
BY_NAME = {way.name: way for way in SEARCH_METHODS}


def test_lines_are_balanced_trees_and_chains_and_stars_this_tree() -> None:
    traces = {trace.name: trace for trace in charts.cost_curves(TREE, 2, DARK).data}
    assert {*charts.CURVES} <= {*traces}
    for name in ("naive", "presorted"):
        for words, shape in (("balanced", halving_splits), ("chain", one_row_splits)):
            line = traces[f"{name}, {words}"]
            assert line.x[-1] == TREE.n_rows
            assert line.y[-1] == BY_NAME[name].looks(shape(TREE.n_rows), 2)
        star = traces[f"{name}, this tree"]
        assert (star.x, star.y) == ((TREE.n_rows,), (BY_NAME[name].looks(TREE, 2),))


def test_places_run_from_2_to_all_rows() -> None:
    for n in (2, 3, 50, 10**7):
        places = charts.sizes_to(n)
        assert (places[0], places[-1]) == (2, n)
        assert places == sorted({*places}), n
        assert len(places) <= charts.CURVE_POINTS, n


def test_chains_follow_the_square_and_searched_naively_the_cube() -> None:
    traces = {trace.name: trace for trace in charts.cost_curves(one_row_splits(10_000), 3).data}
    assert traces["presorted, chain"].y[-1] == pytest.approx(traces["M n²"].y[-1], rel=0.02)
    assert traces["naive, chain"].y[-1] == pytest.approx(traces["M n³ / 3"].y[-1], rel=0.02)


# --- the trees of resamples over the plane --------------------------------------------------------


def spread_of(values: Any, vote: Any = None, where: Any = None) -> ResampleSpread:
    """What trees predict at the points of a plane, (T, p)."""
    values = np.asarray(values, float)
    none = np.zeros(values.shape[1])
    vote, where = (none if part is None else part for part in (vote, where))
    return ResampleSpread((), none, none, none, values, vote, where)


def blank(data: Dataset, trees: int = 3) -> ResampleSpread:
    cells = default_cells(data)
    return spread_of(np.zeros((trees, cells if len(data.features) == 1 else cells**2)))


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
    plane = plane_points(data, axes, pinned_values(data))
    return np.array([plane[feature] > cut for cut in cuts], float)


def test_the_vote_over_two_features_is_a_heat_map_in_their_order_with_the_spread() -> None:
    axes = 2, 0
    for classes, theme in ((True, LIGHT), (False, DARK)):
        data = some(3, classes)
        plane = plane_points(data, axes, pinned_values(data))
        cell = plane[2] + 1000 * plane[0]  # tells every cell from the others
        spread = spread_of(np.zeros((2, len(cell))), cell, 2 * cell)
        (heat,), layout = parts(trees_plane(data, axes, spread, theme))
        across, up = read(heat["x"]), read(heat["y"])
        assert read(heat["z"]) == pytest.approx(across[None, :] + 1000 * up[:, None])
        scale = 100 if classes else 1
        assert read(heat["customdata"]) == pytest.approx(2 * scale * read(heat["z"]))
        assert heat["hovertemplate"].startswith(score_for(classes).spread)
        assert layout["xaxis"]["title"]["text"] == "x3"
        assert layout["yaxis"]["title"]["text"] == "x1"
        assert layout["font"]["color"] == theme.ink
        assert drawn_lines(trees_plane(data, (0, 1), blank(data))) == [], "trees of a single mind"


def test_a_boundary_that_trees_share_is_a_line_the_darker_the_more_have_it() -> None:
    for classes, feature in ((True, 0), (False, 1)):
        data = some(2, classes)
        values = sides(data, (0, 1), feature, [2.0, 2.0, 2.0, 6.0])
        lines = sorted(drawn_lines(trees_plane(data, (0, 1), spread_of(values))), key=itemgetter(1))
        cell = np.diff(np.unique(plane_points(data, (0, 1), pinned_values(data))[feature])).min()
        assert [line[1][feature] for line in lines] == pytest.approx([2, 6], abs=cell)
        dark, faint = (float(colour.split(",")[-1][:-1]) for colour, _ in lines)
        assert dark > faint > 0, (classes, feature)


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
    plane = plane_points(data, (0, 1), pinned_values(data))
    wide, high = (np.diff(np.unique(plane[k])).mean() for k in (0, 1))
    mine = [[found[key] for key in sorted(found) if key[0] == name] for name in ("x", "y")]
    assert mine[0] == pytest.approx(upright * high)
    assert mine[1] == pytest.approx(level * wide)


def test_over_one_feature_numbers_have_a_thin_line_a_tree_and_a_strong_mean() -> None:
    data = some(1, False)
    lines = np.arange(3)[:, None] + np.linspace(0, 1, STRIP_CELLS)
    points, thin, strong = parts(trees_plane(data, (0, 0), spread_of(lines, lines[1])))[0]
    x = plane_points(data, (0, 0), pinned_values(data))[0]
    y = read(thin["y"]).reshape(3, STRIP_CELLS + 1)
    assert y[:, :-1] == pytest.approx(lines)
    assert np.isnan(y[:, -1]).all()  # no line from a tree to the next
    assert read(thin["x"]).reshape(3, -1)[:, :-1] == pytest.approx(np.tile(x, (3, 1)))
    assert read(strong["y"]) == pytest.approx(lines[1])
    assert strong["line"]["width"] > thin["line"]["width"]
    assert {trace["line"]["shape"] for trace in (thin, strong)} == {"hvh"}
    assert (strong["name"], thin["name"]) == ("their mean", "3 trees")
    assert read(points["y"]).tolist() == data.y.tolist()


def test_over_one_feature_classes_have_a_line_a_tree_under_the_vote() -> None:
    data = some(1, True)
    told = sides(data, (0, 0), 0, [6.0, 2.0, 4.0])
    (heat,), layout = parts(trees_plane(data, (0, 0), spread_of(told, told[2])))
    z = read(heat["z"]).astype(float)
    assert (z[:VOTE_ROWS] == told[2]).all()
    assert np.isnan(z[VOTE_ROWS : VOTE_ROWS + 2]).all()
    assert z[VOTE_ROWS + 2 :].tolist() == told[[0, 2, 1]].tolist()  # those alike together
    assert layout["yaxis"]["ticktext"] == ["vote", "3 trees"]


# --- the cells ------------------------------------------------------------------------------------


def test_the_plane_goes_through_the_pinned_values() -> None:
    data = some(4, True)
    middle = pinned_values(data) + 0.25
    for axes in ((0, 1), (3, 1)):
        plane = plane_points(data, axes, middle)
        assert plane.shape == (4, CELLS * CELLS)
        for feature in set(range(4)) - set(axes):
            assert set(plane[feature].tolist()) == {float(middle[feature])}
        pairs = set(zip(plane[axes[0]].tolist(), plane[axes[1]].tolist(), strict=True))
        assert len(pairs) == CELLS * CELLS
        for feature in axes:
            values = np.unique(plane[feature])
            assert len(values) == CELLS
            assert values[0] < data.columns[feature].min()
            assert values[-1] > data.columns[feature].max()
            steps = np.diff(values)
            assert steps == pytest.approx(np.full(CELLS - 1, steps[0]))
    line = plane_points(some(1, True), (0, 0), np.zeros(1))
    assert line.shape == (1, STRIP_CELLS)
    assert (np.diff(line[0]) > 0).all()


def test_a_constant_a_huge_feature_and_examples_of_every_kind_have_a_plane() -> None:
    columns = np.array([[5.0] * 3, [-1.7e308, 0, 1.7e308]])
    data = make_dataset(columns, np.array([0, 1, 0]), ["a", "b"], "y", "ab")
    plane = plane_points(data, (0, 1), pinned_values(data))
    assert np.isfinite(plane).all()
    assert len(np.unique(plane[0])) == len(np.unique(plane[1])) == CELLS
    parts(trees_plane(data, (0, 1), blank(data)))
    for name in ("age_car_risk", "play_tennis", "rpart_treble", "steps", "iris", "penguins"):
        data = dtviz.load(name)
        axes = (0, len(data.features) - 1)
        assert np.isfinite(plane_points(data, axes, pinned_values(data))).all(), name
        parts(trees_plane(data, axes, blank(data, 1)))
    dates = dtviz.load("sign_ups")
    layout = trees_plane(dates, (0, 1), blank(dates)).layout
    assert list(layout.xaxis.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    assert list(layout.yaxis.ticktext) == ["0", "1 day", "2 days", "3 days"]
