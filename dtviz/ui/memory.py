"""Memory of the tabs that left, given back to the system.

Three keep it otherwise: Streamlit forgets a tab that left only when another tab leaves (after
server.disconnectedSessionTTL: until then the tab may come back); its objects refer to one another,
so that only the garbage collector frees them; and the C library keeps freed memory for itself.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import time
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.proto.BackMsg_pb2 import BackMsg

from dtviz.ui.state import shared

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
