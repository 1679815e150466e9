"""The gallery: named datasets that a recipe rebuilds, row for row, on every run.

The rows of a worked example stand in this module. A generator draws random rows: equal parameters,
equal rows. A table is read from an asset, a file that comes with the package.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from dtviz.base.arrays import Floats, Int64s
from dtviz.base.text import quoted, short_repr
from dtviz.data.categories import CategoryValue
from dtviz.data.dataset import (
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    Task,
    make_dataset,
    make_recipe,
    with_suspects,
)
from dtviz.data.notes import Note
from dtviz.data.units import PLAIN, Quantity
from dtviz.data.units.numbers import DAY, SECOND
from dtviz.data.units.times import parse_times

PrintedRows = Sequence[tuple[str | float, ...]]
"""Rows of cells, the target last."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

# Freiburg lecture on decision trees, 2023: height in cm -> gender.
HEIGHTS: PrintedRows = (
    (180, "m"), (170, "m"), (160, "f"), (170, "f"), (170, "m"), (160, "f"), (170, "m"),
)  # fmt: skip

# Zaki & Meira, Data Mining, chapter on decision trees: Age, Car -> Risk.
AGE_CAR_RISK: PrintedRows = (
    (25, "Sports", "L"),
    (20, "Vintage", "H"),
    (25, "Sports", "L"),
    (45, "SUV", "H"),
    (20, "Sports", "H"),
    (25, "SUV", "H"),
)

