"""What is late is made once, when it is first read."""

from __future__ import annotations

import copy
import pickle
from threading import Event, Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as hst

from dtviz import fit
from dtviz.base.lazy import (
    MAX_BYTES_ALL_TABS,
    MAX_BYTES_PER_TAB,
    MIN_BYTES_PER_TAB,
    Cache,
    LazyMapping,
    bytes_per_tab,
    lazy_property,
    size_in_bytes,
)
from dtviz.data.dataset import make_dataset
from dtviz.engine.splits import axis_split


def test_a_late_mapping_is_filled_once_and_only_when_it_is_read() -> None:
    filled = []

    def fill() -> dict[int, str]:
        filled.append(True)
        return {1: "a", 2: "b"}

    late = LazyMapping(fill)
    assert not filled
    assert late == {1: "a", 2: "b"}
    assert list(late) == [1, 2]
    assert late[2] == "b"
    assert 3 not in late
    assert len(filled) == 1


def test_a_log_that_is_told_late_goes_with_copies_and_pickles() -> None:
    x = np.arange(6.0)[None]
    model = fit(make_dataset(x, np.array([0, 0, 1, 1, 0, 1]), ("x",), "y", ("a", "b")))
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert other.log == model.log != ()
        assert other.tree.splits == model.tree.splits


class Square:
    made = 0

    def __init__(self, side: int) -> None:
        self.side = side

    @lazy_property
    def area(self) -> int:
        """The area."""
        self.made += 1
        if self.side < 0:
            raise ValueError("no side")
        return self.side**2


def test_it_is_worked_out_once_for_each_object() -> None:
    two, three = Square(2), Square(3)
    assert (two.area, three.area, two.area) == (4, 9, 4)
    assert (two.made, three.made) == (1, 1)
    assert (Square.area.__doc__, Square.area.name) == ("The area.", "area")


def test_what_fails_is_tried_again() -> None:
    wrong = Square(-1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no side"):
            _ = wrong.area
    assert wrong.made == 2


def test_what_is_worked_out_for_one_keeps_nobody_else_waiting() -> None:
    begun, other_done = Event(), Event()
    seen: list[bool] = []

    def slow() -> dict[int, int]:
        begun.set()
        seen.append(other_done.wait(10))
        return {1: 1}

    first, second = LazyMapping(slow), LazyMapping(lambda: {2: 2})
    waiting = Thread(target=lambda: first[1])
    waiting.start()
    assert begun.wait(10)
    asking = Thread(target=lambda: (second[2], other_done.set()))
    asking.start()
    waiting.join()
    asking.join()
    assert seen == [True]


def test_what_is_made_of_the_same_as_last_time_is_not_made_again() -> None:
    keep, made = Cache(), list[int]()

    def get(name: str, of: object) -> int:
        def make() -> int:
            made.append(len(made))
            return made[-1]

        return keep.get(name, make, of)

    assert [get("a", [1, 2]), get("a", [1, 2]), get("b", [1, 2])] == [0, 0, 1]
    assert [get("a", [1, 3]), get("a", [1, 2]), get("b", [1, 2])] == [2, 3, 1]
    assert keep.total_bytes == 80


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
        assert keep.total_bytes == sum(len(one) for one in kept if one is not None)
        assert keep.total_bytes <= 60
        assert kept[-1] is not None
    heavy = keep.get("heavy", lambda: bytes(99))
    assert keep.peek("heavy") is heavy
    assert keep.total_bytes == 99


def test_keys_can_be_dropped() -> None:
    keep = Cache(9, lambda _: 1)
    for key in range(4):
        keep.get(key, lambda: "x")
    keep.drop(lambda key: key % 2 == 0)
    assert [keep.peek(key) for key in range(4)] == [None, "x", None, "x"]
    assert keep.total_bytes == 2


def test_what_is_too_much_is_let_go_as_soon_as_less_may_be_kept() -> None:
    keep = Cache(9, lambda _: 1)
    for key in range(9):
        keep.get(key, lambda: "x")
    keep.set_max_bytes(2)
    assert [key for key in range(9) if keep.peek(key)] == [7, 8]
    keep.get(9, lambda: "x")
    assert keep.total_bytes == 2
    keep.set_max_bytes(0)
    assert [key for key in range(10) if keep.peek(key)] == [9]


def test_many_tabs_keep_less_each_and_together_never_much_more_than_all_may() -> None:
    assert bytes_per_tab(0) == bytes_per_tab(1) == MAX_BYTES_PER_TAB
    assert [bytes_per_tab(tabs) for tabs in (3, 20, 100)] == [
        MAX_BYTES_PER_TAB,
        MAX_BYTES_ALL_TABS / 20,
        MAX_BYTES_ALL_TABS / 100,
    ]
    assert bytes_per_tab(10_000) == MIN_BYTES_PER_TAB


def test_arrays_and_bytes_weigh_what_they_hold() -> None:
    assert size_in_bytes(np.zeros(1000)) >= 8000
    assert size_in_bytes({"a": [np.zeros(1000)], "b": (b"x" * 500,)}) >= 8500
    assert 0 < size_in_bytes(axis_split(0, 1.5)) < 1000
