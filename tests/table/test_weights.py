"""What rows count for as parameters of a recipe, and the columns that can say it."""

from __future__ import annotations

import pandas as pd
import pytest

from dtviz.screen.address import read, write
from dtviz.screen.session import Session
from dtviz.table import uploads, weights
from dtviz.table.data import DataError
from dtviz.table.origins import ORIGINS
from dtviz.table.values import write_value

FRAME = pd.DataFrame({"w": [1.0, 2, 3, 0], "x": [1.0, 2, 3, 4], "y": ["a=b", "a=b", "[c", "[c"]})


ABOUT = uploads.recipe_of("01", "a.csv", "y", None, "classification")


def test_weights_go_through_the_address_to_the_rows() -> None:
    for params, counted in (
        ({"sample_weight": "w"}, [1, 2, 3]),
        ({"class_weight": "balanced"}, [1, 1, 1, 1]),
        ({"class_weight": ("a=b=2", "[c=0.5")}, [2, 2, 0.5, 0.5]),
        ({"priors": ("[c=0.25", "a=b=0.75")}, [1.5, 1.5, 0.5, 0.5]),
        ({"class_weight": ("[c=3",), "sample_weight": "w"}, [1, 2, 9]),
    ):
        wanted = uploads.also(ABOUT, **params)
        data = uploads.build(wanted, {"01": (FRAME, ())})
        assert data.weights.tolist() == pytest.approx(counted), params
        link = write(Session(wanted), data, lambda *_: ())
        texts = {name: write_value(value) for name, value in params.items()}
        assert {name: link[name] for name in params} == texts
        assert read(link, wanted).recipe == wanted, params
        assert read(link, wanted).problems == (), params


def test_weights_costs_and_types_that_an_address_cannot_mean_are_left_out_and_said() -> None:
    link = {"data": "file", "sha": "01", "file": "a.csv", "target": "y"}
    many = str([f"{k}=1" for k in range(501)]).replace("'", '"')
    for name, texts in (
        ("sample_weight", ['["w"]']),
        ("class_weight", ["even", "[]", '["a"]', '["a=1e999"]', '["a=-1"]', '["a=nan"]']),
        ("priors", ["balanced", many]),
        ("costs", ["5", '["a=0"]', '["a=0,5","b=1"]', '["a=0,5","a=1,0"]', '["a=0,-5","b=1,0"]',
                   '["a=0,nan","b=1,0"]', '["a=0,1e999","b=1,0"]']),
        ("types", ["zip=category", '["zip"]', '["zip=x"]', "[]", '["=number="]']),
    ):  # fmt: skip
        for text in texts:
            found = read(link | {name: text}, ABOUT)
            assert [problem.startswith(f"'{name}=") for problem in found.problems] == [True], text
            assert found.recipe == ABOUT, (name, text)
    for params in ({"class_weight": "balanced"}, {"costs": '["a=0,5","b=1,0"]'}):
        found = read(link | params | {"task": "regression"}, ABOUT)
        assert [problem.startswith(f"'{next(iter(params))}=") for problem in found.problems] == [
            True
        ]
        assert not {*params} & {*dict(found.recipe.params)}
    both = uploads.also(ABOUT, class_weight="balanced", priors=("a=1",))
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
        if can:
            frame = pd.DataFrame({"w": series, "x": [1.0, 2, 3], "y": ["a", "b", "a"]})
            data = uploads.build(uploads.also(ABOUT, sample_weight="w"), {"01": (frame, ())})
            assert data.features == ("x",), values
