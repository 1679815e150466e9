"""Trees of tables that stay in their engine: those of the same rows in memory, to the last cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import criteria_of_any, data, logs, rules_for

import dtviz
from dtviz import Collapse, Grow, LogError, Model, Rules, RulesError, axis_split
from dtviz.data import open_table
from dtviz.data.dataset import Dataset
from dtviz.data.tables import TARGET_BITS
from dtviz.engine import table_search
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import decide_all
from dtviz.engine.search.counted_groups import CountedGroups, bound_groups, histogram_of_groups
from dtviz.engine.search.evaluate import evaluate_histogram
from dtviz.engine.search.missing import POLICIES, counted_histogram
from dtviz.engine.splits import IsMissing, Oblique, Split, Subset
from dtviz.engine.splits.split import Minimum
from dtviz.engine.tree import rows_in
from dtviz.explain import why
from dtviz.explain.row_path import missing_note, table_missing_note
from dtviz.models.steps import node_candidates

NUMBERS: Mapping[str, Any] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "ties": lambda rng, n: rng.normal(size=n).round(1),
    "whole": lambda rng, n: rng.integers(0, 5, n),
    "skewed": lambda rng, n: np.exp(3 * rng.normal(size=n)),
    "far": lambda rng, n: 1e8 + rng.normal(size=n).round(3),
    "constant": lambda rng, n: np.ones(n),
}
CATEGORIES: Mapping[str, Any] = {
    "few": lambda rng, n: rng.choice(list("abc"), n),
    "many": lambda rng, n: rng.choice(list("abcdefghijklm"), n),
    "boolean": lambda rng, n: rng.random(n) < 0.5,
}
COLUMNS = {**NUMBERS, **CATEGORIES}
N_CLASSES = {"two": 2, "three": 3, "ten": 10}
TARGETS: Mapping[str, Any] = {
    "plain": lambda z, rng: z,
    "ties": lambda z, rng: z.round() + 0.5 * (rng.random(len(z)) < 0.5),
    "tiny": lambda z, rng: z * 1e-9,
    "far": lambda z, rng: z + 1e8,
    "apart": lambda z, rng: z + 1e8 * (z > np.median(z)),
}
ROUNDS = (12, 1 << 20, 0), (16, 1 << 20, 0), (18, 40, 0), (12, 1 << 20, 100), (12, 40, 1000)
"""Bits of the first bins, rows up to which bins are counted by value, rows up to which a node is
read: two rounds to four, and trees that are partly or wholly in memory."""


@cache
def engine() -> Any:
    return ibis.duckdb.connect()


def on_table(frame: pd.DataFrame, target: str, **settings: Any) -> Dataset:
    """The frame as a table that stays in DuckDB."""
    table = engine().create_table(
        "rows", pa.Table.from_pandas(frame, preserve_index=False), overwrite=True
    )
    return dtviz.from_table(table, target, **settings)


@st.composite
def tables(draw: st.DrawFn) -> tuple[pd.DataFrame, str | None]:
    """A frame with the target "y" and the name of the column of weights, if any."""
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    n = draw(st.sampled_from([30, 200, 600]))
    names = draw(st.lists(st.sampled_from([*COLUMNS]), min_size=1, max_size=3))
    frame = pd.DataFrame({f"f{j}": COLUMNS[name](rng, n) for j, name in enumerate(names)})
    ranks = [frame[c].rank() / n for c, k in zip(frame, names, strict=True) if k in NUMBERS]
    z = sum(ranks, np.zeros(n)) + rng.normal(size=n) * draw(st.sampled_from([0.1, 1.0]))
    for column in draw(st.sets(st.sampled_from([*frame]))):
        kind = object if names[int(column[1:])] in CATEGORIES else float
        frame[column] = frame[column].astype(kind).where(rng.random(n) > 0.15, None)
    task = draw(st.sampled_from([*N_CLASSES, *TARGETS]))
    if task in TARGETS:
        return frame.assign(y=TARGETS[task](np.asarray(z), rng)), None
    edges = np.quantile(z, np.arange(1, N_CLASSES[task]) / N_CLASSES[task])
    frame["y"] = np.array([f"c{k}" for k in range(N_CLASSES[task])])[np.searchsorted(edges, z)]
    weights = draw(st.sampled_from([None, None, "whole", "fractions"]))
    if weights is None:
        return frame, None
    return frame.assign(w=rng.integers(1, 6, n) if weights == "whole" else rng.random(n) + 0.1), "w"


@st.composite
def table_rules(draw: st.DrawFn, task: Any) -> Rules:
    return Rules(
        criterion=draw(st.sampled_from(criteria_of_any(task))),
        max_depth=draw(st.integers(1, 4)),
        missing=draw(st.sampled_from(["learned", "majority"])),
        min_samples_leaf=draw(st.sampled_from([1, 1, 5, 0.1])),
        min_weight_fraction_leaf=draw(st.sampled_from([0.0, 0.0, 0.05])),
        max_leaf_nodes=draw(st.sampled_from([None, None, 3, 6])),
        ccp_alpha=draw(st.sampled_from([0.0, 0.0, 0.01])),
    )


def target_step(memory: Model) -> float:
    """The step at which a table keeps numeric targets, at least; 0 for classes."""
    largest = float(np.abs(memory.data.y).max())
    return 0.0 if memory.data.classes else largest * 2.0 ** (1 - TARGET_BITS)


def same(table: Model, memory: Model) -> None:
    """Assert that the tree of a table is that of its rows in memory."""
    a, b = table.tree, memory.tree
    assert a.splits == b.splits
    assert a.threshold_neighbours == b.threshold_neighbours
    assert a.pruned == b.pruned
    assert a.nodes.keys() == b.nodes.keys()
    step = target_step(memory)
    for k, twin in b.nodes.items():
        node = a.nodes[k]
        assert (node.n, node.counts, node.pure) == (twin.n, twin.counts, twin.pure)
        # a spread is a difference of sums: where nearly all is one class, few digits remain
        rounding = 1e-13 if twin.counts else 4 * step * float(twin.impurity) ** 0.5
        assert node.impurity == pytest.approx(twin.impurity, rel=1e-9, abs=rounding)
        assert node.params == pytest.approx(twin.params, rel=1e-12, abs=step)
    assert table.log == memory.log


def same_growth(table: Model, memory: Model) -> None:
    """Assert the same tree, and the same decisions of the rules at its leaves."""
    same(table, memory)
    decisions = [decide_all(model.problem, model.tree) for model in (table, memory)]
    rounding = 1e-13 + target_step(memory)
    for k, twin in decisions[1].items():
        assert decisions[0][k].stop == twin.stop
        assert decisions[0][k].split == twin.split
        assert decisions[0][k].decrease == pytest.approx(twin.decrease, rel=1e-9, abs=rounding)


def check_growth(drawn: st.DataObject) -> None:
    frame, weight = drawn.draw(tables())
    memory = dtviz.from_frame(frame, "y", sample_weight=weight)
    rules = drawn.draw(table_rules(memory.task))
    features, sample_rows = list(memory.features), drawn.draw(st.sampled_from([10, 5000]))
    with pytest.MonkeyPatch.context() as patch:
        shift, max_rows, max_read = drawn.draw(st.sampled_from(ROUNDS))
        patch.setattr(table_search, "FIRST_SHIFT", shift)
        patch.setattr(table_search, "MAX_ROWS_BY_VALUE", max_rows)
        patch.setattr(table_search, "MAX_ROWS_READ", max_read)
        patch.setattr(open_table, "MAX_EXACT_VALUES", drawn.draw(st.sampled_from([8, 256])))
        table = on_table(
            frame, "y", features=features, sample_weight=weight, sample_rows=sample_rows
        )
        same_growth(dtviz.fit(table, rules), dtviz.fit(memory, rules))


@settings(max_examples=8)
@given(st.data())
def test_a_tree_of_a_table_is_that_of_its_rows(drawn: st.DataObject) -> None:
    check_growth(drawn)


@pytest.mark.nightly
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_tree_of_a_table_is_that_of_its_rows_at_length(drawn: st.DataObject) -> None:
    check_growth(drawn)


def in_both(found: Dataset, **settings: Any) -> tuple[Dataset, Dataset]:
    """A table, and the same rows in memory."""
    frame = pd.DataFrame(dict(zip(found.features, found.columns, strict=True)))
    frame["target"] = np.array(found.classes)[found.y] if found.classes else found.y
    settings |= {"features": list(found.features), "task": found.task}
    return on_table(frame, "target", **settings), dtviz.from_frame(frame, "target", **settings)


def check_moves(drawn: st.DataObject) -> None:
    """Moves of all kinds on few rows of hard values: adjacent floats, tiny and huge ones."""
    table, memory = in_both(drawn.draw(data()))
    missing = drawn.draw(st.sampled_from(["learned", "majority"]))
    rules = drawn.draw(rules_for(memory.task, leaf_model=None, missing=missing, max_p_value=1.0))
    log, _ = drawn.draw(logs(memory, rules))
    same(dtviz.fit(table, rules, log), dtviz.fit(memory, rules, log))
    same_growth(dtviz.fit(table, rules), dtviz.fit(memory, rules))


@settings(max_examples=8)
@given(st.data())
def test_moves_on_a_table_are_those_on_its_rows(drawn: st.DataObject) -> None:
    check_moves(drawn)


@pytest.mark.nightly
@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_moves_on_a_table_are_those_on_its_rows_at_length(drawn: st.DataObject) -> None:
    check_moves(drawn)


def mixed(n: int = 300, **settings: Any) -> tuple[Dataset, Dataset]:
    """Numbers with ties and gaps, and a category: a table, and the same rows in memory."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({
        "x": rng.normal(size=n).round(2),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
        "town": rng.choice(["Bonn", "Kiel", "Ulm"], n),
        "y": rng.choice(["no", "yes"], n),
    })  # fmt: skip
    return on_table(frame, "y", **settings), dtviz.from_frame(frame, "y")


