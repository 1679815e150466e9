"""Values computed on first access and kept: a property, a mapping, the last value of each name."""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class LastValues:
    """Cache of the last value of each name; a value is computed anew where its inputs changed."""

    def __init__(self) -> None:
        self._entries: dict[Hashable, tuple[object, Any]] = {}

    @property
    def n_names(self) -> int:
        """Number of names with a value."""
        return len(self._entries)

    def get(self, name: Hashable, inputs: object, make: Callable[[], T]) -> T:
        """The value of a name; `make` computes it unless the last one had equal inputs."""
        entry = self._entries.get(name)
        if entry is None or entry[0] != inputs:
            entry = self._entries[name] = inputs, make()
        value: T = entry[1]
        return value


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
