"""Numbers as people write them: with money, units, groups, brackets; and what is no number."""

from __future__ import annotations

import io
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz.data.csv import read_frame
from dtviz.data.number_cells import CURRENCIES, UNITS, bare_number
from dtviz.data.read_table import read_file
from dtviz.pictures.scales import scene_axes

WRITTEN = {  # bare form and unit of each cell
    "$1,100": ("1,100", "$"),
    "€ 1.234,56": ("1.234,56", "€"),
    "1 234,56 €": ("1234,56", "€"),
    "USD 12": ("12", "USD"),
    "12 kr": ("12", "kr"),
    "-$5": ("-5", "$"),
    "$-5": ("-5", "$"),
    "($5)": ("-5", "$"),
    "(1,234)": ("-1,234", ""),
    "\u22125.5": ("-5.5", ""),
    "+5": ("5", ""),
    "1\u2019234\u2019567.8": ("1234567.8", ""),
    "1'234": ("1234", ""),
    "1\u00a0234": ("1234", ""),
    "1\u202f234\u202f567": ("1234567", ""),
    "1,23,456": ("123456", ""),
    "12 %": ("12", "%"),
    "12%": ("12", "%"),
    "30km/h": ("30", "km/h"),
    "12.5 °C": ("12.5", "°C"),
    "1.5e3 kg": ("1.5e3", "kg"),
    "3 sq ft": ("3", "sq ft"),
    "7 apples": ("7", "apples"),
}
NO_NUMBERS = (
    "12 to 15", "10-12", "1.2.3", "192.168.0.1", "12A", "<5", "~12", "12*", "1 23", "1 2345",
    "1'23", "(5", "5)", "(-5)", "--5", "$5 USD", "$", "kg", "", "1/2", "2:30", "0049 30 1234567",
    "1st", "12 kg 3", "A12", "1 234 56", "1 234'567", "twelve",
)  # fmt: skip


def test_a_number_is_told_from_what_stands_around_it() -> None:
    for cell, expected in WRITTEN.items():
        assert bare_number(cell) == expected, cell
    for cell in NO_NUMBERS:
        assert bare_number(cell) is None, cell


def column(cells: list[str]) -> pd.Series[Any]:
    """The column of these cells in a tab-separated file."""
    return read_frame(("x\ty\n" + "".join(f"{cell}\tu\n" for cell in cells)).encode())[0]["x"]


def test_a_unit_stands_beside_every_number_and_money_beside_some() -> None:
    assert column(["30 kg", "12 kg", "7.5 kg"]).tolist() == [30, 12, 7.5]
    assert column(["$5", "7", "($1,234)"]).tolist() == [5, 7, -1234]
    assert column(["1 234,5", "2,25", "−3"]).tolist() == [1234.5, 2.25, -3]
    assert column(["(1,200)", "300", "4,000"]).tolist() == [-1200, 300, 4000]
    assert column(["12,34,567", "5,000"]).tolist() == [1234567, 5000]
    for cells in (
        ["30 kg", "12 lb", "7 kg", "5 lb"], ["30 kg", "12", "7 kg", "5"], ["$5", "€7"] * 3,
        ["12 Elm", "120 Lane", "7 Main"], ["120 Lane", "7 Lane"], ["12%", "5", "3%", "4"],
        ["007", "008", "0123"], ["1.2.3", "1.2.4"], ["1-2", "3-4"],
    ):  # fmt: skip
        assert column(cells).tolist() == cells
    mixed = column([f"{i} kg" for i in range(30)] + ["12 lb"])  # nine in ten are enough
    assert mixed.isna().sum() == 1


