"""A real Chromium, the app it opens, and proof that nothing it does leaves this machine.

Glossary
    app_url   the address of a running app
    page      a tab, 1280x720; its context fails the test if it asked for anything outside
    settled   waits until the app has stopped running
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, Request, Route

VARIABLE = "DTVIZ_CHROMIUM"
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SIZE = {"width": 1280, "height": 720}
CONTEXT = {"viewport": SIZE, "screen": SIZE, "reduced_motion": "reduce", "service_workers": "block"}
HERE = ("localhost", "127.0.0.1")
INSTALL_SECONDS = 400
PICTURES = ("line", "stage", "tree")
HELP = f"""the browser tests need Chromium, and it could be neither found nor installed.
Do one of these and run the tests again:
    python -m playwright install --with-deps chromium
    sudo apt-get install chromium        (Debian; elsewhere the package of that or a like name)
    export {VARIABLE}=/path/to/chrome    (a Chromium or Chrome that is already there)"""


# --- finding the browser ------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The path of a Chromium that starts; installed if there is none."""
    own = playwright.chromium.executable_path
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return find_chromium(own)
    return _once(tmp_path_factory.getbasetemp().parent, lambda: find_chromium(own))


def find_chromium(own: str) -> str:
    """A Chromium that starts: named, on the PATH, playwright's `own`, else newly installed."""
    if named := os.environ.get(VARIABLE):
        if not _starts(named):
            pytest.fail(f"{VARIABLE}={named} does not start\n{HELP}", pytrace=False)
        return named
    said = ""
    for install in (_nothing, _through_playwright, _through_apt):
        said += install() + "\n"
        for program in (*map(shutil.which, PROGRAMS), own):
            if program and _starts(program):
                return program
    pytest.fail(f"{HELP}\n\nThe attempts to install it said:\n{said.strip()}", pytrace=False)


def _nothing() -> str:
    return ""


def _through_playwright() -> str:
    return _run(sys.executable, "-m", "playwright", "install", "chromium")


def _through_apt() -> str:
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return "no apt-get, or not root"
    apt = ("apt-get", "-o", "DPkg::Lock::Timeout=120")
    said = _run(*apt, "update")
    packages = ("chromium", "fonts-liberation")
    return said + "\n" + _run(*apt, "install", "--yes", "--no-install-recommends", *packages)


def _starts(program: str) -> bool:
    try:
        done = subprocess.run([program, "--version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _run(*command: str) -> str:
    """Run it without asking anything; the last lines it said."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
            timeout=INSTALL_SECONDS,
            check=False,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "\n".join(done.stdout.splitlines()[-5:])


def _once(folder: Path, find: Callable[[], str]) -> str:
    """What `find` gives, asked by the first worker only; the others wait for its answer."""
    answer = folder / "chromium.json"
    if not _first(folder / "chromium.lock"):
        return _answer(answer)
    found = {"failed": "the worker that looked for it was stopped"}
    try:
        found = {"path": find()}
    except pytest.fail.Exception as failure:
        found = {"failed": str(failure)}
        raise
    finally:
        (folder / "chromium.part").write_text(json.dumps(found))
        (folder / "chromium.part").rename(answer)
    return found["path"]


def _first(lock: Path) -> bool:
    """Whether nobody made the folder before."""
    try:
        lock.mkdir()
    except FileExistsError:
        return False
    return True


def _answer(file: Path) -> str:
    end = time.monotonic() + 2 * INSTALL_SECONDS
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    found = json.loads(file.read_text()) if file.exists() else {"failed": HELP}
    if "failed" in found:
        pytest.fail(found["failed"], pytrace=False)
    return str(found["path"])


# --- using it -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], chromium: str
) -> dict[str, Any]:
    return {**browser_type_launch_args, "executable_path": chromium, "args": FLAGS}


@pytest.fixture(scope="session")
def app_url(serve: Callable[..., Any]) -> str:
    """The address of the checkout's app, started with `dtviz` in an empty folder."""
    return str(serve().url)


@pytest.fixture
def outside() -> Iterator[list[str]]:
    """The addresses asked for on other machines; none may be left when the test ends."""
    asked: list[str] = []
    yield asked
    assert asked == [], "the app asked other machines for something"


@pytest.fixture
def raised() -> Iterator[list[str]]:
    """What was raised in a page and nobody caught; none may be left when the test ends."""
    errors: list[str] = []
    yield errors
    assert errors == [], "an error in the browser"


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext],
    outside: list[str],
    raised: list[str],
    request: pytest.FixtureRequest,
) -> Callable[..., BrowserContext]:
    """Opens a fresh browser, kept to this machine; `page` and `context` come from here too.

    Playwright's options override CONTEXT, as arguments or as @pytest.mark.browser_context_args.
    """
    marker = request.node.get_closest_marker("browser_context_args")
    marked = marker.kwargs if marker else {}

    def guarded(**options: Any) -> BrowserContext:
        chosen = {name: v for name, v in {**CONTEXT, **options}.items() if name not in marked}
        context = new_context(**chosen)
        context.route(lambda url: not _here(url), _refuse)
        context.on("request", note)
        context.on("weberror", lambda error: raised.append(str(error.error)))
        context.on("page", lambda page: page.on("websocket", note))
        return context

    def note(request: Any) -> None:
        if not _here(request.url):
            outside.append(request.url)

    return guarded


def _refuse(route: Route, _request: Request) -> None:
    route.abort("blockedbyclient")


def _here(url: str) -> bool:
    """Whether the address needs no other machine: this host, or no host at all (data, blob)."""
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about", "chrome-error") or parts.hostname in HERE


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], Page]:
    """`settled(page)` waits until the script has stopped and all pictures show the same step."""

    def wait(page: Page) -> Page:
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
        page.wait_for_timeout(250)
        for _ in range(100):
            shown = [name for name in PICTURES if page.locator(f".st-key-{name}").count()]
            steps = {page.locator(f"div.{name}").first.get_attribute("data-step") for name in shown}
            waits = shown and page.locator("div.line[data-waiting=true]").count()
            if len(steps) <= 1 and None not in steps and not waits:
                break
            page.wait_for_timeout(50)
        return page

    return wait
