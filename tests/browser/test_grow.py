"""Grow as an instrument: preview, drag, keys, links between the pictures, branches, ask first."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from typing import Any

import pytest
from acts import (
    DESK,
    MOONS,
    PHONE,
    SENT,
    NewContext,
    Settled,
    Visit,
    along,
    bounds,
    drag,
    expect_step,
    has_no_error,
    look,
    picture,
    press,
    pull_by_finger,
    query,
    sentence,
    split_here,
    step,
)
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

BLANK = "/data?data=drawn&kind=classes"
LIT = """
(stage, node) => {
  const canvas = stage.querySelector(".sheets:not(.unseen) canvas.moving");
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let painted = 0;
  for (let k = 3; k < pixels.length; k += 4) painted += pixels[k] > 0;
  return painted;
}
"""

PAPER = "(one) => getComputedStyle(one).backgroundColor"


@pytest.fixture
def move(moved: Visit) -> Visit:
    """`move(path)` is the shared tab at this path, where the pictures stand."""

    def go(path: str) -> Page:
        page = moved(path)
        expect(picture(page, "stage")).to_have_attribute("data-step", re.compile("."))
        return page

    return go


def node(page: Page, name: int) -> Locator:
    return picture(page, "tree").locator(f"g.node[id=n{name}]")


def light(page: Page, name: int) -> None:
    """Point at a node; the stage shows where it is."""
    node(page, name).hover()
    expect(picture(page, "stage")).to_have_attribute("data-lit", str(name))


def pull_the_line(page: Page, pull: Callable[..., None], by: float) -> None:
    """Pull the cut's line along its axis, by mouse or by finger."""
    handle = picture(page, "stage").locator(".handle")
    across = handle.get_attribute("data-axis") == "0"
    pull(page, handle, (by * across, by * (not across)))


# --- the cut --------------------------------------------------------------------------------------


def test_moving_over_the_gains_previews_a_cut_without_the_server(move: Visit) -> None:
    page = move(MOONS)
    sent = page.evaluate(SENT)
    stage, seen = picture(page, "stage"), set()
    for x, y in along(page, 0):
        page.mouse.move(x, y)
        seen.add((stage.get_attribute("data-cut"), stage.locator(".readout").inner_text()))
    assert len(seen) > 8
    assert page.evaluate(SENT) == sent
    held = stage.get_attribute("data-held")
    page.mouse.move(5, 5)
    expect(stage).to_have_attribute("data-held", held or "")
    assert "cut" not in query(page)


# --- stage and tree together ----------------------------------------------------------------------


def test_a_node_pointed_at_lights_its_rectangle_a_rectangle_its_node_and_a_click_looks_at_it(
    move: Visit, settled: Settled
) -> None:
    page = move("/?data=stripes&n=60&log=a5")
    stage = picture(page, "stage")
    light(page, 2)
    page.mouse.move(5, 5)
    expect(stage).to_have_attribute("data-lit", "")
    dark = stage.evaluate(LIT)
    node(page, 2).hover()
    assert stage.evaluate(LIT) > dark
    node(page, 2).click()
    page.wait_for_url("**focus=2**")
    settled(page)
    expect(stage).to_have_attribute("data-focus", "2")
    assert sentence(page).startswith("Node 2.")
    box = bounds(stage.locator(".area"))
    page.mouse.move(box["x"] + 110, box["y"] + box["height"] - 100)
    lit = stage.get_attribute("data-lit")
    assert lit
    expect(picture(page, "tree")).to_have_attribute("data-lit", lit)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(f"**focus={lit}**")
    settled(page)
    assert sentence(page).startswith(f"Node {lit}.")


# --- the time-line --------------------------------------------------------------------------------


@pytest.mark.nightly
def test_a_click_elsewhere_right_after_a_step_loses_nothing(move: Visit, settled: Settled) -> None:
    page = move(MOONS + "&log=a1")
    for place in ("[role=tab]:nth-of-type(2)", ".st-key-drawer_button button"):
        before = int(step(page).split()[1])
        page.evaluate(
            """(place) => {
              const hosts = [...document.querySelectorAll(".st-key-grow *")];
              const page = hosts.map((host) => host.shadowRoot).find(Boolean);
              page.querySelector("[data-name=next]").click();
              (page.querySelector(place) ?? document.querySelector(place)).click();
            }""",
            place,
        )
        settled(page)
        expect_step(page, before + 1)
        assert query(page)["log"] == f"a{before + 1}"
    page.locator(".st-key-drawer_shut button").click()
    expect(page.locator(".st-key-drawer")).to_have_count(0)


