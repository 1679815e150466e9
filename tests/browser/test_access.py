"""What axe-core finds on every page, light and dark: nothing at WCAG level A or AA."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from acts import Settled, picture, wear
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

NewContext = Callable[..., BrowserContext]
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
ASKED = {"runOnly": {"type": "tag", "values": LEVELS}, "resultTypes": ["violations"]}
PAGES = {
    "grow": "/?log=a3",
    "ask first": "/?data=moons&n=60&log=a2&ask=1",
    "a number": "/?data=sine&n=40&log=a3",
    "a class's link": "/?data=moons&n=60&log=a2&hide=gains.time-line.panels&say=Why+here",
    "data": "/data?data=iris",
    "learn": "/learn?data=iris",
}
OPENED = {
    "/?data=iris&log=a2&branches=a1_3.2.5.0": (
        *("Settings", "Share", "All gains", "Arithmetic", "Criteria", "Algorithm", "Rules"),
        *("Branches", "Export"),
    ),
    "/?data=rpart_treble&log=a2": ("Surface",),
    "/data?data=moons&n=40": ("Draw", "Upload a table"),
}
SCHEMES: tuple[Any, ...] = ("light", "dark")


def found(
    page: Page, settled: Settled, what: str, part: str = "body", schemes: Any = SCHEMES
) -> list[str]:
    """The violations in a part of the page, in each scheme: rule and the first place of each."""
    out = []
    for scheme in schemes:
        wear(page, settled, scheme)
        answer = Axe().run(page, part, options=ASKED)
        for one in answer.response["violations"]:
            first = one["nodes"][0]
            said = f"{first['html'][:160]} {first['failureSummary'][:200]}"
            out.append(f"{what}, {scheme}: {one['id']}: {said}")
    return out


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_on_a_page(
    moved: Callable[[str], Page], settled: Settled, name: str
) -> None:
    page = moved(PAGES[name])
    if name not in ("data", "learn"):
        expect(picture(page, "tree").locator("g.node").first).to_be_visible()
    assert found(page, settled, name) == []


def test_axe_finds_nothing_on_a_phone(
    new_context: NewContext, app_url: str, settled: Settled
) -> None:
    size: Any = {"width": 390, "height": 844}
    page = new_context(viewport=size, screen=size).new_page()
    page.goto(app_url + PAGES["grow"])
    assert found(settled(page), settled, "phone") == []


@pytest.mark.parametrize("path", OPENED)
def test_axe_finds_nothing_in_what_opens(
    page: Page, app_url: str, settled: Settled, path: str
) -> None:
    page.goto(app_url + path)
    settled(page)
    problems = []
    for place, opened in enumerate(OPENED[path]):  # half of them in each scheme
        role: Any = "button" if opened in ("Settings", "Share") else "tab"
        page.get_by_role(role, name=opened).first.click()
        part = "[data-testid=stPopoverBody]" if role == "button" else "[role=tabpanel]"
        problems += found(
            settled(page), settled, opened, part, [SCHEMES[2 * place // len(OPENED[path])]]
        )
        if role == "button":
            page.keyboard.press("Escape")
    assert problems == []
