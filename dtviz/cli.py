"""The command line: `dtviz` starts the app, `dtviz grow FILE --target NAME` prints a tree, and
`dtviz score FILE TABLE --target NAME` what it says of another table.

Glossary
    home      the folder of app.py: inside the installed package, else the checkout
    options   streamlit's settings by dotted name, read from the home's .streamlit/config.toml

Streamlit is imported only to start the app, the engine only to grow: each command stays quick.
"""

from __future__ import annotations

import argparse
import errno
import os
import socket
import sys
import threading
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import streamlit as st

    from dtviz.model import Model
    from dtviz.table.data import Note

PORT = 8501
LOOPBACK = ("localhost", "127.0.0.1")
FORMATS = ("text", "json", "python", "sql", "dot")
ORDERS = ("depth", "breadth", "best")
MISSING = ("learned", "surrogates", "majority", "value", "drop")
LEAVES = ("majority", "least_cost", "shares", "logistic", "mean", "median", "linear")
OK, FAILED, MISUSED = 0, 1, 2


class UsageError(ValueError):
    """What was asked for cannot be done, and what can: one line for the user."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv`; the exit code: 0 done, 2 misused, 130 interrupted."""
    args = _parser().parse_args(argv)
    try:
        return COMMANDS.get(args.command, start)(args)
    except BrokenPipeError:
        return _quiet_pipe()
    except (ValueError, OSError) as error:
        print(f"dtviz: {_line(error)}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        return 130


# --- starting the app ---------------------------------------------------------------------------


def start(args: argparse.Namespace, at: str = "") -> int:
    """Serve the app until it is stopped; the browser is led to the parameters `at`."""
    folder = home()
    options = {**read_options(folder), **server_options(args.host, args.port)}
    if args.no_browser:
        options["server.headless"] = True
    if args.max_upload is not None:
        options["server.maxUploadSize"] = args.max_upload
    need_free_port(args.host, args.port)

    import streamlit as st
    from streamlit.runtime.pages_manager import PagesManager

    # app.py names the pages; without this, a first visit to /learn would find streamlit's
    # automatic menu of the folder pages/ instead (it is unset only by a first visit to /).
    PagesManager.uses_pages_directory = False
    with suppress(KeyboardInterrupt):
        app = st.App(folder / "app.py", lifespan=_announce(args.host, args.port, at))
        app.run(config=options)
    print()  # the server may have taken the Ctrl-C itself; either way the prompt gets its own line
    return OK


def home() -> Path:
    """The folder that holds app.py: the installed package's own, else the checkout's."""
    package = Path(__file__).resolve().parent
    for folder in (package / "_app", package.parent):
        if (folder / "app.py").is_file():
            return folder
    raise UsageError("app.py is not installed beside dtviz; install dtviz again with pip")


def read_options(folder: Path) -> dict[str, Any]:
    """The settings in the home's config.toml, by dotted name: {'server.port': 8501, ...}."""
    text = (folder / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text)))


def server_options(host: str, port: int) -> dict[str, Any]:
    """The settings that say where to listen, and to whom.

    On the loopback address only requests for that name are answered, so that no web page can
    reach the app through a name of its own (DNS rebinding).
    """
    return {
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": [*LOOPBACK] if host in LOOPBACK else [],
        "logger.hideWelcomeMessage": True,  # it asks an outside host for this machine's address
    }


