"""What a person does and sees on the pages: the pictures, the time-line, a cut on the stage.

Glossary
    picture   the element a view of dtviz draws in: stage, tree, line or pad
    look      what the screen shows: the sentence, the step counter, the cut, the text of the tree
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, FloatRect, Locator, Page, TimeoutError, expect

NewContext = Callable[..., BrowserContext]
Settled = Callable[[Page], Page]
Visit = Callable[[str], Page]
AFTER_A_FRAME = """
() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
"""
SENT = "wire.sent"  # how many messages the page has sent
STILL = "() => document.getAnimations().every((one) => one.playState !== 'running')"
UNTIL = """async ([arg, patience]) => {
  const holds = HOLDS;
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const found = holds(arg);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}"""
PATIENCE = 60_000.0  # milliseconds
SOON = 15_000.0  # milliseconds until what was lost is done again
DESK: Any = {"width": 1280, "height": 720}
PHONE: Any = {"width": 390, "height": 844}
UPLOAD = "[data-testid=stFileUploader] input[type=file]"
MOONS = "/?data=moons&n=60&noise=0.25&seed=7"
SCHEMES: tuple[Any, ...] = ("light", "dark")
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules of those levels about colours


def until(page: Page, holds: str, arg: object = None, patience: float = PATIENCE) -> Any:
    """What a function in the page gives once it gives something; playwright's own way evaluates it
    as text, which the server's policy forbids.
    """
    found = page.evaluate(UNTIL.replace("HOLDS", holds), [arg, patience])
    if not found:
        raise TimeoutError(f"it never held: {holds}")
    return found


def picture(page: Page, name: str) -> Locator:
    return page.locator(f"div.{name}").first


def bounds(place: Locator) -> FloatRect:
    """Where a place stands in the window, once it is drawn."""
    place.wait_for()
    found = place.bounding_box()
    assert found, f"{place} is not drawn"
    return found


def middle(place: Locator) -> tuple[float, float]:
    own = bounds(place)
    return own["x"] + own["width"] / 2, own["y"] + own["height"] / 2


def query(page: Page) -> dict[str, str]:
    """The address's parameters."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def expect_no_wider_than_the_window(page: Page) -> None:
    """Nothing of the page, nor of what scrolls in it, runs out sideways."""
    for name in ("html", "[data-testid=stMain]"):
        assert page.locator(name).evaluate("(one) => one.scrollWidth <= one.clientWidth"), name


def upload(page: Page, settled: Settled, file: Path | tuple[str, bytes]) -> None:
    """Give a file, or a name and bytes, on the page Data."""
    page.get_by_role("tab", name="Upload a table").click()
    settled(page)
    if isinstance(file, Path):
        page.locator(UPLOAD).first.set_input_files(file)
    else:
        page.locator(UPLOAD).first.set_input_files(
            {"name": file[0], "mimeType": "text/csv", "buffer": file[1]}
        )
    settled(page)


def grow_on(page: Page, settled: Settled, file: Path | tuple[str, bytes]) -> None:
    """Grow a tree on a file, before the first step."""
    upload(page, settled, file)
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    settled(page)


def step(page: Page) -> str:
    return picture(page, "line").locator(".counter").inner_text()


def expect_step(page: Page, made: int) -> None:
    expect(picture(page, "line").locator(".counter")).to_have_text(
        re.compile(rf"^step {made} of \d+$")
    )


def sentence(page: Page) -> str:
    return page.locator(":is(.st-key-why, .asked) p").first.inner_text()


def look(page: Page) -> tuple[str, str, str, str]:
    tree = picture(page, "tree").locator("svg g.node")
    tree.first.wait_for()
    cut = picture(page, "stage").get_attribute("data-cut") or ""
    return sentence(page), step(page), cut, " ".join(sorted(tree.all_text_contents()))


def press(page: Page, settled: Settled, name: str, times: int = 1) -> None:
    """Press a button of the time-line and see the counter move."""
    for _ in range(times):
        before = step(page)
        picture(page, "line").locator(f"[data-name={name}]").click()
        expect(picture(page, "line").locator(".counter")).not_to_have_text(before)
    settled(page)


