"""Pictures of Grow and Data: stage, tree, time-line, points, and the cards of the examples."""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left
from functools import cache, partial

import numpy as np
import streamlit as st

from dtviz.app import state
from dtviz.app.controls import draw_frame, send_frame, sentence
from dtviz.base.text import clean, markdown
from dtviz.data.dataset import Dataset, Recipe
from dtviz.data.drawing import title_of
from dtviz.data.gallery import GALLERY, GROUPS, example_recipe
from dtviz.explain.words import candidate_text, feature_value_texts
from dtviz.pictures import stage_cuts
from dtviz.pictures.data_set import overview, thumbnail
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import Theme
from dtviz.pictures.stage import caption, slice_text
from dtviz.session.screen import Screen, short_name
from dtviz.session.session import MAX_PINS, Session, usual_rules


def draw_timeline(screen: Screen) -> None:
    """Draw the time-line with its buttons, undo and redo."""
    with st.container(key="time-line"):
        draw_frame("line", state.tab().pack_picture("line", screen, state.theme()))


def draw_stage(screen: Screen) -> None:
    """Draw the stage with the cuts of the node in focus, and its caption."""
    tab, theme = state.tab(), state.theme()
    send_frame(_picture_key("points", screen), tab.pack_picture("cloud", screen, theme))
    draw_frame(_picture_key("stage", screen), tab.pack_picture("stage", screen, theme))
    if words := caption_of(screen):
        with st.container(key=_picture_key("caption", screen)):
            st.caption(sentence(words))


def caption_of(screen: Screen) -> str:
    """Return the text under the stage; '' for none."""
    node_view, pins = screen.node_view, screen.session.pins
    values = stage_cuts.pinned_values_at(screen.data, screen.tree, screen.node, pins)
    words = caption(screen.data, node_view.candidates, node_view.axes, values, pins)
    if node_view.index is not None and not stage_cuts.is_drawn(
        screen.data, node_view.candidates, node_view.index, node_view.axes
    ):
        cut = candidate_text(screen.data, node_view.candidates, node_view.index)
        words = f"The cut {cut} is on neither axis chosen. {words}"
    if stage_cuts.pinnable_features(screen.data, screen.tree, node_view.axes):
        words = f"{stage_cuts.NEARNESS_NOTE} {words}"
    return words


def draw_tree(screen: Screen) -> None:
    """Draw the tree; a click or Enter makes a node the focus."""
    draw_frame(
        _picture_key("tree", screen), state.tab().pack_picture("tree", screen, state.theme())
    )


def send_next_step(screen: Screen) -> None:
    """Send the pictures of the next step ahead, so that they can be shown at once."""
    frames = state.tab().pack_next_step(screen, state.theme())
    if frames is not None:
        send_frame("prefetch", frames)


def _picture_key(name: str, screen: Screen) -> str:
    """Return the key of a picture; the second of two screens side by side has its own keys."""
    return f"{name}_beside" if screen.second_stamp else name


def slice_caption(screen: Screen) -> str:
    """Return the caption of a plane whose slice does not follow the focus."""
    pins = screen.session.pins
    return slice_text(screen.data, screen.axes, stage_cuts.pinned_values(screen.data, pins), pins)


def draw_slice_sliders(screen: Screen) -> None:
    """Draw a slider for each feature that can be pinned."""
    features = stage_cuts.pinnable_features(screen.data, screen.tree, screen.node_view.axes)[
        :MAX_PINS
    ]
    panel = st.popover(
        "Slice",
        icon=":material/layers:",
        key="slice",
        disabled=not features,
        on_change="rerun",
        help="Where the features on no axis are pinned"
        if features
        else "The tree asks no feature but those on the axes",
    )
    if not panel.open:
        return
    pins = screen.session.pins
    values = stage_cuts.pinned_values_at(screen.data, screen.tree, screen.node, pins)
    with panel:
        for feature in features:
            _draw_slider(screen.data, feature, float(values[feature]))
        st.button(
            "As usual",
            icon=":material/restart_alt:",
            help="At the middle of each, or where the node looked at has its rows",
            disabled=not pins,
            on_click=lambda: state.act("grow", "unpin"),
        )


def _draw_slider(data: Dataset, feature: int, value: float) -> None:
    values = stage_cuts.pinnable_values(data, feature)
    if value not in values:
        values.insert(bisect_left(values, value), value)
    st.select_slider(
        markdown(clean(data.features[feature])),
        values,
        format_func=lambda v: feature_value_texts(data, feature, np.array([v]))[0],
        **state.control_args(
            f"pin{feature}",
            value,
            lambda chosen: state.act_dragged(
                f"pin{feature}", "grow", "pin", feature=feature, value=chosen
            ),
        ),
    )


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
    return state.START_RECIPE if name == state.START_RECIPE.name else example_recipe(name)


def use_example(name: str) -> None:
    """Put an example on screen: for callbacks, which run before the page is drawn."""
    use_recipe(_example_recipe(name))


def use_recipe(recipe: Recipe) -> None:
    """Put a recipe on screen, with its default rules and no step made."""
    st.session_state.pop("waiting", None)
    state.set_session(Session(recipe, usual_rules(recipe, state.dataset_of(recipe).task)))


def draw_picker(screen: Screen) -> None:
    """Draw the popover with the examples and the link to the page Data."""
    recipe = screen.session.recipe
    panel = st.popover(markdown(title_of(recipe)), key="picker", on_change="rerun")
    if not panel.open:
        return
    with panel:
        draw_cards("head", recipe)
        st.page_link(
            "page_scripts/data.py", label="Draw points or upload a table", icon=":material/table:"
        )


MAX_CELLS_DRAWN = 2_000_000
"""Cells of a dataset whose points are drawn, at most: of more, choosing axes takes over 1 s."""


def draw_points(data: Dataset, recipe: Recipe) -> None:
    """Draw the points of the data of a recipe; the frames are kept for later runs of the page."""
    theme = state.theme()

    def frames() -> tuple[bytes, bytes]:
        points, picture = overview(data, short_name(recipe), theme)
        return pack("cloud", points), pack("stage", picture)

    points, picture = state.tab().cache.get(("overview", recipe, theme), frames)
    send_frame("points", points)
    draw_frame("overview", picture)


def can_draw_points(data: Dataset) -> bool:
    """True if the dataset is small enough for a picture of its points."""
    return data.columns.size <= MAX_CELLS_DRAWN
