"""What draws the pictures, as a browser is given it: two files, asked for again only if changed.

Streamlit would send each module anew to every page that is opened.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import cache, cached_property
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
KINDS = {".js": "text/javascript", ".css": "text/css"}


@dataclass(frozen=True)
class File:
    """A file as it is sent; made once."""

    text: bytes
    kind: str

    @cached_property
    def packed(self) -> bytes:
        """The text, for a browser that can unpack it."""
        return gzip.compress(self.text, mtime=0)

    @cached_property
    def tag(self) -> str:
        """What is another where the text is."""
        return f'"{sha256(self.text).hexdigest()[:16]}"'

    def answer(self, asked: Headers) -> Response:
        """The file, or that it is the one the browser holds."""
        told = {"Cache-Control": "no-cache", "ETag": self.tag, "Vary": "Accept-Encoding"}
        if self.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=told)
        if "gzip" not in asked.get("accept-encoding", ""):
            return Response(self.text, headers=told, media_type=self.kind)
        told["Content-Encoding"] = "gzip"
        return Response(self.packed, headers=told, media_type=self.kind)


@cache
def files() -> dict[str, File]:
    """What is asked for by ADDRESS, by the rest of its address."""
    paths = (path for path in FOLDER.rglob("*") if path.suffix in KINDS)
    texts = {path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in paths}
    texts |= {SCRIPT: script(FOLDER).encode(), STYLE: style(FOLDER).encode()}
    return {name: File(text, KINDS[Path(name).suffix]) for name, text in texts.items()}


class Frontend:
    """Answers for those files; all else is the app's to answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        name = scope["path"].rpartition(ADDRESS)[2] if scope["type"] == "http" else ""
        file = files().get(name) if scope.get("method") in ("GET", "HEAD") else None
        answer = file.answer(Headers(scope=scope)) if file else self.app
        await answer(scope, receive, send)
