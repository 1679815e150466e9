"""A classroom: short addresses, and tables that go with a link: bounded, forgotten, unlisted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from awaiting import awaited
from screens import app, page, params_of, press, run, seeded, session_of, step, why, words
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from dtviz.app import classroom, server
from dtviz.app.classroom import (
    CLASSROOM,
    CODE_LENGTH,
    CODE_LETTERS,
    MAX_MISSES,
    THIS_MACHINE,
    Classroom,
    ClassroomStore,
    SharedTable,
    TooManyMissesError,
    visitor_of,
)
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError

TEACHER, STUDENT, OTHER = "10.0.0.2", "10.0.0.3", "10.0.0.4"
CONTENT = b"x,y\n1,u\n2,v\n3,v\n4,u\n"
HOSTILE_CODES = [
    "", "abc", "a" * 5_000, "../../etc", "%2e%2e", "o0il1o", "\x00\x01", "田中さん田中", "{code}",
    "__class__", "abcde\n", "<script>",
]  # fmt: skip


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time of the classroom, in seconds."""
    seconds = [1_000.0]
    monkeypatch.setattr(classroom.time, "monotonic", lambda: seconds[0])
    return seconds


@pytest.fixture(autouse=True)
def empty_classroom() -> Iterator[None]:
    """The server's classroom, without what a test left in it."""
    yield
    CLASSROOM.__init__()  # type: ignore[misc]


def table(content: bytes = CONTENT) -> SharedTable:
    frame, notes = read_frame(content)
    return SharedTable(frame, notes, content)


# --- codes ----------------------------------------------------------------------------------------


def test_a_code_is_short_to_type_and_the_same_link_has_one() -> None:
    links = Classroom()
    codes = {links.code_for(TEACHER, f"grow?data=xor&log=a{k}") for k in range(200)}
    assert len(codes) == 200
    assert all(code and len(code) == CODE_LENGTH for code in codes)
    assert {*"".join(code or "" for code in codes)} <= {*CODE_LETTERS}
    assert not {*CODE_LETTERS} & {*"0O1lIo"}
    assert CODE_LETTERS.lower() == CODE_LETTERS
    code = links.code_for(TEACHER, "grow?data=xor&log=a0")
    assert code in codes
    assert links.link_of(STUDENT, str(code).upper()) == "grow?data=xor&log=a0"
    assert links.code_for(OTHER, "grow?data=xor&log=a0") not in codes
    assert links.code_for(TEACHER, "x" * (classroom.MAX_LINK_CHARS + 1)) is None


def test_a_hostile_code_leads_nowhere() -> None:
    links = Classroom()
    links.code_for(TEACHER, "grow?data=xor")
    assert [links.link_of(STUDENT, code) for code in HOSTILE_CODES] == [None] * len(HOSTILE_CODES)


def test_who_guesses_is_refused_for_a_minute_and_nobody_else(clock: list[float]) -> None:
    links = Classroom()
    code = str(links.code_for(TEACHER, "grow?data=xor"))
    wrong = [f"22222{letter}" for letter in CODE_LETTERS[:MAX_MISSES]]
    for letters in [wrong[0], *wrong]:  # the same wrong letters count once
        assert links.link_of(STUDENT, letters) is None
    with pytest.raises(TooManyMissesError):
        links.link_of(STUDENT, code)
    assert links.tables_at(STUDENT, ["mark"]) == {}
    assert links.link_of(OTHER, code) == "grow?data=xor"
    clock[0] += classroom.MISS_SECONDS + 1
    assert links.link_of(STUDENT, code) == "grow?data=xor"


def test_visitors_whose_misses_are_counted_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(classroom, "MAX_MISSING_VISITORS", 3)
    misses = classroom.Misses()
    for k in range(10):
        misses.add(f"10.0.0.{k}", "222222")
    assert [*misses._times] == ["10.0.0.7", "10.0.0.8", "10.0.0.9"]


def test_a_visitor_is_an_address_or_a_network_of_ipv6() -> None:
    for host in (None, "127.0.0.1", "::1", "::ffff:127.0.0.1"):
        assert visitor_of(host) == THIS_MACHINE
    assert visitor_of("10.0.0.7") == visitor_of("::ffff:10.0.0.7") == "10.0.0.7"
    assert visitor_of("2001:db8::1") == visitor_of("2001:db8::ffff:2") == "2001:db8::/64"
    assert visitor_of("2001:db8:0:1::1") == "2001:db8:0:1::/64"
    assert visitor_of("x" * 1_000) == "x" * 100


# --- bounds ---------------------------------------------------------------------------------------


