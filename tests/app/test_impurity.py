"""The page Impurity: pictures, arithmetic, disagreements, and all of it in the address."""

from __future__ import annotations

import pytest
from screens import frame_of, frames, page, params_of, run, send, words
from streamlit.testing.v1 import AppTest

from dtviz.engine.criteria.criteria import CRITERIA, GINI, Criterion, Impurity

HEIGHTS = {"data": "heights"}


def latex(at: AppTest) -> str:
    return "\n".join(str(block.value) for block in at.latex)


def clicked(at: AppTest, label: str) -> AppTest:
    return run(next(one for one in at.button if one.label == label).click())


def test_the_page_opens_on_its_usual_values() -> None:
    at = page("impurity", **HEIGHTS)
    assert {*frames(at)} == {"measures", "simplex", "splits"}
    assert params_of(at) == HEIGHTS
    assert r"\tfrac{30}{100} \log_2 \tfrac{30}{100}" in latex(at)
    assert r"&= 1 - 0.118709 = 0.881291 = H" in latex(at)
    assert r"&= 1.58496 - 0.289501 = 1.29546 = H" in latex(at)
    assert "prefers" not in words(at)


def test_a_link_brings_the_page_back_and_a_side_without_rows_is_no_split() -> None:
    params = HEIGHTS | {
        "percent": "50", "shares": "20.20.20", "impurity": "gini", "splits": "5.2_4.2_4.1",
        "opened": "gain_ratio", "between": "entropy.gini",
    }  # fmt: skip
    at = page("impurity", **params)
    assert not at.warning
    assert params_of(at) == params
    assert frame_of(at, "measures")["percent"] == 50
    assert frame_of(at, "simplex")["shares"] == [20, 20, 20]
    assert frame_of(at, "splits")["first"] == [4, 2]
    assert r"\left(\tfrac{20}{60}\right)^2" in latex(at)
    assert r"\text{gain ratio} &=" in latex(at)
    assert "A by Gain ratio" in words(at)
    assert [box.value for box in at.selectbox] == ["entropy", "gini"]
    at = page("impurity", **HEIGHTS, splits="5.2_5.2_4.1")
    assert "A side is empty: this is no split." in words(at)
    assert "B by Entropy" in words(at)


ACTS = [
        ("measures", {"percent": 25}, {"percent": "25"}),
        ("measures", {"impurity": "error"}, {"impurity": "error"}),
        ("simplex", {"shares": [0, 30, 30]}, {"shares": "0.30.30"}),
        ("splits", {"opened": "cart"}, {"opened": "cart"}),
        ("splits", {"splits": {"parent": [3, 2, 1], "first": [2, 2, 0], "second": [3, 1, 1]}},
         {"splits": "3.2.1_2.2.0_3.1.1"}),
    ]  # fmt: skip


def test_what_is_done_on_a_picture_is_in_the_address() -> None:
    for picture, values, said in ACTS:
        at = send(page("impurity", **HEIGHTS), picture, {"what": "set", "values": values})
        assert params_of(at) == HEIGHTS | said, (picture, values, said)


def test_a_disagreement_of_two_measures_is_put_on_the_picture_by_a_click() -> None:
    at = clicked(page("impurity", **HEIGHTS, between="entropy.gini"), "5 + 2")
    assert params_of(at)["splits"] == "5.2_4.2_4.1"
    assert params_of(at)["opened"] == "gini"
    frame = frame_of(at, "splits")
    assert (frame["parent"], frame["first"], frame["second"]) == ([5, 2], [4, 2], [4, 1])
    at = clicked(at, "3 + 2 + 1")
    assert frame_of(at, "splits")["parent"] == [3, 2, 1]
    assert "3 + 2 + 1 rows: A sends 2 + 2 + 0 left, B 3 + 1 + 1. Entropy prefers A" in words(at)
    at = page("impurity", **HEIGHTS)
    at = run(at.selectbox(key="between_0").set_value("gain_ratio"))
    assert params_of(at)["between"] == "gain_ratio.gini"
    assert "prefers" not in words(at), "none of the examples is on the picture"
    at = run(at.button(key="example_0").click())
    assert "Gain ratio prefers A" in words(at)
    at = run(at.selectbox(key="between_1").set_value("gain_ratio"))
    assert "On all nodes of two and three classes of up to 14 rows, tried one by one." in words(at)
    assert not [one for one in at.button if "+" in one.label]


def test_the_cut_on_grow_is_taken_and_taken_back_unless_gains_are_hidden() -> None:
    at = clicked(page("impurity", data="iris"), "Take the cut on Grow")
    assert params_of(at)["splits"].startswith("50.50.50_")
    button = next(one for one in at.button if one.label == "Take the cut on Grow")
    assert button.disabled
    at = run(at.button(key="Undo").click())
    assert params_of(at) == {"data": "iris"}
    at = page("impurity", **HEIGHTS, say="Which is purer?", hide="gains")
    assert "Which is purer?" in words(at)
    assert "Take the cut on Grow" not in [one.label for one in at.button]


def test_a_criterion_that_is_registered_is_worked_out_but_not_searched_unless_it_is_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toy = Impurity("disorder", "N", "nat", "", "", GINI.spread, GINI.formula_step)
    monkeypatch.setitem(CRITERIA, "nat", Criterion("nat", "Nats", "classification", toy))
    at = page("impurity", **HEIGHTS, opened="nat", impurity="disorder", between="nat.gini")
    assert params_of(at) == HEIGHTS | {"opened": "nat", "impurity": "disorder"}
    assert "A by Nats" in words(at)
    assert r"= 0.42\ \text{nat}" in latex(at)
    assert "Nats" not in at.selectbox(key="between_0").options
