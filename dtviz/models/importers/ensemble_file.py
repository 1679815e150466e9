"""File of an ensemble that another library fitted: arrays without pickled objects.

The rows are not in the file: the table beside it has them.
"""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.data.dataset import DataError, Dataset
from dtviz.engine.ensembles import Ensemble, Plan
from dtviz.engine.ensembles.ensemble import averaging_ensemble
from dtviz.engine.ensembles.trees import TreeArrays
from dtviz.engine.rules import Rules
from dtviz.engine.splits import Axis, IsMissing, Projection, SplitColumns

NODE_ARRAYS = ("root_indices", "left", "split_index", "gain", "weight", "params", "sums")
"""Fields of TreeArrays that the file has under their names."""
RULE_NAMES = ("criterion", "min_samples_leaf", "min_weight_fraction_leaf")
"""Rules that the importer of scikit-learn reads for all trees."""
AXIS, MISSING_RIGHT, MISSING_LEFT = 0, 1, 2
"""Codes of projections: a feature; is it missing, and on which side are rows without a value."""


def write_ensemble(ensemble: Ensemble) -> bytes:
    """Write an ensemble of axis splits as npz."""
    members, splits = ensemble.members, ensemble.members.splits
    rules = {name: getattr(members.rules, name) for name in RULE_NAMES}
    settings = {"kind": ensemble.plan.kind, "trees": ensemble.plan.trees, "rules": rules}
    content = io.BytesIO()
    np.savez_compressed(
        content,
        settings=np.array(json.dumps(settings)),
        weights=_small(members.weights),
        projections=np.array([_projection_code(each) for each in splits.projections]).reshape(
            -1, 2
        ),
        line=splits.line,
        threshold=splits.threshold,
        missing_left=np.zeros(len(splits.line), np.bool_) if splits.left is None else splits.left,
        **{name: getattr(members, name) for name in NODE_ARRAYS},
    )
    return content.getvalue()


def read_ensemble(content: bytes, data: Dataset) -> Ensemble:
    """Read an ensemble on the rows that it was fitted to; raises DataError for other rows."""
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        settings: dict[str, Any] = json.loads(str(arrays["settings"]))
        if arrays["weights"].shape[1] != data.n or arrays["sums"].shape[1] != len(data.classes):
            raise DataError("these are not the rows that the ensemble was fitted to")
        members = TreeArrays(
            data=data,
            rules=Rules(**settings["rules"]),
            weights=arrays["weights"],
            splits=SplitColumns(
                tuple(_projection(*code) for code in arrays["projections"].tolist()),
                arrays["line"],
                arrays["threshold"],
                arrays["missing_left"],
            ),
            **{name: arrays[name] for name in NODE_ARRAYS},
        )
    return averaging_ensemble(Plan(settings["kind"], settings["trees"]), members)


def _small(weights: NDArray[Any]) -> NDArray[Any]:
    """The weights as short whole numbers, where they are such."""
    counts = weights.astype(np.int16)
    return counts if np.array_equal(counts, weights) else weights


def _projection_code(projection: Projection) -> tuple[int, int]:
    """The feature and the code of a projection."""
    if isinstance(projection, Axis):
        return projection.feature, AXIS
    assert isinstance(projection, IsMissing)
    (feature,) = projection.features
    return feature, MISSING_LEFT if projection.missing_left else MISSING_RIGHT


def _projection(feature: int, code: int) -> Projection:
    """The projection of a feature and a code."""
    return Axis(feature) if code == AXIS else IsMissing((feature,), code == MISSING_LEFT)
