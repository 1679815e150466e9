"""A value is written as text and read back; what is hostile stays text."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from strategies import nasty

from dtviz.table.values import (
    MOST_TEXT,
    NUMBER,
    names_in,
    read_names,
    read_value,
    write_names,
    write_value,
)

names = st.lists(st.text(max_size=5)).map(tuple)


@given(
    st.text(max_size=20) | nasty | names,
    st.lists(st.text(min_size=1, max_size=5), min_size=1).map(tuple),
    st.integers(1 - 10**18, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False),
)
@example("", ("a",), 10**17)
@example(("a", "b"), ("a",), 1e-300)
def test_texts_lists_of_names_and_numbers_come_back(
    value: Any, listed: tuple[str, ...], number: float
) -> None:
    assert read_names(write_value(value)) == value
    assert names_in(read_names(write_names(listed))) == listed
    assert read_value(write_value(number)) == number


def test_plain_names_are_listed_with_commas_and_one_may_be_left_out() -> None:
    assert write_names(("ü", "b_c", "d2")) == "ü,b_c,d2"
    assert write_names(("a,b", "c")) == '["a,b","c"]'
    assert names_in("b_c") == ("b_c",)
    assert [names_in(value) for value in (7, "", ("a,b",))] == [7, "", ("a,b",)]


def test_text_is_read_as_meant_and_else_stays_as_it_is() -> None:
    for text, value in (
        ("007", 7), ("+3", 3), ("1.50", 1.5), ("1e5", 1e5), (".5", 0.5), ("5.", 5.0),
        ("9" * 30, 1e30), ('["a"]', ("a",)), ('"[1]"', "[1]"), ("[]", ()),
    ):  # fmt: skip
        read = read_value(text)
        assert (read, type(read)) == (value, type(value)), text
    for text in (
        "", " 1", "1 ", "1,5", "nan", "inf", "1e999", "1e1000", "0x1", "1_0", "٣", "²", "true",
        "null", "1" * 41, "{}", "[1]", '["a", 1]', "[", '"', '"a', "[" * 5000, ' ["a"]', ' "a"',
        "[null]",
    ):  # fmt: skip
        assert read_value(text) == read_names(text) == text, text
    fits = '["' + "a" * (MOST_TEXT - 4) + '"]'
    assert read_names(fits) == ("a" * (MOST_TEXT - 4),)
    assert read_names('["' + "a" * (MOST_TEXT - 3) + '"]').startswith('["aa')


def test_text_is_written_as_it_reads_best() -> None:
    assert write_value(("ü", "b c")) == '["ü","b c"]'
    assert write_value("[ü") == '"[ü"'
    assert (write_value(2.0), write_value(1e16), write_value(-0.5)) == ("2", "1e+16", "-0.5")
    assert (write_value(True), write_value(None), write_value("a")) == ("True", "None", "a")


@given(nasty)
def test_any_text_is_read(text: str) -> None:
    for read in (read_value, read_names):
        value = read(text)
        assert read(write_value(value)) == value
    assert NUMBER.fullmatch(text) or not isinstance(read_value(text), int | float)
