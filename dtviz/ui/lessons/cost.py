"""Learn: what growing and predicting cost, counted for the tree on screen."""

from __future__ import annotations

import streamlit as st

from dtviz.engine.operations import WAYS, Shape, balanced, chain, shape_of, sort_looks
from dtviz.engine.tree import Tree, height, leaf_ids
from dtviz.text import count, number
from dtviz.ui import state
from dtviz.ui.chart import chart
from dtviz.ui.lessons.lesson import Lesson, opened, table


def cost(lesson: Lesson) -> None:
    """What search and prediction cost, in looks at values."""
    name, tree, _ = lesson.stages[-1]
    st.markdown(
        "Naive search looks at all rows of a node again for each of up to $n - 1$ cuts on $M$ "
        "features. Sorted rows need one pass: a row after the other moves to the left side, and "
        "every cut is scored on the way. They can be sorted anew in each node; or once, if each "
        "split keeps every order as it parts the rows; or once, with one pass over all rows a "
        "level [F]. The **balanced** tree halves the rows of every node, the **chain** parts one "
        "row at a time; both go on down to single rows. The first costs $O(M n \\log n)$ "
        "presorted, the second $O(M n^2)$, and naive search a factor $n$ more at each node.\n\n"
        f"A prediction costs at most the height, **{count(height(tree), 'comparison')}** {name}; "
        f"on average {number(mean_depth(tree))} over these rows."
    )
    opened("cost", "Counted for this tree", lambda: _counted(lesson))


def _counted(lesson: Lesson) -> None:
    """The looks of every way to search, for this tree and both extremes."""
    n, m = lesson.screen.data.n, len(lesson.screen.data.features)
    name = lesson.stages[-1][0]
    st.markdown(
        f"Here $n = {n:,}$, $M = {m}$. Counted in *looks* at one value of one row, all "
        "values different, $s$ rows in a node, $S(s) \\approx s \\log_2 s$ to sort them by merging "
        f"($S(n) = {sort_looks(n):,}$):"
    )
    shapes = {stage: shape_of(its) for stage, its, _ in lesson.stages}
    shapes |= {"balanced": balanced(n), "chain": chain(n)}
    table(cost_rows(shapes, m), "Operations counted for this tree, a balanced one and a chain")
    _chart(shapes[name], m)


def cost_rows(shapes: dict[str, Shape], m: int) -> list[dict[str, str]]:
    """A line a way to search: its formula, and its looks at each shape."""
    return [
        {
            "Search": f"**{way.name}**: {way.formula}",
            **{_titled(name): f"{way.looks(shape, m):,}" for name, shape in shapes.items()},
        }
        for way in WAYS
    ]


def _titled(name: str) -> str:
    return f"Tree {name}" if name in ("now", "at the end") else name.capitalize()


def mean_depth(tree: Tree) -> float:
    """Comparisons a row of the data passes on its way to its leaf, on average."""
    leaves = [tree.nodes[leaf] for leaf in leaf_ids(tree)]
    return sum(leaf.n * (leaf.id.bit_length() - 1) for leaf in leaves) / tree.nodes[1].n


def _chart(shape: Shape, m: int) -> None:
    """The tree among balanced trees and chains of as many rows, on the curves."""
    if shape.n < 2:
        return
    from dtviz.figures.operations import cost_curves  # plotly is loaded only where it is seen

    chart(
        cost_curves(shape, m, state.theme()),
        "cost",
        "Looks by the number of rows: balanced trees, chains, the curves, and this tree",
    )
    st.caption("Presorted and naive, both axes logarithmic; ★ is this tree.")
