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

import numpy as np
import pandas as pd
import pytest
import screens
import streamlit as st
from sklearn.metrics import confusion_matrix, r2_score, roc_auc_score
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz import Collapse, Rules
from dtviz.app import runs
from dtviz.app.instrument import Instrument
from dtviz.app.navigation import PAGE_START_RECIPES, START_RECIPE, Navigation
from dtviz.app.overfit_page import MAX_CLASSES_LISTED, confusion_table
from dtviz.base.progress import run_to_end
from dtviz.base.text import count, number
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.criteria.criteria import CRITERIA, criteria_for
from dtviz.engine.grow import full_tree
from dtviz.engine.optimal import depth2
from dtviz.engine.optimal import depth2 as near
from dtviz.engine.optimal.depth2 import best_of_depth_2
from dtviz.engine.problem import Problem
from dtviz.engine.prune import alpha_path, reduced_error_links, weakest_links
from dtviz.engine.subtrees import losses, splits_kept_by_rules
from dtviz.engine.tree import height, leaf_probabilities, predict
from dtviz.evaluate.curves import AXES, kept_splits, rule_value_label
from dtviz.evaluate.metrics import baseline, confusion, held_rows
from dtviz.evaluate.validation import DEPTHS
from dtviz.explain.words import SETTINGS
from dtviz.models.importers import contree
from dtviz.models.importers.contree import OptimalTree
from dtviz.session.session import LEAVE_ONE_OUT, Session, Visit

MOONS = {"data": "moons", "n": "60", "noise": "0.4", "seed": "7"}
SINE = {"data": "sine", "n": "30", "noise": "0.25", "seed": "7"}
PANELS = (
    "Table",
    "Mistakes",
    "Threshold",
    "Pruning",
    "Grid search",
    "Learning curve",
    "Bias and variance",
    "Greedy's limit",
)
OTHERS = PANELS[4:]
TAKE = ("Take one back", "Take all back")


def overfit(panel: str = "", theme: str = "light", **params: str) -> AppTest:
    """The page; no panel is drawn unless it is asked for."""
    if not panel:
        params = {"hide": "panels"} | params
    at = screens.seeded("overfit", theme, **params)
    if panel:
        at.session_state["panels"] = panel
    return screens.run(at)


def cockpit(at: AppTest) -> screens.Frame:
    return screens.frame_of(at, "overfit")


def saw(at: AppTest) -> str:
    """The pictures, the sliders and the sentence: what must be the same when a link is opened."""
    pictures = {key: screens.flat(frame) for key, frame in screens.frames(at).items()}
    boxes = [(one.key, one.value, one.options) for one in at.selectbox]
    tables = [table.value.to_csv() for table in at.dataframe]
    return repr((pictures, boxes, tables, screens.words(at)))


def link_rebuilds(at: AppTest, panel: str = "") -> None:
    """The address alone gives a fresh tab the same screen, and is written again."""
    params = screens.params_of(at)
    fresh = overfit(panel, **params)
    assert not fresh.warning
    assert screens.params_of(fresh) == params
    assert screens.session_of(fresh) == screens.session_of(at)
    assert saw(fresh) == saw(at)


def dial(at: AppTest, name: str) -> screens.Frame:
    """The slider of a rule."""
    found: screens.Frame = next(one for one in cockpit(at)["dials"] if one["rule"] == name)
    return found


def choice(at: AppTest, name: str) -> screens.Frame:
    """The choice of a setting of judging."""
    found: screens.Frame = screens.frame_of(at, "judging")[name]
    return found


def judge(at: AppTest, **values: Any) -> AppTest:
    return screens.send(at, "judging", {"what": "judge", "values": values})


def slide(at: AppTest, name: Any, value: Any) -> AppTest:
    return screens.send(at, "overfit", {"what": "slider", "rule": name, "value": value})


def labelled(at: AppTest, label: str) -> Any:
    return next(one for one in at.button if one.label == label)


def click(at: AppTest, label: str) -> AppTest:
    assert not labelled(at, label).disabled
    return screens.run(labelled(at, label).click())


# --- what the engine says -------------------------------------------------------------------------


def expected(at: AppTest) -> SimpleNamespace:
    """Data, rows held out, training rows and whole tree of a session, by the engine alone."""
    session = screens.session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    training = take_rows(data, ~out)
    held = take_rows(data, out) if out.any() else None
    nodes = full_tree(Problem(training, session.rules))
    return SimpleNamespace(
        data=data, out=out, training=training, held=held, rules=session.rules, nodes=nodes
    )


def error_of(model: dtviz.Model, found: Dataset) -> float:
    predicted = model.predict(found)
    if found.classes:
        return float(np.mean(np.array(found.classes)[found.y] != predicted))
    return float(np.mean((found.y - predicted) ** 2))


# --- what a link says -----------------------------------------------------------------------------


