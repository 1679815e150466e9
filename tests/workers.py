"""What the workers of one run share: made by the first that asks, the others wait for it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

WAIT_SECONDS = 800
STOPPED = "the worker that was at it was stopped"


def run_folder(factory: pytest.TempPathFactory) -> Path:
    """The folder of this run of the tests, new and the same for all workers."""
    own = factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


def once(folder: Path, make: Callable[[], Any]) -> Any:
    """What `make` gave, as JSON keeps it; it failed for all where it did.

    `folder` is noted in; it is there once somebody has asked.
    """
    answer = folder / "answer"
    try:
        folder.mkdir()
    except FileExistsError:
        return _answer(answer)
    found = {"failed": STOPPED}
    try:
        found = {"made": make()}
    except pytest.fail.Exception as failure:
        found = {"failed": str(failure)}
        raise
    finally:
        (folder / "part").write_text(json.dumps(found))
        (folder / "part").rename(answer)
    return found["made"]


def _answer(file: Path) -> Any:
    end = time.monotonic() + WAIT_SECONDS
    while not file.exists() and time.monotonic() < end:
        time.sleep(0.05)
    found = json.loads(file.read_text()) if file.exists() else {"failed": STOPPED}
    if "failed" in found:
        pytest.fail(found["failed"], pytrace=False)
    return found["made"]
