"""The worked examples: small published tables whose figures can be checked by hand.

Glossary
    rows        the table as printed, one tuple a row, the target last
    indicator   a 0/1 column that stands for one value of a text column: 'Car = Sports'

A cut needs numbers, so a text column becomes one indicator a value, in sorted order. A column
with two values gives one indicator, of the value that sorts first: the other would repeat it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from dtviz.data import Dataset, Task, from_frame

Rows = tuple[tuple[str | int, ...], ...]

# Freiburg lecture on decision trees, 2023: height in cm -> gender.
HEIGHTS: Rows = (
    (180, "m"), (170, "m"), (160, "f"), (170, "f"), (170, "m"), (160, "f"), (170, "m"),
)  # fmt: skip

# Zaki & Meira, Data Mining, chapter on decision trees: Age, Car -> Risk.
AGE_CAR_RISK: Rows = (
    (25, "Sports", "L"),
    (20, "Vintage", "H"),
    (25, "Sports", "L"),
    (45, "SUV", "H"),
    (20, "Sports", "H"),
    (25, "SUV", "H"),
)

# CERMICS lecture on trees and forests, 2024: forbidden_expression, score, lies, cermics -> y.
GOOD_PLACE: Rows = (
    (0, 98, 0, 0, 0),
    (0, 87, 1, 0, 0),
    (1, 93, 9, 0, 1),
    (1, 97, 4, 1, 1),
    (1, 81, 7, 0, 1),
    (1, 42, 8, 1, 0),
    (1, 28, 3, 0, 0),
    (1, 12, 1, 0, 1),
    (1, 8, 0, 0, 1),
    (1, 2, 9, 0, 0),
)

# Quinlan 1986: outlook, temperature, humidity, windy -> play.
PLAY_TENNIS: Rows = (
    ("sunny", "hot", "high", False, "no"),
    ("sunny", "hot", "high", True, "no"),
    ("overcast", "hot", "high", False, "yes"),
    ("rainy", "mild", "high", False, "yes"),
    ("rainy", "cool", "normal", False, "yes"),
    ("rainy", "cool", "normal", True, "no"),
    ("overcast", "cool", "normal", True, "yes"),
    ("sunny", "mild", "high", False, "no"),
    ("sunny", "cool", "normal", False, "yes"),
    ("rainy", "mild", "normal", False, "yes"),
    ("sunny", "mild", "normal", True, "yes"),
    ("overcast", "mild", "high", True, "yes"),
    ("overcast", "hot", "normal", False, "yes"),
    ("rainy", "mild", "high", True, "no"),
)

# The rpart test-suite, tests/treble2.R: x1, x2 -> y.
RPART_TREBLE: Rows = (
    (10, 1, 1),
    (9, 3, 2),
    (8, 5, 3),
    (7, 7, 4),
    (6, 9, 5),
    (5, 2, 6),
    (4, 4, 7),
    (1, 6, 8),
    (2, 8, 9),
    (3, 0, 10),
)


def heights() -> Dataset:
    """Seven people: height and gender."""
    return _worked(("height", "gender"), HEIGHTS)


def age_car_risk() -> Dataset:
    """Six drivers: age, kind of car (as indicators) and risk."""
    return _worked(("Age", "Car", "Risk"), AGE_CAR_RISK)


def good_place() -> Dataset:
    """Ten people, four features, and whether they get to the good place."""
    return _worked(("forbidden_expression", "score", "lies", "cermics", "y"), GOOD_PLACE)


def play_tennis() -> Dataset:
    """Fourteen days: the weather (as indicators) and whether there was play."""
    return _worked(("outlook", "temperature", "humidity", "windy", "play"), PLAY_TENNIS)


def rpart_treble() -> Dataset:
    """Ten rows, two features and a number to predict."""
    return _worked(("x1", "x2", "y"), RPART_TREBLE, "regression")


def _worked(names: Sequence[str], rows: Rows, task: Task = "classification") -> Dataset:
    """The Dataset of printed rows, the last name being the target."""
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    *features, target = names
    table: dict[str, Sequence[Any]] = {}
    for name in features:
        table |= _numeric(name, columns[name])
    return from_frame(pd.DataFrame({**table, target: columns[target]}), target, list(table), task)


def _numeric(name: str, values: Sequence[Any]) -> dict[str, Sequence[Any]]:
    """The column itself if it holds numbers, otherwise its indicators."""
    if not isinstance(values[0], str):
        return {name: values}
    distinct = sorted(set(values))
    shown = distinct[:1] if len(distinct) == 2 else distinct
    return {f"{name} = {one}": [int(value == one) for value in values] for one in shown}
