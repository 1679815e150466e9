"""The stage is given what the engine computed: rows, regions and the worth of every cut.

Glossary
    sent      a frame as the browser reads it
    at        a place of the picture: the features on the axes there, the others pinned
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rings import boxes_in, rings_in
from screens import HOSTILE, flat, texts_in, unpack
from strategies import data, grown

import dtviz
from dtviz.engine.candidates import Candidates
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.tree import Tree, apply, region, regions, rows_in, stump
from dtviz.figures.cuts import (
    ADMISSIBLE,
    BOUNDARY,
    MAX_CUTS,
    TIED,
    View,
    shown_cuts,
)
from dtviz.figures.frame import pack, short
from dtviz.figures.palette import DARK, LIGHT, SCALE, class_colour, class_symbol
from dtviz.figures.pins import pinned, pinned_in
from dtviz.figures.scene import (
    LARGEST,
    MAX_LABELS,
    MAX_LANES,
    MAX_POINTS,
    bare_scene,
    caption,
    cloud,
    drawn_rows,
    rings_of,
    scene,
)
from dtviz.figures.sides import MOST_FIGURES
from dtviz.model import Model
from dtviz.say.words import SIGNED, rule_text
from dtviz.table.data import Dataset, dataset
from dtviz.text import clean, number, threshold
from dtviz.trace import node_candidates

Frame = dict[str, Any]


def grown_by(found: Dataset, moves: int = 2, **rules: Any) -> Model:
    used = replace(default_rules(found.task), **rules)
    return dtviz.fit(found, used, dtviz.fit(found, used).log[:moves])


def view_of(model: Model, focus: int = 1, **more: Any) -> View:
    cuts = node_candidates(Problem(model.data, model.rules_used), model.tree, focus)
    usual = {"cut": cuts.best, "axes": (0, min(1, len(model.data.features) - 1))}
    return View(focus, cuts, pinned=pinned(model.data), **(usual | more))


def sent(frame: Frame) -> Frame:
    return unpack(pack("k", frame))


def scene_of(model: Model, **more: Any) -> Frame:
    return sent(scene(model.data, model.tree, view_of(model, **more), "name"))


def cloud_of(found: Dataset, axes: tuple[int, int] = (0, 1)) -> Frame:
    return sent(cloud(found, axes, "name"))


def boxes_of(frame: Frame) -> dict[int, tuple[float, ...]]:
    """Left, right, bottom, top by node."""
    return {int(node): box for node, box in boxes_in(frame["regions"]).items()}


def leaves_in(frame: Frame, x: float, y: float) -> list[int]:
    """The leaves in whose boxes a place lies; the picture's own edge belongs to it."""

    def within(value: float, low: float, high: float, edge: float) -> bool:
        return low < value <= high or value == low == edge

    edges = frame["across"]["low"], frame["up"]["low"]
    return [
        node
        for node, (left, right, bottom, top) in boxes_of(frame).items()
        if str(node) in frame["fills"]
        and within(x, left, right, edges[0])
        and within(y, bottom, top, edges[1])
    ]


def leaf_at(model: Model, axes: tuple[int, int], x: float, y: float) -> int:
    """The leaf that the engine sends a row to that stands at this place."""
    row = pinned(model.data)
    row[axes[0]] = x
    if len(row) > 1:
        row[axes[1]] = y
    ids, place = apply(model.tree, row[:, None])
    return ids[int(place[0])]


MOONS = grown_by(dtviz.load("moons", n=60), 4)
SINE = grown_by(dtviz.load("sine", n=40), 3)
HEIGHTS = grown_by(dtviz.load("heights"), 1)
TREBLE = grown_by(dtviz.load("rpart_treble"), 3)
IRIS = grown_by(dtviz.load("iris"), 4)
FORMS = {"2-D classes": MOONS, "2-D number": TREBLE, "1-D number": SINE, "1-D classes": HEIGHTS}
BY_FORM = pytest.mark.parametrize("model", FORMS.values(), ids=FORMS)


# --- points ---------------------------------------------------------------------------------------


