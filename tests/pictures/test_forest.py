"""The picture of Forest: what it shows is what the ensemble says, and it says so in words."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of

from dtviz.base.text import number
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles import Plan, predictions_of_scores, scores_by_round
from dtviz.engine.ensembles.trees import predictions
from dtviz.engine.rules import Rules
from dtviz.pictures.forest import CELLS, TILES, forest_frame, forest_jobs, shown_rounds
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import plane_points
from dtviz.session.forest import forest_work
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Session


def here(name: str, most: int = 99, **plan: Any) -> Screen:
    """The screen of an example with so many works done."""
    recipe = example_recipe(name)
    data, done = build(recipe), dict[Any, Any]()
    rules = Rules("gini" if data.classes else "squared_error")
    screen = screen_of(Session(recipe, rules, plan=Plan(**plan)), data, future_of(data))

    def limited(work: Any) -> Any:
        if work.key not in done and len(done) < most:
            done[work.key] = screen.result_of(work)
        return done.get(work.key)

    return replace(screen, result_of=limited)


def test_the_first_rounds_are_all_shown_and_then_ever_fewer() -> None:
    assert shown_rounds(1).tolist() == [1]
    assert shown_rounds(7).tolist() == [1, 2, 3, 4, 5, 6, 7]
    many = shown_rounds(300)
    assert many[:10].tolist() == [*range(1, 11)]
    assert many[-1] == 300
    assert len(many) < 60
    assert (np.diff(np.diff(many)) >= -1).all()


def test_each_picture_is_what_the_trees_so_far_predict() -> None:
    for name, kind in (("moons", "forest"), ("iris", "adaboost"), ("moons", "gradient")):
        screen = here(name, kind=kind, trees=12)
        frame = forest_frame(screen, LIGHT, "x")
        ensemble = screen.result_of(forest_work(screen.session, screen.data)).ensemble
        points = plane_points(screen.data, screen.axes, pinned_values(screen.data), CELLS)
        scores = scores_by_round(ensemble, predictions(ensemble.members, points))
        rounds = frame["rounds"].tolist()
        codes = dict(zip(rounds, frame["surface"]["code"].reshape(len(rounds), -1), strict=True))
        for k, score in enumerate(scores, 1):
            if k in codes:
                assert codes[k].tolist() == predictions_of_scores(ensemble, score).tolist(), (
                    name,
                    kind,
                )
        assert rounds[-1] == 12
        assert len(frame["headlines"]) == len(rounds)


def test_the_tiles_are_the_first_trees_alone() -> None:
    screen = here("moons", kind="bagging", trees=20)
    frame = forest_frame(screen, LIGHT, "x")
    assert [tile["member"] for tile in frame["tiles"]] == [*range(TILES)]
    wide = frame["trees"]["cells_across"]
    points = plane_points(screen.data, screen.axes, pinned_values(screen.data), wide)
    members = screen.result_of(forest_work(screen.session, screen.data)).ensemble.members
    expected = predictions(members, points, np.arange(TILES))
    assert frame["trees"]["code"].tolist() == expected.ravel().tolist()


def test_a_number_over_a_single_feature_is_a_line() -> None:
    frame = forest_frame(here("sine", kind="forest", trees=5), LIGHT, "x")
    assert frame["form"] == "strip"
    assert frame["strip"].shape == (len(frame["rounds"]) * CELLS,)
    assert frame["surface"]["cells_up"] == 1


def test_rows_stand_as_large_as_a_round_weighs_them() -> None:
    screen = here("moons", kind="adaboost", trees=6)
    frame = forest_frame(screen, LIGHT, "x")
    mass = frame["point_size"].reshape(len(frame["rounds"]), screen.data.n)
    assert (mass[0] == 255).all()  # all alike before the first tree
    stood = screen.result_of(forest_work(screen.session, screen.data)).ensemble.row_emphasis
    assert stood is not None
    assert mass[3].argmax() in np.flatnonzero(stood[3] >= np.quantile(stood[3], 0.9))
    assert frame["point_size_note"] == "A point is as large as its row weighs for the next tree."
    assert "mass" not in forest_frame(here("moons", trees=3), LIGHT, "x")


def test_words_have_the_errors_and_their_band_and_features_stand_by_their_worth() -> None:
    frame = forest_frame(here("iris", trees=10), LIGHT, "x")
    counts = (
        r"\d+ of 150 training rows (is|are) wrong, (\d+) of (\d+) out-of-bag rows, (\S+)\u00a0% ±"
    )
    assert re.match(f"1 tree: {counts}", frame["headlines"][0])
    last = re.match(f"10 trees: {counts}", frame["headlines"][-1])
    assert last is not None
    assert number(100 * int(last[2]) / int(last[3]), 3) == last[4]
    assert int(last[3]) > 140
    assert "±" in frame["headlines"][-1]
    assert all("\u00a0%" in words and " %" not in words for words in frame["headlines"])
    boosted = forest_frame(here("moons", kind="gradient", trees=3), LIGHT, "x")
    assert boosted["headlines"][-1].startswith("3 rounds: ")
    assert re.search(r"training rows are wrong, \d+ of \d+ held-out rows", boosted["headlines"][-1])
    numbers = forest_frame(here("sine", trees=3), LIGHT, "x")
    assert numbers["headlines"][-1].startswith("3 trees: training squared error ")
    assert "out-of-bag squared error" in numbers["headlines"][-1]
    assert [curve["name"] for curve in boosted["errors"]] == ["training", "held out"]
    shares = [feature["impurity"] for feature in frame["importances"]]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1)
    assert all(worth["low"] <= worth["permuted"] <= worth["high"] for worth in frame["importances"])


def test_before_the_trees_are_grown_the_points_stand_alone() -> None:
    for most, names in ((0, ["grove"]), (1, ["grove", "shown", "worth"])):
        screen = here("moons", most, trees=4)
        frame = forest_frame(screen, LIGHT, "x")
        assert frame["rounds"].tolist() == []
        assert frame["bare"]
        assert frame["description"]
        assert [work.key[0] for work in forest_jobs(screen)] == names
    frame = forest_frame(here("moons", 2, trees=4), LIGHT, "x")
    assert frame["rounds"].tolist() == [1, 2, 3, 4]
    assert "permuted" not in frame["importances"][0]
