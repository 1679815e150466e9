"""Categories on the stage: bands by mouse, keys and drag, from the file to the tree."""

from __future__ import annotations

import re

import pytest
from acts import (
    Settled,
    Visit,
    along,
    bounds,
    drag,
    expect_step,
    grow_on,
    has_no_error,
    picture,
    pull_by_finger,
    sentence,
    split_here,
    until_seen,
)
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.nightly
ROWS = [
    f"{colour},{shape},{size},{'yes' if good else 'no'}"
    for k, (colour, good) in enumerate(
        [("<b>red</b>", 1), ("green", 0), ("blue", 1), ("a grey that is long", 0), ("pink", 0)] * 12
    )
    for shape, size in [(("round", "flat", "long")[k % 3], k % 7)]
]
TABLE = "\n".join(["colour,shape,size,good", *ROWS]).encode()


@pytest.fixture
def grown(moved: Visit, settled: Settled) -> Page:
    """Grow before the first step, on a table that was given."""
    page = moved("/data")
    grow_on(page, settled, ("fruit.csv", TABLE))
    return page


def test_a_category_is_cut_by_mouse_keys_and_drag_told_in_formulas_and_judged(
    grown: Page, settled: Settled
) -> None:
    page, stage = grown, picture(grown, "stage")
    best = stage.get_attribute("data-cut") or ""
    assert best == "colour in {<b>red</b>, blue}"
    assert f"Root. {best} wins" in sentence(page).replace("\u2060", "")
    seen: set[str] = set()

    def look_along() -> None:
        for x, y in along(page, 0):
            page.mouse.move(x, y)
            seen.add(stage.get_attribute("data-cut") or "")
        page.mouse.move(5, 5)

    def all_seen() -> None:
        assert len({rule for rule in seen if rule.startswith("colour ")}) == 4

    until_seen(look_along, all_seen)
    stage.locator(".slider").focus()
    page.keyboard.press("End")
    last = stage.get_attribute("data-cut") or ""
    page.keyboard.press("ArrowLeft")
    assert stage.get_attribute("data-cut") == best
    page.keyboard.press("ArrowRight")
    assert stage.get_attribute("data-cut") == last
    page.keyboard.press("Enter")
    page.wait_for_url("**cut=c0-*")
    settled(page)
    wide = (bounds(stage.locator(".area"))["width"] - 200) / 5
    drag(page, stage.locator(".handle"), (-wide, 0))
    expect(stage).to_have_attribute("data-cut", best)
    settled(page)
    split_here(page, settled)
    expect_step(page, 1)
    tree = " ".join(picture(page, "tree").locator("svg text").all_text_contents())
    assert "colour in" in tree.replace("\u00a0", " ")
    for name in ("Arithmetic", "Candidates"):
        page.get_by_role("tab", name=name).click()
        settled(page)
        has_no_error(page)
        expect(page.locator(".katex-error")).to_have_count(0)
    expect(page.get_by_text(re.compile(r"^colour:.* \d values, 2\^"))).to_be_visible()
    page.get_by_role("link", name="Overfit").first.click()
    expect(page.locator("div.overfit").first).to_be_visible()
    settled(page)
    has_no_error(page)


def test_a_finger_taps_and_pulls_along_the_bands(phoned: Visit, settled: Settled) -> None:
    page = phoned("/?data=play_tennis")
    stage = picture(page, "stage")
    best = stage.get_attribute("data-cut") or ""
    assert best == "outlook = overcast"
    stage.scroll_into_view_if_needed()

    def tap_along() -> None:
        for x, y in along(page, 0):
            page.touchscreen.tap(x, y)
            settled(page)
            if stage.get_attribute("data-cut") != best:
                return

    def other_cut() -> None:
        assert (stage.get_attribute("data-cut") or best) != best

    until_seen(tap_along, other_cut)
    page.wait_for_url("**cut=c*")
    tapped = stage.get_attribute("data-cut") or ""
    handle, wide = stage.locator(".handle"), (bounds(stage.locator(".area"))["width"] - 150) / 3
    first = (stage.get_attribute("data-held") or "").endswith(",0")
    pull_by_finger(page, handle, (wide if first else -wide, 0))
    expect(stage).not_to_have_attribute("data-cut", tapped)
    settled(page)
    split_here(page, settled)
    expect_step(page, 1)
    has_no_error(page)
