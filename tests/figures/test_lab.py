"""The pictures of the page Impurity hold what the engine says of every place a drag can reach."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from frame_types import frame_faults
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import sent_whole, unpack

from dtviz.engine.counts import divergence, impurities, preferred, scores, surprise
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
from dtviz.screen.lab import Lab, TwoSplits
from dtviz.screen.session import Session
from dtviz.screen.visit import Visit
from dtviz.table.data import recipe

IMPURITIES = impurities_for("classification")
NAMES = criteria_for("classification")


def test_every_picture_has_the_shape_of_its_kind() -> None:
    lab = Lab()
    for theme in (LIGHT, DARK):
        for kind, frame in (
            ("measures", measures_frame(lab, theme)),
            ("simplex", simplex_frame(lab, theme)),
            ("splits", splits_frame(lab, theme)),
        ):
            read = unpack(pack(kind, frame))
            assert frame_faults(read) == [], kind
            assert read["colours"]["dark"] == theme.dark, kind


def test_two_classes_are_told_at_every_hundredth() -> None:
    frame = measures_frame(Lab(percent=25, impurity="gini"), LIGHT)
    assert (frame["percent"], frame["impurity"], frame["whole"]) == (25, "gini", 100)
    assert [curve["name"] for curve in frame["curves"]] == [one.name for one in IMPURITIES]
    for percent in (0, 1, 25, 50, 99, 100):
        counts = np.array([[percent, 100 - percent]])
        for curve, impurity in zip(frame["curves"], IMPURITIES, strict=True):
            assert curve["values"][percent] == impurities(impurity, counts)[0]
            assert curve["unit"] == impurity.unit
        assert frame["apart"][percent] == divergence(counts)[0]
        assert frame["surprise"][percent] == surprise(np.array([percent / 100]))[0]
    assert frame["bits"] == 1


def test_the_lattice_has_each_triple_once_whatever_its_order() -> None:
    for n in (1, 2, 3, 4, 7, 60):
        triples = [tuple(row) for row in lattice(n).tolist()]
        rows = [(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)]
        assert {*triples} == {tuple(sorted(row, reverse=True)) for row in rows}, n
        assert triples == sorted({*triples}, reverse=True), n


def test_three_classes_are_told_at_every_place_of_the_lattice() -> None:
    frame = simplex_frame(Lab(), LIGHT)
    places = lattice(frame["whole"])
    for curve, impurity in zip(frame["curves"], IMPURITIES, strict=True):
        assert (curve["values"] == impurities(impurity, places)).all()
    for triple in permutations((36, 18, 6)):
        at = places.tolist().index(sorted(triple, reverse=True))
        own = divergence(np.array([triple]))[0]
        assert frame["apart"][at] == pytest.approx(own, abs=1e-15)


two_splits = st.integers(2, 4).flatmap(
    lambda k: st.lists(st.integers(1, 6), min_size=k, max_size=k).flatmap(
        lambda parent: st.builds(
            TwoSplits,
            st.just(tuple(parent)),
            st.tuples(*(st.integers(0, n) for n in parent)),
            st.tuples(*(st.integers(0, n) for n in parent)),
        )
    )
)


@settings(max_examples=5)
@given(two_splits)
def test_scores_are_told_of_both_splits_with_any_class_dragged_anywhere(two: TwoSplits) -> None:
    frame = splits_frame(Lab(splits=two), LIGHT)
    parent, at = np.array(two.parent), 0
    for left, other in ((two.first, two.second), (two.second, two.first)):
        for k, rows in enumerate(two.parent):
            for a in range(rows + 1):
                moved = np.array([[*left[:k], a, *left[k + 1 :]]])
                for name, told in zip(NAMES, frame["criteria"], strict=True):
                    expected = scores(CRITERIA[name], parent, moved)
                    np.testing.assert_allclose(told["score"][at], expected[0], rtol=1e-12)
                    sign = preferred(CRITERIA[name], parent, moved, np.array(other))
                    assert told["better"][at] == sign[0]
                at += 1
    assert all(len(told["score"]) == len(told["better"]) == at for told in frame["criteria"])


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
