"""The gallery: named datasets that a recipe rebuilds, row for row, on every run.

Glossary
    example     one entry of the gallery: title, what to look for, parameters and how to build it
    parameter   one value the user may set; its kind and range say which values are allowed
    generator   an example drawn at random from `seed`: same parameters, same rows
    asset       a file that comes with the package
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from dtviz.table import examples
from dtviz.table.data import DataError, Dataset, Recipe, Value, recipe
from dtviz.table.held import from_frame
from dtviz.table.notes import Note
from dtviz.text import quoted, shown

Group = Literal["Worked examples", "Generators", "Tables"]
Kind = Literal["int", "float", "names"]

GROUPS: tuple[Group, ...] = ("Worked examples", "Generators", "Tables")
IRIS = ("sepal_length_cm", "sepal_width_cm", "petal_length_cm", "petal_width_cm")
PENGUINS = ("bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g")
NOISE = "Standard deviation of what is added to the drawn coordinates (to y for a number)."
MEASURES = "The measures the tree may cut on, in this order; None means all."


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter: a number from `low` to `high`, or (kind 'names') some of `choices`.

    For 'names' None means all choices.
    """

    name: str
    kind: Kind
    default: Value
    low: float | None
    high: float | None
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """One entry of the gallery; `build` takes every one of `params` by name."""

    name: str
    title: str
    about: str
    group: Group
    build: Callable[..., Dataset]
    params: tuple[Param, ...] = ()


def load(name: str, /, **params: object) -> Dataset:
    """The gallery's dataset of that name; parameters not given have their defaults.

    Raises DataError when the name or a parameter is unknown, of the wrong type or out of range.
    """
    return build(example_recipe(name, **params))


def build(wanted: Recipe) -> Dataset:
    """The dataset of a recipe from the gallery; raises DataError as `load` does."""
    full = _full(wanted.name, dict(wanted.params))
    return GALLERY[full.name].build(**dict(full.params))


def example_recipe(name: str, /, **params: object) -> Recipe:
    """The checked recipe with every default filled in: equal datasets have equal recipes.

    Raises DataError as `load` does.
    """
    return _full(name, params)


def asset(name: str) -> Path:
    """The path of a packaged file: in the wheel's place, otherwise in the checkout.

    Raises FileNotFoundError when it is in neither.
    """
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_app" / "assets", here.parent / "assets"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"asset {quoted(name)} is missing; install dtviz again")


def _full(name: str, given: Mapping[str, object]) -> Recipe:
    example = GALLERY.get(name) if isinstance(name, str) else None
    if example is None:
        raise DataError(f"`name` must be one of {', '.join(GALLERY)}; not {shown(name)}")
    known = [param.name for param in example.params]
    for key in given:
        if key not in known:
            takes = ", ".join(known) or "no parameters"
            raise DataError(f"{quoted(name)} takes {takes}; not {shown(key)}", key)
    values: dict[str, Value] = {}
    for param in example.params:
        check = _names if param.kind == "names" else _number
        values[param.name] = check(param, given.get(param.name, param.default))
    return recipe(example.name, **values)


def _number(param: Param, value: object) -> int | float:
    """`value` as a plain int or float within the range; an integral float counts as an int."""
    low, high, whole = param.low, param.high, param.kind == "int"
    assert low is not None
    assert high is not None
    plain = value.item() if isinstance(value, np.generic) else value
    if isinstance(plain, (int, float)) and not isinstance(plain, bool) and low <= plain <= high:
        if not whole:
            return float(plain) + 0.0  # -0.0 becomes 0.0
        if plain == int(plain):
            return int(plain)
    noun = "a whole number" if whole else "a number"
    allowed = f"{noun} from {low:,} to {high:,}"
    raise DataError(f"`{param.name}` must be {allowed}; not {shown(value)}", param.name)


def _names(param: Param, value: object) -> tuple[str, ...] | None:
    """`value` as a tuple of choices; None when it is all of them in their own order."""
    if value is None:
        return None
    chosen = tuple(value) if isinstance(value, (list, tuple)) else ()
    fine = all(isinstance(one, str) and one in param.choices for one in chosen)
    if not chosen or not fine or len(set(chosen)) < len(chosen):
        some = ", ".join(param.choices)
        allowed = f"None or at least one of {some}, each once"
        raise DataError(f"`{param.name}` must be {allowed}; not {shown(value)}", param.name)
    return None if chosen == param.choices else chosen


def _table(file: str, measures: tuple[str, ...], features: tuple[str, ...] | None) -> Dataset:
    frame = pd.read_csv(asset(file))
    measured = frame[list(measures)].notna().any(axis=1)
    lines = (np.flatnonzero(~measured) + 2).tolist()  # the header is line 1
    notes = [Note("row", "left out, no measures", line) for line in lines]
    return from_frame(frame[measured], "species", features or measures, notes=notes)


# The registry, in the order it is shown


