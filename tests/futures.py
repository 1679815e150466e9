"""The time-line's future as tests need it: computed afresh for each log, none of the last one's."""

from __future__ import annotations

from functools import cache

from dtviz.data.dataset import Dataset
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.tree import Log, Move, fold
from dtviz.session.session import Future


def future_of(data: Dataset) -> Future:
    """The automatic moves after any log."""

    @cache
    def rest(rules: Rules, log: Log) -> Log:
        problem = Problem(data, rules)
        return finish(problem, fold(problem, log))[0]

    def future(rules: Rules, log: Log, first: Move | None = None, many: int = 1, /) -> Log:
        return rest(rules, log)

    return future
