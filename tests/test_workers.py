"""What workers share is made once, and ends with the last that holds it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from workers import holding, listened_to, once


def test_it_is_made_by_the_first_alone(tmp_path: Path) -> None:
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return made

    assert [once(tmp_path / "it", make, 1) for _ in range(3)] == [[0]] * 3
    assert made == [0]


def test_where_it_could_not_be_made_all_are_told_why(tmp_path: Path) -> None:
    for _ in range(2):
        with pytest.raises(pytest.fail.Exception, match="no such luck"):
            once(tmp_path / "it", lambda: pytest.fail("no such luck"), 1)


def test_who_waits_for_one_that_was_stopped_gives_up(tmp_path: Path) -> None:
    (tmp_path / "it").mkdir()
    with pytest.raises(pytest.fail.Exception, match="did not"):
        once(tmp_path / "it", str, 0)


def test_what_listens_reads_the_end_once_nobody_holds_the_line(tmp_path: Path) -> None:
    assert not listened_to(tmp_path)
    with holding(tmp_path) as mine, holding(tmp_path):
        listens = os.dup(mine)
    assert listened_to(tmp_path)
    assert os.read(listens, 1) == b""
    os.close(listens)
    assert not listened_to(tmp_path)
