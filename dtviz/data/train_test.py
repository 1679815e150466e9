"""Rows that judge a tree and never grow it: those a column names, or those of a second table.

Glossary
    role         what a row is for: training, validation or test
    training     the rows a tree is grown on; they alone decide what features, levels and types are
    validation   rows to choose a tree by
    test         rows that choose nothing: the honest figure at the end
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dtviz.base.text import quoted, several
from dtviz.data.categories import UNSEEN, codes_of, taken
from dtviz.data.columns import Types, as_alike, as_types
from dtviz.data.dataset import (
    DataError,
    Dataset,
    Task,
    dataset,
    encoded,
    is_number,
    line_of,
    measured_as,
    named,
    need_column,
    of_frame,
)
from dtviz.data.frames import AnyFrame
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, kind_of
from dtviz.data.weights import ClassWeight, Costs, longer, weigh_classes, with_costs

Role = Literal["training", "validation", "test"]
ROLES: dict[str, Role] = {
    **dict.fromkeys(("train", "training"), "training"),
    **dict.fromkeys(("valid", "validation", "validate", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "holdout"), "test"),
}
"""What the words of a column mean, small and without blanks around."""


def from_frame(
    frame: AnyFrame,
    target: str,
    features: Sequence[str] | None = None,
    task: Task | None = None,
    notes: Iterable[Note] = (),
    sample_weight: str | ArrayLike | None = None,
    class_weight: ClassWeight = None,
    priors: Mapping[Any, float] | None = None,
    role: str | None = None,
    test: AnyFrame | None = None,
    types: Types | None = None,
    costs: Costs = None,
) -> Dataset:
    """The Dataset of a frame: of pandas, polars, or any library that speaks Arrow.

    `features=None` takes every column of numbers, dates or durations but the target (text too
    where nine of ten cells are such), and as categories booleans, and text of at most 200 distinct
    values that is no key; so is any text that is named. `task=None`
    infers: text, booleans, or whole numbers with at most 20 distinct values mean classification,
    any other number regression. Rows with no value in the target are left out, each with a note; in
    a feature NaN stands for none, and for infinite values. Columns that would fool a tree are
    noted, and stay.
    `sample_weight` names the column that says what each row counts for, then no feature, or is an
    array of shape (n,); a row of weight 0 is left out. `class_weight` multiplies the weights of a
    class's rows by its number, 1 if it has none; 'balanced' by n / (K n_k), as in scikit-learn.
    `priors` multiply them so that the classes' shares of the weight are these, as in rpart.
    `costs` say what it costs to call a row of one class another, {'a': {'b': 5}}, 1 where they do
    not: rpart's `loss`. The weights are then times the mean cost of a class's mistakes, each leaf
    predicts what costs least, and errors are costs.
    `types` says by column what it is, where it was read as something else: number, category, date,
    day-first or month-first. `role` names the column that says which rows are for training,
    validation or test; `test` is another frame, of test rows. Raises DataError when a column is
    unknown or unusable, or rows held out do not suit the others.
    """
    if types is not None:
        frame = as_types(named(frame), types)
        test = None if test is None else as_alike(named(test), types)
    if role is None:
        grown = of_frame(frame, target, features, task, notes, sample_weight)
        tables: dict[Role, tuple[pd.DataFrame, Any]] = {}
    else:
        if role == target:
            raise DataError(f"{quoted(role)} is the target; it cannot say what a row is for too")
        tables = _parted(named(frame), role, sample_weight)
        rows, weight = tables.pop("training")
        grown = of_frame(rows, target, features, task, notes, weight)
        grown = replace(grown, notes=(*grown.notes, _told(role, len(rows), tables)))
    if test is not None:
        if "test" in tables:
            raise DataError(f"`test` must be None: {quoted(str(role))} has test rows already")
        by_name = sample_weight if isinstance(sample_weight, str) else None
        tables["test"] = named(test), by_name
    weighted = with_costs(weigh_classes(grown, class_weight, priors), costs)
    for purpose, (table, weight) in tables.items():
        held = _weighed_as(grown, weighted, _held(grown, table, weight, purpose))
        own: dict[str, Any] = {purpose: replace(held, notes=())}
        weighted = replace(weighted, **own, notes=(*weighted.notes, *of_rows(purpose, held.notes)))
    return weighted


def of_rows(purpose: Role, notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes with the rows that they speak of."""
    return tuple(replace(note, text=f"{purpose} rows: {note.text}") for note in notes)


def purpose_of(data: Dataset) -> Role | None:
    """What the rows are for by which a tree is chosen: validation, or test where there are none."""
    if data.validation is not None:
        return "validation"
    return None if data.test is None else "test"


def together(data: Dataset, held: Dataset) -> Dataset:
    """The rows of both, those held out last, with the classes and levels of these."""
    weights = None
    if data.weights is not None or held.weights is not None:
        weights = np.concatenate([_weights(data), _weights(held)])
    columns = np.concatenate([data.columns, held.columns], axis=1)
    y = np.concatenate([data.y, held.y])
    both = dataset(
        columns,
        y,
        data.features,
        data.target,
        held.classes,
        data.notes,
        weights,
        held.levels,
        data.quantities,
    )
    return replace(both, costs=held.costs, balance=held.balance)


