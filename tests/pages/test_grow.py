"""Grow: the screen a link rebuilds, the controls, and every odd table explained."""

from __future__ import annotations

import html
import json
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from futures import future_of
from screens import (
    HOSTILE,
    Frame,
    app,
    disabled,
    flat,
    frame_of,
    frames,
    live,
    page,
    params_of,
    press,
    run,
    screen,
    seeded,
    send,
    session_of,
    stage_of,
    step,
    texts_in,
    tree_of,
    why,
    with_file,
    words,
)
from strategies import NASTY
from streamlit.testing.v1 import AppTest

import dtviz
import dtviz.instrument
from dtviz import Rules
from dtviz.engine import leading
from dtviz.engine.candidates import Candidates
from dtviz.engine.criteria import CRITERIA, criteria_of
from dtviz.engine.problem import Problem
from dtviz.engine.tree import height
from dtviz.figures.ranking import MOST_LISTED
from dtviz.judge.metrics import compare
from dtviz.model import Model
from dtviz.say import explain
from dtviz.say.words import SIGNED, cut_text
from dtviz.screen import work
from dtviz.screen.screen import Screen
from dtviz.screen.session import HIDEABLE, runs, timeline
from dtviz.screen.tour import TOURS, params_at, stop_of
from dtviz.slices import finished
from dtviz.table.gallery import GALLERY, build
from dtviz.text import clean, markdown, number, rounded
from dtviz.trace import node_candidates

PANELS = ("Candidates", "Arithmetic", "Criteria", "Algorithm", "Rules", "Export")
MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}
SINE = {"data": "sine", "n": "12", "noise": "0.25", "seed": "7"}
OWN = {"data": "good_place", "log": "1.1.61.5_a1"}


@pytest.fixture(autouse=True)
def whole_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "SLICE", 600)


def opened(panel: str, **params: str) -> AppTest:
    """The page with one of the panels below open."""
    at = seeded("grow", **params)
    at.session_state["panels"] = panel
    return run(at)


def leaves_of(at: AppTest) -> int:
    """How many leaves the tree has, as the line over it says."""
    found = re.search(r"([\d,]+) lea(f|ves), height", frame_of(at, "tree")["line"])
    assert found
    return int(found[1].replace(",", ""))


def rules_in(at: AppTest) -> str:
    """The text of the tree as it is read."""
    return html.unescape(tree_of(at))


# --- the slice ------------------------------------------------------------------------------------

SLICED = {"data": "iris", "log": "a4", "axes": "0.1", "focus": "1"}


def sliced(**params: str) -> AppTest:
    """The page with the sliders of the slice open."""
    at = seeded("grow", **SLICED, **params)
    at.session_state["slice"] = True
    return run(at)


def named(slider: Any) -> bool:
    """Whether it is a setting's."""
    return slider.key.startswith("size_")


def sliders(at: AppTest) -> list[str]:
    """The features that a slider moves."""
    return [one.label for one in at.select_slider if not named(one)]


def test_a_slider_moves_the_slice_and_the_link_keeps_it() -> None:
    at = sliced()
    assert sliders(at) == ["petal_length_cm", "petal_width_cm"]
    assert "at the medians of the others (petal_length_cm = 4.35, petal_width_cm = 1.3)" in words(
        at
    )
    before = stage_of(at)["regions"]
    at = run(next(one for one in at.select_slider if not named(one)).set_value(1.4))
    assert "the slice at petal_length_cm = 1.4, at the medians" in words(at)
    assert params_of(at) == SLICED | {"slice": "2.1.4"}
    after = stage_of(at)["regions"]
    assert after["node"] != before["node"]
    again = sliced(slice="2.1.4")
    assert stage_of(again)["regions"]["node"] == after["node"]
    at = run(next(one for one in again.button if one.label == "As usual").click())
    assert params_of(at) == SLICED
    assert stage_of(at)["regions"]["node"] == before["node"]


@pytest.mark.parametrize(("soon", "undone"), [(1e9, ""), (0.0, "4")])
def test_a_slider_that_is_dragged_or_held_is_one_change_for_undo(
    monkeypatch: pytest.MonkeyPatch, soon: float, undone: str
) -> None:
    monkeypatch.setattr("dtviz.ui.state.SOON", soon)
    at = run(page("grow", data="good_place"))
    for depth in ("3", "4", "5"):
        at = run(at.select_slider(key="size_max_depth").set_value(depth))
    assert params_of(at)["max_depth"] == "5"
    assert params_of(press(at, "undo")).get("max_depth", "") == undone