def test_the_page_opens_on_an_example_without_a_parameter() -> None:
    at = screens.page("overfit")
    assert screens.params_of(at) == {}
    assert not at.warning
    assert [tab.label for tab in at.tabs] == list(PANELS)
    assert [panel["rows"] for panel in cockpit(at)["panels"]] == [140, 60]
    assert set(screens.frames(at)) == {"judging", "rows", "overfit"}
    assert at.button(key="Undo").disabled
    assert at.button(key="Redo").disabled
    line, (training, held) = cockpit(at)["curve"], cockpit(at)["figures"]["errors"]
    counts = f"{140 * training:.0f} of 140 training rows are wrong, {60 * held:.0f} of 60 held-out"
    assert counts in screens.words(at)
    least, simple = (line["labels"][line[name]] for name in ("best_place", "simplest_place"))
    assert f"Best in 5 folds: depth at most {least} (★). " in screens.words(at)
    assert simple == least


def test_the_error_on_held_out_rows_of_the_first_example_falls_and_rises_again() -> None:
    at = screens.page("overfit")
    curve = cockpit(at)["curve"]
    held, folds = np.array(curve["held_out_error"]), np.array(curve["mean"])
    assert len(held) == 12
    for errors in (held, folds):
        place = int(errors.argmin())
        assert len(errors) / 4 < place + 1 < 2 * len(errors) / 3
        assert errors[0] > errors[place] + 0.15
        assert errors[-1] > errors[place] + 0.05
    assert curve["training_error"][-1] == 0


def test_only_the_bare_address_of_overfit_opens_its_own_example() -> None:
    other = screens.page("overfit", max_depth="3")
    assert screens.session_of(other).recipe == START_RECIPE
    assert screens.session_of(screens.page("stability")).recipe == START_RECIPE
    navigation = Navigation(Instrument(Visit(Session(START_RECIPE))))
    for page, params, recipe, written in (
        ("overfit", {}, PAGE_START_RECIPES["overfit"], {}),
        ("grow", {}, PAGE_START_RECIPES["overfit"], {"data": "circles", "noise": "0.8"}),
        ("grow", {"data": "xor"}, example_recipe("xor"), {"data": "xor"}),
        ("overfit", {}, example_recipe("xor"), {"data": "xor"}),
    ):
        screen = navigation.open_screen(*navigation.arrive(page, params))
        assert screen.session.recipe == recipe, page
        after = navigation.params_to_write(screen, params)
        assert after is not None
        assert written.items() <= after.items(), page
        assert bool(written) == bool(after), page
    navigation = Navigation(Instrument(Visit(Session(START_RECIPE))))
    for page in ("grow", "overfit", "grow"):  # what Grow showed stays, with an address of its own
        screen = navigation.open_screen(*navigation.arrive(page, {}))
        assert screen.session.recipe == START_RECIPE
        assert bool(navigation.params_to_write(screen, {})) == (page == "overfit")


LINKS: tuple[dict[str, str], ...] = (
    MOONS | {"against": "leaves", "folds": "3", "max_leaf_nodes": "4", "order": "depth"},
    MOONS | {"against": "alpha", "ccp_alpha": "0.0300001", "prunes": "c3", "held_out": "0.5"},
    SINE
    | {"max_depth": "3", "held_seed": "3", "folds": "0", "log": "a1", "branches": "1.0.2.0_a6"},
)


def test_a_link_rebuilds_its_page_and_is_written_again_with_shares_between_those_offered() -> None:
    for link in LINKS:
        at = overfit(**link)
        assert not at.warning, link
        assert screens.params_of(at) == link | {"hide": "panels"}
        link_rebuilds(at)
    for share, said in (("0.301", "30.1 %"), ("0.299", "29.9 %")):
        link = MOONS | {"held_out": share, "hide": "panels"}
        at = screens.run(screens.run(overfit(**link)))
        assert screens.params_of(at) == link, (share, said)
        assert f"{said.replace(chr(32), chr(160))} held out" in choice(at, "share")["texts"], (
            share,
            said,
        )


def test_mistakes_are_counted_by_class_and_told_of_numbers() -> None:
    for kind in ("Held out", "Training"):
        at = overfit("Mistakes", **MOONS, max_depth="2")
        if kind == "Training":
            at = screens.run(at.button_group(key="mistakes_of").set_value(kind))
        session = screens.session_of(at)
        data = build(session.recipe)
        out = held_rows(data, session.judging.share, session.judging.seed)
        tree = dtviz.fit(take_rows(data, ~out), session.rules).tree
        rows = take_rows(data, out if kind == "Held out" else ~out)
        counts = confusion_matrix(rows.y, predict(tree, rows.columns))
        table = next(one.body for one in at.get("html") if "<table" in one.body)
        lines = [re.findall(r"<td[^>]*>(\d+)</td>", line) for line in table.split("<tr>")]
        assert [[int(cell) for cell in line] for line in lines if line] == counts.tolist(), kind
        right = int(np.trace(counts))
        assert f"{right} of {rows.n} rows right: accuracy" in screens.words(at), kind
    at = overfit("Mistakes", **SINE, max_depth="2")
    session = screens.session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    rows = take_rows(data, out)
    told = predict(dtviz.fit(take_rows(data, ~out), session.rules).tree, rows.columns)
    assert f"R² {number(r2_score(rows.y, told))}," in screens.words(at)


