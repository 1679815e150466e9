"""Page Stability: the tree beside trees that are grown without some rows or on resampled rows.

The page is one component, beside Streamlit's controls in the corner and the notes on the data.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.page import PageSpec
from dtviz.app.runs import do_all_work
from dtviz.app.share import corner, head_controls
from dtviz.pictures.stability import lacks_rows, stability_jobs, trees_job
from dtviz.session.derived_data import can_open_sample, sample_recipe, sample_session
from dtviz.session.screen import Screen


def draw(screen: Screen) -> None:
    """Draw the page; open the tree that was chosen."""
    session = screen.session
    if session.opened is not None:
        _open_tree(screen)
    head, picture = corner(), st.container()
    with head, st.container(key="tips"):
        if not lacks_rows(screen):
            _work(screen)
    with picture:
        controls.draw_frame("stability", state.tab().pack_page("stability", screen, state.theme()))
    if "settings" not in session.hidden:
        with head:
            head_controls(screen)
    controls.show_notes(screen.data.notes)


def _work(screen: Screen) -> None:
    """Run a slice of the jobs.

    Results of other settings are forgotten, so that a tab holds one set of trees.
    """
    job = trees_job(screen)
    state.tab().drop_jobs(lambda key: key[0] == "shaken" and key != job.key)
    state.tab().drop_jobs(lambda key: key[0] == "layer" and key[1] != job.key)
    do_all_work(stability_jobs(screen))


def _open_tree(screen: Screen) -> None:
    """Open the tree that is looked at on the page Grow, with the rows it was grown on."""
    session = replace(screen.session, opened=None)
    state.tab().replace_session(session)  # none is opened any more when Back leads to this page
    if can_open_sample(session, screen.data):
        sample = sample_recipe(session.recipe, session.rules, session.shake)
        state.set_session(sample_session(session, state.tab().future(sample)))
        st.switch_page("pages/grow.py")


PAGE = PageSpec("Stability", "stability", draw, is_fragment=True)
