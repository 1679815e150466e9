"""Grow as an instrument: preview, drag, keys, links between the pictures, branches, ask first."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from acts import (
    MOONS,
    SENT,
    SOON,
    Settled,
    along,
    choose_other_cut,
    expect_step,
    has_no_error,
    look,
    picture,
    press,
    pull_by_finger,
    sentence,
    split_here,
    step,
)
from playwright.sync_api import BrowserContext, Locator, Page, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dtviz.text import number

NewContext = Callable[..., BrowserContext]
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


@pytest.fixture
def visit(page: Page, app_url: str, settled: Settled) -> Callable[[str], Page]:
    """`visit(path)` opens the path and waits until the pictures stand."""

    def go(path: str) -> Page:
        page.goto(app_url + path)
        expect(picture(page, "stage")).to_have_attribute("data-step", re.compile("."))
        return settled(page)

    return go


@pytest.fixture
def move(moved: Callable[[str], Page]) -> Callable[[str], Page]:
    """`move(path)` is the shared tab at this path, where the pictures stand."""

    def go(path: str) -> Page:
        page = moved(path)
        expect(picture(page, "stage")).to_have_attribute("data-step", re.compile("."))
        return page

    return go


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def node(page: Page, name: int) -> Locator:
    return picture(page, "tree").locator(f"g.node[id=n{name}]")


def light(page: Page, name: int) -> None:
    """Point at a node; the stage shows where it is."""
    node(page, name).hover()
    expect(picture(page, "stage")).to_have_attribute("data-lit", str(name))


def drag(page: Page, by: float) -> None:
    """Take hold of the cut's line and pull it."""
    box = picture(page, "stage").locator(".handle").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    across = picture(page, "stage").locator(".handle").get_attribute("data-axis") == "0"
    page.mouse.move(x, y)
    page.mouse.down()
    for share in (0.3, 0.6, 1.0):
        page.mouse.move(x + by * share * across, y + by * share * (not across))
    page.mouse.up()


# --- the cut --------------------------------------------------------------------------------------


def test_moving_over_the_gains_previews_a_cut_without_the_server(
    move: Callable[[str], Page],
) -> None:
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


def test_the_readout_says_what_the_engine_computed(move: Callable[[str], Page]) -> None:
    import dtviz

    page = move(MOONS)
    table = dtviz.candidates(dtviz.load("moons", n=60))
    known = {row.rule.replace("<=", "≤"): row for row in table.itertuples()}
    best = table["gain"].max()
    stage, checked = picture(page, "stage"), 0
    for axis in (0, 1):
        for x, y in along(page, axis):
            page.mouse.move(x, y)
            rule = stage.get_attribute("data-cut") or ""
            text = stage.locator(".readout").inner_text().replace("\n", " ")
            row = known[rule]
            assert f"gain {number(row.gain)} bit" in text
            assert f"{row.n_left:,} row" in text
            assert f"entropy {number(row.impurity_left)}" in text
            assert f"entropy {number(row.impurity_right)}" in text
            if row.gain < 0.9 * best:
                assert f"{number(100 * row.gain / best, 3)} % of the best" in text
            checked += 1
    assert checked > 20


