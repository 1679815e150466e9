"""Handling of events: a pure function for each act, from a screen to the next session or visit.

An act that the picture does not have, whose control is hidden, or that is impossible changes
nothing. EVENTS in events.py lists the acts and the values that come with each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dtviz.data.drawing import Drawing, DrawingKind, apply_change, convert, from_dataset
from dtviz.engine.criteria.criteria import suits_targets
from dtviz.engine.ensembles import Plan
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, check_rules
from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, fold
from dtviz.evaluate.curves import AXIS_OF, rules_at
from dtviz.session.address import read_moves
from dtviz.session.branches import (
    compare_with_branch,
    compare_with_itself,
    keep_other_screen,
    keep_this_screen,
)
from dtviz.session.derived_data import can_open_sample
from dtviz.session.events import RULES as RULE_VALUES
from dtviz.session.events import Event, read_event
from dtviz.session.screen import (
    BlankScreen,
    PlanePoint,
    Screen,
    can_draw,
    circle_cut,
    line_cut,
    row_path_of,
    two_splits,
)
from dtviz.session.session import (
    SelectedRow,
    Session,
    Visit,
    bring_back,
    changes_data,
    drop_branch,
    follow_moves,
    go_to_step,
    look_at,
    may_pin,
    may_show,
    pin,
    redo,
    split_node,
    undo,
    usual_rules,
    with_other_session,
    with_rules,
    with_session,
)

SETTINGS_OF_SAME_ROWS = {"folds", "against", "measure", "called_class", "threshold"}
"""Settings of Overfit that do not change which rows are held out."""
VisitAction = Callable[[BlankScreen, Event], Visit]
"""An act that changes the visit, not only its session."""
ACT_ERRORS = (ValueError, LookupError, OverflowError)
"""Errors of an act whose values have the right types, but are not allowed or do not exist."""


@dataclass(frozen=True, slots=True)
class Action:
    """An act that changes the session."""

    make: Callable[..., Session]
    """Takes the screen and the event's values, returns a session; raises one of ACT_ERRORS."""
    controls: tuple[str, ...] = ()
    """Controls that forbid the act while one of them is hidden."""


def handle(screen: Screen, picture: str, event: object) -> Session:
    """Return the session after an event of any content on a picture. Never raises."""
    parsed = read_event(picture, event)
    return screen.session if parsed is None else _session_after(screen, parsed)


def _session_after(screen: Screen, event: Event) -> Session:
    """Return the session after an event on this screen or the one beside it."""
    if event.beside:
        if screen.other_screen is None:
            return screen.session
        return with_other_session(
            screen.session, _session_after(screen.other_screen, replace(event, beside=False))
        )
    act = ACTIONS.get(event.picture, {}).get(event.act)
    if act is None or {*act.controls} & {*screen.session.hidden}:
        return screen.session
    try:
        return act.make(screen, **event.values)
    except ACT_ERRORS:
        return screen.session


def handle_visit(screen: BlankScreen, picture: str, event: object) -> Visit:
    """Return the visit after an event of any content on a picture. Never raises."""
    parsed = read_event(picture, event)
    return screen.visit if parsed is None else perform_event(screen, parsed)


def perform_event(screen: BlankScreen, event: Event) -> Visit:
    """Return the visit after an event; without data only undo, redo, play and the pad work."""
    action = None if event.beside else VISIT_ACTIONS.get((event.picture, event.act))
    try:
        if action is not None:
            return action(screen, event)
    except ACT_ERRORS:
        return screen.visit
    return (
        with_session(screen.visit, _session_after(screen, event))
        if isinstance(screen, Screen)
        else screen.visit
    )


# --- the tree, step by step -----------------------------------------------------------------------


def _choose_cut(screen: Screen, stamp: str, index: int) -> Session:
    """Look at a candidate by its index; the index means nothing on a screen of another stamp."""
    cuts = screen.node_view.candidates
    if stamp != screen.stamp or not 0 <= index < len(cuts):
        return screen.session
    return look_at(screen.session, screen.node, cuts.split(index))


