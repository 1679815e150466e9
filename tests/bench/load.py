"""A class of students on one server, over real websockets: the wait of each, the cost of a step.

Each student is a tab: it sends what Chromium sends and reads what comes back, frames and what is
new in them too; nothing is drawn. A wait is from a message to the end of the run whose frame has
heard it, and that the time-line stands where it was asked to is checked. `websockets` comes with
streamlit.

    steps     one student, one step after the other: processor time of the server and bytes a step
    think     so many students, a step every five seconds each: p50 and p95 of the wait
    all       all press Next split at one moment
    open      all open the page at one moment
    hold      a held arrow key of 30 students: from the last of 60 presses until it is shown
    beside    ten students, a step every five seconds each, alone and beside one who grows forests
    proxy     as `think` with 300, two processes behind haproxy as the README says, but for TLS
    memory    resident memory a tab, what 200 steps of each add, and what is left
              when all have gone, lesson after lesson

    python tests/bench/load.py [steps think all open hold beside proxy memory] [--students 100 200]
"""

import argparse
import asyncio
import json
import os
import random
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from urllib.request import urlopen

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

ROOT = Path(__file__).resolve().parents[2]
DATA = {
    "150": "",
    "2,000": "data=moons&n=2000&noise=0.25",
    "20,000": "data=moons&n=20000&noise=0.25",
}
TRIGGER = "$$STREAMLIT_INTERNAL_KEY_{}__events"
PATIENCE = 120.0
HEAD = 24  # bytes of a letter before its frame, see dtviz/session/events.py
TICKS = os.sysconf("SC_CLK_TCK")
HELD = 12
FORGOTTEN = 140  # seconds until what a tab had is given back, see dtviz/app/server.py
SECRET = {"STREAMLIT_SERVER_COOKIE_SECRET": "the same for all"}


def opened(letter: bytes) -> tuple[float, dict]:
    """What was heard, and the header of the frame; arrays stay where they are."""
    (heard,) = struct.unpack("<d", letter[:8])
    return heard, header(letter[HEAD:])


def plain(packed: bytes) -> bytes:
    """The frame as it is before it is deflated."""
    return packed if any(packed[:4]) else zlib.decompress(packed[4:], wbits=-zlib.MAX_WBITS)


def header(packed: bytes) -> dict:
    size = int.from_bytes(packed[:4], "little")
    return json.loads(packed[4 : 4 + size]) | {"$first": 4 + size}


