"""Frames of the page Impurity.

The browser shows only numbers that Python computed, and a drag may not wait for them. So a frame
holds the numbers of every position that a drag can reach.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.engine.criteria import criteria
from dtviz.engine.criteria.from_counts import (
    MAX_ROWS,
    compare_splits,
    disagreements,
    divergence,
    group_of_counts,
    impurities,
    scores,
    surprise,
)
from dtviz.explain.why import counts_arithmetic, impurity_line, information_lines, pair_text
from dtviz.pictures import frame_types
from dtviz.pictures.scales import SCALE, Theme, class_look, colours_of
from dtviz.session.impurity import (
    MAX_CLASS_ROWS,
    N_CLASSES_ALLOWED,
    WHOLE_IN_PERCENT,
    WHOLE_IN_SIXTIETHS,
    ImpuritySettings,
    TwoSplits,
    comparable_criteria,
)
from dtviz.session.screen import Screen, two_splits

Counts = NDArray[Any]
"""Rows of each class in several groups: (groups, classes)."""
N_CLASSES_SEARCHED = (2, 3)
"""Numbers of classes of the nodes that are searched for disagreements."""


def impurity_frame(screen: Screen, theme: Theme) -> frame_types.ImpurityPage:
    """Frame of the whole page: pictures, arithmetic, and where two criteria disagree."""
    lab = screen.session.lab
    examples = [example for n in N_CLASSES_SEARCHED for example in _examples(screen, n)]
    agreement = f"On all nodes of two and three classes of up to {MAX_ROWS} rows, tried one by one."
    return {
        "picture": "lab",
        "measures": measures_frame(lab, theme),
        "simplex": simplex_frame(lab, theme),
        "splits": splits_frame(lab, theme),
        "two_classes": _shares_arithmetic(lab, (lab.percent, WHOLE_IN_PERCENT - lab.percent)),
        "three_classes": _shares_arithmetic(lab, lab.shares),
        "criterion": criteria.CRITERIA[lab.opened].title,
        "split_lines": [_split_lines(lab, left) for left in (lab.splits.first, lab.splits.second)],
        "can_take": can_take_splits(screen),
        "between": [*lab.between],
        "criteria": [(name, criteria.CRITERIA[name].title) for name in comparable_criteria()],
        "examples": examples,
        "agreement": "" if examples else agreement,
        "colours": colours_of(theme),
    }


def can_take_splits(screen: Screen) -> bool | None:
    """True if the splits of Grow differ from those of the page; None where gains are hidden."""
    if "gains" in screen.session.hidden:
        return None
    return two_splits(screen) not in (None, screen.session.lab.splits)


def _shares_arithmetic(
    lab: ImpuritySettings, counts: tuple[int, ...]
) -> frame_types.SharesArithmetic:
    """Arithmetic of the chosen impurity, and of self-information, for class counts."""
    by_name = {impurity.name: impurity for impurity in criteria.impurities_for("classification")}
    impurity = by_name[lab.impurity]
    value = float(impurities(impurity, np.array([counts]))[0])
    return {
        "impurity": impurity_line(impurity, group_of_counts(counts), value, "p"),
        "information": [*information_lines(counts)],
    }


def _split_lines(lab: ImpuritySettings, left: tuple[int, ...]) -> list[str]:
    """Arithmetic of a split under the opened criterion; no line for a split with an empty side."""
    if not 0 < sum(left) < sum(lab.splits.parent):
        return []
    return [*counts_arithmetic(criteria.CRITERIA[lab.opened], lab.splits.parent, left)]


def _examples(screen: Screen, n_classes: int) -> list[frame_types.DisagreementExample]:
    """The smallest nodes of so many classes where the two criteria prefer different splits."""
    lab = screen.session.lab
    first, second = (criteria.CRITERIA[name] for name in lab.between)
    key = ("disagreements", first.name, second.name, n_classes)
    pairs = screen.cache.get(key, lambda: disagreements(first, second, n_classes))
    return [
        {
            "name": " + ".join(map(str, pair.parent)),
            "splits": {"parent": [*pair.parent], "first": [*pair.first], "second": [*pair.second]},
            "text": pair_text(first, second, pair) if TwoSplits(*pair) == lab.splits else "",
        }
        for pair in pairs
    ]


def measures_frame(lab: ImpuritySettings, theme: Theme) -> frame_types.Measures:
    """Frame of every impurity of two classes over the share of the first class."""
    first_counts = np.arange(WHOLE_IN_PERCENT + 1)
    counts = np.stack([first_counts, WHOLE_IN_PERCENT - first_counts], axis=1)
    return {**_shares(lab, theme, counts), "percent": lab.percent}


def simplex_frame(lab: ImpuritySettings, theme: Theme) -> frame_types.Simplex:
    """Frame of every impurity of three classes."""
    frame = _shares(lab, theme, lattice(WHOLE_IN_SIXTIETHS))
    return {**frame, "shares": [*lab.shares], "scale": list(SCALE)}


def lattice(total: int) -> Counts:
    """Counts a >= b >= c that add up to `total`, a and then b falling, (m, 3).

    Other orders of the classes are left out: impurities do not depend on the order.
    """
    return np.array(
        [
            (a, b, total - a - b)
            for a in range(total, 0, -1)
            for b in range(min(a, total - a), -1, -1)
            if b >= total - a - b
        ]
    )


def _shares(lab: ImpuritySettings, theme: Theme, counts: Counts) -> frame_types.Shares:
    """Fields that both pictures of shares have: the impurities at these counts, (m, K)."""
    curves: list[frame_types.ImpurityCurve] = [
        {"name": impurity.name, "unit": impurity.unit, "values": impurities(impurity, counts)}
        for impurity in criteria.impurities_for("classification")
    ]
    total, n_classes = int(counts[0].sum()), counts.shape[1]
    return {
        "total": total,
        "impurity": lab.impurity,
        "curves": curves,
        "surprise": surprise(np.arange(total + 1) / total),
        "divergence": divergence(counts),
        "bits": math.log2(n_classes),
        "entropy": criteria.ENTROPY.name,
        "classes": _classes(n_classes),
        "colours": colours_of(theme),
    }


def _classes(n_classes: int) -> list[frame_types.ClassLook]:
    """Name, colour and marker shape of each class."""
    return [class_look(k, f"class {k + 1}") for k in range(n_classes)]


def splits_frame(lab: ImpuritySettings, theme: Theme) -> frame_types.Splits:
    """Frame of two splits, with the scores under every criterion that a drag can reach."""
    splits = lab.splits
    return {
        "parent": [*splits.parent],
        "first": [*splits.first],
        "second": [*splits.second],
        "max_rows": MAX_CLASS_ROWS,
        "opened": lab.opened,
        "criteria": [
            _compare_reachable(criteria.CRITERIA[name], lab.splits)
            for name in criteria.criteria_for("classification")
        ],
        "classes": _classes(max(N_CLASSES_ALLOWED)),
        "colours": colours_of(theme),
    }


def _compare_reachable(
    criterion: criteria.Criterion, splits: TwoSplits
) -> frame_types.CriterionScores:
    """Scores of every split that a drag can make of each split, compared with the other one.

    The other split stays as it is during a drag.
    """
    parent, left_counts = np.array(splits.parent), (splits.first, splits.second)
    reachable = [_reachable_counts(splits.parent, left) for left in left_counts]
    comparisons = [
        compare_splits(criterion, parent, counts, np.array(other))
        for counts, other in zip(reachable, reversed(left_counts), strict=True)
    ]
    return {
        "name": criterion.name,
        "title": criterion.title,
        "score_name": criterion.score_name,
        "unit": criterion.unit,
        "score": np.concatenate([scores(criterion, parent, counts) for counts in reachable]),
        "better": np.concatenate(comparisons),
    }


def _reachable_counts(parent: Sequence[int], left: Sequence[int]) -> Counts:
    """Left counts that dragging one class can reach, (m, K): class by class, 0 to all its rows."""
    return np.array(
        [
            (*left[:k], n_left, *left[k + 1 :])
            for k, n_class in enumerate(parent)
            for n_left in range(n_class + 1)
        ]
    )
