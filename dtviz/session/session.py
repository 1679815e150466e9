"""The session: the whole state of a screen as one value, its changes, and the history of a tab."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from typing import Protocol

from dtviz.base.text import clean
from dtviz.data.dataset import MAX_CLASSES, Dataset, ParameterValue, Recipe, Task
from dtviz.data.drawing import DrawingKind
from dtviz.data.gallery import GALLERY
from dtviz.data.uploads import places_of
from dtviz.engine.ensembles import Plan
from dtviz.engine.grow import splits_after
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import Split, is_later_part
from dtviz.engine.tree import Collapse, Grow, Log, LogError, Move, Tree
from dtviz.evaluate.curves import AXES
from dtviz.evaluate.measures import MEASURES
from dtviz.evaluate.metrics import Pieces
from dtviz.evaluate.stability import StabilitySettings
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.tour import Tour

MAX_RUNS = 100
"""Runs of automatic moves that a link carries."""
MAX_MOVES = 1_000
"""Pieces of a log that a link carries: runs, and moves that a user chose."""
MAX_BRANCHES = 4
BRANCH_RUNS = MAX_RUNS // MAX_BRANCHES  # all branches together are no more work than one log
MAX_SAY_CHARS = 300
MAX_PINS = 12
"""Features that a session fixes at a value."""
MAX_PIN_VALUE = 1e300
"""Bound of the numbers at which a feature is fixed, or which are typed for a row."""
MAX_CELLS = 50
"""Values that are typed for one row."""
HIDEABLE = ("time-line", "settings", "focus", "split", "gains", "why", "panels", "curve")
"""The controls that a teacher's link can hide, of all pages."""

N_SEEDS = 10**9
"""The seeds of all pages are smaller."""
MAX_FOLDS = 20
MAX_THRESHOLD = 2.0
"""Share of a class that no row has: the largest threshold."""
LEAVE_ONE_OUT = 1
"""The number of folds that stands for leave-one-out: one fold a row."""
ALL_MOVES = 10**9
"""More moves than any tree has: asks a future for all moves."""
MAX_ROWS_LEFT_OUT = 500
"""Training rows up to which leave-one-out is offered: it grows one tree for each of them."""


class Future(Protocol):
    """A function that gives the automatic moves after a log; the app keeps these moves."""

    def __call__(self, rules: Rules, log: Log, first: Move | None = None, n: int = 1, /) -> Log:
        """Return the automatic moves after `log`: all, or of a large table the next `n` at least.

        Where the automatic moves do not begin with the move `first`, the result may be empty: the
        caller has no use for them, and the tree need not be grown.
        """


SelectedRow = int | tuple[tuple[int, float], ...]
"""The number of a row, from 1 on, or the values of a typed row: (feature, value) by feature."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The settings by which the page Overfit judges the tree of the rules. Raises ValueError."""

    share: float = 0.3
    """Share of the rows that is held out."""
    seed: int = 0
    """Seed of the draw of the rows held out."""
    folds: int = 5
    """Number of folds: 0 for none, 1 for leave-one-out."""
    against: str = "depth"
    """Axis of the error curve, a name of AXES."""
    prunes: Log = ()
    """Collapse moves made after growing."""
    measure: str = "error"
    """Measure of the error curve, a name of MEASURES."""
    called_class: int | None = None
    """Code of the class that rows are called from a share on; None: the rarest class."""
    threshold: float | None = None
    """That share; MAX_THRESHOLD calls no row, None calls those that the tree calls."""

    def __post_init__(self) -> None:
        if not 0.05 <= self.share <= 0.95:
            raise ValueError(f"`share` must lie between 0.05 and 0.95; not {self.share!r}")
        if not 0 <= self.seed < N_SEEDS:
            raise ValueError(f"`seed` must be at least 0 and below 10^9; not {self.seed!r}")
        if not 0 <= self.folds <= MAX_FOLDS:
            raise ValueError(f"`folds` must be 0, 1 or at most {MAX_FOLDS}; not {self.folds!r}")
        if self.against not in AXES:
            raise ValueError(f"`against` must be one of {', '.join(AXES)}; not {self.against!r}")
        if self.measure not in MEASURES:
            raise ValueError(
                f"`measure` must be one of {', '.join(MEASURES)}; not {self.measure!r}"
            )
        if self.called_class is not None and not 0 <= self.called_class < MAX_CLASSES:
            raise ValueError(
                f"`called_class` must be at least 0 and below {MAX_CLASSES}; not "
                f"{self.called_class!r}"
            )
        if self.threshold is not None and not 0 <= self.threshold <= MAX_THRESHOLD:
            raise ValueError(
                f"`threshold` must lie between 0 and {MAX_THRESHOLD:g}; not {self.threshold!r}"
            )


