"""Dates, moments and durations as numbers, and the parsing of their texts.

The number of a date or moment is its day, second or microsecond, rounded down. The limit of a
threshold is the start of the next day (second, microsecond): a row goes left exactly when its
moment, of any precision, is before the limit. A duration equal to the threshold goes left.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.lazy import pd
from dtviz.base.text import Dialect, quoted
from dtviz.data.units.date_forms import (
    CLEAR_DATE_FORMS,
    ISO,
    DateForm,
    are_seasons,
    fields_of,
    forms_of,
    likely_order,
    matches_of,
    moments_of_fields,
    offset_minutes,
    order_of,
)
from dtviz.data.units.numbers import (
    DAY,
    HOUR,
    MAX_EXACT_INTEGER,
    MICRO,
    MILLI,
    MIN_STEPS_BETWEEN,
    MINUTE,
    SECOND,
    AxisTicks,
    Quantity,
    QuantityKind,
)

UNIT_NANOSECONDS = {
    "ns": 1, "us": MICRO, "ms": MILLI, "s": SECOND, "m": MINUTE, "h": HOUR, "D": DAY,
}  # fmt: skip
"""Nanoseconds in each unit of numpy."""
FIRST_SECOND, LAST_SECOND = -62_135_596_800, 253_402_300_799
"""The years 1 to 9999, in seconds from 1970 on."""
MAX_DURATION = 2**62
"""Nanoseconds, 146 years: every duration that is read is shorter."""


class StepCounts(NamedTuple):
    """Moments or durations of a column as whole numbers of steps."""

    values: NDArray[np.int64]
    """Number of steps, (n,), of moments from 1970 on; meaningless where `gaps` is True."""
    gaps: NDArray[np.bool_]
    """True for a missing value, (n,)."""
    step: int
    """Nanoseconds in a step."""
    aware: bool = False
    """True for moments with an offset, counted in UTC."""


def moments_of(series: pd.Series[Any]) -> StepCounts | None:
    """The dates or moments of a column of pandas or Python types; None for other columns.

    None too for years outside 1 to 9999, and for offsets in some rows only.
    """
    if series.dtype.kind != "M":
        if _inferred_type(series) not in ("date", "datetime", "datetime64[ns]"):
            return None
        aware = {getattr(value, "tzinfo", None) is not None for value in series.dropna()}
        if len(aware) > 1:
            return None
        series = pd.to_datetime(series, utc=True in aware)
    if isinstance(series.dtype, pd.ArrowDtype) and not hasattr(series.dtype.pyarrow_dtype, "tz"):
        series = series.astype("datetime64[us]")  # days, of which none has a zone
    has_zone = series.dt.tz is not None
    counts = _counts(series.dt.tz_convert(None) if has_zone else series, "datetime64[ns]")
    seconds = counts.values[~counts.gaps] // max(SECOND // counts.step, 1)
    is_valid = not len(seconds) or (seconds.min() >= FIRST_SECOND and seconds.max() <= LAST_SECOND)
    return counts._replace(aware=has_zone) if is_valid else None


def spans_of(series: pd.Series[Any]) -> StepCounts | None:
    """The durations of a column of pandas or Python types; None for other columns.

    None too for a duration of 146 years or more.
    """
    if series.dtype.kind != "m":
        if _inferred_type(series) not in ("timedelta", "timedelta64"):
            return None
        series = pd.to_timedelta(series)
    counts = _counts(series, "timedelta64[ns]")
    longest = np.abs(counts.values[~counts.gaps]).max(initial=0)
    return counts if longest < MAX_DURATION // counts.step else None


def _inferred_type(series: pd.Series[Any]) -> str:
    """The type of the Python objects in a column, as pandas names it; '' for other columns."""
    return pd.api.types.infer_dtype(series, skipna=True) if series.dtype.kind == "O" else ""


def _counts(series: pd.Series[Any], dtype: Any) -> StepCounts:
    """The step counts of a column of times; `dtype` is numpy's type for a column of Arrow's."""
    values = series.to_numpy()
    if values.dtype.kind not in "mM":  # a column of Arrow's
        values = series.astype(dtype).to_numpy()
    name, n_units = np.datetime_data(values.dtype)
    return StepCounts(values.view(np.int64), np.isnat(values), UNIT_NANOSECONDS[name] * n_units)


MAX_TEXTS_TRIED = 10
"""A column is text unless one of its first so many texts looks like a date or a duration."""

_USUAL_ISO_LINES = re.compile(
    r"(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?)?\n)++"
)
_SPAN = re.compile(
    r"(?=-?[0-9])(-?)(?:([0-9]{1,8}) days?(?:,? \+?(?=[0-9])|$))?"
    r"(?:([0-9]{1,8}):([0-5][0-9]):([0-5][0-9])(?:\.([0-9]{1,9}))?)?"
)
_SHORT_SPAN = re.compile(r"(-?)([0-9]{1,4}):([0-5][0-9])(?:\.([0-9]{1,9}))?")
_TIME_OF_DAY = re.compile(
    r"(0?[1-9]|1[0-2])(?::([0-5][0-9])(?::([0-5][0-9])(?:\.([0-9]{1,9}))?)?)? ?([AaPp])\.?[Mm]\.?"
)


class ParsedTimes(NamedTuple):
    """Parsed texts of moments or durations."""

    counts: StepCounts  # the moments or durations
    are_spans: bool  # True for durations
    remark: str = ""  # remark on what was guessed


class _SpanForm(NamedTuple):
    """Form of texts of durations or times of day."""

    pattern: re.Pattern[str]  # pattern of a text
    parsed: Callable[[Sequence[str], Sequence[re.Match[str]]], tuple[list[int], str]]
    """Nanoseconds of texts and a remark on them, from the texts and matches."""


ParsedPart = tuple[ParsedTimes | None, NDArray[np.bool_]]
"""The texts that can be parsed in a form, and their mask, (n,); None if the form cannot be."""


def could_be_time(word: str) -> bool:
    """True if a text looks like a date, a moment, a time of day or a duration."""
    return bool(_forms_of(word))


def _forms_of(word: str) -> list[DateForm | _SpanForm]:
    """The forms of a text among those that are read without being said to be dates."""
    dates = forms_of(word, CLEAR_DATE_FORMS)
    if not word.startswith(("-", *"0123456789")):
        return [*dates]
    return [*dates, *(form for form in _SPAN_FORMS if form.pattern.fullmatch(word))]


def parse_times(words: Sequence[str], order: str = "") -> ParsedTimes | None:
    """Parse texts as moments or durations, all in one form; None if one cannot be parsed.

    `order` is 'day' or 'month', whichever comes first in dates such as 1/2/2024; '' is to find it
    in the texts, and None results if both are possible.
    """
    return _parsed_in_one_form(words, _forms_of(words[0]), order) if words else None


def _parsed_in_one_form(
    words: Sequence[str], forms: Sequence[DateForm | _SpanForm], order: str
) -> ParsedTimes | None:
    """The texts in the first of the forms that all are in; None if there is none."""
    if forms and forms[0] is ISO and _USUAL_ISO_LINES.fullmatch("\n".join(words) + "\n"):
        return _read_iso(words)  # the usual form, for which one pattern matches all texts at once
    readings = (_parsed(words, form, order) for form in forms)
    return next((reading for reading, mask in readings if reading and mask.all()), None)


def _parsed(words: Sequence[str], form: DateForm | _SpanForm, order: str) -> ParsedPart:
    """The reading of texts in a form; `order` is as in `parse_times`."""
    if isinstance(form, DateForm):
        matches = matches_of(form, words)
    else:
        matches = [*map(form.pattern.fullmatch, words)]
    mask = np.array([match is not None for match in matches], bool)
    present = [match for match in matches if match is not None]
    texts = [words[i] for i in np.flatnonzero(mask).tolist()]
    if not texts:
        return None, mask
    if isinstance(form, DateForm):
        return _moments(texts, present, form, order, mask)
    nanoseconds, remark = form.parsed(texts, present)
    if max(map(abs, nanoseconds)) >= MAX_DURATION:
        return None, mask
    values = np.array(nanoseconds, np.int64)
    return ParsedTimes(StepCounts(values, np.zeros(len(values), bool), 1), True, remark), mask


def is_date(word: str, order: str = "") -> bool:
    """True if a text is a date or a moment; without an `order`, in any order of day and month."""
    forms, orders = forms_of(word), (order,) if order else ("day", "month")
    return any(_parsed_in_one_form([word], forms, order) is not None for order in orders)


def parse_time_column(series: pd.Series[Any]) -> tuple[pd.Series[Any] | None, str]:
    """A column of text parsed as moments or durations, and a remark on it ('' for none).

    None if fewer than nine in ten cells can be parsed, or day and month cannot be told apart; the
    other cells become gaps.
    """
    codes, words = pd.factorize(series)
    texts = [str(word) for word in words]
    forms = {form: None for text in texts[:MAX_TEXTS_TRIED] for form in _forms_of(text)}
    if not forms:
        return None, ""
    reading = parse_times(texts)
    if reading is not None and not _are_pairs(texts):
        return _column(series, codes, np.ones(len(texts), bool), reading), reading.remark
    cells = np.bincount(codes[codes >= 0], minlength=len(texts))
    for form in forms:
        reading, mask = _parsed(texts, form, "")
        if 10 * cells[mask].sum() < 9 * cells.sum():
            continue
        times = [texts[i] for i in np.flatnonzero(mask).tolist()]
        if reading is not None and not _are_pairs(times):
            return _column(series, codes, mask, reading), reading.remark
        if reading is None and day_or_month_first(times) == "":
            return None, f"in {quoted(times[0])} the day or the month could be first: read as text"
    return None, ""


def _are_pairs(words: Sequence[str]) -> bool:
    """True if texts in a form are rather seasons, such as '2009/10', or ratios, such as '1:10'."""
    return are_seasons(words) or are_ratios(words)


def parse_date_column(series: pd.Series[Any], order: str = "") -> pd.Series[Any] | None:
    """A column of text parsed as dates or moments, all in one form; None if a cell does not parse.

    `order` is as in `parse_times`.
    """
    codes, words = pd.factorize(series)
    texts = [str(word) for word in words]
    reading = _parsed_in_one_form(texts, forms_of(texts[0]), order) if texts else None
    return None if reading is None else _column(series, codes, np.ones(len(texts), bool), reading)


def _column(
    series: pd.Series[Any], codes: Ints, is_time: NDArray[np.bool_], reading: ParsedTimes
) -> pd.Series[Any]:
    """The parsed column, from `codes` (n,) into its distinct texts; gaps where `is_time` is False.

    `reading` holds the distinct texts where `is_time` is True.
    """
    dtype = "timedelta64[ns]" if reading.are_spans else "datetime64[us]"
    values = np.full(len(is_time) + 1, "NaT", dtype)  # the last for code -1, a missing value
    values[:-1][is_time] = reading.counts.values.view(dtype)
    column: pd.Series[Any] = pd.Series(values[codes], series.index, name=series.name)
    return column.dt.tz_localize("UTC") if reading.counts.aware else column


def parse_counts(series: pd.Series[Any], are_spans: bool) -> StepCounts | None:
    """A column of text parsed as durations or as moments; None if a text does not parse so."""
    gaps = series.isna().to_numpy(bool)
    values = np.zeros(len(gaps), np.int64)
    if gaps.all():
        return StepCounts(values, gaps, MICRO)
    reading = parse_times([str(value) for value in series[~gaps]])
    if reading is None or reading.are_spans != are_spans:
        return None
    values[~gaps] = reading.counts.values
    return reading.counts._replace(values=values, gaps=gaps)


def day_or_month_first(words: Sequence[str]) -> str | None:
    """'day' or 'month', whichever comes first in dates such as 31/12/2024; '' if both are possible.

    None if the texts are no such dates.
    """
    for form in forms_of(words[0]) if words else ():
        matches = [match for match in matches_of(form, words) if match is not None]
        if form.has_order and len(matches) == len(words):
            return order_of(form, fields_of(form, matches))
    return None


def likely_day_or_month_first(words: Sequence[str]) -> tuple[str, str] | None:
    """'day' or 'month', whichever is likelier first where both are possible, and a remark on it.

    None if the texts are no such dates, or a text shows which of them is first.
    """
    forms = forms_of(words[0], CLEAR_DATE_FORMS) if words else []
    form = next((form for form in forms if form.has_order), None)
    if form is None or day_or_month_first(words) != "":
        return None
    fields = fields_of(form, [match for match in matches_of(form, words) if match is not None])
    order, other = ("day", "month") if likely_order(fields) == "day" else ("month", "day")
    values, exists = moments_of_fields(fields.ordered(order))
    shown = int((exists & (fields.dates[:, 1] != fields.dates[:, 2])).argmax())
    remark = f"{quoted(words[shown])} read as {_iso(values[shown : shown + 1], 'D')[0]}"
    return order, f"{remark}: the {order} first; say {other}-first if not"


def _moments(
    words: Sequence[str],
    matches: Sequence[re.Match[str]],
    form: DateForm,
    order: str,
    mask: NDArray[np.bool_],
) -> ParsedPart:
    """The reading of texts that match a form of dates; `mask` is that of the texts, (n,)."""
    fields = fields_of(form, matches)
    order = (order or order_of(form, fields) or "") if form.has_order else ""
    values, exists = moments_of_fields(fields.ordered(order))
    offsets = [fields.offsets[i] for i in np.flatnonzero(exists)]
    aware = any(offsets)
    is_unclear = form.has_order and not order
    if is_unclear or not offsets or aware != all(offsets):
        return None, mask
    values = values[exists]
    remarks = [f"dates read with the {order} first" if form.has_order else form.remark]
    if fields.has_two_digits:
        day = _iso(values[:1], "D")[0]
        remarks.append(f"{quoted(words[int(exists.argmax())])} read as {day}")
    if aware:
        values = values - _offsets(offsets)
        remarks.append("times read with their offsets, told in UTC")
    if fields.has_fine_fraction:
        remarks.append("times read to the microsecond")
    counts = StepCounts(values, np.zeros(len(values), bool), MICRO, aware)
    mask[mask] = exists
    return ParsedTimes(counts, False, "; ".join(filter(None, remarks))), mask


def _read_iso(words: Sequence[str]) -> ParsedTimes | None:
    """Moments of ISO texts as numpy parses them; None if a day or an hour does not exist."""
    try:
        values = np.array(words, "datetime64[us]").view(np.int64)
    except ValueError:
        return None
    if values.min() < FIRST_SECOND * (SECOND // MICRO):  # the year 0
        return None
    return ParsedTimes(StepCounts(values, np.zeros(len(words), bool), MICRO), False)


def _offsets(offsets: Sequence[str | None]) -> NDArray[np.int64]:
    """Offsets from UTC in microseconds."""
    minutes = {offset: offset_minutes(offset or "") for offset in {*offsets}}
    return np.array([*map(minutes.__getitem__, offsets)], np.int64) * (MINUTE // MICRO)


def _durations(words: Sequence[str], matches: Sequence[re.Match[str]]) -> tuple[list[int], str]:
    """Nanoseconds of durations such as '1 days 02:00:00' and '02:00:00'."""
    are_clock_times = all(match[2] is None and int(match[3]) < 24 for match in matches)
    remark = "hours, minutes and seconds read as durations" if are_clock_times else ""
    return [*map(_nanoseconds, matches)], remark


def _nanoseconds(match: re.Match[str]) -> int:
    """A duration; a minus before days belongs to the days alone: '-1 days +22:00:00'."""
    days = int(match[2] or 0) * DAY
    nanos = _clock_nanoseconds(*match.groups()[2:])
    if not match[1]:
        return days + nanos
    return nanos - days if match[2] else -nanos


def _clock_nanoseconds(
    hours: str | None, minutes: str | None, seconds: str | None, decimals: str | None
) -> int:
    clock = int(hours or 0) * 3600 + int(minutes or 0) * 60 + int(seconds or 0)
    return clock * SECOND + int((decimals or "").ljust(9, "0"))


def _short_durations(
    words: Sequence[str], matches: Sequence[re.Match[str]]
) -> tuple[list[int], str]:
    """Nanoseconds of texts such as '1:30': hours and minutes, unless a text has decimals."""
    has_seconds = any(match[4] for match in matches)
    unit = SECOND if has_seconds else MINUTE
    values = [
        (-1 if match[1] else 1)
        * ((int(match[2]) * 60 + int(match[3])) * unit + int((match[4] or "").ljust(9, "0")))
        for match in matches
    ]
    if has_seconds:
        return values, f"{quoted(words[0])} read as minutes and seconds"
    seconds_text = quoted(f"0:{matches[0][2]}:{matches[0][3]}")
    return values, (
        f"{quoted(words[0])} read as hours and minutes; minutes and seconds are written "
        f"{seconds_text}"
    )


def are_ratios(words: Sequence[str]) -> bool:
    """True if texts such as '1:10' and '1:50' all begin with the same digit."""
    is_short = len(words[0]) > 1 and words[0][1] == ":" and len(words) > 1
    return is_short and all(
        word.startswith(words[0][:2]) and _SHORT_SPAN.fullmatch(word) for word in words
    )


def _times_of_day(words: Sequence[str], matches: Sequence[re.Match[str]]) -> tuple[list[int], str]:
    """Nanoseconds from midnight on of texts such as '2:27 PM'."""
    values = [
        _clock_nanoseconds(str(int(match[1]) % 12 + 12 * (match[5] in "Pp")), *match.groups()[1:4])
        for match in matches
    ]
    return values, "times of day read as durations from midnight on"


_SPAN_FORMS = (
    _SpanForm(_SPAN, _durations),
    _SpanForm(_SHORT_SPAN, _short_durations),
    _SpanForm(_TIME_OF_DAY, _times_of_day),
)
"""Forms of durations and times of day."""

Micros = NDArray[Any]
"""Moments as microseconds from 1970 on."""

MAX_TICKS = 12
_UNITS = (("D", DAY), ("m", MINUTE), ("s", SECOND), ("us", MICRO))
"""Precisions of a text: a moment is written in the first that is exact."""
_TICK_STEPS = [("Y", n) for n in (1000, 500, 200, 100, 50, 20, 10, 5, 2, 1)]
_TICK_STEPS += [("M", 6), ("M", 3), ("M", 1), ("D", 7), ("D", 1)]
_TICK_STEPS += [("h", 12), ("h", 6), ("h", 3), ("h", 1), ("m", 30), ("m", 10), ("m", 5), ("m", 1)]
_TICK_STEPS += [("s", 30), ("s", 10), ("s", 5), ("s", 1), ("ms", 100), ("ms", 10), ("ms", 1)]
_MONDAY = 4  # the first one, in days from 1970 on


def _quantity(series: pd.Series[Any]) -> Quantity | None:
    """The quantity of dates: in days if every value is a midnight without an offset, else seconds.

    It is in microseconds if a value is no whole second, and all are exact: from 1684 to 2255.
    """
    moments = moments_of(series)
    if moments is None:
        return None
    present = moments.values[~moments.gaps]
    n_steps = max(MICRO // moments.step, 1)  # steps in a microsecond
    largest = int(np.abs(present // n_steps).max(initial=0)) * (max(moments.step, MICRO) // MICRO)
    for unit in (DAY, SECOND):
        is_whole = not (present % max(unit // moments.step, 1)).any()
        if is_whole and not (unit == DAY and moments.aware):
            return Quantity("date", unit, moments.aware)
    return Quantity("date", MICRO if largest < MAX_EXACT_INTEGER else SECOND, moments.aware)


def _encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    moments = moments_of(series) or parse_counts(series, are_spans=False)
    if moments is None or (moments.aware != quantity.has_offset and not moments.gaps.all()):
        return None
    return np.where(moments.gaps, np.nan, _floored(moments, quantity.unit))


def _floored(moments: StepCounts, unit: int) -> Floats:
    if moments.step >= unit:
        return (moments.values * (moments.step // unit)).astype(np.float64)
    return (moments.values // (unit // moments.step)).astype(np.float64)


def _micros(values: Floats, quantity: Quantity) -> Micros:
    """Whole numbers of a quantity as moments, (n,), clipped to the years 1 to 9999."""
    n_micros, second = quantity.unit // MICRO, SECOND // MICRO
    last = (LAST_SECOND * second + second - 1) // n_micros
    return np.clip(values, FIRST_SECOND * second // n_micros, last).astype(np.int64) * n_micros


def _decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    moments = _micros(np.nan_to_num(np.floor(values)), quantity).view("datetime64[us]")
    column: pd.Series[Any] = pd.Series(np.where(np.isnan(values), np.datetime64("NaT"), moments))
    return column.dt.tz_localize("UTC") if quantity.has_offset else column


def _texts(values: Floats, quantity: Quantity) -> list[str]:
    end = "Z" if quantity.has_offset else ""
    moments = _micros(np.floor(values), quantity)
    return [text + end for text in _shortest_texts(moments, quantity.has_offset)]


def _shortest_texts(moments: Micros, with_time: bool) -> list[str]:
    """Shortest exact text of each moment: '2024-03-01' (unless `with_time`), '2024-03-01 08:30'."""
    out = np.empty(len(moments), object)
    rest = np.ones(len(moments), bool)
    for name, length in _UNITS[with_time:]:
        is_exact = rest & (moments % (length // MICRO) == 0)
        texts = _iso(moments[is_exact], name)
        out[is_exact] = [text.replace("T", " ") for text in texts]
        rest &= ~is_exact
    return [text.rstrip("0") if "." in text else text for text in out.tolist()]


def _iso(moments: Micros, unit: Any) -> list[str]:
    """ISO text of each moment, down to a unit of numpy."""
    texts: list[str] = np.datetime_as_string(moments.view("datetime64[us]"), unit=unit).tolist()
    return texts


def _limits(thresholds: Floats, quantity: Quantity) -> Micros:
    """The limit of each threshold: the first day (second, microsecond) that goes right."""
    return _micros(np.floor(thresholds) + 1, quantity)


def _limit_texts(values: Floats, lower: Floats, upper: Floats, quantity: Quantity) -> list[str]:
    """Texts of the limits of thresholds, rounded as far as the values beside them allow."""
    out = _limits(values, quantity)
    low, high = _micros(lower, quantity), _micros(upper, quantity)
    for length in (MILLI, SECOND, MINUTE, HOUR, DAY):
        step = length // MICRO
        rounded = (out + step // 2) // step * step
        fits = (high - low >= MIN_STEPS_BETWEEN * step) & (low < rounded) & (rounded <= high)
        out = np.where(fits, rounded, out)
    if quantity.unit == DAY:
        out = _between_months(out, low, high)
    end = "Z" if quantity.has_offset else ""
    return [text + end for text in _shortest_texts(out, quantity.has_offset)]


def _between_months(limits: Micros, low: Micros, high: Micros) -> Micros:
    """The limits, each moved to the nearest first day of a month if it parts two first days."""
    lows, highs = (_first_days(values) for values in (low, high))
    before, after = _first_days(limits), _first_days(limits, 1)
    is_before = (before > low) & (limits - before <= after - limits)
    nearest = np.where(is_before, before, after)
    are_months = (lows == low) & (highs == high) & (nearest <= high)
    return np.where(are_months, nearest, limits)


def _first_days(moments: Micros, n_months: int = 0) -> Micros:
    """Midnight of the first day of each moment's month, or of a month after it."""
    months = (moments // (DAY // MICRO)).astype("datetime64[D]").astype("datetime64[M]") + n_months
    days: Micros = months.astype("datetime64[D]").astype(np.int64) * (DAY // MICRO)
    return days


def _limit_in_full(threshold: float, quantity: Quantity) -> str:
    """Text of the limit of a threshold, without rounding."""
    end = "+00:00" if quantity.has_offset else ""
    return _shortest_texts(_limits(np.array([threshold]), quantity), quantity.has_offset)[0] + end


def _ladder(low: float, high: float, quantity: Quantity) -> list[AxisTicks]:
    """Ticks of dates at every step that suits, the widest first."""
    start, end = _micros(np.array([np.ceil(low), np.floor(high)]), quantity).tolist()
    rungs = [_rung(start, end, unit, step, quantity) for unit, step in _TICK_STEPS]
    return [rung for rung in rungs if rung is not None]


def _rung(start: int, end: int, unit: str, step: int, quantity: Quantity) -> AxisTicks | None:
    """Ticks at every `step` units of numpy; None if there are too few or too many."""
    ends = np.array([start, end]).view("datetime64[us]")
    first, last = ends.astype(f"datetime64[{unit}]").astype(np.int64).tolist()
    if not 1 <= (last - first) / step <= 2 * MAX_TICKS:
        return None
    # Years are counted from the year 0, weeks from a Monday.
    shift = {"Y": -1970, "D": _MONDAY if step > 1 else 0}.get(unit, 0)
    ticks = np.arange(-(-(first - shift) // step), (last - shift) // step + 1) * step + shift
    moments = ticks.view(f"datetime64[{unit}]").astype("datetime64[us]").view(np.int64)
    moments = moments[(moments >= start) & (moments <= end)]
    values = moments / (quantity.unit // MICRO)
    are_whole = (values == np.floor(values)).all()
    if not (2 <= len(moments) <= MAX_TICKS and are_whole):
        return None
    return AxisTicks(values.tolist(), _tick_texts(moments, unit, quantity.has_offset))


def _tick_texts(moments: Micros, unit: str, aware: bool) -> list[str]:
    """Texts of ticks; among times of day, a tick at midnight has the date."""
    if unit in "YMD":
        return _iso(moments, unit)
    end = "Z" if aware else ""
    return [
        text if len(text) == len("2024-03-01") else text.split(" ")[1] + end
        for text in _shortest_texts(moments, with_time=False)
    ]


DATE = QuantityKind(
    name="date",
    noun="dates",
    quantity_of=_quantity,
    encode=_encode,
    decode=_decode,
    texts=_texts,
    threshold_texts=_limit_texts,
    literal=lambda value, quantity, dialect: _limit_in_full(value, quantity),
    json_fields=lambda value, quantity: {"before": _limit_in_full(value, quantity)},
    condition=lambda dialect, score, low, high, _: dialect.in_dates(score, low, high),
    ticks=_ladder,
)


Nanos = NDArray[np.int64]
"""Durations in nanoseconds."""

MAX_DURATION_TICKS = 12
_DURATION_UNITS = (DAY, SECOND, MICRO, 1)
_DURATION_TICK_STEPS = [n * DAY * 10**power for power in range(4, -1, -1) for n in (5, 2, 1)]
_DURATION_TICK_STEPS += [n * HOUR for n in (12, 6, 3, 1)]
_DURATION_TICK_STEPS += [n * MINUTE for n in (30, 10, 5, 1)]
_DURATION_TICK_STEPS += [n * SECOND for n in (30, 10, 5, 1)]
_DURATION_TICK_STEPS += [n * 10**power for power in range(8, -1, -1) for n in (5, 2, 1)]


def _duration_quantity(series: pd.Series[Any]) -> Quantity | None:
    """The quantity of durations, in the longest unit that divides all of them.

    The unit is longer if a number would be too large to be exact.
    """
    spans = spans_of(series)
    if spans is None:
        return None
    present = spans.values[~spans.gaps]
    longest = int(np.abs(present).max(initial=0)) * spans.step
    for unit, finer in pairwise(_DURATION_UNITS):
        is_whole = not (present % max(unit // spans.step, 1)).any()
        if is_whole or longest // finer >= MAX_EXACT_INTEGER:
            return Quantity("duration", unit)
    return Quantity("duration", _DURATION_UNITS[-1])


def _duration_encode(series: pd.Series[Any], quantity: Quantity) -> Floats | None:
    spans = spans_of(series) or parse_counts(series, are_spans=True)
    return (
        None
        if spans is None
        else np.where(spans.gaps, np.nan, _duration_numbers(spans, quantity.unit))
    )


def _duration_numbers(spans: StepCounts, unit: int) -> Floats:
    """Durations as numbers of a unit, (n,), also with a fraction."""
    values = np.where(spans.gaps, 0, spans.values)
    if spans.step >= unit:
        return (values * (spans.step // unit)).astype(np.float64)
    n_steps = unit // spans.step
    return values // n_steps + values % n_steps / n_steps


def _nanos(values: Floats, quantity: Quantity) -> Nanos:
    """Numbers of a quantity as whole nanoseconds, rounded down."""
    limit = MAX_DURATION // quantity.unit
    clipped = np.clip(values, -limit, limit)
    floor = np.floor(clipped)
    fraction = ((clipped - floor) * quantity.unit).astype(np.int64)
    return floor.astype(np.int64) * quantity.unit + fraction


def _duration_decode(values: Floats, quantity: Quantity) -> pd.Series[Any]:
    spans = _nanos(np.nan_to_num(values), quantity).view("timedelta64[ns]")
    return pd.Series(np.where(np.isnan(values), np.timedelta64("NaT"), spans))


def _duration_texts(values: Floats, quantity: Quantity) -> list[str]:
    return [*map(_duration_text, _nanos(values, quantity).tolist())]


def _duration_text(nanos: int) -> str:
    """Text of a duration: '3 days', '1 day 02:15:00', '00:00:02.5', '-3 days', '-26:15:00'."""
    days, remainder = divmod(abs(nanos), DAY)
    if nanos < 0 and remainder:  # hours alone: the minus of '-1 day 02:15:00' is of the day alone
        days, remainder = 0, -nanos
    seconds, fraction = divmod(remainder, SECOND)
    hours, minutes, seconds = seconds // 3600, seconds // 60 % 60, seconds % 60
    day_text = f"{days} day{'s' * (days > 1)}" if days else ""
    clock = f"{hours:02}:{minutes:02}:{seconds:02}" if remainder or not days else ""
    decimals = f".{fraction:09}".rstrip("0") if fraction else ""
    return "-" * (nanos < 0) + f"{day_text} {clock}{decimals}".strip()


def _duration_threshold_texts(
    values: Floats, lower: Floats, upper: Floats, quantity: Quantity
) -> list[str]:
    out = _nanos(values, quantity)
    low, high = _nanos(lower, quantity), _nanos(upper, quantity)
    for step in (MILLI, SECOND, MINUTE, HOUR, DAY):
        rounded = (out + step // 2) // step * step
        fits = (high - low >= MIN_STEPS_BETWEEN * step) & (low <= rounded) & (rounded < high)
        out = np.where(fits, rounded, out)
    return [*map(_duration_text, out.tolist())]


def _duration_literal(threshold: float, quantity: Quantity, dialect: Dialect) -> str:
    """Text of a threshold of durations, in seconds."""
    return dialect.number(threshold * quantity.unit / SECOND)


def _duration_ladder(low: float, high: float, quantity: Quantity) -> list[AxisTicks]:
    start, end = _nanos(np.array([low, high]), quantity).tolist()
    rungs = []
    for step in _DURATION_TICK_STEPS:
        first, last = -(-start // step), end // step
        if 1 <= last - first < MAX_DURATION_TICKS:
            ticks = [k * step for k in range(first, last + 1)]
            texts = [_duration_tick_text(nanos, step) for nanos in ticks]
            rungs.append(AxisTicks([nanos / quantity.unit for nanos in ticks], texts))
    return rungs


def _duration_tick_text(nanos: int, step: int) -> str:
    """Text of a tick, as short as its step allows: '1 day 12 h', '02:15:00'."""
    days, remainder = divmod(abs(nanos), DAY)
    if step % HOUR or not remainder:
        return _duration_text(nanos) if nanos else "0"
    return (
        "-" * (nanos < 0)
        + (f"{_duration_text(days * DAY)} " if days else "")
        + f"{remainder // HOUR} h"
    )


DURATION = QuantityKind(
    name="duration",
    noun="durations",
    quantity_of=_duration_quantity,
    encode=_duration_encode,
    decode=_duration_decode,
    texts=_duration_texts,
    threshold_texts=_duration_threshold_texts,
    literal=_duration_literal,
    json_fields=lambda value, quantity: {"most_seconds": value * quantity.unit / SECOND},
    condition=lambda dialect, score, low, high, _: dialect.in_durations(score, low, high),
    ticks=_duration_ladder,
)
