"""Trees that do not wait for one another: bagging, random forests, extremely randomized trees.

Sources: Breiman, Bagging predictors (1996) and Random forests (2001); Geurts, Ernst, Wehenkel,
Extremely randomized trees (2006). Classes are chosen by most votes [C], numbers are averaged.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.draws import Draws, usual_features
from dtviz.engine.ensembles.ensemble import MEAN, VOTE, Ensemble, Kind, Plan, need_member
from dtviz.engine.rules import Rules
from dtviz.engine.stack import member_data
from dtviz.engine.together import grow_together
from dtviz.slices import Slices
from dtviz.table.data import Dataset


def bootstrap(n: int, trees: int, seed: int) -> NDArray[np.int16]:
    """How often each of n rows is drawn for each tree, n draws with replacement: (T, n).

    Those of a tree do not depend on how many others there are.
    """
    return np.array([_drawn(n, seed, tree) for tree in range(trees)], np.int16)


def _drawn(n: int, seed: int, tree: int) -> NDArray[np.intp]:
    rows = np.random.default_rng([seed, tree]).integers(0, n, n)
    return np.bincount(rows, minlength=n)


def _stands(resampled: bool, data: Dataset, rules: Rules, plan: Plan, member: int) -> Dataset:
    need_member(member, plan.trees)
    weights = _drawn(data.n, plan.seed, member) if resampled else np.ones(data.n, np.intp)
    return member_data(data, weights)


def seeds_of(plan: Plan) -> list[int]:
    """The seeds of what the nodes of each tree draw."""
    return [plan.seed * 1_000_003 + tree for tree in range(plan.trees)]


def _build(
    draws: bool, one_cut: bool, resampled: bool, data: Dataset, rules: Rules, plan: Plan
) -> Slices[Ensemble]:
    weights = np.ones((plan.trees, data.n), np.int16)
    if resampled:
        weights = bootstrap(data.n, plan.trees, plan.seed)
    many = len(data.features)
    some = min(plan.features or usual_features(many), many)
    own = Draws(some, one_cut) if draws else None
    members = yield from grow_together(data, rules, weights, own, seeds_of(plan))
    every = np.arange(plan.trees)
    return Ensemble(
        plan=plan,
        data=data,
        members=members,
        way=VOTE if data.classes else MEAN,
        amount=np.ones(plan.trees),
        start=np.zeros(len(data.classes) or 2),
        round=every,
        column=np.zeros_like(every),
    )


BAGGING = Kind(
    "bagging",
    "Bagging",
    "Each tree grows on rows drawn with replacement; their votes, or their mean, are steadier than "
    "any one of them.",
    ("classification", "regression"),
    partial(_build, False, False, True),
    partial(_stands, True),
    bagged=True,
)
FOREST = Kind(
    "forest",
    "Random forest",
    "Bagging, and every node tries only some of the features, drawn anew: trees that differ more "
    "err together less.",
    ("classification", "regression"),
    partial(_build, True, False, True),
    partial(_stands, True),
    features=usual_features,
    bagged=True,
)
EXTRA_TREES = Kind(
    "extra_trees",
    "Extra trees",
    "All rows for each tree, but of each feature drawn a node tries a single threshold, drawn at "
    "random between its least and largest value.",
    ("classification", "regression"),
    partial(_build, True, True, False),
    partial(_stands, False),
    features=usual_features,
)
