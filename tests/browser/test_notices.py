"""What a page says of its server, its uploads and its storage in a real Chromium."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from acts import UPLOAD, NewContext, Settled, expect_step, press, upload
from playwright.sync_api import Page, Route, expect

BLOCKED = """
IDBFactory.prototype.open = () => { throw new DOMException("denied", "SecurityError"); };
"""
TABLE = "x,y\n" + "".join(f"{k},{'uv'[k > 20]}\n" for k in range(40))


def notice(page: Page, text: str) -> Any:
    return page.locator(".dtviz-notices p").filter(has_text=text)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="a process cannot be halted there")
def test_a_server_that_is_silent_or_away_is_told_until_it_is_back(
    page: Page, serve: Callable[..., Any], settled: Settled
) -> None:
    server = serve()
    page.goto(server.url)
    expect_step(page, 0)
    settled(page)
    server.process.send_signal(signal.SIGSTOP)
    try:
        page.keyboard.press("ArrowRight")
        expect(notice(page, "The server does not answer")).to_be_visible()
    finally:
        server.process.send_signal(signal.SIGCONT)
    expect(page.locator(".dtviz-notices p")).to_have_count(0)
    expect_step(page, 1)
    server.process.kill()
    server.process.wait()
    expect(notice(page, "The server is away")).to_be_visible()
    again = serve(port=server.port)
    expect(page.locator(".dtviz-notices p")).to_have_count(0)
    settled(page)
    press(page, settled, "next")
    expect_step(page, 2)
    again.stop()


def test_a_cut_upload_is_told_and_gone_with_the_next_file_and_so_is_a_storage_that_is_blocked(
    new_context: NewContext, app_url: str, settled: Settled, tmp_path: Path
) -> None:
    file = tmp_path / "table.csv"
    file.write_text(TABLE)
    page = new_context().new_page()
    page.add_init_script(BLOCKED)

    def cut(route: Route) -> None:
        route.abort() if route.request.method == "PUT" else route.continue_()

    page.route("**/_stcore/upload_file/**", cut)
    page.goto(app_url + "/data")
    settled(page)
    upload(page, settled, file)
    expect(page.get_by_text("The file did not arrive")).to_be_visible()
    expect(page.get_by_text("Error")).to_have_count(0)
    page.unroute("**/_stcore/upload_file/**")
    page.locator(UPLOAD).first.set_input_files(file)
    grow = page.get_by_role("button", name="Grow a tree on this table").first
    expect(grow).to_be_visible()
    expect(page.get_by_text("The file did not arrive")).to_have_count(0)
    grow.click()
    kept = notice(page, "This browser cannot keep table.csv")
    expect(kept).to_be_visible()
    kept.get_by_role("button", name="Close this notice").click()
    expect(kept).to_have_count(0)
