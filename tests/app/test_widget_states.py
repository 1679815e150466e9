"""Odd states of Streamlit's controls: refused at the border, so that every page goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from screens import page, run
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import local_script_runner

from dtviz.app.guard import Controls

PAGES = {
    "grow": {"data": "iris", "log": "a2"},
    "data": {"data": "drawn", "points": "1~1~A_2~1~B_3~1~A"},
    "overfit": {"data": "iris"},
    "stability": {"data": "moons", "vary": "resample"},
    "forest": {"data": "iris"},
    "impurity": {"data": "iris"},
    "learn": {},
}
EDITS = (
    {"edited_rows": {"x": 1}}, {"edited_rows": []}, {"edited_rows": {"0": 5}},
    {"edited_rows": {"0": {"x": [1]}}}, {"edited_rows": {"99": {"x": "1"}}},
    {"edited_rows": {"0": {"nope": "1"}}}, {"added_rows": [{"x": {}}]}, {"added_rows": 5},
    {"added_rows": [5]}, {"deleted_rows": ["a"]}, {"deleted_rows": [99_999]}, {"other": 1}, [], 3,
)  # fmt: skip
SELECTED = ({"selection": 5}, {"selection": {"rows": 3}}, {"selection": []})
TEXTS = ("", "x", "null", "9" * 400, "NaN", "[" * 5_000, *map(json.dumps, (*EDITS, *SELECTED)))


def odd() -> Iterator[WidgetState]:
    """States of every field that a state has, with what no control says."""
    for text in TEXTS:
        yield WidgetState(string_value=text)
        yield WidgetState(json_value=text)
        yield WidgetState(json_trigger_value=text)
    for name, lists in {
        "string_array_value": ([], ["x"], ["x", "y"], ["9" * 400]),
        "double_array_value": ([], [float("nan")], [1e308], [-5, 3], [0.5]),
        "int_array_value": ([], [10**9], [-1]),
    }.items():
        for values in lists:
            state = WidgetState()
            getattr(state, name).data.extend(values)
            getattr(state, name).SetInParent()
            yield state
    yield from (WidgetState(int_value=2**60), WidgetState(double_value=float("nan")))
    yield from (WidgetState(double_value=1e308), WidgetState(bytes_value=b"\0"), WidgetState())
    yield from (WidgetState(bool_value=True), WidgetState(string_trigger_value={"data": "x"}))


@pytest.fixture
def controls(monkeypatch: pytest.MonkeyPatch) -> Controls:
    """Those that a server would know, of what the pages send."""
    known, parse = Controls(), local_script_runner.parse_tree_from_messages

    def noting(messages: Any) -> Any:
        for message in messages:
            known.remember(message.SerializeToString())
        return parse(messages)

    monkeypatch.setattr(local_script_runner, "parse_tree_from_messages", noting)
    return known


@pytest.mark.parametrize("part", [6, pytest.param(1, marks=pytest.mark.nightly)])
def test_every_page_goes_on_whatever_states_its_controls_are_sent(
    controls: Controls, part: int
) -> None:
    """Of each control every odd state is judged; the page runs with those that pass, in turn."""
    for name, params in PAGES.items():
        controls.by_id.clear()
        at = page(name, **params)
        passing: dict[str, list[WidgetState]] = {}
        for identity, (fields, _) in controls.by_id.items():
            for state in odd():
                state.id = identity
                told = WidgetStates(widgets=[state])
                refused = controls.refuse(told)
                assert len(told.widgets) == (not refused)
                assert refused or state.WhichOneof("value") in (*fields, None)
                leads = identity.endswith("-picker")  # to a page, and here is none but this one
                if not (refused or leads or "trigger_value" in fields):
                    passing.setdefault(identity, []).append(state)
        assert passing or name == "learn", name
        for k in range(0, max(map(len, passing.values()), default=0), part):
            states = [some[(k + j) % len(some)] for j, some in enumerate(passing.values())]
            at._run(WidgetStates(widgets=states))
            assert not at.exception, (name, states)
        run(at)
