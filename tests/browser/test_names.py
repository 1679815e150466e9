"""A name full of what pages, formulas and graphs have a meaning for is read as it stands.

The column of that name is the only one that tells the classes apart; their names end in it too.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

import pytest
from acts import Settled, expect_step, has_no_error, picture, press
from playwright.sync_api import Locator, Page, expect

NAMES = (
    ':material/home: m -- it\'s "q" `K` -> \\Gamma',
    ":smile: \\Nu <- a--b ≠ ∑ {x}_1^2 $y$ ~= `\\E",
)


def table(name: str) -> bytes:
    """Eight rows, two classes."""
    out = io.StringIO()
    rows = [(i, i % 2, i % 4 // 2, f"{'no' if i < 4 else 'yes'} {name}") for i in range(8)]
    csv.writer(out).writerows([(name, "other", "third", "class"), *rows])
    return out.getvalue().encode()


def read(place: Locator) -> str:
    """The text as it is read: without joiners, and back-ticks where accents stand for them."""
    expect(place.first).to_be_visible()
    text = " ".join(place.all_text_contents())
    for said, meant in (("\u2060", ""), ("\u200b", ""), ("ˋ", "`"), ("\u00a0", " ")):
        text = text.replace(said, meant)
    return " ".join(text.split())


@pytest.mark.parametrize("name", NAMES)
def test_a_name_stands_as_it_is_in_words_formulas_charts_and_the_tree(
    moved: Callable[[str], Page], settled: Settled, name: str
) -> None:
    page = moved("/data")
    page.get_by_role("tab", name="Upload a table").click()
    settled(page)
    page.locator("[data-testid=stFileUploader] input[type=file]").set_input_files(
        {"name": "names.csv", "mimeType": "text/csv", "buffer": table(name)}
    )
    settled(page)
    page.get_by_role("button", name="Grow a tree on this table").first.click()
    expect_step(page, 0)
    press(page, settled, "next")
    assert name in read(page.locator(".st-key-asked p"))
    in_the_tree = read(picture(page, "tree").locator("svg text"))
    assert in_the_tree.count(name) == 3
    press(page, settled, "back")
    page.get_by_role("tab", name="Arithmetic").click()
    settled(page)
    assert name in read(page.locator(".katex-html"))
    expect(page.locator(".katex-error")).to_have_count(0)
    page.get_by_role("tab", name="All gains").click()
    settled(page)
    assert name in read(page.locator(".js-plotly-plot text"))
    has_no_error(page)
