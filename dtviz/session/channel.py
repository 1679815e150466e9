"""The channel to the browser: each event is done once and in order, even if messages are lost.

The browser numbers its events and sends all that no frame has acknowledged, again and again; a
frame brings the number of the last event that was done. frontend/lib/channel.js is the other end.

    {"events": [{"n": 7, "picture": "line", "event": {"what": "goto", "step": 3},
                 "data": "0123456789abcdef"}, ...],
     "has": [31, 32]}

`data` is the mark of the data that the picture showed, which came with the picture: the event is
meant for these data alone. `has` are the numbers of frames that the browser still holds: instead of
a new frame a patch of one of them is sent.

The browser's Back and Forward buttons, too, make events: of the picture "address".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

MAX_EVENTS = 200  # of one message; the browser sends the others again
MAX_EVENT_NUMBER = 2**40
MAX_FRAMES_HELD = 100  # of which a message may tell


class SentEvent(NamedTuple):
    """An event as it came from the browser, not parsed."""

    number: int
    """Number of the event."""
    picture: str
    """Picture on which the user acted."""
    event: object
    """Event of any content, see events.py."""
    data_mark: str | None
    """Mark of the data for which it is meant; None: the data on screen."""


def new_events(message: object, heard: int) -> list[SentEvent]:
    """List the events of a message after the one with number `heard`, in their order.

    A message is JSON of any content; anything but an event is left out.
    """
    events = message.get("events") if isinstance(message, Mapping) else None
    out: list[SentEvent] = []
    for item in events[:MAX_EVENTS] if isinstance(events, list) else ():
        n, picture = (item.get("n"), item.get("picture")) if isinstance(item, Mapping) else (0, "")
        if type(n) is int and heard < n < MAX_EVENT_NUMBER and isinstance(picture, str):
            data = item.get("data")
            mark = data if isinstance(data, str) else None
            out.append(SentEvent(n, picture, item.get("event"), mark))
            heard = n
    return out


def held_frames(message: object) -> frozenset[int]:
    """Return the numbers of the frames that the browser holds, from a message of any content."""
    has = message.get("has") if isinstance(message, Mapping) else None
    numbers = has[:MAX_FRAMES_HELD] if isinstance(has, list) else ()
    return frozenset(number for number in numbers if type(number) is int)


def pack_letter(heard: int, data: str, frame: bytes) -> bytes:
    """Pack the number of the last event done (8 bytes), the mark of the data (16), and a frame."""
    return struct.pack("<d16s", heard, data.encode()) + frame
