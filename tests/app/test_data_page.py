"""The tab Draw: links, empty and odd drawings, and whatever the browser sends, on every page."""

from __future__ import annotations

import re
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as hst
from screens import app, live, page, params_of, run, seeded, words
from streamlit.testing.v1 import AppTest
from test_drawing import anything, drawings

from dtviz.app.data_page import apply_edits, merge
from dtviz.app.instrument import Instrument
from dtviz.data import drawing
from dtviz.data.drawing import COLUMNS, MAX_ROWS_DRAWN, Drawing, DrawnRow
from dtviz.data.uploads import fingerprint
from dtviz.session import session
from dtviz.session.session import Session, Visit

TWO = "1~2~A_3~4~B"
ROWS: tuple[DrawnRow, ...] = ((1.0, 2.0, 0.0), (3.0, 4.0, 1.0))


def drawn_page(name: str = "data", **params: str) -> AppTest:
    return page(name, **({"data": "drawn", "kind": "classes"} | params))


def button(at: AppTest, label: str) -> Any:
    return next(one for one in at.button if one.label == label)


# --- links ----------------------------------------------------------------------------------------


def test_a_link_opens_the_drawing_its_table_and_its_tree() -> None:
    at = drawn_page(points=TWO)
    assert params_of(at) == {"data": "drawn", "kind": "classes", "points": TWO}
    assert "2 points of at most 2,000" in words(at)
    assert not button(at, "Grow a tree on it").disabled
    at = drawn_page(points=TWO)
    table = pd.DataFrame(at.dataframe[0].value)
    assert list(table.columns) == ["x1", "x2", "class"]
    assert table.to_numpy().tolist() == [["1", "2", "A"], ["3", "4", "B"]]
    at = page("data", data="drawn", kind="classes", points="1~1~A_2~1~A_8~2~B")
    assert picture_in(at) == "The tree of the points: 2 leaves, height 1"
    at = page("data", data="drawn", kind="classes", points="1~1~A_2~1~A_8~2~B_9~2~A")
    assert picture_in(at) == "The tree of the points: 3 leaves, height 2"
    assert "The tree of these points: 3 leaves, height 2." in words(at)
    at = page("data", data="drawn", kind="classes")
    assert picture_in(at) == ""
    assert "The tree of your points grows here." in words(at)


def test_tiny_odd_and_empty_drawings_stand_on_every_page() -> None:
    for name in ("data", "grow", "learn"):
        for points in ("1~2~A_1~2~H", "-1e9~1e-300~C_1e9~0~A"):
            at = drawn_page(name, points=points)
            assert not at.error, (name, points)
            assert params_of(at)["points"] == drawing.drawing_text(
                drawing.parse("classes", points)[0]
            )
    for name in ("data", "grow", "learn"):
        for kind in drawing.DRAWING_KINDS:
            at = drawn_page(name, kind=kind)
            if name == "data":
                assert not at.error, (name, kind)
                assert button(at, "Grow a tree on it").disabled, (name, kind)
                assert params_of(at) == {"data": "drawn", "kind": kind}, (name, kind)
            else:
                assert "the drawing is empty: put points on the pad" in words(at), (name, kind)


def test_garbage_in_the_link_is_said() -> None:
    for params, says in (
        ({"points": TWO + "_x~1~A_5~5~A"}, "'x~1~A'"),
        ({"points": "<b>x</b>"}, "no point"),
        ({"points": TWO, "kind": "circle"}, "'kind=circle' in this link was not understood"),
        ({"points": "_".join([TWO] * 200)}, "the first 300 are kept"),
    ):
        at = drawn_page(**params)
        assert says.replace("`", "") in words(at), (params, says)
        assert live(at) == [], (params, says)


def test_an_example_that_a_drawing_can_hold_is_drawn_on() -> None:
    for data, title in (("sine", "Sine"), ("rpart_treble", "Treble (rpart)")):
        at = seeded("data", data=data)
        at.session_state["data_tabs"] = "Draw"
        at = run(at)
        label = next(one for one in at.button if "Draw on from" in one.label)
        assert title.replace("(", "\\(").replace(")", "\\)") in label.label, (data, title)
        at = run(label.click())
        assert params_of(at)["data"] == "drawn", (data, title)
        assert not any("Draw on from" in one.label for one in at.button), (data, title)
    at = seeded("data")
    at.session_state["data_tabs"] = "Draw"
    at = run(at)
    at = run(button(at, "Draw on from Iris").click())
    assert "A is setosa; B is versicolor; C is virginica" in words(at)
    at = seeded("data", data="penguins")
    at.session_state["data_tabs"] = "Draw"
    assert not any("Draw on" in one.label for one in run(at).button)


def test_kind_and_way_to_grow_are_chosen_beside_the_pad() -> None:
    at = drawn_page(points=TWO)
    at = run(at.segmented_control(key="draw_kind").set_value("colour"))
    assert params_of(at) == {"data": "drawn", "kind": "colour", "points": "1~2~1_3~4~2"}
    at = run(at.segmented_control(key="draw_kind").set_value("height"))
    assert params_of(at) == {"data": "drawn", "kind": "height", "points": "1~2_3~4"}
    at = app("data", data_tabs="Draw")
    at = run(button(at, "Draw on from Iris").click())
    at = run(button(at, "Grow a tree on it").click())
    assert params_of(at)["data"] == "drawn"
    assert not at.error


# --- steps of the pad -----------------------------------------------------------------------------


