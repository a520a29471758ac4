"""Chains of thought: transformers that run automata and Turing machines by writing symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from ccsim.arithmetic import IntArray
from ccsim.errors import InputError, require_integer
from ccsim.models.automata import Automaton
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


class StateChain:
    """The next token after a word, an end mark and the states so far: the next state, and in the end the answer.

    Positions p = 1, 2, ... are encoded by p and p^2. The first layer finds the end mark, at position m. The second has
    the query (2(p - m + 1), -1) and the keys (j, j^2): the score 2(p - m + 1) j - j^2 is largest at j = p - m + 1, the
    place of the symbol that is read next, or of the end mark when all are read. Token-wise, (state, symbol) gives the
    next state by the table, and (state, end mark) the answer; the end mark itself stands for the first state.

    >>> parity = Automaton.from_transitions({0: {"0": 0, "1": 1}, 1: {"0": 1, "1": 0}}, start=0, accepting={1})
    >>> StateChain(parity).run("1101")
    (['q1', 'q0', 'q0', 'q1', 'answer 1'], 1)
    """

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self.mark = len(automaton.alphabet)

    def next_tokens(self, tokens: IntArray) -> IntArray:
        """The next token of each row (batch, T): symbols, then the mark, then mark + 1 + state; answers come last."""
        places = np.arange(1, tokens.shape[1] + 1)
        mark = _chosen(tokens == self.mark, places)
        target = places[-1] - mark + 1
        scores = 2 * target[:, None] * places - places**2
        symbol = _chosen(scores, tokens)
        last = tokens[:, -1]
        state = np.where(last == self.mark, self.automaton.first, last - self.mark - 1)
        following = self.mark + 1 + self.automaton.table[state, np.minimum(symbol, self.mark - 1)]
        answer = self.mark + 1 + self.automaton.states + self.automaton.outputs[state]
        return np.where(symbol == self.mark, answer, following)

    def extend(self, words: IntArray) -> tuple[IntArray, IntArray]:
        """The tokens that are written after each word of ranks (batch, N), and the codes of the answers.

        It is stopped at twice as many tokens as it should take, N + 1.
        """
        words = np.asarray(words)
        most = 3 * (words.shape[1] + 1)
        tokens = np.pad(words, ((0, 0), (0, 1)), constant_values=self.mark)
        first_answer = self.mark + 1 + self.automaton.states
        while tokens.shape[1] < most and (tokens[:, -1] < first_answer).all():
            tokens = np.concatenate([tokens, self.next_tokens(tokens)[:, None]], axis=1)
        return tokens[:, words.shape[1] + 1 :], tokens[:, -1] - first_answer

    def run(self, word: Sequence[str]) -> tuple[list[str], object]:
        """The chain after one word, for people, and the answer."""
        written, codes = self.extend(self.automaton.ranks(word)[None])
        answer = self.automaton.answers[int(codes[0])]
        return [f"q{token - self.mark - 1}" for token in written[0, :-1]] + [f"answer {answer}"], answer


def _chosen(scores: IntArray, values: IntArray) -> IntArray:
    """The value at the position with the largest score, the leftmost of several, in each row."""
    best = np.asarray(scores).astype(np.int64).argmax(axis=1)
    return np.asarray(np.broadcast_to(values, scores.shape)[np.arange(len(best)), best])


Step = tuple[str, str, int]
BLANK = "_"


@dataclass(frozen=True)
class TuringMachine:
    """One tape, infinite both ways, blank but for the word; the head starts on its first symbol.

    Attributes:
        rules: from (state, symbol) to (state, what is written, move of -1, 0 or 1).
        start: the first state; the states ``yes`` and ``no`` halt.
    """

    rules: Mapping[tuple[str, str], Step]
    start: str


class TuringChain:
    """The next token after a word, a blank and the steps so far: (state, what was written, move).

    A step's token tells the move, so a head that averages moves over all positions, times their number, has the place
    of the machine's head: after the step, and before it, which is the cell where that step wrote. A symbol of the word
    is taken for what was written in the cell of its own position. The second layer scores position j by
    -(cell of j - place of the head)^2, rightmost of several: the last thing that was written there, if its cell is
    the right one, and else a blank. Token-wise, the rules do the rest (after Perez et al. 2021; Nowak et al. 2024).

    >>> flip = TuringMachine({("s", "0"): ("s", "1", 1), ("s", "1"): ("s", "0", 1), ("s", "_"): ("yes", "_", 0)}, "s")
    >>> TuringChain(flip).run("01")
    [('s', '1', 1), ('s', '0', 1), ('yes', '_', 0)]
    """

    def __init__(self, machine: TuringMachine) -> None:
        self.machine = machine

    def next_token(self, word: str, steps: list[Step]) -> Step:
        """One token, from all before it."""
        tape = [*word, BLANK]
        moves = np.array([0] * len(tape) + [move for _, _, move in steps], dtype=object)
        counts = np.arange(1, len(moves) + 1)
        averages = [Fraction(int(total), int(count)) for total, count in zip(np.cumsum(moves), counts, strict=True)]
        after = np.array([1 + average * int(count) for average, count in zip(averages, counts, strict=True)], object)
        cells = np.where(counts <= len(tape), counts, after - moves)
        place, written = after[-1], [*tape, *(symbol for _, symbol, _ in steps)]
        scores = -((cells - place) ** 2)
        chosen = len(scores) - 1 - int(np.argmax(scores[::-1]))  # the rightmost of the largest
        symbol = written[chosen] if cells[chosen] == place else BLANK
        state = steps[-1][0] if steps else self.machine.start
        if (state, symbol) not in self.machine.rules:
            raise InputError("rules", (state, symbol), "a rule")
        return self.machine.rules[state, symbol]

    def run(self, word: str, most: int = 1 << 10) -> list[Step]:
        """The chain until the machine halts; an error if it is longer than ``most``."""
        require_integer("most", most, low=1)
        steps: list[Step] = []
        while not steps or steps[-1][0] not in ("yes", "no"):
            if len(steps) == most:
                raise InputError("most", most, "enough tokens for the machine to halt")
            steps.append(self.next_token(word, steps))
        return steps
