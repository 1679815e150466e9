"""The time-line: forward, back, anywhere; splits of your own stay when the rules change.

Time-lines that are left for another stay as branches.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from addresses import FUTURE, PLACE
from addresses import START as RECIPE
from cases import HEIGHTS, data_of
from futures import future_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import any_rules, data, grown, nasty, rules_for, sessions

from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset, make_recipe
from dtviz.data.gallery import load
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import criterion_of
from dtviz.engine.search.candidates import candidates
from dtviz.engine.tree import Log, Tree, fold, root_tree, rows_in
from dtviz.session.session import (
    HIDEABLE,
    MAX_BRANCHES,
    MAX_RUNS,
    Future,
    Session,
    bring_back,
    drop_branch,
    go_to_step,
    hide,
    look_at,
    narrate,
    runs_of,
    split_node,
    step_back,
    step_forward,
    timeline,
    with_branches,
    with_rules,
)

START = Session(RECIPE)
FULL = FUTURE(Rules(), ())
OWN = Grow(1, axis_split(1, 97.5))


def tree_of(session: Session, table: Dataset = PLACE) -> Tree:
    return fold(Problem(table, session.rules), session.log)


def split_root(session: Session = START, split: Any = OWN.split) -> Session:
    """The session with another split of the root, which is a leaf there or not."""
    return split_node(session, tree_of(session), 1, split, FUTURE)


def with_rest(rules: Rules = Rules()) -> Log:  # noqa: B008
    """The split of your own and the automatic rest."""
    return (OWN, *FUTURE(rules, (OWN,)))


def test_forward_to_the_end_and_no_further_and_back_keeps_the_moves() -> None:
    assert timeline(START, FUTURE) == FULL
    assert len(FULL) == 3
    session = START
    for k in range(1, 6):
        session = step_forward(session, FUTURE)
        assert (session.log, session.undone) == (FULL[: min(k, 3)], ())
    for step in (2, 1, 0, 0):
        session = step_back(session, FUTURE)
        assert (session.log, session.undone) == (FULL[:step], FULL[step:])
    assert step_forward(session, FUTURE).log == FULL[:1]
    assert timeline(session, FUTURE) == FULL
    for step, end in ((-5, 0), (0, 0), (2, 2), (3, 3), (99, 3)):
        assert go_to_step(START, step, FUTURE).log == FULL[:end], step


def test_moving_forgets_focus_and_cut_and_other_rules_do_not() -> None:
    looking = look_at(go_to_step(START, 1, FUTURE), 3, axis_split(1, 61.5))
    assert (looking.focus, looking.cut, looking.log) == (3, axis_split(1, 61.5), FULL[:1])
    moved, changed = step_back(looking, FUTURE), with_rules(looking, Rules("gini"), FUTURE)
    assert (moved.focus, moved.cut) == (None, None)
    assert (changed.focus, changed.cut) == (3, axis_split(1, 61.5))
    gone = with_rules(replace(looking, focus=6), Rules("gini"), FUTURE)
    assert (gone.focus, gone.cut) == (None, None)


def test_a_split_of_your_own_goes_on_from_there() -> None:
    session = split_root()
    assert (session.log, session.undone) == ((OWN,), ())
    assert step_forward(session, FUTURE).log == with_rest()[:2]
    replaced = split_root(go_to_step(START, 3, FUTURE))
    assert replaced.log == (*FULL, Collapse(1), OWN)
    assert set(tree_of(replaced).splits) == {1}
    first = go_to_step(go_to_step(START, 3, FUTURE), 1, FUTURE)
    assert first.undone == FULL[1:]
    other = split_node(first, tree_of(first), 3, axis_split(2, 2), FUTURE)
    assert (other.undone, len(other.log)) == ((), 2)


def test_other_rules_make_the_automatic_steps_anew_and_keep_your_own() -> None:
    session, gini = go_to_step(START, 2, FUTURE), Rules("gini")
    changed = with_rules(session, gini, FUTURE)
    assert (changed.log, changed.rules) == (FUTURE(gini, ())[:2], gini)
    assert len(with_rules(session, Rules(max_depth=1), FUTURE).log) == 1
    assert with_rules(session, session.rules, FUTURE) is session
    session = step_forward(split_root(), FUTURE)
    assert len(session.log) == 2
    for rules in (gini, Rules("error", order="best"), Rules(max_depth=1)):
        changed = with_rules(session, rules, FUTURE)
        assert changed.log == (OWN, *FUTURE(rules, (OWN,))[:1])
    assert with_rules(with_rules(session, gini, FUTURE), Rules(), FUTURE) == session
    changed = with_rules(go_to_step(session, 0, FUTURE), gini, FUTURE)  # it was stepped back over
    assert (changed.log, changed.undone) == ((), (OWN,))
    assert timeline(changed, FUTURE) == with_rest(gini)
    session = go_to_step(START, 1, FUTURE)
    session = split_node(session, tree_of(session), 3, axis_split(2, 3.5), FUTURE)
    assert with_rules(session, Rules("gini", max_depth=1), FUTURE).log == session.log


def test_runs_tell_automatic_moves_from_your_own() -> None:
    split = Grow(3, axis_split(2, 3.5))
    log: Log = (FULL[0], split, Collapse(1), OWN)
    assert runs_of(Rules(), FULL, FUTURE) == (3,)
    assert runs_of(Rules(), log, FUTURE) == (1, split, Collapse(1), OWN)
    assert runs_of(Rules(), (), FUTURE) == ()
    assert runs_of(Rules(), with_rest(), FUTURE) == (OWN, len(with_rest()) - 1)


@given(st.sampled_from((0.0, 0.05)).flatmap(lambda alpha: grown(10, ccp_alpha=alpha)))
def test_runs_are_the_log_said_shorter(case: Any) -> None:
    table, rules, log, _ = case
    future = future_of(table)
    line = log + future(rules, log)
    for moves in (log, line):
        again: Log = ()
        for piece in runs_of(rules, moves, future):
            again += future(rules, again)[:piece] if isinstance(piece, int) else (piece,)
        assert again == moves
    for step in range(len(log), len(line) + 1):
        assert future(rules, line[:step]) == line[step:]


def test_a_future_is_what_growing_to_the_end_gives() -> None:
    table, rules = data_of(HEIGHTS), Rules("gini")
    problem = Problem(table, rules)
    assert future_of(table)(rules, ()) == finish(problem, root_tree(problem))[0]
    row = make_dataset([[1.0]], np.array([0]), ["x"], "y", "a")
    assert future_of(row)(rules, ()) == ()
    assert step_forward(Session(make_recipe("one"), rules), future_of(row)).log == ()


# --- pruning --------------------------------------------------------------------------------------

PRUNING = Rules("gini", ccp_alpha=0.2)  # three splits lower the risk by 0.5: a sixth each
PRUNED = FUTURE(PRUNING, ())


def test_prunes_are_automatic_moves_only_where_the_rules_prune() -> None:
    assert PRUNED[:3] == FUTURE(Rules("gini"), ())
    assert PRUNED[3:] == (Collapse(1),)
    assert runs_of(PRUNING, PRUNED, FUTURE) == (len(PRUNED),)
    assert runs_of(Rules("gini"), PRUNED[:4], FUTURE) == (3, PRUNED[3])
    for step in range(len(PRUNED) + 1):
        assert FUTURE(PRUNING, PRUNED[:step]) == PRUNED[step:]
    session = replace(START, rules=PRUNING)
    for step in (1, 3, 4, 99):
        there = go_to_step(session, step, FUTURE)
        assert timeline(there, FUTURE) == PRUNED
        assert there.log == PRUNED[:step]


def test_pruning_is_turned_on_and_off_and_a_split_may_follow() -> None:
    there = go_to_step(replace(START, rules=Rules("gini")), 3, FUTURE)
    pruning = with_rules(there, PRUNING, FUTURE)
    assert pruning.log == PRUNED[:3]
    assert timeline(pruning, FUTURE) == PRUNED
    ended = go_to_step(pruning, 99, FUTURE)
    assert ended.log == PRUNED
    unpruned = with_rules(ended, Rules("gini"), FUTURE)
    assert unpruned.log == timeline(unpruned, FUTURE) == PRUNED[:3]
    (leaf,) = tree_of(ended).rows
    cuts = candidates(PLACE, rows_in(tree_of(ended), leaf), criterion_of(PRUNING, PLACE))
    line = timeline(split_node(ended, tree_of(ended), leaf, cuts.split(0), FUTURE), FUTURE)
    fold(Problem(PLACE, PRUNING), line)
    assert line[: len(PRUNED) + 1] == (*PRUNED, Grow(leaf, cuts.split(0)))
    assert FUTURE(PRUNING, line) == ()


@given(data(10), st.data())
def test_other_rules_with_pruning_keep_every_line_whole(
    table: Dataset, drawn: st.DataObject
) -> None:
    future = future_of(table)
    rules, other = drawn.draw(any_rules(table)), drawn.draw(any_rules(table))
    session = Session(make_recipe("x"), rules)
    step = drawn.draw(st.integers(0, len(timeline(session, future))))
    changed = with_rules(go_to_step(session, step, future), other, future)
    assert changed.log == future(other, ())[:step]
    assert timeline(changed, future) == future(other, ())


# --- branches -------------------------------------------------------------------------------------


def test_the_line_that_is_left_stays_as_a_branch() -> None:
    first = split_root()
    assert first.branches == (FULL,)
    step = step_forward(first, FUTURE)
    second = split_root(step, axis_split(2, 3.5))
    assert second.log == (*step.log, Collapse(1), Grow(1, axis_split(2, 3.5)))
    assert second.branches == (FULL, timeline(first, FUTURE))
    best = FULL[0]
    automatic = split_root(START, best.split)  # the rules' split leaves none
    assert (automatic.log, automatic.branches) == (FULL[:1], ())
    there = split_root(step_back(first, FUTURE), best.split)
    assert (timeline(there, FUTURE), there.branches) == (FULL, (timeline(first, FUTURE),))
    assert split_root(step_back(there, FUTURE)) == first  # the same split again is the branch again
    after = split_root(go_to_step(START, 3, FUTURE))  # gone on from the end, it is no other line
    assert timeline(after, FUTURE)[:3] == FULL
    assert after.branches == ()


def test_the_oldest_branch_is_dropped() -> None:
    session, lines = START, [FULL]
    cuts = candidates(PLACE, rows_in(tree_of(START), 1), criterion_of(Rules(), PLACE))
    others = [split for split in map(cuts.split, range(len(cuts))) if Grow(1, split) != FULL[0]]
    for split in others:
        session = split_root(step_back(session, FUTURE), split)
        lines.append(timeline(session, FUTURE))
    assert len(others) > MAX_BRANCHES + 1
    assert session.branches == tuple(lines[-1 - MAX_BRANCHES : -1])


def test_a_branch_is_brought_back_at_the_same_step_or_dropped() -> None:
    session = step_forward(split_root(), FUTURE)
    line = timeline(session, FUTURE)
    there = bring_back(session, 0, FUTURE)
    assert (there.log, there.undone, there.branches) == (FULL[:2], FULL[2:], (line,))
    assert (there.focus, there.cut) == (None, None)
    home = bring_back(there, 0, FUTURE)
    assert (home.log, timeline(home, FUTURE)) == (session.log, line)
    assert home.branches == session.branches
    short = Session(RECIPE, Rules(max_depth=1))
    long = with_branches(replace(short, log=(*FULL,)), [()], FUTURE)
    assert [len(branch) for branch in long.branches] == [1]
    there = bring_back(long, 0, FUTURE)  # as far as it goes
    assert (there.log, there.undone, there.branches) == (FULL[:1], (), (FULL,))
    assert drop_branch(session, 0) == replace(session, branches=())
    for index in (-1, 1, 7):
        message = f"`index` must be the place of one of 1 branches; not {index}"
        with pytest.raises(IndexError, match=message):
            bring_back(session, index, FUTURE)
        with pytest.raises(IndexError, match=message):
            drop_branch(session, index)


def test_other_rules_make_branches_anew_to_their_end() -> None:
    session, gini = split_root(), Rules("gini")
    changed = with_rules(session, gini, FUTURE)
    assert changed.branches == (FUTURE(gini, ()),)
    assert bring_back(changed, 0, FUTURE).branches == (with_rest(gini),)
    small = with_rules(session, Rules(max_depth=1), FUTURE)
    assert small.branches == (FULL[:1],)
    assert with_rules(small, Rules(), FUTURE) == session
    twice = [with_rest(), with_rest()[:1], (), FULL[:2], with_rest()]  # equal once grown
    assert with_branches(START, twice, FUTURE).branches == (with_rest(),)


def test_a_branch_that_is_the_line_under_other_rules_disappears() -> None:
    table = make_dataset([np.arange(8.0)], np.array([0, 1, 0, 1, 1, 0, 0, 1]), ["x"], "y", "ab")
    future, by_level = future_of(table), Rules("gini", order="breadth")
    assert [move.node for move in future(by_level, ())] == [1, 3, 6, 7, 12]
    session = go_to_step(Session(RECIPE, by_level), 3, future)
    session = split_node(session, tree_of(session, table), 12, axis_split(0, 1.5), future)
    assert [move.node for move in timeline(session, future)] == [1, 3, 6, 12, 7]
    assert session.branches == (future(by_level, ()),)
    changed = with_rules(session, Rules("gini"), future)
    assert timeline(changed, future) == timeline(session, future)
    assert changed.branches == ()


@given(grown(10), st.data())
def test_a_walk_with_choices_loses_no_line(case: Any, drawn: st.DataObject) -> None:
    table, rules, log, _ = case
    future = future_of(table)
    session = Session(make_recipe("x"), rules, log)
    for _ in range(drawn.draw(st.integers(1, 5))):
        before = {timeline(session, future), *session.branches}
        session, dropped = _any_change(session, table, future, drawn)
        line, branches = timeline(session, future), session.branches
        lost = before - {line, *branches}
        assert len(branches) <= MAX_BRANCHES
        assert len({line, *branches}) == 1 + len(branches)
        assert all(future(session.rules, branch) == () for branch in branches)
        full = len(branches) == MAX_BRANCHES
        assert all(part == line[: len(part)] or dropped or full for part in lost)
        for branch in branches:
            fold(Problem(table, session.rules), branch)


def _any_change(
    session: Session, table: Dataset, future: Future, drawn: st.DataObject
) -> tuple[Session, bool]:
    """The session after a step, a split of your own, a branch brought back or dropped."""
    tree = tree_of(session, table)
    node = drawn.draw(st.sampled_from(sorted(tree.nodes)))
    cuts = candidates(table, rows_in(tree, node), criterion_of(session.rules, table))
    places = st.integers(0, max(len(session.branches) - 1, 0))
    kind = drawn.draw(st.sampled_from(("goto", "split", "split", "bring", "bring", "drop")))
    if kind == "split" and len(cuts):
        split = cuts.split(drawn.draw(st.integers(0, len(cuts) - 1)))
        return split_node(session, tree, node, split, future), False
    if kind == "bring" and session.branches:
        return bring_back(session, drawn.draw(places), future), False
    if kind == "drop" and session.branches:
        return drop_branch(session, drawn.draw(places)), True
    line = timeline(session, future)
    there = go_to_step(session, drawn.draw(st.integers(-1, len(line) + 1)), future)
    assert timeline(there, future) == line
    assert there.log == line[: len(there.log)]
    return there, False


@given(sessions(), st.data())
def test_branches_and_the_line_change_places_and_are_whole_under_any_rules(
    case: Any, drawn: st.DataObject
) -> None:
    table, session = case
    future = future_of(table)
    for index, branch in enumerate(session.branches):
        there = bring_back(session, index, future)
        assert timeline(there, future) == branch
        assert len(there.log) == min(len(session.log), len(branch))
        assert there.branches[index] == timeline(session, future)
        home = bring_back(there, index, future)
        assert timeline(home, future) == timeline(session, future)
        assert home.branches == session.branches
    other = drawn.draw(rules_for(table.task))
    changed = with_rules(session, other, future)
    line = timeline(changed, future)
    assert len(changed.log) <= len(session.log)
    assert len({line, *changed.branches}) == 1 + len(changed.branches)
    for log in (line, *changed.branches):
        fold(Problem(table, other), log)
        assert future(other, log) == ()
    same = ["recipe", "axes", "ask", "hidden", "say"]
    if session.focus is None or session.focus in tree_of(changed, table).nodes:
        same += ["focus", "cut"]
    assert all(getattr(changed, name) == getattr(session, name) for name in same)


def test_steps_keep_branches_and_what_is_shown() -> None:
    session = narrate(hide(replace(split_root(), ask=True), ["why"]), "Look at the root")
    for after in (step_forward(session, FUTURE), step_back(session, FUTURE), look_at(session, 1)):
        for name in ("branches", "ask", "hidden", "say"):
            assert getattr(after, name) == getattr(session, name), name


def test_many_branches_ask_the_future_no_more_than_one_log() -> None:
    logs = []

    def counting(rules: Rules, log: Log, *more: Any) -> Log:
        logs.append(log)
        return FUTURE(rules, log, *more)

    loop: Log = (OWN, Collapse(1))
    branches = tuple(loop * (100 + k) for k in range(MAX_BRANCHES))
    with_rules(replace(START, branches=branches), Rules("gini"), counting)
    assert len(logs) <= 2 * MAX_RUNS + 10


# --- what is shown --------------------------------------------------------------------------------


def test_hidden_controls_are_sorted_and_known() -> None:
    assert hide(START, ["why", "gains", "why", "x", ""]).hidden == ("gains", "why")
    assert hide(START, HIDEABLE).hidden == tuple(sorted(HIDEABLE))
    assert hide(hide(START, ["why"]), []) == START


@given(nasty)
def test_any_narration_is_one_harmless_line_and_a_long_one_is_cut_short(text: str) -> None:
    line = narrate(START, text).say
    assert len(line) <= 300
    assert line.isprintable()
    assert narrate(START, line).say == line
    assert narrate(START, "word " * 60).say == ("word " * 60).strip()
    assert narrate(START, "x" * 301).say == "x" * 299 + "…"


def test_a_part_of_a_cut_is_not_looked_at() -> None:
    tennis = load("play_tennis")
    future, start = future_of(tennis), Session(make_recipe("play_tennis"))
    looking = look_at(go_to_step(start, 1, future), 3)
    assert with_rules(looking, Rules("gini"), future).focus == 3
    assert with_rules(looking, Rules("gini", families=("multiway",)), future).focus is None
