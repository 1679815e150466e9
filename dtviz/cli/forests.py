"""`--ensemble`: many trees in the place of one, their errors by how many, what features are worth.

The rows of the errors are the first few numbers of trees and the last; with rows held out for
validation, or else for a test, their error stands in a column of its own.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

import pandas as pd

from dtviz.cli.ends import UsageError
from dtviz.engine.ensembles import ENSEMBLES, Plan
from dtviz.engine.rules import Rules
from dtviz.ensemble import Forest, growing
from dtviz.judge.metrics import Score, score_by
from dtviz.model import Model
from dtviz.say.ensembles import KINDS
from dtviz.slices import Slices, finished
from dtviz.table.data import Dataset
from dtviz.table.held import purpose_of
from dtviz.text import clean, count

ASKED = ("trees", "max_features", "rate", "seed", "member")
SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
T = TypeVar("T")


def need_sense(args: argparse.Namespace) -> None:
    """Raises UsageError for what is asked of many trees without them, or of one among many."""
    for name in ASKED:
        if not args.ensemble and getattr(args, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is about many trees: say which by --ensemble")
    form = getattr(args, "format", None)
    if args.ensemble and args.member is None and form not in (None, *KINDS):
        able = " or ".join(KINDS)
        raise UsageError(
            f"--format {form} prints one tree: say which by --member, or ask for {able}"
        )


def grown(args: argparse.Namespace, data: Dataset, rules: Rules) -> Forest | Model:
    """The trees of a table, or that one of them which is asked for."""
    usual = Plan()
    plan = Plan(
        args.ensemble,
        usual.trees if args.trees is None else args.trees,
        args.max_features,
        args.rate,
        usual.seed if args.seed is None else args.seed,
    )
    found = _watched("growing", growing(data, rules, plan))
    if args.member is None:
        return found
    try:
        return found.model(args.member)
    except IndexError as error:
        raise UsageError(str(error)) from None


def told(forest: Forest) -> Iterator[str]:
    """What is printed of the trees, in parts as they are known."""
    data, score = forest.data, score_by(forest.data)
    yield f"{_title(forest)}\n"
    role = purpose_of(data)
    held = None if role is None else getattr(data, role)
    errors = _watched("judging", forest.judging(held))
    yield f"{_aligned(_errors(forest, errors, score, role))}\n"
    worth = _watched("permuting", forest.weighing())
    yield _aligned(_worth(worth, score))


def _title(forest: Forest) -> str:
    plan, kind, many = forest.ensemble.plan, ENSEMBLES[forest.ensemble.plan.kind], len(forest)
    said = [kind.title, count(many, "tree")]
    if kind.features is not None:
        every = len(forest.data.features)
        some = min(plan.features or kind.features(every), every)
        said.append(f"{some} of {count(every, 'feature')} a split")
    if kind.rate is not None:
        said.append(f"rate {plan.rate or kind.rate:g}")
    return ", ".join(said)


def _errors(
    forest: Forest, errors: pd.DataFrame, score: Score, role: str | None
) -> Iterator[Sequence[str]]:
    """The lines of the table of errors, its head first."""
    columns: list[tuple[str, pd.Series[float], pd.Series[float] | None]]
    columns = [("training", errors.training, None)]
    if not errors.out_of_bag.isna().all():
        columns.append(("out of bag", errors.out_of_bag, errors.band))
    if role is not None:
        columns.append((role, errors.held_out, errors.held_out_band))
    unit = "trees" if ENSEMBLES[forest.ensemble.plan.kind].rate is None else "rounds"
    yield unit, *(f"{name} {score.error}" for name, _, _ in columns)
    for many in sorted({*SHOWN, len(errors)} & {*errors.index}):
        yield (
            str(many),
            *(
                _spread(score, error[many], None if band is None else band[many])
                for _, error, band in columns
            ),
        )


def _worth(worth: pd.DataFrame, score: Score) -> Iterator[Sequence[str]]:
    """The lines of the table of features, those worth most first."""
    yield "feature", "impurity taken away", f"{score.error} once permuted"
    for name, (impurity, permutation, spread) in worth.sort_values(
        "impurity", ascending=False, kind="stable"
    ).iterrows():
        permuted = _spread(score, permutation, spread)
        yield clean(str(name)), f"{100 * impurity:.3g} %", f"+{permuted}".replace("+-", "-")


def _spread(score: Score, value: float, band: float | None) -> str:
    return score.text(value) + (f" ± {score.text(band)}" if band else "")


def _aligned(lines: Iterable[Sequence[str]]) -> str:
    """Columns of text side by side, the first to the left, the others to the right."""
    rows = [[cell.replace("\u00a0", " ") for cell in line] for line in lines]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([first.ljust(wide[0]), *map(str.rjust, others, wide[1:])])
        for first, *others in rows
    )


def _watched(doing: str, slices: Slices[T]) -> T:
    """What long work finds; how far it is stands on the screen meanwhile, if there is one."""
    if not sys.stderr.isatty():
        return finished(slices)
    try:
        while True:
            print(f"\r{doing}: {next(slices):.0%} ", end="", file=sys.stderr, flush=True)
    except StopIteration as last:
        found: T = last.value
        return found
    finally:
        print("\r" + " " * 20, end="\r", file=sys.stderr, flush=True)
