"""The plotly charts of cuts and predictions hold what the engine found, names as literal text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from charts import parts, texts
from toys import sum_family

import dtviz
from dtviz import fit
from dtviz.base.progress import run_to_end
from dtviz.base.text import plotly
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.importance import PartialDependence, feature_dependences
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.tree import root_tree
from dtviz.evaluate.validation import ResampleSpread
from dtviz.models.model import Model
from dtviz.models.steps import candidates_by_criterion, node_candidates
from dtviz.pictures import charts as module
from dtviz.pictures.charts import MAX_POINTS, dependence_curves, shown_classes, surface
from dtviz.pictures.gains import MAX_CUTS, criterion_curves, gain_curves, gain_traces, ranking_frame
from dtviz.pictures.scales import DARK, LIGHT, class_colour
from dtviz.pictures.stability import trees_plane
from dtviz.pictures.stage_cuts import StageView, pinned_values
from dtviz.pictures.tree import CELLS, STRIP_CELLS


def cuts_of(data: Dataset, least: int = 1) -> Candidates:
    rules = Rules(dtviz.engine.rules.default_rules(data.task).criterion, min_samples_leaf=least)
    tree = root_tree(Problem(data, Rules(rules.criterion)))
    return node_candidates(Problem(data, rules), tree, 1)


def traces(cuts: Candidates, feature: int, chosen: int | None = None) -> list[Any]:
    return gain_traces(cuts, cuts.of_line(feature), chosen, LIGHT, "x", "y")


def marked(found: list[Any], symbol: str) -> list[int]:
    """The cut indices of the trace drawn with one symbol."""
    some = [t for t in found if t.get("marker", {}).get("symbol") == symbol]
    return [int(i) for trace in some for i in trace["customdata"]]


# x: 1 1 2 2 3 4 / A A A A B B: cuts at 1.5, 2.5, 3.5; the classes part at 2.5
SMALL = make_dataset(
    [[1, 1, 2, 2, 3, 4], [1, 1, 1, 1, 9, 9]], np.array([0, 0, 0, 0, 1, 1]), ["u", "v"], "y", "AB"
)


def test_every_threshold_score_and_mark_worked_by_hand() -> None:
    cuts = cuts_of(SMALL)
    line, tie = traces(cuts, 0), traces(cuts, 1)
    assert line[0]["x"].tolist() == [1.5, 2.5, 3.5]
    # 1.5: 0.9183 - 4/6 * 1; 2.5 parts them; 3.5: 0.9183 - 5/6 * 0.7219
    assert line[0]["y"].tolist() == pytest.approx([0.2516, 0.9183, 0.3167], abs=1e-4)
    assert line[0]["customdata"].tolist() == [0, 1, 2]
    assert cuts.best == 1
    assert (marked(line, "star"), marked(line, "circle-open")) == ([1], [])
    assert (marked(tie, "star"), marked(tie, "circle-open")) == ([], [3])
    marker = line[0]["marker"]
    assert marker["opacity"].tolist() == [0.3, 0.95, 0.3], "faint where no classes meet"
    assert "symbol" not in marker
    symbols = traces(cuts_of(SMALL, least=2), 0)[0]["marker"]["symbol"]
    assert symbols == ["circle", "circle", "circle-open"], "hollow where too few rows are left"
    nothing = cuts_of(make_dataset([[1, 1, 2, 2]], np.array([0, 1, 0, 1]), ["x"], "y", "AB"))
    line = traces(nothing, 0)
    assert (marked(line, "star"), marked(line, "circle-open")) == ([0], [])


def test_the_cut_looked_at_has_a_diamond_and_a_line_to_the_plane() -> None:
    found = traces(cuts_of(SMALL), 0, chosen=2)
    assert marked(found, "diamond") == [2]
    assert found[-1]["x"] == [3.5, 3.5]
    assert found[-1]["y"] == pytest.approx([0, 0.3167], abs=1e-4)
    assert marked(traces(cuts_of(SMALL), 1, chosen=2), "diamond") == []
    assert traces(cuts_of(SMALL), 0, chosen=1)[-1]["x"] == [2.5, 2.5]


def test_curves_have_the_gains_of_the_table_of_candidates() -> None:
    for name in ("iris", "sine", "play_tennis"):
        data = dtviz.load(name)
        table = dtviz.candidates(data, default_rules(data.task))
        figure = gain_curves(data, cuts_of(data))
        lines = [trace for trace in figure.data if trace.mode == "lines+markers"]
        assert len(lines) == len(data.features)
        places, gains = (np.concatenate([np.array(t[axis]) for t in lines]) for axis in "xy")
        numbers = table["threshold"].notna().to_numpy()
        assert places[numbers].tolist() == table["threshold"][numbers].tolist(), name
        assert (places[~numbers] % 1 == 0.5).all()
        assert gains == pytest.approx(table["gain"].to_numpy()), name
        scales = {tuple(figure.layout[axis].range) for axis in figure.layout if "yaxis" in axis}
        assert len(scales) == 1
        assert max(table["gain"]) <= scales.pop()[1]


def test_of_very_many_cuts_the_highest_stay() -> None:
    rng = np.random.default_rng(1)
    data = make_dataset([rng.random(5_000)], rng.integers(0, 2, 5_000), ["x"], "y", "AB")
    cuts = cuts_of(data)
    found = traces(cuts, 0, chosen=17)
    shown = set(found[0]["customdata"].tolist())
    assert MAX_CUTS <= len(shown) < MAX_CUTS * 1.2
    assert {cuts.best, 17, int(np.argmax(cuts.score))} <= shown
    assert sorted(shown) == found[0]["customdata"].tolist()


def test_without_a_cut_the_charts_are_empty() -> None:
    data = make_dataset([[1.0, 1.0], [1.0, 2.0]], np.array([0, 1]), ["x", "z"], "y", "AB")
    figure = gain_curves(data, cuts_of(data), projection_ids=[0])
    assert figure.layout.yaxis.range[0] == 0
    assert "NaN" not in figure.to_json() + criterion_curves(data, raced_on(data), (0, 1)).to_json()
    level = make_dataset([[1.0, 1.0]], np.array([0, 1]), ["x"], "y", "AB")
    assert list(gain_curves(level, cuts_of(level)).layout.yaxis.range) == [0, 1.12]


# --- the criteria side by side --------------------------------------------------------------------


def raced_on(data: Dataset) -> dict[str, Candidates]:
    """The root's cuts under every criterion, by its title."""
    root = root_tree(Problem(data, Rules(default_rules(data.task).criterion)))
    found = candidates_by_criterion(Problem(data, default_rules(data.task)), root, 1)
    return {CRITERIA[name].title: cuts for name, cuts in found.items()}


