"""Where rows without a value go, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import dtviz
from dtviz import Rules
from dtviz.engine.problem import Problem
from dtviz.engine.splits import Axis, Known, Split
from dtviz.say.gaps import StandIn, gaps_told

FRAME = pd.DataFrame(
    {
        "x": [1.0, 2, 3, 4, 5, 6, 7, 8, np.nan, np.nan, np.nan],
        "z": [10.0, 20, 30, 40, 50, 60, 70, 80, 15, 75, np.nan],
        "y": [*"ppppqqqqpqq"],
    }
)
CUT = Split(Axis(0), 4.5)


def told(policy: str, frame: pd.DataFrame = FRAME) -> str:
    data = dtviz.from_frame(frame, "y")
    found = gaps_told(Problem(data, Rules(missing=policy)), np.arange(data.n), CUT)
    assert found is not None
    return found.sentence


def test_a_learned_side_is_told_with_the_gain_of_both() -> None:
    said = told("learned")
    assert said.startswith("3 of 11 rows lack x: on the left the gain is 0.4")
    assert said.endswith("they go right.")


def test_majority_and_a_value_of_its_own_say_why() -> None:
    assert told("majority") == "3 of 11 rows lack x; such a row goes left, with most of the others."
    assert told("value").endswith("missing is below every number, so they go left.")


def test_surrogates_are_listed_with_the_rows_that_each_sends() -> None:
    data = dtviz.from_frame(FRAME, "y")
    found = gaps_told(Problem(data, Rules(missing="surrogates")), np.arange(11), CUT)
    assert found is not None
    assert found.stand_ins == (StandIn("z <= 45", "left", 1.0, 1.0, 2),)
    assert found.sentence == (
        "3 of 11 rows lack x; such a row goes where the first surrogate with a value sends it; "
        "where none can (1 row), left, with most of the others."
    )


def test_a_cut_without_surrogates_says_so() -> None:
    assert told("surrogates", FRAME[["x", "y"]]) == (
        "3 of 11 rows lack x; no surrogate agrees enough: left, with most of the others."
    )


def test_nothing_is_told_where_no_row_lacks_a_value_or_that_is_what_is_asked() -> None:
    whole = dtviz.from_frame(FRAME.dropna(), "y")
    assert gaps_told(Problem(whole, Rules()), np.arange(8), CUT) is None
    data = dtviz.from_frame(FRAME, "y")
    assert gaps_told(Problem(data, Rules()), np.arange(11), Split(Known((0,)), 0.5)) is None


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ([3.0, None], ("x <= 4.5: yes",)),
        ([None, 60.0], ("x missing, by surrogate 1, z <= 45: right",)),
        ([None, None], ("x missing: left",)),
    ],
)
def test_the_path_of_a_row_says_what_decided(row: list[float | None], said: tuple[str]) -> None:
    data = dtviz.from_frame(FRAME, "y")
    model = dtviz.fit(data, Rules(missing="surrogates"), [dtviz.Grow(1, CUT)])
    assert model.path_told(row) == said
    assert model.path_told(dict(zip("xz", row, strict=True))) == said
