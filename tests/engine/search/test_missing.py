"""Rows without a value: every policy against its definition, scikit-learn, and each way to grow."""

from __future__ import annotations

import json
from itertools import cycle, pairwise, product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import KYPHOSIS
from exported import in_duckdb, in_python, in_sqlite
from hypothesis import given, settings
from hypothesis import strategies as st

import dtviz
from dtviz import Rules, RulesError
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import DataError, Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import finish, moves
from dtviz.engine.leaves.node_facts import compute_facts
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.rules import projections_of
from dtviz.engine.search.frontier import unsorted_frontier
from dtviz.engine.search.missing import POLICIES, surrogates
from dtviz.engine.splits import (
    Axis,
    IsMissing,
    Oblique,
    Split,
    Subset,
    Surrogate,
    address_text,
    goes_left,
    projection_in,
    surrogate_masks,
)
from dtviz.engine.splitter import resolve_missing
from dtviz.engine.tree import Grow, Tree, apply, decision_path, fold, replay, root_tree, split_gain
from dtviz.explain.export import TREE_KINDS
from dtviz.models.steps import node_candidates
from dtviz.pictures.regions import StageContext
from dtviz.pictures.stage_cuts import pinned_values

LEVELS = tuple("abcd")
COUNTED = [name for name, policy in POLICIES.items() if policy.counts_missing]
FAMILIES = [("axis", "subset"), ("axis", "onevsrest")]


@st.composite
def tables(draw: st.DrawFn, classes: int = 3, weighted: bool = False) -> Dataset:
    """Two numbers and a category, a third of whose values are missing."""
    n = draw(st.integers(4, 22))

    def column(values: list[Any]) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n, max_size=n))

    gap = np.nan
    columns = [column([0.0, 1.0, 2.0, 3.0, gap, gap]), column([0.0, 1.0, 2.0, gap])]
    columns.append(column([0.0, 1.0, 2.0, 3.0, gap]))
    k = draw(st.integers(1, classes))
    y = column(list(range(k)) if k > 1 else [0.0, 1.0, 2.5, -3.0])
    weights = np.array(column([1.0, 2.0, 3.0])) if weighted else None
    return make_dataset(
        [np.array(c) for c in columns], np.array(y), "xzc", "y", "ABC"[:k] if k > 1 else (),
        sample_weight=weights, categories=((), (), LEVELS),
    )  # fmt: skip


def rules_for(data: Dataset, **more: Any) -> Rules:
    return Rules(criterion="entropy" if data.classes else "squared_error", **more)


def gain_of(data: Dataset, left: Any, criterion: str) -> float:
    rows = np.arange(data.n)
    found = compute_facts(
        data, unsorted_frontier([rows, rows[left], rows[~left]]), CRITERIA[criterion]
    )
    whole, *parts = (found.weight * found.impurity).tolist()
    return float((whole - sum(parts)) / found.weight[0])


def both_sides(data: Dataset, split: Split) -> list[Any]:
    """Who goes left of a split with the rows that lack the value on its right, and on its left."""
    feature = split.projection.feature  # type: ignore[attr-defined]
    missing = np.isnan(data.columns[feature])
    known = goes_left(split._replace(missing=dtviz.engine.splits.RIGHT), data.columns)
    return [known & ~missing, known | missing]


# --- the gain of every candidate ------------------------------------------------------------------


@given(tables(), st.sampled_from(FAMILIES))
def test_each_cut_has_the_higher_gain_of_both_sides(data: Dataset, families: Any) -> None:
    rules = rules_for(data, families=families)
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    for at in range(len(cuts)):
        split = cuts.split(at)
        if isinstance(split.projection, IsMissing):
            continue
        right, left = (
            gain_of(data, side, rules.criterion) if 0 < side.sum() < data.n else -1.0
            for side in both_sides(data, split)
        )
        assert cuts.gain[at] == pytest.approx(max(right, left), abs=1e-9)
        assert (
            abs(right - left) < 1e-9
            or split.missing.left == (left > right)
            or not np.isnan(
                data.columns[split.projection.feature]  # type: ignore[attr-defined]
            ).any()
        )


