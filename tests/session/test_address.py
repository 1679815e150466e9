"""An address carries the whole session; no text in it raises, and what is valid is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from addresses import FUTURE, PLACE, START, Opened, opened, reread
from cases import HEIGHTS, RPART_TREBLE, data_of
from futures import future_of
from hypothesis import given, settings
from hypothesis import strategies as st
from screens import page, params_of, press
from strategies import NASTY, any_rules, data, nasty, sessions

import dtviz
from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.data import gallery, uploads
from dtviz.data.dataset import MAX_PARAMETER_CHARS, Dataset, make_dataset, make_recipe
from dtviz.data.drawing import origin_of
from dtviz.data.gallery import GALLERY, page_param
from dtviz.engine.criteria.criteria import criteria_for, impurities_for
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import FAMILIES
from dtviz.engine.tree import Log, fold
from dtviz.evaluate import stability
from dtviz.evaluate.curves import AXES
from dtviz.session.address import (
    FIELDS,
    Field,
    attr,
    extra_value,
    left_out_text,
    match_whole,
    plain,
    read_address,
    session_at,
    write_address,
)
from dtviz.session.impurity import MAX_CLASS_ROWS, N_CLASSES_ALLOWED, ImpuritySettings, TwoSplits
from dtviz.session.session import (
    HIDEABLE,
    LEAVE_ONE_OUT,
    MAX_BRANCHES,
    MAX_FOLDS,
    MAX_MOVES,
    MAX_RUNS,
    Judging,
    Session,
    hide,
    narrate,
    timeline,
    usual_rules,
    with_branches,
    with_rules,
)

TREBLE = data_of(RPART_TREBLE, "regression")
FULL = FUTURE(Rules(), ())
OWN = Grow(1, axis_split(1, 97.5))
NAMES = ("data", *FIELDS)
JUDGING = {"held_out": "share", "held_seed": "seed"} | {
    name: name for name in ("folds", "against", "prunes")
}
LAB = {name: name for name in ImpuritySettings.__dataclass_fields__}
VARY = {"vary": "way"} | {f"vary_{name}": name for name in ("percent", "trees", "seed", "shown")}
LONG = 10**6


def with_rest(*log: Any) -> Log:
    """These moves and the automatic rest."""
    return (*log, *FUTURE(Rules(), log))


def all_possible(session: Session) -> None:
    """Every move of the session can be made, and its branches are whole, different time-lines."""
    line = timeline(session, FUTURE)
    assert len({line, *session.branches}) == 1 + len(session.branches)
    for log in (line, *session.branches):
        fold(Problem(PLACE, session.rules), log)
        assert FUTURE(session.rules, log) == ()
    assert set(session.hidden) <= set(HIDEABLE)


# --- written and read back ------------------------------------------------------------------------


@settings(max_examples=15)
@given(st.sampled_from((0.0, 0.05)).flatmap(lambda alpha: sessions(ccp_alpha=alpha)))
def test_a_session_comes_back_as_it_was(case: Any) -> None:
    table, session = case
    assert reread(session, table) == (session, ())


@given(data(10), st.data())
def test_any_rules_and_any_step_come_back(table: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(table))
    log = future_of(table)(rules, ())
    step = drawn.draw(st.integers(0, len(log)))
    session = Session(START, rules, log[:step])
    assert write_address(session, table, future_of(table)).get("log", "a0") == f"a{step}"
    assert reread(session, table) == (session, ())


ROWS = PLACE.n
criteria = st.sampled_from(criteria_for("classification"))
judgings = st.builds(
    Judging,
    share=st.one_of(st.sampled_from((0.05, 0.1, 0.3, 0.95)), st.floats(0.05, 0.95)),
    seed=st.one_of(st.sampled_from((0, 10**9 - 1)), st.integers(0, 10**9 - 1)),
    folds=st.integers(0, MAX_FOLDS),
    against=st.sampled_from([*AXES]),
    prunes=st.lists(st.builds(Collapse, st.integers(1, 2**200)), max_size=20).map(tuple),
)
shakes = st.builds(
    stability.StabilitySettings,
    st.sampled_from([*stability.ROW_SAMPLINGS]),
    st.integers(1, stability.MAX_PERCENT_LEFT_OUT),
    st.integers(ROWS, stability.MAX_TREES_COMPARED),
    st.integers(0, 10**9 - 1),
    st.none() | st.integers(0, ROWS - 1),
)


@st.composite
def labs(draw: st.DrawFn) -> ImpuritySettings:
    first = draw(st.integers(0, 60))
    second = draw(st.integers(0, 60 - first))
    classes = draw(st.sampled_from([*N_CLASSES_ALLOWED]))
    parent = draw(st.lists(st.integers(0, MAX_CLASS_ROWS), min_size=classes, max_size=classes))
    parent[0] = max(parent[0], 1)
    left = st.tuples(*(st.integers(0, n) for n in parent))
    return ImpuritySettings(
        draw(st.integers(0, 100)),
        (first, second, 60 - first - second),
        draw(st.sampled_from([each.name for each in impurities_for("classification")])),
        TwoSplits(tuple(parent), draw(left), draw(left)),
        draw(criteria),
        (draw(criteria), draw(criteria)),
    )


@given(judgings, labs(), shakes)
def test_what_the_other_pages_show_comes_back_beside_rules_and_moves(
    judging: Judging, lab: ImpuritySettings, shake: stability.StabilitySettings
) -> None:
    session = Session(START, judging=judging, lab=lab, shake=shake)
    params = write_address(session, PLACE, FUTURE)
    assert params.keys() == {"data"} | {
        name
        for names, value, usual in (
            (JUDGING, judging, Judging()),
            (LAB, lab, ImpuritySettings()),
            (VARY, shake, stability.StabilitySettings()),
        )
        for name, field in names.items()
        if getattr(value, field) != getattr(usual, field)
    }  # fmt: skip
    assert reread(session) == (session, ())
    params |= {"max_depth": "2", "log": "a1", "hide": "panels", "say": "?"}
    session, problems = opened(**params)
    assert (session.judging, session.lab, session.shake) == (judging, lab, shake)
    assert (write_address(session, PLACE, FUTURE), problems) == (params, ())


FILE_TEXTS = (
    "text", "", " a b ", "0123", "1e5", "007", "123456789012", "1.50", "[", "[1]", '["a"]', '"',
    '"quoted"', "ünï &=?#+%", ("a",), ("a", 'b"c'), (), ("1", "2"), "True", "None", "\u0663",
)  # fmt: skip


@given(st.text(max_size=20) | st.lists(st.text(max_size=5)).map(tuple) | nasty)
def test_any_text_of_a_file_comes_back(drawn: Any) -> None:
    for value in (drawn, *FILE_TEXTS):
        target, features = ("y", value) if isinstance(value, tuple) else (value, None)
        file = uploads.upload_recipe("01", "1.csv", target, features, "classification")
        assert reread(Session(file)) == (Session(file), ()), value


def test_every_example_comes_back_and_has_no_more_than_the_page_offers() -> None:
    noises = ({"noise": 2.0}, {"noise": 1e-300}, {"noise": 0.1 + 0.2, "seed": 2**31 - 1})
    recipes = [gallery.example_recipe("moons", **params) for params in ({"n": 7}, *noises)]
    for wanted in (*recipes, *map(gallery.example_recipe, GALLERY)):
        assert reread(Session(wanted)) == (Session(wanted), ()), wanted
    for name, example in GALLERY.items():
        for param in example.params:
            if (most := page_param(param).high) is not None:
                link, text = {"data": name, param.name: f"{most:g}"}, f"{most + 1:.0f}"
                assert read_address(link, START).problems == ()
                beyond = read_address(link | {param.name: text}, START)
                assert beyond.recipe == gallery.example_recipe(name), (name, param.name)
                assert beyond.problems == (left_out_text([f"{param.name}={text}"]),)
    assert gallery.example_recipe("moons", n=LONG).get("n") == LONG  # in Python
    sample = {"data": "sample", "sample_of": "moons", "n": "1000000", "sample_shown": "0"}
    assert read_address(sample, START).recipe.get("n") == 200
    assert read_address(sample, START).problems == (left_out_text(["n=1000000"]),)


def test_names_are_listed_with_commas_one_alone_too_and_lists_of_old_links_are_read() -> None:
    names = "petal_length_cm", "petal_width_cm"
    iris = gallery.example_recipe("iris", features=names)
    assert write_address(Session(iris), gallery.build(iris), FUTURE)["features"] == ",".join(names)
    for text in (",".join(names), '["petal_length_cm","petal_width_cm"]'):
        assert read_address({"data": "iris", "features": text}, START).recipe == iris
    single = gallery.example_recipe("iris", features=names[:1])
    assert read_address({"data": "iris", "features": names[0]}, START).recipe == single
    link = {"data": "file", "sha": "01", "file": "a.csv", "target": "a,b", "without": "c,d"}
    file = read_address(link, START).recipe
    assert (file.get("target"), file.get("without")) == ("a,b", ("c", "d"))


def test_an_address_as_it_reads() -> None:
    split = Grow(3, axis_split(2, 3.5))
    session = Session(
        make_recipe("moons", n=200, noise=0.25, features=None),
        Rules("gini", max_depth=3, min_gain=0.5, stop_at_zero_gain=True),
        (FULL[0], split, Collapse(3)),
        (Grow(3, axis_split(1, 5.0)),),
        3,
        axis_split(0, 0.5),
        (1, 2),
        (FULL[:1], (*FULL[:1], split), ()),
        True,
        ("time-line", "why"),
        "Why x < 2?",
    )
    assert write_address(session, PLACE, FUTURE) == {
        "data": "moons", "n": "200", "noise": "0.25", "criterion": "gini", "max_depth": "3",
        "min_gain": "0.5", "stop_at_zero_gain": "True", "log": "1.0.0.5_3.2.3.5_c3",
        "undone": "3.1.5.0", "focus": "3", "cut": "0.0.5", "axes": "1.2",
        "branches": "1.0.0.5~1.0.0.5_3.2.3.5~a0", "ask": "1", "hide": "time-line.why",
        "say": "Why x < 2?",
    }  # fmt: skip
    plain = Session(START, Rules(), FULL[:2], FULL[2:])
    assert write_address(plain, PLACE, FUTURE) == {
        "data": "good_place",
        "log": "a2",
        "undone": "a1",
    }
    other = Session(START, Rules(), (OWN,), branches=(FULL, (*FULL[:2], Collapse(3))))
    assert write_address(other, PLACE, FUTURE)["branches"] == "a3~a2_c3"
    assert write_address(Session(START), PLACE, FUTURE) == {
        "data": "good_place"
    }  # the usual is left out
    usual = Session(START, default_rules("regression"))
    assert write_address(usual, TREBLE, future_of(TREBLE)) == {"data": "good_place"}
    cells: tuple[Any, ...] = (1, ROWS, (), ((2, 4.7),), ((0, -1.5), (3, 1e-7)))
    for row in cells:
        assert reread(Session(START, row=row)) == (Session(START, row=row), ()), row
    judging = Judging(0.2, 7, 20, "alpha", (Collapse(5), Collapse(9)))
    texts = ("0.2", "7", "20", "alpha", "c5_c9")
    assert write_address(Session(START, judging=judging), PLACE, FUTURE) == {
        "data": "good_place", **dict(zip(JUDGING, texts, strict=True)),
    }  # fmt: skip
    for folds, text in ((0, "0"), (10, "10"), (LEAVE_ONE_OUT, "one_out")):
        judged = Session(START, judging=Judging(folds=folds))
        assert write_address(judged, PLACE, FUTURE) == {"data": "good_place", "folds": text}


def test_a_session_of_the_heights_by_hand() -> None:
    session, problems = opened(
        data_of(HEIGHTS), log="1.0.175_a1", focus="4", cut="0.165", criterion="gini"
    )
    assert problems == ()
    assert session.log == (Grow(1, axis_split(0, 175)), Grow(2, axis_split(0, 165)))
    assert (session.focus, session.cut) == (4, axis_split(0, 165))


def test_other_ways_to_write_the_same_are_read() -> None:
    rules = {"min_gain": "0", "purity": "1", "max_depth": "+3", "max_leaf_nodes": "None"}
    ways: tuple[tuple[dict[str, str], dict[str, Any]], ...] = (
        (rules, {"rules": Rules(max_depth=3)}),
        ({"axes": "3.0", "cut": "3.5.5"}, {"axes": (3, 0), "cut": axis_split(3, 5.5)}),
        ({"cut": "1.97.5"}, {"cut": OWN.split}),
        ({"ask": "1"}, {"ask": True}),
        ({"ask": "0"}, {}),
        ({"ccp_alpha": "0"}, {}),
        ({"ccp_alpha": "1e-2"}, {"rules": Rules(ccp_alpha=0.01)}),
        ({"ccp_alpha": "2"}, {"rules": Rules(ccp_alpha=2.0)}),
        ({"branches": ""}, {}),
        ({"hide": ""}, {}),
        ({"branches": "a0"}, {}),
        ({"branches": "a3~a3~1.1.97.5~1.1.97.5"}, {"branches": (with_rest(OWN),)}),
        ({"held_out": "0.30"}, {}),
        ({"held_out": "5e-2"}, {"judging": Judging(share=0.05)}),
        ({"held_out": "+.5"}, {"judging": Judging(share=0.5)}),
        ({"held_seed": "007"}, {"judging": Judging(seed=7)}),
        ({"folds": "1"}, {"judging": Judging(folds=LEAVE_ONE_OUT)}),
        ({"folds": "05"}, {}),
        ({"prunes": ""}, {}),
        ({"prunes": "c3_c3"}, {"judging": Judging(prunes=(Collapse(3), Collapse(3)))}),
    )
    for params, changes in ways:
        assert opened(**params) == (replace(Session(START), **changes), ()), params
    for alpha in (5e-324, 1e-17, 0.01, 1 / 3, 0.1 + 0.2, 1.0, 12345678.9, 1e300):
        session = Session(START, Rules(ccp_alpha=alpha))
        assert reread(session) == (session, ()), alpha
    assert write_address(session, PLACE, FUTURE) == {"data": "good_place", "ccp_alpha": "1e+300"}


# --- what is not understood -----------------------------------------------------------------------

LEFT_OUT: dict[str, tuple[str, ...]] = {
    "focus": ("x", "-1", "1" * 700),
    "cut": ("x", "0"),
    "axes": ("0", "0.0", "1.01"),
    "slice": ("0", "0.x"),
    "ask": ("yes", ""),
    "held_out": ("2", "0", "1", "0.04", "-0.3", "nan", "inf", "1e-999", "", " 0.3", "0,3", "30%",
                 "0.3.1", "9" * LONG),
    "held_seed": ("-1", "1.5", "1e3", "1000000000", "", "9" * LONG, "٣"),
    "folds": ("99", "21", "-1", "2.5", "one out", "One_out", "", "²"),
    "against": ("foo", "", "Depth", "depth ", "x" * LONG, "max_depth"),
    "percent": ("101", "-1", "30.5", "1000000000"),
    "shares": ("20.20.21", "60", "30.30", "15.15.15.15"),
    "impurity": ("variance", "gain_ratio", "Gini"),
    "splits": ("8.8_6.2", "8.8_9.2_4.8", "8.8_6.2.1_4.8", "8_6_4", "0.0_0.0_0.0",
               "1.1.1.1.1_1.1.1.1.1_0.0.0.0.0", "61.1_1.1_1.1", "8.8_6.2_4.8_1.1"),
    "opened": ("squared_error",),
    "between": ("gini", "gini.poisson", "gini.error.entropy"),
    "vary": ("two", "One"),
    "vary_percent": ("0", "51", "1.5"),
    "vary_trees": ("1", "501"),
    "vary_seed": ("-1", "1000000000"),
    "vary_shown": ("-1", "x"),
}  # fmt: skip
BESIDE = {"focus": "1", "held_out": "0.2", "folds": "10", "percent": "30", "vary": "some"}


def test_a_value_that_cannot_be_is_left_out_with_a_word_and_the_others_are_kept() -> None:
    for name, texts in LEFT_OUT.items():
        others = {key: text for key, text in BESIDE.items() if key != name}
        expected = opened(**others)[0]
        for text in texts:
            problem = left_out_text([f"{name}={text}"])
            assert opened(**others, **{name: text}) == (expected, (problem,)), (name, text[:20])
            assert len(problem) < 200


MOVES, HERE = "The moves are cut short", "' in this link was not understood"
PROBLEMS: tuple[tuple[dict[str, str], str], ...] = (
    ({"focus": "9"}, "Node 9 is not in this tree; the next node is shown"),
    ({"focus": "1" * 500}, "Node 1111"),
    ({"log": "1" * 500 + ".0.5"}, f"{MOVES} after 0: the next is not possible"),
    ({"log": "c1"}, f"{MOVES} after 0: the next is not possible"),
    *(({"log": text}, f"{MOVES} before '{text}', which is no move")
      for text in ("1.0.nan", "1.0.1e999", "1.-1.5", "0.0.5", "a-1")),
    ({"cut": "9.5.5"}, "The cut of this link is on no feature"),
    ({"cut": "4.5.5"}, "The cut of this link is on no feature"),
    ({"axes": "0.9"}, "The axes of this link are no features"),
    ({"axes": "4.0"}, "The axes of this link are no features"),
    ({"slice": "4.1"}, "The slice of this link is where no feature can be"),
    ({"slice": "0.1e301"}, "The slice of this link is where no feature can be"),
    ({"criterion": "squared_error"}, "Criterion cannot be 'squared_error' here; Entropy is used"),
    ({"criterion": "x"}, "Criterion cannot be 'x' here; Entropy is used"),
    ({"max_depth": "0"}, "Depth at most cannot be '0' here; any depth is used"),
    ({"max_depth": "1e3"}, "Depth at most cannot be '1e3'"),
    ({"min_gain": "nan"}, "Least gain cannot be 'nan' here; least gain 0 is used"),
    ({"min_gain": "True"}, "Least gain cannot be"),
    ({"purity": "True"}, "Pure enough cannot be"),
    ({"purity": "1.5"}, "Pure enough cannot be"),
    ({"order": "[1]"}, "Which node is next cannot be '[1]' here; depth-first is used"),
    ({"stop_at_zero_gain": "1"},
     "Stop at zero gain cannot be '1' here; goes on at zero gain is used"),
    *(({"ccp_alpha": text}, f"Prune up to cannot be '{text}' here; prune up to 0 is used")
      for text in ("-0.01", "-1", "x", "", "nan", "inf", "1e999", "True", "None")),
    ({"hide": "x"}, f"'x{HERE}"),
    ({"hide": "."}, "'' in this link"),
    ({"branches": "x"}, "A branch is cut short before 'x', which is no move"),
    ({"branches": "9.0.5"}, "A branch is cut short after 0: the next is not possible"),
    ({"branches": "~"}, "A branch is cut short before '', which is no move"),
)  # fmt: skip


def test_what_was_not_understood_is_named() -> None:
    for params, problem in PROBLEMS:
        session, problems = opened(**params)
        assert session == Session(START), params
        assert len(set(problems)) == 1
        assert problems[0].startswith(problem), params
        assert len(problems[0]) < 100  # two lines on a phone
    session, problems = opened(max_depth="0", min_samples_leaf="2", criterion="gini")
    assert (session.rules, len(problems)) == (Rules("gini", min_samples_leaf=2), 1)
    session, problems = opened(TREBLE, criterion="gini", max_depth="2")
    assert session.rules == Rules("squared_error", max_depth=2)
    assert problems == ("Criterion cannot be 'gini' here; Squared error is used",)
    session, problems = opened(focus="9", cut="1.97.5")
    assert session == Session(START)
    assert problems[1:] == ("The cut of this link was one of that node; the best cut is shown",)


def test_a_row_or_a_tree_that_is_not_there_is_told_and_what_can_be_is_kept() -> None:
    none = ("0", str(ROWS + 1), "999999999", "-1", "9" * 5_000, "x", "", "2.4.7_3.nan", "<b>")
    cells = (("2.4.7_99.1", ((2, 4.7),)), ("2.4.7_3.1e999", ((2, 4.7),)))
    for text, row in (*((text, None) for text in none), *cells):
        session, problems = opened(row=text)
        assert (session.row, len(problems)) == (row, 1), text
        assert len(problems[0]) < 300
    trees: tuple[tuple[dict[str, str], int], ...] = (
        ({}, ROWS), ({"vary": "some", "vary_trees": "25"}, 25), ({"vary": "resample"}, 500),
    )  # fmt: skip
    for params, shown in trees:
        session, problems = opened(**params, vary_shown=str(shown))
        assert session.shake.shown is None
        assert problems == (f"Tree {shown} is not one of these; the full tree is shown",)
        if shown < 500:
            last, problems = opened(**params, vary_shown=str(shown - 1))
            assert (last.shake.shown, problems) == (shown - 1, ())


def test_families_that_propose_nothing_for_the_table_are_refused() -> None:
    session, problems = opened(dtviz.load("play_tennis"), families="axis")
    assert session.rules.families == ("axis", "subset")
    usual = ", ".join(FAMILIES[name].title for name in ("axis", "subset"))
    assert problems == (f"Cuts compared cannot be 'axis' here; {usual} is used",)


def test_data_that_a_link_does_not_name_are_the_default_and_strangers_are_named() -> None:
    bad = read_address({"data": "moons", "n": "-5", "seed": "3"}, START)
    assert bad.recipe == gallery.example_recipe("moons", seed=3)
    assert bad.problems == (left_out_text(["n=-5"]),)
    for key in ("foo", "utm", "name", "", "ñ", "`", "self", "\0"):
        link = read_address({"data": "circles", "n": "50", key: "1"}, START)
        assert (link.recipe, len(link.problems)) == (gallery.example_recipe("circles", n=50), 1)
    added = {"utm_source": "x", "utm_medium": "y", "embed": "true", "embed_options": "dark_theme"}
    defaults: tuple[tuple[dict[str, str], tuple[str, ...]], ...] = (
        ({}, ()),
        (dict.fromkeys(NAMES[1:6], ""), ()),
        (added, ()),
        ({"data": "nonsense", "n": "50"},
         ("This link asks for the data set 'nonsense', which is not here; The good place is "
          "shown",)),
        ({"n": "5", "log": "a1", "x<b>": "", "y": "1", "z": "2"},
         ("'n', 'x<b>' and 2 more in this link were not understood; they are left out",)),
        ({"data": "file", "n": "5"},
         ("This link does not say whole which data it means; The good place is shown",)),
    )  # fmt: skip
    for params, problems in defaults:
        link = read_address(params, START)
        assert link.recipe == START
        assert not problems or link.problems == problems
    assert (
        read_address({}, START).problems
        == read_address({"data": "circles"} | added, START).problems
        == ()
    )


def test_hostile_text_in_any_parameter_and_in_all_is_read() -> None:
    future = future_of(TREBLE)
    for text in NASTY:
        links = [{name: text} for name in (*NAMES, "n", "name")]
        for params in (*links, dict.fromkeys(NAMES, text), dict.fromkeys(JUDGING, text)):
            session, problems = opened(**params)
            assert session.recipe == START, (params, text)
            if session.log or session.undone or session.branches:
                all_possible(session)
            assert all(0 < len(problem) < 400 for problem in problems), (params, text)
            assert not any("\n" in problem or "\0" in problem for problem in problems)
        session_at(read_address(dict.fromkeys(NAMES, text), START), TREBLE, future)


@given(st.dictionaries(st.sampled_from(NAMES) | nasty, nasty, max_size=8))
def test_any_address_at_all_is_read(params: dict[str, str]) -> None:
    link = read_address(params, START)
    assert link.recipe == START or link.recipe == origin_of(link.recipe).complete(link.recipe)
    session, _ = session_at(link, PLACE, FUTURE)
    all_possible(session)
    again, problems = reread(session)
    assert (again.judging, problems) == (session.judging, ())


# --- logs -----------------------------------------------------------------------------------------


def test_the_longest_valid_log_is_kept() -> None:
    for text, log, problem in (
        ("a1_x_a2", FULL[:1], "before 'x', which is no move"),
        ("a1_9.0.5", FULL[:1], "after 1: the next is not possible"),
        ("a1_3.9.5_a1", FULL[:1], "after 1: the next is not possible"),
        ("a1_3.0.7", FULL[:1], "after 1: the next is not possible"),
        ("a99", FULL, ": the tree ends after 3 of 99 steps"),
        ("a1_", FULL[:1], "before '', which is no move"),
    ):
        session, (given_problem,) = opened(log=text)
        assert session.log == log, text
        assert given_problem.replace(f"{MOVES} ", "").replace(MOVES, "").startswith(problem)
    session, problems = opened(log="a1", undone="a1_c77")
    assert (session.log, session.undone) == (FULL[:1], FULL[1:2])
    assert [p.split(" cut short")[0] for p in problems] == ["The undone moves are"]


def test_an_endless_log_is_cut_short_with_a_word_and_asks_for_few_futures() -> None:
    session, problems = opened(log="1.0.0.5_c1_" * 5000)
    assert 2 < len(session.log) < 6000
    assert any("cut short: a link carries 30,000 characters" in p for p in problems)
    calls: list[Log] = []

    def counting(rules: Rules, log: Any, *_: Any) -> Any:
        calls.append(log)
        return FUTURE(rules, log)

    for text in ("a1_" * 9999 + "a1", "a0_" * 9999 + "a0", "a1_c1_" * 4999 + "a1"):
        calls.clear()
        _, problems = session_at(read_address({"log": text}, START), PLACE, counting)
        assert len(calls) < 10
        assert len(problems) <= 3


def test_a_text_too_long_ends_at_a_whole_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtviz.session.address.MAX_MOVES", MAX_PARAMETER_CHARS)
    session, problems = opened(log="1.0.0.5_c1_" * 2727 + "1.0.0.54321")
    assert session.log[-2:] == (Grow(1, axis_split(0, 0.5)), Collapse(1))
    assert len(problems) == 1


def test_a_link_carries_so_many_moves_of_your_own() -> None:
    pieces = MAX_MOVES // 2
    assert opened(log="1.0.0.5_c1_" * (pieces - 1) + "1.0.0.5_c1")[1] == ()
    session, problems = opened(log="1.0.0.5_c1_" * pieces + "1.0.0.5")
    assert len(session.log) == MAX_MOVES
    assert problems == ("The moves are cut short: a link carries 1,000 moves",)


def test_a_long_run_is_read_whole() -> None:
    problems = ("The moves are cut short: the tree ends after 3 of 120000 steps",)
    assert opened(log="a100000_a20000")[1] == problems
    n = 3000
    order = np.random.default_rng(0).permutation(n)
    table, rules = make_dataset([order], np.arange(n), ["x"], "y"), Rules("squared_error")
    full = future_of(table)(rules, ())
    assert len(full) == n - 1
    session = Session(START, rules, full)
    assert write_address(session, table, future_of(table))["log"] == f"a{len(full)}"
    assert reread(session, table) == (session, ())


def test_prunes_are_counted_among_the_automatic_moves() -> None:
    pruning = Rules("gini", ccp_alpha=0.2)
    pruned = FUTURE(pruning, ())
    assert pruned[3:] == (Collapse(1),)
    assert write_address(Session(START, pruning, pruned), PLACE, FUTURE)["log"] == "a4"
    rules = Rules("squared_error", min_samples_split=4, ccp_alpha=1.0)
    log = future_of(TREBLE)(rules, ())
    assert log[3:] == (Collapse(2), Collapse(3))
    assert write_address(Session(START, rules, log), TREBLE, future_of(TREBLE))["log"] == "a5"
    for step in range(len(pruned) + 1):
        session = Session(START, pruning, pruned[:step], pruned[step:])
        assert reread(session) == (session, ())
        for rules in (Rules("gini"), Rules("gini", ccp_alpha=0.01), Rules(ccp_alpha=9.0)):
            changed = with_rules(session, rules, FUTURE)
            assert changed.log == FUTURE(rules, ())[:step]
            assert reread(changed) == (changed, ())
    session, problems = opened(criterion="gini", ccp_alpha="0.2", log="a99")
    assert session.log == pruned
    assert problems == (f"The moves are cut short: the tree ends after {len(pruned)} of 99 steps",)
    session, problems = opened(criterion="gini", log="a3_c3")  # rules that prune nothing
    assert (session.log, problems) == ((*pruned[:3], Collapse(3)), ())
    assert write_address(session, PLACE, FUTURE)["log"] == "a3_c3"


def test_moves_without_an_order_are_depth_first_and_without_moves_the_usual_one_is_meant() -> None:
    """Links made before best-first was usual grow what they grew."""

    def example(name: str, **params: str) -> Opened:
        wanted = gallery.example_recipe(name)
        table = gallery.build(wanted)
        return session_at(read_address({"data": name} | params, wanted), table, future_of(table))

    for name, params, order in (
        ("moons", {}, "best"),
        ("moons", {"log": "a2"}, None),
        ("heights", {}, None),
        ("moons", {"log": "a2", "order": "best"}, "best"),
        ("moons", {"order": "auto"}, None),
        ("moons", {"order": "None"}, None),
    ):
        assert example(name, **params)[0].rules.order == order, (name, params)
    moons = Session(gallery.example_recipe("moons"), Rules())
    table = gallery.build(moons.recipe)
    assert write_address(moons, table, future_of(table))["order"] == "auto"
    assert example("moons", order="auto") == (moons, ())


def test_data_grow_best_first_unless_a_lecture_grew_them_otherwise() -> None:
    for name, example in GALLERY.items():
        wanted = gallery.example_recipe(name)
        rules = usual_rules(wanted, gallery.build(wanted).task)
        worked = example.group == "Worked examples"
        assert rules.growing_order == ("depth" if worked else "best"), name
    assert usual_rules(make_recipe("drawing"), "classification") == Rules(order="best")
    assert usual_rules(make_recipe("upload"), "regression").growing_order == "best"


# --- prunes of Overfit ----------------------------------------------------------------------------


def test_of_prunes_only_prunes_are_kept_up_to_what_is_no_move() -> None:
    session, problems = opened(prunes="a3_c2_zz_c5")
    assert session.judging == Judging(prunes=(Collapse(2),))
    assert len(problems) == 2
    assert "before 'zz'" in problems[0]
    assert "no prune " in problems[1]
    assert opened(prunes="c2_1.0.0.5_c3")[0].judging.prunes == (Collapse(2), Collapse(3))
    for text in ("c0", "c", "c-1", "c1.5", "C1", "c٣", "c" + "9" * 601, "~", "_"):
        session, problems = opened(prunes=f"c4_{text}", folds="10")
        assert (session.judging.prunes, len(problems)) == ((Collapse(4),), 1), text
        assert session.judging.folds == 10


def test_very_long_prunes_are_cut_and_as_many_as_a_tree_has_are_not() -> None:
    for text in ("c1_" * 400_000, "c" * LONG, "c1" + "0" * LONG, "_" * LONG):
        session, problems = opened(prunes=text)
        assert any("cut short" in problem for problem in problems), text[:9]
        assert len(session.judging.prunes) <= MAX_PARAMETER_CHARS // 3
        assert {*session.judging.prunes} <= {Collapse(1)}
    for text in ("c" + "9" * 600, "_".join(f"c{k}" for k in range(1, 1_000))):
        session, problems = opened(prunes=text)
        assert (write_address(session, PLACE, FUTURE)["prunes"], problems) == (text, ())


# --- branches, narration, what is hidden ----------------------------------------------------------


def test_branches_are_read_as_whole_lines() -> None:
    session, problems = opened(log="a1", branches="1.1.97.5~a1_3.2.3.5_a9")
    assert session.branches == (with_rest(OWN), with_rest(FULL[0], Grow(3, axis_split(2, 3.5))))
    rest = len(session.branches[1]) - 2
    assert problems == (f"A branch is cut short: the tree ends after {rest} of 9 steps",)
    assert reread(session)[0] == session


def test_the_longest_valid_branches_are_kept() -> None:
    for text, problem in (
        ("1.1.97.5_x", "before 'x', which is no move"),
        ("1.1.97.5_1.0.5", "after 1: the next is not possible"),
        ("1.9.5~1.1.97.5", "after 0: the next is not possible"),
        ("nonsense~1.1.97.5", "before 'nonsense', which is no move"),
    ):
        session, problems = opened(branches=text)
        assert session == Session(START, branches=(with_rest(OWN),)), text
        assert len(problems) == 1
        assert problems[0].startswith(f"A branch is cut short {problem}")
    cuts = (97.5, 95.0, 90.0, 84.0, 61.5)
    session, problems = opened(branches="~".join(f"1.1.{cut}" for cut in cuts))
    first = [branch[0] for branch in session.branches]
    assert first == [Grow(1, axis_split(1, cut)) for cut in cuts[:MAX_BRANCHES]]
    assert problems == (f"The branches are cut short: a link carries {MAX_BRANCHES}",)


def test_branches_and_undone_moves_of_very_many_runs_come_back() -> None:
    loop = (*with_rest(OWN)[:2], Collapse(1))
    session = with_branches(Session(START, log=(OWN,)), [loop * 80, (*loop, OWN)], FUTURE)
    assert [len(branch) for branch in session.branches] == [240, len(with_rest(*loop, OWN))]
    first = write_address(session, PLACE, FUTURE)["branches"].split("~")[0]
    assert first.count("_a1") == 17  # of three pieces each: 2 * MAX_RUNS / MAX_BRANCHES in all
    assert reread(session) == (session, ())
    undone = (OWN, *with_rest(OWN)[1:2], Collapse(1), OWN)
    session = Session(START, log=loop * 80, undone=undone)
    assert write_address(session, PLACE, FUTURE)["undone"].startswith("1.1.97.5_a1_c1_1")
    assert reread(session) == (session, ())


def test_hostile_branches_are_no_more_work_than_one_log() -> None:
    logs: list[Log] = []

    def counting(rules: Rules, log: Any, first: Any = None, *_: Any) -> Any:
        logs.append(log)
        return FUTURE(rules, log, first)

    for run in ("a1_", "a0_", "~", "1.0.0.5_a1_c1_", "1.0.0.5_c1_", "c1~"):
        piece = run * (MAX_PARAMETER_CHARS // MAX_BRANCHES // len(run)) + "a1"
        for text in (run * 40_000, "~".join([piece] * MAX_BRANCHES)):
            logs.clear()
            session, problems = session_at(read_address({"branches": text}, START), PLACE, counting)
            assert len(logs) <= 2 * MAX_RUNS, run
            assert len(problems) <= 2 + 2 * MAX_BRANCHES
            assert all(len(problem) < 400 for problem in problems)
            all_possible(session)
            write_address(session, PLACE, counting)
            assert len(logs) <= 6 * MAX_RUNS, run


def test_controls_are_hidden_by_name() -> None:
    assert opened(hide="time-line.settings") == (hide(Session(START), HIDEABLE[:2]), ())
    session, problems = opened(hide="why.x.why.<b>.gains." + "y" * 999 + ".z")
    assert session == hide(Session(START), ["gains", "why"])
    assert problems == (left_out_text(["x", "<b>", "y", "z"]),)
    assert problems[0].startswith("'x', '<b>' and 2 more in this link were not understood")


def test_a_narration_is_made_harmless() -> None:
    assert opened(say=" look\u202e\n at <b> ") == (narrate(Session(START), "look at <b>"), ())
    assert opened(say="x" * 300) == (Session(START, say="x" * 300), ())
    session, problems = opened(say="x" * 5000)
    assert session.say == "x" * 299 + "…"
    assert problems == ("What this link says is cut short after 300 characters",)


def test_every_field_is_documented_under_its_own_name() -> None:
    assert all(name == field.name for name, field in FIELDS.items())
    assert all(field.help.endswith(".") and field.help[0].isupper() for field in FIELDS.values())
    assert {*Rules.__slots__} < {*FIELDS}
    assert not {*FIELDS} & {param.name for example in GALLERY.values() for param in example.params}


def test_the_example_of_a_field_is_read_and_written() -> None:
    for name, field in FIELDS.items():
        session, problems = opened(**{name: field.example})
        assert problems == (), name
        written = write_address(session, PLACE, FUTURE)
        assert reread(session) == (session, ())
        assert written.keys() == {"data", name}
        if name != "branches":  # the automatic rest is written too
            assert written[name] == field.example


def test_what_the_session_holds_of_a_field_is_its_own() -> None:
    examples = {name: field.example for name, field in FIELDS.items()}
    chance = float(examples.pop("max_p_value"))  # so few rows have no automatic move by it
    session, problems = opened(**examples)
    assert problems == ()
    session = FIELDS["max_p_value"].accessor.put(session, chance)
    unusual = write_address(session, PLACE, FUTURE).keys()
    assert unusual == {"data", *FIELDS}
    for name, field in FIELDS.items():
        value = field.accessor.get(session)
        assert field.accessor.put(session, value) == session
        changed = field.accessor.put(session, field.accessor.get(Session(START)))
        places = [(key, other.accessor) for key, other in FIELDS.items()]
        differ = [key for key, at in places if at.get(changed) != at.get(session)]
        assert differ == [name] * (name in unusual)


MOODS = {"calm": 0, "merry": 1}
MOOD: Field[int] = plain(
    "mood", "merry", "How the tree feels.", extra_value("mood", 0),
    lambda text: MOODS[match_whole("|".join(MOODS), text)[0]],
    lambda mood: [*MOODS][mood],
)  # fmt: skip


def test_a_new_field_walks_the_address_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(mood="merry")[1] == ("'mood' in this link was not understood; it is left out",)
    monkeypatch.setitem(FIELDS, "mood", MOOD)
    session, problems = opened(data="good_place", mood="merry", max_depth="2")
    assert problems == ()
    assert MOOD.accessor.get(session) == 1
    params = {"data": "good_place", "mood": "merry", "max_depth": "2"}
    assert write_address(session, PLACE, FUTURE) == params
    assert reread(session) == (session, ())
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    assert params_of(press(at, "next")) == {**params, "log": "a1"}
    assert opened(mood="calm") == (Session(START), ())
    assert opened(mood="sad") == (Session(START), (left_out_text(["mood=sad"]),))


def test_a_place_is_a_path_or_among_the_extra_values() -> None:
    share, mood, wish = (attr("judging.share"), extra_value("mood", 0), extra_value("wish", ""))
    session = share.put(Session(START), 0.5)
    assert (share.get(session), session.judging.share) == (0.5, 0.5)
    with pytest.raises(ValueError, match="`share` must lie between"):
        share.put(session, 2.0)
    both = mood.put(wish.put(session, "tea"), 1)
    assert both.extra == (("mood", 1), ("wish", "tea"))
    assert both == wish.put(mood.put(session, 1), "tea")
    assert (mood.get(both), wish.get(both), mood.get(session)) == (1, "tea", 0)
    assert mood.put(wish.put(both, ""), 0) == session


def test_only_a_whole_text_matches() -> None:
    assert match_whole("a", "a")[0] == "a"
    for text in ("", "aa", "a\n", " a"):
        with pytest.raises(ValueError):  # noqa: PT011
            match_whole("a", text)


def test_a_part_of_a_cut_stands_for_the_node_of_the_cut() -> None:
    tennis = dtviz.load("play_tennis")
    session, problems = opened(tennis, families="multiway", log="a1", focus="3")
    assert (session.focus, problems) == (1, ())
