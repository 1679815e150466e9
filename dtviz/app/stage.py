"""Pictures on the page: points, stage, tree, time-line, slice, and the cards of the gallery."""

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


def draw_line(screen: Screen) -> None:
    """Draw the time-line with its buttons, undo and redo."""
    with st.container(key="time-line"):
        draw_frame("line", state.tab().pack_picture("line", screen, state.theme()))


def draw_stage(screen: Screen) -> None:
    """Draw the stage with the cuts of the node in focus, and its caption."""
    tab, theme = state.tab(), state.theme()
    send_frame(_key("points", screen), tab.pack_picture("cloud", screen, theme))
    draw_frame(_key("stage", screen), tab.pack_picture("stage", screen, theme))
    if words := caption_of(screen):
        with st.container(key=_key("caption", screen)):
            st.caption(sentence(words))


def caption_of(screen: Screen) -> str:
    """Return the sentences under the stage; '' for none."""
    look, pins = screen.node_view, screen.session.pins
    values = stage_cuts.pinned_values_at(screen.data, screen.tree, screen.node, pins)
    words = caption(screen.data, look.candidates, look.axes, values, pins)
    if look.index is not None and not stage_cuts.is_drawn(
        screen.data, look.candidates, look.index, look.axes
    ):
        cut = candidate_text(screen.data, look.candidates, look.index)
        words = f"The cut {cut} is on neither axis chosen. {words}"
    if stage_cuts.sliceable_features(screen.data, screen.tree, look.axes):
        words = f"{stage_cuts.FADES} {words}"
    return words


def draw_tree(screen: Screen) -> None:
    """Draw the tree; a click or Enter makes a node the focus."""
    draw_frame(_key("tree", screen), state.tab().pack_picture("tree", screen, state.theme()))


def draw_ahead(screen: Screen) -> None:
    """Send the pictures of the next step ahead, so that it is on screen at once."""
    frames = state.tab().pack_next_step(screen, state.theme())
    if frames is not None:
        send_frame("prefetch", frames)


def _key(name: str, screen: Screen) -> str:
    """Return the key of a picture; the second of two screens side by side has keys of its own."""
    return f"{name}_beside" if screen.mark else name


def slice_caption(screen: Screen) -> str:
    """Return the caption of a plane that does not follow the focus."""
    pins = screen.session.pins
    return slice_text(screen.data, screen.axes, stage_cuts.pinned_values(screen.data, pins), pins)


def slice_sliders(screen: Screen) -> None:
    """Draw a slider for each feature that the tree asks and that is on no axis."""
    features = stage_cuts.sliceable_features(screen.data, screen.tree, screen.node_view.axes)[
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
            _slider(screen.data, feature, float(values[feature]))
        st.button(
            "As usual",
            icon=":material/restart_alt:",
            help="At the middle of each, or where the node looked at has its rows",
            disabled=not pins,
            on_click=lambda: state.act("grow", "unpin"),
        )


def _slider(data: Dataset, feature: int, value: float) -> None:
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
    return state.START_RECIPE if name == state.START_RECIPE.name else example_recipe(name)


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
