"""Shades and lines of leaves that vary or tell how sure they are: what they predict, everywhere."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dtviz
from dtviz import Rules
from dtviz.engine.splits import Plane
from dtviz.engine.tree import shares
from dtviz.figures import varied as module
from dtviz.figures.pins import pinned
from dtviz.figures.regions import area
from dtviz.figures.varied import BANDS, STEPS, varied
from dtviz.model import Model
from dtviz.table.data import Dataset, dataset

WINDOW = ((-3.0, -3.0), (3.0, -3.0), (3.0, 3.0), (-3.0, 3.0))
STRIP = ((0.0, -0.5), (20.0, -0.5), (20.0, 1.5), (0.0, 1.5))


def one_leaf(data: Dataset, name: str) -> Model:
    """The tree of the root alone."""
    task = "squared_error" if not data.classes else "gini"
    return dtviz.fit(data, Rules(task, leaf_model=name), ())


def drawn(model: Model, ring: Any, strip: bool = False) -> Any:
    plane = Plane(0, None if strip else 1, tuple(pinned(model.data).tolist()))
    return varied(model.data, model.tree.leaf_model, {3: (ring, model.leaves[0])}, plane)


def rings_of(some: Any) -> list[Any]:
    corners = some["corners"].reshape(-1, 2)
    return [tuple(map(tuple, corners[a:b].tolist())) for a, b in pairwise(some["starts"].tolist())]


def along(n: int = 16) -> Dataset:
    x = np.arange(float(n))
    return dataset([x], ((x % 5 > 1) ^ (x > 9)).astype(int), ["x"], "y", "ab")


def test_bands_of_shares_part_a_leaf_and_hold_what_is_predicted_in_their_middle() -> None:
    model = one_leaf(dtviz.load("moons", n=80, noise=0.3, seed=3), "logistic")
    found = drawn(model, WINDOW)
    assert set(found) == {"shades"}
    shades = found["shades"]
    assert sum(area(ring, WINDOW) for ring in rings_of(shades)) == pytest.approx(1)
    assert set(shades["owner"].tolist()) == {3}
    for ring, code, share in zip(rings_of(shades), shades["code"], shades["share"], strict=True):
        middle = np.array(ring).mean(axis=0)[:, None]
        told = shares(model.data, model.tree, middle)[0]
        assert told.argmax() == code
        assert abs(told[code] - share) <= 0.5 / BANDS + 1e-9


def test_shares_that_do_not_vary_are_one_shade_a_leaf() -> None:
    data = dtviz.load("iris")
    model = one_leaf(data, "shares")
    (ring,), shades = rings_of(drawn(model, WINDOW)["shades"]), drawn(model, WINDOW)["shades"]
    assert ring == WINDOW
    assert shades["share"].tolist() == pytest.approx([51 / 153])
    assert "curves" not in drawn(model, STRIP, strip=True)  # of three classes none is the second


def test_over_a_strip_the_second_class_s_share_is_a_line() -> None:
    for name, corners in (("logistic", STEPS + 1), ("shares", 2)):
        model = one_leaf(along(), name)
        found = drawn(model, STRIP, strip=True)
        (line,) = rings_of(found["curves"])
        assert len(line) == corners
        assert [line[0][0], line[-1][0]] == [0.0, 20.0]
        across = np.array([[x for x, _ in line]])
        assert [y for _, y in line] == pytest.approx(
            shares(model.data, model.tree, across)[:, 1].tolist()
        )
        assert found["shades"]["code"].size


def test_a_regression_over_a_strip_is_its_two_ends() -> None:
    model = one_leaf(dtviz.load("sine", n=60), "linear")
    found = drawn(model, STRIP, strip=True)
    assert set(found) == {"curves"}
    (line,) = rings_of(found["curves"])
    wanted = model.predict(pd.DataFrame({"x": [x for x, _ in line]}))
    assert [y for _, y in line] == pytest.approx(wanted.tolist())


def test_leaves_that_predict_a_single_value_have_neither() -> None:
    for name, example in (("majority", "moons"), ("mean", "sine"), ("median", "sine")):
        assert drawn(one_leaf(dtviz.load(example, n=20), name), WINDOW) == {}, name


def test_of_very_many_leaves_the_largest_vary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SHADED", 2)
    model = one_leaf(dtviz.load("iris"), "shares")
    some = {}
    for at, wide in enumerate((6.0, 1.0, 3.0, 2.0)):
        ring = ((-3.0, -3.0), (-3.0 + wide, -3.0), (-3.0 + wide, 3.0), (-3.0, 3.0))
        some[at] = (ring, model.leaves[0])
    plane = Plane(0, 1, tuple(pinned(model.data).tolist()))
    found = varied(model.data, model.tree.leaf_model, some, plane)
    assert found["shades"]["owner"].tolist() == [0, 2]
