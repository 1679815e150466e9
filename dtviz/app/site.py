"""Pages of the app in the order of a lecture: how they are found, drawn, and loaded in advance."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import streamlit as st

from dtviz.app import (
    controls,
    data_page,
    forest_page,
    grow_page,
    impurity_page,
    learn_page,
    overfit_page,
    stability_page,
    state,
    upload,
    uploaded_file,
)
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import FRAGMENT_KEY, PAGES, PageSpec
from dtviz.app.runs import run
from dtviz.data import gallery
from dtviz.data.dataset import DataError
from dtviz.data.uploads import FileNeededError
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import root_tree
from dtviz.models.steps import node_candidates

for page in (
    grow_page.PAGE,
    data_page.PAGE,
    overfit_page.PAGE,
    stability_page.PAGE,
    forest_page.PAGE,
    impurity_page.PAGE,
    learn_page.PAGE,
):
    PAGES[page.path] = page


def navigation(app_path: str) -> Any:
    """Draw the bar of all pages; return the page of the address. `app_path` is that of app.py."""
    folder = Path(app_path).parent
    first, *others = PAGES.values()
    # The first page is shown at the bare address too; its own address is not in the bar twice
    home = _page(first, folder, url_path="home", default=True)
    hidden = _page(first, folder, url_path=first.path, visibility="hidden")
    listed = [_page(page, folder, url_path=page.path) for page in others]
    return st.navigation([home, *listed, hidden], position="top")


def show(page: PageSpec) -> None:
    """Draw a page, as a Streamlit fragment if the page can run as one."""

    def draw() -> None:
        with run(st.container(key="working_page")):
            _draw_screen(page)

    # Streamlit knows a fragment by the name of its function and its position on the page. With one
    # name for all, a page would handle an event that was sent by the page before it
    draw.__qualname__ = f"{show.__name__}.{page.path}"
    st.session_state["is_page_run"] = True
    (st.fragment(draw, key=FRAGMENT_KEY) if page.is_fragment else draw)()


def _draw_screen(page: PageSpec) -> None:
    """Draw the screen of this run on a page, or the reason why it cannot be made."""
    try:
        screen, problems = state.open_screen(page.path, st.session_state.pop("is_page_run", False))
    except DataError as error:
        is_looking = uploaded_file.ask_browser(error)
        with st.container(key="looking") if is_looking else nullcontext():
            (page.draw_error or _draw_error)(error)
        uploaded_file.draw_shelf(page.shows_files or isinstance(error, FileNeededError), is_looking)
        return
    next_page = state.navigation().take_next_page()
    if next_page in PAGES and next_page != page.path:
        state.name_screen_left()
        st.switch_page(f"pages/{next_page}.py")
    controls.show_problems(problems)
    controls.narration(screen.session)
    page.draw(screen)
    uploaded_file.draw_shelf(page.shows_files)
    state.close_screen(screen)


def _draw_error(error: DataError) -> None:
    """Show why there are no data, and the ways to give a missing file or other data."""
    if not isinstance(error, FileNeededError):
        controls.show_error(error)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        controls.show_error(error)
        if st.button("All ways to give data"):
            st.switch_page("pages/data.py")
    upload.draw_tab()


def _page(page: PageSpec, folder: Path, **options: Any) -> Any:
    """Return the page as Streamlit has it; `st.switch_page` can open a page that has a script."""
    script = folder / "pages" / f"{page.path}.py"
    return st.Page(script if script.is_file() else lambda: show(page), title=page.title, **options)


def warm_up() -> None:
    """Import the first page and search the root of its tree: the first visitor then waits less."""
    data = gallery.build(START_RECIPE)
    rules = default_rules(data.task)
    problem = Problem(data, rules)
    node_candidates(problem, root_tree(problem), 1)
