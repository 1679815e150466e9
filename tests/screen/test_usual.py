"""Usual rules: the node that gains most is next, but in the worked examples of the lectures."""

from __future__ import annotations

import pytest

from dtviz.engine.rules import Rules
from dtviz.screen.usual import usual_rules
from dtviz.table.data import Recipe
from dtviz.table.gallery import GALLERY, build, example_recipe


@pytest.mark.parametrize("name", GALLERY)
def test_an_example_grows_best_first_unless_a_lecture_grew_it_otherwise(name: str) -> None:
    wanted = example_recipe(name)
    rules = usual_rules(wanted, build(wanted).task)
    worked = GALLERY[name].group == "Worked examples"
    assert rules.growing_order == ("depth" if worked else "best")


def test_what_is_drawn_or_uploaded_grows_best_first_too() -> None:
    assert usual_rules(Recipe("drawing"), "classification") == Rules(order="best")
    assert usual_rules(Recipe("upload"), "regression").growing_order == "best"
