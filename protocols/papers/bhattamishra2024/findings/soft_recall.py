"""Theorem 7 as it is printed: weights above 9/10, and sigma, which makes signs of what is fetched."""

from __future__ import annotations

from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from protocols import constructions
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth
from protocols.papers.checks import drawn_recall

__all__ = ["recall"]

LOOKED_AT = 48  # up to so many positions the weights of both layers are looked at
SHARED = 12  # with fewer pairs no two addresses and codes need be so near that others get weight


def recall(length: int, quantity: str) -> Finding:
    """The printed transformer for associative recall over many lengths; its width or precision."""
    faults: list[str] = []

    def case(size: int) -> Case:
        pairs, task = size // 2, problems.associative_recall(size // 2)
        model = constructions.soft_recall_transformer(pairs)
        if size <= LOOKED_AT:
            faults.extend(_weights(model, pairs))
        fewer = range(1, pairs) if pairs == 3 else ()
        return Case(
            model,
            task,
            drawn_recall,
            others=tuple((model, problems.associative_recall(each, task.positions[0])) for each in fewer),
        )

    found = growth(length, 6, 2, quantity, case)
    return found.but(violations=(*found.violations, *faults))


def _weights(model: Any, pairs: int) -> list[str]:
    """Whether both layers give the wanted position more than 9/10 and, from some size on, others something; and whether
    sigma gives signs: each key of one word is asked for."""
    places, scale, wrong = np.arange(pairs), model.precision.scale, []
    told = np.stack([places, pairs + places % 2], axis=1).reshape(-1)
    words = np.hstack([np.tile(told, (pairs, 1)), places[:, None]])
    stream = model.token_embedding[words] + model.positions(words.shape[1])
    for layer, block in enumerate(model.blocks):
        given = _last_weights(block.attention.units[0], stream)
        own = given[places, 2 * places + layer]
        wrong += [] if (10 * own > 9 * scale).all() else [f"layer {layer + 1} gives {own.min()} of {scale}"]
        wrong += [] if (given > 0).sum() > pairs or pairs < SHARED else [f"layer {layer + 1} gives others nothing"]
        stream = block(stream, model.causal)
    found = stream[:, -1, -model.blocks[0].attention.units[0].value.weights.shape[1] :]
    signs = (np.abs(found) == scale).all() and (np.abs(model.read_out(stream[:, -1])) == scale).all()
    return wrong + ([] if signs else ["sigma does not give signs"])


def _last_weights(unit: Any, stream: Any) -> Any:
    """The weights of the last position."""
    logits = unit.logits(unit.queries(stream[:, -1:]), unit.keys(stream))[:, 0]
    return unit.weighting.row(logits)
