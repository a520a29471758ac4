"""Floating point by fractions: every number exact, and rounded once by the definition."""

from fractions import Fraction

import flint
import numpy as np

PARTS = {"fp32": (24, -149, 128), "fp16": (11, -24, 16), "bf16": (8, -133, 128)}
"""Bits of the significand, the exponent of the least number, and that of what is beyond the largest."""


def nearest(value, name):
    """The number of the format nearest to a fraction, the even one of two; infinite beyond the largest."""
    bits, least, beyond = PARTS[name]
    if not value:
        return Fraction(0)
    magnitude = abs(value)
    about = magnitude.numerator.bit_length() - magnitude.denominator.bit_length() - bits - 1
    quantum = Fraction(2) ** max(least, about)
    while magnitude >= quantum * 2**bits:
        quantum *= 2
    below = magnitude // quantum
    rest = magnitude / quantum - below
    whole = below + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and below % 2 == 1))
    result = whole * quantum
    if result >= Fraction(2) ** beyond:
        return float("inf") if value > 0 else float("-inf")
    return result if value > 0 else -result


def function(name, value, format_name):
    """An elementary function by 600 bits of interval arithmetic, in another form than the package writes it."""
    before, flint.ctx.prec = flint.ctx.prec, 600
    try:
        x = flint.arb(flint.fmpq(value.numerator, value.denominator))
        made = {
            "exp": lambda: 1 / (-x).exp(),
            "sigmoid": lambda: ((x / 2).tanh() + 1) / 2,
            "tanh": lambda: x.sinh() / x.cosh(),
            "softplus": lambda: (x.exp() + 1).log() / 1,
            "silu": lambda: x * ((x / 2).tanh() + 1) / 2,
            "gelu": lambda: x * (1 + (x / flint.arb(2).sqrt()).erf()) / 2,
            "gelu_tanh": lambda: x / (1 + (-2 * (2 / flint.arb.pi()).sqrt() * (x + 44715 * x**3 / 1_000_000)).exp()),
            "relu": lambda: x if x > 0 else flint.arb(0),
        }[name]()
        middle = made.mid().fmpq()
        return nearest(Fraction(int(middle.p), int(middle.q)), format_name)
    finally:
        flint.ctx.prec = before


def fractions(array):
    """An array as lists of fractions."""
    array = np.asarray(array)
    return Fraction(float(array)) if array.ndim == 0 else [fractions(row) for row in array]
