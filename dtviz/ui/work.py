"""Long work in slices: a bar shows how far it is, a button stops it, the page goes on meanwhile.

Glossary
    job      a generator that yields the share that is done and returns what was found
    asked    what the job is about; other words make another job
    slice    as much of a job as is done in one run
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, TypeVar

import streamlit as st

from dtviz.ui import state

SLICE = 0.15  # seconds
AGAIN = 0.1
MOST_KEPT = 12
T = TypeVar("T")


@dataclass
class Job:
    """A job under way, stopped, or done; `failed` says why there is no result.

    `fed` says that this run has done its slice already.
    """

    steps: Generator[float, None, Any]
    share: float = 0.0
    stopped: bool = False
    fed: bool = False
    done: bool = False
    failed: str = ""
    result: Any = None


def work(asked: Hashable, start: Callable[[], Generator[float, None, T]], said: str) -> T | None:
    """What the job returns once it is done; until then a bar under the words `said`, and None.

    Results are kept in this tab, by what was asked.
    """
    jobs: dict[Hashable, Job] = st.session_state.setdefault("work", {})
    job = jobs.pop(asked, None) or Job(start())
    _slice(job)  # what fails unforeseen is not kept
    jobs[asked] = job
    while len(jobs) > MOST_KEPT:
        del jobs[next(iter(jobs))]
    job.fed = True
    if job.failed:
        st.info(job.failed)
    elif not job.done:
        st.fragment(_bar, run_every=None if job.stopped else AGAIN)(job, said)
    result: T | None = job.result
    return result


def _slice(job: Job) -> None:
    """One step at least, so that a busy machine gets on too, and more until the time is up."""
    end = time.monotonic() + SLICE
    while not (job.done or job.stopped):
        try:
            job.share = next(job.steps)
        except StopIteration as last:
            job.done, job.result = True, last.value
        except ValueError as error:
            text = str(error).replace("`", "")
            job.done, job.failed = True, f"{text[:1].upper()}{text[1:]}."
        if time.monotonic() >= end:
            return


def _bar(job: Job, said: str) -> None:
    """How far it is, and the button; where it runs by itself, the next slice before."""
    if not job.fed:
        _slice(job)
    job.fed = False
    if job.done:
        state.rerun()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(min(job.share, 1.0), f"{said}: {job.share:.0%}")
        if st.button("Go on" if job.stopped else "Stop", key=f"work_{id(job)}"):
            job.stopped = not job.stopped
            state.rerun()
