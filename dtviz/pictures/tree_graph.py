"""The tree as the browser draws it: DOT statements in the colours of the page, and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from dtviz.base.lazy import LastValues
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Node, Tree, depth, height, preorder_key
from dtviz.evaluate.metrics import data_score
from dtviz.explain.dot import PALETTE, DotStyle, statements
from dtviz.explain.why import impurity_name
from dtviz.explain.words import SIGNED, cheaper_text, node_rows, rule_text, value_text
from dtviz.pictures.frame_types import Fork, Forks, Tip, TreeFrame, TreeShape
from dtviz.pictures.gains import node_histograms
from dtviz.pictures.palette import LIGHT, SCALE, Theme, step_of
from dtviz.session.branches import count_common_steps, timelines, tips_of
from dtviz.session.screen import Screen

MAX_NODES = 1_500
MAX_DIGITS = 9


def tree_frame(
    problem: Problem,
    tree: Tree,
    stops: Mapping[int, str],
    focus: int | None = None,
    next_node: int | None = None,
    theme: Theme = LIGHT,
    last: LastValues | None = None,
) -> TreeFrame:
    """Frame of the tree; `stops` holds the words under each leaf, '' for an open one.

    Each node, from left to right, has its id (text, since ids have no bound), its DOT line, the
    line of the edge that leads to it, and its words. Of more than MAX_NODES nodes the deepest are
    left out: `missing` counts them by the node above them; `line` gives the size of the whole tree.
    The focus is marked in the browser, so that a new one needs no new layout. `last` holds lines
    and words of earlier trees of the same data.
    """
    data, rules = problem.data, problem.rules
    last = last or LastValues()
    max_depth, shape = max_depth_drawn(tree), shape_of(data, tree)
    look = DotStyle(
        ink=theme.ink,
        paper=theme.paper,
        muted=theme.muted,
        accent=theme.accent,
        next_node=next_node,
        stops=stops,
        unit=CRITERIA[rules.criterion].impurity.unit,
        measure=impurity_name(problem),
        max_depth=max_depth,
        narrow=True,
        fills={} if data.classes else _fills(tree, shape),
    )
    lines = statements(data, tree, look, last)

    def words(node: int) -> str:
        key = tree.nodes[node], tree.splits.get(node), tree.threshold_neighbours.get(node)
        marks = stops.get(node), node == next_node
        make = partial(node_words, problem, tree, node, stops, next_node)
        return last.get(("said", node), (key, marks, rules), make)

    return {
        "head": lines.head,
        "nodes": [
            (str(node), line, lines.edges.get(node, ""), words(node))
            for node, line in lines.nodes.items()
        ],
        "shape": shape,
        "strips": node_histograms(data, tree, max_depth, last),
        "missing": {str(node): n_below for node, n_below in _left_out(tree, max_depth).items()},
        "line": f"{count(len(tree.rows), 'leaf')}, height {height(tree)}",
        "focus": "" if focus is None else str(focus),
        "next": "" if next_node is None else str(next_node),
        "colours": {"ink": theme.ink, "paper": theme.paper, "accent": theme.accent},
    }


def shape_of(data: Dataset, tree: Tree) -> TreeShape:
    """Depth, rows, purity and colour of each node; a mean has its step on the scale as colour."""
    order = sorted(tree.nodes, key=preorder_key)
    facts = [tree.nodes[node] for node in order]
    hues: Sequence[str] = PALETTE if data.classes else SCALE
    if data.classes:
        codes = [int(node_facts.value) % len(PALETTE) for node_facts in facts]
    else:
        low, high = float(data.y.min()), float(data.y.max())
        codes = [step_of(node_facts.value, low, high) for node_facts in facts]
    return {
        "depth": np.array([depth(node) for node in order], np.int32),
        "rows": np.array([node_facts.n for node_facts in facts], np.int32),
        "pure": np.array([int(100 * _purity(node_facts, tree)) for node_facts in facts], np.uint8),
        "hue": np.array(codes, np.uint8),
        "hues": hues,
    }


def _purity(node: Node, tree: Tree) -> float:
    """Share of the commonest class, or of the root's impurity that is gone."""
    if node.counts:
        return max(node.sums) / sum(node.sums)
    root_impurity = tree.nodes[1].impurity
    return min(max(1.0 - node.impurity / root_impurity, 0.0), 1.0) if root_impurity else 1.0