@BY_FORM
def test_every_row_stands_where_it_is(model: Model) -> None:
    found, frame = model.data, cloud_of(model.data)
    assert frame["name"] == "name"
    assert np.array_equal(frame["x"], found.columns[0])
    if len(found.features) > 1:
        assert np.array_equal(frame["y"], found.columns[1])
    elif not found.classes:
        assert np.array_equal(frame["y"], found.y)
    else:
        assert np.abs(frame["y"] - found.y).max() <= 0.25
        equal = [frame["y"][(found.columns[0] == x) & (found.y == k)] for x in (170,) for k in (1,)]
        assert len(set(equal[0].tolist())) == len(equal[0]) > 1, "equal rows stay apart"
    if found.classes:
        assert np.array_equal(frame["code"], found.y)
        assert "value" not in frame
    else:
        assert np.array_equal(frame["value"], found.y)
        order = np.argsort(found.y, kind="stable")
        assert (np.diff(frame["code"][order]) >= 0).all()
        assert {0, len(SCALE) - 1} <= set(frame["code"].tolist()) <= set(range(len(SCALE)))


def test_the_points_of_any_two_features() -> None:
    frame = cloud_of(IRIS.data, (3, 0))
    assert np.array_equal(frame["x"], IRIS.data.columns[3])
    assert np.array_equal(frame["y"], IRIS.data.columns[0])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@BY_FORM
def test_a_class_looks_the_same_on_every_picture(model: Model, theme: Any) -> None:
    found = model.data
    view = view_of(model, theme=theme)
    for frame in (
        scene(found, model.tree, view, "n"),
        bare_scene(found, view.axes, view.theme, "n"),
    ):
        text = str(flat(sent(frame)))
        other = DARK if theme is LIGHT else LIGHT
        assert theme.accent in text
        assert theme.ink in text
        assert other.accent not in text
        assert other.ink not in text
        if found.classes:
            named = enumerate(found.class_names)
            looks = [(name, class_colour(k), class_symbol(k)) for k, name in named]
            assert frame["classes"] == looks
        else:
            assert frame["scale"] == list(SCALE)
            assert (frame["low"], frame["high"]) == (found.y.min(), found.y.max())


def test_of_very_many_rows_an_even_choice_is_drawn_and_it_is_said() -> None:
    model = grown_by(dtviz.load("moons", n=50_000), 1)
    rows = drawn_rows(model.data)
    assert (rows[0], rows[-1]) == (0, model.data.n - 1)
    assert len(set(rows.tolist())) == len(rows) == MAX_POINTS
    assert set(np.diff(rows).tolist()) <= {2, 3}
    points, frame = cloud_of(model.data), scene_of(model, focus=3)
    assert len(points["x"]) == len(points["y"]) == len(points["code"]) == MAX_POINTS
    assert not frame["whole"]
    assert scene_of(MOONS)["whole"]
    weighed = replace(model.data, weights=np.arange(1.0, model.data.n + 1))
    assert np.array_equal(cloud_of(weighed)["weight"], weighed.weights[rows])  # type: ignore[index]
    assert "weight" not in points
    inside = np.unpackbits(frame["inside"])[:MAX_POINTS].astype(bool)
    assert np.array_equal(inside, np.isin(rows, rows_in(model.tree, 3)))
    said = caption(model.data, view_of(model).cuts, (0, 1), pinned(model.data))
    assert said.startswith("20,000 of 50,000 points are drawn; every row counts.")


@pytest.mark.parametrize("many", [MAX_POINTS, MAX_POINTS + 1])
def test_up_to_the_limit_all_rows_are_drawn(many: int) -> None:
    found = dataset([np.arange(float(many))], np.arange(many) % 2, ["x"], "y", "AB")
    assert len(cloud_of(found)["x"]) == MAX_POINTS
    assert np.array_equal(drawn_rows(found), np.arange(many)) == (many == MAX_POINTS)


@pytest.mark.parametrize("focus", sorted(MOONS.tree.nodes))
def test_the_rows_of_the_focus_are_told(focus: int) -> None:
    frame = scene_of(MOONS, focus=focus)
    inside = np.unpackbits(frame["inside"])[: MOONS.data.n].astype(bool)
    assert np.array_equal(np.flatnonzero(inside), rows_in(MOONS.tree, focus))
    assert frame["n"] == MOONS.tree.nodes[focus].n == inside.sum()
    assert frame["focus"] == str(focus)


# --- regions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [MOONS, TREBLE], ids=["classes", "number"])
def test_boxes_are_the_regions_as_far_as_the_axes_go(model: Model) -> None:
    frame = scene_of(model)
    (x0, x1), (y0, y1) = ((frame[a]["low"], frame[a]["high"]) for a in ("across", "up"))
    boxes = boxes_of(frame)
    assert boxes.keys() == model.tree.nodes.keys()
    for node, box in boxes.items():
        r = region(model.data, model.tree, node)
        assert box == (
            max(r.lower[0], x0),
            min(r.upper[0], x1),
            max(r.lower[1], y0),
            min(r.upper[1], y1),
        )
    area = sum((b - a) * (d - c) for k, (a, b, c, d) in boxes.items() if k in model.tree.rows)
    assert area == pytest.approx((x1 - x0) * (y1 - y0))


