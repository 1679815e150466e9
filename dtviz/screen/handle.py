"""What the user did on a picture or a control, and the session or visit it makes: every act, pure.

An event is any JSON at all, such as what a browser made up: {"what": the act, ...}. What is no act
of the picture, is hidden, or asks for what is not there leaves all as it is. A node is text, since
ids have no bound; the ends of a line are places on the plane, x and y. An event with "beside": true
is one of the other of two screens.

    line      goto: step             undo                    redo                    play: on
              bring_back: branch
    stage     cut: index, stamp  focus: node  line: start, end, more  circle: centre, rim, more
              row: row, focus
    tree      focus: node
    grow      cut  follow: moves  split: stamp  axis: place, feature  ask: on
              pin: feature, value, more  unpin  row: row
    settings  rules: values, more    usual                   compare
    branches  bring_back: branch     drop: branch            compare: branch
    beside    keep: other
    overfit   place: rule, value     slider: rule, value
    judging   judge: values          prune: nodes            unprune: nodes
    pruning   focus: node
    pad       points: change, target kind: kind              from                    undo, redo
    lab       set: values            take
    measures  set: values
    simplex   set: values
    splits    set: values
    forest    plan: values       open: member
    stability set: values
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeGuard, cast

from dtviz.engine.criteria import suits
from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules, suited
from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, Log, fold
from dtviz.judge.axes import AXIS_OF, rules_at
from dtviz.judge.stability import Shake
from dtviz.screen.beside import beside_branch, beside_itself, keep_other, keep_own
from dtviz.screen.drawn import Corner, can_draw, circle_cut, line_cut
from dtviz.screen.lab import Lab, TwoSplits
from dtviz.screen.moves import read_moves
from dtviz.screen.rivals import two_cuts
from dtviz.screen.screen import Blank, Screen
from dtviz.screen.session import (
    MOST_CELLS,
    Judging,
    Row,
    Session,
    bring_back,
    drop_branch,
    follow,
    goto,
    look_at,
    may_pin,
    may_show,
    pin,
    split_here,
    with_other,
    with_rules,
)
from dtviz.screen.usual import usual_rules
from dtviz.screen.visit import Visit, do, draws, redo, undo
from dtviz.screen.way import way_of
from dtviz.table.drawing import KINDS, Drawing, changed, convert, from_dataset

MOST_DIGITS = 600
MOST = 10**9  # rows, levels, leaves: nothing above makes another tree
MOST_NODES = 10_000
NO_OTHER_ROWS = {"folds", "against"}
"""How a tree is judged without holding out other rows."""
Event = Mapping[Any, Any]
Way = Callable[[Blank, Event], Visit]
REFUSED = (ValueError, LookupError, AttributeError, OverflowError, TypeError)


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be done, unless any of these controls is hidden.

    `make` raises one of REFUSED for what it does not allow.
    """

    make: Callable[[Screen, Event], Session]
    unless: tuple[str, ...] = ()


def handle(screen: Screen, picture: str, event: object) -> Session:
    """The session after an event of that picture; the same where it is no act. Never raises."""
    given = event if isinstance(event, Mapping) else {}
    if given.get("beside") is True:
        return _on_other(screen, picture, given)
    what = given.get("what")
    act = ACTS.get(picture, {}).get(what) if isinstance(what, str) else None
    if act is None or {*act.unless} & {*screen.session.hidden}:
        return screen.session
    try:
        return act.make(screen, given)
    except REFUSED:
        return screen.session


def _on_other(screen: Screen, picture: str, event: Event) -> Session:
    """The session after an event of the other screen beside it."""
    if screen.beside is None:
        return screen.session
    after = handle(screen.beside, picture, {**event, "beside": False})
    return with_other(screen.session, after)


