"""What is said of trees of other rows."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of

from dtviz import fit
from dtviz.base.lazy import Cache
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset, make_recipe
from dtviz.data.gallery import load
from dtviz.engine.chance import Chance
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import axis_split
from dtviz.evaluate import stability
from dtviz.evaluate.metrics import accuracy
from dtviz.evaluate.stability import ROW_SAMPLINGS, StabilitySettings, StabilityTrees, compare_trees
from dtviz.explain.why import chance_text
from dtviz.session import headlines
from dtviz.session.headlines import chance_line, stability_headline, stability_limits, worth_text
from dtviz.session.overfit import split_rows
from dtviz.session.screen import screen_of
from dtviz.session.session import Session, go_to_step


def pair(n: int = 6) -> Dataset:
    """One cut in the middle parts both classes; only its neighbours move it."""
    return make_dataset(
        [np.arange(float(n))], (np.arange(n) >= n // 2).astype(int), ["x"], "y", "AB"
    )


def numbers() -> Dataset:
    return make_dataset([np.arange(4.0)], np.array([0.0, 0, 8, 8]), ["x"], "y")


def found(data: Dataset, shake: StabilitySettings, rules: Rules | None = None) -> StabilityTrees:
    asked = rules or default_rules(data.task)
    places = np.tile(np.arange(6.0), (len(data.features), 1))
    return run_to_end(compare_trees(data, asked, shake, places))


def said(data: Dataset, rules: Rules | None = None, **asked: Any) -> str:
    shake = StabilitySettings(**asked)
    return stability_headline(data, shake, found(data, shake, rules))


def test_each_row_is_left_out_and_trees_that_differ_are_counted() -> None:
    # without row 2 the cut is at 2, without row 3 at 3: there row 3 itself goes left
    assert said(pair()) == (
        "We left out each of the 6 rows in turn. 4 times the tree stayed the same; twice even the "
        "first cut changed, on the same feature."
    )


def test_other_first_cuts_say_whether_the_feature_is_another_too() -> None:
    assert "; 3 times even the first cut changed, twice to another feature." in said(
        load("age_car_risk")
    )
    assert "; 3 times even the first cut changed, to another feature." in said(load("play_tennis"))


def test_numbers_are_told_by_how_far_they_are_off() -> None:
    assert said(numbers(), Rules("squared_error", max_depth=1)).endswith(
        "On average the prediction moved by 0.5 at a row, by 0.333 over the picture."
    )


def test_all_none_and_one_are_told_in_words() -> None:
    still = said(pair(), Rules("gini", min_gain=0.9))
    assert (
        " Every time all cuts stayed the same. On average 3 of 6 rows got another class." in still
    )
    assert "The tree never stayed the same; the first cut never changed." not in still
    assert " The tree never stayed the same; every time even the first cut " in said(pair(2))


def test_the_way_says_what_the_trees_are_grown_on() -> None:
    assert said(pair(), way="some", percent=50, trees=3).startswith(
        "We left out 3 of the 6 rows, 3 times. "
    )
    assert said(pair(), way="resample", trees=3).startswith(
        "We drew 6 rows again and again, 3 times. "
    )


def test_bounds_are_said_where_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ROW_SAMPLINGS:
        shake = StabilitySettings(way, trees=8)
        assert stability_limits(pair(), Rules(), shake, found(pair(), shake), 8) == ""
        with monkeypatch.context() as patch:
            patch.setitem(stability.MAX_ROWS_TOGETHER, "classification", 30)
            text = stability_limits(pair(), Rules(), shake, found(pair(), shake), 3)
        room = "all trees together have room for 30 rows"
        if way == "one":
            assert f"Of 6 rows 5 are left out in turn, drawn by the seed: {room}." in text
        else:
            assert f"5 trees instead of 8: {room}." in text, way
        assert text.endswith("The 3 trees that change most can be looked at; all 5 count.")


def chance_at(name: str, steps: int = 0, rules: Rules | None = None, **parts: Any) -> str:
    data = load(name)
    future, asked = future_of(data), rules or default_rules(data.task)
    session = go_to_step(Session(make_recipe(name), asked), steps, future)
    return chance_line(screen_of(replace(session, **parts), data, future))


def test_the_chance_of_the_best_cut_is_told_by_shuffles_and_by_bonferroni() -> None:
    assert chance_at("iris") == (
        "A cut this good comes by chance in 0 of 100 shuffles; p ≈ 4.1e-40 by Bonferroni over "
        "119 cuts (logworth 39.4)."
    )
    # of the 12 rows too few lie on a side for chi-square
    assert chance_at("good_place") == "A cut this good comes by chance in 100 of 100 shuffles."
    stopped = chance_at("titanic", 99, Rules(max_p_value=0.05))
    assert stopped.startswith("A cut this good comes by chance in 0 of 100 shuffles; p ≈ ")
    for hidden in ({"hidden": ("gains",)}, {"ask": True}, {"cut": axis_split(1, 3.35)}):
        assert chance_at("iris", **hidden) == "", hidden
    assert chance_at("iris", 1, focus=2) == ""  # setosa alone: no cut can gain anything


def test_of_many_rows_the_chance_is_told_without_shuffles(monkeypatch: pytest.MonkeyPatch) -> None:
    slanted = Rules(families=("axis", "oblique"))
    assert chance_at("rpart_treble").startswith("A cut this good comes by chance in 1 of 100 shu")
    # directions are fitted to the targets, so that Bonferroni is no bound
    assert chance_at("good_place", 0, slanted).endswith(" of 100 shuffles.")
    monkeypatch.setattr(headlines, "MAX_SHUFFLED_CELLS", 50)
    assert chance_at("iris") == (
        "The chance of a cut this good: p ≈ 4.1e-40 by Bonferroni over 119 cuts (logworth 39.4)."
    )
    assert chance_at("good_place", 0, slanted) == ""
    monkeypatch.setattr(headlines, "MAX_TESTED_CELLS", 50)
    assert chance_at("iris") == ""


def test_a_p_value_below_every_float_is_told_by_its_power_of_ten() -> None:
    for log_p, text in (
        (0.0, "p ≈ 1 by"), (math.log(0.0123), "p ≈ 0.012 by"), (-math.inf, "p ≈ 0 by"),
        (-1000 * math.log(10) + math.log(2.5), "p ≈ 2.5e-1000 by"),
        (-1000 * math.log(10) + math.log(9.96), "p ≈ 1e-999 by"),
    ):  # fmt: skip
        assert text in chance_text(Chance(0, 100, 3, log_p))
    assert "over 1.607e+60 cuts (" in chance_text(Chance(0, 100, 2**200, -3.0))


def worth(data: Dataset, steps: int, rules: Rules | None = None) -> str:
    future = future_of(data)
    session = Session(make_recipe("iris"), rules or default_rules(data.task))
    return worth_text(screen_of(go_to_step(session, steps, future), data, future))


def test_the_tree_is_judged_on_its_rows_and_its_moves_on_rows_held_out() -> None:
    data, rules = load("iris"), Rules(max_leaf_nodes=4, order="best")
    assert worth(data, 0).startswith("50 of 150 right; held out ")
    rows = split_rows(Session(make_recipe("iris")), data, Cache())
    assert rows.held is not None
    right, held = (
        round(accuracy(judged, fit(grown, rules).tree) * judged.n)
        for judged, grown in ((data, data), (rows.held, rows.training))
    )
    assert worth(data, 3, rules) == f"{right} of 150 right; held out {held} of {rows.held.n}"


def test_numbers_are_judged_in_their_unit() -> None:
    # one cut in the middle is never off; 4 is the mean of the numbers
    assert worth(numbers(), 0).startswith("off by 4 on average (4 with one leaf); held out ")
    assert worth(numbers(), 1).startswith("off by 0 on average (4 with one leaf); held out ")


def test_test_rows_are_judged_by_the_tree_itself() -> None:
    data = replace(pair(), test=pair(2))
    assert worth(data, 1) == "6 of 6 right; test 1 of 2"


def test_large_tables_are_judged_on_their_own_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headlines, "MAX_ROWS_JUDGED", 5)
    assert worth(pair(), 1) == "6 of 6 right"
