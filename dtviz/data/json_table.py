"""Tables in JSON: records, columns or lists, at the top or under a name.

`find_table` looks for the shape; a table that stands under a name is chosen by that name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dtviz.base.text import count, quoted, quoted_names
from dtviz.data.dataset import DataError
from dtviz.data.notes import Note

MAX_DEPTH = 5
"""Depth of the names under which tables are looked for."""
MAX_NAMES_VISITED = 2_000
"""Names that are visited in the search for tables."""
KEY_NAME = "key"
"""Name of the column of the names of records."""
SHAPES = (
    'a list of records ([{"x": 1}, ...]), at the top or under a name, one record a line, columns '
    'by name ({"x": [1, 2]}), or a list of rows ([["x"], [1], ...])'
)
"""Shapes that are read, in words."""


@dataclass(frozen=True, slots=True)
class JsonTable:
    """A table found in JSON: its records or its columns."""

    records: Sequence[Any] = ()
    """The records; empty where the columns are given."""
    columns: Mapping[str, list[Any]] = field(default_factory=dict)
    """Lists of equal length by name; empty where the records are given."""


def whole_value(text: str) -> Any:
    """The value of a text that is one value of JSON; None for records on a line each.

    Raises DataError for a name that comes twice, or a text that is neither.
    """
    start = len(text) - len(text.lstrip())
    if "\n" in text[start:].strip() and text[start] == "{":
        try:
            _, end = json.JSONDecoder(object_pairs_hook=unique_record).raw_decode(text, start)
        except json.JSONDecodeError:
            return None
        if text[end:].strip():
            return None
    elif text[start] == "{":
        return parse_json(text, "line 1")
    return parse_json(text, "the list" if text[start] == "[" else "the file")


def parse_json(text: str, noun: str) -> Any:
    """The value of a text of JSON; raises DataError with `noun` as the words for the text."""
    try:
        return json.loads(text, object_pairs_hook=unique_record)
    except json.JSONDecodeError as error:
        raise DataError(f"{noun} is no JSON ({error.msg}); each line must be one object") from None


def unique_record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of these pairs; raises DataError for a name that comes twice."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise DataError("a name comes twice in an object; give each value its own name")
    return record


def find_table(value: Any, part: str, notes: list[Note]) -> JsonTable:
    """The table in a value of JSON, under the name `part` if it is not ''.

    Appends to `notes`. Raises DataError for a shape that is not read, or an unknown name.
    """
    if part:
        tables = dict(tables_by_name(value))
        if part not in tables:
            listed = f"; it has {quoted_names([*tables])}" if tables else ""
            raise DataError(f"the JSON has no table under the name {quoted(part)}{listed}", "part")
        value = tables[part]
    table = _table_of(value, notes)
    if table is not None:
        return table
    if isinstance(value, dict):
        tables = dict(tables_by_name(value))
        if len(tables) == 1:
            name, only = next(iter(tables.items()))
            notes.append(Note("file", f"the records stand under the name {quoted(name)}"))
            if (table := _table_of(only, notes)) is not None:
                return table
        if tables:
            raise DataError(
                f"the JSON has {count(len(tables), 'table')} ({quoted_names([*tables])}): choose "
                "one by its name",
                "part",
            )
        if value and not any(isinstance(cell, list | dict) for cell in value.values()):
            return JsonTable([value])  # one record
    raise DataError(f"this JSON is no table: read are {SHAPES}")


def tables_by_name(value: Any) -> Iterator[tuple[str, Any]]:
    """The tables in an object, by name; a name in another has a point before it: `a.b`."""
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    n_visited = 0
    while waiting and n_visited < MAX_NAMES_VISITED:
        path, node, depth = waiting.pop(0)
        n_visited += 1
        if path and (_is_records(node) or _is_rows(node) or _is_columns(node)):
            yield path, node
        elif isinstance(node, dict) and depth < MAX_DEPTH:
            room = MAX_NAMES_VISITED - n_visited - len(waiting)
            waiting += [
                (f"{path}.{name}" if path else name, node[name], depth + 1)
                for name in [*node][: max(0, room)]
            ]


def _is_records(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _is_rows(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) > 1
        and all(isinstance(item, list) and item for item in value)
    )


def _is_columns(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    columns: list[Any] = [*value.values()]
    if not all(isinstance(cells, list) and len(cells) == len(columns[0]) for cells in columns):
        return False
    cells = [cell for cells in columns for cell in cells]
    return bool(cells) and not any(isinstance(cell, list | dict) for cell in cells)


def _table_of(value: Any, notes: list[Note]) -> JsonTable | None:
    """The table that a value is; None if it is none."""
    if isinstance(value, list):
        if _is_rows(value):
            return _rows_table(value, notes)
        return JsonTable(value) if value else None
    if not isinstance(value, dict):
        return None
    for shape in (_geo_json, _pandas_split, _pandas_table, _by_column, _by_index):
        table = shape(value, notes)
        if table is not None:
            return table
    return None


def _rows_table(rows: Sequence[list[Any]], notes: list[Note]) -> JsonTable:
    """The table of rows, which are lists: the first holds the names if it is all text."""
    first, width = rows[0], max(map(len, rows))
    others = [cell for row in rows[1:] for cell in row]
    has_names = all(isinstance(cell, str) for cell in first) and not (
        all(isinstance(cell, str) for cell in others) and {*first} <= {*others}
    )
    names = [*map(str, first)] if has_names else []
    body = rows[1:] if has_names else rows
    if not has_names:
        text = "no line of names: columns are named by position"
        notes.append(Note("file", text))
    names += [f"column {k + 1}" for k in range(len(names), width)]
    return JsonTable(columns=_columns(_distinct(names), body))


def _distinct(names: Sequence[str]) -> list[str]:
    """The names; one that comes twice gets a number."""
    distinct: dict[str, None] = {}
    for name in names:
        n = 2
        other = name
        while other in distinct:
            other, n = f"{name} ({n})", n + 1
        distinct[other] = None
    return [*distinct]


def _columns(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    return {
        name: [row[k] if k < len(row) else None for row in rows] for k, name in enumerate(names)
    }


def _geo_json(value: Mapping[str, Any], notes: list[Note]) -> JsonTable | None:
    """The properties of the features of GeoJSON."""
    features = value.get("features")
    if value.get("type") != "FeatureCollection" or not _is_records(features):
        return None
    notes.append(Note("file", "GeoJSON: the properties of its features; their shapes are left out"))
    return JsonTable([feature.get("properties") or {} for feature in features or ()])


def _pandas_split(value: Mapping[str, Any], notes: list[Note]) -> JsonTable | None:
    """The table that pandas writes with orient='split'."""
    names, rows = value.get("columns"), value.get("data")
    if not isinstance(names, list) or not _is_rows(rows) or not {*value} <= {
        "columns", "data", "index", "dtypes", "name",
    }:  # fmt: skip
        return None
    return JsonTable(columns=_columns(_distinct([*map(str, names)]), rows or ()))


def _pandas_table(value: Mapping[str, Any], notes: list[Note]) -> JsonTable | None:
    """The table that pandas writes with orient='table'."""
    if not isinstance(value.get("schema"), dict) or not _is_records(value.get("data")):
        return None
    return JsonTable(value["data"])


def _by_column(value: Mapping[str, Any], notes: list[Note]) -> JsonTable | None:
    """The table of columns by name: lists of one length, or cells by their row's number."""
    if _is_columns(value):
        return JsonTable(columns=dict(value))
    if _is_nested(value) and all(key.isdecimal() for cells in value.values() for key in cells):
        keys = dict.fromkeys(key for cells in value.values() for key in cells)
        return JsonTable(
            columns={name: [cells.get(key) for key in keys] for name, cells in value.items()}
        )
    return None


def _by_index(value: Mapping[str, Any], notes: list[Note]) -> JsonTable | None:
    """The table of records by name: {"ann": {"age": 3}, ...}."""
    if not _is_nested(value) or len(value) < 2:
        return None
    records = [*value.values()]
    if any(isinstance(cell, list | dict) for record in records for cell in record.values()):
        return None
    names = [{*record} for record in records]
    if not set.intersection(*names):  # not one name that all have: no records of one table
        return None
    if all(key.isdecimal() for key in value):
        return JsonTable(records)
    key_name = KEY_NAME if all(KEY_NAME not in record for record in records) else f"{KEY_NAME} (2)"
    notes.append(Note("file", f"the names of the records are the column {quoted(key_name)}"))
    return JsonTable([{key_name: key, **record} for key, record in value.items()])


def _is_nested(value: Mapping[str, Any]) -> bool:
    return bool(value) and all(isinstance(cells, dict) and cells for cells in value.values())
