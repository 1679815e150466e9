"""Rows with weights: whole ones are the row repeated, any others are scikit-learn's.

Glossary
    repeated   the same rows without weights, each written out as often as it weighs
    fair       rules that count no rows: min_samples_split and min_samples_leaf at their least
"""

from __future__ import annotations

import json
import re
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from strategies import class_data, criteria_of_any, data, rules_for

import dtviz
from dtviz import Rules
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, running_variance
from dtviz.engine.grow import full_tree, next_move
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path
from dtviz.engine.search.candidates import candidates
from dtviz.engine.splits import features_of
from dtviz.engine.subtrees import losses, nodes_of, splits_kept_by_rules
from dtviz.engine.tree import class_shares, root_tree
from dtviz.evaluate.metrics import score_of
from dtviz.explain.why import arithmetic
from dtviz.models.steps import node_candidates

Pair = tuple[Dataset, Dataset]
FAIR = {"min_samples_split": 2, "min_samples_leaf": 1}


@st.composite
def weighted(draw: st.DrawFn, kind: Any) -> Pair:
    """Rows with whole weights, and the rows repeated."""
    found = draw(kind)
    weights = np.array(draw(st.lists(st.integers(1, 4), min_size=found.n, max_size=found.n)))
    return with_weights(found, weights), take_rows(found, np.repeat(np.arange(found.n), weights))


def with_weights(found: Dataset, weights: Any) -> Dataset:
    return make_dataset(
        found.columns, found.y, found.features, found.target, found.classes, (), np.array(weights)
    )


def near(found: Dataset, rel: float = 1e-9) -> dict[str, float]:
    """Equal to the last bit for classes, but for rounding for numbers."""
    scale = 0.0 if found.classes else float(np.var(found.y))
    return {"rel": 0.0 if found.classes else rel, "abs": 1e-11 * scale}


def test_of_equal_cuts_the_first_is_taken_where_one_row_has_nearly_all_the_weight() -> None:
    for power, unit in product([44, 48, 52], [1.0, 0.3]):
        features, columns = ("a", "b"), np.array([[0, 0, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0]], float)
        weights = unit * np.array([2.0**power, 1, 1, 1, 1, 1])
        for far in np.random.default_rng(0).normal(size=20):
            targets = np.array([0, far, *4 * [far / 2]])  # both cuts gain the same but for rounding
            found = make_dataset(columns, targets, features, "y", sample_weight=weights)
            split = dtviz.fit(found, Rules("squared_error", max_depth=1)).tree.splits[1]
            assert features_of(split.projection) == (0,), (unit, power)


# --- whole weights are rows repeated --------------------------------------------------------------


@given(weighted(data()), st.data())
def test_cuts_of_weighted_rows_are_those_of_rows_repeated(pair: Pair, drawn: st.DataObject) -> None:
    mine, repeated = pair
    criterion = CRITERIA[drawn.draw(st.sampled_from(criteria_of_any(mine.task)))]
    one = candidates(mine, np.arange(mine.n), criterion)
    other = candidates(repeated, np.arange(repeated.n), criterion)
    assert one.threshold.tolist() == other.threshold.tolist()
    assert one.weight_left.tolist() == other.n_left.tolist()
    assert one.weight_right.tolist() == other.n_right.tolist()
    assert (one.n_left + one.n_right == mine.n).all()
    for name in ("gain", "score", "impurity_left", "impurity_right"):
        expected = pytest.approx(getattr(other, name).tolist(), **near(mine))
        assert getattr(one, name).tolist() == expected
    assert (one.best, one.tied.tolist()) == (other.best, other.tied.tolist())


