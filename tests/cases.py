"""The figures of the cases folder, as literals: what the engine must give to the digits printed.

Glossary
    rows       a table as printed, one tuple a row, the target last
    frame_of   the table as a pandas frame; text columns become one 0/1 column a value
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dtviz.table.data import Dataset, Task
from dtviz.table.held import from_frame

# Freiburg lecture 2023: height -> gender.
HEIGHTS = {
    "columns": ("height", "gender"),
    "rows": (
        (180, "m"), (170, "m"), (160, "f"), (170, "f"), (170, "m"), (160, "f"), (170, "m"),
    ),
    "root": {"entropy": 0.985228, "gini": 0.489796, "error": 0.428571},
    "candidates": {
        "height <= 165": {
            "n_left": 2, "n_right": 5, "entropy": 0.469565, "weighted": 3.286956,
            "gini": 0.261224, "error": 0.285714,
        },
        "height <= 175": {
            "n_left": 6, "n_right": 1, "entropy": 0.128085, "weighted": 0.896597,
            "gini": 0.061224, "error": 0.0,
        },
    },
}  # fmt: skip

# Zaki & Meira: Age, Car -> Risk. `Car in {a}` is the cut of its indicator at 0.5.
AGE_CAR_RISK = {
    "columns": ("Age", "Car", "Risk"),
    "rows": (
        (25, "Sports", "L"), (20, "Vintage", "H"), (25, "Sports", "L"), (45, "SUV", "H"),
        (20, "Sports", "H"), (25, "SUV", "H"),
    ),
    "root": {"entropy": 0.918296, "gini": 0.444444},
    "candidates": {
        "Age <= 22.5": {"entropy": 0.251629, "gini": 0.111111, "error": 0.0, "cart": 0.444444},
        "Age <= 35": {"entropy": 0.10917, "gini": 0.044444, "error": 0.0, "cart": 0.222222},
        "Car = Sports <= 0.5": {
            "entropy": 0.459148, "gini": 0.222222, "error": 0.166667, "cart": 0.666667,
        },
        "Car = Vintage <= 0.5": {
            "entropy": 0.10917, "gini": 0.044444, "error": 0.0, "cart": 0.222222,
        },
        "Car = SUV <= 0.5": {
            "entropy": 0.251629, "gini": 0.111111, "error": 0.0, "cart": 0.444444,
        },
    },
    "rules": (
        "Car = Sports <= 0.5 -> H (3 rows)",
        "Age <= 22.5 and Car = Sports > 0.5 -> H (1 row)",
        "Age > 22.5 and Car = Sports > 0.5 -> L (2 rows)",
    ),
    "predict": (((27, "Vintage"), "H"), ((20, "Sports"), "H")),
}  # fmt: skip

# CERMICS lecture 2024: ten people, four features.
GOOD_PLACE = {
    "columns": ("forbidden_expression", "score", "lies", "cermics", "y"),
    "rows": (
        (0, 98, 0, 0, 0), (0, 87, 1, 0, 0), (1, 93, 9, 0, 1), (1, 97, 4, 1, 1), (1, 81, 7, 0, 1),
        (1, 42, 8, 1, 0), (1, 28, 3, 0, 0), (1, 12, 1, 0, 1), (1, 8, 0, 0, 1), (1, 2, 9, 0, 0),
    ),
    "root": {"entropy": 1.0},
    "candidates": {
        "forbidden_expression <= 0.5": 0.236453,
        "cermics <= 0.5": 0.0,
        "lies <= 3.5": 0.029049,
        "lies <= 7.5": 0.034852,
        "score <= 5": 0.108032,
        "score <= 97.5": 0.108032,
    },
    "inner": (6, "lies <= 2", 0.970951),
    "text": """\
[10 rows]
  forbidden_expression <= 0.5: yes: -> 0 [2 rows: 0 2]
  forbidden_expression <= 0.5: no: [8 rows]
    score <= 61.5: yes: [5 rows]
      lies <= 2: yes: -> 1 [2 rows: 1 2]
      lies <= 2: no: -> 0 [3 rows: 0 3]
    score <= 61.5: no: -> 1 [3 rows: 1 3]
