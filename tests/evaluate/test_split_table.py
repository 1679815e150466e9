"""Rows held out of a table in its engine: losses, curves and folds of the same rows in memory."""

from __future__ import annotations

from functools import partial
from typing import Any

import ibis
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import dtviz
from dtviz import Dataset, Rules
from dtviz.base.progress import run_to_end
from dtviz.data.tables import HASH_PRIME, below_share, row_hash, split_table
from dtviz.data.weights import split_by_mask
from dtviz.engine import grow, table_search
from dtviz.engine.grow import full_tree, full_tree_in_slices
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.subtrees import losses, subtree
from dtviz.engine.tree import predict
from dtviz.evaluate import curves
from dtviz.evaluate.metrics import confusion, counted_confusion

N_ROWS = 400
SHARE = partial(below_share, 0.3)


def frame_of(target: str, weight: str | None) -> pd.DataFrame:
    """Rows with ties, gaps, a category, noise, and a target of classes or numbers."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=N_ROWS).round(1),
            "gaps": np.where(rng.random(N_ROWS) < 0.2, np.nan, rng.normal(size=N_ROWS)),
            "town": rng.choice(["Bonn", "Kiel", "Ulm"], N_ROWS),
        }
    )
    z = frame.x + (frame.town == "Ulm") + rng.normal(size=N_ROWS)
    frame["y"] = np.select([z < -0.5, z < 1], ["low", "middle"], "high") if target == "y" else z
    if target == "far":
        frame["y"] += 1e6
    if weight is not None:
        whole = rng.integers(1, 5, N_ROWS)
        frame["w"] = whole if weight == "whole" else rng.random(N_ROWS) + 0.1
    return frame


def in_both(target: str, weight: str | None = None, **settings: Any) -> tuple[Dataset, Dataset]:
    """A table in DuckDB, and the same rows in memory."""
    frame, name = frame_of(target, weight), None if weight is None else "w"
    rows = ibis.duckdb.connect().create_table("t", pa.Table.from_pandas(frame))
    features = ["x", "gaps", "town"]
    table = dtviz.from_table(rows, "y", features, sample_weight=name, **settings)
    return table, dtviz.from_frame(frame, "y", features, sample_weight=name)


def mask_of(n: int = N_ROWS, seed: int = 5) -> Any:
    return SHARE(row_hash(np.arange(n), seed))


# --- the hash ---


def test_the_hash_is_a_fifth_power_in_numpy_and_in_the_engine() -> None:
    rows = [*range(2000), HASH_PRIME - 1, HASH_PRIME, HASH_PRIME + 7, 2**62]
    table = ibis.duckdb.connect().create_table("t", pa.table({"row": pa.array(rows, pa.int64())}))
    for seed in (0, 1, 10**9 - 1):
        wanted = [
            pow(2_654_435_761 * row + 1_629_532_151 * (seed + 1), 5, HASH_PRIME) for row in rows
        ]
        assert row_hash(np.array(rows, np.int64), seed).tolist() == wanted
        counted = table.select(row="row", hash=row_hash(table.row, seed)).to_pyarrow().to_pylist()
        assert {answer["row"]: answer["hash"] for answer in counted} == dict(
            zip(rows, wanted, strict=True)
        )


def test_no_two_rows_have_one_hash() -> None:
    assert len(np.unique(row_hash(np.arange(200_000), 3))) == 200_000


@pytest.mark.parametrize("seed", [0, 1, 2, 77])
@pytest.mark.parametrize("share", [0.1, 0.3, 0.5])
def test_the_share_held_is_the_one_asked_whatever_the_order_of_the_rows(
    seed: int, share: float
) -> None:
    n = 100_000
    held = below_share(share, row_hash(np.arange(n), seed))
    deviation = np.sqrt(share * (1 - share) / n)
    assert abs(held.mean() - share) < 4 * deviation
    for period in (2, 3, 7, 10, 24, 100, 365, 610, 987, 1000, 1024):
        shares = [held[k::period].mean() for k in range(period)]
        assert np.std(shares) < 1.6 * deviation * np.sqrt(period)
    neighbours = np.corrcoef(held[1:], held[:-1])[0, 1]
    assert abs(neighbours) * np.sqrt(n) < 4.5
    other = below_share(share, row_hash(np.arange(n), seed + 1))
    assert abs((held & other).mean() - share**2) < 5 * deviation


# --- the same as in memory ---

KINDS = [
    ("y", None, 0),
    ("y", "whole", 60),
    ("y", "fractions", 0),
    ("y", "fractions", 50_000),
    ("z", None, 0),
    ("z", None, 60),
    ("far", None, 50_000),
]


@pytest.mark.parametrize(("target", "weight", "max_read"), KINDS)
def test_losses_curves_and_folds_are_those_of_the_rows_in_memory(
    target: str, weight: str | None, max_read: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_search, "MAX_ROWS_READ", max_read)
    monkeypatch.setattr(table_search, "MAX_ROWS_HELD", max(max_read, 100))
    monkeypatch.setattr(grow, "MAX_TABLE_DEPTH", 50)
    monkeypatch.setattr(curves, "MAX_VALUES_PER_AXIS", 6)
    table, memory = in_both(target, weight, sample_rows=90)
    parts, mask = split_table(table, 5, SHARE), mask_of()
    twins = split_by_mask(memory, mask)
    for part, twin in zip(parts, twins, strict=True):
        assert (part.n_grown, part.gaps) == (twin.n, twin.gaps)
        assert part.weight == pytest.approx(twin.weight)
        assert part.source is not None
        shown = memory.columns[:, part.source.shown_rows]
        assert np.array_equal(part.columns, shown, equal_nan=True)
        assert not (mask[part.source.shown_rows] ^ (part is parts[1])).any()
    assert parts[0].n + parts[1].n == 90
    rules = Rules(default_rules(memory.task).criterion, missing="majority", min_samples_leaf=12)
    nodes, twin_nodes = (full_tree(Problem(data, rules)) for data in (parts[0], twins[0]))
    assert nodes.ids == twin_nodes.ids
    assert nodes.tree.splits == twin_nodes.tree.splits
    for part, twin in zip(parts, twins, strict=True):
        # the difference of two sums: far from 0 few digits remain
        assert losses(nodes, part)[0] == pytest.approx(losses(twin_nodes, twin)[0], 1e-7, 1e-7)
    for name in ("depth", "leaves", "alpha", *(["leaf_size"] if max_read == 50_000 else [])):
        axis = curves.AXES[name]
        found, twin_curve = (
            run_to_end(
                curves.curve(lambda _, full=full: full, rules, axis, *pair)  # type: ignore[misc]
            )
            for full, pair in ((nodes, parts), (twin_nodes, twins))
        )
        assert found.values == pytest.approx(twin_curve.values, 1e-6)
        for field in ("training", "held", "leaves", "height"):
            assert getattr(found, field) == pytest.approx(getattr(twin_curve, field), 1e-6), name


@pytest.mark.parametrize(("target", "weight"), [("y", "whole"), ("z", None)])
def test_folds_are_the_remainders_of_the_hashes(target: str, weight: str | None) -> None:
    table, memory = in_both(target, weight)
    rules, axis, values = default_rules(memory.task), curves.AXES["depth"], (1, 2, 3, 12)
    found = run_to_end(curves.fold_errors(table, rules, axis, values, 4))
    fold_of = row_hash(np.arange(N_ROWS), 0) % 4
    wanted = []
    for fold in range(4):
        others, rows = split_by_mask(memory, fold_of == fold)
        nodes = full_tree(Problem(others, rules))
        wanted.append(curves.errors(nodes, axis.subtrees(nodes, rules, values), rows))
    assert found == pytest.approx(np.array(wanted), 1e-9)


def test_the_confusion_of_a_table_is_that_of_its_rows() -> None:
    for weight in (None, "fractions"):
        table, memory = in_both("y", weight, sample_rows=50)
        (training, held), (_, twin) = (
            split_table(table, 5, SHARE),
            split_by_mask(memory, mask_of()),
        )
        tree = full_tree(Problem(training, Rules("gini", min_samples_leaf=9))).tree
        found = run_to_end(counted_confusion(held, tree))
        wanted = confusion(twin, predict(tree, twin.columns))
        assert found.rows.tolist() == wanted.rows.tolist()
        assert found.amounts == pytest.approx(wanted.amounts)


def test_the_full_tree_of_a_table_has_a_depth_and_is_grown_in_slices() -> None:
    table, memory = in_both("z")
    problem, shares = Problem(table, Rules("squared_error")), list[float]()
    slices = full_tree_in_slices(problem)
    try:
        while True:
            shares.append(next(slices))
    except StopIteration as end:
        nodes = end.value
    assert nodes.depth.max() == grow.MAX_TABLE_DEPTH
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] <= 1
    full = full_tree(Problem(memory, Rules("squared_error")))
    shallow = subtree(full, full.is_split & (full.depth < grow.MAX_TABLE_DEPTH))
    assert nodes.tree.splits == shallow.splits


def test_a_part_may_be_empty() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]})
    rows = ibis.duckdb.connect().create_table("t", pa.Table.from_pandas(frame))
    data = dtviz.from_table(rows, "y")
    training, held = split_table(data, 0, partial(below_share, 0.0))
    assert (training.n_grown, training.n, held.n_grown, held.n) == (2, 2, 0, 0)
    assert held.gaps == (False,)


def test_no_deeper_tree_is_grown_than_the_values_of_an_axis_need(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    depths = list[int]()

    def growing(problem: Problem, max_depth: int | None = None) -> Any:
        nodes = yield from full_tree_in_slices(problem, max_depth)
        depths.append(int(nodes.depth.max()))
        return nodes

    monkeypatch.setattr(curves, "full_tree_in_slices", growing)
    table, memory = in_both("z")
    rules = Rules("squared_error", max_depth=2)
    found, wanted = [], []
    for name in ("depth", "leaf_size"):
        axis, values = curves.AXES[name], (1, 3)
        found.append(run_to_end(curves.fold_errors(table, rules, axis, values, 2)))
        for fold in range(2):
            twins = split_by_mask(memory, row_hash(np.arange(N_ROWS), 0) % 2 == fold)
            for value in values:
                model = dtviz.fit(twins[0], curves.rules_at(rules, axis, value))
                wanted.append(np.square(twins[1].y - model.predict(twins[1])).mean())
    assert np.ravel(found) == pytest.approx(wanted, 1e-9)
    assert depths == [grow.MAX_TABLE_DEPTH] * 2 + [2] * 4


def test_row_numbers_of_32_bits_have_the_hashes_of_64() -> None:
    rows = [*range(500), HASH_PRIME - 1]
    table = ibis.duckdb.connect().create_table("t", pa.table({"row": pa.array(rows, pa.int32())}))
    found = table.select(hash=row_hash(table.row, 9)).to_pyarrow()["hash"].to_pylist()
    assert sorted(found) == sorted(row_hash(np.array(rows, np.int64), 9).tolist())
