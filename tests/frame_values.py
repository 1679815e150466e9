"""What a frame may hold: plain values and arrays, in any depth."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import strategies as st
from strategies import nasty

from dtviz.pictures.packing import TYPES

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


def arrives_as(found: Any, value: Any) -> None:
    """Bit for bit where there are arrays: some of their numbers are no numbers."""
    if isinstance(value, np.ndarray):
        assert found.dtype.str[1:] == value.dtype.str[1:]
        assert found.tobytes() == value.tobytes()
    elif isinstance(value, dict | list):
        assert len(found) == len(value)
        for name in value if isinstance(value, dict) else range(len(value)):
            arrives_as(found[name], value[name])
    else:
        assert found == value
