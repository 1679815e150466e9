"""Whether a target explains what a boosted tree says of itself, whatever penalties it was under.

Both libraries give a node the value w = -T(G)/(H + l), T(G) = sign(G) max(|G| - a, 0), and a cut
the fall of -T(G)²/(H + l) (Chen, Guestrin 2016, eq. 5 and 7; a is XGBoost's `alpha`, LightGBM's
`lambda_l1`). Dumps tell w, H and gains, but not l and a: the plainest that fit are looked for.

Glossary
    G, H      sums of the derivatives of the loss, g and h, over the rows of a node
    penalties l and a, each at least 0
    off       by how much what is told differs from what G makes, as a share of what G could be
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from dtviz.arrays import Bools, Floats
from dtviz.others.foreign import NOT_ITS_TARGET, Foreign
from dtviz.table.data import DataError

SAME = 1e-3
"""How far off what is told may be: it is of single precision, or of six digits."""
ROUNDS = 40
LEAST = 1e-300
SHARES = np.array([0.0, 0.003, 0.01, 0.03, 0.1])
"""Of what G could be, the penalties a that are begun with."""


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """The values w (m,) that a tree tells of its nodes, in parts with scales of their own.

    A scale of None is not known, but in (0, 1]. `gain` (m,) is that of each split, if it is exact.
    """

    value: Floats
    parts: Sequence[tuple[Bools, float | None]]
    gain: Floats | None = None


def need_same_target(foreign: Foreign, told: Told, G: Floats, size: Floats) -> None:
    """Raises DataError where no penalties make of these G (m,) what the tree tells.

    `size` is what |G| could be at most: the sum of |g| over the rows of each node, about.
    """
    assert foreign.weight is not None
    H, size = foreign.weight, np.maximum(size, LEAST)
    middle = float(np.median(H[foreign.left == 0]))
    starts = [(), *product((0.0, 1.0, middle)), *product((0.0, middle), size[0] * SHARES)]
    if not any(_explained(foreign, told, G, size, H, np.array(start)) for start in starts):
        raise DataError(
            f"{NOT_ITS_TARGET}: its leaves have other values than this y gives; give the same X, y "
            "and sample_weight. Trees under max_delta_step, path_smooth or monotone constraints "
            "cannot be told from such, nor those of dart or with other starting scores"
        )


def _explained(
    foreign: Foreign, told: Told, G: Floats, size: Floats, H: Floats, start: Floats
) -> bool:
    """Whether some penalties, as many as there are in `start`, explain it; by Gauss-Newton."""
    unit = np.array([H[0], size[0]])[: len(start)]
    found, met = start, set[bytes]()
    for _ in range(ROUNDS):
        if found.tobytes() in met:  # from here on it goes round and round
            return False
        met.add(found.tobytes())
        off = _off(foreign, told, G, size, H, found)
        if np.abs(off).max() < SAME:
            return True
        if len(start):
            step = 1e-7 * unit
            slopes = [
                (_off(foreign, told, G, size, H, found + one) - off) / one.sum()
                for one in np.diag(step)
            ]
            found = np.maximum(found - np.linalg.lstsq(np.array(slopes).T, off, rcond=None)[0], 0.0)
    return False


def _off(
    foreign: Foreign, told: Told, G: Floats, size: Floats, H: Floats, penalties: Floats
) -> Floats:
    """By how much each thing told is off under these penalties."""
    lam, a = (*penalties.tolist(), 0.0, 0.0)[:2]
    T, under = np.sign(G) * np.maximum(np.abs(G) - a, 0.0), np.maximum(H + lam, LEAST)
    w = -T / under
    out = []
    for part, scale in told.parts:
        ours, theirs = w[part], told.value[part]
        square = float(ours @ ours)
        by = scale or (np.clip(ours @ theirs / square, 0.0, 1.0) if square else 0.0)
        out.append((ours - theirs / by if by else theirs) * under[part] / size[part])
    if told.gain is not None:
        inner = np.flatnonzero(foreign.left)
        score = T * T / under
        sides = score[foreign.left[inner]] + score[foreign.right[inner]]
        at_most = (size * size / under)[inner]
        out.append((sides - score[inner] - told.gain[inner]) / at_most)
    return np.concatenate(out)
