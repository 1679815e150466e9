"""Files packed by gzip or zip: what is in them, never more than is allowed.

Glossary
    most     how many bytes may come out
    member   one file of a zip archive
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import PurePosixPath
from typing import IO

from dtviz.slices import Slices
from dtviz.table.budget import MAX_MEMBERS, need_room
from dtviz.table.data import DataError
from dtviz.text import count, quoted

PIECE = 1 << 20  # bytes that are unpacked at once
GZIP, ZIP = b"\x1f\x8b", b"PK\x03\x04"
_PART = GZIP + b"\x08"
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python unpacks others in unbounded pieces
_MEMBER = b"PK\x01\x02"
_WORKBOOK = "xl/workbook.xml"
_OFFICE = {"[Content_Types].xml", "mimetype"}


def unpack(content: bytes, most: int) -> Slices[bytes]:
    """The one file inside; a file that is not packed, or is a workbook, comes back as it is.

    Raises DataError for an archive that is damaged, locked, or holds more than one table or more
    than `most` bytes.
    """
    if content.startswith(GZIP):
        if content.count(_PART) > MAX_MEMBERS:
            raise DataError(f"the archive has more than {MAX_MEMBERS:,} parts; pack it again")
        with _damage_said(), gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return (yield from _plain(file, most))
    if not content.startswith(ZIP):
        return content
    with _damage_said(), _opened(content) as archive:
        names = set(archive.namelist())
        if _WORKBOOK in names:
            return content
        if names & _OFFICE:
            raise DataError("this is an Office file, but no .xlsx workbook: save the table as one")
        member = _only_table(archive.infolist())
        need_room(member.file_size, most)
        with archive.open(member) as file:
            return (yield from _plain(file, most))


def check_members(content: bytes, most: int) -> Slices[None]:
    """Raises DataError where the members of an archive unpack to more than `most` bytes.

    Each is unpacked and counted: the size that a member declares need not be its own.
    """
    with _damage_said(), _opened(content) as archive:
        need_room(sum(member.file_size for member in archive.infolist()), most)
        for member in archive.infolist():
            with archive.open(member) as file:
                while file.read(PIECE):  # no more than it declares, and an error where there is
                    yield 0


def _plain(file: IO[bytes] | gzip.GzipFile, most: int) -> Slices[bytes]:
    """All that comes out of an archive, piece by piece; raises DataError beyond `most` bytes."""
    plain = io.BytesIO()
    while piece := file.read(PIECE):
        plain.write(piece)
        need_room(plain.tell(), most)
        yield min(plain.tell() / most, 1)
    return plain.getvalue()


def _opened(content: bytes) -> zipfile.ZipFile:
    if content.count(_MEMBER) > MAX_MEMBERS:
        raise DataError(f"the archive holds more than {MAX_MEMBERS:,} files; pack the table alone")
    archive = zipfile.ZipFile(io.BytesIO(content))
    if any(member.compress_type not in _METHODS for member in archive.infolist()):
        raise DataError("the archive is packed by a rare method; pack it by the usual one, Deflate")
    return archive


def _only_table(members: Sequence[zipfile.ZipInfo]) -> zipfile.ZipInfo:
    """The one member that a person put there."""
    tables = [one for one in members if not one.is_dir() and not _is_hidden(one.filename)]
    if len(tables) != 1:
        names = ", ".join(quoted(one.filename) for one in tables[:5])
        held = f"{count(len(tables), 'file')} ({names})" if tables else "none"
        raise DataError(f"a zip archive must hold one table; not {held}: pack the table alone")
    if tables[0].flag_bits & 1:
        raise DataError("the archive is locked by a password; pack the table without one")
    return tables[0]


def _is_hidden(name: str) -> bool:
    """Whether the name is one that a computer adds: .DS_Store, __MACOSX/._a.csv."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or path.parts[:1] == ("__MACOSX",)


@contextmanager
def _damage_said() -> Iterator[None]:
    try:
        yield
    except DataError:
        raise
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, RuntimeError) as error:
        reason = str(error) or "it ends too early"
        raise DataError(f"the archive cannot be unpacked ({reason}); pack it again") from None
