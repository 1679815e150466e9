"""Candidates and depth 5 with a category beside a number, against two numbers."""

from functools import partial

import numpy as np
from timing import alternate, runs_for

from dtviz import Rules, candidates, fit
from dtviz.data.dataset import Dataset, make_dataset

LEVELS = tuple("abcdefghij")


def tables(n: int, classes: int) -> tuple[Dataset, Dataset]:
    """The same rows: a number and a category of ten values, and the codes as a second number."""
    rng = np.random.default_rng(0)
    x, codes = rng.normal(size=n), rng.integers(0, len(LEVELS), n)
    lean = rng.normal(size=len(LEVELS))
    score = x + lean[codes] + rng.normal(size=n)
    y = np.searchsorted(np.quantile(score, np.arange(1, classes) / classes), score)
    names = "ABCDEFGH"[:classes]
    both = [x, codes.astype(float)]
    category = make_dataset(both, y, ("x", "g"), "y", names, categories=((), LEVELS))
    return category, make_dataset(both, y, ("x", "g"), "y", names)


for classes in (2, 3, 5):
    for n in (1_000, 10_000, 100_000):
        category, number = tables(n, classes)
        rules = Rules("gini", max_depth=5)
        for name, work in (("candidates", candidates), ("depth 5", fit)):
            ours, plain = alternate(
                max(runs_for(n) // 4, 5),
                partial(work, category, rules),
                partial(work, number, rules),
            )
            print(
                f"{classes} classes  n={n:>8,}  {name:10}  category {ours:8.2f} ms  "
                f"number {plain:8.2f} ms  ratio {ours / plain:.2f}"
            )
