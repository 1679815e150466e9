"""Pages of the app: their registry, their style, and the frontend, sent as few files.

The modules of the folder `frontend` become one script, and its style sheets one style: a browser
then sends few requests.
"""

from __future__ import annotations

import asyncio
import gzip
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import Response

import dtviz
from dtviz.app.streamlit_parts import STATIC_FOLDER
from dtviz.data.dataset import DataError
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.session.screen import Screen

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
"""Style sheet of all pages, on a wide screen and on a phone; part of the page's document."""
COLOURS = {"ink": "ink", "paper": "paper", "accent": "accent", "edge": "grid"}
"""Variables of the style sheet that are colours of a Theme, and their names there."""

FRAGMENT_KEY = "page"
"""Key of the Streamlit fragment that holds all of a page."""


@dataclass(frozen=True, slots=True)
class PageSpec:
    """A page of the app."""

    title: str
    """Title in the bar of the pages."""
    path: str
    """Path of its address, and the name of its script in `pages`."""
    draw: Callable[[Screen], None]
    """Function that draws a screen."""
    draw_error: Callable[[DataError], None] | None = None
    """Function that draws the page where the data cannot be made; None for that of other pages."""
    is_fragment: bool = False
    """True if events on the page change nothing around it, so that it can run as a fragment."""
    shows_files: bool = False
    """True if the page shows the files that the browser keeps."""


PAGES: dict[str, PageSpec] = {}
"""Pages by their paths, filled by site.py; the first page is shown at the path / as well."""


def set_up_page(title: str) -> None:
    """Set up the page with its title in the bar; call it before anything is drawn."""
    st.set_page_config(page_title="dtviz", layout="wide")
    # an empty container, which the style sheet hides: the key tells it which page this is, and a
    # container without a height would not be sent
    st.container(key=f"carry_{title}", height=1, border=False)


def page_style() -> str:
    """Return the style sheet of all pages, with the colours and the titles of the pages."""
    colours = "; ".join(
        f"--{name}: light-dark({getattr(LIGHT, field)}, {getattr(DARK, field)})"
        for name, field in COLOURS.items()
    )
    titles = (page.title for page in PAGES.values())
    named = (f':root:has(.st-key-carry_{title}) {{--page: "{title}"}}' for title in titles)
    return "\n".join([f":root {{{colours}}}", STYLE, *named])


FRONTEND_SCRIPT, FRONTEND_STYLE = "view.js", "view.css"
"""Module and style sheet that import all others, by their paths in FRONTEND_FOLDER."""
_IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "([^"]+)";$', re.MULTILINE)
_DYNAMIC_IMPORT = re.compile(r'\bimport\("([^"]+\.js)"\)')
_EXPORT = re.compile(
    r"^export ((?:async )?function\*?|class|const) (?:(\w+)|[\[{]([\w\s:,]*)[\]}] =)", re.MULTILINE
)
_DEFAULT = re.compile(r"^export default function (\w+)", re.MULTILINE)
_EXPORT_LIST = re.compile(r"\bexport ?\{([^}]*)\};\s*\Z")
_UNREAD = re.compile(  # an import or export that no pattern has replaced, but types in comments
    r"^(?:\s*(?:import|export)\b|.*\bimport\.meta\.(?!url\b)"
    r'|.*\bimport\((?!new URL\(|"[^"]+\.d\.ts"\))).*',
    re.MULTILINE,
)
_COMMENT = re.compile(r"^\s*(?:/\*\*[^\0]*?\*/[ \t]*|//.*)\n", re.MULTILINE)  # on lines of its own
_STYLE_IMPORT = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)
_STYLE_URL = re.compile(r"^.*(?:@import|\burl\().*", re.MULTILINE)
_BUNDLE = """const modules = {{
{modules}
}};
const made = {{}};
const $module = (name) => (made[name] ??= modules[name]());
export default $module("{entry}").default;
"""


