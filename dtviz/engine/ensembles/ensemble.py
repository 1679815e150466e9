"""Ensembles: plans, how trees predict together, and the kinds: bagging, forests, boosting.

Scores are what the trees add up to for a row, S numbers: votes for each class, the sum and number
of predictions, or boosted values. A round is one step of building: a tree, or a tree for each
class.

Sources: AdaBoost as SAMME of Zhu, Zou, Rosset, Hastie, Multi-class AdaBoost (2009); gradient
boosting as Friedman, Greedy function approximation (2001), where for log loss the prediction of a
leaf is one Newton step. scikit-learn has both in the same form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Bools, Floats, Ints
from dtviz.base.progress import Slices, run_to_end
from dtviz.data.dataset import DataError, Dataset, Task, check_whole, lock_arrays
from dtviz.engine.criteria.criteria import least_cost_class
from dtviz.engine.ensembles.grow_many import grow_together
from dtviz.engine.ensembles.trees import (
    TreeArrays,
    concatenate_trees,
    leaf_indices,
    member_data,
    predictions,
)
from dtviz.engine.rules import Rules
from dtviz.engine.search.best_split import Draws, default_max_features

MAX_TREES = 1_000
"""Largest number of trees, or of rounds, of a plan."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Settings of an ensemble. Raises DataError.

    >>> Plan("bagging", trees=3).trees
    3
    >>> Plan(trees=0)
    Traceback (most recent call last):
    dtviz.data.dataset.DataError: `trees` must be a whole number from 1 to 1000; not 0
    """

    kind: str = "forest"  # a name of ENSEMBLES
    trees: int = 100  # number of trees, or of rounds in boosting
    features: int | None = None  # number drawn in each node, by kinds that draw; None: the usual
    rate: float | None = None  # learning rate of boosting; None: the usual
    seed: int = 0  # equal seeds build equal ensembles

    def __post_init__(self) -> None:
        check_whole("trees", self.trees, 1, MAX_TREES)
        check_whole("seed", self.seed, 0, 10**9 - 1)
        if self.features is not None:
            check_whole("features", self.features, 1, 10**6)
        if self.rate is not None and (type(self.rate) is not float or not 0 < self.rate <= 1):
            raise DataError(f"`rate` must lie above 0 and be at most 1; not {self.rate!r}", "rate")


def check_member(member: int, n_trees: int) -> None:
    """Raise DataError if an ensemble of `n_trees` trees has no member of that number."""
    if not 0 <= member < n_trees:
        requirement = f"be below {n_trees:,}, the trees there are; not {member:,}"
        raise DataError(f"`member` must {requirement}", "member")


class Combiner(NamedTuple):
    """A rule that combines the predictions of trees into scores, (S, r), for r rows."""

    add: Callable[[Floats, int, Floats, Floats], None]
    """Adds the predictions of a tree, (r,), times factors, (r,), to the score of its index."""
    class_shares: Callable[[Floats], Floats] | None
    """Class shares of scores, (S, r) -> (K, r); None for regression."""
    predicted_numbers: Callable[[Floats], Floats] | None = None
    """Predicted numbers of scores, (S, r) -> (r,); None for classes."""
    is_sum: bool = False  # True if the trees' predictions are parts of a sum, as in boosting
    name: str = ""  # name in an export
    reads_leaves: bool = False
    """True if `add` takes the node indices of the leaves in place of the predictions."""


def _vote(scores: Floats, _index: int, prediction: Floats, factors: Floats) -> None:
    scores[prediction.astype(int), np.arange(len(prediction))] += factors


def _vote_shares(scores: Floats) -> Floats:
    total = scores.sum(axis=0)
    return np.asarray(np.divide(scores, total, out=np.zeros(scores.shape), where=total > 0))


def _average(scores: Floats, _index: int, prediction: Floats, factors: Floats) -> None:
    scores += factors * np.array([prediction, np.ones(len(prediction))])


def _mean(scores: Floats) -> Floats:
    out = np.full(scores.shape[1], np.nan)
    np.divide(scores[0], scores[1], out=out, where=scores[1] > 0)
    return out


def _add(scores: Floats, index: int, prediction: Floats, factors: Floats) -> None:
    scores[index] += factors * prediction


def _first_score(scores: Floats) -> Floats:
    return np.asarray(scores[0])


def _softmax(scores: Floats) -> Floats:
    """Class shares of logits: log-odds of the second of two classes, or one score a class."""
    logits = np.array([np.zeros(scores.shape[1]), scores[0]]) if len(scores) == 1 else scores
    odds = np.exp(logits - logits.max(axis=0))
    return np.asarray(odds / odds.sum(axis=0))


VOTE = Combiner(_vote, _vote_shares, name="vote")
"""Each tree votes for the class that it predicts."""
MEAN = Combiner(_average, None, _mean, name="mean")
"""Mean of the trees' predictions: the scores are their sum and their number."""
SUM = Combiner(_add, None, _first_score, is_sum=True, name="sum")
"""Sum of the trees' predictions."""
LOGITS = Combiner(_add, _softmax, is_sum=True, name="logits")
"""Sums of the trees' predictions as logits of the classes."""


