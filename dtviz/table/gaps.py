"""Rows that lack a value: what tables are made of them before a tree is grown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dtviz.table.data import DataError, Dataset, take
from dtviz.table.notes import Note
from dtviz.table.weights import rebalanced
from dtviz.text import count


def in_full(data: Dataset) -> Dataset:
    """The data without the rows that lack a value of any feature, those held out among them.

    A note says how many training rows those are. Raises DataError if none is left.
    """
    validation, test = (rows and _in_full(rows) for rows in (data.validation, data.test))
    if not any(data.gaps) and (validation, test) == (data.validation, data.test):
        return data
    some = _in_full(data)
    if some is None:
        raise DataError(
            f"0 of {data.n:,} rows have a value in every feature; choose features with fewer gaps, "
            "or let rows without one take a side"
        )
    found = rebalanced(some)
    validation, test = (rows and rebalanced(rows, found) for rows in (validation, test))
    lost = count(data.n - found.n, "row")
    notes = (*data.notes, Note("file", f"{lost} left out: no value in a feature"))
    return replace(found, notes=notes, validation=validation, test=test)


def _in_full(data: Dataset) -> Dataset | None:
    """The rows that lack nothing, if there are any."""
    whole = np.asarray(~np.isnan(data.columns).any(axis=0))
    if whole.all():
        return data
    return take(data, whole) if whole.any() else None


def with_own_level(data: Dataset) -> Dataset:
    """The data with one level more for the rows that lack a category's value.

    It stands behind those of the training rows, so that rows held out have the same one.
    """
    lacking = [bool(own) and gap for own, gap in zip(data.levels, data.gaps, strict=True)]
    if not any(lacking):
        return data
    many = [len(own) if lacks else None for own, lacks in zip(data.levels, lacking, strict=True)]
    held = (data.validation, data.test)
    validation, test = (rows and _with_level_at(rows, many) for rows in held)
    return replace(_with_level_at(data, many), validation=validation, test=test)


def _with_level_at(data: Dataset, places: list[int | None]) -> Dataset:
    """The data with such a level at these places of its features' levels."""
    columns, levels = data.columns.copy(), list(data.levels)
    for f, at in enumerate(places):
        if at is not None:
            codes = columns[f] + (columns[f] >= at)
            columns[f] = np.where(np.isnan(codes), at, codes)
            levels[f] = (*levels[f][:at], None, *levels[f][at:])
    return replace(data, columns=columns, levels=tuple(levels))