def bundle_script(folder: Path) -> str:
    """Return FRONTEND_SCRIPT with all modules that it imports, as one script.

    Each module becomes a function that runs at the first import and returns the exports. Raises
    ValueError for an import or export in a form that no pattern matches.
    """
    modules: dict[str, str] = {}
    todo = [FRONTEND_SCRIPT]
    while todo:
        name = todo.pop()
        if name not in modules:
            modules[name], imports = _module(name, (folder / name).read_text(encoding="utf-8"))
            todo += imports
    texts = (f'"{name}"() {{\n{text}}},' for name, text in modules.items())
    return _BUNDLE.format(modules="\n".join(texts), entry=FRONTEND_SCRIPT)


def without_comments(text: str) -> str:
    """Return a module without comments on lines of their own, a third of what it is when packed."""
    return _COMMENT.sub("", text)


def bundle_style(folder: Path, name: str = FRONTEND_STYLE) -> str:
    """Return a style sheet with the sheets it imports in the places of their imports.

    Raises ValueError for a URL of any other file.
    """
    text = (folder / name).read_text(encoding="utf-8")
    text = _STYLE_IMPORT.sub(lambda match: bundle_style(folder, _resolve(name, match[1])), text)
    if other := _STYLE_URL.search(text):
        raise ValueError(f"{name} cannot be put into one style: {other[0]}")
    return text


def _module(name: str, text: str) -> tuple[str, list[str]]:
    """Return a module as the body of a function, and the names of the modules it imports."""
    imports: list[str] = []

    def module_call(path: str) -> str:
        imports.append(_resolve(name, path))
        return f'$module("{imports[-1]}")'

    def import_line(match: re.Match[str]) -> str:
        names = match[1] or f"{{{match[2].replace(' as ', ': ')}}}"
        return f"const {names} = {module_call(match[3])};"

    def dynamic_import(match: re.Match[str]) -> str:
        return f"Promise.resolve().then(() => {module_call(match[1])})"

    exports = [export for match in _EXPORT.finditer(text) for export in _export_names(match)]
    exports += [f"default: {match[1]}" for match in _DEFAULT.finditer(text)]
    for match in _EXPORT_LIST.finditer(text):
        exports += [_export_entry(item) for item in match[1].split(",")]
    text = without_comments(text)
    text = _IMPORT.sub(import_line, text)
    text = _DYNAMIC_IMPORT.sub(dynamic_import, text)
    text = _DEFAULT.sub(r"function \1", text)
    text = _EXPORT.sub(lambda match: match[0].removeprefix("export "), text)
    text = _EXPORT_LIST.sub("", text)
    if other := _UNREAD.search(text):
        raise ValueError(f"{name} cannot be put into one script: {other[0]}")
    # in the one script import.meta.url is the URL of that script, not of this module
    text = text.replace("import.meta.url", f'new URL("./{name}", import.meta.url).href')
    return f"{text}\nreturn {{ {', '.join(exports)} }};\n", imports


def _export_names(match: re.Match[str]) -> list[str]:
    """Return the names of an export: one, or those in `{ key: name, other }` or `[name, other]`."""
    names = (match[2] or match[3]).split(",")
    return [name.rpartition(":")[2].strip() for name in names]


def _export_entry(item: str) -> str:
    """Return `name as alias` as an entry of an object: `alias: name`."""
    name, _, alias = item.strip().partition(" as ")
    return f"{alias}: {name}" if alias else name


def _resolve(name: str, path: str) -> str:
    """Return a path relative to the file `name` as a path relative to the folder."""
    return normpath(join(dirname(name), path))


FRONTEND_FOLDER = Path(dtviz.__file__).parent / "frontend"
FRONTEND_PATH = "/_stcore/bidi-components/dtviz.view/"
"""Path at which Streamlit serves the folder."""
STREAMLIT_PATH = "/static/"
"""Path at which Streamlit serves its own scripts, styles and letters: as they are, not packed."""
MEDIA_TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html"}
"""Media types of the files that are worth packing, by the ends of their names."""
REVALIDATED = "no-cache"
"""Value of Cache-Control for a file that may change while its name stays."""
IMMUTABLE = "public, immutable, max-age=31536000"
"""Value of Cache-Control for a file whose name holds a hash of its content."""
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")  # accepted: not with quality 0