@settings(max_examples=12)
@given(tables(weighted=True), st.sampled_from(COUNTED), st.sampled_from(FAMILIES))
def test_a_cut_settled_on_its_rows_is_the_candidate(
    data: Dataset, policy: str, families: Any
) -> None:
    rules = rules_for(data, missing=policy, families=families)
    try:
        data = dtviz.fit(data, rules).data
    except DataError:  # no row is whole
        return
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    rows = np.arange(data.n)
    for at in range(len(cuts)):
        split = resolve_missing(problem, rows, cuts.split(at))
        left = goes_left(split, data.columns)
        assert (left.sum(), (~left).sum()) == (cuts.n_left[at], cuts.n_right[at])
        assert gain_of(data, left, rules.criterion) == pytest.approx(cuts.gain[at], abs=1e-9)
        below = compute_facts(
            data, unsorted_frontier([rows[left], rows[~left]]), CRITERIA[rules.criterion]
        )
        assert cuts.impurity_left[at] == pytest.approx(below.impurity[0], abs=1e-9)
        assert cuts.impurity_right[at] == pytest.approx(below.impurity[1], abs=1e-9)


@given(tables(), st.sampled_from(["majority", "surrogates"]))
def test_cuts_of_the_known_rows_gain_their_share_of_the_weight(data: Dataset, policy: str) -> None:
    rules = rules_for(data, missing=policy)
    problem = Problem(data, rules)
    cuts = node_candidates(problem, root_tree(problem), 1)
    for at in range(len(cuts)):
        split = cuts.split(at)
        column = data.columns[split.projection.feature]  # type: ignore[attr-defined]
        known = np.flatnonzero(~np.isnan(column))
        part = dtviz.data.dataset.take_rows(data, known)
        own = gain_of(part, goes_left(split, part.columns), rules.criterion)
        assert cuts.gain[at] == pytest.approx(own * len(known) / data.n, abs=1e-9)
        assert cuts.n_left[at] + cuts.n_right[at] == len(known)


# --- growing --------------------------------------------------------------------------------------


def alike(one: Tree, other: Tree) -> None:
    assert one.splits == other.splits
    for node, split in one.splits.items():
        assert split.missing == other.splits[node].missing
        assert one.threshold_neighbours[node] == other.threshold_neighbours[node]
    for leaf, rows in one.rows.items():
        assert sorted(rows) == sorted(other.rows[leaf])


@settings(max_examples=15)
@given(
    st.sampled_from(["learned", "majority", "surrogates"]),
    tables(), tables(), st.sampled_from(FAMILIES),
)  # fmt: skip
def test_each_new_row_ends_where_it_goes_alone(
    policy: str, data: Dataset, others: Dataset, families: Any
) -> None:
    rules = rules_for(data, missing=policy, families=families)
    slanted = Grow(1, Split(Oblique(((0, 1.0), (1, -1.0))), 0.5))
    problem = Problem(data, rules)
    tree, _ = replay(problem, root_tree(problem), (slanted,))  # if it is possible there
    tree = finish(problem, tree)[1]
    ids, place = apply(tree, others.columns)
    assert [ids[at] for at in place] == [decision_path(tree, row)[-1] for row in others.columns.T]


def test_a_surrogate_is_asked_of_the_rows_it_may_send_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draws = np.random.default_rng(0)
    columns = draws.normal(size=(1, 400)) + draws.normal(size=(4, 400)) / 3
    y = (columns.sum(0) + draws.normal(size=400) > 0).astype(int)
    columns[draws.random(columns.shape) < 0.2] = np.nan
    found = make_dataset([*columns], y, "abcd", "y", "nt")
    rules = rules_for(found, missing="surrogates")
    problem = Problem(found, rules)
    tree = finish(problem, root_tree(problem))[1]
    asked: list[int] = []

    def noted(one: Surrogate, columns: Any, rows: Any) -> Any:
        asked.append(len(rows))
        return surrogate_masks(one, columns, rows)

    monkeypatch.setattr("dtviz.engine.splits.split.surrogate_masks", noted)
    ids, place = apply(tree, found.columns)
    assert [ids[at] for at in place[:20]] == [
        decision_path(tree, row)[-1] for row in columns.T[:20]
    ]
    assert len(tree.splits) > 30
    assert min(asked) > 0
    assert sum(asked) > 100