@pytest.fixture
def tab() -> Instrument:
    """A tab with a drawing, without the pages around it."""
    return drawing_tab(Drawing("classes", ROWS))


def drawing_tab(drawn: Drawing) -> Instrument:
    tab = Instrument(Visit(Session(drawing.drawing_recipe(drawn))))
    tab.replace_session(tab.visit.session)
    return tab


def did(tab: Instrument, *events: tuple[int, Any]) -> tuple[DrawnRow, ...]:
    tab.handle_message(
        {"events": [{"n": n, "picture": "pad", "event": event} for n, event in events]}
    )
    return tab.screen_without_data().pad.rows


def add(*cells: Any) -> dict[str, Any]:
    return {"what": "points", "target": "classes", "change": [[None, list(cells)]]}


UNDO, REDO = {"what": "undo"}, {"what": "redo"}


def test_a_long_drawing_is_a_file_of_the_tab_until_no_undo_comes_back_to_it(
    tab: Instrument, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [[None, [k / 10, 1, k % 2]] for k in range(400)]
    rows = did(tab, (1, {"what": "points", "change": many}))
    recipe = tab.visit.session.recipe
    assert len(rows) == 402
    assert recipe.name == "file"
    assert recipe.get("sha") == fingerprint(drawing.csv_bytes(tab.screen_without_data().pad))
    assert tab.dataset(recipe).n == 402
    assert len(did(tab, (2, UNDO))) == 2
    monkeypatch.setattr(session, "MAX_SESSIONS_KEPT", 3)
    did(tab, (3, {"what": "points", "change": [[None, [k / 10, 1, 0]] for k in range(400)]}))
    for k in range(4, 14):
        did(tab, (k, add(k, k, 1)))
    assert len(tab.files) == 4
    assert tab.visit.session.recipe.get("sha") in tab.files


# --- edits of the table ---------------------------------------------------------------------------

BASE = Drawing("classes", ROWS)


def edits(
    changed: dict[int, dict[str, Any]] | None = None,
    added: list[dict[str, Any]] | None = None,
    deleted: list[int] | None = None,
) -> dict[str, Any]:
    return {"edited_rows": changed or {}, "added_rows": added or [], "deleted_rows": deleted or []}


def test_edits_of_the_table_change_the_drawing_and_what_cannot_be_is_refused() -> None:
    after = apply_edits(
        BASE,
        edits({0: {"x1": "1,5"}, 1: {"class": "c"}}, [{"x1": "5", "x2": "6", "class": "A"}], [1]),
    )
    assert after.drawing.rows == ((1.5, 2.0, 0.0), (5.0, 6.0, 0.0))
    assert (after.refused, after.unfinished) == ((), 0)
    after = apply_edits(
        BASE,
        edits(
            {0: {"x1": "abc", "x2": "9"}, 1: {"class": "Z", "x1": None}},
            [{"x1": "1", "x2": "oh", "class": "A"}, {"x1": "1"}, {}],
        ),
    )
    assert after.drawing.rows == ((1.0, 9.0, 0.0), (3.0, 4.0, 1.0))
    assert after.refused[0] == "'abc' is no number a drawing can hold"
    assert "'Z' is no class from A to H" in after.refused
    assert after.refused[-1] == "4 cells in all not taken"
    assert after.unfinished == 2
    after = apply_edits(BASE, edits(added=[{"x1": "5\t6\tA\r\n7\t8\tB\r\n"}]))
    assert after.drawing.rows == (*ROWS, (5.0, 6.0, 0.0), (7.0, 8.0, 1.0))
    after = apply_edits(BASE, edits({1: {"x1": "5\t6\tA\n7\t8\tB"}}))
    assert after.drawing.rows == (ROWS[0], (5.0, 6.0, 0.0), (7.0, 8.0, 1.0))
    row = {"x1": "5", "x2": "6", "class": "A"}
    after = apply_edits(BASE, edits(added=[row] * (MAX_ROWS_DRAWN + 10)))
    assert len(after.drawing.rows) == MAX_ROWS_DRAWN
    assert after.refused == ("at most 2,000 points; the last 12 were left out",)


@given(drawings(), anything)
def test_any_edit_at_all_is_survived(base: Drawing, what: Any) -> None:
    name = COLUMNS[base.kind][0]
    for one in (
        what,
        edits(what, what, what),
        edits({0: what}, [what], [what]),
        edits({0: {name: what}}, [{name: what}]),
    ):
        after = apply_edits(base, one).drawing
        assert all(drawing.row_of(after.kind, row) == row for row in after.rows)


@given(hst.data())
def test_an_edit_does_not_undo_what_the_pad_did_meanwhile(data: hst.DataObject) -> None:
    rows = hst.lists(hst.sampled_from([(1.0, 1.0, 0.0), (2.0, 2.0, 1.0), (3.0, 3.0, 2.0)]))
    before, new = (tuple(data.draw(rows)) for _ in range(2))
    extra = (9.0, 9.0, 0.0)
    now = Drawing("classes", (*before, extra))
    after = merge(Drawing("classes", before), Drawing("classes", new), now)
    assert sorted(after.rows) == sorted((*new, extra))


def picture_in(at: AppTest) -> str:
    """The small picture of the tree, as it is said to those who do not see it."""
    found: str = next(one.body for one in at.get("html") if "<img" in one.body)
    return re.findall(r'alt="([^"]*)"', found)[0]
