"""The style of the pages: what a change on a page has a browser style again."""

from __future__ import annotations

import re

from dtviz.app.page import STYLE

OPENS, CLOSES = "([", ")]"
RARE = re.compile(r"[.#\[]|^(?!div|span)[a-z]")
"""What names few of a page's elements: a class, an id, an attribute, another tag than most have."""
OTHERWISE = re.compile(r":(?:not|has)\((?:[^()]|\([^()]*\))*\)")
"""What names others than these."""
WHOLE = re.compile(r"(?:body|html|:root|\.presenting)(?![\w-])")
"""What names the whole page."""


def parts(text: str, between: str) -> list[str]:
    """What stands between those characters, but for those in brackets."""
    found, depth = [""], 0
    for one in text:
        depth += (one in OPENS) - (one in CLOSES)
        if depth == 0 and one in between:
            found.append("")
        else:
            found[-1] += one
    return [part.strip() for part in found if part.strip()]


def dear(style: str) -> list[str]:
    """The selectors that hang on what is inside one element and name no kind of another, and those
    that hang on an attribute of anything in the page.

    A browser asks them of all elements whenever anything changes anywhere; an attribute it knows by
    its name alone, which is `class` or `data-testid` of nearly all.
    """
    plain = re.sub(r"/\*.*?\*/", "", style, flags=re.DOTALL)
    heads = (head for head in re.findall(r"([^{};]+)\{", plain) if "@" not in head)
    found = []
    for selector in (one for head in heads for one in parts(head, ",")):
        *before, last = parts(selector, " \n>+~")
        hanging = [one for one in before if ":has(" in one]
        any_kind = hanging and not RARE.search(OTHERWISE.sub("", last))
        if any_kind or any(
            WHOLE.match(one) and "[" in one.partition(":has(")[2] for one in hanging
        ):
            found.append(selector)
    return found


RULES = [
    (".a:has(.b) > * {x: y}", 1),
    (".c, .a:has(.b) div {x: y}", 1),
    ("@media (width > 1px) {.a:has(.b, .c > .d) + div:hover {x: y}}", 1),
    (".a:has(.b) > *:not(.c, :is(.d)) {x: y}", 1),
    (".a:has(.b) > .c {x: y} .a > * {x: y}", 0),
    ("body:has([b='c d'] .e) .a {x: y} html.b:has(.c [d*='e']) :is(.f) {x: y}", 2),
    (":root:has([a]) .b, .presenting:has([class*='a']) .b {x: y}", 2),
    ("body:has(.a > .b) [class*='c'] {x: y} .a:has([b]) .c {x: y} [a] ~ * .b {x: y}", 0),
    ("body[a]:has(.b) .c {x: y} .presenting-once:has([a]) .b {x: y}", 0),
    ("/* .a:has(.b) > * {x: y} */ div:has(> .a) {x: y}", 0),
    (".a :has(> [b='c d']) {x: y} :has(> .a) > button {x: y}", 0),
]


def test_no_rule_is_asked_of_every_element_at_every_change_and_such_rules_are_seen() -> None:
    for style, many in RULES:
        assert len(dear(style)) == many, (style, many)
    assert STYLE.count(":has(") > 20
    assert dear(STYLE) == []