BY_HAND = {
    "a threshold that is not the best": [Grow(1, axis_split(0, -0.7))],
    "thresholds at values": [Grow(1, axis_split(0, 0.5)), Grow(3, axis_split(0, 1))],
    "a collapse": [Grow(1, axis_split(0, 0)), Grow(2, axis_split(1, 0.1)), Collapse(2)],
    "subsets": [Grow(1, Split(Subset(2, (0, 2)), 0.5)), Grow(2, Split(Subset(2, (0,)), 0.5))],
    "gaps": [Grow(1, axis_split(1, 0.4)), Grow(2, axis_split(1, -0.4))],
    "gaps apart": [Grow(1, Split(IsMissing((1,)), 0.5)), Grow(2, axis_split(0, 0))],
}


def test_moves_by_hand() -> None:
    few_rows, memory = mixed(sample_rows=10)
    for (name, log), missing in product(BY_HAND.items(), ("learned", "majority")):
        rules = Rules("gini", max_depth=3, missing=missing)
        assert same(dtviz.fit(few_rows, rules, log), dtviz.fit(memory, rules, log)) is None, name


def test_a_node_of_which_the_sample_has_no_row() -> None:
    few_rows, memory = mixed(sample_rows=10)
    log = [Grow(1, axis_split(0, 1.9)), Grow(3, axis_split(0, 2.2))]
    model = dtviz.fit(few_rows, Rules("gini"), log)
    assert not len(model.tree.rows[7])
    same(model, dtviz.fit(memory, Rules("gini"), log))


