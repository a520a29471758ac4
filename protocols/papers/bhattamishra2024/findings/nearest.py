"""Theorem 6 where every result is rounded to the nearest number, as its text has it, and not down, as B.2 has it."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.arithmetic import Precision
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.checks import compared, drawn_words
from protocols.papers.plain import constructed
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.constructed import within as by_intervals
from protocols.papers.plain.halves import halves_agree

__all__ = ["partner_weight"]

QUARTER = Fraction(1, 4)
ALL = 1 << 8  # up to so many words all are gone through
DRAWN = 4


def partner_weight(length: int, exponent: int) -> Finding:
    """The least weight that a partner gets at the printed eta, with logits, exponentials and weights to the nearest.

    The layers are run on all words, or on some, with every result rounded to the nearest: a second computation does
    it, which rounds down as well; so run, it must put out what the model does.
    """
    scale, addresses = length**exponent, constructions.smallest_sign_vectors(length, QUARTER)
    half = Fraction(1, 2)
    steps = by_intervals(
        lambda: constructed.whole_part((ln(length) + exponent * ln(2 * length)) * scale + constructed.interval(half))
    )
    model = constructions.equality_transformer(
        length,
        precision=Precision.polynomial(length, exponent),
        addresses=addresses,
        strength=Fraction(steps, scale),
        verify=False,
    )
    signs = constructed.signs(length, addresses.dimension, addresses.seed).astype(np.int64)
    partners = np.arange(length) - length // 2 * (np.arange(length) >= length // 2)
    products = 2 * steps * (signs[partners] @ signs.T) + addresses.dimension
    weights = constructed.softmax_rows(
        products // (2 * addresses.dimension), np.tri(length, dtype=bool), scale, to_nearest=True
    )
    own = weights[np.arange(length), partners]
    wrong = [f"other positions get {weights.sum() - own.sum()} steps"] if weights.sum() != own.sum() else []
    answers, checked = compared(
        model,
        problems.equality_of_halves(length),
        partial(drawn_words, count=DRAWN),
        plain=halves_agree,
        run=lambda words: _codes(model, words, wrong),
        most=ALL,
    )
    facts = {"eta": f"{float(Fraction(steps, scale)):.4g}", "words": checked}
    lowest = Fraction(int(own.min()), scale)
    return Finding(measured=lowest, checked=length, of=length, violations=(*wrong, *answers), facts=facts)


def _codes(model: Any, words: Any, wrong: list[str]) -> Any:
    """The answers with every result to the nearest; what the same computation rounds down is held against the model."""
    down = constructed.forward_outputs(model, words)[:, -1]
    if not np.array_equal(down.astype(np.int64), model.outputs(words)):
        wrong.append("rounded down, outputs are others than the model's")
    outputs = constructed.forward_outputs(model, words, to_nearest=True)[:, -1]
    return (outputs[:, 1] > outputs[:, 0]).astype(np.int64)
