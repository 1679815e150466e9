"""A session as the parameters of an address, and back: FIELDS is the format, one value a parameter.

    data=moons&n=200&noise=0.25&criterion=gini&max_depth=3&log=a3_5.0.2.45_c2_a9&focus=6&ask=1

`data` names the recipe; a parameter that is no field is one of the recipe. Defaults are not
written. Text of any content is read without an error: of each parameter the longest valid part is
kept, and sentences tell the user what was not understood, and what is shown. An address with moves
but without an order has the order depth-first; an address without moves has the usual order of its
data (see `usual_rules`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from dtviz.base.text import clean, quoted
from dtviz.data.dataset import (
    MAX_PARAMETER_CHARS,
    NUMBER,
    DataError,
    Dataset,
    ParameterValue,
    Recipe,
    Task,
    split_names,
    write_names,
    write_value,
)
from dtviz.data.drawing import Origin, origin_of, title_of
from dtviz.engine import splits
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, RulesError, check_rules, default_rules, prepare_data
from dtviz.engine.tree import Collapse, Grow, Log, Move, Tree, fold, replay
from dtviz.evaluate.metrics import Pieces
from dtviz.evaluate.stability import ROW_SAMPLINGS
from dtviz.explain.words import SETTINGS, rule_phrase
from dtviz.session.derived_data import read_rule, write_rule  # it adds two to ORIGINS, too
from dtviz.session.impurity import ClassCounts, TwoSplits
from dtviz.session.session import (
    BRANCH_RUNS,
    HIDEABLE,
    LEAVE_ONE_OUT,
    MAX_BRANCHES,
    MAX_CELLS,
    MAX_MOVES,
    MAX_PINS,
    MAX_RUNS,
    MAX_SAY_CHARS,
    Future,
    ScreenSide,
    SelectedRow,
    Session,
    may_pin,
    may_show,
    runs_of,
    side_of,
    usual_rules,
    with_branches,
)
from dtviz.session.tour import MAX_STOPS, read_stops, write_stops

MAX_CHARACTERS_QUOTED = 24
T = TypeVar("T")
FieldTexts = Mapping[str, str]
"""Texts of the parameters of an address by name."""
Reading = tuple[T, tuple[str, ...]]
"""What was read of a text: the value of the longest valid part, and sentences on the rest."""


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
    """Two functions for a value inside a session: one returns the value, the other replaces it."""

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
    """Text that the parameter may have, for the documentation."""
    help: str
    """Meaning of the parameter, one sentence."""
    accessor: Accessor
    """Accessor of the value in a session."""
    read: Callable[[str, SessionDraft], Reading[T]]
    """Reads the text for the draft. ValueError, also from `accessor.put`, means that nothing of the
    text was understood."""
    write: Callable[[T, Session, Future], str]
    """Writes the value, given the session and its future, as a text."""


def plain(
    name: str,
    example: str,
    help: str,
    place: Accessor,
    read: Callable[[str], T],
    write: Callable[[T], str] = str,
) -> Field[T]:
    """Return a field whose value depends on its text alone, and must be valid as a whole."""

    def read_all(text: str, _: SessionDraft) -> Reading[T]:
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


def match_whole(pattern: str | re.Pattern[str], text: str) -> re.Match[str]:
    """Match the whole text; raises ValueError where the pattern does not match."""
    match = re.fullmatch(pattern, text)
    if match is None:
        raise ValueError(text)
    return match


def attr(path: str) -> Accessor:
    """Return the accessor of the attribute with this path: 'judging.share'."""
    return Accessor(attrgetter(path), partial(_replace_at, path.split(".")))


def extra_value(name: str, default: ParameterValue) -> Accessor:
    """Return the accessor of a value in `Session.extra`, for a field without an attribute."""

    def put(session: Session, value: ParameterValue) -> Session:
        others = {key: other for key, other in session.extra if key != name}
        added = {} if value == default else {name: value}
        return replace(session, extra=tuple(sorted((others | added).items())))

    return Accessor(lambda session: dict(session.extra).get(name, default), put)


def _replace_at(path: list[str], owner: Any, value: Any) -> Any:
    """Return the owner with another value of the attribute at a path."""
    name, *rest = path
    return replace(
        owner, **{name: _replace_at(rest, getattr(owner, name), value) if rest else value}
    )


# --- splits and moves -----------------------------------------------------------------------------


def read_split(text: str) -> splits.Split:
    """Return the split with this `address_text`; raises ValueError."""
    word, _, limit = text.partition(".")
    side = {"l": splits.EXPLICIT_LEFT, "r": splits.EXPLICIT_RIGHT}.get(limit[-1:], splits.RIGHT)
    limit = limit[:-1] if side.is_explicit else limit
    projection = splits.projection_in(word)
    if projection is None or not math.isfinite(float(match_whole(NUMBER, limit)[0])):
        raise ValueError(text)
    if isinstance(projection, splits.CutPart):  # the cut tells all: its limit and sides are fixed
        if limit != str(splits.HALF) or side.is_explicit:
            raise ValueError(text)
        return splits.multiway_split(projection.feature, projection.codes, projection.default)
    return splits.Split(projection, float(limit), side)


def read_node(text: str) -> int:
    """Return the node id that a text holds; raises ValueError."""
    return int(match_whole("[1-9][0-9]{0,599}", text)[0])


def _piece_text(piece: int | Move) -> str:
    """Write a piece of a time-line: a move by hand, or the length of a run of automatic moves."""
    match piece:
        case Grow(node, split):
            return f"{node}.{splits.address_text(split)}"
        case Collapse(node):
            return f"c{node}"
        case _:
            return f"a{piece}"


def _read_piece(word: str) -> int | Move:
    if re.fullmatch(r"a[0-9]{1,6}", word):
        return int(word[1:])
    if word.startswith("c"):
        return Collapse(read_node(word[1:]))
    node, _, split = word.partition(".")
    return Grow(read_node(node), read_split(split))


def moves_text(moves: Log) -> str:
    """Write moves made by hand: 1.0.2.45_3.1.1.75."""
    return _pieces_text(moves)


def read_moves(text: str) -> Log:
    """Read moves made by hand; raises ValueError for any other text, also for automatic moves."""
    pieces = tuple(
        map(_read_piece, match_whole(f".{{1,{MAX_PARAMETER_CHARS}}}", text)[0].split("_"))
    )
    moves = tuple(piece for piece in pieces if not isinstance(piece, int))
    if len(moves) < len(pieces):
        raise ValueError("it must hold no automatic moves")
    return moves


# --- time-lines -----------------------------------------------------------------------------------


def _pieces_text(pieces: Pieces) -> str:
    return "_".join(map(_piece_text, pieces))


def _read_runs(subject: str, text: str) -> Reading[Pieces]:
    """Read the moves of a parameter, '' for none; `subject` begins a sentence: 'The moves are'."""
    text, problems = _cut_short(subject, text)
    pieces, unread = _read_pieces(subject, text, MAX_RUNS) if text else ((), ())
    return pieces, problems + unread


def _cut_short(subject: str, text: str) -> Reading[str]:
    """Cut the text to MAX_PARAMETER_CHARS characters, between two moves."""
    if len(text) <= MAX_PARAMETER_CHARS:
        return text, ()
    problem = f"{subject} cut short: a link carries {MAX_PARAMETER_CHARS:,} characters of them"
    return re.sub(r"[_~][^_~]*$", "", text[:MAX_PARAMETER_CHARS]), (problem,)


def _read_pieces(subject: str, text: str, max_runs: int) -> Reading[Pieces]:
    """Read the moves of one time-line, with at most `max_runs` runs of automatic moves."""
    out: list[int | Move] = []
    for word in text.split("_"):
        try:
            piece = _read_piece(word)
        except ValueError:
            problem = f"{subject} cut short before {quoted_part(word)}, which is no move"
            return tuple(out), (problem,)
        if isinstance(piece, int) and out and isinstance(out[-1], int):
            out[-1] += piece  # one run, so that the future is computed once
        elif len(out) >= 2 * max_runs and isinstance(piece, int):
            return tuple(out), (f"{subject} cut short: a link carries {max_runs} runs of them",)
        elif len(out) == MAX_MOVES:
            return tuple(out), (f"{subject} cut short: a link carries {MAX_MOVES:,} moves",)
        elif piece != 0:
            out.append(piece)
    return tuple(out), ()


def _possible_moves(
    subject: str, log_before: Log, pieces: Pieces, draft: SessionDraft
) -> Reading[Log]:
    """Return the moves of pieces after the log `log_before`, up to the first impossible move."""
    log, tree = log_before, draft.tree(log_before)
    problems, short = [], ""
    for steps, group in groupby(pieces, lambda piece: piece if isinstance(piece, int) else None):
        wanted: Log = tuple(piece for piece in group if not isinstance(piece, int))
        if isinstance(steps, int):
            wanted = draft.future(draft.session.rules, log, None, steps)[:steps]
            if len(wanted) < steps:
                short = short or f"the tree ends after {len(wanted)} of {steps} steps"
        tree, error = replay(Problem(draft.data, draft.session.rules), tree, wanted)
        log += wanted if error is None else wanted[: error.index]
        if error is not None:
            n_moves = len(log) - len(log_before)
            problems = [f"{subject} cut short after {n_moves}: the next is not possible here"]
            break
    if short:
        problems.append(f"{subject} cut short: {short}")
    draft.trees[log] = tree
    return log[len(log_before) :], tuple(problems)


# --- fields ---------------------------------------------------------------------------------------


def _read_log(subject: str, log_before: Log, text: str, draft: SessionDraft) -> Reading[Log]:
    pieces, unread = _read_runs(subject, text)
    log, unplayed = _possible_moves(subject, log_before, pieces, draft)
    return log, unread + unplayed


def _read_branches(text: str, draft: SessionDraft) -> Reading[tuple[Log, ...]]:
    """Read the time-line of each branch; a branch of which nothing is understood is left out."""
    text, problems = _cut_short("The branches are", text)
    words = text.split("~") if text else []
    if len(words) > MAX_BRANCHES:
        problems += (f"The branches are cut short: a link carries {MAX_BRANCHES}",)
    branches = []
    for word in words[:MAX_BRANCHES]:
        pieces, unread = _read_pieces("A branch is", word, BRANCH_RUNS)
        log, unplayed = _possible_moves("A branch is", (), pieces, draft)
        problems += unread + unplayed
        if log or not (pieces or unread):
            branches.append(log)
    return with_branches(draft.session, branches, draft.future).branches, problems


def _branches_text(branches: tuple[Log, ...], session: Session, future: Future) -> str:
    each = [runs_of(session.rules, branch, future, BRANCH_RUNS) for branch in branches]
    return "~".join(_pieces_text(pieces) or "a0" for pieces in each)


def _read_prunes(text: str, _: SessionDraft) -> Reading[Log]:
    pieces, problems = _read_runs("The prunes are", text)
    prunes = tuple(piece for piece in pieces if isinstance(piece, Collapse))
    if len(prunes) < len(pieces):
        problems += ("What is no prune among the prunes of this link is left out",)
    return prunes, problems


LOG = Field(
    "log", "a2", "The moves made.", attr("log"),
    lambda text, draft: _read_log("The moves are", (), text, draft),
    lambda log, session, future: _pieces_text(runs_of(session.rules, log, future)),
)  # fmt: skip
UNDONE = Field(
    "undone", "a1", "The moves stepped back over.", attr("undone"),
    lambda text, draft: _read_log("The undone moves are", draft.session.log, text, draft),
    lambda log, session, future: _pieces_text(
        runs_of(session.rules, log, future, before=session.log)
    ),
)  # fmt: skip
BRANCHES = Field(
    "branches", "a1_c1~a0", "Whole time-lines that were left, the newest last.",
    attr("branches"), _read_branches, _branches_text,
)  # fmt: skip
PRUNES = Field(
    "prunes", "c5_c9", "The subtrees taken back on Overfit.",
    attr("judging.prunes"), _read_prunes, lambda prunes, *_: _pieces_text(prunes),
)  # fmt: skip


AUTO = "auto"  # text of an order that follows from max_leaf_nodes
LEFT = "left"  # text of the stop once the tour was left
NO_VALUE = "none"  # text of a row without any value
_IGNORED_PREFIXES = ("utm_", "embed")
"""Starts of the parameters that mailers and web sites add to a link."""
_LIST_PARAMETERS = ("features", "without")
"""Parameters of a recipe that are lists of names."""


@dataclass(frozen=True, slots=True)
class AddressText:
    """An address of which only the recipe is read; the fields depend on the data."""

    recipe: Recipe
    """Recipe of the data."""
    texts: FieldTexts
    """Texts of the fields, in the order in which they are read."""
    problems: tuple[str, ...]
    """A sentence on each part that was not understood."""


def write_address(session: Session, data: Dataset, future: Future) -> dict[str, str]:
    """Return the parameters of the session's address; defaults are left out."""
    start = Session(session.recipe)
    usual = replace(start, rules=_default_rules(start.recipe, data.task, _has_moves(session)))
    out = {"data": session.recipe.name}
    params = [(name, value) for name, value in session.recipe.params if value is not None]
    out |= {
        name: (write_names if name in _LIST_PARAMETERS else write_value)(value)
        for name, value in params
    }
    return out | _texts(FIELDS, session, usual, future)


