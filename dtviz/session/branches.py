"""Branches of the time-line: their scores on rows held out, and two of them side by side.

The end of a time-line is its tip. The score of a tip is measured on the rows that Overfit holds
out, of the tree that the line's moves and the rules make on the other rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from math import nan

from dtviz.base.progress import Slices, Work
from dtviz.base.text import count
from dtviz.engine.tree import Log
from dtviz.evaluate.metrics import Pieces, score_on_held_rows
from dtviz.explain.words import rule_differences
from dtviz.session.overfit import split_rows, work_key
from dtviz.session.screen import Screen
from dtviz.session.session import (
    BRANCH_RUNS,
    Future,
    Session,
    bring_back,
    other_session,
    runs_of,
    side_of,
    timeline,
    with_branches,
    with_rules,
)

Timelines = tuple[Log, ...]


@dataclass(frozen=True, slots=True)
class Tips:
    """Scores of time-lines."""

    scores: tuple[float, ...]
    """Score of each time-line; NaN where no row is held out."""
    rows: str
    """Name of the rows on which the scores are measured."""


def timelines(screen: Screen) -> Timelines:
    """Return the time-line of a screen and its branches, all of them as logs."""
    return timeline(screen.session, screen.future), *screen.session.branches


def count_common_steps(line: Log, other: Log) -> int:
    """Count the first steps that two time-lines have in common."""
    pairs = zip(line, other, strict=False)
    return sum(1 for _ in takewhile(lambda moves: moves[0] == moves[1], pairs))


def tips_of(screen: Screen) -> Tips | None:
    """Return the scores of the time-lines; None without others, and while work is under way."""
    return screen.result_of(tips_work(screen)) if has_lines_to_compare(screen) else None


def has_lines_to_compare(screen: Screen) -> bool:
    """True if there are time-lines to compare and they are grown to their ends."""
    others = screen.session.branches or screen.session.beside or screen.mark
    return bool(others) and not screen.has_more_steps


def tips_work(screen: Screen) -> Work[Tips]:
    """Return the work of scoring the time-lines; each score is kept for itself."""
    session, future = screen.session, screen.future
    # Runs are the shorter key: a time-line may have very many automatic moves.
    keys = tuple(runs_of(session.rules, line, future, BRANCH_RUNS) for line in timelines(screen))
    return Work(
        work_key("tips", session, session.rules, keys),
        lambda: _scored(screen, keys),
        "Judging the tips",
    )


def _scored(screen: Screen, keys: tuple[Pieces, ...]) -> Slices[Tips]:
    session, rules = screen.session, screen.session.rules
    rows = split_rows(session, screen.data)
    if (held := rows.held) is None:
        return Tips((nan,) * len(keys), "rows held out")

    scores: list[float] = []
    for line in keys:
        score = partial(score_on_held_rows, held, rows.training, rules, line)
        scores.append(screen.cache.get(work_key("tip", session, rules, line), score))
        yield len(scores) / len(keys)
    if rows.role is None:
        return Tips(tuple(scores), f"the {count(held.n, 'row')} that Overfit holds out")
    return Tips(tuple(scores), f"the {count(held.n, f'{rows.role} row')}")


def beside_itself(session: Session) -> Session:
    """Return the session beside an equal one, so that the user can change one of the two."""
    return replace(session, beside=replace(side_of(session), cut=None))


def beside_branch(session: Session, index: int, future: Future) -> Session:
    """Return the session beside one of its branches, at the same step. Raises IndexError."""
    alone = replace(session, beside=None)
    return replace(session, beside=side_of(bring_back(alone, index, future)))


def keep_own(session: Session) -> Session:
    """Return the session without the other screen."""
    return replace(session, beside=None)


def keep_other(session: Session, future: Future) -> Session:
    """Return the session of the other screen, without this one.

    It takes the branches, made anew under its rules. Where both screens have the same rules, the
    time-line that is left becomes a branch.
    """
    other, alone = other_session(session), keep_own(session)
    if other is None:
        return session
    branches = with_rules(alone, other.rules, future).branches
    left = (timeline(alone, future),) if other.rules == alone.rules else ()
    return with_branches(other, (*left, *reversed(branches)), future)


def side_titles(session: Session, future: Future) -> tuple[str, str]:
    """Return titles for two screens side by side: how rules differ, else how time-lines do."""
    other = other_session(session) or session
    if rules := rule_differences(session.rules, other.rules):
        return rules
    line = timeline(other, future)
    if timeline(keep_own(session), future) == line:
        return "As it is now", "The same until you change a setting"
    number = session.branches.index(line) + 1 if line in session.branches else None
    return "This line", "Another line" if number is None else f"Branch {number}"
