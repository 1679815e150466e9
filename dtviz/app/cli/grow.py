"""`dtviz grow` and `dtviz score`: the trees of a table, and what they predict for another."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any, TypeVar

import dtviz
from dtviz.base.lazy import pd
from dtviz.base.progress import Slices, run_to_end
from dtviz.base.text import clean, count
from dtviz.data.columns import as_types_of_test
from dtviz.data.csv import read_content
from dtviz.data.dataset import DataError, Dataset
from dtviz.data.notes import Note, summary
from dtviz.data.open_table import ALL_ROWS_NEEDED, is_engine_file, stays_in_engine
from dtviz.data.read_options import ReadOptions, checked_missing_values
from dtviz.data.read_table import read_file
from dtviz.data.table_engines import DUCKDB, check_engine, check_table_name
from dtviz.data.train_test import choosing_role
from dtviz.data.uploads import NEED_ALL_ROWS
from dtviz.data.worker import TooLargeError
from dtviz.engine.criteria.criteria import default_criterion
from dtviz.engine.ensembles import ENSEMBLES, Plan
from dtviz.engine.leaves.leaf_models import LEAF_MODELS
from dtviz.engine.rules import ORDERS, Rules
from dtviz.engine.search.missing import POLICIES
from dtviz.evaluate.metrics import Score, data_score
from dtviz.explain.export import ENSEMBLE_KINDS
from dtviz.models.forest import Forest, forest_in_slices
from dtviz.models.model import Model
from dtviz.models.steps import add_predictions, csv, prediction_notes

PORT = 8501
"""Port of the app if none is given."""


def add_server_options(add: Callable[..., Any]) -> None:
    """Add the options of the server, which may be given before or after a command."""
    # without SUPPRESS the default after the command would replace an option given before it
    default: dict[str, Any] = {"default": argparse.SUPPRESS}
    add("--port", type=_port, help=f"port to listen on ({PORT})", **default)
    host = "address to listen on (localhost: this machine only; 0.0.0.0: the whole network)"
    add("--host", help=host, **default)
    share = "open it to this network, at one address that is told with a QR code"
    add("--share", action="store_true", help=share, **default)
    name = "answer to this name too: that of a proxy in front, or what --share tells"
    add("--name", type=_host, metavar="NAME", help=name, **default)
    frame = "a site that may show the app in a frame, as https://moodle.school.example (none)"
    add("--frame", type=_site, action="append", metavar="SITE", help=frame, **default)
    add("--max-upload", type=_megabytes, metavar="MB", help="largest file (200)", **default)
    add("--no-browser", action="store_true", help="do not open a browser", **default)
    end = "end once standard input does, as when the program that started it is gone"
    add("--end-with-input", action="store_true", help=end, **default)


def add_engine_option(add: Callable[..., Any]) -> None:
    """Add the option of the engine in which the rows of a table stay."""
    text = (
        "where the rows stay, however many: duckdb, spark://host:7077, or "
        "postgresql://user@host/database, where FILE is the name of a table"
    )
    add("--engine", type=_engine, metavar="ENGINE", help=text)


def add_grow_options(add: Callable[..., Any]) -> None:
    """Add the arguments of growing: the table, the rules of trees, the options of an ensemble."""
    add("file", metavar="FILE", help="a table: csv, tsv, Parquet, Excel, ...")
    add("--target", required=True, metavar="NAME", help="the column to predict")
    add_engine_option(add)
    add("--no-header", dest="header", action="store_false", help="the first line is data")
    add("--features", metavar="A,B", help="the columns to cut on (all numbers and categories)")
    add("--role", metavar="NAME", help="the column that says train, validation or test")
    add("--test", metavar="FILE", help="a table of test rows, with the same columns")
    types = (
        "what columns are that were read as something else: number, category, date, "
        "day-first, month-first"
    )
    add("--types", type=_by_column, metavar="A=T,B=T", help=types)
    missing_words = (
        "words that mean a missing value, by column, in place of NA, ? and the like: age=-999, or "
        "continent= if every word is a value"
    )
    add("--missing-values", type=_words_by_column, metavar="A=W,B=W", help=missing_words)
    names_line = "the line that holds the names (found); 0: none does"
    add("--names-line", type=int, metavar="N", help=names_line)
    add("--encoding", default="", metavar="NAME", help="the encoding of a text (found)")
    add("--delimiter", default="", type=_delimiter, metavar="SIGN", help="the sign between cells")
    no_quotes = "a quote in a text is a letter like any other"
    add("--no-quotes", dest="quotes", action="store_false", help=no_quotes)
    part = "the table in a file of several: a sheet, a file in a zip archive, a list in JSON"
    add("--part", default="", metavar="NAME", help=part)
    add("--sample-weight", metavar="NAME", help="the column that says what a row counts for")
    weights = "what a row of each class counts for, or balanced"
    add("--class-weight", type=_class_weight, metavar="A=2,B=1", help=weights)
    add("--priors", type=_by_class, metavar="A=.9,B=.1", help="the classes' shares of the weight")
    costs = "what it costs to call a row of a class (A) another (B); 1 where none is said"
    add("--costs", type=_by_mistake, metavar="A:B=5,B:A=2", help=costs)
    rare = "put values of a category together that fewer rows have (none)"
    add("--rare", type=int, metavar="N", help=rare)
    add("--task", choices=("classification", "regression"), help="what the target is (inferred)")
    add("--criterion", metavar="NAME", help="measure of a cut (entropy, or squared_error)")
    add("--max-depth", type=int, metavar="N", help="levels below the root (no limit)")
    split = "rows a cut needs, or a share of all (2)"
    add("--min-samples-split", type=_rows, default=2, metavar="N", help=split)
    leaf = "rows each side keeps, or a share of all (1)"
    add("--min-samples-leaf", type=_rows, default=1, metavar="N", help=leaf)
    weight = "share of the weight each side keeps (0)"
    add("--min-weight-fraction-leaf", type=float, default=0.0, metavar="W", help=weight)
    add("--max-leaf-nodes", type=int, metavar="N", help="leaves at most (no limit)")
    add("--min-gain", type=float, default=0.0, metavar="G", help="gain a cut must reach (0)")
    decrease = "its gain, times the node's share of all rows, must reach this (0)"
    add("--min-impurity-decrease", type=float, default=0.0, metavar="D", help=decrease)
    chance = "p-value its best cut may have, by Bonferroni over all cuts of the node (1: any)"
    add("--max-p-value", type=float, default=1.0, metavar="P", help=chance)
    missing = "where rows without a value go (learned: the side with the higher gain)"
    add("--missing", choices=tuple(POLICIES), default="learned", help=missing)
    model = "what a leaf predicts (majority, or mean; median by absolute_error)"
    add("--leaf-model", choices=tuple(LEAF_MODELS), help=model)
    add("--ccp-alpha", type=float, default=0.0, metavar="A", help="prune links this weak (0: none)")
    add("--order", choices=ORDERS, help="which open node is next (depth; best with a leaf limit)")
    families = "kinds of cut: axis, subset, onevsrest, multiway, oblique, radial (axis,subset)"
    add("--families", default="axis,subset", metavar="A,B", help=families)

    # options of an ensemble; each is None where it is not given
    ensemble = "grow many trees that predict together; every rule above is for each of them"
    add("--ensemble", choices=tuple(ENSEMBLES), help=ensemble)
    add("--trees", type=int, metavar="N", help="how many, or how many rounds (100)")
    features = "features a split tries, of a forest or extra trees (the square root of all)"
    add("--max-features", type=int, metavar="N", help=features)
    rate = "what a round of boosting adds (1 of adaboost, 0.1 of gradient)"
    add("--rate", type=float, metavar="R", help=rate)
    add("--seed", type=int, metavar="N", help="equal seeds grow equal trees (0)")
    add("--member", type=int, metavar="K", help="only one of its trees, the first being 0")


def _words_by_column(text: str) -> dict[str, list[str]]:
    """Words by column in `text`: 'a=-999, a=., b=' -> {'a': ['-999', '.'], 'b': []}."""
    words: dict[str, list[str]] = {}
    for part in text.split(","):
        name, sign, word = part.strip().rpartition("=")
        if not sign or not name:
            raise ValueError
        words.setdefault(name, []).extend([word] if word else [])
    return words


def _delimiter(text: str) -> str:
    """The sign in `text`, in which a shell can hardly write a tab."""
    return "\t" if text in ("\\t", "tab") else text


def _rows(text: str) -> int | float:
    """Number of rows in `text`, or share of all rows."""
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def _class_weight(text: str) -> str | dict[str, float]:
    """Class weights in `text`: the word 'balanced', or numbers by class."""
    return text if text == "balanced" else _by_class(text)


def _by_class(text: str) -> dict[str, float]:
    """Numbers by class in `text`: 'a=2, b=0.5' -> {'a': 2, 'b': 0.5}."""
    return {label: float(value) for label, value in _by_column(text).items()}


def _by_mistake(text: str) -> dict[str, dict[str, float]]:
    """Costs by class and predicted class: 'a:b=5, b:a=2' -> {'a': {'b': 5}, 'b': {'a': 2}}.

    A class with a colon in its name cannot be given.
    """
    costs: dict[str, dict[str, float]] = {}
    for pair, cost in _by_class(text).items():
        label, other = map(str.strip, pair.split(":"))
        costs.setdefault(label, {})[other] = cost
    return costs


def _by_column(text: str) -> dict[str, str]:
    """Values by column or class, as text: 'zip=category' -> {'zip': 'category'}."""
    parts = [part.rpartition("=") for part in names_in(text) or ()]
    return {name.strip(): kind.strip() for name, _, kind in parts}


def _engine(text: str) -> str:
    """Engine in `text`; the error does not show it, since it may hold a password."""
    try:
        return check_engine(text)
    except DataError as error:
        raise argparse.ArgumentTypeError(str(error).replace("`engine` must", "must")) from None


def _port(text: str) -> int:
    """Port number in `text`; argparse prints the error in its own line."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 65535; not {text!r}")
    return int(text)


