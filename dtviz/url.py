"""A session as the parameters of an address, and back; any text at all is read, none raises.

    data=moons&n=200&noise=0.25&seed=7      the recipe: its name and parameters
    criterion=gini&max_depth=3              rules that differ from the default
    log=a3_5.0.2.45_c2_a9                   moves: 3 automatic ones, a split of node 5 on feature 0
                                            at 2.45, a collapse of node 2, 9 automatic ones
    undone=a2                               moves stepped back over
    focus=6 cut=0.2.45 axes=0.1             what is looked at

Reading keeps the longest valid part and says, in one sentence each, what was not understood.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from itertools import groupby
from typing import Any, TypeVar

from dtviz.data import DataError, Dataset, Recipe
from dtviz.rules import Rules, RulesError, criterion_of, default_rules
from dtviz.session import MAX_RUNS, Future, Session, runs
from dtviz.splits import Split, axis_split
from dtviz.text import quoted
from dtviz.tree import Collapse, Grow, Log, Move, Tree, fold, replay

MAX_TEXT = 30_000
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_RESERVED = ("data", "log", "undone", "focus", "cut", "axes", *(f.name for f in fields(Rules)))

Params = Mapping[str, str]
Piece = int | Move
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Read:
    """What an address says, as far as it can be known without the data."""

    recipe: Recipe
    rules: tuple[tuple[str, Any], ...]
    log: tuple[Piece, ...]
    undone: tuple[Piece, ...]
    focus: int | None
    cut: Split | None
    axes: tuple[int, int] | None
    problems: tuple[str, ...]


def write(session: Session, data: Dataset, future: Future) -> dict[str, str]:
    """The parameters of the session's address; what is at its default is left out."""
    out = {"data": session.recipe.name}
    out |= {k: _value_text(v) for k, v in session.recipe.params if v is not None}
    usual = default_rules(data.task)
    for field in fields(Rules):
        value = getattr(session.rules, field.name)
        if value != getattr(usual, field.name):
            out[field.name] = _value_text(value)
    made = session.log + session.undone
    pieces = runs(session.rules, made, future)
    log, undone = _cut_pieces(pieces, len(session.log))
    if log:
        out["log"] = _pieces_text(log)
    if undone:
        out["undone"] = _pieces_text(undone)
    if session.focus is not None:
        out["focus"] = str(session.focus)
    if session.cut is not None:
        out["cut"] = _split_text(session.cut)
    if session.axes is not None:
        out["axes"] = f"{session.axes[0]}.{session.axes[1]}"
    return out


def read(params: Params, default: Recipe, known: Callable[[Recipe], Recipe]) -> Read:
    """What the parameters say; `known` completes a recipe or raises DataError."""
    problems: list[str] = []
    recipe = _read_recipe(params, default, known, problems)
    rules = _read_rules(params, problems)
    log = _read_pieces(params, "log", problems)
    undone = _read_pieces(params, "undone", problems)
    focus = _read_one(params, "focus", _read_node, problems)
    cut = _read_one(params, "cut", _read_split, problems)
    axes = _read_one(params, "axes", _read_axes, problems)
    return Read(recipe, rules, log, undone, focus, cut, axes, tuple(problems))


def resolve(found: Read, data: Dataset, future: Future) -> tuple[Session, tuple[str, ...]]:
    """The session on its data: the longest part of what was read that the data allows."""
    problems = list(found.problems)
    rules = _rules_for(found.rules, data, problems)
    log, tree = _replay(data, rules, (), found.log, future, "log", problems)
    undone: Log = ()
    if len(found.undone):
        both, _ = _replay(data, rules, log, found.undone, future, "undone", problems)
        undone = both[len(log) :]
    focus, cut, axes = found.focus, found.cut, found.axes
    if focus is not None and focus not in tree.nodes:
        problems.append(f"`focus={focus}` is no node of this tree; the next node is shown")
        focus, cut = None, None
    if cut is not None and cut.feature >= len(data.features):
        problems.append("`cut` names a feature that does not exist; the best cut is shown")
        cut = None
    if axes is not None and max(axes) >= len(data.features):
        problems.append("`axes` names a feature that does not exist; the usual axes are shown")
        axes = None
    return Session(found.recipe, rules, log, undone, focus, cut, axes), tuple(problems)


def _replay(
    data: Dataset,
    rules: Rules,
    log: Log,
    pieces: tuple[Piece, ...],
    future: Future,
    name: str,
    problems: list[str],
) -> tuple[Log, Tree]:
    """The log with the pieces put after it, as far as they are possible."""
    criterion = criterion_of(rules, data.task)
    tree = fold(data, criterion, log)
    for automatic, group in groupby(pieces, key=lambda piece: isinstance(piece, int)):
        together = tuple(group)
        wanted: Log = tuple(piece for piece in together if not isinstance(piece, int))
        if automatic:
            steps = sum(piece for piece in together if isinstance(piece, int))
            wanted = future(rules, log)[:steps]
            if len(wanted) < steps:
                end = f"the tree ends after {len(wanted)}"
                problems.append(f"`{name}` asks for {steps} steps; {end}")
        tree, error = replay(data, criterion, tree, wanted)
        log += wanted if error is None else wanted[: error.index]
        if error is not None:
            problems.append(f"`{name}` is kept up to move {len(log)}: {error}")
            break
    return log, tree