""",
}  # fmt: skip

# Quinlan 1986. The binary root by Gini is outlook in {overcast}, then humidity on the other side.
PLAY_TENNIS = {
    "columns": ("outlook", "temperature", "humidity", "windy", "play"),
    "rows": (
        ("sunny", "hot", "high", "false", "no"), ("sunny", "hot", "high", "true", "no"),
        ("overcast", "hot", "high", "false", "yes"), ("rainy", "mild", "high", "false", "yes"),
        ("rainy", "cool", "normal", "false", "yes"), ("rainy", "cool", "normal", "true", "no"),
        ("overcast", "cool", "normal", "true", "yes"), ("sunny", "mild", "high", "false", "no"),
        ("sunny", "cool", "normal", "false", "yes"), ("rainy", "mild", "normal", "false", "yes"),
        ("sunny", "mild", "normal", "true", "yes"), ("overcast", "mild", "high", "true", "yes"),
        ("overcast", "hot", "normal", "false", "yes"), ("rainy", "mild", "high", "true", "no"),
    ),
    # one branch a value: the engine cuts in two, but its impurities give these
    "multiway_gain": {
        "outlook": 0.2467, "humidity": 0.1518, "windy": 0.0481, "temperature": 0.0292,
    },
    "multiway_ratio": {
        "outlook": 0.1564, "humidity": 0.1518, "windy": 0.0488, "temperature": 0.0188,
    },
}  # fmt: skip

# The rpart test-suite, tests/treble2.R.
RPART_TREBLE = {
    "columns": ("x1", "x2", "y"),
    "rows": (
        (10, 1, 1), (9, 3, 2), (8, 5, 3), (7, 7, 4), (6, 9, 5), (5, 2, 6), (4, 4, 7), (1, 6, 8),
        (2, 8, 9), (3, 0, 10),
    ),
    "preorder_sum_of_squares": (82.5, 10, 2, 0.5, 10, 0.5, 2),
}  # fmt: skip

# scikit-learn's cost_complexity_pruning_path on full Iris, Gini: the total impurity of the leaves
# of the pruned trees. The first is the full tree, the last but one the stump's, the last the root.
IRIS_CCP = {
    "ccp_alphas": (0, 0.006522, 0.008889, 0.013056, 0.02966, 0.259796, 0.333333),
    "impurities": (0, 0.013043, 0.030821, 0.043877, 0.073537, 0.333333, 0.666667),
}

# HSE and Freiburg lectures.
ENTROPIES = (
    ((0.2, 0.2, 0.2, 0.2, 0.2), 2.321928),
    ((0.9, 0.05, 0.05), 0.568996),
    ((0, 0, 0, 1, 0), 0.0),
    ((0.5, 0.5, 0), 1.0),
    ((1 / 3, 1 / 3, 1 / 3), 1.584963),
)
CLASS_SPLITS = (  # left counts, right counts, gain in bits
    ((4, 0), (0, 4), 8.0 / 8),
    ((2, 2), (2, 2), 0.0),
    ((1, 5), (5, 1), 0.349978),
    ((6, 5), (0, 1), 0.088806),
)
HALVES = ((25.6, 16.2, 29.6, 2.7), (25.6, 0.7, 0.7, 24.9))  # parent, left, right variance; gain
MIDPOINTS = (((1, 3, 1, 5, 4), (2, 3.5, 4.5)), ((5, 4, 6, 5, 8), (4.5, 5.5, 7)))


def frame_of(case: dict[str, Any]) -> pd.DataFrame:
    """The case's table; each text feature as indicators 'name = value', in sorted order."""
    *features, target = case["columns"]
    table: dict[str, Sequence[Any]] = {}
    for j, name in enumerate(features):
        column = [row[j] for row in case["rows"]]
        if isinstance(column[0], str):
            for value in sorted(set(column)):
                table[f"{name} = {value}"] = [int(one == value) for one in column]
        else:
            table[name] = column
    return pd.DataFrame({**table, target: [row[-1] for row in case["rows"]]})


def data_of(case: dict[str, Any], task: Task | None = None) -> Dataset:
    """The case as a Dataset."""
    return from_frame(frame_of(case), case["columns"][-1], task=task)
