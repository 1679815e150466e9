"""A session as the parameters of an address, and back; any text at all is read, none raises.

    data=moons&n=200&noise=0.25&seed=7      the recipe: its name and parameters
    criterion=gini&max_depth=3              rules that differ from the default
    log=a3_5.0.2.45_c2_a9                   moves: 3 automatic ones, a split of node 5 on feature 0
                                            at 2.45, a collapse of node 2, 9 automatic ones
    undone=a2                               moves stepped back over
    branches=a4~a1_3.0.5.1_a2               whole time-lines that were left, the newest last
    focus=6&cut=0.2.45&axes=0.1             what is looked at
    ask=1&hide=settings.time-line&say=...   how it is shown: gains hidden until a cut is chosen,
                                            controls left out, a line of narration
    held_out=0.3&held_seed=1                the share of the rows held out on Overfit; their draw
    folds=10&against=alpha&prunes=c5_c9     folds (`one_out`: a row each), the curve's axis, prunes

Reading keeps the longest valid part and says, in one sentence each, what was not understood.
"""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import groupby
from typing import Any

from dtviz.engine.rules import Rules, RulesError, criterion_of, default_rules
from dtviz.engine.splits import Split, address_text, family_of
from dtviz.engine.tree import Collapse, Grow, Log, Tree, fold, replay
from dtviz.screen.session import BRANCH_RUNS, ONE_OUT, Future, Judging, Session, runs, with_branches
from dtviz.screen.url_read import Piece, Pieces, Read, read
from dtviz.table.data import Dataset
from dtviz.table.values import write_value
from dtviz.text import clean

__all__ = ["Read", "read", "resolve", "write"]


def write(session: Session, data: Dataset, future: Future) -> dict[str, str]:
    """The parameters of the session's address; what is at its default is left out."""
    out = {"data": session.recipe.name}
    out |= {k: write_value(v) for k, v in session.recipe.params if v is not None}
    usual = default_rules(data.task)
    for field in fields(Rules):
        value = getattr(session.rules, field.name)
        if value != getattr(usual, field.name):
            out[field.name] = write_value(value)
    return out | _moves(session, future) | _view(session) | _judging(session.judging)


def _moves(session: Session, future: Future) -> dict[str, str]:
    pieces = runs(session.rules, session.log + session.undone, future)
    log, undone = _cut_pieces(pieces, len(session.log))
    branches = [runs(session.rules, log, future, BRANCH_RUNS) for log in session.branches]
    texts = {
        "log": _pieces_text(log),
        "undone": _pieces_text(undone),
        "branches": "~".join(_pieces_text(branch) or "a0" for branch in branches),
    }
    return {name: text for name, text in texts.items() if text}


def _view(session: Session) -> dict[str, str]:
    focus, cut, axes = session.focus, session.cut, session.axes
    texts = {
        "focus": str(focus) if focus is not None else "",
        "cut": address_text(cut) if cut is not None else "",
        "axes": f"{axes[0]}.{axes[1]}" if axes is not None else "",
        "ask": "1" if session.ask else "",
        "hide": ".".join(session.hidden),
        "say": session.say,
    }
    return {name: text for name, text in texts.items() if text}


def _judging(judging: Judging) -> dict[str, str]:
    usual = Judging()
    values: dict[str, Any] = {
        "held_out": (judging.share, usual.share),
        "held_seed": (judging.seed, usual.seed),
        "folds": (judging.folds, usual.folds),
        "against": (judging.against, usual.against),
        "prunes": (_pieces_text(judging.prunes), ""),
    }
    texts = {name: write_value(value) for name, (value, other) in values.items() if value != other}
    return texts | ({"folds": "one_out"} if judging.folds == ONE_OUT else {})


def resolve(found: Read, data: Dataset, future: Future) -> tuple[Session, tuple[str, ...]]:
    """The session on its data: the longest part of what was read that the data allows."""
    problems = list(found.problems)
    rules = _rules_for(found.rules, data, problems)
    log, tree = _replay(data, rules, (), found.log, future, "`log`", problems)
    undone: Log = ()
    if len(found.undone):
        both, _ = _replay(data, rules, log, found.undone, future, "`undone`", problems)
        undone = both[len(log) :]
    branches = []
    for pieces in found.branches:
        branch, _ = _replay(data, rules, (), pieces, future, "`branches`: one", problems)
        if branch or not pieces:
            branches.append(branch)
    focus, cut, axes = _looked_at(found, data, tree, problems)
    moved = Session(found.recipe, rules, log, undone, focus, cut, axes)
    session = replace(
        moved, ask=found.ask, hidden=found.hidden, say=found.say, judging=found.judging
    )
    return with_branches(session, branches, future), tuple(problems)


def _looked_at(
    found: Read, data: Dataset, tree: Tree, problems: list[str]
) -> tuple[int | None, Split | None, tuple[int, int] | None]:
    """The focus, the cut and the axes, each None where there is no such thing."""
    focus, cut, axes = found.focus, found.cut, found.axes
    if focus is not None and focus not in tree.nodes:
        problems.append(
            f"`focus={clean(str(focus))}` is no node of this tree; the next node is shown"
        )
        focus, cut = None, None
    if cut is not None and family_of(cut.projection).problem(cut.projection, len(data.features)):
        problems.append("`cut` names a feature that does not exist; the best cut is shown")
        cut = None
    if axes is not None and max(axes) >= len(data.features):
        problems.append("`axes` names a feature that does not exist; the usual axes are shown")
        axes = None
    return focus, cut, axes


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


def _replay(
    data: Dataset,
    rules: Rules,
    log: Log,
    pieces: Pieces,
    future: Future,
    name: str,
    problems: list[str],
) -> tuple[Log, Tree]:
    """The log with the pieces put after it, as far as they are possible."""
    criterion = criterion_of(rules, data.task)
    tree, short = fold(data, criterion, log), ""
    for automatic, group in groupby(pieces, key=lambda piece: isinstance(piece, int)):
        together = tuple(group)
        wanted: Log = tuple(piece for piece in together if not isinstance(piece, int))
        if automatic:
            steps = sum(piece for piece in together if isinstance(piece, int))
            wanted = future(rules, log)[:steps]
            if len(wanted) < steps:
                short = short or f"asks for {steps} steps; the tree ends after {len(wanted)}"
        tree, error = replay(data, criterion, tree, wanted)
        log += wanted if error is None else wanted[: error.index]
        if error is not None:
            problems.append(f"{name} is kept up to move {len(log)}: {clean(str(error), 200)}")
            break
    if short:
        problems.append(f"{name} {short}")
    return log, tree


def _cut_pieces(pieces: Pieces, at: int) -> tuple[Pieces, Pieces]:
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


def _pieces_text(pieces: Pieces) -> str:
    return "_".join(_piece_text(piece) for piece in pieces)


def _piece_text(piece: Piece) -> str:
    match piece:
        case Grow(node, split):
            return f"{node}.{address_text(split)}"
        case Collapse(node):
            return f"c{node}"
        case _:
            return f"a{piece}"
