"""Runs of a page or of its fragments: each takes its turn, and long work is done in slices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import streamlit as st

from dtviz.app import controls, state
from dtviz.base.progress import Job, Slices, Work, advance_job
from dtviz.base.text import count, number
from dtviz.data.dataset import DataError, Dataset


@contextmanager
def run(spinner_container: AbstractContextManager[object]) -> Iterator[None]:
    """Context of a run of a page: the run takes its turn, and shows an error if it takes too long.

    Its spinner appears in `spinner_container`, see `turn`, as does that of the next action.
    """
    controls.recolour()
    try:
        with state.turn("page", spinner_container):
            yield
        st.session_state["spinner_container"] = spinner_container
    except state.TooLongError as error:
        controls.show_error(DataError(str(error)))


SLICE_PAUSE_SECONDS = 0.1  # between two slices of work
T = TypeVar("T")


def run_slice(work: Work[T]) -> Job:
    """Run one slice of the work, for pages that do so before they draw anything."""
    with state.turn("slice"):
        job = state.tab().advance_work(work)
    job.had_slice = True
    return job


def do_work(work: Work[T]) -> T | None:
    """Run one slice of the work, unless `run_slice` has done so in this run.

    Returns the result once the work is done; until then draws its progress bar and returns None.
    """
    job = state.tab().jobs.get(work.key)
    if job is None or job.is_done or not job.had_slice:
        job = run_slice(work)
    if job.error_text:
        st.info(job.error_text)
    elif not job.is_done:
        st.fragment(_draw_bar, run_every=None if job.is_stopped else SLICE_PAUSE_SECONDS)(
            job, work.title
        )
    result: T | None = job.result
    return result


def compute(key: Hashable, start: Callable[[], Slices[T]], title: str) -> T | None:
    """Do the work with this key and title, see `do_work`."""
    return do_work(Work(key, start, title))


SECONDS_A_TREE, CELLS_A_SECOND = 0.003, 500_000  # of a full tree: measured on one core
MAX_SECONDS_UNASKED = 5
"""Estimated seconds of work that starts by itself; longer work waits for a button."""


def estimated_seconds(n_trees: int, n_rows: int, n_features: int) -> float:
    """Return about how long full trees on these rows take to grow."""
    return n_trees * (SECONDS_A_TREE + n_rows * n_features / CELLS_A_SECOND)


def is_wanted(key: Hashable, n_trees: int, data: Dataset) -> bool:
    """Return True if the work with this key is short, was begun, or is begun now by its button.

    Else draws how much work it is, with the button that starts it.
    """
    seconds = estimated_seconds(n_trees, data.n, len(data.features))
    if seconds <= MAX_SECONDS_UNASKED or key in state.tab().jobs:
        return True
    placeholder = st.empty()
    with placeholder.container(horizontal=True, vertical_alignment="center", key="ask_first"):
        trees, rows = count(n_trees, "tree"), count(data.n, "row")
        features = count(len(data.features), "feature")
        st.markdown(
            f"{trees} on {rows} of {features}: about {number(seconds, 1)} seconds.", width="content"
        )
        is_started = st.button("Start", key="start_work", icon=":material/play_arrow:")
    if is_started:
        placeholder.empty()
    return is_started


def do_all_work(works: Iterable[Work[Any]]) -> bool:
    """Do several works, one after the other, a slice in each run; return True once all are done."""
    return all(do_work(work) is not None for work in works)


def _draw_bar(job: Job, title: str) -> None:
    """Draw the share that is done, and the button that stops the work or goes on with it.

    First runs the next slice, unless the run of the page has run one.
    """
    # The page runs again in the run after the last slice, not at the end of that slice: Streamlit
    # would join a Back that came during the slice to that request, and run with the older address
    if job.is_done:
        state.rerun()
    if not job.had_slice:
        with state.turn("slice"):
            advance_job(job)
    job.had_slice = False
    with st.container(horizontal=True, vertical_alignment="center", key=f"bar_{id(job)}"):
        st.progress(min(job.share, 1.0), f"{title}: {job.share:.0%}")
        if st.button("Go on" if job.is_stopped else "Stop", key=f"work_{id(job)}"):
            job.is_stopped = not job.is_stopped
            state.rerun()
