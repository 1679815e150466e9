"""The instrument in another shell than Streamlit: the same pictures, the same acts."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acts import expect_step, picture
from playwright.sync_api import Page, expect

BARE = Path(__file__).resolve().parent.parent / "bare"


@pytest.fixture(scope="module")
def shell() -> Iterator[tuple[Any, Any]]:
    """The module of the bare server, and one that runs; whose tab it shows is to be set."""
    sys.path.insert(0, str(BARE))
    try:
        import server
    finally:
        sys.path.remove(str(BARE))
    shell = server.serve(server.new_tab())
    thread = threading.Thread(target=shell.serve_forever, daemon=True)
    thread.start()
    yield server, shell
    shell.shutdown()
    thread.join()
    shell.server_close()


@pytest.fixture
def tab(page: Page, shell: tuple[Any, Any]) -> Any:
    """A tab that a bare server shows on the page."""
    module, running = shell
    tab = running.tab = module.new_tab()
    page.goto(f"http://localhost:{running.server_port}/")
    expect(picture(page, "stage")).to_have_attribute("data-step", tab.screen().stamp)
    expect(picture(page, "tree")).to_have_attribute("data-step", tab.screen().stamp)
    expect(picture(page, "overfit")).to_have_attribute("data-step", re.compile("."))
    return tab


def press(page: Page, name: str) -> None:
    picture(page, "line").locator(f"[data-name={name}]").click()


def shows(page: Page, tab: Any) -> None:
    """Every picture shows the state that the tab is in."""
    expect(picture(page, "line")).to_have_attribute("data-waiting", "false")
    for name in ("line", "stage", "tree"):
        expect(picture(page, name)).to_have_attribute("data-step", tab.screen().stamp)


def test_quick_steps_are_made_once_and_in_order_undone_and_a_node_is_looked_at(
    page: Page, tab: Any
) -> None:
    page.evaluate(
        """() => { const button = document.querySelector("div.line [data-name=next]");
        for (let k = 0; k < 4; k++) button.click(); }"""
    )
    expect_step(page, 4)
    shows(page, tab)
    assert len(tab.visit.session.log) == 4
    assert tab.visit.last_event == 4
    assert len(tab.visit.undo_stack) == 4
    press(page, "undo")
    expect_step(page, 3)
    shows(page, tab)
    page.keyboard.press("ArrowLeft")
    expect_step(page, 2)
    shows(page, tab)
    press(page, "redo" if tab.visit.redo_stack else "undo")
    shows(page, tab)
    assert tab.visit.session.log == tab.screen().session.log
    picture(page, "tree").locator("g.node[id=n2]").click()
    expect(picture(page, "stage")).to_have_attribute("data-focus", "2")
    shows(page, tab)
    assert tab.visit.session.focus == 2


@pytest.mark.nightly
def test_a_click_on_the_error_curve_is_the_depth_of_the_tree(page: Page, tab: Any) -> None:
    cockpit = picture(page, "overfit")
    slider = cockpit.locator(".slider")
    full, step = leaves_of(tab), cockpit.get_attribute("data-step") or ""
    slider.scroll_into_view_if_needed()
    slider.click(position={"x": 70, "y": 100})
    expect(cockpit).not_to_have_attribute("data-step", step)
    shows(page, tab)
    depth = tab.visit.session.rules.max_depth
    assert depth < tab.screen().judged.values[-1]
    assert leaves_of(tab) < full
    page.mouse.move(5, 5)
    expect(cockpit.locator(".told")).to_contain_text(f"Depth at most {depth}: ")
    expect(cockpit).to_have_attribute("data-leaves", str(leaves_of(tab)))
    press(page, "undo")
    expect(cockpit).to_have_attribute("data-step", step)
    expect(cockpit).to_have_attribute("data-leaves", str(full))
    assert tab.visit.session.rules.max_depth is None


def leaves_of(tab: Any) -> int:
    return int(tab.screen().judged.split_mask.sum()) + 1


@pytest.mark.nightly
def test_a_point_is_drawn_and_taken_back_and_a_message_of_any_content_is_answered(
    page: Page, tab: Any
) -> None:
    start, stage = tab.visit.session, picture(page, "stage")
    step = stage.get_attribute("data-step") or ""
    page.locator(".pad-surface").click(position={"x": 200, "y": 100})
    expect(stage).not_to_have_attribute("data-step", step)
    shows(page, tab)
    assert len(tab.visit.session.recipe.get("points").split("_")) == 1
    picture(page, "pad").get_by_role("button", name="Undo", exact=True).click()
    expect(stage).to_have_attribute("data-step", step)
    assert tab.visit.session == start
    for body in ("null", "[]", '{"events": 3}', '{"events": [{"n": 1, "picture": "line"}]}', "{"):
        answer = page.request.post(re.sub(r"[^/]*$", "did", page.url), data=body)
        assert answer.status == (400 if body == "{" else 200)
    shows(page, tab)


@pytest.mark.nightly
def test_the_shell_is_small() -> None:
    files = [file for file in BARE.iterdir() if file.is_file()]
    assert sum(file.read_bytes().count(b"\n") for file in files) < 150
