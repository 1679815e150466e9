"""A frame, and what is new in it, arrives as it was packed; nothing else can be packed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from frame_values import NAMES, arrays, arrives_as, deep
from hypothesis import example, given
from hypothesis import strategies as st
from screens import changed, flat, unpack
from strategies import nasty

from dtviz.base.text import number, rounded
from dtviz.pictures.packing import deflate, equal_values, pack, patch_of, rounded_values


@given(NAMES, st.dictionaries(NAMES, deep(), max_size=5))
def test_a_frame_is_read_as_it_was_packed(kind: str, frame: dict[str, Any]) -> None:
    found = unpack(pack(kind, frame))
    arrives_as(unpack(deflate(pack(kind, frame))), found)
    assert found.pop("kind") == kind
    assert found.keys() == frame.keys()
    for name, value in frame.items():
        arrives_as(found[name], value)


@given(st.lists(arrays(), max_size=5), nasty)
def test_every_part_begins_at_a_multiple_of_eight(parts: list[Any], text: str) -> None:
    raw = pack("k", {"text": text, **{str(k): array for k, array in enumerate(parts)}})
    size = int.from_bytes(raw[:4], "little")
    assert (size + 4) % 8 == 0
    header = json.loads(raw[4 : 4 + size])
    listed = [header[str(k)]["$array"] for k in range(len(parts))]
    wide = [np.dtype((*way, kind)[0]).itemsize * many for kind, _, many, *way in listed]
    assert len(raw) == 4 + size + sum(-(-one // 8) * 8 for one in wide)
    assert [tuple(one[::2][:2]) for one in listed] == [(a.dtype.str[1:], a.size) for a in parts]
    assert all(at % 8 == 0 for _, at, *_ in listed)


def test_an_array_travels_as_the_narrowest_type_that_holds_it() -> None:
    cases: list[tuple[list[float], str, list[Any]]] = [
        ([0, 255], "i4", ["u1", 0, 0]),
        ([0, 256, 65_535], "i4", ["u2", 0, 0]),
        ([-1, 7], "i4", ["i1", 0, 0]),
        ([0, 65_536], "i4", []),
        ([100_000, 100_001, 100_000], "i4", []),
        ([2, 3, 300, 301], "i4", ["u2", 0, 0]),
        ([2, 200, 300, 301], "i4", ["u1", 0, 1]),
        ([0, 40_000, 0], "i4", ["u2", 0, 0]),
        ([-(2**31), 2**31 - 1], "i4", []),
        ([0.5, -0.0, math.inf, math.nan], "f8", ["f4", 0, 0]),
        ([0.1], "f8", ["u1", 1, 0]),
        ([2.45, 0.8, -0.1], "f8", ["i2", 2, 0]),
        ([5.1, 4.9, 400], "f8", ["u2", 1, 0]),
        ([100.01, 100.02, 100.03], "f8", ["u2", 2, 0]),
        ([0.1, 0.3, -0.0], "f8", []),
        ([0.1 + 0.2], "f8", []),
        ([1e300, math.nan], "f8", []),
        ([123_456.123_456_7], "f8", []),
    ]
    for values, kind, sent in cases:
        raw = pack("k", {"a": np.array(values, kind)})
        listed = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])["a"]["$array"]
        assert listed[3:] == sent, values
        arrives_as(unpack(raw)["a"], np.array(values, kind))


def test_what_the_browser_could_not_read_is_refused() -> None:
    for kind in ("i8", "u4", "f2", "f4", "b1", "U3", "O", "c16", "M8[s]"):
        with pytest.raises(TypeError, match="f8, i4, u1; not"):
            pack("k", {"a": np.zeros(2, kind)})
    for value in ({1}, b"x", np.int64(3)):
        with pytest.raises(TypeError, match="plain values and arrays; not"):
            pack("k", {"a": [value]})
    for value in (math.nan, math.inf, -math.inf, [1, {"a": math.nan}]):
        with pytest.raises(ValueError, match="JSON"):
            pack("k", {"a": value})


WRITTEN = st.floats(allow_nan=False, allow_infinity=False)
HALVES = st.integers(-99_999, 99_999).map(lambda whole: whole / 2e4)


@given(st.lists(WRITTEN | HALVES | st.floats(0, 1), max_size=6))
@example([0.12345, 0.123450000001, 0.0, 1.0, 0.99995])
@example([1e-170, 0.5])
@example([1e300])
def test_short_numbers_are_written_as_the_long_ones(values: list[float]) -> None:
    array = np.array(values)
    found = rounded_values(array)
    assert [number(one) for one in found.tolist()] == [number(one) for one in values]


@given(st.lists(st.floats(-1e300, 1e300) | HALVES, max_size=6), st.integers(1, 9))
def test_short_numbers_are_rounded_to_any_digits(values: list[float], digits: int) -> None:
    assert rounded_values(np.array(values), digits).tolist() == [
        rounded(one, digits) for one in values
    ]


@given(st.lists(st.integers(-(2**31) + 1, 2**31 - 1), min_size=1, max_size=40), st.integers(0, 12))
def test_decimals_arrive_to_the_last_bit(whole: list[int], places: int) -> None:
    values = np.array([float(f"{one}e-{places}") for one in whole])
    arrives_as(unpack(pack("k", {"a": values}))["a"], values)


def test_numbers_of_common_size_travel_in_half_the_bytes_and_arrays_of_any_order_the_same() -> None:
    plain = np.arange(6, dtype="f8")
    for array in (plain[::-1][::-1], plain.astype(">f8"), np.repeat(plain, 2)[::2]):
        assert pack("k", {"a": array}) == pack("k", {"a": plain})
    assert flat(unpack(pack("k", {"a": plain[::-2]})))["a"] == [5, 3, 1]
    values = np.random.default_rng(5).uniform(size=1_000)
    assert len(pack("k", {"a": rounded_values(values)})) < 4_100 < len(pack("k", {"a": values}))
    assert rounded(0.123449, 4) == 0.1234


# --- what is new in a frame -----------------------------------------------------------------------


FRAMES = st.dictionaries(NAMES.filter(lambda name: name[:1] != "$"), deep(), max_size=4)


@given(FRAMES, FRAMES)
def test_a_frame_comes_out_of_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    new = patch_of(before, after)
    assert pack("change", {"change": new})
    found = changed(before, new)
    assert found.keys() == after.keys()
    for name, value in after.items():
        arrives_as(found[name], value)
    assert patch_of(after, found) == {}


@given(FRAMES, deep(), st.sampled_from("abc"))
def test_an_entry_of_many_is_told_alone(frame: dict[str, Any], value: Any, name: str) -> None:
    before = {"deep": frame | {name: None}}
    new = patch_of(before, {"deep": frame | {name: value}})
    assert new in ({}, {"$in": {"deep": {"$in": {name: {"$to": value}}, "$out": []}}, "$out": []})


def test_of_a_long_list_only_the_new_items_are_sent() -> None:
    nodes = [(str(k), f"box {k}") for k in range(40)]
    after = [*nodes[:7], ("7", "other"), *nodes[8:30], ("new", "box"), *nodes[30:]]
    new = patch_of(nodes, after)
    assert new == {"$cut": [[30, 0, [("new", "box")]], [7, 1, [("7", "other")]]]}
    assert changed(nodes, new) == after


def test_of_an_array_a_few_new_values_are_sent_with_their_places_or_what_stands_between() -> None:
    before = np.zeros(100, "u1")
    after = before.copy()
    after[[3, 97]] = 5, 6
    new = patch_of(before, after)
    assert (new["$at"].tolist(), new["$are"].tolist()) == ([3, 97], [5, 6])
    after[:60] = 1
    assert list(patch_of(before, after)) == ["$to"]
    before = np.array([0.5, -0.0, np.nan, 3.0])
    after = np.array([0.5, -0.0, 1.0, 2.0, np.nan, 3.0])
    new = patch_of(before, after)
    assert (new["$mid"].tolist(), new["$keep"]) == ([1.0, 2.0], [2, 2])
    assert changed(before, new).tobytes() == after.tobytes()
    assert changed(after, patch_of(after, before)).tobytes() == before.tobytes()


def test_values_that_the_browser_reads_apart_are_not_the_same() -> None:
    pairs = (1, True), (1, 1.0), (None, 0), ("1", 1), ([], {}), ([1], [1, 2])
    for left, right in pairs:
        assert not equal_values(left, right), (left, right)
        assert equal_values(left, left)
    plus, minus = np.array([0.0, np.nan]), np.array([-0.0, np.nan])
    assert not equal_values(plus, minus)
    assert equal_values(plus, plus.copy())


def test_arrays_of_any_order_and_shape_in_memory_are_told_as_they_travel() -> None:
    table = np.arange(24.0).reshape(8, 3)
    for before, after in ((table[:, 0], table[::-1, 1]), (table, table.T), (table[:2], table[:3])):
        assert patch_of(before, before.copy()) == {}
        found = changed(before.reshape(-1), patch_of(before, after))
        assert found.tobytes() == after.tobytes()
