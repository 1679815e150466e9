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
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import pytest
from refusals import refusal

import dtviz
from dtviz.base.progress import Slices, run_to_end
from dtviz.data import formats, read_table, uploads, worker
from dtviz.data.dataset import DataError
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import (
    TABLE_KINDS,
    FrameAndNotes,
    option_names,
    part_names,
    read_file,
    read_file_slices,
)
from dtviz.data.uploads import SavedScreen, SavedScreenError

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


def zipped(method: int = zipfile.ZIP_DEFLATED, /, **members: bytes) -> bytes:
    def write(file: Any) -> None:
        with zipfile.ZipFile(file, "w", method) as archive:
            for name, content in members.items():
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
            "JSON": FRAME.to_json(orient="records", lines=True, date_format="iso").encode(),
            "Stata": bytes_of(lambda file: FRAME.to_stata(file, write_index=False)),
            "SPSS": by_path(pyreadstat.write_sav, folder, text),
            "SAS transport": by_path(
                lambda *to: pyreadstat.write_xport(*to, file_format_version=5), folder, text
            ),
            "csv or tsv": FRAME.to_csv(index=False).encode(),
        }


def refused(content: bytes, **options: Any) -> str:
    return refusal(read_file, content, **options)


def test_bytes_of_no_kind_are_told_the_kinds_that_are_read() -> None:
    for content in (bytes(range(256)) * 4, b"a\0b,c\n1,2", gzip.compress(b"\0\1\2")):
        reason = refused(content)
        assert reason.startswith("this is binary, and none of the kinds that are read (Excel, Parq")
        assert all(kind.name in reason for kind in TABLE_KINDS)
    assert "save the sheet as .xlsx or CSV" in refused(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1...")


def test_a_table_of_every_kind_comes_out_as_it_went_in(tmp_path: Path) -> None:
    assert {kind.name for kind in TABLE_KINDS} - {*samples()} == {"SAS"}
    hidden = {"__MACOSX/._a": b"x", ".DS_Store": b"x"}
    for name, content in samples().items():
        frame, _ = read_file(content)
        assert list(frame.columns) == list(FRAME.columns), name
        for column in ("height", "count"):
            cells = frame[column].to_numpy(dtype=float, na_value=np.nan)
            np.testing.assert_array_equal(cells, FRAME[column].to_numpy(), name)
        assert frame["town"].tolist() == ["Ulm", None, "Köln", "Bonn"], name
        if name in ("Parquet", "Arrow", "Excel", "Stata", "SPSS"):
            assert pd.api.types.is_datetime64_dtype(frame["day"]), name
            days = frame["day"].dt.strftime("%Y-%m-%d").tolist()
            assert days[:3] == ["2024-02-29", "2024-03-01", "2025-01-01"], name
        for packed_table in (gzip.compress(content), zipped(**{"in/a": content}, **hidden)):
            pd.testing.assert_frame_equal(read_file(packed_table)[0], frame)
        (tmp_path / "table").write_bytes(content)
        for source in (tmp_path / "table", io.BytesIO(content), content):
            data = dtviz.read_table(source, "y", ["height", "count"])
            assert (data.n, data.features, data.classes) == (4, ("height", "count"), ("u", "v"))
            assert data.columns[1].tolist() == [10, 20, 30, 40], name


def test_a_kind_of_file_takes_the_options_that_it_has() -> None:
    data = dtviz.read_table(b"1,u\n2,v\n", "column 2", header=False)
    assert (data.features, data.classes) == (("column 1",), ("u", "v"))
    titled = workbook([["made by x"], ["a", "b"], [1, "u"]])
    assert dtviz.read_table(titled, "b", names_line=2).features == ("a",)
    assert read_file(titled, options=ReadOptions(names_line=0))[0].shape == (3, 2)
    reason = refused(titled, options=ReadOptions(delimiter=";"))
    assert "`delimiter` is an option of csv or tsv; this is Excel" in reason
    reason = refused(titled, options=ReadOptions(part="prices"))
    assert "the workbook has no sheet 'prices'; it has 'Sheet'" in reason


def test_a_package_that_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in TABLE_KINDS:
        if kind.package != "pandas":
            monkeypatch.setitem(sys.modules, kind.package, None)
            reason = refused(samples()[kind.name])
            assert f"to read {kind.name} dtviz needs the package {kind.package}" in reason
            assert "pip install 'dtviz[files]'" in reason


def test_categories_lists_and_decimals_of_parquet_and_arrow() -> None:
    size = pd.Categorical(["s", "l", "s"], ["s", "m", "l"], ordered=True)
    table = pd.DataFrame({"size": size, "town": ["a", "b", "a"]})
    odd = pd.DataFrame({"l": [[1], [2, 3]], "d": [Decimal("1.5"), None], "a": [1, 2]})
    for write in ("to_parquet", "to_feather"):
        frame, _ = read_file(bytes_of(getattr(table, write)))
        assert frame["size"].dtype == size.dtype, write
        assert frame["town"].dtype == object, write
        frame, notes = read_file(bytes_of(getattr(odd, write)))
        gap = pytest.approx(np.nan, nan_ok=True)
        assert frame.to_dict("list") == {"d": [1.5, gap], "a": [1, 2]}, write
        assert [(note.column, note.text[:11]) for note in notes] == [("l", "holds lists")], write
    frame, _ = read_file(bytes_of(FRAME.set_index("height").to_parquet))
    assert sorted(frame.columns) == sorted(FRAME.columns)  # the index is a column
    named = pa.table([[1], [2], [3]], names=["a", " a\n", ""])
    frame, notes = read_file(bytes_of(lambda file: pq.write_table(named, file)))
    assert list(frame.columns) == ["a", "a (2)", "column 3"]
    assert len(notes) == 2


def test_the_first_sheet_with_a_table_is_read_and_its_odd_cells_are_gaps_or_text() -> None:
    rows: list[list[object]] = [[], ["a", "b"], [1, "x"], [], [2, "y", "more"]]
    frame, notes = read_file(workbook([], rows, [["c"], [3]]))
    assert frame.to_dict("list") == {"a": [1, 2], "b": ["x", "y"], "column 3": [None, "more"]}
    assert frame.attrs["lines"].tolist() == [3, 5]
    assert "the sheet 'Sheet1' is read; not 'Sheet', 'Sheet2'" in [note.text for note in notes]
    rows = [["a", "b", "c"], [1, "#N/A", "n/a"], [" n/a ", "x", "no"], [3, "", "x"]]
    frame, notes = read_file(workbook(rows))
    assert frame["a"].fillna(-1).tolist() == [1, -1, 3]
    assert frame["b"].tolist() == [None, "x", None]
    assert frame["c"].tolist() == [None, "no", "x"]
    assert ("a", "'n/a' read as missing") in [(note.column, note.text) for note in notes]
    frame, notes = read_file(workbook([["a"], [1], ["one"], [True]]))
    assert frame["a"].tolist() == ["1", "one", "True"]
    assert [note.text for note in notes] == ["cells of several types, read as they are written"]
    frame, _ = read_file(workbook([["code"], ["007"], ["07"], ["7"]]))
    assert frame["code"].tolist() == ["007", "07", "7"]


def test_times_and_text_of_dates_in_a_workbook_are_read_as_such() -> None:
    frame, notes = read_file(
        workbook([
            ["opens", "lasts", "day", "y"],
            [dt.time(8, 30), dt.timedelta(hours=30), "31.12.2024", "a"],
            [None, dt.timedelta(hours=2), "01.02.2025", "b"],
            [dt.time(17, 0, 5), None, "n/a", "a"],
        ])
    )  # fmt: skip
    assert frame["opens"].tolist() == [pd.Timedelta("08:30:00"), pd.NaT, pd.Timedelta("17:00:05")]
    assert frame["lasts"].tolist() == [pd.Timedelta("30h"), pd.Timedelta("2h"), pd.NaT]
    assert frame["day"].tolist()[:2] == [pd.Timestamp("2024-12-31"), pd.Timestamp("2025-02-01")]
    assert {
        ("opens", "hours, minutes and seconds read as durations"),
        ("day", "dates read with the day first"),
    } <= {(note.column, note.text) for note in notes}


def test_json_is_read_as_it_is_typed() -> None:
    for text, columns in (
        ('{"a": 1, "b": "x"}\r\n\n{"b": "y", "a": 2}\n', {"a": [1, 2], "b": ["x", "y"]}),
        ('[{"a": true},\n {"a": false}]', {"a": [True, False]}),
        ('{"a": 1}\n{"b": "x"}', {"a": [1, None], "b": [None, "x"]}),
        ('{"a": 1, "b": {"c": 2}}\n{"a": 2}', {"a": [1, 2]}),
        ('{"a": 9007199254740993}\n{"a": null}', {"a": [9007199254740993, None]}),
        ('\ufeff{"a": "007"}\n{"a": "7"}', {"a": ["007", "7"]}),
        ('{"a": "x\u2028y"}\n{"a": "z"}', {"a": ["x\u2028y", "z"]}),
    ):
        assert read_file(text.encode())[0].to_dict("list") == columns, text


def test_labels_stand_for_codes_where_every_code_has_one(tmp_path: Path) -> None:
    codes = pd.DataFrame({"full": [1.0, 2.0, 1.0], "part": [1.0, 2.0, 7.0], "y": ["u", "v", "u"]})
    labels = {"full": {1: "one", 2: "two"}, "part": {7: "refused"}}
    for write in (pyreadstat.write_sav, pyreadstat.write_dta):
        labelled = partial(write, variable_value_labels=labels)
        frame, _ = read_file(by_path(labelled, tmp_path, codes))
        assert frame["full"].tolist() == ["one", "two", "one"]
        assert frame["part"].tolist() == [1, 2, 7]


MB = 1_000_000
ZEROS = bytes(20 * MB)


def arrow_of(table: pa.Table) -> bytes:
    return bytes_of(lambda file: pa.feather.write_feather(table, file, compression="zstd"))


def parquet_of(table: pa.Table, **how: Any) -> bytes:
    return bytes_of(lambda file: pq.write_table(table, file, compression="zstd", **how))


def test_no_more_is_unpacked_than_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = pa.table({"a": np.zeros(900_000), "b": np.zeros(900_000)})
    for name, content in {
        "gzip": gzip.compress(ZEROS),
        "zip": zipped(a=ZEROS),
        "a workbook": zipped(**{"xl/workbook.xml": b"", "xl/sheet.xml": ZEROS}),
        "Arrow": arrow_of(table),
        "Parquet": parquet_of(table, use_dictionary=False, column_encoding="PLAIN"),
    }.items():
        assert len(content) < MB, name
        assert "at most 10 MB, unpacked" in refused(content, max_bytes=10 * MB), name
    assert "at most 1 MB" in refused(ZEROS, max_bytes=MB)
    monkeypatch.setattr(worker, "MAX_CELLS", 2)
    assert refused(b'{"a": 1, "b": 2, "c": 3}').startswith("at most 2 cells; not 3: keep a part")
    assert len(read_file(b'{"a": 1, "b": 2}')[0]) == 1
    monkeypatch.setattr(formats, "MAX_MEMBERS", 2)
    assert "more than 2 files" in refused(zipped(a=b"1", b=b"2", c=b"3"))


def test_a_text_that_many_rows_share_is_kept_once() -> None:
    long = pa.DictionaryArray.from_arrays(np.zeros(1_000, np.int32), ["x" * 100_000])
    content = parquet_of(pa.table({"a": long, "b": np.arange(1_000)}), store_schema=False)
    pool = pa.default_memory_pool()
    before = pool.max_memory()
    frame, _ = read_file(content)
    assert len(frame["a"].iloc[-1]) == 100_000
    assert pool.max_memory() < max(before, 50 * MB)  # 100 where each row has its own


def lying_zip(declared: int, size: int) -> bytes:
    """A zip archive whose member declares so many bytes and holds others."""
    content = bytearray(zipped(a=bytes(size)))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = content.index(mark) + place
        content[at : at + 4] = declared.to_bytes(4, "little")
    return bytes(content)


def locked_zip() -> bytes:
    """A zip archive that says of its member that a password locks it."""
    content = bytearray(zipped(a=b"a,b\n1,2\n"))
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def numbered_workbook(row: str, column: str, **parts: bytes) -> bytes:
    """A workbook of two rows, the second with this number and one cell in this column."""
    plain = zipfile.ZipFile(io.BytesIO(workbook([["a", "b"], [1, 2]])))
    files = {name: plain.read(name) for name in plain.namelist()}
    sheet = files["xl/worksheets/sheet1.xml"].replace(b'<row r="2"', f'<row r="{row}"'.encode())
    sheet = sheet.replace(b'"B2"', f'"{column}{row}"'.encode())
    return zipped(**{**files, "xl/worksheets/sheet1.xml": sheet, **parts})


def patched(content: bytes, old: int, new: int, width: int) -> bytes:
    """The bytes with one number in them, of so many bytes, as another."""
    assert old.to_bytes(width, "little") in content
    return content.replace(old.to_bytes(width, "little"), new.to_bytes(width, "little"))


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "two tables": (lambda: zipped(a=b"a,b\n", b=b"a,b\n"), "one table; not 2 files ('a', 'b')"),
    "no table": (lambda: zipped(**{"a/": b""}), "one table; not none"),
    "a document": (lambda: zipped(**{"[Content_Types].xml": b"", "word/a": b""}), "an Office file"),
    "cut short": (lambda: gzip.compress(b"a,b\n1,2\n" * 99)[:-12], "cannot be unpacked"),
    "a zip cut short": (lambda: zipped(a=b"a,b\n1,2\n")[:-30], "cannot be unpacked"),
    "a zip in a zip": (lambda: zipped(a=zipped(a=b"a,b\n1,2\n")), "cannot be read"),
    "gzip in gzip": (lambda: gzip.compress(gzip.compress(b"a,b\n1,2\n")), "unpack it first"),
    "a zip that declares 100 bytes": (lambda: lying_zip(100, 20 * MB), "Bad CRC-32"),
    "a zip by a rare method": (
        lambda: zipped(zipfile.ZIP_BZIP2, a=b"a,b\n1,2\n"),
        "packed by a rare method; pack it by the usual one",
    ),
    "a zip with a password": (locked_zip, "locked by a password; pack the table without one"),
    "a gzip of many parts": (lambda: gzip.compress(b"") * 10_001, "more than 10,000 parts"),
    "a row number of 10 digits": (
        lambda: numbered_workbook("1000000000", "A"), "a row has a number beyond 1,048,576"
    ),
    "a row number of 400 digits": (lambda: numbered_workbook("9" * 400, "A"), "beyond 1,048,576"),
    "a column far away": (lambda: numbered_workbook("2", "ZZZ"), "at most 5,000 columns"),
    "a column beyond all": (lambda: numbered_workbook("2", "ZZZZZZZ"), "cannot be read as such"),
    "a part of a workbook that lies": (
        lambda: patched(numbered_workbook("2", "A", x=bytes(MB)), MB, 9, 4), "Bad CRC-32"
    ),
    "very many rows of nothing": (
        lambda: parquet_of(pa.table({"a": pa.nulls(1_000_001, pa.int8())})),
        "at most 1,000,000 rows",
    ),
    "very many columns": (
        lambda: parquet_of(pa.table({f"c{i}": [1] for i in range(5_001)})), "at most 5,000 columns"
    ),
    "very many lines of nothing": (lambda: b"{}\n" * 2_000_001, "at most 2,000,000 lines"),
    "names without end": (
        lambda: b"\n".join(b'{"n%d": 1}' % i for i in range(6_000)), "at most 5,000 columns"
    ),
    "a transport file of version 8": (
        lambda: b"HEADER RECORD*******LIBV8   HEADER RECORD!!!!!!!" + bytes(1_000),
        "this is version 8 of SAS transport, of which version 5 is read: write it so",
    ),
    "an object cut short": (lambda: b'{"a": 1}\n{"a": 2', "line 2 is no JSON"),
    "no object": (lambda: b'{"a": 1}\n[1]', "row 2 is no object"),
    "a name twice": (lambda: b'{"a": 1, "a": 2}', "a name comes twice"),
    "nothing in an object": (lambda: b'{"": {}}', "this JSON is no table"),
    "objects of nothing": (lambda: b"{}\n{}", "the table is empty"),
    "a list cut short": (lambda: b'[{"a": 1}', "the list is no JSON"),
    "very deep lists": (lambda: b'{"a": ' + b"[" * 100_000, "cannot be read"),
    "very many names": (
        lambda: json.dumps([{f"c{i}": i for i in range(5001)}]).encode(), "at most 5,000 columns"
    ),
}  # fmt: skip


