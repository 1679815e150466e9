"""Controls that show a value of the session: what is chosen there is heard, an echo is not.

Each message of the browser tells what every control shows, and may be older than what was changed
since by Undo, Back, a link or a picture: read as a choice, it would put the old value back. So a
control whose value was changed but by itself is another control, of which no older message speaks.

The value is what the control begins with, in every run: were it put into the session's state
instead, streamlit would tell it once, and a run that follows at once may take that message's place.

Glossary
    turn    how often the value of a control was changed but by itself
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st


def bound(
    name: str, value: object, take: Callable[[Any], None], begin: str = "value"
) -> dict[str, Any]:
    """The arguments by which a control shows `value` and gives `take` what is chosen there.

    `begin` is the argument by which a control of that kind is told its value.
    """
    turns: dict[str, int] = st.session_state.setdefault("turns", {})
    if st.session_state.get(_key(name, turns), value) != value:
        turns[name] = turns.get(name, 0) + 1
    key = _key(name, turns)
    return {"key": key, "on_change": _heard, "args": (name, key, take), begin: value}


def chosen(
    name: str, value: object, take: Callable[[Any], None], options: Sequence[Any]
) -> dict[str, Any]:
    """The same for a control that chooses one of `options`; None chooses none."""
    index = None if value is None else [*options].index(value)
    return {**bound(name, value, take, "index"), "options": options, "index": index}


def _key(name: str, turns: dict[str, int]) -> str:
    turn = turns.get(name)
    return f"{name}-{turn}" if turn else name


def _heard(name: str, key: str, take: Callable[[Any], None]) -> None:
    if key == _key(name, st.session_state["turns"]):  # streamlit hears controls that are gone, too
        take(st.session_state.get(key))
