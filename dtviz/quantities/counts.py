"""Dates, moments and durations as whole numbers of a step: exact, and with their gaps."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.quantities.quantity import DAY, HOUR, MICRO, MINUTE, SECOND

STEPS = {"ns": 1, "us": MICRO, "ms": 1_000 * MICRO, "s": SECOND, "m": MINUTE, "h": HOUR, "D": DAY}
FIRST, LAST = -62_135_596_800, 253_402_300_799
"""The years 1 to 9999, in seconds from 1970 on."""
LONGEST = 2**62
"""A duration is shorter than so many nanoseconds, 146 years."""


class Counts(NamedTuple):
    """So many steps of `step` nanoseconds, (n,); what stands in `gaps` means nothing.

    `aware`: moments with an offset, counted in UTC.
    """

    values: NDArray[np.int64]
    gaps: NDArray[np.bool_]
    step: int
    aware: bool = False


def moments_of(series: pd.Series[Any]) -> Counts | None:
    """The dates and moments of a column that holds them, by pandas or Python; None for others.

    So for a column with a year that is not 1 to 9999, or with offsets in some rows only.
    """
    if series.dtype.kind != "M":
        if _held(series) not in ("date", "datetime", "datetime64[ns]"):
            return None
        aware = {getattr(value, "tzinfo", None) is not None for value in series.dropna()}
        if len(aware) > 1:
            return None
        series = pd.to_datetime(series, utc=True in aware)
    if isinstance(series.dtype, pd.ArrowDtype) and not hasattr(series.dtype.pyarrow_dtype, "tz"):
        series = series.astype("datetime64[us]")  # days, of which none has a zone
    has_zone = series.dt.tz is not None
    found = _counted(series.dt.tz_convert(None) if has_zone else series, "datetime64[ns]")
    seconds = found.values[~found.gaps] // max(SECOND // found.step, 1)
    known = not len(seconds) or (seconds.min() >= FIRST and seconds.max() <= LAST)
    return found._replace(aware=has_zone) if known else None


def spans_of(series: pd.Series[Any]) -> Counts | None:
    """The durations of a column that holds them, by pandas or Python; None for others.

    So for a column with one of 146 years or more.
    """
    if series.dtype.kind != "m":
        if _held(series) not in ("timedelta", "timedelta64"):
            return None
        series = pd.to_timedelta(series)
    found = _counted(series, "timedelta64[ns]")
    most = np.abs(found.values[~found.gaps]).max(initial=0)
    return found if most < LONGEST // found.step else None


def _held(series: pd.Series[Any]) -> str:
    """What the cells of a column without a type that pandas counts by are."""
    return pd.api.types.infer_dtype(series, skipna=True) if series.dtype.kind == "O" else ""


def _counted(series: pd.Series[Any], kind: Any) -> Counts:
    values = series.to_numpy()
    if values.dtype.kind not in "mM":  # a column of Arrow's
        values = series.astype(kind).to_numpy()
    name, many = np.datetime_data(values.dtype)
    return Counts(values.view(np.int64), np.isnat(values), STEPS[name] * many)
