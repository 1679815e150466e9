"""A table of categories walks through everything: every picture and panel of Grow and Overfit."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
from screens import (
    Frame,
    flat,
    frame_of,
    live,
    open_panel,
    params_of,
    press,
    run,
    send,
    step,
    tree_of,
    why,
    with_file,
)  # fmt: skip

import dtviz
from dtviz import from_frame
from dtviz.engine.problem import Problem
from dtviz.engine.splits import Subset, subset_split
from dtviz.engine.tree import predict
from dtviz.explain.export import TREE_KINDS
from dtviz.models.steps import node_candidates
from dtviz.pictures.charts import surface
from dtviz.pictures.scales import orders_of_cuts
from dtviz.pictures.stage_cuts import StageView, pinned_values
from dtviz.pictures.tree import plane_points

COLOURS = ("red", "green", "blue", "<b>grey</b>", "$x$", "none at all")
SHAPES = ("round", "flat", "long")
NAMES = ("colour", "shape", "size")
FEATURES = json.dumps(NAMES)
JUDGED = ("Pruning", "Grid search", "Learning curve", "Bias and variance", "Greedy's limit")
PANELS = ("Candidates", "All gains", "Arithmetic", "Criteria", "Algorithm", "Rules", "Export")


def frame(number: bool = False, n: int = 90) -> pd.DataFrame:
    """Two categories, a number, and what they make: 'a' for three of the colours, more or less."""
    random = np.random.default_rng(8)
    colour, shape = random.choice(COLOURS, n), random.choice(SHAPES, n)
    size = random.integers(0, 9, n)
    score = np.isin(colour, COLOURS[::2]) * 4 + (shape == "flat") * (size > 4) * 3 + size % 2
    kind = np.where(score > 3, "a", np.where(size > 6, "b", "c"))
    made = {"colour": colour, "shape": shape, "size": size}
    return pd.DataFrame({**made, "y": score if number else kind})


def grow(panel: str = "", number: bool = False, features: str = FEATURES, **params: str) -> Any:
    task = {"task": "regression"} if number else {}
    at = run(with_file("grow", frame(number), features=features, **task, **params))
    return open_panel(at, panel) if panel else at


def caption_of(at: Any) -> str:
    """The text under the stage."""
    return str(frame_of(at, "grow")["sides"][0]["caption"])


def parts_of(stage: Frame, node: int) -> list[Any]:
    """The rectangles of a node's region, as left, right, bottom, top."""
    regions = stage["regions"]
    k = regions["node"].index(str(node))
    start, end = regions["starts"][k : k + 2]
    ring = np.reshape(regions["corners"][2 * start : 2 * end], (-1, 2))
    gaps = np.flatnonzero(np.isnan(ring[:, 0]))
    parts = np.split(ring, gaps)
    return [(*np.nanmin(p, axis=0), *np.nanmax(p, axis=0)) for p in parts]


def test_every_picture_of_grow_shows_it_step_by_step() -> None:
    for number in (False, True):
        at = grow(number=number, axes="0.1")
        assert not at.warning
        stage = flat(frame_of(at, "stage"))
        assert stage["across"]["name"] == "colour"
        assert sorted(stage["across"]["lanes"]) == sorted(COLOURS)
        assert (stage["across"]["low"], stage["up"]["high"]) == (-0.5, 2.5)
        cuts = stage["cuts"][0]
        assert cuts["threshold"][:5] == [0.5, 1.5, 2.5, 3.5, 4.5]
        assert len(cuts["threshold"]) == (5 if number else 31)
        assert all(rule.startswith("colour ") for rule in cuts["rule"])
        axis, place = stage["best"]
        assert why(at).startswith(f"Root. {stage['cuts'][axis]['rule'][place]} wins")
        for made in range(1, (3 if number else step(at)[1]) + 1):
            at = press(at, "next")
            assert step(at)[0] == made
            assert not live(at)
        assert "colour" in tree_of(at)
        assert "size = " in caption_of(at)


