"""Splits on one feature: thresholds, `x_feature <= threshold`, and `x_feature is missing`."""

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
from dtviz.engine.splits.split import (
    YES_NO,
    Family,
    FeaturePlane,
    Ring,
    Split,
    divide_at_gutter,
    divide_ring,
    join_rings,
)

_FEATURE = re.compile(r"[0-9]{1,4}")
"""Text of an axis projection in addresses: the index of the feature."""


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
    features = np.array([projection.feature for projection in projections], int)
    starts = features * columns.shape[1]
    return np.asarray(columns.ravel().take(starts.take(which) + rows))


def _problem(projection: Axis, data: Dataset) -> str:
    n_features = len(data.features)
    if not 0 <= projection.feature < n_features:
        return f"feature {short_repr(projection.feature)} does not exist; there are {n_features}"
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


_IS_MISSING_TEXT = re.compile(r"([0-9]{1,4}(?:-[0-9]{1,4}){,19})(m?)")
"""Text of an is-missing projection in addresses: features, and m if missing values go left."""


@dataclass(frozen=True, slots=True, order=True)
class IsMissing:
    """Projection that is 0 for rows with a value of each of its features, and 1 for other rows.

    Several features are those of a sum, which has no value where one of its features has none.
    """

    family: ClassVar[str] = "known"
    """Name of the family."""
    features: tuple[int, ...]
    """Indices of the features, ascending."""
    missing_left: bool = False
    """True if 0 and 1 are exchanged: missing values go left."""

    @property
    def feature(self) -> int | None:
        """The feature if there is only one, else None."""
        return self.features[0] if len(self.features) == 1 else None


def _propose_is_missing(data: Dataset) -> tuple[IsMissing, ...]:
    return tuple(
        IsMissing((feature,)) for feature, has_missing in enumerate(data.gaps) if has_missing
    )


def _score_is_missing(
    projections: Sequence[IsMissing], which: Ints, columns: Floats, rows: Ints
) -> Floats:
    is_exchanged = np.array([projection.missing_left for projection in projections])
    is_asked = np.zeros((len(projections), len(columns)), np.bool_)
    for index, projection in enumerate(projections):
        is_asked[index, list(projection.features)] = True
    missing = np.zeros(np.broadcast_shapes(np.shape(which), np.shape(rows)), np.bool_)
    for feature in np.flatnonzero(is_asked.any(axis=0)).tolist():
        missing |= np.isnan(columns[feature].take(rows)) & is_asked[:, feature].take(which)
    return np.asarray(missing ^ is_exchanged.take(which), np.float64)


def _problem_is_missing(projection: IsMissing, data: Dataset) -> str:
    for feature in projection.features:
        if not 0 <= feature < len(data.features):
            return f"feature {feature} does not exist; there are {len(data.features)}"
    if not any(data.gaps[feature] for feature in projection.features):
        named = ", ".join(quoted(data.features[feature]) for feature in projection.features)
        return f"every row has a value of {named}"
    return ""


def _read_is_missing(text: str) -> IsMissing | None:
    match = _IS_MISSING_TEXT.fullmatch(text)
    if match is None:
        return None
    features = tuple(map(int, match[1].split("-")))
    return IsMissing(features, bool(match[2])) if features == tuple(sorted({*features})) else None


def _formula_is_missing(projection: IsMissing, data: Dataset, dialect: Dialect) -> str:
    return dialect.conjunction.join(_names(projection, data, dialect))


def _names(projection: IsMissing, data: Dataset, dialect: Dialect) -> list[str]:
    return [dialect.name(data.features[feature]) for feature in projection.features]


def _condition(projection: IsMissing, low: str, high: str, data: Dataset, dialect: Dialect) -> str:
    # An upper limit is that of the left side.
    is_missing = bool(high) == projection.missing_left
    return dialect.is_missing(_names(projection, data, dialect), is_missing)


def _clip_is_missing(
    projection: IsMissing, threshold: float, ring: Ring, plane: FeaturePlane
) -> tuple[Ring, Ring]:
    gutters, rest = list[Ring](), ring
    for feature in projection.features:
        gutter, rest = divide_at_gutter(feature, rest, plane) if rest else ((), ())
        gutters.append(gutter)
    missing = join_rings([gutter for gutter in gutters if gutter])
    return (missing, rest) if projection.missing_left else (rest, missing)


IS_MISSING = Family(
    name="known",
    title="known or missing",
    code="k",
    propose=_propose_is_missing,
    score=_score_is_missing,
    problem=_problem_is_missing,
    write=lambda projection: (
        "-".join(map(str, projection.features)) + "m" * projection.missing_left
    ),
    read=_read_is_missing,
    formula=_formula_is_missing,
    clip=_clip_is_missing,
    condition=_condition,
    side_names=YES_NO,
)
