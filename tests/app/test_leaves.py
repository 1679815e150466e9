"""Every leaf model on the pages: chosen in Settings, kept in the address, drawn and judged."""

from __future__ import annotations

import re

from screens import frame_of, open_panel, page, params_of, run, seeded, stage_of, why, words

from dtviz.engine.leaves.leaf_models import LEAF_MODELS

SINE = {"data": "sine", "n": "80", "noise": "0.25", "seed": "7"}
MOONS = {"data": "moons", "n": "80", "noise": "0.25", "seed": "7"}
DATA = {"regression": SINE, "classification": MOONS}


def test_grow_and_overfit_open_with_each_and_keep_it() -> None:
    for name in ("mean", "median", "linear", "logistic"):
        own = DATA[LEAF_MODELS[name].task]
        usual = name in ("majority", "mean")
        params = own | ({} if usual else {"leaf_model": name}) | {"log": "a2"}
        at = page("grow", **params)
        assert not at.warning, name
        assert params_of(at) == params, name
        judged = page("overfit", **own, leaf_model=name, max_depth="2")
        assert not judged.warning, name
        assert frame_of(judged, "overfit")["panels"], name
        varies = {"majority": set(), "mean": set(), "median": set(), "linear": {"curves"}}
        assert {"curves", "shades"} & set(stage_of(at)) == varies.get(name, {"shades"}), name
        assert {"curves", "shades"} & set(frame_of(judged, "overfit")) == varies.get(
            name, {"shades"}
        )


def test_lines_have_their_impurity_and_their_arithmetic() -> None:
    at = page("grow", **SINE, leaf_model="linear", log="a1")
    stage, tree = stage_of(at), frame_of(at, "tree")
    assert stage["impurity"] == "residual variance"
    assert tree["impurity_name"] == "residual variance"
    assert "wins: gain" in why(at)
    lines = [str(block.value) for block in open_panel(at, "Arithmetic").latex]
    assert any(re.search(r"I\(D\).*\\frac\{1\}\{\d+\}.*\)\^2", line) for line in lines), lines
    taught = page("learn", **SINE, leaf_model="linear")
    text = "\n".join([words(taught), *(str(block.value) for block in taught.latex)])
    assert "the variance of the target about the regression" in text
    assert r"(y_i - a - \langle b, x_i \rangle)^2" in text


def test_overfit_says_how_sure_shares_are() -> None:
    at = page("overfit", **MOONS, leaf_model="shares", max_depth="2")
    assert re.search(r"Log loss 0\.\d+, 0\.\d+ held out; Brier score 0\.\d+, 0\.\d+", words(at))
    assert "Log loss" not in words(page("overfit", **MOONS, max_depth="2"))


def test_settings_say_what_a_leaf_is_and_how_its_cuts_are_searched() -> None:
    at = seeded("grow", **MOONS, leaf_model="logistic")
    at.session_state["settings"] = True
    (box,) = [box for box in run(at).selectbox if box.label == "A leaf predicts"]
    assert box.value == "logistic"
    assert "The cuts are those of the criterion" in box.help
    assert box.options == ["Majority class", "Class shares", "Logistic regression"]


def test_learn_says_what_each_leaf_would_predict_of_the_node() -> None:
    for data in ("moons", "sine", "iris"):
        at = page("learn", data=data)
        text, formulas = words(at), "\n".join(str(block.value) for block in at.latex)
        task = "regression" if data == "sine" else "classification"
        for model in LEAF_MODELS.values():
            suits = model.task == task and model.name != "least_cost"
            suits &= model.n_classes in (None, 3 if data == "iris" else 2)
            assert (f"- {model.title}: {model.description} Here" in text) == suits, data
        assert (r"\frac{n_k + 1}{n + K}" in formulas) == (task == "classification"), data
        assert (r"e^{-(a_j" in formulas) == (data == "moons"), data
