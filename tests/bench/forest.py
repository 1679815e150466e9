"""A hundred trees of each kind of ensemble, against scikit-learn's on one processor."""

import sys

import numpy as np
from sklearn.ensemble import (
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from timing import alternate

from dtviz import Rules
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_dataset
from dtviz.engine.ensembles import Plan, build

TREES = 100
KINDS = {
    "forest": RandomForestClassifier(TREES, n_jobs=1, random_state=0),
    "extra_trees": ExtraTreesClassifier(TREES, n_jobs=1, random_state=0),
    "gradient": GradientBoostingClassifier(n_estimators=TREES, random_state=0),
}


def noisy(n: int, features: int) -> Dataset:
    """Normal features; the class follows a noisy sum of the first two."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(features, n))
    y = (x[0] + 0.5 * x[1] + rng.normal(size=n) > 0).astype(int)
    return make_dataset(x, y, [f"x{k}" for k in range(features)], "class", ("A", "B"))


def compare(kind: str, n: int, features: int) -> None:
    """One line of the table."""
    data, plan = noisy(n, features), Plan(kind, trees=TREES)
    x = np.ascontiguousarray(data.columns.T)
    runs = 3 if n > 5_000 else 7
    ours, other = alternate(
        runs,
        lambda: run_to_end(build(data, Rules("gini"), plan)),
        lambda: KINDS[kind].fit(x, data.y),
    )
    print(
        f"{kind:<11} {n:>7,} rows, {features:>2} features  ours {ours:9.1f} ms"
        f"  scikit-learn {other:9.1f} ms  ratio {other / ours:.2f}",
        flush=True,
    )


for n in map(int, sys.argv[1:] or (300, 2_000, 20_000)):
    for kind in KINDS:
        for features in (2, 10):
            compare(kind, n, features)
