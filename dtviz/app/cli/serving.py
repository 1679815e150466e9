"""Servers of the app: `dtviz`, `dtviz open`, and `dtviz.explore` on a fitted model.

Streamlit is imported only to start the app. The rows of a model become a table, which the server
reads once and gives to every tab; a link holds the rest: recipe, rules and log.
"""

from __future__ import annotations

import argparse
import atexit
import errno
import glob
import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import urllib.request
import warnings
import webbrowser
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

import numpy as np
from numpy.typing import ArrayLike

from dtviz.app.cli.grow import OK, UsageError, engine_of, error_line, is_in_engine, opened_instead
from dtviz.base.lazy import pd
from dtviz.base.text import MAX_TEXT_CHARS, count, quoted
from dtviz.data import uploads
from dtviz.data.columns import types_text
from dtviz.data.csv import read_content
from dtviz.data.dataset import MAX_PARAMETER_CHARS, DataError, Dataset, Recipe, decode_feature
from dtviz.data.formats import exact_parquet
from dtviz.data.open_table import TableOpener
from dtviz.data.read_table import read_file
from dtviz.data.table_engines import DUCKDB
from dtviz.data.tables import TableOrigin
from dtviz.data.train_test import from_frame
from dtviz.data.worker import TooLargeError
from dtviz.engine.ensembles import Ensemble
from dtviz.engine.rules import Rules, default_rules
from dtviz.models.importers import from_fitted
from dtviz.models.importers.ensemble_file import read_ensemble, write_ensemble
from dtviz.models.importers.foreign_tree import member_index
from dtviz.models.importers.pipelines import last_step
from dtviz.models.importers.sklearn import can_read_ensemble, ensemble_from_sklearn
from dtviz.models.model import Model, fit

if TYPE_CHECKING:
    import streamlit as st

    from dtviz.app.instrument import Instrument
    from dtviz.session.session import Session


LOOPBACK = ("localhost", "127.0.0.1")
ALL_INTERFACES = ("", "0.0.0.0", "::")
MAX_QR_CHARACTERS = 400  # the code of a longer address fills the terminal
NETWORK_NOTICE = (
    "Open to this network: whoever has the address sees the examples{file}, gives tables of their\n"
    "own (kept in memory, seen by nobody else until they show them to the class), and takes this\n"
    "machine's time. Nothing is encrypted; README.md says how to put it behind TLS. Only this\n"
    "address is answered."
)


def host_of(args: argparse.Namespace) -> str:
    """The address to listen on: this machine's alone, unless the options ask for its network."""
    return "0.0.0.0" if args.share and args.host in LOOPBACK else str(args.host)


def names_of(args: argparse.Namespace) -> list[str]:
    """Names, beside this machine's own, whose requests are answered; raises UsageError."""
    if args.name:
        return [args.name]
    if args.share:
        return [_network_address()]
    if args.host in ALL_INTERFACES:
        with suppress(UsageError):
            return [socket.gethostname(), _network_address()]
        return [socket.gethostname()]
    return [] if args.host in LOOPBACK else [args.host]


