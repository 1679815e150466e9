"""The tree as the browser draws it: DOT statements in the colours of the page, and words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from dtviz.base.lazy import Last
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Node, Tree, depth, height, preorder
from dtviz.evaluate.metrics import score_by
from dtviz.explain.dot import PALETTE, Look, statements
from dtviz.explain.why import impurity_name
from dtviz.explain.words import SIGNED, cheaper_text, node_rows, rule_text, value_text
from dtviz.pictures.frame_types import Fork, Forks, Tip, TreeFrame, TreeShape
from dtviz.pictures.gains import strips_of
from dtviz.pictures.palette import LIGHT, SCALE, Theme, step_of
from dtviz.session.branches import lines, parting, tips_of
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
    last: Last | None = None,
) -> TreeFrame:
    """The frame of the tree; `stops` holds the words under each leaf, '' for an open one.

    Each node, from left to right, has its id (text, since ids have no bound), its DOT line, the
    line of the edge that leads to it, and what is said of it. Of more than 1,500 nodes the deepest
    are left out: `missing` counts them by the node above; `line` tells the size of all of it. The
    focus is marked in the browser, so that a new one needs no new layout. `last` knows what was
    told of other trees of the same data.
    """
    data, rules = problem.data, problem.rules
    last = last or Last()
    levels, shape = levels_drawn(tree), shape_of(data, tree)
    look = Look(
        ink=theme.ink,
        paper=theme.paper,
        muted=theme.muted,
        accent=theme.accent,
        next_node=next_node,
        stops=stops,
        unit=CRITERIA[rules.criterion].impurity.unit,
        measure=impurity_name(problem),
        levels=levels,
        narrow=True,
        fills={} if data.classes else _fills(tree, shape),
    )
    lines = statements(data, tree, look, last)

    def said(node: int) -> str:
        of = tree.nodes[node], tree.splits.get(node), tree.gaps.get(node)
        marks = stops.get(node), node == next_node
        make = partial(spoken, problem, tree, node, stops, next_node)
        return last.get(("said", node), (of, marks, rules), make)

    return {
        "head": lines.head,
        "nodes": [
            (str(node), line, lines.edges.get(node, ""), said(node))
            for node, line in lines.nodes.items()
        ],
        "shape": shape,
        "strips": strips_of(data, tree, levels, last),
        "missing": {str(node): below for node, below in _left_out(tree, levels).items()},
        "line": f"{count(len(tree.rows), 'leaf')}, height {height(tree)}",
        "focus": "" if focus is None else str(focus),
        "next": "" if next_node is None else str(next_node),
        "colours": {"ink": theme.ink, "paper": theme.paper, "accent": theme.accent},
    }


def shape_of(data: Dataset, tree: Tree) -> TreeShape:
    """Depth, rows, purity and colour of every node; numbers have their place on the scale."""
    order = sorted(tree.nodes, key=preorder)
    known = [tree.nodes[node] for node in order]
    hues: Sequence[str] = PALETTE if data.classes else SCALE
    if data.classes:
        codes = [int(one.value) % len(PALETTE) for one in known]
    else:
        low, high = float(data.y.min()), float(data.y.max())
        codes = [step_of(one.value, low, high) for one in known]
    return {
        "depth": np.array([depth(node) for node in order], np.int32),
        "rows": np.array([one.n for one in known], np.int32),
        "pure": np.array([int(100 * _purity(one, tree)) for one in known], np.uint8),
        "hue": np.array(codes, np.uint8),
        "hues": hues,
    }


def _purity(node: Node, tree: Tree) -> float:
    """The share of the commonest class, or of the root's impurity that is gone."""
    if node.counts:
        return max(node.sums) / sum(node.sums)
    most = tree.nodes[1].impurity
    return min(max(1.0 - node.impurity / most, 0.0), 1.0) if most else 1.0


def _fills(tree: Tree, shape: TreeShape) -> dict[int, str]:
    """The colour of each node by its id."""
    nodes, hues = sorted(tree.nodes, key=preorder), shape["hues"]
    return {node: hues[hue] for node, hue in zip(nodes, shape["hue"].tolist(), strict=True)}


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


def spoken(
    problem: Problem,
    tree: Tree,
    node: int,
    stops: Mapping[int, str],
    next_node: int | None = None,
) -> str:
    """What a node holds, in words: 'Node 5, no: x1 <= 2.45; 50 rows, entropy 0.9183 bit; ...'.

    An id of many digits is not said: nobody could follow it.
    """
    data = problem.data
    known = tree.nodes[node]
    name = f"Node {node}" if len(str(node)) <= MAX_DIGITS else f"A node at depth {depth(node)}"
    side = "" if node == 1 else (", no" if node % 2 else ", yes")
    value = value_text(data, tree.leaf_model, known)
    unit = CRITERIA[problem.rules.criterion].impurity.unit
    measured = f"{impurity_name(problem)} {number(known.impurity)} {unit}".rstrip()
    said = [f"{node_rows(known)}, {measured}"]
    if node in tree.splits:
        said = [rule_text(data, tree, node, SIGNED), *said, f"predicts {value}"]
    else:
        said = [f"{clean(data.target)}: {value}", *said]
    if node in stops:
        said += [cheaper_text(data, known), stops[node] or "open"]
    if node == next_node:
        said.append("splits next")
    return f"{name}{side}: {'; '.join(filter(None, said))}"


def _left_out(tree: Tree, levels: int | None) -> Counter[int]:
    """The number of nodes that are not sent, by the last node above them that is."""
    if levels is None:
        return Counter()
    deep = (node for node in tree.nodes if depth(node) > levels)
    return Counter(node >> (depth(node) - levels) for node in deep)


def forks_frame(screen: Screen) -> Forks:
    """Where each branch leaves the time-line, and the tips of all once they are worked out."""
    if not screen.session.branches:
        return {"forks": []}
    own, *branches = lines(screen)
    tip, *others = tips_shown(screen)
    forks: list[Fork] = [
        {"branch": at, "at": parting(own, branch), **end}
        for at, (branch, end) in enumerate(zip(branches, others, strict=True))
    ]
    return {"tip": tip, "forks": forks}


def tips_shown(screen: Screen) -> list[Tip]:
    """The tip of the line, then those of its branches."""
    score, found = score_by(screen.data), tips_of(screen)
    if found is None:
        said = "not grown to its end" if screen.goes_on else "being worked out"
        return [{"held": "", "said": said} for _ in lines(screen)]
    return [
        {"held": score.text(one), "said": f"{score.name} {score.text(one)} on {found.rows}"}
        for one in found.scores
    ]