@dataclass(frozen=True, slots=True)
class ScreenSide:
    """The fields of a session that each of two screens side by side has for itself."""

    rules: Rules = Rules()  # see Session.rules
    log: Log = ()  # see Session.log
    undone: Log = ()  # see Session.undone
    focus: int | None = None  # see Session.focus
    cut: Split | None = None  # see Session.cut


@dataclass(frozen=True, slots=True)
class Session:
    """The state of a screen, as a link carries it: data recipe, rules, moves, and what is shown.

    A session is never changed; each function of this module gives another one.

    >>> session = Session(Recipe("iris"), Rules(max_depth=3))
    >>> look_at(session, 2).focus
    2
    >>> hide(session, ["why", "settings", "no control"]).hidden
    ('settings', 'why')
    >>> session.focus, session.hidden, session.log
    (None, (), ())
    """

    recipe: Recipe
    """Recipe of the data."""
    rules: Rules = Rules()
    """Rules by which the tree grows."""
    log: Log = ()
    """Moves made, from the bare root on."""
    undone: Log = ()
    """Moves stepped back over, the next one first; a step forward makes them again."""
    focus: int | None = None
    """Id of the node that is looked at; None: the node that splits next."""
    cut: Split | None = None
    """Split that is looked at in the focus; None: the best candidate."""
    axes: tuple[int, int] | None = None
    """Features drawn across and up; None: those with the best splits."""
    branches: tuple[Log, ...] = ()
    """Whole time-lines that were left, the newest last; all differ, also from the session's."""
    ask: bool = False
    """True while the gains hide until the user has chosen a split."""
    hidden: tuple[str, ...] = ()
    """Names of the hidden controls, sorted, see HIDEABLE."""
    say: str = ""
    """Line of narration over the pictures."""
    judging: Judging = Judging()
    """Settings of the page Overfit."""
    lab: ImpuritySettings = ImpuritySettings()
    """Settings of the page Impurity."""
    plan: Plan = Plan()
    """Ensemble that the page Forest grows."""
    opened: int | None = None
    """Number of the tree of Forest, or of Stability, that Grow is to show next."""
    shake: StabilitySettings = StabilitySettings()
    """Trees that the page Stability grows, and which of them is looked at."""
    pins: tuple[tuple[int, float], ...] = ()
    """Features fixed at a value, (feature, value) by feature: the slice that is drawn."""
    tour: Tour = Tour()
    """Addresses that a link leads through, and which of them is shown."""
    row: SelectedRow | None = None
    """Row whose path down the tree is shown."""
    beside: ScreenSide | None = None
    """Fields of the other of two screens side by side; all other fields are common to both."""
    extra: tuple[tuple[str, ParameterValue], ...] = ()
    """Values of address fields that have no attribute here: (name, value) by name."""


def next_move(session: Session, future: Future) -> Move | None:
    """Return the move that the next step makes; None at the end of the time-line."""
    return next(iter(session.undone or future(session.rules, session.log)), None)


