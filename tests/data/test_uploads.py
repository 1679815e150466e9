"""A screen as a file: comes out as it went in; of a file that somebody changed only a reason."""

from __future__ import annotations

import gzip
import json
import os
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refusal
from strategies import NASTY

from dtviz.data import uploads
from dtviz.data.dataset import DataError
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import read_file, read_table
from dtviz.data.uploads import (
    MAX_CHARS_OUTSIDE_TEXTS,
    MAX_FIELD_CHARS,
    MAX_FIELDS,
    SavedScreen,
    SavedScreenError,
    fingerprint,
)

MANY = int(os.environ.get("DTVIZ_FUZZ", "600"))
TABLE = b"x,y\n1,u\n2,v\n"
MARK = fingerprint(TABLE)
SCREEN = SavedScreen("grow", {"data": "file", "sha": MARK, "say": "<b>ä"}, {MARK: TABLE})
WRITTEN = uploads.write_screen(SCREEN)
PLAIN: dict[str, Any] = json.loads(WRITTEN)


def refused(content: bytes | dict[str, Any]) -> str:
    written = content if isinstance(content, bytes) else json.dumps(content).encode()
    reason = refusal(uploads.read_screen, written)
    assert 0 < len(reason) < 400
    return reason


def screen_or_reason(content: bytes) -> SavedScreen | str:
    try:
        return uploads.read_screen(content)
    except DataError:
        return refused(content)


def changed(**parts: Any) -> dict[str, Any]:
    return {name: one for name, one in (PLAIN | parts).items() if one is not ...}


@given(
    st.dictionaries(st.text(max_size=9), st.text(max_size=30), max_size=5),
    st.lists(st.binary(max_size=200) | st.text(max_size=50).map(str.encode), max_size=2),
)
def test_a_screen_comes_out_as_it_went_in(address: dict[str, str], files: list[bytes]) -> None:
    one = SavedScreen("overfit", address, {fingerprint(content): content for content in files})
    assert uploads.read_screen(uploads.write_screen(one)) == one


def test_a_file_says_a_text_as_a_text_others_in_base64_and_takes_no_more_than_its_room() -> None:
    assert PLAIN["files"][MARK] == {"text": "x,y\n1,u\n2,v\n"}
    for content in (b"PAR1\xff\xfe", b"\0" * 500, "a,ä\n".encode("latin-1")):
        mark = fingerprint(content)
        (held,) = json.loads(uploads.write_screen(SavedScreen("data", {}, {mark: content})))[
            "files"
        ].values()
        assert {*held} == {"base64"}
    for content in (b"", b"a,b\r\n" * 9_000, b'"\n' * 9_000, b"\0\xff" * 9_000):
        screen = SavedScreen(
            "grow", {"log": "x" * MAX_FIELD_CHARS}, {fingerprint(content): content}
        )
        assert len(uploads.write_screen(screen)) < uploads.estimated_screen_bytes(len(content)), (
            content
        )


def test_whoever_wants_a_table_is_told_that_it_is_a_screen() -> None:
    for content in (WRITTEN, b"\xef\xbb\xbf \n" + WRITTEN, gzip.compress(WRITTEN)):
        for header in (True, False):
            with pytest.raises(
                SavedScreenError, match="saved screen, no table: open it on"
            ) as caught:
                read_file(content, options=ReadOptions(names_line=None if header else 0))
            assert caught.value.saved == SCREEN
    with pytest.raises(SavedScreenError):
        read_table(WRITTEN, "y")
    frame, _ = read_file(b'{"a": 1, "dtviz": 2}\n{"a": 3, "dtviz": 4}\n')
    assert frame["dtviz"].tolist() == [2, 4]


