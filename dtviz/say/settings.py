"""The rules in words, and what tells two sets of them apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.leaf_models import LEAF_MODELS
from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import Rules
from dtviz.engine.splits import FAMILIES
from dtviz.text import number

MOST_NAMED = 3
ORDER_NAMES = {"depth": "depth-first", "breadth": "breadth-first", "best": "best-first"}

NAMED: dict[str, Callable[[Rules], str]] = {
    "criterion": lambda rules: CRITERIA[rules.criterion].title,
    "order": lambda rules: ORDER_NAMES[rules.growing_order],
    "families": lambda rules: ", ".join(FAMILIES[one].title for one in rules.families),
    "missing": lambda rules: POLICIES[rules.missing].title,
    "leaf_model": lambda rules: (
        LEAF_MODELS[rules.leaf_model].title if rules.leaf_model else "usual leaves"
    ),
    "stop_at_zero_gain": lambda rules: (
        "stops at zero gain" if rules.stop_at_zero_gain else "goes on at zero gain"
    ),
}
"""The rules that have names for their values; the others are told by their own and a number."""


def rule_text(rules: Rules, name: str) -> str:
    """A rule's value: 'Gini', 'max_depth 3', 'no max_depth'."""
    if name in NAMED:
        return NAMED[name](rules)
    value = getattr(rules, name)
    return f"no {name}" if value is None else f"{name} {number(value)}"


def apart(one: Rules, other: Rules) -> tuple[str, str] | None:
    """What each of two has that the other has not, ('Gini', 'Entropy'); None if they are the same.

    Of very different ones the first few are told.
    """
    pairs = [tuple(rule_text(rules, each.name) for rules in (one, other)) for each in fields(Rules)]
    differing = [pair for pair in pairs if pair[0] != pair[1]]
    if not differing:
        return None
    more = len(differing) - MOST_NAMED
    rest = f" and {more} more" if more > 0 else ""
    first, second = (", ".join(side[:MOST_NAMED]) + rest for side in zip(*differing, strict=True))
    return first, second
