"""A chain of thought that writes down the states of a finite automaton, by two layers of hard attention."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ccsim.arithmetic import IntArray
from ccsim.models.automata import Automaton


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
