r"""A screen as one file: the fields of its address, and the tables that no address carries.

    {"dtviz": 1, "page": "grow",
     "address": {"data": "file", "sha": "06dfe5f0ba4e0e4f", "log": "a3"},
     "files": {"06dfe5f0ba4e0e4f": {"text": "x,y\n1,u\n"}}}

Bytes that are no short text stand as {"base64": ...}, each file under its fingerprint. What is read
is data, never run; what is not as above raises DataError. What the fields mean is the address's to
say: any text is read there.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import pandas as pd

from dtviz.slices import Slices
from dtviz.table.data import DataError
from dtviz.table.notes import Note
from dtviz.table.uploads import fingerprint
from dtviz.table.values import MOST_TEXT
from dtviz.text import quoted

VERSION = 1
ENDING = ".dtviz.json"
PARTS = ("dtviz", "page", "address", "files")
MOST_FILES = 2
MOST_FIELDS = 500
LONGEST = 2 * MOST_TEXT
"""Characters of a field."""
MOST_BETWEEN = 50_000
"""Characters that are in no text: what stands between the texts of a screen is a few of these."""
START = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"dtviz"\s*:')
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
Named = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Saved:
    """A screen that was saved: its page, its address, and its files by their fingerprints."""

    page: str
    address: Mapping[str, str]
    files: Mapping[str, bytes]


class SavedError(DataError):
    """This is no table, it is the screen `saved`."""

    def __init__(self, saved: Saved) -> None:
        self.saved = saved
        super().__init__("this is a saved screen, no table: open it on the page Data, under Upload")


def write(saved: Saved) -> bytes:
    """The screen as a file."""
    files = {mark: _held(content) for mark, content in saved.files.items()}
    address = dict(saved.address)
    whole = {"dtviz": VERSION, "page": saved.page, "address": address, "files": files}
    return (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode()


def room_for(size: int) -> int:
    """The most bytes that a saved screen is likely to have whose files have so many together."""
    return 2 * LONGEST + 4 * size // 3


def read(content: bytes) -> Saved:
    """The screen of a file that `write` wrote; raises DataError."""
    whole = _parsed(content)
    version = whole.get("dtviz")
    if type(version) is not int or not 1 <= version < 10**6:
        raise _fault("`dtviz` must be its version, a whole number from 1 on")
    if version > VERSION:
        raise DataError(
            f"this screen was saved by a newer dtviz, as version {version:,}; this one reads "
            f"version {VERSION}: install a newer one, or open the screen's link"
        )
    if {*whole} != {*PARTS}:
        odd = sorted({*whole} ^ {*PARTS})
        raise _fault(f"it must hold {', '.join(PARTS)}, and nothing else; {quoted(odd[0])} differs")
    page, address = whole["page"], _fields(whole["address"])
    if not isinstance(page, str) or not re.fullmatch("[a-z]{1,20}", page):
        raise _fault("`page` must be the name of a page")
    files = whole["files"]
    if not isinstance(files, dict) or len(files) > MOST_FILES:
        raise _fault(f"`files` must be at most {MOST_FILES} files")
    return Saved(page, address, {mark: _content(mark, held) for mark, held in files.items()})


def refused(content: bytes, most: int, notes: list[Note]) -> Slices[pd.DataFrame]:
    """No frame: raises SavedError, or DataError where it is no whole screen either."""
    yield 0
    raise SavedError(read(content))


def _fault(what: str) -> DataError:
    return DataError(f"this is no screen that dtviz saved: {what}; save it again, under Share")


def _parsed(content: bytes) -> Named:
    """The object in a file; looked through first, so that what is made of it is bounded."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _fault("it is no text in UTF-8") from None
    between, many = len(text), 0
    for found in _TEXT.finditer(text):
        between, many = between - len(found[0]), many + 1
        if many > 3 * MOST_FIELDS:
            raise _fault(f"it holds more than {3 * MOST_FIELDS:,} texts")
    if between > MOST_BETWEEN:
        raise _fault(f"more than {MOST_BETWEEN:,} characters of it are in no text")
    try:
        whole = json.loads(text, object_pairs_hook=_once, parse_constant=_no_number)
    except DataError:
        raise
    except (ValueError, RecursionError) as error:  # a number of too many digits, too
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep, or too large"
        raise _fault(f"it is no JSON ({reason})") from None
    if not isinstance(whole, dict):
        raise _fault("it must be an object")
    return whole


def _once(pairs: list[tuple[str, Any]]) -> Named:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _fault("a name comes twice in an object")
    return made


def _no_number(word: str) -> NoReturn:
    raise _fault(f"{word} is no number of JSON")


def _fields(address: object) -> dict[str, str]:
    if not isinstance(address, dict) or len(address) > MOST_FIELDS:
        raise _fault(f"`address` must be at most {MOST_FIELDS} fields, each a name and a text")
    for name, text in address.items():
        if not isinstance(text, str) or max(len(name), len(text)) > LONGEST:
            raise _fault(f"the field {quoted(name)} must be a text of at most {LONGEST:,} letters")
        if not _is_whole(name + text):
            raise _fault(f"the field {quoted(name)} holds what is no letter")
    return address


def _held(content: bytes) -> dict[str, str]:
    """A file as a text where that is the shorter."""
    packed = {"base64": b64encode(content).decode()}
    try:
        plain = {"text": content.decode()}
    except UnicodeDecodeError:
        return packed
    return min(plain, packed, key=lambda one: len(json.dumps(one, ensure_ascii=False).encode()))


def _content(mark: str, held: object) -> bytes:
    match held:
        case {"text": str(text), **others} if not others and _is_whole(text):
            content = text.encode()
        case {"base64": str(text), **others} if not others:
            content = _unpacked(text)
        case _:
            raise _fault(f"the file {quoted(mark)} must be a text, or base64")
    if fingerprint(content) != mark:
        raise _fault(f"the file {quoted(mark)} was changed: its fingerprint is another")
    return content


def _unpacked(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise _fault("a file is no base64") from None


def _is_whole(text: str) -> bool:
    """Whether it can be written: JSON can name halves of letters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