# CERMICS lecture on trees and forests, 2024: forbidden_expression, score, lies, cermics -> y.
GOOD_PLACE: PrintedRows = (
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
SIGN_UPS: PrintedRows = (
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
PLAY_TENNIS: PrintedRows = (
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

# Russell & Norvig, Artificial Intelligence: A Modern Approach: figure 18.3 of the 3rd edition, 19.2
# of the 4th. The copy in aima-data has no rain in the fourth row.
RESTAURANT_NAMES = (
    "Alternate", "Bar", "Friday", "Hungry", "Patrons", "Price", "Raining", "Reservation", "Type",
    "WaitEstimate", "WillWait",
)  # fmt: skip
RESTAURANT: PrintedRows = (
    ("Yes", "No", "No", "Yes", "Some", "$$$", "No", "Yes", "French", "0-10", "Yes"),
    ("Yes", "No", "No", "Yes", "Full", "$", "No", "No", "Thai", "30-60", "No"),
    ("No", "Yes", "No", "No", "Some", "$", "No", "No", "Burger", "0-10", "Yes"),
    ("Yes", "No", "Yes", "Yes", "Full", "$", "Yes", "No", "Thai", "10-30", "Yes"),
    ("Yes", "No", "Yes", "No", "Full", "$$$", "No", "Yes", "French", ">60", "No"),
    ("No", "Yes", "No", "Yes", "Some", "$$", "Yes", "Yes", "Italian", "0-10", "Yes"),
    ("No", "Yes", "No", "No", "None", "$", "Yes", "No", "Burger", "0-10", "No"),
    ("No", "No", "No", "Yes", "Some", "$$", "Yes", "Yes", "Thai", "0-10", "Yes"),
    ("No", "Yes", "Yes", "No", "Full", "$", "Yes", "No", "Burger", ">60", "No"),
    ("Yes", "Yes", "Yes", "Yes", "Full", "$$$", "No", "Yes", "Italian", "10-30", "No"),
    ("No", "No", "No", "No", "None", "$", "No", "No", "Thai", "0-10", "No"),
    ("Yes", "Yes", "Yes", "Yes", "Full", "$", "No", "No", "Burger", "30-60", "Yes"),
)

# The rpart test-suite, tests/treble2.R: x1, x2 -> y.
RPART_TREBLE: PrintedRows = (
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
    return _dataset_of_rows(("height", "gender"), HEIGHTS)


def age_car_risk() -> Dataset:
    """Six drivers: age, kind of car and risk."""
    return _dataset_of_rows(("Age", "Car", "Risk"), AGE_CAR_RISK)


def good_place() -> Dataset:
    """Ten people, four features, and whether they get to the good place."""
    return _dataset_of_rows(("forbidden_expression", "score", "lies", "cermics", "y"), GOOD_PLACE)


def play_tennis() -> Dataset:
    """Fourteen days: the weather and whether there was play."""
    return _dataset_of_rows(("outlook", "temperature", "humidity", "windy", "play"), PLAY_TENNIS)


def restaurant() -> Dataset:
    """Twelve evenings: a restaurant and whether to wait for a table."""
    return _dataset_of_rows(RESTAURANT_NAMES, RESTAURANT)


def rpart_treble() -> Dataset:
    """Ten rows, two features and a number to predict."""
    return _dataset_of_rows(("x1", "x2", "y"), RPART_TREBLE, "regression")


def sign_ups() -> Dataset:
    """Twelve customers: when they signed up, how long they waited for an answer, who cancelled."""
    return _dataset_of_rows(("signed_up", "waited", "cancelled"), SIGN_UPS)


def _dataset_of_rows(
    names: Sequence[str],
    rows: PrintedRows,
    task: Task = "classification",
    notes: Sequence[Note] = (),
) -> Dataset:
    """The Dataset of rows of cells; the last of `names` is the target."""
    *columns, target = (list(column) for column in zip(*rows, strict=True))
    features = [_feature(column) for column in columns]
    classes = sorted(set(target)) if task == "classification" else []
    data = make_dataset(
        [values for values, _, _ in features],
        np.array([classes.index(value) for value in target] if classes else target),
        names[:-1],
        names[-1],
        classes,
        notes,
        categories=tuple(categories for _, categories, _ in features),
        quantities=tuple(quantity for _, _, quantity in features),
    )
    return with_suspects(data)


def _feature(cells: list[Any]) -> tuple[Floats, tuple[CategoryValue, ...], Quantity]:
    """The numbers of a column, NaN for missing cells (NaN or ''), its categories and quantity."""
    if not any(isinstance(cell, str | bool) for cell in cells):
        return np.array(cells, np.float64), (), PLAIN
    if isinstance(cells[0], str) and (times := parse_times(cells)):
        quantity = Quantity("duration", SECOND) if times.are_spans else Quantity("date", DAY)
        return times.counts.values / (quantity.unit // times.counts.step), (), quantity
    categories = tuple(sorted({*cells} - {""}))
    codes: dict[Any, float] = {value: code for code, value in enumerate(categories)}
    return np.array([codes.get(cell, math.nan) for cell in cells], np.float64), categories, PLAIN


def _codes(rng: np.random.Generator, n: int, k: int = 2) -> Int64s:
    """Codes of `k` classes of equal size, in random order, (n,)."""
    return rng.permutation(np.arange(n, dtype=np.int64) % k)


def _positions_in_class(codes: Int64s) -> Int64s:
    """Position of each row among the rows of its class, from 0, (n,)."""
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    positions = np.empty_like(codes)
    positions[order] = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return positions


def _noisy_points(
    rng: np.random.Generator, x1: Floats, x2: Floats, codes: Int64s, noise: float
) -> Dataset:
    """The Dataset of points with Gaussian noise; classes are A, B, ..., Z, C27, ..."""
    points = np.array([x1, x2]) + noise * rng.standard_normal((2, len(codes)))
    labels = [LETTERS[i] if i < len(LETTERS) else f"C{i + 1}" for i in range(int(codes.max()) + 1)]
    return make_dataset(points, codes, ("x1", "x2"), "class", labels)


def moons(n: int, noise: float, seed: int) -> Dataset:
    """Two half circles, each reaching into the other."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    angle = rng.uniform(0, math.pi, n)
    side = 1.0 - 2.0 * codes
    x1, x2 = codes + side * np.cos(angle), codes / 2 + side * np.sin(angle)
    return _noisy_points(rng, x1, x2, codes, noise)


def circles(n: int, noise: float, seed: int) -> Dataset:
    """A ring of class A around a ring of class B."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    angle = rng.uniform(0, 2 * math.pi, n)
    radius = np.where(codes == 0, 2.5, 1.0)
    return _noisy_points(rng, radius * np.cos(angle), radius * np.sin(angle), codes, noise)


def xor(n: int, noise: float, seed: int) -> Dataset:
    """Four clusters on the corners of a square; opposite corners share a class."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    right = np.where(_positions_in_class(codes) % 2 == 0, 1.5, -1.5)
    return _noisy_points(rng, right, np.where(codes == 0, right, -right), codes, noise)


def stripes(n: int, noise: float, seed: int) -> Dataset:
    """Six vertical stripes, the classes in turn; x2 is irrelevant."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    stripe = 2 * (_positions_in_class(codes) % 3) + codes
    x1, x2 = rng.uniform(0, 1, n), rng.uniform(-3, 3, n)
    return _noisy_points(rng, stripe - 3.0 + x1, x2, codes, noise)


def blobs(n: int, k: int, noise: float, seed: int) -> Dataset:
    """Round clusters, one a class; their centres lie on a disc like the seeds of a sunflower."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n, k)
    turn = rng.uniform(0, 2 * math.pi)
    radius = 4 * np.sqrt((codes + 0.5) / k)
    angle = turn + codes * math.pi * (3 - math.sqrt(5))  # the golden angle
    return _noisy_points(rng, 5 + radius * np.cos(angle), 5 + radius * np.sin(angle), codes, noise)


def diagonal(n: int, noise: float, seed: int) -> Dataset:
    """A square that the line x1 = x2 divides: class A above, class B below."""
    rng = np.random.default_rng(seed)
    codes = _codes(rng, n)
    low, high = np.sort(rng.uniform(-3, 3, (2, n)), axis=0)
    x1, x2 = np.where(codes == 0, low, high), np.where(codes == 0, high, low)
    return _noisy_points(rng, x1, x2, codes, noise)


def sine(n: int, noise: float, seed: int) -> Dataset:
    """One feature x from 0 to 10 and y = sin x."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    return make_dataset([x], np.sin(x) + noise * rng.standard_normal(n), ("x",), "y")


def steps(n: int, noise: float, seed: int) -> Dataset:
    """One feature x from 0 to 10 and y with five constant values, which jump at 2, 4, 5 and 8."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, 10, n)
    y = np.array([1.0, 4.0, 2.0, 5.0, 3.0])[np.searchsorted([2.0, 4.0, 5.0, 8.0], x)]
    return make_dataset([x], y + noise * rng.standard_normal(n), ("x",), "y")


TITANIC_FEATURES = ("class", "sex", "age")
TITANIC_SURVIVED = {  # of each class, sex and age: who died and who survived
    ("first", "female", "adult"): (4, 140),
    ("first", "female", "child"): (0, 1),
    ("first", "male", "adult"): (118, 57),
    ("first", "male", "child"): (0, 5),
    ("second", "female", "adult"): (13, 80),
    ("second", "female", "child"): (0, 13),
    ("second", "male", "adult"): (154, 14),
    ("second", "male", "child"): (0, 11),
    ("third", "female", "adult"): (89, 76),
    ("third", "female", "child"): (17, 14),
    ("third", "male", "adult"): (387, 75),
    ("third", "male", "child"): (35, 13),
    ("crew", "female", "adult"): (3, 20),
    ("crew", "male", "adult"): (670, 192),
}


def titanic(features: tuple[str, ...] | None = None) -> Dataset:
    """2,201 people on the Titanic: class, sex, child or adult, and who survived."""
    rows = [
        (*person, survived)
        for person, counts in TITANIC_SURVIVED.items()
        for survived, n in zip(("no", "yes"), counts, strict=True)
        for _ in range(n)
    ]
    order = np.random.default_rng(1912).permutation(len(rows))
    return _chosen((*TITANIC_FEATURES, "survived"), [rows[i] for i in order], features)


CHURN_FEATURES = (
    "months", "plan", "price", "support_calls", "days_since_login", "satisfaction", "final_bill",
)  # fmt: skip
PLAN_PRICES = {"basic": 9.0, "plus": 19.0, "pro": 39.0}


def churn(n: int, seed: int, features: tuple[str, ...] | None = None) -> Dataset:
    """Customers, made up, and who left; the final bill, sent to those who left, is a leak."""
    rng = np.random.default_rng(seed)
    months = rng.integers(1, 61, n)
    plans = rng.choice([*PLAN_PRICES], n, p=[0.5, 0.3, 0.2])
    prices = np.array([PLAN_PRICES[plan] for plan in plans]) + rng.integers(0, 4, n)
    calls = rng.poisson(1.2, n)
    days = np.floor(rng.exponential(9, n))
    score = 1.6 * (months < 12) + 1.4 * (calls >= 3) + 1.5 * (days > 14) - 0.7 * (plans == "pro")
    has_left = score + rng.logistic(0, 0.6, n) > 1.6
    grades = np.clip(np.round(4.2 - score + rng.normal(0, 0.8, n)), 1, 5)
    satisfaction = np.where(rng.uniform(size=n) < 0.3, math.nan, grades)  # nobody has to answer
    has_bill = has_left & (rng.uniform(size=n) < 0.94)
    columns = (months, plans, prices, calls, days, satisfaction)
    words = (np.where(has_bill, "sent", "not sent"), np.where(has_left, "yes", "no"))
    rows = [*zip(*(column.tolist() for column in (*columns, *words)), strict=True)]
    return _chosen((*CHURN_FEATURES, "left"), rows, features)


DELIVERIES_FEATURES = ("ordered", "promised", "packed_in", "carrier", "region")
CARRIERS, REGIONS = ("Bluebird", "Kestrel", "Swift"), ("east", "north", "south", "west")
NEW_HUB, CHRISTMAS_RUSH = np.datetime64("2024-09-02"), np.datetime64("2024-12-09")


def deliveries(n: int, seed: int, features: tuple[str, ...] | None = None) -> Dataset:
    """Parcels of 2024, made up: dates, a duration, the carrier, and which parcels were late.

    Late are those of Kestrel from September on, when its hub moved, those packed for more than two
    days, most of the weeks before Christmas, and one in twenty-five of the others.
    """
    rng = np.random.default_rng(seed)
    ordered = np.datetime64("2024-01-01") + rng.integers(0, 366, n)
    promised = ordered + rng.integers(1, 29, n)
    hours = np.floor(rng.gamma(2, 10, n))
    carriers, regions = rng.choice(CARRIERS, n), rng.choice(REGIONS, n)
    late = np.where((carriers == "Kestrel") & (ordered >= NEW_HUB), 0.85, 0.04)
    late = np.where(ordered >= CHRISTMAS_RUSH, 0.8, np.where(hours > 48, 0.9, late))
    was_late = np.where(rng.uniform(size=n) < late, "yes", "no")
    spans = [f"{int(hour) // 24} days {int(hour) % 24:02}:00:00" for hour in hours]
    columns = (ordered.astype(str), promised.astype(str), spans, carriers, regions, was_late)
    rows = [*zip(*(np.array(column).tolist() for column in columns), strict=True)]
    return _chosen((*DELIVERIES_FEATURES, "late"), rows, features)


def _chosen(
    names: Sequence[str],
    rows: PrintedRows,
    features: tuple[str, ...] | None,
    task: Task = "classification",
    notes: Sequence[Note] = (),
) -> Dataset:
    """The Dataset of the chosen features in their order, None for all; the target is last."""
    chosen = (*(features or names[:-1]), names[-1])
    indices = [names.index(name) for name in chosen]
    return _dataset_of_rows(chosen, [tuple(row[i] for i in indices) for row in rows], task, notes)


ExampleGroup = Literal["Worked examples", "Generators", "Tables"]
ParamKind = Literal["int", "float", "names"]

GROUPS: tuple[ExampleGroup, ...] = ("Worked examples", "Generators", "Tables")
IRIS_MEASURES = ("sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm")
PENGUINS_MEASURES = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
WINE_FEATURES = (
    "alcohol_pct", "malic_acid", "ash", "ash_alkalinity", "magnesium", "phenols", "flavanoids",
    "nonflavanoid_phenols", "proanthocyanins", "colour_intensity", "hue", "od280_od315", "proline",
)  # fmt: skip
CREDIT_FEATURES = (
    "checking", "months", "history", "purpose", "amount_dm", "savings", "employed", "property",
    "age", "housing",
)  # fmt: skip
BIKES_FEATURES = (
    "date", "hour", "workday", "weather", "temperature_c", "humidity_pct", "wind_kmh",
)  # fmt: skip
CARS_FEATURES = (
    "maker", "origin", "year", "cylinders", "displacement_cuin", "horsepower", "weight_lb",
    "acceleration_s",
)  # fmt: skip
ZOO_FEATURES = (
    "hair", "feathers", "eggs", "milk", "airborne", "aquatic", "predator", "toothed", "backbone",
    "breathes", "venomous", "fins", "legs", "tail", "domestic", "catsize",
)  # fmt: skip
UCI = "UCI Machine Learning Repository"
MADE_UP = "made up for dtviz, no real people or firms: random rows of a seed; MIT, as dtviz."
NOISE_HELP = "Standard deviation of what is added to the drawn coordinates (to y for a number)."
MEASURES_HELP = "The measures the tree may cut on, in this order; None means all."
FEATURES_HELP = "The features the tree may cut on, in this order; None means all."


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter of an example: a number in a range, or names from a list."""

    name: str
    """Keyword of `load` and of the example's `build`."""
    kind: ParamKind
    """Type of the value: a whole number, a number, or a tuple of names."""
    default: ParameterValue
    """Value where none is given; None for all names."""
    low: float | None
    """Minimum of a number; None for names."""
    high: float | None
    """Maximum of a number; None for names."""
    help: str
    """Sentence for the user."""
    choices: tuple[str, ...] = ()
    """The allowed names."""
    page_high: float | None = None
    """Maximum on pages and in addresses; None where it is `high`."""


@dataclass(frozen=True, slots=True)
class Example:
    """One entry of the gallery."""

    name: str
    """Name in recipes, addresses and `load`."""
    title: str
    """Title on pages."""
    about: str
    """Sentences for the user on what to look for."""
    group: ExampleGroup
    """Group on the page Data."""
    build: Callable[..., Dataset]
    """Makes the data; takes all parameters by keyword."""
    params: tuple[Param, ...] = ()
    """The parameters, in the order of the page."""
    source: str = ""
    """Sentences on the source and licence of a table; '' for rows of this module."""


def load(name: str, /, **params: object) -> Dataset:
    """Load a dataset of the gallery by its name; parameters not given have their defaults.

    Raises DataError if the name or a parameter is unknown, of the wrong type or out of range.
    """
    return build(example_recipe(name, **params))


def build(recipe: Recipe) -> Dataset:
    """The dataset of a recipe from the gallery; raises DataError as `load` does."""
    complete = _complete(recipe.name, dict(recipe.params))
    return GALLERY[complete.name].build(**dict(complete.params))


def example_recipe(name: str, /, **params: object) -> Recipe:
    """The complete recipe of an example; raises DataError as `load` does."""
    return _complete(name, params)


def page_recipe(recipe: Recipe) -> Recipe:
    """The complete recipe, within the maximums of pages; raises DataError as `load` does."""
    return _complete(recipe.name, dict(recipe.params), for_page=True)


def asset(name: str) -> Path:
    """The path of a packaged file, in the installed package or in a checkout.

    Raises FileNotFoundError if it is in neither.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "_app" / "assets", package.parent / "assets"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"asset {quoted(name)} is missing; install dtviz again")


def _complete(name: str, params: Mapping[str, object], for_page: bool = False) -> Recipe:
    """The recipe with each parameter checked, or its default: equal data have equal recipes."""
    example = GALLERY.get(name) if isinstance(name, str) else None
    if example is None:
        raise DataError(f"`name` must be one of {', '.join(GALLERY)}; not {short_repr(name)}")
    names = [param.name for param in example.params]
    for key in params:
        if key not in names:
            allowed = ", ".join(names) or "no parameters"
            raise DataError(f"{quoted(name)} takes {allowed}; not {short_repr(key)}", key)
    values: dict[str, ParameterValue] = {}
    for param in example.params:
        check = _checked_names if param.kind == "names" else _checked_number
        param = page_param(param) if for_page else param
        values[param.name] = check(param, params.get(param.name, param.default))
    return make_recipe(example.name, **values)


def page_param(param: Param) -> Param:
    """The parameter with the maximum of pages."""
    return param if param.page_high is None else replace(param, high=param.page_high)


def _checked_number(param: Param, value: object) -> int | float:
    """`value` as a plain int or float within the range; an integral float counts as an int."""
    low, high, is_int = param.low, param.high, param.kind == "int"
    assert low is not None
    assert high is not None
    item = value.item() if isinstance(value, np.generic) else value
    if isinstance(item, (int, float)) and not isinstance(item, bool) and low <= item <= high:
        if not is_int:
            return float(item) + 0.0  # -0.0 becomes 0.0
        if item == int(item):
            return int(item)
    noun = "a whole number" if is_int else "a number"
    allowed = f"{noun} from {low:,} to {high:,}"
    raise DataError(f"`{param.name}` must be {allowed}; not {short_repr(value)}", param.name)


def _checked_names(param: Param, value: object) -> tuple[str, ...] | None:
    """`value` as a tuple of choices; None for all of them in their order."""
    if value is None:
        return None
    chosen = tuple(value) if isinstance(value, (list, tuple)) else ()
    is_valid = all(isinstance(name, str) and name in param.choices for name in chosen)
    if not chosen or not is_valid or len(set(chosen)) < len(chosen):
        names = ", ".join(param.choices)
        allowed = f"None or at least one of {names}, each once"
        raise DataError(f"`{param.name}` must be {allowed}; not {short_repr(value)}", param.name)
    return None if chosen == param.choices else chosen


def _table(
    file: str,
    choices: tuple[str, ...],
    target: str,
    features: tuple[str, ...] | None,
    task: Task = "classification",
) -> Dataset:
    """The Dataset of an asset; a row without any of the `choices` is left out, with a note."""
    records, notes = [], []
    with asset(file).open(encoding="utf-8", newline="") as lines:
        for line, record in enumerate(csv.DictReader(lines), 2):  # the header is line 1
            if any(record[name] for name in choices):
                records.append(record)
            else:
                notes.append(Note("row", "left out, no measures", line))
    columns = [_numbers_or_words([record[name] for record in records]) for name in choices]
    values: list[Any] = [record[target] for record in records]
    if task == "regression":
        values = [*map(float, values)]
    rows = [*zip(*columns, values, strict=True)]
    return _chosen((*choices, target), rows, features, task, notes)


def _numbers_or_words(cells: list[str]) -> list[Any]:
    """The cells as numbers, NaN for missing ones, if all others are numbers; else unchanged."""
    try:
        return [float(cell) if cell else math.nan for cell in cells]
    except ValueError:
        return cells


# --- the examples in the order of the page --------------------------------------------------------


def _params(n: int, noise: float, seed: int = 7) -> tuple[Param, ...]:
    """The parameters of a generator with their defaults."""
    return (
        Param("n", "int", n, 1, 1_000_000, "Number of rows.", page_high=100_000),
        Param("noise", "float", noise, 0.0, 5.0, NOISE_HELP),
        Param("seed", "int", seed, 0, 2**31 - 1, "Another seed draws other rows of the same kind."),
    )


def _features_param(choices: tuple[str, ...], text: str = FEATURES_HELP) -> Param:
    """The parameter by which a table's features are chosen."""
    return Param("features", "names", None, None, None, text, choices)


def _made_up_params(n: int, choices: tuple[str, ...]) -> tuple[Param, ...]:
    """The parameters of a made-up table: rows, seed and features."""
    rows, _, seed = _params(n, 0.0)
    return rows, seed, _features_param(choices)


_EXAMPLES = (
    Example(
        "heights",
        "Heights",
        "Seven people of two genders by height; at 170 both occur. Which cuts part them best, "
        "and can any tree be free of error?",
        "Worked examples",
        heights,
    ),
    Example(
        "age_car_risk",
        "Age, car, risk",
        "Who is a high risk on the road? Age is a number, the car a category of three values. "
        "Which of the two should the first question ask?",
        "Worked examples",
        age_car_risk,
    ),
    Example(
        "good_place",
        "The good place",
        "Ten people and whether they get in, by what they said and did. Which single question "
        "says most, and which says nothing?",
        "Worked examples",
        good_place,
    ),
    Example(
        "play_tennis",
        "Play tennis",
        "Fourteen days of weather in categories alone; 'windy' is true or false. On which days "
        "is tennis played?",
        "Worked examples",
        play_tennis,
    ),
    Example(
        "restaurant",
        "Restaurant",
        "Twelve evenings in ten categories, from the textbook of Russell and Norvig. Do we wait "
        "for a table, or leave?",
        "Worked examples",
        restaurant,
    ),
    Example(
        "sign_ups",
        "Sign-ups",
        "Twelve customers, made up: the date on which each signed up, and how long each waited. "
        "Who cancelled?",
        "Worked examples",
        sign_ups,
    ),
    Example(
        "rpart_treble",
        "Treble (rpart)",
        "A number to predict from two features, small enough to work by hand. Where should the "
        "first cut go, and what ties after it?",
        "Worked examples",
        rpart_treble,
    ),
    Example(
        "moons",
        "Moons",
        "Two half circles reach into each other. How do upright and level cuts follow a curved "
        "border, and what does noise do to a full tree?",
        "Generators",
        moons,
        _params(200, 0.25),
    ),
    Example(
        "circles",
        "Circles",
        "One ring inside the other. How much does the best single cut gain, and how many cuts "
        "would fence in the inner ring?",
        "Generators",
        circles,
        _params(200, 0.25),
    ),
    Example(
        "xor",
        "XOR",
        "Each class lies in two opposite corners. What does the best first cut gain here, and "
        "what do two levels?",
        "Generators",
        xor,
        _params(200, 0.4),
    ),
    Example(
        "stripes",
        "Stripes",
        "The classes take turns along x1, and x2 says nothing. How many cuts are needed, and "
        "when does the tree begin to ask for x2?",
        "Generators",
        stripes,
        _params(200, 0.0),
    ),
    Example(
        "blobs",
        "Blobs",
        "One round cluster a class. How many cuts does it take to part them, at least?",
        "Generators",
        blobs,
        (Param("k", "int", 3, 2, 200, "Number of classes, one cluster each."), *_params(150, 0.6)),
    ),
    Example(
        "diagonal",
        "Diagonal",
        "The border is the line x1 = x2, and every cut is upright or level. What does the tree "
        "do about it as rows are added?",
        "Generators",
        diagonal,
        _params(200, 0.0),
    ),
    Example(
        "sine",
        "Sine",
        "One feature and a number to predict: a smooth curve, answered by flat steps. When do "
        "they follow the curve, when the noise?",
        "Generators",
        sine,
        _params(120, 0.25),
    ),
    Example(
        "steps",
        "Steps",
        "One feature and a number that jumps a few times. Does the tree find the jumps, and "
        "where should it stop?",
        "Generators",
        steps,
        _params(120, 0.4),
    ),
    Example(
        "iris",
        "Iris",
        "150 flowers of three species. Which of four measures tells the species apart, and which "
        "species are hardest?",
        "Tables",
        partial(_table, "iris.csv", IRIS_MEASURES, "species"),
        (_features_param(IRIS_MEASURES, MEASURES_HELP),),
        f"R. A. Fisher (1936), {UCI}, doi 10.24432/C56C76; CC BY 4.0.",
    ),
    Example(
        "penguins",
        "Penguins",
        "344 penguins of three species; 2 rows have no measures and are left out. How few "
        "measures tell them apart?",
        "Tables",
        partial(_table, "penguins.csv", PENGUINS_MEASURES, "species"),
        (_features_param(PENGUINS_MEASURES, MEASURES_HELP),),
        "K. Gorman, A. Horst and A. Hill (2020), palmerpenguins; CC0.",
    ),
    Example(
        "titanic",
        "Titanic",
        "2,201 people on the ship, by class, sex and age. Who survived: women and children "
        "first, or the first class first?",
        "Tables",
        titanic,
        (_features_param(TITANIC_FEATURES),),
        "Counts of the British Board of Trade's inquiry, as R. J. M. Dawson (1995) tells them; "
        "facts in the public domain.",
    ),
    Example(
        "wine",
        "Wine",
        "178 wines of one region, from three cultivars, by 13 measures of a laboratory. Which "
        "few of them tell the cultivar?",
        "Tables",
        partial(_table, "wine.csv", WINE_FEATURES, "cultivar"),
        (_features_param(WINE_FEATURES),),
        f"S. Aeberhard and M. Forina (1992), Wine, {UCI}, doi 10.24432/C5PC7J; CC BY 4.0.",
    ),
    Example(
        "zoo",
        "Zoo",
        "101 animals and 16 traits, nearly all of them yes or no. Which questions lead to the "
        "kind of animal, and in which order?",
        "Tables",
        partial(_table, "zoo.csv", ZOO_FEATURES, "type"),
        (_features_param(ZOO_FEATURES),),
        f"R. Forsyth (1990), Zoo, {UCI}, doi 10.24432/C5R59V; CC BY 4.0; 0 and 1 written as "
        "no and yes.",
    ),
    Example(
        "credit",
        "Credit",
        "700 loans of a German bank around 1975, most features are categories. Which loans go "
        "bad, and does a deeper tree know better?",
        "Tables",
        partial(_table, "credit.csv", CREDIT_FEATURES, "credit"),
        (_features_param(CREDIT_FEATURES),),
        f"H. Hofmann (1994), Statlog German Credit, {UCI}, doi 10.24432/C5NC77; CC BY 4.0; "
        "the first 700 of 1,000 rows and 10 of 20 features, with shorter words.",
    ),
    Example(
        "bikes",
        "Bikes",
        "How many bikes are rented in an hour of 2011 in Washington, by date, hour and weather? "
        "A number to predict: what matters first?",
        "Tables",
        partial(_table, "bikes.csv", BIKES_FEATURES, "rentals", task="regression"),
        (_features_param(BIKES_FEATURES),),
        f"H. Fanaee-T (2013), Bike Sharing, {UCI}, doi 10.24432/C5W894; CC BY 4.0; every "
        "eleventh hour of 2011, in degrees, percent and km/h.",
    ),
    Example(
        "cars",
        "Cars",
        "How far does a car of the seventies go on a gallon? The maker is a category of 29 "
        "values, some horsepower is missing: which cut is worth most?",
        "Tables",
        partial(_table, "cars.csv", CARS_FEATURES, "miles_per_gallon", task="regression"),
        (_features_param(CARS_FEATURES),),
        f"R. Quinlan (1993), Auto MPG, {UCI}, doi 10.24432/C5859H; CC BY 4.0; the maker is the "
        "first word of the name, its spelling corrected.",
    ),
    Example(
        "churn",
        "Churn",
        "Made up: which customers leave? One column is filled in only after they have left. "
        "Which one is this leak, and what can a tree do without it?",
        "Tables",
        churn,
        _made_up_params(600, CHURN_FEATURES),
        MADE_UP,
    ),
    Example(
        "deliveries",
        "Deliveries",
        "Made up: parcels with two dates and the time that packing took. Which of them come "
        "late, and from which day on?",
        "Tables",
        deliveries,
        _made_up_params(500, DELIVERIES_FEATURES),
        MADE_UP,
    ),
)

GALLERY: dict[str, Example] = {example.name: example for example in _EXAMPLES}
