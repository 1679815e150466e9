"""Two screens side by side: in the address, step by step, acts on each, and the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest
from addresses import FUTURE, PLACE, START, Opened
from addresses import opened as opened_alone
from futures import future_of
from fuzz import PLAIN_EVENTS
from hypothesis import given
from hypothesis import strategies as st
from strategies import logs, nasty, rules_for, sessions

from dtviz import Dataset, load
from dtviz.app.instrument import Instrument, SharedState
from dtviz.base.lazy import Cache
from dtviz.data.dataset import make_recipe, take_rows
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Grow, fold, predict
from dtviz.evaluate.metrics import held_rows, replay_on
from dtviz.pictures.frames import frames
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.tree import branch_tips_frame
from dtviz.session import branches
from dtviz.session.address import (
    SIDE_FIELDS,
    left_out_text,
    read_address,
    session_at,
    write_address,
)
from dtviz.session.branches import (
    compare_with_branch,
    compare_with_itself,
    count_common_steps,
    keep_other_screen,
    keep_this_screen,
    side_titles,
    tip_scores,
    tip_scores_work,
)
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import (
    ScreenSide,
    Session,
    Visit,
    count_steps,
    current_step,
    go_to_step,
    other_session,
    side_of,
    split_node,
    step_back,
    step_forward,
    timeline,
)

OWN = (Grow(1, axis_split(1, 61.5)),)
GINI = ScreenSide(Rules("gini", max_depth=1))
SHARED = SharedState()
BOTH = Session(START, beside=GINI)
BRANCHED = Session(START, branches=((*OWN, *FUTURE(Rules(), OWN)),))


def opened(text: str, **params: str) -> Opened:
    """The session that an address with another screen opens."""
    return opened_alone(data="good_place", beside=text, **params)


def tab(session: Session = BOTH) -> Instrument:
    made = Instrument(Visit(session), SHARED)
    made.replace_session(session)
    return made


# --- the address ----------------------------------------------------------------------------------


@given(sessions(), st.data())
def test_both_screens_come_back_as_they_were(case: Any, drawn: st.DataObject) -> None:
    found, session = case
    rules = drawn.draw(rules_for(found.task))
    log, _ = drawn.draw(logs(found, rules))
    made = drawn.draw(st.integers(0, len(log)))
    tree = fold(Problem(found, rules), log[:made])
    focus = drawn.draw(st.sampled_from([None, *sorted(tree.nodes)]))
    cut = drawn.draw(st.sampled_from([None, *tree.splits.values()]))
    both = replace(session, beside=ScreenSide(rules, log[:made], log[made:], focus, cut))
    future = future_of(found)
    params = write_address(both, found, future)
    assert session_at(read_address(params, make_recipe("other")), found, future) == (both, ())


def test_the_other_screen_is_written_as_an_address_in_the_address() -> None:
    session = replace(BOTH, beside=replace(GINI, log=FUTURE(GINI.rules, ())[:1]))
    text = "criterion=gini&max_depth=1&log=a1"
    assert write_address(session, PLACE, FUTURE) == {"data": "good_place", "beside": text}
    assert opened("")[0].beside == ScreenSide()


def test_the_order_of_the_other_screen_comes_back_with_moves_and_without() -> None:
    orders: tuple[Any, ...] = (None, "best", "depth")
    for order, log in product(orders, ((), OWN)):
        session = Session(make_recipe("moons"), beside=ScreenSide(Rules("gini", order=order), log))
        again, problems = opened_alone(**write_address(session, PLACE, FUTURE))
        assert (again.beside, problems) == (session.beside, ()), (order, log)


@given(st.dictionaries(st.sampled_from([*SIDE_FIELDS, "beside", "data", "row", "x"]), nasty))
def test_any_other_screen_is_read_and_none_raises(params: dict[str, str]) -> None:
    session, problems = opened(urlencode(params))
    assert session.beside is not None or problems
    assert ({*params} <= {*SIDE_FIELDS}) or any("not understood" in one for one in problems)
    tree = fold(
        Problem(PLACE, (session.beside or ScreenSide()).rules), (session.beside or ScreenSide()).log
    )
    assert (session.beside or ScreenSide()).focus in {None, *tree.nodes}


def test_of_more_than_any_screen_has_nothing_is_read() -> None:
    for text in ("&".join(["log=a1"] * 1_000), "log=" + "a1_" * 30_000):
        session, problems = opened(text)
        assert (session.beside, len(problems)) == (None, 1)


def test_there_is_no_third_screen() -> None:
    session, problems = opened("log=a1&beside=log%3Da1&row=2")
    assert session.beside == ScreenSide(log=FUTURE(Rules(), ())[:1])
    assert problems == (f"On the other screen: {left_out_text(['beside', 'row'])}",)


def test_what_is_not_understood_of_the_other_screen_is_told_as_its_own() -> None:
    session, problems = opened("max_depth=0&log=a1_c9", max_depth="2")
    assert (session.rules.max_depth, session.beside) == (
        2,
        side_of(step_forward(Session(START), FUTURE)),
    )
    assert len(problems) == 2
    assert all(problem.startswith("On the other screen: ") for problem in problems)


# --- steps ----------------------------------------------------------------------------------------


def test_both_screens_go_to_a_step_each_as_far_as_it_goes() -> None:
    long = count_steps(BOTH, FUTURE)
    short = len(FUTURE(GINI.rules, ()))
    assert short < long == len(FUTURE(Rules(), ()))
    for step in (1, long, 0):
        there = go_to_step(BOTH, step, FUTURE)
        assert (len(there.log), len(there.beside.log)) == (step, min(step, short))
        assert current_step(there) == step
    turned = Session(START, GINI.rules, beside=ScreenSide())  # now the other one goes farther
    last = go_to_step(turned, 99, FUTURE)
    assert (current_step(last), count_steps(last, FUTURE)) == (long, long)
    assert current_step(step_back(last, FUTURE)) == long - 1
    assert step_back(step_forward(turned, FUTURE), FUTURE).log == ()


def test_the_other_screen_is_the_same_session_with_its_own_rules_and_moves() -> None:
    session = replace(BOTH, row=2, ask=True, branches=BRANCHED.branches)
    theirs = other_session(session)
    assert theirs == Session(START, GINI.rules, row=2, ask=True)
    assert other_session(Session(START)) is None


# --- beginning and end ----------------------------------------------------------------------------


def test_a_branch_stands_beside_the_line_at_the_same_step() -> None:
    session = go_to_step(BRANCHED, 1, FUTURE)
    both = compare_with_branch(session, 0, FUTURE)
    assert both.beside.log == OWN
    theirs = other_session(both)
    assert theirs is not None
    assert timeline(theirs, FUTURE) == session.branches[0]
    assert keep_this_screen(both) == session
    with pytest.raises(IndexError):
        compare_with_branch(session, 1, FUTURE)


def test_to_keep_the_branch_leaves_the_line_as_a_branch() -> None:
    session = go_to_step(BRANCHED, 1, FUTURE)
    kept = keep_other_screen(compare_with_branch(session, 0, FUTURE), FUTURE)
    assert timeline(kept, FUTURE) == session.branches[0]
    assert kept.branches == (timeline(session, FUTURE),)
    assert (kept.log, kept.beside) == (OWN, None)


def test_to_keep_other_settings_takes_the_branches_along() -> None:
    both = replace(BRANCHED, beside=GINI)
    kept = keep_other_screen(both, FUTURE)
    assert (kept.rules, kept.beside, len(kept.branches)) == (GINI.rules, None, 1)
    assert kept.branches[0][:1] == OWN
    assert keep_other_screen(BRANCHED, FUTURE) == BRANCHED


def test_the_screens_are_told_apart_by_rules_else_by_lines() -> None:
    assert side_titles(BOTH, FUTURE) == ("Entropy, any depth", "Gini, depth at most 1")
    assert side_titles(compare_with_branch(BRANCHED, 0, FUTURE), FUTURE) == (
        "This line",
        "Branch 1",
    )
    alone = replace(compare_with_branch(BRANCHED, 0, FUTURE), branches=())
    assert side_titles(alone, FUTURE) == ("This line", "Another line")
    same = compare_with_itself(BRANCHED)
    assert side_titles(same, FUTURE) == ("As it is now", "The same until you change a setting")


# --- acts and pictures ----------------------------------------------------------------------------


def act(made: Instrument, picture: str, **event: Any) -> Session:
    made.act(picture, event)
    return made.visit.session


def test_acts_begin_and_end_a_comparison() -> None:
    made = tab(Session(START))
    assert act(made, "settings", what="compare").beside == ScreenSide()
    changed = act(made, "settings", what="rules", values={"criterion": "gini"})
    assert (changed.rules.criterion, changed.beside) == ("gini", ScreenSide())
    assert act(made, "beside", what="keep", other=True) == Session(START)
    made = tab(BRANCHED)
    assert act(made, "branches", what="compare", branch=3) == BRANCHED
    assert act(made, "branches", what="compare", branch=0).beside is not None
    assert act(made, "beside", what="keep", other="yes").beside is not None
    assert act(made, "beside", what="keep", other=False) == BRANCHED


def test_what_is_done_on_the_other_screen_stays_there_but_a_row_is_shown_on_both() -> None:
    made = tab(step_forward(BOTH, FUTURE))
    after = act(made, "tree", what="focus", node="3", beside=True)
    assert after.focus is None
    assert after.beside.focus == 3
    after = act(made, "stage", what="row", row=2, focus=False, beside=True)
    assert (after.row, after.log, after.axes) == (2, FUTURE(Rules(), ())[:1], None)
    assert len(after.beside.log) == 1


def test_no_event_of_the_other_screen_raises_or_reaches_this_one() -> None:
    for picture, event in PLAIN_EVENTS:
        if picture != "address":
            tabs = tab(), tab(Session(START))
            for each in tabs:
                act(each, picture, **event, beside=True)
            session, alone = (each.visit.session for each in tabs)
            assert (session.rules, session.log, session.focus) == (Rules(), (), None), event
            assert alone == Session(START), event


def test_both_have_the_same_axes_and_stamps_of_their_own() -> None:
    screen = tab().screen()
    theirs = screen.other_screen
    assert theirs.node_view.axes == screen.node_view.axes
    assert theirs.stamp != screen.stamp == tab(Session(START)).screen().stamp
    own, beside = frames(screen, LIGHT), frames(theirs, LIGHT)
    assert "is_second_screen" not in own["stage"]
    assert beside["stage"]["is_second_screen"] is beside["tree"]["is_second_screen"] is True  # type: ignore[typeddict-item]
    assert beside["stage"]["can"]["cut"] is True  # type: ignore[typeddict-item]


def test_the_other_screen_has_a_cut_of_its_own_and_makes_it() -> None:
    made = tab()
    theirs = made.screen().other_screen
    cuts = theirs.node_view.candidates
    index = next(at for at in range(len(cuts)) if at != cuts.best)
    after = act(made, "stage", what="cut", index=index, stamp=theirs.stamp, beside=True)
    assert (after.cut, after.beside) == (None, replace(GINI, focus=1, cut=cuts.split(index)))
    theirs = made.screen().other_screen
    assert theirs.is_rival_chosen
    after = act(made, "grow", what="split", stamp=theirs.stamp, beside=True)
    assert after.log == ()
    assert after.beside == replace(GINI, log=(Grow(1, cuts.split(index)),))
    assert act(made, "grow", what="split", stamp="old", beside=True) == after


def test_the_line_knows_the_next_stamps_of_both() -> None:
    made = tab()
    line: Any = frames(made.screen(), LIGHT)["line"]
    made.act("line", {"what": "goto", "step": 1})
    after = made.screen()
    assert (line["stamps"]["1"], line["second_stamps"]["1"]) == (
        after.stamp,
        after.other_screen.stamp,
    )


@given(rules_for("classification"))
def test_the_fields_of_a_side_are_those_of_rules_and_moves(rules: Rules) -> None:
    assert {*Rules.__slots__} < {*SIDE_FIELDS}
    assert "beside" not in SIDE_FIELDS
    assert side_of(Session(START, rules)) == ScreenSide(rules)


IRIS = load("iris")
SINE = load("sine", n=60)
FORKS_OWN = axis_split(0, 5.45)


def branched(data: Dataset, steps: int = 1, keep: Cache | None = None, **changes: Any) -> Screen:
    """So many steps on, where a split of your own left a branch."""
    future = future_of(data)
    session = Session(make_recipe("file"), default_rules(data.task), **changes)
    for _ in range(steps):
        session = step_forward(session, future)
    here = screen_of(session, data, future)
    node = here.node
    value = float(np.median(data.columns[0][here.tree.rows[node]]))
    session = split_node(session, here.tree, node, axis_split(0, value), future)
    return screen_of(session, data, future, keep)


def test_a_line_that_is_all_automatic_is_as_good_as_the_tree_of_overfit() -> None:
    for data in (IRIS, SINE):
        screen = branched(data)
        tips = tip_scores(screen)
        error = screen.judged.errors[1]
        assert tips.scores[1] == pytest.approx(1 - error if data.classes else error)
        assert tips.rows_text == f"the {screen.judged.held_mask.sum()} rows that Overfit holds out"


def test_the_own_splits_of_a_line_stay_and_the_others_are_made_of_the_other_rows() -> None:
    screen = branched(IRIS, steps=0)
    out = held_rows(IRIS, 0.3, 0)
    own = screen.session.log[0]
    assert own.node == 1
    rules = screen.session.rules
    tree = replay_on(Problem(take_rows(IRIS, ~out), rules), (own, 2 * IRIS.n))
    right = predict(tree, IRIS.columns[:, out]) == IRIS.y[out]
    found = tip_scores(screen)
    assert found.scores[0] == right.mean()


def test_the_score_of_a_line_is_worked_out_once_whatever_is_done_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    score_on_held_rows = branches.score_on_held_rows
    monkeypatch.setattr(
        branches,
        "score_on_held_rows",
        lambda *given: asked.append(given[-1]) or score_on_held_rows(*given),
    )
    keep = Cache()
    screen = branched(IRIS, keep=keep)
    assert tip_scores(screen) is not None
    assert len(asked) == 2
    session = step_forward(screen.session, screen.future)
    assert tip_scores(screen_of(session, IRIS, screen.future, keep)) is not None
    assert len(asked) == 2
    third = (Grow(1, FORKS_OWN), *screen.future(session.rules, (Grow(1, FORKS_OWN),)))
    more = replace(session, branches=(*session.branches, third))
    found = tip_scores(screen_of(more, IRIS, screen.future, keep))
    assert (len(found.scores), len(asked)) == (3, 3)


def test_without_branches_nothing_is_worked_out() -> None:
    session = Session(make_recipe("file"), Rules())
    screen = screen_of(session, IRIS, future_of(IRIS))
    assert tip_scores(screen) is None
    assert branch_tips_frame(screen) == {"forks": []}


def test_one_row_leaves_none_to_judge_by() -> None:
    one = take_rows(IRIS, np.arange(1))
    screen = screen_of(Session(make_recipe("file"), branches=((),)), one, future_of(one))
    assert branch_tips_frame(screen)["forks"] == [
        {"branch": 0, "start_step": 0, "error": "-", "text": "accuracy - on rows held out"}
    ]


def test_a_fork_leaves_after_the_steps_that_both_have() -> None:
    screen = branched(IRIS, steps=2)
    (fork,) = branch_tips_frame(screen)["forks"]
    assert (
        fork["start_step"]
        == 2
        == count_common_steps(screen.session.log, screen.session.branches[0])
    )
    assert fork["error"].endswith("%")
    assert fork["error"] in fork["text"]
    assert count_common_steps((), (Grow(1, FORKS_OWN),)) == 0


def test_while_it_is_worked_out_the_forks_are_there_and_their_tips_wait() -> None:
    screen = replace(branched(IRIS), result_of=lambda work: None)
    frame = branch_tips_frame(screen)
    assert [fork["error"] for fork in frame["forks"]] == [""] == [frame["tip"]["error"]]
    assert tip_scores_work(screen).key == tip_scores_work(branched(IRIS)).key
