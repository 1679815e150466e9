"""Numbers in letters and digits, as the projections of an address have them: -0.42 is 'm42f2'."""

from __future__ import annotations

import math
import re

NUMBER = r"[pm][0-9]{1,17}(?:[ef][0-9]{1,3})?"
_PARTS = re.compile(r"([pm])([0-9]{1,17})(?:([ef])([0-9]{1,3}))?")


def written(value: float) -> str:
    """A finite number: p or m for its sign, its digits, e or f and how far the point is moved."""
    digits, _, power = f"{abs(value)!r}".replace("E", "e").partition("e")
    whole, _, behind = digits.partition(".")
    behind = behind.rstrip("0")
    kept = (whole + behind).lstrip("0")
    tail = kept.rstrip("0") or "0"
    moved = int(power or 0) - len(behind) + len(kept) - len(tail) if kept else 0
    scale = f"{'f' if moved < 0 else 'e'}{abs(moved)}" if moved else ""
    return f"{'m' if value < 0 else 'p'}{tail}{scale}"


def number_in(text: str) -> float | None:
    """The number that is written so; None for any other text."""
    found = _PARTS.fullmatch(text)
    if found is None:
        return None
    sign, digits, way, moved = found.groups()
    power = 0 if way is None else int(moved) * (-1 if way == "f" else 1)
    value = float(f"{'-' if sign == 'm' else ''}{digits}e{power}")
    return value if math.isfinite(value) and written(value) == text else None
