"""A language model whose chain of thought has the probabilities of a probabilistic automaton."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from ccsim.models.language import HardAttentionLanguageModel
from protocols.constructions.ngrams import NGramModel, ngram_by_heads

Pair = tuple[str, int]


@dataclass(frozen=True)
class ProbabilisticAutomaton:
    """States that emit a symbol and move, or end, each by weights of 0 or more that are divided by their sum.

    Attributes:
        symbols: the symbols of strings.
        weights: ``weights[state][symbol][next]``, integers.
        ends: ``ends[state]``, integers; the first state is 0. Every state has some positive weight.
    """

    symbols: str
    weights: tuple[tuple[tuple[int, ...], ...], ...]
    ends: tuple[int, ...]


def probabilistic_chain(automaton: ProbabilisticAutomaton) -> HardAttentionLanguageModel:
    """A transformer of one head in one layer over pairs (symbol, state): the chain writes the state beside the symbol.

    The next pair depends on the last one only, so this is a bigram model over pairs, and these are built by
    :func:`ngram_by_heads`. The probability of a string is that of all chains from which erasing the states leaves it.
    """
    states = range(len(automaton.ends))
    pairs: tuple[Pair, ...] = tuple(product(automaton.symbols, states))

    def row(state: int) -> tuple[int, ...]:
        emitted = (automaton.weights[state][automaton.symbols.index(symbol)][after] for symbol, after in pairs)
        return (*emitted, automaton.ends[state])

    counts: dict[tuple[int, ...], tuple[int, ...]] = {(0,): row(0)}
    counts |= {(rank,): row(state) for rank, (_, state) in enumerate(pairs, start=1)}
    return ngram_by_heads(NGramModel(2, pairs, counts))


def string_probabilities(model: HardAttentionLanguageModel, symbols: str, length: int) -> dict[str, Fraction]:
    """The probability of every string of a length, summed over the chains that leave it when states are erased.

    >>> fair = ProbabilisticAutomaton("ab", (((1, 0), (0, 1)), ((1, 0), (0, 1))), (0, 2))
    >>> string_probabilities(probabilistic_chain(fair), "ab", 1)["b"]
    Fraction(1, 4)
    """
    found = dict.fromkeys(map("".join, product(symbols, repeat=length)), Fraction(0))
    chains = np.array(list(product(range(len(model.symbols)), repeat=length)), dtype=np.int64)
    chains = chains.reshape(len(model.symbols) ** length, length)
    for chain, probability in zip(chains.tolist(), model.probabilities(chains), strict=True):
        found["".join(str(model.symbols[rank][0]) for rank in chain)] += probability  # type: ignore[index]
    return found
