"""A table of ten rows, the sessions that addresses open on it, and a trip through an address."""

from __future__ import annotations

from cases import GOOD_PLACE, data_of
from futures import future_of

from dtviz.data.dataset import Dataset, make_recipe
from dtviz.session.address import read_address, session_at, write_address
from dtviz.session.session import Future, Session

PLACE = data_of(GOOD_PLACE)
FUTURE = future_of(PLACE)
START = make_recipe("good_place")
Opened = tuple[Session, tuple[str, ...]]


def opened(table: Dataset = PLACE, /, **params: str) -> Opened:
    """The session that an address opens on this table, and what of it was not understood."""
    return session_at(read_address(params, START), table, _future(table))


def reread(session: Session, table: Dataset = PLACE) -> Opened:
    """The session after a trip through the address."""
    params = write_address(session, table, _future(table))
    assert all(isinstance(text, str) for text in params.values())
    return session_at(read_address(params, make_recipe("other")), table, _future(table))


def _future(table: Dataset) -> Future:
    return FUTURE if table is PLACE else future_of(table)
