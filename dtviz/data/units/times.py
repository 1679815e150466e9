"""Dates, whole or with a time of day: cut before the first one that goes right.

A value lies in the day, second or microsecond it is in. So a row of any precision goes left exactly
when it is before the limit: the day (second, microsecond) after the one that the threshold is in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.arrays import Floats
from dtviz.base.text import quoted
from dtviz.data.units.unit import (
    DAY,
    HOUR,
    LARGEST,
    MICRO,
    MILLI,
    MINUTE,
    OFTEN,
    SECOND,
    Kind,
    Quantity,
    Rung,
)

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


FIRST_LOOKED_AT = 10
"""A column is read as text if none of so many distinct ones, the first, is like a date."""

_CLOCK = (
    r"(?:[ T]([0-9]{1,2})(:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?) ?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_ISO = re.compile(r"([0-9]{4})([-/])([0-9]{2})\2([0-9]{2})" + _CLOCK)
_PLAIN = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?\n)++"
)
_LOCAL = re.compile(r"([0-9]{1,2})([-/.])([0-9]{1,2})\2([0-9]{4})" + _CLOCK)
_SPAN = re.compile(
    r"(?=-?[0-9])(-?)(?:([0-9]{1,8}) days?(?:,? \+?(?=[0-9])|$))?"
    r"(?:([0-9]{1,8}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
)


class Read(NamedTuple):
    """What texts are: moments or durations, as counts; `said` tells what was to be guessed."""

    counts: Counts
    are_spans: bool
    said: str = ""


def could_be_time(word: str) -> bool:
    """Whether a text alone looks like a date, a moment or a duration."""
    return any(form.fullmatch(word) for form in (_ISO, _LOCAL, _SPAN))


def read_words(words: Sequence[str], order: str = "") -> Read | None:
    """The moments or durations that all of the texts are, in one form; None where they are not.

    `order` says whether dates such as 1/2/2024 begin with the 'day' or the 'month', if it is known.
    """
    first = words[0] if words else ""
    if _PLAIN.match(f"{first}\n") and _PLAIN.fullmatch("\n".join(words) + "\n"):
        return _read(words)
    if _ISO.fullmatch(first):
        return _moments(words, _ISO, (1, 3, 4), "")
    if _LOCAL.fullmatch(first):
        if order := order or day_or_month_first(words) or "":
            parts = (4, 3, 1) if order == "day" else (4, 1, 3)
            return _moments(words, _LOCAL, parts, f"dates read with the {order} first")
        return None
    return _spans(words) if first and _SPAN.fullmatch(first) else None


def fits_date(word: str, order: str = "") -> bool:
    """Whether a text alone is a date or a moment; one without an `order` may begin with either."""
    orders = (order,) if order else ("day", "month")
    founds = (read_words([word], one) for one in orders)
    return any(found is not None and not found.are_spans for found in founds)


def typed(series: pd.Series[Any]) -> tuple[pd.Series[Any] | None, str]:
    """The moments or durations that a column of text holds, and what is to be said of it.

    None where it holds neither in nine of ten cells, or dates of which day and month could be
    either; cells that are none are gaps.
    """
    places, words = pd.factorize(series)
    texts = [str(word) for word in words]
    if not any(map(could_be_time, texts[:FIRST_LOOKED_AT])):
        return None, ""
    kept, found = np.ones(len(texts), bool), read_words(texts)
    if found is None:
        kept = _alike(texts)
        cells = np.bincount(places[places >= 0], minlength=len(texts))
        some = [texts[at] for at in np.flatnonzero(kept).tolist()]
        if 10 * cells[kept].sum() < 9 * cells.sum():
            return None, ""
        found = read_words(some)
        if found is None and day_or_month_first(some) == "":
            return None, f"in {quoted(some[0])} the day or the month could be first: read as text"
        if found is None:
            return None, ""
    return _column(series, places, kept, found), found.said


def dated(series: pd.Series[Any], order: str = "") -> pd.Series[Any] | None:
    """The dates or moments that all texts of a column are in one form, `order` as in read_words."""
    places, words = pd.factorize(series)
    found = read_words([str(word) for word in words], order)
    if found is None or found.are_spans:
        return None
    return _column(series, places, np.ones(len(words), bool), found)


def _column(
    series: pd.Series[Any], places: NDArray[np.intp], kept: NDArray[np.bool_], found: Read
) -> pd.Series[Any]:
    """A column of what its distinct texts are, by their places; those not kept are gaps."""
    kind = "timedelta64[ns]" if found.are_spans else "datetime64[us]"
    values = np.full(len(kept) + 1, "NaT", kind)  # the last for gaps
    values[:-1][kept] = found.counts.values.view(kind)
    column: pd.Series[Any] = pd.Series(values[places], series.index, name=series.name)
    return column.dt.tz_localize("UTC") if found.counts.aware else column


def _alike(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which texts are of the form that most have, and of years first a day that there is."""
    masks = [
        np.array([bool(form.fullmatch(text)) for text in texts]) for form in (_ISO, _LOCAL, _SPAN)
    ]
    best = max(masks, key=lambda mask: int(mask.sum()))
    if best is masks[0]:
        for at in np.flatnonzero(best).tolist():
            best[at] = read_words(texts[at : at + 1]) is not None
    return best


