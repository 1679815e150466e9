"""Branches of the time-line: their scores on rows held out, and two of them side by side.

The tip of a time-line is its end. For the score of a tip a tree is grown on the training rows of
Overfit, by the moves of the time-line and the rules. It is judged on the rows held out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from math import nan

from dtviz.base.progress import Slices, Work
from dtviz.base.text import count
from dtviz.data.dataset import rows_in_memory
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
class TipScores:
    """Scores of the tips of a screen's time-lines."""

    scores: tuple[float, ...]
    """Score of each tip, in the order of `timelines`; NaN where no row is held out."""
    rows_text: str
    """Number and name of the rows on which the tips are judged: 'the 30 test rows'."""


def timelines(screen: Screen) -> Timelines:
    """Return the time-line of a screen, then its branches, each as a log."""
    return timeline(screen.session, screen.future), *screen.session.branches


def count_common_steps(first: Log, second: Log) -> int:
    """Count the steps up to which two time-lines are equal."""
    pairs = zip(first, second, strict=False)
    return sum(1 for _ in takewhile(lambda moves: moves[0] == moves[1], pairs))


def tip_scores(screen: Screen) -> TipScores | None:
    """Return the scores of the tips.

    None if there is nothing to compare with, and while a time-line or a score is not ready.
    """
    return screen.result_of(tip_scores_work(screen)) if has_timelines_to_compare(screen) else None


def has_timelines_to_compare(screen: Screen) -> bool:
    """True if the time-line has branches or another screen beside it, and is grown to its end."""
    # A screen that has a second stamp is itself the second of two.
    others = screen.session.branches or screen.session.beside or screen.second_stamp
    return bool(others) and not screen.has_more_steps


def tip_scores_work(screen: Screen) -> Work[TipScores]:
    """Return the work of scoring the tips; the cache keeps each score by itself."""
    session, future = screen.session, screen.future
    # Runs are a shorter key than moves: a time-line may have very many automatic moves.
    lines = tuple(runs_of(session.rules, log, future, BRANCH_RUNS) for log in timelines(screen))
    return Work(
        work_key("tips", session, session.rules, lines),
        lambda: _score_tips(screen, lines),
        "Judging the tips",
    )


def _score_tips(screen: Screen, lines: tuple[Pieces, ...]) -> Slices[TipScores]:
    """Score the tips of time-lines that are given as runs and chosen moves."""
    session, rules = screen.session, screen.session.rules
    rows = split_rows(session, rows_in_memory(screen.data), screen.cache)
    if (held := rows.held) is None:
        return TipScores((nan,) * len(lines), "rows held out")

    scores: list[float] = []
    for line in lines:
        score = partial(score_on_held_rows, held, rows.training, rules, line)
        scores.append(screen.cache.get(work_key("tip", session, rules, line), score))
        yield len(scores) / len(lines)
    if screen.data.source is not None:
        text = f"{count(held.n, 'row')} of the {screen.data.n:,} that are shown"
        return TipScores(tuple(scores), text)
    if rows.role is None:
        return TipScores(tuple(scores), f"the {count(held.n, 'row')} that Overfit holds out")
    return TipScores(tuple(scores), f"the {count(held.n, f'{rows.role} row')}")


def compare_with_itself(session: Session) -> Session:
    """Return the session with an equal one beside it, so that the user can change one of them."""
    return replace(session, beside=replace(side_of(session), cut=None))


def compare_with_branch(session: Session, index: int, future: Future) -> Session:
    """Return the session with one of its branches beside it, at the same step.

    Raises IndexError.
    """
    alone = replace(session, beside=None)
    return replace(session, beside=side_of(bring_back(alone, index, future)))


def keep_this_screen(session: Session) -> Session:
    """Return the session without the other screen."""
    return replace(session, beside=None)


def keep_other_screen(session: Session, future: Future) -> Session:
    """Return the session of the other screen, without this one.

    The other session takes over the branches, with its rules applied to their moves. Where both
    screens have the same rules, this session's time-line becomes a branch.
    """
    other, alone = other_session(session), keep_this_screen(session)
    if other is None:
        return session
    branches = with_rules(alone, other.rules, future).branches
    old_line = (timeline(alone, future),) if other.rules == alone.rules else ()
    return with_branches(other, (*old_line, *reversed(branches)), future)


def side_titles(session: Session, future: Future) -> tuple[str, str]:
    """Return titles for two screens side by side: how rules differ, else how time-lines do."""
    other = other_session(session) or session
    if rules := rule_differences(session.rules, other.rules):
        return rules
    line = timeline(other, future)
    if timeline(keep_this_screen(session), future) == line:
        return "As it is now", "The same until you change a setting"
    number = session.branches.index(line) + 1 if line in session.branches else None
    return "This line", "Another line" if number is None else f"Branch {number}"