@settings(max_examples=15)
@given(tables(weighted=True), st.sampled_from([*POLICIES]), st.sampled_from(FAMILIES))
def test_a_tree_grown_by_levels_is_that_of_its_moves(
    data: Dataset, policy: str, families: Any
) -> None:
    rules = rules_for(data, missing=policy, families=families, max_depth=3)
    try:
        model = dtviz.fit(data, rules)
    except DataError:
        return
    problem = Problem(model.data, rules)
    alike(fold(problem, model.log), model.tree)
    stepped = [move for move, _ in moves(problem, root_tree(problem))]
    assert tuple(stepped) == model.log


@settings(max_examples=12)
@given(tables(), st.sampled_from([*POLICIES]))
def test_best_first_and_stop_rules_read_the_gain_of_the_children(
    data: Dataset, policy: str
) -> None:
    rules = rules_for(data, missing=policy, order="best", min_gain=0.01, max_leaf_nodes=5)
    try:
        model = dtviz.fit(data, rules)
    except DataError:
        return
    assert all(split_gain(model.tree, node) >= 0.01 - 1e-9 for node in model.tree.splits)
    problem = Problem(model.data, rules)
    alike(fold(problem, model.log), finish(problem, root_tree(problem))[1])


def test_learned_sides_are_those_of_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn.tree")
    for seed in range(12):
        random = np.random.default_rng(seed)
        x = random.normal(size=(80, 3))
        y = np.where(x.sum(axis=1) + random.normal(size=80) > 0, "a", "b")
        x[random.random((80, 3)) < 0.25] = np.nan
        frame = pd.DataFrame(x, columns=["x1", "x2", "x3"]).assign(y=y)
        mine = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(max_depth=1))
        other = sklearn.DecisionTreeClassifier(criterion="entropy", max_depth=1).fit(x, y)
        ours = split_gain(mine.tree, 1)
        tree = other.tree_
        theirs = tree.impurity[0] - np.average(tree.impurity[1:3], weights=tree.n_node_samples[1:3])
        assert ours == pytest.approx(theirs, abs=1e-12)
        assert mine.predict(frame).tolist() == other.predict(x).tolist()


def test_a_known_value_may_itself_be_the_answer() -> None:
    x = [1.0, 2.0, 3.0, np.nan, np.nan, np.nan]
    frame = pd.DataFrame({"x": x, "y": ["p"] * 3 + ["q"] * 3})
    model = dtviz.fit(dtviz.from_frame(frame, "y"))
    assert model.tree.splits[1] == Split(IsMissing((0,)), 0.5)
    assert [str(rule) for rule in model.rules()] == [
        "x known -> p (3 rows)",
        "x missing -> q (3 rows)",
    ]
    assert model.predict(pd.DataFrame({"x": [None, 99.0]})).tolist() == ["q", "p"]
    own = dtviz.fit(model.data, Rules(missing="value"))
    assert own.tree.splits[1] == Split(IsMissing((0,), missing_left=True), 0.5)


def test_a_sum_is_known_where_all_its_features_are() -> None:
    for case in product(["oblique", "radial"], ["learned", "value"]):
        family, policy = case
        first, other = np.random.default_rng(0).normal(size=(2, 40))
        first[:8], other[8:16] = np.nan, np.nan
        y = np.where(np.isnan(first + other), "p", "q")
        frame = pd.DataFrame({"a": first, "b": other, "y": y})
        model = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(families=(family,), missing=policy))
        split = model.tree.splits[1]
        assert split == Split(IsMissing((0, 1), missing_left=policy == "value"), 0.5), case
        told = {rule.conditions: rule.prediction_text for rule in model.rules()}
        assert told == {("a and b known",): "q", ("a or b missing",): "p"}, case
        assert model.score(frame) == 1, case
        problem = Problem(model.data, model.rules_used)
        cuts = node_candidates(problem, root_tree(problem), 1)
        assert cuts.find(split) == cuts.best, case
        assert projection_in(address_text(split).removesuffix(".0.5")) == split.projection, case
        for kind in TREE_KINDS:
            assert model.export(kind), case
        rings = StageContext(model.data, (0, 1), pinned_values(model.data)).rings(model.tree)
        assert set(rings) == {1, 2, 3}, case


