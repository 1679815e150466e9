"""Tables from files of any kind; the first bytes of a file tell its kind."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib.util import find_spec
from typing import Any

from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, run_to_end, scaled_progress
from dtviz.base.text import clean, short_repr
from dtviz.data import formats, uploads
from dtviz.data.columns import Types, with_type_notes
from dtviz.data.csv import Source, read_content
from dtviz.data.csv_dialect import NoTextError
from dtviz.data.dataset import DataError, Dataset, Task, safe_text
from dtviz.data.formats import GZIP, unpack
from dtviz.data.frames import frame_bytes, frame_head, parse_frame
from dtviz.data.notes import Note
from dtviz.data.read_options import DEFAULT, MissingValues, ReadOptions, checked_missing_values
from dtviz.data.train_test import from_frame, notes_with_role
from dtviz.data.uploads import SavedScreenError
from dtviz.data.weights import ClassWeight, MistakeCosts
from dtviz.data.worker import (
    MAX_BYTES,
    TooLargeError,
    check_bytes,
    memory_error,
    reader_error,
    run_in_process,
    serve,
)

FrameAndNotes = tuple["pd.DataFrame", tuple[Note, ...]]
"""The frame of a table, and notes on what reading changed."""
Reader = Callable[[bytes, int, ReadOptions, list[Note]], Slices["pd.DataFrame"]]
MAX_SHORT_BYTES = 1_000_000  # of a text that is read in less time than a process takes to start
UNPACKED_SHARE = 0.2  # share of the work done when a file is unpacked
ANSWER_SHARE = 0.9  # share of the work done when a separate process has answered


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file and its readers."""

    name: str
    """Name of the kind in messages."""
    first_bytes: re.Pattern[bytes]
    """Pattern of the first bytes."""
    read: Reader
    """Makes a frame of a content that unpacks to at most so many bytes, and appends to notes."""
    package: str = "pandas"
    """Name of the package that reading needs."""
    options: frozenset[str] = frozenset()
    """Names of the options that the reader takes, but for types and missing values."""


HEADER = frozenset(("header", "names_line"))
"""Options on the line that holds the names."""
FILE_KINDS = (
    FileKind("saved screen", uploads.SAVED_START, uploads.refuse_screen, options=HEADER),
    FileKind(
        "Excel", re.compile(rb"PK\x03\x04"), formats.excel_frame, "openpyxl", HEADER | {"part"}
    ),
    FileKind("Parquet", re.compile(rb"PAR1"), formats.parquet_frame),
    FileKind("Arrow", re.compile(rb"ARROW1"), formats.feather_frame),
    FileKind(
        "JSON",
        re.compile(rb"(\xef\xbb\xbf)?\s*((\[\s*)?\{\s*[\"}]|\[\s*\[)"),
        formats.json_frame,
        options=frozenset(("part",)),
    ),
    FileKind("Stata", re.compile(rb"<stata_dta>|[\x68-\x73][\x01\x02]\x01"), formats.stata_frame),
    FileKind("SPSS", re.compile(rb"\$FL[23]"), formats.spss_frame, "pyreadstat"),
    FileKind("SAS", re.compile(rb"\0{12}\xc2\xea\x81\x60"), formats.sas_frame),
    FileKind("SAS transport", re.compile(rb"HEADER RECORD\*{7}"), formats.sas_transport_frame),
    FileKind(
        "csv or tsv",
        re.compile(rb""),
        formats.csv_frame,
        options=HEADER | {"encoding", "delimiter", "quotes"},
    ),
)
"""Kinds of files; the first whose pattern matches is the kind. The last one matches any file."""
TABLE_KINDS = tuple(kind for kind in FILE_KINDS if kind.read is not uploads.refuse_screen)
"""Kinds that hold a table: all but saved screens."""