def test_what_is_wrong_with_a_screen_is_said() -> None:
    for content, says in (
        (changed(dtviz=2), "saved by a newer dtviz, as version 2; this one reads version 1"),
        (changed(dtviz=0), "`dtviz` must be its version"),
        (changed(dtviz=True), "`dtviz` must be its version"),
        (changed(dtviz="1"), "`dtviz` must be its version"),
        (changed(dtviz=1.0), "`dtviz` must be its version"),
        (changed(dtviz=10**300), "`dtviz` must be its version"),
        (changed(page=...), "'page' differs"),
        (changed(more=1), "it must hold dtviz, page, address, files, and nothing else; 'more'"),
        (changed(page="../app"), "`page` must be the name of a page"),
        (changed(page=["grow"]), "`page` must be the name of a page"),
        (changed(address=[]), "`address` must be at most 500 fields"),
        (changed(address={str(k): "" for k in range(MAX_FIELDS + 1)}), "at most 500 fields"),
        (changed(address={"log": 1}), "the field 'log' must be a text of at most"),
        (
            changed(address={"log": "x" * (MAX_FIELD_CHARS + 1)}),
            "the field 'log' must be a text of at",
        ),
        (changed(address={"log": "\ud800"}), "the field 'log' holds what is no letter"),
        (changed(files=None), "`files` must be at most 2 files"),
        (changed(files={name: {} for name in "abc"}), "`files` must be at most 2 files"),
        (changed(files={MARK: "x,y"}), f"the file '{MARK}' must be a text, or base64"),
        (changed(files={MARK: {"text": 1}}), "must be a text, or base64"),
        (changed(files={MARK: {"text": "x", "base64": ""}}), "must be a text, or base64"),
        (changed(files={MARK: {"text": "\udfff"}}), "must be a text, or base64"),
        (changed(files={MARK: {"base64": "%"}}), "a file is no base64"),
        (changed(files={MARK: {"base64": "ä"}}), "a file is no base64"),
        (changed(files={MARK: {"text": "x,y\n1,w\n2,v\n"}}), "its fingerprint is another"),
        (WRITTEN.replace(b'"page"', b'"dtviz"'), "a name comes twice"),
        (WRITTEN[:-20], "it is no JSON"), (WRITTEN + b"x", "it is no JSON"),
        (b"[1]", "it must be an object"), (WRITTEN.replace(b"1,", b"NaN,", 1), "NaN is no number"),
        (WRITTEN.replace(b"1,", b"1e999,", 1), "`dtviz` must be its version"),
        (WRITTEN.replace(b"1,", b"9" * 9_000 + b",", 1), "too deep, or too large"),
        (b'{"dtviz": ' + b"[" * 20_000, "it is no JSON (too deep, or too large)"),
        (b'{"dtviz": ' + b"[" * MAX_CHARS_OUTSIDE_TEXTS, "characters of it are in no text"),
        (b'{"dtviz": [' + b"[]," * MAX_CHARS_OUTSIDE_TEXTS, "characters of it are in no text"),
        (b'{"dtviz": [' + b'"",' * 2_000, "it holds more than 1,500 texts"),
        (WRITTEN + b"\xff", "it is no text in UTF-8"),
        (WRITTEN.decode().encode("utf-16"), "it is no text in UTF-8"),
    ):  # fmt: skip
        reason = refused(content)
        assert says in reason, says
        assert "; save it again, under Share" in reason or "install a newer one" in reason, says


def test_a_screen_that_somebody_changed_is_a_screen_or_a_reason() -> None:
    rng, whole, told = Random(0), 0, set[str]()
    for _ in range(MANY):
        content = bytearray(WRITTEN)
        for _ in range(rng.choice((1, 1, 2, 5))):
            low = rng.randrange(len(content))
            part = content[low : low + rng.choice((0, 1, 1, 9, 60))]
            new = rng.choice((b"", part * 2, part[::-1], bytes([rng.randrange(256)]), _odd(rng)))
            content[low : low + len(part)] = new
        result = screen_or_reason(bytes(content))
        if isinstance(result, str):
            told.add(result)
        else:
            whole += 1
            assert {fingerprint(one): one for one in result.files.values()} == result.files
            assert uploads.read_screen(uploads.write_screen(result)) == result
    assert whole
    assert len(told) > 8


def _odd(rng: Random) -> bytes:
    text = rng.choice(NASTY).encode("utf-8", "surrogatepass")
    return rng.choice((text, b"{}", b"[", b'{"text": "', b"\\ud800", b"\\u0000", b"1e400", b"null"))


def test_a_hostile_text_is_a_text_anywhere_in_it_or_a_reason() -> None:
    for text in NASTY:
        for parts in (
            {"page": text}, {"address": {text: text}}, {"files": {text: {"text": text}}},
            {"files": {text: text}}, {text: text}, {"files": {MARK: {text: text}}},
        ):  # fmt: skip
            content = changed(**parts)
            result = screen_or_reason(json.dumps(content).encode())
            if isinstance(result, SavedScreen):
                assert text in (result.page, *result.address), text
                assert uploads.read_screen(uploads.write_screen(result)) == result, text
