"""Few rows are searched in fewer steps: what is found is what a search of all cuts finds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import numpy as np
import pytest
from cases import AGE_CAR_RISK, GOOD_PLACE, HEIGHTS, RPART_TREBLE, data_of
from grids import grids
from hypothesis import given, reject
from hypothesis import strategies as st
from strategies import class_data, criteria_of_any, data, number_data

from dtviz import axis_split
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for
from dtviz.engine.search import best_split
from dtviz.engine.search.best_split import (
    MAX_EXACT_WEIGHT,
    NODE_FIELDS,
    best_cuts,
    best_of_small_nodes,
    promising_cuts,
)
from dtviz.engine.search.candidates import Candidates, best_features, candidates
from dtviz.engine.search.evaluate import ScoredCuts, evaluate_frontier
from dtviz.engine.search.frontier import Frontier, choose_lines, frontier, keep_nodes, root_frontier
from dtviz.engine.search.missing import LEARNED
from dtviz.engine.splits.split import NO_CUT, ONE_ROW, ROUNDING, Minimum


def same(data: Dataset, front: Frontier, name: str) -> None:
    one = best_of_small_nodes(data, front, CRITERIA[name])
    other = best_cuts(evaluate_frontier(data, front, CRITERIA[name]), front)
    cut = one.cut >= 0
    for of in ("grade", "weight"):
        assert np.array_equal(getattr(one, of), getattr(other, of)), of
    assert np.array_equal(cut, other.cut >= 0)
    for of in NODE_FIELDS[1:6]:
        assert np.array_equal(getattr(one, of)[cut], getattr(other, of)[cut]), of
    assert one.missing_left is None
    assert other.missing_left is None
    assert not one.named
    assert not one.fixed_splits


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(("entropy", "gini", "squared_error")),
    st.integers(1, 4),
    st.sampled_from((1, 3, 20, 1000)),
    st.sampled_from((0.0, 1e8, -1e15)),
)
def test_the_best_cut_is_that_of_all_to_the_last_bit(
    seed: int, name: str, kinds: int, values: int, offset: float
) -> None:
    rng = np.random.default_rng(seed)
    lines, n = int(rng.integers(1, 4)), int(rng.integers(1, 50))
    x = rng.integers(0, values, (lines, n)) + offset
    y = (x[0] - offset > values / 2) * 1 if rng.random() < 0.3 else rng.integers(0, kinds, n)
    features = tuple("abc"[:lines])
    if name == "squared_error":
        y = y * 0.1 + offset
        y[0] += rng.choice((0.0, 1e6, 1e150))
        data = make_dataset(x, y, features, "y")
    else:
        data = make_dataset(x, y % kinds, features, "y", tuple("ABCD"[:kinds]))
    groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(3)]
    groups.append(rng.integers(0, n, n))  # some rows more than once, as a bag has them
    for some in (groups, groups[:1], [np.arange(n)]):
        same(data, frontier(data, some), name)


def test_each_node_is_searched_along_its_own_lines() -> None:
    for name in ["gini", "squared_error"]:
        rng = np.random.default_rng(1)
        x, y = rng.integers(0, 9, (4, 40)) * 1.0, rng.integers(0, 2, 40)
        target, names = (y, ("A", "B")) if name == "gini" else (y * 1.0, ())
        data = make_dataset(x, target, tuple("abcd"), "y", names)
        front = frontier(data, [np.arange(25), np.arange(25, 40), np.arange(10)])
        same(data, choose_lines(front, np.array([[0, 1, 3], [2, 3, 1]])), name)


def test_the_best_cut_of_tiny_and_huge_numbers_is_that_of_all() -> None:
    for scale in [1e-160, 1e-145, 1e140]:
        rng = np.random.default_rng(2)
        data = make_dataset(rng.normal(size=(2, 30)), rng.normal(size=30) * scale, ("a", "b"), "y")
        same(data, frontier(data, [np.arange(30), np.arange(11)]), "squared_error")


def test_of_cuts_that_tie_but_for_rounding_the_first_is_taken() -> None:
    data = make_dataset([np.arange(8.0)], [2, 0, 2, 2, 2, 0, 2, 2], ("x",), "y", ("A", "B", "C"))
    front = frontier(data, [np.arange(8)])
    score = evaluate_frontier(data, front, CRITERIA["gini"]).score
    assert score[1] < score[5]  # by the last digits
    assert best_of_small_nodes(data, front, CRITERIA["gini"]).threshold.tolist() == [1.5]


def test_a_gain_that_is_rounding_is_none() -> None:
    data = make_dataset([[0.0, 0.0, 1.0]], [1e9, -1e9, 1e-3], ("x",), "y")
    top = best_of_small_nodes(data, frontier(data, [np.arange(3)]), CRITERIA["squared_error"])
    assert (top.threshold[0], top.gain[0]) == (0.5, 0.0)


def test_no_node_has_no_best_cut() -> None:
    data = make_dataset([[0.0, 1.0]], [0, 1], ("x",), "y", ("A", "B"))
    none = keep_nodes(frontier(data, [np.arange(2)]), np.zeros(1, np.bool_))
    assert not len(best_of_small_nodes(data, none, CRITERIA["gini"]).cut)


def both(
    data: Dataset, front: Frontier, name: str, least: Minimum = ONE_ROW
) -> tuple[ScoredCuts, ScoredCuts]:
    """The cuts that are looked at, and all."""
    about = data, front, CRITERIA[name], least, LEARNED
    return promising_cuts(*about), evaluate_frontier(*about)


def hopeful_same(data: Dataset, front: Frontier, name: str, least: Minimum = ONE_ROW) -> None:
    one, other = (best_cuts(cuts, front) for cuts in both(data, front, name, least))
    cut = one.cut >= 0
    assert np.array_equal(cut, other.cut >= 0)
    for of in (*NODE_FIELDS[1:], "weight"):  # the first tells the place among the cuts there are
        some, every = getattr(one, of), getattr(other, of)
        told = slice(None) if of in ("grade", "weight") else cut
        assert np.array_equal(some[told], every[told]), of


@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(("entropy", "gini", "error", "gain_ratio", "cart")),
    st.integers(2, 4),
    st.sampled_from((3, 20, 1000)),
    st.sampled_from(("none", "whole", "real")),
)
def test_the_best_cut_of_each_node_is_that_of_all_cuts(
    seed: int, name: str, classes: int, values: int, weighs: str
) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    x = rng.integers(0, values, (2, n)).astype(float)
    y = (x[0] > values / 2) * 1 if rng.random() < 0.3 else rng.integers(0, classes, n)
    weights = {"none": None, "whole": rng.integers(1, 9, n), "real": rng.random(n) + 0.1}[weighs]
    names = tuple("ABCD"[:classes])
    data = make_dataset(x, y, ("a", "b"), "y", names, sample_weight=weights)
    groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(3)]
    hopeful_same(data, frontier(data, groups), name)
    hopeful_same(data, frontier(data, groups), name, Minimum(2))


@grids
def test_cuts_near_the_best_are_the_best_and_its_ties(
    monkeypatch: pytest.MonkeyPatch, grid: Any
) -> None:
    monkeypatch.setattr(best_split, "MAX_GROUPS_SCORED", 0)
    monkeypatch.setattr(best_split, "MAX_EXACT_WEIGHT", 1)
    rng = np.random.default_rng(3)
    for name, weighs, offset, scale, n in grid(
        ("gini", "squared_error"), ("none", "whole", "real"), (0.0, 1e9, -1e15),
        (1.0, 1e-145, 1e140), (2, 3, 9, 60, 200),
    ):  # fmt: skip
        x = rng.integers(0, n, (2, n)) * 1.0 if n % 2 else rng.normal(size=(2, n))
        x[:, : n // 3] = x[:, :1]
        y = rng.integers(0, 4, n)
        weights = {"none": None, "whole": rng.integers(1, 9, n), "real": rng.random(n) + 0.1}
        number = (y + offset) * scale if abs(offset * scale) < 1e150 else y * 1.0
        target, names = (y, tuple("ABCD")) if name == "gini" else (number, ())
        data = make_dataset(x, target, ("a", "b"), "y", names, sample_weight=weights[weighs])
        groups = [rng.permutation(n)[: int(rng.integers(1, n + 1))] for _ in range(4)]
        front = frontier(data, [*groups, np.arange(n)])
        hopeful_same(data, front, name)
        some, every = both(data, front, name)
        passes = weighs != "real" and n >= 60 and scale >= 1
        assert not passes or len(some.node) < len(every.node) / 2


def test_on_both_sides_of_the_heaviest_node_that_passes_cuts_over() -> None:
    for n, name in product([MAX_EXACT_WEIGHT, MAX_EXACT_WEIGHT + 1], ["entropy", "gini"]):
        x = np.arange(n, dtype=float)
        classes = (x % 7 < 5).astype(int)
        lone = (x == n // 2).astype(int)
        for y in (classes, lone):
            data = make_dataset(x[None], y, ("x",), "y", ("A", "B"))
            front = frontier(data, [np.arange(n), np.arange(n // 2 + 9)])
            hopeful_same(data, front, name)
            some, every = both(data, front, name)
            light = [np.count_nonzero(cuts.node == 1) for cuts in (some, every)]
            assert light[0] < light[1], (name, n)
            heavy = [np.count_nonzero(cuts.node == 0) for cuts in (some, every)]
            assert (heavy[0] == heavy[1]) == (n > MAX_EXACT_WEIGHT), (name, n)


def test_pure_nodes_and_rows_of_equal_value() -> None:
    data = make_dataset([[1.0, 2.0, 3.0, 1.0, 1.0]], [0, 0, 0, 1, 1], ("x",), "y", ("A", "B"))
    hopeful_same(
        data, frontier(data, [np.arange(3), np.array([0, 3]), np.arange(5), np.arange(3)]), "gini"
    )
    some, _ = both(data, frontier(data, [np.arange(5)]), "gini")
    assert some.lower.tolist() == [1.0]  # between 2 and 3 there are only rows of A


CONCAVE = ("entropy", "gini", "error")


@dataclass(frozen=True)
class SlowCut:
    """One candidate, worked out row by row."""

    feature: int
    threshold: float
    n_left: int
    n_right: int
    impurity_left: float
    impurity_right: float
    gain: float
    score: float
    boundary: bool


def slow_impurity(name: str, y: Sequence[Any]) -> Fraction | float:
    n = len(y)
    if name == "squared_error":
        exact = [Fraction(v) for v in y]
        mean = sum(exact) / n
        return sum((v - mean) ** 2 for v in exact) / n
    shares = [Fraction(c, n) for c in Counter(y).values()]
    if name in ("gini", "cart"):
        return 1 - sum(p * p for p in shares)
    if name == "error":
        return 1 - max(shares)
    return math.fsum(-p * math.log2(p) for p in shares)


def slow_threshold(lower: float, upper: float) -> float:
    middle = lower / 2 + upper / 2
    return middle if middle < upper else lower


def slow_score(name: str, gain: float, left: Sequence[Any], right: Sequence[Any]) -> float:
    n, n_left, n_right = len(left) + len(right), len(left), len(right)
    if name == "gain_ratio":
        return gain / slow_impurity("entropy", [0] * n_left + [1] * n_right)
    if name == "cart":
        classes = set(left) | set(right)
        part, other = Counter(left), Counter(right)
        apart = sum(abs(Fraction(part[c], n_left) - Fraction(other[c], n_right)) for c in classes)
        return float(2 * Fraction(n_left, n) * Fraction(n_right, n) * apart)
    return gain


def slow_cuts(found: Dataset, rows: Sequence[int], name: str) -> list[SlowCut]:
    y = found.y.tolist()
    out = []
    for f in range(len(found.features)):
        x = found.columns[f].tolist()
        distinct = sorted({x[r] for r in rows})
        for lower, upper in pairwise(distinct):
            limit = slow_threshold(lower, upper)
            left = [y[r] for r in rows if x[r] <= limit]
            right = [y[r] for r in rows if x[r] > limit]
            parts = [slow_impurity(name, part) for part in (left + right, left, right)]
            n = len(rows)
            below = Fraction(len(left), n) * parts[1] + Fraction(len(right), n) * parts[2]
            gain = max(float(parts[0] - below), 0.0)
            beside = {y[r] for r in rows if x[r] in (lower, upper)}
            score = slow_score(name, gain, left, right)
            sides = (len(left), len(right), float(parts[1]), float(parts[2]))
            out.append(SlowCut(f, limit, *sides, gain, score, len(beside) > 1))
    return out


def scale_of(found: Dataset, rows: Sequence[int]) -> float:
    """What rounding is measured against: 1 bit or share, or the variance in the node."""
    if found.classes:
        return 1.0
    return float(slow_impurity("squared_error", [found.y.tolist()[r] for r in rows]))


def slow_ties(cuts: list[SlowCut], leaf: int, scale: float) -> list[bool]:
    """Which admissible cuts score as much as the best of them; grey cases are thrown away."""
    scores = [c.score for c in cuts if min(c.n_left, c.n_right) >= leaf]
    if not scores:
        return [False] * len(cuts)
    top, grey = max(scores), ROUNDING * scale
    if any(grey / 100 < top - s < grey * 100 for s in scores):
        reject()
    return [min(c.n_left, c.n_right) >= leaf and top - c.score <= grey for c in cuts]


def assert_equals_slow(found: Dataset, rows: Sequence[int], name: str, leaf: int) -> Candidates:
    fast = candidates(found, np.array(rows), CRITERIA[name], Minimum(leaf))
    slow = slow_cuts(found, rows, name)
    scale = scale_of(found, rows)
    tied = slow_ties(slow, leaf, scale)
    near = {"rel": 1e-9, "abs": 1e-11 * max(scale, 1e-300)}
    assert fast.line.tolist() == [c.feature for c in slow]
    assert fast.threshold.tolist() == [c.threshold for c in slow]
    assert fast.n_left.tolist() == [c.n_left for c in slow]
    assert fast.n_right.tolist() == [c.n_right for c in slow]
    assert fast.boundary.tolist() == [c.boundary for c in slow]
    assert fast.admissible.tolist() == [min(c.n_left, c.n_right) >= leaf for c in slow]
    assert fast.gain.tolist() == pytest.approx([c.gain for c in slow], **near)
    assert fast.score.tolist() == pytest.approx([c.score for c in slow], **near)
    assert fast.impurity_left.tolist() == pytest.approx([c.impurity_left for c in slow], **near)
    assert fast.impurity_right.tolist() == pytest.approx([c.impurity_right for c in slow], **near)
    assert fast.tied.tolist() == tied
    assert fast.best == (tied.index(True) if any(tied) else None)
    assert len(fast) == len(slow)
    return fast


@given(class_data(), st.sampled_from(criteria_for("classification")), st.integers(1, 4))
def test_class_cuts_equal_the_definitions(found: Dataset, name: str, leaf: int) -> None:
    assert_equals_slow(found, range(found.n), name, leaf)


@given(number_data(), st.integers(1, 4))
def test_number_cuts_equal_the_definitions(found: Dataset, leaf: int) -> None:
    assert_equals_slow(found, range(found.n), "squared_error", leaf)


@given(data(), st.data())
def test_cuts_of_some_rows_see_only_these(found: Dataset, drawn: st.DataObject) -> None:
    rows = drawn.draw(st.sets(st.integers(0, found.n - 1), min_size=1))
    name = drawn.draw(st.sampled_from(criteria_of_any(found.task)))
    assert_equals_slow(found, sorted(rows), name, 1)


@given(st.one_of(class_data(20), number_data(20)), st.sampled_from(CONCAVE))
def test_gain_is_never_negative(found: Dataset, name: str) -> None:
    name = name if found.classes else "squared_error"
    assert (candidates(found, np.arange(found.n), CRITERIA[name]).gain >= 0).all()


@given(st.one_of(class_data(16), number_data(16)), st.data())
def test_many_nodes_at_once_get_what_each_gets_alone(found: Dataset, drawn: st.DataObject) -> None:
    name = drawn.draw(st.sampled_from(criteria_of_any(found.task)))
    leaf = drawn.draw(st.integers(1, 3))
    marks = drawn.draw(st.lists(st.integers(0, 3), min_size=found.n, max_size=found.n))
    groups = [np.flatnonzero(np.array(marks) == mark) for mark in sorted(set(marks))]
    front = frontier(found, groups)
    cuts = evaluate_frontier(found, front, CRITERIA[name], Minimum(leaf))
    top = best_cuts(cuts, front)
    for j, rows in enumerate(groups):
        alone = candidates(found, rows, CRITERIA[name], Minimum(leaf))
        mine = cuts.node == j
        assert cuts.lower[mine].tolist() == alone.lower.tolist()
        assert cuts.upper[mine].tolist() == alone.upper.tolist()
        if found.classes:
            assert cuts.sides.gain[mine].tolist() == alone.gain.tolist()
        near = {"rel": 1e-9, "abs": 1e-11 * scale_of(found, rows.tolist())}
        assert cuts.sides.gain[mine].tolist() == pytest.approx(alone.gain.tolist(), **near)
        assert (top.grade[j] == NO_CUT) == (len(alone) == 0)
        if alone.best is None:
            assert top.cut[j] == -1
        else:
            assert axis_split(top.line[j], top.threshold[j]) == alone.split(alone.best)
            assert top.gain[j] == pytest.approx(alone.gain[alone.best], **near)
            assert top.lower[j] == alone.lower[alone.best]
            assert top.upper[j] == alone.upper[alone.best]


def test_a_node_s_numbers_do_not_disturb_its_neighbour_s() -> None:
    for shift in [1e3, 1e8, 1e15]:
        # node 0 spans 2 * shift, node 1 spans 1e-6: its cuts must still be told apart
        y = np.array([-shift, shift, -shift, shift, 0, 1e-6, 0, 3e-6])
        found = make_dataset([np.arange(8.0)], y, ["x"], "y")
        groups = [np.arange(4), np.arange(4, 8)]
        front = frontier(found, groups)
        top = best_cuts(evaluate_frontier(found, front, CRITERIA["squared_error"]), front)
        alone = candidates(found, groups[1], CRITERIA["squared_error"])
        assert alone.best is not None, shift
        assert top.threshold[1] == alone.threshold[alone.best] == 6.5, shift
        assert top.gain[1] == pytest.approx(alone.gain[alone.best], rel=1e-6), shift


@given(data(10), st.data())
def test_the_best_features_have_the_highest_scores(found: Dataset, drawn: st.DataObject) -> None:
    name = drawn.draw(st.sampled_from(criteria_of_any(found.task)))
    first, second = best_features(found, CRITERIA[name])
    m = len(found.features)
    if m < 3:
        assert (first, second) == (0, m - 1)
        return
    assert 0 <= first < second < m
    slow = slow_cuts(found, range(found.n), name)
    tops = [max((c.score for c in slow if c.feature == f), default=-1.0) for f in range(m)]
    (rest,) = {0, 1, 2} - {first, second}
    slack = 1e-9 * max(scale_of(found, range(found.n)), 1e-300)
    assert min(tops[first], tops[second]) >= tops[rest] - slack


def cut_named(found: Dataset, cuts: Candidates, rule: str) -> int:
    name, limit = rule.rsplit(" <= ", 1)
    at = cuts.find(axis_split(found.features.index(name), float(limit)))
    assert at is not None, rule
    return at


def test_heights() -> None:
    for rule in list(HEIGHTS["candidates"]):
        found, printed = data_of(HEIGHTS), HEIGHTS["candidates"][rule]
        for name in CONCAVE:
            cuts = candidates(found, np.arange(7), CRITERIA[name])
            at = cut_named(found, cuts, rule)
            assert cuts.gain[at] == pytest.approx(printed[name], abs=5e-7), rule
            assert (cuts.n_left[at], cuts.n_right[at]) == (printed["n_left"], printed["n_right"])
            assert len(cuts) == 2, rule
        bits = candidates(found, np.arange(7), CRITERIA["entropy"]).gain
        assert 7 * bits == pytest.approx([3.286956, 0.896597], abs=5e-7)  # not the 3.92 in print


def test_age_car_risk() -> None:
    for rule in list(AGE_CAR_RISK["candidates"]):
        found, printed = data_of(AGE_CAR_RISK), AGE_CAR_RISK["candidates"][rule]
        for name in CONCAVE:
            cuts = candidates(found, np.arange(6), CRITERIA[name])
            assert cuts.gain[cut_named(found, cuts, rule)] == pytest.approx(printed[name], abs=5e-7)
        cuts = candidates(found, np.arange(6), CRITERIA["cart"])
        assert cuts.score[cut_named(found, cuts, rule)] == pytest.approx(printed["cart"], abs=5e-7)
        assert len(cuts) == len(AGE_CAR_RISK["candidates"]), rule


def test_good_place() -> None:
    for rule in list(GOOD_PLACE["candidates"]):
        found = data_of(GOOD_PLACE)
        cuts = candidates(found, np.arange(10), CRITERIA["entropy"])
        expected = GOOD_PLACE["candidates"][rule]
        assert cuts.gain[cut_named(found, cuts, rule)] == pytest.approx(expected, abs=5e-7), rule


def test_treble_s_root() -> None:
    found = data_of(RPART_TREBLE, "regression")
    cuts = candidates(found, np.arange(10), CRITERIA["squared_error"])
    share = cuts.gain / 8.25
    assert cuts.best == cut_named(found, cuts, "x1 <= 5.5")
    assert share[cuts.best] == pytest.approx(0.757576, abs=5e-7)
    on_x2 = cuts.of_line(1)
    rival = on_x2.start + int(np.argmax(cuts.gain[on_x2]))
    assert rival == cut_named(found, cuts, "x2 <= 0.5")
    assert share[rival] == pytest.approx(0.272727, abs=5e-7)


def test_treble_s_children() -> None:
    for right, rule, ties in [(True, "x1 <= 7.5", "x2 <= 4"), (False, "x1 <= 3.5", "")]:
        found = data_of(RPART_TREBLE, "regression")
        rows = np.flatnonzero((found.columns[0] > 5.5) == right)
        cuts = candidates(found, rows, CRITERIA["squared_error"])
        assert cuts.best == cut_named(found, cuts, rule), (right, rule, ties)
        variance = np.var(found.y[rows])
        assert cuts.gain[cuts.best] / variance == pytest.approx(0.75, abs=5e-7), (right, rule, ties)
        tied = {cuts.best, cut_named(found, cuts, ties)} if ties else {cuts.best}
        assert tied <= set(np.flatnonzero(cuts.tied)), (right, rule, ties)
        assert cuts.best == min(np.flatnonzero(cuts.tied)), (right, rule, ties)
        assert ties or set(np.flatnonzero(cuts.tied)) == tied, (right, rule, ties)


def test_ties_go_to_the_lowest_feature_then_threshold() -> None:
    y = np.array([0, 1, 0, 1])
    x = np.arange(4.0)
    found = make_dataset([np.zeros(4), x, x, -x], y, "zabc", "y", ["no", "yes"])
    cuts = candidates(found, np.arange(4), CRITERIA["entropy"])
    assert cuts.best == 0
    assert cuts.split(0) == axis_split(1, 0.5)
    assert cuts.tied.tolist() == [True, False, True] * 3


def test_a_forbidden_cut_neither_wins_nor_ties() -> None:
    found = make_dataset([np.arange(6.0)], np.array([0, 1, 1, 1, 1, 1]), ["x"], "y", "ab")
    cuts = candidates(found, np.arange(6), CRITERIA["gini"], Minimum(2))
    assert cuts.admissible.tolist() == [False, True, True, True, False]
    assert cuts.best == 1
    assert cuts.gain[0] > cuts.gain[1]
    assert not cuts.tied[0]


def test_a_side_needs_its_weight_but_for_rounding() -> None:
    y, weights = np.array([0, 1, 1, 1, 1, 1]), np.array([0.1, 0.1, 0.1, 0.2, 0.1, 0.4])
    for own in (weights, 3 * weights, 1e-9 * weights):
        found = make_dataset([np.arange(6.0)], y, ["x"], "y", "ab", (), own)
        least = Minimum(weight=0.3 * found.weight)  # 0.1 + 0.1 + 0.1 is less, or more, by rounding
        cuts = candidates(found, np.arange(6), CRITERIA["gini"], least)
        assert cuts.admissible.tolist() == [False, False, True, True, True]
        assert cuts.best == 2
        some = candidates(found, np.arange(2, 6), CRITERIA["gini"], least)
        assert some.admissible.tolist() == [False, True, True]  # the weight is of all rows
    plain = make_dataset([np.arange(6.0)], y, ["x"], "y", "ab")
    cuts = candidates(plain, np.arange(6), CRITERIA["gini"], Minimum(weight=1.5))
    assert cuts.admissible.tolist() == [False, True, True, True, False]


def test_no_cut_where_all_is_constant() -> None:
    for n in [1, 3]:
        found = make_dataset([np.ones(n), np.full(n, 1e8)], np.zeros(n, int), "ab", "y", ["c"])
        cuts = candidates(found, np.arange(n), CRITERIA["entropy"])
        assert (len(cuts), cuts.best) == (0, None), n
        assert cuts.of_line(0) == slice(0, 0), n
        front = root_frontier(found)
        top = best_cuts(evaluate_frontier(found, front, CRITERIA["entropy"]), front)
        assert (top.cut.tolist(), top.grade.tolist()) == ([-1], [NO_CUT]), n


def test_adjacent_floats_are_cut_at_the_lower() -> None:
    x = [1e8, math.nextafter(1e8, math.inf), 1e8 + 1]
    found = make_dataset([x], np.array([0, 1, 1]), ["x"], "y", "ab")
    cuts = candidates(found, np.arange(3), CRITERIA["gini"])
    assert cuts.threshold[0] == 1e8
    assert (cuts.best, cuts.n_left.tolist()) == (0, [1, 2])


def test_an_offset_of_the_target_changes_nothing() -> None:
    for offset in [0.0, 1e8, -1e8, 1e12]:
        rng = np.random.default_rng(1)
        y = rng.integers(0, 50, 300).astype(float)
        found = make_dataset([rng.permutation(300)], y + offset, ["x"], "y")
        plain = make_dataset(found.columns, y, ["x"], "y")
        name = CRITERIA["squared_error"]
        here, there = (candidates(d, np.arange(300), name) for d in (found, plain))
        assert here.best == there.best, offset
        assert here.gain == pytest.approx(there.gain, rel=1e-6), offset
        assert here.impurity_left == pytest.approx(there.impurity_left, rel=1e-6, abs=1e-9), offset
        assert here.impurity_right == pytest.approx(there.impurity_right, rel=1e-6, abs=1e-9)


def test_find_knows_the_cut_that_parts_the_rows_alike() -> None:
    found = data_of(HEIGHTS)
    cuts = candidates(found, np.arange(7), CRITERIA["entropy"])
    assert cuts.find(axis_split(0, 165)) == 0
    assert cuts.find(axis_split(0, 175)) == 1
    assert cuts.find(axis_split(0, float(cuts.lower[1]))) == 1
    assert cuts.find(axis_split(0, np.nextafter(cuts.upper[0], 0))) == 0
    for split in (axis_split(0, 999), axis_split(1, 165), axis_split(0, -9)):
        assert cuts.find(split) is None
    assert cuts.of_line(0) == slice(0, 2)


def test_counts_of_a_hundred_thousand_rows_do_not_overflow() -> None:
    for name in ("entropy", "gini", "cart"):
        n = 70_000
        x = np.arange(n) * 4 // n
        y = (np.arange(n) % 10 == 0) * 1 + (x == 3)
        assert_equals_slow(make_dataset([x], y, ["x"], "y", "abc"), range(n), name, 1)


def test_a_hundred_thousand_numbers() -> None:
    rng = np.random.default_rng(0)
    n = 100_000
    y = rng.integers(0, 1000, n).astype(float)
    found = make_dataset([np.arange(n)], y + 1e6, ["x"], "y")
    cuts = candidates(found, np.arange(n), CRITERIA["squared_error"])
    for at in (0, n // 3, n - 2):
        left, right = y[: at + 1], y[at + 1 :]
        whole = np.mean(left) - np.mean(right)
        expected = len(left) / n * len(right) / n * whole**2  # the gain by the two means
        assert cuts.gain[at] == pytest.approx(expected, rel=1e-6)
        assert cuts.impurity_left[at] == pytest.approx(np.var(left), rel=1e-9)
        assert cuts.impurity_right[at] == pytest.approx(np.var(right), rel=1e-9)


def test_two_hundred_classes() -> None:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 200, 600)
    labels = [str(i) for i in range(200)]
    found = make_dataset([rng.permutation(600) % 40], y, ["x"], "y", labels)
    assert_equals_slow(found, range(600), "entropy", 5)
