"""Guard in front of Streamlit: refuses foreign hosts, origins, paths, messages and control values.

The hosts that it answers are Streamlit's setting server.allowedHosts.
"""

from __future__ import annotations

import json
import math
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from hashlib import sha256
from io import BytesIO
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import streamlit as st
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

from dtviz.app.streamlit_parts import BackMsg, ForwardMsg, Slider
from dtviz.base.lazy import pa

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


MAX_CONTROLS = 20_000
"""Number of controls that are remembered; of more, the one that was sent first is forgotten."""
VALUE_FIELDS = {
    "bidi_component": "json_value",
    "button": "trigger_value",
    "button_group": "string_array_value",
    "checkbox": "bool_value",
    "dataframe": "string_value",
    "dialog": "trigger_value",
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
"""Field of a widget state that holds the value, by the kind of element or block."""
EDIT_KEYS = ("edited_rows", "added_rows", "deleted_rows")
"""Keys of the JSON of a table's edits."""
INDEX = "_index"
"""Name of the index of a table among the columns of its edits."""
EVENTS_SUFFIX = "__events"
"""End of the widget id under which a picture sends its events."""
Validator = Callable[[Any], bool]
"""Function that decides whether a value suits a control."""


class Controls:
    """Controls that were sent to browsers, each with its value fields and its validator."""

    def __init__(self) -> None:
        # value fields and validator of each control, by its id, in the order of sending
        self.by_id: dict[str, tuple[Collection[str | None], Validator]] = {}

    def remember(self, content: bytes) -> None:
        """Remember the control in a message to a browser, if it holds one."""
        try:
            delta = ForwardMsg.FromString(content).delta
        except DecodeError:
            return
        part = delta.new_element if delta.HasField("new_element") else delta.add_block
        kind = part.WhichOneof("type")
        field = VALUE_FIELDS.get(kind or "")
        control = getattr(part, kind) if field else None
        if control is None or not control.id or control.id in self.by_id:
            return
        self.by_id[control.id] = _fields(str(kind), control), _validator(str(kind), control)
        if len(self.by_id) > MAX_CONTROLS:
            del self.by_id[next(iter(self.by_id))]

    def refuse(self, states: Any) -> bool:
        """Remove invalid widget states from a message; return True if there were any."""
        valid = [state for state in states.widgets if self._is_valid(state)]
        has_invalid = len(valid) < len(states.widgets)
        if has_invalid:
            # del would also clear states that the list still holds, so that copies are kept
            copies = [type(state).FromString(state.SerializeToString()) for state in valid]
            del states.widgets[:]
            states.widgets.extend(copies)
        return has_invalid

    def _is_valid(self, state: Any) -> bool:
        """True if a state suits its control; a state without a value is the initial state."""
        field = state.WhichOneof("value")
        if field is None:
            return True
        if state.id.endswith(EVENTS_SUFFIX):
            return bool(
                field == "json_trigger_value" and _are_events(_parse_json(state.json_trigger_value))
            )
        # of a control that is not remembered, every field is accepted
        fields, is_valid = self.by_id.get(state.id, ((field,), _accept_all))
        return field in fields and _is_finite(state, field) and is_valid(getattr(state, field))


def _fields(kind: str, control: Any) -> tuple[str, ...]:
    """Return the fields of a state that may hold the value of a control."""
    if kind == "slider" and control.type == Slider.SELECT_SLIDER:
        return ("string_array_value",)
    if kind == "number_input":  # browsers send a whole number as int, Streamlit's own tests do not
        return ("double_value", "int_value")
    return (VALUE_FIELDS[kind],)


def _is_finite(state: Any, field: str) -> bool:
    """True if all numbers in a state are finite and its JSON is valid."""
    value = getattr(state, field)
    if field in ("json_value", "json_trigger_value"):
        return _parse_json(value) is not None
    numbers = {"double_value": [value], "double_array_value": getattr(value, "data", ())}
    return all(map(math.isfinite, numbers.get(field, ())))


def _validator(kind: str, control: Any) -> Validator:
    """Return the validator of a control's value: of a text in JSON it checks the structure."""
    if kind == "plotly_chart":
        return _is_selection
    if kind != "dataframe":
        return _accept_all
    if not control.editing_mode:
        return _is_selection
    table = pa.ipc.open_stream(BytesIO(control.arrow_data.data)).read_all()
    names, mode = {*table.column_names, INDEX}, control.editing_mode
    is_dynamic = mode == type(control).DYNAMIC
    return lambda text: _are_edits(_parse_json(text), table.num_rows, names, is_dynamic)


def _are_events(events: object) -> bool:
    """True for a list of events of a picture, or an empty list."""
    return isinstance(events, list) and all(
        isinstance(event, Mapping) and isinstance(event.get("event"), str) for event in events
    )


def _accept_all(_: object) -> bool:
    return True


def _is_selection(text: str) -> bool:
    """True if a text is the JSON of a selection: lists of what is selected, by name."""
    value = _parse_json(text)
    selection = value.get("selection", {}) if isinstance(value, Mapping) else None
    return isinstance(selection, Mapping) and all(
        isinstance(part, list) for part in selection.values()
    )


def _are_edits(edits: object, n_rows: int, names: Collection[str], is_dynamic: bool) -> bool:
    """True for edits of a table; in one that `is_dynamic`, rows can be added and deleted."""
    if not isinstance(edits, Mapping) or not {*edits} <= {*EDIT_KEYS}:
        return False
    changed = edits.get("edited_rows", {})
    added, deleted = edits.get("added_rows", []), edits.get("deleted_rows", [])
    if not (isinstance(changed, Mapping) and isinstance(added, list) and isinstance(deleted, list)):
        return False
    # a longer number is no row id, and slow to read
    row_ids = [int(key) if key.isdecimal() and len(key) < 10 else -1 for key in changed]
    row_ids += [row if type(row) is int else -1 for row in deleted]
    rows = [*changed.values(), *added]
    return (
        all(0 <= row < n_rows for row in row_ids)
        and all(isinstance(cells, Mapping) and {*cells} <= {*names} for cells in rows)
        and not any(isinstance(cell, list | dict) for cells in rows for cell in cells.values())
        and (is_dynamic or not (added or deleted))
    )


def _parse_json(text: str) -> object:
    """Return the value of a JSON text; None if it is invalid, NaN and Infinity included."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is not JSON")

    try:
        value: object = json.loads(text, parse_constant=refuse)
    except (ValueError, RecursionError):
        return None
    return value


METRICS_PATH = "/_stcore/metrics"
"""End of the path of Streamlit's metrics of the server: its sessions and its memory."""
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
PROXY_HEADERS = ("forwarded", "x-forwarded-for")
"""Headers in which a proxy names the machine whose request it passes on."""
MAX_PATH_BYTES = 250
"""Length of a path: those of the app are shorter, and disks refuse a name of over 255 bytes."""
MESSAGE_KINDS = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
"""Kinds of messages that a browser may send."""
OPERATIONS = ("deferred_file", "dataframe_chunk")
"""Operations that a browser may ask for between two runs: a download, more rows of a table."""
_SCRIPT = re.compile(r'<script(?: type="module")?>(.*?)</script>', re.DOTALL)


class Guard:
    """Middleware that refuses foreign hosts and origins, and messages that visitors may not send.

    `documents` are HTML texts, whose scripts may run. `frame_sites` are the sites that may show the
    app in a frame.
    """

    def __init__(
        self, app: ASGIApp, documents: Sequence[str], frame_sites: Sequence[str] = ()
    ) -> None:
        self.app = app
        self.controls = Controls()
        self.headers = {
            "Content-Security-Policy": policy(documents, frame_sites),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # an address holds the session
            "Cross-Origin-Resource-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before it reaches the app."""
        if scope["type"] == "http":
            answer = _refusal(scope) or self.app
            await answer(scope, receive, self._with_headers(send))
        elif scope["type"] == "websocket" and _refusal(scope):
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "websocket":
            await self.app(scope, _filter_messages(receive, self.controls), self._remembering(send))
        else:
            await self.app(scope, receive, send)

    def _with_headers(self, send: Send) -> Send:
        """Return a sender that adds our headers to every answer."""

        async def sender(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        return sender

    def _remembering(self, send: Send) -> Send:
        """Return a sender that remembers the controls it sends."""

        async def sender(message: Message) -> None:
            if message["type"] == "websocket.send":
                self.controls.remember(message.get("bytes") or b"")
            await send(message)

        return sender


def policy(documents: Sequence[str], frame_sites: Sequence[str]) -> str:
    """Return the content security policy: files of this server, and scripts in the documents."""
    # unsafe-inline for the styles that Streamlit writes into a page, blob: and data: for pictures
    # that are saved
    hashes = sorted({_hash(script) for text in documents for script in _SCRIPT.findall(text)})
    rules = {
        "default-src": ["'none'"],
        "script-src": ["'self'", *hashes],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'self'", *frame_sites] if frame_sites else ["'none'"],
    }
    return "; ".join(f"{directive} {' '.join(sources)}" for directive, sources in rules.items())


def _hash(script: str) -> str:
    """Return the hash of a script, as the policy names a script that may run."""
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _refusal(scope: Scope) -> PlainTextResponse | None:
    """Return the answer that refuses a request; None for one that is served."""
    headers = Headers(scope=scope)
    hosts, allowed = headers.getlist("host"), st.get_option("server.allowedHosts") or ["localhost"]
    if len(hosts) != 1 or not _is_allowed(_host_name(hosts[0]), allowed):
        text = f"dtviz answers only to {', '.join(allowed)}. Another name: dtviz --name NAME\n"
        return PlainTextResponse(text, 403)
    if any(not _is_page_of(origin, hosts[0]) for origin in headers.getlist("origin")):
        return PlainTextResponse("dtviz does not answer the pages of other sites.\n", 403)
    path = scope["path"]
    is_private = path.rstrip("/").endswith(METRICS_PATH) and not _is_local(scope, headers)
    is_too_long = len(path.encode()) > MAX_PATH_BYTES
    return PlainTextResponse("Not Found", 404) if is_private or is_too_long else None


def _is_local(scope: Scope, headers: Headers) -> bool:
    """True if the request comes from this machine, under a local name, and not through a proxy."""
    client, *_ = scope.get("client") or ("",)
    with suppress(ValueError):
        address = ip_address(client)
        address = getattr(address, "ipv4_mapped", None) or address
        is_local_name = _host_name(headers["host"]) in LOCAL_HOSTS
        is_proxy = any(name in headers for name in PROXY_HEADERS)
        return address.is_loopback and is_local_name and not is_proxy
    return False


def _is_allowed(name: str, allowed: Sequence[str]) -> bool:
    """True if a host matches a pattern: '*.x' is any name that ends so, '*' is any name."""
    return name != "" and any(fnmatchcase(name, pattern.strip().lower()) for pattern in allowed)


def _host_name(host: str) -> str:
    """Return the name in a Host header; '' if the header is invalid."""
    try:
        parts = urlsplit(f"//{host}")
        is_valid = parts.netloc == host and parts.port != 0 and "@" not in host
    except ValueError:
        return ""
    return (parts.hostname or "").rstrip(".") if is_valid else ""


def _is_page_of(origin: str, host: str) -> bool:
    """True if a page of this origin is one of this host."""
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _filter_messages(receive: Receive, controls: Controls) -> Receive:
    """Return a receiver that drops messages and widget states which visitors may not send.

    The first run that a browser asks for on a socket becomes a run of the whole page.
    """
    has_run = False

    async def receiver() -> Message:
        nonlocal has_run
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            request = _parse_message(message.get("bytes"))
            if request is not None and not _is_passed_on(request):
                continue
            if request is None or not request.HasField("rerun_script"):
                return message
            has_refused = controls.refuse(request.rerun_script.widget_states)
            if not has_run:
                # after a restart of the server, or once the session has expired, the server knows
                # no fragment, and would not answer a run of one
                has_run = True
                request.rerun_script.ClearField("fragment_id")
            elif not has_refused:
                return message
            return {**message, "bytes": request.SerializeToString()}

    return receiver


def _parse_message(data: bytes | None) -> BackMsg | None:
    """Return a parsed message; None for other bytes, which Streamlit itself refuses."""
    try:
        message: BackMsg = BackMsg.FromString(data or b"")
    except DecodeError:
        return None
    return message


def _is_passed_on(message: BackMsg) -> bool:
    """True if visitors may send a message of this kind."""
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in OPERATIONS
    return kind in MESSAGE_KINDS
