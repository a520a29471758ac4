"""The table of Theorem 4's constant: the printed bound beside what the protocols cost."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import log2
from typing import Any

from ccsim.arguments import require_integer
from ccsim.bounds import softmax_bits
from ccsim.errors import InputError

MOST_SIZE = 1 << 20
PRINTED = "3*m*(p + log(N, 2))*H"


def printed_bound(width: int, precision: int, heads: int, length: int) -> float:
    """The bound that Theorem 4 of Bhattamishra et al. 2024 prints, in bits: 3m(p + log N)H.

    >>> printed_bound(8, 16, 1, 256)
    576.0
    """
    sizes = {"width": width, "precision": precision, "heads": heads, "length": length}
    width, precision, heads, length = (require_integer(name, size, low=1) for name, size in sizes.items())
    return 3 * width * (precision + log2(length)) * heads


def softmax_costs(
    widths: Iterable[int],
    precisions: Iterable[int],
    heads: Iterable[int],
    lengths: Iterable[int],
    *,
    symbols: int = 2,
    answers: int = 2,
) -> list[dict[str, Any]]:
    """For each (m, p, H, N): the printed bound and the exact cost of each protocol, in bits; both know the answer.

    The model has value width m in each head, as in the paper, both parties hold positions, and ``symbols`` is the
    size of the alphabet. ``literal`` is m p + H(2p + 2(p + L(N)) + 4mp); ``one-sided`` sends sums one way and the
    answer back. ``compact`` is the most that variant can cost at odd/even positions when nothing is known of the
    weights (:func:`ccsim.bounds.softmax_bits`); ``cheapest`` is the less of that and naming k symbols.
    ``literal within printed`` says whether the printed steps keep to the printed total, ``one-sided within printed``
    the same of that protocol; neither is about the theorem, whose total ``cheapest`` keeps to from a width of 3 on.

    >>> row, = softmax_costs([8], [16], [1], [256])
    >>> row["printed"], row["literal"], row["one-sided"], row["literal within printed"]
    (576.0, 720, 465, False)
    """
    symbols, answers = require_integer("symbols", symbols, low=1), require_integer("answers", answers, low=1)
    sizes = _sizes("widths", widths, 1), _sizes("precisions", precisions, 3), _sizes("heads", heads, 1)
    rows = []
    for width, precision, head_count, length in product(*sizes, _sizes("lengths", lengths, 1)):
        printed = printed_bound(width, precision, head_count, length)
        literal = _literal(width, precision, head_count, length)
        one_sided = literal - 2 * width * precision * head_count + (answers - 1).bit_length()
        compact = softmax_bits(
            head_width=width, heads=head_count, precision=precision, length=length, symbols=symbols, answers=answers
        )
        naming = (symbols ** (length // 2) - 1).bit_length() + (answers - 1).bit_length()
        rows.append(
            {
                "m": width,
                "p": precision,
                "H": head_count,
                "N": length,
                "printed": printed,
                "literal": literal,
                "one-sided": one_sided,
                "compact": compact,
                "cheapest": min(compact, naming),
                "literal within printed": literal <= printed,
                "one-sided within printed": one_sided <= printed,
            }
        )
    return rows


def _sizes(argument: str, given: object, low: int) -> list[int]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(argument, given, f"a list of integers of at least {low}")
    return [require_integer(argument, size, low=low, high=MOST_SIZE) for size in given]


def _literal(width: int, precision: int, heads: int, length: int) -> int:
    digits = (length - 1).bit_length()
    return width * precision + heads * (2 * precision + 2 * (precision + digits) + 4 * width * precision)