def test_a_hostile_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for name, (make, says) in HOSTILE.items():
        assert says in refused(make()), name
    usual = by_path(pyreadstat.write_xport, tmp_path, FRAME[["height", "y"]])
    assert "this is version 8 of SAS transport" in refused(usual)


def test_a_file_with_changed_bytes_or_cut_short_is_a_table_or_a_sentence() -> None:
    draw = np.random.default_rng(0)
    sas = b"\0" * 12 + b"\xc2\xea\x81\x60" + bytes(4_000)
    for name, content in {**samples(), "SAS": sas}.items():
        hostile = [content[: int(len(content) * at)] for at in (0.1, 0.3, 0.5, 0.7, 0.9, 0.99)]
        for changes in (1, 4, 30) * 4:
            other = bytearray(content)
            for place in draw.integers(8, len(other), changes).tolist():
                other[place] = draw.choice((0, 127, 128, 255, int(draw.integers(256))))
            at = int(draw.integers(8, len(other) - 8))
            hostile += [bytes(other), bytes(other[:at] + b"\xff\xff\xff\x7f" + other[at + 4 :])]
        for changed in hostile:
            with suppress(DataError):
                assert len(read_file(changed)[0]) > 0, name


class Trap:
    """Unpickled, it does something."""

    def __reduce__(self) -> tuple[Any, ...]:
        return setattr, (Trap, "sprung", True)

    sprung = False


