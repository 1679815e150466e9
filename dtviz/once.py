"""Values worked out when they are first asked for, and kept in their object.

`functools.cached_property` of Python 3.11 does the same under one lock for all objects of a class:
what is worked out for one person there keeps everybody else waiting.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
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