def timeline(session: Session, future: Future) -> Log:
    """Return all moves of the time-line: made, stepped back over, and automatic ones after them.

    Of a large table the automatic moves end where they have been grown so far.
    """
    moves = session.log + session.undone
    return moves + future(session.rules, moves)


def side_of(session: Session) -> ScreenSide:
    """Return those fields of a session that are not common to two screens side by side."""
    return ScreenSide(*(getattr(session, field.name) for field in fields(ScreenSide)))


def other_session(session: Session) -> Session | None:
    """Return the session of the other screen, if two are side by side."""
    return None if session.beside is None else _with_side(session, session.beside)


def with_other_session(session: Session, other: Session) -> Session:
    """Return the session with `other` as the session of the other screen.

    The fields common to both screens are those of `other`, but for branches and axes.
    """
    common = _with_side(other, side_of(session))
    return replace(common, branches=session.branches, axes=session.axes, beside=side_of(other))


def current_step(session: Session) -> int:
    """Count the steps made; of two screens, those of the screen that has made more."""
    return max(len(side.log) for side in (session, session.beside or session))


def count_steps(session: Session, future: Future) -> int:
    """Count the steps of the time-line as far as it is grown; of two screens, of the longer one."""
    sides = filter(None, (session, other_session(session)))
    return max(len(timeline(side, future)) for side in sides)


def go_to_step(session: Session, step: int, future: Future) -> Session:
    """Return the session at a step of its time-line (0 is the bare root), at most the last step.

    Of two screens side by side both go to that step.
    """
    other, after = other_session(session), _screen_at_step(session, step, future)
    if other is None:
        return after
    return with_other_session(after, _screen_at_step(other, step, future))


def _screen_at_step(session: Session, step: int, future: Future) -> Session:
    """Return the session of one screen at a step of its time-line, at most the last step."""
    moves = session.log + session.undone
    n_moves = len(moves)
    if step > n_moves:
        moves += future(session.rules, moves, None, step - n_moves)
    step = max(0, min(step, len(moves)))
    # a future may give more moves than were asked for: those beyond the step are left out
    return _with_moves(session, moves[:step], moves[step : max(n_moves, step)])


def step_forward(session: Session, future: Future) -> Session:
    """Make the next step: the move stepped back over last, or the next automatic move."""
    return go_to_step(session, current_step(session) + 1, future)


def step_back(session: Session, future: Future) -> Session:
    """Take one step back; the move stays on the time-line."""
    return go_to_step(session, current_step(session) - 1, future)


def split_node(session: Session, tree: Tree, node: int, split: Split, future: Future) -> Session:
    """Return the session after a split that the user chose, in place of the node's, if any."""
    moves: tuple[Move, ...] = (Grow(node, split),)
    if node in tree.splits:
        moves = (Collapse(node), *moves)
    return follow_moves(session, session.log + moves, future)


def follow_moves(session: Session, log: Log, future: Future) -> Session:
    """Return the session after these moves from the bare root on.

    The time-line that is left becomes the newest branch, unless the new time-line begins with all
    of its moves. Of more than MAX_BRANCHES branches the oldest is dropped.
    """
    old_line = timeline(session, future)
    after = _with_moves(session, log, ())
    new_line = timeline(after, future)
    added = () if new_line[: len(old_line)] == old_line else (old_line,)
    branches = _without_line(new_line, (*session.branches, *added))
    return replace(after, branches=branches[-MAX_BRANCHES:])


def bring_back(session: Session, index: int, future: Future) -> Session:
    """Return the session on the time-line of a branch, at the same step or the last one.

    The time-line that is left takes the branch's place. Raises IndexError.
    """
    line, old_line = session.branches[_checked_index(session, index)], timeline(session, future)
    branches = (*session.branches[:index], old_line, *session.branches[index + 1 :])
    step = len(session.log)
    after = _with_moves(session, line[:step], line[step:])
    return replace(after, branches=_without_line(line, branches))


