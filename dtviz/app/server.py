"""Routes and middleware of the server, for `dtviz` and `streamlit run`.

The short address /t/CODE leads to the link that classroom.py keeps under this code.

All pages have one HTML document, that of Streamlit with two scripts and our style more. The first
script tells Streamlit's the URL of the server: on a page at /learn, Streamlit would look for the
server at /learn/ first and be refused twice. The other is lib/notices.js, which shows notices of
the server in our words instead of Streamlit's dialogs.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import re
import time
from base64 import b64encode
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import streamlit as st
from starlette.convertors import Convertor, register_url_convertor
from starlette.formparsers import MultiPartParser
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from dtviz.app.classroom import CLASSROOM, TooManyMissesError, visitor_of
from dtviz.app.guard import Guard
from dtviz.app.page import (
    FRONTEND_FOLDER,
    PAGES,
    Frontend,
    PackedFile,
    PageSpec,
    page_style,
    without_comments,
)
from dtviz.app.run_order import RunOrder
from dtviz.app.state import SHARED
from dtviz.app.streamlit_parts import DOCUMENT, BackMsg, ignore_pages_folder
from dtviz.data.gallery import asset

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


GRACE_SECONDS = 10.0
"""Seconds from the time when Streamlit may forget a tab until memory is freed, so that memory is
freed once for tabs that left together."""
CONNECTION_SECONDS = 0.2
"""Seconds for which the middleware connects as a tab: in them Streamlit forgets tabs that left."""
HEARTBEAT = BackMsg(app_heartbeat=True).SerializeToString()
"""Message of a browser that Streamlit answers without running a page."""


class MemoryRelease:
    """Middleware that frees memory some time after a tab has left."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.departures: deque[float] = deque()
        self.task: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; when a websocket ends, a tab has left."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        host = [header for header in scope["headers"] if header[0] == b"host"]
        new_tab = {**scope, "headers": host}  # without headers that name the session of this tab
        try:
            await self.app(scope, receive, send)
        finally:
            self.departures.append(time.monotonic())
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self._free_later(new_tab))

    async def _free_later(self, new_tab: Scope) -> None:
        """Free memory each time when tabs that left can be forgotten, until no such tab remains.

        `new_tab` is the request by which a browser opens a new tab.
        """
        while self.departures:
            ttl = st.get_option("server.disconnectedSessionTTL")
            await asyncio.sleep(self.departures[0] + ttl + GRACE_SECONDS - time.monotonic())
            while self.departures and self.departures[0] < time.monotonic() - ttl:
                self.departures.popleft()
            await self._connect_as_tab(new_tab)
            await asyncio.to_thread(free_memory)

    async def _connect_as_tab(self, new_tab: Scope) -> None:
        """Connect and leave as a tab, because only then Streamlit forgets tabs that left long ago.

        Streamlit also holds the tab that it sent a message to last. It answers the heartbeat, so
        that this is now the new tab, which has no data.
        """
        kinds = iter(["connect", "receive", "disconnect"])

        async def receive() -> Message:
            kind = next(kinds)
            if kind == "disconnect":
                await asyncio.sleep(CONNECTION_SECONDS)
            return {"type": f"websocket.{kind}", "bytes": HEARTBEAT, "code": 1001}

        async def send(message: Message) -> None:
            pass

        await self.app({**new_tab}, receive, send)


def free_memory() -> None:
    """Collect garbage, shrink the shared caches, and return freed memory to the system.

    Links and tables of a class whose time is over are freed too.
    """
    CLASSROOM.forget_old()
    for _ in range(2):  # objects that refer to a session are garbage once the session has ended
        gc.collect()
    SHARED.fit_caches()
    with suppress(OSError, AttributeError):  # only glibc has malloc_trim
        ctypes.CDLL(None).malloc_trim(0)


STREAMLIT_SCRIPT = '<script type="module"'
"""Start of the element of Streamlit's script in this document."""
FAVICON = re.compile('(?<=<link rel="shortcut icon" href=")[^"]*')
"""Address of the favicon in this document."""
BODY_END = "</body>"
SERVER_SCRIPT = (
    '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location).href, '
    "HOST_CONFIG: {blockErrorDialogs: true}}</script>"
)
"""Element with the URL of the server, which stops Streamlit's dialogs as well."""
INLINE_MODULES = {"lib/notices.js": "watch(window.__streamlit.BACKEND_BASE_URL)"}
"""Modules that a document holds before Streamlit's script, with the call that starts each."""
MAX_BYTES_IN_MEMORY = 1 << 40
"""Bytes from which an upload is written to a temporary file: more than any upload has."""


