"""A value is written as text and read back; what is hostile stays text."""

from __future__ import annotations

from typing import Any

from hypothesis import given
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


@given(st.text(max_size=20) | nasty | names)
def test_texts_and_lists_of_names_come_back(value: Any) -> None:
    assert read_names(write_value(value)) == value


@given(st.lists(st.text(min_size=1, max_size=5), min_size=1).map(tuple))
def test_names_come_back_however_they_are_listed(value: tuple[str, ...]) -> None:
    assert names_in(read_names(write_names(value))) == value


def test_plain_names_are_listed_with_commas_and_one_may_be_left_out() -> None:
    assert write_names(("ü", "b_c", "d2")) == "ü,b_c,d2"
    assert write_names(("a,b", "c")) == '["a,b","c"]'
    assert names_in("b_c") == ("b_c",)
    assert [names_in(value) for value in (7, "", ("a,b",))] == [7, "", ("a,b",)]


@given(st.integers(1 - 10**18, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(value: float) -> None:
    assert read_value(write_value(value)) == value


def test_some_values_come_back() -> None:
    for value in (0, 7, -3, 10**17, 0.25, -1.5, 1e300, 1e-300, 2.0, ("a", "b")):
        assert read_value(write_value(value)) == value, value


def test_text_is_read_as_meant() -> None:
    for text, value in (
        ("007", 7), ("+3", 3), ("1.50", 1.5), ("1e5", 1e5), (".5", 0.5), ("5.", 5.0),
        ("9" * 30, 1e30), ('["a"]', ("a",)), ('"[1]"', "[1]"), ("[]", ()),
    ):  # fmt: skip
        read = read_value(text)
        assert (read, type(read)) == (value, type(value)), text


def test_other_text_stays_as_it_is() -> None:
    for text in (
        "", " 1", "1 ", "1,5", "nan", "inf", "1e999", "1e1000", "0x1", "1_0", "٣", "²", "true",
        "null", "1" * 41, "{}", "[1]", '["a", 1]', "[", '"', '"a', "[" * 5000, ' ["a"]', ' "a"',
        "[null]",
    ):  # fmt: skip
        assert read_value(text) == read_names(text) == text, text


def test_text_is_written_as_it_reads_best() -> None:
    assert write_value(("ü", "b c")) == '["ü","b c"]'
    assert write_value("[ü") == '"[ü"'
    assert (write_value(2.0), write_value(1e16), write_value(-0.5)) == ("2", "1e+16", "-0.5")
    assert (write_value(True), write_value(None), write_value("a")) == ("True", "None", "a")


def test_a_list_too_long_for_an_address_stays_text() -> None:
    fits = '["' + "a" * (MOST_TEXT - 4) + '"]'
    assert read_names(fits) == ("a" * (MOST_TEXT - 4),)
    assert read_names('["' + "a" * (MOST_TEXT - 3) + '"]').startswith('["aa')


@given(nasty)
def test_any_text_is_read(text: str) -> None:
    for read in (read_value, read_names):
        value = read(text)
        assert read(write_value(value)) == value
    assert NUMBER.fullmatch(text) or not isinstance(read_value(text), int | float)
