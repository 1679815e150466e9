"""Order of runs: middleware that passes the runs a browser asks for to Streamlit one by one.

Streamlit joins a request that comes while another waits or is answered, in ways that lose a page:
- joined to a request for another page, the event of a page that is being left opens that page again
- a fragment that runs just after its page empties the queue of what the page has drawn of it, and
  the browser removes the fragment until it is drawn once more
- a fragment of the page before is answered as that page, and the browser shows neither of the two

So the request for a fragment waits until no run is under way and all of the last one is sent. It is
dropped if the fragment or its page is no longer shown: Streamlit would give no answer or a wrong
one, and the browser sends unanswered events again. The request for a page never waits, as it may
end a long run.

The messages of a run are sent together, since the browser draws the page anew for nearly each. If
they are all the messages of a fragment's run, the two on its start and its end are left out: on the
first the browser would draw each element of the fragment once more, as one that waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from dtviz.app.streamlit_parts import BackMsg, ForwardMsg

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


SECONDS_TOGETHER = 0.1
"""Seconds for which a message waits at most for the others of its run."""
MAX_WAITING = 10
"""Number of fragments whose requests wait; of more, the oldest request is dropped: no page has so
many, and a request may be long."""
MAX_JOINED_BYTES = 1_000_000
"""Bytes of a request with the triggers of older ones: a hostile browser may invent any number."""
STATUS = "session_status_changed"
"""Kind of the messages that Streamlit is at work, or no longer: the last one of each run."""
ANSWERS = ("file_urls_response", "heartbeat_ack", "backend_operation_response")
"""Kinds of messages that belong to no run."""
STOP_KEY = "stop_run"
"""Key of the button that ends the run under way."""
PAGE_ENDS = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR)
"""Values of `script_finished` that end the run of a page; that of a fragment has another."""


class RunOrder:
    """Middleware that orders the runs of each browser tab."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; the messages of a websocket pass through a TabOrder."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        order = TabOrder(receive, send)
        reading = asyncio.create_task(order.read())
        try:
            await self.app(scope, order.receive, order.send)
        finally:
            reading.cancel()
            order.stop_timer()


