"""Tails of the chi-square and F distributions.

They are logarithms, since a p-value may be too small for a float. The engine needs numpy alone,
which has neither. Source: Press et al., Numerical Recipes, 6.2 and 6.4.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from dtviz.base.arrays import Floats, Ints

MAX_ITERATIONS = 20_000
"""Terms of a series or continued fraction, at most; they are fewer than 10 times the root of n."""
SMALLEST = 1e-300
"""Number in place of 0 in the denominators of a continued fraction."""


def log_chi_square_tail(x: Floats, degrees: Ints | Floats) -> Floats:
    """Natural logarithm of P(X >= x) for X of a chi-square distribution, elementwise.

    >>> np.round(np.exp(log_chi_square_tail(np.array([3.841459]), np.array([1]))), 6)
    array([0.05])
    """
    a, x = np.asarray(degrees / 2), np.asarray(x / 2)
    log_front = a * np.log(np.where(x > 0, x, 1.0)) - x - _log_gamma(a)
    out, is_low = np.empty(len(x)), x < a + 1
    low, high = np.flatnonzero(is_low), np.flatnonzero(~is_low)
    below = log_front[low] + np.log(_gamma_series(a[low], x[low]))
    out[low] = np.log1p(-np.where(x[low] > 0, np.exp(below), 0.0))
    a_high, x_high = a[high], x[high]

    def terms(i: int) -> tuple[Floats, Floats]:
        return i * (a_high - i), x_high + 2 * i + 1 - a_high

    fraction = _continued_fraction(x_high + 1 - a_high, terms)
    out[high] = log_front[high] - np.log(fraction)
    return out


def log_f_tail(share: Floats, degrees_between: Ints | Floats, degrees_within: Floats) -> Floats:
    """Natural logarithm of P(X >= F) for X of an F distribution, elementwise.

    `share` is the part of all squares that is within groups, 1 / (1 + F degrees_between /
    degrees_within); the other arguments are the degrees of freedom.

    >>> share = 1 / (1 + 4.964603 * 1 / 10)  # F(1, 10) is above 4.964603 with probability 0.05
    >>> np.round(np.exp(log_f_tail(np.array([share]), np.array([1]), np.array([10.0]))), 6)
    array([0.05])
    """
    a, b = np.asarray(degrees_within / 2), np.asarray(degrees_between / 2)
    out, is_low = np.empty(len(a)), share < (a + 1) / (a + b + 2)
    low, high = np.flatnonzero(is_low), np.flatnonzero(~is_low)
    out[low] = _log_beta(share[low], a[low], b[low])
    other = _log_beta(1 - share[high], b[high], a[high])
    out[high] = np.log1p(-np.exp(other))
    return out


def _log_beta(x: Floats, a: Floats, b: Floats) -> Floats:
    """Natural logarithm of the regularised incomplete beta function; x < (a + 1) / (a + b + 2)."""
    with np.errstate(divide="ignore"):
        log_x = np.log(x)  # -inf at 0

    def terms(i: int) -> tuple[Floats, Floats]:
        k = i // 2
        if i % 2 == 0:
            return k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)), np.ones(len(x))
        return -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)), np.ones(len(x))

    log_front = a * log_x + b * np.log1p(-x) - np.log(a)
    log_front += _log_gamma(a + b) - _log_gamma(a) - _log_gamma(b)
    return np.asarray(log_front - np.log(_continued_fraction(np.ones(len(x)), terms)))


def _gamma_series(a: Floats, x: Floats) -> Floats:
    """Sum of x^k / (a (a + 1) ... (a + k)) over k = 0, 1, ..."""
    term = 1 / a
    total = term.copy()
    for k in range(1, MAX_ITERATIONS):
        term = term * x / (a + k)
        total += term
        if (term <= total * 1e-16).all():
            break
    return total


def _continued_fraction(first: Floats, terms: Callable[[int], tuple[Floats, Floats]]) -> Floats:
    """b0 + a1 / (b1 + a2 / (b2 + ...)) by the method of Lentz; `terms` gives a_i and b_i."""
    value = np.where(first == 0, SMALLEST, first)
    c, d = value.copy(), np.zeros(len(value))
    for i in range(1, MAX_ITERATIONS):
        a, b = terms(i)
        d = b + a * d
        d = 1 / np.where(np.abs(d) < SMALLEST, SMALLEST, d)
        c = b + a / c
        c = np.where(np.abs(c) < SMALLEST, SMALLEST, c)
        value = value * c * d
        if (np.abs(c * d - 1) < 1e-15).all():
            break
    return value


def _log_gamma(values: Floats) -> Floats:
    """Logarithm of the gamma function, elementwise."""
    distinct, indices = np.unique(values, return_inverse=True)
    return np.array([*map(math.lgamma, distinct.tolist())]).take(indices.ravel())
