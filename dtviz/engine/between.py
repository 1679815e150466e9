"""What the rows between two root cuts cost at least, whichever cut between them is made.

Rows cost no less together than in parts that each have a tree of their own. The cut made is the
middle one of an interval, or lies in one half, so that all rows of the other are on one side of it:
there one cut parts them at best. The rows of an interval thus cost what the best cut of one half
leaves and what the other half costs in the same way, or what the best cuts of both halves leave:
the least of the three.

Glossary
    span     first and end of the root cuts of an interval, see intervals.py
    block    the rows between the neighbours of a span
    stump    the best cut of a block, or none
    cost     what is left of impurity, as a share of all rows' weight
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dtviz.arrays import Floats, Ints
from dtviz.engine.frontier import Frontier, children, parted, restrict
from dtviz.slices import Slices

FEWEST = 8
"""A block of fewer rows is parted so well by chance that it is taken to cost nothing."""

Span = tuple[int, int]


def costs_between(
    front: Frontier,
    place: Ints,
    whole: Span,
    half: Callable[[Span], int],
    stumps: Callable[[Frontier], Floats],
) -> Slices[dict[Span, float]]:
    """What the rows of each span cost at least, from the whole line of root cuts down.

    `front` is one node of all rows, `place`, (n,), how many cuts of the line have each row on their
    right, counted from the first of all cuts; `half` is the cut that parts a span in two, `stumps`
    gives what the best cuts of blocks leave, (m,). Yields the share done, level by level.
    """
    spans, known = [whole], {whole: 0.0}
    while spans:
        yield 1.0 - 1.0 / (1.0 + len(known))
        ats = [half(span) for span in spans]
        child, sizes = parted(front, place.take(front.rows[0]) <= np.take(ats, front.owner))
        below = [(first, at) for (first, _), at in zip(spans, ats, strict=True)]
        below += [(at + 1, end) for (_, end), at in zip(spans, ats, strict=True)]
        keep = sizes >= FEWEST
        if not keep.any():
            break
        front = children(front, child, sizes, keep)
        spans = [span for span, on in zip(below, keep.tolist(), strict=True) if on]
        known |= zip(spans, stumps(front).tolist(), strict=True)
        going = np.array([first < end for first, end in spans])
        front, spans = restrict(front, going), [(a, b) for a, b in spans if a < b]
    return _least(known, half)


def _least(stumps: dict[Span, float], half: Callable[[Span], int]) -> dict[Span, float]:
    """What spans cost at least from what the best cuts of their blocks leave, halves first."""
    out: dict[Span, float] = {}
    for first, end in reversed(stumps):
        if first == end:
            out[first, end] = math.inf  # no cut lies in it
            continue
        at = half((first, end))
        one, other = (first, at), (at + 1, end)
        whole, other_whole = stumps.get(one, 0.0), stumps.get(other, 0.0)
        out[first, end] = min(
            whole + other_whole, out.get(one, 0.0) + other_whole, whole + out.get(other, 0.0)
        )
    return out
