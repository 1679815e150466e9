"""Fields of an address: each is one value that both reads and writes a parameter."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from dtviz.base.text import quoted
from dtviz.data.dataset import Dataset, ParameterValue
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Log, Tree, fold
from dtviz.session.session import Future, Session

MAX_CHARACTERS_QUOTED = 24
T = TypeVar("T")
FieldTexts = Mapping[str, str]
"""Texts of the parameters of an address by name."""
Understood = tuple[T, tuple[str, ...]]
"""The value of a text as far as it is understood, and a sentence on each part that is not."""


class SessionDraft(NamedTuple):
    """A session that is being read from an address: a field may depend on those before it."""

    session: Session
    """Session with the fields that were read so far."""
    texts: FieldTexts
    """Texts of all fields."""
    data: Dataset
    """Training rows, as the rules take missing values."""
    full_data: Dataset
    """Training rows before the rules change those with missing values."""
    future: Future
    """Gives the automatic moves after a log."""
    trees: dict[Log, Tree]
    """Trees of the logs read so far. They stay valid: all rules are read before the first log."""

    def tree(self, log: Log) -> Tree:
        """Return the tree of a log."""
        if log not in self.trees:
            self.trees[log] = fold(Problem(self.data, self.session.rules), log)
        return self.trees[log]


class Accessor(NamedTuple):
    """A way to get a value of a session and to put another one there."""

    get: Callable[[Session], Any]
    """Takes a session, returns the value."""
    put: Callable[[Session, Any], Session]
    """Takes a session and a value, returns the session with that value."""


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """One parameter of an address."""

    name: str
    """Name of the parameter."""
    example: str
    """A text that it may have."""
    help: str
    """Meaning of the parameter, one sentence."""
    place: Accessor
    """Accessor of its value in a session."""
    read: Callable[[str, SessionDraft], Understood[T]]
    """Takes the text and the draft. ValueError, also of `place.put`: nothing was understood."""
    write: Callable[[T, Session, Future], str]
    """Takes the value, the session and its future, returns the text."""


def plain(
    name: str,
    example: str,
    help: str,
    place: Accessor,
    read: Callable[[str], T],
    write: Callable[[T], str] = str,
) -> Field[T]:
    """Return a field that is read from its text alone, all of which must be understood."""

    def read_all(text: str, _: SessionDraft) -> Understood[T]:
        return read(text), ()

    return Field(name, example, help, place, read_all, lambda value, *_: write(value))


def quoted_part(text: str) -> str:
    """Quote a piece of a link for a message, short enough for two lines on a phone."""
    return quoted(text, MAX_CHARACTERS_QUOTED)


def left_out_text(pieces: Sequence[str]) -> str:
    """Say in a sentence that these pieces of a link are left out; the first two are named."""
    more = f" and {len(pieces) - 2:,} more" if len(pieces) > 2 else ""
    are = "were not understood; they are" if len(pieces) > 1 else "was not understood; it is"
    return f"{', '.join(map(quoted_part, pieces[:2]))}{more} in this link {are} left out"


def matched(pattern: str | re.Pattern[str], text: str) -> re.Match[str]:
    """Return the match of the whole text; raises ValueError where the pattern does not match."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(text)
    return match


def attr(path: str) -> Accessor:
    """Return the accessor of the attribute with this path: 'judging.share'."""
    return Accessor(attrgetter(path), partial(_replaced, path.split(".")))


def extra_value(name: str, default: ParameterValue) -> Accessor:
    """Return the accessor of a value in `Session.extra`, for a field without an attribute."""

    def put(session: Session, value: ParameterValue) -> Session:
        others = {key: other for key, other in session.extra if key != name}
        added = {} if value == default else {name: value}
        return replace(session, extra=tuple(sorted((others | added).items())))

    return Accessor(lambda session: dict(session.extra).get(name, default), put)


def _replaced(path: list[str], owner: Any, value: Any) -> Any:
    name, *rest = path
    return replace(owner, **{name: _replaced(rest, getattr(owner, name), value) if rest else value})
