"""The judging part of an address: written where it is not the usual, read back, never raising."""

from __future__ import annotations

from typing import Any

import pytest
from cases import GOOD_PLACE, data_of
from futures import future_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import NASTY, nasty

from dtviz.engine.tree import Collapse
from dtviz.judge.axes import AXES
from dtviz.screen.address import read, resolve, write
from dtviz.screen.session import MOST_FOLDS, ONE_OUT, Judging, Session
from dtviz.table.data import recipe
from dtviz.table.values import MOST_TEXT

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
START = recipe("good_place")
NAMES = ("held_out", "held_seed", "folds", "against", "prunes")

judgings = st.builds(
    Judging,
    share=st.one_of(st.sampled_from((0.05, 0.1, 0.3, 0.95)), st.floats(0.05, 0.95)),
    seed=st.one_of(st.sampled_from((0, 10**9 - 1)), st.integers(0, 10**9 - 1)),
    folds=st.integers(0, MOST_FOLDS),
    against=st.sampled_from([*AXES]),
    prunes=st.lists(st.builds(Collapse, st.integers(1, 2**200)), max_size=20).map(tuple),
)


def written(judging: Judging) -> dict[str, str]:
    return write(Session(START, judging=judging), PLACE, FUTURE)


def opened(**params: str) -> tuple[Judging, tuple[str, ...]]:
    """What an address says of judging, and what of it was not understood."""
    session, problems = resolve(read(params, START), PLACE, FUTURE)
    return session.judging, problems


# --- written --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("judging", "text"),
    [
        (Judging(), {}),
        (Judging(share=0.5), {"held_out": "0.5"}),
        (Judging(share=0.1 + 0.2), {"held_out": "0.30000000000000004"}),
        (Judging(seed=3), {"held_seed": "3"}),
        (Judging(folds=0), {"folds": "0"}),
        (Judging(folds=10), {"folds": "10"}),
        (Judging(folds=ONE_OUT), {"folds": "one_out"}),
        (Judging(against="leaf_size"), {"against": "leaf_size"}),
        (Judging(prunes=(Collapse(5), Collapse(9))), {"prunes": "c5_c9"}),
        (
            Judging(0.2, 7, 20, "alpha", (Collapse(1),)),
            {"held_out": "0.2", "held_seed": "7", "folds": "20", "against": "alpha"}
            | {"prunes": "c1"},
        ),
    ],
    ids=str,
)
def test_each_field_is_written_only_where_it_is_not_the_usual(
    judging: Judging, text: dict[str, str]
) -> None:
    assert written(judging) == {"data": "good_place"} | text
    assert opened(**written(judging)) == (judging, ())


@given(judgings)
def test_any_judging_comes_back(judging: Judging) -> None:
    params = written(judging)
    assert opened(**params) == (judging, ())
    usual = Judging()
    fields = ("share", "seed", "folds", "against", "prunes")
    for name, field in zip(NAMES, fields, strict=True):
        assert (name in params) == (getattr(judging, field) != getattr(usual, field))


@given(judgings)
def test_it_stands_beside_a_recipe_rules_and_moves(judging: Judging) -> None:
    params = {"data": "good_place", "max_depth": "2", "log": "a1", "hide": "panels", "say": "?"}
    params |= written(judging)
    session, problems = resolve(read(params, START), PLACE, FUTURE)
    assert (session.judging, session.recipe, problems) == (judging, START, ())
    assert write(session, PLACE, FUTURE) == params


# --- read -----------------------------------------------------------------------------------------

BAD: tuple[tuple[str, str], ...] = (
    *(("held_out", text) for text in ("2", "0", "1", "0.04", "-0.3", "nan", "inf", "1e-999")),
    *(("held_out", text) for text in ("", " 0.3", "0,3", "30%", "0.3.1", "9" * 10**6)),
    *(("held_seed", text) for text in ("-1", "1.5", "1e3", "1000000000", "", "9" * 10**6, "٣")),
    *(("folds", text) for text in ("99", "21", "-1", "2.5", "one out", "One_out", "", "²")),
    *(("against", text) for text in ("foo", "", "Depth", "depth ", "x" * 10**6, "max_depth")),
)


