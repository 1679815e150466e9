"""The parameters of an address as values, as far as they can be known without the data.

Any text at all is read and none raises: of each parameter the longest valid part is kept, and a
sentence says what was not understood. What the parameters are is told in url.py.

Glossary
    piece      a run of automatic moves (their number), or a move of your own
    problem    one sentence, for the person, on something that was not understood
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

from dtviz.engine.rules import Rules, RulesError
from dtviz.engine.splits import Split, projection_in
from dtviz.engine.tree import Collapse, Grow, Move
from dtviz.screen.session import (
    BRANCH_RUNS,
    HIDEABLE,
    MAX_BRANCHES,
    MAX_RUNS,
    MAX_SAY,
    ONE_OUT,
    Judging,
)
from dtviz.table.data import DataError, Recipe, Value, recipe
from dtviz.table.origins import origin_of
from dtviz.table.values import MOST_TEXT, is_number, read_value
from dtviz.text import clean, quoted

_RESERVED = (
    *("data", "log", "undone", "focus", "cut", "axes", "branches", "ask", "hide", "say"),
    *("held_out", "held_seed", "folds", "against", "prunes"),
    *(field.name for field in fields(Rules)),
)
_NOT_OURS = ("utm_", "embed")  # put there by whoever passes the link on

Params = Mapping[str, str]
Piece = int | Move
Pieces = tuple[Piece, ...]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Read:
    """What an address says, as far as it can be known without the data."""

    recipe: Recipe
    rules: tuple[tuple[str, Any], ...]
    log: Pieces
    undone: Pieces
    focus: int | None
    cut: Split | None
    axes: tuple[int, int] | None
    branches: tuple[Pieces, ...]
    ask: bool
    hidden: tuple[str, ...]
    say: str
    judging: Judging
    problems: tuple[str, ...]


def read(params: Params, default: Recipe) -> Read:
    """What the parameters say; without data that is understood they speak of the default."""
    problems: list[str] = []
    return Read(
        recipe=_read_recipe(params, default, problems),
        rules=_read_rules(params, problems),
        log=_read_log(params, "log", problems),
        undone=_read_log(params, "undone", problems),
        focus=_read_one(params, "focus", _read_node, problems),
        cut=_read_one(params, "cut", _read_split, problems),
        axes=_read_one(params, "axes", _read_axes, problems),
        branches=_read_branches(params, problems),
        ask=_read_one(params, "ask", {"1": True, "0": False}.get, problems) or False,
        hidden=_read_hidden(params, problems),
        say=_read_say(params, problems),
        judging=_read_judging(params, problems),
        problems=tuple(problems),
    )


def _read_recipe(params: Params, default: Recipe, problems: list[str]) -> Recipe:
    """The recipe with every parameter that its origin takes; the default if it takes none."""
    others = [k for k in params if k not in _RESERVED and not k.startswith(_NOT_OURS)]
    if "data" not in params:
        if others:
            problems.append(f"{_listed(others)}: not understood without `data`, left out")
        return default
    pairs: dict[str, Value] = {}
    try:
        origin = origin_of(Recipe(params["data"]))
        pairs = {key: origin.read(params[key]) for key in others}
    except DataError as error:
        problems.append(str(error))
        return default
    while True:
        given = recipe(origin.name, **pairs)
        try:
            found = origin.complete(given)
        except DataError as error:
            problems.append(str(error))
            if error.parameter not in pairs:
                return default
            del pairs[error.parameter]
        else:
            problems.extend(origin.problems(given))
            return found


def _read_rules(params: Params, problems: list[str]) -> tuple[tuple[str, Any], ...]:
    """Each rule on its own, so that one bad value does not lose the others."""
    out = []
    for field in fields(Rules):
        if field.name not in params:
            continue
        text = params[field.name]
        value: Any = {"True": True, "False": False, "None": None}.get(text, read_value(text))
        if isinstance(field.default, float) and type(value) is int:
            value = float(value)
        try:
            Rules(**{field.name: value})
        except (RulesError, TypeError) as error:
            problems.append(f"{error}; the usual value is used".replace(repr(value), quoted(text)))
            continue
        out.append((field.name, value))
    return tuple(out)


def _read_log(params: Params, name: str, problems: list[str]) -> Pieces:
    text = _bounded(params.get(name, ""), name, problems)
    return _read_pieces(text, f"`{name}`", MAX_RUNS, problems) if text else ()


def _read_branches(params: Params, problems: list[str]) -> tuple[Pieces, ...]:
    """The pieces of each branch; a branch of which nothing is understood is left out."""
    text = _bounded(params.get("branches", ""), "branches", problems)
    words = text.split("~") if text else []
    if len(words) > MAX_BRANCHES:
        problems.append(f"`branches` has more than {MAX_BRANCHES}; the rest is left out")
    out = []
    for word in words[:MAX_BRANCHES]:
        wrong = len(problems)
        pieces = _read_pieces(word, "`branches`: one", BRANCH_RUNS, problems)
        if pieces or len(problems) == wrong:
            out.append(pieces)
    return tuple(out)


def _bounded(text: str, name: str, problems: list[str]) -> str:
    """At most MOST_TEXT characters of the text, without a last move cut in two."""
    if len(text) <= MOST_TEXT:
        return text
    problems.append(f"`{name}` is longer than {MOST_TEXT:,} characters; the rest is left out")
    return re.sub(r"[_~][^_~]*$", "", text[:MOST_TEXT])


def _read_pieces(text: str, name: str, most: int, problems: list[str]) -> Pieces:
    """The moves of one time-line, with at most `most` runs of automatic ones."""
    out: list[Piece] = []
    for word in text.split("_"):
        piece = _read_piece(word)
        if piece is None:
            problems.append(f"{name} is kept up to {quoted(word)}, which is no move")
            break
        if isinstance(piece, int) and out and isinstance(out[-1], int):
            out[-1] += piece  # one run, so that the future is asked once
        elif len(out) >= 2 * most and isinstance(piece, int):
            problems.append(f"{name} has more than {most} runs; the rest is left out")
            break
        elif piece != 0:
            out.append(piece)
    return tuple(out)


def _read_piece(word: str) -> Piece | None:
    if re.fullmatch(r"a[0-9]{1,6}", word):
        return int(word[1:])
    if word.startswith("c") and (node := _read_node(word[1:])) is not None:
        return Collapse(node)
    node_text, _, rest = word.partition(".")
    node, split = _read_node(node_text), _read_split(rest)
    return Grow(node, split) if node is not None and split is not None else None


def _read_node(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[1-9][0-9]{0,599}", text) else None


def _read_split(text: str) -> Split | None:
    word, _, limit = text.partition(".")
    if not is_number(limit) or not math.isfinite(float(limit)):
        return None
    projection = projection_in(word)
    return None if projection is None else Split(projection, float(limit))


def _read_axes(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"([0-9]{1,4})\.([0-9]{1,4})", text)
    if not found or found[1] == found[2]:
        return None
    return int(found[1]), int(found[2])


def _read_one(
    params: Params, name: str, reader: Callable[[str], T | None], problems: list[str]
) -> T | None:
    if name not in params:
        return None
    value = reader(params[name])
    if value is None:
        problems.append(f"`{name}={quoted(params[name])}` was not understood")
    return value


def _read_hidden(params: Params, problems: list[str]) -> tuple[str, ...]:
    text = params.get("hide", "")
    names = dict.fromkeys(text.split(".")) if text else {}
    unknown = [name for name in names if name not in HIDEABLE]
    if unknown:
        known = ", ".join(HIDEABLE)
        problems.append(f"`hide` knows {known}; not {_listed(unknown)}")
    return tuple(sorted(name for name in names if name in HIDEABLE))


def _read_say(params: Params, problems: list[str]) -> str:
    text = params.get("say", "")
    if len(clean(text, 2 * MAX_SAY)) > MAX_SAY:
        problems.append(f"`say` is longer than {MAX_SAY} characters; the rest is left out")
    return clean(text, MAX_SAY)


def _read_judging(params: Params, problems: list[str]) -> Judging:
    """Each part on its own, so that one bad value does not lose the others."""
    judging = Judging()
    parts: dict[str, tuple[str, Any]] = {
        "held_out": ("share", _read_share),
        "held_seed": ("seed", _read_whole),
        "folds": ("folds", lambda text: ONE_OUT if text == "one_out" else _read_whole(text)),
        "against": ("against", str),
    }
    for name, (field, reader) in parts.items():
        if name not in params:
            continue
        try:
            judging = replace(judging, **{field: reader(params[name])})
        except ValueError:
            problems.append(f"`{name}={quoted(params[name])}` was not understood")
    moves = _read_log(params, "prunes", problems)
    prunes = tuple(move for move in moves if isinstance(move, Collapse))
    if len(prunes) < len(moves):
        problems.append("`prunes` holds moves that are no prunes (c and a node); they are left out")
    return replace(judging, prunes=prunes)


def _read_share(text: str) -> float:
    if not is_number(text):
        raise ValueError(text)
    return float(text)


def _read_whole(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise ValueError(text)
    return int(text)


def _listed(names: list[str]) -> str:
    """The first few names, for a message."""
    return ", ".join(map(quoted, names[:3])) + (", ..." if len(names) > 3 else "")
