"""A csv of 1,000,000 rows in the app: to the first gain curve, a step, Overfit, peak memory.

Processor seconds of the server, from the request of the page on; beside them what `read_table` and
the search of the root take in this process. There too: the table of candidates beside that search,
the least of three each; Overfit's curve and its folds beside a full fit.
"""

import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from load import Server, Student, answered, free_port

import dtviz
from dtviz.base.lazy import Cache
from dtviz.base.progress import run_to_end
from dtviz.data.dataset import Dataset, make_recipe
from dtviz.data.read_table import read_table
from dtviz.engine.grow import finish_lazily
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules
from dtviz.engine.search.frontier import root_frontier
from dtviz.engine.splitter import Splitter
from dtviz.engine.tree import root_tree
from dtviz.session.overfit import curve_work, fold_work, full_tree_work, judged_tree
from dtviz.session.session import Session

ROWS, STEPS = 1_000_000, 4


def write(path: Path) -> None:
    """A class that follows a noisy line over two of three features."""
    rng = np.random.default_rng(0)
    x1, x2, noise = rng.normal(size=(3, ROWS))
    label = np.where(x1 + 0.5 * x2 + noise > 0, "A", "B")
    columns = {"x1": x1.round(5), "x2": x2.round(5), "k": rng.integers(0, 1000, ROWS), "y": label}
    pd.DataFrame(columns).to_csv(path, index=False)


class Opened(Server):
    """`dtviz open` of a file; `query` leads to its tree."""

    def __init__(self, path: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "dtviz", "open", str(path), "--target", "y"]
        command += ["--no-browser", "--port", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.query = self.process.stdout.readline().split("?", 1)[1].split()[0]
        answered(self.port)

    def peak(self) -> int:
        """Megabytes resident at most so far; of Linux."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if "VmHWM" in line).split()[1]) // 1024


def least(run: Callable[[], object]) -> float:
    """The least processor time of three runs, in seconds."""
    times = []
    for _ in range(3):
        start = process_time()
        run()
        times.append(process_time() - start)
    return min(times)


async def grown(server: Opened) -> None:
    start, tab = server.seconds(), Student(server.port, server.query)
    await tab.open()
    print(f"page with the first curve {server.seconds() - start:5.2f} s, {server.peak()} MB")
    for _ in range(STEPS):
        start = server.seconds()
        await tab.go(tab.next())
        print(f"a step                    {server.seconds() - start:5.2f} s, {server.peak()} MB")
    await tab.leave()


def judging(data: Dataset) -> None:
    """Overfit's tree with its curve, and its folds, beside a full fit of all rows."""
    session, keep = Session(make_recipe("file")), Cache()
    start = process_time()
    problem = Problem(data, session.rules)
    finish_lazily(problem, root_tree(problem))
    fit, start = process_time() - start, process_time()
    if grown := full_tree_work(session, data, keep):
        run_to_end(grown.start())
    found = judged_tree(session, data, keep)
    run_to_end(curve_work(found).start())
    curve, start = process_time() - start, process_time()
    if folds := fold_work(found):
        run_to_end(folds.start())
    both = curve / fit, (process_time() - start) / fit
    print(f"full fit {fit:.2f} s; Overfit's curve {both[0]:.1f} fits, its folds {both[1]:.1f}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "million.csv"
        write(path)
        start = process_time()
        data = read_table(path, "y")
        print(f"read_table {process_time() - start:.2f} s")
        search = least(lambda: Splitter(Problem(data, Rules())).best(root_frontier(data)))
        table = least(lambda: dtviz.candidates(data)) / search
        print(f"root search {search:.2f} s, candidates {table:.2f} searches")
        server = Opened(path)
        try:
            asyncio.run(grown(server))
        finally:
            server.stop()
        judging(data)


if __name__ == "__main__":
    main()
