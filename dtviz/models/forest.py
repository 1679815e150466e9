"""An ensemble as Python users hold it: `forest` grows it, `Forest` predicts and explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.lazy import lazy_property, pd
from dtviz.base.progress import Slices, run_to_end, scaled_progress
from dtviz.base.text import count, short_repr
from dtviz.data.dataset import DataError, Dataset, take_rows
from dtviz.data.frames import AnyFrame
from dtviz.engine import ensembles
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, check_rules, prepare_data
from dtviz.engine.tree import root_tree
from dtviz.evaluate import stability
from dtviz.explain.export import export_ensemble
from dtviz.models.model import Model, accuracy_or_r2, data_of, in_classes, rules_of

MAX_ROWS_PERMUTED = 1_000
"""Limit of rows for permutation importance; of more rows, rows at even distances are used."""


@dataclass(frozen=True, eq=False)
class Forest:
    """A grown ensemble with its data and rules."""

    data: Dataset  # rows that the trees were grown on
    rules_used: Rules  # settings of growth of each tree
    ensemble: ensembles.Ensemble  # the trees and the combiner of their predictions

    def __repr__(self) -> str:
        size = f"{count(len(self), 'tree')}, {count(self.data.n, 'row')}"
        return f"Forest({self.rules_used.criterion}, {size})"

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.ensemble.members)

    def predict(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """The common prediction of the trees for each row, (n,), in the form of `Model.predict`."""
        return in_classes(self.data, self._predictions(self._root_model.columns_of(frame)))

    def predict_proba(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The class shares of each row, (n, K): of the votes, or by softmax in gradient boosting.

        Raises ValueError for regression.
        """
        shares = self.ensemble.combiner.class_shares
        if shares is None:
            raise ValueError("`predict_proba` needs classes; these trees predict a number")
        return shares(ensembles.scores_of(self.ensemble, self._root_model.columns_of(frame))).T

    def score(self, frame: AnyFrame | Dataset) -> float:
        """Accuracy, or R^2, on rows with their target, as `Model.score`; raises DataError."""
        return accuracy_or_r2(self.data, *self._root_model.judged(frame, self._predictions))

    def model(self, tree: int) -> Model:
        """One of the trees, with the rows and weights that it was grown on; raises IndexError."""
        members = self.ensemble.members
        if not 0 <= tree < len(members):
            raise IndexError(f"`tree` must be from 0 to {len(members) - 1}; not {short_repr(tree)}")
        return Model(members.data_of(tree), members.rules, members.log(tree), members.tree(tree))

    def export(self, kind: str) -> str:
        """The ensemble as 'python' or 'json'; for one of its trees use `model(k).export(kind)`."""
        return export_ensemble(self.ensemble, kind)

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """True for each feature that a row may have no value of, as in a `Model`."""
        return self._root_model.may_lack

    def errors(self, frame: Dataset | None = None) -> pd.DataFrame:
        """The error after each round, one row a round.

        Columns are `training`, `out_of_bag` and `band`; with a `frame` also `held_out` and
        `held_out_band`, for its rows. A band is one standard error. Out-of-bag errors are NaN
        where no row is out of a bag.
        """
        return run_to_end(self.errors_in_slices(frame))

    def errors_in_slices(self, frame: Dataset | None = None) -> Slices[pd.DataFrame]:
        """The `errors` in slices."""
        mask = stability.out_of_bag(self.ensemble)
        masks = (None,) if mask is None else (None, mask)
        end = 1.0 if frame is None else 0.5
        training, *others = yield from scaled_progress(
            stability.round_errors(self.ensemble, self.data, masks), 0.0, end
        )
        all_nan = np.full(len(training.error), np.nan)
        oob_error, oob_band = others[0][:2] if others else (all_nan, all_nan)
        columns = {"training": training.error, "out_of_bag": oob_error, "band": oob_band}
        if frame is not None:
            rows = self._check_dataset(frame)
            (held,) = yield from scaled_progress(
                stability.round_errors(self.ensemble, rows), end, 1.0
            )
            columns |= {"held_out": held.error, "held_out_band": held.band}
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(all_nan) + 1, name="trees"))

    def importances(self, repeats: int = 5, seed: int = 0) -> pd.DataFrame:
        """The importance of each feature, one row a feature in the order of the data.

        Column `impurity` is the share of the impurity that the splits of a feature take away, as in
        scikit-learn. `permutation` is the rise of the error when the column of a feature is
        permuted, a mean over `repeats` permutations; `spread` is the standard deviation of these
        rises. The error is out of bag, or on the training rows where no row is out of a bag. Of
        more than MAX_ROWS_PERMUTED rows, rows at even distances are used.
        """
        return run_to_end(self.importances_in_slices(repeats, seed))

    def importances_in_slices(self, repeats: int = 5, seed: int = 0) -> Slices[pd.DataFrame]:
        """The `importances` in slices."""
        data, mask = self.data, stability.out_of_bag(self.ensemble)
        rows = np.linspace(0, data.n - 1, min(data.n, MAX_ROWS_PERMUTED)).astype(int)
        random = np.random.default_rng(seed)
        orders = [[random.permutation(len(rows)) for _ in range(repeats)] for _ in data.features]
        mask = None if mask is None else mask[:, rows]
        importance = yield from stability.permutation_importances(
            self.ensemble, take_rows(data, rows), np.array(orders), mask
        )
        return pd.DataFrame(
            {
                "impurity": stability.impurity_importances(self.ensemble),
                "permutation": importance.mean(axis=1),
                "spread": importance.std(axis=1),
            },
            index=pd.Index(data.features, name="feature"),
        )

    @lazy_property
    def _root_model(self) -> Model:
        """A model of the root alone, which turns tables into columns and targets."""
        return Model(self.data, self.rules_used, (), root_tree(Problem(self.data, self.rules_used)))

    def _predictions(self, columns: Floats) -> Floats:
        """The common predictions, (n,), of columns, (M, n)."""
        return ensembles.predictions_of_scores(
            self.ensemble, ensembles.scores_of(self.ensemble, columns)
        )

    def _check_dataset(self, frame: Dataset) -> Dataset:
        """Check that a Dataset has the features and classes of the trees; raises DataError."""
        other = data_of(frame)
        if (other.classes, other.features, other.levels) != (
            self.data.classes,
            self.data.features,
            self.data.levels,
        ):
            raise DataError("`frame` must have the features and classes that the trees grew on")
        return other


