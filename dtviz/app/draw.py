"""Draw: a data set put on a pad, point by point, or typed and pasted into the table beside it.

Glossary
    said      what of the last edit of the table was not taken, and the session it made
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from dtviz.app import controls, state
from dtviz.app.cards import image
from dtviz.app.controls import view
from dtviz.app.state import control_args
from dtviz.base.text import count, markdown, quoted
from dtviz.data import drawing
from dtviz.data.dataset import DataError, Dataset, Recipe, recipe
from dtviz.data.drawing import (
    CLASSES,
    COLUMNS,
    MOST,
    Drawing,
    EmptyDrawingError,
    Kind,
    Row,
    cells_of,
    class_of,
    number_of,
    row_of,
)
from dtviz.data.recipes import title_of
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Tree, fold, height
from dtviz.pictures.data_set import empty, grown
from dtviz.session.screen import Screen
from dtviz.session.session import ALL_MOVES, Session, usual_rules

EDITS_KEPT = 60  # a table edited more often begins anew from the drawing it made
HEIGHT = 214
SHOWN = 3
LONGEST_BLOCK = 200_000  # characters
Cells = dict[str, object]


@dataclass(frozen=True, slots=True)
class Edited:
    """What the edits made: the drawing, what was not taken, the number of rows not complete."""

    drawing: Drawing
    refused: tuple[str, ...] = ()
    unfinished: int = 0


Take = Callable[[Drawing, Edited], None]


def table(drawn: Drawing, take: Take) -> None:
    """Show the table; `take(before, edited)` is called, as a callback, when it is edited."""
    turn: int = st.session_state.get("draw_turn", 0)
    base: Drawing | None = st.session_state.get("draw_base")
    edits = st.session_state.get(f"draw_table_{turn}")
    if base is None or _edit_count(edits) > EDITS_KEPT or edited(base, edits).drawing != drawn:
        turn, base = turn + 1, drawn
        st.session_state["draw_turn"], st.session_state["draw_base"] = turn, base
    names = COLUMNS[base.kind]
    cells = [cells_of(base.kind, row) for row in base.rows]
    st.data_editor(
        pd.DataFrame(cells, columns=list(names), dtype="string"),
        key=f"draw_table_{turn}",
        num_rows="dynamic",
        hide_index=True,
        height=HEIGHT,
        column_config={name: _column(name) for name in names},
        on_change=_typed,
        args=(turn, base, drawn, take),
        placeholder="",
        alt="The points as a table; type or paste into it",
    )


def _column(name: str) -> Any:
    letter = name == "class"
    return st.column_config.TextColumn(
        name,
        alignment="center" if letter else "right",
        help=f"A letter from A to {CLASSES[-1]}" if letter else "A number",
    )


def _typed(turn: int, base: Drawing, drawn: Drawing, take: Take) -> None:
    take(drawn, edited(base, st.session_state[f"draw_table_{turn}"]))


def merged(before: Drawing, after: Drawing, now: Drawing) -> Drawing:
    """The drawing as it is now, with what was done from before to after done to it."""
    gone = Counter(before.rows) - Counter(after.rows)
    new = Counter(after.rows) - Counter(before.rows)
    kept = []
    for row in now.rows:
        if gone[row] > 0:
            gone[row] -= 1
        else:
            kept.append(row)
    return Drawing(now.kind, (*kept, *new.elements())[:MOST])


def edited(base: Drawing, edits: object) -> Edited:
    """The drawing after the edits, with a sentence on each cell that was not taken.

    A cell of a row there already keeps its value if the new one is none; a new row counts once
    all its cells do.
    """
    changes, added, deleted = _parts(base, edits)
    refused: list[str] = []
    rows = [
        _rewritten(base.kind, row, changes.get(at, {}), refused)
        for at, row in enumerate(base.rows)
        if at not in deleted
    ]
    unfinished = 0
    for cells in added:
        begun, row = _new(base.kind, cells, refused)
        unfinished += begun and row is None
        rows += [row] if row is not None else []
    after = Drawing(base.kind, tuple(rows[:MOST]))
    return Edited(after, _sentences(refused, len(rows)), unfinished)


def _parts(base: Drawing, edits: object) -> tuple[dict[int, Cells], list[Cells], set[int]]:
    """The cells changed by row, the rows added, and which were deleted; blocks are spread out."""
    given = edits if isinstance(edits, Mapping) else {}
    names, many = COLUMNS[base.kind], len(base.rows)
    changes, added, deleted = (given.get(f"{part}_rows") for part in ("edited", "added", "deleted"))
    out: dict[int, Cells] = {}
    more: list[Cells] = []
    for at, cells in list(changes.items())[:MOST] if isinstance(changes, Mapping) else ():
        if type(at) is int and 0 <= at < many:
            for below, line in enumerate(_spread(cells, names)):
                if at + below < many:
                    out.setdefault(at + below, {}).update(line)
                else:
                    more.append(line)
    for cells in added[: 2 * MOST] if isinstance(added, list) else ():
        more += _spread(cells, names)
    gone = deleted[:MOST] if isinstance(deleted, list) else []
    return out, more[: 2 * MOST], {at for at in gone if type(at) is int}


def _spread(cells: object, names: tuple[str, ...]) -> list[Cells]:
    """The cells of one row by name, or of several if one of them holds a block."""
    first = {n: cells[n] for n in names if n in cells} if isinstance(cells, Mapping) else {}
    out: list[Cells] = [first]
    for place, name in enumerate(names):
        if _is_block(first.get(name)):
            lines = str(first.pop(name))[:LONGEST_BLOCK].strip("\r\n").splitlines()
            for below, line in enumerate(lines[: 2 * MOST]):
                out += [{}] if below == len(out) else []
                out[below].update(zip(names[place:], line.split("\t"), strict=False))
    return out


def _is_block(cell: object) -> bool:
    return isinstance(cell, str) and any(mark in cell for mark in "\t\n\r")


def _rewritten(kind: Kind, row: Row, cells: Mapping[Any, Any], refused: list[str]) -> Row:
    texts = list(cells_of(kind, row))
    for place, name in enumerate(COLUMNS[kind]):
        if name in cells:
            taken = _taken(name, cells[name], refused)
            texts[place] = texts[place] if taken is None else taken
    return row_of(kind, texts) or row


def _new(kind: Kind, cells: Cells, refused: list[str]) -> tuple[bool, Row | None]:
    """Whether anything stands in these cells, and the row they make, if they do."""
    texts = [
        _taken(name, cells[name], refused) if cells.get(name) not in (None, "") else None
        for name in COLUMNS[kind]
    ]
    return any(cell not in (None, "") for cell in cells.values()), row_of(kind, texts)


def _taken(name: str, cell: object, refused: list[str]) -> str | None:
    """The text of the cell, if it can stand in the column of that name."""
    known = (class_of if name == "class" else number_of)(cell)
    if known is not None:
        return str(cell)
    noun = f"class from A to {CLASSES[-1]}" if name == "class" else "number a drawing can hold"
    text = cell if isinstance(cell, str) else "" if cell is None else str(type(cell).__name__)
    refused.append(f"{quoted(text)} is no {noun}")
    return None


def _sentences(refused: list[str], many: int) -> tuple[str, ...]:
    out = list(dict.fromkeys(refused))[:SHOWN]
    if len(refused) > len(out):
        out.append(f"{count(len(refused), 'cell')} in all not taken")
    if many > MOST:
        out.append(f"at most {MOST:,} points; the last {many - MOST:,} were left out")
    return tuple(out)


def _edit_count(edits: object) -> int:
    """How much was edited; a block is too much at once."""
    given = edits if isinstance(edits, Mapping) else {}
    parts = [part for part in given.values() if isinstance(part, list | dict)]
    rows = [row for part in parts for row in (part.values() if isinstance(part, dict) else part)]
    cells = (cell for row in rows[:EDITS_KEPT] if isinstance(row, dict) for cell in row.values())
    return EDITS_KEPT + 1 if any(map(_is_block, cells)) else len(rows)


KIND_NAMES: dict[Kind, str] = {
    "classes": "Classes",
    "colour": "Number by colour",
    "height": "Number by height",
}


def show(screen: Screen | None) -> None:
    """Draw the tab."""
    blank = state.tab().blank()
    drawn = blank.pad
    left, right = st.columns([3, 2], gap="medium")
    with left:
        _head(drawn)
        view("pad", state.tab().parcel("pad", blank, state.theme()))
    with right:
        _live(screen if drawn.rows else None)
        table(drawn, _take)
        _size(drawn)
        with st.container(horizontal=True):
            _ways_on(drawn, screen)


def _live(screen: Screen | None) -> None:
    """The tree that the points give, in small, as it is after every change."""
    with st.container(key="live_tree"):
        if screen is None:
            st.html(image(empty(state.theme())))
            st.caption("The tree of your points grows here.")
            return
        tree = _whole(screen)
        said = f"{count(len(tree.rows), 'leaf')}, height {height(tree)}"
        st.html(image(grown(screen.data, tree, state.theme()), f"The tree of the points: {said}"))
        st.caption(f"The tree of these points: {said}.")


def _whole(screen: Screen) -> Tree:
    """The tree that the rules grow to the end, whatever step is shown."""
    data, rules, future = screen.data, screen.session.rules, screen.future
    asked = "whole", screen.session.recipe, rules
    return screen.keep.get(
        asked, lambda: fold(Problem(data, rules), future(rules, (), None, ALL_MOVES))
    )


def _ways_on(drawn: Drawing, screen: Screen | None) -> None:
    """The buttons under the table: on to the tree, into a file, or here from an example."""
    if grow_button(bool(drawn.rows)):
        st.switch_page("pages/grow.py")
    if not drawing.travels(drawn):
        st.download_button(
            f"Save {markdown(drawing.FILE)}",
            drawing.csv(drawn),
            drawing.FILE,
            "text/csv",
            icon=":material/download:",
            on_click="ignore",
        )
    if screen is not None and not drawn.rows and _fits(screen.data):
        title = markdown(title_of(screen.session.recipe))
        st.button(f"Draw on from {title}", icon=":material/edit:", on_click=_draw_on)


def grow_button(ready: bool = True) -> bool:
    """The button that leads from data to its tree; whether it was pressed."""
    icon = ":material/account_tree:"
    text = "Grow a tree on it"
    return st.button(
        text, type="primary", icon=icon, disabled=not ready, on_click=state.skip_address
    )


def shows(wanted: Recipe) -> bool:
    """Whether the data is a drawing, so that the pad shows it."""
    return drawing.drawing_in(wanted, state.dataset_of) is not None


def take_up(error: EmptyDrawingError) -> None:
    """Go on with an empty drawing: it has no tree, but an address."""
    empty = drawing.recipe_of(error.drawing)
    session = state.session()
    if session is None or session.recipe != empty:
        given = recipe(empty.name, **dict(empty.params), points=st.query_params.get("points", ""))
        controls.show_problems(drawing.problems(given))
        state.tab().become(Session(empty, usual_rules(empty, error.drawing.task)))
    wanted = {"data": empty.name, "kind": error.drawing.kind}
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
    state.note_address(wanted)


def _use(drawn: Drawing) -> None:
    """Put the drawing on screen."""
    st.session_state.pop("waiting", None)
    state.tab().draw(drawn)
    state.skip_address()


# --- above the pad --------------------------------------------------------------------------------


def _head(drawn: Drawing) -> None:
    """What a tree is to predict."""
    st.segmented_control(
        "A tree predicts",
        drawing.KINDS,
        format_func=lambda kind: KIND_NAMES[kind],
        **control_args("draw_kind", drawn.kind, lambda kind: _act("kind", kind=kind), "default"),
    )


def _act(what: str, **event: Any) -> None:
    """Do what a control of the pad asks; a drawing waits for no file."""
    before = state.session()
    state.act("pad", what, **event)
    if state.session() != before:
        st.session_state.pop("waiting", None)


def _fits(data: Dataset) -> bool:
    try:
        drawing.from_dataset(data)
    except DataError:
        return False
    return True


def _draw_on() -> None:
    names = state.dataset_of(state.tab().visit.session.recipe).class_names
    _act("from")
    if list(names) != list(drawing.CLASSES[: len(names)]):
        listed = (
            f"{letter} is {name}" for letter, name in zip(drawing.CLASSES, names, strict=False)
        )
        _say(("; ".join(listed),) if names else ())


# --- the table ------------------------------------------------------------------------------------


def _take(before: Drawing, edited: Edited) -> None:
    """Make what the table became the drawing; what the pad did meanwhile stays."""
    now, after = state.tab().blank().pad, edited.drawing
    if after != before:
        _use(after if now == before else merged(before, after, now))
    _say(edited.refused, edited.unfinished)


def _say(refused: tuple[str, ...], unfinished: int = 0) -> None:
    """What of the last edit to tell under the table."""
    st.session_state["draw_said"] = state.session(), refused, unfinished


def _size(drawn: Drawing) -> None:
    """How many points there are, and what was not taken."""
    of, said, unfinished = st.session_state.get("draw_said", (None, (), 0))
    if of != state.session():  # the pad has gone on since
        return _many(drawn)
    if said:
        st.warning("  \n".join(controls.sentence(one) for one in said))
    if unfinished:
        st.caption(f"{count(unfinished, 'row')} in the table not complete yet.")
    return _many(drawn)


def _many(drawn: Drawing) -> None:
    many = count(len(drawn.rows), "point")
    if drawing.travels(drawn):
        st.caption(f"{many} of at most {drawing.MOST:,}. Type here, or paste from a spreadsheet.")
        return
    st.info(
        f"{many}: a link carries {drawing.LINK_POINTS}. This browser keeps all of them; "
        f"elsewhere the link asks for the file: save it. At most {drawing.MOST:,} can be drawn."
    )
