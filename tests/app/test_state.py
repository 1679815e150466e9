"""Controls that show a value of the session: an echo of what they showed before is no choice.

Glossary
    echo    a message of a browser that has not yet drawn what was changed since
"""

from __future__ import annotations

from typing import Any

import pytest
from screens import page, params_of, press, run, seeded
from streamlit.testing.v1 import AppTest

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
    at = page("overfit", **MOONS)
    run(at.selectbox(key="judge_folds").set_value(0))
    press(at, "Undo")
    (box,) = [one for one in at.selectbox if one.label == "Folds"]
    assert (box.key, box.value) == ("judge_folds-1", 5)
    run(box.set_value(10))
    assert params_of(at)["folds"] == "10"
    (box,) = [one for one in at.selectbox if one.label == "Folds"]
    assert (box.key, box.value) == ("judge_folds-1", 10)
    at = page("overfit", **MOONS)
    start = params_of(at)
    run(at.selectbox(key="judge_folds").set_value(0))
    before = at._tree.get_widget_states()
    assert params_of(press(at, "Undo")) == start
    assert params_of(echoed(at, before)) == start
