"""Which root cuts need not be opened, told by the cuts on both sides of them.

Along one feature the left side of a cut holds that of every cut before it, and rows more. Rows more
never lower what the best tree of a side leaves of impurity. So between two opened cuts a and b no
cut leaves less than the left side of a and the right side of b do together: where that is too much
already, all between them are decided.

Glossary
    opened      the best cuts of its two sides have been searched
    cost        what the best tree of a side leaves of impurity, as a share of all rows' weight
    interval    the cuts between two opened ones, or between one and an end of the line
    reach       the most that a cut of an interval can lower the impurity by
    floor       what a cut must reach to matter: as much as the best opened one has
"""

from __future__ import annotations

import heapq
import math
from itertools import pairwise

import numpy as np

from dtviz.engine.cuts import Floats, Ints


class Intervals:
    """The root cuts that are not decided, in intervals by what they reach.

    `line`, (R,), says which line each cut is on, those of one line in order; one at -1 is alone.
    `gain`, (R,), is what each gains by itself: the highest of a line is opened first. `whole` is
    the impurity of the root.
    """

    def __init__(self, line: Ints, gain: Floats, whole: float) -> None:
        self.line, self.gain, self.whole = line, gain, whole
        self.opened, self.floor = 0, -math.inf
        self.costs = np.zeros((2, len(line)))
        ends = (np.flatnonzero((np.diff(line) != 0) | (line[1:] < 0)) + 1).tolist()
        edges = [0, *ends, len(line)] if len(line) else [0]
        self.heap = [(-math.inf, first, end) for first, end in pairwise(edges)]  # least reach last
        self.asked: list[tuple[int, int, int]] = []

    @property
    def share(self) -> float:
        """The share of the cuts that are decided."""
        left = sum(end - first for reach, first, end in self.heap if -reach >= self.floor)
        return 1.0 - left / max(len(self.line), 1)

    def next(self, most: int) -> Ints:
        """The cuts to be opened next, at most so many; none once all are decided."""
        self.asked = []
        while self.heap and len(self.asked) < most and -self.heap[0][0] >= self.floor:
            reach, first, end = heapq.heappop(self.heap)
            at = (first + end) // 2
            if reach == -math.inf:
                at = first + int(self.gain[first:end].argmax())
            self.asked.append((first, at, end))
        self.opened += len(self.asked)
        return np.array([at for _, at, _ in self.asked], np.intp)

    def learn(self, costs: Floats, floor: float) -> None:
        """What those cost left and right, (2, B), in the order asked; and the floor after them."""
        self.floor = floor
        for k, (_, at, _) in enumerate(self.asked):
            self.costs[:, at] = costs[:, k]
        for first, at, end in self.asked:
            self._put(first, at)
            self._put(at + 1, end)

    def _put(self, first: int, end: int) -> None:
        """Keep an interval, unless it is empty or decided."""
        if first == end:
            return
        line, last = self.line, len(self.line)
        left = self.costs[0, first - 1] if first and line[first - 1] == line[first] else 0.0
        right = self.costs[1, end] if end < last and line[end] == line[first] else 0.0
        reach = self.whole - float(left + right)
        if reach >= self.floor:
            heapq.heappush(self.heap, (-reach, first, end))
