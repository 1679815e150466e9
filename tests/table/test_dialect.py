"""The delimiter is the one that makes rows of the header's width out of sensible cells."""

from __future__ import annotations

import pytest

from dtviz.table.dialect import ONE_COLUMN, detect

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


@pytest.mark.parametrize("case", MEANT)
def test_the_delimiter_is_the_one_meant(case: str) -> None:
    mark, text = MEANT[case]
    assert detect(text) == mark
    assert detect(text.replace("\n", "\r\n")) == mark
