"""Bounded brackets by two and three layers and by simple networks: right, and of a size that does not grow."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ccsim import auditing, bounds, models, problems
from ccsim.claims import Finding, sizes_up_to
from ccsim.plots import Line, Plot
from protocols import constructions
from protocols.papers.bhattamishra2024.findings.constructions import Case, growth

__all__ = ["beside_one_layer", "networks", "next_brackets", "recognised"]

LOW = 6  # the least length, at which all 4096 words of two kinds are gone through


def recognised(length: int, kinds: int, depth: int, layers: int, quantity: str) -> Finding:
    """Transformers that say whether a word is in Dyck-(kinds, depth), over many lengths."""

    def case(size: int) -> Case:
        model = constructions.dyck_transformer(size, kinds, depth, layers=layers)
        task, shorter = problems.dyck(size, kinds, depth), size - 2
        fewer = (_cut(model, shorter), problems.dyck(shorter, kinds, depth))
        return Case(
            model,
            task,
            draw=lambda task, count: _words(task, kinds, depth, count),
            others=(fewer,) if size == LOW else (),
        )

    return growth(length, LOW, 2, quantity, case)


def next_brackets(length: int, kinds: int, depth: int) -> Finding:
    """Transformers that say after a prefix which symbols may follow, over many lengths: their width.

    At the least length a word must belong to the language exactly if each symbol may follow, and the end the last one.
    """

    def case(size: int) -> Case:
        model = constructions.next_brackets_transformer(size, kinds, depth)
        return Case(
            model,
            constructions.next_brackets(size, kinds, depth),
            draw=lambda task, count: _prefixes(task, kinds, depth, count),
        )

    found = growth(length, LOW, 2, "width", case)
    wrong, words = _followed(constructions.next_brackets_transformer(LOW, kinds, depth), kinds, depth)
    return found.but(violations=(*found.violations, *wrong), checked=found.checked + words, of=(found.of or 0) + words)


def _cut(model: Any, length: int) -> Any:
    """The same weights on shorter words."""
    return models.Transformer(
        name=model.name,
        alphabet=model.alphabet,
        answers=model.answers,
        token_embedding=model.token_embedding,
        position_embedding=model.position_embedding[:length],
        blocks=model.blocks,
        read_out=model.read_out,
    )


def _walk(generator: random.Random, length: int, kinds: int, depth: int) -> list[int]:
    """Letters of a word of the language, of even length."""
    word: list[int] = []
    stack: list[int] = []
    while len(word) < length:
        if stack and (len(stack) == min(depth, length - len(word)) or generator.random() < 0.5):
            word.append(2 * stack.pop() + 1)
        else:
            stack.append(generator.randrange(kinds))
            word.append(2 * stack[-1])
    return word


def _words(task: Any, kinds: int, depth: int, count: int) -> Any:
    """Words of the language, each followed by one that misses it: a symbol, or the order of two, is changed; the last
    one is a level too deep at its beginning, if that is not too long."""
    generator, words = random.Random(task.length), []
    for number in range(-(-count // 2)):
        word = _walk(generator, task.length, kinds, depth)
        other, place = list(word), generator.randrange(task.length - 1)
        if number % 2:
            other[place : place + 2] = other[place + 1], other[place]
        else:
            other[place] = generator.choice([letter for letter in range(2 * kinds) if letter != word[place]])
        words += [word, other]
    kind, rest = generator.randrange(kinds), task.length - 2 * (depth + 1)
    if rest >= 0:
        deep = [2 * kind] * (depth + 1) + [2 * kind + 1] * (depth + 1)
        words[-1] = [*deep, *_walk(generator, rest, kinds, depth)]
    return np.array(words)


def _prefixes(task: Any, kinds: int, depth: int, count: int) -> Any:
    """Words that may go on, with any number of brackets open at the end, and some that may not."""
    generator, longer = random.Random(task.length), task.length + 2 * depth
    words = [_walk(generator, longer, kinds, depth)[: task.length] for _ in range(count)]
    for word in words[::4]:
        word[-1] = generator.randrange(2 * kinds)
    return np.array(words)


def _followed(model: Any, kinds: int, depth: int) -> tuple[list[str], int]:
    """Where a model at all positions of a word lets it go on as it does, and end, but it does not belong, or not so."""
    words = np.indices((2 * kinds,) * LOW).reshape(LOW, -1).T
    codes = model.outputs_at(words, np.arange(LOW)).argmax(axis=-1)
    first, belongs, wrong = model.alphabet[::2], models.dyck_automaton(kinds, depth), list[str]()
    for row, places in zip(words.tolist(), codes.tolist(), strict=True):
        word = [model.alphabet[rank] for rank in row]
        allowed = [first, *(model.answers[place] for place in places)]
        if all(symbol in may for symbol, may in zip([*word, "[EOS]"], allowed, strict=True)) != belongs("".join(word)):
            wrong.append(f"{''.join(word)} is modelled wrongly")
    return wrong[:1], len(words)


def networks(length: int, activation: str) -> Finding:
    """Units of the simple network for Dyck-(2,2): right on all words of each length, by products of states."""
    machine = models.dyck_automaton(2, 2)
    network, series, wrong, checked = constructions.automaton_network(machine, activation), [], [], 0
    for size in sizes_up_to(length, low=2, step=2):
        found = auditing.audit(network, problems.dyck(size))
        wrong += [] if (found.verdict, found.words) == ("right", 4**size) else [f"{size} symbols: {found.reason}"]
        series.append((size, network.units))
        checked += found.words or 0
    return Finding(series=tuple(series), checked=checked, of=checked, violations=tuple(wrong), facts=_bits(network))


def _bits(network: Any) -> dict[str, int]:
    return {"bits of state": network.state_bits}


def beside_one_layer() -> tuple[Plot, ...]:
    """Width times heads against N: what two layers have, what one layer needs, and what one layer has."""
    lengths = tuple(2**k for k in range(3, 17))
    return (
        Plot(
            title="Dyck-(2,2): width times heads, one layer and two",
            x="N, length of the word",
            y="width x heads",
            lines=(
                Line("two layers, built", _line(lengths, _two_layers), measured=True),
                Line("one layer, built (uniform attention)", _line(lengths, lambda n: 2 * n)),
                Line("one layer, at least (in the numbers of the two)", _line(lengths, _one_layer)),
            ),
            logarithmic=True,
            note="Two layers are no wider for longer words; one layer is as wide as a word is long, up to a logarithm",
        ),
    )


def _line(lengths: Sequence[int], value: Callable[[int], int]) -> tuple[tuple[int, int], ...]:
    return tuple((length, value(length)) for length in lengths)


def _two_layers(length: int) -> int:
    model = constructions.dyck_transformer(length)
    return model.width * model.heads


def _one_layer(length: int) -> int:
    bits = constructions.dyck_transformer(length).precision.bits
    return bounds.model("transformer", width=1, precision=bits, task="dyck", length=length).smallest_width or 1
