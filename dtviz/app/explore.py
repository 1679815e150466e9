"""`dtviz.explore`: the app on a fitted model, in a server of its own.

The rows of the model become a table, which the server reads once and gives to every tab. A link
holds the rest: the recipe of the table, the rules and the log.
"""

from __future__ import annotations

import atexit
import io
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dtviz.base.text import MAX_LENGTH, count, quoted
from dtviz.data import uploads
from dtviz.data.dataset import (
    MAX_PARAMETER_CHARS,
    DataError,
    Dataset,
    Recipe,
    decode_feature,
)
from dtviz.data.read_table import read_file
from dtviz.models.importers.dispatch import from_fitted
from dtviz.models.model import Model

TABLE_FILE = "table.parquet"  # in a folder of its own
WEIGHT = "weight"
ROLE = "role"
OUTPUT_FILE = "said.txt"
MAX_SECONDS_TO_START = 60.0  # seconds until the server must have begun


class Exploring:
    """An app beside this program: it ends with it, even if that is killed, or by `stop`."""

    def __init__(self, url: str, server: subprocess.Popen[bytes], folder: Path) -> None:
        self.url, self.folder, self._server = url, folder, server
        atexit.register(self.stop)

    def __repr__(self) -> str:
        return f"dtviz is at {self.url}"

    def wait(self) -> None:
        """Go on only when the app has ended, as a script has to that does nothing else."""
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
    """Open the app on a tree: one of ours, or one fitted elsewhere, with the rows it was grown on.

    `model` is a Model, or what `from_sklearn`, `from_lightgbm` or `from_xgboost` reads with the
    other arguments; a booster of LightGBM or XGBoost may be given itself. `port=None` takes a free
    one; without `browser` only the address is told. The app listens on this machine alone. Raises
    DataError for a tree too large for a link, or rows that a table cannot hold.
    """
    name = type(model).__name__ + ("" if member is None else f" {member}")
    ensemble = ensemble_of(model)
    if not isinstance(model, Model):
        model = from_fitted(model, X, y, member, sample_weight)
    content = table_of(model.data)
    link = link_of(model, content, name, ensemble)
    port = port or _free_port()
    folder = Path(tempfile.mkdtemp(prefix="dtviz-"))
    (folder / TABLE_FILE).write_bytes(content)
    shown = [] if browser else ["--no-browser"]
    served = ["--port", str(port), "--end-with-input", *shown]
    command = [
        sys.executable,
        "-m",
        "dtviz",
        *served,
        "open",
        str(folder / TABLE_FILE),
        "--at",
        link,
    ]
    with (folder / OUTPUT_FILE).open("wb") as output:
        # The server ends with its input, and the input ends with this program, even if killed.
        server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output, stderr=output)
    app = Exploring(f"http://localhost:{port}/?{link}", server, folder)
    _wait(app, server, port)
    return app


def table_of(data: Dataset) -> bytes:
    """Write the rows on which a tree is grown as a Parquet file."""
    if data.costs is not None:
        raise DataError("rows with a cost matrix cannot be opened so: upload the table instead")
    parts = _purposes(data)
    frames = [_frame(part, _weight_of(data)) for part in parts.values()]
    frame = frames[0] if len(parts) == 1 else pd.concat(frames, ignore_index=True)
    if len(parts) > 1:
        frame[_free_name(data, ROLE)] = np.repeat([*parts], [part.n for part in parts.values()])
    content = io.BytesIO()
    frame.to_parquet(content, index=False)
    return content.getvalue()


def _purposes(data: Dataset) -> dict[str, Dataset]:
    """Return the training, validation and test rows by their purpose."""
    held = {"train": data, "validation": data.validation, "test": data.test}
    return {purpose: part for purpose, part in held.items() if part is not None}


