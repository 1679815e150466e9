"""A tree as text, Python, SQL, JSON or DOT; the code, run, predicts what the model does.

Python and SQL carry thresholds to the last bit and send a row at the threshold left. Both are
flat, one line a leaf, so that no nesting limit is met by a deep tree.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from dtviz.engine.rules import Rules
from dtviz.engine.tree import Region, Tree, depth, prediction, preorder, regions
from dtviz.say.dot import dot
from dtviz.say.words import rule_text
from dtviz.table.data import Dataset
from dtviz.text import clean, count, number

KINDS = ("text", "python", "sql", "json", "dot")


def export(data: Dataset, rules: Rules, tree: Tree, kind: str) -> str:
    """The tree as one of KINDS; raises ValueError for another kind."""
    if kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; not {kind!r}")
    if kind == "json":
        return as_json(data, rules, tree)
    return {"text": text, "python": python, "sql": sql, "dot": dot}[kind](data, tree)


def text(data: Dataset, tree: Tree) -> str:
    """The tree as an indented outline, left branch first."""
    lines = []
    for node in sorted(tree.nodes, key=preorder):
        yes = "yes" if node % 2 == 0 else "no"
        how = f"{rule_text(data, tree, node // 2)}: {yes}: " if node > 1 else ""
        lines.append("  " * depth(node) + how + _says(data, tree, node))
    return "\n".join(lines) + "\n"


def _says(data: Dataset, tree: Tree, node: int) -> str:
    """What the text says of a node: its rows, and for a leaf what it predicts."""
    known = tree.nodes[node]
    rows = count(known.n, "row")
    if node in tree.splits:
        return f"[{rows}]"
    value = prediction(data, known)
    shown = clean(str(value)) if known.counts else number(value, 6)
    pairs = zip(data.class_names, known.counts, strict=True) if known.counts else ()
    counts = ", ".join(f"{name} {k:,}" for name, k in pairs if k)
    return f"-> {shown} [{rows}{': ' + counts if counts else ''}]"


def python(data: Dataset, tree: Tree) -> str:
    """A function `predict(row)`; `row` maps feature names to numbers."""
    target = clean(data.target).replace("\\", "/").replace('"', "'")
    lines = ["def predict(row):", f'    """Predict {target} of one row, a mapping of numbers."""']
    for box in regions(data, tree):
        value = repr(_plain(prediction(data, tree.nodes[box.node])))
        terms = _terms(data, box, lambda name: f"row[{name!r}]", repr)
        if not terms:
            return "\n".join([*lines, f"    return {value}", ""])
        lines += [f"    if {' and '.join(terms)}:", f"        return {value}"]
    return "\n".join([*lines, "    raise ValueError('a feature has no value')", ""])


def sql(data: Dataset, tree: Tree) -> str:
    """A CASE expression over quoted column names; NULL where a needed feature is NULL."""
    lines = []
    for box in regions(data, tree):
        terms = _terms(data, box, _sql_name, _sql_number)
        value = _sql_value(_plain(prediction(data, tree.nodes[box.node])))
        if not terms:
            return value + "\n"
        lines.append(f"  WHEN {' AND '.join(terms)} THEN {value}")
    return "CASE\n" + "\n".join(lines) + "\nEND\n"


def as_json(data: Dataset, rules: Rules, tree: Tree) -> str:
    """Everything: features, classes, criterion, and the nodes in preorder with their numbers."""
    body = {
        "dtviz": 1,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [_plain(value) for value in data.classes],
        "criterion": rules.criterion,
        "nodes": [_json_node(data, tree, node) for node in sorted(tree.nodes, key=preorder)],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _json_node(data: Dataset, tree: Tree, node: int) -> dict[str, Any]:
    known, split = tree.nodes[node], tree.splits.get(node)
    out: dict[str, Any] = {"id": node, "n": known.n, "impurity": known.impurity}
    if known.counts:
        out["counts"] = list(known.counts)
    out["value"] = _plain(prediction(data, known))
    if split is not None:
        out["feature"] = data.features[split.feature]
        out["threshold"] = split.threshold
        out["left"], out["right"] = 2 * node, 2 * node + 1
    return out


def _terms(
    data: Dataset, box: Region, name: Callable[[str], str], num: Callable[[float], str]
) -> list[str]:
    """The box as conditions in code, from what the names and numbers look like there."""
    terms = []
    for f, feature in enumerate(data.features):
        if box.lower[f] > -math.inf:
            terms.append(f"{name(feature)} > {num(box.lower[f])}")
        if box.upper[f] < math.inf:
            terms.append(f"{name(feature)} <= {num(box.upper[f])}")
    return terms


def _plain(value: Any) -> Any:
    """A class label as a literal: text, number or truth value; anything else as its text."""
    return value if isinstance(value, str | int | float | bool) else str(value)


def _sql_name(name: str) -> str:
    return '"' + name.replace('"', '""').replace("\0", "") + '"'


def _sql_number(value: float) -> str:
    """The number so that readers that lose the last bit of 17 digits still get it right.

    Up to 15 digits are read back exactly everywhere; a longer one is written as such a number
    plus a tiny rest, whose sum rounds to `value`.
    """
    if 0 < abs(value) < 1e-100:  # far powers of ten are not read exactly, powers of two are
        return f"({_sql_number(value * 2.0**49)} / {2.0**49:.1f})"
    if abs(value) > 1e100:
        return f"({_sql_number(value / 2.0**49)} * {2.0**49:.1f})"
    short = float(f"{value:.15g}")
    if short == value:
        return repr(short)
    return f"({short!r} + {value - short!r})"


def _sql_value(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''").replace("\0", "") + "'"
