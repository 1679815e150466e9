"""Tables in files of every kind, packed or not; what is damaged or unpacks to too much is told."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import json
import pickle
import sys
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest

import dtviz
from dtviz.slices import Slices, finished
from dtviz.table import packed, saved
from dtviz.table.data import DataError
from dtviz.table.files import TABLES, Reading, read_file, reading
from dtviz.table.saved import Saved, SavedError

FRAME = pd.DataFrame({
    "height": [1.5, 2.25, np.nan, 4.0],
    "count": [10, 20, 30, 40],
    "town": ["Ulm", None, "Köln", "Bonn"],
    "day": pd.to_datetime(["2024-02-29", "2024-03-01", "2025-01-01", None]),
    "y": ["u", "v", "u", "v"],
})  # fmt: skip


def bytes_of(write: Callable[[Any], object]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def by_path(write: Callable[[Any, Any], object], folder: Path, frame: pd.DataFrame) -> bytes:
    path = folder / "table"
    write(frame, path)
    return path.read_bytes()


def workbook(*sheets: list[list[object]]) -> bytes:
    """A workbook of these sheets, each a list of rows."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    return bytes_of(book.save)


def zipped(**files: bytes) -> bytes:
    def write(file: Any) -> None:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name, content)

    return bytes_of(write)


@cache
def samples() -> dict[str, bytes]:
    """FRAME as a file of each kind, by the kind's name."""
    import tempfile

    with tempfile.TemporaryDirectory() as name, warnings.catch_warnings(action="ignore"):
        folder = Path(name)
        text = FRAME.assign(town=FRAME.town.fillna(""))
        return {
            "Parquet": bytes_of(FRAME.to_parquet),
            "Arrow": bytes_of(FRAME.to_feather),
            "Excel": bytes_of(lambda file: FRAME.to_excel(file, index=False)),
            "JSON lines": FRAME.to_json(orient="records", lines=True, date_format="iso").encode(),
            "Stata": bytes_of(lambda file: FRAME.to_stata(file, write_index=False)),
            "SPSS": by_path(pyreadstat.write_sav, folder, text),
            "SAS transport": by_path(
                lambda *to: pyreadstat.write_xport(*to, file_format_version=5), folder, text
            ),
            "csv or tsv": FRAME.to_csv(index=False).encode(),
        }


def refusal(content: bytes, **asked: Any) -> str:
    with pytest.raises(DataError) as caught:
        read_file(content, **asked)
    return str(caught.value)


def test_bytes_of_no_kind_are_told_the_kinds_that_are_read() -> None:
    for content in (bytes(range(256)) * 4, b"a\0b,c\n1,2", gzip.compress(b"\0\1\2")):
        said = refusal(content)
        assert said.startswith("this is binary, and none of the kinds that are read (Excel, Parq")
        assert all(kind.name in said for kind in TABLES)
    assert "save the sheet as .xlsx or CSV" in refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...")


# --- every kind -----------------------------------------------------------------------------------


def test_every_kind_that_can_be_written_is_tried_here() -> None:
    assert {kind.name for kind in TABLES} - {*samples()} == {"SAS"}


def test_a_table_comes_out_as_it_went_in() -> None:
    for name in samples():
        frame, _ = read_file(samples()[name])
        assert list(frame.columns) == list(FRAME.columns), name
        for column in ("height", "count"):
            found = frame[column].to_numpy(dtype=float, na_value=np.nan)
            np.testing.assert_array_equal(found, FRAME[column].to_numpy())
        assert frame["town"].tolist() == ["Ulm", None, "Köln", "Bonn"], name
        data = dtviz.from_frame(frame, "y", ["count"])
        assert data.columns.tolist() == [[10, 20, 30, 40]], name
        assert data.class_names == ("u", "v"), name


def test_dates_stay_dates() -> None:
    for name in ("Parquet", "Arrow", "Excel", "Stata", "SPSS"):
        frame, _ = read_file(samples()[name])
        assert pd.api.types.is_datetime64_dtype(frame["day"]), name
        assert frame["day"].dt.strftime("%Y-%m-%d").tolist()[:3] == [
            "2024-02-29", "2024-03-01", "2025-01-01",
        ], name  # fmt: skip


