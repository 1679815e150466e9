"""A real server refuses foreign hosts and pages, by whichever command it was started.

Glossary
    server    a running app, started by `dtviz` or by `streamlit run app.py`
"""

from __future__ import annotations

import http.client
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from dtviz.app.server import inline_scripts

# Its settings are those beside app.py, whatever the folder it is started in.
STREAMLIT_RUN = """
import sys
from streamlit.web.cli import main
sys.argv = ["streamlit", "run", {app!r}, "--server.headless=true", "--server.port", sys.argv[-1]]
main()
"""


def ask(server: Any, path: str, **headers: str) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer."""
    line = http.client.HTTPConnection("localhost", server.port, timeout=30)
    try:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        line.close()


def dial(server: Any, origin: str | None) -> ClientConnection:
    """A websocket as a browser opens one."""
    address = f"ws://localhost:{server.port}/_stcore/stream"
    return connect(address, origin=origin, subprotocols=["streamlit"], open_timeout=30)  # type: ignore[arg-type, list-item]


@pytest.mark.parametrize(
    "command", ["dtviz", pytest.param("streamlit run", marks=pytest.mark.nightly)]
)
def test_a_server_answers_its_host_and_page_alone_until_ctrl_c_ends_it(
    command: str, serve: Callable[..., Any], checkout: Path
) -> None:
    run = [sys.executable, "-c", STREAMLIT_RUN.format(app=str(checkout / "app.py"))]
    server = serve(*(run if command == "streamlit run" else ()))
    for path in ("/", "/learn", "/_stcore/metrics", "/_stcore/health"):
        status, headers = ask(server, path)
        assert status == 200, path
        assert headers["x-content-type-options"] == "nosniff", path
        assert "frame-ancestors 'none'" in headers["content-security-policy"], path
        assert ask(server, path, Host="evil.example")[0] == 403, path
        assert ask(server, path, Origin="http://evil.example")[0] == 403, path
    for path in ("a" * 5_000, "_stcore/bidi-components/dtviz.view/" + "a" * 5_000):
        assert ask(server, f"/{path}")[0] == 404
    for origin in ("http://evil.example", "null", "http://localhost:1"):
        with pytest.raises(InvalidStatus) as refused:
            dial(server, origin)
        assert refused.value.response.status_code == 403, origin
    with dial(server, server.url) as line:
        line.send(BackMsg(clear_cache=True).SerializeToString())
        line.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
        assert line.recv(timeout=60)
    assert '<div id="root">' in server.get("/")
    assert all(inline_scripts() in server.get(path) for path in ("/", "/?data=iris", "/learn"))
    end, output = server.stop(), server.output.read_text()
    assert "Traceback" not in output
    assert "clear_cache" not in output
    if command == "dtviz":
        assert end == 0
        assert output.split("\n") == [f"dtviz is at {server.url} (Ctrl-C stops it)", "", ""]
