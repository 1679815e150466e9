"""A sound csv of 1,000,000 rows and 4 columns, cut at once, record by record, and by pandas.

Each run has a process of its own; the time is the processor's, the memory is what its peak adds to
that of the imports. Where one cell in a hundred is empty, columns take longer; 999,990 short rows
show what notes cost.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import pandas as pd

from dtviz.data import csv
from dtviz.data.read_table import read_table

ROWS, RUNS = 1_000_000, 5


def write(folder: Path) -> dict[str, Path]:
    """The files, by what they show."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "x1": rng.normal(size=ROWS),
            "x2": rng.normal(size=ROWS),
            "k": rng.integers(0, 1000, ROWS),
            "y": rng.choice(["a", "b", "c"], ROWS),
        }
    )
    paths = {name: folder / f"{name}.csv" for name in ("sound", "gaps", "short")}
    frame.to_csv(paths["sound"], index=False)
    frame.mask(rng.random(frame.shape) < 0.01).to_csv(paths["gaps"], index=False)
    paths["short"].write_text("a,b,y\n" + "1,2,u\n" * 10 + "1,2\n" * (ROWS - 10))
    return paths


def one(way: str, path: str) -> None:
    """Print the seconds and the megabytes of one reading."""
    if way == "records":
        csv.sound_columns = lambda *_: ()  # type: ignore[assignment,return-value]
    before, start = _peak(), process_time()
    if way == "pandas":
        pd.read_csv(path, low_memory=False)
    else:
        read_table(path, "y")
    print(process_time() - start, _peak() - before)


def _peak() -> float:
    status = Path("/proc/self/status").read_text()  # of Linux
    return int(next(line for line in status.splitlines() if "VmHWM" in line).split()[1]) / 1024


def main() -> None:
    """Print the median of each way for each file."""
    with tempfile.TemporaryDirectory() as folder:
        for name, path in write(Path(folder)).items():
            for way in ("dtviz", "records", "pandas"):
                call = [sys.executable, __file__, way, str(path)]
                runs = [subprocess.check_output(call, text=True).split() for _ in range(RUNS)]
                seconds, memory = (median(map(float, kind)) for kind in zip(*runs, strict=True))
                print(f"{name:6} {way:8} {seconds:6.2f} s  {memory:5.0f} MB", flush=True)


if __name__ == "__main__":
    one(*sys.argv[1:]) if len(sys.argv) > 1 else main()
