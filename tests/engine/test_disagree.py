"""The smallest nodes where two measures prefer different splits: brute force finds the same."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from dtviz.engine.counts import scores
from dtviz.engine.criteria import CRITERIA, GINI, Criterion, Impurity, criteria_for
from dtviz.engine.disagree import Disagreement, disagreements, splits_of

NAMES = criteria_for("classification")
PAIRS = [*combinations(NAMES, 2)]
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
    assert disagreements(gini, gini) == disagreements(gini, double, largest=9) == ()


def test_the_splits_of_a_parent_have_all_scores_and_none_twice_for_its_looks() -> None:
    for parent in [(2, 2), (3, 1), (3, 2, 1), (2, 2, 2)]:
        some = splits_of(parent)
        left = np.array([*product(*(range(n + 1) for n in parent))])
        for name in NAMES:
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
    toy = Impurity("toy", "T", "", "", "", GINI.spread, GINI.step)
    with pytest.raises(ValueError, match="toy cannot be compared without rounding"):
        disagreements(CRITERIA["gini"], Criterion("toy", "Toy", "classification", toy))
