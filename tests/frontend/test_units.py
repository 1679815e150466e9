"""The browser's modules by themselves: Node runs all files of units beside this one, in one run.

What they expect comes from Python, see expected.py, written to a temporary folder for every run.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import expected
from node import NODE, QUIET

HERE = Path(__file__).parent
FRONTEND = HERE.parent.parent / "dtviz" / "frontend"
FILES = sorted(path.relative_to(HERE).as_posix() for path in HERE.rglob("*.test.js"))
EMPTY = re.compile(
    r"^✔ (\S+\.test\.m?js) ", re.MULTILINE
)  # Node's own line of a file without units
IMPORTS = 'import assert from "node:assert/strict"; import test from "node:test";'


def run(*files: Path | str, figures: Path | str = "") -> subprocess.CompletedProcess[str]:
    """All these files of units run by Node at once, where each unit must assert something."""
    first = f"--import={HERE / 'asserting.js'}"
    return subprocess.run(
        [NODE, QUIET, first, "--test", "--test-reporter=spec", *files],
        cwd=HERE,
        env={**os.environ, "DTVIZ_EXPECTED": str(figures), "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )


def test_the_units_hold(tmp_path: Path) -> None:
    expected.write(tmp_path)
    done = run(*FILES, figures=tmp_path)
    failures = done.stdout.partition("✖ failing tests:")[2]  # each with its file and line
    assert done.returncode == 0, failures or done.stdout + done.stderr
    assert EMPTY.findall(done.stdout) == []
    passed = re.search(r"^ℹ pass (\d+)$", done.stdout, re.MULTILINE)
    assert passed, done.stdout
    assert int(passed[1]) > len(FILES)


def test_a_unit_that_asserts_nothing_and_a_file_without_units_are_noticed(tmp_path: Path) -> None:
    unit = 'test("all", () => {{ for (const one of {}) assert.ok(one); }});'
    cases = {"idle": unit.format("[]"), "busy": unit.format("[1]"), "empty": ""}
    for name, text in cases.items():
        (tmp_path / f"{name}.test.mjs").write_text(IMPORTS + text)
    for name in cases:
        done = run(tmp_path / f"{name}.test.mjs")
        assert done.returncode == (name == "idle"), (name, done.stdout + done.stderr)
        assert ("asserts nothing" in done.stdout) == (name == "idle"), name
        assert bool(EMPTY.findall(done.stdout)) == (name == "empty"), (name, done.stdout)


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
