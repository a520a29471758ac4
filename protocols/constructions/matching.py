"""Match2 by one attention unit of width 3, Match3 by attention of third order, and relatives of Match3 between them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim.arithmetic import Precision, exponential
from ccsim.errors import Array, InputError, require_integer
from ccsim.models.affine import Affine
from ccsim.models.attention import AttentionUnit, TensorAttention
from ccsim.models.encoded import RowLayer, RowModel
from ccsim.problems.inputs import Words
from ccsim.problems.sequence_tasks import SequenceTask
from protocols.constructions.addresses import circle_points, least_integer_above, natural_logarithm
from protocols.constructions.assembling import cut, cut_unit, sized
from protocols.constructions.averaging import SparseAveraging, sparse_averaging_unit

SOURCES = {"match3_bigram": "Match3Bigram", "assisted match3": "assisted Match3"}
BLOCK = 1 << 20
MOST_MODULUS = 1 << 16  # every pair of symbols is looked at


def match2_unit(
    length: int,
    modulus: int,
    *,
    precision: int | Precision | None = None,
    factor: int | None = None,
    shifted: bool = True,
    row: int | None = 1,
) -> RowModel:
    """A model for ``match2(length, modulus, row)``: one attention unit whose queries and keys have width 3.

    A symbol x is the point (cos, sin) of the angle 2 pi x / M and a third number 1; one blank row of zeros is added.
    Keys are (cos, -sin, -1), so that the product is cos(2 pi (x_i + x_j) / M) - 1 with another symbol and 0 with the
    blank row. Times a large factor c, only symbols with x_i + x_j = 0 compete with the blank row. Values are 1, and 0
    for the blank row: the output is about b / (b + 1) for b matches, and a threshold of 1/4 decides (Sanford, Hsu and
    Telgarsky 2023, whose logits are larger by c; from M = 3 on no matrices on R^3 give these, but a bias does, with
    ``shifted=False``: ``docs/proofs/match2.md``).

    Args:
        length: N.
        modulus: M, at most 2^16; symbols are 0 .. M - 1.
        precision: what all numbers have; a number of bits is split by :func:`match2_precision`. None chooses
            bits for which :func:`matching_margin` proves every word right, and refuses the model if it does not.
        factor: c; the source's M^2 ln(6 N), rounded up, if None. ln(4 N) / (1 - cos(2 pi / M)) is about a twentieth.
        shifted: whether c is taken off the logits, which takes half the precision.
        row: which row is asked; None for all.

    >>> model = match2_unit(3, 5)
    >>> model((1, 0, 4)), model((1, 0, 1)), model.precision.bits
    (1, 0, 13)
    """
    length = require_integer("length", length, low=1)
    modulus = require_integer("modulus", modulus, low=1, high=MOST_MODULUS)
    factor = printed_factor(length, modulus) if factor is None else require_integer("factor", factor, low=1)
    numbers = _numbers(length, factor, shifted, precision)
    unit = _unit(modulus, factor, shifted, numbers)
    symbols = np.arange(modulus + 1)[:, None]
    if precision is None and not matching_margin(unit, length, symbols[:-1], symbols):
        raise InputError("factor", factor, f"a factor with which {numbers} suffice for length {length}")
    layers = (RowLayer(unit, threshold(numbers)),)
    model = row_model("match2 unit", length, modulus, row, blank_rows(modulus), layers, f"{numbers.bits}")
    # The matrices have 9 + 9 + 3 numbers; the points of the circle come from a rule.
    claimed, source = ("3", "log(M)", "log(M)"), "Sanford, Hsu and Telgarsky 2023, Match2"
    return sized(model, numbers.bits, 21, width=3, given=3 * (modulus + 1), claimed=claimed, source=source)


def row_model(
    kind: str,
    length: int,
    modulus: int,
    row: int | None,
    rows: Callable[[Array], Array],
    layers: tuple[RowLayer, ...],
    bits: str,
    alphabet: tuple[Hashable, ...] = (),
) -> RowModel:
    asked = "all rows" if row is None else f"row {row}"
    name = f"{kind}({length}, {modulus}, {asked}, {bits} bits)"
    return RowModel(name, alphabet or tuple(range(modulus)), (0, 1), length, rows, layers, row)


def blank_rows(modulus: int) -> Callable[[Array], Array]:
    return lambda words: np.pad(words.astype(np.int64), ((0, 0), (0, 1)), constant_values=modulus)[..., None]


def printed_factor(pairs: int, modulus: int) -> int:
    return least_integer_above(lambda: natural_logarithm(6 * pairs) * modulus**2)


def match2_precision(length: int, bits: int, factor: int | None = None) -> Precision:
    """A sign, integer bits for logits down to ln(6 N) below the largest, or up to a ``factor``, and the rest."""
    bits = require_integer("precision", bits, low=3, high=60)
    top = natural_logarithm(6 * length) if factor is None else factor
    integer = max(1, (least_integer_above(lambda: top + natural_logarithm(3)) - 1).bit_length())
    if bits < integer + 2:
        raise InputError("precision", bits, f"at least {integer + 2} bits")
    return Precision.fixed_point(integer, bits - 1 - integer)


def matching_margin(unit: AttentionUnit, length: int, query_rows: Array, key_rows: Array) -> bool:
    """Whether rounding cannot make a unit wrong on any ``length`` rows and a blank one: a proof in integers.

    Args:
        unit: whose value is 1 except for 0 in the blank row.
        length: N.
        query_rows: a raw row for each residue x = 0 .. M - 1 of a query.
        key_rows: a raw row for each residue of a key, rows whose key is to match nothing, and the blank row.

    For a residue x let m be the logit of -x, u the largest of another key and b the blank row's, all as they are
    rounded, and e their exponentials. Without a match the exponentials add up to T <= N e_u besides the blank row's,
    and the output s T / (e_b + T) is at most s / 4 if 3 N e_u <= e_b. With k matches each has at least the weight
    floor(s e_m / (k e_m + e_b + (N - k) e_u)), and k of them must be more than s / 4.
    """
    modulus, scale = len(query_rows), unit.precision.scale
    counts, keys = np.arange(1, length + 1, dtype=object), unit.keys(key_rows)
    size = max(1, BLOCK // len(key_rows))
    for start in range(0, modulus, size):
        residues = np.arange(start, min(start + size, modulus))
        logits = unit.logits(unit.queries(query_rows[residues]), keys)
        places = np.arange(len(residues)), -residues % modulus
        match, blank = logits[places], logits[:, -1]
        logits[places] = unit.precision.low
        other = logits[:, :-1].max(axis=1)
        if (other > np.minimum(match, blank)).any():
            return False
        alone = unit.exponentials(other - blank)
        top = np.maximum(match, blank)
        hit, miss, base = (unit.exponentials(part - top).astype(object)[:, None] for part in (match, other, blank))
        weight = hit * scale // (counts * hit + base + (length - counts) * miss)
        if (3 * length * alone > scale).any() or (4 * counts * weight <= scale).any():
            return False
    return True


def _numbers(length: int, factor: int, shifted: bool, precision: int | Precision | None) -> Precision:
    if isinstance(precision, Precision):
        return precision
    top = None if shifted else factor
    if precision is not None:
        return match2_precision(length, precision, top)
    # Steps of at most 1 / (8 c), so that a matching logit is off by less than 1/2, and at most 1 / (16 N).
    fraction = max((8 * factor - 1).bit_length(), (16 * length - 1).bit_length())
    whole = match2_precision(length, 60, top)
    return match2_precision(length, 60 - whole.scale.bit_length() + 1 + fraction, top)


def _unit(modulus: int, factor: int, shifted: bool, precision: Precision) -> AttentionUnit:
    scale = precision.scale
    table = np.zeros((modulus + 1, 3), dtype=np.int64)
    table[:-1, :2] = circle_points(modulus, scale)
    table[:-1, 2] = scale
    table = precision.require(table, "circle_points")

    query, value = np.diag([scale] * 3), np.array([[0], [0], [scale]])
    key = np.diag([scale, -scale, -scale])
    weights, bias = (query, key, value), ([0] * 3, [0, 0, 0 if shifted else scale], [0])
    asks, offers, gives = (Affine(precision, *map(np.array, each)) for each in zip(weights, bias, strict=True))
    return AttentionUnit(precision, asks, offers, gives, input_map=_looked_up(table), logit_scale=Fraction(factor))


def _looked_up(table: Array) -> Callable[[Array], Array]:
    return lambda rows: np.asarray(table[rows[..., 0]])


def threshold(precision: Precision) -> Callable[[Array, Array], Array]:
    return lambda rows, outputs: np.asarray(4 * outputs[..., :1] > precision.scale).astype(np.int64)


def two_units(length: int, modulus: int, precision: int | Precision | None) -> tuple[AttentionUnit, AttentionUnit]:
    """A fetching and a matching unit of one precision, proved right for N rows and a blank one if it is None."""
    numbers = precision if isinstance(precision, Precision) else two_layer_precision(length, modulus, precision)
    numbers.require(np.array([modulus + 1]), "precision")  # the largest number that is fetched, in steps
    fetch, match = fetching_unit(length + 1, numbers), matching_unit(length, modulus, numbers)
    if precision is None:
        residues = np.arange(modulus)
        queries = np.stack([residues, residues], axis=-1)
        keys = np.stack([np.arange(modulus + 2)] * 2, axis=-1)
        if not fetches_exactly(fetch, length + 1) or not matching_margin(match, length, queries, keys):
            raise InputError("length, modulus", (length, modulus), f"sizes for which {numbers} suffice")
    return fetch, match


def fetching_unit(positions: int, precision: Precision) -> AttentionUnit:
    """Row (x, target, own) gets the x of the row whose own number is its target, exactly.

    The logit c (cos(2 pi (target - own) / n) - 1) is 0 for one row and so low for all others that exponentials are 0.
    """
    scale = precision.scale
    points = circle_points(positions, scale)
    # 1 - cos(2 pi / n) >= 8 / n^2, and exp(-ln s) is one step.
    factor = least_integer_above(lambda: (natural_logarithm(4 * scale) + 1) * positions**2 / 8)

    def vectors(rows: Array) -> Array:
        one = np.full((*rows.shape[:-1], 1), scale)
        target, own = points[rows[..., 1] % positions], points[rows[..., 2] % positions]
        return np.concatenate([target, one, own, -one, rows[..., :1]], axis=-1)

    return cut_unit(precision, vectors, keys=3, values=1, logit_scale=factor)


def fetches_exactly(unit: AttentionUnit, positions: int) -> bool:
    """Whether each target from 1 to n has all weight on the row with this number."""
    numbers = np.arange(1, positions + 1)
    rows = np.stack([np.zeros_like(numbers), numbers, numbers], axis=-1)
    logits = unit.logits(unit.queries(rows), unit.keys(rows))
    own = np.diagonal(logits).copy()
    np.fill_diagonal(logits, unit.precision.low)
    return bool((own - logits.max(axis=1) >= exponential(unit.precision).first_zero).all())


def matching_unit(length: int, modulus: int, precision: Precision) -> AttentionUnit:
    """:func:`match2_unit` with queries of x and keys of y; the key M matches nothing, M + 1 is the blank row."""
    scale = precision.scale
    queries, keys = np.zeros((modulus + 2, 3), dtype=np.int64), np.zeros((modulus + 2, 4), dtype=np.int64)
    queries[:modulus, :2] = keys[:modulus, :2] = circle_points(modulus, scale)
    queries[:modulus, 2] = scale
    keys[:modulus, 1:3] *= -1
    keys[: modulus + 1, 2:] = [-scale, scale]
    keys[modulus, 2] = -2 * scale
    queries, keys = precision.require(queries, "queries"), precision.require(keys, "keys")

    def vectors(rows: Array) -> Array:
        return np.concatenate([queries[rows[..., 0]], keys[rows[..., 1]]], axis=-1)

    return cut_unit(precision, vectors, keys=3, values=1, logit_scale=printed_factor(length, modulus))


def two_layer_precision(length: int, modulus: int, bits: int | None = None) -> Precision:
    """A sign, integer bits for logits up to ln s + 4 or ln(6 N) + 2 below the largest, and the rest after the point.

    Without a number of bits, steps 1 / s are at most 1 / (8 c) for the factors c of both units, and at most 1 / (16 N).
    """
    if bits is None:
        fraction = max((8 * printed_factor(length, modulus) - 1).bit_length(), (16 * length - 1).bit_length())
        while 1 << fraction < (length + 1) ** 2 * (fraction + 4):
            fraction += 1
        return Precision.fixed_point(_integer_bits(length, fraction), fraction)
    bits = require_integer("precision", bits, low=6, high=60)
    fraction = max(f for f in range(bits) if f == 0 or f + 1 + _integer_bits(length, f) <= bits)
    if fraction == 0:
        raise InputError("precision", bits, f"at least {2 + _integer_bits(length, 1)} bits")
    return Precision.fixed_point(bits - 1 - fraction, fraction)


def _integer_bits(length: int, fraction: int) -> int:
    reach = max((7 * fraction + 9) // 10 + 4, least_integer_above(lambda: natural_logarithm(6 * length)) + 2)
    return reach.bit_length()


def two_layers(
    kind: str,
    length: int,
    modulus: int,
    row: int | None,
    units: tuple[AttentionUnit, AttentionUnit],
    rows: Callable[[Array], Array],
    add: Callable[[Array, Array], Array],
    alphabet: tuple[Hashable, ...] = (),
) -> RowModel:
    (fetch, match), bits = units, units[0].precision.bits
    layers = (RowLayer(fetch, add), RowLayer(match, threshold(match.precision)))
    model = row_model(f"{kind} transformer", length, modulus, row, rows, layers, f"{bits}", alphabet)
    claimed = "3", "log(M) + log(N)", "log(M) + log(N)"
    # Maps have 7 x (3 + 3 + 1) numbers in each layer; the points of circles come from a rule.
    made, source = 2 * (length + 1) + 2 * modulus, f"Sanford, Hsu and Telgarsky 2023, {SOURCES[kind]}"
    return sized(model, bits, 2 * 7 * 7, width=3, layers=2, given=made, claimed=claimed, source=source)


def match3_bigram_transformer(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int | None = 1
) -> RowModel:
    """A model for ``match3_bigram(length, modulus, row)``: two layers whose queries and keys have width 3.

    Layer 1 fetches the next symbol, and each position adds it to its own: y_j = x_j + x_(j+1). Layer 2 is Match2 with
    queries of x_i and keys of y_j; position N takes a key that matches nothing (sizes as in Sanford, Hsu and Telgarsky
    2023, who leave open how to come by the sum).

    >>> model = match3_bigram_transformer(3, 7)
    >>> model((1, 2, 4)), model((2, 1, 4)), model((1, 6, 6))
    (1, 1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    units, nothing, blank = two_units(length, modulus, precision), modulus, modulus + 1

    def rows(words: Array) -> Array:
        symbols = np.pad(words.astype(np.int64), ((0, 0), (0, 1)), constant_values=blank)
        own = np.broadcast_to(np.arange(1, length + 2), symbols.shape)
        return np.stack([symbols, own + 1, own], axis=-1)

    def add(rows: Array, fetched: Array) -> Array:
        symbols, following = rows[..., 0], fetched[..., 0]
        sums = np.where(following == blank, nothing, (symbols + following) % modulus)
        return np.stack([symbols, np.where(symbols == blank, blank, sums)], axis=-1)

    return two_layers("match3_bigram", length, modulus, row, units, rows, add)


def match3_local_unit(length: int, modulus: int, window: int, *, row: int | None = 1, **options: Any) -> RowModel:
    """A model for ``match3_local(length, modulus, window, row)``: one attention unit of width O(K log N).

    Row i averages over the rows at most K away, by :func:`~protocols.constructions.sparse_averaging_unit`, which takes
    ``options``. Row j writes the binary digits of x_j into slot j modulo 2 K + 1, so that row i knows its window, and
    decides alone (Sanford, Hsu and Telgarsky 2023 state the size). Without a precision among the options all windows
    are checked, and the model is refused if a digit could be misread in any word.

    >>> model = match3_local_unit(4, 7, window=1)
    >>> model((1, 2, 4, 0)), model((3, 1, 4, 0)), model((0, 3, 4, 0))
    (0, 1, 1)
    """
    length, modulus = require_integer("length", length, low=2), require_integer("modulus", modulus, low=1)
    window = require_integer("window", window, low=0)
    slots, digits = min(2 * window + 1, length), max(1, (modulus - 1).bit_length())
    average = sparse_averaging_unit(length, slots, value_width=slots * digits, **options)
    windows = [tuple(range(max(1, i - window), min(length, i + window) + 1)) for i in range(1, length + 1)]
    if "precision" not in options and not reads_every_digit(average, windows):
        raise InputError("window", window, f"a window whose digits {average.precision} can tell")
    filled, used = np.zeros((length, slots), dtype=np.int64), np.zeros((length, slots), dtype=bool)
    for place, near in enumerate(windows):
        filled[place, : len(near)] = near
        used[place, [(rank - 1) % slots for rank in near]] = True
    places = np.arange(length)

    def rows(words: Array) -> Array:
        bits = (words[..., None] >> np.arange(digits)) & 1
        values = np.zeros((*words.shape, slots, digits), dtype=np.int64)
        values[..., places, places % slots, :] = bits * average.precision.scale
        numbers = np.broadcast_to((places + 1)[:, None], (*words.shape, 1))
        near = np.broadcast_to(filled, (*words.shape, slots))
        return np.concatenate([near, numbers, values.reshape(*words.shape, -1)], axis=-1)

    def decide(rows: Array, outputs: Array) -> Array:
        number = rows[..., slots]
        seen = used[number - 1]
        sizes = seen.sum(axis=-1)[..., None]
        bits = (2 * sizes * outputs > average.precision.scale).reshape(*outputs.shape[:-1], slots, digits)
        near = (bits * (1 << np.arange(digits))).sum(axis=-1)
        own = np.take_along_axis(near, ((number - 1) % slots)[..., None], axis=-1)
        sums = own[..., None] + near[..., :, None] + near[..., None, :]
        matches = (sums % modulus == 0) & seen[..., :, None] & seen[..., None, :]
        return np.asarray(matches.any(axis=(-2, -1)))[..., None].astype(np.int64)

    layers, bits = (RowLayer(average.unit, decide),), f"window {window}, {average.precision.bits}"
    model = row_model("match3_local unit", length, modulus, row, rows, layers, bits)
    claimed = "K*log(N)", "log(N)", "(K*log(N))**2*log(N)"
    return average.sized(model, claimed, "Match3Local")


def reads_every_digit(average: SparseAveraging, windows: list[tuple[int, ...]]) -> bool:
    """Whether no values in 0..1 and no rounding move a digit across 1 / (2 q) in any of these windows of q rows."""
    errors = average.worst_errors(windows)
    step = Fraction(1, average.precision.scale)
    return all(error + step < Fraction(1, 2 * len(near)) for error, near in zip(errors, windows, strict=True))


def assisted_match3(length: int, modulus: int, row: int = 1) -> SequenceTask:
    """Symbols are (x_i, h_i) with a hint h_i in 1..length; is x_i + x_(h_i) + x_j = 0 modulo M for some j?

    If a hint is the position of a partner whenever there is one, this is Match3; else an answer 1 is still right for
    it. Our reading: the source (Sanford, Hsu and Telgarsky, talk of 2023) does not say what the assistance is.

    >>> task = assisted_match3(3, 7)
    >>> task(((1, 2), (2, 1), (4, 1))), task(((1, 1), (2, 1), (4, 1)))
    (1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    row = require_integer("row", row, low=1, high=length)
    symbols = list(itertools.product(range(modulus), range(1, length + 1)))

    def evaluate(words: Array) -> Array:
        numbers = words.astype(np.int64) // length
        partner = np.take_along_axis(numbers, words[..., row - 1 : row].astype(np.int64) % length, axis=-1)
        return np.asarray(((numbers[..., row - 1 : row] + partner + numbers) % modulus == 0).any(axis=-1)).astype(int)

    name = f"assisted_match3({length}, {modulus}, row {row})"
    note = f"row {row}: 1 iff x_i + x_h + x_j = 0 for the hinted h and some j modulo {modulus}"
    return SequenceTask(name, Words.over(symbols, length), (0, 1), evaluate, note=note)


def assisted_match3_transformer(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int = 1
) -> RowModel:
    """A model for ``assisted_match3(length, modulus, row)``: two layers whose queries and keys have width 3.

    Layer 1 fetches the symbol at the hinted position; layer 2 is Match2 with queries of x_i + x_(h_i) and keys of x_j.

    >>> model = assisted_match3_transformer(3, 7)
    >>> model(((1, 2), (2, 1), (4, 1))), model(((1, 1), (2, 1), (4, 1)))
    (1, 0)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    units, blank = two_units(length, modulus, precision), modulus + 1

    def rows(words: Array) -> Array:
        symbols, hints = words.astype(np.int64) // length, words.astype(np.int64) % length + 1
        symbols = np.pad(symbols, ((0, 0), (0, 1)), constant_values=blank)
        hints = np.pad(hints, ((0, 0), (0, 1)), constant_values=length + 1)
        return np.stack([symbols, hints, np.broadcast_to(np.arange(1, length + 2), symbols.shape)], axis=-1)

    def add(rows: Array, fetched: Array) -> Array:
        symbols = rows[..., 0]
        sums = np.where(symbols == blank, blank, (symbols + fetched[..., 0]) % modulus)
        return np.stack([sums, symbols], axis=-1)

    alphabet = assisted_match3(length, modulus, row).alphabet
    return two_layers("assisted match3", length, modulus, row, units, rows, add, alphabet)


def match3_tensor(
    length: int, modulus: int, *, precision: int | Precision | None = None, row: int | None = 1
) -> RowModel:
    """A model for ``match3(length, modulus, row)``: one unit of third-order attention of width 5.

    With a, b, c the angles of three symbols, cos(a + b + c) = cos a cos b cos c - cos a sin b sin c
    - sin a cos b sin c - sin a sin b cos c: four products of one number of each row. A fifth gives the logit c to the
    pair of the blank row with itself, as in Match2, and nothing to other pairs of it; the value is 0 for pairs with the
    blank row (Sanford, Hsu and Telgarsky 2023). The factor is M^2 ln(6 (N + 1)^2), since (N + 1)^2 pairs compete.

    A ``precision`` of p bits has a sign, one integer bit and p - 2 after the point. None chooses bits for which
    :func:`triple_margin` proves every word right.

    >>> model = match3_tensor(3, 7)
    >>> model((1, 2, 4)), model((1, 2, 2)), model((1, 0, 6))
    (1, 0, 1)
    """
    length, modulus = require_integer("length", length, low=1), require_integer("modulus", modulus, low=1)
    pairs = (length + 1) ** 2
    factor = printed_factor(pairs, modulus)
    if isinstance(precision, Precision):
        numbers = precision
    elif precision is not None:
        numbers = Precision.fixed_point(1, require_integer("precision", precision, low=3, high=60) - 2)
    else:
        numbers = Precision.fixed_point(1, (16 * max(factor, pairs) - 1).bit_length())
    unit = _tensor_unit(modulus, factor, numbers)
    if precision is None and not triple_margin(unit, length, modulus):
        raise InputError("length, modulus", (length, modulus), f"sizes for which {numbers} suffice")

    layers = (RowLayer(unit, threshold(numbers)),)
    model = row_model("match3 tensor unit", length, modulus, row, blank_rows(modulus), layers, f"{numbers.bits}")
    claimed = "1", "log(M) + log(N)", "log(M) + log(N)"
    source = "Sanford, Hsu and Telgarsky 2023, third-order tensor attention"
    return sized(model, numbers.bits, 16 * 17, width=5, given=16 * (modulus + 1), claimed=claimed, source=source)


def triple_margin(unit: TensorAttention, length: int, modulus: int) -> bool:
    """Whether rounding cannot make the unit wrong on any word of this length: a proof in integers, of M^3 triples.

    As in :func:`matching_margin`, with the least and the largest logit of matching pairs, and the largest of all other
    pairs but the blank row with itself, of which there are (N + 1)^2 - 1 at most.
    """
    symbols = np.arange(modulus + 1)[:, None]
    keys, scale, others = unit.pair_keys(symbols), unit.precision.scale, (length + 1) ** 2 - 1
    first, second = (part.reshape(-1) for part in np.indices((modulus + 1, modulus + 1)))
    counts = np.arange(1, length**2 + 1, dtype=object)
    for symbol in range(modulus):
        logits = unit.exact_logits(unit.queries(symbols[symbol : symbol + 1]), keys)[0]
        matching = (first < modulus) & (second < modulus) & ((symbol + first + second) % modulus == 0)
        hits, blank, rest = logits[matching], logits[-1], logits[:-1][~matching[:-1]]
        miss = rest.max()
        top = max(hits.max(), blank)
        exponentials = unit.weighting.exponentials(
            unit.differences(np.array([hits.min(), hits.max(), blank, miss], dtype=logits.dtype), top)
        )
        least, most, base, low = (int(value) for value in exponentials)
        alone = int(unit.weighting.exponentials(unit.differences(np.array([min(miss, blank)]), blank))[0])
        weight = least * scale // (counts * most + base + (others - counts) * low)
        if miss > blank or 3 * others * alone > scale or (4 * counts * weight <= scale).any():
            return False
    return True


def _tensor_unit(modulus: int, factor: int, precision: Precision) -> TensorAttention:
    """The vectors of symbols, and of the blank row, are query, first key, second key and value side by side."""
    scale = precision.scale
    cosines, sines = np.zeros((2, modulus + 1), dtype=np.int64)
    cosines[:-1], sines[:-1] = circle_points(modulus, scale).T
    blank = np.arange(modulus + 1) // modulus * scale
    query = cosines, -cosines, -sines, -sines, np.full(modulus + 1, scale)
    first, second = (cosines, sines, cosines, sines, blank), (cosines, sines, sines, cosines, blank)
    table = precision.require(np.stack([*query, *first, *second, scale - blank], axis=-1), "circle_points")

    maps, value = [cut(precision, 16, start, 5) for start in (0, 5, 10)], cut(precision, 16, 15, 1)
    return TensorAttention(precision, maps[0], maps[1], maps[2], value, value, _looked_up(table), Fraction(factor))
