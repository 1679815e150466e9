"""Importer of a fitted model, which finds the library that the model comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike

from dtviz.base.text import short_repr
from dtviz.data.dataset import DataError
from dtviz.models.importers.boosted import from_lightgbm, from_xgboost
from dtviz.models.importers.sklearn import KINDS, from_sklearn
from dtviz.models.model import Model


def from_fitted(
    fitted: Any, X: Any, y: ArrayLike | None, member: Any = None, sample_weight: Any = None
) -> Model:
    """A tree of a model of scikit-learn, LightGBM or XGBoost, or of a dump of the latter two.

    Raises DataError for any other model, and where X or y is None.
    """
    if X is None or y is None:
        raise DataError("`X` and `y` must be the rows that the model was fitted to; not None")
    for is_known, read in IMPORTERS:
        if is_known(fitted):
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
"""The first that knows a model reads it; XGBoost's booster has a `dump_model` too."""