def counts_in(series: pd.Series[Any], are_spans: bool) -> Counts | None:
    """The moments, or durations, that the texts of a column are; None where they are not."""
    gaps = series.isna().to_numpy(bool)
    values = np.zeros(len(gaps), np.int64)
    if gaps.all():
        return Counts(values, gaps, MICRO)
    found = read_words([str(value) for value in series[~gaps]])
    if found is None or found.are_spans != are_spans:
        return None
    values[~gaps] = found.counts.values
    return found.counts._replace(values=values, gaps=gaps)


def day_or_month_first(words: Sequence[str]) -> str | None:
    """'day' or 'month', whichever dates such as 31/12/2024 begin with; '' where both could be.

    None where the texts are no such dates.
    """
    founds = [found for word in words if (found := _LOCAL.fullmatch(word))]
    pairs = {(int(found[1]), int(found[3])) for found in founds}
    if not pairs or len(founds) < len(words):
        return None
    by_day, by_month = (max(pair[at] for pair in pairs) <= 12 for at in (1, 0))
    if by_day and by_month:
        return "" if any(a != b for a, b in pairs) else "day"
    return "day" if by_day else "month" if by_month else None


def _moments(
    words: Sequence[str], form: re.Pattern[str], parts: tuple[int, int, int], said: str
) -> Read | None:
    founds = [found for word in words if (found := form.fullmatch(word))]
    offsets = [found[7] for found in founds]
    aware = all(offsets)
    if len(founds) < len(words) or aware != any(offsets):
        return None
    year, month, day = parts
    made = _read(
        [
            f"{f[year]}-{f[month]:0>2}-{f[day]:0>2}" + (f" {f[5]:0>2}{f[6]}" if f[5] else "")
            for f in founds
        ]
    )
    if made is None:
        return None
    counts = made.counts
    if aware:
        counts = counts._replace(values=counts.values - _offsets(offsets), aware=True)
        said = said or "times read with their offsets, told in UTC"
    if any(len(f[6] or "") > len(":00:00.000000") for f in founds):
        said = f"{said}, to the microsecond" if said else "times read to the microsecond"
    return Read(counts, False, said)


