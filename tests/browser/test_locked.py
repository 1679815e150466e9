"""What a browser is told that it may do: everything the pages need, and nothing of others.

What the policy forbids and a page does anyway fails every browser test: see `raised`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from acts import Visit
from playwright.sync_api import Page, expect

TRY = """
async () => {
  const script = document.createElement("script");
  script.textContent = "window.ran = true";
  document.body.append(script);
  await new Promise((resolve) => setTimeout(resolve)); // what is asked from outside may do more
  const works = async (what) => {
    try { await what(); return true; } catch { return false; }
  };
  return {
    inline: window.ran === true,
    evaluated: await works(() => new Function("return 1")()),
    blob: await works(() => import(URL.createObjectURL(
      new Blob(["export default 1"], { type: "text/javascript" })))),
    outside: await works(() => fetch("http://127.0.0.1:9/")),
    wasm: await works(() => WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))),
  };
}
"""


class Framing(BaseHTTPRequestHandler):
    """A page of another site that shows in a frame what is asked for."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        address = self.path.partition("?")[2]
        self.wfile.write(f'<iframe src="{address}" width="900" height="600"></iframe>'.encode())

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    """The address of another site that frames what its own address asks for."""
    shell = ThreadingHTTPServer(("127.0.0.1", 0), Framing)
    thread = threading.Thread(target=shell.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{shell.server_port}"
    shell.shutdown()
    thread.join()
    shell.server_close()


def test_a_script_that_is_not_the_apps_own_does_not_run(moved: Visit, raised: list[str]) -> None:
    found = moved("/impurity").evaluate(TRY)
    wanted = {"inline": False, "evaluated": False, "blob": False, "outside": False, "wasm": False}
    assert found == wanted
    assert len(raised) == 4, raised
    raised.clear()


@pytest.mark.nightly
def test_another_site_frames_the_app_only_where_that_was_allowed(
    page: Page, app_url: str, site: str, serve: Callable[..., Any], raised: list[str]
) -> None:
    page.goto(f"{site}/?{app_url}/data")
    expect(page.frame_locator("iframe").locator("#root")).to_have_count(0)
    assert "frame-ancestors 'none'" in " ".join(raised)
    raised.clear()
    allowing = serve(sys.executable, "-m", "dtviz", "--frame", site)
    page.goto(f"{site}/?{allowing.url}/data")
    framed = page.frame_locator("iframe")
    expect(framed.get_by_role("link", name="Grow").first).to_be_visible()
    expect(framed.locator("[data-testid=stApp]")).to_have_attribute(
        "data-test-script-state", "notRunning"
    )
