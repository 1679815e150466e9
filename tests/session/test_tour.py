"""Tours: addresses in a row, each with its words, that travel in one link."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qsl

from hypothesis import given
from hypothesis import strategies as hst

from dtviz.app.instrument import Instrument
from dtviz.app.navigation import START_RECIPE
from dtviz.data.dataset import Recipe
from dtviz.session import address, tour
from dtviz.session.session import MAX_SAY_CHARS, Session, Visit, session_before_tour, with_session


def test_only_the_words_that_our_tours_say_at_a_stop_are_ours() -> None:
    stops = tour.TOURS["first"]
    said = [dict(parse_qsl(stop))["say"] for stop in stops]
    assert all(tour.is_built_in_narration(tour.Tour(stops, at), say) for at, say in enumerate(said))
    assert not tour.is_built_in_narration(tour.Tour(stops, 0), said[1])
    assert not tour.is_built_in_narration(tour.Tour(stops, None), said[0])
    assert not tour.is_built_in_narration(tour.Tour(stops[:2], 0), said[0])
    assert not tour.is_built_in_narration(tour.Tour(), "")


OWN = (
    tour.stop_of({"data": "moons", "n": "40", "say": "1 & 2 | 3"}),
    tour.stop_of({"data": "xor"}),
)


def opened(params: dict[str, str]) -> tuple[Session, tuple[str, ...]]:
    found = address.read_address(tour.params_on_entry(params), START_RECIPE)
    tab = Instrument(Visit(Session(found.recipe)))
    return address.session_at(found, tab.dataset(found.recipe), tab.future(found.recipe))


def test_every_stop_of_our_tours_is_understood_and_has_its_words() -> None:
    assert len(tour.TOURS["first"]) == 8
    for stops in tour.TOURS.values():
        for at in range(len(stops)):
            session, problems = opened(tour.params_at(stops, at))
            assert problems == ()
            assert 20 < len(session.say) < MAX_SAY_CHARS
            assert session.tour == tour.Tour(stops, at)


def test_a_tour_travels_in_one_parameter_and_begins_at_its_first_stop() -> None:
    text = tour.write_stops(OWN)
    assert tour.read_stops(text) == OWN
    session, problems = opened({"tour": text})
    assert problems == ()
    assert (session.recipe.name, session.say) == ("moons", "1 & 2 | 3")
    assert session.tour == tour.Tour(OWN, 0)
    session, problems = opened(tour.params_at(OWN, 1))
    assert (session.recipe.name, session.say, problems) == ("xor", "", ())
    assert tour.write_stops(tour.TOURS["first"]) == "first"


def test_the_stop_of_a_link_is_shown_and_the_last_where_it_is_beyond() -> None:
    for stop, shown in (("0", 0), ("left", None), ("9", 1)):
        session, problems = opened({"data": "xor", "tour": tour.write_stops(OWN), "stop": stop})
        assert (session.recipe.name, session.tour.shown_index) == ("xor", shown), stop
        assert (session.tour.stops, problems) == (OWN, ())
    assert len(opened({"data": "xor", "tour": tour.write_stops(OWN), "stop": "99"})[1]) == 1


def test_each_stop_has_its_page_and_one_without_is_on_the_page_of_its_link() -> None:
    old = {"data": "xor", "say": "Old"}
    stops = tour.stop_of(old), tour.stop_of({"data": "moons"}, "overfit")
    for named, pages in (({}, ["forest", "overfit"]), ({"stop": "1"}, ["forest", "overfit"])):
        params = tour.params_on_entry({"tour": tour.write_stops(stops)} | named, "forest")
        assert [tour.page_of(stop) for stop in tour.read_stops(params["tour"])] == pages
        assert "page" not in params
    assert tour.params_at(tour.read_stops(params["tour"]), 0) == old | {
        "tour": params["tour"],
        "stop": "0",
    }
    assert tour.params_on_entry({"tour": tour.write_stops(stops)})["tour"] == tour.write_stops(
        stops
    )
    assert {tour.page_of(stop) for stop in tour.TOURS["first"]} == {"grow"}
    assert tour.params_on_entry({"tour": "first", "stop": "2"}, "forest") == {
        "tour": "first",
        "stop": "2",
    }
    full = ("data=xor&say=" + "x" * (tour.MAX_TOUR_CHARS - 30), "data=xor")
    assert tour.params_on_entry({"tour": tour.write_stops(full), "stop": "1"}, "forest")[
        "tour"
    ] == tour.write_stops(full)


def test_no_stop_leads_into_another_tour() -> None:
    inner = "tour=first&stop=3&data=xor"
    assert tour.params_at((inner,), 0) == {"data": "xor", "tour": inner, "stop": "0"}
    assert dict(parse_qsl(tour.stop_of({"tour": "first", "data": "xor"}))) == {"data": "xor"}


def test_what_is_no_tour_or_too_long_is_told_and_the_rest_shown() -> None:
    long = "|".join(["data=xor"] * (tour.MAX_STOPS + 1)), "x" * (tour.MAX_TOUR_CHARS + 1)
    for text in ("", "|", "%%%", "data=xor|%%%", "words", *long):
        session, problems = opened({"data": "xor", "tour": text})
        assert (session.recipe.name, session.tour.shown_index) == ("xor", None), text
        assert len(problems) == 1, text


def test_a_tour_that_is_written_is_kept_in_the_address_and_ours_are_not_written() -> None:
    session, problems = opened({"data": "xor", "tour": tour.write_stops(OWN), "stop": "left"})
    assert (session.tour.user_stops, problems) == (OWN, ())
    tab = Instrument(Visit(session))
    params = address.write_address(session, tab.dataset(session.recipe), tab.future(session.recipe))
    assert opened(params) == (session, ())
    assert [tour.Tour(stops).user_stops for stops in tour.TOURS.values()] == [()] * len(tour.TOURS)


def test_who_leaves_a_tour_goes_back_to_the_screen_that_was_left_for_it() -> None:
    xor, moons = Session(Recipe("xor")), Session(Recipe("moons"))
    first, second = (replace(moons, tour=tour.Tour(OWN, at)) for at in (0, 1))
    visit = with_session(with_session(with_session(Visit(moons), xor), first), second)
    assert session_before_tour(visit) == xor
    assert session_before_tour(with_session(Visit(first), second)) is None


@given(hst.text(), hst.one_of(hst.none(), hst.text()))
def test_a_tour_of_any_text_opens(text: str, stop: str | None) -> None:
    params = {"tour": text} | ({} if stop is None else {"stop": stop})
    session, _ = opened({"data": "xor"} | params)
    assert session.tour.shown_index is None or session.tour.shown_index < len(session.tour.stops)


def test_stops_are_moved_replaced_and_narrated_anew() -> None:
    stops = ("page=grow&data=iris", "page=overfit&data=moons&say=old", "page=forest")
    assert tour.move_stop(stops, 0, 1) == (stops[1], stops[0], stops[2])
    assert tour.move_stop(stops, 2, -1) == (stops[0], stops[2], stops[1])
    assert tour.move_stop(stops, 0, -1) == tour.move_stop(stops, 2, 5)[:0] + stops
    assert tour.replace_stop(stops, 1, None) == (stops[0], stops[2])
    assert tour.replace_stop(stops, 1, "page=learn") == (stops[0], "page=learn", stops[2])
    said = tour.with_narration(stops[1], "1 & 2 | 3")
    assert tour.narration_of(said) == "1 & 2 | 3"
    assert dict(parse_qsl(said))["page"] == "overfit"
    assert tour.STOP_SEPARATOR not in said
    assert tour.with_narration(said, "") == "page=overfit&data=moons"
    assert tour.narration_of(stops[0]) == ""
