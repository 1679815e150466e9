"""Usual rules: the node that gains most is next, but in the worked examples of the lectures."""

from __future__ import annotations

from dtviz.engine.rules import Rules
from dtviz.screen.usual import usual_rules
from dtviz.table.data import Recipe
from dtviz.table.gallery import GALLERY, build, example_recipe


def test_data_grow_best_first_unless_a_lecture_grew_them_otherwise() -> None:
    for name, example in GALLERY.items():
        wanted = example_recipe(name)
        rules = usual_rules(wanted, build(wanted).task)
        worked = example.group == "Worked examples"
        assert rules.growing_order == ("depth" if worked else "best"), name
    assert usual_rules(Recipe("drawing"), "classification") == Rules(order="best")
    assert usual_rules(Recipe("upload"), "regression").growing_order == "best"
