"""The instrument in a host without Streamlit: the same pages, the same acts, the same addresses."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from acts import MOONS, expect_step, look, picture
from playwright.sync_api import Locator, Page, expect

BARE = Path(__file__).resolve().parent.parent / "bare"
ADD_COMPONENT = """async (search) => {
  const { Component } = await import("/page.js");
  const element = document.createElement("section");
  document.body.append(element);
  new Component(element, { pathname: "/", search });
}"""


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    """The bare server while it runs."""
    sys.path.insert(0, str(BARE))
    try:
        from server import serve
    finally:
        sys.path.remove(str(BARE))
    server = serve()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def opened(page: Page, server: Any, path: str = MOONS, name: str = "tree") -> Any:
    """Open an address, whose page has the picture; return the instrument that the page has."""
    page.goto(f"http://localhost:{server.server_port}{path}")
    expect(picture(page, name)).to_be_visible()
    tab = server.tabs.newest
    if name == "tree":
        expect_shown(page, tab)
    return tab


def expect_shown(page: Page | Locator, tab: Any) -> None:
    """Every picture of Grow shows the state that the tab is in."""
    expect(page.locator("div.line").first).to_have_attribute("data-waiting", "false")
    for name in ("line", "stage", "tree"):
        shown = page.locator(f"div.{name}").first
        expect(shown).to_have_attribute("data-step", tab.screen().stamp)


def press(page: Page | Locator, name: str) -> None:
    page.locator(f"div.line [data-name={name}]").click()


def follow(page: Page, name: str) -> None:
    """Follow the link to a page, and wait for its full address."""
    page.get_by_role("link", name=name).click()
    page.wait_for_url(f"**/{'' if name == 'Grow' else name.lower()}?data=moons**")


def test_quick_steps_are_made_once_and_in_order_undone_and_a_node_is_looked_at(
    page: Page, server: Any
) -> None:
    tab = opened(page, server)
    picture(page, "line").locator("[data-name=next]").evaluate(
        "(button) => { for (let k = 0; k < 4; k++) button.click(); }"
    )
    expect_step(page, 4)
    expect_shown(page, tab)
    assert len(tab.visit.session.log) == 4
    assert tab.visit.last_event == 4
    press(page, "undo")
    expect_step(page, 3)
    page.keyboard.press("ArrowLeft")
    expect_step(page, 2)
    press(page, "undo")
    expect_step(page, 3)
    press(page, "redo")
    expect_step(page, 2)
    expect_shown(page, tab)
    picture(page, "tree").locator("g.node[id=n2]").click()
    expect(picture(page, "stage")).to_have_attribute("data-focus", "2")
    expect_shown(page, tab)
    assert tab.visit.session.focus == 2


def test_a_link_opened_in_a_new_tab_shows_the_same_screen(page: Page, server: Any) -> None:
    tab = opened(page, server)
    for made in (1, 2):
        press(page, "next")
        expect_step(page, made)
    page.locator(".switches [aria-pressed=false]").first.click()
    page.wait_for_url("**criterion=gini**")
    expect_shown(page, tab)
    other = page.context.new_page()
    other_tab = opened(
        other, server, page.url.removeprefix(f"http://localhost:{server.server_port}")
    )
    assert other_tab is not tab
    assert other_tab.visit.session == tab.visit.session
    assert look(other) == look(page)
    assert other.url == page.url
    press(other, "back")
    expect_step(other, 1)
    expect_shown(page, tab)
    expect_step(page, 2)
    other.close()


def test_back_and_forward_lead_through_changes_and_pages_and_a_link_on_a_page_is_undone(
    page: Page, server: Any
) -> None:
    tab = opened(page, server, MOONS + "&log=a2")
    entries = page.evaluate("history.length")
    before = look(page)
    press(page, "next")
    page.wait_for_url("**log=a3**")
    after = look(page)
    page.go_back()
    expect_step(page, 2)
    expect_shown(page, tab)
    assert look(page) == before
    page.go_forward()
    expect_step(page, 3)
    expect_shown(page, tab)
    assert look(page) == after
    follow(page, "Impurity")
    follow(page, "Data")
    assert page.evaluate("history.length") == entries + 3  # a visited page is one entry
    page.go_back()
    expect(picture(page, "impurity")).to_be_visible()
    page.go_back()
    expect_step(page, 3)
    expect_shown(page, tab)
    assert look(page) == after
    page.evaluate("(href) => { document.querySelector('nav a').href = href; }", MOONS + "&log=a1")
    page.get_by_role("link", name="Grow").click()
    expect_step(page, 1)
    press(page, "undo")
    expect_step(page, 3)


def test_undo_on_a_page_leaves_what_was_done_on_another(page: Page, server: Any) -> None:
    tab = opened(page, server)
    press(page, "next")
    expect_step(page, 1)
    follow(page, "Impurity")
    page.locator(".measures .chips button", has_text="gini").click()
    page.wait_for_url("**impurity=gini**")
    follow(page, "Grow")
    expect_step(page, 1)
    press(page, "undo")
    expect_step(page, 0)
    expect_shown(page, tab)
    assert tab.visit.session.lab.impurity == "gini"


def test_a_tree_that_is_opened_leads_to_grow_and_back_to_its_page(page: Page, server: Any) -> None:
    tab = opened(page, server, "/stability" + MOONS[1:] + "&vary_shown=6", "stability")
    page.get_by_role("button", name="Open in Grow").click()
    page.wait_for_url("**/grow?data=sample**")
    expect_shown(page, tab)
    assert tab.visit.session.recipe.name == "sample"
    page.go_back()
    expect(picture(page, "stability")).to_be_visible()
    page.wait_for_url("**/stability?data=moons**")
    assert tab.visit.session.recipe.name == "moons"


def test_two_instruments_in_one_document_never_speak_to_one_another(
    page: Page, server: Any
) -> None:
    tab = opened(page, server, MOONS + "&log=a2")
    address = page.url
    page.evaluate(ADD_COMPONENT, "?data=moons&n=60&noise=0.25&seed=7&log=a2")
    parts = page.locator("main"), page.locator("section")
    trees = [part.locator("div.tree") for part in parts]
    expect(trees[1]).to_have_attribute("data-step", tab.screen().stamp)
    tabs = tab, server.tabs.newest
    for here, there in ((1, 0), (0, 1)):
        parts[here].locator("div.stage .area").hover(position={"x": 300, "y": 260})
        expect(trees[here]).to_have_attribute("data-lit", re.compile(r"^\d+$"))
        assert trees[there].get_attribute("data-lit") in (None, "")
        trees[here].locator("g.node[id=n2]").click()
        expect(parts[here].locator("div.stage")).to_have_attribute("data-focus", "2")
        parts[here].locator(".asked p").click()  # the focus goes back to the document
        page.keyboard.press("ArrowRight")  # a key belongs to the component that was used last
        expect_shown(parts[here], tabs[here])
        expect(parts[here].locator(".counter")).to_have_text(re.compile("^step 3 of"))
    expect_shown(parts[1], tabs[1])
    press(parts[1], "undo")
    expect(parts[1].locator(".counter")).to_have_text(re.compile("^step 2 of"))
    expect(parts[0].locator(".counter")).to_have_text(re.compile("^step 3 of"))
    assert [len(tab.visit.session.log) for tab in tabs] == [3, 2]
    assert page.url != address
    assert "log=a3" in page.url  # the address bar follows the first alone


def test_why_an_address_has_no_data_is_said_and_back_leads_on(page: Page, server: Any) -> None:
    tab = opened(page, server)
    link = "/?data=file&sha=1&file=a.csv&target=t"
    page.evaluate("(href) => { document.querySelector('nav a').href = href; }", link)
    page.get_by_role("link", name="Grow").click()
    expect(page.get_by_role("alert")).to_contain_text("a.csv")
    page.go_back()
    expect(page.get_by_role("alert")).to_have_text("")
    expect_shown(page, tab)


@pytest.mark.nightly
def test_a_point_is_drawn_and_taken_back_and_a_request_of_any_content_is_answered(
    page: Page, server: Any
) -> None:
    tab = opened(page, server)
    start = tab.visit.session
    follow(page, "Data")
    page.locator(".pad-surface").click(position={"x": 200, "y": 100})
    page.wait_for_url("**points=**")
    assert len(tab.visit.session.recipe.get("points").split("_")) == 1
    picture(page, "pad").get_by_role("button", name="Undo", exact=True).click()
    page.wait_for_url("**data=moons**")
    assert tab.visit.session == start
    events = ("null", "[]", '{"events": 3}', '{"events": [{"n": 1, "picture": "line"}]}')
    bodies = (*events, *(f'{{"message": {body}, "tab": 3, "search": 4}}' for body in events), "{")
    for body in bodies:
        answer = page.request.post(re.sub(r"/data.*$", "/did", page.url), data=body)
        assert answer.status == (400 if body == "{" else 200)