def test_a_split_with_an_empty_side_is_refused_as_in_memory() -> None:
    for split in (axis_split(0, 99), Split(Subset(2, (0, 1, 2)), 0.5)):
        sentences = set()
        for found in mixed():
            with pytest.raises(LogError, match="leaves one side empty") as refused:
                dtviz.fit(found, Rules("gini"), [Grow(1, split)])
            sentences.add(str(refused.value))
        assert len(sentences) == 1


def test_steps_are_the_moves_of_the_rows_in_memory() -> None:
    table, memory = ([*dtviz.steps(found, Rules("gini", max_depth=3))] for found in mixed())
    assert [step.move for step in table] == [step.move for step in memory]
    assert len(table) == 7
    for step, twin in zip(table, memory, strict=True):
        assert step.before.splits == twin.before.splits


REFUSED = [
    (Rules("gini", families=("axis", "oblique")), "`families` must be axis or subset"),
    (
        Rules("gini", max_p_value=0.05),
        "`max_p_value` must be 1 for a table that stays in its engine",
    ),
    (Rules("gini", families=("radial",)), "`families` must be axis or subset"),
    (Rules("gini", families=("onevsrest",)), "`families` must be axis or subset"),
    (Rules("gini", missing="surrogates"), "`missing` must be 'learned' or 'majority'"),
    (Rules("gini", missing="value"), "`missing` must be 'learned' or 'majority'"),
    (Rules("gini", missing="drop"), "`missing` must be 'learned' or 'majority'"),
    (Rules("gini", leaf_model="logistic"), "`leaf_model` must be 'majority' or 'shares'"),
    (Rules("squared_error", leaf_model="linear"), "`leaf_model` must be 'mean'"),
    (Rules("squared_error", leaf_model="median"), "`leaf_model` must be 'mean'"),
    (Rules("absolute_error", leaf_model="mean"), "`criterion` must be 'squared_error'"),
    (Rules("absolute_error"), "`leaf_model` must be 'mean'"),
    (Rules("poisson"), "`criterion` must be 'squared_error'"),
]


