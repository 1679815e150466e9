from __future__ import annotations

import asyncio
import io
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qsl

import pytest
import streamlit as st
from awaiting import awaited
from streamlit import config as streamlit_config

import dtviz
from dtviz import cli
from dtviz.cli import serving, share
from dtviz.cli.ends import OK
from dtviz.instrument import Instrument
from dtviz.screen import address
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table import uploads
from dtviz.table.data import Recipe
from dtviz.ui.server import inline

CAPTURED = pytest.CaptureFixture[str]


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


def test_app_starts_from_an_empty_folder_and_ctrl_c_ends_it_quietly(serve: Any) -> None:
    server = serve()
    assert '<div id="root">' in server.get("/")
    assert all(inline() in server.get(path) for path in ("/", "/?data=iris", "/learn"))
    assert server.stop() == 0
    assert server.output.read_text().split("\n") == [
        f"dtviz is at {server.url} (Ctrl-C stops it)",
        "",
        "",
    ]


def test_taken_port_is_said_in_one_line(taken: int, capsys: CAPTURED) -> None:
    assert cli.main(["--no-browser", "--port", str(taken)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"dtviz: port {taken} is already in use; choose another: dtviz --port ")
    assert said.count("\n") == 1


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


@pytest.mark.parametrize("port", ["0", "65536", "-1", "http", "²"])
def test_port_that_is_none_is_refused(port: str, capsys: CAPTURED) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["--port", port])
    assert end.value.code == 2
    assert "must be a number from 1 to 65535" in capsys.readouterr().err


def test_host_that_is_not_ours_is_said_in_one_line(capsys: CAPTURED) -> None:
    assert cli.main(["--no-browser", "--host", "192.0.2.1"]) == 2
    assert capsys.readouterr().err.startswith("dtviz: cannot listen on 192.0.2.1 port 8501: ")


@pytest.mark.parametrize(
    ("args", "headless"), [([], None), (["--no-browser"], True)], ids=["browser", "no-browser"]
)
def test_settings_reach_the_server(
    args: list[str], headless: bool | None, given: dict[str, Any]
) -> None:
    assert cli.main([*args, "--port", "8600"]) == 0
    got = given
    assert got["server.port"] == 8600
    assert got["server.address"] == "localhost"
    assert got["server.allowedHosts"] == ["localhost", "127.0.0.1"]
    assert got["server.maxUploadSize"] == 200
    assert got["theme.dark.primaryColor"] == "#6fc3f7"
    assert got.get("server.headless") is headless


def test_the_largest_file_can_be_set(given: dict[str, Any], capsys: CAPTURED) -> None:
    assert cli.main(["--max-upload", "5"]) == 0
    assert given["server.maxUploadSize"] == 5
    for odd in ("0", "201", "x"):
        with pytest.raises(SystemExit):
            cli.main(["--max-upload", odd])
        assert "must be a number of MB from 1 to 200" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "address", "names"),
    [
        ([], "localhost", []),
        (["--host", "127.0.0.1"], "127.0.0.1", []),
        (["--name", "Trees.School.example"], "localhost", ["trees.school.example"]),
        (["--share"], "0.0.0.0", ["10.0.0.7"]),
        (["--share", "--name", "lab-7.local"], "0.0.0.0", ["lab-7.local"]),
        (["--share", "--host", "10.0.0.8"], "10.0.0.8", ["10.0.0.7"]),
        (["--host", "10.0.0.8"], "10.0.0.8", ["10.0.0.8"]),
        (["--host", "0.0.0.0"], "0.0.0.0", ["lab-7", "10.0.0.7"]),
        (["--host", "0.0.0.0", "--name", "lab-7.local"], "0.0.0.0", ["lab-7.local"]),
    ],
)
def test_this_machine_alone_listens_and_is_answered_unless_more_is_asked_for(
    args: list[str],
    address: str,
    names: list[str],
    given: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(share, "_address", lambda: "10.0.0.7")
    monkeypatch.setattr(share.socket, "gethostname", lambda: "lab-7")
    assert cli.main(args) == 0
    assert given["server.address"] == address
    assert given["server.allowedHosts"] == ["localhost", "127.0.0.1", *names]
    assert given.get("browser.serverAddress") == (names[0] if "--share" in args else None)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--name", "https://trees.school.example"], "must be a name alone"),
        (["--name", "*"], "must be a name alone"),
        (["--name", ""], "must be a name alone"),
        (["--frame", "moodle.school.example"], "must be a site"),
        (["--frame", "https://a.example; script-src *"], "must be a site"),
        (["--frame", "https://a.example/path"], "must be a site"),
        (["--frame", "*"], "must be a site"),
    ],
)
def test_a_name_or_a_site_that_is_none_is_refused(
    args: list[str], said: str, capsys: CAPTURED
) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(args)
    assert end.value.code == 2
    assert said in capsys.readouterr().err


