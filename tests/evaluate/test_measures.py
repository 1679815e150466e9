"""The measures of the error curve against scikit-learn, for every subtree of a full tree."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import balanced_accuracy_score, log_loss, mean_absolute_error, roc_auc_score

import dtviz
from dtviz import Rules
from dtviz.data.dataset import Dataset, take_rows
from dtviz.data.weights import split_by_mask
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.subtrees import subtree
from dtviz.engine.tree import leaf_probabilities, predict
from dtviz.evaluate import curves
from dtviz.evaluate.measures import ERROR, MEASURES, SMALLEST_SHARE, mean_loss, measures_for
from dtviz.evaluate.metrics import held_rows

DRAW = np.random.default_rng(5)


def rows_of(n_classes: int, weights: bool = False) -> Dataset:
    """Random rows with ties; numbers as target if there are no classes."""
    n = 160
    frame: dict[str, Any] = {"a": DRAW.integers(0, 9, n), "b": DRAW.normal(size=n).round(1)}
    target = frame["a"] / 4 + frame["b"] + DRAW.normal(size=n)
    names = np.array(["no", "yes", "maybe"])
    frame["y"] = names[np.digitize(target, [0.5, 2][: n_classes - 1])] if n_classes else target
    frame["w"] = DRAW.integers(1, 4, n)
    return dtviz.from_frame(
        pd.DataFrame(frame), "y", ["a", "b"], sample_weight="w" if weights else None
    )


def oracle(name: str, rows: Dataset, tree: Any) -> float:
    """The measure of a tree on rows, by scikit-learn."""
    predicted, weights = predict(tree, rows.columns), rows.weights
    if name == "absolute":
        return float(mean_absolute_error(rows.y, predicted, sample_weight=weights))
    if name == "balanced":
        return 1 - float(balanced_accuracy_score(rows.y, predicted, sample_weight=weights))
    shares = leaf_probabilities(rows, tree, rows.columns)
    if name == "auc":
        return 1 - float(roc_auc_score(rows.y, shares[:, 1], sample_weight=weights))
    labels = range(len(rows.classes))
    shares = np.clip(shares, SMALLEST_SHARE, 1 - SMALLEST_SHARE)
    shares /= shares.sum(axis=1, keepdims=True)
    return float(log_loss(rows.y, shares, sample_weight=weights, labels=[*labels]))


MODELS = (
    (0, "mean"), (2, "majority"), (2, "shares"), (2, "logistic"), (3, "majority"), (3, "shares"),
)  # fmt: skip


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize(("n_classes", "model"), MODELS)
def test_each_measure_is_that_of_scikit_learn(n_classes: int, model: str, weights: bool) -> None:
    data = rows_of(n_classes, weights)
    training, held = split_by_mask(data, held_rows(data, 0.4))
    rules = Rules(leaf_model=model, criterion="gini" if n_classes else "squared_error")
    nodes = full_tree(Problem(training, rules))
    axis = curves.AXES["depth"]
    values = axis.values(nodes, rules)
    masks = axis.subtrees(nodes, rules, values)
    trees = [subtree(nodes, mask) for mask in masks]
    names = {"balanced", "log_loss"}
    if n_classes == 2 and model != "logistic":  # its shares depend on the row
        names.add("auc")
    measures = [m for m in measures_for(data, nodes.tree.leaf_model) if m != ERROR]
    assert {m.name for m in measures} == (names if n_classes else {"absolute"})
    for measure in measures:
        for rows in (training, held):
            losses, _ = curves.losses_of_nodes(nodes, rows, measure)
            expected = [oracle(measure.name, rows, tree) for tree in trees]
            assert mean_loss(nodes, masks, losses) == pytest.approx(expected), measure.name


def test_a_class_that_no_held_row_has_counts_in_no_mean_and_makes_no_area() -> None:
    data = rows_of(2)
    nodes = full_tree(Problem(data, Rules()))
    one_class = take_rows(data, np.flatnonzero(data.y == 0))
    masks = np.array([nodes.is_split, np.zeros_like(nodes.is_split)])
    balanced, _ = curves.losses_of_nodes(nodes, one_class, MEASURES["balanced"])
    error, _ = curves.losses_of_nodes(nodes, one_class)
    assert mean_loss(nodes, masks, balanced) == pytest.approx(mean_loss(nodes, masks, error))
    area, _ = curves.losses_of_nodes(nodes, one_class, MEASURES["auc"])
    assert np.isnan(mean_loss(nodes, masks, area)).all()


def test_a_curve_and_its_folds_are_drawn_in_the_measure() -> None:
    data = rows_of(2)
    training, held = split_by_mask(data, held_rows(data, 0.4))
    rules, axis, measure = Rules(), curves.AXES["leaf_size"], MEASURES["log_loss"]
    work = curves.curve(
        lambda rules: full_tree(Problem(training, rules)), rules, axis, training, held,
        measure=measure,
    )  # fmt: skip
    result = curves.run_to_end(work)
    for index, value in enumerate(result.values):
        tree = dtviz.fit(training, Rules(min_samples_leaf=int(value or 1))).tree
        assert result.held[index] == pytest.approx(oracle("log_loss", held, tree))
    folds = curves.run_to_end(
        curves.fold_errors(training, rules, axis, result.values[:2], 3, measure=measure)
    )
    (others, fold), *_ = curves.folded_parts(training, 3, 0)
    tree = dtviz.fit(others, Rules()).tree
    assert folds[0, 0] == pytest.approx(oracle("log_loss", fold, tree))


def test_costs_leave_the_error_alone_to_choose() -> None:
    frame = pd.DataFrame({"a": [1, 2, 3, 4], "y": [*"nyny"]})
    data = dtviz.from_frame(frame, "y", costs={"y": {"n": 5}})
    nodes = full_tree(Problem(data, Rules()))
    assert measures_for(data, nodes.tree.leaf_model) == [ERROR]
