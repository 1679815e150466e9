"""The page Data: pick an example, draw points or upload a table, and look at the rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from dtviz.app import controls, state, upload
from dtviz.app.head import corner, head_controls
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import PageSpec
from dtviz.app.stage import (
    can_draw_points,
    draw_cards,
    draw_param,
    draw_points,
    image_tag,
    use_recipe,
)
from dtviz.app.state import control_args
from dtviz.app.uploaded_file import PREVIEW_COLUMNS
from dtviz.base.lazy import pd
from dtviz.base.text import count, markdown, number, quoted
from dtviz.data import drawing, uploads
from dtviz.data.dataset import DataError, Dataset, Recipe, make_recipe, take_rows
from dtviz.data.drawing import Drawing, DrawingKind, DrawnRow
from dtviz.data.gallery import GALLERY
from dtviz.data.units import PLAIN
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Tree, fold, height
from dtviz.explain.words import feature_value_texts
from dtviz.pictures.data_set import empty_thumbnail, tree_thumbnail
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, Session, usual_rules

MAX_EDITS = 60  # edited rows; after more, a new table starts from the edited drawing
EDITOR_HEIGHT = 214  # pixels
MAX_REFUSALS_SHOWN = 3
MAX_BLOCK_CHARACTERS = 200_000  # of cells that are pasted together
Cells = dict[str, object]
"""Cells of a row by column."""


@dataclass(frozen=True, slots=True)
class EditResult:
    """Result of editing the table of points."""

    drawing: Drawing
    """Drawing after the edits."""
    refused: tuple[str, ...] = ()
    """Sentences on cells and rows that were not taken."""
    unfinished: int = 0
    """Number of new rows whose cells are not complete."""


OnEdit = Callable[[Drawing, EditResult], None]
"""Callback of an edit: takes the drawing before it, and its result."""


def draw_table(pad_drawing: Drawing, on_edit: OnEdit) -> None:
    """Draw the table of points; an edit calls `on_edit`."""
    # The editor keeps its edits of `base`; a drawing made elsewhere needs an editor with a new key.
    version: int = st.session_state.get("draw_version", 0)
    base: Drawing | None = st.session_state.get("draw_base")
    edits = st.session_state.get(f"draw_table_{version}")
    if (
        base is None
        or _edit_count(edits) > MAX_EDITS
        or apply_edits(base, edits).drawing != pad_drawing
    ):
        version, base = version + 1, pad_drawing
        st.session_state["draw_version"], st.session_state["draw_base"] = version, base
    names = drawing.COLUMNS[base.kind]
    cells = [drawing.cells_of(base.kind, row) for row in base.rows]
    st.data_editor(
        pd.DataFrame(cells, columns=list(names), dtype="string"),
        key=f"draw_table_{version}",
        num_rows="dynamic",
        hide_index=True,
        height=EDITOR_HEIGHT,
        column_config={name: _column(name) for name in names},
        on_change=_edit,
        args=(version, base, pad_drawing, on_edit),
        placeholder="",
        alt="The points as a table; type or paste into it",
    )


def _column(name: str) -> Any:
    is_class = name == "class"
    return st.column_config.TextColumn(
        name,
        alignment="center" if is_class else "right",
        help=f"A letter from A to {drawing.CLASSES[-1]}" if is_class else "A number",
    )


def _edit(version: int, base: Drawing, pad_drawing: Drawing, on_edit: OnEdit) -> None:
    on_edit(pad_drawing, apply_edits(base, st.session_state[f"draw_table_{version}"]))


def merge(before: Drawing, after: Drawing, current: Drawing) -> Drawing:
    """Return `current` with those rows added and removed that lead from `before` to `after`."""
    removed = Counter(before.rows) - Counter(after.rows)
    added = Counter(after.rows) - Counter(before.rows)
    rows = []
    for row in current.rows:
        if removed[row] > 0:
            removed[row] -= 1
        else:
            rows.append(row)
    return Drawing(current.kind, (*rows, *added.elements())[: drawing.MAX_ROWS_DRAWN])


def apply_edits(base: Drawing, edits: object) -> EditResult:
    """Return the drawing after the edits, with a sentence on each cell that was not taken.

    A cell of an old row keeps its value if the new value is refused. A new row belongs to the
    drawing when all of its cells are complete.
    """
    changes, added, deleted = _edit_parts(base, edits)
    refused: list[str] = []
    rows = [
        _changed_row(base.kind, row, changes.get(index, {}), refused)
        for index, row in enumerate(base.rows)
        if index not in deleted
    ]
    unfinished = 0
    for cells in added:
        has_text, row = _new_row(base.kind, cells, refused)
        unfinished += has_text and row is None
        rows += [row] if row is not None else []
    after = Drawing(base.kind, tuple(rows[: drawing.MAX_ROWS_DRAWN]))
    return EditResult(after, _sentences(refused, len(rows)), unfinished)


def _edit_parts(base: Drawing, edits: object) -> tuple[dict[int, Cells], list[Cells], set[int]]:
    """Return changed cells by row index, added rows, and deleted row indices.

    Blocks of cells are spread over rows and columns.
    """
    parts = edits if isinstance(edits, Mapping) else {}
    names, n_rows = drawing.COLUMNS[base.kind], len(base.rows)
    changes, added, deleted = (parts.get(f"{part}_rows") for part in ("edited", "added", "deleted"))
    changed: dict[int, Cells] = {}
    new: list[Cells] = []
    for index, cells in (
        list(changes.items())[: drawing.MAX_ROWS_DRAWN] if isinstance(changes, Mapping) else ()
    ):
        if type(index) is int and 0 <= index < n_rows:
            for row, line in enumerate(_spread(cells, names), index):
                if row < n_rows:
                    changed.setdefault(row, {}).update(line)
                else:
                    new.append(line)
    for cells in added[: 2 * drawing.MAX_ROWS_DRAWN] if isinstance(added, list) else ():
        new += _spread(cells, names)
    removed = deleted[: drawing.MAX_ROWS_DRAWN] if isinstance(deleted, list) else []
    return (
        changed,
        new[: 2 * drawing.MAX_ROWS_DRAWN],
        {index for index in removed if type(index) is int},
    )


def _spread(cells: object, names: tuple[str, ...]) -> list[Cells]:
    """Return the cells of a row; of several rows if a cell holds a pasted block."""
    first = {n: cells[n] for n in names if n in cells} if isinstance(cells, Mapping) else {}
    rows: list[Cells] = [first]
    for place, name in enumerate(names):
        if _is_block(first.get(name)):
            lines = str(first.pop(name))[:MAX_BLOCK_CHARACTERS].strip("\r\n").splitlines()
            for row, line in enumerate(lines[: 2 * drawing.MAX_ROWS_DRAWN]):
                rows += [{}] if row == len(rows) else []
                rows[row].update(zip(names[place:], line.split("\t"), strict=False))
    return rows


def _is_block(cell: object) -> bool:
    """True for the text of several cells that was pasted into one cell."""
    return isinstance(cell, str) and any(mark in cell for mark in "\t\n\r")


def _changed_row(
    kind: DrawingKind, row: DrawnRow, cells: Mapping[Any, Any], refused: list[str]
) -> DrawnRow:
    texts = list(drawing.cells_of(kind, row))
    for place, name in enumerate(drawing.COLUMNS[kind]):
        if name in cells:
            text = _cell_text(name, cells[name], refused)
            texts[place] = texts[place] if text is None else text
    return drawing.row_of(kind, texts) or row


def _new_row(kind: DrawingKind, cells: Cells, refused: list[str]) -> tuple[bool, DrawnRow | None]:
    """Return True if any cell has a text, and the row; no row while the cells are not complete."""
    texts = [
        _cell_text(name, cells[name], refused) if cells.get(name) not in (None, "") else None
        for name in drawing.COLUMNS[kind]
    ]
    return any(cell not in (None, "") for cell in cells.values()), drawing.row_of(kind, texts)


def _cell_text(name: str, cell: object, refused: list[str]) -> str | None:
    """Return the text of a cell that suits its column; else None, with a sentence in `refused`."""
    value = (drawing.class_of if name == "class" else drawing.number_of)(cell)
    if value is not None:
        return str(cell)
    noun = (
        f"class from A to {drawing.CLASSES[-1]}" if name == "class" else "number a drawing can hold"
    )
    text = cell if isinstance(cell, str) else "" if cell is None else str(type(cell).__name__)
    refused.append(f"{quoted(text)} is no {noun}")
    return None


def _sentences(refused: list[str], n_rows: int) -> tuple[str, ...]:
    sentences = list(dict.fromkeys(refused))[:MAX_REFUSALS_SHOWN]
    if len(refused) > len(sentences):
        sentences.append(f"{count(len(refused), 'cell')} in all not taken")
    n_left_out = n_rows - drawing.MAX_ROWS_DRAWN
    if n_left_out > 0:
        sentences.append(
            f"at most {drawing.MAX_ROWS_DRAWN:,} points; the last {n_left_out:,} were left out"
        )
    return tuple(sentences)


def _edit_count(edits: object) -> int:
    """Return the number of edited rows; a block counts as more than MAX_EDITS."""
    by_kind = edits if isinstance(edits, Mapping) else {}
    parts = [part for part in by_kind.values() if isinstance(part, list | dict)]
    rows = [row for part in parts for row in (part.values() if isinstance(part, dict) else part)]
    cells = (cell for row in rows[:MAX_EDITS] if isinstance(row, dict) for cell in row.values())
    return MAX_EDITS + 1 if any(map(_is_block, cells)) else len(rows)


KIND_NAMES: dict[DrawingKind, str] = {
    "classes": "Classes",
    "colour": "Number by colour",
    "height": "Number by height",
}


def draw_tab(screen: Screen | None) -> None:
    """Draw the tab Draw: the pad, and beside the pad the tree and the table of its points."""
    blank = state.tab().screen_without_data()
    pad_drawing = blank.pad
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _kind_choice(pad_drawing)
        controls.draw_frame("pad", state.tab().pack_picture("pad", blank, state.theme()))
    with right:
        _live_tree(screen if pad_drawing.rows else None)
        draw_table(pad_drawing, _apply_edit)
        _notes(pad_drawing)
        with st.container(horizontal=True):
            _buttons(pad_drawing, screen)


def _live_tree(screen: Screen | None) -> None:
    """Draw the full tree of the points in small."""
    with st.container(key="live_tree"):
        if screen is None:
            st.html(image_tag(empty_thumbnail(state.theme())))
            st.caption("The tree of your points grows here.")
            return
        tree = _full_tree(screen)
        size = f"{count(len(tree.rows), 'leaf')}, height {height(tree)}"
        st.html(
            image_tag(
                tree_thumbnail(screen.data, tree, state.theme()), f"The tree of the points: {size}"
            )
        )
        st.caption(f"The tree of these points: {size}.")


def _full_tree(screen: Screen) -> Tree:
    """Return the tree at the end of growth by the rules, whatever step is shown."""
    data, rules, future = screen.data, screen.session.rules, screen.future
    key = "whole", screen.session.recipe, rules
    return screen.cache.get(
        key, lambda: fold(Problem(data, rules), future(rules, (), None, ALL_MOVES))
    )


def _buttons(pad_drawing: Drawing, screen: Screen | None) -> None:
    """Draw the buttons under the table: grow the tree, save a file, draw on from an example."""
    if grow_button(bool(pad_drawing.rows)):
        st.switch_page("pages/grow.py")
    if not drawing.fits_link(pad_drawing):
        st.download_button(
            f"Save {markdown(drawing.FILE_NAME)}",
            drawing.csv_bytes(pad_drawing),
            drawing.FILE_NAME,
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
    if screen is not None and not pad_drawing.rows and _can_draw_on(screen.data):
        title = markdown(drawing.title_of(screen.session.recipe))
        st.button(f"Draw on from {title}", icon=":material/edit:", on_click=_draw_on)


def grow_button(ready: bool = True) -> bool:
    """Draw the button that leads from data to its tree; return True if it was pressed."""
    icon = ":material/account_tree:"
    text = "Grow a tree on it"
    return st.button(
        text, type="primary", icon=icon, disabled=not ready, on_click=state.skip_address
    )


def is_drawing(wanted: Recipe) -> bool:
    """True if the data is a drawing, so that the pad shows it."""
    return drawing.drawing_in(wanted, state.dataset_of) is not None


def open_empty(error: drawing.EmptyDrawingError) -> None:
    """Put an empty drawing, which has no tree, into the session, and draw what is told above."""
    empty = drawing.drawing_recipe(error.drawing)
    session = state.session()
    problems: tuple[str, ...] = ()
    if session is None or session.recipe != empty:
        with_points = make_recipe(
            empty.name, **dict(empty.params), points=st.query_params.get("points", "")
        )
        problems = drawing.problems(with_points)
        session = Session(empty, usual_rules(empty, error.drawing.task))
        state.tab().replace_session(session)
    # drawn as above other data: else the first point moves the pad to another place on the page,
    # where Streamlit may build it anew, without its focus, view and chosen class
    controls.show_problems(problems)
    controls.narration(session)
    wanted = {"data": empty.name, "kind": error.drawing.kind}
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
    state.remember_address(wanted)


# --- above the pad --------------------------------------------------------------------------------


def _kind_choice(pad_drawing: Drawing) -> None:
    """Draw the choice of the target that a tree predicts."""
    st.segmented_control(
        "A tree predicts",
        drawing.DRAWING_KINDS,
        format_func=lambda kind: KIND_NAMES[kind],
        **control_args(
            "draw_kind",
            pad_drawing.kind,
            lambda kind: _send_pad_event("kind", kind=kind),
            "default",
        ),
    )


def _send_pad_event(what: str, **event: Any) -> None:
    """Perform the event of a control of the pad; a change ends the wait for a file."""
    before = state.session()
    state.act("pad", what, **event)
    if state.session() != before:
        state.navigation().waiting = None


def _can_draw_on(data: Dataset) -> bool:
    try:
        drawing.from_dataset(data)
    except DataError:
        return False
    return True


def _draw_on() -> None:
    names = state.dataset_of(state.tab().visit.session.recipe).class_names
    _send_pad_event("from")
    if list(names) != list(drawing.CLASSES[: len(names)]):
        listed = (
            f"{letter} is {name}" for letter, name in zip(drawing.CLASSES, names, strict=False)
        )
        _note_edit(("; ".join(listed),) if names else ())


# --- the table ------------------------------------------------------------------------------------


def _apply_edit(before: Drawing, edited: EditResult) -> None:
    """Draw the edited table; points that were put on the pad in the meantime stay."""
    now, after = state.tab().screen_without_data().pad, edited.drawing
    if after != before:
        state.navigation().waiting = None
        state.tab().show_drawing(after if now == before else merge(before, after, now))
        state.skip_address()
    _note_edit(edited.refused, edited.unfinished)


def _note_edit(refused: tuple[str, ...], unfinished: int = 0) -> None:
    """Keep the report on the last edit for `_notes`, with the session that the edit made."""
    st.session_state["draw_notes"] = state.session(), refused, unfinished


def _notes(pad_drawing: Drawing) -> None:
    """Draw the refusals of the last edit, and the number of points."""
    session, refused, unfinished = st.session_state.get("draw_notes", (None, (), 0))
    if session != state.session():  # the drawing has changed since
        refused, unfinished = (), 0
    if refused:
        st.warning("  \n".join(controls.sentence(refusal) for refusal in refused))
    if unfinished:
        st.caption(f"{count(unfinished, 'row')} in the table not complete yet.")
    points = count(len(pad_drawing.rows), "point")
    if drawing.fits_link(pad_drawing):
        st.caption(
            f"{points} of at most {drawing.MAX_ROWS_DRAWN:,}. Type here, or paste from a "
            "spreadsheet."
        )
        return
    st.info(
        f"{points}: a link carries {drawing.MAX_ROWS_IN_LINK}. This browser keeps all of them; "
        "elsewhere the link asks for the file, unless Share gives it to a class: save it. At most "
        f"{drawing.MAX_ROWS_DRAWN:,} can be drawn."
    )


ROWS_SHOWN, TABLE_HEIGHT = 200, 380
DIGITS = 17  # enough to distinguish any two floats


def draw_error(error: DataError) -> None:
    """Draw the page without data: for an empty drawing, or while a file is missing."""
    if isinstance(error, drawing.EmptyDrawingError):
        open_empty(error)
    elif state.navigation().waiting is None:
        controls.show_error(error)
    draw_page(None)


def draw_page(screen: Screen | None) -> None:
    """Draw the page Data; without data `screen` is None."""
    with corner():
        if screen is not None:
            head_controls(screen, settings=None, has_undo=False)
    waiting = state.navigation().waiting
    if waiting is not None:
        controls.show_error(uploads.FileNeededError(waiting.recipe, state.tab().files))
    session = state.session()
    current = session.recipe if session else START_RECIPE
    names = ["Examples", "Draw", "Upload a table"]
    if waiting is not None:
        st.session_state.pop("data_first", None)
    elif not {"data_tabs", "data_first"} <= {*st.session_state}:
        is_example = current.name in GALLERY
        st.session_state["data_first"] = 1 if is_drawing(current) else 0 if is_example else 2
    first = st.session_state.get("data_first", 2)  # kept: another default would make another widget
    tabs = st.tabs(names, key="data_tabs", on_change=state.skip_address, default=names[first])
    if tabs[0].open:
        with tabs[0]:
            _examples(current)
    if tabs[1].open:
        with tabs[1]:
            draw_tab(screen)
    if tabs[2].open:
        with tabs[2]:
            has_table = upload.draw_tab()
            if not has_table and screen is not None and drawing.origin_of(current).private:
                _current_table(current)


def _examples(current: Recipe) -> None:
    """Draw the gallery: cards, and the text, parameters and rows of one example."""
    left, right = st.columns([4, 7], gap="large")
    with left:
        draw_cards("data", current if current.name in GALLERY else START_RECIPE)
    chosen = current if current.name in GALLERY else START_RECIPE
    example = GALLERY[chosen.name]
    data = state.dataset_of(chosen)
    with right:
        with st.container(key="grow_on"):
            grow = grow_button()
        st.markdown(f"**{markdown(example.title)}.** {controls.sentence(example.about)}")
        if example.source:
            st.caption(f"Source: {controls.sentence(example.source)}")
        places = st.columns(max(len(example.params), 1))
        for place, param in zip(places, example.params, strict=False):
            with place:
                draw_param(param, chosen)
        _picture(data, chosen)
        if grow:
            if chosen != current:
                use_recipe(chosen)
            st.switch_page("pages/grow.py")
        controls.show_notes(data.notes, expanded=True)


def _current_table(chosen: Recipe) -> None:
    """Draw the uploaded table that is in use."""
    data = state.dataset_of(chosen)
    size = controls.sentence(upload.size_text(data, count(data.n_grown, "row")))
    st.markdown(
        f"**{markdown(drawing.title_of(chosen))}** is in use: {size}. "
        "To choose another target or other features, give it again."
    )
    _picture(data, chosen)
    controls.show_notes(data.notes, expanded=True)


def _picture(data: Dataset, chosen: Recipe) -> None:
    """Draw the first rows, and beside them the points if the data are small enough."""
    if not can_draw_points(data):
        _first_rows(data)
        return
    left, right = st.columns([3, 2])
    with left:
        draw_points(data, chosen)
    with right:
        _first_rows(data)


def _first_rows(data: Dataset) -> None:
    rows = first_rows(data)
    are_texts = [*map(bool, data.levels[:PREVIEW_COLUMNS]), bool(data.classes)]
    st.dataframe(
        rows,
        hide_index=True,
        height=TABLE_HEIGHT,
        column_config={
            str(name): st.column_config.TextColumn(alignment="left" if is_text else "right")
            for name, is_text in zip(rows, are_texts, strict=True)
        },
        placeholder="missing",
        alt="The first rows as a table",
    )
    if data.n > ROWS_SHOWN:
        st.caption(f"The first {ROWS_SHOWN} of {count(data.n, 'row')}.")
    if len(data.features) > PREVIEW_COLUMNS:
        st.caption(f"The first {PREVIEW_COLUMNS} of {count(len(data.features), 'feature')}.")


def first_rows(data: Dataset) -> pd.DataFrame:
    """Return the first rows as text, numbers as people write them: 165, not 165.0."""
    top = take_rows(data, np.arange(min(data.n, ROWS_SHOWN)))
    shown = top.features[:PREVIEW_COLUMNS]
    columns = [_texts(top, feature) for feature in range(len(shown))]
    targets = [top.class_names[code] for code in top.y] if top.classes else _number_texts(top.y)
    frame = pd.DataFrame(dict(enumerate([*columns, targets])), dtype="string")
    return frame.set_axis([*shown, top.target], axis=1)


def _texts(data: Dataset, feature: int) -> list[str | None]:
    """Return the texts of a column, None for missing values."""
    column = data.columns[feature]
    cells: list[str | None] = [None] * data.n
    row_ids = np.flatnonzero(~np.isnan(column))
    values = column[row_ids]
    is_plain = data.quantities[feature] == PLAIN and not data.levels[feature]
    texts = _number_texts(values) if is_plain else feature_value_texts(data, feature, values)
    for row, text in zip(row_ids.tolist(), texts, strict=True):
        cells[row] = text
    return cells


def _number_texts(values: NDArray[np.float64]) -> list[str]:
    return [number(value, DIGITS) for value in values.tolist()]


PAGE = PageSpec("Data", "data", draw_page, draw_error, shows_files=True)
