"""The frame of the cockpit: from masks and one whole tree the browser finds what the engine says.

Glossary
    anchor     of a row: the first node on the way down to its leaf whose split does not stay
    place      of a node among all, or on the curve, see pictures/overfit.py
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of
from hypothesis import given
from hypothesis import strategies as st
from rings import boxes_in
from screens import unpack
from strategies import any_rules, data

import dtviz
from dtviz.base.arrays import Bools
from dtviz.base.lazy import Cache
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset, take_rows
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.grow import full_tree
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.subtrees import Nodes, losses, subtree
from dtviz.engine.tree import Collapse, apply, height
from dtviz.evaluate.curves import (
    AXES,
    curve,
    index_of_best,
    kept_splits,
    mean_and_error,
    one_standard_error,
    rule_value_label,
)
from dtviz.evaluate.metrics import held_rows
from dtviz.explain.words import SETTINGS
from dtviz.pictures import regions, scales
from dtviz.pictures.frame_types import Frame
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.overfit import Subtree, curve_frame, judging_frame, pictures_frame
from dtviz.pictures.packing import equal_values, pack
from dtviz.pictures.scales import DARK, LIGHT, step_of
from dtviz.session.handle import handle, handle_visit
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import Judging, Session

TITLES = (("Training", False), ("Held out", True))


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


def agrees(frame: Frame, data: Dataset, nodes: Nodes, mask: Bools) -> None:
    """The walk predicts as the engine's subtree does; its boxes part the plane."""
    tree = subtree(nodes, mask)
    leaves, index = apply(tree, data.columns)
    places = anchors(frame, mask)
    assert [nodes.ids[place] for place in places] == [leaves[k] for k in index.tolist()]
    values = [tree.nodes[leaves[k]].value for k in index.tolist()]
    if data.classes:
        assert frame["colour_code"][places].tolist() == values
    else:
        assert frame["value"][places].tolist() == values
        low, high = frame["low"], frame["high"]
        assert frame["colour_code"][places].tolist() == [
            step_of(value, low, high) for value in values
        ]
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
    training = take_rows(found, ~held)
    rules = draw(any_rules(training))
    features = range(len(found.features))
    pairs = [(a, b) for a in features for b in features if a != b] or [(0, 0)]
    return found, held, full_tree(Problem(training, rules)), rules, draw(st.sampled_from(pairs))


@given(cockpits())
def test_every_row_and_every_point_of_the_plane_finds_its_leaf(case: Any) -> None:
    data, held, nodes, rules, axes = case
    mask = kept_splits(nodes, rules)
    frame = read(pictures_frame(picture_of(data, held, nodes, mask, axes), "n", TITLES))
    assert (bits(frame["mask"], len(nodes.ids)) == mask).all()
    assert (bits(frame["held_out"], data.n) == held).all()
    agrees(frame, data, nodes, mask)
    tree = subtree(nodes, mask)
    assert frame["figures"] == {
        "leaves": len(tree.rows),
        "height": height(tree),
        "errors": [0.25, 0.5],
    }
    rows = {True: int(held.sum()), False: int((~held).sum())}
    assert frame["panels"] == [{"title": t, "is_held_out": h, "rows": rows[h]} for t, h in TITLES]


def moons() -> tuple[Dataset, Bools, Nodes]:
    found = dtviz.load("moons", n=60)
    held = held_rows(found, 0.3, 1)
    return found, held, full_tree(Problem(take_rows(found, ~held), Rules()))


def test_the_colours_of_the_page_are_sent_and_an_error_that_is_none_as_null() -> None:
    data, held, nodes = moons()
    shown = picture_of(data, held, nodes, nodes.is_split, (0, 1))
    for theme in (LIGHT, DARK):
        frame = read(pictures_frame(replace(shown, theme=theme, errors=(0.0, np.nan)), "n", TITLES))
        assert frame["figures"]["errors"] == [0.0, None]
        assert (frame["colours"]["ink"], frame["colours"]["dark"]) == (theme.ink, theme.dark)


def test_of_very_many_boxes_and_points_some_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regions, "MAX_REGIONS", 5)
    monkeypatch.setattr(scales, "MAX_POINTS", 20)
    found, held, nodes = moons()
    frame = read(
        pictures_frame(picture_of(found, held, nodes, nodes.is_split, (0, 1)), "n", TITLES)
    )
    assert 5 <= len(frame["regions"]["node"]) <= 6
    rows = scales.drawn_rows(found)
    assert len(frame["leaf"]) == len(rows) == 20
    assert (bits(frame["held_out"], 20) == held[rows]).all()
    assert [panel["rows"] for panel in frame["panels"]] == [42, 18]


