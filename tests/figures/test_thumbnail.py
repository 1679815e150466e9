"""Thumbnails: every example drawn small, in its own colours, inside its frame."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import dtviz
from dtviz.figures.overview import overview
from dtviz.figures.palette import DARK, LIGHT
from dtviz.figures.thumbnail import HIGH, MOST, WIDE, thumbnail
from dtviz.table.gallery import GALLERY

PLACE = re.compile(r"M([\d.]+) ([\d.]+)")


@pytest.mark.parametrize("name", GALLERY)
def test_every_point_of_an_example_is_drawn_in_its_colour_inside_the_frame(name: str) -> None:
    data = dtviz.load(name)
    root = ElementTree.fromstring(thumbnail(data, LIGHT))
    assert root.get("viewBox") == f"0 0 {WIDE} {HIGH}"
    places = [place for path in root for place in PLACE.findall(path.get("d", ""))]
    assert len(places) == min(data.n, MOST)
    assert all(0 < float(x) < WIDE and 0 < float(y) < HIGH for x, y in places)
    _, plane = overview(data, "", LIGHT)
    colours = [look[1] for look in plane.get("classes", ())] or plane.get("scale", ())
    assert {path.get("fill") or path.get("stroke") for path in root} <= {*colours}


def test_up_is_up_and_right_is_right() -> None:
    data = dtviz.load("rpart_treble")
    cloud, plane = overview(data, "", LIGHT)
    drawn = PLACE.findall(thumbnail(data, LIGHT))
    rightmost = max(drawn, key=lambda at: float(at[0]))
    highest = min(drawn, key=lambda at: float(at[1]))
    across, up = plane["across"], plane["up"]
    x = float(rightmost[0]) / WIDE
    assert x > 0.8
    assert x < (cloud["x"].max() - across["low"]) / (across["high"] - across["low"]) + 0.1
    assert float(highest[1]) / HIGH < 0.2
    assert cloud["y"].max() <= up["high"]


def test_it_is_drawn_for_the_dark_as_well() -> None:
    assert "path" in thumbnail(dtviz.load("iris"), DARK)
