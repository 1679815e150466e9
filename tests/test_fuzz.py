"""Fuzzed addresses and messages: none raises, each leaves a screen that an address leads back to.

A short draw daily, a long one nightly; `tests/bench/hostile.py` tells the dearest of 100,000.
"""

from __future__ import annotations

import pytest
from fuzz import addresses, comes_back, messages, opened, survives

from dtviz.app.instrument import SharedState

DAILY, NIGHTLY = 120, pytest.param(6_000, marks=pytest.mark.nightly)


@pytest.mark.parametrize("many", [DAILY, NIGHTLY])
def test_no_address_raises_and_what_is_understood_is_written_as_it_is_read(many: int) -> None:
    shared, understood = SharedState(), 0
    start = opened({}, shared).visit.session
    for params in addresses(many):
        tab = opened(params, shared)
        comes_back(tab)
        understood += tab.visit.session != start
    assert understood > many / 3  # the others are at the start


@pytest.mark.parametrize("many", [DAILY, NIGHTLY])
def test_no_message_raises_whatever_came_before_it(many: int) -> None:
    for data in ("iris", "moons", "heights", "drawn"):
        tab = opened({"data": data, "log": "a2"}, SharedState())
        understood = sum(survives(tab, message) for message in messages(tab, many // 10))
        assert understood > many / 200, data