def test_what_a_classroom_keeps_is_forgotten_some_hours_after_it_was_put_last(
    clock: list[float],
) -> None:
    links = Classroom()
    code = str(links.code_for(TEACHER, "grow?data=xor"))
    links.keep_tables(TEACHER, {"mark": table()})
    clock[0] += classroom.KEPT_SECONDS - 1
    assert links.link_of(STUDENT, code) == "grow?data=xor"
    assert [*links.tables_at(STUDENT, ["mark"])] == ["mark"]
    assert links.code_for(TEACHER, "grow?data=xor") == code
    clock[0] += 2
    assert links.link_of(STUDENT, code) == "grow?data=xor"
    assert links.tables_at(STUDENT, ["mark"]) == {}
    clock[0] += classroom.KEPT_SECONDS
    links.forget_old()
    assert links.links._entries == []
    assert links.tables._entries == []


def test_who_fills_the_classroom_displaces_what_is_his() -> None:
    store = ClassroomStore[int](max_entries=10, max_bytes=1_000)
    store.put(THIS_MACHINE, "of the teacher", 1, 600)
    store.put(OTHER, "of another", 2, 10)
    for k in range(100):
        assert store.put(STUDENT, f"{k}", k, 100)
    assert store.get("of the teacher") == 1
    assert store.get("of another") == 2
    assert store.get("99") == 99
    assert sum(entry.n_bytes for entry in store._entries) <= 1_000
    assert len(store._entries) <= 10
    assert not store.put(STUDENT, "too large", 0, 1_001)
    assert store.get("99") == 99


def test_a_table_goes_with_a_link_until_the_one_who_gave_it_forgets_it() -> None:
    tables = Classroom()
    assert tables.keep_tables(TEACHER, {"a": table(), "b": table()})
    assert tables.has_tables(TEACHER, ["a", "b"])
    assert not tables.has_tables(STUDENT, ["a"])
    assert not tables.has_tables(TEACHER, [])
    assert tables.tables_at(STUDENT, ["a"])["a"].content == CONTENT
    assert tables.tables_at(STUDENT, ["a", "c"]) == {}
    tables.tables.remove(STUDENT, ["a", "b"])
    assert [*tables.tables_at(STUDENT, ["a", "b"])] == ["a", "b"]
    tables.tables.remove(TEACHER, ["a", "b"])
    assert tables.tables_at(STUDENT, ["a"]) == {}


def test_a_table_that_is_too_large_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Classroom()
    monkeypatch.setattr(classroom, "MAX_BYTES_OF_TABLE", table().n_bytes)
    large = table(CONTENT + b"5,u\n" * 100)
    assert not tables.keep_tables(TEACHER, {"a": table(), "b": large})
    assert tables.tables_at(STUDENT, ["a"]) == {}
    assert tables.keep_tables(TEACHER, {"a": table()})


# --- the server -----------------------------------------------------------------------------------


def ask(
    path: str, client: tuple[str, int] | None = (STUDENT, 50_000)
) -> tuple[Any, dict[str, str]]:
    """The status and the headers of an answer, with its text under ''."""
    routed = Starlette(routes=server.guarded_options()["routes"])
    scope = {
        "type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [],
        "client": client, "root_path": "",
    }  # fmt: skip
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.disconnect"}

    awaited(routed(scope, receive, send))
    start, *parts = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], headers | {"": b"".join(part["body"] for part in parts).decode()}


def test_a_short_address_leads_to_its_link_on_this_server() -> None:
    code = CLASSROOM.code_for(TEACHER, "grow?data=xor&say=a%20b")
    for client in ((STUDENT, 1), None):
        status, headers = ask(f"/t/{code}", client)
        assert (status, headers["location"]) == (302, "../grow?data=xor&say=a%20b")
        assert headers["cache-control"] == "no-store"


def test_an_unknown_short_address_says_so_and_shows_nothing_of_what_was_asked() -> None:
    for code in ("222222", "<script>", "%s", "{title}", "../grow", "a" * 200):
        status, headers = ask(f"/t/{code}")
        assert status == 404
        if "/" not in code:
            assert "ask for a new one" in headers[""]
            assert code not in headers[""].replace("22222", "")
    for k in range(MAX_MISSES):
        ask(f"/t/33333{CODE_LETTERS[k]}")
    status, headers = ask("/t/222222")
    assert (status, "Wait a minute" in headers[""]) == (429, True)


def test_memory_that_is_freed_has_nothing_whose_time_is_over(clock: list[float]) -> None:
    CLASSROOM.keep_tables(TEACHER, {"mark": table()})
    clock[0] += classroom.KEPT_SECONDS + 1
    server.free_memory()
    assert CLASSROOM.tables._entries == []


