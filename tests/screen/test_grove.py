"""The ensemble of a session: which it is, how it is judged, and a tree of it opened in Grow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from hypothesis import given
from test_drawing import anything

from dtviz import Rules, from_frame
from dtviz.engine.ensembles import ENSEMBLES, Plan
from dtviz.engine.members import predictions
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold, predict
from dtviz.screen import grove
from dtviz.screen.grove import (
    grove_work,
    held_work,
    limits_text,
    opened,
    plan_of,
    worth_work,
)
from dtviz.screen.handle import handle
from dtviz.screen.member import MEMBER
from dtviz.screen.screen import Screen, screen_of
from dtviz.screen.session import Session
from dtviz.slices import finished
from dtviz.table.data import Recipe, recipe
from dtviz.table.gallery import build, example_recipe

MOONS = example_recipe("moons", n=60)
DATA = build(MOONS)


def here(of: Recipe = MOONS, rules: Rules | None = None, **plan: Any) -> Screen:
    data = build(of)
    own = rules or Rules("gini" if data.classes else "squared_error")
    return screen_of(Session(of, own, plan=Plan(**plan)), data, future_of(data))


def grown(screen: Screen) -> grove.Grove:
    return finished(grove_work(screen.session, screen.data).start())


@pytest.mark.parametrize("kind", ENSEMBLES)
def test_a_tree_opened_in_grow_is_the_member(kind: str) -> None:
    screen = here(kind=kind, trees=4)
    found = grown(screen)
    session = opened(screen.session, screen.data, found, 3)
    data = MEMBER.build(session.recipe, {})
    shown = screen_of(session, data, future_of(data))
    assert shown.session.log == session.log
    members = found.ensemble.members
    expected = predictions(members, DATA.columns)[3]
    if not found.ensemble.way.sums or len(found.ensemble.start) == 0:
        assert predict(shown.tree, DATA.columns).tolist() == expected.tolist()
    assert {*session.log} == {*members.log(3)}
    assert all(decision.stop for decision in shown.decisions.values()) or kind in (
        "forest",
        "extra_trees",
    )


def test_of_a_large_tree_the_first_moves_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = here(kind="forest", trees=2)
    found = grown(screen)
    monkeypatch.setattr(grove, "MOST_OPENED", 3)
    session = opened(screen.session, screen.data, found, 1)
    assert len(session.log) == 3
    assert (
        len(fold(Problem(MEMBER.build(session.recipe, {}), session.rules), session.log).rows) == 4
    )


def test_a_tree_that_is_not_there_is_not_opened() -> None:
    screen = here(trees=2)
    for member in (-1, 2):
        with pytest.raises(IndexError):
            opened(screen.session, screen.data, grown(screen), member)


def test_a_kind_that_does_not_suit_numbers_gives_way_to_the_usual_one() -> None:
    screen = here(example_recipe("sine"), kind="adaboost")
    kind, plan = plan_of(screen.session, screen.data)
    assert (kind.name, plan.kind) == ("forest", "forest")
    assert screen.session.plan.kind == "adaboost"


def test_bags_judge_themselves_and_other_kinds_hold_rows_out() -> None:
    for kind, one in ENSEMBLES.items():
        screen = here(kind=kind, trees=5)
        work = held_work(screen.session, screen.data)
        assert (work is None) == one.bagged
        assert (grown(screen).out is None) != one.bagged
        if work is not None:
            held = finished(work.start())
            assert 0 <= held.error[-1] < 0.5


def test_rows_given_to_judge_by_judge_every_kind() -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=40), "for": ["train"] * 30 + ["test"] * 10})
    frame["y"] = np.where(frame.x > 0, "p", "q")
    data = from_frame(frame, "y", role="for")
    session = Session(recipe("toy"), Rules(), plan=Plan("forest", 5))
    work = held_work(session, data)
    assert work is not None
    assert len(finished(work.start()).error) == 5


def test_work_is_asked_anew_only_where_the_trees_differ() -> None:
    session = here().session
    same = replace(session, rules=replace(session.rules, order="breadth"), focus=1)
    other = replace(session, plan=Plan(seed=1))
    asked = [grove_work(one, DATA).asked for one in (session, same, other)]
    assert asked[0] == asked[1] != asked[2]


@pytest.mark.parametrize("kind", ["forest", "gradient"])
def test_the_trees_of_an_ensemble_grow_unpruned_and_by_limits_that_are_told(kind: str) -> None:
    screen = here(rules=Rules("gini", ccp_alpha=1.0), kind=kind, trees=4)
    plain = here(kind=kind, trees=4)
    found = grown(screen)
    assert found.training.error.tolist() == grown(plain).training.error.tolist()
    assert grove_work(screen.session, DATA).asked == grove_work(plain.session, DATA).asked
    assert opened(screen.session, DATA, found, 1) == opened(plain.session, DATA, grown(plain), 1)
    held, same = (held_work(one.session, DATA) for one in (screen, plain))
    assert (held is None) == (same is None)
    assert held is None or held.asked == same.asked
    assert limits_text(plain.session) == ""
    assert limits_text(screen.session) == (
        "The trees grow unpruned: the setting prune up to 1 is for the single tree."
    )
    stumps = replace(plain.session, rules=Rules("gini", max_depth=1, min_samples_leaf=5))
    assert limits_text(stumps) == (
        "Each tree grows by the settings: depth at most 1, smallest leaf 5."
    )


def test_permuting_is_judged_by_an_even_choice_of_many_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grove, "MOST_ASKED", 20)
    screen = here(trees=8)
    worth = finished(worth_work(screen.session, screen.data, grown(screen)).start())
    assert worth.shape == (2, grove.REPEATS)


@pytest.mark.parametrize(
    ("values", "plan"),
    [
        ({"trees": 7}, Plan(trees=7)),
        ({"kind": "gradient", "rate": 0.5}, Plan("gradient", rate=0.5)),
        ({"features": 2, "seed": 5}, Plan(features=2, seed=5)),
        ({"features": None}, Plan()),
        ({"trees": 0}, Plan()),
        ({"trees": "7"}, Plan()),
        ({"rate": 2.0}, Plan()),
        ({"speed": 1}, Plan()),
        ([], Plan()),
    ],
)
def test_controls_make_another_plan_or_change_nothing(values: Any, plan: Plan) -> None:
    after = handle(here(), "forest", {"what": "plan", "values": values})
    assert after.plan == plan


def test_of_very_many_rows_there_is_room_for_fewer_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grove, "MOST_CELLS", 60 * 30)
    screen = here(trees=100)
    assert plan_of(screen.session, screen.data)[1].trees == 30
    slanted = replace(screen.session.rules, families=("axis", "oblique"))
    monkeypatch.setattr(grove, "MOST_CELLS", 60 * 30 * 16)
    assert plan_of(replace(screen.session, rules=slanted), screen.data)[1].trees == 30
    assert plan_of(screen.session, screen.data)[1].trees == 100
    monkeypatch.setattr(grove, "MOST_CELLS", 0)
    assert plan_of(screen.session, screen.data)[1].trees == grove.LEAST_TREES


def test_a_click_asks_for_a_tree() -> None:
    screen = here()
    assert handle(screen, "forest", {"what": "open", "member": 4}).opened == 4
    assert handle(screen, "forest", {"what": "open", "member": "4"}) == screen.session


@given(anything)
def test_events_of_any_content_are_survived(event: Any) -> None:
    screen = here()
    handle(screen, "forest", event)
    handle(screen, "forest", {"what": "plan", "values": event})
    handle(screen, "forest", {"what": "open", "member": event})