def test_rules_that_need_rows_are_refused_in_a_sentence() -> None:
    classes, _ = mixed()
    numbers = on_table(pd.DataFrame({"x": np.arange(9.0), "y": np.arange(9.0) + 0.5}), "y")
    for rules, sentence in REFUSED:
        found = classes if rules.criterion == "gini" else numbers
        with pytest.raises(RulesError) as refused:
            dtviz.fit(found, rules)
        assert str(refused.value).startswith(sentence)
        assert "read a part of the table into memory" in str(refused.value)


def test_a_log_with_an_oblique_split_is_refused_in_a_sentence() -> None:
    table, _ = mixed()
    with pytest.raises(RulesError, match="at a time, in two; not by slanted lines"):
        dtviz.fit(table, Rules("gini"), [Grow(1, Split(Oblique(((0, 1.0), (1, -1.0))), 0.0))])


# --- the bounds of closed groups ---


@st.composite
def grouped(draw: st.DrawFn) -> tuple[str, CountedGroups, CountedGroups]:
    """A criterion, the groups of a node by value, and the same with most values in closed groups.

    The last group may be of missing values.
    """
    rng = np.random.default_rng(draw(st.integers(0, 1 << 32)))
    name = draw(
        st.sampled_from(["entropy", "gini", "error", "gain_ratio", "cart", "squared_error"])
    )
    g, has_missing = draw(st.integers(2, 30)), draw(st.booleans())
    n = rng.integers(1, draw(st.sampled_from([2, 10, 1000])), g)
    value = np.arange(float(g))
    if has_missing:
        value[-1] = np.nan
    squares = None
    if name == "squared_error":
        y = [rng.normal(size=k) * draw(st.sampled_from([1.0, 1e-3])) + rng.normal() for k in n]
        mean = np.concatenate(y).mean()
        sums = np.array([[(part - mean).sum()] for part in y])
        squares = np.array([np.square(part - mean).sum() for part in y])
    else:
        k = draw(st.sampled_from([2, 3, 10]))
        sums = np.array([rng.multinomial(m, rng.dirichlet(np.full(k, 0.3))) for m in n])
    zero = np.zeros(g, int)
    fine = CountedGroups(zero, zero, value, value, np.arange(g), zero - 1, n, sums, squares, 1, 1)
    bin_of = np.arange(g) // draw(st.sampled_from([2, 5, 40]))
    bin_of[np.isnan(value)] = bin_of[-1] + 1
    starts = np.flatnonzero(np.diff(bin_of, prepend=-1))
    coarse = replace(
        fine.take(starts),
        shift=np.where(np.isnan(value[starts]), -1, 3),
        n=np.add.reduceat(n, starts),
        sums=np.add.reduceat(sums, starts, axis=0),
        squares=None if squares is None else np.add.reduceat(squares, starts),
    )
    return name, fine, coarse


