"""The tab Upload a table: a file or pasted cells, a preview, target, features, weights, a tree."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.app import controls, state, uploaded_file
from dtviz.app.controls import sentence
from dtviz.app.instrument import MAX_TABLE_BYTES
from dtviz.app.read_choices import open_choices, read_choices
from dtviz.app.stage import can_draw_points, draw_points
from dtviz.base.lazy import pd
from dtviz.base.text import clean, count, markdown, number
from dtviz.data import dataset, uploads
from dtviz.data.columns import MIN_ROWS_FREQUENT, OTHER_NAME, rare_categories
from dtviz.data.notes import SUSPECT_KINDS
from dtviz.data.read_options import ReadOptions
from dtviz.data.read_table import TABLE_KINDS
from dtviz.data.weights import costs_text, numbers_text, parse_costs, parse_numbers_by_class
from dtviz.session.address import AddressText
from dtviz.session.session import Session, usual_rules

MAX_CLASSES_WEIGHED = 50  # by weights that a user types
MAX_CLASSES_WITH_COSTS = 8
CLASS_WEIGHT_OPTIONS = {
    "": "What its rows count for",
    "balanced": "The same as any other: balanced",
    "class_weight": "Its rows times a weight by hand",
    "priors": "A share of the whole by hand: priors",
}


def weight_column(
    panel: DeltaGenerator,
    table: uploaded_file.UploadedTable,
    excluded_columns: tuple[str | None, ...],
) -> str | None:
    """Draw the choice of the column of sample weights; return its name, None for weights of 1."""
    options = [None, *(name for name in table.weight_columns if name not in excluded_columns)]
    name: str | None = panel.selectbox(
        "A row counts for",
        options,
        index=_index_of(options, table.chosen("sample_weight")),
        key=f"weight_{table.key}_{hash(excluded_columns)}",
        format_func=lambda name: "1" if name is None else clean(name),
        help="A column of numbers that are never negative: a row of weight 2 counts as two rows, "
        "one of weight 0 is left out. It is no feature then",
    )
    return name


def _index_of(options: Sequence[Any], wanted: Any, default: int = 0) -> int:
    """Return the index of an option, or the default if it is none of them."""
    return options.index(wanted) if wanted is not None and wanted in options else default


def class_weights(
    panel: DeltaGenerator, data: dataset.Dataset, table: uploaded_file.UploadedTable
) -> Mapping[str, dataset.ParameterValue]:
    """Draw the choice of class weights; return them as parameters of the recipe."""
    key = f"{table.key}_{hash((data.target, data.classes))}"
    options = list(CLASS_WEIGHT_OPTIONS)[: 2 if len(data.classes) > MAX_CLASSES_WEIGHED else None]
    used = {name: table.chosen(name) for name in ("class_weight", "priors")}
    by_hand = next((name for name, value in used.items() if isinstance(value, tuple)), None)
    chosen = panel.selectbox(
        "A class counts for",
        options,
        index=_index_of(options, by_hand or used["class_weight"]),
        key=f"classes_{key}",
        format_func=CLASS_WEIGHT_OPTIONS.__getitem__,
        help="Balanced: the weights of a class that is rare are raised until all classes count the "
        "same in the rows a tree is grown on. A weight of 2 makes it twice as bad to miss a row of "
        "the class",
    )
    if chosen in ("", "balanced"):
        return {"class_weight": chosen} if chosen else {}
    with panel:
        numbers = _class_numbers(data, chosen, f"{chosen}_{key}", used[chosen])
    return {chosen: numbers_text(numbers)}


def costs(
    panel: DeltaGenerator, data: dataset.Dataset, table: uploaded_file.UploadedTable
) -> Mapping[str, dataset.ParameterValue]:
    """Draw the choice of costs; return them as parameters of the recipe."""
    if not 2 <= len(data.classes) <= MAX_CLASSES_WITH_COSTS:
        return {}
    key, used = f"{table.key}_{hash((data.target, data.classes))}", table.chosen("costs")
    with panel:
        has_costs = st.toggle(
            "Mistakes cost different amounts",
            value=used is not None,
            key=f"costs_{key}",
            help="Each leaf then says the class that costs least, and errors are costs. It is "
            "rpart's loss",
        )
        if not has_costs:
            return {}
        return {"costs": costs_text(_costs(data, f"matrix_{key}", parse_costs(used) or {}))}


def _costs(
    data: dataset.Dataset, key: str, first: Mapping[str, Mapping[str, float]]
) -> dict[str, dict[str, float]]:
    """Draw the matrix of costs; return them by class and predicted class, 0 on the diagonal.

    The matrix begins with the costs `first`, and 1 for the mistakes that they do not name.
    """
    names = list(map(str, data.classes))
    start = [[first.get(a, {}).get(b, float(a != b)) for b in names] for a in names]
    # columns are named by code, as a class may be named like another column
    columns = [f"called {k}" for k in range(len(names))]
    frame = pd.DataFrame(start, columns=columns)
    frame.insert(0, "class", data.class_names)
    titles = zip(columns, data.class_names, strict=True)
    edited = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=["class"],
        column_config={"class": st.column_config.TextColumn("A row of", pinned=True)}
        | {
            column: st.column_config.NumberColumn(
                f"→ {name}",
                width="small",
                min_value=0.0,
                max_value=dataset.WEIGHT_RANGE[1],
                required=True,
                format="%.4g",
            )
            for column, name in titles
        },
        alt="What it costs to call a row of one class another; type into it",
    )
    st.caption(
        "What it costs to call a row of a class (line) another (column). The diagonal stays 0."
    )
    numbers = edited[columns].to_numpy(np.float64) * (1 - np.eye(len(names)))
    return {
        name: dict(zip(names, row, strict=True))
        for name, row in zip(names, numbers.tolist(), strict=True)
    }


def _class_numbers(
    data: dataset.Dataset, parameter: str, key: str, used: dataset.ParameterValue
) -> dict[str, float]:
    """Draw the table of class weights or priors; return the numbers by class.

    `parameter` is that of the recipe: 'class_weight', or 'priors', whose sum is made 1.
    """
    shares = np.bincount(data.y, data.weights) / data.weight
    label, start = (
        ("weight", np.ones(len(shares))) if parameter == "class_weight" else ("share", shares)
    )
    numbers_used = parse_numbers_by_class(used) or {}
    start = np.array(
        [
            numbers_used.get(str(name), first)
            for name, first in zip(data.classes, start, strict=True)
        ]
    )
    frame = pd.DataFrame({"class": data.class_names, "rows": np.bincount(data.y), label: start})
    low, high = dataset.WEIGHT_RANGE
    edited = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=["class", "rows"],
        column_config={
            label: st.column_config.NumberColumn(
                min_value=low, max_value=high, required=True, format="%.4g"
            )
        },
        alt=f"The {label} of each class; type into it",
    )
    numbers = edited[label].to_numpy(np.float64)
    if parameter == "priors":
        st.caption("Shares are scaled so that they are 1 together.")
        numbers = numbers / math.fsum(numbers)
    return dict(zip(map(str, data.classes), numbers.tolist(), strict=True))


MAX_FEATURES_LISTED = 12
MAX_NAMES_LISTED = 8
MIN_ROWS_RARE = 100  # in a smaller table every value is rare
ONE_COLUMN = (
    "this is no table: each line is one cell; give one whose cells are parted by commas, "
    "semicolons, tabs or |, with a column to predict and one to predict it by"
)
NO_FEATURE = (
    "there is no column that a tree can cut on: numbers, dates, or text that many rows share; "
    "is this a table?"
)
TASKS: dict[dataset.Task, str] = {"classification": "classes", "regression": "a number"}


class FeatureChoice(NamedTuple):
    """Features that a user has chosen."""

    key: str
    """Key of the control with the choice."""
    features: tuple[str, ...] | None
    """Names of the features; None for all usable columns except those in `without`."""
    without: tuple[str, ...] = ()
    """Names of the columns that are left out."""


def draw_tab() -> bool:
    """Draw the tab; return True if it shows a table."""
    kinds = ", ".join(kind.name for kind in (TABLE_KINDS[-1], *TABLE_KINDS[:-1]))
    file = uploaded_file.uploader(
        "A table (CSV, Excel, Parquet, ...) or a saved screen; zip is fine",
        "given",
        f"Read are {kinds}, packed by gzip or zip or not. "
        "Text may have any usual delimiter, encoding and decimal comma. The table stays in "
        "your browser, and in the server's memory for this tab only, until you give it to a class "
        "under Share; of several, "
        f"{MAX_TABLE_BYTES // 10**6} MB together, and Undo asks for older ones again.",
    )
    waiting_address = state.navigation().waiting
    default = ReadOptions() if waiting_address is None else _read_default(waiting_address)
    table = _pasted(default) if file is None else _read_file(file, default)
    used = _recipe_in_use()
    if file is None and table is None and used is not None and waiting_address is None:
        st.markdown(
            f"**{markdown(str(used.get('file')))}** is in use. What you change here is read anew, "
            "and the tree begins anew; Undo brings both back."
        )
        table = uploaded_file.read_used(used)
    if isinstance(table, uploads.SavedScreenError):
        _open_saved(table.saved)
    elif isinstance(table, dataset.DataError):
        st.error(sentence(str(table)))
    if not isinstance(table, uploaded_file.UploadedTable):
        return False
    if len(table.frame.columns) < 2:
        st.error(sentence(ONE_COLUMN))
        return False
    offer_container = st.container(key="offer")  # above the choices, to stay in sight
    choices = st.columns(2)
    preview_column, plane_column = st.columns([3, 2])
    with preview_column:
        previewed = uploaded_file.preview(table)
    if previewed is None:
        return True
    read, typed = previewed
    _choices(read, typed, waiting_address, offer_container, *choices, plane_column)
    return True


def _recipe_in_use() -> dataset.Recipe | None:
    """Return the recipe on screen, if it is of a table whose file the tab has."""
    session = state.session()
    if session is None or session.recipe.name != uploads.RECIPE_NAME:
        return None
    has_file = uploads.fingerprints_of(session.recipe)[0] in state.tab().contents
    stays_in_engine = uploads.places_of(session.recipe)[0] in uploads.SERVED_SOURCES
    return session.recipe if has_file and not stays_in_engine else None


def _read_default(waiting_address: AddressText) -> ReadOptions:
    """Return the options by which a waiting address reads its file."""
    try:
        return replace(ReadOptions.of_recipe(waiting_address.recipe), missing=())
    except dataset.DataError:
        return ReadOptions()


def _read_file(
    file: Any, default: ReadOptions
) -> uploaded_file.UploadedTable | dataset.DataError | None:
    """Draw how a file is read; return its table, the error, or None while it is read."""
    options = read_choices(file.file_id, file.getvalue(), default)
    table = uploaded_file.read_upload(file, options)
    if isinstance(table, dataset.DataError):
        open_choices(file.file_id, table)
    return table


def _pasted(default: ReadOptions) -> uploaded_file.UploadedTable | dataset.DataError | None:
    """Draw the text area; return the table pasted into it, the error, or None for no text."""
    text = st.text_area(
        "Or paste one",
        height=120,
        placeholder="Cells copied from a spreadsheet, the names of the columns first",
    )
    if not text.strip() and not default.params():
        return None
    options = read_choices("pasted", text.encode(), default)
    if not text.strip():
        return None
    table = uploaded_file.read_pasted(text, options)
    if isinstance(table, dataset.DataError):
        open_choices("pasted", table)
    return table


def _choices(
    uploaded: uploaded_file.UploadedTable,
    table: uploaded_file.UploadedTable,
    waiting_address: AddressText | None,
    offer_container: DeltaGenerator,
    target_container: DeltaGenerator,
    choices_container: DeltaGenerator,
    plane_container: DeltaGenerator,
) -> None:
    """Draw all choices and the button that grows a tree, each in its container.

    `table` is the uploaded table with the types that a user chose. The choices of features, test
    rows and weights stand in `choices_container`, the button in `offer_container`.
    """
    names = list(table.frame.columns)
    with choices_container:
        feature_container = st.container()
    with target_container:
        target, task = _target_choice(table)
    with choices_container:
        role_column, test_table = _test_choice(table, str(target), waiting_address)
        panel = st.expander("Weights", icon=":material/balance:")
        weight = weight_column(panel, table, (str(target), role_column))
    used_tables = [uploaded]
    if isinstance(test_table, uploaded_file.UploadedTable):
        used_tables.append(test_table)
    tables = {used.place: (used.frame, used.notes) for used in used_tables}
    state.tab().add_tables(tables, {used.mark: used.content for used in used_tables})
    if waiting_address is not None:
        places = uploads.places_of(waiting_address.recipe)
        if {*places} <= {*state.tab().files}:
            _resume(waiting_address)
    columns = [name for name in names if name not in (target, role_column, weight)]
    with feature_container:
        usable_columns = [name for name in columns if name not in table.unfit_reasons]
        choice = _feature_choice(table, usable_columns)
        unused = [
            (name, table.unfit_reasons[name]) for name in columns if name in table.unfit_reasons
        ]
        if unused:
            listed = "; ".join(f"{clean(name)} ({why})" for name, why in unused[:MAX_NAMES_LISTED])
            st.caption(sentence(f"Not used as features: {listed}"))
    if isinstance(test_table, str):
        offer_container.info(sentence(test_table))
        return
    test_file = test_table if isinstance(test_table, tuple) else None
    if isinstance(test_table, uploaded_file.UploadedTable):
        test_file = test_table.mark, test_table.name
    args = (str(target), choice.features, task, table.options, role_column, test_file)
    recipe = uploads.upload_recipe(table.mark, table.name, *args, without=choice.without)
    if weight is not None:
        recipe = uploads.with_params(recipe, sample_weight=weight)
    try:
        recipe, data = _build_dataset(
            table, recipe, choice, (panel, feature_container), bool(usable_columns)
        )
    except dataset.DataError as error:
        offer_container.error(sentence(str(error)))
        controls.show_notes(table.notes, expanded=True)
        return
    with offer_container:
        _suspects(data, choice)
        _grow_button(table, recipe, data)
    if can_draw_points(data):
        with plane_container:
            draw_points(data, recipe)
    controls.show_notes(
        [note for note in data.notes if note.kind not in SUSPECT_KINDS], expanded=True
    )


def _target_choice(table: uploaded_file.UploadedTable) -> tuple[Any, dataset.Task]:
    """Draw the choice of the target, and of its task; return both."""
    names = list(table.frame.columns)
    target = st.selectbox(
        "Target",
        names,
        index=_index_of(names, table.chosen("target"), table.likely_target),
        key=f"target_{table.key}",
        format_func=clean,
        help="The column the tree predicts",
    )
    cache = state.tab().cache
    chosen_type = table.types.get(str(target))
    key = ("usual", table.place, target, chosen_type)
    likely_task = cache.get(key, lambda: dataset.infer_task(table.frame[target]))
    task_used = table.chosen("task") if target == table.chosen("target") else None
    task = st.radio(
        "It is",
        list(TASKS),
        index=_index_of([*TASKS], task_used, [*TASKS].index(likely_task)),
        key=f"task_{table.key}_{target}_{chosen_type}",
        format_func=lambda option: TASKS[option],
        horizontal=True,
    )
    return target, task


def _feature_choice(table: uploaded_file.UploadedTable, columns: list[str]) -> FeatureChoice:
    """Draw the choice of the features; of many columns a user can choose those to leave out."""
    key = f"{table.key}_{hash(tuple(columns))}"
    without_key, n = f"without_{key}", len(columns)
    has_toggle = n > MAX_FEATURES_LISTED
    used, without_used = table.chosen("features"), table.chosen("without") or ()
    st.session_state.setdefault(f"all_{key}", used is None)
    if without_used:
        st.session_state.setdefault(without_key, [name for name in without_used if name in columns])
    is_whole = st.session_state[f"all_{key}"]
    n_left_out = len(st.session_state.get(without_key, ())) if is_whole else 0
    title = f"{n - n_left_out:,} of {n:,} features" if n_left_out else f"All {n:,} features"
    if has_toggle and st.toggle(title, key=f"all_{key}"):
        left_out = st.multiselect("Leave out", columns, key=without_key, format_func=clean)
        return FeatureChoice(without_key, None, tuple(left_out))
    key = f"features_{key}"
    features_used = [name for name in columns if name in used] if used else columns
    first_features = [name for name in features_used if name not in without_used]
    st.session_state.setdefault(key, first_features[: None if used else MAX_FEATURES_LISTED])
    chosen = st.multiselect(
        "Features",
        columns,
        key=key,
        format_func=clean,
        help="Columns the tree may cut on: numbers and dates by a threshold, text by some of its "
        "values",
    )
    return FeatureChoice(key, tuple(chosen))


def _test_choice(
    table: uploaded_file.UploadedTable, target: str, waiting_address: AddressText | None
) -> tuple[str | None, uploaded_file.UploadedTable | tuple[str, str] | str | None]:
    """Draw the choice of the test rows.

    Returns the name of the column with the role of each row, if one is chosen, and the table of the
    test rows, if there is one, or the fingerprint and the name of that in use. A sentence in place
    of that table says why it is not there yet.
    """
    columns = [name for name in table.role_columns if name != target]
    options = ["A share of the rows, drawn", "A second table"]
    options += [f"What {clean(name)} says" for name in columns]
    test_used = table.chosen("test"), table.chosen("test_file")
    if test_used[0] is not None:
        options.append(f"The second table in use: {clean(str(test_used[1]))}")
    default = next((k for k, name in enumerate(columns, 2) if table.role_columns[name]), 0)
    if table.recipe is not None:
        default = _index_of(columns, table.chosen("role"), -2) + 2
        default = len(options) - 1 if test_used[0] is not None else default
    has_test_table = waiting_address is not None and waiting_address.recipe.get("test") is not None
    chosen = st.selectbox(
        "Judge it on",
        range(len(options)),
        index=1 if has_test_table else default,
        key=f"judged_{table.key}_{target}",
        format_func=options.__getitem__,
        help="Rows that no tree is grown on: a share of all, a second table with the same columns, "
        "or those that a column names by train, validation or test",
    )
    if chosen == len(columns) + 2:
        return None, (str(test_used[0]), str(test_used[1]))
    if chosen != 1:
        return (columns[chosen - 2] if chosen > 1 else None), None
    file = uploaded_file.uploader("The test rows: a table with the same columns", "second")
    if file is None:
        return None, "Give the table of the test rows, or judge on a share of these."
    test_table = uploaded_file.read_upload(file, table.options, "second")
    if test_table is None:
        return None, "The test rows are being read."
    return None, str(test_table) if isinstance(test_table, dataset.DataError) else test_table


def _build_dataset(
    table: uploaded_file.UploadedTable,
    recipe: dataset.Recipe,
    choice: FeatureChoice,
    containers: tuple[DeltaGenerator, DeltaGenerator],
    has_features: bool,
) -> tuple[dataset.Recipe, dataset.Dataset]:
    """Draw the choices of class weights, costs and rare values; return recipe and dataset.

    The first container is for weights and costs, the second for rare values. `has_features` is True
    if some column can be a feature. Raises DataError.
    """
    panel, feature_container = containers
    if choice.features == ():
        raise dataset.DataError("choose at least one feature" if has_features else NO_FEATURE)
    data = state.dataset_of(recipe)
    if data.classes:
        for draw_choice in (class_weights, costs):
            recipe = uploads.with_params(recipe, **draw_choice(panel, data, table))
        data = state.dataset_of(recipe)
    with feature_container:
        groups_rare = _rare_choice(data, choice.key, table.chosen("rare") is not None)
    if groups_rare:
        recipe = uploads.with_params(recipe, rare=MIN_ROWS_FREQUENT)
    return recipe, state.dataset_of(recipe)


def _grow_button(
    table: uploaded_file.UploadedTable, recipe: dataset.Recipe, data: dataset.Dataset
) -> None:
    """Draw the size of the dataset, and the button that grows a tree on it."""
    if data.y.max() == data.y.min():
        st.warning(sentence(_constant_target(data)))
    icon, text = ":material/account_tree:", "Grow a tree on this table"
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        grow = st.button(text, type="primary", icon=icon, on_click=state.skip_address)
        rows_text = f"{data.n:,} of {count(len(table.frame), 'row')} can be used"
        st.markdown(sentence(size_text(data, rows_text)), width="content")
    if grow:
        state.set_session(Session(recipe, usual_rules(recipe, data.task)))
        st.switch_page("pages/grow.py")


def _constant_target(data: dataset.Dataset) -> str:
    """Return the warning that the target is the same in every row."""
    value = data.class_names[data.y[0]] if data.classes else number(data.y[0])
    fact = f"{clean(data.target)} is {clean(value)} in every row"
    return f"{fact}: the tree will be one leaf; choose another target to see it cut"


def size_text(data: dataset.Dataset, rows_text: str) -> str:
    """Return the size of a dataset in words; `rows_text` is used if all rows are training rows."""
    by_role = {role: rows for role in ("validation", "test") if (rows := getattr(data, role))}
    if by_role:
        others = " and ".join(f"{rows.n:,} for {role}" for role, rows in by_role.items())
        rows_text = f"{count(data.n, 'row')} for training, {others}"
    if data.weights is not None:
        rows_text = f"{rows_text}, weight {number(data.weight)}"
    missing = f", {sum(data.gaps):,} with missing values" if any(data.gaps) else ""
    features = count(len(data.features), "feature")
    return f"{rows_text}, {features}{missing}, target {clean(data.target)}"


def _suspects(data: dataset.Dataset, choice: FeatureChoice) -> None:
    """Draw the features that would fool a tree, and the button that leaves them out."""
    suspects = [note for note in data.notes if note.kind in SUSPECT_KINDS]
    if not suspects:
        return
    names = [str(note.column) for note in suspects]
    lines = [f"- **{markdown(str(note.column))}**: {sentence(note.text)}" for note in suspects]
    if len(lines) > MAX_NAMES_LISTED:
        lines[MAX_NAMES_LISTED:] = [f"- and {len(lines) - MAX_NAMES_LISTED:,} more"]
    what = f"{count(len(names), 'feature')} would fool a tree"
    with st.container(border=True):
        st.markdown("\n".join([f"{what}:", *lines]))
        st.button(
            "Leave it out" if len(names) == 1 else f"Leave these {len(names):,} out",
            on_click=_leave_out,
            args=(choice, names),
        )


def _rare_choice(data: dataset.Dataset, key: str, is_used: bool) -> bool:
    """Draw the choice to group rare categories, if there are any; return True if it is chosen."""
    rare = rare_categories(data) if data.n >= MIN_ROWS_RARE else {}
    if not rare:
        return False
    texts = [f"{count(len(values), 'value')} of {clean(name)}" for name, values in rare.items()]
    if len(texts) > MAX_NAMES_LISTED:
        texts[MAX_NAMES_LISTED:] = [f"some of {len(texts) - MAX_NAMES_LISTED:,} more features"]
    with st.container(border=True):
        st.markdown(sentence(f"{', '.join(texts)} have fewer than {MIN_ROWS_FREQUENT} rows each"))
        return st.toggle(
            f"Put them together as '{OTHER_NAME}'",
            value=is_used,
            key=f"rare_{key}",
            help="Alone they tell a tree next to nothing. Values never seen count as 'other' too.",
        )


def _leave_out(choice: FeatureChoice, names: list[str]) -> None:
    """Leave these features out of the choice."""
    if choice.features is None:
        value = [*choice.without, *names]
    else:
        value = [name for name in choice.features if name not in names]
    st.session_state[choice.key] = value


def _resume(waiting_address: AddressText) -> None:
    """Open the address that waited for this file, on the page Grow if the page is Data."""
    page = state.navigation().page
    try:
        uploaded_file.open_address(waiting_address)
    except dataset.DataError as error:
        st.error(sentence(f"this is the file, but the link does not suit it: {error}"))
    else:
        uploaded_file.open_page("grow" if page == "data" else page)


def _open_saved(saved: uploads.SavedScreen) -> None:
    """Open a saved screen, and clear the uploader for another file."""
    try:
        parsed = uploaded_file.read_saved(saved)
        if parsed is None:
            return
        uploaded_file.open_address(parsed)
    except dataset.DataError as error:
        st.error(sentence(f"this screen cannot be opened: {error}"))
    else:
        uploaded_file.clear_uploader("given")
        uploaded_file.open_page(saved.page)
