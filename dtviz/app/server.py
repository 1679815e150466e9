"""What stands in front of the pages, however they are started: `dtviz` or `streamlit run app.py`.

Opened at /learn, the browser would look for the server at /learn/ first and be refused twice. The
document of a page says where it is: beside the page, whatever stands before both in the address.
It also holds lib/bursts.js, so that the browser draws what a run says once, and lib/notices.js, so
that it tells of the server in words of ours in the place of Streamlit's dialogs.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.errors import StreamlitAPIException
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig
from streamlit.runtime import app_session
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunner

from dtviz.app.frontend import FOLDER, Frontend
from dtviz.app.guard import Guard
from dtviz.app.page import FRAGMENT_KEY
from dtviz.app.state import shared

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


GRACE = 10.0
"""Seconds from the first of a few tabs that is forgotten until their memory is given back."""
MOMENT = 0.2
"""Seconds in which Streamlit looks at the tabs that are there."""
SIGN_OF_LIFE = BackMsg(app_heartbeat=True).SerializeToString()


class Memory:
    """Has memory given back some time after a tab has left."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.departures: deque[float] = deque()
        self.task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the end of a websocket is a tab that leaves."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        host = [header for header in scope["headers"] if header[0] == b"host"]
        visit = {**scope, "headers": host}  # without what names the tab's session
        try:
            await self.app(scope, receive, send)
        finally:
            self.departures.append(time.monotonic())
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self._give_back(visit))

    async def _give_back(self, visit: Scope) -> None:
        """Give memory back as soon as tabs that left are forgotten, for a few tabs together."""
        while self.departures:
            patience = st.get_option("server.disconnectedSessionTTL")
            await asyncio.sleep(self.departures[0] + patience + GRACE - time.monotonic())
            while self.departures and self.departures[0] < time.monotonic() - patience:
                self.departures.popleft()
            await self._come_and_leave(visit)
            await asyncio.to_thread(give_back)

    async def _come_and_leave(self, visit: Scope) -> None:
        """Come and leave as a tab, so that Streamlit forgets those that left long ago.

        Streamlit keeps hold of the tab that it sent something to last: now the answer to a sign of
        life.
        """
        kinds = iter(["connect", "receive", "disconnect"])

        async def receive() -> Message:
            kind = next(kinds)
            if kind == "disconnect":
                await asyncio.sleep(MOMENT)
            return {"type": f"websocket.{kind}", "bytes": SIGN_OF_LIFE, "code": 1001}

        async def send(message: Message) -> None:
            pass

        await self.app({**visit}, receive, send)


def give_back() -> None:
    """Free what is forgotten, and give freed memory to the system."""
    for _ in range(2):  # what refers to a session is found once the session has ended
        gc.collect()
    shared().fit()
    with suppress(OSError, AttributeError):  # glibc alone has it
        ctypes.CDLL(None).malloc_trim(0)


DOCUMENT = Path(st.__file__).parent / "static" / "index.html"
BEFORE = '<script type="module"'
SERVER = (
    '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location).href, '
    "HOST_CONFIG: {blockErrorDialogs: true}}</script>"
)
INLINE = {
    "lib/bursts.js": "hearInBursts(window)",
    "lib/notices.js": "watch(window.__streamlit.BACKEND_BASE_URL)",
}
"""Modules that a document holds itself, with how each begins: before Streamlit's script."""
TELLS = "_populate_theme_msg"
"""What of streamlit.runtime.app_session tells a theme."""
RUNS = "_run_script"
"""What of Streamlit's ScriptRunner runs a page, or parts of it."""
CLEARS, PARTS, PLACES = "clear", "fragment_ids_this_run", "_delta_index_map"
"""What of Streamlit's queue of messages drops those that a new run makes useless, told the parts
that are run; and where in it the last message for each place on the page stands.
"""
IN_MEMORY = 1 << 40
"""Bytes of an upload that are not written to a temporary file: more than any has."""


