"""An address carries the whole session; no text in it raises, and what is valid is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import GOOD_PLACE, HEIGHTS, RPART_TREBLE, data_of
from futures import future_of
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import NASTY, any_rules, data, nasty, rules_for, sessions

import dtviz
from dtviz import Collapse, Grow, Rules, axis_split
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.splits import FAMILIES
from dtviz.engine.tree import Log, fold
from dtviz.screen.address import FIELDS, read, resolve, write
from dtviz.screen.field import left_out
from dtviz.screen.session import (
    HIDEABLE,
    MAX_BRANCHES,
    MAX_MOVES,
    MAX_RUNS,
    Future,
    Session,
    hide,
    narrate,
    timeline,
    with_branches,
    with_rules,
)
from dtviz.table import gallery, uploads
from dtviz.table.data import Dataset, dataset, recipe
from dtviz.table.gallery import GALLERY, as_offered
from dtviz.table.origins import origin_of
from dtviz.table.values import MOST_TEXT

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
FULL = FUTURE(Rules(), ())
START = recipe("good_place")
OWN = Grow(1, axis_split(1, 97.5))
NAMES = ("data", *FIELDS)


def reread(session: Session, found: Dataset) -> tuple[Session, tuple[str, ...]]:
    """The session after a trip through the address."""
    future = future_of(found)
    params = write(session, found, future)
    assert all(isinstance(v, str) for v in params.values())
    return resolve(read(params, recipe("other")), found, future)


def opened(found: Dataset = PLACE, **params: str) -> tuple[Session, tuple[str, ...]]:
    """The session that an address opens on this data."""
    return resolve(read(params, START), found, future_of(found))


def all_possible(session: Session) -> None:
    """Every move of the session can be made, and its branches are whole, different time-lines."""
    whole = timeline(session, FUTURE)
    assert len({whole, *session.branches}) == 1 + len(session.branches)
    for log in (whole, *session.branches):
        fold(Problem(PLACE, session.rules), log)
        assert FUTURE(session.rules, log) == ()
    assert set(session.hidden) <= set(HIDEABLE)


@given(sessions())
def test_a_session_comes_back_as_it_was(case: Any) -> None:
    found, session = case
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


def given_file(value: Any) -> Session:
    """A session on a file with this text as its target, or these names as its features."""
    listed = isinstance(value, tuple)
    target, features = ("y", value) if listed else (value, None)
    return Session(uploads.recipe_of("01", "1.csv", target, features, "classification"))


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_a_file_s_texts_and_names_come_back(value: Any) -> None:
    session = given_file(value)
    assert reread(session, PLACE) == (session, ())


@given(st.text(max_size=20) | st.lists(st.text(max_size=5)).map(tuple) | nasty)
def test_any_text_of_a_file_comes_back(value: Any) -> None:
    session = given_file(value)
    assert reread(session, PLACE)[0].recipe == session.recipe


def test_names_are_listed_with_commas_one_alone_too_and_lists_of_old_links_are_read() -> None:
    names = "petal_length_cm", "petal_width_cm"
    iris = gallery.example_recipe("iris", features=names)
    assert write(Session(iris), gallery.build(iris), FUTURE)["features"] == ",".join(names)
    for text in (",".join(names), '["petal_length_cm","petal_width_cm"]'):
        assert read({"data": "iris", "features": text}, START).recipe == iris
    one = gallery.example_recipe("iris", features=names[:1])
    assert read({"data": "iris", "features": names[0]}, START).recipe == one
    link = {"data": "file", "sha": "01", "file": "a.csv", "target": "a,b", "without": "c,d"}
    file = read(link, START).recipe
    assert (file.get("target"), file.get("without")) == ("a,b", ("c", "d"))


@pytest.mark.parametrize("name", GALLERY)
def test_every_example_comes_back(name: str) -> None:
    session = Session(gallery.example_recipe(name))
    assert reread(session, PLACE) == (session, ())


@pytest.mark.parametrize(
    "params", [{"n": 7}, {"noise": 2.0}, {"noise": 1e-300}, {"noise": 0.1 + 0.2, "seed": 2**31 - 1}]
)
def test_a_generator_s_values_come_back(params: dict[str, Any]) -> None:
    session = Session(gallery.example_recipe("moons", **params))
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
        (FULL[:1], (*FULL[:1], own), ()),
        True,
        ("time-line", "why"),
        "Why x < 2?",
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
        "branches": "1.0.0.5~1.0.0.5_3.2.3.5~a0",
        "ask": "1",
        "hide": "time-line.why",
        "say": "Why x < 2?",
    }
    plain = Session(START, Rules(), FULL[:2], FULL[2:])
    assert write(plain, PLACE, FUTURE) == {"data": "good_place", "log": "a2", "undone": "a1"}
    other = Session(START, Rules(), (OWN,), branches=(FULL, (*FULL[:2], Collapse(3))))
    assert write(other, PLACE, FUTURE)["branches"] == "a3~a2_c3"


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=15)
@given(nasty)
def test_any_text_anywhere_is_read(name: str, text: str) -> None:
    session, problems = opened(**{name: text})
    assert isinstance(session, Session)
    all_possible(session)
    assert all(isinstance(p, str) and p for p in problems)
    assert all(len(p) < 400 for p in problems)


@given(st.dictionaries(st.sampled_from(NAMES) | nasty, nasty, max_size=8))
def test_any_address_at_all_is_read(params: dict[str, str]) -> None:
    found = read(params, START)
    assert found.recipe == START or found.recipe == origin_of(found.recipe).complete(found.recipe)
    session, _ = resolve(found, PLACE, FUTURE)
    all_possible(session)


@pytest.mark.uncounted
@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_nasty_text_in_every_parameter_at_once(text: str) -> None:
    found = read({**dict.fromkeys(NAMES, text), "n": text, "name": text}, START)
    assert found.recipe == START
    resolve(found, PLACE, FUTURE)
    resolve(
        found, data_of(RPART_TREBLE, "regression"), future_of(data_of(RPART_TREBLE, "regression"))
    )


GARBAGE = [
    ("log", "a1_x_a2", FULL[:1], "The moves are cut short before 'x', which is no move"),
    ("log", "a1_9.0.5", FULL[:1], "The moves are cut short after 1: the next is not possible"),
    ("log", "a1_3.9.5_a1", FULL[:1], "The moves are cut short after 1: the next is not possible"),
    ("log", "a1_3.0.7", FULL[:1], "The moves are cut short after 1: the next is not possible"),
    ("log", "c1", (), "The moves are cut short after 0: the next is not possible"),
    ("log", "a99", FULL, "The moves are cut short: the tree ends after 3 of 99 steps"),
    ("log", "a1_", FULL[:1], "The moves are cut short before '', which is no move"),
    ("log", "1.0.nan", (), "The moves are cut short before '1.0.nan', which is no move"),
    ("log", "1.0.1e999", (), "The moves are cut short before '1.0.1e999', which is no move"),
    ("log", "1.-1.5", (), "The moves are cut short before '1.-1.5', which is no move"),
    ("log", "0.0.5", (), "The moves are cut short before '0.0.5', which is no move"),
    ("log", "a-1", (), "The moves are cut short before 'a-1', which is no move"),
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
    assert [p.split(" cut short")[0] for p in problems] == ["The undone moves are"]


@pytest.mark.parametrize(
    ("params", "problem"),
    [
        ({"focus": "9"}, "Node 9 is not in this tree; the next node is shown"),
        ({"focus": "x"}, "'focus=x' in this link was not understood; it is left out"),
        ({"focus": "-1"}, "'focus=-1' in"),
        ({"focus": "1" * 700}, "'focus=1111"),
        ({"focus": "1" * 500}, "Node 1111"),
        ({"log": "1" * 500 + ".0.5"}, "The moves are cut short after 0: the next is not possible"),
        ({"cut": "x"}, "'cut=x' in"),
        ({"cut": "0"}, "'cut=0' in"),
        ({"cut": "9.5.5"}, "The cut of this link is on no feature"),
        ({"axes": "0"}, "'axes=0' in"),
        ({"axes": "0.0"}, "'axes=0.0' in"),
        ({"axes": "1.01"}, "'axes=1.01' in"),
        ({"axes": "0.9"}, "The axes of this link are no features"),
        ({"axes": "4.0"}, "The axes of this link are no features"),
        ({"slice": "4.1"}, "The slice of this link is where no feature can be"),
        ({"slice": "0"}, "'slice=0' in"),
        ({"slice": "0.x"}, "'slice=0.x' in"),
        ({"slice": "0.1e301"}, "The slice of this link is where no feature can be"),
        ({"cut": "4.5.5"}, "The cut of this link is on no feature"),
        (
            {"criterion": "squared_error"},
            "Criterion cannot be 'squared_error' here; Entropy is used",
        ),
        ({"criterion": "x"}, "Criterion cannot be 'x' here; Entropy is used"),
        ({"max_depth": "0"}, "Depth at most cannot be '0' here; any depth is used"),
        ({"max_depth": "1e3"}, "Depth at most cannot be '1e3'"),
        ({"min_gain": "nan"}, "Least gain cannot be 'nan' here; least gain 0 is used"),
        ({"min_gain": "True"}, "Least gain cannot be"),
        ({"purity": "True"}, "Pure enough cannot be"),
        ({"purity": "1.5"}, "Pure enough cannot be"),
        ({"order": "[1]"}, "Which node is next cannot be '[1]' here; depth-first is used"),
        (
            {"stop_at_zero_gain": "1"},
            "Stop at zero gain cannot be '1' here; goes on at zero gain is used",
        ),
        ({"ask": "yes"}, "'ask=yes' in"),
        ({"ask": ""}, "'ask=' in"),
        ({"hide": "x"}, "'x' in this link was not understood"),
        ({"hide": "."}, "'' in this link"),
        ({"branches": "x"}, "A branch is cut short before 'x', which is no move"),
        ({"branches": "9.0.5"}, "A branch is cut short after 0: the next is not possible"),
        ({"branches": "~"}, "A branch is cut short before '', which is no move"),
    ],
)
def test_what_was_not_understood_is_named(params: dict[str, str], problem: str) -> None:
    session, problems = opened(**params)
    assert session == Session(START)
    assert len(set(problems)) == 1
    assert problems[0].startswith(problem)
    assert len(problems[0]) < 100  # two lines on a phone


def test_families_that_propose_nothing_for_the_table_are_refused() -> None:
    found = dtviz.load("play_tennis")
    said = resolve(read({"families": "axis"}, START), found, future_of(found))
    assert said[0].rules.families == ("axis", "subset")
    usual = ", ".join(FAMILIES[one].title for one in ("axis", "subset"))
    assert said[1] == (f"Cuts compared cannot be 'axis' here; {usual} is used",)


def test_one_bad_rule_does_not_lose_the_others() -> None:
    session, problems = opened(max_depth="0", min_samples_leaf="2", criterion="gini")
    assert session.rules == Rules("gini", min_samples_leaf=2)
    assert len(problems) == 1


def test_a_criterion_for_the_other_task_keeps_the_other_rules() -> None:
    treble = data_of(RPART_TREBLE, "regression")
    session, problems = opened(treble, criterion="gini", max_depth="2")
    assert session.rules == Rules("squared_error", max_depth=2)
    assert problems == ("Criterion cannot be 'gini' here; Squared error is used",)


def test_whole_numbers_and_decimals_are_read_as_meant() -> None:
    session, problems = opened(min_gain="0", purity="1", max_depth="+3", max_leaf_nodes="None")
    assert session.rules == Rules(max_depth=3)
    assert problems == ()


def test_a_bad_parameter_of_a_recipe_falls_back_to_its_default() -> None:
    found = read({"data": "moons", "n": "-5", "seed": "3"}, START)
    assert found.recipe == gallery.example_recipe("moons", seed=3)
    assert found.problems == ("'n=-5' in this link was not understood; it is left out",)


@pytest.mark.parametrize("key", ["foo", "utm", "name", "", "ñ", "`", "self", "\0"])
def test_an_unknown_parameter_does_not_lose_the_data(key: str) -> None:
    found = read({"data": "circles", "n": "50", key: "1"}, START)
    assert found.recipe == gallery.example_recipe("circles", n=50)
    assert len(found.problems) == 1


def test_an_unknown_name_opens_the_default() -> None:
    found = read({"data": "nonsense", "n": "50"}, START)
    assert found.recipe == START
    assert found.problems == (
        "This link asks for the data set 'nonsense', which is not here; The good place is shown",
    )


def test_no_data_is_the_default_without_a_word() -> None:
    assert read({}, START).problems == ()
    assert read(dict.fromkeys(NAMES[1:6], ""), START).recipe == START


def test_what_nobody_knows_is_named_without_data_too() -> None:
    found = read({"n": "5", "log": "a1", "x<b>": "", "y": "1", "z": "2"}, START)
    assert found.recipe == START
    assert found.problems == (
        "'n', 'x<b>' and 2 more in this link were not understood; they are left out",
    )


@pytest.mark.parametrize("data", [{}, {"data": "circles"}])
def test_what_others_add_to_a_link_is_no_problem(data: dict[str, str]) -> None:
    added = {"utm_source": "x", "utm_medium": "y", "embed": "true", "embed_options": "dark_theme"}
    assert read({**data, **added}, START).problems == ()


def test_a_recipe_that_is_refused_whole_opens_the_default() -> None:
    found = read({"data": "file", "n": "5"}, START)
    assert found.recipe == START
    assert found.problems == (
        "This link does not say whole which data it means; The good place is shown",
    )


def test_an_endless_log_is_cut_short_with_a_word() -> None:
    session, problems = opened(log="1.0.0.5_c1_" * 5000)
    assert 2 < len(session.log) < 6000
    assert any("cut short: a link carries 30,000 characters" in p for p in problems)


@pytest.mark.parametrize("text", ["a1_" * 9999 + "a1", "a0_" * 9999 + "a0", "a1_c1_" * 4999 + "a1"])
def test_many_small_pieces_ask_for_few_futures_and_say_few_words(text: str) -> None:
    calls = []

    def counting(rules: Rules, log: Any, *_: Any) -> Any:
        calls.append(1)
        return FUTURE(rules, log)

    future: Future = counting
    _, problems = resolve(read({"log": text}, START), PLACE, future)
    assert len(calls) < 10
    assert len(problems) <= 3


# --- branches, narration, what is hidden ---


def whole(*log: Any) -> Log:
    """These moves and the automatic rest."""
    return (*log, *FUTURE(Rules(), log))


def test_branches_are_read_as_whole_lines() -> None:
    session, problems = opened(log="a1", branches="1.1.97.5~a1_3.2.3.5_a9")
    assert session.branches == (whole(OWN), whole(FULL[0], Grow(3, axis_split(2, 3.5))))
    rest = len(session.branches[1]) - 2
    assert problems == (f"A branch is cut short: the tree ends after {rest} of 9 steps",)
    assert reread(session, PLACE)[0] == session


@pytest.mark.parametrize(
    ("text", "branches", "problem"),
    [
        ("1.1.97.5_x", (whole(OWN),), "before 'x', which is no move"),
        ("1.1.97.5_1.0.5", (whole(OWN),), "after 1: the next is not possible"),
        ("1.9.5~1.1.97.5", (whole(OWN),), "after 0: the next is not possible"),
        ("nonsense~1.1.97.5", (whole(OWN),), "before 'nonsense', which is no move"),
        ("a3~a3~1.1.97.5~1.1.97.5", (whole(OWN),), ""),
        ("a0", (), ""),
        ("", (), ""),
    ],
)
def test_the_longest_valid_branches_are_kept(text: str, branches: Any, problem: str) -> None:
    session, problems = opened(branches=text)
    assert session == Session(START, branches=branches)
    assert len(problems) == bool(problem)
    assert not problem or problems[0].startswith(f"A branch is cut short {problem}")


def test_more_branches_than_there_may_be() -> None:
    cuts = (97.5, 95.0, 90.0, 84.0, 61.5)
    text = "~".join(f"1.1.{cut}" for cut in cuts)
    session, problems = opened(branches=text)
    assert [branch[0] for branch in session.branches] == [
        Grow(1, axis_split(1, cut)) for cut in cuts[:MAX_BRANCHES]
    ]
    assert problems == (f"The branches are cut short: a link carries {MAX_BRANCHES}",)


def test_a_branch_of_very_many_runs_comes_back() -> None:
    loop = (*whole(OWN)[:2], Collapse(1))
    session = with_branches(Session(START, log=(OWN,)), [loop * 80, (*loop, OWN)], FUTURE)
    assert [len(branch) for branch in session.branches] == [240, len(whole(*loop, OWN))]
    first = write(session, PLACE, FUTURE)["branches"].split("~")[0]
    assert first.count("_a1") == 17  # of three pieces each: 2 * MAX_RUNS / MAX_BRANCHES in all
    assert reread(session, PLACE) == (session, ())


@pytest.mark.uncounted
@pytest.mark.parametrize(
    "run", ["a1_", "a0_", "~", "a1~", "1.0.0.5_a1_c1_", "1.0.0.5_a99_c1_", "1.0.0.5_c1_", "c1~"]
)
def test_hostile_branches_are_no_more_work_than_one_log(run: str) -> None:
    asked = []

    def counting(rules: Rules, log: Any, first: Any = None, *_: Any) -> Any:
        asked.append(log)
        return FUTURE(rules, log, first)

    one = run * (MOST_TEXT // MAX_BRANCHES // len(run)) + "a1"
    for text in (run * 40_000, "~".join([one] * MAX_BRANCHES)):
        asked.clear()
        session, problems = resolve(read({"branches": text}, START), PLACE, counting)
        assert len(asked) <= 2 * MAX_RUNS
        assert len(problems) <= 2 + 2 * MAX_BRANCHES
        assert all(len(problem) < 400 for problem in problems)
        all_possible(session)
        write(session, PLACE, counting)
        assert len(asked) <= 6 * MAX_RUNS


def test_a_text_too_long_ends_at_a_whole_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dtviz.screen.moves.MAX_MOVES", MOST_TEXT)
    session, problems = opened(log="1.0.0.5_c1_" * 2727 + "1.0.0.54321")
    assert session.log[-2:] == (Grow(1, axis_split(0, 0.5)), Collapse(1))
    assert len(problems) == 1


def test_a_link_carries_so_many_moves_of_your_own() -> None:
    pieces = MAX_MOVES // 2
    assert opened(log="1.0.0.5_c1_" * (pieces - 1) + "1.0.0.5_c1")[1] == ()
    session, problems = opened(log="1.0.0.5_c1_" * pieces + "1.0.0.5")
    assert len(session.log) == MAX_MOVES
    assert problems == ("The moves are cut short: a link carries 1,000 moves",)


@pytest.mark.parametrize("name", [name for name, one in GALLERY.items() if one.params])
def test_an_address_asks_for_no_more_than_the_page_offers(name: str) -> None:
    for param in GALLERY[name].params:
        most = as_offered(param).high
        if most is None:
            continue
        texts, text = {"data": name, param.name: f"{most:g}"}, f"{most + 1:.0f}"
        assert read(texts, START).problems == ()
        found = read(texts | {param.name: text}, START)
        assert found.recipe == gallery.example_recipe(name)
        (problem,) = found.problems
        assert problem.startswith(f"'{param.name}={text}' in this link was not")
    assert gallery.example_recipe("moons", n=1_000_000).get("n") == 1_000_000  # in Python


def test_data_made_of_an_example_has_no_more_rows_than_the_page_offers() -> None:
    texts = {"data": "sample", "sample_of": "moons", "n": "1000000", "sample_shown": "0"}
    found = read(texts, START)
    assert found.recipe.get("n") == 200
    assert "was not understood" in found.problems[0]


@pytest.mark.parametrize(("text", "ask"), [("1", True), ("0", False)])
def test_ask_first(text: str, ask: bool) -> None:
    assert opened(ask=text) == (Session(START, ask=ask), ())


def test_controls_are_hidden_by_name() -> None:
    assert opened(hide="time-line.settings") == (hide(Session(START), HIDEABLE[:2]), ())
    session, problems = opened(hide="why.x.why.<b>.gains." + "y" * 999 + ".z")
    assert session == hide(Session(START), ["gains", "why"])
    assert problems == (left_out(["x", "<b>", "y", "z"]),)
    assert problems[0].startswith("'x', '<b>' and 2 more in this link were not understood")


def test_the_last_feature_can_be_drawn_and_cut() -> None:
    assert len(PLACE.features) == 4
    session, problems = opened(axes="3.0", cut="3.5.5")
    assert (session.axes, session.cut, problems) == ((3, 0), axis_split(3, 5.5), ())


def test_a_narration_is_made_harmless() -> None:
    assert opened(say=" look\u202e\n at <b> ") == (narrate(Session(START), "look at <b>"), ())
    assert opened(say="x" * 300) == (Session(START, say="x" * 300), ())
    session, problems = opened(say="x" * 5000)
    assert session.say == "x" * 299 + "…"
    assert problems == ("What this link says is cut short after 300 characters",)


@pytest.mark.uncounted
def test_a_long_run_is_read_whole() -> None:
    assert opened(log="a100000_a20000")[1] == (
        "The moves are cut short: the tree ends after 3 of 120000 steps",
    )
    n = 3000
    rng = np.random.default_rng(0)
    found = dataset([rng.permutation(n)], np.arange(n), ["x"], "y")
    future = future_of(found)
    rules = Rules("squared_error")
    full = future(rules, ())
    assert len(full) == n - 1
    session = Session(START, rules, full)
    assert write(session, found, future)["log"] == f"a{len(full)}"
    again, problems = reread(session, found)
    assert (again, problems) == (session, ())


def test_a_session_of_the_heights_by_hand() -> None:
    found = data_of(HEIGHTS)
    session, problems = opened(found, log="1.0.175_a1", focus="4", cut="0.165", criterion="gini")
    assert problems == ()
    assert session.log == (Grow(1, axis_split(0, 175)), Grow(2, axis_split(0, 165)))
    assert (session.focus, session.cut) == (4, axis_split(0, 165))


# --- pruning ---

PRUNING = Rules("gini", ccp_alpha=0.2)
PRUNED = FUTURE(PRUNING, ())


def test_alpha_is_written_where_it_is_not_0() -> None:
    session = Session(START, Rules(ccp_alpha=0.01))
    assert write(session, PLACE, FUTURE) == {"data": "good_place", "ccp_alpha": "0.01"}
    assert reread(session, PLACE) == (session, ())
    assert opened(ccp_alpha="0.01") == (session, ())
    assert opened(ccp_alpha="0") == (Session(START), ())
    assert opened(ccp_alpha="1e-2") == (session, ())
    assert opened(ccp_alpha="2")[0].rules == Rules(ccp_alpha=2.0)


@pytest.mark.parametrize("alpha", [5e-324, 1e-17, 1 / 3, 0.1 + 0.2, 1.0, 12345678.9, 1e300])
def test_any_alpha_comes_back(alpha: float) -> None:
    session = Session(START, Rules(ccp_alpha=alpha))
    assert reread(session, PLACE) == (session, ())


@pytest.mark.parametrize("text", ["-0.01", "-1", "x", "", "nan", "inf", "1e999", "True", "None"])
def test_an_alpha_that_cannot_be_is_refused_with_a_word(text: str) -> None:
    session, problems = opened(ccp_alpha=text, max_depth="2")
    assert session == Session(START, Rules(max_depth=2))
    assert len(problems) == 1
    assert problems == (f"Prune up to cannot be '{text}' here; prune up to 0 is used",)


def test_prunes_are_counted_among_the_automatic_moves() -> None:
    assert PRUNED[3:] == (Collapse(1),)
    session = Session(START, PRUNING, PRUNED)
    assert write(session, PLACE, FUTURE)["log"] == "a4"
    assert reread(session, PLACE) == (session, ())
    treble = data_of(RPART_TREBLE, "regression")
    rules = Rules("squared_error", min_samples_split=4, ccp_alpha=1.0)
    log = future_of(treble)(rules, ())
    assert log[3:] == (Collapse(2), Collapse(3))
    assert write(Session(START, rules, log), treble, future_of(treble))["log"] == "a5"
    for made in range(len(PRUNED) + 1):
        session = Session(START, PRUNING, PRUNED[:made], PRUNED[made:])
        assert reread(session, PLACE) == (session, ())
    session, problems = opened(criterion="gini", ccp_alpha="0.2", log="a99")
    assert session.log == PRUNED
    assert problems == (f"The moves are cut short: the tree ends after {len(PRUNED)} of 99 steps",)


def test_a_log_with_prunes_is_read_under_rules_that_prune_nothing() -> None:
    session, problems = opened(criterion="gini", log="a3_c3")
    assert session.log == (*PRUNED[:3], Collapse(3))
    assert problems == ()
    assert write(session, PLACE, FUTURE)["log"] == "a3_c3"


def test_rules_changed_half_way_through_the_prunes_come_back() -> None:
    for made in range(len(PRUNED) + 1):
        for rules in (Rules("gini"), Rules("gini", ccp_alpha=0.01), Rules(ccp_alpha=9.0)):
            changed = with_rules(
                Session(START, PRUNING, PRUNED[:made], PRUNED[made:]), rules, FUTURE
            )
            assert changed.log == FUTURE(rules, ())[:made]
            assert reread(changed, PLACE) == (changed, ())


@given(sessions(ccp_alpha=0.05))
def test_a_session_with_pruning_comes_back_as_it_was(case: Any) -> None:
    found, session = case
    assert reread(session, found) == (session, ())


@given(data(10), st.data())
def test_any_rules_with_alpha_and_any_step_come_back(found: Dataset, drawn: st.DataObject) -> None:
    rules = drawn.draw(any_rules(found))
    log = future_of(found)(rules, ())
    made = drawn.draw(st.integers(0, len(log)))
    session = Session(START, rules, log[:made])
    assert write(session, found, future_of(found)).get("log", "a0") == f"a{made}"
    assert reread(session, found) == (session, ())


# --- what belongs together ---


def test_a_cut_goes_with_its_node() -> None:
    session, problems = opened(focus="9", cut="1.97.5")
    assert session == Session(START)
    assert problems[1:] == ("The cut of this link was one of that node; the best cut is shown",)
    assert opened(cut="1.97.5")[0].cut == OWN.split


@pytest.mark.uncounted
def test_an_undone_move_after_very_many_runs_comes_back() -> None:
    loop = (*whole(OWN)[:2], Collapse(1))
    session = Session(START, log=loop * 80, undone=(OWN, *whole(OWN)[1:2], Collapse(1), OWN))
    assert write(session, PLACE, FUTURE)["undone"].startswith("1.1.97.5_a1_c1_1")
    assert reread(session, PLACE) == (session, ())


def test_moves_without_an_order_are_depth_first_and_without_moves_the_usual_one_is_meant() -> None:
    """Links made before best-first was usual grow what they grew."""

    def order(name: str, **params: str) -> str | None:
        wanted = gallery.example_recipe(name)
        found = gallery.build(wanted)
        session, _ = resolve(read({"data": name} | params, wanted), found, future_of(found))
        return session.rules.order

    assert order("moons") == "best"
    assert order("moons", log="a2") is None
    assert order("heights") is None
    assert order("moons", log="a2", order="best") == "best"
    assert order("moons", order="auto") is order("moons", order="None") is None


def test_an_order_that_is_left_to_the_leaves_is_written_as_such() -> None:
    moons = gallery.example_recipe("moons")
    data = gallery.build(moons)
    params = write(Session(moons, Rules()), data, future_of(data))
    assert params["order"] == "auto"
    assert resolve(read(params, moons), data, future_of(data)) == (Session(moons, Rules()), ())
