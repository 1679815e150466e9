"""The channel: each event once and in order, whatever the browser sends."""

from __future__ import annotations

import struct
from typing import Any

from hypothesis import given
from hypothesis import strategies as hst
from test_drawing import anything

from dtviz.screen.channel import AT_ONCE, LARGEST, MOST_HELD, held, letter, unheard


def event(n: Any, picture: Any = "line") -> dict[str, Any]:
    return {"n": n, "picture": picture, "event": {"step": n}}


def numbers(message: Any, heard: int = 0) -> list[int]:
    return [sent.n for sent in unheard(message, heard)]


def test_what_was_heard_is_not_done_again() -> None:
    message = {"events": [event(1), event(2), event(3, "stage")]}
    told = [(2, "line", {"step": 2}, None), (3, "stage", {"step": 3}, None)]
    assert unheard(message, 1) == told
    assert unheard(message, 3) == []


@given(hst.lists(hst.integers(0, 30)), hst.integers(0, 30))
def test_however_messages_overlap_each_event_is_done_once_and_in_order(
    sent: list[int], heard: int
) -> None:
    done: list[int] = []
    for n in sent:
        for one in numbers({"events": [event(k) for k in range(max(n - 5, 0), n + 1)]}, heard):
            done.append(one)
            heard = one
    assert done == sorted(set(done))


def test_numbers_that_are_none_or_too_large_are_left_out() -> None:
    odd = (None, "1", 1.0, True, [1], -1, 0, LARGEST, 10**400)
    assert numbers({"events": [event(n) for n in odd]}) == []
    assert numbers({"events": [event(1, None), event(2, 3), event(3)]}) == [3]
    assert len(numbers({"events": [event(n) for n in range(1, 900)]})) == AT_ONCE


@given(anything)
def test_a_message_of_any_content_is_survived(message: Any) -> None:
    for one in (message, {"events": message}, {"events": [message]}, {"events": [event(message)]}):
        assert all(n > 0 for n in numbers(one))
    for one in (message, {"has": message}, {"has": [message]}):
        assert all(type(number) is int for number in held(one))


def test_the_frames_that_the_browser_holds_are_known_by_their_numbers() -> None:
    assert held({"events": [], "has": [3, 4, "5", True, None, 6.0]}) == {3, 4}
    assert len(held({"has": [*range(1000)]})) == MOST_HELD
    assert held({"events": []}) == frozenset()


def test_a_letter_has_the_number_heard_and_the_mark_of_the_data_before_its_frame() -> None:
    said = letter(2**40 - 1, "0123456789abcdef", b"frame")
    assert struct.unpack("<d16s", said[:24]) == (2**40 - 1, b"0123456789abcdef")
    assert said[24:] == b"frame"
