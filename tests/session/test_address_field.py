"""Every field of the address is one documented value that reads and writes; so is a new one."""

from __future__ import annotations

import pytest
from addresses import FUTURE, PLACE, START, opened, reread
from screens import page, params_of, press

from dtviz import Rules
from dtviz.data.gallery import GALLERY
from dtviz.session.address import FIELDS, write_address
from dtviz.session.address_field import (
    Field,
    attr,
    extra_value,
    left_out_text,
    matched,
    plain,
)
from dtviz.session.session import Session


def test_every_field_is_documented_under_its_own_name() -> None:
    assert all(name == field.name for name, field in FIELDS.items())
    assert all(field.help.endswith(".") and field.help[0].isupper() for field in FIELDS.values())
    assert {*Rules.__slots__} < {*FIELDS}
    assert not {*FIELDS} & {param.name for example in GALLERY.values() for param in example.params}


def test_the_example_of_a_field_is_read_and_written() -> None:
    for name, field in FIELDS.items():
        session, problems = opened(**{name: field.example})
        assert problems == (), name
        written = write_address(session, PLACE, FUTURE)
        assert reread(session) == (session, ())
        assert written.keys() == {"data", name}
        if name != "branches":  # the automatic rest is written too
            assert written[name] == field.example


def test_what_the_session_holds_of_a_field_is_its_own() -> None:
    examples = {name: field.example for name, field in FIELDS.items()}
    session, problems = opened(**examples)
    assert problems == ()
    unusual = write_address(session, PLACE, FUTURE).keys()
    assert unusual == {"data", *FIELDS}
    for name, field in FIELDS.items():
        value = field.place.get(session)
        assert field.place.put(session, value) == session
        changed = field.place.put(session, field.place.get(Session(START)))
        places = [(key, other.place) for key, other in FIELDS.items()]
        differ = [key for key, at in places if at.get(changed) != at.get(session)]
        assert differ == [name] * (name in unusual)


MOODS = {"calm": 0, "merry": 1}
MOOD: Field[int] = plain(
    "mood", "merry", "How the tree feels.", extra_value("mood", 0),
    lambda text: MOODS[matched("|".join(MOODS), text)[0]],
    lambda mood: [*MOODS][mood],
)  # fmt: skip


def test_a_new_field_walks_the_address_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    assert opened(mood="merry")[1] == ("'mood' in this link was not understood; it is left out",)
    monkeypatch.setitem(FIELDS, "mood", MOOD)
    session, problems = opened(data="good_place", mood="merry", max_depth="2")
    assert problems == ()
    assert MOOD.place.get(session) == 1
    params = {"data": "good_place", "mood": "merry", "max_depth": "2"}
    assert write_address(session, PLACE, FUTURE) == params
    assert reread(session) == (session, ())
    at = page("grow", **params)
    assert not at.warning
    assert params_of(at) == params
    assert params_of(press(at, "next")) == {**params, "log": "a1"}
    assert opened(mood="calm") == (Session(START), ())
    assert opened(mood="sad") == (Session(START), (left_out_text(["mood=sad"]),))


def test_a_place_is_a_path_or_among_the_extra_values() -> None:
    share, mood, wish = (
        attr("judging.share"),
        extra_value("mood", 0),
        extra_value("wish", ""),
    )
    session = share.put(Session(START), 0.5)
    assert (share.get(session), session.judging.share) == (0.5, 0.5)
    with pytest.raises(ValueError, match="`share` must lie between"):
        share.put(session, 2.0)
    both = mood.put(wish.put(session, "tea"), 1)
    assert both.extra == (("mood", 1), ("wish", "tea"))
    assert both == wish.put(mood.put(session, 1), "tea")
    assert (mood.get(both), wish.get(both), mood.get(session)) == (1, "tea", 0)
    assert mood.put(wish.put(both, ""), 0) == session


def test_only_a_whole_text_matches() -> None:
    assert matched("a", "a")[0] == "a"
    for text in ("", "aa", "a\n", " a"):
        with pytest.raises(ValueError):  # noqa: PT011
            matched("a", text)
