"""The border: each event once and in order, every field of it a typed value, or it is refused."""

from __future__ import annotations

import json
import math
import struct
from typing import Any

from fuzz import ODD, PLAIN_EVENTS
from hypothesis import given
from hypothesis import strategies as hst
from test_drawing import anything

from dtviz.app.instrument import Instrument
from dtviz.data.gallery import example_recipe
from dtviz.engine.ensembles import Plan
from dtviz.engine.rules import Rules
from dtviz.evaluate.stability import StabilitySettings
from dtviz.session import events
from dtviz.session.impurity import ImpuritySettings
from dtviz.session.session import Judging, Session, Visit

NUMBERS, SIZES = (int, float), (int, float, type(None))
TYPES: dict[str, tuple[type, ...]] = {
    "step": (int,), "index": (int,), "branch": (int,), "place": (int,), "feature": (int,),
    "member": (int,), "value": SIZES, "stamp": (str,), "moves": (str,), "rule": (str,),
    "name": (str,), "kind": (str,), "target": (str,), "mark": (str,), "on": (bool,),
    "other": (bool,), "focus": (bool,), "node": (int,), "nodes": (tuple,), "start": (tuple,),
    "end": (tuple,), "centre": (tuple,), "rim": (tuple,), "row": (int, tuple, type(None)),
    "values": (dict,), "search": (dict,), "code": (int, type(None)), "threshold": SIZES,
}  # fmt: skip
"""What becomes of each field; those that are in no list are read by whoever is given them."""
PLAINS = {(picture, event["what"]): event for picture, event in PLAIN_EVENTS}


def test_a_plain_event_of_every_act_is_read() -> None:
    assert {(picture, what) for picture, some in events.EVENTS.items() for what in some} == {
        *PLAINS
    }
    for (picture, what), event in PLAINS.items():
        read = events.read_event(picture, {**event, "stamp": "s"})
        assert read is not None, event
        assert (read.act, {*read.values} - {"stamp"}) == (
            what,
            {*event} - {"what", "stamp", "more"},
        )


def test_whatever_stands_in_a_field_is_of_its_type_or_refused() -> None:
    """Each field of each event, each of many odd values in its place, and what is in `values`."""
    odd = [json.loads(json.dumps(value)) for value in ODD]
    for (picture, what), event in PLAINS.items():
        fields = events.EVENTS[picture][what]
        names = [name.rstrip("?") for name, parse in fields.items() if parse is not events.unparsed]
        for name in names:
            wrong = [{**event, "stamp": "s", name: value} for value in odd]
            for key in event[name] if name == "values" else ():
                wrong += [{**event, name: {**event[name], key: value}} for value in odd]
            refused = 0
            for one in wrong:
                read = events.read_event(picture, one)
                refused += read is None
                if read is not None:
                    assert type(read.values[name]) in TYPES[name], (one, read)
                    assert finite(read.values[name]), one
            assert refused > 10, (picture, what, name)


def finite(value: Any) -> bool:
    if isinstance(value, dict | tuple):
        return all(map(finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or math.isfinite(value)


@given(hst.sampled_from([*events.EVENTS, "", "none"]), anything)
def test_an_event_of_any_content_is_survived(picture: str, event: Any) -> None:
    assert events.read_event(picture, event) is None
    assert events.read_event(picture, {"what": event}) is None
    read = events.read_event(picture, {"what": "undo", "beside": event})
    assert read is None or read.beside is event


def test_values_that_come_by_name_are_those_of_their_class() -> None:
    kinds: dict[type[Any], tuple[str, str]] = {
        Rules: ("settings", "rules"), ImpuritySettings: ("lab", "set"), Plan: ("forest", "plan"),
        StabilitySettings: ("stability", "set"), Judging: ("judging", "judge"),
    }  # fmt: skip
    for kind, (picture, what) in kinds.items():
        names = {*kind.__dataclass_fields__} - {"prunes"}
        for name in names:
            assert events.read_event(picture, {"what": what, "values": {name: [[{}]]}}) is None, (
                name
            )
        assert events.read_event(picture, {"what": what, "values": {"prunes": []}}) is None
        assert names <= {*events.RULES} or kind is not Rules


def test_a_kind_of_ensemble_that_is_none_is_not_kept() -> None:
    for kind in ([[]], {}, {"forest": 1}, "nope", None, 3):
        tab = Instrument(Visit(Session(example_recipe("iris"))))
        before = tab.visit.session
        event = {"what": "plan", "values": {"kind": kind, "trees": 20}}
        tab.handle_message({"events": [{"n": 1, "picture": "forest", "event": event}]})
        assert (tab.visit.session, tab.visit.last_event) == (before, 1)
        hash(tab.visit.session)


def test_the_address_that_back_led_to_is_read_as_its_parameters() -> None:
    for search, params in (
        ("?data=iris&say=a%20b+c&ask=&data=moons", {"data": "moons", "say": "a b c", "ask": ""}),
        ("", {}),
        (3, None),
        ("?" + "a=&" * 2_000, None),
    ):
        read = events.read_event("address", {"what": "went", "search": search})
        assert (None if read is None else read.values["search"]) == params
        assert events.read_event("line", {"what": "went", "search": search}) is None


# --- the channel ----------------------------------------------------------------------------------


def event(n: Any, picture: Any = "line") -> dict[str, Any]:
    return {"n": n, "picture": picture, "event": {"step": n}}


def numbers(message: Any, heard: int = 0) -> list[int]:
    return [sent.number for sent in events.new_events(message, heard)]


def test_what_was_heard_is_not_done_again() -> None:
    message = {"events": [event(1), event(2), event(3, "stage")]}
    told = [(2, "line", {"step": 2}, None), (3, "stage", {"step": 3}, None)]
    assert events.new_events(message, 1) == told
    assert events.new_events(message, 3) == []


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
    odd = (None, "1", 1.0, True, [1], -1, 0, events.MAX_EVENT_NUMBER, 10**400)
    assert numbers({"events": [event(n) for n in odd]}) == []
    assert numbers({"events": [event(1, None), event(2, 3), event(3)]}) == [3]
    assert (
        len(numbers({"events": [event(n) for n in range(1, 900)]})) == events.MAX_EVENTS_PER_MESSAGE
    )


@given(anything)
def test_a_message_of_any_content_is_survived(message: Any) -> None:
    for one in (message, {"events": message}, {"events": [message]}, {"events": [event(message)]}):
        assert all(n > 0 for n in numbers(one))
    for one in (message, {"has": message}, {"has": [message]}):
        assert all(type(number) is int for number in events.held_frames(one))


def test_the_frames_that_the_browser_holds_are_known_by_their_numbers() -> None:
    assert events.held_frames({"events": [], "has": [3, 4, "5", True, None, 6.0]}) == {3, 4}
    assert len(events.held_frames({"has": [*range(1000)]})) == events.MAX_FRAMES_HELD
    assert events.held_frames({"events": []}) == frozenset()


def test_a_letter_has_the_number_heard_and_the_mark_of_the_data_before_its_frame() -> None:
    said = events.pack_letter(2**40 - 1, "0123456789abcdef", b"frame")
    assert struct.unpack("<d16s", said[:24]) == (2**40 - 1, b"0123456789abcdef")
    assert said[24:] == b"frame"
