"""Pages under AppTest: what stands on them, and names nobody would choose.

Glossary
    page     one file of pages/, run alone with the address parameters given
    frame    what a picture in the browser is given, by the key it is mounted under
    screen   what a person sees of Grow: sentence, step counter, tree, stage, candidates
    live     what Markdown would still make something of, after its backslash escapes are read
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import zlib
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from frame_types import frame_faults
from streamlit.components.v2 import manifest_scanner
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state.common import is_element_id
from streamlit.runtime.state.session_state import _is_internal_key
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from dtviz.app.instrument import Instrument
from dtviz.pictures.scales import Theme
from dtviz.session.screen import BlankScreen
from dtviz.session.session import Session

# AppTest looks through every installed package for components, for each page anew: half its time.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# And stands in for the server, for each run anew; one does for all: it is asked and keeps nothing.
app_test.MagicMock = cache(app_test.MagicMock)
# A message's hash spares a browser what it holds already; here is none.
script_run_context.populate_hash_if_needed = lambda _message: None


class _Seen(Mapping[str, Any]):
    """What a page may see of its state, which every box that is drawn asks of one key alone."""

    def __init__(self, state: SafeSessionState) -> None:
        self.state = state

    def __contains__(self, key: object) -> bool:
        return not is_element_id(key) and not _is_internal_key(key) and key in self.state

    def __getitem__(self, key: str) -> Any:
        if key not in self:
            raise KeyError(key)
        return self.state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(_seen(self.state))

    def __len__(self) -> int:
        return len(_seen(self.state))

    def __repr__(self) -> str:
        return repr(_seen(self.state))


_seen = SafeSessionState.filtered_state.fget
SafeSessionState.filtered_state = property(_Seen)


def _ended(runner: LocalScriptRunner, timeout: float) -> None:
    """Wait for the end of a run; AppTest looks a thousand times a second whether it is there."""
    runner._script_thread.join(timeout)
    if not runner.script_stopped():
        _give_up(runner, 0)


_give_up = local_script_runner.require_widgets_deltas
local_script_runner.require_widgets_deltas = _ended

NUMBER = 8  # bytes of a letter: the number of the last event heard
HEAD = NUMBER + 16  # and the mark of the data
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
LINE_KEYS = ("start", "back", "next", "end", "undo", "redo")
Frame = dict[str, Any]
LIVE = re.compile(r"!\[|\]\(|<\w|</|:[\w/-]+[:\[]|\$|[\w.+-]+@\w|https?:/|www\.|`\w|~~|\{\{")


def page(name: str, theme: str = "light", **params: str) -> AppTest:
    """The page with these address parameters, run once and free of exceptions."""
    return run(seeded(name, theme, **params))


def seeded(name: str, theme: str = "light", **params: str) -> AppTest:
    """The page before its first run."""
    at = AppTest.from_file(str(CHECKOUT / "pages" / f"{name}.py"), default_timeout=60)
    at._bidi_component_manager = _components()
    at.query_params.update(params)
    at.context["theme"] = theme
    if name == "grow":
        at.session_state["settings"] = True  # what is in the popover is a part of the screen
    return at


@cache
def _components() -> BidiComponentManager:
    """The components that are installed, found once for all pages, as in a server."""
    found = BidiComponentManager()
    found.discover_and_register_components(start_file_watching=False)
    return found


def run(at: Any) -> AppTest:
    """One run more, free of exceptions; takes a page or a control that was just used."""
    at = at.run()
    assert not at.exception, [error.value for error in at.exception]
    return at


def app(name: str = "grow", **state: Any) -> AppTest:
    """The whole app, on one of its pages with this state: here one page can send to another."""
    at = AppTest.from_file(str(CHECKOUT / "app.py"), default_timeout=60)
    at._bidi_component_manager = _components()
    run(at)
    for key, value in state.items():
        at.session_state[key] = value
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
    return text.replace("\u2060", "").replace("\u00a0%", " %").replace("**", "").replace("≤", "<=")


def words(at: AppTest) -> str:
    """All the running text of the page, as it is read."""
    return "\n".join(plain(text) for text in [*markdown_of(at), *_said(at)])


def _said(at: AppTest) -> list[str]:
    """The texts that the component of Grow, Overfit, Forest or Stability shows."""
    found = frames(at)
    pages = [found[name] for name in ("forest", "stability") if name in found]
    out = [text for one in pages for text in (one["head"]["title"], one["caption"])]
    out += [one["sentence"] for one in pages if "sentence" in one]
    judging, grow = found.get("judging"), found.get("grow")
    if judging is not None:
        return [text for text in judging.values() if isinstance(text, str)]
    if grow is None:
        return out
    words = [text for side in grow["sides"] for name, text in side.items() if name != "stamp"]
    lead = [f"{side['lead']} {side['sentence']}" for side in grow["sides"] if "lead" in side]
    return [*lead, *filter(lambda text: isinstance(text, str), words), grow["panel_note"], *out]


def markdown_of(at: AppTest) -> list[str]:
    """Everything on the page that Streamlit renders as Markdown."""
    out = [str(one.value) for one in (*at.markdown, *at.caption)]
    out += [str(one.value) for kind in ALERTS for one in getattr(at, kind)]
    out += [str(one.label) for one in (*at.button, *at.expander, *at.tabs, *at.selectbox)]
    out += [str(one.proto.popover.label) for one in at.get("popover")]
    for choice in (*at.radio, *at.pills):
        out += [str(choice.label), *map(str, choice.options)]
    return out


def live(at: AppTest) -> list[str]:
    """The Markdown texts in which something of an outsider would come to life."""
    own = r" :small\[:gray\[[a-z_]+\]\]$"  # a setting's name in scikit-learn
    texts = [re.sub(rf"\\[!-/:-@\[-`{{-~]|{own}", "", text) for text in markdown_of(at)]
    return [text for text in texts if LIVE.search(text)]


# --- pictures -------------------------------------------------------------------------------------


def sent_whole(tab: Instrument, name: str, screen: BlankScreen, theme: Theme) -> bytes:
    """A picture of a screen as it is sent to a browser that holds none."""
    tab.forget_held_frames()
    parcel = tab.pack_picture(name, screen, theme)
    tab.forget_held_frames()
    return parcel


def unpack(raw: bytes) -> Frame:
    """A frame as the browser reads it, without its number."""
    frame = opened(raw)
    frame.pop("$number", None)
    return frame


def opened(raw: bytes) -> Frame:
    """A frame with its number; what JSON does not know (NaN, Infinity) is refused."""
    if not any(raw[:4]):
        return opened(zlib.decompress(raw[4:], wbits=-zlib.MAX_WBITS))
    first = 4 + int.from_bytes(raw[:4], "little")
    used = [first]

    def read(value: dict[str, Any]) -> Any:
        if "$array" not in value:
            return value
        kind, at, count, *way = value["$array"]
        sent, places, steps = way or (kind, 0, 0)
        array = np.frombuffer(raw, f"<{sent}", count, first + at)
        used.append(first + at + -(-array.nbytes // 8) * 8)
        whole = np.cumsum(array, dtype="i8") if steps else array
        return (whole / 10.0**places if places else whole).astype(kind)

    frame: Frame = json.loads(raw[4:first], object_hook=read, parse_constant=_no_json)
    assert max(used) == len(raw)
    return frame


def _told(frame: Frame, known: dict[int, Frame]) -> Frame:
    """A frame, or what it changes another to that is known."""
    number = frame.pop("$number", 0)
    if frame["kind"] == "change":
        frame = changed(known[frame["base"]], frame["change"])
    known[number] = frame
    return frame


def changed(before: Any, new: dict[str, Any]) -> Any:
    """What the browser makes of a frame and a change of it."""
    if "$to" in new:
        return new["$to"]
    if "$in" in new:
        after = {str(at): one for at, one in enumerate(before)} if _is_list(before) else before
        after = {key: one for key, one in after.items() if key not in new["$out"]}
        after |= {key: changed(after.get(key), one) for key, one in new["$in"].items()}
        return list(after.values()) if _is_list(before) else after
    if "$cut" in new:
        after = list(before)
        for at, drop, items in new["$cut"]:
            after[at : at + drop] = items
        return after
    if "$mid" in new:
        first, last = new["$keep"]
        return np.concatenate([before[:first], new["$mid"], before[len(before) - last :]])
    if "$at" in new:
        after = before.copy()
        after[new["$at"]] = new["$are"]
        return after
    return before


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _no_json(word: str) -> Any:
    raise AssertionError(f"{word} is not JSON")


def frames(at: AppTest) -> dict[str, Frame]:
    """The frames of all pictures on the page, by their keys, and those of the next step.

    Each has the shape of its kind.
    """
    letters = ((str(one.key), one.proto.bytes) for one in at.get("bidi_component"))
    return dict(_frames(tuple(letters)))


@lru_cache(maxsize=8)  # a test asks for the frames of one run one by one
def _frames(letters: tuple[tuple[str, bytes], ...]) -> dict[str, Frame]:
    known: dict[int, Frame] = {}
    out: dict[str, Frame] = {}
    for key, letter in letters:
        frame = _told(opened(letter[HEAD:]), known)
        if frame["kind"] == "page":
            out |= parts_of(frame, known)
        else:
            out[key] = frame
    assert not [fault for frame in out.values() for fault in frame_faults(frame)]
    return out


def parts_of(page: Frame, known: dict[int, Frame] | None = None) -> dict[str, Frame]:
    """The frames of the parts of a page by name, and those of the next step."""
    known = {} if known is None else known
    ahead = {f"prefetch_{name}": one for name, one in page["frames"].items()}
    some = page["parts"] | ahead
    return {name: _told(opened(one.tobytes()), known) for name, one in some.items()}


def heard(at: AppTest) -> int:
    """The number of the last event that the page has heard."""
    letters = [one.proto.bytes for one in at.get("bidi_component")]
    return max([int(struct.unpack("<d", letter[:NUMBER])[0]) for letter in letters], default=0)


def session_of(at: AppTest) -> Session:
    """The session of the tab."""
    instrument: Instrument = at.session_state["instrument"]
    return instrument.visit.session


def frame_of(at: AppTest, key: str) -> Frame:
    """The frame of one picture."""
    found = frames(at)
    assert key in found, f"no picture {key} among {sorted(found)}"
    return found[key]


def flat(value: Any) -> Any:
    """A frame with its arrays as lists, so that frames can be compared."""
    if isinstance(value, dict):
        return {name: flat(one) for name, one in value.items()}
    if isinstance(value, list):
        return [flat(one) for one in value]
    return value.tolist() if isinstance(value, np.ndarray) else value


def settings_of(at: AppTest, key: str) -> dict[str, Any]:
    """The settings at hand in a page's component, and the value that each of them shows."""
    settings = frame_of(at, key)["head"].get("settings", [])
    return {one["name"]: one["values"][one["place"]] for one in settings}


