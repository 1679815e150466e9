"""In front of Streamlit: whom the server answers, what it hears, what a browser may do with it.

Glossary
    host       the name that a request was sent to, in its Host header
    allowed    the hosts that are answered, Streamlit's setting server.allowedHosts
    framed     the sites that may show the app in a frame of theirs
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from hashlib import sha256
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st
from google.protobuf.message import DecodeError
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from streamlit.proto.BackMsg_pb2 import BackMsg

from dtviz.ui.widget_states import Controls

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
