"""The tips of the lines: judged on the rows that Overfit holds out, each worked out once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from futures import future_of

from dtviz import Dataset, load
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, default_rules
from dtviz.engine.splits import axis_split
from dtviz.engine.tree import Grow, predict
from dtviz.figures.forks import forks_frame
from dtviz.judge.metrics import held_rows, replay_on
from dtviz.screen import forks
from dtviz.screen.forks import parting, tips_of, tips_work
from dtviz.screen.keep import Keep
from dtviz.screen.screen import Screen, screen_of
from dtviz.screen.session import Session, forward, split_here
from dtviz.table.data import recipe, take

IRIS = load("iris")
SINE = load("sine", n=60)
OWN = axis_split(0, 5.45)


def branched(data: Dataset, steps: int = 1, keep: Keep | None = None, **changes: Any) -> Screen:
    """So many steps on, where a split of your own left a branch."""
    future = future_of(data)
    session = Session(recipe("file"), default_rules(data.task), **changes)
    for _ in range(steps):
        session = forward(session, future)
    here = screen_of(session, data, future)
    node = here.node
    value = float(np.median(data.columns[0][here.tree.rows[node]]))
    session = split_here(session, here.tree, node, axis_split(0, value), future)
    return screen_of(session, data, future, keep)


def test_a_line_that_is_all_automatic_is_as_good_as_the_tree_of_overfit() -> None:
    for data in (IRIS, SINE):
        screen = branched(data)
        tips = tips_of(screen)
        error = screen.judged.errors[1]
        assert tips.scores[1] == pytest.approx(1 - error if data.classes else error)
        assert tips.rows == f"the {screen.judged.out.sum()} rows that Overfit holds out"


def test_the_own_splits_of_a_line_stay_and_the_others_are_made_of_the_other_rows() -> None:
    screen = branched(IRIS, steps=0)
    out = held_rows(IRIS, 0.3, 0)
    own = screen.session.log[0]
    assert own.node == 1
    rules = screen.session.rules
    tree = replay_on(Problem(take(IRIS, ~out), rules), (own, 2 * IRIS.n))
    right = predict(tree, IRIS.columns[:, out]) == IRIS.y[out]
    found = tips_of(screen)
    assert found.scores[0] == right.mean()


def test_the_score_of_a_line_is_worked_out_once_whatever_is_done_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []
    judged_on = forks.judged_on
    monkeypatch.setattr(
        forks, "judged_on", lambda *given: asked.append(given[-1]) or judged_on(*given)
    )
    keep = Keep()
    screen = branched(IRIS, keep=keep)
    assert tips_of(screen) is not None
    assert len(asked) == 2
    session = forward(screen.session, screen.future)
    assert tips_of(screen_of(session, IRIS, screen.future, keep)) is not None
    assert len(asked) == 2
    third = (Grow(1, OWN), *screen.future(session.rules, (Grow(1, OWN),)))
    more = replace(session, branches=(*session.branches, third))
    found = tips_of(screen_of(more, IRIS, screen.future, keep))
    assert (len(found.scores), len(asked)) == (3, 3)


def test_without_branches_nothing_is_worked_out() -> None:
    session = Session(recipe("file"), Rules())
    screen = screen_of(session, IRIS, future_of(IRIS))
    assert tips_of(screen) is None
    assert forks_frame(screen) == {"forks": []}


def test_one_row_leaves_none_to_judge_by() -> None:
    one = take(IRIS, np.arange(1))
    screen = screen_of(Session(recipe("file"), branches=((),)), one, future_of(one))
    assert forks_frame(screen)["forks"] == [
        {"branch": 0, "at": 0, "held": "-", "said": "accuracy - on rows held out"}
    ]


def test_a_fork_leaves_after_the_steps_that_both_have() -> None:
    screen = branched(IRIS, steps=2)
    (fork,) = forks_frame(screen)["forks"]
    assert fork["at"] == 2 == parting(screen.session.log, screen.session.branches[0])
    assert fork["held"].endswith("%")
    assert fork["held"] in fork["said"]
    assert parting((), (Grow(1, OWN),)) == 0


def test_while_it_is_worked_out_the_forks_are_there_and_their_tips_wait() -> None:
    screen = replace(branched(IRIS), done=lambda work: None)
    frame = forks_frame(screen)
    assert [fork["held"] for fork in frame["forks"]] == [""] == [frame["tip"]["held"]]
    assert tips_work(screen).asked == tips_work(branched(IRIS)).asked
