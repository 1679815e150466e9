"""Whom the server answers, what it hears, and what a browser may do with the answer.

Glossary
    inner    the application behind the guard: it answers everything with 200, and notes it
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import pytest
from awaiting import awaited
from hypothesis import given
from hypothesis import strategies as some
from streamlit import config, net_util
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from dtviz.app import guard
from dtviz.app.guard import Guard, policy

OURS = "localhost:8501"
HOSTS = ["localhost", "127.0.0.1", "trees.school.example", "*.lab.example"]


@pytest.fixture(autouse=True)
def allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The hosts that are answered; nobody asks what this machine is called outside."""
    monkeypatch.setattr(guard.st, "get_option", {"server.allowedHosts": HOSTS}.__getitem__)


@dataclass
class Inner:
    """See above."""

    seen: list[str] = field(default_factory=list)
    heard: list[Any] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.seen.append(scope["type"])
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"ok"})
        while scope["type"] == "websocket":
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            self.heard.append(message["bytes"])


def ask(
    inner: Inner,
    *headers: tuple[str, str],
    kind: str = "http",
    path: str = "/",
    said: Any = (),
    client: tuple[str, int] | None = ("127.0.0.1", 50_000),
) -> list[Any]:
    """What is sent back; `said` are the messages of a websocket."""
    pairs = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    scope = {"type": kind, "method": "GET", "path": path, "headers": pairs, "query_string": b""}
    scope["client"] = client
    messages = [{"type": "websocket.receive", "bytes": data} for data in said]
    messages.append({"type": "websocket.disconnect"})
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    guard = Guard(inner, ["<script>1</script>"])  # type: ignore[arg-type]
    awaited(guard(scope, receive, send))  # type: ignore[arg-type]
    return sent


def status(*headers: tuple[str, str], path: str = "/") -> int:
    return int(ask(Inner(), *headers, path=path)[0]["status"])


# --- hosts and origins ----------------------------------------------------------------------------


HOSTS_OF_THE_APP = [
        OURS, "localhost", "LOCALHOST:1", "localhost.", "127.0.0.1:8501", "trees.school.example",
        "a.lab.example:443",
    ]  # fmt: skip


def test_a_known_host_is_answered_and_a_foreign_one_refused_whatever_it_asks_for() -> None:
    for host in HOSTS_OF_THE_APP:
        assert status(("host", host)) == 200, host
        assert status(("host", host), ("origin", f"http://{host}")) == 200, host
    for host in FOREIGN_HOSTS:
        for path in ("/", "/learn", "/_stcore/metrics", "/_stcore/health", "/media/x"):
            inner = Inner()
            start, body = ask(inner, ("host", host), path=path)
            assert (start["status"], inner.seen) == (403, []), (host, path)
            assert b"dtviz --name" in body["body"], (host, path)
    assert status() == 403
    assert status(("host", OURS), ("host", OURS)) == 403


FOREIGN_HOSTS = [
        "evil.example", "evil.example:8501", "localhost.evil.example", "evil-localhost", "",
        "lab.example", "evil@localhost", "localhost/", "localhost:x", "localhost:99999999", "[",
        "localhost?", "localhost#a", " ", "*", "löcalhost", "trees.school.example.evil.example",
    ]  # fmt: skip


def test_figures_of_the_server_are_given_to_this_machine_alone() -> None:
    metrics, here, proxied = "/_stcore/metrics", "127.0.0.1", ("x-forwarded-for", "127.0.0.1")
    for client, host, others, path, status in [
        (here, OURS, [], metrics, 200),
        ("127.0.3.4", "127.0.0.1:8501", [], metrics, 200),
        ("::1", OURS, [], metrics, 200),
        ("::ffff:127.0.0.1", OURS, [], metrics, 200),
        ("10.0.0.8", OURS, [], metrics, 404),
        ("::ffff:10.0.0.8", OURS, [], metrics, 404),
        ("testclient", OURS, [], metrics, 404),
        (None, OURS, [], metrics, 404),
        (here, "trees.school.example", [], metrics, 404),  # a proxy on this machine
        (here, OURS, [proxied], metrics, 404),
        (here, OURS, [("forwarded", "for=127.0.0.1")], metrics, 404),
        ("10.0.0.8", OURS, [], metrics + "/", 404),
        ("10.0.0.8", OURS, [], "/trees" + metrics, 404),
        ("10.0.0.8", OURS, [], "/_stcore/health", 200),
        (here, OURS, [proxied], "/", 200),
    ]:
        address = None if client is None else (client, 50_000)
        start = ask(Inner(), ("host", host), *others, path=path, client=address)[0]
        assert start["status"] == status, (client, host, others, path)


