"""Long work in slices, so that a page goes on meanwhile.

Glossary
    job      work under way: a generator yields the share that is done and returns what it found
    slice    as much of a job as is done in one go
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from dtviz.base.progress import pause

SLICE_SECONDS = 0.15  # seconds
MANY_ROWS = 200_000  # a whole tree of more rows is long work
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Work(Generic[T]):
    """What the work is about (other words make other work), how it starts, what it is called."""

    asked: Hashable
    start: Callable[[], Generator[float, None, T]]
    said: str


class ResultOf(Protocol):
    """A function of some work."""

    def __call__(self, work: Work[T], /) -> T | None:
        """What it found, or None while it is under way."""


@dataclass(slots=True)
class Job:
    """Work under way, stopped, or done; `failed` says why there is no result.

    `fed` says that this run has done its slice already.
    """

    steps: Generator[float, None, Any]
    share: float = 0.0
    stopped: bool = False
    fed: bool = False
    done: bool = False
    failed: str = ""
    result: Any = None


def go_on(job: Job) -> None:
    """One step at least, so that a busy machine gets on too, and more until the time is up."""
    end = time.monotonic() + SLICE_SECONDS
    while not (job.done or job.stopped):
        try:
            job.share = next(job.steps)
            pause()
        except StopIteration as last:
            job.done, job.result = True, last.value
        except ValueError as error:
            text = str(error).replace("`", "")
            job.done, job.failed = True, f"{text[:1].upper()}{text[1:]}."
        if time.monotonic() >= end:
            return
