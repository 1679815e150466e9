"""The picture of the page Stability: trees grown on other rows, drawn over the plane.

The full tree is drawn first, then the others, those that differ most from it first. Beside the
plane stand the splits of their roots. `trees_plane` is a chart of the page Overfit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.progress import Work
from dtviz.base.text import clean, count, number, plotly
from dtviz.data.dataset import Dataset
from dtviz.engine.splits import FAMILIES, Split, position_between
from dtviz.evaluate.metrics import data_score
from dtviz.evaluate.stability import (
    MAX_PERCENT_LEFT_OUT,
    MAX_TREES_COMPARED,
    ROW_SAMPLINGS,
    StabilityTrees,
    compare_trees,
    n_trees_of,
    root_key,
)
from dtviz.evaluate.validation import ResampleSpread
from dtviz.explain.words import BRIEF, split_text
from dtviz.pictures import scales
from dtviz.pictures.charts import COLOUR_SCALE, band_ticks, chart_axis, chart_layout, figure
from dtviz.pictures.frame_types import FrameAxis, Layer, PageHead, RootCut, Stability, StabilityPage
from dtviz.pictures.overfit import with_present_value
from dtviz.pictures.page_frame import choice, draw_again, page_head, page_sentence, setting
from dtviz.pictures.regions import StageContext
from dtviz.pictures.stage import bare_plane_frame, slice_caption
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import (
    EMPTY_LAYER,
    DrawnLayer,
    cell_middles,
    default_cells,
    draw_layer,
    plane_points,
)
from dtviz.session.derived_data import can_open_sample
from dtviz.session.headlines import stability_headline, stability_limits
from dtviz.session.screen import Screen, short_name

if TYPE_CHECKING:
    import plotly.graph_objects as go

TREE_COUNTS = (25, 50, 100, 200, MAX_TREES_COMPARED)
"""Numbers of trees that can be chosen."""
CELLS = 64
"""Cells across and up at which changes over the picture are measured."""
BINS = 40
"""Bins of the thresholds of roots along a feature."""
MAX_ROOTS = 4
"""Features of roots that are listed."""
MAX_ROOT_CUTS = 3
"""Splits that are listed of one category, or of one family on several features."""


# --- the work -------------------------------------------------------------------------------------


def stability_jobs(screen: Screen) -> Iterator[Work[Any]]:
    """Jobs that the picture waits for, in their order."""
    job = trees_job(screen)
    yield job
    trees = screen.result_of(job)
    if trees is not None:
        yield layer_job(screen, trees)


def trees_job(screen: Screen) -> Work[StabilityTrees]:
    """Job that grows the trees of other rows and measures how they differ from the full tree."""
    session, data, axes = screen.session, screen.data, screen.axes
    shake = replace(session.shake, shown=None)  # another selected tree needs no new trees
    # nor does another growing order where the number of leaves has no limit
    rules = session.rules if session.rules.max_leaf_nodes else replace(session.rules, order=None)
    row_sampling, slice_values = ROW_SAMPLINGS[shake.way], pinned_values(data, session.pins)
    n_trees = n_trees_of(data, rules, shake)
    return Work(
        ("shaken", session.recipe, rules, shake, axes, session.pins),
        lambda: compare_trees(
            data, session.rules, shake, plane_points(data, axes, slice_values, CELLS)
        ),
        f"{row_sampling.title}, {count(n_trees, 'tree')}",
    )


def layer_job(screen: Screen, trees: StabilityTrees) -> Work[DrawnLayer]:
    """Job that draws these trees over the plane."""
    data, axes = screen.data, screen.axes
    key = ("layer", trees_job(screen).key)
    name = short_name(key)
    orders = scales.orders_of_tree(data, trees.splits)
    stage = StageContext(data, axes, pinned_values(data, screen.session.pins), orders)
    return Work(
        key,
        lambda: draw_layer(name, trees.members, drawing_order(trees), stage),
        "Their cuts over the plane",
    )


def drawing_order(trees: StabilityTrees) -> Ints:
    """Indices of the trees as drawn: the full tree, 0, then those that change most over the plane.

    Trees of equal change over the plane stand by their change over the rows, then by their indices.
    """
    return np.append(0, 1 + np.lexsort((-trees.changes_over_rows, -trees.changes_over_places)))


# --- the frames -----------------------------------------------------------------------------------


def layer_frame(screen: Screen, theme: scales.Theme) -> Layer:
    """Layer of the trees; empty while the trees are being computed."""
    drawn = trees_and_layer(screen)
    return EMPTY_LAYER if drawn is None else drawn[1].layer


def trees_and_layer(screen: Screen) -> tuple[StabilityTrees, DrawnLayer] | None:
    """Trees and their layer; None while these are being computed."""
    trees = screen.result_of(trees_job(screen))
    drawn = None if trees is None else screen.result_of(layer_job(screen, trees))
    return None if trees is None or drawn is None else (trees, drawn)


def stability_frame(screen: Screen, theme: scales.Theme, cloud: str) -> Stability | StabilityPage:
    """Frame of the trees over the cloud; the points alone while the trees are being computed."""
    data, settings, result = screen.data, screen.session.shake, trees_and_layer(screen)
    orders = scales.AS_LEVELS
    if result is not None:
        orders = scales.orders_of_tree(data, result[0].splits)
    stage = StageContext(data, screen.axes, orders=orders, theme=theme)
    page = _page_frame(screen, stage, cloud)
    if result is None:
        return page
    trees, drawn = result
    others, rows = drawn.member_ids[1:], scales.drawn_rows(data)
    numbers = np.array([trees.number_of(tree) for tree in others.tolist()], np.int32)
    places = {number: place for place, number in enumerate(numbers.tolist())}
    # where each tree leaves one row out, its number is that row's id
    places_without = [
        places.get(k, -1) if trees.left_out_rows is not None else -1 for k in rows.tolist()
    ]
    return {
        **page,
        "layer": drawn.layer["name"],
        "is_leave_one_out": trees.left_out_rows is not None,
        "tree_number": numbers,
        "change": trees.changes_over_places[others - 1],
        "row_change": trees.changes_over_rows[others - 1],
        "has_other_root": (trees.root_ids[others] != trees.root_ids[0]).astype(np.uint8),
        "has_same_cuts": (trees.tree_ids[others] == trees.tree_ids[0]).astype(np.uint8),
        "tree": np.array(places_without, np.int32),
        "point_change": trees.changes_at_rows[rows],
        "shown_tree": -1 if settings.shown is None else places.get(settings.shown, -1),
        "percent": bool(data.classes),
        "roots": root_cuts(data, trees),
        "stamp": short_name(screen.session, theme.dark),
    }


def lacks_rows(screen: Screen) -> bool:
    """True if there is one row only, and each tree is to leave one out."""
    return screen.data.n < 2 and ROW_SAMPLINGS[screen.session.shake.way].leaves_one_out


def _page_frame(screen: Screen, stage: StageContext, cloud: str) -> StabilityPage:
    """Frame of the points, and of all that stands round them."""
    return {
        **bare_plane_frame(stage, cloud),
        "head": _head(screen),
        "sentence": page_sentence(_sentence(screen)),
        "caption": page_sentence(_caption(screen)),
        "can_open": can_open_sample(screen.session, screen.data),
    }


def _head(screen: Screen) -> PageHead:
    """Title with the controls of the rows that are left out or drawn."""
    data, shake = screen.data, screen.session.shake
    sampling = ROW_SAMPLINGS[shake.way]
    titles = {name: other.title for name, other in ROW_SAMPLINGS.items()}
    ways = choice([*titles], shake.way, titles.__getitem__)
    settings = [setting("way", "Which rows", ways, "segments")]
    if sampling.has_percent:
        numbers = [*range(1, MAX_PERCENT_LEFT_OUT + 1)]
        percents = choice(numbers, shake.percent, "{} % left out".format)
        settings.append(setting("percent", "Left out", percents, "slider"))
    if sampling.is_random:
        counts = with_present_value(TREE_COUNTS, shake.trees, str)
        settings.append(setting("trees", "Trees", choice(counts, shake.trees, "{} trees".format)))
    # leaving one out is random too where not every row has its turn
    is_drawn = sampling.is_random or n_trees_of(data, screen.session.rules, shake) < data.n
    again = draw_again("Draw again", "Draw again: other rows", shake.seed) if is_drawn else None
    return page_head(screen, settings, again)


def _sentence(screen: Screen) -> str:
    """Sentence on all trees, or why there are none; '' where a link hides it."""
    if lacks_rows(screen):
        return "One row leaves none to grow a tree on: choose data with more rows."
    if "why" in screen.session.hidden:
        return ""
    result = trees_and_layer(screen)
    if result is None:
        return "The trees are growing."
    return stability_headline(screen.data, screen.session.shake, result[0])


def _caption(screen: Screen) -> str:
    """Meaning of lines and rings, the trees left out, and the slice; '' while the trees grow."""
    result, shake = trees_and_layer(screen), screen.session.shake
    if result is None:
        return ""
    trees, layer = result
    rings = "without the row" if ROW_SAMPLINGS[shake.way].leaves_one_out else "at the row"
    sentences = [
        "Strong lines: the cuts of the full tree. Faint lines: cuts of the others, the stronger "
        f"the more trees have them. Rings: the larger, the more changes {rings}.",
        # the first member of the layer is the full tree, which is no other tree
        stability_limits(
            screen.data, screen.session.rules, shake, trees, len(layer.member_ids) - 1
        ),
        slice_caption(screen),
    ]
    return " ".join(filter(None, sentences))


def root_cuts(data: Dataset, trees: StabilityTrees) -> list[RootCut]:
    """Splits at the roots of all trees but the full one, by feature, the commonest first."""
    root_ids, counts = np.unique(trees.root_ids[1:], return_counts=True)
    example_tree = {root_id: tree for tree, root_id in enumerate(trees.root_ids.tolist())}
    splits = [
        (trees.root(example_tree[root_id]), n_roots)
        for root_id, n_roots in zip(root_ids.tolist(), counts.tolist(), strict=True)
    ]
    groups: dict[int | str | None, list[tuple[Split | None, int]]] = {}
    for split, n_roots in splits:
        groups.setdefault(root_key(split), []).append((split, n_roots))
    full_root, n_trees = trees.root(0), len(trees.changes_over_places)
    frames = [_root_cut(data, group, full_root, n_trees) for group in groups.values()]
    return sorted(frames, key=lambda frame: -frame["share"])[:MAX_ROOTS]


def _root_cut(
    data: Dataset, splits: list[tuple[Split | None, int]], full_root: Split | None, n_trees: int
) -> RootCut:
    """Frame of the root splits of one feature or family.

    `splits` are pairs of a split and the number of trees that have it at the root; `full_root` is
    the split at the root of the full tree.
    """
    key = root_key(splits[0][0])
    frame: RootCut = {
        "name": _root_name(data, key),
        "share": sum(n_roots for _, n_roots in splits) / n_trees,
        "in_full_tree": key == root_key(full_root),
        "cuts": [],
    }
    if isinstance(key, int) and not data.levels[key]:
        axis = scales.scene_axes(data, (key, key))[0]
        low, high = axis["low"], axis["high"]
        frame |= {"axis": axis, "bins": np.zeros(BINS)}
        for split, n_roots in splits:
            if split is not None and np.isfinite(split.threshold):
                bin_id = int(position_between(low, high, split.threshold) * BINS)
                frame["bins"][min(max(bin_id, 0), BINS - 1)] += n_roots / n_trees
        if frame["in_full_tree"] and full_root is not None and np.isfinite(full_root.threshold):
            frame["threshold"] = full_root.threshold
        return frame
    for split, n_roots in (
        sorted(splits, key=lambda pair: -pair[1])[:MAX_ROOT_CUTS] if key is not None else ()
    ):
        assert split is not None
        text = split_text(data, split, number(split.threshold), BRIEF)
        frame["cuts"].append((text, n_roots / n_trees))
    return frame


def _root_name(data: Dataset, key: int | str | None) -> str:
    """Name of a feature or family, see `root_key`."""
    if key is None:
        return "no cut"
    return FAMILIES[key].title if isinstance(key, str) else clean(data.features[key])


SHADES = 5
"""Shades of the boundaries: the darker, the more trees have one there."""
VOTE_ROWS = 5
"""Height of the vote's stripe above those of the trees, each 1 high."""


