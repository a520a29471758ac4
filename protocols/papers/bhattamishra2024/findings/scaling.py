"""Attention weights at the printed strengths (appendices C.2 and F.2): executed, and worked out again by intervals."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim import models, problems
from ccsim.arithmetic import Precision
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers.checks import compared, drawn_words, is_refused, least_number
from protocols.papers.plain import constructed
from protocols.papers.plain.constructed import natural_logarithm as ln
from protocols.papers.plain.constructed import within as by_intervals
from protocols.papers.plain.halves import halves_agree

__all__ = ["index_weight", "other_weights", "printed_scaling", "rounding", "weight_one"]

QUARTER = Fraction(1, 4)
FRACTION_BITS = 12
DRAWN = 1 << 12  # so many symbols of words


def index_weight(length: int) -> Finding:
    """What is displayed at eta = 2 ln 3N, and the weights of all positions that are asked for at the next eta above.

    That is a multiple of 2^-12, and all is in 12 bits after the point.
    """
    addresses, scale = constructions.smallest_sign_vectors(length, QUARTER), 1 << FRACTION_BITS
    strength = constructions.printed_index_strength(length, FRACTION_BITS)
    steps = by_intervals(lambda: constructed.whole_part(2 * ln(3 * length) * scale)) + 1
    wrong = [] if strength == Fraction(steps, scale) else [f"eta is {strength}, not {Fraction(steps, scale)}"]
    numbers = Precision.fixed_point(6, FRACTION_BITS)
    built = partial(constructions.index_lookup_transformer, length, precision=numbers, addresses=addresses)
    model = built(strength=strength)
    rows = model.position_embedding + model.token_embedding[0]
    tokens = [model.alphabet.index(place) for place in range(1, length + 1)]
    queries = model.position_embedding[-1] + model.token_embedding[tokens]
    unit = model.block.attention.units[0]
    asked, own = unit.queries(queries), unit.keys(queries)
    to_itself = unit.logits(asked[:, None], own[:, None])[:, 0]
    given = unit.weighting.row(np.hstack([unit.logits(asked, unit.keys(rows[:-1])), to_itself]))
    signs = constructed.signs(length, addresses.dimension, addresses.seed).astype(np.int64)
    logits = np.hstack([steps * (signs @ signs.T) // addresses.dimension, np.zeros((length, 1), dtype=np.int64)])
    wanted = constructed.softmax_rows(logits, np.ones_like(logits, dtype=bool), scale)
    wrong += [] if (given == wanted).all() else ["weights are others than by intervals"]
    least = Fraction(int(given[np.arange(length), np.arange(length)].min()), scale)
    wrong += [] if is_refused(lambda: built(strength=1)) else ["eta = 1 is not refused"]
    displayed = constructed.only_fraction(lambda: _worst_weight(length, 2 * ln(3 * length)))
    wrong += [] if least > displayed else [f"a weight of {least}"]
    facts = {"eta": strength, "least weight": least}
    return Finding(measured=displayed, checked=length, of=length, violations=tuple(wrong), facts=facts)


def _worst_weight(others: int, eta: Any) -> Any:
    """exp(3 eta/4) / (exp(3 eta/4) + others exp(eta/4)), an interval: what is displayed."""
    return 1 / (1 + others * (-eta / 2).exp())


def _printed_eta(length: int, exponent: int) -> Any:
    """ln N + K ln 2N, an interval."""
    return ln(length) + exponent * ln(2 * length)


def printed_scaling(length: int, exponent: int) -> Finding:
    """The least eta, in steps of N^-K, at which the displayed fraction is 1 - 1/(2 N^K) or more: by halving."""
    scale, told = length**exponent, constructions.equality_scaling(length, exponent)

    def satisfied(eta: Any) -> bool:
        missing = 1 - _worst_weight(length - 1, eta) - constructed.interval(Fraction(1, 2 * scale))
        return bool(missing <= 0)

    found = by_intervals(lambda: least_number(lambda steps: satisfied(constructed.interval(Fraction(steps, scale)))))
    wrong = []
    printed, doubled = (
        by_intervals(lambda each=each: satisfied(each * _printed_eta(length, exponent))) for each in (1, 2)
    )
    if not doubled:
        wrong.append("2 (ln N + K ln 2N) does not satisfy the inequality either")
    if printed != told.printed_satisfies_its_inequality or abs(told.derived * scale - found) > 1:
        wrong.append("integers and intervals disagree")
    return Finding(measured=found, checked=2, of=2, violations=tuple(wrong), facts={"printed eta": told.printed})


def other_weights(length: int, exponent: int) -> Finding:
    """The largest weight of a position that is not asked for, at eta = K ln 2N, as a multiple of 1/(2 N^K)."""
    addresses = constructions.smallest_sign_vectors(length, QUARTER)
    signs = constructed.signs(length, addresses.dimension, addresses.seed).astype(np.int64)
    products = signs @ signs.T

    def largest(eta: Any) -> Any:
        row = int(np.argmax((products - 2 * addresses.dimension * np.eye(length, dtype=np.int64)).max(axis=1)))
        exponentials = [(eta * product / addresses.dimension).exp() for product in products[row].tolist()]
        others = [each for place, each in enumerate(exponentials) if place != row]
        return max(others) / sum(exponentials) * (2 * length**exponent)

    printed, doubled = (by_intervals(lambda each=each: largest(each * exponent * ln(2 * length))) for each in (1, 2))
    wrong = [] if doubled < 1 else ["nor is it at eta = 2 K ln 2N"]
    measured = Fraction(by_intervals(lambda: constructed.whole_part(printed * 1000)), 1000)
    return Finding(measured=measured, checked=length, of=length, violations=tuple(wrong))


def rounding(length: int, exponent: int) -> Finding:
    """The displayed fraction, where it satisfies its inequality, in steps of N^-K: rounded down as B.2 says."""
    scale = length**exponent
    eta = Fraction(printed_scaling(length, exponent).measured or 0, scale)
    weight = by_intervals(lambda: _worst_weight(length - 1, constructed.interval(eta)) * scale)
    down, nearest = (
        by_intervals(lambda half=half: constructed.whole_part(weight + half))
        for half in (0, constructed.interval(Fraction(1, 2)))
    )
    wrong = [] if nearest == scale else [f"to the nearest it is {nearest} steps"]
    below = [0] + [-int(eta * scale / 2)] * (length - 1)
    executed = models.Softmax(Precision.polynomial(length, exponent)).row(np.array(below)).tolist()
    if executed != [scale] + [0] * (length - 1) or executed != constructed.softmax_weights(below, scale):
        wrong.append(f"with exponentials rounded down first, the weights are {executed[:2]}")
    return Finding(measured=down, checked=length, of=length, violations=tuple(wrong), facts={"to the nearest": nearest})


def weight_one(length: int, exponent: int) -> Finding:
    """The least weight that a partner gets in the model for equality, in steps of N^-K, at the printed eta."""
    scale, told = length**exponent, constructions.equality_scaling(length, exponent)
    enough = 8**exponent * length**3 > scale
    wrong = [] if told.printed_makes_others_zero == enough else ["integers disagree on whether others vanish"]
    if not enough:
        raise InputError("exponent", exponent, f"a K with 8^K N^3 > N^K, for N = {length}, so that exponentials vanish")
    steps = by_intervals(lambda: constructed.whole_part(_printed_eta(length, exponent) * scale))
    addresses, precision = constructions.smallest_sign_vectors(length, QUARTER), Precision.polynomial(length, exponent)
    options: dict[str, Any] = {"precision": precision, "addresses": addresses, "verify": True}
    built = partial(constructions.equality_transformer, length, **options)
    model = built(strength=Fraction(steps, scale))
    least = constructed.hard_steps(scale, addresses.dimension, addresses.largest_product)
    if not is_refused(lambda: built(strength=Fraction(least - 1, scale))):
        wrong.append("a strength that is not enough is not refused")
    given, partners = _first_weights(model), np.arange(length) - length // 2 * (np.arange(length) >= length // 2)
    signs = constructed.signs(length, addresses.dimension, addresses.seed).astype(np.int64)
    logits = steps * (signs[partners] @ signs.T) // addresses.dimension
    wanted = constructed.softmax_rows(logits, np.tri(length, dtype=bool), scale)
    wrong += [] if (given == wanted).all() else ["weights are others than by intervals"]
    answers = compared(
        model,
        problems.equality_of_halves(length),
        partial(drawn_words, count=max(4, min(16, DRAWN // length))),
        plain=halves_agree,
    )[0]
    wrong += answers
    others = given.sum() - given[np.arange(length), partners].sum()
    wrong += [f"other positions get {others} steps"] if others else []
    lowest = Fraction(int(given[np.arange(length), partners].min()), scale)
    facts = {"eta": f"{float(Fraction(steps, scale)):.4g}", "bits": precision.bits}
    return Finding(measured=lowest, checked=length, of=length, violations=tuple(wrong), facts=facts)


def _first_weights(model: Any) -> Any:
    """The weights of the head that looks for partners, on a word: row i sees positions up to itself."""
    unit = model.blocks[0].attention.units[0]
    stream = model.position_embedding + model.token_embedding[1]
    allowed = np.tri(len(stream), dtype=bool)
    return unit.weighting.row(unit.logits(unit.queries(stream), unit.keys(stream)), allowed)
