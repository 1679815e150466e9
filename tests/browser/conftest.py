"""A real Chromium, the app it opens, and proof that nothing it does leaves this machine.

Glossary
    app_url   the address of a running app
    page      a tab, 1280x720; its context fails the test if it asked for anything outside
    context   a browser of its own, as to what it remembers; what it loaded stays in its cache
    settled   waits until the app has stopped running
    sharing   makes `moved` and `phoned`, a tab for each kind of context
    moved     moves the tab that tests share to a path: for those that leave nothing else behind
    phoned    the same on a phone, 390x844, under a finger
    waits     whether the page has sent something that the server has said nothing to
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect

VARIABLE = "DTVIZ_CHROMIUM"
SHELL = "chromium-headless-shell"  # a tenth faster: no windows, no profile
PROGRAMS = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
    # No tab does enough to win back what a better compiler takes.
    "--js-flags=--no-opt --no-maglev",
]  # fmt: skip
SIZE = {"width": 1280, "height": 720}
CONTEXT = {"viewport": SIZE, "screen": SIZE, "reduced_motion": "reduce", "service_workers": "block"}
SMALL = {"width": 390, "height": 844}
PHONE = {**CONTEXT, "viewport": SMALL, "screen": SMALL, "has_touch": True, "is_mobile": True}
HERE = ("localhost", "127.0.0.1")
INSTALL_SECONDS = 400
PATIENCE = 60_000.0  # milliseconds until a state is given up; a busy machine needs many of them
PICTURES = ("line", "stage", "tree")
WIRE = """
window.wire = { sent: 0, waits: false, got: null };
window.WebSocket = class extends WebSocket {
  constructor(...all) {
    super(...all);
    this.addEventListener("message", ({ data }) => {
      wire.waits = false;
      wire.got?.push(data);
    });
  }
  send(data) {
    wire.sent++;
    wire.waits = true;
    super.send(data);
  }
};
"""
LEAVE = """
() => {
  document.activeElement?.blur();
  document.querySelector("[data-testid=stMain]").scrollTo(0, 0);
  if (wire.got) wire.got = [];
}
"""
MOVE = """
(path) => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""
SETTLED = """
async ([names, patience]) => {
  const grow = () => document.querySelector(".st-key-grow");
  const page = () => [...grow().querySelectorAll("*")].find((one) => one.shadowRoot)?.shadowRoot;
  const picture = (name) => page()?.querySelector(`div.${name}:not([hidden])`);
  const quiet = () => {
    if (window.wire.waits) return false;
    if (!document.querySelector("[data-testid=stApp][data-test-script-state=notRunning]"))
      return false;
    if (!grow()) return true;
    if (!picture("stage")) return false;
    const shown = names.map(picture).filter(Boolean);
    const steps = new Set(shown.map((one) => one?.dataset.step));
    const waits = shown.some((one) => one?.dataset.waiting === "true" || one?.dataset.moving);
    return steps.size <= 1 && !steps.has(undefined) && !waits;
  };
  const end = performance.now() + patience;
  for (let looks = 0; looks < 5 && performance.now() < end; looks = quiet() ? looks + 1 : 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
  return quiet();
}
"""
HELP = f"""the browser tests need Chromium, and it could be neither found nor installed.
Do one of these and run the tests again:
    python -m playwright install --with-deps chromium
    sudo apt-get install chromium        (Debian; elsewhere the package of that or a like name)
    export {VARIABLE}=/path/to/chrome    (a Chromium or Chrome that is already there)"""


# --- finding the browser ------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> str:
    """The path of a Chromium that starts; installed if there is none."""
    return find_chromium(playwright.chromium.executable_path)


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
    install = (*apt, "install", "--yes", "--no-install-recommends", "fonts-liberation")
    said = [_run(*apt, "update"), _run(*install, SHELL)]
    if not shutil.which(SHELL):
        said.append(_run(*install, "chromium"))
    return "\n".join(said)


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


# --- using it -----------------------------------------------------------------------------------

expect.set_options(timeout=PATIENCE)


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
    """What was raised in a page and nobody caught, and what the policy of the server forbade it.

    None may be left when the test ends.
    """
    errors: list[str] = []
    yield errors
    assert errors == [], "an error in the browser"


@pytest.fixture(scope="session")
def browser(browser: Browser, app_url: str) -> Browser:
    """The browser; a context closed is emptied and given out again, for what it has loaded."""
    idle: defaultdict[str, list[BrowserContext]] = defaultdict(list)
    make: Callable[..., BrowserContext] = browser.new_context

    def new_context(**options: Any) -> BrowserContext:
        kept = idle[repr(sorted(options.items()))]
        context = kept.pop() if kept else _opening_quickly(make(**options), app_url)

        def close() -> None:
            _empty(context)
            kept.append(context)

        context.close = close
        return context

    browser.new_context = new_context
    return browser


