"""app.py and pages/ stay thin. import-linter sees only the package, so this looks at them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPTS = [CHECKOUT / "app.py", *sorted((CHECKOUT / "pages").glob("*.py"))]
MAY_USE = ("__future__", "streamlit", "dtviz.app", "dtviz.session")


def imported(source: str) -> Iterator[str]:
    """The modules a script imports, by full name: `from dtviz import app` gives 'dtviz.app'."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module == "dtviz":
            yield from (f"dtviz.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or "."


def test_scripts_import_only_the_ui_and_the_screen() -> None:
    for script in SCRIPTS:
        for name in imported(script.read_text(encoding="utf-8")):
            assert any(name == m or name.startswith(m + ".") for m in MAY_USE), (script, name)


def test_imports_are_named_in_full() -> None:
    source = "import numpy as np\nfrom dtviz import app, data\nfrom dtviz.session import session"
    assert list(imported(source)) == ["numpy", "dtviz.app", "dtviz.data", "dtviz.session"]
