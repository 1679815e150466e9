"""The classroom of a server: links by short code, and tables for those who have their link.

Both stay in memory alone, for KEPT_SECONDS after they were last shown or given, and both are
bounded. Nobody can list them: a code is random, a table has the fingerprint that its link holds,
and who asks for many that are not there is refused for a while.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from threading import Lock
from typing import TYPE_CHECKING, Generic, TypeVar

from dtviz.data import uploads

if TYPE_CHECKING:
    from dtviz.base.lazy import pd
    from dtviz.data.notes import Note

T = TypeVar("T")
THIS_MACHINE = ""
"""Visitor who sits at the machine of the server."""
KEPT_SECONDS = 6 * 3600.0
"""Seconds for which a link or a table is kept: longer than a lesson."""
MAX_LINKS = 500
MAX_LINK_CHARS = 100_000
"""Characters of a link: a browser's address with its moves has fewer."""
MAX_BYTES_OF_LINKS = 10_000_000
MAX_TABLES = 60
MAX_BYTES_OF_TABLES = 200_000_000
"""Bytes of all tables together, with their files."""
MAX_BYTES_OF_TABLE = 100_000_000
"""Bytes of one table with its file."""
CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters of a code: none that looks like another one."""
CODE_LENGTH = 6
MAX_MISSES = 30
"""Names that are not there, for which a visitor may ask within MISS_SECONDS."""
MISS_SECONDS = 60.0
MAX_MISSING_VISITORS = 5_000
"""Number of visitors whose misses are counted; of more, the first is forgotten."""


class TooManyMissesError(Exception):
    """Raised for a visitor who has asked for many names that are not there."""


def visitor_of(host: str | None) -> str:
    """Return the visitor with an address of the network; a network of IPv6 (/64) is one visitor."""
    try:
        address = ip_address(host or "")
    except ValueError:
        return THIS_MACHINE if host is None else str(host)[:100]
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback:
        return THIS_MACHINE
    if isinstance(address, IPv6Address):
        return str(ip_network((address.packed, 64), strict=False))
    return str(address)


@dataclass(frozen=True, slots=True)
class Entry(Generic[T]):
    """A value that a store keeps."""

    visitor: str
    """Visitor who put it there."""
    name: str
    """Name by which others ask for it."""
    value: T
    """The value."""
    n_bytes: int
    """Bytes that it takes of the room of the store."""
    end: float
    """Monotonic time of its end, in seconds."""


class ClassroomStore(Generic[T]):
    """Values by name, bounded in number and bytes.

    Where there is no room, the oldest value of the visitor who takes the most room goes; those of
    the server's own machine go last.

    >>> store = ClassroomStore[str](max_entries=2, max_bytes=100)
    >>> for visitor, name in (("10.0.0.2", "a"), ("10.0.0.3", "b"), ("10.0.0.3", "c")):
    ...     _ = store.put(visitor, name, name.upper(), 1)
    >>> store.get("a"), store.get("b"), store.get("c")
    ('A', None, 'C')
    """

    def __init__(self, max_entries: int, max_bytes: int) -> None:
        self.max_entries, self.max_bytes = max_entries, max_bytes
        self._entries: list[Entry[T]] = []  # the oldest first
        self._lock = Lock()

    def put(self, visitor: str, name: str, value: T, n_bytes: int) -> bool:
        """Keep a value for KEPT_SECONDS; return False if it is too large to be kept."""
        if n_bytes > self.max_bytes:
            return False
        end = time.monotonic() + KEPT_SECONDS
        with self._lock:
            self._drop(visitor, {name})
            self._entries.append(Entry(visitor, name, value, n_bytes, end))
            while self._has_too_much():
                self._entries.remove(self._first_to_go())
        return True

    def get(self, name: str) -> T | None:
        """Return the value of a name; None if there is none, or none any more."""
        with self._lock:
            self._forget_old()
            return next((entry.value for entry in self._entries if entry.name == name), None)

    def name_of(self, visitor: str, value: T) -> str | None:
        """Return the name under which a visitor put this value; None if it is not there."""
        with self._lock:
            self._forget_old()
            entries = (entry for entry in self._entries if entry.visitor == visitor)
            return next((entry.name for entry in entries if entry.value == value), None)

    def has(self, visitor: str, name: str) -> bool:
        """True if this visitor has put a value under this name."""
        with self._lock:
            self._forget_old()
            return any((entry.visitor, entry.name) == (visitor, name) for entry in self._entries)

    def remove(self, visitor: str, names: Collection[str]) -> None:
        """Forget the values that a visitor put under these names."""
        with self._lock:
            self._drop(visitor, names)

    def forget_old(self) -> None:
        """Forget the values whose time is over."""
        with self._lock:
            self._forget_old()

    def _forget_old(self) -> None:
        now = time.monotonic()
        self._entries = [entry for entry in self._entries if entry.end > now]

    def _drop(self, visitor: str, names: Collection[str]) -> None:
        self._forget_old()
        self._entries = [
            entry for entry in self._entries if entry.visitor != visitor or entry.name not in names
        ]

    def _has_too_much(self) -> bool:
        n_bytes = sum(entry.n_bytes for entry in self._entries)
        return len(self._entries) > self.max_entries or n_bytes > self.max_bytes

    def _first_to_go(self) -> Entry[T]:
        """Return the oldest entry of the visitor who takes the most room, this machine's last."""
        room: defaultdict[str, float] = defaultdict(float)
        for entry in self._entries:
            room[entry.visitor] += 1 / self.max_entries + entry.n_bytes / self.max_bytes
        visitor = max(room, key=lambda name: (name != THIS_MACHINE, room[name]))
        return next(entry for entry in self._entries if entry.visitor == visitor)


