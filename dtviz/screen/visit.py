"""A session and what surrounds it in one tab, as one value; and every way through it.

Glossary
    past      the sessions before this one, for undo; `ahead` holds those undone, for redo
    heard     the number of the last event that was done, see channel.py
    marked    the node clicked in the tree of Overfit
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dtviz.screen.handle import handle, node_in
from dtviz.screen.screen import Screen
from dtviz.screen.session import Session

MOST_KEPT = 200


@dataclass(frozen=True, slots=True)
class Visit:
    """The session of a tab, the sessions around it, and whether the time-line runs by itself."""

    session: Session
    past: tuple[Session, ...] = ()
    ahead: tuple[Session, ...] = ()
    playing: bool = False
    heard: int = 0
    marked: int | None = None


def do(visit: Visit, after: Session) -> Visit:
    """The visit with another session, so that undo can take it back."""
    if after == visit.session:
        return visit
    past = (*visit.past, visit.session)[-MOST_KEPT:]
    return replace(visit, session=after, past=past, ahead=(), playing=False)


def undo(visit: Visit) -> Visit:
    """Back to the session before the last change."""
    if not visit.past:
        return visit
    *past, session = visit.past
    ahead = (*visit.ahead, visit.session)
    return replace(visit, session=session, past=tuple(past), ahead=ahead, playing=False)


def redo(visit: Visit) -> Visit:
    """The change that was undone last, again."""
    if not visit.ahead:
        return visit
    *ahead, session = visit.ahead
    past = (*visit.past, visit.session)
    return replace(visit, session=session, past=past, ahead=tuple(ahead), playing=False)


def act(visit: Visit, screen: Screen | None, picture: str, event: object) -> Visit:
    """The visit after what the user did on a picture; of any content, and it never raises.

    Without a screen, where there is no data to draw, only the ways through the visit are open.
    """
    given = event if isinstance(event, Mapping) else {}
    what = given.get("what")
    way = WAYS.get((picture, what)) if isinstance(what, str) else None
    if way is not None:
        return way(visit, given)
    if screen is None:
        return visit
    after = do(visit, handle(screen, picture, event))
    if (picture, what) != ("line", "goto"):
        return after
    return replace(after, playing=visit.playing and given.get("playing") is True)


def _play(visit: Visit, event: Mapping[Any, Any]) -> Visit:
    on = event.get("on")
    return replace(visit, playing=on) if isinstance(on, bool) else visit


def _mark(visit: Visit, event: Mapping[Any, Any]) -> Visit:
    node = node_in(event)
    return visit if node is None else replace(visit, marked=node)


Way = Callable[[Visit, Mapping[Any, Any]], Visit]
WAYS: dict[tuple[str, str], Way] = {
    ("line", "undo"): lambda visit, event: undo(visit),
    ("line", "redo"): lambda visit, event: redo(visit),
    ("line", "play"): _play,
    ("pruning", "focus"): _mark,
}
"""What is done to a visit rather than to its session, by picture and act."""
