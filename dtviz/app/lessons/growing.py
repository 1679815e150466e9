"""Lessons on the parts of a tree, candidates, stop rules, regions and the cost of growing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import chart, sentence
from dtviz.app.lessons import parts
from dtviz.app.lessons.parts import Lesson, LessonNode
from dtviz.app.lessons.sections import Slots
from dtviz.base.text import count, markdown, number
from dtviz.data.weights import weights_before_costs
from dtviz.engine import complexity
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves.leaf_models import LeafModel, leaf_models_for
from dtviz.engine.leaves.node_facts import compute_facts, log_losses
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import FAMILIES, MAX_BRANCHES
from dtviz.engine.subtrees import loss_of
from dtviz.engine.tree import Grow, Tree, height, leaf_ids, make_nodes, rows_in
from dtviz.evaluate.metrics import data_score
from dtviz.explain.words import (
    candidate_text,
    leaf_rules,
    node_name,
    node_phrase,
    prediction_text,
    projection_text,
    stop_reason,
)
from dtviz.models.steps import search_candidates
from dtviz.pictures.stage import slice_caption
from dtviz.session.headlines import chance_line
from dtviz.session.screen import Screen
from dtviz.session.session import go_to_step

SLOTS = Slots()
"""Slots of these sections; texts of one line stand at the end."""
CLICK_CAPTION = "Click a node: the numbers of this page are then those of its rows."
FIRST_SPLITS_CAPTION = "The first splits. Grow makes them, one after the other."
MAX_SPLITS_DRAWN = 7
"""Splits of the tree in the first lesson, at most."""


@SLOTS.picture
def tree_picture(lesson: Lesson) -> None:
    """Draw the tree, or its first splits."""
    screen = lesson.screen
    is_small = 0 < len(screen.tree.splits) <= MAX_SPLITS_DRAWN
    parts.picture("tree", screen if is_small else _first_splits(screen))
    st.caption(CLICK_CAPTION if screen.tree.splits else FIRST_SPLITS_CAPTION)


def _first_splits(screen: Screen) -> Screen:
    """Return the screen after the first splits: a larger tree cannot be read at this size."""
    return state.tab().screen(go_to_step(screen.session, MAX_SPLITS_DRAWN, screen.future))


def size_words(name: str, tree: Tree) -> str:
    """Return the size of a tree in words, as 'At the end: J = 9 regions, height 5'."""
    noun = "region" if len(tree.rows) == 1 else "regions"
    return f"{name.capitalize()}: $J = {len(tree.rows)}$ {noun}, height **{height(tree)}**"


@SLOTS.text
def root_candidates(lesson: Lesson) -> str:
    """Return the words on the candidates of the root: their number on each feature, their ties."""
    data, root = lesson.screen.data, lesson.node
    if lesson.screen.node != 1:
        root = LessonNode(data, rows_in(lesson.screen.tree, 1), root.rules, "the root")
    cuts = root.cuts(root.rules.criterion)
    if not len(cuts):
        return "**Here:** the root has **0 candidates**: its rows have the same values."
    counts = [
        f"{len(cuts.gain[cuts.of_line(line)]):,} on {projection_text(data, projection)}"
        for line, projection in list(enumerate(cuts.projections))[:4]
    ]
    n_more = len(cuts.projections) - len(counts)
    more = f" and the rest on {count(n_more, 'more feature')}" if n_more else ""
    n_left_out = len(data.features) - len(cuts.projections)
    more += f"; {count(n_left_out, 'feature')} with lesser cuts not counted" if n_left_out else ""
    tied = int(cuts.tied.sum())
    return (
        f"**Here:** the root has **{count(len(cuts), 'candidate')}** "
        f"({', '.join(map(markdown, counts))}{more}), {int(cuts.boundary.sum()):,} of them "
        f"boundary points, {int((~cuts.admissible).sum()):,} forbidden; "
        + (f"{tied:,} tie for the best." if tied > 1 else "no two tie for the best.")
    )


@SLOTS.block
def best_of_each_kind(lesson: Lesson) -> None:
    """Draw the table of the best cut of each kind."""
    names = ("axis", "oblique", "radial")
    if rows := [row for name in names if (row := _best_row(lesson.node, name))]:
        parts.table(rows, "The best cut of each kind")
    else:
        st.markdown("No kind has a cut here.")


def _best_row(node: LessonNode, name: str) -> dict[str, str] | None:
    """Return the table row on the best cut of a family; None where it has no cut."""
    family, data = FAMILIES[name], node.data
    if not family.propose(data):
        return None
    rules = replace(node.rules, families=(name,))
    cuts: Candidates = search_candidates(Problem(data, rules), node.row_ids)
    if cuts.best is None:
        return None
    return {
        "Kind": family.title,
        "Tried": count(len(cuts), "cut"),
        "Best": markdown(candidate_text(data, cuts, cuts.best)),
        "Gain": parts.tex(float(cuts.gain[cuts.best])),
    }


MAX_FEATURES_LISTED = 10
"""Features of the table of multi-way cuts, at most: those with the highest gain."""


def branches_node(lesson: Lesson) -> LessonNode:
    """Return the node if it has a multi-way cut and classes, else the root of Play tennis."""
    rules = Rules("gain_ratio", families=("multiway",))
    node = lesson.node
    if node.data.classes and node.data.source is None and FAMILIES["multiway"].propose(node.data):
        with_rules = LessonNode(node.data, node.row_ids, rules, node.name)
        if len(with_rules.cuts("gain_ratio")):
            return with_rules
    return parts.example_node("play_tennis", rules)


@SLOTS.block
def branches_table(lesson: Lesson) -> None:
    """Draw the table of the multi-way cuts of a node, the highest gain first, and its heading."""
    node = branches_node(lesson)
    if node.data is lesson.node.data:
        st.markdown(f"Each category, at {node.name} ({count(node.n, 'row')}):")
    else:
        st.markdown(parts.example_heading("Each category", node))
    cuts = node.cuts("gain_ratio")
    order = np.argsort(-cuts.gain, kind="stable")[:MAX_FEATURES_LISTED]
    parts.table([_branches_row(node, cuts, index) for index in order.tolist()], "Multi-way cuts")


def _branches_row(node: LessonNode, cuts: Candidates, index: int) -> dict[str, str]:
    """Return the table row on a multi-way cut: its branches, gain and gain ratio."""
    gain, ratio = float(cuts.gain[index]), float(cuts.score[index])
    branches = cuts.branches[int(cuts.line[index])]
    share = branches.weight / branches.weight.sum()
    return {
        "Category": markdown(projection_text(node.data, cuts.projections[cuts.line[index]])),
        "Rows": " + ".join(map(str, branches.n.tolist())),
        "Gain": f"{number(gain)} bit",
        "Split information": f"{number(-float((share * np.log2(share)).sum()))} bit",
        "Gain ratio": number(ratio),
    }


MAX_CHARACTERS = 300
"""Characters of a prediction as text, at most."""
LAPLACE = r"p_k = \frac{n_k + 1}{n + K}"
LOGISTIC = r"p_2(x) = \frac{1}{1 + e^{-(a_j + \langle b_j, x \rangle)}}"
REGRESSION = r"y_j(x) = a_j + \langle b_j, x \rangle"


@SLOTS.text
def leaf_model_words(lesson: Lesson) -> str:
    """Return the words on shares that are never 0, or on the search by regressions."""
    if lesson.node.data.classes:
        return (
            "Shares by Laplace, or of two classes by logistic regression, think no class "
            "impossible, so that the log loss of rows held out stays finite:"
        )
    return (
        "A regression [H] explains a slope without a cut. So by squared error the cuts are "
        "searched by what the regressions of both sides leave, the *residual variance*, and not "
        "by the variance; rows are added to a side one by one, for every cut of every feature:"
    )


@SLOTS.text
def leaf_model_formula(lesson: Lesson) -> str:
    """Return LaTeX of the leaf models that are told."""
    classes = lesson.node.data.classes
    if not classes:
        return REGRESSION
    return rf"{LAPLACE} \qquad {LOGISTIC}" if len(classes) == 2 else LAPLACE


def _model_line(node: LessonNode, model: LeafModel) -> str:
    """Return a line on a leaf model: '- **Mean**: ... Here **0.4**; squared error 0.2.'."""
    data, front = node.data, unsorted_frontier([node.row_ids])
    node_facts = compute_facts(data, front, Problem(data, node.rules).criterion)
    (leaf,) = make_nodes(data, front, [1], node_facts, model)
    params = np.tile(leaf.params, (node.n, 1))
    weights = weights_before_costs(data)
    if weights is not None:
        weights = weights.take(node.row_ids)
    y = data.y.take(node.row_ids)
    losses = loss_of(data, y, model.predict(params, data.columns, node.row_ids))
    score = data_score(data)
    errors = f"{score.error} {score.text(float(np.average(losses, weights=weights)))}"
    if model.proba is not None:
        log = log_losses(model.proba.predict(params, data.columns, node.row_ids), y)
        errors += f", log loss {number(float(np.average(log, weights=weights)))}"
    value = markdown(prediction_text(data, model, leaf), MAX_CHARACTERS)
    return f"- **{model.title}**: {model.description} Here **{value}**; {errors}."


N_FIRST_SPLITS = 5
"""Splits that each order of growing is shown by."""
MAX_REASONS = 6
"""Leaves whose reason to stop is given, at most."""


@SLOTS.block
def stops_table(lesson: Lesson) -> None:
    """Draw the table of the stop rules, with the number of leaves that stop by each."""
    rules, data = lesson.screen.session.rules, lesson.screen.data
    counts = [
        (name, Counter(decision.stop for decision in decisions.values()))
        for name, _, decisions in lesson.named_trees
    ]
    rows = [
        {"A leaf stops when": words, **{f"Leaves {name}": f"{n[stop]:,}" for name, n in counts}}
        for stop, words in _stop_words(rules, bool(data.classes)).items()
    ]
    parts.table(rows, "Stop rules and how many leaves stop by each")


@SLOTS.text
def stop_reasons(lesson: Lesson) -> str:
    """Return a list of leaves, one for each rule by which leaves stop; '' if none does."""
    problem = Problem(lesson.screen.data, lesson.screen.session.rules)
    name, tree, decisions = lesson.named_trees[-1]
    reasons: dict[str, str] = {}
    for leaf, decision in decisions.items():
        if decision.stop and decision.stop not in reasons:
            reason = stop_reason(problem, tree.nodes[leaf], decision.stop)
            reasons[decision.stop] = f"- {node_name(leaf)}: {sentence(reason)}"
    lines = list(reasons.values())[:MAX_REASONS]
    return "\n".join([f"Some leaves {name}:", *lines]) if lines else ""


@SLOTS.text
def chance_here(lesson: Lesson) -> str:
    """Return the words on the chance of the best cut of the node; '' where it is not told."""
    text = chance_line(lesson.screen)
    if not text:
        return ""
    return f"Here, at {node_phrase(lesson.screen.node)}: {sentence(text[:1].lower() + text[1:])}"


def _stop_words(rules: Rules, has_classes: bool) -> dict[str, str]:
    """Return the words on each stop rule with its value; '' stands for an open leaf."""
    depth = "no limit" if rules.max_depth is None else rules.max_depth
    leaves = "no limit" if rules.max_leaf_nodes is None else rules.max_leaf_nodes
    words = {
        "pruned": "a split was taken back there",
        "pure": "pure: all rows have one class" if has_classes else "pure: all rows have one value",
        "purity": f"a class has a share that is pure enough (`purity` = {rules.purity:g}) [Z]",
        "min_samples_split": "fewer rows than a split needs "
        f"(`min_samples_split` = {rules.min_samples_split}) [F]",
        "max_depth": f"no node may be deeper (`max_depth` = {depth})",
        "constant": "its rows have the same values",
        "many_branches": f"each cut would have more than {MAX_BRANCHES} branches",
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
        "max_p_value": "the best cut may be chance: its p-value is too large "
        f"(`max_p_value` = {rules.max_p_value:g})",
        "max_leaf_nodes": f"the next cut would make too many leaves (`max_leaf_nodes` = {leaves})",
        "": "*no rule: it is open*",
    }
    unused = set() if has_classes else {"purity"}
    unused |= set() if "multiway" in rules.families else {"many_branches"}
    unused |= set() if CRITERIA[rules.criterion].means_above_zero else {"above_zero"}
    return {name: text for name, text in words.items() if name not in unused}


def _first_nodes(lesson: Lesson, order: str) -> str:
    """Return the ids of the first nodes split in an order of growing: '1, 2, 4'."""
    rules, future = lesson.screen.session.rules, lesson.screen.future
    n_leaves = min(N_FIRST_SPLITS + 1, rules.max_leaf_nodes or N_FIRST_SPLITS + 1)
    moves = future(replace(rules, order=order), (), None, n_leaves)[: n_leaves - 1]
    return ", ".join(str(move.node) for move in moves if isinstance(move, Grow)) or "no split"


@SLOTS.picture
def region_picture(lesson: Lesson) -> None:
    """Draw the regions of the last tree."""
    parts.picture("region_lesson", lesson.end_screen)
    st.caption(sentence(slice_caption(lesson.end_screen) or "Drag the point x."))


@SLOTS.text
def largest_region(lesson: Lesson) -> str:
    """Return the number, node, depth and rule of the largest region of the last tree."""
    tree = lesson.named_trees[-1][1]
    largest = max(leaf_rules(lesson.screen.data, tree), key=lambda rule: rule.n)
    number_text = f"$R_{{{leaf_ids(tree).index(largest.node) + 1}}}$"
    rule = sentence(f"{largest.where} → {largest.outcome}")
    return (
        f"{number_text}, {node_phrase(largest.node)}, "
        f"depth {tree.cut_depths[largest.node]}. "
        f"Its rule [Z]: **{rule}**"
    )


@SLOTS.block
def cost_table(lesson: Lesson) -> None:
    """Draw the looks of every search method, for this tree, a balanced tree and a chain."""
    n, n_features = lesson.screen.data.n, len(lesson.screen.data.features)
    shapes = {when: complexity.split_sizes(tree) for when, tree, _ in lesson.named_trees}
    shapes |= {"balanced": complexity.halving_splits(n), "chain": complexity.one_row_splits(n)}
    parts.table(
        cost_rows(shapes, n_features),
        "Operations counted for this tree, a balanced one and a chain",
    )


def cost_rows(shapes: dict[str, complexity.SplitSizes], n_features: int) -> list[dict[str, str]]:
    """Return a table row for each search method: its formula, its looks for each shape of tree."""
    return [
        {
            "Search": f"**{search.name}**: {search.formula}",
            **{
                _column_heading(name): f"{search.looks(shape, n_features):,}"
                for name, shape in shapes.items()
            },
        }
        for search in complexity.SEARCH_METHODS
    ]


def _column_heading(name: str) -> str:
    return f"Tree {name}" if name in ("now", "at the end") else name.capitalize()


def mean_depth(tree: Tree) -> float:
    """Return the mean number of comparisons of a training row on its path to a leaf."""
    leaves, depths = [tree.nodes[leaf] for leaf in tree.rows], tree.cut_depths
    return sum(leaf.n * depths[leaf.id] for leaf in leaves) / tree.nodes[1].n


@SLOTS.block
def cost_chart(lesson: Lesson) -> None:
    """Draw the cost by the number of rows: of balanced trees, of chains, and of this tree."""
    shape = complexity.split_sizes(lesson.named_trees[-1][1])
    if shape.n_rows < 2:
        return
    from dtviz.pictures.charts import cost_curves  # plotly is loaded only where it is seen

    chart(
        cost_curves(shape, len(lesson.screen.data.features), state.theme()),
        "cost",
        "Looks by the number of rows: balanced trees, chains, the curves, and this tree",
    )
    st.caption("Presorted and naive, both axes logarithmic; ★ is this tree.")


SLOTS.texts(
    tree_sizes=lambda lesson: "\n".join(
        f"- {size_words(name, tree)}" for name, tree, _ in lesson.named_trees
    ),
    first_midpoints=lambda lesson: parts.set_text(parts.midpoints((1, 3, 1, 5, 4))),
    second_midpoints=lambda lesson: parts.set_text(parts.midpoints((5, 4, 6, 5, 8))),
    n_first_splits=lambda lesson: str(N_FIRST_SPLITS),
    depth_order=lambda lesson: _first_nodes(lesson, "depth"),
    breadth_order=lambda lesson: _first_nodes(lesson, "breadth"),
    best_order=lambda lesson: _first_nodes(lesson, "best"),
    leaf_models=lambda lesson: "\n".join(
        _model_line(lesson.node, model) for model in leaf_models_for(lesson.node.data)
    ),
    last_tree=lambda lesson: lesson.named_trees[-1][0],
    n_regions=lambda lesson: str(len(lesson.named_trees[-1][1].rows)),
    most_comparisons=lambda lesson: count(height(lesson.named_trees[-1][1]), "comparison"),
    mean_comparisons=lambda lesson: number(mean_depth(lesson.named_trees[-1][1])),
    n_rows=lambda lesson: f"{lesson.screen.data.n:,}",
    n_features=lambda lesson: str(len(lesson.screen.data.features)),
    sort_looks=lambda lesson: f"{complexity.sort_looks(lesson.screen.data.n):,}",
)
