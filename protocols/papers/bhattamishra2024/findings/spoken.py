"""What is said in the printed protocol of Theorem 4, message by message, against numbers worked out a second time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ccsim import problems
from protocols import reductions
from protocols.papers.bhattamishra2024.findings.layers import words_of
from protocols.papers.plain.attention import PlainTransformer

__all__ = ["spoken_faults"]

Word = tuple[int, ...]
SPOKEN = 4  # words on which every message is looked at, for each layer and partition


def spoken_faults(model: Any, variant: str) -> list[str]:
    """What is wrong with the messages of the printed protocol: each must carry the numbers that the proof names."""
    plain, words, faults = PlainTransformer(model), words_of(model.length, len(model.alphabet)), []
    for way in ways_of(model.length):
        if not (way.alice and way.bob):
            continue
        protocol, deal = reductions.max_logit_softmax(model, way, variant=variant), model.task().split(way).deal
        for word in words[:: max(1, len(words) // SPOKEN)]:
            run = protocol.run(*deal(word))
            said = [(message.sender, message.bits.to_unsigned(), len(message.bits)) for message in run.transcript]
            if said != list(_printed(plain, way, word, variant == "literal")):
                faults.append(f"{protocol.name} on {word} does not send what the proof says")
    return faults[:1]


def _printed(plain: Any, way: Any, word: Word, both: bool) -> Iterator[tuple[str, int, int]]:
    """Sender, number and bits of every message of appendix D, for one word.

    A p-bit number is sent as its distance from the lowest; so is one of 2p bits.
    """
    bits, heads = plain.model.precision.bits, plain.heads(word)
    held = {role: [place - 1 for place in getattr(way, role)] for role in ("alice", "bob")}
    holder = "alice" if len(word) - 1 in held["alice"] else "bob"
    yield (holder, *_joined([number - plain.low for number in plain.embedded(word)[-1]], bits))
    for role, places in held.items():
        yield (role, *_joined([head.largest(places) - plain.low for head in heads], bits))
    for role, places in held.items():
        yield (role, *_joined([head.normaliser(places) for head in heads], bits + (len(word) - 1).bit_length()))
    for role, places in held.items() if both else [("bob", held["bob"])]:
        sums = [number + (1 << 2 * bits - 1) for head in heads for number in head.sums(places)]
        yield (role, *_joined(sums, 2 * bits))
    if not both:
        yield ("alice", plain.answer(word), 1)


def _joined(numbers: Sequence[int], bits: int) -> tuple[int, int]:
    """Numbers of so many bits side by side, as one number, and how many bits that is."""
    total = 0
    for number in numbers:
        total = (total << bits) + number
    return total, bits * len(numbers)


def ways_of(length: int) -> list[Any]:
    """All partitions of a short word; else odd and even positions, and one in which little is regular."""
    if length <= 4:
        return list(problems.Partition.all(length))
    uneven = [place for place in range(1, length + 1) if place * place % 7 in (2, 4)]
    return [problems.Partition.odd_even(length), problems.Partition.of(length, alice=uneven)]
