"""`dtviz` and `dtviz open`: the app, with or without a table.

Streamlit is imported only to start the app.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import signal
import socket
import sys
import threading
import time
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtviz.app.cli.grow import OK, UsageError, line_of

if TYPE_CHECKING:
    import streamlit as st


LOOPBACK = ("localhost", "127.0.0.1")
ALL_INTERFACES = ("", "0.0.0.0", "::")
MAX_QR_CHARACTERS = 400  # characters: a code of more fills the terminal
NETWORK_NOTICE = (
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
    if args.host in ALL_INTERFACES:
        with suppress(UsageError):
            return [socket.gethostname(), _address()]
        return [socket.gethostname()]
    return [] if args.host in LOOPBACK else [args.host]


def _address() -> str:
    """This machine's address on its network; raises UsageError where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way one would go
            address = str(probe.getsockname()[0])
        except OSError:
            address = ""
    if not address or address.startswith("127."):
        raise UsageError("this machine is on no network; name it as the class calls it: --name")
    return address


def invitation(url: str, file: str | None) -> str:
    """Return the notice for the user who shares the app: its address, a QR code, what is open."""
    code = _code(url) if len(url) <= MAX_QR_CHARACTERS else ""
    table = f" and {file}" if file else ""
    return f"For the class: {url}\n\n{code}{NETWORK_NOTICE.format(file=table)}"


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


MAX_SECONDS_TO_END = 10.0  # seconds for a server to end in
PING_SECONDS = 30  # seconds between two signs of life of a connection, Streamlit's default


def start(args: argparse.Namespace, query: str = "") -> int:
    """Serve the app until it is stopped; the browser is led to the address with this query."""
    folder, host, names = home(), host_of(args), names_of(args)
    options = {**read_options(folder), **server_options(host, args.port, names)}
    here = _url(_name(host), args.port, query)
    lines = [f"dtviz is at {here} (Ctrl-C stops it)"]
    if args.no_browser:
        options["server.headless"] = True
    if args.max_upload is not None:
        options["server.maxUploadSize"] = args.max_upload
    if args.share:
        options["browser.serverAddress"] = names[0]  # what Share gives, on this machine too
        lines.append(invitation(_url(names[0], args.port, query), getattr(args, "file", None)))
    listener = listen(host, args.port)
    if args.end_with_input:
        threading.Thread(target=_end_with_input, daemon=True).start()

    import streamlit as st

    from dtviz.app.server import guarded_options

    with listener, suppress(KeyboardInterrupt):
        script = folder / "app.py"
        parts = guarded_options(script, args.frame)
        run(st.App(script, lifespan=_announce(here, lines), **parts), listener, options)
    print()  # the server may have taken the Ctrl-C itself; either way the prompt gets its own line
    return OK


def listen(host: str, port: int) -> socket.socket:
    """Open the listener of a host and a port; raise UsageError where that is impossible.

    Every connection sends its messages at once (TCP_NODELAY). Otherwise the second small message
    of an answer waits until the browser has acknowledged the first, which takes Linux 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sets TCP_NODELAY on a connection whose protocol is named; where asyncio does not know
    # the protocol (Windows), the connection inherits the option from the listener
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if os.name != "nt":  # there it would let two servers share a port
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # `::` is every address, those of IPv4 too
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        raise UsageError(_why_not(host, port, error)) from None
    return listener


def run(app: st.App, listener: socket.socket, options: Mapping[str, Any]) -> None:
    """Serve the app on the listener under these options, until it is stopped.

    `st.App.run` does the same on a socket of its own, whose connections wait (see `listen`).
    """
    import streamlit as st
    import uvicorn
    from streamlit.web.bootstrap import load_config_options

    load_config_options(dict(options))
    interval = st.get_option("server.websocketPingInterval") or PING_SECONDS
    config = uvicorn.Config(
        app,
        ws="websockets-sansio",
        ws_ping_interval=interval,
        ws_ping_timeout=interval,
        ws_max_size=st.get_option("server.maxMessageSize") * 1_000_000,
        ws_per_message_deflate=st.get_option("server.enableWebsocketCompression"),
        ssl_certfile=st.get_option("server.sslCertFile"),
        ssl_keyfile=st.get_option("server.sslKeyFile"),
        log_level="warning",
        use_colors=False,
        access_log=False,
    )
    uvicorn.Server(config).run(sockets=[listener])


def _end_with_input() -> None:
    """Wait for the end of standard input, then press Ctrl-C; go at once if that takes too long."""
    with suppress(OSError):
        while os.read(sys.stdin.fileno(), 4096):
            pass
    signal.raise_signal(signal.SIGINT)
    time.sleep(MAX_SECONDS_TO_END)
    os._exit(OK)


def home() -> Path:
    """The folder that holds app.py: the installed package's own, else the checkout's."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "_app", package.parent):
        if (folder / "app.py").is_file():
            return folder
    raise UsageError("app.py is not installed beside dtviz; install dtviz again with pip")


def read_options(folder: Path) -> dict[str, Any]:
    """The settings in the home's config.toml, by dotted name: {'server.port': 8501, ...}."""
    text = (folder / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    return dict(_flat(tomllib.loads(text)))


def server_options(host: str, port: int, names: Sequence[str]) -> dict[str, Any]:
    """The settings that say where to listen, and to whom.

    Only requests for these names and this machine's own are answered, so that no web page can reach
    the app through a name of its own (DNS rebinding).
    """
    return {
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": [*LOOPBACK, *names],
        "logger.hideWelcomeMessage": True,  # with its advice to those who write apps
    }


def _why_not(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return f"port {port} is already in use; choose another: dtviz --port {other}"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights this user lacks; choose one above 1023"
    return f"cannot listen on {host} port {port}: {line_of(error)}"


def _flat(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _announce(url: str, lines: Sequence[str]) -> Any:
    """Return the server's lifespan: once it runs, print the lines and open a browser, if any."""

    @asynccontextmanager
    async def lifespan(_app: st.App) -> AsyncIterator[None]:
        import streamlit as st

        print("\n".join(lines), flush=True)
        threading.Thread(target=_warm_up, daemon=True).start()
        if not st.get_option("server.headless"):
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()
        yield

    return lifespan


def _url(name: str, port: int, query: str) -> str:
    return f"http://{name}:{port}" + (f"/?{query}" if query else "")


def _warm_up() -> None:
    from dtviz.app.warm import warm_up

    warm_up()


def _name(host: str) -> str:
    """The host as a browser on this machine calls it."""
    if host in (*ALL_INTERFACES, *LOOPBACK):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def serve(args: argparse.Namespace) -> int:
    """Start the app with a table that every tab has, grown on or at an address."""
    from urllib.parse import urlencode

    from dtviz.app.explore import served
    from dtviz.data import uploads
    from dtviz.data.csv import read_content

    content = read_content(args.file)
    mark = uploads.fingerprint(content)
    uploads.SERVED_TABLES[mark], uploads.SERVED_FILES[mark] = served(content), content
    if args.at is not None:
        return start(args, args.at)
    recipe = {"data": uploads.NAME, "sha": mark, "file": Path(args.file).name}
    task = _task(uploads.SERVED_TABLES[mark][0], args.target)
    return start(args, urlencode({**recipe, "target": args.target, "task": task}))


def _task(frame: Any, target: str) -> str:
    """Return the task of a tree on this target; raises ValueError for a missing column."""
    from dtviz.data.train_test import from_frame

    return from_frame(frame, target).task