def test_what_is_done_between_parts_the_changes_of_a_slider(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("dtviz.ui.state.SOON", 1e9)
    at = run(page("grow", data="good_place"))
    at = run(at.select_slider(key="size_max_depth").set_value("3"))
    at = press(at, "next")
    at = run(at.select_slider(key="size_max_depth").set_value("4"))
    assert params_of(press(at, "undo"))["max_depth"] == "3"


def test_a_tree_that_asks_the_axes_alone_has_no_slice() -> None:
    at = seeded("grow", data="iris", log="a1", axes="2.3")
    at.session_state["slice"] = True
    assert not sliders(run(at))


# --- what a link says -----------------------------------------------------------------------------


def test_it_opens_on_an_example_with_a_question_and_tells_why_once_anything_is_done() -> None:
    at = page("grow")
    assert step(at) == (0, 7)
    assert "Why does the first cut go here?" in words(at)
    assert params_of(at) == {}
    assert not at.warning
    assert not at.error
    assert disabled(at) >= {"start", "back", "undo", "redo"}
    assert not at.button(key="split_here").disabled
    at = press(press(at, "next"), "back")
    assert why(at) == (
        "Root. petal_length_cm <= 2.45 wins: gain 0.9183 bit, as much as the best cut on "
        "petal_width_cm; 2 cuts tie, the first wins."
    )


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_opens_and_grows_to_its_end(name: str) -> None:
    at = page("grow", data=name)
    data = dtviz.load(name)
    model = dtviz.fit(data, dtviz.engine.rules.default_rules(data.task))
    assert step(at) == (0, len(model.log))
    at = press(at, "end")
    assert step(at) == (len(model.log), len(model.log))
    assert leaves_of(at) == len(model.tree.rows)
    assert params_of(at)["log"] == f"a{len(model.log)}"
    assert not at.warning
    assert disabled(at) >= {"next", "end", "redo", "split_here"}


LINKS: tuple[dict[str, str], ...] = (
    {"data": "heights"},
    MOONS | {"log": "a3"},
    MOONS | {"log": "a2", "undone": "a3"},
    MOONS | {"undone": "a4"},
    MOONS | {"criterion": "gini", "max_depth": "3", "order": "best", "log": "a4"},
    MOONS | {"min_samples_leaf": "5", "min_gain": "0.05", "purity": "0.9", "log": "a2"},
    MOONS | {"log": "a1", "focus": "1"},
    {"data": "iris", "log": "a2", "axes": "1.0", "focus": "3"},
    {"data": "iris", "axes": "3.2", "log": "a1", "focus": "3", "cut": "2.4.85"},
    OWN,
    {"data": "good_place", "log": "a1_3.1.10.0_a1_c1_1.2.2.0", "focus": "2"},
    {"data": "good_place", "log": "a3_c1", "undone": "1.3.0.5"},
    {"data": "rpart_treble", "log": "a2", "focus": "3"},
    {"data": "sine", "n": "40", "noise": "0.25", "seed": "7", "log": "a3", "focus": "1"},
    {"data": "xor", "n": "40", "noise": "0", "seed": "1", "stop_at_zero_gain": "True"},
    {"data": "blobs", "k": "4", "n": "40", "noise": "0.6", "seed": "2", "log": "a2"},
)


@pytest.mark.parametrize("link", LINKS, ids=lambda link: "&".join(link.values()))
def test_a_link_rebuilds_its_screen_and_is_written_again(link: dict[str, str]) -> None:
    at = page("grow", **link)
    assert not at.warning
    assert params_of(at) == link
    assert screen(page("grow", **params_of(at))) == screen(at)


def test_a_link_mid_way_shows_that_step() -> None:
    at = page("grow", **MOONS, log="a2", undone="a1")
    data = dtviz.load("moons", n=60)
    model = dtviz.fit(data)
    assert step(at) == (2, len(model.log))
    before = dtviz.fit(data, log=model.log[:2])
    node = model.log[2].node
    cuts = node_candidates(Problem(data, dtviz.Rules()), before.tree, node)
    assert why(at) == f"Node {node}. {dtviz.say.explain.why(data, dtviz.Rules(), cuts)}"
    table = frame_of(at, "ranking")
    assert len(table["cut"]) == len(cuts)
    assert cuts.best is not None
    assert table["measure"] == "gain (bit)"
    assert table["score"][0] == pytest.approx(cuts.score[cuts.best], rel=1e-3)
    assert table["words"][table["mark"][0]] == "★ best"


def test_a_focus_and_a_cut_of_ones_own_are_shown() -> None:
    at = page("grow", data="iris", log="a1", focus="3", cut="2.4.85")
    assert why(at).startswith("Node 3. petal_length_cm <= 4.85: gain ")
    assert " % of the best cut, petal_width_cm <= 1.75 (0.6902 bit)." in why(at)
    chosen = frame_of(at, "ranking")
    assert chosen["cut"][chosen["row"]] == "petal_length_cm ≤ 4.85"


def test_each_leaf_says_why_it_stops() -> None:
    at = page("grow", data="iris", log="a99", focus="2")
    assert why(at).startswith("Node 2. This leaf stops: pure: all 50 rows are setosa.")


def test_the_widgets_show_the_rules_of_the_link() -> None:
    at = page("grow", **MOONS, criterion="cart", order="breadth", max_depth="2", purity="0.75")
    assert at.selectbox(key="rule_criterion").value == "cart"
    assert at.selectbox(key="rule_order").value == "breadth"
    assert at.select_slider(key="size_max_depth").value == "2"
    assert at.select_slider(key="size_max_leaf_nodes").value == "no limit"
    assert at.number_input(key="rule_purity").value == 0.75


def test_a_limit_of_leaves_grows_best_first_unless_the_link_says_otherwise() -> None:
    limited = MOONS | {"noise": "0.4", "max_leaf_nodes": "4", "log": "a3"}
    trees = {}
    for order in ("usual", "best", "depth"):
        at = page("grow", **limited, **({} if order == "usual" else {"order": order}))
        shown = at.selectbox(key="rule_order").value
        assert shown == ("best" if order == "usual" else order)
        assert params_of(at).get("order", "usual") == order
        trees[order] = tree_of(at)
    assert trees["usual"] == trees["best"] != trees["depth"]


# --- what a link says that cannot be --------------------------------------------------------------

GARBAGE: tuple[tuple[dict[str, str], str, dict[str, str]], ...] = (
    ({"data": "nope"}, "nope", {}),
    ({"data": "moons", "n": "0"}, "n=0", {"data": "moons", "n": "200"}),
    ({"data": "moons", "n": "two"}, "two", {"data": "moons", "n": "200"}),
    ({"data": "moons", "size": "9"}, "size", {"data": "moons"}),
    ({"data": "iris", "features": '["x"]'}, "features", {"data": "iris"}),
    ({"data": "heights", "log": "a1_zzz_a1"}, "zzz", {"log": "a1"}),
    ({"data": "heights", "log": "a99"}, "99 steps", {"log": "a2"}),
    ({"data": "heights", "log": "a1_1.0.165"}, "the next is not possible here", {"log": "a1"}),
    ({"data": "heights", "log": "1.7.1"}, "the next is not possible here", {}),
    ({"data": "heights", "log": "1.0.1e9"}, "the next is not possible here", {}),
    ({"data": "heights", "log": "c1"}, "the next is not possible here", {}),
    (
        {"data": "heights", "log": "a1", "undone": "9.0.1"},
        "The undone moves are cut short after 0",
        {"log": "a1"},
    ),
    ({"data": "heights", "log": "a1", "focus": "77"}, "Node 77", {"log": "a1"}),
    ({"data": "heights", "focus": "-1"}, "focus", {}),
    ({"data": "heights", "cut": "0.nan"}, "cut", {}),
    ({"data": "heights", "axes": "0.9"}, "axes", {}),
    ({"data": "heights", "axes": "0.0"}, "axes", {}),
    ({"data": "heights", "criterion": "best"}, "Criterion cannot be", {}),
    ({"data": "heights", "criterion": "squared_error"}, "Criterion cannot be", {}),
    ({"data": "sine", "criterion": "gini"}, "Criterion cannot be", {"data": "sine"}),
    ({"data": "heights", "max_depth": "0", "purity": "0.9"}, "Depth at most", {"purity": "0.9"}),
    ({"data": "heights", "max_depth": "1.5"}, "Depth at most", {}),
    ({"data": "heights", "max_leaf_nodes": "9" * 30}, "Leaves at most", {}),
    ({"data": "heights", "purity": "nan"}, "Pure enough", {}),
    ({"data": "file"}, "which data", {}),
)


@pytest.mark.parametrize(("params", "says", "kept"), GARBAGE, ids=lambda one: str(one)[:40])
def test_what_is_not_understood_is_said_and_the_rest_kept(
    params: dict[str, str], says: str, kept: dict[str, str]
) -> None:
    at = page("grow", **params)
    assert says in words(at)
    assert len(at.warning) == 1
    written = params_of(at)
    assert kept.items() <= written.items()
    assert written.get("log", "") == kept.get("log", "")
    assert not at.error
    if "log" in params:
        again = page("grow", **written)
        assert not again.warning
        assert screen(again) == screen(at)


@pytest.mark.parametrize("text", NASTY[::8], ids=lambda text: ascii(text)[:30])
def test_any_text_in_any_place_is_survived(text: str) -> None:
    places = ("log", "undone", "focus", "cut", "axes", "criterion", "order", "max_depth", "purity")
    text = text.encode("utf-8", "replace").decode()
    at = page("grow", data="heights", **dict.fromkeys(places, text))
    assert step(at)[1] <= 2
    assert live(at) == []
    for place in ("data", "features", "file", "sha"):
        at.query_params[place] = text
    run(at)
    assert live(at) == []


def test_a_number_out_of_a_controls_range_is_no_exception() -> None:
    at = page("grow", **MOONS, max_depth="5000000", min_gain="1e300", min_samples_split="2000000")
    assert step(at) == (0, 0)


def test_a_repeated_parameter_counts_once() -> None:
    at = seeded("grow", data="heights")
    at.query_params["log"] = ["a1", "a2"]
    assert step(run(at))[0] in (1, 2)


# --- the controls ---------------------------------------------------------------------------------


def test_forward_back_start_end() -> None:
    at = page("grow", data="good_place")
    seen = [step(at)]
    for key in ("next", "next", "back", "next", "next", "start", "end", "back"):
        at = press(at, key)
        seen.append(step(at))
    assert seen == [(k, 3) for k in (0, 1, 2, 1, 2, 3, 0, 3, 2)]
    assert params_of(at) == {"data": "good_place", "log": "a2", "undone": "a1"}


def test_undo_and_redo_take_back_any_change() -> None:
    at = page("grow", data="good_place")
    looks = [screen(at)]
    at = press(at, "next")
    looks.append(screen(at))
    at = run(at.selectbox(key="rule_criterion").select("gini"))
    looks.append(screen(at))
    at = send(at, "stage", {"what": "focus", "node": "1"})
    assert params_of(at)["focus"] == "1"
    looks.append(screen(at))
    for look in reversed(looks[:-1]):
        at = press(at, "undo")
        assert screen(at) == look
    assert "undo" in disabled(at)
    for look in looks[1:]:
        at = press(at, "redo")
        assert screen(at) == look
    assert "redo" in disabled(at)
    at = press(at, "undo", "next")
    assert "redo" in disabled(at)


def test_what_was_undone_is_gone_after_another_change() -> None:
    at = press(page("grow", data="good_place"), "next", "undo", "end")
    assert "redo" in disabled(at)
    assert step(press(at, "undo")) == (0, 3)


def test_a_cut_that_is_not_the_best_can_be_made() -> None:
    at = page("grow", data="good_place", cut="1.61.5")
    assert why(at).startswith("Root. score <= 61.5: gain ")
    at = press(at, "split_here")
    assert params_of(at) == {"data": "good_place", "log": "1.1.61.5", "branches": "a3"}
    assert step(at)[0] == 1
    assert "score ≤ 61.5" in rules_in(at)
    assert frame_of(at, "line")["own"] == [1]
    at = press(at, "next")
    assert params_of(at)["log"] == "1.1.61.5_a1"
    at = press(at, "undo", "undo")
    assert step(at) == (0, 3)


def test_a_split_can_be_replaced() -> None:
    at = page("grow", data="good_place", log="a3", focus="1")
    assert at.button(key="split_here").disabled
    at = page("grow", data="good_place", log="a3", focus="1", cut="1.61.5")
    assert at.button(key="split_here").label == "Split here instead"
    at = press(at, "split_here")
    assert params_of(at)["log"] == "a3_c1_1.1.61.5"
    assert leaves_of(at) == 2


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("criterion", "gini", "gini"),
        ("order", "best", "best"),
        ("max_depth", 2, "2"),
        ("min_samples_leaf", 2, "2"),
        ("min_samples_split", 4, "4"),
        ("min_weight_fraction_leaf", 0.2, "0.2"),
        ("max_leaf_nodes", 3, "3"),
        ("min_gain", 0.1, "0.1"),
        ("min_impurity_decrease", 0.01, "0.01"),
        ("purity", 0.8, "0.8"),
        ("stop_at_zero_gain", True, "True"),
    ],
)
def test_other_rules_keep_ones_own_splits(name: str, value: Any, written: str) -> None:
    at = page("grow", **OWN)
    if name == "stop_at_zero_gain":
        at = run(at.toggle(key=f"rule_{name}").set_value(value))
    elif isinstance(value, str):
        at = run(at.selectbox(key=f"rule_{name}").select(value))
    elif isinstance(value, int):
        at = run(at.select_slider(key=f"size_{name}").set_value(str(value)))
    else:
        at = run(at.number_input(key=f"rule_{name}").set_value(value))
    assert params_of(at)[name] == written
    assert params_of(at)["log"].startswith("1.1.61.5")
    assert "score ≤ 61.5" in rules_in(at)
    if name in ("criterion", "max_leaf_nodes"):
        assert screen(page("grow", **params_of(at))) == screen(at)


