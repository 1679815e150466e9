"""Arithmetic of impurities and measures: formulas filled with numbers, as LaTeX for KaTeX."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log10
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dtviz.base.text import number

DIGITS = 6
"""Significant digits of a number in a formula."""
MAX_TERMS = 6
"""Largest number of terms of a sum that are written; dots stand for the others."""


@dataclass(frozen=True, slots=True)
class FormulaStep:
    """One side of an equation in LaTeX: a head, the terms of a sum, a tail."""

    head: str = ""  # text before the terms
    terms: tuple[str, ...] = ()  # terms without their signs
    sign: str = "+"  # sign between the terms; a minus also stands before the first
    tail: str = ""  # text after the terms

    def latex(self, max_terms: int) -> str:
        """Write the expression; dots replace the terms after the first `max_terms`."""
        dots = [r"\dots"] if len(self.terms) > max_terms else []
        shown = [*self.terms[:max_terms], *dots]
        signs = [self.sign if k or self.sign == "-" else "" for k in range(len(shown))]
        body = (part for pair in zip(signs, shown, strict=True) for part in pair)
        return " ".join(part for part in (self.head, *body, self.tail) if part)


@dataclass(frozen=True, slots=True, eq=False)
class RowGroup:
    """The targets and weights of a group of n rows."""

    y: NDArray[Any]  # class codes, or numbers for regression, (n,)
    classes: int  # number of classes K; 0 for regression
    weights: NDArray[Any] | None = None  # weights of the rows, (n,); None: all are 1
    row_ids: NDArray[Any] | None = None  # row ids in the table, (n,), where a formula needs them

    @property
    def parts(self) -> list[Any]:
        """Number or weight of the rows of each class, (K,)."""
        weights: list[Any] = np.bincount(self.y, self.weights, minlength=self.classes).tolist()
        return weights

    @property
    def total(self) -> Any:
        """Number or weight of all rows."""
        return len(self.y) if self.weights is None else float(self.weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class WorkedSplit:
    """The sides of a split with the numbers that its formulas show."""

    sides: tuple[RowGroup, ...]  # rows on the left and on the right, or of each branch
    gain: float  # gain of the split
    score: float  # number by which the criterion ranks the split


# --- impurities -----------------------------------------------------------------------------------


def entropy(group: RowGroup) -> FormulaStep:
    """Write - p_1 log2 p_1 - ..."""
    terms = tuple(rf"{p} \log_2 {p}" for p in _shares(group.parts))
    return FormulaStep(terms=terms, sign="-")


def gini(group: RowGroup) -> FormulaStep:
    """Write 1 - p_1^2 - ..."""
    return FormulaStep("1", tuple(rf"\left({p}\right)^2" for p in _shares(group.parts)), "-")


def error(group: RowGroup) -> FormulaStep:
    """Write 1 - the largest share."""
    return FormulaStep(f"1 - {latex_fraction(max(group.parts), group.total)}")


def variance(group: RowGroup) -> FormulaStep:
    """Write the mean of (y - mean)^2, with terms of the first rows only."""
    return _mean_of(group, lambda value, mean: rf"({value} - {_bracket(mean)})^2")


def deviance(group: RowGroup) -> FormulaStep:
    """Write the mean of y ln(y / mean), with terms of the first rows only."""
    return _mean_of(group, lambda value, mean: rf"{value} \ln \tfrac{{{value}}}{{{mean}}}")


def distance(group: RowGroup, median: float) -> FormulaStep:
    """Write the mean of |y - median|, with terms of the first rows only."""
    return _mean_of(group, lambda value, centre: rf"|{value} - {_bracket(centre)}|", median)


def residuals(group: RowGroup, predicted: NDArray[Any]) -> FormulaStep:
    """Write the mean of (y - prediction)^2, with terms of the first rows only."""
    return _mean_of(group, lambda value, fit: rf"({value} - {_bracket(fit)})^2", predicted)


def _mean_of(group: RowGroup, term: Callable[[str, str], str], centre: Any = None) -> FormulaStep:
    """Write the mean over the rows of `term`, a text made of a target and its centre.

    `centre` is one number for all rows or (n,) numbers; None: the mean of the targets.
    """
    # only the first rows are written: one more than MAX_TERMS, for which `latex` writes dots
    digits, first = _distinguishing_digits(group.y), slice(MAX_TERMS + 1)
    centres = np.broadcast_to(_mean(group) if centre is None else centre, len(group.y))
    pairs = zip(group.y[first].tolist(), centres[first].tolist(), strict=True)
    terms = [
        term(latex_number(value, digits), latex_number(middle, digits)) for value, middle in pairs
    ]
    if group.weights is not None:
        weights = map(count_text, group.weights[first].tolist())
        terms = [rf"{weight} \cdot {text}" for weight, text in zip(weights, terms, strict=True)]
    return FormulaStep(
        rf"\frac{{1}}{{{count_text(group.total)}}} \bigl[", tuple(terms), "+", r"\bigr]"
    )


def _mean(group: RowGroup) -> float:
    return float(np.average(group.y, weights=group.weights))


def _bracket(text: str) -> str:
    return f"({text})" if text.startswith("-") else text


def _shares(parts: list[Any]) -> list[str]:
    """Write the share of each part in the sum of all; parts of 0 add nothing and are left out."""
    return [latex_fraction(part, sum(parts)) for part in parts if part]


def _distinguishing_digits(values: NDArray[Any]) -> int:
    """Number of significant digits by which numbers differ, even large ones that are close."""
    span = float(np.ptp(values))
    return min(15, DIGITS + max(0, ceil(log10(float(np.abs(values).max()) / span)))) if span else 15


# --- measures -------------------------------------------------------------------------------------


def gain_ratio(split: WorkedSplit) -> tuple[FormulaStep, ...]:
    """Write the gain over the split information, the entropy of the shares of rows of the sides."""
    terms = [rf"{share} \log_2 {share}" for share in _shares([side.total for side in split.sides])]
    size_entropy = FormulaStep(terms=tuple(terms), sign="-").latex(MAX_TERMS)
    # the score is gain / entropy: a score of 0 does not tell the entropy
    denominator = latex_number(split.gain / split.score) if split.score else "H"
    return (
        FormulaStep(rf"\frac{{\text{{gain}}}}{{{size_entropy}}}"),
        FormulaStep(rf"\frac{{{latex_number(split.gain)}}}{{{denominator}}}"),
    )


def cart_measure(split: WorkedSplit) -> tuple[FormulaStep, ...]:
    """Write 2 (n_L/n) (n_R/n) (|p_1(L) - p_1(R)| + ...), with the class shares p_k of each side."""
    n_left, n_right = (side.total for side in split.sides)
    left, right = _shares([n_left, n_right])
    pairs = zip(*(side.parts for side in split.sides), strict=True)
    terms = tuple(
        rf"\left| {latex_fraction(a, n_left)} - {latex_fraction(b, n_right)} \right|"
        for a, b in pairs
        if a or b
    )
    return (FormulaStep(rf"2 \cdot {left} \cdot {right} \bigl(", terms, "+", r"\bigr)"),)


# --- numbers --------------------------------------------------------------------------------------


def latex_number(value: float, digits: int = DIGITS) -> str:
    """Write a number as LaTeX; a tiny or huge number with a power of ten."""
    shown = number(value, digits)
    if "e" in shown:
        mantissa, power = shown.split("e")
        return rf"{mantissa} \cdot 10^{{{int(power)}}}"
    return shown.replace("∞", r"\infty")


def latex_fraction(part: float, total: float) -> str:
    """Write a share of a count or weight as a small fraction."""
    return rf"\tfrac{{{count_text(part)}}}{{{count_text(total)}}}"


def count_text(value: float) -> str:
    """Write a count in full, any other number with a few digits."""
    return str(int(value)) if value == int(value) else latex_number(value)
