"""Small changes of the engine, the address and the words that no test objects to.

    python tests/bench/mutants.py [--many 100] [--seed 1] [FILE ...]

Each mutant has one change in one file of a copy of the checkout. The tests of its own module are
asked first, then those of all that needs no page and no browser; that these pass without a change
is seen before. What survives is printed, to be tested or shown to change nothing.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDERS = ("dtviz/engine", "dtviz/say", "dtviz/screen/address.py", "dtviz/screen/field.py")
TESTS = ("engine", "say", "screen", "table", "judge", "others", "quantities", "figures",
         "test_model.py", "test_surface.py", "test_walks.py", "test_trace.py",
         "test_categories.py")  # fmt: skip
PATIENCE = 4  # times as long as all tests take: a mutant that goes on is caught

OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitOr, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min", "minimum": "maximum",
          "maximum": "minimum", "argmin": "argmax", "argmax": "argmin", "floor": "ceil",
          "ceil": "floor", "sum": "max", "cumsum": "cumprod"}  # fmt: skip


class Mutant(NamedTuple):
    """A change of one file: its line, the code before and after, the whole file with it."""

    file: Path
    line: int
    before: str
    after: str
    text: str


def ways(node: ast.AST) -> Iterator[ast.AST]:
    """The node changed in each way there is."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op, *more]) if type(op) in OTHER:
            new.ops = [OTHER[type(op)](), *more]
            yield new
        case ast.BinOp(op=op) | ast.BoolOp(op=op) | ast.AugAssign(op=op) if type(op) in OTHER:
            new.op = OTHER[type(op)]()
            yield new
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield new.operand
        case ast.Constant(value=bool()):
            yield ast.Constant(not new.value)
        case ast.Constant(value=int() | float()):
            yield ast.Constant(2 * new.value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in CALLED:
            new.func = ast.Name(CALLED[name])
            yield new
        case ast.Call(func=ast.Attribute(attr=name)) if name in CALLED:
            new.func.attr = CALLED[name]
            yield new
        case ast.IfExp():
            yield new.body
            yield new.orelse
        case ast.If():
            new.test = ast.Constant(value=False)
            yield new


def mutants(file: Path) -> list[Mutant]:
    """All mutants of a file; what only says types, or that two are as long, is left alone."""
    text = file.read_text()
    tree = ast.parse(text)
    said = {
        id(inner)
        for node in ast.walk(tree)
        for field, value in ast.iter_fields(node)
        if field in ("annotation", "returns")
        or isinstance(node, ast.Assert)
        or (isinstance(node, ast.keyword) and node.arg == "strict")
        for one in (value if isinstance(value, list) else [value])
        if isinstance(one, ast.AST)
        for inner in ast.walk(one)
    }
    out = []
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            for place, node in enumerate(value if isinstance(value, list) else [value]):
                if not isinstance(node, ast.AST) or id(node) in said:
                    continue
                for new in ways(node):
                    _put(parent, field, place, new)
                    changed = ast.unparse(ast.fix_missing_locations(tree))
                    _put(parent, field, place, node)
                    before, after = ast.unparse(node), ast.unparse(new)
                    out.append(Mutant(file, node.lineno, before, after, changed))
    return out


def _put(parent: ast.AST, field: str, place: int, node: ast.AST) -> None:
    if isinstance(getattr(parent, field), list):
        getattr(parent, field)[place] = node
    else:
        setattr(parent, field, node)


class Copy(NamedTuple):
    """A copy of the checkout, and how many seconds a run of tests in it may take."""

    folder: Path
    longest: float | None = None

    def fails(self, *tests: str, workers: int) -> bool:
        """Whether one of these tests fails, or they go on."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        for made in self.folder.rglob("__pycache__"):  # of a mutant, compiled in the same second
            shutil.rmtree(made)
        try:
            done = subprocess.run(
                [*command, f"--numprocesses={workers}"],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(self.folder)},
                capture_output=True,
                timeout=self.longest,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def any_fails(self) -> bool:
        """Whether one of all the tests fails."""
        return self.fails(*(f"tests/{name}" for name in TESTS), workers=os.cpu_count() or 1)

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass with it; the copy is left as it was."""
        at = self.folder / mutant.file.relative_to(CHECKOUT)
        inside = mutant.file.relative_to(CHECKOUT / "dtviz")
        own = Path("tests") / inside.with_name(f"test_{inside.name}")
        text = at.read_text()
        at.write_text(mutant.text)
        try:
            if (self.folder / own).exists() and self.fails(str(own), workers=0):
                return False
            return not self.any_fails()
        finally:
            at.write_text(text)


def copied(folder: Path) -> Copy:
    """The checkout in that folder, all of whose tests pass; how long they take says the longest."""
    shutil.copytree(CHECKOUT, folder, ignore=shutil.ignore_patterns(".git", ".venv"))
    begun = time.monotonic()
    if Copy(folder).any_fails():
        raise SystemExit("the tests fail without any change")
    return Copy(folder, PATIENCE * (time.monotonic() - begun))


def main() -> None:
    """Print each mutant of a sample with what became of it, and how many survived."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--many", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("file", nargs="*", type=Path)
    said = asked.parse_args()
    files = said.file or [
        file
        for name in FOLDERS
        for file in (sorted((CHECKOUT / name).rglob("*.py")) or [CHECKOUT / name])
    ]
    every = [mutant for file in files for mutant in mutants(file.resolve())]
    some = random.Random(said.seed).sample(every, min(said.many, len(every)))
    print(f"{len(some)} of {len(every):,} mutants of {len(files)} files")
    with tempfile.TemporaryDirectory() as made:
        tried, left = copied(Path(made) / "checkout"), 0
        for mutant in some:
            lives = tried.survives(mutant)
            left += lives
            about = f"{mutant.file.relative_to(CHECKOUT)}:{mutant.line}"
            change = f"{mutant.before}  ->  {mutant.after}"
            print("SURVIVES" if lives else "killed  ", about, change.replace("\n", " "), flush=True)
    print(f"{left} of {len(some)} survived")


if __name__ == "__main__":
    main()