def act(screen: Blank, picture: str, event: object) -> Visit:
    """The visit after what the user did on a picture; of any content, and it never raises.

    Without data only the ways through the visit and the pad are open.
    """
    given = event if isinstance(event, Mapping) else {}
    what = given.get("what")
    alone = given.get("beside") is not True
    way = WAYS.get((picture, what)) if isinstance(what, str) and alone else None
    if way is None:
        made = handle(screen, picture, event) if isinstance(screen, Screen) else screen.session
        return do(screen.visit, made)
    try:
        return way(screen, given)
    except REFUSED:
        return screen.visit


def node_in(event: Event) -> int | None:
    """The node an event speaks of, if it is the id of any."""
    text = event.get("node")
    if not isinstance(text, str) or not text.isdecimal() or len(text) > MOST_DIGITS:
        return None
    return int(text)


# --- the tree, step by step -----------------------------------------------------------------------


def _goto(screen: Screen, event: Event) -> Session:
    return goto(screen.session, _whole(event["step"]), screen.future)


def _cut(screen: Screen, event: Event) -> Session:
    cuts, index = screen.look.cuts, _whole(event["index"])
    if event["stamp"] != screen.stamp or not 0 <= index < len(cuts):
        return screen.session
    return look_at(screen.session, screen.node, cuts.split(index))


def _line(screen: Screen, event: Event) -> Session:
    return _drawn(screen, "oblique", line_cut, event["start"], event["end"])


def _circle(screen: Screen, event: Event) -> Session:
    return _drawn(screen, "radial", circle_cut, event["centre"], event["rim"])


def _drawn(
    screen: Screen,
    family: str,
    cut: Callable[[Screen, Corner, Corner], Split | None],
    one: Any,
    other: Any,
) -> Session:
    """The session that looks at a cut drawn by hand."""
    found = cut(screen, _corner(one), _corner(other)) if can_draw(screen, family) else None
    return screen.session if found is None else look_at(screen.session, screen.node, found)


def _corner(value: Any) -> Corner:
    if not isinstance(value, list) or len(value) != 2:
        raise ValueError("it must be two numbers")
    return _number(value[0]), _number(value[1])


def _focus(screen: Screen, event: Event) -> Session:
    node = node_in(event)
    return look_at(screen.session, node) if node in screen.tree.nodes else screen.session


def _split(screen: Screen, event: Event) -> Session:
    look = screen.look
    if event["stamp"] != screen.stamp or look.cut is None:
        return screen.session
    split = look.cuts.split(look.cut)
    return split_here(screen.session, screen.tree, screen.node, split, screen.future)


def _follow(screen: Screen, event: Event) -> Session:
    """A tree found elsewhere, by its moves from the root on; looked at where it is grown so far."""
    log = read_moves(_text(event["moves"]))
    fold(screen.data, screen.session.rules, log)
    return follow(screen.session, log, screen.future)


def _axis(screen: Screen, event: Event) -> Session:
    """The other axis keeps its feature, or takes the one that was here."""
    place, feature = _whole(event["place"]), _whole(event["feature"])
    if not 0 <= feature < len(screen.data.features) or place not in (0, 1):
        return screen.session
    axes = screen.look.axes
    other = axes[place] if feature == axes[1 - place] else axes[1 - place]
    if feature == other:  # there is but one
        return screen.session
    return replace(screen.session, axes=(feature, other) if place == 0 else (other, feature))


def _pin(screen: Screen, event: Event) -> Session:
    feature, value = _whole(event["feature"]), _number(event["value"])
    may = may_pin(screen.data, feature, value)
    return pin(screen.session, feature, value) if may else screen.session


def _unpin(screen: Screen, event: Event) -> Session:
    return replace(screen.session, pins=())


def _row(screen: Screen, event: Event) -> Session:
    """Another row's way, or (None) no row's; the leaf it ends in is looked at if asked for."""
    given = event["row"]
    row: Row | None = None if given is None else _cells(given) if _is_list(given) else _whole(given)
    if not may_show(screen.data, row):
        return screen.session
    after = replace(screen.session, row=row)
    way = way_of(screen.data, after.rules, screen.tree, row)
    if event.get("focus") is not True or way is None or "focus" in after.hidden:
        return after
    return look_at(after, way.nodes[-1])


