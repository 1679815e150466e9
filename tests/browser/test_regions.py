"""The stage by itself in Chromium: regions of any shape have their colours and answer the pointer.

The modules are read from the checkout, the frame is Python's, of a tree with slanted cuts.
"""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from acts import bounds
from playwright.sync_api import Page, Route
from toys import sum_family

import dtviz
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Tree, apply
from dtviz.models.steps import node_candidates
from dtviz.pictures.packing import pack
from dtviz.pictures.scales import DARK, LIGHT, Theme, class_colour, colours_of
from dtviz.pictures.stage import cloud_frame, scene_frame
from dtviz.pictures.stage_cuts import StageView, pinned_values

FRONTEND = Path(dtviz.__file__).parent / "frontend"
TYPES = {".js": "text/javascript", ".css": "text/css"}
STAGE = """
async ([cloudText, sceneText]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const [{ unpack }, cloud, stage, { layoutOf }] = await Promise.all(
    ["lib/frame", "lib/cloud", "stage/stage", "stage/layout"].map((one) => import(`/${one}.js`)));
  const send = (event) => window.sent.push(event);
  const host = (frame) => ({ frame, pending: [], onFrame: (show) => show(frame), send });
  const root = document.querySelector(".stage");
  const frame = unpack(bytes(sceneText));
  window.sent = [];
  cloud.create(document.body, host(unpack(bytes(cloudText))));
  stage.create(root, host(frame));
  const area = root.querySelector(".area");
  const pen = root.querySelector(".still").getContext("2d");
  pen.font = `12px ${frame.family}`;
  window.at = layoutOf(Math.floor(area.clientWidth), frame, (text) => pen.measureText(text).width);
}
"""
COLOURS = """
(places) => {
  const pen = document.querySelector(".floor").getContext("2d");
  const pixel = (x, y) => [Math.round(at.X(x)), Math.round(at.Y(y)), 1, 1];
  return places.map(([x, y]) => [...pen.getImageData(...pixel(x, y)).data]);
}
"""
SEEN = """
([places, paper]) => {
  const sheets = [...document.querySelectorAll(".area canvas")];
  const all = new OffscreenCanvas(sheets[0].width, sheets[0].height).getContext("2d");
  all.fillStyle = paper;
  all.fillRect(0, 0, sheets[0].width, sheets[0].height);
  for (const sheet of sheets) all.drawImage(sheet, 0, 0);
  const pixel = (x, y) => [Math.round(at.X(x)), Math.round(at.Y(y)), 1, 1];
  return places.map(([x, y]) => [...all.getImageData(...pixel(x, y)).data]);
}
"""


@pytest.fixture
def stage(page: Page) -> Page:
    """A page with nothing but the stage's modules."""

    def answer(route: Route) -> None:
        name = route.request.url.split("/", 3)[3]
        if not name:
            head = '<link rel="stylesheet" href="/stage/stage.css">'
            body = f'{head}<body style="width: 700px"><div class="stage"></div>'
            route.fulfill(body=body, content_type="text/html")
        elif (file := FRONTEND / name).is_file():
            route.fulfill(body=file.read_bytes(), content_type=TYPES[file.suffix])
        else:
            route.fulfill(status=404)

    page.route("http://localhost/**", answer)
    page.goto("http://localhost/")
    return page


def three_classes() -> Dataset:
    """150 rows of two features, the classes parted by lines."""
    x = np.random.default_rng(3).random((2, 150)).round(3)
    y = (x[0] + x[1] > 1).astype(int) + (x[0] > 0.6)
    return make_dataset(x, y, ["a", "b"], "y", "ABC")


def frame_of(data: Dataset, rules: Rules, tree: Tree, theme: Theme = LIGHT) -> bytes:
    """The scene of the root, without words."""
    cuts = node_candidates(Problem(data, rules), tree, 1)
    best = None if tree.splits else cuts.best
    view = StageView(1, cuts, best, pinned=pinned_values(data), theme=theme)
    frame: Any = scene_frame(data, tree, view, "points")
    frame["lines"]["rule"] = [""] * len(frame["lines"]["rule"])
    frame |= {
        "gains": True,
        "can": {"cut": True, "focus": True},
        "stamp": "now",
        "announcement": "",
    }
    return pack("stage", frame)


