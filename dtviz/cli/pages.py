"""The pages' addresses, answered with streamlit's own document and where its server is.

Opened at /learn, the browser would look for the server at /learn/ first and be refused twice. The
document of a page says where it is: beside the page, whatever stands before both in the address.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import streamlit as st
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

DOCUMENT = Path(st.__file__).parent / "static" / "index.html"
BEFORE = '<script type="module"'
SERVER = '<script>window.__streamlit = {BACKEND_BASE_URL: new URL(".", location).href}</script>'


def page_routes(folder: Path) -> Iterator[Route]:
    """A route for each page whose script stands in the app's folder."""
    document = DOCUMENT.read_text(encoding="utf-8").replace(BEFORE, SERVER + BEFORE, 1)

    def page(_: Request) -> HTMLResponse:
        return HTMLResponse(document, headers={"Cache-Control": "no-cache"})

    for script in sorted((folder / "pages").glob("*.py")):
        yield Route(f"/{script.stem}", page)