def _network_address() -> str:
    """This machine's address on its network; raises UsageError where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # sends nothing, only chooses the interface: an address of no real host
            address = str(probe.getsockname()[0])
        except OSError:
            address = ""
    if not address or address.startswith("127."):
        raise UsageError("this machine is on no network; name it as the class calls it: --name")
    return address


def invitation(url: str, file: str | None) -> str:
    """Return the notice for the user who shares the app: address, QR code, what others can do."""
    code = _qr_code(url) if len(url) <= MAX_QR_CHARACTERS else ""
    table = f" and {file}" if file else ""
    return f"For the class: {url}\n\n{code}{NETWORK_NOTICE.format(file=table)}"


def _qr_code(url: str) -> str:
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


MAX_SECONDS_TO_END = 10.0  # until a server that does not end is killed
PING_SECONDS = 30  # seconds between two signs of life of a connection, Streamlit's default


def start(args: argparse.Namespace, query: str = "") -> int:
    """Serve the app until it is stopped; the browser opens the address with this query."""
    folder, host, names = home(), host_of(args), names_of(args)
    options = {**read_options(folder), **server_options(host, args.port, names)}
    url = _url(_browser_host(host), args.port, query)
    lines = [f"dtviz is at {url} (Ctrl-C stops it)"]
    if args.no_browser:
        options["server.headless"] = True
    if args.max_upload is not None:
        options["server.maxUploadSize"] = args.max_upload
    if args.share:
        options["browser.serverAddress"] = names[
            0
        ]  # the links of Share have it, also on this machine
        lines.append(invitation(_url(names[0], args.port, query), getattr(args, "file", None)))
    listener = listen(host, args.port)
    if args.end_with_input:
        threading.Thread(target=_end_with_input, daemon=True).start()

    import streamlit as st

    from dtviz.app.server import guarded_options
    from dtviz.app.streamlit_parts import load_config_options

    with listener, suppress(KeyboardInterrupt):
        load_config_options(options)
        script, app_options = folder / "app.py", guarded_options(args.frame)
        run(st.App(script, lifespan=_announce(url, lines), **app_options), listener)
    print()  # a line for the prompt, also where the server itself has handled the Ctrl-C
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
        raise UsageError(_listening_problem(host, port, error)) from None
    return listener


def run(app: st.App, listener: socket.socket) -> None:
    """Serve the app on the listener under Streamlit's options, until it is stopped.

    `st.App.run` does the same, but opens a socket without TCP_NODELAY (see `listen`).
    """
    import streamlit as st
    import uvicorn

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
    """Interrupt the server at the end of standard input; kill it if it takes too long to end."""
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
    return dict(_flatten(tomllib.loads(text)))


def server_options(host: str, port: int, names: Sequence[str]) -> dict[str, Any]:
    """The settings of the address to listen on, and of the names whose requests are answered.

    Only requests for these names and this machine's own are answered, so that no web page can reach
    the app through a name of its own (DNS rebinding).
    """
    return {
        "server.address": host,
        "server.port": port,
        "server.allowedHosts": [*LOOPBACK, *names],
        "logger.hideWelcomeMessage": True,  # it has advice for developers of apps
    }


def _listening_problem(host: str, port: int, error: OSError) -> str:
    """Say why the server cannot listen, and what to do."""
    if error.errno == errno.EADDRINUSE:
        other = port + 1 if port < 65535 else port - 1
        return f"port {port} is already in use; choose another: dtviz --port {other}"
    if error.errno == errno.EACCES:
        return f"port {port} needs rights this user lacks; choose one above 1023"
    return f"cannot listen on {host} port {port}: {error_line(error)}"


def _flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of nested tables with their dotted names."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def _announce(url: str, lines: Sequence[str]) -> Any:
    """Return the server's lifespan: once it runs, it prints the lines and opens a browser."""

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
    """The address of a query, which begins with a page and a ? unless it is for Grow."""
    page, _, params = query.rpartition("?")
    return f"http://{name}:{port}" + (f"/{page}?{params}" if query else "")


def _warm_up() -> None:
    from dtviz.app.site import warm_up

    warm_up()


def _browser_host(host: str) -> str:
    """The host as a browser on this machine calls it."""
    if host in (*ALL_INTERFACES, *LOOPBACK):
        return "localhost"
    return f"[{host}]" if ":" in host else host


def serve(args: argparse.Namespace) -> int:
    """Start the app with a table that every tab has: on a new tree, or at an address."""
    if is_in_engine(args):
        return _serve_source(args)
    content = read_content(args.file)
    mark = uploads.fingerprint(content)
    try:
        table = read_served(content)
    except TooLargeError as error:
        if opened_instead(args, error):
            return _serve_source(args)
        raise
    uploads.SERVED_TABLES[mark], uploads.SERVED_FILES[mark] = table, content
    if args.trees is not None:
        serve_ensemble(Path(args.trees).read_bytes(), args.at, {mark: table})
    if args.at is not None:
        return start(args, args.at)
    recipe = {"data": uploads.RECIPE_NAME, "sha": mark, "file": Path(args.file).name}
    task = from_frame(uploads.SERVED_TABLES[mark][0], args.target).task
    return start(args, urlencode({**recipe, "target": args.target, "task": task}))


