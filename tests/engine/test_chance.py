"""The chance of a cut: tails of distributions, shuffles, and the rule that stops by it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

import dtviz
from dtviz import Rules, RulesError
from dtviz.base.arrays import Ints
from dtviz.base.distributions import log_chi_square_tail, log_f_tail
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.data.gallery import GALLERY
from dtviz.engine.chance import Chance, chance_in_slices, count_cuts, log_p_values
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.grow import decide_all, finish, full_tree, moves
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search.frontier import root_frontier
from dtviz.engine.subtrees import splits_kept_by_rules
from dtviz.engine.tree import root_tree
from dtviz.evaluate.curves import AXES, fold_errors


def chance_of(data: Dataset, rules: Rules | None = None, shuffles: int = 100) -> Chance:
    problem = Problem(data, rules or default_rules(data.task))
    chance = run_to_end(chance_in_slices(problem, np.arange(data.n), shuffles))
    assert chance is not None
    return chance


def noise(seed: int, n: int = 60) -> Dataset:
    random = np.random.default_rng(seed)
    columns, y = random.normal(size=(5, n)), random.integers(0, 2, n)
    return make_dataset(columns, y, list("abcde"), "y", "ab")


# --- tails ----------------------------------------------------------------------------------------


def test_tails_are_those_of_printed_tables() -> None:
    # upper points of chi-square: Abramowitz and Stegun (1964), table 26.8; of F: table 26.9
    for p, degrees, x in (
        (0.05, 1, 3.84146), (0.01, 1, 6.63490), (0.001, 1, 10.8276), (0.05, 2, 5.99147),
        (0.995, 10, 2.15586), (0.05, 10, 18.3070), (0.001, 30, 59.7031), (0.9, 100, 82.3581),
    ):  # fmt: skip
        found = log_chi_square_tail(np.array([x]), np.array([degrees]))
        assert math.exp(found[0]) == pytest.approx(p, rel=2e-5), (p, degrees)
    for p, between, within, f in (
        (0.05, 1, 1, 161.4), (0.05, 1, 10, 4.96), (0.01, 1, 30, 7.56), (0.05, 3, 20, 3.10),
        (0.001, 1, 10, 21.04), (0.01, 5, 60, 3.34), (0.5, 2, 2, 1.0),
    ):  # fmt: skip
        share = np.array([1 / (1 + f * between / within)])
        found = log_f_tail(share, np.array([between]), np.array([float(within)]))
        assert math.exp(found[0]) == pytest.approx(p, rel=6e-3), (p, between, within)


def test_tails_below_every_float_have_their_logarithm() -> None:
    # with two degrees of freedom the tails are exp(-x / 2) and share^(within / 2)
    x = np.array([0.0, 1.0, 3.0, 1e3, 1e5])
    assert log_chi_square_tail(x, np.full(5, 2)).tolist() == pytest.approx((-x / 2).tolist())
    share = np.array([1.0, 0.9, 0.2, 1e-3, 0.0])
    found = log_f_tail(share, np.full(5, 2), np.full(5, 1e4))
    assert found[:4].tolist() == pytest.approx((5e3 * np.log(share[:4])).tolist())
    assert found[4] == -math.inf
    # one degree of freedom: erfc(sqrt(x / 2)) by its series for large x
    x = np.array([4e3])
    series = -2e3 - 0.5 * math.log(math.pi * 2e3) + math.log1p(-1 / 4e3 + 3 / (4 * 2e3**2))
    assert log_chi_square_tail(x, np.array([1]))[0] == pytest.approx(series, rel=1e-12)


# --- Bonferroni -----------------------------------------------------------------------------------


def test_the_p_value_of_a_cut_is_that_of_its_table_times_the_cuts() -> None:
    # half a, half b, divided by one of n - 1 cuts: G^2 = 2 n ln 2, the statistic of Pearson is n,
    # which counts where fewer than 5 rows are expected; the tail of both: erfc(√(x / 2))
    for n, statistic in ((40, 80 * math.log(2)), (8, 8)):
        y = np.repeat([0, 1], n // 2)
        pure = chance_of(make_dataset([np.arange(n)], y, ["x"], "y", "ab"), shuffles=0)
        assert pure.p_value == pytest.approx((n - 1) * math.erfc(math.sqrt(statistic / 2)))
        assert pure.is_rough is (n < 20)
    # 1 2 | 11 12: squares 1 within of 101, F(1, 2) = 200; t(2) beyond sqrt(200): 0.0049628; 3 cuts
    numbers = make_dataset([np.arange(4.0)], np.array([1.0, 2, 11, 12]), ["x"], "y")
    chance = chance_of(numbers, shuffles=0)
    assert (chance.n_cuts, chance.shuffle_p_value) == (3, None)
    assert chance.p_value == pytest.approx(3 * 0.0049628, rel=1e-4)
    assert chance.logworth == pytest.approx(-math.log10(3 * 0.0049628), rel=1e-4)


def test_two_rows_and_rows_without_a_residual_are_judged() -> None:
    pair = make_dataset([[0.0, 1.0]], np.array([1.0, 2.0]), ["x"], "y")
    assert chance_of(pair).p_value == 1  # no degree of freedom is left
    exact = make_dataset([np.arange(9.0)], np.repeat([0.1, 7.3, 7.3], 3), ["x"], "y")
    chance = chance_of(exact)
    assert (chance.p_value, chance.logworth) == (0, math.inf)


def test_more_branches_have_more_degrees_of_freedom() -> None:
    data = make_dataset([np.zeros(45)], np.repeat([0, 1, 2], 15), ["x"], "y", "abc")
    front = root_frontier(data)
    found = log_p_values(Problem(data, Rules()), front, data.y.take(front.rows[0]))
    g2 = 2 * 45 * math.log(3)  # with four degrees of freedom: exp(-x / 2) (1 + x / 2)
    assert found[0] == pytest.approx(-g2 / 2 + math.log1p(g2 / 2))


def test_noise_in_many_small_branches_is_seldom_split() -> None:
    # by G^2 alone one node of five would be split
    rules = Rules(families=("multiway",), max_p_value=0.05, max_depth=1)
    assert _share_split(rules, lambda random: random.integers(0, 2, 60)) <= 0.05


def test_a_row_of_a_rare_class_is_seldom_cut_off() -> None:
    # by Pearson's statistic alone it would be whenever it is the first or the last
    rules = Rules(max_p_value=0.05, max_depth=1)
    assert _share_split(rules, lambda random: random.permutation(np.arange(60) // 59)) == 0


def _share_split(rules: Rules, draw: Callable[[np.random.Generator], Ints]) -> float:
    """Share of tables of noise whose root is split."""
    levels = [tuple("abcdefghijklmnopqrst"), (), (), ()]
    sizes = []
    for seed in range(100):
        random = np.random.default_rng(seed)
        columns = [random.integers(0, 20, 60), *random.random((3, 60))]
        data = make_dataset(columns, draw(random), list("gxyz"), "t", "ab", categories=levels)
        sizes.append(len(dtviz.fit(data, rules).tree.rows))
    return float(np.mean(np.array(sizes) > 1))


def test_cuts_are_counted_over_features_categories_and_missing_values() -> None:
    columns = [[1.0, 2, 2, 3, np.nan, np.nan], [0.0, 1, 2, 3, 0, 1]]
    data = make_dataset(
        columns, np.array([0, 1] * 3), ["x", "kind"], "y", "ab", categories=[(), tuple("pqrs")]
    )
    counts = count_cuts(Problem(data, Rules()), root_frontier(data))
    assert counts.thresholds.tolist() == [3]  # 2 thresholds; known or missing
    assert counts.values.tolist() == [[4]]
    assert chance_of(data, shuffles=0).n_cuts == 3 + 7
    tennis = dtviz.load("play_tennis")
    assert chance_of(tennis, Rules(families=("multiway",)), 0).n_cuts == 4
    oblique = Rules(families=("axis", "oblique"))
    moons = dtviz.load("moons", n=50)
    cuts = dtviz.candidates(moons, oblique)
    assert chance_of(moons, oblique, 0).n_cuts == len(cuts)


def test_whole_weights_count_rows_and_others_keep_their_ratios() -> None:
    data = make_dataset([np.arange(6.0)], np.array([0, 0, 1, 0, 1, 1]), ["x"], "y", "ab")
    times = np.array([3, 1, 2, 1, 2, 2])
    heavy = replace(data, weights=times.astype(float))
    rows = np.arange(6).repeat(times)
    repeated = replace(data, columns=data.columns[:, rows], y=data.y[rows])
    found, wanted = (chance_of(each, shuffles=0).log_p_value for each in (heavy, repeated))
    assert found == pytest.approx(wanted)
    light = replace(data, weights=np.full(6, 0.37))
    found, wanted = (chance_of(each, shuffles=0).log_p_value for each in (light, data))
    assert found == pytest.approx(wanted)


# --- shuffles -------------------------------------------------------------------------------------


def tiny() -> Iterator[tuple[Dataset, Rules]]:
    """Nodes of five rows: the targets have 120 orders."""
    x = np.array([[0.0, 1, 2, 3, 4], [2.0, 0, 1, 2, 0]])
    classes = make_dataset(x, np.array([0, 0, 2, 1, 1]), ["x", "z"], "y", "abc")
    yield classes, Rules()
    yield classes, Rules("gain_ratio", min_samples_leaf=2)
    yield classes, Rules("gini", families=("axis", "oblique"))
    yield make_dataset(x, np.array([0.0, 1, 3, 2, 6]), ["x", "z"], "y"), Rules("squared_error")
    numbers = make_dataset(x, np.array([0.0, 1, 2, 2, 6]), ["x", "z"], "y")
    yield numbers, Rules("absolute_error")
    line = make_dataset(x[:1], np.array([0.0, 1, 3, 2, 6]), ["x"], "y")
    yield line, Rules("squared_error", leaf_model="linear", min_samples_leaf=2)
    yield replace(classes, weights=np.array([1.0, 2, 1, 3, 1])), Rules()
    missing = np.array([[0.0, 1, np.nan, 3, np.nan], [2.0, 0, 1, 2, 0]])
    kinds = [(), tuple("pqr")]
    yield (
        make_dataset(missing, np.array([0, 0, 1, 0, 1]), ["x", "z"], "y", "ab", (), None, kinds),
        Rules(),
    )


def best_score(data: Dataset, rules: Rules) -> float:
    table = dtviz.candidates(data, rules)
    scores = table["gain_ratio" if rules.criterion == "gain_ratio" else "gain"]
    return float(scores[table.admissible].max())


def test_shuffles_reach_the_best_cut_as_often_as_all_orders_of_the_targets_do() -> None:
    for data, rules in tiny():
        top = best_score(data, rules)
        orders = np.array([*permutations(range(5))])
        n_reached = sum(
            best_score(
                replace(
                    data,
                    y=data.y[order],
                    weights=None if data.weights is None else data.weights[order],
                ),
                rules,
            )
            >= top - 1e-9
            for order in orders
        )
        share, n = n_reached / len(orders), 4_000
        chance = chance_of(data, rules, n)
        assert 0 < share < 1, rules
        assert abs(chance.n_reached / n - share) < 4 * math.sqrt(share * (1 - share) / n), rules
        assert chance.shuffle_p_value == (chance.n_reached + 1) / (n + 1)


def test_shuffles_depend_on_the_rows_alone() -> None:
    data = noise(3)
    first = chance_of(data)
    assert chance_of(data) == first
    problem = Problem(data, Rules())
    rows = np.random.default_rng(0).permutation(data.n)
    assert run_to_end(chance_in_slices(problem, rows, 100)) == first
    by_rule = chance_of(data, Rules(max_depth=2, max_p_value=0.5))
    assert by_rule == first
    assert dtviz.fit(data).chance() == first
    assert next(dtviz.steps(data)).chance == first


def test_both_p_values_are_rarely_small_for_noise_and_small_for_signal() -> None:
    chances = [chance_of(noise(seed)) for seed in range(100)]
    n_shuffles = sum((chance.shuffle_p_value or 1) <= 0.05 for chance in chances)
    n_tests = sum((chance.p_value or 1) <= 0.05 for chance in chances)
    assert n_shuffles <= 11  # more has a probability of 1 %
    assert n_tests <= n_shuffles  # Bonferroni is the stricter
    iris = chance_of(dtviz.load("iris"))
    assert (iris.n_reached, iris.n_cuts) == (0, 119)
    assert iris.logworth == pytest.approx(39.39, abs=0.01)


def test_a_node_or_number_that_is_not_there_is_refused() -> None:
    model = dtviz.fit(dtviz.load("iris"))
    with pytest.raises(dtviz.LogError, match="node 9 is not in the tree"):
        model.chance(9)
    for shuffles in (-1, True, 2.5):
        with pytest.raises(ValueError, match="`shuffles` must be at least 0"):
            model.chance(1, shuffles)  # type: ignore[arg-type]
    constant = make_dataset([np.zeros(4)], np.array([0, 1, 0, 1]), ["x"], "y", "ab")
    assert dtviz.fit(constant).chance() is None


# --- the rule -------------------------------------------------------------------------------------


def test_the_rule_stops_noise_and_keeps_signal() -> None:
    rules = Rules(max_p_value=0.05)
    sizes = [len(dtviz.fit(noise(seed), rules).tree.splits) for seed in range(40)]
    assert sum(size > 0 for size in sizes) <= 4
    iris = dtviz.fit(dtviz.load("iris"), rules)
    assert sorted(iris.tree.splits) == [1, 3, 6]
    assert "max_p_value" in {decision.stop for decision in iris.stops().values()}
    for node in iris.tree.splits:
        chance = iris.chance(node, 0)
        assert chance is not None
        assert (chance.p_value or 0) <= 0.05


def test_steps_levels_curves_and_many_trees_stop_alike() -> None:
    for name in GALLERY:
        plain = dtviz.load(name)
        weights = np.random.default_rng(0).integers(1, 4, plain.n) * 0.37
        for data, limit in (
            (plain, 0.05), (plain, 1e-6), (replace(plain, weights=weights), 0.05)
        ):  # fmt: skip
            rules = replace(default_rules(data.task), max_p_value=limit)
            problem = Problem(data, rules)
            _, tree = finish(problem, root_tree(problem))
            *_, by_steps = (
                root_tree(problem),
                *(after for _, after in moves(problem, root_tree(problem))),
            )
            assert by_steps.splits == tree.splits, (name, limit)
            nodes = full_tree(problem)
            kept = np.flatnonzero(splits_kept_by_rules(nodes, rules)).tolist()
            assert {nodes.ids[k] for k in kept} == tree.splits.keys(), (name, limit)
            times = np.random.default_rng(1).integers(0, 3, (2, data.n))
            members = run_to_end(grow_together(data, rules, times))
            for k in range(2):
                alone = Problem(members.data_of(k), rules)
                _, other = finish(alone, root_tree(alone))
                assert members.tree(k).splits.keys() == other.splits.keys(), (name, limit)
            stops = {decision.stop for decision in decide_all(problem, tree).values()}
            assert stops <= {"pure", "constant", "max_p_value"}, (name, limit)


def test_folds_follow_the_rule() -> None:
    data, axis = dtviz.load("moons"), AXES["depth"]
    values = (1, 2, 5)
    free, strict = (
        run_to_end(fold_errors(data, Rules(max_p_value=p), axis, values, 5)) for p in (1.0, 0.0)
    )
    assert (strict == strict[:, :1]).all()  # no cut is certain: all depths are one leaf
    assert not (free == free[:, :1]).all()


def test_what_has_no_test_is_refused() -> None:
    numbers = dtviz.load("sine")
    linear = Rules("squared_error", leaf_model="linear", max_p_value=0.05)
    with pytest.raises(RulesError, match="`max_p_value` must be 1 where cuts are searched by"):
        dtviz.fit(numbers, linear)
    chance = chance_of(numbers, replace(linear, max_p_value=1.0))
    assert (chance.p_value, chance.logworth, chance.n_shuffles) == (None, None, 100)
    with pytest.raises(RulesError, match="`max_p_value` must be 1 for trees whose nodes draw"):
        dtviz.forest(dtviz.load("iris"), Rules(max_p_value=0.05), trees=2)
    bagging = dtviz.forest(dtviz.load("iris"), Rules(max_p_value=0.05), "bagging", trees=5)
    assert max(len(bagging.model(k).tree.splits) for k in range(5)) <= 5
