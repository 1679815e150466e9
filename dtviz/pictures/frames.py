"""Every picture, as a function of the screen and the colours of the page.

A picture says what it depends on (`of`), so that its frame is made once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias

from dtviz.base.lazy import Last
from dtviz.engine.tree import rows_in
from dtviz.explain.why import impurity_name, measure_name, unit_of
from dtviz.pictures.axes import orders_of
from dtviz.pictures.data_set import pad_frame
from dtviz.pictures.forest import forest_frame, shown_work
from dtviz.pictures.frame_types import (
    Bare,
    Beside,
    Boxes,
    Cloud,
    Forest,
    Frame,
    GainLesson,
    Overfit,
    Pad,
    Ranking,
    Scene,
    Stability,
    Stamps,
    TimeLine,
    TreeFrame,
    Waymark,
)
from dtviz.pictures.gains import MOST_LISTED, ranking_frame
from dtviz.pictures.impurity import measures_frame, simplex_frame, splits_frame
from dtviz.pictures.lessons import boxes_frame, costs_worked, gains_worked, measures_worked
from dtviz.pictures.overfit import cockpit_frame, pruning_frame
from dtviz.pictures.palette import Theme
from dtviz.pictures.slice import pinned_in
from dtviz.pictures.stability import grown, layer_frame, stability_frame, trees_work
from dtviz.pictures.stage import cloud, row_frame, scene, stage_axes
from dtviz.pictures.stage_cuts import View
from dtviz.pictures.tree_graph import forks_frame, tree_frame
from dtviz.session.branches import tips_of
from dtviz.session.cuts import can_draw
from dtviz.session.forest import grove_work, held_work, worth_work
from dtviz.session.headlines import where, why
from dtviz.session.history import draws, redo, undo
from dtviz.session.impurity import Lab
from dtviz.session.screen import Blank, Screen, short_name, stamp, stamp_beside
from dtviz.session.session import back, forward, runs, step_of

Of: TypeAlias = Callable[[Any, Theme], Hashable]
"""What a picture of a screen depends on."""


@dataclass(frozen=True, slots=True)
class Picture:
    """How a frame of that kind is drawn, and what it depends on; `bare` needs no data."""

    kind: str
    draw: Callable[[Any, Theme], Frame]
    of: Of
    bare: bool = False


def frames(screen: Blank, theme: Theme) -> dict[str, Frame]:
    """The frame of every picture, by the picture's name; without data of those that need none."""
    return {
        name: picture.draw(screen, theme)
        for name, picture in PICTURES.items()
        if picture.bare or isinstance(screen, Screen)
    }


def view_of(screen: Screen, theme: Theme) -> View:
    """What of the tree the stage shows."""
    rules, look = screen.session.rules, screen.look
    return View(
        focus=screen.node,
        cuts=look.cuts,
        cut=look.cut,
        axes=look.axes,
        measure=measure_name(rules),
        unit=unit_of(rules),
        impurity=impurity_name(screen.problem),
        theme=theme,
        pinned=pinned_in(screen.data, screen.tree, screen.node, screen.session.pins),
        asking=look.asking or "gains" in screen.session.hidden,
        surrogates=screen.problem.policy.surrogates,
    )


def _cloud(screen: Screen, theme: Theme) -> Cloud:
    return cloud(screen.data, screen.look.axes, _cloud_name(screen, theme))


def _cloud_name(screen: Screen, theme: Theme) -> str:
    session = screen.session
    return short_name(session.recipe, session.rules.missing, screen.look.axes)


def _rows(screen: Screen, theme: Theme) -> Cloud:
    return cloud(screen.judged.data, screen.axes, rows_name(screen))


def rows_name(screen: Screen) -> str:
    """The name of the cloud of Overfit, which has the rows held out that a table gives for it."""
    session = screen.session
    return short_name("rows", session.recipe, session.rules.missing, screen.axes)


def _stage(screen: Screen, theme: Theme) -> Scene:
    hidden, shown = screen.session.hidden, view_of(screen, theme)
    cut = not {"gains", "split"} & {*hidden}
    name = _cloud_name(screen, theme)
    return {
        **scene(screen.data, screen.tree, shown, name),
        **_shown_row(screen),
        **_side(screen),
        "stamp": screen.stamp,
        "gains": "gains" not in hidden,
        "can": {
            "cut": cut,
            "focus": "focus" not in hidden,
            "line": cut and can_draw(screen, "oblique"),
            "circle": cut and can_draw(screen, "radial"),
        },
        "say": "" if "why" in hidden else f"{where(screen)}. {why(screen)}",
    }


