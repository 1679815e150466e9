"""Changes of a session in words, for the buttons that undo and redo them."""

from __future__ import annotations

from dataclasses import fields

from dtviz.base.text import markdown
from dtviz.data.drawing import title_of
from dtviz.explain.words import rule_differences
from dtviz.session.session import Session

MAX_CHANGES_NAMED = 2
FIELD_TEXTS = {
    "log": "step",
    "undone": "step",
    "branches": "branches",
    "focus": "node that is looked at",
    "cut": "cut that is looked at",
    "axes": "axes",
    "ask": "Ask first",
    "hidden": "hidden controls",
    "say": "line on top",
    "judging": "how Overfit judges",
    "lab": "numbers of Impurity",
    "plan": "trees of Forest",
    "shake": "trees of Stability",
    "pins": "fixed features",
    "tour": "tour",
    "row": "row",
    "beside": "comparison",
}
"""Noun of what a field of a session holds, by field; fields that are not here are not named."""


def change_text(before: Session, after: Session) -> str:
    """Return in words what differs between two sessions: 'Depth at most 4'; '' for nothing.

    Rules are named by the values that they get, new data by their title.
    """
    if before.recipe != after.recipe:
        return f"the data {markdown(title_of(after.recipe), 40)}"
    differences = rule_differences(before.rules, after.rules)
    if differences is not None:
        return differences[1]
    texts = [
        FIELD_TEXTS[field.name]
        for field in fields(Session)
        if field.name in FIELD_TEXTS and getattr(before, field.name) != getattr(after, field.name)
    ]
    return " and ".join([*dict.fromkeys(texts)][:MAX_CHANGES_NAMED])
