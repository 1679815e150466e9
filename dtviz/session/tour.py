"""Tours: a tour leads through addresses in order, each with a sentence of narration.

A stop is one address of a tour, as the query of a link: 'page=grow&data=iris&log=a1&say=Two+sides'.
The text of a tour, which a link carries, is the name of a tour of dtviz, or all its stops.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

MAX_STOPS = 24
MAX_TOUR_CHARS = 8_000
STOP_SEPARATOR = "|"  # in a query it is always written %7C
TOUR_PARAMS = ("tour", "stop", "page")
"""Parameters of a link that say where it leads; all others are the state of the screen there."""


@dataclass(frozen=True, slots=True)
class Tour:
    """The stops of a tour, and the one that is shown. Raises ValueError for a wrong index."""

    stops: tuple[str, ...] = ()
    """Stops in order; () without a tour."""
    index: int | None = 0
    """Index of the stop that a link asks for; None once the user has left the tour."""

    def __post_init__(self) -> None:
        if self.index is not None and not 0 <= self.index < MAX_STOPS:
            raise ValueError(f"`stop` must be below {MAX_STOPS}; not {self.index!r}")

    @property
    def user_stops(self) -> tuple[str, ...]:
        """The stops, if the user writes this tour; () for a tour that comes with dtviz."""
        return () if self.stops in TOURS.values() else self.stops

    @property
    def shown_index(self) -> int | None:
        """The index of the stop that is shown, at most the last one; None without a tour."""
        if self.index is None or not self.stops:
            return None
        return min(self.index, len(self.stops) - 1)


def stop_of(params: Mapping[str, str], page: str = "") -> str:
    """Return the stop that shows what a link with these parameters shows, on a page if given."""
    address = {name: value for name, value in params.items() if name not in TOUR_PARAMS}
    return urlencode(({"page": page} if page else {}) | address)


def narration_of(stop: str) -> str:
    """Return the narration of a stop; '' for none."""
    return dict(parse_qsl(stop)).get("say", "")


def with_narration(stop: str, say: str) -> str:
    """Return the stop with another narration; '' for none."""
    params = {name: value for name, value in parse_qsl(stop, True) if name != "say"}
    return urlencode(params | ({"say": say} if say else {}))


def move_stop(stops: tuple[str, ...], index: int, by: int) -> tuple[str, ...]:
    """Return the stops with one of them moved by so many places, at most to an end."""
    others = [*stops[:index], *stops[index + 1 :]]
    place = max(0, min(index + by, len(others)))
    return (*others[:place], stops[index], *others[place:])


def replace_stop(stops: tuple[str, ...], index: int, stop: str | None) -> tuple[str, ...]:
    """Return the stops with another one at an index, or without it."""
    return (*stops[:index], *(() if stop is None else (stop,)), *stops[index + 1 :])


def page_of(stop: str) -> str:
    """Return the page of a stop; '' for a stop of an old link, which names no page."""
    return dict(parse_qsl(stop)).get("page", "")


def add_page(stops: tuple[str, ...], page: str) -> tuple[str, ...]:
    """Return the stops with this page added to each that names none.

    The stops are returned unchanged where their text would then exceed MAX_TOUR_CHARS.
    """
    full = tuple(stop if page_of(stop) or not page else f"page={page}&{stop}" for stop in stops)
    return full if len(STOP_SEPARATOR.join(full)) <= MAX_TOUR_CHARS else stops


def read_stops(text: str) -> tuple[str, ...]:
    """Return the stops of a tour by its name or its text; raises ValueError for other text."""
    stops = TOURS.get(text) or tuple(filter(None, text.split(STOP_SEPARATOR)))
    if (
        not stops
        or len(stops) > MAX_STOPS
        or len(text) > MAX_TOUR_CHARS
        or not all(map(parse_qsl, stops))
    ):
        raise ValueError(text[:80])
    return stops


def write_stops(stops: tuple[str, ...]) -> str:
    """Return the name of a tour that comes with dtviz, else the text of the stops."""
    names = (name for name, tour in TOURS.items() if tour == stops)
    return next(names, STOP_SEPARATOR.join(stops))


def params_at(stops: tuple[str, ...], index: int) -> dict[str, str]:
    """Return the parameters of the address that shows one stop of a tour."""
    params = {name: value for name, value in parse_qsl(stops[index]) if name not in TOUR_PARAMS}
    return params | {"tour": write_stops(stops), "stop": str(index)}


def params_on_entry(params: Mapping[str, str], page: str = "") -> dict[str, str]:
    """Return the parameters by which a page opens the address with these parameters.

    In a tour each stop without a page gets this page. Without the parameter `stop` the parameters
    are those of the first stop.
    """
    if "tour" not in params:
        return dict(params)
    try:
        stops = add_page(read_stops(params["tour"]), page)
    except ValueError:
        return dict(params)
    return {**params, "tour": write_stops(stops)} if "stop" in params else params_at(stops, 0)


def is_built_in_narration(tour: Tour, say: str) -> bool:
    """True if `say` is the narration of the shown stop of a tour that comes with dtviz."""
    is_built_in = tour.shown_index is not None and tour.stops in TOURS.values()
    return is_built_in and dict(parse_qsl(tour.stops[tour.shown_index or 0])).get("say") == say


def _grow_stops(narrations: Iterable[tuple[str, dict[str, str]]]) -> tuple[str, ...]:
    """Return stops on the page Grow, from pairs of a narration and the other parameters."""
    return tuple(stop_of(params | {"say": say}, "grow") for say, params in narrations)


_PETALS = {"data": "iris", "features": "petal_length_cm,petal_width_cm"}
_MOONS = {"data": "moons", "noise": "0.3", "n": "200"}

TOURS: dict[str, tuple[str, ...]] = {
    "first": _grow_stops([
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