class Misses:
    """The names that were not there, by the visitor who asked for them in the last MISS_SECONDS."""

    def __init__(self) -> None:
        self._times: dict[str, dict[str, float]] = {}  # monotonic, by visitor and name
        self._lock = Lock()

    def check(self, visitor: str) -> None:
        """Raise TooManyMissesError for a visitor with MAX_MISSES."""
        start = time.monotonic() - MISS_SECONDS
        with self._lock:
            times = self._times.get(visitor, {})
            if sum(moment > start for moment in times.values()) >= MAX_MISSES:
                raise TooManyMissesError

    def add(self, visitor: str, name: str) -> None:
        """Count a name that was not there; the same name counts once."""
        now = time.monotonic()
        with self._lock:
            times = self._times.pop(visitor, {})
            recent = {key: moment for key, moment in times.items() if moment > now - MISS_SECONDS}
            self._times[visitor] = recent | {name: now}
            if len(self._times) > MAX_MISSING_VISITORS:
                del self._times[next(iter(self._times))]


@dataclass(frozen=True, slots=True, eq=False)
class SharedTable:
    """A table with its file, as a tab has it."""

    frame: pd.DataFrame
    """Rows of the table."""
    notes: tuple[Note, ...]
    """Changes that reading made to the table."""
    content: bytes
    """Bytes of the file."""

    @property
    def n_bytes(self) -> int:
        """Bytes of the table in memory, and of its file."""
        return uploads.estimated_bytes((self.frame, self.notes)) + len(self.content)


class Classroom:
    """Links and tables that a server keeps for a class.

    >>> classroom = Classroom()
    >>> code = classroom.code_for("10.0.0.2", "grow?data=xor")
    >>> classroom.link_of("10.0.0.3", code.upper())
    'grow?data=xor'
    """

    def __init__(self) -> None:
        self.links = ClassroomStore[str](MAX_LINKS, MAX_BYTES_OF_LINKS)
        self.tables = ClassroomStore[SharedTable](MAX_TABLES, MAX_BYTES_OF_TABLES)
        self.misses = Misses()

    def code_for(self, visitor: str, link: str) -> str | None:
        """Return the code of a link: page and query; None if the link is too long to be kept."""
        if len(link) > MAX_LINK_CHARS:
            return None
        code = self.links.name_of(visitor, link) or self._new_code()
        return code if self.links.put(visitor, code, link, len(link)) else None

    def _new_code(self) -> str:
        """Return a code that no link has."""
        while True:
            code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
            if self.links.get(code) is None:
                return code

    def link_of(self, visitor: str, code: str) -> str | None:
        """Return the link of a code that a visitor asks for, in small or capital letters.

        Returns None where there is none. Raises TooManyMissesError.
        """
        self.misses.check(visitor)
        code = code.lower()
        is_code = len(code) == CODE_LENGTH and {*code} <= {*CODE_LETTERS}
        link = self.links.get(code) if is_code else None
        if link is None:
            self.misses.add(visitor, code[: CODE_LENGTH + 1])
        return link

    def keep_tables(self, visitor: str, tables: Mapping[str, SharedTable]) -> bool:
        """Keep tables by place; return False, and keep none, if one is too large."""
        sizes = {place: table.n_bytes for place, table in tables.items()}
        if max(sizes.values(), default=0) > MAX_BYTES_OF_TABLE:
            return False
        return all(
            self.tables.put(visitor, place, table, sizes[place]) for place, table in tables.items()
        )

    def tables_at(self, visitor: str, places: Collection[str]) -> dict[str, SharedTable]:
        """Return the tables of all these places, for a visitor who has their link.

        Returns {} where one of them is not there, or the visitor has asked for many that were not.
        """
        try:
            self.misses.check(visitor)
        except TooManyMissesError:
            return {}
        tables = {place: self.tables.get(place) for place in places}
        for place, table in tables.items():
            if table is None:
                self.misses.add(visitor, place[:100])
        present = {place: table for place, table in tables.items() if table is not None}
        return present if len(present) == len(tables) else {}

    def has_tables(self, visitor: str, places: Collection[str]) -> bool:
        """True if this visitor has the server keep the tables of all these places."""
        return bool(places) and all(self.tables.has(visitor, place) for place in places)

    def forget_old(self) -> None:
        """Forget the links and tables whose time is over."""
        self.links.forget_old()
        self.tables.forget_old()


CLASSROOM = Classroom()
"""The classroom of this server."""