def test_a_share_of_the_rows_is_a_place_of_its_own_on_the_slider_of_numbers() -> None:
    at = page("grow", **MOONS, min_samples_leaf="0.05")
    slider = at.select_slider(key="size_min_samples_leaf")
    assert slider.value == "0.05"
    assert slider.options[:3] == ["0.05", "1", "2"]
    at = run(slider.set_value("7"))
    assert params_of(at)["min_samples_leaf"] == "7"
    at = run(at.select_slider(key="size_min_samples_leaf").set_value("1"))
    assert "min_samples_leaf" not in params_of(at)


def test_the_end_of_a_slider_is_no_limit_and_usual_settings_come_back() -> None:
    at = page("grow", **MOONS, max_depth="2", criterion="gini")
    at = run(at.select_slider(key="size_max_depth").set_value("no limit"))
    assert params_of(at) == MOONS | {"criterion": "gini"}
    usual = next(button for button in at.button if button.label == "Usual settings")
    assert params_of(run(usual.click())) == MOONS


@pytest.mark.parametrize("name", ["max_depth", "max_leaf_nodes"])
def test_no_limit_is_the_last_place_of_a_slider(name: str) -> None:
    at = page("grow", **MOONS, log="a99")
    free, slider = session_of(at).rules, at.select_slider(key=f"size_{name}")
    assert (slider.value, slider.options[-1]) == ("no limit", "no limit")
    limited = run(slider.set_value("2"))
    assert params_of(limited)[name] == "2"
    again = run(limited.select_slider(key=f"size_{name}").set_value("no limit"))
    assert name not in params_of(again)
    assert session_of(again).rules == free


def test_usual_settings_suit_a_number() -> None:
    at = page("grow", data="sine", max_depth="2")
    usual = next(button for button in at.button if button.label == "Usual settings")
    at = run(usual.click())
    assert "max_depth" not in params_of(at)
    assert "criterion" not in params_of(at)


@pytest.mark.parametrize("picture", ["stage", "tree"])
def test_the_focus_follows_a_click_and_the_next_step_lets_it_go(picture: str) -> None:
    at = page("grow", data="iris", log="a2")
    at = send(at, picture, {"what": "focus", "node": "1"})
    assert params_of(at)["focus"] == "1"
    assert screen(at) == screen(page("grow", data="iris", log="a2", focus="1"))
    assert why(at).startswith("Root.")
    assert "focus" not in params_of(press(at, "next"))


def test_axes_are_chosen_and_swapped() -> None:
    at = page("grow", data="iris")
    assert (at.selectbox(key="axis0").value, at.selectbox(key="axis1").value) == (2, 3)
    at = run(at.selectbox(key="axis0").select(3))
    assert params_of(at)["axes"] == "3.2"
    (up,) = [box for box in at.selectbox if box.label == "Up"]
    assert up.value == 2
    assert params_of(run(up.select(0)))["axes"] == "3.0"


def test_two_features_need_no_choice_of_axes() -> None:
    keys = {box.key for box in page("grow", **MOONS).selectbox}
    assert not keys & {"axis0", "axis1"}


@pytest.mark.parametrize(
    ("name", "panel"),
    [
        *(("iris", panel) for panel in (*PANELS, "All gains", "Features")),
        *((name, "Arithmetic") for name in ("good_place", "rpart_treble", "sine", "heights")),
        *((name, panel) for name in ("sine", "heights") for panel in ("Algorithm", "Rules")),
        ("rpart_treble", "Surface"),
    ],
)
def test_every_panel_of_every_kind_of_data(name: str, panel: str) -> None:
    at = opened(panel, data=name, log="a1")
    if panel == "Arithmetic":
        assert r"\text{gain} &= " in at.latex[1].value
    if panel == "Rules":
        assert at.text[0].value.count("->") == 2
    if panel == "Export":
        assert len(at.download_button) == 2
        assert at.code[0].value.strip()
    if panel == "Algorithm":
        shown = [
            element.proto.body for element in at.get("html") if "algorithm" in element.proto.body
        ]
        assert [text.count('class="lit"') for text in shown] == [1]
    assert len(at.get("plotly_chart")) == (
        panel in ("All gains", "Features", "Criteria", "Surface")
    )


@pytest.mark.parametrize("kind", ["text", "python", "sql", "json", "dot"])
def test_every_format_is_shown(kind: str) -> None:
    at = seeded("grow", **MOONS, log="a3")
    at.session_state["panels"] = "Export"
    at.session_state["export_kind"] = kind
    run(at)
    data = dtviz.load("moons", n=60)
    model = dtviz.fit(data, log=dtviz.fit(data).log[:3])
    assert at.code[0].value == model.export(kind).strip("\n")


def test_sql_is_offered_for_the_engines_that_quote_in_another_way() -> None:
    at = seeded("grow", **MOONS, log="a3")
    at.session_state["panels"] = "Export"
    at.session_state["export_kind"] = "sql"
    run(at)
    (box,) = [one for one in at.selectbox if one.label == "For"]
    assert box.options[:2] == ["DuckDB, PostgreSQL, SQLite", "MySQL, MariaDB"]
    run(box.set_value("mysql"))
    assert at.code[0].value.startswith("CASE\n  WHEN `x")


def test_the_dark_page_has_light_ink() -> None:
    dark = page("grow", "dark", data="iris")
    for picture in ("stage", "tree"):
        texts = "\n".join(texts_in(frame_of(dark, picture)))
        assert "#f2f4f6" in texts
        assert "#111418" not in texts


# --- pictures that are ready before they are asked for --------------------------------------------


