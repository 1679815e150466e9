"""The frame of the cockpit: from masks and one whole tree the browser finds what the engine says.

Glossary
    anchor     of a row: the first node on the way down to its leaf whose split does not stay
    place      of a node among all, or on the curve, see figures/overfit.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rings import boxes_in
from screens import unpack
from strategies import any_rules, data

import dtviz
from dtviz.engine.cuts import Bools
from dtviz.engine.grow import whole
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.subtrees import Nodes, losses, subtree
from dtviz.engine.tree import apply, height, predict
from dtviz.figures import regions, scene
from dtviz.figures.frame import pack
from dtviz.figures.kinds import Frame
from dtviz.figures.overfit import Subtree, curve_frame, pictures_frame
from dtviz.figures.palette import DARK, LIGHT, step_of
from dtviz.judge.axes import AXES, Axis, left_by, rules_at, value_text
from dtviz.judge.curves import Curve, best, curve, mean_and_error, one_standard_error
from dtviz.judge.metrics import held_rows
from dtviz.say.settings import SETTINGS
from dtviz.table.data import Dataset, dataset, take

TITLES = (("Training", False), ("Held out", True))
every_axis = pytest.mark.parametrize("axis", AXES.values(), ids=lambda axis: axis.name)


def ended(work: Any) -> Any:
    """What sliced work returns."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value


def bits(packed: Any, many: int) -> Bools:
    return np.unpackbits(packed)[:many].astype(np.bool_)


def anchors(frame: Frame, mask: Bools) -> list[int]:
    """The place each row ends at, as the browser walks: down from the root to its leaf."""
    parent, out = frame["parent"], []
    for leaf in frame["leaf"].tolist():
        way = [leaf]
        while way[-1]:
            way.append(int(parent[way[-1]]))
        out.append(next(at for at in reversed(way) if not mask[at] or at == leaf))
    return out


def ends_of(frame: Frame, mask: Bools) -> set[int]:
    """The places that are leaves of the subtree."""
    parent = frame["parent"]
    inside = {0} | {at for at in range(1, len(parent)) if mask[parent[at]]}
    return {at for at in inside if not mask[at]}


def picture_of(
    found: Dataset, held: Bools, nodes: Nodes, stays: Bools, axes: tuple[int, int]
) -> Subtree:
    leaf = losses(nodes, found)[1]
    return Subtree(found, nodes, stays, leaf, held, (0.25, 0.5), axes)


def read(frame: Frame) -> Frame:
    return unpack(pack("overfit", frame))