def _texts(
    names: Iterable[str], session: Session, usual: Session, future: Future
) -> dict[str, str]:
    """Return the texts of those fields in which the session differs from `usual`, by name."""
    out = {}
    for field in map(FIELDS.__getitem__, names):
        value = field.accessor.get(session)
        if value != field.accessor.get(usual):
            out[field.name] = field.write(value, session, future)
    return out


def read_address(params: FieldTexts, default: Recipe) -> AddressText:
    """Read the recipe of an address; it is `default` where no data are understood."""
    recipe, problems = _read_recipe(params, default)
    return AddressText(recipe, {name: params[name] for name in FIELDS if name in params}, problems)


def session_at(
    address: AddressText, data: Dataset, future: Future
) -> tuple[Session, tuple[str, ...]]:
    """Read the fields of an address, each as far as the data allow.

    Returns the session, and a sentence on each part that was not understood.
    """
    has_moves = any(field.name in address.texts for field in _MOVE_FIELDS)
    session = Session(address.recipe, _default_rules(address.recipe, data.task, has_moves))
    problems = address.problems
    trees: dict[Log, Tree] = {}
    policy, table = session.rules.missing, data
    for name in address.texts:
        if session.rules.missing != policy:
            policy, table = session.rules.missing, prepare_data(data, session.rules)
        draft = SessionDraft(session, address.texts, table, data, future, trees)
        session, unread = _with_field(FIELDS[name], draft)
        problems += unread
    return session, problems


