"""Two screens side by side: a row is lit on both, a choice stays on its own, one click ends it."""

from __future__ import annotations

import re

import pytest
from acts import DESK, PHONE, SOON, Settled, Visit, bounds, expect_step, press, until_seen
from playwright.sync_api import expect

FEATURES = "features=%5B%22petal_length_cm%22%2C%22petal_width_cm%22%5D"
PATH = f"/?data=iris&{FEATURES}&log=a2&beside=max_depth%3D1%26log%3Da1"


def test_a_row_at_the_pointer_is_lit_on_both_screens_a_region_on_its_own(
    moved: Visit, settled: Settled
) -> None:
    page = settled(moved(PATH))
    stages, trees = page.locator("div.stage"), page.locator("div.tree")
    expect(trees.nth(1).locator("g.node")).to_have_count(3)

    def point() -> None:
        box = bounds(stages.first.locator(".area"))
        for k in range(6, 60):  # across the first class
            page.mouse.move(box["x"] + box["width"] * k / 100, box["y"] + box["height"] * 0.72)
            if stages.first.get_attribute("data-way"):
                return

    until_seen(  # a stage that is given another room is pointed at again
        point, lambda: expect(stages.first).to_have_attribute("data-way", "2", timeout=SOON)
    )
    for at in (0, 1):
        expect(stages.nth(at)).to_have_attribute("data-way", "2")
        expect(trees.nth(at).locator("g.node.way")).to_have_count(2)
    trees.first.locator("g.node").last.hover()
    expect(stages.first).to_have_attribute("data-lit", re.compile("."))
    expect(stages.nth(1)).to_have_attribute("data-lit", "")
    expect(stages.nth(1)).to_have_attribute("data-way", "")


def test_both_go_on_together_and_one_click_keeps_either(moved: Visit, settled: Settled) -> None:
    page = moved(PATH)
    trees = page.locator("div.tree")
    press(page, settled, "back")
    press(page, settled, "back")
    for at in (0, 1):
        expect(trees.nth(at).locator("g.node")).to_have_count(1)
    press(page, settled, "next", 2)
    expect(trees.first.locator("g.node")).to_have_count(5)
    expect(trees.nth(1).locator("g.node")).to_have_count(3)
    trees.nth(1).locator("g.node").last.click()
    page.wait_for_url("**focus**")
    assert "focus=" not in page.url  # it is the other's
    page.get_by_role("button", name="Keep this").nth(1).click()
    expect(trees).to_have_count(1)
    expect_step(settled(page), 1)
    assert "beside" not in page.url
    assert "max_depth=1" in page.url
    page.go_back()
    expect(trees).to_have_count(2)


@pytest.mark.nightly
def test_each_says_why_takes_a_cut_of_its_own_and_the_other_can_be_closed(
    moved: Visit, settled: Settled
) -> None:
    page = moved(PATH.replace("log%3Da1", "log%3D") + "&focus=1")
    sentences = page.locator(".asked p")
    expect(sentences).to_have_text([re.compile("^Root"), re.compile("^Root")])
    stage, trees = page.locator("div.stage").nth(1), page.locator("div.tree")
    area = bounds(stage.locator(".area"))
    x, y = area["x"] + area["width"] / 2, area["y"] + 60
    page.mouse.move(x, y)
    rule = stage.get_attribute("data-cut") or ""
    page.mouse.click(x, y)
    expect(sentences.nth(1)).to_contain_text(rule)
    expect(sentences.first).not_to_contain_text(rule)
    settled(page)
    page.locator(".asked .split").nth(1).click()
    expect(trees.nth(1).locator("g.node")).to_have_count(3)
    expect(trees.first.locator("g.node")).to_have_count(5)
    settled(page)
    page.get_by_role("button", name="Close").click()
    expect(trees).to_have_count(1)
    expect(trees.locator("g.node")).to_have_count(5)
    assert "max_depth" not in settled(page).url


@pytest.mark.nightly
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_both_are_in_sight_beside_or_under_one_another(
    moved: Visit, settled: Settled, size: dict[str, int]
) -> None:
    page = moved(PATH)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    settled(page)
    first, second = (bounds(page.locator("div.stage").nth(at)) for at in (0, 1))
    assert first["width"] == pytest.approx(second["width"], abs=2)
    if size == PHONE:
        assert second["y"] > first["y"] + first["height"]
        assert first["width"] > 340
    else:
        assert second["y"] == pytest.approx(first["y"], abs=2)
        trees = [bounds(page.locator("div.tree").nth(at)) for at in (0, 1)]
        assert all(tree["y"] + tree["height"] <= 720 for tree in trees)
        for at in (0, 1):  # the focus, which is the root, fills the plane: a quarter of the window
            plane = bounds(page.locator("div.stage .area").nth(at))
            assert plane["height"] >= 250
    page.set_viewport_size(DESK)


@pytest.mark.nightly
def test_no_text_is_cut_beside_the_drawer(moved: Visit, settled: Settled) -> None:
    page = moved("/?data=iris&log=a4&min_samples_leaf=13&beside=log%3Da5")
    page.locator(".st-key-drawer_button button").click()
    expect(page.locator(".st-key-drawer")).to_be_visible()
    settled(page)
    for side, name in enumerate(("Smallest leaf 13", "Smallest leaf 1")):
        head = page.locator(".heading p").nth(side)
        expect(head).to_contain_text(re.compile(f"^{name} .*that Overfit holds out$"))
        assert head.evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
        why = page.locator(".asked").nth(side)
        said, room = bounds(why.locator("p")), bounds(why)
        assert said["y"] >= room["y"]
        assert said["y"] + said["height"] <= room["y"] + room["height"]
        expect(page.get_by_role("button", name="Keep this")).to_have_count(2)