def _cells(given: Sequence[Any]) -> Row:
    """The values of a typed row, which come as pairs of a feature and its value."""
    if len(given) > MOST_CELLS or not all(_is_list(cell) and len(cell) == 2 for cell in given):
        raise ValueError(f"it must be at most {MOST_CELLS} features with their values")
    return tuple(sorted({_whole(cell[0]): _number(cell[1]) for cell in given}.items()))


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, list | tuple)


def _ask(screen: Screen, event: Event) -> Session:
    return replace(screen.session, ask=_flag(event["on"]), cut=None)


def _bring_back(screen: Screen, event: Event) -> Session:
    return bring_back(screen.session, _whole(event["branch"]), screen.future)


def _drop(screen: Screen, event: Event) -> Session:
    return drop_branch(screen.session, _whole(event["branch"]))


def _compare(screen: Screen, event: Event) -> Session:
    return beside_branch(screen.session, _whole(event["branch"]), screen.future)


def _compare_settings(screen: Screen, event: Event) -> Session:
    return beside_itself(screen.session)


def _keep(screen: Screen, event: Event) -> Session:
    """The end of a comparison: this screen stays, or the other."""
    if not _flag(event["other"]):
        return keep_own(screen.session)
    return keep_other(screen.session, screen.future)


# --- rules ----------------------------------------------------------------------------------------


def _rules(screen: Screen, event: Event) -> Session:
    """Other values of some rules, by name; None is the usual one."""
    usual = Rules()
    values = {
        name: getattr(usual, name) if value is None else _suited(name, value)
        for name, value in _named(event, Rules).items()
    }
    return _ruled(screen, screen.session, replace(screen.session.rules, **values))


def _usual(screen: Screen, event: Event) -> Session:
    rules = usual_rules(screen.session.recipe, screen.data.task)
    return _ruled(screen, screen.session, rules)


def _slider(screen: Screen, event: Event) -> Session:
    """Another value of a rule that has a slider."""
    rule = _text(event["rule"])
    value = _suited(rule, event["value"])
    return _ruled(screen, screen.session, rules_at(screen.session.rules, AXIS_OF[rule], value))


def _place(screen: Screen, event: Event) -> Session:
    """A place on the curve is the tree of the rules alone, without prunes."""
    after = _slider(screen, event)
    return replace(after, judging=replace(after.judging, prunes=()))


def _ruled(screen: Screen, session: Session, rules: Rules) -> Session:
    return with_rules(session, suited(rules, screen.data), screen.future)


# --- judging --------------------------------------------------------------------------------------


def _judge(screen: Screen, event: Event) -> Session:
    """Other rows held out have other prunes: none."""
    values, usual = _named(event, Judging), Judging()
    if any(type(value) is not type(getattr(usual, name)) for name, value in values.items()):
        raise ValueError("each value must be of its field's own type")
    kept = {"prunes": screen.session.judging.prunes if {*values} <= NO_OTHER_ROWS else ()}
    return _judged(screen, **values | kept)


def _prune(screen: Screen, event: Event) -> Session:
    return _judged(screen, prunes=screen.session.judging.prunes + _collapsed(event))


def _unprune(screen: Screen, event: Event) -> Session:
    """Without these prunes; those that the present tree does not have stay."""
    gone = _collapsed(event)
    prunes = tuple(move for move in screen.session.judging.prunes if move not in gone)
    return _judged(screen, prunes=prunes)


def _judged(screen: Screen, **values: Any) -> Session:
    return replace(screen.session, judging=replace(screen.session.judging, **values))


# --- the page Impurity ----------------------------------------------------------------------------


def _set(screen: Screen, event: Event) -> Session:
    """Other values of the lab: lists are tuples, and the splits come by name."""
    values = {name: _tupled(value) for name, value in _named(event, Lab).items()}
    if "splits" in values:
        two = {name: _tupled(value) for name, value in values["splits"].items()}
        values["splits"] = TwoSplits(**two)
    return replace(screen.session, lab=replace(screen.session.lab, **values))


