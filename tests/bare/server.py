"""A host without Streamlit: instruments behind a server of the standard library.

    GET  /, /overfit, ...   the page      GET /frontend/...    its modules
    POST /did               an address that was opened, or a message of the channel; answered with
                            the letter of the page and the address of its screen

Run it to look at it: python tests/bare/server.py [PORT]
"""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from secrets import token_urlsafe
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from dtviz.app.instrument import Instrument, SharedState
from dtviz.app.navigation import START_RECIPE, Navigation, Params
from dtviz.base.progress import Work
from dtviz.data.dataset import DataError
from dtviz.pictures.forest import forest_jobs
from dtviz.pictures.frames import LAYOUTS
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stability import stability_jobs
from dtviz.session.events import pack_letter
from dtviz.session.overfit import overfit_works
from dtviz.session.screen import BlankScreen, Screen
from dtviz.session.session import Session, Visit

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "dtviz"
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}
PICTURES = {"impurity": "impurity", "data": "pad"}
"""Pictures of the pages that have one alone."""
PAGES = {"grow", *PICTURES, *LAYOUTS} & {
    "grow", "data", "overfit", "stability", "forest", "impurity"
}  # fmt: skip
WORKS: dict[str, Callable[[Screen], Iterable[Work[Any]]]] = {
    "overfit": lambda screen: overfit_works(screen.judged),
    "stability": stability_jobs,
    "forest": forest_jobs,
}
"""Functions that give the long work of a page, which is done before the page is shown."""
MAX_TABS, MAX_BYTES = 100, 1_000_000


@dataclass
class Tab:
    """An instrument, and the address that its browser has."""

    navigation: Navigation
    written: Params | None = None
    """Parameters of the address that was written last."""
    problem: str = ""
    """Sentence on why the data of an address cannot be built."""

    @property
    def instrument(self) -> Instrument:
        """Instrument of the tab."""
        return self.navigation.tab

    def answer(self, request: dict[str, Any]) -> dict[str, str]:
        """Do what a request asks for; return the letter of the page and its address."""
        navigation, search = self.navigation, str(request.get("search", ""))
        params = dict(parse_qsl(search[1:], keep_blank_values=True))
        self.problem = ""
        try:
            screen: BlankScreen = self._screen(request, params)
        except DataError as error:
            self.problem, screen = str(error), self.instrument.screen_without_data()
        letter = self._letter(screen)
        self.instrument.forget_held_frames()
        written, refusal = params, navigation.take_refusal()
        if isinstance(screen, Screen) and not self.problem:
            written = navigation.params_to_write(screen, params) or {}
            self.written = written
        if written != params:
            search = f"?{urlencode(written, quote_via=quote)}" if written else ""
        return {
            "page": navigation.page,
            "search": search,
            "letter": base64.b64encode(letter).decode(),
            "problem": " ".join((self.problem, refusal, *navigation.problems)).strip(),
        }

    def _screen(self, request: dict[str, Any], params: Params) -> Screen:
        """Do what a request asks for, and return the screen after it; raises DataError."""
        navigation, problems = self.navigation, ()
        if "message" in request and navigation.session is not None:
            self.instrument.handle_message(request["message"], self._follow)
            session = self.instrument.visit.session
        else:
            page = str(request.get("page"))
            page = page if page in PAGES else "grow"
            session, problems = navigation.arrive(page, params, [self.written])
        screen = navigation.open_screen(session, problems)
        next_page = navigation.take_next_page()
        if next_page in PAGES and next_page != navigation.page:
            return navigation.open_screen(*navigation.arrive(next_page, {}))
        return screen

    def _follow(self, params: Params) -> None:
        try:
            self.navigation.follow(params)
        except DataError as error:
            self.problem = str(error)

    def _letter(self, screen: BlankScreen) -> bytes:
        """Pack the letter of the page; b"" for a page that cannot be shown without data."""
        tab, page = self.instrument, self.navigation.page
        if page in LAYOUTS and isinstance(screen, Screen):
            for work in WORKS.get(page, lambda _: ())(screen):
                while not tab.advance_work(work).is_done:
                    pass
            frame = tab.pack_page(page, screen, LIGHT)
        elif page == "data" or isinstance(screen, Screen):
            frame = tab.pack_picture(PICTURES[page], screen, LIGHT)
        else:
            return b""
        return pack_letter(tab.visit.last_event, tab.mark, frame)


@dataclass
class Tabs:
    """The tabs of a server by name, the newest last; the oldest are dropped."""

    shared: SharedState = field(default_factory=SharedState)
    tabs: dict[str, Tab] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def answer(self, request: object) -> dict[str, str]:
        """Answer a request with any content; a tab that is not known opens a new one."""
        request = request if isinstance(request, dict) else {}
        with self.lock:
            name = str(request.get("tab"))
            if name not in self.tabs:
                name = token_urlsafe(12)
                new = Instrument(Visit(Session(START_RECIPE)), self.shared)
                self.tabs[name] = Tab(Navigation(new))
                while len(self.tabs) > MAX_TABS:
                    del self.tabs[next(iter(self.tabs))]
            return {"tab": name} | self.tabs[name].answer(request)

    @property
    def newest(self) -> Instrument:
        """Instrument of the tab that was opened last."""
        return [*self.tabs.values()][-1].instrument


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of the page, for the `tabs` of the server."""

    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:
        """Send the page, or one of its modules."""
        path = self.path.partition("?")[0][1:]
        name = "page.html" if (path or "grow") in PAGES else path
        folder = PACKAGE if name.startswith("frontend/") else HERE
        file = (folder / name).resolve()
        if not file.is_relative_to(folder) or not file.is_file() or file.suffix not in TYPES:
            return self.send_error(404)
        return self._answer(TYPES[file.suffix], file.read_bytes(), "max-age=20")

    def do_POST(self) -> None:
        """Answer what was done."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), MAX_BYTES))
        try:
            request = json.loads(body)
        except ValueError:
            return self.send_error(400)
        answer = self.server.tabs.answer(request)
        return self._answer("application/json", json.dumps(answer).encode())

    def log_message(self, *args: Any) -> None:
        """Write nothing: tests read no log."""

    def _answer(self, kind: str, body: bytes, cache_control: str = "no-store") -> None:
        self.send_response(200)
        headers = {
            "Content-Type": kind,
            "Content-Length": len(body),
            "Cache-Control": cache_control,
        }
        for name, value in headers.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(body)


def serve(port: int = 0) -> ThreadingHTTPServer:
    """Return a server, on a port of its own unless one is named; it does not run yet."""
    server: Any = ThreadingHTTPServer(("localhost", port), Handler)
    server.daemon_threads = True
    server.tabs = Tabs()
    return server


if __name__ == "__main__":
    serve(int(sys.argv[1]) if len(sys.argv) > 1 else 8600).serve_forever()
