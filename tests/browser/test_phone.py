"""A class with phones: the plane, or the planes, share a screen with what the fingers move."""

from __future__ import annotations

import re

from acts import (
    Settled,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    has_no_error,
    picture,
    query,
    touch,
    violations,
)
from playwright.sync_api import Locator, Page, expect

HEIGHT, LOW_HEIGHT, HEAD = 844, 640, 60
FINGER = 44  # pixels that a finger needs
STOPS, STOP_THAT_ASKS = 7, 6  # the last but one of the first tour asks for a cut
QUESTION = "Where would you cut?"
WORDS = ".st-key-says, .asked p, .readout"
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"


def stage_of(page: Page) -> Locator:
    return picture(page, "stage")


def expect_plane_in_sight(page: Page, height: int = HEIGHT) -> float:
    """The top of the plane with its axes, all of which is on the first screen."""
    own = bounds(stage_of(page).locator(".area"))
    assert own["y"] > HEAD
    assert own["y"] + own["height"] <= height
    assert page.evaluate(SCROLLED) == 0
    return own["y"]


def test_a_tour_keeps_the_plane_in_sight_and_a_tap_chooses_between_two_lines(
    phoned: Visit, settled: Settled
) -> None:
    page = phoned("/grow?tour=first")
    bar, tops, heights = page.locator(".st-key-say"), set(), set()
    for stop in range(STOP_THAT_ASKS):
        tops.add(expect_plane_in_sight(page))
        heights.add(bounds(bar)["height"])
        narration = bounds(bar.locator(".st-key-says"))
        assert narration["y"] < bounds(page.locator(".asked p"))["y"], "the sentence comes below"
        page.get_by_role("button", name="Next stop").tap()
        page.wait_for_url(f"**stop={stop + 1}**")
        settled(page)
    assert len(tops) == len(heights) == 1, "nothing moves from stop to stop"
    assert heights.pop() < 130
    expect_plane_in_sight(page)
    expect(page.locator(WORDS, has_text=QUESTION).filter(visible=True)).to_have_count(1)
    page.evaluate("() => document.querySelector('[data-testid=stMain]').scrollTo(0, 500)")
    expect(page.get_by_role("button", name="Next stop")).to_be_in_viewport(ratio=1)
    assert bounds(stage_of(page).locator(".area"))["y"] < bounds(bar)["y"], "the bar stays"
    for button in (*bar.get_by_role("button").all(), *stage_of(page).locator(".reveal").all()):
        assert min(bounds(button)["width"], bounds(button)["height"]) >= FINGER

    page.get_by_role("button", name="Leave").tap()
    settled(page)
    page = phoned("/grow?data=moons&noise=0.3&n=200&ask=1")
    top = expect_plane_in_sight(page)
    expect(page.locator(WORDS, has_text=QUESTION).filter(visible=True)).to_have_count(1)
    stage, area = stage_of(page), bounds(stage_of(page).locator(".area"))
    upright, level = (
        stage.get_by_role("button", name=name) for name in ("Vertical line", "Horizontal line")
    )
    reveal = stage.get_by_role("button", name="Reveal the gains")
    x, y = area["x"] + 0.4 * area["width"], area["y"] + 0.5 * area["height"]
    page.touchscreen.tap(x, y)
    expect(upright).to_contain_text("x1 ≤")
    expect(level).to_contain_text("x2 ≤")
    expect(reveal).to_be_disabled()  # until a line is chosen
    level.tap()
    rule = level.inner_text()
    expect(stage).to_have_attribute("data-cut", rule)
    touch(page, (x, y), (x, y + 20), (x + 10, y + 60))  # the page does not scroll under it
    expect(stage).not_to_have_attribute("data-cut", rule)
    expect(level).to_have_attribute("aria-pressed", "true")
    assert violations(page, settled) == []
    assert "cut" not in query(page)
    upright.press("Enter")
    stage.locator(".slider").focus()
    rule = upright.inner_text()
    page.keyboard.press("ArrowRight")
    expect(stage).not_to_have_attribute("data-cut", rule)
    assert expect_plane_in_sight(page) == top
    reveal.press("Enter")
    page.wait_for_url("**cut=**")
    settled(page)
    expect(page.locator(".asked p")).to_contain_text("of the best")
    assert abs(expect_plane_in_sight(page) - top) < 2, "the answer has the room of the question"
    expect_no_wider_than_the_window(page)
    page.go_back()
    page.wait_for_url(lambda url: "cut=" not in url)
    settled(page)
    expect(reveal).to_be_disabled()
    has_no_error(page)


def test_the_sliders_of_overfit_share_a_screen_with_both_planes(
    phoned: Visit, settled: Settled
) -> None:
    page = phoned("/overfit?data=moons&noise=0.3&n=200")
    overfit = picture(page, "overfit")
    expect(overfit.locator(".told")).to_contain_text("mean")
    settled(page)
    panels, dials = overfit.locator(".panels"), overfit.locator(".dials")
    first, last = bounds(panels), bounds(dials)
    assert first["y"] > HEAD
    assert first["y"] + first["height"] <= last["y"]
    assert last["y"] + last["height"] <= HEIGHT
    depth = dials.get_by_label("Depth at most", exact=True)
    own, titles = bounds(depth), panels.locator(".title")
    assert own["height"] >= FINGER
    before = titles.all_inner_texts()
    assert len(before) == 2
    page.touchscreen.tap(own["x"] + 10, own["y"] + own["height"] / 2)
    page.wait_for_url(re.compile("max_depth=1"))
    settled(page)
    assert all(a != b for a, b in zip(before, titles.all_inner_texts(), strict=True))
    assert page.evaluate(SCROLLED) == 0
    both = bounds(dials)["y"] + bounds(dials)["height"] - bounds(panels)["y"]
    assert both < LOW_HEIGHT - HEAD, "a low screen shows both as well"
    has_no_error(page)
