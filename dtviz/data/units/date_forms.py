"""Forms in which people write dates and months, and the fields of the texts in a form.

A form is a pattern for texts in lower case. Texts in several forms are never mixed: a column is
read in one form. Names of months and days are English, German, French, Spanish, Italian or
Portuguese.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Int64s

_MONTH_NAMES = """
january jan januar jänner janvier janv enero ene gennaio gen janeiro
february feb februar février févr fév fevrier fevr febrero febbraio fevereiro fev
march mar märz mär mrz maerz mars marzo março marco
april apr avril avr abril abr aprile
may mai mayo maggio mag maio
june jun juni juin junio giugno giu junho
july jul juli juillet juil julio luglio lug julho
august aug août aout agosto ago
september sep sept septembre septiembre setiembre settembre set setembro
october oct oktober okt octobre octubre ottobre ott outubro out
november nov novembre noviembre novembro
december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro
"""
MONTH_OF_NAME = {
    name: month
    for month, names in enumerate(_MONTH_NAMES.split("\n")[1:-1], 1)
    for name in names.split()
}
"""Number of a month, from 1, by its name in lower case."""
_DAY_NAMES = """
monday mon montag mo lundi lun lunes lunedì tuesday tue tues dienstag di mardi mar martes martedì
wednesday wed mittwoch mi mercredi mer miércoles mié mercoledì thursday thu thur thurs donnerstag do
jeudi jeu jueves jue giovedì gio friday fri freitag fr vendredi ven viernes vie venerdì
saturday sat samstag sonnabend sa samedi sam sábado sáb sabato sunday sun sonntag so dimanche dim
domingo dom domenica
"""

FIRST_YEAR_OF_TWO_DIGITS = 1969
"""Years of two digits are read as 1969 to 2068, as POSIX, Python and R do."""


class DateForm(NamedTuple):
    """A form of texts of dates."""

    pattern: re.Pattern[str]  # pattern of a text in lower case; the fields are named groups
    remark: str = ""  # remark on a column in this form
    order: str = ""  # 'day' if the day comes first unless a text shows the month does
    is_clear: bool = True  # False if such texts may be no dates: read where a user says so

    @property
    def has_order(self) -> bool:
        """True if the day or the month may come first."""
        return "first" in self.pattern.groupindex


class DateFields(NamedTuple):
    """Fields of n texts of one form; the day or the month may come first, see `ordered`."""

    dates: Int64s  # year, month or first number, day or second number, (n, 3)
    clocks: Int64s  # microseconds from midnight on, (n,); -1 for an hour that does not exist
    offsets: list[str | None]  # offset from UTC, in lower case
    has_two_digits: bool  # True if years have two digits
    has_fine_fraction: bool  # True if a second has more than six decimals
    has_half: bool  # True if an hour is told as am or pm

    def ordered(self, order: str) -> DateFields:
        """The fields with the month before the day; `order` is 'day' if the day comes first."""
        return self._replace(dates=self.dates[:, [0, 2, 1]]) if order == "day" else self


_ALL_MONTHS = "|".join(sorted(MONTH_OF_NAME, key=len, reverse=True))
_NAME = rf"(?P<name>{_ALL_MONTHS})"
_ALL_DAYS = "|".join(sorted(_DAY_NAMES.split(), key=len, reverse=True))
_WEEKDAY = rf"(?:(?:{_ALL_DAYS})\.?,? +)?"
_ANY_YEAR = r"(?P<year>[0-9]{4})"
_YEAR = r"(?P<year>(?:1[5-9]|2[01])[0-9]{2})"  # where a wider range would take in codes
_SHORT_YEAR = r"(?P<year>[0-9]{2})"
_MONTH = r"(?P<month>[0-9]{1,2})"
_DAY = r"(?P<day>[0-9]{1,2})"
_ORDINAL = r"(?:st|nd|rd|th|er|º|°)?"
_HALF = r"(?P<half>[ap]\.?m\b\.?)"
_TIME = (
    rf"(?P<hour>[0-9]{{1,2}})(?=:| ?[ap]\.?m)"
    rf"(?::(?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}})(?:[.,](?P<fraction>[0-9]{{1,9}}))?)?)?"
    rf"(?: ?{_HALF})?"
)
_OFFSET = r"(?: ?(?P<offset>z|utc|gmt|(?:utc|gmt)?[+-][0-9]{2}(?::?[0-9]{2})?)(?: \([a-z ]+\))?)?"
_CLOCK = rf"(?:(?:,? +|t|:(?=[0-9]{{2}}:)){_TIME}{_OFFSET})?"


def _form(*parts: str, remark: str = "", order: str = "", is_clear: bool = True) -> DateForm:
    return DateForm(re.compile("".join(parts)), remark, order, is_clear)


_MONTHS = "months read as their first days"

ISO = _form(
    rf"{_ANY_YEAR}(?P<sep>[-/]|\.(?=[0-9]{{2}}\.[0-9]{{2}}(?![0-9]))){_MONTH}(?P=sep){_DAY}", _CLOCK
)
"""Year, month, day: 2024-03-01."""

_FIRST, _OTHER = r"(?P<first>[0-9]{1,2})", r"(?P<other>[0-9]{1,2})"
_TO_THE_YEAR = rf"(?:[-/. ]|\.? |\.?, ?| del? )?{_YEAR}"

DATE_FORMS = (
    ISO,
    _form(_WEEKDAY, rf"{_FIRST}(?P<sep>[-/]){_OTHER}(?P=sep){_ANY_YEAR}", _CLOCK),
    _form(_WEEKDAY, rf"{_FIRST}\.{_OTHER}\.{_ANY_YEAR}", _CLOCK, order="day"),
    _form(_WEEKDAY, rf"{_FIRST}/{_OTHER}/{_SHORT_YEAR}", _CLOCK),
    _form(rf"(?P<first>[0-9]{{2}})\.(?P<other>[0-9]{{2}})\.{_SHORT_YEAR}", _CLOCK, order="day"),
    _form(_WEEKDAY, rf"{_DAY}{_ORDINAL}(?:\.? |[-/.]| de )?{_NAME}", _TO_THE_YEAR, _CLOCK),
    _form(_WEEKDAY, rf"{_DAY}(?P<sep>[-/ ]){_NAME}\.?(?P=sep)'?{_SHORT_YEAR}", _CLOCK),
    _form(_WEEKDAY, rf"{_NAME}(?:\.? +|[-/.]){_DAY}{_ORDINAL}(?:, ?|[-/ ]){_YEAR}", _CLOCK),
    _form(_WEEKDAY, rf"{_NAME} +{_DAY} {_TIME}{_OFFSET} {_YEAR}"),
    _form(rf"{_YEAR}(?P<sep>[-/ ]){_NAME}\.?(?P=sep){_DAY}", _CLOCK),
    _form(_NAME, _TO_THE_YEAR, remark=_MONTHS),
    _form(rf"{_NAME}(?:\.?[-/]|\.? ?'){_SHORT_YEAR}", remark=_MONTHS),
    _form(rf"{_YEAR}[-/ ]?{_NAME}\.?", remark=_MONTHS),
    _form(rf"{_YEAR}[-/m]{_MONTH}", remark=_MONTHS),
    _form(rf"{_MONTH}[-/]{_YEAR}", remark=_MONTHS),
    _form(rf"{_YEAR}[- ]?q(?P<quarter>[1-4])", remark="quarters read as their first days"),
    _form(rf"q(?P<quarter>[1-4])[-/ ]?{_YEAR}", remark="quarters read as their first days"),
    _form(rf"{_YEAR}-?w(?P<week>[0-9]{{2}})", remark="weeks read as their Mondays"),
    _form(
        rf"{_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})t"
        rf"(?P<hour>[0-9]{{2}})(?P<minute>[0-9]{{2}})(?P<second>[0-9]{{2}})?{_OFFSET}"
    ),
    _form(rf"{_FIRST}-{_OTHER}-{_SHORT_YEAR}", _CLOCK, is_clear=False),
    _form(rf"{_FIRST}\.{_OTHER}\.{_SHORT_YEAR}", _CLOCK, order="day", is_clear=False),
    _form(rf"{_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})", is_clear=False),
)
"""Forms of dates; the clear ones come first."""
CLEAR_DATE_FORMS = tuple(form for form in DATE_FORMS if form.is_clear)
"""Forms that are dates without being said to be."""

_START = re.compile(
    r"[0-9]{1,4}([-/.])[0-9]{1,4}(?:\1[0-9]|$)|[0-9]{1,8}[-/. ]*[^\W\d_]|[0-9]{1,2}°|[0-9]{8}$"
    rf"|q[1-4]|{_ALL_MONTHS}|{_ALL_DAYS}"
)
"""Start of every text in a form; most other texts do not start so, and no form is tried."""
MAX_DATE_CHARACTERS = 80
"""Characters of the longest text that is tried: a form with all its parts is shorter."""


def forms_of(word: str, forms: Sequence[DateForm] = DATE_FORMS) -> list[DateForm]:
    """The forms that match a text."""
    if len(word) > MAX_DATE_CHARACTERS:
        return []
    folded = word.casefold()
    if not _START.match(folded):
        return []
    return [form for form in forms if form.pattern.fullmatch(folded)]


def matches_of(form: DateForm, words: Sequence[str]) -> list[re.Match[str] | None]:
    """The match of each text in a form; None for a text in another form."""
    fullmatch = form.pattern.fullmatch
    return [
        fullmatch(word.casefold()) if len(word) <= MAX_DATE_CHARACTERS else None for word in words
    ]


def fields_of(form: DateForm, matches: Sequence[re.Match[str]]) -> DateFields:
    """The fields of the texts that these matches of the form are of."""
    names = form.pattern.groupindex
    texts = [*chain.from_iterable(match.groups() for match in matches)]
    columns = {name: texts[i :: len(names)] for i, name in enumerate(names)}
    years = _integers(columns["year"], 0)
    if has_two_digits := len(matches[0]["year"]) == 2:
        years = FIRST_YEAR_OF_TWO_DIGITS + (years - FIRST_YEAR_OF_TWO_DIGITS) % 100
    fractions = [*filter(None, columns.get("fraction", ()))]
    return DateFields(
        _dates(columns, years),
        _clocks(columns, len(years)),
        [*columns.get("offset", (None,) * len(years))],
        has_two_digits,
        any(len(digits) > 6 for digits in fractions),
        any(columns.get("half", ())),
    )


GroupTexts = Mapping[str, Sequence[str | None]]
"""Texts of each field, by the name of its group."""


def _integers(texts: Sequence[str | None], default: int) -> Int64s:
    """Whole numbers of texts, (n,); `default` for None."""
    number_of = {text: default if text is None else int(text) for text in {*texts}}
    return np.fromiter(map(number_of.__getitem__, texts), np.int64, len(texts))


def _dates(columns: GroupTexts, years: Int64s) -> Int64s:
    """Year, month and day of each text, (n, 3), or the numbers in the order of the text."""
    if "week" in columns:
        return np.array([*map(_monday, years.tolist(), columns["week"])], np.int64).reshape(-1, 3)
    first_days = [None] * len(years)
    if "name" in columns:
        months = np.array([MONTH_OF_NAME[name or ""] for name in columns["name"]], np.int64)
    elif "quarter" in columns:
        months = 3 * _integers(columns["quarter"], 1) - 2
    else:
        months = _integers(columns.get("month") or columns["first"], 1)
    days = _integers(columns.get("day") or columns.get("other") or first_days, 1)
    return np.stack([years, months, days], axis=1)


def _monday(year: int, week: str | None) -> tuple[int, int, int]:
    """Year, month and day of the Monday of an ISO week; month and day 0 if there is no such."""
    try:
        monday = dt.date.fromisocalendar(year, int(week or 0), 1)
    except ValueError:
        return year, 0, 0
    return monday.year, monday.month, monday.day


def _clocks(columns: GroupTexts, n: int) -> Int64s:
    """Microseconds from midnight on, (n,); -1 for a time of day that does not exist."""
    if "hour" not in columns:
        return np.zeros(n, np.int64)
    hours, minutes, seconds = (_integers(columns[name], 0) for name in ("hour", "minute", "second"))
    exists = (hours < 24) & (minutes < 60) & (seconds < 60)
    if any(halves := columns.get("half", ())):
        is_told = np.array([half is not None for half in halves])
        is_evening = np.array([half is not None and half.startswith("p") for half in halves])
        exists &= ~is_told | ((hours >= 1) & (hours <= 12))
        hours = np.where(is_told, hours % 12 + 12 * is_evening, hours)
    micros = np.zeros(n, np.int64)
    if any(fractions := columns.get("fraction", ())):
        micros = _integers([(digits or "").ljust(6, "0")[:6] for digits in fractions], 0)
    clocks = ((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros
    return np.where(exists, clocks, -1)


def order_of(form: DateForm, fields: DateFields) -> str | None:
    """'day' or 'month', whichever comes first; '' if both are possible, None if none is."""
    first, other = fields.dates[:, 1:].T
    by_day, by_month = (moments_of_fields(fields.ordered(order))[1] for order in ("day", "month"))
    if (by_day == by_month).all():  # no number above 12 shows which
        is_unclear = (by_day & (first != other)).any()  # 5/5 is one date in both orders
        return form.order if is_unclear else "day" if by_day.any() else None
    n_by_day, n_by_month = int(by_day.sum()), int(by_month.sum())
    return None if n_by_day == n_by_month else "day" if n_by_day > n_by_month else "month"


def likely_order(fields: DateFields) -> str:
    """'day' or 'month', whichever comes first more likely where both are possible.

    The month, if hours are told as am and pm, or if every second number is 1: the first days of
    months. The day, as in most countries, otherwise.
    """
    return "month" if fields.has_half or (fields.dates[:, 2] == 1).all() else "day"


def moments_of_fields(fields: DateFields) -> tuple[Int64s, NDArray[np.bool_]]:
    """Microseconds from 1970 on of each text, without its offset, and the mask of real ones, (n,).

    The first is meaningless where the mask is False: the date or the time of day does not exist.
    """
    years, months, days = fields.dates.T
    exists = (years >= 1) & (months >= 1) & (months <= 12) & (fields.clocks >= 0)
    index = np.where(exists, (years - 1970) * 12 + months - 1, 0)
    starts, ends = (
        (index + k).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64) for k in (0, 1)
    )
    exists &= (days >= 1) & (days <= ends - starts)
    return (starts + days - 1) * 86_400_000_000 + fields.clocks, exists


def offset_minutes(offset: str) -> int:
    """Minutes from UTC of an offset in lower case: 'z', 'utc', '+02:00', 'gmt-0330', '+01'."""
    digits = offset.removeprefix("utc").removeprefix("gmt").replace(":", "")
    if digits in ("", "z"):
        return 0
    return int(f"{digits[0]}1") * (60 * int(digits[1:3]) + int(digits[3:] or 0))


_SEASON = re.compile(r"[0-9]{2}([0-9]{2})[-/]([0-9]{2})")


def are_seasons(words: Sequence[str]) -> bool:
    """True if several texts are all of two years that follow each other: '2009/10', '2010/11'."""
    matches = (_SEASON.fullmatch(word) for word in words)
    are_pairs = all(match and (int(match[1]) + 1) % 100 == int(match[2]) for match in matches)
    return are_pairs and len(words) > 1