# --- Share ----------------------------------------------------------------------------------------

NETWORK = "http://10.0.0.7:8501/grow"
SHOW = "Show to the class"
BRINGS = "The link brings the table"


@pytest.fixture
def for_class(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was started by `dtviz --share`."""
    monkeypatch.setattr("dtviz.app.share._is_for_class", lambda: True)


def opened(at: AppTest) -> AppTest:
    """The page with Share open, as the class reaches it."""
    at.context["url"] = NETWORK
    at.session_state["share"] = True
    return run(at)


def with_table() -> AppTest:
    """The tree on a table that was uploaded, a step on."""
    at = app("data", data_tabs="Upload a table")
    at = run(at.file_uploader[0].upload("a.csv", CONTENT, "text/csv"))
    at = run(next(one for one in at.button if one.label == "Grow a tree on this table").click())
    return press(at.switch_page("pages/grow.py"), "next")


def shown(at: AppTest) -> AppTest:
    """The page after the press of *Show to the class*."""
    return run(next(one for one in at.button if one.label == SHOW).click())


def link_at(address: str) -> str:
    """The link of the short address on the screen."""
    assert address.startswith("http://10.0.0.7:8501/t/")
    return str(CLASSROOM.link_of(STUDENT, address.rpartition("/")[2]))


@pytest.mark.usefixtures("for_class")
def test_the_class_is_shown_a_short_address_of_this_very_screen() -> None:
    at = opened(seeded("grow", data="xor", log="a1"))
    assert len(at.code) == 1
    full = at.code[0].value
    at = shown(at)
    [address] = [text.value for text in at.text]
    assert link_at(address).partition("?")[2] == full.partition("?")[2]
    assert link_at(address).startswith("grow?")
    assert not at.session_state["share"]
    assert [text.value for text in shown(opened(at)).text] == [address]


@pytest.mark.usefixtures("for_class")
def test_a_tour_has_a_short_address_that_stays_on_this_server() -> None:
    for name, path in (("overfit", "overfit"), ("//evil.example/", "grow")):
        stops = f"page={quote(name, safe='')}&data=xor|page=grow&data=moons"
        at = opened(page("grow", tour=stops, stop="0", data="xor"))
        button = next(one for one in at.button if one.label == "Show the tour to the class")
        link = link_at(run(button.click()).text[0].value)
        assert link.partition("?")[0] == path
        assert "tour=" in link


@pytest.mark.usefixtures("for_class")
def test_a_table_goes_with_what_the_class_is_shown_and_can_be_forgotten() -> None:
    at = opened(with_table())
    [toggle] = [one for one in at.toggle if one.label == BRINGS]
    assert not toggle.value
    params = params_of(at)
    with pytest.raises(AssertionError):
        same_without_upload(at, params)
    at = shown(at)
    assert "a.csv goes with it." in words(at)
    same_without_upload(at, params)
    at = opened(at)
    [toggle] = [one for one in at.toggle if one.label == BRINGS]
    assert toggle.value
    run(toggle.set_value(False))
    assert CLASSROOM.tables._entries == []
    at = page("grow", **params)
    assert "give the same again here" in words(at)


def same_without_upload(at: AppTest, params: dict[str, str]) -> None:
    """Assert that a visitor who has the link alone sees the same screen."""
    other = page("grow", **params)
    assert params_of(other) == params
    assert not other.info
    assert session_of(other) == session_of(at)
    assert (why(other), step(other)) == (why(at), step(at))
    # the browser of the visitor is not asked to store the table
    assert {*other.session_state["instrument"].contents} <= {
        *other.session_state["instrument"].shelf.kept_marks
    }


def test_without_a_class_share_says_what_to_do() -> None:
    at = with_table()
    at.session_state["share"] = True
    at = run(at)
    assert "only on this machine" in words(at)
    assert [code.value for code in at.code[1:]] == ["dtviz --share"]
    assert "No link carries a.csv: who opens it is asked for the file" in words(at)
    assert SHOW not in [one.label for one in at.button]
    assert not [one for one in at.toggle if one.label == BRINGS]
    at = opened(at)  # behind a proxy: the server keeps nothing, the code is that of the full link
    assert SHOW in [one.label for one in at.button]
    at = shown(at)
    assert not at.text
    assert CLASSROOM.links._entries == []
    assert CLASSROOM.tables._entries == []


def test_an_address_of_a_table_that_is_not_there_asks_for_it() -> None:
    params = {"data": "file", "sha": "../../x", "file": "b.csv", "target": "y"}
    at = page("grow", **params)
    assert "give the same again here" in words(at)
    assert not issubclass(TooManyMissesError, DataError)