def _tree(screen: Screen, theme: Theme) -> TreeFrame:
    session = screen.session
    frame = tree_frame(
        screen.problem,
        screen.tree,
        {leaf: screen.stop_word(leaf) for leaf in screen.decisions},
        focus=screen.node,
        next_node=screen.next_node,
        theme=theme,
        last=screen.keep.get(("told", session.recipe, session.rules.missing), Last),
    )
    way = screen.way
    row = "" if way is None else str(way.nodes[-1])
    return {**frame, **_side(screen), "stamp": screen.stamp, "row": row}


def _ranking(screen: Screen, theme: Theme) -> Ranking:
    """The candidates of the focus; none while that would tell how good they are."""
    look = screen.look
    told = not (look.asking or "gains" in screen.session.hidden)
    most = MOST_LISTED if told else 0
    return ranking_frame(screen.problem, look.cuts, look.cut, most, screen.stamp)


def _side(screen: Screen) -> Beside:
    """Whether it is the other of two screens: then its pictures say so."""
    return {"beside": True} if screen.mark else {}


def _shown_row(screen: Screen) -> Waymark:
    """The row whose way is shown, if one is."""
    way, row, look = screen.way, screen.session.row, screen.look
    if way is None:
        return {}
    both = stage_axes(screen.data, look.axes, orders_of(screen.data, look.cuts))
    return {"row": row_frame(screen.data, way, row, look.axes, both)}


def _line(screen: Screen, theme: Theme) -> TimeLine:
    """Where on the time-line the screen is, and the ways that the visit has."""
    session, visit = screen.session, screen.visit
    made = step_of(session)
    return {
        "made": made,
        "total": screen.total,
        "more": screen.goes_on,
        "own": _own_steps(screen),
        "stamp": screen.stamp,
        **_stamps(screen),
        "asking": screen.look.asking,
        "chosen": screen.prefers_own,
        "rival": screen.node == screen.next_node,
        "playing": visit.playing and made < screen.total,
        "undo": undo(visit) is not visit,
        "redo": redo(visit) is not visit,
        **forks_frame(screen),
    }


def _stamps(screen: Screen) -> Stamps:
    """The stamps of the next step, unless it takes long to find, and of the one before."""
    session, future = screen.session, screen.future
    steps = {"-1": back(session, future)}
    if not screen.goes_on:
        steps["1"] = forward(session, future)
    own: Stamps = {"stamps": {by: stamp(to, future) for by, to in steps.items()}}
    if session.beside is not None:
        own["beside"] = {by: stamp_beside(to, future) for by, to in steps.items()}
    return own


def _line_of(screen: Screen, theme: Theme) -> Hashable:
    visit = screen.visit
    ways = undo(visit) is not visit, redo(visit) is not visit
    sight = screen.total, screen.goes_on
    return visit.session, visit.playing, *ways, tips_of(screen), sight


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


def _overfit(screen: Screen, theme: Theme) -> Overfit:
    return cockpit_frame(screen, theme, rows_name(screen))


def _overfit_of(screen: Screen, theme: Theme) -> Hashable:
    known = screen.along() is not None, screen.folded() is not None
    return screen.session, theme.dark, *known


def _plain_cloud(screen: Screen, theme: Theme) -> Cloud:
    return cloud(screen.data, screen.axes, plain_name(screen))


def plain_name(screen: Screen) -> str:
    """The name of the cloud whose axes no cut changes."""
    session = screen.session
    return short_name(session.recipe, session.rules.missing, screen.axes)


def _forest(screen: Screen, theme: Theme) -> Forest:
    return forest_frame(screen, theme, plain_name(screen))


def _forest_of(screen: Screen, theme: Theme) -> Hashable:
    """The session, and which of its work is done."""
    session, data = screen.session, screen.data
    grove = screen.done(grove_work(session, data))
    held = held_work(session, data)
    known = [held is not None and screen.done(held) is not None]
    if grove is not None:
        known.append(screen.done(shown_work(screen, grove)) is not None)
        known.append(screen.done(worth_work(session, data, grove)) is not None)
    return session, screen.axes, theme.dark, grove is not None, *known


