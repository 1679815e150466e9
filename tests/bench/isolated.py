"""A table of 20,000 rows as a file of each kind, read in this process and by one of its own.

The difference is what the process takes to start, and to hand the columns over.

PYTHONPATH=. python tests/bench/isolated.py
"""

from __future__ import annotations

import io
from collections.abc import Callable
from statistics import median
from time import perf_counter

import numpy as np
import pandas as pd

from dtviz.data.read_table import read_file

ROWS, RUNS = 20_000, 5


def contents() -> dict[str, bytes]:
    """The table as a file, by the name of its kind."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(ROWS, 4)), columns=list("abcd"))
    frame["town"] = rng.choice(["Ulm", "Bonn", "Kiel"], ROWS)
    writers: dict[str, Callable[[io.BytesIO], object]] = {
        "Parquet": frame.to_parquet,
        "Stata": lambda file: frame.to_stata(file, write_index=False),
        "Excel": lambda file: frame.to_excel(file, index=False),
        "JSON": lambda file: frame.to_json(file, orient="records", lines=True),
    }
    found = {}
    for name, write in writers.items():
        file = io.BytesIO()
        write(file)
        found[name] = file.getvalue()
    return found


def seconds(content: bytes, isolated: bool) -> float:
    """Seconds that one reading takes."""
    start = perf_counter()
    read_file(content, isolated=isolated)
    return perf_counter() - start


if __name__ == "__main__":
    for name, content in contents().items():
        pairs = [(seconds(content, False), seconds(content, True)) for _ in range(RUNS)]
        here, apart = (median(times) for times in zip(*pairs, strict=True))
        print(f"{name:10} {here:6.2f} s here  {apart:6.2f} s apart  {apart - here:+.2f} s")
