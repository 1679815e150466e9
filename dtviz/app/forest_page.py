"""Forest: an ensemble, its members one by one, and what they predict together.

The page is one component, beside Streamlit's controls in the corner and the notes on the data.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.head import corner, head_controls
from dtviz.app.page import PageSpec
from dtviz.app.runs import do_all_work, is_wanted
from dtviz.explain.export import ENSEMBLE_KINDS, export_ensemble
from dtviz.pictures.forest import forest_jobs
from dtviz.session.derived_data import fitted_source
from dtviz.session.forest import foreign_text, forest_screen, forest_work, plan_of
from dtviz.session.screen import Screen

TITLES = {"python": "Python", "json": "JSON"}  # by format of the export
ENDINGS = {"python": "py"}  # of files, where the name of the format is not the ending


def draw(screen: Screen) -> None:
    """Draw the page, or why the data have no forest."""
    session = screen.session
    if reason := foreign_text(session.recipe):
        with corner():
            head_controls(screen)
        st.info(controls.sentence(reason))
        return
    head, picture, shown = corner(), st.container(), forest_screen(screen)
    n_trees = plan_of(shown.session, shown.data)[1].trees
    if is_wanted(forest_work(shown.session, shown.data).key, n_trees, shown.data):
        with head, st.container(key="tips"):
            do_all_work(forest_jobs(shown))
    with picture:
        controls.draw_frame("forest", state.tab().pack_page("forest", shown, state.theme()))
    with head:
        head_controls(screen, own=_export)
    controls.show_notes(shown.data.notes)


def _export(screen: Screen) -> None:
    """Draw the export of all trees as one program or as JSON, once they are grown.

    A fitted ensemble is not exported: the library that fitted it keeps it.
    """
    if fitted_source(screen.session.recipe) is not None:
        return
    forest = screen.result_of(forest_work(screen.session, screen.data))
    panel = st.popover(
        "Export", icon=":material/download:", key="grove_export", disabled=forest is None
    )
    if forest is None:
        return
    with panel:
        for kind in ENSEMBLE_KINDS:
            st.download_button(
                f"All trees as {TITLES[kind]}",
                partial(export_ensemble, forest.ensemble, kind),
                f"trees.{ENDINGS.get(kind, kind)}",
                on_click="ignore",
                key=f"grove_{kind}",
            )


PAGE = PageSpec("Forest", "forest", draw, is_fragment=True)
