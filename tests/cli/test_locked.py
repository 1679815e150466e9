"""A real server refuses whoever is not its own, by whichever command it was started.

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

# Its settings are those beside app.py, whatever the folder it is started in.
STREAMLIT_RUN = """
import sys
from streamlit.web.cli import main
sys.argv = ["streamlit", "run", {app!r}, "--server.headless=true", "--server.port", sys.argv[-1]]
main()
"""


@pytest.fixture(scope="module", params=["dtviz", "streamlit run"])
def server(request: pytest.FixtureRequest, serve: Callable[..., Any], checkout: Path) -> Any:
    if request.param == "dtviz":
        return serve()
    return serve(sys.executable, "-c", STREAMLIT_RUN.format(app=str(checkout / "app.py")))


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


@pytest.mark.parametrize("path", ["/", "/learn", "/_stcore/metrics", "/_stcore/health"])
def test_its_own_host_is_answered_and_no_other(server: Any, path: str) -> None:
    status, headers = ask(server, path)
    assert status == 200
    assert headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert ask(server, path, Host="evil.example")[0] == 403
    assert ask(server, path, Origin="http://evil.example")[0] == 403


def test_a_path_of_5_000_characters_is_quietly_not_found(server: Any) -> None:
    for path in ("a" * 5_000, "_stcore/bidi-components/dtviz.view/" + "a" * 5_000):
        assert ask(server, f"/{path}")[0] == 404
    assert "Traceback" not in server.output.read_text()


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost:1"])
def test_the_page_of_another_site_gets_no_websocket(server: Any, origin: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        dial(server, origin)
    assert refused.value.response.status_code == 403


def test_its_own_page_is_heard_and_its_clear_cache_is_not(server: Any) -> None:
    with dial(server, server.url) as line:
        line.send(BackMsg(clear_cache=True).SerializeToString())
        line.send(BackMsg(rerun_script={"query_string": ""}).SerializeToString())
        assert line.recv(timeout=60)
    assert "clear_cache" not in server.output.read_text()
