"""The rules that a data set starts with."""

from __future__ import annotations

from dataclasses import replace

from dtviz.engine.rules import Rules, default_rules
from dtviz.table.data import Recipe, Task
from dtviz.table.gallery import GALLERY


def usual_rules(recipe: Recipe, task: Task) -> Rules:
    """The rules before anything is chosen: no limits, the node that gains most splits next.

    The worked examples keep the order of their lectures, depth-first.
    """
    rules = default_rules(task)
    example = GALLERY.get(recipe.name)
    if example is not None and example.group == "Worked examples":
        return rules
    return replace(rules, order="best")
