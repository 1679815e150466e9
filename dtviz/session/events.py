"""The border: an event of the browser becomes typed values here, or is refused.

An event is any JSON at all, such as what a browser made up: {"what": the act, ...}. EVENTS has the
acts of each picture and of each group of controls, with the fields of each and their parsers; a
field with "?" may be left out. A field that is in no list is not looked at. A node is text, since
ids have no bound; the ends of a line are places on the plane, x and y.

FLAGS may come with any event: it is of the other of two screens ("beside"), one change with the
next for undo ("more"), a tick of the time-line that plays ("playing").
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from dtviz.data.drawing import KINDS
from dtviz.engine.ensembles import ENSEMBLES
from dtviz.evaluate.curves import AXIS_OF
from dtviz.session.impurity import TwoSplits
from dtviz.session.session import MOST_CELLS, Row

MAX_INTEGER = 2**53
MAX_RULE_VALUE = 10**9
"""Rows, levels, leaves: nothing above makes another tree."""
MAX_DIGITS, MAX_NODES, MAX_PARAMETERS = 600, 10_000, 1_000
Parser = Callable[[Any], Any]
"""Makes a typed value of JSON; raises ValueError for what is none."""
FieldParsers = Mapping[str, Parser]
FLAGS = ("beside", "more", "playing")


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a picture: the act, the typed values of its fields, the flags."""

    picture: str
    act: str
    values: Mapping[str, Any]
    beside: bool = False
    more: bool = False
    playing: bool = False

    @property
    def any_data(self) -> bool:
        """Tells whether it means the same whatever the data: a way through the visit, a drawing.

        A point put on the pad changes the data, and the next one is put before the page shows it.
        """
        return self.picture in ("pad", "shelf", "address") or self.act in ("undo", "redo")


def read_event(picture: str, event: object) -> Event | None:
    """Read an event of that picture; None where it is no act of it, or a value is none."""
    given = event if isinstance(event, Mapping) else {}
    what = given.get("what")
    fields = EVENTS.get(picture, {}).get(what) if isinstance(what, str) else None
    if fields is None:
        return None
    try:
        values = {
            name: parse(given[name])
            for name, parse in ((field.rstrip("?"), parse) for field, parse in fields.items())
            if name in given or f"{name}?" not in fields
        }
        flags = {name: flag(given.get(name, False)) for name in FLAGS}
        return Event(picture, str(what), values, **flags)
    except (ValueError, KeyError):
        return None


# --- parsers --------------------------------------------------------------------------------------


def integer(value: object) -> int:
    """Parse a whole number."""
    if type(value) is not int or abs(value) > MAX_INTEGER:
        raise _none_of("a whole number", value)
    return value


def number(value: object) -> float:
    """Parse a finite number."""
    if type(value) is int and abs(value) <= MAX_INTEGER:
        value = float(value)
    if type(value) is not float or not math.isfinite(value):
        raise _none_of("a number", value)
    return value


def flag(value: object) -> bool:
    """Parse true or false."""
    if not isinstance(value, bool):
        raise _none_of("true or false", value)
    return value


def text(value: object) -> str:
    """Parse a text."""
    if not isinstance(value, str):
        raise _none_of("a text", value)
    return value


def one_of(names: Collection[str]) -> Parser:
    """Parse one of these names."""

    def parse(value: object) -> str:
        if text(value) not in names:
            raise ValueError(f"it must be one of {', '.join(names)}")
        return str(value)

    return parse


def or_none(parse: Parser) -> Parser:
    """Parse null, or what `parse` does."""
    return lambda value: None if value is None else parse(value)


