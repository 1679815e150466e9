"""The page Impurity: pictures, arithmetic, disagreements, and all of it in the address."""

from __future__ import annotations

from typing import Any

import pytest
from screens import frame_of, frames, page, params_of, run, send, words
from streamlit.testing.v1 import AppTest

from dtviz.engine.criteria.criteria import CRITERIA, GINI, Criterion, Impurity

HEIGHTS = {"data": "heights"}


def part(at: AppTest, name: str) -> Any:
    return frame_of(at, "impurity")[name]


def latex(at: AppTest) -> str:
    """All lines of LaTeX on the page."""
    shares = [part(at, name) for name in ("two_classes", "three_classes")]
    lines = [line for one in shares for line in (one["impurity"], *one["information"])]
    return "\n".join([*lines, *(line for split in part(at, "split_lines") for line in split)])


def compared(at: AppTest, *names: str) -> AppTest:
    return send(at, "impurity", {"what": "set", "values": {"between": [*names]}})


def shown_example(at: AppTest, name: str) -> AppTest:
    """The page after a click on an example."""
    (example,) = (one for one in part(at, "examples") if one["name"] == name)
    values = {"splits": example["splits"], "opened": part(at, "between")[1]}
    return send(at, "impurity", {"what": "set", "values": values})


def told(at: AppTest) -> str:
    """The disagreement of the two splits on the page, in words."""
    return "".join(example["text"] for example in part(at, "examples")).replace("**", "")


def test_the_page_opens_on_its_usual_values() -> None:
    at = page("impurity", **HEIGHTS)
    assert {*frames(at)} == {"impurity"}
    assert params_of(at) == HEIGHTS
    assert r"\tfrac{30}{100} \log_2 \tfrac{30}{100}" in latex(at)
    assert r"= 1 - 0.118709 = 0.881291 = H" in latex(at)
    assert r"= 1.58496 - 0.289501 = 1.29546 = H" in latex(at)
    assert told(at) == ""


def test_a_link_brings_the_page_back_and_a_side_without_rows_is_no_split() -> None:
    params = HEIGHTS | {
        "percent": "50", "shares": "20.20.20", "impurity": "gini", "splits": "5.2_4.2_4.1",
        "opened": "gain_ratio", "between": "entropy.gini",
    }  # fmt: skip
    at = page("impurity", **params)
    assert not at.warning
    assert params_of(at) == params
    assert part(at, "measures")["percent"] == 50
    assert part(at, "simplex")["shares"] == [20, 20, 20]
    assert part(at, "splits")["first"] == [4, 2]
    assert r"\left(\tfrac{20}{60}\right)^2" in latex(at)
    assert r"\text{gain ratio} =" in latex(at)
    assert part(at, "criterion") == "Gain ratio"
    assert part(at, "between") == ["entropy", "gini"]
    at = page("impurity", **HEIGHTS, splits="5.2_5.2_4.1")
    assert [len(lines) for lines in part(at, "split_lines")] == [0, 5]


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
        at = send(
            page("impurity", **HEIGHTS), "impurity", {"what": "set", "values": values}, part=picture
        )
        assert params_of(at) == HEIGHTS | said, (picture, values, said)


def test_a_disagreement_of_two_measures_is_put_on_the_picture_by_a_click() -> None:
    at = shown_example(page("impurity", **HEIGHTS, between="entropy.gini"), "5 + 2")
    assert params_of(at)["splits"] == "5.2_4.2_4.1"
    assert params_of(at)["opened"] == "gini"
    frame = part(at, "splits")
    assert (frame["parent"], frame["first"], frame["second"]) == ([5, 2], [4, 2], [4, 1])
    at = shown_example(at, "3 + 2 + 1")
    assert part(at, "splits")["parent"] == [3, 2, 1]
    assert told(at).startswith(
        "3 + 2 + 1 rows: A sends 2 + 2 + 0 left, B 3 + 1 + 1. Entropy prefers A"
    )
    at = page("impurity", **HEIGHTS)
    at = compared(at, "gain_ratio", "gini")
    assert params_of(at)["between"] == "gain_ratio.gini"
    assert told(at) == "", "none of the examples is on the picture"
    at = shown_example(at, part(at, "examples")[0]["name"])
    assert "Gain ratio prefers A" in told(at)
    at = compared(at, "gain_ratio", "gain_ratio")
    assert part(at, "examples") == []
    assert part(at, "agreement") == (
        "On all nodes of two and three classes of up to 14 rows, tried one by one."
    )


def test_the_cut_on_grow_is_taken_and_taken_back_unless_gains_are_hidden() -> None:
    at = page("impurity", data="iris")
    assert part(at, "can_take") is True
    at = send(at, "impurity", {"what": "take"})
    assert params_of(at)["splits"].startswith("50.50.50_")
    assert part(at, "can_take") is False
    at = run(at.button(key="Undo").click())
    assert params_of(at) == {"data": "iris"}
    at = page("impurity", **HEIGHTS, say="Which is purer?", hide="gains")
    assert "Which is purer?" in words(at)
    assert part(at, "can_take") is None


def test_a_criterion_that_is_registered_is_worked_out_but_not_searched_unless_it_is_exact(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    toy = Impurity("disorder", "N", "nat", "", "", GINI.spread, GINI.formula_step)
    monkeypatch.setitem(CRITERIA, "nat", Criterion("nat", "Nats", "classification", toy))
    at = page("impurity", **HEIGHTS, opened="nat", impurity="disorder", between="nat.gini")
    assert params_of(at) == HEIGHTS | {"opened": "nat", "impurity": "disorder"}
    assert part(at, "criterion") == "Nats"
    assert r"= 0.42\ \text{nat}" in latex(at)
    assert "Nats" not in [title for _, title in part(at, "criteria")]
