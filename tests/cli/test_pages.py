"""The pages' addresses: streamlit's document, told where its server is."""

from __future__ import annotations

from dtviz.cli.pages import DOCUMENT, SERVER, page_routes
from dtviz.cli.serving import home


def test_every_page_is_streamlits_document_and_says_where_the_server_is() -> None:
    routes = [*page_routes(home())]
    names = {script.stem for script in (home() / "pages").glob("*.py")}
    assert {route.path for route in routes} == {f"/{name}" for name in names}
    assert {"grow", "data", "learn"} <= names
    plain = DOCUMENT.read_text(encoding="utf-8")
    for route in routes:
        answer = route.endpoint(None)
        text = answer.body.decode()
        assert answer.headers["cache-control"] == "no-cache"
        assert text.replace(SERVER, "") == plain
        assert 0 < text.index(SERVER) < text.index('type="module"')
