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
from typing import TYPE_CHECKING

from starlette.datastructures import Headers
from starlette.responses import Response

import dtviz
from dtviz.ui.bundle import SCRIPT, STYLE, script, style

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

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
