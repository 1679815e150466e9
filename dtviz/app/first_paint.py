"""First paint: the names of the pages and the first picture, shown before any script runs.

The bare address of Grow always opens the same screen. Its sentence and its stage, as they will be
drawn there, are part of the document; frontend/lib/pictures.js takes them away once the page has
drawn its own. Screen readers are told nothing of them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dtviz.app.instrument import Instrument
from dtviz.app.navigation import START_RECIPE
from dtviz.app.page import PAGES
from dtviz.app.state import SHARED
from dtviz.base.arrays import Floats
from dtviz.base.text import html
from dtviz.data import gallery
from dtviz.pictures.frame_types import AxisCuts, FrameAxis
from dtviz.pictures.frames import view_of
from dtviz.pictures.grow import FIRST_ANSWER, FIRST_QUESTION
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stage import cloud_frame, scene_frame
from dtviz.session.session import Session, Visit, usual_rules

MARKS = {
    "circle": '<circle r="3.8"/>',
    "square": '<rect x="-3.4" y="-3.4" width="6.8" height="6.8"/>',
    "diamond": '<path d="M0-5 5 0 0 5-5 0z"/>',
}
"""Shapes of points, about the place of each."""
CURVE_BOX = 1000
"""Width and height of the box of a gain curve, which the browser stretches."""
HEADROOM = 1.12
"""Largest gain that has room in the box of a curve, in shares of the best, as on the stage."""


def first_paint(path: str, has_picture: bool) -> str:
    """Return the element that shows a page before its scripts run.

    `has_picture` adds the first picture of Grow; other pages have none.
    """
    first = next(iter(PAGES))
    current = path if path in PAGES else first
    names = (
        f"<{tag}>{html(page.title)}</{tag}>"
        for page in PAGES.values()
        for tag in ["b" if page.path == current else "span"]
    )
    parts = [f'<div class="pages">{"".join(names)}</div>']
    if has_picture and current == first:
        answer = html(FIRST_ANSWER, len(FIRST_ANSWER))
        sentence = f"<strong>{html(FIRST_QUESTION)}</strong> {answer}"
        parts += [f"<p>{sentence}</p>", f'<div class="stage">{"".join(_first_stage())}</div>']
    return f'<div class="dtviz-first" aria-hidden="true">{"".join(parts)}</div>'


def _first_stage() -> Iterator[str]:
    """Yield the SVG of the plane of the first screen, and of the gain curves above and beside."""
    data = gallery.build(START_RECIPE)
    session = Session(START_RECIPE, usual_rules(START_RECIPE, data.task))
    screen = Instrument(Visit(session), SHARED).screen(session)
    view = view_of(screen, LIGHT)
    scene = scene_frame(screen.data, screen.tree, view, "")
    cloud = cloud_frame(screen.data, view.axes, "")
    across, up = scene["across"], scene["up"]
    x, y = _percent(cloud["x"], across), 100 - _percent(cloud["y"], up)
    axis, place = scene["best"] or (0, 0)
    cut = float(_percent(scene["cuts"][axis]["threshold"][[place]], across)[0])
    classes = scene["classes"]
    yield '<svg class="plane">'
    for left, width, rows in ((0.0, cut, x <= cut), (cut, 100 - cut, x > cut)):
        colour = classes[int(np.argmax(np.bincount(cloud["code"][rows])))][1]
        yield f'<rect class="side" x="{left:.2f}%" width="{width:.2f}%" height="100%" '
        yield f'fill="{colour}"/>'
    for code, (_, colour, shape) in enumerate(classes):
        name = f"dtviz-{shape}"
        yield f'<defs><g id="{name}" style="scale: var(--zoom)">{MARKS[shape]}</g></defs>'
        yield f'<g class="points" fill="{colour}">'
        for row in np.flatnonzero(cloud["code"] == code):
            yield f'<use href="#{name}" x="{x[row]:.1f}%" y="{y[row]:.1f}%"/>'
        yield "</g>"
    yield f'<line class="cut" x1="{cut:.2f}%" x2="{cut:.2f}%" y2="100%"/>'
    yield "</svg>"
    gains = [_gains(cuts, scene["top"]) for cuts in scene["cuts"]]
    thresholds = [cuts["threshold"] for cuts in scene["cuts"]]
    yield _curve("above", _percent(thresholds[0], across) / 100, 1 - gains[0])
    yield _curve("beside", gains[1], 1 - _percent(thresholds[1], up) / 100)
    yield f'<i class="across">{html(across["name"])}</i><i class="up">{html(up["name"])}</i>'


def _percent(values: Floats, axis: FrameAxis) -> Floats:
    """Places of values along an axis, in percent of its length."""
    places: Floats = 100 * (np.asarray(values) - axis["low"]) / (axis["high"] - axis["low"])
    return places


def _gains(cuts: AxisCuts, best: float) -> Floats:
    """Gains in shares of the room that the strip of an axis has."""
    gains: Floats = np.asarray(cuts["score"]) / (HEADROOM * best)
    return gains


def _curve(name: str, x: Floats, y: Floats) -> str:
    """SVG of a line through points, whose coordinates are shares of its box."""
    points = " ".join(f"{a:.0f},{b:.0f}" for a, b in zip(CURVE_BOX * x, CURVE_BOX * y, strict=True))
    box = f'viewBox="0 0 {CURVE_BOX} {CURVE_BOX}" preserveAspectRatio="none"'
    return f'<svg class="{name}" {box}><polyline points="{points}"/></svg>'
