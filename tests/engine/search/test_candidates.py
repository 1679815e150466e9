"""Of many features those with the best cuts: searched a few at a time, the same as all at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import data

from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA, default_criterion
from dtviz.engine.search import candidates as module
from dtviz.engine.search.candidates import (
    best_features,
    best_lines,
    can_show_cuts,
    max_cuts_of_line,
    select_lines,
    top_scores,
)
from dtviz.engine.search.evaluate import evaluate_frontier
from dtviz.engine.search.frontier import frontier
from dtviz.engine.splits.split import Minimum


@given(data(), st.integers(1, 40), st.integers(1, 3))
def test_a_few_lines_at_a_time_score_as_all_together(found: Dataset, room: int, least: int) -> None:
    criterion = CRITERIA[default_criterion(found.task)]
    few, rows = Minimum(least), np.arange(found.n)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MAX_CUTS_SHOWN", room)
        scores = top_scores(found, rows, criterion, few)
    cuts = evaluate_frontier(found, frontier(found, [rows]), criterion, few)
    allowed, line = cuts.admissible, cuts.lines_of(np.arange(len(cuts.node)))
    for f, score in enumerate(scores.tolist()):
        own = cuts.score[allowed & (line == f)]
        assert score == own.max(initial=-np.inf)


def test_there_is_room_for_so_many_cuts_and_for_two_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CUTS_SHOWN", 100)
    monkeypatch.setattr(module, "MIN_LINES_SHOWN", 2)
    assert can_show_cuts(10, 10)
    assert not can_show_cuts(11, 10)
    assert can_show_cuts(2, 10_000)
    top = np.array([0.5, -np.inf, 2.0, 0.5, 1.0])
    assert best_lines(top, 10_000) == (2, 4)
    assert best_lines(top, 33) == (0, 2, 4)  # of equal ones the first
    assert best_lines(top, 1) == (0, 1, 2, 3, 4)


def test_a_category_may_have_more_cuts_than_rows() -> None:
    levels, y = (tuple("abcdefghij"),), np.arange(10) % 2
    found = make_dataset([np.arange(10)], y, "x", "y", "uv", categories=levels)
    assert [max_cuts_of_line(found, rows) for rows in (200, 2_000)] == [511, 2_000]
    assert max_cuts_of_line(make_dataset([np.arange(10)], y, "x", "y", "uv"), 200) == 200


def test_some_lines_keep_their_levels() -> None:
    levels = ((), ("a", "b"), ())
    found = make_dataset(
        [[1, 2], [0, 1], [5, 6]], np.array([0, 1]), "xcz", "y", "uv", categories=levels
    )
    part = select_lines(found, np.array([1, 2]))
    assert part.columns.tolist() == [[0, 1], [5, 6]]
    assert part.levels == levels[1:]


def test_the_best_two_of_many_features() -> None:
    random = np.random.default_rng(1)
    y = random.integers(0, 2, 50)
    columns = random.normal(size=(300, 50))
    columns[[7, 210]] += 3 * y
    found = make_dataset(columns, y, [f"x{i}" for i in range(300)], "y", "ab")
    assert best_features(found, CRITERIA["entropy"]) == (7, 210)
