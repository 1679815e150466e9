"""The chart of what growing costs shows the looks that the engine counts, and only those."""

from __future__ import annotations

import pytest

import dtviz
from dtviz.engine.operations import WAYS, balanced, chain, shape_of
from dtviz.figures.operations import CURVES, POINTS, cost_curves, sizes_to
from dtviz.figures.palette import DARK

TREE = shape_of(dtviz.fit(dtviz.load("moons")).tree)
BY_NAME = {way.name: way for way in WAYS}


def test_lines_are_balanced_trees_and_chains_and_stars_this_tree() -> None:
    traces = {trace.name: trace for trace in cost_curves(TREE, 2, DARK).data}
    assert {*CURVES} <= {*traces}
    for name in ("naive", "presorted"):
        for words, shape in (("balanced", balanced), ("chain", chain)):
            line = traces[f"{name}, {words}"]
            assert line.x[-1] == TREE.n
            assert line.y[-1] == BY_NAME[name].looks(shape(TREE.n), 2)
        star = traces[f"{name}, this tree"]
        assert (star.x, star.y) == ((TREE.n,), (BY_NAME[name].looks(TREE, 2),))


def test_places_run_from_2_to_all_rows() -> None:
    for n in (2, 3, 50, 10**7):
        places = sizes_to(n)
        assert (places[0], places[-1]) == (2, n)
        assert places == sorted({*places}), n
        assert len(places) <= POINTS, n


def test_chains_follow_the_square_and_searched_naively_the_cube() -> None:
    traces = {trace.name: trace for trace in cost_curves(chain(10_000), 3).data}
    assert traces["presorted, chain"].y[-1] == pytest.approx(traces["M n²"].y[-1], rel=0.02)
    assert traces["naive, chain"].y[-1] == pytest.approx(traces["M n³ / 3"].y[-1], rel=0.02)
