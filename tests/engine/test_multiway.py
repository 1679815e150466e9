"""Multi-way cuts: the trees of the textbooks, a plain ID3, every way of growing, every export."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import log2
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import RESTAURANT as RESTAURANT_ROWS
from exported import in_python, in_sqlite
from hypothesis import given, settings
from hypothesis import strategies as st

import dtviz
from dtviz import Collapse, Grow, LogError, Model, Rules, RulesError
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import tree_numbers
from dtviz.engine.grow import decide_all, finish, full_tree, moves
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.prune import weakest_links
from dtviz.engine.splits import (
    MAX_BRANCHES,
    CutPart,
    address_text,
    branch_nodes,
    is_later_part,
    multiway_split,
    projection_in,
)
from dtviz.engine.subtrees import connected_splits, height_of, subtree
from dtviz.engine.tree import Tree, fold, height, predict, replay, root_tree, split_gain
from dtviz.evaluate.curves import kept_splits
from dtviz.evaluate.metrics import compare
from dtviz.evaluate.validation import GRID_RULES, grid
from dtviz.explain.why import algorithm, arithmetic, why
from dtviz.explain.words import BRIEF, rule_text
from dtviz.models.steps import node_candidates
from dtviz.session.address import read_split

ID3 = ("multiway",)
MIXED = ("axis", "subset", "multiway")
RESTAURANT = """[12 rows]
  Patrons = Full: [6 rows]
    Hungry = No: predict "No" [2 rows: No 2]
    Hungry = Yes: [4 rows]
      Type = Burger: predict "Yes" [1 row: Yes 1]
      Type = Italian: predict "No" [1 row: No 1]
      Type = Thai: [2 rows]
        Friday = No: predict "No" [1 row: No 1]
        Friday = Yes: predict "Yes" [1 row: Yes 1]
  Patrons = None: predict "No" [2 rows: No 2]
  Patrons = Some: predict "Yes" [4 rows: Yes 4]