def test_a_packed_table_is_the_table() -> None:
    for name in samples():
        plain, _ = read_file(samples()[name])
        hidden = {"__MACOSX/._a": b"x", ".DS_Store": b"x"}
        for content in (
            gzip.compress(samples()[name]),
            zipped(**{"in/a": samples()[name]}, **hidden),
        ):
            pd.testing.assert_frame_equal(read_file(content)[0], plain)


def test_text_alone_can_be_without_a_header() -> None:
    data = dtviz.read_table(b"1,u\n2,v\n", "column 2", header=False)
    assert (data.features, data.classes) == (("column 1",), ("u", "v"))
    with pytest.raises(DataError, match="only text can be without a header; this is Excel"):
        dtviz.read_table(workbook([["a"], [1]]), "a", header=False)


def test_read_table_takes_every_kind_by_path_and_by_buffer(tmp_path: Path) -> None:
    for name, content in samples().items():
        (tmp_path / "table").write_bytes(content)
        for source in (tmp_path / "table", io.BytesIO(content), content):
            data = dtviz.read_table(source, "y", ["height", "count"])
            assert (data.n, data.features) == (4, ("height", "count")), name


def test_a_package_that_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in [kind for kind in TABLES if kind.needs != "pandas"]:
        monkeypatch.setitem(sys.modules, kind.needs, None)
        said = refusal(samples()[kind.name])
        assert f"to read {kind.name} dtviz needs the package {kind.needs}" in said, kind
        assert "pip install 'dtviz[files]'" in said, kind


# --- what is special of a kind --------------------------------------------------------------------


def test_categories_stay_categories() -> None:
    size = pd.Categorical(["s", "l", "s"], ["s", "m", "l"], ordered=True)
    table = pd.DataFrame({"size": size, "town": ["a", "b", "a"]})
    for content in (bytes_of(table.to_parquet), bytes_of(table.to_feather)):
        frame, _ = read_file(content)
        assert frame["size"].dtype == size.dtype
        assert frame["town"].dtype == object


def test_the_index_of_a_parquet_file_is_a_column() -> None:
    frame, _ = read_file(bytes_of(FRAME.set_index("height").to_parquet))
    assert sorted(frame.columns) == sorted(FRAME.columns)


def test_lists_are_left_out_and_decimals_are_numbers() -> None:
    from decimal import Decimal

    table = pd.DataFrame({"l": [[1], [2, 3]], "d": [Decimal("1.5"), None], "a": [1, 2]})
    for content in (bytes_of(table.to_parquet), bytes_of(table.to_feather)):
        frame, notes = read_file(content)
        assert frame.to_dict("list") == {
            "d": [1.5, pytest.approx(np.nan, nan_ok=True)],
            "a": [1, 2],
        }
        assert [(note.column, note.text[:11]) for note in notes] == [("l", "holds lists")]


def test_the_first_sheet_with_a_table_is_read_and_the_others_are_told() -> None:
    rows: list[list[object]] = [[], ["a", "b"], [1, "x"], [], [2, "y", "more"]]
    frame, notes = read_file(workbook([], rows, [["c"], [3]]))
    assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"], "column 3": [None, "more"]}
    assert frame.attrs["lines"].tolist() == [3, 5]
    assert "the sheet 'Sheet1' is read; 2 other sheets not" in [note.text for note in notes]


def test_errors_of_a_sheet_and_words_among_numbers_are_gaps() -> None:
    rows: list[list[object]] = [
        ["a", "b", "c"],
        [1, "#N/A", "n/a"],
        [" n/a ", "x", "no"],
        [3, "", "x"],
    ]
    frame, notes = read_file(workbook(rows))
    assert frame["a"].tolist() == [1, pd.NA, 3]
    assert frame["b"].tolist() == [None, "x", None]
    assert frame["c"].tolist() == ["n/a", "no", "x"]
    assert ("a", "1 cell ('n/a') read as missing") in [(note.column, note.text) for note in notes]


