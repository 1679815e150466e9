"""What draws the pictures, as a browser is given it: two files, asked for again only if changed.

Streamlit would send each module anew to every page that is opened.
"""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import Response

import dtviz

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


SCRIPT, STYLE = "view.js", "view.css"
"""What leads to all others, in the folder of the modules."""
_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "([^"]+)";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("([^"]+\.js)"\)')
_EXPORT = re.compile(
    r"^export ((?:async )?function\*?|class|const) (?:(\w+)|[\[{]([\w\s:,]*)[\]}] =)", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default function (\w+)", re.MULTILINE)
_LIST = re.compile(r"\bexport ?\{([^}]*)\};\s*\Z")
_OTHER = re.compile(  # but the type of something, in a comment
    r"^(?:\s*(?:import|export)\b|.*\bimport\.meta\.(?!url\b)"
    r'|.*\bimport\((?!new URL\(|"[^"]+\.d\.ts"\))).*',
    re.MULTILINE,
)
_STYLES = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)
_ASKS = re.compile(r"^.*(?:@import|\burl\().*", re.MULTILINE)
_WHOLE = """const modules = {{
{modules}
}};
const made = {{}};
const $module = (name) => (made[name] ??= modules[name]());
export default $module("{entry}").default;
"""


def script(folder: Path) -> str:
    """SCRIPT with all modules that it leads to; ValueError for a line that no pattern reads."""
    modules: dict[str, str] = {}
    todo = [SCRIPT]
    while todo:
        name = todo.pop()
        if name not in modules:
            modules[name], used = _module(name, (folder / name).read_text(encoding="utf-8"))
            todo += used
    texts = (f'"{name}"() {{\n{text}}},' for name, text in modules.items())
    return _WHOLE.format(modules="\n".join(texts), entry=SCRIPT)


def style(folder: Path, name: str = STYLE) -> str:
    """A style with those it imports in their places; ValueError for another file it asks for."""
    text = (folder / name).read_text(encoding="utf-8")
    text = _STYLES.sub(lambda found: style(folder, _beside(name, found[1])), text)
    if other := _ASKS.search(text):
        raise ValueError(f"{name} cannot be put into one style: {other[0]}")
    return text


def _module(name: str, text: str) -> tuple[str, list[str]]:
    """A module as the body of a function, and the modules it asks for."""
    used: list[str] = []

    def asked(path: str) -> str:
        used.append(_beside(name, path))
        return f'$module("{used[-1]}")'

    def imported(found: re.Match[str]) -> str:
        names = found[1] or f"{{{found[2].replace(' as ', ': ')}}}"
        return f"const {names} = {asked(found[3])};"

    exported = [name for found in _EXPORT.finditer(text) for name in _named(found)]
    exported += [f"default: {found[1]}" for found in _DEFAULT.finditer(text)]
    exported += [_renamed(one) for found in _LIST.finditer(text) for one in found[1].split(",")]
    text = _IMPORT.sub(imported, text)
    text = _LATER.sub(lambda found: f"Promise.resolve().then(() => {asked(found[1])})", text)
    text = _DEFAULT.sub(r"function \1", text)
    text = _EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
    text = _LIST.sub("", text)
    if other := _OTHER.search(text):
        raise ValueError(f"{name} cannot be put into one script: {other[0]}")
    text = text.replace("import.meta.url", f'new URL("./{name}", import.meta.url).href')
    return f"{text}\nreturn {{ {', '.join(exported)} }};\n", used


def _named(found: re.Match[str]) -> list[str]:
    """The names that an export gives: one, or those of `{ one: name, other }` or `[one, other]`."""
    names = (found[2] or found[3]).split(",")
    return [name.rpartition(":")[2].strip() for name in names]


def _renamed(one: str) -> str:
    """`inside as outside` as an entry of an object."""
    inside, _, outside = one.strip().partition(" as ")
    return f"{outside}: {inside}" if outside else inside


def _beside(name: str, path: str) -> str:
    """A path that stands in a file, from the folder of all."""
    return normpath(join(dirname(name), path))


FOLDER = Path(dtviz.__file__).parent / "frontend"
ADDRESS = "/_stcore/bidi-components/dtviz.view/"
"""Where Streamlit serves the folder."""
APART = ("tree/worker.js", "tree/graphviz.js", "vendor/viz.js")
"""What is asked for beside the script: Graphviz is large, and works beside the page."""
_PACKED = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")


@dataclass(frozen=True)
class File:
    """A file as it is sent, plain and packed; `tag` is another where the text is."""

    text: bytes
    packed: bytes
    tag: str
    kind: str

    def answer(self, asked: Headers) -> Response:
        """The file, or that it is the one the browser holds."""
        told = {"Cache-Control": "no-cache", "ETag": f"W/{self.tag}", "Vary": "Accept-Encoding"}
        if self.tag in ",".join(asked.getlist("if-none-match")):
            return Response(status_code=304, headers=told)
        if not _PACKED.search(asked.get("accept-encoding", "")):
            return Response(self.text, headers=told, media_type=self.kind)
        told["Content-Encoding"] = "gzip"
        return Response(self.packed, headers=told, media_type=self.kind)


@cache
def files() -> dict[str, File]:
    """What a page asks for by ADDRESS, by the rest of its address."""
    texts = {name: (FOLDER / name).read_bytes() for name in APART}
    texts |= {SCRIPT: script(FOLDER).encode(), STYLE: style(FOLDER).encode()}
    return {name: _file(name, text) for name, text in texts.items()}


def _file(name: str, text: bytes) -> File:
    kind = "text/css" if name == STYLE else "text/javascript"
    return File(text, gzip.compress(text, mtime=0), f'"{sha256(text).hexdigest()[:16]}"', kind)


class Frontend:
    """Answers for those files; all else is the app's to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.files = app, files()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        asked = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        file = self.files.get(scope["path"].rpartition(ADDRESS)[2]) if asked else None
        answer = file.answer(Headers(scope=scope)) if file else self.app
        await answer(scope, receive, send)
