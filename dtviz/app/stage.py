"""Points of the data, and the cards of the examples."""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from functools import cache, partial
from typing import Any

import streamlit as st

from dtviz.app import state
from dtviz.app.controls import draw_frame
from dtviz.app.navigation import START_RECIPE
from dtviz.app.state import control_args
from dtviz.base.text import markdown
from dtviz.data.dataset import DataError, Dataset, Recipe
from dtviz.data.drawing import title_of
from dtviz.data.gallery import GALLERY, GROUPS, Param, example_recipe, page_param
from dtviz.pictures.data_set import overview, thumbnail
from dtviz.pictures.packing import pack, pack_parts
from dtviz.pictures.scales import Theme
from dtviz.session.screen import Screen, short_name
from dtviz.session.session import Session, usual_rules


def draw_cards(location: str, current: Recipe) -> None:
    """Draw a card for every example, by group; a click puts the example on screen.

    `location` is where the cards stand, 'head' or 'data': part of their keys.
    """
    for group in GROUPS:
        st.caption(group)
        with st.container(key=f"cards_{location}_{group}", horizontal=True, gap="xsmall"):
            for example in GALLERY.values():
                if example.group == group:
                    _draw_card(location, example.name, current.name == example.name)


def _draw_card(location: str, name: str, is_current: bool) -> None:
    with st.container(
        key=f"card_{location}_{name}", width=100 if location == "head" else 114, gap=None
    ):
        st.html(_thumbnail_image(name, state.theme()))
        st.button(
            GALLERY[name].title,
            key=f"pick_{location}_{name}",
            type="primary" if is_current else "tertiary",
            width="stretch",
            on_click=partial(use_example, name),
        )


@cache
def _thumbnail_image(name: str, theme: Theme) -> str:
    return image_tag(thumbnail(state.dataset_of(_example_recipe(name)), theme))


def image_tag(svg: str, alt: str = "") -> str:
    """Return an SVG as an HTML image; `alt` describes it for users who do not see it."""
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}">'


def _example_recipe(name: str) -> Recipe:
    return START_RECIPE if name == START_RECIPE.name else example_recipe(name)


def use_example(name: str) -> None:
    """Put an example on screen: for callbacks, which run before the page is drawn."""
    use_recipe(_example_recipe(name))


def use_recipe(recipe: Recipe) -> None:
    """Put a recipe on screen, with its default rules and no step made."""
    state.navigation().waiting = None
    state.set_session(Session(recipe, usual_rules(recipe, state.dataset_of(recipe).task)))


def draw_param(param: Param, chosen: Recipe) -> None:
    """Draw the control of a parameter of an example; a new value puts other data on screen."""
    value: Any = chosen.get(param.name)
    if param.kind == "names":
        names = list(param.choices if value is None else value)
        args = _param_args(param, chosen, names, "default")
        st.multiselect(param.name, param.choices, help=param.help, **args)
    elif param.kind == "int":
        low, high = int(param.low or 0), int(page_param(param).high or 0)
        args = _param_args(param, chosen, int(value))
        st.number_input(param.name, low, high, step=1, help=param.help, **args)
    else:
        st.slider(
            param.name,
            float(param.low or 0),
            float(param.high or 1),
            step=0.05,
            help=param.help,
            **_param_args(param, chosen, float(value)),
        )


def _param_args(
    param: Param, chosen: Recipe, value: object, value_name: str = "value"
) -> dict[str, Any]:
    apply = partial(_set_param, param, chosen)
    return control_args(f"param_{param.name}", value, apply, value_name)


def _set_param(param: Param, chosen: Recipe, value: Any) -> None:
    if value is None or (param.kind == "names" and not value):
        return
    value = tuple(value) if param.kind == "names" else value
    with suppress(DataError):
        use_recipe(example_recipe(chosen.name, **{**dict(chosen.params), param.name: value}))


def draw_picker(screen: Screen) -> None:
    """Draw the popover with the examples, their noise and the link to the page Data."""
    recipe = screen.session.recipe
    panel = st.popover(markdown(title_of(recipe)), key="picker", on_change="rerun")
    if not panel.open:
        return
    with panel:
        # first: on a phone the cards do not fit, and the panel scrolls
        st.page_link(
            "pages/data.py", label="Draw points or upload a table", icon=":material/table:"
        )
        draw_cards("head", recipe)
        example = GALLERY.get(recipe.name)
        for param in example.params if example else ():
            if param.name == "noise":
                draw_param(param, recipe)


MAX_CELLS_DRAWN = 2_000_000
"""Cells of a dataset whose points are drawn, at most: of more, choosing axes takes over 1 s."""


def draw_points(data: Dataset, recipe: Recipe) -> None:
    """Draw the points of the data of a recipe; the frames are kept for later runs of the page."""
    theme = state.theme()

    def letter() -> bytes:
        points, picture = overview(data, short_name(recipe), theme)
        parts = {"cloud": pack("cloud", points), "overview": pack("stage", picture)}
        return pack_parts("overview", parts)

    draw_frame("overview", state.tab().cache.get(("overview", recipe, theme), letter))


def can_draw_points(data: Dataset) -> bool:
    """True if the dataset is small enough for a picture of its points."""
    return data.columns.size <= MAX_CELLS_DRAWN