class Student:
    """A tab: its socket, the frames it holds, and where its time-line is."""

    def __init__(self, port: int, query: str, path: str = "") -> None:
        self.port, self.query, self.path = port, query, path
        self.frames: dict[int, dict] = {}
        self.line, self.heard, self.number, self.bytes = {}, 0.0, 0, 0
        self.page = ""
        self.way = ("", "")  # who tells, where that one brings the answer
        self.over = asyncio.Event()

    async def open(self) -> float:
        """Open the page; how long it took until the first run was over."""
        start = perf_counter()
        self.socket = await websockets.connect(
            f"ws://localhost:{self.port}/_stcore/stream",
            subprotocols=["streamlit", "none"],
            origin=f"http://localhost:{self.port}",
            max_size=None,
            compression=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        self.reader = asyncio.create_task(self._read())
        await self._send()
        await self._until(lambda: bool(self.line))
        return perf_counter() - start

    async def go(self, step: int) -> float:
        """Go to a step; how long it took."""
        start = perf_counter()
        await self.press(step)
        await self.shown(step)
        return perf_counter() - start

    async def press(self, step: int) -> None:
        """Ask for a step without waiting."""
        self.number += 1
        event = {"what": "goto", "step": step, "playing": False}
        told = {"n": self.number, "picture": "line", "event": event}
        newest = {frame["kind"]: number for number, frame in self.frames.items()}
        has = [*newest.values(), *[*self.frames][-HELD:]]
        await self._send({"events": [told], "has": has})

    async def shown(self, step: int) -> None:
        """Wait until all that was asked for is done."""
        await self._until(lambda: self.heard >= self.number)
        if self.line["step"] != step:
            raise RuntimeError(f"the line stands at {self.line['step']}, not at {step}")

    def next(self) -> int:
        """The next step, the start after the last one."""
        return self.line["step"] + 1 if self.line["step"] < self.line["total"] else 0

    async def leave(self) -> None:
        self.reader.cancel()
        await self.socket.close()

    async def _until(self, done) -> None:
        async with asyncio.timeout(PATIENCE):
            while not done():
                self.over.clear()
                await asyncio.wait(
                    [asyncio.create_task(self.over.wait()), self.reader],
                    return_when=asyncio.FIRST_COMPLETED,
                )
                if self.reader.done():
                    self.reader.result()
                    raise RuntimeError("the socket was closed")

    async def _send(self, message: dict | None = None, fragment: str = "") -> None:
        back = BackMsg()
        script = back.rerun_script
        script.query_string, script.page_script_hash = self.query, self.page
        script.page_name = "" if self.page else self.path
        script.widget_states.SetInParent()
        part, own = self.way
        script.fragment_id = own if message is not None else fragment
        if message is not None:
            told = script.widget_states.widgets.add()
            told.id = TRIGGER.format(part)
            told.json_trigger_value = json.dumps([{"event": "did", "value": message}])
        script.context_info.url = f"http://localhost:{self.port}/"
        script.context_info.color_scheme = "light"
        await self.socket.send(back.SerializeToString())

    async def _read(self) -> None:
        told: dict[str, tuple[float, dict]] = {}
        async for data in self.socket:
            self.bytes += len(data)
            message = ForwardMsg()
            message.ParseFromString(data)
            kind = message.WhichOneof("type")
            if kind == "delta":
                self._picture(message.delta, told)
            elif kind == "navigation":
                self.page = message.navigation.page_script_hash
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished" and "line" in told:
                self.heard, self.line = told.pop("line")
                self.over.set()
            self._also(kind, message)

    def _also(self, kind: str, message: ForwardMsg) -> None:
        """What another kind of tab does about any message."""

    def _picture(self, delta, told: dict) -> None:
        if delta.WhichOneof("type") != "new_element":
            return
        if delta.new_element.WhichOneof("type") != "bidi_component":
            return
        one = delta.new_element.bidi_component
        letter = one.bytes[:HEAD] + plain(one.bytes[HEAD:])
        heard, page = opened(letter)
        if page["kind"] != "page":
            return
        self.way = one.id, delta.fragment_id
        for name, part in [*page["parts"].items(), *page["frames"].items()]:
            _, at, count, *_ = part["$array"]
            first = HEAD + page["$first"] + at
            frame = self._keep(header(letter[first : first + count]))
            if name == "line":
                told["line"] = heard, frame

    def _keep(self, frame: dict) -> dict:
        """The frame whole, as far as its plain entries go, kept by its number."""
        if frame["kind"] == "change":
            base = self.frames[frame["base"]]
            new = {
                k: one["$to"] for k, one in frame["change"].get("$in", {}).items() if "$to" in one
            }
            frame = base | new | {"$number": frame["$number"]}
        if "$number" in frame:
            self.frames.pop(frame["$number"], None)
            self.frames[frame["$number"]] = frame
        return frame


class Grower(Student):
    """A tab whose page does long work: it asks for slice after slice, as Chromium does."""

    again: asyncio.Task | None = None

    async def grown(self) -> None:
        """Wait until all is done."""
        await self.open()
        while self.again is not None:
            await asyncio.sleep(0.1)

    def _picture(self, delta, told: dict) -> None:
        told["line"] = 0.0, {"step": 0}  # the run is over when its script is

    def _also(self, kind: str, message: ForwardMsg) -> None:
        if kind == "new_session":
            self.asked = None
        elif kind == "auto_rerun":
            self.asked = message.auto_rerun
        elif kind == "script_finished" and message.script_finished == message.FINISHED_SUCCESSFULLY:
            if self.again is not None:
                self.again.cancel()
            self.again = asyncio.create_task(self._ask(self.asked)) if self.asked else None

    async def _ask(self, asked) -> None:
        while True:
            await asyncio.sleep(asked.interval)
            await self._send(fragment=asked.fragment_id)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def answered(port: int) -> None:
    """Wait until a server answers there."""
    for _ in range(600):
        try:
            urlopen(f"http://localhost:{port}/_stcore/health", timeout=5).read()
            return
        except OSError:
            asyncio.run(asyncio.sleep(0.1))
    raise RuntimeError("the server does not answer")


class Server:
    """`dtviz` in a process of its own."""

    def __init__(self, env: Mapping[str, str] = os.environ) -> None:
        self.port = free_port()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dtviz", "--no-browser", "--port", str(self.port)],
            cwd=ROOT,
            env=env,
            stdout=subprocess.DEVNULL,
        )
        answered(self.port)

    def seconds(self) -> float:
        """Processor time until now."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(stat[11]) + int(stat[12])) / TICKS

    def megabytes(self) -> float:
        """Resident memory."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)


