"""The dialect of a csv file: its encoding and its delimiter."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from dtviz.data.dataset import DataError
from dtviz.data.notes import Note
from dtviz.data.number_cells import is_number_cell
from dtviz.data.read_options import MISSING_WORDS

SAMPLE_CHARS = 65_536  # characters from which the delimiter is guessed
DELIMITERS = ("\t", "|", ";", ",")  # of two that fit alike the first is taken, the rarer in prose
ONE_COLUMN = "\x1f"  # stands for the delimiter of a file that has none
QUOTE_LETTER = "\ud801"  # stands for a quote that is a letter; no file holds it
_MAGIC = (
    (re.compile(rb"\x1f\x8b"), "a gzip archive", "unpack it first"),
    (re.compile(rb"PK(\x03\x04|\x05\x06|\x07\x08)"), "an Excel workbook or a zip archive",
     "save the sheet as CSV, or unpack the archive"),
    (re.compile(rb"\xfd7zXZ\x00"), "an xz archive", "unpack it first"),
    (re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"), "a bzip2 archive", "unpack it first"),
    (re.compile(rb"\x28\xb5\x2f\xfd"), "a zstd archive", "unpack it first"),
    (re.compile(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "an old Excel workbook or Office file",
     "save the sheet as .xlsx or CSV"),
    (re.compile(rb"PAR1.*[\x00-\x08]", re.DOTALL), "a parquet file", "write the table as CSV"),
    (re.compile(rb"%PDF-"), "a PDF", "copy the table into a spreadsheet and save it as CSV"),
    (re.compile(rb"\x89PNG\r\n\x1a\n|\xff\xd8\xff|GIF8[79]a|II\*\x00|MM\x00\*|RIFF....WEBP",
                re.DOTALL), "an image", "type the table into a spreadsheet and save it as CSV"),
)  # fmt: skip
# Windows-1252 differs from latin-1 in these bytes; those that it leaves undefined stay.
_CP1252 = {b: bytes([b]).decode("cp1252", "ignore") or chr(b) for b in range(0x80, 0xA0)}
_SEP = re.compile(r'"?sep=([^\w\s"]|\t)"?\s*', re.IGNORECASE)
_QUOTED_NAMES = re.compile(r'"[^"\r\n]*"(?: "[^"\r\n]*")*(?:\r\n|\r|\n)')  # R's write.table


class NoTextError(DataError):
    """Error: the bytes are binary, of no kind of file that is recognized."""


def decode(content: bytes, encoding: str = "") -> tuple[str, list[Note]]:
    """The text of a file, and notes on what was guessed of its encoding; '' leaves it to a guess.

    Raises DataError for archives, workbooks, images and other binary content, and where the bytes
    are not of the encoding.
    """
    _refuse(content)
    if encoding:
        return _decoded_as(content, encoding), []
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return _utf16(content, "utf-16"), []
    if b"\0" in content:
        order = _byte_order(content)
        note = Note("file", f"no byte order mark, read as {order.upper()}")
        return _utf16(content, order), [note]
    try:
        return content.decode("utf-8").lstrip("\ufeff"), []
    except UnicodeDecodeError as error:
        content = content.removeprefix(codecs.BOM_UTF8)
        encoding = guess_encoding(content[max(0, error.start - SAMPLE_CHARS) :][:SAMPLE_BYTES])
    try:
        text = content.decode(encoding) if encoding else ""
    except UnicodeDecodeError:
        text = ""
    if not text:
        text, encoding = content.decode("latin-1").translate(_CP1252), "cp1252"
    return text, [Note("file", f"not UTF-8, read as {ENCODINGS[encoding]}")]


SAMPLE_BYTES = 1_000_000
"""Bytes around the first letter that is not ASCII, from which the encoding is guessed."""
MAX_WORDS_COMPARED = 1_000
"""Distinct words from which the encoding is guessed."""
ENCODINGS = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "cp866": "DOS, Cyrillic (866)",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "gb18030": "GB 18030",
    "big5": "Big5",
    "cp932": "Shift JIS",
    "euc_jp": "EUC-JP",
    "cp949": "EUC-KR",
}
"""Names of the encodings that a user may choose, by their names in Python."""
_OTHER_SCRIPTS = (
    "cp1251", "koi8_r", "cp866", "cp1253", "gb18030", "big5", "cp932", "euc_jp", "cp949",
)  # fmt: skip
"""Encodings whose words have hardly a letter of ASCII."""
MAX_CHAOS = 0.3
"""Largest measure of mess, as of charset-normalizer, of words that are read in an encoding."""
_WORD = re.compile(rb"[@-~\x80-\xff]{1,60}")
_HIGH_RUN = re.compile(rb"[\x80-\xff]+")
_LATIN_WORD = re.compile(rb"[A-Za-z\x80-\xff]{2,60}")
# Letters of Windows-1250 that are signs in Windows-1252, beside a letter of ASCII
_CENTRAL_EUROPEAN = re.compile(rb"[A-Za-z][\xa5\xb9\xb3\xa3\xbf\xbe\xbc]|[\xa3\xa5\xaf][a-z]")


def guess_encoding(sample: bytes) -> str:
    """The encoding of bytes that are not UTF-8, by the name of Python; '' for none that is clear.

    >>> guess_encoding("имя;город;Иван;Москва;Ольга;Казань".encode("cp1251"))
    'cp1251'
    """
    words = [word for word in dict.fromkeys(_WORD.findall(sample)) if not word.isascii()]
    words = words[:MAX_WORDS_COMPARED]
    n_high = sum(sum(byte > 127 for byte in word) for word in words)
    runs = {run for word in words for run in _HIGH_RUN.findall(word) if len(run) > 1}
    is_dense = n_high >= 0.6 * sum(map(len, words))  # hardly a letter of ASCII beside the others
    if is_dense and (len(runs) > 1 or any(len(run) > 2 for run in runs)):
        return _best_encoding(b" ".join(words), _OTHER_SCRIPTS)
    latin = [word for word in dict.fromkeys(_LATIN_WORD.findall(sample)) if not word.isascii()]
    n_central = sum(_CENTRAL_EUROPEAN.search(word) is not None for word in latin)
    if 10 * n_central >= len(latin) > 0:
        return "cp1250"
    text = b" ".join(latin[:MAX_WORDS_COMPARED])
    languages = ("Czech", "Slovak", "Polish", "Hungarian", "Croatian", "Slovene", "Romanian")
    best = _matches(text, ("cp1250", "cp1252"))
    is_central = best and best[0].encoding == "cp1250" and best[0].language in languages
    return "cp1250" if is_central and best[0].coherence >= MIN_COHERENCE else ""


MIN_COHERENCE = 0.3
"""Smallest share of a language's letters, as of charset-normalizer, that tells the language."""


