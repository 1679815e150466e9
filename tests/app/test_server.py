"""Memory of the tabs that left: when it is given back, and by what."""

from __future__ import annotations

import gc
import gzip
import re
import weakref
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from awaiting import awaited
from starlette.requests import Request
from starlette.routing import Match
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.web.server.app_discovery import discover_asgi_app

from dtviz.app import server
from dtviz.app.cli.serving import home
from dtviz.app.first_paint import first_paint
from dtviz.app.guard import Guard, policy
from dtviz.app.instrument import Instrument
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import FRAGMENT_KEY, Frontend, page_style
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
    [route] = server.guarded_options()["routes"]
    plain = server.DOCUMENT.read_text(encoding="utf-8")
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
    assert (inline.count("</script>"), inline.count("<!--")) == (2, 0)


def test_scripts_in_the_documents_may_run() -> None:
    options = server.guarded_options()
    guard = options["middleware"][0]
    rules = policy(guard.kwargs["documents"], ())
    for is_bare in (True, False):
        text = gzip.decompress(server.document("grow", is_bare).gzip_content).decode()
        assert policy([text], ()) == rules


def test_pages_stand_below_the_path_of_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.st, "get_option", {"server.baseUrlPath": "/trees/"}.get)
    assert [route.path for route in server.guarded_options()["routes"]] == ["/trees/{name:page}"]


ASKED = [
    ("here", [], []),
    ("here", ["bar"], ["bar"]),
    ("before", ["gone", "bar"], ["gone", "bar"]),
    ("here", ["gone"], ["all of it"]),
    ("before", ["gone"], None),
]


def test_parts_that_a_page_lacks_are_answered_by_the_page_that_was_asked() -> None:
    for page, parts, ran in ASKED:
        asked = RerunData(fragment_id_queue=parts, page_script_hash=page)
        assert ran_of(asked, "bar", **{"all of it": FRAGMENT_KEY}) == ([] if ran is None else [ran])
    assert ran_of(RerunData(fragment_id_queue=["gone"], page_script_hash="here"), "bar") == []


def ran_of(asked: RerunData, *parts: str, **named: str) -> list[list[str]]:
    """The parts that Streamlit was told to run, where the page `here` has these."""
    done: list[list[str]] = []
    storage = MemoryFragmentStorage()
    for part in (*parts, *named):
        storage.register(part, lambda: None, target_key=named.get(part))
    pages = SimpleNamespace(current_page_script_hash="here")
    runner = SimpleNamespace(_fragment_storage=storage, _pages_manager=pages)
    server.replace_lost_fragments(lambda _, told: done.append(told.fragment_id_queue))(
        runner, asked
    )
    return done


def test_a_method_of_streamlits_is_widened_once() -> None:
    for kind, name in ((ScriptRunner, server.RUN_METHOD), (ForwardMsgQueue, server.CLEAR_METHOD)):
        for _ in range(2):
            server.guarded_options()
        method = getattr(kind, name)
        assert method.__wrapped__.__module__ == kind.__module__, (kind, name)
        assert not hasattr(method.__wrapped__, "__wrapped__"), (kind, name)


def queue_of(*told: str) -> Any:
    """What Streamlit has to send: parts by their names, `+` where a run of all has ended."""
    queue = ForwardMsgQueue()
    for place, one in enumerate(told):
        message = ForwardMsg()
        if one == "+":
            message.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
        else:
            message.delta.fragment_id = one
            message.delta.new_element.text.body = "drawn"
            message.metadata.delta_path.append(place)
        queue.enqueue(message)
    return queue


def sent_by(queue: Any) -> list[str]:
    return [
        one.delta.fragment_id if one.HasField("delta") else f"{one.script_finished}"
        for one in queue.flush()
    ]


ENDED = f"{ForwardMsg.FINISHED_SUCCESSFULLY}"


SENT = [
    (["page", "page", "+"], ["page"], ["page", "page", ENDED]),
    (["bar", "page", "+", "bar"], ["bar"], ["bar", "page", ENDED, "bar"]),
    (["page", "bar"], ["bar"], ["page"]),
    (["page", "+"], None, [f"{ForwardMsg.FINISHED_EARLY_FOR_RERUN}"]),
]


def test_what_a_run_drew_is_sent_in_its_place_before_the_run_has_ended() -> None:
    for told, parts, sent in SENT:
        queue = queue_of(*told)
        server.keep_page_messages(ForwardMsgQueue.clear)(queue, True, fragment_ids_this_run=parts)
        assert sent_by(queue) == sent, (told, parts, sent)
    queue = queue_of("page", "+")
    server.keep_page_messages(ForwardMsgQueue.clear)(queue, True, fragment_ids_this_run=["page"])
    [again] = queue_of("page").flush()
    queue.enqueue(again)
    assert sent_by(queue) == ["page", ENDED, "page"]


def test_the_guarded_server_is_the_app_and_the_guard_stands_before_everything() -> None:
    first, *others = server.guarded_options(["https://school.example"])["middleware"]
    assert (first.cls, [one.cls for one in others]) == (Guard, [Frontend, server.MemoryRelease])
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
