"""The pages of the app, in the order of a lecture, and the skeleton that all of them stand in."""

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
from dtviz.app.page import ALONE, PAGES, PageSpec
from dtviz.app.runs import run
from dtviz.data.dataset import DataError
from dtviz.data.uploads import FileNeededError

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


def navigation(app: str) -> Any:
    """The page asked for, with the bar that leads to all; their scripts stand beside the app's."""
    folder = Path(app).parent
    first, *others = PAGES.values()
    home = _page(first, folder, url_path="home", default=True)
    named = _page(first, folder, url_path=first.path, visibility="hidden")
    listed = [_page(page, folder, url_path=page.path) for page in others]
    return st.navigation([home, *listed, named], position="top")


def show(page: PageSpec) -> None:
    """Draw a page; what is done on one that stands `alone` reruns nothing round it.

    Streamlit knows such a part by its function and its place. Each page has one of its own, so that
    what was done as it was left is not answered by the next.
    """

    def draw() -> None:
        with run(st.container(key="working_page")):
            _draw_screen(page)

    draw.__qualname__ = f"{show.__name__}.{page.path}"
    st.session_state["whole"] = True
    (st.fragment(draw, key=ALONE) if page.alone else draw)()


def _draw_screen(page: PageSpec) -> None:
    try:
        screen, problems = state.open_screen(page.path, st.session_state.pop("whole", False))
    except DataError as error:
        looking = uploaded_file.asks(error)
        with st.container(key="looking") if looking else nullcontext():
            (page.without or _without)(error)
        uploaded_file.show(page.files or isinstance(error, FileNeededError), looking)
        return
    ahead = st.session_state.pop("page_ahead", None)
    if ahead in PAGES and ahead != page.path:
        st.switch_page(f"pages/{ahead}.py")
    controls.show_problems(problems)
    page.draw(screen)
    uploaded_file.show(page.files)
    state.close_screen(screen)


def _without(error: DataError) -> None:
    """Why there is no data; where a file is missing it can be given at once, or other data."""
    if not isinstance(error, FileNeededError):
        controls.show_error(error)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        controls.show_error(error)
        if st.button("All ways to give data"):
            st.switch_page("pages/data.py")
    upload.show()


def _page(page: PageSpec, folder: Path, **options: Any) -> Any:
    """A page by its script, where it has one, so that others can lead there by its name."""
    script = folder / "pages" / f"{page.path}.py"
    return st.Page(script if script.is_file() else lambda: show(page), title=page.title, **options)