@pytest.mark.parametrize("link", [MOONS, OWN, {"data": "iris", "undone": "a2"}, SINE])
def test_the_next_step_is_sent_before_it_is_asked_for(link: dict[str, str]) -> None:
    at = page("grow", **link)
    while True:
        made, total = step(at)
        ready = frames(at)
        if made == total:
            break
        stamps = ready["line"]["stamps"]
        at = press(at, "next")
        for picture in ("stage", "tree"):
            ahead = flat(ready[f"ahead_{picture}"])
            assert flat(frame_of(at, picture)) == ahead
            assert ahead["stamp"] == stamps["1"]
        back = frame_of(at, "line")["stamps"]["-1"]
        assert back == ready["stage"]["stamp"] == ready["line"]["stamp"]
    assert not {"ahead_stage", "ahead_tree"} & ready.keys()


def test_points_are_sent_again_only_for_other_axes() -> None:
    at = page("grow", data="iris")
    first = flat(frame_of(at, "points"))
    at = press(at, "next", "end")
    assert flat(frame_of(at, "points")) == first
    assert stage_of(at)["cloud"] == first["name"]
    at = run(at.selectbox(key="axis0").select(0))
    assert stage_of(at)["cloud"] == frame_of(at, "points")["name"] != first["name"]


# --- playing --------------------------------------------------------------------------------------


def playing(at: AppTest) -> bool:
    return bool(frame_of(at, "line")["playing"])


def test_it_plays_to_the_end_and_no_further() -> None:
    at = page("grow", data="good_place")
    assert not playing(at)
    at = send(at, "line", {"what": "play", "on": True})
    seen = []
    while playing(at):
        made, _ = step(at)
        at = send(at, "line", {"what": "goto", "step": made + 1, "playing": True})
        seen.append(step(at)[0])
    assert seen == [1, 2, 3]
    assert not playing(press(at, "back"))


@pytest.mark.parametrize(
    ("picture", "event"),
    [
        ("line", {"what": "play", "on": False}),
        ("line", {"what": "goto", "step": 3}),
        ("stage", {"what": "focus", "node": "1"}),
    ],
)
def test_whatever_else_is_done_holds_it(picture: str, event: dict[str, Any]) -> None:
    at = send(page("grow", data="iris", log="a1"), "line", {"what": "play", "on": True})
    assert playing(at)
    assert not playing(send(at, picture, event))


def test_a_tick_that_comes_late_does_not_start_it_again() -> None:
    at = send(page("grow", data="iris"), "line", {"what": "goto", "step": 1, "playing": True})
    assert step(at)[0] == 1
    assert not playing(at)


# --- what a picture tells -------------------------------------------------------------------------

NO_EVENTS: tuple[Any, ...] = (
    None, True, 3, 1.5, "goto", [], ["goto", 1], {}, {"what": None}, {"what": ["goto"], "step": 1},
    {"what": "grow"}, {"What": "goto", "step": 1},
)  # fmt: skip
LINE_EVENTS: tuple[Any, ...] = (
    {"what": "goto"}, {"what": "goto", "step": "2"}, {"what": "goto", "step": 2.0},
    {"what": "goto", "step": None}, {"what": "goto", "step": [1]}, {"what": "goto", "step": 1e308},
    {"what": "play"}, {"what": "play", "on": "yes"}, {"what": "play", "on": 2},
    {"what": "redo", "step": -1}, {"what": "cut", "index": 0}, {"what": "focus", "node": "1"},
)  # fmt: skip
NODE_EVENTS: tuple[Any, ...] = tuple(
    {"what": "focus", "node": node}
    for node in (
        None, 1, 1.0, True, [], {"node": "1"}, "", "0", "-1", "+1", "1.0", " 1", "one", "²", "99",
        "1" * 400, "9" * 600, "9" * 5000, "1e1", "0x1", "\0",
    )
)  # fmt: skip
INDICES: tuple[Any, ...] = (
    -1, -(10**30), 10**30, 10**400, 10**4, None, "0", 0.0, 1.5, [0], {"index": 0}, "best",
)  # fmt: skip


@pytest.mark.parametrize(
    ("picture", "events"),
    [
        ("line", (*NO_EVENTS, *LINE_EVENTS)),
        ("stage", (*NO_EVENTS, *NODE_EVENTS, {"what": "goto", "step": 1})),
        (
            "tree",
            (*NO_EVENTS, *NODE_EVENTS, {"what": "goto", "step": 1}, {"what": "cut", "index": 1}),
        ),
    ],
    ids=["line", "stage", "tree"],
)
def test_what_no_picture_tells_changes_nothing(picture: str, events: tuple[Any, ...]) -> None:
    at = page("grow", data="iris", log="a2")
    visit = at.session_state["instrument"].visit
    before, link = screen(at), params_of(at)
    at = send(at, picture, *events)
    assert at.session_state["instrument"].visit == replace(visit, heard=visit.heard + len(events))
    assert (screen(at), params_of(at)) == (before, link)
    assert not playing(at)


def test_a_cut_that_is_not_there_is_not_chosen() -> None:
    at = page("grow", data="iris", log="a2")
    before, stamp, many = screen(at), stage_of(at)["stamp"], len(cuts_at(at))
    indices = (*INDICES, many)
    at = send(at, "stage", *({"what": "cut", "stamp": stamp, "index": k} for k in indices))
    assert screen(at) == before


def test_a_cut_of_a_state_that_is_gone_is_not_chosen() -> None:
    at = page("grow", data="iris", log="a2")
    before = screen(at)
    stamps: tuple[Any, ...] = ("", "0" * 16, None, 0, [], {}, "x" * 10_000)
    gone = [{"what": "cut", "stamp": stamp, "index": 0} for stamp in stamps]
    at = send(at, "stage", *gone, {"what": "cut", "index": 0})
    assert screen(at) == before


def test_a_cut_that_was_sent_before_the_step_is_not_chosen_after_it() -> None:
    at = page("grow", data="iris", log="a1")
    event = {"what": "cut", "stamp": stage_of(at)["stamp"], "index": 0}
    at = press(at, "next")
    before = screen(at)
    assert screen(send(at, "stage", event)) == before
    at = press(at, "back")
    assert "cut" in params_of(send(at, "stage", event))


@pytest.mark.parametrize("to", ["data", "overfit", "learn"])
@pytest.mark.parametrize("picture", ["line", "stage", "tree"])
def test_an_event_that_comes_with_a_page_switch_is_no_error(picture: str, to: str) -> None:
    for event in ({"what": "play", "on": True}, {"what": "focus", "node": "1"}, None):
        assert not send(app(), picture, event, to=to).error


def test_a_step_beyond_either_end_is_the_end() -> None:
    at = page("grow", data="good_place", log="a1")
    assert step(send(at, "line", {"what": "goto", "step": 10**9})) == (3, 3)
    assert step(send(at, "line", {"what": "goto", "step": -(10**9)})) == (0, 3)


def test_undo_with_nothing_to_undo_changes_nothing() -> None:
    at = page("grow", data="good_place")
    for what in ("undo", "redo"):
        before = screen(at)
        assert screen(send(at, "line", {"what": what})) == before


@pytest.mark.parametrize("place", [0, 5, -1])
def test_a_cut_chosen_on_the_stage_is_the_cut_of_the_link(place: int) -> None:
    at = page("grow", data="iris", log="a1")
    stage = stage_of(at)
    index, rule = stage["cuts"][1]["index"][place], number(stage["cuts"][1]["threshold"][place])
    at = send(at, "stage", {"what": "cut", "stamp": stage["stamp"], "index": index})
    assert why(at).startswith(f"Node 3. petal_width_cm <= {rule}")
    assert stage_of(at)["chosen"] == [1, stage["cuts"][1]["index"].index(index)]
    assert screen(page("grow", **params_of(at))) == screen(at)


# --- ask first ------------------------------------------------------------------------------------

QUESTION = "Where would you cut? Move along the dots and click one: the gains show once you have."
ASKED: dict[str, dict[str, str]] = {
    "two features": MOONS | {"log": "a1"},
    "four features": {"data": "iris"},
    "one feature": {"data": "heights"},
    "the last step": {"data": "heights", "max_depth": "1"},
    "a number": {"data": "sine", "n": "40", "noise": "0.25", "seed": "7", "log": "a2"},
    "a measure of its own": MOONS | {"criterion": "gain_ratio", "min_samples_leaf": "2"},
}


