"""The data before any cut."""

from __future__ import annotations

import numpy as np
from screens import flat, unpack

import dtviz
from dtviz.figures.frame import pack
from dtviz.figures.overview import overview
from dtviz.figures.palette import DARK, LIGHT, class_colour, class_symbol
from dtviz.table.gallery import GALLERY
from dtviz.text import count


def test_every_example_has_a_picture_of_all_its_rows_without_a_tree_or_a_cut() -> None:
    drawn = {"regions", "lines", "fills", "values", "inside", "focus", "best", "chosen", "stamp"}
    for example in GALLERY:
        data = dtviz.load(example)
        points, plane = (unpack(pack("k", frame)) for frame in overview(data, "n"))
        assert points["name"] == plane["cloud"] == "n"
        assert len(points["x"]) == len(points["y"]) == len(points["code"]) == data.n, example
        assert plane["whole"]
        if data.classes:
            assert np.array_equal(points["code"], data.y), example
            assert plane["classes"] == [
                [name, class_colour(k), class_symbol(k)] for k, name in enumerate(data.class_names)
            ]
        else:
            assert np.array_equal(points["value"], data.y), example
            assert (plane["low"], plane["high"]) == (data.y.min(), data.y.max())
        assert plane["bare"]
        assert not drawn & plane.keys(), example
        cuts = ("score", "index", "rule", "flags")
        assert not [key for key in plane if key.startswith(cuts)], example
        words = f"{count(data.n, 'row')}, {count(len(data.features), 'feature')}"
        assert plane["about"] == words


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


def test_the_dark_theme_has_its_ink() -> None:
    text = str(flat(overview(dtviz.load("heights"), "n", DARK)[1]))
    assert DARK.ink in text
    assert LIGHT.ink not in text