def serve_ensemble(content: bytes, link: str, files: uploads.UploadedTables) -> None:
    """Give every tab a fitted ensemble, whose rows are those of a link on these tables."""
    from dtviz.session import address
    from dtviz.session.derived_data import FITTED_ENSEMBLES, MEMBER_RECIPES

    params = dict(parse_qsl(link.rpartition("?")[2], keep_blank_values=True))
    default = uploads.upload_recipe("", "", "", None, "classification")
    recipe = address.read_address(params, default).recipe
    if MEMBER_RECIPES.is_derived(recipe):
        recipe = MEMBER_RECIPES.read(recipe)[0]
    FITTED_ENSEMBLES[recipe] = read_ensemble(content, uploads.build(recipe, files))


START_DEPTH = 5
"""Depth at most of the tree with which a table that stays in its engine is opened."""


def _serve_source(args: argparse.Namespace) -> int:
    """Start the app with a table that stays in its engine."""
    if args.at is None:
        return start(args, open_for_all(args.file, args.target, engine_of(args)))
    params = dict(parse_qsl(args.at, keep_blank_values=True))
    open_at(params, args.file, engine_of(args))
    return start(args, args.at)


def open_at(params: Mapping[str, str], path: str, engine: str) -> None:
    """Open a table that stays in its engine for every tab, as the address of a link needs it."""
    from dtviz.session import address

    default = uploads.upload_recipe("", "", "", None, "classification")
    recipe = address.read_address(params, default).recipe
    opener, target = TableOpener(path, engine), recipe.get("target")
    if not target:
        raise UsageError("this link has no target; give one by --target")
    choice: Any = [recipe.get(name) for name in ("features", "task", "sample_weight")]
    _serve_opened(opener, opener(str(target), *choice))


def open_for_all(path: str, target: str, engine: str = DUCKDB) -> str:
    """Open a table that stays in its engine for every tab; returns the query of its address."""
    start = time.monotonic()
    opener = TableOpener(path, engine)
    data = opener(target)
    mark = _serve_opened(opener, data)
    opener.opened[target, None, data.task, None] = data
    seconds = time.monotonic() - start
    print(f"{data.n_grown:,} rows are ready in their engine after {seconds:.0f} s", flush=True)
    recipe = {"data": uploads.RECIPE_NAME, "sha": mark, "file": Path(path).name}
    # the whole tree of millions of rows takes minutes, and fits no screen
    return urlencode({**recipe, "target": target, "task": data.task, "max_depth": START_DEPTH})


def _serve_opened(opener: TableOpener, data: Dataset) -> str:
    """Give every tab a table that is open; returns its fingerprint."""
    mark = _mark_of(opener)
    uploads.SERVED_SOURCES[mark] = opener
    # pages that list columns see a sample
    uploads.SERVED_TABLES[mark] = _rows_frame(data, None), data.notes
    return mark


