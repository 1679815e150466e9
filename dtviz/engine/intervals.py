"""Which root cuts need not be opened, told by the cuts on both sides of them.

Along one feature the left side of a cut holds that of every cut before it, and rows more. Rows more
never lower what the best tree of a side leaves of impurity. So between two opened cuts a and b no
cut leaves less than the left side of a, the right side of b and the rows between them do: where
that is too much already, all between them are decided. They are too where they are at best as good
as what is known, but come after it or need more splits.

Glossary
    opened      the best cuts of its two sides have been searched
    cost        what a side leaves of impurity, as a share of all rows' weight
    interval    the cuts between two opened ones, or between one and an end of the line
    reach       the most that a cut of an interval can lower the impurity by
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.between import Span

Reach = tuple[float, ...]
"""The most that trees of 0, 1, 2 and 3 splits reach: with none nothing is cut."""


Settle = Callable[[Span], "list[Reach] | None"]
"""What each cut of an interval reaches; None: it is not told."""

FEW = 64
"""The cuts of an interval that may be settled: of more, too many cuts below survive."""


class Bar(NamedTuple):
    """What a root cut must reach to matter: more than the best known, or as much if it wins a tie.

    It ties from `floor` on, and then wins with fewer splits than `splits`, or as many before `at`.
    """

    floor: float = -math.inf
    best: float = math.inf
    splits: int = 3
    at: float = math.inf

    def met(self, reach: Reach, first: int) -> bool:
        """Whether the cuts from `first` on that reach so much may matter."""
        tie = reach[self.splits if first < self.at else self.splits - 1]
        return tie >= self.floor or reach[-1] > self.best


class Intervals:
    """The root cuts that are not decided, in intervals by what they reach.

    `line`, (R,), says which line each cut is on, those of one line in order; one at -1 is alone.
    `gain`, (R,), is what each gains by itself: the highest of a line is opened first. `whole` is
    the impurity of the root. `between` is what the rows of an interval cost at least, where that
    is known, see between.py.
    """

    def __init__(self, line: Ints, gain: Floats, whole: float) -> None:
        self.line, self.gain, self.whole = line, gain, whole
        self.opened, self.settled, self.bar = 0, 0, Bar()
        self.costs = np.zeros((2, 2, len(line)))
        ends = (np.flatnonzero((np.diff(line) != 0) | (line[1:] < 0)) + 1).tolist()
        lines = [*pairwise([0, *ends, len(line)])] if len(line) else []
        self.tops = {(first, end): first + int(gain[first:end].argmax()) for first, end in lines}
        self.between: dict[Span, float] = {}
        anything: Reach = (math.inf,) * 4
        self.heap = [(-math.inf, span, anything) for span in lines]  # least reach last
        self.asked: list[tuple[Span, int]] = []

    @property
    def lines(self) -> list[Span]:
        """The lines of more than one cut."""
        return [(first, end) for first, end in self.tops if end - first > 1]

    @property
    def share(self) -> float:
        """The share of the cuts that are decided."""
        left = sum(
            span[1] - span[0] for _, span, reach in self.heap if self.bar.met(reach, span[0])
        )
        return 1.0 - left / max(len(self.line), 1)

    def inner(self, span: Span) -> bool:
        """Whether an interval between opened cuts has few, for the first time."""
        first, end = span
        line, last = self.line, len(self.line)
        few = FEW // 2 <= end - first <= FEW and first > 0 and end < last
        return few and bool(line[first - 1] == line[first] == line[end])

    def half(self, span: Span) -> int:
        """The cut of an interval that is opened first: of a whole line the best by itself."""
        return self.tops.get(span, sum(span) // 2)

    def next(self, most: int, settle: Settle) -> Ints:
        """The cuts to be opened next, at most so many; none once all are decided.

        Some intervals are settled on the way: what each of their cuts reaches is told at once.
        """
        self.asked = []
        while self.heap and len(self.asked) < most:
            _, span, reach = heapq.heappop(self.heap)
            if not self.bar.met(reach, span[0]):
                continue
            reached = settle(span) if self.inner(span) else None
            if reached is None:
                self.asked.append((span, self.half(span)))
            else:
                self.settled += 1
                for at, one in zip(range(*span), reached, strict=True):
                    self._keep((at, at + 1), one)
        self.opened += len(self.asked)
        return np.array([at for _, at in self.asked], np.intp)

    def learn(self, costs: Floats, bar: Bar) -> None:
        """What the sides of those cost, in the order asked, and the bar after them.

        The costs, (2, 2, B), are those of a cut on the left and on the right, then of a leaf there.
        """
        self.bar = bar
        for k, (_, at) in enumerate(self.asked):
            self.costs[..., at] = costs[..., k]
        for (first, end), at in self.asked:
            self._put((first, at))
            self._put((at + 1, end))

    def _put(self, span: Span) -> None:
        """Keep an interval, unless it is empty or decided."""
        first, end = span
        if first == end:
            return
        line, last, costs = self.line, len(self.line), np.zeros((2, 2))
        if first and line[first - 1] == line[first]:
            costs[:, 0] = self.costs[:, 0, first - 1]
        if end < last and line[end] == line[first]:
            costs[:, 1] = self.costs[:, 1, end]
        (left, right), (left_leaf, right_leaf) = costs.tolist()
        whole = self.whole - self.between.get(span, 0.0)
        one = float(self.gain[first:end].max())
        two, three = whole - min(left + right_leaf, left_leaf + right), whole - (left + right)
        self._keep(span, (-math.inf, one, two, three))

    def _keep(self, span: Span, reach: Reach) -> None:
        """Keep an interval that reaches so much, unless that is too little."""
        if self.bar.met(reach, span[0]):
            heapq.heappush(self.heap, (-reach[-1], span, reach))