@pytest.mark.parametrize(("name", "text"), BAD, ids=lambda text: ascii(text)[:20])
def test_what_is_not_understood_is_said_and_the_other_parts_kept(name: str, text: str) -> None:
    good = {"held_out": "0.2", "held_seed": "4", "folds": "10", "against": "alpha", "prunes": "c2"}
    judging, problems = opened(**(good | {name: text}))
    assert len(problems) == 1
    assert f"'{name}" in problems[0] or "prunes" in problems[0]
    assert len(problems[0]) < 200
    kept = {key: value for key, value in good.items() if key != name}
    assert written(judging) == {"data": "good_place"} | kept


@pytest.mark.parametrize(
    ("text", "judging"),
    [
        ({"held_out": "0.30"}, Judging()),
        ({"held_out": "5e-2"}, Judging(share=0.05)),
        ({"held_out": "+.5"}, Judging(share=0.5)),
        ({"held_seed": "007"}, Judging(seed=7)),
        ({"folds": "1"}, Judging(folds=ONE_OUT)),
        ({"folds": "05"}, Judging()),
        ({"prunes": ""}, Judging()),
        ({"prunes": "c3_c3"}, Judging(prunes=(Collapse(3), Collapse(3)))),
    ],
    ids=str,
)
def test_other_ways_to_write_the_same_are_read(text: dict[str, str], judging: Judging) -> None:
    assert opened(**text) == (judging, ())


def test_only_prunes_are_kept_of_prunes_up_to_what_is_no_move() -> None:
    judging, problems = opened(prunes="a3_c2_zz_c5")
    assert judging == Judging(prunes=(Collapse(2),))
    assert len(problems) == 2
    assert "before 'zz'" in problems[0]
    assert "no prune " in problems[1]
    assert opened(prunes="c2_1.0.0.5_c3")[0].prunes == (Collapse(2), Collapse(3))
    for text in ("c0", "c", "c-1", "c1.5", "C1", "c٣", "c" + "9" * 601, "~", "_"):
        judging, problems = opened(prunes=f"c4_{text}")
        assert (judging.prunes, len(problems)) == ((Collapse(4),), 1)


def test_a_node_of_six_hundred_digits_is_read_and_written() -> None:
    text = "c" + "9" * 600
    judging, problems = opened(prunes=text)
    assert not problems
    assert written(judging)["prunes"] == text


@pytest.mark.parametrize("text", ["c1_" * 400_000, "c" * 10**6, "c1" + "0" * 10**6, "_" * 10**6])
def test_a_million_characters_of_prunes_are_cut(text: str) -> None:
    judging, problems = opened(prunes=text)
    assert any("cut short" in problem for problem in problems)
    assert len(judging.prunes) <= MOST_TEXT // 3
    assert set(judging.prunes) <= {Collapse(1)}


def test_more_prunes_than_automatic_runs_are_kept() -> None:
    prunes = tuple(Collapse(k) for k in range(1, 1_000))
    assert opened(**written(Judging(prunes=prunes)))[0].prunes == prunes


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, nasty)))
def test_any_text_is_read_and_what_is_kept_comes_back(texts: Any) -> None:
    judging, _ = opened(**texts)
    assert opened(**written(judging)) == (judging, ())


@pytest.mark.parametrize("text", NASTY, ids=lambda text: ascii(text)[:20])
def test_nothing_from_outside_makes_a_message_long(text: str) -> None:
    problems = opened(**dict.fromkeys(NAMES, text))[1]
    assert all(len(problem) < 200 for problem in problems)
    assert all("\n" not in problem and "\0" not in problem for problem in problems)
