"""Runs of one tab: which requests reach Streamlit, when, and which answers are sent together."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from awaiting import awaited
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from dtviz.app import run_order
from dtviz.app.run_order import RunOrder, join_triggers

GROW, LEARN = "hash of grow", "hash of learn"
END, FRAGMENT_END = ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY
EARLY = ForwardMsg.FINISHED_EARLY_FOR_RERUN


def request(page: str = GROW, fragment: str = "", **trigger: str) -> BackMsg:
    message = BackMsg()
    message.rerun_script.page_script_hash = page
    message.rerun_script.fragment_id = fragment
    for name, value in trigger.items():
        message.rerun_script.widget_states.widgets.add(id=name, json_trigger_value=value)
    return message


def begin(page: str = GROW) -> list[ForwardMsg]:
    start, status = ForwardMsg(), ForwardMsg()
    start.new_session.page_script_hash = page
    status.session_status_changed.script_is_running = True
    return [start, status]


def end(how: Any = END) -> list[ForwardMsg]:
    finish, status = ForwardMsg(script_finished=how), ForwardMsg()
    status.session_status_changed.script_is_running = False
    return [finish, status]


def drawn(fragment: str = "page") -> ForwardMsg:
    delta = ForwardMsg()
    delta.delta.fragment_id, delta.delta.new_element.text.body = fragment, "drawn"
    return delta


def run_of(page: str = GROW, how: Any = END, *parts: str) -> list[ForwardMsg]:
    return [*begin(page), drawn(), *map(drawn, parts), *end(how)]


def heard(*acts: BackMsg | list[ForwardMsg]) -> list[tuple[str, str]]:
    """Page and fragment of each request that reaches Streamlit, where these come and are answered.

    A BackMsg comes from the browser; a list is what Streamlit sends next.
    """
    return [(run.page_script_hash, run.fragment_id) for run in play(*acts)[0]]


def play(*acts: BackMsg | list[ForwardMsg]) -> tuple[list[Any], list[int]]:
    """The requests that Streamlit hears, and the number of messages that came after each answer."""
    runs: list[Any] = []
    sent: list[Any] = []
    counts: list[int] = []

    async def tab() -> None:
        incoming: asyncio.Queue[Any] = asyncio.Queue()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            async def listen() -> None:
                while (message := await receive())["type"] != "websocket.disconnect":
                    runs.append(BackMsg.FromString(message["bytes"]).rerun_script)

            listening = asyncio.create_task(listen())
            for act in acts:
                if isinstance(act, BackMsg):
                    message = {"type": "websocket.receive", "bytes": act.SerializeToString()}
                    incoming.put_nowait(message)
                else:
                    for answer in act:
                        await send({"type": "websocket.send", "bytes": answer.SerializeToString()})
                    counts.append(len(sent))
                for _ in range(20):
                    await asyncio.sleep(0)
            incoming.put_nowait({"type": "websocket.disconnect"})
            await asyncio.wait_for(listening, 5)

        async def send(message: Any) -> None:
            sent.append(message)

        await RunOrder(app)({"type": "websocket"}, incoming.get, send)

    awaited(tab())
    return runs, counts


def test_a_fragment_waits_for_the_end_of_each_run() -> None:
    page, event = request(), request(fragment="page")
    assert heard(page, event) == [(GROW, "")]
    assert heard(page, begin(), event) == [(GROW, "")]
    assert heard(page, begin(), event, [drawn()], end()) == [(GROW, ""), (GROW, "page")]
    first = [page, run_of(), event]
    assert len(heard(*first, event)) == 2
    assert len(heard(*first, event, run_of(how=FRAGMENT_END))) == 3
    # the run of the fragment asks for one of the page, which has to end too
    assert len(heard(*first, event, run_of(how=EARLY), begin())) == 2
    assert len(heard(*first, event, run_of(how=EARLY), run_of())) == 3


def test_a_page_waits_for_nothing_and_what_was_done_on_the_page_before_is_dropped() -> None:
    start, event, other = [request(), run_of()], request(fragment="page"), request(LEARN)
    left = [*start, event, other, event]
    assert heard(*left) == [(GROW, ""), (GROW, "page"), (LEARN, "")]
    assert heard(*left, run_of(how=FRAGMENT_END), run_of(LEARN), event) == heard(*left)
    new = request(LEARN, "page")
    assert heard(*left, run_of(how=FRAGMENT_END), run_of(LEARN), new)[-1] == (LEARN, "page")


def test_stop_ends_the_run_that_is_under_way() -> None:
    stop = request(fragment="page")
    stop.rerun_script.widget_states.widgets.add(id="$$ID-1-stop_run", trigger_value=True)
    first = [request(), run_of(), request(fragment="page"), begin()]
    assert heard(*first, stop) == [(GROW, ""), (GROW, "page"), (GROW, "")]
    stop.rerun_script.widget_states.widgets[0].trigger_value = False
    assert heard(*first, stop) == [(GROW, ""), (GROW, "page")]


def test_the_page_of_an_address_is_the_one_that_the_navigation_names() -> None:
    named = ForwardMsg()
    named.navigation.page_script_hash = GROW
    first = [request(""), [*begin("hash of app.py"), named, drawn(), *end()]]
    assert heard(*first, request(fragment="page"))[1:] == [(GROW, "page")]


def test_a_fragment_that_is_gone_is_not_asked_for() -> None:
    """Streamlit answers no request for it, and the next one would wait for ever."""
    start, bar, event = (
        [request(), run_of(GROW, END, "bar")],
        request(fragment="bar"),
        request(fragment="page"),
    )
    assert heard(*start, bar)[1:] == [(GROW, "bar")]
    stop = ForwardMsg()
    stop.stop_auto_rerun.fragment_ids.append("bar")
    last = [*begin(), drawn(), stop, *end(FRAGMENT_END)]
    assert heard(*start, event, bar, last, event)[1:] == [(GROW, "page")] * 2
    assert heard(*start, request(), run_of(), bar, event)[2:] == [(GROW, "page")]
    assert heard(*start, event, run_of(how=FRAGMENT_END), bar)[2:] == [(GROW, "bar")]


def test_requests_that_wait_are_joined_and_no_trigger_is_lost() -> None:
    older = request(fragment="page", button="pressed", stage="one event")
    newer = request(fragment="page", stage="one event and another")
    runs, _ = play(request(), older, newer, run_of())
    [states] = [{s.id: s.json_trigger_value for s in r.widget_states.widgets} for r in runs[1:]]
    assert states == {"stage": "one event and another", "button": "pressed"}
    box = BackMsg()
    box.rerun_script.widget_states.widgets.add(id="box", bool_value=True)
    join_triggers(box, newer)
    assert [s.id for s in newer.rerun_script.widget_states.widgets] == ["stage"]


def test_invented_triggers_are_joined_up_to_a_bound() -> None:
    value = "x" * (run_order.MAX_JOINED_BYTES // 10)
    newest = request(fragment="page")
    for k in range(20):
        older, newest = newest, request(fragment="page", **{f"trigger {k}": value})
        join_triggers(older, newest)
    assert len(value) < newest.ByteSize() <= run_order.MAX_JOINED_BYTES + 100


def test_a_browser_that_asks_for_many_fragments_is_heard_for_a_few() -> None:
    many = [request(fragment=f"part {k}") for k in range(2 * run_order.MAX_WAITING)]
    parts = [event.rerun_script.fragment_id for event in many]
    ends = [run_of(GROW, END, *parts)] + [run_of(how=FRAGMENT_END) for _ in many]
    assert len(heard(request(), *many, *ends)) == 1 + run_order.MAX_WAITING


def test_the_messages_of_a_run_are_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    delta, answer = drawn(), ForwardMsg()
    answer.file_urls_response.response_id = "1"
    run = [begin(), [delta], [delta], end()]
    assert play(request(), *run)[1] == [0, 0, 0, 6]
    assert play(request(), begin(), [delta], [answer], [delta], end())[1] == [0, 0, 4, 4, 7]
    assert play(request(), run_of(how=EARLY), run_of())[1] == [0, 10]
    # of a fragment it is not said that its run began and ended, unless something was sent between
    start, event = [request(), run_of()], request(fragment="page")
    assert play(*start, event, run_of(how=FRAGMENT_END))[1] == [5, 8]
    assert play(*start, event, run_of(how=EARLY), run_of(how=FRAGMENT_END))[1] == [5, 5, 15]
    parts = [[*begin(), answer], [drawn(), *end(FRAGMENT_END)]]
    assert play(*start, event, *parts)[1] == [5, 8, 11]
    monkeypatch.setattr(run_order, "SECONDS_TOGETHER", 0.0)
    assert play(request(), begin(), [delta], end())[1][-1] == 5


def test_other_messages_pass_as_they_are() -> None:
    for data in (b"no message at all", BackMsg(stop_script=True).SerializeToString(), None):
        message = {"type": "websocket.receive", "bytes": data}
        assert awaited(_passed(message)) == (message, message), data


async def _passed(message: dict[str, Any]) -> tuple[Any, Any]:
    """The message as it comes out, from the browser and from Streamlit."""
    got: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        got.append(await receive())
        await send({**message, "type": "websocket.send"})

    async def receive() -> Any:
        return message

    async def send(sent: Any) -> None:
        got.append({**sent, "type": message["type"]})

    await RunOrder(app)({"type": "websocket"}, receive, send)
    return got[0], got[1]


def test_a_failure_to_read_is_streamlits() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()

    async def receive() -> Any:
        raise OSError("cut")

    with pytest.raises(OSError, match="cut"):
        awaited(RunOrder(app)({"type": "websocket"}, receive, receive))  # type: ignore[arg-type]
