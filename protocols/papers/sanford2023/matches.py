"""Match2, which one attention unit computes; Match3, and which relatives of it one or two layers compute."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from math import isqrt
from typing import Any

import numpy as np

from ccsim import bounds, models, problems
from ccsim.claims import Constant, Direction, Finding, Role, param, sizes_up_to
from ccsim.errors import InputError
from protocols import constructions, reductions
from protocols.papers.checks import Looked, built, compared, drawn_words, grown, least_number, reduced, require_growth
from protocols.papers.sanford2023.averages import ALL_OF_IT, doubled
from protocols.papers.sources import OURS
from protocols.papers.sources import SANFORD_2023 as PAPER
from protocols.reductions import task_reductions

MOST_WORDS = 1 << 10  # up to so many words are all run where sizes grow
DRAWN = 16

numbers = partial(param, "N", meaning="numbers in the word")
modulus = partial(param, "M", meaning="the modulus", low=2)
MATCH2_BITS = "1 + Max(1, L(ceiling(log(18*N)))) + Max(L(8*ceiling(M**2*log(6*N))), L(16*N))"
LARGER = ({"length": 3, "modulus": 11}, {"length": 4, "modulus": 7}, {"length": 5, "modulus": 5})

BLANK = "a blank row at the end"
QUERIES_AND_KEYS = (
    "width counts the numbers in a query, a key or a value; the rows that they are cut from may have more"
)
WINDOWS = (
    "ours: the width is (2K + 1) (ceiling(log2 M) + 6 ceiling(log2 N)), where 2K + 1 <= 3K, M <= N^2, and "
    "ceiling(log2 N) <= 4/3 log2 N from N = 4 on"
)

pair = partial(
    PAPER.claim,
    "the positive result for Match2",
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    built="modified: c is taken off all logits, as the printed matrices do not exist on R^3; no weight changes",
    tags=("match2", "attention", "construction"),
)
triple = partial(
    PAPER.claim,
    direction=Direction.CONSTRUCTION,
    unit="numbers",
    built="ours: the slides print no construction",
    tags=("match3", "attention", "construction"),
)
local = partial(
    triple,
    "Match3Local",
    formula="c*K*log(N, 2)",
    ours="Min(2*K + 1, N)*(L(M) + 6*L(N))",
    hypotheses=(
        ALL_OF_IT,
        "M <= N^2",
        "the digits of a row cannot be misread, whatever the others are: by the weights, exactly; some words are run",
        "the construction is ours: sparse averages of binary digits",
    ),
)


@pair(
    name="match2",
    formula="3",
    ours="3",
    hypotheses=(
        "width counts the numbers in a row, a query, a key or a value",
        BLANK,
        "c is taken off all logits, which changes no weight: docs/errata.md",
    ),
    sizes=LARGER,
)
def match2(length: int = numbers(4), modulus: int = modulus(7)) -> Finding:
    """One attention unit of width 3 computes Match2."""
    model = constructions.match2_unit(length, modulus, row=None)
    measured = max(_width_of_rows(model), _width(model))
    task = problems.match2(length, modulus, row=None)
    return built(model, task, measured, facts={"precision": model.precision.bits})


@pair(
    name="match2-precision",
    formula="c*log(M, 2)",
    ours=MATCH2_BITS,
    ours_exact=False,
    unit="bits",
    constant=Constant("8", "ours, for N <= M and M >= 4: docs/proofs/match2.md", along="modulus"),
    hypotheses=(
        "the fewest bits for which the proof of margins goes through, for all words",
        "words are run from each class: the symbol in the row that is asked, and how many match it",
    ),
)
def bits_over_modulus(length: int = numbers(4), modulus: int = modulus(256, low=8)) -> Finding:
    """Numbers of O(log M) bits are enough for it."""

    def look(size: int) -> Looked:
        bits = next(bits for bits in range(4, 61) if _margins_are_proved(length, size, bits))
        wrong, count = _on_classes(constructions.match2_unit(length, size, precision=bits))
        return Looked(bits, count, size * length, wrong)

    return grown(doubled("modulus", modulus, low=max(4, length)), look)


@OURS.claim(
    "docs/proofs/match2.md",
    name="match2-precision",
    direction=Direction.CONSTRUCTION,
    sharpens="sanford2023-match2-precision",
    formula=MATCH2_BITS,
    ours=MATCH2_BITS,
    hypotheses=("c = M^2 ln(6N), as printed, rounded up", "a blank row at the end"),
    sizes=({"modulus": 16}, {"modulus": 64}, {"modulus": 256}),
    tags=("match2", "attention", "construction"),
)
def bits_with_the_shift(length: int = numbers(4, low=2), modulus: int = modulus(16, low=3)) -> Finding:
    """Match2 with c taken off all logits is right on every word in 2 log2 M + 2 log2 ln N bits and a few more: no logit
    but those near the largest has to be held, so the integer part takes log2 ln N bits and not log2 c.

    In as many bits logits as printed, larger by c, mostly give a wrong answer.
    """
    model = constructions.match2_unit(length, modulus)
    wrong, count = _on_classes(model)
    printed = constructions.match2_unit(length, modulus, precision=model.precision.bits, shifted=False)
    mistakes, _ = _on_classes(printed)
    facts = {"logits as printed, in as many bits": mistakes[0] if mistakes else "right on one word of each class"}
    return Finding(measured=model.precision.bits, checked=count, of=modulus * length, violations=wrong, facts=facts)


def _margins_are_proved(length: int, modulus: int, bits: int) -> bool:
    """Whether the proof of margins accepts the unit of so many bits; too few bits for its numbers are refused."""
    symbols = np.arange(modulus + 1)[:, None]
    try:
        unit: Any = constructions.match2_unit(length, modulus, precision=bits).layers[0].attention
    except InputError:
        return False
    return constructions.matching_margin(unit, length, symbols[:-1], symbols)


def _on_classes(model: Any) -> tuple[tuple[str, ...], int]:
    """What is wrong with a unit on any word, with how many words it was run: one of each class.

    A class is the symbol in row 1 and how many others match it. The rest of a word, here next to a match on either side
    of it, cannot change the answer where the margins are proved.
    """
    length, size = model.length, len(model.alphabet)

    def words() -> Iterator[list[int]]:
        for symbol, count in product(range(size), range(length)):
            near = [(-symbol + (1 if place % 2 else -1)) % size for place in range(length - 1 - count)]
            yield [symbol, *[-symbol % size] * count, *near]

    return compared(model, problems.match2(length, size), lambda _: np.array(list(words())), most=0)


@PAPER.claim(
    "the negative result for Match3, the proof idea",
    name="match3",
    role=Role.STEP,
    direction=Direction.LOWER,
    formula="(N - 1)/2",
    ours="(N - 1)/2",
    hypotheses=(
        "any M of at least N + 1",
        "one of the two knows the answer at the end; both know the first number",
        "the numbers are ours, one encoding for M = N + 1 and N + 2 and one from N + 3 on: the slides only say "
        "which triples are to add up to 0",
    ),
    sizes=(
        {"modulus": 6, "encoding": "tight"},
        {"modulus": 7, "encoding": "tight"},
        {"modulus": 8, "encoding": "wide"},
        {"length": 9, "modulus": 12, "encoding": "wide"},
    ),
    tags=("match3", "intersection"),
)
def match3(
    length: int = numbers(5, low=5, step=2),
    modulus: int = modulus(8, low=6),
    encoding: str = param("encoding", "wide", "how sets become numbers", choices=("wide", "tight")),
) -> Finding:
    """Match3 at one row of N numbers tells whether two sets of (N - 1)/2 meet, which takes as many bits.

    The first number is the same in all words, each party's numbers depend on its own set alone, and Match3 is asked by
    looking at all pairs.
    """
    reduction = task_reductions.intersection_to_match3((length - 1) // 2, encoding, modulus)
    return reduced(reduction, bounds.deterministic(reduction.source, answer="bob"))


@PAPER.claim(
    "lower bound for Match3",
    name="match3-width",
    direction=Direction.LOWER,
    formula="c*N/(p*H*log(log(N, 2), 2))",
    constant=Constant("1/22", "ours: docs/proofs/softmax_protocol.md; the source's was not in what was read"),
    unit="",
    hypotheses=(
        "M = N + 1",
        "p of log2(N + 1) or more, so that a number of the input is a number of the layer",
        "the row that is asked for is read out",
    ),
    sizes=({}, {"heads": 4}),
    tags=("match3", "transformer"),
)
def match3_width(
    length: int = param("N", 4161, "numbers in the word, below N + 1", low=5, step=2),
    precision: int = param("p", 16, "bits of a number", low=3),
    heads: int = param("H", 1, "attention heads"),
) -> Finding:
    """One layer of H heads that computes Match3 has width Omega(N/(p H log log N)).

    The least width of a head whose protocol says as many bits as Match3 modulo N + 1 needs, at each size. Both are
    formulas: neither is executed at the lengths at which that excludes something.
    """

    def least(n: int) -> int:
        size = {"heads": heads, "precision": precision, "length": n, "symbols": n + 1}
        return least_number(lambda width: bounds.softmax_bits(head_width=width, **size) >= (n + 1) // 2)

    sizes = sorted({max(5, (length - 1 >> halvings) | 1) for halvings in range(7)})
    widths = [least(n) for n in sizes]
    require_growth(length, widths)
    return Finding(
        series=tuple(zip(sizes, widths, strict=True)),
        calculated=True,
        outside="" if length < 1 << precision else "p of log2(N + 1) or more",
        facts={"bits that it needs": (length + 1) // 2},
    )


@triple(
    "Match3Bigram",
    name="match3-bigram",
    formula="3",
    ours="3",
    hypotheses=(
        QUERIES_AND_KEYS,
        BLANK,
        "each row knows its position; how to come by the sum of neighbours is ours, by fetching the next number",
    ),
    sizes=LARGER,
)
def bigram(length: int = numbers(4), modulus: int = modulus(7)) -> Finding:
    """Two layers of width 3 compute Match3 for neighbours."""
    model = constructions.match3_bigram_transformer(length, modulus, row=None)
    return built(model, problems.match3_bigram(length, modulus, row=None), _width(model))


@local(name="match3-local", constant=Constant("32", WINDOWS))
def local_over_length(
    length: int = numbers(256, low=8), modulus: int = modulus(7), window: int = param("K", 1, "how far away")
) -> Finding:
    """One layer of width O(K log N) computes Match3 for positions at most K away."""
    sizes = doubled("length", length, low=max(4, isqrt(modulus - 1) + 1))
    return grown(sizes, lambda size: _local(size, modulus, window))


@local(
    name="match3-local-over-window",
    constant=Constant(
        "32", WINDOWS, along="window", short="windows of 64 take minutes: five sizes over a factor of 16"
    ),
)
def local_over_window(
    window: int = param("K", 16, "how far away", low=2),
    length: int = numbers(33, low=4),
    modulus: int = modulus(7),
) -> Finding:
    """One layer of width O(K log N) computes Match3 for positions at most K away, for wider and wider windows."""
    if modulus > length**2:
        raise InputError("modulus", modulus, f"at most {length**2}, so that digits are few")
    return grown(sizes_up_to(window), lambda size: _local(length, modulus, size))


def _local(length: int, modulus: int, window: int) -> Looked:
    """The numbers in a row; a row at either end and one in the middle are asked."""
    model = constructions.match3_local_unit(length, modulus, window)
    found = [
        _looked(replace(model, row=row), problems.match3_local(length, modulus, window, row), _width_of_rows(model))
        for row in sorted({1, length // 2 + 1, length})
    ]
    wrong = [fault for each in found for fault in each.wrong]
    return Looked(found[0].value, sum(each.checked for each in found), sum(each.of for each in found), wrong)


def _looked(model: Any, task: problems.SequenceTask, width: int) -> Looked:
    """A width of a model whose answers are compared with a task: on all words if they are few, else on some."""
    wrong, checked = compared(model, task, partial(drawn_words, count=DRAWN), most=MOST_WORDS)
    return Looked(width, checked, task.words.size, wrong)


@triple(
    "third-order tensor attention",
    name="match3-third-order",
    formula="c",
    ours="5",
    constant=Constant("5", "ours: four products for the cosine of a sum of three angles, and one for the blank row"),
    hypotheses=(
        "the slides say 'efficient' and give no size",
        QUERIES_AND_KEYS,
        BLANK,
        "all words are run up to N = 4",
    ),
)
def third_order(length: int = numbers(64, low=2), modulus: int = modulus(5)) -> Finding:
    """One unit of third-order attention of a width that does not grow computes Match3."""

    def look(size: int) -> Looked:
        model = constructions.match3_tensor(size, modulus)
        return _looked(model, problems.match3(size, modulus), _width(model))

    return grown(sizes_up_to(length), look)


@triple(
    "assisted Match3",
    name="match3-assisted",
    formula="c",
    ours="3",
    constant=Constant("3", "ours: points of a circle and a constant, in both layers"),
    hypotheses=(
        "the slides do not say what the assistance is: each number comes with the position of a partner here",
        "and give no size",
        QUERIES_AND_KEYS,
        BLANK,
        "all words are run up to N = 2, with whatever hints; of longer words some",
    ),
)
def assisted(length: int = numbers(64, low=2), modulus: int = modulus(5)) -> Finding:
    """A transformer of two layers of a width that does not grow computes Match3 with assistance.

    Where hints are honest, the answer that it must give is that of Match3.
    """

    def look(size: int) -> Looked:
        model, task = (
            constructions.assisted_match3_transformer(size, modulus),
            constructions.assisted_match3(size, modulus),
        )
        found = _looked(model, task, _width(model))
        return found._replace(wrong=[*found.wrong, *_misled(task, problems.match3(size, modulus), modulus)])

    return grown(sizes_up_to(length), look)


def _misled(task: problems.SequenceTask, plain: problems.SequenceTask, modulus: int) -> list[str]:
    """Some words in which each number comes with the position of a partner, if it has one, and answers are others."""
    wrong = []
    for row in drawn_words(plain, count=DRAWN):
        word: tuple[Any, ...] = tuple(plain.alphabet[rank] for rank in row)
        partners = [
            [place for place, b in enumerate(word, 1) if any((a + b + c) % modulus == 0 for c in word)] for a in word
        ]
        hinted = tuple((own, places[0] if places else 1) for own, places in zip(word, partners, strict=True))
        wrong += [] if task(hinted) == plain(word) else [f"an honest hint misleads in {hinted}"]
    return wrong


def _width(model: Any) -> int:
    names = ("query", "key", "value", "first_key", "second_key", "first_value", "second_value")
    units = [layer.attention for layer in model.layers]
    return max(int(getattr(unit, name).weights.shape[1]) for unit in units for name in names if hasattr(unit, name))


def _width_of_rows(model: Any) -> int:
    word = np.zeros((1, model.length), dtype=np.int64)
    return int(model.layers[0].attention.embed(model.rows(word)).shape[-1])


@PAPER.claim(
    "conjecture",
    direction=Direction.OPEN,
    unit="",
    hypotheses=("two forms: the talk has m H D = Omega(N/log N), the lecture N^Omega(1) for some of the sizes",),
    tags=("match3", "transformer"),
)
def conjecture(
    length: int = param("N", 4, "symbols in the word of the model that is refused", low=2, step=2),
) -> Finding:
    """Match3 by D layers of H heads needs m H D of order N/log N, or some size that grows with a power of N.

    What runs one layer as a protocol refuses two, so that nothing here says anything about more layers.
    """
    sizes: Any = {"length": length, "width": 4, "layers": 2, "heads": 2, "precision": 8, "seed": 0}
    model: Any = models.Transformer.random("01", **sizes)
    return Finding.of_refusal(
        lambda: reductions.max_logit_softmax(model, problems.Partition.odd_even(length)),
        "Corollary 13.1",
        exact=False,
        note="no execution at a size can settle it",
    )
