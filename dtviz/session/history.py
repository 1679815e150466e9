"""The history of one tab: its session with the sessions that undo and redo return to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from dtviz.data.drawing import DrawingKind
from dtviz.data.uploads import places_of
from dtviz.session.session import Session

MAX_SESSIONS_KEPT = 200
FIELDS = frozenset(field.name for field in fields(Session))
TIMELINE = frozenset({"log", "undone", "branches", "focus", "cut", "beside"})
_NARRATION = frozenset({"hidden", "say", "tour"})
_PLANE = _NARRATION | {"recipe", "rules", "axes", "pins"}
SHOWN: Mapping[str, frozenset[str]] = {
    "grow": FIELDS - {"judging", "lab", "plan", "opened", "shake"},
    "overfit": _PLANE | {"judging"},
    "stability": _PLANE | {"shake"},
    "forest": _PLANE | {"plan"},
    "impurity": _NARRATION | {"lab"},
}
"""Fields of a session that a page shows, by page; a page that is not here shows all fields."""
_DEPENDENT = {"recipe": FIELDS - {"lab"}, "rules": TIMELINE}
"""Fields that undo and redo change with a field, since they mean nothing without it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The session of a tab with its history."""

    session: Session
    """The session on screen."""
    past: tuple[Session, ...] = ()
    """Sessions that undo returns to, the newest last."""
    undone: tuple[Session, ...] = ()
    """Sessions that redo returns to, the next one last."""
    playing: bool = False
    """True while the time-line runs by itself."""
    last_event: int = 0
    """Number of the last event that was done, see channel.py."""
    marked_node: int | None = None
    """Id of the node clicked in the tree of Overfit."""
    drawing_kind: DrawingKind = "classes"
    """Kind of the drawing on the pad before its first point."""
    fit_count: int = 0
    """Number of times that the pad was told to zoom to all points."""
    page: str = ""
    """Path of the page on screen: undo and redo change what it shows; '': all fields."""


def with_session(visit: Visit, after: Session) -> Visit:
    """Return the visit with another session; undo returns to the one before."""
    if after == visit.session:
        return visit
    past = (*visit.past, visit.session)[-MAX_SESSIONS_KEPT:]
    return replace(visit, session=after, past=past, undone=(), playing=False)


def undo(visit: Visit) -> Visit:
    """Return the visit without the last change of what its page shows, if there was one."""
    session, past = _nearest(visit, visit.past)
    if session is None:
        return visit
    ahead = (*visit.undone, visit.session)
    return replace(visit, session=session, past=past, undone=ahead, playing=False)


def redo(visit: Visit) -> Visit:
    """Return the visit with the change of what its page shows that was undone last, if any."""
    session, ahead = _nearest(visit, visit.undone)
    if session is None:
        return visit
    past = (*visit.past, visit.session)
    return replace(visit, session=session, past=past, undone=ahead, playing=False)


def _nearest(
    visit: Visit, others: tuple[Session, ...]
) -> tuple[Session | None, tuple[Session, ...]]:
    """Return the session beyond the nearest change that the page shows, and the other sessions.

    `others` are all sessions in one direction, the nearest one last. The sessions up to that change
    take it over, so that changes of other fields on the way stay and can still be undone.
    """
    shown = SHOWN.get(visit.page, FIELDS)
    line = (visit.session, *reversed(others))
    for index, (closer, farther) in enumerate(pairwise(line)):
        names = {name for name in FIELDS if getattr(closer, name) != getattr(farther, name)}
        if names.isdisjoint(shown):
            continue
        names = names.union(*(_DEPENDENT.get(name, ()) for name in names))
        values = {name: getattr(farther, name) for name in names}
        session, *passed = (replace(session, **values) for session in line[: index + 1])
        return session, (*reversed(line[index + 2 :]), *reversed(passed))
    return None, others


def before_tour(visit: Visit) -> Session | None:
    """Return the session that was left for the tour on screen, if there was one in this visit."""
    return next((session for session in reversed(visit.past) if session.tour.shown is None), None)


def tables_in_use(
    visit: Visit, uploaded: frozenset[str], sizes: Mapping[str, int], max_bytes: int
) -> frozenset[str]:
    """Return the places of the tables in use: on screen, uploaded last, or needed by undo or redo.

    Tables that undo needs are left out, the oldest first, where all together exceed `max_bytes`.
    `sizes` are the bytes of each table by its place.
    """
    used = uploaded.union(places_of(visit.session.recipe))
    left = max_bytes - sum(sizes[place] for place in used & {*sizes})
    for session in (*reversed(visit.past), *reversed(visit.undone)):
        for place in {*places_of(session.recipe)} & {*sizes} - used:
            left -= sizes[place]
            used |= {place} if left >= 0 else set()
    return used


def changes_data(visit: Visit, sessions: tuple[Session, ...]) -> bool:
    """True if undo or redo to the last of these sessions changes the data, not only the tree."""
    return bool(sessions) and sessions[-1].recipe != visit.session.recipe
