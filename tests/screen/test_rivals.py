"""The two cuts that the page Impurity takes from Grow: the cut looked at, and its rival."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of

from dtviz.engine.counts import scores
from dtviz.engine.criteria import CRITERIA as CRITERIA_BY
from dtviz.engine.rules import default_rules
from dtviz.screen.handle import handle
from dtviz.screen.lab import Lab
from dtviz.screen.rivals import two_cuts
from dtviz.screen.screen import screen_of
from dtviz.screen.session import Session, forward
from dtviz.table.data import recipe
from dtviz.table.gallery import build, example_recipe


def test_the_cut_looked_at_and_its_rival_are_taken_from_grow() -> None:
    iris = recipe("iris")
    data = build(iris)
    here = screen_of(Session(iris), data, future_of(data))
    two = two_cuts(here)
    assert two.parent == (50, 50, 50)
    cuts, best = here.look.cuts, here.look.cut
    found = scores(CRITERIA_BY["entropy"], np.array(two.parent), np.array([two.first, two.second]))
    assert found[0] == pytest.approx(cuts.score[best])
    others = cuts.line != cuts.line[best]
    assert found[1] == pytest.approx(cuts.score[others].max())
    assert handle(here, "lab", {"what": "take"}).lab == Lab(splits=two)


def test_where_there_are_no_such_cuts_nothing_is_taken() -> None:
    cases: tuple[tuple[str, Any, Any], ...] = (
        ("rpart_treble", {}, {}),  # numbers
        ("moons", {"n": 200}, {}),  # too many rows
        ("heights", {}, {"ask": True}),  # no cut yet
        ("heights", {}, {"hidden": ("gains",)}),
        ("blobs", {"k": 5, "n": 30}, {}),  # too many classes
    )
    for name, params, changes in cases:
        example = example_recipe(name, **params)
        data = build(example)
        session = Session(example, default_rules(data.task), **changes)
        here = screen_of(session, data, future_of(data))
        assert handle(here, "lab", {"what": "take"}) == session, (name, changes)


def test_classes_without_rows_in_the_node_are_left_out_and_one_line_has_a_rival_too() -> None:
    iris = example_recipe("iris", features=("petal_length_cm",))
    data = build(iris)
    session = forward(Session(iris), future_of(data))
    here = screen_of(replace(session, focus=3), data, future_of(data))
    two = two_cuts(here)
    assert two.parent == (50, 50)
    assert two.first != two.second
