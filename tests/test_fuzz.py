"""Fuzzed addresses and messages: none raises, each leaves a screen that an address leads back to.

DTVIZ_FUZZ says how many addresses (a tenth as many messages); `tests/bench/hostile.py` tells the
dearest of 100,000.
"""

from __future__ import annotations

import os

import pytest
from fuzz import addresses, comes_back, messages, opened, survives

from dtviz.instrument import Shared

MANY = int(os.environ.get("DTVIZ_FUZZ", "600"))

pytestmark = pytest.mark.uncounted


def test_no_address_raises_and_what_is_understood_is_written_as_it_is_read() -> None:
    shared, understood = Shared(), 0
    start = opened({}, shared).visit.session
    for params in addresses(MANY):
        tab = opened(params, shared)
        comes_back(tab)
        understood += tab.visit.session != start
    assert understood > MANY / 3  # the others are at the start


@pytest.mark.parametrize("data", ["iris", "moons", "heights", "drawn"])
def test_no_message_raises_whatever_came_before_it(data: str) -> None:
    tab = opened({"data": data, "log": "a2"}, Shared())
    did = sum(survives(tab, message) for message in messages(tab, MANY // 10))
    assert did > MANY / 200
