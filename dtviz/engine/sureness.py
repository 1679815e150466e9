"""How well shares of classes foretell the classes that rows have."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.arrays import Floats


def log_losses(shares: Floats, y: NDArray[Any]) -> Floats:
    """-ln p of each row's own class, (n,), from shares (n, K); infinite where p is 0.

    A class that has no share, whose code is -1 or K and more, has none: p is 0.
    """
    with np.errstate(divide="ignore"):
        return np.asarray(-np.log(_own(shares, y)))


def brier_scores(shares: Floats, y: NDArray[Any]) -> Floats:
    """The squared distance of each row's shares from its class, (n,); of two classes half of it.

    Source: Brier (1950); scikit-learn halves it for two classes too.
    """
    own = _own(shares, y)
    whole = np.square(shares).sum(axis=1) - 2 * own + 1
    return np.asarray(np.maximum(whole, 0.0) / (2 if shares.shape[1] == 2 else 1))


def _own(shares: Floats, y: NDArray[Any]) -> Floats:
    """The share of each row's own class."""
    codes = np.asarray(y).astype(np.intp)
    known = (codes >= 0) & (codes < shares.shape[1])
    found = shares[np.arange(len(codes)), np.where(known, codes, 0)]
    return np.where(known, found, 0.0)
