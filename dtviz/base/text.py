"""Text from outside made harmless, and numbers made short: one function a place it is written to.

Everything a file, a link or a person brings (column names, class labels, cells) passes `clean`
when it comes in and one of the escapes below when it goes out.
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

MAX_LENGTH = 60
_RUN = re.compile(r"[=+\-@\t\r\n＝＋－＠]")  # how a cell begins that a spreadsheet runs
_NUMBER = re.compile(r"[+-]?[\d.,]*\d(?:[eE][+-]?\d+)?\s?%?")
_PUNCTUATION = re.compile(r"(?!(?<=[A-Za-z0-9])_[A-Za-z0-9])([!-/:-@\[-`{-~])")
_LIVE = re.compile(r"(:|@|www|(?!<=)[-<>~](?=[-=>]))")
_LATEX = {
    "'": r'\(\char"27\)', "`": r'{\char"2CB}', "-": "{-}", ":": "{:}",
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def chained(score: str, low: str, high: str, at_most: str = "<=") -> str:
    """low < score <= high as people write it: '2 < x1 <= 5', 'x1 > 2', 'x1 <= 5'."""
    if low and high:
        return f"{low} < {score} {at_most} {high}"
    return f"{score} > {low}" if low else f"{score} {at_most} {high}"


def dated(score: str, low: str, high: str) -> str:
    """low <= score < high of dates: 'paid before 2024-03-01', 'paid 2024-03-01 or later'."""
    terms = (f"{low} or later" if low else "", f"before {high}" if high else "")
    return f"{score} {', '.join(filter(None, terms))}"


def listed(score: str, values: Sequence[str], inside: bool) -> str:
    """That a category has one of some values, or none of them: 'Car = Sports', 'Car not in ...'."""
    if len(values) == 1:
        return f"{score} {'=' if inside else '≠'} {values[0]}"
    return f"{score} {'in' if inside else 'not in'} {{{', '.join(values)}}}"


def lacking(names: Sequence[str], so: bool) -> str:
    """That one of some features has no value, or that all have one: 'age missing', 'age known'."""
    return f"{' or '.join(names)} missing" if so else f"{' and '.join(names)} known"


def or_lacking(asked: str, _names: Sequence[str]) -> str:
    """What is asked, or no value: 'age <= 30 or missing'."""
    return f"{asked} or missing"


def multiplied(weight: str, name: str) -> str:
    """A number times a value: '0.42·x2'."""
    return f"{weight}·{name}"


def apart_from(name: str, centre: float, number: Callable[[float], str]) -> str:
    """How far a value is from a centre: 'x1 - 3', 'x1 + 3'."""
    return f"{name} {'+' if centre < 0 else '-'} {number(abs(centre))}"


def bare_name(name: str, _mean: float) -> str:
    """A value that a mean stands for where it is missing: the name alone."""
    return name


def squared(score: str) -> str:
    """The square of a score that is a sum: '(x1 - 3)²'."""
    return f"({score})²"


def likelier(score: str, yes: str, no: str) -> str:
    """One thing where a score is above 0, another where it is not: 'b if 2·x1 > 0, else a'."""
    return f"{yes} if {score} > 0, else {no}"


def chance(score: str) -> str:
    """The share that a score is the log odds of: '1 / (1 + e^-(2·x1 - 1))'."""
    return f"1 / (1 + e^-({score}))"


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a language writes a name, a number, and what a cut asks of them.

    `among` says that a score is one of some values of a category, or none of them, and is given
    the other values too; `between` is low < score <= high ('' for no bound), `since` low <= score <
    high of dates, `lasting` low < score <= high of durations; `ranked` the same of ranks with these
    names, the bounds being names, in code how many ranks are at most that; `both` is "and".
    `lacks` says that one of some features has no value, or that all have one; `or_lacks` adds that
    one of them has none to what is asked. `times` is a number times a value, `square` the square
    of a sum; `impute` is a value, or a mean where it is missing; `exact` is a number that is not
    rounded. `either` says one thing where a score is above 0 and another where it is not, `chance`
    is the share that a score is the log odds of.
    """

    name: Callable[[str], str]
    number: Callable[[float], str]
    among: Callable[[str, Sequence[Any], Sequence[Any], bool], str]
    between: Callable[[str, str, str], str] = chained
    since: Callable[[str, str, str], str] = dated
    lasting: Callable[[str, str, str], str] = chained
    ranked: Callable[[str, str, str, Sequence[Any]], str] = lambda score, low, high, _: chained(
        score, low, high
    )
    both: str = " and "
    lacks: Callable[[Sequence[str], bool], str] = lacking
    or_lacks: Callable[[str, Sequence[str]], str] = or_lacking
    times: Callable[[str, str], str] = multiplied
    square: Callable[[str], str] = squared
    impute: Callable[[str, float], str] = bare_name
    either: Callable[[str, str, str], str] = likelier
    chance: Callable[[str], str] = chance
    exact: Callable[[float], str] = lambda value: repr(value).removesuffix(".0")


