"""One tab without a shell: what a click costs, what is kept, what is sent."""

from __future__ import annotations

import gc
import weakref
from collections import Counter
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest
from futures import future_of
from screens import Frame, changed, flat, opened, parts_of, sent_whole, unpack

import dtviz.engine.splitter
import dtviz.engine.tree
import dtviz.models.steps
import dtviz.pictures.frames
import dtviz.pictures.overfit
import dtviz.session.overfit
import dtviz.session.screen
from dtviz.app.instrument import PICTURES_AHEAD, SHARED_PICTURES, Instrument, SharedState
from dtviz.data import uploads
from dtviz.data.csv import read_frame
from dtviz.data.dataset import DataError
from dtviz.data.gallery import build, example_recipe
from dtviz.data.read_options import ReadOptions
from dtviz.data.train_test import from_frame
from dtviz.engine.grow import finish
from dtviz.engine.problem import Problem
from dtviz.engine.rules import Rules, prepare_data
from dtviz.engine.search.missing import POLICIES
from dtviz.engine.splits import Axis, IsMissing, Split
from dtviz.engine.tree import Grow, root_tree
from dtviz.pictures.forest import forest_jobs as forest_works
from dtviz.pictures.frames import PICTURES, frames
from dtviz.pictures.packing import equal_values, pack
from dtviz.pictures.scales import DARK, LIGHT
from dtviz.pictures.stability import stability_jobs as stability_works
from dtviz.session import headlines, session
from dtviz.session.address import AddressText, session_at, write_address
from dtviz.session.overfit import overfit_works
from dtviz.session.screen import screen_of
from dtviz.session.session import Session, Visit

MOONS = example_recipe("moons", n=60)


def tab(**changes: Any) -> Instrument:
    made = Instrument(Visit(replace(Session(MOONS), **changes)))
    made.replace_session(made.visit.session)
    return made


def shown(tab: Instrument) -> dict[str, Frame]:
    """All that a shell sends of Grow to a browser that holds nothing."""
    tab.forget_held_frames()
    page = unpack(tab.pack_page("grow", tab.screen(), LIGHT))
    tab.forget_held_frames()
    return parts_of(page)


def click(
    tab: Instrument, event: dict[str, Any], picture: str = "line", has: list[int] | None = None
) -> None:
    number = tab.visit.last_event + 1
    tab.handle_message(
        {"events": [{"n": number, "picture": picture, "event": event}], "has": has or []}
    )


def told(tab: Instrument, name: str) -> dict[str, Any]:
    """What a browser is sent of a picture, with its number."""
    return opened(tab.pack_picture(name, tab.screen(), LIGHT))


