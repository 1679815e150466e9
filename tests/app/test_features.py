"""The panel of the features on Grow: what each is worth, its best cut, how the tree predicts."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from futures import future_of
from screens import (
    PENGUINS,
    open_panel,
    page,
    panels_of,
    params_of,
    run,
    seeded,
    session_of,
    with_file,
    words,
)
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz.data.dataset import Dataset, make_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import feature_of
from dtviz.models.steps import node_candidates
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session

IRIS = {"data": "iris"}
NUMBER = {"target": "body_mass_g", "task": "regression", "criterion": "squared_error"}
FLIPPERS = ["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]


def opened(at: AppTest) -> AppTest:
    return open_panel(run(at), "Features")


def table_of(at: AppTest) -> pd.DataFrame:
    return at.dataframe[0].value


def panel(name: str = "row_panel") -> Any:
    """A module of the pages; pictures can only be declared once a page has run."""
    page("grow")
    return import_module(f"dtviz.app.{name}")


def screen(data: Dataset, **more: Any) -> Screen:
    session = Session(make_recipe("file"), default_rules(data.task), **more)
    return screen_of(session, data, future_of(data))


def test_the_table_and_the_curves_tell_what_each_feature_is_worth_and_its_best_cut() -> None:
    at = opened(seeded("grow", **IRIS, log="a4"))
    data = dtviz.load("iris")
    model = dtviz.fit(data, log=dtviz.fit(data).log[:4])
    table = table_of(at).set_index("feature")
    worth = 100 * model.importances()
    assert table["worth"].to_dict() == pytest.approx(worth.to_dict(), rel=1e-3)
    assert table["worth"].is_monotonic_decreasing
    node = dtviz.fit(data).log[4].node
    cuts = dtviz.candidates(data, log=model.log, node=node)
    for name, row in table.iterrows():
        own = cuts[cuts.feature == name]
        assert row["gain (bit)"] == pytest.approx(own.gain.max(), rel=1e-3)
        assert row["best cut here"] == own.rule[own.gain.idxmax()].replace(" <= ", " ≤ ")
    best = table["gain (bit)"].idxmax()
    assert table[" "].to_dict() == {name: "▶" * (name == best) for name in table.index}
    at = opened(seeded("grow", **IRIS, log="a4"))
    (chart,) = at.get("plotly_chart")
    for name in ("petal_length_cm", "petal_width_cm"):
        assert f'"text":"{name}"' in chart.proto.spec
    assert '"text":"sepal_width_cm"' not in chart.proto.spec
    assert "mean share of each class over all 150 rows" in words(at)
    table = table_of(opened(seeded("grow", **IRIS, log="a1", focus="3", cut="2.4.75")))
    marks = dict(zip(table["feature"], table[" "], strict=True))
    assert marks["petal_width_cm"] == "★"
    assert marks["petal_length_cm"] == "▶"


def test_the_panel_is_there_with_features_to_compare_and_says_what_it_waits_for() -> None:
    for name in ("sine", "play_tennis"):
        at = opened(seeded("grow", data=name, log="a99"))
        many = len(dtviz.load(name).features) > 1
        assert ("Features" in panels_of(at)) == many, name
        if many:
            assert len(at.get("plotly_chart")) == 1, name
            assert sum(table_of(at)["worth"]) == pytest.approx(100, abs=0.1), name
    at = opened(seeded("grow", **IRIS))
    assert "The tree has no split yet" in words(at)
    assert not at.get("plotly_chart")
    table = table_of(at)
    assert table["worth"].tolist() == [0, 0, 0, 0]
    assert table["gain (bit)"].is_monotonic_decreasing
    assert table[" "].tolist() == ["▶", "", "", ""]
    at = opened(seeded("grow", **IRIS, log="a4", ask="1"))
    assert "Hidden until you have chosen a cut" in words(at)
    assert not (*at.dataframe, *at.get("plotly_chart"))
    hidden = page("grow", **IRIS, log="a4", hide="gains")
    assert "Features" not in panels_of(hidden)


def test_categories_gaps_and_numbers_of_a_file() -> None:
    frame = pd.read_csv(PENGUINS)
    at = opened(with_file("grow", frame, target="species", log="a99"))
    table = table_of(at).set_index("feature")
    assert set(FLIPPERS) < set(table.index)
    assert table.loc["island", "best cut here"] == "island = Biscoe"
    assert "mean share of each class over all 344 rows" in words(at)
    at = opened(with_file("grow", frame, **NUMBER, log="a5"))
    assert "mean prediction over all 342 rows" in words(at)


def test_the_best_cut_of_a_feature_is_its_best_admissible_one() -> None:
    data = dtviz.read_table(str(PENGUINS), "species")
    shown = screen(data)
    rules = default_rules(data.task)
    rules = type(rules)(rules.criterion, min_samples_leaf=165)
    cuts = node_candidates(Problem(data, rules), shown.tree, 1)
    found = panel().best_cuts(cuts)
    of = [feature_of(cuts.projections[line]) for line in cuts.line]
    for feature in range(len(data.features)):
        some = [k for k, own in enumerate(of) if own == feature and cuts.admissible[k]]
        best = max(some, key=lambda k: cuts.score[k], default=None)
        assert found.get(feature) == best
    assert 0 < len(found) < len({*of})


def test_a_click_on_a_row_chooses_that_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    made = panel()
    at = opened(seeded("grow", **IRIS))
    names = table_of(at)["feature"].tolist()
    seen: list[dict[str, Any]] = []

    def dataframe(*_: Any, key: str, on_select: Any, **more: Any) -> None:
        seen.append({"key": key, "select": on_select})

    tab = at.session_state["instrument"]
    kept = {"instrument": tab, "picks": 0}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "query_params", {})
    monkeypatch.setattr(st, "dataframe", dataframe)
    made._draw_table(tab.screen())
    kept[seen[0]["key"]] = {"selection": {"rows": [2]}}
    seen[0]["select"]()
    chosen = tab.visit.session.cut
    assert tab.screen().data.features[chosen.projection.feature] == names[2]
    assert session_of(at).cut == chosen


def test_a_feature_is_left_out_beside_the_features_and_undo_brings_it_back() -> None:
    at = opened(seeded("grow", data="iris", max_depth="3"))
    names = at.multiselect(key="left_out").options
    assert len(names) == 4
    at = run(at.multiselect(key="left_out").set_value([names[2]]))
    params = params_of(at)
    assert names[2] not in params["features"]
    assert params["max_depth"] == "3"
    at = run(at.multiselect[0].set_value([names[2], names[0]]))
    assert {*at.multiselect[0].value} == {names[2], names[0]}
    assert len(params_of(at)["features"].split(",")) == 2
