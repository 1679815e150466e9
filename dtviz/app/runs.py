"""A run of a page, or of a part of it: in its turn, and told where it takes too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeVar

import streamlit as st

from dtviz.app import controls, state, turns
from dtviz.app.controls import recolour
from dtviz.data.dataset import DataError
from dtviz.session.jobs import Job, Work, go_on


@contextmanager
def run(place: AbstractContextManager[object]) -> Iterator[None]:
    """What is drawn in it takes its turn; what takes too long is not drawn, and said.

    Its `place` is where it is said to be at work, see `turn`; what is done next on the page says so
    there too.
    """
    recolour()
    try:
        with turns.turn("page", place):
            yield
        st.session_state["working_place"] = place
    except turns.TooLongError as error:
        controls.show_error(DataError(str(error)))


AGAIN = 0.1  # seconds
T = TypeVar("T")


def feed(wanted: Work[T]) -> Job:
    """The job of the work, a slice further; called before all is drawn that changes together."""
    with turns.turn("slice"):
        job = state.tab().work(wanted)
    job.fed = True
    return job


def work(wanted: Work[T]) -> T | None:
    """What the work found once it is done; until then a bar under its name, and None.

    It is a slice further, unless this run has fed it.
    """
    known = state.tab().jobs.get(wanted.asked)
    job = known if known and known.fed and not known.done else feed(wanted)
    if job.failed:
        st.info(job.failed)
    elif not job.done:
        st.fragment(_bar, run_every=None if job.stopped else AGAIN)(job, wanted.said)
    result: T | None = job.result
    return result


def _bar(job: Job, said: str) -> None:
    """How far it is, and the button; where it runs by itself, the next slice before.

    What is done is drawn by the run after its last slice: a way back that was asked for during that
    slice goes first, while streamlit would join it to a run asked for here, by this one's address.
    """
    if job.done:
        state.rerun()
    if not job.fed:
        with turns.turn("slice"):
            go_on(job)
    job.fed = False
    with st.container(horizontal=True, vertical_alignment="center", key=f"bar_{id(job)}"):
        st.progress(min(job.share, 1.0), f"{said}: {job.share:.0%}")
        if st.button("Go on" if job.stopped else "Stop", key=f"work_{id(job)}"):
            job.stopped = not job.stopped
            state.rerun()
