"""The picture of Stability: who wins the roots, which trees change most, and what it waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from frame_types import frame_faults
from screens import sent_whole, unpack

from dtviz.app.instrument import Instrument
from dtviz.data.dataset import Recipe, make_recipe
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import Axis
from dtviz.evaluate.stability import StabilitySettings, StabilityTrees
from dtviz.pictures import stability
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import plane_points
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session, Visit

MOONS = make_recipe("moons", n=40, noise=0.3, seed=1)


def screen_on(of: Recipe, rules: Rules | None = None, **asked: Any) -> Screen:
    """A screen whose long work is done as soon as it is asked for."""
    data = build(of)
    session = Session(of, rules or default_rules(data.task), shake=StabilitySettings(**asked))
    return screen_of(session, data, lambda rules, log: ())


def made(screen: Screen) -> tuple[StabilityTrees, Any, Any]:
    found = stability.trees_and_layer(screen)
    assert found is not None
    return found[0], found[1], PICTURES["stability"].draw(screen, LIGHT)


def test_pictures_of_every_kind_of_data_have_the_shape_of_their_kind() -> None:
    for name, way, theme in (
        ("moons", "one", LIGHT), ("sine", "resample", DARK), ("age_car_risk", "some", LIGHT),
        ("sign_ups", "one", DARK),
    ):  # fmt: skip
        of = MOONS if name == "moons" else example_recipe(name)
        screen = screen_on(of, way=way, trees=7)
        for picture in ("stability", "layer", "plain"):
            frame = unpack(pack(PICTURES[picture].kind, PICTURES[picture].draw(screen, theme)))
            assert frame_faults(frame) == [], (name, picture)


def test_until_the_trees_are_grown_there_are_the_points_alone() -> None:
    tab = Instrument(Visit(Session(MOONS)))
    screen = tab.screen()
    bare = unpack(sent_whole(tab, "stability", screen, LIGHT))
    assert bare["bare"]
    assert "number" not in bare
    assert unpack(sent_whole(tab, "layer", screen, LIGHT))["name"] == ""
    while not (job := tab.advance_work(stability.trees_job(screen))).is_done:
        pass
    while not tab.advance_work(stability.layer_job(screen, job.result)).is_done:
        pass
    whole, layer = (unpack(sent_whole(tab, name, screen, LIGHT)) for name in ("stability", "layer"))
    assert whole["layer"] == layer["name"] != ""
    assert len(whole["tree_number"]) == 40


def test_the_trees_that_change_most_come_first_and_points_have_their_trees() -> None:
    screen = screen_on(MOONS, shown=7)
    shaken, drawn, frame = made(screen)
    places = plane_points(screen.data, screen.axes, pinned_values(screen.data), stability.CELLS)
    told = predictions(shaken.members, places)
    assert shaken.changes_over_places == pytest.approx((told[1:] != told[0]).mean(axis=1)), (
        "a share of cells"
    )
    assert drawn.member_ids.tolist() == stability.drawing_order(shaken).tolist()
    keys = [
        (-shaken.changes_over_places[tree - 1], -shaken.changes_over_rows[tree - 1])
        for tree in drawn.member_ids[1:]
    ]
    assert keys == sorted(keys)
    assert frame["change"].tolist() == [-first for first, _ in keys]
    assert frame["row_change"].tolist() == [-second for _, second in keys]
    for row in range(40):
        place = int(frame["tree"][row])
        assert frame["tree_number"][place] == row
        tree = int(drawn.member_ids[1 + place])
        assert shaken.members.weights[tree, row] == 0
        assert frame["has_same_cuts"][place] == (shaken.members.log(tree) == shaken.members.log(0))
        assert frame["has_other_root"][place] == (shaken.root(tree) != shaken.root(0))
    assert frame["tree_number"][frame["shown_tree"]] == 7
    assert frame["is_leave_one_out"]
    frame = made(screen_on(MOONS, way="some", trees=5, shown=99))[2]
    assert not frame["is_leave_one_out"]
    assert {*frame["tree"].tolist()} == {-1}, "no point has a tree where rows are drawn"
    assert frame["shown_tree"] == -1
    assert sorted(frame["tree_number"].tolist()) == [*range(5)]


def test_roots_are_won_as_often_as_a_loop_counts() -> None:
    for name in ("moons", "age_car_risk", "penguins"):
        screen = screen_on(example_recipe(name), way="resample", trees=40)
        data, (shaken, _, _) = screen.data, made(screen)
        splits = [shaken.root(tree) for tree in range(1, 41)]
        names = Counter(data.features[split.projection.feature] for split in splits if split)
        roots = {root["name"]: root for root in stability.root_cuts(data, shaken)}
        for feature, many in names.most_common(4):
            root = roots[feature]
            assert root["share"] == pytest.approx(many / 40), (name, feature)
            wins = [s for s in splits if s and data.features[s.projection.feature] == feature]
            if data.levels[data.features.index(feature)]:
                cuts = Counter((s.projection, s.threshold) for s in wins).most_common(3)
                assert [part for _, part in root["cuts"]] == pytest.approx(
                    [n / 40 for _, n in cuts]
                )
                continue
            low, high = root["axis"]["low"], root["axis"]["high"]
            limits = [s.threshold for s in wins if np.isfinite(s.threshold)]
            expected, _ = np.histogram(limits, stability.BINS, (low, high))
            assert root["bins"] == pytest.approx(expected / 40), (name, feature)
        full = shaken.root(0)
        assert full is not None
        winner = data.features[full.projection.feature]
        assert [root["name"] for root in roots.values() if root["in_full_tree"]] == [winner]
        if isinstance(full.projection, Axis):
            assert roots[winner]["threshold"] == full.threshold


def test_roots_off_the_axes_are_called_by_their_kind_and_a_tree_without_a_cut_wins_none() -> None:
    screen = screen_on(MOONS, Rules("gini", families=("oblique",), max_depth=1), trees=5)
    (root,) = made(screen)[2]["roots"]
    assert (root["share"], root["in_full_tree"]) == (1, True)
    assert sum(part for _, part in root["cuts"]) <= 1 + 1e-9
    assert "axis" not in root
    roots = made(screen_on(MOONS, Rules("gini", min_gain=0.9)))[2]["roots"]
    assert roots == [{"name": "no cut", "share": 1, "in_full_tree": True, "cuts": []}]


def test_the_work_is_that_of_other_trees_whatever_is_shown() -> None:
    here = screen_on(MOONS)

    def work(**more: Any) -> Any:
        return stability.trees_job(replace(here, visit=Visit(replace(here.session, **more)))).key

    assert work(shake=StabilitySettings(shown=3)) == stability.trees_job(here).key
    others = work(shake=StabilitySettings("resample")), work(rules=Rules("entropy", max_depth=1))
    assert stability.trees_job(here).key not in others