def trees_plane(
    data: Dataset, axes: tuple[int, int], spread: ResampleSpread, theme: scales.Theme = scales.LIGHT
) -> go.Figure:
    """Chart of resampled trees over the plane.

    Over two features it shows the boundaries of all trees on the colours of their vote. Over one
    feature it shows a stripe of class colours, or a step function, of each tree.
    """
    across, up = scales.scene_axes(data, axes)
    layout = chart_layout(theme, 340) | {
        "xaxis": chart_axis(plotly(across["name"]), theme) | _ticks(across) | {"showgrid": False},
        "yaxis": chart_axis(plotly(up["name"]), theme) | _ticks(up) | {"showgrid": False},
    }
    if len(data.features) > 1:
        lines = _boundaries(data, spread.predictions, across, up, theme)
        traces = [_vote(data, spread, across, up), *lines]
        return figure(traces, layout | {"showlegend": False})
    x = cell_middles(across["low"], across["high"], default_cells(data))
    if data.classes:
        return figure([_stripes(data, x, spread)], layout | _stripe_names(spread))
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    traces = _steps(data, x, spread, theme)
    return figure(traces, layout | {"legend": legend})


# --- over one feature -----------------------------------------------------------------------------


def _steps(data: Dataset, x: Floats, spread: ResampleSpread, theme: scales.Theme) -> list[Any]:
    """Traces of the rows, the step functions of the trees, and the mean of these functions."""
    rows, n_trees = scales.drawn_rows(data), len(spread.predictions)
    points = {
        "type": "scatter",
        "x": data.columns[0][rows],
        "y": data.y[rows],
        "mode": "markers",
        "marker": {"size": 4, "color": theme.muted, "opacity": 0.5},
        "name": "rows",
        "hoverinfo": "skip",
    }
    line = {"type": "scatter", "mode": "lines"}
    tree_steps = {
        "x": np.tile(np.append(x, np.nan), n_trees),
        "y": np.pad(spread.predictions, ((0, 0), (0, 1)), constant_values=np.nan).ravel(),
        "name": f"{n_trees} trees",
        "line": {"color": scales.tint(theme.ink, 0.12), "width": 1, "shape": "hvh"},
        "hoverinfo": "skip",
    }
    vote_steps = {
        "x": x,
        "y": spread.plane_vote,
        "name": data_score(data).vote,
        "line": {"color": theme.accent, "width": 3, "shape": "hvh"},
        "hovertemplate": "%{y:.4g}<extra></extra>",
    }
    return [points, line | tree_steps, line | vote_steps]


