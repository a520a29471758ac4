"""Exploration by rectangles: a protocol run on all inputs at once, and checked.

Inputs that reach a node of a protocol tree form a rectangle (inputs in hand) or a cylinder intersection
(inputs on foreheads), so each party is asked once per own view and node, never once per pair
(Kushilevitz and Nisan 1997, chapters 1 and 6).

Array parties are asked every question twice, the second time in other company and after the other parties;
generator parties are played again from the start where a branch needs it, and once more at every leaf. A party
that looks at another's input, remembers earlier runs, or draws coins that it was not granted contradicts itself,
or leaves a leaf on which the answer is wrong.

What no exploration can see: a party that tosses a coin once and remembers it for good, or that changes its ways only
after more questions than were asked. The tree that was found is a correct protocol all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from ccsim.engine.level import LevelExploration
from ccsim.engine.party import ProtocolBase
from ccsim.engine.run import Board
from ccsim.engine.schedule import schedule_of
from ccsim.engine.tree import ProtocolTree
from ccsim.engine.walk import MOST_VIOLATIONS, TIMEOUT, Region, Violation, Walk, legal, told_wrong
from ccsim.errors import Array, InputError, ProtocolError
from ccsim.plain_data import counted


@dataclass(frozen=True, eq=False)
class Exploration:
    """A deterministic protocol on all its inputs.

    Attributes:
        protocol: what was explored.
        tree: the protocol tree (inputs in hand only; None on foreheads or on request).
        leaves: how many leaves there are.
        worst_bits: the most bits on any promised input.
        total_bits, pairs: the sum of bits over all promised inputs, and how many there are.
        worst_rounds: the most rounds on any promised input.
        questions: how many (view, node) questions the parties answered, not counting repetitions.
        violations: what is wrong, at most ten of them; empty if the protocol is correct.
    """

    protocol: ProtocolBase = field(repr=False)
    tree: ProtocolTree | None = field(repr=False)
    leaves: int
    worst_bits: int
    total_bits: int
    pairs: int
    worst_rounds: int
    questions: int
    violations: tuple[Violation, ...]

    @property
    def correct(self) -> bool:
        """Whether no rule was broken and every answer is the function's."""
        return not self.violations

    @property
    def average_bits(self) -> Fraction:
        """Bits averaged over all promised inputs, each as likely."""
        return Fraction(self.total_bits, max(self.pairs, 1))

    def expected_bits(self, distribution: Array) -> Fraction:
        """Bits averaged under a distribution: non-negative integer weights, one per input pair.

        Weight outside the promise does not count.
        """
        weights = self.protocol.weights(distribution)
        if self.tree is None:
            raise InputError("exploration", self.protocol.name, "an exploration that kept its tree")
        total = sum(
            leaf.bits * int(weights[np.ix_(*(leaf.sets[player] for player in self.protocol.model.players))].sum())
            for leaf in self.tree.leaves
        )
        return Fraction(total, int(weights.sum()))

    def raise_if_wrong(self) -> Exploration:
        """This exploration, or a :class:`~ccsim.errors.ProtocolError` that tells its first violation."""
        if self.violations:
            raise ProtocolError(f"{self.protocol.name}: {self.violations[0]}")
        return self

    def __str__(self) -> str:
        if not self.correct:
            return f"{self.protocol.name}: {told_wrong(self.violations)}"
        return (
            f"{self.protocol.name}: {counted(self.worst_bits, 'bit')} at worst, "
            f"{float(self.average_bits):.3f} on average, "
            f"{counted(self.worst_rounds, 'round')}, {counted(self.leaves, 'leaf')}, correct on all inputs"
        )


def explore(
    protocol: ProtocolBase,
    *,
    keep_tree: bool | None = None,
    most_nodes: int = 4_000_000,
    progress: Callable[[int], None] | None = None,
    timeout: float = TIMEOUT,
) -> Exploration:
    """Explore a deterministic protocol on all its inputs, and check every rule.

    A protocol with a fixed schedule is explored level by level in arrays, which keeps no tree, unless ``keep_tree``
    asks for one; every other protocol keeps its tree unless told not to. ``progress`` is called now and then with
    the number of nodes done. A party that says nothing for ``timeout`` seconds is stopped. A formula of the cost is
    held against what was sent. Raises
    :class:`~ccsim.errors.TableTooLargeError` if the function's table cannot fit, and
    :class:`~ccsim.errors.InputError` for a protocol with coins (measure those) or beyond ``most_nodes``.
    """
    if not protocol.deterministic:
        raise InputError("protocol", protocol.name, "a deterministic protocol; measure_error() goes through the coins")
    schedule = schedule_of(protocol)
    if schedule is not None and not keep_tree and not protocol.function.is_relation:
        levels = LevelExploration(protocol, schedule, protocol.function.codes, progress)
        levels.go()
        return _explored(protocol, None, levels, levels, levels.violations)
    keep_tree = keep_tree is not False
    check = LeafCheck(protocol)
    walk = Walk(
        protocol,
        protocol.views(),
        check.visit,
        keep_tree=keep_tree,
        most_nodes=most_nodes,
        progress=progress,
        timeout=timeout,
    )
    walk.go()
    keep = keep_tree and not protocol.model.forehead and walk.nodes and not walk.violations
    keep = keep and not protocol.function.is_relation
    tree = ProtocolTree(protocol.function, protocol.knowing, tuple(walk.nodes)) if keep else None
    return _explored(protocol, tree, walk, check, walk.violations + check.violations)


