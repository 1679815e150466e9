from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from dtviz.app import cli

FRUIT = "width,height,fruit\n1,5,lemon\n2,4,lemon\n3,1,apple\n4,,apple\n4,2,apple\n"


class Answer(NamedTuple):
    """What a command ends with and writes."""

    code: int | str | None
    out: str
    err: str


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Answer]:
    """`dtviz` with these arguments, in this process."""

    def answer(*args: str) -> Answer:
        try:
            code: int | str | None = cli.main([*args])
        except SystemExit as end:
            code = end.code
        return Answer(code, *capsys.readouterr())

    return answer


@pytest.fixture
def table(tmp_path: Path) -> Callable[..., str]:
    """A file with this text."""

    def path_of(text: str, name: str = "table.csv") -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return path_of


@pytest.fixture
def fruit(table: Callable[..., str]) -> str:
    return table(FRUIT, "fruit.csv")