def test_mistakes_of_many_classes_with_hostile_names_and_weights_stay_a_small_table() -> None:
    y = np.arange(60) % 25
    names = [f"{screens.HOSTILE}{code}" for code in range(25)]
    data = make_dataset([np.arange(60.0)], y, ["x"], "y", names)
    weighed = confusion(replace(data, weights=np.full(60, 2.5)), y.astype(float))
    table = confusion_table(data.class_names, weighed)
    assert table.count("<tr>") == MAX_CLASSES_LISTED + 2
    assert table.count('scope="col"') == MAX_CLASSES_LISTED + 2
    assert "<small>(7.5)</small>" in table
    assert set(re.findall(r"<(\w+)", table)) == {"div", "table", "tr", "th", "td", "i", "small"}


def confusion_shown(at: AppTest) -> list[list[int]]:
    """The numbers of rows in the confusion table of a page."""
    table = next(one.body for one in at.get("html") if "<table" in one.body)
    lines = [re.findall(r"<td[^>]*>([\d,]+)</td>", line) for line in table.split("<tr>")]
    return [[int(cell.replace(",", "")) for cell in line] for line in lines if line]


def held_and_shares(at: AppTest) -> tuple[Dataset, Any]:
    """The rows held out on a page of classes, and the class shares of its tree for them."""
    session = screens.session_of(at)
    data = build(session.recipe)
    out = held_rows(data, session.judging.share, session.judging.seed)
    model = dtviz.fit(take_rows(data, ~out), session.rules)
    rows = take_rows(data, out)
    return rows, leaf_probabilities(model.data, model.tree, rows.columns)


def test_the_threshold_changes_the_calls_and_begins_at_those_of_the_tree() -> None:
    mistakes = overfit("Mistakes", **MOONS, max_depth="2")
    at = overfit("Threshold", **MOONS, max_depth="2")
    assert confusion_shown(at) == confusion_shown(mistakes)
    rows, shares = held_and_shares(at)
    code = int(at.selectbox(key="threshold_class").value)
    is_class = rows.y == code
    area = roc_auc_score(is_class, shares[:, code])
    assert f"ROC curve, AUC {number(area)}" in screens.words(at)
    slider = at.select_slider[0]
    texts = slider.options
    assert texts[-1] == "never"
    assert len(texts) == len(np.unique(shares[:, code])) + 1
    for index, text in enumerate(reversed(texts)):
        at = screens.run(at.select_slider[0].set_value(index))
        called = shares[:, code] >= (np.inf if text == "never" else curve_threshold(text) - 5e-5)
        calls = np.where(called, code, 1 - code)
        assert confusion_shown(at) == confusion_matrix(rows.y, calls, labels=[0, 1]).tolist(), text
        hits = int((called & is_class).sum())
        assert f"{hits} of {is_class.sum()} rows of {rows.class_names[code]} found" in (
            screens.words(at)
        )
    at = click(at, "As the tree")
    assert confusion_shown(at) == confusion_shown(mistakes)


def curve_threshold(text: str) -> float:
    """The share in the text of a threshold, 'from 62.5 %'."""
    return float(text.removeprefix("from ").removesuffix("\u00a0%")) / 100


def test_a_number_has_no_threshold_and_one_class_no_curve() -> None:
    at = overfit("Threshold", **SINE, max_depth="2")
    assert "A number has no threshold" in screens.words(at)
    frame = pd.DataFrame({"x": [1.0, 2, 3, 4], "y": [*"aaaa"]})
    at = screens.with_file("overfit", frame)
    at.session_state["panels"] = "Threshold"
    screens.run(at)
    assert "Rows of this class and of others are needed" in screens.words(at)


def test_where_mistakes_have_costs_the_threshold_of_least_cost_is_a_click_away() -> None:
    frame = pd.DataFrame({"x": np.arange(60.0) % 20, "y": [*"nnnnnnynyy" * 6]})
    at = screens.with_file("overfit", frame, costs='["n=0,1","y=9,0"]', max_depth="3")
    at.session_state["panels"] = "Threshold"
    screens.run(at)
    costs = {}
    for index in range(len(at.select_slider[0].options)):
        at = screens.run(at.select_slider[0].set_value(index))
        (rest, alarms), (misses, hits) = confusion_shown(at)
        costs[index] = cost = alarms + 9 * misses
        assert f"The mistakes cost {number(float(cost))} in all" in screens.words(at)
        saved = min(9 * (misses + hits), alarms + rest) - cost
        verb = "saves" if saved >= 0 else "loses"
        assert f"That {verb} {number(abs(float(saved)))} against always saying" in screens.words(at)
    at = click(at, "Least cost")
    least = f"The mistakes cost {number(float(min(costs.values())))} in all"
    assert least in screens.words(at)
    assert len({*costs.values()}) > 1


