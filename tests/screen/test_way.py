"""A row whose way is shown: in addresses, by a click, and as typed values."""

from __future__ import annotations

from dataclasses import replace

from futures import future_of

from dtviz.engine.rules import default_rules
from dtviz.screen.address import read, resolve, write
from dtviz.screen.handle import handle
from dtviz.screen.screen import Screen, screen_of
from dtviz.screen.session import MOST_CELLS, Row, Session, hide
from dtviz.table.gallery import build, example_recipe

IRIS = example_recipe("iris")
DATA = build(IRIS)
FUTURE = future_of(DATA)
LOG = FUTURE(default_rules(DATA.task), ())


def screen(row: Row | None = None) -> Screen:
    return screen_of(Session(IRIS, log=LOG, row=row), DATA, FUTURE)


def opened(text: str) -> tuple[Session, tuple[str, ...]]:
    return resolve(read({"data": "iris", "row": text}, IRIS), DATA, FUTURE)


def test_a_link_shows_the_same_row() -> None:
    rows: tuple[Row, ...] = (1, 150, (), ((2, 4.7),), ((0, -1.5), (3, 1e-7)))
    for row in rows:
        session, problems = opened(write(Session(IRIS, row=row), DATA, FUTURE)["row"])
        assert (session.row, problems) == (row, ())


def test_a_row_that_is_none_is_told_and_what_can_be_is_kept() -> None:
    none = ("0", "151", "999999999", "-1", "9" * 5_000, "x", "", "2.4.7_3.nan", "<b>")
    cells: Row = ((2, 4.7),)
    cases = [(text, None) for text in none] + [("2.4.7_99.1", cells), ("2.4.7_3.1e999", cells)]
    for text, row in cases:
        session, problems = opened(text)
        assert session.row == row, text
        assert len(problems) == 1
        assert len(problems[0]) < 300


def test_a_click_on_a_point_shows_its_way_and_looks_at_its_leaf() -> None:
    here = screen()
    after = handle(here, "stage", {"what": "row", "row": 71, "focus": True})
    assert after.row == 71
    way = screen(71).way
    assert way is not None
    assert after.focus == way.nodes[-1]
    assert handle(screen(71), "stage", {"what": "row", "row": None, "focus": True}).row is None


def test_where_nodes_cannot_be_chosen_a_click_shows_the_way_alone() -> None:
    here = screen()
    held = screen_of(hide(here.session, ["focus"]), DATA, FUTURE)
    after = handle(held, "stage", {"what": "row", "row": 71, "focus": True})
    assert (after.row, after.focus) == (71, None)


def test_what_is_no_row_leaves_all_as_it_is() -> None:
    here = screen()
    for row in (
        0, 151, -1, 10**400, True, "1", 1.5, [[99, 1.0]], [[0, 1e301]], [[0]], [0], [[0, "1"]],
        [[0, 10**400]], [[0, 1.0]] * (MOST_CELLS + 1), {"0": 1},
    ):  # fmt: skip
        assert handle(here, "grow", {"what": "row", "row": row}) == here.session, row


def test_typed_values_are_a_row_of_their_own() -> None:
    after = handle(screen(), "grow", {"what": "row", "row": [[3, 1], [2, 4.7]]})
    assert after.row == ((2, 4.7), (3, 1.0))
    found = screen_of(after, DATA, FUTURE).way
    assert found is not None
    assert found.says


def test_a_row_that_other_data_do_not_have_is_not_shown() -> None:
    session = replace(screen().session, row=10**6)
    assert screen_of(session, DATA, FUTURE).way is None
