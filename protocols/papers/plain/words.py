"""Tasks on words answered one word at a time, and reductions gone through word by word."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from protocols import reductions

__all__ = [
    "SOLVED",
    "check_faults",
    "induction",
    "lookup",
    "nearest",
    "recall",
    "recall_all",
    "reduction_faults",
    "unequal",
]

Word = Sequence[Any]
Solve = Callable[[Word], Any]


def lookup(word: Word) -> Any:
    """Index lookup: the symbol at the position that the last token names, counted from 1."""
    return word[word[-1] - 1]


def recall(word: Word) -> Any:
    """Associative recall: the value behind the key that stands last; None unless all keys differ and it is one."""
    keys = word[0:-1:2]
    return word[2 * keys.index(word[-1]) + 1] if len(set(keys)) == len(keys) and word[-1] in keys else None


def recall_all(word: Word) -> Any:
    """Recall of n pairs, followed by all n keys in any order: the tuple of their values."""
    told = len(word) // 3 * 2
    keys, asked = word[0:told:2], word[told:]
    if len(set(keys)) < len(keys) or sorted(keys) != sorted(asked):
        return None
    return tuple(word[2 * keys.index(key) + 1] for key in asked)


def nearest(word: Word) -> Any:
    """The label of the vector that has the one largest dot product with the last one; None if two have it."""
    products = [sum(a * b for a, b in zip(vector, word[-1], strict=True)) for vector in word[0:-1:2]]
    best = max(products)
    return word[2 * products.index(best) + 1] if products.count(best) == 1 else None


def induction(word: Word) -> Any:
    """The symbol right after the latest earlier occurrence of the last symbol; None if there is none."""
    for place in range(len(word) - 2, -1, -1):
        if word[place] == word[-1]:
            return word[place + 1]
    return None


def unequal(word: Word) -> int:
    """Whether the halves of a word differ."""
    half = len(word) // 2
    return int(tuple(word[:half]) != tuple(word[half:]))


SOLVED: dict[str, Solve] = {
    "index-lookup": lookup,
    "associative-recall": recall,
    "multi-query-associative-recall": recall_all,
    "nearest-neighbour": nearest,
    "k-hop-induction": induction,
}


def reduction_faults(
    reduction: reductions.TaskReduction,
    solve: Solve,
    wanted: Callable[[Any, Any], Any],
    read: Callable[[Any, Any], Any],
    in_order: bool = True,
) -> tuple[str, ...]:
    """What is wrong with a reduction on any pair of inputs, each of which is written as a word; nothing if all is well.

    The answer of the word, found by ``solve`` and read with the help of Bob's input, must be the ``wanted`` one, and
    the task must answer likewise. No position may depend on what both hold; ``in_order``, what depends on Alice's input
    must stand before what depends on Bob's, so that a recurrent model has read her part first.
    """
    words = {(x, y): tuple(reduction.word(x, y)) for x in reduction.source.alice for y in reduction.source.bob}
    if len(words) != reduction.source.shape[0] * reduction.source.shape[1]:
        return (f"{len(words)} words only",)
    for (x, y), word in words.items():
        answer = solve(word)
        if read(answer, y) != wanted(x, y):
            return (f"{reduction.name}: the word {word} of {x}, {y} has the answer {answer}",)
        if reduction.task(word) != answer:
            return (f"{reduction.task.name} has another answer than {answer} on {word}",)
    alice, bob = (_depends(words, party) for party in (0, 1))
    if alice & bob:
        return (f"{reduction.name}: both write at positions {sorted(alice & bob)}",)
    if in_order and any(other < own for own in alice for other in bob):
        return (f"{reduction.name}: Alice writes at {sorted(alice)}, Bob at {sorted(bob)}",)
    return ()


def check_faults(reduction: reductions.TaskReduction) -> tuple[str, ...]:
    """What a reduction's own check finds; and whether it finds that Alice's last input is written as her first one."""
    told = reduction.check()
    if told is not None:
        return (f"{reduction.name} is wrong: {told}",)
    alice = reduction.source.alice
    first, last = alice.value(0), alice.value(alice.size - 1)
    planted = replace(reduction, encode_alice=lambda x: reduction.encode_alice(first if x == last else x))
    return () if planted.check() is not None else (f"{reduction.name}: a mistake on the last input is not found",)


def _depends(words: Mapping[tuple[Any, Any], Word], party: int) -> set[int]:
    """The positions whose symbol changes with what one party holds while the other's stays."""
    groups: dict[Any, list[Word]] = {}
    for pair, word in words.items():
        groups.setdefault(pair[1 - party], []).append(word)
    return {
        place for group in groups.values() for place in range(len(group[0])) if len({word[place] for word in group}) > 1
    }
