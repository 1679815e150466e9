"""Examples of the gallery as cards with a picture, and the picture of a dataset."""

from __future__ import annotations

from base64 import b64encode
from functools import cache, partial

import streamlit as st

from dtviz.app import state
from dtviz.app.controls import draw_frame, send_frame
from dtviz.base.text import markdown
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.gallery import GALLERY, GROUPS, example_recipe
from dtviz.data.recipes import title_of
from dtviz.pictures.data_set import overview, thumbnail
from dtviz.pictures.packing import pack
from dtviz.pictures.palette import Theme
from dtviz.session.screen import Screen, short_name
from dtviz.session.session import Session, usual_rules


def cards(place: str, current: Recipe) -> None:
    """Draw a card for every example, by group; a click puts it on screen."""
    for group in GROUPS:
        st.caption(group)
        with st.container(key=f"cards_{place}_{group}", horizontal=True, gap="xsmall"):
            for example in GALLERY.values():
                if example.group == group:
                    _card(place, example.name, current.name == example.name)


def _card(place: str, name: str, is_current: bool) -> None:
    with st.container(key=f"card_{place}_{name}", width=100 if place == "head" else 114, gap=None):
        st.html(_picture(name, state.theme()))
        st.button(
            GALLERY[name].title,
            key=f"pick_{place}_{name}",
            type="primary" if is_current else "tertiary",
            width="stretch",
            on_click=partial(use_example, name),
        )


@cache
def _picture(name: str, theme: Theme) -> str:
    return image(thumbnail(state.dataset_of(_recipe(name)), theme))


def image(svg: str, alt: str = "") -> str:
    """Return an SVG as an HTML image; `alt` describes it for those who do not see it."""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def _recipe(name: str) -> Recipe:
    return state.START if name == state.START.name else example_recipe(name)


def use_example(name: str) -> None:
    """Put an example on screen (use in callbacks)."""
    use_recipe(_recipe(name))


def use_recipe(chosen: Recipe) -> None:
    """Put a recipe on screen, before the first step."""
    st.session_state.pop("waiting", None)
    state.set_session(Session(chosen, usual_rules(chosen, state.dataset_of(chosen).task)))


def picker(screen: Screen) -> None:
    """Draw the popover with the examples and the link to the page Data."""
    recipe = screen.session.recipe
    panel = st.popover(markdown(title_of(recipe)), key="picker", on_change="rerun")
    if not panel.open:
        return
    with panel:
        cards("head", recipe)
        st.page_link(
            "pages/data.py", label="Draw points or upload a table", icon=":material/table:"
        )


MAX_CELLS_DRAWN = 2_000_000
"""Number of cells from which it takes a second and more to choose the features of the axes."""


def plane(data: Dataset, recipe: Recipe) -> None:
    """Draw the points of the data of a recipe; kept for all runs of the page."""
    theme = state.theme()

    def frames() -> tuple[bytes, bytes]:
        points, picture = overview(data, short_name(recipe), theme)
        return pack("cloud", points), pack("stage", picture)

    points, picture = state.tab().cache.get(("overview", recipe, theme), frames)
    send_frame("points", points)
    draw_frame("overview", picture)


def has_plane(data: Dataset) -> bool:
    """True if the dataset is small enough for a picture of its points."""
    return data.columns.size <= MAX_CELLS_DRAWN
