"""What the benches share: the data, and medians of alternating runs."""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time

import numpy as np

from dtviz.data.dataset import Dataset, make_dataset

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)


def noisy_plane(n: int, seed: int = 0) -> Dataset:
    """Two normal features; the class follows a noisy line, so that no small tree is perfect."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(2, n))
    y = (x[0] + 0.5 * x[1] + rng.normal(size=n) > 0).astype(int)
    return make_dataset(x, y, ("x1", "x2"), "class", ("A", "B"))


def alternate(runs: int, *tasks: Callable[[], object]) -> list[float]:
    """The median processor time of each task in milliseconds, the tasks taken in turns."""
    times: list[list[float]] = [[] for _ in tasks]
    for task in tasks:
        task()
    gc.collect()
    for _ in range(runs):
        for task, kept in zip(tasks, times, strict=True):
            start = process_time()
            task()
            kept.append((process_time() - start) * 1e3)
    return [median(kept) for kept in times]


def runs_for(n: int) -> int:
    """More runs where each is short."""
    return max(5, min(200, 2_000_000 // n))
