"""A tree as Graphviz DOT: a node shows its rule, rows, class bar and impurity; yes goes left.

The text is written with the graphviz package and every name from outside is escaped, so that no
label can add nodes, edges or markup. Node 5 has the id "n5", the edge to it "e5".
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

from dtviz.base.lazy import ValueKeeper, keep_nothing
from dtviz.base.text import MAX_TEXT_CHARS, clean, graphviz, number
from dtviz.data.dataset import Dataset
from dtviz.engine.tree import Node, Tree, class_shares, depth, preorder_key
from dtviz.explain.words import SYMBOL_WORDS, node_rows, prediction_text, rule_text

PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C6BB1", "#7F7F7F")
BAR_WIDTH, NARROW_BAR_WIDTH = 110, 92  # points of Graphviz, as the heights
LOW_BAR_HEIGHT, HIGH_BAR_HEIGHT = 8, 18
NO_TEXTS: Mapping[int, str] = MappingProxyType({})
LINE_LENGTH, REASON_LINE_LENGTH = 18, 24
"""Characters in a line of a narrow node, and in a line of the small print in it."""

BOLD_ZOOM = 1.08
"""Factor by which a browser that zooms out draws letters wider than the layout expects."""


@dataclass(frozen=True, slots=True)
class DotStyle:
    """Style of the graph: colours, marked nodes, layout, and texts that the tree does not give."""

    ink: str = "#111418"  # colour of texts
    paper: str = "#ffffff"  # colour of the page
    muted: str = "#5b6570"  # colour of frames, edges and small print
    accent: str = "#00588a"  # colour of marked nodes
    class_colours: tuple[str, ...] = PALETTE  # colour of each class
    focus: int | None = None  # id of the selected node
    next_node: int | None = None  # id of the leaf that splits next
    stops: Mapping[int, str] = field(default_factory=dict)
    """Reason why each leaf stops by node id, '' for an open leaf, which is drawn dashed."""
    unit: str = ""  # unit of the impurity
    impurity_name: str = "impurity"  # name of the impurity
    max_depth: int | None = None  # depth at which splits are folded into '...', None for no fold
    narrow: bool = False
    """True breaks long lines and packs nodes, for a page of little width. Bars of splits are high
    then: the page draws a picture of the rows over them."""
    bar_colours: Mapping[int, str] = field(
        default_factory=dict
    )  # bar colour by node id, for regression


@dataclass(frozen=True, slots=True)
class Statements:
    """Lines of the DOT text by what they draw, so that a part of the tree can be drawn."""

    head: str  # the opening of the graph with its attributes
    nodes: dict[int, str]  # line of each node, by node id
    edges: dict[int, str]  # line of the edge to each child, by the child's node id


def dot(data: Dataset, tree: Tree, style: DotStyle | None = None) -> str:
    """The DOT text of the tree."""
    parts = statements(data, tree, style or DotStyle())
    lines = [parts.head]
    for node, line in parts.nodes.items():
        lines.append(line)
        lines += [parts.edges[child] for child in (2 * node, 2 * node + 1) if child in parts.edges]
    return "".join([*lines, "}\n"])


def statements(
    data: Dataset, tree: Tree, style: DotStyle, keep: ValueKeeper = keep_nothing
) -> Statements:
    """The lines of the tree's DOT text, in preorder.

    `keep` keeps lines of earlier trees of the same data: a line is written anew only where its node
    or the style has changed.
    """
    common_style = replace(style, focus=None, next_node=None, stops=NO_TEXTS, bar_colours=NO_TEXTS)
    lines = Statements(keep("head", common_style, lambda: _head(style)), {}, {})
    for node in sorted(tree.nodes, key=preorder_key):
        if style.max_depth is not None and depth(node) > style.max_depth:
            continue
        marks = node == style.focus, node == style.next_node, style.stops.get(node)
        facts = (
            tree.nodes[node],
            tree.splits.get(node),
            tree.threshold_neighbours.get(node),
            style.bar_colours.get(node),
        )
        lines.nodes[node] = keep(
            ("node", node),
            (facts, marks, common_style, tree.leaf_model.name),
            partial(_node_line, data, tree, node, style),
        )
        if node in tree.splits and (style.max_depth is None or depth(node) < style.max_depth):
            for child in (2 * node, 2 * node + 1):
                write = partial(_edge_line, child, style)
                lines.edges[child] = keep(("edge", child), common_style, write)
    return lines


def _head(style: DotStyle) -> str:
    return str(_empty_graph(style).source.rsplit("}", 1)[0])


def _empty_graph(style: DotStyle) -> Digraph:
    """The graph without nodes; a narrow one keeps each left child on the left."""
    graph = Digraph("tree")
    font = {"fontname": "Helvetica,Arial,sans-serif", "fontsize": "12", "fontcolor": style.ink}
    spaces, box = {"nodesep": "0.25", "ranksep": "0.35"}, {"shape": "box", "style": "rounded"}
    if style.narrow:
        spaces = {"nodesep": "0.16", "ranksep": "0.4", "ordering": "out", "pad": "0.06,0.17"}
        box |= {"fillcolor": style.paper, "margin": "0.1,0.04", "width": "0", "height": "0"}
    graph.attr(bgcolor="transparent", **spaces)
    graph.attr("node", **box, color=style.muted, **font)
    graph.attr("edge", color=style.muted, arrowsize="0.6", **{**font, "fontsize": "11"})
    return graph


def _edge_line(child: int, style: DotStyle) -> str:
    graph = Digraph()
    graph.edge(f"n{child // 2}", f"n{child}", **_edge_attributes(child, style))
    return str(graph.body[-1])


def _edge_attributes(child: int, style: DotStyle) -> dict[str, str]:
    """Attributes of the edge to a child: its label, beside the parent in a narrow graph."""
    side = "no" if child % 2 else "yes"
    if not style.narrow:
        return {"label": f" {side} "}
    angle = "50" if child % 2 else "-50"
    return {"taillabel": side, "labelangle": angle, "labeldistance": "1.7", "id": f"e{child}"}


def _node_line(data: Dataset, tree: Tree, node: int, style: DotStyle) -> str:
    is_open = style.stops.get(node) == "" and node in tree.rows
    frame = "rounded,dashed" if is_open else "rounded"
    attributes = {"style": frame, "id": f"n{node}", "tooltip": f"node {node}"}
    if style.narrow:
        attributes = {"style": f"{frame},filled", "id": f"n{node}"}
    if node == style.next_node:
        attributes |= {"color": style.accent, "penwidth": "1.8"}
    if node == style.focus:
        attributes |= {"color": style.accent, "penwidth": "3"}
    graph = Digraph()
    graph.node(f"n{node}", label=_node_label(data, tree, node, style), **attributes)
    return str(graph.body[-1])


def _node_label(data: Dataset, tree: Tree, node: int, style: DotStyle) -> str:
    facts = tree.nodes[node]
    is_folded = (
        style.max_depth is not None and depth(node) == style.max_depth and node in tree.splits
    )
    rows = [f"<B>{_node_title(data, tree, node, style)}</B>", graphviz(_node_numbers(facts, style))]
    if facts.counts or node in style.bar_colours:
        rows.insert(
            1,
            _class_bar(
                facts,
                style,
                HIGH_BAR_HEIGHT if style.narrow and node in tree.splits else LOW_BAR_HEIGHT,
            ),
        )
    reason = style.stops.get(node, "")
    if is_folded and not style.narrow:
        rows.append("...")
    elif reason:
        size = f'COLOR="{style.muted}" POINT-SIZE="{11 if style.narrow else 10}"'
        rows.append(f"<FONT {size}>{_short_reason(reason, style)}</FONT>")
    elif node == style.next_node:
        points = 11 if style.narrow else 10
        rows.append(f'<FONT COLOR="{style.accent}" POINT-SIZE="{points}">next</FONT>')
    pad = 1 if style.narrow else 2
    widths = [f' WIDTH="{_bold_width(rows[0])}"' if style.narrow else ""] + [""] * len(rows)
    cells = "".join(
        f"<TR><TD{width}>{row}</TD></TR>" for width, row in zip(widths, rows, strict=False)
    )
    return f'<<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="{pad}">{cells}</TABLE>>'


def _bold_width(title: str) -> int:
    """Width in pixels of the widest line of a bold title."""
    # The label states this width, because Graphviz measures bold letters as if they were thin.
    lines = re.sub("<(?!BR/>)[^>]*>", "", title).split("<BR/>")
    widest = max(sum(map(_bold_letter, html.unescape(line))) for line in lines)
    return math.ceil(BOLD_ZOOM * widest)


def _bold_letter(letter: str) -> float:
    """Approximate width in pixels of a bold letter of 12 pixels."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 12.0
    widths = {"mwMW@%": 10.5, "frt": 5.2, "ijl.,:;'| ": 3.8}
    return next((width for letters, width in widths.items() if letter in letters), 7.4)


