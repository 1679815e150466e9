"""The panels under the cockpit: pruning, grid search, learning curve, spread, greedy's limit."""

from __future__ import annotations

from dtviz.ui.judge import Judged
from dtviz.ui.state import Screen


def panels(screen: Screen, found: Judged) -> None:
    """Draw the panels as tabs; only the one that is open is worked out."""
