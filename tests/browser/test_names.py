"""A name full of what pages, formulas and graphs have a meaning for is read as it stands.

The columns of these names are those that tell the classes apart; their names end in them too.
"""

from __future__ import annotations

import csv
import io

import pytest
from acts import Settled, Visit, grow_on, has_no_error, picture, press
from playwright.sync_api import Locator, expect

pytestmark = pytest.mark.nightly

NAMES = (
    ':material/home: m -- it\'s "q" `K` -> \\Gamma',
    ":smile: \\Nu <- a--b ≠ ∑ {x}_1^2 $y$ ~= `\\E",
)


def table() -> bytes:
    """Twelve rows, three classes: the first name parts half of the rows, the second the others."""
    out = io.StringIO()
    first, second = NAMES
    kinds = [f"yes {first}"] * 6 + [f"no {second}"] * 3 + ["neither"] * 3
    rows = [(k // 6, k % 6, k % 2, kind) for k, kind in enumerate(kinds)]
    csv.writer(out).writerows([(first, second, "third", "class"), *rows])
    return out.getvalue().encode()


def read(place: Locator) -> str:
    """The text as it is read: without joiners, and back-ticks where accents stand for them."""
    expect(place.first).to_be_visible()
    text = " ".join(place.all_text_contents())
    for said, meant in (("\u2060", ""), ("\u200b", ""), ("ˋ", "`"), ("\u00a0", " ")):
        text = text.replace(said, meant)
    return " ".join(text.split())


def test_a_name_stands_as_it_is_in_words_formulas_charts_and_the_tree(
    moved: Visit, settled: Settled
) -> None:
    page = moved("/data")
    grow_on(page, settled, ("names.csv", table()))
    page.get_by_role("tab", name="All gains").click()
    settled(page)
    for name in NAMES:
        assert name in read(page.locator(".js-plotly-plot text"))
    page.get_by_role("tab", name="Arithmetic").click()
    settled(page)
    for name in NAMES:  # the root's cut, then that of its right side
        assert name in read(page.locator(".asked p"))
        assert name in read(page.locator(".katex-html"))
        expect(page.locator(".katex-error")).to_have_count(0)
        press(page, settled, "next")
    in_the_tree = read(picture(page, "tree").locator("svg text"))
    assert [in_the_tree.count(name) for name in NAMES] == [2, 2]  # a rule and a leaf
    has_no_error(page)
