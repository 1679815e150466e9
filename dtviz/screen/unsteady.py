"""The sentences of Stability: how much the trees of other rows are the full tree."""

from __future__ import annotations

import numpy as np

from dtviz.engine.rules import Rules
from dtviz.judge.stability import WAYS, Shake, Shaken, out_of, room, trees_of
from dtviz.table.data import Dataset
from dtviz.text import count, number


def summary(data: Dataset, shake: Shake, found: Shaken) -> str:
    """How many trees are the full one, how many others there are, how often roots change."""
    trees = len(found.seen)
    same = int((found.alike[1:] == found.alike[0]).sum())
    others = len({*found.alike[1:].tolist()} - {int(found.alike[0])})
    root = int((found.roots[1:] != found.roots[0]).sum())
    said = f"{_grown(data, shake, trees)}: {_some(same, trees)} make the cuts of the full tree"
    if others:
        said += (
            f"; the others are {others:,} different trees"
            if others > 1
            else "; the others are one tree"
        )
    said += f". The first cut is another in {_some(root, trees)}. {_agreement(data, found)}"
    return said


def _grown(data: Dataset, shake: Shake, trees: int) -> str:
    way = WAYS[shake.way]
    if way.each:
        return f"{count(trees, 'tree')}, each without one row"
    if way.percent:
        return f"{count(trees, 'tree')}, each without {count(out_of(data.n, shake), 'row')}"
    return f"{count(trees, 'tree')}, each on {data.n:,} rows drawn again and again"


def _some(some: int, whole: int) -> str:
    return {0: "none", whole: "all"}.get(some, f"{some:,}")


def _agreement(data: Dataset, found: Shaken) -> str:
    """How far the trees agree with the full one, on average."""
    rows, plane = float(np.mean(found.moved)), float(np.mean(found.seen))
    if not data.classes:
        return (
            f"On average a tree predicts {number(rows, 3)} otherwise at the rows and "
            f"{number(plane, 3)} over the picture."
        )
    return (
        f"On average a tree agrees with the full one on all but {number(100 * rows, 3)} % of the "
        f"rows and {number(100 * plane, 3)} % of the picture."
    )


def bounds(data: Dataset, rules: Rules, shake: Shake, found: Shaken, drawn: int) -> str:
    """What is left out where there are very many rows or cuts; '' where nothing is."""
    trees, way, said = len(found.seen), WAYS[shake.way], list[str]()
    rows = f"all trees together have room for {room(data, rules):,} rows"
    if way.each and trees < data.n:
        said.append(
            f"Of {data.n:,} rows {trees:,} are left out in turn, drawn by the seed: {rows}."
        )
    if way.drawn and trees_of(data, rules, shake) < shake.trees:
        said.append(f"{trees:,} trees instead of {shake.trees:,}: {rows}.")
    if drawn < trees:
        said.append(f"The {drawn:,} trees that change most can be looked at; all {trees:,} count.")
    return " ".join(said)
