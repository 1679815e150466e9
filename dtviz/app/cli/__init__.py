"""The command line of dtviz.

`dtviz` starts the app, `dtviz open` starts it with a table, `dtviz grow` prints a tree, and `dtviz
score` prints another table with its predictions. Both also grow ensembles. Streamlit is imported
only to start the app, so that the other commands are quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from dtviz.app.cli.grow import (
    FAILED,
    MISUSED,
    PORT,
    add_engine_option,
    add_grow_options,
    add_server_options,
    error_line,
    grow,
    score,
)
from dtviz.app.cli.serving import serve, start
from dtviz.explain.export import TREE_KINDS

COMMANDS = {"grow": grow, "score": score, "open": serve}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv`, and return the exit code.

    It is 0 for done, 1 for an output that nobody reads, 2 for misuse, 130 for an interrupt.
    """
    args = _parser().parse_args(argv)
    try:
        return COMMANDS.get(args.command, start)(args)
    except BrokenPipeError:
        # nobody reads the output any more; Python would write the rest of it at its end, and fail
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (ValueError, OSError) as error:
        print(f"dtviz: {error_line(error)}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dtviz",
        description="Decision trees, one visible step at a time. Without a command: start the app.",
    )
    parser.add_argument("--version", action="version", version=f"dtviz {_version()}")
    defaults = {"port": PORT, "host": "localhost", "max_upload": None, "share": False}
    defaults |= {"name": None, "frame": []}
    parser.set_defaults(**defaults, no_browser=False, end_with_input=False)
    add_server_options(parser.add_argument)
    commands = parser.add_subparsers(dest="command", title="commands")
    command = commands.add_parser(
        "grow", help="print the tree, or the trees, of a table", description=grow.__doc__
    )
    add_grow_options(command.add_argument)
    command.add_argument(
        "--format", choices=TREE_KINDS, help="how a tree is printed (text), or many: python, json"
    )
    text = "print another table with its predictions"
    command = commands.add_parser("score", help=text, description=score.__doc__)
    add_grow_options(command.add_argument)
    command.add_argument("table", metavar="TABLE", help="the table whose rows are predicted")
    text = "start the app with a table"
    command = commands.add_parser("open", help=text, description=serve.__doc__)
    command.add_argument("file", metavar="FILE", help="a table: csv, tsv, Parquet, Excel, ...")
    add_engine_option(command.add_argument)
    options = command.add_mutually_exclusive_group(required=True)
    options.add_argument("--target", metavar="NAME", help="the column to predict")
    options.add_argument("--at", metavar="LINK", help="what a link on this table has behind its ?")
    # all trees of a fitted ensemble, which only `dtviz.explore` writes
    command.add_argument("--trees", help=argparse.SUPPRESS)
    add_server_options(command.add_argument)
    return parser


def _version() -> str:
    """Return the version of the installed package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dtviz")
    except PackageNotFoundError:
        return "(not installed)"
