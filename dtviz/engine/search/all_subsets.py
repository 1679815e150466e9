"""The subsets of categories that a node tries beside those that its orders show.

Glossary
    place       of a value in the node's order of its category; the cuts of the order stand between
                two places, and part the first values from the rest
    scattered   a subset with the first value and some of the others, but not those next to it: no
                cut of the order parts it from the rest
    bits        a subset as a number: that of 2^place for each of its values
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dtviz.base.arrays import Bools, Ints
from dtviz.engine.criteria.criteria import Criterion
from dtviz.engine.criteria.statistics import Amounts
from dtviz.engine.search.category_order import MOST_TRIED
from dtviz.engine.search.evaluate import Cuts, searched
from dtviz.engine.search.frontier import starts_of
from dtviz.engine.search.histogram import COUNT, Tally
from dtviz.engine.search.minimum import Least
from dtviz.engine.search.missing import Policy
from dtviz.engine.splits import HALF


class Scattered(NamedTuple):
    """Scattered subsets of some lines: the cut of each is the one `at` which it is in `cuts`.

    `bits` are those of the values that go left, the lighter side; `size` says how many values are
    on the side of the first one: arrays (subsets,), those of a line together.
    """

    line: Ints
    bits: Ints
    size: Ints
    cuts: Cuts
    at: Ints

    def told(self, found: Tally) -> dict[str, NDArray[Any]]:
        """All that candidates tell of them but ties, by name; `found` is the tally of the node.

        No cut of a node whose rows are all of one class is at a boundary.
        """
        at, sides = self.at, self.cuts.sides
        n, weight = sides.n.take(at, axis=1), sides.weight.take(at, axis=1)
        impurity = np.maximum(self.cuts.spread.take(at, axis=1) / weight, 0.0)
        heavy = weight if found.weight_unit is None else weight * found.node_weight[0]
        score = self.cuts.score.take(at)
        return {
            "line": self.line,
            "threshold": self.size - HALF,
            "lower": self.size - 1.0,
            "upper": self.size.astype(np.float64),
            "n_left": n[0],
            "n_right": n[1],
            "weight_left": heavy[0],
            "weight_right": heavy[1],
            "impurity_left": impurity[0],
            "impurity_right": impurity[1],
            "gain": sides.gain.take(at),
            "score": score,
            "admissible": self.cuts.admissible.take(at),
            "boundary": (score > 0) | (impurity > 0).any(axis=0),
            "turned": np.zeros(len(at), np.bool_),
            "scattered": self.bits,
            "missing_left": np.asarray(self.cuts.sends_left(at)),
        }


class _Sides(NamedTuple):
    """The subsets of one line, each a row of `named`, (subsets, values); its groups are `own`."""

    line: int
    own: slice
    named: Bools

    def told(self, amounts: Amounts) -> Amounts:
        """What the named values of each subset have, then the others, then those without one."""
        part = amounts[self.own]
        known = part[: self.named.shape[1]]
        left = self.named.astype(COUNT) @ known
        out = [
            left,
            known.sum() - left,
            *(one.repeat(len(left)) for one in part[len(known) :, None]),
        ]
        return np.array(out).T.ravel()


def scattered(
    found: Tally, values: Mapping[int, int], criterion: Criterion, policy: Policy, least: Least
) -> Scattered | None:
    """Those of the lines with so many values each, of one node's tally that has them in order."""
    ends, heavy = found.per_segment.ravel().cumsum(), _whole(found, found.weight)
    lines = list[_Sides]()
    bits, sizes = list[Ints](), list[Ints]()
    for line, many in values.items():
        if not 2 < many <= MOST_TRIED:
            continue
        own = slice(int(ends[line] - found.per_segment[line, 0]), int(ends[line]))
        some, size = _subsets(many)
        some = _lighter(some, size, heavy[own][:many])
        lines.append(_Sides(line, own, (some[:, None] >> np.arange(many) & 1).astype(np.bool_)))
        bits.append(some)
        sizes.append(size)
    if not lines:
        return None
    cuts = searched(_told_apart(found, lines), criterion, policy, least)
    own_line = np.array([one.line for one in lines]).repeat([*map(len, bits)])
    first = starts_of(cuts.per_segment.ravel())
    return Scattered(own_line, np.concatenate(bits), np.concatenate(sizes), cuts, first)


@lru_cache(maxsize=MOST_TRIED)
def _subsets(values: int) -> tuple[Ints, Ints]:
    """The scattered subsets of so many values, the smaller ones first, and their sizes."""
    bits = np.arange(1, 1 << values, 2)
    bits = bits[bits & (bits + 1) > 0]
    size = np.array([one.bit_count() for one in bits.tolist()], np.intp)
    order = np.lexsort((bits, size))
    return bits[order], size[order]


@lru_cache(maxsize=1 << MOST_TRIED)
def places_of(bits: int) -> tuple[int, ...]:
    """The places that a subset has."""
    return tuple(at for at in range(bits.bit_length()) if bits >> at & 1)


def _lighter(bits: Ints, size: Ints, heavy: NDArray[Any]) -> Ints:
    """The side of each subset that is named: the lighter one, then the shorter one."""
    values = len(heavy)
    weight = (bits[:, None] >> np.arange(values) & 1) @ heavy
    rest = heavy.sum() - weight
    other = (weight > rest) | ((weight == rest) & (2 * size > values))
    return np.where(other, (1 << values) - 1 - bits, bits)


def _whole(found: Tally, amounts: Amounts | None) -> Amounts:
    """Amounts as whole numbers; of None the rows of each group."""
    return found.sizes if amounts is None else amounts.astype(COUNT, copy=False)


def _told_apart(found: Tally, lines: list[_Sides]) -> Tally:
    """A tally in which each subset is a line of two groups; rows without a value are a third."""

    def told(amounts: Amounts) -> Amounts:
        return np.concatenate([one.told(amounts) for one in lines])

    def of_lines(array: NDArray[Any] | None) -> NDArray[Any] | None:
        if array is None:
            return None
        return np.concatenate([array[one.line][None].repeat(len(one.named), 0) for one in lines])

    kept = [told(_whole(found, amounts)) for amounts in found.sums()]
    n = told(found.sizes)
    groups = [2 + one.own.stop - one.own.start - one.named.shape[1] for one in lines]
    counts = [len(one.named) for one in lines]
    per_segment = np.array(groups).repeat(counts)[:, None]
    values = [np.tile([0.0, 1.0, np.nan][:k], many) for k, many in zip(groups, counts, strict=True)]
    return found._replace(
        values=np.concatenate(values),
        per_segment=per_segment,
        n=n,
        sums=lambda: iter(kept),
        weight=None if found.weight is None else told(_whole(found, found.weight)),
        gaps=of_lines(found.gaps),
        part=of_lines(found.part),
        categories=None,
        in_full=None,
        entries=None,
    )
