"""What the workers of one run share: made by the first that asks, the others wait for it.

Glossary
    run folder   new for each run of the tests, and the same for all of its workers
    line         a pipe in it that each of them holds: what listens to it ends when the last has
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

FAILED = "the worker that was to make it did not"
LINE = "line"


def run_folder(factory: pytest.TempPathFactory) -> Path:
    """The run folder; a test's process that is no worker has its own."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(folder: Path, make: Callable[[], Any], seconds: float) -> Any:
    """What `make` gave, as JSON keeps it; where it failed it fails for all.

    The first who asks makes the folder; the others wait so long for the answer in it.
    """
    answer = folder / "answer"
    try:
        folder.mkdir()
    except FileExistsError:
        return _answer(answer, seconds)
    found = {"failed": FAILED}
    try:
        found = {"made": make()}
    except pytest.fail.Exception as failure:
        found = {"failed": str(failure)}
        raise
    finally:
        (folder / "part").write_text(json.dumps(found))
        (folder / "part").rename(answer)
    return found["made"]


def _answer(file: Path, seconds: float) -> Any:
    end = time.monotonic() + seconds
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    found = json.loads(file.read_text()) if file.exists() else {"failed": FAILED}
    if "failed" in found:
        pytest.fail(found["failed"], pytrace=False)
    return found["made"]


@contextmanager
def holding(folder: Path) -> Iterator[int]:
    """Hold the line of the run folder; the number of a file to listen to it by."""
    with suppress(FileExistsError):
        os.mkfifo(folder / LINE)
    held = os.open(folder / LINE, os.O_RDWR)
    listens = os.open(folder / LINE, os.O_RDONLY)
    try:
        yield listens
    finally:
        os.close(listens)
        os.close(held)


def listened_to(folder: Path) -> bool:
    """Whether anybody still listens to the line of the run folder, where all have let go of it."""
    try:
        os.close(os.open(folder / LINE, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:  # there is none, or nobody
        return False
    return True
