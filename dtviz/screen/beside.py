"""Two screens side by side: how a comparison begins and how it ends.

A session holds of the other screen only what that has of its own, see `session.Side`.
"""

from __future__ import annotations

from dataclasses import replace

from dtviz.say.settings import apart
from dtviz.screen.session import (
    Future,
    Session,
    bring_back,
    other,
    side_of,
    timeline,
    with_branches,
    with_rules,
)


def beside_itself(session: Session) -> Session:
    """The session beside another that is the same, so that one of them can be changed."""
    return replace(session, beside=replace(side_of(session), cut=None))


def beside_branch(session: Session, index: int, future: Future) -> Session:
    """The session beside one of its branches, at the same step. Raises IndexError."""
    alone = replace(session, beside=None)
    return replace(session, beside=side_of(bring_back(alone, index, future)))


def keep_own(session: Session) -> Session:
    """The session alone again."""
    return replace(session, beside=None)


def keep_other(session: Session, future: Future) -> Session:
    """The session of the other screen alone.

    The branches go with it, made anew under its rules; where these are the same the line that is
    left becomes one.
    """
    kept, alone = other(session), keep_own(session)
    if kept is None:
        return session
    ruled = with_rules(alone, kept.rules, future)
    left = (timeline(alone, future),) if kept.rules == alone.rules else ()
    return with_branches(kept, (*left, *reversed(ruled.branches)), future)


def told_apart(session: Session, future: Future) -> tuple[str, str]:
    """What tells two screens side by side apart: their rules, else their time-lines."""
    theirs = other(session) or session
    own, line = timeline(keep_own(session), future), timeline(theirs, future)
    if rules := apart(session.rules, theirs.rules):
        return rules
    if own == line:
        return "As it is now", "The same until you change a setting"
    number = session.branches.index(line) + 1 if line in session.branches else None
    return "This line", "Another line" if number is None else f"Branch {number}"
