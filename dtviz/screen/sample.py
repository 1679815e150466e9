"""The rows of a tree of Stability as data of their own, so that Grow shows how it grows.

The recipe has the parameters of the data it is of, and says which rows it has: equal links, equal
rows. ORIGINS knows it by the name "sample".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from dtviz.engine.missing import POLICIES
from dtviz.engine.rules import Rules, prepared
from dtviz.judge.stability import WAYS, Shake, grown_on, has_rows
from dtviz.screen.derived import Derived
from dtviz.screen.session import ALL_MOVES, Future, Session
from dtviz.table.data import Dataset, Recipe, Value
from dtviz.table.origins import ORIGINS, Origin, origin_of
from dtviz.table.uploads import Files
from dtviz.table.values import read_names, read_value

ASKED = ("way", "percent", "seed", "shown")
SAMPLE = Derived("sample", (*ASKED, "missing"))


def opened(session: Session, future: Future) -> Session:
    """The session that shows the tree looked at in Grow, `future` being that of its own rows."""
    own = sample_recipe(session.recipe, session.rules, session.shake)
    return Session(own, session.rules, log=future(session.rules, (), None, ALL_MOVES))


def can_open(session: Session, data: Dataset) -> bool:
    """Whether a tree is looked at that there is; of rows that are a sample there is no other."""
    return not SAMPLE.within(session.recipe) and has_rows(data, session.shake)


def sample_recipe(of: Recipe, rules: Rules, shake: Shake) -> Recipe:
    """The recipe of the rows that the tree looked at is grown on."""
    usual = Shake()
    own: dict[str, Value] = {
        name: value for name in ASKED if (value := getattr(shake, name)) != getattr(usual, name)
    }
    missing = None if rules.missing == Rules().missing else rules.missing
    return SAMPLE.recipe(of, own | {"missing": missing})


def _parts(wanted: Recipe) -> tuple[Recipe, Rules, Shake]:
    """The data it is of, how rows without a value are taken, and which rows; raises DataError."""
    of, own = SAMPLE.parts(wanted)
    missing = own.get("missing", Rules().missing)
    if not isinstance(missing, str) or missing not in POLICIES:
        raise SAMPLE.refusal(own, "missing", f"be one of {', '.join(POLICIES)}")
    return of, Rules(missing=missing), _shake(own)


def _shake(own: Mapping[str, Value]) -> Shake:
    """Which rows; raises DataError."""
    shake = Shake()
    for name, text in own.items():
        if name not in ASKED:
            continue
        value: Any = read_value(text) if isinstance(text, str) else text
        try:
            shake = replace(shake, **{name: value})
        except (ValueError, TypeError) as error:
            raise SAMPLE.refusal(own, name, "be one that Stability allows") from error
    if shake.shown is None:
        raise SAMPLE.refusal(own, "shown", "say which of the trees, from 0 on")
    return shake


def _complete(wanted: Recipe) -> Recipe:
    return sample_recipe(*_parts(wanted))


def _build(wanted: Recipe, files: Files) -> Dataset:
    of, rules, shake = _parts(wanted)
    return grown_on(prepared(origin_of(of).build(of, files), rules), shake)


def _title(wanted: Recipe) -> str:
    of, _, shake = _parts(wanted)
    assert shake.shown is not None
    way, number, title = WAYS[shake.way], shake.shown + 1, origin_of(of).title(of)
    if way.each:
        return f"{title} without row {number}"
    if way.percent:
        return f"{title} without {shake.percent} % of the rows: tree {number}"
    return f"{title}, resampled: tree {number}"


ORIGINS[SAMPLE.name] = Origin(SAMPLE.name, _complete, _build, _title, read=read_names, private=True)