def masks_of(frame: Frame, places: int) -> list[Bools]:
    """The mask at each place of the curve; none where each value grows a tree of its own."""
    many = len(frame["parent"])
    line = -(-many // 8)
    masks = frame["curve"]["masks"]
    if not masks.size:
        return []
    assert masks.size == line * places
    return [bits(masks[k * line : (k + 1) * line], many) for k in range(places)]


def agrees(frame: Frame, found: Dataset, nodes: Nodes, mask: Bools) -> None:
    """The walk predicts as the engine's subtree does; its boxes part the plane."""
    tree = subtree(nodes, mask)
    leaves, index = apply(tree, found.columns)
    at = anchors(frame, mask)
    assert [nodes.ids[place] for place in at] == [leaves[k] for k in index.tolist()]
    if found.classes:
        values = [tree.nodes[leaves[k]].value for k in index.tolist()]
        assert frame["fill"][at].tolist() == values
    else:
        values = [tree.nodes[leaves[k]].value for k in index.tolist()]
        assert frame["value"][at].tolist() == values
        low, high = frame["low"], frame["high"]
        assert frame["fill"][at].tolist() == [step_of(value, low, high) for value in values]
    ends = ends_of(frame, mask)
    assert {nodes.ids[place] for place in ends} == set(tree.rows)
    _covers(frame, ends)


def _covers(frame: Frame, ends: set[int]) -> None:
    """Every point of the plane lies in exactly one box of a leaf."""
    boxes = boxes_in(frame["regions"])
    mine = np.array([box for place, box in boxes.items() if place in ends])
    across, up = frame["across"], frame["up"]
    share = (np.arange(9) + 0.37) / 9
    x, y = (one["low"] * (1 - share) + one["high"] * share for one in (across, up))
    x, y = x[x > across["low"]], y[y > up["low"]]  # floats may lie too close for nine places
    left, right, bottom, top = mine.T[:, :, None]
    in_x, in_y = (left < x) & (x <= right), (bottom < y) & (y <= top)
    assert (np.einsum("bi,bj->ij", in_x.astype(int), in_y.astype(int)) == 1).all()


@st.composite
def cockpits(draw: st.DrawFn) -> tuple[Dataset, Bools, Nodes, Rules, tuple[int, int]]:
    """Data, rows held out, the whole tree of the others, rules, and the axes shown."""
    found = draw(data(14))
    held = held_rows(found, draw(st.sampled_from((0.2, 0.5))), draw(st.integers(0, 3)))
    training = take(found, ~held)
    rules = draw(any_rules(training))
    features = range(len(found.features))
    pairs = [(a, b) for a in features for b in features if a != b] or [(0, 0)]
    return found, held, whole(Problem(training, rules)), rules, draw(st.sampled_from(pairs))


# --- pictures -------------------------------------------------------------------------------------


@given(cockpits())
def test_every_row_and_every_point_of_the_plane_finds_its_leaf(case: Any) -> None:
    found, held, nodes, rules, axes = case
    stays = left_by(nodes, rules)
    frame = read(pictures_frame(picture_of(found, held, nodes, stays, axes), "n", TITLES))
    assert (bits(frame["mask"], len(nodes.ids)) == stays).all()
    assert (bits(frame["held"], found.n) == held).all()
    agrees(frame, found, nodes, stays)
    tree = subtree(nodes, stays)
    assert frame["now"] == {
        "leaves": len(tree.rows),
        "height": height(tree),
        "errors": [0.25, 0.5],
    }
    rows = {True: int(held.sum()), False: int((~held).sum())}
    assert frame["panels"] == [{"title": t, "held": h, "rows": rows[h]} for t, h in TITLES]


@given(cockpits(), st.sampled_from([axis for axis in AXES.values() if axis.one_tree]))
def test_at_every_place_of_the_curve_too(case: Any, axis: Axis) -> None:
    found, held, nodes, rules, axes = case
    training = take(found, ~held)
    out = take(found, held) if held.any() else None
    along: Curve = ended(curve(lambda _: nodes, rules, axis, training, out))
    shown = picture_of(found, held, nodes, left_by(nodes, rules), axes)
    line = curve_frame(along, None, "now", "5-fold mean", None)
    frame = read(pictures_frame(shown, "n", TITLES) | {"curve": line})
    line = frame["curve"]
    masks = masks_of(frame, len(along.values))
    for at, (mask, value) in enumerate(zip(masks, along.values, strict=True)):
        agrees(frame, found, nodes, mask)
        model = dtviz.fit(training, rules_at(rules, axis, value))
        assert line["leaves"][at] == len(model.leaves)
        assert line["height"][at] == height(model.tree)
        wrong = frame["fill"][anchors(frame, mask)] != found.y if found.classes else None
        if wrong is not None:
            assert line["training"][at] == pytest.approx(wrong[~held].mean())
            if held.any():
                assert line["held"][at] == pytest.approx(wrong[held].mean())
        else:
            off = (predict(model.tree, found.columns) - found.y) ** 2
            assert line["training"][at] == pytest.approx(off[~held].mean())
            if held.any():
                assert line["held"][at] == pytest.approx(off[held].mean())
        if not held.any():
            assert np.isnan(line["held"][at])


def moons() -> tuple[Dataset, Bools, Nodes]:
    found = dtviz.load("moons", n=60)
    held = held_rows(found, 0.3, 1)
    return found, held, whole(Problem(take(found, ~held), Rules()))


def test_an_error_that_is_not_there_is_null() -> None:
    found, held, nodes = moons()
    shown = picture_of(found, held, nodes, nodes.split, (0, 1))
    one = Subtree(**{f: getattr(shown, f) for f in shown.__slots__} | {"errors": (0.0, np.nan)})
    assert read(pictures_frame(one, "n", TITLES))["now"]["errors"] == [0.0, None]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_the_page_s_colours_are_sent(theme: Any) -> None:
    found, held, nodes = moons()
    shown = picture_of(found, held, nodes, nodes.split, (0, 1))
    one = Subtree(**{f: getattr(shown, f) for f in shown.__slots__} | {"theme": theme})
    colours = read(pictures_frame(one, "n", TITLES))["colours"]
    assert (colours["ink"], colours["dark"]) == (theme.ink, theme.dark)


def test_names_from_outside_are_cleaned() -> None:
    found = dataset(np.zeros((2, 3)), np.array([0, 1, 0]), ["a\0b\n", "\u202ex" * 99], "y\t", "ab")
    nodes = whole(Problem(found, Rules()))
    shown = picture_of(found, np.zeros(3, np.bool_), nodes, nodes.split, (0, 1))
    frame = read(pictures_frame(shown, "n", TITLES))
    assert frame["across"]["name"] == "a b"
    assert len(frame["up"]["name"]) <= 60


def test_of_very_many_boxes_and_points_some_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regions, "MAX_REGIONS", 5)
    monkeypatch.setattr(scene, "MAX_POINTS", 20)
    found, held, nodes = moons()
    frame = read(pictures_frame(picture_of(found, held, nodes, nodes.split, (0, 1)), "n", TITLES))
    assert 5 <= len(frame["regions"]["node"]) <= 6
    rows = scene.drawn_rows(found)
    assert len(frame["leaf"]) == len(rows) == 20
    assert (bits(frame["held"], 20) == held[rows]).all()
    assert [panel["rows"] for panel in frame["panels"]] == [42, 18]


