"""Grow: the screen a link rebuilds, the controls, and every odd table explained."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from screens import (
    HOSTILE,
    app,
    chart,
    live,
    page,
    params_of,
    run,
    screen,
    seeded,
    step,
    tree_of,
    why,
    with_file,
    words,
)
from strategies import NASTY
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz.datasets import GALLERY
from dtviz.text import clean
from dtviz.trace import node_candidates

PANELS = ("Candidates", "Arithmetic", "Algorithm", "Rules", "Export")
MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}
OWN = {"data": "good_place", "log": "1.1.61.5_a1"}


def press(at: AppTest, *keys: str) -> AppTest:
    for key in keys:
        assert not at.button(key=key).disabled, f"{key} cannot be pressed"
        at = run(at.button(key=key).click())
    return at


def disabled(at: AppTest) -> set[str]:
    return {button.key for button in at.button if button.disabled and button.key}


# --- what a link says -----------------------------------------------------------------------------


def test_it_opens_on_an_example_and_asks_for_nothing() -> None:
    at = page("grow")
    assert step(at) == (0, 7)
    assert why(at) == (
        "Root. petal_length_cm <= 2.45 wins: gain 0.9183 bit, as much as the best cut on "
        "petal_width_cm; 2 cuts tie, the first wins."
    )
    assert params_of(at) == {}
    assert not at.warning
    assert not at.error
    assert disabled(at) >= {"start", "back", "undo", "redo"}
    assert not at.button(key="split_here").disabled


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_opens_and_grows_to_its_end(name: str) -> None:
    at = page("grow", data=name)
    data = dtviz.load(name)
    model = dtviz.fit(data, dtviz.rules.default_rules(data.task))
    assert step(at) == (0, len(model.log))
    at = press(at, "end")
    assert step(at) == (len(model.log), len(model.log))
    assert tree_of(at).count(" true ") == len(model.log) or "drawn down to depth" in words(at)
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
    cuts = node_candidates(data, dtviz.Rules(), before.tree, node)
    assert why(at) == f"Node {node}. {dtviz.explain.why(data, dtviz.Rules(), cuts)}"
    table = at.dataframe[0].value
    assert len(table) == len(cuts)
    assert cuts.best is not None
    assert table["gain (bit)"].iloc[0] == pytest.approx(cuts.score[cuts.best], rel=1e-3)
    assert "★ best" in table[" "].iloc[0]


def test_a_focus_and_a_cut_of_ones_own_are_shown() -> None:
    at = page("grow", data="iris", log="a1", focus="3", cut="2.4.85")
    assert why(at).startswith("Node 3. petal_length_cm <= 4.85: gain ")
    assert " % of the best cut, petal_width_cm <= 1.75 (0.6902 bit)." in why(at)
    chosen = at.dataframe[0].value
    marked = chosen[chosen[" "].str.contains("▶")]
    assert list(marked["cut"]) == ["petal_length_cm <= 4.85"]


def test_each_leaf_says_why_it_stops() -> None:
    at = page("grow", data="iris", log="a99", focus="2")
    assert why(at).startswith("Node 2. This leaf stops: pure: all 50 rows are setosa.")


def test_the_widgets_show_the_rules_of_the_link() -> None:
    at = page("grow", **MOONS, criterion="cart", order="breadth", max_depth="2", purity="0.75")
    assert at.selectbox(key="rule_criterion").value == "cart"
    assert at.selectbox(key="rule_order").value == "breadth"
    assert at.number_input(key="rule_max_depth").value == 2
    assert at.number_input(key="rule_max_leaf_nodes").value is None
    assert at.number_input(key="rule_purity").value == 0.75


# --- what a link says that cannot be --------------------------------------------------------------

GARBAGE: tuple[tuple[dict[str, str], str, dict[str, str]], ...] = (
    ({"data": "nope"}, "nope", {}),
    ({"data": "moons", "n": "0"}, "n must be", {"data": "moons", "n": "200"}),
    ({"data": "moons", "n": "two"}, "two", {"data": "moons", "n": "200"}),
    ({"data": "moons", "size": "9"}, "size", {"data": "moons"}),
    ({"data": "iris", "features": '["x"]'}, "features", {"data": "iris"}),
    ({"data": "heights", "log": "a1_zzz_a1"}, "zzz", {"log": "a1"}),
    ({"data": "heights", "log": "a99"}, "99 steps", {"log": "a2"}),
    ({"data": "heights", "log": "a1_1.0.165"}, "node 1 is no leaf", {"log": "a1"}),
    ({"data": "heights", "log": "1.7.1"}, "feature 7", {}),
    ({"data": "heights", "log": "1.0.1e9"}, "one side empty", {}),
    ({"data": "heights", "log": "c1"}, "node 1 has no split", {}),
    ({"data": "heights", "log": "a1", "undone": "9.0.1"}, "node 9", {"log": "a1"}),
    ({"data": "heights", "log": "a1", "focus": "77"}, "focus=77", {"log": "a1"}),
    ({"data": "heights", "focus": "-1"}, "focus", {}),
    ({"data": "heights", "cut": "0.nan"}, "cut", {}),
    ({"data": "heights", "axes": "0.9"}, "axes", {}),
    ({"data": "heights", "axes": "0.0"}, "axes", {}),
    ({"data": "heights", "criterion": "best"}, "criterion", {}),
    ({"data": "heights", "criterion": "squared_error"}, "criterion", {}),
    ({"data": "sine", "criterion": "gini"}, "criterion", {"data": "sine"}),
    ({"data": "heights", "max_depth": "0", "purity": "0.9"}, "max_depth", {"purity": "0.9"}),
    ({"data": "heights", "max_depth": "1.5"}, "max_depth", {}),
    ({"data": "heights", "max_leaf_nodes": "9" * 30}, "max_leaf_nodes", {}),
    ({"data": "heights", "purity": "nan"}, "purity", {}),
    ({"data": "file"}, "which file", {}),
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
    at = run(at.selectbox(key="focus_box").select(1))
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
    assert params_of(at) == {"data": "good_place", "log": "1.1.61.5"}
    assert step(at)[0] == 1
    assert "score &lt;= 61.5" in tree_of(at)
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
    assert tree_of(at).count(" true ") == 1


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("criterion", "gini", "gini"),
        ("order", "best", "best"),
        ("max_depth", 2, "2"),
        ("min_samples_leaf", 2, "2"),
        ("min_samples_split", 4, "4"),
        ("max_leaf_nodes", 3, "3"),
        ("min_gain", 0.1, "0.1"),
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
    else:
        at = run(at.number_input(key=f"rule_{name}").set_value(value))
    assert params_of(at)[name] == written
    assert params_of(at)["log"].startswith("1.1.61.5")
    assert "score &lt;= 61.5" in tree_of(at)
    if name in ("criterion", "max_leaf_nodes"):
        assert screen(page("grow", **params_of(at))) == screen(at)


def test_an_emptied_limit_is_no_limit_and_usual_settings_come_back() -> None:
    at = page("grow", **MOONS, max_depth="2", criterion="gini")
    at = run(at.number_input(key="rule_max_depth").set_value(None))
    assert params_of(at) == MOONS | {"criterion": "gini"}
    usual = next(button for button in at.button if button.label == "Usual settings")
    assert params_of(run(usual.click())) == MOONS


def test_usual_settings_suit_a_number() -> None:
    at = page("grow", data="sine", max_depth="2")
    usual = next(button for button in at.button if button.label == "Usual settings")
    at = run(usual.click())
    assert "max_depth" not in params_of(at)
    assert "criterion" not in params_of(at)


def test_the_focus_follows_the_box_and_the_next_step_lets_it_go() -> None:
    at = page("grow", data="iris", log="a2")
    at = run(at.selectbox(key="focus_box").select(1))
    assert params_of(at)["focus"] == "1"
    assert why(at).startswith("Root.")
    assert "focus" not in params_of(press(at, "next"))


def test_axes_are_chosen_and_swapped() -> None:
    at = page("grow", data="iris")
    assert (at.selectbox(key="axis0").value, at.selectbox(key="axis1").value) == (2, 3)
    at = run(at.selectbox(key="axis0").select(3))
    assert params_of(at)["axes"] == "3.2"
    at = run(at.selectbox(key="axis1").select(0))
    assert params_of(at)["axes"] == "3.0"


def test_two_features_need_no_choice_of_axes() -> None:
    keys = {box.key for box in page("grow", **MOONS).selectbox}
    assert not keys & {"axis0", "axis1"}


@pytest.mark.parametrize(
    ("name", "panel"),
    [
        *(("iris", panel) for panel in (*PANELS, "All gains")),
        *((name, "Arithmetic") for name in ("good_place", "rpart_treble", "sine", "heights")),
        *((name, panel) for name in ("sine", "heights") for panel in ("Algorithm", "Rules")),
    ],
)
def test_every_panel_of_every_kind_of_data(name: str, panel: str) -> None:
    at = seeded("grow", data=name, log="a1")
    at.session_state["panels"] = panel
    run(at)
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
    if panel == "All gains" and name == "iris":
        assert len(at.get("plotly_chart")) == 2


@pytest.mark.parametrize("kind", ["text", "python", "sql", "json", "dot"])
def test_every_format_is_shown(kind: str) -> None:
    at = seeded("grow", **MOONS, log="a3")
    at.session_state["panels"] = "Export"
    at.session_state["export_kind"] = kind
    run(at)
    data = dtviz.load("moons", n=60)
    model = dtviz.fit(data, log=dtviz.fit(data).log[:3])
    assert at.code[0].value == model.export(kind).strip("\n")


def test_the_dark_page_has_light_ink() -> None:
    dark = page("grow", "dark", data="iris")
    assert "#f2f4f6" in chart(dark)
    assert "#f2f4f6" in tree_of(dark)
    assert "#111418" not in chart(dark)
    assert "#111418" not in tree_of(dark)


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
    "constant features": (table(x=[1.0] * 4, z=[2.0] * 4, y=list("abab")), {}, "every feature is"),
    "constant number": (table(x=[1.0, 2.0], y=[5.0, 5.0]), {"task": "regression"}, "rows are 5"),
    "duplicates": (table(x=[1.0, 1.0, 2.0, 2.0], y=list("abab")), {}, "gain 0"),
    "no cut leaves enough": (
        table(x=[1.0, 2.0, 3.0, 4.0], y=list("aabb")),
        {"min_samples_leaf": "3"},
        "min_samples_leaf = 3",
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
    assert "all features are constant here" in words(at)


def test_no_complete_row_is_an_error_that_says_so() -> None:
    at = run(with_file("grow", table(x=[1.0, np.nan], y=[None, "a"])))
    assert "0 of 2 rows have a value" in words(at)
    assert len(at.error) == 1
    assert step(run(at.button[0].click())) == (0, 7)


def test_left_out_rows_are_listed() -> None:
    at = run(with_file("grow", table(x=[1.0, np.nan, 3.0], y=["a", "b", "b"])))
    assert "left out, no value in 'x' (line 2)" in at.text[0].value


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
    assert "5,000 of 100,000 points are drawn" in words(at)
    assert "Export has all of them" in words(at)


def test_a_tree_of_many_leaves_is_drawn_in_part_and_says_so() -> None:
    at = press(page("grow", data="moons", n="2000", noise="0.5", seed="7"), "end")
    assert "drawn down to depth" in words(at)
    assert tree_of(at).count("[label=") < 250


def test_huge_and_tiny_numbers() -> None:
    frame = table(x=[-1.7e308, 0.0, 1e308, 1.7e308], z=[5e-324, 1e-323, 0.0, 1.0], y=list("abab"))
    for log in ("", "a1", "a3"):
        at = run(with_file("grow", frame, **({"log": log} if log else {})))
        assert "Infinity" not in chart(at)
        assert "NaN" not in chart(at)


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

    monkeypatch.setattr("dtviz.ui.state.finish", grown_again)
    for key in ("next", "next", "back", "end", "start"):
        run(at.button(key=key).click())
