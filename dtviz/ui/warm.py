"""The first page's work done once at the start, while the browser still loads its scripts."""

from __future__ import annotations

from dtviz import datasets
from dtviz.criteria import CRITERIA, default_criterion
from dtviz.figures import stage, tree_dot
from dtviz.figures.stage import View
from dtviz.rules import default_rules
from dtviz.search import candidates
from dtviz.tree import stump
from dtviz.ui import grow_page  # noqa: F401  (imported for its imports)
from dtviz.ui.state import START


def warm_up() -> None:
    """Import the landing page and draw its picture once: the first visitor waits less."""
    data = datasets.build(START)
    rules = default_rules(data.task)
    criterion = CRITERIA[default_criterion(data.task)]
    tree = stump(data, criterion)
    cuts = candidates(data, tree.rows[1], criterion)
    stage(data, tree, View(1, cuts, cuts.best)).to_json()
    tree_dot(data, rules, tree, {1: ""}, focus=1, next_node=1)
