"""What is new in a frame, done to the one before, gives the frame."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from frame_values import NAMES, arrives_as, deep
from hypothesis import given
from hypothesis import strategies as st
from screens import changed

from dtviz.figures.change import change, same
from dtviz.figures.frame import pack

FRAMES = st.dictionaries(NAMES.filter(lambda name: name[:1] != "$"), deep(), max_size=4)


@given(FRAMES, FRAMES)
def test_a_frame_comes_out_of_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    found = changed(before, change(before, after))
    assert found.keys() == after.keys()
    for name, value in after.items():
        arrives_as(found[name], value)
    assert change(after, found) == {}


@given(FRAMES, deep(), st.sampled_from("abc"))
def test_an_entry_of_many_is_told_alone(frame: dict[str, Any], value: Any, name: str) -> None:
    before = {"deep": frame | {name: None}}
    new = change(before, {"deep": frame | {name: value}})
    assert new in ({}, {"$in": {"deep": {"$in": {name: {"$to": value}}, "$out": []}}, "$out": []})


def test_of_a_long_list_only_the_new_items_are_told() -> None:
    nodes = [(str(k), f"box {k}") for k in range(40)]
    after = [*nodes[:7], ("7", "other"), *nodes[8:30], ("new", "box"), *nodes[30:]]
    new = change(nodes, after)
    assert new == {"$cut": [[30, 0, [("new", "box")]], [7, 1, [("7", "other")]]]}
    assert changed(nodes, new) == after


def test_of_an_array_a_few_new_values_are_told_with_their_places() -> None:
    before = np.zeros(100, "u1")
    after = before.copy()
    after[[3, 97]] = 5, 6
    new = change(before, after)
    assert (new["$at"].tolist(), new["$are"].tolist()) == ([3, 97], [5, 6])
    after[:60] = 1
    assert list(change(before, after)) == ["$to"]


def test_of_an_array_that_grew_only_what_stands_between_its_old_ends_is_told() -> None:
    before = np.array([0.5, -0.0, np.nan, 3.0])
    after = np.array([0.5, -0.0, 1.0, 2.0, np.nan, 3.0])
    new = change(before, after)
    assert (new["$mid"].tolist(), new["$keep"]) == ([1.0, 2.0], [2, 2])
    assert changed(before, new).tobytes() == after.tobytes()
    assert changed(after, change(after, before)).tobytes() == before.tobytes()


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (None, 0), ("1", 1), ([], {}), ([1], [1, 2])],
)
def test_what_the_browser_would_read_otherwise_is_not_the_same(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert same(one, one)


def test_zeros_of_either_sign_and_numbers_that_are_none_are_told_apart() -> None:
    plus, minus = np.array([0.0, np.nan]), np.array([-0.0, np.nan])
    assert not same(plus, minus)
    assert same(plus, plus.copy())


def test_arrays_of_any_order_and_shape_in_memory_are_told_as_they_travel() -> None:
    table = np.arange(24.0).reshape(8, 3)
    for before, after in ((table[:, 0], table[::-1, 1]), (table, table.T), (table[:2], table[:3])):
        assert change(before, before.copy()) == {}
        found = changed(before.reshape(-1), change(before, after))
        assert found.tobytes() == after.tobytes()


def test_a_change_can_be_packed() -> None:
    before = {"a": np.arange(50, dtype="i4"), "nodes": [("1", "x")], "gone": 1}
    after = {"a": np.arange(50, dtype="i4") + 5, "nodes": [("1", "x"), ("2", "y")]}
    assert len(pack("change", {"change": change(before, after)})) > 0
