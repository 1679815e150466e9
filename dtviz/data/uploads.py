"""Uploaded tables and their recipes; saved screens, which hold files.

A link cannot carry a file, so a recipe names it with its fingerprint, columns and task. The place
of a table is its key among the files: the fingerprint, and the options by which the file is read.
"""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from dtviz.base.lazy import pd
from dtviz.base.progress import Slices
from dtviz.base.text import quoted
from dtviz.data.columns import group_rare, parse_types, types_text, with_type_notes
from dtviz.data.dataset import (
    MAX_PARAMETER_CHARS,
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    Task,
    make_recipe,
)
from dtviz.data.notes import Note
from dtviz.data.open_table import ALL_ROWS_NEEDED, TableOpener
from dtviz.data.read_options import DEFAULT, ReadOptions
from dtviz.data.train_test import from_frame, notes_with_role
from dtviz.data.weights import (
    checked_cost_params,
    checked_weight_params,
    parse_costs,
    weight_arguments,
)

RECIPE_NAME = "file"
BYTES_OF_TEXT = 60  # of a usual text in memory
UploadedTables = Mapping[str, tuple["pd.DataFrame", tuple[Note, ...]]]
"""Frame and notes of each table, by place."""
SERVED_TABLES: dict[str, tuple[pd.DataFrame, tuple[Note, ...]]] = {}
"""Tables that every tab of this server has without an upload, by place."""
SERVED_FILES: dict[str, bytes] = {}
"""Files of SERVED_TABLES, by fingerprint."""


SERVED_SOURCES: dict[str, TableOpener] = {}
"""Tables of SERVED_TABLES that stay in their engine, by place; their frames are samples."""
NEED_ALL_ROWS = ("role", "test", "rare", "types", "costs", "class_weight", "priors")
"""Parameters of a recipe, and options of a command, that a table in its engine does not have."""


def fingerprint(content: bytes) -> str:
    """A hash of 16 hexadecimal digits that identifies a file in a link."""
    return hashlib.sha256(content).hexdigest()[:16]


class FileNeededError(DataError):
    """Error: files of a recipe are not among the tables, and have to be uploaded."""

    def __init__(self, recipe: Recipe, tables: UploadedTables) -> None:
        keys = zip(places_of(recipe), ("file", "test_file"), strict=False)
        names = [str(recipe.get(key)) for place, key in keys if place not in tables]
        self.recipe, self.names = recipe, names
        super().__init__(f"the link needs {' and '.join(f'the file {name}' for name in names)}")


def estimated_bytes(table: tuple[pd.DataFrame, tuple[Note, ...]]) -> int:
    """Estimate the bytes of a table in memory: its arrays, and BYTES_OF_TEXT for each text cell."""
    frame, _ = table
    n_text_columns = len([dtype for dtype in frame.dtypes if dtype.kind == "O"])
    return int(frame.memory_usage().sum()) + BYTES_OF_TEXT * n_text_columns * len(frame)


def table_place(fingerprint: str, options: ReadOptions = DEFAULT) -> str:
    """Key of a table among all: a file that is read with other options makes another table."""
    return f"{fingerprint} {options.place_text()}".rstrip()


def fingerprint_of(place: str) -> str:
    """The fingerprint of the file of a place."""
    return place.partition(" ")[0]


def fingerprints_of(recipe: Recipe) -> tuple[str, ...]:
    """The fingerprints of the files of a recipe: training rows, then test rows, if any."""
    marks = (recipe.get("sha"), recipe.get("test"))
    return tuple(str(mark) for mark in marks if mark is not None)


def places_of(recipe: Recipe) -> tuple[str, ...]:
    """The places of the tables of a recipe: training rows, then test rows, if any."""
    options = read_options_of(recipe)
    return tuple(table_place(mark, options) for mark in fingerprints_of(recipe))


def read_options_of(recipe: Recipe) -> ReadOptions:
    """The options by which the files of a recipe are read; raises DataError."""
    return ReadOptions.of_recipe(recipe, parse_types(recipe.get("types")))


def upload_recipe(
    fingerprint: str,
    file: str,
    target: str,
    features: tuple[str, ...] | None,
    task: Task,
    options: ReadOptions = DEFAULT,
    role: str | None = None,
    test: tuple[str, str] | None = None,
    rare: int | None = None,
    without: tuple[str, ...] = (),
) -> Recipe:
    """The recipe of an uploaded table.

    `options` are those by which the file is read. `features=None` takes all usable columns except
    `without`. `role` is the column of roles. `test`
    is the fingerprint and the name of the file of test rows. Categories with fewer than `rare` rows
    become one.
    """
    params = options.params()
    if options.types:
        params["types"] = types_text(dict(options.types))
    if role is not None:
        params["role"] = role
    if test is not None:
        params |= {"test": test[0], "test_file": test[1]}
    if rare is not None:
        params["rare"] = rare
    if without and features is None:
        params["without"] = without
    return make_recipe(
        RECIPE_NAME,
        sha=fingerprint,
        file=file,
        target=target,
        features=features,
        task=task,
        **params,
    )


