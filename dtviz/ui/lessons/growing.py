"""Learn: when growing stops, and the regions it leaves."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import streamlit as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.problem import Problem
from dtviz.engine.rules import ORDERS, Rules
from dtviz.engine.tree import Grow, depth, leaf_ids
from dtviz.say.settings import ORDER_NAMES
from dtviz.say.words import leaf_rules, stop_reason
from dtviz.ui.controls import sentence
from dtviz.ui.lessons.leaves import leaves
from dtviz.ui.lessons.lesson import Lesson, table
from dtviz.ui.lessons.live import beside, picture
from dtviz.ui.slicing import slice_words

FIRST_SPLITS = 5
MOST_REASONS = 6


def stops(lesson: Lesson) -> None:
    """The rules that end a branch, and the orders of growing."""
    rules, data = lesson.screen.session.rules, lesson.screen.data
    st.markdown("A node becomes a leaf at the first rule that holds, in this order:")
    held = [
        (name, Counter(decision.stop for decision in decisions.values()))
        for name, _, decisions in lesson.stages
    ]
    rows = [
        {"A leaf stops when": words, **{f"Leaves {name}": f"{n[stop]:,}" for name, n in held}}
        for stop, words in _stop_words(rules, bool(data.classes)).items()
    ]
    table(rows, "Stop rules and how many leaves stop by each")
    name, tree, decisions = lesson.stages[-1]
    seen: dict[str, str] = {}
    for leaf, decision in decisions.items():
        if decision.stop and decision.stop not in seen:
            reason = stop_reason(Problem(data, rules), tree.nodes[leaf], decision.stop)
            seen[decision.stop] = f"- Node {leaf}: {sentence(reason)}"
    if seen:
        st.markdown(f"Some leaves {name}:\n" + "\n".join(list(seen.values())[:MOST_REASONS]))
    st.markdown(
        "A best gain of 0 stops in [C], not in scikit-learn. Here `min_gain` = 0 goes on while the "
        "node is impure and a cut exists: XOR needs it. *Stop at zero gain* is a switch on Grow."
    )
    _orders(lesson)


def _stop_words(rules: Rules, classes: bool) -> dict[str, str]:
    """Each stop rule in words, with its value now."""
    deepest = "no limit" if rules.max_depth is None else rules.max_depth
    leaves = "no limit" if rules.max_leaf_nodes is None else rules.max_leaf_nodes
    words = {
        "pruned": "a split was taken back there",
        "pure": "pure: all rows have one class" if classes else "pure: all rows have one value",
        "purity": f"a class has a share that is pure enough (`purity` = {rules.purity:g}) [Z]",
        "min_samples_split": "fewer rows than a split needs "
        f"(`min_samples_split` = {rules.min_samples_split}) [F]",
        "max_depth": f"no node may be deeper (`max_depth` = {deepest})",
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
    void = set() if classes else {"purity"}
    void |= set() if CRITERIA[rules.criterion].above_zero else {"above_zero"}
    return {name: text for name, text in words.items() if name not in void}


def _orders(lesson: Lesson) -> None:
    rules, future = lesson.screen.session.rules, lesson.screen.future
    few = min(FIRST_SPLITS + 1, rules.max_leaf_nodes or FIRST_SPLITS + 1)
    about = {
        "depth": "the recursive algorithm: the left part to its end, then the right",
        "breadth": "level by level",
        "best": "the largest impurity decrease $n/n_\\text{total} \\cdot$ gain first",
    }
    lines = []
    for order in ORDERS:
        moves = future(replace(rules, order=order, max_leaf_nodes=few), (), None, few)
        nodes = ", ".join(str(move.node) for move in moves if isinstance(move, Grow))
        lines.append(f"- **{ORDER_NAMES[order]}**: {about[order]}. Here: {nodes or 'no split'}.")
    st.markdown(
        "**Orders.** The tree is the same unless `max_leaf_nodes` ends it; the steps are not. A "
        "limit of leaves alone grows best-first, as in scikit-learn; an order chosen wins. "
        f"The first {FIRST_SPLITS} nodes split in each order, from the root "
        "(node k has children 2k and 2k + 1):\n" + "\n".join(lines)
    )


def regions(lesson: Lesson) -> None:
    """What the tree is as a function, and what its leaves may say."""
    data = lesson.screen.data
    name, tree, _ = lesson.stages[-1]
    text, live = beside("regions")
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
        picture("region_lesson", lesson.last, "cloud")
        st.caption(sentence(slice_words(lesson.last) or "Drag the point x."))
    largest = max(leaf_rules(data, tree), key=lambda rule: rule.n)
    place = leaf_ids(tree).index(largest.node) + 1
    st.markdown(
        f"The largest region {name} is $R_{{{place}}}$, node {largest.node} at depth "
        f"{depth(largest.node)}. Its rule [Z]: **"
        f"{sentence(f'{largest.where} → {largest.says}')}**"
    )
    leaves(lesson.spot)
