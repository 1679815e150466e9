"""The `>>>` examples in the docstrings of the package, run by doctest."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import dtviz

ROOT = Path(dtviz.__file__).resolve().parent


def modules_with_examples() -> list[str]:
    """Names of the modules whose text has an example."""
    paths = sorted(path for path in ROOT.rglob("*.py") if "vendor" not in path.parts)
    with_examples = [path for path in paths if ">>> " in path.read_text(encoding="utf-8")]
    names = (path.relative_to(ROOT.parent).with_suffix("").parts for path in with_examples)
    return [".".join(name).removesuffix(".__init__") for name in names]


def report(name: str) -> str:
    """Report of the examples of a module that fail; '' if all of them hold."""
    lines = list[str]()
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(import_module(name), name):
        runner.run(test, out=lines.append)
    return "".join(lines)


def test_examples_show_what_they_say() -> None:
    names = modules_with_examples()
    assert "dtviz.engine.tree" in names
    failing = [f"{name}:\n{text}" for name in names if (text := report(name))]
    assert not failing, "\n".join(failing)
