"""Tables that somebody gave: their recipe names the file, its fingerprint, columns and task.

Glossary
    fingerprint   what tells one file from another in a link, which cannot carry it
    files         the tables given so far, by their place, each with the reader's notes
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dtviz.table.data import DataError, Dataset, Note, Recipe, Task, Value, recipe
from dtviz.table.held import from_frame

NAME = "file"
Files = Mapping[str, tuple[pd.DataFrame, tuple[Note, ...]]]


def fingerprint(content: bytes) -> str:
    """What tells one file from another in a link."""
    return hashlib.sha256(content).hexdigest()[:16]


class FileNeededError(DataError):
    """A recipe speaks of a file that has to be given again; `recipe` says which."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        super().__init__(f"the link needs the file {recipe.get('file', 'it was made with')}")


def place(fingerprint: str, header: bool = True) -> str:
    """Where a table is among the files: read with or without a header it is not the same."""
    return fingerprint if header else f"{fingerprint} without header"


def place_of(recipe: Recipe) -> str:
    """Where the table of a recipe is among the files."""
    return place(str(recipe.get("sha")), recipe.get("header") is not False)


def recipe_of(
    fingerprint: str,
    file: str,
    target: str,
    features: tuple[str, ...] | None,
    task: Task,
    header: bool = True,
) -> Recipe:
    """The recipe of a table; `features=None` means every one that is fit."""
    more: dict[str, Value] = {} if header else {"header": False}
    return recipe(
        NAME, sha=fingerprint, file=file, target=target, features=features, task=task, **more
    )


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
    return recipe_of(sha, file, target, names, task, header)


def build(wanted: Recipe, files: Files) -> Dataset:
    """The dataset of a complete recipe; raises DataError, FileNeededError for a file not given."""
    params: dict[str, Any] = dict(wanted.params)
    if place_of(wanted) not in files:
        raise FileNeededError(wanted)
    frame, notes = files[place_of(wanted)]
    return from_frame(frame, params["target"], params["features"], params["task"], notes)
