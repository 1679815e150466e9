"""Candidates and depth 5 where a fifth of the values is missing, against the same table whole."""

from functools import partial

import numpy as np
from timing import alternate, runs_for

from dtviz import Rules, candidates, fit
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.search.missing import POLICIES


def tables(n: int) -> tuple[Dataset, Dataset]:
    """The rows with gaps in both features, and the same without."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, n))
    y = (x.sum(axis=0) + rng.normal(size=n) > 0).astype(int)
    gaps = np.where(rng.random((2, n)) < 0.2, np.nan, x)
    return make_dataset(gaps, y, ("x", "z"), "y", "AB"), make_dataset(x, y, ("x", "z"), "y", "AB")


for n in (1_000, 10_000, 100_000):
    gaps, whole = tables(n)
    for policy in POLICIES:
        rules = Rules("gini", max_depth=5, missing=policy)
        for name, work in (("candidates", candidates), ("depth 5", fit)):
            ours, plain = alternate(
                max(runs_for(n) // 4, 5), partial(work, gaps, rules), partial(work, whole, rules)
            )
            print(
                f"{policy:10}  n={n:>8,}  {name:10}  gaps {ours:8.2f} ms  whole {plain:8.2f} ms  "
                f"ratio {ours / plain:.2f}"
            )
