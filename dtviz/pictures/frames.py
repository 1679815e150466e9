"""All pictures, as functions of the screen and the colours of the page.

The key of a picture names the parts of the screen that its frame depends on, so that the frame is
made once and kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from dtviz.base.lazy import ValueKeeper
from dtviz.base.text import count
from dtviz.data.drawing import Drawing
from dtviz.engine.tree import rows_in
from dtviz.explain.why import impurity_name, measure_name, unit_of
from dtviz.pictures import frame_types, lessons
from dtviz.pictures.data_set import pad_frame
from dtviz.pictures.forest import forest_frame, forest_jobs
from dtviz.pictures.gains import MAX_ROWS_LISTED, ranking_frame
from dtviz.pictures.grow import grow_frame, shows_ranking
from dtviz.pictures.impurity import can_take_splits, impurity_frame
from dtviz.pictures.overfit import cockpit_frame, judging_frame, pruning_frame
from dtviz.pictures.scales import Theme
from dtviz.pictures.stability import layer_frame, stability_frame, trees_and_layer, trees_job
from dtviz.pictures.stage import cloud_frame, row_frame, scene_frame
from dtviz.pictures.stage_cuts import StageView, pinned_values_at
from dtviz.pictures.tree import branch_tips_frame, tree_frame
from dtviz.session.branches import tip_scores
from dtviz.session.headlines import grow_headline, node_title, worth_text
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.screen import BlankScreen, Screen, can_draw, other_stamp, short_name, stamp_of
from dtviz.session.session import (
    changes_data,
    current_step,
    redo,
    runs_of,
    step_back,
    step_forward,
    undo,
)

KeyFunction: TypeAlias = Callable[[Any, Theme], Hashable]
"""Function from a screen to the key of a frame: equal keys, equal frames."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: the function that makes its frame, and the function that makes its key."""

    kind: str
    """Kind of the frame, a key of KINDS."""
    draw: Callable[[Any, Theme], frame_types.Frame]
    """Makes the frame from the screen and the colours."""
    key: KeyFunction
    """Makes the key of the frame from the screen and the colours."""
    needs_no_data: bool = False
    """True if the picture can be drawn while the data are missing."""


def frames(screen: BlankScreen, theme: Theme) -> dict[str, frame_types.Frame]:
    """Frame of each picture by name; without data only of the pictures that need no data."""
    return {
        name: picture.draw(screen, theme)
        for name, picture in PICTURES.items()
        if picture.needs_no_data or isinstance(screen, Screen)
    }


def view_of(screen: Screen, theme: Theme) -> StageView:
    """Part of the tree that the stage shows."""
    rules, node_view = screen.session.rules, screen.node_view
    return StageView(
        focus=screen.node,
        cuts=node_view.candidates,
        cut=node_view.index,
        axes=node_view.axes,
        measure=measure_name(rules),
        unit=unit_of(rules),
        impurity=impurity_name(screen.problem),
        theme=theme,
        pinned=pinned_values_at(screen.data, screen.tree, screen.node, screen.session.pins),
        is_asking=node_view.is_asking or "gains" in screen.session.hidden,
        has_surrogates=screen.problem.policy.surrogates,
    )


# a cloud is sent once and kept under its name, which other frames give to be drawn over it


def _data_name(screen: Screen, *parts: object) -> str:
    """Name of a thing that depends on the data and these parts alone."""
    # the missing policy may change the rows
    return short_name(screen.session.recipe, screen.session.rules.missing, *parts)


def _cloud_name(screen: Screen, theme: Theme) -> str:
    """Name of the cloud of Grow, whose axes may follow the candidate looked at."""
    return _data_name(screen, screen.node_view.axes)


def _plain_name(screen: Screen, theme: Theme) -> str:
    """Name of the cloud of Forest and Stability, whose axes follow no candidate."""
    return _data_name(screen, screen.axes)


def rows_name(screen: Screen, theme: Theme) -> str:
    """Name of the cloud of Overfit, which also has the rows held out."""
    return _data_name(screen, "rows", screen.axes)


