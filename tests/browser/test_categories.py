"""Categories on the stage: bands by mouse, keys and drag, from the file to the tree."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from acts import (
    Settled,
    along,
    expect_step,
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
def grown(moved: Callable[[str], Page], settled: Settled) -> Page:
    """Grow before the first step, on a table that was given."""
    page = moved("/data")
    page.get_by_role("tab", name="Upload a table").click()
    settled(page)
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "fruit.csv", "mimeType": "text/csv", "buffer": TABLE}
    )
    settled(page)
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    return settled(page)


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
    box = stage.locator(".handle").bounding_box()
    area = stage.locator(".area").bounding_box()
    assert box
    assert area
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 20, y)
    page.mouse.move(x - (area["width"] - 200) / 5, y)
    page.mouse.up()
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


def test_a_finger_taps_and_pulls_along_the_bands(
    phoned: Callable[[str], Page], settled: Settled
) -> None:
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
    handle, area = stage.locator(".handle"), stage.locator(".area").bounding_box()
    assert area
    wide = (area["width"] - 150) / 3
    first = (stage.get_attribute("data-held") or "").endswith(",0")
    pull_by_finger(page, handle, (wide if first else -wide, 0))
    expect(stage).not_to_have_attribute("data-cut", tapped)
    settled(page)
    split_here(page, settled)
    expect_step(page, 1)
    has_no_error(page)


REGIONS = [
    f"{('north', 'south', 'east', 'west')[k % 4]},{('stays', 'leaves', 'returns')[say]}"
    for k, say in enumerate([0, 1, 2, 1, 0, 1, 2, 2, 0, 2, 2, 1, 1, 1, 2, 1] * 6)
]
THREE = "\n".join(["region,churn", *REGIONS]).encode()


def open_three(page: Page, settled: Settled) -> None:
    """Grow on a category of four values and three classes: seven subsets, four off the curve."""
    page.get_by_role("tab", name="Upload a table").click()
    settled(page)
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "three.csv", "mimeType": "text/csv", "buffer": THREE}
    )
    settled(page)
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    settled(page)
    assert "4 values, 2^(4-1) - 1 = 7 subsets" in page.locator("main").inner_text()


LOOK = """
(area, places) => places.map(([clientX, clientY]) => {
  area.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY, bubbles: true }));
  const stage = area.closest("div.stage");
  return [stage.dataset.cut ?? "", stage.querySelector(".handle").checkVisibility()];
})
"""


def looked_at(page: Page) -> list[tuple[float, float, str, bool]]:
    """Places all over the gains under a strip, the cut that each looks at, and if by a line."""
    area = picture(page, "stage").locator(".area")
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    assert box
    wide, foot = box["width"] - 60, box["y"] + box["height"]
    places = [
        (box["x"] + 50 + wide * k / 60, foot - up) for k in range(60) for up in range(4, 100, 8)
    ]
    seen = area.evaluate(LOOK, places)
    return [(*place, *found) for place, found in zip(places, seen, strict=True)]


def test_a_subset_off_the_curve_is_looked_at_kept_and_split_on_by_mouse_and_keys(
    moved: Callable[[str], Page], settled: Settled
) -> None:
    page = moved("/data")
    open_three(page, settled)
    stage = picture(page, "stage")
    best, all_over = stage.get_attribute("data-cut") or "", looked_at(page)
    lined = {rule for *_, rule, by_a_line in all_over if by_a_line}
    assert len({rule for *_, rule, _ in all_over}) == 7
    assert len(lined) == 3
    x, y, rule, _ = next(one for one in all_over if one[2] not in lined)
    page.mouse.click(x, y)
    page.wait_for_url("**cut=c0-*")
    settled(page)
    assert stage.get_attribute("data-cut") == rule != best
    page.mouse.move(5, 5)
    assert f"{rule}: gain" in sentence(page).replace("\u2060", "")
    stage.locator(".slider").focus()
    page.keyboard.press("End")
    last = stage.get_attribute("data-cut") or ""
    assert last not in lined
    page.keyboard.press("Enter")
    expect(stage).to_have_attribute("data-cut", last)
    settled(page)
    split_here(page, settled)
    expect_step(page, 1)
    tree = " ".join(picture(page, "tree").locator("svg text").all_text_contents())
    assert last in tree.replace("\u00a0", " ")
    has_no_error(page)
