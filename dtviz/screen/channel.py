"""Events from the browser, each done once and in order, whatever is lost or comes twice.

The browser numbers its events and sends all that no frame has acknowledged, again and again; a
frame says the number of the last event that was done. frontend/lib/channel.js is the other end.

    {"events": [{"n": 7, "picture": "line", "event": {"what": "goto", "step": 3}}, ...],
     "has": [31, 32]}

`has` are the numbers of frames that are there still: of those only what is new must be sent.

That Back or Forward led to another address of the page is an event too, of the "address".
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from urllib.parse import parse_qsl

AT_ONCE = 200  # the rest comes again
LARGEST = 2**40
MOST_PARAMETERS = 1_000
MOST_HELD = 100


def unheard(message: object, heard: int) -> list[tuple[int, str, object]]:
    """The events of a message after number `heard`, in their order: number, picture, event.

    A message is any JSON at all; what in it is no event is left out.
    """
    events = message.get("events") if isinstance(message, Mapping) else None
    out: list[tuple[int, str, object]] = []
    for one in events[:AT_ONCE] if isinstance(events, list) else ():
        n, picture = (one.get("n"), one.get("picture")) if isinstance(one, Mapping) else (0, "")
        if type(n) is int and heard < n < LARGEST and isinstance(picture, str):
            out.append((n, picture, one.get("event")))
            heard = n
    return out


def held(message: object) -> frozenset[int]:
    """The numbers of the frames that the browser holds, as a message of any content says it."""
    has = message.get("has") if isinstance(message, Mapping) else None
    some = has[:MOST_HELD] if isinstance(has, list) else ()
    return frozenset(one for one in some if type(one) is int)


def gone_to(picture: str, event: object) -> dict[str, str] | None:
    """The parameters of the address that Back or Forward led to; None where that is not told."""
    search = event.get("search") if isinstance(event, Mapping) else None
    if picture != "address" or not isinstance(search, str):
        return None
    try:
        return dict(parse_qsl(search[1:], keep_blank_values=True, max_num_fields=MOST_PARAMETERS))
    except ValueError:  # more than these
        return None


def letter(heard: int, frame: bytes) -> bytes:
    """What is sent to the browser: the number of the last event done (8 bytes), then the frame."""
    return struct.pack("<d", heard) + frame