def _host(text: str) -> str:
    """Name of a host in `text`, which has no scheme and no port."""
    if not re.fullmatch(r"[A-Za-z0-9.-]+", text):
        raise argparse.ArgumentTypeError(
            f"must be a name alone, as trees.school.example; not {text!r}"
        )
    return text.lower()


def _site(text: str) -> str:
    """Site in `text`, in the form of a content security policy."""
    if not re.fullmatch(r"https?://(\*\.)?[A-Za-z0-9.-]+(:\d+)?", text):
        raise argparse.ArgumentTypeError(
            f"must be a site, as https://moodle.school.example; not {text!r}"
        )
    return text


def _megabytes(text: str) -> int:
    """Size in MB in `text`, at most what the reader of tables accepts."""
    if not text.isdecimal() or not 1 <= int(text) <= 200:
        raise argparse.ArgumentTypeError(f"must be a number of MB from 1 to 200; not {text!r}")
    return int(text)


def names_in(text: str | None) -> list[str] | None:
    """Names in a list with commas: 'a, b' -> ['a', 'b']; a name in quotes may have commas."""
    if text is None:
        return None
    import csv

    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


OK, FAILED, MISUSED = 0, 1, 2  # exit codes


class UsageError(ValueError):
    """Raised for options that exclude each other; the text says in one line what can be done."""