@given(weighted(data()), st.data())
def test_the_tree_of_weighted_rows_is_that_of_rows_repeated(
    pair: Pair, drawn: st.DataObject
) -> None:
    mine, repeated = pair
    rules = drawn.draw(rules_for(mine.task, **FAIR))
    one, other = dtviz.fit(mine, rules), dtviz.fit(repeated, rules)
    assert one.log == other.log
    assert one.tree.threshold_neighbours == other.tree.threshold_neighbours
    for node, known in one.tree.nodes.items():
        same = other.tree.nodes[node]
        assert (known.weight, known.weight_by_class) == (same.n, same.counts)
        assert sum(known.counts) == (known.n if mine.classes else 0)
        assert known.impurity == pytest.approx(same.impurity, **near(mine))
        assert known.value == pytest.approx(same.value, rel=0 if mine.classes else 1e-14)
        assert class_shares(known) == class_shares(same)
        assert known.pure == same.pure
    stops = {leaf: one.stops()[leaf].stop for leaf in one.tree.rows}
    assert stops == {leaf: other.stops()[leaf].stop for leaf in other.tree.rows}
    assert one.predict(repeated).tolist() == pytest.approx(other.predict(repeated).tolist()) or (
        mine.classes and one.predict(repeated).tolist() == other.predict(repeated).tolist()
    )
    assert one.score(mine) == pytest.approx(other.score(repeated), abs=1e-9)


@settings(max_examples=12)
@given(weighted(data()), st.data())
def test_prune_path_and_losses_are_those_of_rows_repeated(pair: Pair, drawn: st.DataObject) -> None:
    mine, repeated = pair
    rules = Rules(drawn.draw(st.sampled_from(criteria_of_any(mine.task))))
    one, other = full_tree(Problem(mine, rules)), full_tree(Problem(repeated, rules))
    assert one.ids == other.ids
    first, second = (
        alpha_path(one, splits_kept_by_rules(one, rules)),
        alpha_path(other, splits_kept_by_rules(other, rules)),
    )
    assert first.leaves.tolist() == second.leaves.tolist()
    assert first.alphas.tolist() == pytest.approx(second.alphas.tolist(), **near(mine))
    assert first.impurities.tolist() == pytest.approx(second.impurities.tolist(), **near(mine))
    lost, expected = losses(one, mine)[0], losses(other, repeated)[0]
    rounding = 1e-9 * (0 if mine.classes else repeated.n * float(np.var(mine.y)))
    assert lost.tolist() == pytest.approx(expected.tolist(), rel=1e-9, abs=rounding)
    alpha = drawn.draw(st.sampled_from([0.0, *first.alphas.tolist()])) * (1 + 1e-6)
    pruned = Rules(rules.criterion, ccp_alpha=alpha)
    assert dtviz.fit(mine, pruned).log == dtviz.fit(repeated, pruned).log


@given(weighted(data(max_rows=8)), st.data())
def test_the_best_tree_of_depth_2_is_that_of_rows_repeated(
    pair: Pair, drawn: st.DataObject
) -> None:
    rules = Rules(drawn.draw(st.sampled_from(criteria_of_any(pair[0].task))))
    one, other = (run_to_end(best_of_depth_2(Problem(of, rules))) for of in pair)
    assert one == other


@given(weighted(class_data()), st.sampled_from(criteria_for("classification")))
def test_arithmetic_is_written_with_the_weights(pair: Pair, name: str) -> None:
    mine, repeated = pair
    told = []
    for of in (mine, repeated):
        tree = dtviz.fit(of, Rules(name), ()).tree
        cuts = node_candidates(Problem(of, Rules(name)), tree, 1)
        told.append(
            [arithmetic(Problem(of, Rules(name)), cuts, 0, np.arange(of.n))] if len(cuts) else []
        )
    assert told[0] == told[1]


def test_rules_that_count_rows_count_rows_and_not_weights() -> None:
    found = make_dataset([np.arange(4.0)], np.array([0, 1, 1, 1]), ["x"], "y", "ab")
    heavy = with_weights(found, [9, 9, 9, 9])
    for rules in (Rules(min_samples_split=5), Rules(min_samples_leaf=3)):
        assert dtviz.fit(heavy, rules).log == dtviz.fit(found, rules).log == ()
        assert dtviz.fit(take_rows(found, np.repeat(np.arange(4), 9)), rules).log != ()


# --- any weights ----------------------------------------------------------------------------------


