"""The cockpit of Overfit: a full tree, the subtrees along an error curve, the rows held out.

A line is the values of one rule with the tree at each of them; a place on it is the index of a
value, a place of a node its index in the full tree, see subtrees.py. A mask has the splits that a
subtree keeps, as packed bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dtviz.base.arrays import Bools, Floats, Ints
from dtviz.base.text import clean, count, number
from dtviz.data.dataset import Dataset
from dtviz.data.drawing import title_of
from dtviz.data.train_test import Role
from dtviz.engine.grow import MAX_TABLE_DEPTH, decide_all
from dtviz.engine.problem import Problem
from dtviz.engine.rules import with_row_counts
from dtviz.engine.subtrees import Nodes, height_of, splits_kept_by_rules, subtree_leaves
from dtviz.evaluate import curves
from dtviz.evaluate.measures import ERROR, MEASURES, ErrorMeasure
from dtviz.evaluate.metrics import data_score
from dtviz.explain.words import SETTINGS, rule_value_text, stop_reason
from dtviz.pictures import frame_types
from dtviz.pictures.page_frame import choice, page_sentence
from dtviz.pictures.regions import StageContext, largest_rings, shapes, varying_predictions
from dtviz.pictures.scales import LIGHT, Theme, colour_codes, orders_of_tree
from dtviz.pictures.stage import bare_plane_frame, slice_caption
from dtviz.pictures.stage_cuts import Slice, pinned_values
from dtviz.pictures.tree import tree_frame
from dtviz.session.headlines import overfit_headline
from dtviz.session.overfit import JudgedTree, folds_name, full_tree_key, too_many_rows
from dtviz.session.screen import Screen, short_name
from dtviz.session.session import LEAVE_ONE_OUT, MAX_FOLDS, MAX_ROWS_LEFT_OUT, N_SEEDS


@dataclass(frozen=True, slots=True, eq=False)
class Subtree:
    """A subtree of a full tree, with rows in it, as its pictures need it."""

    data: Dataset  # the rows, training and held out
    nodes: Nodes  # nodes of the full tree, m of them
    split_mask: Bools  # mask of the splits that the subtree keeps, (m,)
    leaf_places: Ints  # place of each row's leaf in the full tree, (n,)
    is_held_out: Bools  # mask of the rows held out, (n,)
    errors: tuple[float, float]  # errors of the subtree on the training and on the held-out rows
    axes: tuple[int, int] = (0, 1)  # features across and up
    theme: Theme = LIGHT  # colours of the page
    pins: Slice = ()  # values at which features on no axis are pinned by hand
    n_rows: Mapping[bool, int] | None = None
    """Number of rows that are held out, and that are not; None: those of the data."""
    measure: ErrorMeasure = ERROR  # of the errors


def pictures_frame(
    subtree: Subtree,
    name: str,
    titles: Sequence[tuple[str, bool]],
    full_tree: frame_types.FullTreePictures | None = None,
) -> frame_types.SubtreePictures:
    """Panels of a subtree over the cloud `name`: each a title and whether its rows are held out.

    `full_tree` is the result of `full_tree_frame`, if it is known.
    """
    n_held = int(subtree.is_held_out.sum())
    counts = subtree.n_rows or {True: n_held, False: subtree.data.n - n_held}
    return {
        **(full_tree or full_tree_frame(subtree, name)),
        "panels": [{"title": t, "is_held_out": h, "rows": counts[h]} for t, h in titles],
        "mask": np.packbits(subtree.split_mask),
        "figures": {
            "leaves": int(subtree.split_mask.sum()) + 1,
            "height": height_of(subtree.nodes, subtree.split_mask),
            "errors": [_number_or_none(error) for error in subtree.errors],
        },
        "stamp": name,
    }


def full_tree_frame(subtree: Subtree, name: str) -> frame_types.FullTreePictures:
    """Part of the frame of a subtree that is the same for all subtrees of its full tree."""
    data, nodes, score = subtree.data, subtree.nodes, data_score(subtree.data)
    orders = orders_of_tree(data, nodes.tree.splits)
    slice_values = pinned_values(data, subtree.pins)
    stage = StageContext(data, subtree.axes, slice_values, orders, subtree.theme)
    rings = largest_rings(stage.rings(nodes.tree), 1)
    node_rings = {k: (ring, nodes.tree.nodes[node]) for k, (node, ring) in enumerate(rings.items())}
    places = {node: place for place, node in enumerate(nodes.ids)}
    rows = stage.row_ids
    values: frame_types.OptionalValues = {} if data.classes else {"value": nodes.value}
    return {
        **bare_plane_frame(stage, name),
        "error_name": _error_name(subtree),
        "percent": bool(score.unit) if subtree.measure == ERROR else subtree.measure.is_share,
        "regions": {
            "node": np.array([places[node] for node in rings], np.int32),
            **shapes(rings.values()),
        },
        "parent": nodes.parent.astype(np.int32),
        "colour_code": colour_codes(data, nodes.value),
        "leaf": subtree.leaf_places[rows].astype(np.int32),
        "held_out": np.packbits(subtree.is_held_out[rows]),
        **values,
        **varying_predictions(data, nodes.tree.leaf_model, node_rings, stage.plane),
        **_wrong(subtree, rows),
    }


def _error_name(subtree: Subtree) -> str:
    """Name beside the errors; '' where they are counts of wrong rows."""
    if subtree.measure != ERROR:
        return subtree.measure.noun
    has_counts = subtree.data.classes and subtree.data.weights is None
    return "" if has_counts else data_score(subtree.data).error


def _wrong(subtree: Subtree, rows: Ints) -> frame_types.OptionalMistakes:
    """Mistakes of the nodes above each row, where a node may be right about other rows; else {}."""
    data, nodes = subtree.data, subtree.nodes
    if not data.classes or nodes.tree.leaf_model.linear_score is None:
        return {}
    places, depth = subtree.leaf_places[rows], nodes.depth
    is_wrong = np.zeros((len(nodes.level_starts) - 1, len(rows)), np.bool_)
    for level in range(len(is_wrong) - 1, -1, -1):
        row_places = np.flatnonzero(depth[places] == level)
        predicted = nodes.predict(places[row_places], data.columns, rows[row_places])
        is_wrong[level, row_places] = predicted != data.y[rows[row_places]]
        places[row_places] = nodes.parent[places[row_places]]
    return {"mistakes": np.packbits(is_wrong)}


def curve_frame(
    curve: curves.Curve,
    place: int | None,
    setting_text: str,
    fold_text: str,
    fold_errors: Floats | None,
) -> frame_types.ErrorCurve:
    """Frame of the error curve: `place` is that of the setting, `setting_text` its words.

    `fold_errors`, (k, K), are those of the folds, which `fold_text` names, or None without them.
    """
    axis = curve.axis
    side = "larger trees to the right" if axis.small_is_simple else "smaller trees to the right"
    folded = frame_types.Folds()
    if fold_errors is not None:
        mean, standard_error = curves.mean_and_error(fold_errors)
        folded = {
            "mean": mean,
            "standard_error": standard_error,
            "fold_text": fold_text,
            "best_place": curves.index_of_best(axis, mean),
            "simplest_place": curves.one_standard_error(axis, mean, standard_error),
        }
    return {
        **line_frame(axis.rule, curve.values, place, curve),
        "title": f"{SETTINGS[axis.rule].title} ({side})",
        "setting_text": setting_text,
        **folded,
    }


def line_frame(
    rule: str,
    values: Sequence[curves.RuleValue],
    place: int | None,
    along: curves.Curve | None = None,
) -> frame_types.RuleLine:
    """Values of a rule, the place of the present one, and the tree at each value if known."""
    trees = frame_types.TreesOnLine()
    name, description, no_limit_text = SETTINGS[rule]
    if along is not None:
        trees = {
            "training_error": along.training,
            "held_out_error": along.held,
            "leaves": along.leaves.astype(np.int32),
            "height": along.height.astype(np.int32),
            "masks": np.packbits(along.split_masks, axis=1).ravel(),
        }
    return {
        "rule": rule,
        "name": name,
        "description": description,
        "no_limit_text": no_limit_text,
        "values": values,
        "labels": [curves.rule_value_label(value) for value in values],
        "place": -1 if place is None else place,
        **trees,
    }


def _number_or_none(value: float) -> float | None:
    """Number, or None for nan, which JSON does not have."""
    return None if np.isnan(value) else float(value)


MAX_NODES = 20_000  # of a larger tree, the subtrees of all sliders are too much to send


def dials(judged: JudgedTree) -> list[frame_types.RuleLine]:
    """Line of each rule, for its slider."""
    return [_dial(axis, judged) for axis in curves.AXIS_OF.values()]


def _dial(axis: curves.RuleAxis, judged: JudgedTree) -> frame_types.RuleLine:
    """Line of one rule, the prunes kept.

    A share of the rows is shown as a number of rows. Each leaf size has a tree of its own, grown
    when it is set, so that no tree is shown ahead; nor is one of very large trees.
    """
    rules, nodes = with_row_counts(judged.session.rules, judged.training.n_grown), judged.nodes
    present, values = getattr(rules, axis.rule), axis.values(nodes, rules)
    further_values = [*axis.further_values(len(values))]
    if judged.is_counted and axis.rule == "max_depth":
        further_values = [*range(len(values) + 1, MAX_TABLE_DEPTH + 1)]
    line_values = with_present_value([*values, *further_values], present, curves.rule_value_label)
    along = None
    if axis.one_tree and len(nodes.ids) <= MAX_NODES:
        split_masks = axis.subtrees(nodes, rules, line_values) & judged.unpruned_mask
        along = curves.curve_of_subtrees(
            nodes, axis, line_values, split_masks, *judged.measured_losses
        )
    return line_frame(axis.rule, line_values, line_values.index(present), along)


def with_present_value(
    values: Iterable[Any], present: Any, text: Callable[[Any], str]
) -> list[Any]:
    """Values in order with `present` among them; None is the largest.

    People know the values by their texts, so of those with the same text one is kept: `present`.
    """
    by_text = {text(value): value for value in [*values, present]}
    return sorted(by_text.values(), key=lambda value: (value is None, value or 0))


HELD_OUT_TITLES = {None: "Held out", "validation": "Validation", "test": "Test"}
"""Title of the picture of the rows held out, by the role they were given in."""


def cockpit_frame(screen: Screen, theme: Theme, cloud: str) -> frame_types.Overfit:
    """Pictures over that cloud, curve and sliders; no curve while it is being computed."""
    session, judged, along = screen.session, screen.judged, screen.curve()
    titles = (("Training", False), (HELD_OUT_TITLES[judged.role], True))
    cockpit: frame_types.Cockpit = {"training_rows_text": judged.training_sentence}
    if along is not None and "curve" not in session.hidden:
        place, now = _place(judged, along), _now(judged)
        cockpit["curve"] = curve_frame(along, place, now, folds_name(judged), screen.fold_errors())
    if judged.held is not None:
        cockpit["baseline"] = judged.baseline
        cockpit["baseline_name"] = (
            data_score(judged.data).baseline if judged.measure == ERROR else "one leaf"
        )
    if "settings" not in session.hidden:
        cockpit["dials"] = dials(judged)
    subtree = shown_subtree(screen, theme)
    # of a large tree the regions take most of the time, and a dial does not change them
    full_tree = screen.cache.get(
        full_tree_key("full tree", session, cloud, session.pins, theme.dark, judged.measure.name),
        lambda: full_tree_frame(subtree, cloud),
    )
    return {
        **pictures_frame(subtree, cloud, titles, full_tree),
        **cockpit,
        "stamp": short_name(session, theme.dark),
    }


HELD_OUT_SHARES = (0.1, 0.2, 0.3, 0.4, 0.5)
"""Shares of the rows that can be held out."""
FOLD_CHOICES = (0, *range(2, MAX_FOLDS + 1))
"""Numbers of folds that can be chosen; 0 for none."""
ROLE_HELP: dict[Role, str] = {
    "validation": "Rows to choose a tree by; test rows, if there are any, tell at the end what it "
    "is worth",
    "test": "Rows that tell what a tree is worth, if it was not chosen by them: choose it by the "
    "folds, or give validation rows",
}
"""Purpose of the rows held out, by the role they were given in."""


def judging_frame(screen: Screen, theme: Theme) -> frame_types.OverfitPage:
    """Frame of what stands round the cockpit: headline, choices of what is judged, caption."""
    session, judged = screen.session, screen.judged
    frame: frame_types.OverfitPage = {
        "title": clean(title_of(session.recipe)),
        "caption": _caption(screen),
    }
    if "why" not in session.hidden:
        frame["headline"] = page_sentence(overfit_headline(screen))
    if "settings" in session.hidden:
        return frame
    judging = session.judging
    if judged.role is None:
        shares = with_present_value(HELD_OUT_SHARES, judging.share, _share_name)
        frame["share"] = choice(shares, judging.share, _share_name)
        frame["next_seed"] = (judging.seed + 1) % N_SEEDS
    else:
        frame["held_out_text"] = f"Judged on {judged.held_text}"
        frame["held_out_help"] = ROLE_HELP[judged.role]
    frame["folds"] = choice(_fold_options(judged), judging.folds, _fold_name)
    frame["against"] = choice(
        [*curves.AXES], judging.against, lambda name: SETTINGS[curves.AXES[name].rule].title
    )
    names = [measure.name for measure in judged.measures]
    if len(names) > 1:
        frame["measure"] = choice(names, judged.measure.name, lambda name: MEASURES[name].title)
    return frame


def _fold_options(judged: JudgedTree) -> list[int]:
    """Numbers of folds that can be chosen, the present one among them."""
    current = judged.session.judging.folds
    if current == LEAVE_ONE_OUT:
        return [*FOLD_CHOICES, LEAVE_ONE_OUT]
    options = with_present_value(FOLD_CHOICES, current, _fold_name)
    has_few = judged.training.n <= MAX_ROWS_LEFT_OUT and not judged.is_counted
    return [*options, LEAVE_ONE_OUT] if has_few else options


def _share_name(share: float) -> str:
    return f"{number(100 * share, 3)} % held out"


def _fold_name(folds: int) -> str:
    return {0: "no folds", LEAVE_ONE_OUT: "leave one out"}.get(folds, f"{folds} folds")


def _caption(screen: Screen) -> str:
    """Text under the pictures: why there are no folds, and the slice that is drawn."""
    slice_text = slice_caption(screen)
    limit = f"Leave one out is for at most {MAX_ROWS_LEFT_OUT} training rows; choose folds."
    parts = (
        limit if too_many_rows(screen.judged) else "",
        slice_text,
        # whether a point is predicted wrongly depends on its own values, not on the slice
        "Crosses count all features." if slice_text and screen.data.classes else "",
    )
    return page_sentence(" ".join(filter(None, parts)))


def shown_subtree(screen: Screen, theme: Theme) -> Subtree:
    """Tree of Overfit with its rows, on the features chosen or those that part best."""
    judged = screen.judged
    row_facts = judged.leaf_positions, judged.held_mask, judged.measured
    return Subtree(
        judged.data,
        judged.nodes,
        judged.split_mask,
        *row_facts,
        screen.axes,
        theme,
        screen.session.pins,
        {False: judged.training.n_grown, True: 0 if judged.held is None else judged.held.n_grown},
        judged.measure,
    )


def pruning_frame(screen: Screen, theme: Theme) -> frame_types.TreeFrame:
    """Frame of the tree of Overfit, with the stop of each leaf in words."""
    judged, chosen = screen.judged, screen.marked_node
    rules = judged.session.rules
    pruned_mask = splits_kept_by_rules(judged.nodes, rules) & subtree_leaves(
        judged.nodes, judged.split_mask
    )
    pruned_ids = frozenset(judged.nodes.ids[k] for k in np.flatnonzero(pruned_mask).tolist())
    tree, data = replace(judged.tree, pruned=pruned_ids), judged.training
    problem = Problem(data, rules)
    stops = {
        leaf: stop_reason(problem, tree.nodes[leaf], decision.stop)
        for leaf, decision in decide_all(problem, tree).items()
    }
    frame = tree_frame(problem, tree, stops, focus=chosen or 1, theme=theme)
    return frame | {"picture": "pruning", "stamp": short_name(screen.session, chosen)}


def _place(judged: JudgedTree, along: curves.Curve) -> int | None:
    """Place on the curve of the tree on screen; None if it is not on it.

    Of several places with that tree it is the last one up to the value set, where no limit is the
    largest value: a tree of other rows, as those of the folds, may differ at the others.
    """
    rules = with_row_counts(judged.session.rules, judged.training.n_grown)
    present = getattr(rules, along.axis.rule)
    if judged.prunes:
        return None
    if not along.axis.one_tree:
        return along.values.index(present) if present in along.values else None
    equal_places = np.flatnonzero((along.split_masks == judged.split_mask).all(axis=1)).tolist()
    reached_places = [
        place for place in equal_places if _as_limit(along.values[place]) <= _as_limit(present)
    ]
    return next(iter([*reached_places[-1:], *equal_places]), None)


def _as_limit(value: curves.RuleValue) -> float:
    """Value of a rule as a number; no limit is infinite."""
    return np.inf if value is None else value


def _now(judged: JudgedTree) -> str:
    """Setting in words: 'Depth at most 3, 2 prunes'."""
    name = judged.axis.rule
    rule = rule_value_text(name, getattr(judged.session.rules, name), curves.rule_value_label)
    return rule + (f", {count(len(judged.prunes), 'prune')}" if judged.prunes else "")
