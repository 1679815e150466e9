"""Single values as the text of an address, and back; any text is read, none raises."""

from __future__ import annotations

import json
import math
import re

from dtviz.table.data import Value

MOST_TEXT = 30_000
NUMBER = re.compile(r"(?=.{1,40}\Z)[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
"""A number in plain digits, short enough to be meant as one."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
_PLAIN = re.compile(r"[^\W\d]\w*")


def read_value(text: str) -> Value:
    """A number, a list of names, or text."""
    if not NUMBER.fullmatch(text):
        return read_names(text)
    if _WHOLE.fullmatch(text):
        return int(text)
    return number if math.isfinite(number := float(text)) else text


def read_names(text: str) -> str | tuple[str, ...]:
    """A list of names, or the text as it stands ('007' is a name)."""
    if not text.startswith(("[", '"')) or len(text) > MOST_TEXT:
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return tuple(value)
    return value if isinstance(value, str) else text


def write_value(value: Value) -> str:
    """The text that `read_value` reads back, and `read_names` where the value is no number."""
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, str) and value.startswith(("[", '"')):
        return json.dumps(value, ensure_ascii=False)  # else it would be read as a list
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def write_names(value: Value) -> str:
    """The text of a list of names: plain ones as a person would write it, commas between."""
    if isinstance(value, tuple) and value and all(map(_PLAIN.fullmatch, value)):
        return ",".join(value)
    return write_value(value)


def names_in(value: Value) -> Value:
    """The list of names that a text stands for, read before; what is none stays as it is."""
    return tuple(value.split(",")) if isinstance(value, str) and value else value
