"""What is new in a frame, done to the one before, gives the frame."""

from __future__ import annotations

from typing import Any

import numpy as np
from frame_values import NAMES, arrives_as, deep
from hypothesis import given
from hypothesis import strategies as st
from screens import changed

from dtviz.figures.change import change, same
from dtviz.figures.frame import pack

FRAMES = st.dictionaries(NAMES.filter(lambda name: name[:1] != "$"), deep(), max_size=4)


@given(FRAMES, FRAMES)
def test_a_frame_comes_out_of_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    new = change(before, after)
    assert pack("change", {"change": new})
    found = changed(before, new)
    assert found.keys() == after.keys()
    for name, value in after.items():
        arrives_as(found[name], value)
    assert change(after, found) == {}


@given(FRAMES, deep(), st.sampled_from("abc"))
def test_an_entry_of_many_is_told_alone(frame: dict[str, Any], value: Any, name: str) -> None:
    before = {"deep": frame | {name: None}}
    new = change(before, {"deep": frame | {name: value}})
    assert new in ({}, {"$in": {"deep": {"$in": {name: {"$to": value}}, "$out": []}}, "$out": []})


def test_of_a_long_list_only_the_new_items_are_sent() -> None:
    nodes = [(str(k), f"box {k}") for k in range(40)]
    after = [*nodes[:7], ("7", "other"), *nodes[8:30], ("new", "box"), *nodes[30:]]
    new = change(nodes, after)
    assert new == {"$cut": [[30, 0, [("new", "box")]], [7, 1, [("7", "other")]]]}
    assert changed(nodes, new) == after


def test_of_an_array_a_few_new_values_are_sent_with_their_places_or_what_stands_between() -> None:
    before = np.zeros(100, "u1")
    after = before.copy()
    after[[3, 97]] = 5, 6
    new = change(before, after)
    assert (new["$at"].tolist(), new["$are"].tolist()) == ([3, 97], [5, 6])
    after[:60] = 1
    assert list(change(before, after)) == ["$to"]
    before = np.array([0.5, -0.0, np.nan, 3.0])
    after = np.array([0.5, -0.0, 1.0, 2.0, np.nan, 3.0])
    new = change(before, after)
    assert (new["$mid"].tolist(), new["$keep"]) == ([1.0, 2.0], [2, 2])
    assert changed(before, new).tobytes() == after.tobytes()
    assert changed(after, change(after, before)).tobytes() == before.tobytes()


def test_values_that_the_browser_reads_apart_are_not_the_same() -> None:
    pairs = (1, True), (1, 1.0), (None, 0), ("1", 1), ([], {}), ([1], [1, 2])
    for left, right in pairs:
        assert not same(left, right), (left, right)
        assert same(left, left)
    plus, minus = np.array([0.0, np.nan]), np.array([-0.0, np.nan])
    assert not same(plus, minus)
    assert same(plus, plus.copy())


def test_arrays_of_any_order_and_shape_in_memory_are_told_as_they_travel() -> None:
    table = np.arange(24.0).reshape(8, 3)
    for before, after in ((table[:, 0], table[::-1, 1]), (table, table.T), (table[:2], table[:3])):
        assert change(before, before.copy()) == {}
        found = changed(before.reshape(-1), change(before, after))
        assert found.tobytes() == after.tobytes()
