"""A row's way, by mouse, keys and finger: lit in plane and tree, and told in the panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from acts import Settled, Visit, bounds, expect_step, grow_on
from playwright.sync_api import Page, expect

PATH = "/?data=iris&features=%5B%22petal_length_cm%22%2C%22petal_width_cm%22%5D&log=a4"
LIT = "g.node.way"
"""The nodes on the way that is lit."""


def test_a_click_on_a_point_pins_its_way(moved: Visit, settled: Settled) -> None:
    page = moved(PATH)
    x, y = _point(page)
    page.mouse.move(x, y)
    expect(page.locator(".stage .tip")).to_contain_text("the tree says")
    expect(page.locator(LIT)).not_to_have_count(0)
    lit = page.locator(LIT).count()
    page.mouse.click(x, y)
    settled(page)
    page.mouse.move(2, 2)
    expect(page.locator(LIT)).to_have_count(lit)
    assert "row=" in page.url
    page.get_by_role("tab", name="Rows", exact=True).press("Enter")
    expect(page.locator(".st-key-below ol li")).to_have_count(lit - 1)


def test_the_rows_of_a_node_are_a_table_and_a_file_and_a_row_is_found_by_its_key(
    page: Page, app_url: str, settled: Settled, tmp_path: Path
) -> None:
    lines = [f"P-{k:03},{k},{'ab'[k > 11]}" for k in range(20)]
    file = tmp_path / "orders.csv"
    file.write_text("\n".join(["order,x,kind", *lines]))
    page.goto(app_url + "/data")
    settled(page)
    grow_on(page, settled, file)
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)
    settled(page)
    page.locator("#n3").click()
    settled(page)
    page.get_by_role("tab", name="Rows", exact=True).press("Enter")
    expect(page.get_by_text("Node 3: 8 rows")).to_be_visible()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download them").click()
    assert waiting.value.suggested_filename == "node-3.csv"
    saved = tmp_path / "saved.csv"
    waiting.value.save_as(saved)
    expected = [f"{k + 1},P-{k:03},{k},b,b" for k in range(12, 20)]
    assert saved.read_text().splitlines() == ["row,order,x,kind,predicted kind", *expected]
    key = page.get_by_role("textbox", name="Or by its order")
    key.fill("P-003")
    key.press("Enter")
    expect(page.get_by_text("Row 4: the tree says a")).to_be_visible()
    expect(page.locator(LIT)).to_have_count(2)


@pytest.mark.nightly
def test_by_keys_a_row_is_chosen_and_its_values_changed(moved: Visit, settled: Settled) -> None:
    page = moved(PATH)
    page.get_by_role("tab", name="Rows", exact=True).press("Enter")
    number = page.get_by_role("spinbutton", name="Row, 1 to 150")
    number.fill("1")
    number.press("Enter")
    expect(page.get_by_text("the tree says setosa")).to_be_visible()
    expect(page.locator(LIT)).to_have_count(2)
    typed = page.get_by_role("textbox", name="petal_length_cm")
    typed.fill("6")
    typed.press("Enter")
    expect(page.get_by_text("The typed row:")).to_be_visible()
    settled(page)
    assert "row=0.6_1.0.2" in page.url


@pytest.mark.nightly
def test_a_finger_on_a_point_pins_its_way(phoned: Visit, settled: Settled) -> None:
    page = phoned(PATH)
    page.touchscreen.tap(*_point(page))
    expect(page.locator(LIT)).not_to_have_count(0)
    settled(page)
    assert "row=" in page.url


def _point(page: Page) -> tuple[float, float]:
    """Where some point of the stage is."""
    box = bounds(page.locator(".stage .area"))
    x = box["x"] + 0.6 * box["width"]
    tip = page.locator(".stage .tip")
    for k in range(30, 80):
        y = box["y"] + k / 100 * box["height"]
        page.mouse.move(x, y)
        if tip.is_visible():
            return x, y
    raise AssertionError("no point is there")