@BY_FORM
def test_leaves_have_the_colour_of_what_they_predict(model: Model) -> None:
    frame = scene_of(model)
    leaves = {str(r.node): r.value for r in regions(model.data, model.tree)}
    assert frame["values"] == leaves
    assert frame["fills"].keys() == leaves.keys()
    codes = cloud_of(model.data)["code"]
    for leaf, code in frame["fills"].items():
        mine = codes[model.tree.rows[int(leaf)]]
        if model.data.classes:
            assert np.bincount(mine).max() == (mine == code).sum()
        else:
            assert mine.min() <= code <= mine.max()


@pytest.mark.parametrize("model", [SINE, HEIGHTS], ids=["number", "classes"])
def test_one_feature_is_cut_into_intervals_of_full_height(model: Model) -> None:
    frame = scene_of(model)
    assert frame["form"] == "strip"
    for r in regions(model.data, model.tree):
        left, right, bottom, top = boxes_of(frame)[r.node]
        low, high = frame["across"]["low"], frame["across"]["high"]
        assert (left, right) == (max(r.lower[0], low), min(r.upper[0], high))
        assert (bottom, top) == (frame["up"]["low"], frame["up"]["high"])


@given(grown(10), st.data())
def test_the_picture_sends_every_place_to_the_leaf_the_engine_does(
    case: Any, drawn: st.DataObject
) -> None:
    found, rules, log, tree = case
    model = Model(found, rules, log, tree)
    many = len(found.features)
    axes = (0, 0)
    if many > 1:
        axes = drawn.draw(
            st.sampled_from([(a, b) for a in range(many) for b in range(many) if a != b])
        )
    frame = scene_of(model, focus=drawn.draw(st.sampled_from(sorted(tree.nodes))), axes=axes)
    places = []
    for feature, axis in zip(axes, ("across", "up"), strict=True):
        limits = [s.threshold for s in tree.splits.values() if s.projection.feature == feature]
        inner = [*found.columns[feature], *limits, frame[axis]["low"], frame[axis]["high"]]
        low, high = frame[axis]["low"], frame[axis]["high"]
        places.append([value for value in inner if low <= value <= high])
    if many == 1:
        places[1] = [frame["up"]["low"], (frame["up"]["low"] + frame["up"]["high"]) / 2]
    for x in places[0]:
        for y in places[1]:
            edge = x == frame["across"]["low"] or y == frame["up"]["low"]
            inside = leaves_in(frame, x, y)
            assert leaf_at(model, axes, x, y) in inside
            assert len(inside) == 1 or edge
    assert frame["seen"] == (frame["focus"] in frame["regions"]["node"])


def test_more_than_two_features_show_the_slice_at_the_medians() -> None:
    found = IRIS.data
    at = pinned(found)
    assert at.tolist() == np.median(found.columns, axis=1).tolist()
    frame = scene_of(IRIS, axes=(0, 1))
    assert (frame["across"]["name"], frame["up"]["name"]) == found.features[:2]
    cells = {
        r.node
        for r in regions(found, IRIS.tree)
        if all(r.lower[f] < at[f] <= r.upper[f] for f in (2, 3))
    }
    assert {int(leaf) for leaf in frame["fills"]} == cells
    assert len(cells) < len(IRIS.tree.rows)
    said = caption(found, view_of(IRIS).cuts, (0, 1), at)
    assert said == (
        "The plane is the slice at the medians of the others "
        "(petal_length_cm = 4.35, petal_width_cm = 1.3)."
    )


def test_a_slice_through_a_node_is_told_apart_from_the_medians() -> None:
    (unseen, *_) = (
        node
        for node in IRIS.tree.nodes
        if (pinned_in(IRIS.data, IRIS.tree, node)[2:] != pinned(IRIS.data)[2:]).tolist()
        == [True, False]
    )
    at = pinned_in(IRIS.data, IRIS.tree, unseen)
    assert caption(IRIS.data, view_of(IRIS).cuts, (0, 1), at) == (
        f"The plane is the slice through the node at petal_length_cm = {at[2]:g}, at the medians "
        "of the others (petal_width_cm = 1.3)."
    )