class ThemeOnce:
    """Streamlit's `tell(message, section)` of a theme, which it asks for six times in every run.

    What the server was started with does not change: each section is `made` once.
    """

    def __init__(self, tell: Callable[[CustomThemeConfig, str], None]) -> None:
        self.tell, self.made = tell, dict[str, CustomThemeConfig]()

    def __call__(self, message: CustomThemeConfig, section: str = "theme") -> None:
        """Tell a section of the theme."""
        if section not in self.made:
            made = CustomThemeConfig()
            self.tell(made, section)
            self.made[section] = made
        if self.made[section].ByteSize():  # else it would be there, and empty
            message.MergeFrom(self.made[section])


def of_this_page(run: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Streamlit's `run` of a page or its parts, but for parts that the page has no more.

    What was done on one of them as something above it came or went is heard, and answered by the
    page. Those of the page before are not run: what they answer would be in its name, and the
    browser would take the new one away.
    """

    @wraps(run)
    def runs(runner: Any, asked: Any) -> None:
        parts, known = asked.fragment_id_queue, runner._fragment_storage
        if parts and not any(map(known.contains, parts)):
            if asked.page_script_hash != runner._pages_manager.current_page_script_hash:
                return
            try:
                asked = replace(asked, fragment_id_queue=known.resolve_target(FRAGMENT_KEY))
            except StreamlitAPIException:
                return
        run(runner, asked)

    return runs


def all_drawn(clear: Callable[..., None]) -> Callable[..., None]:
    """Streamlit's `clear` of the messages that wait as a run begins, but for one of a page's parts
    where a run of all has just ended: it drops nothing then.

    Streamlit drops what the parts drew in the run of all, and keeps that it ended: what stands on
    the page and was not sent anew is then taken away by the browser until the parts have run.
    """

    @wraps(clear)
    def clears(queue: Any, *all_of_it: Any, **named: Any) -> None:
        parts = named.get(PARTS)
        if parts and hasattr(queue, PLACES) and any(map(_ended, getattr(queue, "_queue", ()))):
            setattr(queue, PLACES, {})  # what is drawn anew comes after it, not in its place
        else:
            clear(queue, *all_of_it, **named)

    return clears


def _ended(message: ForwardMsg) -> bool:
    ended = message.WhichOneof("type") == "script_finished"
    return ended and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def guarded(app: str | Path, framed: Sequence[str] = ()) -> dict[str, Any]:
    """The routes and the middleware of a server of the pages beside that app.py.

    `framed` are the sites that may show it in a frame.
    """
    # app.py names the pages; without this, a first visit to /learn would find streamlit's
    # automatic menu of the folder pages/ instead (it is unset only by a first visit to /).
    PagesManager.uses_pages_directory = False
    MultiPartParser.spool_max_size = IN_MEMORY
    told = getattr(app_session, TELLS, None)  # without it all goes on, a little slower
    if told is not None and not isinstance(told, ThemeOnce):
        setattr(app_session, TELLS, ThemeOnce(told))
    _widen(ScriptRunner, RUNS, of_this_page)
    _widen(ForwardMsgQueue, CLEARS, all_drawn)
    plain = DOCUMENT.read_text(encoding="utf-8")
    document = plain.replace(BEFORE, SERVER + inline() + BEFORE, 1)

    def page(_: Request) -> HTMLResponse:
        return HTMLResponse(document, headers={"Cache-Control": "no-cache"})

    pages = sorted(script.stem for script in (Path(app).parent / "pages").glob("*.py"))
    return {
        "routes": [Route(f"/{name}", page) for name in ("", *pages)],
        "middleware": [
            Middleware(Guard, documents=(plain, document), framed=framed),
            Middleware(Frontend),
            Middleware(Memory),
        ],
    }


def inline() -> str:
    """The scripts of a document that are modules of ours."""
    texts = [(FOLDER / name).read_text(encoding="utf-8") + act for name, act in INLINE.items()]
    return "".join(f'<script type="module">\n{text};\n</script>' for text in texts)


def _widen(kind: type, name: str, by: Callable[[Any], Any]) -> None:
    """Widen a method of Streamlit's once; without it all goes on, as in Streamlit itself."""
    method = getattr(kind, name, None)
    if method is not None and not hasattr(method, "__wrapped__"):
        setattr(kind, name, by(method))
