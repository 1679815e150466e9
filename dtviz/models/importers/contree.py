"""The tree of any depth with the fewest mistakes, which pycontree finds where it is installed.

The package (ConTree: Brița, van der Linden, Demirović, Optimal Classification Trees for Continuous
Feature Data, AAAI 2025) holds the interpreter's lock while it searches. So it runs in a process of
its own, which dies with the search that asked for it.

Glossary
    rank      the place of a value among the distinct ones of its feature: what is searched, so
              that near values stay apart whatever their size
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryFile
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.data.dataset import DataError, Dataset
from dtviz.engine.splits import midpoint
from dtviz.engine.tree import Log
from dtviz.models.importers.foreign_tree import Foreign, log_of

PACKAGE = "pycontree"
DEPTHS = (3, 4, 5)
SECONDS = 15
"""How long it may search; then the best tree so far is taken."""

STARTING = 15
"""Seconds more in which the process must have started and answered."""

MOST_VALUES = 1_000_000
SCRIPT = Path(__file__).with_name("contree_process.py")
ASKED = 0.05  # seconds between two looks at whether it is done


@dataclass(frozen=True, slots=True)
class Optimal:
    """The moves of the tree, and whether it is proven that none makes fewer mistakes."""

    log: Log
    proven: bool


def best_of_depth(data: Dataset, depth: int) -> Generator[float, None, Optimal]:
    """The tree of at most this depth that mistakes the fewest rows, by cuts of one feature (lazy).

    Yields the share of the time it may take. The log is empty where no tree makes fewer mistakes
    than the root. Raises DataError where the package is missing or the data are not of its kind:
    classes, numbers without gaps, rows that count alike.
    """
    _need(data)
    classes, y = np.unique(data.y, return_inverse=True)
    if len(classes) < 2:
        yield 1.0
        return Optimal((), proven=True)
    distinct, ranks = zip(
        *(np.unique(column, return_inverse=True) for column in data.columns), strict=True
    )
    said = yield from _answer(np.array(ranks, np.float64).T, y, depth)
    foreign = _foreign(said["nodes"], distinct)
    return Optimal(log_of(foreign, data), bool(said["proven"]))


def _need(data: Dataset) -> None:
    """Raises DataError where the package cannot do it."""
    if find_spec(PACKAGE) is None:
        raise DataError(
            f"the best tree of depth 3 and more needs the package {PACKAGE}, which is not "
            "installed: pip install 'dtviz[optimal]'"
        )
    if not data.classes or any(data.levels) or any(data.gaps):
        raise DataError(
            "the best tree of depth 3 and more is searched for classes, by features that are "
            "numbers without gaps; take other columns"
        )
    if data.weights is not None or data.costs is not None:
        raise DataError(
            "the best tree of depth 3 and more is searched where all rows and mistakes count "
            "alike; leave the weights out"
        )
    if data.columns.size > MOST_VALUES:
        raise DataError(
            f"the best tree of depth 3 and more is searched in at most {MOST_VALUES:,} values; "
            "take a sample of the rows or fewer features"
        )


def _answer(X: NDArray[Any], y: NDArray[Any], depth: int) -> Generator[float, None, Any]:
    """What a process of its own says; it ends where nobody asks on."""
    command = [sys.executable, "-P", str(SCRIPT), str(depth), str(SECONDS)]
    with TemporaryFile() as asked, TemporaryFile() as said:
        np.save(asked, X, allow_pickle=False)
        np.save(asked, y.astype(np.int32), allow_pickle=False)
        asked.seek(0)
        with Popen(command, stdin=asked, stdout=said, stderr=DEVNULL) as process:
            try:
                yield from _waited(process)
            finally:
                process.kill()
        said.seek(0)
        return json.load(said)


def _waited(process: Popen[bytes]) -> Generator[float, None, None]:
    """Yields the share of its time that has passed, until it is done."""
    begun = time.monotonic()
    while process.poll() is None:
        passed = time.monotonic() - begun
        if passed > SECONDS + STARTING:
            raise DataError(f"the package {PACKAGE} did not answer in time; take fewer rows")
        time.sleep(ASKED)
        yield min(passed / SECONDS, 0.99)
    if process.returncode:
        raise DataError(f"the package {PACKAGE} failed on these rows; take a sample of them")


def _foreign(nodes: list[list[float]], distinct: tuple[NDArray[Any], ...]) -> Foreign:
    """The tree that was said, its thresholds half-way between the values that it parts."""
    feature, rank, left, right = (np.array(part) for part in zip(*nodes, strict=True))
    feature, left, right = (part.astype(np.intp) for part in (feature, left, right))
    threshold = np.zeros(len(nodes))
    for node in np.flatnonzero(left).tolist():
        values, at = distinct[feature[node]], int(np.floor(rank[node]))
        threshold[node] = midpoint(values[at], values[at + 1])
    return Foreign(feature, threshold, left, right, np.zeros(len(nodes), np.bool_), single=False)