def test_what_was_read_otherwise_is_told() -> None:
    for cells, note in (
        (["$1,100", "$20"], "'$1,100' read as 1100, in '$'"),
        (["1 100", "20"], "'1 100' read as 1100"),
        (["5 %", "20 %"], "'5 %' read as 5, in '%'"),
    ):
        text = "x\ty\n" + "".join(f"{cell}\tu\n" for cell in cells)
        assert [one.text for one in read_frame(text.encode())[1]] == [note]
    table = [*map(str, range(1, 49)), *["n.d.", "b.d."] * 6]
    text = "x\n" + "\n".join(table)
    assert read_frame(text.encode())[1][0].text == (
        "48 of 60 cells are numbers; 'n.d.', 'b.d.' are not"
    )
    weights = "w,x\n" + "".join(f"{30 + k} {'kg' if k % 3 else 'lb'},u\n" for k in range(40))
    assert read_frame(weights.encode())[1][0].text == (
        "numbers in several units, 'kg', 'lb': in one unit they are read as numbers"
    )
    grouped = "x\n" + "1.5\n2.25\n3.5\n1.234.567\n" * 12
    assert read_frame(grouped.encode())[1][0].text == (
        "36 of 48 cells are numbers; '1.234.567' is not"
    )
    codes = "v\n1.1\n1.10\n1.2\n1.20\n2.5\n"
    assert read_frame(codes.encode())[1][0].text == (
        "'1.1' and '1.10' are one number: read as a category, they stay apart"
    )
    ages = "a\n" + "\n".join(["-999"] * 3 + [*map(str, range(20, 60))])
    assert read_frame(ages.encode())[1][0].text == (
        "-999 stands in 3 of 43 rows, far from the others (20 to 59): does it mean a missing value?"
    )
    for cells in (
        ["0.5", "0.50"] * 300 + [f"{i / 7:.4f}" for i in range(300)],
        ["-1", "0", "1"] * 9,
    ):
        assert read_frame(("v\n" + "\n".join(cells)).encode())[1] == ()


GROUPS = st.sampled_from(["", ",", " ", "'", "\u2019", "\u00a0", "\u202f"])


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=3, max_size=20),
    GROUPS,
    st.sampled_from([*CURRENCIES, *UNITS, ""]),
    st.booleans(),
)
def test_a_number_written_in_a_form_is_read_back(
    values: list[int], group: str, unit: str, is_before: bool
) -> None:
    def write(value: int) -> str:
        digits = f"{abs(value):,}".replace(",", group)
        text = f"{unit} {digits}" if is_before and unit in CURRENCIES else f"{digits} {unit}"
        return f"({text.strip()})" if value < 0 else text.strip()

    for value in values:
        form = bare_number(write(value))
        assert form is not None
        assert float(form.bare.replace(",", "")) == value
        assert form.unit == unit
    assert column([*map(write, values)]).tolist() == values


def test_equal_cells_are_read_alike_from_every_kind_of_file() -> None:
    cells = {
        "price": ["$1,100", "($20)", "$3.50", "NA"],
        "share": ["12 %", "7 %", "-3 %", "--"],
        "day": ["2024-01-02", "2024-02-03", "?", "2024-03-04"],
        "word": ["a", "b", "null", "a"],
        "code": ["007", "08", "7", "9"],
    }
    frame = pd.DataFrame(cells)
    expected = read_file(frame.to_csv(index=False).encode())[0]
    assert expected["price"].tolist()[:3] == [1100, -20, 3.5]
    for write in ("to_excel", "to_parquet", "to_stata", "to_feather"):
        content = io.BytesIO()
        options: dict[str, Any] = {"write_index": False} if write == "to_stata" else {}
        options = {"index": False} if write in ("to_excel", "to_parquet") else options
        getattr(frame, write)(content, **options)
        pd.testing.assert_frame_equal(read_file(content.getvalue())[0], expected, obj=write)
    lines = frame.to_json(orient="records", lines=True).encode()
    pd.testing.assert_frame_equal(read_file(lines)[0], expected)


@pytest.mark.parametrize("word", ["--", "\\N", "#DIV/0!", "<NA>", "#NAME?", "n/a"])
def test_words_of_databases_and_spreadsheets_are_missing_values(word: str) -> None:
    assert column([word, "1", "2", word]).isna().tolist() == [True, False, False, True]


def test_a_unit_stays_with_the_column_and_stands_in_rules_and_on_axes() -> None:
    rows = "".join(f"{k} kg,{'$' if k % 2 else ''}{k * 100},{'ab'[k > 9]}\n" for k in range(20))
    content = ("mass,price,kind\n" + rows).encode()
    for isolated in (False, True):
        frame, _ = read_file(content, isolated=isolated)
        assert frame.attrs["units"] == {"mass": "kg", "price": "$"}
    data = dtviz.read_table(content, "kind")
    assert data.units == ("kg", "$")
    tree = dtviz.fit(data)
    assert "mass <= 9.5\u00a0kg? yes" in tree.export("text")
    assert "9.5 kg" not in tree.export("python").replace("\u00a0", " ").split("def ")[1]
    assert [axis["name"] for axis in scene_axes(data, (0, 1))] == ["mass (kg)", "price ($)"]
    assert dtviz.read_table(content, "kind", types={"mass": "category"}).units == ("$",)
