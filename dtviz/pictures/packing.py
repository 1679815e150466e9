"""Frames as bytes for the browser, a JSON header and arrays; and patches from frame to frame.

The bytes, which frontend/lib/frame.js reads: the header's length (4 bytes, little-endian), the
header padded so that the arrays begin at a multiple of 8 bytes, then each array, padded likewise.
The header has an array as {"$array": [type, its offset from the first array in bytes, number of
entries]}. Where fewer bytes hold the same values, three items follow in this list: the type that
is sent, the number d of decimal places if the integers sent are the values times 10**d, and 1 where
each integer is sent as its difference from the one before.

Where the length is 0, the rest is another frame, deflated.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Ints
from dtviz.base.text import rounded

TYPES = ("f8", "i4", "u1")
"""Types of the arrays of frames."""
INTEGER_TYPES = ("u1", "i1", "u2", "i2", "i4")
"""Types that whole numbers are sent as, the narrowest first."""
SEPARATORS = (",", ":")
"""Separators of the JSON header: no spaces."""
INTEGER_RANGES = tuple((int(np.iinfo(kind).min), int(np.iinfo(kind).max)) for kind in INTEGER_TYPES)
"""Smallest and largest number of each of INTEGER_TYPES."""
MAX_DECIMALS = 12
"""Largest number of decimal places that is tried for an array of numbers."""
MAX_EXACT_POWER = 22
"""Powers of ten up to this one are exact as floats."""


def pack(kind: str, frame: Mapping[str, Any]) -> bytes:
    """Pack a frame of that kind into bytes; its arrays (f8, i4, u1) arrive unchanged, bit for bit.

    Raises TypeError for any other array, ValueError for numbers outside arrays that JSON lacks.
    """
    parts: list[bytes] = []

    def array_entry(value: Any) -> dict[str, Any]:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"a frame holds plain values and arrays; not {type(value).__name__}")
        name = _type(value)
        raw, *encoding = _shortest_encoding(name, np.ascontiguousarray(value).reshape(-1))
        entry = [name, sum(map(len, parts)), value.size]
        parts.append(raw + b"\0" * (-len(raw) % 8))
        return {"$array": entry if encoding == [name, 0, 0] else [*entry, *encoding]}

    header = {"kind": kind, **frame}
    header_text = json.dumps(
        header, default=array_entry, allow_nan=False, ensure_ascii=False, separators=SEPARATORS
    )
    header_bytes = header_text.encode("utf-8", "surrogatepass")
    header_bytes += b" " * (-(len(header_bytes) + 4) % 8)
    return b"".join([len(header_bytes).to_bytes(4, "little"), header_bytes, *parts])


def pack_parts(
    layout: str, parts: Mapping[str, bytes], ahead: Mapping[str, bytes] = MappingProxyType({})
) -> bytes:
    """Pack packed frames as the parts of one page, and those `ahead`, of its next step."""
    parts_as_arrays, ahead_as_arrays = (
        {name: np.frombuffer(frame, "u1") for name, frame in frames.items()}
        for frames in (parts, ahead)
    )
    return pack("page", {"layout": layout, "parts": parts_as_arrays, "frames": ahead_as_arrays})


def deflate(frame: bytes) -> bytes:
    """Compress a packed frame, which costs some time: for small frames that are sent often."""
    return bytes(4) + zlib.compress(frame, zlib.Z_BEST_SPEED, wbits=-zlib.MAX_WBITS)


def _type(array: NDArray[Any]) -> str:
    """Type of an array, such as "f8". Raises TypeError if frames have no such arrays."""
    name = array.dtype.str[1:]
    if name not in TYPES:
        raise TypeError(f"an array of a frame is one of {', '.join(TYPES)}; not {name}")
    return name


def _shortest_encoding(name: str, array: NDArray[Any]) -> tuple[bytes, str, int, int]:
    """Fewest bytes that hold all values of an array of type `name`, bit for bit.

    After the bytes: the type that is sent, the decimal places, and 1 where differences are sent.
    """
    plain = array.astype(f"<{name}", copy=False)
    if name == "u1" or not len(array):
        return plain.tobytes(), name, 0, 0
    decimals = _decimal_places(plain) if name == "f8" else 0
    if decimals is None:
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = plain.astype("<f4")
        is_exact = narrow.astype("<f8").tobytes() == plain.tobytes()
        return (narrow.tobytes(), "f4", 0, 0) if is_exact else (plain.tobytes(), name, 0, 0)
    integers = (
        np.rint(plain * 10.0**decimals).astype(np.int64) if name == "f8" else plain.astype(int)
    )
    differences = np.diff(integers, prepend=0)
    type_index, by_differences = min(
        (_narrowest_type(numbers), k) for k, numbers in enumerate((integers, differences))
    )
    kind = INTEGER_TYPES[type_index]
    return (
        (differences if by_differences else integers).astype(f"<{kind}").tobytes(),
        kind,
        decimals,
        by_differences,
    )


def _narrowest_type(integers: NDArray[np.int64]) -> int:
    """Index in INTEGER_TYPES of the narrowest type for all integers; past the end if none is."""
    low, high = int(integers.min()), int(integers.max())
    wide_enough = (
        k for k, (start, end) in enumerate(INTEGER_RANGES) if start <= low and high <= end
    )
    return next(wide_enough, len(INTEGER_TYPES))


def _decimal_places(values: NDArray[np.float64]) -> int | None:
    """Number of decimal places that turn all values into integers of 32 bits; None without one."""
    size = float(np.abs(values).max())
    if not size < 2**31:
        return None
    for decimals in range(MAX_DECIMALS + 1):
        if size * 10.0**decimals >= 2**31:
            return None
        if _have_decimals(values, decimals):
            return decimals
    return None


def _have_decimals(values: NDArray[np.float64], decimals: int) -> bool:
    """True if all values are integers divided by 10**decimals, bit for bit."""
    decoded = np.rint(values * 10.0**decimals).astype(np.int64) / 10.0**decimals
    return decoded.tobytes() == values.tobytes()


def rounded_values(values: NDArray[np.float64], digits: int = 4) -> NDArray[np.float64]:
    """Values rounded to so many significant digits, as `rounded` rounds a single one.

    A value that would be rounded beyond the largest float stays as it is.
    """
    is_roundable = (values != 0) & np.isfinite(values)
    magnitude = np.floor(np.log10(np.abs(values), out=np.zeros(len(values)), where=is_roundable))
    places = digits - 1 - magnitude
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        up, down = 10.0 ** np.maximum(places, 0), 10.0 ** np.maximum(-places, 0)
        scaled = values * up / down
        result = np.rint(scaled) / up * down
        is_near_middle = (np.abs(np.abs(scaled % 1) - 0.5) < 0.01) | (
            np.abs(places) > MAX_EXACT_POWER
        )
    # arithmetic may err for a value near the middle of two rounded ones: these go one by one
    for index in np.flatnonzero(is_near_middle & is_roundable):
        result[index] = rounded(values[index], digits)
    return np.where(is_roundable & np.isfinite(result), result, values)


PLAIN_TYPES = {str, int, float, bool, tuple, type(None)}
"""Types of the items of lists that patches cut."""
MAX_SHARE_BY_PLACE, MAX_SHARE_IN_MIDDLE = 0.4, 0.9
"""Largest share of new values in a patch that lists them by place, or that keeps both ends."""
Patch = dict[str, Any]
"""Difference of two values, {} for equal ones. `$to`: the new value. Of a mapping `$in`: patches
of its entries, `$out`: keys to remove. Of an array `$at` and `$are`: places and their new values;
or `$mid`: new values, and `$keep`: how many old values stand before and after them. Of a list
`$cut`: [start, number of items to remove, items to insert], the last in the list first."""


def patch_of(before: Any, after: Any) -> Patch:
    """Patch that turns `before` into `after`, two values that a frame may hold, see `pack`.

    >>> patch_of({"a": 1, "b": [1, 2]}, {"a": 3, "b": [1, 2]})
    {'$in': {'a': {'$to': 3}}, '$out': []}
    """
    if before is after:
        return {}
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return _mapping_patch(before, after)
    if isinstance(before, np.ndarray) and isinstance(after, np.ndarray):
        return _array_patch(*(np.ascontiguousarray(array).reshape(-1) for array in (before, after)))
    if _is_list(before) and _is_list(after):
        return _list_patch(before, after)
    return {} if equal_values(before, after) else {"$to": after}


def equal_values(value: Any, other: Any) -> bool:
    """True if the browser reads two values of a frame as the same."""
    if value is other:
        return True
    if isinstance(value, np.ndarray) and isinstance(other, np.ndarray):
        return value.dtype == other.dtype and value.tobytes() == other.tobytes()
    if isinstance(value, Mapping) and isinstance(other, Mapping):
        return value.keys() == other.keys() and all(
            equal_values(value[key], other[key]) for key in value
        )
    if _is_list(value) and _is_list(other):
        return len(value) == len(other) and all(map(equal_values, value, other))
    return type(value) is type(other) and bool(value == other)


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _mapping_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> Patch:
    """Patch of a mapping, entry by entry."""
    changes = {
        key: patch_of(before[key], value) if key in before else {"$to": value}
        for key, value in after.items()
    }
    return _entries_patch(changes, [key for key in before if key not in after])


def _entries_patch(changes: Mapping[str, Patch], removed: Sequence[str] = ()) -> Patch:
    """Patch of the entries that change, and of the keys that are removed."""
    changed = {key: patch for key, patch in changes.items() if patch}
    return {"$in": changed, "$out": [*removed]} if changed or removed else {}


def _array_patch(before: NDArray[Any], after: NDArray[Any]) -> Patch:
    """Patch of an array: its changed values by place, or between equal ends, or all values."""
    if before.dtype != after.dtype:
        return {"$to": after}
    n_common = min(len(before), len(after))
    changed = _differences(before[:n_common], after[:n_common])
    if len(before) == len(after) and not len(changed):
        return {}
    n_head = int(changed[0]) if len(changed) else n_common
    from_end = _differences(before[len(before) - n_common :], after[len(after) - n_common :])
    n_tail = min(n_common - 1 - int(from_end[-1]) if len(from_end) else n_common, n_common - n_head)
    middle = after[n_head : len(after) - n_tail]
    if len(before) == len(after) and len(changed) < MAX_SHARE_BY_PLACE * len(middle):
        return {"$at": changed.astype(np.int32), "$are": after[changed]}
    is_mostly_new = len(middle) > MAX_SHARE_IN_MIDDLE * len(after)
    return {"$to": after} if is_mostly_new else {"$mid": middle, "$keep": [n_head, n_tail]}


def _differences(before: NDArray[Any], after: NDArray[Any]) -> Ints:
    """Places at which two arrays of one length and type differ, bit for bit."""
    bits = [array.view("u1").reshape(-1, array.itemsize) for array in (before, after)]
    return np.flatnonzero((bits[0] != bits[1]).any(axis=1))


def _list_patch(before: Sequence[Any], after: Sequence[Any]) -> Patch:
    """Patch of a list: of its entries, or of runs that new items replace, the last run first."""
    if len(before) == len(after) and any(isinstance(item, Mapping) for item in after):
        pairs = enumerate(zip(before, after, strict=True))
        return _entries_patch({str(place): patch_of(*pair) for place, pair in pairs})
    if not {*map(type, before), *map(type, after)} <= PLAIN_TYPES:
        return {} if equal_values(before, after) else {"$to": after}
    n_common = min(len(before), len(after))
    n_head = _n_equal(before, after, n_common)
    n_tail = _n_equal(before[::-1], after[::-1], n_common - n_head)
    middles = before[n_head : len(before) - n_tail], after[n_head : len(after) - n_tail]
    operations = SequenceMatcher(None, *middles, autojunk=False).get_opcodes()
    cuts = [
        [n_head + start, end - start, list(middles[1][low:high])]
        for operation, start, end, low, high in reversed(operations)
        if operation != "equal"
    ]
    return {"$cut": cuts} if cuts else {}


def _n_equal(before: Sequence[Any], after: Sequence[Any], limit: int) -> int:
    """Number of items at the start of two lists that are the same, at most `limit`."""
    pairs = zip(before[:limit], after[:limit], strict=True)
    return next((place for place, pair in enumerate(pairs) if pair[0] != pair[1]), limit)
