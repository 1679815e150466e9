"""What every test may use: the checkout, the command line, and a server on a port of its own.

Glossary
    checkout   the folder that holds pyproject.toml
    serve      starts `dtviz` in a process of its own and hands back the Server once it answers
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import is_hypothesis_test, settings

CHECKOUT = Path(__file__).resolve().parent.parent
START_SECONDS = 60.0
END_SECONDS = 20.0
UNCOUNTED = ("browser", "figures", "frontend", "pages")
UNLOADED = ("__main__", "cli", "figures", "ui")  # what pyproject.toml omits

Tracers = tuple[Any, Any]  # of this thread, and of threads begun from now on
TRACERS = pytest.StashKey[Tracers]()
NOTHING: Tracers = (None, None)

# Each test, and what it starts, is compiled once: not by every worker of every run.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples every time, so a few; HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None, max_examples=20)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores: the browser tests wait about a third of their time."""
    return len(os.sched_getaffinity(0)) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Once all is over, pytest's look at what was never closed too, have the process just end.

    What is added first is done last. To take apart all that stands in it takes seconds.
    """
    config.add_cleanup(gc.freeze)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Read the tests with the garbage collector off; what is left stays, so it passes that over.

    Coverage counts the engine's modules as they load, not reading and rewriting tests.
    """
    if sys.gettrace() is not None:
        package = importlib.import_module("dtviz")  # for coverage alone
        for found in pkgutil.walk_packages(package.__path__, "dtviz."):
            if found.name.split(".")[1] not in UNLOADED:
                importlib.import_module(found.name)
    gc.disable()
    try:
        with tracing(NOTHING):
            return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_sessionfinish() -> None:
    """Let pytest look through all for what was never closed."""
    gc.unfreeze()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let each worker read a share of `tests` first: the rest it then finds compiled, mostly."""
    report = yield
    worker = getattr(collector.config, "workerinput", None)
    if worker and collector.path == CHECKOUT / "tests" and _is_one_place(collector.config):
        own = slice(int(worker["workerid"].removeprefix("gw")), None, worker["workercount"])
        first = report.result[own]
        del report.result[own]
        report.result[:0] = first
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests in one order again, whichever a worker read first: the browser's, then those of
    the whole, so that what is longest does not come last, then folder by folder.
    """
    if _is_one_place(config):
        items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[bool, bool, tuple[str, ...]]:
    folder = item.path.parent
    return folder.name != "browser", folder != CHECKOUT / "tests", item.path.parts


def _is_one_place(config: pytest.Config) -> bool:
    """Whether one file or folder is asked for: of several, the order asked for is kept."""
    return len(config.args) == 1


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Iterator[object]:
    """Trace only the calls that count, see below: no fixtures, and not pytest's own work, which is
    the larger part of most tests.
    """
    with tracing(NOTHING) as session.config.stash[TRACERS]:
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[object]:
    """Count coverage in examples alone: the engine has enough of them, and tracing costs half.

    Not in properties, nor in what drives whole pages or pictures, nor in what is marked
    `uncounted`: long comparisons of what examples count too.
    """
    counted = item.path.parent.name not in UNCOUNTED and not (
        is_hypothesis_test(item.obj) or item.get_closest_marker("uncounted")  # type: ignore[attr-defined]
    )
    with tracing(item.config.stash[TRACERS]) if counted else nullcontext():
        return (yield)


@contextmanager
def tracing(tracers: Tracers) -> Iterator[Tracers]:
    """Set these tracers; hand out those that were set, and set them again afterwards.

    Coverage's own marker `no_cover` does not stop the tracer of a worker.
    """
    before = sys.gettrace(), threading.gettrace()
    _trace(tracers)
    try:
        yield before
    finally:
        _trace(before)


def _trace(tracers: Tracers) -> None:
    sys.settrace(tracers[0])
    threading.settrace(tracers[1])


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
