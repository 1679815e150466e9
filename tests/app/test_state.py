"""Controls that show a value of the session: an echo of what they showed before is no choice.

Glossary
    echo    a message of a browser that has not yet drawn what was changed since
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace
from typing import Any

import pytest
from screens import page, params_of, press, run, seeded
from streamlit.delta_generator_singletons import context_dg_stack
from streamlit.testing.v1 import AppTest

from dtviz.app import state
from dtviz.app.state import RUNS, Gate, ServerRun

MOONS = {"data": "moons", "n": "80"}


def echoed(at: AppTest, before: Any) -> AppTest:
    """The page after a message that tells what its controls showed before."""
    at._run(before)
    assert not at.exception
    return at


CHANGED = [
    ("overfit", "against", "leaf_size"),
    ("grow", "max_depth", "2"),
    ("grow", "ask", "1"),
    ("stability", "vary", "resample"),
    ("data", "noise", "0.2"),
]


def test_what_a_control_showed_before_the_address_came_is_not_taken_for_a_choice() -> None:
    for name, param, value in CHANGED:
        at = page(name, **MOONS)
        before = at._tree.get_widget_states()
        at.query_params[param] = value
        there = params_of(run(at))
        assert there[param] == value, (name, param, value)
        assert params_of(echoed(at, before)) == there, (name, param, value)


SHOWN = [
    ("overfit", {"folds": "10", "share": "0.4", "against": "leaves"}),
    ("grow", {"criterion": "gini", "ask": "1", "axes": "1.0", "max_depth": "3"}),
    ("stability", {"vary": "resample", "vary_trees": "50"}),
    ("forest", {"trees": "50"}),
    ("data", {"noise": "0.35"}),
]


@pytest.mark.nightly
def test_each_run_tells_what_a_control_shows_as_the_one_before_may_never_arrive() -> None:
    for name, params in SHOWN:
        at = run(run(seeded(name, **MOONS, **params)))
        for box in at.selectbox:
            assert box.proto.options[box.proto.default] == box.format_func(box.value), box.label
        for group in at.segmented_control:
            told = [group.proto.options[index].content for index in group.proto.default]
            assert told == [group.format_func(group.value)], group.label
        for toggle in at.toggle:
            assert toggle.proto.default == toggle.value, toggle.label
        for slider in at.select_slider:
            (index,) = slider.proto.default
            assert slider.proto.options[int(index)] == slider.format_func(slider.value), (
                slider.label
            )
        for slider in at.slider:
            assert [*slider.proto.default] == [slider.value], slider.label


def test_a_control_stays_the_same_until_something_else_changes_it() -> None:
    at = seeded("grow", **MOONS)
    run(at)
    for depth in ("3", "5", "2"):
        run(at.select_slider(key="size_max_depth").set_value(depth))
        assert params_of(at)["max_depth"] == depth
    at = seeded("overfit", **MOONS)
    at.session_state["settings"] = True
    run(at)
    run(at.selectbox(key="rule_criterion").set_value("gini"))
    press(at, "Undo")
    (box,) = [one for one in at.selectbox if one.label == "Criterion"]
    assert (box.key, box.value) == ("rule_criterion-1", "entropy")
    run(box.set_value("error"))
    assert params_of(at)["criterion"] == "error"
    (box,) = [one for one in at.selectbox if one.label == "Criterion"]
    assert (box.key, box.value) == ("rule_criterion-1", "error")
    at = seeded("overfit", **MOONS)
    at.session_state["settings"] = True
    start = params_of(run(at))
    run(at.selectbox(key="rule_criterion").set_value("gini"))
    before = at._tree.get_widget_states()
    assert params_of(press(at, "Undo")) == start
    assert params_of(echoed(at, before)) == start


class Visitor:
    """A thread that goes through a gate, and leaves it when told."""

    def __init__(self, through: Gate) -> None:
        self.inside, self.sent = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.visit, args=(through,), daemon=True)
        self.thread.start()

    def visit(self, through: Gate) -> None:
        through.enter(bool)
        self.inside.set()
        self.sent.wait(60)
        through.leave()

    def send(self) -> None:
        self.sent.set()
        self.thread.join(60)


@pytest.fixture
def comes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Gate], Visitor]:
    """A visitor who has come in, or stands in line."""
    monkeypatch.setattr(state, "PLACE_SECONDS", 60.0)

    def come(through: Gate) -> Visitor:
        many = len(through._entry_times) + len(through._queue)
        one = Visitor(through)
        while len(through._entry_times) + len(through._queue) == many:
            pass
        return one

    return come


def test_as_many_as_there_are_places_are_let_in_in_order(comes: Callable[[Gate], Visitor]) -> None:
    through = Gate(2)
    first, second, third, fourth = (comes(through) for _ in range(4))
    assert first.inside.wait(60)
    assert second.inside.wait(60)
    assert not third.inside.is_set()
    second.send()
    assert third.inside.wait(60)
    assert not fourth.inside.is_set()
    first.send()
    assert fourth.inside.wait(60)
    third.send()
    fourth.send()
    assert not through._entry_times
    assert comes(through).inside.wait(60)


def test_who_stays_long_keeps_nobody_and_gives_its_place_back_once(
    comes: Callable[[Gate], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    through = Gate(1)
    first = comes(through)
    assert first.inside.wait(60)
    monkeypatch.setattr(state, "PLACE_SECONDS", 0.01)
    second = comes(through)
    assert second.inside.wait(60)
    monkeypatch.setattr(state, "PLACE_SECONDS", 60.0)
    first.send()  # it has none any more
    third = comes(through)
    assert not third.inside.is_set()
    second.send()
    assert third.inside.wait(60)
    third.send()


def test_who_has_no_place_leaves_as_it_came() -> None:
    through = Gate(1)
    through.leave()
    through.enter(bool)
    through.leave()
    through.leave()
    assert through._free_places == 1


def test_who_gives_up_in_line_leaves_it_and_keeps_nobody(
    comes: Callable[[Gate], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up() -> None:
        raise ZeroDivisionError

    through = Gate(1)
    first = comes(through)
    assert first.inside.wait(60)
    monkeypatch.setattr(through, "_expire", bool)
    monkeypatch.setattr(state, "PLACE_SECONDS", 0.01)
    with pytest.raises(ZeroDivisionError):
        through.enter(give_up)
    assert not through._queue
    first.send()
    assert through._free_places == 1
    comes(through).send()


def test_who_gives_up_as_its_turn_comes_gives_the_place_on(monkeypatch: pytest.MonkeyPatch) -> None:
    through = Gate(1)
    visitor = Visitor(through)
    assert visitor.inside.wait(60)

    def give_up() -> None:
        visitor.send()
        assert not through._free_places
        raise ZeroDivisionError

    monkeypatch.setattr(state, "PLACE_SECONDS", 0.01)
    with pytest.raises(ZeroDivisionError):
        through.enter(give_up)
    assert through._free_places == 1


@pytest.fixture(autouse=True)
def looks_always(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "CHECK_SECONDS", 0)


def test_a_long_run_waits_for_a_younger_one_to_end(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 3:
            del RUNS[-1]

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(state, "PATIENCE_SECONDS", 60)
    with state.turn("act"):
        RUNS[-1] = ServerRun("act", time.monotonic() + 1, 0, 0)
        state.wait()
        assert len(slept) == 3
        RUNS[-1] = ServerRun("act", time.monotonic() - 1, 0, 0)
        state.wait()  # an older one waits for this
        RUNS[-1] = ServerRun("slice", time.monotonic() + 1, 0, 0)
        state.wait()  # a slice waits for all
        assert len(slept) == 3
        with state.turn("slice"):
            RUNS[-1] = ServerRun("act", time.monotonic() - 1, 0, 0)
            slept.clear()
            state.wait()
            assert len(slept) == 3
    assert RUNS == {}


def test_what_stands_in_line_is_waited_for_by_slices_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(state, "PATIENCE_SECONDS", 0.01)
    RUNS[-1] = ServerRun("page", time.monotonic() + 1, 0, 0, is_queued=True)
    with state.turn("act"):
        state.wait()
        assert not slept
        with state.turn("slice"):
            state.wait()
            assert slept
    del RUNS[-1]


def test_who_stands_in_line_is_a_run_and_is_told_of_and_ended_as_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[ServerRun] = []

    class Full:
        """A gate that nobody gets through."""

        def enter(self, meanwhile: Callable[[], None]) -> None:
            seen.append(RUNS[threading.get_ident()])
            meanwhile()

        def leave(self) -> None:
            pass

    monkeypatch.setattr(state, "GATE", Full())
    monkeypatch.setattr(state, "_is_abandoned", lambda _: True)
    monkeypatch.setattr(state, "SPINNER_SECONDS", -1)
    told: list[str] = []
    spinner = state.st.spinner
    monkeypatch.setattr(
        state.st, "spinner", lambda text, **more: told.append(text) or spinner(text, **more)
    )
    at = AppTest.from_function(works, default_timeout=60)
    at.session_state["kind"] = "page"
    at = run(at)
    assert (at.session_state["made"], told) == (0, ["Working"])
    assert [one.is_queued for one in seen] == [True]
    assert RUNS == {}


def test_time_in_line_is_none_of_the_time_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    class Slow:
        """A gate at which one waits long."""

        def enter(self, meanwhile: Callable[[], None]) -> None:
            RUNS[threading.get_ident()].last_check -= 3600

        def leave(self) -> None:
            left.append(len(RUNS))

    monkeypatch.setattr(state, "GATE", Slow())
    monkeypatch.setattr(state, "CHECK_SECONDS", 60)
    with state.turn("page"):
        state.wait()
        assert not left
    assert left == [0]


def test_a_run_waits_for_a_while_only_and_a_run_that_failed_keeps_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "PATIENCE_SECONDS", 0)
    with state.turn("act"):
        RUNS[-1] = ServerRun("act", time.monotonic() + 1, 0, 0)
        state.wait()
        del RUNS[-1]
    RUNS[-1] = ServerRun("act", time.monotonic() + 1, 0, 0)
    state.wait()
    del RUNS[-1]
    with pytest.raises(ZeroDivisionError), state.turn("page"):
        raise ZeroDivisionError
    assert threading.get_ident() not in RUNS


def works() -> None:
    """A page with so many slices of work."""
    import streamlit as st

    from dtviz.app.state import turn
    from dtviz.base.progress import pause

    st.session_state["made"] = 0
    place = st.container() if st.session_state["kind"] == "page" else None
    with turn(st.session_state["kind"], place):
        for _ in range(100):
            st.session_state["made"] += 1
            pause()
    st.text("done")


def long_work() -> None:
    """An act with long work, whose bar is in the place of the spinner."""
    import streamlit as st

    from dtviz.app.state import run_long, turn

    def slices():  # type: ignore[no-untyped-def]
        yield from (0.25, 0.5)
        return "the tree"

    with turn("act", st.container()):
        st.session_state["made"] = run_long(slices(), "Growing")


def test_long_work_has_a_bar_and_an_act_may_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    bar = state.st.progress
    for name in ("SPINNER_SECONDS", "CHECK_SECONDS"):
        monkeypatch.setattr(state, name, -1)
    monkeypatch.setattr(
        state.st, "progress", lambda *args, **more: told.append(args[1]) or bar(*args, **more)
    )
    monkeypatch.setattr(
        state.st, "button", lambda text, **more: told.append(f"{text} by {more['on_click']}")
    )
    at = run(AppTest.from_function(long_work, default_timeout=60))
    assert at.session_state["made"] == "the tree"
    assert told == ["Growing", "Stop by None"]
    # the bar goes with the work
    assert not at.get("progress")


def test_the_work_of_who_left_ends_at_the_next_pause() -> None:
    for kind in ("page", "act", "slice"):
        at = AppTest.from_function(works, default_timeout=60)
        at.session_state["kind"] = kind
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(state, "_is_abandoned", lambda _: RUNS != {})
            at = run(at)
        assert at.session_state["made"] == 1, kind
        assert not at.text, kind
        at = run(at)
        assert (at.session_state["made"], at.text[0].value) == (100, "done"), kind


def test_work_that_takes_a_while_is_said_where_it_has_a_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "SPINNER_SECONDS", -1)
    entered: list[Any] = []
    spinner = state.st.spinner
    monkeypatch.setattr(
        state.st, "spinner", lambda *args, **more: entered.append(args) or spinner(*args, **more)
    )
    at = AppTest.from_function(works, default_timeout=60)
    at.session_state["kind"] = "page"
    run(at)
    assert entered == [("Working",)]
    at.session_state["kind"] = "act"
    run(at)
    assert len(entered) == 1


def test_a_part_of_a_run_says_so_where_the_whole_would_unless_that_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "SPINNER_SECONDS", -1)
    monkeypatch.setattr(state, "_is_abandoned", lambda _: False)
    said: list[str] = []
    monkeypatch.setattr(state.st, "spinner", lambda *_, **__: said.append("once") or nullcontext())
    with state.turn("page", nullcontext()):
        for _ in range(2):
            with state.turn("slice"):
                state.wait()
                state.wait()
        assert said == ["once", "once"]  # each part again, while the whole has not
        state.wait()
        with state.turn("slice"):
            state.wait()
    assert said == ["once"] * 3
    with state.turn("slice"):
        state.wait()
    assert said == ["once"] * 3


def test_that_it_is_at_work_is_said_in_a_place_that_what_is_drawn_does_not_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(state, "SPINNER_SECONDS", -1)
    monkeypatch.setattr(state, "_is_abandoned", lambda _: False)
    done: list[str] = []

    @contextmanager
    def noted(what: str) -> Iterator[None]:
        done.append(f"into {what}")
        yield
        done.append(f"out of {what}")

    monkeypatch.setattr(state.st, "spinner", lambda *_, **__: noted("saying so"))
    with state.turn("page", noted("its place")):
        RUNS[threading.get_ident()].last_check = 0
        state.wait()
        done.append("draws")
    assert done == [
        "into its place", "into saying so", "out of its place", "draws", "out of saying so"
    ]  # fmt: skip


def test_that_what_was_done_takes_a_while_is_said_where_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = page("grow", data="moons", n="66")
    taken = at.selectbox(key="rule_criterion").select("gini")
    said: list[object] = []
    spinner = state.st.spinner

    def noted(*args: Any, **more: Any) -> Any:
        if RUNS[threading.get_ident()].kind == "act":
            said.append(context_dg_stack.get()[-1])
        return spinner(*args, **more)

    monkeypatch.setattr(state, "SPINNER_SECONDS", -1)
    monkeypatch.setattr(state.st, "spinner", noted)
    place = at.session_state["spinner_container"]
    run(taken)
    assert [one is place for one in said] == [True]


def test_a_page_that_takes_too_long_says_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "MAX_CPU_SECONDS", -1)
    at = page("grow", data="moons", n="67")  # of no other test: nothing of it is kept
    told = " ".join(str(one.value) for one in at.error)
    assert "this takes longer and was ended" in told
    assert "let the tree stop earlier" in told
    monkeypatch.undo()
    assert not run(at).error


def test_who_has_no_headers_any_more_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    for before, after, is_gone in ((1, 0, True), (1, 1, False), (0, 0, False)):
        seen = [{"Host": "here"} if headers else {} for headers in (before, after)]
        monkeypatch.setattr(state.st, "context", SimpleNamespace(headers=seen[0]))
        with state.turn("slice"):
            monkeypatch.setattr(state.st, "context", SimpleNamespace(headers=seen[1]))
            assert state._is_abandoned(RUNS[threading.get_ident()]) == is_gone


def test_what_takes_too_long_is_not_done_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    at = page("grow", data="moons", n="68")
    before = at.session_state["instrument"].visit.session
    taken = at.selectbox(key="rule_criterion").select("gini")
    patched = state._is_abandoned
    calls: list[int] = []

    def first_time(work: ServerRun) -> bool:
        calls.append(1)
        if len(calls) == 1:
            raise state.TooLongError
        return patched(work)

    monkeypatch.setattr(state, "_is_abandoned", first_time)
    at = run(taken)
    assert at.session_state["instrument"].visit.session == before
    assert "one change may take the server 60 seconds" in at.toast[0].value.lower()
    assert not at.error
