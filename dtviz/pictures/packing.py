"""What a picture in the browser is given, as bytes: a JSON header and the arrays it speaks of.

frontend/lib/frame.js reads it: the header's length (4 bytes, little-endian), the header padded
so that the arrays begin at a multiple of 8 bytes, then each array, padded likewise. In the header
an array stands as {"$array": [type, bytes from the first array on, entries]}. Where that is
shorter, there follow the type of the entries as they are sent, how many decimal places they have
more than the whole numbers sent, and 1 where each of these is told by what it adds to the last one.

Where the length is 0, what follows is another frame, deflated.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Hashable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.text import rounded

TYPES = ("f8", "i4", "u1")
WHOLE = ("u1", "i1", "u2", "i2", "i4")
"""The types that whole numbers are sent as, the narrowest first."""
SHORT = (",", ":")
"""What stands between the parts of a header."""
LIMITS = tuple((int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in WHOLE)
MOST_PLACES = 12
EXACT = 22
"""Powers of ten up to this one are floats."""
SOME = 16
"""Entries that are looked at before all are."""


def pack(kind: str, frame: Mapping[str, Any]) -> bytes:
    """The frame of a picture of that kind; numpy arrays (f8, i4, u1) in it arrive as they are.

    Raises TypeError for any other array, ValueError for numbers that JSON does not have.
    """
    parts: list[bytes] = []

    def placed(value: Any) -> dict[str, Any]:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"a frame holds plain values and arrays; not {type(value).__name__}")
        name = _type(value)
        raw, *way = _shortest(name, np.ascontiguousarray(value).reshape(-1))
        listed = [name, sum(map(len, parts)), value.size]
        parts.append(raw + b"\0" * (-len(raw) % 8))
        return {"$array": listed if way == [name, 0, 0] else [*listed, *way]}

    header = {"kind": kind, **frame}
    plain = json.dumps(
        header, default=placed, allow_nan=False, ensure_ascii=False, separators=SHORT
    )
    text = plain.encode("utf-8", "surrogatepass")
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def deflated(frame: bytes) -> bytes:
    """A packed frame in fewer bytes, which cost some time: for what is small and sent often."""
    return bytes(4) + zlib.compress(frame, zlib.Z_BEST_SPEED, wbits=-zlib.MAX_WBITS)


def _type(array: NDArray[Any]) -> str:
    name = array.dtype.str[1:]
    if name not in TYPES:
        raise TypeError(f"an array of a frame is one of {', '.join(TYPES)}; not {name}")
    return name


def _shortest(name: str, array: NDArray[Any]) -> tuple[bytes, str, int, int]:
    """The fewest bytes that hold all values of an array, bit for bit, and how they are read."""
    plain = array.astype(f"<{name}", copy=False)
    if name == "u1" or not len(array):
        return plain.tobytes(), name, 0, 0
    places = _places(plain) if name == "f8" else 0
    if places is None:
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = plain.astype("<f4")
        same = narrow.astype("<f8").tobytes() == plain.tobytes()
        return (narrow.tobytes(), "f4", 0, 0) if same else (plain.tobytes(), name, 0, 0)
    whole = np.rint(plain * 10.0**places).astype(np.int64) if name == "f8" else plain.astype(int)
    steps = np.diff(whole, prepend=0)
    sent, by_steps = min((_type_of(some), at) for at, some in enumerate((whole, steps)))
    kind = WHOLE[sent]
    return (steps if by_steps else whole).astype(f"<{kind}").tobytes(), kind, places, by_steps


def _type_of(whole: NDArray[np.int64]) -> int:
    """The place in WHOLE of the narrowest type that holds whole numbers; past the last if none."""
    low, high = int(whole.min()), int(whole.max())
    fits = (at for at, (least, most) in enumerate(LIMITS) if least <= low and high <= most)
    return next(fits, len(WHOLE))


def _places(values: NDArray[np.float64]) -> int | None:
    """With how many decimal places all values are written, of 32 bits; None if they are not so."""
    size = float(np.abs(values).max())
    if not size < 2**31:
        return None
    for places in range(MOST_PLACES + 1):
        if size * 10.0**places >= 2**31:
            return None
        if _are_written(values[:SOME], places) and _are_written(values, places):
            return places
    return None


def _are_written(values: NDArray[np.float64], places: int) -> bool:
    """Whether values are whole numbers over that power of ten, bit for bit."""
    back = np.rint(values * 10.0**places).astype(np.int64) / 10.0**places
    return back.tobytes() == values.tobytes()


def short(values: NDArray[np.float64], digits: int = 4) -> NDArray[np.float64]:
    """Numbers rounded to so many significant digits, as `rounded` does one by one.

    Those that would be rounded beyond the largest float stay as they are.
    """
    known = (values != 0) & np.isfinite(values)
    size = np.floor(np.log10(np.abs(values), out=np.zeros(len(values)), where=known))
    places = digits - 1 - size
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        up, down = 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)
        steps = values * up / down
        out = np.rint(steps) / up * down
        unsure = (np.abs(np.abs(steps % 1) - 0.5) < 0.01) | (np.abs(places) > EXACT)
    for at in np.flatnonzero(unsure & known):
        out[at] = rounded(values[at], digits)
    return np.where(known & np.isfinite(out), out, values)


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
