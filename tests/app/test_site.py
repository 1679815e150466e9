"""The pages as values: one more is one more value, and stands in the skeleton of all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from screens import CHECKOUT, app, frame_of, page, params_of, run, send, session_of
from streamlit.testing.v1 import AppTest

from dtviz.session.session import FIELDS_SHOWN, SESSION_FIELDS
from dtviz.session.tour import stop_of, write_stops

MOONS = {"data": "moons", "n": "60", "noise": "0.25", "seed": "7"}


def toy() -> None:
    """A page registered here and nowhere else."""
    import streamlit as st

    from dtviz.app.page import PageSpec
    from dtviz.app.site import show

    def draw(screen: object) -> None:
        st.text(f"a toy of {screen.data.n} rows, {len(screen.session.log)} steps on")

    show(PageSpec("Toy", "toy", draw, is_fragment=True))


@pytest.fixture
def registered() -> Iterator[None]:
    """The app with the toy among its pages."""
    page("grow")  # pictures can only be declared once a page has run
    import streamlit as st

    from dtviz.app.page import PageSpec
    from dtviz.app.site import PAGES

    PAGES["toy"] = PageSpec("Toy", "toy", lambda screen: st.text(f"{screen.data.n} toys"))
    yield
    del PAGES["toy"]


def texts(at: AppTest) -> list[str]:
    return [one.value for one in at.text]


def test_a_page_is_drawn_from_its_address_or_asks_for_its_data() -> None:
    page("grow")
    at = AppTest.from_function(toy, default_timeout=60)
    at.query_params.update(MOONS | {"log": "a2", "max_depth": "x"})
    assert texts(run(at)) == ["a toy of 60 rows, 2 steps on"]
    assert params_of(at) == MOONS | {"log": "a2"}
    assert "Depth at most cannot be" in at.warning[0].value
    page("grow")
    at = AppTest.from_function(toy, default_timeout=60)
    at.query_params.update({"data": "file", "sha": "1", "file": "a.csv", "target": "t"})
    assert texts(run(at)) == []
    assert len(at.info) == 1


@pytest.mark.usefixtures("registered")
def test_a_page_registered_is_among_the_pages_of_the_app() -> None:
    at = AppTest.from_file(str(CHECKOUT / "app.py"), default_timeout=60)
    names: list[str] = []
    import streamlit as st

    navigation = st.navigation
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            st,
            "navigation",
            lambda pages, **more: (
                names.extend(f"{one.title} {one.url_path}" for one in pages)
                or navigation(pages, **more)
            ),
        )
        run(at)
    assert names == [
        *("Grow ", "Data data", "Overfit overfit", "Stability stability", "Forest forest"),
        *("Impurity impurity", "Learn learn", "Toy toy", "Grow grow"),
    ]


@pytest.mark.nightly
def test_what_is_asked_of_a_page_that_was_left_is_not_answered_by_the_next() -> None:
    page("grow")
    import streamlit as st

    from dtviz.app.page import PAGES

    fragment, drawn = st.fragment, []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            st,
            "fragment",
            lambda draw, **more: (
                drawn.append(f"{draw.__module__}.{draw.__qualname__}") or fragment(draw, **more)
            ),
        )
        for name in PAGES:
            page(name)
    pages = [name for name in drawn if ".show." in name]  # not the bars of work
    assert len({*pages}) == len(pages) == sum(one.is_fragment for one in PAGES.values()) > 1


def test_colours_asked_for_as_back_leads_to_another_page_leave_its_address_to_be_read() -> None:
    at = app("overfit")
    at.query_params.update(MOONS)
    assert params_of(run(at)) == MOONS
    at.switch_page("pages/grow.py").query_params.update({"log": "a2"})
    at.session_state["recolour"] = True
    assert params_of(run(at)) == MOONS | {"log": "a2"}


def test_each_stop_of_a_tour_opens_on_its_own_page() -> None:
    words = ("Look", "Weigh", "Judge", "Old")
    pages = ("grow", "impurity", "overfit", "")
    stops = [stop_of({"data": "xor", "say": say}, at) for say, at in zip(words, pages, strict=True)]
    at = app("overfit")  # the page of the link, and so that of a stop without one
    at.query_params.update({"tour": write_stops(tuple(stops))})
    seen = [at.session_state["navigation"].page] if run(at) else []
    for _ in stops[1:]:
        run(at.button(key="tour_next").click())
        seen.append(at.session_state["navigation"].page)
        assert session_of(at).say == words[len(seen) - 1]
    assert seen == ["grow", "impurity", "overfit", "overfit"]
    for here in ("overfit", "impurity", "grow"):
        run(at.button(key="tour_back").click())
        assert at.session_state["navigation"].page == here
    at.switch_page("pages/forest.py")  # a walk elsewhere is left alone
    assert run(at).session_state["navigation"].page == "forest"
    run(at.button(key="tour_next").click())
    assert at.session_state["navigation"].page == "impurity"


def test_who_leaves_a_tour_is_back_on_the_page_that_it_began_on() -> None:
    at = app("grow")
    stops = stop_of({"data": "xor"}, "overfit"), stop_of({"data": "xor"}, "forest")
    at.query_params.update({"data": "xor", "tour": write_stops(stops), "stop": "left"})
    run(run(at).button(key="tour").click())
    run(at.button(key="tour_next").click())
    assert at.session_state["navigation"].page == "forest"
    run(at.button(key="leave_tour").click())
    assert (at.session_state["navigation"].page, session_of(at).tour.shown_index) == ("grow", None)


def test_every_page_has_a_script_that_draws_it_and_no_other_does() -> None:
    app()
    from dtviz.app.site import PAGES

    assert {path.stem for path in (CHECKOUT / "pages").glob("*.py")} == {*PAGES}
    for name in PAGES:
        assert f'PAGES["{name}"]' in (CHECKOUT / "pages" / f"{name}.py").read_text("utf-8")
    assert {*FIELDS_SHOWN} <= {*PAGES}
    assert all(shown <= SESSION_FIELDS for shown in FIELDS_SHOWN.values())


def test_undo_on_a_page_leaves_what_was_done_on_another() -> None:
    at = app("overfit")
    at = send(at, "judging", {"what": "judge", "values": {"seed": 1}})
    drawn = params_of(at)
    assert drawn["held_seed"] == "1"
    for name in ("impurity", "stability", "forest"):
        at = run(at.switch_page(f"pages/{name}.py"))
        assert at.button(key="Undo").disabled, name
    at = run(at.switch_page("pages/grow.py"))
    assert not frame_of(at, "line")["can_undo"]
    assert params_of(send(at, "line", {"what": "undo"})) == drawn
    at = run(at.switch_page("pages/overfit.py"))
    assert "held_seed" not in params_of(run(at.button(key="Undo").click()))


def places_of(at: AppTest) -> set[int]:
    """Return the positions of what stands on a page."""
    alone = len(at.main.children) == 1
    return {*(at.main.children[0] if alone else at.main).children}


def test_the_first_point_leaves_the_pad_at_its_place() -> None:
    blank = {"data": "drawn", "kind": "classes"}
    assert places_of(page("data", **blank)) == places_of(page("data", **blank, points="5~5~A"))


@pytest.mark.nightly
def test_what_is_told_above_comes_and_goes_in_a_place_of_its_own() -> None:
    def places(name: str, **more: str) -> set[int]:
        return places_of(page(name, **MOONS, **more))

    for name in ("grow", "overfit", "learn"):
        quiet = places(name)
        for above in ({"say": "Look here."}, {"max_depth": "x"}):
            assert places(name, **above) == quiet, (name, above)