def model_of(at: AppTest) -> Model:
    """The model that is on the page."""
    session = session_of(at)
    return dtviz.fit(build(session.recipe), session.rules, session.log)


def cuts_at(at: AppTest) -> Candidates:
    """The cuts of the node that is looked at."""
    model = model_of(at)
    focus = int(stage_of(at)["focus"])
    return node_candidates(Problem(model.data, model.rules_used), model.tree, focus)


def numbers_in(value: Any) -> Iterator[float]:
    """Every number that is no whole one, anywhere in a frame."""
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from numbers_in(one)
    elif isinstance(value, float):
        yield value


def told(at: AppTest, pictures: Iterable[Frame]) -> set[float | str]:
    """What the pictures and the words of the page tell of how good the cuts are."""
    cuts, model, stage = cuts_at(at), model_of(at), stage_of(at)
    worth = np.concatenate([cuts.score, cuts.gain, cuts.impurity_left, cuts.impurity_right])
    limits = {limit for axis in stage["cuts"] for limit in axis["threshold"]}
    secret = {*worth.tolist(), *map(rounded, worth.tolist())} - limits
    secret = {one for one in secret if len(number(one)) > len("0.35")}
    known = {number(node.impurity) for node in model.tree.nodes.values()}
    known |= {number(limit, 15) for limit in limits}
    hushed = {*map(number, secret)} - known
    texts = [words(at), *(text for frame in pictures for text in texts_in(frame))]
    said = {found for text in texts for found in re.findall(r"-?\d+\.\d+", text)}
    sent = {value for frame in pictures for value in numbers_in(flat(frame))}
    return (secret & sent) | (hushed & said)


@pytest.mark.parametrize("link", ASKED.values(), ids=ASKED)
def test_nothing_tells_how_good_a_cut_is_before_one_is_chosen(link: dict[str, str]) -> None:
    at = page("grow", **link, ask="1")
    seen = [frame for frame in frames(at).values() if frame["kind"] != "ahead"]
    assert told(at, seen) == set()
    assert why(at).endswith(f". {QUESTION}")
    assert at.button(key="split_here").disabled
    for panel in [tab.label for tab in at.tabs]:
        at.session_state["panels"] = panel
        at = run(at)
        assert told(at, ()) == set()
        hidden = panel in ("Candidates", "All gains", "Features", "Arithmetic", "Criteria")
        assert ("Hidden until you have chosen a cut" in words(at)) == hidden
        assert not (*at.dataframe, *at.latex, *at.get("plotly_chart"))
        assert "ranking" not in frames(at)
        exported = ["Download the tree"] if panel == "Export" else []
        assert [one.label for one in at.download_button] == exported


@pytest.mark.parametrize("link", ASKED.values(), ids=ASKED)
def test_the_next_step_tells_nothing_before_a_cut_is_chosen(link: dict[str, str]) -> None:
    at = page("grow", **link, ask="1")
    assert told(at, frames(at).values()) == set()


def test_asking_first_no_next_step_is_sent_whatever_node_is_looked_at() -> None:
    assert not [
        key for key in frames(page("grow", **MOONS, log="a1", ask="1", focus="1")) if "ahead" in key
    ]


def test_a_cut_that_is_no_candidate_is_no_answer() -> None:
    at = page("grow", data="iris", ask="1", cut="2.99")
    assert why(at).endswith(f". {QUESTION}")
    assert stage_of(at)["asking"]


def test_a_leaf_that_stopped_says_why_though_a_cut_is_looked_at() -> None:
    at = page("grow", data="iris", log="a99", focus="2", cut="0.4.75", ask="1")
    assert "This leaf stops: pure" in why(at)


def test_hidden_gains_are_in_no_panel() -> None:
    at = page("grow", **MOONS, hide="gains")
    assert not {tab.label for tab in at.tabs} & {"Candidates", "Arithmetic", "Criteria"}
    at.session_state["panels"] = "Export"
    assert [one.label for one in run(at).download_button] == ["Download the tree"]


@pytest.mark.parametrize("link", ASKED.values(), ids=ASKED)
def test_a_cut_once_chosen_tells_its_share_and_its_regret(link: dict[str, str]) -> None:
    at = page("grow", **link, ask="1")
    model, cuts = model_of(at), cuts_at(at)
    asked = stage_of(at)
    able = [i for i in asked["cuts"][0]["index"] if cuts.admissible[i] and not cuts.tied[i]]
    at = send(at, "stage", {"what": "cut", "stamp": asked["stamp"], "index": able[0]})
    said = explain.answer(Problem(model.data, model.rules_used), cuts, cuts.split(able[0]))
    assert why(at).endswith(f". {said}")
    assert re.search(r", [\d.e-]+ % of the best, regret [\d.e-]+( bit)?; the best is ", said)
    stage = stage_of(at)
    assert not stage["asking"]
    assert stage["chosen"] == [0, asked["cuts"][0]["index"].index(able[0])]
    of = stage["cuts"][0]
    assert of["score"] == [rounded(cuts.score[i]) for i in of["index"]]
    assert len(frame_of(at, "ranking")["cut"]) == min(len(cuts), MOST_LISTED)
    assert screen(page("grow", **params_of(at))) == screen(at)
    assert "split_here" not in disabled(at)


def test_each_open_leaf_asks_anew() -> None:
    at = page("grow", **MOONS, ask="1")
    asked = stage_of(at)
    at = send(at, "stage", {"what": "cut", "stamp": asked["stamp"], "index": 3})
    at = press(at, "split_here")
    assert step(at)[0] == 1
    assert QUESTION in why(at)
    at = send(at, "stage", {"what": "focus", "node": "1"})
    assert QUESTION not in why(at)
    assert not stage_of(at)["asking"]


def test_leaves_that_have_stopped_do_not_ask() -> None:
    at = page("grow", data="iris", log="a99", focus="2", ask="1")
    assert why(at).startswith("Node 2. This leaf stops: pure: all 50 rows are setosa.")
    assert not stage_of(at)["asking"]
    end = page("grow", data="iris", log="a8", ask="1")
    assert not stage_of(end)["asking"]


def test_nothing_is_asked_where_there_is_no_cut() -> None:
    frame = pd.DataFrame({"x": [1.0] * 4, "y": list("abab")})
    at = run(with_file("grow", frame, ask="1"))
    assert "no feature differs in these rows" in why(at)


def test_the_switch_asks_and_tells() -> None:
    at = page("grow", data="iris")
    plainly = screen(at)
    at = run(at.toggle(key="ask_first").set_value(True))
    assert params_of(at)["ask"] == "1"
    assert QUESTION in why(at)
    at = run(at.toggle(key="ask_first").set_value(False))
    assert params_of(at) == {"data": "iris"}
    assert screen(at) == plainly
    assert QUESTION in why(press(at, "undo"))


# --- a teacher's link -----------------------------------------------------------------------------

TAKEN: dict[str, set[str]] = {
    "time-line": {"line", "ahead_stage", "ahead_tree"},
    "settings": {"rules", "ask first", "axes"},
    "focus": {"choose a node"},
    "split": {"split here", "choose a cut"},
    "gains": {"gains", "choose a cut", "ranking"},
    "why": {"why"},
    "panels": {"panels", "ranking"},
}


def controls(at: AppTest) -> set[str]:
    """What there is on the page to see and to do."""
    keys = {str(one.key) for one in (*at.selectbox, *at.toggle, *at.button, *at.text_input)}
    stage = stage_of(at)
    there = {
        "rules": "rule_criterion" in keys,
        "ask first": "ask_first" in keys,
        "axes": {"axis0", "axis1"} <= keys,
        "split here": "split_here" in keys,
        "share": "share_say" in keys,
        "why": bool(why(at)),
        "panels": bool(at.tabs),
        "gains": stage["gains"],
        "choose a cut": stage["can"]["cut"],
        "choose a node": stage["can"]["focus"],
    }
    return {name for name, is_there in there.items() if is_there} | frames(at).keys()


def captions(at: AppTest) -> list[str]:
    return [one.value for one in at.caption]