def mean_shares(members: TreeArrays) -> Combiner:
    """Mean of the class shares in the leaves, as in scikit-learn's forests and bagging."""
    shares = _vote_shares(members.sums.T)

    def add_shares(scores: Floats, _index: int, leaves: Floats, factors: Floats) -> None:
        scores += factors * shares.take(leaves.astype(int), axis=1)

    return Combiner(add_shares, _vote_shares, name="shares", reads_leaves=True)


@dataclass(frozen=True, slots=True, eq=False)
class Ensemble:
    """T trees that predict together, built in R rounds on n rows."""

    plan: Plan  # the settings it was built by
    data: Dataset  # the rows it was built on
    members: TreeArrays  # the trees
    combiner: Combiner  # how the trees' predictions are combined
    member_factor: Floats  # factor of each member in the scores, (T,)
    initial_scores: Floats  # scores before the first round, (S,)
    round_of_member: Ints  # round of each member, ascending from 0, (T,)
    score_index: Ints  # index of the score that each member adds to, below S, (T,)
    row_emphasis: Floats | None = None
    """Row weights (AdaBoost) or residuals (gradient boosting; of several the largest size) that the
    trees of each round were grown on, (R, n); None where rounds do not depend on earlier ones."""

    def __post_init__(self) -> None:
        lock_arrays(self)

    @property
    def rounds(self) -> int:
        """Number of rounds: fewer than planned where boosting ended early."""
        return int(self.round_of_member[-1]) + 1


def averaging_ensemble(plan: Plan, members: TreeArrays) -> Ensemble:
    """Ensemble of independent trees: the mean of their class shares, or of their numbers."""
    n_classes, member_ids = len(members.data.classes), np.arange(len(members))
    return Ensemble(
        plan=plan,
        data=members.data,
        members=members,
        combiner=mean_shares(members) if n_classes else MEAN,
        member_factor=np.ones(len(members)),
        initial_scores=np.zeros(n_classes or 2),
        round_of_member=member_ids,
        score_index=np.zeros_like(member_ids),
    )


@dataclass(frozen=True, slots=True)
class EnsembleKind:
    """A kind of ensemble: its texts, its usual settings and how it is built."""

    name: str  # name in plans and addresses
    title: str  # name that users read
    about: str  # sentence that tells users how it is built
    tasks: tuple[Task, ...]  # tasks that it suits
    build: Callable[[Dataset, Rules, Plan], Slices[Ensemble]]
    """Builds an ensemble; yields the share done."""
    data_of_member: Callable[[Dataset, Rules, Plan, int], Dataset]
    """Rows that a member is grown on, with their weights and targets. Raises DataError."""
    depth: int | None = None  # usual max_depth of the trees; None: no limit
    features: Callable[[int], int] | None = None
    """Usual number of features that a node draws, by the number of all; None: a node tries all."""
    rate: float | None = None  # usual learning rate; None: the kind has none
    bagged: bool = False  # True if trees have out-of-bag rows
    emphasis_text: str = ""  # meaning of a point's size, see Ensemble.row_emphasis; '': none


def member_values(ensemble: Ensemble, columns: Floats, member_ids: Ints | None = None) -> Floats:
    """Values that the combiner takes from members (all by default): (M, r) -> (T, r)."""
    read = leaf_indices if ensemble.combiner.reads_leaves else predictions
    return np.asarray(read(ensemble.members, columns, member_ids), np.float64)


def scores_by_round(
    ensemble: Ensemble, values_of_members: Floats, member_mask: Bools | None = None
) -> Iterator[Floats]:
    """Generate the scores of r rows after each round, (S, r), from `member_values`, (T, r).

    `member_mask`, (T, r), says which members count for which rows: all by default. The same array
    is yielded each time and changed afterwards: copy it to keep it.
    """
    scores = np.repeat(ensemble.initial_scores[:, None], values_of_members.shape[1], axis=1)
    for member, values in enumerate(values_of_members):
        factors = np.full(len(values), ensemble.member_factor[member])
        if member_mask is not None:
            factors *= member_mask[member]
        ensemble.combiner.add(scores, int(ensemble.score_index[member]), values, factors)
        if (
            member + 1 == len(values_of_members)
            or ensemble.round_of_member[member + 1] > ensemble.round_of_member[member]
        ):
            yield scores


