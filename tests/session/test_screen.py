"""Lines and circles drawn by hand: the cut nearest to each, in one change, in the address."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from futures import future_of

from dtviz.data.dataset import make_recipe
from dtviz.data.gallery import build, example_recipe
from dtviz.engine.criteria.criteria import CRITERIA as CRITERIA_BY
from dtviz.engine.criteria.from_counts import scores
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import Axis, Oblique, Radial, Split, goes_left, score
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.session.handle import handle, handle_visit
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.screen import Screen, can_draw, circle_cut, line_cut, screen_of, two_splits
from dtviz.session.session import Session, step_forward

MOONS = make_recipe("moons", n=120, noise=0.25, seed=7)
DATA = build(MOONS)
EVERY = Rules("gini", families=("axis", "oblique", "radial"))


FUTURE = future_of(DATA)


@cache
def shown(session: Session) -> Screen:
    return screen_of(session, DATA, FUTURE)


def screen(rules: Rules = EVERY, **changes: Any) -> Screen:
    return shown(Session(MOONS, rules=rules, **changes))


def stage_of(here: Screen) -> Any:
    return PICTURES["stage"].draw(here, LIGHT)


def line(start: Any, end: Any, **more: Any) -> dict[str, Any]:
    return {"what": "line", "start": start, "end": end, **more}


def test_a_line_is_the_cut_whose_direction_it_has_and_whose_threshold_is_nearest() -> None:
    here = screen()
    cut = line_cut(here, (-1.0, -0.5), (2.0, 1.0))
    assert cut.projection == Oblique(((0, 1.0), (1, -2.0)))
    scores = score(cut.projection, DATA.columns)
    assert (scores <= cut.threshold).sum() == (scores <= 0).sum()
    after = screen(cut=cut, focus=1)
    assert after.node_view.index is not None
    assert after.node_view.candidates.split(after.node_view.index) == cut


def test_a_line_along_an_axis_is_a_cut_of_one_feature_and_either_axis_may_be_across() -> None:
    here = screen()
    for start, end, feature in (
        ((0.5, -1.0), (0.5, 1.0), 0), ((0.5, -1.0), (0.5001, 1.0), 0), ((-1.0, 0.2), (1.0, 0.2), 1),
    ):  # fmt: skip
        cut = line_cut(here, start, end)
        assert cut.projection == Axis(feature), (start, end)
    turned = line_cut(screen(axes=(1, 0)), (-0.5, -1.0), (1.0, 2.0))
    assert turned == line_cut(here, (-1.0, -0.5), (2.0, 1.0))


def test_a_circle_is_about_its_centre_and_through_its_rim() -> None:
    cut = circle_cut(screen(), (0.5, 0.25), (1.5, 0.25))
    assert isinstance(cut.projection, Radial)
    assert [at for _, at, _ in cut.projection.terms] == [0.5, 0.25]
    assert cut.threshold == pytest.approx(1, abs=0.1)
    across = np.abs(DATA.columns[0] - 0.5) > 1.2
    assert not goes_left(cut, DATA.columns)[across].any()


def test_what_is_drawn_in_one_go_is_one_change_for_undo() -> None:
    here = screen()
    visit = handle_visit(here, "stage", line([-1, -0.5], [2, 1]))
    for k in range(3):
        there = replace(shown(visit.session), visit=visit)
        visit = handle_visit(there, "stage", line([-1, -0.5], [2, 1.2 + k / 5], more=True))
    assert visit.session.cut != here.session.cut
    assert visit.undo_stack == (here.session,)


def test_only_where_such_cuts_compete_and_nothing_hides_them() -> None:
    plain = screen(Rules("gini"))
    assert not can_draw(plain, "oblique")
    assert handle(plain, "stage", line([0, 0], [1, 1])) == plain.session
    hidden = screen(hidden=("gains",))
    assert handle(hidden, "stage", line([0, 0], [1, 1])) == hidden.session
    assert stage_of(hidden)["can"]["line"] is False
    assert stage_of(screen())["can"] == {
        "cut": True, "focus": True, "line": True, "circle": True,
    }  # fmt: skip
    iris = example_recipe("play_tennis")
    tennis = build(iris)
    session = Session(iris, rules=Rules("gini", families=("axis", "subset", "oblique")))
    assert not can_draw(screen_of(session, tennis, future_of(tennis)), "oblique")


def test_a_line_of_any_content_never_raises() -> None:
    here = screen()
    for event in (
        line([0, 0], [0, 0]),
        line([0, 0], [float("nan"), 1]),
        line([0, 1e308], [1, -1e308]),
        line([0], [1, 2]),
        line("ab", "cd"),
        line([True, 0], [1, 1]),
        {"what": "circle", "centre": [0, 0], "rim": None},
        {"what": "circle", "centre": [1e300, 0], "rim": [0, 0]},
        {"what": "circle", "centre": [float("inf"), 0], "rim": [0, 0]},
    ):
        session = handle(here, "stage", event)
        assert shown(session).node_view.candidates.best is not None, event


def test_a_line_by_hand_stands_beside_features_with_gaps() -> None:
    gaps = np.where(np.arange(DATA.n) % 4, 0.5, np.nan)
    names = (*DATA.features, "c")
    lacking = replace(DATA, columns=np.array([*DATA.columns, gaps]), features=names, levels=(),
                      quantities=())  # fmt: skip
    by_hand = Oblique(((0, 1.0), (1, -2.0)))
    for missing in ("learned", "surrogates", "majority"):
        session = Session(MOONS, rules=replace(EVERY, missing=missing))
        here = screen_of(session, lacking, future_of(lacking))
        cuts = here.with_projection(here.node_view.candidates, by_hand)
        line = cuts.of_line(cuts.projections.index(by_hand))
        assert line.stop - line.start == 119, missing
        assert len(cuts.missing_left) == len(cuts)


def test_a_line_by_hand_does_not_compete() -> None:
    here = screen(Rules("gini", families=("axis", "radial")))
    by_hand = Split(Oblique(((0, 1.0), (1, -3.35))), 0.25)
    cuts = here.with_projection(here.node_view.candidates, by_hand.projection)
    assert cuts.best == here.node_view.candidates.best
    assert cuts.tied.sum() == here.node_view.candidates.tied.sum()
    own = cuts.of_line(cuts.projections.index(by_hand.projection))
    assert own.stop - own.start == 119
    assert here.with_projection(cuts, by_hand.projection) is cuts


def test_the_stage_shows_the_line_that_is_looked_at_over_its_own_axis() -> None:
    cut = line_cut(screen(), (-1.0, -0.5), (2.0, 1.0))
    stage: Any = stage_of(screen(cut=cut, focus=1))
    assert stage["slant"]["name"] == "x1 - 2·x2"
    assert stage["slant"]["form"] == [0, 1, -2, 0, 0, 0, 0]
    assert stage["chosen"][0] == 2
    assert stage["slant"]["score"].tolist() == score(cut.projection, DATA.columns).tolist()
    assert len(stage["cuts"]) == 3


def test_without_a_cut_looked_at_the_best_of_them_is_shown_unless_it_is_asked() -> None:
    stage: Any = stage_of(screen())
    assert stage["best"][0] == 2
    asked: Any = stage_of(screen(ask=True))
    assert "slant" not in asked
    assert len(asked["cuts"]) == 2


def test_the_cut_looked_at_and_its_rival_are_taken_from_grow() -> None:
    iris = make_recipe("iris")
    data = build(iris)
    here = screen_of(Session(iris), data, future_of(data))
    two = two_splits(here)
    assert two.parent == (50, 50, 50)
    cuts, best = here.node_view.candidates, here.node_view.index
    found = scores(CRITERIA_BY["entropy"], np.array(two.parent), np.array([two.first, two.second]))
    assert found[0] == pytest.approx(cuts.score[best])
    others = cuts.line != cuts.line[best]
    assert found[1] == pytest.approx(cuts.score[others].max())
    assert handle(here, "lab", {"what": "take"}).lab == ImpuritySettings(splits=two)


def test_where_there_are_no_such_cuts_nothing_is_taken() -> None:
    cases: tuple[tuple[str, Any, Any], ...] = (
        ("rpart_treble", {}, {}),  # numbers
        ("moons", {"n": 200}, {}),  # too many rows
        ("heights", {}, {"ask": True}),  # no cut yet
        ("heights", {}, {"hidden": ("gains",)}),
        ("blobs", {"k": 5, "n": 30}, {}),  # too many classes
    )
    for name, params, changes in cases:
        example = example_recipe(name, **params)
        data = build(example)
        session = Session(example, default_rules(data.task), **changes)
        here = screen_of(session, data, future_of(data))
        assert handle(here, "lab", {"what": "take"}) == session, (name, changes)


def test_classes_without_rows_in_the_node_are_left_out_and_one_line_has_a_rival_too() -> None:
    iris = example_recipe("iris", features=("petal_length_cm",))
    data = build(iris)
    session = step_forward(Session(iris), future_of(data))
    here = screen_of(replace(session, focus=3), data, future_of(data))
    two = two_splits(here)
    assert two.parent == (50, 50)
    assert two.first != two.second


def test_rules_that_new_data_do_not_allow_give_way_to_the_usual_ones() -> None:
    rules = Rules("gini", max_depth=2, families=("multiway",))
    shown = screen_of(Session(MOONS, rules), DATA, future_of(DATA))
    assert shown.session.rules == Rules("gini", max_depth=2)


def test_of_several_lines_on_an_axis_the_one_looked_at_is_drawn() -> None:
    recipe = example_recipe("play_tennis")
    data = build(recipe)
    rules = Rules(families=("axis", "subset", "multiway"))
    shown = screen_of(Session(recipe, rules), data, future_of(data))
    best = PICTURES["stage"].draw(shown, LIGHT)
    cuts, index = shown.node_view.candidates, shown.node_view.index
    assert index is not None
    assert cuts.branches_of(index) is not None
    assert (best["best"], best["chosen"]) == ((0, 0), (0, 0))
    subset = next(k for k in range(len(cuts)) if cuts.branches_of(k) is None)
    chosen = PICTURES["stage"].draw(
        screen_of(replace(shown.session, cut=cuts.split(subset)), data, future_of(data)), LIGHT
    )
    assert (chosen["best"], "branches" in chosen["cuts"][0]) == (None, False)
    assert chosen["chosen"] is not None