def read_table(
    source: Source,
    target: str,
    features: Sequence[str] | None = None,
    task: Task | None = None,
    sample_weight: str | None = None,
    class_weight: ClassWeight = None,
    priors: Mapping[Any, float] | None = None,
    header: bool = True,
    role: str | None = None,
    test: Source | None = None,
    types: Types | None = None,
    costs: MistakeCosts = None,
    isolated: bool = False,
    missing_values: MissingValues | None = None,
    names_line: int | None = None,
    encoding: str = "",
    delimiter: str = "",
    quotes: bool = True,
    part: str = "",
) -> Dataset:
    """Read a table from a file into a Dataset, with notes on what reading changed.

    `source` is a path, bytes, or a binary or text buffer; so is `test`, a table of test rows.
    Without a `header` the first line is data, and columns are named by position: 'column 1'.
    `isolated` is for files from strangers: a separate process, which takes a second to start, reads
    them within limits of time and memory (unless the file is a short text). The other parameters
    are those of `from_frame`. Raises DataError when the file is no table, or a column is unknown or
    unusable.

    What the reader would guess can be said:

    - `names_line`: the line that holds the names of the columns, counted from 1.
    - `missing_values`: the words of a missing value by column, in place of the usual ones:
      `{"age": ["-999"], "continent": []}`.
    - `encoding`, `delimiter`: those of a text; `quotes=False` takes a quote as a letter.
    - `part`: the table in a file that has several: a sheet, a file in a zip archive, or a list in
      JSON, as "data.rows".
    """
    if types is not None and not isinstance(types, Mapping):
        raise DataError(f"`types` must be types by column; not {short_repr(types)}")
    options = ReadOptions(
        names_line if header else 0,
        encoding,
        delimiter,
        quotes,
        part,
        tuple(sorted((safe_text(name), str(kind)) for name, kind in (types or {}).items())),
        checked_missing_values(missing_values),
    )
    read = partial(read_file, options=options, isolated=isolated)
    frame, notes = read(read_content(source))
    test_frame, test_notes = (None, ()) if test is None else read(read_content(test))
    notes = with_type_notes((*notes, *notes_with_role("test", test_notes)), types)
    weighting = (sample_weight, class_weight, priors)
    columns = (target, features, task)
    return from_frame(frame, *columns, notes, *weighting, role, test_frame, types, costs)


def read_file(
    content: bytes,
    max_bytes: int = MAX_BYTES,
    options: ReadOptions = DEFAULT,
    isolated: bool = False,
) -> FrameAndNotes:
    """The frame and notes of a file of any kind in TABLE_KINDS, plain or packed by gzip or zip.

    `isolated` is as for `read_table`. Raises DataError when the file holds no table
    (SavedScreenError for a saved screen), does not take an option, or has or unpacks to more than
    `max_bytes`.
    """
    return run_to_end(read_file_slices(content, max_bytes, options, isolated))


def read_file_slices(
    content: bytes,
    max_bytes: int = MAX_BYTES,
    options: ReadOptions = DEFAULT,
    isolated: bool = True,
) -> Slices[FrameAndNotes]:
    """Read the result of `read_file` in slices."""
    check_bytes(len(content), max_bytes)
    if isolated and not _is_short_text(content):
        return (yield from _read_isolated(content, max_bytes, options))
    return (yield from _unpack_and_read(content, max_bytes, options))


def _is_short_text(content: bytes) -> bool:
    """True for text so short that starting a process takes longer than reading it."""
    kind = _kind_of(content)
    return (
        len(content) <= MAX_SHORT_BYTES
        and "header" in kind.options
        and kind.package == "pandas"
        and not content.startswith(GZIP)
    )


def _unpack_and_read(content: bytes, max_bytes: int, options: ReadOptions) -> Slices[FrameAndNotes]:
    plain, part = yield from scaled_progress(
        unpack(content, max_bytes, options.part), 0, UNPACKED_SHARE
    )
    options = replace(options, part=part)
    kind = _kind_of(plain)
    _check_options(kind, options)
    if find_spec(kind.package) is None:
        raise DataError(
            f"to read {kind.name} dtviz needs the package {kind.package}, which is not installed: "
            "pip install 'dtviz[files]', or save the table as CSV"
        )
    return (
        yield from scaled_progress(_read_plain(kind, plain, max_bytes, options), UNPACKED_SHARE, 1)
    )


def _kind_of(content: bytes) -> FileKind:
    return next(kind for kind in FILE_KINDS if kind.first_bytes.match(content))


def option_names(content: bytes) -> frozenset[str]:
    """Names of the options that a file takes: for an archive, those of a text."""
    kind = _kind_of(content)
    if kind.read is uploads.refuse_screen:
        return frozenset()
    if content.startswith(GZIP):
        return FILE_KINDS[-1].options
    if content.startswith(formats.ZIP) and not formats.is_workbook(content):
        return FILE_KINDS[-1].options | {"part"}
    return kind.options