FOREIGN = [
    "http://evil.example", "http://evil.example:8501", "null", "", "http://localhost",
    "http://localhost:8502", "http://127.0.0.1:8501", "http://[", "localhost:8501",
    "http://localhost:8501.evil.example", "http://evil@localhost:8501",
]  # fmt: skip


def test_the_page_of_another_site_is_refused_before_anybody_sees_it() -> None:
    for origin in FOREIGN:
        for kind in ("http", "websocket"):
            inner = Inner()
            for origins in ([origin], [f"http://{OURS}", origin]):
                named = [("origin", one) for one in origins]
                first = ask(inner, ("host", OURS), *named, kind=kind)[0]
                refused = {"type": "websocket.close", "code": 1008}
                assert first == refused if kind == "websocket" else first["status"] == 403
            assert inner.seen == [], (origin, kind)


def test_a_websocket_of_the_app_and_the_life_of_the_server_are_let_through() -> None:
    inner = Inner()
    ask(inner, ("host", OURS), kind="websocket")
    ask(inner, ("host", OURS), ("origin", f"https://{OURS}"), kind="websocket")
    assert inner.seen == ["websocket"] * 2
    inner = Inner()
    ask(inner, kind="lifespan")
    assert inner.seen == ["lifespan"]


PARTS = some.sampled_from(
    ["localhost", "127.0.0.1", "evil.example", ":8501", "http://", "https://", "@", ".", "*", "[",
     "a.lab.example", "/", "?", "#", " ", ":", "null", "\t", "%", "ä"]
)  # fmt: skip
TEXTS = some.lists(PARTS, max_size=5).map("".join)


@given(host=TEXTS, origin=some.none() | TEXTS | TEXTS.map("http://{}".format))
def test_streamlit_asks_nobody_about_what_is_let_through(host: str, origin: str | None) -> None:
    inner = Inner()
    named = [] if origin is None else [("origin", origin)]
    ask(inner, ("host", host), *named, kind="websocket")
    if inner.seen:
        with pytest.MonkeyPatch.context() as patch:
            options = {"server.allowedHosts": HOSTS}
            patch.setattr(config, "get_option", options.__getitem__)
            for name in ("get_external_ip", "get_internal_ip"):
                patch.delattr(net_util, name)
            assert _is_origin_allowed(origin, host)


# --- paths ----------------------------------------------------------------------------------------


def test_a_path_longer_than_any_is_not_found() -> None:
    for path in ("/" + "a" * 5_000, "/" + "a" * 300, "/" + "ä" * 130):
        inner = Inner()
        start, body = ask(inner, ("host", OURS), path=path)
        assert (start["status"], body["body"], inner.seen) == (404, b"Not Found", []), path


# --- headers --------------------------------------------------------------------------------------


def test_every_answer_says_what_a_browser_may_do_and_who_may_frame_it() -> None:
    for host in (OURS, "evil.example"):
        headers = dict(ask(Inner(), ("host", host))[0]["headers"])
        assert headers[b"x-content-type-options"] == b"nosniff", host
        assert headers[b"referrer-policy"] == b"same-origin", host
        assert headers[b"cross-origin-resource-policy"] == b"same-origin", host
        assert headers[b"content-security-policy"].startswith(b"default-src 'none'; "), host
    assert rules()["frame-ancestors"] == ["'none'"]
    site = "https://moodle.school.example"
    assert rules(framed=(site,))["frame-ancestors"] == ["'self'", site]


