"""Long work in slices: done to its end, or as a part of other work."""

from __future__ import annotations

from dtviz.slices import Slices, finished, within


def work(steps: int) -> Slices[str]:
    for k in range(steps):
        yield k / steps
    return f"{steps} steps"


def test_finished_gives_what_the_work_returns() -> None:
    assert finished(work(4)) == "4 steps"
    assert finished(work(0)) == "0 steps"


def test_a_part_takes_its_share_of_the_whole() -> None:
    def whole() -> Slices[list[str]]:
        first = yield from within(work(2), 0, 0.5)
        second = yield from within(work(4), 0.5, 1)
        return [first, second]

    assert [*whole()] == [0, 0.25, 0.5, 0.625, 0.75, 0.875]
    assert finished(whole()) == ["2 steps", "4 steps"]
