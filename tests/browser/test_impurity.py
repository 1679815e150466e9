"""The page Impurity under the hand: what is dragged is read off at once, and told when it ends."""

from __future__ import annotations

import re

import pytest
from acts import (
    SENT,
    Settled,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    has_no_error,
    middle,
    picture,
    pull_by_finger,
)
from playwright.sync_api import Locator, Page, expect


@pytest.fixture
def lab(moved: Visit) -> Visit:
    """`lab(query)` is the shared tab on the page, all pictures painted."""

    def go(query: str) -> Page:
        page = moved(f"/impurity?data=heights{query}")
        expect(picture(page, "measures")).to_have_attribute("data-percent", re.compile("."))
        expect(picture(page, "simplex")).to_have_attribute("data-shares", re.compile("."))
        expect(picture(page, "splits")).to_have_attribute("data-splits", re.compile("."))
        return page

    return go


def middle_in_view(place: Locator) -> tuple[float, float]:
    place.scroll_into_view_if_needed()
    return middle(place)


def bar(page: Page, split: int, k: int) -> Locator:
    return picture(page, "splits").locator(".split").nth(split).locator(".bar").nth(k)


def row(page: Page, title: str) -> list[str]:
    line = picture(page, "splits").locator("tr", has_text=title)
    return line.locator("td").all_inner_texts()


def test_the_line_is_dragged_and_every_value_read_off_before_anything_is_told(lab: Visit) -> None:
    page = lab("&percent=30")
    own, curves = picture(page, "measures").locator(".slider"), picture(page, "measures")
    x, y = middle_in_view(own)
    page.mouse.move(x - 100, y)
    page.mouse.down()
    sent = page.evaluate(SENT)
    page.mouse.move(x + 16, y, steps=4)  # 0.5 stands a little right of the middle
    expect(curves).to_have_attribute("data-percent", "50")
    values = curves.locator(".chip .value").all_inner_texts()
    assert values == ["1 bit", "0.5", "0.5"]
    expect(curves.locator(".told")).to_contain_text("KL to uniform = 1 − 0 = 1 bit")
    assert page.evaluate(SENT) == sent
    page.mouse.up()
    page.wait_for_url("**percent=50**")
    expect(page.locator(".impurity section > .worked mn", has_text="50").first).to_be_visible()
    has_no_error(page)


def test_a_class_slides_over_the_cut_and_the_table_follows_at_once(lab: Visit) -> None:
    page = lab("&splits=8.8_4.4_4.8")
    splits, own = picture(page, "splits"), bar(page, 0, 0)
    expect(splits.locator(".told")).to_contain_text("prefer B")
    x, y = middle_in_view(own)
    page.mouse.move(x, y)
    page.mouse.down()
    sent = page.evaluate(SENT)
    page.mouse.move(
        x - bounds(own)["width"] / 4, y, steps=3
    )  # half of the eight rows' length: 4 rows
    expect(splits).to_have_attribute("data-splits", "8.8_8.4_4.8")
    assert row(page, "Error") == ["0.25", "0.25", "same"]
    assert row(page, "Gini") == ["0.1667", "0.1667", "same"]
    assert page.evaluate(SENT) == sent
    page.mouse.up()
    page.wait_for_url("**splits=8.8_8.4_4.8**")
    expect(splits.locator(".told")).to_have_text(re.compile("score both the same"))
    bar(page, 1, 1).focus()
    page.keyboard.press("ArrowRight")
    expect(splits).to_have_attribute("data-splits", "8.8_8.4_4.7")
    page.wait_for_url("**splits=8.8_8.4_4.7**")
    assert row(page, "Error")[2] == "A"


@pytest.mark.nightly
def test_an_example_is_shown_and_its_arithmetic_opened(lab: Visit, settled: Settled) -> None:
    page = lab("&between=entropy.gini")
    page.get_by_role("button", name="5 + 2", exact=True).click()
    page.wait_for_url("**splits=5.2_4.2_4.1**")
    settled(page)
    assert row(page, "Entropy")[2] == "A"
    assert row(page, "Gini")[2] == "B"
    picture(page, "splits").get_by_role("button", name="Gain ratio").click()
    page.wait_for_url("**opened=gain_ratio**")
    expect(picture(page, "impurity")).to_contain_text("A by Gain ratio")


@pytest.mark.nightly
def test_a_finger_slides_a_class_on_a_phone(phoned: Visit) -> None:
    page = phoned("/impurity?data=heights&splits=8.8_4.4_4.8")
    own = bar(page, 0, 0)
    expect(own).to_be_visible()
    pull_by_finger(page, own, (-bounds(own)["width"] / 4, 2))
    expect(picture(page, "splits")).to_have_attribute("data-splits", "8.8_8.4_4.8")
    page.wait_for_url("**splits=8.8_8.4_4.8**")
    expect_no_wider_than_the_window(page)


PRESS_AND_FOLLOW = """
([own, other]) => new Promise((done) => {
  let count = 0;
  const timer = setInterval(() => {
    for (const key of [count % 2 ? "ArrowLeft" : "ArrowRight", "Enter"])
      own.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    if (count === 6) other.click();
    if (count++ === 24) done(clearInterval(timer));
  }, 12);
})
"""


def test_a_link_is_followed_though_the_page_that_is_left_goes_on_sending(
    lab: Visit, settled: Settled
) -> None:
    page = lab("")
    for _ in range(3):
        own = picture(page, "measures").locator(".slider").element_handle()
        link = page.get_by_role("link", name="Stability").first.element_handle()
        page.evaluate(PRESS_AND_FOLLOW, [own, link])
        page.wait_for_url("**/stability**")
        expect(picture(page, "stability")).to_be_visible()
        settled(page)
        page.get_by_role("link", name="Impurity").first.click()
        page.wait_for_url("**/impurity**")
        expect(picture(page, "measures").locator(".slider")).to_be_visible()
        settled(page)
