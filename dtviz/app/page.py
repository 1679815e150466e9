"""Pages of the app: their registry, their style, and the frontend, sent as few files.

The modules of the folder `frontend` become one script, and its style sheets one style: a browser
then sends few requests.
"""

from __future__ import annotations

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
from dtviz.app.state import theme
from dtviz.data.dataset import DataError
from dtviz.data.gallery import asset
from dtviz.session.screen import Screen

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


STYLE = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
"""Style sheet of all pages, on a wide screen and on a phone."""

FRAGMENT_KEY = "page"
"""Key of the Streamlit fragment that holds all of a page."""

DARK_STYLE = """
<style>
[data-testid="stBaseButton-primary"]:enabled, [data-testid="stBaseButton-primary"]:enabled p,
[data-testid="stMultiSelect"] span[title], [data-testid="stMultiSelect"] [role="row"] svg {
  color: #0e1117 !important
}
</style>
"""
"""Style of the dark theme: dark ink on its light blue buttons and chosen values."""


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
    st.set_page_config(page_title="dtviz", page_icon=str(asset("favicon.png")), layout="wide")
    colours = theme()
    variables = {"accent": colours.accent, "paper": colours.paper, "edge": colours.grid}
    variables["page"] = f'"{title}"'
    values = "; ".join(f"--{name}: {value}" for name, value in variables.items())
    root = f"<style>:root {{{values}}}</style>"
    # Streamlit puts a text of styles alone among the toasts; with <i></i> it stays in the container
    with st.container(key="carry_style"):
        style = f"<style>{STYLE}</style>"
        st.html(style + root + (DARK_STYLE if colours.dark else "") + "<i></i>")


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
_GZIP = re.compile(r"\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))")  # accepted: not with quality 0


@dataclass(frozen=True)
class FrontendFile:
    """A file of the frontend as it is sent."""

    content: bytes  # bytes of the file
    gzip_content: bytes  # these bytes, packed by gzip
    etag: str  # ETag, a hash of the content
    media_type: str
    """Media type, as 'text/css'."""

    def response(self, request: Headers) -> Response:
        """Return the file, or status 304 without content if the browser has this version of it."""
        headers = {"Cache-Control": "no-cache", "ETag": f"W/{self.etag}", "Vary": "Accept-Encoding"}
        if self.etag in ",".join(request.getlist("if-none-match")):
            return Response(status_code=304, headers=headers)
        if not _GZIP.search(request.get("accept-encoding", "")):
            return Response(self.content, headers=headers, media_type=self.media_type)
        headers["Content-Encoding"] = "gzip"
        return Response(self.gzip_content, headers=headers, media_type=self.media_type)


@cache
def frontend_files() -> dict[str, FrontendFile]:
    """Return the files that pages ask for, by the rest of their paths after FRONTEND_PATH."""
    contents = {
        FRONTEND_SCRIPT: bundle_script(FRONTEND_FOLDER).encode(),
        FRONTEND_STYLE: bundle_style(FRONTEND_FOLDER).encode(),
    }
    return {name: _file(name, content) for name, content in contents.items()}


def _file(name: str, content: bytes) -> FrontendFile:
    media_type = "text/css" if name == FRONTEND_STYLE else "text/javascript"
    etag = f'"{sha256(content).hexdigest()[:16]}"'
    return FrontendFile(content, gzip.compress(content, mtime=0), etag, media_type)


class Frontend:
    """Middleware that serves the files of the frontend; the app answers all other requests."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.files = app, frontend_files()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        is_get = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
        file = self.files.get(scope["path"].rpartition(FRONTEND_PATH)[2]) if is_get else None
        respond = file.response(Headers(scope=scope)) if file else self.app
        await respond(scope, receive, send)
