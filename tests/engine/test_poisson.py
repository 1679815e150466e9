"""Poisson's deviance: against its definition in exact digits, scikit-learn, and repeated rows."""

from __future__ import annotations

from decimal import Decimal, localcontext
from math import fsum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeRegressor

import dtviz
from dtviz import Rules, RulesError
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA, running_deviance
from dtviz.engine.criteria.statistics import excess
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.problem import Problem
from dtviz.engine.search.candidates import candidates
from dtviz.engine.search.frontier import root_frontier
from dtviz.explain.why import arithmetic

POISSON = CRITERIA["poisson"]
RULES = Rules("poisson")
targets = st.lists(
    st.sampled_from([0.0, 0.5, 1.0, 2.0, 7.0, 1e8, 1e8 + 1]), min_size=1, max_size=12
)


def deviance(y: list[float], weights: list[float] | None = None) -> float:
    """The mean of y ln(y / mean), 50 digits long."""
    with localcontext(prec=50):
        own = [Decimal(w) for w in weights or [1.0] * len(y)]
        values = [Decimal(v) for v in y]
        mean = sum(w * v for w, v in zip(own, values, strict=True)) / sum(own)
        terms = (w * v * (v / mean).ln() for w, v in zip(own, values, strict=True) if v)
        return float(sum(terms, Decimal(0)) / sum(own))


def table(y: list[float], x: list[float] | None = None) -> Dataset:
    return make_dataset([x or np.arange(len(y))], np.array(y), ["x"], "y")


def counts(seed: int, n: int = 200) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 3)).round(1)
    return x, rng.poisson(np.exp(x[:, 0])) * 1.0  # a third of them 0


@given(targets)
def test_a_node_s_impurity_is_its_deviance_to_the_last_digits(y: list[float]) -> None:
    known = compute_facts(table(y), root_frontier(table(y)), POISSON)
    assert known.impurity[0] == pytest.approx(deviance(y), rel=1e-9, abs=1e-300)


@given(targets, st.data())
def test_running_deviances_are_those_of_each_prefix(y: list[float], drawn: st.DataObject) -> None:
    weights = drawn.draw(st.lists(st.sampled_from([1.0, 2.5]), min_size=len(y), max_size=len(y)))
    assert_running(y, weights)


def test_a_running_deviance_is_right_whatever_comes_after_it() -> None:
    assert_running([1e8, 1e8 + 1, 0.0, 0.0, 0.0], [1.0] * 5)
    assert_running([1e8, *[0.0] * 300, 1.0, 2.0], [1.0] * 303)
    assert_running([1e15, *[0.0, 1.0, 2.0] * 9], [1e-20, *[1.0] * 27])


def assert_running(y: list[float], weights: list[float]) -> None:
    found = running_deviance(np.array(y), np.array(weights))
    for k, value in enumerate(found.tolist(), start=1):
        assert value == pytest.approx(deviance(y[:k], weights[:k]), rel=1e-9, abs=1e-300)
        assert (value == 0) == (len(set(y[:k])) == 1)


@given(targets)
def test_a_cut_s_gain_is_what_the_deviance_falls_by(y: list[float]) -> None:
    cuts = candidates(table(y), np.arange(len(y)), POISSON)
    for k in range(len(cuts)):
        left = int(cuts.n_left[k])
        parts = [deviance(part) * len(part) for part in (y[:left], y[left:])]
        expected = deviance(y) - fsum(parts) / len(y)
        near = 1e-11 * max(deviance(y), 1e-7 * max(y) * 1e-7)
        assert cuts.gain[k] == pytest.approx(expected, rel=1e-6, abs=near)


def test_the_tree_is_scikit_learn_s() -> None:
    for seed in range(3):
        x, y = counts(seed)
        theirs = DecisionTreeRegressor(criterion="poisson", max_depth=4, random_state=0).fit(x, y)
        model = dtviz.fit(make_dataset(x.T, y, "abc", "y"), Rules("poisson", max_depth=4))
        ends = theirs.tree_.children_left < 0
        total = (theirs.tree_.impurity * theirs.tree_.n_node_samples)[ends].sum()
        leaves = [
            known for node, known in model.tree.nodes.items() if node not in model.tree.splits
        ]
        assert len(leaves) == ends.sum(), seed
        assert fsum(known.impurity * known.n for known in leaves) == pytest.approx(total, rel=1e-9)
        assert model.tree.nodes[1].impurity == pytest.approx(theirs.tree_.impurity[0], rel=1e-12)


def test_rows_that_weigh_three_are_three_rows() -> None:
    x, y = counts(9, 60)
    weights = np.arange(60) % 3 + 1.0
    heavy = dtviz.fit(make_dataset(x.T, y, "abc", "y", sample_weight=weights), RULES)
    often = dtviz.fit(
        make_dataset(
            x.repeat(weights.astype(int), axis=0).T, y.repeat(weights.astype(int)), "abc", "y"
        ),
        RULES,
    )
    assert heavy.log == often.log
    for node, known in heavy.tree.nodes.items():
        assert known.impurity == pytest.approx(often.tree.nodes[node].impurity, rel=1e-9, abs=1e-12)


def test_a_target_below_0_is_refused_with_what_is_allowed() -> None:
    allowed = r"or 'absolute_error' for a target below 0; not 'poisson'"
    with pytest.raises(RulesError, match=allowed):
        dtviz.fit(table([-1.0, 2.0]), RULES)
    assert dtviz.fit(table([0.0, 2.0]), RULES).tree.nodes[1].value == 1


def test_zeros_alone_are_pure() -> None:
    root = dtviz.fit(table([0.0, 0.0, 0.0]), RULES).tree.nodes[1]
    assert (root.impurity, root.pure, root.value) == (0.0, True, 0.0)


@given(st.floats(-1, 1e6))
def test_what_is_left_of_a_logarithm_keeps_its_digits(share: float) -> None:
    with localcontext(prec=80):
        at = Decimal(share)
        exact = float((1 + at) * (1 + at).ln() - at) if at > -1 else 1.0
    assert float(excess(np.array([share]))[0]) == pytest.approx(exact, rel=1e-13, abs=1e-40)


def test_its_arithmetic_is_written_with_the_node_s_own_numbers() -> None:
    found = table([1.0, 1.0, 4.0, 6.0])
    cuts = candidates(found, np.arange(4), POISSON)
    lines = "".join(arithmetic(Problem(found, RULES), cuts, 1, np.arange(4)))
    assert r"1 \ln \tfrac{1}{3}" in lines