def error_line(error: BaseException) -> str:
    """Return the text of an error in one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__


ENSEMBLE_OPTIONS = ("trees", "max_features", "rate", "seed", "member")
ROUNDS_SHOWN = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000)
T = TypeVar("T")


def check_ensemble_options(args: argparse.Namespace) -> None:
    """Raise UsageError for options of an ensemble without one, or of one tree with an ensemble."""
    for name in ENSEMBLE_OPTIONS:
        if not args.ensemble and getattr(args, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(f"{option} is about many trees: say which by --ensemble")
    format_name = getattr(args, "format", None)
    if args.ensemble and args.member is None and format_name not in (None, *ENSEMBLE_KINDS):
        formats = " or ".join(ENSEMBLE_KINDS)
        raise UsageError(
            f"--format {format_name} prints one tree: say which by --member, or ask for {formats}"
        )


def grow_ensemble(args: argparse.Namespace, data: Dataset, rules: Rules) -> Forest | Model:
    """Grow the ensemble of a table; return it, or its member if the options name one."""
    defaults = Plan()
    plan = Plan(
        args.ensemble,
        defaults.trees if args.trees is None else args.trees,
        args.max_features,
        args.rate,
        defaults.seed if args.seed is None else args.seed,
    )
    forest = _run_with_progress("growing", forest_in_slices(data, rules, plan))
    if args.member is None:
        return forest
    try:
        return forest.model(args.member)
    except IndexError as error:
        raise UsageError(str(error)) from None


def forest_report(forest: Forest) -> Iterator[str]:
    """Yield the texts that are printed about an ensemble, each once it is computed."""
    data, score = forest.data, data_score(forest.data)
    yield f"{_title(forest)}\n"
    role = choosing_role(data)
    held = None if role is None else getattr(data, role)
    errors = _run_with_progress("judging", forest.errors_in_slices(held))
    yield f"{_aligned(_error_lines(forest, errors, score, role))}\n"
    importances = _run_with_progress("permuting", forest.importances_in_slices())
    yield _aligned(_importance_lines(importances, score))


def _title(forest: Forest) -> str:
    """Return the kind of an ensemble and its plan in words."""
    plan, kind = forest.ensemble.plan, ENSEMBLES[forest.ensemble.plan.kind]
    parts = [kind.title, count(len(forest), "tree")]
    if kind.features is not None:
        n_features = len(forest.data.features)
        n_drawn = min(plan.features or kind.features(n_features), n_features)
        parts.append(f"{n_drawn} of {count(n_features, 'feature')} a split")
    if kind.rate is not None:
        parts.append(f"rate {plan.rate or kind.rate:g}")
    return ", ".join(parts)


def _error_lines(
    forest: Forest, errors: pd.DataFrame, score: Score, role: str | None
) -> Iterator[Sequence[str]]:
    """Yield the lines of the table of errors by number of trees or rounds, the head first."""
    columns: list[tuple[str, pd.Series[float], pd.Series[float] | None]]
    columns = [("training", errors.training, None)]
    if not errors.out_of_bag.isna().all():
        columns.append(("out of bag", errors.out_of_bag, errors.band))
    if role is not None:
        columns.append((role, errors.held_out, errors.held_out_band))
    unit = "trees" if ENSEMBLES[forest.ensemble.plan.kind].rate is None else "rounds"
    yield unit, *(f"{name} {score.error}" for name, _, _ in columns)
    for n in sorted({*ROUNDS_SHOWN, len(errors)} & {*errors.index}):
        yield (
            str(n),
            *(
                _value_text(score, error[n], None if band is None else band[n])
                for _, error, band in columns
            ),
        )


def _importance_lines(importances: pd.DataFrame, score: Score) -> Iterator[Sequence[str]]:
    """Yield the lines of the table of importances, the head first, then the largest importance."""
    yield "feature", "impurity taken away", f"{score.error} once permuted"
    for name, (impurity, permutation, spread) in importances.sort_values(
        "impurity", ascending=False, kind="stable"
    ).iterrows():
        permuted = _value_text(score, permutation, spread)
        yield clean(str(name)), f"{100 * impurity:.3g} %", f"+{permuted}".replace("+-", "-")


def _value_text(score: Score, value: float, band: float | None) -> str:
    return score.text(value) + (f" ± {score.text(band)}" if band else "")


def _aligned(lines: Iterable[Sequence[str]]) -> str:
    """Return lines of cells as text, the first column aligned left, the others right."""
    rows = [[cell.replace("\u00a0", " ") for cell in line] for line in lines]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])])
        for first, *others in rows
    )


def _run_with_progress(title: str, slices: Slices[T]) -> T:
    """Run long work and return its result; a terminal shows meanwhile which share is done."""
    if not sys.stderr.isatty():
        return run_to_end(slices)
    try:
        while True:
            print(f"\r{title}: {next(slices):.0%} ", end="", file=sys.stderr, flush=True)
    except StopIteration as last:
        result: T = last.value
        return result
    finally:
        print("\r" + " " * 20, end="\r", file=sys.stderr, flush=True)


def grow(args: argparse.Namespace) -> int:
    """Print the tree of a table, or what many trees are worth; what was noted goes to stderr."""
    check_ensemble_options(args)
    model = _grow_model(args)
    if isinstance(model, Forest) and args.format is None:
        for text in forest_report(model):
            print(text, flush=True)
    else:
        print(model.export(args.format or "text").rstrip("\n"), flush=True)
    _print_metrics(model)
    return OK


def score(args: argparse.Namespace) -> int:
    """Print another table as CSV with what the trees of the first say of each row."""
    check_ensemble_options(args)
    model = _grow_model(args)
    frame, notes = read_file(read_content(args.table), options=_read_options(args), isolated=True)
    frame = as_types_of_test(frame, args.types)
    _print_notes((*notes, *prediction_notes(model, frame)))
    print(csv(add_predictions(model, frame)), end="", flush=True)
    return OK


def _read_options(args: argparse.Namespace) -> ReadOptions:
    """Return the options of reading, for a table to predict."""
    return ReadOptions(
        args.names_line if args.header else 0,
        args.encoding,
        args.delimiter,
        args.quotes,
        args.part,
        tuple(sorted((args.types or {}).items())),
        checked_missing_values(args.missing_values),
    )


def _grow_model(args: argparse.Namespace) -> Model | Forest:
    """Grow the tree of a table, or the ensemble or its member that the options name."""
    data = _read_dataset(args)
    rules = _rules_from(args, data)
    model = grow_ensemble(args, data, rules) if args.ensemble else dtviz.fit(data, rules)
    _print_notes(model.data.notes)
    return model


def is_in_engine(args: argparse.Namespace) -> bool:
    """True if the table of the options stays in its engine; tells so where nobody asked for it."""
    check_table_name(args.file)
    if args.engine is None and stays_in_engine(args.file):
        print(f"{args.file} is read by DuckDB, where its rows stay", file=sys.stderr)
        return True
    return args.engine is not None


def engine_of(args: argparse.Namespace) -> str:
    """The engine of the options; DuckDB where they name none."""
    return args.engine or DUCKDB


def opened_instead(args: argparse.Namespace, error: TooLargeError) -> bool:
    """True if DuckDB can open a file that is too large to be read; tells so."""
    if not (getattr(args, "header", True) and is_engine_file(args.file)):
        return False
    print(
        f"{args.file} is too large to be read into memory ({error_line(error)}): DuckDB reads it, "
        "where its rows stay",
        file=sys.stderr,
    )
    return True


def _read_dataset(args: argparse.Namespace) -> Dataset:
    """Read the dataset of the options: training rows, and those held out."""
    if is_in_engine(args):
        return _open_dataset(args)
    try:
        return _read_dataset_in_memory(args)
    except TooLargeError as error:
        if not opened_instead(args, error):
            raise
    return _open_dataset(args)


def _open_dataset(args: argparse.Namespace) -> Dataset:
    """Open the table of the options in its engine."""
    for name in NEED_ALL_ROWS:
        if getattr(args, name) is not None:
            option = f"--{name.replace('_', '-')}"
            raise UsageError(ALL_ROWS_NEEDED.format(option=option))
    if not args.header:
        raise UsageError(ALL_ROWS_NEEDED.format(option="--no-header"))
    return dtviz.from_table(
        args.file,
        args.target,
        names_in(args.features),
        args.task,
        args.sample_weight,
        engine=engine_of(args),
    )


def _read_dataset_in_memory(args: argparse.Namespace) -> Dataset:
    data = dtviz.read_table(
        args.file,
        args.target,
        names_in(args.features),
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
        missing_values=args.missing_values,
        names_line=args.names_line,
        encoding=args.encoding,
        delimiter=args.delimiter,
        quotes=args.quotes,
        part=args.part,
    )
    return data if args.rare is None else dtviz.group_rare(data, args.rare)


def _rules_from(args: argparse.Namespace, data: Dataset) -> Rules:
    """Return the rules in the options."""
    options = {rule.name: vars(args)[rule.name] for rule in fields(Rules) if rule.name in args}
    criterion = args.criterion or default_criterion(data.task)
    families = tuple(args.families.split(","))
    return Rules(**options | {"criterion": criterion, "families": families})


def _print_notes(notes: Sequence[Note]) -> None:
    """Print the notes about a table."""
    for line in summary(notes):
        print(f"note: {line}", file=sys.stderr)


def _print_metrics(model: Model | Forest) -> None:
    """Print the metrics on the validation rows and the test rows, if there are any."""
    metric = "accuracy" if model.data.classes else "R^2"
    for role in ("validation", "test"):
        rows = getattr(model.data, role)
        if rows is not None:
            rows_text = f"on {count(rows.n, f'{role} row')}"
            print(f"{metric} {rows_text}: {model.score(rows):.4g}", file=sys.stderr)
            if not isinstance(model, Model):
                continue
            if model.tree.leaf_model.proba is not None:
                print(f"log loss {rows_text}: {model.log_loss(rows):.4g}", file=sys.stderr)
                print(f"Brier score {rows_text}: {model.brier(rows):.4g}", file=sys.stderr)
            if rows.costs is not None:
                print(f"cost a row {rows_text}: {model.cost(rows):.4g}", file=sys.stderr)
