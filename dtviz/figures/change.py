"""What must be done to one frame to have another, so that only what is new travels.

A change is one of these; frontend/lib/change.js does it.

    {}                                        nothing
    {"$to": value}                            this instead
    {"$in": {key: change}, "$out": [keys]}    of entries, or of a list as long as before
    {"$cut": [[at, drop, [items]], ...]}      of a list, the last place first
    {"$at": array, "$are": array}             of an array: these values at these places
    {"$mid": array, "$keep": [first, last]}   of an array: these between so many at its ends
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

FEW, ALMOST = 0.4, 0.9
"""The share of an array's values that may be new for their places, or their ends, to be told."""
Change = dict[str, Any]


def change(before: Any, after: Any) -> Change:
    """How `before` becomes `after`; both hold what a frame may hold, see `pack`."""
    if before is after:
        return {}
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return _of_entries(before, after)
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return _of_array(*(np.ascontiguousarray(one).reshape(-1) for one in (before, after)))
    if _is_list(before) and _is_list(after):
        return _of_list(before, after)
    return {} if same(before, after) else {"$to": after}


def same(one: Any, other: Any) -> bool:
    """Whether two values of a frame are read as the same."""
    if one is other:
        return True
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if _is_list(one) and _is_list(other):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _of_entries(before: Mapping[str, Any], after: Mapping[str, Any]) -> Change:
    new = {
        key: change(before[key], value) if key in before else {"$to": value}
        for key, value in after.items()
    }
    return _told(new, [key for key in before if key not in after])


def _told(new: Mapping[str, Change], gone: Sequence[str] = ()) -> Change:
    """The entries that change, and those that are gone."""
    some = {key: one for key, one in new.items() if one}
    return {"$in": some, "$out": [*gone]} if some or gone else {}


def _of_array(before: NDArray[Any], after: NDArray[Any]) -> Change:
    if before.dtype != after.dtype:
        return {"$to": after}
    most = min(len(before), len(after))
    other = _apart(before[:most], after[:most])
    if len(before) == len(after) and not len(other):
        return {}
    first = int(other[0]) if len(other) else most
    behind = _apart(before[len(before) - most :], after[len(after) - most :])
    last = min(most - 1 - int(behind[-1]) if len(behind) else most, most - first)
    middle = after[first : len(after) - last]
    if len(before) == len(after) and len(other) < FEW * len(middle):
        return {"$at": other.astype(np.int32), "$are": after[other]}
    many = len(middle) > ALMOST * len(after)
    return {"$to": after} if many else {"$mid": middle, "$keep": [first, last]}


def _apart(one: NDArray[Any], other: NDArray[Any]) -> NDArray[np.intp]:
    """Where two arrays of one length and type differ, bit for bit."""
    bits = [array.view("u1").reshape(-1, array.itemsize) for array in (one, other)]
    return np.flatnonzero((bits[0] != bits[1]).any(axis=1))


def _of_list(before: Sequence[Any], after: Sequence[Any]) -> Change:
    if len(before) == len(after) and any(isinstance(one, Mapping) for one in after):
        new = {str(at): change(*pair) for at, pair in enumerate(zip(before, after, strict=True))}
        return _told(new)
    if not all(isinstance(one, Hashable) for one in (*before, *after)):
        return {} if same(before, after) else {"$to": after}
    most = min(len(before), len(after))
    first = _alike(before, after, most)
    last = _alike(before[::-1], after[::-1], most - first)
    inner = before[first : len(before) - last], after[first : len(after) - last]
    steps = SequenceMatcher(None, *inner, autojunk=False).get_opcodes()
    cuts = [
        [first + start, end - start, list(inner[1][low:high])]
        for what, start, end, low, high in reversed(steps)
        if what != "equal"
    ]
    return {"$cut": cuts} if cuts else {}


def _alike(before: Sequence[Any], after: Sequence[Any], most: int) -> int:
    """How many items at the start of two lists are the same, at most so many."""
    pairs = zip(before[:most], after[:most], strict=True)
    return next((at for at, pair in enumerate(pairs) if pair[0] != pair[1]), most)
