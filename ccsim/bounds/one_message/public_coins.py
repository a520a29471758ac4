"""One message with public coins: the least error of so many bits, and the fewest bits for an error, exactly.

Only the receiver has to know the answer. A protocol with public coins is a mixture of deterministic ones, so the best
success on the worst promised cell is the value of a game (Yao 1977), which is played as for two-way protocols in
:mod:`ccsim.bounds.randomised.yao_game`. The best message against a distribution divides the sender's lines so that the
receiver's best answers weigh most: by dynamic programming over sets of lines, which are divided in two for each bit.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.one_message.messages import DIRECTIONS, sender_lines
from ccsim.bounds.randomised.yao import every_split, subset_sums
from ccsim.bounds.randomised.yao_game import YaoGame
from ccsim.bounds.rationals import as_text
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

Array = npt.NDArray[Any]
MOST_LINES = 13  # of the sender
MOST_PLACES = 64  # of the receiver
MOST_BITS = 1000  # of the common denominator of a distribution


@dataclass(frozen=True)
class Message:
    """The message of each line of the sender, and for each message the receiver's answers."""

    messages: tuple[int, ...]
    answers: tuple[tuple[int, ...], ...]


class OneWayGame(YaoGame):
    """Yao's game for one message; the sender's lines are rows."""

    most_weight: ClassVar[int] = 1 << MOST_BITS

    def _constants(self) -> list[Any]:
        height, width = self.codes.shape
        return [Message((0,) * height, ((label,) * width,)) for label in range(len(self.matrix.labels))]

    def _right(self, tree: Message) -> Array:
        return np.asarray(np.array(tree.answers)[list(tree.messages)] == self.codes)

    def _best(self, weights: Array, count: int) -> tuple[int, list[Any]]:
        tables = [np.where(self.codes == code, weights, 0) for code in range(len(self.matrix.labels))]
        sums = np.stack([subset_sums(table) for table in tables])
        layers = [sums.max(axis=0).sum(axis=1)]
        for _ in range(min(self.bits, (len(weights) - 1).bit_length()) - 1):  # more are of no use
            layers.append(every_split(layers[-1][:, None])[:, 0])
        every = len(layers[0]) - 1
        if not self.bits:
            return int(layers[0][every]), [self._message([every], sums)]
        halves = (layers[-1] + layers[-1][::-1])[: (every + 1) // 2]
        chosen = np.argsort(-halves, kind="stable")[:count].tolist()
        return int(halves[chosen[0]]), [
            self._message(_divided(layers, part) + _divided(layers, every ^ part), sums) for part in chosen
        ]

    def _message(self, classes: list[int], sums: Array) -> Message:
        """The protocol whose messages stand for these sets of lines."""
        answers = [tuple(int(code) for code in sums[:, lines].argmax(axis=0)) for lines in classes]
        sent = [next(at for at, lines in enumerate(classes) if lines >> row & 1) for row in range(len(self.codes))]
        return Message(tuple(sent), tuple(answers))

    def success_witnesses(self, turned: bool) -> tuple[Witness, Witness]:
        """The mixture of messages, and the distribution, as plain data."""
        lines, places = self.merged.row_class.tolist(), self.merged.column_class.tolist()
        protocols = []
        for place, weight in self.mixture.items():
            chosen = self.trees[place]
            answers = [[answers[column] for column in places] for answers in chosen.answers]
            messages = [chosen.messages[line] for line in lines]
            protocols.append({"weight": as_text(weight), "messages": messages, "answers": answers})
        cells = [[*cell[:2][:: -1 if turned else 1], cell[2]] for cell in self.shares_of_cells()]
        hard = {"kind": "hard-for-messages", "bits": self.bits, "cells": cells}
        return {"kind": "message-mixture", "protocols": protocols}, hard


def _divided(layers: list[Array], lines: int) -> list[int]:
    """A set of lines in as many parts as the layer allows, so that they have what it says."""
    if not lines:
        return []
    depth = next(depth for depth, layer in enumerate(layers) if layer[lines] == layers[-1][lines])
    if depth == 0:
        return [lines]
    below, part = layers[depth - 1], (lines - 1) & lines
    while below[part] + below[lines ^ part] != layers[depth][lines]:
        part = (part - 1) & lines
    return _divided(layers[:depth], part) + _divided(layers[:depth], lines ^ part)


def one_way_success(matrix: Subject, bits: int, direction: str = DIRECTIONS[0], *, seconds: float = 60.0) -> Bracket:
    """The largest p such that one message of ``bits`` bits with public coins is right with probability p everywhere.

    Its least error is 1 - p. Only the receiver knows the answer; "everywhere" is on every promised cell.

    Args:
        matrix: Boolean, multi-valued or partial; at most 13 different lines of the sender and 64 of the receiver.
        bits: the length of the message, at least 0.
        direction: who speaks.
        seconds: after so long, the bracket may be left open.

    Raises:
        InputError: for negative bits, a matrix without promised cells, or one that is too large.

    >>> index = [[0, 0, 0], [0, 0, 1], [0, 1, 0], [0, 1, 1], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]]
    >>> [str(one_way_success(index, bits).lower) for bits in range(4)]
    ['1/2', '3/4', '5/6', '1']
    """
    start = time.monotonic()
    game = _game(matrix_of(matrix), bits, direction, start + seconds, None)
    game.play()
    below, above = game.success_witnesses(direction == DIRECTIONS[1])
    parameters, method = {"direction": direction, "bits": bits}, "mixture of messages | hard distribution"
    took = time.monotonic() - start
    return Bracket("one-way success", game.lower, game.upper, method, below, above, parameters, "", took)


def one_way_public_coins(
    matrix: Subject, error: Fraction | str, direction: str = DIRECTIONS[0], *, seconds: float = 60.0
) -> Bracket:
    """The fewest bits of one message with public coins that errs on no promised cell more often than this.

    Args:
        matrix: as for :func:`one_way_success`.
        error: a rational (or text such as ``"1/3"``) of at least 0 and below 1.
        direction, seconds: as there.

    >>> print(one_way_public_coins([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1]], "1/3"))
    one-way-randomised = 1 bit (hard distribution | mixture of messages)
    """
    allowed, start = Fraction(error), time.monotonic()
    if not 0 <= allowed < 1:
        raise InputError("error", error, "at least 0 and below 1")
    matrix, turned = matrix_of(matrix), direction == DIRECTIONS[1]
    lower, below, upper, above = 0, None, None, None
    for bits in range(MOST_LINES):
        game = _game(matrix, bits, direction, start + seconds, 1 - allowed)
        game.play()
        mixture, hard = game.success_witnesses(turned)
        if game.upper < 1 - allowed and lower == bits:
            lower, below = bits + 1, hard
        if game.lower >= 1 - allowed:
            upper, above = bits, mixture
            break
    parameters = {"direction": direction, "error": as_text(allowed)}
    method = "hard distribution | " + ("mixture of messages" if above else "out of time")
    took = time.monotonic() - start
    return Bracket("one-way-randomised", lower, upper, method, below, above, parameters, "bits", took)


def _game(
    matrix: CommunicationMatrix, bits: int, direction: str, deadline: float, target: Fraction | None
) -> OneWayGame:
    if not isinstance(bits, int) or isinstance(bits, bool) or not 0 <= bits <= 64:
        raise InputError("bits", bits, "an integer from 0 to 64")
    sent = CommunicationMatrix(sender_lines(matrix, direction), matrix.labels)
    lines, places = sent.merge().matrix.shape
    if lines > MOST_LINES or places > MOST_PLACES:
        expected = f"at most {MOST_LINES} different lines of the sender and {MOST_PLACES} of the receiver"
        raise InputError("matrix", (lines, places), expected)
    return OneWayGame(sent, bits, deadline, target)