def test_sites_that_may_frame_the_app_reach_the_guard(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    app = st.App
    monkeypatch.setattr(st, "App", lambda *a, **parts: made.append(parts) or app(*a, **parts))
    sites = ["https://moodle.school.example", "https://*.lab.example:8443"]
    assert cli.main(["--frame", sites[0], "--frame", sites[1]]) == 0
    assert made[0]["middleware"][0].kwargs["framed"] == sites
    assert cli.main([]) == 0
    assert not made[1]["middleware"][0].kwargs["framed"]


def test_sharing_without_a_network_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: CAPTURED
) -> None:
    def unreachable(*_: Any) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(share.socket.socket, "connect", unreachable)
    assert cli.main(["--share"]) == 2
    assert "name it as the class calls it: --name" in capsys.readouterr().err


def test_who_shares_reads_the_address_its_code_and_what_is_open() -> None:
    url = "http://10.0.0.7:8501/?data=iris"
    text = share.invitation(url, "fruit.csv")
    assert text.startswith(f"For the class: {url}\n\n\u2588")
    assert "sees the examples and fruit.csv, gives tables of their" in text
    assert "sees the examples, gives" in share.invitation(url, None)
    assert "\u2588" not in share.invitation(url + "&log=" + "a" * 400, None)


def test_a_terminal_without_blocks_is_given_the_address_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(share.sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert share.invitation("http://10.0.0.7:8501", None).isascii()


# The settings: each must exist in the streamlit that is installed, the hidden ones too.
OPTIONS = serving.read_options(serving.home())


@pytest.mark.parametrize("name", [*OPTIONS, *serving.server_options("localhost", 1, [])])
def test_streamlit_knows_the_setting(name: str) -> None:
    streamlit_config.get_option(name)  # raises for a name it does not know


def test_privacy_and_load_settings() -> None:
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


def test_settings_name_no_other_host() -> None:
    assert not any("://" in str(value) for value in OPTIONS.values())


@pytest.fixture
def led(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Where `dtviz open` leads the browser."""
    got: list[str] = []
    monkeypatch.setattr(serving, "start", lambda _args, at: got.append(at) or OK)
    monkeypatch.setattr(uploads, "SERVED", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    return got


def test_open_serves_a_table_and_leads_to_its_tree(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--target", "fruit"]) == 0
    (mark,) = uploads.SERVED
    assert mark == uploads.fingerprint(Path(fruit).read_bytes())
    found = address.read(dict(parse_qsl(led[0])), Recipe("iris"))
    assert found.problems == ()
    tab = Instrument(Visit(Session(found.recipe)), files=dict(uploads.SERVED))
    data, read = tab.dataset(found.recipe), dtviz.read_table(fruit, target="fruit")
    assert (data.features, data.classes, data.n) == (read.features, read.classes, read.n)


@pytest.mark.parametrize("after", [True, False], ids=["after", "before"])
def test_open_takes_the_servers_settings_before_and_after_it(
    after: bool, fruit: str, given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "SERVED", {})
    monkeypatch.setattr(uploads, "SERVED_FILES", {})
    options, asked = ["--port", "8600", "--no-browser"], ["open", fruit, "--target", "fruit"]
    assert cli.main([*asked, *options] if after else [*options, *asked]) == 0
    assert (given["server.port"], given["server.headless"]) == (8600, True)


def test_open_leads_to_a_link_as_it_is(fruit: str, led: list[str]) -> None:
    assert cli.main(["open", fruit, "--at", "data=file&sha=1&log=a1"]) == 0
    assert (len(uploads.SERVED), led) == (1, ["data=file&sha=1&log=a1"])


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--target", "colour"], "('width', 'height', 'fruit'); not 'colour'"),
        ([], "one of the arguments --target --at is required"),
        (["--target", "fruit", "--at", ""], "not allowed with"),
    ],
)
def test_open_says_what_is_wrong_in_one_line(
    more: list[str], said: str, fruit: str, led: list[str], capsys: CAPTURED
) -> None:
    with suppress(SystemExit):
        assert cli.main(["open", fruit, *more]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]
    assert led == []


def test_open_without_the_file_says_so(tmp_path: Path, led: list[str], capsys: CAPTURED) -> None:
    assert cli.main(["open", str(tmp_path / "none.csv"), "--target", "y"]) == 2
    assert "none.csv" in capsys.readouterr().err
    assert led == []
