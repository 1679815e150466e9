"""Every subset that is tried has its dot: those of the order on the curve, the others beside it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from screens import unpack

import dtviz
from dtviz import Rules
from dtviz.engine.candidates import Candidates
from dtviz.engine.problem import Problem
from dtviz.figures.cuts import View, places, shown_cuts
from dtviz.figures.frame import pack
from dtviz.figures.gains import gain_curves
from dtviz.figures.pins import pinned
from dtviz.figures.scene import caption, scene
from dtviz.model import Model
from dtviz.say.words import cut_text
from dtviz.table.data import dataset
from dtviz.text import rounded
from dtviz.trace import node_candidates, table

RULES = Rules("gini")


def model_of(values: int, classes: int = 3, n: int = 300) -> Model:
    rng = np.random.default_rng(values)
    codes = rng.permutation(np.arange(n) % values)
    y = (codes * 5 + rng.integers(0, 2, n)) % classes
    levels = (tuple("abcdefghijkl"[:values]), ("x", "z"))
    both = [codes, rng.integers(0, 2, n)]
    return dtviz.fit(dataset(both, y, ["g", "h"], "y", "ABCD"[:classes], levels=levels), RULES, ())


def cuts_of(model: Model) -> Candidates:
    return node_candidates(Problem(model.data, RULES), model.tree, 1)


def frame_of(model: Model, **more: Any) -> Any:
    cuts = cuts_of(model)
    view = View(1, cuts, cuts.best, pinned=pinned(model.data), **more)
    return unpack(pack("k", scene(model.data, model.tree, view, "name")))


@pytest.mark.parametrize(("values", "many"), [(3, 3), (4, 7), (10, 511)])
def test_the_frame_has_every_subset_with_its_rows_its_gain_and_its_words(
    values: int, many: int
) -> None:
    model = model_of(values)
    cuts, frame = cuts_of(model), frame_of(model)
    of, order = frame["cuts"][0], cuts.orders[0]
    assert len(of["index"]) == len(set(of["rule"])) == many
    named = set()
    for k, at in enumerate(of["index"].tolist()):
        bits = int(of["scattered"][k])
        codes = cuts.split(at).projection.named
        if bits:
            assert {*codes} == {order[place] for place in range(values) if bits >> place & 1}
        named.add(frozenset(codes))
        goes = np.isin(model.data.columns[0], codes)
        assert of["left"][k] == goes.sum()
        assert of["score"][k] == rounded(cuts.score[at])
        assert of["rule"][k] == cut_text(model.data, cuts, at)
    assert len(named) == many
    assert np.count_nonzero(of["scattered"]) == many - (values - 1)
    assert not of["scattered"][: values - 1].any()
    assert frame["cuts"][1]["scattered"].tolist() == []


def test_a_frame_of_511_subsets_is_small() -> None:
    few, many = (len(pack("stage", frame_of_raw(model_of(v)))) for v in (3, 10))
    assert many - few < 60_000


def frame_of_raw(model: Model) -> Any:
    cuts = cuts_of(model)
    view = View(1, cuts, cuts.best, pinned=pinned(model.data))
    return scene(model.data, model.tree, view, "name")


@pytest.mark.parametrize("telling", [True, False])
def test_they_stand_in_the_band_behind_the_cut_of_as_many_values(telling: bool) -> None:
    model = model_of(6)
    cuts = cuts_of(model)
    at = shown_cuts(cuts, cuts.along(0), None, 2_000, telling)
    place = places(cuts, at, telling)
    apart = cuts.scattered[at] > 0
    assert place[~apart].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
    assert (np.diff(place[apart]) > 0).all()
    assert len(set(place.tolist())) == len(at)
    first = cuts.orders[0][0]
    for k in np.flatnonzero(apart).tolist():
        named = cuts.split(int(at[k])).projection.named
        with_first = len(named) if first in named else 6 - len(named)
        assert int(place[k] + 0.5) == with_first
        assert place[k] % 1 != 0.5
    band = np.floor(place[apart] + 0.5)
    if telling:
        score = cuts.score[at][apart]
        assert all((np.diff(score[band == size]) <= 0).all() for size in set(band.tolist()))
    else:  # nothing tells which is high
        assert (np.diff(at[apart]) > 0).all()


def test_while_it_is_asked_no_dot_tells_how_good_it_is() -> None:
    frame = frame_of(model_of(5), asking=True)
    assert "score" not in frame["cuts"][0]
    assert (np.diff(frame["cuts"][0]["index"]) > 0).all()


def test_the_caption_counts_the_subsets_and_says_what_the_small_dots_are() -> None:
    model = model_of(4)
    said = caption(model.data, cuts_of(model), (0, 1), pinned(model.data))
    assert said == (
        "g: 4 values, 2^(4-1) - 1 = 7 subsets. The curve has the cuts of their order; each small "
        "dot is another, behind the cut of as many values."
    )
    two = model_of(4, classes=2)
    assert caption(two.data, cuts_of(two), (0, 1), pinned(two.data)) == ""


def test_all_gains_has_them_as_small_faint_dots_that_can_be_chosen() -> None:
    model = model_of(5)
    cuts = cuts_of(model)
    chosen = int(np.flatnonzero(cuts.scattered)[3])
    found = gain_curves(model.data, cuts, chosen, lines=[0]).data
    curve, dots = found[0], found[1]
    assert (curve.mode, dots.mode) == ("lines+markers", "markers")
    assert len(curve.x) == 4
    assert sorted(dots.customdata) == np.flatnonzero(cuts.scattered).tolist()
    assert dots.marker.size < 5
    place = places(cuts, np.arange(cuts.along(0).stop))
    for trace in (curve, dots):
        for at, x, y, text in zip(trace.customdata, trace.x, trace.y, trace.text, strict=True):
            assert (x, y, text) == (place[at], cuts.score[at], cut_text(model.data, cuts, at))
    (diamond,) = (t for t in found if t.marker.symbol == "diamond")
    assert diamond.x[0] == place[chosen]


def test_the_public_table_lists_each_of_them_with_its_gain() -> None:
    model = model_of(4)
    found = dtviz.candidates(model.data, RULES)
    own = found[found["feature"] == "g"]
    assert len(own) == len(set(own["rule"])) == 7
    assert own["threshold"].isna().all()
    assert (own["n_left"] + own["n_right"] == model.data.n).all()
    cuts = cuts_of(model)
    assert table(Problem(model.data, RULES), cuts)["gain"].tolist() == cuts.gain.tolist()
