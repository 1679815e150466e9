"""A session and what surrounds it in one tab, as one value.

Glossary
    past      the sessions before this one, for undo; `ahead` holds those undone, for redo
    heard     the number of the last event that was done, see channel.py
    marked    the node clicked in the tree of Overfit
    kind      of the drawing on the pad, before its first point
    fit       counts how often the pad is to show all points
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from dtviz.screen.session import Session
from dtviz.table.drawing import Kind
from dtviz.table.uploads import places_of

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
    kind: Kind = "classes"
    fit: int = 0


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
