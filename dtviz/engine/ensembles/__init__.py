"""Ensembles: many trees that predict together; a new kind needs a new value in ENSEMBLES."""

from __future__ import annotations

from dataclasses import replace

from dtviz.base.progress import Slices
from dtviz.data.dataset import DataError, Dataset, Task, rows_in_memory
from dtviz.engine.ensembles.ensemble import (
    ADABOOST,
    BAGGING,
    EXTRA_TREES,
    FOREST,
    GRADIENT,
    Ensemble,
    EnsembleKind,
    Plan,
    member_values,
    predictions_of_scores,
    scores_by_round,
    scores_of,
)
from dtviz.engine.rules import Rules

__all__ = [
    "ENSEMBLES",
    "Ensemble",
    "EnsembleKind",
    "Plan",
    "build",
    "data_of_member",
    "kind_of",
    "kinds_for",
    "member_values",
    "predictions_of_scores",
    "scores_by_round",
    "scores_of",
    "with_usual_depth",
]

ENSEMBLES: dict[str, EnsembleKind] = {
    kind.name: kind for kind in (FOREST, BAGGING, EXTRA_TREES, ADABOOST, GRADIENT)
}
"""Kinds of ensembles by name; the first is the default."""


def kinds_for(task: Task) -> list[EnsembleKind]:
    """Kinds that suit a task."""
    return [kind for kind in ENSEMBLES.values() if task in kind.tasks]


def kind_of(plan: Plan, task: Task) -> EnsembleKind:
    """Look up the kind of a plan. Raises DataError: no such kind, or one of another task."""
    kind = ENSEMBLES.get(plan.kind)
    if kind is None or task not in kind.tasks:
        suitable = ", ".join(kind.name for kind in kinds_for(task))
        raise DataError(f"`kind` must be one of {suitable} for {task}; not {plan.kind!r}", "kind")
    return kind


def with_usual_depth(kind: EnsembleKind, rules: Rules) -> Rules:
    """Set the kind's usual `max_depth` in rules that have none."""
    return replace(rules, max_depth=rules.max_depth or kind.depth)


def data_of_member(data: Dataset, rules: Rules, plan: Plan, member: int) -> Dataset:
    """Rows that a member of a plan is grown on, with weights and targets. Raises DataError."""
    kind = kind_of(plan, data.task)
    return kind.data_of_member(data, with_usual_depth(kind, rules), plan, member)


def build(data: Dataset, rules: Rules, plan: Plan) -> Slices[Ensemble]:
    """Build the ensemble of a plan; yields the share done. Raises DataError."""
    kind = kind_of(plan, data.task)
    return kind.build(rows_in_memory(data), with_usual_depth(kind, rules), plan)
