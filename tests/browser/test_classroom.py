"""A teacher shows a screen to the class, and a student opens it by its short address."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from acts import (
    NewContext,
    Settled,
    bounds,
    expect_asked,
    expect_no_wider_than_the_window,
    expect_step,
    grow_on,
    has_no_error,
    look,
    press,
    query,
    violations,
    wear,
)
from playwright.sync_api import Page, expect

TABLE = "x,z,y\n" + "".join(f"{k % 17},{k % 5},{'uvw'[k * k % 3]}\n" for k in range(60))
NAME = "lab-7.local"
SHOW = "Show to the class"
STORED = """
async () => {
  if (!(await indexedDB.databases()).some(({ name }) => name === "dtviz")) return 0;
  return new Promise((done) => {
    const request = indexedDB.open("dtviz");
    request.onsuccess = () => {
      const store = request.result.transaction("about").objectStore("about").count();
      store.onsuccess = () => { request.result.close(); done(store.result); };
    };
  });
}
"""


def share(page: Page, settled: Settled) -> None:
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name=SHOW).wait_for()
    settled(page)


def short_address(page: Page, settled: Settled) -> str:
    """The address that is shown over the whole window."""
    page.get_by_role("button", name=SHOW).click()
    address = page.locator(".st-key-class_address [data-testid=stText]")
    address.wait_for()
    settled(page)
    return address.inner_text()


def test_a_student_opens_by_a_short_address_what_the_teacher_shows_with_its_table(
    page: Page, new_context: NewContext, serve: Callable[..., Any], settled: Settled
) -> None:
    server = serve(sys.executable, "-m", "dtviz", "--share", "--name", NAME)
    page.goto(server.url + "/data")
    settled(page)
    grow_on(page, settled, ("small.csv", TABLE.encode()))
    press(page, settled, "next", 2)
    seen, params = look(page), query(page)
    share(page, settled)
    brings = page.get_by_role("switch", name="The link brings the table")
    expect(brings).not_to_be_checked()
    address = short_address(page, settled)
    assert re.fullmatch(rf"http://{NAME}:{server.port}/t/[a-z2-9]{{6}}", address)
    expect(page.get_by_text("small.csv goes with it.")).to_be_visible()

    code = page.locator(".st-key-class_screen img")
    dialog = page.get_by_role("dialog")
    for width, height in ((1920, 1080), (390, 844), (1280, 720)):
        page.set_viewport_size({"width": width, "height": height})
        for scheme in ("dark", "light"):
            wear(page, settled, scheme)
            box, window = bounds(code), bounds(dialog)
            assert (window["x"], window["y"]) == (0, 0)
            assert (window["width"], window["height"]) == (width, height)
            assert box["width"] == box["height"] >= min(0.6 * height, 0.8 * width)
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width
            note = bounds(page.get_by_text("small.csv goes with it."))
            assert note["y"] + note["height"] <= height
            expect_no_wider_than_the_window(page)
    assert not violations(page, settled, "[role=dialog]")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    settled(page)
    assert (look(page), query(page)) == (seen, params)

    student = new_context().new_page()
    path = urlsplit(address).path  # the browser of the tests finds this machine alone
    student.goto(server.url + path.upper().replace("/T/", "/t/"))
    expect_step(student, 2)
    settled(student)
    assert (look(student), query(student)) == (seen, params)
    press(student, settled, "next")  # each has a screen of their own
    expect_step(page, 2)
    assert student.evaluate(STORED) == 0
    has_no_error(student)

    share(page, settled)
    expect(brings).to_be_checked()
    page.locator("label", has=brings).click()
    expect(brings).not_to_be_checked()
    settled(page)
    other = new_context().new_page()
    other.goto(server.url + path)
    expect_asked(other, settled)
    other.goto(f"{server.url}/t/222222")
    expect(other.get_by_text("No screen has this address")).to_be_visible()
    has_no_error(page)
    server.stop()


@pytest.mark.nightly
def test_a_drawing_of_very_many_points_and_a_tour_go_with_a_short_address(
    page: Page, new_context: NewContext, serve: Callable[..., Any], settled: Settled
) -> None:
    full = "_".join(f"{k % 20}.5~{k // 20}.25~{'AB'[k % 2]}" for k in range(300))
    server = serve(sys.executable, "-m", "dtviz", "--share", "--name", NAME)
    page.goto(f"{server.url}/data?data=drawn&kind=classes&points={full}")
    settled(page)
    page.locator(".pad-surface").click(position={"x": 120, "y": 200})
    expect(page.get_by_text("301 points: a link carries 300")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Grow a tree on it").first.click()
    expect_step(page, 0)
    settled(page)
    seen, params = look(page), query(page)
    share(page, settled)
    page.get_by_role("button", name="Add this screen to a tour").click()
    tour = page.get_by_role("button", name="Show the tour to the class")
    tour.click()
    address = page.locator(".st-key-class_address [data-testid=stText]").inner_text()
    expect(page.get_by_text("the drawing goes with it.")).to_be_visible()
    student = new_context().new_page()
    student.goto(server.url + urlsplit(address).path)
    expect_step(student, 0)
    expect(student.get_by_text("1 of 1")).to_be_visible()
    settled(student)
    assert look(student) == seen
    assert query(student)["sha"] == params["sha"]
    has_no_error(student)
    server.stop()