def _opening_quickly(context: BrowserContext, app_url: str) -> BrowserContext:
    """A context whose new tabs are opened by its first: that process has read the scripts."""
    context.set_default_timeout(PATIENCE)
    context.add_init_script(WIRE)
    first = context.new_page()
    first.goto(app_url + "/_stcore/health")

    def new_page() -> Page:
        with first.expect_popup() as opened:
            first.evaluate("() => { window.open('about:blank') }")
        return opened.value

    context.new_page = new_page
    return context


def _empty(context: BrowserContext) -> None:
    """Take everything from it but its cache: tabs, cookies, permissions, what pages stored."""
    first, *pages = context.pages
    origins = {"{0.scheme}://{0.netloc}".format(urlsplit(page.url)) for page in pages}
    for page in pages:
        page.close()
    context.clear_cookies()
    context.clear_permissions()
    session = context.new_cdp_session(first)
    for origin in origins:
        session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
    session.detach()


Watch = Callable[[BrowserContext], None]


@pytest.fixture
def watch(outside: list[str], raised: list[str]) -> Iterator[Watch]:
    """`watch(context)` notes in `outside` and `raised` what its tabs do."""
    watched: list[tuple[Any, Any, Callable[[Any], None]]] = []

    def note(request: Any) -> None:
        if not _here(request.url):
            outside.append(request.url)

    def complained(message: Any) -> None:
        if message.type == "error":
            sys.stdout.write(f"{message.text}\n")  # with a failure: what a dialog of streamlit says
        if "Content Security Policy" in message.text:
            raised.append(message.text)

    listeners: dict[Any, Callable[[Any], None]] = {
        "request": note,
        "console": complained,
        "weberror": lambda error: raised.append(str(error.error)),
        "page": lambda page: page.on("websocket", note),
    }

    def add(context: BrowserContext) -> None:
        for event, listener in listeners.items():
            context.on(event, listener)
        watched.extend((context, event, listener) for event, listener in listeners.items())
        for page in context.pages:
            page.on("websocket", note)
            watched.append((page, "websocket", note))

    yield add
    for one, event, listener in watched:
        one.remove_listener(event, listener)


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], watch: Watch
) -> Callable[..., BrowserContext]:
    """Opens a browser that remembers nothing; `page` and `context` come from here too.

    It finds no other machine: FLAGS see to that, and `outside` to its not even asking.
    Playwright's options override CONTEXT.
    """

    def guarded(**options: Any) -> BrowserContext:
        context = new_context(**{**CONTEXT, **options})
        watch(context)
        return context

    return guarded


@pytest.fixture(scope="session")
def shared() -> dict[str, Page]:
    """The tabs that tests share, each under what its context was made with."""
    return {}


Sharing = Callable[[dict[str, Any]], Callable[[str], Page]]


@pytest.fixture
def sharing(
    browser: Browser,
    shared: dict[str, Page],
    app_url: str,
    settled: Callable[[Page], Page],
    watch: Watch,
    request: pytest.FixtureRequest,
) -> Iterator[Sharing]:
    """`sharing(options)(path)` is the tab shared by all who ask for such a context, at this path.

    It is as Back or a link within the app leave it, and is given up when a test fails.
    """
    failed = request.session.testsfailed
    used: set[str] = set()

    def tab(options: dict[str, Any]) -> Callable[[str], Page]:
        name = repr(sorted(options.items()))

        def move(path: str) -> Page:
            if name not in shared:
                shared[name] = browser.new_context(**options).new_page()
            page = shared[name]
            if name not in used:
                watch(page.context)
                used.add(name)
            if not page.url.startswith(app_url):
                page.goto(app_url + path)
                return settled(page)
            page.mouse.move(0, 0)
            page.emulate_media(color_scheme="light", reduced_motion="reduce", forced_colors="none")
            if page.viewport_size != options["viewport"]:
                page.set_viewport_size(options["viewport"])
            page.evaluate(LEAVE)
            settled(page).evaluate(MOVE, path)
            return settled(page)

        return move

    yield tab
    if request.session.testsfailed > failed:
        for name in used:
            shared.pop(name).context.close()


@pytest.fixture
def moved(sharing: Sharing) -> Callable[[str], Page]:
    """`moved(path)` is the shared tab at this path, settled: a fifth of the work of a new one."""
    return sharing(CONTEXT)


@pytest.fixture
def phoned(sharing: Sharing) -> Callable[[str], Page]:
    """`phoned(path)` is the shared tab of a phone at this path, settled."""
    return sharing(PHONE)


def _here(url: str) -> bool:
    """Whether the address needs no other machine: this host, or no host at all (data, blob)."""
    parts = urlsplit(url)
    return parts.scheme in ("data", "blob", "about", "chrome-error") or parts.hostname in HERE


@pytest.fixture(scope="session")
def settled() -> Callable[[Page], Page]:
    """`settled(page)` waits until the script has stopped and all pictures show the same step."""

    def wait(page: Page) -> Page:
        assert page.evaluate(SETTLED, [PICTURES, PATIENCE]), "the app does not come to rest"
        return page

    return wait
