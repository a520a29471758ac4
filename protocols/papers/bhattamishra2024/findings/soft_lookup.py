"""Theorem 1 as it is printed: a weight above 3/4, a threshold, and all words of up to N symbols."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings import accounts
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth
from protocols.papers.plain import constructed
from protocols.papers.plain.intervals import exponential_down
from protocols.papers.plain.words import lookup

__all__ = ["index_lookup"]

SHORT = 8  # up to this N all shorter words are gone through too
LOOKED_AT = 32  # up to this N all weights are worked out a second time


def index_lookup(length: int, quantity: str) -> Finding:
    """The printed transformer for index lookup over many N, each also on shorter words; its width or precision."""
    faults: list[str] = []

    def case(size: int) -> Case:
        model = constructions.soft_index_lookup_transformer(size)
        account = accounts.soft_lookup(size)
        if size <= LOOKED_AT:
            faults.extend([*_weights(model, size, account), *_codes(model, size)])
        fewer = range(1, size) if size <= SHORT else (3, size // 2 + 1)
        weak = Fraction(_largest_too_weak(size, model.precision.scale, account.signs[0]), model.precision.scale)
        return Case(
            model,
            problems.index_lookup(size),
            lookup,
            account,
            others=tuple((model, problems.index_lookup(each)) for each in fewer),
            refused=(partial(constructions.soft_index_lookup_transformer, size, strength=weak),),
            traced=1 << 5,
        )

    found = growth(length, 4, 1, quantity, case)
    return found.but(violations=(*found.violations, *faults))


def _weights(model: Any, size: int, account: accounts.Account) -> list[str]:
    """Whether the weights of all positions that are asked for are those by intervals, above 3/4, and not all 1."""
    signs = constructed.signs(size, account.signs[0].dimension).astype(np.int64)
    logits = account.queries[0] * (signs @ signs.T) // account.signs[0].dimension
    logits = np.hstack([logits, np.zeros((size, 1), dtype=np.int64)])
    scale, unit = model.precision.scale, model.blocks[0].attention.units[0]
    wanted = constructed.softmax_rows(logits, np.ones_like(logits, dtype=bool), scale)
    stream = model.positions(size + 1) + model.token_embedding[0]
    queries = model.positions(size + 1)[-1] + model.token_embedding[2:]
    keys = np.concatenate([np.tile(unit.keys(stream)[None, :-1], (size, 1, 1)), unit.keys(queries)[:, None]], axis=1)
    given = unit.weighting.row(unit.logits(unit.queries(queries)[:, None], keys)[:, 0])
    own = given[np.arange(size), np.arange(size)]
    wrong = [] if (given == wanted).all() else [f"{size}: weights are others than by intervals"]
    wrong += [] if (4 * own > 3 * scale).all() else [f"{size}: a weight of {own.min()} steps of {scale}"]
    return wrong + ([] if (given > 0).sum() > size else [f"{size}: no other position has any weight"])


def _codes(model: Any, size: int) -> list[str]:
    """Whether the threshold gives the code itself: the right answer has the output 0 then, the other one -1 exactly."""
    words = np.hstack([np.eye(size, dtype=np.int64), 2 + np.arange(size)[:, None]])
    outputs = model.outputs(np.concatenate([words, np.hstack([1 - words[:, :-1], words[:, -1:]])]))
    wanted = [[-model.precision.scale, 0]] * size + [[0, -model.precision.scale]] * size
    return [] if outputs.tolist() == wanted else [f"{size}: the threshold does not give a code"]


def _largest_too_weak(size: int, scale: int, signs: accounts.Signs) -> int:
    """The largest strength, in steps, that may leave a position 3/4 or less, by bisection."""
    largest, low, high = max(signs.products[1], 0), 0, 64 * scale

    def enough(steps: int) -> bool:
        gap = steps - steps * largest // signs.dimension
        return 4 * (scale**2 // (scale + size * exponential_down(-gap, scale))) > 3 * scale

    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return low
