"""What a picture in the browser is given, as bytes: a JSON header and the arrays it speaks of.

frontend/lib/frame.js reads it: the header's length (4 bytes, little-endian), the header padded
so that the arrays begin at a multiple of 8 bytes, then each array, padded likewise. In the header
an array stands as {"$array": [type, bytes from the first array on, entries]}, with the type it is
sent as where a narrower one holds all its values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.text import rounded

TYPES = ("f8", "i4", "u1")
NARROWER = {"f8": ("f4",), "i4": ("u1", "u2"), "u1": ()}


def pack(kind: str, frame: Mapping[str, Any]) -> bytes:
    """The frame of a picture of that kind; numpy arrays (f8, i4, u1) in it arrive as they are.

    Raises TypeError for any other array, ValueError for numbers that JSON does not have.
    """
    parts: list[bytes] = []

    def placed(value: Any) -> dict[str, Any]:
        if not isinstance(value, np.ndarray):
            raise TypeError(f"a frame holds plain values and arrays; not {type(value).__name__}")
        name = _type(value)
        sent = next(filter(None, (_as(value, other) for other in NARROWER[name])), name)
        listed = [name, sum(map(len, parts)), value.size] + [sent] * (sent != name)
        raw = value.astype(f"<{sent}", order="C", copy=False).tobytes()
        parts.append(raw + b"\0" * (-len(raw) % 8))
        return {"$array": listed}

    text = json.dumps({"kind": kind, **frame}, default=placed, allow_nan=False).encode()
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])


def _type(array: NDArray[Any]) -> str:
    name = array.dtype.str[1:]
    if name not in TYPES:
        raise TypeError(f"an array of a frame is one of {', '.join(TYPES)}; not {name}")
    return name


def _as(array: NDArray[Any], other: str) -> str:
    """The name of a narrower type if it holds all values of an array, bit for bit."""
    with np.errstate(over="ignore", invalid="ignore"):
        back = array.astype(other).astype(array.dtype)
    return other if back.tobytes() == array.tobytes() else ""


def short(values: NDArray[np.float64], digits: int = 4) -> NDArray[np.float64]:
    """Numbers that half the bytes can hold, and that with so many digits are written the same.

    All as they are where one is too large or too small for that.
    """
    size = np.floor(np.log10(np.abs(values), out=np.zeros(len(values)), where=values != 0))
    with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
        out = values.astype(np.float32).astype(np.float64)
        steps = np.abs(values) / 10.0 ** (size - digits + 1)
        for at in np.flatnonzero(np.abs(steps % 1 - 0.5) < 0.01):  # half-way, nearly
            out[at] = np.float32(rounded(values[at], digits))
        near = np.abs(out - values) <= 10.0 ** (1 - digits) * np.abs(values)
    return out if near.all() else values
