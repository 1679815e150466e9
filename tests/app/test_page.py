"""All modules in one script, all styles in one: they are what the files beside one another are."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from awaiting import awaited
from node import NODE, QUIET
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse

from dtviz.app import page
from dtviz.app.page import (
    FRONTEND_FOLDER,
    FRONTEND_PATH,
    MEDIA_TYPES,
    Frontend,
    bundle_script,
    bundle_style,
    frontend_files,
    streamlit_files,
)
from dtviz.app.server import INLINE_MODULES

BUNDLED = Path(__file__).parent.parent / "frontend" / "bundled.js"


def folder_of(tmp_path: Path, **files: str) -> Path:
    """A folder with these modules; a name's `__` is a slash."""
    for name, text in files.items():
        file = tmp_path / f"{name.replace('__', '/')}.js"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def ran(text: str, folder: Path) -> str:
    """What Node says as it runs a module."""
    (folder / "ran.mjs").write_text(text)
    done = subprocess.run(
        [NODE, folder / "ran.mjs"], capture_output=True, encoding="utf-8", check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_of_the_app_exports_there_what_it_does_by_itself(tmp_path: Path) -> None:
    file = tmp_path / "view.mjs"
    file.write_text(
        bundle_script(FRONTEND_FOLDER) + "export { $module, modules };\n", encoding="utf-8"
    )
    done = subprocess.run(
        [NODE, QUIET, BUNDLED, file, FRONTEND_FOLDER],
        capture_output=True, encoding="utf-8", check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert [name for name, (there, alone) in found.items() if there != alone] == []
    files = {path.relative_to(FRONTEND_FOLDER).as_posix() for path in FRONTEND_FOLDER.rglob("*.js")}
    assert {*found} == files - {*INLINE_MODULES}
    assert all(there for there, _ in found.values())


def test_modules_see_one_another_and_each_runs_once_when_it_is_asked_for(tmp_path: Path) -> None:
    folder = folder_of(
        tmp_path,
        view="""import { one, two as second } from "./lib/one.js";
import * as three from "./lib/three.js";
import {
  many,
} from "./lib/many.js";
const late = { kind: () => import("./late/late.js").then((kind) => kind) };
export default function view() {
  return [one(), second, three.a, three.b, many];
}
console.log(JSON.stringify(view()));
late.kind().then(() => late.kind()).then(({ said }) => console.log(said[0] + 1));
""",
        lib__one="""import { many } from "./many.js";
export const two = many + 1;
export function one() {
  return new One().all;
}
class One {
  all = "export const none = 1;";
}
""",
        lib__three="export const { a, c: b } = { a: 3, c: 4 };\nexport class D {}\n",
        lib__many='console.log("many");\nconst x=5;export{x as many};\n',
        late__late="""import { many } from "../lib/many.js";
export const said = [many, new URL("../x.js", import.meta.url).href];
export const file = async () => { await import(new URL("./file.js", import.meta.url).href); };
console.log(said[1].split("/").slice(-2).join());
""",
    )
    said = ran(bundle_script(folder), folder).splitlines()
    assert said == ["many", '["export const none = 1;",6,3,4,5]', f"{tmp_path.name},x.js", "6"]


REFUSED = [
        'import one from "./one.js";', 'import "./one.js";', "export let one = 1;",
        'export * from "./one.js";', "export default class One {}", "export default 1;",
        'export { one } from "./one.js";', 'import { one } from "./one.js"',
        "export const [one, ...rest] = all;", "export const { one: { two } } = all;",
        "  export const one = 1;", "const one = import('./one.js');", "const one = import(name);",
        'const one = import.meta.resolve("./one.js");', 'const one = import(`./${name}.js`);',
    ]  # fmt: skip


def test_what_a_script_or_style_cannot_hold_is_refused_by_its_line(tmp_path: Path) -> None:
    for line in REFUSED:
        folder = folder_of(
            tmp_path, view='import { a } from "./a.js";\n', a=f"let two;\n{line}\ntwo;\n"
        )
        with pytest.raises(
            ValueError, match=f"^a.js cannot be put into one script: {re.escape(line)}"
        ):
            bundle_script(folder)
    for line in ('@import "./b.css";', "a {background: url(./b.png)}"):
        (tmp_path / "view.css").write_text(f"a {{}}\n{line}\n")
        with pytest.raises(ValueError, match=f"^view.css cannot .*: {re.escape(line)}$"):
            bundle_style(tmp_path)


def test_a_style_stands_where_it_is_imported(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "view.css").write_text('@import url("./a/a.css");\nb {}\n')
    (tmp_path / "a" / "a.css").write_text('@import url("./c.css");\na {}\n')
    (tmp_path / "a" / "c.css").write_text("c {}\n")
    assert bundle_style(tmp_path).split() == ["c", "{}", "a", "{}", "b", "{}"]
    whole = bundle_style(FRONTEND_FOLDER)
    styles = [file for file in FRONTEND_FOLDER.rglob("*.css") if file.name != "view.css"]
    assert all(file.read_text("utf-8") in whole for file in styles)


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
        for name in ("view.js", "view.css"):
            whole = {
                "view.js": bundle_script(FRONTEND_FOLDER).encode(),
                "view.css": bundle_style(FRONTEND_FOLDER).encode(),
            }
            text = whole[name]
            status, told, body = ask(before + FRONTEND_PATH + name, accept_encoding="gzip, br")
            assert (status, gzip.decompress(body)) == (200, text), (before, name)
            assert told["content-encoding"] == "gzip", (before, name)
            assert len(body) < len(text), (before, name)
            kind = "text/css" if name.endswith("css") else "text/javascript"
            assert told["content-type"].startswith(kind), (before, name)
            assert (told["cache-control"], told["vary"]) == ("no-cache", "Accept-Encoding")

            for coding in ("", "br", "gzip;q=0, br", "br, gzip; q=0.0"):
                status, plain, body = ask(before + FRONTEND_PATH + name, accept_encoding=coding)
                assert (status, body) == (200, text), (before, name)
                assert "content-encoding" not in plain, (before, name)
            for seen in (told["etag"], told["etag"].removeprefix("W/"), f'"other", {told["etag"]}'):
                status, again, body = ask(before + FRONTEND_PATH + name, if_none_match=seen)
                assert (status, body) == (304, b""), (before, name)
                for header in ("etag", "cache-control", "vary"):
                    assert again[header] == told[header], (before, name)
            assert ask(before + FRONTEND_PATH + name, if_none_match='"other"')[0] == 200, (
                before,
                name,
            )
            assert ask(before + FRONTEND_PATH + name, "HEAD")[0] == 200, (before, name)


def test_each_of_streamlits_files_is_given_packed_as_it_is() -> None:
    files = streamlit_files()
    assert len(files) > 200
    some = [name for name in files if "/index." in name or "/PlotlyChart." in name]
    assert {Path(name).suffix for name in some} == {".js", ".css"}
    for name in some:
        content, path = files[name].read_bytes(), f"/static/{name}"
        for before in ("", "/trees"):
            status, told, body = ask(before + path, accept_encoding="gzip, deflate")
            assert (status, gzip.decompress(body)) == (200, content), name
            assert (told["content-encoding"], told["vary"]) == ("gzip", "Accept-Encoding")
            assert told["content-length"] == str(len(body))
            assert told["content-type"].split(";")[0] == MEDIA_TYPES[Path(name).suffix]
            assert "immutable" in told["cache-control"], name
        status, plain, body = ask(path)
        assert (status, body, plain["vary"]) == (200, content, "Accept-Encoding"), name
        assert "content-encoding" not in plain, name
        status, again, body = ask(path, if_none_match=told["etag"], accept_encoding="gzip")
        assert (status, body, again["etag"]) == (304, b"", told["etag"]), name
        status, head, _ = ask(path, "HEAD", accept_encoding="gzip")
        assert (status, head["content-length"]) == (200, told["content-length"]), name
        # a part is one of the plain file, which Streamlit gives
        assert ask(path, range="bytes=0-9", accept_encoding="gzip")[0] == 418, name


def test_a_file_is_packed_once_for_all_that_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[Path] = []
    pack = page._packed_file
    monkeypatch.setattr(page, "_packed_file", lambda path: packed.append(path) or pack(path))
    name = next(name for name in streamlit_files() if "/index." in name)

    async def lesson() -> Any:
        frontend = Frontend(PlainTextResponse("the app", 418))
        headers = Headers({})
        return await asyncio.gather(*(frontend._file(f"/static/{name}", headers) for _ in "abc"))

    assert len({id(file) for file in awaited(lesson())}) == len(packed) == 1
    missing = {"js/gone.js": Path("gone.js")}
    monkeypatch.setattr(page, "streamlit_files", lambda: missing)
    assert ask("/static/js/gone.js", accept_encoding="gzip")[0] == 418


def test_comments_on_lines_of_their_own_are_left_out(tmp_path: Path) -> None:
    text = """// One.
/** Two
 *  @type {string} */
export const address = "http://x//y"; // three
  /** @param {number} a */
export default function view() { return `/* ${address} */`; }
console.log(view());
"""
    script = bundle_script(folder_of(tmp_path, view=text))
    assert all(word not in script for word in ("One", "Two", "@type", "@param"))
    assert ran(script, tmp_path) == "/* http://x//y */\n"


OTHERS = [
        ("/", "GET"), ("/view.js", "GET"), (FRONTEND_PATH, "GET"), (FRONTEND_PATH + "no.js", "GET"),
        (FRONTEND_PATH + "types.d.ts", "GET"), (FRONTEND_PATH + "lib/store.js", "GET"),
        (FRONTEND_PATH + "../__init__.py", "GET"),
        (FRONTEND_PATH + "lib/../view.js", "GET"), (FRONTEND_PATH + "/view.js", "GET"),
        (FRONTEND_PATH + "view.js", "POST"), ("/_stcore/health", "GET"), ("/static/", "GET"),
        ("/static/no.js", "GET"), ("/static/js/../js/no.js", "GET"), ("/static/index.html", "GET"),
    ]  # fmt: skip


def test_all_else_is_the_apps_to_answer_and_files_that_differ_have_other_tags() -> None:
    for path, method in OTHERS:
        assert ask(path, method)[0] == 418, (path, method)
    tags = [file.etag for file in frontend_files().values()]
    assert len({*tags}) == len(tags)


def test_a_browser_that_leaves_does_not_end_the_packing_for_others() -> None:
    name = next(iter(streamlit_files()))

    async def ask_twice() -> Any:
        frontend = Frontend(PlainTextResponse("the app", 418))
        first = asyncio.create_task(frontend._file(f"/static/{name}", Headers()))
        await asyncio.sleep(0)
        first.cancel()
        return await frontend._file(f"/static/{name}", Headers())

    assert awaited(ask_twice()) is not None
