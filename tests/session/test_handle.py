"""Every act on every picture as a plain function: what it makes, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from futures import future_of
from hypothesis import given, settings
from hypothesis import strategies as hst
from test_drawing import anything

from dtviz.data.gallery import build, example_recipe
from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Collapse, Grow
from dtviz.evaluate.stability import StabilitySettings
from dtviz.session.address import moves_text
from dtviz.session.browser_files import EVENT_HANDLERS as SHELF
from dtviz.session.events import EVENTS
from dtviz.session.handle import ACTIONS, VISIT_ACTIONS, handle
from dtviz.session.impurity import ImpuritySettings, TwoSplits
from dtviz.session.screen import Screen, screen_of
from dtviz.session.session import MAX_CELLS, Judging, Session, hide, step_forward, timeline

IRIS = example_recipe("iris")
TENNIS = example_recipe("play_tennis")
DATA = build(IRIS)
FUTURE = future_of(DATA)


def screen(**changes: Any) -> Screen:
    """A screen of iris, two steps on."""
    session = Session(IRIS)
    for _ in range(2):
        session = step_forward(session, FUTURE)
    return screen_of(replace(session, **changes), DATA, FUTURE)


HERE = screen()
COLUMNS = {"values", "nodes", "stamp", "index", "node", "step", "place", "feature", "on", "branch"}
OTHERS = "up", "moves", "rule", "value", "criterion", "max_depth", "folds", "share"
WORDS = hst.sampled_from([*COLUMNS, *OTHERS])
VALUES = hst.one_of(
    anything,
    hst.just(HERE.stamp),
    hst.sampled_from([0, 1, 2, 99, -1, 10**400, 0.5, True, None, "1", "max_depth", "9" * 5_000]),
    hst.dictionaries(WORDS, anything, max_size=2),
)


def test_every_act_that_is_done_can_be_read() -> None:
    acts = {(picture, what) for picture, some in ACTIONS.items() for what in some}
    read = {(picture, what) for picture, some in EVENTS.items() for what in some}
    assert (
        acts | VISIT_ACTIONS.keys() | {("address", "went"), *(("shelf", what) for what in SHELF)}
        == read
    )


@settings(max_examples=60)
@given(hst.data())
def test_an_event_of_any_content_makes_a_session_and_never_raises(data: hst.DataObject) -> None:
    picture = data.draw(hst.sampled_from([*ACTIONS, "", "no picture"]))
    what = data.draw(hst.one_of(hst.sampled_from([*ACTIONS.get(picture, {"goto": 0})]), anything))
    event = data.draw(hst.dictionaries(WORDS, VALUES, max_size=4)) | {"what": what}
    after = handle(HERE, picture, event)
    assert isinstance(after, Session)
    screen_of(after, DATA, FUTURE)  # whatever it is, it can be shown


def test_a_picture_does_its_own_acts_only() -> None:
    for picture in ("stage", "tree", "overfit"):
        assert handle(HERE, picture, {"what": "goto", "step": 0}) == HERE.session
    assert handle(HERE, "line", {"what": "focus", "node": "1"}) == HERE.session


def test_what_is_hidden_is_not_done() -> None:
    here = screen(focus=2)
    cut = {"what": "cut", "index": 0}
    hides: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("line", {"what": "goto", "step": 0}, "time-line"),
        ("stage", {"what": "focus", "node": "1"}, "focus"),
        ("tree", {"what": "focus", "node": "1"}, "focus"),
        ("stage", cut, "split"),
        ("stage", cut, "gains"),
        ("grow", cut, "gains"),
        ("grow", {"what": "ask", "on": True}, "settings"),
        ("grow", {"what": "axis", "place": 0, "feature": 0}, "settings"),
        ("grow", {"what": "split"}, "split"),
        ("grow", {"what": "follow", "moves": "1.3.0.8"}, "split"),
    )
    for picture, event, name in hides:
        hidden = screen_of(hide(here.session, [name]), DATA, FUTURE)
        assert handle(here, picture, event | {"stamp": here.stamp}) != here.session, event
        after = handle(hidden, picture, event | {"stamp": hidden.stamp})
        assert after == hidden.session, (picture, event)


def test_a_split_is_that_of_the_cut_looked_at_on_this_very_screen() -> None:
    here = screen(focus=1, cut=screen(focus=1).node_view.candidates.split(3))
    after = handle(here, "grow", {"what": "split", "stamp": here.stamp})
    assert after.log[-1].split == here.session.cut
    assert handle(here, "grow", {"what": "split", "stamp": HERE.stamp}) == here.session


def test_a_tree_found_elsewhere_is_grown_from_the_root_and_the_old_line_stays_a_branch() -> None:
    log = Grow(1, axis_split(2, 4.75)), Grow(2, axis_split(3, 0.8)), Grow(3, axis_split(3, 1.75))
    after = handle(HERE, "grow", {"what": "follow", "moves": moves_text(log)})
    assert after.log == log
    assert after.undone == ()
    assert after.branches == (timeline(HERE.session, FUTURE),)
    assert screen_of(after, DATA, FUTURE).tree.splits.keys() == {1, 2, 3}


def test_what_cannot_be_changes_nothing() -> None:
    refused: tuple[tuple[str, dict[str, Any]], ...] = (
        *(("grow", {"what": "follow", "moves": moves}) for moves in (
            "", "a2", "1.3.0.8_a1", "2.3.0.8", "1.9.0.8", "1.3.99", "1.3.0.8_1.3.0.8", "_", 1,
            None)),
        *(("grow", {"what": "axis", "place": 0, "feature": feature})
          for feature in (99, 4, -1, "0", 0.0, None, True, [0])),
        *(("grow", {"what": "pin", "feature": feature, "value": value}) for feature, value in (
            (4, 1.0), (-1, 1.0), (True, 1.0), ("0", 1.0), (0, "1"), (0, None), (0, True),
            (0, math.nan), (0, math.inf), (0, 10**400))),
        *(("judging", {"what": "judge", "values": values}) for values in (
            {"share": "x"}, {"share": 1}, {"folds": 2.5}, {"folds": True}, {"against": []},
            {"nope": 1}, {"seed": 10**400}, {"share": math.nan}, {"prunes": [3]}, [], None)),
        *(("grow", {"what": "row", "row": row}) for row in (
            0, 151, -1, 10**400, True, "1", 1.5, [[99, 1.0]], [[0, 1e301]], [[0]], [0],
            [[0, "1"]], [[0, 10**400]], [[0, 1.0]] * (MAX_CELLS + 1), {"0": 1})),
        *(("stability", {"what": "set", "values": values}) for values in (
            {"way": "two"}, {"way": ["one"]}, {"way": None}, {"percent": 0}, {"percent": 10.0},
            {"trees": 10**9}, {"seed": "1"}, {"shown": -1}, {"shown": 1.5}, {"shown": True},
            {"nope": 1}, [], None, 7)),
        *(("forest", {"what": "plan", "values": values}) for values in (
            {"features": None}, {"trees": 0}, {"trees": "7"}, {"rate": 2.0}, {"speed": 1}, [])),
        *(("lab", {"what": "set", "values": {"percent": 7} | values}) for values in (
            {"percent": 101}, {"percent": True}, {"percent": 30.0}, {"percent": "30"},
            {"shares": [20, 20]}, {"shares": [20, 20, 20.0]}, {"shares": "abc"}, {"shares": None},
            {"splits": [[1, 1], [1, 0], [0, 1]]}, {"splits": {"parent": [5, 2]}}, {"splits": {}},
            {"splits": {"parent": [5, 2], "first": [6, 0], "second": [1, 1]}},
            {"splits": {"parent": [5, 2], "first": [1, 0], "second": [1, 1], "third": [0, 0]}},
            {"splits": {"parent": [5, 2], "first": [True, 0], "second": [1, 1]}},
            {"between": ["gini"]}, {"between": [["gini"], "error"]}, {"opened": ["gini"]},
            {"impurity": {}}, {"nope": 1})),
        *(("settings", {"what": "rules", "values": values}) for values in (
            {"max_depth": 2, "criterion": "nope"}, {"criterion": "squared_error"})),
    )  # fmt: skip
    here = screen(shake=StabilitySettings(shown=3))
    for picture, event in refused:
        assert handle(here, picture, event) == here.session, event
    event = {"what": "rules", "values": {"max_depth": 2, "criterion": "gini"}}
    assert handle(HERE, "settings", event).rules == Rules("gini", max_depth=2)


def test_a_slice_is_moved_and_back_again() -> None:
    one = handle(HERE, "grow", {"what": "pin", "feature": 0, "value": 5.1})
    two = handle(screen(pins=one.pins), "grow", {"what": "pin", "feature": 1, "value": 3})
    assert two.pins == ((0, 5.1), (1, 3.0))
    again = handle(screen(pins=two.pins), "grow", {"what": "pin", "feature": 0, "value": 6.5})
    assert again.pins == ((0, 6.5), (1, 3.0))
    assert handle(screen(pins=two.pins), "grow", {"what": "unpin"}) == HERE.session


def test_a_category_is_pinned_at_its_own_values_alone() -> None:
    data = build(TENNIS)
    place = next(f for f, levels in enumerate(data.levels) if levels)
    here = screen_of(Session(TENNIS), data, future_of(data))
    for value in (-1, 0.5, len(data.levels[place])):
        event = {"what": "pin", "feature": place, "value": value}
        assert handle(here, "grow", event) == here.session
    event = {"what": "pin", "feature": place, "value": 1}
    assert handle(here, "grow", event).pins == ((place, 1.0),)


def test_axes_are_chosen_and_swapped() -> None:
    here = screen(axes=(2, 3))
    axes = [
        handle(here, "grow", {"what": "axis", "place": place, "feature": feature}).axes
        for place, feature in ((0, 1), (1, 1), (0, 3), (1, 2))
    ]
    assert axes == [(1, 3), (2, 1), (3, 2), (3, 2)]


def test_of_one_feature_there_are_no_two_axes() -> None:
    steps = example_recipe("steps")
    data = build(steps)
    here = screen_of(Session(steps, Rules("squared_error")), data, future_of(data))
    for place in (0, 1):
        event = {"what": "axis", "place": place, "feature": 0}
        assert handle(here, "grow", event) == here.session


def test_other_rows_held_out_have_no_prunes() -> None:
    here = screen(judging=Judging(prunes=(Collapse(3),)))
    after = handle(here, "judging", {"what": "judge", "values": {"folds": 3}})
    assert after.judging == Judging(folds=3, prunes=(Collapse(3),))
    after = handle(here, "judging", {"what": "judge", "values": {"seed": 3}})
    assert after.judging == Judging(seed=3)


def test_prunes_are_made_and_taken_back() -> None:
    after = handle(HERE, "judging", {"what": "prune", "nodes": [3, 6]})
    assert after.judging.prunes == (Collapse(3), Collapse(6))
    here = screen_of(after, DATA, FUTURE)
    assert handle(here, "judging", {"what": "unprune", "nodes": [3]}).judging.prunes == (
        Collapse(6),
    )


def test_every_picture_of_the_page_impurity_sets_values_as_json_has_them() -> None:
    two = {"parent": [5, 2], "first": [4, 2], "second": [4, 1]}
    values = {"percent": 7, "shares": [20, 20, 20], "impurity": "gini", "opened": "cart",
              "splits": two, "between": ["gini", "cart"]}  # fmt: skip
    lab = ImpuritySettings(
        7, (20, 20, 20), "gini", TwoSplits((5, 2), (4, 2), (4, 1)), "cart", ("gini", "cart")
    )
    for picture in ("lab", "measures", "simplex", "splits"):
        assert handle(HERE, picture, {"what": "set", "values": values}).lab == lab, picture


def test_other_trees_are_others_than_the_one_that_was_looked_at() -> None:
    here = screen(shake=StabilitySettings(shown=3))
    for values, shake in (
        ({"way": "resample"}, StabilitySettings("resample")),
        ({"seed": 4}, StabilitySettings(seed=4)),
        ({"shown": 5}, StabilitySettings(shown=5)), ({"shown": None}, StabilitySettings()),
    ):  # fmt: skip
        after = handle(here, "stability", {"what": "set", "values": values})
        assert after.shake == shake, values


def test_an_ensemble_has_another_plan_and_a_click_asks_for_a_tree_of_it() -> None:
    for values, plan in (
        ({"trees": 7}, Plan(trees=7)),
        ({"kind": "gradient", "rate": 0.5}, Plan("gradient", rate=0.5)),
        ({"features": 2, "seed": 5}, Plan(features=2, seed=5)),
    ):
        after = handle(HERE, "forest", {"what": "plan", "values": values})
        assert after.plan == plan, values
    assert handle(HERE, "forest", {"what": "open", "member": 4}).opened == 4
    assert handle(HERE, "forest", {"what": "open", "member": "4"}) == HERE.session


# --- a row whose way is shown ---------------------------------------------------------------------


def test_a_click_on_a_point_shows_its_way_and_looks_at_its_leaf() -> None:
    click = {"what": "row", "row": 71, "focus": True}
    after = handle(HERE, "stage", click)
    way = screen(row=71).row_path
    assert (after.row, after.focus) == (71, way.nodes[-1])
    assert handle(screen(row=71), "stage", click | {"row": None}).row is None
    held = screen_of(hide(HERE.session, ["focus"]), DATA, FUTURE)
    after = handle(held, "stage", click)  # where nodes cannot be chosen, the way alone
    assert (after.row, after.focus) == (71, None)
    assert screen(row=10**6).row_path is None  # other data may have fewer rows


def test_typed_values_are_a_row_of_their_own() -> None:
    after = handle(HERE, "grow", {"what": "row", "row": [[3, 1], [2, 4.7]]})
    assert after.row == ((2, 4.7), (3, 1.0))
    way = screen_of(after, DATA, FUTURE).row_path
    assert way.prediction_text
