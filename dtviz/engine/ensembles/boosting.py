"""Boosting: rounds of trees, each grown on the errors of the rounds before.

Sources: SAMME of Zhu, Zou, Rosset, Hastie, Multi-class AdaBoost (2009); Friedman, Greedy function
approximation (2001): for log loss the leaves are one Newton step, his equations for two and for K
classes. scikit-learn has the same of both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.progress import Slices, run_to_end
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles.ensemble import (
    LOGITS,
    SUM,
    VOTE,
    Combiner,
    Ensemble,
    EnsembleKind,
    Plan,
    check_member,
)
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import (
    TreeArrays,
    concatenate_trees,
    leaf_indices,
    predictions,
)
from dtviz.engine.rules import Rules

MIN_CURVATURE = 1e-150
"""Sum of second derivatives up to which a leaf takes no Newton step: its rows are all certain."""


def _ensemble(
    plan: Plan,
    data: Dataset,
    parts: list[TreeArrays],
    combiner: Combiner,
    amounts: list[float],
    start: Floats,
    row_values: list[Floats],
) -> Ensemble:
    """The ensemble of rounds that all have the same number of trees, one for each score."""
    trees_a_round = len(parts[0])
    return Ensemble(
        plan=plan,
        data=data,
        members=concatenate_trees(parts),
        combiner=combiner,
        member_factor=np.repeat(amounts, trees_a_round),
        initial_scores=start,
        round_of_member=np.arange(len(parts)).repeat(trees_a_round),
        score_index=np.tile(np.arange(trees_a_round), len(parts)),
        row_emphasis=np.array(row_values),
    )


def _data_of_member(
    build: Callable[[Dataset, Rules, Plan], Slices[Ensemble]],
    data: Dataset,
    rules: Rules,
    plan: Plan,
    member: int,
) -> Dataset:
    """Rows that a member was grown on; builds the rounds before it. Raises DataError."""
    plan_to_member = replace(plan, trees=min(plan.trees, member + 1))
    members = run_to_end(build(data, rules, plan_to_member)).members
    check_member(member, len(members))
    return members.data_of(member)


# --- AdaBoost -------------------------------------------------------------------------------------


def _adaboost(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """AdaBoost (SAMME): rows that a tree predicts wrong have more weight for the next tree.

    The votes of a tree are rate (log((1 - error) / error) + log(K - 1)). Ends after a tree without
    an error, or where a tree is no better than chance.
    """
    rate, chance = plan.rate or ADABOOST.rate or 1.0, 1 - 1 / len(data.classes)
    unweighted = replace(data, weights=None)
    weights = np.ones(data.n) if data.weights is None else data.weights
    weights = weights / weights.sum()
    parts, amounts, row_weights = list[TreeArrays](), list[float](), list[Floats]()
    for round_ in range(plan.trees):
        tree = run_to_end(grow_together(unweighted, rules, weights[None]))
        wrong = predictions(tree, data.columns)[0] != data.y
        error = float(weights[wrong].sum() / weights.sum())
        if error >= chance and parts:
            break
        parts.append(tree)
        row_weights.append(weights)
        if error <= 0 or error >= chance:
            amounts.append(1.0)
            break
        odds = np.log((1 - error) / error) + np.log(len(data.classes) - 1)
        amounts.append(float(rate * odds))
        weights = weights * np.exp(amounts[-1] * wrong)
        weights = weights / weights.sum()
        yield (round_ + 1) / plan.trees
    return _ensemble(plan, data, parts, VOTE, amounts, np.zeros(len(data.classes)), row_weights)


# --- gradient boosting ----------------------------------------------------------------------------


def _gradient(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """Gradient boosting: the trees of a round grow on residuals and are added times the rate."""
    rate = plan.rate or GRADIENT.rate or 1.0
    weights = np.ones(data.n) if data.weights is None else data.weights
    residual_data = replace(
        data,
        y=np.zeros(data.n),
        target=f"{data.target} left",
        classes=(),
        task="regression",
        costs=None,
        balance=None,
    )
    tree_rules = replace(rules, criterion="squared_error", leaf_model=None, purity=1.0)
    start = first_scores(data)
    scores = np.repeat(start[:, None], data.n, axis=1)
    parts, row_residuals = list[TreeArrays](), list[Floats]()
    for round_ in range(plan.trees):
        residuals, curvature = _residuals(data, scores)
        ones = np.ones((len(residuals), data.n), np.int8)
        trees = run_to_end(grow_together(residual_data, tree_rules, ones, targets=residuals))
        leaves = leaf_indices(trees, data.columns)
        if curvature is not None:
            trees = _newton_steps(trees, leaves, residuals, curvature, weights)
        scores = scores + rate * trees.params[:, 0].take(leaves)
        parts.append(trees)
        row_residuals.append(np.abs(residuals).max(axis=0) if len(residuals) > 1 else residuals[0])
        yield (round_ + 1) / plan.trees
    combiner, amounts = (LOGITS if data.classes else SUM), [rate] * len(parts)
    return _ensemble(plan, data, parts, combiner, amounts, start, row_residuals)


def first_scores(data: Dataset) -> Floats:
    """Scores before the first round, (S,).

    The mean; the log-odds of the second of two classes; or the centred logarithm of each share.
    """
    weights = np.ones(data.n) if data.weights is None else data.weights
    if not data.classes:
        return np.array([np.average(data.y, weights=weights)])
    shares = np.bincount(data.y, weights, minlength=len(data.classes)) / weights.sum()
    logs = np.log(np.clip(shares, np.finfo(np.float32).eps, 1 - np.finfo(np.float32).eps))
    return np.array([logs[1] - logs[0]]) if len(shares) == 2 else logs - logs.mean()


def _residuals(data: Dataset, scores: Floats) -> tuple[Floats, Floats | None]:
    """Residuals and second derivatives of the loss, (S, n); None where these are 1."""
    if not data.classes:
        return (data.y - scores[0])[None], None
    assert LOGITS.class_shares is not None
    shares = LOGITS.class_shares(scores)
    residuals = (data.y == np.arange(len(shares))[:, None]) - shares
    if len(scores) == 1:
        return residuals[1:], shares[1:] * (1 - shares[1:])
    return residuals, np.abs(residuals) * (1 - np.abs(residuals))


def _newton_steps(
    trees: TreeArrays,
    leaves: NDArray[np.intp],
    residuals: Floats,
    curvature: Floats,
    weights: Floats,
) -> TreeArrays:
    """The trees with a Newton step as the prediction of each leaf [Friedman]."""
    n_nodes, classes = len(trees.left), len(residuals)
    residual_sums = np.bincount(leaves.ravel(), (residuals * weights).ravel(), minlength=n_nodes)
    curvature_sums = np.bincount(leaves.ravel(), (curvature * weights).ravel(), minlength=n_nodes)
    is_curved = curvature_sums > MIN_CURVATURE
    step = np.divide(residual_sums, curvature_sums, out=np.zeros(n_nodes), where=is_curved)
    if classes > 1:
        step *= (classes - 1) / classes
    params = trees.params.copy()
    params[:, 0] = step
    return replace(trees, params=params)


ADABOOST = EnsembleKind(
    "adaboost",
    "AdaBoost",
    "Each tree grows on rows that weigh more the more often they were wrong before; better trees "
    "have more votes.",
    ("classification",),
    _adaboost,
    partial(_data_of_member, _adaboost),
    depth=1,
    rate=1.0,
    emphasis_text="its row weighs for the next tree",
)
GRADIENT = EnsembleKind(
    "gradient",
    "Gradient boosting",
    "Each tree grows on what is left to explain, and a small part of it is added: squared error "
    "for numbers, log loss for classes.",
    ("classification", "regression"),
    _gradient,
    partial(_data_of_member, _gradient),
    depth=3,
    rate=0.1,
    emphasis_text="what is left of its row to explain",
)
