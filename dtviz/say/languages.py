"""How Python and SQL write names, values, and what a cut asks of a row."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from dtviz.table.levels import Level, Rest
from dtviz.text import Dialect, code


def _doubled(text: str, mark: str) -> str:
    """The text between marks, those in it doubled."""
    return mark + text.replace(mark, 2 * mark).replace("\0", "") + mark


def _escaped(text: str, mark: str) -> str:
    """The text between marks, where a backslash says that the next character means itself."""
    for one in ("\\", mark):
        text = text.replace(one, "\\" + one)
    return mark + text.replace("\0", "").replace("\n", "\\n").replace("\r", "\\r") + mark


def _sql_number(double: str, value: float) -> str:
    """The number so that every engine reads the very same float; `double` is that type's name.

    Some read literals as decimals, some round more than once: what they might get wrong is written
    as a whole number times or over powers of two, which are exact everywhere.
    """
    if _read_alike(value):
        return repr(value)
    top, bottom = value.as_integer_ratio()
    twos = (top & -top).bit_length() - 1  # how often 2 divides it
    sign, powers = ("*", twos) if twos else ("/", bottom.bit_length() - 1)
    factors = [62] * (powers // 62) + [powers % 62] * (powers % 62 > 0)  # in 64 bits each
    product = "".join(f" {sign} {2**power}" for power in factors)
    return f"CAST({top >> twos} AS {double}){product} /* {value!r} */"


def _read_alike(value: float) -> bool:
    """Whether at most 15 digits, times or over a power of ten that is a float, make the number.

    One rounding is right then; a second one too, unless the digits lie half-way between two floats.
    """
    if (value and not 1e-7 <= abs(value) < 1e22) or float(f"{value:.15g}") != value:
        return False
    off = abs(Fraction(repr(value)) - Fraction(value)) / Fraction(math.ulp(value))
    return off < Fraction(499, 1000)


def _named(
    values: Sequence[Level], others: Sequence[Level], inside: bool
) -> tuple[list[Level], bool, bool]:
    """The values to name, whether to be among them, and whether a missing value is let through.

    The rest is what the others are not.
    """
    lacking = None in (values if inside else others)
    if any(isinstance(value, Rest) for value in values):
        values, inside = others, not inside
    return [value for value in values if value is not None], inside, lacking


def _python_among(
    score: str, values: Sequence[Level], others: Sequence[Level], inside: bool
) -> str:
    some, inside, lacking = _named(values, others, inside)
    if not some:
        return _python_lacks([score], lacking)
    value = f"str({score})" if isinstance(some[0], str) else score
    text = f"{score} is not nan and {value} {'in' if inside else 'not in'} {tuple(some)!r}"
    return f"({score} is nan or {text})" if lacking else text


def _python_lacks(names: Sequence[str], so: bool) -> str:
    return _lacks(names, "{} is nan", " or ") if so else _lacks(names, "{} is not nan", " and ")


def _lacks(names: Sequence[str], asked: str, joint: str) -> str:
    """What is asked of each name, in brackets where there are some."""
    text = joint.join(map(asked.format, names))
    return f"({text})" if len(names) > 1 else text


def _python_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    chain = "".join(f"({then}) if {known} else " for known, then in cases)
    return f"({chain}{otherwise})"


def _python_since(score: str, low: str, high: str) -> str:
    after, before = f"{low!r} <= " if low else "", f" < {high!r}" if high else ""
    return f"{score} is not nan and {after}when({score}){before}"


PYTHON_NEEDS = {
    "date": (
        "    from datetime import datetime, timezone",
        "    def when(x):",
        "        x = datetime.fromisoformat(str(x))",
        "        return str(x.astimezone(timezone.utc) if x.tzinfo else x)",
    ),
    "duration": (
        "    from datetime import timedelta",
        "    seconds = lambda x: x if x is nan else x / timedelta(seconds=1)",
    ),
}
"""What a function says before it asks of a kind of quantity."""


def _sql_lacks(names: Sequence[str], so: bool) -> str:
    return _lacks(names, "{} IS NULL", " OR ") if so else _lacks(names, "{} IS NOT NULL", " AND ")


def _sql_first(cases: Sequence[tuple[str, str]], otherwise: bool) -> str:
    whens = " ".join(f"WHEN {known} THEN {then}" for known, then in cases)
    return f"CASE {whens} ELSE 1 = {int(otherwise)} END"


def _sql_chance(score: str) -> str:
    """Some engines refuse the exponential of large numbers."""
    inside = f"1.0 / (1.0 + EXP(-({score})))"
    return f"CASE WHEN {score} > 700 THEN 1.0 WHEN {score} < -700 THEN 0.0 ELSE {inside} END"


class Language(NamedTuple):
    """A language that runs: its dialect, and how the first of some cases that holds decides.

    `first` takes pairs of what must hold and what is asked then, and the answer of none.
    """

    dialect: Dialect
    first: Callable[[Sequence[tuple[str, str]], bool], str]


PYTHON = Language(
    code(
        lambda name: f"row[{name!r}]",
        repr,
        _python_among,
        " and ",
        _python_since,
        "seconds({})".format,
        _python_lacks,
        "{} * {}".format,
        "({1!r} if {0} is nan else {0})".format,
        "({1} if {0} > 0 else {2})".format,
        "1 / (1 + exp(-max(-700.0, min(700.0, {}))))".format,
    ),
    _python_first,
)


@dataclass(frozen=True, slots=True)
class Sql:
    """SQL as some engines read it: who they are, by which mark and how a name is quoted, how a text
    is, and what a number of double precision is called.
    """

    title: str
    mark: str = '"'
    quote_name: Callable[[str, str], str] = _doubled
    quote_text: Callable[[str, str], str] = _doubled
    double: str = "DOUBLE PRECISION"

    def value(self, value: Any) -> str:
        """A value as a literal that every engine reads alike."""
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, float):
            return _sql_number(self.double, value)
        return str(value) if isinstance(value, int) else self.quote_text(value, "'")

    @property
    def language(self) -> Language:
        """How it is written."""

        def name(text: str) -> str:
            return self.quote_name(text, self.mark)

        dialect = code(
            name,
            partial(_sql_number, self.double),
            self._among,
            " AND ",
            self._since,
            "{} /* seconds */".format,
            _sql_lacks,
            f"CAST({{}} AS {self.double}) * {{}}".format,
            self._impute,
            "CASE WHEN {} > 0 THEN {} ELSE {} END".format,
            _sql_chance,
        )
        return Language(dialect, _sql_first)

    def _among(
        self, score: str, values: Sequence[Level], others: Sequence[Level], inside: bool
    ) -> str:
        some, inside, lacking = _named(values, others, inside)
        if not some:
            return _sql_lacks([score], lacking)
        text = f"{score} {'IN' if inside else 'NOT IN'} ({', '.join(map(self.value, some))})"
        return f"({score} IS NULL OR {text})" if lacking else text

    def _impute(self, name: str, mean: float) -> str:
        return f"COALESCE({name}, CAST({_sql_number(self.double, mean)} AS {self.double}))"

    def _since(self, score: str, low: str, high: str) -> str:
        after = f"{score} >= {self.value(low)}" if low else ""
        before = f"{score} < {self.value(high)}" if high else ""
        return " AND ".join(filter(None, (after, before)))


SQLS = {
    "sql": Sql("DuckDB, PostgreSQL, SQLite"),
    "mysql": Sql("MySQL, MariaDB", "`", quote_text=_escaped, double="DOUBLE"),
    "bigquery": Sql("BigQuery", "`", _escaped, _escaped, "FLOAT64"),
    "snowflake": Sql("Snowflake", quote_text=_escaped),
    "spark": Sql("Spark, Databricks", "`", quote_text=_escaped, double="DOUBLE"),
}
"""The standard first; each other one quotes in a way of its own."""