def test_nothing_is_unpickled() -> None:
    trap = pickle.dumps(Trap())
    marks = {b"ARROW:extension:name": b"arrow.py_extension_type", b"ARROW:extension:metadata": trap}
    table = pa.table([[1, 2]], schema=pa.schema([pa.field("a", pa.int64(), metadata=marks)]))
    read_file(parquet_of(table))
    read_file(arrow_of(table))
    assert refused(trap)
    assert refused(gzip.compress(trap))
    assert not Trap.sprung


def test_a_short_text_is_read_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    class ProcessError(Exception):
        pass

    def run_in_process(*_: object) -> None:
        raise ProcessError

    monkeypatch.setattr(read_table, "run_in_process", run_in_process)
    assert len(read_file(b"a,b\n1,2\n", isolated=True)[0]) == 1
    assert len(read_file(samples()["Excel"])[0]) == 4
    long = b"a,b\n" + b"1,2\n" * (read_table.MAX_SHORT_BYTES // 4)
    for content in (samples()["Excel"], gzip.compress(b"a,b\n1,2\n"), long):
        with pytest.raises(ProcessError):
            read_file(content, isolated=True)


def test_a_table_a_screen_and_an_error_are_the_same_by_a_process_of_its_own() -> None:
    frame, notes = read_file(samples()["Excel"])
    again, again_notes = read_file(gzip.compress(samples()["Excel"]), isolated=True)
    pd.testing.assert_frame_equal(again, frame)
    assert again_notes == notes
    days = (f'"r{i}" {i % 7} "{"uv"[i % 2]}" 2024-03-{i % 28 + 1:02d}\n' for i in range(45_000))
    long = ('"x" "y" "day"\n' + "".join(days)).encode()  # as R's write.table, with names of rows
    frame, notes = read_file(long)
    shares: list[float] = []

    def shared(slices: Slices[FrameAndNotes]) -> Slices[FrameAndNotes]:
        while True:
            try:
                shares.append(next(slices))
            except StopIteration as last:
                result: FrameAndNotes = last.value
                return result
            yield shares[-1]

    again, again_notes = run_to_end(shared(read_file_slices(long)))
    pd.testing.assert_frame_equal(again, frame)
    np.testing.assert_array_equal(again.attrs["lines"], frame.attrs["lines"])
    assert again_notes == notes
    assert shares == sorted(shares)
    assert len({*shares}) > 3
    screen = SavedScreen("grow", {"data": "iris"}, {})
    with pytest.raises(SavedScreenError) as caught:
        dtviz.read_table(zipped(a=uploads.write_screen(screen)), "y", isolated=True)
    assert caught.value.saved == screen
    if sys.platform == "linux":  # where a process can be held to its memory
        much = patched(arrow_of(pa.table({"a": np.zeros(1000)})), 8_000, 1 << 34, 8)
        reason = "reading may take 2,000 MB of memory; this file takes more"
        assert reason in refused(much, isolated=True)


def test_the_tables_in_a_file_of_several_have_names() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("a.csv", "b/c.csv", "b/", "__MACOSX/._a.csv"):
            archive.writestr(name, "x,y\n1,2\n")
    assert part_names(out.getvalue()) == ("a.csv", "b/c.csv")
    assert {"part", "encoding"} < option_names(out.getvalue())
    assert "choose one by its name" in refused(out.getvalue())
    assert read_file(out.getvalue(), options=ReadOptions(part="b/c.csv"))[0].shape == (1, 2)
    book = io.BytesIO()
    with pd.ExcelWriter(book) as writer:
        for name in ("one & two", "more"):
            FRAME[["count", "y"]].to_excel(writer, sheet_name=name, index=False)
    assert part_names(book.getvalue()) == ("one & two", "more")
    assert option_names(book.getvalue()) == {"header", "names_line", "part"}
    for damaged in (out.getvalue()[:-30], book.getvalue()[:200]):
        assert part_names(damaged) == ()
