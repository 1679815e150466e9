"""Another table with what a tree, or many, say of each row, to take away as text.

A cell that a spreadsheet would run (`=1+1`, `@x`; no number) is written with a quote before it, as
a spreadsheet writes what it shall show: whoever opens the file may not be the one who filled it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.text import cell, several
from dtviz.data.categories import UNSEEN, codes_of
from dtviz.data.csv import free_name
from dtviz.data.dataset import Dataset, encoded, first_lines, named
from dtviz.data.frames import AnyFrame
from dtviz.data.notes import Note, note_of
from dtviz.data.worker import MAX_CELLS
from dtviz.models.model import NO_NUMBERS, Model, need_all

LARGEST_WHOLE = 2**53
MOST_WAYS = 8  # in which rows lack values, told one by one


class Predictor(Protocol):
    """A tree, or many that predict together."""

    @property
    def data(self) -> Dataset:
        """What it grew on."""

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """Of which features a row may lack the value."""

    def predict(self, frame: AnyFrame, /) -> NDArray[Any]:
        """What it predicts of each row."""

    def predict_proba(self, frame: AnyFrame, /) -> NDArray[np.float64]:
        """The shares of the classes."""


def scored(model: Predictor, frame: AnyFrame) -> pd.DataFrame:
    """The table with the prediction, a tree's leaf and each class's share in it, as columns.

    A row without a value that the tree needs has none of these. Of a table of more than MAX_CELLS
    the shares are left out. Raises DataError where the table does not suit the tree.
    """
    table = named(frame)
    there = np.logical_not(_gaps(model, table).any(axis=0))
    some = table[there]
    columns = {f"predicted {model.data.target}": model.predict(some)}
    if isinstance(model, Model):
        columns["leaf"] = model.apply(some)
    if model.data.classes and _has_room(model, table):
        shares = model.predict_proba(some).T
        names = (f"share of {name}" for name in map(str, model.data.classes))
        columns |= dict(zip(names, shares, strict=True))
    out = table.copy(deep=False)
    for name, values in columns.items():
        out[free_name(name, {*map(str, out.columns)})] = _spread(values, there)
    return out


def problems(model: Predictor, frame: AnyFrame) -> tuple[Note, ...]:
    """The rows that have no prediction, the values that no training row has, what is left out."""
    table = named(frame)
    gaps = _gaps(model, table)
    notes = [*_unseen(model, table), *_unpredicted(model, table, gaps)]
    if model.data.classes and not _has_room(model, table):
        text = f"the shares of the classes are left out: at most {MAX_CELLS:,} cells"
        notes.append(Note("file", text))
    return tuple(notes)


def _unpredicted(model: Predictor, table: pd.DataFrame, gaps: NDArray[np.bool_]) -> Iterator[Note]:
    """The rows that lack values, by which these are; all together where there are many ways."""
    features = model.data.features
    rows = np.flatnonzero(gaps.any(axis=0))
    _, first, of_row = np.unique(
        np.packbits(gaps[:, rows], axis=0), axis=1, return_index=True, return_inverse=True
    )
    ways = np.argsort(first) if len(first) <= MOST_WAYS else ()
    for way in ways:
        its = rows[of_row.ravel() == way]
        names = [features[at] for at in np.flatnonzero(gaps[:, its[0]]).tolist()]
        yield _note_of_gaps(several(names), table, its)
    if len(first) > MOST_WAYS:
        names = [features[at] for at in np.flatnonzero(gaps.any(axis=1)).tolist()]
        yield _note_of_gaps(f"at least one of {several(names)}", table, rows)


def _note_of_gaps(names: str, table: pd.DataFrame, rows: NDArray[np.intp]) -> Note:
    text = f"not predicted, no value in {names}"
    return note_of("row", text, first_lines(table, rows), n=len(rows))


def csv(frame: pd.DataFrame) -> str:
    """The text of a table: whole numbers without decimals, nothing for a gap, nothing to run."""
    table = pd.DataFrame({name: _plain(frame[name]) for name in frame}, index=frame.index)
    unnamed = isinstance(frame.index, pd.RangeIndex)
    table.columns = table.columns.map(_harmless)
    if not unnamed:
        table.index = table.index.map(_harmless)
    text: str = table.to_csv(index=not unnamed, lineterminator="\n")
    return text


def _gaps(model: Predictor, table: pd.DataFrame) -> NDArray[np.bool_]:
    """Where the tree lacks a value that it needs, (M, n); raises DataError for other types."""
    data = model.data
    need_all(data.features, table.columns)
    kinds = zip(data.features, data.levels, data.quantities, strict=True)
    columns = [encoded(table[name], own, quantity, NO_NUMBERS) for name, own, quantity in kinds]
    return np.asarray(np.isnan(columns) & ~np.array(model.may_lack)[:, None])


def _has_room(model: Predictor, table: pd.DataFrame) -> bool:
    width = len(table.columns) + 2 + len(model.data.classes)
    return width * len(table) <= MAX_CELLS


def _unseen(model: Predictor, table: pd.DataFrame) -> Iterator[Note]:
    for name, levels in zip(model.data.features, model.data.levels, strict=True):
        if levels:
            values = pd.Series(table[name].dropna().unique(), dtype=object)
            new = values[codes_of(values, levels) == UNSEEN].map(str).tolist()
            if new:
                text = f"{several(sorted(new))} in no training row: goes with most rows"
                yield Note("column", text, None, name)


def _spread(values: NDArray[Any], there: NDArray[np.bool_]) -> NDArray[Any]:
    """The values at the rows that have one, None at the others."""
    if there.all():
        return values
    out = np.full(len(there), None, dtype=object)
    out[there] = values
    return out


def _harmless(value: Any) -> Any:
    return cell(value) if isinstance(value, str) else value


def _is_text(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _plain(column: pd.Series[Any]) -> pd.Series[Any]:
    """The column; whole numbers as such where all are, nothing in it that would be run."""
    if not pd.api.types.is_float_dtype(column):
        if not (isinstance(column.dtype, pd.CategoricalDtype) or _is_text(column)):
            return column
        return pd.Series([*map(_harmless, column)], column.index, dtype=object)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    known = values[~np.isnan(values)]
    whole = len(known) and (np.abs(known) <= LARGEST_WHOLE).all() and (known % 1 == 0).all()
    return column.astype("Int64") if whole else column
