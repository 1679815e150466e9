"""The picture of Stability: the plane with the trees of other rows, what wins their roots, which
of them change most.

Glossary
    order    the full tree, then the others, those that change most first; a picture speaks of a
             tree by its place there
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from dtviz.arrays import Ints
from dtviz.engine.splits import FAMILIES, Split, feature_of, share_of
from dtviz.figures.bands import orders_in
from dtviz.figures.cells import plane_points
from dtviz.figures.kinds import Bare, Layer, RootCut, Stability
from dtviz.figures.layer import EMPTY, Drawn, layer
from dtviz.figures.palette import Theme
from dtviz.figures.pins import pinned
from dtviz.figures.regions import plane_of, window_of
from dtviz.figures.scene import bare_scene, drawn_rows, scene_axes, stage_axes
from dtviz.judge.stability import WAYS, Shaken, shaken, trees_of
from dtviz.say.words import BRIEF, split_text
from dtviz.screen.screen import Screen, short_name
from dtviz.screen.work import Work
from dtviz.table.data import Dataset
from dtviz.text import clean, count, number

CELLS = 64
"""The picture is asked so many cells wide and high what changes there."""
BINS = 40
MOST_ROOTS = 4
MOST_CUTS = 3


# --- the work -------------------------------------------------------------------------------------


def works(screen: Screen) -> Iterator[Work[Any]]:
    """What the picture waits for, in the order in which it is to be done."""
    wanted = trees_work(screen)
    yield wanted
    found = screen.done(wanted)
    if found is not None:
        yield layer_work(screen, found)


def trees_work(screen: Screen) -> Work[Shaken]:
    """The trees of other rows, and how they change over the rows and the picture."""
    session, data, axes = screen.session, screen.data, screen.axes
    shake = replace(session.shake, shown=None)
    rules = session.rules if session.rules.max_leaf_nodes else replace(session.rules, order=None)
    way, middle = WAYS[shake.way], pinned(data, session.pins)
    trees = trees_of(data, rules, shake)
    return Work(
        ("shaken", session.recipe, rules, shake, axes, session.pins),
        lambda: shaken(data, session.rules, shake, plane_points(data, axes, middle, CELLS)),
        f"{way.title}, {count(trees, 'tree')}",
    )


def layer_work(screen: Screen, found: Shaken) -> Work[Drawn]:
    """These trees over the plane."""
    data, axes = screen.data, screen.axes
    asked = ("layer", trees_work(screen).asked)
    orders = orders_in(data, found.splits)
    both, middle = stage_axes(data, axes, orders), pinned(data, screen.session.pins)
    plane = plane_of(data, axes, middle, both, orders)
    return Work(
        asked,
        lambda: layer(short_name(asked), found.members, order_of(found), window_of(*both), plane),
        "Their cuts over the plane",
    )


def order_of(found: Shaken) -> Ints:
    """The trees by how much they change over the picture, then over the rows; the full one first.

    Those of one change by their numbers.
    """
    return np.append(0, 1 + np.lexsort((-found.moved, -found.seen)))


# --- the frames -----------------------------------------------------------------------------------


def layer_frame(screen: Screen, theme: Theme) -> Layer:
    """The layer, once it is known."""
    drawn = grown(screen)
    return EMPTY if drawn is None else drawn[1].layer


def grown(screen: Screen) -> tuple[Shaken, Drawn] | None:
    """The trees and their layer; None while these are under way."""
    found = screen.done(trees_work(screen))
    drawn = None if found is None else screen.done(layer_work(screen, found))
    return None if found is None or drawn is None else (found, drawn)


def stability_frame(screen: Screen, theme: Theme, cloud: str) -> Stability | Bare:
    """The trees over the cloud; the points alone while these are under way."""
    data, shake, made = screen.data, screen.session.shake, grown(screen)
    if made is None:
        return bare_scene(data, screen.axes, theme, cloud)
    found, drawn = made
    others, rows = drawn.some[1:], drawn_rows(data)
    orders = orders_in(data, found.splits)
    number_of = np.array([found.number(tree) for tree in others.tolist()], np.int32)
    at = {number: k for k, number in enumerate(number_of.tolist())}
    without = [at.get(row, -1) if found.rows is not None else -1 for row in rows.tolist()]
    return {
        **bare_scene(data, screen.axes, theme, cloud, orders),
        "layer": drawn.layer["name"],
        "each": found.rows is not None,
        "number": number_of,
        "change": found.seen[others - 1],
        "moved": found.moved[others - 1],
        "root": (found.roots[others] != found.roots[0]).astype(np.uint8),
        "same": (found.alike[others] == found.alike[0]).astype(np.uint8),
        "tree": np.array(without, np.int32),
        "wavers": found.wavers[rows],
        "shown": -1 if shake.shown is None else at.get(shake.shown, -1),
        "percent": bool(data.classes),
        "roots": root_cuts(data, found),
        "stamp": short_name(screen.session, theme.dark),
    }


def root_cuts(data: Dataset, found: Shaken) -> list[RootCut]:
    """What wins the roots of the trees, the full one left out: by feature, the commonest first."""
    numbers, counts = np.unique(found.roots[1:], return_counts=True)
    first = {number: k for k, number in enumerate(found.roots.tolist())}
    cuts = [
        (found.root(first[number]), many)
        for number, many in zip(numbers.tolist(), counts.tolist(), strict=True)
    ]
    homes: dict[int | str | None, list[tuple[Split | None, int]]] = {}
    for split, many in cuts:
        homes.setdefault(_home(split), []).append((split, many))
    own, trees = found.root(0), len(found.seen)
    every = [_root(data, some, own, trees) for some in homes.values()]
    return sorted(every, key=lambda one: -one["share"])[:MOST_ROOTS]


def _home(split: Split | None) -> int | str | None:
    """The feature that a root is cut by, else the kind of the cut; None for no cut."""
    if split is None:
        return None
    feature = feature_of(split.projection)
    return split.projection.family if feature is None else feature


def _root(
    data: Dataset, cuts: list[tuple[Split | None, int]], own: Split | None, trees: int
) -> RootCut:
    """What some cuts of one home are, each so often at the root."""
    home = _home(cuts[0][0])
    out: RootCut = {
        "name": _name(data, home),
        "share": sum(many for _, many in cuts) / trees,
        "own": home == _home(own),
        "cuts": [],
    }
    if isinstance(home, int) and not data.levels[home]:
        axis = scene_axes(data, (home, home))[0]
        low, high = axis["low"], axis["high"]
        out |= {"axis": axis, "bins": np.zeros(BINS)}
        for split, many in cuts:
            if split is not None and np.isfinite(split.threshold):
                place = int(share_of(low, high, split.threshold) * BINS)
                out["bins"][min(max(place, 0), BINS - 1)] += many / trees
        if out["own"] and own is not None and np.isfinite(own.threshold):
            out["at"] = own.threshold
        return out
    for split, many in (
        sorted(cuts, key=lambda one: -one[1])[:MOST_CUTS] if home is not None else ()
    ):
        assert split is not None
        text = split_text(data, split, number(split.threshold), BRIEF)
        out["cuts"].append((text, many / trees))
    return out


def _name(data: Dataset, home: int | str | None) -> str:
    if home is None:
        return "no cut"
    return FAMILIES[home].title if isinstance(home, str) else clean(data.features[home])
