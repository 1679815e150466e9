"""Grow: the screen a link rebuilds, the controls, and every odd table explained."""

from __future__ import annotations

import html
import json
import re
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest
from screens import (
    app,
    disabled,
    flat,
    frame_of,
    frames,
    open_panel,
    page,
    panels_of,
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
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz import Rules
from dtviz.app.instrument import PICTURES_AHEAD
from dtviz.app.share import HIDEABLE_TITLES
from dtviz.base.text import markdown, number
from dtviz.data.gallery import build
from dtviz.engine.criteria.criteria import CRITERIA, criteria_of
from dtviz.engine.problem import Problem
from dtviz.engine.search import candidates
from dtviz.explain.words import SYMBOL_WORDS, candidate_text
from dtviz.models.model import Model
from dtviz.models.steps import node_candidates
from dtviz.session.session import HIDEABLE
from dtviz.session.tour import TOURS, params_at, stop_of

PANELS = ("Candidates", "Arithmetic", "Criteria", "Algorithm", "Rules", "Export")
MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}


def opened(panel: str, **params: str) -> AppTest:
    """The page with one of the panels below open."""
    return open_panel(page("grow", **params), panel)


def rules_in(at: AppTest) -> str:
    """The text of the tree as it is read."""
    return html.unescape(tree_of(at))


# --- the slice ------------------------------------------------------------------------------------

SLICED = {"data": "iris", "log": "a4", "axes": "0.1", "focus": "1"}


def sliders(at: AppTest) -> dict[str, str]:
    """The features that a slider moves, and the values where they stand."""
    axes = frame_of(at, "grow")["axes"]
    return {
        axes["features"][slider["feature"]]: slider["texts"][slider["place"]]
        for slider in axes["sliders"]
    }


def test_a_slider_moves_the_slice_and_the_link_keeps_it() -> None:
    at = page("grow", **SLICED)
    assert sliders(at) == {"petal_length_cm": "4.35", "petal_width_cm": "1.3"}
    assert "at the medians of the others (petal_length_cm = 4.35, petal_width_cm = 1.3)" in words(
        at
    )
    before = stage_of(at)["regions"]
    at = send(at, "grow", {"what": "pin", "feature": 2, "value": 1.4})
    assert "the slice at petal_length_cm = 1.4, at the medians" in words(at)
    assert params_of(at) == SLICED | {"slice": "2.1.4"}
    after = stage_of(at)["regions"]
    assert after["node"] != before["node"]
    again = page("grow", **SLICED, slice="2.1.4")
    assert sliders(again) == {"petal_length_cm": "1.4", "petal_width_cm": "1.3"}
    assert stage_of(again)["regions"]["node"] == after["node"]
    at = send(again, "grow", {"what": "unpin"})
    assert params_of(at) == SLICED
    assert stage_of(at)["regions"]["node"] == before["node"]