"""
"""The tree of Russell and Norvig, Artificial Intelligence, on its twelve rows; the branch that the
book has for French has no row."""


def fit(data: Dataset, **rules: Any) -> Model:
    return dtviz.fit(data, Rules(**{"families": ID3} | rules))


@pytest.mark.parametrize(
    ("criterion", "expected"),
    [
        ("entropy", [0.2467, 0.0292, 0.1518, 0.0481]),
        ("gain_ratio", [0.1564, 0.0188, 0.1518, 0.0488]),
    ],
)  # fmt: skip
def test_play_tennis_has_the_figures_of_quinlan(criterion: str, expected: list[float]) -> None:
    data = dtviz.load("play_tennis")
    table = dtviz.candidates(data, Rules(criterion=criterion, families=ID3))
    scores = table["gain" if criterion == "entropy" else criterion].round(4)
    assert table.feature.tolist() == ["outlook", "temperature", "humidity", "windy"]
    assert scores.tolist() == expected
    assert [str(rule) for rule in fit(data, criterion=criterion).rules()] == [
        "outlook = overcast -> yes (4 rows)",
        "outlook = rainy and windy = False -> yes (3 rows)",
        "outlook = rainy and windy = True -> no (2 rows)",
        "outlook = sunny and humidity = high -> no (3 rows)",
        "outlook = sunny and humidity = normal -> yes (2 rows)",
    ]


def test_the_restaurant_is_the_tree_of_the_textbook() -> None:
    data = dtviz.load("restaurant")
    model = fit(data)
    assert model.export("text") == RESTAURANT
    table = dtviz.candidates(data, model.rules_used).set_index("feature")
    for feature, gain in RESTAURANT_ROWS["multiway"].items():
        assert table.gain[feature] == pytest.approx(gain, abs=5e-4), feature
    assert split_gain(model.tree, 1) == pytest.approx(table.gain["Patrons"])
    assert height(model.tree) == 4


# --- a plain ID3 ----------------------------------------------------------------------------------


def entropy(targets: Sequence[Any]) -> float:
    return -sum(n / len(targets) * log2(n / len(targets)) for n in Counter(targets).values())


def plain_id3(rows: list[tuple[Any, ...]], features: Sequence[int]) -> Any:
    """Rows in leaves by nested dicts of feature and value; the target is last in each row."""
    targets = [row[-1] for row in rows]
    best, best_gain = None, -1.0
    for feature in features:
        parts: dict[Any, list[Any]] = {}
        for row in rows:
            parts.setdefault(row[feature], []).append(row[-1])
        gain = entropy(targets) - sum(len(y) / len(rows) * entropy(y) for y in parts.values())
        if len(parts) > 1 and gain > best_gain + 1e-9:
            best, best_gain = feature, gain
    if best is None or len({*targets}) == 1:
        return Counter(targets)
    values = sorted({row[best] for row in rows})
    return {
        (best, value): plain_id3([row for row in rows if row[best] == value], features)
        for value in values
    }


def as_nested(model: Model, node: int = 1) -> Any:
    tree, data = model.tree, model.data
    if node not in tree.splits:
        counts = zip(data.classes, tree.nodes[node].counts, strict=True)
        return Counter({name: n for name, n in counts if n})
    branch = tree.splits[node].projection
    assert isinstance(branch, CutPart)
    levels, nodes = data.levels[branch.feature], branch_nodes(tree.splits, node)
    pairs = zip(branch.codes, nodes, strict=True)
    return {(branch.feature, levels[code]): as_nested(model, child) for code, child in pairs}


ROWS = st.tuples(*map(st.sampled_from, ("abcd", "xy", "uvw", "PQR")))


@given(st.lists(ROWS, min_size=2, max_size=30))
@settings(max_examples=60)
def test_it_grows_the_tree_of_a_plain_id3(rows: list[tuple[str, ...]]) -> None:
    values = [sorted({*column}) for column in zip(*rows, strict=True)]
    codes = [[values[k].index(value) for k, value in enumerate(row)] for row in rows]
    *columns, y = np.array(codes).T
    *levels, classes = map(tuple, values)
    data = make_dataset(columns, y, "fgh", "y", classes, categories=levels)
    assert as_nested(fit(data)) == plain_id3(rows, range(3))


# --- every way of growing -------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    """Two categories, of which the first may lack values, and a number; classes or numbers."""
    n = draw(st.integers(3, 30))

    def column(values: Sequence[Any]) -> np.ndarray:
        return np.array(draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)), float)

    classes = draw(st.sampled_from([0, 2, 3]))
    first = [*range(draw(st.integers(2, 6))), *draw(st.sampled_from([(), (np.nan,)]))]
    columns = [column(first), column(range(3)), column(range(4))]
    y = column(range(classes)).astype(int) if classes else column([0.0, 1.0, 2.5, -3.0])
    weights = draw(st.sampled_from([None, column([1.0, 2.0]), column([0.5, 1.25])]))
    levels = (tuple("abcdef"), tuple("uvw"), ())
    return make_dataset(
        columns, y, "gcx", "y", "ABC"[:classes], sample_weight=weights, categories=levels
    )


LIMITS = (
    {},
    {"max_depth": 2},
    {"max_leaf_nodes": 5},
    {"order": "breadth", "max_leaf_nodes": 7},
    {"order": "depth", "max_leaf_nodes": 6},
    {"ccp_alpha": 0.02},
    {"min_samples_leaf": 2},
    {"missing": "majority"},
    {"max_p_value": 0.5},
)


@given(tables(), st.sampled_from([ID3, MIXED]), st.sampled_from(LIMITS), st.booleans())
@settings(max_examples=120)
def test_steps_levels_subtrees_and_ensembles_grow_one_tree(
    data: Dataset, families: tuple[str, ...], limits: dict[str, Any], ratio: bool
) -> None:
    criterion = ("gain_ratio" if ratio else "gini") if data.classes else "squared_error"
    problem = Problem(data, Rules(criterion, families=families, **limits))
    tree, log = root_tree(problem), []
    for move, grown in moves(problem, tree):
        tree = grown
        log.append(move)
    finished, by_levels = finish(problem, root_tree(problem))
    assert {*finished} == {*log}
    assert limits.get("ccp_alpha") or [*finished] == log
    nodes = full_tree(problem)
    of_full = subtree(nodes, kept_splits(nodes, problem.rules))
    of_ensemble = run_to_end(grow_together(data, problem.rules, np.ones((1, data.n)))).tree(0)
    for other in (by_levels, fold(problem, finished), of_full, of_ensemble):
        assert other.splits == tree.splits
        assert {k: {*rows} for k, rows in other.rows.items()} == {
            k: {*rows} for k, rows in tree.rows.items()
        }
    assert height(tree) <= limits.get("max_depth", height(tree))
    assert len(tree.rows) <= limits.get("max_leaf_nodes", len(tree.rows))
    assert_cuts_are_whole(tree)


@given(tables())
@settings(max_examples=30)
def test_pruning_takes_a_cut_back_as_a_whole(data: Dataset) -> None:
    criterion = "entropy" if data.classes else "squared_error"
    nodes = full_tree(Problem(data, Rules(criterion, families=ID3)))
    kept = nodes.is_split.copy()
    for link in weakest_links(nodes, nodes.is_split):
        assert not is_later_part(nodes.tree.splits[nodes.ids[link.index]])
        kept &= ~_below(nodes, link.index)
        assert_cuts_are_whole(subtree(nodes, kept))
        assert link.leaves == kept.sum() + 1


def _below(nodes: Any, top: int) -> np.ndarray:
    mask = np.zeros(len(nodes.ids), np.bool_)
    mask[top] = True
    for index in range(1, len(mask)):
        mask[index] |= mask[nodes.parent[index]]
    return mask


def assert_cuts_are_whole(tree: Tree) -> None:
    for node, split in tree.splits.items():
        branch = split.projection
        if isinstance(branch, CutPart) and branch.next is not None:
            assert tree.splits[2 * node + 1].projection == branch.next
        if is_later_part(split):
            assert tree.splits[node // 2].projection.next == branch


def test_the_gain_of_a_cut_is_that_of_all_its_branches_without_rounding() -> None:
    data = dtviz.load("restaurant")
    tree = fit(data, criterion="gini").tree
    for node in (node for node, split in tree.splits.items() if not is_later_part(split)):
        parts = [tree.nodes[child].counts for child in branch_nodes(tree.splits, node)]
        n = tree.nodes[node].n
        below = sum(Fraction(sum(part), n) * gini(part) for part in parts)
        assert split_gain(tree, node) == pytest.approx(float(gini(tree.nodes[node].counts) - below))


def gini(counts: Sequence[int]) -> Fraction:
    return 1 - sum(Fraction(count, sum(counts)) ** 2 for count in counts)


# --- rows without a branch, and exports -----------------------------------------------------------

UNSEEN = pd.DataFrame({"g": ["a", "b", "c", "z", None], "h": ["u", "v", "u", "v", "w"]})


def lacking_rows() -> pd.DataFrame:
    """Most rows have b, the middle one of three values; some have none."""
    g = ["a"] * 4 + ["b"] * 9 + ["c"] * 3 + [None] * 4
    h = ["u", "v"] * 10
    y = ["P"] * 4 + ["Q", "R"] * 4 + ["Q"] + ["R"] * 3 + ["Q", "R", "Q", "Q"]
    return pd.DataFrame({"g": g, "h": h, "y": y})


def by_json(model: Model, row: dict[str, Any]) -> Any:
    nodes = {node["id"]: node for node in json.loads(model.export("json"))["nodes"]}
    node = nodes[1]
    while "left" in node:
        value = row[node["feature"]]
        if "left_if" in node:
            is_left = (node["left_if"] == "missing") == (value is None)
        elif value is None:
            is_left = node["missing"] == "left"
        elif "left_values" in node:
            is_left = value in node["left_values"]
        else:
            is_left = value not in node["right_values"]
        node = nodes[node["left" if is_left else "right"]]
    return node["value"]


def test_rows_without_a_branch_go_with_most_rows_in_every_export() -> None:
    frame = lacking_rows()
    model = fit(dtviz.from_frame(frame, "y"))
    root = model.tree.splits[1].projection
    assert isinstance(root, CutPart)
    assert (root.codes, root.default) == ((0, 1, 2), 1)
    leaves = model.apply(UNSEEN).tolist()
    assert leaves[3] == leaves[1]  # z, never seen, goes with b
    rows = pd.concat([UNSEEN, frame[["g", "h"]]], ignore_index=True)
    predicted = model.predict(rows).tolist()
    assert predicted == in_python(model, rows.astype(object).where(rows.notna(), None))
    assert predicted == in_sqlite(model, rows)
    known = rows.astype(object).where(rows.notna(), None)
    assert predicted == [by_json(model, row) for row in known.to_dict("records")]
    (first,) = (node for node in json.loads(model.export("json"))["nodes"] if node["id"] == 1)
    assert first["branches"] == [
        {"value": "a", "node": 2}, {"value": "b", "node": 6}, {"value": "c", "node": 7}
    ]  # fmt: skip


@given(tables())
@settings(max_examples=40)
def test_exports_agree_with_the_model_on_any_rows(data: Dataset) -> None:
    rules = Rules("entropy" if data.classes else "squared_error", families=MIXED)
    model = dtviz.fit(data, rules)
    first = [*"abcdef", "never", None] if data.gaps[0] else [*"abcdef", "never"]
    cells = product(first, [*"uvw", "never"], [0.0, 1.5, 3.0])
    rows = pd.DataFrame(cells, columns=["g", "c", "x"])
    known = rows.astype(object).where(rows.notna(), None)
    predicted = model.predict(rows).tolist()
    assert predicted == in_python(model, known)
    assert predicted == in_sqlite(model, rows)


# --- words, moves and refusals --------------------------------------------------------------------


def test_a_cut_is_told_with_all_its_branches() -> None:
    data = dtviz.load("play_tennis")
    problem = Problem(data, Rules(families=ID3, criterion="gain_ratio"))
    cuts = node_candidates(problem, root_tree(problem), 1)
    assert why(problem, cuts) == (
        "outlook in 3 branches wins: gain ratio 0.1564, just ahead of the best cut on humidity."
    )
    assert cuts.best is not None
    lines = arithmetic(problem, cuts, cuts.best, np.arange(14))
    assert lines[2].startswith(r"I(D_{\text{rainy}}) = - \tfrac{2}{5}")
    gain = r"\text{gain} = 0.940286 - \frac{4}{14} \cdot 0 - \frac{5}{14} \cdot 0.970951 - \frac{5}"
    assert lines[4].startswith(gain)
    terms = [rf"- \tfrac{{{n}}}{{14}} \log_2 \tfrac{{{n}}}{{14}}" for n in (4, 5, 5)]
    assert " ".join(terms) in lines[-1]
    assert lines[-1].endswith(r"\frac{0.24675}{1.57741} = \mathbf{0.156428}")
    assert algorithm(problem)[4][1].strip() == "for every branch a of c*: D_a = its rows"
    model = fit(data)
    assert rule_text(data, model.tree, 1, BRIEF) == "outlook in 3 branches"
    row = {"outlook": "sunny", "temperature": "hot", "humidity": "high", "windy": True}
    assert model.path_told(row) == ("outlook in 3 branches: sunny", "humidity in 2 branches: high")
    assert 'n1 -> n6 [label=" rainy "]' in model.export("dot")


def test_a_move_makes_the_cut_and_an_address_keeps_it() -> None:
    problem = Problem(dtviz.load("play_tennis"), Rules(families=ID3))
    split = multiway_split(0, (0, 1, 2), 1)
    assert address_text(split) == "w0-0-1-2-d1.0.5"
    read = projection_in("w0-0-1-2-d1")
    assert read == split.projection
    assert isinstance(read, CutPart)
    assert read.default == 1
    for default in range(3):
        cut = multiway_split(0, (0, 1, 2), default)
        assert read_split(address_text(cut)) == cut
    for wrong_text in (
        "w0-0-1-d9.0.5",
        "w0-1-1-d1.0.5",
        "w0-0-1-2-d1.0.75",
        "w0-0-1-2-d1.0.5l",
        "w0-0-1-2-d1.0.5r",
    ):
        with pytest.raises(ValueError, match=wrong_text):
            read_split(wrong_text)
    tree = fold(problem, (Grow(1, split),))
    assert sorted(tree.rows) == [2, 6, 7]
    assert height(tree) == 1
    later_part = tree.splits[3]
    for wrong, message in (
        (later_part, "a multi-way cut has 2 to 50 branches"),
        (multiway_split(0, (0, 0)), "each of another value"),
        (multiway_split(0, (0, 5)), "a category of 3 values has no number 5"),
        (multiway_split(9, (0, 1)), "feature 9 is no category here"),
    ):
        with pytest.raises(LogError, match=message):
            fold(problem, (Grow(1, wrong),))
    with pytest.raises(LogError, match="leaves one side empty"):
        fold(problem, (Grow(1, multiway_split(0, (0, 1))), Grow(2, multiway_split(0, (1, 2)))))
    # a move that is refused changes nothing, though two of its three branches have rows
    kept, refusal = replay(problem, tree, (Grow(6, multiway_split(1, (0, 1, 2))),))
    assert (kept.splits, sorted(kept.rows)) == (tree.splits, [2, 6, 7])
    assert refusal is not None
    with pytest.raises(LogError, match="node 3 belongs to the cut of node 1"):
        fold(problem, (Grow(1, split), Collapse(3)))
    assert sorted(fold(problem, (Grow(1, split), Collapse(1))).rows) == [1]


def test_what_needs_two_sides_is_refused_in_words() -> None:
    data = dtviz.load("play_tennis")
    with pytest.raises(RulesError, match="'gain_ratio' for multi-way cuts; not 'cart'"):
        fit(data, criterion="cart")
    with pytest.raises(ValueError, match="searched among cuts with two sides"):
        run_to_end(best_of_depth_2(Problem(data, Rules(families=ID3))))
    with pytest.raises(RulesError, match="with one of 'axis' or 'radial' for these"):
        fit(dtviz.load("heights"))


# --- limits of a cut ------------------------------------------------------------------------------


def test_a_cut_without_room_for_its_branches_is_not_made() -> None:
    data = dtviz.load("play_tennis")
    problem = Problem(data, Rules("entropy", families=ID3, max_leaf_nodes=2))
    _, tree = finish(problem, root_tree(problem))
    assert [decision.stop for decision in decide_all(problem, tree).values()] == ["max_leaf_nodes"]
    problem = Problem(data, replace(problem.rules, max_leaf_nodes=3))
    assert sorted(finish(problem, root_tree(problem))[1].rows) == [2, 6, 7]


def test_a_category_of_too_many_values_has_no_cut() -> None:
    for n, stop in ((MAX_BRANCHES, ""), (MAX_BRANCHES + 1, "many_branches")):
        codes = np.arange(2 * n) % n
        levels = (tuple(f"v{code:02}" for code in range(n)),)
        data = make_dataset([codes], codes % 2, "g", "y", "AB", categories=levels)
        problem = Problem(data, Rules("entropy", families=ID3))
        (decision,) = decide_all(problem, root_tree(problem)).values()
        assert decision.stop == stop, n
        assert len(finish(problem, root_tree(problem))[1].rows) == (1 if stop else n)


# --- what counts and compares trees ---------------------------------------------------------------


def test_compared_time_lines_count_cuts_not_their_parts() -> None:
    problem = Problem(dtviz.load("restaurant"), Rules("entropy", families=ID3))
    log, tree = finish(problem, root_tree(problem))
    figures = run_to_end(compare(problem, [(1,), (len(log),), (*log[:1], 1)], k=3))
    assert [(each.splits, each.leaves, each.height) for each in figures] == [
        (1, 3, 1), (4, len(tree.rows), 4), (2, 4, 2)
    ]  # fmt: skip
    assert [each.manual_splits for each in figures] == [0, 0, 1]


def test_the_height_of_a_subtree_counts_cuts() -> None:
    nodes = full_tree(Problem(dtviz.load("restaurant"), Rules(families=ID3)))
    root = np.arange(len(nodes.ids)) == 0
    assert height_of(nodes, connected_splits(nodes, root | nodes.is_later_part)) == 1
    assert height_of(nodes, nodes.is_split) == 4


def test_a_grid_leaves_out_criteria_of_two_sides() -> None:
    data, rules = dtviz.load("restaurant"), Rules("entropy", families=ID3)
    found = run_to_end(grid(data, rules, GRID_RULES["classification"], (1, 2), 3))
    assert "cart" in GRID_RULES["classification"].values(Rules("entropy"), data)
    assert "cart" not in found.values
    assert {"entropy", "gain_ratio"} <= {*found.values}


def test_extra_trees_make_whole_cuts() -> None:
    data = dtviz.load("restaurant")
    forest = dtviz.forest(data, Rules("gini", families=ID3), "extra_trees", 20)
    for model in map(forest.model, range(20)):
        assert_cuts_are_whole(model.tree)
    assert forest.predict(data).tolist() == [data.classes[code] for code in data.y]


def test_trees_that_send_a_value_without_a_branch_elsewhere_are_not_equal() -> None:
    frame = pd.DataFrame({"g": list("aaabbbcc"), "y": list("PPQQQPPQ")})
    data, rules = dtviz.from_frame(frame, "y"), Rules("gini", families=ID3)
    weights = np.array([[1, 1, 1, 1, 0, 0, 0, 0], [1, 0, 0, 1, 1, 1, 0, 0]], float)
    trees = run_to_end(grow_together(data, rules, weights))
    predicted = [predict(trees.tree(k), data.columns)[-1] for k in range(2)]  # of c, never drawn
    assert predicted == [0, 1]
    assert len({*tree_numbers(trees).tolist()}) == 2


def test_values_grouped_as_other_go_where_the_model_sends_them() -> None:
    frame = lacking_rows()[["h", "y"]].assign(g=["a"] * 9 + ["b"] * 9 + ["c", "d"])
    model = fit(dtviz.group_rare(dtviz.from_frame(frame, "y"), 3))
    rows = pd.DataFrame({"h": ["u", "v"] * 3, "g": ["a", "b", "c", "d", "never", "never"]})
    predicted = model.predict(rows).tolist()
    assert predicted == [by_json(model, row) for row in rows.to_dict("records")]
    assert predicted == in_python(model, rows)
