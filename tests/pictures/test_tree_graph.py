"""The tree's frame: DOT statements one by one, what is said of each node, what is left out."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import numpy as np
from screens import HOSTILE

import dtviz
from dtviz.data.dataset import make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import goes_left
from dtviz.engine.tree import depth, height, preorder_key, rows_in
from dtviz.models.model import Model
from dtviz.pictures.gains import BINS, FULL, LEVELS, MAX_STRIPS, node_histograms
from dtviz.pictures.packing import pack
from dtviz.pictures.palette import DARK, LIGHT, SCALE, class_colour, step_of
from dtviz.pictures.tree_graph import MAX_NODES, max_depth_drawn, tree_frame


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
TREBLE = dtviz.fit(dtviz.load("rpart_treble"), Rules("squared_error"))


@cache
def many() -> Model:
    """A very large tree."""
    return dtviz.fit(dtviz.load("moons", n=4000, noise=0.6, seed=7))


@cache
def chain() -> Model:
    """A very deep one."""
    return dtviz.fit(make_dataset([np.arange(400.0)], np.arange(400) % 2, ["x"], "y", "AB"))


def test_every_node_and_edge_is_a_statement_by_itself_parents_first() -> None:
    frame = framed(HEIGHTS)
    nodes = nodes_of(frame)
    assert set(nodes) == set(HEIGHTS.tree.nodes)
    for node, (line, edge, _) in nodes.items():
        assert re.fullmatch(rf"\tn{node} \[label=<.*>.* id=n{node} .*\]\n", line)
        side = "no" if node % 2 else "yes"
        statement = rf"\tn{node // 2} -> n{node} \[id=e{node} .*taillabel={side}\]\n"
        assert re.fullmatch(statement, edge) if node > 1 else edge == ""
    assert frame["missing"] == {}
    assert frame["head"].startswith("digraph tree {")
    assert "}" not in frame["head"]
    order = list(nodes)
    assert all(order.index(node) > order.index(node // 2) for node in order[1:])
    assert all(order.index(k) < order.index(k + 1) for k in order if k % 2 == 0)


def test_the_focus_needs_no_new_layout_but_next_is_written() -> None:
    frame, other = framed(HEIGHTS, focus=3, next_node=2), framed(HEIGHTS, focus=1, next_node=2)
    assert (frame["focus"], other["focus"], frame["next"]) == ("3", "1", "2")
    assert nodes_of(frame) == nodes_of(other)
    assert ">next<" in line_of(frame, 2)
    assert words_of(frame, 2).endswith("splits next")
    assert framed(HEIGHTS)["focus"] == framed(HEIGHTS)["next"] == ""


def test_open_leaves_are_dashed_and_the_reason_of_others_is_written_without_their_rows() -> None:
    stops = dict.fromkeys(HEIGHTS.tree.rows, "") | {2: "pure: all 2 rows are f"}
    frame = framed(HEIGHTS, stops=stops)
    assert "dashed" not in line_of(frame, 2)
    assert ">pure<" in line_of(frame, 2)
    assert "pure: all 2 rows are f" in words_of(frame, 2)
    for leaf in HEIGHTS.tree.rows:
        assert ("dashed" in line_of(frame, leaf)) == (leaf != 2)
        assert words_of(frame, leaf).endswith("; open") == (leaf != 2)
    few = framed(HEIGHTS, stops={2: "2 rows: a split needs 8 rows"})
    assert "a split needs 8 rows" in line_of(few, 2)


def test_the_words_have_rule_rows_prediction_and_the_impurity_by_its_name() -> None:
    for criterion, says, writes in (
        ("entropy", "entropy 0.9852 bit", "7 rows, 0.9852 bit"),
        ("gini", "gini 0.4898", "7 rows, gini 0.4898"),
        ("error", "error 0.4286", "7 rows, error 0.4286"),
        ("gain_ratio", "entropy 0.9852 bit", "7 rows, 0.9852 bit"),
    ):
        frame = framed(dtviz.fit(dtviz.load("heights"), Rules(criterion)))
        assert f"7 rows, {says}" in words_of(frame, 1)
        assert f">{writes}<" in line_of(frame, 1)
    frame = framed(TREBLE)
    words = words_of(frame, 1)
    assert re.fullmatch(r"Node 1: \S.* ≤ \S+; \d+ rows, variance 8.25; predicts \S+", words)
    assert words_of(frame, 2).startswith("Node 2, yes: ")
    assert words_of(frame, 3).startswith("Node 3, no: ")


def test_of_a_very_large_tree_the_deepest_nodes_are_left_out_and_counted() -> None:
    tree, frame = many().tree, framed(many())
    total, levels = len(tree.nodes), max_depth_drawn(tree)
    nodes = nodes_of(frame)
    assert total > MAX_NODES
    assert levels is not None
    assert set(nodes) == {node for node in tree.nodes if depth(node) <= levels}
    assert 500 < len(nodes) <= MAX_NODES
    assert sum(frame["missing"].values()) == total - len(nodes)
    assert {depth(int(node)) for node in frame["missing"]} == {levels}
    assert frame["line"] == f"{len(tree.rows):,} leaves, height {height(tree)}"
    assert framed(HEIGHTS)["line"] == "3 leaves, height 2"


def test_the_ids_of_a_deep_chain_are_sent_as_text_and_its_depth_alone_is_in_words() -> None:
    frame = framed(chain())
    assert pack("tree", frame)
    assert all(isinstance(node, str) for node, *_ in frame["nodes"])
    nodes = nodes_of(frame)
    deepest = max(nodes)
    assert depth(deepest) > 200
    assert f"A node at depth {depth(deepest)}, " in nodes[deepest][2]


def test_the_dark_theme_has_its_colours() -> None:
    frame = framed(HEIGHTS, theme=DARK, next_node=2)
    assert frame["colours"] == {"ink": DARK.ink, "paper": DARK.paper, "accent": DARK.accent}
    assert DARK.ink in frame["head"]
    assert DARK.accent in line_of(frame, 2)
    assert LIGHT.ink not in frame["head"]


def test_hostile_names_add_nothing_and_long_names_hide_no_threshold() -> None:
    for name in HOSTILE:
        data = make_dataset([[1, 2, 3]], np.array([0, 1, 1]), [name], name, [name, "other"])
        nodes = nodes_of(framed(dtviz.fit(data)))
        assert set(nodes) == {1, 2, 3}, name
        for line, *_ in nodes.values():
            assert line.count("\n") == 1, name
            assert line.count("label=<<TABLE") == 1, name
            title = re.search(r"<B>(.*?)</B>", line)
            assert title
            assert not set("<>") & set(title[1].replace("<BR/>", "")), name
    data = make_dataset([[1, 2, 3]], np.array([0, 1, 1]), ["n" * 200], "y", "AB")
    line = line_of(framed(dtviz.fit(data)), 1)
    assert "≤ 1.5</B>" in line
    assert all(len(part) <= 26 for part in line.split("<B>")[1].split("</B>")[0].split("<BR/>"))


def test_the_shape_has_every_node_in_the_order_of_the_algorithm_and_the_colours_of_the_plane() -> (
    None
):
    for model in (HEIGHTS, TREBLE, chain()):
        shape, y = framed(model)["shape"], model.data.y
        nodes = sorted(model.tree.nodes, key=preorder_key)
        entries = [model.tree.nodes[node] for node in nodes]
        assert shape["depth"].tolist() == [depth(node) for node in nodes]
        assert shape["rows"].tolist() == [entry.n for entry in entries]
        hues = [shape["hues"][k] for k in shape["hue"]]
        if model.data.classes:
            assert hues == [class_colour(int(entry.value)) for entry in entries]
        else:
            assert shape["hues"] == SCALE
            steps = [step_of(entry.value, y.min(), y.max()) for entry in entries]
            assert shape["hue"].tolist() == steps
            assert len(set(steps)) > 1


# --- strips ---------------------------------------------------------------------------------------


COLUMN = np.array([1.0, 2, 3, 4, np.nan, 6, 7, 8])
MODELS = {
    "classes": dtviz.fit(dtviz.load("iris")),
    "numbers": dtviz.fit(dtviz.load("sine")),
    "categories": dtviz.fit(dtviz.load("play_tennis")),
    "gaps": dtviz.fit(make_dataset([COLUMN], np.arange(8) // 4, ["x"], "y", "AB")),
    "one row a leaf": dtviz.fit(
        make_dataset([np.arange(9.0) ** 9], np.arange(9) % 2, ["x"], "y", "AB")
    ),
    "huge values": dtviz.fit(
        make_dataset([np.array([-1e308, 1e308])], np.arange(2), ["x"], "y", "AB")
    ),
}


def counted(model: Model, levels: int | None = None) -> dict[int, tuple[int, Any]]:
    """The bins left of the cut and the counts, (kinds, BINS), by node."""
    strips = node_histograms(model.data, model.tree, levels)
    counts = strips["counts"].reshape(-1, strips["kinds"], BINS)
    pairs = zip(strips["left"].tolist(), counts, strict=True)
    return dict(zip(map(int, strips["nodes"]), pairs, strict=True))


def test_every_row_is_on_its_side_and_of_its_kind() -> None:
    for name, model in MODELS.items():
        data, strips = model.data, counted(model)
        assert set(strips) == set(model.tree.splits), name
        low, high = data.y.min(), data.y.max()
        levels = np.minimum((data.y - low) / (high - low) * LEVELS, LEVELS - 1).astype(int)
        kinds = data.y.astype(int) if data.classes else levels
        for node, (left, counts) in strips.items():
            split, rows = model.tree.splits[node], rows_in(model.tree, node)
            rows = rows[~np.isnan(data.columns[:, rows]).any(axis=0)]
            goes = goes_left(split, data.columns, rows)
            assert 0 < left < BINS, (name, node)
            for side, taken in ((counts[:, :left], goes), (counts[:, left:], ~goes)):
                there = set(np.flatnonzero(side.any(axis=1)).tolist())
                assert there == set(kinds[rows[taken]].tolist()), (name, node)


def test_counts_are_shares_of_the_fullest_bin_and_many_classes_are_counted_by_their_colours() -> (
    None
):
    x = np.array([0.0] * 50 + [10.0] * 100 + [5.0])
    model = dtviz.fit(make_dataset([x], np.array([0] * 50 + [1] * 101), ["x"], "y", "AB"))
    ((left, counts),) = counted(model).values()
    assert counts[0, 0] == FULL * 50 // 100
    assert counts[1, BINS - 1] == FULL
    assert counts[1, left:].tolist().count(FULL // 100) == 1  # the row at 5
    assert left == round(BINS * 0.25)
    y = np.arange(20)
    model = dtviz.fit(make_dataset([y], y, ["x"], "y", [f"c{k}" for k in y]), Rules(max_depth=1))
    ((_, counts),) = counted(model).values()
    assert counts.shape == (8, BINS)
    assert counts.any(axis=1).all()


def test_only_the_nodes_that_are_drawn_have_one_and_the_upper_ones_where_there_are_many() -> None:
    model, found = many(), counted(many())
    assert len(found) == MAX_STRIPS < len(model.tree.splits)
    deepest = max(node.bit_length() for node in found)
    assert {node for node in model.tree.splits if node.bit_length() < deepest} <= set(found)
    assert set(counted(model, 2)) == {1, 2, 3} & set(model.tree.splits)
    assert counted(model, 0) == {}
