"""The page Forest: the trees grow, controls make others, and all of it is in the address."""

from __future__ import annotations

import pandas as pd
from screens import (
    app,
    frame_of,
    frames,
    live,
    page,
    params_of,
    plain,
    run,
    send,
    session_of,
    with_file,
    words,
)

MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}
SMALL = MOONS | {"trees": "5"}


def test_the_page_grows_a_random_forest_and_all_its_trees_can_be_taken_along() -> None:
    at = page("forest", **SMALL)
    assert {*frames(at)} == {"points", "forest"}
    assert params_of(at) == SMALL
    for _ in range(20):
        frame = frame_of(at, "forest")
        if len(frame["rounds"]) and "permuted" in frame["worth"][0]:
            break
        at = run(at)
    assert list(frame["rounds"]) == [1, 2, 3, 4, 5]
    assert frame["words"][-1].startswith("5 trees: training error ")
    assert "Moons" in words(at)
    at = page("forest", **SMALL)
    for _ in range(20):
        if len(frame_of(at, "forest")["rounds"]):
            break
        at = run(at)
    labels = [one.label for one in at.get("download_button")]
    assert labels == ["All trees as Python", "All trees as JSON"]
    hidden = page("forest", **SMALL, hide="panels")
    assert not hidden.get("download_button")


def test_controls_and_a_link_make_another_ensemble_that_suits_the_data() -> None:
    at = page("forest", **SMALL)
    at = run(at.selectbox(key="grove_kind").select("adaboost"))
    assert params_of(at) == SMALL | {"ensemble": "adaboost"}
    assert [box.key for box in at.selectbox] == ["grove_kind", "grove_trees", "grove_rate"]
    at = run(at.selectbox(key="grove_rate").select(0.5))
    assert params_of(at)["shrink"] == "0.5"
    at = run(at.selectbox(key="grove_kind").select("forest"))
    assert params_of(at) == SMALL  # what is usual for one kind is not for another
    at = run(at.selectbox(key="grove_features").select(2))
    assert params_of(at)["tries"] == "2"
    at = run(at.button(key="grow_again").click())
    assert params_of(at)["grown_seed"] == "1"
    params = SMALL | {"ensemble": "gradient", "shrink": "0.2", "max_depth": "2"}
    at = page("forest", **params)
    assert not at.warning
    assert params_of(at) == params
    assert session_of(at).plan.rate == 0.2
    at = page("forest", data="sine", trees="5")
    assert "AdaBoost" not in at.selectbox(key="grove_kind").options
    assert "Gradient boosting" in at.selectbox(key="grove_kind").options


def test_a_tree_clicked_is_opened_in_grow() -> None:
    at = app("forest")
    at.query_params.update(SMALL)
    at = run(at)
    for _ in range(20):
        if len(frame_of(at, "forest")["rounds"]):
            break
        at = run(at)
    send(at, "forest", {"what": "open", "member": 2})
    at = run(at)
    assert session_of(at).recipe.name == "member"
    assert session_of(at).recipe.get("member_number") == 2
    assert session_of(at).opened is None


def test_of_one_tree_of_a_fitted_ensemble_no_other_ensemble_is_shown() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 5, "y": ["a", "b", "b", "a"] * 5})
    at = run(with_file("forest", frame, "RandomForestClassifier 2", tree_of="**Forest**"))
    assert "one tree of the fitted Forest; its other trees are not here" in plain(at.info[0].value)
    assert live(at) == []
    assert not {"forest", "points"} & {*frames(at)}
    assert not at.selectbox
    assert params_of(at)["tree_of"] == "**Forest**"


def test_the_rows_of_a_tree_are_not_drawn_from_again() -> None:
    own = {"data": "member", "member_of": "moons", "member_kind": "forest", "member_number": "1",
           "member_seed": "0", "n": "60", "noise": "0.25", "seed": "7", "trees": "5"}  # fmt: skip
    at = page("forest", **own)
    for _ in range(20):
        if len(frame_of(at, "forest")["rounds"]):
            break
        at = run(at)
    at = send(at, "forest", {"what": "open", "member": 2})
    assert [toast.value for toast in at.toast] == [
        "These are the rows of one of its trees already: go back to all rows first."
    ]
    assert session_of(at).opened is None
    assert params_of(at)["data"] == "member"
