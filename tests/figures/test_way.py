"""The stage knows the leaf of every point, on the axes or off them, and where one row stands."""

from __future__ import annotations

from typing import Any

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
from dtviz.figures.frames import PICTURES
from dtviz.figures.palette import LIGHT
from dtviz.figures.way import ways_frame
from dtviz.screen.screen import screen_of
from dtviz.screen.session import Row, Session
from dtviz.table.gallery import build, example_recipe

IRIS = example_recipe("iris")
DATA = build(IRIS)
FUTURE = future_of(DATA)
LOG = FUTURE(default_rules(DATA.task), ())


def sent(row: Row | None) -> dict[str, Any]:
    session = Session(IRIS, log=LOG, axes=(2, 3), row=row)
    screen = screen_of(session, DATA, FUTURE)
    return {name: PICTURES[name].draw(screen, LIGHT) for name in ("stage", "tree")}


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
    frames, tree = sent(71), dtviz.fit(DATA).tree
    leaves, place = apply(tree, DATA.columns)
    assert frames["stage"]["row"] == {
        "node": str(leaves[place[70]]),
        "number": 71,
        "place": (DATA.columns[2][70], DATA.columns[3][70]),
    }
    assert frames["tree"]["row"] == str(leaves[place[70]])
    stage = sent(((2, 1e9),))["stage"]  # beyond the axis, and without the other value
    assert stage["row"]["number"] is None
    assert stage["row"]["place"] == (stage["across"]["high"], None)
    frames = sent(None)
    assert "row" not in frames["stage"]
    assert frames["tree"]["row"] == ""
