"""How many bits describe the constructed models, if what a rule makes on demand is not stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import accounts
from protocols.papers.checks import sizes_between

__all__ = ["equality", "recall"]

SEED = 64


def equality(length: int) -> Finding:
    """The model of Theorem 6: the table of positions is made by a hash."""
    series, wrong = [], []
    for size in sizes_between(length, 8, 2):
        model, account = constructions.equality_transformer(size), accounts.equality(size)
        width, signs = account.width, account.signs[0].dimension
        wanted = (4 * width * signs + 17 * width + 4) * account.precision + SEED
        series.append((size, _counted(model, 0) * model.precision.bits + SEED))
        wrong += _faults(size, constructions.size_of(model).representation_bits, series[-1][1], wanted)
    return Finding(series=tuple(series), checked=len(series), of=len(series), violations=tuple(wrong))


def recall(length: int) -> Finding:
    """The model of Theorem 7 for recall: positions and keys are made by hashes."""
    series, wrong = [], []
    for size in sizes_between(length, 8, 2):
        model, account = constructions.associative_recall_transformer(size // 2), accounts.recall(lambda _: 1)(size)
        width, (codes, own) = account.width, (each.dimension for each in account.signs)
        wanted = (width * (2 * codes + 6 * own + 8) + 2) * account.precision + 2 * SEED
        series.append((size, _counted(model, size // 2) * model.precision.bits + 2 * SEED))
        wrong += _faults(size, constructions.size_of(model).representation_bits, series[-1][1], wanted)
    return Finding(series=tuple(series), checked=len(series), of=len(series), violations=tuple(wrong))


def _counted(model: Any, made: int) -> int:
    """All numbers in the arrays of a model but the embeddings of positions, and of the first symbols, so many."""
    parts = [np.asarray(model.token_embedding)[made:], model.read_out.weights, model.read_out.bias]
    for block in model.blocks:
        for unit in block.attention.units:
            parts += [unit.query.weights, unit.key.weights, unit.value.weights]
        parts.append(block.attention.output.weights)
        for layer in block.tokenwise.layers if block.tokenwise else ():
            parts += [layer.affine.weights, layer.affine.bias]
    return sum(part.size for part in parts)


def _faults(size: int, told: int, counted: int, wanted: int) -> list[str]:
    return [] if told == counted == wanted else [f"{told} bits at {size}, counted {counted}, by our account {wanted}"]
