"""The rules of growing: which cuts rank first, in which order nodes split, when a node stops."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from dtviz.base.text import shown
from dtviz.data.dataset import Dataset, Task
from dtviz.engine.criteria.criteria import (
    ALIASES,
    CRITERIA,
    Criterion,
    Impurity,
    criteria_of,
    default_criterion,
    impurity_on,
)
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LeafModel, suits, usual_leaf_model
from dtviz.engine.search.minimum import Least
from dtviz.engine.search.missing import POLICIES, Policy
from dtviz.engine.splits import FAMILIES, Projection

ORDERS = ("depth", "breadth", "best")


class RulesError(ValueError):
    """A rule outside what is allowed; the message names it, the range and what came.

    `parameter` is the rule, `allowed` what it may be.
    """

    def __init__(self, message: str, parameter: str, allowed: str) -> None:
        super().__init__(message)
        self.parameter, self.allowed = parameter, allowed


@dataclass(frozen=True, slots=True)
class Rules:
    """How a tree grows; scikit-learn's names and meanings wherever both have one.

    `order` is 'depth', 'breadth' or 'best' (largest impurity decrease first); None is best-first
    where `max_leaf_nodes` is given, else depth-first. `purity` stops a node whose majority class
    has at least that share [Z]. `min_gain` asks for a gain in the node, `min_impurity_decrease` for
    n_node/n_total of it, weighted. `min_gain = 0` goes on while a node is impure and a cut exists;
    `stop_at_zero_gain` stops there instead [C]. `ccp_alpha > 0` prunes the grown tree by its
    weakest links [M]. `families` are the kinds of split that compete, by name: 'axis' for numbers,
    'subset' or 'onevsrest' for categories; of equal cuts that of the first family wins.
    `min_samples_split` and `min_samples_leaf` count rows, whatever they weigh; a number between 0
    and 1 is a share of all rows, rounded up. `min_weight_fraction_leaf` is the share of the weight
    of all rows that a cut leaves on each side. `leaf_model` is what leaves predict, see
    `leaf_models.LEAF_MODELS`; None is the usual one. `missing` is the
    policy for rows that lack a value, see `missing.POLICIES`. Raises RulesError.
    """

    criterion: str = "entropy"
    max_depth: int | None = None
    min_samples_split: int | float = 2
    min_samples_leaf: int | float = 1
    max_leaf_nodes: int | None = None
    min_gain: float = 0.0
    purity: float = 1.0
    order: str | None = None
    stop_at_zero_gain: bool = False
    ccp_alpha: float = 0.0
    families: tuple[str, ...] = ("axis", "subset")
    leaf_model: str | None = None
    min_impurity_decrease: float = 0.0
    min_weight_fraction_leaf: float = 0.0
    missing: str = "learned"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.generic):  # numpy's numbers count as Python's
                object.__setattr__(self, field.name, value.item())
        if isinstance(self.criterion, str):
            object.__setattr__(self, "criterion", ALIASES.get(self.criterion, self.criterion))
        _one_of("criterion", self.criterion, tuple(CRITERIA))
        _one_of("order", self.order, ORDERS, or_none=True)
        _whole("max_depth", self.max_depth, 1, or_none=True)
        _rows("min_samples_split", self.min_samples_split, 2)
        _rows("min_samples_leaf", self.min_samples_leaf, 1)
        _between("min_weight_fraction_leaf", self.min_weight_fraction_leaf, 0.0, 0.5)
        _whole("max_leaf_nodes", self.max_leaf_nodes, 2, or_none=True)
        _between("min_gain", self.min_gain, 0.0, math.inf)
        _between("min_impurity_decrease", self.min_impurity_decrease, 0.0, math.inf)
        _between("purity", self.purity, 0.0, 1.0)
        _between("ccp_alpha", self.ccp_alpha, 0.0, math.inf)
        _some_of("families", self.families, tuple(FAMILIES))
        if {"subset", "onevsrest"} <= {*self.families}:
            raise _refusal("families", "subset or onevsrest, not both", self.families)
        _one_of("missing", self.missing, tuple(POLICIES))
        _one_of("leaf_model", self.leaf_model, tuple(LEAF_MODELS), or_none=True)
        if not isinstance(self.stop_at_zero_gain, bool):
            raise _refusal("stop_at_zero_gain", "True or False", self.stop_at_zero_gain)

    @property
    def growing_order(self) -> str:
        """The order that nodes are split in: the one chosen, or the one that None stands for."""
        return self.order or ("depth" if self.max_leaf_nodes is None else "best")


def criterion_of(rules: Rules, data: Dataset) -> Criterion:
    """The rules' criterion, as the data's costs and what leaves predict have it.

    Raises RulesError when it does not suit the table.
    """
    found, able = CRITERIA[rules.criterion], criteria_of(data)
    if found.name in able:
        own = searched_by(rules, data, found.impurity)
        return found if own is found.impurity else replace(found, impurity=own)
    suits = found.task != data.task
    raise _refusal(
        "criterion",
        f"{_either(able)} for {data.task if suits else f'a target below {found.least:g}'}",
        found.name,
    )


def searched_by(rules: Rules, data: Dataset, impurity: Impurity) -> Impurity:
    """An impurity as the data's costs and what leaves predict have it."""
    return leaf_model_of(rules, data).searched(impurity_on(impurity, data), data)


