"""The gallery: named datasets that a recipe rebuilds, row for row, on every run.

Glossary
    example     one entry of the gallery: title, what to look for, parameters and how to build it
    parameter   one value the user may set; its kind and range say which values are allowed
    generator   an example drawn at random from `seed`: same parameters, same rows
    asset       a file that comes with the package
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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

    For 'names' None means all choices. `offered` is the most that pages and addresses offer, where
    that is less than `high`.
    """

    name: str
    kind: Kind
    default: Value
    low: float | None
    high: float | None
    help: str
    choices: tuple[str, ...] = ()
    offered: float | None = None


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


def offered(wanted: Recipe) -> Recipe:
    """The complete recipe of what may be asked for on a page; raises DataError as `load` does."""
    return _full(wanted.name, dict(wanted.params), offered=True)


def asset(name: str) -> Path:
    """The path of a packaged file: in the wheel's place, otherwise in the checkout.

    Raises FileNotFoundError when it is in neither.
    """
    here = Path(__file__).resolve().parents[1]
    for folder in (here / "_app" / "assets", here.parent / "assets"):
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"asset {quoted(name)} is missing; install dtviz again")


def _full(name: str, given: Mapping[str, object], offered: bool = False) -> Recipe:
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
        allowed = as_offered(param) if offered else param
        values[param.name] = check(allowed, given.get(param.name, param.default))
    return recipe(example.name, **values)


def as_offered(param: Param) -> Param:
    """The parameter as pages offer it."""
    return param if param.offered is None else replace(param, high=param.offered)


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
        Param("n", "int", n, 1, 1_000_000, "Number of rows.", offered=100_000),
        Param("noise", "float", noise, 0.0, 5.0, NOISE),
        Param("seed", "int", seed, 0, 2**31 - 1, "Another seed draws other rows of the same kind."),
    )


_ALL = (
    Example(
        "heights",
        "Heights",
        "Seven people of two genders by height; at 170 both occur. Which cuts part them best, "
        "and can any tree be free of error?",
        "Worked examples",
        examples.heights,
    ),
    Example(
        "age_car_risk",
        "Age, car, risk",
        "Who is a high risk on the road? Age is a number, the car a category of three values. "
        "Which of the two should the first question ask?",
        "Worked examples",
        examples.age_car_risk,
    ),
    Example(
        "good_place",
        "The good place",
        "Ten people and whether they get in, by what they said and did. Which single question "
        "says most, and which says nothing?",
        "Worked examples",
        examples.good_place,
    ),
    Example(
        "play_tennis",
        "Play tennis",
        "Fourteen days of weather in categories alone; 'windy' is true or false. On which days "
        "is tennis played?",
        "Worked examples",
        examples.play_tennis,
    ),
    Example(
        "sign_ups",
        "Sign-ups",
        "Twelve customers, made up: the date on which each signed up, and how long each waited. "
        "Who cancelled?",
        "Worked examples",
        examples.sign_ups,
    ),
    Example(
        "rpart_treble",
        "Treble (rpart)",
        "A number to predict from two features, small enough to work by hand. Where should the "
        "first cut go, and what ties after it?",
        "Worked examples",
        examples.rpart_treble,
    ),
    Example(
        "moons",
        "Moons",
        "Two half circles reach into each other. How do upright and level cuts follow a curved "
        "border, and what does noise do to a full tree?",
        "Generators",
        examples.moons,
        _drawn(200, 0.25),
    ),
    Example(
        "circles",
        "Circles",
        "One ring inside the other. How much does the best single cut gain, and how many cuts "
        "would fence in the inner ring?",
        "Generators",
        examples.circles,
        _drawn(200, 0.25),
    ),
    Example(
        "xor",
        "XOR",
        "Each class lies in two opposite corners. What does the best first cut gain here, and "
        "what do two levels?",
        "Generators",
        examples.xor,
        _drawn(200, 0.4),
    ),
    Example(
        "stripes",
        "Stripes",
        "The classes take turns along x1, and x2 says nothing. How many cuts are needed, and "
        "when does the tree begin to ask for x2?",
        "Generators",
        examples.stripes,
        _drawn(200, 0.0),
    ),
    Example(
        "blobs",
        "Blobs",
        "One round cluster a class. How many cuts does it take to part them, at least?",
        "Generators",
        examples.blobs,
        (Param("k", "int", 3, 2, 200, "Number of classes, one cluster each."), *_drawn(150, 0.6)),
    ),
    Example(
        "diagonal",
        "Diagonal",
        "The border is the line x1 = x2, and every cut is upright or level. What does the tree "
        "do about it as rows are added?",
        "Generators",
        examples.diagonal,
        _drawn(200, 0.0),
    ),
    Example(
        "sine",
        "Sine",
        "One feature and a number to predict: a smooth curve, answered by flat steps. When do "
        "they follow the curve, when the noise?",
        "Generators",
        examples.sine,
        _drawn(120, 0.25),
    ),
    Example(
        "steps",
        "Steps",
        "One feature and a number that jumps a few times. Does the tree find the jumps, and "
        "where should it stop?",
        "Generators",
        examples.steps,
        _drawn(120, 0.4),
    ),
    Example(
        "iris",
        "Iris",
        "150 flowers of three species, each measured four times. Which measure tells the "
        "species apart, and which pair is hardest?",
        "Tables",
        partial(_table, "iris.csv", IRIS),
        (Param("features", "names", None, None, None, MEASURES, IRIS),),
    ),
    Example(
        "penguins",
        "Penguins",
        "344 penguins of three species; 2 rows have no measures and are left out. How few "
        "measures tell them apart?",
        "Tables",
        partial(_table, "penguins.csv", PENGUINS),
        (Param("features", "names", None, None, None, MEASURES, PENGUINS),),
    ),
)

GALLERY: dict[str, Example] = {example.name: example for example in _ALL}
