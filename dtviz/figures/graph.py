"""The tree graph as DOT text in the colours of the page."""

from __future__ import annotations

from collections.abc import Mapping

from dtviz.criteria import CRITERIA
from dtviz.data import Dataset
from dtviz.dot import Look, dot
from dtviz.figures.palette import LIGHT, Theme
from dtviz.rules import Rules
from dtviz.tree import Tree, depth, height

MAX_NODES = 79
WIDEST = 16


def tree_dot(
    data: Dataset,
    rules: Rules,
    tree: Tree,
    stops: Mapping[int, str],
    focus: int | None = None,
    next_node: int | None = None,
    theme: Theme = LIGHT,
) -> str:
    """The DOT text of the tree; `stops` holds the words under each leaf, '' for an open one.

    A tree of more than 79 nodes is drawn as far down as it stays readable.
    """
    criterion = CRITERIA[rules.criterion]
    look = Look(
        ink=theme.ink,
        paper=theme.paper,
        muted=theme.muted,
        accent=theme.accent,
        focus=focus,
        next_node=next_node,
        stops=stops,
        unit=criterion.unit,
        measure={"bit": "entropy", "": "gini"}.get(criterion.unit, "impurity")
        if criterion.measure
        else _measure(criterion.name),
        levels=levels_drawn(tree),
    )
    return dot(data, tree, look)


def levels_drawn(tree: Tree) -> int | None:
    """The depth down to which the tree is drawn; None where all of it is."""
    if len(tree.nodes) <= MAX_NODES:
        return None
    drawn = 0
    for level in range(height(tree)):
        here = sum(depth(node) == level for node in tree.nodes)
        drawn += here
        if drawn > MAX_NODES or here > WIDEST:
            return level - 1
    return height(tree) - 1


def _measure(name: str) -> str:
    return {"squared_error": "variance"}.get(name, name)