def leaf_model_of(rules: Rules, data: Dataset) -> LeafModel:
    """The rules' leaf model; raises RulesError when it does not suit the data."""
    name = rules.leaf_model or CRITERIA[rules.criterion].leaf or usual_leaf_model(data).name
    found = LEAF_MODELS[name]
    if suits(found, data):
        return found
    able = [model.name for model in LEAF_MODELS.values() if suits(model, data)]
    many = f"{len(data.classes)} classes" if found.task == data.task else data.task
    raise _refusal("leaf_model", f"{_either(able)} for {many}", name)


def proposed_by(data: Dataset, rules: Rules) -> tuple[Projection, ...]:
    """What the rules' families propose for every node; raises RulesError where that is nothing."""
    some = (one for name in rules.families for one in FAMILIES[name].propose(data))
    found = tuple(dict.fromkeys(some))
    if not found and len(data.features):
        able = [family.name for family in FAMILIES.values() if family.propose(data)]
        allowed = f"with one of {_either(able)} for these features"
        raise _refusal("families", allowed, rules.families)
    return found


def policy_of(rules: Rules) -> Policy:
    """The rules' policy for rows that lack a value."""
    return POLICIES[rules.missing]


def prepared(data: Dataset, rules: Rules) -> Dataset:
    """The data as that policy takes it; raises DataError where it leaves none."""
    return policy_of(rules).prepare(data)


def suited(rules: Rules, data: Dataset) -> Rules:
    """The rules; raises RulesError when one of them does not suit the table."""
    criterion_of(rules, data)
    leaf_model_of(rules, data)
    proposed_by(data, rules)
    return rules


def _either(names: Iterable[str]) -> str:
    return " or ".join(map(repr, names))


def cutting(rules: Rules) -> Rules:
    """Those of the rules that say what a node does; the others only say where to stop."""
    return Rules(
        rules.criterion,
        min_samples_leaf=rules.min_samples_leaf,
        min_weight_fraction_leaf=rules.min_weight_fraction_leaf,
        families=rules.families,
        leaf_model=rules.leaf_model,
        missing=rules.missing,
    )


def counted(rules: Rules, n: int) -> Rules:
    """The rules with numbers of rows in the place of shares of n rows, as scikit-learn rounds."""
    split, leaf = rules.min_samples_split, rules.min_samples_leaf
    if isinstance(split, float):
        rules = replace(rules, min_samples_split=max(math.ceil(split * n), 2))
    if isinstance(leaf, float):
        rules = replace(rules, min_samples_leaf=math.ceil(leaf * n))
    return rules


def least_of(rules: Rules, data: Dataset) -> Least:
    """What the rules ask of each side of a cut of a tree on the data."""
    rows = int(counted(rules, data.n).min_samples_leaf)
    weight = rules.min_weight_fraction_leaf * data.weight
    return Least(rows, weight, CRITERIA[rules.criterion].above_zero)


def default_rules(task: Task) -> Rules:
    """The rules before anything is chosen: the task's usual criterion, no limits."""
    return Rules(criterion=default_criterion(task))


def _refusal(name: str, allowed: str, value: Any) -> RulesError:
    return RulesError(f"`{name}` must be {allowed}; not {shown(value, 500)}", name, allowed)


def _one_of(name: str, value: Any, allowed: tuple[str, ...], or_none: bool = False) -> None:
    if not (isinstance(value, str) and value in allowed) and not (value is None and or_none):
        raise _refusal(name, "one of " + ", ".join(allowed) + " or None" * or_none, value)


def _some_of(name: str, value: Any, allowed: tuple[str, ...]) -> None:
    names = value if isinstance(value, tuple) else ()
    known = all(isinstance(one, str) and one in allowed for one in names)
    if not names or not known or len(set(names)) < len(names):
        raise _refusal(name, "a tuple of at least one of " + ", ".join(allowed), value)


def _whole(name: str, value: Any, low: int, or_none: bool = False) -> None:
    if value is None and or_none:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < low:
        raise _refusal(name, f"at least {low}" + (" or None" if or_none else ""), value)


def _rows(name: str, value: Any, low: int) -> None:
    """A number of rows, or a share of them."""
    if not (isinstance(value, float) and 0 < value < 1) and (type(value) is not int or value < low):
        raise _refusal(name, f"at least {low} or a share between 0 and 1", value)


def _between(name: str, value: Any, low: float, high: float) -> None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not low <= value <= high or value > sys.float_info.max:
        span = f"a number from {low:g} to {high:g}" if high < math.inf else f"at least {low:g}"
        raise _refusal(name, span, value)
