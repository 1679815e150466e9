"""Events from the browser, each done once and in order, whatever is lost or comes twice.

The browser numbers its events and sends all that no frame has acknowledged, again and again; a
frame says the number of the last event that was done. frontend/lib/channel.js is the other end.

    {"events": [{"n": 7, "picture": "line", "event": {"what": "goto", "step": 3},
                 "data": "0123456789abcdef"}, ...],
     "has": [31, 32]}

`data` is the mark of the data that the picture showed, as its letter brought it: an event is meant
for these data alone. `has` are the numbers of frames that are there still: of those only what is
new must be sent.

That Back or Forward led to another address of the page is an event too, of the "address".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import NamedTuple

MAX_EVENTS = 200  # the rest comes again
MAX_EVENT_NUMBER = 2**40
MAX_FRAMES_HELD = 100


class SentEvent(NamedTuple):
    """An event of a picture with its number, and the mark of the data it is meant for.

    Where no mark is told (None) it is meant for the data on screen.
    """

    n: int
    picture: str
    event: object
    data: str | None


def new_events(message: object, heard: int) -> list[SentEvent]:
    """List the events of a message after number `heard`, in their order.

    A message is any JSON at all; what in it is no event is left out.
    """
    events = message.get("events") if isinstance(message, Mapping) else None
    out: list[SentEvent] = []
    for one in events[:MAX_EVENTS] if isinstance(events, list) else ():
        n, picture = (one.get("n"), one.get("picture")) if isinstance(one, Mapping) else (0, "")
        if type(n) is int and heard < n < MAX_EVENT_NUMBER and isinstance(picture, str):
            data = one.get("data")
            out.append(
                SentEvent(n, picture, one.get("event"), data if isinstance(data, str) else None)
            )
            heard = n
    return out


def held_frames(message: object) -> frozenset[int]:
    """The numbers of the frames that the browser holds, as a message of any content says it."""
    has = message.get("has") if isinstance(message, Mapping) else None
    some = has[:MAX_FRAMES_HELD] if isinstance(has, list) else ()
    return frozenset(one for one in some if type(one) is int)


def letter(heard: int, data: str, frame: bytes) -> bytes:
    """Pack the number of the last event done (8 bytes), the mark of the data (16), a frame."""
    return struct.pack("<d16s", heard, data.encode()) + frame
