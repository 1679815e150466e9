"""The page Grow round its pictures: its words, the names of its panels, its sliders, two sides."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dtviz.app.instrument import Instrument
from dtviz.base import progress
from dtviz.data.dataset import Recipe
from dtviz.data.gallery import example_recipe
from dtviz.engine.rules import Rules
from dtviz.engine.splits import axis_split
from dtviz.pictures.frames import LAYOUTS, PICTURES
from dtviz.pictures.grow import BIT_NOTE, FIRST_QUESTION, grow_frame, panel_names
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.session.branches import compare_with_itself, tip_scores_work
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit, usual_rules

IRIS, SINE, MOONS = (
    example_recipe("iris"),
    example_recipe("sine", n=40),
    example_recipe("moons", n=60),
)
CUTS = (axis_split(2, 2.45), axis_split(3, 1.75))


def tab(recipe: Recipe = IRIS, **changes: Any) -> Instrument:
    """A tab on an example, with its usual rules."""
    made = Instrument(Visit(Session(recipe)))
    rules = usual_rules(recipe, made.dataset(recipe).task)
    made.replace_session(replace(Session(recipe, rules), **changes))
    return made


def do(tab: Instrument, picture: str, what: str, **values: Any) -> Screen:
    """The screen after an act."""
    tab.act(picture, {"what": what, **values})
    return tab.screen()


def frame(screen: Screen) -> Any:
    return grow_frame(screen, LIGHT)


def parts(screen: Screen) -> list[str]:
    """The names of the parts of the page."""
    return LAYOUTS["grow"](screen)


def key(screen: Screen) -> Any:
    return PICTURES["grow"].key(screen, LIGHT)


def test_sentence_and_caption_are_told_as_they_are_read_until_a_link_hides_them() -> None:
    here = tab()
    (side,) = frame(here.screen())["sides"]
    assert (side["lead"], side["sentence"].partition(":")[0]) == (
        "Root.", "petal_length_cm ≤ 2.45 wins"
    )  # fmt: skip
    slice_text = (
        "The plane is the slice at the medians of the others "
        "(sepal_length_cm = 5.8, sepal_width_cm = 3)."
    )
    dots_text = "Dots: dark where classes meet, faint between rows of one class."
    assert side["caption"] == f"{dots_text} {BIT_NOTE} {slice_text}"
    assert side["split"] == {"text": "Make my cut", "is_main": False, "is_possible": True}
    do(here, "line", "goto", step=4)
    (side,) = frame(do(here, "tree", "focus", node="1"))["sides"]
    assert side["split"] == {"text": "Make my cut", "is_main": False, "is_possible": False}
    (side,) = frame(do(here, "grow", "axis", place=0, feature=1))["sides"]
    assert side["caption"].startswith("Paler points lie farther from the slice. The cut petal_")
    assert " is on neither axis chosen. " in side["caption"]
    hidden = frame(tab(hidden=("settings", "split", "why")).screen())
    assert {*hidden["sides"][0]} == {"stamp", "caption", "is_asking"}
    assert not {"switches", "axes"} & {*hidden}


def test_the_caption_explains_the_dots_that_are_seen_and_the_unit_before_the_first_split() -> None:
    def caption(recipe: Recipe = IRIS, **settings: Any) -> str:
        return str(frame(tab(recipe, **settings).screen())["sides"][0]["caption"])

    hollow = caption(rules=Rules("gini", min_samples_leaf=9))
    assert hollow.startswith(
        "Dots: dark where classes meet, faint between rows of one class, hollow "
    )
    assert BIT_NOTE not in hollow
    assert BIT_NOTE in caption()
    assert not caption(ask=True).startswith(("Dots", BIT_NOTE))
    assert not caption(hidden=("gains",)).startswith(("Dots", BIT_NOTE))
    assert BIT_NOTE not in caption(SINE)
    here = tab()
    do(here, "line", "goto", step=1)
    assert not frame(here.screen())["sides"][0]["caption"].startswith(("Dots", BIT_NOTE))


def test_the_bare_address_asks_until_anything_is_done_other_addresses_do_not() -> None:
    here = tab()
    here.first_session = here.visit.session
    first = frame(here.screen())
    assert (first["is_first"], first["sides"][0]["lead"]) == (True, FIRST_QUESTION)
    do(here, "line", "goto", step=1)
    back = frame(do(here, "line", "goto", step=0))
    assert (back["is_first"], back["sides"][0]["lead"]) == (False, "Root.")


def test_the_panels_are_those_of_the_data_the_tree_and_the_link() -> None:
    gains = ["Candidates", "All gains", "Features", "Arithmetic", "Criteria"]
    others = ["Rows", "Algorithm", "Rules", "Export"]
    cases: tuple[tuple[Recipe, list[str]], ...] = (
        (IRIS, [*gains, *others]),
        (MOONS, [gains[0], *gains[2:], *others]),
        (SINE, [gains[0], *gains[3:], *others]),
        (example_recipe("rpart_treble"), [gains[0], *gains[2:], "Surface", *others]),
        (example_recipe("penguins"), [*gains, *others, "Notes (1)"]),
    )
    for recipe, names in cases:
        assert panel_names(tab(recipe).screen()) == names, recipe.name
    assert panel_names(tab(hidden=("gains",)).screen()) == others
    screen = tab(hidden=("panels",)).screen()
    assert (frame(screen)["panels"], frame(screen)["panel"]) == ([], "")
    assert "ranking" not in parts(screen)
    branched = tab(MOONS, log=(), branches=((),))
    assert "Branches" in panel_names(branched.screen())


def test_the_panel_chosen_last_is_open_while_it_is_there() -> None:
    here = tab()
    assert frame(here.screen())["panel"] == "Candidates"
    assert "ranking" in parts(here.screen())
    screen = do(here, "grow", "panel", name="All gains")
    assert (frame(screen)["panel"], "ranking" in parts(screen)) == ("All gains", False)
    here.replace_session(tab(MOONS).visit.session)
    assert frame(here.screen())["panel"] == "Candidates"
    for name in ("", "<b>x</b>", "x" * 100):
        assert frame(do(here, "grow", "panel", name=name))["panel"] == "Candidates"
    here.replace_session(tab().visit.session)
    do(here, "grow", "panel", name="All gains")
    for name in ("x" * 101, None, ["Rules"]):
        assert frame(do(here, "grow", "panel", name=name))["panel"] == "All gains"


def test_panels_of_gains_are_secret_until_a_cut_is_chosen() -> None:
    here = tab(ask=True)
    for name in panel_names(here.screen()):
        screen = do(here, "grow", "panel", name=name)
        is_secret = name in ("Candidates", "All gains", "Features", "Arithmetic", "Criteria")
        assert bool(frame(screen)["panel_note"]) == is_secret, name
        assert "ranking" not in parts(screen), name
    do(here, "grow", "panel", name="Candidates")
    screen = do(here, "grow", "cut", stamp=here.screen().stamp, index=3)
    assert (frame(screen)["panel_note"], "ranking" in parts(screen)) == ("", True)
    alone = tab(MOONS, rules=Rules(min_samples_leaf=60)).screen()
    assert frame(alone)["panel_note"] == ""  # the cuts that the rules forbid are listed
    end = do(tab(), "line", "goto", step=1)
    assert frame(do(tab(log=end.session.log), "tree", "focus", node="2"))["panel_note"] == ""


def test_a_slider_stands_at_its_value_which_is_among_its_values() -> None:
    here = tab()
    do(here, "line", "goto", step=4)
    screen = do(here, "grow", "axis", place=0, feature=0)
    do(here, "grow", "axis", place=1, feature=1)
    screen = do(here, "tree", "focus", node="1")
    usual = frame(screen)["axes"]
    assert (usual["axes"], usual["is_pinned"]) == ([0, 1], False)
    assert [slider["feature"] for slider in usual["sliders"]] == [2, 3]
    length, width = usual["sliders"]
    assert length["texts"][length["place"]] == "4.35"  # the median, between two values
    assert width["texts"][width["place"]] == "1.3"
    for slider in (length, width):
        assert len(slider["texts"]) == len(slider["values"])
        assert np.all(np.diff(slider["values"]) > 0)
    pinned = frame(do(here, "grow", "pin", feature=2, value=1.4))["axes"]
    moved = pinned["sliders"][0]
    assert (pinned["is_pinned"], moved["texts"][moved["place"]]) == (True, "1.4")
    assert len(moved["values"]) == len(length["values"]) - 1
    assert frame(do(here, "grow", "unpin"))["axes"]["sliders"][0]["texts"] == length["texts"]
    assert "axes" not in frame(tab(MOONS).screen())


def test_two_sides_have_titles_and_figures_and_no_panels_or_axes() -> None:
    here = tab()
    here.replace_session(compare_with_itself(here.visit.session))
    screen = do(here, "settings", "rules", values={"criterion": "gini"})
    assert screen.other_screen is not None
    both = frame(screen)
    assert [side["title"] for side in both["sides"]] == ["Gini", "Entropy"]
    assert {side["figures"] for side in both["sides"]} == {"being worked out"}
    assert [side["stamp"] for side in both["sides"]] == [screen.stamp, screen.other_screen.stamp]
    assert both["stamp"] == screen.other_screen.stamp
    assert (both["panels"], both["panel"], "axes" in both) == ([], "", False)
    assert parts(screen) == ["grow", "line", "cloud", "stage", "tree"]
    assert parts(screen.other_screen) == ["cloud", "stage", "tree"]
    criteria = both["switches"]["criteria"]
    assert criteria["values"][criteria["place"]] == "gini"


def test_the_frame_is_made_anew_when_anything_it_shows_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "SLICE_SECONDS", 600)
    here = tab()
    before = here.screen()
    assert key(before) == key(here.screen())
    assert key(before) != PICTURES["grow"].key(before, DARK)
    assert key(before) != key(do(here, "grow", "panel", name="Rules"))
    assert key(before) != key(replace(before, is_first_view=True))
    here.replace_session(compare_with_itself(here.visit.session))
    screen = do(here, "settings", "rules", values={"criterion": "gini"})
    assert screen.other_screen is not None
    unfinished = replace(screen.other_screen, is_end=lambda _: False)
    assert key(replace(screen, other_screen=unfinished)) != key(screen)
    for side in (screen, screen.other_screen):
        known = key(screen)
        while not here.advance_work(tip_scores_work(side)).is_done:
            pass
        assert key(here.screen()) != known
    figures = [side["figures"] for side in frame(here.screen())["sides"]]
    assert all(text.startswith("accuracy ") for text in figures), figures