def test_the_curve_is_sent_as_it_is_with_the_mean_spread_and_choices_of_the_folds() -> None:
    data, held, nodes = moons()
    training, out = take_rows(data, ~held), take_rows(data, held)
    for axis in AXES.values():
        grow = {True: lambda _: nodes, False: lambda rules: full_tree(Problem(training, rules))}[
            axis.one_tree
        ]
        along = run_to_end(curve(grow, Rules(), axis, training, out))
        frame = read(curve_frame(along, 1, "words", "5-fold mean", None))
        assert frame["rule"] == axis.rule
        assert frame["title"].startswith(f"{SETTINGS[axis.rule].title} (")
        assert frame["name"] == SETTINGS[axis.rule].title
        way = "larger" if axis.name in ("depth", "leaves") else "smaller"
        assert f"{way} trees to the right" in frame["title"]
        assert (frame["setting_text"], frame["place"]) == ("words", 1)
        assert frame["values"] == [*along.values]
        assert frame["labels"] == [rule_value_label(value) for value in along.values]
        for key, line in (
            ("training_error", along.training),
            ("held_out_error", along.held),
            ("leaves", along.leaves),
            ("height", along.height),
        ):
            assert frame[key].tolist() == line.tolist(), (axis.name, key)
        assert read(curve_frame(along, None, "", "", None))["place"] == -1
        assert (
            not {"mean", "standard_error", "best_place", "simplest_place", "fold_text"}
            & frame.keys()
        )
        assert bool(frame["masks"].size) == axis.one_tree
        more = np.diff(frame["leaves"])
        assert (more >= 0).all() if way == "larger" else (more <= 0).all() or not axis.one_tree

        errors = np.random.default_rng(0).integers(0, 4, (5, len(along.values))) / 4
        frame = read(curve_frame(along, 0, "", "5-fold mean", errors))
        mean, error = mean_and_error(errors)
        assert frame["mean"].tolist() == errors.mean(axis=0).tolist() == mean.tolist()
        assert frame["standard_error"] == pytest.approx(errors.std(axis=0, ddof=1) / np.sqrt(5))
        assert frame["best_place"] == index_of_best(axis, mean)
        assert mean[frame["best_place"]] == mean.min()
        assert frame["simplest_place"] == one_standard_error(axis, mean, error)
        assert mean[frame["simplest_place"]] <= mean.min() + error[frame["best_place"]] + 1e-12
        simpler = frame["best_place"] - frame["simplest_place"]
        assert simpler >= 0 if axis.small_is_simple else simpler <= 0, axis.name
        assert frame["fold_text"] == "5-fold mean"


def test_a_curve_of_a_single_row_has_a_single_place_and_values_are_short() -> None:
    row, rules = make_dataset([[1.0]], np.array([2.5]), ["x"], "y"), default_rules("regression")
    nodes = full_tree(Problem(row, rules))
    for axis in AXES.values():
        along = run_to_end(curve(lambda _: nodes, rules, axis, row, None))
        frame = read(curve_frame(along, 0, "", "", None))
        assert frame["labels"] in (["1"], ["2"], ["0"]), axis.name
        assert frame["leaves"].tolist() == [1], axis.name
    texts = {1: "1", 12_000: "12,000", None: "no limit", 0.0: "0", 0.123456: "0.123", 3.0: "3"}
    assert {value: rule_value_label(value) for value in texts} == texts


# --- acts -----------------------------------------------------------------------------------------


MOONS = example_recipe("moons", n=80, noise=0.3, seed=7)
DATA = build(MOONS)


def screen(session: Session) -> Screen:
    return screen_of(session, DATA, future_of(DATA))


START = screen(Session(MOONS))


def shown(screen: Screen, name: str = "overfit") -> Any:
    return PICTURES[name].draw(screen, LIGHT)


def done(picture: str, what: str, on: Screen = START, **event: Any) -> Screen:
    return screen(handle(on, picture, {"what": what} | event))


def test_a_place_on_the_curve_is_the_tree_that_was_told_of_there() -> None:
    curve = shown(START)["curve"]
    for at, value in enumerate(curve["values"]):
        frame = shown(done("overfit", "place", rule=curve["rule"], value=value))
        assert frame["curve"]["place"] == at
        now = curve["leaves"][at], [curve["training_error"][at], curve["held_out_error"][at]]
        assert (frame["figures"]["leaves"], frame["figures"]["errors"]) == now