def test_the_address_of_a_known_value_is_read_back() -> None:
    for projection in [
        IsMissing((3,)),
        IsMissing((12,), missing_left=True),
        IsMissing((0, 3, 12)),
        IsMissing((1, 2), True),
    ]:
        text = address_text(Split(projection, 0.5)).removesuffix(".0.5")
        assert projection_in(text) == projection, projection


def test_a_value_of_its_own_is_a_level_of_a_category_and_below_all_numbers() -> None:
    frame = pd.DataFrame(
        {"c": ["u", "v", None, "v", None], "x": [1.0, 2.0, np.nan, 3.0, 9.0], "y": [*"ppqpq"]}
    )
    rules = Rules(missing="value")
    model = dtviz.fit(dtviz.from_frame(frame, "y"), rules)
    assert model.data.levels[0] == ("u", "v", None)
    assert model.data.gaps == (False, True)
    (found,) = [
        s.projection for s in model.tree.splits.values() if isinstance(s.projection, Subset)
    ]
    assert found.left_codes == (2,)
    assert "c = missing" in model.export("text")
    problem = Problem(model.data, rules)
    assert all(
        split.missing.left
        for split in finish(problem, root_tree(problem))[1].splits.values()
        if isinstance(split.projection, Axis)
    )


def test_dropping_leaves_out_every_row_with_a_gap_and_says_so() -> None:
    frame = pd.DataFrame({"x": [1.0, np.nan, 3.0], "z": [1.0, 2.0, 3.0], "y": [*"pqp"]})
    model = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(missing="drop"))
    assert model.tree.nodes[1].n == 2
    assert "1 row left out: no value in a feature" in [note.text for note in model.data.notes]
    gone = pd.DataFrame({"x": [1, None], "z": [None, 2], "y": [*"pq"]})
    data = dtviz.from_frame(gone, "y")
    with pytest.raises(DataError, match="0 of 2 rows have a value in every feature"):
        dtviz.fit(data, Rules(missing="drop"))


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(RulesError, match="`missing` must be one of learned, surrogates, majority"):
        Rules(missing="zero")


# --- surrogates -----------------------------------------------------------------------------------


def by_definition(
    data: Dataset, primary: Split, feature: int
) -> tuple[float, float, list[tuple[float, bool]]]:
    """rpart's agreement of the best cut of a number, adjusted too, and which cuts have it."""
    known = ~np.isnan(data.columns[primary.projection.feature])  # type: ignore[attr-defined]
    weights = (np.ones(data.n) if data.weights is None else data.weights)[known]
    left = goes_left(primary, data.columns)[known]
    x = data.columns[feature][known]
    whole = weights.sum()
    majority = max(weights[left].sum(), weights[~left].sum())
    best, which = -1.0, list[tuple[float, bool]]()
    for low, high in pairwise(np.unique(x[~np.isnan(x)]).tolist()):
        cut = (low + high) / 2
        if min((x <= cut).sum(), (x > cut).sum()) < 2:
            continue
        for turned in (False, True):
            sent = (x <= cut) != turned
            alike = weights[(sent == left) & ~np.isnan(x)].sum()
            if alike > best:
                best, which = float(alike), []
            if alike == best:
                which.append((cut, turned))
    return best / whole, (best - majority) / (whole - majority), which


