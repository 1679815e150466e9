"""`dtviz grow` and `dtviz score`: the trees of a table, and what they say of another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import dtviz
from dtviz.cli import forests
from dtviz.cli.asked import names
from dtviz.cli.ends import OK
from dtviz.engine.criteria import default_criterion
from dtviz.ensemble import Forest
from dtviz.model import Model
from dtviz.scored import csv, problems, scored
from dtviz.table.data import Dataset
from dtviz.table.files import read_file
from dtviz.table.notes import Note, summary
from dtviz.table.read import content_of
from dtviz.table.retype import as_alike
from dtviz.text import count


def grow(args: argparse.Namespace) -> int:
    """Print the tree of a table, or what many trees are worth; what was noted goes to stderr."""
    forests.need_sense(args)
    model = _grown(args)
    if isinstance(model, Forest) and args.format is None:
        for text in forests.told(model):
            print(text, flush=True)
    else:
        print(model.export(args.format or "text").rstrip("\n"), flush=True)
    _judge(model)
    return OK


def score(args: argparse.Namespace) -> int:
    """Print another table as CSV with what the trees of the first say of each row."""
    forests.need_sense(args)
    model = _grown(args)
    frame, notes = read_file(content_of(args.table), header=args.header, isolated=True)
    frame = as_alike(frame, args.types)
    _tell((*notes, *problems(model, frame)))
    print(csv(scored(model, frame)), end="", flush=True)
    return OK


def _grown(args: argparse.Namespace) -> Model | Forest:
    """The tree of a table; many trees, or one of these, where they are asked for."""
    data = _table(args)
    rules = _rules(args, data)
    model = forests.grown(args, data, rules) if args.ensemble else dtviz.fit(data, rules)
    _tell(model.data.notes)
    return model


def _table(args: argparse.Namespace) -> Dataset:
    """The rows to grow on, and those held out."""
    data = dtviz.read_table(
        args.file,
        args.target,
        names(args.features),
        args.task,
        args.sample_weight,
        args.class_weight,
        args.priors,
        args.header,
        args.role,
        args.test,
        args.types,
        args.costs,
        isolated=True,
    )
    return data if args.rare is None else dtviz.group_rare(data, args.rare)


def _rules(args: argparse.Namespace, data: Dataset) -> dtviz.Rules:
    return dtviz.Rules(
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


def _tell(notes: Sequence[Note]) -> None:
    """Say what was noted of a table."""
    for line in summary(notes):
        print(f"note: {line}", file=sys.stderr)


def _judge(model: Model | Forest) -> None:
    """Say how good it is on the rows held out."""
    measure = "accuracy" if model.data.classes else "R^2"
    for role in ("validation", "test"):
        rows = getattr(model.data, role)
        if rows is not None:
            where = f"on {count(rows.n, f'{role} row')}"
            print(f"{measure} {where}: {model.score(rows):.4g}", file=sys.stderr)
            if not isinstance(model, Model):
                continue
            if model.tree.leaf_model.proba is not None:
                print(f"log loss {where}: {model.log_loss(rows):.4g}", file=sys.stderr)
                print(f"Brier score {where}: {model.brier(rows):.4g}", file=sys.stderr)
            if rows.costs is not None:
                print(f"cost a row {where}: {model.cost(rows):.4g}", file=sys.stderr)
