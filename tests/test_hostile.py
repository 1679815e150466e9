"""Names, labels and links full of HTML, Markdown, DOT, KaTeX and control characters stay text.

A table whose columns, classes and file have every hostile name goes through every page, panel,
picture and export; its names come in a link, in an upload, in a saved screen.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from screens import (
    HOSTILE,
    app,
    frame_of,
    frames,
    live,
    markdown_of,
    open_panel,
    page,
    params_of,
    run,
    stage_of,
    step,
    texts_in,
    with_file,
    words,
)
from streamlit.testing.v1 import AppTest

import dtviz
from dtviz.base import progress
from dtviz.base.text import clean, markdown
from dtviz.data import uploads
from dtviz.data.uploads import SavedScreen
from dtviz.explain.export import TREE_KINDS

TARGET = "![t](http://evil.example)"
FILE = "![x](http://evil.example) $q$ :red[z] *f*.csv"
PANELS = {
    "grow": ("Candidates", "All gains", "Features", "Arithmetic", "Criteria", "Rows", "Algorithm",
             "Rules", "Export"),
    "overfit": ("Mistakes", "Threshold", "Pruning", "Grid search", "Greedy's limit"),
    "data": ("",), "stability": ("",), "forest": ("",), "impurity": ("",), "learn": ("",),
}  # fmt: skip
OPENED = ("criteria", "disagree", "folds", "kinds", "cost")


@pytest.fixture(autouse=True)
def whole_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SLICE_SECONDS", 600)


@cache
def table() -> pd.DataFrame:
    """Every hostile name is a column or a class; the rows grow a tree of some splits."""
    rows, classes = np.arange(48), HOSTILE[1::2]
    columns = {name: (rows * (j + 3)) % 17 * 1.0 for j, name in enumerate(HOSTILE[::2])}
    return pd.DataFrame(columns | {TARGET: [classes[row % len(classes)] for row in rows // 2]})


def pages() -> Iterator[tuple[str, AppTest]]:
    """Every page on the table, each of its panels opened in turn."""
    for name, panels in PANELS.items():
        at = with_file(name, table(), FILE, max_depth="3", log="a2", trees="2", vary_trees="3")
        for opened in OPENED:
            at.session_state[f"more_{opened}"] = True
        for panel in panels:
            if name != "grow":
                at.session_state["panels"] = panel
            at = run(at)
            yield f"{name}: {panel}", open_panel(at, panel) if name == "grow" else at


def markup(at: AppTest) -> list[str]:
    """What a page hands over as HTML or as the text of a chart, which reads some HTML."""
    bodies = [block.proto.body for block in at.get("html")]
    specs = [json.loads(chart.proto.spec) for chart in at.get("plotly_chart")]
    return bodies + [text for spec in specs for text in texts_in(spec)]


def test_a_hostile_table_stays_text_on_every_page_in_every_panel_and_picture() -> None:
    for place, at in pages():
        if place.startswith("learn"):  # it has links and formulas itself
            raw = re.sub(r"\\[!-/:-@\[-`{-~]", "", "\n".join(markdown_of(at)))
            names = (
                "![x]",
                "](java",
                "<img",
                "$x^2$",
                ":red[x]",
                "`code`",
                "![t]",
                "$q$",
                ":red[z]",
            )
            assert not [name for name in names if name in raw], place
        else:
            assert live(at) == [], place
        for text in markup(at):
            assert not any(tag in text for tag in ("<img src=x", "</TABLE>>", "<b>bold")), place
        for latex in at.latex:
            assert r"\text{a} \\ }" not in str(latex.value), place
        for name, picture in frames(at).items():
            for text in texts_in(picture):
                assert not {*text} & {"\x00", "\x01", "\x7f", "\u202e", "\r"}, (place, name, text)
        if place.startswith("grow"):
            axes = [axis["name"] for axis in (stage_of(at)["across"], stage_of(at)["up"])]
            assert axes == [clean(axis) for axis in axes], place
            features = frame_of(at, "grow")["axes"]["features"]
            assert features == [clean(name) for name in table()][:-1]


def test_a_hostile_table_stays_text_in_every_export() -> None:
    model = dtviz.fit(dtviz.from_frame(table(), TARGET), dtviz.Rules(max_depth=3))
    expected = list(model.predict(table()))
    for kind in TREE_KINDS:
        text = model.export(kind)
        if kind == "python":
            there: dict[str, Any] = {}
            exec(text, there)
            rows = table().drop(columns=TARGET).to_dict("records")
            assert [there["predict"](row) for row in rows] == expected
        if kind == "json":
            assert {node["feature"] for node in json.loads(text)["nodes"] if "feature" in node} <= {
                *table()
            }
        if kind == "dot":
            assert "<img" not in text
            assert "];evil" not in text.replace("&gt;&gt;];evil", "")


def quoted(text: str) -> str:
    """A cell of a csv file, which holds no zero byte."""
    return '"' + text.replace("\0", "").replace('"', '""') + '"'


def upload(content: str, file: str) -> AppTest:
    at = app("data", data_tabs="Upload a table")
    return run(at.file_uploader[0].upload(file, content.encode(), "text/csv"))


def test_an_upload_with_hostile_names_stays_text_from_data_to_grow_and_back() -> None:
    names = [*map(quoted, [*HOSTILE, TARGET])]
    rows = [[quoted(str(i % (j + 2))) for j in range(len(HOSTILE))] for i in range(36)]
    lines = [names, *([*row, quoted(HOSTILE[i])] for i, row in enumerate(rows))]
    at = upload("\r\n".join(map(",".join, lines)), "<b>.csv")
    assert live(at) == []
    assert f"36 rows\n{len(names)} columns" in words(at)
    at = run(next(box for box in at.selectbox if box.label == "Target").select_index(len(HOSTILE)))
    assert "can be used" in words(at)
    assert live(at) == []
    at = run(next(button for button in at.button if button.label.startswith("Grow a")).click())
    assert (step(at)[0], live(at)) == (0, [])
    at = run(at.switch_page("pages/data.py"))
    assert "is in use" in words(at)
    assert live(at) == []
    fooling = "".join(f"{i * i % 7},{i * i % 7},1,{'uv'[i % 2]}\n" for i in range(30))
    for name in HOSTILE[::6]:
        at = upload(f"{quoted(name)},{quoted('x' + name)},b,y\n{fooling}", "a.csv")
        assert "2 features would fool a tree" in words(at), name
        assert live(at) == [], name
        assert live(upload(f"a,b\n{quoted(name)},{quoted(name)}\n1,2\n", "a.csv")) == [], name


def test_hostile_words_in_a_link_or_a_saved_screen_stay_text() -> None:
    for text in HOSTILE[::3]:
        at = page("impurity", data="heights", say=text)
        line = clean(text, 300)
        assert live(at) == [], text
        assert params_of(at).get("say", "") == line
        assert at.markdown[0].value == markdown(line, 300) or not line, text
        says = "This link says:" in [caption.value for caption in at.caption]
        assert says == bool(line), text
    for text in HOSTILE[::9]:
        asked = {"data": "file", "sha": "1", "file": text, "target": text, "test": "2"}
        for name in ("grow", "learn"):
            at = page(name, **asked, test_file=text)
            assert live(at) == [], text
            assert at.info, text
        fields = {"data": "xor"} | dict.fromkeys(("log", "say", "file", "target", text), text)
        content = uploads.write_screen(SavedScreen("grow", fields, {}))
        assert live(upload(content.decode(), "a.dtviz.json")) == [], text