def _has_moves(session: Session) -> bool:
    """True if the session's address has moves."""
    start = Session(session.recipe)
    return any(field.accessor.get(session) != field.accessor.get(start) for field in _MOVE_FIELDS)


def _default_rules(recipe: Recipe, task: Task, has_moves: bool) -> Rules:
    """Return the rules of an address that names none."""
    return default_rules(task) if has_moves else usual_rules(recipe, task)


def _with_field(field: Field[T], draft: SessionDraft) -> Reading[Session]:
    """Return the session of the draft with the value that its text has for a field."""
    text = draft.texts[field.name]
    try:
        value, problems = field.read(text, draft)
        return field.accessor.put(draft.session, value), problems
    except ValueError:
        return draft.session, (_refusal_text(field.name, text, draft.session.rules),)


def _refusal_text(name: str, text: str, rules: Rules) -> str:
    """Say in a sentence that a field cannot have this text; of a rule, also which value holds."""
    if name not in SETTINGS:
        return left_out_text([f"{name}={text}"])
    rule = f"{SETTINGS[name].title} cannot be {quoted_part(text)} here"
    return f"{rule}; {rule_phrase(rules, name)} is used"


# --- the recipe -----------------------------------------------------------------------------------


def _read_recipe(params: FieldTexts, default: Recipe) -> Reading[Recipe]:
    names = [
        k for k in params if k != "data" and k not in FIELDS and not k.startswith(_IGNORED_PREFIXES)
    ]
    if "data" not in params:
        return default, (left_out_text(names),) if names else ()
    try:
        origin = origin_of(Recipe(params["data"]))
    except DataError:
        problem = (
            f"This link asks for the data set {quoted_part(params['data'])}, which is not here"
        )
        return default, (f"{problem}; {title_of(default)} is shown",)
    return _complete_recipe(origin, {name: params[name] for name in names}, default)


