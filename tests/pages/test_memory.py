"""Memory of the tabs that left: when it is given back, and by what."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest
from awaiting import awaited
from streamlit.proto.BackMsg_pb2 import BackMsg

from dtviz.instrument import Instrument
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.ui import memory
from dtviz.ui.memory import Memory, give_back
from dtviz.ui.state import START, shared

HOST = [(b"host", b"trees.school.example")]


def test_memory_is_given_back_once_for_tabs_that_left_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory.st, "get_option", {"server.disconnectedSessionTTL": 0.1}.get)
    monkeypatch.setattr(memory, "GRACE", 0.05)
    monkeypatch.setattr(memory, "MOMENT", 0.0)
    done: list[str] = []
    monkeypatch.setattr(memory, "give_back", lambda: done.append("given back"))

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket" and scope["headers"] == HOST:  # of the middleware itself
            kinds = [(message := await receive())["type"] for _ in range(2)]
            assert BackMsg.FromString(message["bytes"]).app_heartbeat
            kinds.append((await receive())["type"])
            assert kinds == ["websocket.connect", "websocket.receive", "websocket.disconnect"]
            done.append(scope["path"])

    async def lesson() -> None:
        middleware: Any = Memory(inner)
        await middleware({"type": "http"}, None, None)
        assert middleware.task is None
        for _ in range(3):
            await middleware(tab, None, None)
        await middleware.task
        assert not middleware.departures
        await middleware(tab, None, None)
        await middleware.task

    path = "/trees/_stcore/stream"
    tab = {"type": "websocket", "path": path, "headers": [*HOST, (b"cookie", b"a=b")]}
    awaited(lesson())
    assert done == [path, "given back"] * 2


def test_what_a_tab_had_is_freed_though_its_parts_refer_to_one_another() -> None:
    tab = Instrument(Visit(Session(START)), shared())
    tab.jobs["itself"] = tab  # type: ignore[assignment]
    gone = weakref.ref(tab)
    del tab
    gc.disable()
    try:
        assert gone() is not None
        give_back()
        assert gone() is None
    finally:
        gc.enable()
