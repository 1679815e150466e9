"""What tells two sets of rules apart, in words."""

from __future__ import annotations

from dataclasses import fields, replace

from hypothesis import given
from strategies import rules_for

from dtviz import Rules
from dtviz.say.settings import MOST_NAMED, NAMED, SETTINGS, apart, rule_text, told

GINI = Rules("gini")


def test_each_side_is_named_by_what_the_other_has_not() -> None:
    for rules, other, words in (
        (Rules(), GINI, ("Entropy", "Gini")),
        (replace(GINI, max_depth=3), GINI, ("Depth at most 3", "Any depth")),
        (Rules(purity=0.9), GINI, ("Entropy, pure enough 0.9", "Gini, pure enough 1")),
        (Rules(order="best"), Rules(), ("Best-first", "Depth-first")),
        (Rules(stop_at_zero_gain=True), Rules(), ("Stops at zero gain", "Goes on at zero gain")),
        (Rules(leaf_model="majority"), Rules(), ("Majority class", "Usual leaves")),
        (Rules(missing="majority"), Rules(), ("Majority side", "Learned side")),
        (
            Rules("gini", 3, min_samples_leaf=4, purity=0.9, ccp_alpha=0.1),
            Rules(),
            (
                "Gini, depth at most 3, smallest leaf 4 and 2 more",
                "Entropy, any depth, smallest leaf 1 and 2 more",
            ),
        ),
    ):
        assert apart(rules, other) == words
        assert apart(other, rules) == words[::-1]


def test_the_same_growing_is_no_difference() -> None:
    assert apart(Rules(), Rules()) is None
    assert apart(Rules(order="depth"), Rules()) is None  # what none stands for


@given(rules_for("classification"), rules_for("classification"))
def test_any_two_are_told_apart_where_they_differ(one: Rules, other: Rules) -> None:
    both = apart(one, other)
    assert both is None or both[0] != both[1]
    assert both is None or all(side.count(",") < MOST_NAMED * 8 for side in both)
    assert {*NAMED} < {field.name for field in fields(Rules)}
    assert rule_text(replace(one, max_depth=7), "max_depth") == "depth at most 7"


def test_every_rule_has_plain_words_of_its_own_and_one_that_may_lack_a_way_to_say_so() -> None:
    assert {*SETTINGS} == {field.name for field in fields(Rules)}
    assert len({setting.words.lower() for setting in SETTINGS.values()}) == len(SETTINGS)
    assert not any("_" in setting.words for setting in SETTINGS.values())
    for name, setting in SETTINGS.items():
        limit = name not in NAMED and getattr(Rules(), name) is None
        assert bool(setting.free) == limit
        assert not limit or told(name, None) == setting.free