def test_a_point_of_the_roc_curve_sets_its_threshold(
    tab: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, sent = module_of("overfit_page"), list[Any]()
    monkeypatch.setattr(page.state, "act_dragged", lambda *_, values: sent.append(values))
    for points in ([], [{}], [{"customdata": ["a"]}], [{"customdata": [float("nan")]}]):
        tab["roc0"] = chosen(points)
        page._pick_threshold("roc0")
        assert not sent, points
    tab["roc0"] = chosen([{"customdata": [0.25]}])
    page._pick_threshold("roc0")
    assert sent == [{"threshold": 0.25}]


def test_a_threshold_and_its_class_stand_in_the_link() -> None:
    at = overfit("Threshold", **MOONS, max_depth="3")
    at = screens.run(at.select_slider[0].set_value(0))
    params = screens.params_of(at)
    assert params["threshold"] == "2"  # never
    again = overfit("Threshold", **params)
    assert again.select_slider[0].value == at.select_slider[0].value == 0
    assert confusion_shown(again) == confusion_shown(at)
    assert "threshold" not in screens.params_of(click(again, "As the tree"))


def test_the_page_says_which_rows_its_tree_was_grown_on_and_what_one_answer_would_do() -> None:
    for params, answer in (
        (MOONS, "always the majority class"),
        (SINE, "always the mean of the training rows"),
    ):
        at = overfit(**params)
        session, found = screens.session_of(at), cockpit(at)
        data = build(session.recipe)
        out = held_rows(data, session.judging.share, session.judging.seed)
        held = int(out.sum())
        assert found["training_rows_text"] == (
            f"Grown on {data.n - held} of {data.n} rows; {held} are held out, so its leaves differ "
            "from Grow's."
        )
        assert found["baseline_name"] == answer, (params, answer)
        assert found["baseline"] == pytest.approx(
            baseline(take_rows(data, ~out), take_rows(data, out))
        )


# --- data at the edge -----------------------------------------------------------------------------

REGRESSION = {"task": "regression"}
EDGES: tuple[tuple[dict[str, Any], dict[str, str], str], ...] = (
    ({"x": [1.0], "y": ["a"]}, {}, "One row leaves none to hold out"),
    ({"x": [1.0] * 4, "z": [2.0] * 4, "y": [*"abab"]}, {}, "1 leaf: "),
    ({"x": [1.0, 2.0], "y": [1.0, 9.0]}, REGRESSION, "64 held out"),
    ({"x": [-1.7e308, 0, 1.7e308, 1], "y": [1e70, -1e70, 0, 5.0]}, REGRESSION, "leaves: "),
)


def test_a_table_at_the_edge_stands_on_the_page_with_every_panel() -> None:
    for columns, params, says in EDGES:
        rows = len(columns["y"])
        trained = rows - max(round(0.3 * rows), 1) if rows > 1 else 1
        at = screens.with_file("overfit", pd.DataFrame(columns), **params)
        for panel in (
            "Mistakes",
            "Threshold",
            "Grid search",
            "Learning curve",
            "Bias and variance",
        ):
            at.session_state["panels"] = panel
            screens.run(at)
            assert says in screens.words(at)
            assert not (*at.warning, *at.error), (says, panel)
            assert {"overfit", "rows"} <= set(screens.frames(at)), (says, panel)
            if trained < 2 and panel in ("Grid search", "Learning curve"):
                assert [text.value for text in at.info] == [
                    "K folds need at least two training rows; not 1."
                ]
            elif rows == 1 and panel == "Bias and variance":
                assert "One row leaves none to judge by." in screens.words(at)
            else:
                assert not at.info, (says, panel)


# --- the controls ---------------------------------------------------------------------------------


def test_what_is_done_on_page_and_cockpit_reaches_session_address_and_pictures() -> None:
    at = overfit(**MOONS)
    assert choice(at, "folds")["texts"][-1] == "leave one out"
    for name, written in (("share", "0.5"), ("folds", "one_out"), ("seed", "1")):
        before, address = screens.flat(cockpit(at)), screens.params_of(at)
        next_seed = screens.frame_of(at, "judging")["next_seed"]
        value = {"share": 0.5, "folds": LEAVE_ONE_OUT, "seed": next_seed}[name]
        at = judge(at, **{name: value})
        field = {"share": "held_out", "folds": "folds", "seed": "held_seed"}[name]
        assert screens.params_of(at) == address | {field: written}
        assert screens.flat(cockpit(at))["stamp"] != before["stamp"], name
    assert cockpit(at)["curve"]["fold_text"] == "leave-one-out mean"
    at = judge(at, against="leaves")
    assert choice(at, "against")["values"][choice(at, "against")["place"]] == "leaves"
    assert screens.params_of(at)["against"] == "leaves"
    line = cockpit(at)["curve"]
    event = {"what": "place", "rule": line["rule"], "value": line["values"][1]}
    at = screens.send(at, "overfit", event)
    assert screens.params_of(at)["max_leaf_nodes"] == str(line["values"][1])
    assert cockpit(at)["curve"]["place"] == 1
    at = slide(at, "max_depth", 1)
    assert (screens.params_of(at)["max_depth"], cockpit(at)["figures"]["leaves"]) == ("1", 2)
    link_rebuilds(at)
    assert "max_depth" not in screens.params_of(screens.run(at.button(key="Undo").click()))
    at = screens.seeded("overfit", **MOONS, hide="panels", held_seed="999999999")
    at.session_state["settings"] = True
    at = screens.run(screens.run(at).selectbox(key="rule_criterion").select("gini"))
    assert screens.params_of(at)["criterion"] == "gini"
    assert screens.frame_of(at, "judging")["next_seed"] == 0  # that of no parameter
    large = overfit(data="moons", n="800", folds="0")
    assert "leave one out" not in choice(large, "folds")["texts"]


# --- shared with Grow -----------------------------------------------------------------------------


def test_an_alpha_set_here_shows_its_prunes_as_moves_on_grow() -> None:
    at = screens.run(screens.app().switch_page("pages/overfit.py"))
    told = expected(at)
    alpha = alpha_path(told.nodes, splits_kept_by_rules(told.nodes, told.rules)).alphas[-2]
    assert alpha == dial(at, "ccp_alpha")["values"][-2]
    at = slide(at, "ccp_alpha", float(alpha))
    log = dtviz.fit(told.data, replace(told.rules, ccp_alpha=float(alpha))).log
    assert any(isinstance(move, Collapse) for move in log)
    at = screens.run(at.switch_page("pages/grow.py"))
    assert screens.step(at) == (0, len(log))
    at = screens.press(at, "end")
    assert screens.session_of(at).log == log
    assert screens.params_of(at)["log"] == f"a{len(log)}"
    at = screens.run(at.switch_page("pages/overfit.py"))
    assert screens.session_of(at).rules.ccp_alpha == alpha
    assert screens.session_of(at).log == log


# --- what is done on the curve --------------------------------------------------------------------


# --- pruning --------------------------------------------------------------------------------------


def focus(at: AppTest, node: Any) -> AppTest:
    return screens.send(at, "tree", {"what": "focus", "node": node})


def test_the_weakest_link_is_pruned_taken_back_and_undone() -> None:
    at = overfit("Pruning", **MOONS)
    first = saw(at)
    told = expected(at)
    links = list(weakest_links(told.nodes, kept_splits(told.nodes, told.rules)))
    for many in (1, 2):
        at = click(at, "Prune the weakest")
        wanted = [told.nodes.ids[link.index] for link in links[:many]]
        assert screens.params_of(at)["prunes"] == "_".join(f"c{node}" for node in wanted)
        assert cockpit(at)["figures"]["leaves"] == links[many - 1].leaves
        assert cockpit(at)["curve"]["place"] == -1
        assert f"{count(many, 'prune')}" in cockpit(at)["curve"]["setting_text"]
    link_rebuilds(at, "Pruning")
    one = click(at, "Take one back")
    assert screens.params_of(one)["prunes"] == f"c{told.nodes.ids[links[0].index]}"
    at = click(click(one, "Prune the weakest"), "Take all back")
    assert "prunes" not in screens.params_of(at)
    assert saw(at) == first
    assert all(labelled(at, label).disabled for label in TAKE)
    at = screens.run(at.button(key="Undo").click())
    assert cockpit(at)["figures"]["leaves"] == links[1].leaves


def test_rows_held_out_prune_what_loses_nothing_on_them() -> None:
    at = overfit("Pruning", **MOONS)
    told = expected(at)
    loss = losses(told.nodes, told.held)[0]
    places = reduced_error_links(told.nodes, kept_splits(told.nodes, told.rules), loss)
    ids = [told.nodes.ids[k] for k in places]
    before = cockpit(at)["figures"]["errors"]
    first = click(at, "Prune 1 by held-out rows")
    assert screens.params_of(first)["prunes"] == f"c{ids[0]}"
    every = click(overfit("Pruning", **MOONS), f"Prune all {len(ids)}")
    assert screens.params_of(every)["prunes"] == "_".join(f"c{node}" for node in ids)
    after = cockpit(every)["figures"]["errors"]
    assert after[1] <= cockpit(first)["figures"]["errors"][1] <= before[1]
    assert after[0] >= before[0]
    assert labelled(every, "Prune 1 by held-out rows").disabled
    assert "No node can be pruned without raising" in screens.words(every)


def test_the_node_clicked_is_pruned_and_a_prune_that_the_tree_lacks_waits() -> None:
    at = overfit("Pruning", **MOONS)
    assert labelled(at, "Prune a node").disabled
    at = focus(at, "3")
    assert screens.frame_of(at, "tree")["focus"] == "3"
    before = cockpit(at)["figures"]["leaves"]
    at = click(at, "Prune node 3")
    assert screens.params_of(at)["prunes"] == "c3"
    assert cockpit(at)["figures"]["leaves"] < before
    assert labelled(at, "Prune a node").disabled  # it has no split any more
    assert "pruned" in next(n[6] for n in screens.frame_of(at, "tree")["nodes"] if n[0] == "3")
    assert "pruned" in " ".join(screens.texts_in(screens.frame_of(at, "tree")))
    low = slide(at, "max_depth", 1)
    assert all(labelled(low, label).disabled for label in TAKE)
    assert screens.params_of(low)["prunes"] == "c3"
    at = click(focus(slide(low, "max_depth", None), "1"), "Prune the root")
    assert cockpit(at)["figures"] | {"errors": 0} == {"leaves": 1, "height": 0, "errors": 0}
    assert labelled(at, "Prune the weakest").disabled
    assert labelled(at, "Prune 1 by held-out rows").disabled
    at = click(at, "Take one back")
    assert screens.params_of(at)["prunes"] == "c3"


def test_the_table_has_the_path_of_the_weakest_links_with_its_errors() -> None:
    for data in (MOONS, SINE):
        at = overfit("Pruning", **data)
        told = expected(at)
        along = alpha_path(told.nodes, splits_kept_by_rules(told.nodes, told.rules))
        shown, alphas = at.dataframe[0].value, along.alphas.tolist()
        assert shown["Prune up to"].tolist() == [rule_value_label(alpha) for alpha in alphas]
        assert shown["leaves"].tolist() == along.leaves.tolist()
        assert shown["impurity"].tolist() == along.impurities.tolist()
        unit, scale = (" %", 100) if told.data.classes else ("", 1)
        for line, alpha in enumerate(alphas):
            model = dtviz.fit(told.training, replace(told.rules, ccp_alpha=alpha))
            row = shown.iloc[line]
            assert row["leaves"] == len(model.leaves), alpha
            for name, rows in (("training", told.training), ("held-out", told.held)):
                error = pytest.approx(scale * error_of(model, rows))
                assert row[f"{name} error{unit}"] == error, alpha


# --- the other panels -----------------------------------------------------------------------------

CAPTIONS = {
    "Grid search": "★ the least: ",
    "Learning curve": "the band is one standard error",
    "Bias and variance": "trees on resampled training rows",
    "Greedy's limit": "Greedy takes the cut that gains most at the root",
}


def test_the_other_panels_draw_their_figures_and_say_what_they_are() -> None:
    at = screens.seeded("overfit", data="heights")
    for panel in OTHERS:
        at.session_state["panels"] = panel
        screens.run(at)
        charts = at.get("plotly_chart")
        assert len(charts) == {"Greedy's limit": 0, "Bias and variance": 2}.get(panel, 1), panel
        assert CAPTIONS[panel] in screens.words(at), panel
        assert not (*at.info, *at.warning), panel
        depths = [key for key in screens.frames(at) if key.startswith("depth2")]
        assert depths == (["depth2 Greedy", "depth2 Best of depth 2"] if charts == [] else [])
    number_ = overfit("Bias and variance", **SINE)
    assert len(number_.get("plotly_chart")) == 2


@pytest.mark.parametrize("panel", ["Grid search", "Learning curve", "Bias and variance"])
def test_long_work_tells_its_size_and_starts_by_a_button(
    panel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MAX_SECONDS_UNASKED", 0)
    at = overfit(panel, **SINE)
    assert not at.get("plotly_chart")
    assert re.search(r"\d trees on 21 rows of 1 feature: about ", screens.words(at))
    screens.run(at.button(key="start_work").click())
    assert at.get("plotly_chart")
    assert "trees on 21 rows of 1 feature" not in screens.words(at)


@cache
def page_has_run() -> None:
    screens.page("overfit", hide="panels")


def module_of(name: str) -> Any:
    """A module of the panels; its pictures can only be declared once a page has run."""
    page_has_run()
    return import_module(f"dtviz.app.{name}")


@pytest.fixture
def tab(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The state of a tab that looks at moons, without a page."""
    module_of("overfit_page")
    instrument = Instrument(Visit(Session(dtviz.data.gallery.example_recipe("moons", n=60))))
    instrument.replace_session(instrument.visit.session)
    state: dict[str, Any] = {"instrument": instrument, "picks": 0}
    monkeypatch.setattr(st, "session_state", state)
    monkeypatch.setattr(st, "query_params", {})
    return state


def visit_of(tab: dict[str, Any]) -> Visit:
    visit: Visit = tab["instrument"].visit
    return visit


def chosen(points: Iterable[Any]) -> Any:
    return {"selection": {"points": list(points), "rows": list(points)}}


NO_CELLS: tuple[list[Any], ...] = (
    [], [{}], [{"customdata": None}], [{"customdata": []}], [{"customdata": ["gini"]}],
    [{"customdata": ["nope", 3]}], [{"customdata": ["gini", 0]}], [{"customdata": [3, "gini"]}],
    [{"customdata": ["gini", 2.5]}], [{"customdata": ["gini", "3"]}],
    [{"customdata": ["squared_error", 3]}], [{"customdata": {"a": 1}}],
)  # fmt: skip


def test_a_cell_of_the_heat_map_and_a_line_of_the_path_set_their_rules(tab: dict[str, Any]) -> None:
    first = visit_of(tab).session
    picked = module_of("overfit_page")._set_cell
    for points in NO_CELLS:
        for rule in ("criterion", "min_samples_leaf"):
            tab["grid0"] = chosen(points)
            picked("grid0", rule)
            assert visit_of(tab).session == first, (points, rule)
    for rule, value in (("criterion", "gini"), ("min_samples_leaf", 5)):
        before = visit_of(tab).session.rules
        tab["grid0"] = chosen([{"customdata": [value, 3]}])
        picked("grid0", rule)
        assert visit_of(tab).session.rules == replace(before, max_depth=3, **{rule: value})
    assert (tab["picks"], len(visit_of(tab).undo_stack)) == (2 * len(NO_CELLS) + 2, 2)
    alphas = [0.0, 0.25, 0.5]
    for points, alpha in (([], 0.0), ([1], 0.25)):
        tab["path0"] = chosen(points)
        module_of("overfit_page")._set_alpha("path0", alphas)
        assert visit_of(tab).session.rules.ccp_alpha == alpha


def test_every_cell_of_the_heat_map_can_be_clicked_and_the_best_is_named() -> None:
    at = overfit("Grid search", **MOONS)
    clicks = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][1]
    names = criteria_for("classification")
    depths = DEPTHS[: len(clicks["customdata"]) // len(names)]
    assert clicks["customdata"] == [[name, depth] for name in names for depth in depths]
    assert depths[-1] >= height(expected(at).nodes.tree)
    starred = next(k for k, text in enumerate(clicks["text"]) if "★" in text)
    criterion, depth = clicks["customdata"][starred]
    assert f"★ the least: {CRITERIA[criterion].title}, depth at most {depth}" in screens.words(at)
    at = overfit("Grid search", **SINE)
    clicks = json.loads(at.get("plotly_chart")[0].proto.spec)["data"][1]
    sizes, depths = ({cell[k] for cell in clicks["customdata"]} for k in (0, 1))
    assert sizes == {5, 2, 1}  # 21 rows are grown on
    assert len(clicks["customdata"]) == len(sizes) * len(depths)
    size, depth = next(
        cell for cell, text in zip(clicks["customdata"], clicks["text"], strict=True) if "★" in text
    )
    assert f"★ the least: Smallest leaf {size}, depth at most {depth}" in screens.words(at)
    few = screens.words(overfit("Grid search", data="age_car_risk", folds="10"))
    assert "Mean error of leave one out" in few
    assert "Best in 4 folds: " in few


def test_too_much_for_the_search_of_two_levels_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth2, "MAX_WORK", 3_000)
    monkeypatch.setattr(depth2, "WORK_PER_BATCH", 1)
    at = overfit("Greedy's limit", data="moons", n="500", folds="0", held_out="0.1")
    assert len(at.info) == 1
    assert len(at.info[0].value) > 30
    assert "`" not in at.info[0].value
    assert not [key for key in screens.frames(at) if key.startswith("depth2")]


def test_greedy_misses_the_first_cut_of_xor() -> None:
    at = overfit("Greedy's limit", data="xor")
    greedy, both = (
        screens.frame_of(at, f"depth2 {name}")["figures"] for name in ("Greedy", "Best of depth 2")
    )
    assert both == {"leaves": 4, "height": 2, "errors": [0.0, None]}
    assert greedy["errors"][0] > 0.3
    told = re.findall(
        r"Root: .*?, gain ([\d.e-]+) bit; all splits together ([\d.e-]+) bit", screens.words(at)
    )
    (first, all_of_greedy), (other, all_of_both) = [tuple(map(float, pair)) for pair in told]
    assert other < first < 0.1
    assert all_of_greedy < 0.1
    assert all_of_both == pytest.approx(1, abs=0.01)
    assert "a root cut that gains less makes better cuts possible" in screens.words(at)
    assert "here nothing better exists." in screens.words(overfit("Greedy's limit", data="blobs"))


def test_trees_nearly_as_good_are_drawn_with_what_they_say_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = overfit("Greedy's limit", data="blobs")
    drawn = [screens.frame_of(at, key) for key in screens.frames(at) if key.startswith("near ")]
    told = re.search(r"(\d+) trees of depth 2 .* in (\d+) ways", screens.words(at))
    assert told
    assert int(told[1]) > int(told[2]) == len(drawn) > 2
    assert all(one["figures"]["errors"][0] == 0 for one in drawn)
    assert len(re.findall(r"held out [\d.]+ %", screens.words(at))) == len(drawn)
    assert (
        len(re.findall(r"\d+ rows? predicted otherwise than by the first", screens.words(at)))
        == len(drawn) - 1
    )
    assert at.button(key="grow_near_1").label == "Grow it"
    monkeypatch.setattr(near, "MAX_DECREASE_LOST", 1e-9)
    at = overfit("Greedy's limit", data="diagonal")
    assert "No other tree of depth 2 lowers the impurity by at least 99 %" in screens.words(at)
    assert [key for key in screens.frames(at) if key.startswith("near ")] == ["near 1"]


def test_the_fewest_mistakes_of_a_depth_stand_beside_the_greedy_tree_if_the_package_is_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = dtviz.load("xor")
    log = run_to_end(best_of_depth_2(Problem(data, Rules())))

    def found(given: Dataset, depth: int) -> Generator[float, None, OptimalTree]:
        assert (given.n, depth) == (data.n, 3)
        yield 1.0
        return OptimalTree(log, proven=True)

    at = overfit("Greedy's limit", data="xor")
    monkeypatch.setattr(import_module("dtviz.app.greedy_panel"), "best_of_depth", found)
    assert not [key for key in screens.frames(at) if key.startswith("deeper")]
    at = screens.run(at.button_group(key="deeper").set_value(3))
    greedy, best = (
        screens.frame_of(at, key) for key in screens.frames(at) if key.startswith("deeper")
    )
    assert best["figures"]["errors"][0] == 0 < greedy["figures"]["errors"][0]
    assert "no tree of depth 3 makes fewer mistakes" in screens.words(at)
    monkeypatch.undo()
    monkeypatch.setattr(contree, "find_spec", lambda name: None)
    at = overfit("Greedy's limit", data="xor")
    at = screens.run(at.button_group(key="deeper").set_value(3))
    assert "pip install 'dtviz[optimal]'" in at.info[0].value


def test_only_the_open_panel_is_worked_out() -> None:
    at = overfit("Grid search", **MOONS)
    asked = [key[0] for key in at.session_state["instrument"].jobs]
    assert asked == ["curve", "folds", "grid"]
    assert "tree" not in screens.frames(at)


# --- a teacher's link -----------------------------------------------------------------------------


def test_hidden_controls_are_not_there() -> None:
    at = screens.page("overfit", **MOONS, hide="settings.panels")
    assert "dials" not in cockpit(at)
    assert not {"share", "folds", "against"} & {*screens.frame_of(at, "judging")}
    assert screens.params_of(judge(at, folds=0)) == screens.params_of(at)
    assert [one.label for one in at.button] == ["Show all controls"]
    assert not at.tabs
    assert {"judging", "rows", "overfit"} == set(screens.frames(at))
    event = {"what": "place", "rule": "max_depth", "value": 2}
    assert (
        screens.session_of(screens.send(at, "overfit", event)).rules.max_depth == 2
    )  # the curve still answers
    assert screens.params_of(at)["hide"] == "panels.settings"


# --- the table ------------------------------------------------------------------------------------


def test_the_table_says_what_the_curve_shows() -> None:
    for axis in ("depth", "alpha"):
        for data in (MOONS, SINE):
            at = overfit("Table", **data, against=axis)
            frame, table = cockpit(at), at.dataframe[0].value
            line = frame["curve"]
            assert table[SETTINGS[AXES[axis].rule].title].tolist() == line["labels"], (axis, data)
            assert table["leaves"].tolist() == line["leaves"].tolist(), (axis, data)
            scale, unit = (100, " %") if "classes" in frame else (1, "")
            shown = {
                "training error": "training_error",
                "held-out error": "held_out_error",
                "folds' mean": "mean",
            }
            for column, name in (shown | {"standard error": "standard_error"}).items():
                np.testing.assert_allclose(table[column + unit], scale * np.array(line[name]))
    table = overfit("Table", **MOONS, folds="0").dataframe[0].value
    assert [*table.columns][3:] == ["training error %", "held-out error %"]
