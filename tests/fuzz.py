"""Addresses and messages that nobody would send in good faith, the same for the same seed.

Glossary
    plain    texts and events that are understood; each fuzzed one is some of these, changed
    odd      what stands in the place of a value: too large, too deep, of another kind, hostile
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlencode

from strategies import NASTY

from dtviz.app.instrument import Instrument, SharedState
from dtviz.data.dataset import DataError
from dtviz.data.gallery import GALLERY, example_recipe
from dtviz.pictures.forest import forest_jobs as forest_works
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.pictures.stability import stability_jobs as stability_works
from dtviz.session import address
from dtviz.session.events import EVENTS, new_events
from dtviz.session.overfit import overfit_works
from dtviz.session.screen import Screen
from dtviz.session.session import Session, Visit
from dtviz.session.tour import params_on_entry

START = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
OF_DATA = {
    "n": "200", "noise": "0.3", "k": "3", "seed": "7", "features": '["petal_length_cm"]',
    "points": "2~2~A_8~8~B", "kind": "classes", "sha": "0123456789abcdef", "file": "a.csv",
    "target": "y", "task": "classification", "types": '{"zip":"category"}',
}  # fmt: skip
PLAIN = {name: field.example for name, field in address.FIELDS.items()} | OF_DATA
NUMBERS = ("0", "-1", "1e308", "nan", "1_000", "9" * 25, "٣", "0x10", "1.5", "1000000", "")
GLUE = "._~|&=%+-*/\\'\"`<>[]{}()?#@,;: a1\n\0\u202eä"
ODD: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 2**31, 2**70, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf"),
    "", "1", "2", "9" * 700, [], {}, [[]], [1, 2], [1e300, -1e300], {"what": "undo"}, *NASTY,
)  # fmt: skip
SPLITS = {"parent": [5, 2], "first": [4, 2], "second": [4, 1]}
PLAIN_EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("line", {"what": "goto", "step": 1}),
    ("line", {"what": "undo"}),
    ("line", {"what": "redo"}),
    ("line", {"what": "play", "on": True}),
    ("line", {"what": "bring_back", "branch": 0}),
    ("stage", {"what": "cut", "index": 3}),
    ("stage", {"what": "focus", "node": "2"}),
    ("stage", {"what": "line", "start": [1, 2], "end": [3, 1], "more": False}),
    ("stage", {"what": "circle", "centre": [1, 2], "rim": [3, 1], "more": True}),
    ("stage", {"what": "row", "row": 3}),
    ("tree", {"what": "focus", "node": "1"}),
    ("grow", {"what": "cut", "index": 3}),
    ("grow", {"what": "follow", "moves": "a2"}),
    ("grow", {"what": "split"}),
    ("grow", {"what": "axis", "place": 0, "feature": 1}),
    ("grow", {"what": "ask", "on": True}),
    ("grow", {"what": "pin", "feature": 2, "value": 4.5, "more": False}),
    ("grow", {"what": "unpin"}),
    ("grow", {"what": "row", "row": [[0, 4.5]]}),
    ("grow", {"what": "panel", "name": "Rules"}),
    ("settings", {"what": "rules", "values": {"criterion": "gini", "max_depth": 3}}),
    ("settings", {"what": "usual"}),
    ("settings", {"what": "compare"}),
    ("branches", {"what": "bring_back", "branch": 0}),
    ("branches", {"what": "drop", "branch": 0}),
    ("branches", {"what": "compare", "branch": 0}),
    ("beside", {"what": "keep", "other": True}),
    ("overfit", {"what": "place", "rule": "max_depth", "value": 2}),
    ("overfit", {"what": "slider", "rule": "ccp_alpha", "value": 0.01}),
    ("judging", {"what": "judge", "values": {"folds": 3, "share": 0.4}}),
    ("judging", {"what": "call", "code": 1, "threshold": 0.4}),
    ("judging", {"what": "prune", "nodes": [1]}),
    ("judging", {"what": "unprune", "nodes": [1]}),
    ("pad", {"what": "points", "change": [[None, [1, 2, 0]]], "target": "classes"}),
    ("pruning", {"what": "focus", "node": "1"}),
    ("pad", {"what": "from"}),
    ("pad", {"what": "undo"}),
    ("pad", {"what": "redo"}),
    ("pad", {"what": "kind", "kind": "height"}),
    ("lab", {"what": "set", "values": {"percent": 30}}),
    ("lab", {"what": "take"}),
    ("splits", {"what": "set", "values": {"splits": SPLITS, "opened": "gini"}}),
    ("measures", {"what": "set", "values": {"percent": 30}}),
    ("simplex", {"what": "set", "values": {"shares": [20, 20, 20]}}),
    ("forest", {"what": "plan", "values": {"kind": "bagging", "trees": 20}}),
    ("forest", {"what": "open", "member": 1}),
    ("stability", {"what": "set", "values": {"way": "resample", "percent": 20}}),
    ("stability", {"what": "open"}),
    ("shelf", {"what": "cut"}),
    ("shelf", {"what": "kept", "mark": "0123456789abcdef"}),
    ("shelf", {"what": "send", "mark": "0123456789abcdef"}),
    ("shelf", {"what": "lacks", "mark": "0123456789abcdef"}),
    ("address", {"what": "went", "search": "?data=moons"}),
    ("shelf", {"what": "piece", "mark": "0123456789abcdef", "at": 0, "size": 3, "bytes": "MTIz"}),
)


def addresses(many: int, seed: int = 0) -> Iterator[dict[str, str]]:
    """The parameters of so many addresses, as a server reads them."""
    rng = Random(seed)
    for _ in range(many):
        names = rng.sample([*PLAIN], rng.randrange(8))
        params = {"data": rng.choice([*GALLERY, "drawn", "file", "sample", "member", "x"])}
        params |= {name: _text(rng, PLAIN[name]) for name in names}
        if rng.random() < 0.1:
            params |= {
                "tour": rng.choice(
                    ["first", urlencode(params, errors="replace"), _text(rng, "first")]
                )
            }
        query = urlencode(params, errors="replace")
        for _ in range(rng.choice((0, 0, 1, 3))):
            query = _changed(rng, query)
        yield dict(parse_qsl(query, keep_blank_values=True))


def _text(rng: Random, text: str) -> str:
    """A plain text, or what came of it."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 6))):
        text = _changed(rng, text)
    return rng.choice((text, text, text, rng.choice(NASTY), rng.choice(NUMBERS)))


