"""Every rule out of range names itself, what is allowed and what came."""

from __future__ import annotations

import math
import re
from dataclasses import FrozenInstanceError, fields
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from strategies import NASTY

from dtviz import Rules, RulesError, load
from dtviz.engine.rules import ORDERS, criterion_of, default_rules, with_row_counts

BAD = {
    "criterion": ("one of entropy, gini", ["", "Gini", "mean_error", None, 1, ["gini"]]),
    "order": ("one of depth, breadth, best", ["", "deep", 0]),
    "max_depth": ("at least 1 or None", [0, -1, True, False, 2.0, "3", math.nan]),
    "min_samples_split": (
        "at least 2 or a share between 0 and 1",
        [1, 0, -5, True, 2.5, 1.0, 0.0, None, "2"],
    ),
    "min_samples_leaf": (
        "at least 1 or a share between 0 and 1",
        [0, -1, True, 1.0, -0.5, math.nan, None, "1"],
    ),
    "min_weight_fraction_leaf": ("a number from 0 to 0.5", [-0.1, 0.51, math.nan, True, None, "0"]),
    "max_leaf_nodes": ("at least 2 or None", [1, 0, -1, True, 3.0, "4"]),
    "min_gain": ("at least 0", [-0.1, math.nan, math.inf, -math.inf, True, None, "0", 1 + 0j]),
    "min_impurity_decrease": ("at least 0", [-0.1, math.nan, math.inf, True, None, "0", [0.1]]),
    "purity": ("a number from 0 to 1", [-0.1, 1.1, math.nan, math.inf, True, None, "1", 10**400]),
    "max_p_value": ("a number from 0 to 1", [-0.1, 1.1, math.nan, True, None, "0.05", [0.1]]),
    "stop_at_zero_gain": ("True or False", [0, 1, None, "True"]),
    "ccp_alpha": ("at least 0", [-0.1, math.nan, math.inf, -math.inf, True, None, "0.1", [0.1]]),
}
CASES = [(name, allowed, value) for name, (allowed, values) in BAD.items() for value in values]


def test_a_bad_value_is_refused_by_name() -> None:
    for name, allowed, value in CASES:
        with pytest.raises(RulesError, match=re.escape(f"`{name}` must be {allowed}")) as caught:
            Rules(**{name: value})
        assert str(caught.value).endswith(f"; not {value!r}"), (name, allowed, value)


def test_a_limit_of_leaves_grows_best_first_unless_an_order_is_chosen() -> None:
    assert Rules().growing_order == "depth"
    assert Rules(max_leaf_nodes=3).growing_order == "best"
    for order in ORDERS:
        assert Rules(order=order).growing_order == order
        assert Rules(order=order, max_leaf_nodes=3).growing_order == order


def test_a_number_beyond_every_float_is_refused() -> None:
    for value in [10**400, -(10**400)]:
        with pytest.raises(RulesError, match="`min_gain` must be at least 0"):
            Rules(min_gain=value)


def test_a_number_too_long_to_print_is_refused() -> None:
    with pytest.raises(RulesError, match="`max_depth` must be at least 1 or None"):
        Rules(max_depth=-(10**5000))


def test_text_is_refused_everywhere() -> None:
    for field, raw in product(fields(Rules), NASTY):
        with pytest.raises(RulesError, match=f"`{field.name}`"):
            Rules(**{field.name: raw})


@given(st.integers(1, 10**9), st.integers(2, 10**9), st.floats(0, 1e300), st.floats(0, 1))
def test_what_is_allowed_is_kept(whole: int, more: int, gain: float, share: float) -> None:
    rules = Rules("gini", whole, more, whole, more, gain, share, "best", True)
    assert (rules.max_depth, rules.min_samples_split, rules.max_leaf_nodes) == (whole, more, more)
    assert (rules.min_gain, rules.purity) == (gain, share)


def test_a_share_of_the_rows_is_rounded_up() -> None:
    for case in [
        (0.1, 30, 3, 3),
        (0.1, 31, 4, 4),
        (0.001, 30, 2, 1),
        (0.999, 30, 30, 30),
        (0.07, 100, 8, 8),
    ]:
        share, n, split, leaf = case
        rules = with_row_counts(Rules(min_samples_split=share, min_samples_leaf=share), n)
        assert (rules.min_samples_split, rules.min_samples_leaf) == (split, leaf), case
        both = {"min_samples_split": share, "min_samples_leaf": share}
        theirs = DecisionTreeClassifier(**both).fit(np.arange(n)[:, None], np.arange(n) % 2)
        again = DecisionTreeClassifier(min_samples_split=split, min_samples_leaf=leaf)
        again.fit(np.arange(n)[:, None], np.arange(n) % 2)
        assert theirs.tree_.n_node_samples.tolist() == again.tree_.n_node_samples.tolist(), case


def test_numbers_of_rows_stay_as_they_are() -> None:
    rules = Rules(min_samples_split=7, min_samples_leaf=3)
    assert with_row_counts(rules, 1000) is rules


def test_whole_numbers_will_do_for_numbers() -> None:
    assert Rules(min_gain=0, purity=1) == Rules()
    assert hash(Rules(min_gain=0)) == hash(Rules())


def test_numbers_of_numpy_are_numbers() -> None:
    rules = Rules(max_depth=np.int64(3), min_gain=np.float64(0.5), min_samples_leaf=np.int32(2))
    assert rules == Rules(max_depth=3, min_gain=0.5, min_samples_leaf=2)
    with pytest.raises(RulesError, match="`max_depth`"):
        Rules(max_depth=np.int64(0))


def test_rules_are_frozen_and_hashable() -> None:
    rules = Rules(max_depth=3)
    with pytest.raises(FrozenInstanceError):
        rules.max_depth = 4  # type: ignore[misc]
    assert len({rules, Rules(max_depth=3), Rules()}) == 2


def test_a_class_criterion_does_not_suit_a_number() -> None:
    for name in ["entropy", "gini", "error", "gain_ratio", "cart"]:
        assert criterion_of(Rules(name), load("heights")).name == name, name
        allowed = r"`criterion` must be 'squared_error' or 'absolute_error' for regression; not"
        with pytest.raises(RulesError, match=allowed):
            criterion_of(Rules(name), load("sine"))


def test_squared_error_does_not_suit_classes() -> None:
    with pytest.raises(RulesError, match=r"'entropy' or 'gini'.*classification; not 'squared"):
        criterion_of(Rules("squared_error"), load("heights"))


def test_names_of_the_field_stand_for_the_criteria_they_equal() -> None:
    assert Rules("log_loss") == Rules("entropy")
    assert Rules("friedman_mse") == Rules("squared_error")


def test_default_rules_follow_the_task() -> None:
    assert default_rules("classification") == Rules()
    assert default_rules("regression") == Rules(criterion="squared_error")
