"""The document shows the first screen of Grow before its scripts run, and lies on no other page."""

from __future__ import annotations

import gzip
import re
from html.parser import HTMLParser

import pytest

from dtviz.app import first_paint
from dtviz.app.server import document
from dtviz.app.site import PAGES
from dtviz.app.state import START_RECIPE
from dtviz.data import gallery

VOID = ("rect", "circle", "path", "use", "line", "polyline")


class Elements(HTMLParser):
    """The elements of a text, each with its attributes, and its words; all are closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in VOID
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def first_paint_of(name: str, is_bare: bool) -> Elements:
    """What the document of a page shows before its scripts run."""
    text = gzip.decompress(document(name, is_bare).gzip_content).decode()
    return Elements(re.findall(r'<div class="dtviz-first".*(?=</body>)', text, re.DOTALL)[0])


def test_the_bare_address_of_grow_shows_each_point_and_curve() -> None:
    data = gallery.build(START_RECIPE)
    for name in ("", "grow"):
        shown = first_paint_of(name, is_bare=True)
        uses = [attributes for tag, attributes in shown.found if tag == "use"]
        assert len(uses) == data.n == 150
        places = [
            float(value.removesuffix("%"))
            for attributes in uses
            for place in "xy"
            if (value := attributes[place])
        ]
        assert min(places) > 0
        assert max(places) < 100
        assert [tag for tag, _ in shown.found].count("polyline") == 2
        assert {*data.features} <= {*shown.words}
        assert "Why does the first cut go here?" in shown.words
        assert shown.found[0][1]["aria-hidden"] == "true"


def test_other_pages_and_links_show_the_names_of_the_pages_alone() -> None:
    titles = [page.title for page in PAGES.values()]
    for name in PAGES:
        shown = first_paint_of(name, is_bare=False)
        assert shown.words == titles
        assert [tag for tag, _ in shown.found].count("b") == 1
        if name != "grow":
            assert first_paint_of(name, is_bare=True).words == titles


def test_names_are_literal_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_paint, "FIRST_QUESTION", "Why")
    monkeypatch.setattr(first_paint, "FIRST_ANSWER", "<b onclick=x> & how?")
    shown = Elements(first_paint.first_paint("", has_picture=True))
    assert "Why <b onclick=x> & how?" in "".join(shown.words)
    assert not any("onclick" in attributes for _, attributes in shown.found)
