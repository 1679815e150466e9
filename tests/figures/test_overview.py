"""The data before any cut."""

from __future__ import annotations

import json

import numpy as np
import pytest

import dtviz
from dtviz.datasets import GALLERY
from dtviz.figures import DARK
from dtviz.figures.overview import overview
from dtviz.figures.palette import class_colour, class_symbol


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_has_a_picture_of_all_its_rows(name: str) -> None:
    data = dtviz.load(name)
    figure = overview(data)
    json.loads(figure.to_json())
    points = [trace for trace in figure.data if trace.hovertemplate]
    assert sum(len(trace.x) for trace in points) == data.n
    for k, trace in enumerate(points if data.classes else ()):
        assert trace.marker.color == class_colour(k)
        assert trace.marker.symbol == class_symbol(k)
        assert np.all(np.array(trace.marker.opacity) > 0.5)


def test_the_two_features_that_part_best_are_the_axes() -> None:
    figure = overview(dtviz.load("iris"))
    assert figure.layout.xaxis.title.text == "petal_length_cm"
    assert figure.layout.yaxis.title.text == "petal_width_cm"


def test_one_feature_beside_its_number() -> None:
    data = dtviz.load("sine")
    figure = overview(data)
    assert figure.layout.yaxis.title.text == data.target
    assert np.array_equal(np.array(figure.data[0].y), data.y)


def test_dark() -> None:
    assert DARK.ink in overview(dtviz.load("heights"), DARK).to_json()
