"""Page Stability: the tree beside trees that are grown without some rows or on resampled rows."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PageSpec
from dtviz.app.runs import do_all_work
from dtviz.app.share import head_controls
from dtviz.evaluate import stability
from dtviz.pictures.overfit import with_present_value
from dtviz.pictures.stability import stability_jobs, trees_and_layer, trees_job
from dtviz.pictures.stage import slice_caption
from dtviz.pictures.tree import DrawnLayer
from dtviz.session.derived_data import can_open_sample, sample_recipe, sample_session
from dtviz.session.headlines import stability_headline, stability_limits
from dtviz.session.screen import Screen

TREE_COUNTS = (25, 50, 100, 200, stability.MAX_TREES_COMPARED)


def draw(screen: Screen) -> None:
    """Draw the controls, the headline, the picture of all trees and its caption."""
    session = screen.session
    _head(screen)
    with st.container(key="why"):
        summary_place = st.container(key="steady")
    pictures = st.container()
    caption, progress = st.container(), st.container(key="progress")
    if screen.data.n < 2 and stability.ROW_SAMPLINGS[session.shake.way].leaves_one_out:
        st.markdown("One row leaves none to grow a tree on: choose data with more rows.")
        return
    tab, theme = state.tab(), state.theme()
    with progress:
        result = _work(screen)
        controls.send_frame("points", tab.pack_picture("plain", screen, theme))
        if result is not None:
            controls.send_frame("trees", tab.pack_picture("layer", screen, theme))
    with pictures:
        controls.draw_frame("stability", tab.pack_picture("stability", screen, theme))
    if "why" not in session.hidden:
        headline = (
            "" if result is None else stability_headline(screen.data, session.shake, result[0])
        )
        summary_place.markdown(controls.sentence(headline or "The trees are growing."))
    if result is not None:
        caption.caption(controls.sentence(_caption(screen, *result)))
    controls.show_notes(screen.data.notes)


def _work(screen: Screen) -> tuple[stability.StabilityTrees, DrawnLayer] | None:
    """Run a slice of the jobs; return the trees and their layer, None until both are computed.

    Results of other settings are forgotten, so that a tab holds one set of trees.
    """
    job = trees_job(screen)
    state.tab().drop_jobs(lambda key: key[0] == "shaken" and key != job.key)
    state.tab().drop_jobs(lambda key: key[0] == "layer" and key[1] != job.key)
    return trees_and_layer(screen) if do_all_work(stability_jobs(screen)) else None


def _caption(screen: Screen, trees: stability.StabilityTrees, layer: DrawnLayer) -> str:
    """Return the caption: the meaning of lines and rings, the trees left out, and the slice."""
    data, shake = screen.data, screen.session.shake
    rings = "without the row" if stability.ROW_SAMPLINGS[shake.way].leaves_one_out else "at the row"
    sentences = [
        "Lines: the cuts of the full tree, and of the others the darker the more have them. "
        f"Rings: the larger, the more changes {rings}.",
        # The first member of the layer is the full tree, which is no other tree.
        stability_limits(data, screen.session.rules, shake, trees, len(layer.member_ids) - 1),
        slice_caption(screen),
    ]
    return " ".join(filter(None, sentences))


# --- controls -------------------------------------------------------------------------------------


def _head(screen: Screen) -> None:
    """Draw the title, the settings of the rows left out or drawn, and the usual controls."""
    shake, sampling = screen.session.shake, stability.ROW_SAMPLINGS[screen.session.shake.way]
    with st.container(horizontal=True, gap="medium", vertical_alignment="center", key="shaking"):
        controls.data_title(screen.session)
        if "settings" in screen.session.hidden:
            return
        controls.segments(
            "Which rows",
            "shake_way",
            shake.way,
            stability.ROW_SAMPLINGS,
            lambda name: stability.ROW_SAMPLINGS[name].title,
            partial(_apply, "way"),
        )
        if sampling.has_percent:
            st.slider(
                "Left out",
                1,
                stability.MAX_PERCENT_LEFT_OUT,
                format="%d %% left out",
                label_visibility="collapsed",
                width=150,
                **state.control_args("shake_percent", shake.percent, partial(_apply, "percent")),
            )
        if sampling.is_random:
            options, apply = (
                with_present_value(TREE_COUNTS, shake.trees, str),
                partial(_apply, "trees"),
            )
            controls.select(
                "Trees", "shake_trees", shake.trees, options, "{} trees".format, apply, 120
            )
        with st.container(horizontal=True, width="content", gap="small", key="more"):
            if (  # leaving one out is random too where not every row has its turn
                sampling.is_random
                or stability.n_trees_of(screen.data, screen.session.rules, shake) < screen.data.n
            ):
                help_text, apply = "Draw again: other rows", partial(_apply, "seed")
                controls.draw_again("Draw again", "shake_again", help_text, shake.seed, apply)
            _open_button(screen)
            head_controls(screen)


def _open_button(screen: Screen) -> None:
    """Draw the button that opens the clicked tree on Grow, with the rows it was grown on."""
    session = screen.session
    if st.button(
        "Open in Grow",
        key="open",
        icon=":material/account_tree:",
        help="The tree that was clicked, on its own rows",
        disabled=not can_open_sample(session, screen.data),
    ):
        sample = sample_recipe(session.recipe, session.rules, session.shake)
        state.set_session(sample_session(session, state.tab().future(sample)))
        st.switch_page("pages/grow.py")


def _apply(name: str, value: object) -> None:
    """Change one setting of the session's `shake`."""
    state.act("stability", "set", values={name: value})


PAGE = PageSpec("Stability", "stability", draw, is_fragment=True)
