"""Tables that somebody gave: their recipe names the file, its fingerprint, columns and task.

Glossary
    fingerprint   what tells one file from another in a link, which cannot carry it
    files         the tables given so far, by their place, each with the reader's notes
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import pandas as pd

from dtviz.base.progress import Slices
from dtviz.base.text import quoted
from dtviz.data.columns import group_rare, of_types, types_in, written
from dtviz.data.dataset import MOST_TEXT, DataError, Dataset, Recipe, Task, Value, recipe
from dtviz.data.notes import Note
from dtviz.data.train_test import from_frame, of_rows
from dtviz.data.weights import costing, costs_in, weighed, weighing

NAME = "file"
TEXT = 60  # bytes
BARE = " without header"
Files = Mapping[str, tuple[pd.DataFrame, tuple[Note, ...]]]
SERVED: dict[str, tuple[pd.DataFrame, tuple[Note, ...]]] = {}
"""The tables that every tab of this server has without giving them."""
SERVED_FILES: dict[str, bytes] = {}
"""Their files, by their fingerprints."""


def fingerprint(content: bytes) -> str:
    """What tells one file from another in a link."""
    return hashlib.sha256(content).hexdigest()[:16]


class FileNeededError(DataError):
    """The `recipe` speaks of files, by these names, that have to be given again."""

    def __init__(self, recipe: Recipe, given: Files) -> None:
        named = zip(places_of(recipe), ("file", "test_file"), strict=False)
        names = [str(recipe.get(name)) for place, name in named if place not in given]
        self.recipe, self.names = recipe, names
        super().__init__(f"the link needs {' and '.join(f'the file {name}' for name in names)}")


def size_of(table: tuple[pd.DataFrame, tuple[Note, ...]]) -> int:
    """About how many bytes a table takes: those of its arrays, and of a text as much as usual."""
    frame, _ = table
    texts = [kind for kind in frame.dtypes if kind.kind == "O"]
    return int(frame.memory_usage().sum()) + TEXT * len(texts) * len(frame)


def place(fingerprint: str, header: bool = True) -> str:
    """Where a table is among the files: read with or without a header it is not the same."""
    return fingerprint if header else f"{fingerprint}{BARE}"


def mark_at(place: str) -> str:
    """The fingerprint of the file whose table is at a place."""
    return place.removesuffix(BARE)


def marks_of(recipe: Recipe) -> tuple[str, ...]:
    """The fingerprints of the files of a recipe: of the rows to grow on, then of the test rows."""
    marks = (recipe.get("sha"), recipe.get("test"))
    return tuple(str(mark) for mark in marks if mark is not None)


def places_of(recipe: Recipe) -> tuple[str, ...]:
    """Where their tables are among the files."""
    header = recipe.get("header") is not False
    return tuple(place(mark, header) for mark in marks_of(recipe))


def recipe_of(
    fingerprint: str,
    file: str,
    target: str,
    features: tuple[str, ...] | None,
    task: Task,
    header: bool = True,
    role: str | None = None,
    test: tuple[str, str] | None = None,
    rare: int | None = None,
    without: tuple[str, ...] = (),
) -> Recipe:
    """The recipe of a table; `features=None` means every one that is fit, but those `without`.

    `role` is the column that says what a row is for, `test` the fingerprint and the name of the
    file of test rows. Values of a category that fewer rows have than `rare` are put together.
    """
    more: dict[str, Value] = {} if header else {"header": False}
    if role is not None:
        more["role"] = role
    if test is not None:
        more |= {"test": test[0], "test_file": test[1]}
    if rare is not None:
        more["rare"] = rare
    if without and features is None:
        more["without"] = without
    return recipe(
        NAME, sha=fingerprint, file=file, target=target, features=features, task=task, **more
    )


def also(wanted: Recipe, **params: Value) -> Recipe:
    """The recipe with these parameters too."""
    return recipe(wanted.name, **{**dict(wanted.params), **params})


def complete(wanted: Recipe) -> Recipe:
    """The recipe as `recipe_of` writes it; raises DataError when it names no file."""
    texts = [wanted.get(key) for key in ("sha", "file", "target")]
    if not all(isinstance(text, str | int | float) for text in texts):
        raise DataError("the link does not say which file it needs; an example is shown instead")
    sha, file, target = map(str, texts)
    features = wanted.get("features")
    task: Task = "regression" if wanted.get("task") == "regression" else "classification"
    header = str(wanted.get("header")) != str(False)
    names = features if isinstance(features, tuple) else None
    role, test, other = (wanted.get(key) for key in ("role", "test", "test_file"))
    by = str(role) if isinstance(role, str | int | float) else None
    second = None
    if isinstance(test, str | int | float) and isinstance(other, str | int | float):
        second = str(test), str(other)
    few = str(wanted.get("rare"))
    rare = int(few) if re.fullmatch("[2-9]|[1-9][0-9]{1,6}", few) else None
    less = wanted.get("without")
    without = less if isinstance(less, tuple) else ()
    whole = recipe_of(sha, file, target, names, task, header, by, second, rare, without)
    types = types_in(wanted.get("types"))
    said: dict[str, Value] = {} if types is None else {"types": written(types)}
    ensemble = wanted.get("tree_of")
    if isinstance(ensemble, str) and ensemble:
        said["tree_of"] = ensemble
    return also(whole, **weighing(wanted), **costing(wanted), **said)


def build(wanted: Recipe, files: Files) -> Dataset:
    """The dataset of a complete recipe; raises DataError, FileNeededError for a file not given."""
    params: dict[str, Any] = dict(wanted.params)
    places = places_of(wanted)
    if not {*places} <= {*files}:
        raise FileNeededError(wanted, files)
    (frame, notes), *others = [files[place] for place in places]
    frame = frame.drop(columns=list(params.get("without", ())), errors="ignore")
    test, more = others[0] if others else (None, ())
    types = types_in(params.get("types"))
    log = of_types((*notes, *of_rows("test", more)), types)
    about = (params["target"], params["features"], params["task"], log)
    role = params.get("role")
    said = {"types": types, "costs": costs_in(params.get("costs")), **weighed(params)}
    data = from_frame(frame, *about, role=role, test=test, **said)
    return group_rare(data, params["rare"]) if "rare" in params else data


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