def _stability(screen: Screen, theme: Theme) -> Stability | Bare:
    return stability_frame(screen, theme, plain_name(screen))


def _stability_of(screen: Screen, theme: Theme) -> Hashable:
    return screen.session, theme.dark, grown(screen) is not None


def _layer_of(screen: Screen, theme: Theme) -> Hashable:
    return trees_work(screen).asked, grown(screen) is not None


def _pad(screen: Blank, theme: Theme) -> Pad:
    visit = screen.visit
    past, ahead = draws(visit, visit.past), draws(visit, visit.ahead)
    return pad_frame(screen.pad, past, ahead, visit.fit)


def _pad_of(screen: Blank, theme: Theme) -> Hashable:
    visit = screen.visit
    return screen.pad, draws(visit, visit.past), draws(visit, visit.ahead), visit.fit


def _gain_lesson(screen: Screen, theme: Theme) -> Scene | GainLesson:
    """The stage with the gain of each cut worked out, unless that is asked."""
    frame, cuts = _stage(screen, theme), screen.look.cuts
    frame["can"] |= {"line": False, "circle": False}
    if view_of(screen, theme).asking:
        return frame
    rows = rows_in(screen.tree, screen.node)
    return {**frame, "worked": gains_worked(screen.problem, cuts, rows, frame)}


def _region_lesson(screen: Screen, theme: Theme) -> Boxes:
    """The regions of the tree on screen, over the cloud of its stage."""
    name, axes = _cloud_name(screen, theme), screen.look.axes
    return boxes_frame(screen.data, screen.tree, axes, screen.session.pins, theme, name)


def _pruning_lesson(screen: Screen, theme: Theme) -> Overfit:
    """Overfit's pictures and curve without its sliders, what pruning weighs worked out."""
    frame, along = _overfit(screen, theme), screen.along()
    frame.pop("dials", None)
    frame["say"] = ""
    if along is not None and along.axis.rule == "ccp_alpha":
        frame["weighed"] = costs_worked(screen.judged, along)
    return frame


def _lesson(kind: str, draw: Callable[[Any, Theme], Frame], of: Of = _shown) -> Picture:
    """A picture of the page Learn, which is another than that of its kind elsewhere."""
    return Picture(kind, draw, lambda screen, theme: ("lesson", of(screen, theme)))


def _of_lab(kind: str, draw: Callable[[Lab, Theme], Frame]) -> Picture:
    """A picture of the page Impurity, which needs no data."""
    return Picture(
        kind,
        lambda screen, theme: draw(screen.session.lab, theme),
        lambda screen, theme: (draw, screen.session.lab, theme.dark),
        bare=True,
    )


PICTURES: dict[str, Picture] = {
    "cloud": Picture("cloud", _cloud, _cloud_name),
    "stage": Picture("stage", _stage, _shown),
    "tree": Picture("tree", _tree, _shown),
    "line": Picture("line", _line, _line_of),
    "rows": Picture("cloud", _rows, lambda screen, theme: rows_name(screen)),
    "overfit": Picture("overfit", _overfit, _overfit_of),
    "pruning": Picture(
        "tree", pruning_frame, lambda screen, theme: (screen.session, screen.marked, theme.dark)
    ),
    "plain": Picture("cloud", _plain_cloud, lambda screen, theme: plain_name(screen)),
    "forest": Picture("forest", _forest, _forest_of),
    "pad": Picture("pad", _pad, _pad_of, bare=True),
    "measures": _of_lab("measures", measures_frame),
    "simplex": _of_lab("simplex", simplex_frame),
    "splits": _of_lab("splits", splits_frame),
    "gain_lesson": _lesson("stage", _gain_lesson),
    "region_lesson": _lesson("regions", _region_lesson),
    "pruning_lesson": _lesson("overfit", _pruning_lesson, _overfit_of),
    "measure_lesson": _of_lab("measures", measures_worked),
    "layer": Picture("layer", layer_frame, _layer_of),
    "stability": Picture("stability", _stability, _stability_of),
    "ranking": Picture("ranking", _ranking, lambda screen, theme: screen.stamp),
}
"""Every picture by name; no cut changes the axes of `plain`, and of `rows`, those of Overfit."""
