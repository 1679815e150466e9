"""The picture of the page Forest: an ensemble over the plane as it builds, and its importances.

The plane is shown after some of the rounds: all of the first ones, then ever fewer. The mass of a
row is the size of its point: by its weight in a round, or by what is left to explain.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import ROUNDING, Floats, Ints
from dtviz.base.progress import Slices, Work
from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles import (
    ENSEMBLES,
    Ensemble,
    kinds_for,
    member_values,
    predictions_of_scores,
    scores_by_round,
)
from dtviz.engine.ensembles.ensemble import EnsembleKind, Plan
from dtviz.engine.ensembles.trees import predictions
from dtviz.evaluate.metrics import data_score
from dtviz.evaluate.stability import RoundErrors
from dtviz.pictures.frame_types import (
    Errors,
    FeatureWorth,
    ForestFrame,
    OptionalForestParts,
    PageHead,
    Surface,
    Tile,
)
from dtviz.pictures.overfit import with_present_value
from dtviz.pictures.page_frame import choice, draw_again, page_head, page_sentence, setting
from dtviz.pictures.regions import StageContext
from dtviz.pictures.scales import SCALE, Theme, drawn_rows
from dtviz.pictures.stage import bare_plane_frame, slice_caption
from dtviz.pictures.stage_cuts import pinned_values
from dtviz.pictures.tree import plane_points
from dtviz.session.forest import (
    ForestResult,
    fitted_text,
    forest_work,
    held_work,
    limits_text,
    permutation_work,
    plan_of,
)
from dtviz.session.headlines import has_counts, mistakes_text, wrong_rows_text
from dtviz.session.screen import Screen

CELLS = 64
"""Cells across and up of the plane."""
TILE_CELLS = 40
"""Cells across and up of the plane of a single tree."""
TILES = 12
"""Single trees that are shown."""
FULL = 255
"""Byte of a share of 1."""
MAX_PICTURES = 48
"""Rounds that are shown, beside the first ones."""
N_TREES_CHOICES = (1, 5, 10, 25, 50, 100, 200, 300)
"""Numbers of trees that can be chosen."""
RATE_CHOICES = (0.01, 0.05, 0.1, 0.2, 0.5, 1.0)
"""Learning rates that can be chosen."""
FEATURE_CHOICES = (1, 2, 3, 5, 8)
"""Numbers of features a split that can be chosen, beside the usual number and that of all."""
Codes = NDArray[np.uint8]
Style = Literal["accent", "ink", "muted"]
NO_SURFACE: Surface = {
    "cells_across": 0,
    "cells_up": 0,
    "code": np.zeros(0, np.uint8),
    "share": np.zeros(0, np.uint8),
}


class PlanePredictions:
    """Predictions of an ensemble over the plane after some rounds, and those of its first trees."""

    def __init__(
        self, rounds: Ints, surface: Surface, trees: Surface, strip: Floats | None
    ) -> None:
        self.rounds, self.surface, self.trees, self.strip = rounds, surface, trees, strip


def forest_jobs(screen: Screen) -> Iterator[Work[Any]]:
    """Jobs that the picture waits for, in their order, as far as they are known."""
    session, data = screen.session, screen.data
    grove_job = forest_work(session, data)
    yield grove_job
    grove = screen.result_of(grove_job)
    if grove is None:
        return
    yield plane_job(screen, grove)
    held_job = held_work(session, data)
    if held_job is not None:
        yield held_job
    yield permutation_work(session, data, grove)


def shown_rounds(rounds: int) -> Ints:
    """Rounds that are shown: 1, 2, 3, ..., then ever fewer of them, and the last."""
    places = np.geomspace(1, rounds, MAX_PICTURES)
    rounds_shown = np.unique(np.concatenate([np.arange(1, min(rounds, 10) + 1), np.round(places)]))
    return rounds_shown.astype(int)


def plane_job(screen: Screen, grove: ForestResult) -> Work[PlanePredictions]:
    """Job that predicts over the plane of the screen."""
    grove_key = forest_work(screen.session, screen.data).key
    return Work(
        ("shown", grove_key, screen.axes, screen.session.pins),
        lambda: _plane_predictions(screen, grove.ensemble),
        "What the trees say over the plane",
    )


def _plane_predictions(screen: Screen, ensemble: Ensemble) -> Slices[PlanePredictions]:
    """Predictions over the plane, after the rounds shown and of the first trees; in slices."""
    data, axes, slice_values = (
        screen.data,
        screen.axes,
        pinned_values(screen.data, screen.session.pins),
    )
    points = plane_points(data, axes, slice_values, CELLS)
    predicted = member_values(ensemble, points)
    yield 0.5
    rounds = shown_rounds(ensemble.rounds)
    codes, shares, strip = list[Codes](), list[Codes](), list[Floats]()
    for number, scores in enumerate(scores_by_round(ensemble, predicted), 1):
        if number in rounds:
            value = predictions_of_scores(ensemble, scores)
            shares_of = ensemble.combiner.class_shares
            codes.append(_codes(data, value))
            full = np.full(len(value), FULL, np.uint8)
            shares.append(_certainty(shares_of(scores)) if shares_of else full)
            strip.append(value)
            yield 0.5 + 0.4 * len(codes) / len(rounds)
    n_up = CELLS if len(data.features) > 1 else 1
    surface = _surface(CELLS, n_up, codes, shares)
    tile_points = plane_points(data, axes, slice_values, TILE_CELLS)
    first_members = np.arange(min(TILES, len(ensemble.members)))
    tile_planes = _single_trees(ensemble, predictions(ensemble.members, tile_points, first_members))
    line = np.concatenate(strip) if n_up == 1 and not data.classes else None
    yield 1.0
    trees = _surface(TILE_CELLS, TILE_CELLS if n_up > 1 else 1, *tile_planes)
    return PlanePredictions(rounds, surface, trees, line)


def _surface(cells_across: int, cells_up: int, codes: list[Codes], shares: list[Codes]) -> Surface:
    """Frame of several pictures of the plane, each of so many cells."""
    return {
        "cells_across": cells_across,
        "cells_up": cells_up,
        "code": np.concatenate(codes),
        "share": np.concatenate(shares),
    }


def _codes(data: Dataset, values: Floats) -> Codes:
    """Class of each value, or the step of a number on the scale."""
    if data.classes:
        return values.astype(np.uint8)
    return _steps(values, *_span(data))


def _span(data: Dataset) -> tuple[float, float]:
    """Range of the target."""
    return float(data.y.min()), float(data.y.max())


def _steps(values: Floats, low: float, high: float) -> Codes:
    """Steps of numbers on the scale."""
    return np.clip(_share(values, low, high) * len(SCALE), 0, len(SCALE) - 1).astype(np.uint8)


def _scaled(values: Floats, low: float, high: float) -> Codes:
    """Positions of numbers between low and high, as bytes."""
    return np.asarray(np.round(FULL * np.clip(_share(values, low, high), 0, 1)), np.uint8)


def _share(values: Floats, low: float, high: float) -> Floats:
    """Shares of the way from low to high; halved first, since high - low may overflow."""
    if not high > low:
        return np.full(len(values), 0.5)
    return np.asarray((values / 2 - low / 2) / (high / 2 - low / 2))


def _certainty(shares: Floats) -> Codes:
    """Excess of the largest share over an even one, as bytes; `shares` is (K, cells)."""
    even = 1 / len(shares)
    part = (shares.max(axis=0) - even) / (1 - even) if even < 1 else shares[0]
    return np.asarray(np.round(FULL * np.clip(part, 0, 1)), np.uint8)


def _single_trees(ensemble: Ensemble, predicted: Floats) -> tuple[list[Codes], list[Codes]]:
    """Codes and shares of some members, one by one, as bytes.

    A code is a class, or the step of a number on a scale of the member. A tree that adds to the
    scores of classes speaks for or against one: of two classes for the second.
    """
    data, codes, shares = ensemble.data, list[Codes](), list[Codes]()
    for member, values in enumerate(predicted):
        full = np.full(len(values), FULL, np.uint8)
        if not ensemble.combiner.is_sum:
            codes.append(_codes(data, values))
            shares.append(full if data.classes else _scaled(values, *_span(data)))
            continue
        top = float(np.abs(values).max()) or 1.0
        if data.classes:
            tree_class = (
                int(ensemble.score_index[member]) if len(ensemble.initial_scores) > 1 else 1
            )
            other = 0 if len(ensemble.initial_scores) == 1 else tree_class
            codes.append(np.where(values > 0, tree_class, other).astype(np.uint8))
            strength = np.abs(values) if other != tree_class else np.maximum(values, 0.0)
            shares.append(np.round(FULL * strength / top).astype(np.uint8))
        else:
            codes.append(_steps(values, -top, top))
            shares.append(_scaled(values, -top, top))
    return codes, shares


def forest_frame(screen: Screen, theme: Theme, name: str) -> ForestFrame:
    """Frame of the page; while jobs run it has the points, and what is done so far."""
    session, data = screen.session, screen.data
    kind, plan = plan_of(session, data)
    grove = screen.result_of(forest_work(session, data))
    shown = None if grove is None else screen.result_of(plane_job(screen, grove))
    score = data_score(data)
    frame: ForestFrame = {
        **bare_plane_frame(StageContext(data, screen.axes, theme=theme), name),
        "head": _head(screen, kind, plan),
        "caption": _caption(screen, plan),
        "description": fitted_text(session.recipe) or kind.about,
        "announcement": "",
        "round_name": "trees" if kind.rate is None else "rounds",
        "rounds": np.zeros(0, np.int32),
        "headlines": [],
        "surface": NO_SURFACE,
        "point_size_note": "",
        "errors": [],
        "percent": bool(score.unit),
        "error_name": score.error,
        "importances": [],
        "trees": NO_SURFACE,
        "tiles": [],
        "stamp": name,
        **_massed(data, grove, shown),
    }
    if grove is None or shown is None:
        return frame
    held_job = held_work(session, data)
    held_errors = None if held_job is None else screen.result_of(held_job)
    frame["errors"] = _curves(grove, held_errors)
    frame["rounds"] = shown.rounds.astype(np.int32)
    frame["headlines"] = _words(data, plan.kind, grove, held_errors, shown.rounds)
    frame["announcement"] = frame["headlines"][-1]
    frame["surface"], frame["trees"] = shown.surface, shown.trees
    frame["importances"] = _importances(
        data, grove, screen.result_of(permutation_work(session, data, grove))
    )
    frame["tiles"] = _tiles(grove.ensemble)
    if grove.ensemble.row_emphasis is not None:
        frame["point_size_note"] = f"A point is as large as {kind.emphasis_text}."
    return frame


def _head(screen: Screen, kind: EnsembleKind, plan: Plan) -> PageHead:
    """Title with the controls of the plan: kind, number of trees, features a split, rate, seed.

    A fitted ensemble has no controls.
    """
    if fitted_text(screen.session.recipe):
        return page_head(screen, [], None)
    tree_word, n_features = "tree" if kind.rate is None else "round", len(screen.data.features)
    kinds = [option.name for option in kinds_for(screen.data.task)]
    trees = with_present_value(N_TREES_CHOICES, plan.trees, str)
    kind_titles = choice(kinds, kind.name, lambda name: ENSEMBLES[name].title)
    n_trees = choice(trees, plan.trees, lambda n: count(n, tree_word))
    settings = [setting("kind", "Ensemble", kind_titles), setting("trees", "Trees", n_trees)]
    if kind.features is not None and n_features > 1:
        default = kind.features(n_features)
        n_drawn = min(plan.features or default, n_features)
        options = sorted(
            {*FEATURE_CHOICES, default, n_drawn, n_features} & {*range(1, n_features + 1)}
        )
        drawn = choice(options, n_drawn, f"{{}} of {n_features} a split".format)
        settings.append(setting("features", "Features", drawn))
    if kind.rate is None:
        again = draw_again("Grow again", "Grow other trees: draw again", plan.seed)
        return page_head(screen, settings, again)
    rate = plan.rate or kind.rate
    rates = choice(with_present_value(RATE_CHOICES, rate, str), rate, "rate {:g}".format)
    return page_head(screen, [*settings, setting("rate", "Rate", rates)], None)


def _caption(screen: Screen, plan: Plan) -> str:
    """Caption: settings that limit each tree, how many trees have room, and the slice."""
    is_fitted = bool(fitted_text(screen.session.recipe))
    sentences = [] if is_fitted else [limits_text(screen.session)]
    if not is_fitted and plan.trees < screen.session.plan.trees:
        trees = count(plan.trees, "tree")
        sentences.append(f"With {screen.data.n:,} rows there is room for {trees}.")
    sentences.append(slice_caption(screen))
    return page_sentence(" ".join(filter(None, sentences)))


def _massed(
    data: Dataset, grove: ForestResult | None, shown: PlanePredictions | None
) -> OptionalForestParts:
    """Prediction across the strip, and sizes of the points, where the ensemble has them."""
    frame: OptionalForestParts = {}
    if grove is None or shown is None:
        return frame
    if shown.strip is not None:
        frame["strip"] = shown.strip
    if grove.ensemble.row_emphasis is not None:
        frame["point_size"] = _mass(data, grove.ensemble, shown.rounds)
    return frame


def _curves(grove: ForestResult, held_errors: RoundErrors | None) -> list[Errors]:
    """Error curves: on the training rows, out of bag, on the rows held out."""
    curves: list[Errors] = [_errors("training", "muted", grove.training, band=False)]
    if grove.out_of_bag is not None:
        curves.append(_errors("out of bag", "accent", grove.out_of_bag))
    if held_errors is not None:
        curves.append(
            _errors("held out", "accent" if grove.out_of_bag is None else "ink", held_errors)
        )
    return curves


def _errors(name: str, style: Style, staged: RoundErrors, band: bool = True) -> Errors:
    """Error curve; only with `band` it has its standard error."""
    width = staged.band if band else np.zeros(len(staged.band))
    return {"name": name, "style": style, "error": staged.error, "standard_error": width}


def _words(
    data: Dataset, kind: str, grove: ForestResult, held_errors: RoundErrors | None, rounds: Ints
) -> list[str]:
    """Words of each picture: its round and the errors there."""
    score, unit = data_score(data), "tree" if ENSEMBLES[kind].rate is None else "round"
    error_curves = [("training", grove.training, False)]
    if grove.out_of_bag is not None:
        error_curves.append(("out-of-bag", grove.out_of_bag, True))
    if held_errors is not None:
        error_curves.append(("held-out", held_errors, True))
    texts = []
    for number in rounds.tolist():
        parts = list[str]()
        for name, staged, band in error_curves:
            k = min(number, len(staged.error)) - 1
            if not np.isnan(staged.error[k]):
                error = float(staged.error[k])
                width = float(staged.band[k]) if band else 0.0  # 0 without a mistake
                band_text = f" ± {score.text(width)}" if width else ""
                if has_counts(data):
                    n_judged, row = round(float(staged.weight[k])), f"{name} row"
                    share_text = f", {score.text(error)}{band_text}" if band_text else ""
                    write = mistakes_text if parts else wrong_rows_text
                    parts.append(f"{write(error, n_judged, row)}{share_text}")
                else:
                    parts.append(f"{name} {score.error} {score.text(error)}{band_text}")
        texts.append(f"{count(number, unit)}: {', '.join(parts)}")
    return texts


def _importances(data: Dataset, grove: ForestResult, permuted: Floats | None) -> list[FeatureWorth]:
    """Importances of the features, the largest first."""
    order = np.argsort(-grove.importances, kind="stable")[:20]
    importances: list[FeatureWorth] = []
    for feature in order.tolist():
        importance: FeatureWorth = {
            "name": clean(data.features[feature]),
            "impurity": float(grove.importances[feature]),
        }
        if permuted is not None:
            values = permuted[feature]
            # a rise and an equal fall leave a rounding error
            mean = 0.0 if abs(values.mean()) <= ROUNDING * np.abs(values).max() else values.mean()
            importance["permuted"] = float(mean)
            importance["low"], importance["high"] = float(values.min()), float(values.max())
        importances.append(importance)
    return importances


def _tiles(ensemble: Ensemble) -> list[Tile]:
    """Words of the first trees."""
    tiles: list[Tile] = []
    for member in range(min(TILES, len(ensemble.members))):
        words = f"{member + 1}"
        if len(ensemble.initial_scores) > 1 and ensemble.combiner.is_sum:
            name = ensemble.data.class_names[int(ensemble.score_index[member])]
            words = f"{int(ensemble.round_of_member[member]) + 1}, {name}"
        elif len(np.unique(ensemble.member_factor)) > 1:
            words += f", vote {ensemble.member_factor[member]:.2f}"
        tiles.append({"member": member, "title": words})
    return tiles


def _mass(data: Dataset, ensemble: Ensemble, rounds: Ints) -> Codes:
    """Size of each point in each picture, as bytes."""
    assert ensemble.row_emphasis is not None
    size = np.abs(ensemble.row_emphasis[rounds - 1][:, drawn_rows(data)])
    top = np.quantile(size, 0.98, axis=1, keepdims=True) if size.size else np.ones((len(rounds), 1))
    share = np.divide(size, top, out=np.zeros(size.shape), where=top > 0)
    return np.asarray(np.round(FULL * np.sqrt(np.clip(share, 0, 1))), np.uint8).ravel()
