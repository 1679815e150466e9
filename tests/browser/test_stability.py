"""The page Stability under the hand: the tree without a row at once, kept by a click, opened."""

from __future__ import annotations

import re

import pytest
from acts import (
    AFTER_A_FRAME,
    PHONE,
    SENT,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    has_no_error,
    picture,
)
from playwright.sync_api import Page, expect

MOONS = "/stability?data=moons&n=60&noise=0.3&seed=1"


@pytest.fixture
def trees(moved: Visit) -> Visit:
    """`trees(query)` is the shared tab on the page, its trees grown and drawn."""

    def go(query: str) -> Page:
        page = moved(MOONS + query)
        expect(picture(page, "stability")).to_have_attribute("data-trees", re.compile("[1-9]"))
        return page

    return go


def test_the_list_shows_a_tree_at_once_and_a_click_keeps_it_in_the_address(trees: Visit) -> None:
    page = trees("")
    own = picture(page, "stability")
    expect(own).to_have_attribute("data-trees", "60")
    expect(own).to_have_attribute("data-tree", "full")
    first = own.locator(".tree-item").first
    sent = page.evaluate(SENT)
    first.hover()
    expect(own).to_have_attribute("data-tree", re.compile(r"\d"))
    expect(own.locator(".told")).to_contain_text("of the picture")
    assert page.evaluate(SENT) == sent
    named = own.get_attribute("data-tree")
    first.click()
    page.wait_for_url(f"**vary_shown={named}**")
    page.mouse.move(2, 2)
    expect(own).to_have_attribute("data-tree", str(named))
    expect(first).to_have_attribute("aria-pressed", "true")
    has_no_error(page)


@pytest.mark.nightly
def test_a_row_that_is_pointed_at_is_left_out_before_anything_is_told(trees: Visit) -> None:
    page = trees("")
    own = picture(page, "stability")
    area = bounds(own.locator(".slider"))
    sent = page.evaluate(SENT)
    for k in range(400):  # until a row is met
        page.mouse.move(area["x"] + 60 + 29 * k % 600, area["y"] + 40 + 11 * k % 370)
        page.evaluate(AFTER_A_FRAME)  # moves are shown once a frame
        if own.get_attribute("data-tree") != "full":
            break
    row = int(own.get_attribute("data-tree") or "") + 1
    expect(own.locator(".told")).to_contain_text(f"Without row {row}:")
    expect(own.locator(".tip")).to_contain_text(f"without row {row}:")
    assert page.evaluate(SENT) == sent


@pytest.mark.nightly
def test_a_finger_taps_a_tree_on_a_phone(trees: Visit) -> None:
    page = trees("")
    page.set_viewport_size(PHONE)
    own = picture(page, "stability")
    expect(own).not_to_have_class(re.compile("wide"))
    item = own.locator(".tree-item").nth(1)
    item.scroll_into_view_if_needed()
    item.dispatch_event("click")
    page.wait_for_url("**vary_shown=**")
    expect_no_wider_than_the_window(page)
