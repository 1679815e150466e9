"""The files that a browser keeps for itself, so that they come back to a tab that lacks them.

A tab hands each of its files over once, and asks for those that an address names and it has not.
frontend/lib/shelf.js is the other end, events.py reads what it tells:

    kept: mark      it has taken that file, or cannot
    send: mark      it must be sent that file to take it
    lacks: mark     it has no such file
    piece: mark, at, size, bytes      a part of such a file, in base64, and how large the whole is
    cut             a file that was given did not arrive

Glossary
    mark    the fingerprint of a file: what comes under it must have it
    came    what came so far of the files asked for; `whole` are those that came to their end
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from dtviz.data.uploads import fingerprint
from dtviz.session.events import Event

NAME = "shelf"
"""The picture that tells of it."""
PIECE = 4_000_000
"""Bytes that come at once."""
MOST_KEPT = 50_000_000
"""Bytes of a file that is kept; of a larger one the link and the file are."""
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a tab knows of its browser's files: those kept, those to be sent there, those lacking.

    `wanted` are asked for, each of at most `most` bytes; `cuts` counts the uploads that were cut.
    """

    kept: frozenset[str] = frozenset()
    sends: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()
    wanted: tuple[str, ...] = ()
    most: int = 0
    cuts: int = 0
    came: Mapping[str, bytes] = field(default_factory=dict)
    whole: Mapping[str, bytes] = field(default_factory=dict)


def asking(shelf: Shelf, wanted: Collection[str], most: int) -> Shelf:
    """The shelf once these files are asked for, and no others."""
    if (*wanted,) == shelf.wanted:
        return shelf
    return replace(shelf, wanted=(*wanted,), most=most, lacks=frozenset(), came={}, whole={})


def still(shelf: Shelf) -> dict[str, int]:
    """The files that have not come to their end, with how much of each has."""
    coming = [mark for mark in shelf.wanted if mark not in shelf.whole]
    return {mark: len(shelf.came.get(mark, b"")) for mark in coming}


def handle_event(shelf: Shelf, event: Event, at_hand: Collection[str]) -> Shelf:
    """The shelf after what the browser told; `at_hand` are the files that the tab has."""
    act, mark = EVENT_HANDLERS[event.act], event.values.get("mark", "")
    if act is not _cut and mark not in (at_hand if act in (_kept, _send) else still(shelf)):
        return shelf
    return act(shelf, mark, event.values)


def _cut(shelf: Shelf, _mark: str, _: Values) -> Shelf:
    """An upload was cut: it has no mark yet."""
    return replace(shelf, cuts=shelf.cuts + 1)


def _kept(shelf: Shelf, mark: str, _: Values) -> Shelf:
    return replace(shelf, kept=shelf.kept | {mark}, sends=shelf.sends - {mark})


def _send(shelf: Shelf, mark: str, _: Values) -> Shelf:
    return replace(shelf, sends=shelf.sends | {mark})


def _lacks(shelf: Shelf, mark: str, _: Values) -> Shelf:
    return replace(shelf, lacks=shelf.lacks | {mark}, came={})


def _piece(shelf: Shelf, mark: str, event: Values) -> Shelf:
    """A piece that begins elsewhere was told before; one that cannot be right ends the asking."""
    before = shelf.came.get(mark, b"")
    if event.get("at") != len(before):
        return shelf
    size, piece = event.get("size"), _decoded(event.get("bytes"))
    content = before + piece
    if not piece or type(size) is not int or not len(content) <= size <= shelf.most:
        return _lacks(shelf, mark, event)
    if len(content) < size:
        return replace(shelf, came={**shelf.came, mark: content})
    if fingerprint(content) != mark:
        return _lacks(shelf, mark, event)
    whole = {**shelf.whole, mark: content}
    return replace(shelf, whole=whole, came={}, kept=shelf.kept | {mark})


def _decoded(text: object) -> bytes:
    """What base64 says; nothing where it is none, or too long."""
    if not isinstance(text, str) or len(text) > 2 * PIECE:
        return b""
    try:
        return b64decode(text, validate=True)
    except ValueError:
        return b""


EVENT_HANDLERS: dict[str, Callable[[Shelf, str, Values], Shelf]] = {
    "cut": _cut,
    "kept": _kept,
    "send": _send,
    "lacks": _lacks,
    "piece": _piece,
}
