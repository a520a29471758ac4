"""Bounded Dyck languages by what is small: simple networks, two layers and three (section 4.1); one layer is not."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ccsim import auditing, bounds, models, problems
from ccsim.claims import Constant, Direction, Finding, param, sizes_up_to
from ccsim.plots import Line, Plot
from protocols import constructions
from protocols.papers.bhattamishra2024.constructions import EVERY_WORD, Case, growth, linear
from protocols.papers.checks import built
from protocols.papers.sources import BHATTAMISHRA_2024 as PAPER
from protocols.papers.sources import OURS, lengths

KINDS = 2  # of brackets
LOW = 6  # the least length, at which all 4096 words are gone through
LAYERS = "docs/proofs/dyck_layers.md"
LENGTH = param("N", 384, "length of the input", low=6, step=2)

section = partial(PAPER.claim, "Section 4.1", direction=Direction.CONSTRUCTION)


@section(
    name="section-4-1-dyck-by-a-simple-network",
    formula="c",
    constant=Constant("32", "a unit for each of 8 states and 4 symbols (protocols/constructions/automaton_network.py)"),
    unit="units",
    sizes=({"activation": "relu"}, {"activation": "sigmoid"}),
    tags=("recurrent", "dyck", "construction"),
    hypotheses=(
        "all words of each length, by products of states; one network for all lengths",
        "networks of ours; those that are cited have fewer units for large depth",
    ),
)
def by_a_simple_network(
    length: int = param("N", 512, "length of the input", low=2, step=2),
    activation: str = param("f", "relu", "kind of unit", choices=("relu", "sigmoid")),
) -> Finding:
    """Recurrent networks of constant width recognise Dyck-(2,2) with standard activation functions: sigmoid, ReLU."""
    network = constructions.automaton_network(models.dyck_automaton(2, 2), activation)
    found = {size: auditing.audit(network, problems.dyck(size)) for size in sizes_up_to(length, low=2, step=2)}
    wrong = (f"{size} symbols: {each.reason}" for size, each in found.items() if each.verdict != "right")
    return Finding(
        series=tuple((size, network.units) for size in found),
        checked=sum(each.words or 0 for each in found.values()),
        of=sum(4**size for size in found),
        violations=tuple(wrong),
        facts={"bits of state": network.state_bits},
    )


def beside_one_layer() -> tuple[Plot, ...]:
    """Width times heads against N: what two layers have, what one layer needs, and what one layer has."""
    built, needed = [], []
    for length in (2**k for k in range(3, 17)):
        model = constructions.dyck_transformer(length)
        least = bounds.model("transformer", width=1, precision=model.precision.bits, task="dyck", length=length)
        built.append((length, model.width * model.heads))
        needed.append((length, least.smallest_width or 1))
    return (
        Plot(
            title="Dyck-(2,2): width times heads, one layer and two",
            x="N, length of the word",
            y="width x heads",
            lines=(
                Line("two layers, built", tuple(built), measured=True),
                Line("one layer, built (uniform attention)", tuple((length, 2 * length) for length, _ in built)),
                Line("one layer, at least (in the numbers of the two)", tuple(needed)),
            ),
            logarithmic=True,
            note="Two layers are no wider for longer words; one layer is as wide as a word is long, up to a logarithm",
        ),
    )


by_two_layers = partial(
    section,
    tags=("transformer", "two-layers", "dyck", "construction"),
    hypotheses=(
        "every word of 6 symbols, beyond these words of the language and words that miss it by one or two symbols",
    ),
)


@by_two_layers(
    name="section-4-1-dyck-by-two-layers",
    formula="c",
    constant=Constant("11", f"9 numbers, and two codes of one sign ({LAYERS})"),
    unit="numbers",
    plots=beside_one_layer,
)
def two_layers_width(length: int = LENGTH) -> Finding:
    """Two-layer transformers can model bounded Dyck languages: two layers, of a width that does not grow with N, say
    whether a word is in Dyck-(2,2)."""
    return _recognised(length, "width")


@by_two_layers(
    name="section-4-1-dyck-by-two-layers-precision",
    formula="c*log(N, 2)",
    constant=Constant("4", f"steps of 1/N or less, numbers up to 3N ln 2N ({LAYERS})"),
)
def two_layers_precision(length: int = LENGTH) -> Finding:
    """Their precision is O(log N)."""
    return _recognised(length, "precision")


def _recognised(length: int, quantity: str, depth: int = 2, layers: int = 2) -> Finding:
    """Transformers that say whether a word is in Dyck-(2, depth), over many lengths."""

    def case(size: int) -> Case:
        model = constructions.dyck_transformer(size, KINDS, depth, layers=layers)
        cut = replace(model, position_embedding=model.positions(size)[:-2])
        shorter = [(cut, problems.dyck(size - 2, KINDS, depth))] if size == LOW else []
        return Case(model, problems.dyck(size, KINDS, depth), partial(_words, depth=depth), others=shorter)

    return growth(case, length, quantity, LOW)


def _words(task: problems.SequenceTask, count: int, depth: int) -> Any:
    """Words of the language, each followed by one that misses it: a symbol, or the order of two, is changed; the last
    one is a level too deep at its beginning, if that is not too long."""
    generator, words = random.Random(task.length), list[list[int]]()
    for number in range(-(-count // 2)):
        word = _walk(generator, task.length, depth)
        other, place = list(word), generator.randrange(task.length - 1)
        if number % 2:
            other[place : place + 2] = other[place + 1], other[place]
        else:
            other[place] = generator.choice([symbol for symbol in range(2 * KINDS) if symbol != word[place]])
        words += [word, other]
    kind, rest = generator.randrange(KINDS), task.length - 2 * (depth + 1)
    if rest >= 0:
        words[-1] = [2 * kind] * (depth + 1) + [2 * kind + 1] * (depth + 1) + _walk(generator, rest, depth)
    return np.array(words)


def _walk(generator: random.Random, length: int, depth: int) -> list[int]:
    """A word of the language, of even length: its symbols by their places among all."""
    word, stack = list[int](), list[int]()
    while len(word) < length:
        if stack and (len(stack) == min(depth, length - len(word)) or generator.random() < 0.5):
            word.append(2 * stack.pop() + 1)
        else:
            stack.append(generator.randrange(KINDS))
            word.append(2 * stack[-1])
    return word


@by_two_layers(
    name="section-4-1-next-brackets-by-two-layers",
    formula="c*(8 + k)",
    constant=Constant("1", f"6 + k numbers, and two codes of one sign ({LAYERS})"),
    unit="numbers",
    sizes=({"depth": 2}, {"depth": 4}),
)
def next_brackets(length: int = LENGTH, depth: int = param("k", 2, "brackets that may be open at once")) -> Finding:
    """Two layers, of a width that does not grow with N, say which symbols may follow each prefix of Dyck-(2,k): so the
    source that is cited models the language, for any k.

    At the least length a word must belong to the language exactly if each symbol may follow, and the end the last one.
    """

    def case(size: int) -> Case:
        model = constructions.next_brackets_transformer(size, KINDS, depth)
        return Case(model, constructions.next_brackets(size, KINDS, depth), partial(_prefixes, depth=depth))

    model, belongs = case(LOW).model, models.dyck_automaton(KINDS, depth)
    words = np.indices((2 * KINDS,) * LOW).reshape(LOW, -1).T
    codes, wrong = model.outputs_at(words, np.arange(LOW)).argmax(axis=-1), []
    for row, given in zip(words.tolist(), codes.tolist(), strict=True):
        word = [model.alphabet[rank] for rank in row]
        allowed = [model.alphabet[::2], *(model.answers[code] for code in given)]
        if all(symbol in may for symbol, may in zip([*word, "[EOS]"], allowed, strict=True)) != belongs("".join(word)):
            wrong.append(f"{''.join(word)} is modelled wrongly")
    found = growth(case, length, "width", LOW)
    violations, of = (*found.violations, *wrong[:1]), (found.of or 0) + (2 * KINDS) ** LOW
    return found.but(violations=violations, checked=found.checked + len(words), of=of)


def _prefixes(task: problems.SequenceTask, count: int, depth: int) -> Any:
    """Words that may go on, with any number of brackets open at the end, and some that may not."""
    generator, longer = random.Random(task.length), task.length + 2 * depth
    words = [_walk(generator, longer, depth)[: task.length] for _ in range(count)]
    for word in words[::4]:
        word[-1] = generator.randrange(2 * KINDS)
    return np.array(words)


by_layers = partial(
    OURS.claim,
    LAYERS,
    direction=Direction.CONSTRUCTION,
    sharpens="bhattamishra2024-section-4-1-dyck-by-two-layers",
    unit="numbers",
    hypotheses=("every word of 6 symbols, beyond these words of the language and words that nearly are",),
)
WORD = param("N", 384, "length of the word", low=6, step=2)


@by_layers(
    name="dyck-by-two-layers-at-depth-3",
    formula="c",
    constant=Constant("13", f"9 numbers, and four codes of one sign ({LAYERS})"),
    tags=("transformer", "two-layers", "dyck", "construction"),
)
def two_layers_at_depth_3(length: int = WORD) -> Finding:
    """Two layers, of a width that does not grow with N, say whether a word is in Dyck-(2,3)."""
    return _recognised(length, "width", depth=3)


@by_layers(
    name="dyck-by-three-layers",
    formula="c*(11 + k)",
    constant=Constant("1", f"9 + k numbers, and two codes of one sign ({LAYERS})"),
    sizes=({"depth": 4},),
    tags=("transformer", "dyck", "construction"),
)
def three_layers(length: int = WORD, depth: int = param("k", 4, "brackets that may be open at once")) -> Finding:
    """Three layers, of a width that does not grow with N, say whether a word is in Dyck-(2,k), for every k."""
    return _recognised(length, "width", depth, layers=3)


@linear(
    name="dyck-linear-width",
    sharpens="bhattamishra2024-theorem-5",
    sizes=lengths(4, 6, 8),
    tags=("transformer", "dyck", "construction"),
    hypotheses=(EVERY_WORD, "ceiling(log2(6N + 1)) bits; layers of relu units after the head"),
)
def by_one_layer(length: int = param("N", 4, "length of the input", low=2, step=2)) -> Finding:
    """One layer of width 2N with one head and uniform attention recognises Dyck-(2,2): linear width is enough."""
    model, task = constructions.dyck_by_uniform_attention(length), problems.dyck(length)
    return built(model, task, model.width, facts={"precision": model.precision.bits})
