"""Datasets from frames, with validation and test rows from a column of roles or a second table.

The training rows alone decide features, categories and types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dtviz.base.lazy import pd
from dtviz.base.text import quoted, quoted_names
from dtviz.data.categories import UNSEEN_CODE, codes_of, recode
from dtviz.data.columns import Types, as_types, as_types_of_test, likely_types
from dtviz.data.dataset import (
    DataError,
    Dataset,
    Task,
    checked_frame,
    convert_quantity,
    dataset_of_frame,
    encode_feature,
    is_numeric,
    line_of,
    make_dataset,
    need_column,
    safe_text,
)
from dtviz.data.frames import AnyFrame
from dtviz.data.notes import SUSPECT_KINDS, Note
from dtviz.data.units import PLAIN, kind_of
from dtviz.data.weights import (
    ClassWeight,
    MistakeCosts,
    extend_costs,
    with_class_weight,
    with_costs,
)

Role = Literal["training", "validation", "test"]
ROLES: dict[str, Role] = {
    **dict.fromkeys(("train", "training"), "training"),
    **dict.fromkeys(("valid", "validation", "validate", "val", "dev"), "validation"),
    **dict.fromkeys(("test", "holdout"), "test"),
}
"""Role by the text of a cell in the column of roles, lower case and stripped."""


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
    costs: MistakeCosts = None,
) -> Dataset:
    """Make the Dataset of a frame of pandas, polars, or any library that exports Arrow.

    Rows without a target are left out, with a note. In a feature, missing and infinite values
    become NaN. Suspect columns, which would fool a tree, are noted and stay.

    - `features`: names of columns; text among them becomes categories. None takes all columns of
      numbers, dates or durations (also as text, if nine of ten cells can be read) but the target,
      and as categories booleans and text of at most 200 distinct values that is no key.
    - `task`: None infers it. Text, booleans, and whole numbers with at most 20 distinct values mean
      classification, other numbers regression.
    - `sample_weight`: name of a column, which then is no feature, or an array, (n,). Rows of weight
      0 are left out.
    - `class_weight`: a factor of the weights by class, 1 for classes not named; 'balanced' is
      n / (K n_k) for a class of n_k rows, as in scikit-learn.
    - `priors`: shares of the classes in the total weight, as in rpart.
    - `costs`: cost of predicting b for a row of class a, {'a': {'b': 5}}, 1 for mistakes not named:
      rpart's `loss`. Weights are multiplied by the mean cost of the mistakes of a class, each leaf
      predicts the class of least cost, and errors are costs.
    - `types`: number, category, date, day-first or month-first, by column, to correct its type.
    - `role`: name of a column that says which rows are for training, validation or test.
    - `test`: another frame, of test rows.

    Raises DataError if a column is unknown or unusable, or held-out rows do not fit the others.
    """
    frame = as_types(checked_frame(frame), types)
    # An order that no cell shows is chosen here, for training and test rows alike.
    likely = likely_types({name: frame[name] for name in frame if name != safe_text(target)})
    kinds = {name: kind for name, (kind, _) in likely.items()}
    frame = as_types(frame, kinds)
    if test is not None:
        test = as_types_of_test(checked_frame(test), kinds | dict(types or {}))
    if likely:
        notes = [note for note in notes if note.kind != "column" or note.column not in likely]
        notes += [Note("column", remark, None, name) for name, (_, remark) in likely.items()]
    if role is None:
        training = dataset_of_frame(frame, target, features, task, notes, sample_weight)
        tables: dict[Role, tuple[pd.DataFrame, Any]] = {}
    else:
        if role == target:
            raise DataError(f"{quoted(role)} is the target; it cannot say what a row is for too")
        tables = _tables_by_role(checked_frame(frame), role, sample_weight)
        rows, weight = tables.pop("training")
        training = dataset_of_frame(rows, target, features, task, notes, weight)
        training = replace(training, notes=(*training.notes, _roles_note(role, len(rows), tables)))
    if test is not None:
        if "test" in tables:
            raise DataError(f"`test` must be None: {quoted(str(role))} has test rows already")
        weight_column = sample_weight if isinstance(sample_weight, str) else None
        tables["test"] = checked_frame(test), weight_column
    weighted = with_costs(with_class_weight(training, class_weight, priors), costs)
    for purpose, (table, weight) in tables.items():
        held_out = _held_out_dataset(training, table, weight, purpose)
        held_out = _with_training_weights(training, weighted, held_out)
        field: dict[str, Any] = {purpose: replace(held_out, notes=())}
        notes = (*weighted.notes, *notes_with_role(purpose, held_out.notes))
        weighted = replace(weighted, **field, notes=notes)
    return weighted


def notes_with_role(role: Role, notes: Iterable[Note]) -> tuple[Note, ...]:
    """The notes with the role of their rows in the text."""
    return tuple(replace(note, text=f"{role} rows: {note.text}") for note in notes)


def choosing_role(data: Dataset) -> Role | None:
    """Role of the rows that choose a tree: validation, else test; None without held-out rows."""
    if data.validation is not None:
        return "validation"
    return None if data.test is None else "test"


def join_rows(data: Dataset, held_out: Dataset) -> Dataset:
    """Training rows, then held-out rows, with the classes, categories and costs of the latter."""
    weights = None
    if data.weights is not None or held_out.weights is not None:
        weights = np.concatenate([_weights(data), _weights(held_out)])
    columns = np.concatenate([data.columns, held_out.columns], axis=1)
    y = np.concatenate([data.y, held_out.y])
    names = (data.features, data.target, held_out.classes, data.notes)
    joined = make_dataset(columns, y, *names, weights, held_out.levels, data.quantities)
    return replace(joined, costs=held_out.costs, balance=held_out.balance)


def roles_of(series: pd.Series[Any]) -> set[Role | None]:
    """Roles in a column; None is among them if a value is no role."""
    return {_role_of(value) for value in series.unique()}


def _role_of(value: Any) -> Role | None:
    return ROLES.get(str(value).strip().lower())


def _tables_by_role(
    frame: pd.DataFrame, role: str, sample_weight: Any
) -> dict[Role, tuple[pd.DataFrame, Any]]:
    """The rows of each role in the column `role`, with their `sample_weight`."""
    need_column(frame, role, "role")
    purposes = frame[role].map(_role_of, na_action=None).to_numpy(dtype=object)
    unread = np.flatnonzero(pd.isna(purposes))
    if len(unread):
        raise DataError(
            f"{quoted(role)} must say train, validation or test in every row; not "
            f"{quoted(str(frame[role].iloc[unread[0]]))} (line {line_of(frame, int(unread[0]))})"
        )
    if "training" not in purposes:
        raise DataError(f"no row of {quoted(role)} says train; a tree needs rows to grow on")
    lines = np.asarray(frame.attrs.get("lines", range(1, len(frame) + 1)))
    row_weights = None if isinstance(sample_weight, str | None) else np.asarray(sample_weight)
    tables: dict[Role, tuple[pd.DataFrame, Any]] = {}
    for purpose in dict.fromkeys(ROLES.values()):
        rows = np.flatnonzero(purposes == purpose)
        if len(rows):
            part = frame.drop(columns=role).iloc[rows]
            part.attrs["lines"] = lines[rows]
            tables[purpose] = part, sample_weight if row_weights is None else row_weights[rows]
    return tables


def _roles_note(
    role: str, n_training: int, others: Mapping[Role, tuple[pd.DataFrame, Any]]
) -> Note:
    parts = [f"{n_training:,} for training"]
    parts += [f"{len(table):,} for {purpose}" for purpose, (table, _) in others.items()]
    return Note("column", f"says what a row is for: {', '.join(parts)}", None, role)


def _held_out_dataset(
    data: Dataset, table: pd.DataFrame, sample_weight: Any, role: Role
) -> Dataset:
    """The Dataset of held-out rows with the features, types and codes of the training data.

    Classes and categories that no training row has follow the others, with a note. Raises DataError
    if the rows do not fit the training data.
    """
    absent = [name for name in (*data.features, data.target) if name not in table.columns]
    if absent:
        raise DataError(f"the {role} rows have no column {quoted_names(absent)}; they need it")
    converted = table.copy(deep=False)
    try:
        features = zip(data.features, data.levels, data.quantities, strict=True)
        for name, categories, quantity in features:
            if categories:
                converted[name] = table[name].astype(object)
            elif quantity != PLAIN and not is_numeric(table[name]):
                column = encode_feature(table[name], (), quantity)
                converted[name] = kind_of(quantity).decode(column, quantity).set_axis(table.index)
        held_out = dataset_of_frame(
            converted, data.target, data.features, data.task, (), sample_weight
        )
    except DataError as error:
        raise DataError(f"the {role} rows: {error}") from None
    pairs = [*zip(data.features, data.levels, held_out.levels, strict=True)]
    if unfit := [name for name, training, others in pairs if others and not training]:
        raise DataError(
            f"the {role} rows have text in {quoted_names(unfit)}, the training rows numbers"
        )
    notes = [note for note in held_out.notes if note.kind not in SUSPECT_KINDS]
    try:
        columns = [
            convert_quantity(held_out, f, quantity) for f, quantity in enumerate(data.quantities)
        ]
    except DataError as error:
        raise DataError(f"the {role} rows: {error}") from None
    levels = list(data.levels)
    for f, (name, training, others) in enumerate(pairs):
        if training:
            values = pd.Series([*others], dtype=object)
            new = values[codes_of(values, training) == UNSEEN_CODE].tolist()
            levels[f] = _extend(training, new, name, notes)
            columns[f] = recode(codes_of(values, levels[f]), held_out.columns[f])
    classes, y = data.classes, held_out.y
    if classes:
        new = [label for label in held_out.classes if label not in classes]
        if len(new) == len(held_out.classes):
            raise DataError(
                f"the {role} rows have no class of the training rows: {quoted_names(new)}"
            )
        classes = _extend(classes, new, data.target, notes)
        y = np.array([classes.index(label) for label in held_out.classes])[held_out.y]
    names = (data.features, data.target, classes, notes, held_out.weights)
    return make_dataset(columns, y, *names, tuple(levels), data.quantities)


def _extend(values: tuple[Any, ...], new: list[Any], name: str, log: list[Note]) -> tuple[Any, ...]:
    """The values of a column, then those that no training row has; logs a note on these."""
    if new:
        log.append(Note("column", f"{quoted_names(new)} in no training row", None, name))
    return (*values, *new)


def _with_training_weights(data: Dataset, weighted: Dataset, held_out: Dataset) -> Dataset:
    """The held-out rows with the class weights, priors and costs of the training rows.

    `data` and `weighted` are the training rows before and after these weights.
    """
    if not data.classes or weighted.weights is None:
        return held_out
    first_ids = np.unique(data.y, return_index=True)[1]  # one row a class gives its factor
    factors = np.ones(len(held_out.classes))
    factors[: len(first_ids)] = weighted.weights[first_ids] / _weights(data)[first_ids]
    costs = None if weighted.costs is None else extend_costs(weighted.costs, len(factors))
    balance = None
    if weighted.balance is not None:
        added = np.ones(len(factors) - len(weighted.balance))
        balance = np.concatenate([weighted.balance, added])
    weights = _weights(held_out) * factors[held_out.y]
    return replace(held_out, weights=weights, costs=costs, balance=balance)


def _weights(data: Dataset) -> NDArray[np.float64]:
    return np.ones(data.n) if data.weights is None else data.weights