def _mark_of(opener: TableOpener) -> str:
    """The fingerprint of a table in its engine: of its place, and of the files that it has here."""
    names = sorted(glob.glob(opener.path)) if opener.engine == DUCKDB else []
    stats = [(name, Path(name).stat()) for name in names]
    versions = [(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats]
    return uploads.fingerprint(repr((opener.path, opener.engine, versions)).encode())


TABLE_FILE = "table.parquet"  # in a temporary folder
TREES_FILE = "trees.npz"  # all trees of a fitted ensemble
WEIGHT_COLUMN = "weight"
ROLE_COLUMN = "role"
OUTPUT_FILE = "said.txt"  # what the server prints
MAX_SECONDS_TO_START = 60.0  # until the app must answer
MAX_SECONDS_TO_OPEN = 3_600.0  # until a table of any size is open


class Exploring:
    """An app in another process: it ends by `stop`, or when this program ends or is killed."""

    def __init__(self, url: str, server: subprocess.Popen[bytes], folder: Path) -> None:
        self.url, self.folder, self._server = url, folder, server
        atexit.register(self.stop)

    def __repr__(self) -> str:
        return f"dtviz is at {self.url}"

    def wait(self) -> None:
        """Wait for the end of the app: a script that only shows the app would end it otherwise."""
        self._server.wait()

    def stop(self) -> None:
        """End the app."""
        atexit.unregister(self.stop)
        self._server.terminate()
        self._server.communicate()
        shutil.rmtree(self.folder, ignore_errors=True)


def explore(
    model: Any,
    X: Any = None,
    y: ArrayLike | None = None,
    member: Any = None,
    sample_weight: ArrayLike | None = None,
    port: int | None = None,
    browser: bool = True,
) -> Exploring:
    """Open the app on a tree, of dtviz or of another library, with the rows it was grown on.

    A Dataset is opened before its first split. Of a table that stays in its engine the app opens
    the same path or the same address, with the credentials of this program.

    `model` is a Model, or what `from_sklearn`, `from_lightgbm` or `from_xgboost` reads with the
    other arguments; a booster of LightGBM or XGBoost may be given itself, and a pipeline or search
    that ends with any of these: explore(search, X, y) with X as it was before encoding. A forest,
    extra trees or bagging of scikit-learn are opened on the page Forest, or on Grow with the tree
    `member`, and all their trees are there; if that is impossible, a warning says why. Of another
    ensemble, and of any in a pipeline, the tree `member` is opened alone, or its first. `port=None`
    takes a free port; without `browser` no browser opens. The app listens on this machine alone.
    Raises DataError for a tree too large for a link, or rows that a table cannot hold.
    """
    final_model, _ = last_step(model)
    ensemble, trees = ensemble_of(final_model), fitted_ensemble(model, X, y, sample_weight)
    member = first_member(final_model) if trees is None and member is None else member
    name = type(final_model).__name__ + ("" if member is None else f" {member}")
    if isinstance(model, Dataset):
        rules = default_rules(model.task)
        rules = rules if model.source is None else replace(rules, max_depth=START_DEPTH)
        model = fit(model, rules, log=())
    if trees is None and not isinstance(model, Model):
        model = from_fitted(model, X, y, member, sample_weight)
    folder = Path(tempfile.mkdtemp(prefix="dtviz-"))
    place, seconds = [str(folder / TABLE_FILE)], MAX_SECONDS_TO_START
    if trees is not None:
        content = table_of(trees.data)
        link = link_of_ensemble(trees, content, ensemble, member)
        (folder / TABLE_FILE).write_bytes(content)
        (folder / TREES_FILE).write_bytes(write_ensemble(trees))
        place += ["--trees", str(folder / TREES_FILE)]
    elif model.data.source is None:
        content = table_of(model.data)
        link = link_of(model, content, name, ensemble)
        (folder / TABLE_FILE).write_bytes(content)
    else:
        link, origin = link_of_source(model)
        place, seconds = [origin.path, "--engine", origin.engine], MAX_SECONDS_TO_OPEN
    port = port or _free_port()
    options = ["--port", str(port), "--end-with-input"]
    options += [] if browser else ["--no-browser"]
    command = [sys.executable, "-m", "dtviz", *options, "open", *place, "--at", link]
    with (folder / OUTPUT_FILE).open("wb") as output:
        # The server ends with its input, and the input ends with this program, even if killed.
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output)
    app = Exploring(_url("localhost", port, link), server, folder)
    _wait_until_ready(app, server, port, seconds)
    return app


def fitted_ensemble(
    model: Any, X: Any, y: ArrayLike | None, sample_weight: ArrayLike | None
) -> Ensemble | None:
    """Return all trees of a forest or bagging of scikit-learn; None for others.

    Warns where they cannot be shown together.
    """
    if not can_read_ensemble(model) or X is None or y is None:
        return None
    try:
        return ensemble_from_sklearn(model, X, y, sample_weight)
    except DataError as error:
        name = type(model).__name__
        text = f"Forest cannot show this {name}, only Grow one of its trees: {error}"
        warnings.warn(text, stacklevel=3)
        return None


def link_of_ensemble(trees: Ensemble, content: bytes, name: str, member: int | None) -> str:
    """Return the page and the query that open a fitted ensemble on its table, or one of its trees.

    `content` is the table's file, `name` the class of the ensemble. Raises DataError.
    """
    from dtviz.session.derived_data import FITTED_ENSEMBLES
    from dtviz.session.forest import fitted_session
    from dtviz.session.session import Session

    rules = trees.members.rules
    recipe, tab = _table_opened(trees.data, rules, content, f"Rows of {name}", name)
    if member is None:
        return f"forest?{_link_to(Session(recipe, rules), tab)}"
    number = member_index(member, len(trees.members))
    FITTED_ENSEMBLES[recipe] = trees
    try:
        return _link_to(fitted_session(recipe, number), tab)
    finally:
        del FITTED_ENSEMBLES[recipe]


