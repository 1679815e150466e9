"""What was picked in a table or a chart: any JSON at all comes from the browser.

Each pick is heard under a key of its own, so that the same line can be picked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st


def pick_key(name: str) -> str:
    """The key under which the next pick of that table or chart is heard."""
    return f"{name}{st.session_state.setdefault('picks', 0)}"


def picked_row(key: str, values: Sequence[Any]) -> Any:
    """The one of `values` whose row was picked in a table; None if none was."""
    row = next(iter(_picked(key, "rows")), None)
    return values[row] if type(row) is int and 0 <= row < len(values) else None


def picked_point(key: str) -> Any:
    """What the point picked in a chart carries; None if there is none."""
    points = _picked(key, "points")
    carried = [one["customdata"] for one in points if isinstance(one, dict) and "customdata" in one]
    found = next(iter(carried), None)
    return found[0] if isinstance(found, list) and len(found) == 1 else found


def _picked(key: str, part: str) -> list[Any]:
    """The rows or points picked."""
    st.session_state["picks"] = st.session_state.get("picks", 0) + 1
    found: Any = st.session_state.get(key)
    for name in ("selection", part):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found if isinstance(found, list) else []
