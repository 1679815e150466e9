"""Where the app listens, whom it answers, and what a class is told.

Glossary
    names    the hosts that are answered beside this machine's own: its address, a proxy's name
"""

from __future__ import annotations

import argparse
import io
import socket
import sys
from contextlib import suppress

from dtviz.cli.ends import UsageError

LOOPBACK = ("localhost", "127.0.0.1")
EVERYWHERE = ("", "0.0.0.0", "::")
MOST_QR = 400  # characters: a code of more fills the terminal
OPENS = (
    "Open to this network: whoever has the address sees the examples{file}, gives tables of their\n"
    "own (kept in memory, seen by nobody else), and takes this machine's time. Nothing is\n"
    "encrypted; README.md says how to put it behind TLS. Only this address is answered."
)


def host_of(args: argparse.Namespace) -> str:
    """The address to listen on: this machine's alone, unless more is asked for."""
    return "0.0.0.0" if args.share and args.host in LOOPBACK else str(args.host)


def names_of(args: argparse.Namespace) -> list[str]:
    """The names that are answered beside this machine's own; raises UsageError."""
    if args.name:
        return [args.name]
    if args.share:
        return [_address()]
    if args.host in EVERYWHERE:
        with suppress(UsageError):
            return [socket.gethostname(), _address()]
        return [socket.gethostname()]
    return [] if args.host in LOOPBACK else [args.host]


def _address() -> str:
    """This machine's address on its network; raises UsageError where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way one would go
            found = str(probe.getsockname()[0])
        except OSError:
            found = ""
    if not found or found.startswith("127."):
        raise UsageError("this machine is on no network; name it as the class calls it: --name")
    return found


def invitation(url: str, file: str | None) -> str:
    """What the one who shares reads: the class's address, for a camera too, and what is open."""
    code = _code(url) if len(url) <= MOST_QR else ""
    table = f" and {file}" if file else ""
    return f"For the class: {url}\n\n{code}{OPENS.format(file=table)}"


def _code(url: str) -> str:
    """The address as a QR code; '' where the terminal has no blocks to draw it with."""
    import segno

    picture = io.StringIO()
    segno.make(url, error="l", micro=False).terminal(picture, border=2, compact=True)
    text = picture.getvalue()
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return ""
    return f"{text}\n"
