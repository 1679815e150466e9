"""A tree as Graphviz DOT: rule, rows, class bar and impurity a node; yes left, no right.

The text is written with the graphviz package and every name from outside is escaped, so that no
label can add nodes, links or markup. Node k has the id "nk".
"""

from __future__ import annotations

import html
import math
import re
import textwrap
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from graphviz import Digraph

from dtviz.base.lazy import Last
from dtviz.base.text import MAX_LENGTH, clean, graphviz, number
from dtviz.data.dataset import Dataset
from dtviz.engine.tree import Node, Tree, class_shares, depth, preorder
from dtviz.explain.words import SIGNED, node_rows, rule_text, value_text

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1", "#7F7F7F")
BAR = 110
NARROW_BAR = 92
LOW_BAR, HIGH_BAR = 8, 18
NONE: Mapping[int, str] = MappingProxyType({})
LINE, REASON_LINE = 18, 24
"""Characters a line of a narrow node holds, and of the small print under it."""

ZOOMED = 1.08
"""How much wider letters are where a browser draws them smaller."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the graph is drawn: colours of the page, of each class, and what is marked.

    `stops` maps a leaf to the words under it ('' for an open leaf, drawn dashed); `next_node` is
    the leaf that splits next; `levels` is the depth below which nodes are folded into '...'.
    `narrow` breaks long lines and keeps the layout tight, for a page that has little width; the bar
    of a split is then high enough for a picture of its rows, and `fills` colours those of numbers.
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
    narrow: bool = False
    fills: Mapping[int, str] = field(default_factory=dict)


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


def statements(data: Dataset, tree: Tree, look: Look, last: Last | None = None) -> Statements:
    """The lines of the tree's DOT text, node by node from left to right.

    `last` knows those of other trees of the same data.
    """
    last = last or Last()
    page = replace(look, focus=None, next_node=None, stops=NONE, fills=NONE)
    out = Statements(last.get("head", page, lambda: _head(look)), {}, {})
    for node in sorted(tree.nodes, key=preorder):
        if look.levels is not None and depth(node) > look.levels:
            continue
        marks = node == look.focus, node == look.next_node, look.stops.get(node)
        of = tree.nodes[node], tree.splits.get(node), tree.gaps.get(node), look.fills.get(node)
        out.nodes[node] = last.get(
            ("node", node),
            (of, marks, page, tree.leaf_model.name),
            partial(_node, data, tree, node, look),
        )
        if node in tree.splits and (look.levels is None or depth(node) < look.levels):
            for child in (2 * node, 2 * node + 1):
                out.edges[child] = last.get(("edge", child), page, partial(_edge, child, look))
    return out


def _head(look: Look) -> str:
    return str(_begin(look).source.rsplit("}", 1)[0])


def _begin(look: Look) -> Digraph:
    """The graph without nodes; narrow, it keeps every left child on the left and fills nodes."""
    graph = Digraph("tree")
    font = {"fontname": "Helvetica,Arial,sans-serif", "fontsize": "12", "fontcolor": look.ink}
    spaces, box = {"nodesep": "0.25", "ranksep": "0.35"}, {"shape": "box", "style": "rounded"}
    if look.narrow:
        spaces = {"nodesep": "0.16", "ranksep": "0.4", "ordering": "out", "pad": "0.06,0.17"}
        box |= {"fillcolor": look.paper, "margin": "0.1,0.04", "width": "0", "height": "0"}
    graph.attr(bgcolor="transparent", **spaces)
    graph.attr("node", **box, color=look.muted, **font)
    graph.attr("edge", color=look.muted, arrowsize="0.6", **{**font, "fontsize": "11"})
    return graph


def _edge(child: int, look: Look) -> str:
    graph = Digraph()
    graph.edge(f"n{child // 2}", f"n{child}", **_on_edge(child, look))
    return str(graph.body[-1])


def _on_edge(child: int, look: Look) -> dict[str, str]:
    """What is written on the edge to a child; narrow, outside of it and beside the parent."""
    side = "no" if child % 2 else "yes"
    if not look.narrow:
        return {"label": f" {side} "}
    angle = "50" if child % 2 else "-50"
    return {"taillabel": side, "labelangle": angle, "labeldistance": "1.7", "id": f"e{child}"}


def _node(data: Dataset, tree: Tree, node: int, look: Look) -> str:
    is_open = look.stops.get(node) == "" and node in tree.rows
    style = "rounded,dashed" if is_open else "rounded"
    attributes = {"style": style, "id": f"n{node}", "tooltip": f"node {node}"}
    if look.narrow:
        attributes = {"style": f"{style},filled", "id": f"n{node}"}
    if node == look.next_node:
        attributes |= {"color": look.accent, "penwidth": "1.8"}
    if node == look.focus:
        attributes |= {"color": look.accent, "penwidth": "3"}
    graph = Digraph()
    graph.node(f"n{node}", label=_label(data, tree, node, look), **attributes)
    return str(graph.body[-1])


def _label(data: Dataset, tree: Tree, node: int, look: Look) -> str:
    known = tree.nodes[node]
    folded = look.levels is not None and depth(node) == look.levels and node in tree.splits
    rows = [f"<B>{_title(data, tree, node, look)}</B>", graphviz(_numbers(known, look))]
    if known.counts or node in look.fills:
        rows.insert(
            1, _bar(known, look, HIGH_BAR if look.narrow and node in tree.splits else LOW_BAR)
        )
    reason = look.stops.get(node, "")
    if folded and not look.narrow:
        rows.append("...")
    elif reason:
        size = f'COLOR="{look.muted}" POINT-SIZE="{11 if look.narrow else 10}"'
        rows.append(f"<FONT {size}>{_reason(reason, look)}</FONT>")
    elif node == look.next_node:
        points = 11 if look.narrow else 10
        rows.append(f'<FONT COLOR="{look.accent}" POINT-SIZE="{points}">next</FONT>')
    pad = 1 if look.narrow else 2
    widths = [f' WIDTH="{_bold_width(rows[0])}"' if look.narrow else ""] + [""] * len(rows)
    cells = "".join(
        f"<TR><TD{width}>{row}</TD></TR>" for width, row in zip(widths, rows, strict=False)
    )
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="{pad}">{cells}</TABLE>>'


def _bold_width(title: str) -> int:
    """Room for the widest line of a title in pixels: Graphviz takes bold letters for thin ones."""
    lines = re.sub("<(?!BR/>)[^>]*>", "", title).split("<BR/>")
    widest = max(sum(map(_bold_letter, html.unescape(line))) for line in lines)
    return math.ceil(ZOOMED * widest)


def _bold_letter(letter: str) -> float:
    """About how wide a letter of 12 pixels is."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 12.0
    widths = {"mwMW@%": 10.5, "frt": 5.2, "ijl.,:;'| ": 3.8}
    return next((width for letters, width in widths.items() if letter in letters), 7.4)


