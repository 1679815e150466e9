"""In front of Streamlit: whom the server answers, what it hears, what a browser may do with it.

Glossary
    host       the name that a request was sent to, in its Host header
    allowed    the hosts that are answered, Streamlit's setting server.allowedHosts
    framed     the sites that may show the app in a frame of theirs
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

import pyarrow as pa
import streamlit as st
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.Slider_pb2 import Slider

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


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


METRICS = "/_stcore/metrics"
"""Streamlit's figures of the server: its sessions and its memory."""
LOCAL = ("localhost", "127.0.0.1", "::1")
FORWARDED = ("forwarded", "x-forwarded-for")
"""The headers by which a proxy names the machine that it asks for."""
LONGEST = 250
"""Bytes of a path: nothing of the app has a longer one, and no disk a name of more than 255."""
HEARD = ("rerun_script", "stop_script", "app_heartbeat", "file_urls_request")
"""The messages of a browser that are passed on."""
ASKED = ("deferred_file", "dataframe_chunk")
"""And what it may ask for between two runs: a download, more rows of a table."""
_SCRIPT = re.compile(r'<script(?: type="module")?>(.*?)</script>', re.DOTALL)


class Guard:
    """Refuses foreign hosts and origins, and messages that are not a visitor's to send.

    `documents` are the pages that hold scripts of their own; `framed` see above.
    """

    def __init__(self, app: ASGIApp, documents: Sequence[str], framed: Sequence[str] = ()) -> None:
        self.app = app
        self.controls = Controls()
        self.headers = {
            "Content-Security-Policy": policy(documents, framed),
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",  # an address tells what is looked at
            "Cross-Origin-Resource-Policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before anybody else sees it."""
        if scope["type"] == "http":
            answer = _refused(scope) or self.app
            await answer(scope, receive, self._marked(send))
        elif scope["type"] == "websocket" and _refused(scope):
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "websocket":
            await self.app(scope, _heard(receive, self.controls), self._noted(send))
        else:
            await self.app(scope, receive, send)

    def _marked(self, send: Send) -> Send:
        """The sender with our headers on every answer."""

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        return marked

    def _noted(self, send: Send) -> Send:
        """Make the sender that notes the controls it sends."""

        async def noted(message: Message) -> None:
            if message["type"] == "websocket.send":
                self.controls.note(message.get("bytes") or b"")
            await send(message)

        return noted


def policy(documents: Sequence[str], framed: Sequence[str]) -> str:
    """What a page may load and run: what this server gives, and its documents' own scripts.

    Graphviz is WebAssembly; Streamlit writes its style into the page; pictures to be saved are
    blobs and data.
    """
    own = sorted({_hash(script) for text in documents for script in _SCRIPT.findall(text)})
    rules = {
        "default-src": ["'none'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'", *own],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
        "font-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "worker-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "frame-ancestors": ["'self'", *framed] if framed else ["'none'"],
    }
    return "; ".join(f"{what} {' '.join(whence)}" for what, whence in rules.items())


def _hash(script: str) -> str:
    return f"'sha256-{b64encode(sha256(script.encode()).digest()).decode()}'"


def _refused(scope: Scope) -> PlainTextResponse | None:
    """Why a request is not answered; None where it is."""
    headers = Headers(scope=scope)
    hosts, allowed = headers.getlist("host"), st.get_option("server.allowedHosts") or ["localhost"]
    if len(hosts) != 1 or not _known(_name(hosts[0]), allowed):
        said = f"dtviz answers only to {', '.join(allowed)}. Another name: dtviz --name NAME\n"
        return PlainTextResponse(said, 403)
    if any(not _same(origin, hosts[0]) for origin in headers.getlist("origin")):
        return PlainTextResponse("dtviz does not answer the pages of other sites.\n", 403)
    path = scope["path"]
    private = path.rstrip("/").endswith(METRICS) and not _is_local(scope, headers)
    longer = len(path.encode()) > LONGEST
    return PlainTextResponse("Not Found", 404) if private or longer else None


def _is_local(scope: Scope, headers: Headers) -> bool:
    """Whether this machine asks under a name of its own, and no proxy asks for another machine."""
    client, *_ = scope.get("client") or ("",)
    with suppress(ValueError):
        address = ip_address(client)
        address = getattr(address, "ipv4_mapped", None) or address
        own_name = _name(headers["host"]) in LOCAL
        return address.is_loopback and own_name and not any(name in headers for name in FORWARDED)
    return False


def _known(name: str, allowed: Sequence[str]) -> bool:
    """Whether a host is among these, of which '*.x' means all names that end so, '*' any."""
    return name != "" and any(fnmatchcase(name, one.strip().lower()) for one in allowed)


def _name(host: str) -> str:
    """The name in a Host header, '' in one that is none."""
    try:
        parts = urlsplit(f"//{host}")
        named = parts.netloc == host and parts.port != 0 and "@" not in host
    except ValueError:
        return ""
    return (parts.hostname or "").rstrip(".") if named else ""


def _same(origin: str, host: str) -> bool:
    """Whether a page of that origin came from this host."""
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


def _heard(receive: Receive, controls: Controls) -> Receive:
    """The receiver without what is not a visitor's to send: messages, and states of no control.

    The first run that a browser asks for on a socket is of the whole page: after a restart, or once
    its session has expired, the server knows no part of the page, and would answer nothing.
    """
    begun = False

    async def heard() -> Message:
        nonlocal begun
        while True:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            read = _read(message.get("bytes"))
            if read is not None and not _passes(read):
                continue
            if read is None or not read.HasField("rerun_script"):
                return message
            refused = controls.refuse(read.rerun_script.widget_states)
            if not begun:
                begun = True
                read.rerun_script.ClearField("fragment_id")
            elif not refused:
                return message
            return {**message, "bytes": read.SerializeToString()}

    return heard


def _read(data: bytes | None) -> BackMsg | None:
    """Read a message; what is none at all (None) is Streamlit's to refuse."""
    try:
        message: BackMsg = BackMsg.FromString(data or b"")
    except DecodeError:
        return None
    return message


def _passes(message: BackMsg) -> bool:
    """Tells whether a message is passed on."""
    kind = message.WhichOneof("type")
    if kind == "backend_operation_request":
        return message.backend_operation_request.WhichOneof("payload") in ASKED
    return kind in HEARD
