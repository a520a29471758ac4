"""A chain of thought that writes down the steps of a Turing machine, by two layers of attention in exact arithmetic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ccsim.arguments import require_integer
from ccsim.arrays import Array
from ccsim.errors import InputError

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
        chosen = _latest(scores)
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


def _latest(scores: Array) -> int:
    """The place of the largest score, the rightmost of several."""
    return len(scores) - 1 - int(np.argmax(scores[::-1]))
