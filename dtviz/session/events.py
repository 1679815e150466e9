"""Parsing of the browser's events: JSON of any content becomes typed values, or is refused.

An event is a JSON object: {"what": the act, ...}. EVENTS has the acts of each picture and of each
group of controls, with a parser for each field of an act; a field with "?" may be left out. Other
fields are ignored. A browser sends a node id as text, since ids have no bound and JavaScript's
numbers do.

Channel: each event is handled once and in order, even if messages are lost.

The browser numbers its events. It sends all events that no frame has acknowledged, again and again;
a frame brings the number of the last event handled. frontend/lib/channel.js is the browser's end.

    {"events": [{"n": 7, "picture": "line", "event": {"what": "goto", "step": 3},
                 "data": "0123456789abcdef"}, ...],
     "has": [31, 32]}

`data` is the mark of the data that the picture showed: the event is meant for these data alone.
`has` are the numbers of frames that the browser still holds: instead of a new frame a patch of one
of them is sent.

The browser's Back and Forward buttons, too, make events: of the picture "address".
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from dtviz.data.drawing import DRAWING_KINDS
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.evaluate.curves import AXIS_OF
from dtviz.session.impurity import TwoSplits
from dtviz.session.session import MAX_CELLS, SelectedRow

MAX_INTEGER = 2**53
MAX_RULE_VALUE = 10**9
"""Largest number of rows, levels or leaves in a rule: larger values make the same tree."""
MAX_NODE_ID_DIGITS, MAX_NODES_PRUNED, MAX_ADDRESS_PARAMETERS = 600, 10_000, 1_000
MAX_NAME_CHARS = 100
Parser = Callable[[Any], Any]
"""Function that makes a typed value of JSON; raises ValueError."""
FieldParsers = Mapping[str, Parser]
"""Parsers by the name of the field; a field with '?' after its name may be left out."""
FLAGS = ("beside", "more", "playing")
"""Fields that any event may have; `Event` explains them."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event after parsing."""

    picture: str
    """Picture or group of controls on which the user acted."""
    act: str
    """Name of the act, the JSON field "what"."""
    values: Mapping[str, Any]
    """Typed values of the act's fields."""
    beside: bool = False
    """True for an act on the other of two screens."""
    more: bool = False
    """True if undo takes this change back together with the previous one, as while dragging."""
    playing: bool = False
    """True for a step that the playing time-line made."""

    @property
    def suits_any_data(self) -> bool:
        """True if the event means the same whatever the data are: undo, redo, an act on the pad.

        A point put on the pad changes the data. The next point may come before the browser has the
        mark of the new data, and counts nevertheless. Acts on files and addresses need no data.
        """
        return self.picture in ("pad", "shelf", "address") or self.act in ("undo", "redo")


def read_event(picture: str, event: object) -> Event | None:
    """Parse an event of a picture; None where the picture has no such act, or a value is wrong."""
    content = event if isinstance(event, Mapping) else {}
    act = content.get("what")
    fields = EVENTS.get(picture, {}).get(act) if isinstance(act, str) else None
    if fields is None:
        return None
    try:
        values = {
            name: parse(content[name])
            for name, parse in ((field.rstrip("?"), parse) for field, parse in fields.items())
            if name in content or f"{name}?" not in fields
        }
        flags = {name: flag(content.get(name, False)) for name in FLAGS}
        return Event(picture, str(act), values, **flags)
    except (ValueError, KeyError):
        return None


# --- parsers --------------------------------------------------------------------------------------


def integer(value: object) -> int:
    """Parse a whole number."""
    if type(value) is not int or abs(value) > MAX_INTEGER:
        raise _wrong_type("a whole number", value)
    return value


def number(value: object) -> float:
    """Parse a finite number."""
    if type(value) is int and abs(value) <= MAX_INTEGER:
        value = float(value)
    if type(value) is not float or not math.isfinite(value):
        raise _wrong_type("a number", value)
    return value


def flag(value: object) -> bool:
    """Parse true or false."""
    if not isinstance(value, bool):
        raise _wrong_type("true or false", value)
    return value


def text(value: object) -> str:
    """Parse a text."""
    if not isinstance(value, str):
        raise _wrong_type("a text", value)
    return value


def short_text(value: object) -> str:
    """Parse a text of a few words."""
    if len(text(value)) > MAX_NAME_CHARS:
        raise ValueError(f"it must have at most {MAX_NAME_CHARS} characters")
    return str(value)


def one_of(names: Collection[str]) -> Parser:
    """Parse one of these names."""

    def parse(value: object) -> str:
        if text(value) not in names:
            raise ValueError(f"it must be one of {', '.join(names)}")
        return str(value)

    return parse