def drop_branch(session: Session, index: int) -> Session:
    """Return the session without a branch. Raises IndexError."""
    index = _checked_index(session, index)
    return replace(session, branches=session.branches[:index] + session.branches[index + 1 :])


def with_branches(session: Session, branches: Iterable[Log], future: Future) -> Session:
    """Return the session with these logs, each grown to its end, as its branches.

    Repeated branches, the session's time-line and branches beyond MAX_BRANCHES are left out.
    """
    grown = tuple(log + future(session.rules, log) for log in branches)
    lines = _without_line(timeline(session, future), grown)[:MAX_BRANCHES] if grown else ()
    return replace(session, branches=lines)


def look_at(session: Session, node: int | None, cut: Split | None = None) -> Session:
    """Return the session with another focus and another split that is looked at."""
    return replace(session, focus=node, cut=cut)


def may_pin(data: Dataset, feature: int, value: float) -> bool:
    """True if the data have the feature, and the feature can have the value."""
    if not 0 <= feature < len(data.features) or not abs(value) < MAX_PIN_VALUE:
        return False
    levels = data.levels[feature]
    return not levels or value in range(len(levels))


def pin(session: Session, feature: int, value: float) -> Session:
    """Return the session with a feature fixed at a value; at most MAX_PINS are fixed."""
    pins = [pin for pin in session.pins if pin[0] != feature][: MAX_PINS - 1]
    return replace(session, pins=tuple(sorted([*pins, (feature, float(value))])))


def may_show(data: Dataset, row: SelectedRow | None) -> bool:
    """True if the data have that row, or could have the row typed; None is always allowed."""
    if isinstance(row, tuple):
        return len(row) <= MAX_CELLS and all(may_pin(data, *cell) for cell in row)
    return row is None or 1 <= row <= data.n


def hide(session: Session, names: Iterable[str]) -> Session:
    """Return the session that hides these controls; names not in HIDEABLE are left out."""
    return replace(session, hidden=tuple(sorted(set(names) & set(HIDEABLE))))


def narrate(session: Session, text: str) -> Session:
    """Return the session with a line of narration, cleaned and cut to MAX_SAY_CHARS."""
    return replace(session, say=clean(text, MAX_SAY_CHARS))


def with_rules(session: Session, rules: Rules, future: Future) -> Session:
    """Return the session under other rules, at the same step.

    The moves up to the last one that the user chose stay as far as the rules allow them; automatic
    moves by the new rules follow. A branch is grown to its end. The focus stays, with the split
    looked at, where the tree still has that node.
    """
    if rules == session.rules:
        return session
    chosen, following = _allowed(
        rules,
        _chosen_part(session.rules, session.log + session.undone, future, MAX_RUNS),
        future,
        len(session.log),
    )
    step = len(session.log)
    log = chosen[:step] + following[: max(step - len(chosen), 0)]
    after = replace(session, rules=rules, log=log, undone=chosen[step:], branches=())
    # a node is in the tree if it is the root, 1, or its parent, focus >> 1, is split
    if session.focus not in (None, 1):
        splits = splits_after(log)
        is_hidden = session.focus in splits and is_later_part(splits[session.focus])
        if session.focus >> 1 not in splits or is_hidden:
            after = replace(after, focus=None, cut=None)
    logs = [_chosen_part(session.rules, line, future, BRANCH_RUNS) for line in session.branches]
    return with_branches(after, [_allowed(rules, log, future)[0] for log in logs], future)


def runs_of(
    rules: Rules, log: Log, future: Future, max_runs: int = MAX_RUNS, before: Log = ()
) -> Pieces:
    """Return the log as numbers of automatic moves in a row and moves that the user chose.

    The log follows the moves `before`. About `max_runs` runs are recognized; all moves after them
    count as chosen by the user.
    """
    out: list[int | Move] = []
    start = 0
    while start < len(log):
        expected: Log = ()
        if len(out) < 2 * max_runs:  # a chosen move follows each run
            expected = future(rules, before + log[:start], log[start], len(log) - start)
        end = start
        while end < min(len(log), start + len(expected)) and log[end] == expected[end - start]:
            end += 1
        if end > start:
            out.append(end - start)
        start = end
        if start < len(log):
            out.append(log[start])
            start += 1
    return tuple(out)


