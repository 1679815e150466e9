"""The pictures of the page Impurity: what a drag can reach is worked out before it begins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria.criteria import (
    CRITERIA,
    ENTROPY,
    Criterion,
    criteria_for,
    impurities_for,
)
from dtviz.engine.criteria.from_counts import (
    divergence,
    impurities,
    preferred,
    scores,
    surprise,
)
from dtviz.pictures.frame_types import (
    ClassLook,
    Compared,
    Measures,
    Sampled,
    Shares,
    Simplex,
    Splits,
)
from dtviz.pictures.palette import SCALE, Theme, class_look, colours_of
from dtviz.session.impurity import CLASSES, MOST_ROWS, PERCENT, SIXTIETHS, Lab, TwoSplits

Counts = NDArray[Any]


def measures_frame(lab: Lab, theme: Theme) -> Measures:
    """Every impurity of two classes over the share of the first."""
    first = np.arange(PERCENT + 1)
    counts = np.stack([first, PERCENT - first], axis=1)
    return {**_shares(lab, theme, counts), "percent": lab.percent}


def simplex_frame(lab: Lab, theme: Theme) -> Simplex:
    """Every impurity of three classes."""
    shown = _shares(lab, theme, lattice(SIXTIETHS))
    return {**shown, "shares": [*lab.shares], "scale": list(SCALE)}


def lattice(whole: int) -> Counts:
    """Three counts a >= b >= c that add up to `whole`, a and then b falling, (m, 3)."""
    return np.array(
        [
            (a, b, whole - a - b)
            for a in range(whole, 0, -1)
            for b in range(min(a, whole - a), -1, -1)
            if b >= whole - a - b
        ]
    )


def _shares(lab: Lab, theme: Theme, counts: Counts) -> Shares:
    """What both pictures of shares have, each impurity at these counts, (m, K)."""
    curves: list[Sampled] = [
        {"name": one.name, "unit": one.unit, "values": impurities(one, counts)}
        for one in impurities_for("classification")
    ]
    whole, classes = int(counts[0].sum()), counts.shape[1]
    return {
        "whole": whole,
        "impurity": lab.impurity,
        "curves": curves,
        "surprise": surprise(np.arange(whole + 1) / whole),
        "apart": divergence(counts),
        "bits": math.log2(classes),
        "entropy": ENTROPY.name,
        "classes": _classes(classes),
        "colours": colours_of(theme),
    }


def _classes(many: int) -> list[ClassLook]:
    return [class_look(k, f"class {k + 1}") for k in range(many)]


def splits_frame(lab: Lab, theme: Theme) -> Splits:
    """Two splits under every criterion, and whatever a drag of one class makes of them."""
    two = lab.splits
    return {
        "parent": [*two.parent],
        "first": [*two.first],
        "second": [*two.second],
        "most": MOST_ROWS,
        "opened": lab.opened,
        "criteria": [
            _compared(CRITERIA[name], lab.splits) for name in criteria_for("classification")
        ],
        "classes": _classes(max(CLASSES)),
        "colours": colours_of(theme),
    }


def _compared(criterion: Criterion, two: TwoSplits) -> Compared:
    parent, both = np.array(two.parent), (two.first, two.second)
    found = [_reached(two.parent, left) for left in both]
    better = [
        preferred(criterion, parent, some, np.array(other))
        for some, other in zip(found, reversed(both), strict=True)
    ]
    return {
        "name": criterion.name,
        "title": criterion.title,
        "measured": criterion.measured,
        "unit": criterion.unit,
        "score": np.concatenate([scores(criterion, parent, some) for some in found]),
        "better": np.concatenate(better),
    }


def _reached(parent: Sequence[int], left: Sequence[int]) -> Counts:
    """What dragging one class makes of a split: class by class, 0 to all of its rows left."""
    return np.array(
        [(*left[:k], a, *left[k + 1 :]) for k, rows in enumerate(parent) for a in range(rows + 1)]
    )
