"""Long work as a generator: it yields the share that is done, and returns what it found."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

T = TypeVar("T")
Slices = Generator[float, None, T]


def finished(slices: Slices[T]) -> T:
    """What long work returns, done to its end without a pause."""
    while True:
        try:
            next(slices)
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
