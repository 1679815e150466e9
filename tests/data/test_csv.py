"""Tables from files: read as they are meant, or refused with a reason; nothing in silence.

Glossary
    notes_of   the notes of a file as (kind, text, line, column)

csv_spectrum/ is max-mapper/csv-spectrum (BSD-2-Clause).
"""

from __future__ import annotations

import csv
import io
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from refusals import refusal
from strategies import NASTY

from dtviz.base.progress import run_to_end
from dtviz.base.text import quoted
from dtviz.data import csv as cut
from dtviz.data import csv as read
from dtviz.data import worker
from dtviz.data.csv import read_frame
from dtviz.data.csv_dialect import ONE_COLUMN, detect_delimiter
from dtviz.data.csv_head import Head
from dtviz.data.dataset import DataError
from dtviz.data.notes import Note
from dtviz.data.number_cells import CELL_SEPARATOR, parse_plain_numbers
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import read_table

SPECTRUM = Path(__file__).parent / "csv_spectrum"
UNSOUND = {"newlines", "newlines_crlf", "quotes_and_newlines"}  # cut record by record


def notes_of(source: Any) -> list[tuple[str, str, int | None, str | None]]:
    return [(note.kind, note.text, note.line, note.column) for note in read_frame(source)[1]]


def table(source: Any) -> dict[str, list[Any]]:
    """The columns as lists, None where a cell is missing."""
    frame, _ = read_frame(source)
    return {
        name: [None if missing else value for value, missing in zip(s, s.isna(), strict=True)]
        for name, s in frame.items()
    }  # fmt: skip


def lines(source: Any) -> list[int]:
    return list(read_frame(source)[0].attrs["lines"])


def as_read(cells: list[str]) -> list[Any]:
    """What a column of the expected JSON becomes in a frame; a zip code of 08... stays one."""
    if any(cell.startswith("08") for cell in cells):
        return [*cells]
    try:
        return [float(cell) if cell else None for cell in cells]
    except ValueError:
        return [cell or None for cell in cells]


def both_ways(text: str, mark: str, header: bool = True) -> bool:
    """Whether the text can be cut at once; it is then what it is record by record."""
    notes: list[list[Note]] = [[], []]
    head = Head(text, ReadOptions(), [], mark, None if header else False)
    fast = run_to_end(read._read_sound(head, notes[0]))
    if fast is None:
        return False
    slow = run_to_end(read._repair(head, notes[1]))
    assert (fast.names, fast.texts, notes[0]) == (slow.names, slow.texts, notes[1])
    assert fast.lines.tolist() == slow.lines.tolist()
    assert slow.labels is None
    return True


def test_csv_spectrum_is_read_as_meant_and_the_same_both_ways() -> None:
    for path in sorted(SPECTRUM.glob("*.csv")):
        expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        got = table(path)
        if path.stem == "location_coordinates":  # its JSON lacks a column, has another phone
            assert got.pop("Contact Phone Number") == [2095257564]
            expected = [{"Location Coordinates": expected["Location Coordinates"],
                         "Cities": "Modesto", "Counties": "Stanislaus"}]  # fmt: skip
        wanted = {name: as_read([row[name] for row in expected]) for name in expected[0]}
        assert got == wanted, path.stem
        sound = both_ways(path.read_bytes().decode(), ",")
        assert sound == (path.stem not in UNSOUND), path.stem


def test_every_kind_of_source(tmp_path: Path) -> None:
    text = "a,b\n1,2\n"
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    for source in (path, str(path), text.encode(), io.BytesIO(text.encode()), io.StringIO(text)):
        assert table(source) == {"a": [1.0], "b": [2.0]}, source


