"""What a node says of its rows: counts, majority or mean, share, impurity, purity."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import class_data, number_data

from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, impurity
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.search.frontier import frontier, root_frontier


@given(class_data(), st.sampled_from(criteria_for("classification")), st.data())
def test_class_facts_are_counts_of_a_node(found: Dataset, name: str, drawn: st.DataObject) -> None:
    marks = np.array(drawn.draw(st.lists(st.booleans(), min_size=found.n, max_size=found.n)))
    groups = [rows for rows in (np.flatnonzero(marks), np.flatnonzero(~marks)) if len(rows)]
    known = compute_facts(found, frontier(found, groups), CRITERIA[name])
    for j, rows in enumerate(groups):
        counts = [int(np.sum(found.y[rows] == k)) for k in range(len(found.classes))]
        assert known.counts[j].tolist() == counts
        assert known.n[j] == len(rows)
        assert known.value[j] == counts.index(max(counts))  # the first of equals
        assert known.share[j] == max(counts) / len(rows)
        assert bool(known.pure[j]) == (max(counts) == len(rows))
        assert known.impurity[j] == pytest.approx(impurity(name, np.array(counts)), abs=1e-12)
        assert known.impurity[j] >= 0


@given(number_data(), st.data())
def test_number_facts_are_mean_and_variance(found: Dataset, drawn: st.DataObject) -> None:
    marks = np.array(drawn.draw(st.lists(st.booleans(), min_size=found.n, max_size=found.n)))
    groups = [rows for rows in (np.flatnonzero(marks), np.flatnonzero(~marks)) if len(rows)]
    known = compute_facts(found, frontier(found, groups), CRITERIA["squared_error"])
    for j, rows in enumerate(groups):
        y = [Fraction(v) for v in found.y[rows].tolist()]
        mean = sum(y) / len(y)
        variance = float(sum((v - mean) ** 2 for v in y) / len(y))
        assert known.value[j] == pytest.approx(float(mean), rel=1e-14)
        assert known.impurity[j] == pytest.approx(variance, rel=1e-9)
        assert bool(known.pure[j]) == (len(set(y)) == 1)
        assert known.impurity[j] >= 0


def test_a_pure_number_node_is_exact() -> None:
    found = make_dataset([np.arange(3.0)], np.full(3, 0.1), ["x"], "y")
    known = compute_facts(found, root_frontier(found), CRITERIA["squared_error"])
    assert (known.value[0], known.impurity[0], known.share[0]) == (0.1, 0.0, 1.0)


def test_the_mean_of_large_numbers_keeps_its_digits() -> None:
    y = np.array([1e8, 1e8 + 1, 1e8 + 2, 1e8 + 3])
    found = make_dataset([np.arange(4.0)], y, ["x"], "y")
    known = compute_facts(found, root_frontier(found), CRITERIA["squared_error"])
    assert (known.value[0], known.impurity[0]) == (1e8 + 1.5, 1.25)


def test_equal_counts_say_the_first_class() -> None:
    found = make_dataset([np.arange(4.0)], np.array([2, 1, 2, 1]), ["x"], "y", "abc")
    known = compute_facts(found, root_frontier(found), CRITERIA["gini"])
    assert (known.value[0], known.counts[0].tolist()) == (1, [0, 2, 2])
