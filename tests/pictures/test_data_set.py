"""Every example drawn small and at large, in the colours of its classes, inside its frame."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from screens import flat, unpack

import dtviz
from dtviz.base.text import count
from dtviz.data.gallery import GALLERY
from dtviz.engine.tree import leaf_ids
from dtviz.pictures.data_set import (
    LARGE,
    SMALL,
    TREE_WIDTH,
    empty_thumbnail,
    overview,
    thumbnail,
    tree_thumbnail,
)
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import DARK, LIGHT, SCALE, class_colour, class_symbol, step_of, tint

PLACE = re.compile(r"M([\d.]+) ([\d.]+)")
FRAME = f"0 0 {LARGE.width + TREE_WIDTH} {LARGE.height}"


def test_every_point_of_an_example_is_drawn_in_its_colour_inside_the_frame() -> None:
    for name in GALLERY:
        data = dtviz.load(name)
        root = ElementTree.fromstring(thumbnail(data, LIGHT))
        assert root.get("viewBox") == f"0 0 {SMALL.width} {SMALL.height}"
        places = [place for path in root for place in PLACE.findall(path.get("d", ""))]
        assert len(places) == min(data.n, SMALL.max_points), name
        assert all(0 < float(x) < SMALL.width and 0 < float(y) < SMALL.height for x, y in places)
        _, plane = overview(data, "", LIGHT)
        colours = [look[1] for look in plane.get("classes", ())] or plane.get("scale", ())
        assert {path.get("fill") or path.get("stroke") for path in root} <= {*colours}, name
        model = dtviz.fit(data)
        svg = tree_thumbnail(model.data, model.tree, LIGHT)
        assert ElementTree.fromstring(svg).get("viewBox") == FRAME
        assert "nan" not in svg, name
    assert "path" in thumbnail(data, DARK)
    assert ElementTree.fromstring(empty_thumbnail(LIGHT)).get("viewBox") == FRAME


def test_up_is_up_and_right_is_right() -> None:
    data = dtviz.load("rpart_treble")
    cloud, plane = overview(data, "", LIGHT)
    drawn = PLACE.findall(thumbnail(data, LIGHT))
    x = max(float(across) for across, _ in drawn) / SMALL.width
    across, up = plane["across"], plane["up"]
    assert 0.8 < x < (cloud["x"].max() - across["low"]) / (across["high"] - across["low"]) + 0.1
    assert min(float(down) for _, down in drawn) / SMALL.height < 0.2
    assert cloud["y"].max() <= up["high"]


# --- a tree over its points -----------------------------------------------------------------------


def leaves_in(svg: str) -> list[dict[str, str]]:
    return [dict(one.attrib) for one in ElementTree.fromstring(svg) if one.get("fill-opacity")]


def test_a_tree_is_drawn_as_its_regions_in_the_colours_of_their_classes_under_the_points() -> None:
    data = dtviz.load("moons", n=60)
    tree = dtviz.fit(data, dtviz.Rules(max_depth=3)).tree
    for theme in (LIGHT, DARK):
        svg = tree_thumbnail(data, tree, theme)
        regions = leaves_in(svg)
        colours = [class_colour(int(tree.nodes[leaf].value)) for leaf in tree.rows]
        assert sorted(region["fill"] for region in regions) == sorted(colours)
        drawn = [path.get("fill-opacity") is not None for path in ElementTree.fromstring(svg)]
        assert drawn == sorted(drawn, reverse=True)  # points later, so that none is covered
        total = 0.0
        for region in regions:
            x, y = np.array(re.findall(r"([\d.]+) ([\d.]+)", region["d"]), float).T
            total += float(np.ptp(x) * np.ptp(y))
        assert total == pytest.approx((LARGE.width - 12) * (LARGE.height - 12), rel=0.01)


def test_a_tree_of_numbers_on_a_line_is_drawn_as_its_steps() -> None:
    data = dtviz.load("sine", n=40)
    tree = dtviz.fit(data, dtviz.Rules("squared_error", max_depth=2)).tree
    paths = [one.get("d", "") for one in ElementTree.fromstring(tree_thumbnail(data, tree, LIGHT))]
    steps = [re.fullmatch(r"M([\d.]+) ([\d.]+)H([\d.]+)", path) for path in paths]
    heights = [float(step[2]) for step in steps if step]
    values = [tree.nodes[leaf].value for leaf in leaf_ids(tree)]
    assert len(heights) == len(values) == 4
    assert sorted(zip(heights, values, strict=True)) == sorted(
        zip(sorted(heights), sorted(values, reverse=True), strict=True)
    )  # up is up


def test_beside_its_regions_stand_its_nodes_level_by_level_and_its_leaves_from_left_to_right() -> (
    None
):
    data = dtviz.load("moons", n=60)
    tree = dtviz.fit(data, dtviz.Rules(max_depth=3)).tree
    root = ElementTree.fromstring(tree_thumbnail(data, tree, LIGHT))
    circles = {
        (float(one.get("cx", "")), float(one.get("cy", "")))
        for one in root.iter()
        if "cx" in one.attrib
    }
    assert len(circles) == len(tree.splits)
    (edges,) = [one.get("d", "") for one in root if one.get("fill") == "none"]
    ends = re.findall(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", edges)
    assert len(ends) == 2 * len(tree.splits)
    lower = [(float(x), float(y)) for *_, x, y in ends]
    assert {(float(x), float(y)) for x, y, *_ in ends} == circles
    assert all(float(y) < below for (_, y, *_), (_, below) in zip(ends, lower, strict=True))
    looks = {}
    for one in root:
        colour = one.get("fill") or one.get("stroke")
        looks |= dict.fromkeys(
            ((float(x), float(y)) for x, y in PLACE.findall(one.get("d", ""))), colour
        )
    leaves = sorted({*lower} - circles)
    wanted = [class_colour(int(tree.nodes[leaf].value)) for leaf in leaf_ids(tree)]
    assert [looks[leaf] for leaf in leaves] == wanted
    assert all(
        LARGE.width < x < LARGE.width + TREE_WIDTH and 0 < y < LARGE.height for x, y in leaves
    )


def test_a_tree_of_a_single_leaf_has_no_circle_and_a_region_in_several_parts_is_drawn() -> None:
    model = dtviz.fit(dtviz.load("moons", n=60), dtviz.Rules(min_samples_split=100))
    svg = tree_thumbnail(model.data, model.tree, LIGHT)
    assert "nan" not in svg
    assert "circle" not in svg
    rules = dtviz.Rules(families=("radial",), max_depth=3)
    model = dtviz.fit(dtviz.load("circles", n=80), rules)
    svg = tree_thumbnail(model.data, model.tree, LIGHT)
    assert "nan" not in svg
    assert all(re.fullmatch(r"(M[\d. L]+z)+", region["d"]) for region in leaves_in(svg))


# --- the data before any cut ----------------------------------------------------------------------


def test_every_example_has_a_picture_of_all_its_rows_without_a_tree_or_a_cut() -> None:
    drawn = {"regions", "lines", "fills", "values", "in_focus", "focus", "best", "chosen", "stamp"}
    for example in GALLERY:
        data = dtviz.load(example)
        points, plane = (unpack(pack("k", frame)) for frame in overview(data, "n"))
        assert points["name"] == plane["cloud"] == "n"
        assert len(points["x"]) == len(points["y"]) == len(points["code"]) == data.n, example
        assert plane["has_all_rows"]
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
        assert plane["description"] == words


def test_the_axes_are_the_features_that_part_best_or_a_feature_beside_its_number() -> None:
    data = dtviz.load("iris")
    points, plane = overview(data, "n", DARK)
    assert (plane["across"]["name"], plane["up"]["name"]) == ("petal_length_cm", "petal_width_cm")
    assert np.array_equal(points["x"], data.columns[2])
    assert np.array_equal(points["y"], data.columns[3])
    text = str(flat(plane))
    assert DARK.ink in text
    assert LIGHT.ink not in text
    data = dtviz.load("sine")
    points, plane = overview(data, "n")
    assert (plane["form"], plane["up"]["name"]) == ("strip", data.target)
    assert np.array_equal(points["y"], data.y)


# --- colours and shapes of classes ----------------------------------------------------------------


def test_colour_and_shape_tell_88_classes_apart_and_a_number_has_its_place_on_the_scale() -> None:
    assert len({(class_colour(k), class_symbol(k)) for k in range(88)}) == 88
    assert len({class_colour(k) for k in range(8)}) == 8
    assert len({class_symbol(k) for k in range(8)}) == 8
    assert (step_of(0.0, 0.0, 10.0), step_of(10.0, 0.0, 10.0)) == (0, len(SCALE) - 1)
    assert (step_of(5.0, 5.0, 5.0), step_of(-9.0, 0.0, 1.0)) == (len(SCALE) // 2, 0)
    assert tint("#0072B2", 0.5) == "rgba(0,114,178,0.5)"