def guarded_options(framed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the routes and middleware of a server, as arguments of Streamlit's App.

    `framed` are the sites that may show the app in a frame.
    """
    ignore_pages_folder()
    # Starlette's own setting; Streamlit, which reads the form, passes on no other
    MultiPartParser.spool_max_size = MAX_BYTES_IN_MEMORY
    register_url_convertor("page", PageName())
    original = DOCUMENT.read_text(encoding="utf-8")
    scripts = SERVER_SCRIPT + inline_scripts()
    base = st.get_option("server.baseUrlPath").strip("/")
    folder = f"/{base}/" if base else "/"
    return {
        "routes": [
            Route(f"{folder}{{name:page}}", page_document),
            Route(f"{folder}{SHORT_FOLDER}/{{code}}", short_address),
        ],
        "middleware": [
            Middleware(Guard, documents=(original, scripts), frame_sites=framed),
            Middleware(RunOrder),
            Middleware(Frontend),
            Middleware(MemoryRelease),
        ],
    }


class PageName(Convertor[str]):
    """Names of pages in addresses, '' included: also those of no page, where Streamlit says so."""

    regex = "[^/.]*"

    def convert(self, value: str) -> str:
        """Return the name in a path."""
        return value

    def to_string(self, value: str) -> str:
        """Return the path of a name."""
        return value


SHORT_FOLDER = "t"
"""Folder of the short addresses."""
UNKNOWN_CODE = (
    404,
    "No screen has this address",
    "Is it typed as it was shown? A short address is forgotten some hours after it was shown, and "
    "when dtviz is started again: ask for a new one.",
)
TOO_MANY_MISSES = 429, "Too many wrong addresses", "Wait a minute, then type it once more."
ANSWER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>dtviz</title>
<meta name="viewport" content="width=device-width"><style>
:root {{color-scheme: light dark; font: 1.2rem/1.5 system-ui, sans-serif}}
body {{max-width: 32rem; margin: 18vh auto; padding: 0 1.2rem}}
</style><h1>{title}</h1><p>{text}</p><p><a href="../">Open dtviz</a></p></html>
"""
"""Document that says why a short address leads nowhere."""
NOT_STORED = {"Cache-Control": "no-store"}
"""Header of an answer that no browser keeps."""


def short_address(request: Request) -> Response:
    """Lead to the link of a code, or say why there is none; Starlette calls this in a thread."""
    host = request.client.host if request.client else None
    try:
        link = CLASSROOM.link_of(visitor_of(host), request.path_params["code"])
        status, title, text = UNKNOWN_CODE
    except TooManyMissesError:
        link, (status, title, text) = None, TOO_MANY_MISSES
    if link is not None:
        return RedirectResponse(f"../{link}", 302, NOT_STORED)
    return HTMLResponse(ANSWER.format(title=title, text=text), status, NOT_STORED)


def page_document(request: Request) -> Response:
    """Return the document of a page; Starlette calls this in a thread."""
    name = request.path_params["name"]
    file = document(name if name in pages() else "", is_bare=not request.url.query)
    return file.response(request.headers)


def pages() -> Mapping[str, PageSpec]:
    """Return the pages of the app. Imports them: a server that starts need not wait for that."""
    from dtviz.app import site  # noqa: F401

    return PAGES


@cache
def document(name: str, is_bare: bool) -> PackedFile:
    """Return the document of a page; `is_bare` for its address without a query.

    The style stands after all of Streamlit's, some of which it replaces.
    """
    from dtviz.app.first_paint import first_paint  # imports the page Grow

    text = DOCUMENT.read_text(encoding="utf-8")
    icon = b64encode(asset("favicon.png").read_bytes()).decode()
    text = FAVICON.sub(f"data:image/png;base64,{icon}", text, count=1)  # a request less
    scripts = SERVER_SCRIPT + inline_scripts()
    text = text.replace(STREAMLIT_SCRIPT, scripts + STREAMLIT_SCRIPT, 1)
    foot = f"<style>{page_style()}</style>{first_paint(name, has_picture=is_bare)}{BODY_END}"
    return PackedFile.of(DOCUMENT.name, text.replace(BODY_END, foot, 1).encode())


@cache
def inline_scripts() -> str:
    """Return the script elements of INLINE_MODULES, each with its call."""
    scripts = ((FRONTEND_FOLDER / name, call) for name, call in INLINE_MODULES.items())
    texts = [without_comments(path.read_text(encoding="utf-8")) + call for path, call in scripts]
    return "".join(f'<script type="module">\n{text};\n</script>' for text in texts)
