from __future__ import annotations

import asyncio
import io
import runpy
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from awaiting import awaited
from streamlit import config as streamlit_config

import dtviz
from dtviz.app import cli
from dtviz.app.cli import serving
from dtviz.app.cli.grow import OK
from dtviz.app.instrument import Instrument
from dtviz.data import uploads
from dtviz.data.dataset import Recipe
from dtviz.session import address
from dtviz.session.history import Visit
from dtviz.session.session import Session


@pytest.fixture
def taken() -> Iterator[int]:
    """A port somebody listens on."""
    with socket.socket() as other:
        other.bind(("localhost", 0))
        other.listen()
        yield other.getsockname()[1]


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The settings that reach the server, which is not started."""
    got: dict[str, Any] = {}
    monkeypatch.setattr(serving, "run", lambda _app, _listener, options: got.update(options))
    monkeypatch.setattr(serving, "listen", lambda _host, _port: socket.socket())
    return got


def test_a_taken_port_and_a_foreign_host_are_refused_in_one_line(taken: int, run: Any) -> None:
    code, _, err = run("--no-browser", "--port", str(taken))
    assert code == 2
    assert err.startswith(f"dtviz: port {taken} is already in use; choose another: dtviz --port ")
    assert err.count("\n") == 1
    code, _, err = run("--no-browser", "--host", "192.0.2.1")
    assert code == 2
    assert err.startswith("dtviz: cannot listen on 192.0.2.1 port 8501: ")


def test_a_connection_sends_each_message_at_once() -> None:
    """Else the second small message of an answer waits for the browser's acknowledgement."""

    async def no_delay(host: str) -> set[int]:
        """The option of connections that the listener and asyncio accept."""
        found: list[int] = []

        class Report(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                found.append(option_of(transport.get_extra_info("socket")))
                cast(asyncio.Transport, transport).close()

        with serving.listen(host, 0) as listener:
            address = listener.getsockname()[:2]
            with socket.create_connection(address), listener.accept()[0] as accepted:
                found.append(option_of(accepted))
            async with await asyncio.get_running_loop().create_server(Report, sock=listener):
                reader, writer = await asyncio.open_connection(*address)
                await reader.read()
                writer.close()
        return {*found}

    def option_of(connection: Any) -> int:
        return int(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) > 0)

    for host in ("localhost", "::"):
        assert awaited(no_delay(host)) == {1}


def test_settings_of_the_server_that_make_no_sense_are_refused(run: Any) -> None:
    for option, values, text in (
        ("--port", ("0", "65536", "-1", "http", "²"), "must be a number from 1 to 65535"),
        ("--max-upload", ("0", "201", "x"), "must be a number of MB from 1 to 200"),
        ("--name", ("https://trees.school.example", "*", ""), "must be a name alone"),
        (
            "--frame",
            ("moodle.school.example", "https://a.example; script-src *", "https://a.example/path",
             "*"),
            "must be a site",
        ),
    ):  # fmt: skip
        for value in values:
            code, _, err = run(option, value)
            assert (code, text in err) == (2, True), (option, value)


def test_settings_reach_the_server(given: dict[str, Any]) -> None:
    for args, headless in ([], None), (["--no-browser"], True):
        given.clear()
        assert cli.main([*args, "--port", "8600"]) == 0
        assert given["server.port"] == 8600
        assert given["server.address"] == "localhost"
        assert given["server.allowedHosts"] == ["localhost", "127.0.0.1"]
        assert given["server.maxUploadSize"] == 200
        assert given["theme.dark.primaryColor"] == "#6fc3f7"
        assert given.get("server.headless") is headless, args
    assert cli.main(["--max-upload", "5"]) == 0
    assert given["server.maxUploadSize"] == 5


def test_the_server_listens_on_this_machine_alone_unless_it_is_shared(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "_address", lambda: "10.0.0.7")
    monkeypatch.setattr(serving.socket, "gethostname", lambda: "lab-7")
    for args, host, names in (
        ("", "localhost", []),
        ("--host 127.0.0.1", "127.0.0.1", []),
        ("--name Trees.School.example", "localhost", ["trees.school.example"]),
        ("--share", "0.0.0.0", ["10.0.0.7"]),
        ("--share --name lab-7.local", "0.0.0.0", ["lab-7.local"]),
        ("--share --host 10.0.0.8", "10.0.0.8", ["10.0.0.7"]),
        ("--host 10.0.0.8", "10.0.0.8", ["10.0.0.8"]),
        ("--host 0.0.0.0", "0.0.0.0", ["lab-7", "10.0.0.7"]),
        ("--host 0.0.0.0 --name lab-7.local", "0.0.0.0", ["lab-7.local"]),
    ):
        given.clear()
        assert cli.main(args.split()) == 0
        assert given["server.address"] == host, args
        assert given["server.allowedHosts"] == ["localhost", "127.0.0.1", *names], args
        assert given.get("browser.serverAddress") == (names[0] if "--share" in args else None)


