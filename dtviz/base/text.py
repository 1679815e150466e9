"""Escapes of text from outside, one for each place it is written to, and numbers as short text.

All text of a file, a link or a person (column names, class labels, cells) passes `clean` when it
comes in and one of the escapes below when it goes out.
"""

from __future__ import annotations

import html as _html
import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

MAX_TEXT_CHARS = 60
"""Characters of a text from outside that are shown."""
MAX_REASON_CHARS = 300
"""Characters of the error of another program that are shown."""
_FORMULA_START = re.compile(r"[=+\-@\t\r\n＝＋－＠]")  # a spreadsheet runs a cell that begins so
_NUMBER = re.compile(r"[+-]?[\d.,]*\d(?:[eE][+-]?\d+)?\s?%?")  # as a spreadsheet reads one
# Punctuation of ASCII, but no underscore inside a word, which Markdown leaves as it is.
_PUNCTUATION = re.compile(r"(?!(?<=[A-Za-z0-9])_[A-Za-z0-9])([!-/:-@\[-`{-~])")
# Where an icon, an address or an arrow may begin; "<=" is let through.
_STREAMLIT_MARKUP = re.compile(r"(:|@|www|(?!<=)[-<>~](?=[-=>]))")
_LATEX = {
    "'": r'\(\char"27\)', "`": r'{\char"2CB}', "-": "{-}", ":": "{:}",
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def interval_text(score: str, low: str, high: str, sign: str = "<=") -> str:
    """Text of low < score <= high: '2 < x1 <= 5', 'x1 > 2', 'x1 <= 5'; '' is no limit."""
    if low and high:
        return f"{low} < {score} {sign} {high}"
    return f"{score} > {low}" if low else f"{score} {sign} {high}"


def dates_text(score: str, low: str, high: str) -> str:
    """Text of low <= score < high for dates: 'paid before 2024-03-01', '... or later'."""
    terms = (f"{low} or later" if low else "", f"before {high}" if high else "")
    return f"{score} {', '.join(filter(None, terms))}"


def categories_text(score: str, values: Sequence[str], inside: bool) -> str:
    """Text of a category inside or outside a set: 'Car = Sports', 'Car not in {...}'."""
    if len(values) == 1:
        return f"{score} {'=' if inside else '≠'} {values[0]}"
    return f"{score} {'in' if inside else 'not in'} {{{', '.join(values)}}}"


def branches_text(name: str, n_branches: int) -> str:
    """Text of a cut with a branch for each value of a category: 'outlook in 3 branches'."""
    return f"{name} in {n_branches} branches"


def missing_text(names: Sequence[str], is_missing: bool) -> str:
    """Text of any value missing, or of none: 'age or pay missing', 'age and pay known'."""
    return f"{' or '.join(names)} missing" if is_missing else f"{' and '.join(names)} known"


def or_missing_text(condition: str, _names: Sequence[str]) -> str:
    """Text of a condition that rows without a value meet too: 'age <= 30 or missing'."""
    return f"{condition} or missing"


def product_text(weight: str, name: str) -> str:
    """Text of a product: '0.42·x2'."""
    return f"{weight}·{name}"


def difference_text(name: str, centre: float, number: Callable[[float], str]) -> str:
    """Text of the difference between a value and a centre: 'x1 - 3', 'x1 + 3'."""
    return f"{name} {'+' if centre < 0 else '-'} {number(abs(centre))}"


def bare_name(name: str, _mean: float) -> str:
    """Text of a value that its mean replaces where it is missing: for people the name alone."""
    return name


def square_text(score: str) -> str:
    """Text of the square of a sum: '(x1 - 3)²'."""
    return f"({score})²"


def if_positive_text(score: str, yes: str, no: str) -> str:
    """Text of a choice, `yes` where a score is above 0, else `no`: 'b if 2·x1 > 0, else a'."""
    return f"{yes} if {score} > 0, else {no}"


def logistic_text(score: str) -> str:
    """Text of the logistic function of a score: '1 / (1 + e^-(2·x1 - 1))'."""
    return f"1 / (1 + e^-({score}))"


@dataclass(frozen=True, slots=True)
class Dialect:
    """The functions by which a language writes names, numbers and the conditions of splits.

    A score is the text of a name or of a formula. A limit is the text of a value, '' for no limit.
    """

    name: Callable[[str], str]
    """Writes a feature's name."""
    number: Callable[[float], str]
    """Writes a number, rounded where people read it."""
    in_categories: Callable[[str, Sequence[Any], Sequence[Any], bool], str]
    """Of a score, some values, all other values, and True: the score is one of the first values.
    With False: it is none of them."""
    in_interval: Callable[[str, str, str], str] = interval_text
    """Of a score and two limits: low < score <= high."""
    in_dates: Callable[[str, str, str], str] = dates_text
    """Of a score and two limits, all dates: low <= score < high."""
    in_durations: Callable[[str, str, str], str] = interval_text
    """Of a score and two limits, all durations: low < score <= high."""
    in_ranks: Callable[[str, str, str, Sequence[Any]], str] = lambda score, low, high, _: (
        interval_text(score, low, high)
    )
    """Of a score, two limits, and the names of all ranks: low < score <= high. People read names as
    limits; programming languages get counts of ranks."""
    conjunction: str = " and "
    """The sign between two conditions that must both hold."""
    in_branches: Callable[[str, int], str] = branches_text
    """Of a name and a number of branches: a cut with one branch for each value."""
    is_missing: Callable[[Sequence[str], bool], str] = missing_text
    """Of features' names and True: at least one has no value. With False: all have values."""
    or_missing: Callable[[str, Sequence[str]], str] = or_missing_text
    """Of a condition and features' names: it holds, or at least one feature has no value."""
    product: Callable[[str, str], str] = product_text
    """Writes the product of a weight and a value."""
    square: Callable[[str], str] = square_text
    """Writes the square of a sum."""
    impute: Callable[[str, float], str] = bare_name
    """Of a name and a mean: the value, or the mean where the value is missing."""
    if_positive: Callable[[str, str, str], str] = if_positive_text
    """Of a score and two texts: the first where the score is above 0, else the second."""
    logistic: Callable[[str], str] = logistic_text
    """Writes the logistic function of a score."""
    exact_number: Callable[[float], str] = lambda value: repr(value).removesuffix(".0")
    """Writes a number without rounding."""
    is_code: bool = False
    """True for a programming language: its conditions decide values that were never seen too."""


def code_dialect(
    name: Callable[[str], str],
    number: Callable[[float], str],
    in_categories: Callable[[str, Sequence[Any], Sequence[Any], bool], str],
    conjunction: str,
    in_dates: Callable[[str, str, str], str],
    seconds: Callable[[str], str],
    is_missing: Callable[[Sequence[str], bool], str],
    product: Callable[[str, str], str],
    impute: Callable[[str, float], str],
    if_positive: Callable[[str, str, str], str],
    logistic: Callable[[str], str],
) -> Dialect:
    """Return the dialect of a programming language, without chained comparisons.

    `seconds` writes the seconds of a duration; all other parameters are fields of Dialect.
    """

    def in_interval(score: str, low: str, high: str) -> str:
        terms = (f"{score} > {low}" if low else "", f"{score} <= {high}" if high else "")
        return conjunction.join(filter(None, terms))

    def in_durations(score: str, low: str, high: str) -> str:
        return in_interval(seconds(score), low, high)

    def in_ranks(score: str, low: str, high: str, names: Sequence[Any]) -> str:
        first, last = int(low or 0), int(high or len(names))
        return in_categories(score, names[first:last], [*names[:first], *names[last:]], True)

    def or_missing(condition: str, names: Sequence[str]) -> str:
        disjunction = conjunction.replace("AND", "OR").replace("and", "or")
        return f"({disjunction.join([*(is_missing([name], True) for name in names), condition])})"

    def square(score: str) -> str:
        return f"({score}) * ({score})"

    conditions = (
        in_categories,
        in_interval,
        in_dates,
        in_durations,
        in_ranks,
        conjunction,
        branches_text,
        is_missing,
        or_missing,
    )
    return Dialect(
        name, number, *conditions, product, square, impute, if_positive, logistic, number, True
    )


@lru_cache(maxsize=4096)
def clean(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """`text` in NFC, without control and format characters, at most `limit` characters long."""
    normal = unicodedata.normalize("NFC", text[: 4 * limit])
    visible = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in normal)
    line = " ".join(visible.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def reason_of(error: BaseException) -> str:
    """The first line of another program's error, in visible characters and of bounded length."""
    line = next(filter(None, map(str.strip, str(error).splitlines())), type(error).__name__)
    return clean(line, MAX_REASON_CHARS)


def cell(text: str) -> str:
    """`text` as a cell of an exported table, which a spreadsheet shows and never runs."""
    return f"'{text}" if _FORMULA_START.match(text) and not _NUMBER.fullmatch(text) else text


def quoted(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """`text` cleaned and in single quotes, for messages."""
    return f"'{clean(text, limit)}'"


def quoted_names(names: Sequence[object], max_names: int = 5) -> str:
    """The first few names in quotes, for messages: `'a', 'b' and 7 more`."""
    more = f" and {len(names) - max_names:,} more" if len(names) > max_names else ""
    return ", ".join(quoted(str(name)) for name in names[:max_names]) + more


def short_repr(value: object, limit: int = MAX_TEXT_CHARS) -> str:
    """The `repr` of any value in one short line, for messages; its type where `repr` fails."""
    try:
        return clean(repr(value)[: 4 * limit], limit)
    except Exception:  # an int of more than 4,300 digits, or a `__repr__` that fails
        return f"a huge or broken {type(value).__name__}"


def markdown(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """`text` as literal Markdown: nothing in it links, embeds or formats.

    Streamlit also turns `:material/home:` into an icon and `->` or `--` into a sign, which a word
    joiner prevents; only the ` <= ` of a split may become its sign.
    """
    return _PUNCTUATION.sub(r"\\\1", _STREAMLIT_MARKUP.sub("\\1\u2060", clean(text, limit)))


def sentence(text: str) -> str:
    r"""Return a sentence as it is read: no back-ticks round parameters, and the sign of a split.

    A percent sign stays on the line of its number.

    >>> sentence("x <= 2 wins: 50 % of `max_depth=3`.")
    'x ≤ 2 wins: 50\xa0% of max_depth=3.'
    """
    without_ticks = re.sub(r"`([a-z_]+(?:=[^`]*)?)`", r"\1", text)
    return without_ticks.replace(" <= ", " ≤ ").replace(" %", "\u00a0%")


def plotly(text: str) -> str:
    """`text` as literal plotly text: no tags, no %{templates}, no TeX."""
    escaped = _html.escape(clean(text), quote=False)  # plotly shows &quot; as it stands
    return escaped.replace("%{", "%&#123;").replace("$", "&#36;")


def html(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    """`text` as literal HTML."""
    return _html.escape(clean(text, limit))


def graphviz(text: str, limit: int = MAX_TEXT_CHARS) -> str:
    r"""`text` as literal HTML in a label of DOT, where Graphviz also reads `\N`, `\G` and `\E`."""
    return html(text, limit).replace("\\", "\\\\")


def latex(text: str) -> str:
    r"""`text` as literal LaTeX text inside `\text{...}`, as KaTeX reads it.

    KaTeX turns quotes and dashes into typographic ones. So a quote is written by its number, and a
    back-tick as the accent that looks like it. Beyond ASCII only letters are sure to be read; all
    other characters are written by number. A colon is in braces, since Streamlit looks for
    `:material/` in LaTeX too.
    """
    return r"\text{" + "".join(map(_latex_character, clean(text))) + "}"


def _latex_character(c: str) -> str:
    is_readable = c.isascii() or (c.isalpha() and unicodedata.is_normalized("NFKC", c))
    return _LATEX.get(c, c if is_readable else rf'{{\char"{ord(c):X}}}')


def rounded(value: float, digits: int = 4) -> float:
    """`value` rounded to `digits` significant digits."""
    return float(f"{float(value):.{digits}g}")


def number(value: float, digits: int = 4) -> str:
    """`value` with at most `digits` significant digits, without trailing zeros: 0.9183, 12000."""
    if not math.isfinite(value):
        return "-" if math.isnan(value) else ("∞" if value > 0 else "-∞")
    short = float(f"{value:.{digits}g}")
    if short == 0:
        return "0"
    if 1e-4 <= abs(short) < 1e15:
        return f"{short:.0f}" if short == int(short) else repr(short)
    return f"{value:.{digits}g}"


def threshold(value: float, lower: float, upper: float) -> str:
    """`value` in full where 6 digits hold it, else as short as `lower <= text < upper` allows.

    `lower` and `upper` are the neighbouring values of the feature in the node: the text, read as a
    number, sends each row of the node to the side that `value` sends it to. 4 digits at least.
    """
    if not math.isfinite(value):
        return number(value)
    if float(full := number(value, 6)) == value:
        return full
    for digits in range(4, 17):
        if lower <= float(short := number(value, digits)) < upper:
            return short
    return repr(value)


def count(n: int, noun: str) -> str:
    """`n` and the noun, singular or plural: '1 row', '2,000 rows', '3 classes', '9 leaves'."""
    if n == 1:
        return f"1 {noun}"
    stem, ending = (noun[:-1], "ves") if noun.endswith("f") else (noun, "s")
    return f"{n:,} {stem}{'es' if noun.endswith('s') else ending}"