def test_the_regions_of_a_subset_are_bands_and_its_lines_stand_between_them() -> None:
    result = from_frame(frame(), "y", NAMES)
    codes = [result.levels[0].index(colour) for colour in (COLOURS[0], COLOURS[5])]
    at = grow(log=f"1.c0-{sum(1 << code for code in codes):x}.0.5", focus="1", axes="0.2")
    stage = flat(frame_of(at, "stage"))
    places = sorted(stage["across"]["places"][code] for code in codes)
    left = parts_of(stage, 2)
    assert [(a, b) for a, _, b, _ in left] == [(place - 0.5, place + 0.5) for place in places]
    wide = sum(b - a for node in (2, 3) for a, _, b, _ in parts_of(stage, node))
    assert wide == 6
    lines = np.reshape(stage["lines"]["corners"], (-1, 2, 2))
    edges = {place + side for place in places for side in (-0.5, 0.5)} - {-0.5, 5.5}
    assert sorted(lines[:, 0, 0]) == sorted(lines[:, 1, 0]) == sorted(edges)
    assert [bool(rule) for rule in stage["lines"]["rule"]] == [True] + [False] * (len(edges) - 1)


def test_the_focus_orders_the_bands_and_its_cuts_name_what_goes_left() -> None:
    result = from_frame(frame(), "y", NAMES)
    at = press(grow(axes="0.1"), "next", "next")
    for node in ("2", "3"):
        at = send(at, "stage", {"what": "focus", "node": node})
        stage = flat(frame_of(at, "stage"))
        inside = np.unpackbits(np.array(stage["in_focus"], np.uint8))[: result.n].astype(bool)
        places = np.array(stage["across"]["places"])[result.columns[0].astype(int)]
        some = places[inside]
        assert sorted(set(some.tolist())) == [*range(len(set(some.tolist())))]
        cuts = stage["cuts"][0]
        assert sum(map(bool, cuts["scattered"])) == len(cuts["left"]) - some.max()
        for k, flags in enumerate(cuts["flags"]):
            before = int((some <= k).sum())
            bits = cuts["scattered"][k]
            sides = (
                (bits >> some & 1).sum() if bits else len(some) - before if flags & 8 else before
            )
            assert cuts["left"][k] == sides
        cloud = frame_of(at, "cloud")
        assert np.rint(cloud["x"]).tolist() == result.columns[0].tolist()


def test_every_panel_of_grow_tells_it() -> None:
    at = grow(focus="1")
    for panel in PANELS:
        at = open_panel(at, panel)
        assert not live(at), panel
        if panel == "Candidates":
            cuts = frame_of(at, "ranking")["cut"]
            assert all(cut.startswith(("colour ", "shape ", "size ≤ ")) for cut in cuts)
            assert len(cuts) == 31 + 3 + 8
            assert (
                "colour: 6 values, 2^(6-1) - 1 = 31 subsets; all are tried, 5 of them are the cuts "
                "of its order." in frame_of(at, "ranking")["notes"]
            )
        if panel == "Arithmetic":
            assert any(r"\text{" in str(one.value) for one in at.latex)
        if panel == "Export":
            for kind in TREE_KINDS:
                assert run(at.segmented_control(key="export_kind").set_value(kind)).code, kind


def test_values_that_the_focus_does_not_hold_stand_behind_by_their_mean_target() -> None:
    table = pd.DataFrame({"g": list("aabbccddee"), "y": [5, 5, 1, 1, 9, 9, 3, 3, 7, 7]})
    result = from_frame(table, "y", ["g"], task="regression")
    rules = dtviz.Rules("squared_error")
    model = dtviz.fit(result, rules, (dtviz.Grow(1, subset_split(0, (2,))),))
    names = [
        "".join(result.levels[0][code] for code in orders_of_cuts(result, cuts)[0])
        for cuts in (
            node_candidates(Problem(result, rules), model.tree, node) for node in (1, 2, 3)
        )
    ]
    assert names == ["bdaec", "cbdae", "bdaec"]