def need_free_port(host: str, port: int) -> None:
    """Raise UsageError when nobody could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        if os.name != "nt":  # there it would let two servers share a port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise UsageError(_why_not(host, port, error)) from None


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return f"port {port} is already in use; choose another: dtviz --port {other}"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights this user lacks; choose one above 1023"
    return f"cannot listen on {host} port {port}: {_line(error)}"


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _announce(host: str, port: int, at: str) -> Any:
    """What to do once the server stands: print its address and open it, where there is a screen."""

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[None]:
        import streamlit as st

        url = f"http://{_name(host)}:{port}" + (f"/?{at}" if at else "")
        print(f"dtviz is at {url} (Ctrl-C stops it)", flush=True)
        threading.Thread(target=_warm_up, daemon=True).start()
        if not st.get_option("server.headless"):
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        yield

    return lifespan


def _warm_up() -> None:
    from dtviz.ui.warm import warm_up

    warm_up()


def _name(host: str) -> str:
    """The host as a browser on this machine calls it."""
    if host in ("", "0.0.0.0", "::", *LOOPBACK):
        return "localhost"
    return f"[{host}]" if ":" in host else host


# --- growing a tree -----------------------------------------------------------------------------


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


def serve(args: argparse.Namespace) -> int:
    """Start the app with a table that every tab has, grown on or at an address."""
    from urllib.parse import urlencode

    from dtviz.exploring import served
    from dtviz.table import uploads
    from dtviz.table.read import content_of

    content = content_of(args.file)
    mark = uploads.fingerprint(content)
    uploads.SERVED[mark] = served(content)
    if args.at is not None:
        return start(args, args.at)
    need_free_port(args.host, args.port)
    recipe = {"data": uploads.NAME, "sha": mark, "file": Path(args.file).name}
    task = _task(uploads.SERVED[mark][0], args.target)
    return start(args, urlencode({**recipe, "target": args.target, "task": task}))


def _task(frame: Any, target: str) -> str:
    """What a tree on this target does; raises ValueError where there is no such column."""
    from dtviz.table.held import from_frame

    return from_frame(frame, target).task


COMMANDS = {"grow": grow, "score": score, "open": serve}


def _grown(args: argparse.Namespace) -> Model:
    """The tree of a table."""
    import dtviz
    from dtviz.engine.criteria import default_criterion

    features = _names(args.features)
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


def _names(text: str | None) -> list[str] | None:
    """The names in a comma-separated list: 'a, b' -> ['a', 'b']; quotes keep a comma in a name."""
    if text is None:
        return None
    import csv

    return [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]


# --- words in and out ---------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtviz",
        description="Decision trees, one visible step at a time. Without a command: start the app.",
    )
    parser.add_argument("--version", action="version", version=f"dtviz {_version()}")
    parser.set_defaults(port=PORT, host="localhost", max_upload=None, no_browser=False)
    _add_server(parser.add_argument)
    commands = parser.add_subparsers(dest="command", title="commands")
    cmd = commands.add_parser("grow", help="print the tree of a table", description=grow.__doc__)
    _add_grow(cmd.add_argument)
    cmd.add_argument("--format", choices=FORMATS, default="text", help="what to print (text)")
    text = "print another table with its predictions"
    cmd = commands.add_parser("score", help=text, description=score.__doc__)
    _add_grow(cmd.add_argument)
    cmd.add_argument("table", metavar="TABLE", help="the table whose rows are predicted")
    text = "start the app with a table"
    cmd = commands.add_parser("open", help=text, description=serve.__doc__)
    cmd.add_argument("file", metavar="FILE", help="a table: csv, tsv, Parquet, Excel, ...")
    asked = cmd.add_mutually_exclusive_group(required=True)
    asked.add_argument("--target", metavar="NAME", help="the column to predict")
    asked.add_argument("--at", metavar="LINK", help="what a link on this table has behind its ?")
    _add_server(cmd.add_argument)
    return parser


def _add_server(add: Callable[..., Any]) -> None:
    """How the app is served; said before a command or after it, else what the parser has."""
    given = {"default": argparse.SUPPRESS}
    add("--port", type=_port, help=f"port to listen on ({PORT})", **given)
    where = "address to listen on (localhost: this machine only; 0.0.0.0: the whole network)"
    add("--host", help=where, **given)
    add("--max-upload", type=_megabytes, metavar="MB", help="largest file (200)", **given)
    add("--no-browser", action="store_true", help="do not open a browser", **given)


def _add_grow(add: Callable[..., Any]) -> None:
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
        "--missing", choices=MISSING, default="learned",
        help="where rows without a value go (learned: the side with the higher gain)",
    )  # fmt: skip
    add(
        "--leaf-model", choices=LEAVES,
        help="what a leaf predicts (majority, or mean; median by absolute_error)",
    )  # fmt: skip
    add("--ccp-alpha", type=float, default=0.0, metavar="A", help="prune links this weak (0: none)")
    add("--order", choices=ORDERS, help="which open node is next (depth; best with a leaf limit)")
    add(
        "--families", default="axis,subset", metavar="A,B",
        help="kinds of cut that compete: axis, subset, onevsrest (axis,subset)",
    )  # fmt: skip


def _rows(text: str) -> int | float:
    """A number of rows, or a share of them."""
    return int(text) if text.lstrip("+-").isdecimal() else float(text)


def _class_weight(text: str) -> str | dict[str, float]:
    """The word 'balanced', or numbers by class."""
    return text if text == "balanced" else _by_class(text)


def _by_class(text: str) -> dict[str, float]:
    """Numbers by class: 'a=2, b=0.5' -> {'a': 2, 'b': 0.5}."""
    parts = [part.rpartition("=") for part in _names(text) or ()]
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
    parts = [part.rpartition("=") for part in _names(text) or ()]
    return {name.strip(): kind.strip() for name, _, kind in parts}


def _port(text: str) -> int:
    """The port number in `text`; argparse turns the error into its own one line."""
    if not text.isdecimal() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"must be a number from 1 to 65535; not {text!r}")
    return int(text)


def _megabytes(text: str) -> int:
    """The size in `text`, to the bound of the reader."""
    if not text.isdecimal() or not 1 <= int(text) <= 200:
        raise argparse.ArgumentTypeError(f"must be a number of MB from 1 to 200; not {text!r}")
    return int(text)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dtviz")
    except PackageNotFoundError:
        return "(not installed)"


def _line(error: BaseException) -> str:
    """The error as one line."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return " ".join(str(error).split()) or type(error).__name__


def _quiet_pipe() -> int:
    """The reader of our output has gone: say no more, not even while Python closes down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED
