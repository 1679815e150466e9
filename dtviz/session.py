"""The whole state of a screen as one value, and what each control makes of it.

Glossary
    line       the time-line: the moves made, those stepped back over, and the automatic rest
    undone     the moves stepped back over, next first; forward makes them again
    future     a function that gives the automatic moves after a log (the app caches it)
    focus      the node that is looked at; None follows the next node to split
    cut        the candidate that is looked at in the focus; None follows the best
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from dtviz.data import Dataset, Recipe
from dtviz.grow import finish
from dtviz.rules import Rules, criterion_of
from dtviz.splits import Split
from dtviz.tree import Collapse, Grow, Log, Move, Tree, fold

MAX_RUNS = 100
Future = Callable[[Rules, Log], Log]


@dataclass(frozen=True, slots=True)
class Session:
    """What a link carries: data recipe, rules, moves, focus, and the two features on the axes."""

    recipe: Recipe
    rules: Rules = Rules()
    log: Log = ()
    undone: Log = ()
    focus: int | None = None
    cut: Split | None = None
    axes: tuple[int, int] | None = None


def future_of(data: Dataset) -> Future:
    """The automatic moves after any log, computed afresh each time."""

    def future(rules: Rules, log: Log) -> Log:
        return finish(data, rules, fold(data, criterion_of(rules, data.task), log))[0]

    return future


def line(session: Session, future: Future) -> Log:
    """Every move of the time-line, made or to come."""
    made = session.log + session.undone
    return made + future(session.rules, made)


def goto(session: Session, step: int, future: Future) -> Session:
    """The session at step `step` of its time-line (0 is the bare root)."""
    whole = line(session, future) if step > len(session.log) else session.log + session.undone
    step = max(0, min(step, len(whole)))
    made = max(len(session.log) + len(session.undone), step)
    return _moved(session, whole[:step], whole[step:made])


def forward(session: Session, future: Future) -> Session:
    """One step on: the move stepped back over, or the next automatic one."""
    return goto(session, len(session.log) + 1, future)


def back(session: Session, future: Future) -> Session:
    """One step back; the move stays on the time-line."""
    return goto(session, len(session.log) - 1, future)


def split_here(session: Session, tree: Tree, node: int, split: Split) -> Session:
    """The session after a split of your own; a split the node had is taken back first."""
    own: tuple[Move, ...] = (Grow(node, split),)
    if node in tree.splits:
        own = (Collapse(node), *own)
    return _moved(session, session.log + own, ())


def look_at(session: Session, node: int | None, cut: Split | None = None) -> Session:
    """The session with another focus and candidate."""
    return replace(session, focus=node, cut=cut)


def with_rules(session: Session, rules: Rules, future: Future) -> Session:
    """The session under other rules: your own splits stay, the automatic steps after them are
    made anew, as many as before.
    """
    if rules == session.rules:
        return session
    pieces = runs(session.rules, session.log, future)
    own = len(session.log)
    if pieces and isinstance(pieces[-1], int):
        own -= pieces[-1]
    kept = session.log[:own]
    rest = future(rules, kept)[: len(session.log) - own]
    return _moved(replace(session, rules=rules), kept + rest, ())


def runs(rules: Rules, log: Log, future: Future) -> tuple[int | Move, ...]:
    """The log as runs of automatic moves (their number) and moves of your own.

    After MAX_RUNS of your own, automatic moves are no longer told apart.
    """
    out: list[int | Move] = []
    at = 0
    while at < len(log):
        expected = future(rules, log[:at]) if len(out) < 2 * MAX_RUNS else ()
        same = 0
        while at + same < len(log) and same < len(expected) and log[at + same] == expected[same]:
            same += 1
        if same:
            out.append(same)
        at += same
        if at < len(log):
            out.append(log[at])
            at += 1
    return tuple(out)


def _moved(session: Session, log: Log, undone: Log) -> Session:
    return replace(session, log=log, undone=undone, focus=None, cut=None)
