"""Theorem 1 as it is printed: a weight above 3/4, a threshold, and all words of up to N symbols."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth

__all__ = ["index_lookup"]

SHORT = 8  # up to this N all shorter words are gone through too
LOOKED_AT = 32  # up to this N all weights are looked at


def index_lookup(length: int, quantity: str) -> Finding:
    """The printed transformer for index lookup over many N, each also on shorter words; its width or precision."""
    faults: list[str] = []

    def case(size: int) -> Case:
        model = constructions.soft_index_lookup_transformer(size)
        if size <= LOOKED_AT:
            faults.extend([*_weights(model, size), *_codes(model, size)])
        fewer = range(1, size) if size <= SHORT else (3, size // 2 + 1)
        return Case(
            model,
            problems.index_lookup(size),
            others=tuple((model, problems.index_lookup(each)) for each in fewer),
        )

    found = growth(length, 4, 1, quantity, case)
    return found.but(violations=(*found.violations, *faults))


def _weights(model: Any, size: int) -> list[str]:
    """Whether the weights of all positions that are asked for are above 3/4, and not all 1."""
    scale, unit = model.precision.scale, model.blocks[0].attention.units[0]
    stream = model.positions(size + 1) + model.token_embedding[0]
    queries = model.positions(size + 1)[-1] + model.token_embedding[2:]
    keys = np.concatenate([np.tile(unit.keys(stream)[None, :-1], (size, 1, 1)), unit.keys(queries)[:, None]], axis=1)
    given = unit.weighting.row(unit.logits(unit.queries(queries)[:, None], keys)[:, 0])
    own = given[np.arange(size), np.arange(size)]
    wrong = [] if (4 * own > 3 * scale).all() else [f"{size}: a weight of {own.min()} steps of {scale}"]
    return wrong + ([] if (given > 0).sum() > size else [f"{size}: no other position has any weight"])


def _codes(model: Any, size: int) -> list[str]:
    """Whether the threshold gives the code itself: the right answer has the output 0 then, the other one -1 exactly."""
    words = np.hstack([np.eye(size, dtype=np.int64), 2 + np.arange(size)[:, None]])
    outputs = model.outputs(np.concatenate([words, np.hstack([1 - words[:, :-1], words[:, -1:]])]))
    wanted = [[-model.precision.scale, 0]] * size + [[0, -model.precision.scale]] * size
    return [] if outputs.tolist() == wanted else [f"{size}: the threshold does not give a code"]
