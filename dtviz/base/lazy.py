"""Values worked out when they are first asked for, and kept in their object.

`functools.cached_property` of Python 3.11 does the same under one lock for all objects of a class:
what is worked out for one person there keeps everybody else waiting.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Last:
    """What was made last under each name; made anew where what it is made of has changed."""

    def __init__(self) -> None:
        self._made: dict[Hashable, tuple[object, Any]] = {}

    @property
    def many(self) -> int:
        """How many names something stands under."""
        return len(self._made)

    def get(self, name: Hashable, of: object, make: Callable[[], T]) -> T:
        """What stands under that name, made of that."""
        before = self._made.get(name)
        if before is None or before[0] != of:
            before = self._made[name] = of, make()
        found: T = before[1]
        return found


class once(Generic[T]):  # noqa: N801  (read as a decorator)
    """A property that is worked out once; of two threads that ask at a time, by both."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self.make, self.__doc__ = make, make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, it: None, owner: type) -> once[T]: ...

    @overload
    def __get__(self, it: object, owner: type) -> T: ...

    def __get__(self, it: object | None, owner: type) -> once[T] | T:
        if it is None:
            return self
        made: T = it.__dict__.setdefault(self.name, self.make(it))
        return made


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
