"""The sliders of Overfit, one a rule: the values at which the tree changes, and each tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dtviz.engine.rules import counted
from dtviz.figures.kinds import RuleLine
from dtviz.figures.overfit import line_frame
from dtviz.judge.axes import AXIS_OF, Axis, value_text
from dtviz.judge.curves import read_off
from dtviz.screen.judged import Judged

MOST_NODES = 20_000  # the trees of all sliders of a larger one are too much to send


def dials(found: Judged) -> list[RuleLine]:
    """A line for the slider of each rule."""
    return [_dial(axis, found) for axis in AXIS_OF.values()]


def _dial(axis: Axis, found: Judged) -> RuleLine:
    """The line of one rule, prunes kept.

    A share of the rows stands at their number. A leaf size is a tree of its own, grown when it is
    set; of very large trees none is shown ahead.
    """
    rules, nodes = counted(found.session.rules, found.training.n), found.nodes
    own, values = getattr(rules, axis.rule), axis.values(nodes, rules)
    some = with_own([*values, *axis.more(len(values))], own, value_text)
    along = None
    if axis.one_tree and len(nodes.ids) <= MOST_NODES:
        stays = axis.subtrees(nodes, rules, some) & found.allowed
        along = read_off(nodes, axis, some, stays, found.lost, found.held_lost)
    return line_frame(axis.rule, some, some.index(own), along)


def with_own(values: Iterable[Any], own: Any, text: Callable[[Any], str]) -> list[Any]:
    """The values in order with `own` among them; None is the largest.

    The person knows them by their texts, so of those that look the same one is kept: `own`.
    """
    known = {text(value): value for value in [*values, own]}
    return sorted(known.values(), key=lambda value: (value is None, value or 0))