@given(tables(weighted=True))
def test_surrogates_agree_as_rpart_defines(data: Dataset) -> None:
    rules = rules_for(data, missing="surrogates")
    rows = np.arange(data.n)
    primary = Split(Axis(0), 1.5)
    sides = goes_left(primary, data.columns)[~np.isnan(data.columns[0])]
    if sides.all() or not sides.any():
        return
    found = {
        one.split.projection.feature: one  # type: ignore[attr-defined]
        for one in surrogates(data, projections_of(data, rules), rows, primary)
    }
    agreement, adjusted, which = by_definition(data, primary, 1)
    assert (1 in found) == (adjusted > 1e-10 and bool(which))
    if 1 in found:
        one = found[1]
        assert one.agreement == pytest.approx(agreement)
        assert one.adjusted_agreement == pytest.approx(adjusted)
        assert (one.split.threshold, one.is_reversed) in which
    assert [one.agreement for one in found.values()] == sorted(
        (one.agreement for one in found.values()), reverse=True
    )


def test_the_surrogate_of_a_copy_agrees_wholly_and_sends_the_rows_that_lack_the_value() -> None:
    x = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
    gone = np.where(np.isin(x, [2, 7]), np.nan, x)
    frame = pd.DataFrame({"x": gone, "copy": -x, "y": np.where(x < 4.5, "p", "q")})
    model = dtviz.fit(dtviz.from_frame(frame, "y", ["x", "copy"]), Rules(missing="surrogates"))
    (split,) = model.tree.splits.values()
    assert split == Split(Axis(1), -4.5) or split == Split(Axis(0), 4.5)
    forced = dtviz.fit(model.data, model.rules_used, [dtviz.Grow(1, Split(Axis(0), 4.5))])
    (one,) = forced.tree.splits[1].missing.surrogates or ()
    assert (one.split, one.is_reversed) == (Split(Axis(1), -4.5), True)
    assert (one.agreement, one.adjusted_agreement) == (1.0, 1.0)
    assert forced.predict(frame).tolist() == [*"ppppqqqq"]
    assert forced.path([None, -2.0]) == (1, 2)
    assert forced.path([None, None]) == (1, 2)  # as many each way: left, as in rpart


def test_a_category_sends_each_value_where_most_of_its_rows_went() -> None:
    frame = pd.DataFrame(
        {
            "x": [1.0, 1, 1, 2, 2, 2, np.nan],
            "c": ["u", "u", "v", "v", "w", "w", "u"],
            "y": [*"pppqqqp"],
        }
    )
    data = dtviz.from_frame(frame, "y", ["x", "c"])
    rules = Rules(missing="surrogates")
    (one,) = surrogates(data, projections_of(data, rules), np.arange(7), Split(Axis(0), 1.5))
    assert one.split.projection == Subset(1, (0,))  # of v, and of all, as many each way
    assert one.agreement == pytest.approx(5 / 6)
    assert one.adjusted_agreement == pytest.approx(2 / 3)


def test_of_sides_that_weigh_the_same_the_majority_is_left() -> None:
    for gap, (policy, left) in product([False, True], [("majority", True), ("learned", False)]):
        # two rows weigh as much as three; another feature may lack values
        column = [0.0, 0, 1, 1, 1]
        found = make_dataset(
            [column, [0.0, 0, 0, 0, np.nan if gap else 0.0]], [0, 0, 1, 1, 1], "xz", "y", "AB",
            sample_weight=np.array([1.5, 1.5, 1, 1, 1]),
        )  # fmt: skip
        rules = Rules("gini", missing=policy)
        whole = dtviz.fit(found, rules).tree.splits[1]
        assert (whole.projection, whole.missing.left) == (Axis(0), left), (policy, left, gap)


# --- said and run elsewhere -----------------------------------------------------------------------


