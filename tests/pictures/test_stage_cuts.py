"""Where rows and regions stand off the plane: pinned features, gutters, rows, bands of values."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from hypothesis import given
from screens import unpack
from strategies import data

import dtviz
from dtviz import Rules
from dtviz.base.text import rounded
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search.candidates import Bands, Candidates, keep_lines
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import goes_left, ring_parts, score, subset_split
from dtviz.engine.tree import Grow, apply
from dtviz.explain.words import candidate_text
from dtviz.models.model import Model
from dtviz.models.steps import node_candidates
from dtviz.pictures import stage as ways
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.gains import gain_curves
from dtviz.pictures.packing import pack
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import LIGHT, orders_of_tree
from dtviz.pictures.stage import caption, cloud_frame, point_leaves_frame, scene_frame, slice_text
from dtviz.pictures.stage_cuts import (
    MAX_NEARNESS,
    MAX_PINNABLE_VALUES,
    StageView,
    cut_positions,
    cuts_frame,
    nearness,
    pinnable_features,
    pinnable_values,
    pinned_values,
    pinned_values_at,
    shown_cuts,
    statistics_fit,
    statistics_frame,
)
from dtviz.session.screen import screen_of
from dtviz.session.session import SelectedRow, Session

IRIS = dtviz.fit(dtviz.load("iris"))


def test_the_slice_meets_the_node_in_focus_and_features_pinned_by_hand_stay() -> None:
    data, tree = IRIS.data, IRIS.tree
    usual = pinned_values(data)
    for node in tree.nodes:
        place = pinned_values_at(data, tree, node)
        assert node in StageContext(data, (0, 1), place).rings(tree)
        if node in StageContext(data, (0, 1), usual).rings(tree):
            assert place[2:].tolist() == usual[2:].tolist(), node
        assert pinned_values_at(data, tree, node, ((3, 0.2),))[3] == 0.2
    place = pinned_values(data, ((3, 0.2),))
    assert (place[3], place[:3].tolist()) == (0.2, usual[:3].tolist())
    text = slice_text(data, (0, 1), place, ((3, 0.2),))
    assert text.startswith("The plane is the slice at petal_width_cm = 0.2, at the medians of")


def test_only_features_that_the_tree_asks_and_no_axis_has_are_moved() -> None:
    data = IRIS.data
    asked = {split.projection.feature for split in IRIS.tree.splits.values()}
    assert pinnable_features(data, IRIS.tree, (0, 1)) == sorted(asked - {0, 1})
    assert pinnable_features(data, dtviz.fit(data, dtviz.Rules(max_depth=1)).tree, (2, 3)) == []
    columns = np.random.default_rng(0).normal(size=(4, 60))
    found = make_dataset(columns, columns.sum(axis=0), "abcd", "y")
    rules = dtviz.Rules("squared_error", max_depth=1, leaf_model="linear")
    assert pinnable_features(found, dtviz.fit(found, rules).tree, (0, 2)) == [1, 3]


def test_few_values_can_all_be_chosen_and_a_node_is_sliced_at_values_of_its_rows() -> None:
    column = np.array([3.0, 1.0, np.nan, 2.0, 1.0])
    few = make_dataset([column, np.arange(5.0)], [0, 1, 0, 1, 0], "ab", "y", "AB")
    assert pinnable_values(few, 0) == [1.0, 2.0, 3.0]
    many = make_dataset([np.arange(1_000.0)], [0, 1] * 500, "a", "y", "AB")
    assert len(pinnable_values(many, 0)) == MAX_PINNABLE_VALUES
    assert (pinnable_values(many, 0)[0], pinnable_values(many, 0)[-1]) == (0.0, 999.0)
    codes, y = np.repeat([0, 1, 2], [5, 3, 2]), np.repeat([0, 1, 1], [5, 3, 2])
    data = make_dataset([codes, np.ones(10)], y, "ab", "y", "AB", categories=(("p", "q", "r"), ()))
    tree = dtviz.fit(data, dtviz.Rules(max_depth=1)).tree
    assert {node: pinned_values_at(data, tree, node)[0] for node in tree.nodes} == {
        1: 0,
        2: 0,
        3: 1,
    }


def test_points_fade_by_spreads_of_the_pinned_features_that_the_tree_asks() -> None:
    data, tree = IRIS.data, IRIS.tree
    place = pinned_values_at(data, tree, 1)
    features = pinnable_features(data, tree, (0, 1))
    assert features == [2, 3]
    near = nearness(StageContext(data, (0, 1), place), tree)
    assert near is not None
    spread = data.columns[features].std(axis=1)[:, None]
    off = np.square((data.columns[features] - place[features, None]) / spread).mean(axis=0)
    assert abs(near - MAX_NEARNESS * np.exp(-off / 2)).max() <= 0.5
    assert near.min() < MAX_NEARNESS / 2
    assert near.max() == MAX_NEARNESS
    assert (np.diff(near[np.argsort(off)].astype(int)) <= 0).all()
    stump = dtviz.fit(data, dtviz.Rules(max_depth=1)).tree
    assert nearness(StageContext(data, (2, 3), pinned_values(data)), stump) is None, (
        "the tree asks the axes alone"
    )


def test_points_fade_alike_whatever_the_unit() -> None:
    values = np.array([-5.0, -3, -2, 3, 4, 5])
    for scale in (1e-300, 1.0, 1e300, 3.4e307):
        for place in (0, -5):
            data = make_dataset([np.zeros(6), scale * values], np.arange(6) // 3, "ab", "y", "AB")
            near = nearness(
                StageContext(data, (0, 0), np.array([0, place * scale])), dtviz.fit(data).tree
            )
            assert near is not None
            wanted = MAX_NEARNESS * np.exp(-np.square((values - place) / values.std()) / 2)
            assert near.tolist() == wanted.round().tolist(), (scale, place)
    columns = [np.zeros(4), np.array([0.0, 1, 2, np.nan]), np.full(4, 3.0)]
    data = make_dataset(columns, np.array([0, 0, 1, 1]), "abc", "y", "AB")
    for place in (1e100, 1e160, -1e200, 1.7e308):
        near = nearness(
            StageContext(data, (0, 2), np.array([0.0, place, 0.0])), dtviz.fit(data).tree
        )
        assert near is not None
        assert near.tolist() == [0, 0, 0, round(MAX_NEARNESS * np.exp(-0.5))], "none is near"


def test_another_category_and_a_missing_value_are_a_spread_from_the_slice() -> None:
    off = round(MAX_NEARNESS * np.exp(-0.5))
    frame = pd.DataFrame({"a": 0.0, "b": [*"uuvvww"], "y": [*"AABBBB"]})
    data = dtviz.from_frame(frame, target="y")
    near = nearness(StageContext(data, (0, 0), np.array([0.0, 1.0])), dtviz.fit(data).tree)
    assert near is not None
    assert near.tolist() == [off, off, MAX_NEARNESS, MAX_NEARNESS, off, off]
    columns = [np.zeros(5), np.array([0.0, 0, 4, 4, np.nan])]
    numbers = make_dataset(columns, np.array([0, 0, 1, 1, 1]), "ab", "y", "AB")
    near = nearness(StageContext(numbers, (0, 0), np.zeros(2)), dtviz.fit(numbers).tree)
    assert near is not None
    assert near.tolist() == [MAX_NEARNESS, MAX_NEARNESS, 1, 1, off]  # 4 is two spreads off


# --- gutters --------------------------------------------------------------------------------------


def gappy(seed: int, n: int = 40) -> Dataset:
    random = np.random.default_rng(seed)
    frame = pd.DataFrame({"x": random.integers(0, 6, n) * 1.0, "z": random.normal(size=n)})
    frame["c"] = random.choice(list("uvw"), n)
    for name in frame:
        frame.loc[random.random(n) < 0.2, name] = None
    frame["y"] = random.choice(list("pq"), n)
    return dtviz.from_frame(frame, "y")


def holds(ring: list[tuple[float, ...]], x: float, y: float) -> bool:
    """Whether a place is inside a polygon."""
    inside = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def test_each_row_stands_in_the_region_of_its_leaf() -> None:
    policies = [name for name in POLICIES if name != "drop"]
    every = product(policies, [(0, 1), (1, 2), (2, 0)])
    for seed, (policy, axes) in enumerate(every):
        data = gappy(seed)
        model = dtviz.fit(data, Rules(missing=policy, max_depth=4))
        data, tree = model.data, model.tree
        rings = StageContext(data, axes, pinned_values(data)).rings(tree)
        drawn = cloud_frame(data, axes, "")
        columns = np.repeat(pinned_values(data)[:, None], data.n, axis=1)
        columns[list(axes)] = data.columns[list(axes)]
        ids, place = apply(tree, columns)
        for row in range(data.n):
            # a row at a threshold goes left, below it: `holds` counts an edge as the other side's
            where = float(drawn["x"][row]) - 1e-9, float(drawn["y"][row]) - 1e-9
            holding = [
                leaf
                for leaf in tree.rows
                if leaf in rings and any(holds([*part], *where) for part in ring_parts(rings[leaf]))
            ]
            assert holding == [ids[place[row]]], (policy, axes, row)


def test_a_region_on_both_sides_of_a_gutter_or_of_a_category_is_a_single_polygon() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, np.nan], "z": [*range(5)], "y": [*"ppqqp"]})
    for table in (dtviz.from_frame(frame, "y"), *map(categories, (0, 2, 3))):
        rules = Rules("gini" if table.classes else "squared_error", max_depth=1)
        tree = dtviz.fit(table, rules).tree
        rings = StageContext(
            table, (0, 1), pinned_values(table), orders_of_tree(table, tree.splits)
        ).rings(tree)
        assert [len(ring_parts(rings[node])) for node in (1, 2, 3)] == [1, 1, 1], table.features


def test_the_gutter_lies_before_an_axis_with_gaps_and_has_the_rows_that_lack_the_value() -> None:
    data = gappy(1)
    across, up = StageContext(data, (0, 2)).drawn_axes
    assert across["low"] < across["gutter"] < 0 < across["high"]
    assert (up["low"], up["gutter"]) == (-1.5, -0.5)
    drawn = cloud_frame(data, (0, 2), "")
    assert np.array_equal(drawn["x"] < across["gutter"], np.isnan(data.columns[0]))
    assert np.array_equal(drawn["y"] < -0.5, np.isnan(data.columns[2]))
    assert drawn["x"].min() > across["low"]
    assert drawn["y"].min() > -1.5
    axes = StageContext(IRIS.data, (0, 1)).drawn_axes
    assert all("gutter" not in axis for axis in axes)
    top = np.finfo(float).max  # the widest axis
    frame = pd.DataFrame({"x": [-top, top, np.nan], "y": [*"pqp"]})
    across, _ = StageContext(dtviz.from_frame(frame, "y"), (0, 0)).drawn_axes
    assert np.isfinite(across["low"])
    assert across["low"] <= across["gutter"]


# --- where a row ends -----------------------------------------------------------------------------


FLOWERS = example_recipe("iris")
DATA = build(FLOWERS)
FUTURE = future_of(DATA)
LOG = FUTURE(default_rules(DATA.task), ())


def sent(row: SelectedRow | None) -> dict[str, Any]:
    session = Session(FLOWERS, log=LOG, axes=(2, 3), row=row)
    screen = screen_of(session, DATA, FUTURE)
    return {name: PICTURES[name].draw(screen, LIGHT) for name in ("stage", "tree")}


@given(data())
def test_every_point_ends_in_the_leaf_that_the_engine_sends_its_row_to(table: Dataset) -> None:
    tree = dtviz.fit(table, default_rules(table.task)).tree
    rows = np.arange(table.n)[::-1]
    ends = point_leaves_frame(table, tree, rows)["point_leaves"]
    leaves, place = apply(tree, table.columns)
    wanted = [leaves[k] for k in place[rows]]
    assert [int(ends["node"][k]) for k in ends["leaf"]] == wanted
    assert [ends["value"][k] for k in ends["leaf"]] == [tree.nodes[leaf].value for leaf in wanted]


def test_a_shown_row_has_its_last_node_in_both_pictures_and_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frames, tree = sent(71), dtviz.fit(DATA).tree
    leaves, place = apply(tree, DATA.columns)
    node, where = str(leaves[place[70]]), (DATA.columns[2][70], DATA.columns[3][70])
    assert frames["stage"]["row"] == {"node": node, "number": 71, "place": where}
    assert frames["tree"]["row_node"] == node
    stage = sent(((2, 1e9),))["stage"]  # beyond the axis, and without the other value
    assert stage["row"]["number"] is None
    assert stage["row"]["place"] == (stage["across"]["high"], None)
    frames = sent(None)
    assert "row" not in frames["stage"]
    assert frames["tree"]["row_node"] == ""
    monkeypatch.setattr(ways, "MAX_LEAVES_SENT", 1)
    assert point_leaves_frame(DATA, tree, np.arange(DATA.n)) == {}


# --- bands of a category --------------------------------------------------------------------------


def categories(classes: int, n: int = 120) -> Dataset:
    random = np.random.default_rng(classes)
    codes = np.array([random.integers(0, 6, n), random.integers(0, 3, n)])
    y = (codes[0] * 5 % 7 + codes[1] + random.integers(0, 2, n)) % max(classes, 7)
    names = (tuple("abcdef"), ("u", "v", "w"))
    y = y % classes if classes else y * 1.0
    return make_dataset(codes, y, "gh", "y", "ABC"[:classes], categories=names)


def test_values_stand_by_their_mean_target_the_lower_side_first() -> None:
    found = make_dataset(
        [[0, 1, 2, 3]], np.array([3.0, 1, 4, 2]), "g", "y", categories=(tuple("abcd"),)
    )
    rules = Rules("squared_error")

    def order(*log: Grow) -> str:
        orders = orders_of_tree(found, dtviz.fit(found, rules, log).tree.splits)
        return "".join(found.levels[0][code] for code in orders[0])

    assert order() == "bdac"
    assert order(Grow(1, subset_split(0, (0, 3)))) == "bcda"
    assert order(Grow(1, subset_split(0, (1, 2))), Grow(2, subset_split(0, (2,)))) == "bcda"


LEVELS = ((), (), ("ash", "birch", "elm", "oak", "yew"))


def table(classes: int, gaps: bool) -> Dataset:
    """Two numbers and a category, rows with weights; of no class the target is a number."""
    random = np.random.default_rng(3)
    columns = np.array(
        [random.integers(0, 9, 70), random.integers(0, 4, 70), random.integers(0, 5, 70)], float
    )
    y = random.integers(0, classes or 50, 70)
    if gaps:
        columns[0, ::6] = columns[2, 3::9] = np.nan
    names = [str(k) for k in range(classes)]
    found = make_dataset(columns, y, ["a", "b", "c"], "y", names, categories=LEVELS)
    return replace(found, weights=random.integers(1, 5, 70) / 4)


def test_both_sides_weigh_what_the_rows_do_that_each_split_sends_there() -> None:
    policies = [name for name in POLICIES if name != "drop"]
    for classes, missing in [*zip(cycle((0, 2, 3)), policies), (0, "surrogates")]:
        data = table(classes, gaps=True)
        criterion = "gini" if classes else "squared_error"
        model = dtviz.fit(data, dtviz.Rules(criterion, missing=missing), ())
        data = model.data
        cuts = node_candidates(Problem(data, model.rules_used), model.tree, 1)
        surrogates = missing == "surrogates"
        assert data.weights is not None
        rows = np.arange(3, data.n)
        for line, projection in enumerate(cuts.projections):
            index = np.arange(len(cuts))[cuts.of_line(line)]
            weighed = statistics_frame(data, rows, cuts, index, surrogates)["statistics"]
            sides = [weighed[side].reshape(len(index), -1) for side in ("left", "right")]
            lacks = np.isnan(score(projection, data.columns))
            for k, cut in enumerate(index.tolist()):
                goes = goes_left(cuts.split(cut), data.columns)
                present = ~(lacks & surrogates & np.isfinite(cuts.threshold[cut]))
                for side, taken in zip(sides, (goes & present, ~goes & present), strict=True):
                    weight, y = data.weights[rows][taken[rows]], data.y[rows][taken[rows]]
                    if classes:
                        expected = np.bincount(y, weight, classes)
                    else:
                        expected = np.array([weight.sum(), np.average(y, weights=weight)])
                    assert side[k] == pytest.approx(expected), (classes, missing, cut)


def test_many_figures_are_not_told() -> None:
    assert statistics_fit(table(3, gaps=False), 10_000)
    assert not statistics_fit(table(3, gaps=False), 11_000)
    data = table(2, gaps=False)
    cuts = node_candidates(Problem(data, dtviz.Rules()), dtviz.fit(data, dtviz.Rules(), ()).tree, 1)
    assert statistics_frame(data, np.arange(data.n), cuts, np.arange(0), has_surrogates=False) == {}


# --- subsets beside the order ---------------------------------------------------------------------


RULES = Rules("gini")


def model_of(values: int, classes: int = 3, n: int = 300) -> Model:
    rng = np.random.default_rng(values)
    codes = rng.permutation(np.arange(n) % values)
    y = (codes * 5 + rng.integers(0, 2, n)) % classes
    levels = (tuple("abcdefghijkl"[:values]), ("x", "z"))
    both = [codes, rng.integers(0, 2, n)]
    return dtviz.fit(
        make_dataset(both, y, ["g", "h"], "y", "ABCD"[:classes], categories=levels), RULES, ()
    )


def cuts_of(model: Model) -> Candidates:
    return node_candidates(Problem(model.data, RULES), model.tree, 1)


def raw_of(model: Model, **more: Any) -> bytes:
    cuts = cuts_of(model)
    view = StageView(1, cuts, cuts.best, pinned=pinned_values(model.data), **more)
    return pack("stage", scene_frame(model.data, model.tree, view, "name"))


def test_the_frame_has_every_subset_with_its_rows_its_gain_and_its_words() -> None:
    for values, many in ((3, 3), (4, 7), (7, 63)):
        model = model_of(values)
        cuts, frame = cuts_of(model), unpack(raw_of(model))
        of, order = frame["cuts"][0], cuts.orders[0]
        assert len(of["index"]) == len(set(of["rule"])) == many
        subsets = set()
        for k, index in enumerate(of["index"].tolist()):
            bits = int(of["scattered"][k])
            codes = cuts.split(index).projection.left_codes
            if bits:
                assert {*codes} == {order[place] for place in range(values) if bits >> place & 1}
            subsets.add(frozenset(codes))
            goes = np.isin(model.data.columns[0], codes)
            assert of["left"][k] == goes.sum()
            assert of["score"][k] == rounded(cuts.score[index])
            assert of["rule"][k] == candidate_text(model.data, cuts, index)
        assert len(subsets) == many
        assert np.count_nonzero(of["scattered"]) == many - (values - 1)
        assert not of["scattered"][: values - 1].any()
        assert frame["cuts"][1]["scattered"].tolist() == []
    assert len(raw_of(model_of(10))) - len(raw_of(model_of(3))) < 60_000, "511 subsets"


def test_subsets_stand_in_the_band_behind_the_cut_of_as_many_values() -> None:
    model = model_of(6)
    cuts = cuts_of(model)
    first = cuts.orders[0][0]
    for telling in (True, False):
        shown = shown_cuts(cuts, cuts.along(0), None, 2_000, telling)
        place = cut_positions(cuts, shown, telling)
        apart = cuts.scattered[shown] > 0
        assert place[~apart].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
        assert (np.diff(place[apart]) > 0).all()
        assert len(set(place.tolist())) == len(shown)
        for k in np.flatnonzero(apart).tolist():
            named = cuts.split(int(shown[k])).projection.left_codes
            with_first = len(named) if first in named else 6 - len(named)
            assert int(place[k] + 0.5) == with_first
            assert place[k] % 1 != 0.5
        band, score = np.floor(place[apart] + 0.5), cuts.score[shown][apart]
        if telling:
            assert all((np.diff(score[band == size]) <= 0).all() for size in set(band.tolist()))
        else:  # nothing tells which is high
            assert (np.diff(shown[apart]) > 0).all()
    frame = unpack(raw_of(model_of(5), is_asking=True))
    assert "score" not in frame["cuts"][0]
    assert (np.diff(frame["cuts"][0]["index"]) > 0).all()


def test_the_caption_counts_the_subsets_and_says_what_the_small_dots_are() -> None:
    model = model_of(4)
    said = caption(model.data, cuts_of(model), (0, 1), pinned_values(model.data))
    assert said == (
        "g: 4 values, 2^(4-1) - 1 = 7 subsets. The curve has the cuts of their order; each small "
        "dot is another, behind the cut of as many values."
    )
    two = model_of(4, classes=2)
    assert caption(two.data, cuts_of(two), (0, 1), pinned_values(two.data)) == ""


def test_all_gains_has_them_as_small_faint_dots_that_can_be_chosen() -> None:
    model = model_of(5)
    cuts = cuts_of(model)
    chosen = int(np.flatnonzero(cuts.scattered)[3])
    found = gain_curves(model.data, cuts, chosen, projection_ids=[0]).data
    curve, dots = found[0], found[1]
    assert (curve.mode, dots.mode) == ("lines+markers", "markers")
    assert len(curve.x) == 4
    assert sorted(dots.customdata) == np.flatnonzero(cuts.scattered).tolist()
    assert dots.marker.size < 5
    place = cut_positions(cuts, np.arange(cuts.along(0).stop))
    for trace in (curve, dots):
        for at, x, y, text in zip(trace.customdata, trace.x, trace.y, trace.text, strict=True):
            assert (x, y, text) == (place[at], cuts.score[at], candidate_text(model.data, cuts, at))
    (diamond,) = (t for t in found if t.marker.symbol == "diamond")
    assert diamond.x[0] == place[chosen]


def test_bands_without_counted_cuts_stand_on_the_axis_of_their_feature() -> None:
    data, tree = IRIS.data, IRIS.tree
    cuts = node_candidates(IRIS.problem, tree, 1)
    ends = np.array([1.0, 2.0]), np.array([1.5, 2.5])
    bands = Bands(np.array([0, 2]), *ends, np.array([7, 9]), np.zeros(2), np.array([0.25, 0.5]))
    cuts = replace(cuts, bands=bands)
    assert not cuts.is_complete
    stage, rows = StageContext(data, (2, 0), pinned_values(data)), np.arange(data.n)
    across, up = cuts_frame(stage, StageView(1, cuts, None, (2, 0)), rows)["cuts"]
    assert [[*column] for column in across["bands"].values()] == [[2.0], [2.5], [9], [0.0], [0.5]]
    assert up["bands"]["rows"].tolist() == [7]
    # while a split is asked for nothing tells where the gains are
    asking = cuts_frame(stage, StageView(1, cuts, None, (2, 0), is_asking=True), rows)
    assert all("bands" not in axis for axis in asking["cuts"])
    of_one = keep_lines(cuts, [2]).bands
    assert of_one is not None
    assert (of_one.line.tolist(), of_one.n.tolist()) == ([0], [9])