@pytest.mark.nightly
def test_a_link_pressed_while_it_plays_leads_to_its_page(move: Visit, settled: Settled) -> None:
    page = move(MOONS)
    picture(page, "line").locator("[data-name=play]").click()
    page.get_by_role("link", name="Impurity").first.click()
    expect(picture(page, "measures")).to_be_visible()
    has_no_error(settled(page))


def test_undo_goes_by_keys_wherever_was_clicked_last(move: Visit, settled: Settled) -> None:
    page = move(MOONS + "&log=a2")
    page.keyboard.press("ArrowRight")
    expect_step(page, 3)
    settled(page)
    picture(page, "tree").locator("#n2").click()
    settled(page)
    for made in (3, 2):  # the node looked at, then the step
        page.keyboard.press("Control+z")
        settled(page)
        expect_step(page, made)


def test_arrow_keys_step_with_the_focus_on_what_has_no_use_for_them(
    moved: Visit, settled: Settled
) -> None:
    page = moved(MOONS + "&log=a1")
    page.get_by_role("row").nth(2).click()  # of the candidates: up and down move in them
    settled(page)
    page.keyboard.press("ArrowLeft")
    expect_step(page, 0)
    settled(page)
    page.get_by_role("button", name="Gini").click()
    settled(page)
    page.get_by_role("switch", name="Ask first").check()
    expect(page.locator(".asked")).to_contain_text("Where would you cut?")
    settled(page)
    page.keyboard.press("ArrowRight")
    expect_step(page, 1)


# --- saving ---------------------------------------------------------------------------------------


def test_the_stage_is_saved_as_svg_and_png(move: Visit, tmp_path: Any) -> None:
    page = move(MOONS + "&log=a2")
    stage = picture(page, "stage")
    for kind, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        stage.get_by_role("button", name=re.compile("save", re.I)).click()
        with page.expect_download() as waiting:
            stage.get_by_text(kind, exact=True).click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.suffix == f".{kind.lower()}"
        content = saved.read_bytes()
        assert begin in content[:200]
        assert len(content) > 2_000


# --- the proof ------------------------------------------------------------------------------------


