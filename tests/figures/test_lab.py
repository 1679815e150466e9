"""The pictures of the page Impurity hold what the engine says of every place a drag can reach."""

from __future__ import annotations

import pytest
from frame_types import frame_faults
from screens import sent_whole, unpack

from dtviz.engine.criteria import (
    CRITERIA,
    GINI,
    Criterion,
    Impurity,
    criteria_for,
    impurities_for,
)
from dtviz.figures.frame import pack
from dtviz.figures.lab import lattice, measures_frame, simplex_frame, splits_frame
from dtviz.figures.palette import DARK, LIGHT
from dtviz.instrument import Instrument
from dtviz.screen.lab import Lab
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table.data import recipe

IMPURITIES = impurities_for("classification")
NAMES = criteria_for("classification")


def test_every_picture_has_the_shape_of_its_kind() -> None:
    lab = Lab(percent=25, impurity="gini")
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
        assert (two["percent"], two["impurity"], two["whole"], two["bits"]) == (25, "gini", 100, 1)


def test_the_lattice_has_each_triple_once_whatever_its_order() -> None:
    for n in (1, 2, 3, 4, 7, 60):
        triples = [tuple(row) for row in lattice(n).tolist()]
        rows = [(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)]
        assert {*triples} == {tuple(sorted(row, reverse=True)) for row in rows}, n
        assert triples == sorted({*triples}, reverse=True), n


def test_a_criterion_that_is_registered_is_on_all_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    disorder = Impurity("disorder", "N", "nat", "", "", GINI.spread, GINI.step)
    monkeypatch.setitem(CRITERIA, "nat", Criterion("nat", "Nats", "classification", disorder))
    for frame in (measures_frame(Lab(), LIGHT), simplex_frame(Lab(), LIGHT)):
        assert ("disorder", "nat") in [(one["name"], one["unit"]) for one in frame["curves"]]
    told = splits_frame(Lab(), LIGHT)["criteria"][-1]
    assert (told["name"], told["title"], told["unit"]) == ("nat", "Nats", "nat")
    assert Lab(impurity="disorder", opened="nat").impurity == "disorder"


def test_the_pictures_need_no_data_and_follow_what_is_done_on_them() -> None:
    tab = Instrument(Visit(Session(recipe("heights"))))
    tab.become(tab.visit.session)
    before = {name: sent_whole(tab, name, tab.blank(), LIGHT) for name in ("measures", "splits")}
    two = {"parent": [5, 2], "first": [4, 2], "second": [4, 1]}
    for n, (picture, values) in enumerate(
        [("measures", {"percent": 50}), ("splits", {"splits": two})], 1
    ):
        event = {"what": "set", "values": values}
        tab.hear({"events": [{"n": n, "picture": picture, "event": event}]})
    after = {name: unpack(sent_whole(tab, name, tab.blank(), LIGHT)) for name in before}
    assert unpack(before["measures"])["percent"] == 30
    assert after["measures"]["percent"] == 50
    assert (after["splits"]["parent"], after["splits"]["second"]) == ([5, 2], [4, 1])
