"""The ensemble of a session: which it is, how it is judged, and a tree of it opened in Grow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of

from dtviz import Rules, from_frame
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Recipe, make_recipe
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles import ENSEMBLES, Plan
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold, predict
from dtviz.session import forest as grove
from dtviz.session.derived_data import MEMBER
from dtviz.session.forest import (
    forest_work,
    held_work,
    limits_text,
    member_session,
    permutation_work,
    plan_of,
)
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session

MOONS = example_recipe("moons", n=60)
DATA = build(MOONS)


def here(of: Recipe = MOONS, rules: Rules | None = None, **plan: Any) -> Screen:
    data = build(of)
    own = rules or Rules("gini" if data.classes else "squared_error")
    return screen_of(Session(of, own, plan=Plan(**plan)), data, future_of(data))


def grown(screen: Screen) -> grove.ForestResult:
    return run_to_end(forest_work(screen.session, screen.data).start())


def test_a_tree_opened_in_grow_is_the_member() -> None:
    for kind in ENSEMBLES:
        screen = here(kind=kind, trees=4)
        forest = grown(screen)
        session = member_session(screen.session, screen.data, forest, 3)
        data = MEMBER.build(session.recipe, {})
        shown = screen_of(session, data, future_of(data))
        assert shown.session.log == session.log, kind
        members = forest.ensemble.members
        expected = predictions(members, DATA.columns)[3]
        if not forest.ensemble.combiner.is_sum or len(forest.ensemble.initial_scores) == 0:
            assert predict(shown.tree, DATA.columns).tolist() == expected.tolist(), kind
        assert {*session.log} == {*members.log(3)}
        drawn = kind in ("forest", "extra_trees")
        assert drawn or all(decision.stop for decision in shown.decisions.values()), kind


def test_of_a_large_tree_the_first_moves_are_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = here(kind="forest", trees=2)
    found = grown(screen)
    monkeypatch.setattr(grove, "MAX_MOVES_OPENED", 3)
    session = member_session(screen.session, screen.data, found, 1)
    assert len(session.log) == 3
    assert (
        len(fold(Problem(MEMBER.build(session.recipe, {}), session.rules), session.log).rows) == 4
    )


def test_a_tree_that_is_not_there_is_not_opened() -> None:
    screen = here(trees=2)
    for member in (-1, 2):
        with pytest.raises(IndexError):
            member_session(screen.session, screen.data, grown(screen), member)


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
        assert (grown(screen).out_of_bag is None) != one.bagged
        if work is not None:
            held = run_to_end(work.start())
            assert 0 <= held.error[-1] < 0.5


def test_rows_given_to_judge_by_judge_every_kind() -> None:
    random = np.random.default_rng(0)
    frame = pd.DataFrame({"x": random.normal(size=40), "for": ["train"] * 30 + ["test"] * 10})
    frame["y"] = np.where(frame.x > 0, "p", "q")
    data = from_frame(frame, "y", role="for")
    session = Session(make_recipe("toy"), Rules(), plan=Plan("forest", 5))
    work = held_work(session, data)
    assert len(run_to_end(work.start()).error) == 5


def test_work_is_asked_anew_only_where_the_trees_differ() -> None:
    session = here().session
    same = replace(session, rules=replace(session.rules, order="breadth"), focus=1)
    other = replace(session, plan=Plan(seed=1))
    asked = [forest_work(one, DATA).key for one in (session, same, other)]
    assert asked[0] == asked[1] != asked[2]


def test_the_trees_of_an_ensemble_grow_unpruned_and_by_limits_that_are_told() -> None:
    for kind in ("forest", "gradient"):
        screen = here(rules=Rules("gini", ccp_alpha=1.0, max_p_value=0.5), kind=kind, trees=4)
        plain = here(kind=kind, trees=4)
        forest, same = grown(screen), grown(plain)
        assert forest.training.error.tolist() == same.training.error.tolist()
        assert forest_work(screen.session, DATA).key == forest_work(plain.session, DATA).key
        assert member_session(screen.session, DATA, forest, 1) == member_session(
            plain.session, DATA, same, 1
        )
        works = [held_work(each.session, DATA) for each in (screen, plain)]
        assert len({work and work.key for work in works}) == 1
    assert limits_text(plain.session) == ""
    assert limits_text(screen.session) == (
        "The trees grow unpruned: the setting prune up to 1 is for the single tree. Their cuts are "
        "not tested: the setting chance at most 0.5 is for the single tree."
    )
    stumps = replace(plain.session, rules=Rules("gini", max_depth=1, min_samples_leaf=5))
    assert limits_text(stumps) == (
        "Each tree grows by the settings: depth at most 1, smallest leaf 5."
    )


def test_permuting_is_judged_by_an_even_choice_of_many_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grove, "MAX_ROWS_PERMUTED", 20)
    screen = here(trees=8)
    worth = run_to_end(permutation_work(screen.session, screen.data, grown(screen)).start())
    assert worth.shape == (2, grove.N_PERMUTATIONS)


def test_of_very_many_rows_there_is_room_for_fewer_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grove, "MAX_TREE_ROWS", 60 * 30)
    screen = here(trees=100)
    assert plan_of(screen.session, screen.data)[1].trees == 30
    slanted = replace(screen.session.rules, families=("axis", "oblique"))
    monkeypatch.setattr(grove, "MAX_TREE_ROWS", 60 * 30 * 16)
    assert plan_of(replace(screen.session, rules=slanted), screen.data)[1].trees == 30
    assert plan_of(screen.session, screen.data)[1].trees == 100
    monkeypatch.setattr(grove, "MAX_TREE_ROWS", 0)
    assert plan_of(screen.session, screen.data)[1].trees == grove.MIN_TREES


def test_a_member_with_multi_way_cuts_is_opened_with_its_moves() -> None:
    screen = here(
        example_recipe("restaurant"), Rules(families=("multiway",)), kind="bagging", trees=2
    )
    found = grown(screen)
    session = member_session(screen.session, screen.data, found, 1)
    assert {*session.log} == {*found.ensemble.members.log(1)}
