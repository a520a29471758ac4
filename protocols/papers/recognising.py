"""Languages that attention recognises, or cannot: word by word, beside the definitions in plain Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import NamedTuple

import numpy as np

from ccsim import models
from ccsim.arrays import Array
from ccsim.claims import Finding
from ccsim.families.monoid import transition_monoid
from ccsim.models import automata
from protocols.constructions import languages
from protocols.constructions.languages import Always, And, Formula, Not, Position, Since, Symbol, before, previous

__all__ = [
    "MODULAR",
    "STAR_FREE",
    "circuits",
    "heads_for_parity",
    "layer_fails_on_parity",
    "majority",
    "modular",
    "parity_by_soft_attention",
    "parity_margin",
    "shuffled_brackets",
    "star_free",
]

MOST_TOLD = 3
TRIED_UP_TO = 3  # bits of a word, for which all sets of heads are tried
CIRCUITS = 8  # models that are drawn for each setting
A, B, C = (Symbol(symbol) for symbol in "abc")
FIRST = Not(before(Always()))


class Defined(NamedTuple):
    """A language by its symbols, a regular expression, and a formula that holds at the end mark."""

    symbols: str
    expression: str
    formula: Formula


STAR_FREE = {
    "contains-ab": Defined("ab", "(a|b)*ab(a|b)*", before(And(B, previous(A)))),
    "ab-star": Defined(
        "ab",
        "(ab)*",
        And(Not(previous(A)), Not(before(And(Not(And(A, Not(previous(A)))), Not(And(B, previous(A))))))),
    ),
    "sorted": Defined("ab", "a*b*", Not(before(And(A, before(B))))),
    "a-then-only-c": Defined("abc", "(a|b|c)*ac*", Since(C, A)),
    "first-is-last": Defined(
        "ab",
        "a|b|a(a|b)*a|b(a|b)*b",
        Not(And(Not(And(previous(A), before(And(A, FIRST)))), Not(And(previous(B), before(And(B, FIRST)))))),
    ),
}
MODULAR = {
    "even-length": Defined("a", "(aa)*", Position(2, 1)),
    "a-at-even-places": Defined("ab", "((a|b)a)*(a|b)?", Not(before(And(B, Position(2, 0))))),
    "b-at-multiples-of-three": Defined("ab", "((a|b)(a|b)b)*((a|b)(a|b)?)?", Not(before(And(A, Position(3, 0))))),
}


def majority(length: int) -> Finding:
    """Words of bits up to a length that one averaging head gets wrong."""
    return _recognised(
        languages.MajorityByAverages(), lambda word: int(word.count("1") > word.count("0")), range(1, length + 1)
    )


def shuffled_brackets(length: int, kinds: int) -> Finding:
    """Words of brackets up to a length that two averaging layers get wrong."""
    return _recognised(languages.ShuffledDyckByAverages(kinds), _balanced_by_kind, range(1, length + 1))


def parity_by_soft_attention(length: int) -> Finding:
    """Words of bits up to a length whose parity two layers of soft attention get wrong."""
    return _recognised(languages.ParityBySoftAttention(), lambda word: word.count("1") % 2, range(1, length + 1))


def star_free(length: int, language: str) -> Finding:
    """Words that hard attention without positions gets wrong; the language is checked to be star-free."""
    return _defined(STAR_FREE[language], length, aperiodic=True)


def modular(length: int, language: str) -> Finding:
    """Words that hard attention with positions modulo a number gets wrong; the language is not star-free."""
    return _defined(MODULAR[language], length, aperiodic=False)


def _balanced_by_kind(word: str) -> int:
    """Whether the brackets of each kind, the others erased, cancel."""
    for pair in ("()", "[]", "{}", "<>"):
        rest = "".join(symbol for symbol in word if symbol in pair)
        while pair in rest:
            rest = rest.replace(pair, "")
        if rest:
            return 0
    return 1


def _defined(language: Defined, length: int, aperiodic: bool) -> Finding:
    model = languages.hard_attention(language.formula, language.symbols)
    least = automata.from_regular_expression(language.expression, language.symbols)
    found = _recognised(model, lambda word: int(re.fullmatch(language.expression, word) is not None), range(length + 1))
    wrong = found.violations
    if transition_monoid(least).is_aperiodic is not aperiodic:
        wrong += (f"{language.expression} is {'not ' * aperiodic}star-free",)
    if model.attention_layers != languages.nesting(language.formula):
        wrong += (f"{model.attention_layers} layers for a formula nested {languages.nesting(language.formula)} times",)
    return found.but(violations=wrong, facts={"layers": model.attention_layers})


def _recognised(model: models.SequenceModel, right: Callable[[str], int], lengths: Iterable[int]) -> Finding:
    """How many words of these lengths a model gets wrong, of all."""
    wrong: list[str] = []
    checked = 0
    for length in lengths:
        words = ["".join(map(str, word)) for word in product(model.alphabet, repeat=length)]
        rows = np.array(list(product(range(len(model.alphabet)), repeat=length)), dtype=np.int64)
        wanted = np.array([right(word) for word in words])
        given = np.array(model.answers)[model.codes(rows.reshape(len(words), length))]
        wrong += [f"wrong on {words[place]!r}" for place in np.flatnonzero(given != wanted)]
        checked += len(words)
    symbols = len(model.alphabet)
    of = sum(symbols**length for length in lengths)
    return Finding(measured=len(wrong), checked=checked, of=of, violations=tuple(wrong[:MOST_TOLD]))


def parity_margin(length: int) -> Finding:
    """The least distance from 0 of the number whose sign is the parity, on all words of a length."""
    rows = np.array(list(product((0, 1), repeat=length)), dtype=np.int64)
    differences = languages.ParityBySoftAttention().differences(rows)
    least = min(abs(Fraction(difference)) for difference in differences)
    return Finding(measured=least, checked=len(rows), of=2**length)


def layer_fails_on_parity(heads: int) -> Finding:
    """The least heads on words of one bit more than there are of these; they must not be enough.

    Up to 3 bits all sets of heads are tried. Beyond, each head's choice is seen to be settled by one bit, so that
    these heads leave a bit that nobody looks at: the number is that of the proof, and calculated.
    """
    length = heads + 1
    choices = languages.choices_of_heads(length)
    wrong = [f"a head whose choice no bit settles: {each.tolist()}" for each in choices if not _settled(each, length)]
    if length > TRIED_UP_TO:
        return Finding(measured=heads + 1, calculated=True, checked=len(choices), violations=tuple(wrong[:MOST_TOLD]))
    found = heads_for_parity(length)
    checked, wrong = len(choices) + found.checked, [*wrong[:MOST_TOLD], *found.violations]
    return Finding(measured=found.measured, checked=checked, of=checked, violations=tuple(wrong))


def heads_for_parity(length: int) -> Finding:
    """The least number of heads with which a layer settles parity, by all heads that there are."""
    choices = _different(languages.choices_of_heads(length))
    checked = 0
    for heads in range(length):
        tried = list(combinations_with_replacement(choices, heads))
        checked += len(tried)
        if any(languages.settles_parity(length, each) for each in tried):
            return Finding(measured=heads, checked=checked, of=checked)
    bits = [np.arange(1 << length) >> place & 1 for place in range(length)]
    each_a_position = [2 * place + bit for place, bit in enumerate(bits)]
    among = {_canonical(choice) for choice in choices}
    wrong = [] if all(_canonical(head) in among for head in each_a_position) else ["no head reads one position"]
    if not languages.settles_parity(length, each_a_position):
        wrong.append("a head for each position is not enough")
    return Finding(measured=length, checked=checked + 1, of=checked + 1, violations=tuple(wrong), achieved=length)


def _settled(choice: Array, length: int) -> bool:
    """Whether a single bit, fixed rightly, makes a head choose the same for all words that have it."""
    words = np.arange(1 << length)
    return any(len(set(choice[(words >> place & 1) == bit].tolist())) == 1 for place in range(length) for bit in (0, 1))


def _canonical(choice: Array) -> tuple[int, ...]:
    """Words numbered by what is chosen, in order of first appearance: what is known, whatever it is called."""
    number: dict[int, int] = {}
    return tuple(number.setdefault(pair, len(number)) for pair in choice.tolist())


def _different(choices: Iterable[Array]) -> list[Array]:
    """One head of each kind that tells the same words apart."""
    return list({_canonical(choice): choice for choice in choices}.values())


def circuits(length: int, layers: int) -> Finding:
    """The depth of circuits for drawn models with leftmost hard attention, which must answer alike on all words."""
    rows = np.array(list(product((0, 1), repeat=length)), dtype=np.int64)
    drawn = [languages.TabulatedHardAttention.random(length, layers, seed) for seed in range(CIRCUITS)]
    made = [model.circuit() for model in drawn]
    wrong = [
        f"model {seed} and its circuit differ on {rows[place].tolist()}"
        for seed, (model, circuit) in enumerate(zip(drawn, made, strict=True))
        for place in np.flatnonzero(model.codes(rows) != circuit.values(rows))[:1]
    ]
    most = 1 + length + layers * length * (4 * length + 4)
    wrong += [f"{circuit.size} gates, more than {most}" for circuit in made if circuit.size > most]
    answers = {tuple(model.codes(rows).tolist()) for model in drawn}
    return Finding(
        measured=max(circuit.depth for circuit in made),
        checked=CIRCUITS * len(rows),
        of=CIRCUITS * 2**length,
        violations=tuple(wrong[:MOST_TOLD]),
        facts={
            "gates": max(circuit.size for circuit in made),
            "gates at most": most,
            "different functions": len(answers),
        },
    )
