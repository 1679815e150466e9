"""Memory of the tabs that left: when it is given back, and by what."""

from __future__ import annotations

import gc
import gzip
import re
import weakref
from pathlib import Path
from typing import Any

import pytest
from awaiting import awaited
from starlette.requests import Request
from starlette.routing import Match
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.web.server.app_discovery import discover_asgi_app

from dtviz.app import server, streamlit_parts
from dtviz.app.cli.serving import home
from dtviz.app.first_paint import first_paint
from dtviz.app.guard import Guard, policy
from dtviz.app.instrument import Instrument
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import Frontend, page_style
from dtviz.app.run_order import RunOrder
from dtviz.app.site import PAGES
from dtviz.app.state import SHARED
from dtviz.session.session import Session, Visit

HOST = [(b"host", b"trees.school.example")]


def test_memory_is_given_back_once_for_tabs_that_left_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server.st, "get_option", {"server.disconnectedSessionTTL": 0.1}.get)
    monkeypatch.setattr(server, "GRACE_SECONDS", 0.05)
    monkeypatch.setattr(server, "CONNECTION_SECONDS", 0.0)
    done: list[str] = []
    monkeypatch.setattr(server, "free_memory", lambda: done.append("given back"))

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket" and scope["headers"] == HOST:  # of the middleware itself
            kinds = [(message := await receive())["type"] for _ in range(2)]
            assert BackMsg.FromString(message["bytes"]).app_heartbeat
            kinds.append((await receive())["type"])
            assert kinds == ["websocket.connect", "websocket.receive", "websocket.disconnect"]
            done.append(scope["path"])

    async def lesson() -> None:
        middleware: Any = server.MemoryRelease(inner)
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
    tab = Instrument(Visit(Session(START_RECIPE)), SHARED)
    tab.jobs["itself"] = tab  # type: ignore[assignment]
    gone = weakref.ref(tab)
    del tab
    gc.disable()
    try:
        assert gone() is not None
        server.free_memory()
        assert gone() is None
    finally:
        gc.enable()


APP = home() / "app.py"
SCRIPT = re.compile("<script.*?</script>", re.DOTALL)
BODY = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n%b\r\n--x--\r\n'


def test_every_page_is_streamlits_document_and_says_where_the_server_is() -> None:
    route, short = server.guarded_options()["routes"]
    assert short.path == "/t/{code}"
    plain = streamlit_parts.DOCUMENT.read_text(encoding="utf-8")
    for name in ("", *PAGES, "no_page"):
        scope = {"type": "http", "method": "GET", "path": f"/{name}", "headers": []}
        match, found = route.matches(scope)
        assert (match, found["path_params"]) == (Match.FULL, {"name": name})
        answer = route.endpoint(Request({**scope, **found, "query_string": b""}))
        text = answer.body.decode()
        assert answer.headers["cache-control"] == "no-cache"
        assert answer.media_type == "text/html"
        places = [
            text.index(part)
            for part in (
                "data:image/png;base64,", server.SERVER_SCRIPT, server.inline_scripts(),
                'type="module" cross', '<div id="root">', f"<style>{page_style()}</style>",
                first_paint(name, has_picture=True),
            )
        ]  # fmt: skip
        assert places == sorted(places)
        assert {*SCRIPT.findall(plain)} < {*SCRIPT.findall(text)}
        assert {*SCRIPT.findall(text)} <= {*SCRIPT.findall(plain + server.inline_scripts())} | {
            server.SERVER_SCRIPT
        }
    for path in ("/favicon.png", "/_stcore/health", "/learn/grow", "/grow/"):
        assert route.matches({"type": "http", "method": "GET", "path": path})[0] == Match.NONE
    inline = server.inline_scripts()
    assert (inline.count("</script>"), inline.count("<!--")) == (1, 0)


def test_scripts_in_the_documents_may_run() -> None:
    options = server.guarded_options()
    guard = options["middleware"][0]
    rules = policy(guard.kwargs["documents"], ())
    for is_bare in (True, False):
        text = gzip.decompress(server.document("grow", is_bare).gzip_content).decode()
        assert policy([text], ()) == rules


def test_pages_stand_below_the_path_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.st, "get_option", {"server.baseUrlPath": "/trees/"}.get)
    paths = [route.path for route in server.guarded_options()["routes"]]
    assert paths == ["/trees/{name:page}", "/trees/t/{code}"]


def test_the_guarded_server_is_the_app_and_the_guard_stands_before_everything() -> None:
    first, *others = server.guarded_options(["https://school.example"])["middleware"]
    assert (first.cls, [one.cls for one in others]) == (
        Guard, [RunOrder, Frontend, server.MemoryRelease],
    )  # fmt: skip
    assert first.kwargs["frame_sites"] == ["https://school.example"]
    assert discover_asgi_app(Path(APP)).import_string == "app:app"


def test_no_upload_is_written_to_a_file() -> None:
    for size in (10, 3_000_000):
        server.guarded_options()
        upload = awaited(_form(BODY % (b"a" * size)))
        on_disk, kept = upload.file._rolled, upload.size
        upload.file.close()
        assert (on_disk, kept) == (False, size), size


async def _form(body: bytes) -> Any:
    parts = [body[at : at + 65_536] for at in range(0, len(body), 65_536)]

    async def receive() -> dict[str, Any]:
        part = parts.pop(0)
        return {"type": "http.request", "body": part, "more_body": bool(parts)}

    header = (b"content-type", b"multipart/form-data; boundary=x")
    scope = {"type": "http", "method": "PUT", "path": "/", "headers": [header]}
    form = await Request(scope, receive).form()
    return form["f"]
