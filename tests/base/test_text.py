"""Text from outside is harmless wherever it is written, and numbers are short and right."""

from __future__ import annotations

import html as stdlib_html
import math
import re
import unicodedata

from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import nasty

from dtviz.base import text

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(nasty)
def test_text_is_one_short_line_and_has_no_markup_of_its_own(raw: str) -> None:
    clean = text.clean(raw)
    assert len(clean) <= text.MAX_TEXT_CHARS
    assert all(unicodedata.category(c)[0] != "C" for c in clean)
    assert clean == " ".join(clean.split()) == text.clean(clean)
    html = text.html(raw)
    assert not set("<>\"'") & set(html)
    assert stdlib_html.unescape(html) == stdlib_html.unescape(stdlib_html.escape(clean))
    plotly = text.plotly(raw)
    assert not set("<>$") & set(plotly)
    assert "%{" not in plotly
    graphviz = text.graphviz(raw)
    assert graphviz.replace("\\\\", "").count("\\") == 0
    assert graphviz.replace("\\\\", "\\") == html


def test_clean_keeps_letters_of_every_language_and_says_where_it_cuts() -> None:
    assert text.clean(" Größe  田中\n x ") == "Größe 田中 x"
    assert text.clean("e\u0301") == "é"
    assert text.clean("x" * 70) == "x" * 59 + "…"
    assert text.clean("abcdef", 4) == "abc…"


@given(nasty)
def test_markdown_escapes_every_punctuation_mark(raw: str) -> None:
    shown = text.markdown(raw)
    for at, c in enumerate(shown):
        inside = c == "_" and re.fullmatch(
            r"[A-Za-z0-9]_[A-Za-z0-9]", shown[max(at - 1, 0) : at + 2]
        )
        if inside:
            continue  # within a word it marks nothing, and a screen reader tells what is written
        if c.isascii() and c.isprintable() and not c.isalnum() and c not in "\\ ":
            before = len(shown[:at]) - len(shown[:at].rstrip("\\"))
            assert before % 2 == 1, shown
    assert "://" not in shown.replace("\\", "")


SIGNS = re.compile(r"(?<!\S)(<->|->|<-|--|>=|~=)(?!\S)|:material/|:[\w+-]+:")
"""What Streamlit replaces in Markdown that is already parsed: arrows, a dash, icons, emoji."""


@given(st.one_of(nasty, st.text("<->=~ :/a")))
def test_markdown_is_free_of_what_streamlit_turns_into_signs(raw: str) -> None:
    shown = text.markdown(raw)
    assert not SIGNS.search(re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown))
    assert not SIGNS.search(shown)


def test_a_name_of_words_joined_by_underscores_is_written_as_it_is() -> None:
    assert text.markdown("bill_length_mm") == "bill_length_mm"
    assert text.markdown("a_b_1") == "a_b_1"
    assert text.markdown("_a_ b__c d_") == r"\_a\_ b\_\_c d\_"


def test_the_sign_of_a_rule_stays_one_in_markdown() -> None:
    assert text.markdown("x <= 2") == r"x \<\= 2"
    assert text.markdown("a --> b") == "a \\-\u2060\\-\u2060\\> b"


def test_latex_is_what_katex_reads_as_it_stands() -> None:
    for raw, shown in (
        ("it's", r'it\(\char"27\)s'),
        ("a`b", r'a{\char"2CB}b'),
        ("a -- b", "a {-}{-} b"),
        (":material/home:", "{:}material/home{:}"),
        ("Größe 田中", "Größe 田中"),
        ("∑ ≠ ²", r'{\char"2211} {\char"2260} {\char"B2}'),
        ("ℒ", r'{\char"2112}'),
        ("\U0001f469", r'{\char"1F469}'),
    ):
        assert text.latex(raw) == rf"\text{{{shown}}}"


@given(nasty)
def test_latex_stays_inside_its_braces(raw: str) -> None:
    shown = text.latex(raw)
    assert shown.startswith(r"\text{")
    assert shown.endswith("}")
    body = shown[len(r"\text{") : -1]
    depth, at = 0, 0
    while at < len(body):
        if body[at] == "\\" and body[at + 1] in "{}$&#%_\\":
            at += 2
            continue
        depth += {"{": 1, "}": -1}.get(body[at], 0)
        assert depth >= 0
        assert body[at] not in "$&#%_^~"
        at += 1
    assert depth == 0


def test_a_number_is_short() -> None:
    for value, digits, shown in (
        (0.918296, 4, "0.9183"), (12000, 4, "12000"), (123456.0, 4, "123500"),
        (0.1 + 0.2, 4, "0.3"), (2.0, 4, "2"), (-2.5, 4, "-2.5"), (0.0, 4, "0"), (-0.0, 4, "0"),
        (1e-7, 4, "1e-07"), (1.23456789e-7, 9, "1.23456789e-07"), (1.25e300, 4, "1.25e+300"),
        (1e15, 4, "1e+15"), (1234567890123456789.0, 12, "1.23456789012e+18"), (math.nan, 4, "-"),
        (math.inf, 4, "∞"), (-math.inf, 4, "-∞"),
    ):  # fmt: skip
        assert text.number(value, digits) == shown, value


@given(finite, st.integers(1, 17))
def test_a_number_is_right_to_its_digits(value: float, digits: int) -> None:
    read = float(text.number(value, digits))
    assert read == float(f"{value:.{digits}g}")


@given(finite, finite, st.sampled_from((0.0, 0.5, 1.0)))
def test_a_threshold_s_text_sends_every_row_to_the_same_side(a: float, b: float, at: float) -> None:
    assume(a != b)
    lower, upper = min(a, b), max(a, b)
    value = lower + (upper / 2 - lower / 2) * at
    assume(lower <= value < upper)
    assert lower <= float(text.threshold(value, lower, upper)) < upper


@given(finite, st.integers(1, 3))
def test_a_threshold_between_adjacent_floats_is_exact(lower: float, steps: int) -> None:
    upper = lower
    for _ in range(steps):
        upper = math.nextafter(upper, math.inf)
    assume(math.isfinite(upper))
    assert lower <= float(text.threshold(lower, lower, upper)) < upper


def test_a_threshold_is_no_longer_than_it_need_be() -> None:
    assert text.threshold(2.449999999, 1.9, 3.0) == "2.45"
    assert text.threshold(100000001.5, 100000001, 100000002) == "100000001.5"
    assert text.threshold(1.000049, 1.0, 1.0001) == "1"  # as good: no row lies between
    assert text.threshold(3712.5, 3700, 3725) == "3712.5"  # a mid-point is said in full
    assert text.threshold(1.00005, 1.00001, 1.0001) == "1.00005"


def test_things_are_counted_in_words() -> None:
    counts = ("1 row", "0 rows", "2,000 rows", "2 classes", "9 leaves")
    things = ((1, "row"), (0, "row"), (2000, "row"), (2, "class"), (9, "leaf"))
    assert tuple(text.count(n, noun) for n, noun in things) == counts


def test_quoted_is_clean() -> None:
    assert text.quoted("a\nb") == "'a b'"


def test_a_cell_that_a_spreadsheet_would_run_is_quoted_and_no_other() -> None:
    for raw in ("-5", "+1e3", "-1,234.5", "-.5", "-12 %", "", "a=b", "1=1", " =1", "'=1"):
        assert text.cell(raw) == raw
    for raw in ("=1+1", "+cmd|' /C calc'!A0", "-2+3", "-1e", "@SUM(A1)", "\t=1", "\r=1", "\n=1",
                "-"):  # fmt: skip
        assert text.cell(raw) == "'" + raw