def test_a_slice_right_at_a_threshold_goes_left_as_a_row_does() -> None:
    found = dataset([[1, 2, 3, 4]] * 2 + [[0, 0, 1, 1]], np.array([0, 0, 1, 1]), "abc", "y", "AB")
    log = (dtviz.Grow(1, dtviz.axis_split(2, 0.5)),)
    frame = scene_of(dtviz.fit(found, log=log))
    assert pinned(found)[2] == 0.5
    assert frame["regions"]["node"] == ["1", "2"]


def test_a_focus_that_the_slice_does_not_meet_is_said_to_be_unseen() -> None:
    unseen = [
        node
        for node in IRIS.tree.nodes
        if node not in rings_of(IRIS.data, IRIS.tree, (0, 1), pinned(IRIS.data))
    ]
    assert unseen
    for node in unseen:
        frame = scene_of(IRIS, focus=node)
        assert not frame["seen"]
        assert frame["n"] == IRIS.tree.nodes[node].n


@pytest.mark.parametrize("axes", [(0, 1), (2, 3), (3, 0), (1, 2)])
def test_the_slice_covers_the_plane_once(axes: tuple[int, int]) -> None:
    frame = scene_of(IRIS, axes=axes)
    (x0, x1), (y0, y1) = ((frame[a]["low"], frame[a]["high"]) for a in ("across", "up"))
    boxes = [box for node, box in boxes_of(frame).items() if str(node) in frame["fills"]]
    area = sum((b - a) * (d - c) for a, b, c, d in boxes)
    assert area == pytest.approx((x1 - x0) * (y1 - y0))


@pytest.mark.parametrize("axes", [(0, 1), (2, 3), (3, 0)])
def test_split_lines_run_across_the_box_of_their_node(axes: tuple[int, int]) -> None:
    frame = scene_of(IRIS, axes=axes)
    boxes = boxes_of(frame)
    lines = {int(node): line for node, line in rings_in(frame["lines"]).items()}
    rules = dict(zip(lines, frame["lines"]["rule"], strict=True))
    for node, split in IRIS.tree.splits.items():
        if node not in boxes or split.projection.feature not in axes:
            assert node not in lines
            continue
        left, right, bottom, top = boxes[node]
        axis, place = axes.index(split.projection.feature), split.threshold
        ends = [(left, place), (right, place)] if axis else [(place, bottom), (place, top)]
        assert sorted(map(tuple, lines[node].tolist())) == ends
        assert rules[node] == rule_text(IRIS.data, IRIS.tree, node, SIGNED)


def test_the_lines_of_the_upper_levels_have_the_labels() -> None:
    found = dataset([np.arange(100.0)], np.arange(100) % 2, ["x"], "y", "AB")
    frame = scene_of(grown_by(found, 99, order="breadth"))
    nodes, texts = [int(n) for n in frame["lines"]["node"]], frame["lines"]["rule"]
    assert nodes == sorted(nodes)
    assert all(texts[:MAX_LABELS])
    assert not any(texts[MAX_LABELS:])
    assert len(texts) == 99


# --- cuts -----------------------------------------------------------------------------------------


def assert_holds(frame: Frame, cuts: Candidates, axes: tuple[int, ...]) -> None:
    """The cuts in the frame are those of the engine, number for number."""
    for axis, feature in enumerate(axes):
        span = cuts.of_line(feature)
        at = frame["cuts"][axis]["index"]
        assert at.tolist() == list(range(span.start, span.stop))
        assert np.array_equal(frame["cuts"][axis]["score"], short(cuts.score[span]))
        if cuts.best is not None and cuts.score[cuts.best]:
            share = short(100 * cuts.score[span] / cuts.score[cuts.best], 3)
            assert np.array_equal(frame["cuts"][axis]["share"], share)
        assert np.array_equal(frame["cuts"][axis]["left"], cuts.n_left[span])
        for side in ("impurity_left", "impurity_right"):
            assert np.array_equal(frame["cuts"][axis][side], short(getattr(cuts, side)[span]))
        flags = frame["cuts"][axis]["flags"]
        assert np.array_equal(flags & ADMISSIBLE > 0, cuts.admissible[span])
        assert np.array_equal(flags & BOUNDARY > 0, cuts.boundary[span])
        assert np.array_equal(flags & TIED > 0, cuts.tied[span])
        bounds = zip(cuts.threshold[span], cuts.lower[span], cuts.upper[span], strict=True)
        limits = frame["cuts"][axis]["threshold"]
        texts = [threshold(*map(float, bound)) for bound in bounds]
        assert limits.tolist() == [float(text) for text in texts]
        assert frame["cuts"][axis]["rule"] or texts == [number(one, 15) for one in limits.tolist()]
        assert (cuts.lower[span] <= limits).all()
        assert (limits < cuts.upper[span]).all()