def _with_side(session: Session, side: ScreenSide) -> Session:
    """Return the session with the fields of this side, as the only screen."""
    values = {field.name: getattr(side, field.name) for field in fields(ScreenSide)}
    return replace(session, **values, branches=(), beside=None)


def _with_moves(session: Session, log: Log, undone: Log) -> Session:
    """Return the session after other moves, which looks at the node that splits next."""
    return replace(session, log=log, undone=undone, focus=None, cut=None)


def _chosen_part(rules: Rules, log: Log, future: Future, max_runs: int) -> Log:
    """Return the log without the automatic moves after the last move that the user chose."""
    pieces = runs_of(rules, log, future, max_runs)
    n_automatic = pieces[-1] if pieces and isinstance(pieces[-1], int) else 0
    return log[: len(log) - n_automatic]


def _allowed(rules: Rules, log: Log, future: Future, n: int = 1) -> tuple[Log, Log]:
    """Return as much of the log as the rules allow, and the next `n` automatic moves or more."""
    try:
        return log, future(rules, log, None, n)
    except LogError as error:
        return log[: error.index], future(rules, log[: error.index], None, n)


def _without_line(line: Log, branches: tuple[Log, ...]) -> tuple[Log, ...]:
    """Return the branches in order, each once, without the time-line `line`."""
    return tuple(branch for branch in dict.fromkeys(branches) if branch != line)


def _checked_index(session: Session, index: int) -> int:
    """Return the index of a branch; raises IndexError where there is no such branch."""
    n = len(session.branches)
    if not 0 <= index < n:
        raise IndexError(f"`index` must be the place of one of {n} branches; not {index}")
    return index


def usual_rules(recipe: Recipe, task: Task) -> Rules:
    """Return the rules before anything is chosen: no limits, the largest gain splits next.

    The worked examples keep the order of their lectures, depth-first.
    """
    rules = default_rules(task)
    example = GALLERY.get(recipe.name)
    if example is not None and example.group == "Worked examples":
        return rules
    return replace(rules, order="best")


MAX_SESSIONS_KEPT = 200
"""Sessions that undo can return to."""
SESSION_FIELDS = frozenset(field.name for field in fields(Session))
_TIMELINE_FIELDS = frozenset({"log", "undone", "branches", "focus", "cut", "beside"})
_NARRATION_FIELDS = frozenset({"hidden", "say", "tour"})
_PLANE_FIELDS = _NARRATION_FIELDS | {"recipe", "rules", "axes", "pins"}
FIELDS_SHOWN: Mapping[str, frozenset[str]] = {
    "grow": SESSION_FIELDS - {"judging", "lab", "plan", "opened", "shake"},
    "overfit": _PLANE_FIELDS | {"judging"},
    "stability": _PLANE_FIELDS | {"shake"},
    "forest": _PLANE_FIELDS | {"plan"},
    "impurity": _NARRATION_FIELDS | {"lab"},
}
"""Fields of a session that a page shows, by page; a page that is not here shows all fields."""
_DEPENDENT_FIELDS = {"recipe": SESSION_FIELDS - {"lab"}, "rules": _TIMELINE_FIELDS}
"""Fields that undo and redo change together with a field, since they mean nothing without it."""


@dataclass(frozen=True, slots=True)
class Visit:
    """The session of a tab with its history."""

    session: Session
    """The session on screen."""
    undo_stack: tuple[Session, ...] = ()
    """Sessions that undo returns to, the newest last."""
    redo_stack: tuple[Session, ...] = ()
    """Sessions that redo returns to, the next one last."""
    playing: bool = False
    """True while the browser plays the time-line."""
    last_event: int = 0
    """Number of the last event that was handled, see events.py."""
    marked_node: int | None = None
    """Id of the node clicked in the tree of Overfit."""
    drawing_kind: DrawingKind = "classes"
    """Kind of the drawing on the pad before its first point."""
    fit_count: int = 0
    """Number of times that the pad was told to zoom to all points."""
    page: str = ""
    """Path of the page on screen: undo and redo change what it shows; '': all fields."""
    panel: str = ""
    """Name of the panel of Grow that was opened last; '': none was."""


