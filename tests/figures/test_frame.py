"""A frame arrives as it was packed, and nothing else can be packed."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from screens import flat, unpack
from strategies import nasty

from dtviz.figures.frame import TYPES, pack

NAMES = st.text(max_size=8).filter(lambda name: name not in ("kind", "$array"))
WHOLE = {"i4": st.integers(-(2**31), 2**31 - 1), "u1": st.integers(0, 255)}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | nasty | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
).filter(lambda value: "Infinity" not in json.dumps(value))


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    kind = draw(st.sampled_from(TYPES))
    values = draw(st.lists(WHOLE.get(kind, st.floats()), max_size=9))
    return np.array(values, kind)


def deep() -> st.SearchStrategy[Any]:
    """Plain values and arrays, some in lists and dictionaries."""
    some = st.lists(arrays(), max_size=3) | st.dictionaries(NAMES, arrays(), max_size=3)
    return PLAIN | arrays() | some


@given(NAMES, st.dictionaries(NAMES, deep(), max_size=5))
def test_a_frame_is_read_as_it_was_packed(kind: str, frame: dict[str, Any]) -> None:
    found = unpack(pack(kind, frame))
    assert found.pop("kind") == kind
    assert found.keys() == frame.keys()
    for name, value in frame.items():
        same(found[name], value)


def same(found: Any, value: Any) -> None:
    """Bit for bit where there are arrays: some of their numbers are no numbers."""
    if isinstance(value, np.ndarray):
        assert found.dtype.str[1:] == value.dtype.str[1:]
        assert found.tobytes() == value.tobytes()
    elif isinstance(value, dict | list):
        assert len(found) == len(value)
        for name in value if isinstance(value, dict) else range(len(value)):
            same(found[name], value[name])
    else:
        assert found == value


@given(st.lists(arrays(), max_size=5), nasty)
def test_every_part_begins_at_a_multiple_of_eight(parts: list[Any], text: str) -> None:
    raw = pack("k", {"text": text, **{str(k): array for k, array in enumerate(parts)}})
    size = int.from_bytes(raw[:4], "little")
    assert (size + 4) % 8 == 0
    assert len(raw) == 4 + size + sum(-(-array.nbytes // 8) * 8 for array in parts)
    header = json.loads(raw[4 : 4 + size])
    listed = [header[str(k)]["$array"] for k in range(len(parts))]
    assert [(kind, many) for kind, _, many in listed] == [(a.dtype.str[1:], a.size) for a in parts]
    assert all(at % 8 == 0 for _, at, _ in listed)


def test_arrays_of_any_order_in_memory_travel_the_same() -> None:
    plain = np.arange(6, dtype="f8")
    for array in (plain[::-1][::-1], plain.astype(">f8"), np.repeat(plain, 2)[::2]):
        assert pack("k", {"a": array}) == pack("k", {"a": plain})
    assert flat(unpack(pack("k", {"a": plain[::-2]})))["a"] == [5, 3, 1]


@pytest.mark.parametrize("kind", ["i8", "u4", "f2", "f4", "b1", "U3", "O", "c16", "M8[s]"])
def test_any_other_array_is_refused(kind: str) -> None:
    with pytest.raises(TypeError, match="f8, i4, u1; not"):
        pack("k", {"a": np.zeros(2, kind)})


@pytest.mark.parametrize("value", [{1}, b"x", np.int64(3)], ids=["set", "bytes", "np.int64"])
def test_what_is_no_plain_value_is_refused(value: Any) -> None:
    with pytest.raises(TypeError, match="plain values and arrays; not"):
        pack("k", {"a": [value]})


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [1, {"a": math.nan}]])
def test_what_json_does_not_know_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="JSON"):
        pack("k", {"a": value})
