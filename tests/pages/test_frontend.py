"""How a browser gets what draws the pictures: two files for all, sent again only if changed."""

from __future__ import annotations

import gzip
from typing import Any

from awaiting import awaited
from starlette.responses import PlainTextResponse

from dtviz.ui.bundle import script, style
from dtviz.ui.frontend import ADDRESS, APART, FOLDER, Frontend, files


def ask(
    path: str, method: str = "GET", kind: str = "http", **headers: str
) -> tuple[int, Any, bytes]:
    """Status, headers and body of an answer; 418 where the app was asked."""
    pairs = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "method": method, "path": path, "headers": pairs, "query_string": b""}
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request"}

    async def send(message: Any) -> None:
        sent.append(message)

    awaited(Frontend(PlainTextResponse("the app", 418))(scope, receive, send))
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, sent[1]["body"]


def test_a_file_is_given_packed_or_plain_and_not_again_while_it_is_the_same() -> None:
    for before in ("", "/trees"):
        for name in ("view.js", "view.css", *APART):
            whole = {"view.js": script(FOLDER).encode(), "view.css": style(FOLDER).encode()}
            text = whole.get(name) or (FOLDER / name).read_bytes()
            status, told, body = ask(before + ADDRESS + name, accept_encoding="gzip, br")
            assert (status, gzip.decompress(body)) == (200, text), (before, name)
            assert told["content-encoding"] == "gzip", (before, name)
            assert len(body) < len(text), (before, name)
            kind = "text/css" if name.endswith("css") else "text/javascript"
            assert told["content-type"].startswith(kind), (before, name)
            assert (told["cache-control"], told["vary"]) == ("no-cache", "Accept-Encoding")

            for coding in ("", "br", "gzip;q=0, br", "br, gzip; q=0.0"):
                status, plain, body = ask(before + ADDRESS + name, accept_encoding=coding)
                assert (status, body) == (200, text), (before, name)
                assert "content-encoding" not in plain, (before, name)
            for seen in (told["etag"], told["etag"].removeprefix("W/"), f'"other", {told["etag"]}'):
                status, again, body = ask(before + ADDRESS + name, if_none_match=seen)
                assert (status, body) == (304, b""), (before, name)
                for header in ("etag", "cache-control", "vary"):
                    assert again[header] == told[header], (before, name)
            assert ask(before + ADDRESS + name, if_none_match='"other"')[0] == 200, (before, name)
            assert ask(before + ADDRESS + name, "HEAD")[0] == 200, (before, name)


OTHERS = [
        ("/", "GET"), ("/view.js", "GET"), (ADDRESS, "GET"), (ADDRESS + "no.js", "GET"),
        (ADDRESS + "types.d.ts", "GET"), (ADDRESS + "lib/store.js", "GET"),
        (ADDRESS + "../__init__.py", "GET"),
        (ADDRESS + "lib/../view.js", "GET"), (ADDRESS + "/view.js", "GET"),
        (ADDRESS + "view.js", "POST"), ("/_stcore/health", "GET"),
    ]  # fmt: skip


def test_all_else_is_the_apps_to_answer_and_files_that_differ_have_other_tags() -> None:
    for path, method in OTHERS:
        assert ask(path, method)[0] == 418, (path, method)
    tags = [file.tag for file in files().values()]
    assert len({*tags}) == len(tags)
