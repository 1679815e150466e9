"""A tour: addresses in a row, each with its line of narration, as one text that travels in a link.

Glossary
    stop    one address of it, as the query of a link: 'page=grow&data=iris&log=a1&say=Two+sides'
    page    the page of a stop, by its path
    at      the stop that is shown, from 0 on; None once the tour was left
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

MOST_STOPS = 24
MOST_TEXT = 8_000
BETWEEN = "|"  # in a query it is always written %7C
NAMES = ("tour", "stop", "page")
"""The parameters of a tour itself: the address of no stop has them."""


@dataclass(frozen=True, slots=True)
class Tour:
    """The stops of a tour, and the one that is shown. Raises ValueError."""

    stops: tuple[str, ...] = ()
    at: int | None = 0

    def __post_init__(self) -> None:
        if self.at is not None and not 0 <= self.at < MOST_STOPS:
            raise ValueError(f"`stop` must be below {MOST_STOPS}; not {self.at!r}")

    @property
    def written(self) -> tuple[str, ...]:
        """The stops that are being written: those of no tour that comes with dtviz."""
        return () if self.stops in TOURS.values() else self.stops

    @property
    def shown(self) -> int | None:
        """The stop that is shown, at most the last one; None off a tour."""
        return None if self.at is None or not self.stops else min(self.at, len(self.stops) - 1)


def stop_of(params: Mapping[str, str], page: str = "") -> str:
    """The stop with these parameters of an address, on that page if one is given."""
    address = {name: value for name, value in params.items() if name not in NAMES}
    return urlencode(({"page": page} if page else {}) | address)


def page_of(stop: str) -> str:
    """The page of a stop; '' where the stop names none, as in links made before stops had pages."""
    return dict(parse_qsl(stop)).get("page", "")


def on_pages(stops: tuple[str, ...], page: str) -> tuple[str, ...]:
    """The stops, with this page for those that name none, as far as a link has room for it."""
    full = tuple(stop if page_of(stop) or not page else f"page={page}&{stop}" for stop in stops)
    return full if len(BETWEEN.join(full)) <= MOST_TEXT else stops


def stops_in(text: str) -> tuple[str, ...]:
    """The stops of a tour by its name or its text; raises ValueError where it is no tour."""
    stops = TOURS.get(text) or tuple(filter(None, text.split(BETWEEN)))
    if (
        not stops
        or len(stops) > MOST_STOPS
        or len(text) > MOST_TEXT
        or not all(map(parse_qsl, stops))
    ):
        raise ValueError(text[:80])
    return stops


def text_of(stops: tuple[str, ...]) -> str:
    """The name or the text of a tour."""
    named = (name for name, known in TOURS.items() if known == stops)
    return next(named, BETWEEN.join(stops))


def params_at(stops: tuple[str, ...], at: int) -> dict[str, str]:
    """The address that shows one stop of a tour."""
    own = {name: value for name, value in parse_qsl(stops[at]) if name not in NAMES}
    return own | {"tour": text_of(stops), "stop": str(at)}


def entered(params: Mapping[str, str], page: str = "") -> dict[str, str]:
    """The address as it is opened on a page, which is that of every stop of its tour without one.

    An address that names no stop is that of the first.
    """
    if "tour" not in params:
        return dict(params)
    try:
        stops = on_pages(stops_in(params["tour"]), page)
    except ValueError:
        return dict(params)
    return {**params, "tour": text_of(stops)} if "stop" in params else params_at(stops, 0)


def is_ours(tour: Tour, say: str) -> bool:
    """Whether these words are what a tour of ours says where it is, not a link's own."""
    ours = tour.shown is not None and tour.stops in TOURS.values()
    return ours and dict(parse_qsl(tour.stops[tour.shown or 0])).get("say") == say


def _stops(lines: Iterable[tuple[str, dict[str, str]]]) -> tuple[str, ...]:
    return tuple(stop_of(params | {"say": say}, "grow") for say, params in lines)


_PETALS = {"data": "iris", "features": "petal_length_cm,petal_width_cm"}
_MOONS = {"data": "moons", "noise": "0.3", "n": "200"}

TOURS: dict[str, tuple[str, ...]] = {
    "first": _stops([
        ("A cut asks one question of every row: left of the line, or right? Drag the line.",
         _PETALS | {"focus": "1", "cut": "0.1.45"}),
        ("Each dot of a curve is a cut; its height is the gain: how much purer its two sides are.",
         _PETALS | {"focus": "1", "cut": "0.4.75"}),
        ("The star is the best cut of all. Next split makes it.", _PETALS),
        ("Each side is asked anew: the curves now count the rows of this node alone.",
         _PETALS | {"log": "a1"}),
        ("This node is pure. There is nothing left to gain, and it stays a leaf.",
         _PETALS | {"log": "a1", "focus": "2"}),
        ("Grown to the end, a tree learns single rows by heart. Settings can stop it earlier.",
         _MOONS | {"log": "a18"}),
        ("Ask first: the gains hide until you have chosen. Where would you cut?",
         _MOONS | {"ask": "1"}),
        ("Every screen is an address that Share gives you. The page Learn has the formulas.",
         _MOONS | {"max_depth": "3", "log": "a5"}),
    ]),
}  # fmt: skip
"""The tours that come with dtviz, by the name that stands for them in a link."""
