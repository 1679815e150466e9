"""The first page's work done once at the start, while the browser still loads its scripts."""

from __future__ import annotations

from dtviz.engine.criteria import CRITERIA, default_criterion
from dtviz.engine.rules import default_rules
from dtviz.engine.search import candidates
from dtviz.engine.tree import stump
from dtviz.table import gallery
from dtviz.ui import grow_page  # noqa: F401  (imported for its imports)
from dtviz.ui.state import START


def warm_up() -> None:
    """Import the landing page and search its data once: the first visitor waits less."""
    data = gallery.build(START)
    criterion = CRITERIA[default_criterion(data.task)]
    tree = stump(data, criterion)
    candidates(data, tree.rows[1], criterion, default_rules(data.task).min_samples_leaf)
