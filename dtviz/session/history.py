"""A session and what surrounds it in one tab, as one value.

Glossary
    past      the sessions before this one, for undo; `ahead` holds those undone, for redo
    page      the page on screen, by its path: undo and redo change what it shows; '' shows all
    heard     the number of the last event that was done, see channel.py
    marked    the node clicked in the tree of Overfit
    kind      of the drawing on the pad, before its first point
    fit       counts how often the pad is to show all points
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise

from dtviz.data.drawing import Kind
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
"""The fields of a session that a page shows; all of them where it is not named here."""
_DEPENDENT = {"recipe": FIELDS - {"lab"}, "rules": TIMELINE}
"""The fields that say nothing without another: they change with it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The session of a tab, the sessions around it, and whether the time-line runs by itself."""

    session: Session
    past: tuple[Session, ...] = ()
    ahead: tuple[Session, ...] = ()
    playing: bool = False
    heard: int = 0
    marked_node: int | None = None
    drawing_kind: Kind = "classes"
    fit: int = 0
    page: str = ""


def with_session(visit: Visit, after: Session) -> Visit:
    """The visit with another session, so that undo can take it back."""
    if after == visit.session:
        return visit
    past = (*visit.past, visit.session)[-MAX_SESSIONS_KEPT:]
    return replace(visit, session=after, past=past, ahead=(), playing=False)


def undo(visit: Visit) -> Visit:
    """The visit without the last change of what its page shows; the same where there is none."""
    session, past = _nearest(visit, visit.past)
    if session is None:
        return visit
    ahead = (*visit.ahead, visit.session)
    return replace(visit, session=session, past=past, ahead=ahead, playing=False)


def redo(visit: Visit) -> Visit:
    """The visit with the change of what its page shows that was undone last; or the same."""
    session, ahead = _nearest(visit, visit.ahead)
    if session is None:
        return visit
    past = (*visit.past, visit.session)
    return replace(visit, session=session, past=past, ahead=ahead, playing=False)


def _nearest(
    visit: Visit, others: tuple[Session, ...]
) -> tuple[Session | None, tuple[Session, ...]]:
    """The session across the nearest change of a field that the page shows, and the other sessions.

    `others` lead away from the session of the visit, the nearest one last. Those before that change
    take it over; the changes between, of other fields, stay.
    """
    shown = SHOWN.get(visit.page, FIELDS)
    line = (visit.session, *reversed(others))
    for place, (here, there) in enumerate(pairwise(line)):
        names = {name for name in FIELDS if getattr(here, name) != getattr(there, name)}
        if names.isdisjoint(shown):
            continue
        names = names.union(*(_DEPENDENT.get(name, ()) for name in names))
        values = {name: getattr(there, name) for name in names}
        session, *between = (replace(one, **values) for one in line[: place + 1])
        return session, (*reversed(line[place + 2 :]), *reversed(between))
    return None, others


def before_tour(visit: Visit) -> Session | None:
    """The session that was left for the tour that is shown, if there was one in this visit."""
    return next((one for one in reversed(visit.past) if one.tour.shown is None), None)


def tables_in_use(
    visit: Visit, given: frozenset[str], sizes: Mapping[str, int], most: int
) -> frozenset[str]:
    """The places of the tables on screen, of those given last, and of those undo comes back to.

    Of these the oldest are left out where all together have more than `most` bytes.
    """
    used = given.union(places_of(visit.session.recipe))
    left = most - sum(sizes[place] for place in used & {*sizes})
    for session in (*reversed(visit.past), *reversed(visit.ahead)):
        for place in {*places_of(session.recipe)} & {*sizes} - used:
            left -= sizes[place]
            used |= {place} if left >= 0 else set()
    return used


def draws(visit: Visit, sessions: tuple[Session, ...]) -> bool:
    """Whether the way to the last of these changes the data, and not a step of the tree."""
    return bool(sessions) and sessions[-1].recipe != visit.session.recipe
