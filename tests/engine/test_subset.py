"""Cuts of categories: against every subset, every export, and each way of growing."""

from __future__ import annotations

import json
from itertools import combinations
from math import fsum, log2
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, PLAY_TENNIS
from exported import in_python, in_sqlite, scope_of
from hypothesis import given, settings
from hypothesis import strategies as st

import dtviz
from dtviz import DataError, Rules, RulesError
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.train_test import from_frame
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import finish
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.search.candidates import candidates
from dtviz.engine.search.category_order import count_subsets
from dtviz.engine.splits import HALF, Subset, address_text, axis_split, projection_in, subset_split
from dtviz.engine.tree import Grow, Log, LogError, Tree, fold, root_tree
from dtviz.explain.why import subset_searches
from dtviz.models.steps import node_candidates, search_candidates

VALUES = "abcdefghij"
CLASSES = ("entropy", "gini", "error")
ALONE = ("axis", "onevsrest")
FAMILIES = (("axis", "subset"), ALONE)


@st.composite
def tables(draw: st.DrawFn, kinds: int = 4, most: int = 25) -> Dataset:
    """A category, maybe a second one, and a number; 1 kind of target is a number."""
    n = draw(st.integers(2, most))
    k = draw(st.integers(1, kinds))

    def column(values: list[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    many = draw(st.integers(1, 6))
    columns = [column(list(range(many))), column([0.0, 1.0, 2.0]), column(list(range(3)))]
    y = column(list(range(k)) if k > 1 else [0.0, 1.0, 2.5, -3.0])
    levels = (tuple(VALUES[:many]), (), tuple(VALUES[:3]))
    return make_dataset(
        [np.array(c) for c in columns], np.array(y), "gxh", "y", "ABCD"[:k] if k > 1 else (),
        categories=levels,
    )  # fmt: skip


def impurity(name: str, y: list[Any]) -> float:
    if name == "squared_error":
        mean = fsum(y) / len(y)
        return fsum((v - mean) ** 2 for v in y) / len(y)
    shares = [y.count(k) / len(y) for k in set(y)]
    return {
        "entropy": -fsum(p * log2(p) for p in shares),
        "gini": 1 - fsum(p * p for p in shares),
        "error": 1 - max(shares),
    }[name]


def best_of_all(found: Dataset, feature: int, name: str, least: float = 1) -> float:
    """The highest gain of all subsets with so many rows a side, one by one; -1 without any."""
    codes, y = found.columns[feature].tolist(), found.y.tolist()
    there, best = sorted(set(codes)), -1.0
    for size in range(1, len(there)):
        for chosen in combinations(there, size):
            left = [v for c, v in zip(codes, y, strict=True) if c in chosen]
            right = [v for c, v in zip(codes, y, strict=True) if c not in chosen]
            if min(len(left), len(right)) < least - 1e-9:
                continue
            parts = fsum(len(part) * impurity(name, part) for part in (left, right))
            best = max(best, impurity(name, y) - parts / len(y))
    return best


@given(tables(), st.data())
def test_the_best_cut_of_a_category_is_of_all_subsets(found: Dataset, drawn: st.DataObject) -> None:
    name = drawn.draw(st.sampled_from(CLASSES)) if found.classes else "squared_error"
    problem = Problem(found, Rules(name))
    cuts = dtviz.models.steps.node_candidates(problem, root_tree(problem), 1)
    for feature in (0, 2):
        gains = cuts.gain[cuts.along(feature)].tolist()
        expected = best_of_all(found, feature, name)
        assert max(gains, default=-1.0) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=12)
@given(tables(), st.data())
def test_each_value_is_tried_against_the_rest(found: Dataset, drawn: st.DataObject) -> None:
    name = drawn.draw(st.sampled_from(CLASSES)) if found.classes else "squared_error"
    rules = Rules(name, families=ALONE)
    problem = Problem(found, rules)
    cuts = dtviz.models.steps.node_candidates(problem, root_tree(problem), 1)
    for feature in (0, 2):
        its = cuts.along(feature)
        there = sorted({int(code) for code in found.columns[feature]})
        singles = [cuts.split(at).projection for at in range(its.start, its.stop)]
        two = len(found.levels[feature]) == 2
        expected = there[1:] if two or len(there) == 1 else there
        assert singles == [Subset(feature, (code,)) for code in expected]
        assert cuts.alone[its].all()
        for at in range(its.start, its.stop):
            tree = fold(problem, (Grow(1, cuts.split(at)),))
            below = fsum(tree.nodes[k].n * tree.nodes[k].impurity for k in (2, 3)) / found.n
            gain = tree.nodes[1].impurity - below
            assert cuts.gain[at] == pytest.approx(gain, abs=1e-9)
    best = finish(problem, root_tree(problem))[0][:1]
    if best:
        assert cuts.find(best[0].split) == cuts.best


def test_subsets_and_one_value_against_the_rest_do_not_compete() -> None:
    with pytest.raises(RulesError, match="`families` must be subset or onevsrest, not both"):
        Rules(families=("axis", "subset", "onevsrest"))


def test_one_value_against_the_rest_stands_at_its_own_place() -> None:
    problem = Problem(age_car_risk(), Rules(families=ALONE))
    cuts = dtviz.models.steps.node_candidates(problem, root_tree(problem), 1)
    assert dict(cuts.orders) == {1: (0, 1, 2)}
    assert cuts.threshold[cuts.along(1)].tolist() == [0, 1, 2]
    assert not cuts.alone[cuts.along(0)].any()
    assert subset_searches(problem, cuts) == (
        "Car: 3 values, 2^(3-1) - 1 = 3 subsets; tried: 3 cuts of one value against the rest.",
    )


@given(tables(), st.data())
def test_each_candidate_is_the_subset_it_says(found: Dataset, drawn: st.DataObject) -> None:
    families = drawn.draw(st.sampled_from(FAMILIES))
    rules = Rules("gini" if found.classes else "squared_error", families=families)
    problem = Problem(found, rules)
    cuts = dtviz.models.steps.node_candidates(problem, root_tree(problem), 1)
    for at in range(len(cuts)):
        split = cuts.split(at)
        assert cuts.find(split) == at
        tree = fold(problem, (Grow(1, split),))
        left, right = tree.nodes[2], tree.nodes[3]
        assert (left.n, right.n) == (cuts.n_left[at], cuts.n_right[at])
        assert left.impurity == pytest.approx(cuts.impurity_left[at], abs=1e-12)
        assert right.impurity == pytest.approx(cuts.impurity_right[at], abs=1e-12)
        if isinstance(split.projection, Subset) and families != ALONE:
            assert left.weight <= right.weight


@settings(max_examples=6)
@given(tables(most=12), st.integers(1, 2), st.sampled_from(FAMILIES))
def test_the_best_of_depth_2_is_that_of_every_root_cut(
    found: Dataset, least: int, families: Any
) -> None:
    name = "gini" if found.classes else "squared_error"
    rules = Rules(name, min_samples_leaf=least, families=families)
    problem = Problem(found, rules)
    root = root_tree(problem)

    def below(log: Log, nodes: tuple[int, ...]) -> float:
        known = fold(Problem(found, rules), log).nodes
        return fsum(known[node].n * known[node].impurity for node in nodes)

    def best_with(split: Any) -> float:
        problem = Problem(found, rules)
        tree, whole = fold(problem, (Grow(1, split),)), 0.0
        for side in (2, 3):
            cuts = node_candidates(problem, tree, side)
            gain = 0.0 if cuts.best is None else float(cuts.gain[cuts.best])
            whole += tree.nodes[side].n * (tree.nodes[side].impurity - gain)
        return whole

    cuts = node_candidates(problem, root, 1)
    splits = [cuts.split(at) for at in np.flatnonzero(cuts.admissible).tolist()]
    if families != ALONE:
        splits += [one for feature in (0, 2) for one in every_subset(found, feature, least)]
    tried = [best_with(split) for split in splits]
    log = run_to_end(best_of_depth_2(problem))
    leaves = fold(problem, log).rows
    expected = min([root.nodes[1].n * root.nodes[1].impurity, *tried])
    assert below(log, tuple(leaves)) == pytest.approx(expected, abs=1e-9)


def test_the_best_of_depth_2_may_begin_with_a_subset_that_the_order_of_the_root_has_not() -> None:
    # by their share of ones b and c stand first, then a, then d; yet a is cut off: h parts it again
    rows = [("a", 1, 1), ("a", 0, 0), ("c", 1, 1), ("b", 1, 1), ("a", 1, 0), ("d", 1, 0)]
    frame = pd.DataFrame(rows, columns=["g", "h", "y"])
    found, rules = dtviz.from_frame(frame, "y", features=["g", "h"]), Rules("gini")
    problem = Problem(found, rules)
    log = run_to_end(best_of_depth_2(problem))
    assert log[0] == Grow(1, subset_split(0, (0,)))
    tree = fold(problem, log)
    assert fsum(tree.nodes[leaf].n * tree.nodes[leaf].impurity for leaf in tree.rows) == 1.0
    cuts = node_candidates(problem, root_tree(problem), 1)
    assert cuts.find(log[0].split) is None


def test_the_best_of_depth_2_stands_with_any_number_of_values() -> None:
    for values in [1, 10, 12]:
        codes = np.arange(48) % values
        y = (codes * 5 % 7 + np.arange(48) % 2) % 3
        names = tuple(f"v{k:02}" for k in range(values))
        found = make_dataset([codes], y, "g", "y", "ABC", categories=(names,))
        rules = Rules("gini", max_depth=2)
        problem = Problem(found, rules)
        tree = fold(problem, run_to_end(best_of_depth_2(problem)))
        greedy = finish(problem, root_tree(problem))[1]
        left = [sum(t.nodes[k].n * t.nodes[k].impurity for k in t.rows) for t in (tree, greedy)]
        assert left[0] <= left[1] + 1e-9, values


def every_subset(found: Dataset, feature: int, least: int) -> list[Any]:
    """The splits by each subset of a category that leaves so many rows on both sides."""
    codes = found.columns[feature].astype(int)
    there = np.unique(codes).tolist()
    some = [one for size in range(1, len(there)) for one in combinations(there, size)]
    rows = [int(np.isin(codes, one).sum()) for one in some]
    return [
        subset_split(feature, one)
        for one, left in zip(some, rows, strict=True)
        if min(left, found.n - left) >= least
    ]


def test_values_of_several_types_are_told_apart_by_their_texts_in_python_too() -> None:
    frame = pd.DataFrame({"g": [1, "a", 2.5, True] * 5, "y": list("ABBA") * 5})
    model = dtviz.fit(dtviz.from_frame(frame, "y", features=["g"]))
    assert model.predict(frame).tolist() == frame["y"].tolist()
    assert in_python(model, frame) == frame["y"].tolist()
    with pytest.raises(ValueError, match="a feature has no value"):
        scope_of(model)["predict"]({"g": None})


def test_a_number_and_its_text_are_one_value_in_every_export() -> None:
    frame = pd.DataFrame({"g": [1, "1", "a", 2.5] * 5, "y": list("AABB") * 5})
    model = dtviz.fit(dtviz.from_frame(frame, "y", features=["g"]))
    assert model.data.levels == (("1", "2.5", "a"),)
    assert model.predict(frame).tolist() == frame["y"].tolist()
    assert in_python(model, frame) == in_sqlite(model, frame) == frame["y"].tolist()


FLAGS = [True, False, True, False]


def test_truth_values_are_a_category_and_stay_truth_values_in_every_export() -> None:
    for dtype in ["bool", "boolean", "object"]:
        frame = pd.DataFrame({"b": pd.Series(FLAGS, dtype=dtype), "y": list("ABAB")})
        model = dtviz.fit(dtviz.from_frame(frame, "y"))
        assert model.data.levels == ((False, True),), dtype
        assert [str(rule) for rule in model.rules()] == [
            "b = True -> A (2 rows)",
            "b ≠ True -> B (2 rows)",
        ], dtype
        assert '"b" IN (TRUE)' in model.export("sql"), dtype
        assert "row['b'] in (True,)" in model.export("python"), dtype
        assert json.loads(model.export("json"))["nodes"][0]["left_values"] == [True], dtype
        assert in_sqlite(model, frame.astype({"b": "bool"})) == list("ABAB"), dtype
        frame["always"] = pd.Series([True] * 4, dtype=dtype)
        text = dtviz.fit(dtviz.from_frame(frame, "y")).export("python")
        assert "for x in ['b', 'always']" in text, dtype


def test_a_truth_value_is_the_same_however_it_is_written() -> None:
    for case in [(True, False), (np.True_, np.False_), (1, 0), (1.0, 0.0), ("true", "False")]:
        yes, no = case
        model = dtviz.fit(dtviz.from_frame(pd.DataFrame({"b": FLAGS, "y": list("ABAB")}), "y"))
        rows = pd.DataFrame({"b": pd.Series([yes, no, "maybe"], dtype=object)})
        assert model.predict(rows).tolist() == ["A", "B", "B"], case
        assert in_python(model, rows) == ["A", "B", "B"], case
        assert [model.path([value])[-1] for value in (yes, no)] == [2, 3], case
        with pytest.raises(ValueError, match="a feature has no value"):
            scope_of(model)["predict"]({"b": None})


def test_numbers_that_are_categories_are_compared_as_numbers() -> None:
    grades = pd.Categorical([10, 9, 10, 9, 2.5, 2.5])
    model = dtviz.fit(dtviz.from_frame(pd.DataFrame({"g": grades, "y": list("ABABBB")}), "y"))
    assert model.data.levels == ((2.5, 9, 10),)
    assert '"g" IN (10)' in model.export("sql")
    predict = scope_of(model)["predict"]
    for values in ([10, 9, 2.5, 11], np.array([10.0, 9.0, 2.5, 11.0])):
        expected = ["A", "B", "B", "B"]
        assert model.predict(pd.DataFrame({"g": values})).tolist() == expected
        assert [predict({"g": value}) for value in values] == expected


@given(st.integers(0, 9999), st.sets(st.integers(0, 199), min_size=1))
def test_a_subset_travels_in_an_address(feature: int, named: set[int]) -> None:
    split = subset_split(feature, tuple(named))
    word, half = address_text(split).split(".", 1)
    assert (projection_in(word), float(half)) == (split.projection, HALF)
    assert word.replace("-", "").isalnum()


def test_what_is_no_subset_is_not_read() -> None:
    for word in ["c0", "c0-", "c0-0", "c0-g", "c0-1x", "c-1", "c0-1-5"]:
        assert projection_in(word) is None, word


def test_a_split_that_the_table_cannot_make_is_refused() -> None:
    for split, problem in [
        (subset_split(1, (0,)), "feature 1 is no category here"),
        (subset_split(7, (0,)), "feature 7 is no category here"),
        (subset_split(0, (5,)), "a category of 2 values has no number 5"),
        (axis_split(0, 0.5), "is a category"),
    ]:
        found = make_dataset(
            [[0, 1], [0, 1]], np.array([0, 1]), "gx", "y", "AB", categories=(("a", "b"), ())
        )
        with pytest.raises(LogError, match=problem):
            dtviz.fit(found, log=(Grow(1, split),))


def test_on_each_side_of_the_best_subset_the_values_stand_by_how_far_their_shares_lean() -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        codes, y = rng.integers(0, 6, 120), rng.integers(0, 3, 120)
        found = make_dataset([codes], y, "g", "y", "ABC", categories=(tuple(VALUES[:6]),))
        cuts = candidates(found, np.arange(120), CRITERIA["gini"])
        assert cuts.best is not None, seed
        best, order = cuts.split(cuts.best).projection, list(cuts.orders[0])
        assert isinstance(best, Subset), seed
        sides = [[g for g in range(6) if (g in best.left_codes) is on] for on in (True, False)]
        shares = {g: np.bincount(y[codes == g], minlength=3) / sum(codes == g) for g in range(6)}
        whole = [np.bincount(y[np.isin(codes, side)], minlength=3) for side in sides]
        sides = sides if set(order[: len(sides[0])]) == set(sides[0]) else sides[::-1]
        apart = whole[0] / sum(whole[0]) - whole[1] / sum(whole[1])
        apart = apart * np.sign(apart[np.abs(apart).argmax()])
        lean = {g: float(apart @ shares[g]) for g in range(6)}
        assert order == [g for side in sides for g in sorted(side, key=lean.__getitem__)], seed


def test_beyond_ten_values_many_classes_are_ordered_by_their_first_component() -> None:
    # three groups of four values with the same shares each: groups stay together
    y = np.array([0] * 8 + [1] * 8 + [2] * 8)
    codes = np.arange(24) // 2
    found = make_dataset([codes], y, "g", "y", "ABC", categories=(tuple("abcdefghijkl"),))
    cuts = candidates(found, np.arange(24), CRITERIA["gini"], projections=None)
    order = [int(codes[0]) // 4 for codes in np.array(cuts.orders[0])[:, None]]
    assert [order[k] == order[k + 1] for k in range(11)].count(False) == 2
    assert count_subsets(12) == 2047
    assert cuts.split(0) == subset_split(0, cuts.orders[0][:1])


def age_car_risk() -> Dataset:
    frame = pd.DataFrame(list(AGE_CAR_RISK["rows"]), columns=["Age", "Car", "Risk"])
    return dtviz.from_frame(frame, target="Risk", features=["Age", "Car"])


def test_the_tree_of_age_and_car_reads_as_in_the_lecture() -> None:
    model = dtviz.fit(age_car_risk())
    assert [str(rule) for rule in model.rules()] == [
        "Age <= 22.5 and Car = Sports -> H (1 row)",
        "Age > 22.5 and Car = Sports -> L (2 rows)",
        "Car ≠ Sports -> H (3 rows)",
    ]
    rows = pd.DataFrame({"Age": [27, 20], "Car": ["Vintage", "Sports"]})
    assert model.predict(rows).tolist() == ["H", "H"]


def test_play_tennis_begins_with_overcast_then_humidity() -> None:
    frame = pd.DataFrame(list(PLAY_TENNIS["rows"]), columns=list(PLAY_TENNIS["columns"]))
    found = dtviz.from_frame(frame, target="play", features=list(PLAY_TENNIS["columns"][:4]))
    model = dtviz.fit(found, Rules("gini"))
    lines = [line.strip() for line in model.export("text").splitlines()]
    assert lines[1].startswith('outlook = overcast? yes: predict "yes"')
    assert lines[3].startswith("humidity = ")


def test_a_category_has_at_most_two_hundred_values() -> None:
    frame = pd.DataFrame({"g": [f"v{k}" for k in range(201)], "y": [0, 1, 0] * 67})
    with pytest.raises(DataError, match="'g' has 201 distinct values; at most 200 can be a categ"):
        dtviz.from_frame(frame, target="y", features=["g"])


def test_a_number_for_a_category_is_told_apart_from_it() -> None:
    model = dtviz.fit(age_car_risk())
    frame = pd.DataFrame({"Age": [1.0, 2.0], "Car": [1.0, 2.0], "Risk": ["L", "H"]})
    with pytest.raises(DataError, match="'Car' was a category when the tree was grown"):
        model.predict(dtviz.from_frame(frame, target="Risk"))


def test_held_out_rows_of_other_levels_are_judged_by_their_texts() -> None:
    model = dtviz.fit(age_car_risk())
    frame = pd.DataFrame(
        {"Age": [30, 21, 30], "Car": ["Sports", "Tram", "SUV"], "Risk": list("LHH")}
    )
    other = dtviz.from_frame(frame, target="Risk", features=["Age", "Car"])
    assert other.levels[1] == ("SUV", "Sports", "Tram")
    assert model.predict(other).tolist() == ["L", "H", "H"]
    assert model.score(other) == 1.0


@settings(max_examples=12)
@given(tables(kinds=1))
def test_cuts_of_a_category_under_absolute_error_gain_what_their_sides_do(found: Dataset) -> None:
    rules = Rules("absolute_error", max_depth=1)
    tree = dtviz.fit(found, rules).tree
    problem = Problem(found, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    assert max(cuts.gain.tolist(), default=0.0) == pytest.approx(gain_of(tree), abs=1e-9)
    for at in range(len(cuts)):
        split = fold(problem, (Grow(1, cuts.split(at)),))
        assert cuts.gain[at] == pytest.approx(gain_of(split), abs=1e-9)
    for said in subset_searches(problem, cuts):
        assert said.endswith("= 1 subset.") or "the order of its medians" in said


def gain_of(tree: Tree) -> float:
    """What the first split lowers the impurity by; 0 where there is none."""
    return dtviz.engine.tree.split_gain(tree, 1) if tree.splits else 0.0


def test_rows_without_a_category_are_parted_from_the_others_by_one_candidate() -> None:
    cars = ["van", "bus", "car", "van", "bus", None]
    data = from_frame(pd.DataFrame({"car": cars, "y": list("abcabc")}), target="y")
    cuts = search_candidates(Problem(data, Rules(families=ALONE)), np.arange(data.n))
    assert np.isinf(cuts.threshold).sum() == 1
    assert len(cuts) == 4  # each of three values alone, and the missing ones