def _stripes(data: Dataset, x: Floats, spread: ResampleSpread) -> dict[str, Any]:
    """Trace of the trees as stripes in colours of classes, under the stripe of the vote."""
    order = np.lexsort(spread.predictions.T[::-1])  # so that equal stripes stand together
    gap = np.full((2, len(x)), np.nan)
    z = np.concatenate(
        [np.repeat(spread.plane_vote[None], VOTE_ROWS, axis=0), gap, spread.predictions[order]]
    )
    look = {"colorscale": _class_colours(data, 1.0), "showscale": False, "hoverinfo": "skip"}
    return {"type": "heatmap", "x": x, "z": z, **_class_range(data), **look}


def _stripe_names(spread: ResampleSpread) -> dict[str, Any]:
    """Axis up, with the names of the stripes."""
    places = [(VOTE_ROWS - 1) / 2, VOTE_ROWS + 2 + (len(spread.predictions) - 1) / 2]
    ticks = {
        "tickvals": places,
        "ticktext": ["vote", f"{len(spread.predictions)} trees"],
        "ticks": "",
    }
    bare = {"autorange": "reversed", "fixedrange": True, "zeroline": False, "showgrid": False}
    return {"yaxis": ticks | bare}


# --- over two features ----------------------------------------------------------------------------