def table_of(data: Dataset) -> bytes:
    """Write the rows on which a tree is grown as a Parquet file."""
    if data.costs is not None:
        raise DataError("rows with a cost matrix cannot be opened so: upload the table instead")
    parts = _rows_by_role(data)
    frames = [_rows_frame(part, _weight_column(data)) for part in parts.values()]
    frame = frames[0] if len(parts) == 1 else pd.concat(frames, ignore_index=True)
    if len(parts) > 1:
        frame[_free_name(data, ROLE_COLUMN)] = np.repeat(
            [*parts], [part.n for part in parts.values()]
        )
    return exact_parquet(frame)


def _rows_by_role(data: Dataset) -> dict[str, Dataset]:
    """Return the training, validation and test rows by their role."""
    rows = {"train": data, "validation": data.validation, "test": data.test}
    return {role: part for role, part in rows.items() if part is not None}


def _rows_frame(data: Dataset, weight: str | None) -> pd.DataFrame:
    """Return the rows as the user gave them, with the weights in a column named `weight`."""
    columns = {
        name: decode_feature(data, k, data.columns[k]) for k, name in enumerate(data.features)
    }
    classes = pd.Series(list(data.classes), dtype=object)
    target = classes.take(data.y.astype(int)).array if data.classes else data.y
    frame = pd.DataFrame({**columns, data.target: target})
    if weight is not None:
        frame[weight] = np.ones(data.n) if data.weights is None else data.weights.astype(np.float64)
    return frame


def ensemble_of(model: Any) -> str:
    """Return the kind of ensemble that a fitted model is; '' for a single tree."""
    if isinstance(model, Model) or hasattr(model, "tree_"):
        return ""
    return "booster" if isinstance(model, dict) else type(model).__name__


def first_member(model: Any) -> Any:
    """Return the `member` that is the first tree of scikit-learn's ensemble; None for others."""
    estimators = getattr(model, "estimators_", None)
    if estimators is None:
        return None
    # gradient boosting has a tree for each round and class
    return (0, 0) if np.shape(estimators)[1:] > (1,) else 0


def link_of(model: Model, content: bytes, name: str, ensemble: str = "") -> str:
    """Return the query of the link that opens a tree on its table; raises DataError.

    `content` is the table's file, `name` its title, `ensemble` the kind of the tree's ensemble.
    """
    from dtviz.session.session import Session

    recipe, tab = _table_opened(model.data, model.rules_used, content, name, ensemble)
    return _link_to(Session(recipe, model.rules_used, model.log), tab)


def _table_opened(
    data: Dataset, rules: Rules, content: bytes, name: str, ensemble: str
) -> tuple[Recipe, Instrument]:
    """Return the recipe of the rows, and a tab that has read them from the table's file.

    Raises DataError where these rows are not the same.
    """
    from dtviz.app.instrument import Instrument  # here, so that `import dtviz` stays quick
    from dtviz.session.session import Session, Visit

    mark = uploads.fingerprint(content)
    recipe = _recipe(data, mark, name, ensemble)
    table = read_served(content)
    for name in (*data.features, data.target):
        if name not in table[0].columns:
            remedy = (
                "shorten it" if len(name) > MAX_TEXT_CHARS else "rename it, without hidden signs"
            )
            raise DataError(f"a table has no room for the column name {quoted(name)}: {remedy}")
    # where the recipe has types, the tab reads the file once more by them
    tab = Instrument(Visit(Session(recipe)), files={mark: table}, contents={mark: content})
    if not _same_rows(tab.prepared_data(recipe, rules), data):
        raise DataError(
            "these rows are not the same once written as a table, as where a class is named by "
            "nothing but blanks: rename it, or upload the table instead"
        )
    return recipe, tab