@settings(max_examples=200)
@given(grouped(), st.sampled_from(["learned", "majority"]), st.sampled_from([1, 3]))
def test_no_cut_inside_a_closed_group_scores_more_than_its_bound(
    case: tuple[str, CountedGroups, CountedGroups], missing: str, rows: int
) -> None:
    name, fine, coarse = case
    policy, criterion, minimum = POLICIES[missing], CRITERIA[name], Minimum(rows=rows)
    node_n = fine.n.sum(keepdims=True)
    variance = np.zeros(1) if fine.squares is None else fine.squares.sum(keepdims=True) / node_n
    hist = counted_histogram(histogram_of_groups(fine, node_n, None, variance), policy)
    cuts = evaluate_histogram(hist, criterion, policy, minimum)
    bounds = bound_groups(coarse, criterion, minimum, policy.counts_missing)
    starts = coarse.bin[~np.isnan(coarse.value)]
    for group, score, can_be in zip(cuts.group, cuts.score, cuts.admissible, strict=True):
        closed = np.searchsorted(starts, group, side="right") - 1
        is_inside = closed == np.searchsorted(starts, group + 1, side="right") - 1
        if is_inside and not np.isnan(fine.value[group + 1 : group + 2]).any():
            assert score <= bounds.score[closed] + float(cuts.tolerance[0])
            assert bounds.can_be_admissible[closed] >= can_be


def test_the_bound_of_a_gain_ratio_is_a_number_where_weights_have_many_bits() -> None:
    heavy = (1 << 58) + 3
    groups = CountedGroups(
        line=np.zeros(2, int),
        node=np.zeros(2, int),
        value=np.arange(2.0),
        highest=np.arange(2.0),
        bin=np.arange(2),
        shift=np.full(2, 3),
        n=np.full(2, 5),
        sums=np.array([[heavy, 1], [7, heavy]]),
        squares=None,
        n_lines=1,
        n_nodes=1,
    )
    bounds = bound_groups(groups, CRITERIA["gain_ratio"], Minimum(), counts_missing=True)
    assert np.isfinite(bounds.score).all()
    assert (bounds.score > 0).all()


# --- what is told of a node ---


