"""A tree as Graphviz DOT: a node shows its rule, rows, class bar and impurity; yes goes left.

The graphviz package writes the text, and every name from outside is escaped, so that no label can
add nodes, edges or markup. Node 5 has the id "n5".
"""

from __future__ import annotations

from graphviz import Digraph, escape

from dtviz.base.text import MAX_TEXT_CHARS, graphviz, number
from dtviz.data.dataset import Dataset
from dtviz.engine.splits import branch_nodes
from dtviz.engine.tree import Node, Tree, class_shares
from dtviz.explain.words import answer_text, node_rows, prediction_text, rule_text

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1", "#7F7F7F")
INK, MUTED = "#111418", "#5b6570"
"""Colours of texts, and of boxes and edges."""
BAR_WIDTH, BAR_HEIGHT = 110, 8  # points of Graphviz


def tree_graph(data: Dataset, tree: Tree) -> Digraph:
    """Graph of the tree, which graphviz draws and a notebook shows."""
    graph = Digraph("tree")
    font = {"fontname": "Helvetica,Arial,sans-serif", "fontsize": "12", "fontcolor": INK}
    graph.attr(bgcolor="transparent", nodesep="0.25", ranksep="0.35")
    graph.attr("node", shape="box", style="rounded", color=MUTED, **font)
    graph.attr("edge", color=MUTED, arrowsize="0.6", **{**font, "fontsize": "11"})
    for node in tree.shown_nodes:
        label = _node_label(data, tree, node)
        graph.node(f"n{node}", label, style="rounded", id=f"n{node}", tooltip=f"node {node}")
        if node in tree.splits:
            for child in branch_nodes(tree.splits, node):
                answer = answer_text(data, tree, child)
                graph.edge(f"n{node}", f"n{child}", label=f" {escape(answer)} ")
    return graph


def dot(data: Dataset, tree: Tree) -> str:
    """The DOT text of the tree."""
    return str(tree_graph(data, tree).source)


def _node_label(data: Dataset, tree: Tree, node: int) -> str:
    """Label of a node as a table in Graphviz's HTML: title, class bar, rows and impurity."""
    facts = tree.nodes[node]
    numbers = f"{node_rows(facts)}, impurity {number(facts.impurity)}"
    bar = [_class_bar(facts)] if facts.counts else []
    rows = [f"<B>{_node_title(data, tree, node)}</B>", *bar, graphviz(numbers)]
    cells = "".join(f"<TR><TD>{row}</TD></TR>" for row in rows)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>>'


def _node_title(data: Dataset, tree: Tree, node: int) -> str:
    """The rule of a split or the prediction of a leaf, escaped."""
    if node in tree.splits:
        return graphviz(rule_text(data, tree, node), limit=2 * MAX_TEXT_CHARS)
    value = prediction_text(data, tree.leaf_model, tree.nodes[node])
    return f"{graphviz(data.target)}: {graphviz(value)}"


def _class_bar(facts: Node) -> str:
    """The class bar of a node: a coloured cell a class, as wide as its share."""
    widths = [max(round(BAR_WIDTH * share), 1) if share else 0 for share in class_shares(facts)]
    cells = [
        f'<TD BGCOLOR="{PALETTE[k % len(PALETTE)]}"'
        f' FIXEDSIZE="TRUE" HEIGHT="{BAR_HEIGHT}" WIDTH="{width}"></TD>'
        for k, width in enumerate(widths)
        if width
    ]
    table = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    table += f' FIXEDSIZE="TRUE" WIDTH="{sum(widths)}" HEIGHT="{BAR_HEIGHT}"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"
