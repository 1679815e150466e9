"""The browser's modules by themselves: each file of units beside this one is run by Node.

What they expect comes from Python, see expected.py, written to a temporary folder for every run.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import expected
import pytest
from node import NODE, QUIET

HERE = Path(__file__).parent
FRONTEND = HERE.parent.parent / "dtviz" / "frontend"
FILES = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.test.js"))


@pytest.fixture(scope="session")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with what Python says."""
    folder = tmp_path_factory.mktemp("expected")
    expected.write(folder)
    return folder


def run(file: Path, figures: Path | str = "") -> subprocess.CompletedProcess[str]:
    """A file of units run by Node, where each must assert something."""
    first = f"--import={HERE / 'asserting.js'}"
    return subprocess.run(
        [NODE, QUIET, first, "--test-reporter=spec", file],  # `--test` would start a second Node
        env={**os.environ, "DTVIZ_EXPECTED": str(figures), "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=240,
    )


@pytest.mark.parametrize("file", FILES)
def test_the_units_hold(file: str, figures: Path) -> None:
    done = run(HERE / file, figures)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^ℹ pass [1-9]", done.stdout, re.MULTILINE), done.stdout


def test_a_unit_that_asserts_nothing_fails(tmp_path: Path) -> None:
    imports = 'import assert from "node:assert/strict"; import test from "node:test";'
    for loop, code in (("[]", 1), ("[1]", 0)):
        file = tmp_path / "one.test.mjs"
        file.write_text(
            imports + f'test("all", () => {{ for (const one of {loop}) assert.ok(one); }});'
        )
        done = run(file)
        assert done.returncode == code, done.stdout + done.stderr
        assert ("asserts nothing" in done.stdout) == bool(code)


def test_every_value_of_the_modules_has_a_type() -> None:
    """`deno check` asks for types but takes `any`, which is none."""
    modules = [path for path in FRONTEND.rglob("*.[jt]s") if "vendor" not in path.parts]
    assert modules
    for path in modules:
        text = path.read_text("utf-8")
        types = [text] if path.suffix == ".ts" else re.findall(r"/\*\*.*?\*/", text, re.DOTALL)
        for some in types:
            assert not re.search(r"[{<(|:,]\s*any\s*[}>)|;,\[]", some), f"{path}: {some}"


def test_every_file_of_units_stands_where_its_module_does() -> None:
    assert FILES
    for file in FILES:
        assert (FRONTEND / file.replace(".test.js", ".js")).is_file(), file
