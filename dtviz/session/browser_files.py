"""The shelf: files that a browser keeps, so that they come back to a tab that lacks them.

A tab sends each of its files to the browser once, and asks for files that an address names and the
tab does not have. The mark of a file is its fingerprint. frontend/lib/shelf.js is the other end;
the acts of its events are:

    kept: mark      the browser has stored that file, or cannot
    send: mark      the browser needs that file to store it
    lacks: mark     the browser does not have that file
    piece: mark, at, size, bytes      a part of that file, in base64, from position `at` of `size`
    cut             an uploaded file did not arrive
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dtviz.data.uploads import fingerprint
from dtviz.session.events import Event

NAME = "shelf"
"""Name of the picture whose events these are."""
PIECE_BYTES = 4_000_000
"""Bytes of one piece."""
MAX_FILE_BYTES = 50_000_000
"""Bytes of the largest file that a browser stores; a larger one the user must give again."""
EventValues = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BrowserFiles:
    """The files of a browser, as far as a tab knows them."""

    kept_marks: frozenset[str] = frozenset()
    """Marks of files that the browser has stored, or cannot store."""
    marks_to_send: frozenset[str] = frozenset()
    """Marks of files that must be sent to the browser."""
    missing_marks: frozenset[str] = frozenset()
    """Marks of wanted files that the browser does not have."""
    wanted_marks: tuple[str, ...] = ()
    """Marks of files that the tab asks for."""
    max_bytes: int = 0
    """Bytes of the largest file that the tab takes."""
    n_cut_uploads: int = 0
    """Number of uploads that did not arrive."""
    partial_contents: Mapping[str, bytes] = field(default_factory=dict)
    """First bytes of a wanted file that is arriving, by mark."""
    full_contents: Mapping[str, bytes] = field(default_factory=dict)
    """Content of the wanted files that have arrived, by mark."""


def ask_for(shelf: BrowserFiles, wanted: Collection[str], most: int) -> BrowserFiles:
    """Return the shelf once the tab asks for these files, each of at most `most` bytes."""
    if (*wanted,) == shelf.wanted_marks:
        return shelf
    return replace(
        shelf,
        wanted_marks=(*wanted,),
        max_bytes=most,
        missing_marks=frozenset(),
        partial_contents={},
        full_contents={},
    )


def bytes_received(shelf: BrowserFiles) -> dict[str, int]:
    """Return the bytes that have arrived of each wanted file that has not arrived in full."""
    coming = [mark for mark in shelf.wanted_marks if mark not in shelf.full_contents]
    return {mark: len(shelf.partial_contents.get(mark, b"")) for mark in coming}


def handle_event(shelf: BrowserFiles, event: Event, at_hand: Collection[str]) -> BrowserFiles:
    """Return the shelf after an event of the browser; `at_hand` are the marks of the tab's files.

    An event about a file that is not at hand, or not wanted, changes nothing.
    """
    act, mark = EVENT_HANDLERS[event.act], event.values.get("mark", "")
    if act is not _cut and mark not in (
        at_hand if act in (_file_kept, _send) else bytes_received(shelf)
    ):
        return shelf
    return act(shelf, mark, event.values)


def _cut(shelf: BrowserFiles, _mark: str, _: EventValues) -> BrowserFiles:
    """Count an upload that did not arrive; it has no mark yet."""
    return replace(shelf, n_cut_uploads=shelf.n_cut_uploads + 1)


def _file_kept(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(
        shelf, kept_marks=shelf.kept_marks | {mark}, marks_to_send=shelf.marks_to_send - {mark}
    )


def _send(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(shelf, marks_to_send=shelf.marks_to_send | {mark})


def _lacks(shelf: BrowserFiles, mark: str, _: EventValues) -> BrowserFiles:
    return replace(shelf, missing_marks=shelf.missing_marks | {mark}, partial_contents={})


def _piece(shelf: BrowserFiles, mark: str, event: EventValues) -> BrowserFiles:
    """Add a piece of a file; a repeated piece is ignored, after a wrong one the file is lacking."""
    before = shelf.partial_contents.get(mark, b"")
    if event.get("at") != len(before):
        return shelf
    size, piece = event.get("size"), _decoded(event.get("bytes"))
    content = before + piece
    if not piece or type(size) is not int or not len(content) <= size <= shelf.max_bytes:
        return _lacks(shelf, mark, event)
    if len(content) < size:
        return replace(shelf, partial_contents={**shelf.partial_contents, mark: content})
    if fingerprint(content) != mark:
        return _lacks(shelf, mark, event)
    contents = {**shelf.full_contents, mark: content}
    return replace(
        shelf, full_contents=contents, partial_contents={}, kept_marks=shelf.kept_marks | {mark}
    )


def _decoded(text: object) -> bytes:
    """Return the bytes of a base64 text; b'' where it is not base64, or too long."""
    if not isinstance(text, str) or len(text) > 2 * PIECE_BYTES:
        return b""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


EVENT_HANDLERS: dict[str, Callable[[BrowserFiles, str, EventValues], BrowserFiles]] = {
    "cut": _cut,
    "kept": _file_kept,
    "send": _send,
    "lacks": _lacks,
    "piece": _piece,
}
