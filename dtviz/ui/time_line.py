"""The time-line: every step of the tree on one track, and the ways along it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from dtviz.figures.kinds import TimeLine
from dtviz.screen.session import back, forward, goto, runs
from dtviz.ui import state
from dtviz.ui.state import Screen
from dtviz.ui.view import view

MOST_EVENTS = 50


def time_line(screen: Screen) -> None:
    """Start, back, forward, end, play, undo, redo, and where on the line we are."""
    with st.container(key="time-line"):
        view("line", "line", _frame(screen), did)


def _frame(screen: Screen) -> TimeLine:
    session, future = screen.session, screen.future
    made = len(session.log)
    return {
        "made": made,
        "total": screen.total,
        "own": _own_steps(screen),
        "playing": state.playing() and made < screen.total,
        "undo": state.can("past"),
        "redo": state.can("ahead"),
        "heard": st.session_state.get("line_heard", 0),
        "stamp": screen.stamp,
        "stamps": {
            "-1": state.stamp(back(session, future), future),
            "1": state.stamp(forward(session, future), future),
        },
    }


def _own_steps(screen: Screen) -> list[int]:
    """The steps that were chosen by hand, the first step being 1."""
    session, own, at = screen.session, [], 0
    for piece in runs(session.rules, session.log + session.undone, screen.future):
        at += piece if isinstance(piece, int) else 1
        if not isinstance(piece, int):
            own.append(at)
    return own


def did(event: Mapping[str, Any]) -> None:
    """Do what was asked for on the time-line, each thing once.

    Every message holds all that was not heard before it, so that none of several quick clicks is
    lost; the number of the last goes back with the next frame.
    """
    events = event.get("events")
    for one in events[:MOST_EVENTS] if isinstance(events, list) else [event]:
        number = one.get("number") if isinstance(one, dict) else None
        if isinstance(number, int) and number <= st.session_state.get("line_heard", 0):
            continue
        if isinstance(number, int):
            st.session_state["line_heard"] = number
        _do(one)


def _do(event: Any) -> None:
    match event:
        case {"what": "goto", "step": int(step)}:
            on = event.get("playing") is True and state.playing()
            state.act(lambda session, future: goto(session, step, future))
            state.play(on)
        case {"what": "play", "on": bool(on)}:
            state.play(on)
        case {"what": "undo"}:
            state.undo()
        case {"what": "redo"}:
            state.redo()
