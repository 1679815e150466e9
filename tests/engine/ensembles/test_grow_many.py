"""Trees grown together are each the tree grown alone on the same weights."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import any_rules, data, rules_for

import dtviz
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import DataError, Dataset, make_dataset
from dtviz.engine.criteria.criteria import criteria_of
from dtviz.engine.ensembles import grow_many
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import TreeArrays, leaf_indices, member_batches, predictions
from dtviz.engine.grow import finish
from dtviz.engine.leaves.linear import PARAMS_PER_REGRESSOR
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, criterion_of, default_rules, prepare_data
from dtviz.engine.search.best_split import MAX_LINES, Draws, feature_orders, keys_of, uniform
from dtviz.engine.search.candidates import candidates
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import family_of, score
from dtviz.engine.splitter import Splitter
from dtviz.engine.tree import Tree, predict, root_tree, split_gain

GAP = np.nan


@st.composite
def bags(draw: st.DrawFn, n: int, whole: bool = True) -> Any:
    """Weights of a few members; some rows of each have none."""
    some = [0, 0, 1, 1, 2, 5] if whole else [0, 0.5, 1, 0.3, 1e-3, 7]
    line = st.lists(st.sampled_from(some), min_size=n, max_size=n).filter(any)
    return np.array(draw(st.lists(line, min_size=1, max_size=4)))


@st.composite
def mixed(draw: st.DrawFn) -> Dataset:
    """Two numbers and a category, a third of whose values are missing; weights or none."""
    n = draw(st.integers(2, 14))

    def column(values: list[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    columns = [column([0.0, 1.0, 2.0, 3.0, GAP]), column([0.0, 1.0, GAP]), column([0, 1, 2, 3])]
    k = draw(st.integers(1, 3))
    y = column(list(range(k)) if k > 1 else [0.0, 1.0, 2.5, 4.0])
    weights = np.array(column([1.0, 2.0, 0.5])) if draw(st.booleans()) else None
    classes = "ABC"[:k] if k > 1 else ()
    levels = ((), (), ("p", "q", "r", "s"))
    return make_dataset(
        [*map(np.array, columns)], np.array(y), "xzg", "y", classes, (), weights, levels
    )


def near(value: Any) -> Any:
    """But for the order in which sums are added up."""
    return pytest.approx(np.array(value), rel=1e-9, abs=1e-9)


def together_on(found: Dataset, rules: Rules, weights: Any) -> TreeArrays:
    return run_to_end(grow_together(found, rules, weights))


def alone(members: TreeArrays, member: int) -> Tree:
    own = members.data_of(member)
    problem = Problem(own, members.rules)
    return finish(problem, root_tree(problem))[1]


def assert_each_is_the_tree_alone(members: TreeArrays) -> None:
    leaves = leaf_indices(members, members.data.columns)
    predicted = predictions(members, members.data.columns)
    for member in range(len(members)):
        tree = alone(members, member)
        log = {move.node: move.split for move in members.log(member)}
        assert log == dict(tree.splits)
        for node, split in log.items():
            sent = tree.splits[node].missing
            assert split.missing.left == sent.left
            assert (split.missing.surrogates or ()) == (sent.surrogates or ())
        nodes = members.nodes_of(member)
        assert set(nodes) == set(tree.nodes)
        for leaf in tree.rows:
            assert members.params[nodes[leaf]] == near(tree.nodes[leaf].params)
            assert members.sums[nodes[leaf]] == near(tree.nodes[leaf].weight_by_class)
        for node in tree.splits:
            assert members.weight[nodes[node]] == near(tree.nodes[node].weight)
            assert members.gain[nodes[node]] == pytest.approx(
                split_gain(tree, node), rel=1e-6, abs=1e-9
            )
        assert predicted[member] == near(predict(tree, members.data.columns))
        assert set(leaves[member]) <= {nodes[leaf] for leaf in tree.rows}


@settings(max_examples=12)
@given(data(12), st.data())
def test_each_member_is_the_tree_grown_alone(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    weights = drawn.draw(bags(found.n))
    assert_each_is_the_tree_alone(together_on(found, rules, weights))


@settings(max_examples=15)
@given(mixed(), st.data())
def test_categories_and_gaps_are_as_they_are_alone(found: Dataset, drawn: st.DataObject) -> None:
    rules = Rules(
        criterion=drawn.draw(st.sampled_from(criteria_of(found))),
        missing=drawn.draw(st.sampled_from([name for name in POLICIES if name != "drop"])),
        families=("axis", drawn.draw(st.sampled_from(("subset", "onevsrest")))),
        min_samples_leaf=drawn.draw(st.sampled_from((1, 2))),
    )
    weights = drawn.draw(bags(found.n, whole=drawn.draw(st.booleans())))
    assert_each_is_the_tree_alone(together_on(prepare_data(found, rules), rules, weights))


@settings(max_examples=12)
@given(data(8, 2), st.data())
def test_slanted_and_round_cuts_are_as_they_are_alone(found: Dataset, drawn: st.DataObject) -> None:
    own = drawn.draw(st.sampled_from(("oblique", "radial")))
    rules = Rules(
        criterion=drawn.draw(st.sampled_from(criteria_of(found))),
        families=("axis", own),
        leaf_model=None if found.classes else "linear",
        max_depth=2,
    )
    weights = drawn.draw(bags(found.n))
    assert_each_is_the_tree_alone(together_on(found, rules, weights))


@st.composite
def spread_out(draw: st.DrawFn) -> Dataset:
    """Points that stand apart each in its way, so that what rows are left out changes a circle."""
    random, n = np.random.default_rng(draw(st.integers(0, 10**6))), draw(st.integers(2, 24))
    columns = random.normal(size=(2, n)) * random.choice([1.0, 8.0], n)
    classes = draw(st.sampled_from(("", "AB", "ABC")))
    y = random.integers(0, len(classes), n) if classes else random.normal(size=n)
    return make_dataset(columns, y, "xz", "y", classes)


@settings(max_examples=12)
@given(
    spread_out(),
    st.sampled_from([("axis",), ("axis", "oblique"), ("axis", "radial"), ("radial", "axis")]),
    st.data(),
)
def test_a_member_is_the_tree_fitted_to_its_rows(
    found: Dataset, families: Any, drawn: st.DataObject
) -> None:
    rules = replace(default_rules(found.task), families=families, max_depth=3)
    members = together_on(found, rules, drawn.draw(bags(found.n)))
    for member in range(len(members)):
        tree = dtviz.fit(members.data_of(member), rules).tree
        assert {move.node: move.split for move in members.log(member)} == dict(tree.splits)


def test_a_member_of_rows_that_do_not_vary_is_a_leaf_where_only_circles_compete() -> None:
    columns = np.array([[1.0, 1.0, 2.0, 5.0, 3.0], [4.0, 4.0, 1.0, 0.0, 2.0]])
    found = make_dataset(columns, np.array([0, 1, 0, 1, 1]), "xz", "y", "AB")
    weights = np.array([[1, 2, 0, 0, 0], [1, 1, 1, 1, 1]])
    rules = Rules(families=("radial",))
    members = together_on(found, rules, weights)
    assert members.log(0) == ()
    assert_each_is_the_tree_alone(members)
    assert len(dtviz.fit(members.data_of(0), rules).leaves) == 1


@settings(max_examples=10)
@given(data(10), st.data())
def test_members_do_not_know_what_grows_beside_them(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(rules_for(found.task, max_leaf_nodes=None))
    weights = drawn.draw(bags(found.n))
    every = together_on(found, rules, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grow_many, "member_batches", partial(member_batches, max_cells=6))
        apart = together_on(found, rules, weights)
    for member in range(len(every)):
        assert apart.log(member) == every.log(member)
    assert predictions(apart, found.columns).tolist() == predictions(every, found.columns).tolist()


def test_work_is_done_in_slices_that_tell_their_share() -> None:
    random = np.random.default_rng(0)
    found = make_dataset(random.normal(size=(2, 60)), random.integers(0, 2, 60), "ab", "y", "AB")
    weights = random.integers(0, 3, (5, 60))
    for rules in (Rules(), replace(Rules(), max_leaf_nodes=5)):
        shares = list(grow_together(found, rules, weights))
        assert len(shares) > 5
        assert shares == sorted(shares)
        assert shares[0] > 0
        assert shares[-1] <= 1


def test_fewer_trees_grow_at_once_where_a_row_is_more_work() -> None:
    random = np.random.default_rng(0)
    found = make_dataset(random.normal(size=(3, 40)), random.normal(size=40), "abc", "y")
    asked = list[int]()

    def told(weights: Any, lines: int) -> Any:
        asked.append(lines)
        return member_batches(weights, lines)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grow_many, "member_batches", told)
        for leaves in (None, "linear"):
            together_on(found, Rules("squared_error", leaf_model=leaves), np.ones((3, 40)))
    assert asked == [3, 3 * 10]  # a row, its target and three regressors have ten products


def test_weights_that_are_none_are_refused_in_a_sentence() -> None:
    for weights in [
        [[0, 0], [1, 1]],
        [[1, -1]],
        [[1, np.nan]],
        [[1, 1, 1]],
        [1, 1],
        np.zeros((0, 2)),
        [["a", "b"]],
    ]:
        found = make_dataset([[1.0, 2.0]], np.array([0, 1]), ["x"], "y", "AB")
        with pytest.raises(DataError, match="`weights` must be"):
            run_to_end(grow_together(found, Rules(), weights))


def test_what_is_known_of_members_cannot_be_changed() -> None:
    found = make_dataset([[1.0, 2.0]], np.array([0, 1]), ["x"], "y", "AB")
    members = together_on(found, Rules(), [[1, 1]])
    for name in (
        "weights",
        "root_indices",
        "left",
        "split_index",
        "gain",
        "weight",
        "params",
        "sums",
    ):
        with pytest.raises(ValueError, match="read-only"):
            getattr(members, name)[0] = 0


# --- draws ----------------------------------------------------------------------------------------


@settings(max_examples=12)
@given(mixed(), st.data())
def test_a_member_that_draws_is_the_one_that_grows_alone_of_its_seed(
    found: Dataset, drawn: st.DataObject
) -> None:
    rules = Rules(
        criterion=drawn.draw(st.sampled_from(criteria_of(found))),
        missing=drawn.draw(st.sampled_from([name for name in POLICIES if name != "drop"])),
        families=("axis", drawn.draw(st.sampled_from(("subset", "onevsrest")))),
        min_samples_leaf=drawn.draw(st.sampled_from((1, 2))),
    )
    draws = Draws(drawn.draw(st.sampled_from((1, 2, None))), drawn.draw(st.booleans()))
    found, weights = prepare_data(found, rules), drawn.draw(bags(found.n))
    seeds = drawn.draw(st.lists(st.integers(0, 99), min_size=len(weights), max_size=len(weights)))
    every = run_to_end(grow_together(found, rules, weights, draws, seeds))
    for member, seed in enumerate(seeds):
        own = every.data_of(member)
        one = run_to_end(grow_together(own, rules, np.ones((1, own.n)), draws, [seed]))
        assert one.log(0) == every.log(member)
        tree = every.tree(member)
        assert predictions(every, found.columns)[member] == near(predict(tree, found.columns))


@settings(max_examples=10)
@given(data(12), st.data())
def test_nodes_that_draw_every_feature_try_them_all(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found, max_p_value=1.0))
    weights = drawn.draw(bags(found.n))
    plain = together_on(found, rules, weights)
    every = run_to_end(grow_together(found, rules, weights, Draws(len(found.features))))
    assert [every.log(k) for k in range(len(every))] == [plain.log(k) for k in range(len(plain))]


@given(data(12, 3), st.data())
def test_a_node_cuts_the_best_of_the_features_drawn(found: Dataset, drawn: st.DataObject) -> None:
    weights, some = drawn.draw(bags(found.n)), drawn.draw(st.integers(1, 2))
    seeds = list(range(len(weights)))
    rules = Rules(criterion=criteria_of(found)[0], max_depth=1)
    members = run_to_end(grow_together(found, rules, weights, Draws(some), seeds))
    order = feature_orders(keys_of(seeds), len(found.features))
    for member in range(len(members)):
        own = members.data_of(member)
        varies = [f for f in order[:, member].tolist() if len(np.unique(own.columns[f])) > 1]
        log = members.log(member)
        if not log:
            assert not varies or len(np.unique(own.y)) == 1
            continue
        tried = [f for f in order[:some, member].tolist() if f in varies] or varies[:1]
        cuts = candidates(own, np.arange(own.n), criterion_of(rules, own))
        at = [k for k in range(len(cuts)) if cuts.line[k] in tried]
        best = max(cuts.score[at])
        first = next(k for k in at if cuts.score[k] >= best - 1e-12)
        assert log[0].split == cuts.split(first)


def test_one_threshold_a_feature_is_drawn_evenly_between_its_ends() -> None:
    found = make_dataset(
        [np.array([0.0, 0.1, 0.2, 10.0])], np.array([0, 0, 0, 1]), ["x"], "y", "AB"
    )
    weights = np.ones((4_000, 4), int)
    members = run_to_end(
        grow_together(found, Rules(max_depth=1), weights, Draws(random_threshold=True))
    )
    cuts = members.splits.threshold[members.split_index[members.root_indices]]
    assert (cuts > 0).all()
    assert (cuts < 10).all()
    counts = np.histogram(cuts, bins=10, range=(0, 10))[0]
    assert counts.min() > 320  # 400 expected, four standard deviations are 76
    assert counts.max() < 480


@settings(max_examples=8)
@given(mixed(), st.data())
def test_one_threshold_a_feature_needs_no_order(found: Dataset, drawn: st.DataObject) -> None:
    rules = Rules(criterion=drawn.draw(st.sampled_from(criteria_of(found))))
    found, draws = (
        prepare_data(found, rules),
        Draws(drawn.draw(st.sampled_from((1, 2))), random_threshold=True),
    )
    for weights in (drawn.draw(bags(found.n)), np.ones((2, found.n), int)):
        plain = run_to_end(grow_together(found, rules, weights, draws))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Splitter, "needs_no_order", False)
            ordered = run_to_end(grow_together(found, rules, weights, draws))
        for name in ("root_indices", "left", "split_index", "weight", "sums"):
            assert np.array_equal(getattr(plain, name), getattr(ordered, name))
        assert np.array_equal(plain.splits.threshold, ordered.splits.threshold)
        assert np.array_equal(plain.splits.line, ordered.splits.line)
        assert plain.gain == near(ordered.gain)
        assert plain.params == near(ordered.params)


@pytest.mark.parametrize("family", ["oblique", "radial"])
def test_a_threshold_is_drawn_along_each_line_that_a_node_proposes_too(family: str) -> None:
    found = dtviz.load("circles", n=40)
    rules, weights = Rules(max_depth=1, families=("axis", family)), np.ones((80, 40), int)
    members = run_to_end(grow_together(found, rules, weights, Draws(random_threshold=True)))
    drawn: dict[Any, set[float]] = {}
    for member in range(len(members)):
        ((_, split),) = ((move.node, move.split) for move in members.log(member))
        if family_of(split.projection).code in "or":
            drawn.setdefault(split.projection, set()).add(split.threshold)
    assert max(map(len, drawn.values())) > 5  # each tree has a place of its own
    for projection, cuts in drawn.items():
        values = score(projection, found.columns)
        assert values.min() <= min(cuts)
        assert max(cuts) < values.max()
        middle = {*((np.sort(values)[1:] + np.sort(values)[:-1]) / 2)}
        assert not middle & cuts


def test_features_are_drawn_alike_often_and_anew_in_each_node() -> None:
    random = np.random.default_rng(0)
    found = make_dataset(random.normal(size=(4, 50)), random.integers(0, 2, 50), "abcd", "y", "AB")
    weights = random.integers(0, 3, (2_000, 50))
    members = run_to_end(grow_together(found, Rules(max_depth=2), weights, Draws(1)))
    line, roots = members.splits.line, members.root_indices
    first = line[members.split_index[roots]]
    assert np.bincount(first).min() > 420  # 500 expected, four standard deviations are 77
    left = members.left[roots]
    open_ = members.left[left] >= 0
    both = np.bincount(first[open_] * 4 + line[members.split_index[left[open_]]], minlength=16)
    shares = both.reshape(4, 4) / both.reshape(4, 4).sum(axis=1)[:, None]
    assert shares.min() > 0.15
    assert shares.max() < 0.35


def test_leaves_that_vary_have_room_for_the_same_features_in_every_member() -> None:
    for classes in ["", "AB"]:
        random = np.random.default_rng(0)
        columns = random.random((2, 40))
        columns[1, 0] = np.nan  # a row that only one member has
        y = random.integers(0, 2, 40) if classes else columns[0] * 2 + random.random(40)
        found = make_dataset(columns, y, "ab", "y", classes)
        weights = random.integers(0, 3, (4, 40))
        weights[:, 0] = [1, 0, 0, 0]
        name, leaves = ("gini", "logistic") if classes else ("squared_error", "linear")
        rules = Rules(name, leaf_model=leaves, max_depth=2)
        with pytest.MonkeyPatch.context() as patch:
            few_cells = partial(member_batches, max_cells=6)
            patch.setattr(grow_many, "member_batches", few_cells)
            members = together_on(found, rules, weights)
        assert members.params.shape[1] == 2 + 2 * PARAMS_PER_REGRESSOR, classes
        assert np.isfinite(predictions(members, found.columns[:, 1:])).all(), classes


def test_draws_along_lines_are_the_same_where_indices_have_32_bits() -> None:
    keys, lines = keys_of([3]), np.arange(4, dtype=np.int32)[:, None]
    drawn = uniform(keys, MAX_LINES + lines)
    assert drawn.tolist() == uniform(keys, np.arange(2**32, 2**32 + 4)[:, None]).tolist()
