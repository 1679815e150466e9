"""Work of a process in tests: it ends well, never, without memory, or by a crash."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dtviz.data.worker import serve


def work() -> None:
    """Do the deed that the request names."""
    serve(_deed)


def _deed(head: dict[str, Any], content: bytes) -> Iterator[bytes]:
    os.write(1, b"a library says something")
    if head["deed"] == "crash":
        os.kill(os.getpid(), getattr(signal, "SIGSEGV", signal.SIGTERM))
    if head["deed"] == "spin":
        Path(head["place"]).write_text(str(os.getpid()))
        while True:
            time.sleep(0.01)
    yield b"0.5\n"
    yield json.dumps({"fine": True, "memory refused": _is_refused(head["greedy"])}).encode() + b"\n"
    yield content[::-1]


def _is_refused(greedy: bool) -> bool:
    """Whether there is too little memory for what a greedy process asks for."""
    try:
        bytes(4_000_000_000 if greedy else 0)
    except MemoryError:
        return True
    return False
