"""Figures that circulate and are wrong, beside what the engine computes from the same rows.

Glossary
    printed      the figure as it stands in print: the only numbers written by hand on this page
    recomputed   the same figure from the worked example, by the engine, six decimals
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from dtviz.engine.criteria import impurity
from dtviz.engine.rules import Rules
from dtviz.model import Model, fit
from dtviz.table.data import Dataset
from dtviz.table.gallery import GALLERY, load
from dtviz.text import markdown
from dtviz.trace import candidates
from dtviz.ui.lessons.lesson import Lesson, open_in_grow, opened, table

DECIMALS = 6
EXAMPLES = ("heights", "age_car_risk")
"""The worked examples that are figured here."""


@dataclass(frozen=True, slots=True)
class Misprint:
    """One figure; `fine` marks a printed one that is only rounded."""

    example: str
    what: str
    printed: str
    recomputed: str
    fine: bool = False


@cache
def misprints() -> tuple[Misprint, ...]:
    """Every figure of the list, recomputed once: nothing on screen changes them."""
    return (*_heights(), *_risk(), *_formulas())


@cache
def other_gains() -> tuple[tuple[str, str], ...]:
    """(cut, gain) of every cut of the Age, car, risk root: there one value stands against two."""
    table = candidates(load("age_car_risk"), Rules(families=("axis", "onevsrest")))
    pairs = zip(table.rule, table.gain, strict=True)
    return tuple((str(rule), _six(gain)) for rule, gain in pairs)


def _heights() -> list[Misprint]:
    table = candidates(load("heights")).set_index("threshold").weighted_gain
    return [
        Misprint("Heights", "weighted gain of x <= 165", "3.92", _six(table[165.0])),
        Misprint("Heights", "weighted gain of x <= 175", "0.9", _six(table[175.0]), fine=True),
    ]


def _risk() -> list[Misprint]:
    data = load("age_car_risk")
    cuts: dict[str, Any] = {str(one.rule): one for one in candidates(data).itertuples()}
    model = fit(data)
    best: Any = cuts["Car = Sports"]
    below: Any
    (below,) = candidates(data, log=model.log[:1], node=2).itertuples()
    young = _rule(model, ("Age <= 22.5", "Car = Sports"))
    older = _rule(model, ("Age > 22.5", "Car = Sports"))
    name = "Age, car, risk"
    return [
        Misprint(name, "entropy of the root", "0.915", _six(impurity("entropy", _counts(data)))),
        Misprint(name, "gain of Age <= 22.5", "0.245", _six(cuts["Age <= 22.5"].gain)),
        Misprint(name, "gain of Age <= 35", "0.106", _six(cuts["Age <= 35"].gain)),
        Misprint(name, "gain of Car in {Sports}", "0.721", _six(best.gain)),
        Misprint(
            name,
            "weighted entropy of Car in {Sports}",
            "0.194",
            _six((best.n_left * best.impurity_left + best.n_right * best.impurity_right) / data.n),
        ),
        Misprint(name, "entropy of D_L, the Sports rows", "0.387", _six(best.impurity_left)),
        Misprint(name, "gain of the cut below, among the Sports rows", "0.387", _six(below.gain)),
        Misprint(name, "the only cut there", "Age <= 20", str(below.rule)),
        Misprint(name, "rule Car in {Sports} and Age <= 22.5", "L", young),
        Misprint(name, "rule Car in {Sports} and Age > 22.5", "H", older),
        Misprint(name, "prediction for Age 20, Sports", "L", _predicted(model)),
    ]


def _formulas() -> list[Misprint]:
    data = load("age_car_risk")
    values = len(data.levels[data.features.index("Car")])
    heights = _counts(load("heights"))
    p = heights / heights.sum()
    wrong = -float(np.sum(p * (1 - p)))
    upside_down = float(np.sum(p * np.log2(p)))
    right = impurity("gini", _counts(load("heights")))
    return [
        Misprint(
            "Subset splits",
            f"of v = {values} values: (v-1)/2 in print, 2^(v-1) - 1 in truth",
            f"{(values - 1) / 2:g}",
            str(subset_splits(values)),
        ),
        Misprint("Gini", "sign of the sum, at the root of Heights", _six(wrong), _six(right)),
        Misprint(
            "Bernoulli entropy",
            "sign of the sum, at the root of Heights",
            _six(upside_down),
            _six(impurity("entropy", heights)),
        ),
        *(
            Misprint(
                "Entropy with log2",
                f"of {many} classes, each as frequent: nats in print, bits in truth",
                printed,
                _six(impurity("entropy", np.ones(many, np.intp))),
            )
            for many, printed in ((2, "0.693"), (3, "1.09"))
        ),
    ]


def subset_splits(values: int) -> int:
    """How many ways part `values` values in two non-empty sides, by listing them."""
    everything = frozenset(range(values))
    sides = {
        frozenset({frozenset(some), everything - frozenset(some)})
        for size in range(1, values)
        for some in combinations(range(values), size)
    }
    return len(sides)


def _rule(model: Model, conditions: tuple[str, ...]) -> str:
    """What the leaf with exactly these conditions predicts."""
    return next(str(r.value) for r in model.rules() if set(r.conditions) == set(conditions))


def _predicted(model: Model) -> str:
    return str(model.predict(pd.DataFrame({"Age": [20], "Car": ["Sports"]}))[0])


def _counts(data: Dataset) -> np.ndarray[tuple[int, ...], np.dtype[np.intp]]:
    return np.bincount(data.y, minlength=len(data.classes))


def _six(value: float) -> str:
    return f"{value:.{DECIMALS}f}"


def wrong(lesson: Lesson) -> None:
    """Every figure beside what is recomputed."""
    st.markdown("Figures seen in print, beside what the engine computes now from the same rows.")
    for name in EXAMPLES:
        open_in_grow(f"Open {GALLERY[name].title} in Grow", name, data=name)
    opened("misprints", "Printed and recomputed", _compared)


def _compared() -> None:
    rows = [
        {
            "Figure": f"{markdown(one.example)}: {markdown(one.what)}",
            "Printed": one.printed + (" (fine)" if one.fine else ""),
            "Recomputed": f"**{one.recomputed}**",
        }
        for one in misprints()
    ]
    table(rows, "Printed and recomputed figures")
    gains = ", ".join(f"{markdown(rule)}: {gain}" for rule, gain in other_gains())
    st.markdown(f"All gains at the root of Age, car, risk, in bits: {gains}.")
