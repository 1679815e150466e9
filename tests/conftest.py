"""What every test may use: the checkout, the command line, and a server on a port of its own.

Glossary
    checkout   the folder that holds pyproject.toml
    serve      starts `dtviz` in a process of its own and hands back the Server once it answers
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from xdist.scheduler import LoadFileScheduling

CHECKOUT = Path(__file__).resolve().parent.parent
START_SECONDS = 60.0
END_SECONDS = 20.0

# Each test, and what it starts, is compiled once: not by every worker of every run.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples every time, so a few; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=20)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


class OneBrowser(LoadFileScheduling):
    """Gives the tests of a file to one worker, and all flows to the one that has the browser."""

    def _split_scope(self, nodeid: str) -> str:
        scope = super()._split_scope(nodeid)
        return "tests/browser" if scope.startswith("tests/browser/") else scope


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> OneBrowser:
    return OneBrowser(config, log)


@dataclass(frozen=True)
class Server:
    """A running app: its address, its process and the file its output goes to."""

    url: str
    process: subprocess.Popen[bytes]
    output: Path

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1])

    def get(self, path: str = "/") -> str:
        """The body of a page."""
        with urllib.request.urlopen(self.url + path, timeout=10) as answer:
            return str(answer.read().decode())

    def interrupt(self) -> None:
        """Press Ctrl-C."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)

    def stop(self) -> int:
        """Press Ctrl-C; the exit code."""
        self.interrupt()
        return self.end()

    def end(self) -> int:
        """Wait until it has ended; the exit code."""
        try:
            return self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def wait(self) -> None:
        """Return once the server answers; say why when it does not."""
        end = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            try:
                self.get("/_stcore/health")
            except OSError:
                time.sleep(0.05)
            else:
                return
        self.process.kill()
        self.process.wait()
        pytest.fail(f"the server did not start:\n{self.output.read_text()}", pytrace=False)


Serve = Callable[..., Server]


@pytest.fixture(scope="session")
def checkout() -> Path:
    return CHECKOUT


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """`serve()` starts the checkout's app in an empty folder; stopped when the tests are over.

    `port` is where a server was before.
    """
    started: list[Server] = []

    def start(*command: str, env: Mapping[str, str] | None = None, port: int = 0) -> Server:
        folder = tmp_path_factory.mktemp("server")
        port = port or free_port()
        program = command or (sys.executable, "-m", "dtviz")
        with (folder / "output.txt").open("wb") as output:
            process = subprocess.Popen(
                [*program, "--no-browser", "--port", str(port)],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(CHECKOUT), **(env or {})},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        server = Server(f"http://localhost:{port}", process, folder / "output.txt")
        started.append(server)
        server.wait()
        return server

    yield start
    for server in started:
        server.interrupt()
    for server in started:
        server.end()


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])
