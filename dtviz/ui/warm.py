"""The first page's work done once at the start, while the browser still loads its scripts."""

from __future__ import annotations

from dtviz.engine.problem import Problem
from dtviz.engine.rules import default_rules
from dtviz.engine.tree import stump
from dtviz.table import gallery
from dtviz.trace import node_candidates
from dtviz.ui import site  # noqa: F401  (imported for its imports)
from dtviz.ui.state import START


def warm_up() -> None:
    """Import the landing page and search its data once: the first visitor waits less."""
    data = gallery.build(START)
    rules = default_rules(data.task)
    problem = Problem(data, rules)
    node_candidates(problem, stump(problem), 1)
