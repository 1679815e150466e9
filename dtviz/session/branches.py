"""Where the branches leave the time-line, and how good each line is on rows held out.

Glossary
    lines    the whole time-line, then the branches
    tip      the end of a line; its score is that on the rows which Overfit holds out, of the tree
             that the line's own splits and the rules make on the other rows
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace
from itertools import takewhile
from math import nan

from dtviz.base.text import count
from dtviz.engine.tree import Log
from dtviz.evaluate.metrics import Pieces, judged_on
from dtviz.explain.words import apart
from dtviz.session.jobs import Work
from dtviz.session.overfit import asked, split_rows
from dtviz.session.screen import Screen
from dtviz.session.session import (
    BRANCH_RUNS,
    Future,
    Session,
    bring_back,
    other_session,
    runs,
    side_of,
    timeline,
    with_branches,
    with_rules,
)

Timelines = tuple[Log, ...]


@dataclass(frozen=True, slots=True)
class Tips:
    """The score of each line, and what the rows are called on which it is measured."""

    scores: tuple[float, ...]
    rows: str


def lines(screen: Screen) -> Timelines:
    """The whole time-line and its branches."""
    return timeline(screen.session, screen.future), *screen.session.branches


def parting(one: Log, other: Log) -> int:
    """How many steps two time-lines have in common."""
    both = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda moves: moves[0] == moves[1], both))


def tips_of(screen: Screen) -> Tips | None:
    """How good the lines are, where there are any to compare; None while that is worked out."""
    return screen.done(tips_work(screen)) if compared(screen) else None


def compared(screen: Screen) -> bool:
    """Whether there are lines to compare, and these are grown to their ends."""
    several = screen.session.branches or screen.session.beside or screen.mark
    return bool(several) and not screen.goes_on


def tips_work(screen: Screen) -> Work[Tips]:
    """The scores of the lines; that of a line is worked out once, whatever the others are.

    A line is told by its own moves and the numbers of those between: all moves are very many.
    """
    session, future = screen.session, screen.future
    told = tuple(runs(session.rules, line, future, BRANCH_RUNS) for line in lines(screen))
    return Work(
        asked("tips", session, session.rules, told),
        lambda: _measured(screen, told),
        "Judging the tips",
    )


def _measured(screen: Screen, told: tuple[Pieces, ...]) -> Generator[float, None, Tips]:
    session, rules = screen.session, screen.session.rules
    parted = split_rows(session, screen.data)
    held, training = parted.held, parted.training
    if held is None:
        return Tips((nan,) * len(told), "rows held out")

    def score(line: Pieces) -> float:
        key = asked("tip", session, rules, line)
        return screen.keep.get(key, lambda: judged_on(held, training, rules, line))

    found = []
    for line in told:
        found.append(score(line))
        yield len(found) / len(told)
    drawn = f"the {count(held.n, 'row')} that Overfit holds out"
    given = f"the {count(held.n, f'{parted.role} row')}"
    return Tips(tuple(found), drawn if parted.role is None else given)


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
    kept, alone = other_session(session), keep_own(session)
    if kept is None:
        return session
    ruled = with_rules(alone, kept.rules, future)
    left = (timeline(alone, future),) if kept.rules == alone.rules else ()
    return with_branches(kept, (*left, *reversed(ruled.branches)), future)


def told_apart(session: Session, future: Future) -> tuple[str, str]:
    """What tells two screens side by side apart: their rules, else their time-lines."""
    theirs = other_session(session) or session
    own, line = timeline(keep_own(session), future), timeline(theirs, future)
    if rules := apart(session.rules, theirs.rules):
        return rules
    if own == line:
        return "As it is now", "The same until you change a setting"
    number = session.branches.index(line) + 1 if line in session.branches else None
    return "This line", "Another line" if number is None else f"Branch {number}"
