"""Overfit: the tree of the training rows, its error curve, the controls, the panels, the link.

Work is not sliced here (see test_work.py): every run is complete.

Glossary
    cockpit   the frame of the component "overfit": both pictures and the curve
    anchor    of a row: the first node on the way down to its leaf whose split does not stay
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
import streamlit as st
from rings import boxes_in
from screens import (
    HOSTILE,
    Frame,
    app,
    flat,
    frame_of,
    frames,
    live,
    page,
    params_of,
    press,
    run,
    seeded,
    send,
    session_of,
    step,
    texts_in,
    with_file,
    words,
)
from sklearn.metrics import confusion_matrix, r2_score
from strategies import NASTY
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz import Collapse, Rules
from dtviz.engine import exhaustive, near
from dtviz.engine.criteria import CRITERIA, criteria_for
from dtviz.engine.exhaustive import best_of_depth_2
from dtviz.engine.grow import whole
from dtviz.engine.problem import Problem
from dtviz.engine.prune import path, reduced_error, weakest_links
from dtviz.engine.rules import default_rules
from dtviz.engine.subtrees import Nodes, connected, kept, losses
from dtviz.engine.tree import height, predict
from dtviz.figures import dials
from dtviz.instrument import Instrument
from dtviz.judge.axes import AXES, AXIS_OF, left_by, rules_at, value_text
from dtviz.judge.curves import best, curve, fold_errors, mean_and_error, one_standard_error
from dtviz.judge.metrics import held_rows
from dtviz.judge.mistakes import baseline, confusion
from dtviz.judge.validate import DEPTHS
from dtviz.others import optimal
from dtviz.others.optimal import Optimal
from dtviz.say.settings import SETTINGS
from dtviz.screen import work
from dtviz.screen.session import ONE_OUT, Judging, Session
from dtviz.screen.visit import Visit
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset, take
from dtviz.table.gallery import GALLERY, build
from dtviz.text import count, number
from dtviz.ui.mistakes_panel import MOST_CLASSES, confusion_table

MOONS = {"data": "moons", "n": "60", "noise": "0.4", "seed": "7"}
SINE = {"data": "sine", "n": "30", "noise": "0.25", "seed": "7"}
PANELS = (
    "Table",
    "Mistakes",
    "Pruning",
    "Grid search",
    "Learning curve",
    "Bias and variance",
    "Greedy's limit",
)
OTHERS = PANELS[3:]
TAKE = ("Take one back", "Take all back")


@pytest.fixture(autouse=True)
def whole_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SLICE", 600)


def overfit(panel: str = "", theme: str = "light", **params: str) -> AppTest:
    """The page; no panel is drawn unless it is asked for."""
    if not panel:
        params = {"hide": "panels"} | params
    at = seeded("overfit", theme, **params)
    if panel:
        at.session_state["panels"] = panel
    return run(at)


def cockpit(at: AppTest) -> Frame:
    return frame_of(at, "overfit")


def rules_of(at: AppTest) -> dict[str, Any]:
    """The rules that have a slider, as they are set."""
    return {rule: getattr(session_of(at).rules, rule) for rule in AXIS_OF}


def saw(at: AppTest) -> str:
    """The pictures, the sliders and the sentence: what must be the same when a link is opened."""
    pictures = {key: flat(frame) for key, frame in frames(at).items()}
    boxes = [(one.key, one.value, one.options) for one in at.selectbox]
    tables = [table.value.to_csv() for table in at.dataframe]
    return repr((pictures, boxes, tables, words(at)))


def link_rebuilds(at: AppTest, panel: str = "") -> None:
    """The address alone gives a fresh tab the same screen, and is written again."""
    params = params_of(at)
    fresh = overfit(panel, **params)
    assert not fresh.warning
    assert params_of(fresh) == params
    assert session_of(fresh) == session_of(at)
    assert saw(fresh) == saw(at)


def dial(at: AppTest, name: str) -> Frame:
    """The slider of a rule."""
    found: Frame = next(one for one in cockpit(at)["dials"] if one["rule"] == name)
    return found


def slide(at: AppTest, name: Any, value: Any) -> AppTest:
    return send(at, "overfit", {"what": "slider", "rule": name, "value": value})


def against(at: AppTest, axis: str) -> AppTest:
    return run(at.button_group(key="judge_against").set_value(axis))


def setting(at: AppTest, place: int, **more: Any) -> AppTest:
    """A click on a place of the curve."""
    line = cockpit(at)["curve"]
    event = {"what": "place", "rule": line["rule"], "value": line["values"][place]} | more
    return send(at, "overfit", event)


def labelled(at: AppTest, label: str) -> Any:
    return next(one for one in at.button if one.label == label)


def click(at: AppTest, label: str) -> AppTest:
    assert not labelled(at, label).disabled
    return run(labelled(at, label).click())


# --- what the engine says -------------------------------------------------------------------------


class Expected(SimpleNamespace):
    """Data, rows held out, training rows and whole tree of a session, by the engine alone."""

    data: Dataset
    out: Any
    training: Dataset
    held: Dataset | None
    rules: Rules
    nodes: Nodes


def expected(at: AppTest) -> Expected:
    session = session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    training = take(data, ~out)
    held = take(data, out) if out.any() else None
    nodes = whole(Problem(training, session.rules))
    return Expected(
        data=data, out=out, training=training, held=held, rules=session.rules, nodes=nodes
    )


def error_of(model: dtviz.Model, found: Dataset) -> float:
    predicted = model.predict(found)
    if found.classes:
        return float(np.mean(np.array(found.classes)[found.y] != predicted))
    return float(np.mean((found.y - predicted) ** 2))


def ended(sliced: Any) -> Any:
    while True:
        try:
            next(sliced)
        except StopIteration as end:
            return end.value


def bits(packed: Any, many: int) -> Any:
    return np.unpackbits(packed)[:many].astype(np.bool_)


def anchors(frame: Frame, mask: Any) -> list[int]:
    """The place each row ends at, as the browser walks: down from the root to its leaf."""
    out = []
    for leaf in frame["leaf"].tolist():
        way = [leaf]
        while way[-1]:
            way.append(int(frame["parent"][way[-1]]))
        out.append(next(at for at in reversed(way) if not mask[at] or at == leaf))
    return out


def predicts(frame: Frame, mask: Any, model: dtviz.Model, data: Dataset) -> None:
    """The frame's rows end where the model predicts the same; its rectangles part the plane."""
    at = anchors(frame, mask)
    if data.classes:
        assert [data.classes[code] for code in frame["fill"][at]] == list(model.predict(data))
    else:
        assert frame["value"][at] == pytest.approx(np.asarray(model.predict(data), float))
    parent, across, up = frame["parent"], frame["across"], frame["up"]
    ends = {k for k in range(len(parent)) if not mask[k] and (k == 0 or mask[parent[k]])}
    assert len(ends) == len(model.leaves)
    boxes = boxes_in(frame["regions"])
    mine = np.array([box for place, box in boxes.items() if place in ends])
    left, right, bottom, top = mine.T[:, :, None]
    share = (np.arange(11) + 0.37) / 11
    x, y = (one["low"] * (1 - share) + one["high"] * share for one in (across, up))
    inside = ((left < x) & (x <= right)).astype(int), ((bottom < y) & (y <= top)).astype(int)
    assert (np.einsum("bi,bj->ij", *inside) == 1).all()


