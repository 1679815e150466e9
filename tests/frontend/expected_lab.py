"""The pictures of the page Impurity, and what the engine says of what a hand makes of them."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from expected_stage import packed

from dtviz.engine.criteria.criteria import CRITERIA, criteria_for, impurities_for
from dtviz.engine.criteria.from_counts import (
    compare_splits,
    divergence,
    impurities,
    scores,
    surprise,
)
from dtviz.pictures.impurity import measures_frame, simplex_frame, splits_frame
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.session.impurity import WHOLE_IN_SIXTIETHS, ImpuritySettings, TwoSplits

IMPURITIES = impurities_for("classification")


def shares() -> Any:
    """Both pictures of shares, and what is told of some places of each."""
    rng = random.Random(3)
    two = [[percent, 100 - percent] for percent in range(1, 100, 7)]
    three = []
    for _ in range(60):
        a = rng.randint(0, WHOLE_IN_SIXTIETHS)
        b = rng.randint(0, WHOLE_IN_SIXTIETHS - a)
        three.append([a, b, WHOLE_IN_SIXTIETHS - a - b])
    lab = ImpuritySettings(impurity="gini")
    return {
        "measures": {"frame": packed("measures", measures_frame(lab, LIGHT)), "told": _told(two)},
        "simplex": {"frame": packed("simplex", simplex_frame(lab, DARK)), "told": _told(three)},
    }


def _told(places: Any) -> Any:
    counts = np.array(places)
    bits = surprise(counts / counts.sum(axis=1, keepdims=True))
    bits = np.where(np.isinf(bits), -1, bits)  # JSON has no infinity
    return [
        {
            "parts": place,
            "values": [float(impurities(one, row[None])[0]) for one in IMPURITIES],
            "divergence": float(divergence(row[None])[0]),
            "surprise": own.tolist(),
        }
        for place, row, own in zip(places, counts, bits, strict=True)
    ]


def splits() -> Any:
    """Pairs of splits, and all that dragging one class of either makes of every criterion."""
    pairs = [
        TwoSplits((8, 8), (6, 2), (4, 8)),
        TwoSplits((5, 2), (4, 2), (4, 1)),
        TwoSplits((3, 2, 1), (2, 2, 0), (3, 2, 1)),
        TwoSplits((3, 0, 2, 2), (3, 0, 1, 0), (0, 0, 2, 1)),
    ]
    return [
        {
            "frame": packed("splits", splits_frame(ImpuritySettings(splits=two), LIGHT)),
            "reached": _reached(two),
        }
        for two in pairs
    ]


def _reached(two: TwoSplits) -> Any:
    out = []
    for side in (0, 1):
        for k, rows in enumerate(two.parent):
            for a in range(rows + 1):
                both = [list(two.first), list(two.second)]
                both[side][k] = a
                out.append({"first": both[0], "second": both[1], "verdicts": _verdicts(two, both)})
    return out


def _verdicts(two: TwoSplits, both: Any) -> Any:
    parent, sent = np.array(two.parent), np.array(both)
    found = []
    for name in criteria_for("classification"):
        own = scores(CRITERIA[name], parent, sent)
        better = int(compare_splits(CRITERIA[name], parent, sent[:1], sent[1])[0])
        plain = [None if np.isnan(score) else float(score) for score in own]
        found.append({"scores": plain, "better": better})
    return found
