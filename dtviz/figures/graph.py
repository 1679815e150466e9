"""The tree as the browser draws it: DOT statements in the colours of the page, and words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dtviz.criteria import CRITERIA
from dtviz.data import Dataset
from dtviz.dot import Look, statements
from dtviz.explain import impurity_name
from dtviz.figures.palette import LIGHT, Theme
from dtviz.rules import Rules
from dtviz.text import clean, count, number
from dtviz.tree import Tree, depth, height
from dtviz.words import rule_text, value_text

MAX_NODES = 1_500


def tree_frame(
    data: Dataset,
    rules: Rules,
    tree: Tree,
    stops: Mapping[int, str],
    focus: int | None = None,
    next_node: int | None = None,
    theme: Theme = LIGHT,
) -> dict[str, Any]:
    """The frame of the tree; `stops` holds the words under each leaf, '' for an open one.

    Each node has its DOT line, the line of the edge that leads to it, and what is said of it; ids
    are text, since they have no bound. Of more than 1,500 nodes the deepest are left out.
    """
    look = Look(
        ink=theme.ink,
        paper=theme.paper,
        muted=theme.muted,
        accent=theme.accent,
        focus=focus,
        next_node=next_node,
        stops=stops,
        unit=CRITERIA[rules.criterion].unit,
        measure=impurity_name(rules),
        levels=levels_drawn(tree),
    )
    lines = statements(data, tree, look)
    return {
        "head": lines.head,
        "nodes": [
            [str(node), line, lines.edges.get(node, ""), spoken(data, rules, tree, node, stops)]
            for node, line in lines.nodes.items()
        ],
        "focus": "" if focus is None else str(focus),
        "next": "" if next_node is None else str(next_node),
        "paper": theme.paper,
    }


def levels_drawn(tree: Tree) -> int | None:
    """The depth down to which the tree is sent; None where all of it is."""
    if len(tree.nodes) <= MAX_NODES:
        return None
    at_level = [0] * (height(tree) + 1)
    for node in tree.nodes:
        at_level[depth(node)] += 1
    drawn = 0
    for level, here in enumerate(at_level):
        drawn += here
        if drawn > MAX_NODES:
            return level - 1
    return None


def spoken(data: Dataset, rules: Rules, tree: Tree, node: int, stops: Mapping[int, str]) -> str:
    """What a node holds, in words: 'Node 5: x1 <= 2.45; 50 rows, entropy 0.9183 bit'."""
    known = tree.nodes[node]
    unit = CRITERIA[rules.criterion].unit
    if node in tree.splits:
        what = rule_text(data, tree, node)
    else:
        what = f"{clean(data.target)}: {value_text(data, known)}"
    said = f"Node {node}: {what}; {count(known.n, 'row')}, {impurity_name(rules)} "
    said += f"{number(known.impurity)} {unit}".strip()
    if node in stops:
        said += f"; {stops[node] or 'open'}"
    return said
