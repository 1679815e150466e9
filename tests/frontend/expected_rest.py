"""What Python makes of the pad's changes, of trees and the palette, and Streamlit of messages."""

from __future__ import annotations

import random
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
from expected_stage import NAMES, TREES, packed
from google.protobuf.message import Message
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

import dtviz
from dtviz.data.dataset import make_dataset
from dtviz.data.drawing import Drawing, apply_change
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.splits import branch_nodes, first_part_node
from dtviz.pictures.scales import SCALE, class_colour, class_symbol, step_of
from dtviz.pictures.tree import tree_frame


def drawings() -> Any:
    """Rows, a change of the pad and what is left of them: rows stand more than once, some gone."""
    rng = random.Random(2)
    out = []
    for _ in range(300):
        rows = [_row(rng) for _ in range(rng.randint(0, 8))]
        change = [_pair(rng, rows) for _ in range(rng.randint(1, 5))]
        after = apply_change(
            Drawing("classes", tuple(rows)), [list(map(_cells, pair)) for pair in change]
        )
        out.append({"rows": rows, "change": change, "after": after.rows})
    return out


def _row(rng: random.Random) -> tuple[float, float, float]:
    return float(rng.randint(0, 1)), float(rng.randint(0, 1)), float(rng.randint(0, 2))


def _pair(rng: random.Random, rows: list[Any]) -> Any:
    old = rng.choice([None, _row(rng), *rows])
    return old, rng.choice([None, _row(rng)]) if old else _row(rng)


def _cells(row: Any) -> Any:
    return None if row is None else list(row)


def palettes() -> Any:
    """The colours of numbers on the pad, as the engine's pictures have them, and of classes."""
    values = [0.0, 0.7, 3.3, 5.0, 9.99, 10.0]
    return {
        "scale": list(SCALE),
        "numbers": [[value, SCALE[step_of(value, 0, 10)]] for value in values],
        "classes": [[class_colour(k), class_symbol(k)] for k in range(6)],
    }


def trees() -> Any:
    """Trees small and large, and what is known of each of their nodes."""
    return {
        "small": _tree(20, None),
        "large": _tree(500, None),
        "deep": _chain(),
        "one split": _tree(20, 1),
        "branches": _told(dtviz.load("restaurant"), None, families=("multiway",)),
    }


def _tree(n: int, most: int | None) -> Any:
    columns = np.random.default_rng(6).normal(size=(2, n))
    y = np.random.default_rng(7).integers(0, 3, n)
    return _told(make_dataset(columns, y, NAMES, "tree", TREES), most)


def _chain() -> Any:
    """The targets turn at every row: each split parts one row from the rest."""
    y = np.arange(60) % 2
    return _told(make_dataset([np.cumsum(np.arange(60.0) ** 2)], y, ["x"], "y", TREES[:2]), None)


def _told(data: Any, most: int | None, **more: Any) -> Any:
    rules = Rules(max_depth=most, **more)
    model = dtviz.fit(data, rules)
    tree = model.tree
    order, depths = tree.shown_nodes, tree.cut_depths
    parents = {node: first_part_node(tree.splits, node // 2) for node in order[1:]}
    below = Counter(top for node in order[1:] for top in _above(parents, node))
    frame = tree_frame(Problem(data, rules), tree, dict.fromkeys(tree.rows, ""), focus=1)
    return {
        "frame": packed("tree", frame),
        "nodes": [
            {
                "id": str(node),
                "level": depths[node] + 1,
                "parent": None if node == 1 else str(parents[node]),
                "below": below[node],
                "children": [str(k) for k in branch_nodes(tree.splits, node)]
                if node in tree.splits
                else [],
                "leaf": node in tree.rows,
            }
            for node in order
        ],
    }


def _above(parents: dict[int, int], node: int) -> Iterator[int]:
    while node in parents:
        yield (node := parents[node])


ENDS = ForwardMsg.ScriptFinishedStatus
LAST = ("file_urls_response", "heartbeat_ack", "backend_operation_response")
RUN = "\x30\x00" * 18  # an id of a run, which reads like its end


def messages() -> Any:
    """[name, bytes, whether it is the last of a run or none of it] of all that Streamlit says."""
    kinds = ForwardMsg.DESCRIPTOR.oneofs_by_name["type"].fields
    told = [(one.name, one.name, one.name in LAST) for one in kinds if not one.enum_type]
    told += [
        (one.name, "script_finished", one.name != "FINISHED_EARLY_FOR_RERUN")
        for one in ENDS.DESCRIPTOR.values
    ]
    out = []
    for (name, kind, last), parts in product(told, (0, 3, 30)):
        message = ForwardMsg(hash=RUN)
        message.metadata.delta_path.extend([0, 300])
        message.metadata.run.script_run_id = RUN
        message.metadata.run.fragment_ids.extend([RUN] * parts)
        value = getattr(message, kind)
        if isinstance(value, Message):
            value.SetInParent()
        else:
            setattr(message, kind, ENDS.Value(name) if kind != name else value)
        out.append([name, b64encode(message.SerializeToString()).decode(), last])
    drawn = ForwardMsg()
    drawn.delta.new_element.text.body = RUN * 10_000
    return [*out, ["long", b64encode(drawn.SerializeToString()).decode(), False]]
