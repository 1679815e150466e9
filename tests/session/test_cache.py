"""What is kept: nothing made twice, and never more than there is room for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as hst

from dtviz.base.lazy import LastValues
from dtviz.engine.splits import axis_split
from dtviz.session.cache import (
    MAX_BYTES,
    MAX_BYTES_ALL_TABS,
    MIN_BYTES,
    Cache,
    bytes_per_tab,
    size_in_bytes,
)


def test_a_value_is_made_once() -> None:
    keep, made = Cache(), []
    for _ in range(3):
        assert keep.get("a", lambda: made.append(1) or len(made)) == 1
    assert keep.peek("a") == 1
    assert keep.peek("b") is None


def test_the_value_not_asked_for_longest_is_let_go() -> None:
    keep = Cache(2, lambda _: 1)
    for key in ("a", "b", "a", "c"):
        keep.get(key, lambda key=key: key)
    assert [keep.peek(key) for key in "abc"] == ["a", None, "c"]


@given(hst.lists(hst.integers(0, 50), min_size=1))
def test_it_never_weighs_too_much_but_for_the_value_made_last(sizes: list[int]) -> None:
    keep = Cache(60, len)
    for at, size in enumerate(sizes):
        keep.get(at, lambda size=size: bytes(size))
        kept = [keep.peek(k) for k in range(at + 1)]
        assert keep.total == sum(len(one) for one in kept if one is not None)
        assert keep.total <= 60
        assert kept[-1] is not None
    heavy = keep.get("heavy", lambda: bytes(99))
    assert keep.peek("heavy") is heavy
    assert keep.total == 99


def test_keys_can_be_dropped() -> None:
    keep = Cache(9, lambda _: 1)
    for key in range(4):
        keep.get(key, lambda: "x")
    keep.drop(lambda key: key % 2 == 0)
    assert [keep.peek(key) for key in range(4)] == [None, "x", None, "x"]
    assert keep.total == 2


def test_what_is_too_much_is_let_go_as_soon_as_less_may_be_kept() -> None:
    keep = Cache(9, lambda _: 1)
    for key in range(9):
        keep.get(key, lambda: "x")
    keep.set_max_bytes(2)
    assert [key for key in range(9) if keep.peek(key)] == [7, 8]
    keep.get(9, lambda: "x")
    assert keep.total == 2
    keep.set_max_bytes(0)
    assert [key for key in range(10) if keep.peek(key)] == [9]


def test_many_tabs_keep_less_each_and_together_never_much_more_than_all_may() -> None:
    assert bytes_per_tab(0) == bytes_per_tab(1) == MAX_BYTES
    assert [bytes_per_tab(tabs) for tabs in (3, 20, 100)] == [
        MAX_BYTES,
        MAX_BYTES_ALL_TABS / 20,
        MAX_BYTES_ALL_TABS / 100,
    ]
    assert bytes_per_tab(10_000) == MIN_BYTES


def test_arrays_and_bytes_weigh_what_they_hold() -> None:
    assert size_in_bytes(np.zeros(1000)) >= 8000
    assert size_in_bytes({"a": [np.zeros(1000)], "b": (b"x" * 500,)}) >= 8500
    assert 0 < size_in_bytes(axis_split(0, 1.5)) < 1000


def test_what_grows_where_it_is_kept_is_weighed_again() -> None:
    keep = Cache(max_bytes=100_000)
    keep.get("before", lambda: bytes(1000))
    told = keep.get("told", LastValues)
    for name in range(100):
        told.get(name, 0, lambda: "x" * 500)
    assert keep.peek("before")
    keep.get("after", lambda: b"")
    assert keep.total > 70_000
    keep.get("after", lambda: b"")
    for name in range(100, 200):
        told.get(name, 0, lambda: "x" * 500)
    keep.get("last", lambda: b"")
    assert [keep.peek(key) for key in ("before", "told")] == [None, None]
    assert 0 < keep.total < 1000
    keep.get("told", LastValues)
    keep.drop(lambda key: key == "told")
    keep.get("next", lambda: b"")
    assert 0 < keep.total < 1000
