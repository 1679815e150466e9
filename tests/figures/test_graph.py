"""The tree's frame: DOT statements one by one, what is said of each node, what is left out."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from screens import HOSTILE

import dtviz
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import depth, height, preorder
from dtviz.figures.frame import pack
from dtviz.figures.graph import MAX_NODES, levels_drawn, tree_frame
from dtviz.figures.palette import DARK, LIGHT, SCALE, class_colour, step_of
from dtviz.model import Model
from dtviz.table.data import dataset


def framed(model: Model, **more: Any) -> dict[str, Any]:
    stops = more.pop("stops", dict.fromkeys(model.tree.rows, ""))
    return tree_frame(Problem(model.data, model.rules_used), model.tree, stops, **more)


def nodes_of(frame: dict[str, Any]) -> dict[int, list[Any]]:
    """The entries by id: DOT line, line of the edge, words."""
    return {int(node): rest for node, *rest in frame["nodes"]}


def line_of(frame: dict[str, Any], node: int) -> str:
    return str(nodes_of(frame)[node][0])


def words_of(frame: dict[str, Any], node: int) -> str:
    return str(nodes_of(frame)[node][2])


HEIGHTS = dtviz.fit(dtviz.load("heights"))


@pytest.fixture(scope="module")
def many() -> Model:
    """A very large tree."""
    return dtviz.fit(dtviz.load("moons", n=5000, noise=0.5, seed=7))


@pytest.fixture(scope="module")
def chain() -> Model:
    """A very deep one."""
    return dtviz.fit(dataset([np.arange(900.0)], np.arange(900) % 2, ["x"], "y", "AB"))


def test_every_node_and_edge_is_a_statement_of_its_own() -> None:
    frame = framed(HEIGHTS)
    nodes = nodes_of(frame)
    assert set(nodes) == set(HEIGHTS.tree.nodes)
    for node, (line, edge, _) in nodes.items():
        assert re.fullmatch(rf"\tn{node} \[label=<.*>.* id=n{node} .*\]\n", line)
        side = "no" if node % 2 else "yes"
        whole = rf"\tn{node // 2} -> n{node} \[id=e{node} .*taillabel={side}\]\n"
        assert re.fullmatch(whole, edge) if node > 1 else edge == ""
    assert frame["missing"] == {}
    assert frame["head"].startswith("digraph tree {")
    assert "}" not in frame["head"]


def test_a_parent_comes_before_its_children_and_left_before_right() -> None:
    order = list(nodes_of(framed(HEIGHTS)))
    assert all(order.index(node) > order.index(node // 2) for node in order[1:])
    assert all(order.index(k) < order.index(k + 1) for k in order if k % 2 == 0)


def test_the_frame_can_be_packed(chain: Model) -> None:
    assert pack("tree", framed(chain))


def test_the_focus_needs_no_new_layout_but_next_is_written() -> None:
    frame, other = framed(HEIGHTS, focus=3, next_node=2), framed(HEIGHTS, focus=1, next_node=2)
    assert (frame["focus"], other["focus"], frame["next"]) == ("3", "1", "2")
    assert nodes_of(frame) == nodes_of(other)
    assert ">next<" in line_of(frame, 2)
    assert words_of(frame, 2).endswith("splits next")
    assert framed(HEIGHTS)["focus"] == framed(HEIGHTS)["next"] == ""


def test_open_leaves_are_dashed_and_stops_are_written() -> None:
    stops = dict.fromkeys(HEIGHTS.tree.rows, "") | {2: "pure: all 2 rows are f"}
    frame = framed(HEIGHTS, stops=stops)
    assert "dashed" not in line_of(frame, 2)
    assert ">pure<" in line_of(frame, 2)
    assert "pure: all 2 rows are f" in words_of(frame, 2)
    for leaf in HEIGHTS.tree.rows:
        assert ("dashed" in line_of(frame, leaf)) == (leaf != 2)
        assert words_of(frame, leaf).endswith("; open") == (leaf != 2)


def test_the_reason_under_a_leaf_is_not_its_rows_again() -> None:
    stops = {2: "2 rows: a split needs 8 rows"}
    line = line_of(framed(HEIGHTS, stops=stops), 2)
    assert "a split needs 8 rows" in line


@pytest.mark.parametrize(
    ("criterion", "says", "writes"),
    [
        ("entropy", "entropy 0.9852 bit", "7 rows, 0.9852 bit"),
        ("gini", "gini 0.4898", "7 rows, gini 0.4898"),
        ("error", "error 0.4286", "7 rows, error 0.4286"),
        ("gain_ratio", "entropy 0.9852 bit", "7 rows, 0.9852 bit"),
    ],
)
def test_the_impurity_is_called_by_its_name(criterion: str, says: str, writes: str) -> None:
    frame = framed(dtviz.fit(dtviz.load("heights"), Rules(criterion)))
    assert f"7 rows, {says}" in words_of(frame, 1)
    assert f">{writes}<" in line_of(frame, 1)


def test_the_words_say_rule_rows_impurity_and_prediction() -> None:
    data = dtviz.load("rpart_treble")
    frame = framed(dtviz.fit(data, dtviz.engine.rules.default_rules(data.task)))
    said = words_of(frame, 1)
    assert re.fullmatch(r"Node 1: \S.* ≤ \S+; \d+ rows, variance 8.25; predicts \S+", said)
    assert words_of(frame, 2).startswith("Node 2, yes: ")
    assert words_of(frame, 3).startswith("Node 3, no: ")


def test_of_a_very_large_tree_the_deepest_nodes_are_left_out_and_counted(many: Model) -> None:
    total = len(many.tree.nodes)
    frame = framed(many)
    levels = levels_drawn(many.tree)
    nodes = nodes_of(frame)
    assert total > MAX_NODES
    assert levels is not None
    assert set(nodes) == {node for node in many.tree.nodes if depth(node) <= levels}
    assert 500 < len(nodes) <= MAX_NODES
    assert sum(frame["missing"].values()) == total - len(nodes)
    assert {depth(int(node)) for node in frame["missing"]} == {levels}
    assert frame["line"] == f"{len(many.tree.rows):,} leaves, height {height(many.tree)}"
    assert framed(HEIGHTS)["line"] == "3 leaves, height 2"


def test_the_ids_of_a_deep_chain_are_sent_as_text_and_not_said(chain: Model) -> None:
    frame = framed(chain)
    assert all(isinstance(node, str) for node, *_ in frame["nodes"])
    nodes = nodes_of(frame)
    deepest = max(nodes)
    assert depth(deepest) > 200
    assert f"A node at depth {depth(deepest)}, " in nodes[deepest][2]


def test_dark() -> None:
    frame = framed(HEIGHTS, theme=DARK, next_node=2)
    assert frame["colours"] == {"ink": DARK.ink, "paper": DARK.paper, "accent": DARK.accent}
    assert DARK.ink in frame["head"]
    assert DARK.accent in line_of(frame, 2)
    assert LIGHT.ink not in frame["head"]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
def test_hostile_names_add_nothing(name: str) -> None:
    data = dataset([[1, 2, 3]], np.array([0, 1, 1]), [name], name, [name, "other"])
    nodes = nodes_of(framed(dtviz.fit(data)))
    assert set(nodes) == {1, 2, 3}
    for line, *_ in nodes.values():
        assert line.count("\n") == 1
        assert line.count("label=<<TABLE") == 1
        title = re.search(r"<B>(.*?)</B>", line)
        assert title
        assert not set("<>") & set(title[1].replace("<BR/>", ""))


def test_a_long_name_is_broken_and_does_not_hide_the_threshold() -> None:
    data = dataset([[1, 2, 3]], np.array([0, 1, 1]), ["n" * 200], "y", "AB")
    line = line_of(framed(dtviz.fit(data)), 1)
    assert "≤ 1.5</B>" in line
    assert all(len(part) <= 26 for part in line.split("<B>")[1].split("</B>")[0].split("<BR/>"))


def test_the_shape_has_every_node_in_the_order_of_the_algorithm_and_the_colours_of_the_plane(
    many: Model, chain: Model
) -> None:
    for model in (HEIGHTS, many, chain):
        shape = framed(model)["shape"]
        order = sorted(model.tree.nodes, key=preorder)
        known = [model.tree.nodes[node] for node in order]
        assert shape["depth"].tolist() == [depth(node) for node in order]
        assert shape["rows"].tolist() == [node.n for node in known]
        assert [shape["hues"][k] for k in shape["hue"]] == [
            class_colour(int(node.value)) for node in known
        ]


def test_numbers_are_coloured_by_their_place_on_the_scale() -> None:
    data = dtviz.load("rpart_treble")
    model = dtviz.fit(data, dtviz.engine.rules.default_rules(data.task))
    shape = framed(model)["shape"]
    values = [model.tree.nodes[node].value for node in sorted(model.tree.nodes, key=preorder)]
    low, high = data.y.min(), data.y.max()
    assert shape["hue"].tolist() == [step_of(value, low, high) for value in values]
    assert len(set(shape["hue"].tolist())) > 1
    assert shape["hues"] == SCALE
