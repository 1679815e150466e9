"""Reading of hostile files in a separate process, with limits of time and memory.

A library that reads a file in one step cannot be interrupted, may take all memory and may crash. In
a separate process it ends that process alone.

A request is a head, which is one line of JSON, and the bytes of a file. An answer is lines with the
share of the work done, then a head and bytes. Both go through pipes. The parent keeps the pipe of
the request open: the process ends when that pipe is closed, as it is when the parent has ended.
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from threading import BoundedSemaphore, Event, Thread
from typing import Any, Literal

from dtviz.base.progress import Slices
from dtviz.data.dataset import DataError

MAX_BYTES = 200_000_000  # of a file, and of what it unpacks to
MAX_MEMBERS = 10_000  # files of a zip archive, parts of a gzip archive
MAX_LINES = 2_000_000
MAX_LINE_CHARACTERS = 1_000_000
MAX_COLUMNS = 5_000
MAX_ROWS = 1_000_000
MAX_CELLS = 50_000_000
MAX_SHEET_ROWS = 1 << 20  # of a sheet in Excel, empty ones included
MAX_SECONDS = 60.0  # of processor time
MAX_MEMORY_BYTES = 2_000_000_000  # of a process that reads a file


class TooLargeError(DataError):
    """Raised for a table that takes more bytes, rows, cells, time or memory than may be read."""


def check_bytes(size: int, max_bytes: int) -> None:
    """Raise DataError for a file of more than `max_bytes`."""
    if size > max_bytes:
        raise TooLargeError(
            f"at most {max_bytes / 1e6:,.6g} MB, unpacked; the file holds more: keep a part of it"
        )


def check_table_size(rows: int, columns: int) -> None:
    """Raise DataError for a table without rows or columns, or one that is too large."""
    if not rows or not columns:
        raise DataError("the table is empty; it needs columns and rows")
    if rows > MAX_ROWS:
        raise TooLargeError(f"at most {MAX_ROWS:,} rows; the table has more: keep a part of it")
    if columns > MAX_COLUMNS:
        raise DataError(f"at most {MAX_COLUMNS:,} columns; not {columns:,}: remove some")
    if rows * columns > MAX_CELLS:
        raise TooLargeError(
            f"at most {MAX_CELLS:,} cells; not {rows * columns:,}: keep a part of the table"
        )


def check_lines(text: str) -> None:
    """Raise DataError for a text of more than MAX_LINES."""
    if max(text.count("\n"), text.count("\r")) > MAX_LINES:
        raise TooLargeError(f"at most {MAX_LINES:,} lines; the file has more: keep a part of it")


def time_error() -> DataError:
    """Error of a file whose reading takes more than MAX_SECONDS."""
    return TooLargeError(
        f"reading may take {MAX_SECONDS:.0f} seconds; this file takes longer: keep a part of it, "
        "or save it as CSV"
    )


def memory_error() -> DataError:
    """Error of a file whose reading takes more than MAX_MEMORY_BYTES."""
    return TooLargeError(
        f"reading may take {MAX_MEMORY_BYTES / 1e6:,.0f} MB of memory; this file takes more: keep "
        "a part of it"
    )


PROCESS_SLOTS = BoundedSemaphore(2)
"""Slots of the processes that may run at once; other requests wait for a slot."""
MAX_SECONDS_UNREAD = 15.0  # after which a request whose answer nobody reads is abandoned
POLL_SECONDS = 0.05  # between two checks of a process
CLOCK_FACTOR = 3  # clock time allowed as a multiple of processor time: other work may run too
TIMEOUT_SIGNAL = int(getattr(signal, "SIGXCPU", 0))
"""Signal that ends a process whose processor time is used up; 0 on platforms without it."""
Reason = Literal["", "time", "abandoned"]
"""Reason why a process was ended before it answered, or '' if it was not."""
_START = "import sys; sys.path[:] = {path!r}; from {module} import {function}; {function}()"
"""Code that a new process runs: it calls a function of a module."""


class Worker:
    """A process that answers one request; the process starts as soon as a slot is free.

    The process is killed after MAX_SECONDS of processor time or CLOCK_FACTOR times as many of clock
    time. It is also killed MAX_SECONDS_UNREAD after `last_read`, the time at which somebody last
    asked for the answer.
    """

    def __init__(self, work: Callable[[], None], head: Mapping[str, Any], content: bytes) -> None:
        self.done = Event()  # set when the process has ended
        self.reason: Reason = ""
        self.failure = ""  # error of the operating system when the process started
        self.share = 0.0  # of the work done
        self.head, self.body = b"", b""  # of the answer
        self.last_read = time.monotonic()
        self._entry = _START.format(
            path=[*filter(None, sys.path)], module=work.__module__, function=work.__name__
        )
        self._head = json.dumps({**head, "size": len(content)}).encode() + b"\n"
        self._content = content
        Thread(target=self._run, daemon=True).start()

    def abandon(self) -> None:
        """Abandon the request; the process is killed at the next check."""
        self.last_read = float("-inf")

    def _run(self) -> None:
        try:
            while not PROCESS_SLOTS.acquire(timeout=POLL_SECONDS):
                if self._is_abandoned():
                    return
            try:
                self._exchange()
            finally:
                PROCESS_SLOTS.release()
        except OSError as error:
            self.failure = error.strerror or str(error)
        finally:
            self.done.set()

    def _exchange(self) -> None:
        """Start the process, send the request and receive the answer."""
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        with subprocess.Popen(
            [sys.executable, "-c", self._entry],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        ) as process:
            Thread(target=self._watch, args=(process,), daemon=True).start()
            assert process.stdin is not None
            assert process.stdout is not None
            with suppress(BrokenPipeError):
                process.stdin.write(self._head)
                process.stdin.write(self._content)
                process.stdin.flush()
            for line in process.stdout:
                if line.startswith(b"{"):
                    self.head = line
                    break
                with suppress(ValueError):
                    self.share = min(max(float(line), 0.0), 1.0)
            self.body = process.stdout.read()
            process.kill()
        if 0 < TIMEOUT_SIGNAL == -process.returncode:
            self.reason = "time"

    def _watch(self, process: subprocess.Popen[bytes]) -> None:
        """Kill the process if it takes too long or is abandoned."""
        end = time.monotonic() + MAX_SECONDS * (CLOCK_FACTOR if TIMEOUT_SIGNAL else 1)
        while process.poll() is None:
            if time.monotonic() > end:
                self.reason = "time"
            if self.reason or self._is_abandoned():
                process.kill()
            self.done.wait(POLL_SECONDS)

    def _is_abandoned(self) -> bool:
        if not self.reason and time.monotonic() - self.last_read > MAX_SECONDS_UNREAD:
            self.reason = "abandoned"
        return self.reason == "abandoned"


def run_in_process(
    work: Callable[[], None], head: Mapping[str, Any], content: bytes
) -> Slices[tuple[dict[str, Any], bytes]]:
    """Run `work`, a function of a module, in a process and return its answer: a head and bytes.

    A request may be abandoned while the caller pauses between two slices; it starts anew when the
    caller continues. Raises DataError if the process takes too long or crashes.
    """
    while True:
        worker = Worker(work, head, content)
        try:
            while not worker.done.wait(POLL_SECONDS):
                worker.last_read = time.monotonic()
                yield worker.share
        finally:
            worker.abandon()
        if worker.reason != "abandoned":
            return _parse_answer(worker)


def reader_error() -> DataError:
    """Error of a file whose reader crashed."""
    return DataError("the reader of this file broke off; save it again, or as CSV")


def _parse_answer(worker: Worker) -> tuple[dict[str, Any], bytes]:
    if worker.reason == "time":
        raise time_error()
    if worker.failure:
        raise DataError(
            f"the process that reads the file cannot be started ({worker.failure.lower()}); save "
            "the table as CSV"
        )
    try:
        return json.loads(worker.head), worker.body
    except ValueError:
        raise reader_error() from None


def serve(answer: Callable[[dict[str, Any], bytes], Iterable[Any]]) -> None:
    """Read the request of this process, write the answer within the limits, and exit."""
    _limit_resources()
    pipe = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is no part of the answer
    head = json.loads(sys.stdin.buffer.readline())
    content = sys.stdin.buffer.read(head["size"])
    Thread(target=_end_with_parent, daemon=True).start()
    with suppress(BrokenPipeError), open(pipe, "wb") as file:
        for part in answer(head, content):
            file.write(part)
            file.flush()
    os._exit(0)


def _end_with_parent() -> None:
    sys.stdin.buffer.read(1)  # returns once the parent has closed the pipe
    os._exit(1)


def _limit_resources() -> None:
    """Limit memory and processor time where the platform can, and clock time everywhere."""
    faulthandler.dump_traceback_later(CLOCK_FACTOR * MAX_SECONDS, exit=True, file=sys.stderr)
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a crash writes no copy of the memory
        resource.setrlimit(resource.RLIMIT_CPU, (int(MAX_SECONDS), int(MAX_SECONDS) + 1))
        resource.setrlimit(resource.RLIMIT_DATA, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
