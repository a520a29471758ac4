"""The one-layer transformers on which protocols are run: drawn at random, and made so that their protocol says much."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from ccsim import models
from ccsim.arithmetic import Precision

__all__ = ["formats", "layers", "spread_layer", "spread_over", "words_of"]

DRAWN = 24
MOST_WORDS = 1 << 10  # up to so many words, all of them are tried
MOST_SEEDS = 64


def formats(length: int, precision: int) -> list[Any]:
    """The p-bit formats in which protocols are run.

    One with as many steps in 1 as p bits allow, where 1 and its negative are numbers: 2^(p-2). And that of appendix
    B.2, from -N^K to N^K in steps of N^-K, for the largest K with which its numbers are no more than 2^p; of more than
    16 bits that one alone, as exponentials in so fine steps take long.
    """
    exponent = 0
    while length > 1 and 2 * length ** (2 * exponent + 2) + 1 <= 1 << precision:
        exponent += 1
    finest = Precision.fixed_point(1, precision - 2)
    printed = [Precision.polynomial(length, exponent)] if exponent else []
    return [finest, *printed] if precision <= 16 or not printed else printed


def words_of(length: int, symbols: int, seed: int = 0) -> list[tuple[int, ...]]:
    """All words, as ranks of symbols, if they are few; else words drawn from a seed, and those of one symbol alone."""
    if symbols**length <= MOST_WORDS:
        return list(product(range(symbols), repeat=length))
    generator = random.Random(seed)
    drawn = [tuple(generator.randrange(symbols) for _ in range(length)) for _ in range(DRAWN)]
    return [*drawn, (0,) * length, (symbols - 1,) * length]


def layers(length: int, width: int, heads: int, precision: int, symbols: int, seed: int) -> list[Any]:
    """In each format a layer drawn at random and one whose protocol says much; each gives some word another answer."""
    found = []
    for place, numbers in enumerate(formats(length, precision)):
        found.append(_drawn(length, width, heads, numbers, symbols, seed + place))
        found.append(spread_layer(length, width, heads, numbers, symbols))
    return found


def _drawn(length: int, width: int, heads: int, numbers: Any, symbols: int, seed: int) -> Any:
    """The first layer from a seed on that does not give all the words that are tried one answer, if there is one."""
    sizes: dict[str, Any] = {"length": length, "width": width, "heads": heads, "head_width": width, "key_width": width}
    words = np.array(words_of(length, symbols))
    model = None
    for each in range(seed, seed + MOST_SEEDS):
        model = models.OneLayerTransformer.random(range(symbols), precision=numbers, seed=each, **sizes)
        if len(np.unique(model.codes(words))) > 1:
            break
    return model


def spread_layer(length: int, width: int, heads: int, numbers: Any, symbols: int) -> Any:
    """A layer that uses its numbers to the full, so that few messages can be left out of its protocol.

    Every position and symbol has a number e of its own, as far as there are so many. Keys are e, queries about -3/4 of
    the last e, so that logits differ, and the last position's is the least; values are 4/3 of e or more, of changing
    sign, so that they reach both ends of the range. The answer is whether the sum of all heads is at its median over
    some words, or above it.
    """
    read_off = spread_over(length, width, heads, numbers, symbols, 0)
    sums = sorted((read_off.outputs(np.array(words_of(length, symbols)[: 2 * DRAWN]))[:, 1] - 1).tolist())
    middle = sums[len(sums) // 2]
    return spread_over(length, width, heads, numbers, symbols, middle if middle > sums[0] else middle + 1)


def spread_over(length: int, width: int, heads: int, numbers: Any, symbols: int, threshold: int) -> Any:
    """That layer, with the answer 1 where the sum of all heads is at least a threshold, in steps."""
    scale, top = numbers.scale, numbers.high
    reach = min(3 * (top + 1) // 4, 3 * scale // 2)
    block = Fraction(2 * reach, symbols)
    tokens = [[Fraction(-reach + int(a * block), scale)] * width for a in range(symbols)]
    places = [[Fraction(int(i * block / length), scale)] * width for i in range(length)]
    first = [[int(row == column == 0) for column in range(width)] for row in range(width)]
    stretch = Fraction(min(top, -(-4 * top * scale // (3 * reach))), scale)
    signs = [(-1) ** j for j in range(width)]
    share = Fraction(max(1, scale // (heads * width)), scale)
    return models.OneLayerTransformer.from_arrays(
        range(symbols),
        precision=numbers,
        token_embedding=tokens,
        position_embedding=places,
        query=[[[Fraction(-3 * h - 9, 4 * h + 12) * x for x in row] for row in first] for h in range(heads)],
        key=[first] * heads,
        value=[[[stretch * signs[j] * (row == j) for j in range(width)] for row in range(width)]] * heads,
        output=[[[share * signs[j] * (c == 0) for c in range(width)] for j in range(width)] for _ in range(heads)],
        read_out=[[0, int(row == 0)] for row in range(width)],
        read_out_bias=[0, Fraction(min(max(numbers.low, 1 - threshold), top), scale)],
        residual=False,
        name=f"spread layer (length {length}, width {width}, {heads} heads, {symbols} symbols, {numbers})",
    )
