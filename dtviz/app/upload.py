"""The tab Upload a table: a file or cells in, a preview, target and features, a tree on it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.app import controls, state
from dtviz.app.cards import has_plane, plane
from dtviz.app.controls import sentence
from dtviz.app.instrument import MOST_GIVEN
from dtviz.app.uploaded_file import (
    Given,
    clear,
    found_in,
    lead_to,
    pasted,
    preview,
    resume,
    uploaded,
    uploader,
)
from dtviz.base.text import clean, count, markdown, number
from dtviz.data import uploads
from dtviz.data.columns import FEW, OTHER, rare_values, written
from dtviz.data.dataset import WEIGHTS, DataError, Dataset, Recipe, Task, Value, infer_task
from dtviz.data.read_table import TABLES
from dtviz.data.uploads import Saved, SavedError
from dtviz.data.weights import by_class, written_costs
from dtviz.session.address import Read
from dtviz.session.session import Session, usual_rules

MOST_CLASSES = 50  # weighed by hand
MOST_COSTED = 8  # whose mistakes are
OPTIONS = {
    "": "What its rows count for",
    "balanced": "The same as any other: balanced",
    "class_weight": "Its rows times a weight by hand",
    "priors": "A share of the whole by hand: priors",
}


def column(panel: DeltaGenerator, table: Given, taken: tuple[str | None, ...]) -> str | None:
    """The column that says what a row counts for; None where each counts 1."""
    options = [None, *(name for name in table.weights if name not in taken)]
    chosen: str | None = panel.selectbox(
        "A row counts for",
        options,
        key=f"weight_{table.place}_{hash(taken)}",
        format_func=lambda name: "1" if name is None else clean(name),
        help="A column of numbers that are never negative: a row of weight 2 counts as two rows, "
        "one of weight 0 is left out. It is no feature then",
    )
    return chosen


def classes(panel: DeltaGenerator, data: Dataset, place: str) -> Mapping[str, Value]:
    """What the classes of the data count for, as parameters of its recipe."""
    many = len(data.classes) > MOST_CLASSES
    key = f"{place}_{hash((data.target, data.classes))}"
    chosen = panel.selectbox(
        "A class counts for",
        list(OPTIONS)[: 2 if many else None],
        key=f"classes_{key}",
        format_func=OPTIONS.__getitem__,
        help="Balanced: the weights of a class that is rare are raised until all classes count the "
        "same in the rows a tree is grown on. A weight of 2 makes it twice as bad to miss a row of "
        "the class",
    )
    if chosen in ("", "balanced"):
        return {"class_weight": chosen} if chosen else {}
    with panel:
        each = _by_hand(data, chosen, f"{chosen}_{key}")
    return {chosen: by_class(each)}


def costs(panel: DeltaGenerator, data: Dataset, place: str) -> Mapping[str, Value]:
    """What mistakes between the classes of the data cost, as parameters of its recipe."""
    if not 2 <= len(data.classes) <= MOST_COSTED:
        return {}
    key = f"{place}_{hash((data.target, data.classes))}"
    with panel:
        by_hand = st.toggle(
            "Mistakes cost different amounts",
            key=f"costs_{key}",
            help="Each leaf then says the class that costs least, and errors are costs. It is "
            "rpart's loss",
        )
        return {"costs": written_costs(_matrix(data, f"matrix_{key}"))} if by_hand else {}


def _matrix(data: Dataset, key: str) -> dict[str, dict[str, float]]:
    """The cost that was typed for each class and what it is called; 0 where it is no mistake."""
    names = list(map(str, data.classes))
    called = [f"called {at}" for at in range(len(names))]
    frame = pd.DataFrame(1 - np.eye(len(names)), columns=called)
    frame.insert(0, "class", data.class_names)
    titles = zip(called, data.class_names, strict=True)
    typed = st.data_editor(
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
                max_value=WEIGHTS[1],
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
    numbers = typed[called].to_numpy(np.float64) * (1 - np.eye(len(names)))
    return {
        name: dict(zip(names, line, strict=True))
        for name, line in zip(names, numbers.tolist(), strict=True)
    }


def _by_hand(data: Dataset, name: str, key: str) -> dict[str, float]:
    """The number that was typed for each class; shares are scaled to 1 together."""
    shares = np.bincount(data.y, data.weights) / data.weight
    label, usual = ("weight", np.ones(len(shares))) if name == "class_weight" else ("share", shares)
    frame = pd.DataFrame({"class": data.class_names, "rows": np.bincount(data.y), label: usual})
    low, high = WEIGHTS
    typed = st.data_editor(
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
    numbers = typed[label].to_numpy(np.float64)
    if name == "priors":
        st.caption("Shares are scaled so that they are 1 together.")
        numbers = numbers / math.fsum(numbers)
    return dict(zip(map(str, data.classes), numbers.tolist(), strict=True))


MAX_CHOSEN = 12
MOST_SUSPECTS = 8  # told one by one
ENOUGH = 100  # rows: in a smaller table every value is rare
ONE_COLUMN = (
    "this is no table: each line is one cell; give one whose cells are parted by commas, "
    "semicolons, tabs or |, with a column to predict and one to predict it by"
)
NONE_FIT = (
    "there is no column that a tree can cut on: numbers, dates, or text that many rows share; "
    "is this a table?"
)
TASKS: dict[Task, str] = {"classification": "classes", "regression": "a number"}


class Places(NamedTuple):
    """Where things are drawn: the way on, choices in two columns, what stands beside the table."""

    above: DeltaGenerator
    left: DeltaGenerator
    right: DeltaGenerator
    aside: DeltaGenerator


class Chosen(NamedTuple):
    """The features named, None for all that are fit `without` some; and where a page keeps that."""

    key: str
    features: tuple[str, ...] | None
    without: tuple[str, ...] = ()


def show() -> bool:
    """Draw the tab; whether a table that was given stands on it."""
    kinds = ", ".join(kind.name for kind in (TABLES[-1], *TABLES[:-1]))
    file = uploader(
        f"A saved screen, or a table: {kinds}; packed by gzip or zip, or not",
        "given",
        "Text may have any usual delimiter, encoding and decimal comma. The table stays in "
        "your browser, and in the server's memory for this tab only; of several, "
        f"{MOST_GIVEN // 10**6} MB together, and Undo asks for older ones again.",
    )
    waiting = st.session_state.get("waiting")
    header = not st.toggle(
        "The first line is data",
        value=waiting is not None and waiting.recipe.get("header") is False,
        key="first_line_is_data",
        help="Text without a line of names: the columns are then named by their position",
    )
    table = _pasted(header) if file is None else uploaded(file, header)
    if isinstance(table, SavedError):
        _open(table.saved)
    elif isinstance(table, DataError):
        st.error(sentence(str(table)))
    if not isinstance(table, Given):
        return False
    if len(table.frame.columns) < 2:
        st.error(sentence(ONE_COLUMN))
        return False
    above = st.container(key="offer")  # in sight, whatever is chosen below
    choice = st.columns(2)  # as is that, on a desk
    left, right = st.columns([3, 2])
    with left:
        typed = preview(table)
    _choose(table, typed, waiting, Places(above, *choice, right))
    return True


def _pasted(header: bool) -> Given | DataError | None:
    """The table of the text area."""
    text = st.text_area(
        "Or paste one",
        height=120,
        placeholder="Cells copied from a spreadsheet, the names of the columns first",
    )
    return pasted(text, header) if text.strip() else None


def _choose(
    read: Given,
    table: Given,
    waiting: Read | None,
    places: Places,
) -> None:
    """Target, task, features and rows to judge on; the way on, or why there is none; the points.

    The table is given as it was `read` and with the types said by hand.
    """
    frame, names = table.frame, list(table.frame.columns)
    above, left, right, aside = places
    with right:
        of_features = st.container()
    with left:
        target = st.selectbox(
            "Target",
            names,
            index=table.target,
            key=f"target_{table.place}",
            format_func=clean,
            help="The column the tree predicts",
        )
        keep = state.tab().keep
        by_hand = table.types.get(str(target))
        key = ("usual", table.place, target, by_hand)
        usual = keep.get(key, lambda: infer_task(frame[target]))
        task = st.radio(
            "It is",
            list(TASKS),
            index=list(TASKS).index(usual),
            key=f"task_{table.place}_{target}_{by_hand}",
            format_func=lambda option: TASKS[option],
            horizontal=True,
        )
    with right:
        role, second = _judged_on(table, str(target), waiting)
        panel = st.expander("Weights", icon=":material/balance:")
        weight = column(panel, table, (str(target), role))
    given = [read, second] if isinstance(second, Given) else [read]
    tables = {one.place: (one.frame, one.notes) for one in given}
    state.tab().give(tables, {one.mark: one.content for one in given})
    if waiting is not None and {*uploads.places_of(waiting.recipe)} <= {*state.tab().files}:
        _pick_up(waiting)
    rest = [column for column in names if column not in (target, role, weight)]
    with of_features:
        fit = [one for one in rest if one not in table.unfit]
        chosen = _features(table, fit)
        unused = [(column, table.unfit[column]) for column in rest if column in table.unfit]
        if unused:
            listed = "; ".join(f"{clean(column)} ({why})" for column, why in unused[:8])
            st.caption(sentence(f"Not used as features: {listed}"))
    if isinstance(second, str):
        above.info(sentence(second))
        return
    test = None if second is None else (second.mark, second.name)
    about = (str(target), chosen.features, task, table.header, role, test)
    wanted = uploads.recipe_of(table.mark, table.name, *about, without=chosen.without)
    if table.types:
        wanted = uploads.also(wanted, types=written(table.types))
    if weight is not None:
        wanted = uploads.also(wanted, sample_weight=weight)
    try:
        wanted, data = _built(table, wanted, chosen, (panel, of_features), bool(fit))
    except DataError as error:
        above.error(sentence(str(error)))
        controls.show_notes(table.notes, expanded=True)
        return
    with above:
        _fooling(data, chosen)
        _offer(table, wanted, data)
    if has_plane(data):
        with aside:
            plane(data, wanted)
    controls.show_notes([one for one in data.notes if one.kind != "suspect"], expanded=True)


def _features(table: Given, fit: list[str]) -> Chosen:
    """The features named, or all that are fit but some."""
    key = f"{table.place}_{hash(tuple(fit))}"
    many = len(fit) > MAX_CHOSEN
    if many and st.toggle(f"All {len(fit):,} features", value=True, key=f"all_{key}"):
        key = f"without_{key}"
        left_out = st.multiselect("Leave out", fit, key=key, format_func=clean)
        return Chosen(key, None, tuple(left_out))
    key = f"features_{key}"
    st.session_state.setdefault(key, fit[:MAX_CHOSEN])
    chosen = st.multiselect(
        "Features",
        fit,
        key=key,
        format_func=clean,
        help="Columns the tree may cut on: numbers and dates by a threshold, text by some of its "
        "values",
    )
    return Chosen(key, tuple(chosen))


def _judged_on(
    table: Given, target: str, waiting: Read | None
) -> tuple[str | None, Given | str | None]:
    """The column that says what a row is for, if any, and the second table or what it lacks."""
    columns = [name for name in table.roles if name != target]
    options = ["A share of the rows, drawn", "A second table"]
    options += [f"What {clean(name)} says" for name in columns]
    sure = next((at for at, name in enumerate(columns, 2) if table.roles[name]), 0)
    second = waiting is not None and waiting.recipe.get("test") is not None
    chosen = st.selectbox(
        "Judge it on",
        range(len(options)),
        index=1 if second else sure,
        key=f"judged_{table.place}_{target}",
        format_func=options.__getitem__,
        help="Rows that no tree is grown on: a share of all, a second table with the same columns, "
        "or those that a column names by train, validation or test",
    )
    if chosen != 1:
        return (columns[chosen - 2] if chosen > 1 else None), None
    file = uploader("The test rows: a table with the same columns", "second")
    if file is None:
        return None, "Give the table of the test rows, or judge on a share of these."
    found = uploaded(file, table.header, "second")
    if found is None:
        return None, "The test rows are being read."
    return None, str(found) if isinstance(found, DataError) else found


def _built(
    table: Given,
    wanted: Recipe,
    chosen: Chosen,
    places: tuple[DeltaGenerator, DeltaGenerator],
    fit: bool,
) -> tuple[Recipe, Dataset]:
    """The data that is wanted, once it is asked what its rows count for and what is rare in them.

    These are asked at two `places`. `fit` says whether any column can be a feature. Raises
    DataError.
    """
    panel, of_features = places
    if chosen.features == ():
        raise DataError("choose at least one feature" if fit else NONE_FIT)
    data = state.dataset_of(wanted)
    if data.classes:
        for ask in (classes, costs):
            wanted = uploads.also(wanted, **ask(panel, data, table.place))
        data = state.dataset_of(wanted)
    with of_features:
        together = _together(data, chosen.key)
    if together:
        wanted = uploads.also(wanted, rare=FEW)
    return wanted, state.dataset_of(wanted)


def _offer(table: Given, wanted: Recipe, data: Dataset) -> None:
    """What of the table can be used, and the way on."""
    if data.y.max() == data.y.min():
        st.warning(sentence(_one_leaf(data)))
    icon, text = ":material/account_tree:", "Grow a tree on this table"
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        grow = st.button(text, type="primary", icon=icon, on_click=state.skip_address)
        all_rows = f"{data.n:,} of {count(len(table.frame), 'row')} can be used"
        st.markdown(sentence(usable(data, all_rows)), width="content")
    if grow:
        state.set_session(Session(wanted, usual_rules(wanted, data.task)))
        st.switch_page("pages/grow.py")


def _one_leaf(data: Dataset) -> str:
    """That the target is the same in every row."""
    told = data.class_names[data.y[0]] if data.classes else number(data.y[0])
    same = f"{clean(data.target)} is {clean(told)} in every row"
    return f"{same}: the tree will be one leaf; choose another target to see it cut"


def usable(data: Dataset, own: str) -> str:
    """How many rows can be used, and for what; `own` says so where all are for training."""
    held = {role: rows for role in ("validation", "test") if (rows := getattr(data, role))}
    if held:
        others = " and ".join(f"{rows.n:,} for {role}" for role, rows in held.items())
        own = f"{count(data.n, 'row')} for training, {others}"
    if data.weights is not None:
        own = f"{own}, weight {number(data.weight)}"
    lacking = f", {sum(data.gaps):,} with missing values" if any(data.gaps) else ""
    return f"{own}, {count(len(data.features), 'feature')}{lacking}, target {clean(data.target)}"


def _fooling(data: Dataset, chosen: Chosen) -> None:
    """The features that would fool a tree, and one click that leaves them out."""
    suspects = [note for note in data.notes if note.kind == "suspect"]
    if not suspects:
        return
    names = [str(note.column) for note in suspects]
    told = [f"- **{markdown(str(one.column))}**: {sentence(one.text)}" for one in suspects]
    if len(told) > MOST_SUSPECTS:
        told[MOST_SUSPECTS:] = [f"- and {len(told) - MOST_SUSPECTS:,} more"]
    what = f"{count(len(names), 'feature')} would fool a tree"
    with st.container(border=True):
        st.markdown("\n".join([f"{what}:", *told]))
        st.button(
            "Leave it out" if len(names) == 1 else f"Leave these {len(names):,} out",
            on_click=_leave_out,
            args=(chosen, names),
        )


def _together(data: Dataset, key: str) -> bool:
    """Whether the values of categories that few rows have are put together, if there are any."""
    rare = rare_values(data) if data.n >= ENOUGH else {}
    if not rare:
        return False
    told = [f"{count(len(some), 'value')} of {clean(name)}" for name, some in rare.items()]
    if len(told) > MOST_SUSPECTS:
        told[MOST_SUSPECTS:] = [f"some of {len(told) - MOST_SUSPECTS:,} more features"]
    with st.container(border=True):
        st.markdown(sentence(f"{', '.join(told)} have fewer than {FEW} rows each"))
        return st.toggle(
            f"Put them together as '{OTHER}'",
            key=f"rare_{key}",
            help="Alone they tell a tree next to nothing. Values never seen count as 'other' too.",
        )


def _leave_out(chosen: Chosen, names: list[str]) -> None:
    some = chosen.features
    kept = [*chosen.without, *names] if some is None else [one for one in some if one not in names]
    st.session_state[chosen.key] = kept


def _pick_up(waiting: Read) -> None:
    """Go on where the link was that asked for this file; from the page Data to its tree."""
    page = st.session_state["page"]
    try:
        resume(waiting)
    except DataError as error:
        st.error(sentence(f"this is the file, but the link does not suit it: {error}"))
    else:
        lead_to("grow" if page == "data" else page)


def _open(saved: Saved) -> None:
    """Go on where a screen was saved; the place for files is free again."""
    try:
        found = found_in(saved)
        if found is None:
            return
        resume(found)
    except DataError as error:
        st.error(sentence(f"this screen cannot be opened: {error}"))
    else:
        clear("given")
        lead_to(saved.page)
