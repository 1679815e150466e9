"""Where the branches leave the time-line, and how good each line is on rows held out.

Glossary
    lines    the whole time-line, then the branches
    tip      the end of a line; its score is that on the rows which Overfit holds out, of the tree
             that the line's own splits and the rules make on the other rows
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import takewhile
from math import nan

from dtviz.engine.tree import Log
from dtviz.judge.metrics import Pieces, judged_on
from dtviz.screen.judged import asked, rows_parted
from dtviz.screen.screen import Screen
from dtviz.screen.session import BRANCH_RUNS, runs, timeline
from dtviz.screen.work import Work
from dtviz.text import count

Lines = tuple[Log, ...]


@dataclass(frozen=True, slots=True)
class Tips:
    """The score of each line, and what the rows are called on which it is measured."""

    scores: tuple[float, ...]
    rows: str


def lines(screen: Screen) -> Lines:
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
    parted = rows_parted(session, screen.data)
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
