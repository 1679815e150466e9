"""Admissible cuts: no choice made before (side of missing rows, order of values) loses the best."""

from __future__ import annotations

import doctest
from dataclasses import replace
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.rules import criteria_of
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.splits import split
from dtviz.engine.tree import root_tree
from dtviz.explain.why import why
from dtviz.explain.words import stop_reason
from dtviz.models.steps import node_candidates

LEVELS = tuple("abcd")
RANKED_BY_GAIN = [name for name, one in CRITERIA.items() if one.measure is None]


def test_the_examples_of_the_module_run() -> None:
    assert doctest.testmod(split, extraglobs={"np": np}).failed == 0


@st.composite
def tables(draw: st.DrawFn) -> Dataset:
    """A number and a category, some of whose values are missing; classes or counts."""
    n = draw(st.integers(4, 14))

    def column(values: list[Any]) -> np.ndarray:
        return np.array(draw(st.lists(st.sampled_from(values), min_size=n, max_size=n)))

    classes = draw(st.sampled_from([0, 2, 3]))
    y = column([0.0, 0.0, 1.0, 2.0, 7.0]) if not classes else column(list(range(classes)))
    number, category = column([0.0, 1.0, 2.0, 3.0, np.nan]), column([0.0, 1.0, 2.0, 3.0, np.nan])
    weights = draw(st.sampled_from([None, column([1.0, 2.0, 3.0]), column([0.5, 1.25])]))
    return make_dataset(
        [number, category],
        y,
        "xc",
        "y",
        "ABC"[:classes],
        sample_weight=weights,
        categories=((), LEVELS),
    )


def sides(column: np.ndarray, category: bool, counts_missing: bool) -> list[np.ndarray]:
    """The rows that each possible cut of a column sends left, as masks."""
    missing = np.isnan(column)
    values = np.unique(column[~missing]).tolist()
    if category:
        some = chain.from_iterable(combinations(values, k) for k in range(1, len(values)))
        left = [np.isin(column, named) for named in some]
    else:
        left = [column <= low for low, _ in pairwise(values)]
    if not counts_missing:
        return left
    turned = [one | missing for one in left] if missing.any() else []
    return left + turned + ([missing] if missing.any() and not missing.all() else [])


def best_gain(data: Dataset, rules: Rules, counts_missing: bool) -> float | None:
    """The highest gain of all admissible cuts, each tried by itself; None where there is none."""
    weights, best = np.ones(data.n) if data.weights is None else data.weights, None
    criterion = CRITERIA[rules.criterion]
    for column, levels in zip(data.columns, data.levels, strict=True):
        rows = np.arange(data.n)
        rows = rows if counts_missing else rows[~np.isnan(column)]
        for mask in sides(column, bool(levels), counts_missing):
            parts = [rows[mask[rows]], rows[~mask[rows]]]
            heavy = [weights[part].sum() for part in parts]
            if min(map(len, parts)) < max(rules.min_samples_leaf, 1):
                continue
            if min(heavy) < rules.min_weight_fraction_leaf * weights.sum() * (1 - 1e-12):
                continue
            if rules.criterion == "poisson" and min(data.y[part].sum() for part in parts) <= 0:
                continue
            known = compute_facts(data, unsorted_frontier([rows, *parts]), criterion)
            below = (known.weight[1:] * known.impurity[1:]).sum() / known.weight[0]
            gain = (known.impurity[0] - below) * known.weight[0] / weights.sum()
            best = gain if best is None else max(best, gain)
    return best


