"""Runs of a page or of its fragments: each takes its turn, and long work is done in slices."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import streamlit as st

from dtviz.app import controls, state
from dtviz.base.progress import Job, Slices, Work, advance_job
from dtviz.data.dataset import DataError


@contextmanager
def run(place: AbstractContextManager[object]) -> Iterator[None]:
    """Context of a run: it takes its turn; one that takes too long ends in an error on the page.

    `place` is the container of the spinner, see `turn`; the next action on the page uses it too.
    """
    controls.recolour()
    try:
        with state.turn("page", place):
            yield
        st.session_state["working_place"] = place
    except state.TooLongError as error:
        controls.show_error(DataError(str(error)))


SLICE_PAUSE = 0.1  # seconds
T = TypeVar("T")


def run_slice(wanted: Work[T]) -> Job:
    """Run one slice of the work, before anything is drawn that changes with its result."""
    with state.turn("slice"):
        job = state.tab().advance_work(wanted)
    job.had_slice = True
    return job


def work(wanted: Work[T]) -> T | None:
    """Return the result of the work once it is done; until then draw its bar and return None.

    Runs one slice of it, unless this run has done so by `run_slice`.
    """
    job = state.tab().jobs.get(wanted.key)
    if job is None or job.is_done or not job.had_slice:
        job = run_slice(wanted)
    if job.error_text:
        st.info(job.error_text)
    elif not job.is_done:
        st.fragment(_bar, run_every=None if job.is_stopped else SLICE_PAUSE)(job, wanted.title)
    result: T | None = job.result
    return result


def compute(key: Hashable, start: Callable[[], Slices[T]], title: str) -> T | None:
    """Return the result of the work with this key and title, see `work`."""
    return work(Work(key, start, title))


def work_all(parts: Iterable[Work[Any]]) -> bool:
    """Do one work after the other, a slice a run; return True once all are done."""
    return all(work(part) is not None for part in parts)


def _bar(job: Job, title: str) -> None:
    """Draw the share done and the button; run the next slice before, where the page has not."""
    # Ask for the page in the run after the last slice, not at its end: Streamlit would join that to
    # a Back that came during the slice, and run the page by the address of before
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
