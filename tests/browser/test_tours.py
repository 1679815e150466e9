"""A teacher writes a tour over several pages, mends it, and sees it as the class will."""

from __future__ import annotations

import re

from acts import NewContext, Settled, expect_step, has_no_error, look, query
from playwright.sync_api import Locator, Page, expect

LINE = "A line to show on top"


def go(page: Page, settled: Settled, title: str) -> None:
    """Go to a page by the bar of pages."""
    page.get_by_role("link", name=title).first.click()
    page.wait_for_url(re.compile(f"/{title.lower()}"))
    settled(page)


def open_share(page: Page, settled: Settled) -> None:
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Add this screen to a tour").wait_for()
    settled(page)


def add_to_tour(page: Page, settled: Settled, line: str) -> None:
    page.get_by_label(LINE).fill(line)
    page.get_by_label(LINE).press("Enter")
    settled(page)
    page.get_by_role("button", name="Add this screen to a tour").click()
    expect(stops(page).last).to_contain_text(line)
    settled(page)
    page.keyboard.press("Escape")
    settled(page)


def stops(page: Page) -> Locator:
    return page.get_by_role("radiogroup", name="Stops").locator("label")


def use(page: Page, settled: Settled, tool: str) -> None:
    """Press a tool of the chosen stop."""
    page.get_by_role("button", name=tool).click()
    settled(page)


def test_a_tour_over_three_pages_is_written_mended_seen_and_taken(
    page: Page, new_context: NewContext, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}/grow?data=iris&log=a1")
    expect_step(page, 1)
    settled(page)
    open_share(page, settled)
    page.get_by_label(LINE).fill("Where would you cut?")
    page.get_by_label(LINE).press("Enter")
    expect(page.get_by_text("The class sees the best cut")).to_be_visible()
    settled(page)
    add_to_tour(page, settled, "The first cut")
    go(page, settled, "Overfit")
    open_share(page, settled)
    expect(page.get_by_text("Time-line", exact=True)).to_have_count(0)
    page.get_by_text("Error curve", exact=True).click()
    settled(page)
    add_to_tour(page, settled, "How deep?")
    go(page, settled, "Forest")
    open_share(page, settled)
    expect(page.get_by_text("Error curve", exact=True)).to_have_count(0)
    add_to_tour(page, settled, "Many trees")

    open_share(page, settled)
    use(page, settled, "Move up")
    expect(stops(page).nth(1)).to_have_text("2. Many trees on Forest")
    page.get_by_label("Line of stop 2").fill("A hundred trees")
    use(page, settled, "See it as the class will")  # the box loses the focus, and keeps the line
    expect(page.get_by_text("2 of 3")).to_be_visible()
    expect(stops(page)).to_have_count(0)
    page.get_by_role("button", name="Leave", exact=True).click()
    settled(page)
    open_share(page, settled)
    expect(stops(page).nth(1)).to_contain_text("A hundred trees")
    expect(page.get_by_role("radio", name="A hundred trees")).to_be_checked()
    stops(page).nth(2).click()
    settled(page)
    here = query(page)
    use(page, settled, "See it as the class will")
    page.wait_for_url(re.compile("/overfit"))
    settled(page)
    expect(page.get_by_text("3 of 3")).to_be_visible()
    expect(page.get_by_role("slider", name="along the error curve")).to_have_count(0)
    expect(page.get_by_role("button", name="Share")).to_have_count(0)
    page.get_by_role("button", name="Leave", exact=True).click()
    page.wait_for_url(re.compile("/forest"))
    settled(page)
    assert query(page) == here

    open_share(page, settled)
    link = page.locator(".st-key-share code, [data-testid=stPopoverBody] code")
    tour = link.filter(has_text="tour=").last.inner_text()
    student = new_context().new_page()
    student.goto(tour)
    expect_step(student, 1)
    settled(student)
    expect(student.get_by_text("The first cut")).to_be_visible()
    student.keyboard.press("f")
    for path, line in (("forest", "A hundred trees"), ("overfit", "How deep?")):
        student.keyboard.press("PageDown")
        student.wait_for_url(re.compile(f"/{path}"))
        expect(student.get_by_text(line)).to_be_visible()
        settled(student)
    student.keyboard.press("f")
    student.go_back()
    expect(student.get_by_text("A hundred trees")).to_be_visible()
    settled(student)
    student.get_by_role("button", name="Previous stop").click()
    expect_step(student, 1)
    settled(student)
    assert look(student)
    has_no_error(student)
    has_no_error(page)


def test_undo_takes_back_what_was_changed_on_the_page_and_says_what(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}/grow?data=iris&log=a1")
    expect_step(page, 1)
    settled(page)
    page.get_by_role("button", name="Gini", exact=True).click()
    page.wait_for_url(re.compile("criterion=gini"))
    settled(page)
    go(page, settled, "Overfit")
    measure = page.get_by_label("Measure of the curve")
    measure.select_option("Log loss")
    page.wait_for_url(re.compile("measure=log_loss"))
    settled(page)
    undo = page.get_by_role("button", name="Undo")
    undo.hover()
    expect(page.get_by_text("Undo: how Overfit judges")).to_be_visible()
    undo.click()
    expect(measure).to_have_value("Error")
    settled(page)
    assert query(page)["criterion"] == "gini"
    page.get_by_role("link", name="Grow").first.click()
    expect_step(page, 1)
    settled(page)
    assert query(page)["criterion"] == "gini"
    page.keyboard.press("Control+z")
    page.wait_for_url(lambda url: "criterion" not in url)
    settled(page)
    has_no_error(page)