def place_of(frame: Frame, cuts: Candidates, index: int | None, axes: tuple[int, ...]) -> Any:
    """[axis, place] of a cut; None where it is on no axis."""
    if index is None or cuts.line[index] not in axes:
        return None
    feature = int(cuts.line[index])
    return [axes.index(feature), index - cuts.of_line(feature).start]


@given(grown(10), st.data())
def test_every_cut_is_sent_as_the_engine_scored_it(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, tree = case
    model = Model(found, rules, log, tree)
    focus = drawn.draw(st.sampled_from(sorted(tree.nodes)))
    cuts = node_candidates(Problem(found, rules), tree, focus)
    cut = drawn.draw(st.sampled_from([None, *range(len(cuts))]))
    axes = (0, 1) if len(found.features) > 1 else (0,)
    frame = scene_of(model, focus=focus, cut=cut)
    assert_holds(frame, cuts, axes)
    assert len(frame["cuts"]) == len(axes)
    assert frame["best"] == place_of(frame, cuts, cuts.best, axes)
    assert frame["chosen"] == place_of(frame, cuts, cut, axes)
    assert frame["top"] == cuts.score.max(initial=0.0)
    assert frame["asking"] is False


def test_the_gains_worked_by_hand() -> None:
    # x: 1 1 2 2 3 4 / A A A A B B: cuts at 1.5, 2.5, 3.5; the classes part at 2.5
    small = dataset(
        [[1, 1, 2, 2, 3, 4], [1, 1, 1, 1, 9, 9]],
        np.array([0, 0, 0, 0, 1, 1]),
        ["u", "v"],
        "y",
        "AB",
    )
    frame = scene_of(grown_by(small, 0, min_samples_leaf=2), cut=0)
    assert frame["cuts"][0]["threshold"].tolist() == [1.5, 2.5, 3.5]
    assert frame["cuts"][0]["score"] == pytest.approx([0.2516, 0.9183, 0.3167], abs=1e-4)
    assert frame["cuts"][0]["left"].tolist() == [2, 4, 5]
    best, second = ADMISSIBLE | BOUNDARY | TIED, ADMISSIBLE | BOUNDARY | TIED
    assert frame["cuts"][0]["flags"].tolist() == [ADMISSIBLE, best, 0]
    assert frame["cuts"][1]["flags"].tolist() == [second]
    assert (frame["best"], frame["chosen"]) == ([0, 1], [0, 0])


def test_a_cut_of_a_sum_that_parts_known_from_missing_is_told_without_a_place() -> None:
    first, other = np.random.default_rng(0).normal(size=(2, 40))
    first[:8] = np.nan
    found = dataset([first, other], np.isnan(first).astype(int), ["u", "v"], "y", "AB")
    rules = Rules("gini", families=("axis", "oblique"))
    model = Model(found, rules, (), stump(Problem(found, rules)))
    cuts = view_of(model).cuts
    apart = [
        at
        for at in np.flatnonzero(np.isinf(cuts.threshold)).tolist()
        if cuts.projections[cuts.line[at]].family == "oblique"
    ]
    frame = scene_of(model, cut=apart[0])
    axis, place = frame["chosen"]
    assert axis == 2
    assert np.isnan(frame["cuts"][axis]["threshold"][place])
    assert np.isfinite(frame["cuts"][axis]["threshold"][:place]).all()


def test_a_cut_on_another_feature_is_on_no_axis() -> None:
    cuts = node_candidates(Problem(IRIS.data, IRIS.rules_used), IRIS.tree, 1)
    frame = scene_of(IRIS, axes=(0, 1), cut=cuts.of_line(3).start)
    assert frame["chosen"] is None
    assert frame["best"] is None
    assert 0 < frame["cuts"][0]["share"].max() < 100
    swapped = scene_of(IRIS, axes=(3, 2), cut=cuts.of_line(3).start)
    assert swapped["chosen"] == [0, 0]
    assert_holds(swapped, cuts, (3, 2))


@given(grown(10), st.data())
def test_asking_tells_nothing(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, tree = case
    model = Model(found, rules, log, tree)
    focus = drawn.draw(st.sampled_from(sorted(tree.nodes)))
    told, asked = (
        scene_of(model, focus=focus, cut=None, asking=asking) for asking in (False, True)
    )
    cuts = node_candidates(Problem(found, rules), tree, focus)
    worth = {"score", "share", "impurity_left", "impurity_right"}
    assert told.keys() == asked.keys()
    for one, other in zip(told["cuts"], asked["cuts"], strict=True):
        assert one.keys() - other.keys() == worth
    assert (asked["best"], asked["chosen"]) == (None, None)
    assert asked["top"] == 0
    for axis in range(len(asked["cuts"])):
        span = cuts.of_line(axis)
        assert np.array_equal(asked["cuts"][axis]["flags"], ADMISSIBLE * cuts.admissible[span])
    differ = {"best", "top", "asking", "flags"} | worth
    assert without(told, differ) == without(asked, differ)


def without(value: Any, names: set[str]) -> Any:
    """A frame as plain values, without the entries of these names."""
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else flat(value)


def test_asking_about_very_many_cuts_does_not_draw_those_that_are_high() -> None:
    x = np.arange(5_000.0)
    frames = []
    for seed in (1, 2):
        y = np.random.default_rng(seed).integers(0, 2, 5_000)
        model = grown_by(dataset([x], y, ["x"], "y", "AB"), 0)
        frames.append(scene_of(model, cut=None, asking=True))
    assert np.array_equal(frames[0]["cuts"][0]["index"], frames[1]["cuts"][0]["index"])


# --- of very many cuts ----------------------------------------------------------------------------


def many_cuts(n: int = 5_000) -> Model:
    rng = np.random.default_rng(1)
    columns = [rng.random(n), rng.random(n)]
    return grown_by(dataset(columns, rng.integers(0, 2, n), ["x", "z"], "y", "AB"), 0)


@pytest.mark.parametrize("chosen", [None, 17, 4_998, 5_000, 9_997])
@pytest.mark.parametrize("most", [7, 1_500, MAX_CUTS])
def test_the_best_the_chosen_and_the_top_of_every_part_stay(chosen: int | None, most: int) -> None:
    cuts = view_of(many_cuts()).cuts
    for feature in (0, 1):
        span = cuts.of_line(feature)
        shown = shown_cuts(cuts, cuts.of_line(feature), chosen, most)
        assert (np.diff(shown) > 0).all()
        assert most <= len(shown) <= most + 2
        must = {i for i in (cuts.best, chosen) if i is not None and span.start <= i < span.stop}
        assert must <= set(shown.tolist())
        assert span.start <= shown[0] <= shown[-1] < span.stop
        ends = np.linspace(span.start, span.stop, most + 1).astype(int)
        for low, high in pairwise(ends):
            part = shown[(low <= shown) & (shown < high)]
            assert cuts.score[part].max() == cuts.score[low:high].max()


def test_the_best_stays_where_a_forbidden_cut_is_higher() -> None:
    y = np.array([1] + [0] * 9)
    model = grown_by(dataset([np.arange(10.0)], y, ["x"], "y", "AB"), 0, min_samples_leaf=2)
    cuts = view_of(model).cuts
    assert cuts.best == 1
    assert shown_cuts(cuts, cuts.of_line(0), None, 1).tolist() == [0, 1]


@pytest.mark.parametrize("most", [4_998, 4_999, 5_000])
def test_no_more_than_the_limit_and_all_are_drawn(most: int) -> None:
    cuts = view_of(many_cuts()).cuts
    shown = shown_cuts(cuts, cuts.of_line(0), None, most)
    assert (len(shown) == 4_999) == (most >= 4_999)


def test_thinned_cuts_keep_their_own_numbers_and_it_is_said() -> None:
    model = many_cuts()
    cuts = view_of(model).cuts
    chosen = cuts.of_line(1).start + 1
    frame = scene_of(model, cut=chosen)
    for axis in (0, 1):
        at = frame["cuts"][axis]["index"]
        assert MAX_CUTS <= len(at) <= MAX_CUTS + 2
        assert np.array_equal(frame["cuts"][axis]["score"], short(cuts.score[at]))
        assert np.array_equal(frame["cuts"][axis]["left"], cuts.n_left[at])
        assert np.array_equal(frame["cuts"][axis]["impurity_right"], short(cuts.impurity_right[at]))
        limits = frame["cuts"][axis]["threshold"]
        assert (cuts.lower[at] <= limits).all()
        assert (limits < cuts.upper[at]).all()
    for word, index in (("best", cuts.best), ("chosen", chosen)):
        axis, place = frame[word]
        assert frame["cuts"][axis]["index"][place] == index
    assert frame["candidates"] == len(cuts) > 2 * (MAX_CUTS + 2)


# --- axes -----------------------------------------------------------------------------------------


def test_why_the_sides_of_a_cut_show_no_classes_is_said() -> None:
    fewer = dtviz.load("moons", n=50)
    few = dtviz.fit(fewer, dtviz.Rules(max_depth=1))
    assert caption(fewer, view_of(few).cuts, (0, 1), pinned(fewer)) == ""
    costly = replace(fewer, costs=np.array([[0.0, 5.0], [1.0, 0.0]]))
    said = caption(costly, view_of(few).cuts, (0, 1), pinned(costly))
    assert said == "Where mistakes have costs, sides of a cut have no class bars and tints."


MOST_CLASSES = MOST_FIGURES // (MAX_CUTS + 2)


@pytest.mark.parametrize("classes", [2, MOST_CLASSES, MOST_CLASSES + 1])
def test_the_sides_of_a_cut_are_told_of_all_rows_as_long_as_the_classes_are_few(
    classes: int,
) -> None:
    random = np.random.default_rng(0)
    y, names = random.integers(0, classes, 20_001), [str(k) for k in range(classes)]
    many = dataset(random.random((2, 20_001)), y, ["a", "b"], "y", names)
    model = dtviz.fit(many, dtviz.Rules(max_depth=1))
    frame = scene_of(model)
    said = caption(many, view_of(model).cuts, (0, 1), pinned(many))
    for cuts in frame["cuts"]:
        assert ("weighed" in cuts) == (classes <= MOST_CLASSES)
        if classes <= MOST_CLASSES:
            left, right = (cuts["weighed"][side].reshape(-1, classes) for side in ("left", "right"))
            assert np.array_equal(left.sum(axis=1), cuts["left"])
            assert ((left + right) == np.bincount(y)).all()
    assert said.endswith("Of so many classes, sides of a cut have no bars and tints.") == (
        classes > MOST_CLASSES
    )


def test_two_features_need_no_caption() -> None:
    for model in FORMS.values():
        axes = (0, min(1, len(model.data.features) - 1))
        assert caption(model.data, view_of(model).cuts, axes, pinned(model.data)) == ""


def test_many_pinned_features_are_counted() -> None:
    found = dataset(np.ones((9, 2)), np.array([0, 1]), list("abcdefghi"), "y", "AB")
    said = caption(found, view_of(grown_by(found, 0)).cuts, (0, 4), pinned(found))
    assert said.endswith("(b = 1, c = 1, d = 1, f = 1 and 3 more).")


def test_classes_of_one_feature_stand_in_lanes() -> None:
    frame = scene_of(HEIGHTS)
    assert frame["up"] == {"name": "gender", "low": -0.5, "high": 1.5, "lanes": ["f", "m"]}
    wide = dataset([np.arange(200.0)], np.arange(200), ["x"], "y", [f"c{k}" for k in range(200)])
    up = scene_of(grown_by(wide, 0))["up"]
    assert len(up["lanes"]) == MAX_LANES
    assert up["high"] == 199.5


@given(data(10))
def test_the_axes_hold_every_row(found: Dataset) -> None:
    model = grown_by(found, 0)
    frame, points = scene_of(model), cloud_of(found)
    for axis, values in (("across", points["x"]), ("up", points["y"])):
        low, high = frame[axis]["low"], frame[axis]["high"]
        assert -LARGEST <= low < high <= LARGEST
        assert low <= values.min() <= values.max() <= high


# --- tables at the edge ---------------------------------------------------------------------------

LARGE = 1.7e308
EDGES: dict[str, list[list[float]]] = {
    "one row": [[1.0], [2.0]],
    "one row, one feature": [[0.0]],
    "constant": [[1.0, 1.0], [3.0, 3.0]],
    "constant zero": [[0.0, 0.0, 0.0]],
    "two values": [[0.0, 0.0, 1.0]],
    "huge": [[-LARGE, 0.0, LARGE], [5e-324, 1e-323, 0.0]],
    "largest": [[-LARGEST, 0.0, LARGEST], [LARGEST, LARGEST, LARGEST]],
    "largest alone": [[LARGEST], [-LARGEST]],
    "tiny": [[0.0, 5e-324, 1e-323]],
    "offset": [[1e8, 1e8 + 1, 1e8 + 2], [-1e8, -1e8 - 1, -1e8 - 1]],
    "adjacent": [[1e8, float(np.nextafter(1e8, 2e8)), 1e8 + 1]],
    "huge medians": [[LARGE, LARGE, 1.6e308]] * 3,
}


@pytest.mark.parametrize("columns", EDGES.values(), ids=EDGES)
@pytest.mark.parametrize(
    "task", ["classes", "one class", "number", "constant number", "far number"]
)
def test_tables_at_the_edge_have_a_picture(columns: list[list[float]], task: str) -> None:
    n = len(columns[0])
    y: Any = {
        "classes": np.arange(n) % 2,
        "one class": np.zeros(n, int),
        "number": np.arange(n) * 1.5,
        "constant number": np.full(n, 0.3),
        "far number": 1e149 * np.arange(1, n + 1),
    }[task]
    labels = {"classes": "AB", "one class": "A"}.get(task, "")
    names = [f"x{j}" for j in range(len(columns))]
    model = grown_by(dataset(columns, y, names, "y", labels), 9)
    for focus in model.tree.nodes:
        frame = scene_of(model, focus=focus)  # read as JSON, which has no NaN and no Infinity
        for name, values in (frame | cloud_of(model.data)).items():
            if isinstance(values, np.ndarray):
                assert np.isfinite(values).all(), name
        for axis in ("across", "up"):
            assert frame[axis]["low"] < frame[axis]["high"]
        for left, right, bottom, top in boxes_of(frame).values():
            assert left <= right
            assert bottom <= top
    sent(bare_scene(model.data, (0, 1), LIGHT, "n"))


@given(grown(10))
def test_any_tree_on_any_data_has_a_picture(case: Any) -> None:
    found, rules, log, tree = case
    model = Model(found, rules, log, tree)
    for focus in tree.nodes:
        frame = scene_of(model, focus=focus)
        assert np.unpackbits(frame["inside"])[: found.n].sum() == tree.nodes[focus].n
    assert len(cloud_of(found, (0, min(1, len(found.features) - 1)))["x"]) == found.n


def deep(levels: int) -> tuple[Dataset, Tree]:
    """A chain of splits, each deeper than the one before."""
    found = dataset([np.arange(levels + 1.0)], np.arange(levels + 1.0), ["x"], "y")
    log = []
    node = 1
    for k in range(levels):
        log.append(dtviz.Grow(node, dtviz.axis_split(0, k + 0.5)))
        node = 2 * node + 1
    return found, dtviz.fit(found, default_rules("regression"), tuple(log)).tree


def test_nodes_of_any_depth_keep_their_names() -> None:
    found, tree = deep(200)
    model = Model(found, default_rules("regression"), (), tree)
    frame = scene_of(model, focus=max(tree.nodes))
    assert set(frame["regions"]["node"]) == {str(node) for node in tree.nodes}
    assert int(frame["focus"]) == 2**201 - 1


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
@pytest.mark.parametrize("width", [1, 2])
def test_names_are_cleaned(name: str, width: int) -> None:
    columns = [[1, 2, 3, 4], [4, 3, 2, 1]][:width]
    labels = [name, "other"]
    found = dataset(columns, np.array([0, 1, 0, 1]), [name, "b"][:width], name, labels)
    frame = scene_of(grown_by(found, 1))
    assert frame["across"]["name"] == frame["target"] == clean(name)
    assert frame["classes"][0][0] == clean(name)
    if width == 1:
        assert frame["up"]["name"] == clean(name)
        assert frame["up"]["lanes"] == [clean(name), "other"]
    for text in texts_in(frame):
        assert text.strip() == clean(text, 200)


def test_a_class_may_be_called_anything_that_is_no_text() -> None:
    found = dataset([[1, 2, 3]], np.array([0, 1, 2]), ["x"], "y", [1, None, 2.5])
    assert [name for name, *_ in scene_of(grown_by(found, 0))["classes"]] == list(found.class_names)


def test_what_is_measured_is_named() -> None:
    frame = scene_of(MOONS, measure="gain ratio", unit="", impurity="entropy")
    assert [frame[k] for k in ("measure", "unit", "impurity")] == ["gain ratio", "", "entropy"]