@dataclass(frozen=True)
class PackedFile:
    """A file as it is sent, packed once for all browsers.

    By gzip: over plain HTTP, as in a classroom, browsers accept nothing that packs better.
    """

    gzip_content: bytes  # bytes of the file, packed by gzip
    etag: str  # ETag, a hash of the content
    media_type: str
    """Media type, as 'text/css'."""
    cache_control: str
    """Value of the header Cache-Control: REVALIDATED or IMMUTABLE."""

    @classmethod
    def of(cls, name: str, content: bytes, cache_control: str = REVALIDATED) -> PackedFile:
        """Pack the content of a file with this name."""
        etag = f'"{sha256(content).hexdigest()[:16]}"'
        packed = gzip.compress(content, mtime=0)
        return cls(packed, etag, MEDIA_TYPES[Path(name).suffix], cache_control)

    def response(self, request: Headers) -> Response:
        """Return the file, or status 304 without content if the browser has this version of it."""
        headers = {"Cache-Control": self.cache_control, "ETag": f"W/{self.etag}"}
        headers["Vary"] = "Accept-Encoding"
        if self.etag in ",".join(request.getlist("if-none-match")):
            return Response(status_code=304, headers=headers)
        if not _GZIP.search(request.get("accept-encoding", "")):
            content = gzip.decompress(self.gzip_content)
            return Response(content, headers=headers, media_type=self.media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self.gzip_content, headers=headers, media_type=self.media_type)


@cache
def frontend_files() -> dict[str, PackedFile]:
    """Return the files that pages ask for, by the rest of their paths after FRONTEND_PATH."""
    contents = {
        FRONTEND_SCRIPT: bundle_script(FRONTEND_FOLDER),
        FRONTEND_STYLE: bundle_style(FRONTEND_FOLDER),
    }
    return {name: PackedFile.of(name, text.encode()) for name, text in contents.items()}


@cache
def streamlit_files() -> dict[str, Path]:
    """Return Streamlit's files that are worth packing, by the rest of their paths."""
    paths = STATIC_FOLDER.rglob("*")
    return {
        path.relative_to(STATIC_FOLDER).as_posix(): path
        for path in paths
        if path.suffix in MEDIA_TYPES
    }


class Frontend:
    """Middleware that serves the files of the frontend, and Streamlit's packed.

    The app answers all other requests. Streamlit's files are packed when they are first asked for,
    in a thread, and kept: all of them, some 300, are 7 MB.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.files = app, frontend_files()
        self.tasks: dict[str, asyncio.Task[PackedFile]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_get = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        file = await self._file(scope["path"], Headers(scope=scope)) if is_get else None
        respond = file.response(Headers(scope=scope)) if file else self.app
        await respond(scope, receive, send)

    async def _file(self, path: str, request: Headers) -> PackedFile | None:
        """Return the file at a path; None for what the app serves, as parts of files."""
        name = path.rpartition(STREAMLIT_PATH)[2]
        if name not in streamlit_files() or "range" in request:
            return self.files.get(path.rpartition(FRONTEND_PATH)[2])
        if name not in self.tasks:  # a class that asks at once waits for one packing
            packing = asyncio.to_thread(_packed_file, streamlit_files()[name])
            self.tasks[name] = asyncio.create_task(packing)
        try:
            # a browser that leaves must not end the packing for the others
            return await asyncio.shield(self.tasks[name])
        except OSError:  # another version of Streamlit was installed meanwhile
            return None


def _packed_file(path: Path) -> PackedFile:
    return PackedFile.of(path.name, path.read_bytes(), IMMUTABLE)