def _choose_drawn_cut(
    screen: Screen,
    family: str,
    nearest_split: Callable[[Screen, PlanePoint, PlanePoint], Split | None],
    first: PlanePoint,
    second: PlanePoint,
) -> Session:
    """Look at the split nearest to a line or a circle that is drawn through two points by hand."""
    split = nearest_split(screen, first, second) if can_draw(screen, family) else None
    return screen.session if split is None else look_at(screen.session, screen.node, split)


def _set_focus(screen: Screen, node: int) -> Session:
    return look_at(screen.session, node) if node in screen.tree.nodes else screen.session


def _make_split(screen: Screen, stamp: str) -> Session:
    """Split the focus by the candidate looked at, if that is the one that the browser shows."""
    view = screen.node_view
    if stamp != screen.stamp or view.index is None:
        return screen.session
    split = view.candidates.split(view.index)
    return split_node(screen.session, screen.tree, screen.node, split, screen.future)


def _follow_log(screen: Screen, moves: str) -> Session:
    """Make the moves of a tree that a panel found, such as the optimal tree.

    Raises LogError for moves that the data do not allow.
    """
    log = read_moves(moves)
    fold(screen.problem, log)  # raises LogError
    return follow_moves(screen.session, log, screen.future)


def _set_axis(screen: Screen, place: int, feature: int) -> Session:
    """Put a feature on one of the axes, 0 or 1; a feature of the other axis changes places."""
    if not 0 <= feature < len(screen.data.features) or place not in (0, 1):
        return screen.session
    axes = screen.node_view.axes
    other = axes[place] if feature == axes[1 - place] else axes[1 - place]
    if feature == other:  # the data have one feature only
        return screen.session
    return replace(screen.session, axes=(feature, other) if place == 0 else (other, feature))


def _set_pin(screen: Screen, feature: int, value: float) -> Session:
    is_allowed = may_pin(screen.data, feature, value)
    return pin(screen.session, feature, value) if is_allowed else screen.session


def _show_row(screen: Screen, row: SelectedRow | None, focus: bool = False) -> Session:
    """Show the path of another row, or of none; with `focus` also look at its leaf."""
    if not may_show(screen.data, row):
        return screen.session
    after = replace(screen.session, row=row)
    path = row_path_of(Problem(screen.data, after.rules), screen.tree, row)
    if not focus or path is None or "focus" in after.hidden:
        return after
    return look_at(after, path.nodes[-1])


def _end_comparison(screen: Screen, other: bool) -> Session:
    """End a comparison of two screens: this one stays, or the other if `other`."""
    if not other:
        return keep_this_screen(screen.session)
    return keep_other_screen(screen.session, screen.future)


# --- rules ----------------------------------------------------------------------------------------


