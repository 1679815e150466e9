"""The values made last, kept by what they are made of, so that nothing is worked out twice."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields, is_dataclass
from threading import Lock
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np

from dtviz.base.lazy import Last

T = TypeVar("T")
MAX_BYTES = 256_000_000  # bytes of one tab: of a million rows the table, the tree and the last cuts
MIN_BYTES = 4_000_000  # of one among many
MAX_BYTES_ALL_TABS = 1_000_000_000  # of all tabs of a server
BYTES_PER_LAZY_VALUE = 800.0  # of what is told of a tree's node or edge under one name


class Cache:
    """What `get` made, the newest last; the oldest are let go when all weigh more than `most`.

    The value made last stays whatever it weighs; those that grow where they are kept are weighed
    again. Tabs may share one.
    """

    def __init__(
        self, most: float = MAX_BYTES, weigh: Callable[[Any], float] | None = None
    ) -> None:
        self.most, self.weigh, self.total = most, weigh or size_in_bytes, 0.0
        self._kept: dict[Hashable, tuple[Any, float]] = {}
        self._grow: dict[Hashable, Last] = {}
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of that key; made if it is not there."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found  # the newest again
        if found is None:
            found = self._put(key, make())
        value: T = found[0]
        return value

    def peek(self, key: Hashable) -> Any:
        """The value of that key, or None."""
        found = self._kept.get(key)
        return None if found is None else found[0]

    def drop(self, old: Callable[[Any], bool]) -> None:
        """Let go of the keys that are `old`."""
        with self._lock:
            for key in [key for key in self._kept if old(key)]:
                self.total -= self._kept.pop(key)[1]

    def _put(self, key: Hashable, value: Any) -> tuple[Any, float]:
        made = value, self.weigh(value)
        with self._lock:
            self.total += made[1] - self._kept.pop(key, (None, 0.0))[1]
            self._kept[key] = made
            if isinstance(value, Last):
                self._grow[key] = value
            self._shrink()
        return made

    def fit(self, most: float) -> None:
        """Keep at most so much from now on."""
        with self._lock:
            self.most = most
            self._shrink()

    def _shrink(self) -> None:
        self._weigh_again()
        while self.total > self.most and len(self._kept) > 1:
            self.total -= self._kept.pop(next(iter(self._kept)))[1]

    def _weigh_again(self) -> None:
        """Those that grow, and are kept still."""
        self._grow = {key: it for key, it in self._grow.items() if key in self._kept}
        for key, it in self._grow.items():
            now = self.weigh(it)
            self.total += now - self._kept[key][1]
            self._kept[key] = it, now


def bytes_per_tab(tabs: int) -> float:
    """The bytes that each of so many tabs may keep."""
    return min(MAX_BYTES, max(MIN_BYTES, MAX_BYTES_ALL_TABS / max(tabs, 1)))


def size_in_bytes(value: object) -> float:
    """About how many bytes a value takes: those of its arrays, and a few for all else."""
    if isinstance(value, np.ndarray):
        return value.nbytes + 100.0
    if isinstance(value, bytes):
        return len(value) + 50.0
    if isinstance(value, Last):
        return 60.0 + BYTES_PER_LAZY_VALUE * value.many
    if isinstance(value, dict):
        return sum(map(size_in_bytes, value.values()), 200.0)
    if isinstance(value, MappingProxyType):  # of a tree: not opened, there may be very many
        return 400.0 * len(value)
    if isinstance(value, list | tuple):
        plain = len(value) > 0 and isinstance(value[0], str | int | float)
        return 60.0 + (40.0 * len(value) if plain else sum(map(size_in_bytes, value)))
    if is_dataclass(value) and not isinstance(value, type):
        return sum((size_in_bytes(getattr(value, field.name)) for field in fields(value)), 60.0)
    return 40.0