def test_numbers_and_text_mixed_are_text() -> None:
    frame, notes = read_file(workbook([["a"], [1], ["one"], [True]]))
    assert frame["a"].tolist() == ["1", "one", "True"]
    assert [note.text for note in notes] == ["values of several types, read as text"]


def test_the_code_of_a_workbook_is_text() -> None:
    frame, _ = read_file(workbook([["code"], ["007"], ["07"], ["7"]]))
    assert frame["code"].tolist() == ["007", "07", "7"]


JSON: dict[str, tuple[str, dict[str, list[Any]]]] = {
    "lines": ('{"a": 1, "b": "x"}\r\n\n{"b": "y", "a": 2}\n', {"a": [1, 2], "b": ["x", "y"]}),
    "a list": ('[{"a": true},\n {"a": false}]', {"a": [True, False]}),
    "names that lack": ('{"a": 1}\n{"b": "x"}', {"a": [1, None], "b": [None, "x"]}),
    "nested": ('{"a": 1, "b": {"c": 2}}\n{"a": 2}', {"a": [1, 2]}),
    "large numbers": ('{"a": 9007199254740993}\n{"a": null}', {"a": [9007199254740993, None]}),
    "text of digits": ('\ufeff{"a": "007"}\n{"a": "7"}', {"a": ["007", "7"]}),
    "a line end in a text": ('{"a": "x\u2028y"}\n{"a": "z"}', {"a": ["x\u2028y", "z"]}),
}


def test_json_is_read_as_it_is_typed() -> None:
    for name in JSON:
        text, columns = JSON[name]
        frame, _ = read_file(text.encode())
        assert frame.to_dict("list") == columns, name


def test_what_is_no_table_of_json_is_refused() -> None:
    for text, says in (
        ('{"a": 1}\n{"a": 2', "line 2 is no JSON"), ('{"a": 1}\n[1]', "row 2 is no object"),
        ('{"a": 1, "a": 2}', "a name comes twice"), ('{"": {}}', "the table is empty"),
        ("{}\n{}", "the table is empty"), ('[{"a": 1}', "the list is no JSON"),
        ('{"a": ' + "[" * 100_000, "cannot be read"),
        ("[" + json.dumps({f"c{i}": i for i in range(5001)}) + "]", "at most 5,000 columns"),
    ):  # fmt: skip
        assert says in refusal(text.encode()), text


def test_labels_stand_for_codes_where_every_code_has_one(tmp_path: Path) -> None:
    codes = pd.DataFrame({"full": [1.0, 2.0, 1.0], "part": [1.0, 2.0, 7.0], "y": ["u", "v", "u"]})
    labels = {"full": {1: "one", 2: "two"}, "part": {7: "refused"}}
    sav = by_path(
        lambda *to: pyreadstat.write_sav(*to, variable_value_labels=labels), tmp_path, codes
    )
    dta = by_path(
        lambda *to: pyreadstat.write_dta(*to, variable_value_labels=labels), tmp_path, codes
    )
    for content in (sav, dta):
        frame, _ = read_file(content)
        assert frame["full"].tolist() == ["one", "two", "one"]
        assert frame["part"].tolist() == [1, 2, 7]


def test_names_are_cleaned_and_told_apart() -> None:
    table = pa.table([[1], [2], [3]], names=["a", " a\n", ""])
    frame, notes = read_file(bytes_of(lambda file: pq.write_table(table, file)))
    assert list(frame.columns) == ["a", "a (2)", "column 3"]
    assert len(notes) == 2


# --- what is refused ------------------------------------------------------------------------------

MB = 1_000_000
ZEROS = bytes(20 * MB)


def compressed_table(write: Callable[[pa.Table, Any], object]) -> bytes:
    table = pa.table({"a": np.zeros(900_000), "b": np.zeros(900_000)})
    return bytes_of(lambda file: write(table, file))


