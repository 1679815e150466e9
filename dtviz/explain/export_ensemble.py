"""An ensemble as Python or JSON; the Python, run, predicts what the trees do together.

Each tree is a function of its own, written as a single tree is (see export.py), which gives the
number of a class or a number. What the trees say is added up to scores in their order, as the
engine does it, so that even votes that are not whole numbers tie alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from dtviz.base.arrays import ROUNDING
from dtviz.base.text import clean, shown
from dtviz.data.dataset import Dataset
from dtviz.data.weights import relative_costs
from dtviz.engine.ensembles import Ensemble
from dtviz.engine.tree import Tree, preorder
from dtviz.explain.export import PYTHON, function, json_node, plain, says_of

KINDS = ("python", "json")


class _Told(NamedTuple):
    """A way to say something together in Python: how a tree adds to the scores, what they mean.

    `meaning` gives a number, or the shares of the classes.
    """

    add: tuple[str, ...]
    meaning: tuple[str, ...]


_SUM = ("scores[column] += amount * said",)
_WAYS = {
    "vote": _Told(
        ("scores[said] += amount",),
        ("whole = sum(scores)", "return [score / whole for score in scores]"),
    ),
    "mean": _Told(
        ("scores[0] += amount * said", "scores[1] += amount"), ("return scores[0] / scores[1]",)
    ),
    "sum": _Told(_SUM, ("return scores[0]",)),
    "logits": _Told(
        _SUM,
        (
            "from math import exp",
            "scores = [0.0, *scores] if len(scores) == 1 else scores",
            "most = max(scores)",
            "powers = [exp(score - most) for score in scores]",
            "whole = sum(powers)",
            "return [power / whole for power in powers]",
        ),
    ),
}
"""Every way of the ensembles by name."""


def export_all(ensemble: Ensemble, kind: str) -> str:
    """The whole ensemble as one of KINDS; raises ValueError for another kind."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; not {shown(kind)}")
    return {"python": python, "json": as_json}[kind](ensemble)


def python(ensemble: Ensemble) -> str:
    """`predict(row)`, and of classes `predict_proba(row)`, as the Python of a tree has them."""
    return "\n\n".join((*_members(ensemble), _meaning(ensemble), *_answers(ensemble.data)))


def _members(ensemble: Ensemble) -> Iterator[str]:
    """A function for each tree, and a list of them."""
    own, members = _table(ensemble), list[str]()
    literal = _code if own.classes else repr
    amounts = zip(ensemble.column.tolist(), ensemble.amount.tolist(), strict=True)
    for member, (tree, amount) in enumerate(zip(_trees(ensemble), amounts, strict=True)):
        name, about = f"_tree_{member}", f"What tree {member} says of one row"
        says = partial(says_of, own, tree, PYTHON.dialect, literal)
        yield function(own, tree, name, about, says)
        members.append(f"({', '.join((name, *map(repr, amount)))}),")
    head = "_TREES = (  # the column of the scores of each, and its amount"
    yield _lines(head, *members) + ")\n"


def _meaning(ensemble: Ensemble) -> str:
    told = _WAYS[ensemble.way.name]
    return _lines(
        "def _meaning(row):",
        '"""What the trees say together: the share of each class, or a number."""',
        f"scores = {ensemble.start.tolist()!r}",
        "for tree, column, amount in _TREES:",
        "    said = tree(row)",
        *(f"    {line}" for line in told.add),
        *told.meaning,
    )


def _answers(data: Dataset) -> Iterator[str]:
    """What a user calls: `predict`, and of classes `predict_proba`."""
    target = clean(data.target).replace("\\", "/").replace('"', "'")
    predict = "def predict(row):", f'"""Predict {target} of one row, a mapping of numbers."""'
    if not data.classes:
        yield _lines(*predict, "return _meaning(row)")
        return
    yield f"_CLASSES = {[plain(value) for value in data.classes]!r}\n"
    yield _lines(*predict, "shares = _meaning(row)", *_choice(data))
    yield _lines(
        "def predict_proba(row):",
        f'"""The share of each class of {target} for one row, a mapping of numbers."""',
        "return dict(zip(_CLASSES, _meaning(row)))",
    )


def as_json(ensemble: Ensemble) -> str:
    """Everything: the trees with their nodes as the JSON of a tree has them, and how they add up.

    "way" is vote, mean, sum or logits: scores begin at "start"; a tree adds its "amount" times what
    it says, a leaf's "value", to its "column"; in a vote its "amount" to the class that it says.
    """
    data, own = ensemble.data, _table(ensemble)
    columns, amounts = ensemble.column.tolist(), ensemble.amount.tolist()
    body = {
        "dtviz": 1,
        "ensemble": ensemble.plan.kind,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [plain(value) for value in data.classes],
        "criterion": ensemble.members.rules.criterion,
        "way": ensemble.way.name,
        "start": ensemble.start.tolist(),
        **({} if data.costs is None else {"costs": data.costs.tolist()}),
        "trees": [
            {
                "column": column,
                "amount": amount,
                "leaf_model": tree.leaf_model.name,
                "nodes": [json_node(own, tree, node) for node in sorted(tree.nodes, key=preorder)],
            }
            for tree, column, amount in zip(_trees(ensemble), columns, amounts, strict=True)
        ],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _table(ensemble: Ensemble) -> Dataset:
    """The rows of all trees, with the kind of target that these have."""
    return ensemble.members.data


def _trees(ensemble: Ensemble) -> Iterator[Tree]:
    """The trees, their leaves saying what they say in the ensemble."""
    members = ensemble.members
    for member in range(len(members)):
        tree, places = members.tree(member), members.nodes_of(member)
        leaves = {
            leaf: replace(tree.nodes[leaf], params=tuple(members.params[places[leaf]].tolist()))
            for leaf in tree.rows
        }
        yield replace(tree, nodes=dict(tree.nodes) | leaves)


def _code(value: float) -> str:
    return repr(int(value))


def _choice(data: Dataset) -> tuple[str, ...]:
    """The class of the shares: the first that has the most, or costs the least."""
    if data.costs is None:
        return (
            f"least = max(shares) * {1 - ROUNDING!r}",
            "return next(label for label, share in zip(_CLASSES, shares) if share >= least)",
        )
    costs = relative_costs(data.costs).T.tolist()
    return (
        f"costs = {costs!r}  # of calling a row this, by what it is",
        "costs = [sum(p * cost for p, cost in zip(shares, line)) for line in costs]",
        "least = min(costs)",
        f"return next(c for c, cost in zip(_CLASSES, costs) if cost * {1 - ROUNDING!r} <= least)",
    )


def _lines(head: str, *body: str) -> str:
    """A head with its body, indented."""
    return "\n".join([head, *(f"    {line}" for line in body), ""])