def _changed(rng: Random, text: str) -> str:
    """The text with a part left out, doubled, exchanged, or put in."""
    low, high = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    part = text[low:high]
    new = (
        "", part * rng.choice((2, 50)), rng.choice(GLUE), rng.choice(NUMBERS), part[::-1],
        rng.choice([*PLAIN.values()]),
    )  # fmt: skip
    return (text[:low] + rng.choice(new) + text[high:])[:20_000]


def opened(params: dict[str, str], shared: SharedState) -> Instrument:
    """A new tab on what an address says; on the start where its data cannot be had."""
    tab = Instrument(Visit(Session(START)), shared)
    found = address.read_address(params_on_entry(params), START)
    try:
        data = tab.dataset(found.recipe)
    except DataError:
        return opened({}, shared)
    session, problems = address.session_at(found, data, tab.future(found.recipe))
    assert all(problem and len(problem) < 1_000 for problem in problems)
    tab.change_session(session)
    return tab


def comes_back(tab: Instrument) -> None:
    """What a tab shows is written as an address that is read without a complaint, and is written so
    again.
    """
    screen = tab.screen()
    data, future = screen.data, screen.future
    tab.replace_session(screen.session)
    written = address.write_address(screen.session, data, future)
    again, problems = address.session_at(address.read_address(written, START), data, future)
    assert problems == (), written
    assert address.write_address(again, data, future) == written


def messages(tab: Instrument, many: int, seed: int = 0) -> Iterator[Any]:
    """So many messages to a tab, as JSON has them; it is to hear each before the next is made."""
    rng = Random(seed)
    for _ in range(many):
        events = [_event(rng, tab, n) for n in range(1, rng.choice((2, 2, 2, 4)))]
        message: Any = {"events": events, "has": [rng.choice(ODD), 1]}
        for _ in range(rng.choice((0, 0, 1, 2))):
            message = _odd(rng, message)
        yield json.loads(json.dumps(message))


def _event(rng: Random, tab: Instrument, n: int) -> dict[str, Any]:
    """An event, odd in some places or not, of a picture that may be another's."""
    picture, event = rng.choice(PLAIN_EVENTS)
    event = event | {"stamp": tab.current_screen().stamp}
    for name in rng.sample([*event], rng.choice((0, 0, 1, 2))):
        event = event | {name: _odd(rng, event[name])}
    event |= {"beside": True} if rng.random() < 0.1 else {}
    picture = rng.choice((picture, picture, picture, rng.choice([*EVENTS])))
    return {"n": tab.visit.last_event + n, "picture": picture, "event": event}


def _odd(rng: Random, value: Any) -> Any:
    """JSON with something odd in one place of it."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        name = rng.choice([*value])
        return {**value, name: _odd(rng, value[name])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _odd(rng, value[at]), *value[at + 1 :]]
    return rng.choice(ODD)


def draws(tab: Instrument) -> None:
    """Draw every picture of all pages, with the long work of each a slice further."""
    screen = tab.current_screen()
    if not isinstance(screen, Screen):
        return
    for one in (*overfit_works(screen.judged), *forest_works(screen), *stability_works(screen)):
        tab.advance_work(one)
    for name in PICTURES:
        tab.pack_picture(name, screen, LIGHT)


def survives(tab: Instrument, message: Any) -> bool:
    """Whether a message did something; in any case the tab stands, and can be written."""
    before = tab.visit.session
    heard = [number for number, *_ in new_events(message, tab.visit.last_event)]
    tab.handle_message(message)
    draws(tab)
    assert tab.visit.last_event == max([*heard, tab.visit.last_event])
    comes_back(tab)
    return tab.visit.session != before