def _node_title(data: Dataset, tree: Tree, node: int, style: DotStyle) -> str:
    """The rule of a split or the prediction of a leaf, escaped."""
    if node in tree.splits:
        if not style.narrow:
            return graphviz(rule_text(data, tree, node), limit=2 * MAX_TEXT_CHARS)
        rule = rule_text(data, tree, node, SYMBOL_WORDS)
        # A no-break space keeps the threshold beside its sign.
        return _wrapped("\u00a0".join(rule.rsplit(" ", 1)), LINE_LENGTH)
    value = prediction_text(data, tree.leaf_model, tree.nodes[node])
    title = f"{graphviz(data.target)}: {graphviz(value)}"
    if not style.narrow:
        return title
    return _wrapped(f"{clean(data.target)}: {value}", LINE_LENGTH)


def _wrapped(text: str, width: int) -> str:
    """`text` in lines of at most `width` characters, escaped; not broken at no-break spaces."""
    lines = textwrap.wrap(text, width, break_on_hyphens=False)
    return "<BR/>".join(graphviz(line.replace("\u00a0", " ")) for line in lines)


def _node_numbers(facts: Node, style: DotStyle) -> str:
    """The rows and the impurity of a node; in a narrow one the unit stands for the name."""
    name = "" if style.narrow and style.unit else f"{style.impurity_name} "
    return f"{node_rows(facts)}, {name}{number(facts.impurity)} {style.unit}".rstrip()


