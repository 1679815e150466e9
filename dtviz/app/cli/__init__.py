"""The command line: `dtviz` starts the app, `dtviz grow FILE --target NAME` prints a tree, and
`dtviz score FILE TABLE --target NAME` what it says of another table; both grow many trees too.

Streamlit is imported only to start the app: each command stays quick.
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
    add_grow_options,
    add_server_options,
    error_line,
    grow,
    score,
)
from dtviz.app.cli.serving import serve, start
from dtviz.explain.export import KINDS

COMMANDS = {"grow": grow, "score": score, "open": serve}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command in `argv`; the exit code: 0 done, 2 misused, 130 interrupted."""
    args = _parser().parse_args(argv)
    try:
        return COMMANDS.get(args.command, start)(args)
    except BrokenPipeError:
        # the reader of our output has gone: say no more, not even while Python closes down
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
    usual = {"port": PORT, "host": "localhost", "max_upload": None, "share": False}
    usual |= {"name": None, "frame": []}
    parser.set_defaults(**usual, no_browser=False, end_with_input=False)
    add_server_options(parser.add_argument)
    commands = parser.add_subparsers(dest="command", title="commands")
    cmd = commands.add_parser(
        "grow", help="print the tree, or the trees, of a table", description=grow.__doc__
    )
    add_grow_options(cmd.add_argument)
    cmd.add_argument(
        "--format", choices=KINDS, help="how a tree is printed (text), or many: python, json"
    )
    text = "print another table with its predictions"
    cmd = commands.add_parser("score", help=text, description=score.__doc__)
    add_grow_options(cmd.add_argument)
    cmd.add_argument("table", metavar="TABLE", help="the table whose rows are predicted")
    text = "start the app with a table"
    cmd = commands.add_parser("open", help=text, description=serve.__doc__)
    cmd.add_argument("file", metavar="FILE", help="a table: csv, tsv, Parquet, Excel, ...")
    options = cmd.add_mutually_exclusive_group(required=True)
    options.add_argument("--target", metavar="NAME", help="the column to predict")
    options.add_argument("--at", metavar="LINK", help="what a link on this table has behind its ?")
    add_server_options(cmd.add_argument)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("dtviz")
    except PackageNotFoundError:
        return "(not installed)"
