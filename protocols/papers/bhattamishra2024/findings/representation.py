"""How many bits describe the constructed models, if what a rule makes on demand is not stored."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import accounts
from protocols.papers.checks import sizes_between
from protocols.papers.growing import Looked, grown

__all__ = ["equality", "recall"]

SEED = 64


def equality(length: int) -> Finding:
    """The model of Theorem 6: the table of positions is made by a hash."""

    def bits(size: int) -> Looked:
        model, account = constructions.equality_transformer(size), accounts.equality(size)
        width, signs = account.width, account.signs[0].dimension
        return _bits(model, 0, (4 * width * signs + 17 * width + 4) * account.precision, 1)

    return grown(sizes_between(length, 8, 2), bits)


def recall(length: int) -> Finding:
    """The model of Theorem 7 for recall: positions and keys are made by hashes."""

    def bits(size: int) -> Looked:
        model = constructions.associative_recall_transformer(size // 2)
        account = accounts.recall(lambda _: 1)(size)
        width, (codes, own) = account.width, (each.dimension for each in account.signs)
        return _bits(model, size // 2, (width * (2 * codes + 6 * own + 8) + 2) * account.precision, 2)

    return grown(sizes_between(length, 8, 2), bits)


def _bits(model: Any, made: int, stored: int, hashes: int) -> Looked:
    """What describes a model, counted: its numbers, but for rows that hashes make, and their seeds."""
    counted, wanted = _counted(model, made) * model.precision.bits + hashes * SEED, stored + hashes * SEED
    told = constructions.size_of(model).representation_bits
    wrong = () if told == counted == wanted else (f"{told} bits, counted {counted}, by our account {wanted}",)
    return Looked(counted, 1, 1, wrong)


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
