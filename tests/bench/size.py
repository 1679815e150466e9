"""A Parquet file of n x 10 numbers: a tree of depth 5 by DuckDB, beside engines that hold it.

Each engine runs in a process of its own: processor seconds with children, wall seconds, peak memory
(the most that was resident, of Java too), and whether its splits are those of scikit-learn.
LightGBM and Spark's MLlib, if they are installed, grow one tree of at most 32 leaves on 255 and on
32 bins, which is not exact.

PYTHONPATH=. python tests/bench/size.py [1e5 1e6 1e7]
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

FEATURES, DEPTH, ROWS_WRITTEN = 10, 5, 1_000_000
NAMES = [f"x{j}" for j in range(FEATURES)]
MAX_ROWS_IN_MEMORY = 20_000_000
"""Number of rows up to which the engines that hold the table are run."""
Tests = dict[int, tuple[int, float]]
"""Feature and threshold by node, the children of k at 2k and 2k + 1."""


def write(path: Path, n: int) -> None:
    """Numbers, one with ties and one skewed, and classes by a product: no small tree is perfect."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng, writer = np.random.default_rng(0), None
    for first in range(0, n, ROWS_WRITTEN):
        k = min(ROWS_WRITTEN, n - first)
        x = rng.normal(size=(FEATURES, k))
        x[3], x[4] = x[3].round(1), np.exp(x[4])
        label = np.where(x[0] * x[1] + x[2] / 2 + rng.normal(size=k) / 2 > 0, "yes", "no")
        part = pa.table({**dict(zip(NAMES, x, strict=True)), "y": label})
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    if writer:
        writer.close()


def dtviz_duckdb(path: str) -> Tests:
    """Open the file in DuckDB, and grow."""
    import dtviz
    from dtviz.engine.splits import Axis

    data = dtviz.from_table(path, "y")
    splits = dtviz.fit(data, dtviz.Rules("entropy", max_depth=DEPTH)).tree.splits
    return {
        node: (split.projection.feature, split.threshold)
        for node, split in splits.items()
        if isinstance(split.projection, Axis)
    }


def scikit_learn(path: str) -> Tests:
    """Read the file into memory, and grow."""
    from sklearn.tree import DecisionTreeClassifier

    x, y = read(path)
    grown = DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH, random_state=0)
    tree = grown.fit(x, y).tree_
    tests: Tests = {}
    stack = [(0, 1)]
    while stack:
        k, node = stack.pop()
        if tree.children_left[k] >= 0:
            tests[node] = int(tree.feature[k]), float(tree.threshold[k])
            stack += [(tree.children_left[k], 2 * node), (tree.children_right[k], 2 * node + 1)]
    return tests


def lightgbm(path: str) -> Tests:
    """Read the file into memory, and grow one tree on bins."""
    import lightgbm

    x, y = read(path)
    settings = {"objective": "binary", "max_depth": DEPTH, "num_leaves": 2**DEPTH, "verbose": -1}
    lightgbm.train(settings, lightgbm.Dataset(x, y), num_boost_round=1)
    return {}


def mllib(path: str) -> Tests:
    """Read the file into memory of Spark on this machine, and grow a tree on 32 bins."""
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import StringIndexer, VectorAssembler
    from pyspark.sql import SparkSession

    settings = {"spark.driver.memory": "6g", "spark.ui.enabled": "false"}
    session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    rows = session.read.parquet(path)
    rows = StringIndexer(inputCol="y", outputCol="label").fit(rows).transform(rows)
    rows = VectorAssembler(inputCols=NAMES, outputCol="features").transform(rows)
    grown = DecisionTreeClassifier(
        impurity="entropy", maxDepth=DEPTH, maxBins=32, cacheNodeIds=True
    )
    assert grown.fit(rows.select("features", "label").cache()).depth == DEPTH
    return {}


def read(path: str) -> tuple[Any, Any]:
    """The features as float32, (n, 10), which is all that scikit-learn uses; classes as 0 and 1."""
    import pyarrow.parquet as pq

    table = pq.read_table(path)
    x = np.empty((table.num_rows, FEATURES), np.float32)
    for j, name in enumerate(NAMES):
        x[:, j] = table[name].to_numpy()
    return x, np.asarray(table["y"].to_pandas() == "yes", np.int8)


ENGINES: dict[str, Callable[[str], Tests]] = {
    "dtviz, DuckDB": dtviz_duckdb,
    "scikit-learn": scikit_learn,
    "LightGBM": lightgbm,
    "Spark MLlib": mllib,
}
PACKAGES = {"LightGBM": "lightgbm", "Spark MLlib": "pyspark"}
"""Package that an engine needs; without it the engine is left out."""


def measure(engine: str, path: str) -> dict[str, Any]:
    """The figures of an engine in a process of its own."""
    command = [sys.executable, __file__, "--engine", engine, path]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        return {"refused": (run.stderr.strip().splitlines() or ["killed"])[-1]}
    figures: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return figures


def run_engine(engine: str, path: str) -> None:
    """Grow, and print the figures as JSON."""
    start = perf_counter()
    tests = ENGINES[engine](path)
    wall = perf_counter() - start
    used = resource.getrusage(resource.RUSAGE_SELF)
    processor, peak = used.ru_utime + used.ru_stime, used.ru_maxrss / 1024  # Linux: kilobytes
    for child in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        for pid in child.read_text().split():  # the Java of Spark runs on
            ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
            processor += sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")
            status = Path(f"/proc/{pid}/status").read_text()
            peak += int(status.partition("VmHWM:")[2].split()[0]) / 1024
    print(json.dumps({"wall": wall, "processor": processor, "peak": peak,
                      "tests": [[k, *test] for k, test in sorted(tests.items())]}))  # fmt: skip


def compare(tests: list[list[Any]], others: list[list[Any]]) -> str:
    """How many splits are those of another tree, thresholds to the digits of float32."""
    wanted = {node: test for node, *test in others}
    same = sum(
        node in wanted
        and wanted[node][0] == feature
        and abs(wanted[node][1] - threshold) <= 1e-6 * max(abs(threshold), 1)
        for node, feature, threshold in tests
    )
    return f"{same} of {len(wanted)}"


def bench(n: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.parquet"
        # in a process of its own: the peak of a child is at least that of its parent when it starts
        subprocess.run([sys.executable, __file__, "--write", str(path), str(n)], check=True)
        names = [name for name in ENGINES if find_spec(PACKAGES.get(name, "dtviz"))]
        if n > MAX_ROWS_IN_MEMORY:
            names = names[:1]
        found = {name: measure(name, str(path)) for name in names}
    for name, figures in found.items():
        if "refused" in figures:
            print(f"{n:>12,}  {name:14} {figures['refused'][:70]}")
            continue
        same = "no: bins" if name in PACKAGES else "-"
        if exact := found.get("scikit-learn", {}).get("tests"):
            same = compare(figures["tests"], exact) if figures["tests"] else same
        print(
            f"{n:>12,}  {name:14} {figures['processor']:9.1f} s {figures['wall']:9.1f} s "
            f"{figures['peak']:9,.0f} MB  {same}",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--engine"]:
        run_engine(*sys.argv[2:])
    elif sys.argv[1:2] == ["--write"]:
        write(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        print(
            f"{'rows':>12}  {'engine':14} {'processor':>11} {'wall':>11} {'peak':>12}  same splits"
        )
        for size in sys.argv[1:] or ["1e5", "1e6", "1e7"]:
            bench(int(float(size)))