def test_one_value_against_the_rest_is_a_setting_that_the_address_keeps() -> None:
    at = grow("Candidates", axes="0.1")
    at.session_state["settings"] = True
    at = run(at)
    at = run(at.selectbox(key="rule_families").set_value(("axis", "onevsrest")))
    assert params_of(at)["families"] == "axis.onevsrest"
    stage = flat(frame_of(at, "stage"))
    assert stage["cuts"][0]["threshold"] == [0, 1, 2, 3, 4, 5]
    assert all(flag & 16 for flag in stage["cuts"][0]["flags"])
    assert [rule.split(" = ")[1] for rule in stage["cuts"][0]["rule"]] == sorted(COLOURS)
    assert stage["across"]["lanes"] == sorted(COLOURS)
    reason = (
        "colour: 6 values, 2^(6-1) - 1 = 31 subsets; tried: 6 cuts of one value against the rest."
    )
    assert reason in frame_of(at, "ranking")["notes"]
    at = press(at, "end")
    assert not live(at)
    for panel in PANELS:
        at = open_panel(at, panel)
        assert not live(at), panel


def test_a_cut_of_a_category_is_chosen_asked_for_and_made() -> None:
    at = grow(axes="0.1", ask="1")
    stage = flat(frame_of(at, "stage"))
    assert stage["is_asking"]
    assert "score" not in stage["cuts"][0]
    index = stage["cuts"][0]["index"][1]
    at = send(at, "stage", {"what": "cut", "stamp": stage["stamp"], "index": index})
    assert "of the best, regret" in why(at) or "no cut is better" in why(at)
    assert why(at).startswith(f"Root. {stage['cuts'][0]['rule'][1]}: gain ")
    at = press(at, "split_here")
    assert tree_of(at).count("colour") >= 1


def test_one_feature_alone_is_drawn_as_a_strip() -> None:
    for feature, number in (("colour", False), ("size", True)):
        at = grow(number=number, features=json.dumps([feature]))
        stage = flat(frame_of(press(at, "end"), "stage"))
        assert stage["form"] == "strip", feature
        assert ("lanes" in stage["across"]) == (feature == "colour"), feature
        assert "Rectangles" not in caption_of(at), feature


def test_overfit_judges_it_draws_it_and_every_panel_tells_it() -> None:
    for panels, axes, task in (
        (["Table"], "2.0", {}), (JUDGED, "0.1", {}),
        (["Pruning", "Bias and variance"], "0.1", {"task": "regression"}),
    ):  # fmt: skip
        at = with_file(
            "overfit", frame(bool(task)), features=FEATURES, axes=axes, folds="3", **task
        )
        for panel in panels:
            at.session_state["panels"] = panel
            at = run(at)
            assert not at.warning, panel
            assert not live(at), panel
            pictures = frame_of(at, "overfit")
            axis = pictures["up" if panel == "Table" else "across"]
            assert sorted(axis["lanes"]) == sorted(COLOURS), panel
            assert sorted(axis["places"]) == [*range(6)] != list(axis["places"]), panel
            assert len(pictures["curve"]["values"]) > 1, panel
            if panel == "Pruning":
                assert "colour" in str(flat(frame_of(at, "tree"))["nodes"])


def test_the_surface_has_a_step_a_band_at_the_height_of_its_prediction() -> None:
    result = from_frame(frame(number=True), "y", NAMES, task="regression")
    model = dtviz.fit(result, dtviz.Rules("squared_error"))
    assert any(isinstance(s.projection, Subset) for s in model.tree.splits.values())
    at = pinned_values(result)
    assert at[0] == np.bincount(result.columns[0].astype(int)).argmax()
    cuts = node_candidates(Problem(result, model.rules_used), model.tree, 1)
    steps = surface(result, model.tree, StageView(1, cuts, None, (0, 1), pinned=at)).data[0]
    assert steps.x[::2].tolist() == [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5]
    rows = np.repeat(at[:, None], 6, axis=1)
    rows[0], rows[1] = np.arange(6), 2
    assert np.asarray(steps.z)[-1, ::2].tolist() == predict(model.tree, rows).tolist()

    plane = plane_points(result, (0, 2), at)  # where trees are compared, it has its codes
    assert sorted({*plane[0].tolist()}) == [0, 1, 2, 3, 4, 5]
    assert {*plane[1].tolist()} == {at[1]}
