"""Files of a folder that are read as tables: `sweep.py FOLDER` counts them, and says why not.

A line a file: its seconds, its rows and columns, the number of its notes; or why it is refused. The
last line counts the files by how they ended.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

from dtviz.data.csv import read_content
from dtviz.data.dataset import DataError
from dtviz.data.read_table import read_file


def outcome(path: Path) -> tuple[str, str]:
    """How reading a file ended, in a word, and what it gave."""
    try:
        frame, notes = read_file(read_content(path))
    except DataError as error:
        return "refused", str(error)
    except Exception as error:  # a fault of the reader, which the sweep is to find
        return "failed", f"{type(error).__name__}: {error}"
    rows, columns = frame.shape
    end = "read" if columns > 1 else "one column"
    return end, f"{rows:,} x {columns:,}, {len(notes):,} notes"


def sweep(folder: Path) -> Counter[str]:
    """Print a line for each file of a folder and of those in it; count them by outcome."""
    counts: Counter[str] = Counter()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        start = perf_counter()
        end, text = outcome(path)
        counts[end] += 1
        name = path.relative_to(folder)
        print(f"{end:10} {perf_counter() - start:6.2f} s  {name}: {text}", flush=True)
    return counts


if __name__ == "__main__":
    counts = sweep(Path(sys.argv[1]))
    print(", ".join(f"{n:,} {end}" for end, n in counts.most_common()))
    sys.exit("failed" in counts)
