"""The search of pycontree as a process: rows come in, a tree goes out; see contree.py.

The file is run by its path and imports nothing of dtviz, so that the process starts at once.
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
    """Search the best tree; returns its "nodes", and "proven", True if it ended before the limit.

    A node is (feature, threshold, left, right), where left and right are the indices of its
    children, or 0 for a leaf. The root comes first.
    """
    from pycontree import ConTree

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pycontree warns where the time is up
        start = time.monotonic()
        fitted = ConTree(max_depth=depth, time_limit=seconds).fit(X, y)
        proven = time.monotonic() - start < seconds
    nodes: list[list[float]] = []
    _append_nodes(fitted.get_tree(), nodes)
    return {"nodes": nodes, "proven": proven}


def _append_nodes(tree: Any, nodes: list[list[float]]) -> int:
    """Append a node and all nodes below it to `nodes`; returns the index of the node."""
    index = len(nodes)
    nodes.append([0, 0, 0, 0])
    if tree.is_branching_node():
        children = [_append_nodes(side, nodes) for side in (tree.get_left(), tree.get_right())]
        nodes[index] = [tree.get_split_feature(), tree.get_split_threshold(), *children]
    return index


def main() -> None:
    """Read X and y from the standard input, and write the tree to the standard output."""
    request = io.BytesIO(sys.stdin.buffer.read())
    X, y = (np.load(request, allow_pickle=False) for _ in range(2))
    json.dump(search(X, y, int(sys.argv[1]), float(sys.argv[2])), sys.stdout)


if __name__ == "__main__":
    main()