class Proxied:
    """Two of them behind haproxy; as a server, what both are together."""

    def __init__(self) -> None:
        if not shutil.which("haproxy"):
            raise SystemExit("haproxy is not installed: apt-get install haproxy")
        env = os.environ | SECRET
        self.servers = [Server(env), Server(env)]
        self.port = free_port()
        lines = (ROOT / "README.md").read_text().split("<!-- haproxy -->")[1].split("```")[1]
        for own, server in zip(("8501", "8502"), self.servers, strict=True):
            lines = lines.replace(own, str(server.port))
        lines = lines.replace("bind :80\n", f"bind 127.0.0.1:{self.port}\n")
        kept = [line for line in lines.split("\n") if "ssl" not in line and "https" not in line]
        self.folder = tempfile.TemporaryDirectory()
        config = Path(self.folder.name) / "haproxy.cfg"
        config.write_text("\n".join(kept) + "\n")
        self.process = subprocess.Popen(["haproxy", "-f", str(config)], stderr=subprocess.DEVNULL)
        answered(self.port)

    def seconds(self) -> float:
        return sum(server.seconds() for server in self.servers)

    def stop(self) -> None:
        self.process.terminate()
        for server in self.servers:
            server.stop()
        self.folder.cleanup()


def told(waits: list[float]) -> str:
    """The median, the 95th percentile and the longest, in milliseconds."""
    each = sorted(1e3 * wait for wait in waits)
    late = each[min(len(each) - 1, int(0.95 * len(each)))]
    return f"p50 {median(each):.0f} ms, p95 {late:.0f} ms, most {each[-1]:.0f} ms"


async def entered(server: Server, count: int, query: str = "") -> list[Student]:
    """So many students who came one after the other."""
    students = [Student(server.port, query) for _ in range(count)]
    for one in students:
        await one.open()
    return students


async def steps(server: Server, options) -> None:
    for rows, query in DATA.items():
        (one,) = await entered(server, 1, query)
        await one.go(one.next())
        before, sent = server.seconds(), one.bytes
        waits = [await one.go(one.next()) for _ in range(60)]
        cost = (server.seconds() - before) / len(waits) * 1e3
        size = (one.bytes - sent) / len(waits) / 1e3
        print(f"steps, {rows:>6} rows: {cost:.1f} ms of processor, {size:.1f} kB; {told(waits)}")
        await one.leave()


async def thinking(one: Student, end: float) -> list[float]:
    """A step every five seconds until then: how long each took."""
    waits = []
    await asyncio.sleep(random.uniform(0, 5))
    while perf_counter() < end:
        waits.append(await one.go(one.next()))
        await asyncio.sleep(min(random.expovariate(0.2), max(end - perf_counter(), 0)))
    return waits