def _read(words: Sequence[str]) -> Read | None:
    """The moments of texts as numpy reads them; None where a day or an hour does not exist."""
    try:
        values = np.array(words, "datetime64[us]").view(np.int64)
    except ValueError:
        return None
    if values.min() < FIRST * (SECOND // MICRO):  # the year 0
        return None
    return Read(Counts(values, np.zeros(len(words), bool), MICRO), False)


def _offsets(texts: Sequence[str]) -> NDArray[np.int64]:
    """Offsets from UTC in microseconds."""
    known = {text: 0 if text == "Z" else int(text[1:3]) * 60 + int(text[-2:]) for text in {*texts}}
    return np.array([-known[t] if t[0] == "-" else known[t] for t in texts]) * (
        60 * SECOND // MICRO
    )


def _spans(words: Sequence[str]) -> Read | None:
    founds = [found for word in words if word and (found := _SPAN.fullmatch(word))]
    if len(founds) < len(words):
        return None
    values = [_nanoseconds(found) for found in founds]
    if max(map(abs, values)) >= LONGEST:
        return None
    hours = all(found[2] is None and int(found[3]) < 24 for found in founds)
    said = "hours, minutes and seconds read as durations" if hours else ""
    counts = Counts(np.array(values, np.int64), np.zeros(len(words), bool), 1)
    return Read(counts, True, said)


def _nanoseconds(found: re.Match[str]) -> int:
    """A duration, where the minus before days speaks of them alone: '-1 days +22:00:00'."""
    days = int(found[2] or 0) * DAY
    clock = int(found[3] or 0) * 3600 + int(found[4] or 0) * 60 + int(found[5] or 0)
    nanos = clock * SECOND + int((found[6] or "").ljust(9, "0"))
    if not found[1]:
        return days + nanos
    return nanos - days if found[2] else -nanos


Micros = NDArray[Any]
"""Moments as microseconds from 1970 on."""

MOST_TICKS = 12
_UNITS = (("D", DAY), ("m", MINUTE), ("s", SECOND), ("us", MICRO))
"""The precisions a text has: a moment is written in the first that holds it."""
_STEPS = [("Y", n) for n in (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)]
_STEPS += [("M", 6), ("M", 3), ("M", 1), ("D", 7), ("D", 1)]
_STEPS += [("h", 12), ("h", 6), ("h", 3), ("h", 1), ("m", 30), ("m", 10), ("m", 5), ("m", 1)]
_STEPS += [("s", 30), ("s", 10), ("s", 5), ("s", 1), ("ms", 100), ("ms", 10), ("ms", 1)]
_MONDAY = 4  # days from 1970 on


def _of(series: pd.Series[Any]) -> Quantity | None:
    """By days where every value is a midnight without an offset, else by seconds.

    By microseconds where one is no whole second, as far as these numbers are exact: 1684 to 2255.
    """
    found = moments_of(series)
    if found is None:
        return None
    present = found.values[~found.gaps]
    each = max(MICRO // found.step, 1)
    most = int(np.abs(present // each).max(initial=0)) * (max(found.step, MICRO) // MICRO)
    for unit in (DAY, SECOND):
        whole = not (present % max(unit // found.step, 1)).any()
        if whole and not (unit == DAY and found.aware):
            return Quantity("date", unit, found.aware)
    return Quantity("date", MICRO if most < LARGEST else SECOND, found.aware)


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    found = moments_of(series)
    found = found or counts_in(series, are_spans=False)
    if found is None or (found.aware != quantity.aware and not found.gaps.all()):
        return None
    return np.where(found.gaps, np.nan, _floored(found, quantity.unit))


def _floored(found: Counts, unit: int) -> Floats:
    if found.step >= unit:
        return (found.values * (found.step // unit)).astype(np.float64)
    return (found.values // (unit // found.step)).astype(np.float64)


def _micros(values: Floats, quantity: Quantity) -> Micros:
    """Whole numbers of a quantity as moments; those beyond the years 1 to 9999 at their ends."""
    each, second = quantity.unit // MICRO, SECOND // MICRO
    kept = np.clip(values, FIRST * second // each, (LAST * second + second - 1) // each)
    return kept.astype(np.int64) * each


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    moments = _micros(np.nan_to_num(np.floor(values)), quantity).view("datetime64[us]")
    column: pd.Series[Any] = pd.Series(np.where(np.isnan(values), np.datetime64("NaT"), moments))
    return column.dt.tz_localize("UTC") if quantity.aware else column


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    end = "Z" if quantity.aware else ""
    return [text + end for text in _written(_micros(np.floor(values), quantity), quantity.aware)]


def _written(moments: Micros, with_time: bool) -> list[str]:
    """Each as short as it can be: '2024-03-01', '2024-03-01 08:30'."""
    out = np.empty(len(moments), object)
    rest = np.ones(len(moments), bool)
    for name, length in _UNITS[with_time:]:
        here = rest & (moments % (length // MICRO) == 0)
        texts = _iso(moments[here], name)
        out[here] = [text.replace("T", " ") for text in texts]
        rest &= ~here
    return [text.rstrip("0") if "." in text else text for text in out.tolist()]


def _iso(moments: Micros, unit: Any) -> list[str]:
    """Each as ISO text, down to a unit of numpy's."""
    texts: list[str] = np.datetime_as_string(moments.view("datetime64[us]"), unit=unit).tolist()
    return texts


def _first_right(thresholds: Floats, quantity: Quantity) -> Micros:
    """The first whole day (second, microsecond) that a threshold sends right."""
    return _micros(np.floor(thresholds) + 1, quantity)


def _limits(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    out = _first_right(values, quantity)
    least, most = _micros(lower, quantity), _micros(upper, quantity)
    for length in (MILLI, SECOND, MINUTE, HOUR, DAY):
        step = length // MICRO
        found = (out + step // 2) // step * step
        fits = (most - least >= OFTEN * step) & (least < found) & (found <= most)
        out = np.where(fits, found, out)
    end = "Z" if quantity.aware else ""
    return [text + end for text in _written(out, quantity.aware)]


def _before(threshold: float, quantity: Quantity) -> str:
    """The first moment that goes right, in full."""
    end = "+00:00" if quantity.aware else ""
    return _written(_first_right(np.array([threshold]), quantity), quantity.aware)[0] + end


def _ladder(low: float, high: float, quantity: Quantity) -> list[Rung]:
    start, end = _micros(np.array([np.ceil(low), np.floor(high)]), quantity).tolist()
    rungs = [_rung(start, end, unit, many, quantity) for unit, many in _STEPS]
    return [rung for rung in rungs if rung is not None]


def _rung(start: int, end: int, unit: str, many: int, quantity: Quantity) -> Rung | None:
    """The ticks at every so many of a unit; None where there are too few or too many."""
    ends = np.array([start, end]).view("datetime64[us]")
    first, last = ends.astype(f"datetime64[{unit}]").astype(np.int64).tolist()
    if not 1 <= (last - first) / many <= 2 * MOST_TICKS:
        return None
    shift = {"Y": -1970, "D": _MONDAY if many > 1 else 0}.get(unit, 0)
    places = np.arange(-(-(first - shift) // many), (last - shift) // many + 1) * many + shift
    moments = places.view(f"datetime64[{unit}]").astype("datetime64[us]").view(np.int64)
    moments = moments[(moments >= start) & (moments <= end)]
    values = moments / (quantity.unit // MICRO)
    whole = (values == np.floor(values)).all()
    if not (2 <= len(moments) <= MOST_TICKS and whole):
        return None
    return Rung(values.tolist(), _tick_texts(moments, unit, quantity.aware))


def _tick_texts(moments: Micros, unit: str, aware: bool) -> list[str]:
    """What is written at ticks: of times of day, the date where a day begins."""
    if unit in "YMD":
        return _iso(moments, unit)
    end = "Z" if aware else ""
    return [
        text if len(text) == len("2024-03-01") else text.split(" ")[1] + end
        for text in _written(moments, with_time=False)
    ]


DATE = Kind(
    name="date",
    asked="dates",
    of=_of,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    limits=_limits,
    literal=lambda value, quantity, dialect: _before(value, quantity),
    stored=lambda value, quantity: {"before": _before(value, quantity)},
    condition=lambda dialect, score, low, high, _: dialect.since(score, low, high),
    ladder=_ladder,
)
