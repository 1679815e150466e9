"""A screen saved as a file in a real Chromium, and opened again where it is dropped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from acts import Settled, expect_step, has_no_error, look, press
from playwright.sync_api import BrowserContext, Page
from screens import PENGUINS

NewContext = Callable[..., BrowserContext]
UPLOAD = "[data-testid=stFileUploader] input[type=file]"


def give(page: Page, settled: Settled, file: Path) -> None:
    """Give a file on the page Data."""
    page.get_by_role("tab", name="Upload a table").click()
    settled(page)
    page.locator(UPLOAD).first.set_input_files(file)


def grow_on(page: Page, settled: Settled, file: Path) -> None:
    """Grow a tree on a table, three steps."""
    give(page, settled, file)
    settled(page)
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    settled(page)
    press(page, settled, "next", 3)


def test_a_screen_is_saved_with_its_table_and_dropped_where_tables_are(
    moved: Callable[[str], Page], new_context: NewContext, settled: Settled, tmp_path: Path,
    app_url: str,
) -> None:  # fmt: skip
    page = moved("/data")
    grow_on(page, settled, PENGUINS)
    seen, query = look(page), page.url.partition("?")[2]
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save this screen as a file").click()
    assert coming.value.suggested_filename == "penguins-csv.dtviz.json"
    saved = tmp_path / coming.value.suggested_filename
    coming.value.save_as(saved)
    page.keyboard.press("Escape")

    fresh = new_context().new_page()
    fresh.goto(app_url + "/data")
    settled(fresh)
    give(fresh, settled, saved)
    expect_step(fresh, 3)
    settled(fresh)
    assert look(fresh) == seen
    assert fresh.url.partition("?")[2] == query
    has_no_error(fresh)
