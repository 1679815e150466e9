"""What the public functions are given: passed on, or refused in one sentence."""

from __future__ import annotations

from typing import Any

from dtviz.engine.rules import Rules, RulesError, default_rules
from dtviz.engine.splits import Split
from dtviz.engine.tree import Collapse, Grow, Log, LogError
from dtviz.table.data import DataError, Dataset
from dtviz.text import shown


def data_of(value: Any) -> Dataset:
    """The Dataset; raises DataError if it is none."""
    if not isinstance(value, Dataset):
        makers = "a Dataset, as `from_frame`, `read_table` or `load` make it"
        raise DataError(f"`data` must be {makers}; not {shown(value)}")
    return value


def rules_of(value: Any, data: Dataset) -> Rules:
    """The Rules, None for the usual ones of the task; raises RulesError if it is neither."""
    if value is None:
        return default_rules(data.task)
    if not isinstance(value, Rules):
        raise RulesError(f"`rules` must be Rules or None; not {shown(value)}", "rules", "Rules")
    return value


def log_of(value: Any) -> Log:
    """The moves as a tuple; raises LogError if something in them is no move."""
    try:
        log = tuple(value)
    except TypeError:
        raise LogError(f"`log` must be a sequence of moves; not {shown(value)}") from None
    for index, move in enumerate(log):
        known = isinstance(move, Grow | Collapse) and isinstance(move.node, int)
        if not known or (isinstance(move, Grow) and not isinstance(move.split, Split)):
            said = "Grow(node, split) or Collapse(node), the node an int"
            raise LogError(f"a move must be {said}; not {shown(move)}", index)
    return log