BOMBS: dict[str, Callable[[], bytes]] = {
    "gzip": lambda: gzip.compress(ZEROS),
    "zip": lambda: zipped(a=ZEROS),
    "a workbook": lambda: zipped(**{"xl/workbook.xml": b"", "xl/sheet.xml": ZEROS}),
    "Arrow": lambda: compressed_table(
        lambda table, file: pa.feather.write_feather(table, file, compression="zstd")
    ),
    "Parquet": lambda: compressed_table(
        lambda table, file: pq.write_table(
            table, file, compression="zstd", use_dictionary=False, column_encoding="PLAIN"
        )
    ),
}


def test_no_more_is_unpacked_than_is_allowed() -> None:
    for name in BOMBS:
        content = BOMBS[name]()
        assert len(content) < MB, name
        assert "at most 10 MB, unpacked" in refusal(content, most=10 * MB), name


def test_a_file_larger_than_allowed_is_not_looked_at() -> None:
    assert "at most 1 MB" in refusal(ZEROS, most=MB)


def test_a_text_that_many_rows_share_is_kept_once() -> None:
    long = pa.DictionaryArray.from_arrays(np.zeros(5_000, np.int32), ["x" * 100_000])
    table = pa.table({"a": long, "b": np.arange(5_000)})
    content = bytes_of(lambda file: pq.write_table(table, file, store_schema=False))
    frame, _ = read_file(content)
    assert len(frame["a"].iloc[-1]) == 100_000
    assert pa.default_memory_pool().max_memory() < 300 * MB  # 500 where each row has its own


def test_a_cell_far_away_is_too_many_cells() -> None:
    book = openpyxl.Workbook()
    book.active.cell(1, 1, "a")
    book.active.cell(1_000_000, 16_000, 1)
    assert "at most 5,000 columns" in refusal(bytes_of(book.save))


ARCHIVES: dict[str, tuple[Callable[[], bytes], str]] = {
    "two tables": (lambda: zipped(a=b"a,b\n", b=b"a,b\n"), "one table; not 2 files ('a', 'b')"),
    "no table": (lambda: zipped(**{"a/": b""}), "one table; not none"),
    "a document": (lambda: zipped(**{"[Content_Types].xml": b"", "word/a": b""}), "an Office file"),
    "cut short": (lambda: gzip.compress(b"a,b\n1,2\n" * 99)[:-12], "cannot be unpacked"),
    "a zip cut short": (lambda: zipped(a=b"a,b\n1,2\n")[:-30], "cannot be unpacked"),
    "a zip in a zip": (lambda: zipped(a=zipped(a=b"a,b\n1,2\n")), "cannot be read"),
    "gzip in gzip": (lambda: gzip.compress(gzip.compress(b"a,b\n1,2\n")), "unpack it first"),
}


def test_an_archive_that_holds_no_one_table_is_refused() -> None:
    for name in ARCHIVES:
        make, says = ARCHIVES[name]
        assert says in refusal(make()), name


def test_a_zip_of_very_many_files_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MAX_MEMBERS", 2)
    assert "more than 2 files" in refusal(zipped(a=b"1", b=b"2", c=b"3"))


def lying_zip(declared: int, size: int) -> bytes:
    """A zip archive whose member declares so many bytes and holds others."""
    content = bytearray(zipped(a=bytes(size)))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + place
        content[at : at + 4] = declared.to_bytes(4, "little")
    return bytes(content)


def numbered_workbook(row: str, column: str, **parts: bytes) -> bytes:
    """A workbook of two rows, the second with this number and one cell in this column."""
    plain = zipfile.ZipFile(io.BytesIO(workbook([["a", "b"], [1, 2]])))
    files = {name: plain.read(name) for name in plain.namelist()}
    sheet = files["xl/worksheets/sheet1.xml"].replace(b'<row r="2"', f'<row r="{row}"'.encode())
    sheet = sheet.replace(b'"B2"', f'"{column}{row}"'.encode())
    return zipped(**{**files, "xl/worksheets/sheet1.xml": sheet, **parts})


