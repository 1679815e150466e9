"""What the user did on a picture or a control, and the session or visit it makes: every act, pure.

What is no act of the picture, is hidden, or asks for what is not there leaves all as it is. The
acts, with the values that come with each, are in events.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dtviz.data.drawing import Drawing, Kind, changed, convert, from_dataset
from dtviz.engine.criteria.criteria import suits
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, suited
from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, fold
from dtviz.evaluate.curves import AXIS_OF, rules_at
from dtviz.session.address import read_moves
from dtviz.session.branches import beside_branch, beside_itself, keep_other, keep_own
from dtviz.session.cuts import Corner, can_draw, circle_cut, line_cut, two_cuts
from dtviz.session.events import RULES as RULE_VALUES
from dtviz.session.events import Event, read_event
from dtviz.session.history import Visit, draws, redo, undo, with_session
from dtviz.session.screen import Blank, Screen, row_path_of
from dtviz.session.session import (
    Row,
    Session,
    bring_back,
    drop_branch,
    follow_moves,
    goto,
    look_at,
    may_pin,
    may_show,
    pin,
    split_node,
    usual_rules,
    with_other_session,
    with_rules,
)

NO_OTHER_ROWS = {"folds", "against"}
"""How a tree is judged without holding out other rows."""
VisitAction = Callable[[Blank, Event], Visit]
REFUSED = (ValueError, LookupError, OverflowError)
"""Raised by what is asked for, where it is not there or not allowed; its types are right."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that can be done, unless any of these controls is hidden.

    `make` takes the screen and the values of the event; it raises one of REFUSED for what it does
    not allow.
    """

    make: Callable[..., Session]
    unless: tuple[str, ...] = ()


def handle(screen: Screen, picture: str, event: object) -> Session:
    """The session after an event of that picture; the same where it is no act. Never raises."""
    given = read_event(picture, event)
    return screen.session if given is None else _session(screen, given)


def _session(screen: Screen, event: Event) -> Session:
    """The session after an event; of one on the other screen beside it, that of both."""
    if event.beside:
        if screen.beside is None:
            return screen.session
        return with_other_session(
            screen.session, _session(screen.beside, replace(event, beside=False))
        )
    act = ACTIONS.get(event.picture, {}).get(event.act)
    if act is None or {*act.unless} & {*screen.session.hidden}:
        return screen.session
    try:
        return act.make(screen, **event.values)
    except REFUSED:
        return screen.session


def handle_visit(screen: Blank, picture: str, event: object) -> Visit:
    """The visit after what the user did on a picture; of any content, and it never raises."""
    given = read_event(picture, event)
    return screen.visit if given is None else perform_event(screen, given)


def perform_event(screen: Blank, event: Event) -> Visit:
    """Make the visit after an event; without data only its ways and the pad are open."""
    way = None if event.beside else VISIT_ACTIONS.get((event.picture, event.act))
    try:
        if way is not None:
            return way(screen, event)
    except REFUSED:
        return screen.visit
    return (
        with_session(screen.visit, _session(screen, event))
        if isinstance(screen, Screen)
        else screen.visit
    )


# --- the tree, step by step -----------------------------------------------------------------------


def _goto(screen: Screen, step: int) -> Session:
    return goto(screen.session, step, screen.future)


def _cut(screen: Screen, stamp: str, index: int) -> Session:
    cuts = screen.look.cuts
    if stamp != screen.stamp or not 0 <= index < len(cuts):
        return screen.session
    return look_at(screen.session, screen.node, cuts.split(index))


def _line(screen: Screen, start: Corner, end: Corner) -> Session:
    return _drawn(screen, "oblique", line_cut, start, end)


def _circle(screen: Screen, centre: Corner, rim: Corner) -> Session:
    return _drawn(screen, "radial", circle_cut, centre, rim)


def _drawn(
    screen: Screen,
    family: str,
    cut: Callable[[Screen, Corner, Corner], Split | None],
    first: Corner,
    second: Corner,
) -> Session:
    """The session that looks at a cut drawn by hand."""
    found = cut(screen, first, second) if can_draw(screen, family) else None
    return screen.session if found is None else look_at(screen.session, screen.node, found)


def _focus(screen: Screen, node: int) -> Session:
    return look_at(screen.session, node) if node in screen.tree.nodes else screen.session


def _split(screen: Screen, stamp: str) -> Session:
    look = screen.look
    if stamp != screen.stamp or look.cut is None:
        return screen.session
    split = look.cuts.split(look.cut)
    return split_node(screen.session, screen.tree, screen.node, split, screen.future)


def _follow(screen: Screen, moves: str) -> Session:
    """A tree found elsewhere, by its moves from the root on; looked at where it is grown so far."""
    log = read_moves(moves)
    fold(screen.problem, log)
    return follow_moves(screen.session, log, screen.future)


def _axis(screen: Screen, place: int, feature: int) -> Session:
    """The other axis keeps its feature, or takes the one that was here."""
    if not 0 <= feature < len(screen.data.features) or place not in (0, 1):
        return screen.session
    axes = screen.look.axes
    other = axes[place] if feature == axes[1 - place] else axes[1 - place]
    if feature == other:  # there is but one
        return screen.session
    return replace(screen.session, axes=(feature, other) if place == 0 else (other, feature))


def _pin(screen: Screen, feature: int, value: float) -> Session:
    may = may_pin(screen.data, feature, value)
    return pin(screen.session, feature, value) if may else screen.session


def _unpin(screen: Screen) -> Session:
    return replace(screen.session, pins=())


def _row(screen: Screen, row: Row | None, focus: bool = False) -> Session:
    """Another row's way, or (None) no row's; the leaf it ends in is looked at if asked for."""
    if not may_show(screen.data, row):
        return screen.session
    after = replace(screen.session, row=row)
    way = row_path_of(Problem(screen.data, after.rules), screen.tree, row)
    if not focus or way is None or "focus" in after.hidden:
        return after
    return look_at(after, way.nodes[-1])


def _ask(screen: Screen, on: bool) -> Session:
    return replace(screen.session, ask=on, cut=None)


def _bring_back(screen: Screen, branch: int) -> Session:
    return bring_back(screen.session, branch, screen.future)


def _drop(screen: Screen, branch: int) -> Session:
    return drop_branch(screen.session, branch)


def _compare(screen: Screen, branch: int) -> Session:
    return beside_branch(screen.session, branch, screen.future)


def _compare_settings(screen: Screen) -> Session:
    return beside_itself(screen.session)


def _keep(screen: Screen, other: bool) -> Session:
    """The end of a comparison: this screen stays, or the other."""
    if not other:
        return keep_own(screen.session)
    return keep_other(screen.session, screen.future)


# --- rules ----------------------------------------------------------------------------------------


def _rules(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Make other values of some rules, by name, the session's; None is the usual one."""
    usual = Rules()
    changed = {n: getattr(usual, n) if value is None else value for n, value in values.items()}
    return _ruled(screen, screen.session, replace(screen.session.rules, **changed))


