"""What tells two sets of rules apart, in words."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from strategies import rules_for

from dtviz import Rules
from dtviz.say.settings import MOST_NAMED, NAMED, apart, rule_text

GINI = Rules("gini")


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (Rules(), GINI, ("Entropy", "Gini")),
        (replace(GINI, max_depth=3), GINI, ("max_depth 3", "no max_depth")),
        (Rules(purity=0.9), GINI, ("Entropy, purity 0.9", "Gini, purity 1")),
        (Rules(order="best"), Rules(), ("best-first", "depth-first")),
        (Rules(stop_at_zero_gain=True), Rules(), ("stops at zero gain", "goes on at zero gain")),
        (Rules(leaf_model="majority"), Rules(), ("Majority class", "usual leaves")),
        (Rules(missing="majority"), Rules(), ("Majority side", "Learned side")),
        (
            Rules("gini", 3, min_samples_leaf=4, purity=0.9, ccp_alpha=0.1),
            Rules(),
            (
                "Gini, max_depth 3, min_samples_leaf 4 and 2 more",
                "Entropy, no max_depth, min_samples_leaf 1 and 2 more",
            ),
        ),
    ],
)
def test_each_side_is_told_by_what_the_other_has_not(
    one: Rules, other: Rules, told: tuple[str, str]
) -> None:
    assert apart(one, other) == told
    assert apart(other, one) == told[::-1]


def test_the_same_growing_is_no_difference() -> None:
    assert apart(Rules(), Rules()) is None
    assert apart(Rules(order="depth"), Rules()) is None  # what none stands for


@given(rules_for("classification"), rules_for("classification"))
def test_any_two_are_told_apart_where_they_differ(one: Rules, other: Rules) -> None:
    told = apart(one, other)
    assert told is None or told[0] != told[1]
    assert told is None or all(side.count(",") < MOST_NAMED * 8 for side in told)
    assert {*NAMED} < {field.name for field in fields(Rules)}
    assert rule_text(replace(one, max_depth=7), "max_depth") == "max_depth 7"
