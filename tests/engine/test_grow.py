"""Whether a move could be the rules' own: no is certain, and asks for no growth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from cases import GOOD_PLACE, data_of
from futures import future_of
from grids import grids
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data, grown, rules_for
from test_tree import same

import dtviz
import dtviz.app.instrument
from dtviz import Collapse, Grow, Rules, axis_split, load
from dtviz.app.instrument import Instrument
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.gallery import example_recipe
from dtviz.engine import grow, splitter
from dtviz.engine.grow import STOPS, could_make, decide_all, finish, moves, next_move, splits_after
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules, minimum_of, with_row_counts
from dtviz.engine.tree import Log, Tree, extend, fold, height, preorder_key, root_tree
from dtviz.session.session import Session, Visit, runs_of


@given(grown(10))
def test_what_the_rules_do_next_they_could(case: Any) -> None:
    found, rules, log, tree = case
    assert splits_after(log) == dict(tree.splits)
    for move in future_of(found)(rules, log)[:1]:
        assert could_make(Problem(found, rules), log, move)


@given(grown(10))
def test_the_log_is_told_by_the_same_runs_as_when_each_future_is_grown(case: Any) -> None:
    found, rules, log, _ = case
    whole = future_of(found)

    def quick(rules: Rules, log: Any, first: Any = None, *_: Any) -> Any:
        if first is not None and not could_make(Problem(found, rules), log, first):
            return ()
        return whole(rules, log)

    assert runs_of(rules, log, quick) == runs_of(rules, log, whole)


def test_another_cut_a_prune_and_a_node_that_is_no_leaf_could_not_be() -> None:
    found, rules = load("moons", n=60), Rules()
    (first, *_) = future_of(found)(rules, ())
    problem = Problem(found, rules)
    assert could_make(problem, (), first)
    assert not could_make(problem, (), Grow(1, axis_split(0, -0.7)))
    assert not could_make(problem, (first,), first)
    assert not could_make(problem, (), Grow(2, first.split))
    assert not could_make(problem, (first,), Collapse(1))
    assert could_make(Problem(found, Rules(ccp_alpha=0.01)), (first,), Collapse(1))


def test_an_address_of_many_moves_grows_on_from_none(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = example_recipe("moons", n=60)
    tab = Instrument(Visit(Session(recipe)))
    loop = (Grow(1, axis_split(0, -0.7)), Collapse(1))
    grown: list[object] = []
    finish = dtviz.app.instrument.finish
    monkeypatch.setattr(
        dtviz.app.instrument, "finish", lambda *args: grown.append(args) or finish(*args)
    )
    assert runs_of(Rules(), loop * 100, tab.future(recipe)) == loop * 100
    assert grown == []
    assert fold(Problem(tab.dataset(recipe), Rules()), loop * 100).splits == {}


ORDERS = ("depth", "breadth", "best")
XOR = make_dataset([[0, 0, 1, 1], [0, 1, 0, 1]], np.array([0, 1, 1, 0]), ["x1", "x2"], "y", "ab")


def lazily(found: Dataset, rules: Rules, tree: Tree) -> tuple[Log, Tree]:
    """All moves taken one at a time, and the tree after the last."""
    log: Log = ()
    for move, after in moves(Problem(found, rules), tree):
        log, tree = (*log, move), after
    return log, tree


def noisy(n: int, task: str = "classification", features: int = 2, seed: int = 0) -> Dataset:
    """Rows at random, with ties among the features."""
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, n // 2, n), *rng.normal(size=(features - 1, n))]
    names = [f"x{j}" for j in range(features)]
    if task == "regression":
        return make_dataset(columns, rng.normal(size=n), names, "y")
    return make_dataset(columns, rng.integers(0, 3, n), names, "y", "abc")


@settings(max_examples=50)
@given(data(), st.data())
def test_level_by_level_is_the_same_as_one_at_a_time(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    problem = Problem(found, rules)
    log, tree = finish(problem, root_tree(problem))
    one_log, one_tree = lazily(found, rules, root_tree(problem))
    assert log == one_log
    same(tree, one_tree)
    same(fold(problem, log), tree)


@grids
def test_both_ways_agree_on_a_larger_tree(grid: Any) -> None:
    for order, task, limit in grid(ORDERS, ("classification", "regression"), (None, 2, 7, 25)):
        found = noisy(80, task)
        name = default_rules(found.task).criterion
        rules = Rules(name, order=order, max_leaf_nodes=limit, min_samples_leaf=2)
        problem = Problem(found, rules)
        log, tree = finish(problem, root_tree(problem))
        one_log, one_tree = lazily(found, rules, root_tree(problem))
        assert log == one_log, rules
        same(tree, one_tree)
        assert limit is None or len(tree.rows) <= limit, rules


EQUAL = [  # data on which several nodes offer the same decrease
    ("entropy", [0, 3, 1, 6, 8, 2, 8, 6, 1], [2, 1, 0, 2, 1, 1, 2, 0, 0]),
    ("squared_error", [0, 2, 1, 0, 5, 5], [0.0, 0.0, 0.2, 0.2, 0.2, 0.0]),
    ("squared_error", [3, 5, 3, 2, 0, 0], [0.1, 0.2, 0.2, 0.1, 0.1, 0.0]),
]


def test_equal_decreases_go_by_the_lowest_id() -> None:
    for criterion, x, y in EQUAL:
        # "0.1 + 0.2" must not decide which of two equal nodes is split first
        found = make_dataset(
            [x], np.array(y), ["x"], "y", "" if criterion == "squared_error" else "abc"
        )
        rules = Rules(criterion, order="best")
        problem = Problem(found, rules)
        log, _ = finish(problem, root_tree(problem))
        assert lazily(found, rules, root_tree(problem))[0] == log, (criterion, x, y)
        for k in range(len(log)):
            before = fold(problem, log[:k])
            assert finish(problem, before)[0] == log[k:], (criterion, x, y)


def test_the_order_changes_the_log_but_not_the_tree() -> None:
    for order in ORDERS:
        found = noisy(60)
        rules = Rules(order=order)
        problem = Problem(found, rules)
        log, tree = finish(problem, root_tree(problem))
        same(tree, finish(Problem(found, Rules()), root_tree(Problem(found, Rules())))[1])
        ids = [move.node for move in log]
        if order == "depth":
            assert ids == sorted(ids, key=preorder_key), order
        elif order == "breadth":
            assert ids == sorted(ids), order


def test_best_first_takes_the_largest_decrease_of_those_open() -> None:
    found = noisy(80)
    rules = Rules("gini", order="best")
    problem = Problem(found, rules)
    tree = root_tree(problem)
    for move, after in moves(problem, tree):
        open_leaves = {k: d.decrease for k, d in decide_all(problem, tree).items() if not d.stop}
        assert open_leaves[move.node] == max(open_leaves.values())
        tree = after


@settings(max_examples=40)
@given(data(), st.data())
def test_every_stop_rule_holds_where_it_is_given(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    problem = Problem(found, rules)
    _, tree = finish(problem, root_tree(problem))
    stops, least = decide_all(problem, tree), minimum_of(rules, found)
    assert list(stops) == sorted(tree.rows, key=preorder_key)
    for leaf, decision in stops.items():
        node, rows = tree.nodes[leaf], tree.rows[leaf]
        assert decision.stop in STOPS
        assert decision.split is None
        constant = all(len(set(column[rows].tolist())) == 1 for column in found.columns)
        match decision.stop:
            case "pure":
                on_a_line = rules.leaf_model == "linear" and node.impurity == 0
                assert on_a_line or len(set(found.y[rows].tolist())) == 1
            case "purity":
                assert max(node.counts) / node.n >= rules.purity
            case "min_samples_split":
                assert node.n < with_row_counts(rules, found.n).min_samples_split
            case "max_depth":
                assert leaf.bit_length() - 1 == rules.max_depth
            case "constant":
                assert constant
            case "min_samples_leaf":
                assert not constant
                assert least.rows > 1
            case "min_weight_fraction_leaf":
                assert not constant
                assert rules.min_weight_fraction_leaf > 0
            case "min_gain":
                assert rules.min_gain > 0
            case "min_impurity_decrease":
                assert rules.min_impurity_decrease > 0
            case "max_p_value":
                assert rules.max_p_value < 1
            case "zero_gain":
                assert rules.stop_at_zero_gain
            case "max_leaf_nodes":
                assert len(tree.rows) == rules.max_leaf_nodes
            case _:
                pytest.fail(f"leaf {leaf} is open")
        if decision.stop != "max_leaf_nodes":
            assert rules.max_depth is None or leaf.bit_length() - 1 <= rules.max_depth
    for node in tree.splits:
        assert not tree.nodes[node].pure
        assert tree.nodes[node].n >= with_row_counts(rules, found.n).min_samples_split
        sides = tree.nodes[2 * node], tree.nodes[2 * node + 1]
        assert min(side.n for side in sides) >= least.rows
        assert min(side.weight for side in sides) >= least.weight * (1 - 1e-9)


REASONS = {
    "pure": ([[0, 1]], [0, 0], Rules()),
    "purity": ([[0, 1, 2, 3]], [0, 0, 0, 1], Rules(purity=0.75)),
    "min_samples_split": ([[0, 1]], [0, 1], Rules(min_samples_split=3)),
    "constant": ([[5, 5], [1, 1]], [0, 1], Rules()),
    "min_samples_leaf": ([[0, 1]], [0, 1], Rules(min_samples_leaf=2)),
    "min_weight_fraction_leaf": ([[0, 1, 2]], [0, 1, 1], Rules(min_weight_fraction_leaf=0.4)),
    "min_impurity_decrease": ([[0, 1]], [0, 1], Rules(min_impurity_decrease=1.01)),
    "min_gain": ([[0, 1, 2, 3]], [0, 1, 0, 1], Rules(min_gain=0.9)),
    "max_p_value": ([[0, 1, 2, 3]], [0, 1, 0, 1], Rules(max_p_value=0.05)),
    "zero_gain": ([[0, 0, 1, 1], [0, 1, 0, 1]], [0, 1, 1, 0], Rules(stop_at_zero_gain=True)),
}


def test_each_stop_rule_stops_the_root() -> None:
    for order, stop in product(ORDERS, REASONS):
        columns, y, rules = REASONS[stop]
        found = make_dataset(
            columns, np.array(y), [f"x{j}" for j in range(len(columns))], "y", "ab"
        )
        rules = Rules(**{**{s: getattr(rules, s) for s in rules.__slots__}, "order": order})
        problem = Problem(found, rules)
        assert finish(problem, root_tree(problem))[0] == (), (stop, order)
        assert next_move(problem, root_tree(problem)) is None, (stop, order)
        assert decide_all(problem, root_tree(problem))[1].stop == stop, (stop, order)


def test_max_depth_stops_at_its_depth_and_no_sooner() -> None:
    found = noisy(60)
    for limit in (1, 2, 4):
        rules = Rules(max_depth=limit)
        problem = Problem(found, rules)
        _, tree = finish(problem, root_tree(problem))
        assert height(tree) == limit
        stops = {leaf: d.stop for leaf, d in decide_all(problem, tree).items()}
        assert {s for leaf, s in stops.items() if leaf < 2**limit} <= {"pure", "constant"}
        assert {s for leaf, s in stops.items() if leaf >= 2**limit} <= {"pure", "max_depth"}


def test_a_decrease_is_the_gain_times_the_node_s_share_of_the_weight() -> None:
    # node 3 parts b b b a: its gain is 0.8113 bit, and it has half of the weight: 0.4056
    plain = make_dataset([np.arange(8)], np.array([0, 0, 0, 0, 1, 1, 1, 0]), ["x"], "y", "ab")
    weights = np.array([2.0, 2, 1, 1, 1, 1])
    heavy = make_dataset(
        [np.arange(6)], np.array([0, 0, 1, 1, 1, 0]), ["x"], "y", "ab", (), weights
    )
    for found in (plain, heavy):
        for least, leaves in ((0.405, 3), (0.406, 2), (0.548, 2), (0.549, 1)):
            rules = Rules(min_impurity_decrease=least)
            problem = Problem(found, rules)
            assert len(finish(problem, root_tree(problem))[1].rows) == leaves


def test_a_pruned_leaf_stays_a_leaf_until_it_is_split_again() -> None:
    found = noisy(40)
    rules = Rules()
    problem = Problem(found, rules)
    log, tree = finish(problem, root_tree(problem))
    bare = extend(problem, tree, Collapse(1))
    assert finish(problem, bare)[0] == ()
    assert next_move(problem, bare) is None
    assert decide_all(problem, bare)[1].stop == "pruned"
    again = extend(problem, bare, log[0])
    assert finish(problem, again)[0] == log[1:]


def test_degenerate_data_grow_a_stump() -> None:
    for (columns, y, classes), order in product(
        [
            ([[1.0]], [0], "a"),
            ([[1.0]], [3.5], ""),
            ([[1, 2, 3]], [0, 0, 0], "ab"),
            ([[1, 2, 3]], [2.5, 2.5, 2.5], ""),
            ([[1, 1], [2, 2]], [0, 1], "ab"),
            ([[1, 1], [2, 2]], [0.0, 1.0], ""),
        ],
        ORDERS,
    ):
        found = make_dataset(
            columns, np.array(y), [f"x{j}" for j in range(len(columns))], "y", classes
        )
        rules = Rules(default_rules(found.task).criterion, order=order)
        problem = Problem(found, rules)
        log, tree = finish(problem, root_tree(problem))
        assert (log, list(tree.nodes)) == ((), [1]), (order, columns, y, classes)
        assert lazily(found, rules, root_tree(problem))[0] == (), (order, columns, y, classes)


def test_duplicates_with_different_labels_end_in_an_impure_leaf() -> None:
    found = make_dataset([[1, 1, 1, 2]], np.array([0, 1, 1, 0]), ["x"], "y", "ab")
    _, tree = finish(Problem(found, Rules()), root_tree(Problem(found, Rules())))
    stops = {leaf: d.stop for leaf, d in decide_all(Problem(found, Rules()), tree).items()}
    assert stops == {2: "constant", 3: "pure"}
    assert tree.nodes[2].counts == (1, 2)


def test_a_chain_grows_far_beyond_63_levels() -> None:
    # each value is a class of its own kind by turns, and error parts only one tip at a time
    n = 200
    y = 3.0 ** -np.arange(n)
    found = make_dataset([np.arange(n)], y, ["x"], "y")
    for order in ORDERS:
        rules = Rules("squared_error", order=order, max_depth=80)
        problem = Problem(found, rules)
        log, tree = finish(problem, root_tree(problem))
        assert height(tree) > 63, order
        assert len(log) == len(tree.splits), order
        same(fold(problem, log), tree)
        if order == "breadth":
            assert lazily(found, rules, root_tree(problem))[0] == log


@pytest.mark.parametrize("order", ["depth", "breadth"])
def test_the_first_step_is_at_the_root_alone(order: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = noisy(200)
    searched = Counter()

    def counting(data: Any, front: Any, *rest: Any) -> Any:
        searched["nodes"] += len(front.sizes)
        searched["rows"] += front.rows.shape[1]
        return plain(data, front, *rest)

    plain = splitter.find_best_cuts
    monkeypatch.setattr(splitter, "find_best_cuts", counting)
    steps = dtviz.steps(found, Rules(order=order))
    next(steps)
    assert searched == {"nodes": 1, "rows": 200}
    next(steps)
    assert searched["nodes"] == 2
    assert searched["rows"] < 400


@pytest.mark.parametrize("limit", [1, 3])
def test_leaves_at_the_largest_depth_are_not_sorted(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # nothing is searched below: their rows are sorted by nothing until someone reads them
    found, handed = noisy(200, features=3), []

    def noting(front: Any, *rest: Any) -> Any:
        handed.append(len(front.rows))
        return plain(front, *rest)

    plain = grow.children
    monkeypatch.setattr(grow, "children", noting)
    rules = Rules(max_depth=limit)
    problem = Problem(found, rules)
    finish(problem, root_tree(problem))
    assert handed == [3] * (limit - 1)


def test_the_decrease_of_an_open_leaf_is_its_share_of_the_rows_times_the_gain() -> None:
    found = make_dataset([np.arange(8.0)], np.array([0, 0, 0, 0, 0, 0, 1, 1]), ["x"], "y", "ab")
    rules = Rules("gini")
    problem = Problem(found, rules)
    assert decide_all(problem, root_tree(problem))[1].decrease == 0.375
    half = fold(problem, (Grow(1, axis_split(0, 3.5)),))
    decisions = decide_all(problem, half)
    assert (decisions[2].decrease, decisions[3].decrease) == (0, 0.25)  # 4/8 * 0.5


def test_no_leaves_need_no_decision() -> None:
    assert grow.decide(Problem(XOR, Rules()), root_tree(Problem(XOR, Rules())), []) == {}


def test_good_place_s_tree() -> None:
    model = dtviz.fit(data_of(GOOD_PLACE), Rules("entropy"))
    assert model.export("text") == GOOD_PLACE["text"]
    node, rule, bits = GOOD_PLACE["inner"]
    cuts = dtviz.candidates(model.data, Rules("entropy"), model.log, node)
    assert cuts.set_index("rule").gain[rule] == pytest.approx(bits, abs=5e-7)


# --- growth that ends in pruning (the path itself: test_prune.py) ---


@settings(max_examples=12)
@given(grown(12), st.data())
def test_pruning_goes_on_from_a_half_grown_tree(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, tree = case
    alpha = drawn.draw(any_rules(found)).ccp_alpha
    rules = replace(rules, ccp_alpha=alpha)
    problem = Problem(found, rules)
    rest, after = finish(problem, tree)
    one_rest, one_after = lazily(found, rules, tree)
    assert rest == one_rest
    same(after, one_after)
    same(fold(problem, log + rest), after)
    same(tree, fold(problem, log))  # left as it was
    assert finish(problem, after)[0] == ()
    assert next_move(problem, after) is None
    assert all(decision.stop for decision in decide_all(problem, after).values())
    for made in range(len(rest)):
        there = fold(problem, log + rest[:made])
        assert finish(problem, there)[0] == rest[made:]


def test_pruning_waits_for_the_last_split() -> None:
    found = noisy(60)
    rules = Rules("gini", ccp_alpha=0.015)
    problem = Problem(found, rules)
    log, tree = finish(problem, root_tree(problem))
    plain = finish(Problem(found, Rules("gini")), root_tree(problem))[0]
    assert log[: len(plain)] == plain
    prunes = log[len(plain) :]
    assert len(prunes) > 3
    assert all(isinstance(move, Collapse) for move in prunes)
    assert tree.pruned <= {move.node for move in prunes}
    stops = {leaf: d.stop for leaf, d in decide_all(problem, tree).items()}
    assert {leaf for leaf, stop in stops.items() if stop == "pruned"} == tree.pruned
    halfway = fold(problem, plain)
    assert next_move(problem, halfway) == prunes[0]


def test_leaves_that_pruning_frees_are_not_grown_again() -> None:
    found = noisy(60)
    rules = Rules("gini", order="best", max_leaf_nodes=12, ccp_alpha=0.022)
    problem = Problem(found, rules)
    log, tree = finish(problem, root_tree(problem))
    assert sum(isinstance(move, Grow) for move in log) == 11
    assert len(tree.rows) < 12
    for made in range(11, len(log) + 1):
        there = fold(problem, log[:made])
        assert finish(problem, there)[0] == log[made:]
