"""A split moves on stage and tree, is ended by a pointer, and ends in what is drawn at once."""

from __future__ import annotations

from typing import Any

import pytest
from acts import MOONS, Settled, Visit, expect_step, picture, press, until
from playwright.sync_api import Page, expect

LONG = 500  # milliseconds: steps that come faster are not shown on their way
NAMES = ("stage", "tree")
WATCH = """
(one) => {
  window.moves ??= [];
  const note = () => one.dataset.moving && moves.push(`${one.className} ${one.dataset.moving}`);
  new MutationObserver(note).observe(one, { attributeFilter: ["data-moving"] });
}
"""
DRAWN = """
(stage) => [...stage.querySelectorAll(".sheets:not(.unseen) canvas")].map((one) =>
  [one.className, getComputedStyle(one).visibility, one.toDataURL()])
"""
SHEET = """
(sheet) => [sheet, ...sheet.querySelectorAll("*")].map((one) => [
  one.localName, one.childElementCount ? "" : one.textContent,
  ...[...one.attributes].filter(({ name, value }) => name !== "style" || value)
    .map(({ name, value }) => `${name}: ${value}`).sort()])
"""
BLANK = """
(stage) => {
  const film = stage.querySelector(".film");
  if (!film.width || !film.height) return true;
  const all = film.getContext("2d").getImageData(0, 0, film.width, film.height).data;
  return all.every((one) => one === 0);
}
"""
OPACITIES = """
(tree) => Object.fromEntries([...tree.querySelectorAll("g.node")].map((one) =>
  [one.id.slice(1), Number(one.style.opacity || 1)]))
"""
HOLD = """
(ms) => {
  const now = performance.now();
  performance.now = () => now + window.ahead;
  window.ahead = ms;
}
"""
LET_GO = "() => { delete performance.now; delete window.moves; }"


@pytest.fixture
def page(moved: Visit) -> Any:
    """The shared tab at a tree with one split, at which motion is watched."""
    page = moved(MOONS + "&log=a1")
    for name in NAMES:
        picture(page, name).evaluate(WATCH)
    yield page
    page.evaluate(LET_GO)


def moving(page: Page) -> None:
    """Let it move from now on."""
    page.wait_for_timeout(LONG)
    page.emulate_media(reduced_motion="no-preference")


def moves(page: Page) -> set[str]:
    """What has moved since it was asked last."""
    return set(page.evaluate("() => (window.moves ?? []).splice(0)"))


def seen(page: Page) -> list[Any]:
    """All that stage and tree show."""
    stage = picture(page, "stage")
    assert stage.evaluate(BLANK)
    sheet = picture(page, "tree").locator(".sheet")  # one alone
    return [*stage.evaluate(DRAWN), sheet.evaluate(SHEET)]


def test_a_split_and_its_undoing_move_and_end_in_what_is_drawn_at_once(
    page: Page, settled: Settled
) -> None:
    press(page, settled, "next")
    split = seen(page)
    press(page, settled, "back")
    whole = seen(page)
    assert split != whole
    assert moves(page) == set()  # reduced motion
    moving(page)
    press(page, settled, "next")
    assert moves(page) == {"stage on", "tree on"}
    assert seen(page) == split
    page.wait_for_timeout(LONG)
    press(page, settled, "undo")
    assert moves(page) == {"stage back", "tree back"}
    assert seen(page)[:-1] == whole[:-1]  # the tree has room for a branch now
    expect(picture(page, "tree").locator("g.node")).to_have_count(3)


@pytest.mark.nightly
def test_a_split_on_its_way_is_ended_at_once_by_a_pointer(page: Page, settled: Settled) -> None:
    press(page, settled, "next")
    split = seen(page)
    press(page, settled, "back")
    moving(page)
    page.evaluate(HOLD, 0)
    stage, tree = picture(page, "stage"), picture(page, "tree")
    page.locator("[data-name=next]").click()
    expect_step(page, 2)
    for one in (stage, tree):
        expect(one).to_have_attribute("data-moving", "on")
    page.evaluate(f"window.ahead = {0.3 * LONG}")
    until(page, "() => !document.querySelector('[data-test-script-state=running]')")
    assert not stage.evaluate(BLANK)
    expect(stage.locator(".sheets:not(.unseen)")).to_have_count(0)
    opacities = tree.evaluate(OPACITIES)
    assert {name for name, strength in opacities.items() if strength < 1} == {"4", "5"}
    expect(tree.locator(".slid")).to_have_count(2)
    page.mouse.down()
    for one in (stage, tree):
        expect(one).not_to_have_attribute("data-moving", "on")
    expect(tree.locator(".slid")).to_have_count(0)
    page.mouse.move(5, 5)
    page.mouse.up()
    page.locator("[data-name=next]").hover()
    settled(page)
    assert seen(page) == split


@pytest.mark.nightly
def test_a_held_key_takes_every_step_and_ends_in_the_last(page: Page, settled: Settled) -> None:
    press(page, settled, "next", 4)
    far = seen(page)
    press(page, settled, "back", 4)
    moving(page)
    page.locator("[data-name=next]").hover()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    expect_step(page, 5)
    settled(page)
    assert seen(page) == far
