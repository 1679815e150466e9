"""Work of a process in tests: it ends well, never, without memory, or by a crash."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dtviz.table.worker import serve


def work() -> None:
    """Do the deed that the request names."""
    serve(_deed)


def _deed(head: dict[str, Any], content: bytes) -> Iterator[bytes]:
    os.write(1, b"a library says something")
    if head["deed"] == "crash":
        os.kill(os.getpid(), getattr(signal, "SIGSEGV", signal.SIGTERM))
    if head["deed"] == "memory":
        try:
            bytes(4_000_000_000)
        except MemoryError:
            yield b'{"memory": "refused"}\n'
            return
    if head["deed"] == "spin":
        Path(head["place"]).write_text(str(os.getpid()))
        while True:
            time.sleep(0.01)
    yield b"0.5\n"
    yield b'{"fine": true}\n'
    yield content[::-1]
