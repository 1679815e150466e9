"""What `import dtviz` offers answers anything it is given, or refuses it in one sentence."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from dataclasses import fields
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dtviz
from dtviz import Collapse, DataError, Grow, Rules, axis_split, fit
from dtviz.explain.export import TREE_KINDS


class Broken:
    """Cannot even be written."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


ODD: tuple[Callable[[], Any], ...] = (
    lambda: (one for one in "xy"),
    *(lambda value=value: value for value in (
        None, True, 0, 3, -1, 10**400, 10**5000, 1.5, math.nan, math.inf, 1j, "", "x", "y", "a\nb",
        b"x", [], ["x"], ["x", "z"], [[1]], [1, 2], (), {}, {"x": 1}, {"x": "a"}, {"x": 10**400},
        frozenset(), object(), Broken(), np.array(3), np.array([1, 2]), np.array(["depth"]),
        np.array([1j]), np.float64(1.5), np.str_("x"), pd.Series([1, 2], name="x"), pd.DataFrame(),
        pd.DataFrame({"x": ["a"], "y": ["b"]}), pd.DataFrame({"x": [1j], "y": [1j]}),
        pd.DataFrame({"x": [1], "y": [[1]]}), pd.DataFrame([[1, 2]]), pd.NA, pd.NaT, Fraction(1, 3),
        Decimal("NaN"), datetime(2020, 1, 1), range(3), print, int, io.BytesIO(b"x,y\n1,a\n"),
        axis_split(0, 1.5), (Grow(1, axis_split(0, 1.5)),), (Grow([], None),), (Collapse(10**400),),
        (Grow(1, axis_split(7, 1.5)),), Rules("squared_error"),
    )),
)  # fmt: skip

FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0], "z": [0, 1, 0, 1], "y": list("abab")})
DATA = dtviz.from_frame(FRAME, "y")
MODEL = fit(DATA)
NUMBERS = fit(dtviz.from_frame(FRAME, "x", task="regression"), Rules("squared_error"))
CALLS: dict[str, Callable[[Any], Any]] = {
    "from_frame": lambda odd: dtviz.from_frame(odd, "y"),
    "group_rare": lambda odd: dtviz.group_rare(odd),
    "group_rare least": lambda odd: dtviz.group_rare(DATA, odd),
    "from_frame target": lambda odd: dtviz.from_frame(FRAME, odd),
    "from_frame features": lambda odd: dtviz.from_frame(FRAME, "y", odd),
    "from_frame task": lambda odd: dtviz.from_frame(FRAME, "y", task=odd),
    "from_frame class_weight": lambda odd: dtviz.from_frame(FRAME, "y", class_weight=odd),
    "from_frame priors": lambda odd: dtviz.from_frame(FRAME, "y", priors=odd),
    "from_frame costs": lambda odd: dtviz.from_frame(FRAME, "y", costs=odd),
    "from_frame cost": lambda odd: dtviz.from_frame(FRAME, "y", costs={"a": {"b": odd}}),
    "from_frame types": lambda odd: dtviz.from_frame(FRAME, "y", types=odd),
    "from_frame type": lambda odd: dtviz.from_frame(FRAME, "y", types={"x": odd}),
    "from_frame notes": lambda odd: dtviz.from_frame(FRAME, "y", notes=odd),
    "read_table": lambda odd: dtviz.read_table(odd, "y"),
    "load": lambda odd: dtviz.load(odd),
    "load n": lambda odd: dtviz.load("moons", n=odd),
    "fit": lambda odd: fit(odd),
    "fit rules": lambda odd: fit(DATA, odd),
    "fit log": lambda odd: fit(DATA, log=odd),
    "steps": lambda odd: list(islice(dtviz.steps(odd), 1)),
    "steps rules": lambda odd: list(islice(dtviz.steps(DATA, odd), 1)),
    "steps log": lambda odd: list(islice(dtviz.steps(DATA, log=odd), 1)),
    "candidates": lambda odd: dtviz.candidates(odd),
    "candidates rules": lambda odd: dtviz.candidates(DATA, odd),
    "candidates log": lambda odd: dtviz.candidates(DATA, log=odd),
    "candidates node": lambda odd: dtviz.candidates(DATA, node=odd),
    "axis_split feature": lambda odd: axis_split(odd, 1.5),
    "axis_split threshold": lambda odd: axis_split(0, odd),
    "impurity": lambda odd: dtviz.impurity(odd, [1, 2]),
    "impurity counts": lambda odd: dtviz.impurity("gini", odd),
    **{
        f"{name} {task}": lambda odd, name=name, model=model: getattr(model, name)(odd)
        for task, model in (("classes", MODEL), ("numbers", NUMBERS))
        for name in ("predict", "predict_proba", "apply", "score", "cost", "path", "export")
    },
    **{
        f"Rules {field.name}": lambda odd, name=field.name: Rules(**{name: odd})
        for field in fields(Rules)
    },
}


def refused(error: ValueError) -> None:
    """Asserts that what was said is one line of text."""
    assert str(error).isprintable()
    assert 10 < len(str(error)) < 1000


def test_anything_is_answered_or_refused_in_one_sentence() -> None:
    for name, call in CALLS.items():
        for place, odd in enumerate(ODD):
            try:
                call(odd())
            except ValueError as error:  # DataError, RulesError and LogError are
                refused(error)
            except Exception as error:
                error.add_note(f"{name} of ODD[{place}]")
                raise


