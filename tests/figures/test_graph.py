"""The tree as DOT text in the colours of the page."""

from __future__ import annotations

import re

import numpy as np
import pytest
from screens import HOSTILE

import dtviz
from dtviz.data import dataset
from dtviz.figures import DARK, LIGHT, tree_dot
from dtviz.figures.graph import levels_drawn
from dtviz.model import Model
from dtviz.rules import Rules


def drawn(model: Model, **more: object) -> str:
    stops = dict.fromkeys(model.tree.rows, "")
    return tree_dot(model.data, model.rules_used, model.tree, stops, **more)  # type: ignore[arg-type]


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
    stops = dict.fromkeys(tree.rows, "") | {2: "pure: all 2 rows are f"}
    text = tree_dot(HEIGHTS.data, HEIGHTS.rules_used, tree, stops)
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


def test_a_large_tree_is_drawn_down_to_a_level() -> None:
    model = dtviz.fit(dtviz.load("moons", n=2000, noise=0.5, seed=7))
    levels = levels_drawn(model.tree)
    assert levels is not None
    text = drawn(model)
    depths = {node.bit_length() - 1 for node in ids(text)}
    assert max(depths) == levels
    assert len(ids(text)) < 250
    assert levels_drawn(HEIGHTS.tree) is None


def test_a_chain_of_many_leaves_has_a_level_too() -> None:
    data = dataset([np.arange(150.0)], np.arange(150) % 2, ["x"], "y", "AB")
    model = dtviz.fit(data)
    levels = levels_drawn(model.tree)
    assert levels is not None
    assert ids(drawn(model))


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
