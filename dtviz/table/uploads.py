"""Tables that somebody gave: their recipe names the file, its fingerprint, columns and task.

Glossary
    fingerprint   what tells one file from another in a link, which cannot carry it
    files         the tables given so far, by their place, each with the reader's notes
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dtviz.table.costs import costing, costs_in
from dtviz.table.data import DataError, Dataset, Recipe, Task, Value, recipe
from dtviz.table.held import from_frame, of_rows
from dtviz.table.notes import Note
from dtviz.table.rare import group_rare
from dtviz.table.retype import of_types, types_in, written
from dtviz.table.weights import weighed, weighing

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