def _set_rules(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Set some rules by name; None stands for a rule's default."""
    default = Rules()
    changed = {n: getattr(default, n) if value is None else value for n, value in values.items()}
    return _with_rules(screen, replace(screen.session.rules, **changed))


def _set_slider(screen: Screen, rule: str, value: float | None) -> Session:
    """Set a rule that has a slider on Overfit."""
    rules = rules_at(screen.session.rules, AXIS_OF[rule], RULE_VALUES[rule](value))
    return _with_rules(screen, rules)


def _go_to_curve_value(screen: Screen, rule: str, value: float | None) -> Session:
    """Set the rule of the error curve to a value of the curve, whose trees have no prunes."""
    after = _set_slider(screen, rule, value)
    return replace(after, judging=replace(after.judging, prunes=()))


def _with_rules(screen: Screen, rules: Rules) -> Session:
    return with_rules(screen.session, check_rules(rules, screen.data), screen.future)


# --- the settings of the other pages --------------------------------------------------------------


def _with_settings(screen: Screen, group: str, values: Mapping[str, Any]) -> Session:
    """Set some fields of a group of settings; `group` is the name of its field in the session."""
    settings: Any = getattr(screen.session, group)
    return replace(screen.session, **{group: replace(settings, **values)})


def _set_plan(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Set parts of the plan of Forest; another kind has its own rate and number of features."""
    default = {"rate": Plan().rate, "features": Plan().features} if "kind" in values else {}
    return _with_settings(screen, "plan", {**default, **values})


def _open_shown_tree(screen: Screen) -> Session:
    """Have Grow show the tree of Stability that is looked at, if its rows can be shown."""
    session = screen.session
    can_open = can_open_sample(session, screen.data)
    return replace(session, opened=session.shake.shown) if can_open else session


def _set_judging(screen: Screen, values: Mapping[str, Any]) -> Session:
    """Set settings of Overfit; where other rows are held out the prunes are dropped."""
    prunes = screen.session.judging.prunes if {*values} <= SETTINGS_OF_SAME_ROWS else ()
    return _with_settings(screen, "judging", {**values, "prunes": prunes})


def _prune(screen: Screen, nodes: tuple[int, ...]) -> Session:
    prunes = screen.session.judging.prunes + tuple(map(Collapse, nodes))
    return _with_settings(screen, "judging", {"prunes": prunes})


def _unprune(screen: Screen, nodes: tuple[int, ...]) -> Session:
    """Take the prunes of these nodes back; others stay, even of nodes that the tree lacks now."""
    removed = {*map(Collapse, nodes)}
    prunes = tuple(move for move in screen.session.judging.prunes if move not in removed)
    return _with_settings(screen, "judging", {"prunes": prunes})


def _take_splits(screen: Screen) -> Session:
    """Make the split looked at on Grow and its best rival the two splits of Impurity."""
    splits = two_splits(screen)
    return screen.session if splits is None else _with_settings(screen, "lab", {"splits": splits})


# --- acts that change the visit -------------------------------------------------------------------


def _go_to_step(screen: BlankScreen, event: Event) -> Visit:
    """Go to a step of the time-line; playing ends unless the playing time-line made it."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = with_session(screen.visit, _session_after(screen, event))
    return replace(after, playing=screen.visit.playing and event.playing)


def _drag(screen: BlankScreen, event: Event) -> Visit:
    """Do an act that may be one of a drag: for undo all events of a drag are one change."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = _session_after(screen, event)
    # The first event of a drag has no `more`: it put the session before the drag on the stack.
    if event.more and after != screen.session:
        return replace(screen.visit, session=after, redo_stack=(), playing=False)
    return with_session(screen.visit, after)


# --- the pad --------------------------------------------------------------------------------------


def with_drawing(screen: BlankScreen, drawing: Drawing) -> Visit:
    """Return the visit with this drawing as its data and no moves; rules stay if they suit it."""
    rules, recipe = screen.session.rules, screen.recipe_of(drawing)
    if not suits_targets(rules.criterion, drawing.task, min(drawing.targets, default=0)):
        rules = usual_rules(recipe, drawing.task)
    after = with_session(screen.visit, Session(recipe, rules))
    return replace(after, drawing_kind=drawing.kind)


def _change_points(screen: BlankScreen, event: Event) -> Visit:
    after = apply_change(screen.pad, event.values["change"], event.values.get("target"))
    return screen.visit if after == screen.pad else with_drawing(screen, after)


def _change_kind(screen: BlankScreen, event: Event) -> Visit:
    """Change the target's kind; the points stay."""
    kind: DrawingKind = event.values["kind"]
    if kind == screen.pad.kind:
        return screen.visit
    if screen.drawing is None:
        return replace(screen.visit, drawing_kind=kind)
    return with_drawing(screen, convert(screen.drawing, kind))


def _draw_data(screen: BlankScreen, event: Event) -> Visit:
    """Make a drawing of the data on screen. Raises ValueError for data that cannot be drawn."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = with_drawing(screen, from_dataset(screen.data))
    return replace(after, fit_count=after.fit_count + 1)


def _undo_drawing(visit: Visit) -> Visit:
    """Undo a change of the data; the pad shows no other change."""
    return undo(visit) if changes_data(visit, visit.undo_stack) else visit


def _redo_drawing(visit: Visit) -> Visit:
    """Redo a change of the data; the pad shows no other change."""
    return redo(visit) if changes_data(visit, visit.redo_stack) else visit


# --- the function of each act --------------------------------------------------------------------

BRING_BACK = Action(lambda screen, branch: bring_back(screen.session, branch, screen.future))
CUT = Action(_choose_cut, ("gains", "split"))
FOCUS = Action(_set_focus, ("focus",))
RULES = Action(_set_rules)
SET = {"set": Action(lambda screen, values: _with_settings(screen, "lab", values))}
ACTIONS: dict[str, dict[str, Action]] = {
    "line": {
        "goto": Action(
            lambda screen, step: go_to_step(screen.session, step, screen.future), ("time-line",)
        ),
        "bring_back": BRING_BACK,
    },
    "stage": {
        "cut": CUT,
        "line": Action(
            lambda screen, start, end: _choose_drawn_cut(screen, "oblique", line_cut, start, end),
            CUT.controls,
        ),
        "circle": Action(
            lambda screen, centre, rim: _choose_drawn_cut(
                screen, "radial", circle_cut, centre, rim
            ),
            CUT.controls,
        ),
        "focus": FOCUS,
        "row": Action(_show_row),
    },
    "tree": {"focus": FOCUS},
    "grow": {
        "cut": CUT,
        "split": Action(_make_split, ("split",)),
        "follow": Action(_follow_log, ("split",)),
        "axis": Action(_set_axis, ("settings",)),
        "ask": Action(lambda screen, on: replace(screen.session, ask=on, cut=None), ("settings",)),
        "pin": Action(_set_pin, ("settings",)),
        "unpin": Action(lambda screen: replace(screen.session, pins=()), ("settings",)),
        "row": Action(_show_row),
    },
    "settings": {
        "rules": RULES,
        "usual": Action(
            lambda screen: _with_rules(screen, usual_rules(screen.session.recipe, screen.data.task))
        ),
        "compare": Action(lambda screen: compare_with_itself(screen.session)),
    },
    "branches": {
        "bring_back": BRING_BACK,
        "drop": Action(lambda screen, branch: drop_branch(screen.session, branch)),
        "compare": Action(
            lambda screen, branch: compare_with_branch(screen.session, branch, screen.future)
        ),
    },
    "beside": {"keep": Action(_end_comparison)},
    "overfit": {"place": Action(_go_to_curve_value), "slider": Action(_set_slider)},
    "judging": {
        "judge": Action(_set_judging, ("settings",)),
        "prune": Action(_prune),
        "unprune": Action(_unprune),
    },
    "lab": {**SET, "take": Action(_take_splits, ("gains",))},
    "measures": SET,
    "simplex": SET,
    "splits": SET,
    "forest": {
        "plan": Action(_set_plan, ("settings",)),
        # Grow is to show this tree of the ensemble.
        "open": Action(lambda screen, member: replace(screen.session, opened=member)),
    },
    "stability": {
        # No tree is looked at then, unless the values name one.
        "set": Action(
            lambda screen, values: _with_settings(screen, "shake", {"shown": None, **values})
        ),
        # Grow is to show the tree that is looked at.
        "open": Action(_open_shown_tree),
    },
}
"""Acts that change the session, by the picture or the group of controls and by name."""

VISIT_ACTIONS: dict[tuple[str, str], VisitAction] = {
    ("line", "goto"): _go_to_step,
    ("line", "undo"): lambda screen, _: undo(screen.visit),
    ("line", "redo"): lambda screen, _: redo(screen.visit),
    ("line", "play"): lambda screen, event: replace(screen.visit, playing=event.values["on"]),
    ("stage", "line"): _drag,
    ("stage", "circle"): _drag,
    ("settings", "rules"): _drag,
    ("grow", "pin"): _drag,
    ("grow", "panel"): lambda screen, event: replace(screen.visit, panel=event.values["name"]),
    ("pruning", "focus"): lambda screen, event: replace(
        screen.visit, marked_node=event.values["node"]
    ),
    ("pad", "points"): _change_points,
    ("pad", "kind"): _change_kind,
    ("pad", "from"): _draw_data,
    ("pad", "undo"): lambda screen, _: _undo_drawing(screen.visit),
    ("pad", "redo"): lambda screen, _: _redo_drawing(screen.visit),
}
"""Acts that change the visit, by picture and act; they come before ACTIONS."""
