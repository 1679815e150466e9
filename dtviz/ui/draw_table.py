"""The drawing as a table: each cell typed or pasted there becomes part of a point or a sentence.

Glossary
    base      the drawing the table began with
    edits     what was done to the table since, as streamlit tells it: cells changed, rows added,
              rows deleted
    turn      how often the table began anew: when the drawing was changed elsewhere
    block     lines of cells, parted by tabs, pasted into a single cell: they spread from there
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from dtviz.table.drawing import (
    CLASSES,
    COLUMNS,
    MOST,
    Drawing,
    Kind,
    Row,
    cells_of,
    class_of,
    number_of,
    row_of,
)
from dtviz.text import count, quoted

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
    if base is None or _many(edits) > EDITS_KEPT or edited(base, edits).drawing != drawn:
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


def _many(edits: object) -> int:
    """How much was edited; a block is too much at once."""
    given = edits if isinstance(edits, Mapping) else {}
    parts = [part for part in given.values() if isinstance(part, list | dict)]
    rows = [row for part in parts for row in (part.values() if isinstance(part, dict) else part)]
    cells = (cell for row in rows[:EDITS_KEPT] if isinstance(row, dict) for cell in row.values())
    return EDITS_KEPT + 1 if any(map(_is_block, cells)) else len(rows)