def with_params(recipe: Recipe, **params: ParameterValue) -> Recipe:
    """The recipe with parameters added or replaced."""
    return make_recipe(recipe.name, **{**dict(recipe.params), **params})


def complete(recipe: Recipe) -> Recipe:
    """The recipe as `upload_recipe` writes it, checked; raises DataError when it names no file."""
    texts = [recipe.get(key) for key in ("sha", "file", "target")]
    if not all(isinstance(text, str | int | float) for text in texts):
        raise DataError("the link does not say which file it needs; an example is shown instead")
    sha, file, target = map(str, texts)
    features = recipe.get("features")
    task: Task = "regression" if recipe.get("task") == "regression" else "classification"
    names = features if isinstance(features, tuple) else None
    role, test_mark, test_file = (recipe.get(key) for key in ("role", "test", "test_file"))
    role = str(role) if isinstance(role, str | int | float) else None
    test = None
    if isinstance(test_mark, str | int | float) and isinstance(test_file, str | int | float):
        test = str(test_mark), str(test_file)
    rare_text = str(recipe.get("rare"))
    rare = int(rare_text) if re.fullmatch("[2-9]|[1-9][0-9]{1,6}", rare_text) else None
    without = recipe.get("without")
    without = without if isinstance(without, tuple) else ()
    options = read_options_of(recipe)
    completed = upload_recipe(sha, file, target, names, task, options, role, test, rare, without)
    params: dict[str, ParameterValue] = {}
    ensemble = recipe.get("tree_of")  # name of the ensemble whose tree `dtviz.explore` opened
    if isinstance(ensemble, str) and ensemble:
        params["tree_of"] = ensemble
    return with_params(
        completed, **checked_weight_params(recipe), **checked_cost_params(recipe), **params
    )


def build(recipe: Recipe, tables: UploadedTables) -> Dataset:
    """The dataset of a complete recipe; raises DataError, FileNeededError if a table is absent."""
    params: dict[str, Any] = dict(recipe.params)
    places = places_of(recipe)
    if not {*places} <= {*tables}:
        raise FileNeededError(recipe, tables)
    (frame, notes), *others = [tables[place] for place in places]
    if places[0] in SERVED_SOURCES:
        return _build_from_source(SERVED_SOURCES[places[0]], frame, params)
    frame = frame.drop(columns=list(params.get("without", ())), errors="ignore")
    test, test_notes = others[0] if others else (None, ())
    types = parse_types(params.get("types"))
    log = with_type_notes((*notes, *notes_with_role("test", test_notes)), types)
    columns = (params["target"], params["features"], params["task"])
    role = params.get("role")
    options = {
        "types": types,
        "costs": parse_costs(params.get("costs")),
        **weight_arguments(params),
    }
    data = from_frame(frame, *columns, log, role=role, test=test, **options)
    return group_rare(data, params["rare"]) if "rare" in params else data


def _build_from_source(
    opener: TableOpener, frame: pd.DataFrame, params: Mapping[str, Any]
) -> Dataset:
    """The dataset of a table in its engine; `frame` is a sample of it. Raises DataError."""
    for name in NEED_ALL_ROWS:
        if params.get(name) is not None:
            raise DataError(ALL_ROWS_NEEDED.format(option=f"`{name}`"), name)
    features, without = params["features"], params.get("without", ())
    weight = params.get("sample_weight")
    if features is None and without:
        left_out = {*without, params["target"], weight}
        features = tuple(name for name in frame.columns if name not in left_out)
    return opener(params["target"], features, params["task"], weight)


# --- saved screens --------------------------------------------------------------------------------

SCREEN_VERSION = 1
SAVED_SUFFIX = ".dtviz.json"
SAVED_KEYS = ("dtviz", "page", "address", "files")
MAX_FILES = 2
MAX_FIELDS = 500
"""Maximum number of fields of an address."""
MAX_FIELD_CHARS = 2 * MAX_PARAMETER_CHARS
"""Maximum number of characters of the name or the text of a field."""
MAX_CHARS_OUTSIDE_TEXTS = 50_000
"""Maximum characters of JSON outside its texts; what `write_screen` writes has far fewer."""
SAVED_START = re.compile(rb'(\xef\xbb\xbf)?\s*\{\s*"dtviz"\s*:')
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SavedScreen:
    """A page with its address and the files that the address needs."""

    page: str
    """Name of the page in its address."""
    address: Mapping[str, str]
    """Query of the address: text by field."""
    files: Mapping[str, bytes]
    """Contents of the uploaded files, by fingerprint."""


class SavedScreenError(DataError):
    """Error: a file is no table but a saved screen."""

    def __init__(self, saved: SavedScreen) -> None:
        self.saved = saved
        super().__init__("this is a saved screen, no table: open it on the page Data, under Upload")