EMPTY = "the file is empty; choose a table with a header and rows"
MAGIC = (b"\x1f\x8b\x08", b"PK\x03\x04", b"\xfd7zXZ\x00", b"BZh91AY&SY", b"\x28\xb5\x2f\xfd",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"PAR1\x15\x04", b"%PDF-1.7", b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff\xe0", b"GIF89a")  # fmt: skip


def test_what_cannot_be_a_table_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for magic in MAGIC:
        reason = refusal(read_frame, magic + b"a,b\n1,2\n")
        assert "which is not read as a table: " in reason, magic
    for content, message in (
        (b"", EMPTY), (b" \n\t\r\n", EMPTY), (b",,\n", EMPTY), (b"sep=;\n", EMPTY),
        (b"a,b\n\n", "no rows below the header in line 1; add at least one"),
        (b"a\0b,c\n1,2", "this is binary, not text; save the table as CSV (UTF-8)"),
        (b"a,b\n1,2,3,4\n5,6,7,8\n", "every row has more cells than the header has names (2); "
         "delete the lines above the names of the columns, or choose the line of names or the "
         "delimiter"),
        (b",".join([b"x"] * 5001) + b"\n", "at most 5,000 columns; not 5,001: remove some"),
        (b"a\n" + b"x" * 1_000_001, "line 2 has more than 1,000,000 characters; "
                                    "give each row a line of its own"),
        (b"a,b\n1," + b"x" * 140_000, "a cell in line 2 has more than 131,072 characters; "
                                      "check its quotes"),
    ):  # fmt: skip
        assert refusal(read_frame, content) == message
    quote = (
        "the quote that opens in line {} does not close at the end of its cell; close it, or "
        'write a quote inside quotes twice ("")'
    )
    for content, line in (
        (b'a,b\n1,"x\n2,3\n', 2), (b'a,b\n1,"x\n2,"y"\n', 2), (b'a,b\n"p\nq","x\n2,3\n', 3),
        (b'a,b\n1,"x', 2),
    ):  # fmt: skip
        assert refusal(read_frame, content) == quote.format(line), content
    assert "(no such file or directory); check its name" in refusal(read_frame, "/nowhere.csv")
    assert "(is a directory); check its name" in refusal(read_frame, tmp_path)
    assert "(embedded null byte); check its name" in refusal(read_frame, "a\0")
    path = tmp_path / "t.csv"
    path.write_bytes(b"\xff")
    with path.open(encoding="utf-8") as file:
        reason = refusal(read_frame, file)
    assert reason == "the file could not be decoded; open it in binary mode ('rb')"
    three = b"a\n1\n2\n3\n"
    monkeypatch.setattr(read, "MAX_ROWS", 2)
    assert refusal(read_frame, three) == "at most 2 rows; not 3: keep a part of it"
    monkeypatch.setattr(worker, "MAX_LINES", 2)
    reason = refusal(read_frame, three)
    assert reason == "at most 2 lines; the file has more: keep a part of it"
    monkeypatch.setattr(read, "MAX_BYTES", 3)
    for source in (b"a\n1\n", io.StringIO("a\n1\n")):
        reason = refusal(read_frame, source)
        assert reason == "at most 0 MB; the file is larger: keep a part of it"


def test_encodings() -> None:
    for encoding, notes in (
        ("utf-8", []), ("utf-8-sig", []), ("utf-16", []),
        ("utf-16-le", ["no byte order mark, read as UTF-16-LE"]),
        ("utf-16-be", ["no byte order mark, read as UTF-16-BE"]),
        ("cp1252", ["not UTF-8, read as Windows-1252"]),
    ):  # fmt: skip
        content = "size,name\n1,é€\n2,ü\n".encode(encoding)
        assert table(content) == {"size": [1.0, 2.0], "name": ["é€", "ü"]}, encoding
        assert [text for _, text, _, _ in notes_of(content)] == notes, encoding


TRICKY = {
    "lists behind pipes": (
        'id,"t, u",g\n1,"A, B",x|y\n2,"C, D",z\n3,E,x|y|z\n', ["id", "t, u", "g"]
    ),
    "prose behind semicolons": ("name;said\nBob;well, no\nAnn;oh, yes\n", ["name", "said"]),
    "commas in every cell": ("last, first;age\nDoe, J;12\nRoe, K;13\n", ["last, first", "age"]),
    "semicolons in quotes": ('id,text\n1,"a;b"\n2,"c;d"\n', ["id", "text"]),
    "one column of prose": ("said\nwell, no\nyes\nmaybe\n", ["said"]),
    "one quoted column": ('said\n"a, b"\n"c, d"\n', ["said"]),
    "blanks in prose": ("so it is\nto be or not\nwell\n", ["so it is"]),
    "mostly short rows": ("a,b\nx\ny\nz,w\n", ["a", "b"]),
    "times and decimal commas": ("t;v\n10:00;3,5\n11:00;3,7\n", ["t", "v"]),
    "an index without a name": (",2019,2020\nx,1,2\ny,3,4\n", ["column 1", "2019", "2020"]),
}  # fmt: skip


def test_delimiters() -> None:
    for mark in ",;\t|":
        content = "a,b\n1.5,x\n2,y\n".replace(",", mark).encode()
        assert table(content) == {"a": [1.5, 2.0], "b": ["x", "y"]}, mark
        rows = [["said", "n", "y"], [' "a" b', ' "1,5"', "x"], ["c", "2", '"d" e']]
        content = "".join(mark.join(row) + "\n" for row in rows).encode()
        got = table(content)  # text after a closing quote leaves the other cells as they are
        assert (got["said"], got["y"]) == (["a b", "c"], ["x", "d e"]), mark
    for case, (text, names) in TRICKY.items():
        assert list(table(text.encode())) == names, case
    content = b"sep=;\na;b\n1,5;2\n"
    assert table(content) == {"a": [1.5], "b": [2.0]}
    assert notes_of(content) == [("file", "the first line sets the delimiter ';'", None, None)]
    assert lines(content) == [3]
    assert table(b"a;b\n1,5;2,3\n") == {"a": [1.5], "b": [2.3]}
    assert table(b"x\n1,5\n2,5\n") == {"x": [1.5, 2.5]}
    assert table(b'a,b\n"1,5",2\n') == {"a": [1.5], "b": [2.0]}


STRAY = "a quote inside a cell that does not begin with one may have split it, kept as it is"


def test_quotes_that_are_odd_are_told() -> None:
    content = b'a,b\n"x, ""y""\nz",1\nti"me,2\n'
    assert table(content) == {"a": ['x, "y"\nz', 'ti"me'], "b": [1.0, 2.0]}
    assert lines(content) == [2, 4]
    content = b'a,b\n"x"y,2\n'
    assert table(content) == {"a": ["xy"], "b": [2.0]}
    text = "text or blanks after a closing quote, kept in the cell (1 line, the first is line 2)"
    assert notes_of(content) == [("file", text, None, None)]
    for row in ('1,a"b,c"', '1,a "b,c" d', '"a""b",c"d,e', '"p\nq", 5",6'):
        first, *_ = notes_of(f"x,y,z\n1,2,3\n{row}\n".encode())
        assert first == ("file", f"{STRAY} (1 line, the first is line 3)", None, None), row
    for row in ('"a""b", "c,""d""",e', 'a"b"c,2,3', '1,"""",3', '"p""\nq",2,3'):
        assert notes_of(f"x,y,z\n{row}\n".encode()) == [], row
    first, *_ = notes_of(b'x"1,y"2\n1,2\n3,a"\n')
    assert first == ("file", f"{STRAY} (2 lines, the first is line 1)", None, None)


def test_line_ends_mixed_and_blank_lines() -> None:
    content = b"\na,b\r\n1,2\r3,4\n  \n 5 , 6 "
    assert table(content) == {"a": [1.0, 3.0, 5.0], "b": [2.0, 4.0, 6.0]}
    assert lines(content) == [3, 4, 6]
    assert notes_of(content) == [("file", "2 blank lines skipped", None, None)]


def test_names_are_clean_and_unique() -> None:
    content = "a,a,a (2),,x\u202ey\n1,2,3,4,5\n".encode()
    assert list(table(content)) == ["a", "a (3)", "a (2)", "column 4", "x y"]
    assert notes_of(content) == [
        ("column", "'a' is the name of another column too, so this one is renamed", None, "a (3)"),
        ("column", "no name in the header, called by its position", None, "column 4"),
        ("column", "name shortened, or cleaned of blanks and signs that do not show", None, "x y"),
    ]
    names = list(table(f"{'n' * 70}1,{'n' * 70}2\n1,2\n".encode()))
    assert len(set(names)) == 2
    assert all(len(name) <= 60 for name in names)


SHORT_HEADER = (
    "the header is one name short, so the first cell of each row is read as the row's name"
)
WRITTEN_BY_R = (
    '"mpg" "car, old"\n"Mazda RX4" 21 "a b"\n"Fiat ""128""" 32.4 "c"\n"3" NA "d"\n',
    '"mpg","car, old"\n"Mazda RX4",21,"a b"\n"Fiat ""128""",32.4,"c"\n"3",NA,"d"\n',
    '"mpg"\t"car, old"\n"Mazda RX4"\t21\ta b\n"Fiat ""128"""\t32.4\t"c"\n"3"\tNA\t"d"\n',
)


def test_a_header_one_name_short_leaves_the_rows_their_names() -> None:
    for text in WRITTEN_BY_R:
        frame, _ = read_frame(text.encode())
        wanted = {"mpg": [21.0, 32.4, None], "car, old": ["a b", "c", "d"]}
        assert table(text.encode()) == wanted, text
        assert list(frame.index) == ["Mazda RX4", 'Fiat "128"', "3"], text
        assert notes_of(text.encode()) == [
            ("file", SHORT_HEADER, None, None), ("cell", "'NA' read as missing", 4, "mpg"),
        ], text  # fmt: skip
        assert read_table(text.encode(), "car, old").gaps == (True,), text
    frame, _ = read_frame(b'"x"\n"1" 5\n"2" 6\n')
    assert (list(frame.columns), list(frame.index)) == (["x"], ["1", "2"])
    rows = "".join(f"r{i},{i},x\n" for i in range(20))
    frame, _ = read_frame(f"a,b\nr,1,2,3\n{rows}s,4\n".encode())  # a row left out has no name
    assert list(frame.index) == [*(f"r{i}" for i in range(20)), "s"]
    assert frame["b"].tolist() == ["x"] * 20 + [None]


def test_without_a_header_columns_are_named_by_position() -> None:
    assert table(b"1,2\n3,4\n") == {"column 1": [1.0, 3.0], "column 2": [2.0, 4.0]}
    text = "no header: line 1 holds only numbers; columns are named by position"
    assert notes_of(b"1,2\n3,4\n") == [("file", text, None, None)]
    for end in ("", "\n"):  # a blank line, and the table is read record by record
        frame, notes = read_frame(b"sep=;\n1;x\n2;y\n" + end.encode(), ReadOptions(names_line=0))
        assert frame.to_dict("list") == {"column 1": [1.0, 2.0], "column 2": ["x", "y"]}
        assert frame.attrs["lines"].tolist() == [2, 3]
        assert [note.kind for note in notes] == ["file"] * (1 + len(end))
    frame, _ = read_frame(b"x,1\n", ReadOptions(names_line=0))
    assert frame.to_dict("list") == {"column 1": ["x"], "column 2": [1.0]}
    frame, notes = read_frame(b"x,1\n" * 2 + b"y,2,3\n", ReadOptions(names_line=0))
    assert frame["column 1"].tolist() == ["x", "x"]
    assert notes[0].text == "left out: 3 cells for 2 columns"
    _, notes = read_frame(b"5.1,3.5,setosa\n4.9,3.0,setosa\n")
    text = "line 1 was read as names but holds numbers; is a line of names missing?"
    assert text in [note.text for note in notes]


def test_rows_of_other_widths() -> None:
    content = b"a,b\n1\n1,2,3\n1,2,\n4,5,,\n"
    assert table(content) == {"a": [1.0, 1.0, 4.0], "b": [None, 2.0, 5.0]}
    text = "empty cells after the last column dropped (2 lines, the first is line 4)"
    assert notes_of(content) == [
        ("file", text, None, None),
        ("row", "1 cell of 2; the others are read as missing", 2, None),
        ("row", "left out: 3 cells for 2 columns", 3, None),
        ("cell", "the row ends before it, read as missing", 2, "b"),
    ]
    assert table(b"a,b\n1,2,\n3,4,\n") == {"a": [1.0, 3.0], "b": [2.0, 4.0]}


def test_rows_and_cells_of_one_oddity_are_one_note_with_their_number_and_first_lines() -> None:
    rows = "1\n" * 3 + "1,2\n" * 4 + "1,2,3,4,5\n" * 2 + "1,2,3,4\n"
    assert read_frame(f"a,b,c\n1,2,3\n{rows}".encode())[1] == (
        Note("row", "1 to 2 cells of 3; the others are read as missing", 3, None, 7, (4, 5, 6, 7)),
        Note("row", "left out: 4 to 5 cells for 3 columns", 10, None, 3, (11, 12)),
        Note("cell", "the row ends before it, read as missing", 3, "b", 3, (4, 5)),
        Note("cell", "the row ends before it, read as missing", 3, "c", 7, (4, 5, 6, 7)),
    )
    numbers = "\n".join(f"{i},x" for i in range(100))
    content = f"a,b\nNA,?\n,?\nw1,x\nNA,x\nw2,\n?,x\ninf,x\n{numbers}\n".encode()
    assert read_frame(content)[1] == (
        Note("cell", "'NA', '?' read as missing", 2, "a", 3, (5, 7), ("NA", "?")),
        Note("cell", "empty, read as missing", 3, "a"),
        Note("cell", "'w1', 'w2': not a number, read as missing", 4, "a", 2, (6,)),
        Note("cell", "'inf' is not a finite number, read as missing", 8, "a"),
        Note("cell", "'?' read as missing", 2, "b", 2, (3,), ("?",)),
        Note("cell", "empty, read as missing", 6, "b"),
    )
    for row in ("1", "1,{i}", "1,2,3,4", "{i},,w{i}", '1,"a" b,', '1,a"b,c', "?,,", "inf,NA,w{i}"):
        odd = [row.format(i=i) + "\n" for i in range(100)]
        few, many = (
            read_frame("".join(["a,b,c\n", "1,2,3\n" * 999, *odd[:n]]).encode())[1]
            for n in (20, 100)
        )
        assert len(many) == len(few) <= 4, row


def test_words_for_nothing_are_missing_unless_they_are_classes() -> None:
    for cell in ("NA", "n/a", "N.A.", "NaN", "null", "None", "?", "-", ".", "#N/A"):
        got = table(f"a,b\n1,x\n{cell},{cell}\n".encode())
        assert got == {"a": [1.0, None], "b": ["x", None]}, cell
        notes = notes_of(f"a,b\n1,x\n{cell},y\n".encode())
        assert notes == [("cell", f"'{cell}' read as missing", 3, "a")], cell
    content = b"y,b\n+,1\n-,1\n+,1\n+,1\n?,1\n"
    assert table(content)["y"] == ["+", "-", "+", "+", None]
    assert notes_of(content) == [
        ("column", "'-' is a class, not missing: 1 cell", None, "y"),
        ("cell", "'?' read as missing", 6, "y"),
    ]
    content = b"y\n" + b"mild\n" * 18 + b"none\n" * 2
    assert table(content)["y"] == ["mild"] * 18 + ["none"] * 2
    assert notes_of(content) == [("column", "'none' is a class, not missing: 2 cells", None, "y")]
    for rare in ("mild\n" * 19 + "none\n" * 2, "1\n" + "none\n" * 20):
        assert table(f"y\n{rare}".encode())["y"].count(None) == rare.count("none"), rare
    assert table(b"y,b\nnone,1\nnone,1\n,1\n")["y"] == [None] * 3
    assert notes_of(b"a,b\n1,2\n,3\n") == [("cell", "empty, read as missing", 3, "a")]
    assert table(b"a,b\n1,\n2,NA\n") == {"a": [1.0, 2.0], "b": [None, None]}
    assert notes_of(b"a,b\n1,\n2,NA\n") == [("column", "no value in any row", None, "b")]
    for cell in ("inf", "-Infinity", "1e999"):
        content = f"a\n1\n{cell}\n".encode()
        text = f"'{cell}' is not a finite number, read as missing"
        assert table(content) == {"a": [1.0, None]}, cell
        assert notes_of(content) == [("cell", text, 3, "a")], cell


def test_numbers_are_read_by_their_decimal_sign_and_told_where_unclear() -> None:
    for cell in ("1_000", "0x10", "１", "1e", "--1", "1 2", "1.2.3"):
        assert table(f"a,b\n{cell},1\n".encode())["a"] == [cell]
    for mark, cell, value in (
        (";", "1,5", 1.5), (";", "1.234,5", 1234.5), (";", "1,234.5", 1234.5),
        (",", "1,234.5", 1234.5), (",", "-1.234,5", -1234.5), (";", ",5", 0.5),
        (",", "+.5e-1", 0.05),
    ):  # fmt: skip
        assert table(f'a{mark}b\n"{cell}"{mark}1\n'.encode())["a"] == [value], (mark, cell)
    for content, columns, notes in (
        (b'a,b\n"1,234",1\n', {"a": [1234.0], "b": [1.0]},
         ["'1,234' read as 1234: the comma parts thousands"]),
        (b"a;b\n1,234;1\n", {"a": [1.234], "b": [1.0]},
         ["'1,234' read as 1.234: the comma is the decimal sign"]),
        (b"a;b\n1.234;1,5\n2.345;2,5\n", {"a": [1234.0, 2345.0], "b": [1.5, 2.5]},
         ["'1.234' read as 1234: the point parts thousands"]),
        (b"a;b\n1,234;1.5\n", {"a": [1234.0], "b": [1.5]},
         ["'1,234' read as 1234: the comma parts thousands"]),
        (b"a;b;c\n1,5;1.5;1.234\n", {"a": [1.5], "b": [1.5], "c": [1.234]}, None),
        (b"a;b\n1,5;1.2345\n", {"a": [1.5], "b": [1.2345]}, None),
        (b"a\n9007199254740993\n9007199254740998\n", {"a": [9007199254740992, 9007199254740998]},
         ["'9007199254740993' and the like beyond 2^53 are rounded"]),
        (b"a\n9007199254740994\n2\n", {"a": [9007199254740994, 2]}, []),
    ):  # fmt: skip
        assert table(content) == columns, content
        if notes is not None:
            assert notes_of(content) == [("column", text, None, "a") for text in notes], content


def test_whole_numbers_that_are_names_stay_apart() -> None:
    for cells in (
        ["007", "07", "7"], ["07", "7"], ["01234", "90210"], ["007", "1e5", "100000"],
        ["1e5", "100000", "3"], ["9007199254740993", "9007199254740992"],
        ["-9007199254740993", "-9007199254740992", "0.5"],
        ["9,007,199,254,740,993", "9,007,199,254,740,992"],
    ):  # fmt: skip
        content = ("id;y\n" + "".join(f"{cell};x\n" for cell in cells)).encode()
        assert table(content)["id"] == cells
        assert [(kind, name) for kind, _, _, name in notes_of(content)] == [("column", "id")], cells
    for content, text in (
        (b"a\n007\n7\n", "'007' begins with 0, so the numbers are read as text"),
        (b"a\n1e5\n100000\n", "'100000' and '1e5' would be one number, all are read as text"),
    ):
        assert notes_of(content) == [("column", text, None, "a")], content
    infinite = float("inf")
    for cells in (
        ["01", "02", "12"], ["0", "-0"], ["1e3", "1e5"], ["1", "1.0"], ["0.5", "0"],
        ["1e999", "1e998"],
    ):  # fmt: skip
        content = ("a,b\n12,2\n" + "".join(f"{cell},2\n" for cell in cells)).encode()
        values = [float(cell) for cell in cells]
        assert table(content)["a"][1:] == [v if v < infinite else None for v in values], cells
        notes = read_frame(content)[1]
        assert sum(n.n for n in notes if n.kind == "cell") == values.count(infinite), cells


def test_nine_in_ten_make_a_number_column() -> None:
    rows = "\n".join(str(i) for i in range(9))
    assert table(f"a\n{rows}\nab\n".encode())["a"][-1] is None
    text = "'ab' is not a number, read as missing"
    assert notes_of(f"a\n{rows}\nab\n".encode()) == [("cell", text, 11, "a")]
    assert table(f"a\n{rows}\nab\ncd\n".encode())["a"][0] == "0"


def test_a_cell_in_another_way_to_write_numbers_is_a_gap_beside_decimals() -> None:
    odd = "1.234.567", "-1.234.567", "1.234.567e2", "1'234'5", "1 23 567", "1.234,567.8"
    odd_by_comma = "1,234,567", "+1,234,567", "1,234,567e2", "1'234'5", "1,234.567,8"
    endless = "1e400", "1,000,000e400", "1.000.000e400"
    for cells, decimal, kind in (
        (odd, "{}.25", "number"), (odd_by_comma, "{},25", "number"),
        (endless, "{}.25", "finite number"),
    ):  # fmt: skip
        for cell in cells:
            rows = "\n".join(f"{decimal.format(i)};u" for i in range(12))
            content = f"a;y\n{cell};v\n{rows}\n".encode()
            assert table(content)["a"] == [None, *(i + 0.25 for i in range(12))], cell
            text = f"{quoted(cell)} is not a {kind}, read as missing"
            assert notes_of(content) == [("cell", text, 2, "a")], cell


def test_one_word_beside_many_different_numbers_is_a_gap() -> None:
    for different, others, number in (
        (20, ["unknown"] * 20, True),
        (20, ["unknown", "Unknown", "UNKNOWN"], True),
        (20, ["not given"] * 3, True),
        (19, ["unknown"] * 3, False),  # few numbers may be classes
        (20, ["unknown"] * 21, False),  # most cells are numbers
        (20, ["unknown"] * 2 + ["other"], False),
        (20, ["20+"] * 3, False),
    ):
        content = "\n".join(["a", *map(str, range(different)), *others]).encode()
        first, *_, last = table(content)["a"]
        assert (first, last) == ((0, None) if number else ("0", others[-1])), others
        if number:
            (note,) = read_frame(content)[1]
            assert (note.column, note.line, note.n) == ("a", different + 2, len(others)), others
            assert note.text.endswith("not a number, read as missing"), others


def test_true_and_false_are_booleans_and_text_is_object_with_none() -> None:
    content = b"a,b\ntrue,True\nFALSE,\n"
    assert [str(kind) for kind in read_frame(content)[0].dtypes] == ["boolean", "boolean"]
    assert table(content) == {"a": [True, False], "b": [True, None]}
    frame, _ = read_frame(b"a,b\nx,\n,\n")
    assert [str(kind) for kind in frame.dtypes] == ["object", "object"]
    assert frame["a"].tolist() == ["x", None]
    plain = ["undefined", "1/2", "-$1.00", "0..0", "0xffffffff", "=1+1"]
    hostile = plain + [f"k{text}k" for text in NASTY if not {"\0", "\ud800"} & {*text}]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["text", "n"], *[[text, i] for i, text in enumerate(hostile)]])
    assert table(out.getvalue().encode())["text"] == hostile


