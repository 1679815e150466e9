"""Axis splits: thresholds of one feature, `x_feature <= threshold`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from dtviz.base.arrays import Floats, Ints
from dtviz.base.text import Dialect, quoted, short_repr
from dtviz.data.dataset import Dataset
from dtviz.engine.splits.split import Family, FeaturePlane, Ring, Split, divide_ring

_FEATURE = re.compile(r"[0-9]{1,4}")


@dataclass(frozen=True, slots=True, order=True)
class Axis:
    """Projection on one feature."""

    family: ClassVar[str] = "axis"
    """Name of the family."""
    feature: int
    """Index of the feature."""


def axis_split(feature: int, threshold: float) -> Split:
    """Split `x_feature <= threshold`; raises ValueError where an argument is not a number."""
    return Split(Axis(_index(feature)), _float(threshold))


def _index(feature: Any) -> int:
    if not isinstance(feature, int | np.integer):
        raise ValueError(f"`feature` must be the index of a feature; not {short_repr(feature)}")
    return int(feature)


def _float(threshold: Any) -> float:
    try:
        if isinstance(threshold, Real):
            return float(threshold)
    except OverflowError:
        pass
    raise ValueError(
        f"`threshold` must be a number that a float holds; not {short_repr(threshold)}"
    )


def _propose(data: Dataset) -> tuple[Axis, ...]:
    return tuple(Axis(feature) for feature, levels in enumerate(data.levels) if not levels)


def _score(projections: Sequence[Axis], which: Ints, columns: Floats, rows: Ints) -> Floats:
    if len(projections) == 1:
        return np.asarray(columns[projections[0].feature].take(rows))
    features = np.array([projection.feature for projection in projections], np.intp)
    starts = features * columns.shape[1]
    return np.asarray(columns.ravel().take(starts.take(which) + rows))


def _problem(projection: Axis, data: Dataset) -> str:
    features = len(data.features)
    if not 0 <= projection.feature < features:
        return f"feature {short_repr(projection.feature)} does not exist; there are {features}"
    if data.levels[projection.feature]:
        return f"{quoted(data.features[projection.feature])} is a category: no number cuts it"
    return ""


def _read(text: str) -> Axis | None:
    return Axis(int(text)) if _FEATURE.fullmatch(text) else None


def _formula(projection: Axis, data: Dataset, dialect: Dialect) -> str:
    return dialect.name(data.features[projection.feature])


def _clip(projection: Axis, threshold: float, ring: Ring, plane: FeaturePlane) -> tuple[Ring, Ring]:
    coordinate = {plane.across: 0, plane.up: 1}.get(projection.feature)
    if coordinate is not None:
        return divide_ring(ring, coordinate, threshold)
    return (ring, ()) if plane.pinned[projection.feature] <= threshold else ((), ring)


AXIS = Family(
    name="axis",
    title="thresholds",
    code="",
    propose=_propose,
    score=_score,
    problem=_problem,
    write=lambda projection: str(projection.feature),
    read=_read,
    formula=_formula,
    axis=lambda projection: projection.feature,
    clip=_clip,
)
