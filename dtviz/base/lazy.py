"""Values computed once and kept, and libraries imported at their first use.

Values: a lazy property, a lazy mapping, and a cache bounded by bytes. Libraries: pandas (`pd`) and
pyarrow (`pa`), since most pages never need them.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from importlib import import_module
from threading import Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, overload

import numpy as np

__all__ = [
    "BYTES_PER_TEXT",
    "MAX_BYTES_ALL_TABS",
    "MAX_BYTES_PER_TAB",
    "MIN_BYTES_PER_TAB",
    "Cache",
    "LateModule",
    "LazyMapping",
    "ValueKeeper",
    "bytes_per_tab",
    "garbage_collector_paused",
    "keep_nothing",
    "lazy_property",
    "pa",
    "pd",
    "size_in_bytes",
]
T = TypeVar("T")


class lazy_property(Generic[T]):  # noqa: N801  (read as a decorator)
    """A property computed on first access and kept in the object's `__dict__`.

    Two threads that ask at the same time both compute it; the first result is kept.
    """

    # `functools.cached_property` of Python 3.11 holds one lock for all objects of a class, so that
    # a value computed for one visitor would keep all others waiting.

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> lazy_property[T]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> lazy_property[T] | T:
        if instance is None:
            return self
        value: T = instance.__dict__.setdefault(self.name, self.make(instance))
        return value


K = TypeVar("K")
V = TypeVar("V")


@contextmanager
def garbage_collector_paused() -> Iterator[None]:
    """Pause the garbage collector inside a `with` block.

    Of nested or concurrent blocks, the one that stopped the collector starts it again.
    """
    # Growing a tree makes no reference cycles, but so many objects that looking for cycles takes a
    # third of its time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class LazyMapping(Mapping[K, V]):
    """A read-only mapping computed on first access: `fill` is called once, or never."""

    def __init__(self, fill: Callable[[], Mapping[K, V]]) -> None:
        self._fill = fill

    @lazy_property
    def _items(self) -> Mapping[K, V]:
        with garbage_collector_paused():
            items = self._fill()
        self._fill = lambda: items  # frees what the old `fill` held
        return items

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(dict(self))


MAX_BYTES_PER_TAB = 256_000_000
"""Bytes that one tab keeps: enough for the table, tree and candidates of a million rows."""
MIN_BYTES_PER_TAB = 4_000_000
"""Bytes that a tab may keep however many tabs there are."""
MAX_BYTES_ALL_TABS = 1_000_000_000
"""Bytes that all tabs of a server may keep, unless there are so many that each has the minimum."""
BYTES_PER_TEXT = 500.0
"""Estimate of what a kept text takes besides its letters, with its key and its inputs."""
MAX_ITEMS_WEIGHED = 100
"""Items of a list whose bytes are counted; of longer lists one in two, in three, ... is."""
CacheEntry = tuple[Any, float, object]
"""A value, its bytes, and the inputs from which it was computed."""


class Cache:
    """Values by key; the least recently used are dropped when all take more than `max_bytes`.

    The newest value always stays, whatever its size. `weigh` estimates the bytes of a value.
    Threads may share a cache.
    """

    def __init__(
        self, max_bytes: float = MAX_BYTES_PER_TAB, weigh: Callable[[Any], float] | None = None
    ) -> None:
        self.max_bytes, self.weigh, self.total_bytes = max_bytes, weigh or size_in_bytes, 0.0
        self._entries = OrderedDict[Hashable, CacheEntry]()  # the newest last
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T], inputs: object = None) -> T:
        """Return the value of a key; `make` computes it if none is kept for equal `inputs`."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None and entry[2] == inputs:
                self._entries.move_to_end(key)  # the newest again
                value: T = entry[0]
                return value
        value = make()  # without the lock: it may take long
        n_bytes = self.weigh(value)
        with self._lock:
            self.total_bytes += n_bytes - self._entries.pop(key, (None, 0.0))[1]
            self._entries[key] = value, n_bytes, inputs
            self._shrink()
        return value

    def peek(self, key: Hashable) -> Any:
        """Return the value that is kept for a key, whatever its inputs, or None."""
        entry = self._entries.get(key)
        return None if entry is None else entry[0]

    def drop(self, is_old: Callable[[Any], bool]) -> None:
        """Drop the values for whose keys `is_old` returns True."""
        with self._lock:
            for key in [key for key in self._entries if is_old(key)]:
                self.total_bytes -= self._entries.pop(key)[1]

    def set_max_bytes(self, max_bytes: float) -> None:
        """Keep at most so many bytes from now on."""
        with self._lock:
            self.max_bytes = max_bytes
            self._shrink()

    def _shrink(self) -> None:
        while self.total_bytes > self.max_bytes and len(self._entries) > 1:
            self.total_bytes -= self._entries.pop(next(iter(self._entries)))[1]


class ValueKeeper(Protocol):
    """A function that returns values by name, and keeps each as long as its inputs are equal."""

    def __call__(self, name: Hashable, inputs: object, make: Callable[[], T], /) -> T:
        """Return the value kept for a name if its inputs were equal, else what `make` computes."""


def keep_nothing(name: Hashable, inputs: object, make: Callable[[], T], /) -> T:
    """Compute a value at each call: a `ValueKeeper` that keeps none."""
    return make()


def bytes_per_tab(tabs: int) -> float:
    """Return the bytes that each tab may keep while a server has so many tabs."""
    return min(MAX_BYTES_PER_TAB, max(MIN_BYTES_PER_TAB, MAX_BYTES_ALL_TABS / max(tabs, 1)))


def size_in_bytes(value: object) -> float:
    """Estimate the bytes of a value: those of its arrays, and a few for everything else."""
    if isinstance(value, np.ndarray):
        return value.nbytes + 100.0
    if isinstance(value, bytes | str):
        return len(value) + BYTES_PER_TEXT
    if isinstance(value, dict):
        return 200.0 + _size_of_items([*value.values()])
    if isinstance(value, MappingProxyType):  # of a tree: too many items to look at each
        return 400.0 * len(value)
    if isinstance(value, list | tuple):
        return 60.0 + _size_of_items(value)
    if is_dataclass(value) and not isinstance(value, type):
        return sum((size_in_bytes(getattr(value, field.name)) for field in fields(value)), 60.0)
    return 40.0


def _size_of_items(items: Sequence[object]) -> float:
    """Estimate the bytes of items; of very many by some of them."""
    step = len(items) // MAX_ITEMS_WEIGHED + 1
    return step * sum(map(size_in_bytes, items[::step]))


class LateModule:
    """A module that is imported when one of its names is first read."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
else:
    pd, pa = LateModule("pandas"), LateModule("pyarrow")
