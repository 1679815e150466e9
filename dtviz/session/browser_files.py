"""The shelf: files that a browser keeps, so that they come back to a tab that lacks them.

A tab here is the server's side of a tab of the browser. It sends each of its files to the browser
once, and asks for files that an address names and the tab does not have. The mark of a file is its
fingerprint. The browser's side is frontend/lib/shelf.js. It sends events with these acts, each with
the fields after the colon:

    kept: mark      the browser has stored that file, or cannot
    send: mark      the browser needs the bytes of that file to store it
    lacks: mark     the browser does not have that file
    piece: mark, at, size, bytes      a part of that file, in base64, from position `at` of `size`
    cut             the upload of a file broke off
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dtviz.data.uploads import fingerprint
from dtviz.session.events import Event

NAME = "shelf"
"""Name of the picture that sends these events."""
PIECE_BYTES = 4_000_000
"""Bytes of one piece."""
MAX_FILE_BYTES = 50_000_000
"""Bytes of the largest file that a browser stores; a larger one the user must give again."""
EventValues = Mapping[str, Any]
"""Fields of an event, by name."""


@dataclass(frozen=True, slots=True)
class BrowserFiles:
    """The files of a browser, as far as a tab knows them."""

    kept_marks: frozenset[str] = frozenset()
    """Marks of files that the browser has stored or cannot store: they need not be sent to it."""
    marks_to_send: frozenset[str] = frozenset()
    """Marks of files that must be sent to the browser."""
    missing_marks: frozenset[str] = frozenset()
    """Marks of wanted files that the browser does not have."""
    wanted_marks: tuple[str, ...] = ()
    """Marks of files that the tab asks for."""
    max_bytes: int = 0
    """Bytes of the largest file that the tab takes."""
    n_cut_uploads: int = 0
    """Number of uploads that broke off."""
    partial_contents: Mapping[str, bytes] = field(default_factory=dict)
    """First bytes of wanted files that are arriving, by mark."""
    full_contents: Mapping[str, bytes] = field(default_factory=dict)
    """Content of the wanted files that have arrived, by mark."""


def ask_for(shelf: BrowserFiles, wanted_marks: Collection[str], max_bytes: int) -> BrowserFiles:
    """Return the shelf of a tab that asks for these files, each of at most `max_bytes`.

    The files that have arrived for an earlier request are dropped.
    """
    if (*wanted_marks,) == shelf.wanted_marks:
        return shelf
    return replace(
        shelf,
        wanted_marks=(*wanted_marks,),
        max_bytes=max_bytes,
        missing_marks=frozenset(),
        partial_contents={},
        full_contents={},
    )


def bytes_received(shelf: BrowserFiles) -> dict[str, int]:
    """Return the number of bytes that have arrived, for each wanted file that is not complete."""
    arriving = [mark for mark in shelf.wanted_marks if mark not in shelf.full_contents]
    return {mark: len(shelf.partial_contents.get(mark, b"")) for mark in arriving}


def handle_event(shelf: BrowserFiles, event: Event, tab_marks: Collection[str]) -> BrowserFiles:
    """Return the shelf after an event of the browser; `tab_marks` are the marks of the tab's files.

    An answer to a file that the tab has not sent, or does not want, changes nothing.
    """
    handler, mark = EVENT_HANDLERS[event.act], event.values.get("mark", "")
    if handler is not _count_cut_upload and mark not in (
        tab_marks if handler in (_add_kept_mark, _add_mark_to_send) else bytes_received(shelf)
    ):
        return shelf
    return handler(shelf, mark, event.values)


def _count_cut_upload(shelf: BrowserFiles, _mark: str, _: EventValues) -> BrowserFiles:
    """Count an upload that broke off; its file has no mark yet."""
    return replace(shelf, n_cut_uploads=shelf.n_cut_uploads + 1)


def _add_kept_mark(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(
        shelf, kept_marks=shelf.kept_marks | {mark}, marks_to_send=shelf.marks_to_send - {mark}
    )


def _add_mark_to_send(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(shelf, marks_to_send=shelf.marks_to_send | {mark})


def _add_missing_mark(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(shelf, missing_marks=shelf.missing_marks | {mark}, partial_contents={})


def _add_piece(shelf: BrowserFiles, mark: str, values: EventValues) -> BrowserFiles:
    """Add a piece to its file; a repeated piece is ignored, a wrong one makes the file missing."""
    first_bytes = shelf.partial_contents.get(mark, b"")
    if values.get("at") != len(first_bytes):
        return shelf
    size, piece = values.get("size"), _decode(values.get("bytes"))
    content = first_bytes + piece
    if not piece or type(size) is not int or not len(content) <= size <= shelf.max_bytes:
        return _add_missing_mark(shelf, mark, values)
    if len(content) < size:
        return replace(shelf, partial_contents={**shelf.partial_contents, mark: content})
    if fingerprint(content) != mark:
        return _add_missing_mark(shelf, mark, values)
    contents = {**shelf.full_contents, mark: content}
    return replace(
        shelf, full_contents=contents, partial_contents={}, kept_marks=shelf.kept_marks | {mark}
    )


def _decode(text: object) -> bytes:
    """Return the bytes of a base64 text; b'' where it is not base64, or too long."""
    if not isinstance(text, str) or len(text) > 2 * PIECE_BYTES:
        return b""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


EVENT_HANDLERS: dict[str, Callable[[BrowserFiles, str, EventValues], BrowserFiles]] = {
    "cut": _count_cut_upload,
    "kept": _add_kept_mark,
    "send": _add_mark_to_send,
    "lacks": _add_missing_mark,
    "piece": _add_piece,
}
"""Function that returns the shelf after an event, by the event's act."""