def test_the_folds_of_a_pruned_tree_have_one_mean_whatever_the_curve_goes_along() -> None:
    flowers = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
    rows = build(flowers)
    for max_depth in (None, 18):
        rules = Rules(order="best", ccp_alpha=0.46, max_depth=max_depth)
        for against in ("depth", "leaves", "alpha"):
            judging = Judging(against=against, folds=5)
            on = screen_of(Session(flowers, rules, judging=judging), rows, future_of(rows))
            curve = shown(on)["curve"]
            assert curve["mean"][curve["place"]] == pytest.approx(0.2), (max_depth, against)


def test_a_slider_keeps_the_prunes_that_a_place_takes_back() -> None:
    pruned = done("judging", "prune", nodes=[2])
    slid, placed = (
        done("overfit", what, pruned, rule="max_depth", value=4) for what in ("slider", "place")
    )
    assert slid.session.judging.prunes == (Collapse(2),)
    assert shown(slid)["curve"]["place"] == -1
    assert shown(slid)["curve"]["setting_text"] == "Depth at most 4, 1 prune"
    assert placed.session.judging.prunes == ()
    assert shown(placed)["curve"]["setting_text"] == "Depth at most 4"


def test_another_axis_is_another_curve_over_the_same_pictures() -> None:
    before, after = shown(START), shown(done("judging", "judge", values={"against": "alpha"}))
    assert (before["curve"]["rule"], after["curve"]["rule"]) == ("max_depth", "ccp_alpha")
    assert (before["mask"] == after["mask"]).all()
    assert [dial["rule"] for dial in before["dials"]] == [dial["rule"] for dial in after["dials"]]


def test_the_pictures_stand_over_the_rows_that_are_sent() -> None:
    for axes in (None, (1, 0)):
        here = screen(Session(MOONS, axes=axes))
        assert shown(here)["cloud"] == shown(here, "rows")["name"]


def test_until_its_work_is_done_the_curve_and_the_folds_are_not_there() -> None:
    def waiting(*works: str) -> Any:
        done = lambda work: START.result_of(work) if work.key[0] in works else None  # noqa: E731
        return shown(replace(START, result_of=done))

    assert "curve" not in waiting()
    assert "mean" not in waiting("curve")["curve"]
    assert "mean" in shown(START)["curve"]
    hidden = screen(Session(MOONS, hidden=("settings", "why")))
    assert "dials" not in shown(hidden)
    assert {*judging_frame(hidden, LIGHT)} == {"title", "caption"}


IRIS = example_recipe("iris")


def test_what_is_kept_of_a_full_tree_is_what_would_be_made_for_each_of_its_subtrees() -> None:
    rules, cache, flowers = Rules(), Cache(), build(IRIS)
    start = Session(IRIS, rules)
    after = (
        {"rules": replace(rules, max_depth=2)},
        {"judging": Judging(prunes=(Collapse(2),))},
        {"judging": Judging(share=0.5)},
        {"judging": Judging(seed=1)},
        {"rules": replace(rules, min_samples_leaf=5)},
        {"rules": Rules("gini")},
        {"axes": (0, 2)},
        {"axes": (2, 0)},
        {"pins": ((0, 5.0),)},
        {},
    )
    for changes in after:
        session = replace(start, **changes)
        kept = screen_of(session, flowers, future_of(flowers), cache)
        new = screen_of(session, flowers, future_of(flowers))
        for theme in (LIGHT, DARK):
            frames = [PICTURES["overfit"].draw(screen, theme) for screen in (kept, new)]
            assert equal_values(*frames), (changes, theme.dark)


def test_a_node_clicked_in_the_pruned_tree_is_its_focus() -> None:
    marked = replace(START, visit=handle_visit(START, "pruning", {"what": "focus", "node": "3"}))
    assert (START.marked_node, marked.marked_node) == (None, 3)
    assert shown(marked, "pruning")["focus"] == "3"
    leaf = next(node for node in marked.judged.tree.rows)
    assert replace(START, visit=replace(START.visit, marked_node=leaf)).marked_node is None


def test_too_many_rows_are_not_left_out_one_by_one() -> None:
    large = example_recipe("moons", n=2_000)
    data = build(large)
    one_out = screen_of(Session(large, judging=Judging(folds=1)), data, future_of(data))
    assert one_out.fold_errors() is None
    assert one_out.curve() is not None
