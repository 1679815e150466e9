"""What rows count for as parameters of a recipe, and the columns that can say it."""

from __future__ import annotations

import pandas as pd
import pytest

from dtviz.screen.address import read, write
from dtviz.screen.session import Session
from dtviz.table import uploads, weights
from dtviz.table.data import DataError, Recipe, Value
from dtviz.table.origins import ORIGINS
from dtviz.table.values import write_value

FRAME = pd.DataFrame({"w": [1.0, 2, 3, 0], "x": [1.0, 2, 3, 4], "y": ["a=b", "a=b", "[c", "[c"]})


def of_file(**params: Value) -> Recipe:
    return uploads.also(uploads.recipe_of("01", "a.csv", "y", None, "classification"), **params)


WEIGHED = (
    ({"sample_weight": "w"}, [1, 2, 3]),
    ({"class_weight": "balanced"}, [1, 1, 1, 1]),
    ({"class_weight": ("a=b=2", "[c=0.5")}, [2, 2, 0.5, 0.5]),
    ({"priors": ("[c=0.25", "a=b=0.75")}, [1.5, 1.5, 0.5, 0.5]),
    ({"class_weight": ("[c=3",), "sample_weight": "w"}, [1, 2, 9]),
)


def test_weights_go_through_the_address_to_the_rows() -> None:
    for params, counted in WEIGHED:
        wanted = of_file(**params)
        found = uploads.build(wanted, {"01": (FRAME, ())})
        assert found.weights is not None, params
        assert found.weights.tolist() == pytest.approx(counted), params
        link = write(Session(wanted), found, lambda *_: ())
        assert {name: link[name] for name in params} == {
            k: write_value(v) for k, v in params.items()
        }, params
        assert read(link, wanted).recipe == wanted, params
        assert read(link, wanted).problems == (), params


def test_weights_that_an_address_cannot_mean_are_left_out_and_said() -> None:
    for params in (
        {"sample_weight": '["w"]'}, {"class_weight": "even"}, {"class_weight": "[]"},
        {"class_weight": '["a"]'}, {"class_weight": '["a=1e999"]'}, {"class_weight": '["a=-1"]'},
        {"class_weight": '["a=nan"]'}, {"priors": "balanced"},
        {"priors": str([f"{k}=1" for k in range(501)]).replace("'", '"')},
        {"class_weight": "balanced", "task": "regression"},
    ):  # fmt: skip
        wanted = uploads.recipe_of("01", "a.csv", "y", None, "classification")
        link = {"data": "file", "sha": "01", "file": "a.csv", "target": "y"}
        found = read(link | params, wanted)
        (name, *_) = params
        assert [problem.startswith(f"'{name}=") for problem in found.problems] == [True], params
        assert not {"sample_weight", "class_weight", "priors"} & {*dict(found.recipe.params)}, (
            params
        )


def test_of_class_weights_and_priors_an_address_keeps_the_first() -> None:
    both = of_file(class_weight="balanced", priors=("a=1",))
    with pytest.raises(DataError, match="left out beside") as error:
        ORIGINS["file"].complete(both)
    assert error.value.parameter == "priors"


def test_a_column_of_numbers_none_of_them_negative_can_weigh() -> None:
    for values, can in (
        ([0, 1, 2.5], True), ([1, 1, 1], True), ([0, 0, 0], False), ([1, -1, 1], False),
        ([1, None, 1], False), ([1, 1e101, 1], False), ([1, float("inf"), 1], False),
        (["1", "2", "3"], False), ([True, False, True], False),
        (pd.to_datetime(["2024-01-01"] * 3), False),
    ):  # fmt: skip
        series = pd.Series(values, name="w")
        assert weights.can_weigh(series) is can, values
        frame = pd.DataFrame({"w": series, "x": [1.0, 2, 3], "y": ["a", "b", "a"]})
        wanted = of_file(sample_weight="w")
        if can:
            assert uploads.build(wanted, {"01": (frame, ())}).features == ("x",), values
