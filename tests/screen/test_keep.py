"""What is kept: nothing made twice, and never more than there is room for."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as hst

from dtviz.engine.splits import axis_split
from dtviz.screen.keep import Keep, weight


def test_a_value_is_made_once() -> None:
    keep, made = Keep(), []
    for _ in range(3):
        assert keep.get("a", lambda: made.append(1) or len(made)) == 1
    assert keep.peek("a") == 1
    assert keep.peek("b") is None


def test_the_value_not_asked_for_longest_is_let_go() -> None:
    keep = Keep(2, lambda _: 1)
    for key in ("a", "b", "a", "c"):
        keep.get(key, lambda key=key: key)
    assert [keep.peek(key) for key in "abc"] == ["a", None, "c"]


@given(hst.lists(hst.integers(0, 50), min_size=1))
def test_it_never_weighs_too_much_but_for_the_value_made_last(sizes: list[int]) -> None:
    keep = Keep(60, len)
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
    keep = Keep(9, lambda _: 1)
    for key in range(4):
        keep.get(key, lambda: "x")
    keep.drop(lambda key: key % 2 == 0)
    assert [keep.peek(key) for key in range(4)] == [None, "x", None, "x"]
    assert keep.total == 2


def test_arrays_and_bytes_weigh_what_they_hold() -> None:
    assert weight(np.zeros(1000)) >= 8000
    assert weight({"a": [np.zeros(1000)], "b": (b"x" * 500,)}) >= 8500
    assert 0 < weight(axis_split(0, 1.5)) < 1000