def _stage_frame(screen: Screen, theme: Theme) -> frame_types.Scene:
    """Scene of the stage of Grow, with the row shown and the acts that are possible."""
    hidden, view = screen.session.hidden, view_of(screen, theme)
    can_cut = not {"gains", "split"} & {*hidden}
    name = _cloud_name(screen, theme)
    frame = scene_frame(screen.data, screen.tree, view, name, _keeper(screen))
    return {
        **frame,
        **_shown_row(screen, (frame["across"], frame["up"])),
        **_second_screen_mark(screen),
        "stamp": screen.stamp,
        "gains": "gains" not in hidden,
        "can": {
            "cut": can_cut,
            "focus": "focus" not in hidden,
            "line": can_cut and can_draw(screen, "oblique"),
            "circle": can_cut and can_draw(screen, "radial"),
        },
        "announcement": "" if "why" in hidden else f"{node_title(screen)}. {grow_headline(screen)}",
    }


def _keeper(screen: Screen) -> ValueKeeper:
    """Function that keeps what was computed for the nodes of trees of the same data."""
    # of a large tree most nodes are those of the step before: only the others are worked out
    data_name = _data_name(screen)
    return lambda name, inputs, make: screen.cache.get((data_name, name), make, inputs)


def _tree_frame(screen: Screen, theme: Theme) -> frame_types.TreeFrame:
    """Tree of Grow, with the leaf of the row shown."""
    keep, facts, rules = _keeper(screen), screen.tree.nodes, screen.session.rules
    stops = {
        leaf: keep(
            ("stop", leaf), (facts[leaf], decision.stop, rules), partial(screen.stop_text, leaf)
        )
        for leaf, decision in screen.decisions.items()
    }
    frame = tree_frame(
        screen.problem,
        screen.tree,
        stops,
        focus=screen.node,
        next_node=screen.next_node,
        theme=theme,
        keep=keep,
    )
    row_path = screen.row_path
    row = "" if row_path is None else str(row_path.nodes[-1])
    frame["summary"] = f"{count(len(screen.tree.rows), 'leaf')}, {worth_text(screen)}"
    return {**frame, **_second_screen_mark(screen), "stamp": screen.stamp, "row_node": row}


def _ranking_frame(screen: Screen, theme: Theme) -> frame_types.Ranking:
    """Candidates of the focus; no candidate while the gains are hidden."""
    node_view = screen.node_view
    is_shown = not (node_view.is_asking or "gains" in screen.session.hidden)
    max_rows = MAX_ROWS_LISTED if is_shown else 0
    return ranking_frame(
        screen.problem, node_view.candidates, node_view.index, max_rows, screen.stamp
    )


def _second_screen_mark(screen: Screen) -> frame_types.OtherScreenMark:
    """Mark of the pictures of the second of two screens side by side; {} for the first."""
    return {"is_second_screen": True} if screen.second_stamp else {}


def _shown_row(
    screen: Screen, axes: tuple[frame_types.FrameAxis, frame_types.FrameAxis]
) -> frame_types.OptionalShownRow:
    """Row whose path down the tree is shown, over these axes; {}: no row is."""
    row_path, row, features = screen.row_path, screen.session.row, screen.node_view.axes
    if row_path is None:
        return {}
    return {"row": row_frame(screen.data, row_path, row, features, axes)}


def _line_frame(screen: Screen, theme: Theme) -> frame_types.TimeLine:
    """Time-line with its branches, the step of the screen, and the steps possible from there."""
    session, visit = screen.session, screen.visit
    step = current_step(session)
    return {
        "step": step,
        "total": screen.n_steps,
        "has_more_steps": screen.has_more_steps,
        "chosen_steps": _chosen_steps(screen),
        "stamp": screen.stamp,
        **_stamps(screen),
        "is_asking": screen.node_view.is_asking,
        "is_cut_chosen": screen.is_rival_chosen,
        "playing": visit.playing and step < screen.n_steps,
        "can_undo": undo(visit) is not visit,
        "can_redo": redo(visit) is not visit,
        **branch_tips_frame(screen),
    }


def _stamps(screen: Screen) -> frame_types.Stamps:
    """Stamps of the step before and of the next step, by their offsets from the present step."""
    session, future = screen.session, screen.future
    steps = {"-1": step_back(session, future)}
    if not screen.has_more_steps:  # otherwise the next step takes long to find
        steps["1"] = step_forward(session, future)
    frame: frame_types.Stamps = {
        "stamps": {offset: stamp_of(step, future, screen.cache) for offset, step in steps.items()}
    }
    if session.beside is not None:
        frame["second_stamps"] = {
            offset: other_stamp(step, future, screen.cache) for offset, step in steps.items()
        }
    return frame