def _frame(data: Dataset, weight: str | None) -> pd.DataFrame:
    """Return the rows as the user gave them, with the weights in a column named `weight`."""
    columns = {
        name: decode_feature(data, k, data.columns[k]) for k, name in enumerate(data.features)
    }
    classes = pd.Series(list(data.classes), dtype=object)
    target = classes.take(data.y.astype(np.intp)).array if data.classes else data.y
    frame = pd.DataFrame({**columns, data.target: target})
    if weight is not None:
        frame[weight] = np.ones(data.n) if data.weights is None else data.weights.astype(np.float64)
    return frame


def ensemble_of(model: Any) -> str:
    """Return the kind of ensemble that a fitted model is; '' for a single tree."""
    if isinstance(model, Model) or hasattr(model, "tree_"):
        return ""
    return "booster" if isinstance(model, dict) else type(model).__name__


def link_of(model: Model, content: bytes, name: str, ensemble: str = "") -> str:
    """Return the query of the link that opens a tree on its table; raises DataError.

    `content` is the table's file, `name` its title, `ensemble` the kind of the tree's ensemble.
    """
    from dtviz.app.instrument import Instrument  # here, so that `import dtviz` stays quick
    from dtviz.session import address
    from dtviz.session.history import Visit
    from dtviz.session.session import MAX_MOVES, Session

    data, mark = model.data, uploads.fingerprint(content)
    recipe = _recipe(data, mark, name, ensemble)
    table = served(content)
    for name in (*data.features, data.target):
        if name not in table[0].columns:
            remedy = "shorten it" if len(name) > MAX_LENGTH else "rename it, without hidden signs"
            raise DataError(f"a table has no room for the column name {quoted(name)}: {remedy}")
    tab = Instrument(Visit(Session(recipe)), files={mark: table})
    rows = tab.table(recipe, model.rules_used)
    if not _same(rows, data):
        raise DataError(
            "these rows are not the same once written as a table, as where a class is named by "
            "nothing but blanks: rename it, or upload the table instead"
        )
    session = Session(recipe, model.rules_used, model.log)
    params = address.write_address(session, rows, tab.future(recipe))
    moves = params.get("log", "")
    if len(moves) > MAX_PARAMETER_CHARS or moves.count("_") >= MAX_MOVES:
        splits = count(len(model.log), "split")
        raise DataError(f"no link holds the {splits} of this tree: prune it, or grow a smaller one")
    return urlencode(params)


def served(content: bytes) -> Any:
    """Read a table as the app keeps it: its frame, and the reader's notes."""
    return read_file(content, isolated=True)


def _recipe(data: Dataset, mark: str, name: str, ensemble: str) -> Recipe:
    plain = uploads.upload_recipe(mark, name, data.target, data.features, data.task)
    weight = _weight_of(data)
    more: dict[str, Any] = {} if weight is None else {"sample_weight": weight}
    if len(_purposes(data)) > 1:
        more["role"] = _free_name(data, ROLE)
    if ensemble:
        more["tree_of"] = ensemble
    return uploads.complete(uploads.with_params(plain, **more))


def _weight_of(data: Dataset) -> str | None:
    """Return the name of the column of weights, if any row has one."""
    weighted = any(part.weights is not None for part in _purposes(data).values())
    return _free_name(data, WEIGHT) if weighted else None


def _free_name(data: Dataset, name: str) -> str:
    while name in (*data.features, data.target):
        name += "'"
    return name


def _same(data: Dataset | None, other: Dataset | None) -> bool:
    """True if two datasets have the same training, validation and test rows."""
    if data is None or other is None:
        return data is other
    rows = [data.columns, data.y, data.weights], [other.columns, other.y, other.weights]
    return (
        (data.classes, data.levels) == (other.classes, other.levels)
        and all(map(_equal, *rows))
        and _same(data.validation, other.validation)
        and _same(data.test, other.test)
    )


def _equal(values: Any, other: Any) -> bool:
    if values is None or other is None:
        return values is other
    return np.array_equal(values, other, equal_nan=True)


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def _wait(app: Exploring, server: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the app answers; raises RuntimeError where it has ended."""
    end = time.monotonic() + MAX_SECONDS_TO_START
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
    raise RuntimeError(f"the app did not begin within {MAX_SECONDS_TO_START:.0f} seconds")
