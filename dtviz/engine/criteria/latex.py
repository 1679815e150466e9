r"""Formulas worked out with their own numbers, as LaTeX that KaTeX reads.

Glossary
    step       one side of a chain of equal signs: a head, the terms of a sum, a tail
    terms      of a long sum only the first are written, dots stand for the rest
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.text import number

DIGITS = 6
MOST_TERMS = 6
"""The most terms of a sum that are written."""


@dataclass(frozen=True, slots=True)
class Step:
    """`head`, `terms` with the `sign` between them (a minus stands before the first too), `tail`.

    LaTeX all of them; no term carries a sign of its own.
    """

    head: str = ""
    terms: tuple[str, ...] = ()
    sign: str = "+"
    tail: str = ""

    def line(self, most: int) -> str:
        """The step on one line, with dots after `most` terms."""
        shown = [*self.terms[:most], *([r"\dots"] if len(self.terms) > most else [])]
        signs = [self.sign if at or self.sign == "-" else "" for at in range(len(shown))]
        body = (part for pair in zip(signs, shown, strict=True) for part in pair)
        return " ".join(part for part in (self.head, *body, self.tail) if part)


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The rows of one group: `y` are codes of `classes` classes, or numbers where that is 0.

    `weights` say what each row counts for, (n,); None: 1. `at` are the rows' numbers in the table.
    """

    y: NDArray[Any]
    classes: int
    weights: NDArray[Any] | None = None
    at: NDArray[Any] | None = None

    @property
    def parts(self) -> list[Any]:
        """The rows of each class, K of them, or what they weigh."""
        found: list[Any] = np.bincount(self.y, self.weights, minlength=self.classes).tolist()
        return found

    @property
    def whole(self) -> Any:
        """The number of rows, or what they weigh."""
        return len(self.y) if self.weights is None else float(self.weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """Both sides of one cut, its gain and what its measure makes of it."""

    left: Group
    right: Group
    gain: float
    score: float


# --- impurities -----------------------------------------------------------------------------------


def entropy(group: Group) -> Step:
    """- p_1 log2 p_1 - ..."""
    terms = tuple(rf"{p} \log_2 {p}" for p in _shares(group.parts))
    return Step(terms=terms, sign="-")


def gini(group: Group) -> Step:
    """1 - p_1^2 - ..."""
    return Step("1", tuple(rf"\left({p}\right)^2" for p in _shares(group.parts)), "-")


def error(group: Group) -> Step:
    """1 - the largest share."""
    return Step(f"1 - {share(max(group.parts), group.whole)}")


def variance(group: Group) -> Step:
    """The mean of (y - mean)^2; the first rows only."""
    return _mean_of(group, lambda value, mean: rf"({value} - {_bracketed(mean)})^2")


def deviance(group: Group) -> Step:
    """The mean of y ln(y / mean); the first rows only."""
    return _mean_of(group, lambda value, mean: rf"{value} \ln \tfrac{{{value}}}{{{mean}}}")


def distance(group: Group, median: float) -> Step:
    """The mean of |y - median|; the first rows only."""
    return _mean_of(group, lambda value, middle: rf"|{value} - {_bracketed(middle)}|", median)


def rests(group: Group, predicted: NDArray[Any]) -> Step:
    """The mean of (y - f(x))^2, f(x) being what is predicted of each row; the first rows only."""
    return _mean_of(group, lambda value, said: rf"({value} - {_bracketed(said)})^2", predicted)


def _mean_of(group: Group, term: Callable[[str, str], str], middle: Any = None) -> Step:
    """The mean over the rows of a term of each target and the middle; the first rows only.

    The middle is the mean of all, unless it is given, for all rows or for each.
    """
    digits, first = _digits_apart(group.y), slice(MOST_TERMS + 1)
    middles = np.broadcast_to(_mean(group) if middle is None else middle, len(group.y))
    pairs = zip(group.y[first].tolist(), middles[first].tolist(), strict=True)
    terms = [term(figure(value, digits), figure(centre, digits)) for value, centre in pairs]
    if group.weights is not None:
        some = map(amount, group.weights[first].tolist())
        terms = [rf"{weight} \cdot {term}" for weight, term in zip(some, terms, strict=True)]
    return Step(rf"\frac{{1}}{{{amount(group.whole)}}} \bigl[", tuple(terms), "+", r"\bigr]")


def _mean(group: Group) -> float:
    return float(np.average(group.y, weights=group.weights))


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _shares(parts: list[Any]) -> list[str]:
    """Each part's share of their sum; parts of 0 add nothing and are left out."""
    return [share(part, sum(parts)) for part in parts if part]


def _digits_apart(values: NDArray[Any]) -> int:
    """Digits enough to tell numbers apart that are large beside their differences."""
    span = float(np.ptp(values))
    return min(15, DIGITS + max(0, ceil(log10(float(np.abs(values).max()) / span)))) if span else 15


# --- measures -------------------------------------------------------------------------------------


def gain_ratio(cut: Cut) -> tuple[Step, ...]:
    """The gain over the entropy of the two sizes."""
    left, right = _shares([cut.left.whole, cut.right.whole])
    entropy = rf"- {left} \log_2 {left} - {right} \log_2 {right}"
    below = figure(cut.gain / cut.score) if cut.score else "H"
    return (
        Step(rf"\frac{{\text{{gain}}}}{{{entropy}}}"),
        Step(rf"\frac{{{figure(cut.gain)}}}{{{below}}}"),
    )


def cart_measure(cut: Cut) -> tuple[Step, ...]:
    """2 (n_L/n) (n_R/n) (|p_1(L) - p_1(R)| + ...)."""
    left, right = _shares([cut.left.whole, cut.right.whole])
    pairs = zip(cut.left.parts, cut.right.parts, strict=True)
    terms = tuple(
        rf"\left| {share(a, cut.left.whole)} - {share(b, cut.right.whole)} \right|"
        for a, b in pairs
        if a or b
    )
    return (Step(rf"2 \cdot {left} \cdot {right} \bigl(", terms, "+", r"\bigr)"),)


# --- numbers --------------------------------------------------------------------------------------


def figure(value: float, digits: int = DIGITS) -> str:
    """A number as LaTeX; tiny and huge ones with a power of ten."""
    shown = number(value, digits)
    if "e" in shown:
        mantissa, power = shown.split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    return shown.replace("∞", r"\infty")


def share(part: float, whole: float) -> str:
    """A small fraction of two counts."""
    return rf"\tfrac{{{amount(part)}}}{{{amount(whole)}}}"


def amount(value: float) -> str:
    """A count in full, any other number with a few digits."""
    return str(int(value)) if value == int(value) else figure(value)
