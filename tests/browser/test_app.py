"""The app in a real Chromium: pages lead to one another, a link is the screen, Back undoes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from acts import (
    DESK,
    MOONS,
    PHONE,
    Settled,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    expect_step,
    has_no_error,
    look,
    picture,
    press,
    sentence,
    until,
    upload,
)
from playwright.sync_api import Page, expect

# --- the whole way --------------------------------------------------------------------------------


@pytest.mark.nightly
def test_the_way_from_a_table_to_its_tree_is_in_sight_below_what_is_to_be_known_first(
    moved: Visit, settled: Settled
) -> None:
    page = moved("/data")
    page.set_viewport_size(PHONE)
    same = "".join(f"{row},{row % 7},same\n" for row in range(2000))
    upload(page, settled, ("same.csv", f"a,b,kind\n{same}".encode()))
    parts = (
        page.get_by_text("kind is same in every row"),
        page.get_by_role("button", name="Grow a tree on this table"),
        page.get_by_text("2,000 of 2,000 rows can be used"),
        page.get_by_role("combobox", name="Target"),
    )
    tops, bottoms = [], []
    for part in parts:
        expect(part).to_be_visible()
        at = bounds(part)
        tops.append(at["y"])
        bottoms.append(at["y"] + at["height"])
    assert bottoms[0] < tops[1]
    assert max(bottoms[1], bottoms[2]) < tops[3] < PHONE["height"]


def test_a_row_of_the_candidates_chooses_its_cut_by_hand_and_by_keys(
    moved: Visit, settled: Settled
) -> None:
    page = moved(MOONS)
    rows = page.get_by_role("grid", name="Candidate cuts").get_by_role("row")
    rows.nth(3).click()
    page.wait_for_url("**cut=**")
    settled(page)
    assert "% of the best cut" in sentence(page)
    expect(rows.nth(3)).to_have_attribute("aria-selected", "true")
    rows.nth(1).press("ArrowDown")
    expect(rows.nth(2)).to_be_focused()
    rows.nth(2).press("Enter")
    expect(rows.nth(2)).to_have_attribute("aria-selected", "true")


@pytest.mark.nightly
def test_a_row_of_the_features_chooses_its_best_cut_and_no_part_of_tools_shows_that_have_no_room(
    moved: Visit, settled: Settled
) -> None:
    row = 1
    page = moved(MOONS)
    page.get_by_role("tab", name="Features").click()
    table = page.locator("[data-testid=stDataFrame] canvas").first
    table.wait_for()
    table.scroll_into_view_if_needed()
    table.locator("[role=gridcell]").first.wait_for(state="attached")
    settled(page)
    frame = page.locator(".st-key-below [data-testid=stDataFrame]").first
    frame.hover(position={"x": 60, "y": 60})
    expect(frame.locator("[data-testid=stElementToolbar]")).to_be_hidden()
    inside = page.locator("div:has(> .st-key-below)").last
    inside.evaluate("(one, by) => { one.scrollTop = by; }", 34 * max(row - 1, 0))
    box = bounds(table)
    page.mouse.click(box["x"] + 12, box["y"] + 42 + 34 * row)
    page.wait_for_url("**cut=**")
    settled(page)
    assert "% of the best cut" in sentence(page)


def test_back_undoes_and_forward_redoes(moved: Visit, settled: Settled) -> None:
    page = moved(MOONS + "&log=a2")
    before = look(page)
    press(page, settled, "next")
    after = look(page)
    page.go_back()
    expect_step(page, 2)
    assert look(settled(page)) == before
    page.go_forward()
    expect_step(page, 3)
    assert look(settled(page)) == after


@pytest.mark.nightly
def test_a_page_that_is_visited_is_one_way_back_and_none_loses_the_tree(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(app_url + MOONS + "&log=a2")  # a tab of its own: no history has more than 50 pages
    settled(page)
    before, seen = page.evaluate("history.length"), look(page)
    for more, name in enumerate(("Overfit", "Data"), 1):
        page.get_by_role("link", name=name).first.click()
        page.wait_for_url(f"**/{name.lower()}?data=moons**")
        settled(page)
        assert page.evaluate("history.length") == before + more
    page.go_back()
    page.wait_for_url("**/overfit?data=moons**")
    settled(page)
    expect(page.locator("div.judging > strong")).to_have_text("Moons")
    page.get_by_role("link", name="Grow").first.click()
    expect_step(page, 2)
    assert look(settled(page)) == seen
    for path in ("overfit", ""):
        page.go_back()
        page.wait_for_url(f"**/{path}?data=moons**")
        settled(page)
    expect_step(page, 2)
    assert look(page) == seen


# --- what must hold on every page -----------------------------------------------------------------


@pytest.mark.nightly
def test_pages_that_are_left_leave_nothing_in_the_browser(moved: Visit, settled: Settled) -> None:
    def visited() -> Page:
        for path in ("/?data=iris&log=a2", "/overfit?data=iris"):
            page = moved(path)
        return page

    page = visited()
    browser = page.context.new_cdp_session(page)

    def elements() -> int:
        """How many there are, on a page or off it."""
        browser.send("HeapProfiler.collectGarbage")
        return int(browser.send("Memory.getDOMCounters")["nodes"])

    visited()  # what stood on the page before the first round may be there until now
    before = elements()
    visited()
    for _ in range(100):  # what a timer holds goes a little later
        if elements() < 1.2 * before:
            break
        settled(page)
    assert elements() < 1.2 * before
    browser.detach()


@pytest.mark.nightly
def test_a_phone_shows_the_longest_page_without_sideways_scrolling(phoned: Visit) -> None:
    page = phoned("/learn")
    expect_no_wider_than_the_window(page)
    has_no_error(page)


def test_hostile_names_stay_text_in_every_picture_and_box(moved: Visit, settled: Settled) -> None:
    page = moved("/data")
    names = ("![x](https://evil.example/x.png)", IMAGE, '"a ""q"" %{x} [y](//evil.example)"')
    header = ",".join((*names, f":red[z]{IMAGE}"))
    label = f"[k](https://evil.example){IMAGE}"
    rows = "".join(f"{i % 7},{i * 5 % 11},{i},{label}{i % 3}\n" for i in range(60))
    upload(page, settled, ("![f](x).csv", f"{header}\n{rows}".encode()))
    expect(page.get_by_text("60 of 60 rows can be used")).to_be_visible()
    page.get_by_role("combobox", name="Target").click()
    expect(page.get_by_role("option").first).to_be_visible()
    expect_text_alone(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    settled(page)
    press(page, settled, "next")
    look(page)
    assert names[0] in page.get_by_label("Across").locator("option").all_inner_texts()
    expect_text_alone(page)

    page.get_by_role("link", name="Overfit").first.click()
    page.wait_for_url("**/overfit**data=file**")
    cockpit = picture(page, "overfit")
    expect(cockpit.locator(".told")).to_contain_text("mean")
    settled(page)
    expect(page.locator("div.judging > strong")).to_contain_text("![f](x).csv")
    seen = set()
    for place in (cockpit.locator(".slider"), cockpit.locator(".panel canvas").first):
        own = bounds(place)
        for k in range(8):
            x, y = own["x"] + own["width"] * k / 8, own["y"] + own["height"] * (k % 5) / 5
            page.mouse.move(x, y)
            seen.add(cockpit.get_attribute("data-at"))
    assert len(seen) > 2
    for panel in ("Grid search", "Greedy's limit"):
        page.get_by_role("tab", name=panel).click()
        settled(page)
        expect_text_alone(page)
    page.get_by_role("tab", name="Table").click()


OUTSIDERS = ", ".join(f"{one}*='evil'], {one}='x']" for one in ("img[src", "a[href", "image[href"))
IMAGE = "<img src=x onerror=window.acted=1>"


def expect_text_alone(page: Page) -> None:
    """Nothing that an outsider wrote is a picture, a link or an act."""
    assert page.locator(OUTSIDERS).count() == 0
    assert page.evaluate("window.acted") is None
    has_no_error(page)


BAR = ".st-key-tips:has([data-testid=stProgress]):has(button)"
WHEEL = "[class*=st-key-working]:has(.stSpinner)"
HELD = "[data-testid=stHeader] :is(a, button), .st-key-corner button"
IN_HEAD = """([told, held]) => {
  const own = document.querySelector(told);
  const head = document.querySelector("[data-testid=stHeader]");
  const seen = [...document.querySelectorAll(held)].filter((one) => one.offsetWidth);
  const others = seen.filter((one) => !own?.contains(one));
  const place = (one) => one.getBoundingClientRect().toJSON();
  return own?.offsetWidth && others.length && [place(own), place(head), others.map(place)];
}"""  # where work is told, where the head of the page is, and what else is in it
LOOK_AT_THE_TABS = """() => {
  const seen = window.seen = new Set();
  const look = () => {
    seen.add(JSON.stringify(document.querySelector("[role=tablist]")?.getBoundingClientRect()));
    requestAnimationFrame(look);
  };
  look();
}"""  # where they stand, again and again; nothing where they are away


@pytest.mark.nightly
def test_the_tools_of_a_table_leave_the_names_of_its_tabs_free(
    phoned: Visit, settled: Settled
) -> None:
    page = phoned("/overfit?data=iris")
    told = picture(page, "overfit").locator(".told")
    expect(told).to_contain_text("mean")  # where the folds come in, what stands below moves
    settled(page)
    table = page.get_by_role("tabpanel").locator("[data-testid=stDataFrame]").first
    table.tap(position={"x": 60, "y": 60})
    tools = page.get_by_role("tabpanel").locator("[data-testid=stElementToolbar]").first
    expect(tools).to_have_css("opacity", "1")
    tabs = page.get_by_role("tablist").first.element_handle()
    below = "(one, tabs) => one.getBoundingClientRect().y - tabs.getBoundingClientRect().bottom"
    assert tools.evaluate(below, tabs) >= 0


@pytest.mark.parametrize(
    ("path", "size"),
    [
        pytest.param("/forest?trees=300&n=2000", PHONE, marks=pytest.mark.nightly),
        pytest.param("/overfit?folds=20&n=100000", PHONE, marks=pytest.mark.nightly),
        ("/stability?vary=resample&vary_trees=500&n=2000", DESK),
    ],
    ids=["phone", "overfit", "desk"],
)
def test_how_far_work_is_stands_in_the_head_of_the_page_and_covers_no_picture(
    page: Page, app_url: str, path: str, size: Any
) -> None:
    page.set_viewport_size(size)
    page.goto(f"{app_url}{path}&data=moons&noise=0.25&seed=0")
    expect_in_head(page, BAR, size)


SLOWLY = """
import os, time
from dtviz.app.cli import main
from dtviz.base import progress
from dtviz.app import runs, state

