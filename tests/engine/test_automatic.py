"""Whether a move could be the rules' own: no is certain, and asks for no growth."""

from __future__ import annotations

from typing import Any

import pytest
from futures import future_of
from hypothesis import given
from strategies import grown

import dtviz.instrument
from dtviz import Collapse, Grow, Rules, axis_split, load
from dtviz.engine.automatic import could_make, splits_after
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold
from dtviz.instrument import Instrument
from dtviz.screen.session import Session, runs
from dtviz.screen.visit import Visit
from dtviz.table.gallery import example_recipe


@given(grown(10))
def test_what_the_rules_do_next_they_could(case: Any) -> None:
    found, rules, log, tree = case
    assert splits_after(log) == dict(tree.splits)
    for move in future_of(found)(rules, log)[:1]:
        assert could_make(Problem(found, rules), log, move)


@given(grown(10))
def test_the_log_is_told_by_the_same_runs_as_when_each_future_is_grown(case: Any) -> None:
    found, rules, log, _ = case
    whole = future_of(found)

    def quick(rules: Rules, log: Any, first: Any = None, *_: Any) -> Any:
        if first is not None and not could_make(Problem(found, rules), log, first):
            return ()
        return whole(rules, log)

    assert runs(rules, log, quick) == runs(rules, log, whole)


def test_another_cut_a_prune_and_a_node_that_is_no_leaf_could_not_be() -> None:
    found, rules = load("moons", n=60), Rules()
    (first, *_) = future_of(found)(rules, ())
    problem = Problem(found, rules)
    assert could_make(problem, (), first)
    assert not could_make(problem, (), Grow(1, axis_split(0, -0.7)))
    assert not could_make(problem, (first,), first)
    assert not could_make(problem, (), Grow(2, first.split))
    assert not could_make(problem, (first,), Collapse(1))
    assert could_make(Problem(found, Rules(ccp_alpha=0.01)), (first,), Collapse(1))


def test_an_address_of_many_moves_grows_on_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = example_recipe("moons", n=60)
    tab = Instrument(Visit(Session(recipe)))
    loop = (Grow(1, axis_split(0, -0.7)), Collapse(1))
    grown: list[object] = []
    finish = dtviz.instrument.finish
    monkeypatch.setattr(
        dtviz.instrument, "finish", lambda *args: grown.append(args) or finish(*args)
    )
    assert runs(Rules(), loop * 100, tab.future(recipe)) == loop * 100
    assert grown == []
    assert fold(Problem(tab.dataset(recipe), Rules()), loop * 100).splits == {}