def write_screen(saved: SavedScreen) -> bytes:
    """The file of a saved screen."""
    files = {mark: _file_field(content) for mark, content in saved.files.items()}
    address = dict(saved.address)
    record = {"dtviz": SCREEN_VERSION, "page": saved.page, "address": address, "files": files}
    return (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode()


def estimated_screen_bytes(size: int) -> int:
    """Estimate the maximum bytes of a saved screen whose files have `size` bytes together."""
    return 2 * MAX_FIELD_CHARS + 4 * size // 3


def read_screen(content: bytes) -> SavedScreen:
    """Parse a file that `write_screen` wrote; raises DataError."""
    record = _parse_json(content)
    version = record.get("dtviz")
    if type(version) is not int or not 1 <= version < 10**6:
        raise _screen_error("`dtviz` must be its version, a whole number from 1 on")
    if version > SCREEN_VERSION:
        raise DataError(
            f"this screen was saved by a newer dtviz, as version {version:,}; this one reads "
            f"version {SCREEN_VERSION}: install a newer one, or open the screen's link"
        )
    if {*record} != {*SAVED_KEYS}:
        odd = sorted({*record} ^ {*SAVED_KEYS})
        raise _screen_error(
            f"it must hold {', '.join(SAVED_KEYS)}, and nothing else; {quoted(odd[0])} differs"
        )
    page, address = record["page"], _checked_address(record["address"])
    if not isinstance(page, str) or not re.fullmatch("[a-z]{1,20}", page):
        raise _screen_error("`page` must be the name of a page")
    files = record["files"]
    if not isinstance(files, dict) or len(files) > MAX_FILES:
        raise _screen_error(f"`files` must be at most {MAX_FILES} files")
    return SavedScreen(
        page, address, {mark: _file_content(mark, value) for mark, value in files.items()}
    )


def refuse_screen(
    content: bytes, max_bytes: int, options: ReadOptions, notes: list[Note]
) -> Slices[pd.DataFrame]:
    """Reader of saved screens: raises SavedScreenError, or another DataError for a broken one."""
    yield 0
    raise SavedScreenError(read_screen(content))


def _screen_error(problem: str) -> DataError:
    return DataError(f"this is no screen that dtviz saved: {problem}; save it again, under Share")


def _parse_json(content: bytes) -> JsonObject:
    """The JSON object in a file; raises DataError."""
    # The texts are counted first, so that a hostile file cannot make very many objects.
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _screen_error("it is no text in UTF-8") from None
    n_outside, n_texts = len(text), 0
    for match in _TEXT.finditer(text):
        n_outside, n_texts = n_outside - len(match[0]), n_texts + 1
        if n_texts > 3 * MAX_FIELDS:
            raise _screen_error(f"it holds more than {3 * MAX_FIELDS:,} texts")
    if n_outside > MAX_CHARS_OUTSIDE_TEXTS:
        raise _screen_error(
            f"more than {MAX_CHARS_OUTSIDE_TEXTS:,} characters of it are in no text"
        )
    try:
        record = json.loads(text, object_pairs_hook=_unique_names, parse_constant=_refuse_constant)
    except DataError:
        raise
    except (ValueError, RecursionError) as error:  # ValueError also for a number of too many digits
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "too deep, or too large"
        raise _screen_error(f"it is no JSON ({reason})") from None
    if not isinstance(record, dict):
        raise _screen_error("it must be an object")
    return record


def _unique_names(pairs: list[tuple[str, Any]]) -> JsonObject:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise _screen_error("a name comes twice in an object")
    return record


def _refuse_constant(word: str) -> NoReturn:
    """Refuse NaN or Infinity, which Python reads though JSON does not have it."""
    raise _screen_error(f"{word} is no number of JSON")


def _checked_address(address: object) -> dict[str, str]:
    if not isinstance(address, dict) or len(address) > MAX_FIELDS:
        raise _screen_error(
            f"`address` must be at most {MAX_FIELDS} fields, each a name and a text"
        )
    for name, text in address.items():
        if not isinstance(text, str) or max(len(name), len(text)) > MAX_FIELD_CHARS:
            raise _screen_error(
                f"the field {quoted(name)} must be a text of at most {MAX_FIELD_CHARS:,} letters"
            )
        if not _is_writable(name + text):
            raise _screen_error(f"the field {quoted(name)} holds what is no letter")
    return address


def _file_field(content: bytes) -> dict[str, str]:
    """A file as a field of text or of base64, whichever is shorter."""
    encoded = {"base64": b64encode(content).decode()}
    try:
        plain = {"text": content.decode()}
    except UnicodeDecodeError:
        return encoded
    return min(plain, encoded, key=lambda part: len(json.dumps(part, ensure_ascii=False).encode()))


def _file_content(mark: str, value: object) -> bytes:
    """The content of a file field, whose fingerprint must be `mark`; raises DataError."""
    match value:
        case {"text": str(text), **others} if not others and _is_writable(text):
            content = text.encode()
        case {"base64": str(text), **others} if not others:
            content = _decode_base64(text)
        case _:
            raise _screen_error(f"the file {quoted(mark)} must be a text, or base64")
    if fingerprint(content) != mark:
        raise _screen_error(f"the file {quoted(mark)} was changed: its fingerprint is another")
    return content


def _decode_base64(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except ValueError:
        raise _screen_error("a file is no base64") from None


def _is_writable(text: str) -> bool:
    """True if a text can be written as UTF-8; the escapes of JSON can make lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
