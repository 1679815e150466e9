"""The page Forest under the hand: tree by tree, and a tree opened in Grow."""

from __future__ import annotations

import re

import pytest
from acts import SENT, Settled, Visit, bounds, has_no_error, picture
from playwright.sync_api import Page, expect

DONE = re.compile(r"[1-9]")


@pytest.fixture
def forest(moved: Visit) -> Visit:
    """`forest(query)` is the shared tab on the page, all work done."""

    def go(query: str) -> Page:
        page = moved(f"/forest?data=moons&n=60&trees=12{query}")
        expect(picture(page, "forest")).to_have_attribute("data-worth", DONE)
        return page

    return go


def test_the_line_goes_through_the_trees_before_anything_is_sent_and_a_tree_opens_in_grow(
    forest: Visit, settled: Settled
) -> None:
    page = forest("&ensemble=adaboost")
    own = picture(page, "forest")
    expect(own).to_have_attribute("data-round", "12")
    sent = page.evaluate(SENT)
    own.locator("input").focus()
    page.keyboard.press("Home")
    expect(own).to_have_attribute("data-round", "1")
    expect(own.locator(".told")).to_contain_text("1 round: ")
    page.keyboard.press("ArrowRight")
    expect(own).to_have_attribute("data-round", "2")
    own.get_by_role("button", name="Play").click()
    expect(own).to_have_attribute("data-round", "12")
    box = bounds(own.locator(".curve"))
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 80)
    expect(own).to_have_attribute("data-round", re.compile("^[5-8]$"))
    assert page.evaluate(SENT) == sent
    picture(page, "forest").get_by_role("button", name="Open tree 2").click()
    page.wait_for_url("**data=member**member_number=1**")
    settled(page)
    expect(page.get_by_text("tree 2, AdaBoost")).to_be_visible()
    has_no_error(page)


@pytest.mark.nightly
def test_a_toast_leaves_the_page_its_style(moved: Visit) -> None:
    own = "member_of=moons&member_kind=forest&member_number=1&member_seed=0"
    page = moved(f"/forest?data=member&{own}&n=60&noise=0.25&seed=7&trees=5")
    block = page.locator("[data-testid=stMainBlockContainer]")
    before = block.evaluate("e => getComputedStyle(e).paddingTop")
    picture(page, "forest").get_by_role("button", name="Open tree 2").click()
    expect(page.get_by_test_id("stToast")).to_be_visible()
    assert block.evaluate("e => getComputedStyle(e).paddingTop") == before


def test_back_leads_from_a_tree_to_the_forest_of_a_bare_address(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}/forest")
    settled(page)
    own = picture(page, "forest")
    expect(own).to_have_attribute("data-worth", DONE)
    title = own.locator("strong").first.inner_text()
    own.get_by_role("button", name="Open tree 2").click()
    page.wait_for_url("**data=member**")
    settled(page)
    page.go_back()
    expect(page).not_to_have_url(re.compile("member"))
    expect(own.locator("strong").first).to_have_text(title)
    page.go_forward()
    page.wait_for_url("**data=member**")
