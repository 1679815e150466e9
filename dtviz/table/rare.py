"""Values of categories that few rows have, put together: alone they tell a tree next to nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from dtviz.table.data import DataError, Dataset
from dtviz.table.levels import Level, Rest, codes_of, taken
from dtviz.table.notes import Note
from dtviz.text import count, quoted, shown

FEW = 5
"""A value that fewer rows have is rare, where nothing else is asked for."""
OTHER = "other"
SHOWN = 5


def rare_values(data: Dataset, least: int = FEW) -> dict[str, tuple[Level, ...]]:
    """The values of each category of text that fewer rows have, where there are two at least."""
    found: dict[str, tuple[Level, ...]] = {}
    for name, levels, column in zip(data.features, data.levels, data.columns, strict=True):
        if levels and isinstance(levels[0], str):
            codes = column[column >= 0].astype(np.intp)
            few = np.flatnonzero(np.bincount(codes, minlength=len(levels)) < least)
            some = tuple(levels[code] for code in few if not isinstance(levels[code], Rest))
            if len(some) > 1:
                found[name] = some
    return found


def group_rare(data: Dataset, least: int = FEW) -> Dataset:
    """The data with the values of each category of text that fewer rows have as one, 'other'.

    Values that were never seen count as 'other' too, there. Categories with fewer than two such
    values stay as they are; a note tells of each that changes. Raises DataError.
    """
    if not isinstance(data, Dataset):
        raise DataError(f"`data` must be a Dataset; not {shown(data)}")
    if type(least) is not int or least < 2:
        raise DataError(f"`rare` must be a whole number, at least 2; not {shown(least)}", "rare")
    rare = rare_values(data, least)
    new = {
        at: _grouped(data.levels[at], rare[name])
        for at, name in enumerate(data.features)
        if name in rare
    }
    notes = [Note("column", _told(some, least), None, name) for name, some in rare.items()]
    held: dict[str, Any] = {
        role: _recoded(part, new)
        for role, part in (("validation", data.validation), ("test", data.test))
        if part is not None
    }
    return replace(_recoded(data, new), notes=(*data.notes, *notes), **held)


def _told(some: Sequence[Level], least: int) -> str:
    names = ", ".join(quoted(str(value)) for value in some[:SHOWN])
    more = ", ..." if len(some) > SHOWN else ""
    values = count(len(some), "value")
    return f"{values} that fewer than {least} rows have are put together as 'other': {names}{more}"


def _grouped(levels: tuple[Level, ...], rare: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels that are left, and the name of all others."""
    kept = tuple(level for level in levels if level not in rare)
    names = (OTHER if not k else f"{OTHER} ({k + 1})" for k in range(len(levels) + 1))
    return (*kept, Rest(next(name for name in names if name not in kept)))


def _recoded(data: Dataset, new: Mapping[int, tuple[Level, ...]]) -> Dataset:
    """The data with other levels of some features; a value that is none of them is the rest."""
    columns, levels = data.columns.copy(), list(data.levels)
    for at, kept in new.items():
        codes = codes_of(pd.Series([*levels[at]], dtype=object), kept)
        columns[at], levels[at] = taken(codes, columns[at]), kept
    return replace(data, columns=columns, levels=tuple(levels))