def _usual(screen: Screen) -> Session:
    rules = usual_rules(screen.session.recipe, screen.data.task)
    return _ruled(screen, screen.session, rules)


def _slider(screen: Screen, rule: str, value: float | None) -> Session:
    """Another value of a rule that has a slider."""
    rules = rules_at(screen.session.rules, AXIS_OF[rule], RULE_VALUES[rule](value))
    return _ruled(screen, screen.session, rules)


def _place(screen: Screen, rule: str, value: float | None) -> Session:
    """A place on the curve is the tree of the rules alone, without prunes."""
    after = _slider(screen, rule, value)
    return replace(after, judging=replace(after.judging, prunes=()))


def _ruled(screen: Screen, session: Session, rules: Rules) -> Session:
    return with_rules(session, suited(rules, screen.data), screen.future)


# --- judging --------------------------------------------------------------------------------------


def _judge(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Other rows held out have other prunes: none."""
    kept = {"prunes": screen.session.judging.prunes if {*values} <= NO_OTHER_ROWS else ()}
    return _judged(screen, **{**values, **kept})


def _prune(screen: Screen, nodes: tuple[int, ...]) -> Session:
    return _judged(screen, prunes=screen.session.judging.prunes + tuple(map(Collapse, nodes)))


def _unprune(screen: Screen, nodes: tuple[int, ...]) -> Session:
    """Without these prunes; those that the present tree does not have stay."""
    gone = {*map(Collapse, nodes)}
    prunes = tuple(move for move in screen.session.judging.prunes if move not in gone)
    return _judged(screen, prunes=prunes)


def _judged(screen: Screen, **values: Any) -> Session:
    return replace(screen.session, judging=replace(screen.session.judging, **values))


# --- the page Impurity ----------------------------------------------------------------------------


def _set(screen: Screen, values: Mapping[str, Any]) -> Session:
    return replace(screen.session, lab=replace(screen.session.lab, **values))


def _take(screen: Screen) -> Session:
    """The cut looked at on Grow and its rival."""
    two = two_cuts(screen)
    if two is None:
        return screen.session
    return replace(screen.session, lab=replace(screen.session.lab, splits=two))


# --- the page Forest ------------------------------------------------------------------------------


def _plan(screen: Screen, values: Mapping[str, Any]) -> Session:
    return replace(screen.session, plan=replace(screen.session.plan, **values))


def _open(screen: Screen, member: int) -> Session:
    """One of its trees is to be shown in Grow."""
    return replace(screen.session, opened=member)


# --- the page Stability ---------------------------------------------------------------------------


def _shake(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Other trees, or another of them that is looked at: other trees have other numbers."""
    shake = replace(screen.session.shake, **{"shown": None, **values})
    return replace(screen.session, shake=shake)


# --- ways through a visit -------------------------------------------------------------------------


def _step(screen: Blank, event: Event) -> Visit:
    """A step of the time-line; it plays on only where its own tick asked for it."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = with_session(screen.visit, _session(screen, event))
    return replace(after, playing=screen.visit.playing and event.playing)


def _in_one_go(screen: Blank, event: Event) -> Visit:
    """Do what a hand drags or holds: all that comes with `more` is one change for undo."""
    if not isinstance(screen, Screen):
        return screen.visit
    made = _session(screen, event)
    if event.more and made != screen.session:
        return replace(screen.visit, session=made, ahead=(), playing=False)
    return with_session(screen.visit, made)


def _play(screen: Blank, event: Event) -> Visit:
    return replace(screen.visit, playing=event.values["on"])


def _mark(screen: Blank, event: Event) -> Visit:
    return replace(screen.visit, marked_node=event.values["node"])


# --- the pad --------------------------------------------------------------------------------------


def with_drawing(screen: Blank, drawing: Drawing) -> Visit:
    """The visit with this drawing, before the first step; rules that suit it stay."""
    rules, recipe = screen.session.rules, screen.recipe_of(drawing)
    if not suits(rules.criterion, drawing.task, min(drawing.targets, default=0)):
        rules = usual_rules(recipe, drawing.task)
    after = with_session(screen.visit, Session(recipe, rules))
    return replace(after, drawing_kind=drawing.kind)


def _points(screen: Blank, event: Event) -> Visit:
    after = changed(screen.pad, event.values["change"], event.values.get("target"))
    return screen.visit if after == screen.pad else with_drawing(screen, after)


def _kind(screen: Blank, event: Event) -> Visit:
    """What a tree is to predict; the points stay."""
    kind: Kind = event.values["kind"]
    if kind == screen.pad.kind:
        return screen.visit
    if screen.drawing is None:
        return replace(screen.visit, drawing_kind=kind)
    return with_drawing(screen, convert(screen.drawing, kind))


def _draw_on(screen: Blank, event: Event) -> Visit:
    """The data on screen as a drawing; without data, or if it is none, it is refused."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = with_drawing(screen, from_dataset(screen.data))
    return replace(after, fit=after.fit + 1)


def _undo_drawing(screen: Blank, event: Event) -> Visit:
    visit = screen.visit
    return undo(visit) if draws(visit, visit.past) else visit


def _redo_drawing(screen: Blank, event: Event) -> Visit:
    visit = screen.visit
    return redo(visit) if draws(visit, visit.ahead) else visit


# --- what each act does --------------------------------------------------------------------------

BRING_BACK = Action(_bring_back)
CUT = Action(_cut, ("gains", "split"))
FOCUS = Action(_focus, ("focus",))
RULES = Action(_rules)
SET = {"set": Action(_set)}
ACTIONS: dict[str, dict[str, Action]] = {
    "line": {"goto": Action(_goto, ("time-line",)), "bring_back": BRING_BACK},
    "stage": {
        "cut": CUT,
        "line": Action(_line, CUT.unless),
        "circle": Action(_circle, CUT.unless),
        "focus": FOCUS,
        "row": Action(_row),
    },
    "tree": {"focus": FOCUS},
    "grow": {
        "cut": CUT,
        "split": Action(_split, ("split",)),
        "follow": Action(_follow, ("split",)),
        "axis": Action(_axis, ("settings",)),
        "ask": Action(_ask, ("settings",)),
        "pin": Action(_pin, ("settings",)),
        "unpin": Action(_unpin, ("settings",)),
        "row": Action(_row),
    },
    "settings": {
        "rules": RULES,
        "usual": Action(_usual),
        "compare": Action(_compare_settings),
    },
    "branches": {"bring_back": BRING_BACK, "drop": Action(_drop), "compare": Action(_compare)},
    "beside": {"keep": Action(_keep)},
    "overfit": {"place": Action(_place), "slider": Action(_slider)},
    "judging": {"judge": Action(_judge), "prune": Action(_prune), "unprune": Action(_unprune)},
    "lab": {**SET, "take": Action(_take, ("gains",))},
    "measures": SET,
    "simplex": SET,
    "splits": SET,
    "forest": {"plan": Action(_plan, ("settings",)), "open": Action(_open)},
    "stability": {"set": Action(_shake)},
}
"""What each act makes of a screen, by the picture or the group of controls."""

VISIT_ACTIONS: dict[tuple[str, str], VisitAction] = {
    ("line", "goto"): _step,
    ("line", "undo"): lambda screen, _: undo(screen.visit),
    ("line", "redo"): lambda screen, _: redo(screen.visit),
    ("line", "play"): _play,
    ("stage", "line"): _in_one_go,
    ("stage", "circle"): _in_one_go,
    ("settings", "rules"): _in_one_go,
    ("grow", "pin"): _in_one_go,
    ("pruning", "focus"): _mark,
    ("pad", "points"): _points,
    ("pad", "kind"): _kind,
    ("pad", "from"): _draw_on,
    ("pad", "undo"): _undo_drawing,
    ("pad", "redo"): _redo_drawing,
}
"""What is done to a visit rather than to its session, by picture and act."""
