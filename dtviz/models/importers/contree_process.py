"""The search of pycontree as a process: rows come in, a tree goes out; see optimal.py.

It is run by its path and imports nothing of dtviz, so that it starts at once.
"""

from __future__ import annotations

import io
import json
import sys
import time
import warnings
from typing import Any

import numpy as np


def search(X: Any, y: Any, depth: int, seconds: float) -> dict[str, Any]:
    """The tree found, as (feature, threshold, left, right) a node, and whether time sufficed.

    The root comes first; a leaf has the children 0.
    """
    from pycontree import ConTree

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where the time is up
        begun = time.monotonic()
        fitted = ConTree(max_depth=depth, time_limit=seconds).fit(X, y)
        proven = time.monotonic() - begun < seconds
    nodes: list[list[float]] = []
    _write(fitted.get_tree(), nodes)
    return {"nodes": nodes, "proven": proven}


def _write(tree: Any, nodes: list[list[float]]) -> int:
    """The place of a node, written with all below it."""
    at = len(nodes)
    nodes.append([0, 0, 0, 0])
    if tree.is_branching_node():
        asked = [tree.get_split_feature(), tree.get_split_threshold()]
        nodes[at] = [*asked, *(_write(side, nodes) for side in (tree.get_left(), tree.get_right()))]
    return at


def main() -> None:
    """Answer on the standard output what is asked on the standard input."""
    given = io.BytesIO(sys.stdin.buffer.read())
    X, y = (np.load(given, allow_pickle=False) for _ in range(2))
    json.dump(search(X, y, int(sys.argv[1]), float(sys.argv[2])), sys.stdout)


if __name__ == "__main__":
    main()