def _explored(
    protocol: ProtocolBase,
    tree: ProtocolTree | None,
    walked: Walk | LevelExploration,
    sums: LeafCheck | LevelExploration,
    violations: list[Violation],
) -> Exploration:
    if not violations and sums.pairs:
        violations = _wrong_cost(protocol, sums.worst_bits)
    return Exploration(
        protocol,
        tree,
        walked.leaves,
        sums.worst_bits,
        sums.total_bits,
        sums.pairs,
        sums.worst_rounds,
        walked.questions,
        tuple(violations[:MOST_VIOLATIONS]),
    )


def _wrong_cost(protocol: ProtocolBase, worst_bits: int) -> list[Violation]:
    cost = protocol.cost
    if cost is None or worst_bits == cost.bits or (worst_bits < cost.bits and not cost.exact):
        return []
    said = f"{counted(worst_bits, 'bit')} at worst, where the cost {cost} at {dict(cost.parameters)} is {cost.bits}"
    advice = "" if worst_bits > cost.bits else "; a formula that is not reached is given as Cost(..., exact=False)"
    return [Violation("cost", f"{said}{advice}")]


class LeafCheck:
    """Checks every leaf of a deterministic protocol against the function, and adds up what it cost."""

    def __init__(self, protocol: ProtocolBase) -> None:
        self.protocol = protocol
        self.table = protocol.function.codes
        self.worst_bits = self.total_bits = self.pairs = self.worst_rounds = 0
        self.violations: list[Violation] = []

    def visit(self, region: Region, board: Board, codes: Mapping[str, Array]) -> None:
        """Count the promised inputs of the leaf; every answer on them must be right and follow from the leaf."""
        cells = region.cells(self.table)
        promised = int(np.count_nonzero(legal(cells)))
        if promised:
            transcript = board.transcript
            self.worst_bits = max(self.worst_bits, transcript.bits)
            self.worst_rounds = max(self.worst_rounds, transcript.rounds)
            self.total_bits += promised * transcript.bits
            self.pairs += promised
        if len(self.violations) < MOST_VIOLATIONS:
            self._check_answers(region, board, codes, cells)

    def _check_answers(self, region: Region, board: Board, codes: Mapping[str, Array], cells: Array) -> None:
        knowing = self.protocol.knowing
        given = {role: region.spread(role, np.asarray(codes[role])) for role in knowing}
        promise = legal(cells)
        for role in knowing:
            wrong = promise & self.protocol.function.wrong(cells, given[role])
            if self.protocol.function.is_relation:
                wrong |= given[role] != given[knowing[0]]
            if wrong.any():
                self._tell_wrong(region, board, given, cells, int(np.argmax(wrong)), role)
                return
        right = cells[promise]
        if (
            self.protocol.answer == "both"
            and not self.protocol.function.is_relation
            and right.size
            and (right != right[0]).any()
        ):
            place = np.flatnonzero(promise)[int(np.argmax(right != right[0]))]
            self._tell(
                "monochromatic",
                "the answer is not settled by what was said: the leaf holds inputs with different answers",
                region,
                board,
                [int(np.flatnonzero(promise)[0]), int(place)],
            )

    def _tell_wrong(
        self, region: Region, board: Board, given: Mapping[str, Array], cells: Array, place: int, role: str
    ) -> None:
        decode = self.protocol.decode
        said = {name: int(np.broadcast_to(values, cells.shape).flat[place]) for name, values in given.items()}
        expected = self.protocol.function.meaning(int(cells.flat[place]))
        if len(set(said.values())) > 1:
            shown = ", ".join(f"{name} {decode(code)!r}" for name, code in said.items())
            self._tell("agreement", f"the parties disagree: {shown}; expected {expected!r}", region, board, [place])
        else:
            note = f"{role} answers {self.protocol.told(said[role])}, expected {expected!r}"
            self._tell("answer", note, region, board, [place])

    def _tell(self, kind: str, message: str, region: Region, board: Board, places: list[int]) -> None:
        function = self.protocol.function
        shown = tuple(
            {
                player: part.show(part.value(index))
                for player, part, index in zip(
                    self.protocol.model.players,
                    function.inputs,
                    region.inputs_at(self.table, place),
                    strict=True,
                )
            }
            for place in places
        )
        self.violations.append(Violation(kind, message, shown, board.transcript))
