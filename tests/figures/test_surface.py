"""The surface of a number over two features: its steps are the tree's predictions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from screens import HOSTILE
from toys import sum_family

import dtviz
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.figures.cuts import View
from dtviz.figures.palette import DARK
from dtviz.figures.pins import pinned
from dtviz.figures.surface import MAX_POINTS, surface
from dtviz.model import Model
from dtviz.table.data import Dataset, dataset
from dtviz.trace import node_candidates


def numbers(n: int = 60, features: int = 3) -> Dataset:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(features, n)).round(2)
    names = [f"x{k}" for k in range(features)]
    return dataset(x, x[0] ** 2 + x[1] + rng.normal(size=n) / 5, names, "y")


def grown(data: Dataset) -> Model:
    return dtviz.fit(data, default_rules(data.task))


def drawn(model: Model, axes: tuple[int, int] = (0, 1), **more: object):
    cuts = node_candidates(Problem(model.data, model.rules_used), model.tree, 1)
    view = View(1, cuts, None, axes, pinned=pinned(model.data), **more)  # type: ignore[arg-type]
    return surface(model.data, model.tree, view)


@pytest.mark.parametrize("axes", [(0, 1), (2, 0)])
def test_every_step_is_what_the_tree_predicts_there(axes: tuple[int, int]) -> None:
    model = grown(numbers())
    steps = drawn(model, axes).data[0]
    x, y, z = (np.asarray(value) for value in (steps.x, steps.y, steps.z))
    assert z.shape == (len(y), len(x))
    places = np.repeat(pinned(model.data)[:, None], 200, axis=1)
    rng = np.random.default_rng(2)
    columns, rows = rng.integers(0, len(x) // 2, 200), rng.integers(0, len(y) // 2, 200)
    # half-way along a step, and at its right end, which belongs to it
    for share in (0.5, 1.0):
        places[axes[0]] = x[2 * columns] * (1 - share) + x[2 * columns + 1] * share
        places[axes[1]] = y[2 * rows] * (1 - share) + y[2 * rows + 1] * share
        asked = dataset(places, np.zeros(200), model.data.features, "y")
        assert z[2 * rows, 2 * columns] == pytest.approx(model.predict(asked), rel=0, abs=0)


def test_planes_of_leaves_rise_between_their_corners() -> None:
    data = numbers(features=2)
    rules = Rules("squared_error", leaf_model="linear", max_depth=2, min_samples_leaf=8)
    model = dtviz.fit(data, rules)
    steps = drawn(model).data[0]
    x, y, z = (np.asarray(value) for value in (steps.x, steps.y, steps.z))
    assert (np.ptp(z.reshape(len(y) // 2, 2, len(x) // 2, 2), axis=(1, 3)) > 0).all()
    across, up = (x[::2] + x[1::2]) / 2, (y[::2] + y[1::2]) / 2
    middle = z.reshape(len(y) // 2, 2, len(x) // 2, 2).mean(axis=(1, 3))
    places = np.array([np.tile(across, len(up)), np.repeat(up, len(across))])
    asked = dataset(places, np.zeros(middle.size), data.features, "y")
    assert middle.ravel() == pytest.approx(model.predict(asked))


def test_slanted_cuts_are_followed_by_small_steps() -> None:
    x = np.random.default_rng(1).random((2, 80)).round(3)
    data = dataset(x, np.where(x[0] + x[1] > 1, 5.0, 2.0), ["a", "b"], "y")
    with sum_family():
        rules = replace(default_rules(data.task), families=("axis", "sum"))
        steps = drawn(dtviz.fit(data, rules)).data[0]
    assert set(np.ravel(steps.z)) == {2.0, 5.0}
    assert len(steps.x) > 200
    far = np.add.outer(steps.y[1::2], steps.x[1::2]) - 1  # the upper ends of each step
    sure = np.abs(far) > 0.05
    assert np.array_equal((steps.z[1::2, 1::2] > 3)[sure], (far > 0)[sure])


def test_the_points_stand_at_their_own_height() -> None:
    data = numbers()
    points = drawn(grown(data)).data[1]
    assert np.array_equal(points.x, data.columns[0])
    assert np.array_equal(points.z, data.y)


def test_a_tree_without_splits_is_level() -> None:
    data = dataset([[1.0, 2.0], [3.0, 3.0]], np.array([5.0, 5.0]), ["a", "b"], "y")
    assert set(np.ravel(drawn(grown(data)).data[0].z)) == {5.0}


def test_of_many_points_some_are_drawn() -> None:
    data = numbers(n=3_000)
    assert len(drawn(grown(data)).data[1].x) == MAX_POINTS


@pytest.mark.parametrize("name", HOSTILE[:12], ids=lambda name: ascii(name)[:30])
def test_hostile_names_stay_text(name: str) -> None:
    data = dataset([[1, 2, 3], [1, 3, 2]], np.array([1.0, 2.0, 4.0]), [name, "b"], name)
    figure = drawn(grown(data), theme=DARK)
    for axis in (figure.layout.scene.xaxis, figure.layout.scene.zaxis):
        assert "<" not in axis.title.text
        assert "%{" not in axis.title.text


def test_dates_stand_on_an_axis_of_dates_and_are_said_as_such() -> None:
    found = dtviz.load("sign_ups")
    features, quantities = found.features, found.quantities
    data = dataset(found.columns, np.arange(12.0), features, "y", quantities=quantities)
    figure = drawn(grown(data))
    assert list(figure.layout.scene.xaxis.ticktext) == ["2023-10", "2024-01", "2024-04", "2024-07"]
    assert list(figure.layout.scene.yaxis.ticktext) == ["0", "1 day", "2 days", "3 days"]
    assert figure.data[1].text[0] == "2023-09-04, 3 days 02:00:00"
