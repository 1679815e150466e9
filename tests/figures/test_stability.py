"""The picture of Stability: who wins the roots, which trees change most, and what it waits for."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from frame_types import frame_faults
from screens import sent_whole, unpack

from dtviz.engine.members import predictions
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import Axis
from dtviz.figures.cells import plane_points
from dtviz.figures.frame import pack
from dtviz.figures.frames import PICTURES
from dtviz.figures.palette import DARK, LIGHT
from dtviz.figures.pins import pinned
from dtviz.figures.stability import (
    BINS,
    CELLS,
    grown,
    layer_work,
    order_of,
    root_cuts,
    trees_work,
)
from dtviz.instrument import Instrument
from dtviz.judge.stability import Shake, Shaken
from dtviz.screen.screen import Screen, screen_of
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table.data import Recipe, recipe
from dtviz.table.gallery import build, example_recipe

MOONS = recipe("moons", n=40, noise=0.3, seed=1)


def screen_on(of: Recipe, rules: Rules | None = None, **asked: Any) -> Screen:
    """A screen whose long work is done as soon as it is asked for."""
    data = build(of)
    session = Session(of, rules or default_rules(data.task), shake=Shake(**asked))
    return screen_of(session, data, lambda rules, log: ())


def made(screen: Screen) -> tuple[Shaken, Any, Any]:
    found = grown(screen)
    assert found is not None
    return found[0], found[1], PICTURES["stability"].draw(screen, LIGHT)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("way", ["one", "some", "resample"])
@pytest.mark.parametrize(
    "of", [MOONS, recipe("sine"), recipe("age_car_risk"), recipe("sign_ups")], ids=lambda r: r.name
)
def test_every_picture_has_the_shape_of_its_kind(of: Recipe, way: str, theme: Any) -> None:
    complete = of if of is MOONS else example_recipe(of.name)
    screen = screen_on(complete, way=way, trees=7)
    for name in ("stability", "layer", "plain"):
        found = unpack(pack(PICTURES[name].kind, PICTURES[name].draw(screen, theme)))
        assert frame_faults(found) == []


def test_until_the_trees_are_grown_there_are_the_points_alone() -> None:
    tab = Instrument(Visit(Session(MOONS)))
    screen = tab.screen()
    bare = unpack(sent_whole(tab, "stability", screen, LIGHT))
    assert bare["bare"]
    assert "number" not in bare
    assert unpack(sent_whole(tab, "layer", screen, LIGHT))["name"] == ""
    while not (job := tab.work(trees_work(screen))).done:
        pass
    while not tab.work(layer_work(screen, job.result)).done:
        pass
    whole, layer = (unpack(sent_whole(tab, name, screen, LIGHT)) for name in ("stability", "layer"))
    assert whole["layer"] == layer["name"] != ""
    assert len(whole["number"]) == 40


def test_the_trees_that_change_most_come_first_and_points_know_theirs() -> None:
    found, drawn, frame = made(screen_on(MOONS, shown=7))
    assert drawn.some.tolist() == order_of(found).tolist()
    keys = [(-found.seen[tree - 1], -found.moved[tree - 1]) for tree in drawn.some[1:]]
    assert keys == sorted(keys)
    assert frame["change"].tolist() == [-first for first, _ in keys]
    assert frame["moved"].tolist() == [-second for _, second in keys]
    for row in range(40):
        place = int(frame["tree"][row])
        assert frame["number"][place] == row
        tree = int(drawn.some[1 + place])
        assert found.members.weights[tree, row] == 0
        assert frame["same"][place] == (found.members.log(tree) == found.members.log(0))
        assert frame["root"][place] == (found.root(tree) != found.root(0))
    assert frame["number"][frame["shown"]] == 7
    assert frame["each"]


def test_where_rows_are_drawn_no_point_has_a_tree_of_its_own() -> None:
    _, _, frame = made(screen_on(MOONS, way="some", trees=5, shown=99))
    assert not frame["each"]
    assert {*frame["tree"].tolist()} == {-1}
    assert frame["shown"] == -1
    assert sorted(frame["number"].tolist()) == [*range(5)]


def test_a_change_is_the_share_of_the_cells_of_the_picture() -> None:
    screen = screen_on(MOONS)
    found, _, _ = made(screen)
    places = plane_points(screen.data, screen.axes, pinned(screen.data), CELLS)
    told = predictions(found.members, places)
    assert found.seen == pytest.approx((told[1:] != told[0]).mean(axis=1))


@pytest.mark.parametrize("name", ["moons", "age_car_risk", "penguins", "blobs"])
def test_roots_are_won_as_often_as_a_loop_counts(name: str) -> None:
    screen = screen_on(example_recipe(name), way="resample", trees=60)
    data, (found, _, _) = screen.data, made(screen)
    splits = [found.root(tree) for tree in range(1, 61)]
    names = Counter(data.features[split.projection.feature] for split in splits if split)
    told = {one["name"]: one for one in root_cuts(data, found)}
    for feature, many in names.most_common(4):
        one = told[feature]
        assert one["share"] == pytest.approx(many / 60)
        own = [s for s in splits if s and data.features[s.projection.feature] == feature]
        if data.levels[data.features.index(feature)]:
            texts = Counter((s.projection, s.threshold) for s in own).most_common(3)
            assert [part for _, part in one["cuts"]] == pytest.approx([n / 60 for _, n in texts])
            continue
        low, high = one["axis"]["low"], one["axis"]["high"]
        limits = [s.threshold for s in own if np.isfinite(s.threshold)]
        expected, _ = np.histogram(limits, BINS, (low, high))
        assert one["bins"] == pytest.approx(expected / 60)
    full = found.root(0)
    assert full is not None
    assert [one["name"] for one in told.values() if one["own"]] == [
        data.features[full.projection.feature]
    ]
    if isinstance(full.projection, Axis):
        assert told[data.features[full.projection.feature]]["at"] == full.threshold


def test_cuts_on_no_axis_are_told_by_their_kind() -> None:
    screen = screen_on(MOONS, Rules("gini", families=("oblique",), max_depth=1), trees=5)
    roots = made(screen)[2]["roots"]
    assert len(roots) == 1
    assert (roots[0]["share"], roots[0]["own"]) == (1, True)
    assert sum(part for _, part in roots[0]["cuts"]) <= 1 + 1e-9
    assert "axis" not in roots[0]


def test_a_tree_without_a_cut_wins_no_root() -> None:
    screen = screen_on(MOONS, Rules("gini", min_gain=0.9))
    roots = made(screen)[2]["roots"]
    assert roots == [{"name": "no cut", "share": 1, "own": True, "cuts": []}]


def test_the_work_is_that_of_other_trees_whatever_is_looked_at() -> None:
    here = screen_on(MOONS)
    session = here.session
    shown = replace(here, visit=Visit(replace(session, shake=Shake(shown=3))))
    other = replace(here, visit=Visit(replace(session, shake=Shake("resample"))))
    rules = replace(here, visit=Visit(replace(session, rules=Rules("entropy", max_depth=1))))
    assert trees_work(shown).asked == trees_work(here).asked
    assert trees_work(other).asked != trees_work(here).asked
    assert trees_work(rules).asked != trees_work(here).asked