def link_of_source(model: Model) -> tuple[str, TableOrigin]:
    """Return the query of the link that opens a tree on a table in its engine, and its origin."""
    from dtviz.app.instrument import Instrument
    from dtviz.session.session import Session, Visit

    data = model.data
    origin = None if data.source is None else data.source.origin
    if origin is None:
        raise DataError(
            "only this program has this table, so that no app can open it: give `from_table` its "
            "path, or the name of the table and its `engine`"
        )
    opener = TableOpener(origin.path, origin.engine)
    opener.opened[data.target, data.features, data.task, origin.sample_weight] = data
    mark, weight = _mark_of(opener), origin.sample_weight
    title = Path(origin.path).name
    plain = uploads.upload_recipe(mark, title, data.target, data.features, data.task)
    weighted = plain if weight is None else uploads.with_params(plain, sample_weight=weight)
    recipe = uploads.complete(weighted)
    is_served = mark in uploads.SERVED_SOURCES
    uploads.SERVED_SOURCES.setdefault(mark, opener)
    try:
        frame = _rows_frame(data, None)
        tab = Instrument(Visit(Session(recipe)), files={mark: (frame, data.notes)})
        return _link_to(Session(recipe, model.rules_used, model.log), tab), origin
    finally:
        if not is_served:
            del uploads.SERVED_SOURCES[mark]


def _link_to(session: Session, tab: Instrument) -> str:
    """Return the query of the link that opens a session; raises DataError."""
    from dtviz.session import address
    from dtviz.session.session import MAX_MOVES

    rows = tab.prepared_data(session.recipe, session.rules)
    params = address.write_address(session, rows, tab.future(session.recipe))
    moves = params.get("log", "")
    if len(moves) > MAX_PARAMETER_CHARS or moves.count("_") >= MAX_MOVES:
        splits = count(len(session.log), "split")
        raise DataError(f"no link holds the {splits} of this tree: prune it, or grow a smaller one")
    return urlencode(params)


def read_served(content: bytes) -> Any:
    """Read a table as the app keeps it: its frame, and notes on what reading changed."""
    return read_file(content, isolated=True)


def _recipe(data: Dataset, mark: str, name: str, ensemble: str) -> Recipe:
    plain = uploads.upload_recipe(mark, name, data.target, data.features, data.task)
    weight = _weight_column(data)
    params: dict[str, Any] = {} if weight is None else {"sample_weight": weight}
    if types := _category_types(data):
        params["types"] = types_text(types)
    if len(_rows_by_role(data)) > 1:
        params["role"] = _free_name(data, ROLE_COLUMN)
    if ensemble:
        params["tree_of"] = ensemble
    return uploads.complete(uploads.with_params(plain, **params))


def _category_types(data: Dataset) -> dict[str, str]:
    """Return the type of the categories that are numbers: a table would be read as numbers."""
    return {
        name: "category"
        for name, levels in zip(data.features, data.levels, strict=True)
        if levels and all(isinstance(value, int | float) for value in levels)
        if not all(isinstance(value, bool) for value in levels)
    }


def _weight_column(data: Dataset) -> str | None:
    """Return the name for the column of weights; None if no row has a weight."""
    weighted = any(part.weights is not None for part in _rows_by_role(data).values())
    return _free_name(data, WEIGHT_COLUMN) if weighted else None


def _free_name(data: Dataset, name: str) -> str:
    """Return the name, with as many ' as no column of the data has it."""
    while name in (*data.features, data.target):
        name += "'"
    return name


def _same_rows(data: Dataset | None, other: Dataset | None) -> bool:
    """True if two datasets have the same training, validation and test rows."""
    if data is None or other is None:
        return data is other
    rows = [data.columns, data.y, data.weights], [other.columns, other.y, other.weights]
    return (
        (data.classes, data.levels) == (other.classes, other.levels)
        and all(map(_equal_arrays, *rows))
        and _same_rows(data.validation, other.validation)
        and _same_rows(data.test, other.test)
    )


def _equal_arrays(values: Any, other: Any) -> bool:
    if values is None or other is None:
        return values is other
    return np.array_equal(values, other, equal_nan=True)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def _wait_until_ready(
    app: Exploring, server: subprocess.Popen[bytes], port: int, seconds: float
) -> None:
    """Wait until the app answers; raises RuntimeError where it has ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if server.poll() is not None:
            output = (app.folder / OUTPUT_FILE).read_text("utf-8", "replace").strip()
            app.stop()
            raise RuntimeError(f"the app has ended: {output}")
        try:
            with urllib.request.urlopen(f"http://localhost:{port}/_stcore/health", timeout=1):
                shutil.rmtree(app.folder, ignore_errors=True)  # the table has been read
                return
        except OSError:
            time.sleep(0.1)
    app.stop()
    raise RuntimeError(f"the app did not begin within {seconds:.0f} seconds")
