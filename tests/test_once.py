"""Values kept in their object: worked out once, and for nobody else to wait for."""

from __future__ import annotations

from threading import Event, Thread

import pytest

from dtviz.engine.late import Late
from dtviz.once import Last, once


class Square:
    made = 0

    def __init__(self, side: int) -> None:
        self.side = side

    @once
    def area(self) -> int:
        """The area."""
        self.made += 1
        if self.side < 0:
            raise ValueError("no side")
        return self.side**2


def test_it_is_worked_out_once_for_each_object() -> None:
    two, three = Square(2), Square(3)
    assert (two.area, three.area, two.area) == (4, 9, 4)
    assert (two.made, three.made) == (1, 1)
    assert (Square.area.__doc__, Square.area.name) == ("The area.", "area")


def test_what_fails_is_tried_again() -> None:
    wrong = Square(-1)
    for _ in range(2):
        with pytest.raises(ValueError, match="no side"):
            _ = wrong.area
    assert wrong.made == 2


def test_what_is_worked_out_for_one_keeps_nobody_else_waiting() -> None:
    begun, other_done = Event(), Event()
    seen: list[bool] = []

    def slow() -> dict[int, int]:
        begun.set()
        seen.append(other_done.wait(10))
        return {1: 1}

    first, second = Late(slow), Late(lambda: {2: 2})
    waiting = Thread(target=lambda: first[1])
    waiting.start()
    assert begun.wait(10)
    asking = Thread(target=lambda: (second[2], other_done.set()))
    asking.start()
    waiting.join()
    asking.join()
    assert seen == [True]


def test_what_is_made_of_the_same_as_last_time_is_not_made_again() -> None:
    last, made = Last(), list[int]()

    def get(name: str, of: object) -> int:
        def make() -> int:
            made.append(len(made))
            return made[-1]

        return last.get(name, of, make)

    assert [get("a", [1, 2]), get("a", [1, 2]), get("b", [1, 2])] == [0, 0, 1]
    assert [get("a", [1, 3]), get("a", [1, 2]), get("b", [1, 2])] == [2, 3, 1]