def titles(layout: Any, kind: str) -> list[str]:
    """What stands beside or under each panel, in the panels' order."""
    axes = sorted((axis for axis in layout if axis.startswith(kind)), key=lambda a: int(a[5:] or 1))
    return [layout[axis].title.text for axis in axes]


def curves(figure: Any) -> list[Any]:
    return [trace for trace in figure.data if trace.mode == "lines+markers"]


def test_the_race_has_a_line_of_panels_a_criterion() -> None:
    for name, axes in (("iris", (3, 0)), ("sine", (0,))):
        data = dtviz.load(name)
        raced = raced_on(data)
        figure = criterion_curves(data, raced, axes)
        lines = curves(figure)
        assert len(lines) == len(raced) * len(axes)
        wanted = [(cuts, feature) for cuts in raced.values() for feature in axes]
        for trace, (cuts, feature) in zip(lines, wanted, strict=True):
            span = cuts.of_line(feature)
            assert np.array_equal(np.array(trace.x), cuts.threshold[span])
            assert np.array_equal(np.array(trace.y), cuts.score[span])
            scale = figure.layout[f"yaxis{trace.yaxis.removeprefix('y')}"].range
            assert scale == (0, pytest.approx(1.12 * cuts.score.max()))
        json.loads(figure.to_json())


def test_each_criterion_stars_its_winner_and_the_race_is_titled_at_its_edges() -> None:
    data = dtviz.load("iris")
    raced = raced_on(data)
    figure = criterion_curves(data, raced, range(4))
    stars = {t.yaxis: list(t.customdata) for t in figure.data if t.marker.symbol == "star"}
    assert list(stars.values()) == [[cuts.best] for cuts in raced.values()]
    assert len(stars) == len(raced)
    layout = criterion_curves(data, raced, (2, 3)).layout
    beside, under = titles(layout, "yaxis"), titles(layout, "xaxis")
    assert beside[::2] == list(raced)
    assert not any(beside[1::2])
    assert under[-2:] == ["petal_length_cm", "petal_width_cm"]
    assert not any(under[:-2])
    for chart in (figure, gain_curves(data, cuts_of(data))):
        for axis in ("xaxis", "yaxis"):
            layout = chart.layout
            spans = sorted({tuple(layout[name].domain) for name in layout if name.startswith(axis)})
            assert all(0 <= low < high <= 1 for low, high in spans)
            assert all(a[1] <= b[0] for a, b in pairwise(spans)), "panels do not overlap"


