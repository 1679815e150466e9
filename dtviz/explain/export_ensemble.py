"""Export of an ensemble as Python or JSON; the Python predicts what the trees predict together.

Each tree is a function, written as that of a single tree (see export.py), which returns a class
code or a number. The predictions are added to scores in the order of the trees, as the engine adds
them, so that even votes that are not whole numbers tie alike.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from dtviz.base.arrays import ROUNDING
from dtviz.base.text import clean, short_repr
from dtviz.data.dataset import Dataset
from dtviz.data.weights import relative_costs
from dtviz.engine.ensembles import Ensemble
from dtviz.engine.tree import Tree, preorder_key
from dtviz.explain.export import PYTHON, function_code, json_node, plain, prediction_code

KINDS = ("python", "json")


class _PythonMerge(NamedTuple):
    """Python lines that merge the predictions of the trees."""

    add: tuple[str, ...]  # add the prediction `said` of one tree to the scores
    meaning: tuple[str, ...]  # return a number or the class shares, from the scores


_SUM = ("scores[column] += amount * said",)
_MERGES = {
    "vote": _PythonMerge(
        ("scores[said] += amount",),
        ("whole = sum(scores)", "return [score / whole for score in scores]"),
    ),
    "mean": _PythonMerge(
        ("scores[0] += amount * said", "scores[1] += amount"), ("return scores[0] / scores[1]",)
    ),
    "sum": _PythonMerge(_SUM, ("return scores[0]",)),
    "logits": _PythonMerge(
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
"""The Python lines of each way of an ensemble, by the way's name."""


def export_all(ensemble: Ensemble, kind: str) -> str:
    """The ensemble as one of KINDS; raises ValueError for another kind."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise ValueError(f"`kind` must be one of {', '.join(KINDS)}; not {short_repr(kind)}")
    return {"python": python, "json": as_json}[kind](ensemble)


def python(ensemble: Ensemble) -> str:
    """Python code of `predict(row)`, and of `predict_proba(row)` for classes."""
    functions = *_tree_functions(ensemble), _merge_function(ensemble)
    return "\n\n".join((*functions, *_predict_functions(ensemble.data)))


def _tree_functions(ensemble: Ensemble) -> Iterator[str]:
    """Python code of a function for each tree, and of the tuple _TREES of them."""
    data, members = _member_data(ensemble), list[str]()
    literal = _int_literal if data.classes else repr
    amounts = zip(ensemble.score_index.tolist(), ensemble.member_factor.tolist(), strict=True)
    pairs = zip(_predicting_trees(ensemble), amounts, strict=True)
    for member, (tree, column_and_amount) in enumerate(pairs):
        name, purpose = f"_tree_{member}", f"What tree {member} says of one row"
        returned = partial(prediction_code, data, tree, PYTHON.dialect, literal)
        yield function_code(data, tree, name, purpose, returned)
        members.append(f"({', '.join((name, *map(repr, column_and_amount)))}),")
    head = "_TREES = (  # the column of the scores of each, and its amount"
    yield _indented(head, *members) + ")\n"


def _merge_function(ensemble: Ensemble) -> str:
    """Python code of the function that merges the predictions of all trees."""
    merge = _MERGES[ensemble.combiner.name]
    return _indented(
        "def _meaning(row):",
        '"""What the trees say together: the share of each class, or a number."""',
        f"scores = {ensemble.initial_scores.tolist()!r}",
        "for tree, column, amount in _TREES:",
        "    said = tree(row)",
        *(f"    {line}" for line in merge.add),
        *merge.meaning,
    )


def _predict_functions(data: Dataset) -> Iterator[str]:
    """Python code of the functions for users: `predict`, and `predict_proba` for classes."""
    target = clean(data.target).replace("\\", "/").replace('"', "'")
    predict = "def predict(row):", f'"""Predict {target} of one row, a mapping of numbers."""'
    if not data.classes:
        yield _indented(*predict, "return _meaning(row)")
        return
    yield f"_CLASSES = {[plain(value) for value in data.classes]!r}\n"
    yield _indented(*predict, "shares = _meaning(row)", *_choose_class_lines(data))
    yield _indented(
        "def predict_proba(row):",
        f'"""The share of each class of {target} for one row, a mapping of numbers."""',
        "return dict(zip(_CLASSES, _meaning(row)))",
    )


def as_json(ensemble: Ensemble) -> str:
    """The ensemble as JSON: the nodes of each tree as a tree's JSON has them, and the merge.

    "way" is vote, mean, sum or logits. Scores begin at "start". A tree adds its "amount" times its
    prediction, the "value" of a leaf, to the score "column"; in a vote its "amount" to the score of
    the class that it predicts.
    """
    data, member_data = ensemble.data, _member_data(ensemble)
    amounts = ensemble.score_index.tolist(), ensemble.member_factor.tolist()
    body = {
        "dtviz": 1,
        "ensemble": ensemble.plan.kind,
        "task": data.task,
        "target": data.target,
        "features": list(data.features),
        "classes": [plain(value) for value in data.classes],
        "criterion": ensemble.members.rules.criterion,
        "way": ensemble.combiner.name,
        "start": ensemble.initial_scores.tolist(),
        **({} if data.costs is None else {"costs": data.costs.tolist()}),
        "trees": [
            {
                "column": column,
                "amount": amount,
                "leaf_model": tree.leaf_model.name,
                "nodes": [
                    json_node(member_data, tree, node)
                    for node in sorted(tree.nodes, key=preorder_key)
                ],
            }
            for tree, column, amount in zip(_predicting_trees(ensemble), *amounts, strict=True)
        ],
    }
    return json.dumps(body, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _member_data(ensemble: Ensemble) -> Dataset:
    """The rows that the trees are grown on; of boosting their targets are numbers."""
    return ensemble.members.data


def _predicting_trees(ensemble: Ensemble) -> Iterator[Tree]:
    """The trees, each leaf with the parameters by which it predicts in the ensemble."""
    members = ensemble.members
    for member in range(len(members)):
        tree, places = members.tree(member), members.nodes_of(member)
        leaves = {
            leaf: replace(tree.nodes[leaf], params=tuple(members.params[places[leaf]].tolist()))
            for leaf in tree.rows
        }
        yield replace(tree, nodes=dict(tree.nodes) | leaves)


def _int_literal(value: float) -> str:
    return repr(int(value))


def _choose_class_lines(data: Dataset) -> tuple[str, ...]:
    """Python lines that choose a class by its shares: the first of largest share or least cost."""
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


def _indented(head: str, *body: str) -> str:
    """A line of code with its body, indented."""
    return "\n".join([head, *(f"    {line}" for line in body), ""])