def _best_encoding(words: bytes, encodings: Sequence[str]) -> str:
    """The encoding in which words are the least messy; '' if they are a mess in all."""
    matches = [match for match in _matches(words, encodings) if match.chaos <= MAX_CHAOS]
    # of equal ones, the first in the list is the most frequent
    best = min(
        matches,
        key=lambda match: (match.chaos, -match.coherence, encodings.index(match.encoding)),
        default=None,
    )
    return best.encoding if best else ""


def _matches(words: bytes, encodings: Sequence[str]) -> list[Any]:
    from charset_normalizer import from_bytes  # takes a while to import, and few files need it

    return [*from_bytes(words, cp_isolation=[*encodings], threshold=MAX_CHAOS)]


def _decoded_as(content: bytes, encoding: str) -> str:
    """The text of a file in an encoding that a user chose; raises DataError."""
    try:
        text = content.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError as error:
        raise DataError(
            f"byte {error.start:,} is no letter of {encoding}: choose another encoding", "encoding"
        ) from None
    if "\0" in text:
        raise _binary_error()
    return text


def _refuse(content: bytes) -> None:
    for magic, kind, remedy in _MAGIC:
        if magic.match(content):
            raise DataError(f"this is {kind}, which is not read as a table: {remedy}")


def _utf16(content: bytes, encoding: str) -> str:
    try:
        text = content.decode(encoding).lstrip("\ufeff")
    except UnicodeDecodeError:
        raise _binary_error() from None
    if "\0" in text:
        raise _binary_error()
    return text


def _byte_order(content: bytes) -> str:
    """UTF-16 LE or BE, by the positions of the zero bytes of its ASCII characters."""
    even, odd = content[0::2].count(0), content[1::2].count(0)
    if max(even, odd) < len(content) / 20 or min(even, odd) > max(even, odd) / 10:
        raise _binary_error()
    return "utf-16-le" if odd > even else "utf-16-be"


def _binary_error() -> NoTextError:
    return NoTextError("this is binary, not text; save the table as CSV (UTF-8)")


def declared_delimiter(line: str) -> str | None:
    """The delimiter that a first line such as `sep=;` sets for Excel."""
    match = _SEP.fullmatch(line)
    return match[1] if match else None


def detect_delimiter(text: str) -> str:
    """The delimiter that best cuts the first lines into rows of equal length and sensible cells."""
    start = text.lstrip("\r\n")
    lines = list(io.StringIO(start[:SAMPLE_CHARS], newline=""))
    if len(start) > SAMPLE_CHARS and len(lines) > 1:
        lines.pop()
    if _QUOTED_NAMES.match(start) and len(next(csv.reader(lines[1:2], delimiter=" "), [])) > 1:
        return " "
    return max((*DELIMITERS, ONE_COLUMN), key=lambda delimiter: _fitness(lines, delimiter))


def _fitness(lines: Sequence[str], delimiter: str) -> float:
    """Score of a delimiter, 0 to 1: rows of equal length, a fitting header, sensible cells."""
    records = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    rows = [row for row in records if len(row) > 1 or "".join(row).strip()]
    if not rows:
        return 0.0
    widths = Counter(len(row) for row in rows)
    width = max(widths, key=widths.__getitem__)  # of a tie, the one met first
    width = width if width > 1 else len(rows[0])  # the header's, where most rows have one cell
    if width == 1 and delimiter != ONE_COLUMN:
        return 0.0
    share = widths[width] / len(rows)
    header_fitness = 0.75 if len(rows[0]) != width else 1.0
    if delimiter == ONE_COLUMN and any(other in rows[0][0] for other in DELIMITERS):
        header_fitness = 0.25
    cells_fitness = [_cell_fitness(cell.strip(), delimiter) for row in rows for cell in row]
    return share * header_fitness * sum(cells_fitness) / len(cells_fitness)


def _cell_fitness(cell: str, delimiter: str) -> float:
    """Score of a cell, 0 to 1: lowest where another delimiter would cut it."""
    if cell.lower() in MISSING_WORDS or is_number_cell(cell):
        return 1.0
    return 0.1 if any(other in cell for other in DELIMITERS if other != delimiter) else 0.9
