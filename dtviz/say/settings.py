"""The rules in words, and what tells two sets of them apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, NamedTuple

from dtviz.engine.criteria import CRITERIA
from dtviz.engine.leaf_models import LEAF_MODELS
from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import Rules
from dtviz.engine.splits import FAMILIES
from dtviz.text import number

MOST_NAMED = 3


class Setting(NamedTuple):
    """A rule in plain words, what it does, and how no limit of it is said."""

    words: str
    about: str = ""
    free: str = ""


SETTINGS = {
    "criterion": Setting("Criterion"),
    "max_depth": Setting(
        "Depth at most", "No node is deeper than this; the root has depth 0.", "Any depth"
    ),
    "max_leaf_nodes": Setting(
        "Leaves at most", "Growing stops at this many leaves.", "Any number of leaves"
    ),
    "min_samples_leaf": Setting("Smallest leaf", "A cut must leave this many rows on both sides."),
    "min_samples_split": Setting("Smallest node to split", "A node with fewer rows stays a leaf."),
    "order": Setting("Which node is next"),
    "families": Setting("Cuts compared"),
    "missing": Setting("Missing values"),
    "leaf_model": Setting("A leaf predicts"),
    "min_gain": Setting("Least gain", "A best cut that gains less does not split."),
    "purity": Setting("Pure enough", "A class with this share stops the node."),
    "min_impurity_decrease": Setting(
        "Least decrease",
        "A best cut stays where its gain times the node's share of all rows is this much.",
    ),
    "min_weight_fraction_leaf": Setting(
        "Lightest leaf",
        "A cut must leave this share of the weight of all rows on both sides.",
    ),
    "ccp_alpha": Setting(
        "Prune up to", "After growing, splits that gain no more than this a leaf are pruned."
    ),
    "stop_at_zero_gain": Setting(
        "Stop at zero gain", "XOR needs it off: its first cut gains nothing."
    ),
}
"""What every rule is called wherever a person reads of it, in the order of the settings."""

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


def told(name: str, value: Any, text: Callable[[Any], str] = number) -> str:
    """A rule with its value: 'Depth at most 3', 'Any depth'."""
    words, _, free = SETTINGS[name]
    return free if value is None else f"{words} {text(value)}"


def rule_text(rules: Rules, name: str) -> str:
    """A rule's value inside of a sentence: 'Gini', 'depth at most 3', 'any depth'."""
    return NAMED[name](rules) if name in NAMED else told(name, getattr(rules, name)).lower()


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
    return first[:1].upper() + first[1:], second[:1].upper() + second[1:]
