"""Theorem 4 and its variants: protocols run on layers, and compared with the layer's own answers word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ccsim import problems
from ccsim.claims import Finding
from ccsim.errors import InputError
from protocols import reductions
from protocols.papers.bhattamishra2024.findings.layers import formats, layers, spread_layer, words_of

__all__ = ["compact", "executed", "kept_compact", "one_sided", "sent_one_way", "theorem_4"]

MOST_EXPLORED = 1 << 14
RUN = 2  # words of each answer on which a protocol is run, where there are too many to explore


@dataclass
class Executed:
    """What came of running variants of a protocol on layers.

    Attributes:
        bits: the most bits of each variant.
        words, of: how many words were gone through, of how many, over all layers, partitions and variants.
        faults: whatever was wrong.
    """

    bits: dict[str, int] = field(default_factory=dict)
    words: int = 0
    of: int = 0
    faults: list[str] = field(default_factory=list)


def executed(models: Sequence[Any], variants: Sequence[str], ways: Sequence[Any] = ()) -> Executed:
    """Run variants for each layer and partition: on all words if they are few, else on words drawn from a seed.

    The protocol's answers are compared with the layer's. Drawn words are given to the last variant alone in all
    partitions but the first.
    """
    found, telling = Executed(), False
    for model in models:
        words = np.array(words_of(model.length, len(model.alphabet)))
        codes = model.codes(words)
        telling |= len(np.unique(codes)) > 1
        some = np.concatenate([words[codes == code][:RUN] for code in np.unique(codes)])
        everything = len(model.alphabet) ** model.length <= MOST_EXPLORED
        for place, way in enumerate(ways or _ways_of(model.length)):
            for variant in variants if everything or not place else variants[-1:]:
                _run(found, model, way, variant, None if everything else some)
    if not telling:
        raise InputError("precision", str(models[-1].precision), "numbers with which some layer tells words apart")
    return found


def _ways_of(length: int) -> list[Any]:
    """All partitions of a short word; else odd and even positions, and one in which little is regular."""
    if length <= 4:
        return list(problems.Partition.all(length))
    uneven = [place for place in range(1, length + 1) if place * place % 7 in (2, 4)]
    return [problems.Partition.odd_even(length), problems.Partition.of(length, alice=uneven)]


def _run(found: Executed, model: Any, way: Any, variant: str, some: Any) -> None:
    """One variant in one partition, on some words or on all."""
    protocol = reductions.max_logit_softmax(model, way, variant=variant)
    if some is None:
        explored = protocol.explore()
        bits, count, faults = explored.worst_bits, explored.pairs, [str(each) for each in explored.violations]
    else:
        deal, bits, count, faults = model.task().split(way).deal, 0, len(some), []
        for word, code in zip(some.tolist(), model.codes(some).tolist(), strict=True):
            run = protocol.run(*deal(tuple(word)))
            bits = max(bits, run.bits)
            if run.answers != dict.fromkeys(("alice", "bob"), model.answers[code]):
                faults.append(f"{protocol.name} answers wrongly on {word}")
    if protocol.cost is None or protocol.cost.bits != bits:
        faults.append(f"{protocol.name} says {bits} bits, not {protocol.cost}")
    found.bits[variant] = max(found.bits.get(variant, 0), bits)
    found.words, found.of = found.words + count, found.of + len(model.alphabet) ** model.length
    found.faults += faults


def _finding(done: Executed, variant: str, models: Sequence[Any], **facts: Any) -> Finding:
    """The most bits of one variant; every word counts as one case of those that were to be gone through."""
    shown = {"layers": len(models), **{f"bits, {name}": bits for name, bits in done.bits.items()}, **facts}
    bits, wrong = done.bits[variant], tuple(done.faults)
    return Finding(measured=bits, checked=done.words, of=done.of, violations=wrong, facts=shown)


def kept_compact(length: int, width: int, precision: int, heads: int, symbols: int, seed: int) -> Finding:
    """The compact protocol, on layers drawn and made, for several partitions; what naming the symbols costs beside."""
    models = layers(length, width, heads, precision, symbols, seed)
    done = executed(models, ("cheapest", "compact"))
    less = done.bits["cheapest"] < done.bits["compact"]
    facts = {"fewer bits name all symbols of one party": done.bits["cheapest"]} if less else {}
    return _finding(done, "compact", models, **facts)


def compact(length: int, width: int, precision: int, heads: int, symbols: int) -> Finding:
    """The compact protocol of a layer that uses its numbers to the full, at odd and even positions."""
    models = [spread_layer(length, width, heads, numbers, symbols) for numbers in formats(length, precision)]
    return _finding(executed(models, ("compact",), [problems.Partition.odd_even(length)]), "compact", models)


def one_sided(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed steps with the weighted sums sent one way only, and the answer back."""
    models = _of_bits(length, width, precision, heads, seed)
    return _finding(executed(models, ("one-sided",)), "one-sided", models)


def theorem_4(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed protocol, every message of it, for several partitions."""
    models = _of_bits(length, width, precision, heads, seed)
    facts = {"bits if the party with fewer symbols names them, at odd and even positions": length // 2 + 1}
    return _finding(executed(models, ("literal",)), "literal", models, **facts)


def sent_one_way(length: int, width: int, precision: int, heads: int, seed: int) -> Finding:
    """The printed steps with the sums of the last sent one way; beside it what sums sent both ways cost."""
    found = one_sided(length, width, precision, heads, seed)
    literal = reductions.softmax_costs([width], [precision], [heads], [length])[0]["literal"]
    return found.but(facts={**found.facts, "bits with sums sent both ways, as printed": literal})


def _of_bits(length: int, width: int, precision: int, heads: int, seed: int) -> list[Any]:
    return [model for model in layers(length, width, heads, precision, 2, seed) if model.precision.bits == precision]