# --- the curve ------------------------------------------------------------------------------------


@every_axis
def test_the_curve_is_sent_as_it_is(axis: Axis) -> None:
    found, held, _ = moons()
    training, out = take(found, ~held), take(found, held)
    along: Curve = ended(
        curve(lambda rules: whole(Problem(training, rules)), Rules(), axis, training, out)
    )
    frame = read(curve_frame(along, 1, "words", "5-fold mean", None))
    assert frame["rule"] == axis.rule
    assert frame["title"].startswith(f"{SETTINGS[axis.rule].words} (")
    assert frame["words"] == SETTINGS[axis.rule].words
    way = "larger" if axis.name in ("depth", "leaves") else "smaller"
    assert f"{way} trees to the right" in frame["title"]
    assert frame["now"] == "words"
    assert frame["values"] == [*along.values]
    assert frame["labels"] == [value_text(value) for value in along.values]
    assert frame["training"].tolist() == along.training.tolist()
    assert frame["held"].tolist() == along.held.tolist()
    assert frame["leaves"].tolist() == along.leaves.tolist()
    assert frame["height"].tolist() == along.height.tolist()
    assert frame["at"] == 1
    assert read(curve_frame(along, None, "", "", None))["at"] == -1
    assert not {"mean", "spread", "best", "one_error", "folds"} & frame.keys()
    assert bool(frame["masks"].size) == axis.one_tree
    larger = np.diff(frame["leaves"])
    assert (larger >= 0).all() if way == "larger" else (larger <= 0).all() or not axis.one_tree


@every_axis
def test_the_folds_give_mean_spread_and_both_choices(axis: Axis) -> None:
    found, held, nodes = moons()
    training = take(found, ~held)
    grow = {True: lambda _: nodes, False: lambda rules: whole(Problem(training, rules))}[
        axis.one_tree
    ]
    along: Curve = ended(curve(grow, Rules(), axis, training, None))
    errors = np.random.default_rng(0).integers(0, 4, (5, len(along.values))) / 4
    frame = read(curve_frame(along, 0, "", "5-fold mean", errors))
    mean, error = mean_and_error(errors)
    assert frame["mean"].tolist() == errors.mean(axis=0).tolist() == mean.tolist()
    assert frame["spread"] == pytest.approx(errors.std(axis=0, ddof=1) / np.sqrt(5))
    assert frame["best"] == best(axis, mean)
    assert mean[frame["best"]] == mean.min()
    assert frame["one_error"] == one_standard_error(axis, mean, error)
    assert mean[frame["one_error"]] <= mean.min() + error[frame["best"]] + 1e-12
    simpler = frame["best"] - frame["one_error"]
    assert simpler >= 0 if axis.small_is_simple else simpler <= 0
    assert frame["folds"] == "5-fold mean"


def test_a_curve_of_one_row_has_one_place() -> None:
    one = dataset([[1.0]], np.array([2.5]), ["x"], "y")
    rules = default_rules("regression")
    nodes = whole(Problem(one, rules))
    for axis in AXES.values():
        along: Curve = ended(curve(lambda _: nodes, rules, axis, one, None))
        frame = read(curve_frame(along, 0, "", "", None))
        assert (frame["labels"], frame["leaves"].tolist()) in (
            (["1"], [1]), (["2"], [1]), (["0"], [1]),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (12_000, "12,000"), (None, "no limit"), (0.0, "0"), (0.123456, "0.123"), (3.0, "3")],
)
def test_values_are_short(value: Any, text: str) -> None:
    assert value_text(value) == text
