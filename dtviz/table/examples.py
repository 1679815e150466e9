"""Rows for the gallery: small published tables to check by hand, and points drawn at random.

Glossary
    rows        a table as printed, one tuple a row, the target last
    noise       standard deviation of what is added to the coordinates (or to y in regression);
                the draw does not depend on it, so that more noise moves the same points further
    code, rank  the class of a row as a number, and the number of the row within its class

A generator gives the same rows for the same parameters; every class has floor or ceil n/k rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from dtviz.arrays import Floats, Int64s
from dtviz.table.data import Dataset, Task, dataset
from dtviz.table.held import from_frame

Rows = tuple[tuple[str | int, ...], ...]

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

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

# Made up: a price rises on 1 March; who signs up later and waits for more than a day cancels.
SIGN_UPS: Rows = (
    ("2023-09-04", "3 days 02:00:00", "no"),
    ("2023-10-19", "0 days 00:45:00", "no"),
    ("2023-12-02", "0 days 06:30:00", "no"),
    ("2024-01-11", "2 days 09:15:00", "no"),
    ("2024-02-05", "0 days 20:00:00", "no"),
    ("2024-02-20", "1 days 16:00:00", "no"),
    ("2024-03-10", "2 days 20:00:00", "yes"),
    ("2024-03-28", "0 days 03:00:00", "no"),
    ("2024-04-15", "1 days 06:00:00", "yes"),
    ("2024-05-06", "3 days 12:00:00", "yes"),
    ("2024-06-24", "0 days 18:00:00", "no"),
    ("2024-07-30", "2 days 01:00:00", "yes"),
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
    """Six drivers: age, kind of car and risk."""
    return _worked(("Age", "Car", "Risk"), AGE_CAR_RISK)


def good_place() -> Dataset:
    """Ten people, four features, and whether they get to the good place."""
    return _worked(("forbidden_expression", "score", "lies", "cermics", "y"), GOOD_PLACE)


def play_tennis() -> Dataset:
    """Fourteen days: the weather and whether there was play."""
    return _worked(("outlook", "temperature", "humidity", "windy", "play"), PLAY_TENNIS)


def rpart_treble() -> Dataset:
    """Ten rows, two features and a number to predict."""
    return _worked(("x1", "x2", "y"), RPART_TREBLE, "regression")


def sign_ups() -> Dataset:
    """Twelve customers: when they signed up, how long they waited for an answer, who cancelled."""
    names = ("signed_up", "waited", "cancelled")
    frame = pd.DataFrame(list(SIGN_UPS), columns=list(names))
    frame["signed_up"] = pd.to_datetime(frame["signed_up"])
    frame["waited"] = pd.to_timedelta(frame["waited"])
    return from_frame(frame, "cancelled")


def _worked(names: Sequence[str], rows: Rows, task: Task = "classification") -> Dataset:
    """The Dataset of printed rows, the last name being the target."""
    *features, target = names
    return from_frame(pd.DataFrame(list(rows), columns=list(names)), target, features, task)


def _codes(rng: np.random.Generator, n: int, k: int = 2) -> Int64s:
    return rng.permutation(np.arange(n, dtype=np.int64) % k)


def _ranks(codes: Int64s) -> Int64s:
    """The number of each row within its class, from 0."""
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    ranks = np.empty_like(codes)
    ranks[order] = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks


def _plane(
    rng: np.random.Generator, x1: Floats, x2: Floats, codes: Int64s, noise: float
) -> Dataset:
    """The points, jittered, with the classes that occur (a prefix of A, B, ..., Z, C27, ...)."""
    points = np.array([x1, x2]) + noise * rng.standard_normal((2, len(codes)))
    labels = [LETTERS[i] if i < len(LETTERS) else f"C{i + 1}" for i in range(int(codes.max()) + 1)]
    return dataset(points, codes, ("x1", "x2"), "class", labels)


def moons(n: int, noise: float, seed: int) -> Dataset:
    """Two half circles, each reaching into the other."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    angle = rng.uniform(0, math.pi, n)
    side = 1.0 - 2.0 * codes
    x1, x2 = codes + side * np.cos(angle), codes / 2 + side * np.sin(angle)
    return _plane(rng, x1, x2, codes, noise)


def circles(n: int, noise: float, seed: int) -> Dataset:
    """A ring of class A around a ring of class B."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    angle = rng.uniform(0, 2 * math.pi, n)
    radius = np.where(codes == 0, 2.5, 1.0)
    return _plane(rng, radius * np.cos(angle), radius * np.sin(angle), codes, noise)


def xor(n: int, noise: float, seed: int) -> Dataset:
    """Four clusters on the corners of a square; opposite corners share a class."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    right = np.where(_ranks(codes) % 2 == 0, 1.5, -1.5)
    return _plane(rng, right, np.where(codes == 0, right, -right), codes, noise)


def stripes(n: int, noise: float, seed: int) -> Dataset:
    """Six upright stripes, the classes in turn; x2 says nothing."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    stripe = 2 * (_ranks(codes) % 3) + codes
    x1, x2 = rng.uniform(0, 1, n), rng.uniform(-3, 3, n)
    return _plane(rng, stripe - 3.0 + x1, x2, codes, noise)


def blobs(n: int, k: int, noise: float, seed: int) -> Dataset:
    """Round clusters, one a class, their centres spread over a disc as a sunflower's seeds are."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n, k)
    turn = rng.uniform(0, 2 * math.pi)
    radius = 4 * np.sqrt((codes + 0.5) / k)
    angle = turn + codes * math.pi * (3 - math.sqrt(5))
    return _plane(rng, 5 + radius * np.cos(angle), 5 + radius * np.sin(angle), codes, noise)


def diagonal(n: int, noise: float, seed: int) -> Dataset:
    """A square cut along x1 = x2: class A above, class B below."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    low, high = np.sort(rng.uniform(-3, 3, (2, n)), axis=0)
    x1, x2 = np.where(codes == 0, low, high), np.where(codes == 0, high, low)
    return _plane(rng, x1, x2, codes, noise)


def sine(n: int, noise: float, seed: int) -> Dataset:
    """One feature x from 0 to 10 and y = sin x."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return dataset([x], np.sin(x) + noise * rng.standard_normal(n), ("x",), "y")


def steps(n: int, noise: float, seed: int) -> Dataset:
    """One feature x from 0 to 10 and y on five levels, which jump at x = 2, 4, 5 and 8."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    level = np.array([1.0, 4.0, 2.0, 5.0, 3.0])[np.searchsorted([2.0, 4.0, 5.0, 8.0], x)]
    return dataset([x], level + noise * rng.standard_normal(n), ("x",), "y")