def draw_points(page: Page, settled: Settled) -> None:
    pad = picture(page, "pad")
    for k in range(20):
        if k < 2:  # with the first point the page has data, and is drawn anew around the pad
            settled(page)
            box = bounds(pad.locator("canvas").first)
        if k in (0, 10):
            pad.get_by_role("button", name=f"class {'AB'[k // 10]}").click()
        x, y = 0.15 + 0.07 * (k % 10), 0.25 + 0.05 * ((3 * k) % 7) + 0.2 * (k // 10)
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    expect(page).to_have_url(re.compile("[?&]data=drawn&.*points=([^_&]+_){19}"))


def test_draw_grow_undo_drag_split_click_link(
    new_context: NewContext, moved: Visit, settled: Settled
) -> None:
    page = moved(BLANK)
    page.get_by_role("tab", name="Draw").click()
    settled(page)
    draw_points(page, settled)
    settled(page)
    assert len(query(page)["points"].split("_")) == 20
    page.get_by_role("button", name=re.compile("Grow a tree")).first.click()
    expect_step(page, 0)
    settled(page)
    press(page, settled, "end")
    total = int(step(page).split()[1])
    press(page, settled, "back", total - total // 2)
    expect_step(page, total // 2)
    pull_the_line(page, drag, -40)
    page.wait_for_url("**cut=**")
    settled(page)
    split_here(page, settled)
    picture(page, "tree").get_by_role("button", name="Show the whole tree").click()
    node(page, 2).click()
    expect(picture(page, "stage")).to_have_attribute("data-lit", "2")
    page.mouse.move(5, 5)
    settled(page)
    expect(picture(page, "stage")).to_have_attribute("data-focus", "2")
    seen, link = look(page), page.url
    page = new_context().new_page()
    page.goto(link)
    assert look(settled(page)) == seen
    has_no_error(page)


def test_a_phone_grows_cuts_and_pulls_the_cut_by_touch(phoned: Visit, settled: Settled) -> None:
    page = phoned(MOONS)
    picture(page, "line").locator("[data-name=next]").tap()
    expect_step(page, 1)
    settled(page)
    stage = picture(page, "stage")
    stage.scroll_into_view_if_needed()
    before = stage.get_attribute("data-cut")
    box = bounds(stage.locator(".area"))
    for share in (0.3, 0.5, 0.7):
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + 50)
        settled(page)
        if stage.get_attribute("data-cut") != before:
            break
    tapped = stage.get_attribute("data-cut") or ""
    assert tapped != before
    page.wait_for_url("**cut=**")
    pull_the_line(page, pull_by_finger, -40)
    expect(stage).not_to_have_attribute("data-cut", tapped)
    settled(page)
    page.get_by_role("button", name="Make my cut").tap()
    expect_step(page, 2)
    settled(page)
    node(page, 2).tap()
    page.wait_for_url("**focus=2**")
    has_no_error(page)


def test_the_pictures_turn_dark_with_the_page(move: Visit) -> None:
    page = move(MOONS + "&log=a2")
    ink, app = picture(page, "tree").locator("g.node text").first, page.get_by_test_id("stApp")
    light, paper = ink.get_attribute("fill"), app.evaluate(PAPER)
    page.emulate_media(color_scheme="dark")
    expect(ink).not_to_have_attribute("fill", light or "")
    assert app.evaluate(PAPER) != paper
    page.emulate_media(color_scheme="light")
    expect(ink).to_have_attribute("fill", light or "")
    expect_step(page, 2)


@pytest.mark.nightly
def test_a_pressed_pointer_stops_play_and_its_click_is_not_lost(
    move: Visit, settled: Settled
) -> None:
    page = move("/?data=moons&n=60&noise=0.25&seed=7&log=a3")
    play = picture(page, "line").locator("[data-name=play]")
    play.click()
    expect(play).to_have_attribute("aria-label", "Pause")
    expect_step(page, 4)
    node(page, 2).hover()  # once it stands still
    page.mouse.down()
    expect(play).to_have_attribute("aria-label", "Play")
    picture(page, "line").locator("[data-name=next]").evaluate("one => one.click()")
    expect_step(page, 5)
    settled(page)
    page.mouse.up()
    page.wait_for_url("**focus=2**")
    settled(page)
    expect_step(page, 5)
    assert sentence(page).startswith("Node 2.")


def test_a_branch_is_a_fork_of_the_time_line_and_its_tip_leads_there(
    moved: Visit, settled: Settled
) -> None:
    page = moved("/?data=iris&log=a2&branches=a1_3.2.5.0~1.0.5.5~a2_6.0.6.1~a3_7.1.2.8")
    tips = picture(page, "line").locator(".forks button.tip")
    fork = picture(page, "line").get_by_role("button", name=re.compile("^Branch 2, .* step 0: "))
    expect(fork).to_have_text(re.compile(r"^[\d.]+\s%$"))
    expect(tips.filter(visible=True)).to_have_count(4)
    line, stage = (bounds(picture(page, name)) for name in ("line", "stage"))
    tree = picture(page, "tree").locator("g.node").first
    fork.press("Enter")
    expect(tree).to_contain_text("sepal_length_cm")
    settled(page)
    expect(fork).to_be_focused()  # it is the line that was left now
    fork.press("Enter")
    expect(tree).to_contain_text("petal_length_cm")
    settled(page)
    page.set_viewport_size(PHONE)
    picture(page, "line").get_by_role("button", name=re.compile("more in the panel")).click()
    expect(page.get_by_role("tab", name="Branches")).to_be_focused()
    expect(page.get_by_role("button", name="Bring back branch 1")).to_be_visible()
    page.set_viewport_size(DESK)
    settled(page)
    assert (line, stage) == tuple(bounds(picture(page, name)) for name in ("line", "stage"))


GOT = """() => {
  const got = wire.got ?? [];
  wire.got = [];
  const letters = (data) => Array.from(new Uint8Array(data), (one) => String.fromCharCode(one));
  return got.map((data) => btoa(letters(data).join("")));
}"""


def got(page: Page) -> list[bytes]:
    """What the server has sent since this was asked last."""
    return [base64.b64decode(one) for one in page.evaluate(GOT)]


def elements_of(messages: list[bytes]) -> list[str]:
    """The elements in what was sent, one after the other; of a picture its kind."""
    kinds = []
    for one in messages:
        message = ForwardMsg()
        message.ParseFromString(one)
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "bidi_component":
            kinds.append(element.bidi_component.id.rsplit("-", 1)[1])
        elif kind:
            kinds.append(kind)
    return kinds


@pytest.mark.nightly
def test_a_step_sends_one_letter_and_no_points_again(moved: Visit, settled: Settled) -> None:
    page = moved("/impurity")
    got(page)
    page = moved("/?data=moons&n=4000&noise=0.3")
    assert max(map(len, got(page))) > 60_000  # the points
    for name, made in (("next", 1), ("next", 2), ("back", 1)):
        press(page, settled, name)
        expect_step(page, made)
        sent = got(page)
        assert elements_of(sent).count("grow") == 1
        assert max(map(len, sent)) < 45_000
    page.get_by_role("tab", name="Rules").click()
    settled(page)
    got(page)
    press(page, settled, "next")
    sent = got(page)
    assert [elements_of(sent).count(name) for name in ("grow", "text")] == [1, 1]
    assert max(map(len, sent)) < 45_000