def _complete_recipe(origin: Origin, texts: dict[str, str], default: Recipe) -> Reading[Recipe]:
    """Return the recipe without the values that its origin refuses; `default` if one is missing."""
    refused: list[str] = []
    while True:
        values = sorted((name, _read_value(origin, name, text)) for name, text in texts.items())
        recipe = Recipe(origin.name, tuple(values))
        try:
            complete, problems = origin.complete(recipe), origin.problems(recipe)
        except DataError as error:
            if error.parameter not in texts:
                problem = "This link does not say whole which data it means"
                return default, (f"{problem}; {title_of(default)} is shown",)
            refused.append(f"{error.parameter}={texts.pop(error.parameter)}")
        else:
            return complete, (*([left_out_text(refused)] if refused else ()), *problems)


def _read_value(origin: Origin, name: str, text: str) -> ParameterValue:
    """Return the value of a recipe's parameter."""
    value = origin.read(text)
    return split_names(value) if name in _LIST_PARAMETERS else value


# --- rules ----------------------------------------------------------------------------------------


def _rule(name: str, example: str, help: str) -> Field[Any]:
    def read(text: str) -> Any:
        return None if text == "None" else read_rule(name, text)

    return plain(name, example, help, attr(f"rules.{name}"), read, write_rule)


def _table_rule(name: str, example: str, help: str) -> Field[Any]:
    """Return the field of a rule whose values depend on the table, as the criterion's do."""

    def read(text: str, draft: SessionDraft) -> Reading[Any]:
        rules = draft.session.rules
        changed: dict[str, Any] = {name: read_rule(name, text)}
        try:
            check_rules(replace(rules, **changed), draft.data)
        except RulesError:
            return getattr(rules, name), (_refusal_text(name, text, rules),)
        return changed[name], ()

    return Field(
        name, example, help, attr(f"rules.{name}"), read, lambda value, *_: write_rule(value)
    )


