"""What a tab takes of the server's memory, and that it gives it back."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator

import pytest

from dtviz.app.instrument import MAX_SHARED_BYTES, Instrument, SharedState
from dtviz.base.lazy import MAX_BYTES_ALL_TABS
from dtviz.data.dataset import Recipe
from dtviz.data.gallery import example_recipe
from dtviz.pictures.scales import LIGHT
from dtviz.session.session import Session, Visit, usual_rules

IRIS = example_recipe("iris", features=("petal_length_cm", "petal_width_cm"))
MB = 2**20


def entered(shared: SharedState, recipe: Recipe = IRIS) -> Instrument:
    """A tab as a student opens it."""
    tab = Instrument(Visit(Session(recipe)), shared)
    tab.replace_session(Session(recipe, usual_rules(recipe, tab.dataset(recipe).task)))
    step(tab, 0)
    return tab


def step(tab: Instrument, to: int) -> None:
    """Go to a step, and all that a browser is sent of it."""
    event = {"what": "goto", "step": to % (tab.screen().n_steps + 1), "playing": False}
    heard, held = tab.visit.last_event, sorted(tab.held_frames)
    tab.handle_message(
        {"events": [{"n": heard + 1, "picture": "line", "event": event}], "has": held}
    )
    tab.pack_page("grow", tab.screen(), LIGHT)


@pytest.fixture(autouse=True)
def frozen() -> Iterator[None]:
    """Spare the collector the modules and tests of the process: it runs a dozen times here."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def taken() -> float:
    """Megabytes that are held now."""
    gc.collect()
    return tracemalloc.get_traced_memory()[0] / MB


@pytest.mark.usefixtures("traced")
def test_a_tab_takes_less_than_a_megabyte_grows_no_more_and_gives_all_back() -> None:
    shared = SharedState()
    for at in range(8):
        step(entered(shared), at)
    empty = taken()
    tabs = [entered(shared) for _ in range(3)]
    for tab in tabs:
        for at in range(8):
            step(tab, at)
    there = taken()
    assert (there - empty) / len(tabs) < 1
    for at in range(40):
        step(tabs[at % 3], 5 * at)
    walked = taken()
    for at in range(80):
        step(tabs[at % 3], 5 * at)
    assert taken() - walked < 80 * 10 / 4_000
    tabs.clear()
    del tab
    assert taken() - empty < 0.2
    assert not shared.tabs


def test_a_full_class_shares_what_one_tab_had_and_has_it_back_when_all_have_gone() -> None:
    shared = SharedState()
    first = entered(shared)
    alone = first.cache.max_bytes
    tabs = [Instrument(Visit(Session(IRIS)), shared) for _ in range(150)]
    assert {tab.cache.max_bytes for tab in (first, *tabs)} == {MAX_BYTES_ALL_TABS / 151}
    del tabs
    gc.collect()
    step(first, 1)
    assert first.cache.max_bytes == alone


def test_the_caches_of_a_server_are_as_large_as_the_tabs_that_are_there_need() -> None:
    shared = SharedState()
    caches = (shared.datasets, shared.values, shared.futures)
    sizes = {0: 0.1, 1: 0.4, 2: 0.7, 3: 1.0, 40: 1.0}
    for count, part in sizes.items():
        tabs = [Instrument(Visit(Session(IRIS)), shared) for _ in range(count)]
        shared.fit_caches()
        assert [cache.max_bytes for cache in caches] == [
            part * most for most in MAX_SHARED_BYTES
        ], count
        del tabs
        gc.collect()
    entry = bytes(int(MAX_SHARED_BYTES[1] / 4))
    first, second = (
        Instrument(Visit(Session(IRIS)), shared),
        Instrument(Visit(Session(IRIS)), shared),
    )
    for key in range(2):
        shared.values.get(key, lambda: entry)
    assert (shared.values.peek(0), shared.values.peek(1)) == (entry, entry)
    del first, second
    gc.collect()
    shared.fit_caches()
    assert (shared.values.peek(0), shared.values.peek(1)) == (None, entry)
