"""Tables that somebody gave: their recipe names the file, its fingerprint, columns and task.

Glossary
    fingerprint   what tells one file from another in a link, which cannot carry it
    files         the tables given so far, by fingerprint, each with the reader's notes
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pandas as pd

from dtviz.table.data import DataError, Dataset, Note, Recipe, Task, from_frame, recipe

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


def recipe_of(
    fingerprint: str, file: str, target: str, features: tuple[str, ...] | None, task: Task
) -> Recipe:
    """The recipe of a table; `features=None` means every numeric column."""
    return recipe(NAME, sha=fingerprint, file=file, target=target, features=features, task=task)


def complete(wanted: Recipe) -> Recipe:
    """The recipe as `recipe_of` writes it; raises DataError when it names no file."""
    texts = [wanted.get(key) for key in ("sha", "file", "target")]
    if not all(isinstance(text, str | int | float) for text in texts):
        raise DataError("the link does not say which file it needs; an example is shown instead")
    sha, file, target = map(str, texts)
    features = wanted.get("features")
    task: Task = "regression" if wanted.get("task") == "regression" else "classification"
    return recipe_of(sha, file, target, features if isinstance(features, tuple) else None, task)


def build(wanted: Recipe, files: Files) -> Dataset:
    """The dataset of a complete recipe; raises DataError, FileNeededError for a file not given."""
    params: dict[str, Any] = dict(wanted.params)
    if params["sha"] not in files:
        raise FileNeededError(wanted)
    frame, notes = files[params["sha"]]
    return from_frame(frame, params["target"], params["features"], params["task"], notes)