def texts_in(value: Any) -> list[str]:
    """Every text anywhere in a frame, the names of its entries too."""
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts_in(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in texts_in(one)]
    return [value] if isinstance(value, str) else []


def send(at: AppTest, key: str, *events: Any, to: str = "", part: str = "") -> AppTest:
    """One run more, in which the picture tells what was done on it, or on a part of it.

    With `to` the page is left.
    """
    frame = frame_of(at, key)
    picture, first = part or frame.get("picture", frame["kind"]), heard(at) + 1
    told = [{"n": first + k, "picture": picture, "event": one} for k, one in enumerate(events)]
    return post(at, key, {"events": told}, to)


def post(at: AppTest, key: str, message: Any, to: str = "") -> AppTest:
    """One run more, in which a message of any content comes through a picture."""
    mounted = {str(one.key): one.proto.id for one in at.get("bidi_component")}
    key = key if key in mounted else next(iter(mounted))  # a part of the page's component
    states = at._tree.get_widget_states()
    told = states.widgets.add()
    told.id = _make_trigger_id(mounted[key], "events")
    told.json_trigger_value = json.dumps([{"event": "did", "value": message}])
    if to:
        at.switch_page(f"pages/{to}.py")
    at = at._run(states)
    assert not at.exception, [error.value for error in at.exception]
    return at


