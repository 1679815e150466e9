"""Groups and splits told by counts alone: scipy, fractions and the engine's own search agree."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from test_criteria import the_cut

from dtviz.engine.criteria.criteria import (
    CRITERIA,
    ENTROPY,
    ERROR,
    GINI,
    Criterion,
    Impurity,
    criteria_for,
    impurities_for,
)
from dtviz.engine.criteria.from_counts import (
    Disagreement,
    compare_splits,
    disagreements,
    distinct_left_sides,
    divergence,
    gains,
    group_of_counts,
    impurities,
    scores,
    surprise,
)

NAMES = criteria_for("classification")
IMPURITIES = impurities_for("classification")
counts = st.lists(st.integers(0, 300), min_size=2, max_size=6).filter(any)
two_sides = st.integers(2, 4).flatmap(
    lambda k: st.tuples(*[st.lists(st.integers(0, 20), min_size=k, max_size=k).filter(any)] * 2)
)


@given(counts)
def test_entropy_and_divergence_are_those_of_scipy(of: list[int]) -> None:
    uniform = np.full(len(of), 1 / len(of))
    some = np.array([of])
    assert impurities(ENTROPY, some)[0] == pytest.approx(scipy.stats.entropy(of, base=2), abs=1e-12)
    expected = scipy.stats.entropy(of, uniform, base=2)
    assert divergence(some)[0] == pytest.approx(expected, abs=1e-12)


@given(counts)
def test_gini_and_error_are_the_fractions_of_their_formulas(of: list[int]) -> None:
    shares = [Fraction(c, sum(of)) for c in of]
    some = np.array([of])
    assert impurities(GINI, some)[0] == pytest.approx(float(1 - sum(p * p for p in shares)))
    assert impurities(ERROR, some)[0] == pytest.approx(float(1 - max(shares)))


def test_entropy_is_log_k_less_the_divergence_at_every_place_of_the_pictures() -> None:
    for case in [(2, 100), (3, 60)]:
        classes, whole = case
        places = np.array([c for c in np.ndindex(*[whole + 1] * classes) if sum(c) == whole])
        both = impurities(ENTROPY, places) + divergence(places)
        assert np.abs(both - math.log2(classes)).max() < 4e-15, case  # the last places of both


@given(counts)
def test_entropy_is_the_mean_surprise(of: list[int]) -> None:
    some = np.array([c for c in of if c])
    mean = float(np.average(surprise(some / some.sum()), weights=some))
    assert impurities(ENTROPY, np.array([of]))[0] == pytest.approx(mean, abs=1e-12)


def test_what_never_happens_is_infinitely_surprising_and_what_always_does_not_at_all() -> None:
    assert surprise(np.array([0.0, 0.25, 0.5, 1.0])).tolist() == [math.inf, 2.0, 1.0, 0.0]
    assert not np.signbit(surprise(np.array([1.0])))[0]


@given(st.sampled_from(IMPURITIES), counts, st.randoms(use_true_random=False))
def test_no_order_of_classes_changes_an_impurity(
    impurity: Impurity, of: list[int], chance: Any
) -> None:
    other = [*of]
    chance.shuffle(other)
    both = impurities(impurity, np.array([of, other]))
    assert both[0] == pytest.approx(both[1], abs=1e-12)


@given(st.sampled_from(NAMES), two_sides)
def test_a_split_scores_what_the_search_makes_of_its_rows(name: str, sides: Any) -> None:
    left, right = map(np.array, sides)
    cuts = the_cut(left, right, name)
    asked = CRITERIA[name], left + right, left[None]
    assert scores(*asked)[0] == pytest.approx(cuts.score[0], abs=1e-12)
    assert gains(*asked)[0] == pytest.approx(cuts.gain[0], abs=1e-12)


def test_an_empty_side_has_no_score_and_does_not_disturb_the_others() -> None:
    for name in NAMES:
        parent, left = np.array([3, 2]), np.array([[0, 0], [3, 0], [3, 2]])
        found = scores(CRITERIA[name], parent, left)
        assert np.isnan(found).tolist() == [True, False, True], name
        assert found[1] == scores(CRITERIA[name], parent, left[1:2])[0], name
        assert np.isnan(scores(CRITERIA[name], parent, left[:1])).all(), name
        assert compare_splits(CRITERIA[name], parent, left, left[1]).tolist() == [0, 0, 0], name


def test_a_tie_is_a_tie_where_rounding_would_say_something_else() -> None:
    parent = np.array([3, 3, 3])
    alike = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0], [2, 3, 2]])
    for name in NAMES:
        assert not compare_splits(CRITERIA[name], parent, alike, np.array([1, 1, 0])).any()
    better = compare_splits(CRITERIA["gini"], parent, np.array([[3, 0, 0], [1, 1, 1]]), alike[0])
    assert better.tolist() == [1, -1]


def test_a_criterion_without_exact_worth_is_compared_by_its_scores() -> None:
    toy = Criterion("toy", "Toy", "classification", Impurity("toy", "T", "", "", "", *_of(GINI)))
    assert toy.exact is None
    parent, left = np.array([4, 4]), np.array([[4, 0], [2, 2], [3, 1]])
    assert compare_splits(toy, parent, left, left[2]).tolist() == [1, -1, 0]


def _of(impurity: Impurity) -> tuple[Any, Any]:
    return impurity.spread, impurity.formula_step


def test_a_group_of_counts_has_these_counts() -> None:
    group = group_of_counts([2, 0, 3])
    assert group.parts == [2, 0, 3]
    assert group.total == 5


DISAGREE_NAMES = criteria_for("classification")
PAIRS = [*combinations(DISAGREE_NAMES, 2)]
LARGEST = {2: 8, 3: 6}


def parents(n: int, classes: int) -> Iterator[tuple[int, ...]]:
    """Every falling row of positive counts, by trying all rows."""
    for counts in product(range(1, n + 1), repeat=classes):
        if sum(counts) == n and list(counts) == sorted(counts, reverse=True):
            yield counts


def disagree_on(parent: Any, one: str, other: str) -> bool:
    """Whether some two of all splits are ordered otherwise, by their scores as they are."""
    left = np.array([*product(*(range(n + 1) for n in parent))])
    first, second = (scores(CRITERIA[name], np.array(parent), left) for name in (one, other))
    up, down = (np.subtract.outer(of, of) > 1e-9 for of in (first, second))
    return bool((up & down.T).any())


def test_the_parents_are_those_that_brute_force_finds() -> None:
    for (one, other), classes in product(PAIRS, [2, 3]):
        largest = LARGEST[classes]
        found = disagreements(CRITERIA[one], CRITERIA[other], classes, 1000, largest)
        expected = {
            parent
            for n in range(2, largest + 1)
            for parent in parents(n, classes)
            if disagree_on(parent, one, other)
        }
        assert {pair.parent for pair in found} == expected, (classes, one, other)
        assert len(found) == len(expected), (classes, one, other)
        sizes = [sum(pair.parent) for pair in found]
        assert sizes == sorted(sizes), (classes, one, other)


def test_each_criterion_prefers_its_own_split_of_every_pair() -> None:
    for one, other in [pair[:: (-1) ** k] for k, pair in enumerate(PAIRS)]:
        for classes in (2, 3):
            found = disagreements(CRITERIA[one], CRITERIA[other], classes)
            assert len(found) == 3, (one, other)
            for pair in found:
                both = np.array([pair.first, pair.second])
                first = scores(CRITERIA[one], np.array(pair.parent), both)
                second = scores(CRITERIA[other], np.array(pair.parent), both)
                assert first[0] > first[1] + 1e-9, (one, other)
                assert second[1] > second[0] + 1e-9, (one, other)


def test_the_smallest_by_hand() -> None:
    """Six rows of three classes, seven of two: entropy likes a pure side, however small."""
    three = disagreements(CRITERIA["entropy"], CRITERIA["gini"], 3, 1)
    assert three == (Disagreement((3, 2, 1), (2, 2, 0), (3, 1, 1)),)
    two = disagreements(CRITERIA["entropy"], CRITERIA["gini"], 2, 1)
    assert two == (Disagreement((5, 2), (4, 2), (4, 1)),)
    (pair,) = two
    left, right = 6 / 7, 1 / 7

    def entropy(p: float) -> float:
        return -sum(q * math.log2(q) for q in (p, 1 - p) if q)

    first = entropy(5 / 7) - left * entropy(4 / 6) - right * entropy(1.0)
    second = entropy(5 / 7) - 5 / 7 * entropy(4 / 5) - 2 / 7 * entropy(1 / 2)
    found = scores(CRITERIA["entropy"], np.array(pair.parent), np.array([pair.first, pair.second]))
    assert found.tolist() == pytest.approx([first, second])


def test_a_criterion_agrees_with_itself_and_with_its_double() -> None:
    gini = CRITERIA["gini"]
    double = Criterion("double", "Double", "classification", GINI)
    assert disagreements(gini, gini) == disagreements(gini, double, max_rows=9) == ()


def test_the_splits_of_a_parent_have_all_scores_and_none_twice_for_its_looks() -> None:
    for parent in [(2, 2), (3, 1), (3, 2, 1), (2, 2, 2)]:
        some = distinct_left_sides(parent)
        left = np.array([*product(*(range(n + 1) for n in parent))])
        for name in DISAGREE_NAMES:
            every = scores(CRITERIA[name], np.array(parent), left)
            kept = scores(CRITERIA[name], np.array(parent), np.array(some))
            assert {*np.round(kept, 9)} == {*np.round(every[~np.isnan(every)], 9)}, parent
        sides = [_seen(parent, split) for split in some]
        assert len({*sides}) == len(some), parent


def _seen(parent: Any, left: Any) -> frozenset[Any]:
    """A split whatever its sides and classes are called."""
    right = [n - a for n, a in zip(parent, left, strict=True)]
    return frozenset(
        [tuple(sorted(zip(left, right, strict=True))), tuple(sorted(zip(right, left, strict=True)))]
    )


def test_a_criterion_that_cannot_be_compared_exactly_is_refused() -> None:
    toy = Impurity("toy", "T", "", "", "", GINI.spread, GINI.formula_step)
    with pytest.raises(ValueError, match="toy cannot be compared without rounding"):
        disagreements(CRITERIA["gini"], Criterion("toy", "Toy", "classification", toy))