def _line_key(screen: Screen, theme: Theme) -> Hashable:
    """Key of the frame of the time-line."""
    visit = screen.visit
    can_undo, can_redo = undo(visit) is not visit, redo(visit) is not visit
    end = screen.n_steps, screen.has_more_steps
    return visit.session, visit.playing, can_undo, can_redo, tip_scores(screen), end


def _chosen_steps(screen: Screen) -> list[int]:
    """Steps that were chosen by hand; the first step is 1."""
    session, steps, step = screen.session, [], 0
    for run in runs_of(session.rules, session.log + session.undone, screen.future):
        step += run if isinstance(run, int) else 1
        if not isinstance(run, int):
            steps.append(step)
    return steps


def _grow_key(screen: Screen, theme: Theme) -> Hashable:
    """Key of the frames of Grow: the stamp of all that they show, and the colours."""
    return screen.stamp, theme.dark


def _page_key(screen: Screen, theme: Theme) -> Hashable:
    """Key of the frame round the pictures of Grow: the session, the open panel, the scores."""
    visit, sides = screen.visit, filter(None, (screen, screen.other_screen))
    scores = [(tip_scores(side), side.has_more_steps) for side in sides]
    return visit.session, visit.panel, theme.dark, screen.is_first_view, *scores


def _overfit_frame(screen: Screen, theme: Theme) -> frame_types.Overfit:
    """Cockpit of Overfit over its cloud."""
    return cockpit_frame(screen, theme, rows_name(screen, theme))


def _overfit_key(screen: Screen, theme: Theme) -> Hashable:
    """Key of the frame of Overfit: the session, and which of its jobs are done."""
    is_done = screen.curve() is not None, screen.fold_errors() is not None
    return screen.session, theme.dark, *is_done


def _forest_key(screen: Screen, theme: Theme) -> Hashable:
    """Key of the frame of Forest: the session, and which of its jobs are done."""
    is_done = (screen.result_of(job) is not None for job in forest_jobs(screen))
    return screen.session, screen.axes, theme.dark, *is_done


def _pad_inputs(screen: BlankScreen, theme: Theme) -> tuple[Drawing, bool, bool, int]:
    """Drawing on the pad, True if undo and if redo changes it, and how often the pad was zoomed."""
    visit = screen.visit
    can_undo, can_redo = (
        changes_data(visit, visit.undo_stack),
        changes_data(visit, visit.redo_stack),
    )
    return screen.pad, can_undo, can_redo, visit.fit_count


def _gain_lesson(screen: Screen, theme: Theme) -> frame_types.Scene | frame_types.GainLesson:
    """Stage with the arithmetic of each candidate's gain, unless the gains are hidden."""
    frame, cuts = _stage_frame(screen, theme), screen.node_view.candidates
    frame["can"] |= {"line": False, "circle": False}
    if frame["is_asking"]:
        return frame
    rows = rows_in(screen.tree, screen.node)
    return {**frame, "gain_arithmetic": lessons.gains_frame(screen.problem, cuts, rows, frame)}


def _region_lesson(screen: Screen, theme: Theme) -> frame_types.Boxes:
    """Regions of the tree on screen, over the cloud of its stage."""
    name, axes = _cloud_name(screen, theme), screen.node_view.axes
    return lessons.boxes_frame(screen.data, screen.tree, axes, screen.session.pins, theme, name)


def _pruning_lesson(screen: Screen, theme: Theme) -> frame_types.Overfit:
    """Pictures and curve of Overfit without sliders, with the arithmetic of pruning."""
    frame, along = _overfit_frame(screen, theme), screen.curve()
    frame.pop("dials", None)
    if along is not None and along.axis.rule == "ccp_alpha":
        frame["costs"] = lessons.costs_frame(screen.judged, along)
    return frame


def _lesson_picture(
    kind: str, draw: Callable[[Any, Theme], frame_types.Frame], key: KeyFunction = _grow_key
) -> Picture:
    """Picture of the page Learn; its key differs from those of other pages' frames of its kind."""
    return Picture(kind, draw, lambda screen, theme: ("lesson", key(screen, theme)))


def _lab_picture(
    kind: str, draw: Callable[[ImpuritySettings, Theme], frame_types.Frame]
) -> Picture:
    """Picture of the page Impurity, which needs no data."""
    return Picture(
        kind,
        lambda screen, theme: draw(screen.session.lab, theme),
        lambda screen, theme: (draw, screen.session.lab, theme.dark),
        needs_no_data=True,
    )