def press(at: AppTest, *names: str) -> AppTest:
    """Buttons of the time-line, by what they do, or of the page, by their keys."""
    for name in names:
        assert name not in disabled(at), f"{name} cannot be pressed"
        if name in LINE_KEYS:
            made, total = step(at)
            goto = {"start": 0, "back": made - 1, "next": made + 1, "end": total}
            done = {"what": "goto", "step": goto[name]} if name in goto else {"what": name}
            at = send(at, "line", done)
        elif name == "split_here":
            side = frame_of(at, "grow")["sides"][0]
            at = send(at, "grow", {"what": "split", "stamp": side["stamp"]})
        else:
            at = run(at.button(key=name).click())
    return at


def disabled(at: AppTest) -> set[str]:
    """The buttons that cannot be pressed now."""
    out = {button.key for button in at.button if button.disabled and button.key}
    line, grow = frames(at).get("line"), frames(at).get("grow")
    if grow is not None and not grow["sides"][0].get("split", {"is_possible": True})["is_possible"]:
        out.add("split_here")
    if line is not None:
        out |= {name for name in ("start", "back") if line["step"] == 0}
        out |= {name for name in ("next", "end") if line["step"] == line["total"]}
        out |= {name for name in ("undo", "redo") if not line[f"can_{name}"]}
    return out


def step(at: AppTest) -> tuple[int, int]:
    """Where on the time-line the page says it is."""
    line = frame_of(at, "line")
    return line["step"], line["total"]


def why(at: AppTest) -> str:
    """The sentence on the cut looked at, if it is shown."""
    side = frame_of(at, "grow")["sides"][0]
    return plain(f"{side['lead']} {side['sentence']}") if "sentence" in side else ""


def open_panel(at: AppTest, name: str) -> AppTest:
    """One run more, with that panel of Grow open."""
    return send(at, "grow", {"what": "panel", "name": name})


def panels_of(at: AppTest) -> list[str]:
    """The names of the panels of Grow."""
    names: list[str] = frame_of(at, "grow")["panels"]
    return names


def tree_of(at: AppTest) -> str:
    """The texts of the nodes of the tree drawn."""
    nodes = frame_of(at, "tree")["nodes"]
    return "\n".join(" ".join(text for text in node if text is not None) for node in nodes)


def stage_of(at: AppTest) -> Frame:
    """What the stage draws, without the points."""
    return flat(frame_of(at, "stage"))


def line_of(at: AppTest) -> Frame:
    """The time-line, without what a fresh tab cannot know."""
    return {
        name: value
        for name, value in frame_of(at, "line").items()
        if name not in ("can_undo", "can_redo", "playing")
    }


def screen(at: AppTest) -> tuple[Any, ...]:
    """All that must be the same when the same link is opened."""
    tables = tuple(table.value.to_csv() for table in at.dataframe)
    boxes = tuple((box.label, str(box.value)) for box in (*at.selectbox, *at.number_input))
    pictures = (line_of(at), stage_of(at), flat(frame_of(at, "tree")))
    return why(at), pictures, tables, boxes
