"""The files that a browser keeps: what it tells is bounded, and is what its fingerprint says."""

from __future__ import annotations

import json
from base64 import b64encode
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from fuzz import ODD
from hypothesis import given
from hypothesis import strategies as hst

from dtviz.data.uploads import fingerprint, upload_recipe
from dtviz.pictures.data_set import MAX_BYTES_UNASKED, shelf_frame
from dtviz.session import browser_files as shelves
from dtviz.session.browser_files import (
    MAX_FILE_BYTES,
    BrowserFiles,
    ask_for,
    bytes_received,
    handle_event,
)
from dtviz.session.events import read_event

TABLE = b"x,y\n" + b"1,u\n2,v\n" * 50
MARK = fingerprint(TABLE)
ASKED = ask_for(BrowserFiles(), (MARK,), 1_000)
ABOUT = upload_recipe(MARK, "a.csv", "y", None, "classification", test=("02", "b.csv"))


def piece(at: int, content: bytes, **own: Any) -> dict[str, Any]:
    text = b64encode(content).decode()
    return {"what": "piece", "mark": MARK, "at": at, "size": len(TABLE), "bytes": text} | own


def after(shelf: BrowserFiles, *events: object) -> BrowserFiles:
    for event in events:
        read = read_event("shelf", event)
        shelf = shelf if read is None else handle_event(shelf, read, {MARK})
    return shelf


# --- what it gives --------------------------------------------------------------------------------


@given(hst.lists(hst.integers(1, 404), min_size=1, max_size=6))
def test_pieces_make_the_file_whatever_comes_twice(cuts: list[int]) -> None:
    places = sorted({0, *cuts, len(TABLE)} - {*range(len(TABLE) + 1, 500)})
    shelf = ASKED
    for low, high in pairwise(places):
        assert bytes_received(shelf) == {MARK: low}
        shelf = after(shelf, piece(low, TABLE[low:high]), piece(low, TABLE[low:high]))
    assert shelf.full_contents == {MARK: TABLE}
    assert bytes_received(shelf) == {}
    assert (shelf.partial_contents, shelf.missing_marks) == ({}, frozenset())
    assert MARK in shelf.kept_marks  # it need not be handed over again


def test_a_file_that_cannot_be_right_lacks() -> None:
    for event in (
        {"what": "lacks", "mark": MARK},
        piece(0, TABLE[:-1] + b"w"),  # another fingerprint
        piece(0, TABLE + b"x"),  # more than it says
        piece(0, b""),
        piece(0, TABLE, size=1_001),  # more than may come
        piece(0, TABLE, size=float(len(TABLE))),
        piece(0, TABLE, size=True),
        *(piece(0, TABLE, bytes=text) for text in ("%%%%", None, "é")),
    ):
        shelf = after(ASKED, event)
        assert (shelf.missing_marks, shelf.full_contents, shelf.partial_contents) == (
            {MARK},
            {},
            {},
        ), event


def test_pieces_are_no_larger_than_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelves, "PIECE_BYTES", 40)
    assert after(ASKED, piece(0, TABLE[:60])).partial_contents == {MARK: TABLE[:60]}
    assert after(ASKED, piece(0, TABLE[:61])).missing_marks == {MARK}


def test_nobody_gives_what_is_not_asked_for() -> None:
    for shelf in (BrowserFiles(), ask_for(ASKED, ("02",), 1_000), ask_for(ASKED, (), 0)):
        assert after(shelf, piece(0, TABLE), {"what": "lacks", "mark": MARK}) == shelf
    whole = after(ASKED, piece(0, TABLE))
    assert after(whole, piece(0, TABLE), {"what": "lacks", "mark": MARK}) == whole


def test_what_came_is_let_go_once_something_else_is_asked_for() -> None:
    begun = after(ASKED, piece(0, TABLE[:9]))
    assert ask_for(begun, (MARK,), 1_000) is begun
    assert ask_for(begun, (MARK, "02"), 1_000).partial_contents == {}
    lacking = after(ASKED, {"what": "lacks", "mark": MARK})
    assert ask_for(ask_for(lacking, (), 0), (MARK,), 1_000).missing_marks == frozenset()


def test_whatever_many_events_say_only_the_file_itself_comes() -> None:
    rng, shelf, came = Random(0), ASKED, 0
    for _ in range(1_500):
        low = rng.choice((0, len(shelf.partial_contents.get(MARK, b""))))
        event = piece(low, TABLE[low : low + rng.choice((100, 404))])
        if rng.random() < 0.3:
            event |= {rng.choice([*event]): rng.choice(ODD)}
        shelf = after(shelf, json.loads(json.dumps(event)))
        assert sum(map(len, shelf.partial_contents.values())) <= 1_000
        if shelf.full_contents or shelf.missing_marks:
            came += MARK in shelf.full_contents
            assert shelf.full_contents.get(MARK, TABLE) == TABLE
            shelf = ASKED
    assert came > 40


# --- what it is handed ----------------------------------------------------------------------------


def marks(shelf: BrowserFiles, contents: dict[str, bytes]) -> list[tuple[str, int, int]]:
    keep = shelf_frame(shelf, ABOUT, contents, False)["files_to_keep"]
    return [(one["mark"], one["size"], len(one["content"])) for one in keep]


def test_a_small_file_is_handed_over_until_it_is_kept() -> None:
    assert marks(BrowserFiles(), {MARK: TABLE}) == [(MARK, 404, 404)]
    kept = after(BrowserFiles(), {"what": "kept", "mark": MARK})
    assert marks(kept, {MARK: TABLE}) == []


def test_a_large_file_is_sent_once_it_is_asked_for() -> None:
    large = {MARK: b"x" * (MAX_BYTES_UNASKED + 1)}
    assert marks(BrowserFiles(), large) == [(MARK, MAX_BYTES_UNASKED + 1, 0)]
    asked = after(BrowserFiles(), {"what": "send", "mark": MARK})
    assert marks(asked, large) == [(MARK, MAX_BYTES_UNASKED + 1, MAX_BYTES_UNASKED + 1)]
    assert marks(after(asked, {"what": "kept", "mark": MARK}), large) == []


def test_a_very_large_file_is_not_kept() -> None:
    assert marks(BrowserFiles(), {MARK: bytes(MAX_FILE_BYTES)}) == [(MARK, MAX_FILE_BYTES, 0)]
    assert marks(BrowserFiles(), {MARK: bytes(MAX_FILE_BYTES + 1)}) == []


def test_a_browser_speaks_of_no_other_files_than_the_tab_s() -> None:
    others = ({"what": what, "mark": "02"} for what in ("kept", "send"))
    assert after(BrowserFiles(), *others) == BrowserFiles()


def test_files_have_the_names_of_the_recipe() -> None:
    keep = shelf_frame(BrowserFiles(), ABOUT, {MARK: TABLE, "02": TABLE}, False)["files_to_keep"]
    assert [one["name"] for one in keep] == ["a.csv", "b.csv"]


def test_only_who_looks_for_a_file_asks_for_it() -> None:
    assert shelf_frame(ASKED, ABOUT, {}, True)["wanted_files"] == [{"mark": MARK, "offset": 0}]
    assert shelf_frame(ASKED, ABOUT, {}, False)["wanted_files"] == []
