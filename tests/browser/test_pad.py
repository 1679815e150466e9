"""The pad in a real Chromium: by mouse, finger, keys and table, nothing that was drawn is lost.

Glossary
    draw      the tab Draw at a path, in the tab of the browser that tests share
    points    the points in the address, as a list of texts
    spot      a place of the plane in pixels of the window
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from acts import (
    SOON,
    Settled,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    query,
    until,
    until_seen,
)
from playwright.sync_api import Locator, Page, TimeoutError, expect

BLANK = "/data?data=drawn&kind=classes"
THREE = BLANK + "&points=2~2~A_8~8~B_5~3~A"
COUNTED = """
(count) => {
  const text = new URLSearchParams(location.search).get("points");
  return (text ? text.split("_").length : 0) === count;
}
"""
EDGE = {"left": 44, "right": 10, "top": 10, "bottom": 38}  # around the plane, see pad/draw.js


@pytest.fixture
def draw(moved: Visit, settled: Settled) -> Visit:
    """A pad keeps its tool, class and view: they are taken back."""

    def go(path: str) -> Page:
        page = draw_tab(moved(path), settled)
        for kept in ("Add", "class A"):
            tool(page, kept)
        if path != BLANK:
            tool(page, "Fit")
        return page

    return go


def draw_tab(page: Page, settled: Settled) -> Page:
    page.get_by_role("tab", name="Draw").click()
    page.locator(".pad-surface").wait_for()
    return settled(page)


def points(page: Page) -> list[str]:
    text = query(page).get("points", "")
    return text.split("_") if text else []


def expect_points(page: Page, count: int) -> list[str]:
    until(page, COUNTED, count)
    return points(page)


def expect_words(page: Page, words: str) -> None:
    expect(page.locator(".pad [role=status]")).to_contain_text(words)


def spot(page: Page, x: float, y: float) -> tuple[float, float]:
    """Where the place is, in a view from 0 to 10."""
    box = bounds(page.locator(".pad-surface"))
    width = box["width"] - EDGE["left"] - EDGE["right"]
    height = box["height"] - EDGE["top"] - EDGE["bottom"]
    return (
        box["x"] + EDGE["left"] + x / 10 * width,
        box["y"] + EDGE["top"] + (1 - y / 10) * height,
    )


def click(page: Page, x: float, y: float) -> None:
    page.mouse.click(*spot(page, x, y))


def tool(page: Page, name: str) -> None:
    page.locator(".pad").get_by_role("button", name=name, exact=True).click()


def near(text: str, x: float, y: float, slack: float = 0.06) -> bool:
    found = [float(part) for part in text.split("~")[:2]]
    return abs(found[0] - x) < slack and abs(found[1] - y) < slack


# --- by mouse -------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_quick_clicks_put_points_where_they_were_made_and_each_can_be_undone(draw: Visit) -> None:
    page = draw(BLANK)
    for k in range(6):
        click(page, 0.5 + 0.75 * k, 1 + (k * 7) % 9)
    drawn = expect_points(page, 6)
    assert all(near(one, 0.5 + 0.75 * k, 1 + (k * 7) % 9) for k, one in enumerate(drawn))
    assert all(one.endswith("~A") and len(one) <= 13 for one in drawn)
    for _ in range(2):
        tool(page, "Undo")
    assert expect_points(page, 4) == drawn[:4]
    tool(page, "Redo")
    assert expect_points(page, 5) == drawn[:5]
    expect(page.get_by_role("tab", name="Draw")).to_have_attribute("aria-selected", "true")


@pytest.mark.nightly
def test_nothing_is_lost_while_the_server_is_busy(draw: Visit, settled: Settled) -> None:
    page = draw(BLANK)
    click(page, 1, 1)
    page.get_by_role("tab", name="Examples").click()
    until_seen(  # streamlit's tabs take the answer to one click for newer than the next
        page.get_by_role("tab", name="Draw").click,
        lambda: page.locator(".pad-surface").wait_for(timeout=SOON),
    )
    settled(page)
    expect_points(page, 1)
    for k in range(6):
        click(page, 2 + k, 5)
    page.get_by_role("button", name="Grow a tree on it").click()
    page.wait_for_url(lambda url: "/data?" not in url)
    expect_points(page, 7)


@pytest.mark.nightly
def test_undo_lives_on_after_another_page_and_back(draw: Visit, settled: Settled) -> None:
    page = draw(THREE)
    click(page, 1, 9)
    expect_points(page, 4)
    page.get_by_role("link", name="Learn").click()
    page.get_by_role("heading", name="Learn").wait_for()
    settled(page)
    expect(page.get_by_text("Your drawing").first).to_be_visible()
    page.get_by_role("link", name="Data").click()
    page.locator(".pad-surface").wait_for()
    settled(page)
    tool(page, "Undo")
    expect_points(page, 3)
    tool(page, "Redo")
    expect_points(page, 4)


@pytest.mark.nightly
def test_the_browsers_back_takes_a_point_away(draw: Visit, settled: Settled) -> None:
    page = draw(THREE)
    click(page, 1, 9)
    expect_points(page, 4)
    settled(page)
    page.go_back()
    expect_points(page, 3)
    settled(page)
    tool(page, "Undo")
    expect_points(page, 4)


# --- by keys --------------------------------------------------------------------------------------


def test_keys_alone_do_everything(draw: Visit) -> None:
    page = draw(BLANK)
    surface = page.locator(".pad-surface")
    surface.focus()
    keys = page.keyboard
    keys.press("Enter")
    assert expect_points(page, 1) == ["5~5~A"]
    expect_words(page, "A added at 5, 5; 1 point")
    keys.press("2")
    keys.press("Shift+ArrowRight")
    keys.press("ArrowUp")
    expect_words(page, "6, 5.2")
    keys.press("Space")
    assert expect_points(page, 2) == ["5~5~A", "6~5.2~B"]
    keys.press("m")
    expect_words(page, "picked up")
    keys.press("Shift+ArrowUp")
    keys.press("M")
    until(page, "() => location.search.includes('6~6.2~B')")
    keys.press("Delete")
    assert expect_points(page, 1) == ["5~5~A"]
    keys.press("Control+z")
    expect_points(page, 2)
    keys.press("Control+y")
    expect_points(page, 1)


# --- by finger ------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_it_works_on_a_phone(phoned: Visit, settled: Settled) -> None:
    page = draw_tab(phoned("/data?data=iris"), settled)
    page.touchscreen.tap(*spot(page, 2, 3))
    page.touchscreen.tap(*spot(page, 7, 8))
    drawn = expect_points(page, 2)
    assert near(drawn[0], 2, 3)
    assert near(drawn[1], 7, 8)
    expect_no_wider_than_the_window(page)
    surface = page.locator(".pad-surface")
    assert surface.evaluate("e => getComputedStyle(e).touchAction") == "none"
    expect(page.get_by_role("tab", name="Draw")).to_have_attribute("aria-selected", "true")


# --- numbers, and points far away -----------------------------------------------------------------


@pytest.mark.nightly
def test_a_number_by_colour_and_by_height(draw: Visit) -> None:
    page = draw(THREE)
    page.get_by_text("Number by colour").click()
    until(page, "() => location.search.includes('kind=colour')")
    assert points(page) == ["2~2~1", "8~8~2", "5~3~1"]
    tool(page, "value 6")
    click(page, 1, 9)
    assert expect_points(page, 4)[3].endswith("~6")
    page.get_by_text("Number by height").click()
    until(page, "() => location.search.includes('kind=height')")
    click(page, 4, 4)
    assert all(one.count("~") == 1 for one in expect_points(page, 5))
    expect(page.locator(".pad").get_by_role("button", name="a point")).to_have_count(0)


@pytest.mark.nightly
def test_an_example_is_drawn_on(moved: Visit, settled: Settled) -> None:
    page = draw_tab(moved("/data?data=moons&n=60&noise=0.25&seed=7"), settled)
    tool(page, "Add")
    page.get_by_role("button", name="Draw on from Moons").click()
    drawn = expect_points(page, 60)
    assert any(len(one) > 30 for one in drawn)
    page.mouse.click(*spot(page, 9.5, 9.5))
    assert expect_points(page, 61)[:60] == drawn


# --- the table ------------------------------------------------------------------------------------


def cell(page: Page, row: int, column: int) -> tuple[float, float]:
    """The middle of a cell of the table."""
    box = bounds(page.locator("[data-testid=stDataFrame]"))
    left, head, height = 33, 34, 33
    width = (box["width"] - left) / 3
    return (box["x"] + left + (column + 0.5) * width, box["y"] + head + (row + 0.5) * height)


def choose_cell(page: Page, row: int, column: int) -> None:
    """Click a cell, again if the grid did not listen yet; below the last row a new one opens."""
    name = f"glide-cell-{column + 1}-{row}"
    chosen = page.locator(f"[data-testid={name}][aria-selected=true]")
    for _ in range(10):
        page.mouse.click(*cell(page, row, column))
        with suppress(TimeoutError):
            chosen.wait_for(state="attached", timeout=1_000)
            break


def editor(page: Page) -> Locator:
    return page.locator("#portal textarea, #portal input").first


def open_cell(page: Page, row: int, column: int) -> None:
    choose_cell(page, row, column)
    if not editor(page).is_visible():
        page.keyboard.press("Enter")
    expect(editor(page)).to_be_focused()
    page.keyboard.press("Control+a")


def write_cell(page: Page, row: int, column: int, text: str) -> None:
    """Type into a cell that is there and leave it open."""
    open_cell(page, row, column)
    page.keyboard.type(text, delay=30)  # as fast as a person: the grid looks at each letter
    expect(editor(page)).to_have_value(text, timeout=SOON)


def type_cell(page: Page, row: int, column: int, text: str, seen: Callable[[], object]) -> None:
    def act() -> None:
        write_cell(page, row, column, text)
        page.keyboard.press("Enter")

    until_seen(act, seen)


def in_address(page: Page, part: str) -> Callable[[], object]:
    """Waits until the address has this part."""
    has = f"() => location.search.includes('{part}')"
    return lambda: until(page, has, None, SOON)


def test_the_table_changes_points(draw: Visit, settled: Settled) -> None:
    page = draw(THREE)
    type_cell(page, 1, 0, "7,25", in_address(page, "7.25~8~B"))
    settled(page)
    type_cell(page, 1, 2, "c", in_address(page, "7.25~8~C"))
    settled(page)
    said = page.get_by_text("'abc' is no number")
    type_cell(page, 0, 0, "abc", lambda: said.wait_for(timeout=SOON))
    assert points(page) == ["2~2~A", "7.25~8~C", "5~3~A"]
    tool(page, "Undo")
    until(page, "() => location.search.includes('7.25~8~B')")


@pytest.mark.nightly
@pytest.mark.parametrize("opened", [True, False], ids=["in an open cell", "on a cell"])
def test_a_block_is_pasted(draw: Visit, settled: Settled, opened: bool) -> None:
    page = draw(THREE)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    block = "1\t9\tC\n2,5\t9\tD\n3\tx\tA\n4\t9\tB"
    page.evaluate("text => navigator.clipboard.writeText(text)", block)
    many = 6 if opened else 5

    def into_an_open_cell() -> None:
        open_cell(page, 3, 0)
        page.keyboard.press("Control+v")
        expect(editor(page)).to_have_value(block, timeout=SOON)
        page.keyboard.press("Enter")

    def on_a_cell() -> None:
        choose_cell(page, 2, 0)
        if editor(page).is_visible():
            page.keyboard.press("Escape")
        page.keyboard.press("Control+v")

    until_seen(into_an_open_cell if opened else on_a_cell, lambda: until(page, COUNTED, many, SOON))
    drawn = points(page)
    new = ["1~9~C", "2.5~9~D", "4~9~B"]
    assert drawn == ["2~2~A", "8~8~B", *(["5~3~A"] if opened else []), *new]
    expect(page.get_by_text("'x' is no number")).to_be_visible()
    settled(page)
    click(page, 9, 1)
    assert expect_points(page, len(drawn) + 1)[:-1] == drawn


@pytest.mark.nightly
def test_a_cell_still_open_when_the_pad_is_clicked_is_not_lost(
    draw: Visit, settled: Settled
) -> None:
    page = draw(THREE)
    write_cell(page, 0, 0, "3.5")
    click(page, 1, 9)
    drawn = expect_points(page, 4)
    until(page, "() => location.search.includes('3.5~2~A')")
    assert near(drawn[3], 1, 9)


# --- more than a link carries ---------------------------------------------------------------------


@pytest.mark.nightly
def test_a_long_drawing_becomes_a_file_with_all_its_points(
    draw: Visit, settled: Settled, tmp_path: Path
) -> None:
    full = "_".join(f"{k % 20}.5~{k // 20}.25~{'AB'[k % 2]}" for k in range(300))
    page = draw(f"{BLANK}&points={full}")
    click(page, 5, 5)
    expect(page.get_by_text("a link carries 300")).to_be_visible()
    until(page, "() => location.search.includes('data=file')")
    settled(page)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save drawing.csv").click()
    saved = tmp_path / "drawing.csv"
    saving.value.save_as(saved)
    drawn = saved.read_bytes()
    assert len(drawn.splitlines()) == 302
    sha = query(page)["sha"]
    assert sha == hashlib.sha256(drawn).hexdigest()[: len(sha)]  # so that the link knows it again