def predictions_of_scores(ensemble: Ensemble, scores: Floats) -> Floats:
    """Predictions of scores, (S, r) -> (r,): class codes, the first of tied classes, or numbers."""
    data, combiner = ensemble.data, ensemble.combiner
    if combiner.class_shares is None:
        assert combiner.predicted_numbers is not None
        return combiner.predicted_numbers(scores)
    shares = combiner.class_shares(scores)
    if data.costs is not None:
        return least_cost_class(shares.T, data.costs).astype(np.float64)
    lowest_tied = shares.max(axis=0) * (1 - ROUNDING)
    return np.asarray((shares >= lowest_tied).argmax(axis=0), np.float64)


def scores_of(ensemble: Ensemble, columns: Floats) -> Floats:
    """Scores of rows after all rounds, (M, r) -> (S, r)."""
    *_, last = scores_by_round(ensemble, member_values(ensemble, columns))
    return last


def bootstrap_counts(n: int, trees: int, seed: int) -> NDArray[np.int16]:
    """Bootstrap: how often each of n rows is drawn for each tree, by n draws with replacement.

    Shape (T, n). The draws of a tree do not depend on the number of trees.
    """
    return np.array([_bootstrap_of_tree(n, seed, tree) for tree in range(trees)], np.int16)


def _bootstrap_of_tree(n: int, seed: int, tree: int) -> Ints:
    row_ids = np.random.default_rng([seed, tree]).integers(0, n, n)
    return np.bincount(row_ids, minlength=n)


def _data_of_member(
    data: Dataset, _rules: Rules, plan: Plan, member: int, *, is_bootstrap: bool
) -> Dataset:
    """Rows that an independent member is grown on: all, or a bootstrap. Raises DataError."""
    check_member(member, plan.trees)
    weights = (
        _bootstrap_of_tree(data.n, plan.seed, member) if is_bootstrap else np.ones(data.n, int)
    )
    return member_data(data, weights)


def seeds_of(plan: Plan) -> list[int]:
    """Seeds of the draws in the nodes of each tree."""
    return [plan.seed * 1_000_003 + tree for tree in range(plan.trees)]


def _build_independent(
    data: Dataset,
    rules: Rules,
    plan: Plan,
    *,
    draws_features: bool,
    random_threshold: bool,
    is_bootstrap: bool,
) -> Slices[Ensemble]:
    """Build an ensemble of trees that do not depend on each other; yields the share done."""
    weights = np.ones((plan.trees, data.n), np.int16)
    if is_bootstrap:
        weights = bootstrap_counts(data.n, plan.trees, plan.seed)
    n_features = len(data.features)
    n_drawn = min(plan.features or default_max_features(n_features), n_features)
    node_draws = Draws(n_drawn, random_threshold) if draws_features else None
    members = yield from grow_together(data, rules, weights, node_draws, seeds_of(plan))
    member_ids = np.arange(plan.trees)
    return Ensemble(
        plan=plan,
        data=data,
        members=members,
        combiner=VOTE if data.classes else MEAN,
        member_factor=np.ones(plan.trees),
        initial_scores=np.zeros(len(data.classes) or 2),
        round_of_member=member_ids,
        score_index=np.zeros_like(member_ids),
    )


BAGGING = EnsembleKind(
    "bagging",
    "Bagging",
    "Each tree gets its own sample of rows, drawn with replacement. The vote of all, or "
    "their mean, is steadier than any one of them.",
    ("classification", "regression"),
    partial(_build_independent, draws_features=False, random_threshold=False, is_bootstrap=True),
    partial(_data_of_member, is_bootstrap=True),
    bagged=True,
)
FOREST = EnsembleKind(
    "forest",
    "Random forest",
    "Each tree gets its own sample of rows, each node its own choice of features, so that "
    "the trees make different mistakes.",
    ("classification", "regression"),
    partial(_build_independent, draws_features=True, random_threshold=False, is_bootstrap=True),
    partial(_data_of_member, is_bootstrap=True),
    features=default_max_features,
    bagged=True,
)
EXTRA_TREES = EnsembleKind(
    "extra_trees",
    "Extra trees",
    "Each tree gets all rows. Each node draws some features, and of each a single threshold, "
    "at random between its least and largest value.",
    ("classification", "regression"),
    partial(_build_independent, draws_features=True, random_threshold=True, is_bootstrap=False),
    partial(_data_of_member, is_bootstrap=False),
    features=default_max_features,
)