def test_a_dragged_line_stays_and_splits_there(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&log=a1")
    before = picture(page, "stage").get_attribute("data-cut")
    drag(page, 60)
    page.wait_for_url("**cut=**")
    settled(page)
    dragged = picture(page, "stage").get_attribute("data-cut")
    assert dragged != before
    assert sentence(page).split(". ", 1)[1].startswith(str(dragged).replace("<=", "≤"))
    split_here(page, settled)
    expect_step(page, 2)
    assert dragged in look(page)[3]


def test_arrow_keys_move_the_cut_and_enter_keeps_it(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS)
    slider = picture(page, "stage").get_by_role("slider")
    slider.focus()
    first = slider.get_attribute("aria-valuetext")
    for key in ("ArrowUp", "ArrowUp", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    rule = picture(page, "stage").get_attribute("data-cut") or ""
    assert rule.startswith("x1 ≤ ")
    assert slider.get_attribute("aria-valuetext") != first
    assert rule in (slider.get_attribute("aria-valuetext") or "")
    assert step(page).startswith("step 0 ")
    page.keyboard.press("Enter")
    page.wait_for_url("**cut=0.**")
    settled(page)
    assert picture(page, "stage").get_attribute("data-cut") == rule
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    settled(page)
    assert " wins:" in sentence(page)


# --- stage and tree together ----------------------------------------------------------------------


def test_a_node_hovered_in_the_tree_lights_its_rectangle_and_a_click_focuses_it(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&log=a4")
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


def test_a_rectangle_hovered_on_the_stage_marks_its_node_and_a_click_focuses_it(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move("/?data=stripes&n=60&log=a5")
    stage = picture(page, "stage")
    box = stage.locator(".area").bounding_box()
    assert box
    page.mouse.move(box["x"] + 110, box["y"] + box["height"] - 100)
    lit = stage.get_attribute("data-lit")
    assert lit
    expect(picture(page, "tree")).to_have_attribute("data-lit", lit)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(f"**focus={lit}**")
    settled(page)
    assert sentence(page).startswith(f"Node {lit}.")


def test_enter_in_the_tree_focuses_a_node_and_arrow_keys_walk_it(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&log=a3")
    tree = picture(page, "tree")
    tree.locator("g.node[tabindex='0']").focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowDown")
    expect(picture(page, "stage")).to_have_attribute("data-lit", "2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**focus=3**")
    settled(page)
    expect_step(page, 3)
    expect(node(page, 3)).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(node(page, 1)).to_be_focused()


# --- the time-line --------------------------------------------------------------------------------


def test_the_track_goes_to_any_step(move: Callable[[str], Page], settled: Settled) -> None:
    page = move(MOONS)
    track = picture(page, "line").get_by_role("slider", name="Step")
    total = int(track.get_attribute("max") or 0)
    track.fill(str(total - 1))
    expect_step(page, total - 1)
    settled(page)
    assert query(page)["log"] == [f"a{total - 1}"]


def test_quick_presses_lose_no_step(move: Callable[[str], Page], settled: Settled) -> None:
    page = move("/?data=moons&n=200&noise=0.4")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect_step(page, 6)
    settled(page)
    expect_step(page, 6)
    assert query(page)["log"] == ["a6"]


def test_a_click_elsewhere_right_after_a_step_loses_nothing(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&log=a1")
    for place in ("[role=tab]:nth-of-type(2)", ".st-key-drawer_button button"):
        before = int(step(page).split()[1])
        page.evaluate(
            """(place) => {
              const hosts = [...document.querySelectorAll(".st-key-line *")];
              const found = hosts.map((host) => host.shadowRoot?.querySelector("div.line"));
              found.find(Boolean).querySelector("[data-name=next]").click();
              document.querySelector(place).click();
            }""",
            place,
        )
        settled(page)
        expect_step(page, before + 1)
        assert query(page)["log"] == [f"a{before + 1}"]
    page.locator(".st-key-drawer_shut button").click()
    expect(page.locator(".st-key-drawer")).to_have_count(0)


def test_three_quick_undos_undo_three_steps(move: Callable[[str], Page], settled: Settled) -> None:
    page = move(MOONS)
    press(page, settled, "next", 4)
    undo = picture(page, "line").locator("[data-name=undo]")
    undo.evaluate("(button) => { for (let k = 0; k < 3; k++) button.click(); }")
    expect_step(page, 1)
    settled(page)
    expect_step(page, 1)
    assert query(page)["log"] == ["a1"]


def test_hidden_gains_leave_the_stage_and_tell_no_gain(
    move: Callable[[str], Page],
) -> None:
    page = move(MOONS + "&log=a2&hide=gains")
    stage = picture(page, "stage")
    assert stage.get_attribute("data-cut")
    assert "gain" not in stage.inner_text()
    assert "gain" not in sentence(page)
    light(page, 2)


def test_play_goes_on_by_itself_until_it_is_held(
    visit: Callable[[str], Page], settled: Settled
) -> None:
    page = visit(MOONS)
    page.clock.install()
    picture(page, "line").locator("[data-name=play]").click()
    expect_step(page, 2)
    picture(page, "line").get_by_role("button", name="Pause").click()
    settled(page)
    held = step(page)
    page.clock.run_for(3_000)  # longer than a step lasts
    settled(page)
    assert step(page) == held


def test_a_link_pressed_while_it_plays_leads_to_its_page(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS)
    for name, kind in (("Impurity", "measures"), ("Overfit", "overfit")):
        picture(page, "line").locator("[data-name=play]").click()
        page.get_by_role("link", name=name).first.click()
        expect(picture(page, kind)).to_be_visible()
        has_no_error(settled(page))
        page.get_by_role("link", name="Grow").first.click()
        expect(picture(page, "stage")).to_be_visible()
        settled(page)


def test_a_choice_of_ones_own_keeps_the_old_line_as_a_branch(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&log=a2")
    before = look(page)
    choose_other_cut(page, settled)
    split_here(page, settled)
    own = look(page)
    page.get_by_role("tab", name="Branches").click()
    settled(page)
    table = page.locator("[data-testid=stTable]").first
    expect(table).to_contain_text("5-fold accuracy")
    expect(table.locator("tbody tr")).to_have_count(2)
    page.get_by_role("button", name="Bring back branch 1").click()
    settled(page)
    press(page, settled, "back")
    assert look(page)[3] == before[3]
    page.get_by_role("button", name="Bring back branch 1").click()
    settled(page)
    press(page, settled, "next")
    assert look(page)[3] == own[3]


def test_undo_goes_by_keys_wherever_was_clicked_last(
    move: Callable[[str], Page], settled: Settled
) -> None:
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


# --- ask first, teacher's link --------------------------------------------------------------------


def test_a_click_in_the_plane_keeps_the_cut_that_it_looks_at(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS + "&ask=1")
    box = picture(page, "stage").locator(".sheets:not(.unseen) canvas.still").bounding_box()
    assert box
    x, y = box["x"] + 0.45 * box["width"], box["y"] + 0.6 * box["height"]
    for place in (x + 1, x):  # the line comes under the pointer
        page.mouse.move(place, y)
    expect(picture(page, "stage").locator(".handle")).to_be_visible()
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**cut=**")
    settled(page)
    assert "regret" in sentence(page)


def test_ask_first_hides_the_gains_until_a_cut_is_chosen(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS)
    page.get_by_role("tab", name="Candidates").click()
    page.get_by_text("Ask first").click()
    settled(page)
    assert "Where would you cut?" in sentence(page)
    stage, skip = picture(page, "stage"), page.get_by_role("button", name="Skip")
    assert "main" not in skip.get_attribute("class").split()  # type: ignore[union-attr]
    expect(page.locator("[data-testid=stBaseButton-primary]")).to_have_count(0)
    x, y = next(along(page, 0))
    page.mouse.move(x, y)
    assert "gain" not in stage.locator(".readout").inner_text()
    assert stage.get_attribute("data-cut")
    expect(page.get_by_text("Hidden until you have chosen a cut")).to_be_visible()
    page.mouse.click(x, y)
    page.wait_for_url("**cut=**")
    settled(page)
    assert "regret" in sentence(page)
    split_here(page, settled)
    assert "Where would you cut?" in sentence(page)


def test_a_teachers_link_hides_controls_and_says_a_line(
    move: Callable[[str], Page], new_context: NewContext, settled: Settled
) -> None:
    page = move(MOONS + "&log=a2")
    page.get_by_role("button", name="Share").click()
    settled(page)
    page.get_by_label("A line to show on top").fill("Which cut [wins](http://x)?")
    page.keyboard.press("Enter")
    settled(page)
    for name in ("Time-line", "Settings", "Panels below", "Choosing a node"):
        page.locator("[data-testid=stButtonGroup]").get_by_role("button", name=name).click()
        settled(page)
    code = page.locator("[data-testid=stCode] code").first
    expect(code).not_to_be_empty()
    link = code.inner_text()
    student = new_context().new_page()
    student.goto(link)
    settled(student)
    expect(student.get_by_text(re.compile(r"^Which cut .wins.\(http:"))).to_be_visible()
    expect(student.locator("div.line, [data-testid=stTabs]")).to_have_count(0)
    expect(student.get_by_role("button", name="Settings")).to_have_count(0)
    assert sentence(student) == sentence(page)
    node(student, 1).click()
    settled(student)
    assert sentence(student) == sentence(page)
    has_no_error(student)
    page.keyboard.press("Escape")


# --- saving ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["stage", "tree"])
def test_a_picture_is_saved_as_svg_and_png(
    move: Callable[[str], Page], name: str, tmp_path: Any
) -> None:
    page = move(MOONS + "&log=a2")
    for kind, begin in (("SVG", b"<svg"), ("PNG", b"\x89PNG")):
        picture(page, name).get_by_role("button", name=re.compile("save", re.I)).click()
        with page.expect_download() as waiting:
            picture(page, name).get_by_text(kind, exact=True).click()
        saved = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(saved)
        assert saved.suffix == f".{kind.lower()}"
        content = saved.read_bytes()
        assert begin in content[:200]
        assert len(content) > 2_000


# --- the proof ------------------------------------------------------------------------------------


def draw_points(page: Page, touch: bool) -> None:
    pad = picture(page, "pad")
    box = pad.locator("canvas").first.bounding_box()
    assert box
    for k in range(20):
        if k in (0, 10):
            pad.get_by_role("button", name=f"class {'AB'[k // 10]}").click()
        x, y = 0.15 + 0.07 * (k % 10), 0.25 + 0.05 * ((3 * k) % 7) + 0.2 * (k // 10)
        at = (box["x"] + x * box["width"], box["y"] + y * box["height"])
        if touch:
            page.touchscreen.tap(*at)
        else:
            page.mouse.click(*at)
    expect(page).to_have_url(re.compile("[?&]data=drawn&.*points=([^_&]+_){19}"))


def pull(page: Page, by: float) -> None:
    """Take hold of the cut's line with a finger and pull it."""
    handle = picture(page, "stage").locator(".handle")
    across = handle.get_attribute("data-axis") == "0"
    pull_by_finger(page, handle, (by * across, by * (not across)))


@pytest.mark.parametrize("touch", [False, True], ids=["mouse at 1280 px", "finger at 390 px"])
def test_draw_grow_undo_drag_split_click_reload_link(
    new_context: NewContext,
    moved: Callable[[str], Page],
    phoned: Callable[[str], Page],
    settled: Settled,
    touch: bool,
) -> None:
    page = (phoned if touch else moved)(BLANK)
    page.get_by_role("tab", name="Draw").click()
    settled(page)
    draw_points(page, touch)
    settled(page)
    assert len(query(page)["points"][0].split("_")) == 20
    page.get_by_role("button", name=re.compile("Grow a tree")).first.click()
    expect_step(page, 0)
    settled(page)
    press(page, settled, "end")
    total = int(step(page).split()[1])
    press(page, settled, "back", total - total // 2)
    expect_step(page, total // 2)
    if touch:
        pull(page, -40)
    else:
        drag(page, -40)
    page.wait_for_url("**cut=**")
    settled(page)
    split_here(page, settled)
    if touch:
        picture(page, "tree").get_by_role("button", name="Show the whole tree").tap()
        node(page, 2).locator("path").first.tap()
    else:
        picture(page, "tree").get_by_role("button", name="Show the whole tree").click()
        node(page, 2).click()
        expect(picture(page, "stage")).to_have_attribute("data-lit", "2")
        page.mouse.move(5, 5)
    settled(page)
    expect(picture(page, "stage")).to_have_attribute("data-focus", "2")
    seen, link = look(page), page.url
    if touch:
        page.reload()
    else:
        page = new_context().new_page()
        page.goto(link)
    settled(page)
    assert look(page) == seen
    has_no_error(page)


def test_a_phone_grows_and_cuts_by_touch(phoned: Callable[[str], Page], settled: Settled) -> None:
    page = phoned(MOONS)
    picture(page, "line").locator("[data-name=next]").tap()
    expect_step(page, 1)
    settled(page)
    stage = picture(page, "stage")
    stage.scroll_into_view_if_needed()
    before = stage.get_attribute("data-cut")
    box = stage.locator(".area").bounding_box()
    assert box
    for share in (0.3, 0.5, 0.7):
        page.touchscreen.tap(box["x"] + share * box["width"], box["y"] + 50)
        settled(page)
        if stage.get_attribute("data-cut") != before:
            break
    assert stage.get_attribute("data-cut") != before
    page.wait_for_url("**cut=**")
    page.get_by_role("button", name="Split here").tap()
    expect_step(page, 2)
    settled(page)
    node(page, 2).tap()
    page.wait_for_url("**focus=2**")
    has_no_error(page)


def test_the_pictures_turn_dark_with_the_page(move: Callable[[str], Page]) -> None:
    page = move(MOONS + "&log=a2")
    ink = picture(page, "tree").locator("g.node text").first
    light = ink.get_attribute("fill")
    page.emulate_media(color_scheme="dark")
    expect(ink).not_to_have_attribute("fill", light or "")
    page.emulate_media(color_scheme="light")
    expect(ink).to_have_attribute("fill", light or "")
    expect_step(page, 2)


def test_a_pressed_pointer_stops_play_and_its_click_is_not_lost(
    move: Callable[[str], Page], settled: Settled
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
    moved: Callable[[str], Page], settled: Settled
) -> None:
    page = moved("/?data=iris&log=a2&branches=a1_3.2.5.0~1.0.5.5~a2_6.0.6.1~a3_7.1.2.8")
    tips = picture(page, "line").locator(".forks button.tip")
    fork = picture(page, "line").get_by_role("button", name=re.compile("^Branch 2, .* step 0: "))
    expect(fork).to_have_text(re.compile(r"^[\d.]+\s%$"))
    expect(tips.filter(visible=True)).to_have_count(4)
    line, stage = (picture(page, name).bounding_box() for name in ("line", "stage"))
    tree = picture(page, "tree").locator("g.node").first
    fork.press("Enter")
    expect(tree).to_contain_text("sepal_length_cm")
    settled(page)
    expect(fork).to_be_focused()  # it is the line that was left now
    fork.press("Enter")
    expect(tree).to_contain_text("petal_length_cm")
    settled(page)
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "line").get_by_role("button", name=re.compile("more in the panel")).click()
    expect(page.get_by_role("tab", name="Branches")).to_be_focused()
    expect(page.get_by_role("button", name="Bring back branch 1")).to_be_visible()
    page.set_viewport_size({"width": 1280, "height": 720})
    settled(page)
    assert (line, stage) == tuple(picture(page, name).bounding_box() for name in ("line", "stage"))


GOT = """() => {
  const got = wire.got ?? [];
  wire.got = [];
  return got.map((data) => [...new Uint8Array(data)]);
}"""


def got(page: Page) -> list[bytes]:
    """What the server has sent since this was asked last."""
    return [bytes(one) for one in page.evaluate(GOT)]


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


STEP = ["markdown", "button", "moved"]


def test_a_step_sends_the_sentence_and_one_letter_and_no_more(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS)
    page.get_by_role("tab", name="Candidates").click()
    settled(page)
    got(page)
    for name, made in (("next", 1), ("next", 2), ("back", 1)):
        press(page, settled, name)
        expect_step(page, made)
        assert elements_of(got(page)) == STEP
    choose_other_cut(page, settled)
    assert elements_of(got(page)) == STEP
    split_here(page, settled)  # another branch comes
    expect_step(page, 2)
    assert {"line", "stage", "tree", "ranking", "button_group"} <= {*elements_of(got(page))}


def test_a_page_drawn_anew_by_a_step_is_sent_no_points_again(
    moved: Callable[[str], Page], settled: Settled
) -> None:
    page = moved("/learn")
    got(page)
    page = moved("/?data=moons&n=4000&noise=0.3")
    assert max(map(len, got(page))) > 60_000  # the points
    page.get_by_role("tab", name="Algorithm").click()
    settled(page)
    got(page)
    press(page, settled, "next")
    sent = got(page)
    assert "button_group" in elements_of(sent)  # the panel is another
    assert max(map(len, sent)) < 45_000


def test_where_more_than_the_pictures_changes_the_page_is_drawn_anew(
    move: Callable[[str], Page], settled: Settled
) -> None:
    page = move(MOONS)
    gini = page.get_by_role("radio", name="Gini")
    gini.click()
    expect(gini).to_be_checked()
    settled(page)
    got(page)
    picture(page, "line").locator("[data-name=undo]").click()
    expect(page.get_by_role("radio", name="Entropy")).to_be_checked()
    settled(page)
    assert "button_group" in elements_of(got(page))
    page.get_by_role("tab", name="Rules").click()
    settled(page)
    shown = page.get_by_role("tabpanel").filter(visible=True)
    before = shown.inner_text()
    got(page)
    press(page, settled, "next")
    expect(shown).not_to_have_text(before)
    assert "button_group" in elements_of(got(page))
    page.get_by_role("tab", name="Candidates").click()
    settled(page)
    got(page)
    press(page, settled, "next")
    assert elements_of(got(page)) == STEP
    assert "Node" in sentence(page)
