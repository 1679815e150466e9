"""The rules of growth: the criterion of splits, the order of nodes, the limits of a tree."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from itertools import chain
from typing import Any

import numpy as np

from dtviz.base.text import short_repr
from dtviz.data.dataset import Dataset, Task
from dtviz.engine.criteria.criteria import (
    ALIASES,
    CRITERIA,
    Criterion,
    Impurity,
    criteria_of,
    default_criterion,
    impurity_with_costs,
)
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LeafModel, suits_data, usual_leaf_model
from dtviz.engine.search.missing import POLICIES, MissingPolicy
from dtviz.engine.splits import FAMILIES, Projection
from dtviz.engine.splits.split import Minimum

ORDERS = ("depth", "breadth", "best")
"""Values of `Rules.order` beside None."""


class RulesError(ValueError):
    """A rule outside its range; the message names the rule, its range and the value given.

    `parameter` is the name of the rule, `allowed` its range in words.
    """

    def __init__(self, message: str, parameter: str, allowed: str) -> None:
        super().__init__(message)
        self.parameter, self.allowed = parameter, allowed


@dataclass(frozen=True, slots=True)
class Rules:
    """Settings of growth, with scikit-learn's names and meanings. Raises RulesError.

    Sources: [Z] Zaki & Meira, [C] CERMICS 2024, [M] Murphy 18.1; the page Learn lists them.

    >>> rules = Rules(criterion="log_loss", max_leaf_nodes=8)
    >>> rules.criterion, rules.growing_order
    ('entropy', 'best')
    >>> Rules(max_depth=0)
    Traceback (most recent call last):
    dtviz.engine.rules.RulesError: `max_depth` must be at least 1 or None; not 0
    """

    criterion: str = "entropy"
    """Measure that ranks splits, by name, see `criteria.CRITERIA`."""
    max_depth: int | None = None
    """Largest depth of a leaf; None: no limit."""
    min_samples_split: int | float = 2
    """Least number of rows in a node that is split, or their share of all rows, rounded up."""
    min_samples_leaf: int | float = 1
    """Least number of rows on each side of a split, or their share of all rows, rounded up."""
    max_leaf_nodes: int | None = None
    """Largest number of leaves; None: no limit."""
    min_gain: float = 0.0
    """Least gain in the node; 0: an impure node is split if it has a candidate at all."""
    purity: float = 1.0
    """Share of the majority class from which a node is a leaf [Z]."""
    order: str | None = None
    """'depth', 'breadth' or 'best' (largest impurity decrease first); None: 'best' where
    `max_leaf_nodes` is given, else 'depth'."""
    stop_at_zero_gain: bool = False
    """True: a node is a leaf if its best gain is 0 [C]."""
    ccp_alpha: float = 0.0
    """Price of a leaf; above 0 the grown tree is pruned by its weakest links [M]."""
    families: tuple[str, ...] = ("axis", "subset")
    """Families of splits that compete, by name, see `splits.FAMILIES`; of equal candidates the one
    of the first family wins."""
    leaf_model: str | None = None
    """Model that predicts in leaves, by name, see `leaf_models.LEAF_MODELS`; None: that of the
    criterion if it needs one, else the usual one of the data."""
    min_impurity_decrease: float = 0.0
    """Least gain times the node's share of the weight of all rows."""
    min_weight_fraction_leaf: float = 0.0
    """Least weight on each side of a split, as a share of the weight of all rows."""
    missing: str = "learned"
    """Policy for rows whose value is missing, by name, see `missing.POLICIES`."""
    max_p_value: float = 1.0
    """Largest p-value of the best cut of a node, by Bonferroni over the cuts of the node: a chi-
    square or F test (Kass 1980), see `chance`; no random numbers. 1: the rule is off."""

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.generic):  # numpy's numbers are accepted as Python's
                object.__setattr__(self, field.name, value.item())
        if isinstance(self.criterion, str):
            object.__setattr__(self, "criterion", ALIASES.get(self.criterion, self.criterion))
        _check_one_of("criterion", self.criterion, tuple(CRITERIA))
        _check_one_of("order", self.order, ORDERS, or_none=True)
        _check_integer("max_depth", self.max_depth, 1, or_none=True)
        _check_row_count("min_samples_split", self.min_samples_split, 2)
        _check_row_count("min_samples_leaf", self.min_samples_leaf, 1)
        _check_number("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        _check_integer("max_leaf_nodes", self.max_leaf_nodes, 2, or_none=True)
        _check_number("min_gain", self.min_gain, 0.0, math.inf)
        _check_number("min_impurity_decrease", self.min_impurity_decrease, 0.0, math.inf)
        _check_number("purity", self.purity, 0.0, 1.0)
        _check_number("ccp_alpha", self.ccp_alpha, 0.0, math.inf)
        _check_number("max_p_value", self.max_p_value, 0.0, 1.0)
        _check_names("families", self.families, tuple(FAMILIES))
        if {"subset", "onevsrest"} <= {*self.families}:
            raise _refusal("families", "subset or onevsrest, not both", self.families)
        _check_one_of("missing", self.missing, tuple(POLICIES))
        _check_one_of("leaf_model", self.leaf_model, tuple(LEAF_MODELS), or_none=True)
        if not isinstance(self.stop_at_zero_gain, bool):
            raise _refusal("stop_at_zero_gain", "True or False", self.stop_at_zero_gain)

    @property
    def growing_order(self) -> str:
        """Order in which nodes are split: `order`, or the default that its None stands for."""
        return self.order or ("depth" if self.max_leaf_nodes is None else "best")


def criterion_of(rules: Rules, data: Dataset) -> Criterion:
    """Look up the criterion of the rules, its impurity adapted to costs and leaf model.

    Raises RulesError if the criterion does not suit the task or the targets of the data, or if
    `max_p_value` asks for a test that no such search has.
    """
    criterion, suitable = CRITERIA[rules.criterion], suitable_criteria(rules, data)
    if criterion.name in suitable:
        adapted = adapt_impurity(rules, data, criterion.impurity)
        if rules.max_p_value < 1 and adapted.take_rows is not None:
            allowed = "1 where cuts are searched by regressions (`leaf_model` 'linear')"
            raise _refusal("max_p_value", allowed, rules.max_p_value)
        return criterion if adapted is criterion.impurity else replace(criterion, impurity=adapted)
    if criterion.task != data.task:
        reason: str = data.task
    elif criterion.name in criteria_of(data):
        reason = "multi-way cuts"
    else:
        reason = f"a target below {criterion.min_target:g}"
    raise _refusal("criterion", f"{_join_with_or(suitable)} for {reason}", criterion.name)


def suitable_criteria(rules: Rules, data: Dataset) -> tuple[str, ...]:
    """Names of the criteria that suit the data and the families of cuts of the rules."""
    names = criteria_of(data)
    if "multiway" not in rules.families or not FAMILIES["multiway"].propose(data):
        return names
    measures = ((name, CRITERIA[name].measure) for name in names)
    return tuple(name for name, each in measures if each is None or each.score_branches)


def adapt_impurity(rules: Rules, data: Dataset, impurity: Impurity) -> Impurity:
    """Adapt an impurity to the costs of the data and to the leaf model of the rules."""
    return leaf_model_of(rules, data).search_impurity(impurity_with_costs(impurity, data), data)


def leaf_model_of(rules: Rules, data: Dataset) -> LeafModel:
    """Look up the leaf model of the rules; raises RulesError if it does not suit the data."""
    name = rules.leaf_model or CRITERIA[rules.criterion].leaf_model or usual_leaf_model(data).name
    model = LEAF_MODELS[name]
    if suits_data(model, data):
        return model
    suitable = [other.name for other in LEAF_MODELS.values() if suits_data(other, data)]
    reason = f"{len(data.classes)} classes" if model.task == data.task else data.task
    raise _refusal("leaf_model", f"{_join_with_or(suitable)} for {reason}", name)


def projections_of(data: Dataset, rules: Rules) -> tuple[Projection, ...]:
    """Projections that the families of the rules propose for every node, each once.

    Raises RulesError if there are none.
    """
    proposals = (FAMILIES[name].propose(data) for name in rules.families)
    projections = tuple(dict.fromkeys(chain.from_iterable(proposals)))
    if not projections and len(data.features):
        suitable = [family.name for family in FAMILIES.values() if family.propose(data)]
        allowed = f"with one of {_join_with_or(suitable)} for these features"
        raise _refusal("families", allowed, rules.families)
    return projections


def policy_of(rules: Rules) -> MissingPolicy:
    """Look up the missing policy of the rules."""
    return POLICIES[rules.missing]


def prepare_data(data: Dataset, rules: Rules) -> Dataset:
    """Prepare the data as the missing policy asks; raises DataError if no row is left."""
    if data.source is not None:
        return data  # the rows are a sample of a table, on which the rules are checked
    return policy_of(rules).prepare(data)


def check_rules(rules: Rules, data: Dataset) -> Rules:
    """Return the rules; raises RulesError if one of them does not suit the data."""
    criterion_of(rules, data)
    leaf_model_of(rules, data)
    projections_of(data, rules)
    if rules.max_p_value < 1 and data.source is not None:
        allowed = "1 for a table that stays in its engine"
        raise _refusal("max_p_value", allowed, rules.max_p_value)
    return rules


def _join_with_or(names: Iterable[str]) -> str:
    return " or ".join(map(repr, names))


def without_stop_rules(rules: Rules) -> Rules:
    """Keep the rules that rank the candidates of a node; those that stop growth get defaults."""
    return Rules(
        rules.criterion,
        min_samples_leaf=rules.min_samples_leaf,
        min_weight_fraction_leaf=rules.min_weight_fraction_leaf,
        families=rules.families,
        leaf_model=rules.leaf_model,
        missing=rules.missing,
    )


def with_suitable_rules(rules: Rules, data: Dataset) -> Rules:
    """The rules, but for those that do not suit the data, which are the usual ones."""
    try:
        return check_rules(rules, data)
    except RulesError as error:
        usual = getattr(default_rules(data.task), error.parameter)
        if getattr(rules, error.parameter) == usual:
            raise
        return with_suitable_rules(replace(rules, **{error.parameter: usual}), data)


def with_row_counts(rules: Rules, n: int) -> Rules:
    """Replace shares of n rows by numbers of rows, rounded as scikit-learn rounds them."""
    split, leaf = rules.min_samples_split, rules.min_samples_leaf
    if isinstance(split, float):
        rules = replace(rules, min_samples_split=max(math.ceil(split * n), 2))
    if isinstance(leaf, float):
        rules = replace(rules, min_samples_leaf=math.ceil(leaf * n))
    return rules


def minimum_of(rules: Rules, data: Dataset) -> Minimum:
    """Minimum of rows and weight on each side of a split, for a tree grown on the data."""
    rows = int(with_row_counts(rules, data.n_grown).min_samples_leaf)
    weight = rules.min_weight_fraction_leaf * data.weight
    return Minimum(rows, weight, CRITERIA[rules.criterion].means_above_zero)


def default_rules(task: Task) -> Rules:
    """Rules before a user chooses any: the usual criterion of the task, no limits."""
    return Rules(criterion=default_criterion(task))


def _refusal(name: str, allowed: str, value: Any) -> RulesError:
    return RulesError(f"`{name}` must be {allowed}; not {short_repr(value, 500)}", name, allowed)


def _check_one_of(name: str, value: Any, allowed: tuple[str, ...], or_none: bool = False) -> None:
    if not (isinstance(value, str) and value in allowed) and not (value is None and or_none):
        raise _refusal(name, "one of " + ", ".join(allowed) + " or None" * or_none, value)


def _check_names(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    names = value if isinstance(value, tuple) else ()
    all_allowed = all(isinstance(entry, str) and entry in allowed for entry in names)
    if not names or not all_allowed or len(set(names)) < len(names):
        raise _refusal(name, "a tuple of at least one of " + ", ".join(allowed), value)


def _check_integer(name: str, value: Any, low: int, or_none: bool = False) -> None:
    if value is None and or_none:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise _refusal(name, f"at least {low}" + (" or None" if or_none else ""), value)


def _check_row_count(name: str, value: Any, low: int) -> None:
    """Check a number of rows, or a share of them."""
    if not (isinstance(value, float) and 0 < value < 1) and (type(value) is not int or value < low):
        raise _refusal(name, f"at least {low} or a share between 0 and 1", value)


def _check_number(name: str, value: Any, low: float, high: float) -> None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high or value > sys.float_info.max:
        span = f"a number from {low:g} to {high:g}" if high < math.inf else f"at least {low:g}"
        raise _refusal(name, span, value)
