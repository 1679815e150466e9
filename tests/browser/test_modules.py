"""The browser's own modules against their Python counterparts: numbers, frames, marker shapes."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

from dtviz.figures.frame import pack
from dtviz.figures.palette import SYMBOLS
from dtviz.text import number

MODULES = "/_stcore/bidi-components/dtviz.view/"


@pytest.fixture
def call(page: Page, app_url: str) -> Any:
    """`call(file, "expression of m and given", given)` evaluates it on a module of the frontend."""
    page.goto(app_url + "/learn")
    page.locator("h1").first.wait_for()

    def evaluate(file: str, expression: str, given: Any) -> Any:
        script = f"async (given) => {{ const m = await import('{MODULES}{file}'); "
        return page.evaluate(script + f"return {expression}; }}", given)

    return evaluate


def test_numbers_are_written_as_in_python(call: Any) -> None:
    rng = random.Random(7)
    values = [0.0, -0.0, 1.0, 0.15625, 0.03125, 2.5, 1e-5, 9.99995, 99995.0, 0.1 + 0.2, -0.00012345]
    values += [123456.5, 1e15, 1e16, 1.5e300, 5e-324, 12345.25, 0.000244140625, 1e8 + 0.25, 999.95]
    values += [k / 1024 for k in range(1, 1024, 7)] + [k / 64 + 1e8 for k in range(40)]
    values += [rng.uniform(-1, 1) * 10 ** rng.randint(-12, 18) for _ in range(600)]
    for digits in (3, 4, 5, 6):
        got = call("lib/format.js", f"given.map((v) => m.number(v, {digits}))", values)
        assert got == [number(value, digits) for value in values]


def test_ticks_stand_inside_the_range_at_round_places(call: Any) -> None:
    rng = random.Random(3)
    spans = [
        (0.0, 1.0),
        (-1e8, 1e8),
        (1e8, 1e8 + 1),
        (-0.5, 2.5),
        (0.0, 5e-324),
        (-1.7e308, 1.7e308),
    ]
    spans += [
        (low, low + 10 ** rng.uniform(-6, 6)) for low in (rng.uniform(-9, 9) for _ in range(60))
    ]
    for (low, high), found in zip(
        spans, call("lib/format.js", "given.map(([a, b]) => m.ticks(a, b, 6))", spans), strict=True
    ):
        assert len(found) <= 14
        for tick in found:
            assert low <= tick["value"] <= high
            assert float(tick["text"].replace("∞", "inf")) == pytest.approx(
                tick["value"], rel=1e-5, abs=(high / 2 - low / 2) * 1e-5
            )
        if 1e-6 < high - low < 1e7:
            assert len(found) >= 2


def test_a_frame_is_read_as_it_was_packed(call: Any) -> None:
    frame = {
        "text": "naïve ≤ \N{SNOWMAN}",
        "none": None,
        "a": np.array([1.5, -2.0, 1e300]),
        "b": np.arange(5, dtype="i4"),
        "c": np.array([], dtype="f4"),
        "d": np.array([255, 0, 7], dtype="u1"),
    }
    got = call(
        "lib/frame.js",
        "(() => { const f = m.unpack(new Uint8Array(given));"
        " return { ...f, a: [...f.a], b: [...f.b], c: [...f.c], d: [...f.d] } })()",
        list(pack("stage", frame)),
    )
    plain = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in frame.items()}
    assert got == {"kind": "stage", **plain}


def test_every_marker_shape_is_known_and_its_own(call: Any) -> None:
    paths = call("lib/marks.js", "given.map((name) => m.markPath(name, 10))", list(SYMBOLS))
    assert all(path.startswith("M") and path.endswith("Z") for path in paths)
    assert len(set(paths)) == len(SYMBOLS)
