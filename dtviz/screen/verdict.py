"""The sentence over the pictures of Overfit: what the error does, and what the folds favour."""

from __future__ import annotations

from dtviz.judge.axes import value_text
from dtviz.judge.curves import best, mean_and_error, one_standard_error
from dtviz.judge.metrics import score_by, sureness
from dtviz.say.settings import told
from dtviz.screen.judged import Judged, folds_name
from dtviz.screen.screen import Screen
from dtviz.text import count, number


def verdict(screen: Screen) -> str:
    """What the error does from the training rows to the others, and what the folds favour."""
    found, along, folded = screen.judged, screen.along(), screen.folded()
    said = _gap(found)
    if along is None or folded is None:
        return said
    mean, error = mean_and_error(folded)
    axis = along.axis
    low, simple = best(axis, mean), one_standard_error(axis, mean, error)
    least = told(axis.rule, along.values[low], value_text).lower()
    said += f" The {folds_name(found)} is least with {least} (★)"
    if low == simple:
        return f"{said}; no simpler tree is within one standard error."
    return (
        f"{said}; the simplest within one standard error is {value_text(along.values[simple])} (◆)."
    )


def _sure(found: Judged, where: str) -> str:
    """How sure the leaves are, and how right that is, where they tell shares of classes."""
    if found.tree.leaf_model.proba is None or found.held is None:
        return ""
    both = (sureness(rows, found.tree) for rows in (found.training, found.held))
    pairs = zip(("Log loss", "Brier score"), *both, strict=True)
    said = (f"{name} {number(own, 3)}, {number(held, 3)} {where}" for name, own, held in pairs)
    return f" {'; '.join(said)}."


def _gap(found: Judged) -> str:
    training, held = found.errors
    leaves = count(int(found.stays.sum()) + 1, "leaf")
    if found.held is None:
        return "One row leaves none to hold out: choose data with more rows."
    score = score_by(found.data)
    where = "held out" if found.role is None else f"on the {found.held_words}"
    said = f"{leaves}: {score.said.format(score.text(training))}, {score.text(held)} {where}."
    said += _sure(found, where)
    if found.test is None or found.final is None:
        return said
    rows = count(found.test.n, "test row")
    return f"{said} On the {rows}, which choose nothing: {score.text(found.final)}."