def test_exports_send_gaps_and_unseen_values_as_predict_does() -> None:
    for case in zip(POLICIES, cycle(FAMILIES), strict=False):
        policy, families = case
        random = np.random.default_rng(len(policy))
        n = 120
        frame = pd.DataFrame(random.integers(0, 6, (n, 2)).astype(float), columns=["a", 'b "b"'])
        frame["k"] = random.choice(list("pqrst"), n)
        frame["f"] = pd.Series(random.random(n) < 0.5, dtype=object)
        score = frame.a + frame.k.map(dict(zip("pqrst", [0, 2, -1, 1, 3], strict=True)))
        frame["y"] = np.where(score + random.normal(size=n) > 3, "X", "Z")
        for name in ("a", 'b "b"', "k", "f"):
            frame.loc[random.random(n) < 0.2, name] = None
        rules = Rules(missing=policy, families=families, max_depth=4)
        model = dtviz.fit(dtviz.from_frame(frame, "y"), rules)
        new = pd.DataFrame(
            {
                "a": random.choice([0.0, 2.0, 5.0, 7.0], 200),
                'b "b"': random.integers(-1, 7, 200).astype(float),
                "k": random.choice(list("pqrstu"), 200),
                "f": pd.Series(random.random(200) < 0.5, dtype=object),
            }
        )
        for name, may in zip(model.data.features, model.may_lack, strict=True):
            if may or model.data.levels[model.data.features.index(name)][-1:] == (None,):
                new.loc[random.random(200) < 0.3, name] = None
        expected = model.predict(new).tolist()
        assert in_python(model, new) == in_sqlite(model, new) == expected, case
        assert in_duckdb(model, new) == expected, case
        nodes = json.loads(model.export("json"))["nodes"]
        told = [one for one in nodes if "missing" in one or "left_if" in one]
        assert bool(told) == (policy != "drop"), case
        assert ("surrogates" in told[0]) == (policy == "surrogates") if told else True, case


def test_exported_python_reads_the_dates_and_durations_that_only_surrogates_ask_for() -> None:
    for start in [pd.Timedelta(0), pd.Timestamp("2024-01-01")]:
        x = np.arange(20.0)
        days = np.where(x == 8, 11, np.where(x == 11, 8, x))  # nearly as good as x
        frame = pd.DataFrame({"x": x, "t": start + pd.to_timedelta(days, unit="D"), "y": x < 10})
        frame.loc[[0, 5, 13, 19], "x"] = None
        model = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(missing="surrogates", max_depth=1))
        assert model.tree.splits[1].projection == Axis(0), start
        assert in_python(model, frame) == model.predict(frame).tolist(), start


# --- beside the growing of one tree ---------------------------------------------------------------


@given(tables(classes=2))
def test_the_best_tree_of_depth_2_is_no_worse_than_the_greedy_one(data: Dataset) -> None:
    rules = rules_for(data, max_depth=2)
    problem = Problem(data, rules)
    log = run_to_end(best_of_depth_2(problem))
    best, greedy = fold(problem, log), dtviz.fit(data, rules).tree

    def risk(tree: Tree) -> float:
        return sum(tree.nodes[leaf].impurity * tree.nodes[leaf].n for leaf in tree.rows)

    assert risk(best) <= risk(greedy) + 1e-9


def test_the_best_tree_of_depth_2_says_which_policies_it_knows() -> None:
    frame = pd.DataFrame({"x": [1.0, np.nan, 3.0], "y": [*"pqp"]})
    data = dtviz.from_frame(frame, "y")
    with pytest.raises(ValueError, match="choose another way for missing values"):
        run_to_end(best_of_depth_2(Problem(data, Rules(missing="surrogates"))))


def test_surrogates_of_kyphosis_are_those_that_rpart_prints() -> None:
    frame = pd.DataFrame(list(KYPHOSIS["rows"]), columns=list(KYPHOSIS["columns"]))
    data = dtviz.from_frame(frame, "Kyphosis")
    rules = Rules("gini", missing="surrogates", max_depth=2)
    model = dtviz.fit(data, rules)
    root = dtviz.candidates(data, rules).set_index(["feature", "threshold"]).weighted_gain
    for (feature, threshold), improve in KYPHOSIS["improve"].items():
        assert root[feature, threshold] == pytest.approx(improve, abs=5e-7)
    assert model.tree.splits[1] == Split(Axis(2), 8.5)
    assert model.tree.splits[3] == Split(Axis(2), 14.5)
    for node, printed in KYPHOSIS["surrogates"].items():
        found = [
            (data.features[one.split.projection.feature], one.split.threshold,  # type: ignore[attr-defined]
             round(one.agreement, 3), round(one.adjusted_agreement, 3))
            for one in model.tree.splits[node].missing.surrogates or ()
        ]  # fmt: skip
        assert tuple(found) == printed
        assert all(one.is_reversed for one in model.tree.splits[node].missing.surrogates or ())