def patched(content: bytes, old: bytes, new: bytes) -> bytes:
    assert old in content
    return content.replace(old, new)


def zstd_arrow() -> bytes:
    table = pa.table({"a": np.zeros(1000)})
    return bytes_of(lambda file: pa.feather.write_feather(table, file, compression="zstd"))


def xport(folder: Path) -> bytes:
    """A transport file as pyreadstat writes it when nothing else is asked for."""
    return by_path(pyreadstat.write_xport, folder, FRAME[["height", "y"]])


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "a zip that declares 100 bytes": (lambda: lying_zip(100, 20 * MB), "Bad CRC-32"),
    "a zip by a rare method": (
        lambda: zipped_by(zipfile.ZIP_BZIP2), "packed by a rare method; pack it by the usual one"
    ),
    "a gzip of many parts": (lambda: gzip.compress(b"") * 10_001, "more than 10,000 parts"),
    "a row number of 10 digits": (
        lambda: numbered_workbook("1000000000", "A"), "a row has a number beyond 1,048,576"
    ),
    "a row number of 400 digits": (lambda: numbered_workbook("9" * 400, "A"), "beyond 1,048,576"),
    "a column far away": (lambda: numbered_workbook("2", "ZZZ"), "at most 5,000 columns"),
    "a column beyond all": (lambda: numbered_workbook("2", "ZZZZZZZ"), "cannot be read as such"),
    "a part of a workbook that lies": (
        lambda: patched(
            numbered_workbook("2", "A", x=bytes(MB)),
            MB.to_bytes(4, "little"), (9).to_bytes(4, "little"),
        ), "Bad CRC-32"
    ),
    "very many rows of nothing": (
        lambda: compressed_rows(pa.table({"a": pa.nulls(1_000_001, pa.int8())})),
        "at most 1,000,000 rows",
    ),
    "very many columns": (
        lambda: compressed_rows(pa.table({f"c{i}": [1] for i in range(5_001)})),
        "at most 5,000 columns",
    ),
    "very many lines of nothing": (lambda: b"{}\n" * 2_000_001, "at most 2,000,000 lines"),
    "names without end": (
        lambda: b"\n".join(b'{"n%d": 1}' % i for i in range(6_000)), "at most 5,000 columns"
    ),
    "a transport file of version 8": (
        lambda: b"HEADER RECORD*******LIBV8   HEADER RECORD!!!!!!!" + bytes(1_000),
        "this is version 8 of SAS transport, of which version 5 is read: write it so",
    ),
}  # fmt: skip
ISOLATED: dict[str, tuple[Callable[[], bytes], str]] = {
    "a buffer that declares 16 GB": (
        lambda: patched(
            zstd_arrow(), (8_000).to_bytes(8, "little"), (1 << 34).to_bytes(8, "little")
        ), "reading may take 2,000 MB of memory; this file takes more"
    ),
    "a row number of 10 digits": HOSTILE["a row number of 10 digits"],
}  # fmt: skip


def zipped_by(method: int) -> bytes:
    def write(file: Any) -> None:
        with zipfile.ZipFile(file, "w", method) as archive:
            archive.writestr("a", b"a,b\n1,2\n")

    return bytes_of(write)


def compressed_rows(table: pa.Table) -> bytes:
    return bytes_of(lambda file: pq.write_table(table, file, compression="zstd"))


def test_a_hostile_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, (make, says) in HOSTILE.items():
        assert says in refusal(make()), name
    assert "this is version 8 of SAS transport" in refusal(xport(tmp_path))
    if sys.platform == "linux":  # where a process can be held to its memory
        for name, (make, says) in ISOLATED.items():
            assert says in refusal(make(), isolated=True), name


