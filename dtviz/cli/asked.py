"""What a command may be asked: its options, and their texts as values."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any

from dtviz.engine.ensembles import ENSEMBLES
from dtviz.engine.leaf_models import LEAF_MODELS
from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import ORDERS

PORT = 8501


def add_server(add: Callable[..., Any]) -> None:
    """How the app is served; said before a command or after it, else what the parser has."""
    given = {"default": argparse.SUPPRESS}
    add("--port", type=_port, help=f"port to listen on ({PORT})", **given)
    where = "address to listen on (localhost: this machine only; 0.0.0.0: the whole network)"
    add("--host", help=where, **given)
    shares = "open it to this network, at one address that is told with a QR code"
    add("--share", action="store_true", help=shares, **given)
    named = "answer to this name too: that of a proxy in front, or what --share tells"
    add("--name", type=_host, metavar="NAME", help=named, **given)
    frames = "a site that may show the app in a frame, as https://moodle.school.example (none)"
    add("--frame", type=_site, action="append", metavar="SITE", help=frames, **given)
    add("--max-upload", type=_megabytes, metavar="MB", help="largest file (200)", **given)
    add("--no-browser", action="store_true", help="do not open a browser", **given)
    ends = "end once standard input does, as when the program that started it is gone"
    add("--end-with-input", action="store_true", help=ends, **given)


def add_grow(add: Callable[..., Any]) -> None:
    """The table that a tree is grown on, and its rules."""
    add("file", metavar="FILE", help="a table: csv, tsv, Parquet, Excel, ...")
    add("--target", required=True, metavar="NAME", help="the column to predict")
    add("--no-header", dest="header", action="store_false", help="the first line is data")
    add("--features", metavar="A,B", help="the columns to cut on (all numbers and categories)")
    add("--role", metavar="NAME", help="the column that says train, validation or test")
    add("--test", metavar="FILE", help="a table of test rows, with the same columns")
    add(
        "--types", type=_by_column, metavar="A=T,B=T",
        help="what columns are that were read as something else: number, category, date, "
        "day-first, month-first",
    )  # fmt: skip
    add("--sample-weight", metavar="NAME", help="the column that says what a row counts for")
    add(
        "--class-weight", type=_class_weight, metavar="A=2,B=1",
        help="what a row of each class counts for, or balanced",
    )  # fmt: skip
    add("--priors", type=_by_class, metavar="A=.9,B=.1", help="the classes' shares of the weight")
    add(
        "--costs", type=_by_mistake, metavar="A:B=5,B:A=2",
        help="what it costs to call a row of a class (A) another (B); 1 where none is said",
    )  # fmt: skip
    add(
        "--rare", type=int, metavar="N",
        help="put values of a category together that fewer rows have (none)",
    )  # fmt: skip
    add("--task", choices=("classification", "regression"), help="what the target is (inferred)")
    add("--criterion", metavar="NAME", help="measure of a cut (entropy, or squared_error)")
    add("--max-depth", type=int, metavar="N", help="levels below the root (no limit)")
    add(
        "--min-samples-split", type=_rows, default=2, metavar="N",
        help="rows a cut needs, or a share of all (2)",
    )  # fmt: skip
    add(
        "--min-samples-leaf", type=_rows, default=1, metavar="N",
        help="rows each side keeps, or a share of all (1)",
    )  # fmt: skip
    add(
        "--min-weight-fraction-leaf", type=float, default=0.0, metavar="W",
        help="share of the weight each side keeps (0)",
    )  # fmt: skip
    add("--max-leaf-nodes", type=int, metavar="N", help="leaves at most (no limit)")
    add("--min-gain", type=float, default=0.0, metavar="G", help="gain a cut must reach (0)")
    add(
        "--min-impurity-decrease", type=float, default=0.0, metavar="D",
        help="its gain, times the node's share of all rows, must reach this (0)",
    )  # fmt: skip
    add(
        "--missing", choices=tuple(POLICIES), default="learned",
        help="where rows without a value go (learned: the side with the higher gain)",
    )  # fmt: skip
    add(
        "--leaf-model", choices=tuple(LEAF_MODELS),
        help="what a leaf predicts (majority, or mean; median by absolute_error)",
    )  # fmt: skip
    add("--ccp-alpha", type=float, default=0.0, metavar="A", help="prune links this weak (0: none)")
    add("--order", choices=ORDERS, help="which open node is next (depth; best with a leaf limit)")
    add(
        "--families", default="axis,subset", metavar="A,B",
        help="kinds of cut that compete: axis, subset, onevsrest, oblique, radial (axis,subset)",
    )  # fmt: skip


def add_ensemble(add: Callable[..., Any]) -> None:
    """Many trees in the place of one; each of these is None where nothing was said."""
    add(
        "--ensemble", choices=tuple(ENSEMBLES),
        help="grow many trees that predict together; every rule above is for each of them",
    )  # fmt: skip
    add("--trees", type=int, metavar="N", help="how many, or how many rounds (100)")
    add(
        "--max-features", type=int, metavar="N",
        help="features a split tries, of a forest or extra trees (the square root of all)",
    )  # fmt: skip
    add(
        "--rate", type=float, metavar="R",
        help="what a round of boosting adds (1 of adaboost, 0.1 of gradient)",
    )  # fmt: skip
    add("--seed", type=int, metavar="N", help="equal seeds grow equal trees (0)")
    add("--member", type=int, metavar="K", help="only one of its trees, the first being 0")


def _rows(text: str) -> int | float:
    """A number of rows, or a share of them."""
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def _class_weight(text: str) -> str | dict[str, float]:
    """The word 'balanced', or numbers by class."""
    return text if text == "balanced" else _by_class(text)


def _by_class(text: str) -> dict[str, float]:
    """Numbers by class: 'a=2, b=0.5' -> {'a': 2, 'b': 0.5}."""
    parts = [part.rpartition("=") for part in names(text) or ()]
    return {label.strip(): float(value) for label, _, value in parts}


def _by_mistake(text: str) -> dict[str, dict[str, float]]:
    """Costs by class and the class it is called: 'a:b=5, b:a=2' -> {'a': {'b': 5}, 'b': {'a': 2}}.

    A class with a colon in its name cannot be said so.
    """
    found: dict[str, dict[str, float]] = {}
    for pair, cost in _by_class(text).items():
        label, other = map(str.strip, pair.split(":"))
        found.setdefault(label, {})[other] = cost
    return found


def _by_column(text: str) -> dict[str, str]:
    """Types by column: 'zip=category' -> {'zip': 'category'}."""
    parts = [part.rpartition("=") for part in names(text) or ()]
    return {name.strip(): kind.strip() for name, _, kind in parts}


def _port(text: str) -> int:
    """The port number in `text`; argparse turns the error into its own one line."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 65535; not {text!r}")
    return int(text)


def _host(text: str) -> str:
    """The name in `text`, without scheme and port."""
    if not re.fullmatch(r"[A-Za-z0-9.-]+", text):
        raise argparse.ArgumentTypeError(
            f"must be a name alone, as trees.school.example; not {text!r}"
        )
    return text.lower()


def _site(text: str) -> str:
    """The site in `text`, as a page may name it that is asked who may frame it."""
    if not re.fullmatch(r"https?://(\*\.)?[A-Za-z0-9.-]+(:\d+)?", text):
        raise argparse.ArgumentTypeError(
            f"must be a site, as https://moodle.school.example; not {text!r}"
        )
    return text


def _megabytes(text: str) -> int:
    """The size in `text`, to the bound of the reader."""
    if not text.isdecimal() or not 1 <= int(text) <= 200:
        raise argparse.ArgumentTypeError(f"must be a number of MB from 1 to 200; not {text!r}")
    return int(text)


def names(text: str | None) -> list[str] | None:
    """The names in a comma-separated list: 'a, b' -> ['a', 'b']; quotes keep a comma in a name."""
    if text is None:
        return None
    import csv

    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