@pytest.mark.parametrize("criterion", ["entropy", "gain_ratio", "squared_error"])
def test_counted_candidates_are_those_of_the_rows(
    criterion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", 0)
    monkeypatch.setattr(table_search, "FIRST_SHIFT", 16)
    monkeypatch.setattr(open_table, "MAX_EXACT_VALUES", 8)
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"a": rng.normal(size=900), "b": rng.normal(size=900).round(1)})
    frame["town"] = rng.choice(["Bonn", "Kiel", "Ulm"], 900)
    frame.loc[rng.random(900) < 0.1, "b"] = np.nan
    score = frame["a"] + (frame["town"] == "Ulm") + rng.normal(size=900)
    frame["y"] = score if criterion == "squared_error" else np.where(score > 0, "yes", "no")
    rules = Rules(criterion, min_samples_leaf=5)
    memory, table = dtviz.from_frame(frame, "y"), on_table(frame, "y")
    log = dtviz.fit(memory, replace(rules, max_depth=1)).log
    for node in (1, 2):
        all_cuts = dtviz.candidates(memory, rules, log, node).set_index("rule")
        counted = dtviz.candidates(table, rules, log, node).set_index("rule")
        assert node > 1 or 10 < len(counted) < len(all_cuts), "bins stay closed"
        twins = all_cuts.loc[counted.index]
        for name in ("threshold", "n_left", "n_right", "admissible"):
            pd.testing.assert_series_equal(counted[name], twins[name])
        for name in ("impurity_left", "impurity_right", "gain", "weighted_gain"):
            np.testing.assert_allclose(counted[name], twins[name], rtol=1e-9, atol=1e-12)
        admissible = all_cuts[all_cuts.admissible]
        assert counted[counted.admissible].gain.max() == pytest.approx(admissible.gain.max())


def test_the_sentences_on_a_node_of_a_table_are_those_on_its_rows() -> None:
    table, memory = mixed()
    for missing in ("learned", "majority"):
        rules = Rules("gini", max_depth=2, missing=missing)
        grown, twin = dtviz.fit(table, rules), dtviz.fit(memory, rules)
        for node in twin.tree.splits:
            cuts = node_candidates(twin.problem, twin.tree, node)
            counted = node_candidates(grown.problem, grown.tree, node)
            rows, split = rows_in(twin.tree, node), twin.tree.splits[node]
            for index in (0, cuts.best):
                assert why.table_arithmetic(grown.problem, counted, index, grown.tree, node) == (
                    why.arithmetic(twin.problem, cuts, index, rows)
                )
            assert why.why(grown.problem, counted, split) == why.why(twin.problem, cuts, split)
            note = missing_note(twin.problem, rows, split)
            found = table_missing_note(grown.problem, grown.tree, node, split)
            assert (note is None) == (found is None)
            if note is not None and found is not None:
                assert found.sentence.split(" lack ")[0] == note.sentence.split(" lack ")[0]


def test_cuts_that_were_not_counted_are_not_told_as_if_they_were(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", 0)
    monkeypatch.setattr(open_table, "MAX_EXACT_VALUES", 8)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=3000), "b": rng.normal(size=3000)})
    frame["y"] = np.where(frame["a"] + rng.normal(size=3000) / 4 > 0, "yes", "no")
    model = dtviz.fit(on_table(frame, "y"), Rules(max_depth=1))
    cuts = node_candidates(model.problem, model.tree, 1)
    assert not cuts.is_complete
    assert "times the best counted cut on b" in why.why(model.problem, cuts, cuts.split(cuts.best))


@pytest.mark.parametrize("criterion", ["entropy", "gini", "error", "cart", "squared_error"])
def test_cuts_inside_a_band_score_what_it_says(
    criterion: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", 0)
    monkeypatch.setattr(open_table, "MAX_EXACT_VALUES", 8)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=3000), "b": rng.normal(size=3000)})
    z = frame["a"] + np.abs(frame["b"]) / 2 + rng.normal(size=3000) / 4
    numbers = criterion == "squared_error"
    frame["y"] = z if numbers else np.array(list("ABC"))[np.digitize(z, [0, 1])]
    problem = dtviz.fit(on_table(frame, "y"), Rules(criterion, max_depth=1)).problem
    twin = dtviz.fit(dtviz.from_frame(frame, "y"), Rules(criterion, max_depth=1))
    every = node_candidates(twin.problem, twin.tree, 1)
    search = table_search.table_search(problem)
    bands = search.candidates(()).bands
    assert bands is not None
    for line, low, high, n, least, most in zip(*bands, strict=True):
        inside = (every.line == line) & (every.threshold > low) & (every.threshold < high)
        assert inside.sum() == n - 1
        assert (every.score[inside] <= most).all()
        assert (every.score[inside] >= least - 1e-12).all()
    if criterion in ("entropy", "gini"):
        assert (bands.least > 0).any()
    # beside a cut that is looked at, every cut is counted
    k = int(np.flatnonzero(bands.line == 1)[0])
    split = axis_split(1, float(bands.upper[k]))
    opened = search.candidates((), beside=split)
    assert opened.bands is not None
    assert bands.upper[k] not in opened.bands.upper[opened.bands.line == 1]
    of_line = opened.threshold[opened.of_line(1)]
    wanted = every.threshold[every.of_line(1)]
    wanted = wanted[(wanted > bands.lower[k]) & (wanted < bands.upper[k])]
    assert np.isin(wanted, of_line).all()


