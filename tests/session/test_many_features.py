"""Of many features a screen searches those with the best cuts, and those that are looked at."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from futures import future_of

from dtviz import from_frame
from dtviz.data.dataset import make_recipe
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search import candidates
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Grow
from dtviz.models.steps import candidates_by_criterion, node_candidates
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.gains import gain_curves, projections_by_gain
from dtviz.pictures.scales import LIGHT
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session

RANDOM = np.random.default_rng(5)
Y = RANDOM.integers(0, 2, 40)
FRAME = pd.DataFrame({f"x{i}": RANDOM.normal(size=40) + Y * (i % 7 == 0) for i in range(60)})
FRAME["kind"] = RANDOM.choice([*"abc"], 40)
DATA = from_frame(FRAME.assign(y=np.where(Y, "yes", "no")), "y")
KIND = 60


@pytest.fixture(autouse=True)
def room_for_five(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MAX_CUTS_SHOWN", 5 * 40)
    monkeypatch.setattr(candidates, "MIN_LINES_SHOWN", 5)


def screen(**more: Any) -> Screen:
    session = Session(make_recipe("file"), default_rules(DATA.task), **more)
    return screen_of(session, DATA, future_of(DATA))


def test_the_best_cut_is_that_of_all_features() -> None:
    shown = screen()
    whole = node_candidates(Problem(DATA, shown.session.rules), shown.tree, 1)
    cuts = shown.node_view.candidates
    assert len(cuts.projections) < 10
    assert len(whole.projections) == 61
    assert cuts.best is not None
    assert whole.best is not None
    assert cuts.split(cuts.best) == whole.split(whole.best)
    assert shown.node_view.features is not None
    tops = [whole.score[whole.along(f)].max() for f in range(61)]
    assert {*np.argsort(-np.array(tops), kind="stable")[:5].tolist()} <= {*shown.node_view.features}


def test_what_is_looked_at_is_searched_whatever_it_gains() -> None:
    weak = next(f for f in range(60) if f not in (screen().node_view.features or ()))
    assert weak in (screen(axes=(weak, 0)).node_view.features or ())
    cut = axis_split(weak, float(np.median(DATA.columns[weak])))
    looked = screen(focus=1, cut=cut).node_view
    assert looked.index is not None
    assert looked.candidates.split(looked.index) == cut
    whole = node_candidates(Problem(DATA, screen().session.rules), screen().tree, 1)
    own = whole.split(whole.along(KIND).start)
    look = screen(log=(Grow(1, own),), focus=1).node_view
    assert look.index is not None
    assert look.candidates.split(look.index) == own


def test_the_cuts_of_some_features_are_those_among_all() -> None:
    shown = screen()
    about = (shown.problem, shown.tree, 1)
    some, whole = node_candidates(*about, (3, KIND)), node_candidates(*about)
    for feature in (3, KIND):
        ours, theirs = some.along(feature), whole.along(feature)
        for name in ("threshold", "gain", "n_left", "impurity_right", "boundary"):
            assert np.array_equal(getattr(some, name)[ours], getattr(whole, name)[theirs])
    assert len(some) == sum(len(whole.gain[whole.along(f)]) for f in (3, KIND))
    assert {
        len(cuts.projections) for cuts in candidates_by_criterion(*about, (3, KIND)).values()
    } == {2}


def test_the_stage_is_drawn_of_them() -> None:
    stage: Any = PICTURES["stage"].draw(screen(), LIGHT)
    assert len(stage["cuts"]) == 2
    assert all(len(axis["threshold"]) for axis in stage["cuts"])


def test_the_lines_with_the_best_cuts_come_first() -> None:
    shown = screen()
    cuts = node_candidates(Problem(DATA, shown.session.rules), shown.tree, 1)
    order = projections_by_gain(cuts)
    tops = [cuts.score[cuts.of_line(line)].max() for line in order]
    assert tops == sorted(tops, reverse=True)
    assert sorted(order) == list(range(61))
    figure = gain_curves(DATA, cuts, projection_ids=order[:3])
    names = [figure.layout[axis].title.text for axis in ("xaxis", "xaxis2", "xaxis3")]
    assert names == [DATA.features[line] for line in order[:3]]