# --- the selection --------------------------------------------------------------------------------


def _read_focus(text: str, draft: SessionDraft) -> Reading[int | None]:
    node, tree = read_node(text), draft.tree(draft.session.log)
    if node in tree.nodes:
        return splits.first_part_node(tree.splits, node), ()
    return None, (
        f"Node {clean(text, MAX_CHARACTERS_QUOTED)} is not in this tree; the next node is shown",
    )


def _read_cut(text: str, draft: SessionDraft) -> Reading[splits.Split | None]:
    cut = read_split(text)
    if "focus" in draft.texts and draft.session.focus is None:
        return None, ("The cut of this link was one of that node; the best cut is shown",)
    if splits.family_of(cut.projection).problem(cut.projection, draft.data):
        return None, ("The cut of this link is on no feature of this table; the best is shown",)
    return cut, ()


def _read_axes(text: str, draft: SessionDraft) -> Reading[tuple[int, int] | None]:
    match = match_whole(r"([0-9]{1,4})\.([0-9]{1,4})", text)
    axes = int(match[1]), int(match[2])
    if axes[0] == axes[1]:
        raise ValueError(text)
    if max(axes) >= len(draft.data.features):
        return None, ("The axes of this link are no features of this table; the usual are shown",)
    return axes, ()


def _read_pins(text: str, draft: SessionDraft) -> Reading[tuple[tuple[int, float], ...]]:
    pins: dict[int, float] = {}
    for word in text.split("_")[:MAX_PINS]:
        pin = _read_pin(word)
        if not may_pin(draft.data, *pin):
            problem = "The slice of this link is where no feature can be; the usual one is shown"
            return tuple(sorted(pins.items())), (problem,)
        pins[pin[0]] = pin[1]
    return tuple(sorted(pins.items())), ()


