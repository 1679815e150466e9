"""Files that the browser keeps: a new tab asks for those of its link, and shows the same screen."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

import pytest
import screens
from streamlit.testing.v1 import AppTest

from dtviz.data import drawing, uploads
from dtviz.data.read_table import read_file
from dtviz.data.uploads import fingerprint

TABLE = b"x,y\n" + b"".join(b"%d,%s\n" % (k, b"uv"[k % 3 > 0 : (k % 3 > 0) + 1]) for k in range(30))
OTHER = b"x,y\n1,u\n2,v\n"
ASKS = "Looking for a.csv among the files that this browser keeps."


def link(content: bytes = TABLE, **more: str) -> dict[str, str]:
    sha = fingerprint(content)
    return {"data": "file", "sha": sha, "file": "a.csv", "target": "y", "log": "a1"} | more


def piece(content: bytes, at: int = 0, size: int | None = None, **own: Any) -> dict[str, Any]:
    text = b64encode(content).decode()
    size = len(content) if size is None else size
    mark = fingerprint(content)
    return {"what": "piece", "mark": mark, "at": at, "size": size, "bytes": text} | own


def wants(at: AppTest) -> list[tuple[str, int]]:
    return [(one["mark"], one["offset"]) for one in screens.frame_of(at, "shelf")["wanted_files"]]


def keeps(at: AppTest) -> list[str]:
    shelf = screens.frames(at).get("shelf", {"files_to_keep": []})
    return [one["mark"] for one in shelf["files_to_keep"]]


# --- what comes back ------------------------------------------------------------------------------


def test_a_link_finds_its_table_in_the_browser_on_every_page() -> None:
    for name in ("overfit", "data", "learn"):
        at = screens.page(name, **link())
        assert ASKS in screens.words(at), name
        assert wants(at) == [(fingerprint(TABLE), 0)], name
        at = screens.send(at, "shelf", piece(TABLE))
        assert ASKS not in screens.words(at), name
        assert "made with the file" not in screens.words(at), name
        assert screens.session_of(at).recipe.get("file") == "a.csv", name
        assert len(screens.session_of(at).log) == 1, name
        assert screens.params_of(at).items() >= link().items(), name
        assert at.session_state["navigation"].waiting is None, name
        assert at.session_state["navigation"].page == name, name


def test_both_tables_of_a_link_come() -> None:
    test = fingerprint(OTHER)
    at = screens.page("overfit", **link(test=test, test_file="b.csv"))
    assert "Looking for a.csv and b.csv among" in screens.words(at)
    assert wants(at) == [(fingerprint(TABLE), 0), (test, 0)]
    at = screens.send(at, "shelf", piece(OTHER))
    assert wants(at) == [(fingerprint(TABLE), 0)]
    at = screens.send(at, "shelf", piece(TABLE))
    assert "1 of 2 test rows" in screens.words(at)


def test_a_table_without_a_header_comes_without_one() -> None:
    content = b"1,u\n2,v\n3,v\n"
    at = screens.page("grow", **link(content, target="column 2", header="False"))
    at = screens.send(at, "shelf", piece(content))
    assert screens.session_of(at).recipe.get("header") is False
    assert at.session_state["instrument"].screen().data.n == 3


def test_back_to_a_table_that_the_tab_has_no_more_brings_it_back() -> None:
    at = screens.press(screens.page("grow", data="xor"), "next")
    steps = len(screens.session_of(at).log)
    at.query_params.clear()
    at.query_params.update(link())
    at = screens.run(at)
    assert ASKS in screens.words(at)
    at = screens.send(at, "shelf", piece(TABLE[:50], 0, len(TABLE), mark=fingerprint(TABLE)))
    assert ASKS in screens.words(at)  # and not what was there before
    at = screens.send(at, "shelf", piece(TABLE[50:], 50, len(TABLE), mark=fingerprint(TABLE)))
    assert screens.session_of(at).recipe.get("file") == "a.csv"
    assert screens.params_of(at).items() >= link().items()
    at = screens.press(at, "undo")
    assert (screens.session_of(at).recipe.name, len(screens.session_of(at).log)) == ("xor", steps)


def test_undo_to_a_table_that_the_tab_has_no_more_brings_it_back() -> None:
    at = screens.send(screens.page("grow", **link()), "shelf", piece(TABLE))
    at.query_params.clear()
    at.query_params.update({"data": "xor"})
    at = screens.run(at)
    tab = at.session_state["instrument"]
    for kept in (tab.files, tab.contents):
        kept.clear()
    tab.cache.drop(lambda key: True)
    at = screens.press(at, "undo")
    assert ASKS in screens.words(at)
    at = screens.send(at, "shelf", piece(TABLE))
    assert len(screens.session_of(at).log) == 1
    assert screens.params_of(at).items() >= link().items()


# --- what was done while the server was away ------------------------------------------------------

DRAWN = drawing.parse("classes", "_".join(f"{k % 20}~{k % 7}~{'AB'[k % 2]}" for k in range(400)))[0]
CSV = drawing.csv_bytes(DRAWN)
GONE: dict[str, tuple[dict[str, str], bytes]] = {
    "upload": (link(), TABLE),
    "drawing": (link(CSV, file=drawing.FILE_NAME, target="class"), CSV),
    "link": ({"data": "drawn", "points": "1~1~A_2~1~B_3~1~A_4~1~B", "log": "a1"}, b""),
}
"""The address of a tab on Grow, one step on, and the file that it asks for."""


def left(address: dict[str, str], content: bytes) -> AppTest:
    """A tab that stands where an address leads."""
    at = screens.page("grow", **address)
    return screens.send(at, "shelf", piece(content)) if content else at


def away(at: AppTest, content: bytes, *events: tuple[str, dict[str, Any]], data: str) -> AppTest:
    """A fresh tab on the address of one that is gone, told what was done meanwhile, then the file.

    The events are meant for the `data` of that mark.
    """
    fresh = screens.page("grow", **screens.params_of(at))
    told = [
        {"n": 40 + k, "picture": picture, "event": event, "data": data}
        for k, (picture, event) in enumerate(events)
    ]
    told += [{"n": 60, "picture": "shelf", "event": piece(content)}] if content else []
    return screens.post(fresh, "shelf" if content else "line", {"events": told})


def test_what_was_done_while_the_server_was_away_waits_for_its_file_and_is_done_on_it() -> None:
    forward, back = (("line", {"what": "goto", "step": k}) for k in (2, 1))
    undo = ("line", {"what": "undo"})
    iris = screens.page("grow").session_state["instrument"].mark
    for kind, (address, content) in GONE.items():
        at = left(address, content)
        own, recipe = at.session_state["instrument"].mark, screens.session_of(at).recipe
        for events, data, step in (
            ((forward, undo), own, 1),
            ((forward, back, forward), own, 2),
            ((forward,), iris, 1),
            ((), own, 1),
            ((forward,), own, 2),
            ((forward, undo), iris, 1),
        )[: 6 if kind == "upload" else 2]:
            fresh = away(at, content, *events, data=data)
            assert screens.session_of(fresh).recipe == recipe
            assert len(screens.session_of(fresh).log) == step, (address, events)
            assert screens.heard(fresh) == (60 if content else 39 + len(events) if events else 0)
            assert not fresh.session_state["instrument"].waiting_events
            assert screens.session_of(screens.run(fresh)) == screens.session_of(fresh)


@pytest.mark.nightly
def test_where_other_data_are_taken_what_waited_is_not_done() -> None:
    address, content = GONE["upload"]
    own = left(address, content).session_state["instrument"].mark
    for lacks in (True, False):
        fresh = screens.page("grow", **address)
        event = {"n": 40, "picture": "line", "event": {"what": "goto", "step": 2}, "data": own}
        gone = {
            "n": 41,
            "picture": "shelf",
            "event": {"what": "lacks", "mark": fingerprint(content)},
        }
        fresh = screens.post(fresh, "shelf", {"events": [event, gone] if lacks else [event]})
        assert "This link was made with the file a.csv" in screens.words(fresh)
        (button,) = [one for one in fresh.button if one.label == "Show an example instead"]
        fresh = screens.run(screens.run(button.click()))
        assert (screens.session_of(fresh).recipe.name, screens.session_of(fresh).log) == (
            "iris",
            (),
        )
        assert not fresh.session_state["instrument"].waiting_events


# --- what does not --------------------------------------------------------------------------------


ANSWERS = [
    {"what": "lacks", "mark": fingerprint(TABLE)},
    piece(OTHER, mark=fingerprint(TABLE)),
    piece(TABLE, size=10**9),
    piece(TABLE, bytes="<b>"),
]


def test_without_its_file_a_page_asks_for_it_once_the_browser_has_answered() -> None:
    for name in ("grow", "data"):
        for event in ANSWERS:
            at = screens.send(screens.page(name, **link()), "shelf", event)
            assert ASKS not in screens.words(at), (name, event)
            assert "This link was made with the file a.csv" in screens.words(at), (name, event)
            assert len(at.file_uploader) == 1, (name, event)
            assert "shelf" not in screens.frames(at) or wants(at) == [], (name, event)
            assert ASKS not in screens.words(screens.run(at)), (name, event)
    at = screens.page("grow", **link())
    assert "This link was made with the file a.csv" in screens.words(at)
    (hidden,) = [one for one in at.get("flex_container") if one.proto.id.endswith("looking")]
    assert hidden
    at = screens.send(screens.page("grow", **link(target="z")), "shelf", piece(TABLE))
    assert "target must be one of the columns" in screens.words(at)
    content = bytes(range(256)) * 4  # no table
    at = screens.send(screens.page("grow", **link(content)), "shelf", piece(content))
    assert "This link was made with the file a.csv" in screens.words(at)
    assert not at.error


def test_a_tab_that_asks_for_nothing_hears_nothing() -> None:
    for event in (piece(TABLE), {"what": "lacks", "mark": "x"}, {"what": "kept"}):
        at = screens.page("data", data="xor")
        before = screen_words(at)
        at = screens.send(at, "shelf", event)
        assert screen_words(at) == before, event
        assert not at.session_state["instrument"].contents, event


def screen_words(at: AppTest) -> tuple[str, dict[str, str]]:
    return screens.words(at), screens.params_of(at)


# --- what is handed over --------------------------------------------------------------------------


def with_table(content: bytes = TABLE, name: str = "data") -> AppTest:
    """A page on a table that was given in this tab."""
    at = screens.seeded(name, **link(content))
    mark = fingerprint(content)
    at.session_state["files"] = {mark: read_file(content)}
    screens.run(at)
    at.session_state["instrument"].contents[mark] = content
    return screens.run(at)


def test_the_table_of_this_tab_alone_is_handed_over_and_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("data", "grow"):
        at = with_table(name=name)
        assert keeps(at) == [fingerprint(TABLE)]
        at = screens.send(at, "shelf", {"what": "kept", "mark": fingerprint(TABLE)})
        assert keeps(at) == []
        assert keeps(screens.run(at)) == []
    mark = fingerprint(TABLE)
    monkeypatch.setitem(uploads.SERVED_TABLES, mark, read_file(TABLE))
    monkeypatch.setitem(uploads.SERVED_FILES, mark, TABLE)
    at = screens.page("data", **link())
    assert at.session_state["instrument"].contents == {mark: TABLE}
    assert keeps(at) == []


@pytest.mark.nightly
def test_a_large_table_is_sent_when_the_browser_has_it_not() -> None:
    at = with_table(b"x,y\n" + b"1,u\n2,v\n" * 15_000)
    (one,) = screens.frame_of(at, "shelf")["files_to_keep"]
    assert (one["name"], len(one["content"])) == ("a.csv", 0)
    at = screens.send(at, "shelf", {"what": "send", "mark": one["mark"]})
    (one,) = screens.frame_of(at, "shelf")["files_to_keep"]
    assert len(one["content"]) == one["size"] == 120_004
