"""The delimiter is the one that makes rows of the header's width out of sensible cells."""

from __future__ import annotations

import struct

import numpy as np
from hypothesis import given
from hypothesis import strategies as hst

from dtviz.table.dialect import BETWEEN, ONE_COLUMN, detect, plain_numbers

LINES = 9
MEANT = {
    "commas in text": (";", "name;city\n" + "Smith, J, Dr;Paris\n" * LINES),
    "commas in quoted cells of many lines": (";", "x;note\n" + '1;"a, b\nc, d\ne, f"\n' * LINES),
    "decimal commas in one column": (ONE_COLUMN, "price\n" + "1,5\n" * LINES),
    "rows cut short": (";", "a;b;c\n1;2;3\n" + "x\n" * 4),
    "as many wide rows as narrow ones": (",", "a,b\n1,2\n1,2,3\n1,2,3\n"),
    "tabs before commas": ("\t", "a,b\tc\n1,5\t2\n"),
    "one name alone": (ONE_COLUMN, "a\n1\n2\n"),
}


def test_the_delimiter_is_the_one_meant() -> None:
    for case, (mark, text) in MEANT.items():
        assert detect(text) == mark, case
        assert detect(text.replace("\n", "\r\n")) == mark, case


def bits(values: list[float]) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


DIGITS = hst.text("0123456789", min_size=1, max_size=40)
WRITTEN = hst.one_of(
    hst.floats(allow_nan=False, allow_infinity=False).map(repr),
    hst.builds("{}{}.{}".format, hst.sampled_from(["", "-", "+"]), DIGITS, DIGITS),
    hst.builds("{}e{}".format, DIGITS, hst.integers(-400, 250)),
    hst.integers().map(str),
    hst.sampled_from(["-0", ".5", "5.", "1E+5", "5e-324", "2.2250738585072011e-308", "1e-400"]),
)


@given(hst.lists(WRITTEN, min_size=1, max_size=8))
def test_plain_numbers_are_what_python_reads_to_the_last_bit(cells: list[str]) -> None:
    found = plain_numbers(BETWEEN.join(cells))
    assert found
    assert bits(found.values.tolist()) == bits([float(cell) for cell in cells])


def test_a_cell_that_is_no_finite_number_makes_no_plain_column() -> None:
    for cell in ("", "-", ".", "e", "1e", "1.2.3", "1-2", "1e999", "--1", "+"):
        for cells in ([cell], ["1", cell], [cell, "1"], ["1", cell, "2"]):
            assert plain_numbers(BETWEEN.join(cells)) is None, cell


def test_a_long_column_of_plain_numbers_is_whole() -> None:
    cells = [repr(x) for x in np.random.default_rng(0).normal(size=50_000).tolist()]
    found = plain_numbers(BETWEEN.join(cells))
    assert found
    assert found.values.tolist() == [*map(float, cells)]
