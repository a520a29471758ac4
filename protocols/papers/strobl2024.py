"""Formal languages and transformers: what the survey of Strobl and others 2024 lists, executed word by word."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from itertools import combinations_with_replacement, product
from math import comb
from typing import NamedTuple

import numpy as np

from ccsim import models
from ccsim.claims import Direction, Finding, param
from ccsim.errors import Array
from ccsim.families.monoid import transition_monoid
from ccsim.models import from_regular_expression
from protocols.constructions import languages
from protocols.constructions.languages import Always, And, Formula, Not, Position, Since, Symbol, before, previous
from protocols.papers.checks import Tally, words_of_bits
from protocols.papers.sources import OURS, SLIDES, lengths
from protocols.papers.sources import STROBL_2024 as PAPER

ALL_WORDS = "all words up to a length, in exact arithmetic"
AVERAGED = "all words up to a length, in steps that are finer than averages of so many symbols"
LONGEST = "length of the longest words; all are checked"
PROOF = "docs/proofs/parity_by_attention.md"
TRIED_UP_TO = 3  # bits of a word, for which all sets of heads are tried
CIRCUITS = 8  # models that are drawn for each setting

recognised = partial(
    PAPER.claim,
    direction=Direction.CONSTRUCTION,
    formula="0",
    unit="words that are wrong",
    tags=("formal-languages", "construction"),
)
of_parity = partial(OURS.claim, PROOF, direction=Direction.EXACT, tags=("formal-languages",))


def _listed(row: str) -> str:
    return f"table of surveyed claims, row '{row}', {SLIDES}"


@recognised(
    _listed("MAJORITY, Perez et al. 2019, none, average-hard"),
    name="majority",
    hypotheses=(AVERAGED, "one head in one layer"),
)
def majority(length: int = param("N", 10, LONGEST)) -> Finding:
    """Transformers with average-hard attention and no positions recognise MAJORITY."""
    model = languages.majority_transformer(length)
    return _wrong_words(model, lambda word: word.count("1") > word.count("0"), range(1, length + 1))


@recognised(
    _listed("SHUFFLE-DYCK-k, Bhattamishra et al. 2020a, none, softmax, future mask"),
    name="shuffle-dyck",
    hypotheses=(AVERAGED, "two layers, all of whose scores are 0"),
    sizes=({}, {"kinds": 1, "length": 10}),
)
def shuffled_brackets(length: int = param("N", 5, LONGEST), kinds: int = param("k", 2, "kinds of brackets")) -> Finding:
    """Transformers with softmax, future mask and no positions recognise SHUFFLE-DYCK-k."""

    def balanced_by_kind(word: str) -> bool:
        for pair in ("()", "[]", "{}", "<>"):  # those of a kind, the others erased, have to cancel
            kind = "".join(symbol for symbol in word if symbol in pair)
            while pair in kind:
                kind = kind.replace(pair, "")
            if kind:
                return False
        return True

    return _wrong_words(languages.shuffled_dyck_transformer(kinds, length), balanced_by_kind, range(1, length + 1))


@recognised(
    _listed("Parity, Chiang and Cholak 2022, i/n, (-1)^i, softmax"),
    name="parity-soft",
    built="ours: a stand-in, whose averages are computed from the weights of the heads, without queries and keys",
    hypotheses=(ALL_WORDS, "two layers; scores of ln(3)/2 either way, so that all weights are fractions"),
)
def parity_by_soft_attention(length: int = param("N", 8, LONGEST)) -> Finding:
    """Transformers with softmax and the positions i/n and (-1)^i recognise PARITY."""
    return _wrong_words(languages.ParityBySoftAttention(), lambda word: word.count("1") % 2, range(1, length + 1))


@of_parity(
    name="parity-margin",
    sharpens="strobl2024-parity-soft",
    formula="1/(N + 1)**2",
    unit="",
    hypotheses=("scores of ln(3)/2 either way",),
    sizes=lengths(3, 5, 7, 9),
)
def parity_margin(length: int = param("N", 5, "bits", step=2)) -> Finding:
    """Parity by two layers of soft attention is decided by a number that is 1/(N + 1)^2 away from 0, for odd N."""
    rows = words_of_bits(length)
    least = min(abs(Fraction(difference)) for difference in languages.ParityBySoftAttention().differences(rows))
    return Finding(measured=least, checked=len(rows), of=2**length)


@PAPER.claim(
    f"'Transfomers LM with left-hard attention cannot recognize PARITY', {SLIDES}",
    name="parity-left-hard",
    direction=Direction.LOWER,
    formula="H + 1",
    unit="heads",
    instances="one layer",
    hypotheses=(
        "one layer of H heads, on words of H + 1 bits, read at a mark behind them",
        "any scores, values and token-wise part: what heads choose is all that reaches the mark",
        "more layers: the restrictions of Hahn 2020 are not executed",
    ),
    sizes=({"heads": 1}, {"heads": 2}, {"heads": 3}),
    tags=("formal-languages",),
)
def layer_fails_on_parity(heads: int = param("H", 2, "heads of the layer")) -> Finding:
    """With left-hard attention transformers cannot recognise PARITY; here one layer of H heads, on H + 1 bits.

    Beyond 3 bits each head's choice is seen to be settled by one bit, so that these heads leave a bit that nobody looks
    at: the number is that of the proof, and calculated.
    """
    length = heads + 1
    choices = languages.choices_of_heads(length)
    words = words_of_bits(length)[:, ::-1]

    def decided(choice: Array) -> bool:
        return any(len(set(choice[bits == bit].tolist())) == 1 for bits in words.T for bit in (0, 1))

    wrong = [f"a head whose choice no bit settles: {each.tolist()}" for each in choices if not decided(each)]
    if length > TRIED_UP_TO:
        return Finding(measured=length, calculated=True, checked=len(choices), violations=wrong)
    finding = heads_for_parity(length)
    checked, of = len(choices) + finding.checked, len(choices) + (finding.of or 0)
    return finding.also(wrong, checked=checked, of=of)


@of_parity(
    name="parity-heads",
    sharpens="strobl2024-parity-left-hard",
    formula="N",
    unit="heads",
    hypotheses=("every order of pairs (position, bit) for each head, and every set of heads",),
    sizes=lengths(1, 2, 3),
)
def heads_for_parity(length: int = param("N", 3, "bits")) -> Finding:
    """One layer of hard attention takes exactly N heads for the parity of N bits, read at a mark: one for each bit."""
    choices = {_kind(choice): choice for choice in languages.choices_of_heads(length)}
    tried = [list(combinations_with_replacement(choices.values(), heads)) for heads in range(length)]
    tried.append([tuple(choices[_kind(bits)] for bits in words_of_bits(length).T[::-1])])
    enough = (heads for heads, sets in enumerate(tried) for each in sets if languages.determines_parity(length, each))
    least = next(enough, length + 1)
    of = sum(comb(len(choices) + heads - 1, heads) for heads in range(length)) + 1
    return Finding(measured=least, checked=sum(map(len, tried[: least + 1])), of=of)


def _kind(choice: Array) -> bytes:
    return bytes((choice[:, None] == choice).tobytes())


@PAPER.claim(
    f"'Transformers with left-most [...] hard attention can only recognise languages in AC0', {SLIDES}",
    name="ac0",
    direction=Direction.UPPER,
    ours="3*D + 2",
    built="ours: the depth 3D + 2 is that of our circuits; the statement gives no number",
    instances="eight models drawn",
    unit="gates on a path",
    hypotheses=(
        "D layers of one head; any scores of positions and contents; one bit of content, any update of it",
        "and, or, not gates, any number of inputs",
        "at most 1 + N + D N (4 N + 4) gates, counted",
    ),
    sizes=({"length": 4}, {"length": 6}, {"length": 8}, {"layers": 3}),
    tags=("formal-languages",),
)
def circuits(length: int = param("N", 6, "bits of a word"), layers: int = param("D", 2, "layers")) -> Finding:
    """What leftmost-hard attention recognises is in AC0; here D layers on one bit of content, in depth 3D + 2."""
    rows = words_of_bits(length)
    drawn = [languages.TabulatedHardAttention.random(length, layers, seed) for seed in range(CIRCUITS)]
    made, codes = [model.circuit() for model in drawn], [model.codes(rows) for model in drawn]
    wrong = [
        f"model {seed} and its circuit differ on {rows[place].tolist()}"
        for seed, circuit in enumerate(made)
        for place in np.flatnonzero(codes[seed] != circuit.values(rows))[:1]
    ]
    most = 1 + length + layers * length * (4 * length + 4)
    wrong += [f"{circuit.size} gates, more than {most}" for circuit in made if circuit.size > most]
    return Finding(
        measured=max(circuit.depth for circuit in made),
        checked=len(made) * len(rows),
        of=CIRCUITS * 2**length,
        violations=wrong,
        facts={
            "gates": max(circuit.size for circuit in made),
            "gates at most": most,
            "different functions": len({tuple(answers.tolist()) for answers in codes}),
        },
    )


class Defined(NamedTuple):
    """A language by its symbols, a regular expression, and a formula that holds at the end mark."""

    symbols: str
    expression: str
    formula: Formula


A, B, C = (Symbol(symbol) for symbol in "abc")
FIRST = Not(before(Always()))
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


@recognised(
    _listed("FO, Angluin et al. 2023, none, rightmost-hard, strict future mask"),
    name="star-free",
    instances="five languages",
    hypotheses=(
        ALL_WORDS,
        "of the equality, that every definable language is recognised: a head for each 'since' of its formula",
        "five languages, checked to be star-free by their monoids",
    ),
    sizes=tuple({"language": name, "length": 8 if name != "a-then-only-c" else 6} for name in STAR_FREE),
)
def star_free(
    length: int = param("N", 8, LONGEST),
    language: str = param("language", "contains-ab", "which language", choices=tuple(STAR_FREE)),
) -> Finding:
    """Rightmost-hard attention, masked, without positions, recognises what FO defines; here five languages."""
    return _defined(STAR_FREE[language], length, aperiodic=True)


@recognised(
    _listed("FO[MOD], Angluin et al. 2023, sinusoidal, rightmost-hard, strict future mask"),
    name="first-order-modular",
    instances="three languages",
    hypotheses=(
        ALL_WORDS,
        "of the equality, that every definable language is recognised",
        "positions by remainders, which sinusoidal positions of rational frequency determine",
        "three languages, none of them star-free",
    ),
    sizes=tuple({"language": name} for name in MODULAR),
)
def modular(
    length: int = param("N", 8, LONGEST),
    language: str = param("language", "even-length", "which language", choices=tuple(MODULAR)),
) -> Finding:
    """With positions modulo a number, it recognises what FO[MOD] defines; here three languages, not in FO."""
    return _defined(MODULAR[language], length, aperiodic=False)


def _defined(language: Defined, length: int, aperiodic: bool) -> Finding:
    model = languages.hard_attention(language.formula, language.symbols)
    right = re.compile(language.expression).fullmatch
    finding = _wrong_words(model, lambda word: right(word) is not None, range(length + 1))
    least = from_regular_expression(language.expression, language.symbols)
    if transition_monoid(least).is_aperiodic is aperiodic:
        return finding
    return finding.also([f"{language.expression} is {'not ' * aperiodic}star-free"])


def _wrong_words(model: models.SequenceModel, right: Callable[[str], int], lengths: Iterable[int]) -> Finding:
    wrong, checked, symbols = list[str](), 0, len(model.alphabet)
    for length in lengths:
        words = ["".join(map(str, word)) for word in product(model.alphabet, repeat=length)]
        rows = np.array(list(product(range(symbols), repeat=length)), dtype=np.int64).reshape(len(words), length)
        given = np.array(model.answers)[model.codes(rows)]
        wrong += [f"wrong on {word!r}" for word, answer in zip(words, given, strict=True) if answer != right(word)]
        checked += len(words)
    of = sum(symbols**length for length in lengths)
    return Tally(len(wrong), checked, of, wrong).finding()