def _vote(
    data: Dataset, spread: ResampleSpread, across: FrameAxis, up: FrameAxis
) -> dict[str, Any]:
    """Trace of the vote of the trees in each cell; the spread of the trees is its tip."""
    cells, score = default_cells(data), data_score(data)
    colours = (
        {"colorscale": _class_colours(data, 0.22), "showscale": False, **_class_range(data)}
        if data.classes
        else {
            "colorscale": COLOUR_SCALE,
            "zmin": float(data.y.min()),
            "zmax": float(data.y.max()),
            "colorbar": {"thickness": 10},
            "opacity": 0.75,
        }
    )
    return {
        "type": "heatmap",
        "x": cell_middles(across["low"], across["high"], cells),
        "y": cell_middles(up["low"], up["high"], cells),
        "z": spread.plane_vote.reshape(cells, cells),
        "customdata": spread.plane_spread.reshape(cells, cells) * score.scale,
        "hovertemplate": f"{score.spread}: %{{customdata:.3g}}{score.unit}<extra></extra>",
        **colours,
    }


def _boundaries(
    data: Dataset, predicted: Floats, across: FrameAxis, up: FrameAxis, theme: scales.Theme
) -> Iterator[dict[str, Any]]:
    """Lines between cells where predictions of trees change, one trace a shade.

    A line is the darker, the more trees change there; for numbers, the larger their mean change.
    """
    cells = default_cells(data)
    x, y = (_borders(axis, cells) for axis in (across, up))
    planes = predicted.reshape(-1, cells, cells)
    upright, level = _changes(data, planes), _changes(data, planes.transpose(0, 2, 1))
    maximum = 1.0 if data.classes else max(float(upright.max()), float(level.max())) or 1.0
    for shade in range(1, SHADES + 1):
        parts = []
        for changes, borders, other_borders in ((upright, x, y), (level, y, x)):
            # 1e-9: a change that is a whole number of shades but for rounding stays in its shade
            line, first, last = _runs(np.ceil(changes.T * (SHADES / maximum) - 1e-9) == shade)
            gap = np.full(len(line), np.nan)
            position = np.array([borders[line + 1], borders[line + 1], gap])
            ends = np.array([other_borders[first], other_borders[last], gap])
            parts.append((position, ends) if borders is x else (ends, position))
        if any(xs.size for xs, _ in parts):
            yield {
                "type": "scatter",
                "mode": "lines",
                "x": np.concatenate([part[0].T.ravel() for part in parts]),
                "y": np.concatenate([part[1].T.ravel() for part in parts]),
                "line": {"color": scales.tint(theme.ink, 0.1 + 0.7 * shade / SHADES), "width": 1.2},
                "hoverinfo": "skip",
            }