def _drawn(n: int, noise: float, seed: int = 7) -> tuple[Param, ...]:
    """The parameters of a generator with these defaults."""
    return (
        Param("n", "int", n, 1, 1_000_000, "Number of rows."),
        Param("noise", "float", noise, 0.0, 5.0, NOISE),
        Param("seed", "int", seed, 0, 2**31 - 1, "Another seed draws other rows of the same kind."),
    )


_ALL = (
    Example(
        "heights",
        "Heights",
        "Two cuts, worked by hand: height <= 165 wins with a weighted gain of 3.287 bits (the "
        "3.92 seen in print is wrong). At 170 both genders occur, so no tree is free of error.",
        "Worked examples",
        examples.heights,
    ),
    Example(
        "age_car_risk",
        "Age, car, risk",
        "Car is a category of three values: 'Car = Sports' wins at the root with a gain of 0.4591 "
        "bit (the 0.721 seen in print is wrong). Age then tells the sports cars apart.",
        "Worked examples",
        examples.age_car_risk,
    ),
    Example(
        "good_place",
        "The good place",
        "Ten people: 'forbidden_expression' wins at the root (0.2365 bit), 'cermics' gains 0.",
        "Worked examples",
        examples.good_place,
    ),
    Example(
        "play_tennis",
        "Play tennis",
        "The weather in categories alone; 'windy' is true or false. 'outlook = overcast' wins at "
        "the root: every such day is a yes. On the other days humidity comes next.",
        "Worked examples",
        examples.play_tennis,
    ),
    Example(
        "sign_ups",
        "Sign-ups",
        "Twelve customers, made up: a date and a duration. 'signed_up before 2024-03-01' wins at "
        "the root, the day a price rose; of those who came later, who waited over a day cancelled.",
        "Worked examples",
        examples.sign_ups,
    ),
    Example(
        "rpart_treble",
        "Treble (rpart)",
        "A number to predict: x1 <= 5.5 takes away 75.76 % of the squared error. To its right "
        "cuts on x1 and x2 tie, and the feature that comes first wins.",
        "Worked examples",
        examples.rpart_treble,
    ),
    Example(
        "moons",
        "Moons",
        "Two half circles reach into each other: upright and level cuts follow the curved border "
        "in steps, and with noise a full tree goes on to fence in single points.",
        "Generators",
        examples.moons,
        _drawn(200, 0.25),
    ),
    Example(
        "circles",
        "Circles",
        "One ring inside the other: a single cut gains little, yet four cuts that form a box "
        "around the inner ring separate nearly everything.",
        "Generators",
        examples.circles,
        _drawn(200, 0.25),
    ),
    Example(
        "xor",
        "XOR",
        "No single cut helps at the root: every gain is about 0, yet two levels (x1 at 0, then x2 "
        "at 0) separate the classes. Without noise the best gain is exactly 0 if 4 divides n.",
        "Generators",
        examples.xor,
        _drawn(200, 0.4),
    ),
    Example(
        "stripes",
        "Stripes",
        "The classes take turns along x1, and x2 says nothing. Without noise five cuts on x1 "
        "separate the six stripes; with noise the tree starts to cut on x2 as well.",
        "Generators",
        examples.stripes,
        _drawn(200, 0.0),
    ),
    Example(
        "blobs",
        "Blobs",
        "One round cluster a class: with little noise few cuts are needed, and always at least "
        "one less than there are classes.",
        "Generators",
        examples.blobs,
        (Param("k", "int", 3, 2, 200, "Number of classes, one cluster each."), *_drawn(150, 0.6)),
    ),
    Example(
        "diagonal",
        "Diagonal",
        "The border is the line x1 = x2. Every cut is upright or level, so the tree climbs the "
        "line in a staircase, and more rows ask for more steps.",
        "Generators",
        examples.diagonal,
        _drawn(200, 0.0),
    ),
    Example(
        "sine",
        "Sine",
        "One feature and a number to predict: the tree answers a smooth curve with flat steps, "
        "and the deeper it grows the closer it follows the noise too.",
        "Generators",
        examples.sine,
        _drawn(120, 0.25),
    ),
    Example(
        "steps",
        "Steps",
        "One feature and a number that jumps at x = 2, 4, 5 and 8: four cuts and five leaves find "
        "it again, and every further cut follows the noise.",
        "Generators",
        examples.steps,
        _drawn(120, 0.4),
    ),
    Example(
        "iris",
        "Iris",
        "150 flowers, three species. 'petal_length_cm' <= 2.45 and 'petal_width_cm' <= 0.8 both "
        "part setosa from the rest: they tie, and the feature that comes first wins.",
        "Tables",
        partial(_table, "iris.csv", IRIS),
        (Param("features", "names", None, None, None, MEASURES, IRIS),),
    ),
    Example(
        "penguins",
        "Penguins",
        "344 penguins, three species; 2 rows have no measures and are left out. A cut on "
        "'flipper_length_mm' comes first, and the two cuts below it bring 96 % right.",
        "Tables",
        partial(_table, "penguins.csv", PENGUINS),
        (Param("features", "names", None, None, None, MEASURES, PENGUINS),),
    ),
)

GALLERY: dict[str, Example] = {example.name: example for example in _ALL}
