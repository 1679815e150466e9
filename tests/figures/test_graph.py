"""The frame of the tree: DOT lines in the colours of the page, and what is said of each node."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from screens import HOSTILE

import dtviz
from dtviz.data import dataset
from dtviz.dot import Look, dot
from dtviz.figures.graph import MAX_NODES, levels_drawn, tree_frame
from dtviz.figures.palette import DARK, LIGHT
from dtviz.model import Model
from dtviz.rules import Rules


def framed(model: Model, stops: dict[int, str] | None = None, **more: Any) -> dict[str, Any]:
    stops = dict.fromkeys(model.tree.rows, "") | (stops or {})
    return tree_frame(model.data, model.rules_used, model.tree, stops, **more)


def drawn(model: Model, **more: Any) -> str:
    """The DOT text that the browser puts together of all nodes."""
    frame = framed(model, **more)
    return frame["head"] + "".join(line + edge for _, line, edge, _ in frame["nodes"]) + "}"


def ids(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"\bid=n(\d+)", text)}


def node_of(text: str, node: int) -> str:
    return next(line for line in text.splitlines() if f"id=n{node} " in line)


HEIGHTS = dtviz.fit(dtviz.load("heights"))


def test_every_node_and_edge_of_a_small_tree() -> None:
    text = drawn(HEIGHTS)
    assert ids(text) == set(HEIGHTS.tree.nodes)
    assert text.count(" true ") == text.count(" false ") == len(HEIGHTS.tree.splits)
    assert re.search(r'n1 -> n2 \[label=" true "', text)
    assert re.search(r'n1 -> n3 \[label=" false "', text)
    assert "7 rows, entropy 0.9852 bit" in node_of(text, 1)


def test_focus_and_next_are_marked() -> None:
    text = drawn(HEIGHTS, focus=3, next_node=2)
    assert "penwidth=3" in node_of(text, 3)
    assert "penwidth=1.8" in node_of(text, 2)
    assert ">next<" in node_of(text, 2)
    assert "penwidth" not in node_of(text, 1)


def test_open_leaves_are_dashed_and_stops_are_written() -> None:
    tree = HEIGHTS.tree
    text = drawn(HEIGHTS, stops={2: "pure: all 2 rows are f"})
    assert "dashed" not in node_of(text, 2)
    assert "pure: all 2 rows are f" in node_of(text, 2)
    assert all("dashed" in node_of(text, leaf) for leaf in tree.rows if leaf != 2)


@pytest.mark.parametrize(
    ("criterion", "says"),
    [("entropy", "entropy"), ("gini", "gini"), ("error", "error"), ("gain_ratio", "entropy")],
)
def test_the_impurity_is_called_by_its_name(criterion: str, says: str) -> None:
    text = drawn(dtviz.fit(dtviz.load("heights"), Rules(criterion)))
    assert re.search(rf"7 rows, {says} 0\.\d+", node_of(text, 1))


def test_a_number_has_a_variance() -> None:
    data = dtviz.load("rpart_treble")
    text = drawn(dtviz.fit(data, dtviz.rules.default_rules(data.task)))
    assert "variance 8.25" in node_of(text, 1)


def test_the_dot_text_is_that_of_the_export() -> None:
    lines = drawn(HEIGHTS, stops={2: "x", 6: "x", 7: "x"}).splitlines()
    stops = dict.fromkeys(HEIGHTS.tree.rows, "x")
    look = Look(stops=stops, unit="bit", measure="entropy")
    assert sorted(lines) == sorted(dot(HEIGHTS.data, HEIGHTS.tree, look).splitlines())


def test_every_part_of_the_tree_is_a_graph_of_its_own() -> None:
    frame = framed(dtviz.fit(dtviz.load("moons", n=60)))
    assert frame["head"].startswith("digraph tree {")
    for node, line, edge, _ in frame["nodes"]:
        assert line.startswith(f"\tn{node} [")
        assert line.count("\n") == 1
        if node == "1":
            assert edge == ""
        else:
            assert edge.startswith(f"\tn{int(node) // 2} -> n{node} [")
            assert edge.count("\n") == 1


def test_each_node_is_said_in_words() -> None:
    frame = framed(HEIGHTS, stops={2: "pure: all 2 rows are f"}, focus=3, next_node=6)
    said = {node: words for node, _, _, words in frame["nodes"]}
    assert said["1"] == "Node 1: height <= 165; 7 rows, entropy 0.9852 bit"
    assert said["2"] == "Node 2: gender: f; 2 rows, entropy 0 bit; pure: all 2 rows are f"
    assert said["6"].endswith("; open")
    assert (frame["focus"], frame["next"]) == ("3", "6")


def test_a_huge_tree_is_sent_down_to_a_level() -> None:
    rng = np.random.default_rng(1)
    data = dataset([rng.random(4000)], rng.integers(0, 2, 4000), ["x"], "y", "AB")
    model = dtviz.fit(data)
    assert len(model.tree.nodes) > MAX_NODES
    levels = levels_drawn(model.tree)
    assert levels is not None
    sent = ids(drawn(model))
    assert max(node.bit_length() - 1 for node in sent) == levels
    assert len(sent) <= MAX_NODES
    assert levels_drawn(HEIGHTS.tree) is None


def test_node_ids_without_bound_travel_as_text() -> None:
    data = dataset([np.arange(150.0)], np.arange(150) % 2, ["x"], "y", "AB")
    deep = [node for node, *_ in framed(dtviz.fit(data))["nodes"]]
    assert max(map(int, deep)) > 2**63
    assert all(isinstance(node, str) for node in deep)


def test_dark() -> None:
    text = drawn(HEIGHTS, theme=DARK, focus=1)
    assert DARK.ink in text
    assert DARK.accent in text
    assert LIGHT.ink not in text


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:30])
def test_hostile_names_add_nothing(name: str) -> None:
    data = dataset([[1, 2, 3]], np.array([0, 1, 1]), [name], name, [name, "other"])
    text = drawn(dtviz.fit(data))
    assert ids(text) == {1, 2, 3}
    labels = "".join(re.findall(r"<B>(.*?)</B>", text))
    assert "<" not in labels
    assert ">" not in labels
    assert text.count("label=<<TABLE") == 3


def test_a_long_name_does_not_hide_the_threshold() -> None:
    data = dataset([[1, 2, 3]], np.array([0, 1, 1]), ["n" * 200], "y", "AB")
    assert "1.5</B>" in node_of(drawn(dtviz.fit(data)), 1)
