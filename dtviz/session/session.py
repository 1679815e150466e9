"""The whole state of a screen as one value, and what each control makes of it.

Glossary
    timeline   the moves made, those stepped back over, and the automatic rest
    branch     a whole time-line that was left for another; it can be brought back and compared
    undone     the moves stepped back over, next first; forward makes them again
    future     a function that gives the automatic moves after a log (the app caches it)
    first      the move by which they would have to begin: else none need be given
    many       how many of them are needed: of a large table no more need be given
    focus      the node that is looked at; None follows the next node to split
    cut        the candidate that is looked at in the focus; None follows the best
    ask        ask first: the gains hide until a cut is chosen
    judging    how the tree of the rules is judged: on rows held out, by folds, against which rule
    lab        what the page Impurity holds
    plan       which trees the page Forest grows; `opened` is the one that Grow is to show next
    tour       the addresses that a link leads through, and which of them is shown
    row        whose way down the tree is shown: its number from 1 on, or the values typed for it
    shake      which rows the trees of Stability are grown on, and which of them is looked at
    beside     what the other of two screens has of its own; everything else they have in common
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Protocol

from dtviz.base.text import clean
from dtviz.data.dataset import Dataset, Recipe, Task, Value
from dtviz.data.gallery import GALLERY
from dtviz.engine.ensembles import Plan
from dtviz.engine.grow import splits_after
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, Grow, Log, LogError, Move, Tree
from dtviz.evaluate.curves import AXES
from dtviz.evaluate.stability import Shake
from dtviz.session.impurity import Lab
from dtviz.session.tour import Tour

MAX_RUNS = 100
MAX_MOVES = 1_000
"""Moves of your own, and runs of automatic ones, that a link carries."""
MAX_BRANCHES = 4
BRANCH_RUNS = MAX_RUNS // MAX_BRANCHES  # all branches together are no more work than one log
MAX_SAY = 300
MOST_PINS = 12
MOST_VALUE = 1e300
MOST_CELLS = 50
"""A typed row has at most so many values."""
HIDEABLE = ("time-line", "settings", "focus", "split", "gains", "why", "panels")
"""The controls that a teacher's link can hide."""

MOST_FOLDS = 20
ONE_OUT = 1
ALL_MOVES = 10**9
"""More moves than any tree has."""
MOST_ONE_OUT = 500
"""Leave-one-out is as many folds as there are rows: for at most so many rows."""


class Future(Protocol):
    """The automatic moves after a log; where they do not begin by `first`, maybe none.

    Of a large table at least the next `many` moves, or those to the end if they are fewer.
    """

    def __call__(self, rules: Rules, log: Log, first: Move | None = None, many: int = 1, /) -> Log:
        """Those moves."""


Row = int | tuple[tuple[int, float], ...]
"""The number of a row, or the features of a typed one with their values, by feature."""


@dataclass(frozen=True, slots=True)
class Judging:
    """How Overfit judges the tree that the rules grow on the training rows.

    `share` of the rows is held out, drawn by `seed`; `folds` is their number, 0 for none, ONE_OUT
    for a fold a row; `against` is the curve's axis; `prunes` are Collapse moves made after growing.
    Raises ValueError.
    """

    share: float = 0.3
    seed: int = 0
    folds: int = 5
    against: str = "depth"
    prunes: Log = ()

    def __post_init__(self) -> None:
        if not 0.05 <= self.share <= 0.95:
            raise ValueError(f"`share` must lie between 0.05 and 0.95; not {self.share!r}")
        if not 0 <= self.seed < 10**9:
            raise ValueError(f"`seed` must be at least 0 and below 10^9; not {self.seed!r}")
        if not 0 <= self.folds <= MOST_FOLDS:
            raise ValueError(f"`folds` must be 0, 1 or at most {MOST_FOLDS}; not {self.folds!r}")
        if self.against not in AXES:
            raise ValueError(f"`against` must be one of {', '.join(AXES)}; not {self.against!r}")


@dataclass(frozen=True, slots=True)
class Side:
    """What each of two screens side by side has of its own."""

    rules: Rules = Rules()
    log: Log = ()
    undone: Log = ()
    focus: int | None = None
    cut: Split | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """What a link carries: data recipe, rules, moves, and what the screen shows of them.

    `branches` are whole time-lines, the newest last, all different and none of them the session's
    own; `axes` are the two features drawn, `pins` others with the values of the slice, by feature;
    `hidden` is sorted, see `hide`; for `say` see `narrate`;
    `extra` are sorted pairs, the values of address fields that have no attribute here.
    """

    recipe: Recipe
    rules: Rules = Rules()
    log: Log = ()
    undone: Log = ()
    focus: int | None = None
    cut: Split | None = None
    axes: tuple[int, int] | None = None
    branches: tuple[Log, ...] = ()
    ask: bool = False
    hidden: tuple[str, ...] = ()
    say: str = ""
    judging: Judging = Judging()
    lab: Lab = Lab()
    plan: Plan = Plan()
    opened: int | None = None
    shake: Shake = Shake()
    pins: tuple[tuple[int, float], ...] = ()
    tour: Tour = Tour()
    row: Row | None = None
    beside: Side | None = None
    extra: tuple[tuple[str, Value], ...] = ()


