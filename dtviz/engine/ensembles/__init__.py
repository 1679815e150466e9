"""Ensembles: many trees that predict together; a new kind is a new value in ENSEMBLES."""

from __future__ import annotations

from dataclasses import replace

from dtviz.base.progress import Slices
from dtviz.data.dataset import DataError, Dataset, Task
from dtviz.engine.ensembles.boosting import ADABOOST, GRADIENT
from dtviz.engine.ensembles.ensemble import (
    BAGGING,
    EXTRA_TREES,
    FOREST,
    Ensemble,
    Kind,
    Plan,
    by_round,
    decided,
    scores_of,
)
from dtviz.engine.rules import Rules

__all__ = [
    "ENSEMBLES",
    "Ensemble",
    "Kind",
    "Plan",
    "build",
    "by_round",
    "decided",
    "kind_of",
    "kinds_for",
    "rules_of",
    "scores_of",
    "stands",
]

ENSEMBLES: dict[str, Kind] = {
    kind.name: kind for kind in (FOREST, BAGGING, EXTRA_TREES, ADABOOST, GRADIENT)
}
"""Every kind by name; the first is the usual one."""


def kinds_for(task: Task) -> list[Kind]:
    """The kinds that suit a task."""
    return [kind for kind in ENSEMBLES.values() if task in kind.tasks]


def kind_of(plan: Plan, task: Task) -> Kind:
    """The kind of a plan; raises DataError where there is none, or it does not suit the task."""
    found = ENSEMBLES.get(plan.kind)
    if found is None or task not in found.tasks:
        able = ", ".join(kind.name for kind in kinds_for(task))
        raise DataError(f"`kind` must be one of {able} for {task}; not {plan.kind!r}", "kind")
    return found


def rules_of(kind: Kind, rules: Rules) -> Rules:
    """The rules with the depth that the kind's trees have where none is set."""
    return replace(rules, max_depth=rules.max_depth or kind.depth)


def stands(data: Dataset, rules: Rules, plan: Plan, member: int) -> Dataset:
    """What one of the trees of a plan grows on: rows, weights, targets. Raises DataError."""
    kind = kind_of(plan, data.task)
    return kind.stands(data, rules_of(kind, rules), plan, member)


def build(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """The ensemble that a plan builds on the data by these rules, in slices. Raises DataError."""
    kind = kind_of(plan, data.task)
    return kind.build(data, rules_of(kind, rules), plan)
