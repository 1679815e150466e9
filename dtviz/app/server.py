"""Routes and middleware of the server, and changes to Streamlit's, for `dtviz` and `streamlit run`.

The document of a page holds a script with the address of the server, beside the page: opened at
/learn, the browser would look for it at /learn/ first and be refused twice. It also holds
lib/bursts.js, which draws the messages of a run at once, and lib/notices.js, which shows notices of
the server in our words instead of Streamlit's dialogs.
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
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunner

from dtviz.app.guard import Guard
from dtviz.app.page import FRAGMENT_KEY, FRONTEND_FOLDER, Frontend
from dtviz.app.state import SHARED

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


GRACE_SECONDS = 10.0
"""Seconds from the first tab that Streamlit forgets until memory is freed, for several at once."""
VISIT_SECONDS = 0.2
"""Seconds in which Streamlit looks at the tabs that are there."""
HEARTBEAT = BackMsg(app_heartbeat=True).SerializeToString()


class MemoryRelease:
    """Middleware that frees memory some time after a tab has left."""

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
        visit = {**scope, "headers": host}  # without headers that name the tab's session
        try:
            await self.app(scope, receive, send)
        finally:
            self.departures.append(time.monotonic())
            if self.task is None or self.task.done():
                self.task = asyncio.create_task(self._free_later(visit))

    async def _free_later(self, visit: Scope) -> None:
        """Free memory once the tabs that left are forgotten, for several tabs at once."""
        while self.departures:
            ttl = st.get_option("server.disconnectedSessionTTL")
            await asyncio.sleep(self.departures[0] + ttl + GRACE_SECONDS - time.monotonic())
            while self.departures and self.departures[0] < time.monotonic() - ttl:
                self.departures.popleft()
            await self._visit(visit)
            await asyncio.to_thread(free_memory)

    async def _visit(self, visit: Scope) -> None:
        """Come and leave as a tab: only then Streamlit forgets those that left long ago.

        Streamlit keeps the tab that it sent a message to last: now this one, by a heartbeat.
        """
        kinds = iter(["connect", "receive", "disconnect"])

        async def receive() -> Message:
            kind = next(kinds)
            if kind == "disconnect":
                await asyncio.sleep(VISIT_SECONDS)
            return {"type": f"websocket.{kind}", "bytes": HEARTBEAT, "code": 1001}

        async def send(message: Message) -> None:
            pass

        await self.app({**visit}, receive, send)


def free_memory() -> None:
    """Collect garbage, shrink the shared caches, and return freed memory to the system."""
    for _ in range(2):  # objects that refer to a session are garbage once it has ended
        gc.collect()
    SHARED.fit_caches()
    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL(None).malloc_trim(0)


DOCUMENT = Path(st.__file__).parent / "static" / "index.html"
STREAMLIT_SCRIPT = '<script type="module"'
SERVER_SCRIPT = (
    '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location).href, '
    "HOST_CONFIG: {blockErrorDialogs: true}}</script>"
)
INLINE = {
    "lib/bursts.js": "hearInBursts(window)",
    "lib/notices.js": "watch(window.__streamlit.BACKEND_BASE_URL)",
}
"""Modules that a document holds before Streamlit's script, with the call that starts each."""
RUN_METHOD = "_run_script"
"""Method of Streamlit's ScriptRunner that runs a page, or fragments of it."""
CLEAR_METHOD, FRAGMENTS_ARGUMENT, QUEUE_INDEX = "clear", "fragment_ids_this_run", "_delta_index_map"
"""Method of Streamlit's message queue that drops messages before a run; its argument with the
fragments of that run; and the queue's attribute with the last message for each place on the page.
"""
MAX_BYTES_IN_MEMORY = 1 << 40
"""Bytes from which an upload is written to a temporary file: more than any has."""


def replace_lost_fragments(run: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
    """Return Streamlit's `run` of a page or its fragments, changed for fragments that are gone.

    An event on a fragment that moved, as something above it came or went, runs the page's fragment
    instead. Fragments of the page before are not run: their answer would be sent in its name, and
    the browser would take the new page away.
    """

    @wraps(run)
    def wrapper(runner: Any, request: Any) -> None:
        fragment_ids, storage = request.fragment_id_queue, runner._fragment_storage
        if fragment_ids and not any(map(storage.contains, fragment_ids)):
            if request.page_script_hash != runner._pages_manager.current_page_script_hash:
                return
            try:
                request = replace(request, fragment_id_queue=storage.resolve_target(FRAGMENT_KEY))
            except StreamlitAPIException:
                return
        run(runner, request)

    return wrapper


def keep_page_messages(clear: Callable[..., None]) -> Callable[..., None]:
    """Return Streamlit's `clear` of the queued messages, changed to keep those of a page run.

    As the run of a fragment begins just after that of the page, Streamlit would drop what the
    fragment drew in the page run, but keep the message that this run ended: the browser would then
    take the fragment off the page until it has run.
    """

    @wraps(clear)
    def wrapper(queue: Any, *args: Any, **kwargs: Any) -> None:
        is_fragment_run = kwargs.get(FRAGMENTS_ARGUMENT) and hasattr(queue, QUEUE_INDEX)
        if is_fragment_run and any(map(_is_run_end, getattr(queue, "_queue", ()))):
            setattr(queue, QUEUE_INDEX, {})  # new messages come after the old, not in their places
        else:
            clear(queue, *args, **kwargs)

    return wrapper


def _is_run_end(message: ForwardMsg) -> bool:
    is_end = message.WhichOneof("type") == "script_finished"
    return is_end and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY


def guarded_options(app: str | Path, framed: Sequence[str] = ()) -> dict[str, Any]:
    """Return the routes and middleware of a server, as arguments of Streamlit's App.

    `app` is the path of app.py, beside the folder of its pages; `framed` are the sites that may
    show the app in a frame.
    """
    # app.py names the pages; without this, a first visit to /learn would find streamlit's
    # automatic menu of the folder pages/ instead (it is unset only by a first visit to /).
    PagesManager.uses_pages_directory = False
    MultiPartParser.spool_max_size = MAX_BYTES_IN_MEMORY
    _wrap_method(ScriptRunner, RUN_METHOD, replace_lost_fragments)
    _wrap_method(ForwardMsgQueue, CLEAR_METHOD, keep_page_messages)
    original = DOCUMENT.read_text(encoding="utf-8")
    scripts = SERVER_SCRIPT + inline()
    document = original.replace(STREAMLIT_SCRIPT, scripts + STREAMLIT_SCRIPT, 1)

    def page(_: Request) -> HTMLResponse:
        return HTMLResponse(document, headers={"Cache-Control": "no-cache"})

    pages = sorted(script.stem for script in (Path(app).parent / "pages").glob("*.py"))
    return {
        "routes": [Route(f"/{name}", page) for name in ("", *pages)],
        "middleware": [
            Middleware(Guard, documents=(original, document), framed=framed),
            Middleware(Frontend),
            Middleware(MemoryRelease),
        ],
    }


def inline() -> str:
    """Return the script elements with the modules that a document holds itself."""
    scripts = ((FRONTEND_FOLDER / name, call) for name, call in INLINE.items())
    texts = [path.read_text(encoding="utf-8") + call for path, call in scripts]
    return "".join(f'<script type="module">\n{text};\n</script>' for text in texts)


def _wrap_method(owner: type, name: str, wrap: Callable[[Any], Any]) -> None:
    """Wrap a method of Streamlit once; a version without it works unchanged."""
    method = getattr(owner, name, None)
    if method is not None and not hasattr(method, "__wrapped__"):
        setattr(owner, name, wrap(method))
