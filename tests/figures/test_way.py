"""The stage knows the leaf of every point, on the axes or off them, and where one row stands."""

from __future__ import annotations

import numpy as np
import pytest
from futures import future_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import data

import dtviz
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import apply
from dtviz.figures import way as figure
from dtviz.figures.frames import frames
from dtviz.figures.palette import LIGHT
from dtviz.figures.way import ways_frame
from dtviz.screen.screen import screen_of
from dtviz.screen.session import Row, Session
from dtviz.table.gallery import build, example_recipe

IRIS = example_recipe("iris")
DATA = build(IRIS)
FUTURE = future_of(DATA)


def sent(row: Row | None) -> dict[str, dict[str, object]]:
    session = Session(IRIS, log=FUTURE(default_rules(DATA.task), ()), axes=(2, 3), row=row)
    return frames(screen_of(session, DATA, FUTURE), LIGHT)  # type: ignore[return-value]


@given(st.data())
def test_every_point_ends_in_the_leaf_that_the_engine_sends_its_row_to(
    draw: st.DataObject,
) -> None:
    found = draw.draw(data())
    tree = dtviz.fit(found, default_rules(found.task)).tree
    rows = np.arange(found.n)[::-1]
    ends = ways_frame(found, tree, rows)["ends"]
    leaves, place = apply(tree, found.columns)
    assert [int(ends["node"][k]) for k in ends["of"]] == [leaves[k] for k in place[rows]]
    values = [tree.nodes[leaves[k]].value for k in place[rows]]
    assert [ends["value"][k] for k in ends["of"]] == values


def test_of_a_very_large_tree_the_leaves_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figure, "MOST_LEAVES", 1)
    assert ways_frame(DATA, dtviz.fit(DATA).tree, np.arange(DATA.n)) == {}


def test_a_shown_row_has_its_last_node_in_both_pictures_and_its_place() -> None:
    found, tree = sent(71), dtviz.fit(DATA).tree
    leaves, place = apply(tree, DATA.columns)
    row = found["stage"]["row"]
    assert row == {
        "node": str(leaves[place[70]]),
        "number": 71,
        "place": (DATA.columns[2][70], DATA.columns[3][70]),
    }
    assert found["tree"]["row"] == str(leaves[place[70]])


def test_a_typed_row_beyond_the_axes_stands_at_their_end_and_without_a_value_nowhere() -> None:
    stage = sent(((2, 1e9),))["stage"]
    assert stage["row"]["number"] is None  # type: ignore[index]
    assert stage["row"]["place"] == (stage["across"]["high"], None)  # type: ignore[index]


def test_without_a_row_nothing_is_shown() -> None:
    found = sent(None)
    assert "row" not in found["stage"]
    assert found["tree"]["row"] == ""