def test_a_table_becomes_a_data_set() -> None:
    data = read_table(b"a,b,y\n1,true,u\n2,false,v\nNA,true,u\n", target="y")
    assert (data.n, data.features, data.classes) == (3, ("a", "b"), ("u", "v"))
    assert [(note.line, note.column) for note in data.notes] == [(4, "a"), (None, "a")]


def holds(source: Any) -> None:
    """Any source is a frame, sound and with a line for each row, or a DataError."""
    try:
        frame, notes = read_frame(source)
    except DataError:
        return
    assert len(frame.attrs["lines"]) == len(frame) > 0
    assert all(note.text for note in notes)
    assert not np.isinf(frame.select_dtypes("number").to_numpy(dtype=float)).any()


@given(
    st.binary(max_size=200),
    st.text(st.sampled_from('a1,;\t|"\n\r .-e\0é') | st.characters(), max_size=60),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"]),
)
def test_any_bytes_and_any_text(content: bytes, text: str, encoding: str) -> None:
    holds(content)
    holds(text.encode(encoding, "replace"))
    holds(io.StringIO(text))


finite = st.floats(allow_nan=False, allow_infinity=False)
words = st.text(st.sampled_from('xyzäß ,;|\t"\n'), max_size=8).map(lambda word: f"k{word}k")


