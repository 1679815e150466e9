"""A screen saved as a file and given on the page Data: the same screen in a new tab."""

from __future__ import annotations

import json

import pytest
from screens import app, live, page, params_of, press, run, screen, session_of, words
from streamlit.testing.v1 import AppTest

from dtviz.base import progress
from dtviz.data import drawing, uploads
from dtviz.data.drawing import Drawing
from dtviz.data.uploads import SavedScreen

SAVE = "Save this screen as a file"


def given(*contents: bytes | str, name: str = "a.csv") -> AppTest:
    """A new tab at the page Data that was given a file; then its test rows."""
    at = app("data", data_tabs="Upload a table")
    for place, content in enumerate(contents):
        if place:
            box = next(one for one in at.selectbox if one.label == "Judge it on")
            at = run(box.select_index(1))
        data = content.encode() if isinstance(content, str) else content
        at = run(at.file_uploader[place].upload(name, data, "text/plain"))
    return at


def grown(*contents: bytes | str) -> AppTest:
    """The tree on it, a step on."""
    at = given(*contents)
    at = run(next(one for one in at.button if one.label == "Grow a tree on this table").click())
    return press(at.switch_page("pages/grow.py"), "next")


def file_of(at: AppTest, where: str = "grow") -> bytes:
    """What the tab saves of its screen."""
    contents = at.session_state["instrument"].contents_of(session_of(at).recipe)
    return uploads.write_screen(SavedScreen(where, params_of(at), contents))


def opened(content: bytes) -> AppTest:
    """A new tab that was given a saved screen; it is on the screen's page."""
    return given(content, name="a.dtviz.json")


def same(at: AppTest, other: AppTest) -> None:
    assert params_of(other) == params_of(at)
    assert session_of(other) == session_of(at)
    assert repr(screen(other)) == repr(screen(at))  # a gap is no number, and equals none


# --- the same screen ------------------------------------------------------------------------------


def test_a_table_comes_back_with_its_screen() -> None:
    for contents in (("x,y\n1,u\n2,v\n3,v\n4,u\n", "y,x\nu,1\nv,1\n"),):
        at = grown(*contents)
        content = file_of(at)
        assert len(json.loads(content)["files"]) == len(contents), contents
        other = opened(content)
        same(at, other)
        assert not other.error, contents
        same(at, opened(file_of(other)))


@pytest.mark.nightly
def test_a_drawing_that_no_link_carries_comes_back() -> None:
    at = app("data")
    rows = tuple((k / 7, (k * k % 31) / 3, float(k % 3)) for k in range(400))
    at.session_state["instrument"].show_drawing(Drawing("classes", rows))
    at = press(run(at.switch_page("pages/grow.py")), "next")
    assert params_of(at)["file"] == drawing.FILE_NAME
    other = opened(file_of(at))
    same(at, other)
    assert other.session_state["instrument"].screen_without_data().pad.rows == rows


def test_a_screen_of_the_page_data_leaves_the_place_for_files_free() -> None:
    at = given(uploads.write_screen(SavedScreen("data", {"data": "xor"}, {})), name="a.dtviz.json")
    at = run(run(at))
    assert params_of(at)["data"] == "xor"
    assert not at.error
    assert at.file_uploader[0].value is None
    at = run(at.file_uploader[0].upload("b.csv", b"x,y\n1,u\n2,v\n", "text/csv"))
    assert "2 of 2 rows can be used" in words(at)


def test_a_large_table_is_read_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    file = file_of(grown(("a,y\n" + "1,u\n2,v\n" * 6_000).encode()))
    monkeypatch.setattr(progress, "SLICE_SECONDS", 0)
    at, bars = given(file, name="a.dtviz.json"), set[str]()
    while "data" not in params_of(at):
        bars.add(at.get("progress")[0].proto.text)
        at = run(at)
    assert len([bar for bar in bars if bar.startswith(r"Reading a\.csv: ")]) > 1
    assert session_of(at).recipe.get("file") == "a.csv"


# --- what is refused ------------------------------------------------------------------------------


REFUSED = [
        (
            SavedScreen("nowhere", {}, {}),
            "it is of a page nowhere, and there are only grow, data, over",
        ),
        (SavedScreen("grow", {"data": "file", "sha": "1", "file": "b.csv", "target": "y"}, {}),
         "this screen cannot be opened: the link needs the file b.csv"),
        (b'{"dtviz": 7}', "saved by a newer dtviz, as version 7"),
        (b'{"dtviz": 1, "page": "<b>"}', "'address' differs; save it again, under Share"),
    ]  # fmt: skip


def test_why_a_screen_cannot_be_opened_is_said() -> None:
    for content, says in REFUSED:
        at = given(content if isinstance(content, bytes) else uploads.write_screen(content))
        assert says.lower() in words(at).lower(), (content, says)
        assert at.session_state["page"] == "data", (content, says)
        assert live(at) == [], (content, says)


def test_what_is_no_table_or_no_screen_says_why() -> None:
    content = bytes(range(256)) * 4
    mark = uploads.fingerprint(content)
    params = {"data": "file", "sha": mark, "file": "b.csv", "target": "y"}
    at = given(uploads.write_screen(SavedScreen("grow", params, {mark: content})))
    assert "this screen cannot be opened: this is binary" in words(at)
    at = given("x,y\n1,u\n2,v\n", uploads.write_screen(SavedScreen("grow", {}, {})))
    assert "this is a saved screen, no table" in words(at)
    other = opened(
        uploads.write_screen(
            SavedScreen("grow", {"data": "xor", "max_depth": "x", "log": "a1"}, {})
        )
    )
    assert params_of(other)["log"] == "a1"
    assert "max_depth" not in params_of(other)
    assert "Depth at most cannot be" in words(other)


# --- the button -----------------------------------------------------------------------------------


def test_a_table_larger_than_an_upload_may_be_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    at = grown(b"x,y\n" + b"1,u\n2,v\n" * 5_000)
    at.session_state["share"] = True
    assert SAVE in [one.label for one in run(at).download_button]
    monkeypatch.setattr("dtviz.app.share.max_bytes", lambda: 100_000)
    at = run(at)
    assert SAVE not in [one.label for one in at.download_button]
    assert "too large to be saved with the screen" in words(at)


@pytest.mark.nightly
def test_every_page_with_a_link_to_share_saves_its_screen() -> None:
    for name in ("grow", "overfit", "stability", "forest", "impurity"):
        at = page(name, data="xor")
        at.session_state["share"] = True
        assert SAVE in [one.label for one in run(at).download_button], name
