"""The page Learn: a column to read, and pictures whose drag changes the numbers of a formula."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from acts import SENT, Settled, Visit, bounds, has_no_error, picture
from playwright.sync_api import Locator, Page, expect

LINES = """
(page) => {
  const long = (p) => p.offsetHeight > 60 && !p.querySelector('.katex');
  return [...page.querySelectorAll('p')].filter(long).map((p) => {
    const high = parseFloat(getComputedStyle(p).lineHeight);
    return p.textContent.length / Math.round(p.offsetHeight / high);
  });
}
"""
"""Characters a line of every paragraph of some lines without a formula."""


@pytest.fixture
def learn(moved: Visit) -> Page:
    page = moved("/learn?data=iris")
    expect(worked(page, "stage")).to_contain_text("gain")
    return page


def worked(page: Page, kind: str) -> Locator:
    return picture(page, kind).locator(".worked")


def drag(page: Page, place: Locator, start: float, end: float, up: float = 0.5) -> None:
    """Take hold of a picture and pull, without letting go: shares of its width and its height."""
    place.scroll_into_view_if_needed()
    box = bounds(place)
    page.mouse.move(box["x"] + start * box["width"], box["y"] + up * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + end * box["width"], box["y"] + up * box["height"], steps=4)


def changes_under_the_hand(page: Page, kind: str, pull: Callable[[], None]) -> None:
    """The formula has other numbers while the hand still holds, and nothing was sent for it."""
    before, sent = worked(page, kind).text_content(), page.evaluate(SENT)
    assert before
    pull()
    expect(worked(page, kind)).not_to_have_text(before)
    assert page.evaluate(SENT) == sent
    page.mouse.up()
    has_no_error(page)


def test_gain_impurity_region_and_risk_are_worked_out_for_what_is_dragged(
    learn: Page, settled: Settled
) -> None:
    stage = picture(learn, "stage")
    assert worked(learn, "stage").text_content() == (
        "gain=1.58496−50150⋅0−100150⋅1=0.918296\u00a0bit"
    )
    line = stage.locator(".handle")
    changes_under_the_hand(learn, "stage", lambda: drag(learn, line, 0.5, 4))
    learn.wait_for_url("**cut=**")
    settled(learn)
    slider = picture(learn, "measures").locator(".slider")
    changes_under_the_hand(learn, "measures", lambda: drag(learn, slider, 0.3, 0.7))
    learn.wait_for_url("**percent=**")
    settled(learn)
    point = picture(learn, "regions").locator(".slider")
    changes_under_the_hand(learn, "regions", lambda: drag(learn, point, 0.5, 0.1, 0.9))
    expect(worked(learn, "regions")).to_contain_text("setosa")
    settled(learn)
    curve = picture(learn, "overfit").locator(".curve .slider")
    expect(worked(learn, "overfit")).to_contain_text("R")
    changes_under_the_hand(learn, "overfit", lambda: drag(learn, curve, 0.2, 0.8))
    learn.wait_for_url("**ccp_alpha=**")
    settled(learn)


@pytest.mark.nightly
def test_a_line_has_no_more_characters_than_one_likes_to_read(
    learn: Page, settled: Settled
) -> None:
    for wide in (1280, 1920, 390):
        learn.set_viewport_size({"width": wide, "height": 800})
        settled(learn)
        lines = learn.locator(".st-key-reading").evaluate(LINES)
        assert len(lines) > 10
        assert max(lines) <= 75, wide
        assert wide < 1000 or min(lines) >= 45, wide
        main = learn.locator("[data-testid=stMain]")
        assert main.evaluate("(one) => one.scrollWidth <= one.clientWidth"), wide


@pytest.mark.nightly
def test_an_example_opens_in_grow(learn: Page, settled: Settled) -> None:
    learn.get_by_role("button", name=re.compile("^Open XOR in Grow")).click()
    learn.wait_for_url("**data=xor**")
    expect(picture(learn, "stage")).to_be_visible()
    settled(learn)