@given(tables(), st.data())
def test_the_best_cut_is_the_best_of_all_admissible(data: Dataset, drawn: st.DataObject) -> None:
    able = sorted({*criteria_of(data)} & {*RANKED_BY_GAIN} - {"absolute_error"})
    rules = Rules(
        criterion=drawn.draw(st.sampled_from(able)),
        min_samples_leaf=drawn.draw(st.integers(1, 4)),
        min_weight_fraction_leaf=drawn.draw(st.sampled_from([0.0, 0.2, 0.35])),
        missing=drawn.draw(st.sampled_from(["learned", "majority"])),
    )
    expected = best_gain(data, rules, rules.missing == "learned")
    if data.y.max() <= 0:
        return  # one value alone: no cut gains, and none is asked for
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    if expected is None:
        assert cuts.best is None
        return
    assert cuts.best is not None
    assert cuts.gain[cuts.best] == pytest.approx(expected, rel=1e-9, abs=1e-11)
    first = dtviz.fit(data, replace(rules, max_depth=1))
    assert cuts.find(first.log[0].split) == cuts.best if first.log else first.tree.nodes[1].pure


@given(tables(), st.integers(2, 4), st.sampled_from([("axis", "subset"), ("oblique", "radial")]))
def test_no_node_has_fewer_rows_than_a_leaf_may(data: Dataset, rows: int, families: Any) -> None:
    second = np.where(np.arange(data.n) % 5, np.arange(data.n) % 3, np.nan)
    table = make_dataset(
        [data.columns[0], second], data.y, "xz", "y", data.classes, sample_weight=data.weights
    )
    rules = Rules(criteria_of(table)[0], min_samples_leaf=rows, families=families)
    nodes = dtviz.fit(table, rules).tree.nodes.values()
    assert all(node.n >= rows or node.id == 1 for node in nodes)


def test_an_admissible_cut_is_found_though_the_other_side_gains_more() -> None:
    frame = pd.DataFrame({"x": [np.nan, np.nan, 2, 3, 4, 5], "y": list("ababab")})
    data = dtviz.from_frame(frame, target="y")
    cuts = dtviz.candidates(data, Rules("gini", min_samples_leaf=2)).set_index("rule")
    cut = cuts.loc["x <= 2.5 or missing"]
    assert (cut.n_left, cut.n_right, bool(cut.admissible)) == (3, 3, True)
    assert cut.gain == pytest.approx(1 / 18)


def test_where_the_order_of_a_category_leaves_too_little_every_subset_is_tried() -> None:
    data = dtviz.from_frame(pd.DataFrame({"c": list("uuuvvw"), "y": list("ppqqqp")}), target="y")
    rules = Rules("gini", min_samples_leaf=3)
    assert str(dtviz.fit(data, rules).rules()[0]) == "c = u -> p (66.7 % of 3 rows)"
    table = dtviz.candidates(data, rules).set_index("rule")
    assert table.admissible.to_dict() == {"c = w": False, "c = u": True, "c = v": False}
    assert table.gain["c = u"] == pytest.approx(1 / 18)
    assert len(dtviz.candidates(data, Rules("gini"))) == 2  # the best cut of its order may be made


def test_a_tree_s_own_split_is_found_though_missing_rows_make_its_side_heavier() -> None:
    frame = pd.DataFrame({"c": ["a", "a", "a", "b", "b", None, None], "y": list("pppqqqp")})
    model = dtviz.fit(dtviz.from_frame(frame, target="y"), Rules("entropy"))
    assert dtviz.regrets(model).best[0] == "c = b or missing"


def test_poisson_makes_no_leaf_of_zeros() -> None:
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4, 5], "y": [0.0, 0, 0, 1e8, 2]})
    data = dtviz.from_frame(frame, target="y", task="regression")
    model = dtviz.fit(data, Rules("poisson"))
    assert [str(rule) for rule in model.rules()] == [
        "x <= 4.5 -> 25000000 (4 rows)",
        "x > 4.5 -> 2 (1 row)",
    ]
    problem = Problem(data, model.rules_used)
    reason = stop_reason(problem, model.tree.nodes[2], model.stops()[2].stop)
    assert reason == "no cut leaves at least one target above 0 on both sides"
    cuts = node_candidates(problem, model.tree, 2)
    assert why(problem, cuts, cuts.split(0)).endswith("; all targets on a side are 0.")