def _take(screen: Screen, event: Event) -> Session:
    """The cut looked at on Grow and its rival."""
    two = two_cuts(screen)
    if two is None:
        return screen.session
    return replace(screen.session, lab=replace(screen.session.lab, splits=two))


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


# --- the page Forest ------------------------------------------------------------------------------


def _plan(screen: Screen, event: Event) -> Session:
    """Another ensemble; None is the usual value."""
    usual, values = Plan(), _named(event, Plan)
    values = {name: getattr(usual, name) if v is None else v for name, v in values.items()}
    return replace(screen.session, plan=replace(screen.session.plan, **values))


def _open(screen: Screen, event: Event) -> Session:
    """One of its trees is to be shown in Grow."""
    return replace(screen.session, opened=_whole(event["member"]))


# --- the page Stability ---------------------------------------------------------------------------


def _shake(screen: Screen, event: Event) -> Session:
    """Other trees, or another of them that is looked at: other trees have other numbers."""
    values = {"shown": None} | _named(event, Shake)
    return replace(screen.session, shake=replace(screen.session.shake, **values))


# --- ways through a visit -------------------------------------------------------------------------


def _step(screen: Blank, event: Event) -> Visit:
    """A step of the time-line; it plays on only where its own tick asked for it."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = do(screen.visit, handle(screen, "line", event))
    return replace(after, playing=screen.visit.playing and event.get("playing") is True)


def _in_one_go(picture: str) -> Way:
    """What a hand drags or holds: all that comes with `more` is one change for undo."""

    def way(screen: Blank, event: Event) -> Visit:
        if not isinstance(screen, Screen):
            return screen.visit
        made = handle(screen, picture, event)
        if event.get("more") is True and made != screen.session:
            return replace(screen.visit, session=made, ahead=(), playing=False)
        return do(screen.visit, made)

    return way


def _play(screen: Blank, event: Event) -> Visit:
    return replace(screen.visit, playing=_flag(event["on"]))


def _mark(screen: Blank, event: Event) -> Visit:
    node = node_in(event)
    return screen.visit if node is None else replace(screen.visit, marked=node)


# --- the pad --------------------------------------------------------------------------------------


def drawn(screen: Blank, drawing: Drawing) -> Visit:
    """The visit with this drawing, before the first step; rules that suit it stay."""
    rules, recipe = screen.session.rules, screen.recipe_of(drawing)
    if not suits(rules.criterion, drawing.task, min(drawing.targets, default=0)):
        rules = usual_rules(recipe, drawing.task)
    after = do(screen.visit, Session(recipe, rules))
    return replace(after, kind=drawing.kind)


def _points(screen: Blank, event: Event) -> Visit:
    after = changed(screen.pad, event.get("change"), event.get("target"))
    return screen.visit if after == screen.pad else drawn(screen, after)


def _kind(screen: Blank, event: Event) -> Visit:
    """What a tree is to predict; the points stay."""
    kind = event["kind"]
    if kind not in KINDS or kind == screen.pad.kind:
        return screen.visit
    if screen.drawing is None:
        return replace(screen.visit, kind=kind)
    return drawn(screen, convert(screen.drawing, kind))


def _draw_on(screen: Blank, event: Event) -> Visit:
    """The data on screen as a drawing; without data, or if it is none, it is refused."""
    if not isinstance(screen, Screen):
        return screen.visit
    after = drawn(screen, from_dataset(screen.data))
    return replace(after, fit=after.fit + 1)


def _undo_drawing(screen: Blank, event: Event) -> Visit:
    visit = screen.visit
    return undo(visit) if draws(visit, visit.past) else visit


def _redo_drawing(screen: Blank, event: Event) -> Visit:
    visit = screen.visit
    return redo(visit) if draws(visit, visit.ahead) else visit


# --- reading an event -----------------------------------------------------------------------------


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError(f"it must be a whole number; not a {type(value).__name__}")
    return value


def _number(value: object) -> float:
    if type(value) not in (int, float):
        raise ValueError(f"it must be a number; not a {type(value).__name__}")
    return float(cast(float, value))


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"it must be true or false; not a {type(value).__name__}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"it must be a text; not a {type(value).__name__}")
    return value


def _suited(rule: str, value: Any) -> Any:
    """A value in the type of its rule: JSON has one number; Rules refuses what is none of it."""
    if type(value) is not int:
        return value
    if isinstance(getattr(Rules(), rule), float):
        return float(value)
    if value > MOST:
        raise ValueError(f"it must be at most {MOST}")
    return value


def _named(event: Event, kind: type) -> dict[str, Any]:
    """The values of an event by the names of fields; raises ValueError for other names."""
    values = event["values"]
    names = {field.name for field in fields(kind)}
    if not isinstance(values, Mapping) or not {*values} <= names:
        raise ValueError(f"it must be some of {', '.join(sorted(names))}")
    return dict(values)


def _collapsed(event: Event) -> Log:
    nodes = event["nodes"]
    if not isinstance(nodes, list | tuple) or len(nodes) > MOST_NODES:
        raise ValueError("it must be a list of nodes")
    return tuple(Collapse(_whole(node)) for node in nodes)


BRING_BACK = Act(_bring_back)
CUT = Act(_cut, ("gains", "split"))
FOCUS = Act(_focus, ("focus",))
RULES = Act(_rules)
SET = {"set": Act(_set)}
ACTS: dict[str, dict[str, Act]] = {
    "line": {"goto": Act(_goto, ("time-line",)), "bring_back": BRING_BACK},
    "stage": {
        "cut": CUT,
        "line": Act(_line, CUT.unless),
        "circle": Act(_circle, CUT.unless),
        "focus": FOCUS,
        "row": Act(_row),
    },
    "tree": {"focus": FOCUS},
    "grow": {
        "cut": CUT,
        "split": Act(_split, ("split",)),
        "follow": Act(_follow, ("split",)),
        "axis": Act(_axis, ("settings",)),
        "ask": Act(_ask, ("settings",)),
        "pin": Act(_pin, ("settings",)),
        "unpin": Act(_unpin, ("settings",)),
        "row": Act(_row),
    },
    "settings": {
        "rules": RULES,
        "usual": Act(_usual),
        "compare": Act(_compare_settings),
    },
    "branches": {"bring_back": BRING_BACK, "drop": Act(_drop), "compare": Act(_compare)},
    "beside": {"keep": Act(_keep)},
    "overfit": {"place": Act(_place), "slider": Act(_slider)},
    "judging": {"judge": Act(_judge), "prune": Act(_prune), "unprune": Act(_unprune)},
    "lab": {**SET, "take": Act(_take, ("gains",))},
    "measures": SET,
    "simplex": SET,
    "splits": SET,
    "forest": {"plan": Act(_plan, ("settings",)), "open": Act(_open)},
    "stability": {"set": Act(_shake)},
}
"""The acts of each picture and of each group of controls, by name."""

WAYS: dict[tuple[str, str], Way] = {
    ("line", "goto"): _step,
    ("line", "undo"): lambda screen, _: undo(screen.visit),
    ("line", "redo"): lambda screen, _: redo(screen.visit),
    ("line", "play"): _play,
    ("stage", "line"): _in_one_go("stage"),
    ("stage", "circle"): _in_one_go("stage"),
    ("settings", "rules"): _in_one_go("settings"),
    ("grow", "pin"): _in_one_go("grow"),
    ("pruning", "focus"): _mark,
    ("pad", "points"): _points,
    ("pad", "kind"): _kind,
    ("pad", "from"): _draw_on,
    ("pad", "undo"): _undo_drawing,
    ("pad", "redo"): _redo_drawing,
}
"""What is done to a visit rather than to its session, by picture and act."""
