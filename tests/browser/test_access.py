"""What axe-core finds on every page, light and dark: nothing at WCAG level A or AA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from acts import Settled, picture
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

NewContext = Callable[..., BrowserContext]
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
PAGES = {
    "grow": "/?log=a3",
    "ask first": "/?data=moons&n=60&log=a2&ask=1",
    "a number": "/?data=sine&n=40&log=a3",
    "many features": "/?data=iris&log=a2",
    "data": "/data",
    "learn": "/learn",
}
SCHEMES: tuple[Any, ...] = ("light", "dark")


def found(page: Page) -> list[str]:
    """The violations on the page: rule and the first place of each."""
    answer = Axe().run(page, options={"runOnly": {"type": "tag", "values": LEVELS}})
    return [
        f"{one['id']}: {one['nodes'][0]['html'][:160]} {one['nodes'][0]['failureSummary'][:200]}"
        for one in answer.response["violations"]
    ]


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_page(
    new_context: NewContext, app_url: str, settled: Settled, name: str, scheme: Any
) -> None:
    page = new_context(color_scheme=scheme).new_page()
    page.goto(app_url + PAGES[name])
    settled(page)
    if name not in ("data", "learn"):
        expect(picture(page, "tree").locator("g.node").first).to_be_visible()
    page.wait_for_timeout(300)
    assert found(page) == []


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("tab", ["Draw", "Upload a table"])
def test_axe_finds_nothing_on_a_tab_of_data(
    new_context: NewContext, app_url: str, settled: Settled, tab: str, scheme: Any
) -> None:
    page = new_context(color_scheme=scheme).new_page()
    page.goto(app_url + "/data?data=moons&n=40")
    settled(page)
    page.get_by_role("tab", name=tab).click()
    settled(page)
    assert found(page) == []


@pytest.mark.parametrize("opened", ["Settings", "Share", "Criteria", "Arithmetic", "Export"])
def test_axe_finds_nothing_in_what_opens_on_grow(
    page: Page, app_url: str, settled: Settled, opened: str
) -> None:
    page.goto(app_url + "/?data=moons&n=60&log=a2")
    settled(page)
    role: Any = "button" if opened in ("Settings", "Share") else "tab"
    page.get_by_role(role, name=opened).first.click()
    settled(page)
    page.wait_for_timeout(400)
    assert found(page) == []