def test_every_command_sets_the_guard_and_sites_that_may_frame_the_app_reach_it(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch, checkout: Path
) -> None:
    apps: list[Any] = []
    app = st.App
    monkeypatch.setattr(st, "App", lambda *a, **parts: apps.append(parts) or app(*a, **parts))
    sites = ["https://moodle.school.example", "https://*.lab.example:8443"]
    assert cli.main(["--frame", sites[0], "--frame", sites[1]]) == 0
    assert cli.main([]) == 0
    runpy.run_path(str(checkout / "app.py"), run_name="app")  # as `streamlit run` loads it
    guards = [parts["middleware"][0] for parts in apps]
    assert guards[0].kwargs["framed"] == sites
    assert not guards[1].kwargs["framed"]
    assert {guard.cls for guard in guards} == {guards[0].cls}
    assert not guards[2].kwargs.get("framed")


def test_the_invitation_has_the_address_its_code_and_the_open_table(
    monkeypatch: pytest.MonkeyPatch, run: Any
) -> None:
    url = "http://10.0.0.7:8501/?data=iris"
    text = serving.invitation(url, "fruit.csv")
    assert text.startswith(f"For the class: {url}\n\n\u2588")
    assert "sees the examples and fruit.csv, gives tables of their" in text
    assert "sees the examples, gives" in serving.invitation(url, None)
    assert "\u2588" not in serving.invitation(url + "&log=" + "a" * 400, None)
    terminal = io.TextIOWrapper(io.BytesIO(), encoding="ascii")  # it has no blocks
    with monkeypatch.context() as plain:
        plain.setattr(serving.sys, "stdout", terminal)
        assert serving.invitation("http://10.0.0.7:8501", None).isascii()

    def unreachable(*_: Any) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(serving.socket.socket, "connect", unreachable)
    code, _, err = run("--share")
    assert (code, "name it as the class calls it: --name" in err) == (2, True)


OPTIONS = serving.read_options(serving.home())


def test_streamlit_has_the_settings_and_they_are_private() -> None:
    for name in (*OPTIONS, *serving.server_options("localhost", 1, [])):
        streamlit_config.get_option(name)  # raises where there is none, the hidden ones too
    wanted = {
        "browser.gatherUsageStats": False,
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "runner.postScriptGC": False,
        "server.address": "localhost",
        "server.allowedHosts": ["localhost", "127.0.0.1"],
        "server.fileWatcherType": "none",
        "server.maxUploadSize": 200,
    }
    assert {name: OPTIONS[name] for name in wanted} == wanted
    assert not any("://" in str(value) for value in OPTIONS.values())


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where `dtviz open` leads the browser."""
    got: list[str] = []
    monkeypatch.setattr(serving, "start", lambda _args, at: got.append(at) or OK)
    monkeypatch.setattr(uploads, "SERVED_TABLES", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    return got


def test_open_serves_a_table_and_leads_to_its_tree(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--target", "fruit"]) == 0
    (mark,) = uploads.SERVED_TABLES
    assert mark == uploads.fingerprint(Path(fruit).read_bytes())
    found = address.read_address(dict(parse_qsl(led[0])), Recipe("iris"))
    assert found.problems == ()
    tab = Instrument(Visit(Session(found.recipe)), files=dict(uploads.SERVED_TABLES))
    data, read = tab.dataset(found.recipe), dtviz.read_table(fruit, target="fruit")
    assert (data.features, data.classes, data.n) == (read.features, read.classes, read.n)
    assert cli.main(["open", fruit, "--at", "data=file&sha=1&log=a1"]) == 0
    assert (len(uploads.SERVED_TABLES), led[1:]) == (1, ["data=file&sha=1&log=a1"])


def test_open_takes_the_settings_of_the_server_before_and_after_it(
    fruit: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SERVED_TABLES", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    options, table = ["--port", "8600", "--no-browser"], ["open", fruit, "--target", "fruit"]
    for command in (table + options, options + table):
        given.clear()
        assert cli.main(command) == 0
        assert (given["server.port"], given["server.headless"]) == (8600, True), command


def test_open_refuses_in_one_line(run: Any, fruit: str, led: list[str], tmp_path: Path) -> None:
    for args, text in (
        ([fruit, "--target", "colour"], "('width', 'height', 'fruit'); not 'colour'"),
        ([fruit], "one of the arguments --target --at is required"),
        ([fruit, "--target", "fruit", "--at", ""], "not allowed with"),
        ([str(tmp_path / "none.csv"), "--target", "y"], "none.csv"),
    ):
        code, _, err = run("open", *args)
        assert (code, text in err.splitlines()[-1]) == (2, True), args
    assert led == []