def rules(*documents: str, framed: tuple[str, ...] = ()) -> dict[str, list[str]]:
    pairs = [rule.split(" ") for rule in policy(documents, framed).split("; ")]
    return {what: whence for what, *whence in pairs}


def test_no_other_host_is_named_and_scripts_are_files_of_ours_or_known_by_their_sum() -> None:
    script = "let a = 1;\n"
    others = '<script src=x></script><script type="module">2</script>'
    found = rules(f"<script>{script}</script>{others}")
    assert all(
        one.startswith("'") or one in ("data:", "blob:") for all_ in found.values() for one in all_
    )
    for own in (script, "2"):
        summed = b64encode(sha256(own.encode()).digest()).decode()
        assert f"'sha256-{summed}'" in found["script-src"]
    assert len(found["script-src"]) == 3
    assert not {"'unsafe-inline'", "'unsafe-eval'", "data:", "blob:"} & {*found["script-src"]}


# --- messages -------------------------------------------------------------------------------------


def message(**fields: Any) -> bytes:
    return BackMsg(**fields).SerializeToString()


def operation(**payload: Any) -> bytes:
    return message(backend_operation_request={"request_id": "a", **payload})


REFUSED = [
        message(clear_cache=True), message(load_git_info=True), message(set_run_on_save=True),
        message(debug_disconnect_websocket=True), message(debug_shutdown_runtime=True), message(),
        b"", operation(), operation(install_skills={}), operation(dismiss_skills_nudge={}),
    ]  # fmt: skip


def test_a_message_is_heard_if_it_is_a_visitor_s() -> None:
    for data in REFUSED:
        inner, rerun = Inner(), message(rerun_script={"query_string": "data=iris"})
        ask(inner, ("host", OURS), kind="websocket", said=[data, rerun, data])
        assert inner.heard == [rerun], data
    for data in HEARD:
        inner = Inner()
        ask(inner, ("host", OURS), kind="websocket", said=[data])
        assert inner.heard == [data], data


HEARD = [
        message(rerun_script={}), message(stop_script=True), message(app_heartbeat=True),
        message(file_urls_request={"request_id": "1"}), operation(deferred_file={"file_id": "1"}),
        operation(dataframe_chunk={}), b"no message at all",
    ]  # fmt: skip


def test_the_first_run_asked_for_on_a_socket_is_of_the_whole_page() -> None:
    """A server that was started again knows no part of the page, and would answer nothing."""
    beat, first, next_one = BackMsg(app_heartbeat=True), BackMsg(), BackMsg()
    for message, query in ((first, "data=iris"), (next_one, "data=moons")):
        message.rerun_script.query_string = query
        message.rerun_script.fragment_id = "page"
    for sent in ([first, next_one], [beat, first, next_one]):
        inner = Inner()
        ask(inner, ("host", OURS), kind="websocket", said=[one.SerializeToString() for one in sent])
        runs = [BackMsg.FromString(data).rerun_script for data in inner.heard][-2:]
        assert [run.query_string for run in runs] == ["data=iris", "data=moons"]
        assert [run.fragment_id for run in runs] == ["", "page"]


def test_a_state_that_is_none_of_its_control_is_taken_out_of_a_message() -> None:
    sent = ForwardMsg()
    slider = sent.delta.new_element.slider
    slider.id, slider.type = "s", Slider.SLIDER
    inner, right, wrong = Inner(), BackMsg(), BackMsg()
    right.rerun_script.widget_states.widgets.add(id="s").double_array_value.data.append(3.0)
    wrong.rerun_script.widget_states.widgets.add(id="s", string_value="x")
    wrong.rerun_script.widget_states.widgets.add(id="other", string_value="x")

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.send", "bytes": sent.SerializeToString()})
        await inner(scope, receive, send)

    said = [one.SerializeToString() for one in (right, wrong, right, wrong)]
    ask(app, ("host", OURS), kind="websocket", said=said)  # type: ignore[arg-type]
    widgets = [BackMsg.FromString(one).rerun_script.widget_states.widgets for one in inner.heard]
    assert [[one.id for one in some] for some in widgets] == [["s"], ["other"], ["s"], ["other"]]