def code(
    name: Callable[[str], str],
    number: Callable[[float], str],
    among: Callable[[str, Sequence[Any], Sequence[Any], bool], str],
    both: str,
    since: Callable[[str, str, str], str],
    seconds: Callable[[str], str],
    lacks: Callable[[Sequence[str], bool], str],
    times: Callable[[str, str], str],
    impute: Callable[[str, float], str],
    either: Callable[[str, str, str], str],
    chance: Callable[[str], str],
) -> Dialect:
    """The dialect of a language in which each comparison stands alone.

    `seconds` writes those of a duration.
    """

    def between(score: str, low: str, high: str) -> str:
        terms = (f"{score} > {low}" if low else "", f"{score} <= {high}" if high else "")
        return both.join(filter(None, terms))

    def lasting(score: str, low: str, high: str) -> str:
        return between(seconds(score), low, high)

    def ranked(score: str, low: str, high: str, names: Sequence[Any]) -> str:
        first, last = int(low or 0), int(high or len(names))
        return among(score, names[first:last], [*names[:first], *names[last:]], True)

    def or_lacks(asked: str, names: Sequence[str]) -> str:
        either = both.replace("AND", "OR").replace("and", "or")
        return f"({either.join([*(lacks([name], True) for name in names), asked])})"

    def square(score: str) -> str:
        return f"({score}) * ({score})"

    named = name, number, among, between, since, lasting, ranked, both, lacks, or_lacks
    return Dialect(*named, times, square, impute, either, chance, number)


@lru_cache(maxsize=4096)
def clean(text: str, limit: int = MAX_LENGTH) -> str:
    """`text` in NFC, without control and format characters, at most `limit` characters long."""
    normal = unicodedata.normalize("NFC", text[: 4 * limit])
    kept = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in normal)
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def cell(text: str) -> str:
    """`text` as a cell of a table to take away: a spreadsheet shows it, and runs nothing of it."""
    return f"'{text}" if _RUN.match(text) and not _NUMBER.fullmatch(text) else text


def quoted(text: str, limit: int = MAX_LENGTH) -> str:
    """`text` cleaned and in single quotes, for messages."""
    return f"'{clean(text, limit)}'"


def several(names: Sequence[object], most: int = 5) -> str:
    """The first few names in quotes, for messages: `'a', 'b' and 7 more`."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(quoted(str(name)) for name in names[:most]) + more


def shown(value: object, limit: int = MAX_LENGTH) -> str:
    """Any value in one short line, for messages; its type alone where it cannot be written."""
    try:
        return clean(repr(value)[: 4 * limit], limit)
    except Exception:  # an int of more than 4,300 digits, or a `__repr__` that fails
        return f"a huge or broken {type(value).__name__}"


def markdown(text: str, limit: int = MAX_LENGTH) -> str:
    """`text` as literal Markdown: nothing in it links, embeds or formats.

    Streamlit also writes icons for `:material/home:` and signs for `->`, `--` and their like, which
    a word joiner prevents; only a rule's ` <= ` may become its sign.
    """
    return _PUNCTUATION.sub(r"\\\1", _LIVE.sub("\\1\u2060", clean(text, limit)))


def plotly(text: str) -> str:
    """`text` as literal plotly text: no tags, no %{templates}, no TeX."""
    escaped = _html.escape(clean(text), quote=False)  # plotly shows &quot; as it stands
    return escaped.replace("%{", "%&#123;").replace("$", "&#36;")


def html(text: str, limit: int = MAX_LENGTH) -> str:
    """`text` as literal HTML."""
    return _html.escape(clean(text, limit))


def graphviz(text: str, limit: int = MAX_LENGTH) -> str:
    r"""`text` as literal HTML in a label of DOT, where Graphviz also reads `\N`, `\G` and `\E`."""
    return html(text, limit).replace("\\", "\\\\")


def latex(text: str) -> str:
    r"""`text` as literal LaTeX text inside `\text{...}`, as KaTeX reads it.

    KaTeX has typographic quotes and dashes, so that a quote is written by its number, a back-tick
    as the accent that looks like it; of what is not ASCII it reads letters, and no other character
    without fail. Streamlit looks for `:material/` in LaTeX too.
    """
    return r"\text{" + "".join(map(_in_latex, clean(text))) + "}"


def _in_latex(c: str) -> str:
    known = c.isascii() or (c.isalpha() and unicodedata.is_normalized("NFKC", c))
    return _LATEX.get(c, c if known else rf'{{\char"{ord(c):X}}}')


def rounded(value: float, digits: int = 4) -> float:
    """The number with so many significant digits."""
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

    `lower` and `upper` are the neighbouring values of the feature in the node, so that the text,
    read back as a number, sends every row to the same side as `value` does; 4 digits or more.
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
    """`n` and the noun in the right number: '1 row', '2,000 rows', '3 classes', '9 leaves'."""
    if n == 1:
        return f"1 {noun}"
    stem, ending = (noun[:-1], "ves") if noun.endswith("f") else (noun, "s")
    return f"{n:,} {stem}{'es' if noun.endswith('s') else ending}"