def _read_row(text: str, draft: SessionDraft) -> Reading[SelectedRow | None]:
    if re.fullmatch("[0-9]{1,9}", text):
        number = int(text)
        if may_show(draft.data, number):
            return number, ()
        return None, (f"Row {number:,} is not in this table of {draft.data.n:,} rows",)
    cells: dict[int, float] = {}
    for word in () if text == NO_VALUE else text.split("_")[: MAX_CELLS + 1]:
        cell = _read_pin(word)
        if len(cells) == MAX_CELLS or not may_pin(draft.data, *cell):
            problem = "The row of this link has values that none can have; they count as missing"
            return tuple(sorted(cells.items())), (problem,)
        cells[cell[0]] = cell[1]
    return tuple(sorted(cells.items())), ()


def _read_pin(word: str) -> tuple[int, float]:
    """Return the feature and the value of a word: '3.1.5' is value 1.5 of feature 3."""
    feature, _, value = word.partition(".")
    return int(match_whole("[0-9]{1,4}", feature)[0]), float(match_whole(NUMBER, value)[0])


def _row_text(row: SelectedRow, *_: object) -> str:
    return str(row) if isinstance(row, int) else _pins_text(row) or NO_VALUE


def _pins_text(pins: tuple[tuple[int, float], ...], *_: object) -> str:
    return "_".join(f"{feature}.{write_value(value)}" for feature, value in pins)


def _read_shown(text: str, draft: SessionDraft) -> Reading[int | None]:
    shown, shake = _read_integer(text), draft.session.shake
    if shown < (draft.data.n if ROW_SAMPLINGS[shake.way].leaves_one_out else shake.trees):
        return shown, ()
    return None, (f"Tree {shown:,} is not one of these; the full tree is shown",)


def _read_beside(text: str, draft: SessionDraft) -> Reading[ScreenSide]:
    """Read the side of the other screen, whose fields are one text: an address in an address."""
    if len(text) > 2 * MAX_PARAMETER_CHARS:
        raise ValueError(text)
    params = dict(parse_qsl(text, keep_blank_values=True, max_num_fields=len(FIELDS)))
    texts = {name: params[name] for name in SIDE_FIELDS if name in params}
    address = AddressText(draft.session.recipe, texts, ())
    session, problems = session_at(address, draft.full_data, draft.future)
    unknown = [name for name in params if name not in SIDE_FIELDS]
    if unknown:
        problems += (left_out_text(unknown),)
    return side_of(session), tuple(f"On the other screen: {problem}" for problem in problems)


def _beside_text(side: ScreenSide, session: Session, future: Future) -> str:
    values = {field.name: getattr(side, field.name) for field in fields(ScreenSide)}
    shown = replace(session, **values)
    rules = _default_rules(session.recipe, "classification", _has_moves(shown))
    usual = Session(session.recipe, Rules(order=rules.order))  # the order is that of either task
    texts = _texts(SIDE_FIELDS, shown, usual, future)
    return urlencode(texts, safe="[],:~", quote_via=quote)


def _read_hidden(text: str, _: SessionDraft) -> Reading[tuple[str, ...]]:
    names = dict.fromkeys(text.split(".")) if text else {}
    unknown = [name for name in names if name not in HIDEABLE]
    problems = (left_out_text(unknown),) if unknown else ()
    return tuple(sorted(names.keys() & HIDEABLE)), problems