def test_few_whole_numbers_have_whole_ticks_and_no_comma_stands_in_a_year() -> None:
    years = np.array([2007.0, 2008, 2009, 2008, np.nan, 2009])
    y = np.array([0, 0, 1, 1, 0, 1])
    data = make_dataset([years, years * 1000, years + 0.5], y, ["a", "b", "c"], "y", "AB")
    layout = gain_curves(
        data, node_candidates(Problem(data, Rules()), root_tree(Problem(data, Rules())), 1)
    ).layout
    assert layout.separators == "."
    assert (layout.xaxis.tick0, layout.xaxis.dtick) == (2007, 1)
    assert (layout.xaxis2.dtick, layout.xaxis3.dtick) == (None, None)


def test_dates_and_durations_have_ticks_and_words_of_their_kind() -> None:
    data, features = dtviz.load("sign_ups"), ["day", "took"]
    figure = gain_curves(data, cuts_of(data))
    dates, spans = figure.layout.xaxis, figure.layout.xaxis2
    assert list(dates.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    days = np.array(dates.tickvals, "datetime64[D]").astype(str).tolist()
    assert days == [f"{month}-01" for month in dates.ticktext]
    assert list(spans.ticktext) == ["1 day", "2 days", "3 days"]
    assert list(spans.tickvals) == [86_400, 172_800, 259_200]
    first = figure.data[0]
    assert first.text[5] == "signed_up before 2024-03-01"
    assert first.hovertemplate.startswith("%{text}")
    columns = data.columns.copy()
    columns[0, 0] = np.nan
    gaps = make_dataset(columns, data.y, features, "y", data.classes, quantities=data.quantities)
    assert gaps.gaps[0]
    ticks = gain_curves(gaps, cuts_of(gaps)).layout.xaxis.ticktext
    assert list(ticks)[-2:] == ["2024-04", "2024-07"]
    numbers = make_dataset(data.columns, np.arange(12.0), features, "y", quantities=data.quantities)
    figure = surface_of(grown_on(numbers))
    assert list(figure.layout.scene.xaxis.ticktext) == [*dates.ticktext]
    assert list(figure.layout.scene.yaxis.ticktext) == ["0", "1 day", "2 days", "3 days"]
    assert figure.data[1].text[0] == "2023-09-04, 3 days 02:00:00"
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(120), "D")
    frame = pd.DataFrame({"day": day, "y": (np.arange(120) > 60) * 1.0})
    figure = drawn_along(dtviz.from_frame(frame, "y", task="regression"), Rules("squared_error"))[1]
    assert "2024-02" in figure.layout.xaxis.ticktext
    ends = ("2024-01-01", "2024-03-01", "2024-03-02", "2024-04-29")
    assert lines_along(figure)[0].text == ends


# --- the surface of a number over two features ----------------------------------------------------


def numbers(n: int = 60, features: int = 3) -> Dataset:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(features, n)).round(2)
    names = [f"x{k}" for k in range(features)]
    return make_dataset(x, x[0] ** 2 + x[1] + rng.normal(size=n) / 5, names, "y")


def grown_on(data: Dataset) -> Model:
    return dtviz.fit(data, default_rules(data.task))


def surface_of(model: Model, axes: tuple[int, int] = (0, 1), **more: object):
    cuts = node_candidates(Problem(model.data, model.rules_used), model.tree, 1)
    view = StageView(1, cuts, None, axes, pinned=pinned_values(model.data), **more)  # type: ignore[arg-type]
    return surface(model.data, model.tree, view)