def slanted() -> tuple[Tree, bytes, bytes]:
    """A tree of both families, its cloud without rows and its scene."""
    data = three_classes()
    rules = Rules("gini", families=("axis", "sum"), max_depth=3)
    tree = dtviz.fit(data, rules).tree
    points: Any = cloud_frame(data, (0, 1), "points")
    points |= {name: points[name][:0] for name in ("x", "y", "code")}
    return tree, pack("cloud", points), frame_of(data, rules, tree)


def places_in(tree: Tree) -> list[tuple[float, float, int]]:
    """Places well inside the leaf that the engine sends them to."""
    shares = (np.arange(14) + 0.31) / 14
    across, up = (one.ravel() for one in np.meshgrid(shares, shares))
    step = 0.015
    leaves = []
    for dx, dy in ((0, 0), (step, step), (-step, -step), (step, -step), (-step, step)):
        ids, index = apply(tree, np.array([across + dx, up + dy]))
        leaves.append([ids[k] for k in index.tolist()])
    at = zip(across.tolist(), up.tolist(), *leaves, strict=True)
    return [(x, y, leaf) for x, y, leaf, *round_it in at if {leaf} == set(round_it)]


def test_slanted_regions_have_their_colours_and_answer_the_pointer(stage: Page) -> None:
    with sum_family():
        tree, points, frame = slanted()
        places = places_in(tree)
    assert {split.projection.family for split in tree.splits.values()} == {"axis", "sum"}
    stage.evaluate(STAGE, [base64.b64encode(one).decode() for one in (points, frame)])
    seen = stage.evaluate(COLOURS, [[x, y] for x, y, _ in places])
    wanted = [class_colour(int(tree.nodes[leaf].value)) for *_, leaf in places]
    assert len(set(wanted)) == 3
    for (*rgb, alpha), colour in zip(seen, wanted, strict=True):
        assert alpha == pytest.approx(0.15 * 255, abs=2)
        own = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
        assert rgb == pytest.approx(own, abs=8), "as near as so faint a colour can be read back"
    area = bounds(stage.locator(".area"))
    for leaf in tree.rows:
        x, y = next((x, y) for x, y, other in places if other == leaf)
        left, top = stage.evaluate("([x, y]) => [at.X(x), at.Y(y)]", [x, y])
        stage.mouse.move(area["x"] + left, area["y"] + top)
        assert stage.locator(".stage").get_attribute("data-lit") == str(leaf)
        stage.mouse.click(area["x"] + left, area["y"] + top)
        assert stage.evaluate("sent.at(-1)") == {"what": "focus", "node": str(leaf)}


@pytest.mark.nightly
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_points_keep_their_colour_on_whatever_side_of_a_cut_they_stand(
    stage: Page, theme: Theme
) -> None:
    data, rules = three_classes(), Rules("gini", min_gain=2.0)
    frame = frame_of(data, rules, dtviz.fit(data, rules).tree, theme)
    both = [pack("cloud", cloud_frame(data, (0, 1), "points")), frame]
    stage.evaluate(STAGE, [base64.b64encode(one).decode() for one in both])
    paper = colours_of(theme)["paper"]
    points = data.columns.T.tolist()
    slider, seen = stage.get_by_role("slider"), []
    for key in ("Home", "PageUp", "PageUp", "PageUp", "PageUp", "PageUp", "End"):
        slider.press(key)
        seen.append(stage.evaluate(SEEN, [points, paper]))
    colours = np.array(seen, int)[..., :3]
    off = np.abs(colours - np.median(colours, axis=0)).max(axis=2)
    assert (off <= 6).mean(axis=1).min() > 0.95, "all but those that a line stands on"
    grounds = [stage.evaluate(SEEN, [[[0.01, 0.01]], paper])]
    slider.press("Home")
    grounds.append(stage.evaluate(SEEN, [[[0.01, 0.01]], paper]))
    assert grounds[0] != grounds[1], "the ground of the points is tinted"
