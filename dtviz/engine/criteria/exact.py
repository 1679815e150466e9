"""What splits of the same rows are worth, without rounding: equal is equal.

Glossary
    worth    of a split under a measure: a number that grows with its score, and with nothing else
    counts   the rows of each class on one side
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

Counts = Sequence[int]
Worth = Callable[[Counts, Counts], Fraction | Decimal]
"""Of both sides' counts; neither side is empty."""

WORKED, KEPT = 60, Decimal(1).scaleb(-40)
"""Logarithms have 60 digits; numbers that agree in 40 decimals are the same."""


def entropy(left: Counts, right: Counts) -> Fraction:
    """2 to the power of minus n times the entropy left: product of c^c over that of n^n."""
    return Fraction(_powers((*left, *right)), _powers((sum(left), sum(right))))


def gini(left: Counts, right: Counts) -> Fraction:
    """n less n times the Gini impurity left: the sum of c^2 / n."""
    return sum((Fraction(c * c, sum(side)) for side in (left, right) for c in side), Fraction(0))


def error(left: Counts, right: Counts) -> Fraction:
    """The rows that the majorities of both sides get right."""
    return Fraction(max(left) + max(right))


def gain_ratio(left: Counts, right: Counts) -> Decimal:
    """n times the gain over n times the entropy of the sizes, to 40 decimals."""
    n, sizes = sum(left) + sum(right), (sum(left), sum(right))
    before = [a + b for a, b in zip(left, right, strict=True)]
    below = Fraction(_powers((n,)), _powers(sizes))
    gain = Fraction(_powers((n,)), _powers(before)) * entropy(left, right)
    with localcontext(prec=WORKED):
        return (_logarithm(gain) / _logarithm(below)).quantize(KEPT)


def cart_measure(left: Counts, right: Counts) -> Fraction:
    """n^2 / 2 times the measure: n_L n_R sum |p_k(L) - p_k(R)|."""
    n, m = sum(left), sum(right)
    return Fraction(sum(abs(a * m - b * n) for a, b in zip(left, right, strict=True)))


def _powers(counts: Iterable[int]) -> int:
    """The product of c^c; 0^0 is 1."""
    return prod(c**c for c in counts)


def _logarithm(value: Fraction) -> Decimal:
    return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()
