"""Exact values of splits: numbers without rounding that order splits of the same rows as scores do.

Each function takes the number of rows of each class on the left and on the right, (K,) each;
neither side may be empty. Splits with equal scores have equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from math import prod

ExactValue = Callable[[Sequence[int], Sequence[int]], Fraction | Decimal]
"""Exact value of a split from the class counts of both sides."""

LOGARITHM_DIGITS = 60
ROUNDED = Decimal(1).scaleb(-40)
"""Numbers that agree in 40 decimals are the same."""


def entropy(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """2^(-n H), H the weighted entropy of both sides: product of c^c over that of n^n."""
    return Fraction(_powers((*left, *right)), _powers((sum(left), sum(right))))


def gini(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """n (1 - G), G the weighted Gini impurity of both sides: the sum of c^2 / n."""
    return sum((Fraction(c * c, sum(side)) for side in (left, right) for c in side), Fraction(0))


def error(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """Number of rows that the majorities of both sides predict right."""
    return Fraction(max(left) + max(right))


def gain_ratio(left: Sequence[int], right: Sequence[int]) -> Decimal:
    """Gain over the entropy of the sizes (C4.5), to 40 decimals."""
    n, sizes = sum(left) + sum(right), (sum(left), sum(right))
    before = [a + b for a, b in zip(left, right, strict=True)]
    below = Fraction(_powers((n,)), _powers(sizes))
    gain = Fraction(_powers((n,)), _powers(before)) * entropy(left, right)
    with localcontext(prec=LOGARITHM_DIGITS):
        return (_logarithm(gain) / _logarithm(below)).quantize(ROUNDED)


def cart_measure(left: Sequence[int], right: Sequence[int]) -> Fraction:
    """n^2 / 2 times the measure: n_L n_R sum |p_k(L) - p_k(R)|."""
    n, m = sum(left), sum(right)
    return Fraction(sum(abs(a * m - b * n) for a, b in zip(left, right, strict=True)))


def _powers(counts: Iterable[int]) -> int:
    """Product of c^c; 0^0 is 1."""
    return prod(c**c for c in counts)


def _logarithm(value: Fraction) -> Decimal:
    return Decimal(value.numerator).ln() - Decimal(value.denominator).ln()
