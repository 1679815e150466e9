"""How wrong the one answer is that knows no feature: what a tree has to do better than.

Glossary
    baseline   the error of one answer for all rows: the majority class, or the mean

Source: theory.md, Judging [C].
"""

from __future__ import annotations

import math

import numpy as np

from dtviz.engine.subtrees import loss_of
from dtviz.table.costs import own_weights
from dtviz.table.data import Dataset


def baseline(training: Dataset, held: Dataset | None) -> float:
    """The mean loss on the rows held out of the one answer of least loss on the training rows.

    That is the majority class, the class that costs least, or the mean; nan without rows.
    """
    if held is None:
        return math.nan
    answer = _one_answer(training)
    loss = loss_of(held, held.y, np.full(held.n, answer))
    return float(np.average(loss, weights=own_weights(held)))


def _one_answer(data: Dataset) -> float:
    own = own_weights(data)
    if not data.classes:
        return float(np.average(data.y, weights=own))
    weights = np.bincount(data.y, own, len(data.classes))
    if data.costs is None:
        return float(weights.argmax())
    return float((weights @ data.costs).argmin())