huge = st.sampled_from([10**400, -(10**400), 10**5000, Fraction(1, 3), Decimal("1.5")])
cell = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3), st.complex_numbers(),
    huge, st.sampled_from([pd.NaT, (1, 2), b"x", True]),
    st.lists(st.integers(), max_size=1), st.dates(), st.binary(max_size=2),
)  # fmt: skip


@given(
    st.lists(cell, min_size=1, max_size=6),
    st.sampled_from([None, *("classification", "regression")]),
)
def test_any_target_makes_a_model_or_is_refused_in_one_sentence(
    cells: list[Any], task: Any
) -> None:
    frame = pd.DataFrame({"x": range(len(cells)), "y": pd.Series(cells, dtype=object)})
    try:
        found = dtviz.from_frame(frame, "y", task=task)
    except DataError as error:
        refused(error)
        return
    model = fit(found, Rules("squared_error") if found.task == "regression" else None)
    assert len(model.predict(frame)) == len(cells)
    assert model.score(found) == 1.0
    for kind in TREE_KINDS:
        assert model.export(kind)


TABLE = "(pandas, polars) or an Arrow table; not"
REFUSED: tuple[tuple[str, Any, str], ...] = (
    *((call, odd, f"`frame` must be a DataFrame {TABLE} {odd}")
      for call, odd in (("from_frame", [1]), ("from_frame", None), ("from_frame", {"x": [1]}))),
    ("predict classes", FRAME.y, f"`frame` must be a DataFrame {TABLE}"),
    ("from_frame features", 3, "`features` must be a list of column names or None; not 3"),
    ("from_frame features", "xz", "`features` must be a list of column names or None; not"),
    ("from_frame notes", 3, "`notes` must be a list of Notes; not 3"),
    ("read_table", 3, "`source` must be a path, bytes or a buffer; not 3"),
    ("fit", FRAME.y.tolist(), "`data` must be a Dataset, as `from_frame`, `read_table`"),
    ("fit rules", "gini", "`rules` must be Rules or None; not 'gini'"),
    ("fit log", 3, "`log` must be a sequence of moves; not 3"),
    ("fit log", [1], "a move must be Grow(node, split) or Collapse(node), the node an int"),
    ("candidates node", [1], "node [1] is not in the tree"),
    ("Rules order", np.array([1, 2]), "`order` must be one of depth, breadth, best or None"),
    ("path classes", ["x", 1], "a row needs 2 numbers; not ['x', 1]"),
    ("path classes", [1j, 1], "a row needs 2 numbers; not [1j, 1]"),
    ("predict classes", FRAME.assign(x="a"), "numbers in 'x'; here it holds text"),
    ("predict classes", FRAME.assign(x=1j), "'x'; here it holds complex numbers"),
    ("predict classes", NUMBERS.data, "the table has no column 'x'"),
    ("score classes", FRAME.drop(columns="y"), "`target` must be one of the columns"),
    ("score classes", FRAME.assign(y=["a", None, "b", "a"]), "row 1 has no value for 'y'"),
    ("score classes", FRAME[:0], "a score needs at least one row; not none"),
    ("score numbers", FRAME.assign(x=list("abcd")), "'x' holds text"),
    ("axis_split feature", "x", "`feature` must be the index of a feature; not 'x'"),
    ("axis_split threshold", "1", "`threshold` must be a number that a float holds; not '1'"),
    ("impurity counts", [1.5, 2], "`counts` must be numbers of rows, one a class; not [1.5"),
)  # fmt: skip


def test_what_is_refused_is_named_with_what_is_allowed() -> None:
    for call, odd, message in REFUSED:
        with pytest.raises(ValueError, match=re.escape(message)):
            CALLS[call](odd)


def test_a_target_of_huge_numbers_and_text_has_its_classes_in_order() -> None:
    frame = pd.DataFrame({"x": [1, 2, 3, 4], "y": pd.Series(["b", 10**400, -(10**400), "a"])})
    assert dtviz.from_frame(frame, "y").classes == (-(10**400), 10**400, "a", "b")
    with pytest.raises(DataError, match=re.escape("'y' holds a number beyond 1.8e+308")):
        dtviz.from_frame(frame[1:3], "y", task="regression")


def test_complex_numbers_are_no_regression_target() -> None:
    frame = pd.DataFrame({"x": [1, 2], "y": [1 + 1j, 2 - 1j]})
    for task in (None, "regression"):
        with pytest.raises(DataError, match="'y' holds complex numbers"):
            dtviz.from_frame(frame, "y", task=task)  # type: ignore[arg-type]


def test_a_frame_with_its_target_scores_as_its_dataset() -> None:
    worse = FRAME.assign(y=list("abbb"))
    assert MODEL.score(FRAME) == MODEL.score(DATA) == 1.0
    assert MODEL.score(worse) == MODEL.score(dtviz.from_frame(worse, "y")) == 0.75
    assert MODEL.score(FRAME.assign(y=list("cccc"))) == 0.0
    stump = fit(NUMBERS.data, Rules("squared_error"), log=())
    assert NUMBERS.score(FRAME) == pytest.approx(0.2)  # 1 - 4/5: means 2 and 3 of 1 2 3 4
    assert stump.score(FRAME) == pytest.approx(0)


def test_a_dataset_is_read_by_its_names_and_classes() -> None:
    turned = dtviz.from_frame(FRAME[["z", "x", "y"]], "y")
    assert MODEL.predict(turned).tolist() == FRAME.y.tolist()
    fewer = dtviz.from_frame(FRAME[FRAME.y == "b"], "y")
    assert MODEL.score(fewer) == 1.0  # its only class has the code 0, in the tree it has 1
