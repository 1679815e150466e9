"""Draw: a data set put on a pad, point by point, or typed and pasted into the table beside it.

Glossary
    seen      the number of the last step of the pad that was done; the pad sends a step again
              until a frame has its number
    file      a drawing too long for a link is kept as if its table had been uploaded
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.rules import default_rules
from dtviz.figures.kinds import Pad, Swatch
from dtviz.figures.palette import SCALE, class_colour, class_symbol, step_of
from dtviz.screen.session import Session
from dtviz.table import drawing
from dtviz.table.data import DataError, Dataset, Recipe, recipe
from dtviz.table.drawing import Drawing, EmptyDrawingError, Kind
from dtviz.table.origins import title_of
from dtviz.table.read import read_frame
from dtviz.text import count, markdown
from dtviz.ui import controls, state
from dtviz.ui.draw_table import Edited, merged, table
from dtviz.ui.state import Screen
from dtviz.ui.view import view

KIND_NAMES: dict[Kind, str] = {
    "classes": "Classes",
    "colour": "Number by colour",
    "height": "Number by height",
}
RANGE = (0, 10)
STEPS_AT_ONCE = 200
LARGEST_STEP = 2**40


def show(screen: Screen | None) -> None:
    """Draw the tab."""
    drawn = current()
    _head(drawn)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        view("pad", "pad", frame_of(drawn), _did)
    with right:
        table(drawn, _take)
        _size(drawn)
        with st.container(horizontal=True):
            _ways_on(drawn, screen)


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
    return st.button(text, type="primary", icon=icon, disabled=not ready, on_click=state.hold)


def current() -> Drawing:
    """The drawing on screen; an empty one if the data on screen is none."""
    session: Session | None = st.session_state.get("session")
    found = drawing.drawing_in(session.recipe, state.dataset_of) if session is not None else None
    return found or Drawing(st.session_state.get("drawing_kind", "classes"))


def shows(wanted: Recipe) -> bool:
    """Whether the data is a drawing, so that the pad shows it."""
    return drawing.drawing_in(wanted, state.dataset_of) is not None


def take_up(error: EmptyDrawingError) -> None:
    """Go on with an empty drawing: it has no tree, but an address."""
    empty = drawing.recipe_of(error.drawing)
    session: Session | None = st.session_state.get("session")
    if session is None or session.recipe != empty:
        given = recipe(empty.name, **dict(empty.params), points=st.query_params.get("points", ""))
        controls.show_problems(drawing.problems(given))
        st.session_state["session"] = Session(empty, default_rules(error.drawing.task))
    wanted = {"data": empty.name, "kind": error.drawing.kind}
    if dict(st.query_params) != wanted:
        st.query_params.from_dict(wanted)
    st.session_state["written"] = wanted


def _use(drawn: Drawing) -> None:
    """Put the drawing on screen, before the first step; rules that suit it stay."""
    st.session_state.pop("asked", None)
    st.session_state["drawing_kind"] = drawn.kind
    before: Session | None = st.session_state.get("session")
    rules = default_rules(drawn.task)
    if before is not None and CRITERIA[before.rules.criterion].task == drawn.task:
        rules = before.rules
    carried = drawing.recipe_of(drawn) if drawing.travels(drawn) else _kept(drawn)
    state.put(Session(carried, rules))
    _forget()


def _kept(drawn: Drawing) -> Recipe:
    """The recipe of the drawing as a file, which is kept in this tab as if it had been given."""
    content = drawing.csv(drawn)
    mark = state.fingerprint(content)
    state.keep_file(mark, *read_frame(content))
    st.session_state.setdefault("drawn_files", set()).add(mark)
    return drawing.file_recipe(drawn, mark)


def _forget() -> None:
    """Let go of the files of drawings that no undo comes back to."""
    sessions = [st.session_state["session"]]
    for stack in ("past", "ahead"):
        sessions += st.session_state.get(stack, [])
    used = {session.recipe.get("sha") for session in sessions}
    made: set[str] = st.session_state.get("drawn_files", set())
    for mark in made - used:
        st.session_state["files"].pop(mark, None)
    built: dict[Recipe, Dataset] = st.session_state.get("datasets", {})
    for wanted in [one for one in built if one.get("sha") in made - used]:
        del built[wanted]
    made &= used


# --- above the pad --------------------------------------------------------------------------------


def _head(drawn: Drawing) -> None:
    """What a tree is to predict."""
    st.session_state["draw_kind"] = drawn.kind
    st.segmented_control(
        "A tree predicts",
        drawing.KINDS,
        key="draw_kind",
        format_func=lambda kind: KIND_NAMES[kind],
        on_change=_other_kind,
    )


def _other_kind() -> None:
    kind: Kind | None = st.session_state["draw_kind"]
    drawn = current()
    if kind is None or kind == drawn.kind:
        return
    st.session_state["drawing_kind"] = kind
    if _is_drawing():
        _use(drawing.convert(drawn, kind))


def _is_drawing() -> bool:
    session: Session | None = st.session_state.get("session")
    return session is not None and shows(session.recipe)


def _fits(data: Dataset) -> bool:
    try:
        drawing.from_dataset(data)
    except DataError:
        return False
    return True


def _draw_on() -> None:
    data = state.dataset_of(st.session_state["session"].recipe)
    drawn = drawing.from_dataset(data)
    _use(drawn)
    st.session_state["pad_fit"] = st.session_state.get("pad_fit", 0) + 1
    names = data.class_names
    if list(names) != list(drawing.CLASSES[: len(names)]):
        listed = (
            f"{letter} is {name}" for letter, name in zip(drawing.CLASSES, names, strict=False)
        )
        _say(("; ".join(listed),) if names else ())


# --- the pad --------------------------------------------------------------------------------------


def frame_of(drawn: Drawing) -> Pad:
    """What the pad is given; see dtviz/frontend/pad/pad.js."""
    x, y, value = np.array(drawn.rows, dtype=float).reshape(-1, 3).T
    return {
        "target": drawn.kind,
        "axes": ["x", "y"] if drawn.kind == "height" else ["x1", "x2"],
        "palette": _palette(drawn.kind),
        "scale": SCALE,
        "range": RANGE,
        "most": drawing.MOST,
        "seen": st.session_state.get("pad_seen", 0),
        "past": _drawn_otherwise("past"),
        "ahead": _drawn_otherwise("ahead"),
        "fit": st.session_state.get("pad_fit", 0),
        "x": x,
        "y": y,
        "value": value,
    }


def _drawn_otherwise(stack: str) -> bool:
    """Whether undo ('past') or redo ('ahead') changes the data, and not a step of the tree."""
    sessions = st.session_state.get(stack) or []
    return bool(sessions) and sessions[-1].recipe != st.session_state["session"].recipe


def _palette(kind: Kind) -> list[Swatch]:
    if kind == "classes":
        return [
            _swatch(letter, f"class {letter}", code, class_colour(code), class_symbol(code))
            for code, letter in enumerate(drawing.CLASSES)
        ]
    if kind == "height":
        return [_swatch("", "a point", 0, class_colour(0))]
    values = range(RANGE[0], RANGE[1] + 1, 2)
    return [_swatch(str(v), f"value {v}", v, SCALE[step_of(v, *RANGE)]) for v in values]


def _swatch(name: str, said: str, value: int, colour: str, symbol: str = "circle") -> Swatch:
    return {"name": name, "said": said, "value": value, "colour": colour, "symbol": symbol}


def _did(event: Mapping[str, Any]) -> None:
    """Do the steps of the pad that were not done yet, in their order."""
    state.hold()
    steps = event.get("steps")
    for step in steps[:STEPS_AT_ONCE] if isinstance(steps, list) else ():
        number = step.get("n") if isinstance(step, dict) else None
        seen = st.session_state.get("pad_seen", 0)
        if type(number) is int and seen < number < LARGEST_STEP:
            st.session_state["pad_seen"] = number
            _do(step)


def _do(step: Mapping[str, Any]) -> None:
    _say()
    match step.get("what"):
        case "undo" if _drawn_otherwise("past"):
            state.undo()
        case "redo" if _drawn_otherwise("ahead"):
            state.redo()
        case "points":
            before = current()
            after = drawing.changed(before, step.get("change"), step.get("target"))
            if after != before:
                _use(after)


# --- the table ------------------------------------------------------------------------------------


def _take(before: Drawing, edited: Edited) -> None:
    """Make what the table became the drawing; what the pad did meanwhile stays."""
    now, after = current(), edited.drawing
    _say(edited.refused, edited.unfinished)
    if after != before:
        _use(after if now == before else merged(before, after, now))


def _say(refused: tuple[str, ...] = (), unfinished: int = 0) -> None:
    """What of the last edit to tell under the table."""
    st.session_state["draw_said"] = refused, unfinished


def _size(drawn: Drawing) -> None:
    """How many points there are, and what was not taken."""
    said, unfinished = st.session_state.get("draw_said", ((), 0))
    if said:
        st.warning("  \n".join(controls.sentence(one) for one in said))
    if unfinished:
        st.caption(f"{count(unfinished, 'row')} in the table not complete yet.")
    many = count(len(drawn.rows), "point")
    if drawing.travels(drawn):
        st.caption(f"{many} of at most {drawing.MOST:,}. Type here, or paste from a spreadsheet.")
        return
    st.info(
        f"{many}: a link carries {drawing.LINK_POINTS}. Save the file, the link will ask for it. "
        f"At most {drawing.MOST:,} can be drawn."
    )
