"""A tree as Graphviz DOT: rule, rows, class bar and impurity a node; true left, false right.

The text is written with the graphviz package and every name from outside is escaped, so that no
label can add nodes, links or markup. Node k has the id "nk".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphviz import Digraph

from dtviz.data import Dataset
from dtviz.text import MAX_LENGTH, count, html, number
from dtviz.tree import Node, Tree, depth, preorder
from dtviz.words import rule_text, value_text

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1", "#7F7F7F")
BAR = 110


@dataclass(frozen=True, slots=True)
class Look:
    """How the graph is drawn: colours of the page, of each class, and what is marked.

    `stops` maps a leaf to the words under it ('' for an open leaf, drawn dashed); `next_node` is
    the leaf that splits next; `levels` is the depth below which nodes are folded into '...'.
    """

    ink: str = "#111418"
    paper: str = "#ffffff"
    muted: str = "#5b6570"
    accent: str = "#00588a"
    classes: tuple[str, ...] = PALETTE
    focus: int | None = None
    next_node: int | None = None
    stops: Mapping[int, str] = field(default_factory=dict)
    unit: str = ""
    measure: str = "impurity"
    levels: int | None = None


@dataclass(frozen=True, slots=True)
class Statements:
    """The DOT text in pieces, so that a part of the tree can be drawn: one line each.

    `nodes` maps a node to its line, `edges` a child to the line of the edge that leads to it.
    """

    head: str
    nodes: dict[int, str]
    edges: dict[int, str]


def dot(data: Dataset, tree: Tree, look: Look | None = None) -> str:
    """The DOT text of the tree."""
    parts = statements(data, tree, look or Look())
    lines = [parts.head]
    for node, line in parts.nodes.items():
        lines.append(line)
        lines += [parts.edges[child] for child in (2 * node, 2 * node + 1) if child in parts.edges]
    return "".join([*lines, "}\n"])


def statements(data: Dataset, tree: Tree, look: Look) -> Statements:
    """The lines of the tree's DOT text, node by node from left to right."""
    graph = Digraph("tree")
    graph.attr(bgcolor="transparent", nodesep="0.25", ranksep="0.35")
    font = {"fontname": "Helvetica,Arial,sans-serif", "fontsize": "12", "fontcolor": look.ink}
    graph.attr("node", shape="box", style="rounded", color=look.muted, **font)
    graph.attr("edge", color=look.muted, arrowsize="0.6", **{**font, "fontsize": "11"})
    out = Statements(graph.source.rsplit("}", 1)[0], {}, {})
    for node in sorted(tree.nodes, key=preorder):
        if look.levels is not None and depth(node) > look.levels:
            continue
        _draw_node(graph, data, tree, node, look)
        out.nodes[node] = graph.body[-1]
        if node in tree.splits and (look.levels is None or depth(node) < look.levels):
            for child, side in ((2 * node, " true "), (2 * node + 1, " false ")):
                graph.edge(f"n{node}", f"n{child}", label=side)
                out.edges[child] = graph.body[-1]
    return out


def _draw_node(graph: Digraph, data: Dataset, tree: Tree, node: int, look: Look) -> None:
    is_open = look.stops.get(node) == "" and node in tree.rows
    style = "rounded,dashed" if is_open else "rounded"
    attributes = {"style": style, "id": f"n{node}", "tooltip": f"node {node}"}
    if node == look.next_node:
        attributes |= {"color": look.accent, "penwidth": "1.8"}
    if node == look.focus:
        attributes |= {"color": look.accent, "penwidth": "3"}
    graph.node(f"n{node}", label=_label(data, tree, node, look), **attributes)


def _label(data: Dataset, tree: Tree, node: int, look: Look) -> str:
    known = tree.nodes[node]
    folded = look.levels is not None and depth(node) == look.levels and node in tree.splits
    if node in tree.splits:
        title = html(rule_text(data, tree, node), limit=2 * MAX_LENGTH)
    else:
        title = f"{html(data.target)}: {html(value_text(data, known))}"
    rows = [f"<B>{title}</B>", html(_numbers(known, look))]
    if known.counts:
        rows.insert(1, _bar(known, look))
    reason = look.stops.get(node, "")
    if folded:
        rows.append("...")
    elif reason:
        rows.append(f'<FONT COLOR="{look.muted}" POINT-SIZE="10">{html(_wrap(reason))}</FONT>')
    elif node == look.next_node:
        rows.append(f'<FONT COLOR="{look.accent}" POINT-SIZE="10">next</FONT>')
    cells = "".join(f"<TR><TD>{row}</TD></TR>" for row in rows)
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="2">{cells}</TABLE>>'


def _numbers(known: Node, look: Look) -> str:
    unit = f" {look.unit}" if look.unit else ""
    return f"{count(known.n, 'row')}, {look.measure} {number(known.impurity)}{unit}"


def _bar(known: Node, look: Look) -> str:
    """The class counts as coloured cells, each as wide as its share."""
    widths = [max(round(BAR * rows / known.n), 1) if rows else 0 for rows in known.counts]
    cells = []
    for k, width in enumerate(widths):
        if width:
            colour = look.classes[k % len(look.classes)]
            size = f'FIXEDSIZE="TRUE" HEIGHT="8" WIDTH="{width}"'
            cells.append(f'<TD BGCOLOR="{colour}" {size}></TD>')
    table = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    table += f' FIXEDSIZE="TRUE" WIDTH="{sum(widths)}" HEIGHT="8"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"


def _wrap(reason: str) -> str:
    """A reason short enough to stand under a node."""
    return reason.split(":")[0] if len(reason) > 34 else reason
