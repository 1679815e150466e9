"""Files that come back without being chosen again, as those of a saved screen do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from dtviz.figures.frame import pack
from dtviz.figures.shelf import shelf_frame
from dtviz.screen import address
from dtviz.screen.shelf import NAME, asking, still
from dtviz.screen.tour import entered
from dtviz.screen.work import Work
from dtviz.slices import Slices
from dtviz.table.data import DataError, Recipe
from dtviz.table.files import Reading, reading
from dtviz.table.saved import Saved
from dtviz.table.uploads import SERVED_FILES, FileNeededError, marks_of, places_of
from dtviz.text import markdown
from dtviz.ui import state
from dtviz.ui.page import PAGES
from dtviz.ui.reading import most_bytes
from dtviz.ui.view import view
from dtviz.ui.work import work


def found_in(saved: Saved) -> address.Read | None:
    """What the address of a saved screen says, once its tables are read; raises DataError."""
    if saved.page not in PAGES:
        raise DataError(f"it is of a page {saved.page}, and there are only {', '.join(PAGES)}")
    found = address.read(entered(saved.address, saved.page), state.START)
    return found if bring(found.recipe, saved.files) else None


def bring(wanted: Recipe, contents: Mapping[str, bytes]) -> bool:
    """Whether those tables of a recipe that are in these contents are read; a slice further.

    Raises DataError where one is no table.
    """
    tab, header = state.tab(), wanted.get("header") is not False
    tables, said = {}, f"Reading {markdown(str(wanted.get('file')))}"
    for place, mark in zip(places_of(wanted), marks_of(wanted), strict=True):
        if place in tab.files:
            tables[place] = tab.files[place]
        elif mark in contents:
            asked = ("brought", place)
            found = work(Work(asked, partial(_table, contents[mark], header), said))
            if found is None:
                return False
            tab.forget(asked.__eq__)
            if isinstance(found, DataError):
                raise found
            tables[place] = found
    tab.give(tables, contents)
    return True


def asks(error: DataError) -> bool:
    """Whether the browser is asked for the files that lack, or these are being read."""
    if not isinstance(error, FileNeededError):
        return False
    tab, wanted = state.tab(), error.recipe
    places = zip(places_of(wanted), marks_of(wanted), strict=True)
    lacking = [mark for place, mark in places if place not in tab.files]
    tab.shelf = asking(tab.shelf, lacking, most_bytes())
    if tab.shelf.lacks:
        return False
    names = " and ".join(f"**{markdown(name)}**" for name in error.names)
    st.caption(f"Looking for {names} among the files that this browser keeps.")
    if not still(tab.shelf) and _brought(wanted):
        st.rerun()
    return True


def _brought(wanted: Recipe) -> bool:
    """Whether the tables of what came are read; where one is no table now it lacks."""
    tab, waiting = state.tab(), st.session_state.get("waiting")
    try:
        done = bring(wanted, tab.shelf.whole)
    except DataError:
        tab.shelf = replace(tab.shelf, lacks=frozenset(tab.shelf.wanted))
        return True
    if done:
        tab.shelf = asking(tab.shelf, (), 0)
    if done and waiting is not None and waiting.recipe == wanted:
        del st.session_state["waiting"]
    return done


def show(told: bool, looking: bool = False) -> None:
    """Have the browser keep the files of the session, and give those it is `looking` for.

    Where it is `told`, how many it keeps is seen, with the button that has it forget them.
    """
    tab, session = state.tab(), state.session()
    recipe = state.START if session is None else session.recipe
    at_hand = tab.contents_of(recipe).items()
    contents = {mark: one for mark, one in at_hand if mark not in SERVED_FILES}
    frame = shelf_frame(tab.shelf, recipe, contents, looking)
    if told or frame["keep"] or frame["wants"]:
        with st.container(key="files" if told else "carry_files"):
            view(NAME, pack(NAME, frame))


def _table(content: bytes, header: bool) -> Slices[Reading | DataError]:
    try:
        return (yield from reading(content, most_bytes(), header))
    except DataError as error:
        return error


def resume(found: address.Read) -> None:
    """Go on where an address was; raises DataError where its data cannot be had."""
    data = state.dataset_of(found.recipe)
    st.session_state.pop("waiting", None)
    session, problems = address.resolve(found, data, state.tab().future(found.recipe))
    state.put(session, problems)


def lead_to(page: str) -> None:
    """Show the session on the page of that path."""
    if st.session_state["page"] == page:
        state.rerun()
    st.switch_page(f"pages/{page}.py")
