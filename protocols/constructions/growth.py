"""How width, precision and representation grow with the length, beside the growth that is claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ccsim.arguments import require_integer
from ccsim.errors import InputError
from ccsim.formulas import exact_value
from protocols.constructions.equality import equality_transformer
from protocols.constructions.formulas import SparseThreshold
from protocols.constructions.index_lookup import index_lookup_transformer
from protocols.constructions.recall import associative_recall_transformer
from protocols.constructions.size import ConstructionSize, size_of
from protocols.constructions.thresholds import threshold_transformer
from protocols.constructions.vectors import BinaryAddresses


def _intersection(length: int) -> SparseThreshold:
    return SparseThreshold.halves(length, lambda a, b: a and b, "any")


GROWING: Mapping[str, Callable[[int], Any]] = {
    "index lookup": index_lookup_transformer,
    "index lookup, binary addresses": lambda length: index_lookup_transformer(
        length, addresses=BinaryAddresses(length)
    ),
    "equality": equality_transformer,
    "equality, binary addresses": lambda length: equality_transformer(length, addresses=BinaryAddresses(length)),
    "intersection": lambda length: threshold_transformer(_intersection(length)),
    "recall by address": lambda length: associative_recall_transformer(length // 2),
    "recall by copy": lambda length: associative_recall_transformer(length // 2, route="copy"),
}
"""For each name, what builds the model for words of (about) that length; recall has N/2 pairs."""


def growth_table(names: Iterable[str] | None = None, exponents: Iterable[int] = range(4, 15)) -> list[dict[str, Any]]:
    """For each construction and N = 2^e: the sizes, and their ratios to what is claimed up to a constant.

    Logarithms are to base 2. Models are built, with addresses that are verified on all pairs, but not run. The
    representation has embeddings made on demand, as the source allows; ``bits/N`` compares it with the N bits of state
    that a recurrent model needs.

    >>> row, = growth_table(["equality"], [4])
    >>> row["width"], row["precision"], row["representation"], round(row["representation/claimed"], 1)
    (49, 8, 41256, 644.6)
    """
    chosen = tuple(GROWING) if names is None else tuple(names)
    lengths = [1 << require_integer("exponents", exponent, low=2, high=20) for exponent in exponents]
    rows = []
    for name in chosen:
        if name not in GROWING:
            raise InputError("names", name, f"one of {', '.join(GROWING)}")
        rows += [_row(name, length, size_of(GROWING[name](length))) for length in lengths]
    return rows


def _row(name: str, length: int, size: ConstructionSize) -> dict[str, Any]:
    return {
        "construction": name,
        "N": length,
        "width": size.width,
        "heads": size.heads,
        "layers": size.layers,
        "precision": size.precision,
        "representation": size.representation_bits,
        "stored": size.stored_bits,
        "width/claimed": size.width / _claimed(size.claimed_width, length),
        "precision/claimed": size.precision / _claimed(size.claimed_precision, length),
        "representation/claimed": size.representation_bits / _claimed(size.claimed_bits, length),
        "bits/N": size.representation_bits / length,
        "source": size.source,
    }


def _claimed(formula: str, length: int) -> float:
    """The value of a claimed growth; log is to base 2."""
    return float(exact_value(formula.replace("log(", "log2("), {"N": length}))