def worked(tab: Instrument) -> None:
    """Do the long work of Overfit, Forest and Stability."""
    for one in chain(
        overfit_works(tab.screen().judged),
        forest_works(tab.screen()),
        stability_works(tab.screen()),
    ):
        while not tab.advance_work(one).is_done:
            pass


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the dear functions are called: by what they do."""
    calls: Counter[str] = Counter()

    def count(module: Any, name: str, kind: str) -> None:
        function = getattr(module, name)

        def counting(*args: Any, **options: Any) -> Any:
            calls[kind] += 1
            return function(*args, **options)

        monkeypatch.setattr(module, name, counting)

    for module, name, kind in (
        (dtviz.session.overfit, "full_tree", "whole"),
        (dtviz.pictures.overfit, "pictures_frame", "pictures"),
        (dtviz.session.screen, "fold", "fold"),
        (dtviz.session.screen, "extend", "fold"),
        (dtviz.session.screen, "node_candidates", "search"),
        (dtviz.session.screen, "decide_all", "decide"),
        (dtviz.session.screen, "best_features", "axes"),
        (dtviz.pictures.frames, "scene_frame", "scene"),
        (dtviz.pictures.frames, "tree_frame", "tree"),
        (dtviz.pictures.frames, "cloud_frame", "cloud"),
        (dtviz.app.instrument, "finish", "grow"),
    ):
        count(module, name, kind)
    return calls


def test_a_step_costs_one_fold_one_search_one_scene(counted: Counter[str]) -> None:
    here = tab()
    shown(here)
    total = here.screen().n_steps
    assert total > 3
    for step in range(1, total - 1):
        counted.clear()
        click(here, {"what": "goto", "step": step})
        shown(here)
        assert counted == {"fold": 1, "search": 1, "decide": 1, "scene": 1, "tree": 1}, step


def test_a_step_searches_the_new_leaves_and_the_next_node_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(headlines, "MAX_ROWS_JUDGED", 0)  # the same moves on other rows
    monkeypatch.setattr(headlines, "MAX_TESTED_CELLS", 0)  # the chance of a cut, another search
    here = tab()
    shown(here)
    for step in (1, 2, 3):
        click(here, {"what": "goto", "step": step})
        shown(here)
    searched: list[int] = []
    scan = dtviz.engine.splitter.find_best_cuts

    def counting(data: Any, front: Any, *rest: Any) -> Any:
        searched.append(int(front.sizes.sum()))
        return scan(data, front, *rest)

    monkeypatch.setattr(dtviz.engine.splitter, "find_best_cuts", counting)
    click(here, {"what": "goto", "step": 4})
    shown(here)
    assert searched == [here.screen().tree.nodes[here.screen().next_move.node].n]


def test_a_way_back_and_on_again_costs_nothing(counted: Counter[str]) -> None:
    here = tab()
    for step in (0, 1, 2, 3):
        click(here, {"what": "goto", "step": step})
        shown(here)
    counted.clear()
    for event in ({"what": "goto", "step": 2}, {"what": "undo"}, {"what": "redo"}):
        click(here, event)
        shown(here)
    click(here, {"what": "goto", "step": 3})
    shown(here)
    assert not counted


def test_looking_at_another_cut_searches_nothing(counted: Counter[str]) -> None:
    here = tab()
    shown(here)
    counted.clear()
    click(here, {"what": "cut", "stamp": here.screen().stamp, "index": 4}, "stage")
    shown(here)
    assert counted == {"scene": 1, "tree": 1}


def test_the_pictures_of_overfit_are_kept_with_and_without_the_curve(counted: Counter[str]) -> None:
    here = tab()
    here.screen()
    counted.clear()
    before = unpack(sent_whole(here, "overfit", here.screen(), LIGHT))
    assert "curve" not in before
    assert "dials" in before
    worked(here)
    for _ in range(2):
        assert "mean" in unpack(sent_whole(here, "overfit", here.screen(), LIGHT))["curve"]
    assert counted == {"whole": 1, "pictures": 2, "axes": 1}
    counted.clear()
    click(here, {"what": "place", "rule": "max_depth", "value": 2}, "overfit")
    sent_whole(here, "overfit", here.screen(), LIGHT)
    click(here, {"what": "undo"})
    sent_whole(here, "overfit", here.screen(), LIGHT)
    assert (counted["whole"], counted["pictures"]) == (0, 1)


def test_what_is_kept_is_what_would_be_made() -> None:
    here = tab()
    for step in (2, 1, 2):
        click(here, {"what": "goto", "step": step})
        shown(here)
        worked(here)
        made = screen_of(here.visit.session, build(MOONS), future_of(build(MOONS)))
        fresh = replace(made, visit=here.visit)
        for theme in (LIGHT, DARK):
            found = frames(fresh, theme)
            for name, picture in PICTURES.items():
                frame = sent_whole(here, name, here.screen(), theme)
                assert equal_values(unpack(frame), unpack(pack(picture.kind, found[name])))


def test_ahead_is_the_next_screen_to_the_byte() -> None:
    here = tab()
    before = shown(here)
    click(here, {"what": "goto", "step": 1})
    after = shown(here)
    for name in PICTURES_AHEAD:
        assert equal_values(before[f"prefetch_{name}"], after[name]), name


def test_of_a_frame_that_the_browser_holds_only_what_is_new_is_sent() -> None:
    here = tab()
    known = [told(here, name) for name in PICTURES_AHEAD]
    assert all("kind" in one and one["kind"] in PICTURES_AHEAD for one in known)
    here.forget_held_frames()
    numbers = [one["$number"] for one in known]
    here.handle_message({"events": [], "has": numbers})
    again = [told(here, name) for name in PICTURES_AHEAD]
    assert [(one["$number"], one["base"], one["change"]) for one in again] == [
        (number, number, {}) for number in numbers
    ]
    click(here, {"what": "goto", "step": 1}, has=numbers)
    new = [told(here, name) for name in PICTURES_AHEAD]
    for name, before, news in zip(PICTURES_AHEAD, known, new, strict=True):
        assert (news["kind"], news["base"]) == ("change", before["$number"])
        plain = {key: one for key, one in before.items() if key != "$number"}
        now = unpack(sent_whole(here, name, here.screen(), LIGHT))
        assert flat(changed(plain, news["change"])) == flat(now)


def test_a_frame_that_came_ahead_is_not_sent_again() -> None:
    here = tab()
    ahead = unpack(here.pack_page("grow", here.screen(), LIGHT))["frames"]
    assert {*ahead} == {*PICTURES_AHEAD}
    numbers = [opened(frame.tobytes())["$number"] for frame in ahead.values()]
    click(here, {"what": "goto", "step": 1}, has=numbers)
    assert [
        (told(here, name)["$number"], told(here, name)["change"]) for name in PICTURES_AHEAD
    ] == [(number, {}) for number in numbers]


def test_a_browser_that_holds_nothing_known_is_sent_frames_whole() -> None:
    here, gone = tab(), tab()
    held = [told(gone, name)["$number"] for name in PICTURES_AHEAD]  # of a server that is gone
    for has in ([], [10**6], ["x"], held):
        here.handle_message({"events": [], "has": has})
        for name in PICTURES_AHEAD:
            frame = told(here, name)
            assert frame["kind"] != "change", (name, has)
            assert frame["$number"] not in held
        here.forget_held_frames()


def test_nothing_is_sent_ahead_that_would_tell_the_answer_or_is_not_there() -> None:
    end = tab()
    click(end, {"what": "goto", "step": 10**6})
    for here in (tab(ask=True), tab(hidden=("time-line",)), end):
        assert not any(name.startswith("prefetch_") for name in shown(here))


def test_every_picture_has_a_frame() -> None:
    assert {*frames(tab().screen(), LIGHT)} == {*PICTURES}
    blank = {"pad", "measure_lesson"}
    assert {*frames(tab().screen_without_data(), LIGHT)} == blank


def test_a_table_that_is_no_data_is_tried_once_and_a_missing_one_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tries = Counter[str]()

    def counting(*given: Any, **more: Any) -> Any:
        tries["from_frame"] += 1
        return from_frame(*given, **more)

    monkeypatch.setattr(uploads, "from_frame", counting)
    one, recipe = tab(), uploads.upload_recipe("sha", "t.csv", "y", ("x",), "classification")
    for _ in range(2):
        with pytest.raises(uploads.FileNeededError):
            one.dataset(recipe)
    one.files["sha"] = read_frame(b"x,y\n2,\n1,\n")
    for _ in range(2):
        with pytest.raises(DataError, match="0 of 2 rows"):
            one.dataset(recipe)
    assert tries["from_frame"] == 1


GAPS = uploads.upload_recipe("gaps", "t.csv", "y", ("x", "car"), "classification")


def with_gaps(**changes: Any) -> Instrument:
    """A tab on a table whose rows lack the one feature, the other or none: it tells the class."""
    lines = ["x,car,y"]
    for i in range(60):
        x, car = "" if i % 11 == 0 else i % 17, "" if i % 7 == 1 else ("van", "bus", "cab")[i % 3]
        lines.append(f"{x},{car},{'abcd'[(x == '') + (car == '') + (i % 5 == 0)]}")
    one = Instrument(Visit(Session(GAPS, **changes)))
    one.files["gaps"] = read_frame("\n".join(lines).encode())
    return one


def test_another_way_with_missing_values_grows_on_the_rows_as_it_takes_them() -> None:
    points = dict[str, Any]()
    for missing in POLICIES:
        here, rules = with_gaps(), Rules(missing=missing)
        data = here.dataset(GAPS)
        table = prepare_data(data, rules)
        problem = Problem(table, rules)
        log, _ = finish(problem, root_tree(problem))
        assert len(log) > 4
        click(here, {"what": "goto", "step": 3})
        here.act("settings", {"what": "rules", "values": {"missing": missing}})
        screen = here.screen()
        assert (screen.session.log, screen.n_steps) == (log[:3], len(log)), missing
        link = AddressText(GAPS, {"missing": missing, "log": "a3"}, ())
        assert session_at(link, data, here.future(GAPS)) == (Session(GAPS, rules, log[:3]), ())
        cloud, rows = (unpack(sent_whole(here, name, screen, LIGHT)) for name in ("cloud", "rows"))
        points[missing] = (len(cloud["x"]), len(rows["x"]))
    assert points == {**dict.fromkeys(POLICIES, (60, 60)), "drop": (46, 46)}


def test_your_own_splits_stay_as_far_as_another_way_with_missing_values_allows() -> None:
    kept, lost = Grow(1, Split(Axis(0), 9.5)), Grow(2, Split(IsMissing((1,)), 0.5))
    one = with_gaps(log=(kept, lost))
    one.act("settings", {"what": "rules", "values": {"missing": "drop"}})
    assert one.visit.session.rules.missing == "drop"
    log = one.screen().session.log
    assert (log[0], len(log), lost in log) == (kept, 2, False)


def test_of_the_tables_that_undo_comes_back_to_the_oldest_go_where_all_are_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = read_frame(b"x,y\n" + b"1,u\n2,v\n" * 50)
    monkeypatch.setattr(dtviz.app.instrument, "MAX_TABLE_BYTES", 5 * uploads.estimated_bytes(table))
    one = tab()
    for k in range(8):
        one.add_tables({str(k): table})
        one.change_session(
            Session(uploads.upload_recipe(str(k), f"{k}.csv", "y", None, "classification"))
        )
    assert {*one.files} == {"3", "4", "5", "6", "7"}
    for _ in range(4):
        one.act("line", {"what": "undo"})
    assert one.screen().data.n == 100
    one.act("line", {"what": "undo"})
    with pytest.raises(uploads.FileNeededError, match=r"2\.csv"):
        one.screen()
    one.add_tables({"2": table})
    assert one.screen().data.n == 100


def test_a_table_larger_than_all_may_be_together_is_kept_while_it_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dtviz.app.instrument, "MAX_TABLE_BYTES", 0)
    table = read_frame(b"x,y\n" + b"1,u\n2,v\n" * 50)
    one = tab()
    one.add_tables({"large": table})
    one.change_session(
        Session(uploads.upload_recipe("large", "a.csv", "y", None, "classification"))
    )
    one.act("line", {"what": "next"})
    assert one.screen().data.n == 100


def test_of_large_trees_few_lines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    one = tab()
    future = one.future(MOONS)
    whole = future(Rules(), ())
    monkeypatch.setattr(dtviz.app.instrument, "MAX_MOVES_ON_TIMELINES", 3 * len(whole))
    for depth in range(1, 8):
        future(Rules(min_samples_split=depth + 2), ())
        assert sum(len(line.log) for line in one.timelines) <= 3 * len(whole)
    assert len(one.timelines) >= 3


def test_of_a_large_table_steps_are_found_one_by_one_and_are_those_of_the_whole_tree(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    orders: tuple[Any, ...] = ("best", "depth")
    every = [Rules(order=order, ccp_alpha=0.01) for order in orders]
    futures = [Instrument(Visit(Session(MOONS))).future(MOONS)(rules, ()) for rules in every]
    monkeypatch.setattr(dtviz.app.instrument, "MANY_ROWS", 10)
    for rules, line in zip(every, futures, strict=True):
        here = Instrument(Visit(Session(MOONS, rules)))
        for step in range(5):
            screen = here.screen()
            assert (screen.next_move, screen.has_more_steps, screen.n_steps) == (
                line[step],
                True,
                step + 1,
            )
            log = write_address(screen.session, screen.data, screen.future).get("log", "a0")
            assert log == f"a{step}"
            here.act("line", {"what": "goto", "step": step + 1})
        assert here.visit.session.log == line[:5]
        here.act("line", {"what": "goto", "step": 10**9})
        assert here.visit.session.log == line
        assert not here.screen().has_more_steps
    monkeypatch.setattr(dtviz.app.instrument, "MAX_SINGLE_STEPS", 10**9)
    future = Instrument(Visit(Session(MOONS))).future(MOONS)
    assert [future(rules, (), None, 10**6) for rules in every] == futures


def test_what_tabs_share_is_bounded_by_what_it_weighs() -> None:
    one = tab()
    one.dataset(MOONS)
    rest = one.future(MOONS)(Rules(), ())
    assert one.shared.datasets.total_bytes >= one.dataset(MOONS).columns.nbytes
    assert one.shared.futures.total_bytes == dtviz.app.instrument.BYTES_PER_MOVE * len(rest)


def test_a_table_given_stays_until_another_is_and_no_undo_comes_back_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(session, "MAX_SESSIONS_KEPT", 5)
    one, table = tab(), read_frame(b"x,y\n1,a\n2,b\n")
    for options in (ReadOptions(), ReadOptions(names_line=0)):
        one.add_tables({uploads.table_place("used", options): table})
        recipe = uploads.upload_recipe("used", "t.csv", "y", ("x",), "classification", options)
        one.change_session(Session(recipe))
    one.add_tables({"tried": table})
    one.add_tables({"last": table, "its test rows": table})
    assert {*one.files} == {"used", "used header=False", "last", "its test rows"}
    about = ("last", "t.csv", "y", ("x",), "classification")
    one.change_session(Session(uploads.upload_recipe(*about, test=("2", "test.csv"))))
    one.add_tables({"2": table})
    one.add_tables({"last": table})
    assert {*one.files} == {"used", "used header=False", "last", "2"}
    for n in range(6):
        one.change_session(Session(example_recipe("moons", n=n + 1)))
    assert {*one.files} == {"last"}


def test_the_bytes_of_a_file_stay_as_long_as_its_table_and_count_as_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, table, content = tab(), read_frame(b"x,y\n1,a\n2,b\n"), bytes(50_000)
    for options in (ReadOptions(), ReadOptions(names_line=0)):
        one.add_tables({uploads.table_place("used", options): table}, {"used": content})
        about = ("used", "t.csv", "y", ("x",), "classification", options)
        one.change_session(Session(uploads.upload_recipe(*about)))
    one.add_tables({"tried": table}, {"tried": content})
    one.add_tables({"last": table}, {"last": content})
    assert one.contents == {"used": content, "last": content}
    assert one.contents_of(one.visit.session.recipe) == {"used": content}
    one.change_session(Session(example_recipe("moons", n=60)))
    monkeypatch.setattr(dtviz.app.instrument, "MAX_TABLE_BYTES", 60_000)
    one.add_tables({"last": table}, {"last": content})
    assert {*one.files} == {"last"}
    assert {*one.contents} == {"last"}


def test_what_a_class_sees_of_an_example_is_made_once_for_all() -> None:
    shared = SharedState()
    tabs = [Instrument(Visit(Session(MOONS)), shared) for _ in range(2)]
    here, other = tabs
    assert here.dataset(MOONS) is other.dataset(MOONS)
    for name in SHARED_PICTURES:
        first, second = (each._numbered_frame(name, each.screen(), LIGHT) for each in tabs)
        assert first is second, name
    dark = other._numbered_frame("tree", other.screen(), DARK).frame
    assert dark is not other._numbered_frame("tree", other.screen(), LIGHT).frame
    before = [each.pack_picture("tree", each.screen(), LIGHT) for each in tabs]
    click(other, {"what": "goto", "step": 1}, has=[*other.held_frames])
    assert (len(here.visit.session.log), len(other.visit.session.log)) == (0, 1)
    further = other._numbered_frame("tree", other.screen(), LIGHT).frame
    assert further is not here._numbered_frame("tree", here.screen(), LIGHT).frame
    click(here, {"what": "goto", "step": 1}, has=[*here.held_frames])
    assert further is here._numbered_frame("tree", here.screen(), LIGHT).frame
    after = [each.pack_picture("tree", each.screen(), LIGHT) for each in tabs]
    assert before[0] is before[1]
    assert after[0] is after[1]
    assert b'"kind":"change"' in after[0]


def test_what_a_tab_keeps_goes_with_it_at_once() -> None:
    one = tab()
    kept = weakref.ref(one.cache)
    one.pack_picture("line", one.screen(), LIGHT)
    gc.disable()
    try:
        del one
        assert kept() is None
    finally:
        gc.enable()


def test_what_is_made_of_a_table_of_ones_own_stays_in_the_tab() -> None:
    shared, table = SharedState(), read_frame(b"x,y\n" + b"1,u\n2,v\n" * 5)
    own = Session(uploads.upload_recipe("mark", "a.csv", "y", None, "classification"))
    tabs = [Instrument(Visit(own), shared, {"mark": table}) for _ in range(2)]
    for name in SHARED_PICTURES:
        first, second = (each._numbered_frame(name, each.screen(), LIGHT).frame for each in tabs)
        assert first is not second
        assert equal_values(first, second)
    assert shared.values.total_bytes == 0
