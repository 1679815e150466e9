"""The pictures of Impurity and Learn hold what the engine says of every place within reach."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from frame_types import frame_faults
from screens import sent_whole, unpack

import dtviz
from dtviz.app.instrument import Instrument
from dtviz.data.gallery import example_recipe
from dtviz.engine.criteria import criteria
from dtviz.engine.criteria.latex import latex_number
from dtviz.engine.prune import alpha_path
from dtviz.engine.tree import leaf_ids
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.impurity import lattice, measures_frame, simplex_frame, splits_frame
from dtviz.pictures.lessons import boxes_frame, measures_lesson_frame
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.overfit import curve_work
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit

IMPURITIES = criteria.impurities_for("classification")
NAMES = criteria.criteria_for("classification")


def test_every_picture_has_the_shape_of_its_kind() -> None:
    lab = ImpuritySettings(percent=25, impurity="gini")
    for theme in (LIGHT, DARK):
        frames = {
            "measures": measures_frame(lab, theme),
            "simplex": simplex_frame(lab, theme),
            "splits": splits_frame(lab, theme),
        }
        for kind, frame in frames.items():
            read = unpack(pack(kind, frame))
            assert frame_faults(read) == [], kind
            assert read["colours"]["dark"] == theme.dark, kind
        two = frames["measures"]
        assert (two["percent"], two["impurity"], two["total"], two["bits"]) == (25, "gini", 100, 1)


def test_the_lattice_has_each_triple_once_whatever_its_order() -> None:
    for n in (1, 2, 3, 4, 7, 60):
        triples = [tuple(row) for row in lattice(n).tolist()]
        rows = [(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)]
        assert {*triples} == {tuple(sorted(row, reverse=True)) for row in rows}, n
        assert triples == sorted({*triples}, reverse=True), n


def test_a_criterion_that_is_registered_is_on_all_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    disorder = criteria.Impurity(
        "disorder", "N", "nat", "", "", criteria.GINI.spread, criteria.GINI.formula_step
    )
    monkeypatch.setitem(
        criteria.CRITERIA, "nat", criteria.Criterion("nat", "Nats", "classification", disorder)
    )
    for frame in (
        measures_frame(ImpuritySettings(), LIGHT),
        simplex_frame(ImpuritySettings(), LIGHT),
    ):
        assert ("disorder", "nat") in [(one["name"], one["unit"]) for one in frame["curves"]]
    told = splits_frame(ImpuritySettings(), LIGHT)["criteria"][-1]
    assert (told["name"], told["title"], told["unit"]) == ("nat", "Nats", "nat")
    assert ImpuritySettings(impurity="disorder", opened="nat").impurity == "disorder"


def test_the_pictures_follow_what_is_done_on_them() -> None:
    tab = Instrument(Visit(Session(example_recipe("heights"))))
    tab.replace_session(tab.visit.session)

    def frame(name: str) -> Any:
        return unpack(sent_whole(tab, "impurity", tab.screen(), LIGHT))[name]

    assert frame("measures")["percent"] == 30
    two = {"parent": [5, 2], "first": [4, 2], "second": [4, 1]}
    acts = {"measures": {"percent": 50}, "splits": {"splits": two}}
    for n, (picture, values) in enumerate(acts.items(), 1):
        event = {"what": "set", "values": values}
        tab.handle_message({"events": [{"n": n, "picture": picture, "event": event}]})
    assert frame("measures")["percent"] == 50
    assert (frame("splits")["parent"], frame("splits")["second"]) == ([5, 2], [4, 1])


# --- lessons --------------------------------------------------------------------------------------


IRIS = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))


def screen_of(session: Session) -> Screen:
    """The screen, once the error curve of its Overfit is there."""
    tab = Instrument(Visit(session))
    while not tab.advance_work(curve_work(tab.screen().judged)).is_done:
        pass
    return tab.screen()


def drawn(name: str, screen: Screen) -> Any:
    picture = PICTURES[name]
    return picture.draw(screen, LIGHT)


def test_every_picture_of_a_lesson_has_the_shape_of_its_kind() -> None:
    screen = screen_of(Session(IRIS))
    for name in ("gain_lesson", "region_lesson", "pruning_lesson", "measure_lesson"):
        assert frame_faults(unpack(pack(PICTURES[name].kind, drawn(name, screen)))) == [], name


def test_the_gain_of_every_cut_is_what_stands_in_its_formula() -> None:
    rules = dtviz.Rules(criterion="gini")
    frame = drawn("gain_lesson", screen_of(Session(IRIS, rules)))
    table = dtviz.candidates(dtviz.load(IRIS.name, **dict(IRIS.params)), rules)
    shown = ("petal_length_cm", "petal_width_cm")
    for name, sides in zip(shown, frame["gain_arithmetic"]["sides"], strict=True):
        cuts = table[table.feature == name]
        root = float(re.findall(r"= ([\d.]+) -", sides["formula"])[0])
        for side, column in (("left", "n_left"), ("right", "n_right"), ("gain", "gain")):
            np.testing.assert_array_equal(sides[side], cuts[column])
        parts = sides["left"] * sides["ileft"] + sides["right"] * sides["iright"]
        np.testing.assert_allclose(root - parts / 150, sides["gain"], atol=1e-5)
    for asked in (Session(IRIS, ask=True), Session(IRIS, hidden=("gains",))):
        assert "gain_arithmetic" not in drawn("gain_lesson", screen_of(asked))


def test_the_measures_are_worked_out_at_every_share() -> None:
    frame = measures_lesson_frame(ImpuritySettings(), LIGHT)
    curves = {curve["name"]: curve for curve in frame["curves"]}
    assert {len(curve["arithmetic"]) for curve in curves.values()} == {101}
    share = r"\tfrac{30}{100}", r"\tfrac{70}{100}"
    assert curves["entropy"]["arithmetic"][30] == (
        rf"H = - {share[0]} \log_2 {share[0]} - {share[1]} \log_2 {share[1]}"
        r" = \mathbf{0.881291}\ \text{bit}"
    )
    assert curves["error"]["arithmetic"][30] == rf"E = 1 - {share[1]} = \mathbf{{0.3}}"
    assert curves["gini"]["arithmetic"][0].endswith(r"= \mathbf{0}")
    for curve in curves.values():
        for worked, value in zip(curve["arithmetic"], curve["values"].tolist(), strict=True):
            assert rf"\mathbf{{{latex_number(value)}}}" in worked


def test_the_boxes_are_the_leaves_from_left_to_right_with_their_names_as_text() -> None:
    model = dtviz.fit(dtviz.load("heights"))
    frame = boxes_frame(model.data, model.tree, (0, 0), (), LIGHT, "points")
    assert [box["region"] for box in frame["boxes"]] == [1, 2, 3]
    assert [box["node"] for box in frame["boxes"]] == [str(leaf) for leaf in leaf_ids(model.tree)]
    assert not frame["has_more_features"]
    table = pd.DataFrame({"x": [1.0, 2.0], "kind": [r"a} \frac{1}{2} @x", "b"]})
    data = dtviz.from_frame(table, target="kind")
    frame = boxes_frame(data, dtviz.fit(data).tree, (0, 0), (), LIGHT, "points")
    assert [box["prediction"] for box in frame["boxes"]] == [r"\text{a frac12 x}", r"\text{b}"]


def test_pruning_weighs_risk_and_size_at_every_alpha_and_nothing_along_another_rule() -> None:
    session = Session(example_recipe("moons", n=200, noise=0.3))
    alpha, depth = (
        screen_of(replace(session, judging=replace(session.judging, against=rule)))
        for rule in ("alpha", "depth")
    )
    frame = drawn("pruning_lesson", alpha)
    trees = alpha_path(alpha.judged.nodes, alpha.judged.nodes.is_split)
    curve, weighed = frame["curve"], frame["costs"]
    assert "dials" not in frame
    np.testing.assert_allclose(weighed["risk"], trees.impurities, atol=1e-12)
    np.testing.assert_array_equal(curve["leaves"], trees.leaves)
    np.testing.assert_allclose(
        weighed["cost"], trees.impurities + np.array(curve["values"]) * trees.leaves, atol=1e-12
    )
    assert "costs" not in drawn("pruning_lesson", depth)
