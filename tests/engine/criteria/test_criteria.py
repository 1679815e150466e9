"""What mistakes cost: the least expected cost of a node, error as a cost, pruning by it.

The oracle is rpart's definition (Therneau and Atkinson, An introduction to recursive partitioning
using the rpart routines, 3.2 and 3.3) in exact fractions: priors altered to pi_i L_i / sum, where
L_i is the sum of line i; a node says the class j of the least sum_i p_i L_ij by the priors as they
are, and that is its risk.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import CLASS_SPLITS, ENTROPIES, HALVES, HEIGHTS, PLAY_TENNIS
from exported import in_python, in_sqlite
from hypothesis import given, settings
from hypothesis import strategies as st

import dtviz
from dtviz import Grow, Rules, RulesError, from_frame, impurity
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.data.gallery import example_recipe
from dtviz.data.weights import (
    cost_factors,
    extend_costs,
    relative_costs,
    total_weight_before_costs,
    weights_before_costs,
)
from dtviz.engine.criteria.criteria import (
    CRITERIA,
    criteria_for,
    default_criterion,
    exact_entropy,
    exact_error,
    exact_gain_ratio,
    exact_gini,
    least_cost_class,
    running_variance,
)
from dtviz.engine.criteria.from_counts import scores
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.prune import prune_at_alpha, reduced_error_links
from dtviz.engine.search.candidates import Candidates, candidates
from dtviz.engine.subtrees import connected_splits, losses, subtree_leaves
from dtviz.engine.tree import class_shares, shares_before_costs
from dtviz.evaluate.curves import errors
from dtviz.evaluate.metrics import score_of
from dtviz.explain.why import arithmetic
from dtviz.explain.words import cost_note, stop_reason
from dtviz.models.steps import node_candidates
from dtviz.pictures.tree import tree_frame
from dtviz.session.headlines import grow_headline
from dtviz.session.screen import screen_of
from dtviz.session.session import Session

Matrix = list[list[Fraction]]
Given = tuple[Dataset, Matrix, list[Fraction]]


def named(costs: Any, classes: str = "abc") -> dict[str, dict[str, float]]:
    return {
        one: {other: float(costs[i][j]) for j, other in enumerate(classes)}
        for i, one in enumerate(classes)
    }


@st.composite
def tables(draw: st.DrawFn, classes: int = 3) -> Given:
    """A table of all classes, its costs, and what a row of each class weighs without them."""
    names = "abcd"[:classes]
    some = st.tuples(st.integers(0, 5), st.integers(0, 3), st.sampled_from(names))
    rows = [(k, k, name) for k, name in enumerate(names)]
    rows += draw(st.lists(some, min_size=1, max_size=14))
    cost = st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 4), Fraction(3), Fraction(7, 2)])
    lines = [draw(st.lists(cost, min_size=classes, max_size=classes)) for _ in names]
    for i, line in enumerate(lines):
        line[i] = Fraction(0)
        line[i - 1] += not any(line)
    own = [Fraction(draw(st.sampled_from([1, 1, 2, 5])), 2) for _ in names]
    found = from_frame(
        pd.DataFrame(rows, columns=["x1", "x2", "y"]),
        "y",
        class_weight={name: float(part) for name, part in zip(names, own, strict=True)},
        costs=named(lines, names),
    )
    return found, lines, own


def expected(counts: Any, costs: Matrix, own: list[Fraction]) -> list[Fraction]:
    """What calling so many rows each class would cost."""
    every = range(len(costs))
    return [sum((int(counts[i]) * own[i] * costs[i][j] for i in every), Fraction(0)) for j in every]


def told(*parts: Any) -> Any:
    return pytest.approx([*map(float, parts)], rel=1e-9, abs=1e-12)


@settings(max_examples=15)
@given(st.one_of(tables(), tables(4)), st.sampled_from(["gini", "entropy", "error"]))
def test_a_node_says_what_costs_least_in_exact_fractions(given: Given, criterion: str) -> None:
    found, costs, own = given
    model = dtviz.fit(found, Rules(criterion, max_depth=3))
    sums = [sum(line) for line in costs]
    for node in model.tree.nodes.values():
        cost = expected(node.counts, costs, own)
        assert int(node.value) == cost.index(min(cost))
        altered = [n * w * s for n, w, s in zip(node.counts, own, sums, strict=True)]
        assert class_shares(node) == told(*(part / sum(altered) for part in altered))
        plain = [n * w for n, w in zip(node.counts, own, strict=True)]
        assert shares_before_costs(found, node) == told(*(part / sum(plain) for part in plain))
    assert model.tree.leaf_model.name == "least_cost"
    frame = pd.DataFrame(found.columns.T, columns=found.features)
    shares = model.predict_proba(frame)
    least = (shares @ np.array(costs, float)).min(axis=1)
    said = [found.classes.index(name) for name in model.predict(frame).tolist()]
    assert (shares @ np.array(costs, float))[np.arange(found.n), said] == pytest.approx(least)


@given(tables(), st.sampled_from(["gini", "error"]))
def test_gains_are_those_of_rpart_s_altered_priors(given: Given, criterion: str) -> None:
    found, costs, own = given
    sums = [sum(line) / (len(costs) - 1) for line in costs]

    def worth(rows: Any) -> Fraction:
        """The weight of some rows by altered priors times their impurity."""
        counts = np.bincount(found.y[rows], minlength=3)
        if criterion == "error":
            return min(expected(counts, costs, own))
        parts = [int(n) * w * s for n, w, s in zip(counts, own, sums, strict=True)]
        whole = sum(parts, Fraction(0))
        return whole - sum(part * part for part in parts) / whole

    total = sum((own[code] * sums[code] for code in found.y.tolist()), Fraction(0))
    everything = np.arange(found.n)
    for cut in dtviz.candidates(found, Rules(criterion)).itertuples():
        left = found.columns[found.features.index(str(cut.feature))] <= cut.threshold
        gain = worth(everything) - worth(everything[left]) - worth(everything[~left])
        assert cut.gain == pytest.approx(float(gain / total), rel=1e-9, abs=1e-9)


@settings(max_examples=10)
@given(tables(2), st.sampled_from(["gini", "entropy", "error", "gain_ratio", "cart"]))
def test_costs_of_two_classes_are_class_weights_exactly(given: Given, criterion: str) -> None:
    found, costs, own = given
    table = pd.DataFrame(found.columns.T, columns=found.features)
    table["y"] = [found.classes[code] for code in found.y.tolist()]
    weight = {"a": float(own[0] * costs[0][1]), "b": float(own[1] * costs[1][0])}
    other = from_frame(table, "y", class_weight=weight)
    assert found.weights is not None
    assert other.weights is not None
    assert found.weights.tolist() == other.weights.tolist()
    rules = Rules(criterion, max_depth=3, ccp_alpha=0.02)
    mine, theirs = dtviz.fit(found, rules), dtviz.fit(other, rules)
    assert mine.log == theirs.log
    assert dict(mine.tree.nodes) == dict(theirs.tree.nodes)
    for kind in ("text", "python", "sql", "dot"):
        # the share of a class is of the rows' own weights, which costs do not change
        texts = (model.export(kind).partition("def predict_proba")[0] for model in (mine, theirs))
        first, second = (re.sub(r"[\d.]+ % of ", "", text) for text in texts)
        assert first == second
    lost = score_of(other, theirs.tree)
    assert mine.cost(found) == pytest.approx((1 - lost) * other.weight / plain_weight(found))


def plain_weight(found: Dataset) -> float:
    own = weights_before_costs(found)
    assert own is not None
    return float(own.sum())


@settings(max_examples=10)
@given(tables())
def test_equal_costs_change_nothing_but_their_unit(given: Given) -> None:
    found = given[0]
    table = pd.DataFrame(found.columns.T, columns=found.features)
    table["y"] = [found.classes[code] for code in found.y.tolist()]
    free, each = from_frame(table, "y"), from_frame(table, "y", costs={})
    five = from_frame(table, "y", costs=named(5 - 5 * np.eye(3)))
    rules = Rules("gini", max_depth=3, ccp_alpha=0.01)
    one, same, more = (dtviz.fit(some, rules) for some in (free, each, five))
    assert one.log == same.log == more.log
    assert one.predict(table).tolist() == same.predict(table).tolist()
    assert one.predict(table).tolist() == more.predict(table).tolist()
    wrong = 1 - one.score(free)
    assert (same.cost(each), more.cost(five)) == pytest.approx((wrong, 5 * wrong))
    assert one.cost(free) == pytest.approx(wrong)
    assert same.score(each) == more.score(five) == one.score(free)


@given(st.data())
def test_the_cheapest_is_the_first_of_the_least_sums(drawn: st.DataObject) -> None:
    many = drawn.draw(st.integers(2, 6))
    whole = st.integers(0, 9)
    line = st.lists(whole, min_size=many, max_size=many)
    costs = np.array(drawn.draw(st.lists(line, min_size=many, max_size=many)), float)
    np.fill_diagonal(costs, 0)
    costs[:, 0] += (~costs.any(axis=1)) & (np.arange(many) > 0)
    costs[0, 1] += not costs[0].any()
    counts = np.array(drawn.draw(st.lists(line, min_size=1, max_size=5))) + np.eye(1, many)
    own = [[Fraction(int(cost)) for cost in line] for line in costs.tolist()]
    least = [expected(line, own, [Fraction(1)] * many) for line in counts.tolist()]
    found = least_cost_class(counts * cost_factors(costs), costs)
    assert found.tolist() == [line.index(min(line)) for line in least]


@settings(max_examples=12)
@given(tables(), st.integers(0, 6))
def test_pruning_by_error_is_pruning_by_what_the_tree_costs(given: Given, step: int) -> None:
    found, costs, own = given
    rules = Rules("error", stop_at_zero_gain=False)
    nodes = full_tree(Problem(found, replace(rules, max_depth=2)))
    kept = nodes.is_split & (nodes.depth < 2)
    alpha = Fraction(2 * step + 1, 97)  # no sum of these costs is a tie at it
    left = prune_at_alpha(nodes, kept, float(alpha))

    def worth(stays: Any) -> Fraction:
        """R + alpha |T|, in shares of the weight."""
        at = np.flatnonzero(subtree_leaves(nodes, stays))
        each = [nodes.tree.nodes[nodes.ids[k]].counts for k in at.tolist()]
        total = sum(
            (own[code] * sum(costs[code]) / (len(costs) - 1) for code in found.y.tolist()),
            Fraction(0),
        )
        risk = sum((min(expected(counts, costs, own)) for counts in each), Fraction(0))
        return risk / total + alpha * len(each)

    places = np.flatnonzero(kept)
    subtrees = []
    for some in product([False, True], repeat=len(places)):
        stays = np.zeros(len(kept), np.bool_)
        stays[places] = some
        subtrees.append(connected_splits(nodes, stays))
    assert worth(left) == min(map(worth, subtrees))


@given(tables())
def test_losses_and_errors_are_costs_and_reduced_error_prunes_by_them(given: Given) -> None:
    found, costs, own = given
    some = np.arange(found.n) % 3 > 0
    nodes = full_tree(Problem(take_rows(found, some), Rules("gini")))
    held = take_rows(found, ~some)
    lost, leaf = losses(nodes, held)
    at_ends = np.zeros(len(nodes.ids))
    for row, place in enumerate(leaf.tolist()):
        code = int(held.y[row])
        at_ends[place] += float(own[code] * costs[code][int(nodes.value[place])])
    here = np.flatnonzero(~nodes.is_split)
    assert lost[here] == told(*at_ends[here])
    weight = sum(float(own[code]) for code in held.y.tolist())
    assert errors(nodes, nodes.is_split[None], held) == told(at_ends.sum() / weight)
    gone = reduced_error_links(nodes, nodes.is_split, lost)
    stays = nodes.is_split.copy()
    stays[gone] = False
    after = lost[subtree_leaves(nodes, connected_splits(nodes, stays))].sum()
    assert after <= at_ends.sum() + 1e-9


def test_rows_of_a_class_that_no_training_row_has_cost_1_and_leave_the_others_be() -> None:
    costs = np.array([[0, 5, 2], [1, 0, 0.3], [4, 4, 0]])
    more = extend_costs(costs, 5)
    assert more[:3, :3].tolist() == costs.tolist()
    assert cost_factors(more) == pytest.approx([*cost_factors(costs), 1, 1])
    assert more[3].tolist() == [1, 1, 1, 0, 1]
    assert relative_costs(more)[:3, :3] == pytest.approx(relative_costs(costs))
    rng = np.random.default_rng(0)
    sums = np.c_[rng.uniform(0, 1, (200, 3)), np.zeros((200, 2))]
    assert least_cost_class(sums, more).tolist() == least_cost_class(sums[:, :3], costs).tolist()


@settings(max_examples=15)
@given(tables())
def test_exports_predict_as_the_model(given: Given) -> None:
    found, costs, _ = given
    model = dtviz.fit(found, Rules("gini", max_depth=2))
    frame = pd.DataFrame(found.columns.T, columns=found.features)
    said = model.predict(frame).tolist()
    assert in_python(model, frame) == in_sqlite(model, frame) == said
    body = json.loads(model.export("json"))
    assert (body["leaf_model"], body["costs"]) == ("least_cost", np.array(costs, float).tolist())
    leaf = {node["id"]: node["value"] for node in body["nodes"] if "left" not in node}
    assert [leaf[node] for node in model.apply(frame).tolist()] == said


def test_a_leaf_says_in_words_what_costs_least_where_that_is_not_the_commonest() -> None:
    table = pd.DataFrame({"x": [1.0] * 5 + [2.0] * 2, "y": list("aaabbcc")})
    found = from_frame(table, "y", costs={"b": {"a": 9, "c": 2}, "a": {"b": 2}})
    rules = Rules(max_depth=1)
    tree = dtviz.fit(found, rules).tree
    said = "It says b, which costs 1.2 a row; a, the commonest, would cost 3.6"
    assert cost_note(found, tree.nodes[2]) == said
    assert cost_note(found, tree.nodes[3]) == ""
    assert cost_note(from_frame(table, "y"), tree.nodes[2]) == ""
    session = Session(example_recipe("play_tennis"), rules, (Grow(1, tree.splits[1]),))
    screen = screen_of(replace(session, focus=2), found, lambda *_: ())
    assert grow_headline(screen).startswith(
        f"This leaf stops: depth 1 is the deepest allowed. {said}. "
    )
    stops = {2: "depth 1 is the deepest allowed"}
    nodes = tree_frame(Problem(found, rules), tree, stops)["nodes"]
    assert [note for *_, note, stop, _ in nodes if stop] == [said]
    free = from_frame(table.assign(y=list("aaaaabc")), "y", costs={"a": {"c": 0}})
    stop = Rules(purity=0.5)
    model = dtviz.fit(free, stop)
    assert model.predict(table).tolist() == ["c"] * 7
    told = stop_reason(Problem(free, stop), model.tree.nodes[1], "purity")
    assert told == "55.6 % of its rows are a: purity is at least 0.5"


def test_priors_and_losttogether_give_the_figures_of_rpart() -> None:
    # the case of rpart's tests/priors.R: 6, 5, 4 rows, priors 0.2, 0.3, 0.5, a split into 4, 4, 0
    # and 2, 1, 4; altered priors are 4, 12, 5 of 21, the nodes say 2, 2, 3 and their risks are sums
    counts, left = np.array([6, 5, 4]), np.array([4, 4, 0])
    priors, lost = np.array([0.2, 0.3, 0.5]), np.array([[0, 2, 2], [2, 0, 6], [1, 1, 0]])
    y = [*np.repeat([1, 2, 3], left), *np.repeat([1, 2, 3], counts - left)]
    table = pd.DataFrame({"x": np.repeat([0.0, 1.0], [8, 7]), "y": y})
    costs = {i + 1: {j + 1: float(lost[i, j]) for j in range(3)} for i in range(3)}
    found = from_frame(table, "y", priors=dict(enumerate(priors.tolist(), 1)), costs=costs)
    shares = np.bincount(found.y, found.weights) / found.weight
    assert shares == pytest.approx(np.array([4, 12, 5]) / 21)
    tree = dtviz.fit(found, Rules("gini", max_depth=1)).tree
    said = {node: found.classes[int(known.value)] for node, known in tree.nodes.items()}
    assert said == {1: 2, 2: 2, 3: 3}
    for node, n in ((1, counts), (2, left), (3, counts - left)):
        part = n * priors / counts
        assert shares_before_costs(found, tree.nodes[node]) == pytest.approx(part / part.sum())
        own = np.array(tree.nodes[node].weight_by_class) / cost_factors(lost) / 15
        at = int(tree.nodes[node].value)
        assert own @ lost[:, at] == pytest.approx(part @ lost[:, at])
    assert total_weight_before_costs(found) == pytest.approx(15)
    assert score_of(found, tree) == pytest.approx(
        (left * priors / counts) @ lost[:, 1] + ((counts - left) * priors / counts) @ lost[:, 2]
    )


def test_error_is_written_with_what_each_mistake_costs() -> None:
    table = pd.DataFrame({"x": [1.0, 2, 3, 4, 5], "y": list("aabbc")})
    found = from_frame(table, "y", costs={"a": {"b": 3, "c": 1}, "c": {"a": 1, "b": 5}})
    # a row of a weighs 2, of b 1, of c 3: calling all a costs 2 b + 1 c, over 9 in all
    rules = Rules("error")
    model = dtviz.fit(found, rules)
    assert model.tree.nodes[1].impurity == pytest.approx(3 / 9)
    problem = Problem(found, rules)
    lines = arithmetic(problem, node_candidates(problem, model.tree, 1), 3, np.arange(5))
    assert lines[:3] == (
        r"I(D) = \tfrac{2}{9} \cdot 1 + \tfrac{3}{9} \cdot 0.333333 = 0.333333",
        r"I(D_L) = \tfrac{2}{6} \cdot 1 = 0.333333",
        "I(D_R) = 0 = 0",
    )


def test_a_majority_can_be_asked_for_beside_costs() -> None:
    table = pd.DataFrame({"x": [1.0, 1, 1], "y": list("aab")})
    found = from_frame(table, "y", costs={"b": {"a": 1.5}})
    assert dtviz.fit(found).predict(table).tolist() == ["a"] * 3
    found = from_frame(table, "y", costs={"b": {"a": 2.5}})
    assert dtviz.fit(found).predict(table).tolist() == ["b"] * 3
    three = from_frame(table.assign(y=list("abc")), "y", costs={"a": {"b": 9, "c": 0}})
    assert dtviz.fit(three, Rules(leaf_model="majority")).predict(table).tolist() == ["a"] * 3
    assert dtviz.fit(three).predict(table).tolist() == ["c"] * 3
    free = from_frame(table, "y")
    assert dtviz.fit(free, Rules(leaf_model="least_cost")).predict(table).tolist() == ["a"] * 3
    with pytest.raises(RulesError, match="'majority' or 'least_cost' or 'shares'"):
        dtviz.fit(found, Rules(leaf_model="mean"))


CLASS_CRITERIA = criteria_for("classification")
counts = st.lists(st.integers(0, 50), min_size=1, max_size=5).filter(any)


def the_cut(left: Sequence[int], right: Sequence[int], name: str) -> Candidates:
    """The only cut between two groups of rows with these class counts."""
    k = range(len(left))
    y = np.concatenate([np.repeat(k, left), np.repeat(k, right)])
    x = np.repeat([0, 1], [sum(left), sum(right)])
    cuts = candidates(
        make_dataset([x], y, ["x"], "y", "abcdefg"), np.arange(len(y)), CRITERIA[name]
    )
    assert len(cuts) == 1
    return cuts


def test_entropies_of_the_lectures() -> None:
    for shares, bits in ENTROPIES:
        rows = [round(60 * p) for p in shares]
        assert impurity("entropy", np.array(rows)) == pytest.approx(bits, abs=5e-7), (shares, bits)


def test_root_of_the_heights() -> None:
    for name in ["entropy", "gini", "error"]:
        assert impurity(name, np.array([3, 4])) == pytest.approx(HEIGHTS["root"][name], abs=5e-7)


def test_gains_of_the_lectures() -> None:
    for case in CLASS_SPLITS:
        left, right, bits = case
        assert the_cut(left, right, "entropy").gain[0] == pytest.approx(bits, abs=5e-7), case


def test_variance_gains_of_equal_halves() -> None:
    for case in HALVES:
        parent, left, right, gain = case
        # two halves of two rows each, with these variances, their means so far apart that the whole
        # has the parent's: m^2 = parent - (left + right) / 2
        apart = math.sqrt(parent - (left + right) / 2)
        rows = [-apart - math.sqrt(left), -apart + math.sqrt(left)]
        rows += [apart - math.sqrt(right), apart + math.sqrt(right)]
        y = np.array(rows)
        assert np.var(y) == pytest.approx(parent), case
        found = make_dataset([[0, 0, 1, 1]], y, ["x"], "y")
        cuts = candidates(found, np.arange(4), CRITERIA["squared_error"])
        assert cuts.gain[0] == pytest.approx(gain), case
        assert (cuts.impurity_left[0], cuts.impurity_right[0]) == pytest.approx((left, right)), case


def test_error_by_hand() -> None:
    assert impurity("error", np.array([1, 2, 5])) == pytest.approx(3 / 8)


def test_gini_by_hand() -> None:
    assert impurity("gini", np.array([2, 4])) == pytest.approx(4 / 9)  # 1 - 1/9 - 4/9


def test_gain_ratio_by_hand() -> None:
    # 8 rows halved, pure on both sides: gain 1 bit, split entropy 1 bit; 1 of 8: less to spend
    assert the_cut((4, 0), (0, 4), "gain_ratio").score[0] == 1.0
    one = the_cut((1, 0), (3, 4), "gain_ratio")
    assert one.gain[0] == the_cut((1, 0), (3, 4), "entropy").gain[0]
    assert one.score[0] == pytest.approx(one.gain[0] / impurity("entropy", np.array([1, 7])))


def test_cart_measure_by_hand() -> None:
    # Age <= 22.5 of Zaki & Meira: 2 H left; 2 H and 2 L right
    assert the_cut((2, 0), (2, 2), "cart").score[0] == pytest.approx(4 / 9)
    assert the_cut((2, 0), (2, 2), "cart").gain[0] == pytest.approx(1 / 9)


def multiway(feature: str) -> tuple[float, float]:
    """Gain and gain ratio of one branch a value, from `impurity` alone."""
    at = PLAY_TENNIS["columns"].index(feature)
    groups: dict[str, list[int]] = {}
    for row in PLAY_TENNIS["rows"]:
        groups.setdefault(row[at], [0, 0])[row[-1] == "yes"] += 1
    sizes = [sum(group) for group in groups.values()]
    below = sum(
        n / 14 * impurity("entropy", np.array(g))
        for n, g in zip(sizes, groups.values(), strict=True)
    )
    gain = impurity("entropy", np.array([5, 9])) - below
    return gain, gain / impurity("entropy", np.array(sizes))


def test_multiway_gains_of_play_tennis() -> None:
    for feature in ["outlook", "humidity", "windy", "temperature"]:
        gain, ratio = multiway(feature)
        assert gain == pytest.approx(PLAY_TENNIS["multiway_gain"][feature], abs=5e-5), feature
        assert ratio == pytest.approx(PLAY_TENNIS["multiway_ratio"][feature], abs=5e-5), feature


@given(st.sampled_from(CLASS_CRITERIA), counts)
def test_one_class_alone_has_no_impurity(name: str, rows: list[int]) -> None:
    assert impurity(name, np.array([0, sum(rows), 0])) == pytest.approx(0, abs=1e-12)


def test_impurity_names_what_it_takes() -> None:
    for name in ["squared_error", "nonsense", ""]:
        with pytest.raises(ValueError, match=r"`criterion` must be one of entropy, gini.*not"):
            impurity(name, np.array([1, 2]))


def test_an_empty_group_has_no_impurity() -> None:
    with pytest.raises(ValueError, match="at least one row"):
        impurity("gini", np.array([0, 0]))


def test_large_counts_keep_their_digits() -> None:
    half = np.array([1_000_000, 1_000_000])
    assert impurity("entropy", half) == pytest.approx(1, abs=1e-9)
    assert impurity("gini", half) == pytest.approx(0.5, abs=1e-12)


@given(st.lists(st.sampled_from([0.0, 1.0, 2.5, 1e8, -3.0]), min_size=1, max_size=10))
def test_running_variance_is_the_variance_of_each_prefix(values: list[float]) -> None:
    found = running_variance(np.array(values))
    for j in range(1, len(values) + 1):
        part = [Fraction(v) for v in values[:j]]
        mean = sum(part) / j
        expected = float(sum((v - mean) ** 2 for v in part) / j)
        assert found[j - 1] == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_running_variance_of_equal_values_is_zero() -> None:
    assert running_variance(np.full(5, 0.1)).tolist() == [0.0] * 5
    assert running_variance(np.array([])).tolist() == []


def test_each_task_has_its_criteria() -> None:
    assert default_criterion("classification") == "entropy"
    assert default_criterion("regression") == "squared_error"
    assert criteria_for("regression") == ("squared_error", "absolute_error", "poisson")
    assert set(CLASS_CRITERIA) == {"entropy", "gini", "error", "gain_ratio", "cart"}
    assert all(c.name == name and c.title and c.impurity.formula for name, c in CRITERIA.items())


NAMES = criteria_for("classification")


@st.composite
def two_splits(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    """A parent, and the left counts of two splits with rows on both sides."""
    parent = draw(st.lists(st.integers(0, 12), min_size=2, max_size=4).filter(lambda n: sum(n) > 1))
    some = st.tuples(*(st.integers(0, n) for n in parent))
    whole = some.filter(lambda left: 0 < sum(left) < sum(parent))
    return parent, draw(whole), draw(whole)


def worth(name: str, parent: Any, left: Any) -> Any:
    exact = CRITERIA[name].exact
    assert exact is not None
    return exact(left, [n - a for n, a in zip(parent, left, strict=True)])


@given(st.sampled_from(NAMES), two_splits())
def test_worths_stand_in_the_order_of_scores(name: str, case: Any) -> None:
    parent, *both = case
    first, second = scores(CRITERIA[name], np.array(parent), np.array(both)).tolist()
    one, two = (worth(name, parent, left) for left in both)
    if abs(first - second) > 1e-9:
        assert (one > two) == (first > second)
        assert one != two
    else:
        assert one == two  # of so few rows none are that near and not the same


@given(st.sampled_from(NAMES), two_splits())
def test_a_split_and_its_mirror_image_are_worth_the_same(name: str, case: Any) -> None:
    parent, left, _ = case
    right = [n - a for n, a in zip(parent, left, strict=True)]
    assert worth(name, parent, left) == worth(name, parent, right)


def test_two_splits_as_different_as_these_have_the_same_entropy() -> None:
    """8 + 8 rows: 7 + 2 left or 4 + 8 left, both 2^8 / 3^12."""
    assert exact_entropy((7, 2), (1, 6)) == exact_entropy((4, 8), (4, 0)) == Fraction(2**8, 3**12)


def test_worths_by_hand() -> None:
    left, right = (3, 1), (0, 2)
    assert exact_entropy(left, right) == Fraction(3**3 * 1 * 2**2, 4**4 * 2**2)
    assert exact_gini(left, right) == Fraction(9 + 1, 4) + Fraction(4, 2)
    assert exact_error(left, right) == 5
    gain = 1 - 4 / 6 * -(3 / 4 * math.log2(3 / 4) + 1 / 4 * math.log2(1 / 4))
    sizes = -(4 / 6 * math.log2(4 / 6) + 2 / 6 * math.log2(2 / 6))
    assert float(exact_gain_ratio(left, right)) == pytest.approx(gain / sizes, abs=1e-15)
