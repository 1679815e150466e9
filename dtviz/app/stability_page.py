"""Page Stability: the tree beside trees that are grown without some rows or on resampled rows.

The page is one component, beside Streamlit's controls in the corner and the notes on the data.
"""

from __future__ import annotations

import streamlit as st

from dtviz.app import controls, state
from dtviz.app.head import corner, head_controls
from dtviz.app.page import PageSpec
from dtviz.app.runs import do_all_work
from dtviz.pictures.stability import lacks_rows, stability_jobs, trees_job
from dtviz.session.screen import Screen


def draw(screen: Screen) -> None:
    """Draw the page."""
    head, picture = corner(), st.container()
    with head, st.container(key="tips"):
        if not lacks_rows(screen):
            _work(screen)
    with picture:
        controls.draw_frame("stability", state.tab().pack_page("stability", screen, state.theme()))
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


PAGE = PageSpec("Stability", "stability", draw, is_fragment=True)
