"""A screen saved as a file in a real Chromium, and opened again where it is dropped."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from acts import (
    SENT,
    UPLOAD,
    NewContext,
    Settled,
    Visit,
    choose_other_cut,
    expect_asked,
    expect_step,
    grow_on,
    has_no_error,
    look,
    press,
    query,
    split_here,
    until,
)
from playwright.sync_api import Page, expect
from screens import PENGUINS

# --- files that the browser keeps -----------------------------------------------------------------

KEPT = re.compile("kept in this browser")


def kept(page: Page) -> int:
    """How many files the browser keeps for this server."""
    return int(page.evaluate(COUNT))


COUNT = """
async () => {
  const known = await indexedDB.databases();
  if (!known.some(({ name }) => name === "dtviz")) return 0;
  return new Promise((done) => {
    const request = indexedDB.open("dtviz", 1);
    request.onsuccess = () => {
      const many = request.result.transaction("about").objectStore("about").count();
      many.onsuccess = () => { request.result.close(); done(many.result); };
    };
  });
}
"""


@pytest.mark.parametrize(
    ("rows", "size"),
    [(44, "45 kB"), pytest.param(4_400, "4.4 MB", marks=pytest.mark.nightly)],
    ids=["small", "in several pieces"],
)
def test_a_table_comes_back_after_refresh_in_a_second_tab_and_until_it_is_forgotten(
    page: Page, app_url: str, settled: Settled, tmp_path: Path, rows: int, size: str
) -> None:
    lines = (f"{k},{'n' * 1_000},{'uv'[7 * k // rows % 2]}\n" for k in range(rows))
    file = tmp_path / "long.csv"
    file.write_text("x,note,y\n" + "".join(lines))
    page.goto(app_url + "/data")
    settled(page)
    expect(page.get_by_role("button", name="Forget my files")).to_be_hidden()
    grow_on(page, settled, file)
    press(page, settled, "next")
    seen, address = look(page), query(page)
    until(page, f"async () => (await ({COUNT})()) === 1")
    page.reload()
    expect_step(page, 1)
    settled(page)
    assert look(page) == seen
    assert query(page) == address
    press(page, settled, "next")  # the link goes on from there
    seen = look(page)

    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="long.csv")).to_be_visible()
    expect_step(other, 2)
    settled(other)
    assert look(other) == look(page)

    other.get_by_role("link", name="Data").first.click()
    expect(other.get_by_text(KEPT)).to_have_text(
        re.compile(rf"^A file of yours \({size}\) is kept")
    )
    other.get_by_role("button", name="Forget my files").click()
    expect(other.get_by_text(KEPT)).to_be_hidden()
    assert kept(other) == 0
    settled(other)
    page.reload()
    expect_asked(page, settled)
    page.locator(UPLOAD).first.set_input_files(file)
    expect_step(page, 2)
    settled(page)
    assert look(page) == seen
    has_no_error(page)


STORE = """
async (path) => {
  const store = await import(path);
  await store.clear();
  for (const [mark, size] of [["a", 3000], ["b", 4000], ["c", 2000]]) {
    await store.put(mark, new Uint8Array(size), 9_999);
    await new Promise((done) => setTimeout(done, 5));
  }
  const before = (await store.get("a")).length;
  await new Promise((done) => setTimeout(done, 5));
  await store.put("d", new Uint8Array(1), 9_999);
  const after = await Promise.all(["a", "b", "c", "d"].map(store.get));
  await store.put("e", new Uint8Array(20_000), 9_999);
  const last = await store.sizes();
  await store.clear();
  return [before, after.map((one) => one?.length ?? null), last, await store.sizes()];
}
"""


def test_of_more_than_is_kept_what_was_not_asked_for_the_longest_goes_first(
    moved: Visit, app_url: str
) -> None:
    store = f"{app_url}/_stcore/bidi-components/dtviz.view/lib/store.js"
    found = moved("/data").evaluate(STORE, store)
    assert found == [3000, [3000, None, 2000, 1], [20_000], []]


FULL = "_".join(f"{k % 20}.5~{k // 20}.25~{'AB'[k % 2]}" for k in range(300))


@pytest.mark.nightly
def test_a_drawing_of_very_many_points_comes_back_after_refresh_and_back(
    page: Page, app_url: str, settled: Settled
) -> None:
    page.goto(f"{app_url}/data?data=drawn&kind=classes&points={FULL}")
    pad = page.locator(".pad-surface")
    shas = []
    for k in range(3):
        settled(page)
        pad.click(position={"x": 120 + 40 * k, "y": 200})
        expect(page.get_by_text(f"{301 + k} points: a link carries 300")).to_be_visible()
        settled(page)
        shas.append(query(page)["sha"])
    assert len({*shas}) == 3
    page.reload()
    expect(page.get_by_text("303 points: a link carries 300")).to_be_visible()
    settled(page)
    assert query(page)["sha"] == shas[2]
    page.go_back()  # to what this server never saw
    expect(page.get_by_text("302 points: a link carries 300")).to_be_visible()
    settled(page)
    assert query(page)["sha"] == shas[1]
    pad.click(position={"x": 300, "y": 300})
    expect(page.get_by_text("303 points: a link carries 300")).to_be_visible()
    has_no_error(page)


@pytest.mark.nightly
def test_a_fresh_server_leads_from_page_to_page_and_the_next_knows_the_table_link_and_saved_screen(
    page: Page, new_context: NewContext, serve: Callable[..., Any], settled: Settled, tmp_path: Path
) -> None:
    server = serve()
    answers: list[tuple[int, str]] = []
    page.on("response", lambda answer: answers.append((answer.status, answer.url)))
    page.goto(server.url + "/impurity")
    for path in ("forest", "data"):
        settled(page)
        expect(page.locator("[data-testid=stSidebarNav]")).to_have_count(0)
        page.get_by_role("link", name=path.capitalize()).first.click()
        page.wait_for_url(f"{server.url}/{path}*")
    settled(page)
    grow_on(page, settled, PENGUINS)
    press(page, settled, "next")
    seen, address = look(page), query(page)
    assert len(answers) > 50
    assert [(status, url) for status, url in answers if status >= 400] == []
    ours = {url.partition("/dtviz.view/")[2] for _, url in answers} - {""}
    assert ours == {"view.js", "view.css"}
    server.process.kill()
    server.process.wait()
    sent = page.evaluate(SENT)
    again = serve(port=server.port)
    until(page, "(sent) => wire.sent > sent", sent)  # to the next one: until then the page stands
    settled(page)
    expect(page.locator(".st-key-looking")).to_have_count(0)
    expect_step(page, 1)
    settled(page)
    assert (look(page), query(page)) == (seen, address)
    choose_other_cut(page, settled, axis=1)
    split_here(page, settled)
    expect_step(page, 2)
    has_no_error(page)
    assert page.locator(UPLOAD).count() == 0

    seen, address = look(page), query(page)
    page.get_by_role("button", name="Share").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name="Save this screen as a file").click()
    assert coming.value.suggested_filename == "penguins-csv.dtviz.json"
    saved = tmp_path / coming.value.suggested_filename
    coming.value.save_as(saved)

    fresh = new_context().new_page()
    fresh.goto(page.url)
    expect_asked(fresh, settled)
    expect(fresh.get_by_text("penguins.csv")).to_be_visible()
    expect(fresh.get_by_role("button", name="All ways to give data")).to_be_visible()
    fresh.locator(UPLOAD).first.set_input_files(saved)
    expect_step(fresh, 2)
    settled(fresh)
    assert (look(fresh), query(fresh)) == (seen, address)
    has_no_error(fresh)
    again.stop()


# --- a server that is killed and started again, a socket that is cut until the session has expired

SMALL = "x,z,y\n" + "".join(f"{k % 17},{k % 5},{'uvw'[k * k % 3]}\n" for k in range(60))
SOCKET = """
window.WebSocket = class extends WebSocket {
  constructor(address, protocols) {  // the third names the session to come back to
    super(address, protocols.slice(0, window.expired ? 2 : 3));
    window.socket = this;
  }
};
"""
STAYS_AWAY = "**/_stcore/h*"  # health, host-config: asked before a socket is opened again
LOG = "(log) => new URLSearchParams(location.search).get('log') === log"
STATE = "data-test-connection-state"


def upload(page: Page, url: str, settled: Settled, folder: Path) -> None:
    file = folder / "table.csv"
    file.write_text(SMALL)
    page.goto(url + "/data")
    settled(page)
    grow_on(page, settled, file)
    press(page, settled, "next", 3)


def drawing(page: Page, url: str, settled: Settled, folder: Path) -> None:
    page.goto(f"{url}/data?data=drawn&kind=classes&points={FULL}")
    settled(page)
    page.locator(".pad-surface").click(position={"x": 120, "y": 200})
    expect(page.get_by_text("301 points: a link carries 300")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Grow a tree on it").first.click()
    expect_step(page, 0)
    settled(page)
    press(page, settled, "next", 3)


def link(page: Page, url: str, settled: Settled, folder: Path) -> None:
    page.goto(url + "/?data=moons&n=200&noise=0.4")
    settled(page)
    press(page, settled, "next", 3)


@pytest.mark.nightly
def test_what_is_pressed_while_the_server_is_away_is_done_on_the_screen_it_was_pressed_on(
    new_context: NewContext, serve: Callable[..., Any], settled: Settled, tmp_path: Path
) -> None:
    server, pages = serve(), []
    for give in (upload, drawing, link):
        page = new_context().new_page()
        page.add_init_script(SOCKET)
        give(page, server.url, settled, tmp_path)
        pages.append(page)
    stored = "async () => (await indexedDB.databases()).some(({ name }) => name === 'dtviz')"
    for page in pages[:2]:
        until(page, stored)
    data = [query(page) for page in pages]
    step = 3
    for way, pressed in (("kill", False), ("kill", True), ("cut", False), ("cut", True)):
        for page in pages:
            page.route(STAYS_AWAY, lambda route: route.abort())
        if way == "kill":
            server.process.kill()
            server.process.wait()
        else:
            for page in pages:
                page.evaluate("() => { window.expired = true; socket.close(); }")
        for page in pages:
            app = page.locator(f"[data-testid=stApp]:not([{STATE}=CONNECTED])")
            app.wait_for()
            if pressed:
                page.locator("div.line [data-name=next]").click()
        if way == "kill":
            server = serve(port=server.port)
        step += 1
        for page in pages:
            page.unroute(STAYS_AWAY)
        for page, before in zip(pages, data, strict=True):
            page.locator(f"[data-testid=stApp][{STATE}=CONNECTED]").wait_for()
            if not pressed:
                page.locator("div.line [data-name=next]").click()
            until(page, LOG, f"a{step}")  # the line shows the step before the server has made it
            settled(page)
            expect_step(page, step)
            now = query(page)
            assert {**now, "log": ""} == {**before, "log": ""}, (way, pressed, now)
            has_no_error(page)
    server.stop()
