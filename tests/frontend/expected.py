"""What Python says, for the units of the browser's modules to come to as well: JSON, a part a file.

`python tests/frontend/expected.py FOLDER` writes it by hand; then `DTVIZ_EXPECTED=FOLDER node
--test` runs the units beside this file. JSON has no infinities: they stand as texts, as JavaScript
reads them.
"""

from __future__ import annotations

import json
import math
import random
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from expected_lab import shares, splits
from expected_lessons import lessons
from expected_overfit import cockpits
from expected_ranking import rankings
from expected_rest import drawings, messages, palettes, trees
from expected_stability import stabilities
from expected_stage import (
    banded,
    branched,
    crowded,
    drawable,
    lacking,
    leaning,
    packed,
    parts,
    scenes,
    slanted,
)

from dtviz.base.text import number
from dtviz.data.units import Quantity, kind_of
from dtviz.data.units.numbers import DAY, MICRO, SECOND
from dtviz.pictures.packing import patch_of
from dtviz.pictures.scales import SYMBOLS


def numbers() -> Any:
    """[value, digits, text] of numbers of every size, half-way ones too."""
    rng = random.Random(7)
    values = [0.0, -0.0, 1.0, 0.15625, 0.03125, 2.5, 1e-5, 9.99995, 99995.0, 0.1 + 0.2, -0.00012345]
    values += [123456.5, 1e15, 1e16, 1.5e300, 5e-324, 12345.25, 0.000244140625, 1e8 + 0.25, 999.95]
    values += [math.inf, -math.inf, math.nan, 1e-4, 9.99996e-5, 999999999999999.0]
    values += [k / 1024 for k in range(1, 1024, 7)] + [k / 64 + 1e8 for k in range(40)]
    values += [rng.uniform(-1, 1) * 10 ** rng.randint(-12, 18) for _ in range(600)]
    return [[_plain(v), digits, number(v, digits)] for v in values for digits in (3, 4, 5, 6)]


def clocks() -> Any:
    """[value, clock, text] of dates and durations in every unit, and of ranks."""
    rng = random.Random(5)
    out = []
    for kind, unit, aware in (
        ("date", DAY, False), ("date", SECOND, False), ("date", MICRO, False),
        ("date", SECOND, True), ("date", MICRO, True),
        ("duration", DAY, False), ("duration", SECOND, False), ("duration", MICRO, False),
        ("duration", 1, False),
    ):  # fmt: skip
        quantity = Quantity(kind, unit, aware)
        most = min(2**52, 2 * 10**18 // unit)
        some = (0, 1, -1, 60, 3600, 86_400, -86_400, 90_000, 250_000, -90_000_000_000 // unit)
        values = [value for value in some if abs(value) < most]
        values += [rng.randint(-most // 3, most) for _ in range(40)]
        texts = kind_of(quantity).texts(np.array(values, np.float64), quantity)
        clock = {"kind": kind, "unit": unit, "aware": aware}
        out += [[value, clock, text] for value, text in zip(values, texts, strict=True)]
    names = ["small", "<b>", "large"]
    ranks = {"kind": "rank", "unit": 1, "aware": False, "names": names}
    return [*out, *([value, ranks, text] for value, text in enumerate(names))]


def frames() -> Any:
    """Packed bytes, and the frame they are to be read as."""
    frame = {
        "text": "naïve ≤ \N{SNOWMAN}",
        "none": None,
        "a": np.array([1.5, -2.0, 1e300]),
        "b": np.arange(-2, 3, dtype="i4"),
        "c": np.array([], dtype="f8"),
        "d": np.array([255, 0, 7], dtype="u1"),
        "narrow": [np.array([0.5, -0.25]), np.array([1, 300], dtype="i4"), np.array([9], "i4")],
        "deep": {"e": [np.array([3], dtype="i4")]},
    }
    return {"bytes": packed("stage", frame), "frame": _listed({"kind": "stage", **frame})}


def changes() -> Any:
    """Frames one after the other: the first one whole, then what is new in each, all packed."""
    nodes = [(str(k), f"box {k}", 1) for k in range(6)]
    sides = {"rows": np.arange(40, dtype="u1"), "score": np.array([0.5, -0.25, 0.1])}
    first: dict[str, Any] = {"stamp": "a", "nodes": nodes, "cuts": [sides, {"x": 1}], "gone": 1}
    less = {**sides, "rows": np.where(sides["rows"] == 7, 9, sides["rows"]).astype("u1")}
    rest = [("1", "other", 2), *nodes[2:4], ("new", "box", 0), *nodes[4:]]
    second = {"stamp": "b", "nodes": [nodes[0], *rest], "cuts": [less, {"x": 1}], "new": [None]}
    second["grown"] = np.array([0.5, 1.5, 9.0])
    third = {
        **second,
        "grown": np.array([0.5, 1.5, 2.5, 0.25, 9.0]),
        "cuts": [{"rows": np.zeros(2, "u1")}],
        "new": {"deep": [1, {"er": 2}]},
    }
    all_three = (first, second, third)
    whole = packed("tree", {"$number": 1, **first})
    told = [
        packed("change", {"$number": at + 2, "base": at + 1, "change": patch_of(before, after)})
        for at, (before, after) in enumerate(pairwise(all_three))
    ]
    frames = [_listed({"kind": "tree", **one}) for one in all_three]
    return {"letters": [whole, *told], "frames": frames}


def symbols() -> Any:
    """The marker shapes by name."""
    return list(SYMBOLS)


def _plain(value: float) -> float | str:
    names = {math.inf: "Infinity", -math.inf: "-Infinity"}
    return "NaN" if math.isnan(value) else names.get(value, value)


def _listed(value: Any) -> Any:
    """The value with its arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {name: _listed(one) for name, one in value.items()}
    return [_listed(one) for one in value] if isinstance(value, list | tuple) else value


PARTS: tuple[Callable[[], Any], ...] = (
    numbers,
    clocks,
    frames,
    changes,
    symbols,
    scenes,
    slanted,
    drawable,
    leaning,
    lacking,
    crowded,
    banded,
    branched,
    parts,
    cockpits,
    drawings,
    palettes,
    trees,
    shares,
    splits,
    stabilities,
    lessons,
    rankings,
    messages,
)


def write(folder: Path) -> None:
    """All of it, in ASCII: a part a file that has its name."""
    for part in PARTS:
        text = json.dumps(part(), allow_nan=False)
        (folder / f"{part.__name__}.json").write_text(text, "ascii")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