def or_none(parse: Parser) -> Parser:
    """Parse null as None, and any other value by `parse`."""
    return lambda value: None if value is None else parse(value)


def list_of(parse: Parser, max_length: int = 100) -> Parser:
    """Parse a list of at most `max_length` values, each by `parse`."""

    def parse_list(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) > max_length:
            raise _wrong_type(f"a list of at most {max_length:,}", value)
        return tuple(map(parse, value))

    return parse_list


def mapping_of(fields: FieldParsers) -> Parser:
    """Parse an object that has some of these fields and no others."""

    def parse(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not {*value} <= {*fields}:
            raise _wrong_type(f"some of {', '.join(fields)}", value)
        return {name: fields[name](item) for name, item in value.items()}

    return parse


def node_text(value: object) -> int:
    """Parse the id of a node as a browser sends it: text of digits."""
    if not text(value).isdecimal() or len(str(value)) > MAX_NODE_ID_DIGITS:
        raise _wrong_type("the id of a node", value)
    return int(str(value))


def node_id(value: object) -> int:
    """Parse the id of a node as a control in Python sends it: a number of any size."""
    if type(value) is not int or not 0 < value < 10**MAX_NODE_ID_DIGITS:
        raise _wrong_type("the id of a node", value)
    return value


def plane_point(value: object) -> tuple[float, float]:
    """Parse a point of the plane: x and y."""
    x, y = list_of(number, 2)(value)  # a pair, or a ValueError
    return x, y


def row(value: object) -> SelectedRow:
    """Parse the number of a row, or a row that a person typed: pairs of feature and value."""
    if not isinstance(value, list | tuple):
        return integer(value)
    cells = dict(list_of(_cell, MAX_CELLS)(value))
    return tuple(sorted(cells.items()))


def _cell(value: object) -> tuple[int, float]:
    feature, cell = list_of(unparsed, 2)(value)  # a pair, or a ValueError
    return integer(feature), number(cell)


def integer_or_float(value: object) -> int | float:
    """Parse a finite number, which stays whole if it is: each rule checks which it takes."""
    return number(value) if isinstance(value, float) else integer(value)


def rule_limit(value: object) -> int | float:
    """Parse a number of rows, levels or leaves, or a share of the rows."""
    if integer_or_float(value) > MAX_RULE_VALUE:
        raise ValueError(f"it must be at most {MAX_RULE_VALUE}")
    return integer_or_float(value)


def two_splits(value: object) -> TwoSplits:
    """Parse two splits of a node."""
    fields = mapping_of(dict.fromkeys(("parent", "first", "second"), COUNTS))(value)
    if len(fields) < 3:
        raise _wrong_type("two splits", value)
    return TwoSplits(**fields)


def parameters(value: object) -> dict[str, str]:
    """Parse the parameters of an address."""
    return dict(parse_qsl(text(value)[1:], True, max_num_fields=MAX_ADDRESS_PARAMETERS))


def unparsed(value: object) -> object:
    """Return the value as it is: the handler of the event parses it."""
    return value


def _wrong_type(allowed: str, value: object) -> ValueError:
    return ValueError(f"it must be {allowed}; not a {type(value).__name__}")


# --- the acts of each picture and of each group of controls ---------------------------------------

COUNTS = list_of(integer)
RULES: FieldParsers = {
    name: or_none(parse)
    for names, parse in (
        ("criterion order leaf_model missing", text),
        ("families", list_of(text)),
        ("stop_at_zero_gain", flag),
        ("max_depth max_leaf_nodes min_samples_leaf min_samples_split", rule_limit),
        ("min_gain min_impurity_decrease min_weight_fraction_leaf purity", number),
        ("max_p_value ccp_alpha", number),
    )
    for name in names.split()
}
"""Parsers of the rules by name; null stands for a rule's default."""
CUT: FieldParsers = {"stamp": text, "index": integer}  # a candidate in the frame of this stamp
ROW: FieldParsers = {"row": or_none(row), "focus?": flag}
RULE_VALUE: FieldParsers = {"rule": one_of(AXIS_OF), "value": or_none(integer_or_float)}
LAB: FieldParsers = {  # settings of the page Impurity
    "values": mapping_of(
        {
            "percent": integer,
            "shares": COUNTS,
            "impurity": text,
            "splits": two_splits,
            "opened": text,
            "between": list_of(text, 2),
        }
    )
}
# Settings of the pages Overfit, Forest and Stability
JUDGING: FieldParsers = {
    "share": number,
    "seed": integer,
    "folds": integer,
    "against": text,
    "measure": text,
}
PLAN: FieldParsers = {
    "kind": one_of(ENSEMBLES),
    "trees": integer,
    "features": or_none(integer),
    "rate": or_none(number),
    "seed": integer,
}
SHAKE: FieldParsers = {
    "way": text,
    "percent": integer,
    "trees": integer,
    "seed": integer,
    "shown": or_none(integer),
}
NODES: FieldParsers = {"nodes": list_of(node_id, MAX_NODES_PRUNED)}
BRANCH: FieldParsers = {"branch": integer}
FOCUS: FieldParsers = {"node": node_text}
MARK: FieldParsers = {"mark": text}  # of a file that the browser keeps

EVENTS: dict[str, dict[str, FieldParsers]] = {
    "line": {
        "goto": {"step": integer},
        "undo": {},
        "redo": {},
        "play": {"on": flag},
        "bring_back": BRANCH,
    },
    "stage": {
        "cut": CUT,
        "focus": FOCUS,
        "line": {"start": plane_point, "end": plane_point},
        "circle": {"centre": plane_point, "rim": plane_point},
        "row": ROW,
    },
    "tree": {"focus": FOCUS},
    "grow": {
        "cut": CUT,
        "follow": {"moves": text},
        "split": {"stamp": text},
        "axis": {"place": integer, "feature": integer},
        "ask": {"on": flag},
        "pin": {"feature": integer, "value": number},
        "unpin": {},
        "row": ROW,
        "panel": {"name": short_text},
    },
    "settings": {"rules": {"values": mapping_of(RULES)}, "usual": {}, "compare": {}},
    "branches": {"bring_back": BRANCH, "drop": BRANCH, "compare": BRANCH},
    "beside": {"keep": {"other": flag}},
    "overfit": {"place": RULE_VALUE, "slider": RULE_VALUE},
    "judging": {
        "judge": {"values": mapping_of(JUDGING)},
        "call": {"code": or_none(integer), "threshold": or_none(number)},
        "prune": NODES,
        "unprune": NODES,
    },
    "pruning": {"focus": FOCUS},
    "pad": {
        "points": {"change": unparsed, "target?": one_of(DRAWING_KINDS)},  # the drawing reads pairs
        "kind": {"kind": one_of(DRAWING_KINDS)},
        "from": {},
        "undo": {},
        "redo": {},
    },
    "lab": {"set": LAB, "take": {}},
    "measures": {"set": LAB},
    "simplex": {"set": LAB},
    "splits": {"set": LAB},
    "forest": {"plan": {"values": mapping_of(PLAN)}, "open": {"member": integer}},
    "stability": {"set": {"values": mapping_of(SHAKE)}, "open": {}},
    "address": {"went": {"search": parameters}},
    "shelf": {
        "kept": MARK,
        "send": MARK,
        "lacks": MARK,
        "cut": {},
        # Any piece must be handled: a wrong piece of a file ends the requests for more of them.
        "piece": {**MARK, **dict.fromkeys(("at?", "size?", "bytes?"), unparsed)},
    },
}
"""Acts by the picture or the group of controls, and the parsers of each act's fields."""


MAX_EVENTS_PER_MESSAGE = 200  # the browser sends the others again
MAX_EVENT_NUMBER = 2**40
MAX_FRAMES_HELD = 100  # read of one message


class SentEvent(NamedTuple):
    """An event as the browser sent it, not parsed."""

    number: int
    """Number of the event."""
    picture: str
    """Picture on which the user acted."""
    event: object
    """The event itself, JSON of any content: `read_event` parses it."""
    data_mark: str | None
    """Mark of the data for which the event is meant; None: the data on screen."""


def new_events(message: object, last_number: int) -> list[SentEvent]:
    """List the events of a message after the one with number `last_number`, in order.

    A message is JSON of any content; whatever in it is no event is left out.
    """
    events = message.get("events") if isinstance(message, Mapping) else None
    out: list[SentEvent] = []
    for item in events[:MAX_EVENTS_PER_MESSAGE] if isinstance(events, list) else ():
        n, picture = (item.get("n"), item.get("picture")) if isinstance(item, Mapping) else (0, "")
        if type(n) is int and last_number < n < MAX_EVENT_NUMBER and isinstance(picture, str):
            data = item.get("data")
            mark = data if isinstance(data, str) else None
            out.append(SentEvent(n, picture, item.get("event"), mark))
            last_number = n
    return out


def held_frames(message: object) -> frozenset[int]:
    """Return the numbers of the frames that the browser holds, from a message of any content."""
    has = message.get("has") if isinstance(message, Mapping) else None
    numbers = has[:MAX_FRAMES_HELD] if isinstance(has, list) else ()
    return frozenset(number for number in numbers if type(number) is int)


def pack_letter(last_number: int, data_mark: str, frame: bytes) -> bytes:
    """Pack a letter: number of the last event handled (8 bytes), mark of the data (16), frame."""
    return struct.pack("<d16s", last_number, data_mark.encode()) + frame
