"""What a command takes, and about what it would take if nobody else used the same cores.

    python tests/bench/quiet.py .venv/bin/pytest -q

A rented core is often half of one: what somebody does on its other half slows ours down. So a loop
is timed on each core, five times a second, while the command runs; where it takes much longer than
at its best the core is not quiet. How much slower real work is there is measured before, on trees
that are fitted between two such loops. Where two of our own cores are halves of one, the command
itself is what disturbs them, and the figure is too small. So it is where the
command leaves a core idle that is less quiet than the others. Linux alone; without root the loops
wait for what the command does, and mean less.

Glossary
    lap      how long the loop takes, in microseconds
    quiet    where a lap is at most NEAR times the best one
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from statistics import mean, median
from typing import Any

from timing import noisy_plane

from dtviz import fit

NEAR = 1.35
PAUSE = 0.2  # seconds between two laps of a core
REHEARSAL = 60.0  # seconds


def lap() -> float:
    """The lap of a core once it is warm."""
    return median([_loop() for _ in range(8)][3:])


def _loop() -> float:
    start, total = time.perf_counter(), 0
    for k in range(2_000):
        total += k * k
    return (time.perf_counter() - start) * 1e6


def watch(core: int, pipe: Any) -> None:
    """Take laps of a core until told to end, then send them."""
    os.sched_setaffinity(0, {core})
    with suppress(PermissionError):
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50))
    laps = [lap()]
    while not pipe.poll(PAUSE):
        laps.append(lap())
    pipe.send(laps)


def rehearse() -> Iterator[tuple[float, float, float]]:
    """Trees that are fitted: the lap before, the seconds, the lap after."""
    data, end = noisy_plane(1_000), time.monotonic() + REHEARSAL
    while time.monotonic() < end:
        before, start = lap(), time.perf_counter()
        fit(data)
        yield before, time.perf_counter() - start, lap()


def run(command: list[str]) -> tuple[int, float, float, list[float]]:
    """A command's exit code, its seconds, those of the processor, and the laps meanwhile."""
    cores = sorted(os.sched_getaffinity(0))
    pipes = [multiprocessing.Pipe() for _ in cores]
    for core, (_, there) in zip(cores, pipes, strict=True):
        multiprocessing.Process(target=watch, args=(core, there), daemon=True).start()
        there.close()
    start = time.perf_counter()
    code = subprocess.run(command, check=False).returncode
    took, used = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    laps: list[float] = []
    for here, _ in pipes:
        here.send("end")
        laps += here.recv()
    return code, took, used.ru_utime + used.ru_stime, laps


def main(command: list[str]) -> int:
    """Run it and print what it took; its exit code."""
    if not command or not shutil.which(command[0]):
        print("which command is to be run?", file=sys.stderr)
        return 2
    known = list(rehearse())
    code, took, used, laps = run(command)
    near = NEAR * min(*laps, *(min(before, after) for before, _, after in known))
    fast = [seconds for before, seconds, after in known if max(before, after) <= near]
    slow = [seconds for before, seconds, after in known if min(before, after) > near]
    share = mean(one <= near for one in laps)
    print(f"{took:.0f} s, {used:.0f} s of processor; the cores were quiet {share:.0%} of the time")
    if fast and slow:
        slower = median(slow) / median(fast)
        print(f"trees are fitted {slower:.2f} times as slowly where a core is not quiet:")
        print(f"about {took * (share + (1 - share) / slower):.0f} s on quiet cores")
    else:
        print("before it the cores were all quiet, or never: how much that matters is not known")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
