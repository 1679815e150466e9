"""An address carries the whole session; no text in it raises, and what is valid is kept."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from cases import GOOD_PLACE, HEIGHTS, RPART_TREBLE, data_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import NASTY, grown, nasty, rules_for

from dtviz import Collapse, Grow, Rules, axis_split, datasets
from dtviz.data import DataError, Dataset, Recipe, dataset, recipe
from dtviz.rules import criterion_of, default_rules
from dtviz.session import Future, Session, future_of, line
from dtviz.tree import fold
from dtviz.url import read, resolve, write

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
FULL = FUTURE(Rules(), ())
START = recipe("good_place")
NAMES = ("data", "log", "undone", "focus", "cut", "axes", *Rules.__slots__)


def anything(wanted: Recipe) -> Recipe:
    """Takes every recipe as it is."""
    return wanted


def gallery(wanted: Recipe) -> Recipe:
    """Knows the gallery, as the app does."""
    return datasets.example_recipe(wanted.name, **dict(wanted.params))


def reread(session: Session, found: Dataset) -> tuple[Session, tuple[str, ...]]:
    """The session after a trip through the address."""
    future = future_of(found)
    params = write(session, found, future)
    assert all(isinstance(v, str) for v in params.values())
    return resolve(read(params, recipe("other"), anything), found, future)


def opened(found: Dataset = PLACE, **params: str) -> tuple[Session, tuple[str, ...]]:
    """The session that an address opens on this data."""
    return resolve(read(params, START, anything), found, future_of(found))


@given(grown(10), st.data())
def test_a_session_comes_back_as_it_was(case: Any, drawn: st.DataObject) -> None:
    found, rules, log, _ = case
    future = future_of(found)
    whole = line(Session(START, rules, log), future)
    made = drawn.draw(st.integers(0, len(whole)))
    kept = drawn.draw(st.integers(made, len(whole)))
    here = fold(found, criterion_of(rules, found.task), whole[:made])
    m = len(found.features)
    axes = st.tuples(st.integers(0, m - 1), st.integers(0, m - 1)).filter(lambda p: p[0] != p[1])
    session = Session(
        START,
        rules,
        whole[:made],
        whole[made:kept],
        drawn.draw(st.sampled_from([None, *sorted(here.nodes)])),
        drawn.draw(st.sampled_from([None, *here.splits.values()])),
        drawn.draw(st.none() | axes) if m > 1 else None,
    )
    assert reread(session, found) == (session, ())


@given(st.data())
def test_any_rules_come_back(drawn: st.DataObject) -> None:
    found = drawn.draw(st.sampled_from([PLACE, data_of(RPART_TREBLE, "regression")]))
    session = Session(START, drawn.draw(rules_for(found.task)))
    assert reread(session, found) == (session, ())


VALUES = [
    "text", "", " a b ", "0123", "1e5", "007", "123456789012", "1.50", "[", "[1]", '["a"]', '"',
    '"quoted"', "ünï &=?#+%", ("a",), ("a", 'b"c'), (), ("1", "2"), "True", "None", "\u0663",
]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_file_s_texts_and_names_come_back(value: Any) -> None:
    session = Session(recipe("file", some=value))
    assert reread(session, PLACE) == (session, ())


@given(st.text(max_size=20) | st.lists(st.text(max_size=5)).map(tuple) | nasty)
def test_any_text_of_a_file_comes_back(value: Any) -> None:
    session = Session(recipe("file", some=value))
    assert reread(session, PLACE)[0].recipe == session.recipe


@pytest.mark.parametrize("value", [0, 7, -3, 10**17, 0.25, -1.5, 1e300, 1e-300, 2.0, ("a", "b")])
def test_a_generator_s_values_come_back(value: Any) -> None:
    session = Session(recipe("moons", some=value))
    assert reread(session, PLACE) == (session, ())


def test_the_usual_is_left_out() -> None:
    assert write(Session(START), PLACE, FUTURE) == {"data": "good_place"}
    treble = data_of(RPART_TREBLE, "regression")
    usual = Session(START, default_rules("regression"))
    assert write(usual, treble, future_of(treble)) == {"data": "good_place"}


def test_an_address_as_it_reads() -> None:
    own = Grow(3, axis_split(2, 3.5))
    session = Session(
        recipe("moons", n=200, noise=0.25, features=None),
        Rules("gini", max_depth=3, min_gain=0.5, stop_at_zero_gain=True),
        (FULL[0], own, Collapse(3)),
        (Grow(3, axis_split(1, 5.0)),),
        3,
        axis_split(0, 0.5),
        (1, 2),
    )
    assert write(session, PLACE, FUTURE) == {
        "data": "moons",
        "n": "200",
        "noise": "0.25",
        "criterion": "gini",
        "max_depth": "3",
        "min_gain": "0.5",
        "stop_at_zero_gain": "True",
        "log": "1.0.0.5_3.2.3.5_c3",
        "undone": "3.1.5.0",
        "focus": "3",
        "cut": "0.0.5",
        "axes": "1.2",
    }
    plain = Session(START, Rules(), FULL[:2], FULL[2:])
    assert write(plain, PLACE, FUTURE) == {"data": "good_place", "log": "a2", "undone": "a1"}


@pytest.mark.parametrize("name", NAMES)
@given(nasty)
def test_any_text_anywhere_is_read(name: str, text: str) -> None:
    session, problems = opened(**{name: text})
    assert isinstance(session, Session)
    fold(PLACE, criterion_of(session.rules, PLACE.task), session.log + session.undone)
    assert all(isinstance(p, str) and p for p in problems)
    assert all(len(p) < 400 for p in problems)


@given(st.dictionaries(st.sampled_from(NAMES) | nasty, nasty, max_size=8))
def test_any_address_at_all_is_read(params: dict[str, str]) -> None:
    found = read(params, START, gallery)
    assert found.recipe == START or found.recipe == gallery(found.recipe)
    session, _ = resolve(found, PLACE, FUTURE)
    fold(PLACE, criterion_of(session.rules, PLACE.task), session.log + session.undone)


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nasty_text_in_every_parameter_at_once(text: str) -> None:
    found = read({**dict.fromkeys(NAMES, text), "n": text, "name": text}, START, gallery)
    assert found.recipe == START
    resolve(found, PLACE, FUTURE)
    resolve(
        found, data_of(RPART_TREBLE, "regression"), future_of(data_of(RPART_TREBLE, "regression"))
    )


GARBAGE = [
    ("log", "a1_x_a2", FULL[:1], "`log` is kept up to 'x', which is no move"),
    ("log", "a1_9.0.5", FULL[:1], "`log` is kept up to move 1: node 9 is no leaf"),
    ("log", "a1_3.9.5_a1", FULL[:1], "`log` is kept up to move 1: feature 9 does not exist"),
    ("log", "a1_3.0.7", FULL[:1], "`log` is kept up to move 1: the split at node 3 leaves one"),
    ("log", "c1", (), "`log` is kept up to move 0: node 1 has no split"),
    ("log", "a99", FULL, "`log` asks for 99 steps; the tree ends after 3"),
    ("log", "a1_", FULL[:1], "`log` is kept up to '', which is no move"),
    ("log", "1.0.nan", (), "`log` is kept up to '1.0.nan', which is no move"),
    ("log", "1.0.1e999", (), "`log` is kept up to '1.0.1e999', which is no move"),
    ("log", "1.-1.5", (), "`log` is kept up to '1.-1.5', which is no move"),
    ("log", "0.0.5", (), "`log` is kept up to '0.0.5', which is no move"),
    ("log", "a-1", (), "`log` is kept up to 'a-1', which is no move"),
]


@pytest.mark.parametrize(("name", "text", "log", "problem"), GARBAGE)
def test_the_longest_valid_log_is_kept(name: str, text: str, log: Any, problem: str) -> None:
    session, problems = opened(**{name: text})
    assert session.log == log
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_what_was_undone_is_kept_as_far_as_it_goes() -> None:
    session, problems = opened(log="a1", undone="a1_c77")
    assert (session.log, session.undone) == (FULL[:1], FULL[1:2])
    assert [p.split(" is kept")[0] for p in problems] == ["`undone`"]


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"focus": "9"}, "`focus=9`"),
        ({"focus": "x"}, "`focus='x'`"),
        ({"focus": "-1"}, "`focus='-1'`"),
        ({"focus": "1" * 700}, "`focus="),
        ({"cut": "x"}, "`cut='x'`"),
        ({"cut": "0"}, "`cut='0'`"),
        ({"cut": "9.5.5"}, "`cut`"),
        ({"axes": "0"}, "`axes='0'`"),
        ({"axes": "0.0"}, "`axes='0.0'`"),
        ({"axes": "0.9"}, "`axes`"),
        ({"criterion": "squared_error"}, "`criterion`"),
        ({"criterion": "x"}, "`criterion`"),
        ({"max_depth": "0"}, "`max_depth`"),
        ({"max_depth": "1e3"}, "`max_depth`"),
        ({"min_gain": "nan"}, "`min_gain`"),
        ({"min_gain": "True"}, "`min_gain`"),
        ({"purity": "True"}, "`purity`"),
        ({"purity": "1.5"}, "`purity`"),
        ({"order": "[1]"}, "`order`"),
        ({"stop_at_zero_gain": "1"}, "`stop_at_zero_gain`"),
    ],
)
def test_what_was_not_understood_is_named(params: dict[str, str], problem: str) -> None:
    session, problems = opened(**params)
    assert session == Session(START)
    assert len(problems) == 1
    assert problems[0].startswith(problem)


def test_one_bad_rule_does_not_lose_the_others() -> None:
    session, problems = opened(max_depth="0", min_samples_leaf="2", criterion="gini")
    assert session.rules == Rules("gini", min_samples_leaf=2)
    assert len(problems) == 1


def test_a_criterion_for_the_other_task_keeps_the_other_rules() -> None:
    treble = data_of(RPART_TREBLE, "regression")
    session, problems = opened(treble, criterion="gini", max_depth="2")
    assert session.rules == Rules("squared_error", max_depth=2)
    assert problems == (
        "`criterion` must be 'squared_error' for regression; not 'gini'; squared_error is used",
    )


def test_whole_numbers_and_decimals_are_read_as_meant() -> None:
    session, problems = opened(min_gain="0", purity="1", max_depth="+3", max_leaf_nodes="None")
    assert session.rules == Rules(max_depth=3)
    assert problems == ()


def test_a_bad_parameter_of_a_recipe_falls_back_to_its_default() -> None:
    found = read({"data": "moons", "n": "-5", "seed": "3"}, START, gallery)
    assert found.recipe == datasets.example_recipe("moons", seed=3)
    assert len(found.problems) == 1
    assert found.problems[0].startswith("`n` must be")


@pytest.mark.parametrize("key", ["foo", "utm_source", "name", "", "ñ", "`", "self", "\0"])
def test_an_unknown_parameter_does_not_lose_the_data(key: str) -> None:
    found = read({"data": "circles", "n": "50", key: "1"}, START, gallery)
    assert found.recipe == datasets.example_recipe("circles", n=50)
    assert len(found.problems) == 1


def test_an_unknown_name_opens_the_default() -> None:
    found = read({"data": "nonsense", "n": "50"}, START, gallery)
    assert found.recipe == START
    assert "nonsense" in found.problems[0]


def test_no_data_is_the_default_without_a_word() -> None:
    assert read({}, START, gallery).problems == ()
    assert read({"n": "5"}, START, gallery).recipe == START


def test_a_recipe_that_is_refused_whole_opens_the_default() -> None:
    def refuse(wanted: Recipe) -> Recipe:
        raise DataError("no")

    found = read({"data": "file", "n": "5"}, START, refuse)
    assert (found.recipe, found.problems) == (START, ("no",))


def test_an_endless_log_is_cut_short_with_a_word() -> None:
    session, problems = opened(log="1.0.0.5_c1_" * 5000)
    assert 2 < len(session.log) < 6000
    assert any("`log` is longer than 30,000 characters" in p for p in problems)


@pytest.mark.parametrize("text", ["a1_" * 9999 + "a1", "a0_" * 9999 + "a0", "a1_c1_" * 4999 + "a1"])
def test_many_small_pieces_are_read_in_no_time_and_few_words(text: str) -> None:
    calls = []

    def counting(rules: Rules, log: Any) -> Any:
        calls.append(1)
        return FUTURE(rules, log)

    future: Future = counting
    begin = time.process_time()
    _, problems = resolve(read({"log": text}, START, anything), PLACE, future)
    assert len(calls) < 10
    assert len(problems) <= 3
    assert time.process_time() - begin < 5


def test_a_long_run_is_read_whole() -> None:
    assert read({"log": "a100000_a20000"}, START, anything).log == (120_000,)
    n = 3000
    rng = np.random.default_rng(0)
    found = dataset([rng.permutation(n)], np.arange(n), ["x"], "y")
    future = future_of(found)
    rules = Rules("squared_error")
    full = future(rules, ())
    assert len(full) == n - 1
    session = Session(START, rules, full)
    assert write(session, found, future)["log"] == f"a{len(full)}"
    begin = time.process_time()
    again, problems = reread(session, found)
    assert (again, problems) == (session, ())
    assert time.process_time() - begin < 8


def test_a_session_of_the_heights_by_hand() -> None:
    found = data_of(HEIGHTS)
    session, problems = opened(found, log="1.0.175_a1", focus="4", cut="0.165", criterion="gini")
    assert problems == ()
    assert session.log == (Grow(1, axis_split(0, 175)), Grow(2, axis_split(0, 165)))
    assert (session.focus, session.cut) == (4, axis_split(0, 165))
