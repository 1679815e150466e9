"""A hundred trees of a random forest, grown to the end, against scikit-learn's on one processor."""

import sys

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from timing import alternate

from dtviz import Rules
from dtviz.engine.draws import Draws, usual_features
from dtviz.engine.together import grow_together
from dtviz.slices import finished
from dtviz.table.data import Dataset, dataset

TREES = 100


def noisy(n: int, features: int) -> Dataset:
    """Normal features; the class follows a noisy sum of the first two."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(features, n))
    y = (x[0] + 0.5 * x[1] + rng.normal(size=n) > 0).astype(int)
    return dataset(x, y, [f"x{k}" for k in range(features)], "class", ("A", "B"))


def grown(data: Dataset) -> object:
    """Our forest: bootstrap weights and all."""
    rng = np.random.default_rng(0)
    weights = [np.bincount(rng.integers(0, data.n, data.n), minlength=data.n) for _ in range(TREES)]
    draws = Draws(usual_features(len(data.features)))
    return finished(grow_together(data, Rules("gini"), np.array(weights), draws))


def compare(n: int, features: int) -> None:
    """One line of the table."""
    data = noisy(n, features)
    x = np.ascontiguousarray(data.columns.T)
    theirs = RandomForestClassifier(TREES, n_jobs=1, random_state=0)
    runs = 3 if n > 5_000 else 7
    ours, other = alternate(runs, lambda: grown(data), lambda: theirs.fit(x, data.y))
    print(
        f"{n:>7,} rows, {features:>2} features  ours {ours:9.1f} ms"
        f"  scikit-learn {other:9.1f} ms  ratio {other / ours:.2f}",
        flush=True,
    )


for n in map(int, sys.argv[1:] or (300, 2_000, 20_000)):
    for features in (2, 10):
        compare(n, features)