def roles_in(series: pd.Series[Any]) -> set[Role | None]:
    """What the rows of a column are for; None is among them where a value says no such thing."""
    return {_role_of(value) for value in series.unique()}


def _role_of(value: Any) -> Role | None:
    return ROLES.get(str(value).strip().lower())


def _parted(frame: pd.DataFrame, role: str, weight: Any) -> dict[Role, tuple[pd.DataFrame, Any]]:
    """The rows for each purpose, with what says their weights."""
    need_column(frame, role, "role")
    purposes = frame[role].map(_role_of, na_action=None).to_numpy(dtype=object)
    odd = np.flatnonzero(pd.isna(purposes))
    if len(odd):
        raise DataError(
            f"{quoted(role)} must say train, validation or test in every row; not "
            f"{quoted(str(frame[role].iloc[odd[0]]))} (line {line_of(frame, int(odd[0]))})"
        )
    if "training" not in purposes:
        raise DataError(f"no row of {quoted(role)} says train; a tree needs rows to grow on")
    lines = np.asarray(frame.attrs.get("lines", range(1, len(frame) + 1)))
    by_row = None if isinstance(weight, str | None) else np.asarray(weight)
    tables: dict[Role, tuple[pd.DataFrame, Any]] = {}
    for purpose in dict.fromkeys(ROLES.values()):
        rows = np.flatnonzero(purposes == purpose)
        if len(rows):
            part = frame.drop(columns=role).iloc[rows]
            part.attrs["lines"] = lines[rows]
            tables[purpose] = part, weight if by_row is None else by_row[rows]
    return tables


def _told(role: str, training: int, others: Mapping[Role, tuple[pd.DataFrame, Any]]) -> Note:
    parts = [f"{training:,} for training"]
    parts += [f"{len(table):,} for {purpose}" for purpose, (table, _) in others.items()]
    return Note("column", f"says what a row is for: {', '.join(parts)}", None, role)


def _held(data: Dataset, table: pd.DataFrame, weight: Any, purpose: Role) -> Dataset:
    """The rows of a table as the data reads them; raises DataError where they do not suit it."""
    lacking = [name for name in (*data.features, data.target) if name not in table.columns]
    if lacking:
        raise DataError(f"the {purpose} rows have no column {several(lacking)}; they need it")
    alike = table.copy(deep=False)
    try:
        for name, category, quantity in zip(
            data.features, data.levels, data.quantities, strict=True
        ):
            if category:
                alike[name] = table[name].astype(object)
            elif quantity != PLAIN and not is_number(table[name]):
                column = encoded(table[name], (), quantity)
                alike[name] = kind_of(quantity).decode(column, quantity).set_axis(table.index)
        found = of_frame(alike, data.target, data.features, data.task, (), weight)
    except DataError as error:
        raise DataError(f"the {purpose} rows: {error}") from None
    pairs = [*zip(data.features, data.levels, found.levels, strict=True)]
    if odd := [name for name, own, other in pairs if other and not own]:
        raise DataError(
            f"the {purpose} rows have text in {several(odd)}, the training rows numbers"
        )
    notes = [note for note in found.notes if note.kind != "suspect"]
    try:
        columns = [measured_as(found, at, one) for at, one in enumerate(data.quantities)]
    except DataError as error:
        raise DataError(f"the {purpose} rows: {error}") from None
    levels = list(data.levels)
    for at, (name, own, other) in enumerate(pairs):
        if own:
            values = pd.Series([*other], dtype=object)
            new = values[codes_of(values, own) == UNSEEN].tolist()
            levels[at] = _longer(own, new, name, notes)
            columns[at] = taken(codes_of(values, levels[at]), found.columns[at])
    classes, y = data.classes, found.y
    if classes:
        new = [label for label in found.classes if label not in classes]
        if len(new) == len(found.classes):
            raise DataError(
                f"the {purpose} rows have no class of the training rows: {several(new)}"
            )
        classes = _longer(classes, new, data.target, notes)
        y = np.array([classes.index(label) for label in found.classes])[found.y]
    about = (data.features, data.target, classes, notes, found.weights)
    return dataset(columns, y, *about, tuple(levels), data.quantities)


def _longer(own: tuple[Any, ...], new: list[Any], name: str, notes: list[Note]) -> tuple[Any, ...]:
    """The values of a column, and after them those that no training row has, which a note tells."""
    if new:
        notes.append(Note("column", f"{several(new)} in no training row", None, name))
    return (*own, *new)


def _weighed_as(data: Dataset, weighted: Dataset, held: Dataset) -> Dataset:
    """The rows held out, times what the rows of a class weigh in the training rows; their costs."""
    if not data.classes or weighted.weights is None:
        return held
    first = np.unique(data.y, return_index=True)[1]
    each = np.ones(len(held.classes))
    each[: len(first)] = weighted.weights[first] / _weights(data)[first]
    costs = None if weighted.costs is None else longer(weighted.costs, len(each))
    balance = None
    if weighted.balance is not None:
        new = np.ones(len(each) - len(weighted.balance))
        balance = np.concatenate([weighted.balance, new])
    weights = _weights(held) * each[held.y]
    return replace(held, weights=weights, costs=costs, balance=balance)


def _weights(data: Dataset) -> NDArray[np.float64]:
    return np.ones(data.n) if data.weights is None else data.weights
