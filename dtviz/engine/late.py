"""Mappings that are filled when they are first read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Late(Mapping[K, V]):
    """What `fill` gives, asked for once and only when someone looks; it cannot be changed."""

    def __init__(self, fill: Callable[[], Mapping[K, V]]) -> None:
        self._fill = fill

    @cached_property
    def _known(self) -> Mapping[K, V]:
        return self._fill()

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
