"""Trees whose leaves are regressions, searched by what these leave, beside trees of means."""

import numpy as np
from timing import alternate

from dtviz import Rules, fit
from dtviz.data.dataset import Dataset, make_dataset


def plain(n: int, features: int) -> Dataset:
    """Planes with folds, and noise."""
    rng = np.random.default_rng(0)
    x = rng.random((features, n))
    y = np.abs(x[0] - 0.4) + np.maximum(x[-1], 0.6) * x[0] + rng.normal(size=n) / 20
    return make_dataset(x, y, [f"x{k}" for k in range(features)], "y")


for n, features in ((300, 2), (2_000, 2), (2_000, 10), (20_000, 2), (20_000, 10)):
    data = plain(n, features)
    lines, means = (
        Rules("squared_error", max_depth=5, min_samples_leaf=5, leaf_model=name)
        for name in ("linear", "mean")
    )
    mine, usual = alternate(3, lambda d=data, r=lines: fit(d, r), lambda d=data, r=means: fit(d, r))
    print(f"n={n:>6,} features={features:>2}  linear {mine:9.1f} ms  mean {usual:8.1f} ms")
