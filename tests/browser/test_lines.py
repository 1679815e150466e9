"""Slanted lines and circles on the stage: turned by mouse and keys, split there, in one change."""

from __future__ import annotations

import re

import pytest
from acts import (
    Settled,
    Visit,
    drag,
    expect_step,
    has_no_error,
    picture,
    pull_by_finger,
    sentence,
    split_here,
)
from playwright.sync_api import expect

SCROLLED = "document.querySelector('[data-testid=stMain]').scrollTop"
MOONS = "/?data=moons&n=120&noise=0.25&seed=7&criterion=gini&families=axis."


@pytest.mark.parametrize(
    ("family", "letter", "grip"),
    [("oblique", "o", 0), pytest.param("radial", "r", 1, marks=pytest.mark.nightly)],
)
def test_a_line_and_a_circle_are_turned_by_hand(
    moved: Visit, settled: Settled, family: str, letter: str, grip: int
) -> None:
    page = moved(MOONS + family)
    stage = picture(page, "stage")
    best = stage.get_attribute("data-cut") or ""
    assert best in sentence(page).replace("\u2060", "")
    drag(page, stage.locator(".grip").nth(grip), (40, 45))
    page.wait_for_url(re.compile(f"cut={letter}0"))
    settled(page)
    turned = stage.get_attribute("data-cut") or ""
    assert turned != best
    expect(stage.locator(".readout")).to_contain_text("% of the best")
    split_here(page, settled)
    expect_step(page, 1)
    tree = " ".join(picture(page, "tree").locator("svg text").all_text_contents())
    assert turned.split(" ≤ ")[1] in tree.replace("\u00a0", " ")
    for _ in range(2):  # the split, and all of the turning
        picture(page, "line").locator("[data-name=undo]").click()
        settled(page)
    expect(stage).to_have_attribute("data-cut", best)
    has_no_error(page)


@pytest.mark.nightly
def test_a_finger_turns_the_line_and_the_page_stays(phoned: Visit, settled: Settled) -> None:
    page = phoned(MOONS + "oblique")
    stage = picture(page, "stage")
    best = stage.get_attribute("data-cut") or ""
    grip = stage.locator(".grip").first
    grip.scroll_into_view_if_needed()
    before = page.evaluate(SCROLLED)
    pull_by_finger(page, grip, (25, -40))
    page.wait_for_url(re.compile("cut=o0"))
    settled(page)
    assert stage.get_attribute("data-cut") != best
    assert page.evaluate(SCROLLED) == before
    has_no_error(page)


@pytest.mark.nightly
def test_keys_turn_the_line_and_move_it_along_its_own_axis(moved: Visit, settled: Settled) -> None:
    page = moved(MOONS + "oblique")
    stage = picture(page, "stage")
    best = stage.get_attribute("data-cut") or ""
    stage.locator(".slider").focus()
    page.keyboard.press("ArrowRight")
    expect(stage).to_have_attribute("data-cut", re.compile(re.escape(best.split(" ≤ ")[0])))
    expect(stage).not_to_have_attribute("data-cut", best)
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_url(re.compile("cut=o0"))
    settled(page)
    assert (stage.get_attribute("data-cut") or "").split(" ≤ ")[0] != best.split(" ≤ ")[0]
    has_no_error(page)
