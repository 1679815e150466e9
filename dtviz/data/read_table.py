"""Tables from files: the kind of a file is known by its first bytes, and each kind is one value.

Glossary
    kind    a sort of file: what it is called, known by and read by
    most    how many bytes a file may have, and may unpack to
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import pandas as pd

from dtviz.base.progress import Slices, finished, within
from dtviz.base.text import clean
from dtviz.data import formats, uploads
from dtviz.data.columns import Types, of_types
from dtviz.data.csv import Source, content_of
from dtviz.data.csv_dialect import NoTextError
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.data.formats import GZIP, unpack
from dtviz.data.frames import bytes_of, frame_in, head_of
from dtviz.data.notes import Note
from dtviz.data.train_test import from_frame, of_rows
from dtviz.data.uploads import SavedError
from dtviz.data.weights import ClassWeight, Costs
from dtviz.data.worker import MAX_BYTES, ask, memory_error, need_room, reader_error, serve

Reading = tuple[pd.DataFrame, tuple[Note, ...]]
"""A table that was read: its frame, and what was done to it."""
Reader = Callable[[bytes, int, list[Note]], Slices[pd.DataFrame]]
SHORT = 1_000_000  # bytes of text that are read in no time
UNPACKED_SHARE, READ_SHARE = (
    0.2,
    0.9,
)  # about when a file is unpacked, and when a process has read it


@dataclass(frozen=True, slots=True)
class FileKind:
    """A sort of file: `read` makes a frame of its bytes, with what was done to it as notes.

    `starts` matches its first bytes; `needs` is the package without which it cannot be read;
    `bare` reads one without a header, where there can be such.
    """

    name: str
    starts: re.Pattern[bytes]
    read: Reader
    needs: str = "pandas"
    bare: Reader | None = None


KINDS = (
    FileKind("saved screen", uploads.START, uploads.refused, bare=uploads.refused),
    FileKind("Excel", re.compile(rb"PK\x03\x04"), formats.excel, "openpyxl"),
    FileKind("Parquet", re.compile(rb"PAR1"), formats.parquet),
    FileKind("Arrow", re.compile(rb"ARROW1"), formats.arrow),
    FileKind(
        "JSON lines", re.compile(rb"(\xef\xbb\xbf)?\s*(\[\s*)?\{\s*[\"}]"), formats.json_lines
    ),
    FileKind("Stata", re.compile(rb"<stata_dta>|[\x68-\x73][\x01\x02]\x01"), formats.stata),
    FileKind("SPSS", re.compile(rb"\$FL[23]"), formats.spss, "pyreadstat"),
    FileKind("SAS", re.compile(rb"\0{12}\xc2\xea\x81\x60"), formats.sas),
    FileKind("SAS transport", re.compile(rb"HEADER RECORD\*{7}"), formats.sas_transport),
    FileKind("csv or tsv", re.compile(rb""), formats.text, bare=formats.text_without_header),
)
"""The first that a file starts like is its kind; text may start like anything."""
TABLES = tuple(kind for kind in KINDS if kind.read is not uploads.refused)
"""Those that hold a table."""


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
    costs: Costs = None,
    isolated: bool = False,
) -> Dataset:
    """The Dataset of a table in a file: read_file, then from_frame; the notes of both are in it.

    `source`, and `test` of the test rows, is a path, bytes, or a binary or text buffer. Without a
    `header` the first line is data, and columns are named by position: 'column 1'. A stranger's
    file is better read `isolated`, as the app and the command line do: within a minute and, unless
    it is a short text, by a process of its own, with a limit of memory, that takes about a second
    to start. Raises DataError when it is no table, or a column is unknown or unusable.
    """
    read = partial(read_file, header=header, isolated=isolated)
    frame, notes = read(content_of(source))
    held, more = (None, ()) if test is None else read(content_of(test))
    about = (target, features, task, of_types((*notes, *of_rows("test", more)), types))
    return from_frame(frame, *about, sample_weight, class_weight, priors, role, held, types, costs)


def read_file(
    content: bytes, most: int = MAX_BYTES, header: bool = True, isolated: bool = False
) -> Reading:
    """The frame of a table in any of TABLES, packed by gzip or zip or not; and what was done to it.

    Text may be without a `header`; `isolated` see `read_table`. Raises DataError, which says what
    to do, when there is no table to read in it (SavedError for a screen), or when it has, or
    unpacks to, more than `most` bytes.
    """
    return finished(reading(content, most, header, isolated))


def reading(
    content: bytes, most: int = MAX_BYTES, header: bool = True, isolated: bool = True
) -> Slices[Reading]:
    """What `read_file` gives, in slices."""
    need_room(len(content), most)
    if isolated and not _is_short_text(content):
        return (yield from _ask(content, most, header))
    return (yield from _reading(content, most, header))


def _is_short_text(content: bytes) -> bool:
    """Whether a process of its own would take longer to start than this takes to read."""
    kind = next(kind for kind in KINDS if kind.starts.match(content))
    return len(content) <= SHORT and kind.bare is not None and not content.startswith(GZIP)


def _reading(content: bytes, most: int, header: bool) -> Slices[Reading]:
    plain = yield from within(unpack(content, most), 0, UNPACKED_SHARE)
    kind = next(kind for kind in KINDS if kind.starts.match(plain))
    if (kind.read if header else kind.bare) is None:
        raise DataError(f"only text can be without a header; this is {kind.name}: save it as CSV")
    if find_spec(kind.needs) is None:
        raise DataError(
            f"to read {kind.name} dtviz needs the package {kind.needs}, which is not installed: "
            "pip install 'dtviz[files]', or save the table as CSV"
        )
    return (yield from within(_read(kind, plain, most, header), UNPACKED_SHARE, 1))


def _read(kind: FileKind, plain: bytes, most: int, header: bool) -> Slices[Reading]:
    """The table of a file of this kind, in this process."""
    notes: list[Note] = []
    read = kind.read if header or kind.bare is None else kind.bare
    try:
        frame = yield from read(plain, most, notes)
        return frame, tuple(notes)
    except NoTextError:
        names = ", ".join(kind.name for kind in TABLES)
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


def _ask(content: bytes, most: int, header: bool) -> Slices[Reading]:
    """The table of a file, read by a process of its own."""
    head, body = yield from within(
        ask(work, {"most": most, "header": header}, content), 0, READ_SHARE
    )
    if "error" in head:
        raise DataError(head["error"])
    if "screen" in head:
        raise SavedError(uploads.read(bytes(body)))
    try:
        frame = yield from within(frame_in(body, head), READ_SHARE, 1)
        notes = tuple(Note(**{**one, "others": tuple(one["others"])}) for one in head["notes"])
    except Exception:  # whatever became of that process
        raise reader_error() from None
    return frame, notes


def work() -> None:
    """Read the file of one request: the whole life of a process that `_ask` starts."""
    serve(_answer)


def _answer(head: dict[str, Any], content: bytes) -> Iterator[Any]:
    """The shares that are done, then what a frame is and its bytes, or why there is none."""
    slices = _reading(content, head["most"], head["header"])
    try:
        while True:
            yield b"%.3f\n" % next(slices)
    except StopIteration as last:
        frame, notes = last.value
        yield _line({**head_of(frame), "notes": [*map(asdict, notes)]})
        yield from bytes_of(frame)
    except SavedError as error:
        yield _line({"screen": True})
        yield uploads.write(error.saved)
    except DataError as error:
        yield _line({"error": str(error)})
    except MemoryError:
        yield _line({"error": str(memory_error())})


def _line(head: dict[str, Any]) -> bytes:
    return json.dumps(head).encode() + b"\n"
