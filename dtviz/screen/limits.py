"""The limits of a tree that may be none: how many levels, how many leaves.

Glossary
    reached    what a tree without the limit has: a limit below that makes another tree
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from dtviz.engine.grow import finish
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Tree, fold, height
from dtviz.screen.screen import Screen

LIMITS: dict[str, tuple[int, Callable[[Tree], int]]] = {
    "max_depth": (1, height),
    "max_leaf_nodes": (2, lambda tree: len(tree.rows)),
}
"""By the rule: the least value, and how much of it a tree has."""


def stepped(screen: Screen, rule: str, up: bool) -> Rules:
    """The rules with one more or less of a limit; none stands above what is reached."""
    least, _ = LIMITS[rule]
    own: int | None = getattr(screen.session.rules, rule)
    if own is None:
        return _with(screen, rule, None if up else max(least, _reached(screen, rule)))
    ends = up and own >= _reached(screen, rule)
    return _with(screen, rule, None if ends else max(least, own + (1 if up else -1)))


def _with(screen: Screen, rule: str, value: int | None) -> Rules:
    changed: dict[str, Any] = {rule: value}
    return replace(screen.session.rules, **changed)


def _reached(screen: Screen, rule: str) -> int:
    """What the tree of the other rules has."""
    free = _with(screen, rule, None)

    def grown() -> int:
        start = fold(screen.data, free, ())
        return LIMITS[rule][1](finish(screen.data, free, start)[1])

    return screen.keep.get(("reached", screen.session.recipe, free, rule), grown)
