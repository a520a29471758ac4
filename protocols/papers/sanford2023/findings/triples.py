"""Match3 with help: by neighbours, in a window, by attention of third order, with hints; words beside plain loops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions
from protocols.papers import oracles_averaging as plain
from protocols.papers.growing import Looked, grown
from protocols.papers.sanford2023.findings.averages import named_weights
from protocols.papers.sanford2023.findings.words import answered, drawn_words, every_word, layer_widths

__all__ = ["assisted", "bigram", "local_over_length", "local_over_window", "third_order"]

MOST_WORDS = 1 << 10  # up to so many words are all run where sizes grow
DRAWN = 16
FEW_BITS = range(3, 8)  # for attention of third order
WINDOWS = 12  # so many windows are looked at where there are more


def bigram(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value of either layer, if all rows of all words are answered rightly."""
    model = constructions.match3_bigram_transformer(length, modulus, row=None)
    words = every_word(range(modulus), length)
    wanted = [tuple(plain.bigram(word, modulus, row) for row in range(1, length + 1)) for word in words]
    wrong = answered(model, words, wanted, problems.match3_bigram(length, modulus, row=None))
    wrong += second_outputs(model, words[:: max(1, len(words) // DRAWN)]) + size_faults(model, 2)
    wrong += _loose_fetching(model.layers[0].attention, length)
    measured = max(layer_widths(model))
    return Finding(measured=measured, checked=len(words), of=modulus**length, violations=tuple(wrong[:3]))


def _loose_fetching(unit: Any, length: int) -> list[str]:
    """Whether a unit that spreads its weight over all rows is seen not to fetch from one."""
    loose = replace(unit, logit_scale=Fraction(1, 100))
    return ["fetching is called exact where it is not"] if constructions.fetches_exactly(loose, length + 1) else []


def assisted(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value, for longer and longer words with hints.

    Where hints are honest, the answer is that of Match3.
    """

    def look(size: int) -> Looked:
        model = constructions.assisted_match3_transformer(size, modulus)
        symbols = [(number, hint) for number in range(modulus) for hint in range(1, size + 1)]
        words, of = _some(symbols, size)
        words += [honest(word, modulus) for word in drawn_words(range(modulus), size, DRAWN)]
        wrong = [fault for word in words[-DRAWN:] if (fault := _hint_fault(word, modulus))]
        right = [plain.assisted(word, modulus, 1) for word in words]
        wrong += answered(model, words, right, constructions.assisted_match3(size, modulus))
        wrong += second_outputs(model, words[-2:]) + size_faults(model, 2)
        return Looked(max(layer_widths(model)), len(words), of + DRAWN, wrong)

    return grown(sizes_up_to(length), look)


def honest(word: Sequence[int], modulus: int) -> tuple[tuple[int, int], ...]:
    """A word in which each number comes with the place of a partner in a triple, if it has one."""
    hinted = []
    for own in word:
        partners = [place for place, one in enumerate(word, 1) if any((own + one + x) % modulus == 0 for x in word)]
        hinted.append((own, partners[0] if partners else 1))
    return tuple(hinted)


def _hint_fault(word: Sequence[tuple[int, int]], modulus: int) -> str:
    numbers = [number for number, _ in word]
    right = plain.assisted(word, modulus, 1) == plain.match3(numbers, modulus, 1)
    return "" if right else f"an honest hint misleads in {word}"


def third_order(length: int, modulus: int) -> Finding:
    """The numbers in a query, a key or a value of attention of third order, for longer and longer words."""

    def look(size: int) -> Looked:
        model = constructions.match3_tensor(size, modulus)
        words, of = _some(list(range(modulus)), size)
        words += [(1,) * size, (0, *[1] * (size - 1))]
        right = [plain.match3(word, modulus, 1) for word in words]
        wrong = answered(model, words, right, problems.match3(size, modulus))
        wrong += second_pairs(model, words[-1]) + size_faults(model, 1)
        return Looked(max(layer_widths(model)), len(words), of + 2, wrong)

    found = grown(sizes_up_to(length), look)
    return found.but(violations=(*found.violations, *_coarse_angles(modulus)))


def _coarse_angles(modulus: int) -> list[str]:
    """Whether a unit of third order with so few bits that it is wrong on some word is refused."""
    words = every_word(range(modulus), 3)
    right = [plain.match3(word, modulus, 1) for word in words]
    models = {bits: constructions.match3_tensor(3, modulus, precision=bits) for bits in FEW_BITS}
    wrong = {bits for bits, model in models.items() if answered(model, words, right)}
    units: dict[int, Any] = {bits: model.layers[0].attention for bits, model in models.items()}
    proved = {bits for bits, unit in units.items() if constructions.triple_margin(unit, 3, modulus)}
    if not wrong:
        return ["few bits are enough for attention of third order"]
    return [f"margins in {bits} bits are proved" for bits in sorted(wrong & proved)]


def local_over_length(length: int, modulus: int, window: int) -> Finding:
    """Numbers in a row, for longer and longer words."""
    least = max(4, isqrt(modulus - 1) + 1)
    if length < 2 * least:
        raise InputError("length", length, f"at least {2 * least}, so that there are two sizes or more")
    return grown(sizes_up_to(length, low=least), lambda size: _local(size, modulus, window))


def local_over_window(window: int, length: int, modulus: int) -> Finding:
    """Numbers in a row, for wider and wider windows of as many words."""
    if modulus > length**2:
        raise InputError("modulus", modulus, f"at most {length**2}, so that digits are few")
    return grown(sizes_up_to(window), lambda size: _local(length, modulus, size))


def _local(length: int, modulus: int, window: int) -> Looked:
    model = constructions.match3_local_unit(length, modulus, window)
    words, of = _some(list(range(modulus)), length)
    wrong = second_outputs(model, words[:1]) if length <= WINDOWS else []
    for row in {1, length // 2 + 1, length}:
        right = [plain.match3(word, modulus, row, window) for word in words]
        wrong += answered(replace(model, row=row), words, right, problems.match3_local(length, modulus, window, row))
    wrong += _coarse_digits(window)
    average = constructions.sparse_averaging_unit(length, min(2 * window + 1, length), value_width=1)
    unit: Any = model.layers[0].attention
    step = max(1, length // WINDOWS)
    for centre in range(1, length + 1, step):
        wrong += [f"{fault}, around row {centre}" for fault in _digit_faults(average, centre, window)]
    if average.precision != unit.precision:
        wrong.append("the windows were looked at in another precision")
    width, size = int(unit.embed(model.rows(np.array(words[:1]))).shape[-1]), constructions.size_of(model)
    if (size.width, size.layers, size.precision) != (width, len(model.layers), unit.precision.bits):
        wrong.append(f"its size is said to be {size}")
    return Looked(width, len(words), of, wrong)


def _coarse_digits(window: int) -> list[str]:
    """Whether a unit with so few bits that digits can be misread is refused."""
    rows = 2 * window + 2
    bits = constructions.sparse_averaging_unit(rows, 2 * window + 1).sharpness.bit_length() + 3
    coarse = constructions.sparse_averaging_unit(rows, 2 * window + 1, precision=bits)
    if not _digit_faults(coarse, window + 1, window):
        return [f"digits can be read in {bits} bits"]
    accepted = constructions.reads_every_digit(coarse, [tuple(range(1, rows))])
    return ["digits that can be misread are accepted"] if accepted else []


def _digit_faults(average: Any, centre: int, window: int) -> list[str]:
    """Whether a digit of one row can be misread through all others: with the weights of a second softmax, exactly.

    Digits are 0 or 1, and read as 1 from half of the right share on.
    """
    steps = plain.Steps.of(average.precision)
    near = tuple(row for row in range(1, average.length + 1) if abs(row - centre) <= window)
    given, fault = named_weights(average, near, steps)
    half = Fraction(steps.scale, 2 * len(near))
    rest = sum(weight for row, weight in given.items() if row not in near)
    if rest > half or min(given[row] for row in near) - 1 <= half:
        return ["a digit can be misread"]
    return [fault] if fault else []


def size_faults(model: Any, layers: int) -> list[str]:
    """Whether a model of so many layers says of itself how large it is."""
    size, width = constructions.size_of(model), max(layer_widths(model))
    said = size.width, size.layers, size.heads, size.precision
    return [] if said == (width, layers, 1, model.precision.bits) and len(model.layers) == layers else [f"size {size}"]


def second_outputs(model: Any, words: Sequence[Any]) -> list[str]:
    """Whether each layer's unit gives, at every row of some words, what a second softmax does with its weights."""
    rank, wrong = {symbol: place for place, symbol in enumerate(model.alphabet)}, []
    for word in words:
        rows = model.rows(np.array([[rank[symbol] for symbol in word]]))
        for number, layer in enumerate(model.layers, start=1):
            unit, given = layer.attention, layer.attention(rows)[0].tolist()
            keys, values = unit.keys(rows)[0].tolist(), unit.values_from(rows)[0].tolist()
            steps = plain.Steps.of(unit.precision)
            queries = unit.queries(rows)[0].tolist()
            found = [plain.attended(query, keys, values, steps, unit.logit_scale)[1] for query in queries]
            if found != given:
                wrong.append(f"layer {number} has other outputs on {word}")
            rows = layer.join(rows, layer.attention(rows))
    return wrong


def second_pairs(model: Any, word: Sequence[int]) -> list[str]:
    """Whether a unit of third order gives at row 1 what a second softmax over all pairs does with its weights."""
    unit, rows = model.layers[0].attention, model.rows(np.array([word]))
    parts = unit.query, unit.first_key, unit.second_key, unit.first_value, unit.second_value
    query, first, second, one, two = (part(unit.embed(rows))[0].tolist() for part in parts)
    scale, pairs = unit.precision.scale, [(j, k) for j in range(len(first)) for k in range(len(first))]
    products = [sum(a * b * c for a, b, c in zip(query[0], first[j], second[k], strict=True)) for j, k in pairs]
    factor, top = Fraction(unit.logit_factor), max(products)
    logits = [(each - top) * factor.numerator // (scale**2 * factor.denominator) for each in products]
    given = plain.weights(logits, scale)
    total = sum(weight * one[j][0] * two[k][0] for weight, (j, k) in zip(given, pairs, strict=True)) // scale**2
    same = total == int(unit.output_row(rows, 1)[0, 0])
    return [] if same else [f"the unit has another output on {word}"]


def _some(alphabet: Sequence[Any], length: int) -> tuple[list[Any], int]:
    """All words if they are few, else some; and how many there are."""
    of = len(alphabet) ** length
    return (every_word(alphabet, length) if of <= MOST_WORDS else drawn_words(alphabet, length, DRAWN)), of
