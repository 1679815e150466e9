"""Every picture of Grow, as a function of the screen and the colours of the page.

A picture says what it depends on (`of`), so that its frame is made once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

from dtviz.figures.cuts import View
from dtviz.figures.graph import tree_frame
from dtviz.figures.kinds import Cloud, Frame, Line, Scene, TreeFrame
from dtviz.figures.palette import Theme
from dtviz.figures.scene import cloud, pinned, scene
from dtviz.say import explain
from dtviz.screen.screen import Screen, short_name, stamp
from dtviz.screen.session import back, forward, runs
from dtviz.screen.why import where, why


@dataclass(frozen=True, slots=True)
class Picture:
    """How a frame is drawn, and what it depends on."""

    draw: Callable[[Screen, Theme], Frame | Line]
    of: Callable[[Screen, Theme], Hashable]


def frames(screen: Screen, theme: Theme) -> dict[str, Frame | Line]:
    """The frame of every picture of Grow, by the picture's name."""
    return {name: picture.draw(screen, theme) for name, picture in PICTURES.items()}


def view_of(screen: Screen, theme: Theme) -> View:
    """What of the tree the stage shows."""
    rules, look = screen.session.rules, screen.look
    return View(
        focus=screen.node,
        cuts=look.cuts,
        cut=look.cut,
        axes=look.axes,
        measure=explain.measure_name(rules),
        unit=explain.unit_of(rules),
        impurity=explain.impurity_name(rules),
        theme=theme,
        pinned=pinned(screen.data),
        asking=look.asking or "gains" in screen.session.hidden,
    )


def _cloud(screen: Screen, theme: Theme) -> Cloud:
    return cloud(screen.data, screen.look.axes, _cloud_name(screen, theme))


def _cloud_name(screen: Screen, theme: Theme) -> str:
    return short_name(screen.session.recipe, screen.look.axes)


def _stage(screen: Screen, theme: Theme) -> Scene:
    hidden, shown = screen.session.hidden, view_of(screen, theme)
    name = _cloud_name(screen, theme)
    return {
        **scene(screen.data, screen.tree, shown, name),
        "stamp": screen.stamp,
        "gains": "gains" not in hidden,
        "can": {"cut": not {"gains", "split"} & {*hidden}, "focus": "focus" not in hidden},
        "say": "" if "why" in hidden else f"{where(screen)}. {why(screen)}",
    }


def _tree(screen: Screen, theme: Theme) -> TreeFrame:
    frame = tree_frame(
        screen.data,
        screen.session.rules,
        screen.tree,
        {leaf: screen.stop_word(leaf) for leaf in screen.decisions},
        focus=screen.node,
        next_node=screen.next_node,
        theme=theme,
    )
    return frame | {"stamp": screen.stamp}


def line_frame(screen: Screen, theme: Theme) -> Line:
    """Where on the time-line the screen is."""
    session, future = screen.session, screen.future
    return {
        "made": len(session.log),
        "total": screen.total,
        "own": _own_steps(screen),
        "stamp": screen.stamp,
        "stamps": {
            "-1": stamp(back(session, future), future),
            "1": stamp(forward(session, future), future),
        },
    }


def _own_steps(screen: Screen) -> list[int]:
    """The steps that were chosen by hand, the first step being 1."""
    session, own, at = screen.session, [], 0
    for piece in runs(session.rules, session.log + session.undone, screen.future):
        at += piece if isinstance(piece, int) else 1
        if not isinstance(piece, int):
            own.append(at)
    return own


def _shown(screen: Screen, theme: Theme) -> Hashable:
    return screen.stamp, theme.dark


PICTURES: dict[str, Picture] = {
    "cloud": Picture(_cloud, _cloud_name),
    "stage": Picture(_stage, _shown),
    "tree": Picture(_tree, _shown),
    "line": Picture(line_frame, lambda screen, _: screen.session),
}
