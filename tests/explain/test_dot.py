"""DOT text: every node once, labels escaped so that no name draws anything."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from cases import GOOD_PLACE, RPART_TREBLE, data_of
from hypothesis import given
from strategies import NASTY, grown

import dtviz
from dtviz import Rules
from dtviz.base.text import clean
from dtviz.data.dataset import make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Collapse, fold
from dtviz.explain.dot import dot

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


def drawn_by_graphviz(texts: Iterable[str]) -> list[str]:
    """The lines of text in the SVG of all graphs, as they are read."""
    command = [Path(sys.executable).parent / "graphviz-pure", "-Tsvg"]
    done = subprocess.run(
        command, input="".join(texts), capture_output=True, encoding="utf-8", check=True
    )
    found = re.findall(r"<text[^>]*>(.*?)</text>", done.stdout)
    return [html.unescape(line).replace("\u00a0", " ") for line in found]


def test_graphviz_draws_every_name_as_it_stands() -> None:
    """It would read `\\N` as the node's name, `\\G` as the graph's and `\\E` as the edge's."""
    names = [*dict.fromkeys(filter(None, map(clean, (*NASTY, *ESCAPED))))]
    tables = [make_dataset([[1, 2]], np.array([0, 1]), [name], "y", [name, "o"]) for name in names]
    drawn = drawn_by_graphviz(dot(table, dtviz.fit(table).tree) for table in tables)
    rules = [line for line in drawn if line.endswith(" <= 1.5")]
    assert rules == [f"{name} <= 1.5" for name in names]
    assert [line for line in drawn if line.startswith("y: ") and line != "y: o"] == [
        f"y: {name}" for name in names
    ]


def test_the_label_says_rule_rows_and_impurity() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE))
    drawn = nodes_of(dot(model.data, model.tree))
    assert "forbidden_expression &lt;= 0.5" in drawn[1]
    assert "10 rows, impurity 1" in drawn[1]
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
    assert bare.graph().source == bare.export("dot")
