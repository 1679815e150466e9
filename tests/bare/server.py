"""A shell without Streamlit: one tab of the instrument behind a server of the standard library.

    GET  /            the page      GET /frontend/...    its modules
    GET  /letters     every picture's letter, by the place it is shown in
    POST /did         a message of the channel; the letters after it

Run it to look at it: python tests/bare/server.py [PORT]
"""

from __future__ import annotations

import base64
import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from dtviz.app.instrument import Instrument
from dtviz.data.gallery import example_recipe
from dtviz.pictures.scales import LIGHT
from dtviz.session.events import pack_letter
from dtviz.session.overfit import overfit_works
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "dtviz"
SHOWN = ("rows", "overfit")
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css"}


def new_tab() -> Instrument:
    """A tab that looks at moons."""
    tab = Instrument(Visit(Session(example_recipe("moons", n=60, noise=0.25, seed=7))))
    tab.replace_session(tab.visit.session)
    return tab


def letters(tab: Instrument) -> dict[str, str]:
    """All that the page shows of a tab, in base 64."""
    screen = tab.current_screen()
    frames = {"pad": tab.pack_picture("pad", screen, LIGHT)}
    if isinstance(screen, Screen):
        while not all(tab.advance_work(one).is_done for one in overfit_works(screen.judged)):
            continue
        frames["page"] = tab.pack_page("grow", screen, LIGHT)
        frames |= {name: tab.pack_picture(name, screen, LIGHT) for name in SHOWN}
    tab.forget_held_frames()
    packed = {k: pack_letter(tab.visit.last_event, tab.mark, v) for k, v in frames.items()}
    return {name: base64.b64encode(letter).decode() for name, letter in packed.items()}


class Shell(BaseHTTPRequestHandler):
    """Answers the page of the server's `tab`."""

    server: Any

    def do_GET(self) -> None:
        """The page, one of its modules, or the letters."""
        if self.path == "/letters":
            return self._letters()
        name = self.path[1:] or "page.html"
        folder = PACKAGE if name.startswith("frontend/") else HERE
        file = (folder / name).resolve()
        if not file.is_relative_to(folder) or not file.is_file() or file.suffix not in TYPES:
            return self.send_error(404)
        return self._answer(TYPES[file.suffix], file.read_bytes(), "max-age=20")

    def do_POST(self) -> None:
        """What was done."""
        body = self.rfile.read(min(int(self.headers.get("Content-Length", 0)), 1_000_000))
        try:
            self.server.tab.handle_message(json.loads(body))
        except ValueError:
            return self.send_error(400)
        return self._letters()

    def log_message(self, *args: Any) -> None:
        """Nothing: tests read no log."""

    def _letters(self) -> None:
        self._answer("application/json", json.dumps(letters(self.server.tab)).encode())

    def _answer(self, kind: str, body: bytes, keep: str = "no-store") -> None:
        self.send_response(200)
        told = {"Content-Type": kind, "Content-Length": str(len(body)), "Cache-Control": keep}
        for name, value in told.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def serve(tab: Instrument, port: int = 0) -> HTTPServer:
    """A server of that tab, on a port of its own unless one is named; it does not run yet."""
    server: Any = HTTPServer(("localhost", port), Shell)
    server.tab = tab
    return server


if __name__ == "__main__":
    serve(new_tab(), int(sys.argv[1]) if len(sys.argv) > 1 else 8600).serve_forever()
