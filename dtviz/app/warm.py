"""Preloading at the start of the server, while the browser still loads its scripts."""

from __future__ import annotations

from dtviz.app import site  # noqa: F401  (imported for its imports)
from dtviz.app.state import START
from dtviz.data import gallery
from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import stump
from dtviz.models.steps import node_candidates


def warm_up() -> None:
    """Import the landing page and search its root once, so that the first visitor waits less."""
    data = gallery.build(START)
    rules = default_rules(data.task)
    problem = Problem(data, rules)
    node_candidates(problem, stump(problem), 1)
