"""A value is written as text and read back; what is hostile stays text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import nasty

from dtviz.table.values import MOST_TEXT, NUMBER, read_names, read_value, write_names

names = st.lists(st.text(max_size=5)).map(tuple)


@given(st.text(max_size=20) | nasty | names)
def test_texts_and_lists_of_names_come_back(value: Any) -> None:
    assert read_names(write_names(value)) == value


@given(st.integers(1 - 10**18, 10**18 - 1) | st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(value: float) -> None:
    assert read_value(write_names(value)) == value


@pytest.mark.parametrize("value", [0, 7, -3, 10**17, 0.25, -1.5, 1e300, 1e-300, 2.0, ("a", "b")])
def test_some_values_come_back(value: Any) -> None:
    assert read_value(write_names(value)) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("007", 7), ("+3", 3), ("1.50", 1.5), ("1e5", 1e5), (".5", 0.5), ("5.", 5.0),
        ("9" * 30, 1e30), ('["a"]', ("a",)), ('"[1]"', "[1]"), ("[]", ()),
        ("a,b_2,ü", ("a", "b_2", "ü")), ('"a,b"', "a,b"),
    ],
)  # fmt: skip
def test_text_is_read_as_meant(text: str, value: Any) -> None:
    read = read_value(text)
    assert (read, type(read)) == (value, type(value))


@pytest.mark.parametrize(
    "text",
    [
        "", " 1", "1 ", "1,5", "nan", "inf", "1e999", "1e1000", "0x1", "1_0", "٣", "²",
        "true", "null", "1" * 41, "{}", "[1]", "a,", ",a", "a, b", "a,1", "a,b,,c",
        '["a", 1]', "[", '"', '"a', "[" * 5000, ' ["a"]', ' "a"', "[null]",
    ],
)  # fmt: skip
def test_other_text_stays_as_it_is(text: str) -> None:
    assert read_value(text) == read_names(text) == text


def test_text_is_written_as_it_reads_best() -> None:
    assert write_names(("ü", "b_c", "d2")) == "ü,b_c,d2"
    assert write_names("a,b") == '"a,b"'
    assert write_names(("ü", "b c")) == '["ü","b c"]'
    assert write_names("[ü") == '"[ü"'
    assert (write_names(2.0), write_names(1e16), write_names(-0.5)) == ("2", "1e+16", "-0.5")
    assert (write_names(True), write_names(None), write_names("a")) == ("True", "None", "a")


def test_a_list_too_long_for_an_address_stays_text() -> None:
    fits = '["' + "a" * (MOST_TEXT - 4) + '"]'
    assert read_names(fits) == ("a" * (MOST_TEXT - 4),)
    assert read_names('["' + "a" * (MOST_TEXT - 3) + '"]').startswith('["aa')


@given(nasty)
def test_any_text_is_read(text: str) -> None:
    for read in (read_value, read_names):
        value = read(text)
        assert read(write_names(value)) == value
    assert NUMBER.fullmatch(text) or not isinstance(read_value(text), int | float)
