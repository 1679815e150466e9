"""Many trees that predict together: `forest` grows them, `Forest` predicts, judges and explains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.lazy import once
from dtviz.base.progress import Slices, finished, within
from dtviz.base.text import count, shown
from dtviz.data.dataset import DataError, Dataset, take
from dtviz.data.frames import AnyFrame, any_frame
from dtviz.data.weights import own_weights
from dtviz.engine.ensembles import (
    ENSEMBLES,
    Ensemble,
    Kind,
    Plan,
    build,
    decided,
    kind_of,
    scores_of,
)
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepared, suited
from dtviz.engine.tree import stump
from dtviz.evaluate.stability import impurity_worth, out_of_bag, permutation_worth, staged
from dtviz.explain.export_ensemble import export_all
from dtviz.models.model import Model, accuracy_or_r2, data_of, in_classes, rules_of

MOST_ASKED = 1_000
"""Rows by which `importances` permutes: of more an even choice."""


@dataclass(frozen=True, eq=False)
class Forest:
    """An ensemble with the data and the rules it was grown by."""

    data: Dataset
    rules_used: Rules
    ensemble: Ensemble

    def __repr__(self) -> str:
        size = f"{count(len(self), 'tree')}, {count(self.data.n, 'row')}"
        return f"Forest({self.rules_used.criterion}, {size})"

    def __len__(self) -> int:
        """How many trees it has."""
        return len(self.ensemble.members)

    def predict(self, frame: AnyFrame | Dataset) -> NDArray[Any]:
        """What the trees predict of each row together, as `Model.predict` says it; (n,)."""
        return in_classes(self.data, self._predicted(frame))

    def predict_proba(self, frame: AnyFrame | Dataset) -> NDArray[np.float64]:
        """The shares of the classes, (n, K): of the votes, or what gradient boosting sums up to.

        Raises ValueError for regression.
        """
        shares = self.ensemble.way.shares
        if shares is None:
            raise ValueError("`predict_proba` needs classes; these trees predict a number")
        return shares(scores_of(self.ensemble, self._rows.columns_of(frame))).T

    def score(self, frame: AnyFrame | Dataset) -> float:
        """Accuracy, or R^2, on rows with their target, as `Model.score`; raises DataError."""
        frame = any_frame(frame)
        predicted, truth = self._predicted(frame), self._rows.truth_of(frame)
        if not len(truth):
            raise DataError("a score needs at least one row; not none")
        weights = own_weights(frame) if isinstance(frame, Dataset) else None
        return accuracy_or_r2(self.data, predicted, truth, weights)

    def model(self, tree: int) -> Model:
        """One of its trees, with the rows and weights it grew on. Raises IndexError."""
        members = self.ensemble.members
        if not 0 <= tree < len(members):
            raise IndexError(f"`tree` must be from 0 to {len(members) - 1}; not {shown(tree)}")
        return Model(members.data_of(tree), members.rules, members.log(tree), members.tree(tree))

    def export(self, kind: str) -> str:
        """The whole ensemble as 'python' or 'json'; one of its trees: `model(k).export(kind)`."""
        return export_all(self.ensemble, kind)

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """Of which features a row may lack the value: as in a `Model`."""
        return self._rows.may_lack

    def errors(self, frame: Dataset | None = None) -> pd.DataFrame:
        """The error after each round, one row a round.

        Columns `training`, `out_of_bag` and its `band` (one standard error; NaN where no row is
        out of a bag), and `held_out` with its `held_out_band` on the rows of `frame`.
        """
        return finished(self.judging(frame))

    def judging(self, frame: Dataset | None = None) -> Slices[pd.DataFrame]:
        """The `errors` in slices."""
        told = out_of_bag(self.ensemble)
        asked = (None,) if told is None else (None, told)
        end = 1.0 if frame is None else 0.5
        own, *out = yield from within(staged(self.ensemble, self.data, asked), 0.0, end)
        nothing = np.full(len(own.error), np.nan)
        bagged = out[0] if out else (nothing, nothing)
        columns = {"training": own.error, "out_of_bag": bagged[0], "band": bagged[1]}
        if frame is not None:
            rows = self._as_grown(frame)
            (held,) = yield from within(staged(self.ensemble, rows), end, 1.0)
            columns |= {"held_out": held.error, "held_out_band": held.band}
        return pd.DataFrame(columns, index=pd.RangeIndex(1, len(own.error) + 1, name="trees"))

    def importances(self, repeats: int = 5, seed: int = 0) -> pd.DataFrame:
        """What each feature is worth, one row a feature in the data's order.

        `impurity` is the share of the impurity that its splits take away, as scikit-learn has it.
        `permutation` is how much the error rises once its column is permuted (the mean of so many
        `repeats`, `spread` their standard deviation): out of bag, or on the training rows where no
        row is out of a bag; of many rows by MOST_ASKED.
        """
        return finished(self.weighing(repeats, seed))

    def weighing(self, repeats: int = 5, seed: int = 0) -> Slices[pd.DataFrame]:
        """The `importances` in slices."""
        data, told = self.data, out_of_bag(self.ensemble)
        rows = np.linspace(0, data.n - 1, min(data.n, MOST_ASKED)).astype(np.intp)
        random = np.random.default_rng(seed)
        orders = [[random.permutation(len(rows)) for _ in range(repeats)] for _ in data.features]
        asked = None if told is None else told[:, rows]
        some = take(data, rows)
        worth = yield from permutation_worth(self.ensemble, some, np.array(orders), asked)
        return pd.DataFrame(
            {
                "impurity": impurity_worth(self.ensemble),
                "permutation": worth.mean(axis=1),
                "spread": worth.std(axis=1),
            },
            index=pd.Index(data.features, name="feature"),
        )

    @once
    def _rows(self) -> Model:
        """The root alone: it knows how tables become columns."""
        return Model(self.data, self.rules_used, (), stump(Problem(self.data, self.rules_used)))

    def _predicted(self, frame: AnyFrame | Dataset) -> Floats:
        return decided(self.ensemble, scores_of(self.ensemble, self._rows.columns_of(frame)))

    def _as_grown(self, frame: Dataset) -> Dataset:
        """Rows of another Dataset with the features as these trees know them."""
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
    """The ensemble that `rules` grow on `data`: as many `trees`, or rounds one after another.

    `kind` is 'forest', 'bagging', 'extra_trees', 'adaboost' or 'gradient'. `features` are drawn in
    each node of a forest or of extra trees, the square root of all by default. `rate` shrinks what
    each round of boosting adds: 1 for AdaBoost and 0.1 for gradient boosting by default, whose
    trees are 1 and 3 deep where the rules set no `max_depth`. Equal seeds grow equal trees. Raises
    DataError, and RulesError when the criterion does not suit the task.
    """
    plan = Plan(kind, trees, features, None if rate is None else float(rate), seed)
    return finished(growing(data, rules, plan))


def growing(data: Dataset, rules: Rules | None, plan: Plan) -> Slices[Forest]:
    """What `forest` grows, in slices."""
    data = data_of(data)
    rules = suited(rules_of(rules, data), data)
    _need_sense(plan, kind_of(plan, data.task), len(data.features))
    data = prepared(data, rules)
    return Forest(data, rules, (yield from build(data, rules, plan)))


def _need_sense(plan: Plan, kind: Kind, many: int) -> None:
    """Raises DataError where the kind knows nothing of what was asked, or lacks the features."""
    for name in ("features", "rate"):
        if getattr(plan, name) is not None and getattr(kind, name) is None:
            able = [one.name for one in ENSEMBLES.values() if getattr(one, name) is not None]
            raise DataError(f"`{name}` is for {', '.join(able)}; not for {kind.name}", name)
    if plan.features is not None and plan.features > many:
        told = f"the {count(many, 'feature')} there are"
        raise DataError(f"`features` must be at most {told}; not {plan.features:,}", "features")