def timeline(session: Session, future: Future) -> Log:
    """Every move of the time-line, made or to come; of a large table as far as it is grown."""
    made = session.log + session.undone
    return made + future(session.rules, made)


def side_of(session: Session) -> Side:
    """What a session would have of its own beside another."""
    return Side(*(getattr(session, field.name) for field in fields(Side)))


def other(session: Session) -> Session | None:
    """The session of the other screen, if two are side by side."""
    return None if session.beside is None else _as(session, session.beside)


def with_other(session: Session, after: Session) -> Session:
    """The session once its other screen's has become `after`."""
    both = replace(_as(after, side_of(session)), branches=session.branches, axes=session.axes)
    return replace(both, beside=side_of(after))


def step_of(session: Session) -> int:
    """How many steps are made: of two screens by the one that is farther."""
    return max(len(side.log) for side in (session, session.beside or session))


def steps_in(session: Session, future: Future) -> int:
    """How many steps are in sight: of two screens on the longer time-line."""
    sides = filter(None, (session, other(session)))
    return max(len(timeline(side, future)) for side in sides)


def goto(session: Session, step: int, future: Future) -> Session:
    """The session at step `step` of its time-line (0 is the bare root), as far as that goes.

    Of two screens both go there.
    """
    beside, after = other(session), _goto(session, step, future)
    return after if beside is None else with_other(after, _goto(beside, step, future))


def _goto(session: Session, step: int, future: Future) -> Session:
    whole = session.log + session.undone
    if step > len(whole):
        whole += future(session.rules, whole, None, step - len(whole))
    step = max(0, min(step, len(whole)))
    made = max(len(session.log) + len(session.undone), step)
    return _moved(session, whole[:step], whole[step:made])


def forward(session: Session, future: Future) -> Session:
    """One step on: the move stepped back over, or the next automatic one."""
    return goto(session, step_of(session) + 1, future)


def back(session: Session, future: Future) -> Session:
    """One step back; the move stays on the time-line."""
    return goto(session, step_of(session) - 1, future)


def split_here(session: Session, tree: Tree, node: int, split: Split, future: Future) -> Session:
    """The session after a split of your own; a split the node had is taken back first."""
    own: tuple[Move, ...] = (Grow(node, split),)
    if node in tree.splits:
        own = (Collapse(node), *own)
    return follow(session, session.log + own, future)


def follow(session: Session, log: Log, future: Future) -> Session:
    """The session after these moves from the bare root on.

    The time-line that is left stays as the newest branch, unless the new one runs through all of
    it; of more than MAX_BRANCHES the oldest is dropped.
    """
    left = timeline(session, future)
    after = _moved(session, log, ())
    whole = timeline(after, future)
    lost = () if whole[: len(left)] == left else (left,)
    branches = _others(whole, (*session.branches, *lost))
    return replace(after, branches=branches[-MAX_BRANCHES:])


def bring_back(session: Session, index: int, future: Future) -> Session:
    """The session on the time-line of a branch, at the same step as far as that goes.

    The time-line that was there takes the branch's place. Raises IndexError.
    """
    whole, left = session.branches[_place(session, index)], timeline(session, future)
    branches = (*session.branches[:index], left, *session.branches[index + 1 :])
    step = len(session.log)
    after = _moved(session, whole[:step], whole[step:])
    return replace(after, branches=_others(whole, branches))


def drop_branch(session: Session, index: int) -> Session:
    """The session without a branch. Raises IndexError."""
    index = _place(session, index)
    return replace(session, branches=session.branches[:index] + session.branches[index + 1 :])


def with_branches(session: Session, branches: Iterable[Log], future: Future) -> Session:
    """The session with these moves, each grown to its end, as its branches.

    Those that are twice there, are the session's own time-line or exceed MAX_BRANCHES are left out.
    """
    grown = tuple(log + future(session.rules, log) for log in branches)
    kept = _others(timeline(session, future), grown)[:MAX_BRANCHES] if grown else ()
    return replace(session, branches=kept)


def look_at(session: Session, node: int | None, cut: Split | None = None) -> Session:
    """The session with another focus and candidate."""
    return replace(session, focus=node, cut=cut)


