"""Moves as the text of an address, and back: a3_5.0.2.45_c2_a9.

That is 3 automatic moves, a split of node 5 on feature 0 at 2.45, a collapse of node 2 and 9
automatic moves.

Glossary
    piece      a run of automatic moves (their number), or a move of your own
"""

from __future__ import annotations

import math
import re
from itertools import groupby

from dtviz.engine.problem import Problem
from dtviz.engine.splits import (
    GIVEN_LEFT,
    GIVEN_RIGHT,
    RIGHT,
    Split,
    address_text,
    projection_in,
)
from dtviz.engine.tree import Collapse, Grow, Log, Move, replay
from dtviz.screen.field import Draft, Field, Reading, at, matched, part
from dtviz.screen.session import (
    BRANCH_RUNS,
    MAX_BRANCHES,
    MAX_MOVES,
    MAX_RUNS,
    Future,
    Session,
    runs,
    with_branches,
)
from dtviz.table.values import MOST_TEXT, NUMBER

Piece = int | Move
Pieces = tuple[Piece, ...]


# --- words ----------------------------------------------------------------------------------------


def read_split(text: str) -> Split:
    """The split that has this `address_text`; raises ValueError."""
    word, _, limit = text.partition(".")
    side = {"l": GIVEN_LEFT, "r": GIVEN_RIGHT}.get(limit[-1:], RIGHT)
    limit = limit[:-1] if side.given else limit
    projection = projection_in(word)
    if projection is None or not math.isfinite(float(matched(NUMBER, limit)[0])):
        raise ValueError(text)
    return Split(projection, float(limit), side)


def read_node(text: str) -> int:
    """The number of a node; raises ValueError."""
    return int(matched("[1-9][0-9]{0,599}", text)[0])


def _piece_text(piece: Piece) -> str:
    match piece:
        case Grow(node, split):
            return f"{node}.{address_text(split)}"
        case Collapse(node):
            return f"c{node}"
        case _:
            return f"a{piece}"


def _read_piece(word: str) -> Piece:
    if re.fullmatch(r"a[0-9]{1,6}", word):
        return int(word[1:])
    if word.startswith("c"):
        return Collapse(read_node(word[1:]))
    node, _, split = word.partition(".")
    return Grow(read_node(node), read_split(split))


def moves_text(moves: Log) -> str:
    """Moves of your own as text: 1.0.2.45_3.1.1.75."""
    return _text(moves)


def read_moves(text: str) -> Log:
    """The moves of your own that have this text; raises ValueError for any other."""
    found = tuple(map(_read_piece, matched(f".{{1,{MOST_TEXT}}}", text)[0].split("_")))
    moves = tuple(one for one in found if not isinstance(one, int))
    if len(moves) < len(found):
        raise ValueError("it must hold no automatic moves")
    return moves


# --- time-lines -----------------------------------------------------------------------------------


def _text(pieces: Pieces) -> str:
    return "_".join(map(_piece_text, pieces))


def _read(they: str, text: str) -> Reading[Pieces]:
    """The moves of a whole parameter, and how they are called; '' has none."""
    text, problems = _bounded(they, text)
    pieces, unread = _read_pieces(they, text, MAX_RUNS) if text else ((), ())
    return pieces, problems + unread


def _bounded(they: str, text: str) -> Reading[str]:
    """At most MOST_TEXT characters of the text, without a last move cut in two."""
    if len(text) <= MOST_TEXT:
        return text, ()
    problem = f"{they} cut short: a link carries {MOST_TEXT:,} characters of them"
    return re.sub(r"[_~][^_~]*$", "", text[:MOST_TEXT]), (problem,)


def _read_pieces(they: str, text: str, most: int) -> Reading[Pieces]:
    """The moves of one time-line, with at most `most` runs of automatic ones."""
    out: list[Piece] = []
    for word in text.split("_"):
        try:
            piece = _read_piece(word)
        except ValueError:
            return tuple(out), (f"{they} cut short before {part(word)}, which is no move",)
        if isinstance(piece, int) and out and isinstance(out[-1], int):
            out[-1] += piece  # one run, so that the future is asked once
        elif len(out) >= 2 * most and isinstance(piece, int):
            return tuple(out), (f"{they} cut short: a link carries {most} runs of them",)
        elif len(out) == MAX_MOVES:
            return tuple(out), (f"{they} cut short: a link carries {MAX_MOVES:,} moves",)
        elif piece != 0:
            out.append(piece)
    return tuple(out), ()


def _played(they: str, before: Log, pieces: Pieces, draft: Draft) -> Reading[Log]:
    """The moves of these pieces after the log `before`, as far as they are possible."""
    log, tree = before, draft.tree(before)
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
            kept = len(log) - len(before)
            problems = [f"{they} cut short after {kept}: the next is not possible here"]
            break
    if short:
        problems.append(f"{they} cut short: {short}")
    draft.trees[log] = tree
    return log[len(before) :], tuple(problems)


# --- fields ---------------------------------------------------------------------------------------


def _read_log(they: str, before: Log, text: str, draft: Draft) -> Reading[Log]:
    pieces, unread = _read(they, text)
    log, unplayed = _played(they, before, pieces, draft)
    return log, unread + unplayed


def _read_branches(text: str, draft: Draft) -> Reading[tuple[Log, ...]]:
    """The time-line of each branch; one of which nothing is understood is left out."""
    text, problems = _bounded("The branches are", text)
    words = text.split("~") if text else []
    if len(words) > MAX_BRANCHES:
        problems += (f"The branches are cut short: a link carries {MAX_BRANCHES}",)
    branches = []
    for word in words[:MAX_BRANCHES]:
        pieces, unread = _read_pieces("A branch is", word, BRANCH_RUNS)
        log, unplayed = _played("A branch is", (), pieces, draft)
        problems += unread + unplayed
        if log or not (pieces or unread):
            branches.append(log)
    return with_branches(draft.session, branches, draft.future).branches, problems


def _branches_text(branches: tuple[Log, ...], session: Session, future: Future) -> str:
    each = [runs(session.rules, branch, future, BRANCH_RUNS) for branch in branches]
    return "~".join(_text(pieces) or "a0" for pieces in each)


def _read_prunes(text: str, _: Draft) -> Reading[Log]:
    pieces, problems = _read("The prunes are", text)
    prunes = tuple(piece for piece in pieces if isinstance(piece, Collapse))
    if len(prunes) < len(pieces):
        problems += ("What is no prune among the prunes of this link is left out",)
    return prunes, problems


LOG = Field(
    "log", "a2", "The moves made.", at("log"),
    lambda text, draft: _read_log("The moves are", (), text, draft),
    lambda log, session, future: _text(runs(session.rules, log, future)),
)  # fmt: skip
UNDONE = Field(
    "undone", "a1", "The moves stepped back over.", at("undone"),
    lambda text, draft: _read_log("The undone moves are", draft.session.log, text, draft),
    lambda log, session, future: _text(runs(session.rules, log, future, before=session.log)),
)  # fmt: skip
BRANCHES = Field(
    "branches", "a1_c1~a0", "Whole time-lines that were left, the newest last.",
    at("branches"), _read_branches, _branches_text,
)  # fmt: skip
PRUNES = Field(
    "prunes", "c5_c9", "The subtrees taken back on Overfit.",
    at("judging.prunes"), _read_prunes, lambda prunes, *_: _text(prunes),
)  # fmt: skip
