"""The gate that runs of pages go through: few at a time, in order, and nobody keeps the others."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from dtviz.ui import gate
from dtviz.ui.gate import Gate


class Visitor:
    """A thread that goes through a gate, and leaves it when told."""

    def __init__(self, through: Gate) -> None:
        self.inside, self.sent = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=self.visit, args=(through,), daemon=True)
        self.thread.start()

    def visit(self, through: Gate) -> None:
        through.enter(bool)
        self.inside.set()
        self.sent.wait(60)
        through.leave()

    def send(self) -> None:
        self.sent.set()
        self.thread.join(60)


@pytest.fixture
def comes(monkeypatch: pytest.MonkeyPatch) -> Callable[[Gate], Visitor]:
    """A visitor who has come in, or stands in line."""
    monkeypatch.setattr(gate, "HELD", 60.0)

    def come(through: Gate) -> Visitor:
        many = len(through._since) + len(through._line)
        one = Visitor(through)
        while len(through._since) + len(through._line) == many:
            pass
        return one

    return come


def test_as_many_as_there_are_places_are_let_in_in_order(comes: Callable[[Gate], Visitor]) -> None:
    through = Gate(2)
    first, second, third, fourth = (comes(through) for _ in range(4))
    assert first.inside.wait(60)
    assert second.inside.wait(60)
    assert not third.inside.is_set()
    second.send()
    assert third.inside.wait(60)
    assert not fourth.inside.is_set()
    first.send()
    assert fourth.inside.wait(60)
    third.send()
    fourth.send()
    assert not through._since
    assert comes(through).inside.wait(60)


def test_who_stays_long_keeps_nobody_and_gives_its_place_back_once(
    comes: Callable[[Gate], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    through = Gate(1)
    first = comes(through)
    assert first.inside.wait(60)
    monkeypatch.setattr(gate, "HELD", 0.01)
    second = comes(through)
    assert second.inside.wait(60)
    monkeypatch.setattr(gate, "HELD", 60.0)
    first.send()  # it has none any more
    third = comes(through)
    assert not third.inside.is_set()
    second.send()
    assert third.inside.wait(60)
    third.send()


def test_who_has_no_place_leaves_as_it_came() -> None:
    through = Gate(1)
    through.leave()
    through.enter(bool)
    through.leave()
    through.leave()
    assert through._free == 1


def test_who_gives_up_in_line_leaves_it_and_keeps_nobody(
    comes: Callable[[Gate], Visitor], monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up() -> None:
        raise ZeroDivisionError

    through = Gate(1)
    first = comes(through)
    assert first.inside.wait(60)
    monkeypatch.setattr(through, "_expire", bool)
    monkeypatch.setattr(gate, "HELD", 0.01)
    with pytest.raises(ZeroDivisionError):
        through.enter(give_up)
    assert not through._line
    first.send()
    assert through._free == 1
    comes(through).send()


def test_who_gives_up_as_its_turn_comes_gives_the_place_on(monkeypatch: pytest.MonkeyPatch) -> None:
    through = Gate(1)
    visitor = Visitor(through)
    assert visitor.inside.wait(60)

    def give_up() -> None:
        visitor.send()
        assert not through._free
        raise ZeroDivisionError

    monkeypatch.setattr(gate, "HELD", 0.01)
    with pytest.raises(ZeroDivisionError):
        through.enter(give_up)
    assert through._free == 1
