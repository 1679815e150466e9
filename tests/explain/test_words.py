"""What tells two sets of rules apart, in words."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pandas as pd
from cases import AGE_CAR_RISK, HEIGHTS, RPART_TREBLE, data_of
from hypothesis import given
from strategies import grown, nasty, rules_for

import dtviz
from dtviz import Grow, Rules, axis_split
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.criteria.criteria import CRITERIA
from dtviz.engine.grow import STOPS, decide_all
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.search.candidates import candidates
from dtviz.engine.splits import Category, IsMissing, Oblique, Subset, goes_left, side_names
from dtviz.engine.tree import fold, root_tree, rows_in
from dtviz.explain.words import (
    MAX_RULES_NAMED,
    RULE_VALUE_TEXTS,
    SETTINGS,
    candidate_text,
    candidate_text_column,
    leaf_rules,
    node_title,
    prediction_text,
    rule_differences,
    rule_phrase,
    rule_text,
    rule_value_text,
    stop_reason,
)
from dtviz.models.steps import node_candidates

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
        assert rule_differences(rules, other) == words
        assert rule_differences(other, rules) == words[::-1]


def test_the_same_growing_is_no_difference() -> None:
    assert rule_differences(Rules(), Rules()) is None
    assert rule_differences(Rules(order="depth"), Rules()) is None  # what none stands for


@given(rules_for("classification"), rules_for("classification"))
def test_any_two_are_told_apart_where_they_differ(one: Rules, other: Rules) -> None:
    both = rule_differences(one, other)
    assert both is None or both[0] != both[1]
    assert both is None or all(side.count(",") < MAX_RULES_NAMED * 8 for side in both)
    assert {*RULE_VALUE_TEXTS} < {field.name for field in fields(Rules)}
    assert rule_phrase(replace(one, max_depth=7), "max_depth") == "depth at most 7"


def test_every_rule_has_plain_words_of_its_own_and_one_that_may_lack_a_way_to_say_so() -> None:
    assert {*SETTINGS} == {field.name for field in fields(Rules)}
    assert len({setting.title.lower() for setting in SETTINGS.values()}) == len(SETTINGS)
    assert not any("_" in setting.title for setting in SETTINGS.values())
    for name, setting in SETTINGS.items():
        limit = name not in RULE_VALUE_TEXTS and getattr(Rules(), name) is None
        assert bool(setting.no_limit_text) == limit
        assert not limit or rule_value_text(name, None) == setting.no_limit_text


def fulfils(found: Dataset, words: tuple[str, ...], row: int) -> bool:
    """Whether a row fulfils conditions read back from their text."""
    for text in words:
        found_text = re.fullmatch(r"(?:(\S+) < )?(\w+)(?: (<=|>) (\S+))?", text)
        assert found_text, text
        low, name, sign, high = found_text.groups()
        x = float(found.columns[found.features.index(name), row])
        if low is not None and not float(low) < x:
            return False
        if sign == "<=" and not x <= float(high):
            return False
        if sign == ">" and not x > float(high):
            return False
    return True


@given(grown())
def test_the_texts_of_rules_splits_and_cuts_part_the_rows_as_the_tree_does(case: Any) -> None:
    table, rules, _, tree = case
    for rule in leaf_rules(table, tree):
        words = rule.conditions
        rows = [row for row in range(table.n) if fulfils(table, words, row)]
        assert rows == sorted(tree.rows[rule.node].tolist())
        assert len(words) == len({w.split(" <= ")[0].split(" > ")[0] for w in words})
    for node, split in tree.splits.items():
        name, limit = rule_text(table, tree, node).rsplit(" <= ", 1)
        assert name == table.features[split.projection.feature]
        x = table.columns[split.projection.feature, rows_in(tree, node)]
        assert (x <= float(limit)).tolist() == (x <= split.threshold).tolist()
    for node in tree.nodes:
        cuts = candidates(table, rows_in(tree, node), CRITERIA[rules.criterion])
        singly = [candidate_text(table, cuts, index) for index in range(len(cuts))]
        assert candidate_text_column(table, cuts).to_pylist() == singly
    problem = Problem(table, rules)
    for leaf, decision in decide_all(problem, tree).items():
        reason = stop_reason(problem, tree.nodes[leaf], decision.stop)
        assert (reason == "") == (decision.stop == "") == (decision.split is not None)


def test_age_car_risk_by_its_rules() -> None:
    model = dtviz.fit(data_of(AGE_CAR_RISK), Rules("entropy"))
    assert tuple(str(rule) for rule in model.rules()) == AGE_CAR_RISK["rules"]
    rule = model.rules()[1]
    assert (rule.node, rule.value, rule.n, rule.shares) == (6, "H", 1, (1.0, 0.0))


def test_bounds_on_one_feature_are_merged() -> None:
    found = make_dataset([[1, 2, 3, 4, 5]], np.array([0, 1, 0, 1, 0]), ["x1"], "y", "AB")
    log = (Grow(1, axis_split(0, 2)), Grow(3, axis_split(0, 4.5)), Grow(6, axis_split(0, 3.2)))
    tree = fold(Problem(found, Rules("gini")), log)
    assert [str(rule) for rule in leaf_rules(found, tree)] == [
        "x1 <= 2 -> A (50 % of 2 rows)",
        "2 < x1 <= 3.2 -> A (1 row)",
        "3.2 < x1 <= 4.5 -> B (1 row)",
        "x1 > 4.5 -> A (1 row)",
    ]


def test_numbers_are_short_and_number_classes_are_not_cut() -> None:
    stump = dtviz.fit(data_of(HEIGHTS), log=())
    treble = dtviz.fit(data_of(RPART_TREBLE, "regression"), Rules("squared_error", max_depth=1))
    table = make_dataset([[1, 2]], np.array([0, 1]), ["x"], "y", [1234.567, 1234.568])
    for model, words in (
        (stump, ["always -> m (57.1 % of 7 rows)"]),
        (treble, ["x1 <= 5.5 -> 8 (5 rows)", "x1 > 5.5 -> 3 (5 rows)"]),
        (dtviz.fit(table), ["x <= 1.5 -> 1234.567 (1 row)", "x > 1.5 -> 1234.568 (1 row)"]),
    ):
        assert [str(rule) for rule in model.rules()] == words


@given(nasty, nasty)
def test_names_and_labels_are_cleaned(name: str, label: str) -> None:
    found = make_dataset([[1, 2]], np.array([0, 1]), [name], "y", [label, label + "'"])
    model = dtviz.fit(found)
    cuts = candidates(found, np.arange(2), CRITERIA["gini"])
    for text in (
        *map(str, model.rules()),
        rule_text(found, model.tree, 1),
        candidate_text(found, cuts, 0),
    ):
        assert "\n" not in text
        assert "\0" not in text
        assert len(text) < 200
    assert rule_text(found, model.tree, 1) == candidate_text(found, cuts, 0)


REASONS = {
    "": "",
    "pure": "pure: all 3 rows are b",
    "purity": "100 % of its rows are b: purity is at least 0.9",
    "min_samples_split": "3 rows: a split needs 4 rows",
    "max_depth": "depth 1 is the deepest allowed",
    "constant": "its rows have the same values",
    "min_samples_leaf": "no cut leaves at least 2 rows on both sides",
    "min_weight_fraction_leaf": "no cut leaves at least 2 rows and 0.1 of the weight on both sides",
    "above_zero": "no cut leaves at least 2 rows and 0.1 of the weight on both sides",
    "min_gain": "the best cut gains less than 0.25",
    "min_impurity_decrease": "the best cut lowers the impurity of the tree by less than 0.125",
    "zero_gain": "the best gain is 0 and growing stops at zero gain",
    "max_p_value": "its best cut may be chance: the p-value is above 0.05",
    "max_leaf_nodes": "the next cut would make more than 5 leaves",
    "many_branches": "each cut would have more than 50 branches",
    "pruned": "pruned: a split was taken back here",
}


def test_reasons_with_their_numbers() -> None:
    found = make_dataset([np.arange(4.0)], np.array([0, 1, 1, 1]), ["x"], "y", "ab")
    rules = Rules(
        max_depth=1, min_samples_split=4, min_samples_leaf=2, min_gain=0.25, purity=0.9,
        max_leaf_nodes=5, min_impurity_decrease=0.125, min_weight_fraction_leaf=0.1,
        max_p_value=0.05,
    )  # fmt: skip
    node = fold(Problem(found, Rules("gini")), (Grow(1, axis_split(0, 0.5)),)).nodes[3]
    assert {stop: stop_reason(Problem(found, rules), node, stop) for stop in STOPS} == REASONS


def test_a_share_of_the_rows_has_their_number_and_a_single_row_is_the_only_one() -> None:
    table = make_dataset([np.arange(10.0)], np.arange(10) % 2, ["x"], "y", "ab")
    rules, root = (
        Rules(min_samples_split=0.25, min_samples_leaf=0.2),
        root_tree(Problem(table, Rules())).nodes[1],
    )
    for stop, words in (
        ("min_samples_split", "10 rows: a split needs 3 rows (0.25 of 10)"),
        ("min_samples_leaf", "no cut leaves at least 2 rows (0.2 of 10) on both sides"),
    ):
        assert stop_reason(Problem(table, rules), root, stop) == words
    single = make_dataset([[1.0]], np.array([2.5]), ["x"], "y")
    tree = dtviz.fit(single, default_rules("regression")).tree
    assert (
        stop_reason(Problem(single, Rules()), tree.nodes[1], "pure") == "pure: the only row is 2.5"
    )
    assert prediction_text(single, tree.leaf_model, tree.nodes[1]) == "2.5"


def test_several_cuts_of_one_category_are_one_condition() -> None:
    found = dtviz.load("play_tennis")
    model = dtviz.fit(found)
    assert [rule.where for rule in model.rules()] == [
        "outlook = overcast",
        "outlook = rainy and humidity = high and windy = True",
        "outlook = rainy and humidity = high and windy ≠ True",
        "outlook not in {overcast, rainy} and humidity = high",
        "outlook = rainy and humidity ≠ high and windy = True",
        "outlook not in {overcast, rainy} and humidity ≠ high and windy = True",
        "outlook ≠ overcast and humidity ≠ high and windy ≠ True",
    ]
    for line in model.export("sql").splitlines():
        assert line.count('"outlook"') <= 1


def test_a_rule_of_several_conditions_says_of_which_a_row_may_lack_the_value() -> None:
    x = [1.0, 2.0, np.nan, 1.0, 2.0, np.nan, *[5.0] * 6]
    frame = pd.DataFrame({"x": x, "z": [0.0, 0, 0, 1, 1, 1, *[0, 1] * 3], "y": [*"pppqqqrrrrrr"]})
    model = dtviz.fit(dtviz.from_frame(frame, "y"))
    assert [rule.where for rule in model.rules()] == [
        "(x <= 3.5 or missing) and z <= 0.5", "(x <= 3.5 or missing) and z > 0.5", "x > 3.5",
    ]  # fmt: skip


def test_several_cuts_of_a_category_let_gaps_through_where_each_of_them_does() -> None:
    values = ["a", "b", "c", "d", None] * 8
    y = [{"a": 0.0, "b": 1.0, "c": 5.0, "d": 9.0}.get(value or "", 5.0) for value in values]
    frame = pd.DataFrame({"g": values, "y": y})
    model = dtviz.fit(dtviz.from_frame(frame, "y", ["g"], "regression"), Rules("squared_error"))
    told = {rule.where: rule.value for rule in model.rules()}
    assert sorted(told.values()) == [0, 1, 5, 9]
    (gaps,) = (where for where in told if where.endswith(" or missing"))
    assert told[gaps] == 5
    assert all(where.count("g ") == 1 for where in told)
    assert model.predict(frame).tolist() == y


def test_the_sides_are_yes_and_no_where_the_values_have_no_order() -> None:
    for unordered in (Category(0), Subset(0, (1,)), IsMissing((0,))):
        assert side_names(unordered) == ("yes", "no")
    for ordered in (axis_split(0, 1.5).projection, Oblique(((0, 1.0), (1, 0.5)))):
        assert side_names(ordered) == ("left", "right")


def test_yes_is_the_side_of_the_values_that_a_cut_names_whichever_side_of_the_order_they_have() -> (
    None
):
    data = dtviz.load("play_tennis")
    problem = Problem(data, Rules())
    cuts = node_candidates(problem, root_tree(problem), 1)
    sides = set()
    for index in range(len(cuts)):
        split = cuts.split(index)
        assert side_names(split.projection) == ("yes", "no")
        feature = split.projection.feature  # type: ignore[attr-defined]
        name, value = candidate_text(data, cuts, index).split(" = ")
        column = [data.levels[feature][int(code)] for code in data.columns[feature]]
        yes = [str(cell) == value for cell in column]
        assert (name, sum(yes)) == (data.features[feature], cuts.n_left[index])
        assert goes_left(split, data.columns).tolist() == yes
        sides.add(bool(cuts.turned[index]))
    assert sides == {False, True}


def test_exports_in_words_answer_yes_for_the_values_named() -> None:
    model = dtviz.fit(dtviz.load("play_tennis"), Rules(max_depth=1))
    assert model.tree.nodes[2].counts == (0, 4)
    assert 'outlook = overcast? yes: predict "yes" [4 rows: yes 4]' in model.export("text")
    graph = model.export("dot")
    assert re.search(r"n1 -> n2 \[label=\" yes \"\]", graph)
    assert re.search(r"n1 -> n3 \[label=\" no \"\]", graph)


def test_a_deep_node_is_named_by_its_branch() -> None:
    levels = (tuple(f"v{code:02}" for code in range(12)), ("a", "b"))
    codes = np.arange(48) % 12
    data = make_dataset(
        [codes, np.arange(48) // 24], (codes + np.arange(48) // 24) % 2, "gh", "y", "AB",
        categories=levels,
    )  # fmt: skip
    tree = dtviz.fit(data, Rules(families=("multiway",))).tree
    assert node_title(data, tree, 2) == "Node 2"
    assert node_title(data, tree, 2046) == "Below the root: g = v09"
    assert node_title(data, tree, 2 * 2046 + 1) == "Below the root: g = v09, h = b"
