"""What is measured of the exchange of maximal logits where one layer is as people run it today."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from ccsim import models
from ccsim.arithmetic import Precision
from ccsim.claims import Finding
from ccsim.errors import InputError
from ccsim.problems import Partition, SequenceTask
from protocols import reductions

__all__ = ["KINDS", "exchanged"]

KINDS = ("llama", "llama-3", "gemma-2", "bloom", "windows")
"""What layers are like: rotary positions, shared keys, RMS norms and SwiGLU; the same with scaled positions; soft caps
and windows; ALiBi; heads with windows of their own."""

MOST_PARTITIONS = 4  # up to so many positions, all partitions
SEEDS = 32


def exchanged(length: int, width: int, precision: int, heads: int, kind: str) -> Finding:
    """The exchange, with weighted sums sent one way, of such a layer: all words, of few positions all partitions.

    A task that differs from the layer on its last word alone must be told from it by the same exploration.
    """
    model = _telling(length, width, heads, precision, kind)
    ways = list(Partition.all(length)) if length <= MOST_PARTITIONS else [Partition.odd_even(length)]
    bits, words, wrong = 0, 0, list[str]()
    for way in ways:
        protocol = reductions.max_logit_softmax(model, way, variant="one-sided")
        explored = protocol.explore()
        wrong += [str(violation) for violation in explored.violations]
        if protocol.cost is None or protocol.cost.bits != explored.worst_bits:
            wrong.append(f"{protocol.name} says {explored.worst_bits} bits, not {protocol.cost}")
        if explored.pairs != 1 << length:
            wrong.append(f"{explored.pairs} words explored of {1 << length}")
        bits, words = max(bits, explored.worst_bits or 0), words + explored.pairs
    if not reductions.max_logit_softmax(model, ways[0], variant="one-sided", task=_other(model)).explore().violations:
        wrong.append("a task with another answer on one word is not told from the layer")
    if np.array_equal(model.outputs(_words(length)), _plain(model).outputs(_words(length))):
        wrong.append("the layer answers as one whose logits are plain products")
    return Finding(measured=bits, checked=words, of=len(ways) << length, violations=tuple(wrong))


def _words(length: int) -> Any:
    return np.indices((2,) * length).reshape(length, -1).T


def _plain(model: Any) -> Any:
    """The same layer without anything that changes logits."""
    attention = model.block.attention
    units = tuple(replace(unit, scoring=models.Scoring()) for unit in attention.units)
    return replace(model, block=replace(model.block, attention=replace(attention, units=units)))


def _telling(length: int, width: int, heads: int, precision: int, kind: str) -> Any:
    """The first layer that gives two words different answers."""
    numbers = Precision.fixed_point(3, precision - 4)
    sizes: dict[str, Any] = {"length": length, "width": width, "heads": heads, "head_width": width, "key_width": width}
    words = _words(length)
    for seed in range(SEEDS):
        options = {
            **sizes,
            "hidden": width,
            "positions": False,
            "precision": numbers,
            **_options(kind, numbers, width, heads),
        }
        model = models.OneLayerTransformer.random("ab", seed=seed, **options)
        if len(np.unique(model.codes(words))) > 1:
            return model
    raise InputError("precision", precision, "numbers with which some layer tells words apart")


def _options(kind: str, numbers: Precision, width: int, heads: int) -> Mapping[str, Any]:
    """How attention scores, and what norms and the part after attention are like."""
    today = {"key_heads": 1, "layer_norm": "rms-before", "gated": True, "activation": "silu"}
    turn = models.Rotary(numbers, width)
    shares = tuple(Fraction(1, 1 + pair) for pair in range(width // 2))
    scaled = replace(turn, base=Fraction(100), shares=shares, stretch=Fraction(9, 8))
    options: Mapping[str, Mapping[str, Any]] = {
        "llama": {"scoring": models.Scoring(turn), **today},
        "llama-3": {"scoring": models.Scoring(scaled), **today},
        "gemma-2": {"scoring": models.Scoring(turn, Fraction(1), window=3), "output_cap": 1, **today},
        "bloom": {
            "scoring": [models.Scoring(slope=slope) for slope in models.alibi_slopes(heads)],
            "layer_norm": "before",
        },
        "windows": {"scoring": [models.Scoring(window=1 + 2 * head) for head in range(heads)]},
    }
    return options[kind]


def _other(model: Any) -> Any:
    """A task that differs from the layer on its last word alone."""
    own = model.task()

    def evaluate(words: Any) -> Any:
        codes = own.evaluate(words)
        return codes ^ (words == 1).all(axis=-1).astype(codes.dtype)

    return SequenceTask("another function", own.words, own.answers, evaluate)
