"""Dates, moments and durations out of text, where all of a column are of one form.

Years come first, or the order of day and month is told by a day above 12 and no other beside it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.quantities.counts import FIRST, LONGEST, Counts
from dtviz.quantities.quantity import DAY, MICRO, SECOND
from dtviz.text import quoted

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
