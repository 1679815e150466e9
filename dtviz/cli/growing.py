"""`dtviz grow` and `dtviz score`: the tree of a table, and what it says of another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from dtviz.cli.asked import names
from dtviz.cli.ends import OK

if TYPE_CHECKING:
    from dtviz.model import Model
    from dtviz.table.data import Note


def grow(args: argparse.Namespace) -> int:
    """Print the tree of a table in the format asked for; what the reader noted goes to stderr."""
    model = _grown(args)
    print(model.export(args.format).rstrip("\n"), flush=True)
    _judge(model)
    return OK


def score(args: argparse.Namespace) -> int:
    """Print another table as CSV with what the tree of the first says of each row."""
    from dtviz.scored import csv, problems, scored
    from dtviz.table.files import read_file
    from dtviz.table.read import content_of
    from dtviz.table.retype import as_alike

    model = _grown(args)
    frame, notes = read_file(content_of(args.table), header=args.header)
    frame = as_alike(frame, args.types)
    _tell((*notes, *problems(model, frame)))
    print(csv(scored(model, frame)), end="", flush=True)
    return OK


def _grown(args: argparse.Namespace) -> Model:
    """The tree of a table."""
    import dtviz
    from dtviz.engine.criteria import default_criterion

    features = names(args.features)
    data = dtviz.read_table(
        args.file,
        args.target,
        features,
        args.task,
        args.sample_weight,
        args.class_weight,
        args.priors,
        args.header,
        args.role,
        args.test,
        args.types,
        args.costs,
    )
    if args.rare is not None:
        data = dtviz.group_rare(data, args.rare)
    rules = dtviz.Rules(
        criterion=args.criterion or default_criterion(data.task),
        max_depth=args.max_depth,
        ccp_alpha=args.ccp_alpha,
        min_samples_split=args.min_samples_split,
        min_samples_leaf=args.min_samples_leaf,
        min_weight_fraction_leaf=args.min_weight_fraction_leaf,
        max_leaf_nodes=args.max_leaf_nodes,
        min_gain=args.min_gain,
        min_impurity_decrease=args.min_impurity_decrease,
        order=args.order,
        families=tuple(args.families.split(",")),
        missing=args.missing,
        leaf_model=args.leaf_model,
    )
    model = dtviz.fit(data, rules)
    _tell(model.data.notes)
    return model


def _tell(notes: Sequence[Note]) -> None:
    """Say what was noted of a table."""
    from dtviz.table.data import summary

    for line in summary(notes):
        print(f"note: {line}", file=sys.stderr)


def _judge(model: Model) -> None:
    """Say how good the tree is on the rows held out."""
    from dtviz.text import count

    measure = "accuracy" if model.data.classes else "R^2"
    for role in ("validation", "test"):
        rows = getattr(model.data, role)
        if rows is not None:
            where = f"on {count(rows.n, f'{role} row')}"
            print(f"{measure} {where}: {model.score(rows):.4g}", file=sys.stderr)
            if model.tree.leaf_model.proba is not None:
                print(f"log loss {where}: {model.log_loss(rows):.4g}", file=sys.stderr)
                print(f"Brier score {where}: {model.brier(rows):.4g}", file=sys.stderr)
            if rows.costs is not None:
                print(f"cost a row {where}: {model.cost(rows):.4g}", file=sys.stderr)