def test_a_file_with_changed_bytes_is_a_table_or_a_sentence() -> None:
    draw = np.random.default_rng(0)
    for name, content in samples().items():
        for changes in (1, 4, 30) * 6:
            other = bytearray(content)
            for place in draw.integers(8, len(other), changes).tolist():
                other[place] = draw.choice((0, 127, 128, 255, int(draw.integers(256))))
            at = int(draw.integers(8, len(other) - 8))
            for hostile in (other, other[:at] + b"\xff\xff\xff\x7f" + other[at + 4 :]):
                with suppress(DataError):
                    assert len(read_file(bytes(hostile))[0]) > 0, name


def test_a_table_is_the_same_by_a_process_of_its_own() -> None:
    for name in ("Excel", "Parquet", "csv or tsv"):
        frame, notes = read_file(samples()[name])
        found, told = read_file(gzip.compress(samples()[name]), isolated=True)
        pd.testing.assert_frame_equal(found, frame)
        assert told == notes
    days = (f'"r{i}" {i % 7} "{"uv"[i % 2]}" 2024-03-{i % 28 + 1:02d}\n' for i in range(60_000))
    long = ('"x" "y" "day"\n' + "".join(days)).encode()  # as R's write.table, with names of rows
    frame, notes = read_file(long)
    shares: list[float] = []

    def shared(slices: Slices[Reading]) -> Slices[Reading]:
        while True:
            try:
                shares.append(next(slices))
            except StopIteration as last:
                result: Reading = last.value
                return result
            yield shares[-1]

    found, told = finished(shared(reading(long)))
    pd.testing.assert_frame_equal(found, frame)
    np.testing.assert_array_equal(found.attrs["lines"], frame.attrs["lines"])
    assert told == notes
    assert shares == sorted(shares)
    assert len({*shares}) > 3
    data = dtviz.read_table(samples()["Stata"], "y", isolated=True)
    assert data.classes == ("u", "v")
    screen = Saved("grow", {"data": "iris"}, {})
    for content in (zipped(a=saved.write(screen)), saved.write(screen)):
        with pytest.raises(SavedError) as caught:
            read_file(content, isolated=True)
        assert caught.value.saved == screen


class Trap:
    """Unpickled, it does something."""

    def __reduce__(self) -> tuple[Any, ...]:
        return setattr, (Trap, "sprung", True)

    sprung = False


def test_nothing_is_unpickled() -> None:
    trap = pickle.dumps(Trap())
    marks = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": trap}
    schema = pa.schema([pa.field("a", pa.int64(), metadata=marks)])
    table = pa.table([[1, 2]], schema=schema)
    read_file(bytes_of(lambda file: pq.write_table(table, file)))
    read_file(bytes_of(lambda file: pa.feather.write_feather(table, file)))
    refusal(trap)
    refusal(gzip.compress(trap))
    assert not Trap.sprung


@pytest.mark.parametrize("name", [*samples(), "SAS"])
def test_a_file_cut_short_is_a_table_or_a_reason(name: str) -> None:
    sas = b"\0" * 12 + b"\xc2\xea\x81\x60" + bytes(4_000)
    content = samples().get(name, sas)
    for share in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99):
        with suppress(DataError):
            assert len(read_file(content[: int(len(content) * share)])[0]) > 0


def test_times_and_text_of_dates_in_a_workbook_are_read_as_such() -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (
        ("opens", "lasts", "day", "y"),
        (dt.time(8, 30), dt.timedelta(hours=30), "31.12.2024", "a"),
        (None, dt.timedelta(hours=2), "01.02.2025", "b"),
        (dt.time(17, 0, 5), None, "n/a", "a"),
    ):
        sheet.append(row)
    frame, notes = read_file(bytes_of(book.save))
    assert frame["opens"].tolist() == [pd.Timedelta("08:30:00"), pd.NaT, pd.Timedelta("17:00:05")]
    assert frame["lasts"].tolist() == [pd.Timedelta("30h"), pd.Timedelta("2h"), pd.NaT]
    assert frame["day"].tolist()[:2] == [pd.Timestamp("2024-12-31"), pd.Timestamp("2025-02-01")]
    told = {(note.column, note.text) for note in notes}
    assert ("opens", "hours, minutes and seconds read as durations") in told
    assert ("day", "dates read with the day first") in told
