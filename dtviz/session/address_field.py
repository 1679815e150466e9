"""What a parameter of an address is: one value that both reads and writes it.

Glossary
    draft      a session in the making, on its data: each field is read on those before it
    reading    what a text says as far as it is understood, and a sentence on each part that is not
    place      how to get a value of a session and how to put another there
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from dtviz.base.text import quoted
from dtviz.data.dataset import Dataset, Value
from dtviz.engine.problem import Problem
from dtviz.engine.tree import Log, Tree, fold
from dtviz.session.session import Future, Session

MAX_CHARACTERS_QUOTED = 24
T = TypeVar("T")
FieldTexts = Mapping[str, str]
Understood = tuple[T, tuple[str, ...]]


class SessionDraft(NamedTuple):
    """A session with the fields that were read so far, the texts of all, and the data.

    `trees` keeps the tree of each log that was played: rules are read before any log. `given` are
    the data before the rules took rows without a value in their way.
    """

    session: Session
    texts: FieldTexts
    data: Dataset
    given: Dataset
    future: Future
    trees: dict[Log, Tree]

    def tree(self, log: Log) -> Tree:
        """The tree after these moves."""
        if log not in self.trees:
            self.trees[log] = fold(Problem(self.data, self.session.rules), log)
        return self.trees[log]


class Accessor(NamedTuple):
    """Where in a session a value is."""

    get: Callable[[Session], Any]
    put: Callable[[Session, Any], Session]


@dataclass(frozen=True, slots=True)
class Field(Generic[T]):
    """One parameter of an address.

    `read` takes its text and the draft: a ValueError, there or on putting the value in its place,
    says that nothing of it was understood. `write` takes the value, the session and its future.
    """

    name: str
    example: str
    help: str
    place: Accessor
    read: Callable[[str, SessionDraft], Understood[T]]
    write: Callable[[T, Session, Future], str]


def plain(
    name: str,
    example: str,
    help: str,
    place: Accessor,
    read: Callable[[str], T],
    write: Callable[[T], str] = str,
) -> Field[T]:
    """The field that needs nothing but its text, all of which must be understood."""

    def read_all(text: str, _: SessionDraft) -> Understood[T]:
        return read(text), ()

    return Field(name, example, help, place, read_all, lambda value, *_: write(value))


def quoted_part(text: str) -> str:
    """A piece of a link for a message, short enough for two lines on a phone."""
    return quoted(text, MAX_CHARACTERS_QUOTED)


def left_out_text(pieces: Sequence[str]) -> str:
    """That these pieces of a link say nothing here; the first are named."""
    more = f" and {len(pieces) - 2:,} more" if len(pieces) > 2 else ""
    are = "were not understood; they are" if len(pieces) > 1 else "was not understood; it is"
    return f"{', '.join(map(quoted_part, pieces[:2]))}{more} in this link {are} left out"


def matched(pattern: str | re.Pattern[str], text: str) -> re.Match[str]:
    """The match of the whole text; raises ValueError when there is none."""
    found = re.fullmatch(pattern, text)
    if found is None:
        raise ValueError(text)
    return found


def attr(path: str) -> Accessor:
    """The place at this path of attributes: 'judging.share'."""
    return Accessor(attrgetter(path), partial(_replaced, path.split(".")))


def extra_value(name: str, default: Value) -> Accessor:
    """A place among the extra values of a session, for what has no attribute there."""

    def put(session: Session, value: Value) -> Session:
        others = {key: other for key, other in session.extra if key != name}
        own = {} if value == default else {name: value}
        return replace(session, extra=tuple(sorted((others | own).items())))

    return Accessor(lambda session: dict(session.extra).get(name, default), put)


def _replaced(path: list[str], whole: Any, value: Any) -> Any:
    name, *rest = path
    return replace(whole, **{name: _replaced(rest, getattr(whole, name), value) if rest else value})
