"""Import of fitted models of other libraries: the right importer is found by the model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from dtviz.base.text import short_repr
from dtviz.data.dataset import DataError
from dtviz.models.importers.boosted import from_lightgbm, from_xgboost
from dtviz.models.importers.pipelines import last_step
from dtviz.models.importers.sklearn import KINDS, from_sklearn
from dtviz.models.model import Model


def from_fitted(
    fitted: Any, X: Any, y: ArrayLike | None, member: Any = None, sample_weight: Any = None
) -> Model:
    """Import a tree of scikit-learn, LightGBM or XGBoost, or from a dump of one of the latter two.

    `fitted` may be a pipeline or search that ends with one. X, y and `sample_weight` are the rows
    that the model was fitted to; `member` says which tree of an ensemble. Raises DataError for any
    other model, and where X or y is None.
    """
    if X is None or y is None:
        raise DataError("`X` and `y` must be the rows that the model was fitted to; not None")
    final_model, _ = last_step(fitted)
    for recognizes, read in IMPORTERS:
        if recognizes(final_model):
            arguments = {} if member is None else {"member": member}
            return read(fitted, X, y, **arguments, sample_weight=sample_weight)
    raise DataError(
        "`model` must be a Model, a fitted tree or ensemble of scikit-learn, or a booster of "
        f"LightGBM or XGBoost; not {short_repr(fitted)}"
    )


IMPORTERS: tuple[tuple[Callable[[Any], bool], Callable[..., Model]], ...] = (
    (lambda fitted: any(kind.recognizes(fitted) for kind in KINDS), from_sklearn),
    (lambda fitted: hasattr(fitted, "save_raw") or hasattr(fitted, "get_booster"), from_xgboost),
    (lambda fitted: hasattr(fitted, "dump_model") or hasattr(fitted, "booster_"), from_lightgbm),
    (lambda fitted: isinstance(fitted, dict) and "learner" in fitted, from_xgboost),
    (lambda fitted: isinstance(fitted, dict) and "tree_info" in fitted, from_lightgbm),
)
"""Functions that recognize a model, each with the importer that reads it; the first match counts.

The order matters: a booster of XGBoost has a `dump_model` too, as one of LightGBM.
"""