def until_seen(act: Callable[[], None], seen: Callable[[], object]) -> None:
    """Act until it is seen: what a page does while it takes new data, or moves, can be lost."""
    for _ in range(5):
        with suppress(TimeoutError, AssertionError):
            act()
            seen()
            return
    act()
    seen()


def touch(page: Page, *places: tuple[float, float]) -> None:
    """Put a finger on the first place, pull it over the others and let go."""
    browser = page.context.new_cdp_session(page)
    kinds = ["Start", *["Move"] * (len(places) - 1)]
    for kind, (x, y) in zip(kinds, places, strict=True):
        point = {"type": f"touch{kind}", "touchPoints": [{"x": x, "y": y}]}
        browser.send("Input.dispatchTouchEvent", point)
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def pull_by_finger(page: Page, grip: Locator, by: tuple[float, float]) -> None:
    """Take hold of something with a finger and pull it so far."""
    grip.scroll_into_view_if_needed()
    x, y = middle(grip)
    touch(page, *((x + by[0] * share, y + by[1] * share) for share in (0.0, 0.3, 0.7, 1.0)))


def drag(page: Page, grip: Locator, by: tuple[float, float]) -> None:
    """Take hold of something with the mouse and pull it so far."""
    x, y = middle(grip)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by[0], y + by[1], steps=3)
    page.mouse.up()


def along(page: Page, axis: int) -> Iterator[tuple[float, float]]:
    """Places along the gains of the feature across (0) or up (1)."""
    area = picture(page, "stage").locator(".area")
    area.scroll_into_view_if_needed()  # a page may be as far down as the one before it was
    x, y, width, height = bounds(area).values()
    for k in range(10, 90, 4):
        if axis == 0:
            yield x + 50 + (width - 150) * k / 100, y + 60
        else:
            yield x + width - 40, y + 130 + (height - 180) * k / 100


def choose_other_cut(page: Page, settled: Settled, axis: int = 0) -> str:
    """Click a cut that is not the best; its rule."""
    stage = picture(page, "stage")
    for x, y in along(page, axis):
        page.mouse.move(x, y)
        if "% of the best" in stage.locator(".readout").inner_text():
            break
    rule = stage.get_attribute("data-cut") or ""
    page.mouse.click(x, y)
    page.wait_for_url("**cut=**")
    settled(page)
    return rule


def split_here(page: Page, settled: Settled) -> None:
    before = step(page)
    page.get_by_role("button", name=re.compile("^Make my cut")).click()
    expect(picture(page, "line").locator(".counter")).not_to_have_text(before)
    settled(page)


def wear(page: Page, settled: Settled, scheme: Any) -> None:
    """Turn the page light or dark, the pictures with it."""
    page.emulate_media(color_scheme=scheme)
    expect(page.locator("[data-testid=stApp]")).to_have_css("color-scheme", scheme)
    settled(page)
    until(page, STILL)


def violations(
    page: Page, settled: Settled, part: Any = "body", schemes: Any = SCHEMES
) -> list[str]:
    """What axe-core finds in a part of the page, or in some: scheme, rule, first place of each.

    Only colours change with the scheme: in all but the first nothing else is looked at.
    """
    asked: dict[str, Any] = {"type": "tag", "values": LEVELS}
    out = []
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    for scheme in schemes:
        wear(page, settled, scheme)
        options = {"runOnly": asked, "resultTypes": ["violations"]}
        found = page.evaluate("([part, options]) => axe.run(part, options)", [part, options])
        for one in found["violations"]:
            first = one["nodes"][0]
            said = f"{first['html'][:160]} {first['failureSummary'][:200]}"
            out.append(f"{scheme}: {one['id']}: {said}")
        asked = {"type": "rule", "values": COLOURS}
    return out


def named_by_icon(page: Page) -> list[str]:
    """The buttons whose name is their icon's, not words."""
    words = page.locator("[data-testid=stMain]").aria_snapshot()
    assert 'button "' in words
    return re.findall(r'button "[a-z_ ]* icon"', words)


def expect_asked(page: Page, settled: Settled) -> None:
    """The link's file is neither here nor among those that the browser keeps: it is asked for."""
    expect(page.get_by_text("This link was made with the file")).to_be_visible()
    expect(page.locator(".st-key-looking")).to_have_count(0)
    settled(page)


def has_no_error(page: Page) -> None:
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
