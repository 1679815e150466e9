"""A toy of each kind that the registries hold, and how to have it there for one test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from dtviz.base.text import Dialect
from dtviz.data.dataset import Dataset
from dtviz.engine.leaves.leaf_models import LEAF_MODELS, LeafModel
from dtviz.engine.leaves.linear import WriteLiteral
from dtviz.engine.leaves.node_facts import NodeFacts
from dtviz.engine.search.frontier import Frontier
from dtviz.engine.splits import FAMILIES, Family, linear_clip


@contextmanager
def registered(registry: dict[str, Any], name: str, value: Any) -> Iterator[None]:
    """The value in the registry, for as long as the context lasts."""
    assert name not in registry
    registry[name] = value
    try:
        yield
    finally:
        del registry[name]


@dataclass(frozen=True, slots=True, order=True)
class Sum:
    """The projection on the sum of two features."""

    family: ClassVar[str] = "sum"
    first: int
    second: int


def _score(projections: Sequence[Sum], which: Any, columns: Any, rows: Any) -> Any:
    first, second = (
        np.array([getattr(one, name) for one in projections]) for name in Sum.__slots__
    )
    flat, n = columns.ravel(), columns.shape[1]
    return flat.take(first.take(which) * n + rows) + flat.take(second.take(which) * n + rows)


def _problem(projection: Sum, data: Dataset) -> str:
    features = len(data.features)
    there = max(projection.first, projection.second) < features
    return "" if there else f"a sum of features that are not there; there are {features}"


def _read(text: str) -> Sum | None:
    words = text.split("-")
    fine = len(words) == 2 and all(word.isdecimal() and len(word) < 5 for word in words)
    return Sum(int(words[0]), int(words[1])) if fine else None


def _formula(projection: Sum, data: Dataset, dialect: Dialect) -> str:
    return " + ".join(dialect.name(data.features[f]) for f in (projection.first, projection.second))


def _propose(data: Dataset) -> tuple[Sum, ...]:
    return (Sum(0, 1),) if len(data.features) > 1 else ()


SUM = Family(
    name="sum",
    title="sums",
    code="s",
    propose=_propose,
    score=_score,
    problem=_problem,
    write=lambda projection: f"{projection.first}-{projection.second}",
    read=_read,
    formula=_formula,
    clip=linear_clip,
)


@contextmanager
def sum_family() -> Iterator[Family]:
    """The family `x1 + x2 <= t`, registered."""
    with registered(FAMILIES, SUM.name, SUM):
        yield SUM


def _fit(data: Dataset, front: Frontier, known: NodeFacts) -> Any:
    """The mean of each node, and the least-squares slope along the first feature."""
    ends = front.starts + front.sizes
    of = [front.rows[0, a:b] for a, b in zip(front.starts, ends, strict=True)]
    return np.array([[known.value[j], *_line(data, rows)] for j, rows in enumerate(of)])


def _line(data: Dataset, rows: Any) -> tuple[float, float]:
    x, y = data.columns[0][rows], data.y[rows]
    spread = float(np.var(x))
    slope = float(np.mean((x - x.mean()) * (y - y.mean())) / spread) if spread else 0.0
    return float(y.mean() - slope * x.mean()), slope


def _slanted(params: Any, columns: Any, rows: Any) -> Any:
    return params[:, 1] + params[:, 2] * columns[0].take(rows)


def _sloping(params: Any, features: Sequence[str], dialect: Dialect, literal: WriteLiteral) -> str:
    _, start, slope = params
    return f"{literal(start)} + {literal(slope)} * {dialect.name(features[0])}"


SLOPE = LeafModel("slope", "Slope", "regression", _fit, _slanted, _sloping, linear_score=_slanted)


@contextmanager
def slope_model() -> Iterator[LeafModel]:
    """The leaf model `a + b x1`, registered."""
    with registered(LEAF_MODELS, SLOPE.name, SLOPE):
        yield SLOPE
