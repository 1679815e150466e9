"""The stage holds what the engine computed: rows, regions, gains."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from screens import HOSTILE
from strategies import grown

import dtviz
from dtviz.data import Dataset, dataset
from dtviz.figures import DARK, LIGHT, stage
from dtviz.figures.overview import overview
from dtviz.figures.palette import class_colour, class_symbol
from dtviz.figures.stage import MAX_POINTS, View, caption, drawn_rows, pinned
from dtviz.model import Model
from dtviz.rules import Rules, default_rules
from dtviz.search import best_features
from dtviz.text import clean
from dtviz.trace import node_candidates
from dtviz.tree import regions, rows_in


def grown_by(data: Dataset, moves: int = 2, **rules: Any) -> Model:
    used = replace(default_rules(data.task), **rules)
    return dtviz.fit(data, used, dtviz.fit(data, used).log[:moves])


def view_of(model: Model, focus: int = 1, cut: int | None = None, **more: Any) -> View:
    cuts = node_candidates(model.data, model.rules_used, model.tree, focus)
    at = cuts.best if cut is None else cut
    return View(focus, cuts, at, slice_at=pinned(model.data), **more)


def picture(model: Model, **more: Any) -> Any:
    return stage(model.data, model.tree, view_of(model, **more))


def points(figure: Any) -> list[Any]:
    return [t for t in figure.data if t.mode == "markers" and t.hovertemplate]


def fills(figure: Any) -> list[Any]:
    return [t for t in figure.data if t.fill == "toself"]


def boxes(figure: Any) -> set[tuple[float, ...]]:
    """Left, right, bottom, top of every rectangle drawn."""
    out = set()
    for trace in fills(figure):
        for at in range(0, len(trace.x), 6):
            xs, ys = trace.x[at : at + 5], trace.y[at : at + 5]
            out.add((min(xs), max(xs), min(ys), max(ys)))
    return out


MOONS = grown_by(dtviz.load("moons", n=60), 4)
SINE = grown_by(dtviz.load("sine", n=40), 3)
HEIGHTS = grown_by(dtviz.load("heights"), 1)
TREBLE = grown_by(dtviz.load("rpart_treble"), 3)
IRIS = grown_by(dtviz.load("iris"), 4)
FORMS = {"2-D classes": MOONS, "2-D number": TREBLE, "1-D number": SINE, "1-D classes": HEIGHTS}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_form_is_json_and_shows_every_row(form: str, theme: Any) -> None:
    model = FORMS[form]
    figure = picture(model, theme=theme)
    assert json.loads(figure.to_json())["data"]
    assert "NaN" not in figure.to_json()
    assert sum(len(trace.x) for trace in points(figure)) == model.data.n
    other = DARK if theme is LIGHT else LIGHT
    assert theme.accent in figure.to_json()
    assert other.accent not in figure.to_json()
    assert other.ink not in figure.to_json()


def test_rows_stand_where_they_are_in_the_colour_and_shape_of_their_class() -> None:
    figure = picture(MOONS)
    for k, trace in enumerate(points(figure)):
        mine = MOONS.data.y == k
        assert np.array_equal(np.array(trace.x), MOONS.data.columns[0, mine])
        assert np.array_equal(np.array(trace.y), MOONS.data.columns[1, mine])
        assert (trace.marker.color, trace.marker.symbol) == (class_colour(k), class_symbol(k))


def test_a_class_looks_the_same_before_and_after() -> None:
    for model in (MOONS, HEIGHTS, IRIS):
        here, before = points(picture(model)), points(overview(model.data))
        looks = [[(t.marker.color, t.marker.symbol) for t in some] for some in (here, before)]
        assert looks[0] == looks[1]


@pytest.mark.parametrize("focus", sorted(MOONS.tree.nodes))
def test_rows_outside_the_focus_are_faded(focus: int) -> None:
    inside = np.zeros(MOONS.data.n, bool)
    inside[rows_in(MOONS.tree, focus)] = True
    for k, trace in enumerate(points(picture(MOONS, focus=focus))):
        mine = inside[MOONS.data.y == k]
        assert np.array_equal(np.array(trace.marker.opacity) > 0.5, mine)


@pytest.mark.parametrize("model", [MOONS, TREBLE], ids=["classes", "number"])
def test_rectangles_are_the_regions(model: Model) -> None:
    figure = picture(model)
    (x0, x1), (y0, y1) = figure.layout.xaxis.range, figure.layout.yaxis.range
    wanted = {
        (
            max(r.lower[0], x0),
            min(r.upper[0], x1),
            max(r.lower[1], y0),
            min(r.upper[1], y1),
        )
        for r in regions(model.data, model.tree)
    }
    assert boxes(figure) == wanted
    area = sum((b - a) * (d - c) for a, b, c, d in boxes(figure))
    assert area == pytest.approx((x1 - x0) * (y1 - y0))


def test_rectangles_have_the_colour_of_what_they_predict() -> None:
    classes = {int(r.value) for r in regions(MOONS.data, MOONS.tree)}
    assert len(fills(picture(MOONS))) == len(classes)


def test_more_than_two_features_show_the_slice_at_the_medians() -> None:
    data = IRIS.data
    at = pinned(data)
    assert at.tolist() == np.median(data.columns, axis=1).tolist()
    figure = picture(IRIS, axes=(0, 1))
    assert figure.layout.xaxis.title.text == "sepal_length_cm"
    cells = [
        r for r in regions(data, IRIS.tree) if all(r.lower[f] < at[f] <= r.upper[f] for f in (2, 3))
    ]
    assert len(boxes(figure)) == len(cells) < len(regions(data, IRIS.tree))
    said = caption(data, (0, 1))
    assert "petal_length_cm = 4.35" in said
    assert "petal_width_cm = 1.3" in said


def test_the_slice_covers_the_plane_once() -> None:
    for axes in ((0, 1), (2, 3), (3, 0), best_features(IRIS.data, dtviz.criteria.CRITERIA["gini"])):
        figure = picture(IRIS, axes=axes)
        (x0, x1), (y0, y1) = figure.layout.xaxis.range, figure.layout.yaxis.range
        area = sum((b - a) * (d - c) for a, b, c, d in boxes(figure))
        assert area == pytest.approx((x1 - x0) * (y1 - y0))


def test_two_features_need_no_caption() -> None:
    assert caption(MOONS.data, (0, 1)) == ""
    assert caption(SINE.data, (0, 0)) == ""


def test_gains_stand_at_the_margins_on_one_scale() -> None:
    figure = picture(MOONS)
    cuts = node_candidates(MOONS.data, Rules(), MOONS.tree, 1)
    above = next(t for t in figure.data if t.mode == "lines+markers" and t.yaxis == "y2")
    beside = next(t for t in figure.data if t.mode == "lines+markers" and t.xaxis == "x2")
    first, second = cuts.of_feature(0), cuts.of_feature(1)
    assert np.array_equal(np.array(above.x), cuts.threshold[first])
    assert np.array_equal(np.array(above.y), cuts.score[first])
    assert np.array_equal(np.array(beside.y), cuts.threshold[second])
    assert np.array_equal(np.array(beside.x), cuts.score[second])
    assert figure.layout.yaxis2.range == figure.layout.xaxis2.range
    stars = [t for t in figure.data if t.marker.symbol == "star"]
    assert [list(t.customdata) for t in stars] == [[cuts.best]]


def test_a_number_of_one_feature_has_its_step_function() -> None:
    figure = picture(SINE)
    line = next(t for t in figure.data if t.hovertemplate and t.mode == "lines")
    inner = [x for r in regions(SINE.data, SINE.tree) for x in (r.lower[0], r.upper[0])]
    assert list(line.x)[1:-1] == inner[1:-1]
    assert list(line.y) == [r.value for r in regions(SINE.data, SINE.tree) for _ in (0, 1)]
    assert not fills(figure)


def test_classes_of_one_feature_stand_in_lanes() -> None:
    figure = picture(HEIGHTS)
    assert list(figure.layout.yaxis.ticktext) == ["f", "m"]
    for k, trace in enumerate(points(figure)):
        assert all(abs(y - k) <= 0.25 for y in trace.y)


@pytest.mark.parametrize("model", FORMS.values(), ids=FORMS)
def test_the_cut_looked_at_is_a_line_with_its_rule(model: Model) -> None:
    cuts = node_candidates(model.data, model.rules_used, model.tree, 1)
    for cut in (0, len(cuts) - 1):
        figure = picture(model, cut=cut)
        dashed = next(t for t in figure.data if t.line.dash == "dash")
        t = float(cuts.threshold[cut])
        assert set(dashed.x if cuts.feature[cut] == 0 else dashed.y) == {t}
        assert "≤" in figure.layout.annotations[0].text


def test_a_cut_on_another_feature_draws_no_line() -> None:
    cuts = node_candidates(IRIS.data, IRIS.rules_used, IRIS.tree, 1)
    figure = picture(IRIS, axes=(0, 1), cut=cuts.of_feature(3).start)
    assert not [t for t in figure.data if t.line.dash == "dash"]
    assert len(figure.layout.annotations) == 0


def test_the_focus_is_outlined() -> None:
    figure = picture(MOONS, focus=2)
    outline = next(t for t in figure.data if t.line.width == 2 and t.mode == "lines")
    assert min(outline.x) >= figure.layout.xaxis.range[0]
    split = MOONS.tree.splits[1]
    assert max(outline.x if split.feature == 0 else outline.y) == split.threshold


def test_more_than_5000_rows_are_sampled_evenly_and_said() -> None:
    model = grown_by(dtviz.load("moons", n=12_000), 1)
    figure = picture(model)
    assert sum(len(t.x) for t in points(figure)) == MAX_POINTS
    rows = drawn_rows(model.data)
    assert rows[0] == 0
    assert rows[-1] == model.data.n - 1
    assert len(set(rows.tolist())) == MAX_POINTS
    assert caption(model.data, (0, 1)) == "5,000 of 12,000 points are drawn; every row counts."
    assert len(figure.to_json()) < 2_000_000


def test_many_classes_have_no_legend() -> None:
    assert picture(MOONS).layout.showlegend
    model = grown_by(dtviz.load("blobs", k=200, n=400), 1)
    figure = picture(model)
    assert not figure.layout.showlegend
    assert sum(len(t.x) for t in points(figure)) == 400


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
@pytest.mark.parametrize("width", [1, 2])
def test_hostile_names_are_escaped(name: str, width: int) -> None:
    columns = [[1, 2, 3, 4], [4, 3, 2, 1]][:width]
    data = dataset(columns, np.array([0, 1, 0, 1]), [name, "b"][:width], name, [name, "other"])
    figure = json.loads(picture(grown_by(data, 1)).to_json())
    texts = [t.get("name", "") for t in figure["data"]]
    texts += [t["hovertemplate"].split("<br>")[0] for t in figure["data"] if "hovertemplate" in t]
    layout = figure["layout"]
    texts += [
        note["text"].removeprefix("<b>").removesuffix("</b>") for note in layout["annotations"]
    ]
    texts += [layout["xaxis"]["title"]["text"], layout["yaxis"]["title"]["text"]]
    texts += layout["yaxis"].get("ticktext", [])
    for text in texts:
        text = text.replace("%{x:.6g}: %{y:.4g}<extra></extra>", "")
        text = text.replace("%{y:.6g}: %{x:.4g}<extra></extra>", "")
        assert "<" not in text
        assert "%{" not in text
        assert "$" not in text
        assert "&quot;" not in text, "plotly knows no &quot; and shows it as it stands"


def test_a_name_with_the_sign_in_it_keeps_its_label() -> None:
    data = dataset([[1, 1, 1], [1, 2, 3]], np.array([0, 0, 1]), ["a", "p ≤ q"], "y", "AB")
    note = picture(grown_by(data, 0)).layout.annotations[0].text
    assert note == "<b>≤ 2.5</b>"


@pytest.mark.parametrize(
    "columns",
    [
        [[1.0], [2.0]],
        [[1.0, 1.0], [3.0, 3.0]],
        [[0.0, 0.0, 1.0]],
        [[-1.7e308, 0.0, 1.7e308], [5e-324, 1e-323, 0.0]],
        [[1e8, np.nextafter(1e8, 2e8), 1e8 + 1]],
        [[1.7e308, 1.7e308, 1.6e308], [1.7e308, 1.7e308, 1.6e308], [1.7e308, 1.7e308, 1.6e308]],
    ],
    ids=["one row", "constant", "two values", "huge", "adjacent", "huge medians"],
)
@pytest.mark.parametrize("task", ["classes", "number"])
def test_degenerate_data_have_a_picture(columns: list[list[float]], task: str) -> None:
    n = len(columns[0])
    names = [f"x{j}" for j in range(len(columns))]
    y = np.arange(n) % 2 if task == "classes" else np.arange(n) * 1.5
    data = dataset(columns, y, names, "y", "AB" if task == "classes" else ())
    model = grown_by(data, 9)
    text = picture(model).to_json()
    assert "NaN" not in text
    assert "Infinity" not in text
    for axis in ("xaxis", "yaxis"):
        low, high = json.loads(text)["layout"][axis]["range"]
        assert low is not None
        assert high is not None
        assert low < high


@given(grown(10))
@settings(max_examples=25)
def test_any_tree_on_any_data_has_a_picture(case: Any) -> None:
    data, rules, _, tree = case
    cuts = node_candidates(data, rules, tree, 1)
    view = View(1, cuts, cuts.best, (0, min(1, len(data.features) - 1)), slice_at=pinned(data))
    figure = stage(data, tree, view)
    json.loads(figure.to_json())
    assert sum(len(t.x) for t in points(figure)) == data.n


def test_names_are_cleaned_before_they_are_shortened() -> None:
    data = dataset([[1, 2]], np.array([0, 1]), ["x" * 300], "y", "AB")
    title = picture(grown_by(data, 0)).layout.xaxis.title.text
    assert title == clean("x" * 300)