def test_a_slider_that_is_dragged_or_held_is_one_change_for_undo(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for soon, undone in ((1e9, ""), (0.0, "4")):
        monkeypatch.setattr("dtviz.app.state.DRAG_SECONDS", soon)
        at = run(page("grow", data="good_place"))
        for depth in ("3", "4", "5"):
            at = run(at.select_slider(key="size_max_depth").set_value(depth))
        assert params_of(at)["max_depth"] == "5", (soon, undone)
        assert params_of(press(at, "undo")).get("max_depth", "") == undone, (soon, undone)


# --- what a link says -----------------------------------------------------------------------------


def test_it_opens_on_an_example_with_a_question_and_tells_why_once_anything_is_done() -> None:
    at = page("grow")
    assert step(at) == (0, 7)
    assert "Why does the first cut go here?" in words(at)
    assert params_of(at) == {}
    assert not at.warning
    assert not at.error
    assert disabled(at) >= {"start", "back", "undo", "redo"}
    assert "split_here" not in disabled(at)
    at = press(press(at, "next"), "back")
    assert why(at) == (
        "Root. petal_length_cm <= 2.45 wins: gain 0.9183 bit. It ties with petal_width_cm <= 0.8; "
        "the first is taken."
    )


LINKS: tuple[dict[str, str], ...] = (
    MOONS | {"criterion": "gini", "max_depth": "3", "order": "best", "log": "a2", "undone": "a3"},
    {"data": "iris", "axes": "3.2", "log": "a1", "focus": "3", "cut": "2.4.85"},
    {"data": "sine", "n": "40", "noise": "0.25", "seed": "7", "log": "a3_c1", "focus": "1"},
)


def test_a_link_rebuilds_its_screen_in_the_page_and_is_written_again() -> None:
    for link in LINKS:
        at = page("grow", **link)
        assert not at.warning, link
        assert params_of(at) == link
        assert screen(page("grow", **params_of(at))) == screen(at), link


def test_the_controls_show_the_rules_of_the_link_and_no_limit_is_the_last_place() -> None:
    rules = {"criterion": "cart", "order": "breadth", "max_depth": "2", "purity": "0.75"}
    at = page("grow", **MOONS, **rules)
    assert at.selectbox(key="rule_criterion").value == "cart"
    assert at.selectbox(key="rule_order").value == "breadth"
    assert at.select_slider(key="size_max_depth").value == "2"
    assert at.select_slider(key="size_max_leaf_nodes").value == "no limit"
    assert at.number_input(key="rule_purity").value == 0.75
    assert at.number_input(key="rule_purity").max == 1.0
    sizes = at.select_slider(key="size_min_samples_leaf").options  # up to half of 60 rows
    assert sizes == [*map(str, range(1, 21)), "25", "30"]
    limited = page("grow", **MOONS, max_leaf_nodes="4", log="a3")
    assert limited.selectbox(key="rule_order").value == "best"
    assert "order" not in params_of(limited)
    beyond = {"max_depth": "5000000", "min_gain": "1e300", "min_samples_split": "2000000"}
    assert step(page("grow", **MOONS, **beyond)) == (0, 0)
    at = page("grow", **MOONS, max_depth="2", criterion="gini")
    assert at.select_slider(key="size_max_depth").options[-1] == "no limit"
    at = run(at.select_slider(key="size_max_depth").set_value("no limit"))
    assert params_of(at) == MOONS | {"criterion": "gini"}
    usual = next(button for button in at.button if button.label == "Usual settings")
    assert params_of(run(usual.click())) == MOONS


# --- what a link says that cannot be --------------------------------------------------------------

GARBAGE: tuple[tuple[dict[str, str], tuple[str, ...], dict[str, str]], ...] = (
    ({"data": "nope", "log": "a1", "focus": "77"}, ("nope", "Node 77"), {"log": "a1"}),
    ({"data": "moons", "n": "two"}, ("two",), {"data": "moons", "n": "200"}),
    ({"data": "heights", "log": "a1_1.0.165"}, ("not possible here",), {"log": "a1"}),
    ({"data": "heights", "max_depth": "0", "purity": "0.9"}, ("Depth at",), {"purity": "0.9"}),
    ({"data": "file"}, ("which data",), {}),
)


def test_a_page_warns_once_of_a_link_that_cannot_be_and_keeps_the_rest() -> None:
    for params, says, rest in GARBAGE:
        at = page("grow", **params)
        assert all(text in words(at) for text in says), params
        assert (len(at.warning), len(at.error)) == (1, 0), params
        written = params_of(at)
        assert rest.items() <= written.items(), params
        assert not page("grow", **written).warning, params


# --- the controls ---------------------------------------------------------------------------------


def test_a_cut_that_is_not_the_best_is_made_or_replaces_a_split() -> None:
    at = page("grow", data="good_place", cut="1.61.5")
    assert why(at).startswith("Root. score <= 61.5: gain ")
    at = press(at, "split_here")
    assert params_of(at) == {"data": "good_place", "log": "1.1.61.5", "branches": "a3"}
    assert step(at)[0] == 1
    assert "score ≤ 61.5" in rules_in(at)
    assert frame_of(at, "line")["chosen_steps"] == [1]
    at = press(at, "next")
    assert params_of(at)["log"] == "1.1.61.5_a1"
    at = press(at, "undo", "undo")
    assert step(at) == (0, 3)
    at = page("grow", data="good_place", log="a3", focus="1")
    assert "split_here" in disabled(at)
    at = page("grow", data="good_place", log="a3", focus="1", cut="1.61.5")
    assert frame_of(at, "grow")["sides"][0]["split"]["text"] == "Make my cut"
    assert params_of(press(at, "split_here"))["log"] == "a3_c1_1.1.61.5"


RULES: tuple[tuple[str, Any], ...] = (
    ("criterion", "gini"), ("order", "best"), ("max_depth", 2), ("min_samples_leaf", 2),
    ("min_samples_split", 4), ("min_weight_fraction_leaf", 0.2), ("max_leaf_nodes", 3),
    ("min_gain", 0.1), ("min_impurity_decrease", 0.01), ("purity", 0.8),
    ("stop_at_zero_gain", True), ("max_p_value", 0.05),
)  # fmt: skip


def test_the_control_of_each_rule_reaches_the_address_and_leaves_splits_by_hand() -> None:
    at = page("grow", data="good_place", log="1.1.61.5_a1")
    for name, value in RULES:
        if name == "stop_at_zero_gain":
            at = run(at.toggle(key=f"rule_{name}").set_value(value))
        elif isinstance(value, str):
            at = run(at.selectbox(key=f"rule_{name}").select(value))
        elif isinstance(value, int):
            at = run(at.select_slider(key=f"size_{name}").set_value(str(value)))
        else:
            at = run(at.number_input(key=f"rule_{name}").set_value(value))
        assert params_of(at)[name] == str(value)
        assert params_of(at)["log"].startswith("1.1.61.5"), name
        assert "score ≤ 61.5" in rules_in(at), name


def test_axes_are_chosen_and_swapped() -> None:
    at = page("grow", data="iris")
    assert frame_of(at, "grow")["axes"]["axes"] == [2, 3]
    at = send(at, "grow", {"what": "axis", "place": 0, "feature": 3})
    assert params_of(at)["axes"] == "3.2"
    assert frame_of(at, "grow")["axes"]["axes"] == [3, 2]
    at = send(at, "grow", {"what": "axis", "place": 1, "feature": 0})
    assert params_of(at)["axes"] == "3.0"
    assert "axes" not in frame_of(page("grow", **MOONS), "grow")


OPENED = (
    *(("iris", panel) for panel in (*PANELS, "All gains", "Features")),
    ("rpart_treble", "Arithmetic"), ("sine", "Algorithm"), ("play_tennis", "Algorithm"),
    ("sine", "Rules"),
    ("heights", "Arithmetic"), ("rpart_treble", "Surface"),
)  # fmt: skip


def test_every_panel_of_every_kind_of_data() -> None:
    for name, panel in OPENED:
        at = opened(panel, data=name, log="a1")
        if panel == "Arithmetic":
            assert r"\text{gain} &= " in at.latex[1].value, (name, panel)
        if panel == "Rules":
            assert at.text[0].value.count("->") == 2, (name, panel)
        if panel == "Export":
            assert len(at.download_button) == 2, (name, panel)
            assert at.code[0].value.strip(), (name, panel)
        if panel == "Algorithm":
            shown = [
                element.proto.body
                for element in at.get("html")
                if "algorithm" in element.proto.body
            ]
            assert [text.count('class="lit"') for text in shown] == [1], (name, panel)
            assert [text.count("D_yes") for text in shown] == [2 * (name == "play_tennis")]
        assert len(at.get("plotly_chart")) == (
            panel in ("All gains", "Features", "Criteria", "Surface")
        ), (name, panel)


def test_every_format_is_shown_and_sql_for_the_engines_that_quote_in_another_way() -> None:
    data = dtviz.load("moons", n=60)
    model = dtviz.fit(data, log=dtviz.fit(data).log[:3])
    for kind in ("text", "python", "json", "dot", "sql"):
        at = seeded("grow", **MOONS, log="a3")
        at.session_state["export_kind"] = kind
        at = open_panel(run(at), "Export")
        assert at.code[0].value == model.export(kind).strip("\n"), kind
    (box,) = [box for box in at.selectbox if box.label == "For"]
    assert box.options[:2] == ["DuckDB, PostgreSQL, SQLite", "MySQL, MariaDB"]
    run(box.set_value("mysql"))
    assert at.code[0].value.startswith("CASE\n  WHEN `x")


def test_the_dark_page_has_light_ink() -> None:
    dark = page("grow", "dark", data="iris")
    for picture in ("stage", "tree"):
        texts = "\n".join(texts_in(frame_of(dark, picture)))
        assert "#f2f4f6" in texts
        assert "#111418" not in texts


def test_an_event_that_comes_with_a_page_switch_is_no_error() -> None:
    places = (("line", "data"), ("stage", "overfit"), ("tree", "learn"))
    events: tuple[Any, ...] = ({"what": "play", "on": True}, {"what": "focus", "node": "1"}, None)
    for (picture, to), event in zip(places, events, strict=True):
        assert not send(app(), picture, event, to=to).error, picture


# --- ask first ------------------------------------------------------------------------------------

QUESTION = "Where would you cut? The gains show once you have chosen."


def model_of(at: AppTest) -> Model:
    """The model on the page."""
    session = session_of(at)
    return dtviz.fit(build(session.recipe), session.rules, session.log)


def secrets(at: AppTest) -> set[str]:
    """What the words of the page reveal of how good the cuts of the node looked at are."""
    model, stage = model_of(at), stage_of(at)
    cuts = node_candidates(Problem(model.data, model.rules_used), model.tree, int(stage["focus"]))
    worth = np.concatenate([cuts.score, cuts.gain, cuts.impurity_left, cuts.impurity_right])
    limits = {number(limit, 15) for axis in stage["cuts"] for limit in axis["threshold"]}
    open_ = limits | {number(node.impurity) for node in model.tree.nodes.values()}
    hushed = {number(value) for value in worth.tolist() if len(number(value)) > len("0.35")}
    return (hushed - open_) & {*re.findall(r"-?\d+\.\d+", words(at))}


def test_no_panel_reveals_how_good_a_cut_is_before_one_is_chosen() -> None:
    number_ = {"data": "sine", "n": "40", "noise": "0.25", "seed": "7", "log": "a2"}
    for link in ({"data": "iris"}, number_):
        at = page("grow", **link, ask="1")
        assert why(at).endswith(f". {QUESTION}"), link
        assert "split_here" in disabled(at), link
        for panel in panels_of(at):
            at = open_panel(at, panel)
            assert secrets(at) == set(), panel
            hidden = panel in ("Candidates", "All gains", "Features", "Arithmetic", "Criteria")
            assert ("Hidden until you have chosen a cut" in words(at)) == hidden, panel
            tables = () if panel == "Rows" else at.dataframe  # its cells are those of the plane
            assert not (*tables, *at.latex, *at.get("plotly_chart")), panel
            assert "ranking" not in frames(at), panel
            exported = {"Export": ["Download the tree"], "Rows": ["Download them"]}
            labels = [box.label for box in at.download_button]
            assert labels == exported.get(panel, []), panel
    at = page("grow", **MOONS, hide="gains")
    assert not {*panels_of(at)} & {"Candidates", "Arithmetic", "Criteria"}
    at = open_panel(at, "Export")
    assert [box.label for box in at.download_button] == ["Download the tree"]


def test_the_switch_asks_and_tells() -> None:
    at = page("grow", data="iris")
    plainly = screen(at)
    at = send(at, "grow", {"what": "ask", "on": True})
    assert params_of(at)["ask"] == "1"
    assert frame_of(at, "grow")["asks"]
    assert QUESTION in why(at)
    at = send(at, "grow", {"what": "ask", "on": False})
    assert params_of(at) == {"data": "iris"}
    assert screen(at) == plainly
    assert QUESTION in why(press(at, "undo"))


# --- a teacher's link -----------------------------------------------------------------------------

TAKEN: dict[str, set[str]] = {
    "time-line": {"line", *(f"prefetch_{name}" for name in PICTURES_AHEAD)},
    "settings": {"rules", "criterion", "ask first", "axes"},
    "focus": {"choose a node"},
    "split": {"split here", "choose a cut"},
    "gains": {"gains", "choose a cut", "ranking", "prefetch_ranking"},
    "why": {"why"},
    "panels": {"panels", "ranking", "prefetch_ranking"},
}


def captions(at: AppTest) -> list[str]:
    return [caption.value for caption in at.caption]


def controls(at: AppTest) -> set[str]:
    """What there is on the page to see and to do."""
    keys = {str(one.key) for one in (*at.selectbox, *at.text_input)}
    stage, grow = stage_of(at), frame_of(at, "grow")
    there = {
        "rules": "rule_criterion" in keys,
        "criterion": "criteria" in grow.get("switches", {}),
        "ask first": "switches" in grow,
        "axes": "axes" in grow,
        "split here": "split" in grow["sides"][0],
        "share": "share_say" in keys,
        "why": bool(why(at)),
        "panels": bool(grow["panels"]),
        "gains": stage["gains"],
        "choose a cut": stage["can"]["cut"],
        "choose a node": stage["can"]["focus"],
    }
    return {name for name, is_there in there.items() if is_there} | frames(at).keys()


def with_share(**params: str) -> AppTest:
    """The page with Share open."""
    at = seeded("grow", **params)
    at.session_state["share"] = True
    return run(at)


def test_a_name_in_hide_takes_its_controls_away_and_they_can_be_shown() -> None:
    for name in HIDEABLE_TITLES["grow"]:
        link = {"data": "iris", "log": "a1"}
        all_of_them, at = controls(with_share(**link)), with_share(**link, hide=name)
        assert all_of_them >= set().union(*TAKEN.values(), {"share", "stage", "tree", "cloud"})
        assert all_of_them - controls(at) == TAKEN[name] | {"share"}, name
        assert params_of(at) == link | {"hide": name}, name
    at = with_share(**link, hide=".".join(HIDEABLE), say="Look at node 3.")
    assert controls(at) == {"stage", "tree", "cloud", "grow"}
    assert not (*at.toggle, *at.selectbox, *at.number_input, *at.get("popover"))
    assert [button.label for button in at.button] == ["Show all controls"]
    assert "Look at node 3." in words(at)
    for name, say in (("grow", ""), ("overfit", "Enter your password:"), ("impurity", "")):
        link = {"data": "iris", "hide": "settings.time-line"} | ({"say": say} if say else {})
        at = page(name, **link)
        if not say:
            assert "This link hides some controls." in words(at), (name, say)
        run(at.button(key="show_all").click())
        del link["hide"]
        assert params_of(at) == link, (name, say)
        assert "Show all controls" not in [one.label for one in at.button], (name, say)


def test_the_words_of_a_link_are_told_to_be_its_own_and_those_of_our_tours_are_not() -> None:
    ours = dict(parse_qsl(TOURS["first"][1]))["say"]
    asks = {"say": "Enter your password:"}
    others = (asks, {"tour": "first", "stop": "1"} | asks, {"tour": stop_of(asks)}, {"say": ours})
    for link in others:
        assert "This link says:" in captions(page("grow", **link))
    at = page("grow", **params_at(TOURS["first"], 1))
    assert at.markdown[0].value == markdown(ours, 300)
    assert "This link says:" not in captions(at)


def shared(at: AppTest) -> dict[str, str]:
    """The parameters of the link that Share shows."""
    address, _, query = at.code[0].value.partition("?")
    assert address == ""
    return dict(parse_qsl(query, keep_blank_values=True))


def test_a_teachers_link_shows_the_same_step_and_node() -> None:
    for link in (
        {"data": "good_place", "log": "1.1.61.5_a1", "branches": "a3", "criterion": "gini"},
        MOONS | {"log": "a1", "focus": "1", "cut": "0.0.5", "order": "best"},
    ):
        at = with_share(**link)
        at = run(
            at.text_input(key="share_say").set_value("Where <b>would</b> you cut? 100 % & more")
        )
        at = run(at.pills(key="share_hide").set_value(["settings", "panels", "focus"]))
        given = shared(at)
        assert given["hide"] == "focus.panels.settings", link
        assert given["focus"] == stage_of(at)["focus"], link
        assert given["say"] == "Where <b>would</b> you cut? 100 % & more", link
        other = page("grow", **given)
        assert screen(page("grow", **params_of(at))) == screen(at), link
        assert given["say"] in words(other), link
        assert not other.warning, link
        assert params_of(other) == given, link
        assert step(other) == step(at), link
        assert why(other) == why(at), link
        assert tree_of(other) == tree_of(at), link
        changed = {"stamp", "can"}
        stages = [
            {k: v for k, v in stage_of(one).items() if k not in changed} for one in (at, other)
        ]
        assert stages[0] == stages[1], link


# --- criteria and branches ------------------------------------------------------------------------

RACED = (("iris", "1", "1"), ("good_place", "5", "1"), ("heights", "5", "1"), ("iris", "1", "3"))


def test_the_winners_are_those_of_the_engine() -> None:
    for name, least, node in RACED:
        log = "" if node == "1" else "a2"
        at = opened("Criteria", data=name, min_samples_leaf=least, log=log, focus=node)
        model, winners = model_of(at), at.dataframe[0].value.set_index("criterion")
        criteria = criteria_of(model.data)
        assert list(winners.index) == [CRITERIA[criterion].title for criterion in criteria], name
        for criterion in criteria:
            rules = Rules(criterion, min_samples_leaf=int(least))
            cuts = node_candidates(Problem(model.data, rules), model.tree, int(node))
            row = winners.loc[CRITERIA[criterion].title]
            if cuts.best is None:
                assert (row.winner, row.score, row.ties) == ("no cut", "", 0), (name, criterion)
                continue
            assert row.winner == candidate_text(model.data, cuts, cuts.best, SYMBOL_WORDS), (
                name,
                criterion,
            )
            assert row.score.split(" ")[0] == number(cuts.score[cuts.best]), (name, criterion)
            assert row.ties == cuts.tied.sum() - 1, (name, criterion)
    assert "there is one criterion" not in words(opened("Criteria", data="sine"))
    flat_ = with_file("grow", pd.DataFrame({"x": [1.0] * 4, "y": list("abab")}))
    assert "No cut exists in this node." in words(open_panel(run(flat_), "Criteria"))


def test_a_branch_is_there_once_a_line_is_left_and_can_be_brought_back_or_dropped() -> None:
    at = opened("Branches", data="good_place", cut="1.61.5")
    assert "Branches" not in panels_of(at)
    at = press(at, "split_here")
    assert frame_of(at, "grow")["panel"] == "Branches"
    assert params_of(at) == {"data": "good_place", "log": "1.1.61.5", "branches": "a3"}
    assert len(at.table[0].value) == 2
    left = press(at, "branch0")
    assert params_of(left)["log"] == "a1"
    assert params_of(left)["undone"] == "a2"
    assert params_of(left)["branches"].startswith("1.1.61.5")
    at = press(left, "drop0")
    assert "branches" not in params_of(at)
    assert "Branches" not in panels_of(at)
    at = press(at, "undo", "undo")
    assert params_of(at)["branches"] == "a3"


def test_a_branch_and_its_line_stand_side_by_side_until_one_of_them_is_kept() -> None:
    at = opened("Branches", data="good_place", log="1.1.61.5", branches="a3")
    at = press(at, "compare0")
    assert params_of(at)["beside"] == "log=a1&undone=a2"
    assert not panels_of(at)
    assert not at.table
    sides = frame_of(at, "grow")["sides"]
    assert [side["title"] for side in sides] == ["This line", "Branch 1"]
    assert all("rows that Overfit holds out" in side["figures"] for side in sides)
    both = [frame_of(at, name)["stamp"] for name in ("stage", "stage beside", "tree beside")]
    assert both[0] != both[1] == both[2]
    assert [side["stamp"] for side in sides] == both[:2]
    linked = page("grow", **params_of(at))
    assert flat(frame_of(linked, "tree beside")) == flat(frame_of(at, "tree beside"))
    keep = {"what": "keep", "other": True}
    kept = params_of(send(linked, "grow", keep, part="beside"))
    assert kept == {"data": "good_place", "log": "a1", "undone": "a2", "branches": "1.1.61.5_a2"}
    assert params_of(send(at, "grow", keep | {"other": False}, part="beside")) == {
        "data": "good_place", "log": "1.1.61.5", "branches": "a3"
    }  # fmt: skip


# --- a file that is not there ---------------------------------------------------------------------


def test_a_link_to_a_file_says_which_and_keeps_its_parameters() -> None:
    link = {"data": "file", "sha": "1", "file": "pen.csv", "target": "species", "log": "a2"}
    at = page("grow", **link)
    assert "made with the file pen.csv" in words(at)
    assert params_of(at) == link
    at = run(at.button[0].click())
    assert step(at) == (0, 7)
    assert params_of(at) == {}
    at = app()
    at.query_params.update(link)
    at = run(run(at).button[0].click())
    assert "pen.csv" not in words(run(at.switch_page("pages/data.py")))


# --- tables at the edge ---------------------------------------------------------------------------


def table(**columns: Any) -> pd.DataFrame:
    return pd.DataFrame(columns)


EDGES: tuple[tuple[pd.DataFrame, dict[str, str], str], ...] = (
    (table(x=[1.0], y=["a"]), {}, "the only row is a"),
    (table(x=[1.0], y=[2.5]), {"task": "regression"}, "the only row is 2.5"),
    (table(x=[1.0, 2.0, 3.0], y=["a"] * 3), {}, "all 3 rows are a"),
    (table(x=[1.0] * 4, z=[2.0] * 4, y=list("abab")), {"ask": "1"}, "have the same values"),
    (table(x=[1.0, 2.0], y=[5.0, 5.0]), {"task": "regression"}, "rows are 5"),
    (table(x=[1.0, 1.0, 2.0, 2.0], y=list("abab")), {}, "gain 0"),
    (table(x=[1.0, 2.0, 3.0, 4.0], y=list("aabb")), {"min_samples_leaf": "3"}, "at least 3 rows"),
)


def test_a_table_at_the_edge_explains_itself() -> None:
    for frame, params, says in EDGES:
        for panel in ("Arithmetic", "Algorithm"):
            at = open_panel(run(with_file("grow", frame, **params)), panel)
            assert says in words(at), says
            assert not at.warning, says
            assert (step(at)[1] > 0) == (says == "gain 0"), says


def test_a_table_that_makes_no_data_is_an_error_and_an_example_ends_it() -> None:
    for frame, target, says in (
        (table(x=[1.0, np.nan], y=[None, None]), "y", "0 of 2 rows have a value in the target"),
        (table(x=[1.0, 2.0], y=["a", "b"]), "zzz", "zzz"),
    ):
        at = run(with_file("grow", frame, target=target))
        assert says in words(at)
        assert len(at.error) == 1, says
        assert step(run(at.button[0].click())) == (0, 7), says


def test_rows_left_out_missing_or_not_drawn_are_told() -> None:
    at = run(with_file("grow", table(x=[1.0, 2.0, 3.0], y=["a", None, "b"])))
    at = open_panel(at, "Notes (1)")
    assert "left out, no value in 'y' (line 2)" in at.text[0].value
    x, z = [1.0, np.nan, 3.0, 4.0, 5.0], [1.0, 2.0, 2.0, 4.0, 5.0]
    at = run(with_file("grow", table(x=x, z=z, y=["a", "a", "b", "b", "b"])))
    assert "Missing" in panels_of(at)
    assert "or missing" in why(at)
    at = page("grow", data="moons", n="100000", max_depth="3", log="a3")
    assert step(at) == (3, 7)
    assert "20,000 of 100,000 points are drawn" in words(at)
    assert len(frame_of(at, "cloud")["x"]) == 20_000
    assert "Export has all of them" in frame_of(at, "ranking")["notes"][0]


# --- another table to predict ---------------------------------------------------------------------


def exporting(table: str) -> AppTest:
    """The panel Export of a tree of one cut, x <= 1.5, given a table to predict."""
    frame = pd.DataFrame({"x": [1.0, 2.0], "y": ["a", "<b>"]})
    at = open_panel(run(with_file("grow", frame, log="a1")), "Export")
    return run(at.file_uploader[0].upload("more.csv", table.encode(), "text/csv"))


def test_another_table_is_taken_away_with_predictions_or_says_why_not() -> None:
    at = exporting("id,x\nu,1\nv,2\nw,?\n")
    assert at.download_button[-1].label == "Download 3 rows with predictions"
    assert "not predicted, no value in 'x' (line 4)" in at.text[0].value
    assert not at.error
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
    return open_panel(run(with_file("grow", frame.assign(y=np.where(y, "u", "v")))), panel)


@pytest.mark.nightly
def test_of_many_features_the_best_have_panels_others_can_be_found_and_the_page_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def panels(at: AppTest) -> int:
        layout = json.loads(at.get("plotly_chart")[0].proto.spec)["layout"]
        return sum(name.startswith("xaxis") for name in layout)

    at = many("All gains")
    assert panels(at) == 12
    at = run(next(one for one in at.button if one.label == "Show 12 more").click())
    assert panels(at) == 24
    at = run(at.multiselect[0].set_value([59]))
    assert '"x59"' in at.get("plotly_chart")[0].proto.spec
    monkeypatch.setattr(candidates, "MAX_CUTS_SHOWN", 30)
    for panel in ("Candidates", "All gains"):
        said = words(many(panel))
        assert "Of 60 features those 50 are listed whose cuts gain most here" in said
    labels = [one.label for one in many("Export").download_button]
    assert labels == ["Download the tree", "Download the cuts of 50 features as CSV"]
    assert "features those" not in words(many("Candidates", 20))


def test_the_rows_of_a_node_are_listed_and_a_row_is_found_by_its_key() -> None:
    frame = pd.DataFrame({
        "order": [f"P-{k:03}" for k in range(40)], "x": np.arange(40.0), "y": [*"uv" * 20],
    })  # fmt: skip
    at = with_file("grow", frame, features="x", log="a1", focus="1")
    at = open_panel(run(at), "Rows")
    listed = at.dataframe[0].value
    assert listed.columns.tolist() == ["row", "order", "x", "y", "predicted y"]
    assert len(listed) == 40
    assert "Root: 40 rows" in words(at)
    at = run(at.text_input(key="row_key").set_value("P-007"))
    assert params_of(at)["row"] == "8"
    assert "Row 8: the tree says" in words(at)
    at = run(at.text_input(key="row_key-1").set_value("P-999"))
    assert "'P-999' is in no row of order" in words(at)
    assert params_of(at)["row"] == "8"
