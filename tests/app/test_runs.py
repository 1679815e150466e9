"""Long work in slices: a bar meanwhile, Stop and Go on, results kept, errors as messages.

Every run does one step here: SLICE_SECONDS is 0, and at least one step is done.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from screens import params_of, run
from streamlit.testing.v1 import AppTest

from dtviz.app.instrument import MAX_JOBS
from dtviz.app.runs import MAX_SECONDS_UNASKED, estimated_seconds
from dtviz.base import progress as module
from dtviz.base.progress import Job, advance_job


@pytest.fixture(autouse=True)
def one_step_a_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_SECONDS", 0)


def script() -> None:
    """A page with one job of so many `steps`: `asked` names it, `fails` is its error, if any."""
    import streamlit as st

    from dtviz.app.runs import do_work
    from dtviz.base.progress import Work

    state = st.session_state

    def job():  # type: ignore[no-untyped-def]
        state["started"] = state.get("started", 0) + 1
        asked, steps, fails = state["asked"], state["steps"], state.get("fails")
        for k in range(steps):
            state["made"] = state.get("made", 0) + 1
            if fails and k == steps - 1:
                raise ValueError(fails)
            yield (k + 1) / steps
        return f"result of {asked}"

    st.text(str(do_work(Work(state["asked"], job, "Some work"))))


def fed_script() -> None:
    """A page that does its slice before it draws, where `feeds`."""
    import streamlit as st

    from dtviz.app.runs import do_work, run_slice
    from dtviz.base.progress import Work

    def job():  # type: ignore[no-untyped-def]
        for k in range(3):
            st.session_state["made"] = st.session_state.get("made", 0) + 1
            yield (k + 1) / 3
        return "result"

    wanted = Work("fed", job, "Some work")
    if st.session_state["feeds"]:
        run_slice(wanted)
    st.text(f"before: {st.session_state.get('made', 0)}")
    st.text(str(do_work(wanted)))


def page(asked: Any = "a", steps: int = 3, fails: str = "") -> AppTest:
    at = AppTest.from_function(script, default_timeout=60)
    for name, value in (("asked", asked), ("steps", steps), ("fails", fails)):
        at.session_state[name] = value
    return run(at)


def shown(at: AppTest) -> str:
    return str(at.text[0].value)


def bar(at: AppTest) -> tuple[int, str] | None:
    """How far the bar is, and what it says."""
    found = at.get("progress")
    return (found[0].proto.value, found[0].proto.text) if found else None


def button(at: AppTest) -> Any:
    assert len(at.button) == 1
    return at.button[0]


def test_unfinished_work_shows_a_bar_and_stop_and_goes_on_with_every_run() -> None:
    at = page()
    assert (shown(at), bar(at)) == ("None", (33, "Some work: 33%"))
    assert button(at).label == "Stop"
    at = run(at)
    assert (shown(at), bar(at)) == ("None", (66, "Some work: 67%"))
    at = run(at)
    assert bar(at) == (100, "Some work: 100%")  # the job has yet to hand its result back
    at = run(at)
    assert (shown(at), bar(at)) == ("result of a", None)
    assert not at.button
    assert at.session_state["made"] == 3


def test_a_run_does_one_slice_before_it_draws_or_where_it_tells_of_it() -> None:
    for feeds in (False, True):
        at = AppTest.from_function(fed_script, default_timeout=60)
        at.session_state["feeds"] = feeds
        for made in (1, 2, 3):
            at = run(at)
            assert [one.value for one in at.text] == [f"before: {made - (not feeds)}", "None"]
            assert at.session_state["made"] == made, feeds
            assert bar(at) == ([33, 66, 100][made - 1], f"Some work: {[33, 67, 100][made - 1]}%")
        assert [one.value for one in run(at).text] == ["before: 3", "result"], feeds


def test_what_is_asked_otherwise_is_another_job_and_both_are_kept() -> None:
    at = run(run(run(page(("a", 1)))))
    at.session_state["asked"] = ("a", 2)
    at = run(at)
    assert (shown(at), bar(at)) == ("None", (33, "Some work: 33%"))
    at.session_state["asked"] = ("a", 1)
    assert shown(run(at)) == "result of ('a', 1)"
    at.session_state["asked"] = ("a", 2)
    at = run(at)
    assert bar(at) == (66, "Some work: 67%")  # where it was
    assert at.session_state["started"] == 2


def test_stop_holds_it_and_go_on_resumes_where_it_was() -> None:
    at = run(button(page(steps=5)).click())
    held = bar(at)
    assert button(at).label == "Go on"
    for _ in range(3):
        at = run(at)
        assert bar(at) == held
        assert button(at).label == "Go on"
    made = at.session_state["made"]
    at = run(button(at).click())
    assert button(at).label == "Stop"
    assert at.session_state["made"] > made
    for _ in range(4):
        at = run(at)
    assert shown(at) == "result of a"
    assert (at.session_state["started"], at.session_state["made"]) == (1, 5)


def test_what_cannot_be_done_becomes_a_message_and_a_fault_of_the_program_does_not() -> None:
    at = page(steps=2, fails="`k` must be at least 2; not 1")
    assert not at.info
    at = run(at)
    assert [one.value for one in at.info] == ["K must be at least 2; not 1."]
    assert (shown(at), bar(at)) == ("None", None)
    assert not at.button
    at = run(at)
    assert len(at.info) == 1
    assert at.session_state["made"] == 2

    def wrong() -> Any:
        yield 0.5
        raise ZeroDivisionError

    job = Job(wrong())
    advance_job(job)
    with pytest.raises(ZeroDivisionError):
        advance_job(job)


def test_at_most_so_many_results_are_kept_and_the_oldest_goes() -> None:
    at = page("first", 0)
    for k in range(MAX_JOBS + 3):
        at.session_state["asked"] = k
        at = run(at)
        assert len(at.session_state["instrument"].jobs) <= MAX_JOBS
    assert "first" not in at.session_state["instrument"].jobs
    assert list(at.session_state["instrument"].jobs) == list(range(3, MAX_JOBS + 3))
    at.session_state["asked"] = 3  # used again: the newest now
    at = run(at)
    at.session_state["asked"] = "another"
    at = run(at)
    assert 3 in at.session_state["instrument"].jobs
    assert 4 not in at.session_state["instrument"].jobs


# --- runs that the page asks for itself -----------------------------------------------------------


def asks_again() -> None:
    """A page that asks for a run while the browser still has the address of before."""
    import streamlit as st

    from dtviz.app import state

    screen, _ = state.open_screen("overfit")
    if "asked_again" not in st.session_state:
        state.close_screen(screen)
        st.session_state["asked_again"] = True
        st.query_params.from_dict({"data": "moons", "n": "60"})
        state.rerun()
    st.text(str(screen.session.judging.folds))


def test_an_address_older_than_the_setting_is_no_way_back_when_work_is_done() -> None:
    at = AppTest.from_function(asks_again, default_timeout=60)
    at.query_params.update({"data": "moons", "n": "60", "folds": "10"})
    assert shown(run(at)) == "10"


def tells() -> None:
    """A page that hears what a picture told since the last run."""
    import streamlit as st

    from dtviz.app import state

    if "message" in st.session_state:
        state.handle_message(st.session_state.pop("message"))
    screen, _ = state.open_screen("grow")
    state.close_screen(screen)


GROWN = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7", "log": "a2"}
STEP = ("line", {"what": "goto", "step": 3})
WENT = ("address", {"what": "went", "search": f"?{urlencode(GROWN | {'log': 'a1'})}"})


def told(at: AppTest, *events: tuple[str, Any]) -> list[dict[str, Any]]:
    """Have the next run hear these; the events as the browser sends them."""
    heard = at.session_state["instrument"].visit.last_event
    sent = [
        {"n": heard + n, "picture": picture, "event": event}
        for n, (picture, event) in enumerate(events, 1)
    ]
    at.session_state["message"] = {"events": sent}
    return sent


def grown() -> AppTest:
    at = AppTest.from_function(tells, default_timeout=60)
    at.query_params.update(GROWN)
    return run(at)


def steps(at: AppTest) -> str:
    """As its address says it, which the session has to be at one with."""
    session = at.session_state["instrument"].visit.session
    assert len(session.log) == int(params_of(at).get("log", "a0")[1:])
    return params_of(at).get("log", "")


def test_an_address_older_than_an_act_is_no_way_back_and_a_way_back_is_not_lost() -> None:
    at = grown()
    told(at, STEP)
    at.query_params["log"] = "a1"
    assert steps(run(at)) == "a3"
    for events, then in (((STEP, WENT), "a1"), ((WENT,), "a1"), ((WENT, STEP), "a3")):
        at = grown()
        told(at, *events)
        at.query_params["log"] = "a1"
        assert steps(run(at)) == then, (events, then)
    at = grown()
    at.session_state["instrument"].act(*STEP)
    at = run(at)
    told(at, ("address", {"what": "went", "search": f"?{urlencode(GROWN)}"}))
    assert steps(run(at)) == "a2"


def test_back_that_was_read_before_a_picture_tells_of_it_takes_nothing_back() -> None:
    for read in (["a1"], ["a1", "a0", "a1"]):
        at = grown()
        for log in read:
            at.query_params["log"] = log
            at = run(at)
            at.session_state["instrument"].act(*STEP)
            at = run(at)
        for _ in range(read.count("a1")):
            told(at, WENT)
            assert steps(run(at)) == "a3", read
        told(at, WENT)
        assert steps(run(at)) == "a1", read


def test_back_to_a_file_that_is_gone_says_so() -> None:
    at = grown()
    gone = {"data": "file", "sha": "1", "file": "a.csv", "target": "t"}
    told(at, STEP, ("address", {"what": "went", "search": f"?{urlencode(gone)}"}))
    at.query_params.clear()
    at.query_params.update(gone)
    at.run()
    assert len(at.exception) == 1  # a page tells it in its own words
    assert at.session_state["navigation"].waiting.recipe.get("file") == "a.csv"


def test_long_work_is_estimated_by_trees_rows_and_features() -> None:
    assert estimated_seconds(45, 105, 4) < MAX_SECONDS_UNASKED < estimated_seconds(45, 70_000, 10)
    assert estimated_seconds(20, 100, 2) == 2 * estimated_seconds(10, 100, 2)
