"""Overfit without a page: what is done there, and the pictures it gives."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from futures import future_of

from dtviz.engine.tree import Collapse
from dtviz.figures.frames import PICTURES
from dtviz.figures.palette import LIGHT
from dtviz.screen.handle import act, handle
from dtviz.screen.screen import Screen, screen_of
from dtviz.screen.session import Judging, Session
from dtviz.table.gallery import build, example_recipe

MOONS = example_recipe("moons", n=80, noise=0.3, seed=7)
DATA = build(MOONS)


def screen(session: Session) -> Screen:
    return screen_of(session, DATA, future_of(DATA))


START = screen(Session(MOONS))


def shown(screen: Screen, name: str = "overfit") -> Any:
    return PICTURES[name].draw(screen, LIGHT)


def done(picture: str, what: str, on: Screen = START, **event: Any) -> Screen:
    return screen(handle(on, picture, {"what": what} | event))


def test_a_place_on_the_curve_is_the_tree_that_was_told_of_there() -> None:
    curve = shown(START)["curve"]
    for at, value in enumerate(curve["values"]):
        frame = shown(done("overfit", "place", rule=curve["rule"], value=value))
        assert frame["curve"]["at"] == at
        now = curve["leaves"][at], [curve["training"][at], curve["held"][at]]
        assert (frame["now"]["leaves"], frame["now"]["errors"]) == now


def test_a_slider_keeps_the_prunes_that_a_place_takes_back() -> None:
    pruned = done("judging", "prune", nodes=[2])
    slid, placed = (
        done("overfit", what, pruned, rule="max_depth", value=4) for what in ("slider", "place")
    )
    assert slid.session.judging.prunes == (Collapse(2),)
    assert shown(slid)["curve"]["at"] == -1
    assert shown(slid)["curve"]["now"] == "Depth at most 4, 1 prune"
    assert placed.session.judging.prunes == ()
    assert shown(placed)["curve"]["now"] == "Depth at most 4"


def test_another_axis_is_another_curve_over_the_same_pictures() -> None:
    before, after = shown(START), shown(done("judging", "judge", values={"against": "alpha"}))
    assert (before["curve"]["rule"], after["curve"]["rule"]) == ("max_depth", "ccp_alpha")
    assert (before["mask"] == after["mask"]).all()
    assert [dial["rule"] for dial in before["dials"]] == [dial["rule"] for dial in after["dials"]]


def test_the_pictures_stand_over_the_rows_that_are_sent() -> None:
    for axes in (None, (1, 0)):
        here = screen(Session(MOONS, axes=axes))
        assert shown(here)["cloud"] == shown(here, "rows")["name"]


def test_until_its_work_is_done_the_curve_and_the_folds_are_not_there() -> None:
    def waiting(*works: str) -> Any:
        done = lambda work: START.done(work) if work.asked[0] in works else None  # noqa: E731
        return shown(replace(START, done=done))

    assert "curve" not in waiting()
    assert "mean" not in waiting("curve")["curve"]
    assert "mean" in shown(START)["curve"]
    hidden = shown(screen(Session(MOONS, hidden=("settings", "why"))))
    assert ("dials" in hidden, hidden["say"]) == (False, "")


def test_a_node_clicked_in_the_pruned_tree_is_its_focus() -> None:
    marked = replace(START, visit=act(START, "pruning", {"what": "focus", "node": "3"}))
    assert (START.marked, marked.marked) == (None, 3)
    assert shown(marked, "pruning")["focus"] == "3"
    leaf = next(node for node in marked.judged.tree.rows)
    assert replace(START, visit=replace(START.visit, marked=leaf)).marked is None


def test_too_many_rows_are_not_left_out_one_by_one() -> None:
    large = example_recipe("moons", n=2_000)
    data = build(large)
    one_out = screen_of(Session(large, judging=Judging(folds=1)), data, future_of(data))
    assert one_out.folded() is None
    assert one_out.along() is not None