def agrees(at: AppTest) -> None:
    """The cockpit shows what the engine finds: tree, errors, curve, folds, every place on it."""
    frame, judging, told = cockpit(at), session_of(at).judging, expected(at)
    line = frame["curve"]
    data, rules, many = told.data, told.rules, len(told.nodes.ids)
    assert (bits(frame["held"], data.n) == told.out).all()
    assert len(frame["parent"]) == many
    model = dtviz.fit(told.training, rules)
    now = frame["now"]
    if not judging.prunes:
        assert (now["leaves"], now["height"]) == (len(model.leaves), height(model.tree))
        assert now["errors"][0] == pytest.approx(error_of(model, told.training))
        if told.held is not None:
            assert now["errors"][1] == pytest.approx(error_of(model, told.held))
        predicts(frame, bits(frame["mask"], many), model, data)
    axis = AXES[judging.against]
    grow = lambda rules: whole(Problem(told.training, rules))  # noqa: E731
    along = ended(curve(grow, rules, axis, told.training, told.held))
    assert line["labels"] == [value_text(value) for value in along.values]
    for name, values in (("training", along.training), ("held", along.held)):
        assert np.array_equal(line[name], values, equal_nan=True)
    assert line["leaves"].tolist() == along.leaves.tolist()
    assert line["height"].tolist() == along.height.tolist()
    if line["at"] >= 0:
        assert along.leaves[line["at"]] == now["leaves"]
    if axis.one_tree:
        size = -(-many // 8)
        for k, value in enumerate(along.values):
            mask = bits(line["masks"][k * size : (k + 1) * size], many)
            assert (mask == along.stays[k]).all()
            if k in (0, len(along.values) // 2, len(along.values) - 1):
                predicts(frame, mask, dtviz.fit(told.training, rules_at(rules, axis, value)), data)
    folds = told.training.n if judging.folds == ONE_OUT else judging.folds
    if not folds or told.training.n < 2:
        assert "mean" not in line
        return
    errors = ended(fold_errors(told.training, rules, axis, along.values, folds))
    mean, error = mean_and_error(errors)
    assert line["mean"] == pytest.approx(mean)
    assert line["spread"] == pytest.approx(error)
    assert line["best"] == best(axis, mean)
    assert line["one_error"] == one_standard_error(axis, mean, error)


# --- what a link says -----------------------------------------------------------------------------


def test_it_opens_on_an_example_and_asks_for_nothing() -> None:
    at = page("overfit")
    assert params_of(at) == {}
    assert not at.warning
    assert [tab.label for tab in at.tabs] == list(PANELS)
    assert [panel["rows"] for panel in cockpit(at)["panels"]] == [105, 45]
    assert set(frames(at)) == {"points", "overfit"}
    assert at.button(key="Undo").disabled
    assert at.button(key="Redo").disabled
    assert "of the training rows are wrong" in words(at)


@pytest.mark.parametrize("kind", ["Held out", "Training"])
def test_mistakes_count_the_rows_of_each_class_by_what_they_are_called(kind: str) -> None:
    at = overfit("Mistakes", **MOONS, max_depth="2")
    if kind == "Training":
        at = run(at.button_group(key="mistakes_of").set_value(kind))
    session = session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    tree = dtviz.fit(take(data, ~out), session.rules).tree
    rows = take(data, out if kind == "Held out" else ~out)
    counts = confusion_matrix(rows.y, predict(tree, rows.columns))
    table = next(one.body for one in at.get("html") if "<table" in one.body)
    lines = [re.findall(r"<td[^>]*>(\d+)</td>", line) for line in table.split("<tr>")]
    assert [[int(cell) for cell in line] for line in lines if line] == counts.tolist()
    right = int(np.trace(counts))
    assert f"{right} of {rows.n} rows right: accuracy" in words(at)


def test_mistakes_of_many_classes_with_hostile_names_and_weights_stay_a_small_table() -> None:
    y = np.arange(60) % 25
    names = [f"{HOSTILE}{code}" for code in range(25)]
    data = dataset([np.arange(60.0)], y, ["x"], "y", names)
    weighed = confusion(replace(data, weights=np.full(60, 2.5)), y.astype(float))
    table = confusion_table(data.class_names, weighed)
    assert table.count("<tr>") == MOST_CLASSES + 2
    assert table.count('scope="col"') == MOST_CLASSES + 2
    assert "<small>(7.5)</small>" in table
    assert set(re.findall(r"<(\w+)", table)) == {"div", "table", "tr", "th", "td", "i", "small"}


def test_mistakes_of_numbers_say_how_far_they_are_off() -> None:
    at = overfit("Mistakes", **SINE, max_depth="2")
    session = session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    rows = take(data, out)
    told = predict(dtviz.fit(take(data, ~out), session.rules).tree, rows.columns)
    assert f"R² {number(r2_score(rows.y, told))}," in words(at)


@pytest.mark.parametrize(
    ("params", "answer"),
    [(MOONS, "always the majority class"), (SINE, "always the mean of the training rows")],
)
def test_the_page_says_which_rows_its_tree_was_grown_on_and_what_one_answer_would_do(
    params: dict[str, str], answer: str
) -> None:
    at = overfit(**params)
    session, found = session_of(at), cockpit(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    held = int(out.sum())
    assert found["grown"] == (
        f"Grown on {data.n - held} of {data.n} rows; {held} are held out, so its leaves differ "
        "from Grow's."
    )
    assert found["one_answer"] == answer
    assert found["baseline"] == pytest.approx(baseline(take(data, ~out), take(data, out)))


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_is_drawn(name: str) -> None:
    at = page("overfit", data=name)
    frame, told = cockpit(at), expected(at)
    model = dtviz.fit(told.training, default_rules(told.data.task))
    assert frame["now"]["leaves"] == len(model.leaves)
    held = error_of(model, told.held) if told.held else np.nan
    assert frame["now"]["errors"] == pytest.approx([error_of(model, told.training), held])
    assert frame["cloud"] == frame_of(at, "points")["name"]
    first = frame["now"]["errors"][0]
    said = f"{number(100 * first, 3)} %" if told.data.classes else f"squared error {number(first)}"
    assert f"{count(len(model.leaves), 'leaf')}: {said} " in words(at)
    assert not at.warning
    assert not at.error
    assert live(at) == []


LINKS: tuple[dict[str, str], ...] = (
    MOONS | {"held_out": "0.5", "held_seed": "3"},
    MOONS | {"against": "leaves", "folds": "3", "max_leaf_nodes": "4", "order": "depth"},
    MOONS | {"criterion": "gini", "against": "leaf_size", "folds": "2", "min_samples_leaf": "3"},
    MOONS | {"against": "alpha", "ccp_alpha": "0.03", "max_depth": "4"},
    {"data": "iris", "criterion": "error", "against": "alpha", "axes": "1.0", "folds": "0"},
    {"data": "iris", "min_gain": "0.1", "purity": "0.9", "min_samples_split": "10"},
    {"data": "good_place", "folds": "one_out"},
    {"data": "iris", "against": "leaf_size", "min_samples_leaf": "0.05"},
    {"data": "iris", "min_weight_fraction_leaf": "0.1", "min_samples_split": "0.2"},
    {"data": "iris", "min_impurity_decrease": "0.01"},
    SINE | {"against": "alpha", "folds": "2"},
    SINE | {"max_depth": "3", "held_out": "0.05"},
    {"data": "rpart_treble", "against": "leaves", "folds": "20"},
)


@pytest.mark.parametrize("link", LINKS, ids=lambda link: "&".join(link.values()))
def test_a_link_shows_what_the_engine_finds_and_is_written_again(link: dict[str, str]) -> None:
    link = link | {"hide": "panels"}
    at = overfit(**link)
    assert not at.warning
    assert params_of(at) == link
    agrees(at)
    assert saw(overfit(**params_of(at))) == saw(at)


def test_the_sentence_says_gap_least_and_one_standard_error() -> None:
    at = overfit(**MOONS)
    frame = cockpit(at)
    line = frame["curve"]
    training, held = (f"{number(100 * error, 3)} %" for error in frame["now"]["errors"])
    assert f"{training} of the training rows are wrong, {held} held out." in words(at)
    least, simple = (line["labels"][line[name]] for name in ("best", "one_error"))
    assert f"The 5-fold mean is least with depth at most {least} (★); " in words(at)
    assert f"the simplest within one standard error is {simple} (◆)." in words(at)


def test_no_more_folds_are_named_than_there_are_rows() -> None:
    at = overfit(data="age_car_risk", folds="10")
    assert cockpit(at)["curve"]["folds"] == "4-fold mean"
    assert "The 4-fold mean is least" in words(at)
    assert "Mean error of leave one out" in words(overfit("Grid search", data="age_car_risk"))


def test_what_is_not_understood_is_said_and_the_rest_shown() -> None:
    garbage = {"held_out": "2", "held_seed": "-1", "folds": "99", "against": "foo"}
    at = overfit(**MOONS, **garbage, prunes="a3_c2_zz", max_depth="3")
    assert len(at.warning) == 1
    for name, text in garbage.items():
        assert f"'{name}={text}' in this link was not understood" in words(at)
    assert "'zz'" in words(at) or "zz" in words(at)
    assert session_of(at).judging == Judging(prunes=(Collapse(2),))
    assert params_of(at) == MOONS | {"hide": "panels", "max_depth": "3", "prunes": "c2"}
    assert "'folds=99' in this link was not understood" in words(run(at)), "until something is done"
    assert not setting(at, 0).warning


@pytest.mark.parametrize("text", NASTY[::9], ids=lambda text: ascii(text)[:30])
def test_any_text_in_any_place_is_survived(text: str) -> None:
    places = ("held_out", "held_seed", "folds", "against", "prunes", "ccp_alpha", "axes")
    text = text.encode("utf-8", "replace").decode()
    at = overfit(data="heights", **dict.fromkeys(places, text))
    assert "overfit" in frames(at)
    assert live(at) == []


@pytest.mark.parametrize("text", ["c1_" * 5_000, "c" + "9" * 600, "c3_c3_c3", "a9"])
def test_odd_prunes_in_the_address_are_survived(text: str) -> None:
    at = overfit("Pruning", data="heights", prunes=text)
    assert cockpit(at)["now"]["leaves"] in (1, 2, 3)
    assert live(at) == []


@pytest.mark.parametrize(("share", "said"), [("0.301", "30.1 %"), ("0.299", "29.9 %")])
def test_a_share_of_the_link_between_those_offered_stays(share: str, said: str) -> None:
    link = MOONS | {"held_out": share, "hide": "panels"}
    at = run(run(overfit(**link)))
    assert params_of(at) == link
    assert f"{said} held out" in at.selectbox(key="judge_share").options


def test_settings_that_look_the_same_on_a_slider_stay_as_they_are() -> None:
    at = overfit(**MOONS, ccp_alpha="0.0300001", min_gain="0.0299999", against="alpha")
    params = params_of(at)
    alphas = dial(at, "ccp_alpha")["labels"]
    assert len(alphas) == len(set(alphas))
    assert params_of(run(run(at))) == params


# --- data at the edge -----------------------------------------------------------------------------


def table(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


NUMBER = {"task": "regression"}
DEGENERATE: dict[str, tuple[pd.DataFrame, dict[str, str], str]] = {
    "one row": (table(x=[1.0], y=["a"]), {}, "One row leaves none to hold out"),
    "one row, a number": (table(x=[1.0], y=[2.5]), NUMBER, "One row leaves none to hold out"),
    "one class": (table(x=[1.0, 2.0, 3.0], y=["a"] * 3), {}, "1 leaf: 0 % of the training rows"),
    "equal features": (table(x=[1.0] * 4, z=[2.0] * 4, y=list("abab")), {}, "1 leaf: "),
    "equal features, a number": (table(x=[1.0] * 3, y=[1.0, 2.0, 4.0]), NUMBER, "1 leaf: squared"),
    "equal numbers": (table(x=[1.0, 2.0, 3.0], y=[5.0] * 3), NUMBER, "error 0 on the training"),
    "two rows": (table(x=[1.0, 2.0], y=list("ab")), {}, "1 leaf: 0 % of the training rows are"),
    "two rows, a number": (table(x=[1.0, 2.0], y=[1.0, 9.0]), NUMBER, "64 held out"),
    "three rows": (table(x=[1.0, 2.0, 3.0], y=list("abc")), {}, "2 leaves: 0 % of the training"),
    "huge": (table(x=[-1.7e308, 0, 1.7e308, 1], y=[1e70, -1e70, 0, 5.0]), NUMBER, "leaves: "),
    "tiny": (table(x=[0.0, 5e-324, 1e-323, 1], y=[0.0, 1e-139, 2e-139, 0]), NUMBER, ""),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_stand_on_the_page_with_every_axis(name: str) -> None:
    frame, params, says = DEGENERATE[name]
    for axis in ("depth", "leaf_size"):
        at = with_file("overfit", frame, against=axis, **params)
        at.session_state["panels"] = "Pruning" if axis == "depth" else "Grid search"
        run(at)
        assert says in words(at)
        assert not at.warning
        assert not at.error
        assert {"overfit", "points"} <= set(frames(at))


@pytest.mark.parametrize("panel", ["Mistakes", *OTHERS])
@pytest.mark.parametrize("name", ["one row", "two rows", "three rows", "equal features", "huge"])
def test_degenerate_data_in_the_other_panels(name: str, panel: str) -> None:
    frame, params, _ = DEGENERATE[name]
    at = with_file("overfit", frame, **params)
    at.session_state["panels"] = panel
    run(at)
    rows = len(frame) - max(round(0.3 * len(frame)), 1) if len(frame) > 1 else 1
    if rows < 2 and panel in ("Grid search", "Learning curve"):
        assert [one.value for one in at.info] == ["K folds need at least two training rows; not 1."]
    elif name == "one row" and panel == "Bias and variance":
        assert "One row leaves none to judge by." in words(at)
    else:
        assert not at.info
        assert at.caption


@pytest.mark.parametrize("kind", ["classes", "colour", "height"])
def test_a_drawn_set(kind: str) -> None:
    value = {"classes": "_1~2~A_3~4~B_5~1~A_6~2~B_2~2~B", "colour": "_1~2~0_3~4~1_5~1~2.5"}
    points = value.get(kind, "_1~2_2~4_3~3.5_5~5")[1:]
    at = page("overfit", data="drawn", kind=kind, points=points)
    assert "Your drawing" in words(at)
    assert params_of(at)["points"] == points
    rows = len(points.split("_"))
    assert sum(panel["rows"] for panel in cockpit(at)["panels"]) == rows
    assert not at.warning


def test_an_empty_drawing_says_what_to_do() -> None:
    at = page("overfit", data="drawn", kind="classes", points="")
    assert words(at).strip()
    assert live(at) == []


def test_a_link_to_a_file_says_which_and_keeps_its_parameters() -> None:
    link = {"data": "file", "sha": "1", "file": "pen.csv", "target": "species", "folds": "3"}
    at = page("overfit", **link)
    assert "made with the file pen.csv" in words(at)
    assert params_of(at) == link
    at = run(at.button[0].click())
    assert "overfit" in frames(at)
    assert params_of(at) == {}


@pytest.mark.parametrize("panel", ["Pruning", "Bias and variance", "Greedy's limit"])
def test_hostile_names_are_literal(panel: str) -> None:
    for name in HOSTILE[:12:3]:
        frame = pd.DataFrame({name: range(8), "b": [3, 1] * 4, f"{name} y": [name, "b"] * 4})
        at = with_file("overfit", frame, name[:20] + ".csv")
        at.session_state["panels"] = panel
        assert live(run(at)) == []


def test_the_dark_page_has_light_ink() -> None:
    dark = overfit("Grid search", "dark", **MOONS)
    texts = "\n".join(texts_in(flat(cockpit(dark))))
    assert "#f2f4f6" in texts
    assert "#111418" not in texts
    assert "#f2f4f6" in dark.get("plotly_chart")[0].proto.spec


# --- the controls ---------------------------------------------------------------------------------

DIALS: tuple[tuple[str, Any, dict[str, str]], ...] = (
    ("max_depth", 2, {"max_depth": "2"}),
    ("min_samples_leaf", 4, {"min_samples_leaf": "4"}),
    ("min_samples_split", 15, {"min_samples_split": "15"}),
    ("max_leaf_nodes", 3, {"max_leaf_nodes": "3"}),
    ("min_gain", None, {}),
    ("ccp_alpha", None, {}),
)


@pytest.mark.parametrize(("name", "value", "written"), DIALS, ids=lambda one: str(one)[:20])
def test_every_slider_changes_session_address_and_frame(
    name: str, value: Any, written: dict[str, str]
) -> None:
    at = overfit(**MOONS)
    before, address = flat(cockpit(at)), params_of(at)
    if value is None:  # the values depend on the data: take the third
        told = expected(at)
        stays = kept(told.nodes, told.rules)
        values = {
            "ccp_alpha": path(told.nodes, stays).alphas.tolist(),
            "min_gain": [0, 0, 0.5 * float(told.nodes.impurity[0])],
        }
        value = values[name][2]
        written = {name: repr(value)}
    at = slide(at, name, value)
    assert params_of(at) == address | written
    assert getattr(session_of(at).rules, name) == value
    after = flat(cockpit(at))
    assert after["stamp"] != before["stamp"]
    assert after["now"]["leaves"] < before["now"]["leaves"]
    agrees(at)
    link_rebuilds(at)
    back = run(at.button(key="Undo").click())
    assert params_of(back) == address
    assert repr(flat(cockpit(back))) == repr(before)
    assert repr(flat(cockpit(run(back.button(key="Redo").click())))) == repr(after)


SHOWN = (
    MOONS | {"prunes": "c3"},
    MOONS | {"max_depth": "4", "min_gain": "0.05", "ccp_alpha": "0.01"},
    MOONS | {"max_leaf_nodes": "6", "order": "best", "min_samples_leaf": "3"},
    SINE | {"max_depth": "3"},
)


@pytest.mark.parametrize("link", SHOWN, ids=lambda link: "_".join([*link][-2:]))
def test_every_place_of_every_slider_shows_the_tree_of_that_setting(link: dict[str, str]) -> None:
    at = overfit(**link)
    told, frame, rules = expected(at), cockpit(at), rules_of(at)
    many = len(told.nodes.ids)
    allowed = np.ones(many, np.bool_)
    allowed[[k for k, node in enumerate(told.nodes.ids) if "prunes" in link and node == 3]] = False
    for line in frame["dials"]:
        rule, values = line["rule"], line["values"]
        assert values[line["at"]] == getattr(told.rules, rule)
        assert len(set(line["labels"])) == len(values) >= 3
        assert ("leaves" in line) == (rule != "min_samples_leaf")
        if "leaves" not in line:
            continue
        size = -(-many // 8)
        masks = [bits(line["masks"][k * size : (k + 1) * size], many) for k in range(len(values))]
        for mask, value in zip(masks, values, strict=True):
            left = left_by(told.nodes, rules_at(told.rules, AXIS_OF[rule], value))
            assert mask.tolist() == connected(told.nodes, left & allowed).tolist()
        k = len(values) // 2
        at = slide(at, rule, values[k])
        now = cockpit(at)
        assert rules_of(at) == rules | {rule: values[k]}
        assert bits(now["mask"], many).tolist() == masks[k].tolist()
        assert now["now"] == {
            "leaves": line["leaves"][k],
            "height": line["height"][k],
            "errors": [line["training"][k], line["held"][k]],
        }
        if values[k] != getattr(told.rules, rule):
            at = run(at.button(key="Undo").click())
    assert repr(flat(cockpit(at))) == repr(flat(frame))


@pytest.mark.parametrize("name", ["max_depth", "max_leaf_nodes"])
def test_a_slider_s_last_place_is_no_limit(name: str) -> None:
    at = overfit(**MOONS, **{name: "2"})
    assert dial(at, name)["labels"][-1] == "no limit"
    assert dial(at, name)["values"][-1] is None
    at = slide(at, name, None)
    assert name not in params_of(at)
    assert cockpit(at)["curve"]["at"] >= 0


FEW = MOONS | {"n": "30"}
WAVE = SINE | {"n": "16"}
JUDGED: tuple[tuple[dict[str, str], str, Any, dict[str, str]], ...] = (
    (FEW, "share", 0.5, {"held_out": "0.5"}),
    (WAVE, "share", 0.1, {"held_out": "0.1"}),
    (FEW, "folds", 0, {"folds": "0"}),
    (WAVE, "folds", 10, {"folds": "10"}),
    (FEW, "folds", ONE_OUT, {"folds": "one_out"}),
    (WAVE, "against", "leaves", {"against": "leaves"}),
    (FEW, "against", "leaf_size", {"against": "leaf_size"}),
    (WAVE, "against", "alpha", {"against": "alpha"}),
    (FEW, "seed", 1, {"held_seed": "1"}),
)


@pytest.mark.parametrize(("data", "name", "value", "written"), JUDGED, ids=str)
def test_every_way_to_judge_changes_session_address_and_frame(
    data: dict[str, str], name: str, value: Any, written: dict[str, str]
) -> None:
    at = overfit(**data)
    before, address = flat(cockpit(at)), params_of(at)
    if name == "against":
        at = against(at, value)
    elif name == "seed":
        at = run(at.button(key="draw_again").click())
    else:
        at = run(at.selectbox(key=f"judge_{name}").set_value(value))
    assert params_of(at) == address | written
    assert getattr(session_of(at).judging, name) == value
    after = flat(cockpit(at))
    assert after["stamp"] != before["stamp"]
    if name in ("share", "seed"):
        assert after["held"] != before["held"]
    else:
        changed = {"folds": "folds", "against": "rule"}[name]
        assert after["curve"].get(changed) != before["curve"].get(changed)
    agrees(at)
    link_rebuilds(at)
    back = run(at.button(key="Undo").click())
    assert params_of(back) == address
    assert repr(flat(cockpit(back))) == repr(before)


def test_leaving_one_out_is_offered_for_few_rows_only() -> None:
    options = overfit(**MOONS).selectbox(key="judge_folds").options
    assert options[-1] == "leave one out"
    at = overfit(**MOONS | {"folds": "one_out"})
    assert at.selectbox(key="judge_folds").options == options
    assert cockpit(at)["curve"]["folds"] == "leave-one-out mean"
    at = overfit(data="moons", n="800", folds="0")
    assert "leave one out" not in at.selectbox(key="judge_folds").options


def test_after_the_last_draw_comes_the_first() -> None:
    at = overfit(**MOONS, held_seed="999999999")
    assert "held_seed" not in params_of(run(at.button(key="draw_again").click()))


def test_other_rows_held_out_take_the_prunes_back_but_other_folds_do_not() -> None:
    at = overfit(**MOONS, prunes="c3")
    at = run(at.selectbox(key="judge_folds").set_value(3))
    at = against(at, "alpha")
    assert params_of(at)["prunes"] == "c3"
    assert "prunes" not in params_of(run(at.button(key="draw_again").click()))


def test_a_file_s_target_can_be_any_and_its_settings_are_in_the_link() -> None:
    at = run(with_file("overfit", table(x=[1.0, 2, 3, 4, 5, 6], y=list("aabbab")), hide="panels"))
    assert params_of(slide(at, "max_depth", 1))["max_depth"] == "1"


def test_the_settings_of_grow_are_here_too() -> None:
    at = seeded("overfit", **MOONS, hide="panels")
    at.session_state["settings"] = True
    at = run(run(at).selectbox(key="rule_criterion").select("gini"))
    assert params_of(at)["criterion"] == "gini"
    agrees(at)


def test_a_criterion_that_does_not_suit_the_target_is_said() -> None:
    at = overfit(**SINE, criterion="gini")
    assert len(at.warning) == 1
    assert session_of(at).rules.criterion == "squared_error"


def test_the_teacher_s_link_has_all_of_it() -> None:
    at = seeded("overfit", **MOONS, held_out="0.5", against="alpha", prunes="c3")
    at.session_state["share"] = True
    at.session_state["share_hide"] = ["panels"]
    query = dict(parse_qsl(urlsplit(str(run(at).code[0].value)).query))
    assert params_of(at).items() <= query.items()
    assert query["hide"] == "panels"
    assert cockpit(overfit(**query))["now"] == cockpit(at)["now"]


# --- shared with Grow -----------------------------------------------------------------------------


def test_an_alpha_set_here_shows_its_prunes_as_moves_on_grow() -> None:
    at = run(app().switch_page("pages/overfit.py"))
    told = expected(at)
    alpha = path(told.nodes, kept(told.nodes, told.rules)).alphas[-2]
    assert alpha == dial(at, "ccp_alpha")["values"][-2]
    at = slide(at, "ccp_alpha", float(alpha))
    log = dtviz.fit(told.data, replace(told.rules, ccp_alpha=float(alpha))).log
    assert any(isinstance(move, Collapse) for move in log)
    at = run(at.switch_page("pages/grow.py"))
    assert step(at) == (0, len(log))
    at = press(at, "end")
    assert session_of(at).log == log
    assert params_of(at)["log"] == f"a{len(log)}"
    at = run(at.switch_page("pages/overfit.py"))
    assert session_of(at).rules.ccp_alpha == alpha
    assert session_of(at).log == log


def test_moves_and_rules_of_grow_come_along() -> None:
    link = {"data": "good_place", "max_depth": "2", "log": "1.1.61.5_a1", "branches": "a2"}
    at = overfit(**link)
    assert params_of(at) == link | {"hide": "panels"}
    assert cockpit(at)["now"]["height"] == 2
    depths = dial(at, "max_depth")
    assert depths["values"][depths["at"]] == 2


# --- what is done on the curve --------------------------------------------------------------------


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("data", [FEW, WAVE], ids=["class", "number"])
def test_a_place_on_the_curve_becomes_the_setting(data: dict[str, str], axis: str) -> None:
    at = overfit(**data, against=axis, folds="0", order="depth")
    first = cockpit(at)
    line = first["curve"]
    for index in (1, len(line["labels"]) - 1):
        at = setting(at, index)
        frame = cockpit(at)
        assert frame["curve"]["at"] == index
        assert frame["now"]["leaves"] == line["leaves"][index]
        assert frame["now"]["height"] == line["height"][index]
        assert frame["now"]["errors"] == [line["training"][index], line["held"][index]]
        rules = session_of(at).rules
        rule = AXES[axis].rule
        assert getattr(rules, rule) == line["values"][index]
        assert value_text(getattr(rules, rule)) == line["labels"][index]
        assert rules.order == ("best" if axis == "leaves" else "depth")
    agrees(at)
    link_rebuilds(at)


def test_a_setting_takes_the_prunes_back_and_undo_brings_them() -> None:
    at = setting(overfit(**MOONS, prunes="c3"), 2)
    assert "prunes" not in params_of(at)
    at = run(at.button(key="Undo").click())
    assert params_of(at) == MOONS | {"hide": "panels", "prunes": "c3"}


IGNORED: tuple[Any, ...] = (
    {"value": 0}, {"value": -1}, {"value": 10**400}, {"value": -(10**400)}, {"value": 2.0},
    {"value": "1"}, {"value": True}, {"value": [1]}, {"value": {}}, {"value": 1e999},
    {"rule": "purity"}, {"rule": "criterion"}, {"rule": "min_samples_leaf", "value": None},
    {"rule": "ccp_alpha", "value": -0.1}, {"rule": "ccp_alpha", "value": 10**400},
    {"rule": "min_gain", "value": "x"}, {"rule": "min_gain", "value": float("nan")},
    {"rule": None}, {"rule": 7}, {"rule": ["max_depth"]}, {"rule": {}},
    {"what": "settings"}, {"what": None}, {"what": ["place"]},
)  # fmt: skip


@pytest.mark.parametrize("what", ["place", "slider"])
def test_what_is_no_setting_is_ignored(what: str) -> None:
    at = overfit(**MOONS)
    params, before = params_of(at), saw(at)
    for wrong in IGNORED:
        at = setting(at, 1, **({"what": what} | wrong))
        assert (params_of(at), saw(at)) == (params, before), wrong
    whole_event = {"what": what, "rule": "max_depth", "value": 1}
    less = [{key: whole_event[key] for key in whole_event if key != name} for name in whole_event]
    for event in (*less, {"what": "theme"}, {}, [], "x", 1, None, True, [whole_event]):
        at = send(at, "overfit", event)
        assert params_of(at) == params, event
    assert params_of(send(at, "overfit", whole_event)) == params | {"max_depth": "1"}


def test_sliders_of_a_very_large_tree_send_no_trees_and_set_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dials, "MOST_NODES", 3)
    at = overfit(**MOONS)
    assert not any("masks" in line for line in cockpit(at)["dials"])
    assert cockpit(at)["curve"]["masks"].size
    assert rules_of(slide(at, "min_samples_split", 30))["min_samples_split"] == 30
    agrees(at)


def test_a_large_gain_comes_from_the_browser_as_a_whole_number() -> None:
    at = slide(overfit(**SINE), "min_gain", 15_000_000_000)
    assert session_of(at).rules.min_gain == 1.5e10
    assert session_of(slide(at, "ccp_alpha", 0)).rules.ccp_alpha == 0.0
    assert session_of(slide(at, "max_depth", 10**9 + 1)).rules.max_depth is None


def test_of_very_many_alphas_the_own_one_is_on_the_curve() -> None:
    at = overfit(data="steps", n="150", against="alpha", folds="0")
    told = expected(at)
    alphas = path(told.nodes, kept(told.nodes, told.rules)).alphas
    shown = cockpit(at)["curve"]["labels"]
    assert len(shown) < len(alphas)
    hidden = next(alpha for alpha in alphas.tolist() if value_text(alpha) not in shown)
    at.session_state["instrument"].become(
        replace(session_of(at), rules=replace(told.rules, ccp_alpha=hidden))
    )
    at = run(at)
    line = cockpit(at)["curve"]
    assert line["labels"][line["at"]] == value_text(hidden)


def test_the_alpha_that_prunes_what_gains_nothing_has_a_name_and_survives_the_link() -> None:
    at = overfit(data="iris", criterion="error", max_depth="3", against="alpha", folds="0")
    at = setting(at, cockpit(at)["curve"]["labels"].index("above 0"))
    assert params_of(at)["ccp_alpha"] == "5e-324"
    assert cockpit(at)["curve"]["now"] == "Prune up to above 0"
    link_rebuilds(at)
    assert params_of(run(at))["ccp_alpha"] == "5e-324"


def test_until_the_curve_is_there_the_pictures_stand_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole_run = cockpit(overfit(**MOONS))
    monkeypatch.setattr(work, "SLICE", 0)
    at = overfit(**MOONS)
    assert "curve" not in cockpit(at)
    assert cockpit(at)["now"] == whole_run["now"]
    assert "Stop" in [button.label for button in at.button]
    assert len(cockpit(at)["dials"]) == len(DIALS)
    for _ in range(50):
        at = run(at)
        if "mean" in cockpit(at).get("curve", {}):
            break
    assert repr(flat(cockpit(at))) == repr(flat(whole_run))
    assert "Stop" not in [button.label for button in at.button]


# --- pruning --------------------------------------------------------------------------------------


def stays_of(at: AppTest) -> Any:
    """The splits that the cockpit draws."""
    return bits(cockpit(at)["mask"], len(cockpit(at)["parent"]))


def focus(at: AppTest, node: Any) -> AppTest:
    return send(at, "tree", {"what": "focus", "node": node})


def test_the_weakest_link_is_pruned_taken_back_and_undone() -> None:
    at = overfit("Pruning", **MOONS)
    first = saw(at)
    told = expected(at)
    links = list(weakest_links(told.nodes, left_by(told.nodes, told.rules)))
    for many in (1, 2):
        at = click(at, "Weakest link")
        wanted = [told.nodes.ids[link.place] for link in links[:many]]
        assert params_of(at)["prunes"] == "_".join(f"c{node}" for node in wanted)
        assert cockpit(at)["now"]["leaves"] == links[many - 1].leaves
        assert cockpit(at)["curve"]["at"] == -1
        assert f"{count(many, 'prune')}" in cockpit(at)["curve"]["now"]
    link_rebuilds(at, "Pruning")
    one = click(at, "Take one back")
    assert params_of(one)["prunes"] == f"c{told.nodes.ids[links[0].place]}"
    at = click(click(one, "Weakest link"), "Take all back")
    assert "prunes" not in params_of(at)
    assert saw(at) == first
    assert all(labelled(at, label).disabled for label in TAKE)
    at = run(at.button(key="Undo").click())
    assert cockpit(at)["now"]["leaves"] == links[1].leaves


def test_the_mask_after_prunes_walks_every_row_to_its_new_leaf() -> None:
    at = click(click(overfit("Pruning", **MOONS), "Weakest link"), "Weakest link")
    frame, told = cockpit(at), expected(at)
    log = dtviz.fit(told.training, told.rules).log
    model = dtviz.fit(told.training, told.rules, (*log, *session_of(at).judging.prunes))
    predicts(frame, stays_of(at), model, told.data)
    assert frame["now"]["errors"] == pytest.approx(
        [error_of(model, told.training), error_of(model, told.held)]  # type: ignore[arg-type]
    )
    assert len(frame_of(at, "tree")["nodes"]) == len(model.tree.nodes)
    assert "pruned" in " ".join(texts_in(frame_of(at, "tree")))


@pytest.mark.parametrize("data", [MOONS, SINE], ids=["class", "number"])
def test_reduced_error_prunes_what_loses_nothing_on_the_held_rows(data: dict[str, str]) -> None:
    at = overfit("Pruning", **data)
    told = expected(at)
    assert told.held is not None
    loss = losses(told.nodes, told.held)[0]
    ids = [
        told.nodes.ids[k] for k in reduced_error(told.nodes, left_by(told.nodes, told.rules), loss)
    ]
    assert len(ids) > 1
    before = cockpit(at)["now"]["errors"]
    one = click(at, "Held-out rows: one")
    assert params_of(one)["prunes"] == f"c{ids[0]}"
    every = click(overfit("Pruning", **data), f"Held-out rows: all {len(ids)}")
    assert params_of(every)["prunes"] == "_".join(f"c{node}" for node in ids)
    after = cockpit(every)["now"]["errors"]
    assert after[1] <= cockpit(one)["now"]["errors"][1] <= before[1]
    assert after[0] >= before[0]
    assert labelled(every, "Held-out rows: one").disabled
    none_left = "No node can be pruned without raising" in words(every)
    assert none_left == stays_of(every).any()
    link_rebuilds(every, "Pruning")


def test_a_node_that_is_clicked_is_pruned() -> None:
    at = overfit("Pruning", **MOONS)
    assert labelled(at, "Prune a node").disabled
    at = focus(at, "3")
    assert frame_of(at, "tree")["focus"] == "3"
    before = cockpit(at)["now"]["leaves"]
    at = click(at, "Prune node 3")
    assert params_of(at)["prunes"] == "c3"
    assert cockpit(at)["now"]["leaves"] < before
    assert labelled(at, "Prune a node").disabled  # it has no split any more
    assert "pruned" in next(n[3] for n in frame_of(at, "tree")["nodes"] if n[0] == "3")
    at = click(focus(at, "1"), "Prune node 1")
    assert cockpit(at)["now"] | {"errors": 0} == {"leaves": 1, "height": 0, "errors": 0}
    assert labelled(at, "Weakest link").disabled
    assert labelled(at, "Held-out rows: one").disabled
    at = click(at, "Take one back")
    assert params_of(at)["prunes"] == "c3"


HOSTILE_NODES = ("9" * 599, "9" * 600, "9" * 5_000, "-3", "0", "3.0", "", " 3", "x", "²", "1e3",
                 "99999", 3, None, 3.0, ["3"], {"a": 1}, True)  # fmt: skip


def test_hostile_nodes_do_nothing() -> None:
    at = overfit("Pruning", **MOONS)
    params, leaves = params_of(at), cockpit(at)["now"]["leaves"]
    for node in HOSTILE_NODES:
        at = focus(at, node)
        assert labelled(at, "Prune a node").disabled
        assert (params_of(at), cockpit(at)["now"]["leaves"]) == (params, leaves)
    for event in ({}, {"what": "focus"}, {"what": "goto", "step": 1}, [], 7, None):
        assert params_of(send(at, "tree", event)) == params


def test_a_prune_the_present_tree_lacks_is_skipped_and_comes_back_with_the_setting() -> None:
    at = overfit("Pruning", **MOONS, prunes="c3")
    pruned = saw(at)
    at = slide(at, "max_depth", 1)
    assert cockpit(at)["now"]["leaves"] == 2
    assert all(labelled(at, label).disabled for label in TAKE)
    assert "prune" not in cockpit(at)["curve"]["now"]
    assert not at.warning
    assert params_of(at)["prunes"] == "c3"
    link_rebuilds(at, "Pruning")
    assert saw(slide(at, "max_depth", None)) == pruned


def test_taking_one_back_leaves_those_alone_that_the_present_tree_lacks() -> None:
    at = overfit("Pruning", **MOONS, prunes="c12345_c3_c2")
    told = expected(at)
    assert {2, 3} < set(told.nodes.tree.splits)
    assert cockpit(at)["curve"]["now"].endswith("2 prunes")
    at = click(at, "Take one back")
    assert params_of(at)["prunes"] == "c12345_c3"
    at = click(at, "Take one back")
    assert params_of(at)["prunes"] == "c12345"
    assert labelled(at, "Take one back").disabled


@pytest.mark.parametrize("data", [MOONS, SINE, {"data": "good_place"}], ids=lambda d: d["data"])
def test_the_table_has_the_whole_path(data: dict[str, str]) -> None:
    at = overfit("Pruning", **data)
    told = expected(at)
    along = path(told.nodes, kept(told.nodes, told.rules))
    shown = at.dataframe[0].value
    assert shown["Prune up to"].tolist() == [value_text(alpha) for alpha in along.alphas.tolist()]
    assert shown["leaves"].tolist() == along.leaves.tolist()
    assert shown["impurity"].tolist() == along.impurities.tolist()
    unit = " %" if told.data.classes else ""
    scale = 100 if told.data.classes else 1
    for at_line, alpha in enumerate(along.alphas.tolist()):
        model = dtviz.fit(told.training, replace(told.rules, ccp_alpha=alpha))
        row = shown.iloc[at_line]
        assert row["leaves"] == len(model.leaves)
        trained = scale * error_of(model, told.training)
        assert row[f"training error{unit}"] == pytest.approx(trained)
        assert told.held is not None
        assert row[f"held-out error{unit}"] == pytest.approx(scale * error_of(model, told.held))


# --- the other panels -----------------------------------------------------------------------------

CAPTIONS = {
    "Grid search": "★ the least: ",
    "Learning curve": "band: one standard error",
    "Bias and variance": "trees on resampled training rows",
    "Greedy's limit": "Greedy takes the cut that gains most at the root",
}


@pytest.mark.parametrize("panel", OTHERS)
@pytest.mark.parametrize(
    "data", [{"data": "iris"}, SINE, {"data": "heights"}, {"data": "rpart_treble"}],
    ids=lambda d: d["data"],
)  # fmt: skip
def test_the_other_panels_draw_their_figures_and_say_what_they_are(
    data: dict[str, str], panel: str
) -> None:
    at = overfit(panel, **data)
    charts = at.get("plotly_chart")
    assert len(charts) == {"Greedy's limit": 0, "Bias and variance": 2}.get(panel, 1)
    assert CAPTIONS[panel] in words(at)
    assert not at.info
    assert not at.warning
    depths = [key for key in frames(at) if key.startswith("depth2")]
    assert depths == (["depth2 Greedy", "depth2 Best of depth 2"] if charts == [] else [])


@cache
def page_has_run() -> None:
    page("overfit", hide="panels")


def module_of(name: str) -> Any:
    """A module of the panels; its pictures can only be declared once a page has run."""
    page_has_run()
    return import_module(f"dtviz.ui.{name}")


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The state of a tab that looks at moons, without a page."""
    module_of("pruning_panel")
    instrument = Instrument(Visit(Session(dtviz.table.gallery.example_recipe("moons", n=60))))
    instrument.become(instrument.visit.session)
    state: dict[str, Any] = {"instrument": instrument, "picks": 0}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", {})
    return state


def visit_of(tab: dict[str, Any]) -> Visit:
    visit: Visit = tab["instrument"].visit
    return visit


def chosen(points: Iterable[Any]) -> Any:
    return {"selection": {"points": list(points), "rows": list(points)}}


@pytest.mark.parametrize(("rule", "value"), [("criterion", "gini"), ("min_samples_leaf", 5)])
def test_a_cell_of_the_heat_map_sets_the_rule_of_its_line_and_the_depth(
    tab: dict[str, Any], rule: str, value: Any
) -> None:
    tab["grid0"] = chosen([{"customdata": [value, 3]}])
    module_of("trees_panels")._cell_picked("grid0", rule)
    assert visit_of(tab).session.rules == replace(Rules(max_depth=3), **{rule: value})
    assert tab["picks"] == 1
    assert len(visit_of(tab).past) == 1


@pytest.mark.parametrize(
    "points",
    [
        [], [{}], [{"customdata": None}], [{"customdata": []}], [{"customdata": ["gini"]}],
        [{"customdata": ["nope", 3]}], [{"customdata": ["gini", 0]}], [{"customdata": [3, "gini"]}],
        [{"customdata": ["gini", 2.5]}], [{"customdata": ["gini", "3"]}],
        [{"customdata": ["squared_error", 3]}], [{"customdata": {"a": 1}}],
    ],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("rule", ["criterion", "min_samples_leaf"])
def test_what_is_no_cell_of_the_heat_map_is_ignored(
    tab: dict[str, Any], points: Any, rule: str
) -> None:
    before = visit_of(tab).session
    tab["grid0"] = chosen(points)
    module_of("trees_panels")._cell_picked("grid0", rule)
    assert visit_of(tab).session == before
    assert tab["picks"] == 1


def test_a_line_of_the_path_sets_its_alpha(tab: dict[str, Any]) -> None:
    alphas = [0.0, 0.25, 0.5]
    tab["path0"] = chosen([])
    module_of("pruning_panel")._alpha_picked("path0", alphas)
    assert visit_of(tab).session.rules == Rules()
    tab["path0"] = chosen([1])
    module_of("pruning_panel")._alpha_picked("path0", alphas)
    assert visit_of(tab).session.rules == Rules(ccp_alpha=0.25)


def test_every_cell_of_the_heat_map_can_be_clicked() -> None:
    at = overfit("Grid search", **MOONS)
    clicks = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][1]
    names = criteria_for("classification")
    depths = DEPTHS[: len(clicks["customdata"]) // len(names)]
    assert clicks["customdata"] == [[name, depth] for name in names for depth in depths]
    assert depths[-1] >= height(expected(at).nodes.tree)
    starred = next(k for k, text in enumerate(clicks["text"]) if "★" in text)
    criterion, depth = clicks["customdata"][starred]
    assert f"★ the least: {CRITERIA[criterion].title}, depth at most {depth}" in words(at)


def test_the_heat_map_of_numbers_is_by_leaf_size_and_depth() -> None:
    at = overfit("Grid search", **SINE)
    clicks = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][1]
    sizes, depths = ({cell[k] for cell in clicks["customdata"]} for k in (0, 1))
    assert sizes == {5, 2, 1}  # 21 rows are grown on
    assert len(clicks["customdata"]) == len(sizes) * len(depths)
    starred = next(k for k, text in enumerate(clicks["text"]) if "★" in text)
    size, depth = clicks["customdata"][starred]
    assert f"★ the least: Smallest leaf {size}, depth at most {depth}" in words(at)


def test_too_much_for_the_search_of_two_levels_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exhaustive, "MOST_WORK", 3_000)
    monkeypatch.setattr(exhaustive, "BATCH", 1)
    at = overfit("Greedy's limit", data="moons", n="500", folds="0", held_out="0.1")
    assert len(at.info) == 1
    assert len(at.info[0].value) > 30
    assert "`" not in at.info[0].value
    assert not [key for key in frames(at) if key.startswith("depth2")]


def test_greedy_misses_the_first_cut_of_xor() -> None:
    at = overfit("Greedy's limit", data="xor")
    greedy, both = (frame_of(at, f"depth2 {name}")["now"] for name in ("Greedy", "Best of depth 2"))
    assert both == {"leaves": 4, "height": 2, "errors": [0.0, None]}
    assert greedy["errors"][0] > 0.3
    told = re.findall(
        r"Root: .*?, gain ([\d.e-]+) bit; all splits together ([\d.e-]+) bit", words(at)
    )
    (first, all_of_greedy), (other, all_of_both) = [tuple(map(float, pair)) for pair in told]
    assert other < first < 0.1
    assert all_of_greedy < 0.1
    assert all_of_both == pytest.approx(1, abs=0.01)
    assert "a root cut that gains less makes better cuts possible" in words(at)


def test_greedy_is_as_good_where_nothing_better_exists() -> None:
    at = overfit("Greedy's limit", data="blobs")
    one, two = (frame_of(at, f"depth2 {name}")["now"] for name in ("Greedy", "Best of depth 2"))
    assert one == two
    assert "here nothing better exists." in words(at)


def test_trees_nearly_as_good_are_drawn_with_what_they_say_otherwise() -> None:
    at = overfit("Greedy's limit", data="blobs")
    drawn = [frame_of(at, key) for key in frames(at) if key.startswith("near ")]
    told = re.search(r"(\d+) trees of depth 2 .* in (\d+) ways", words(at))
    assert told
    assert int(told[1]) > int(told[2]) == len(drawn) > 2
    assert all(one["now"]["errors"][0] == 0 for one in drawn)
    assert len(re.findall(r"held out [\d.]+ %", words(at))) == len(drawn)
    assert (
        len(re.findall(r"\d+ rows? predicted otherwise than by the first", words(at)))
        == len(drawn) - 1
    )
    assert at.button(key="grow_near_1").label == "Grow it"


def test_where_no_other_tree_is_nearly_as_good_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "WITHIN", 1e-9)
    at = overfit("Greedy's limit", data="diagonal")
    assert "No other tree of depth 2 lowers the impurity by at least 99 %" in words(at)
    assert [key for key in frames(at) if key.startswith("near ")] == ["near 1"]


def test_the_fewest_mistakes_of_a_chosen_depth_stand_beside_the_greedy_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = dtviz.load("xor")
    log = finished(best_of_depth_2(Problem(data, Rules())))

    def found(given: Dataset, depth: int) -> Generator[float, None, Optimal]:
        assert (given.n, depth) == (data.n, 3)
        yield 1.0
        return Optimal(log, proven=True)

    at = overfit("Greedy's limit", data="xor")
    monkeypatch.setattr(import_module("dtviz.ui.greedy_panel"), "best_of_depth", found)
    assert not [key for key in frames(at) if key.startswith("deeper")]
    at = run(at.button_group(key="deeper").set_value(3))
    greedy, best = (frame_of(at, key) for key in frames(at) if key.startswith("deeper"))
    assert best["now"]["errors"][0] == 0 < greedy["now"]["errors"][0]
    assert "no tree of depth 3 makes fewer mistakes" in words(at)


def test_without_the_package_a_chosen_depth_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(optimal, "find_spec", lambda name: None)
    at = overfit("Greedy's limit", data="xor")
    at = run(at.button_group(key="deeper").set_value(3))
    assert "pip install 'dtviz[optimal]'" in at.info[0].value


def test_only_the_open_panel_is_worked_out() -> None:
    at = overfit("Grid search", **MOONS)
    asked = [key[0] for key in at.session_state["instrument"].jobs]
    assert asked == ["curve", "folds", "grid"]
    assert "tree" not in frames(at)


def test_results_are_kept_while_the_setting_moves() -> None:
    at = overfit("Grid search", **MOONS)
    jobs = dict(at.session_state["instrument"].jobs)
    at = slide(at, "max_depth", 2)
    assert dict(at.session_state["instrument"].jobs) == jobs  # none of them depends on the depth


# --- a teacher's link -----------------------------------------------------------------------------


def test_hidden_controls_are_not_there() -> None:
    at = page("overfit", **MOONS, hide="settings.panels")
    assert "dials" not in cockpit(at)
    assert not at.selectbox
    assert [one.label for one in at.button] == ["Show all controls"]
    assert not at.tabs
    assert {"overfit", "points"} == set(frames(at))
    assert cockpit(setting(at, 1))["curve"]["at"] == 1  # the curve still answers
    assert params_of(at)["hide"] == "panels.settings"


@pytest.mark.parametrize("hidden", ["settings", "panels"])
def test_each_is_hidden_alone(hidden: str) -> None:
    at = page("overfit", **MOONS, hide=hidden)
    assert ("dials" in cockpit(at)) == (hidden != "settings")
    assert bool(at.tabs) == (hidden != "panels")


@pytest.mark.parametrize("text", ["Where does it turn?", *HOSTILE[:6]])
def test_a_line_of_narration_stands_there_literally(text: str) -> None:
    at = overfit(**MOONS, say=text)
    assert text.strip() in words(at)
    assert live(at) == []


# --- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("data", [MOONS, SINE], ids=["class", "number"])
def test_the_table_says_what_the_curve_shows(data: dict[str, str], axis: str) -> None:
    at = overfit("Table", **data, against=axis)
    frame, table = cockpit(at), at.dataframe[0].value
    line = frame["curve"]
    assert table[SETTINGS[AXES[axis].rule].words].tolist() == line["labels"]
    assert table["leaves"].tolist() == line["leaves"].tolist()
    scale, unit = (100, " %") if "classes" in frame else (1, "")
    shown = {"training error": "training", "held-out error": "held", "folds' mean": "mean"}
    for column, name in (shown | {"standard error": "spread"}).items():
        np.testing.assert_allclose(table[column + unit], scale * np.array(line[name]))


def test_without_folds_the_table_has_no_column_of_them() -> None:
    at = overfit("Table", **MOONS, folds="0")
    assert [*at.dataframe[0].value.columns][3:] == ["training error %", "held-out error %"]
