"""Cuts of categories: against every subset, every export, and each way of growing."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from itertools import combinations
from math import fsum, log2
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import AGE_CAR_RISK, PLAY_TENNIS
from hypothesis import assume, given
from hypothesis import strategies as st

import dtviz
from dtviz import DataError, Rules, RulesError
from dtviz.engine.arrange import subsets
from dtviz.engine.candidates import candidates
from dtviz.engine.criteria import CRITERIA
from dtviz.engine.exhaustive import best_of_depth_2
from dtviz.engine.grow import finish, moves, whole
from dtviz.engine.problem import Problem
from dtviz.engine.splits import HALF, Subset, address_text, axis_split, projection_in, subset_split
from dtviz.engine.subtrees import kept
from dtviz.engine.tree import Grow, Log, LogError, Tree, fold, stump
from dtviz.say.explain import searched
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset, take
from dtviz.trace import node_candidates

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
    return dataset(
        [np.array(c) for c in columns], np.array(y), "gxh", "y", "ABCD"[:k] if k > 1 else (),
        levels=levels,
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
def test_the_best_cut_of_a_category_is_the_best_of_all_its_subsets(
    found: Dataset, drawn: st.DataObject
) -> None:
    name = drawn.draw(st.sampled_from(CLASSES)) if found.classes else "squared_error"
    cuts = dtviz.trace.node_candidates(found, Rules(name), stump(Problem(found, Rules(name))), 1)
    for feature in (0, 2):
        gains = cuts.gain[cuts.along(feature)].tolist()
        expected = best_of_all(found, feature, name)
        assert max(gains, default=-1.0) == pytest.approx(expected, abs=1e-9)


@given(tables(), st.data())
def test_of_many_classes_the_best_subset_that_weighs_enough_a_side_is_found(
    found: Dataset, drawn: st.DataObject
) -> None:
    assume(len(found.classes) > 2)
    weights = drawn.draw(st.lists(st.integers(1, 3), min_size=found.n, max_size=found.n))
    share = drawn.draw(st.sampled_from([0.1, 0.2, 0.4]))
    scale = drawn.draw(st.sampled_from([1.0, 0.3]))
    heavy = replace(found, weights=scale * np.array(weights, float))
    rules, repeated = (
        Rules("gini", min_weight_fraction_leaf=share),
        np.repeat(range(found.n), weights),
    )
    cuts = dtviz.trace.node_candidates(heavy, rules, stump(Problem(heavy, rules)), 1)
    for feature in (0, 2):
        its = cuts.along(feature)
        gains = cuts.gain[its][cuts.admissible[its]].tolist()
        expected = best_of_all(take(found, repeated), feature, "gini", share * len(repeated))
        assert max(gains, default=-1.0) == pytest.approx(expected, abs=1e-9)


@given(tables(), st.data())
def test_one_value_against_the_rest_is_tried_for_each_value_of_the_node(
    found: Dataset, drawn: st.DataObject
) -> None:
    name = drawn.draw(st.sampled_from(CLASSES)) if found.classes else "squared_error"
    rules = Rules(name, families=ALONE)
    problem = Problem(found, rules)
    cuts = dtviz.trace.node_candidates(found, rules, stump(problem), 1)
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
    best = finish(problem, stump(problem))[0][:1]
    if best:
        assert cuts.find(best[0].split) == cuts.best


def test_subsets_and_one_value_against_the_rest_do_not_compete() -> None:
    with pytest.raises(RulesError, match="`families` must be subset or onevsrest, not both"):
        Rules(families=("axis", "subset", "onevsrest"))


def test_one_value_against_the_rest_stands_at_its_own_place() -> None:
    cuts = dtviz.trace.node_candidates(
        found := age_car_risk(), rules := Rules(families=ALONE), stump(Problem(found, rules)), 1
    )
    assert dict(cuts.orders) == {1: (0, 1, 2)}
    assert cuts.threshold[cuts.along(1)].tolist() == [0, 1, 2]
    assert not cuts.alone[cuts.along(0)].any()
    assert searched(Problem(found, rules), cuts) == (
        "Car: 3 values, 2^(3-1) - 1 = 3 subsets; tried: 3 cuts of one value against the rest.",
    )


@given(tables(), st.data())
def test_each_candidate_is_the_subset_it_says(found: Dataset, drawn: st.DataObject) -> None:
    families = drawn.draw(st.sampled_from(FAMILIES))
    rules = Rules("gini" if found.classes else "squared_error", families=families)
    problem = Problem(found, rules)
    cuts = dtviz.trace.node_candidates(found, rules, stump(problem), 1)
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


@given(tables(), st.data())
def test_growing_at_once_step_by_step_and_by_stop_rules_agree(
    found: Dataset, drawn: st.DataObject
) -> None:
    rules = Rules(
        "entropy" if found.classes else "squared_error",
        families=drawn.draw(st.sampled_from(FAMILIES)),
        order=drawn.draw(st.sampled_from(["depth", "breadth", "best"])),
        min_samples_leaf=drawn.draw(st.integers(1, 3)),
        min_weight_fraction_leaf=drawn.draw(st.sampled_from([0.0, 0.2])),
        max_depth=drawn.draw(st.sampled_from([None, 1, 2])),
    )
    problem = Problem(found, rules)
    log, tree = finish(problem, stump(problem))
    assert tuple(move for move, _ in moves(problem, stump(problem))) == log
    folded = fold(problem, log).nodes
    assert {k: (one.n, one.counts) for k, one in folded.items()} == {
        k: (one.n, one.counts) for k, one in tree.nodes.items()
    }
    for k, one in tree.nodes.items():
        assert folded[k].params == pytest.approx(one.params, abs=1e-12)
        assert folded[k].impurity == pytest.approx(one.impurity, abs=1e-12)
    nodes = whole(problem)
    stays = kept(nodes, rules)
    assert {nodes.ids[at] for at in np.flatnonzero(stays)} == set(tree.splits)


@given(tables(most=12), st.integers(1, 2), st.sampled_from(FAMILIES))
def test_the_best_of_depth_2_is_that_of_every_root_cut_with_its_best_children(
    found: Dataset, least: int, families: tuple[str, ...]
) -> None:
    name = "gini" if found.classes else "squared_error"
    rules = Rules(name, min_samples_leaf=least, families=families)
    problem = Problem(found, rules)
    root = stump(problem)

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
    log = finished(best_of_depth_2(problem))
    leaves = fold(problem, log).rows
    expected = min([root.nodes[1].n * root.nodes[1].impurity, *tried])
    assert below(log, tuple(leaves)) == pytest.approx(expected, abs=1e-9)


def test_the_best_of_depth_2_may_begin_with_a_subset_that_the_order_of_the_root_has_not() -> None:
    # by their share of ones b and c stand first, then a, then d; yet a is cut off: h parts it again
    rows = [("a", 1, 1), ("a", 0, 0), ("c", 1, 1), ("b", 1, 1), ("a", 1, 0), ("d", 1, 0)]
    frame = pd.DataFrame(rows, columns=["g", "h", "y"])
    found, rules = dtviz.from_frame(frame, "y", features=["g", "h"]), Rules("gini")
    problem = Problem(found, rules)
    log = finished(best_of_depth_2(problem))
    assert log[0] == Grow(1, subset_split(0, (0,)))
    tree = fold(problem, log)
    assert fsum(tree.nodes[leaf].n * tree.nodes[leaf].impurity for leaf in tree.rows) == 1.0
    cuts = node_candidates(problem, stump(problem), 1)
    assert cuts.find(log[0].split) is None


@pytest.mark.parametrize("values", [1, 10, 12])
def test_the_best_of_depth_2_stands_with_any_number_of_values(values: int) -> None:
    codes = np.arange(48) % values
    y = (codes * 5 % 7 + np.arange(48) % 2) % 3
    names = tuple(f"v{k:02}" for k in range(values))
    found = dataset([codes], y, "g", "y", "ABC", levels=(names,))
    rules = Rules("gini", max_depth=2)
    problem = Problem(found, rules)
    tree = fold(problem, finished(best_of_depth_2(problem)))
    greedy = finish(problem, stump(problem))[1]
    left = [sum(t.nodes[k].n * t.nodes[k].impurity for k in t.rows) for t in (tree, greedy)]
    assert left[0] <= left[1] + 1e-9


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


def text_frame(found: Dataset, unseen: bool) -> pd.DataFrame:
    frame = pd.DataFrame({"x": found.columns[1]})
    for at, name in ((0, "g"), (2, "h")):
        frame[name] = [found.levels[at][int(code)] for code in found.columns[at]]
    if unseen:
        frame = pd.concat([frame, frame.assign(g="it's new"), frame.assign(h="-")])
    return frame[["g", "x", "h"]].reset_index(drop=True)


@given(tables(), st.sampled_from(FAMILIES))
def test_every_export_sends_each_row_where_the_model_does(
    found: Dataset, families: tuple[str, ...]
) -> None:
    name = "entropy" if found.classes else "squared_error"
    model = dtviz.fit(found, Rules(name, families=families))
    frame = text_frame(found, unseen=True)
    expected = model.predict(frame).tolist()
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"](row) for row in frame.to_dict("records")] == expected
    base = sqlite3.connect(":memory:")
    frame.to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert [answer for (answer,) in answers] == expected
    assert model.predict(found).tolist() == expected[: found.n]
    ends = [model.path(row)[-1] for row in frame.to_dict("records")]
    assert ends == model.apply(frame).tolist()


def test_values_of_several_types_are_told_apart_by_their_texts_in_python_too() -> None:
    frame = pd.DataFrame({"g": [1, "a", 2.5, True] * 5, "y": list("ABBA") * 5})
    model = dtviz.fit(dtviz.from_frame(frame, "y", features=["g"]))
    assert model.predict(frame).tolist() == frame["y"].tolist()
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"]({"g": value}) for value in frame["g"]] == frame["y"].tolist()
    with pytest.raises(ValueError, match="a feature has no value"):
        space["predict"]({"g": None})


def test_a_number_and_its_text_are_one_value_in_every_export() -> None:
    frame = pd.DataFrame({"g": [1, "1", "a", 2.5] * 5, "y": list("AABB") * 5})
    model = dtviz.fit(dtviz.from_frame(frame, "y", features=["g"]))
    assert model.data.levels == (("1", "2.5", "a"),)
    assert model.predict(frame).tolist() == frame["y"].tolist()
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    assert [space["predict"]({"g": value}) for value in frame["g"]] == frame["y"].tolist()
    base = sqlite3.connect(":memory:")
    frame.to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert [answer for (answer,) in answers] == frame["y"].tolist()


FLAGS = [True, False, True, False]


@pytest.mark.parametrize("dtype", ["bool", "boolean", "object"])
def test_truth_values_are_a_category_and_stay_truth_values_in_every_export(dtype: str) -> None:
    frame = pd.DataFrame({"b": pd.Series(FLAGS, dtype=dtype), "y": list("ABAB")})
    model = dtviz.fit(dtviz.from_frame(frame, "y"))
    assert model.data.levels == ((False, True),)
    assert [str(rule) for rule in model.rules()] == [
        "b = True -> A (2 rows)",
        "b ≠ True -> B (2 rows)",
    ]
    assert '"b" IN (TRUE)' in model.export("sql")
    assert "row['b'] in (True,)" in model.export("python")
    assert json.loads(model.export("json"))["nodes"][0]["left_values"] == [True]
    base = sqlite3.connect(":memory:")
    frame.astype({"b": "bool"}).to_sql("t", base, index=False)
    answers = base.execute(f"SELECT {model.export('sql')} FROM t ORDER BY rowid").fetchall()
    base.close()
    assert "".join(answer for (answer,) in answers) == "ABAB"


@pytest.mark.parametrize(
    ("yes", "no"), [(True, False), (np.True_, np.False_), (1, 0), (1.0, 0.0), ("true", "False")]
)
def test_a_truth_value_is_the_same_however_it_is_written(yes: Any, no: Any) -> None:
    model = dtviz.fit(dtviz.from_frame(pd.DataFrame({"b": FLAGS, "y": list("ABAB")}), "y"))
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    rows = pd.DataFrame({"b": pd.Series([yes, no, "maybe"], dtype=object)})
    assert model.predict(rows).tolist() == ["A", "B", "B"]
    assert [space["predict"](row) for row in rows.to_dict("records")] == ["A", "B", "B"]
    assert [model.path([value])[-1] for value in (yes, no)] == [2, 3]
    with pytest.raises(ValueError, match="a feature has no value"):
        space["predict"]({"b": None})


def test_numbers_that_are_categories_are_compared_as_numbers() -> None:
    grades = pd.Categorical([10, 9, 10, 9, 2.5, 2.5])
    model = dtviz.fit(dtviz.from_frame(pd.DataFrame({"g": grades, "y": list("ABABBB")}), "y"))
    assert model.data.levels == ((2.5, 9, 10),)
    assert '"g" IN (10)' in model.export("sql")
    space: dict[str, Any] = {}
    exec(model.export("python"), space)
    for values in ([10, 9, 2.5, 11], np.array([10.0, 9.0, 2.5, 11.0])):
        expected = ["A", "B", "B", "B"]
        assert model.predict(pd.DataFrame({"g": values})).tolist() == expected
        assert [space["predict"]({"g": value}) for value in values] == expected


@given(tables())
def test_other_names_of_the_values_change_nothing_but_names(found: Dataset) -> None:
    rules = Rules("gini" if found.classes else "squared_error")
    other = dataset(
        found.columns, found.y, found.features, "y", found.classes,
        levels=tuple(tuple(f"<{v}>'\"" for v in levels) for levels in found.levels),
    )  # fmt: skip
    assert dtviz.fit(other, rules).log == dtviz.fit(found, rules).log


@given(tables(), st.data())
def test_values_in_another_order_part_the_rows_as_before(
    found: Dataset, drawn: st.DataObject
) -> None:
    rules = Rules("gini" if found.classes else "squared_error")
    order = np.array(drawn.draw(st.permutations(range(len(found.levels[0])))))
    columns = found.columns.copy()
    columns[0] = np.argsort(order)[columns[0].astype(int)]
    levels = (tuple(found.levels[0][k] for k in order), *found.levels[1:])
    other = dataset(columns, found.y, found.features, "y", found.classes, levels=levels)
    mine, theirs = (dtviz.candidates(one, rules) for one in (found, other))
    for name, part in mine.groupby("feature"):
        gains = theirs[theirs.feature == name].gain.max()
        assert part.gain.max() == pytest.approx(gains, abs=1e-12)


@given(tables(), st.data())
def test_whole_weights_are_repeated_rows(found: Dataset, drawn: st.DataObject) -> None:
    rules = Rules("gini" if found.classes else "squared_error")
    weights = drawn.draw(st.lists(st.integers(1, 3), min_size=found.n, max_size=found.n))
    rows = np.arange(found.n).repeat(weights)
    made = [found.features, "y", found.classes]
    heavy = dataset(
        found.columns, found.y, *made, weights=np.array(weights, float), levels=found.levels
    )
    often = dataset(found.columns[:, rows], found.y[rows], *made, levels=found.levels)
    one, other = dtviz.fit(heavy, rules), dtviz.fit(often, rules)
    assert one.log == other.log


@given(st.integers(0, 9999), st.sets(st.integers(0, 199), min_size=1))
def test_a_subset_travels_in_an_address(feature: int, named: set[int]) -> None:
    split = subset_split(feature, tuple(named))
    word, half = address_text(split).split(".", 1)
    assert (projection_in(word), float(half)) == (split.projection, HALF)
    assert word.replace("-", "").isalnum()


@pytest.mark.parametrize("word", ["c0", "c0-", "c0-0", "c0-g", "c0-1x", "c-1", "c0-1-5"])
def test_what_is_no_subset_is_not_read(word: str) -> None:
    assert projection_in(word) is None


@pytest.mark.parametrize(
    ("split", "problem"),
    [
        (subset_split(1, (0,)), "feature 1 is no category here"),
        (subset_split(7, (0,)), "feature 7 is no category here"),
        (subset_split(0, (5,)), "a category of 2 values has no number 5"),
        (axis_split(0, 0.5), "is a category"),
    ],
)
def test_a_split_that_the_table_cannot_make_is_refused(split: Any, problem: str) -> None:
    found = dataset([[0, 1], [0, 1]], np.array([0, 1]), "gx", "y", "AB", levels=(("a", "b"), ()))
    with pytest.raises(LogError, match=problem):
        dtviz.fit(found, log=(Grow(1, split),))


@pytest.mark.parametrize("seed", range(8))
def test_on_each_side_of_the_best_subset_the_values_stand_by_how_far_their_shares_lean(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    codes, y = rng.integers(0, 6, 120), rng.integers(0, 3, 120)
    found = dataset([codes], y, "g", "y", "ABC", levels=(tuple(VALUES[:6]),))
    cuts = candidates(found, np.arange(120), CRITERIA["gini"])
    assert cuts.best is not None
    best, order = cuts.split(cuts.best).projection, list(cuts.orders[0])
    assert isinstance(best, Subset)
    sides = [[g for g in range(6) if (g in best.named) is on] for on in (True, False)]
    shares = {g: np.bincount(y[codes == g], minlength=3) / sum(codes == g) for g in range(6)}
    whole = [np.bincount(y[np.isin(codes, side)], minlength=3) for side in sides]
    sides = sides if set(order[: len(sides[0])]) == set(sides[0]) else sides[::-1]
    apart = whole[0] / sum(whole[0]) - whole[1] / sum(whole[1])
    apart = apart * np.sign(apart[np.abs(apart).argmax()])
    lean = {g: float(apart @ shares[g]) for g in range(6)}
    assert order == [g for side in sides for g in sorted(side, key=lean.__getitem__)]


def test_beyond_ten_values_many_classes_are_ordered_by_their_first_component() -> None:
    # three groups of four values with the same shares each: groups stay together
    y = np.array([0] * 8 + [1] * 8 + [2] * 8)
    codes = np.arange(24) // 2
    found = dataset([codes], y, "g", "y", "ABC", levels=(tuple("abcdefghijkl"),))
    cuts = candidates(found, np.arange(24), CRITERIA["gini"], projections=None)
    order = [int(codes[0]) // 4 for codes in np.array(cuts.orders[0])[:, None]]
    assert [order[k] == order[k + 1] for k in range(11)].count(False) == 2
    assert subsets(12) == 2047
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


@pytest.mark.parametrize(
    ("named", "entropy", "gini"),
    [("Sports", 0.459148, 0.222222), ("Vintage", 0.10917, 0.044444), ("SUV", 0.251629, 0.111111)],
)
def test_each_car_against_the_others_gains_what_the_lecture_says(
    named: str, entropy: float, gini: float
) -> None:
    found = age_car_risk()
    code = found.levels[1].index(named)
    for name, gain in (("entropy", entropy), ("gini", gini)):
        rules = Rules(name)
        tree = fold(Problem(found, rules), (Grow(1, subset_split(1, (code,))),))
        below = fsum(tree.nodes[k].n * tree.nodes[k].impurity for k in (2, 3)) / 6
        assert tree.nodes[1].impurity - below == pytest.approx(gain, abs=5e-7)


def test_play_tennis_begins_with_overcast_then_humidity() -> None:
    frame = pd.DataFrame(list(PLAY_TENNIS["rows"]), columns=list(PLAY_TENNIS["columns"]))
    found = dtviz.from_frame(frame, target="play", features=list(PLAY_TENNIS["columns"][:4]))
    model = dtviz.fit(found, Rules("gini"))
    lines = [line.strip() for line in model.export("text").splitlines()]
    assert lines[1].startswith("outlook = overcast: yes: -> yes")
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


@given(tables(kinds=1))
def test_cuts_of_a_category_under_absolute_error_gain_what_their_sides_do(found: Dataset) -> None:
    rules = Rules("absolute_error", max_depth=1)
    tree = dtviz.fit(found, rules).tree
    problem = Problem(found, rules)
    cuts = node_candidates(problem, stump(problem), 1)
    assert max(cuts.gain.tolist(), default=0.0) == pytest.approx(gain_of(tree), abs=1e-9)
    for at in range(len(cuts)):
        split = fold(problem, (Grow(1, cuts.split(at)),))
        assert cuts.gain[at] == pytest.approx(gain_of(split), abs=1e-9)
    for said in searched(problem, cuts):
        assert said.endswith("= 1 subset.") or "the order of its medians" in said


def gain_of(tree: Tree) -> float:
    """What the first split lowers the impurity by; 0 where there is none."""
    return dtviz.engine.tree.gain(tree, 1) if tree.splits else 0.0