def _changes(data: Dataset, planes: Floats) -> Floats:
    """Share of the trees that change from a cell to the next on its right, (C, C - 1).

    For numbers it is the mean size of the change. `planes`, (T, C, C), are predictions of trees.
    """
    changes = np.zeros((planes.shape[1], planes.shape[2] - 1))
    for plane in planes:
        change = np.diff(plane, axis=1)
        changes += (change != 0) if data.classes else np.abs(change)
    return changes / len(planes)


def _runs(mask: Bools) -> tuple[Ints, Ints, Ints]:
    """Runs of True in the lines of a mask, (L, C): line, first border and last border of each."""
    ends = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    line, first = np.nonzero(ends == 1)
    return line, first, np.nonzero(ends == -1)[1]


def _borders(axis: FrameAxis, cells: int) -> Floats:
    """Borders of the cells along an axis."""
    share = np.arange(cells + 1) / cells
    return np.asarray(axis["low"] * (1 - share) + axis["high"] * share)


# --- colours and ticks ----------------------------------------------------------------------------


def _class_colours(data: Dataset, alpha: float) -> list[Any]:
    """Colour scale with one colour a class, of opacity `alpha`."""
    n_classes = len(data.classes)
    colours = [scales.tint(scales.class_colour(code), alpha) for code in range(n_classes)]
    return [[(code + k) / n_classes, colours[code]] for code in range(n_classes) for k in (0, 1)]


def _class_range(data: Dataset) -> dict[str, float]:
    """Range of the colour scale of classes: each code is in the middle of its colour."""
    return {"zmin": -0.5, "zmax": len(data.classes) - 0.5}


def _ticks(axis: FrameAxis) -> dict[str, Any]:
    """Ticks of an axis: the bands of a category, or round dates; {} for plain numbers."""
    return (
        band_ticks(axis["lanes"]) if "lanes" in axis else scales.clock_ticks(axis.get("ladder", ()))
    )
