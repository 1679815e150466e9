"""Another table given to the tree on screen, and taken away with its predictions."""

from __future__ import annotations

import streamlit as st

from dtviz.model import Model
from dtviz.scored import csv, problems, scored
from dtviz.screen.screen import Screen
from dtviz.table.data import DataError
from dtviz.table.retype import as_alike, types_in
from dtviz.text import clean, count
from dtviz.ui import controls, state
from dtviz.ui.controls import sentence
from dtviz.ui.reading import uploaded
from dtviz.ui.uploader import uploader


def score_table(screen: Screen) -> None:
    """The file, what is odd about its rows, and the way to take it away."""
    file = uploader(
        "Another table, to predict its rows by this tree",
        "scored",
        "With the features by their names. It comes back with prediction, leaf and the shares "
        "of the classes as columns; its own cells are written as they were read",
    )
    table = None if file is None else uploaded(file, True, "scored")
    if isinstance(table, DataError):
        st.error(sentence(str(table)))
    if table is None or isinstance(table, DataError):
        return
    session = screen.session
    model = Model(screen.data, session.rules, session.log, screen.tree)
    try:
        frame = as_alike(table.frame, types_in(session.recipe.get("types")))
        key = ("problems", session.recipe, session.rules.missing, table.mark)
        notes = state.tab().keep.get(key, lambda: problems(model, frame))
    except DataError as error:
        st.error(sentence(str(error)))
        return
    st.download_button(
        f"Download {count(len(frame), 'row')} with predictions",
        lambda: csv(scored(model, frame)),
        f"scored {clean(table.name).rsplit('.', 1)[0]}.csv",
        "text/csv",
        on_click="ignore",
    )
    controls.show_notes((*table.notes, *notes))