def part_names(content: bytes) -> tuple[str, ...]:
    """Names of the tables in a file of several: sheets, files in an archive, lists in JSON.

    A large JSON is not searched; () where there are no names.
    """
    if content.startswith(formats.ZIP):
        return formats.part_names(content)
    if _kind_of(content).read is formats.json_frame and len(content) <= MAX_SHORT_BYTES:
        return formats.json_part_names(content)
    return ()


def _check_options(kind: FileKind, options: ReadOptions) -> None:
    """Raise DataError for an option that the reader of a kind of file does not take."""
    chosen = {*options.params()} - {"missing_values"}
    if unfit := sorted(chosen - kind.options):
        taken = [other.name for other in TABLE_KINDS if unfit[0] in other.options]
        raise DataError(
            f"`{unfit[0]}` is an option of {' and '.join(taken)}; this is {kind.name}: leave it "
            "out, or save the table as CSV",
            unfit[0],
        )


def _read_plain(
    kind: FileKind, plain: bytes, max_bytes: int, options: ReadOptions
) -> Slices[FrameAndNotes]:
    """Read a file that is not packed and whose kind is known, in this process."""
    notes: list[Note] = []
    try:
        frame = yield from kind.read(plain, max_bytes, options, notes)
        return frame, tuple(notes)
    except NoTextError:
        names = ", ".join(kind.name for kind in TABLE_KINDS)
        raise DataError(
            f"this is binary, and none of the kinds that are read ({names}); save the table as one "
            "of them"
        ) from None
    except DataError:
        raise
    except MemoryError:
        raise memory_error() from None
    except Exception as error:  # a reader of binary files may stumble over anything
        reason = clean(str(error), 200) or type(error).__name__
        raise DataError(
            f"this starts like {kind.name} and cannot be read as such ({reason}); save it again, "
            "or as CSV"
        ) from None


def _read_isolated(content: bytes, max_bytes: int, options: ReadOptions) -> Slices[FrameAndNotes]:
    """Read a file in a separate process, which runs `answer_request`."""
    head, body = yield from scaled_progress(
        run_in_process(answer_request, {"most": max_bytes, "options": asdict(options)}, content),
        0,
        ANSWER_SHARE,
    )
    if "error" in head:
        error = (TooLargeError if head.get("too_large") else DataError)(head["error"])
        error.parameter = head.get("parameter")
        raise error
    if "screen" in head:
        raise SavedScreenError(uploads.read_screen(bytes(body)))
    try:
        frame = yield from scaled_progress(parse_frame(body, head), ANSWER_SHARE, 1)
        notes = tuple(map(_parsed_note, head["notes"]))
    except Exception:  # the process may answer anything
        raise reader_error() from None
    return frame, notes


def _parsed_note(record: dict[str, Any]) -> Note:
    """A note of an answer, whose tuples JSON has made lists."""
    return Note(**{**record, "others": tuple(record["others"]), "words": tuple(record["words"])})


def answer_request() -> None:
    """Read the file of one request: the entry point of a separate process."""
    serve(_answer)


def _answer(head: dict[str, Any], content: bytes) -> Iterator[Any]:
    """Parts of an answer: shares of the work done, then a head and a frame's bytes or an error."""
    slices = _unpack_and_read(content, head["most"], _parsed_options(head["options"]))
    try:
        while True:
            yield b"%.3f\n" % next(slices)
    except StopIteration as stop:
        frame, notes = stop.value
        yield _json_line({**frame_head(frame), "notes": [*map(asdict, notes)]})
        yield from frame_bytes(frame)
    except SavedScreenError as error:
        yield _json_line({"screen": True})
        yield uploads.write_screen(error.saved)
    except DataError as error:
        is_too_large = isinstance(error, TooLargeError)
        yield _json_line(
            {"error": str(error), "too_large": is_too_large, "parameter": error.parameter}
        )
    except MemoryError:
        yield _json_line({"error": str(memory_error()), "too_large": True})


def _parsed_options(record: dict[str, Any]) -> ReadOptions:
    """The options of a request, whose tuples JSON has made lists."""
    types = tuple((name, kind) for name, kind in record["types"])
    missing = tuple((name, tuple(words)) for name, words in record["missing"])
    return ReadOptions(**{**record, "types": types, "missing": missing})


def _json_line(head: dict[str, Any]) -> bytes:
    return json.dumps(head).encode() + b"\n"
