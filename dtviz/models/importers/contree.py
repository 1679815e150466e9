"""The optimal tree of depth 3 and more, with the fewest mistakes, where pycontree is installed.

The package (ConTree: Brița, van der Linden, Demirović, Optimal Classification Trees for Continuous
Feature Data, AAAI 2025) holds the interpreter's lock while it searches. Therefore it runs in
another process, which is killed when the search is stopped. The process gets the ranks of the
values of a feature in place of the values, so that near values stay distinct whatever their size.
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
from dtviz.models.importers.foreign_tree import ForeignTree, log_of

PACKAGE = "pycontree"
DEPTHS = (3, 4, 5)
"""Depths that can be searched."""
SECONDS = 15
"""Limit of the search; after it the best tree so far is taken."""

MAX_SECONDS_OF_START = 15
"""Seconds beyond SECONDS in which the process must have started and answered."""

MAX_VALUES = 1_000_000
"""Largest number of rows x features that is searched."""
SCRIPT = Path(__file__).with_name("contree_process.py")
SECONDS_A_POLL = 0.05
"""Seconds between two questions whether the process has ended."""


@dataclass(frozen=True, slots=True)
class OptimalTree:
    """The best tree that was found."""

    log: Log  # moves of the tree; empty where no tree makes fewer mistakes than the root
    proven: bool  # True if no tree of the depth makes fewer mistakes


def best_of_depth(data: Dataset, depth: int) -> Generator[float, None, OptimalTree]:
    """Search the tree of axis splits, at most `depth` deep, with the fewest mistakes.

    Yields the share of SECONDS that has passed. Raises DataError where the package is missing, and
    unless the target is classes, the features are numbers without missing values and neither
    weights nor costs are given.
    """
    _check_data(data)
    classes, y = np.unique(data.y, return_inverse=True)
    if len(classes) < 2:
        yield 1.0
        return OptimalTree((), proven=True)
    distinct, ranks = zip(
        *(np.unique(column, return_inverse=True) for column in data.columns), strict=True
    )
    answer = yield from _search_process(np.array(ranks, np.float64).T, y, depth)
    foreign = _foreign_tree(answer["nodes"], distinct)
    return OptimalTree(log_of(foreign, data), bool(answer["proven"]))


def _check_data(data: Dataset) -> None:
    """Raise DataError where the package is missing or cannot search the data."""
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
    if data.columns.size > MAX_VALUES:
        raise DataError(
            f"the best tree of depth 3 and more is searched in at most {MAX_VALUES:,} values; "
            "take a sample of the rows or fewer features"
        )


def _search_process(X: NDArray[Any], y: NDArray[Any], depth: int) -> Generator[float, None, Any]:
    """Run the search process and return its answer; closing the generator kills the process."""
    command = [sys.executable, "-P", str(SCRIPT), str(depth), str(SECONDS)]
    with TemporaryFile() as request, TemporaryFile() as response:
        np.save(request, X, allow_pickle=False)
        np.save(request, y.astype(np.int32), allow_pickle=False)
        request.seek(0)
        with Popen(command, stdin=request, stdout=response, stderr=DEVNULL) as process:
            try:
                yield from _wait_for(process)
            finally:
                process.kill()
        response.seek(0)
        return json.load(response)


def _wait_for(process: Popen[bytes]) -> Generator[float, None, None]:
    """Wait for the process; yields the share of SECONDS that has passed. Raises DataError."""
    start = time.monotonic()
    while process.poll() is None:
        passed = time.monotonic() - start
        if passed > SECONDS + MAX_SECONDS_OF_START:
            raise DataError(f"the package {PACKAGE} did not answer in time; take fewer rows")
        time.sleep(SECONDS_A_POLL)
        yield min(passed / SECONDS, 0.99)
    if process.returncode:
        raise DataError(f"the package {PACKAGE} failed on these rows; take a sample of them")


def _foreign_tree(nodes: list[list[float]], distinct: tuple[NDArray[Any], ...]) -> ForeignTree:
    """Convert nodes of the answer: a rank becomes a threshold half-way between two values."""
    feature, rank, left, right = (np.array(part) for part in zip(*nodes, strict=True))
    feature, left, right = (part.astype(int) for part in (feature, left, right))
    threshold = np.zeros(len(nodes))
    for node in np.flatnonzero(left).tolist():
        values, lower = distinct[feature[node]], int(np.floor(rank[node]))
        threshold[node] = midpoint(values[lower], values[lower + 1])
    return ForeignTree(
        feature, threshold, left, right, np.zeros(len(nodes), np.bool_), single_precision=False
    )
