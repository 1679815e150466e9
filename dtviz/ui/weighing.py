"""What the rows of an uploaded table count for, by a column or their class; what mistakes cost."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dtviz.table.costs import written_costs
from dtviz.table.data import WEIGHTS, Dataset, Value
from dtviz.table.weights import by_class
from dtviz.text import clean
from dtviz.ui.reading import Given

MOST_CLASSES = 50  # weighed by hand
MOST_COSTED = 8  # whose mistakes are
OPTIONS = {
    "": "What its rows count for",
    "balanced": "The same as any other: balanced",
    "class_weight": "Its rows times a weight by hand",
    "priors": "A share of the whole by hand: priors",
}


def column(panel: DeltaGenerator, table: Given, taken: tuple[str | None, ...]) -> str | None:
    """The column that says what a row counts for; None where each counts 1."""
    options = [None, *(name for name in table.weights if name not in taken)]
    chosen: str | None = panel.selectbox(
        "A row counts for",
        options,
        key=f"weight_{table.place}_{hash(taken)}",
        format_func=lambda name: "1" if name is None else clean(name),
        help="A column of numbers that are never negative: a row of weight 2 counts as two rows, "
        "one of weight 0 is left out. It is no feature then",
    )
    return chosen


def classes(panel: DeltaGenerator, data: Dataset, place: str) -> Mapping[str, Value]:
    """What the classes of the data count for, as parameters of its recipe."""
    many = len(data.classes) > MOST_CLASSES
    key = f"{place}_{hash((data.target, data.classes))}"
    chosen = panel.selectbox(
        "A class counts for",
        list(OPTIONS)[: 2 if many else None],
        key=f"classes_{key}",
        format_func=OPTIONS.__getitem__,
        help="Balanced: the weights of a class that is rare are raised until all classes count the "
        "same in the rows a tree is grown on. A weight of 2 makes it twice as bad to miss a row of "
        "the class",
    )
    if chosen in ("", "balanced"):
        return {"class_weight": chosen} if chosen else {}
    with panel:
        each = _by_hand(data, chosen, f"{chosen}_{key}")
    return {chosen: by_class(each)}


def costs(panel: DeltaGenerator, data: Dataset, place: str) -> Mapping[str, Value]:
    """What mistakes between the classes of the data cost, as parameters of its recipe."""
    if not 2 <= len(data.classes) <= MOST_COSTED:
        return {}
    key = f"{place}_{hash((data.target, data.classes))}"
    with panel:
        by_hand = st.toggle(
            "Mistakes cost different amounts",
            key=f"costs_{key}",
            help="Each leaf then says the class that costs least, and errors are costs. It is "
            "rpart's loss",
        )
        return {"costs": written_costs(_matrix(data, f"matrix_{key}"))} if by_hand else {}


def _matrix(data: Dataset, key: str) -> dict[str, dict[str, float]]:
    """The cost that was typed for each class and what it is called; 0 where it is no mistake."""
    names = list(map(str, data.classes))
    called = [f"called {at}" for at in range(len(names))]
    frame = pd.DataFrame(1 - np.eye(len(names)), columns=called)
    frame.insert(0, "class", data.class_names)
    titles = zip(called, data.class_names, strict=True)
    typed = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=["class"],
        column_config={"class": st.column_config.TextColumn("A row of", pinned=True)}
        | {
            column: st.column_config.NumberColumn(
                f"→ {name}",
                width="small",
                min_value=0.0,
                max_value=WEIGHTS[1],
                required=True,
                format="%.4g",
            )
            for column, name in titles
        },
        alt="What it costs to call a row of one class another; type into it",
    )
    st.caption(
        "What it costs to call a row of a class (line) another (column). The diagonal stays 0."
    )
    numbers = typed[called].to_numpy(np.float64) * (1 - np.eye(len(names)))
    return {
        name: dict(zip(names, line, strict=True))
        for name, line in zip(names, numbers.tolist(), strict=True)
    }


def _by_hand(data: Dataset, name: str, key: str) -> dict[str, float]:
    """The number that was typed for each class; shares are scaled to 1 together."""
    shares = np.bincount(data.y, data.weights) / data.weight
    label, usual = ("weight", np.ones(len(shares))) if name == "class_weight" else ("share", shares)
    frame = pd.DataFrame({"class": data.class_names, "rows": np.bincount(data.y), label: usual})
    low, high = WEIGHTS
    typed = st.data_editor(
        frame,
        key=key,
        hide_index=True,
        disabled=["class", "rows"],
        column_config={
            label: st.column_config.NumberColumn(
                min_value=low, max_value=high, required=True, format="%.4g"
            )
        },
        alt=f"The {label} of each class; type into it",
    )
    numbers = typed[label].to_numpy(np.float64)
    if name == "priors":
        st.caption("Shares are scaled so that they are 1 together.")
        numbers = numbers / math.fsum(numbers)
    return dict(zip(map(str, data.classes), numbers.tolist(), strict=True))
