"""What is late is made once, when it is first read."""

from __future__ import annotations

import copy
import pickle
from threading import Event, Thread

import numpy as np
import pytest

from dtviz import fit
from dtviz.base.lazy import LastValues, LazyMapping, lazy_property
from dtviz.data.dataset import make_dataset


def test_a_late_mapping_is_filled_once_and_only_when_it_is_read() -> None:
    filled = []

    def fill() -> dict[int, str]:
        filled.append(True)
        return {1: "a", 2: "b"}

    late = LazyMapping(fill)
    assert not filled
    assert late == {1: "a", 2: "b"}
    assert list(late) == [1, 2]
    assert late[2] == "b"
    assert 3 not in late
    assert len(filled) == 1


def test_a_log_that_is_told_late_goes_with_copies_and_pickles() -> None:
    x = np.arange(6.0)[None]
    model = fit(make_dataset(x, np.array([0, 0, 1, 1, 0, 1]), ("x",), "y", ("a", "b")))
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert other.log == model.log != ()
        assert other.tree.splits == model.tree.splits


class Square:
    made = 0

    def __init__(self, side: int) -> None:
        self.side = side

    @lazy_property
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

    first, second = LazyMapping(slow), LazyMapping(lambda: {2: 2})
    waiting = Thread(target=lambda: first[1])
    waiting.start()
    assert begun.wait(10)
    asking = Thread(target=lambda: (second[2], other_done.set()))
    asking.start()
    waiting.join()
    asking.join()
    assert seen == [True]


def test_what_is_made_of_the_same_as_last_time_is_not_made_again() -> None:
    last, made = LastValues(), list[int]()

    def get(name: str, of: object) -> int:
        def make() -> int:
            made.append(len(made))
            return made[-1]

        return last.get(name, of, make)

    assert [get("a", [1, 2]), get("a", [1, 2]), get("b", [1, 2])] == [0, 0, 1]
    assert [get("a", [1, 3]), get("a", [1, 2]), get("b", [1, 2])] == [2, 3, 1]