enter, advance_job = state._enter, runs.advance_job

def slowly(run):
    enter(run)
    while os.path.exists(HOLD):
        time.sleep(0.02)
        state._check(run, time.monotonic())

def a_slice(job):
    time.sleep(1)
    advance_job(job)

state._enter, runs.advance_job, progress.SLICE_SECONDS = slowly, a_slice, 0
main()
"""  # where a file tells it to hold, each run of a page is at work until that is gone
LINES = "/?data=moons&n=60&noise=0.25&seed=7&log=a2&branches=" + "~".join(
    f"a1_3.0.{k / 10}" for k in range(3, 7)
)


@pytest.mark.nightly
def test_that_a_page_is_at_work_is_told_in_its_head_and_moves_nothing(
    page: Page, serve: Callable[..., Any], settled: Settled, tmp_path: Path
) -> None:
    hold = tmp_path / "hold"
    server = serve(sys.executable, "-c", f"HOLD = {str(hold)!r}{SLOWLY}")
    page.goto(server.url + "/?data=moons&n=60&noise=0.25&seed=7")
    expect_step(page, 0)
    settled(page)
    stage = picture(page, "stage")
    for size in (DESK, {"width": 800, "height": 900}, PHONE):
        page.set_viewport_size(size)
        settled(page)
        before = stage.bounding_box()
        hold.touch()
        picture(page, "line").locator("[data-name=next]").click()
        expect_in_head(page, WHEEL, size)
        assert stage.bounding_box() == before
        hold.unlink()
        settled(page)
    page.goto(server.url + LINES)
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Go on")).to_be_visible()
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        expect_in_head(page, BAR, size)
    server.stop()


@pytest.mark.nightly
def test_as_work_begins_and_ends_nothing_below_it_moves(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}/overfit?folds=0&data=moons&n=40000&noise=0.25&seed=0")
    told = picture(page, "overfit").locator(".told")
    expect(told).to_contain_text("leaves")
    settled(page)
    page.evaluate(LOOK_AT_THE_TABS)
    page.get_by_role("combobox", name="Folds").select_option("10 folds")
    expect_in_head(page, BAR, DESK)
    page.locator(BAR).wait_for(state="hidden")
    expect(told).to_contain_text("10-fold mean")
    settled(page)
    [seen] = page.evaluate("() => [...window.seen]")
    assert seen


def expect_in_head(page: Page, told: str, size: Any) -> None:
    """Work is told in the head, in sight and beside all else there."""
    own, head, others = until(page, IN_HEAD, [told, HELD])
    assert head["top"] <= own["top"] < own["bottom"] <= head["bottom"]
    assert own["left"] < own["right"] <= size["width"]
    assert all(one["right"] <= own["left"] or own["right"] <= one["left"] for one in others)