def forest(
    data: Dataset,
    rules: Rules | None = None,
    kind: str = "forest",
    trees: int = 100,
    features: int | None = None,
    rate: float | None = None,
    seed: int = 0,
) -> Forest:
    """Grow an ensemble of `trees` trees, or rounds of boosting, on `data` by `rules`.

    `kind` is 'forest', 'bagging', 'extra_trees', 'adaboost' or 'gradient'. `features` is the number
    of features drawn in each node of a forest or of extra trees, by default the square root of the
    number of all. `rate` is the learning rate of boosting, by default 1 for AdaBoost and 0.1 for
    gradient boosting. Where the rules set no `max_depth`, AdaBoost grows trees of depth 1, gradient
    boosting of depth 3. Equal seeds grow equal trees. Raises DataError, and RulesError when the
    criterion does not suit the task.
    """
    plan = ensembles.Plan(kind, trees, features, None if rate is None else float(rate), seed)
    return run_to_end(forest_in_slices(data, rules, plan))


def forest_in_slices(data: Dataset, rules: Rules | None, plan: ensembles.Plan) -> Slices[Forest]:
    """Grow the ensemble of a plan in slices; see `forest`."""
    data = data_of(data)
    if data.source is not None:
        raise DataError(
            "a forest is grown on rows in memory, and these stay in their engine; read a part of "
            "the table with `from_frame`"
        )
    rules = check_rules(rules_of(rules, data), data)
    _check_plan(plan, ensembles.kind_of(plan, data.task), len(data.features))
    data = prepare_data(data, rules)
    return Forest(data, rules, (yield from ensembles.build(data, rules, plan)))


def _check_plan(plan: ensembles.Plan, kind: ensembles.EnsembleKind, n_features: int) -> None:
    """Raise DataError for a setting that the kind does not use, or for too many features."""
    for name in ("features", "rate"):
        if getattr(plan, name) is not None and getattr(kind, name) is None:
            kinds = [
                each.name
                for each in ensembles.ENSEMBLES.values()
                if getattr(each, name) is not None
            ]
            raise DataError(f"`{name}` is for {', '.join(kinds)}; not for {kind.name}", name)
    if plan.features is not None and plan.features > n_features:
        limit = f"the {count(n_features, 'feature')} there are"
        raise DataError(f"`features` must be at most {limit}; not {plan.features:,}", "features")