def with_share(**params: str) -> AppTest:
    """The page with Share open."""
    at = seeded("grow", **params)
    at.session_state["share"] = True
    return run(at)


@pytest.mark.parametrize("name", HIDEABLE)
def test_a_name_in_hide_takes_its_controls_away(name: str) -> None:
    link = {"data": "iris", "log": "a1"}
    all_of_them, at = controls(with_share(**link)), with_share(**link, hide=name)
    assert all_of_them >= set().union(*TAKEN.values(), {"share", "stage", "tree", "points"})
    assert all_of_them - controls(at) == TAKEN[name] | {"share"}
    assert params_of(at) == link | {"hide": name}


def test_with_everything_hidden_the_pictures_stay() -> None:
    at = with_share(data="iris", log="a1", hide=".".join(HIDEABLE), say="Look at node 3.")
    assert controls(at) == {"stage", "tree", "points"}
    assert not (*at.toggle, *at.selectbox, *at.number_input, *at.get("popover"))
    assert [one.label for one in at.button] == ["Show all controls"]
    assert "Look at node 3." in words(at)


@pytest.mark.parametrize("name", ["grow", "overfit", "forest", "stability", "impurity"])
@pytest.mark.parametrize("say", ["", "Enter your password:"])
def test_what_a_link_hides_can_be_shown(name: str, say: str) -> None:
    link = {"data": "iris", "hide": "settings.time-line"} | ({"say": say} if say else {})
    at = page(name, **link)
    if not say:
        assert "This link hides some controls." in words(at)
    run(at.button(key="show_all").click())
    del link["hide"]
    assert params_of(at) == link
    assert "Show all controls" not in [one.label for one in at.button]


def test_the_words_of_a_link_are_told_to_be_its_own_and_those_of_our_tours_are_not() -> None:
    ours = dict(parse_qsl(TOURS["first"][1]))["say"]
    asks = {"say": "Enter your password:"}
    others = (asks, {"tour": "first", "stop": "1"} | asks, {"tour": stop_of(asks)}, {"say": ours})
    for link in others:
        assert "This link says:" in captions(page("grow", **link))
    at = page("grow", **params_at(TOURS["first"], 1))
    assert at.markdown[0].value == markdown(ours, 300)
    assert "This link says:" not in captions(at)


def test_a_tour_is_walked_to_its_last_stop_and_back() -> None:
    last = len(TOURS["first"])
    at = page("grow", tour="first", stop=str(last - 2))
    assert f"{last - 1} of {last}" in [one.value for one in at.markdown]
    assert not at.button(key="tour_next").disabled
    run(at.button(key="tour_next").click())
    assert f"{last} of {last}" in [one.value for one in at.markdown]
    assert at.button(key="tour_next").disabled
    run(at.button(key="tour_back").click())
    assert not at.button(key="tour_next").disabled


@pytest.mark.parametrize("name", ["focus", "split", "gains"])
def test_what_is_hidden_does_nothing(name: str) -> None:
    at = page("grow", data="iris", log="a1", hide=name)
    before, stamp = screen(at), stage_of(at)["stamp"]
    chosen = {"what": "cut", "stamp": stamp, "index": 3}
    looked = {"what": "focus", "node": "1"}
    events = [("stage", looked), ("tree", looked)] if name == "focus" else [("stage", chosen)]
    for picture, event in events:
        at = send(at, picture, event)
        assert screen(at) == before


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:30])
def test_a_line_of_narration_is_literal(text: str) -> None:
    at = page("grow", data="heights", say=text)
    assert live(at) == []
    said = clean(text, 300)
    assert params_of(at).get("say", "") == said
    assert at.markdown[0].value == markdown(said, 300) or not said
    assert ("This link says:" in captions(at)) == bool(said)


SHARED: tuple[dict[str, str], ...] = (
    {"log": "a1"},
    {"data": "iris", "log": "a2", "undone": "a1", "axes": "0.3"},
    {"data": "good_place", "log": "1.1.61.5_a1", "branches": "a3", "criterion": "gini"},
    MOONS | {"log": "a1", "ask": "1", "max_depth": "4"},
    MOONS | {"log": "a1", "focus": "1", "cut": "0.0.5", "order": "best"},
)


def shared(at: AppTest) -> dict[str, str]:
    """The parameters of the link that Share shows."""
    address, _, query = at.code[0].value.partition("?")
    assert address == ""
    return dict(parse_qsl(query, keep_blank_values=True))


@pytest.mark.parametrize("link", SHARED, ids=lambda link: "&".join(link.values()))
def test_share_links_to_this_very_screen(link: dict[str, str]) -> None:
    at = with_share(**link)
    if link:
        assert shared(at) == params_of(at)
    assert screen(page("grow", **shared(at))) == screen(at)


@pytest.mark.parametrize("link", SHARED, ids=lambda link: "&".join(link.values()))
def test_a_teachers_link_shows_the_same_step_and_node(link: dict[str, str]) -> None:
    at = with_share(**link)
    at = run(at.text_input(key="share_say").set_value("Where <b>would</b> you cut? 100 % & more"))
    at = run(at.pills(key="share_hide").set_value(["settings", "panels", "focus"]))
    given = shared(at)
    assert given["hide"] == "focus.panels.settings"
    assert given["focus"] == stage_of(at)["focus"]
    assert given["say"] == "Where <b>would</b> you cut? 100 % & more"
    other = page("grow", **given)
    assert given["say"] in words(other)
    assert not other.warning
    assert params_of(other) == given
    assert step(other) == step(at)
    assert why(other) == why(at)
    assert tree_of(other) == tree_of(at)
    changed = {"stamp", "can"}
    stages = [{k: v for k, v in stage_of(one).items() if k not in changed} for one in (at, other)]
    assert stages[0] == stages[1]


def test_what_is_typed_into_share_stays_in_share() -> None:
    at = with_share(data="iris")
    before = screen(at)
    at = run(at.text_input(key="share_say").set_value("[x](javascript:1)" * 9))
    assert params_of(at) == {"data": "iris"}
    assert screen(at) == before
    assert shared(at)["say"] == clean("[x](javascript:1)" * 9, 300)
    assert live(at) == []


# --- criteria and branches ------------------------------------------------------------------------


@pytest.mark.parametrize("least", ["1", "5"])
@pytest.mark.parametrize("name", ["iris", "good_place", "xor", "sine", "rpart_treble", "heights"])
def test_the_winners_are_those_of_the_engine(name: str, least: str) -> None:
    at = opened("Criteria", data=name, min_samples_leaf=least)
    data = dtviz.load(name)
    winners = at.dataframe[0].value.set_index("criterion")
    criteria = criteria_of(data)
    assert list(winners.index) == [CRITERIA[one].title for one in criteria]
    for one in criteria:
        rules = Rules(one, max_depth=1, min_samples_leaf=int(least))
        grown, found = dtviz.fit(data, rules).log, winners.loc[CRITERIA[one].title]
        if not grown:
            assert (found.winner, found.score, found.ties) == ("no cut", "", 0)
            continue
        table = dtviz.candidates(data, rules)
        place = (table.feature == data.features[grown[0].split.projection.feature]) & (
            table.threshold == grown[0].split.threshold
        )
        score = table[one if one in table else "gain"]
        assert found.winner == table.rule[place].item().replace(" <= ", " ≤ ")
        assert found.score.split(" ")[0] == number(score[place].item())
        tied = table.admissible & np.isclose(score, score[place].item(), rtol=0, atol=1e-12)
        assert found.ties == tied.sum() - 1
    assert ("there is one criterion" in words(at)) == (len(criteria) == 1)


def test_the_criteria_race_over_the_cuts_of_the_node_looked_at() -> None:
    at = opened("Criteria", data="iris", log="a2", focus="3")
    model = model_of(at)
    winners = at.dataframe[0].value.set_index("criterion")["winner"]
    for one in criteria_of(model.data):
        cuts = node_candidates(Problem(model.data, Rules(one)), model.tree, 3)
        assert cuts.best is not None
        assert winners[CRITERIA[one].title] == cut_text(model.data, cuts, cuts.best, SIGNED)


