"""One message with private coins: how many bits it needs, between messages by chance and proofs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from ccsim.bounds.bracket import Bracket, Witness
from ccsim.bounds.clock import Clock
from ccsim.bounds.factors.findings import Finding, improved
from ccsim.bounds.one_message.messages import DIRECTIONS, one_way, sender_lines
from ccsim.bounds.one_message.public_coins import one_way_public_coins
from ccsim.bounds.one_message.vc import one_way_randomised
from ccsim.bounds.private_coins.brackets import different_lines, near_bounds
from ccsim.bounds.private_coins.search import tree_of_shape
from ccsim.bounds.private_coins.sets import equality_tree
from ccsim.bounds.private_coins.shapes import PrivateTree, Shape, message_tree
from ccsim.bounds.rationals import as_text
from ccsim.certificates.verify import Refused, check
from ccsim.certificates.verify.matrices import Matrix
from ccsim.certificates.verify.private_messages import one_order
from ccsim.errors import InputError
from ccsim.matrices import CommunicationMatrix
from ccsim.problems.subject import Subject, matrix_of

__all__ = ["one_way_private_coins", "private_message_stages", "trivial_private_message"]

Array = npt.NDArray[Any]
MOST_LINES = 32  # different ones, up to which messages are searched for
MOST_BITS = 4
MOST_CHECKED = 1 << 16  # cells of tables whose lines are put in order
STARTS = 24
MEASURE = "one-way-private"


def one_way_private_coins(
    matrix: Subject,
    error: Fraction | str = Fraction(1, 3),
    direction: str = DIRECTIONS[0],
    *,
    time_limit: float | None = 20.0,
) -> Bracket:
    """The fewest bits of one message, by coins that its sender alone sees, that errs at most with this probability.

    The receiver answers with coins of its own, and alone knows the answer.

    Args:
        matrix: of any labels, total or partial.
        error: at least 0 and below 1/2, on every promised cell.
        direction: who speaks.
        time_limit: seconds for the search.

    Returns:
        In bits. Below: what public coins need, that lines are in no order (one bit is not enough), or how many points
        are far from each other in a simplex; above: a message with chances, or a certain one.

    >>> from ccsim.problems import equality
    >>> print(one_way_private_coins([[int(row == column) for column in range(6)] for row in range(6)], "1/3"))
    one-way-private = 2 bits (one order | sets of messages)
    """
    matrix, allowed = matrix_of(matrix), Fraction(error)
    *_, best = private_message_stages(matrix, allowed, direction, Clock.within(time_limit))
    return replace(best, matrix=matrix)


def trivial_private_message(matrix: CommunicationMatrix, error: Fraction, direction: str) -> Bracket:
    """At least no bit, and at most to name a line."""
    lines = matrix.shape[DIRECTIONS.index(direction)]
    parameters = {"direction": direction, "error": as_text(error)}
    return Bracket(MEASURE, 0, (lines - 1).bit_length(), "trivial | naming a line", None, None, parameters)


def private_message_stages(
    matrix: CommunicationMatrix, error: Fraction, direction: str, clock: Clock
) -> Iterator[Bracket]:
    """The bracket, whenever more is known."""
    if 0 in matrix.shape:
        raise InputError("matrix", matrix, "at least one row and one column")
    if direction not in DIRECTIONS:
        raise InputError("direction", direction, f"one of {DIRECTIONS}")
    if not 0 <= 2 * error < 1:
        raise InputError("error", str(error), "at least 0 and below 1/2")
    best = trivial_private_message(matrix, error, direction)
    yield best
    certain = one_way(matrix, direction, time_limit=clock.left(20.0) / 4)
    best = replace(best, upper=certain.upper, upper_witness=certain.upper_witness, method="trivial | certain message")
    search = _Search(matrix, error, direction, clock)
    for findings in (search.quick, search.messages, search.of_public):
        for bracket in improved(best, findings(best)):
            best = bracket
            yield best


class _Search:
    """What each method proves; the sender's different lines are the rows of ``codes``."""

    def __init__(self, matrix: CommunicationMatrix, error: Fraction, direction: str, clock: Clock) -> None:
        self.matrix, self.error, self.direction, self.clock = matrix, error, direction, clock
        self.turned = direction == DIRECTIONS[1]
        merged = CommunicationMatrix(sender_lines(matrix, direction), matrix.labels).merge()
        self.codes, self.classes = merged.matrix.codes, (merged.row_class, merged.column_class)

    def quick(self, best: Bracket) -> Iterator[Finding]:
        """What takes no search: whether one bit is enough, sets of messages, and what differs."""
        if self.codes.size <= MOST_CHECKED:
            witness: dict[str, Any] = {"kind": "one-order"}
            least = self._proved(witness)
            yield "lower", least, "one order", witness
            if least == 1:
                yield "upper", 1, "one order", self._witness(self._one_bit())
        tree = equality_tree(self.codes, self.error)
        if tree is not None:
            yield "upper", (len(tree.shape.answers) // 2).bit_length() - 1, "sets of messages", self._witness(tree)
        lines = different_lines(self.matrix, self.direction, self.clock)
        for near in (None, *near_bounds(self.matrix, self.clock)):
            witness = {"kind": "message-points", "lines": lines, "near": near}
            yield "lower", self._proved(witness), "points of messages", witness

    def messages(self, best: Bracket) -> Iterator[Finding]:
        """Messages with chances that are searched for, of as few bits as are not excluded, then of more."""
        assert best.upper is not None
        if max(self.codes.shape) > MOST_LINES:
            return
        generator, labels = np.random.default_rng(0), len(self.matrix.labels)
        replies = (labels - 1).bit_length()
        answers = tuple(label % labels for label in range(1 << replies))
        for bits in range(max(1, int(best.lower)), min(int(best.upper), MOST_BITS + 1)):
            count = 1 << bits
            shape = Shape((0,) * (count - 1) + (1,) * (count * (len(answers) - 1)), answers * count)
            tree = tree_of_shape(self.codes, shape, 1 - self.error, self.clock, generator, STARTS)
            if tree is not None:
                yield "upper", bits, "messages by chance", self._witness(tree)
                return

    def of_public(self, best: Bracket) -> Iterator[Finding]:
        """What public coins need: by VC dimension, and by a game over all messages where it is small enough."""
        error = as_text(self.error)
        for bound in (one_way_randomised, one_way_public_coins):
            try:
                if bound is one_way_randomised:
                    found = one_way_randomised(self.matrix, self.direction, error, time_limit=self.clock.left(5.0))
                else:
                    found = one_way_public_coins(self.matrix, error, self.direction, seconds=self.clock.left(20.0))
            except InputError:  # more than two labels, too many lines, or none that are promised
                continue
            if found.lower_witness is not None:
                witness = {"kind": "public-coins", "of": found.lower_witness}
                yield "lower", self._proved(witness), "public coins", witness

    def _proved(self, witness: Witness) -> int:
        """What a witness proves; 0 if nothing."""
        parameters = {"direction": self.direction, "error": as_text(self.error)}
        try:
            return int(check(self.matrix.codes.tolist(), MEASURE, "lower", parameters, witness))
        except Refused:
            return 0

    def _one_bit(self) -> PrivateTree:
        """The message of one bit for lines that are in an order: across, the chance of the later of two answers is a
        line through e where the earlier one is last right, and 1 - e where the later one is first right."""
        lines = sorted(set(map(tuple, self.codes.tolist())))
        order = one_order(Matrix(self.codes.tolist()), lines, self.error)
        assert order is not None
        places = {lines[line]: place for line, place in order}
        replies: list[list[dict[int, Fraction]]] = [[], []]
        for column in range(self.codes.shape[1]):
            shown = [(lines[line][column], place) for line, place in order if lines[line][column] >= 0]
            first, last = (shown[0][0], shown[-1][0]) if shown else (0, 0)
            chances = [Fraction(0), Fraction(0)]
            if first != last:
                early = max(place for answer, place in shown if answer == first)
                late = min(place for answer, place in shown if answer == last)
                slope = (1 - 2 * self.error) / (late - early)
                chances = [self.error + slope * (end - early) for end in (0, 1)]
            for said, chance in enumerate(chances):
                replies[said].append({first: 1 - chance, last: chance} if first != last else {first: Fraction(1)})
        sent = [{0: 1 - places[line], 1: places[line]} for line in map(tuple, self.codes.tolist())]
        return message_tree(sent, replies, len(self.matrix.labels))

    def _witness(self, tree: PrivateTree) -> Witness:
        """As plain data, with the speakers as they are in the matrix."""
        mine, yours = self.classes
        return tree.turned().witness((yours, mine)) if self.turned else tree.witness((mine, yours))
