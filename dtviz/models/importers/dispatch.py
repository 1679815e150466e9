"""A model fitted elsewhere, whatever library it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from dtviz.base.text import shown
from dtviz.data.dataset import DataError
from dtviz.models.importers.boosted import from_lightgbm, from_xgboost
from dtviz.models.importers.sklearn import KINDS, from_sklearn
from dtviz.models.model import Model


@dataclass(frozen=True, slots=True)
class Library:
    """A library: how what it fitted is known, and what reads it."""

    knows: Callable[[Any], bool]
    read: Callable[..., Model]


def from_fitted(
    fitted: Any, X: Any, y: ArrayLike | None, member: Any = None, sample_weight: Any = None
) -> Model:
    """The tree of a model of scikit-learn, LightGBM or XGBoost, or of a dump of the latter two.

    Raises DataError where it is none of these, or X or y is lacking.
    """
    if X is None or y is None:
        raise DataError("`X` and `y` must be the rows that the model was fitted to; not None")
    for library in LIBRARIES:
        if library.knows(fitted):
            named = {} if member is None else {"member": member}
            return library.read(fitted, X, y, **named, sample_weight=sample_weight)
    raise DataError(
        "`model` must be a Model, a fitted tree or ensemble of scikit-learn, or a booster of "
        f"LightGBM or XGBoost; not {shown(fitted)}"
    )


LIBRARIES = (
    Library(lambda one: any(kind.knows(one) for kind in KINDS), from_sklearn),
    Library(lambda one: hasattr(one, "save_raw") or hasattr(one, "get_booster"), from_xgboost),
    Library(lambda one: hasattr(one, "dump_model") or hasattr(one, "booster_"), from_lightgbm),
    Library(lambda one: isinstance(one, dict) and "learner" in one, from_xgboost),
    Library(lambda one: isinstance(one, dict) and "tree_info" in one, from_lightgbm),
)
"""The first that knows a model reads it; XGBoost's booster has a `dump_model` too."""