def test_every_step_is_what_the_tree_predicts_there() -> None:
    model = grown_on(numbers())
    for axes in ((0, 1), (2, 0)):
        steps = surface_of(model, axes).data[0]
        x, y, z = (np.asarray(value) for value in (steps.x, steps.y, steps.z))
        assert z.shape == (len(y), len(x))
        places = np.repeat(pinned_values(model.data)[:, None], 200, axis=1)
        rng = np.random.default_rng(2)
        columns, rows = rng.integers(0, len(x) // 2, 200), rng.integers(0, len(y) // 2, 200)
        # half-way along a step, and at its right end, which belongs to it
        for share in (0.5, 1.0):
            places[axes[0]] = x[2 * columns] * (1 - share) + x[2 * columns + 1] * share
            places[axes[1]] = y[2 * rows] * (1 - share) + y[2 * rows + 1] * share
            there = make_dataset(places, np.zeros(200), model.data.features, "y")
            assert z[2 * rows, 2 * columns].tolist() == model.predict(there).tolist(), axes


def test_planes_of_leaves_rise_between_their_corners() -> None:
    data = numbers(features=2)
    rules = Rules("squared_error", leaf_model="linear", max_depth=2, min_samples_leaf=8)
    model = dtviz.fit(data, rules)
    steps = surface_of(model).data[0]
    x, y, z = (np.asarray(value) for value in (steps.x, steps.y, steps.z))
    assert (np.ptp(z.reshape(len(y) // 2, 2, len(x) // 2, 2), axis=(1, 3)) > 0).all()
    across, up = (x[::2] + x[1::2]) / 2, (y[::2] + y[1::2]) / 2
    middle = z.reshape(len(y) // 2, 2, len(x) // 2, 2).mean(axis=(1, 3))
    places = np.array([np.tile(across, len(up)), np.repeat(up, len(across))])
    asked = make_dataset(places, np.zeros(middle.size), data.features, "y")
    assert middle.ravel() == pytest.approx(model.predict(asked))


def test_slanted_cuts_are_followed_by_small_steps() -> None:
    x = np.random.default_rng(1).random((2, 80)).round(3)
    data = make_dataset(x, np.where(x[0] + x[1] > 1, 5.0, 2.0), ["a", "b"], "y")
    with sum_family():
        rules = replace(default_rules(data.task), families=("axis", "sum"))
        steps = surface_of(dtviz.fit(data, rules)).data[0]
    assert set(np.ravel(steps.z)) == {2.0, 5.0}
    assert len(steps.x) > 200
    far = np.add.outer(steps.y[1::2], steps.x[1::2]) - 1  # the upper ends of each step
    sure = np.abs(far) > 0.05
    assert np.array_equal((steps.z[1::2, 1::2] > 3)[sure], (far > 0)[sure])


def test_the_points_stand_at_their_height_and_of_many_a_choice_is_drawn() -> None:
    data = numbers()
    points = surface_of(grown_on(data)).data[1]
    assert np.array_equal(points.x, data.columns[0])
    assert np.array_equal(points.z, data.y)
    many = dtviz.fit(numbers(n=3_000), Rules("squared_error", max_depth=2))
    assert len(surface_of(many).data[1].x) == MAX_POINTS
    level = make_dataset([[1.0, 2.0], [3.0, 3.0]], np.array([5.0, 5.0]), ["a", "b"], "y")
    assert set(np.ravel(surface_of(grown_on(level)).data[0].z)) == {5.0}


# --- curves along the features --------------------------------------------------------------------


def drawn_along(
    data: Dataset, rules: Rules | None = None
) -> tuple[tuple[PartialDependence, ...], go.Figure]:
    model = fit(data, rules)
    found = run_to_end(feature_dependences(model.data, model.tree, 12))
    return found, dependence_curves(model.data, found)


def lines_along(figure: go.Figure, chart: int = 0, mode: str = "lines") -> list[Any]:
    """The curves of one chart."""
    axis = f"x{chart + 1 if chart else ''}"
    return [trace for trace in figure.data if trace.mode == mode and trace.xaxis == axis]


def test_each_feature_has_a_chart_and_each_class_a_curve() -> None:
    found, figure = drawn_along(dtviz.load("iris"))
    assert len(found) == 3
    for chart, values in enumerate(found):
        for k, curve in enumerate(lines_along(figure, chart)):
            assert curve.x.tolist() == values.grid_values.tolist()
            assert curve.y.tolist() == values.mean[:, k].tolist()
            assert curve.line.color == class_colour(k)
    names = [trace.name for trace in figure.data if trace.showlegend]
    assert names == ["setosa", "versicolor", "virginica"]
    assert figure.layout.yaxis.range == figure.layout.yaxis3.range == (-0.04, 1.04)
    assert figure.layout.xaxis.title.text == "petal_length_cm"
    assert len({curve.line.dash for curve in lines_along(figure)}) == 3
    data = make_dataset([[1.0, 2.0, 4.0]], np.array([0, 0, 1]), ["x"], "y", "AB")
    assert lines_along(drawn_along(data)[1])[0].text == ("1", "3", "&gt; 3", "4"), (
        "just above a threshold"
    )


def test_numbers_share_a_scale_and_have_no_legend() -> None:
    x = np.random.default_rng(0).normal(size=(3, 60))
    data = make_dataset(x, 9 * (x[0] > 0) + (x[2] > 1) + 1e8, ["a", "b", "c"], "y")
    found, figure = drawn_along(data, Rules("squared_error", max_depth=2))
    low, high = figure.layout.yaxis.range
    assert figure.layout.yaxis.range == figure.layout.yaxis2.range
    assert low < min(curve.mean.min() for curve in found)
    assert high > max(curve.mean.max() for curve in found)
    assert not any(trace.showlegend for trace in figure.data)
    assert lines_along(figure)[0].line.color == LIGHT.accent
    assert figure.layout.yaxis.title.text == "y"
    assert not figure.layout.yaxis2.title.text
    level = PartialDependence(0, np.array([1.0, 2.0]), np.array([[0.0], [0.0]]), 2)
    data = make_dataset([[1.0, 2.0]], np.array([0.0, 0.0]), ["x"], "y")
    assert dependence_curves(data, [level]).layout.yaxis.range == (-0.5, 0.5)


def test_levels_and_ranks_are_stretches_beside_their_names_and_ticks_are_tenths_of_the_rows() -> (
    None
):
    sizes = pd.Categorical(["S", "M", "L"] * 8, ["S", "M", "L"], ordered=True)
    frame = pd.DataFrame({"kind": [*"ppqqrr"] * 4, "size": sizes})
    frame["y"] = (frame.kind == "q") * 8.0 + (frame["size"] == "L")
    data = dtviz.from_frame(frame, "y", task="regression")
    found, figure = drawn_along(data, Rules("squared_error"))
    assert [values.feature for values in found] == [0, 1]
    for chart, names in enumerate((("p", "q", "r"), ("S", "M", "L"))):
        (curve,) = lines_along(figure, chart)
        axis = figure.layout["xaxis2" if chart else "xaxis"]
        assert (axis.ticktext, axis.range) == (names, (-0.5, 2.5))
        x, y = np.array(curve.x), np.array(curve.y)
        assert np.isnan([x[2::3], y[2::3]]).all()
        assert np.round(x[0::3]).tolist() == np.round(x[1::3]).tolist() == [0, 1, 2]
        assert y[0::3].tolist() == y[1::3].tolist() == found[chart].mean[:, 0].tolist()
        assert [curve.text[at] for at in (0, 3, 6)] == [*names]
        assert lines_along(figure, chart, "markers") == []
    x = np.array([*range(11), np.nan, np.nan])
    data = make_dataset([x], np.append(np.arange(11) > 4, [1, 0]).astype(int), ["x"], "y", "AB")
    found, figure = drawn_along(data, Rules("gini", max_depth=1))
    (marks,) = lines_along(figure, mode="markers")
    assert marks.x.tolist() == [*range(1, 10)]
    assert len(found) == 1


def test_of_many_classes_the_surest_have_a_curve_and_of_many_places_an_even_choice() -> None:
    y = np.arange(60) % 20
    data = make_dataset([y + 0.0, np.zeros(60)], y, ["x", "z"], "y", [f"c{k}" for k in range(20)])
    found, figure = drawn_along(data, Rules("gini", max_depth=3))
    shown = shown_classes(found).tolist()
    assert len(shown) == module.MAX_CLASSES == len(lines_along(figure))
    assert shown == sorted(shown)
    top = found[0].mean.max(axis=0)
    assert top[shown].min() >= np.delete(top, shown).max()
    assert [curve.name for curve in lines_along(figure)] == [f"c{k}" for k in shown]
    places = np.arange(5_000.0)
    line = PartialDependence(0, places, np.stack([places], axis=1), 1)
    (curve,) = lines_along(dependence_curves(make_dataset([places], places, ["x"], "y"), [line]))
    assert len(curve.x) == module.MAX_PLACES
    assert (curve.x[0], curve.x[-1]) == (0, 4_999)
    assert curve.x.tolist() == curve.y.tolist()


# --- names from outside ---------------------------------------------------------------------------


NAME = '<b>%{x} $y$ "z"</b>'


def charts() -> Iterator[tuple[str, go.Figure]]:
    """Every chart on which names from outside stand, in the dark theme."""
    frame = pd.DataFrame({NAME: ["a", "b" + NAME] * 4, "k" + NAME: [1.0, 1.0, 2.0, 2.0] * 2})
    frame["y" + NAME] = ["no" + NAME, "yes"] * 4
    model = dtviz.fit(dtviz.from_frame(frame, "y" + NAME))
    data, rules = model.data, model.rules_used
    problem = Problem(data, rules)
    root = root_tree(problem)
    cuts = node_candidates(problem, root, 1)
    yield "gains", gain_curves(data, cuts, theme=DARK)
    yield "race", criterion_curves(data, candidates_by_criterion(problem, root, 1), (0, 1), DARK)
    yield (
        "dependence",
        dependence_curves(data, run_to_end(feature_dependences(data, model.tree, 12)), DARK),
    )
    for many, size in ((1, STRIP_CELLS), (2, CELLS**2)):
        columns = np.arange(18.0).reshape(2, 9)[:many]
        plane = make_dataset(columns, np.arange(9) % 2, [NAME, "b"][:many], NAME, ["a" + NAME, "b"])
        spread = ResampleSpread(
            (), *[np.zeros(size)] * 3, np.zeros((3, size)), *[np.zeros(size)] * 2
        )
        yield f"resamples over {many}", trees_plane(plane, (0, many - 1), spread, DARK)
    numbers = make_dataset([[1, 2, 3], [1, 3, 2]], np.array([1.0, 2.0, 4.0]), [NAME, "b"], NAME)
    yield "surface", surface_of(grown_on(numbers), theme=DARK)


def test_names_from_outside_are_literal_on_every_chart_and_the_dark_theme_has_its_colours() -> None:
    for name, figure in charts():
        shown = texts([*parts(figure)])
        assert any(plotly(NAME) in text for text in shown), name
        for text in shown:
            assert not [part for part in ("<b>%", "%{x} ", "$y", "</b>") if part in text], name
            assert "&quot;" not in text, "plotly does not read &quot; and shows it as it stands"
        assert DARK.ink in shown, name
        assert not {LIGHT.ink, LIGHT.accent} & {*shown}, name
        assert name not in ("gains", "race") or DARK.accent in shown


def test_the_table_of_candidates_has_sides_yes_and_no_where_a_feature_is_a_category() -> None:
    for name, sides in (("heights", ("left", "right")), ("play_tennis", ("yes", "no"))):
        data = dtviz.load(name)
        frame = ranking_frame(Problem(data, Rules()), cuts_of(data), None, 9, "now")
        assert frame["sides"] == sides
    assert (frame["cut"][0], frame["left"][0], frame["right"][0]) == ("outlook = overcast", 4, 10)


def test_the_table_of_candidates_has_the_figures_of_every_branch() -> None:
    data, rules = dtviz.load("play_tennis"), Rules(families=("multiway",))
    problem = Problem(replace(data, weights=np.full(data.n, 2.0)), rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    frame = ranking_frame(problem, cuts, None, 9, "now")
    assert (frame["row_texts"][0], frame["weight_texts"][0]) == ("4 + 5 + 5", "8 + 10 + 10")
    assert frame["impurity_texts"][0] == "0, 0.971, 0.971"


def test_a_category_with_too_many_values_in_the_node_is_told() -> None:
    levels = (tuple(f"v{code:02}" for code in range(60)), ("a", "b"))
    rules, y = Rules(families=("multiway",)), np.arange(120) % 2
    note = "g: a cut has at most 50 branches, and this category has 60 values here."
    for codes, notes in ((np.arange(120) % 60, [note]), (np.zeros(120), [])):
        data = make_dataset([codes, np.arange(120) // 60], y, "gh", "y", "AB", categories=levels)
        problem = Problem(data, rules)
        cuts = node_candidates(problem, root_tree(problem), 1)
        assert ranking_frame(problem, cuts, None, 9, "now")["notes"] == notes