def _class_bar(facts: Node, style: DotStyle, height: int) -> str:
    """The bar of a node: a cell for each class, as wide as its share; for regression one cell."""
    full_width = NARROW_BAR_WIDTH if style.narrow else BAR_WIDTH
    widths = [max(round(full_width * share), 1) if share else 0 for share in class_shares(facts)]
    colours = [style.class_colours[k % len(style.class_colours)] for k in range(len(widths))]
    if not widths:
        widths, colours = [full_width], [style.bar_colours[facts.id]]
    cells = []
    for width, colour in zip(widths, colours, strict=True):
        if width:
            size = f'FIXEDSIZE="TRUE" HEIGHT="{height}" WIDTH="{width}"'
            cells.append(f'<TD BGCOLOR="{colour}" {size}></TD>')
    table = 'BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"'
    table += f' FIXEDSIZE="TRUE" WIDTH="{sum(widths)}" HEIGHT="{height}"'
    return f"<TABLE {table}><TR>{''.join(cells)}</TR></TABLE>"


def _short_reason(reason: str, style: DotStyle) -> str:
    """The reason why a leaf stops, shortened to fit under it."""
    if not style.narrow:
        return graphviz(reason.split(":")[0] if len(reason) > 34 else reason)
    head, _, tail = reason.partition(": ")
    # A reason that begins with the number of rows is cut there: the node shows that number above.
    part = tail if tail and head.endswith((" row", " rows")) else head
    return _wrapped(part, REASON_LINE_LENGTH)
