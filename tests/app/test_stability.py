"""The page Stability: what it says, its controls, what is clicked, and the way to Grow."""

from __future__ import annotations

import time
from typing import Any

from screens import (
    app,
    frame_of,
    frames,
    page,
    params_of,
    run,
    send,
    session_of,
    settings_of,
    words,
)
from streamlit.testing.v1 import AppTest

MOONS = {"data": "moons", "n": "40", "noise": "0.3", "seed": "1"}
PATIENCE = 60  # seconds


def grown(at: AppTest) -> AppTest:
    """The page once its trees are there."""
    end = time.monotonic() + PATIENCE
    while "tree_number" not in frame_of(at, "stability") and time.monotonic() < end:
        at = run(at)
    assert "tree_number" in frame_of(at, "stability")
    return at


def opened(**params: str) -> AppTest:
    return grown(page("stability", **(MOONS | params)))


def changed(at: AppTest, **values: Any) -> AppTest:
    """The page after a change of the settings, once its trees are there."""
    return grown(send(at, "stability", {"what": "set", "values": values}))


def test_the_page_says_how_many_trees_are_the_full_one_unless_a_link_hides_it() -> None:
    at = opened()
    assert params_of(at) == MOONS
    said = words(at)
    assert "We left out each of the 40 rows in turn. " in said
    assert "We left out each of the " in said
    assert " even the first cut changed" in said
    assert {*frames(at)} == {"stability", "layer", "plain"}
    assert frame_of(at, "layer")["name"] == frame_of(at, "stability")["layer"]
    at = opened(hide="settings.why", say="Which row matters?")
    assert "Which row matters?" in words(at)
    assert "We left out" not in words(at)
    assert not settings_of(at, "stability")
    assert not at.get("popover")


def test_a_link_brings_everything_back() -> None:
    params = MOONS | {"vary": "some", "vary_percent": "20", "vary_trees": "30", "vary_seed": "2",
                      "vary_shown": "4", "max_depth": "3"}  # fmt: skip
    at = grown(page("stability", **params))
    assert not at.warning
    assert params_of(at) == params
    frame = frame_of(at, "stability")
    assert frame["tree_number"][frame["shown_tree"]] == 4
    assert "We left out 8 of the 40 rows, 30 times. " in words(at)
    assert settings_of(at, "stability") == {"way": "some", "percent": 20, "trees": 30}


def test_controls_choose_the_rows() -> None:
    at = changed(opened(), way="resample", trees=25)
    assert params_of(at) == MOONS | {"vary": "resample", "vary_trees": "25"}
    assert "We drew 40 rows again and again, 25 times. " in words(at)
    before = frame_of(at, "stability")
    at = changed(at, seed=before["head"]["again"]["seed"])
    assert params_of(at)["vary_seed"] == "1"
    assert frame_of(at, "stability")["change"].tolist() != before["change"].tolist()
    at = changed(opened(vary="some"), percent=50)
    assert "We left out 20 of the 40 rows, 100 times. " in words(at)
    assert params_of(changed(at, percent=99)) == params_of(at)


def test_what_is_clicked_stays_and_a_second_click_takes_it_back() -> None:
    at = opened()
    assert not frame_of(at, "stability")["can_open"]
    at = send(at, "stability", {"what": "set", "values": {"shown": 6}})
    assert params_of(at) == MOONS | {"vary_shown": "6"}
    frame = frame_of(at, "stability")
    assert frame["tree_number"][frame["shown_tree"]] == 6
    assert frame["can_open"]
    at = send(at, "stability", {"what": "set", "values": {"shown": None}})
    assert params_of(at) == MOONS


def test_a_tree_is_opened_in_grow_on_its_own_rows() -> None:
    at = app()
    at.query_params.update(MOONS | {"vary_shown": "6"})
    at = grown(run(at.switch_page("pages/stability.py")))
    at = send(at, "stability", {"what": "open"})
    assert session_of(at).recipe.name == "sample"
    assert "without row 7" in words(at)
    assert params_of(at)["sample_shown"] == "6"
    tree = frame_of(at, "tree")
    assert len(tree["nodes"]) > 1


def test_numbers_gaps_and_a_single_row_are_shown() -> None:
    for of in ("sine", "penguins"):
        at = grown(page("stability", data=of, vary="resample", vary_trees="5"))
        assert "again and again, 5 times. " in words(at), of
        if of == "sine":
            assert "On average the prediction moved by " in words(at), of
    at = page("stability", data="drawn", kind="classes", points="1~2~A")
    assert "One row leaves none" in words(at)
    at = grown(page("stability", data="drawn", kind="classes", points="1~2~A", vary="resample"))
    assert "Every time " in words(at)
