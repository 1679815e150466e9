"""The time-line: forward, back, anywhere; splits of your own stay when the rules change.

Time-lines that are left for another stay as branches.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cases import GOOD_PLACE, HEIGHTS, data_of
from futures import future_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_rules, data, grown, nasty, rules_for, sessions

from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.engine.candidates import candidates
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import criterion_of
from dtviz.engine.tree import Log, Tree, fold, rows_in, stump
from dtviz.screen.session import (
    HIDEABLE,
    MAX_BRANCHES,
    MAX_RUNS,
    Future,
    Session,
    back,
    bring_back,
    drop_branch,
    forward,
    goto,
    hide,
    look_at,
    narrate,
    runs,
    split_here,
    timeline,
    with_branches,
    with_rules,
)
from dtviz.table.data import Dataset, dataset, recipe

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
START = Session(recipe("good_place"))
FULL = FUTURE(Rules(), ())
OWN = Grow(1, axis_split(1, 97.5))


def tree_of(session: Session, found: Dataset = PLACE) -> Tree:
    return fold(Problem(found, session.rules), session.log)


def test_the_line_of_a_fresh_session_is_the_automatic_tree() -> None:
    assert timeline(START, FUTURE) == FULL
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
    assert timeline(session, FUTURE) == FULL


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
    session = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    assert (session.log, session.undone) == ((OWN,), ())
    after = forward(session, FUTURE)
    assert after.log[:1] == (OWN,)
    assert after.log[1:] == FUTURE(Rules(), (OWN,))[:1]


def test_a_split_of_your_own_replaces_the_one_that_is_there() -> None:
    session = goto(START, 3, FUTURE)
    other = split_here(session, tree_of(session), 1, OWN.split, FUTURE)
    assert other.log == (*FULL, Collapse(1), OWN)
    assert set(tree_of(other).splits) == {1}


def test_a_split_of_your_own_ends_what_was_undone() -> None:
    session = goto(goto(START, 3, FUTURE), 1, FUTURE)
    assert session.undone == FULL[1:]
    other = split_here(session, tree_of(session), 3, axis_split(2, 2), FUTURE)
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
    session = forward(split_here(START, tree_of(START), 1, OWN.split, FUTURE), FUTURE)
    assert len(session.log) == 2
    for rules in (Rules("gini"), Rules("error", order="best"), Rules(max_depth=1)):
        changed = with_rules(session, rules, FUTURE)
        assert changed.log[0] == OWN
        assert changed.log == (OWN, *FUTURE(rules, (OWN,))[:1])
    back_again = with_rules(with_rules(session, Rules("gini"), FUTURE), Rules(), FUTURE)
    assert back_again == session


def test_steps_before_your_own_stay_too() -> None:
    session = goto(START, 1, FUTURE)
    session = split_here(session, tree_of(session), 3, axis_split(2, 3.5), FUTURE)
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


def test_other_rules_keep_your_own_splits_that_were_stepped_back_over() -> None:
    session = forward(split_here(START, tree_of(START), 1, OWN.split, FUTURE), FUTURE)
    changed = with_rules(goto(session, 0, FUTURE), Rules("gini"), FUTURE)
    assert (changed.log, changed.undone) == ((), (OWN,))
    assert timeline(changed, FUTURE) == (OWN, *FUTURE(Rules("gini"), (OWN,)))


def test_other_rules_keep_what_is_looked_at() -> None:
    looking = look_at(goto(START, 1, FUTURE), 3, axis_split(1, 61.5))
    changed = with_rules(looking, Rules("gini"), FUTURE)
    assert (changed.focus, changed.cut) == (3, axis_split(1, 61.5))


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
    whole = timeline(session, future)
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
        assert timeline(session, future) == whole
        assert session.log == whole[: len(session.log)]


@given(grown(10), st.data())
def test_any_rules_can_be_chosen_after_any_log(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    other = drawn.draw(rules_for(found.task))
    changed = with_rules(Session(recipe("x"), rules, log), other, future)
    assert len(changed.log) <= len(log)
    fold(Problem(found, other), changed.log)


def test_a_future_is_what_growing_to_the_end_gives() -> None:
    found = data_of(HEIGHTS)
    rules = Rules("gini")
    problem = Problem(found, rules)
    assert future_of(found)(rules, ()) == finish(problem, stump(problem))[0]
    one = dataset([[1.0]], np.array([0]), ["x"], "y", "a")
    assert future_of(one)(rules, ()) == ()
    assert forward(Session(recipe("one"), rules), future_of(one)).log == ()


# --- pruning ---

PRUNING = Rules("gini", ccp_alpha=0.2)  # three splits lower the risk by 0.5: a sixth each
PRUNED = FUTURE(PRUNING, ())


def test_prunes_are_automatic_moves() -> None:
    assert PRUNED[:3] == FUTURE(Rules("gini"), ())
    assert PRUNED[3:] == (Collapse(1),)
    assert runs(PRUNING, PRUNED, FUTURE) == (len(PRUNED),)
    for made in range(len(PRUNED) + 1):
        assert FUTURE(PRUNING, PRUNED[:made]) == PRUNED[made:]
    session = replace(START, rules=PRUNING)
    for step in (1, 3, 4, 99):
        there = goto(session, step, FUTURE)
        assert timeline(there, FUTURE) == PRUNED
        assert there.log == PRUNED[:step]


def test_without_pruning_a_prune_is_your_own() -> None:
    prune = PRUNED[3]
    assert runs(Rules("gini"), PRUNED[:4], FUTURE) == (3, prune)


def test_pruning_is_turned_on_and_off() -> None:
    there = goto(replace(START, rules=Rules("gini")), 3, FUTURE)
    pruning = with_rules(there, PRUNING, FUTURE)
    assert pruning.log == PRUNED[:3]
    assert timeline(pruning, FUTURE) == PRUNED
    ended = goto(pruning, 99, FUTURE)
    assert ended.log == PRUNED
    back_again = with_rules(ended, Rules("gini"), FUTURE)
    assert back_again.log == PRUNED[:3]
    assert timeline(back_again, FUTURE) == PRUNED[:3]


def test_a_split_of_your_own_after_pruning() -> None:
    ended = goto(replace(START, rules=PRUNING), 99, FUTURE)
    leaf = min(tree_of(ended).rows)
    cuts = candidates(PLACE, rows_in(tree_of(ended), leaf), criterion_of(PRUNING, PLACE))
    after = split_here(ended, tree_of(ended), leaf, cuts.split(0), FUTURE)
    whole = timeline(after, FUTURE)
    fold(Problem(PLACE, PRUNING), whole)
    assert whole[: len(PRUNED) + 1] == (*PRUNED, Grow(leaf, cuts.split(0)))
    assert FUTURE(PRUNING, whole) == ()


@given(grown(10, ccp_alpha=0.05))
def test_runs_with_pruning_are_the_log_said_shorter(case: Any) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    whole = log + future(rules, log)
    again: Log = ()
    for piece in runs(rules, whole, future):
        again += future(rules, again)[:piece] if isinstance(piece, int) else (piece,)
    assert again == whole
    for made in range(len(log), len(whole) + 1):
        assert future(rules, whole[:made]) == whole[made:]


@given(data(10), st.data())
def test_other_rules_with_pruning_keep_every_line_whole(
    found: Dataset, drawn: st.DataObject
) -> None:
    future = future_of(found)
    rules, other = drawn.draw(any_rules(found)), drawn.draw(any_rules(found))
    session = Session(recipe("x"), rules)
    step = drawn.draw(st.integers(0, len(timeline(session, future))))
    there = goto(session, step, future)
    changed = with_rules(there, other, future)
    assert changed.log == future(other, ())[:step]
    assert timeline(changed, future) == future(other, ())


# --- branches ---


def test_the_line_that_is_left_stays_as_a_branch() -> None:
    first = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    assert first.branches == (FULL,)
    step = forward(first, FUTURE)
    second = split_here(step, tree_of(step), 1, axis_split(2, 3.5), FUTURE)
    assert second.log == (*step.log, Collapse(1), Grow(1, axis_split(2, 3.5)))
    assert second.branches == (FULL, timeline(first, FUTURE))


def test_the_rules_own_split_leaves_no_branch() -> None:
    best = FULL[0]
    assert isinstance(best, Grow)
    session = split_here(START, tree_of(START), best.node, best.split, FUTURE)
    assert (session.log, session.branches) == (FULL[:1], ())


def test_a_line_that_is_gone_on_from_its_end_is_no_branch() -> None:
    session = goto(START, 3, FUTURE)
    other = split_here(session, tree_of(session), 1, OWN.split, FUTURE)
    assert timeline(other, FUTURE)[:3] == FULL
    assert other.branches == ()


def test_the_same_split_again_is_the_branch_again() -> None:
    first = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    best = FULL[0]
    assert isinstance(best, Grow)
    there = split_here(back(first, FUTURE), tree_of(START), 1, best.split, FUTURE)
    assert (timeline(there, FUTURE), there.branches) == (FULL, (timeline(first, FUTURE),))
    again = split_here(back(there, FUTURE), tree_of(START), 1, OWN.split, FUTURE)
    assert again == first


def tree_cuts(found: Dataset) -> list[Any]:
    """Splits of the root, one a cut."""
    cuts = candidates(
        found,
        rows_in(stump(Problem(found, Rules())), 1),
        criterion_of(Rules(), found),
    )
    return [cuts.split(k) for k in range(len(cuts))]


def test_the_oldest_branch_is_dropped() -> None:
    session, lines = START, [FULL]
    others = [split for split in tree_cuts(PLACE) if Grow(1, split) != FULL[0]]
    for split in others:
        session = split_here(back(session, FUTURE), tree_of(START), 1, split, FUTURE)
        lines.append(timeline(session, FUTURE))
    assert len(others) > MAX_BRANCHES + 1
    assert session.branches == tuple(lines[-1 - MAX_BRANCHES : -1])


def test_a_branch_is_brought_back_at_the_same_step() -> None:
    own = forward(split_here(START, tree_of(START), 1, OWN.split, FUTURE), FUTURE)
    there = bring_back(own, 0, FUTURE)
    assert (there.log, there.undone, there.branches) == (
        FULL[:2],
        FULL[2:],
        (timeline(own, FUTURE),),
    )
    assert (there.focus, there.cut) == (None, None)
    home = bring_back(there, 0, FUTURE)
    assert (home.log, timeline(home, FUTURE)) == (own.log, timeline(own, FUTURE))
    assert home.branches == own.branches


def test_a_shorter_branch_is_brought_back_as_far_as_it_goes() -> None:
    short = Session(START.recipe, Rules(max_depth=1))
    long = with_branches(replace(short, log=(*FULL,)), [()], FUTURE)
    assert [len(branch) for branch in long.branches] == [1]
    there = bring_back(long, 0, FUTURE)
    assert (there.log, there.undone, there.branches) == (FULL[:1], (), (FULL,))


def test_a_branch_is_dropped() -> None:
    session = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    assert drop_branch(session, 0) == replace(session, branches=())


@pytest.mark.parametrize("index", [-1, 1, 7])
def test_a_branch_that_is_not_there_is_refused(index: int) -> None:
    session = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    message = f"`index` must be the place of one of 1 branches; not {index}"
    for change in (lambda: bring_back(session, index, FUTURE), lambda: drop_branch(session, index)):
        with pytest.raises(IndexError, match=message):
            change()


def test_other_rules_make_branches_anew_to_their_end() -> None:
    session = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    gini = Rules("gini")
    changed = with_rules(session, gini, FUTURE)
    assert changed.branches == (FUTURE(gini, ()),)
    there = bring_back(changed, 0, FUTURE)
    assert there.branches == ((OWN, *FUTURE(gini, (OWN,))),)
    small = with_rules(session, Rules(max_depth=1), FUTURE)
    assert small.branches == (FULL[:1],)
    assert with_rules(small, Rules(), FUTURE) == session


def test_branches_that_are_equal_once_grown_are_one() -> None:
    whole = (OWN, *FUTURE(Rules(), (OWN,)))
    twice = [whole, whole[:1], (), FULL[:2], whole]
    assert with_branches(START, twice, FUTURE).branches == (whole,)


def test_a_branch_that_is_the_line_under_other_rules_disappears() -> None:
    found = dataset([np.arange(8.0)], np.array([0, 1, 0, 1, 1, 0, 0, 1]), ["x"], "y", "ab")
    future, by_level = future_of(found), Rules("gini", order="breadth")
    assert [move.node for move in future(by_level, ())] == [1, 3, 6, 7, 12]
    session = goto(Session(START.recipe, by_level), 3, future)
    session = split_here(session, tree_of(session, found), 12, axis_split(0, 1.5), future)
    assert [move.node for move in timeline(session, future)] == [1, 3, 6, 12, 7]
    assert session.branches == (future(by_level, ()),)
    changed = with_rules(session, Rules("gini"), future)
    assert timeline(changed, future) == timeline(session, future)
    assert changed.branches == ()


@given(grown(10), st.data())
def test_a_walk_with_choices_loses_no_line(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    session = Session(recipe("x"), rules, log)
    for _ in range(drawn.draw(st.integers(1, 5))):
        before = {timeline(session, future), *session.branches}
        session, dropped = _any_change(session, found, future, drawn)
        whole, branches = timeline(session, future), session.branches
        lost = before - {whole, *branches}
        assert len(branches) <= MAX_BRANCHES
        assert len({whole, *branches}) == 1 + len(branches)
        assert all(future(session.rules, branch) == () for branch in branches)
        full = len(branches) == MAX_BRANCHES
        assert all(line_ == whole[: len(line_)] or dropped or full for line_ in lost)
        for branch in branches:
            fold(Problem(found, session.rules), branch)


def _any_change(
    session: Session, found: Dataset, future: Future, drawn: st.DataObject
) -> tuple[Session, bool]:
    """The session after a step, a split of your own, a branch brought back or dropped."""
    tree = tree_of(session, found)
    node = drawn.draw(st.sampled_from(sorted(tree.nodes)))
    cuts = candidates(found, rows_in(tree, node), criterion_of(session.rules, found))
    places = st.integers(0, max(len(session.branches) - 1, 0))
    kind = drawn.draw(st.sampled_from(("goto", "split", "split", "bring", "bring", "drop")))
    if kind == "split" and len(cuts):
        split = cuts.split(drawn.draw(st.integers(0, len(cuts) - 1)))
        return split_here(session, tree, node, split, future), False
    if kind == "bring" and session.branches:
        return bring_back(session, drawn.draw(places), future), False
    if kind == "drop" and session.branches:
        return drop_branch(session, drawn.draw(places)), True
    return goto(session, drawn.draw(st.integers(0, 6)), future), False


@pytest.mark.uncounted
@given(sessions(), st.data())
def test_a_branch_and_the_line_change_places(case: Any, drawn: st.DataObject) -> None:
    found, session = case
    future = future_of(found)
    for index, branch in enumerate(session.branches):
        there = bring_back(session, index, future)
        assert timeline(there, future) == branch
        assert len(there.log) == min(len(session.log), len(branch))
        assert there.branches[index] == timeline(session, future)
        home = bring_back(there, index, future)
        assert timeline(home, future) == timeline(session, future)
        assert home.branches == session.branches


@given(sessions(), st.data())
def test_under_any_rules_all_lines_are_whole_and_differ(case: Any, drawn: st.DataObject) -> None:
    found, session = case
    future = future_of(found)
    other = drawn.draw(rules_for(found.task))
    changed = with_rules(session, other, future)
    whole = timeline(changed, future)
    assert len({whole, *changed.branches}) == 1 + len(changed.branches)
    for log in (whole, *changed.branches):
        fold(Problem(found, other), log)
        assert future(other, log) == ()
    same = ("recipe", "focus", "cut", "axes", "ask", "hidden", "say")
    assert all(getattr(changed, name) == getattr(session, name) for name in same)


def test_steps_keep_branches_and_what_is_shown() -> None:
    session = split_here(START, tree_of(START), 1, OWN.split, FUTURE)
    session = narrate(hide(replace(session, ask=True), ["why"]), "Look at the root")
    kept = ("branches", "ask", "hidden", "say")
    for after in (forward(session, FUTURE), back(session, FUTURE), look_at(session, 1)):
        assert [getattr(after, name) for name in kept] == [getattr(session, name) for name in kept]


def test_many_branches_ask_the_future_no_more_than_one_log() -> None:
    asked = []

    def counting(rules: Rules, log: Log, *more: Any) -> Log:
        asked.append(log)
        return FUTURE(rules, log, *more)

    loop: Log = (OWN, Collapse(1))
    branches = tuple(loop * (100 + k) for k in range(MAX_BRANCHES))
    with_rules(replace(START, branches=branches), Rules("gini"), counting)
    assert len(asked) <= 2 * MAX_RUNS + 10


# --- what is shown ---


def test_hidden_controls_are_sorted_and_known() -> None:
    assert hide(START, ["why", "gains", "why", "x", ""]).hidden == ("gains", "why")
    assert hide(START, HIDEABLE).hidden == tuple(sorted(HIDEABLE))
    assert hide(hide(START, ["why"]), []) == START


@given(nasty)
def test_any_narration_is_one_harmless_line(text: str) -> None:
    said = narrate(START, text).say
    assert len(said) <= 300
    assert said.isprintable()
    assert narrate(START, said).say == said


def test_a_long_narration_is_cut_short() -> None:
    assert narrate(START, "word " * 60).say == ("word " * 60).strip()
    assert narrate(START, "x" * 301).say == "x" * 299 + "…"