def _read_say(text: str, _: SessionDraft) -> Reading[str]:
    long = len(clean(text, 2 * MAX_SAY_CHARS)) > MAX_SAY_CHARS
    problem = f"What this link says is cut short after {MAX_SAY_CHARS} characters"
    return clean(text, MAX_SAY_CHARS), (problem,) if long else ()


def _read_stop(text: str) -> int | None:
    return None if text == LEFT else _read_integer(text)


def _read_counts(text: str) -> ClassCounts:
    match_whole(r"[0-9]{1,3}(\.[0-9]{1,3})*", text)
    return tuple(map(int, text.split(".")))


def _counts_text(counts: ClassCounts) -> str:
    return ".".join(map(str, counts))


def _read_two_splits(text: str) -> TwoSplits:
    parent, first, second = text.split("_")
    return TwoSplits(_read_counts(parent), _read_counts(first), _read_counts(second))


def _read_folds(text: str) -> int:
    return LEAVE_ONE_OUT if text == "one_out" else _read_integer(text)


def _read_integer(text: str) -> int:
    return int(match_whole("[0-9]{1,9}", text)[0])


# --- the format, in the order it is read ----------------------------------------------------------

_RULE_FIELDS: tuple[Field[Any], ...] = (
    _table_rule("criterion", "gini", "The measure of a cut, of those that suit the task."),
    _rule("max_depth", "3", "No node is deeper."),
    _rule("min_samples_split", "5", "A node with fewer rows, or a smaller share, is a leaf."),
    _rule("min_samples_leaf", "2", "A cut leaves so many rows, or such a share, on each side."),
    _rule("min_weight_fraction_leaf", "0.1", "A cut leaves this share of the weight on each side."),
    _rule("max_leaf_nodes", "4", "There are no more leaves."),
    _rule("min_gain", "0.05", "A cut gains at least so much."),
    _rule("min_impurity_decrease", "0.01", "A cut lowers the tree's impurity by so much."),
    _rule("purity", "0.9", "A node whose commonest class has this share is a leaf."),
    _table_rule("max_p_value", "0.05", "A best cut has at most this p-value, by Bonferroni."),
    plain("order", "best", f"Which open node splits next; `{AUTO}`: as max_leaf_nodes has it.",
          attr("rules.order"), lambda text: None if text in (AUTO, "None") else text,
          lambda order: order or AUTO),
    _rule("stop_at_zero_gain", "True", "A node where no cut gains anything is a leaf."),
    _rule("ccp_alpha", "0.01", "Links as weak as this are pruned once the tree is grown."),
    _rule("missing", "surrogates", "Where rows go that lack the value a cut asks for."),
    _table_rule("families", "axis", "The kinds of split that compete, some that suit the table."),
    _table_rule("leaf_model", "majority", "What a leaf predicts, of what suits the task."),
)  # fmt: skip
_ALL_FIELDS: tuple[Field[Any], ...] = (
    *_RULE_FIELDS,
    LOG,
    UNDONE,
    BRANCHES,
    Field("focus", "1", "The node looked at.", attr("focus"), _read_focus, lambda k, *_: str(k)),
    Field("cut", "0.2.45", "The cut looked at: feature 0 at 2.45.",
          attr("cut"), _read_cut, lambda cut, *_: splits.address_text(cut)),
    Field("axes", "1.0", "The features drawn across and up.",
          attr("axes"), _read_axes, lambda axes, *_: f"{axes[0]}.{axes[1]}"),
    Field("slice", "2.4.5_3.1", "Features on no axis, and where they are pinned.",
          attr("pins"), _read_pins, _pins_text),
    Field("row", "0.4.5_1.3", "The row whose way is shown: its number, or its values.",
          attr("row"), _read_row, _row_text),
    Field("beside", "criterion=gini&log=a2", "What another screen beside it has of its own.",
          attr("beside"), _read_beside, _beside_text),
    plain("ask", "1", "The gains hide until a cut is chosen.",
          attr("ask"), lambda text: match_whole("[01]", text)[0] == "1", lambda ask: str(int(ask))),
    Field("hide", "settings.why", "The controls that are left out.",
          attr("hidden"), _read_hidden, lambda names, *_: ".".join(names)),
    Field("say", "Why x < 2?", "A line of narration.", attr("say"), _read_say, lambda say, *_: say),
    plain("tour", "first", f"At most {MAX_STOPS} addresses to be led through, or a tour's name.",
          attr("tour.stops"), read_stops, write_stops),
    plain("stop", "2", "Which of them is shown, from 0 on; `left` once the tour was left.",
          attr("tour.index"), _read_stop, lambda stop: LEFT if stop is None else str(stop)),
    plain("held_out", "0.5", "The share of the rows that is held out.",
          attr("judging.share"), lambda text: float(match_whole(NUMBER, text)[0]), write_value),
    plain("held_seed", "1", "The seed of their draw.", attr("judging.seed"), _read_integer),
    plain("folds", "one_out", "How many folds; `one_out` is one a row.",
          attr("judging.folds"), _read_folds,
          lambda n: "one_out" if n == LEAVE_ONE_OUT else str(n)),
    plain("against", "alpha", "The axis of the error curve.", attr("judging.against"), str),
    plain("measure", "log_loss", "The measure of the curve.", attr("judging.measure"), str),
    plain("called", "1", "The class of the panel Threshold, from 0 on.",
          attr("judging.called_class"), _read_integer),
    plain("threshold", "0.35", "The share from which a row is called that class.",
          attr("judging.threshold"), lambda text: float(match_whole(NUMBER, text)[0]), write_value),
    PRUNES,
    plain("percent", "50", "The share of the first of two classes, on Impurity.",
          attr("lab.percent"), _read_integer),
    plain("shares", "20.20.20", "Those of three classes, in sixtieths.",
          attr("lab.shares"), _read_counts, _counts_text),
    plain("impurity", "gini", "The impurity that is drawn over them.", attr("lab.impurity"), str),
    plain("splits", "5.2_4.2_4.1", "A node's rows of each class, and those two splits send left.",
          attr("lab.splits"), _read_two_splits,
          lambda two: "_".join(map(_counts_text, (two.parent, two.first, two.second)))),
    plain("opened", "gini", "The criterion whose arithmetic on both splits is shown.",
          attr("lab.opened"), str),
    plain("between", "entropy.gini", "The criteria whose disagreements are shown.",
          attr("lab.between"), lambda text: tuple(text.split(".")), ".".join),
    plain("ensemble", "bagging", "The kind of ensemble on Forest.", attr("plan.kind"), str),
    plain("trees", "50", "How many trees it has, or rounds.", attr("plan.trees"), _read_integer),
    plain("tries", "2", "How many features a node draws; the usual number if left out.",
          attr("plan.features"), _read_integer),
    plain("shrink", "0.1", "What of each round is added; the usual share if left out.",
          attr("plan.rate"), lambda text: float(match_whole(NUMBER, text)[0]), write_value),
    plain("grown_seed", "1", "The seed of what its trees draw.", attr("plan.seed"), _read_integer),
    plain("vary", "resample", "Which rows the trees of Stability are grown on.",
          attr("shake.way"), str),
    plain("vary_percent", "20", "How many percent of the rows are left out.",
          attr("shake.percent"), _read_integer),
    plain("vary_trees", "50", "How many trees are grown where rows are drawn.",
          attr("shake.trees"), _read_integer),
    plain("vary_seed", "1", "The seed of these draws.", attr("shake.seed"), _read_integer),
    Field("vary_shown", "3", "The tree looked at, or the row it is grown without, from 0 on.",
          attr("shake.shown"), _read_shown, lambda shown, *_: str(shown)),
)  # fmt: skip

_MOVE_FIELDS = (LOG, UNDONE, BRANCHES)
FIELDS: dict[str, Field[Any]] = {field.name: field for field in _ALL_FIELDS}
SIDE_FIELDS = (*(field.name for field in _RULE_FIELDS), "log", "undone", "focus", "cut")
"""Names of the fields that each of two screens side by side has for itself."""
