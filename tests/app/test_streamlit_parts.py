"""The parts of Streamlit that its documentation does not promise: all there, all in one module."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from dtviz.app import guard, run_order, server, streamlit_parts
from dtviz.app.streamlit_parts import BackMsg, ForwardMsg, PagesManager, Slider

PACKAGE = Path(streamlit_parts.__file__).parents[1]
DOCUMENTED = ("streamlit", "streamlit.errors", "streamlit.delta_generator")
ELEMENT = re.compile(r"\bst[A-Z]\w+")
"""Names by which Streamlit marks the elements of a page."""
ASKED = ("page_script_hash", "fragment_id", "widget_states", "query_string")
SENT = ("script_finished", *run_order.ANSWERS)
DEEPER = {
    "new_session": "page_script_hash", "navigation": "page_script_hash", "delta": "fragment_id",
    "stop_auto_rerun": "fragment_ids", "session_status_changed": "script_is_running",
}  # fmt: skip


@pytest.mark.parametrize("name", [*guard.MESSAGE_KINDS, "backend_operation_request"])
def test_a_browser_sends(name: str) -> None:
    assert name in BackMsg.DESCRIPTOR.fields_by_name


@pytest.mark.parametrize("name", ASKED)
def test_a_browser_asks_for_a_run_with(name: str) -> None:
    assert name in BackMsg().rerun_script.DESCRIPTOR.fields_by_name


@pytest.mark.parametrize("name", [*SENT, *DEEPER])
def test_streamlit_answers_with(name: str) -> None:
    field = ForwardMsg.DESCRIPTOR.fields_by_name[name]
    assert name not in DEEPER or DEEPER[name] in field.message_type.fields_by_name


@pytest.mark.parametrize("name", guard.VALUE_FIELDS)
def test_streamlit_draws(name: str) -> None:
    delta = ForwardMsg().delta
    parts = delta.new_element.DESCRIPTOR, delta.add_block.DESCRIPTOR
    assert any(name in part.fields_by_name for part in parts)


def test_runs_end_in_known_ways_and_sliders_are_of_known_kinds() -> None:
    assert len({*run_order.PAGE_ENDS, ForwardMsg.FINISHED_EARLY_FOR_RERUN}) == 3
    assert Slider.SELECT_SLIDER != Slider.SLIDER


def test_streamlit_has_a_flag_for_the_folder_of_pages() -> None:
    assert isinstance(vars(PagesManager)["uses_pages_directory"], bool | None)


def test_the_document_and_the_scripts_are_where_they_are_looked_for() -> None:
    text = streamlit_parts.DOCUMENT.read_text(encoding="utf-8")
    for part in (server.STREAMLIT_SCRIPT, server.BODY_END):
        assert text.count(part) == 1, part
    assert server.FAVICON.search(text)
    assert [*streamlit_parts.STATIC_FOLDER.glob("js/*.js")]


def test_streamlit_has_the_elements_that_style_and_pictures_name() -> None:
    scripts = "".join(
        path.read_text("utf-8") for path in streamlit_parts.STATIC_FOLDER.rglob("*.js")
    )
    ours = [*PACKAGE.rglob("*.css"), *PACKAGE.rglob("*.js"), *PACKAGE.rglob("app/*.py")]
    texts = [path.read_text("utf-8") for path in ours if "vendor" not in path.parts]
    names = {name for text in texts for name in ELEMENT.findall(text)}
    assert len(names) > 10
    names |= {"data-test-script-state", "BACKEND_BASE_URL", "HOST_CONFIG", "blockErrorDialogs"}
    assert [name for name in sorted(names) if name not in scripts] == []


def test_no_other_module_imports_what_is_not_documented() -> None:
    found = {
        (path.name, name)
        for path in PACKAGE.rglob("*.py")
        for name in _imports(path)
        if name.partition(".")[0] == "streamlit" and name not in DOCUMENTED
    }
    assert {module for module, _ in found} == {"streamlit_parts.py"}, found


def _imports(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.append(node.module or "")
    return names
