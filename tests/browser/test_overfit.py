"""Overfit as an instrument: the curve under hand, keys and finger; panels, links, saving, access.

Glossary
    cockpit   both pictures of the rectangles, the error curve beside them, the sliders below
    place     of a value on the curve; `data-at` of the cockpit says which one is shown
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from acts import (
    AFTER_A_FRAME,
    SENT,
    SOON,
    Settled,
    Visit,
    bounds,
    expect_no_wider_than_the_window,
    expect_step,
    has_no_error,
    middle,
    picture,
    query,
    touch,
    until_seen,
)
from playwright.sync_api import Locator, Page, expect

import dtviz

MOONS = "/overfit?data=moons&n=200&noise=0.3&seed=7"
SINE = "/overfit?data=sine&n=120&noise=0.3&seed=7"
PRESS_IN_ONE_GO = """
(slider, keys) => {
  const { sent } = wire;
  const press = (key) =>
    slider.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  const places = keys.map((key) => { press(key); return slider.closest(".overfit").dataset.at; });
  return [places.map(Number), wire.sent - sent];
}
"""
LEAVE_AND_SET = """
(input, [by, keys]) => {
  if (keys) input.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
  else input.dispatchEvent(new PointerEvent("pointerdown"));
  if (by === "a link") document.querySelector("[data-testid=stTopNavLink]").click();
  else {
    history.pushState(null, "", "/?data=sine");
    dispatchEvent(new PopStateEvent("popstate"));
  }
  input.value = "0";
  for (const type of ["input", "change"]) input.dispatchEvent(new Event(type, { bubbles: true }));
}
"""


@pytest.fixture
def move(moved: Visit, settled: Settled) -> Visit:
    """`move(path)` is the shared tab at this path, where the cockpit stands, its curve too."""
    return lambda path: stands(moved(path), settled)


def stands(page: Page, settled: Settled) -> Page:
    expect(picture(page, "overfit")).to_have_attribute("data-step", re.compile("."))
    expect(picture(page, "overfit").locator(".told")).to_contain_text("mean")
    return settled(page)


def titles(page: Page) -> list[str]:
    return picture(page, "overfit").locator(".title").all_inner_texts()


def leaves(page: Page) -> int:
    return int(picture(page, "overfit").get_attribute("data-leaves") or -1)


def place(page: Page) -> int:
    return int(picture(page, "overfit").get_attribute("data-at") or -1)


def expect_place(page: Page, at: int) -> None:
    expect(picture(page, "overfit")).to_have_attribute("data-at", str(at))


def slider(page: Page) -> Locator:
    return picture(page, "overfit").locator(".slider")


def over(page: Page, share: float) -> tuple[float, float]:
    """A point over the curve, so far from its left end."""
    own = bounds(slider(page))
    return own["x"] + 60 + share * (own["width"] - 90), own["y"] + own["height"] / 2


def move_to(page: Page, at: int) -> None:
    """Move the mouse over a place of the curve."""
    for k in range(61):
        page.mouse.move(*over(page, k / 60))
        if place(page) == at:
            return
    raise AssertionError(f"no place {at} on the curve")


def dial(page: Page, name: str) -> Locator:
    return picture(page, "overfit").locator(f"label[data-rule={name}] input")


def dial_at(page: Page, name: str, place: int) -> tuple[float, float]:
    """A point of a slider: the thumb, 16 pixels wide, stands there at this place."""
    own, last = bounds(dial(page, name)), int(dial(page, name).get_attribute("max") or 0)
    return own["x"] + 8 + (own["width"] - 16) * place / last, own["y"] + own["height"] / 2


# --- the curve ------------------------------------------------------------------------------------


def test_moving_over_the_curve_previews_without_the_server_and_leaving_brings_it_back(
    move: Visit,
) -> None:
    page = move(SINE + "&max_depth=3")
    before, seen = (place(page), leaves(page), titles(page)), set()
    sent = page.evaluate(SENT)
    for k in range(0, 101, 5):
        page.mouse.move(*over(page, k / 100))
        page.evaluate(AFTER_A_FRAME)  # moves are told once a frame
        seen.add((place(page), leaves(page), *titles(page)))
    assert len({at for at, *_ in seen}) == len(seen) >= 4
    assert page.evaluate(SENT) == sent
    page.mouse.move(5, 5)
    assert (place(page), leaves(page), titles(page)) == before
    assert query(page)["max_depth"] == "3"


def test_a_click_on_the_curve_stays_over_a_reload(move: Visit, settled: Settled) -> None:
    page = move(MOONS)
    full = leaves(page)
    move_to(page, 2)
    previewed = titles(page)
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url("**max_depth=3**")
    settled(page)
    expect(dial(page, "max_depth")).to_have_attribute("aria-valuetext", "3")
    page.mouse.move(5, 5)
    expect_place(page, 2)
    assert titles(page) == previewed
    assert leaves(page) < full
    page.reload()
    stands(page, settled)
    assert (place(page), titles(page)) == (2, previewed)
    has_no_error(page)


@pytest.mark.nightly
def test_keys_pressed_while_the_server_answers_lose_no_step(move: Visit, settled: Settled) -> None:
    page = move(MOONS + "&max_depth=1")
    before, seen = slider(page).evaluate(
        """(slider) => new Promise((done) => {
          const { dataset } = slider.closest(".overfit");
          const [{ step }, seen] = [dataset, []];
          const push = (key) => { (PRESS)(slider, [key]); return Number(dataset.at); };
          const go = () => {
            seen.push(push(seen.length % 2 ? "ArrowLeft" : "ArrowRight"));
            if (dataset.step === step) setTimeout(go, 20);
            else done([before, seen]);
          };
          push("ArrowRight");
          const before = push("Enter");
          setTimeout(() => { push("ArrowRight"); push("ArrowRight"); go(); }, 5);
        })""".replace("PRESS", PRESS_IN_ONE_GO)
    )
    assert before == 1
    assert seen == ([4, 3] * len(seen))[: len(seen)]
    page.wait_for_url(f"**max_depth={seen[-1] + 1}**")
    settled(page)
    expect_place(page, seen[-1])


@pytest.mark.nightly
def test_dragging_along_alpha_merges_rectangles_and_back_undoes_it(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS)
    before = leaves(page)
    page.get_by_text("Prune up to", exact=True).first.click()
    page.wait_for_url("**against=alpha**")
    expect(picture(page, "overfit").locator(".told")).to_contain_text("Prune up to 0:")
    settled(page)
    seen = []
    page.mouse.move(*over(page, 0))
    page.mouse.down()
    for k in range(31):
        page.mouse.move(*over(page, k / 30))
        seen.append(leaves(page))
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == before
    assert seen[-1] == 1
    assert len(set(seen)) >= 8
    page.mouse.move(*over(page, 0.75))
    kept = leaves(page)
    page.mouse.up()
    page.wait_for_url("**ccp_alpha=0.**")
    page.mouse.move(5, 5)
    settled(page)
    assert (leaves(page), "ccp_alpha" in query(page)) == (kept, True)
    page.go_back()
    expect(picture(page, "overfit")).to_have_attribute("data-leaves", str(before))
    settled(page)
    assert "ccp_alpha" not in query(page)
    assert query(page)["against"] == "alpha"


@pytest.mark.nightly
def test_dragging_a_slider_merges_rectangles_and_letting_go_is_one_setting(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS)
    full, last = leaves(page), int(dial(page, "ccp_alpha").get_attribute("max") or 0)
    sent = page.evaluate(SENT)
    page.mouse.move(*dial_at(page, "ccp_alpha", 0))
    page.mouse.down()
    seen = []
    for k in range(last + 1):
        page.mouse.move(*dial_at(page, "ccp_alpha", k))
        expect(dial(page, "ccp_alpha")).to_have_js_property("value", str(k))
        seen.append(leaves(page))
    assert seen == sorted(set(seen), reverse=True)  # every place is another tree
    assert (seen[0], seen[-1], place(page)) == (full, 1, -1)
    page.mouse.move(*dial_at(page, "ccp_alpha", last - 1))
    expect(dial(page, "ccp_alpha")).to_have_js_property("value", str(last - 1))
    told = picture(page, "overfit").locator(".told").inner_text()
    shown = (leaves(page), titles(page))
    assert page.evaluate(SENT) == sent
    page.mouse.up()
    page.wait_for_url("**ccp_alpha=0.**")
    settled(page)
    assert (leaves(page), titles(page)) == shown
    assert re.fullmatch(
        r"Prune up to 0\.\d+: 2 leaves, height 1; always the majority class 50\s%", told
    )
    value = dial(page, "ccp_alpha").get_attribute("aria-valuetext") or ""
    assert f"Prune up to {value}: " in told
    page.go_back()
    expect(picture(page, "overfit")).to_have_attribute("data-leaves", str(full))


@pytest.mark.nightly
def test_a_leaf_size_is_drawn_once_its_slider_is_let_go(move: Visit, settled: Settled) -> None:
    page = move(f"{MOONS}&against=leaf_size&folds=2")
    told = picture(page, "overfit").locator(".told")
    expect(told).to_contain_text("Smallest leaf")
    full = leaves(page)
    dial(page, "min_samples_leaf").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    said = told.inner_text()
    figures = r"\d+ leaves, .*; Training: \d+ of 140 wrong"
    assert re.match(rf"Smallest leaf 5: {figures}.*drawn once you choose it$", said)
    assert (leaves(page), place(page)) == (full, 4)
    page.wait_for_url("**min_samples_leaf=5**")
    settled(page)
    assert leaves(page) < full
    assert told.inner_text().startswith(said.split(";")[0])


@pytest.mark.nightly
def test_two_sliders_moved_one_after_the_other_by_keys_both_stay(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS + "&max_depth=6")
    dial(page, "max_depth").focus()
    for key in ("ArrowLeft", "Tab", "ArrowRight"):
        page.keyboard.press(key)
    page.wait_for_url(re.compile("max_depth=5.*min_samples_leaf=2"))
    settled(page)
    assert query(page)["max_depth"] == "5"
    expect(dial(page, "min_samples_leaf")).to_be_focused()


def choose(page: Page, axis: str) -> None:
    """Click the axis of the curve in the page itself: the mouse may hold something else."""
    page.get_by_role("button", name=axis).evaluate("(one) => one.click()")


@pytest.mark.nightly
def test_a_key_on_the_curve_is_about_the_axis_it_was_pressed_on(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS + "&max_depth=3")
    slider(page).evaluate(PRESS_IN_ONE_GO, ["ArrowRight"])
    choose(page, "Leaves at most")
    page.wait_for_url("**max_depth=4**")
    settled(page)
    expect(picture(page, "overfit").locator(".told")).to_contain_text("Any number of leaves")
    assert "max_leaf_nodes" not in query(page)


@pytest.mark.nightly
def test_a_finger_that_scrolls_over_a_slider_sets_nothing(phoned: Visit, settled: Settled) -> None:
    page = stands(phoned(MOONS + "&max_depth=4"), settled)
    sent = page.evaluate(SENT)
    dial(page, "max_depth").scroll_into_view_if_needed()
    x, y = dial_at(page, "max_depth", 12)
    touch(page, *((x, y - 15 * k) for k in range(12)))
    expect(dial(page, "max_depth")).to_have_attribute("aria-valuetext", "4")
    assert settled(page).evaluate(SENT) == sent
    assert query(page)["max_depth"] == "4"
    assert picture(page, "overfit").locator("output").count() == 0  # nor is it a live region


@pytest.mark.nightly
def test_a_slider_set_by_keys_as_a_link_leads_to_another_page_is_set_there(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS)
    dial(page, "max_depth").evaluate(LEAVE_AND_SET, ["a link", True])
    page.wait_for_url(re.compile(r":\d+/\?data=moons.*max_depth=1"))
    expect(picture(page, "stage")).to_be_visible()
    has_no_error(settled(page))


@pytest.mark.nightly
def test_a_slider_set_by_hand_as_back_leads_to_another_page_leaves_that_as_it_was(
    move: Visit, settled: Settled
) -> None:
    page = move(MOONS)
    dial(page, "max_depth").evaluate(LEAVE_AND_SET, ["Back", False])
    expect(picture(page, "stage")).to_be_visible()
    has_no_error(settled(page))
    assert (urlsplit(page.url).path, query(page).get("data")) == ("/", "sine")
    assert "max_depth" not in query(page)


# --- the panels -----------------------------------------------------------------------------------


def test_a_node_clicked_is_pruned_and_taken_back(move: Visit, settled: Settled) -> None:
    page = move(MOONS + "&max_depth=4")
    before = leaves(page)
    prune = page.get_by_role("button", name="Prune node 2", exact=True)

    def choose() -> None:
        page.get_by_role("tab", name="Pruning").click()
        picture(page, "tree").locator("g.node[id=n2]").wait_for()
        settled(page)
        picture(page, "tree").locator("g.node[id=n2]").click()

    until_seen(choose, lambda: prune.wait_for(timeout=SOON))  # folds may take the tab's turn
    prune.click()
    page.wait_for_url("**prunes=c2**")
    settled(page)
    assert leaves(page) < before
    expect(picture(page, "tree").locator("g.node[id=n2]")).to_contain_text("class:")
    expect(picture(page, "overfit").locator(".told")).to_contain_text("Depth at most 4, 1 prune: ")
    page.get_by_role("button", name="Take one back").click()
    expect(picture(page, "overfit")).to_have_attribute("data-leaves", str(before))
    settled(page)
    assert "prunes" not in query(page)
    page.get_by_role("tab", name="Table").click()


@pytest.mark.nightly
def test_a_cell_of_the_grid_sets_criterion_and_depth(move: Visit, settled: Settled) -> None:
    page = move(MOONS + "&criterion=gini&folds=2")
    page.get_by_role("tab", name="Grid search").click()
    cell = page.locator(".js-plotly-plot .textpoint text").nth(1)  # the first criterion, depth 2
    cell.wait_for()
    settled(page)
    cell.scroll_into_view_if_needed()
    page.mouse.click(*middle(cell))
    page.wait_for_url("**max_depth=2**")
    settled(page)
    assert "criterion" not in query(page)
    expect_place(page, 1)
    has_no_error(page)
    page.get_by_role("tab", name="Table").click()


def test_the_best_tree_makes_no_mistake_on_xor_and_one_nearly_as_good_is_grown_by_a_click(
    move: Visit, settled: Settled
) -> None:
    page = move("/overfit?data=xor")
    page.get_by_role("tab", name="Greedy's limit").click()
    pictures = page.locator("[role=tabpanel] div.overfit .title")
    expect(pictures).to_have_count(4)
    settled(page)
    greedy, best, *near = pictures.all_inner_texts()
    assert [text[:2] for text in near] == ["1:", "2:"]
    assert re.fullmatch(r"Greedy: [1-9]\d* of 200 wrong, [\d.]+\s%", greedy)
    assert best == "Best of depth 2: 0 of 200 wrong, 0\u00a0%"
    page.get_by_role("button", name="Grow it").last.click()
    page.wait_for_url(re.compile(r"log=1\.1\..*_3\.0\."))
    expect(page.locator("div.stage").first).to_be_visible()
    has_no_error(page)


# --- saving, phones, colours, access -------------------------------------------------------------


@pytest.mark.nightly
def test_a_finger_taps_and_pulls_along_the_curve_at_390_px(phoned: Visit, settled: Settled) -> None:
    page = stands(phoned(MOONS), settled)
    slider(page).scroll_into_view_if_needed()
    page.touchscreen.tap(*over(page, 0.02))
    page.wait_for_url("**max_depth=1**")
    settled(page)
    assert (place(page), leaves(page)) == (0, 2)
    touch(page, *(over(page, share) for share in (0.02, 0.1, 0.2, 0.3, 0.4, 0.5)))
    page.wait_for_url(lambda url: "max_depth" in url and "max_depth=1" not in url)
    settled(page)
    assert int(query(page)["max_depth"]) - 1 == place(page) > 1
    dial(page, "max_depth").scroll_into_view_if_needed()
    page.touchscreen.tap(*dial_at(page, "max_depth", 1))
    page.wait_for_url("**max_depth=2**")
    settled(page)
    assert place(page) == 1
    expect_no_wider_than_the_window(page)
    axes = page.get_by_role("group", name="Error against")
    assert axes.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    has_no_error(page)


def test_the_tree_chosen_is_the_one_that_grow_shows_at_its_end(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}{MOONS}&max_depth=3&measure=balanced")
    stands(page, settled)
    expect(page.get_by_label("Measure of the curve")).to_have_value("Balanced error")
    page.get_by_role("button", name="Grow it").click()
    data = dtviz.load("moons", n=200, noise=0.3, seed=7)
    tree = dtviz.fit(data, dtviz.Rules(max_depth=3)).tree
    page.wait_for_url(re.compile(f"log=a{len(tree.splits)}"))
    settled(page)
    expect_step(page, len(tree.splits))
    assert query(page)["max_depth"] == "3"
    has_no_error(page)
