"""A process that works on hostile bytes ends in time, with its parent and with its asker."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from pathlib import Path

import deeds
import numpy as np
import pandas as pd
import pytest

from dtviz.base.progress import run_to_end
from dtviz.data import worker
from dtviz.data.dataset import DataError
from dtviz.data.frames import frame_bytes, frame_head, parse_frame
from dtviz.data.worker import run_in_process

PARENT = """
import sys; sys.path[:] = {path!r}
import deeds
from dtviz.base.progress import run_to_end
from dtviz.data.worker import run_in_process
run_to_end(run_in_process(deeds.work, {{"deed": "spin", "place": {place!r}}}, b""))
"""


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds; fails where it does not within a minute."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_alive(process: int) -> bool:
    """A process that ended is no more, or waits for its parent to notice."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def test_an_answer_is_heard_and_a_crash_or_a_lack_of_memory_is_a_sentence() -> None:
    linux = sys.platform == "linux"  # where a process can be held to its memory
    head, content = run_to_end(
        run_in_process(deeds.work, {"deed": "good", "greedy": linux}, b"abc")
    )
    assert (head, bytes(content)) == ({"fine": True, "memory refused": linux}, b"cba")
    with pytest.raises(DataError, match="the reader of this file broke off; save it again"):
        run_to_end(run_in_process(deeds.work, {"deed": "crash"}, b"abc"))


def test_a_process_ends_in_time_with_its_asker_and_with_its_parent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "process"

    def begun(asker: Iterator[float]) -> int:
        until(lambda: next(asker) >= 0 and place.exists() and place.read_text())
        process = int(place.read_text())
        place.unlink()
        return process

    spin = {"deed": "spin", "place": str(place)}
    text = PARENT.format(path=sys.path, place=str(place))
    parent = subprocess.Popen([sys.executable, "-c", text])
    process = begun(repeat(0.0))
    os.kill(parent.pid, signal.SIGTERM)
    parent.wait()
    until(lambda: not is_alive(process))

    left = run_in_process(deeds.work, spin, b"")
    process = begun(left)
    monkeypatch.setattr(worker, "MAX_SECONDS_UNREAD", 0)
    until(lambda: not is_alive(process))  # nobody has looked at it for a while
    monkeypatch.setattr(worker, "MAX_SECONDS_UNREAD", 60)
    process = begun(left)  # and begins anew where somebody goes on with it
    left.close()  # as where the visitor has gone
    until(lambda: not is_alive(process))

    monkeypatch.setattr(worker, "MAX_SECONDS", 0.1)
    with pytest.raises(DataError, match="reading may take 0 seconds; this file takes longer"):
        run_to_end(run_in_process(deeds.work, spin, b""))
    with worker.PROCESS_SLOTS, worker.PROCESS_SLOTS:  # all are free again
        waiting = run_in_process(deeds.work, spin, b"")
        next(waiting)
        waiting.close()


def test_a_frame_is_the_same_after_its_journey() -> None:
    days = pd.to_datetime(["2024-02-29", None, "1950-01-01"]).as_unit("s")
    frame = pd.DataFrame({
        "float": [1.5, np.nan, -np.inf],
        "small": np.array([1, 2, 3], dtype="int8"),
        "gaps": pd.array([2**53 + 1, None, 3], dtype="Int64"),
        "flags": pd.array([True, False, True], dtype="boolean"),
        "truth": [True, False, True],
        "text": pd.Series(["a", None, "\0é\u2028"], dtype=object),
        "empty": pd.Series([None] * 3, dtype=object),
        "day": days,
        "zone": days.tz_localize("UTC").tz_convert("Asia/Tokyo"),
        "span": pd.to_timedelta(["1h", None, "3h"]),
        "size": pd.Categorical(["s", None, "l"], ["s", "m", "l"], ordered=True),
        "code": pd.Categorical([3, 1, 3]),
    })  # fmt: skip
    frame.attrs["lines"] = np.array([2, 3, 9])
    frame.index = pd.Index(["r1", "r2", "r2"])
    content = b"".join(bytes(part) for part in frame_bytes(frame))
    result = run_to_end(parse_frame(content, frame_head(frame)))
    pd.testing.assert_frame_equal(result, frame)
    assert result["gaps"].iloc[0] == 2**53 + 1
    assert result["text"].tolist() == frame["text"].tolist()
    np.testing.assert_array_equal(result.attrs["lines"], frame.attrs["lines"])
    odd = pd.DataFrame({"half": pd.Series(["\ud800", "b"], dtype=object)})
    content = b"".join(bytes(part) for part in frame_bytes(odd))
    assert run_to_end(parse_frame(content, frame_head(odd)))["half"].tolist() == ["?", "b"]
