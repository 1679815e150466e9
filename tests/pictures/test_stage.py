"""The stage is given what the engine computed: rows, regions and the worth of every cut.

Glossary
    sent      a frame as the browser reads it
    at        a place of the picture: the features on the axes there, the others pinned
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle, pairwise, product
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rings import boxes_in, rings_in
from screens import HOSTILE, flat, texts_in, unpack
from strategies import grown

import dtviz
from dtviz.base.text import clean, number, threshold
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.tree import apply, regions, root_tree, rows_in
from dtviz.explain.words import SYMBOL_WORDS, rule_text
from dtviz.models.model import Model
from dtviz.models.steps import node_candidates
from dtviz.pictures.packing import pack, rounded_values
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import (
    DARK,
    LIGHT,
    MAX_FLOAT,
    MAX_INTEGER_STEPS,
    MAX_LANES,
    MAX_POINTS,
    SCALE,
    class_colour,
    class_symbol,
    drawn_rows,
    scene_axes,
)
from dtviz.pictures.stage import (
    MAX_RULE_LABELS,
    SPREAD_TEXT,
    bare_plane_frame,
    caption,
    cloud_frame,
    scene_frame,
)
from dtviz.pictures.stage_cuts import (
    ADMISSIBLE,
    BOUNDARY,
    MAX_CUTS,
    MAX_NUMBERS_SENT,
    TIED,
    StageView,
    pinned_values,
    pinned_values_at,
    shown_cuts,
)

Frame = dict[str, Any]


def grown_by(found: Dataset, moves: int = 2, **rules: Any) -> Model:
    used = replace(default_rules(found.task), **rules)
    return dtviz.fit(found, used, dtviz.fit(found, used).log[:moves])


def view_of(model: Model, focus: int = 1, **more: Any) -> StageView:
    cuts = node_candidates(Problem(model.data, model.rules_used), model.tree, focus)
    usual = {"cut": cuts.best, "axes": (0, min(1, len(model.data.features) - 1))}
    return StageView(focus, cuts, pinned=pinned_values(model.data), **(usual | more))


def sent(frame: Frame) -> Frame:
    return unpack(pack("k", frame))


def scene_of(model: Model, **more: Any) -> Frame:
    return sent(scene_frame(model.data, model.tree, view_of(model, **more), "name"))


def cloud_of(found: Dataset, axes: tuple[int, int] = (0, 1)) -> Frame:
    return sent(cloud_frame(found, axes, "name"))


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
    row = pinned_values(model.data)
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
# --- points ---------------------------------------------------------------------------------------


def test_every_row_stands_where_it_is() -> None:
    for name, model in FORMS.items():
        data, frame = model.data, cloud_of(model.data)
        assert frame["name"] == "name"
        assert np.array_equal(frame["x"], data.columns[0]), name
        if len(data.features) > 1:
            assert np.array_equal(frame["y"], data.columns[1]), name
        elif not data.classes:
            assert np.array_equal(frame["y"], data.y), name
        else:
            assert np.abs(frame["y"] - data.y).max() <= 0.25
            equal = frame["y"][(data.columns[0] == 170) & (data.y == 1)].tolist()
            assert len(set(equal)) == len(equal) > 1, "equal rows are apart"
        if data.classes:
            assert np.array_equal(frame["code"], data.y), name
            assert "value" not in frame
        else:
            assert np.array_equal(frame["value"], data.y), name
            order = np.argsort(data.y, kind="stable")
            assert (np.diff(frame["code"][order]) >= 0).all(), name
            assert {0, len(SCALE) - 1} <= set(frame["code"].tolist()) <= set(range(len(SCALE)))
    frame = cloud_of(IRIS.data, (3, 0))
    assert np.array_equal(frame["x"], IRIS.data.columns[3])
    assert np.array_equal(frame["y"], IRIS.data.columns[0])


def test_a_class_looks_the_same_on_every_picture() -> None:
    for (name, model), theme in zip(FORMS.items(), (LIGHT, DARK, DARK, LIGHT), strict=True):
        data, view = model.data, view_of(model, theme=theme)
        other = DARK if theme is LIGHT else LIGHT
        for frame in (
            scene_frame(data, model.tree, view, "n"),
            bare_plane_frame(StageContext(data, view.axes, theme=view.theme), "n"),
        ):
            text = str(flat(sent(frame)))
            assert theme.accent in text, name
            assert theme.ink in text, name
            assert other.accent not in text, name
            assert other.ink not in text, name
            if data.classes:
                classes = enumerate(data.class_names)
                looks = [(label, class_colour(k), class_symbol(k)) for k, label in classes]
                assert frame["classes"] == looks
            else:
                assert frame["scale"] == list(SCALE)
                assert (frame["low"], frame["high"]) == (data.y.min(), data.y.max())


def test_of_very_many_rows_an_even_choice_is_drawn_and_the_caption_counts_them() -> None:
    model = grown_by(dtviz.load("moons", n=50_000), 1)
    data, rows = model.data, drawn_rows(model.data)
    assert (rows[0], rows[-1]) == (0, data.n - 1)
    assert len(set(rows.tolist())) == len(rows) == MAX_POINTS
    assert set(np.diff(rows).tolist()) <= {2, 3}
    points, frame = cloud_of(data), scene_of(model, focus=3)
    assert len(points["x"]) == len(points["y"]) == len(points["code"]) == MAX_POINTS
    assert not frame["has_all_rows"]
    assert scene_of(MOONS)["has_all_rows"]
    weighed = replace(data, weights=np.arange(1.0, data.n + 1))
    assert np.array_equal(cloud_of(weighed)["weight"], weighed.weights[rows])  # type: ignore[index]
    assert "weight" not in points
    inside = np.unpackbits(frame["in_focus"])[:MAX_POINTS].astype(bool)
    assert np.array_equal(inside, np.isin(rows, rows_in(model.tree, 3)))
    text = caption(data, view_of(model).cuts, (0, 1), pinned_values(data))
    assert text.startswith("20,000 of 50,000 points are drawn; every row counts.")
    for many in (MAX_POINTS, MAX_POINTS + 1):
        line = make_dataset([np.arange(float(many))], np.arange(many) % 2, ["x"], "y", "AB")
        assert len(cloud_of(line)["x"]) == MAX_POINTS
        assert np.array_equal(drawn_rows(line), np.arange(many)) == (many == MAX_POINTS)


# --- regions --------------------------------------------------------------------------------------


def test_leaves_have_the_colour_of_what_they_predict() -> None:
    for name, model in FORMS.items():
        frame = scene_of(model)
        leaves = {str(r.node): r.value for r in regions(model.data, model.tree)}
        assert frame["values"] == leaves, name
        assert frame["fills"].keys() == leaves.keys()
        codes = cloud_of(model.data)["code"]
        for leaf, code in frame["fills"].items():
            rows = codes[model.tree.rows[int(leaf)]]
            if model.data.classes:
                assert np.bincount(rows).max() == (rows == code).sum(), (name, leaf)
            else:
                assert rows.min() <= code <= rows.max(), (name, leaf)


@given(grown(10), st.data())
def test_any_tree_on_any_data_has_its_leaves_rows_and_cuts_on_the_picture(
    case: Any, drawn: st.DataObject
) -> None:
    found, rules, log, tree = case
    model, features = Model(found, rules, log, tree), range(len(found.features))
    pairs = [(a, b) for a in features for b in features if a != b] or [(0, 0)]
    axes = drawn.draw(st.sampled_from(pairs))
    focus = drawn.draw(st.sampled_from(sorted(tree.nodes)))
    cuts = node_candidates(Problem(found, rules), tree, focus)
    cut = drawn.draw(st.sampled_from([None, *range(len(cuts))]))
    frame = scene_of(model, focus=focus, axes=axes, cut=cut)
    assert_leaves(frame, model, axes)
    assert_rows(frame, model, focus, axes)
    assert_cuts(frame, cuts, cut, axes[: len(features)])
    told = scene_of(model, focus=focus, axes=axes, cut=None)
    assert_asked(
        told, scene_of(model, focus=focus, axes=axes, cut=None, is_asking=True), cuts, axes
    )


def assert_leaves(frame: Frame, model: Model, axes: tuple[int, int]) -> None:
    """Every place of the picture lies in the leaf that the engine sends it to, and in no other."""
    ends, places = [(frame[a]["low"], frame[a]["high"]) for a in ("across", "up")], []
    for feature, (low, high) in zip(axes, ends, strict=True):
        splits = model.tree.splits.values()
        limits = [s.threshold for s in splits if s.projection.feature == feature]
        inner = [*model.data.columns[feature], *limits, low, high]
        places.append([value for value in inner if low <= value <= high])
    if len(model.data.features) == 1:
        places[1] = [ends[1][0], sum(ends[1]) / 2]
    for x, y in product(*places):
        inside = leaves_in(frame, x, y)
        assert leaf_at(model, axes, x, y) in inside
        assert len(inside) == 1 or x == ends[0][0] or y == ends[1][0]


def assert_rows(frame: Frame, model: Model, focus: int, axes: tuple[int, int]) -> None:
    """The rows of the node in focus are marked; all rows stand within the axes."""
    inside = np.unpackbits(frame["in_focus"])[: model.data.n]
    assert np.array_equal(np.flatnonzero(inside), rows_in(model.tree, focus))
    assert frame["n"] == model.tree.nodes[focus].n == inside.sum()
    assert frame["focus"] == str(focus)
    assert frame["is_focus_drawn"] == (frame["focus"] in frame["regions"]["node"])
    points = cloud_of(model.data, axes)
    for axis, values in (("across", points["x"]), ("up", points["y"])):
        low, high = frame[axis]["low"], frame[axis]["high"]
        assert -MAX_FLOAT <= low < high <= MAX_FLOAT
        assert low <= values.min() <= values.max() <= high


def test_more_than_two_features_show_the_slice_at_the_medians_or_through_a_node() -> None:
    data, tree, cuts = IRIS.data, IRIS.tree, view_of(IRIS).cuts
    middle = pinned_values(data)
    assert middle.tolist() == np.median(data.columns, axis=1).tolist()
    frame = scene_of(IRIS, axes=(0, 1))
    assert (frame["across"]["name"], frame["up"]["name"]) == data.features[:2]
    cells = {
        r.node
        for r in regions(data, tree)
        if all(r.lower[f] < middle[f] <= r.upper[f] for f in (2, 3))
    }
    assert {int(leaf) for leaf in frame["fills"]} == cells
    assert len(cells) < len(tree.rows)
    assert caption(data, cuts, (0, 1), middle) == (
        "The plane is the slice at the medians of the others "
        "(petal_length_cm = 4.35, petal_width_cm = 1.3)."
    )
    places = [pinned_values_at(data, tree, node) for node in tree.nodes]
    off = [place for place in places if (place[2:] != middle[2:]).tolist() == [True, False]]
    assert caption(data, cuts, (0, 1), off[0]) == (
        f"The plane is the slice through the node at petal_length_cm = {off[0][2]:g}, at the "
        "medians of the others (petal_width_cm = 1.3)."
    )
    rings = StageContext(data, (0, 1), middle).rings(tree)
    unseen = [node for node in tree.nodes if node not in rings]
    assert unseen
    for node in unseen:
        frame = scene_of(IRIS, focus=node)
        assert (frame["is_focus_drawn"], frame["n"]) == (False, tree.nodes[node].n)


def test_a_slice_right_at_a_threshold_goes_left_as_a_row_does() -> None:
    found = make_dataset(
        [[1, 2, 3, 4]] * 2 + [[0, 0, 1, 1]], np.array([0, 0, 1, 1]), "abc", "y", "AB"
    )
    log = (dtviz.Grow(1, dtviz.axis_split(2, 0.5)),)
    frame = scene_of(dtviz.fit(found, log=log))
    assert pinned_values(found)[2] == 0.5
    assert frame["regions"]["node"] == ["1", "2"]


def test_split_lines_run_across_the_box_of_their_node() -> None:
    for axes in ((2, 3), (3, 0)):
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
            assert rules[node] == rule_text(IRIS.data, IRIS.tree, node, SYMBOL_WORDS)


def test_the_lines_of_the_upper_levels_have_the_labels() -> None:
    found = make_dataset([np.arange(100.0)], np.arange(100) % 2, ["x"], "y", "AB")
    frame = scene_of(grown_by(found, 99, order="breadth"))
    nodes, texts = [int(n) for n in frame["lines"]["node"]], frame["lines"]["rule"]
    assert nodes == sorted(nodes)
    assert all(texts[:MAX_RULE_LABELS])
    assert not any(texts[MAX_RULE_LABELS:])
    assert len(texts) == 99


# --- cuts -----------------------------------------------------------------------------------------


def assert_cuts(frame: Frame, cuts: Candidates, cut: int | None, axes: tuple[int, ...]) -> None:
    """The cuts in the frame are those of the engine, number for number."""
    assert len(frame["cuts"]) == len(axes)
    for feature, of in zip(axes, frame["cuts"], strict=True):
        span = cuts.of_line(feature)
        assert of["index"].tolist() == list(range(span.start, span.stop))
        assert np.array_equal(of["score"], rounded_values(cuts.score[span]))
        if cuts.best is not None and cuts.score[cuts.best]:
            share = rounded_values(100 * cuts.score[span] / cuts.score[cuts.best], 3)
            assert np.array_equal(of["share"], share)
        assert np.array_equal(of["left"], cuts.n_left[span])
        for side in ("impurity_left", "impurity_right"):
            assert np.array_equal(of[side], rounded_values(getattr(cuts, side)[span]))
        flags = (ADMISSIBLE, cuts.admissible), (BOUNDARY, cuts.boundary), (TIED, cuts.tied)
        for flag, values in flags:
            assert np.array_equal(of["flags"] & flag > 0, values[span])
        limits = of["threshold"]
        bounds = zip(cuts.threshold[span], cuts.lower[span], cuts.upper[span], strict=True)
        texts = [threshold(*map(float, bound)) for bound in bounds]
        assert limits.tolist() == [float(text) for text in texts]
        assert of["rule"] or texts == [number(limit, 15) for limit in limits.tolist()]
        assert (cuts.lower[span] <= limits).all()
        assert (limits < cuts.upper[span]).all()
    assert frame["best"] == place_of(cuts, cuts.best if cuts.can_gain else None, axes)
    assert frame["chosen"] == place_of(cuts, cut, axes)
    assert frame["top"] == cuts.score.max(initial=0.0)
    assert frame["is_asking"] is False


def place_of(cuts: Candidates, index: int | None, axes: tuple[int, ...]) -> Any:
    """[axis, place] of a cut; None where it is on no axis."""
    if index is None or cuts.line[index] not in axes:
        return None
    feature = int(cuts.line[index])
    return [axes.index(feature), index - cuts.of_line(feature).start]


def assert_asked(told: Frame, asked: Frame, cuts: Candidates, axes: tuple[int, int]) -> None:
    """While the user is asked, the frame has nothing of what the cuts are worth."""
    worth = {"score", "share", "impurity_left", "impurity_right"}
    assert told.keys() == asked.keys()
    for feature, before, after in zip(axes, told["cuts"], asked["cuts"], strict=False):
        assert before.keys() - after.keys() == worth
        span = cuts.of_line(feature)
        assert np.array_equal(after["flags"], ADMISSIBLE * cuts.admissible[span])
    assert (asked["best"], asked["chosen"], asked["top"]) == (None, None, 0)
    differ = {"best", "top", "is_asking", "flags"} | worth
    assert without(told, differ) == without(asked, differ)


def test_a_cut_of_a_sum_that_parts_known_from_missing_is_told_without_a_place() -> None:
    first, other = np.random.default_rng(0).normal(size=(2, 40))
    first[:8] = np.nan
    found = make_dataset([first, other], np.isnan(first).astype(int), ["u", "v"], "y", "AB")
    rules = Rules("gini", families=("axis", "oblique"))
    model = Model(found, rules, (), root_tree(Problem(found, rules)))
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


def without(value: Any, names: set[str]) -> Any:
    """A frame as plain values, without the entries of these names."""
    if isinstance(value, dict):
        return {k: without(v, names) for k, v in value.items() if k not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else flat(value)


def test_while_the_user_is_asked_the_choice_of_very_many_cuts_does_not_show_the_high() -> None:
    x, frames = np.arange(5_000.0), []
    for seed in (1, 2):
        y = np.random.default_rng(seed).integers(0, 2, 5_000)
        model = grown_by(make_dataset([x], y, ["x"], "y", "AB"), 0)
        frames.append(scene_of(model, cut=None, is_asking=True))
    assert np.array_equal(frames[0]["cuts"][0]["index"], frames[1]["cuts"][0]["index"])


# --- of very many cuts ----------------------------------------------------------------------------


def many_cuts(n: int, seed: int = 1) -> Model:
    rng = np.random.default_rng(seed)
    columns = [rng.random(n), rng.random(n)]
    return grown_by(make_dataset(columns, rng.integers(0, 2, n), ["x", "z"], "y", "AB"), 0)


MANY_CUTS = many_cuts(5_000)


def test_of_very_many_cuts_the_best_the_chosen_and_the_top_of_every_part_are_drawn() -> None:
    cuts = view_of(MANY_CUTS).cuts
    for chosen, most in ((None, 7), (17, 1_500), (4_998, 7), (5_000, MAX_CUTS), (9_997, 7)):
        for feature in (0, 1):
            span = cuts.of_line(feature)
            shown = shown_cuts(cuts, span, chosen, most)
            assert (np.diff(shown) > 0).all()
            assert most <= len(shown) <= most + 2
            must = {i for i in (cuts.best, chosen) if i is not None and span.start <= i < span.stop}
            assert must <= set(shown.tolist())
            assert span.start <= shown[0] <= shown[-1] < span.stop
            ends = np.linspace(span.start, span.stop, most + 1).astype(int)
            for low, high in pairwise(ends):
                part = shown[(low <= shown) & (shown < high)]
                assert cuts.score[part].max() == cuts.score[low:high].max(), (chosen, most)
    for most in (4_998, 4_999, 5_000):
        shown = shown_cuts(cuts, cuts.of_line(0), None, most)
        assert (len(shown) == 4_999) == (most >= 4_999)
    y = np.array([1] + [0] * 9)
    model = grown_by(make_dataset([np.arange(10.0)], y, ["x"], "y", "AB"), 0, min_samples_leaf=2)
    cuts = view_of(model).cuts
    assert cuts.best == 1
    assert shown_cuts(cuts, cuts.of_line(0), None, 1).tolist() == [0, 1], (
        "a forbidden cut is higher"
    )


def test_thinned_cuts_keep_their_numbers_and_the_frame_counts_them_all() -> None:
    cuts = view_of(MANY_CUTS).cuts
    chosen = cuts.of_line(1).start + 1
    frame = scene_of(MANY_CUTS, cut=chosen)
    for of in frame["cuts"]:
        index, limits = of["index"], of["threshold"]
        assert MAX_CUTS <= len(index) <= MAX_CUTS + 2
        assert np.array_equal(of["score"], rounded_values(cuts.score[index]))
        assert np.array_equal(of["left"], cuts.n_left[index])
        assert np.array_equal(of["impurity_right"], rounded_values(cuts.impurity_right[index]))
        assert (cuts.lower[index] <= limits).all()
        assert (limits < cuts.upper[index]).all()
    for word, cut in (("best", cuts.best), ("chosen", chosen)):
        axis, place = frame[word]
        assert frame["cuts"][axis]["index"][place] == cut
    assert frame["candidates"] == len(cuts) > 2 * (MAX_CUTS + 2)


# --- axes -----------------------------------------------------------------------------------------


@given(st.lists(st.integers(-60, 60), min_size=1, max_size=30), st.sampled_from([1, 7]))
def test_points_of_whole_numbers_stay_on_their_side_of_every_threshold_and_on_the_axis(
    numbers: list[int], step: int
) -> None:
    values = step * np.array(numbers, np.float64)
    data = make_dataset([values, values], np.arange(len(values)), ["x", "half"], "y")
    axis, _ = scene_axes(data, (0, 1))
    spread = axis.get("spread", 0.0)
    present = np.unique(values)
    thresholds = (present[:, None] + present) / 2  # of all nodes
    distance = np.abs(thresholds.ravel()[:, None] - present)
    assert spread == 0 or distance[distance > 0].min() > spread
    assert axis["low"] < present[0] - spread
    assert axis["high"] > present[-1] + spread
    n_steps = np.ptp(values) / max(np.gcd.reduce(np.diff(present).astype(int)), 1)
    has_room = 0 < n_steps <= MAX_INTEGER_STEPS
    assert (spread > 0) == (has_room and len(present) < len(values))
    assert "spread" not in scene_axes(replace(data, columns=data.columns + 0.5), (0, 1))[0]


def test_the_caption_says_what_is_not_as_the_rows_have_it() -> None:
    for name, model in FORMS.items():
        axes = (0, min(1, len(model.data.features) - 1))
        is_spread = any("spread" in axis for axis in scene_axes(model.data, axes))
        text = caption(model.data, view_of(model).cuts, axes, pinned_values(model.data))
        assert text == (SPREAD_TEXT if is_spread else ""), name
    costly = replace(MOONS.data, costs=np.array([[0.0, 5.0], [1.0, 0.0]]))
    text = caption(costly, view_of(MOONS).cuts, (0, 1), pinned_values(costly))
    assert text == "Where mistakes have costs, sides of a cut have no class bars and tints."
    data = make_dataset(np.ones((9, 2)), np.array([0, 1]), list("abcdefghi"), "y", "AB")
    text = caption(data, view_of(grown_by(data, 0)).cuts, (0, 4), pinned_values(data))
    assert text.endswith("(b = 1, c = 1, d = 1, f = 1 and 3 more).")


MOST_CLASSES = MAX_NUMBERS_SENT // (MAX_CUTS + 2)


def test_the_sides_of_a_cut_count_all_rows_as_long_as_the_classes_are_few() -> None:
    random = np.random.default_rng(0)
    for classes in (2, MOST_CLASSES, MOST_CLASSES + 1):
        y, names = random.integers(0, classes, 20_001), [str(k) for k in range(classes)]
        data = make_dataset(random.random((2, 20_001)), y, ["a", "b"], "y", names)
        model = grown_by(data, 0, max_depth=1)
        view, few = view_of(model), classes <= MOST_CLASSES
        frame = sent(scene_frame(data, model.tree, view, "name"))
        for cuts in frame["cuts"]:
            assert ("statistics" in cuts) == few
            if few:
                sides = (
                    cuts["statistics"][side].reshape(-1, classes) for side in ("left", "right")
                )
                left, right = sides
                assert np.array_equal(left.sum(axis=1), cuts["left"])
                assert ((left + right) == np.bincount(y)).all()
        text = caption(data, view.cuts, (0, 1), pinned_values(data))
        assert text.endswith("Of so many classes, sides of a cut have no bars and tints.") != few


def test_classes_over_a_single_feature_stand_in_lanes() -> None:
    frame = scene_of(HEIGHTS)
    assert frame["form"] == "strip"
    assert frame["up"] == {"name": "gender", "low": -0.5, "high": 1.5, "lanes": ["f", "m"]}
    wide = make_dataset(
        [np.arange(200.0)], np.arange(200), ["x"], "y", [f"c{k}" for k in range(200)]
    )
    up = scene_of(grown_by(wide, 0))["up"]
    assert len(up["lanes"]) == MAX_LANES
    assert up["high"] == 199.5


# --- tables at the edge ---------------------------------------------------------------------------

LARGE = 1.7e308
EDGES: dict[str, list[list[float]]] = {
    "one row": [[1.0], [2.0]],
    "one row, one feature": [[0.0]],
    "constant": [[1.0, 1.0], [3.0, 3.0]],
    "constant zero": [[0.0, 0.0, 0.0]],
    "two values": [[0.0, 0.0, 1.0]],
    "huge": [[-LARGE, 0.0, LARGE], [5e-324, 1e-323, 0.0]],
    "largest": [[-MAX_FLOAT, 0.0, MAX_FLOAT], [MAX_FLOAT, MAX_FLOAT, MAX_FLOAT]],
    "largest alone": [[MAX_FLOAT], [-MAX_FLOAT]],
    "tiny": [[0.0, 5e-324, 1e-323]],
    "offset": [[1e8, 1e8 + 1, 1e8 + 2], [-1e8, -1e8 - 1, -1e8 - 1]],
    "adjacent": [[1e8, float(np.nextafter(1e8, 2e8)), 1e8 + 1]],
    "huge medians": [[LARGE, LARGE, 1.6e308]] * 3,
}


TASKS: dict[str, tuple[Callable[[int], Any], str]] = {
    "classes": (lambda n: np.arange(n) % 2, "AB"),
    "one class": (lambda n: np.zeros(n, int), "A"),
    "number": (lambda n: np.arange(n) * 1.5, ""),
    "constant number": (lambda n: np.full(n, 0.3), ""),
    "far number": (lambda n: 1e149 * np.arange(1, n + 1), ""),
}


def test_tables_at_the_edge_have_a_picture() -> None:
    tasks = cycle(TASKS)  # each with some tables, each table with three
    for (table, columns), task in ((edge, next(tasks)) for edge in EDGES.items() for _ in range(3)):
        n, (target, labels) = len(columns[0]), TASKS[task]
        names = [f"x{j}" for j in range(len(columns))]
        model = grown_by(make_dataset(columns, target(n), names, "y", labels), 9)
        for focus in model.tree.nodes:
            frame = scene_of(model, focus=focus)  # read as JSON, which has no NaN and no Infinity
            for name, values in (frame | cloud_of(model.data)).items():
                if isinstance(values, np.ndarray):
                    assert np.isfinite(values).all(), (table, task, name)
            for axis in ("across", "up"):
                assert frame[axis]["low"] < frame[axis]["high"], (table, task)
            for left, right, bottom, top in boxes_of(frame).values():
                assert left <= right, (table, task)
                assert bottom <= top, (table, task)
        sent(bare_plane_frame(StageContext(model.data, (0, 1), theme=LIGHT), "n"))


def test_nodes_of_any_depth_keep_their_names() -> None:
    levels = 200
    data = make_dataset([np.arange(levels + 1.0)], np.arange(levels + 1.0), ["x"], "y")
    log = [dtviz.Grow(2 ** (k + 1) - 1, dtviz.axis_split(0, k + 0.5)) for k in range(levels)]
    model = dtviz.fit(data, default_rules("regression"), tuple(log))
    frame = scene_of(model, focus=max(model.tree.nodes))
    assert set(frame["regions"]["node"]) == {str(node) for node in model.tree.nodes}
    assert int(frame["focus"]) == 2**201 - 1


# --- names ----------------------------------------------------------------------------------------


def test_names_are_cleaned() -> None:
    for name, width in zip(HOSTILE, cycle((1, 2))):
        columns = [[1, 2, 3, 4], [4, 3, 2, 1]][:width]
        labels = [name, "other"]
        data = make_dataset(columns, np.array([0, 1, 0, 1]), [name, "b"][:width], name, labels)
        frame = scene_of(grown_by(data, 1))
        assert frame["across"]["name"] == frame["target"] == clean(name), name
        assert frame["classes"][0][0] == clean(name), name
        if width == 1:
            assert frame["up"]["name"] == clean(name), name
            assert frame["up"]["lanes"] == [clean(name), "other"], name
        for text in texts_in(frame):
            assert text.strip() == clean(text, 200), name
    data = make_dataset([[1, 2, 3]], np.array([0, 1, 2]), ["x"], "y", [1, None, 2.5])
    assert [name for name, *_ in scene_of(grown_by(data, 0))["classes"]] == list(data.class_names)


def test_what_is_measured_is_named() -> None:
    frame = scene_of(MOONS, measure="gain ratio", unit="", impurity="entropy")
    assert [frame[k] for k in ("measure", "unit", "impurity")] == ["gain ratio", "", "entropy"]
