"""What undo takes back is said in words."""

from __future__ import annotations

from dataclasses import fields, replace

from dtviz.data.dataset import Recipe
from dtviz.engine.rules import Rules
from dtviz.session.changes import FIELD_TEXTS, change_text
from dtviz.session.session import Judging, Session

HERE = Session(Recipe("iris"), Rules(max_depth=3))


def test_a_change_is_named_by_what_it_changes() -> None:
    for after, text in (
        (HERE, ""),
        (replace(HERE, rules=Rules(max_depth=4)), "Depth at most 4"),
        (replace(HERE, rules=Rules()), "Any depth"),
        (replace(HERE, rules=Rules(max_depth=3, criterion="gini")), "Gini"),
        (replace(HERE, recipe=Recipe("moons"), rules=Rules()), "the data Moons"),
        (replace(HERE, judging=Judging(share=0.4)), "how Overfit judges"),
        (replace(HERE, focus=2, ask=True), "node that is looked at and Ask first"),
        (replace(HERE, opened=3), ""),
    ):
        assert change_text(HERE, after) == text


def test_every_field_that_a_person_changes_has_words() -> None:
    names = {field.name for field in fields(Session)}
    assert names - {*FIELD_TEXTS} == {"recipe", "rules", "opened", "extra"}
    assert {*FIELD_TEXTS} <= names
