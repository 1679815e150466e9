"""Files that come back without being chosen again, as those of a saved screen do."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from dtviz.screen import address
from dtviz.screen.tour import entered
from dtviz.screen.work import Work
from dtviz.slices import Slices
from dtviz.table.data import DataError, Recipe
from dtviz.table.files import Reading, reading
from dtviz.table.saved import Saved
from dtviz.table.uploads import marks_of, places_of
from dtviz.text import markdown
from dtviz.ui import state
from dtviz.ui.page import PAGES
from dtviz.ui.reading import most_bytes
from dtviz.ui.work import work


def found_in(saved: Saved) -> address.Read | None:
    """What the address of a saved screen says, once its tables are read; raises DataError."""
    if saved.page not in PAGES:
        raise DataError(f"it is of a page {saved.page}, and there are only {', '.join(PAGES)}")
    found = address.read(entered(saved.address), state.START)
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
