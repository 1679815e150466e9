"""The states of Streamlit's controls at the border: of their control's type, or refused.

Streamlit keeps what a browser says of a control as it is, and reads it in every run from then on: a
state of another type ends all of them. The elements sent to browsers say which control has an id
(equal controls have equal ids, whoever sees them); VALUES says which value a state of it has.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from io import BytesIO
from typing import Any

import pyarrow as pa
from google.protobuf.message import DecodeError
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

MAX_CONTROLS = 20_000
"""Controls that are known: of more the one sent first is forgotten."""
VALUES = {
    "bidi_component": "json_value",
    "button": "trigger_value",
    "button_group": "string_array_value",
    "checkbox": "bool_value",
    "dataframe": "string_value",
    "download_button": "trigger_value",
    "expandable": "bool_value",
    "file_uploader": "file_uploader_state_value",
    "multiselect": "string_array_value",
    "number_input": "double_value",
    "plotly_chart": "string_value",
    "popover": "bool_value",
    "selectbox": "string_value",
    "slider": "double_array_value",
    "tab_container": "string_value",
    "text_area": "string_value",
    "text_input": "string_value",
}
"""The field of a state that holds the value, by the kind of element or block."""
EDITED = ("edited_rows", "added_rows", "deleted_rows")
INDEX = "_index"
EVENTS = "__events"
"""The end of the id by which a picture tells of what was done on it."""
Reader = Callable[[Any], bool]


class Controls:
    """The controls that were sent to browsers, each with the field of its value and its reader."""

    def __init__(self) -> None:
        self.known: dict[str, tuple[Collection[str | None], Reader]] = {}

    def note(self, sent: bytes) -> None:
        """Note the control in a message that is sent to a browser, if there is one in it."""
        try:
            delta = ForwardMsg.FromString(sent).delta
        except DecodeError:
            return
        part = delta.new_element if delta.HasField("new_element") else delta.add_block
        kind = part.WhichOneof("type")
        field = VALUES.get(kind or "")
        control = getattr(part, kind) if field else None
        if control is None or not control.id or control.id in self.known:
            return
        self.known[control.id] = _fields(str(kind), control), _reader(str(kind), control)
        if len(self.known) > MAX_CONTROLS:
            del self.known[next(iter(self.known))]

    def refuse(self, states: Any) -> bool:
        """Take what is no state of its control out of the states; tells whether there was any."""
        right = [state for state in states.widgets if self._is_right(state)]
        wrong = len(right) < len(states.widgets)
        if wrong:
            kept = [type(state).FromString(state.SerializeToString()) for state in right]
            del states.widgets[:]
            states.widgets.extend(kept)
        return wrong

    def _is_right(self, state: Any) -> bool:
        """Tells whether a state is one of its control; none (null) is the value it begins with."""
        field = state.WhichOneof("value")
        if field is None:
            return True
        if state.id.endswith(EVENTS):
            return bool(
                field == "json_trigger_value" and _is_told(_parsed(state.json_trigger_value))
            )
        expected, reads = self.known.get(state.id, ((field,), _anything))
        return field in expected and _is_finite(state, field) and reads(getattr(state, field))


def _fields(kind: str, control: Any) -> tuple[str, ...]:
    """List the fields of a state that may hold the value of a control."""
    if kind == "slider" and control.type == Slider.SELECT_SLIDER:
        return ("string_array_value",)
    if kind == "number_input":  # browsers tell a whole number as one, Streamlit's own tests do not
        return ("double_value", "int_value")
    return (VALUES[kind],)


def _is_finite(state: Any, field: str) -> bool:
    """Tells whether all numbers in a state are finite, and its JSON is some."""
    value = getattr(state, field)
    if field in ("json_value", "json_trigger_value"):
        return _parsed(value) is not None
    numbers = {"double_value": [value], "double_array_value": getattr(value, "data", ())}
    return all(map(math.isfinite, numbers.get(field, ())))


def _reader(kind: str, control: Any) -> Reader:
    """Make what reads the value of a control: texts that hold JSON have a shape."""
    if kind == "plotly_chart":
        return _is_selection
    if kind != "dataframe":
        return _anything
    if not control.editing_mode:
        return _is_selection
    table = pa.ipc.open_stream(BytesIO(control.arrow_data.data)).read_all()
    names, dynamic = {*table.column_names, INDEX}, control.editing_mode == type(control).DYNAMIC
    return lambda text: _is_edited(_parsed(text), table.num_rows, names, dynamic)


def _is_told(events: object) -> bool:
    """Tells whether these are the events of a picture, or none of them."""
    return isinstance(events, list) and all(
        isinstance(one, Mapping) and isinstance(one.get("event"), str) for one in events
    )


def _anything(_: object) -> bool:
    return True


def _is_selection(text: str) -> bool:
    """Tells whether a text is a selection: lists by name."""
    found = _parsed(text)
    some = found.get("selection", {}) if isinstance(found, Mapping) else None
    return isinstance(some, Mapping) and all(isinstance(one, list) for one in some.values())


def _is_edited(edits: object, rows: int, names: Collection[str], dynamic: bool) -> bool:
    """Tells whether these are edits of a table of so many rows and these columns."""
    if not isinstance(edits, Mapping) or not {*edits} <= {*EDITED}:
        return False
    changed = edits.get("edited_rows", {})
    added, deleted = edits.get("added_rows", []), edits.get("deleted_rows", [])
    if not (isinstance(changed, Mapping) and isinstance(added, list) and isinstance(deleted, list)):
        return False
    places = [int(at) if at.isdecimal() and len(at) < 10 else -1 for at in changed]
    places += [at if type(at) is int else -1 for at in deleted]
    cells = [*changed.values(), *added]
    return (
        all(0 <= at < rows for at in places)
        and all(isinstance(some, Mapping) and {*some} <= {*names} for some in cells)
        and not any(isinstance(cell, list | dict) for some in cells for cell in some.values())
        and (dynamic or not (added or deleted))
    )


def _parsed(text: str) -> object:
    """Parse JSON; None where it is none, or has numbers that JSON does not have."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    try:
        found: object = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return found