PICTURES: dict[str, Picture] = {
    "cloud": Picture(
        "cloud",
        lambda screen, theme: cloud_frame(
            screen.data, screen.node_view.axes, _cloud_name(screen, theme)
        ),
        _cloud_name,
    ),
    "stage": Picture("stage", _stage_frame, _grow_key),
    "tree": Picture("tree", _tree_frame, _grow_key),
    "line": Picture("line", _line_frame, _line_key),
    "grow": Picture("grow", grow_frame, _page_key),
    "rows": Picture(
        "cloud",
        lambda screen, theme: cloud_frame(
            screen.judged.data, screen.axes, rows_name(screen, theme)
        ),
        rows_name,
    ),
    "overfit": Picture("overfit", _overfit_frame, _overfit_key),
    "judging": Picture("judging", judging_frame, _overfit_key),
    "pruning": Picture(
        "tree",
        pruning_frame,
        lambda screen, theme: (screen.session, screen.marked_node, theme.dark),
    ),
    "plain": Picture(
        "cloud",
        lambda screen, theme: cloud_frame(screen.data, screen.axes, _plain_name(screen, theme)),
        _plain_name,
    ),
    "forest": Picture(
        "forest",
        lambda screen, theme: forest_frame(screen, theme, _plain_name(screen, theme)),
        _forest_key,
    ),
    "pad": Picture(
        "pad",
        lambda screen, theme: pad_frame(*_pad_inputs(screen, theme)),
        _pad_inputs,
        needs_no_data=True,
    ),
    "impurity": Picture(
        "impurity",
        impurity_frame,
        lambda screen, theme: (screen.session.lab, theme.dark, can_take_splits(screen)),
    ),
    "gain_lesson": _lesson_picture("stage", _gain_lesson),
    "region_lesson": _lesson_picture("regions", _region_lesson),
    "pruning_lesson": _lesson_picture("overfit", _pruning_lesson, _overfit_key),
    "measure_lesson": _lab_picture("measures", lessons.measures_lesson_frame),
    "layer": Picture(
        "layer",
        layer_frame,
        lambda screen, theme: (trees_job(screen).key, trees_and_layer(screen) is not None),
    ),
    "stability": Picture(
        "stability",
        lambda screen, theme: stability_frame(screen, theme, _plain_name(screen, theme)),
        lambda screen, theme: (screen.session, theme.dark, trees_and_layer(screen) is not None),
    ),
    "ranking": Picture("ranking", _ranking_frame, lambda screen, theme: screen.stamp),
}
"""Pictures by name. `rows` is the cloud of Overfit, `plain` that of Forest and Stability."""


def _parts_of_grow(screen: Screen) -> list[str]:
    """Names of the parts of Grow; of the second of two screens those that it has of its own."""
    hidden = screen.session.hidden
    pictures = ["cloud", "stage", "tree"]
    if screen.second_stamp:
        return pictures
    line = [] if "time-line" in hidden else ["line"]
    ranking = ["ranking"] if shows_ranking(screen) else []
    return ["grow", *line, *pictures, *ranking]


def _parts_of_stability(screen: Screen) -> list[str]:
    """Names of the parts of Stability: no layer while the trees grow."""
    layer = [] if trees_and_layer(screen) is None else ["layer"]
    return [] if screen.second_stamp else ["plain", *layer, "stability"]


def _parts_of_overfit(screen: Screen) -> list[str]:
    """Names of the parts of Overfit, which shows the first of two screens alone."""
    return [] if screen.second_stamp else ["judging", "rows", "overfit"]


LAYOUTS: dict[str, Callable[[Screen], list[str]]] = {
    "grow": _parts_of_grow,
    "forest": lambda screen: [] if screen.second_stamp else ["plain", "forest"],
    "stability": _parts_of_stability,
    "overfit": _parts_of_overfit,
    "gain_lesson": lambda _: ["cloud", "gain_lesson"],
    "region_lesson": lambda _: ["cloud", "region_lesson"],
    "pruning_lesson": lambda _: ["rows", "pruning_lesson"],
}
"""Function that names the pictures of each component of several pictures, by its layout.

The points come first: other pictures are drawn over them.
"""