def test_no_cut_is_no_race() -> None:
    frame = pd.DataFrame({"x": [1.0] * 4, "y": list("abab")})
    at = with_file("grow", frame)
    at.session_state["panels"] = "Criteria"
    assert "No cut exists in this node." in words(run(at))


BRANCHED: tuple[dict[str, str], ...] = (
    {"data": "good_place", "log": "1.1.61.5_a1", "branches": "a3"},
    {"data": "iris", "log": "a2", "undone": "a1", "branches": "1.2.3.0~a1_3.0.6.0"},
    {"data": "sine", "log": "1.0.2.0", "branches": "a0", "max_leaf_nodes": "5"},
)


@pytest.mark.parametrize("link", BRANCHED, ids=lambda link: link["data"])
def test_time_lines_stand_side_by_side(link: dict[str, str]) -> None:
    at = opened("Branches", **link)
    assert not at.warning
    session = session_of(at)
    data = build(session.recipe)
    future = future_of(data)
    logs = [timeline(session, future), *session.branches]
    lines = [runs(session.rules, log, future) for log in logs]
    found = finished(compare(Problem(data, session.rules), lines))
    table = at.table[0].value
    names = [str(name) for name in table.iloc[:, 0]]
    assert names == ["**This line**", *(f"Branch {k}" for k in range(1, len(logs)))]
    for place, (log, one) in enumerate(zip(logs, found, strict=True)):
        row = table.iloc[place]
        tree = dtviz.fit(data, session.rules, log).tree
        assert (row["leaves"], row["splits"]) == (str(len(tree.rows)), str(len(tree.splits)))
        assert (row["height"], row["your own"]) == (str(height(tree)), str(one.own))
        for label, value in (("training", one.training), ("5-fold", one.held_out)):
            shown = row[next(name for name in table.columns if name.startswith(label))]
            scale = 100 if data.classes else 1
            assert float(shown.removesuffix("\u00a0%")) == pytest.approx(scale * value, rel=1e-2)


def test_lines_of_much_data_are_judged_in_slices_the_branches_meanwhile_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "SLICE", 0)
    at = opened("Branches", **BRANCHED[0])
    assert not at.table
    assert any("Every line on rows held out" in bar.proto.text for bar in at.get("progress"))
    assert at.button(key="branch0")
    for _ in range(20):
        at = run(at)
        if at.table:
            break
    assert len(at.table[0].value) == 2


def test_a_branch_is_there_once_a_line_is_left_and_can_be_brought_back_or_dropped() -> None:
    at = opened("Branches", data="good_place", cut="1.61.5")
    assert "Branches" not in [tab.label for tab in at.tabs]
    at = press(at, "split_here")
    at.session_state["panels"] = "Branches"
    at = run(at)
    assert params_of(at) == {"data": "good_place", "log": "1.1.61.5", "branches": "a3"}
    assert len(at.table[0].value) == 2
    left = press(at, "branch0")
    assert params_of(left)["log"] == "a1"
    assert params_of(left)["undone"] == "a2"
    assert params_of(left)["branches"].startswith("1.1.61.5")
    at = press(left, "drop0")
    assert "branches" not in params_of(at)
    assert "Branches" not in [tab.label for tab in at.tabs]
    at = press(at, "undo", "undo")
    assert params_of(at)["branches"] == "a3"


def test_a_branch_and_its_line_stand_side_by_side_until_one_of_them_is_kept() -> None:
    at = page("grow", data="good_place", log="1.1.61.5", branches="a3")
    at.session_state["panels"] = "Branches"
    at = press(run(at), "compare0")
    assert params_of(at)["beside"] == "log=a1&undone=a2"
    assert not at.tabs
    heads = [one.value for one in at.markdown if "accuracy" in one.value]
    assert [head.split()[0].strip("*") for head in heads] == ["This", "Branch"]
    assert all("rows that Overfit holds out" in head for head in heads)
    both = [frame_of(at, name)["stamp"] for name in ("stage", "stage_beside", "tree_beside")]
    assert both[0] != both[1] == both[2]
    linked = page("grow", **params_of(at))
    assert flat(frame_of(linked, "tree_beside")) == flat(frame_of(at, "tree_beside"))
    kept = params_of(press(linked, "keep_other"))
    assert kept == {"data": "good_place", "log": "a1", "undone": "a2", "branches": "1.1.61.5_a2"}
    assert params_of(press(at, "keep_own")) == {
        "data": "good_place", "log": "1.1.61.5", "branches": "a3"
    }  # fmt: skip


