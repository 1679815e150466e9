"""Long work in slices: done to its end, or as a part of other work."""

from __future__ import annotations

import pytest

import dtviz
from dtviz.base import progress
from dtviz.base.progress import Slices, run_to_end, scaled_progress
from dtviz.engine.problem import Problem
from dtviz.engine.tree import fold, height


def work(steps: int) -> Slices[str]:
    for k in range(steps):
        yield k / steps
    return f"{steps} steps"


def test_finished_gives_what_the_work_returns() -> None:
    assert run_to_end(work(4)) == "4 steps"
    assert run_to_end(work(0)) == "0 steps"


def test_at_every_pause_of_work_that_is_done_at_once_a_shell_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(progress, "_waits", [])
    asked: list[int] = []
    progress.set_pause(lambda: asked.append(1))
    assert run_to_end(work(4)) == "4 steps"
    assert len(asked) == 4
    assert [*work(4)] == [0, 0.25, 0.5, 0.75]
    assert len(asked) == 4  # who takes the slices one by one has others in mind


def test_a_tree_pauses_at_each_level_and_move(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_waits", [])
    asked: list[int] = []
    progress.set_pause(lambda: asked.append(1))
    found = dtviz.load("moons", n=60)
    tree = dtviz.fit(found)
    grown = len(asked)
    assert grown >= height(tree.tree)
    fold(Problem(found, tree.rules_used), tree.log)
    assert len(asked) >= grown + len(tree.log)


def test_a_part_takes_its_share_of_the_whole() -> None:
    def whole() -> Slices[list[str]]:
        first = yield from scaled_progress(work(2), 0, 0.5)
        second = yield from scaled_progress(work(4), 0.5, 1)
        return [first, second]

    assert [*whole()] == [0, 0.25, 0.5, 0.625, 0.75, 0.875]
    assert run_to_end(whole()) == ["2 steps", "4 steps"]
