"""Pages under AppTest: what stands on them, and names nobody would choose.

Glossary
    page     one file of pages/, run alone with the address parameters given
    screen   what a person sees of Grow: sentence, step counter, tree, stage, candidates
    live     what Markdown would still make something of, after its backslash escapes are read
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

CHECKOUT = Path(__file__).resolve().parent.parent
PENGUINS = CHECKOUT / "assets" / "penguins.csv"
ALERTS = ("warning", "error", "info", "success")

# Some are from the Big List of Naughty Strings, (c) 2015-2020 Max Woolf, MIT licence.
HOSTILE = (
    "![x](https://evil.example/x.png)", "[x](javascript:alert(1))", "https://evil.example/a",
    "www.evil.example", "a@evil.example", "<img src=x onerror=alert(1)>", "<b>bold</b>", "%{x}",
    "$x^2$", "$$y$$", ":red[x]", ":material/home:", ":smile:", "`code`", "**b** _i_ ~~s~~", "\"'\\",
    "a\nb", "\t\r\n", "x" * 300, "\u202etest\u200f", "\x00\x01\x7f", "# h", "| a | b |", "- a",
    "1. a", "{{7*7}}", "田中さん", "👩‍👩‍👧‍👦", "Z̮̞̠͙͔ͅa", "&lt;&quot;&amp;", "</TABLE>>];evil [label=x",
    "a <= b", "a ≤ b", "None", r"\text{a} \\ }", "\ufeff",
)  # fmt: skip
LIVE = re.compile(r"!\[|\]\(|<\w|</|:[\w/-]+[:\[]|\$|[\w.+-]+@\w|https?:/|www\.|`\w|~~|\{\{")


def page(name: str, theme: str = "light", **params: str) -> AppTest:
    """The page with these address parameters, run once and free of exceptions."""
    return run(seeded(name, theme, **params))


def seeded(name: str, theme: str = "light", **params: str) -> AppTest:
    """The page before its first run."""
    at = AppTest.from_file(str(CHECKOUT / "pages" / f"{name}.py"), default_timeout=60)
    at.query_params.update(params)
    at.context["theme"] = theme
    return at


def run(at: Any) -> AppTest:
    """One run more, free of exceptions; takes a page or a control that was just used."""
    at = at.run()
    assert not at.exception, [error.value for error in at.exception]
    return at


def app(name: str = "grow") -> AppTest:
    """The whole app, on one of its pages: here one page can send to another."""
    at = AppTest.from_file(str(CHECKOUT / "app.py"), default_timeout=60)
    run(at)
    return at if name == "grow" else run(at.switch_page(f"pages/{name}.py"))


def with_file(name: str, frame: pd.DataFrame, file: str = "a.csv", **params: str) -> AppTest:
    """A page before its first run, whose tab was given this table and whose link speaks of it."""
    sha = hashlib.sha256(frame.to_csv().encode()).hexdigest()[:16]
    target = str(frame.columns[-1])
    at = seeded(name, **({"data": "file", "sha": sha, "file": file, "target": target} | params))
    at.session_state["files"] = {sha: (frame, ())}
    return at


def params_of(at: AppTest) -> dict[str, str]:
    return {key: str(value) for key, value in at.query_params.items()}


def plain(text: str) -> str:
    """Markdown of ours as it is read."""
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", text)
    return text.replace("\u2060", "").replace("**", "").replace("≤", "<=")


def words(at: AppTest) -> str:
    """All the running text of the page, as it is read."""
    return "\n".join(plain(text) for text in markdown_of(at))


def markdown_of(at: AppTest) -> list[str]:
    """Everything on the page that Streamlit renders as Markdown."""
    out = [str(one.value) for one in (*at.markdown, *at.caption)]
    out += [str(one.value) for kind in ALERTS for one in getattr(at, kind)]
    out += [str(one.label) for one in (*at.button, *at.expander, *at.tabs, *at.selectbox)]
    for choice in (*at.radio, *at.pills):
        out += [str(choice.label), *map(str, choice.options)]
    return out


def live(at: AppTest) -> list[str]:
    """The Markdown texts in which something of an outsider would come to life."""
    texts = [re.sub(r"\\[!-/:-@\[-`{-~]", "", text) for text in markdown_of(at)]
    return [text for text in texts if LIVE.search(text)]


def step(at: AppTest) -> tuple[int, int]:
    """Where on the time-line the page says it is."""
    found = re.search(r"step (\d+) of (\d+)", words(at))
    assert found, "no step counter"
    return int(found[1]), int(found[2])


def why(at: AppTest) -> str:
    """The sentence on the cut looked at."""
    texts = [plain(str(one.value)) for one in at.markdown]
    return next(text for text in texts if re.match(r"(Root|Node \d+)\.", text))


def tree_of(at: AppTest) -> str:
    """The DOT text of the tree drawn."""
    return str(at.get("graphviz_chart")[0].proto.spec).replace("≤", "&lt;=")


def chart(at: AppTest, place: int = 0) -> str:
    """The JSON of a plotly figure drawn."""
    return str(at.get("plotly_chart")[place].proto.spec)


def screen(at: AppTest) -> tuple[Any, ...]:
    """All that must be the same when the same link is opened."""
    tables = tuple(table.value.to_csv() for table in at.dataframe)
    boxes = tuple((box.label, str(box.value)) for box in (*at.selectbox, *at.number_input))
    return why(at), step(at), tree_of(at), chart(at), tables, boxes
