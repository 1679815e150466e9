"""What is made when it is first read, and how much of it is made at once."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from dtviz.once import once

K = TypeVar("K")
V = TypeVar("V")


@contextmanager
def uncollected() -> Iterator[None]:
    """No look for cycles meanwhile: growing makes none, but so many nodes that it is a third of it.

    Whoever was first to stop the collector starts it again, whatever other threads grow.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class Late(Mapping[K, V]):
    """What `fill` gives, asked for once and only when someone looks; it cannot be changed."""

    def __init__(self, fill: Callable[[], Mapping[K, V]]) -> None:
        self._fill = fill

    @once
    def _known(self) -> Mapping[K, V]:
        with uncollected():
            made = self._fill()
        self._fill = lambda: made  # what it was made of may go
        return made

    def __getitem__(self, key: K) -> V:
        return self._known[key]

    def __contains__(self, key: object) -> bool:
        return key in self._known

    def __iter__(self) -> Iterator[K]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def __repr__(self) -> str:
        return repr(dict(self))
