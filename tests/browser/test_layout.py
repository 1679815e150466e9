"""Grow on one screen: everything in sight, nothing moves from step to step, no drawer covers it.

Glossary
    part    what keeps its place on the page: a control, a picture or the room of one
    box     its left, top, width and height, rounded
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

import pytest
from acts import (
    DESK,
    PHONE,
    Settled,
    Visit,
    bounds,
    choose_other_cut,
    expect_no_wider_than_the_window,
    expect_step,
    picture,
    until,
)
from playwright.sync_api import Locator, Page, expect

from dtviz.session.tour import stop_of, write_stops

NIGHTLY = pytest.mark.nightly
SIZES = (DESK, {"width": 1920, "height": 1080})
LATER = "&log=a1"
STILL_SHEET = ".sheets:not(.unseen) canvas.still"
BEST = "petal_length_cm ≤ 2.45"
EDGES = ["left", "top", "right", "bottom"]
FILLED = """() => {
  const { left, right } = document.querySelector(".st-key-instrument").getBoundingClientRect();
  const { scrollHeight, clientHeight } = document.querySelector("[data-testid=stMain]");
  const wide = left + right > 0.98 * innerWidth && right - left > 0.9 * innerWidth;
  return wide && (innerWidth < 1000 || scrollHeight <= clientHeight); // as long as it is laid out
}"""
HELD = """(height) => {
  const panel = document.querySelector("[data-testid=stPopoverBody]");
  const last = panel && [...panel.querySelectorAll("a")].at(-1);
  if (!last?.innerText.includes("Draw points")) return false;
  const [held, own] = [last, panel].map((one) => one.getBoundingClientRect().bottom);
  return held <= own && own <= height;
}"""
IN_A_WINDOW = """
() => { document.documentElement.requestFullscreen = undefined } // its size could not be set then
"""
BOX = """(one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect();
  return { left, top, right, bottom };
}"""


def parts(page: Page) -> dict[str, Locator]:
    return {
        "time-line": picture(page, "line"),
        "Next split": picture(page, "line").locator("[data-name=next]"),
        "counter's right end": picture(page, "line").locator("[data-name=undo]"),
        "sentence": page.locator(".asked p").first,
        "Make my cut": page.locator(".asked .split"),
        "stage": picture(page, "stage").locator(".area"),
        "tree": picture(page, "tree").locator(".box"),
        "panels": page.locator(".panels"),
    }


def box(part: Locator) -> dict[str, float]:
    found: dict[str, float] = part.evaluate(BOX)
    return {edge: round(found[edge]) for edge in EDGES}


def boxes(page: Page, *names: str) -> dict[str, dict[str, float]]:
    return {name: box(part) for name, part in parts(page).items() if not names or name in names}


@pytest.fixture
def sized(moved: Visit, settled: Settled) -> Any:
    """`sized(path, size)`: the shared tab at this path in a window of this size."""
    pages = []

    def go(path: str, size: Any) -> Page:
        page = moved(path)
        pages.append(page)
        page.evaluate(IN_A_WINDOW)
        page.set_viewport_size(size)
        expect(picture(page, "stage")).to_have_attribute("data-step", re.compile("."))
        until(page, FILLED)
        return settled(page)

    yield go
    for page in pages:
        page.set_viewport_size(DESK)


@pytest.mark.parametrize("data", [pytest.param("play_tennis", marks=NIGHTLY), "sine"])
def test_all_of_grow_is_in_sight_without_scrolling(sized: Any, settled: Settled, data: str) -> None:
    page: Page = sized(f"/?data={data}{LATER}", DESK)
    for size in SIZES:
        page.set_viewport_size(size)
        until(page, FILLED)
        settled(page)
        for name, at in boxes(page).items():
            assert 0 <= at["left"] < at["right"] <= size["width"], (name, size)
            assert 0 <= at["top"] < at["bottom"] <= size["height"], (name, size)
        main = page.locator("[data-testid=stMain]")
        assert main.evaluate("(one) => one.scrollHeight <= one.clientHeight"), size
        stage, tree = box(parts(page)["stage"]), box(parts(page)["tree"])
        assert stage["bottom"] - stage["top"] > 0.55 * size["height"]
        assert tree["right"] > 0.97 * size["width"], "the width is used"


@NIGHTLY
def test_the_time_line_is_one_row_beside_the_longest_names_of_criteria(moved: Visit) -> None:
    page = moved("/?data=steps&log=a2")
    expect(page.get_by_text("Poisson deviance", exact=True)).to_be_visible()
    for width in (1280, 1200):
        page.set_viewport_size({**DESK, "width": width})
        until(page, FILLED)
        buttons = picture(page, "line").locator("button:visible").all()
        assert len(buttons) > 6
        assert len({box(one)["top"] for one in buttons}) == 1, width


@pytest.mark.parametrize("size", [DESK, pytest.param(PHONE, marks=NIGHTLY)], ids=["desk", "phone"])
def test_nothing_jumps_over_a_whole_run(sized: Any, settled: Settled, size: Any) -> None:
    page: Page = sized("/?data=iris", size)
    kept = ("time-line", "Next split", "counter's right end", "Make my cut", "stage", "panels")
    kept = kept if size is DESK else kept[:-1]  # below a phone's tree, as high as it is
    first = boxes(page, *kept)
    assert len(first) == len(kept)
    for step in range(1, 5):
        page.keyboard.press("ArrowRight")
        expect_step(page, step)
        settled(page)
        assert boxes(page, *kept) == first, f"step {step}"


def test_a_phone_keeps_plane_sentence_and_split_here_together(sized: Any) -> None:
    page: Page = sized("/?data=iris", PHONE)
    for name, at in boxes(page, "sentence", "Make my cut", "stage").items():
        assert at["bottom"] <= PHONE["height"], name
        assert at["top"] >= 0, name


@NIGHTLY
def test_the_plane_of_a_phone_stays_where_it_is_whatever_cut_is_looked_at(sized: Any) -> None:
    page: Page = sized("/?data=iris", PHONE)
    stage = picture(page, "stage")
    stage.locator(".slider").focus()
    places, cuts = set(), set()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        cuts.add(stage.get_attribute("data-cut"))
        places.add((box(stage.locator(".area"))["top"], box(stage)["bottom"]))
    assert len(cuts) > 15
    assert len(places) == 1


@NIGHTLY
@pytest.mark.parametrize(
    "path", ["/?data=penguins", "/?data=sign_ups&log=a1", "/?data=moons&n=40000&noise=0.9"]
)
def test_every_column_of_the_candidates_is_in_sight_on_a_desk(moved: Visit, path: str) -> None:
    page = moved(path)
    page.get_by_role("tab", name="Candidates").click()
    table = page.get_by_role("grid", name="Candidate cuts")
    last = table.get_by_role("columnheader", name="impurity right")
    expect(last).to_be_in_viewport(ratio=1)
    wide = table.evaluate("(one) => [one.offsetWidth, one.parentElement.clientWidth]")
    assert wide[0] <= wide[1]


NAME = "(text, name) => { text.textContent = name; }"


@NIGHTLY
@pytest.mark.parametrize("width", [1280, 700, 390])
def test_data_of_any_name_leaves_the_way_to_the_pages_and_share_in_sight(
    sized: Any, width: int
) -> None:
    page: Page = sized("/?data=iris", {"width": width, "height": 800})
    picker = page.locator(".st-key-picker button")
    named, text = box(picker), picker.locator("p")
    text.evaluate(NAME, "a_name_that_goes_on_" * 9)
    long, share = box(picker), box(page.locator(".st-key-share button").first)
    text.evaluate(NAME, "Iris")  # the tab is shared
    assert long["left"] < named["left"] == box(picker)["left"]
    pages = page.locator("[data-testid=stHeader]").locator("a, button").filter(visible=True)
    assert pages.count() > 0
    assert max(box(one)["right"] for one in pages.all()) < long["left"]
    assert long["right"] < share["left"] < share["right"] <= width


@pytest.mark.parametrize("path", ["forest", pytest.param("data", marks=NIGHTLY)])
def test_one_head_on_every_page_and_no_name_of_data_breaks_it(moved: Visit, path: str) -> None:
    page = moved(f"/{path}?data=iris")
    for width in (1280, 1000, 390):
        page.set_viewport_size({"width": width, "height": 800})
        text = page.locator(".st-key-picker button p")
        text.evaluate(NAME, "a_name_that_goes_on_" * 3)
        controls = page.locator(".st-key-corner > *").filter(visible=True).all()
        boxes_ = [at for at in map(box, controls) if at["right"] > at["left"]]
        pages = page.locator("[data-testid=stHeader]").locator("a, button").filter(visible=True)
        edges = [max(box(one)["right"] for one in pages.all())]
        edges += [edge for at in boxes_ for edge in (at["left"], at["right"])]
        assert edges == sorted(edges), width
        assert edges[-1] <= width
        text.evaluate(NAME, "Iris")  # the tab is shared
    assert page.locator(".st-key-tour button").count() == 1
    page.set_viewport_size(DESK)


def test_a_hand_or_keys_give_the_panels_more_height_and_the_browser_keeps_it(
    moved: Visit, settled: Settled
) -> None:
    page = moved(f"/?data=iris{LATER}")

    def heights() -> dict[str, float]:
        found = boxes(page)
        assert all(0 <= at["top"] < at["bottom"] <= DESK["height"] for at in found.values())
        return {name: at["bottom"] - at["top"] for name, at in found.items()}

    first = heights()
    seam = page.get_by_role("separator", name="Height of the panels")
    at = bounds(seam)
    page.mouse.move(at["x"] + 40, at["y"] + 4)
    page.mouse.down()
    page.mouse.move(at["x"] + 40, at["y"] - 146, steps=3)
    page.mouse.up()
    dragged = heights()
    assert dragged["panels"] == pytest.approx(first["panels"] + 150, abs=12)
    assert dragged["stage"] == first["stage"]
    assert dragged["tree"] > 60
    page.reload()
    settled(page)
    assert heights() == dragged
    seam.focus()
    page.keyboard.press("ArrowUp")
    assert heights()["panels"] > dragged["panels"]
    expect_step(page, 1)  # the time-line did not hear that key
    seam.dblclick()
    assert heights() == first
    for higher in (True, False):
        page.keyboard.press("Enter")
        assert (heights()["panels"] > 1.3 * first["panels"]) == higher


@NIGHTLY
def test_a_phone_says_where_one_is_and_nothing_runs_out_of_it(phoned: Visit) -> None:
    page = phoned("/?data=iris&log=a1")
    menu = page.get_by_test_id("stExpandSidebarButton")
    assert menu.evaluate("(one) => getComputedStyle(one, '::after').content") == '"Grow"'
    for name in ("tab", "combobox"):
        for one in page.locator(f"[role={name}]").all():
            assert 0 <= box(one)["left"] < box(one)["right"] <= PHONE["width"], name
    menu.tap()
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Learn").tap()
    expect(page).to_have_url(re.compile("/learn"))
    drawer = page.get_by_test_id("stSidebar")
    expect(drawer).to_have_attribute("data-collapsed", "true")
    menu.tap()
    expect(drawer).to_have_attribute("data-collapsed", "false")
    page.keyboard.press("Escape")
    expect(drawer).to_have_attribute("data-collapsed", "true")


ZOOMED: Any = {"width": 320, "height": 256}  # 1280x1024 at 400 %
OF_EACH_PAGE = (
    *("/?data=iris&log=a1", "/data?data=iris", "/overfit?data=moons&n=60", "/stability"),
    *("/forest?data=moons&n=60&trees=3", "/impurity", "/learn?data=iris"),
    "/?data=iris&log=a1&beside=max_depth%3D1%26log%3Da1",
)


def test_zoomed_to_400_per_cent_every_page_is_one_column_below_its_head(
    moved: Visit, settled: Settled
) -> None:
    for path in OF_EACH_PAGE:
        page = moved(path)
        page.set_viewport_size(ZOOMED)
        settled(page)
        expect_no_wider_than_the_window(page)
        head = bounds(page.get_by_test_id("stHeader"))["height"]
        block = page.get_by_test_id("stMainBlockContainer")
        assert block.evaluate("(one) => parseFloat(getComputedStyle(one).paddingTop)") >= head, path
        assert page.locator("[data-testid=stMain] .st-key-grow_on").evaluate_all(
            "(all) => all.every((one) => getComputedStyle(one).position === 'static')"
        )
    page.set_viewport_size(DESK)


def test_the_settings_stand_beside_the_stage_and_never_over_it(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=iris", DESK)
    page.get_by_role("button", name="Settings").click()
    drawer = page.locator(".st-key-drawer")
    expect(drawer.get_by_text("Which node is next")).to_be_visible()
    settled(page)
    within = box(drawer)
    for name in ("stage", "tree", "panels"):
        assert box(parts(page)[name])["right"] <= within["left"], name
    assert within["bottom"] <= DESK["height"]
    drawer.get_by_role("button", name="Close").click()
    expect(drawer).to_have_count(0)


@NIGHTLY
def test_the_axes_and_the_slice_stand_beside_one_another_with_the_drawer_out(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=penguins", DESK)
    page.locator(".st-key-drawer_button button").click()
    expect(page.locator(".st-key-drawer")).to_be_visible()
    settled(page)
    controls = page.locator(".axes :is(select, summary)")
    across, up, panel = (box(controls.nth(at)) for at in range(3))
    plane = box(page.locator(".plane"))
    assert across["right"] + 8 <= up["left"] < up["right"] + 8 <= panel["left"]
    assert panel["right"] <= plane["right"]
    page.locator(".st-key-drawer_shut button").click()
    expect(page.locator(".st-key-drawer")).to_have_count(0)


def test_the_data_set_is_changed_in_the_head(sized: Any, settled: Settled) -> None:
    page: Page = sized("/?data=iris", DESK)
    page.locator(".st-key-picker button").first.click()
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        until(page, HELD, size["height"])  # it is laid out again
    page.get_by_text("Moons", exact=True).click()
    expect(page.locator(".st-key-picker")).to_contain_text("Moons")
    settled(page)
    assert "data=moons" in page.url


@NIGHTLY
def test_a_chosen_cut_makes_split_here_what_is_offered_first(sized: Any, settled: Settled) -> None:
    page: Page = sized("/?data=iris", DESK)
    first = boxes(page, "Next split", "counter's right end", "Make my cut")
    next_split = picture(page, "line").locator("[data-name=next]")
    split_here = page.locator(".asked .split")
    blue = next_split.evaluate("(one) => getComputedStyle(one).backgroundColor")
    expect(next_split).to_have_text("Next split")
    expect(split_here).not_to_have_css("background-color", blue)
    choose_other_cut(page, settled)
    expect(split_here).to_have_css("background-color", blue)
    expect(next_split).not_to_have_css("background-color", blue)
    assert boxes(page, *first) == first
    next_split.click()
    expect_step(page, 1)
    settled(page)
    expect(next_split).to_have_css("background-color", blue)


@NIGHTLY
def test_what_of_a_link_was_not_understood_is_a_line_and_can_be_waved_away(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=iris&log=sideways", DESK)
    told = page.locator(".st-key-problems")
    expect(told).to_contain_text("sideways")
    at = box(told)
    assert at["bottom"] - at["top"] < 50
    assert box(parts(page)["panels"])["bottom"] <= DESK["height"]
    told.get_by_role("button", name="Dismiss").click()
    expect(told).to_have_count(0)
    page.keyboard.press("ArrowRight")  # at once: the time-line has stayed
    expect_step(page, 1)
    settled(page)
    expect(told).to_have_count(0)


@NIGHTLY
def test_on_a_phone_a_link_that_was_not_understood_is_told_in_two_lines_the_rest_on_demand(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=titanic&order=zzz&log=sideways", PHONE)
    told = page.locator(".st-key-problems")
    said = told.get_by_test_id("stAlertContainer")
    expect(said).to_have_text(
        "This link asks for the data set 'titanic', which is not here; Iris is shown."
    )
    at = box(said)
    assert at["bottom"] - at["top"] < 60
    told.get_by_role("button", name="2 more").click()
    for one in ("Which node is next cannot be 'zzz' here", "cut short before 'sideways'"):
        expect(page.get_by_test_id("stPopoverBody")).to_contain_text(one)
    page.keyboard.press("Escape")
    told.get_by_role("button", name="Dismiss").click()
    expect(told).to_have_count(0)


def test_present_shows_stage_tree_and_sentence_alone_and_keys_still_step(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=iris&log=a1", DESK)
    small = bounds(picture(page, "stage").locator(STILL_SHEET))
    tools = [page.get_by_role("button", name=name) for name in ("Larger", "Save the stage")]
    for tool in tools:
        expect(tool).to_be_visible()
    page.keyboard.press("f")
    for name in ("stage", "tree", "sentence"):
        expect(parts(page)[name]).to_be_visible()
    for hidden in ("[data-testid=stHeader]", ".st-key-corner", ".panels", ".asked .split"):
        expect(page.locator(hidden)).to_be_hidden()
    for tool in tools:
        expect(tool).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect_step(page, 2)
    settled(page)
    page.mouse.move(300, 300)
    assert (
        box(page.locator(".dtviz-halo"))["left"] < 300 < box(page.locator(".dtviz-halo"))["right"]
    )
    page.keyboard.press("Escape")
    expect(page.locator(".panels")).to_be_visible()
    expect(page.locator(".dtviz-halo")).to_have_count(0)
    picture(page, "line").get_by_role("button", name="Present").click()
    expect(page.locator(".panels")).to_be_hidden()
    page.get_by_role("button", name="End the presentation").click()
    expect(page.locator(".panels")).to_be_visible()
    settled(page)
    assert bounds(picture(page, "stage").locator(STILL_SHEET)) == small


GROWN = """
(one, high) => new Promise((done, fail) => {
  const isHigher = () => one.getBoundingClientRect().height > high;
  const look = () => (isHigher() ? done() : requestAnimationFrame(look));
  look();
  setTimeout(() => fail(new Error(one.getBoundingClientRect().height)), 20000);
})
"""  # resolves once a part is higher than that


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("overfit", ".overfit .panel canvas"),
        ("stability", ".stability .area"),
        ("forest", ".forest .plane"),
        ("impurity", ".measures .area"),
        ("data", ".st-key-overview .stage .area"),
    ],
)
def test_every_page_presents_in_large_and_a_bar_below_tells_its_keys(
    moved: Visit, path: str, part: str
) -> None:
    page = moved(f"/{path}")
    page.set_viewport_size({"width": 1920, "height": 1080})
    picture_ = page.locator(part).first
    expect(picture_).to_be_visible()
    small = box(picture_)
    page.keyboard.press("f")
    expect(page.get_by_test_id("stHeader")).to_be_hidden()
    bar = page.locator(".dtviz-keys")
    expect(bar).to_contain_text("Page Up and Page Down")
    picture_.evaluate(GROWN, 1.3 * (small["bottom"] - small["top"]))
    assert box(picture_)["bottom"] <= box(bar)["top"]
    page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    expect(page.get_by_test_id("stHeader")).to_be_visible()
    page.set_viewport_size(DESK)


def test_a_clicker_steps_along_the_curve_while_presenting(moved: Visit) -> None:
    page = moved("/overfit?data=iris")
    cockpit = page.locator(".overfit[data-at]")
    expect(cockpit).to_have_attribute("data-at", "6")
    page.keyboard.press("f")
    page.keyboard.press("PageUp")
    expect(cockpit).to_have_attribute("data-at", "5")
    page.keyboard.press("PageDown")
    expect(cockpit).to_have_attribute("data-at", "6")
    page.keyboard.press("f")
    expect(page.locator(".dtviz-keys")).to_have_count(0)


@NIGHTLY
def test_a_presentation_that_asks_first_splits_by_click_key_and_clicker(
    sized: Any, settled: Settled
) -> None:
    page: Page = sized("/?data=iris&ask=1", DESK)
    page.keyboard.press("f")
    here = page.get_by_role("button", name=re.compile("^Make my cut"))
    for made, split in enumerate((here.click, lambda: page.keyboard.press("Enter")), 1):
        expect(here).to_be_hidden()
        expect(page.locator(".asked")).to_contain_text("Where would you cut?")
        settled(page)
        choose_other_cut(page, settled)
        expect(here).to_be_visible()
        split()
        expect_step(page, made)
        settled(page)
    choose_other_cut(page, settled)
    page.keyboard.press("PageDown")
    expect_step(page, 3)
    settled(page)
    page.keyboard.press("PageUp")
    expect_step(page, 2)
    page.keyboard.press("Escape")
    expect(page.locator(".panels")).to_be_visible()


@NIGHTLY
def test_present_fits_the_width_of_a_phone(sized: Any) -> None:
    page: Page = sized("/?data=iris&log=a1", PHONE)
    page.keyboard.press("f")
    expect(page.locator(".panels")).to_be_hidden()
    main = page.get_by_test_id("stMain")
    assert main.evaluate("(one) => one.scrollWidth - one.clientWidth") == 0
    page.keyboard.press("Escape")
    expect(page.locator(".panels")).to_be_visible()


def test_a_first_visit_asks_and_a_ghost_drags_once(new_context: Any, app_url: str) -> None:
    page: Page = new_context(reduced_motion="no-preference").new_page()
    page.add_init_script(
        """
        [window.ghosts, window.cuts] = [0, []];
        const { append, setAttribute } = Element.prototype;
        Element.prototype.setAttribute = function (name, value) {
          if (name === "data-cut") window.cuts.push(value);
          setAttribute.call(this, name, value);
        };
        Element.prototype.append = function (...all) {
          window.ghosts += all.some((one) => one.className === "ghost");
          return append.apply(this, all);
        };
        """
    )
    page.goto(app_url)
    expect(page.locator(".asked")).to_contain_text("Why does the first cut go here?")
    stage = picture(page, "stage")
    expect(stage).to_have_attribute("data-cut", BEST)
    until(page, "(best) => ghosts > 3 && cuts.some((one) => one && one !== best)", BEST)
    page.keyboard.press("Shift")
    expect(stage).to_have_attribute("data-cut", BEST)
    expect(stage.locator(".ghost")).to_have_count(0)
    page.reload()
    expect(stage).to_have_attribute("data-cut", BEST)
    picture(page, "line").locator("[data-name=next]").click()
    expect_step(page, 1)
    expect(page.locator(".asked")).not_to_contain_text("Why does")
    assert page.evaluate("window.ghosts") == 0


def test_a_tour_leads_through_its_stops_and_can_be_left(sized: Any, settled: Settled) -> None:
    page: Page = sized("/?data=xor", DESK)
    page.get_by_role("button", name="Tour").click()
    said = page.locator(".st-key-say")
    expect(said).to_contain_text("1 of 8")
    settled(page)
    for stop in range(2, 4):
        page.get_by_role("button", name="Next stop").click()
        expect(said).to_contain_text(f"{stop} of 8")
        settled(page)
        assert box(parts(page)["panels"])["bottom"] <= DESK["height"]
    page.get_by_role("button", name="Leave").click()
    expect(said).to_have_count(0)
    page.wait_for_url("**/*data=xor*")  # what was there before
    page.get_by_role("button", name="Tour").click()
    expect(said).to_contain_text("1 of 8")


@NIGHTLY
def test_each_stop_of_a_tour_is_on_its_page_and_back_leads_to_the_stop_before(
    sized: Any, settled: Settled
) -> None:
    pages = ("grow", "impurity", "overfit")
    tour = write_stops(tuple(stop_of({"data": "xor", "say": f"On {one}"}, one) for one in pages))
    page: Page = sized(f"/grow?{urlencode({'tour': tour})}", DESK)
    said = page.locator(".st-key-say")
    for place in pages[1:]:
        page.get_by_role("button", name="Next stop").click()
        page.wait_for_url(f"**/{place}?*")
        expect(said).to_contain_text(f"On {place}")
        settled(page)
    for place in reversed(pages[:-1]):
        page.go_back()
        page.wait_for_url(f"**/{place}?*")
        expect(said).to_contain_text(f"On {place}")
        settled(page)


@NIGHTLY
def test_a_tour_is_written_in_share_and_is_one_link(sized: Any, settled: Settled) -> None:
    page: Page = sized("/?data=xor", DESK)
    page.get_by_role("button", name="Share").click()
    body = page.get_by_test_id("stPopoverBody")
    copy = body.get_by_role("button", name="Copy to clipboard").first
    assert copy.evaluate(
        "(one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })"
    )
    for words in ("First look", "Then look again"):
        body.get_by_role("textbox").fill(words)
        body.get_by_role("textbox").press("Enter")
        expect(body.locator("code").first).to_contain_text(words.split()[-1])
        body.get_by_role("button", name="Add this screen to a tour").click()
        expect(body.get_by_text(words, exact=False).last).to_be_visible()
    expect(body.get_by_text("This address works only on this machine.").first).to_be_visible()
    link = body.locator("code").last.inner_text()
    assert "tour=" in link
    assert "tour=" not in body.locator("code").first.inner_text()
    expect(body.get_by_role("button", name="Remove")).to_have_count(2)
    settled(page)
    page.goto(link)
    expect(page.locator(".st-key-say")).to_contain_text("First look")
    expect(page.locator(".st-key-say")).to_contain_text("1 of 2")
    settled(page)
