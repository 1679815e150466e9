"""The measures: every printed figure, their bounds, and the shapes they must have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from cases import CLASS_SPLITS, ENTROPIES, HALVES, HEIGHTS, PLAY_TENNIS
from hypothesis import given
from hypothesis import strategies as st

from dtviz import impurity
from dtviz.engine.candidates import Candidates, candidates
from dtviz.engine.criteria import CRITERIA, criteria_for, default_criterion, running_variance
from dtviz.table.data import dataset

CLASS_CRITERIA = criteria_for("classification")
counts = st.lists(st.integers(0, 50), min_size=1, max_size=5).filter(any)


def the_cut(left: Sequence[int], right: Sequence[int], name: str) -> Candidates:
    """The only cut between two groups of rows with these class counts."""
    k = range(len(left))
    y = np.concatenate([np.repeat(k, left), np.repeat(k, right)])
    x = np.repeat([0, 1], [sum(left), sum(right)])
    cuts = candidates(dataset([x], y, ["x"], "y", "abcdefg"), np.arange(len(y)), CRITERIA[name])
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
        found = dataset([[0, 0, 1, 1]], y, ["x"], "y")
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
