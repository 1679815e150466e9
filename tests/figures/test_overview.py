"""The data before any cut."""

from __future__ import annotations

import numpy as np
import pytest
from screens import flat, unpack

import dtviz
from dtviz.figures.frame import pack
from dtviz.figures.overview import overview
from dtviz.figures.palette import DARK, LIGHT, class_colour, class_symbol
from dtviz.table.gallery import GALLERY
from dtviz.text import count


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_has_a_picture_of_all_its_rows(name: str) -> None:
    data = dtviz.load(name)
    points, plane = (unpack(pack("k", frame)) for frame in overview(data, "n"))
    assert points["name"] == plane["cloud"] == "n"
    assert len(points["x"]) == len(points["y"]) == len(points["code"]) == data.n
    assert plane["whole"]
    if data.classes:
        assert np.array_equal(points["code"], data.y)
        names = data.class_names
        assert plane["classes"] == [
            [name, class_colour(k), class_symbol(k)] for k, name in enumerate(names)
        ]
    else:
        assert np.array_equal(points["value"], data.y)
        assert (plane["low"], plane["high"]) == (data.y.min(), data.y.max())


@pytest.mark.parametrize("name", ["iris", "heights", "sine"])
def test_there_is_no_tree_and_no_cut_in_it(name: str) -> None:
    plane = overview(dtviz.load(name), "n")[1]
    assert plane["bare"]
    told = {"regions", "lines", "fills", "values", "inside", "focus", "best", "chosen", "stamp"}
    assert not told & plane.keys()
    assert not [key for key in plane if key.startswith(("score", "index", "rule", "flags"))]


def test_what_is_heard_of_it() -> None:
    for name in ("iris", "heights"):
        data = dtviz.load(name)
        said = f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}"
        assert overview(data, "n")[1]["about"] == said


def test_the_two_features_that_part_best_are_the_axes() -> None:
    data = dtviz.load("iris")
    points, plane = overview(data, "n")
    assert (plane["across"]["name"], plane["up"]["name"]) == ("petal_length_cm", "petal_width_cm")
    assert np.array_equal(points["x"], data.columns[2])
    assert np.array_equal(points["y"], data.columns[3])


def test_one_feature_beside_its_number() -> None:
    data = dtviz.load("sine")
    points, plane = overview(data, "n")
    assert plane["form"] == "strip"
    assert plane["up"]["name"] == data.target
    assert np.array_equal(points["y"], data.y)


def test_dark() -> None:
    text = str(flat(overview(dtviz.load("heights"), "n", DARK)[1]))
    assert DARK.ink in text
    assert LIGHT.ink not in text
