"""What import-linter cannot see: app.py and pages/ stay thin, and examples need numpy alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPTS = [CHECKOUT / "app.py", *sorted((CHECKOUT / "pages").glob("*.py"))]
MAY_USE = ("__future__", "streamlit", "dtviz.app", "dtviz.session")

FRAMES = {"pandas", "pyarrow", "openpyxl", "narwhals", "plotly", "streamlit"}
EXAMPLES = """
import sys
import dtviz
from dtviz.app.instrument import Instrument
from dtviz.data.gallery import GALLERY, example_recipe, load
from dtviz.engine.rules import Rules
from dtviz.pictures.frames import PICTURES
from dtviz.pictures.scales import LIGHT
from dtviz.session.session import Session, Visit
for name in GALLERY:
    rules = Rules("entropy" if load(name).classes else "squared_error")
    tab = Instrument(Visit(Session(example_recipe(name), rules)))
    tab.act("line", {"what": "goto", "step": 2})
    for picture in PICTURES:
        tab.pack_picture(picture, tab.screen(), LIGHT)
print(*sys.modules)
"""


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


def test_examples_grow_without_the_libraries_of_frames() -> None:
    run = subprocess.run([sys.executable, "-c", EXAMPLES], capture_output=True, check=True)
    assert not FRAMES & {*run.stdout.decode().split()}