def list_of(parse: Parser, max_length: int = 100) -> Parser:
    """Parse a list of at most so many, each by `parse`."""

    def parse_list(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or len(value) > max_length:
            raise _none_of(f"a list of at most {max_length:,}", value)
        return tuple(map(parse, value))

    return parse_list


def mapping_of(fields: FieldParsers) -> Parser:
    """Parse values by name, some of these."""

    def parse(value: object) -> dict[str, Any]:
        if not isinstance(value, Mapping) or not {*value} <= {*fields}:
            raise _none_of(f"some of {', '.join(fields)}", value)
        return {name: fields[name](one) for name, one in value.items()}

    return parse


def node_text(value: object) -> int:
    """Parse the id of a node, which is text."""
    if not text(value).isdecimal() or len(str(value)) > MAX_DIGITS:
        raise _none_of("the id of a node", value)
    return int(str(value))


def node_id(value: object) -> int:
    """Parse the id of a node, which is a number of any size."""
    if type(value) is not int or not 0 < value < 10**MAX_DIGITS:
        raise _none_of("the id of a node", value)
    return value


def corner(value: object) -> tuple[float, float]:
    """Parse a place on the plane."""
    x, y = list_of(number, 2)(value)  # a pair, or a ValueError
    return x, y


def row(value: object) -> Row:
    """Parse the number of a row, or a typed row: pairs of a feature and its value."""
    if not isinstance(value, list | tuple):
        return integer(value)
    cells = dict(list_of(_cell, MOST_CELLS)(value))
    return tuple(sorted(cells.items()))


def _cell(value: object) -> tuple[int, float]:
    feature, at = list_of(unparsed, 2)(value)  # a pair, or a ValueError
    return integer(feature), number(at)


def measure(value: object) -> int | float:
    """Parse a whole or any finite number; the rule it is for says which."""
    return number(value) if isinstance(value, float) else integer(value)


def size(value: object) -> int | float:
    """Parse a number of rows, levels or leaves, or a share of the rows."""
    if measure(value) > MAX_RULE_VALUE:
        raise ValueError(f"it must be at most {MAX_RULE_VALUE}")
    return measure(value)


def two_splits(value: object) -> TwoSplits:
    """Parse two splits of a node."""
    fields = mapping_of(dict.fromkeys(("parent", "first", "second"), COUNTS))(value)
    if len(fields) < 3:
        raise _none_of("two splits", value)
    return TwoSplits(**fields)


def parameters(value: object) -> dict[str, str]:
    """Parse the parameters of an address."""
    return dict(parse_qsl(text(value)[1:], True, max_num_fields=MAX_PARAMETERS))


def unparsed(value: object) -> object:
    """Parse nothing: whoever is given the value reads it."""
    return value


def _none_of(allowed: str, value: object) -> ValueError:
    return ValueError(f"it must be {allowed}; not a {type(value).__name__}")


# --- the acts of each picture and of each group of controls ---------------------------------------

COUNTS = list_of(integer)
RULES: FieldParsers = {
    name: or_none(parse)
    for names, parse in (
        ("criterion order leaf_model missing", text),
        ("families", list_of(text)),
        ("stop_at_zero_gain", flag),
        ("max_depth max_leaf_nodes min_samples_leaf min_samples_split", size),
        ("min_gain min_impurity_decrease min_weight_fraction_leaf purity ccp_alpha", number),
    )
    for name in names.split()
}
"""The rules by name; None is the usual value of one."""
CUT: FieldParsers = {"stamp": text, "index": integer}
ROW: FieldParsers = {"row": or_none(row), "focus?": flag}
ON_AXIS: FieldParsers = {"rule": one_of(AXIS_OF), "value": or_none(measure)}
LAB: FieldParsers = {
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
JUDGING: FieldParsers = {"share": number, "seed": integer, "folds": integer, "against": text}
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
NODES: FieldParsers = {"nodes": list_of(node_id, MAX_NODES)}
BRANCH: FieldParsers = {"branch": integer}
FOCUS: FieldParsers = {"node": node_text}
MARK: FieldParsers = {"mark": text}

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
        "line": {"start": corner, "end": corner},
        "circle": {"centre": corner, "rim": corner},
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
    },
    "settings": {"rules": {"values": mapping_of(RULES)}, "usual": {}, "compare": {}},
    "branches": {"bring_back": BRANCH, "drop": BRANCH, "compare": BRANCH},
    "beside": {"keep": {"other": flag}},
    "overfit": {"place": ON_AXIS, "slider": ON_AXIS},
    "judging": {"judge": {"values": mapping_of(JUDGING)}, "prune": NODES, "unprune": NODES},
    "pruning": {"focus": FOCUS},
    "pad": {
        "points": {"change": unparsed, "target?": one_of(KINDS)},  # the drawing reads pairs
        "kind": {"kind": one_of(KINDS)},
        "from": {},
        "undo": {},
        "redo": {},
    },
    "lab": {"set": LAB, "take": {}},
    "measures": {"set": LAB},
    "simplex": {"set": LAB},
    "splits": {"set": LAB},
    "forest": {"plan": {"values": mapping_of(PLAN)}, "open": {"member": integer}},
    "stability": {"set": {"values": mapping_of(SHAKE)}},
    "address": {"went": {"search": parameters}},
    "shelf": {
        "kept": MARK,
        "send": MARK,
        "lacks": MARK,
        "cut": {},
        # A piece that cannot be right ends the asking: the shelf judges it.
        "piece": {**MARK, **dict.fromkeys(("at?", "size?", "bytes?"), unparsed)},
    },
}
"""Every act that can be done, by the picture or the group of controls it is done on."""