def _fills(tree: Tree, shape: TreeShape) -> dict[int, str]:
    """Colour of each node by its id."""
    nodes, hues = sorted(tree.nodes, key=preorder_key), shape["hues"]
    return {node: hues[hue] for node, hue in zip(nodes, shape["hue"].tolist(), strict=True)}


def max_depth_drawn(tree: Tree) -> int | None:
    """Depth down to which the tree is sent; None if all of it is."""
    if len(tree.nodes) <= MAX_NODES:
        return None
    n_nodes = [0] * (height(tree) + 1)
    for node in tree.nodes:
        n_nodes[depth(node)] += 1
    n_drawn = 0
    for level, n_level in enumerate(n_nodes):
        n_drawn += n_level
        if n_drawn > MAX_NODES:
            return level - 1
    return None


def node_words(
    problem: Problem,
    tree: Tree,
    node: int,
    stops: Mapping[int, str],
    next_node: int | None = None,
) -> str:
    """Words of a node: 'Node 5, no: x1 <= 2.45; 50 rows, entropy 0.9183 bit; ...'.

    An id of many digits is not said: nobody could follow it.
    """
    data = problem.data
    facts = tree.nodes[node]
    name = f"Node {node}" if len(str(node)) <= MAX_DIGITS else f"A node at depth {depth(node)}"
    side = "" if node == 1 else (", no" if node % 2 else ", yes")
    value = value_text(data, tree.leaf_model, facts)
    unit = CRITERIA[problem.rules.criterion].impurity.unit
    measured = f"{impurity_name(problem)} {number(facts.impurity)} {unit}".rstrip()
    parts = [f"{node_rows(facts)}, {measured}"]
    if node in tree.splits:
        parts = [rule_text(data, tree, node, SIGNED), *parts, f"predicts {value}"]
    else:
        parts = [f"{clean(data.target)}: {value}", *parts]
    if node in stops:
        parts += [cheaper_text(data, facts), stops[node] or "open"]
    if node == next_node:
        parts.append("splits next")
    return f"{name}{side}: {'; '.join(filter(None, parts))}"


def _left_out(tree: Tree, max_depth: int | None) -> Counter[int]:
    """Number of nodes that are not sent, by the last node above them that is."""
    if max_depth is None:
        return Counter()
    deep_nodes = (node for node in tree.nodes if depth(node) > max_depth)
    return Counter(node >> (depth(node) - max_depth) for node in deep_nodes)


def forks_frame(screen: Screen) -> Forks:
    """Branches with the step at which each leaves the time-line, and the tips once known."""
    if not screen.session.branches:
        return {"forks": []}
    log, *branches = timelines(screen)
    line_tip, *branch_tips = tips_shown(screen)
    forks: list[Fork] = [
        {"branch": place, "at": count_common_steps(log, branch), **tip}
        for place, (branch, tip) in enumerate(zip(branches, branch_tips, strict=True))
    ]
    return {"tip": line_tip, "forks": forks}


def tips_shown(screen: Screen) -> list[Tip]:
    """Tip of the time-line, then those of its branches."""
    score, tips = data_score(screen.data), tips_of(screen)
    if tips is None:
        words = "not grown to its end" if screen.has_more_steps else "being worked out"
        return [{"held": "", "said": words} for _ in timelines(screen)]
    return [
        {"held": score.text(value), "said": f"{score.name} {score.text(value)} on {tips.rows}"}
        for value in tips.scores
    ]