def test_of_two_screens_the_second_is_judged_once_the_first_is_and_stop_holds_both(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(work, "SLICE", 0)
    at = page("grow", data="good_place", log="1.1.61.5", branches="a3", beside="log=a1&undone=a2")

    def judged() -> list[float]:
        jobs = at.session_state["instrument"].jobs
        return [job.share for asked, job in jobs.items() if asked[0] == "tips"]

    assert judged() == [0.5]
    at = run(next(one for one in at.button if one.label == "Stop").click())
    for _ in range(2):
        assert judged() == [1.0]  # what it found is not asked for
        at = run(at)
    at = run(next(one for one in at.button if one.label == "Go on").click())
    for _ in range(6):
        at = run(at)
    assert len(judged()) == 2
    assert not [one for one in at.button if one.label == "Stop"]


def test_the_settings_stay_beside_those_chosen_next() -> None:
    at = seeded("grow", data="iris", log="a2")
    at.session_state["settings"] = True
    at = press(run(at), "compare_settings")
    assert at.button(key="compare_settings").disabled
    at.selectbox(key="rule_criterion").select("gini")
    at = run(at)
    assert params_of(at)["criterion"] == "gini"
    assert params_of(at)["beside"] == "log=a2"
    heads = [one.value for one in at.markdown if "accuracy" in one.value]
    assert [head.split()[0] for head in heads] == ["**Gini**", "**Entropy**"]
    at = press(at, "next")
    assert (params_of(at)["log"], params_of(at)["beside"]) == ("a3", "log=a3")


# --- a file that is not there ---------------------------------------------------------------------


def test_a_link_to_a_file_says_which_and_keeps_its_parameters() -> None:
    link = {"data": "file", "sha": "1", "file": "pen.csv", "target": "species", "log": "a2"}
    at = page("grow", **link)
    assert "made with the file pen.csv" in words(at)
    assert params_of(at) == link
    at = run(at.button[0].click())
    assert step(at) == (0, 7)
    assert params_of(at) == {}


def test_an_example_instead_of_the_file_ends_the_asking() -> None:
    at = app()
    at.query_params.update({"data": "file", "sha": "1", "file": "pen.csv", "target": "species"})
    at = run(at)
    at = run(at.button[0].click())
    at = run(at.switch_page("pages/data.py"))
    assert "pen.csv" not in words(at)


# --- tables at the edge ---------------------------------------------------------------------------


def table(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


DEGENERATE: dict[str, tuple[pd.DataFrame, dict[str, str], str]] = {
    "one row": (table(x=[1.0], y=["a"]), {}, "the only row is a"),
    "one row, a number": (table(x=[1.0], y=[2.5]), {"task": "regression"}, "the only row is 2.5"),
    "one class": (table(x=[1.0, 2.0, 3.0], y=["a"] * 3), {}, "all 3 rows are a"),
    "constant features": (
        table(x=[1.0] * 4, z=[2.0] * 4, y=list("abab")),
        {},
        "no feature differs",
    ),
    "constant number": (table(x=[1.0, 2.0], y=[5.0, 5.0]), {"task": "regression"}, "rows are 5"),
    "duplicates": (table(x=[1.0, 1.0, 2.0, 2.0], y=list("abab")), {}, "gain 0"),
    "no cut leaves enough": (
        table(x=[1.0, 2.0, 3.0, 4.0], y=list("aabb")),
        {"min_samples_leaf": "3"},
        "leaves at least 3 rows on both sides",
    ),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_data_explain_themselves(name: str) -> None:
    frame, params, says = DEGENERATE[name]
    for panel in ("Arithmetic", "Algorithm"):
        at = with_file("grow", frame, **params)
        at.session_state["panels"] = panel
        run(at)
        assert says in words(at)
        assert not at.warning
        assert (step(at)[1] > 0) == (name == "duplicates")


def test_duplicates_with_different_labels_end_impure() -> None:
    at = with_file("grow", DEGENERATE["duplicates"][0], log="a1", focus="2")
    run(at)
    assert "no feature differs in these rows" in words(at)


def test_no_row_with_a_target_is_an_error_that_says_so() -> None:
    at = run(with_file("grow", table(x=[1.0, np.nan], y=[None, None])))
    assert "0 of 2 rows have a value in the target" in words(at)
    assert len(at.error) == 1
    assert step(run(at.button[0].click())) == (0, 7)


def test_left_out_rows_are_listed() -> None:
    at = with_file("grow", table(x=[1.0, 2.0, 3.0], y=["a", None, "b"]))
    at.session_state["panels"] = "Notes (1)"
    at = run(at)
    assert "left out, no value in 'y' (line 2)" in at.text[0].value


def test_missing_values_have_a_setting_and_a_panel() -> None:
    x, z = [1.0, np.nan, 3.0, 4.0, 5.0], [1.0, 2.0, 2.0, 4.0, 5.0]
    at = run(with_file("grow", table(x=x, z=z, y=["a", "a", "b", "b", "b"])))
    assert any(tab.label == "Missing" for tab in at.tabs)
    assert "or missing" in why(at)


def test_a_target_that_is_not_in_the_file() -> None:
    at = run(with_file("grow", table(x=[1.0, 2.0], y=["a", "b"]), target="zzz"))
    assert "zzz" in words(at)
    assert len(at.error) == 1


def test_two_hundred_classes() -> None:
    at = page("grow", data="blobs", k="200", n="400", log="a5")
    assert step(at)[0] == 5
    assert "Node " in why(at)


def test_a_hundred_thousand_rows() -> None:
    at = page("grow", data="moons", n="100000", max_depth="3", log="a3")
    assert step(at) == (3, 7)
    assert "20,000 of 100,000 points are drawn" in words(at)
    assert len(frame_of(at, "points")["x"]) == 20_000
    assert "Export has all of them" in frame_of(at, "ranking")["said"][0]


def test_a_tree_of_many_leaves_says_how_many() -> None:
    at = press(page("grow", data="moons", n="2000", noise="0.5", seed="7"), "end")
    model = dtviz.fit(dtviz.load("moons", n=2000, noise=0.5))
    assert leaves_of(at) == len(model.tree.rows) > 100
    assert {int(node) for node, *_ in frame_of(at, "tree")["nodes"]} == set(model.tree.nodes)


def test_huge_and_tiny_numbers() -> None:
    frame = table(x=[-1.7e308, 0.0, 1e308, 1.7e308], z=[5e-324, 1e-323, 0.0, 1.0], y=list("abab"))
    for log in ("", "a1", "a3"):
        at = run(with_file("grow", frame, **({"log": log} if log else {})))
        for picture in frames(at).values():  # read as JSON, which has no NaN and no Infinity
            for values in picture.values():
                assert not isinstance(values, np.ndarray) or np.isfinite(values).all()


# --- names nobody would choose --------------------------------------------------------------------


@pytest.mark.parametrize("start", range(0, len(HOSTILE), 6))
def test_hostile_names_stay_text(start: int) -> None:
    names = list(dict.fromkeys(HOSTILE[start : start + 6]))
    frame = pd.DataFrame({name: np.arange(12.0) % (j + 2) for j, name in enumerate(names)})
    frame["![t](http://evil.example)"] = (names * 12)[:12]
    at = with_file("grow", frame, file=names[0].encode("ascii", "replace").decode(), log="a2")
    for panel in ("Algorithm", "Arithmetic"):
        at.session_state["panels"] = panel
        run(at)
        assert live(at) == []
    assert "];evil" not in tree_of(at).replace("&gt;&gt;];evil", "")
    assert "<img" not in tree_of(at)
    names_sent = [axis["name"] for axis in (stage_of(at)["across"], stage_of(at)["up"])]
    assert all(name == clean(name) for name in names_sent)
    assert at.selectbox(key="axis0").options == [clean(name) for name in names]


@pytest.mark.parametrize("name", HOSTILE[::6], ids=lambda name: ascii(name)[:30])
def test_a_file_of_any_name_can_be_asked_for(name: str) -> None:
    at = page("grow", data="file", sha="1", file=name, target="t")
    assert live(at) == []
    assert len(at.info) == 1


def test_a_step_grows_nothing_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    at = run(seeded("grow", data="circles", n="90", seed="41"))

    def grown_again(*_: object) -> None:
        raise AssertionError("the time-line of this tab was known")

    monkeypatch.setattr("dtviz.instrument.finish", grown_again)
    press(at, "next", "next", "back", "end", "start")


# --- another table to predict ---------------------------------------------------------------------


def exporting(table: str) -> AppTest:
    """The panel Export of a tree of one cut, x <= 1.5, given a table to predict."""
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "<b>"]})
    at = with_file("grow", frame, log="a1")
    at.session_state["panels"] = "Export"
    return run(run(at).file_uploader[0].upload("more.csv", table.encode(), "text/csv"))


def test_another_table_is_taken_away_with_predictions() -> None:
    at = exporting("id,x\nu,1\nv,2\nw,?\n")
    assert at.download_button[-1].label == "Download 3 rows with predictions"
    assert "not predicted, no value in 'x' (line 4)" in at.text[0].value
    assert not at.error


def test_a_table_that_does_not_suit_the_tree_says_so() -> None:
    for table, said in (
        ("z\n1\n", "the table has no column 'x'"),
        ("x\nmany\n", "the tree needs numbers in 'x'; here it holds text"),
        ("", "the file is empty"),
    ):
        at = exporting(table)
        assert said in words(at)
        assert not any("with predictions" in one.label for one in at.download_button)


# --- many features --------------------------------------------------------------------------------


def many(panel: str, features: int = 60) -> AppTest:
    """Grow on a table of that many features, in which one in seven tells a little."""
    random = np.random.default_rng(2)
    y = random.integers(0, 2, 30)
    frame = pd.DataFrame(
        {f"x{i}": random.normal(size=30) + y * (i % 7 == 0) for i in range(features)}
    )
    at = with_file("grow", frame.assign(y=np.where(y, "u", "v")))
    at.session_state["panels"] = panel
    return run(at)


def test_of_many_features_the_best_have_panels_and_others_can_be_found() -> None:
    def panels(at: AppTest) -> int:
        layout = json.loads(at.get("plotly_chart")[0].proto.spec)["layout"]
        return sum(name.startswith("xaxis") for name in layout)

    at = many("All gains")
    assert panels(at) == 12
    at = run(next(one for one in at.button if one.label == "Show 12 more").click())
    assert panels(at) == 24
    at = run(at.multiselect[0].set_value([59]))
    assert '"x59"' in at.get("plotly_chart")[0].proto.spec


def test_where_there_is_no_room_for_all_features_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(leading, "MOST_CUTS", 30)
    for panel in ("Candidates", "All gains"):
        said = words(many(panel))
        assert "Of 60 features those 50 are listed whose cuts gain most here" in said
    labels = [one.label for one in many("Export").download_button]
    assert labels == ["Download the tree", "Download the cuts of 50 features as CSV"]
    assert "features those" not in words(many("Candidates", 20))


def test_pictures_are_made_before_any_of_the_page_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    page("grow")  # it needs a page that its component is of
    moving = sys.modules["dtviz.ui.moving"]
    done: list[str] = []
    made, asked = dtviz.instrument.Made, moving.asked

    def make(number: int, kind: str, *more: Any) -> Any:
        done.append(kind)
        return made(number, kind, *more)

    def say(screen: Screen) -> None:
        done.append("sentence")
        asked(screen)

    monkeypatch.setattr(dtviz.instrument, "Made", make)
    monkeypatch.setattr(moving, "asked", say)
    page("grow", data="moons", n="71")  # of no other test: nothing of it is kept
    assert {"stage", "tree", "line"} <= {*done[: done.index("sentence")]}
