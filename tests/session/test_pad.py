"""The pad without a page: what is drawn becomes the data, and can be had back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from futures import future_of

from dtviz.data.drawing import Drawing, drawing_of, drawing_recipe
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.rules import Rules
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.session.handle import handle_visit
from dtviz.session.screen import BlankScreen, screen_of
from dtviz.session.session import Session, Visit

IRIS = example_recipe("iris")
MOONS = example_recipe("moons", n=20)
EMPTY = BlankScreen(visit=Visit(Session(drawing_recipe(Drawing()))), drawing=Drawing())
A, B = [1, 2, 0], [3, 4, 1]


def after(screen: BlankScreen, what: str, **event: Any) -> BlankScreen:
    """The pad after an act on it."""
    visit = handle_visit(screen, "pad", {"what": what} | event)
    recipe = visit.session.recipe
    return BlankScreen(visit=visit, drawing=drawing_of(recipe) if recipe.name == "drawn" else None)


def put(screen: BlankScreen, *points: list[int]) -> BlankScreen:
    return after(screen, "points", change=[[None, point] for point in points])


def pad(screen: BlankScreen) -> Any:
    return PICTURES["pad"].draw(screen, LIGHT)


def test_points_become_the_data_and_are_on_the_pad() -> None:
    drawn = put(EMPTY, A, B)
    assert drawn.session.recipe == drawing_recipe(Drawing("classes", ((1, 2, 0), (3, 4, 1))))
    assert (pad(drawn)["x"].tolist(), pad(drawn)["value"].tolist()) == ([1, 3], [0, 1])


def test_the_pad_goes_back_and_on_by_its_own_steps_only() -> None:
    one = put(EMPTY, A)
    two = put(one, B)
    back = after(two, "undo")
    assert back.pad == one.pad
    assert [(pad(step)["can_undo"], pad(step)["can_redo"]) for step in (EMPTY, two, back)] == [
        (False, False), (True, False), (True, True),
    ]  # fmt: skip
    assert after(back, "redo").pad == two.pad
    stepped = replace(two, visit=replace(two.visit, undo_stack=(two.session,)))
    assert after(stepped, "undo").visit == stepped.visit
    assert not pad(stepped)["can_undo"]


def test_another_kind_translates_the_points_and_brings_rules_that_suit_it() -> None:
    drawn = after(put(EMPTY, A, B), "kind", kind="colour")
    assert drawn.pad == Drawing("colour", ((1, 2, 1), (3, 4, 2)))
    assert drawn.session.rules == Rules("squared_error", order="best")
    assert pad(drawn)["target"] == "colour"


def test_a_kind_before_the_first_point_leaves_the_data_alone() -> None:
    iris = BlankScreen(visit=Visit(Session(IRIS)))
    blank = after(iris, "kind", kind="height")
    assert blank.session == iris.session
    assert blank.visit.undo_stack == ()
    assert pad(blank)["target"] == "height"


def test_an_example_is_drawn_on_where_it_fits() -> None:
    for recipe, points in ((MOONS, 20), (IRIS, 0)):
        data = build(recipe)
        screen = screen_of(Session(recipe), data, future_of(data))
        drawn = after(screen, "from")
        assert len(drawn.pad.rows) == points
        assert pad(drawn)["fit"] - pad(screen)["fit"] == bool(points)
