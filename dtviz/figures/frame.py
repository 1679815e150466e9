"""What a picture in the browser is given, as bytes: a JSON header and the arrays it names.

dtviz/frontend/frame.js reads it: the header's length (4 bytes, little-endian), the header padded
so that the arrays begin at a multiple of 8 bytes, then each array, padded likewise.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES = ("f8", "f4", "i4", "u1")
Frame = dict[str, Any]


def pack(kind: str, frame: Frame) -> bytes:
    """The frame of a picture of that kind; its numpy arrays (f8, f4, i4, u1) travel as they are."""
    plain = {name: value for name, value in frame.items() if not isinstance(value, np.ndarray)}
    arrays = {name: value for name, value in frame.items() if isinstance(value, np.ndarray)}
    listed = [[name, _type(array), array.size] for name, array in arrays.items()]
    text = json.dumps({"kind": kind, **plain, "arrays": listed}, allow_nan=False).encode()
    text += b" " * (-(len(text) + 4) % 8)
    parts = [len(text).to_bytes(4, "little"), text]
    for array in arrays.values():
        raw = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        parts += [raw.tobytes(), b"\0" * (-raw.nbytes % 8)]
    return b"".join(parts)


def _type(array: NDArray[Any]) -> str:
    name = array.dtype.str[1:]
    if name not in TYPES:
        raise TypeError(f"an array of a frame is one of {', '.join(TYPES)}; not {name}")
    return name
