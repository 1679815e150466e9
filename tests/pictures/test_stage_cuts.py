"""Both sides of every cut, and the subsets beside the order, are those of `goes_left`."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest
from screens import unpack

import dtviz
from dtviz import Rules
from dtviz.base.text import rounded
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.search.candidates import Candidates
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import goes_left, score
from dtviz.explain.words import candidate_text
from dtviz.models.model import Model
from dtviz.models.steps import node_candidates
from dtviz.pictures.gains import gain_curves
from dtviz.pictures.packing import pack
from dtviz.pictures.slice import pinned_values
from dtviz.pictures.stage import caption, scene
from dtviz.pictures.stage_cuts import (
    StageView,
    cut_positions,
    shown_cuts,
    statistics_fit,
    statistics_frame,
)

LEVELS = ((), (), ("ash", "birch", "elm", "oak", "yew"))


def table(classes: int, gaps: bool) -> Dataset:
    """Two numbers and a category, rows with weights; of no class the target is a number."""
    random = np.random.default_rng(3)
    columns = np.array(
        [random.integers(0, 9, 70), random.integers(0, 4, 70), random.integers(0, 5, 70)], float
    )
    y = random.integers(0, classes or 50, 70)
    if gaps:
        columns[0, ::6] = columns[2, 3::9] = np.nan
    names = [str(k) for k in range(classes)]
    found = make_dataset(columns, y, ["a", "b", "c"], "y", names, categories=LEVELS)
    return replace(found, weights=random.integers(1, 5, 70) / 4)


def test_both_sides_weigh_what_the_rows_do_that_each_split_sends_there() -> None:
    policies = [name for name in POLICIES if name != "drop"]
    for classes, missing in [*zip(cycle((0, 2, 3)), policies), (0, "surrogates")]:
        data = table(classes, gaps=True)
        criterion = "gini" if classes else "squared_error"
        model = dtviz.fit(data, dtviz.Rules(criterion, missing=missing), ())
        data = model.data
        cuts = node_candidates(Problem(data, model.rules_used), model.tree, 1)
        surrogates = missing == "surrogates"
        assert data.weights is not None
        rows = np.arange(3, data.n)
        for line, projection in enumerate(cuts.projections):
            index = np.arange(len(cuts))[cuts.of_line(line)]
            weighed = statistics_frame(data, rows, cuts, index, surrogates)["weighed"]
            sides = [weighed[side].reshape(len(index), -1) for side in ("left", "right")]
            lacks = np.isnan(score(projection, data.columns))
            for k, cut in enumerate(index.tolist()):
                goes = goes_left(cuts.split(cut), data.columns)
                present = ~(lacks & surrogates & np.isfinite(cuts.threshold[cut]))
                for side, taken in zip(sides, (goes & present, ~goes & present), strict=True):
                    weight, y = data.weights[rows][taken[rows]], data.y[rows][taken[rows]]
                    if classes:
                        expected = np.bincount(y, weight, classes)
                    else:
                        expected = np.array([weight.sum(), np.average(y, weights=weight)])
                    assert side[k] == pytest.approx(expected), (classes, missing, cut)


def test_many_figures_are_not_told() -> None:
    assert statistics_fit(table(3, gaps=False), 10_000)
    assert not statistics_fit(table(3, gaps=False), 11_000)
    data = table(2, gaps=False)
    cuts = node_candidates(Problem(data, dtviz.Rules()), dtviz.fit(data, dtviz.Rules(), ()).tree, 1)
    assert statistics_frame(data, np.arange(data.n), cuts, np.arange(0), surrogates=False) == {}


# --- subsets beside the order ---------------------------------------------------------------------


RULES = Rules("gini")


def model_of(values: int, classes: int = 3, n: int = 300) -> Model:
    rng = np.random.default_rng(values)
    codes = rng.permutation(np.arange(n) % values)
    y = (codes * 5 + rng.integers(0, 2, n)) % classes
    levels = (tuple("abcdefghijkl"[:values]), ("x", "z"))
    both = [codes, rng.integers(0, 2, n)]
    return dtviz.fit(
        make_dataset(both, y, ["g", "h"], "y", "ABCD"[:classes], categories=levels), RULES, ()
    )


def cuts_of(model: Model) -> Candidates:
    return node_candidates(Problem(model.data, RULES), model.tree, 1)


def raw_of(model: Model, **more: Any) -> bytes:
    cuts = cuts_of(model)
    view = StageView(1, cuts, cuts.best, pinned=pinned_values(model.data), **more)
    return pack("stage", scene(model.data, model.tree, view, "name"))


def test_the_frame_has_every_subset_with_its_rows_its_gain_and_its_words() -> None:
    for values, many in ((3, 3), (4, 7), (7, 63)):
        model = model_of(values)
        cuts, frame = cuts_of(model), unpack(raw_of(model))
        of, order = frame["cuts"][0], cuts.orders[0]
        assert len(of["index"]) == len(set(of["rule"])) == many
        subsets = set()
        for k, index in enumerate(of["index"].tolist()):
            bits = int(of["scattered"][k])
            codes = cuts.split(index).projection.named
            if bits:
                assert {*codes} == {order[place] for place in range(values) if bits >> place & 1}
            subsets.add(frozenset(codes))
            goes = np.isin(model.data.columns[0], codes)
            assert of["left"][k] == goes.sum()
            assert of["score"][k] == rounded(cuts.score[index])
            assert of["rule"][k] == candidate_text(model.data, cuts, index)
        assert len(subsets) == many
        assert np.count_nonzero(of["scattered"]) == many - (values - 1)
        assert not of["scattered"][: values - 1].any()
        assert frame["cuts"][1]["scattered"].tolist() == []
    assert len(raw_of(model_of(10))) - len(raw_of(model_of(3))) < 60_000, "511 subsets"


def test_subsets_stand_in_the_band_behind_the_cut_of_as_many_values() -> None:
    model = model_of(6)
    cuts = cuts_of(model)
    first = cuts.orders[0][0]
    for telling in (True, False):
        shown = shown_cuts(cuts, cuts.along(0), None, 2_000, telling)
        place = cut_positions(cuts, shown, telling)
        apart = cuts.scattered[shown] > 0
        assert place[~apart].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
        assert (np.diff(place[apart]) > 0).all()
        assert len(set(place.tolist())) == len(shown)
        for k in np.flatnonzero(apart).tolist():
            named = cuts.split(int(shown[k])).projection.named
            with_first = len(named) if first in named else 6 - len(named)
            assert int(place[k] + 0.5) == with_first
            assert place[k] % 1 != 0.5
        band, score = np.floor(place[apart] + 0.5), cuts.score[shown][apart]
        if telling:
            assert all((np.diff(score[band == size]) <= 0).all() for size in set(band.tolist()))
        else:  # nothing tells which is high
            assert (np.diff(shown[apart]) > 0).all()
    frame = unpack(raw_of(model_of(5), asking=True))
    assert "score" not in frame["cuts"][0]
    assert (np.diff(frame["cuts"][0]["index"]) > 0).all()


def test_the_caption_counts_the_subsets_and_says_what_the_small_dots_are() -> None:
    model = model_of(4)
    said = caption(model.data, cuts_of(model), (0, 1), pinned_values(model.data))
    assert said == (
        "g: 4 values, 2^(4-1) - 1 = 7 subsets. The curve has the cuts of their order; each small "
        "dot is another, behind the cut of as many values."
    )
    two = model_of(4, classes=2)
    assert caption(two.data, cuts_of(two), (0, 1), pinned_values(two.data)) == ""


def test_all_gains_has_them_as_small_faint_dots_that_can_be_chosen() -> None:
    model = model_of(5)
    cuts = cuts_of(model)
    chosen = int(np.flatnonzero(cuts.scattered)[3])
    found = gain_curves(model.data, cuts, chosen, projection_ids=[0]).data
    curve, dots = found[0], found[1]
    assert (curve.mode, dots.mode) == ("lines+markers", "markers")
    assert len(curve.x) == 4
    assert sorted(dots.customdata) == np.flatnonzero(cuts.scattered).tolist()
    assert dots.marker.size < 5
    place = cut_positions(cuts, np.arange(cuts.along(0).stop))
    for trace in (curve, dots):
        for at, x, y, text in zip(trace.customdata, trace.x, trace.y, trace.text, strict=True):
            assert (x, y, text) == (place[at], cuts.score[at], candidate_text(model.data, cuts, at))
    (diamond,) = (t for t in found if t.marker.symbol == "diamond")
    assert diamond.x[0] == place[chosen]
