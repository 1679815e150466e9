"""Lessons on stop rules, orders, regions and the cost of growing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import streamlit as st

from dtviz.app import state
from dtviz.app.controls import chart, sentence
from dtviz.app.lessons.lesson import Lesson, expander, picture, table, text_and_picture
from dtviz.app.lessons.trees import leaves
from dtviz.app.stage import slice_caption
from dtviz.base.text import count, number
from dtviz.engine.complexity import (
    SEARCH_METHODS,
    SplitSizes,
    halving_splits,
    one_row_splits,
    sort_looks,
    split_sizes,
)
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import ORDERS, Rules
from dtviz.engine.tree import Grow, Tree, depth, height, leaf_ids
from dtviz.explain.words import ORDER_NAMES, leaf_rules, stop_reason

FIRST_SPLITS = 5
MAX_REASONS = 6


def stops(lesson: Lesson) -> None:
    """Draw the lesson on the stop rules and the orders of growing."""
    rules, data = lesson.screen.session.rules, lesson.screen.data
    st.markdown("A node becomes a leaf at the first rule that holds, in this order:")
    counts = [
        (name, Counter(decision.stop for decision in decisions.values()))
        for name, _, decisions in lesson.stages
    ]
    rows = [
        {"A leaf stops when": words, **{f"Leaves {name}": f"{n[stop]:,}" for name, n in counts}}
        for stop, words in _stop_words(rules, bool(data.classes)).items()
    ]
    table(rows, "Stop rules and how many leaves stop by each")
    name, tree, decisions = lesson.stages[-1]
    reasons: dict[str, str] = {}
    for leaf, decision in decisions.items():
        if decision.stop and decision.stop not in reasons:
            reason = stop_reason(Problem(data, rules), tree.nodes[leaf], decision.stop)
            reasons[decision.stop] = f"- Node {leaf}: {sentence(reason)}"
    if reasons:
        st.markdown(f"Some leaves {name}:\n" + "\n".join(list(reasons.values())[:MAX_REASONS]))
    st.markdown(
        "A best gain of 0 stops in [C], not in scikit-learn. Here `min_gain` = 0 goes on while the "
        "node is impure and a cut exists: XOR needs it. *Stop at zero gain* is a switch on Grow."
    )
    _orders(lesson)


def _stop_words(rules: Rules, has_classes: bool) -> dict[str, str]:
    """Return the words on each stop rule with its value; '' is the open leaf."""
    depth = "no limit" if rules.max_depth is None else rules.max_depth
    leaves = "no limit" if rules.max_leaf_nodes is None else rules.max_leaf_nodes
    words = {
        "pruned": "a split was taken back there",
        "pure": "pure: all rows have one class" if has_classes else "pure: all rows have one value",
        "purity": f"a class has a share that is pure enough (`purity` = {rules.purity:g}) [Z]",
        "min_samples_split": "fewer rows than a split needs "
        f"(`min_samples_split` = {rules.min_samples_split}) [F]",
        "max_depth": f"no node may be deeper (`max_depth` = {depth})",
        "constant": "all features are constant",
        "min_samples_leaf": "no cut leaves rows enough on both sides "
        f"(`min_samples_leaf` = {rules.min_samples_leaf})",
        "min_weight_fraction_leaf": "none of those leaves weight enough on both sides "
        f"(`min_weight_fraction_leaf` = {rules.min_weight_fraction_leaf:g})",
        "above_zero": "Poisson: all those leave a side whose targets are all 0, and a leaf that "
        "predicts 0 has an infinite deviance from any count above 0",
        "min_gain": f"the best cut gains too little (`min_gain` = {rules.min_gain:g})",
        "min_impurity_decrease": "the best cut lowers the impurity of the tree too little "
        f"(`min_impurity_decrease` = {rules.min_impurity_decrease:g})",
        "zero_gain": f"the best gain is 0 (switch {'on' if rules.stop_at_zero_gain else 'off'})",
        "max_leaf_nodes": f"the tree has all leaves allowed (`max_leaf_nodes` = {leaves})",
        "": "*no rule: it is open*",
    }
    unused = set() if has_classes else {"purity"}
    unused |= set() if CRITERIA[rules.criterion].means_above_zero else {"above_zero"}
    return {name: text for name, text in words.items() if name not in unused}


def _orders(lesson: Lesson) -> None:
    rules, future = lesson.screen.session.rules, lesson.screen.future
    n_leaves = min(FIRST_SPLITS + 1, rules.max_leaf_nodes or FIRST_SPLITS + 1)
    about = {
        "depth": "the recursive algorithm: the left part to its end, then the right",
        "breadth": "level by level",
        "best": "the largest impurity decrease $n/n_\\text{total} \\cdot$ gain first",
    }
    lines = []
    for order in ORDERS:
        moves = future(replace(rules, order=order, max_leaf_nodes=n_leaves), (), None, n_leaves)
        nodes = ", ".join(str(move.node) for move in moves if isinstance(move, Grow))
        lines.append(f"- **{ORDER_NAMES[order]}**: {about[order]}. Here: {nodes or 'no split'}.")
    st.markdown(
        "**Orders.** The tree is the same unless `max_leaf_nodes` ends it; the steps are not. A "
        "limit of leaves alone grows best-first, as in scikit-learn; an order chosen wins. "
        f"The first {FIRST_SPLITS} nodes split in each order, from the root "
        "(node k has children 2k and 2k + 1):\n" + "\n".join(lines)
    )


def regions(lesson: Lesson) -> None:
    """Draw the lesson on the tree as a function of regions, and on leaf models."""
    data = lesson.screen.data
    name, tree, _ = lesson.stages[-1]
    text, live = text_and_picture("regions")
    with text:
        st.markdown(
            "By cuts of one feature each leaf $j$ is a box, half-open: $\\text{lower} < x \\le "
            "\\text{upper}$ in every feature. The regions part the plane, so exactly one term of "
            "the sum is not 0 [F, M, H]: a linear model over $J$ indicator features [H]."
        )
        st.latex(r"f(x) = \sum_{j=1}^{J} y_j \, [x \in R_j]")
        st.markdown(
            f"The picture has the $J = {len(tree.rows)}$ regions of the tree {name}, $R_1$ being "
            "that of its leftmost leaf."
        )
    with live:
        picture("region_lesson", lesson.end_screen, "cloud")
        st.caption(sentence(slice_caption(lesson.end_screen) or "Drag the point x."))
    largest = max(leaf_rules(data, tree), key=lambda rule: rule.n)
    place = leaf_ids(tree).index(largest.node) + 1
    st.markdown(
        f"The largest region {name} is $R_{{{place}}}$, node {largest.node} at depth "
        f"{depth(largest.node)}. Its rule [Z]: **"
        f"{sentence(f'{largest.where} → {largest.outcome}')}**"
    )
    leaves(lesson.node)


def cost(lesson: Lesson) -> None:
    """Draw the lesson on the cost of search and prediction, in looks at values."""
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
    expander("cost", "Counted for this tree", lambda: _cost_table(lesson))


def _cost_table(lesson: Lesson) -> None:
    """Draw the looks of every way to search, for this tree, a balanced one and a chain."""
    n, m = lesson.screen.data.n, len(lesson.screen.data.features)
    name = lesson.stages[-1][0]
    st.markdown(
        f"Here $n = {n:,}$, $M = {m}$. Counted in *looks* at one value of one row, all "
        "values different, $s$ rows in a node, $S(s) \\approx s \\log_2 s$ to sort them by merging "
        f"($S(n) = {sort_looks(n):,}$):"
    )
    shapes = {stage: split_sizes(tree) for stage, tree, _ in lesson.stages}
    shapes |= {"balanced": halving_splits(n), "chain": one_row_splits(n)}
    table(cost_rows(shapes, m), "Operations counted for this tree, a balanced one and a chain")
    _chart(shapes[name], m)


def cost_rows(shapes: dict[str, SplitSizes], m: int) -> list[dict[str, str]]:
    """Return a line for each way to search: its formula, and its looks for each shape of tree."""
    return [
        {
            "Search": f"**{search.name}**: {search.formula}",
            **{_heading(name): f"{search.looks(shape, m):,}" for name, shape in shapes.items()},
        }
        for search in SEARCH_METHODS
    ]


def _heading(name: str) -> str:
    return f"Tree {name}" if name in ("now", "at the end") else name.capitalize()


def mean_depth(tree: Tree) -> float:
    """Return the mean number of comparisons of a training row on its path to a leaf."""
    leaves = [tree.nodes[leaf] for leaf in leaf_ids(tree)]
    return sum(leaf.n * (leaf.id.bit_length() - 1) for leaf in leaves) / tree.nodes[1].n


def _chart(shape: SplitSizes, m: int) -> None:
    """Draw the cost by the number of rows: of balanced trees, of chains, and of this tree."""
    if shape.n_rows < 2:
        return
    from dtviz.pictures.charts import cost_curves  # plotly is loaded only where it is seen

    chart(
        cost_curves(shape, m, state.theme()),
        "cost",
        "Looks by the number of rows: balanced trees, chains, the curves, and this tree",
    )
    st.caption("Presorted and naive, both axes logarithmic; ★ is this tree.")
