"""A visit: undo, redo and play as plain functions on one value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from futures import future_of
from hypothesis import given
from hypothesis import strategies as hst

from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles import Plan
from dtviz.engine.tree import Collapse
from dtviz.session import session as visits
from dtviz.session.handle import handle_visit
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.screen import BlankScreen, Screen, screen_of
from dtviz.session.session import Judging, Session, Visit, redo, undo, with_session

PLACE = example_recipe("good_place")
DATA = build(PLACE)
FUTURE = future_of(DATA)
START = Visit(Session(PLACE))


def shown(visit: Visit) -> Screen:
    return replace(screen_of(visit.session, DATA, FUTURE), visit=visit)


def acted(visit: Visit, *events: dict[str, Any]) -> Visit:
    for event in events:
        visit = handle_visit(shown(visit), "line", event)
    return visit


def goto(step: int, **more: Any) -> dict[str, Any]:
    return {"what": "goto", "step": step} | more


PLAY, UNDO, REDO = {"what": "play", "on": True}, {"what": "undo"}, {"what": "redo"}


@given(hst.lists(hst.sampled_from([goto(0), goto(1), goto(2), goto(3), PLAY]), max_size=8))
def test_undo_takes_back_every_change_and_redo_makes_it_again(events: list[Any]) -> None:
    after = acted(START, *events)
    back = after
    for _ in after.undo_stack:
        back = undo(back)
    assert back.session == START.session
    assert undo(back) == back
    for _ in after.undo_stack:
        back = redo(back)
    assert back.session == after.session
    assert redo(back) == back


def test_another_change_leaves_nothing_to_redo() -> None:
    after = acted(START, goto(2), UNDO, goto(1))
    assert after.redo_stack == ()
    assert acted(after, REDO) == after


def test_the_same_again_is_no_change() -> None:
    assert with_session(START, START.session) is START
    assert acted(START, goto(0)).undo_stack == ()


def on(page: str, visit: Visit, **change: Any) -> Visit:
    """The visit after a change of some fields, on that page."""
    return with_session(replace(visit, page=page), replace(visit.session, **change))


def test_undo_on_a_page_takes_back_what_that_page_shows_and_nothing_else() -> None:
    lab, prunes, plan = ImpuritySettings(percent=50), Judging(prunes=(Collapse(2),)), Plan(trees=5)
    log = FUTURE(START.session.rules, ())[:2]
    shallow = replace(START.session.rules, max_depth=1)
    visit = on("impurity", START, lab=lab)
    visit = on("overfit", visit, judging=prunes)
    visit = on("forest", visit, plan=plan)
    visit = on("grow", visit, log=log)
    changes = {"impurity": "lab", "overfit": "judging", "forest": "plan", "grow": "log"}
    for page, field in changes.items():
        here = replace(visit, page=page)
        back = undo(here)
        undone = replace(visit.session, **{field: getattr(START.session, field)})
        assert back.session == undone, page
        assert undo(back) is back, page
        assert redo(back).session == visit.session
    assert undo(replace(visit, page="stability")).session == visit.session
    back = visit
    for page in changes:  # in whatever order
        back = undo(replace(back, page=page))
    assert back.session == START.session
    for page in changes:
        back = redo(replace(back, page=page))
    assert back.session == visit.session
    # What was built on the rules or the data of a change goes and comes back with it.
    built = on("grow", on("overfit", visit, rules=shallow, log=()), log=log[:1])
    back = undo(replace(built, page="overfit"))
    assert back.session == visit.session
    assert redo(back).session == built.session
    other = on(
        "impurity", on("data", built, recipe=example_recipe("xor"), log=()), lab=ImpuritySettings()
    )
    assert undo(replace(other, page="grow")).session == replace(
        built.session, lab=ImpuritySettings()
    )


def test_so_many_changes_can_be_undone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visits, "MAX_SESSIONS_KEPT", 5)
    visit = START
    for k in range(9):
        visit = acted(visit, goto(k % 2 + 1))
    assert len(visit.undo_stack) == 5


def test_it_plays_on_only_where_its_own_tick_asks() -> None:
    playing = acted(START, PLAY)
    assert playing.playing
    assert acted(playing, goto(1, playing=True)).playing
    for event in (goto(1), goto(0), UNDO, {"what": "play", "on": False}):
        assert not acted(playing, PLAY, goto(1, playing=True), event).playing
    assert not acted(START, goto(1, playing=True)).playing


def test_a_node_of_the_pruned_tree_is_marked() -> None:
    assert (
        handle_visit(
            BlankScreen(visit=START), "pruning", {"what": "focus", "node": "5"}
        ).marked_node
        == 5
    )
    assert handle_visit(BlankScreen(visit=START), "pruning", {"what": "focus", "node": 5}) == START