class TabOrder:
    """Order of the runs of one tab, between the browser and Streamlit."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        # the next message of the browser, a failure to read it, or None where a run has ended; of
        # one place, so that a browser that sends much is read no faster than Streamlit takes it
        self._inbox: asyncio.Queue[Message | Exception | None] = asyncio.Queue(1)
        self._waiting: dict[str, BackMsg] = {}  # requests for fragments, by the fragment
        # messages of a run with their kinds, until they are sent together
        self._held: list[tuple[str, Message]] = []
        self._sending = asyncio.Lock()
        self._timer: asyncio.Task[None] | None = None
        self._page = ""  # hash of the page of the last run
        self._fragments: set[str] = set()  # those that can run
        self._drawn: set[str] = set()  # those that the last run has drawn so far
        self._is_running = False
        self._is_page = False  # True if the last run that ended was of a page
        self._awaits_page = False  # True from the request for a page until its run has ended
        self._has_ended = False  # True from the end of a run until its messages are sent

    async def read(self) -> None:
        """Read the messages of the browser until it leaves."""
        kind = ""
        while kind != "websocket.disconnect":
            try:
                message = await self._receive()
            except Exception as error:  # Streamlit has to know
                await self._inbox.put(error)
                return
            kind = message["type"]
            await self._inbox.put(message)

    async def receive(self) -> Message:
        """Return the next message for Streamlit."""
        while True:
            if not self._is_running and (request := self._next_request()):
                return {"type": "websocket.receive", "bytes": request.SerializeToString()}
            message = await self._inbox.get()
            if isinstance(message, Exception):
                raise message
            if message is not None and not self._put_off(message):
                return message

    def _next_request(self) -> BackMsg | None:
        """Take the oldest request for a fragment that is shown, and drop those before it."""
        while self._waiting:
            fragment = next(iter(self._waiting))
            request = self._waiting.pop(fragment)
            is_on_page = request.rerun_script.page_script_hash == self._page
            if is_on_page and fragment in self._fragments:
                self._is_running = True
                return request
        return None

    def _put_off(self, message: Message) -> bool:
        """Keep the request for a fragment until its turn comes; True if the message is one."""
        request: BackMsg | None = _parsed(BackMsg, message)
        if request is None or not request.HasField("rerun_script"):
            return False
        if _is_stop(request):
            # a run of the page ends the run that is under way; one of a fragment would wait for it
            request.rerun_script.ClearField("fragment_id")
            message["bytes"] = request.SerializeToString()
        fragment = request.rerun_script.fragment_id
        if not fragment:
            self._is_running = self._awaits_page = True
            return False
        if fragment in self._waiting:
            join_triggers(self._waiting.pop(fragment), request)
        self._waiting[fragment] = request
        if len(self._waiting) > MAX_WAITING:
            del self._waiting[next(iter(self._waiting))]
        return True

    async def send(self, message: Message) -> None:
        """Send a message of Streamlit, one of a run together with the others of the run."""
        answer: ForwardMsg | None = _parsed(ForwardMsg, message)
        kind = (answer.WhichOneof("type") if answer else None) or ""
        self._held.append((kind, message))
        if answer is not None:
            self._note(answer)
        if kind in ("", *ANSWERS) or (kind == STATUS and self._has_ended):
            self.stop_timer()
            await self._send_held()
        elif self._timer is None:
            self._timer = asyncio.create_task(self._send_later())

    def _note(self, answer: ForwardMsg) -> None:
        """Note the start or the end of a run, and the fragments that it draws or removes."""
        if answer.HasField("new_session"):
            self._page = answer.new_session.page_script_hash
            self._is_running, self._has_ended, self._drawn = True, False, set()
        elif answer.HasField("navigation"):  # says which page an address without a name is
            self._page = answer.navigation.page_script_hash
        elif answer.HasField("delta"):
            self._drawn.add(answer.delta.fragment_id)
        elif answer.HasField("stop_auto_rerun"):
            self._fragments -= {*answer.stop_auto_rerun.fragment_ids}
        elif answer.HasField("script_finished"):
            self._note_end(answer.script_finished)

    def _note_end(self, status: int) -> None:
        """Note that a run has ended; after that of a page only the fragments that it drew exist."""
        self._is_page = status in PAGE_ENDS
        if self._is_page:
            self._awaits_page, self._fragments = False, set()
        self._fragments |= self._drawn
        is_early = status == ForwardMsg.FINISHED_EARLY_FOR_RERUN
        self._has_ended = not is_early and not self._awaits_page

    async def _send_later(self) -> None:
        """Send what is held after a while, for the messages of a long run."""
        await asyncio.sleep(SECONDS_TOGETHER)
        self._timer = None
        with suppress(Exception):  # the browser has left: Streamlit is told at its next message
            await self._send_held()

    async def _send_held(self) -> None:
        """Send what is held; if a run has ended, the next one may begin."""
        kinds = [kind for kind, _ in self._held]
        if self._is_whole_fragment(kinds):
            del self._held[-1], self._held[kinds.index(STATUS)]
        async with self._sending:
            while self._held:
                await self._send(self._held.pop(0)[1])
        if self._has_ended and self._is_running and not self._awaits_page:
            self._is_running = self._has_ended = False
            if self._inbox.empty():
                self._inbox.put_nowait(None)

    def _is_whole_fragment(self, kinds: Sequence[str]) -> bool:
        """True if messages of these kinds are all those of one run of a fragment."""
        is_whole = kinds[:1] == ["new_session"] and kinds[-1:] == [STATUS]
        return self._has_ended and not self._is_page and is_whole and kinds.count(STATUS) == 2

    def stop_timer(self) -> None:
        """Cancel the timer, if any, that would send what is held."""
        if self._timer:
            self._timer.cancel()
            self._timer = None


def _is_stop(request: BackMsg) -> bool:
    """True if somebody clicked on Stop beside the spinner of a run."""
    states = request.rerun_script.widget_states.widgets
    return any(state.id.endswith(f"-{STOP_KEY}") and state.trigger_value for state in states)


def join_triggers(older: BackMsg, newer: BackMsg) -> None:
    """Add the triggers of an older request to a newer one: a browser sends each trigger once."""
    states = newer.rerun_script.widget_states.widgets
    known = {state.id for state in states}
    n_bytes = newer.ByteSize()
    for state in older.rerun_script.widget_states.widgets:
        is_trigger = (state.WhichOneof("value") or "").endswith("trigger_value")
        if state.id in known or not is_trigger:
            continue
        n_bytes += state.ByteSize()
        if n_bytes > MAX_JOINED_BYTES:
            return
        states.append(state)


def _parsed(kind: Any, message: Message) -> Any:
    """Return a message of a websocket as a message of Streamlit; None for other bytes."""
    try:
        return kind.FromString(message.get("bytes") or b"")
    except DecodeError:
        return None