def may_pin(data: Dataset, feature: int, value: float) -> bool:
    """Whether there is such a feature, and the value can be one of its own."""
    if not 0 <= feature < len(data.features) or not abs(value) < MOST_VALUE:
        return False
    levels = data.levels[feature]
    return not levels or value in range(len(levels))


def pin(session: Session, feature: int, value: float) -> Session:
    """The session whose slice has a feature at this value; no more than MOST_PINS are told."""
    pins = {f: at for f, at in session.pins if f != feature}
    kept = dict([*pins.items()][: MOST_PINS - 1])
    return replace(session, pins=tuple(sorted((kept | {feature: float(value)}).items())))


def may_show(data: Dataset, row: Row | None) -> bool:
    """Whether there is such a row, or could be; and none is always allowed."""
    if isinstance(row, tuple):
        return len(row) <= MOST_CELLS and all(may_pin(data, *cell) for cell in row)
    return row is None or 1 <= row <= data.n


def hide(session: Session, names: Iterable[str]) -> Session:
    """The session that hides these controls and no others; names not in HIDEABLE are left out."""
    return replace(session, hidden=tuple(sorted(set(names) & set(HIDEABLE))))


def narrate(session: Session, text: str) -> Session:
    """The session with a line of narration, made harmless and at most MAX_SAY characters long."""
    return replace(session, say=clean(text, MAX_SAY))


def with_rules(session: Session, rules: Rules, future: Future) -> Session:
    """The session under other rules: your own splits stay as far as these allow them, the automatic
    steps after them are made anew, as many as before; those of a branch to its end.

    The focus and the cut stay too where the tree still has the node.
    """
    if rules == session.rules:
        return session
    kept, rest = _allowed(
        rules,
        _own_part(session.rules, session.log + session.undone, future, MAX_RUNS),
        future,
        len(session.log),
    )
    step = len(session.log)
    rest = rest[: max(step - len(kept), 0)]
    log = kept[:step] + rest
    after = replace(session, rules=rules, log=log, undone=kept[step:], branches=())
    if session.focus not in (None, 1) and session.focus >> 1 not in splits_after(log):
        after = replace(after, focus=None, cut=None)
    own = [_own_part(session.rules, branch, future, BRANCH_RUNS) for branch in session.branches]
    return with_branches(after, [_allowed(rules, log, future)[0] for log in own], future)


def runs(
    rules: Rules, log: Log, future: Future, most: int = MAX_RUNS, before: Log = ()
) -> tuple[int | Move, ...]:
    """The log as runs of automatic moves (their number) and moves of your own; it follows `before`.

    After `most` runs of your own, automatic moves are no longer told apart.
    """
    out: list[int | Move] = []
    at = 0
    while at < len(log):
        asked = len(out) < 2 * most
        expected = future(rules, before + log[:at], log[at], len(log) - at) if asked else ()
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


def _as(session: Session, side: Side) -> Session:
    """The session of a screen with this side, alone."""
    own = {field.name: getattr(side, field.name) for field in fields(Side)}
    return replace(session, **own, branches=(), beside=None)


def _moved(session: Session, log: Log, undone: Log) -> Session:
    return replace(session, log=log, undone=undone, focus=None, cut=None)


def _own_part(rules: Rules, log: Log, future: Future, most: int) -> Log:
    """The log without the automatic moves after the last of your own."""
    pieces = runs(rules, log, future, most)
    automatic = pieces[-1] if pieces and isinstance(pieces[-1], int) else 0
    return log[: len(log) - automatic]


def _allowed(rules: Rules, log: Log, future: Future, many: int = 1) -> tuple[Log, Log]:
    """As much of the log as is possible under the rules, and at least `many` moves after it."""
    try:
        return log, future(rules, log, None, many)
    except LogError as error:
        return log[: error.index], future(rules, log[: error.index], None, many)


def _others(whole: Log, branches: tuple[Log, ...]) -> tuple[Log, ...]:
    """The branches in order, each once, without the time-line `whole`."""
    return tuple(branch for branch in dict.fromkeys(branches) if branch != whole)


def _place(session: Session, index: int) -> int:
    """`index` if there is such a branch."""
    many = len(session.branches)
    if not 0 <= index < many:
        raise IndexError(f"`index` must be the place of one of {many} branches; not {index}")
    return index


def usual_rules(recipe: Recipe, task: Task) -> Rules:
    """The rules before anything is chosen: no limits, the node that gains most splits next.

    The worked examples keep the order of their lectures, depth-first.
    """
    rules = default_rules(task)
    example = GALLERY.get(recipe.name)
    if example is not None and example.group == "Worked examples":
        return rules
    return replace(rules, order="best")
