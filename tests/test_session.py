"""The time-line: forward, back, anywhere; splits of your own stay when the rules change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cases import GOOD_PLACE, HEIGHTS, data_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import grown, rules_for

from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.data import Dataset, dataset, recipe
from dtviz.grow import finish
from dtviz.rules import criterion_of
from dtviz.session import (
    Session,
    back,
    forward,
    future_of,
    goto,
    line,
    look_at,
    runs,
    split_here,
    with_rules,
)
from dtviz.tree import Log, Tree, fold, stump

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
START = Session(recipe("good_place"))
FULL = FUTURE(Rules(), ())
OWN = Grow(1, axis_split(1, 97.5))


def tree_of(session: Session, found: Dataset = PLACE) -> Tree:
    return fold(found, criterion_of(session.rules, found.task), session.log)


def test_the_line_of_a_fresh_session_is_the_automatic_tree() -> None:
    assert line(START, FUTURE) == FULL
    assert len(FULL) == 3


def test_forward_to_the_end_and_no_further() -> None:
    session = START
    for k in range(1, 6):
        session = forward(session, FUTURE)
        assert session.log == FULL[: min(k, 3)]
        assert session.undone == ()


def test_back_keeps_the_moves_to_make_again() -> None:
    session = back(goto(START, 3, FUTURE), FUTURE)
    assert (session.log, session.undone) == (FULL[:2], FULL[2:])
    session = back(back(back(session, FUTURE), FUTURE), FUTURE)
    assert (session.log, session.undone) == ((), FULL)
    assert forward(session, FUTURE).log == FULL[:1]
    assert line(session, FUTURE) == FULL


@pytest.mark.parametrize(("step", "made"), [(-5, 0), (0, 0), (2, 2), (3, 3), (99, 3)])
def test_goto_stays_on_the_line(step: int, made: int) -> None:
    assert goto(START, step, FUTURE).log == FULL[:made]


def test_moving_forgets_focus_and_cut() -> None:
    looking = look_at(goto(START, 1, FUTURE), 3, axis_split(1, 61.5))
    assert (looking.focus, looking.cut) == (3, axis_split(1, 61.5))
    assert looking.log == FULL[:1]
    moved = back(looking, FUTURE)
    assert (moved.focus, moved.cut) == (None, None)


def test_a_split_of_your_own_goes_on_from_there() -> None:
    session = split_here(START, tree_of(START), 1, OWN.split)
    assert (session.log, session.undone) == ((OWN,), ())
    after = forward(session, FUTURE)
    assert after.log[:1] == (OWN,)
    assert after.log[1:] == FUTURE(Rules(), (OWN,))[:1]


def test_a_split_of_your_own_replaces_the_one_that_is_there() -> None:
    session = goto(START, 3, FUTURE)
    other = split_here(session, tree_of(session), 1, OWN.split)
    assert other.log == (*FULL, Collapse(1), OWN)
    assert set(tree_of(other).splits) == {1}


def test_a_split_of_your_own_ends_what_was_undone() -> None:
    session = goto(goto(START, 3, FUTURE), 1, FUTURE)
    assert session.undone == FULL[1:]
    other = split_here(session, tree_of(session), 2 + 1, axis_split(2, 2))
    assert other.undone == ()
    assert len(other.log) == 2


def test_other_rules_make_the_automatic_steps_anew_as_many_as_before() -> None:
    session = goto(START, 2, FUTURE)
    gini = with_rules(session, Rules("gini"), FUTURE)
    assert gini.log == FUTURE(Rules("gini"), ())[:2]
    assert gini.rules == Rules("gini")
    short = with_rules(session, Rules(max_depth=1), FUTURE)
    assert len(short.log) == 1
    assert with_rules(session, session.rules, FUTURE) is session


def test_other_rules_keep_your_own_splits() -> None:
    session = forward(split_here(START, tree_of(START), 1, OWN.split), FUTURE)
    assert len(session.log) == 2
    for rules in (Rules("gini"), Rules("error", order="best"), Rules(max_depth=1)):
        changed = with_rules(session, rules, FUTURE)
        assert changed.log[0] == OWN
        assert changed.log == (OWN, *FUTURE(rules, (OWN,))[:1])
    back_again = with_rules(with_rules(session, Rules("gini"), FUTURE), Rules(), FUTURE)
    assert back_again == session


def test_steps_before_your_own_stay_too() -> None:
    session = goto(START, 1, FUTURE)
    session = split_here(session, tree_of(session), 3, axis_split(2, 3.5))
    changed = with_rules(session, Rules("gini", max_depth=1), FUTURE)
    assert changed.log == session.log


def test_runs_tell_automatic_moves_from_your_own() -> None:
    own = Grow(3, axis_split(2, 3.5))
    log: Log = (FULL[0], own, Collapse(1), OWN)
    assert runs(Rules(), FULL, FUTURE) == (3,)
    assert runs(Rules(), log, FUTURE) == (1, own, Collapse(1), OWN)
    assert runs(Rules(), (), FUTURE) == ()
    rest = FUTURE(Rules(), (OWN,))
    assert runs(Rules(), (OWN, *rest), FUTURE) == (OWN, len(rest))


@given(grown(10))
def test_runs_are_the_log_said_shorter(case: Any) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    again: Log = ()
    for piece in runs(rules, log, future):
        again += future(rules, again)[:piece] if isinstance(piece, int) else (piece,)
    assert again == log


@given(grown(10), st.data())
def test_any_walk_on_the_line_keeps_the_line(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    session = Session(recipe("x"), rules, log)
    whole = line(session, future)
    for _ in range(drawn.draw(st.integers(1, 4))):
        step: Callable[[Session], Session] = drawn.draw(
            st.sampled_from(
                [
                    lambda s: forward(s, future),
                    lambda s: back(s, future),
                    lambda s: goto(s, drawn.draw(st.integers(-1, len(whole) + 1)), future),
                ]
            )
        )
        session = step(session)
        assert line(session, future) == whole
        assert session.log == whole[: len(session.log)]


@given(grown(10), st.data())
def test_any_rules_can_be_chosen_after_any_log(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    other = drawn.draw(rules_for(found.task))
    changed = with_rules(Session(recipe("x"), rules, log), other, future)
    assert len(changed.log) <= len(log)
    fold(found, criterion_of(other, found.task), changed.log)


def test_a_future_is_what_growing_to_the_end_gives() -> None:
    found = data_of(HEIGHTS)
    rules = Rules("gini")
    assert (
        future_of(found)(rules, ())
        == finish(found, rules, stump(found, criterion_of(rules, found.task)))[0]
    )
    one = dataset([[1.0]], np.array([0]), ["x"], "y", "a")
    assert future_of(one)(rules, ()) == ()
    assert forward(Session(recipe("one"), rules), future_of(one)).log == ()
