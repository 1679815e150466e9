"""Cuts that ask whether a feature has a value: `x_feature is known`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dtviz.engine.splits.family import Family, Floats, Ints, Plane, Ring, in_gutter
from dtviz.table.data import Dataset
from dtviz.text import Dialect, quoted

_TEXT = re.compile(r"([0-9]{1,4})(m?)")


@dataclass(frozen=True, slots=True, order=True)
class Known:
    """The projection that is 0 for rows with a value and 1 for others; turned if `missing_left`."""

    family: ClassVar[str] = "known"
    feature: int
    missing_left: bool = False


def _propose(data: Dataset) -> tuple[Known, ...]:
    return tuple(Known(f) for f, gap in enumerate(data.gaps) if gap)


def _score(projections: Sequence[Known], which: Ints, columns: Floats, rows: Ints) -> Floats:
    first = np.array([one.feature * columns.shape[1] for one in projections], np.intp)
    turned = np.array([one.missing_left for one in projections])
    missing = np.isnan(columns.ravel().take(first.take(which) + rows))
    return np.asarray(missing ^ turned.take(which), np.float64)


def _problem(projection: Known, data: Dataset) -> str:
    if not 0 <= projection.feature < len(data.features):
        return f"feature {projection.feature} does not exist; there are {len(data.features)}"
    if not data.gaps[projection.feature]:
        return f"every row has a value of {quoted(data.features[projection.feature])}"
    return ""


def _read(text: str) -> Known | None:
    found = _TEXT.fullmatch(text)
    return Known(int(found[1]), bool(found[2])) if found else None


def _formula(projection: Known, data: Dataset, dialect: Dialect) -> str:
    return dialect.name(data.features[projection.feature])


def _condition(projection: Known, low: str, high: str, data: Dataset, dialect: Dialect) -> str:
    lacking = bool(high) == projection.missing_left
    return dialect.lacks(_formula(projection, data, dialect), lacking)


def _clip(projection: Known, threshold: float, ring: Ring, plane: Plane) -> tuple[Ring, Ring]:
    gutter, plain = in_gutter(projection.feature, ring, plane)
    return (gutter, plain) if projection.missing_left else (plain, gutter)


KNOWN = Family(
    name="known",
    title="known or missing",
    code="k",
    propose=_propose,
    score=_score,
    problem=_problem,
    write=lambda projection: f"{projection.feature}{'m' * projection.missing_left}",
    read=_read,
    formula=_formula,
    clip=_clip,
    condition=_condition,
)