def with_session(visit: Visit, after: Session) -> Visit:
    """Return the visit with another session; undo returns to the one before."""
    if after == visit.session:
        return visit
    undo_stack = (*visit.undo_stack, visit.session)[-MAX_SESSIONS_KEPT:]
    return replace(visit, session=after, undo_stack=undo_stack, redo_stack=(), playing=False)


def undo(visit: Visit) -> Visit:
    """Return the visit without the last change of what its page shows, if there was one."""
    session, undo_stack = _nearest(visit, visit.undo_stack)
    if session is None:
        return visit
    redo_stack = (*visit.redo_stack, visit.session)
    return replace(
        visit, session=session, undo_stack=undo_stack, redo_stack=redo_stack, playing=False
    )


def redo(visit: Visit) -> Visit:
    """Return the visit with the change of what its page shows that was undone last, if any."""
    session, redo_stack = _nearest(visit, visit.redo_stack)
    if session is None:
        return visit
    undo_stack = (*visit.undo_stack, visit.session)
    return replace(
        visit, session=session, undo_stack=undo_stack, redo_stack=redo_stack, playing=False
    )


def _nearest(
    visit: Visit, stack: tuple[Session, ...]
) -> tuple[Session | None, tuple[Session, ...]]:
    """Return the session after the nearest change that the page shows, and the stack below it.

    `stack` is that of undo or of redo. Where no change is shown the session is None. Changes of
    fields that the page does not show stay, and can still be undone: the sessions on this side of
    the nearest shown change take that change over.
    """
    shown = FIELDS_SHOWN.get(visit.page, SESSION_FIELDS)
    line = (visit.session, *reversed(stack))
    for index, (closer, farther) in enumerate(pairwise(line)):
        names = {name for name in SESSION_FIELDS if getattr(closer, name) != getattr(farther, name)}
        if names.isdisjoint(shown):
            continue
        names = names.union(*(_DEPENDENT_FIELDS.get(name, ()) for name in names))
        values = {name: getattr(farther, name) for name in names}
        session, *passed = (replace(session, **values) for session in line[: index + 1])
        return session, (*reversed(line[index + 2 :]), *reversed(passed))
    return None, stack


def session_before_tour(visit: Visit) -> Session | None:
    """Return the last session of the visit outside a tour; None: the visit began with a tour."""
    return next(
        (session for session in reversed(visit.undo_stack) if session.tour.shown_index is None),
        None,
    )


def tables_in_use(
    visit: Visit, uploaded: frozenset[str], sizes: Mapping[str, int], max_bytes: int
) -> frozenset[str]:
    """Return the places of the tables in use: on screen, `uploaded`, or needed by undo or redo.

    The place of a table is its key among the files; `sizes` are the bytes of each table by place.
    Where all tables together exceed `max_bytes`, those of the oldest sessions are left out.
    """
    used = uploaded.union(places_of(visit.session.recipe))
    bytes_left = max_bytes - sum(sizes[place] for place in used & {*sizes})
    for session in (*reversed(visit.undo_stack), *reversed(visit.redo_stack)):
        for place in {*places_of(session.recipe)} & {*sizes} - used:
            bytes_left -= sizes[place]
            used |= {place} if bytes_left >= 0 else set()
    return used


def changes_data(visit: Visit, stack: tuple[Session, ...]) -> bool:
    """True if undo or redo to the last session of the stack changes the data of the visit."""
    return bool(stack) and stack[-1].recipe != visit.session.recipe
