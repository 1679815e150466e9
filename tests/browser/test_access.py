"""What axe-core finds on every page, light and dark: nothing at WCAG level A or AA."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from acts import SCHEMES, Settled, Visit, bounds, named_by_icon, picture, violations, wear
from PIL import Image
from playwright.sync_api import Locator, Page, expect

LIGHT, DARK = ([scheme] for scheme in SCHEMES)
PAGES: dict[str, tuple[str, Any]] = {  # each in one scheme a day, in the other by night
    "grow": ("/?data=iris&log=a2&branches=a1_3.2.5.0~a0_1.0.5.5&say=Why+here", LIGHT),
    "two screens": ("/?data=iris&log=a3&beside=criterion%3Dgini%26max_depth%3D2%26log%3Da2", LIGHT),
    "data": ("/data?data=iris", DARK),
    "forest": ("/forest?data=moons&n=60&trees=12", DARK),
    "impurity": ("/impurity?opened=gini", LIGHT),
    "stability": ("/stability", LIGHT),
    "learn": ("/learn?data=iris", DARK),
    "overfit": ("/overfit?data=moons&n=200&noise=0.3&seed=7&max_depth=3&folds=2", LIGHT),
}
PLACES = {"Settings": ".st-key-drawer", "Share": "[data-testid=stPopoverBody]"}
OPENED = {  # what is looked at together
    "/?data=iris&log=a2&branches=a1_3.2.5.0": (
        *(["Settings", "All gains"], ["Arithmetic"], ["Branches"], ["Export", "Share"]),
    ),
    "/?data=rpart_treble&log=a2": (["Surface"],),
    "/data?data=moons&n=40": (["Draw"], ["Upload a table"]),
}


BY_NIGHT = ("two screens", "learn")  # dear, or the same parts as on another page


@pytest.mark.parametrize(
    "name",
    [pytest.param(one, marks=pytest.mark.nightly) if one in BY_NIGHT else one for one in PAGES],
)
@pytest.mark.parametrize("other", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_axe_finds_nothing_on_a_page_and_no_button_is_named_by_its_icon(
    moved: Visit, settled: Settled, name: str, other: bool
) -> None:
    path, daily = PAGES[name]
    schemes = [scheme for scheme in SCHEMES if (scheme in daily) != other]
    page = moved(path)
    if name == "overfit":
        page.get_by_role("tab", name="Pruning").click()
        settled(page)
    if name == "forest":
        expect(picture(page, "forest")).to_have_attribute("data-worth", re.compile("[1-9]"))
    elif name not in ("data", "impurity", "stability", "learn"):
        expect(picture(page, "tree").locator("g.node").first).to_be_visible()
    assert violations(page, settled, "body", schemes) == []
    assert named_by_icon(page) == []
    if name == "overfit":
        page.get_by_role("tab", name="Table").click()


@pytest.mark.nightly
def test_axe_finds_nothing_on_a_phone(phoned: Visit, settled: Settled) -> None:
    page = phoned("/?log=a3")
    assert violations(page, settled, "body", DARK) == []


@pytest.mark.nightly
@pytest.mark.parametrize("path", OPENED)
def test_axe_finds_nothing_in_what_opens(moved: Visit, settled: Settled, path: str) -> None:
    page = moved(path)
    problems = []
    for place, names in enumerate(OPENED[path]):  # half of them in each scheme
        for name in names:
            role: Any = "button" if name in PLACES else "tab"
            page.get_by_role(role, name=name).first.click()
            settled(page)
        parts = [PLACES.get(name, ":is([role=tabpanel], .st-key-below)") for name in names]
        for part in parts:
            expect(page.locator(part).filter(visible=True)).to_have_count(1)
        scheme = SCHEMES[2 * place // len(OPENED[path])]
        found = violations(page, settled, {"include": parts}, [scheme])
        problems += [f"{names}, {one}" for one in found]
        if "Settings" in names:  # a drawer stays until it is shut
            page.get_by_role("button", name="Close").click()
    page.keyboard.press("Escape")
    assert problems == []


def test_what_a_key_opens_has_the_focus_and_escape_gives_it_back(moved: Visit) -> None:
    page = moved("/?data=moons&n=60&log=a2")
    page.keyboard.press("Shift")  # from here on by keys
    link = page.get_by_role("link", name="Data").first
    link.focus()
    expect(link).to_have_css("outline-style", "solid")
    body = page.get_by_test_id("stPopoverBody")
    for key, name in (("share", "Enter"), ("picker", " ")):
        button = page.locator(f".st-key-{key} button").first
        button.focus()
        page.keyboard.press(name)
        expect(body.locator(":focus")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(body).to_have_count(0)
        expect(button).to_be_focused()


def screen_of(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def luminance(screen: Image.Image, place: Locator, x: float = 0.5, y: float = 0.5) -> float:
    """The relative luminance at a share of a place's width and height."""
    left, top, width, height = bounds(place).values()
    colour: Any = screen.getpixel((int(left + x * width), int(top + y * height)))
    red, green, blue = (
        k / 3294.6 if k <= 10 else ((k / 255 + 0.055) / 1.055) ** 2.4 for k in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


INKS = """async (canvas, ink) => {  // once it is drawn with this ink
  const colours = new Set();
  for (let looks = 0; looks < 600 && !colours.has(ink); looks++) {
    await new Promise(requestAnimationFrame);
    colours.clear();
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let k = 0; k < data.length; k += 4)
      if (data[k + 3] === 255) colours.add(`${data.slice(k, k + 3)}`);
  }
  return [...colours];
}"""


@pytest.mark.parametrize("scheme", SCHEMES)
def test_what_a_background_shows_is_seen_in_forced_colours(
    moved: Visit, settled: Settled, scheme: Any
) -> None:
    page = moved("/?data=iris&log=a2")
    wear(page, settled, scheme)
    stage = picture(page, "stage").locator(".sheets:not(.unseen) canvas.still")
    ink, system_ink = ("17,20,24", "0,0,0") if scheme == "light" else ("242,244,246", "255,255,255")
    assert ink in stage.evaluate(INKS, ink)
    page.emulate_media(forced_colors="active")
    inks = stage.evaluate(INKS, system_ink)  # a canvas takes none by itself
    assert system_ink in inks
    assert ink not in inks
    share = page.locator(".st-key-share button").first
    page.keyboard.press("Shift")  # from here on by keys
    share.focus()
    expect(share).to_have_css("outline-style", "solid")
    share.blur()
    tabs = page.locator(".panels").get_by_role("tab", selected=True)
    segments = page.locator(".segments [aria-pressed=true]")
    track = picture(page, "line").locator(".track")
    side = picture(page, "stage").locator(".bar").first
    leaf = picture(page, "tree").locator("g.node:not(.rows) .parts").first
    switch = page.locator(".switch input")
    screen = screen_of(page)
    seen = {
        "moves made": luminance(screen, track, x=0.05),
        "moves to come": luminance(screen, track, x=0.95),
        "bar of a side": luminance(screen, side, x=0.05),
        "bar of a leaf": luminance(screen, leaf),
        "chosen tab": luminance(screen, tabs, 0.1, 0.1),
        "chosen segment": luminance(screen, segments, 0.1, 0.1),
        "switch": luminance(screen, switch, x=0.3),
    }
    page_luminance = 1.0 if scheme == "light" else 0.0
    for name, value in seen.items():
        dark, light = sorted((value, page_luminance))
        assert (light + 0.05) / (dark + 0.05) > 1.9, name
    for other in ("[role=tab][aria-selected=false]", ".segments [aria-pressed=false]"):
        assert luminance(screen, page.locator(other).first, 0.5, 0.15) == page_luminance
    page.emulate_media(forced_colors="none")
    assert ink in stage.evaluate(INKS, ink)