async def think(server: Server, options) -> None:
    await thought(server, options.students, options.seconds)


async def thought(server: Server, counts: list[int], seconds: float) -> None:
    for count in counts:
        students = await entered(server, count)
        end, before = perf_counter() + seconds, server.seconds()
        each = await asyncio.gather(*(thinking(one, end) for one in students))
        waits = [wait for waits in each for wait in waits]
        share = (server.seconds() - before) / seconds
        print(f"think, {count} students: {told(waits)}; {share:.0%} of a processor")
        await asyncio.gather(*(one.leave() for one in students))


async def proxy(server: Server, options) -> None:
    await thought(server, [300], options.seconds)


async def all_press(server: Server, options) -> None:
    for count in (30, *options.students):
        students = await entered(server, count)
        waits = await asyncio.gather(*(one.go(one.next()) for one in students))
        print(f"all press, {count} students: {told(waits)}")
        await asyncio.gather(*(one.leave() for one in students))


async def open_(server: Server, options) -> None:
    for count in options.students:
        students = [Student(server.port, "") for _ in range(count)]
        waits = await asyncio.gather(*(one.open() for one in students))
        print(f"open, {count} students: {told(waits)}")
        await asyncio.gather(*(one.leave() for one in students))


async def hold(server: Server, options) -> None:
    students = await entered(server, 30, DATA["2,000"])

    async def work(one: Student) -> float:
        for step in range(1, 60):
            await one.press(min(step, one.line["total"]))
            await asyncio.sleep(0.033)
        start = perf_counter()
        await one.press(min(60, one.line["total"]))
        await one.shown(min(60, one.line["total"]))
        return perf_counter() - start

    print(f"hold, 30 students: {told(await asyncio.gather(*map(work, students)))}")
    await asyncio.gather(*(one.leave() for one in students))


async def beside(server: Server, options) -> None:
    async def ten(name: str) -> None:
        end = perf_counter() + options.seconds
        each = await asyncio.gather(*(thinking(one, end) for one in students))
        print(f"beside {name}, 10 students: {told([wait for waits in each for wait in waits])}")

    students = await entered(server, 10)
    await ten("nobody")
    growing = asyncio.create_task(forests(server))
    await ten("one who grows forests")
    growing.cancel()
    await asyncio.gather(*(one.leave() for one in students))


async def forests(server: Server) -> None:
    """One forest after the other, each of other rows."""
    for seed in range(10_000):
        one = Grower(server.port, f"data=moons&n=20000&noise=0.3&seed={seed}", "forest")
        await one.grown()
        await one.leave()


async def memory(server: Server, options) -> None:
    count = 20
    for lesson in ("first", "second", "third"):
        empty = server.megabytes()
        students = await entered(server, count)
        there = server.megabytes()
        for _ in range(200):
            await asyncio.gather(*(one.go(one.next()) for one in students))
        stepped = server.megabytes()
        await asyncio.gather(*(one.leave() for one in students))
        await asyncio.sleep(FORGOTTEN)
        print(
            f"memory, {lesson} lesson: {(there - empty) / count:.2f} MB a tab, "
            f"{stepped - there:+.1f} MB by {200 * count:,} steps, "
            f"{server.megabytes() - empty:+.1f} MB when all had gone"
        )


PARTS = {
    "steps": steps,
    "think": think,
    "all": all_press,
    "open": open_,
    "hold": hold,
    "beside": beside,
    "proxy": proxy,
    "memory": memory,
}

if __name__ == "__main__":
    given = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    given.add_argument("parts", nargs="*", default=[*PARTS], choices=PARTS)
    given.add_argument("--students", nargs="+", type=int, default=[100, 200])
    given.add_argument("--seconds", type=float, default=30.0)
    options = given.parse_args()
    for name in options.parts:
        server = Proxied() if name == "proxy" else Server()
        try:
            asyncio.run(PARTS[name](server, options))
        finally:
            server.stop()
