"""The page Forest: the trees grow, controls make others, and all of it is in the address."""

from __future__ import annotations

from typing import Any

import pandas as pd
import screens

MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}
SMALL = MOONS | {"trees": "5"}


def test_the_page_grows_a_random_forest_and_all_its_trees_can_be_taken_along() -> None:
    at = screens.page("forest", **SMALL)
    assert {*screens.frames(at)} == {"plain", "forest"}
    assert screens.params_of(at) == SMALL
    for _ in range(20):
        frame = screens.frame_of(at, "forest")
        if len(frame["rounds"]) and "permuted" in frame["importances"][0]:
            break
        at = screens.run(at)
    assert list(frame["rounds"]) == [1, 2, 3, 4, 5]
    assert frame["headlines"][-1].startswith("5 trees: ")
    assert "Moons" in screens.words(at)
    at = screens.page("forest", **SMALL)
    for _ in range(20):
        if len(screens.frame_of(at, "forest")["rounds"]):
            break
        at = screens.run(at)
    labels = [one.label for one in at.get("download_button")]
    assert labels == ["All trees as Python", "All trees as JSON"]
    hidden = screens.page("forest", **SMALL, hide="panels")
    assert not hidden.get("download_button")


def planned(at: Any, **values: Any) -> Any:
    """The page after a change of the plan."""
    return screens.send(at, "forest", {"what": "plan", "values": values})


def test_controls_and_a_link_make_another_ensemble_that_suits_the_data() -> None:
    at = screens.page("forest", **SMALL)
    at = planned(at, kind="adaboost")
    assert screens.params_of(at) == SMALL | {"ensemble": "adaboost"}
    assert [*screens.settings_of(at, "forest")] == ["kind", "trees", "rate"]
    assert "again" not in screens.frame_of(at, "forest")["head"]
    at = planned(at, rate=0.5)
    assert screens.params_of(at)["shrink"] == "0.5"
    at = planned(at, kind="forest")
    assert screens.params_of(at) == SMALL  # what is usual for one kind is not for another
    at = planned(at, features=2)
    assert screens.params_of(at)["tries"] == "2"
    at = planned(at, seed=screens.frame_of(at, "forest")["head"]["again"]["seed"])
    assert screens.params_of(at)["grown_seed"] == "1"
    assert screens.settings_of(at, "forest") == {"kind": "forest", "trees": 5, "features": 2}
    before = screens.params_of(at)
    for values in ({"trees": 10**12}, {"kind": "oak"}, {"rate": -1.0}, {"seed": -1}):
        at = planned(at, **values)
        assert screens.params_of(at) == before
    params = SMALL | {"ensemble": "gradient", "shrink": "0.2", "max_depth": "2"}
    at = screens.page("forest", **params)
    assert not at.warning
    assert screens.params_of(at) == params
    assert screens.session_of(at).plan.rate == 0.2
    assert "Each tree grows by the settings" in screens.words(at)
    at = screens.page("forest", data="sine", trees="5")
    kinds = screens.frame_of(at, "forest")["head"]["settings"][0]["texts"]
    assert "AdaBoost" not in kinds
    assert "Gradient boosting" in kinds


def test_a_tree_clicked_is_opened_in_grow() -> None:
    at = screens.app("forest")
    at.query_params.update(SMALL)
    at = screens.run(at)
    for _ in range(20):
        if len(screens.frame_of(at, "forest")["rounds"]):
            break
        at = screens.run(at)
    screens.send(at, "forest", {"what": "open", "member": 2})
    at = screens.run(at)
    assert screens.session_of(at).recipe.name == "member"
    assert screens.session_of(at).recipe.get("member_number") == 2
    assert screens.session_of(at).opened is None


def test_of_one_tree_of_a_fitted_ensemble_no_other_ensemble_is_shown() -> None:
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0] * 5, "y": ["a", "b", "b", "a"] * 5})
    at = screens.run(
        screens.with_file("forest", frame, "RandomForestClassifier 2", tree_of="**Forest**")
    )
    assert "rows of the fitted Forest; not all of its trees are here" in screens.plain(
        at.info[0].value
    )
    assert screens.live(at) == []
    assert not {"forest", "plain"} & {*screens.frames(at)}
    assert not at.selectbox
    assert screens.params_of(at)["tree_of"] == "**Forest**"


def test_the_rows_of_a_tree_are_not_drawn_from_again() -> None:
    own = {"data": "member", "member_of": "moons", "member_kind": "forest", "member_number": "1",
           "member_seed": "0", "n": "60", "noise": "0.25", "seed": "7", "trees": "5"}  # fmt: skip
    at = screens.page("forest", **own)
    for _ in range(20):
        if len(screens.frame_of(at, "forest")["rounds"]):
            break
        at = screens.run(at)
    at = screens.send(at, "forest", {"what": "open", "member": 2})
    assert [toast.value for toast in at.toast] == [
        "These are the rows of one of its trees already: go back to all rows first."
    ]
    assert screens.session_of(at).opened is None
    assert screens.params_of(at)["data"] == "member"
