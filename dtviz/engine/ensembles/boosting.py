"""Trees that follow one another: each mends what those before it got wrong.

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
from dtviz.base.progress import Slices, finished
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles.ensemble import (
    LOGITS,
    SUM,
    VOTE,
    Ensemble,
    Kind,
    Plan,
    Way,
    need_member,
)
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import Members, concatenate_trees, places, predictions
from dtviz.engine.rules import Rules

LEAST_CURVATURE = 1e-150
"""A leaf whose rows are all but certain takes no step."""


def _ensemble(
    plan: Plan,
    data: Dataset,
    parts: list[Members],
    way: Way,
    amounts: list[float],
    start: Floats,
    stood: list[Floats],
) -> Ensemble:
    """The members of all rounds, each with as many trees as there are columns, or with one."""
    each = len(parts[0])
    return Ensemble(
        plan=plan,
        data=data,
        members=concatenate_trees(parts),
        way=way,
        amount=np.repeat(amounts, each),
        start=start,
        round=np.arange(len(parts)).repeat(each),
        column=np.tile(np.arange(each), len(parts)),
        stood=np.array(stood),
    )


def _stands(
    build: Callable[[Dataset, Rules, Plan], Slices[Ensemble]],
    data: Dataset,
    rules: Rules,
    plan: Plan,
    member: int,
) -> Dataset:
    """What a member grew on, which the rounds before it tell. Raises DataError."""
    rounds = replace(plan, trees=min(plan.trees, member + 1))
    members = finished(build(data, rules, rounds)).members
    need_member(member, len(members))
    return members.data_of(member)


# --- AdaBoost -------------------------------------------------------------------------------------


def _adaboost(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """Rows that a tree gets wrong weigh more for the next; a tree votes by how right it is.

    It ends where a tree gets every row right, or is no better than chance.
    """
    rate, chance = plan.rate or ADABOOST.rate or 1.0, 1 - 1 / len(data.classes)
    bare = replace(data, weights=None)
    weights = np.ones(data.n) if data.weights is None else data.weights
    weights = weights / weights.sum()
    parts, amounts, stood = list[Members](), list[float](), list[Floats]()
    for round_ in range(plan.trees):
        tree = finished(grow_together(bare, rules, weights[None]))
        wrong = predictions(tree, data.columns)[0] != data.y
        error = float(weights[wrong].sum() / weights.sum())
        if error >= chance and parts:
            break
        parts.append(tree)
        stood.append(weights)
        if error <= 0 or error >= chance:
            amounts.append(1.0)
            break
        odds = np.log((1 - error) / error) + np.log(len(data.classes) - 1)
        amounts.append(float(rate * odds))
        weights = weights * np.exp(amounts[-1] * wrong)
        weights = weights / weights.sum()
        yield (round_ + 1) / plan.trees
    return _ensemble(plan, data, parts, VOTE, amounts, np.zeros(len(data.classes)), stood)


# --- gradient boosting ----------------------------------------------------------------------------


def _gradient(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """Each round's trees grow on what is left to explain, and are added, shrunk by the rate."""
    rate = plan.rate or GRADIENT.rate or 1.0
    own = np.ones(data.n) if data.weights is None else data.weights
    bare = replace(
        data,
        y=np.zeros(data.n),
        target=f"{data.target} left",
        classes=(),
        task="regression",
        costs=None,
        balance=None,
    )
    by = replace(rules, criterion="squared_error", leaf_model=None, purity=1.0)
    start = first_scores(data)
    scores = np.repeat(start[:, None], data.n, axis=1)
    parts, stood = list[Members](), list[Floats]()
    for round_ in range(plan.trees):
        rest, curvature = _left(data, scores)
        weights = np.ones((len(rest), data.n), np.int8)
        trees = finished(grow_together(bare, by, weights, targets=rest))
        at = places(trees, data.columns)
        if curvature is not None:
            trees = _stepped(trees, at, rest, curvature, own)
        scores = scores + rate * trees.params[:, 0].take(at)
        parts.append(trees)
        stood.append(np.abs(rest).max(axis=0) if len(rest) > 1 else rest[0])
        yield (round_ + 1) / plan.trees
    way, amounts = (LOGITS if data.classes else SUM), [rate] * len(parts)
    return _ensemble(plan, data, parts, way, amounts, start, stood)


def first_scores(data: Dataset) -> Floats:
    """The mean; the log-odds of the second of two classes; or the logarithm of each share."""
    own = np.ones(data.n) if data.weights is None else data.weights
    if not data.classes:
        return np.array([np.average(data.y, weights=own)])
    shares = np.bincount(data.y, own, minlength=len(data.classes)) / own.sum()
    logs = np.log(np.clip(shares, np.finfo(np.float32).eps, 1 - np.finfo(np.float32).eps))
    return np.array([logs[1] - logs[0]]) if len(shares) == 2 else logs - logs.mean()


def _left(data: Dataset, scores: Floats) -> tuple[Floats, Floats | None]:
    """What is left to explain in each column, and how curved the loss is there, (S, n)."""
    if not data.classes:
        return (data.y - scores[0])[None], None
    assert LOGITS.shares is not None
    shares = LOGITS.shares(scores)
    rest = (data.y == np.arange(len(shares))[:, None]) - shares
    if len(scores) == 1:
        return rest[1:], shares[1:] * (1 - shares[1:])
    return rest, np.abs(rest) * (1 - np.abs(rest))


def _stepped(
    trees: Members, at: NDArray[np.intp], rest: Floats, curved: Floats, own: Floats
) -> Members:
    """The trees with a Newton step as the value of each leaf."""
    many, classes = len(trees.left), len(rest)
    above = np.bincount(at.ravel(), (rest * own).ravel(), minlength=many)
    below = np.bincount(at.ravel(), (curved * own).ravel(), minlength=many)
    step = np.divide(above, below, out=np.zeros(many), where=below > LEAST_CURVATURE)
    if classes > 1:
        step *= (classes - 1) / classes
    params = trees.params.copy()
    params[:, 0] = step
    return replace(trees, params=params)


ADABOOST = Kind(
    "adaboost",
    "AdaBoost",
    "Each tree grows on rows that weigh more the more often they were wrong before; better trees "
    "have more votes.",
    ("classification",),
    _adaboost,
    partial(_stands, _adaboost),
    depth=1,
    rate=1.0,
    stood="its row weighs for the next tree",
)
GRADIENT = Kind(
    "gradient",
    "Gradient boosting",
    "Each tree grows on what is left to explain, and a small part of it is added: squared error "
    "for numbers, log loss for classes.",
    ("classification", "regression"),
    _gradient,
    partial(_stands, _gradient),
    depth=3,
    rate=0.1,
    stood="what is left of its row to explain",
)
