"""Importer of trees of scikit-learn, and of members of its ensembles.

The public attributes of a fitted model are read, such as `tree_` and `estimators_`; scikit-learn is
not imported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.lazy import pd
from dtviz.base.text import count, quoted, quoted_names, short_repr
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.engine.criteria.criteria import ALIASES, CRITERIA
from dtviz.engine.ensembles import Ensemble, Plan, predictions_of_scores, scores_of
from dtviz.engine.ensembles.ensemble import MAX_TREES, averaging_ensemble
from dtviz.engine.ensembles.trees import arrays_of_trees, member_data
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Log, fold
from dtviz.models.importers.boosted import GRADIENTS
from dtviz.models.importers.foreign_tree import (
    MAX_IMPURITY_ERROR,
    OTHER_TARGET,
    ForeignTree,
    codes_of,
    data_of,
    first_model,
    first_readable,
    floats_of,
    log_of,
    member_index,
    target_of,
    weights_of,
)
from dtviz.models.importers.pipelines import last_step, training_table
from dtviz.models.importers.training_table import TrainingTable
from dtviz.models.model import Model

OTHER_VALUES = f"{OTHER_TARGET}: its nodes have other values; give the same y"
Member = int | tuple[int, int] | None
"""Index of a tree of an ensemble, or (round, class) where a round has a tree a class."""


class TrainedTree(NamedTuple):
    """A tree of scikit-learn with its training rows."""

    estimator: Any
    """Fitted tree."""
    y: NDArray[Any]
    """Target, (n,)."""
    weights: Floats
    """Sample weight, (n,), 0 for rows that were not drawn."""
    columns: Ints | None = None
    """Indices of the features that were drawn for the tree; None: all."""


def from_sklearn(
    fitted: Any, X: Any, y: ArrayLike, member: Member = None, sample_weight: ArrayLike | None = None
) -> Model:
    """The model of a tree that scikit-learn grew, with the rows it was grown on.

    `fitted` is a decision tree or an ensemble of trees (random forest, extra trees, bagging,
    AdaBoost's classifier, gradient boosting). `member` is the index of one of its trees, or
    (round, class) where a round has several. X has shape (n, M), y and `sample_weight` (n,). The
    target of a member of gradient boosting is the negative gradient of the loss, to which it was
    fitted. The rows that a forest or bagging drew are in the weights.

    `fitted` may also be a pipeline that ends with one of these, or a search such as GridSearchCV,
    whose best estimator is read. X has the columns that the pipeline takes, and splits are said in
    them: `sex = female`, not `x3 <= 0.5`. Steps may be those of `pipelines.TRANSFORMERS`: scalers,
    imputers, encoders of categories, selections, and what puts them together. After any other step
    splits are in the columns that the pipeline makes, and a note of the dataset says so.

    Where categories go that no row of the tree has, the pipeline decides; where it refuses them,
    they go right here. A split that sends such categories left in scikit-learn has its sides
    exchanged here. Where no row lacks a value, rows without one are refused.

    Raises DataError for another model, and where these are not the rows it was fitted to.

    >>> from sklearn.compose import make_column_transformer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import OneHotEncoder
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X = pd.DataFrame({"sex": ["female", "male", "female", "male"], "age": [30, 40, 50, 4]})
    >>> y = ["yes", "no", "yes", "yes"]
    >>> encode = make_column_transformer((OneHotEncoder(), ["sex"]), remainder="passthrough")
    >>> pipeline = make_pipeline(encode, DecisionTreeClassifier(random_state=0)).fit(X, y)
    >>> for rule in from_sklearn(pipeline, X, y).rules():
    ...     print(rule)
    sex = female -> yes (2 rows)
    age <= 22 and sex ≠ female -> yes (1 row)
    age > 22 and sex ≠ female -> no (1 row)
    """
    given, (fitted, transformers) = fitted, last_step(fitted)
    kind = _kind_of(fitted, given)
    rows = _rows_of(fitted, transformers, X, y, sample_weight)
    trained_trees = kind.read_member(fitted, rows.numbers, rows.y, rows.weights, member)
    return first_model(partial(_model, trained, rows) for trained in trained_trees)


class TrainingRows(NamedTuple):
    """The rows that a model was fitted to."""

    table: TrainingTable
    """Features."""
    y: NDArray[Any]
    """Target, (n,)."""
    weights: Floats
    """Sample weight, (n,)."""
    name: Any
    """Name of the target; None if it has none."""

    @property
    def numbers(self) -> pd.DataFrame:
        """Numbers that the trees read, (n, K)."""
        return self.table.numbers

    def target(self, y: NDArray[Any]) -> pd.Series[Any]:
        """A target of these rows with their name."""
        return pd.Series(y, name=self.name)


def _kind_of(fitted: Any, given: Any) -> ModelKind:
    """The kind of a fitted model; raises DataError, which names what was given, for another one."""
    kind = next((kind for kind in KINDS if kind.recognizes(fitted)), None)
    if kind is None:
        raise DataError(f"`fitted` must be one of {KIND_NAMES}, fitted; not {short_repr(given)}")
    if getattr(fitted, "n_outputs_", 1) > 1:
        raise DataError("a tree of several targets cannot be read; fit one to each")
    return kind


def _rows_of(
    fitted: Any, transformers: Sequence[Any], X: Any, y: ArrayLike, sample_weight: ArrayLike | None
) -> TrainingRows:
    """The rows of a fitted model; raises DataError where they have other columns or classes."""
    names = getattr(fitted, "feature_names_in_", None)
    table = training_table(transformers, X, fitted.n_features_in_, names)
    n_rows = len(table.numbers)
    target, weights = target_of(y, n_rows), weights_of(sample_weight, n_rows)
    classes = getattr(fitted, "classes_", None)
    if classes is not None and classes.tolist() != codes_of(target)[0]:
        class_list = quoted_names(classes.tolist())
        raise DataError(f"`y` must have the classes that the model had: {class_list}")
    return TrainingRows(table, target, weights, getattr(y, "name", None))


def _model(trained: TrainedTree, rows: TrainingRows) -> Model:
    """The model of one tree; raises DataError where these are not its training rows."""
    estimator, table = trained.estimator, rows.table
    tree = getattr(estimator, "tree_", None)
    if tree is None:
        raise DataError(f"the members must be decision trees; not {short_repr(estimator)}")
    if np.any(getattr(estimator, "monotonic_cst", None)):
        raise DataError(
            "a tree that was held to `monotonic_cst` cannot be read: rules have no such"
        )
    foreign, numbers = _foreign_tree(tree), table.numbers
    if trained.columns is not None:
        # A feature may be drawn twice: each is one column of the frame.
        feature_ids, column_of_feature = np.unique(trained.columns, return_inverse=True)
        table, numbers = table.with_columns(feature_ids), numbers.iloc[:, feature_ids]
        foreign = replace(foreign, feature=column_of_feature[foreign.feature])
    task = _task_of(estimator)
    min_leaf = estimator.min_samples_leaf
    min_rows = (
        int(min_leaf) if isinstance(min_leaf, Integral) else math.ceil(min_leaf * len(numbers))
    )
    model = table.model_of(
        foreign,
        rows.target(trained.y),
        trained.weights,
        task,
        _criterion(estimator),
        min_samples_leaf=min_rows,
        min_weight_fraction_leaf=estimator.min_weight_fraction_leaf,
    )
    _check_values(tree, foreign, numbers.to_numpy().T, trained, task)
    return model


def _check_values(
    tree: Any, foreign: ForeignTree, columns: Floats, trained: TrainedTree, task: Task
) -> None:
    """Raise DataError where a node has other class shares, or another mean, than `tree` has."""
    tree_values = np.array(tree.value[:, 0], np.float64)
    if task == "regression" and trained.estimator.criterion == "absolute_error":
        # The impurities, which are checked already, are distances to medians. Targets that are
        # shifted have the same ones: at most half the weight is on each side of the root's median.
        sides = np.sign(floats_of(trained.y) - tree_values[0])
        weight = np.bincount((sides + 1).astype(int), trained.weights, 3)
        if max(weight[0], weight[2]) > (0.5 + MAX_IMPURITY_ERROR) * weight.sum():
            raise DataError(OTHER_VALUES)
        return
    if task == "classification":
        targets = np.eye(tree_values.shape[1])[codes_of(trained.y)[1]]
        is_compared = foreign.left >= 0  # all nodes
    else:
        targets = floats_of(trained.y)[:, None]
        is_compared = foreign.left > 0  # splits: boosting sets the values of leaves anew
    weights = trained.weights[:, None]
    sums = foreign.node_sums(columns, np.hstack([targets * weights, weights]))
    data_values = sums[:, :-1] / sums[:, -1:]
    rounding = MAX_IMPURITY_ERROR * (np.sqrt(tree.impurity[0]) + np.abs(tree_values[0]).max())
    if (np.abs(data_values - tree_values)[is_compared] > rounding).any():
        raise DataError(OTHER_VALUES)


def _foreign_tree(tree: Any) -> ForeignTree:
    """The arrays of a `tree_`, whose leaves have children -1."""
    lefts = np.array(tree.children_left)
    missing = getattr(tree, "missing_go_to_left", np.zeros(len(lefts)))
    return ForeignTree(
        np.maximum(tree.feature, 0),  # leaves have -2
        np.array(tree.threshold, np.float64),
        np.maximum(lefts, 0),
        np.maximum(tree.children_right, 0),
        np.array(missing, np.bool_),
        weight=np.array(tree.weighted_n_node_samples, np.float64),
        impurity=np.array(tree.impurity, np.float64),
    )


def _criterion(estimator: Any) -> str:
    name = str(estimator.criterion)
    if ALIASES.get(name, name) not in CRITERIA:
        raise DataError(f"the criterion {quoted(name)} is not among ours: {', '.join(CRITERIA)}")
    return name


# --- all trees of an ensemble ---------------------------------------------------------------------

MAX_CELLS_READ = 5_000_000
"""Most rows times trees of an ensemble that is read."""
MAX_NODES_READ = 50_000
"""Most nodes of all trees of an ensemble that is read."""
MAX_SHARE_ERROR = 1e-9
"""Largest difference between two class shares, or two numbers as a share of the largest one."""
AVERAGING_KINDS = {
    "RandomForestClassifier": "forest",
    "RandomForestRegressor": "forest",
    "ExtraTreesClassifier": "extra_trees",
    "ExtraTreesRegressor": "extra_trees",
    "BaggingClassifier": "bagging",
    "BaggingRegressor": "bagging",
}
"""The kind of ensemble of each class of scikit-learn that predicts by the mean of its trees."""


def can_read_ensemble(fitted: Any) -> bool:
    """True for a forest, extra trees or bagging of scikit-learn."""
    return type(fitted).__name__ in AVERAGING_KINDS and hasattr(fitted, "estimators_samples_")


def ensemble_from_sklearn(
    fitted: Any, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> Ensemble:
    """The ensemble of all trees of a fitted forest, of extra trees or of bagging.

    Its data are all rows of X, whose weights in each member tell how often that tree drew them. It
    predicts what `fitted` predicts. Raises DataError for another model, for one that is too large,
    and where these are not the rows it was fitted to.
    """
    if not can_read_ensemble(fitted):
        raise DataError(f"`fitted` must be one of {', '.join(AVERAGING_KINDS)}, fitted")
    kind, rows = _kind_of(fitted, fitted), _rows_of(fitted, (), X, y, sample_weight)
    n_trees, n_rows = len(fitted.estimators_), len(rows.numbers)
    n_nodes = sum(tree.tree_.node_count for tree in fitted.estimators_ if hasattr(tree, "tree_"))
    if n_trees > MAX_TREES or n_trees * n_rows > MAX_CELLS_READ or n_nodes > MAX_NODES_READ:
        raise DataError(
            f"it is too large to be shown whole: {count(n_trees, 'tree')} with "
            f"{count(n_nodes, 'node')} on {count(n_rows, 'row')}"
        )
    data = data_of(rows.numbers, rows.target(rows.y), None, _task_of(fitted))
    read = [
        _read_member(kind.read_member(fitted, rows.numbers, rows.y, rows.weights, member), rows)
        for member in range(n_trees)
    ]
    rules = replace(read[0][1].rules_used, max_leaf_nodes=None, order=None)
    weights = np.array([trained.weights for trained, _ in read])
    trees = (
        fold(Problem(member_data(data, trained.weights), rules), _log_on(trained, data))
        for trained, _ in read
    )
    members = arrays_of_trees(data, rules, weights, trees)
    plan = Plan(AVERAGING_KINDS[type(fitted).__name__], n_trees)
    ensemble = averaging_ensemble(plan, members)
    _check_predictions(fitted, rows, ensemble)
    return ensemble


def _task_of(fitted: Any) -> Task:
    """The task of a fitted model."""
    return "classification" if hasattr(fitted, "classes_") else "regression"


def _read_member(
    trained_trees: Sequence[TrainedTree], rows: TrainingRows
) -> tuple[TrainedTree, Model]:
    """The tree with its weights and its model, of the candidates that `read_member` returns."""

    def read(trained: TrainedTree) -> tuple[TrainedTree, Model]:
        return trained, _model(trained, rows)

    return first_readable(partial(read, trained) for trained in trained_trees)


def _log_on(trained: TrainedTree, data: Dataset) -> Log:
    """The moves of a tree on the rows and features of the whole ensemble."""
    foreign = _foreign_tree(trained.estimator.tree_)
    if trained.columns is not None:
        foreign = replace(foreign, feature=trained.columns[foreign.feature])
    return log_of(foreign, data)


def _check_predictions(fitted: Any, rows: TrainingRows, ensemble: Ensemble) -> None:
    """Raise DataError where the ensemble predicts its rows other than `fitted`."""
    data, model_input = ensemble.data, _model_input(fitted, rows.numbers)
    scores = scores_of(ensemble, data.columns)
    if data.classes:
        assert ensemble.combiner.class_shares is not None
        code_of_class = np.zeros(len(data.classes), int)
        code_of_class[codes_of(rows.y)[1]] = data.y
        expected, scale = np.asarray(fitted.predict_proba(model_input)).T, 1.0
        predicted = ensemble.combiner.class_shares(scores)[code_of_class]
    else:
        expected, scale = np.asarray(fitted.predict(model_input)), float(np.abs(data.y).max())
        predicted = predictions_of_scores(ensemble, scores)
    if not np.allclose(predicted, expected, rtol=0, atol=MAX_SHARE_ERROR * scale):
        raise DataError("its trees do not predict here what it predicts itself")


# --- kinds of models ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ModelKind:
    """A kind of fitted model."""

    name: str
    """Name in error texts."""
    recognizes: Callable[[Any], bool]
    """True for a model of this kind."""
    read_member: Callable[[Any, pd.DataFrame, NDArray[Any], Floats, Member], Sequence[TrainedTree]]
    """Returns a tree of the model with the rows it may have been grown on, the likeliest first."""


def _member_of_tree(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[TrainedTree]:
    if member is not None:
        raise DataError("one tree has no members: leave `member` out")
    class_weight = getattr(fitted, "class_weight", None)
    return [TrainedTree(fitted, y, weights * _class_weights(class_weight, y, y))]


def _member_of_forest(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[TrainedTree]:
    """A member of a forest or of bagging: a row counts as often as it was drawn.

    Sample weights multiply these counts; from scikit-learn 1.9 on they only decide how often a row
    is drawn. Both are tried.
    """
    index = member_index(member, len(fitted.estimators_))
    tree, features = fitted.estimators_[index], getattr(fitted, "estimators_features_", None)
    columns = None if features is None else np.asarray(features[index])
    is_drawn = fitted.bootstrap or features is not None
    counts = np.ones(len(y))
    if is_drawn:
        counts = np.bincount(fitted.estimators_samples_[index], minlength=len(y)).astype(float)
    class_weight = getattr(fitted, "class_weight", None)
    if class_weight == "balanced_subsample":
        counts *= _class_weights("balanced", y.repeat(counts.astype(int)), y) if is_drawn else 1
        class_weight = None if is_drawn else "balanced"
    if features is not None:
        codes = codes_of(y)[1] if hasattr(fitted, "classes_") else y  # as bagging numbers them
        counts *= _class_weights(getattr(tree, "class_weight", None), codes, codes)
    candidate_weights = [counts * weights * _class_weights(class_weight, y, y)]
    newer_weights = counts if is_drawn else weights * _class_weights(class_weight, y, y, weights)
    candidate_weights.append(newer_weights)
    return [TrainedTree(tree, y, tree_weights, columns) for tree_weights in candidate_weights]


def _member_of_adaboost(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[TrainedTree]:
    """A member of AdaBoost's classifier (SAMME): rows that earlier members got wrong weigh more."""
    index = member_index(member, len(fitted.estimators_))
    if not hasattr(fitted, "classes_"):
        raise DataError("AdaBoost's regressor does not keep which rows it drew for a member")
    weights = weights / weights.sum()
    rounds = zip(fitted.estimators_, fitted.estimator_weights_, strict=False)
    for earlier_tree, alpha in islice(rounds, index):
        is_wrong = earlier_tree.predict(_model_input(fitted, X)) != y
        weights = weights * np.exp(alpha * is_wrong)
        weights /= weights.sum()
    tree = fitted.estimators_[index]
    class_weight = getattr(tree, "class_weight", None)
    return [TrainedTree(tree, y, weights * _class_weights(class_weight, y, y))]


def _member_of_gradient(
    fitted: Any, X: pd.DataFrame, y: NDArray[Any], weights: Floats, member: Member
) -> Sequence[TrainedTree]:
    """A member of gradient boosting, grown on the negative gradient of the loss."""
    if fitted.subsample < 1:
        raise DataError("with `subsample` below 1 a booster does not keep which rows a member had")
    rounds, classes = fitted.estimators_.shape
    round_index, k = member if isinstance(member, tuple) and len(member) == 2 else (member, None)
    round_index = member_index(round_index, rounds)
    needs_class = classes > 1 or k is not None
    k = member_index(k, classes, "class, as member=(round, class)") if needs_class else 0
    tree = fitted.estimators_[round_index, k]
    if fitted.n_iter_no_change is not None and tree.tree_.n_node_samples[0] < (weights > 0).sum():
        raise DataError(
            "with `n_iter_no_change` a booster keeps rows apart, not which: give only the others"
        )
    scores = _scores_before(fitted, X, round_index)
    return [TrainedTree(tree, _gradient(fitted, y, scores, k), weights)]


KINDS = (
    ModelKind("a decision tree", lambda fitted: hasattr(fitted, "tree_"), _member_of_tree),
    ModelKind(
        "gradient boosting",
        lambda fitted: hasattr(fitted, "estimators_") and hasattr(fitted, "init_"),
        _member_of_gradient,
    ),
    ModelKind(
        "AdaBoost", lambda fitted: hasattr(fitted, "estimator_weights_"), _member_of_adaboost
    ),
    ModelKind(
        "a random forest, extra trees or bagging",
        lambda fitted: hasattr(fitted, "estimators_samples_"),
        _member_of_forest,
    ),
)
"""Kinds of models; the kind of a model is the first that recognizes it."""
KIND_NAMES = ", ".join(kind.name for kind in KINDS)


def _class_weights(
    class_weight: Any, counted_y: NDArray[Any], y: NDArray[Any], weights: Floats | None = None
) -> Floats:
    """The factor of each row's weight by its class, (n,).

    For 'balanced' the factor of class k is n / (K n_k), counted over the n rows of `counted_y`.
    """
    if class_weight is None:
        return np.ones(len(y))
    if class_weight == "balanced":
        labels, codes = codes_of(counted_y)
        counts = np.bincount(codes, weights)
        if not counts.all():
            raise DataError("with balanced classes each must weigh something")
        factors = (counts.sum() / (len(labels) * counts)).tolist()
        class_weight = dict(zip(labels, factors, strict=True))
    if not isinstance(class_weight, dict):
        raise DataError(
            "`class_weight` of the model must be 'balanced' or a dict; not "
            f"{short_repr(class_weight)}"
        )
    return np.array([class_weight.get(label, 1.0) for label in y.tolist()], np.float64)


def _model_input(fitted: Any, X: pd.DataFrame) -> Any:
    """X as the model takes it: a frame where it was fitted with names, else an array."""
    return X if hasattr(fitted, "feature_names_in_") else X.to_numpy()


def _scores_before(fitted: Any, X: pd.DataFrame, round_index: int) -> Floats:
    """The scores that gradient boosting had added up before a round, (n, K) or (n, 1)."""
    staged_scores = getattr(fitted, "staged_decision_function", fitted.staged_predict)
    stages: Iterable[Any] = staged_scores(_model_input(fitted, X))
    after = np.array(next(islice(stages, round_index, None)), np.float64).reshape(len(X), -1)
    values = X.to_numpy(np.float32)
    added = np.column_stack([tree.predict(values) for tree in fitted.estimators_[round_index]])
    return np.asarray(after - fitted.learning_rate * added)


def _gradient(fitted: Any, y: NDArray[Any], scores: Floats, k: int) -> Floats:
    """The negative gradient of the loss of class k at the scores before (Friedman 2001), (n,)."""
    if fitted.loss not in GRADIENTS:
        raise DataError(f"the loss {quoted(str(fitted.loss))} is not among {', '.join(GRADIENTS)}")
    classes = getattr(fitted, "classes_", None)
    if classes is not None:
        y = y == classes[k if len(classes) > 2 else 1]
    return GRADIENTS[fitted.loss](floats_of(y), scores, k)