def _title(data: Dataset, tree: Tree, node: int, look: Look) -> str:
    """The rule of a node, or what it predicts; a threshold stays beside its sign."""
    if node in tree.splits:
        if not look.narrow:
            return graphviz(rule_text(data, tree, node), limit=2 * MAX_LENGTH)
        rule = rule_text(data, tree, node, SIGNED)
        return _broken("\u00a0".join(rule.rsplit(" ", 1)), LINE)
    value = value_text(data, tree.leaf_model, tree.nodes[node])
    title = f"{graphviz(data.target)}: {graphviz(value)}"
    if not look.narrow:
        return title
    return _broken(f"{clean(data.target)}: {value}", LINE)


def _broken(text: str, most: int) -> str:
    """`text` in lines of at most `most` characters, escaped; no-break spaces hold together."""
    lines = textwrap.wrap(text, most, break_on_hyphens=False)
    return "<BR/>".join(graphviz(line.replace("\u00a0", " ")) for line in lines)


def _numbers(known: Node, look: Look) -> str:
    if look.narrow and look.unit:
        return f"{node_rows(known)}, {number(known.impurity)} {look.unit}"
    unit = f" {look.unit}" if look.unit else ""
    return f"{node_rows(known)}, {look.measure} {number(known.impurity)}{unit}"


def _bar(known: Node, look: Look, high: int) -> str:
    """The classes as coloured cells, each as wide as its share; of a number its colour."""
    full = NARROW_BAR if look.narrow else BAR
    widths = [max(round(full * share), 1) if share else 0 for share in class_shares(known)]
    colours = [look.classes[k % len(look.classes)] for k in range(len(widths))]
    if not widths:
        widths, colours = [full], [look.fills[known.id]]
    cells = []
    for width, colour in zip(widths, colours, strict=True):
        if width:
            size = f'FIXEDSIZE="TRUE" HEIGHT="{high}" WIDTH="{width}"'
            cells.append(f'<TD BGCOLOR="{colour}" {size}></TD>')
    table = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    table += f' FIXEDSIZE="TRUE" WIDTH="{sum(widths)}" HEIGHT="{high}"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"


def _reason(reason: str, look: Look) -> str:
    """Why a leaf stops, short enough to stand under it."""
    if not look.narrow:
        return graphviz(reason.split(":")[0] if len(reason) > 34 else reason)
    head, _, tail = reason.partition(": ")
    said = tail if tail and head.endswith((" row", " rows")) else head  # the rows stand above
    return _broken(said, REASON_LINE)