def test_a_forest_of_a_table_is_refused_in_a_sentence() -> None:
    with pytest.raises(dtviz.DataError, match="read a part of the table with `from_frame`"):
        dtviz.forest(mixed()[0])


def test_a_score_on_a_table_counts_all_its_rows() -> None:
    for task in ("classes", "numbers"):
        rng = np.random.default_rng(5)
        frames = [pd.DataFrame({"a": rng.normal(size=900)}) for _ in "ab"]
        for frame in frames:
            z = frame["a"] + rng.normal(size=900)
            frame["y"] = np.where(z > 0, "yes", "no") if task == "classes" else z
        rules = Rules("gini" if task == "classes" else "squared_error", max_depth=3)
        memory, other = (dtviz.from_frame(frame, "y") for frame in frames)
        table = on_table(frames[0], "y", sample_rows=10)
        model, twin = dtviz.fit(table, rules), dtviz.fit(memory, rules)
        assert model.score(table) == pytest.approx(twin.score(memory), rel=1e-12)
        assert model.score(other) == pytest.approx(twin.score(other), rel=1e-12)
        assert twin.score(on_table(frames[1], "y")) == pytest.approx(twin.score(other), rel=1e-12)
        with pytest.raises(dtviz.DataError, match="has no column 'a'; the tree was grown with it"):
            twin.score(on_table(frames[1].rename(columns={"a": "b"}), "y"))


def test_a_score_matches_features_categories_and_classes_by_name() -> None:
    rng = np.random.default_rng(8)
    frames = [
        pd.DataFrame({"a": rng.normal(size=900), "k": rng.choice(kinds, 900), "w": rng.random(900)})
        for kinds in (list("bcd"), [*"abc", None])
    ]
    for frame, names in zip(frames, (["m", "n"], ["m", "l", "n", "n"]), strict=True):
        frame["y"] = rng.choice(names, 900)
    first, other = frames
    first.loc[:9, "k"] = None
    model = dtviz.fit(dtviz.from_frame(first[["a", "k", "y"]], "y"), Rules("gini", max_depth=6))
    table = other[["w", "k", "a", "y"]]
    expected = model.score(dtviz.from_frame(table, "y"))
    assert model.score(on_table(table, "y")) == pytest.approx(expected, rel=1e-12)
    weighted = dtviz.from_frame(table, "y", sample_weight="w")
    found = model.score(on_table(table, "y", sample_weight="w"))
    assert found == pytest.approx(model.score(weighted), rel=1e-9)
    gaps = table.assign(a=table["a"].where(table["a"] < 1))
    with pytest.raises(dtviz.DataError, match="has no value for 'a'"):
        model.score(on_table(gaps, "y"))
    with pytest.raises(dtviz.DataError, match="'k' holds other values"):
        model.score(on_table(table.assign(k=1.5 * table["a"]), "y"))


def test_rows_that_were_forgotten_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", 150)
    monkeypatch.setattr(table_search, "MAX_ROWS_HELD", 160)
    table, memory = mixed(600)
    same_growth(dtviz.fit(table, Rules("gini")), dtviz.fit(memory, Rules("gini")))