def noisy(seed: int, classes: int) -> Pair:
    """Rows of one feature with uneven weights, and as many others: no two cuts part them alike."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1, 120))
    y = np.sin(2 * x[0]) + rng.normal(size=120)
    if classes:
        y = np.digitize(y, np.quantile(y, np.arange(1, classes) / classes))
    weights = np.exp(rng.normal(size=120) * 2)
    named = "abc"[:classes]
    whole = make_dataset(x, y, ["x"], "y", named, (), weights)
    return take_rows(whole, np.arange(60)), take_rows(whole, np.arange(60, 120))


def their_tree(found: Dataset, name: str, **rules: Any) -> Any:
    kind = DecisionTreeClassifier if found.classes else DecisionTreeRegressor
    model = kind(criterion=name, random_state=0, **rules)
    return model.fit(found.columns.T, found.y, sample_weight=found.weights)


def test_weights_mean_what_they_do_in_scikit_learn() -> None:
    for case in product(
        [("entropy", 2), ("gini", 3), ("entropy", 3), ("squared_error", 0)], range(2)
    ):
        (name, classes), seed = case
        found, held = noisy(seed, classes)
        theirs, mine = (
            their_tree(found, name, max_depth=4),
            dtviz.fit(found, Rules(name, max_depth=4)),
        )
        at = {0: 1}
        for node, (left, right) in enumerate(
            zip(theirs.tree_.children_left, theirs.tree_.children_right, strict=True)
        ):
            if node not in at:
                continue
            known = mine.tree.nodes[at[node]]
            assert known.n == theirs.tree_.n_node_samples[node], case
            assert known.weight == pytest.approx(theirs.tree_.weighted_n_node_samples[node]), case
            assert known.impurity == pytest.approx(theirs.tree_.impurity[node], abs=1e-9), case
            if left >= 0 and not known.pure:  # theirs splits pure nodes, where weights are rounded
                split = mine.tree.splits[at[node]]
                assert split.threshold == pytest.approx(theirs.tree_.threshold[node], rel=1e-6)
                at |= {int(left): 2 * at[node], int(right): 2 * at[node] + 1}
        assert len(at) == len(mine.tree.nodes), case
        expected = theirs.predict(held.columns.T)
        predicted = mine.predict(held)
        if classes:
            assert predicted.tolist() == [found.classes[code] for code in expected], case
            proba = mine.predict_proba(held)
            assert proba == pytest.approx(theirs.predict_proba(held.columns.T), abs=1e-9), case
        else:
            assert predicted == pytest.approx(expected, rel=1e-9), case
        score = theirs.score(held.columns.T, held.y, sample_weight=held.weights)
        assert mine.score(held) == pytest.approx(score, abs=1e-9), case


def test_a_share_of_exactly_purity_is_enough() -> None:
    for each in [0.3, 1.0, 0.1]:
        y = np.array([0, 0, 0, 0, 1])  # 4 times 0.3 of 1.5 is 0.7999999999999999
        found = with_weights(make_dataset([np.arange(5.0)], y, ["x"], "y", "ab"), np.full(5, each))
        rules = Rules(purity=0.8)
        assert dtviz.fit(found, rules).log == (), each
        problem = Problem(found, rules)
        assert next_move(problem, root_tree(problem)) is None, each
        assert splits_kept_by_rules(full_tree(problem), rules).tolist() == [False] * 3, each


@given(data(14), st.data())
def test_weights_that_are_all_equal_change_no_tree(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task))
    each = drawn.draw(st.sampled_from([0.3, 1.0, 7.0, 1e-90, 1e90]))
    one, other = (
        dtviz.fit(with_weights(found, np.full(found.n, each)), rules),
        dtviz.fit(found, rules),
    )
    assert one.log == other.log
    for node, known in one.tree.nodes.items():
        assert known.counts == other.tree.nodes[node].counts
        assert known.weight == pytest.approx(each * known.n)
        expected = other.tree.nodes[node].impurity
        scale = 1.0 if found.classes else float(np.var(found.y))
        assert known.impurity == pytest.approx(expected, rel=1e-9, abs=1e-11 * scale)


def test_gain_by_hand_with_weights() -> None:
    # class a weighs 1.5, b 0.5 and 1: gini 1 - 2 (1/2)^2 = 1/2; x <= 0.5 parts them fully
    y, x = np.array([0, 1, 1]), np.arange(3.0)
    found = make_dataset([x], y, ["x"], "y", "ab", (), np.array([1.5, 0.5, 1.0]))
    cuts = candidates(found, np.arange(3), CRITERIA["gini"])
    # left of 1.5: a 1.5, b 0.5: 1 - 9/16 - 1/16 = 3/8; it weighs 2 of 3
    assert cuts.gain.tolist() == pytest.approx([1 / 2, 1 / 2 - 2 / 3 * 3 / 8])
    assert cuts.weight_left.tolist() == pytest.approx([1.5, 2.0])
    assert cuts.n_left.tolist() == [1, 2]
    cart = candidates(found, np.arange(3), CRITERIA["cart"])
    assert cart.score.tolist() == pytest.approx([2 / 2 / 2 * 2, 2 * 2 / 9 * (3 / 4 + 3 / 4)])


def test_the_heaviest_class_is_the_majority_and_weighs_in_the_score() -> None:
    found = make_dataset(
        [np.zeros(3)], np.array([0, 0, 1]), ["x"], "y", "ab", (), np.array([1, 1, 2.5])
    )
    model = dtviz.fit(found)
    assert model.predict(found).tolist() == ["b"] * 3
    assert model.tree.nodes[1].counts == (2, 1)
    assert model.score(found) == score_of(found, model.tree) == 2.5 / 4.5
    share = Rules(purity=0.55)
    assert dtviz.fit(found, share).stops()[1].stop == "purity"


def test_classes_that_weigh_the_same_but_for_rounding_say_the_first() -> None:
    weights = np.array([0.3, 0.1, 0.2])  # 0.1 + 0.2 > 0.3 in floats
    found = make_dataset([np.zeros(3)], np.array([0, 1, 1]), ["x"], "y", "ab", (), weights)
    assert dtviz.fit(found).predict(found).tolist() == ["a"] * 3


@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0, 2.5, 1e8]), st.integers(1, 4)), min_size=1))
def test_running_variance_is_that_of_values_repeated(rows: list[tuple[float, int]]) -> None:
    values, weights = (np.array(part, float) for part in zip(*rows, strict=True))
    expected = running_variance(np.repeat(values, weights.astype(int)))
    last = np.cumsum(weights).astype(int) - 1
    assert running_variance(values, weights) == pytest.approx(expected[last], rel=1e-9, abs=1e-9)


# --- what is said of them -------------------------------------------------------------------------


def test_exports_and_words_tell_the_weight_where_rows_have_weights() -> None:
    plain = make_dataset([np.arange(3.0)], np.array([0, 1, 1]), ["x"], "y", "ab")
    heavy = with_weights(plain, [1.5, 0.5, 1.0])
    told, untold = dtviz.fit(heavy), dtviz.fit(plain)
    assert "[3 rows, weight 3]" in told.export("text")
    assert 'predict "a" [1 row, weight 1.5: a 1]' in told.export("text")
    assert str(told.rules()[0]) == "x <= 0.5 -> a (1 row, weight 1.5)"
    nodes = json.loads(told.export("json"))["nodes"]
    assert [node["weight"] for node in nodes] == [3, 1.5, 1.5]
    assert [node["class_weights"] for node in nodes] == [[1.5, 1.5], [1.5, 0], [0, 1.5]]
    assert "3 rows, weight 3, impurity" in told.export("dot")
    assert all("weight" not in untold.export(kind) for kind in ("text", "json", "dot"))
    assert "weight_left" not in dtviz.candidates(plain)
    table = dtviz.candidates(heavy)
    assert table["weighted_gain"].tolist() == pytest.approx((3 * table["gain"]).tolist())
    assert table["weight_left"].tolist() == pytest.approx([1.5, 2.0])
    assert nodes_of(told.tree).risk[0] == told.tree.nodes[1].impurity


def test_the_bar_of_a_node_is_as_wide_as_the_shares_of_the_weights() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "y": ["a", "a", "a", "b"], "w": [1, 1, 1, 17]})
    found = dtviz.from_frame(frame, "y", sample_weight="w")
    text = dtviz.fit(found, log=()).export("dot")
    widths = [int(part) for part in re.findall(r'HEIGHT="8" WIDTH="(\d+)"></TD>', text)]
    assert widths == [round(110 * 3 / 20), round(110 * 17 / 20)]
