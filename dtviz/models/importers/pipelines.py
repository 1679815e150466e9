"""Pipelines and searches of scikit-learn: their last step, and what their other steps make of X.

Public attributes of fitted transformers are read, such as `categories_`; scikit-learn is not
imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dtviz.base.arrays import Floats
from dtviz.base.lazy import pd
from dtviz.base.text import quoted, short_repr
from dtviz.data.dataset import DataError
from dtviz.data.frames import pandas_frame
from dtviz.models.importers.foreign_tree import number_frame
from dtviz.models.importers.training_table import (
    ColumnSource,
    OriginalColumnsError,
    TrainingTable,
    kind_of_column,
)

Sources = list[ColumnSource]
"""Source of each column that a transformer takes or makes."""


def last_step(fitted: Any) -> tuple[Any, list[Any]]:
    """The model at the end of a pipeline or search, and the transformers before it, in their order.

    Any other object is itself the model. Raises DataError where a search has no best estimator.
    """
    transformers: list[Any] = []
    while True:
        if hasattr(fitted, "best_estimator_"):
            fitted = fitted.best_estimator_
        elif hasattr(fitted, "refit") and hasattr(fitted, "estimator"):
            raise DataError(
                "a search must be fitted, with `refit`, so that it has a best estimator"
            )
        elif hasattr(fitted, "calibrated_classifiers_"):
            raise DataError(
                "calibration fits several models: give one of them, or the model before it"
            )
        elif hasattr(fitted, "steps") and hasattr(fitted, "named_steps"):
            *before, (_, fitted) = fitted.steps
            transformers += [step for _, step in before if not _is_passthrough(step)]
        else:
            return fitted, transformers


def training_table(
    transformers: Sequence[Any],
    X: Any,
    n_features: int,
    names: Sequence[str] | None,
    absent: float = 0.0,
) -> TrainingTable:
    """The rows X as a model reads them after the transformers; without transformers it is X.

    `n_features` and `names` are those of the model, `absent` is what it reads where a sparse matrix
    has no entry. Raises DataError where the transformers cannot
    transform X.
    """
    if not transformers:
        numbers = number_frame(X, n_features, names)
        return TrainingTable(numbers, numbers)
    frame = pandas_frame(X)
    is_frame = isinstance(frame, pd.DataFrame)
    array = frame if is_frame else np.asarray(X)
    if array.ndim != 2:
        raise DataError(f"`X` must be a table; not {short_repr(X)}")
    table = frame if is_frame else pd.DataFrame(array, columns=_names_of(transformers[0], array))

    def transform(rows: pd.DataFrame) -> Floats:
        output: Any = rows if is_frame else rows.to_numpy()
        if is_frame and not isinstance(X, pd.DataFrame):
            output = type(X)(rows)  # a frame of polars
        return np.asarray(_dense(_transformed(transformers, output), absent), np.float64)

    try:
        output = _transformed(transformers, X)
    except (ValueError, TypeError, KeyError, AttributeError) as problem:
        raise DataError(f"the pipeline cannot transform `X`: {problem}") from None
    numbers = number_frame(_dense(output, absent), n_features, names)
    output_names = _names_after(transformers, table, numbers)
    try:
        sources = tuple(_sources_after(transformers, table))
        if len(sources) != numbers.shape[1]:
            raise OriginalColumnsError("a step makes another number of columns than expected")
    except OriginalColumnsError as problem:
        return TrainingTable(numbers, table, (), transform, output_names, str(problem))
    return TrainingTable(numbers, table, sources, transform, output_names)


def _names_after(
    transformers: Sequence[Any], X: pd.DataFrame, numbers: pd.DataFrame
) -> Sequence[str]:
    """The names that the transformers give the columns that they make of X."""
    names = [str(name) for name in X.columns]
    try:
        for transformer in transformers:
            names = [str(name) for name in transformer.get_feature_names_out(names)]
    except (AttributeError, ValueError, TypeError):  # a transformer that names no columns
        names = []
    return names if len({*names}) == numbers.shape[1] else [*numbers.columns]


def _names_of(transformer: Any, array: Any) -> list[str]:
    default = [f"x{j + 1}" for j in range(array.shape[1])]
    return [*map(str, getattr(transformer, "feature_names_in_", default))]


def _transformed(transformers: Sequence[Any], rows: Any) -> Any:
    for transformer in transformers:
        rows = transformer.transform(rows)
    return rows


def _dense(output: Any, absent: float) -> Any:
    """What transformers make, a sparse matrix as an array."""
    if not hasattr(output, "tocoo"):
        return output
    entries = output.tocoo()
    out = np.full(entries.shape, absent)
    out[entries.row, entries.col] = entries.data
    return out


def _sources_after(transformers: Sequence[Any], table: pd.DataFrame) -> Sources:
    """The sources of the columns that the transformers make of a table; raises DataError."""
    sources = [ColumnSource(j, kind_of_column(table.iloc[:, j])) for j in range(table.shape[1])]
    names = [str(name) for name in table.columns]
    return _after_steps(transformers, sources, names)


def _after_steps(steps: Sequence[Any], sources: Sources, names: Sequence[str]) -> Sources:
    for step in steps:
        sources = _after(step, sources, names)
        names = []
    return sources


def _after(step: Any, sources: Sources, names: Sequence[str] = ()) -> Sources:
    """The sources of the columns that a step makes of columns with the given sources.

    `names` are those of the columns, where they are columns of X.
    """
    if _is_passthrough(step):
        return sources
    kind = type(step).__name__
    if kind not in TRANSFORMERS:
        raise OriginalColumnsError(
            f"{quoted(kind)} is not among the transformers that keep columns apart: "
            f"{', '.join(TRANSFORMERS)}"
        )
    return TRANSFORMERS[kind](step, sources, names)


def _is_passthrough(step: Any) -> bool:
    return step is None or (isinstance(step, str) and step == "passthrough")


# --- transformers ---------------------------------------------------------------------------------


def _after_increasing(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    return sources


def _after_function(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    if step.func is not None:
        raise OriginalColumnsError(f"the function {short_repr(step.func)} is not known")
    return sources


def _after_imputer(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    """The columns with values, then the is-missing columns of the indicator."""
    if not pd.isna(step.missing_values) and any(source.kind == "number" for source in sources):
        raise OriginalColumnsError(
            f"an imputer takes the number {short_repr(step.missing_values)} for missing"
        )
    is_kept = np.ones(len(sources), np.bool_)
    if not getattr(step, "keep_empty_features", False):
        is_kept = ~pd.isna(step.statistics_)
    with_values = [source for source, keep in zip(sources, is_kept, strict=True) if keep]
    indicator = getattr(step, "indicator_", None)
    return (
        with_values
        if indicator is None
        else with_values + _after_indicator(indicator, sources, names)
    )


def _after_indicator(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    if not pd.isna(step.missing_values):
        return [sources[j]._replace(kind="category") for j in step.features_]
    return [
        sources[j] if sources[j].kind == "category" else sources[j]._replace(kind="missing")
        for j in step.features_
    ]


def _after_one_hot(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    """As many columns a source as it has categories, without rare and dropped ones."""
    dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(sources)
    rare = getattr(step, "infrequent_categories_", [None] * len(sources))
    output: Sources = []
    for source, categories, drop, group in zip(
        sources, step.categories_, dropped, rare, strict=True
    ):
        n_columns = len(categories) - (drop is not None)
        n_columns -= 0 if group is None else len(group) - 1
        output += [_as_category(source)] * n_columns
    return output


def _after_ordinal(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    return [*map(_as_category, sources)]


def _as_category(source: ColumnSource) -> ColumnSource:
    return source if source.kind == "missing" else source._replace(kind="category")


def _after_selection(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    return [sources[j] for j in step.get_support(indices=True)]


def _after_pipeline(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    return _after_steps([inner for _, inner in step.steps], sources, names)


def _after_union(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    parts = [inner for _, inner in step.transformer_list if not _is_dropped(inner)]
    return [source for inner in parts for source in _after(inner, sources, names)]


def _after_columns(step: Any, sources: Sources, names: Sequence[str]) -> Sources:
    output: Sources = []
    for _, inner, columns in step.transformers_:
        if _is_dropped(inner):
            continue
        ids = _column_ids(columns, len(sources), names)
        if ids:
            output += _after(
                inner, [sources[j] for j in ids], [names[j] for j in ids] if names else ()
            )
    return output


def _is_dropped(step: Any) -> bool:
    return isinstance(step, str) and step == "drop"


def _column_ids(columns: Any, n_columns: int, names: Sequence[str]) -> list[int]:
    """The indices of columns that a ColumnTransformer names in any of its ways."""
    if isinstance(columns, str):
        raise OriginalColumnsError(f"a step takes {quoted(columns)} as texts")
    ids = np.arange(n_columns)
    if isinstance(columns, slice):
        first, last = columns.start, columns.stop
        if isinstance(first, str) or isinstance(last, str):
            start = None if first is None else _index(first, names)
            stop = None if last is None else _index(last, names) + 1  # as in pandas
            columns = slice(start, stop, columns.step)
        return [int(j) for j in ids[columns]]
    cells = np.asarray(columns).ravel()
    if cells.dtype.kind in "OUT" and all(isinstance(cell, str) for cell in cells.tolist()):
        return [_index(name, names) for name in cells.tolist()]
    return [int(j) for j in ids[cells]] if len(cells) else []


def _index(name: str, names: Sequence[str]) -> int:
    if name not in names:
        raise OriginalColumnsError(f"a later step takes {quoted(name)} by its name")
    return [*names].index(name)


TRANSFORMERS: dict[str, Callable[[Any, Sources, Sequence[str]], Sources]] = {
    "ColumnTransformer": _after_columns,
    "Pipeline": _after_pipeline,
    "FeatureUnion": _after_union,
    "OneHotEncoder": _after_one_hot,
    "OrdinalEncoder": _after_ordinal,
    **dict.fromkeys(
        ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "Binarizer"),
        _after_increasing,
    ),
    "SimpleImputer": _after_imputer,
    "MissingIndicator": _after_indicator,
    **dict.fromkeys(("VarianceThreshold", "SelectKBest", "SelectFromModel"), _after_selection),
    "FunctionTransformer": _after_function,
}
"""Functions that find the sources of the columns that a fitted transformer makes, by its class."""
