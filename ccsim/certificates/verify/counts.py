"""What a count says, in closed form where its roots are integers."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import gcd

from .data import Refused, bits_for
from .families import Count
from .pair_words import recurrence, values_of

Term = tuple[int, int, Fraction]
"""A root r, a power j and a coefficient c: c n^j r^n."""

MOST_VALUES = 1024  # of a sequence that are looked at for its wording


def closed_form(count: Count) -> tuple[list[Term], int] | None:
    """A count as a sum of terms, and the n from which on it is that; None if its roots are not small integers."""
    back = list(count[1])
    while back and not back[-1]:
        back.pop()
    start = len(count[1]) - len(back) + 1
    roots: list[tuple[int, int]] = []
    left = [1, *(-factor for factor in back)]
    for root in sorted((sign * size for size in range(1, 257) for sign in (1, -1)), key=abs):
        while len(left) > 1 and sum(value * root ** (len(left) - 1 - at) for at, value in enumerate(left)) == 0:
            roots.append((root, sum(other == root for other, _ in roots)))
            quotient = [left[0]]
            for value in left[1:-1]:
                quotient.append(value + root * quotient[-1])
            left = quotient
    if len(left) > 1 or len(roots) > 8:
        return None
    values = values_of(count, start - 1 + len(roots))[start - 1 :]
    rows = [
        [*(Fraction(n**power * root**n) for root, power in roots), Fraction(value)]
        for n, value in enumerate(values, start)
    ]
    terms = [(root, power, factor) for (root, power), factor in zip(roots, solved(rows), strict=True) if factor]
    return sorted(terms, key=lambda term: (abs(term[0]), term[0], term[1]), reverse=True), start


def stretched_form(count: Count) -> tuple[Count, int, int] | None:
    """A count d, k and b, if c(n) = d(floor((n - b) / k)) for all n >= b + k, and 0 before; else None."""
    order = len(count[0])
    values = values_of(count, 4 * order + 4)
    zeros = next((place for place, value in enumerate(values) if value), len(values))
    turns = [place for place in range(zeros, len(values)) if place and values[place] != values[place - 1]]
    stretch = gcd(*(later - place for place, later in pairwise([zeros, *turns])))
    before = zeros + 1 - stretch
    if stretch < 2 or before < 0 or order // stretch < 1 or stretch * order > MOST_VALUES:
        return None
    picked = values_of(count, zeros + stretch * (2 * order + 2))[zeros::stretch]
    try:
        inner = recurrence(picked[: 2 * (order // stretch + 1) + 2], lambda steps: None)
    except Refused:
        return None
    most = 2 * (order + zeros + stretch * (len(inner[0]) + 1))  # orders of both sides together, and more
    again = [0, *values_of(inner, most)]
    same = all(value == again[max(0, n - before) // stretch] for n, value in enumerate(values_of(count, most), 1))
    return (inner, stretch, before) if same and closed_form(inner) is not None else None


def solved(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of as many independent linear equations as unknowns: coefficients and right side in a row."""
    for column in range(len(rows)):
        place = next(at for at in range(column, len(rows)) if rows[at][column])
        rows[column], rows[place] = rows[place], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for at, row in enumerate(rows):
            if at != column:
                rows[at] = [value - row[column] * pivot for value, pivot in zip(row, rows[column], strict=True)]
    return [row[-1] for row in rows]


def written(terms: list[Term]) -> str:
    """A sum of terms for people: "2^n + 1".

    >>> written([(2, 0, Fraction(1, 2)), (1, 1, Fraction(-3)), (-1, 0, Fraction(1))])
    '2^n/2 - 3*n + (-1)^n'
    """
    text = ""
    for root, power, factor in terms:
        parts = [] if abs(factor.numerator) == 1 and (power or root != 1) else [str(abs(factor.numerator))]
        parts += ["n" if power == 1 else f"n^{power}"] if power else []
        parts += [f"{root}^n" if root > 1 else f"({root})^n"] if root != 1 else []
        sign = ("- " if factor < 0 else "+ ") if text else ("-" if factor < 0 else "")
        text += (
            (" " if text else "")
            + sign
            + "*".join(parts)
            + (f"/{factor.denominator}" if factor.denominator > 1 else "")
        )
    return text or "0"


def count_text(count: Count, bits: bool) -> tuple[str, str, int]:
    """A count, or the bits that number so many, for people; what its names stand for; and the n from which on it is
    that."""
    closed = closed_form(count)
    stretched = stretched_form(count) if closed is None else None
    if stretched is not None:
        inner, stretch, before = stretched
        text, _, start = count_text(inner, bits)
        place = f"floor((n - {before})/{stretch})" if before else f"floor(n/{stretch})"
        return text.replace("n", "m"), f", m = {place},", before + stretch * start
    if closed is None:
        first = ", ".join(f"c({n}) = {value}" for n, value in enumerate(count[0], 1))
        steps = " + ".join(
            f"{factor} c(n-{back})".replace("-1 ", "-", 1) if factor != 1 else f"c(n-{back})"
            for back, factor in enumerate(count[1], 1)
            if factor
        )
        return "ceil(log2(c(n)))" if bits else "c(n)", f", c(n) = {steps}, {first},".replace("+ -", "- "), 1
    terms, start = closed
    return (bits_text(terms) if bits else written(terms)), "", start


def bits_text(terms: list[Term]) -> str:
    """The bits that number as many as a sum of terms says."""
    root, power, factor = terms[0] if terms else (1, 0, Fraction(0))
    if len(terms) <= 1 and power == 0 and root == 1:
        return str(bits_for(factor))
    sizes = [value.bit_length() - 1 for value in (root, factor.numerator, factor.denominator)]
    powers = root == 1 << sizes[0] and factor == Fraction(1 << sizes[1], 1 << sizes[2]) if root > 0 else False
    if len(terms) == 1 and power == 0 and powers:
        return linear_text(sizes[0], sizes[1] - sizes[2])
    return f"ceil(log2({written(terms)}))"


def linear_text(slope: int, constant: int) -> str:
    """A linear formula for people."""
    head = ("n" if slope == 1 else f"{slope}*n") if slope else ""
    if not head:
        return str(constant)
    return head + (f" {'+' if constant > 0 else '-'} {abs(constant)}" if constant else "")
