"""A table with the predictions of a tree or an ensemble for each row, and its csv text.

A cell that a spreadsheet would run as a formula (`=1+1`, `@x`; no number) is written with a quote
before it, so that the spreadsheet shows it: the person who opens a file may not trust its author.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dtviz.base.text import cell, quoted_names
from dtviz.data.categories import UNSEEN_CODE, codes_of
from dtviz.data.csv import free_name
from dtviz.data.dataset import Dataset, checked_frame, encode_feature, first_lines
from dtviz.data.frames import AnyFrame
from dtviz.data.notes import Note, note_of
from dtviz.data.worker import MAX_CELLS
from dtviz.models.model import NO_NUMBERS, Model, check_features

LARGEST_EXACT_INT = 2**53
MAX_GAP_PATTERNS = 8
"""Sets of missing features that have a note each; more sets share one note."""


class Predictor(Protocol):
    """A tree or an ensemble."""

    @property
    def data(self) -> Dataset:
        """Training rows."""

    @property
    def may_lack(self) -> tuple[bool, ...]:
        """True for each feature that a row may have no value of."""

    def predict(self, frame: AnyFrame, /) -> NDArray[Any]:
        """Prediction of each row, (n,)."""

    def predict_proba(self, frame: AnyFrame, /) -> NDArray[np.float64]:
        """Class shares of each row, (n, K)."""


def add_predictions(model: Predictor, frame: AnyFrame) -> pd.DataFrame:
    """The table with columns for the prediction, the leaf of a tree and the share of each class.

    A row without a value that the tree needs has None in these columns. The shares are left out
    where the table would have more than MAX_CELLS cells. Raises DataError where the table does not
    suit the tree.
    """
    table = checked_frame(frame)
    is_predicted = np.logical_not(_missing_mask(model, table).any(axis=0))
    rows = table[is_predicted]
    columns = {f"predicted {model.data.target}": model.predict(rows)}
    if isinstance(model, Model):
        columns["leaf"] = model.apply(rows)
    if model.data.classes and _fits_limit(model, table):
        shares = model.predict_proba(rows).T
        names = (f"share of {name}" for name in map(str, model.data.classes))
        columns |= dict(zip(names, shares, strict=True))
    result = table.copy(deep=False)
    for name, values in columns.items():
        result[free_name(name, {*map(str, result.columns)})] = _at_rows(values, is_predicted)
    return result


def prediction_notes(model: Predictor, frame: AnyFrame) -> tuple[Note, ...]:
    """Notes on rows without a prediction, values of no training row, and columns left out."""
    table = checked_frame(frame)
    missing = _missing_mask(model, table)
    notes = [*_unseen_notes(model, table), *_gap_notes(model, table, missing)]
    if model.data.classes and not _fits_limit(model, table):
        text = f"the shares of the classes are left out: at most {MAX_CELLS:,} cells"
        notes.append(Note("file", text))
    return tuple(notes)


def _gap_notes(model: Predictor, table: pd.DataFrame, missing: NDArray[np.bool_]) -> Iterator[Note]:
    """A note for each set of features that rows have no value of; one note where there are many."""
    features = model.data.features
    rows = np.flatnonzero(missing.any(axis=0))
    _, first, pattern_of_row = np.unique(
        np.packbits(missing[:, rows], axis=0), axis=1, return_index=True, return_inverse=True
    )
    patterns = np.argsort(first) if len(first) <= MAX_GAP_PATTERNS else ()
    for pattern in patterns:
        row_ids = rows[pattern_of_row.ravel() == pattern]
        names = [features[index] for index in np.flatnonzero(missing[:, row_ids[0]]).tolist()]
        yield _note_of_gaps(quoted_names(names), table, row_ids)
    if len(first) > MAX_GAP_PATTERNS:
        names = [features[index] for index in np.flatnonzero(missing.any(axis=1)).tolist()]
        yield _note_of_gaps(f"at least one of {quoted_names(names)}", table, rows)


def _note_of_gaps(names: str, table: pd.DataFrame, rows: NDArray[np.intp]) -> Note:
    text = f"not predicted, no value in {names}"
    return note_of("row", text, first_lines(table, rows), n=len(rows))


def csv(frame: pd.DataFrame) -> str:
    """The csv text of a table: whole numbers without decimals, no text for a missing value.

    No cell of it is run by a spreadsheet.
    """
    table = pd.DataFrame({name: _csv_column(frame[name]) for name in frame}, index=frame.index)
    is_unnamed = isinstance(frame.index, pd.RangeIndex)
    table.columns = table.columns.map(_harmless)
    if not is_unnamed:
        table.index = table.index.map(_harmless)
    text: str = table.to_csv(index=not is_unnamed, lineterminator="\n")
    return text


def _missing_mask(model: Predictor, table: pd.DataFrame) -> NDArray[np.bool_]:
    """True where a value is missing that the tree needs, (M, n).

    Raises DataError where a column has another type than its feature.
    """
    data = model.data
    check_features(data.features, table.columns)
    kinds = zip(data.features, data.levels, data.quantities, strict=True)
    columns = [
        encode_feature(table[name], levels, quantity, NO_NUMBERS)
        for name, levels, quantity in kinds
    ]
    return np.asarray(np.isnan(columns) & ~np.array(model.may_lack)[:, None])


def _fits_limit(model: Predictor, table: pd.DataFrame) -> bool:
    width = len(table.columns) + 2 + len(model.data.classes)
    return width * len(table) <= MAX_CELLS


def _unseen_notes(model: Predictor, table: pd.DataFrame) -> Iterator[Note]:
    for name, levels in zip(model.data.features, model.data.levels, strict=True):
        if levels:
            values = pd.Series(table[name].dropna().unique(), dtype=object)
            new = values[codes_of(values, levels) == UNSEEN_CODE].map(str).tolist()
            if new:
                text = f"{quoted_names(sorted(new))} in no training row: goes with most rows"
                yield Note("column", text, None, name)


def _at_rows(values: NDArray[Any], mask: NDArray[np.bool_]) -> NDArray[Any]:
    """The values at the rows of a mask, None at the others."""
    if mask.all():
        return values
    column = np.full(len(mask), None, dtype=object)
    column[mask] = values
    return column


def _harmless(value: Any) -> Any:
    return cell(value) if isinstance(value, str) else value


def _is_text(column: pd.Series[Any]) -> bool:
    return pd.api.types.is_object_dtype(column) or pd.api.types.is_string_dtype(column)


def _csv_column(column: pd.Series[Any]) -> pd.Series[Any]:
    """The column as csv has it: integers where all numbers are whole, texts made harmless."""
    if not pd.api.types.is_float_dtype(column):
        if not (isinstance(column.dtype, pd.CategoricalDtype) or _is_text(column)):
            return column
        return pd.Series([*map(_harmless, column)], column.index, dtype=object)
    values = column.to_numpy(dtype=np.float64, na_value=np.nan)
    present = values[~np.isnan(values)]
    is_exact = len(present) and (np.abs(present) <= LARGEST_EXACT_INT).all()
    return column.astype("Int64") if is_exact and (present % 1 == 0).all() else column