def _cut_pieces(pieces: tuple[Piece, ...], at: int) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces before and after `at` moves; a run across that place is divided."""
    before: list[Piece] = []
    after: list[Piece] = []
    for piece in pieces:
        size = piece if isinstance(piece, int) else 1
        taken = min(size, at)
        at -= taken
        if taken:
            before.append(taken if isinstance(piece, int) else piece)
        if size > taken:
            after.append(size - taken if isinstance(piece, int) else piece)
    return tuple(before), tuple(after)


def _pieces_text(pieces: tuple[Piece, ...]) -> str:
    return "_".join(_piece_text(piece) for piece in pieces)


def _piece_text(piece: Piece) -> str:
    match piece:
        case Grow(node, split):
            return f"{node}.{_split_text(split)}"
        case Collapse(node):
            return f"c{node}"
        case _:
            return f"a{piece}"


def _split_text(split: Split) -> str:
    return f"{split.feature}.{split.threshold!r}"


def _value_text(value: Any) -> str:
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False, separators=(",", ":"))
    if isinstance(value, str) and value.startswith(("[", '"')):
        return json.dumps(value, ensure_ascii=False)  # else it would be read as a list
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def _read_recipe(
    params: Params,
    default: Recipe,
    known: Callable[[Recipe], Recipe],
    problems: list[str],
) -> Recipe:
    if "data" not in params:
        return default
    name = params["data"]
    reader = _read_file_value if name == "file" else _read_value
    pairs = {k: reader(v) for k, v in params.items() if k not in _RESERVED}
    while True:
        found = _known(known, name, pairs)
        if isinstance(found, Recipe):
            return found
        if found not in problems:
            problems.append(found)
        bad = [key for key in pairs if f"`{key}`" in found][:1] or [
            key for key in pairs if isinstance(_known(known, name, {key: pairs[key]}), str)
        ]
        if not bad:
            return default
        pairs = {key: value for key, value in pairs.items() if key not in bad}


def _known(known: Callable[[Recipe], Recipe], name: str, pairs: Mapping[str, Any]) -> Recipe | str:
    """The completed recipe, or what is wrong with it."""
    try:
        return known(Recipe(name, tuple(sorted(pairs.items()))))
    except DataError as error:
        return str(error)


def _read_file_value(text: str) -> Any:
    """A parameter of a file's recipe: a list of names, or text as it stands ('007' is a name)."""
    return _read_value(text) if text.startswith(("[", '"')) else text


def _read_value(text: str) -> Any:
    """A parameter as a number, a list of names, or text."""
    if len(text) <= 40 and _NUMBER.fullmatch(text):
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else float(text)
    if text.startswith(("[", '"')) and len(text) <= MAX_TEXT:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            return tuple(value)
        if isinstance(value, str):
            return value
    return text


def _read_rules(params: Params, problems: list[str]) -> tuple[tuple[str, Any], ...]:
    """Each rule on its own, so that one bad value does not lose the others."""
    out = []
    for field in fields(Rules):
        if field.name not in params:
            continue
        text = params[field.name]
        value: Any = {"True": True, "False": False, "None": None}.get(text, _read_value(text))
        if isinstance(field.default, float) and type(value) is int:
            value = float(value)
        try:
            Rules(**{field.name: value})
        except (RulesError, TypeError) as error:
            problems.append(f"{error}; the usual value is used".replace(repr(value), quoted(text)))
            continue
        out.append((field.name, value))
    return tuple(out)


def _rules_for(given: tuple[tuple[str, Any], ...], data: Dataset, problems: list[str]) -> Rules:
    usual = default_rules(data.task)
    rules = Rules(**{**{f.name: getattr(usual, f.name) for f in fields(Rules)}, **dict(given)})
    try:
        criterion_of(rules, data.task)
    except RulesError as error:
        problems.append(f"{error}; {usual.criterion} is used")
        kept = {k: v for k, v in given if k != "criterion"}
        rules = Rules(**{"criterion": usual.criterion, **kept})
    return rules


def _read_pieces(params: Params, name: str, problems: list[str]) -> tuple[Piece, ...]:
    text = params.get(name, "")
    out: list[Piece] = []
    for word in text[:MAX_TEXT].split("_") if text else []:
        piece = _read_piece(word)
        if piece is None:
            problems.append(f"`{name}` is kept up to {quoted(word)}, which is no move")
            break
        if isinstance(piece, int) and out and isinstance(out[-1], int):
            out[-1] += piece  # one run, so that the future is asked once
        elif len(out) >= 2 * MAX_RUNS and isinstance(piece, int):
            problems.append(f"`{name}` has more than {MAX_RUNS} runs; the rest is left out")
            break
        elif piece != 0:
            out.append(piece)
    if len(text) > MAX_TEXT:
        problems.append(f"`{name}` is longer than {MAX_TEXT:,} characters; the rest is left out")
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
    feature, _, limit = text.partition(".")
    if not re.fullmatch(r"[0-9]{1,4}", feature):
        return None
    if len(limit) > 40 or not _NUMBER.fullmatch(limit) or not math.isfinite(float(limit)):
        return None
    return axis_split(int(feature), float(limit))


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
