"""The figures of the cases folder, as literals: what the engine must give to the digits printed.

Glossary
    rows       a table as printed, one tuple a row, the target last
    frame_of   the table as a pandas frame; text columns become one 0/1 column a value
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dtviz.data.dataset import Dataset, Task
from dtviz.data.train_test import from_frame

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

# Russell & Norvig, 3rd edition, figure 18.3: the gains of parting by every value of a feature.
RESTAURANT = {
    "columns": (
        "Alternate", "Bar", "Friday", "Hungry", "Patrons", "Price", "Raining", "Reservation",
        "Type", "WaitEstimate", "WillWait",
    ),
    "rows": tuple(
        tuple(row.split())
        for row in (
            "Yes No No Yes Some $$$ No Yes French 0-10 Yes",
            "Yes No No Yes Full $ No No Thai 30-60 No",
            "No Yes No No Some $ No No Burger 0-10 Yes",
            "Yes No Yes Yes Full $ Yes No Thai 10-30 Yes",
            "Yes No Yes No Full $$$ No Yes French >60 No",
            "No Yes No Yes Some $$ Yes Yes Italian 0-10 Yes",
            "No Yes No No None $ Yes No Burger 0-10 No",
            "No No No Yes Some $$ Yes Yes Thai 0-10 Yes",
            "No Yes Yes No Full $ Yes No Burger >60 No",
            "Yes Yes Yes Yes Full $$$ No Yes Italian 10-30 No",
            "No No No No None $ No No Thai 0-10 No",
            "Yes Yes Yes Yes Full $ No No Burger 30-60 Yes",
        )
    ),
    "multiway": {"Patrons": 0.541, "Type": 0.0},
}  # fmt: skip

# Chambers & Hastie 1992, in rpart: age, number, start, absent or present. Figures are those of
# `summary(rpart(Kyphosis ~ Age + Number + Start))`: improve, agree, adj.
KYPHOSIS_ROWS = (
    "71 3 5 a; 158 3 14 a; 128 4 5 p; 2 5 1 a; 1 4 15 a; 1 2 16 a; 61 2 17 a; 37 3 16 a; "
    "113 2 16 a; 59 6 12 p; 82 5 14 p; 148 3 16 a; 18 5 2 a; 1 4 12 a; 168 3 18 a; 1 3 16 a; "
    "78 6 15 a; 175 5 13 a; 80 5 16 a; 27 4 9 a; 22 2 16 a; 105 6 5 p; 96 3 12 p; 131 2 3 a; "
    "15 7 2 p; 9 5 13 a; 8 3 6 a; 100 3 14 a; 4 3 16 a; 151 2 16 a; 31 3 16 a; 125 2 11 a; "
    "130 5 13 a; 112 3 16 a; 140 5 11 a; 93 3 16 a; 1 3 9 a; 52 5 6 p; 20 6 9 a; 91 5 12 p; "
    "73 5 1 p; 35 3 13 a; 143 9 3 a; 61 4 1 a; 97 3 16 a; 139 3 10 p; 136 4 15 a; 131 5 13 a; "
    "121 3 3 p; 177 2 14 a; 68 5 10 a; 9 2 17 a; 139 10 6 p; 2 2 17 a; 140 4 15 a; 72 5 15 a; "
    "2 3 13 a; 120 5 8 p; 51 7 9 a; 102 3 13 a; 130 4 1 p; 114 7 8 p; 81 4 1 a; 118 3 16 a; "
    "118 4 16 a; 17 4 10 a; 195 2 17 a; 159 4 13 a; 18 4 11 a; 15 5 16 a; 158 5 14 a; "
    "127 4 12 a; 87 4 16 a; 206 4 10 a; 11 3 15 a; 178 4 15 a; 157 3 13 p; 26 7 13 a; "
    "120 2 13 a; 42 7 6 p; 36 4 13 a"
)
KYPHOSIS = {
    "columns": ("Age", "Number", "Start", "Kyphosis"),
    "rows": tuple(
        (*map(int, row.split()[:3]), "absent" if row.endswith("a") else "present")
        for row in KYPHOSIS_ROWS.split("; ")
    ),
    "improve": {("Start", 8.5): 6.762330, ("Number", 5.5): 2.866795, ("Age", 39.5): 2.250212},
    "surrogates": {
        1: (("Number", 6.5, 0.802, 0.158),),
        3: (("Number", 3.5, 0.645, 0.241), ("Age", 16, 0.597, 0.138)),
    },
}

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
  forbidden_expression <= 0.5? yes: predict 0 [2 rows: 0 2]
  forbidden_expression <= 0.5? no: [8 rows]
    score <= 61.5? yes: [5 rows]
      lies <= 2? yes: predict 1 [2 rows: 1 2]
      lies <= 2? no: predict 0 [3 rows: 0 3]
    score <= 61.5? no: predict 1 [3 rows: 1 3]
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
