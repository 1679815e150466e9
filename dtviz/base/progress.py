"""Long work in slices: a generator yields the share that is done, and returns what it found.

Work that is not asked for in slices pauses between them, and in its longer loops: a shell that has
others to serve says by `pause_by` what is done there.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

T = TypeVar("T")
Slices = Generator[float, None, T]
_pauses: list[Callable[[], None]] = []


def pause_by(wait: Callable[[], None]) -> None:
    """Have this done at every pause: it may wait, and ends the work by what it raises."""
    _pauses[:] = [wait]


def pause() -> None:
    """A place in long work where others have their turn."""
    for wait in _pauses:
        wait()


def finished(slices: Slices[T]) -> T:
    """What long work returns, done to its end."""
    while True:
        try:
            next(slices)
            pause()
        except StopIteration as last:
            found: T = last.value
            return found


def within(slices: Slices[T], low: float, high: float) -> Slices[T]:
    """The slices of a part, which takes the whole from one share to the other."""
    while True:
        try:
            share = next(slices)
        except StopIteration as last:
            found: T = last.value
            return found
        yield low + (high - low) * share