@given(
    st.lists(st.tuples(finite, words, finite), min_size=1, max_size=8),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
def test_what_is_written_is_read_back(rows: list[Any], mark: str, encoding: str) -> None:
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=mark).writerows([("u", "name", "v"), *rows])
    got = table(out.getvalue().encode(encoding))
    assert got == {name: [row[j] for row in rows] for j, name in enumerate(("u", "name", "v"))}


marks = st.sampled_from([",", ";", "\t", "|", "\x1f"])


@given(st.text(st.sampled_from('a1,;\t|"\n\r .-e\x1f\x85\u2028é'), max_size=40), marks)
@example('"1"\n\t', ",")
def test_any_text_is_cut_at_once_as_it_is_record_by_record(text: str, mark: str) -> None:
    both_ways(text, mark)
    both_ways(text, mark, header=False)


cell = st.text(st.sampled_from("ab1. é"), max_size=3) | st.sampled_from(
    ['"x y"', '"p,q"', '"a""b"', "  "]
)


@given(st.lists(st.lists(cell, min_size=3, max_size=3), min_size=1, max_size=6),
       st.sampled_from(["\n", "\r\n"]), st.integers(1, 40), st.sets(st.integers(0, 7)))  # fmt: skip
def test_sound_tables_are_cut_at_once_whatever_the_blocks(
    rows: list[list[str]], end: str, block: int, blank: set[int]
) -> None:
    lines = ["a,b,c", *map(",".join, rows), ""]
    text = "".join((end if at in blank else "") + line + end for at, line in enumerate(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut, "BLOCK_CHARS", block)
        assert both_ways(text, ",")


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
        assert detect_delimiter(text) == mark, case
        assert detect_delimiter(text.replace("\n", "\r\n")) == mark, case


def bits(values: list[float]) -> list[bytes]:
    return [struct.pack("<d", value) for value in values]


DIGITS = st.text("0123456789", min_size=1, max_size=40)
WRITTEN = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.builds("{}{}.{}".format, st.sampled_from(["", "-", "+"]), DIGITS, DIGITS),
    st.builds("{}e{}".format, DIGITS, st.integers(-400, 250)),
    st.integers().map(str),
    st.sampled_from(["-0", ".5", "5.", "1E+5", "5e-324", "2.2250738585072011e-308", "1e-400"]),
)


@given(st.lists(WRITTEN, min_size=1, max_size=8))
def test_plain_numbers_are_what_python_reads_to_the_last_bit(cells: list[str]) -> None:
    result = parse_plain_numbers(CELL_SEPARATOR.join(cells))
    assert result
    assert bits(result.values.tolist()) == bits([float(cell) for cell in cells])


def test_a_cell_that_is_no_finite_number_makes_no_plain_column() -> None:
    for cell in ("", "-", ".", "e", "1e", "1.2.3", "1-2", "1e999", "--1", "+"):
        for cells in ([cell], ["1", cell], [cell, "1"], ["1", cell, "2"]):
            assert parse_plain_numbers(CELL_SEPARATOR.join(cells)) is None, cell


def test_a_long_column_of_plain_numbers_is_whole() -> None:
    cells = [repr(x) for x in np.random.default_rng(0).normal(size=50_000).tolist()]
    result = parse_plain_numbers(CELL_SEPARATOR.join(cells))
    assert result
    assert result.values.tolist() == [*map(float, cells)]
