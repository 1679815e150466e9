"""The picture of the page Forest: an ensemble over the plane as it builds, and what it is worth.

Glossary
    pictures   the plane after some of the rounds: all of the first ones, then ever fewer
    mass       how large a row is drawn: by its weight in a round, or by what is left to explain
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Floats, Ints
from dtviz.base.progress import Slices
from dtviz.base.text import clean, count
from dtviz.data.dataset import Dataset
from dtviz.engine.ensembles import ENSEMBLES, Ensemble, by_round, decided
from dtviz.engine.ensembles.trees import predictions
from dtviz.evaluate.metrics import score_by
from dtviz.evaluate.stability import Staged
from dtviz.pictures.frame_types import Errors, FeatureWorth, Forest, Massed, Surface, Tile
from dtviz.pictures.palette import SCALE, Theme
from dtviz.pictures.slice import pinned
from dtviz.pictures.stage import bare_scene, drawn_rows
from dtviz.pictures.tree_overlay import plane_points
from dtviz.session.forest import Grove, grove_work, held_work, plan_of, worth_work
from dtviz.session.jobs import Work
from dtviz.session.screen import Screen

CELLS = 64
TILE = 40
TILES = 12
FULL = 255
MOST_PICTURES = 48
Codes = NDArray[np.uint8]
Look = Literal["accent", "ink", "muted"]
NOTHING: Surface = {
    "wide": 0,
    "high": 0,
    "code": np.zeros(0, np.uint8),
    "share": np.zeros(0, np.uint8),
}


class Shown:
    """What the ensemble says over the plane after some of its rounds, and its first trees alone."""

    def __init__(
        self, rounds: Ints, surface: Surface, trees: Surface, strip: Floats | None
    ) -> None:
        self.rounds, self.surface, self.trees, self.strip = rounds, surface, trees, strip


def works(screen: Screen) -> Iterator[Work[Any]]:
    """What the picture waits for, in the order in which it is to be done, as far as is known."""
    session, data = screen.session, screen.data
    first = grove_work(session, data)
    yield first
    grove = screen.done(first)
    if grove is None:
        return
    yield shown_work(screen, grove)
    held = held_work(session, data)
    if held is not None:
        yield held
    yield worth_work(session, data, grove)


def shown_rounds(rounds: int) -> Ints:
    """The rounds that are shown: 1, 2, 3, ..., then ever fewer of them, and the last."""
    places = np.geomspace(1, rounds, MOST_PICTURES)
    found = np.unique(np.concatenate([np.arange(1, min(rounds, 10) + 1), np.round(places)]))
    return found.astype(np.intp)


def shown_work(screen: Screen, grove: Grove) -> Work[Shown]:
    """What the ensemble says over the plane of the screen."""
    asked = grove_work(screen.session, screen.data).asked
    return Work(
        ("shown", asked, screen.axes, screen.session.pins),
        lambda: _shown(screen, grove.ensemble),
        "What the trees say over the plane",
    )


def _shown(screen: Screen, ensemble: Ensemble) -> Slices[Shown]:
    data, axes, at = screen.data, screen.axes, pinned(screen.data, screen.session.pins)
    points = plane_points(data, axes, at, CELLS)
    predicted = predictions(ensemble.members, points)
    yield 0.5
    rounds = shown_rounds(ensemble.rounds)
    codes, shares, strip = list[Codes](), list[Codes](), list[Floats]()
    for number, scores in enumerate(by_round(ensemble, predicted), 1):
        if number in rounds:
            value = decided(ensemble, scores)
            sure = ensemble.way.shares
            codes.append(_codes(data, value))
            shares.append(_sure(sure(scores)) if sure else np.full(len(value), FULL, np.uint8))
            strip.append(value)
            yield 0.5 + 0.4 * len(codes) / len(rounds)
    high = CELLS if len(data.features) > 1 else 1
    surface = _surface(CELLS, high, codes, shares)
    small = plane_points(data, axes, at, TILE)
    some = np.arange(min(TILES, len(ensemble.members)))
    alone = _alone(ensemble, predictions(ensemble.members, small, some))
    line = np.concatenate(strip) if high == 1 and not data.classes else None
    yield 1.0
    return Shown(rounds, surface, _surface(TILE, TILE if high > 1 else 1, *alone), line)


def _surface(wide: int, high: int, codes: list[Codes], shares: list[Codes]) -> Surface:
    return {
        "wide": wide,
        "high": high,
        "code": np.concatenate(codes),
        "share": np.concatenate(shares),
    }


def _codes(data: Dataset, values: Floats) -> Codes:
    """The class of each, or the step of its number on the scale."""
    if data.classes:
        return values.astype(np.uint8)
    return _steps(values, *_span(data))


def _span(data: Dataset) -> tuple[float, float]:
    return float(data.y.min()), float(data.y.max())


def _steps(values: Floats, low: float, high: float) -> Codes:
    """The steps of numbers on the scale."""
    return np.clip(_share(values, low, high) * len(SCALE), 0, len(SCALE) - 1).astype(np.uint8)


def _part(values: Floats, low: float, high: float) -> Codes:
    """How far numbers are from low to high, as part of 255."""
    return np.asarray(np.round(FULL * np.clip(_share(values, low, high), 0, 1)), np.uint8)


def _share(values: Floats, low: float, high: float) -> Floats:
    if not high > low:
        return np.full(len(values), 0.5)
    return np.asarray((values / 2 - low / 2) / (high / 2 - low / 2))


def _sure(shares: Floats) -> Codes:
    """How far the largest share is from an even one, as part of 255."""
    even = 1 / len(shares)
    part = (shares.max(axis=0) - even) / (1 - even) if even < 1 else shares[0]
    return np.asarray(np.round(FULL * np.clip(part, 0, 1)), np.uint8)


def _alone(ensemble: Ensemble, predicted: Floats) -> tuple[list[Codes], list[Codes]]:
    """Each of some members for itself: the class it predicts, or its number on a scale of its own.

    A tree that adds to the scores of classes speaks for or against: of two classes for the second.
    """
    data, codes, shares = ensemble.data, list[Codes](), list[Codes]()
    for member, values in enumerate(predicted):
        full = np.full(len(values), FULL, np.uint8)
        if not ensemble.way.sums:
            codes.append(_codes(data, values))
            shares.append(full if data.classes else _part(values, *_span(data)))
            continue
        top = float(np.abs(values).max()) or 1.0
        if data.classes:
            own = int(ensemble.column[member]) if len(ensemble.start) > 1 else 1
            other = 0 if len(ensemble.start) == 1 else own
            codes.append(np.where(values > 0, own, other).astype(np.uint8))
            strength = np.abs(values) if other != own else np.maximum(values, 0.0)
            shares.append(np.round(FULL * strength / top).astype(np.uint8))
        else:
            codes.append(_steps(values, -top, top))
            shares.append(_part(values, -top, top))
    return codes, shares


def forest_frame(screen: Screen, theme: Theme, name: str) -> Forest:
    """The picture; while the work is under way it has the points, and what is known so far."""
    session, data = screen.session, screen.data
    kind, plan = plan_of(session, data)
    grove = screen.done(grove_work(session, data))
    shown = None if grove is None else screen.done(shown_work(screen, grove))
    score = score_by(data)
    frame: Forest = {
        **bare_scene(data, screen.axes, theme, name),
        "about": kind.about,
        "say": "",
        "counted": "trees" if kind.rate is None else "rounds",
        "rounds": np.zeros(0, np.int32),
        "words": [],
        "surface": NOTHING,
        "massed": "",
        "errors": [],
        "percent": bool(score.unit),
        "measured": score.error,
        "worth": [],
        "trees": NOTHING,
        "tiles": [],
        "stamp": name,
        **_massed(data, grove, shown),
    }
    if grove is None or shown is None:
        return frame
    held = held_work(session, data)
    found = None if held is None else screen.done(held)
    frame["errors"] = _curves(grove, found)
    frame["rounds"] = shown.rounds.astype(np.int32)
    frame["words"] = _words(data, plan.kind, grove, found, shown.rounds)
    frame["say"] = frame["words"][-1]
    frame["surface"], frame["trees"] = shown.surface, shown.trees
    frame["worth"] = _worth(data, grove, screen.done(worth_work(session, data, grove)))
    frame["tiles"] = _tiles(grove.ensemble)
    if grove.ensemble.stood is not None:
        frame["massed"] = f"A point is as large as {kind.stood}."
    return frame


def _massed(data: Dataset, grove: Grove | None, shown: Shown | None) -> Massed:
    """What the strip shows of a number, and how large the rows stand."""
    out: Massed = {}
    if grove is None or shown is None:
        return out
    if shown.strip is not None:
        out["strip"] = shown.strip
    if grove.ensemble.stood is not None:
        out["mass"] = _mass(data, grove.ensemble, shown.rounds)
    return out


def _curves(grove: Grove, held: Staged | None) -> list[Errors]:
    curves: list[Errors] = [_errors("training", "muted", grove.training, band=False)]
    if grove.out is not None:
        curves.append(_errors("out of bag", "accent", grove.out))
    if held is not None:
        curves.append(_errors("held out", "accent" if grove.out is None else "ink", held))
    return curves


def _errors(name: str, look: Look, found: Staged, band: bool = True) -> Errors:
    width = found.band if band else np.zeros(len(found.band))
    return {"name": name, "look": look, "error": found.error, "band": width}


def _words(data: Dataset, kind: str, grove: Grove, held: Staged | None, rounds: Ints) -> list[str]:
    """What is said of each picture."""
    score, unit = score_by(data), "tree" if ENSEMBLES[kind].rate is None else "round"
    judged = [("training", grove.training, False)]
    if grove.out is not None:
        judged.append(("out-of-bag", grove.out, True))
    if held is not None:
        judged.append(("held-out", held, True))
    out = []
    for number in rounds.tolist():
        parts = []
        for name, found, band in judged:
            at = min(number, len(found.error)) - 1
            if not np.isnan(found.error[at]):
                spread = float(found.band[at]) if band else 0.0  # of no mistake nothing is known
                more = f" ± {score.text(spread)}" if spread else ""
                parts.append(f"{name} {score.error} {score.text(float(found.error[at]))}{more}")
        out.append(f"{count(number, unit)}: {', '.join(parts)}")
    return out


def _worth(data: Dataset, grove: Grove, permuted: Floats | None) -> list[FeatureWorth]:
    """The features, those worth most first."""
    order = np.argsort(-grove.worth, kind="stable")[:20]
    out: list[FeatureWorth] = []
    for feature in order.tolist():
        one: FeatureWorth = {
            "name": clean(data.features[feature]),
            "impurity": float(grove.worth[feature]),
        }
        if permuted is not None:
            own = permuted[feature]
            one["permuted"] = float(own.mean())
            one["low"], one["high"] = float(own.min()), float(own.max())
        out.append(one)
    return out


def _tiles(ensemble: Ensemble) -> list[Tile]:
    """What is said of the first trees."""
    out: list[Tile] = []
    for member in range(min(TILES, len(ensemble.members))):
        words = f"{member + 1}"
        if len(ensemble.start) > 1 and ensemble.way.sums:
            name = ensemble.data.class_names[int(ensemble.column[member])]
            words = f"{int(ensemble.round[member]) + 1}, {name}"
        elif len(np.unique(ensemble.amount)) > 1:
            words += f", vote {ensemble.amount[member]:.2f}"
        out.append({"member": member, "words": words})
    return out


def _mass(data: Dataset, ensemble: Ensemble, rounds: Ints) -> Codes:
    """How large each row that is drawn stands in each picture."""
    assert ensemble.stood is not None
    size = np.abs(ensemble.stood[rounds - 1][:, drawn_rows(data)])
    top = np.quantile(size, 0.98, axis=1, keepdims=True) if size.size else np.ones((len(rounds), 1))
    share = np.divide(size, top, out=np.zeros(size.shape), where=top > 0)
    return np.asarray(np.round(FULL * np.sqrt(np.clip(share, 0, 1))), np.uint8).ravel()
