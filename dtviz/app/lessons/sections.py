r"""Sections of the page Learn: Markdown files with slots, which are filled from the screen.

A section is the file `<anchor>.md` in this folder, `<anchor>` being the part of its address after
the #. Blank lines part its blocks; within a block a line break is a space, unless an item of a
list follows.

    # Gain
    The heading stands on the first line.

    A **text** in Markdown, at [[node_name]]: the slot is replaced by the text that the function
    `node_name` returns, '' included. Such a slot may stand alone; an empty block is left out.

    $$
    \text{gain} = [[gain]]
    $$

    [[gain_picture]]

    A slot alone may also be one whose function draws: a chart, a table, a link. The picture of a
    section is drawn to the right of all blocks above it; there is one at most, in no expander.

    <details id="cost"><summary>Counted for this tree</summary>

    The blocks of an expander; its slots are filled only while it is open.

    </details>
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Literal

import streamlit as st

from dtviz.app.lessons.parts import Lesson

SLOT = re.compile(r"\[\[(\w+)\]\]")
_EXPANDER = re.compile(
    r'^<details id="(\w+)"><summary>([^\n]+)</summary>$(.+?)^</details>$', re.MULTILINE | re.DOTALL
)
_BLANK_LINES = re.compile(r"\n\s*\n")
_LINE_BREAK = re.compile(r"\n *+(?!- )")


@dataclass(frozen=True, slots=True)
class Slot:
    """A function that fills a slot of a section."""

    kind: Literal["text", "block", "picture"]
    """Text: the function returns a text. Block or picture: it draws."""
    fill: Callable[[Lesson], str | None]
    """Function that returns the text or draws."""


class Slots(dict[str, Slot]):
    """Slots by name, which is the name of the function; its methods are decorators."""

    def text(self, fill: Callable[[Lesson], str]) -> Callable[[Lesson], str]:
        """Add a function that returns a text, in which names from the data are escaped."""
        self[fill.__name__] = Slot("text", fill)
        return fill

    def texts(self, **fills: Callable[[Lesson], str]) -> None:
        """Add short functions that return a text, by the names of their slots."""
        self.update({name: Slot("text", fill) for name, fill in fills.items()})

    def block(self, fill: Callable[[Lesson], None]) -> Callable[[Lesson], None]:
        """Add a function that draws something."""
        self[fill.__name__] = Slot("block", fill)
        return fill

    def picture(self, fill: Callable[[Lesson], None]) -> Callable[[Lesson], None]:
        """Add a function that draws beside the blocks above it."""
        self[fill.__name__] = Slot("picture", fill)
        return fill


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, list, formula or slot of a section."""

    source: str
    """Markdown or LaTeX with slots, on one line but for the items of a list."""
    is_formula: bool = False
    """True if the source is LaTeX."""

    @property
    def slot_name(self) -> str:
        """Name of the slot that the block consists of; '' if the block is a text or formula."""
        alone = None if self.is_formula else SLOT.fullmatch(self.source)
        return alone[1] if alone else ""


@dataclass(frozen=True, slots=True)
class Expander:
    """Blocks that are drawn only while the reader has them open."""

    key: str
    """Key of the expander among all of the page."""
    title: str
    """Markdown with slots."""
    blocks: tuple[Block, ...]
    """Content."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the page."""

    anchor: str
    """Part of the address after the #, which leads to the section."""
    title: str
    """Heading, without its number."""
    blocks: tuple[Block | Expander, ...]
    """Content below the heading."""


def read_section(anchor: str) -> Section:
    """Read the section with this anchor from its file."""
    text = resources.files(__package__).joinpath(f"{anchor}.md").read_text("utf-8")
    heading, _, text = text.partition("\n")
    blocks: list[Block | Expander] = []
    start = 0
    for match in _EXPANDER.finditer(text):
        blocks += _read_blocks(text[start : match.start()])
        blocks.append(Expander(match[1], match[2], _read_blocks(match[3])))
        start = match.end()
    blocks += _read_blocks(text[start:])
    return Section(anchor, heading.removeprefix("# "), tuple(blocks))


def _read_blocks(text: str) -> tuple[Block, ...]:
    return tuple(_read_block(source) for source in _BLANK_LINES.split(text.strip()) if source)


def _read_block(source: str) -> Block:
    line = _LINE_BREAK.sub(" ", source)
    if line.startswith("$$"):
        return Block(line.removeprefix("$$").removesuffix("$$").strip(), is_formula=True)
    return Block(line)


def draw_section(section: Section, lesson: Lesson, slots: Mapping[str, Slot]) -> None:
    """Draw the blocks of a section, with the blocks above a picture beside the picture."""
    for k, block in enumerate(section.blocks):
        name = block.slot_name if isinstance(block, Block) else ""
        if name and slots[name].kind == "picture":
            with st.container(key=f"beside_{section.anchor}"):
                text, picture = st.columns(2, gap="large")
            with text:
                _draw_blocks(section.blocks[:k], lesson, slots)
            with picture:
                slots[name].fill(lesson)
            _draw_blocks(section.blocks[k + 1 :], lesson, slots)
            return
    _draw_blocks(section.blocks, lesson, slots)


def _draw_blocks(
    blocks: Sequence[Block | Expander], lesson: Lesson, slots: Mapping[str, Slot]
) -> None:
    """Draw blocks one below the other; texts in a row are one text."""
    texts: list[str] = []

    def draw_texts() -> None:
        if texts:
            st.markdown("\n\n".join(texts))
            texts.clear()

    for block in blocks:
        if isinstance(block, Expander):
            draw_texts()
            title = fill(block.title, lesson, slots)
            panel = st.expander(title, key=f"more_{block.key}", on_change="rerun")
            if panel.open:
                with panel:
                    _draw_blocks(block.blocks, lesson, slots)
        elif block.slot_name and slots[block.slot_name].kind != "text":
            draw_texts()
            slots[block.slot_name].fill(lesson)
        elif source := fill(block.source, lesson, slots):
            if block.is_formula:
                draw_texts()
                st.latex(source)
            else:
                texts.append(source)
    draw_texts()


def fill(source: str, lesson: Lesson, slots: Mapping[str, Slot]) -> str:
    """Return the source with its slots filled; what a slot returns is not searched for slots."""
    return SLOT.sub(lambda match: slots[match[1]].fill(lesson) or "", source)
