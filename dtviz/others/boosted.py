"""A tree of a booster as LightGBM and XGBoost grow it, on the rows it was grown on.

Both grow a tree on the first and second derivative of the loss, g and h of each row, and rank cuts
by G²/H summed over the sides (Chen, Guestrin 2016, eq. 7, without its penalties). That is the fall
of the squared error of -g/h with weights h, which is what these trees have as target and weights.

Glossary
    dump      a model as JSON: text, or what `json.loads` makes of it
    before    what the trees of earlier rounds had added up for each row and class, (n, K)
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtviz.arrays import Floats
from dtviz.model import Model
from dtviz.others.foreign import Foreign, first_of, model_of
from dtviz.others.losses import NUMBERS, OBJECTIVES
from dtviz.others.penalised import Told, need_same_target
from dtviz.others.tables import (
    codes_of,
    data_of,
    floats_of,
    numbers_of,
    place_of,
    target_of,
    weights_of,
)
from dtviz.table.data import DataError
from dtviz.text import quoted, shown

WRONG = (KeyError, TypeError, ValueError, IndexError, AttributeError, ArithmeticError)
"""Errors of a dump that is none; an ArithmeticError is of a number too large to hold, or a 0."""
LEAST_HESSIAN = 1e-16
SINGLE = 2e-4
"""The share of what is added up by which single precision makes one unsure: 2e-7 of it is SAME."""


class Boosted(NamedTuple):
    """A tree with what its leaves add (m,), and what else it tells of its nodes.

    `group` is its class; its round begins with the tree `begin`.
    """

    tree: Foreign
    adds: Floats
    told: Told
    group: int
    begin: int


class Booster(NamedTuple):
    """The trees of a model with what each of their leaves adds, for each of `classes`.

    `start` is what is there before any; `average` what the first round may have begun with, if its
    trees hold that too. Rows of the class 1 weigh `positive` times as much.
    """

    trees: Sequence[Boosted]
    classes: int
    objective: str
    start: Floats
    features: int
    names: Sequence[str] | None
    average: Floats | None = None
    positive: float = 1.0


def parsed(dump: Any) -> Mapping[str, Any]:
    """The dump as a dict; raises DataError."""
    if isinstance(dump, str | bytes | bytearray):
        try:
            dump = json.loads(dump)
        except (ValueError, RecursionError):
            raise DataError("`dump` must be a model as JSON; this text is none") from None
    if not isinstance(dump, Mapping):
        raise DataError(f"`dump` must be a model as JSON; not {shown(dump)}")
    return dump


def need_numbers(*amounts: Floats) -> None:
    """Raises ValueError where an amount is infinite or none."""
    if not all(np.isfinite(some).all() for some in amounts):
        raise ValueError


def tree_of(found: Booster, X: Any, y: ArrayLike, member: int, sample_weight: Any) -> Model:
    """The model of one of the trees; raises DataError where it was grown on other rows."""
    member = place_of(member, len(found.trees))
    if found.objective not in OBJECTIVES:
        known = ", ".join(OBJECTIVES)
        raise DataError(f"the objective {quoted(found.objective)} is not among {known}")
    if any((one.tree.feature < 0).any() for one in found.trees) or any(
        (one.tree.feature >= found.features).any() for one in found.trees
    ):
        raise DataError("`dump` must be a whole model: a tree asks for a feature that is not there")
    frame = numbers_of(X, found.features, found.names)
    weights, target = weights_of(sample_weight, len(frame)), _target(y, found, len(frame))
    weights = weights * np.where(target == 1, found.positive, 1.0)
    before = np.tile(found.start, (len(frame), 1))
    values, asked = frame.to_numpy().T, found.trees[member]
    for tree, adds, _, group, _ in found.trees[: asked.begin]:
        before[:, group] += adds[tree.leaves(values)]
    begun = [before]
    if asked.begin == 0 and found.average is not None:
        average = found.average
        if found.objective in NUMBERS:  # of which the dump has six digits
            average = np.average(target, weights=weights) * np.ones(1)
        begun.insert(0, before + average)
    name = getattr(y, "name", None)
    return first_of(
        partial(_grown, found, asked, frame, target, weights, one, name) for one in begun
    )


def _grown(
    found: Booster,
    asked: Boosted,
    frame: pd.DataFrame,
    target: Floats,
    weights: Floats,
    before: Floats,
    name: Any,
) -> Model:
    """The model of a tree that was grown on what was there before; raises DataError."""
    first, second = OBJECTIVES[found.objective](target, before, asked.group)
    second = np.maximum(second, LEAST_HESSIAN)
    data = data_of(frame, pd.Series(-first / second, name=name), weights * second, "regression")
    model = model_of(asked.tree, data, "squared_error")
    around = np.abs(first - second * np.average(first / second, weights=weights * second))
    around += SINGLE * (np.abs(before).max(axis=1) + np.abs(target))
    amounts = weights * np.array([first, around])
    sums = asked.tree.totals(frame.to_numpy().T, amounts.T)
    if asked.begin == 0 and (before != found.start).any():
        held = before[0, asked.group]
        told = replace(asked.told, value=asked.told.value - held)
        told = replace(told, parts=[(part, None) for part, _ in told.parts])
    else:
        told = asked.told
    need_same_target(asked.tree, told, *sums.T)
    return model


def _target(y: ArrayLike, found: Booster, rows: int) -> Floats:
    """y as numbers: itself, or the place of each class among them all, in order."""
    values = target_of(y, rows)
    if found.objective in NUMBERS:
        return floats_of(values).astype(np.float32).astype(np.float64)  # as both libraries keep it
    return codes_of(values)[1].astype(np.float64)