MIN_CURVATURE = 1e-150
"""Sum of second derivatives up to which a leaf predicts 0 instead of a Newton step: all its rows
are predicted with certainty already."""


def _boosted_ensemble(
    plan: Plan,
    data: Dataset,
    parts: list[TreeArrays],
    combiner: Combiner,
    factors: list[float],
    initial_scores: Floats,
    row_emphasis: list[Floats],
) -> Ensemble:
    """The ensemble of rounds with the same number of trees each.

    `parts` has the trees of each round, `factors` their factor in the scores.
    """
    trees_a_round = len(parts[0])
    return Ensemble(
        plan=plan,
        data=data,
        members=concatenate_trees(parts),
        combiner=combiner,
        member_factor=np.repeat(factors, trees_a_round),
        initial_scores=initial_scores,
        round_of_member=np.arange(len(parts)).repeat(trees_a_round),
        score_index=np.tile(np.arange(trees_a_round), len(parts)),
        row_emphasis=np.array(row_emphasis),
    )


def _data_of_round(
    build: Callable[[Dataset, Rules, Plan], Slices[Ensemble]],
    data: Dataset,
    rules: Rules,
    plan: Plan,
    member: int,
) -> Dataset:
    """Rows that a member was grown on; builds all rounds up to its own. Raises DataError."""
    plan_to_member = replace(plan, trees=min(plan.trees, member + 1))
    members = run_to_end(build(data, rules, plan_to_member)).members
    check_member(member, len(members))
    return members.data_of(member)


# --- AdaBoost -------------------------------------------------------------------------------------


def _build_adaboost(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """AdaBoost (SAMME): rows that a tree predicts wrong have more weight for the next tree.

    A tree has rate (log((1 - error) / error) + log(K - 1)) votes for its class. Boosting ends after
    a tree without an error, or where a tree is no better than chance.
    """
    rate, chance = plan.rate or ADABOOST.rate or 1.0, 1 - 1 / len(data.classes)
    unweighted = replace(data, weights=None)
    weights = np.ones(data.n) if data.weights is None else data.weights
    weights = weights / weights.sum()
    parts, factors, row_weights = list[TreeArrays](), list[float](), list[Floats]()
    for round_ in range(plan.trees):
        tree = run_to_end(grow_together(unweighted, rules, weights[None]))
        wrong = predictions(tree, data.columns)[0] != data.y
        error = float(weights[wrong].sum() / weights.sum())
        if error >= chance and parts:
            break
        parts.append(tree)
        row_weights.append(weights)
        if error <= 0 or error >= chance:
            factors.append(1.0)
            break
        log_odds = np.log((1 - error) / error) + np.log(len(data.classes) - 1)
        factors.append(float(rate * log_odds))
        weights = weights * np.exp(factors[-1] * wrong)
        weights = weights / weights.sum()
        yield (round_ + 1) / plan.trees
    return _boosted_ensemble(
        plan, data, parts, VOTE, factors, np.zeros(len(data.classes)), row_weights
    )


# --- gradient boosting ----------------------------------------------------------------------------


def _build_gradient_boosting(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
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
    start = initial_scores(data)
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
    combiner, factors = (LOGITS if data.classes else SUM), [rate] * len(parts)
    return _boosted_ensemble(plan, data, parts, combiner, factors, start, row_residuals)


def initial_scores(data: Dataset) -> Floats:
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
    trees: TreeArrays, leaves: Ints, residuals: Floats, curvature: Floats, weights: Floats
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
    "Rows that earlier trees got wrong weigh more for the next tree. Better trees have more votes.",
    ("classification",),
    _build_adaboost,
    partial(_data_of_round, _build_adaboost),
    depth=1,
    rate=1.0,
    emphasis_text="its row weighs for the next tree",
)
GRADIENT = EnsembleKind(
    "gradient",
    "Gradient boosting",
    "Each tree grows on what is left to explain, and a small part of it is added. What is left: by "
    "squared error for numbers, by log loss for classes.",
    ("classification", "regression"),
    _build_gradient_boosting,
    partial(_data_of_round, _build_gradient_boosting),
    depth=3,
    rate=0.1,
    emphasis_text="what is left of its row to explain",
)
