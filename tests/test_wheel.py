"""The wheel carries the whole app: installed away from the checkout, it starts in any folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def wheel(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the checkout, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    run("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(checkout))
    return next(folder.glob("dtviz-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder the wheel is installed in, beside the dependencies that are there already."""
    folder = tmp_path_factory.mktemp("site")
    run("-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", folder, wheel)
    return folder


def run(*args: str | Path, **options: Any) -> str:
    """What Python says when run with these arguments; fails with its words if it fails."""
    done = subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, check=False, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(checkout: Path, *folders: str) -> set[str]:
    """The files of the folders, as the wheel should name them."""
    files = (file for folder in folders for file in (checkout / folder).rglob("*"))
    own = (file for file in files if file.is_file() and file.suffix != ".pyc")
    return {f"dtviz/_app/{file.relative_to(checkout).as_posix()}" for file in own}


def test_wheel_carries_app_pages_assets_and_settings(checkout: Path, wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    app = {"dtviz/_app/app.py", "dtviz/_app/.streamlit/config.toml"}
    shown = re.findall(r"\(assets/([\w.]+)\)", (checkout / "README.md").read_text("utf-8"))
    assert shown  # the README's pictures stay out
    pictures = {f"dtviz/_app/assets/{name}" for name in shown}
    wanted = (app | tracked(checkout, "pages", "assets", ".streamlit")) - pictures
    assert {name for name in names if name.startswith("dtviz/_app/")} == wanted
    assert {"dtviz/py.typed", "dtviz/app/cli/__init__.py", "dtviz/pyproject.toml"} <= names
    read = [*(checkout / "dtviz/frontend").rglob("*"), *(checkout / "dtviz").rglob("*.md")]
    assert {file.relative_to(checkout).as_posix() for file in read if file.is_file()} <= names
    assert not any(name.startswith(("tests/", "pages/", "assets/")) for name in names)


def test_unpacked_wheel_finds_its_own_app(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    env = {**os.environ, "PYTHONPATH": str(site)}
    home = run("-c", "from dtviz.app.cli.serving import home; print(home())", cwd=tmp_path, env=env)
    assert Path(home.strip()) == site / "dtviz" / "_app"


@pytest.mark.nightly
def test_installed_wheel_starts_from_any_folder(serve: Any, installed: Path) -> None:
    program = installed / "bin" / "dtviz"
    server = serve(str(program), env={"PYTHONPATH": str(installed)})
    assert '<div id="root">' in server.get("/")
    assert "export default" in server.get("/_stcore/bidi-components/dtviz.view/view.js")
    assert server.stop() == 0
